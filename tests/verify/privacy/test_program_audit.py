"""Programs that speak JSON lines: what audits of them find, and what happens to programs that do not keep to it."""

import json
import re
import shutil
import subprocess
import sys
from itertools import product
from pathlib import Path

import jsonschema
import numpy as np
import pytest

from banditproof.theory import Budget
from banditproof.theory.errors import InvalidInput
from banditproof.verify.privacy.program_audit import _answers_again, _reads_ahead, audit_program
from banditproof.verify.runs.foreign import programs
from banditproof.verify.runs.foreign.draws import exchanged
from banditproof.verify.runs.foreign.policies import Replayed, Stage
from banditproof.verify.runs.foreign.programs import Program, Run, play, schema, wrong_with
from banditproof.verify.stopwatch import WallClock

HERE = Path(__file__).parent
ONE = Budget.pure(1.0)


def speaker(kind, epsilon=1.0):
    return f"{sys.executable} {HERE / 'speaker.py'} '{kind}' {epsilon}"


RIGHT = [
    '{"arm": 0}',
    '{"arm": 1, "keeps": {"mean": 0.5}}',
    '{"arm": 1, "keeps": {"means": [0.5, 1], "counts": []}}',
    '{"number": -2.5}',
    '{"number": [1, 2.5]}',
    '{"draw": "laplace", "scale": 2}',
    '{"draw": "normal", "location": -1, "scale": 0.5, "line": 3}',
    '{"draw": "exponential", "scale": 1}',
    '{"draw": "uniform"}',
    '{"draw": "geometric", "success": 0.5}',
    '{"draw": "integer", "of": 3}',
]
WRONG = {
    "0": "one JSON object",
    "{}": "one of arm, number, draw",
    '{"arm": -1}': "'arm' is an integer >= 0",
    '{"arm": 0.5}': "'arm' is an integer",
    '{"arm": true}': "of type integer",
    '{"arm": "0"}': "of type integer",
    '{"arm": 0, "number": 1}': "one of arm, number, draw",
    '{"arm": 0, "kept": {}}': "without 'kept': what is known here is arm, keeps",
    '{"arm": 0, "keeps": {"mean": null}}': "full of what is a number or a list of numbers",
    '{"arm": 0, "keeps": {"means": [0.5, "1"]}}': "full of what is a number or a list of numbers",
    '{"number": []}': "a number or a list of numbers",
    '{"number": "1"}': "a number or a list of numbers",
    '{"draw": "laplace"}': "with 'scale' beside 'draw'",
    '{"draw": "laplace", "scale": 0}': "'scale' is a finite number > 0",
    '{"draw": "laplas", "scale": 1}': "did you mean laplace?",
    '{"draw": ["laplace"], "scale": 1}': "a draw that is one of",
    '{"draw": "geometric", "success": 1}': "> 0 and < 1",
    '{"draw": "uniform", "scale": 1}': "without 'scale'",
    '{"draw": "integer", "of": 3, "line": 0}': "'line' is an integer >= 1",
}


@pytest.mark.parametrize("line", [*RIGHT, *WRONG])
def test_lines_are_judged_as_the_schema_says(line):
    jsonschema.Draft202012Validator.check_schema(schema())
    wrong = wrong_with(line)
    assert jsonschema.Draft202012Validator(schema()).is_valid(json.loads(line)) == (not wrong)
    assert WRONG.get(line, "") in wrong


@pytest.mark.parametrize("line", ["{'arm': 0}", "arm 0", "", '{"number": NaN}', '{"number": [1, Infinity]}'])
def test_what_is_no_json_is_wrong(line):
    assert wrong_with(line)


@pytest.mark.parametrize(
    ("kind", "epsilon", "told"),
    [
        ("located", 2, "at speaker.py:24 in the program"),
        ("kept", 2, "the scale does not fit the budget"),
        ("scaled", 1, "the scale does not fit the budget"),
        ("raw", 1, "the actions show"),
        ("seeded", 9, "the actions show"),
        ("mechanism raw", 1, "occurred 500 and 0 times"),
        ("mechanism", 3, "violation"),
    ],
)
def test_broken_programs_are_found_and_can_be_seen_again(kind, epsilon, told):
    report = audit_program(speaker(kind, epsilon), ONE, seconds=10 if kind == "scaled" else 4, samples=500)
    assert report.verdict == "violation" and told in str(report)
    heard = []
    for lines in report.cases:
        command = [sys.executable, str(HERE / "speaker.py"), kind, str(epsilon)]
        run = subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
        assert len(run.stdout.splitlines()) == len(lines)
        heard.append(run.stdout)
    assert heard[0] != heard[1]


def test_a_sum_divided_by_its_largest_reward_is_sound_with_noise_for_four_of_them():
    report = audit_program(speaker("scaled", 0.25), ONE, seconds=2, samples=100)
    assert report.verdict != "violation", report


@pytest.mark.parametrize("kind", ["located", "added", "kept", "seeded", "system", "mixed", "mechanism"])
def test_sound_programs_are_not_accused(kind):
    report = audit_program(speaker(kind), ONE, seconds=2, samples=None if kind == "system" else 100)
    assert report.verdict != "violation" and report.cases == ((), ())
    if kind in ("located", "kept"):
        assert report.verdict == "not refuted" and "neighbours differ up to pull" in str(report)
    if kind == "system":
        assert "a process of its own" in str(report)
    if kind == "mixed":
        assert "could not be replayed" in str(report)


@pytest.mark.parametrize(("kind", "runs"), [("located", r"after \d+ runs|\d+ replays"), ("mechanism", r"in \d+ runs")])
def test_an_audit_ends_when_its_seconds_are_over_and_says_with_how_many_runs(kind, runs):
    clock = WallClock()
    report = audit_program(speaker(kind), ONE, seconds=2)
    assert clock.seconds() < 1.5 * 2 + 2 and re.search(runs, str(report)), report  # on a machine that others use, too
    assert report.verdict != "violation"


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("dies", "status 1 instead of answering .* no fractions please"),
        ("hangs", "did not answer .* within 0.5 seconds"),
        ("crashes late", "too many runs"),
        ("not anew", "has to begin anew"),
    ],
)
def test_what_stops_or_does_not_begin_anew_is_inconclusive(kind, told, monkeypatch):
    monkeypatch.setattr(programs, "PATIENCE", 0.5)
    report = audit_program(speaker(kind), ONE, seconds=2, samples=100)
    assert report.verdict == "inconclusive"
    assert re.search(told, str(report))


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (speaker("rubbish"), "line 4 of the program after a reset, in answer to .* must be one JSON object"),
        (speaker("far arm"), "an arm below 2"),
        (speaker("twice"), "silent until"),
        ("no-such-program-anywhere", "can be run"),
        ("'unbalanced", "a command"),
        ("", "a command"),
    ],
)
def test_what_is_not_in_the_protocol_is_named(command, told):
    with pytest.raises(InvalidInput, match=told):
        audit_program(command, ONE, seconds=2, samples=100)


def test_a_process_ends_with_its_program():
    with Program(speaker("seeded")) as program:
        program.reset(1, 0, lambda asked: 0.0)
        process = program._process
        assert process is not None and process.poll() is None
    assert process.poll() is not None


EXAMPLES = HERE.parents[2] / "examples" / "programs"


@pytest.mark.parametrize(
    ("needed", "command", "half"),
    [
        ("node", f"node {EXAMPLES / 'policy.js'}", f"node {EXAMPLES / 'policy.js'} 2"),
        ("sh", f"sh {EXAMPLES / 'sum.sh'}", f"sh {EXAMPLES / 'sum.sh'} 0.5"),
        ("cc", "./response", ""),
    ],
    ids=["node", "sh", "cc"],
)
def test_the_examples_are_right_and_their_siblings_broken(needed, command, half, tmp_path, monkeypatch):
    if shutil.which(needed) is None:
        pytest.skip(f"{needed} is not on this machine")
    if needed == "cc":
        monkeypatch.chdir(tmp_path)  # in which the command runs
        subprocess.run(["cc", "-o", "response", str(EXAMPLES / "response.c")], check=True)
    runs = 300 if needed == "node" else 1000
    sound = audit_program(command, Budget.pure(1.1), seconds=4, samples=runs)
    assert sound.verdict == "not refuted"
    if half:
        assert audit_program(half, Budget.pure(1.1), seconds=4, samples=runs).verdict == "violation"


def told(program, seeds, length=6):
    rewards = tuple(np.random.default_rng(0).integers(0, 5, length) / 4)
    return play(program, rewards, seeds, np.random.default_rng(1)).tolist()


def test_a_program_that_reads_ahead_is_told_many_runs_before_it_answers(monkeypatch):
    with Program(speaker("seeded")) as program:
        one_by_one = told(program, range(300))
        program.ahead = _reads_ahead(program)
        monkeypatch.setattr(Program, "tell", None)  # a line for an answer
        assert program.ahead and told(program, range(300)) == one_by_one


@pytest.mark.parametrize("kind", ["seeded in blocks", "located", "hangs"])
def test_one_that_does_not_is_told_line_by_line(kind):
    with Program(speaker(kind), 2) as program:
        expected = told(program, range(3), 2)
        program.ahead = True
        rewards = [0.25] * (2 if kind == "seeded in blocks" else 40)
        runs = [[json.dumps(program.opening(3, 0)), *(json.dumps({"reward": r}) for r in rewards)]]
        assert program.at_once(runs * 20, 0.5) is None and not program.ahead
        assert told(program, range(3), 2) == expected


def test_a_line_too_many_among_lines_that_are_told_at_once_is_seen_in_the_end():
    with Program(speaker("twice")) as program:
        program.ahead = True
        runs = [[json.dumps(program.opening(3, 0)), *[json.dumps({"reward": 0.25})] * 6]] * 5
        assert program.at_once(runs) is None or program.speaks() and not _answers_again(program, lambda: False)


def replays(program, ahead):
    """What is told and answered on neighbours, with the draws of one run."""
    stage, heard = Stage(Replayed(lambda: Run(program, 1))), []
    for seed, t in product(range(2), range(16)):
        program.ahead = ahead
        stage.play(tuple(float(k % 5 == 0 or k == t) for k in range(16)), seed, bare=True)
        heard.append((program.sent, program.heard))
    return heard


@pytest.mark.parametrize("kind", ["located", "kept", "skips zeros", "mixed"])
def test_what_is_told_ahead_is_answered_as_line_by_line_in_fewer_turns(kind, monkeypatch):
    turns, tell = [], Program._tell
    monkeypatch.setattr(Program, "_tell", lambda self, *lines: turns.append(self.ahead) or tell(self, *lines))
    with Program(speaker(kind)) as program, exchanged():
        assert replays(program, False) == replays(program, True)
    assert turns.count(True) < turns.count(False) / 2


def test_draws_that_are_made_ahead_follow_their_law_and_serve_once():
    generator, drawn = np.random.default_rng(1), []
    with Program(speaker("located")) as program:
        for k in range(60):
            program.ahead = k > 2
            play(program, (0.5,) * 12, [1], generator)
            drawn += [json.loads(line)["value"] - 2 for line in program.sent if "value" in line]
    assert len({*drawn}) == len(drawn) >= 60
    assert np.mean(np.abs(drawn)) == pytest.approx(1, abs=0.3) and np.mean(np.sign(drawn)) == pytest.approx(0, abs=0.3)


def test_draws_that_are_first_asked_for_in_a_later_run_are_answered():
    with Program(speaker("asks late")) as program:
        told(program, range(2))
        program.ahead = _reads_ahead(program)
        assert program.ahead
        assert np.shape(told(program, range(300), 40)) == (300, 41) and program.asks and not program.ahead
