"""``banditproof identify``: errors and stopping times with intervals beside the lower bounds, and clear refusals."""

import json

import pytest

from banditproof.algorithms.identification.roster import STRATEGIES
from banditproof.cli import main


def status(arguments):
    with pytest.raises(SystemExit) as left:
        main(arguments)
    return left.value.code


RUN = "identify --algorithm dp-se --algorithm ttucb --means 0.9,0.2 --epsilon 2 --delta 0.1 --runs 50 --json".split()


def test_every_strategy_has_its_error_quantiles_and_bounds(capsys):
    assert status(RUN) == 0
    found = json.loads(capsys.readouterr().out)["algorithms"]
    for one in found.values():
        assert one["wrong"] == 0 and one["error_interval"][0] == 0 and one["not_stopped"] == 0
        for q in one["quantiles"]:
            assert q["interval"][0] <= q["value"] <= q["interval"][1]
    assert "private" in {bound["name"] for bound in found["dp-se"]["bounds"]}
    assert {bound["name"] for bound in found["ttucb"]["bounds"]} == {"kl", "kl-log"}


def test_runs_that_reach_the_cap_name_no_arm(capsys):
    assert status([*RUN[:-1], "--cap", "5"]) == 0
    assert "50 of 50 runs had not stopped at the cap" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--means", "0.5,0.5"], "unique best arm"),
        (["--means", "0.5"], "at least two arms"),
        (["--epsilon", "0"], "epsilon"),
        (["--delta", "1"], "delta"),
        (["--delta", "0"], "delta"),
        (["--runs", "0"], "runs"),
        (["--cap", "1.5"], "cap"),
        (["--algorithm", "ttubc"], "did you mean ttucb"),
        (["--option", "gamma=3"], "option"),
    ],
)
def test_bad_input_is_one_line(arguments, named, capsys):
    assert status([*RUN, *arguments]) == 2
    said = capsys.readouterr().err
    assert named in said and len(said.strip().splitlines()) == 1


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--means", "0.5,0.5,0.1"], "unique best arm"),
        (["--means", "0.5"], "at least two arms"),
        (["--epsilon", "0"], "epsilon"),
        (["--epsilon", "-1"], "epsilon"),
        (["--delta", "1"], "delta"),
        (["--delta", "-0.5"], "delta"),
    ],
)
def test_every_strategy_refuses_the_same(strategy, arguments, named, capsys):
    run = f"identify --algorithm {strategy} --means 0.9,0.2 --epsilon 2 --delta 0.1 --runs 5".split()
    assert status([*run, *arguments]) == 2
    said = capsys.readouterr().err
    assert named in said and len(said.strip().splitlines()) == 1
