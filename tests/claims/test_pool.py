"""One task cannot end the run: whatever it does costs its own result only."""

import importlib
import sys
import time

import pytest

from banditproof.claims.run.pool import Lost, Pool
from tests.cases import texts

TEXTS = texts(__file__)

DEEDS = "\n" + TEXTS["deeds"]


@pytest.fixture(autouse=True)
def deeds(tmp_path, monkeypatch):
    """A module that new processes can import."""
    (tmp_path / "deeds_of_the_pool.py").write_text(DEEDS)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    del sys.modules["deeds_of_the_pool"]


def start():
    return importlib.import_module("deeds_of_the_pool").start


def outcomes(tasks, workers=2, limit=60.0, needs=None):
    todo = {task: (needs or {}).get(task, set()) for task in tasks}
    return dict(Pool(start(), (10,), workers, limit).run(todo))


@pytest.mark.parametrize(
    ("deed", "said"),
    [("leave", "SystemExit: 7"), ("vanish", "status 7"), ("die", "SIGKILL"), ("stumble", "on purpose")],
)
def test_a_task_that_goes_wrong_is_lost_alone(deed, said):
    outcome = outcomes(["add 0", deed, "add 1", "add 2"])
    assert isinstance(outcome.pop(deed), Lost) and outcome == {"add 0": 10, "add 1": 11, "add 2": 12}
    assert said in outcomes([deed])[deed].reason


def test_a_task_that_never_ends_is_given_up_and_the_others_finish():
    outcome = outcomes(["never end", "add 3", "add 4"], workers=2, limit=4.0)
    assert "within 4 seconds" in outcome["never end"].reason
    assert (outcome["add 3"], outcome["add 4"]) == (13, 14)


def test_what_is_not_done_at_the_end_of_the_time_is_broken_off():
    since = time.monotonic()
    pool, done = Pool(start(), (10,), 2, 60.0), dict[str, object]()
    for task, outcome in pool.run({"never end": set(), "add 3": set(), "add 4": {"never end"}}, until=since + 4):
        done[task] = outcome
    assert done.keys() <= {"add 3"} and 3.9 < time.monotonic() - since < 10  # a busy machine starts no process in time


def test_a_task_starts_when_those_it_waits_for_are_done_even_if_they_were_lost():
    order = list(Pool(start(), (10,), 2, 60.0).run({"add 5": {"vanish"}, "vanish": set()}))
    assert [task for task, _ in order] == ["vanish", "add 5"] and order[1][1] == 15


def test_processes_know_before_they_import_anything_that_each_has_one_thread(monkeypatch):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    assert outcomes(["threads"]) == {"threads": "1"}


def test_every_run_walks_through_a_set_in_the_same_order(monkeypatch):
    monkeypatch.delenv("PYTHONHASHSEED", raising=False)
    assert outcomes(["order"]) == outcomes(["order"])
