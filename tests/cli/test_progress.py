"""What is shown of work that takes long, on a terminal and on a pipe."""

import pytest

from banditproof.cli import progress
from banditproof.cli.progress import Progress, progress_bar


class Bar:
    """Holds what would be shown."""

    def add_task(self, description, **shown):
        self.shown = shown
        return 0

    def update(self, line, **shown):
        self.shown = shown


@pytest.fixture
def clock(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def test_the_bar_names_what_runs_and_counts_simulations(clock):
    bar = Bar()
    shown = Progress(bar, 2, live=True, quiet=False)
    shown.begun("study", "figure-4")
    shown.begun("mutations", "A-1")
    assert bar.shown["description"] == "simulation figure-4, false variants of A-1" and bar.shown["total"] == 3
    shown("study", {"id": "figure-4"})
    assert bar.shown["description"] == "false variants of A-1" and bar.shown["completed"] == 1


def test_the_bar_estimates_what_is_left_from_what_was_not_there_before(clock):
    bar = Bar()
    shown = Progress(bar, 200, live=True, quiet=False)
    for number in range(100):
        shown("reused", {"id": str(number)})
    clock[0] = 10.0
    for number in range(4):
        shown("claim", {"id": str(number)})
    assert bar.shown["left"] == "", "nobody can say yet"
    for number in range(16):
        shown("claim", {"id": str(number)})
    assert bar.shown["left"] == "about 40 s left"  # twenty took ten seconds
    clock[0] = 60.0
    shown("claim", {"id": "slow"})
    assert bar.shown["left"] == "about 4 min left"


def test_simulations_are_no_measure_of_the_rest(clock):
    bar = Bar()
    shown = Progress(bar, 200, live=True, quiet=False)
    for number in range(20):
        shown.begun("study", f"figure-{number}")
        clock[0] += 100.0
        shown("study", {"id": f"figure-{number}"})
    assert bar.shown["left"] == "", "they take longer than claims"
    for number in range(20):
        clock[0] += 0.5
        shown("claim", {"id": str(number)})
    assert bar.shown["left"] == "about 2 min left"


@pytest.mark.parametrize("total", [1, 20, 37, 407])
def test_a_pipe_gets_twenty_lines_at_most_and_none_where_it_is_quiet(total, clock, capsys):
    for quiet in (False, True):
        with progress_bar(total, quiet) as shown:
            for number in range(total):
                shown("claim", {"id": f"A-{number}", "verdict": "proved"})
        lines = capsys.readouterr().err.splitlines()
        assert len(lines) == 0 if quiet else 1 <= len(lines) <= 20


@pytest.mark.parametrize(
    ("record", "word"),
    [
        ({"role": "part", "verdict": "proved"}, "proved"),
        ({"role": "part", "verdict": "proved", "rests_on": ["A-2"]}, "done"),
        ({"role": "item", "verdict": "proved"}, "done"),
        ({"role": "item", "verdict": "refuted"}, "refuted"),
        ({"role": "item", "verdict": None}, "done"),
    ],
)
def test_a_line_names_a_verdict_only_where_it_is_final(record, word, capsys):
    with progress_bar(1) as shown:
        shown("claim", {"id": "A-1", **record})
    assert capsys.readouterr().err.strip().endswith(f"A-1 {word}")
