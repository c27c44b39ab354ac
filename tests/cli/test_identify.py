"""``banditproof identify``: errors and stopping times with intervals beside the lower bounds, and clear refusals."""

import json
import re

import pytest

from banditproof.algorithms.registration import IdentificationSetting
from banditproof.algorithms.roster import algorithms
from banditproof.cli.best_arm import BETWEEN
from tests.cases import rows, texts
from tests.cli.calling import changed, status

TEXTS = texts(__file__)

RUN = "identify --algorithm dp-se --algorithm ttucb --means 0.9,0.2 --epsilon 2 --delta 0.1 --runs 50 --json".split()


def test_every_strategy_has_its_error_quantiles_and_bounds(capsys):
    assert status(RUN) == 0
    strategies = json.loads(capsys.readouterr().out)["algorithms"]
    for one in strategies.values():
        assert one["wrong"] == 0 and one["error_interval"][0] == 0 and one["not_stopped"] == 0
        for q in one["quantiles"]:
            assert q["interval"][0] <= q["value"] <= q["interval"][1]
    assert {"private", "d-epsilon"} <= {bound["name"] for bound in strategies["dp-se"]["bounds"]}
    assert {bound["name"] for bound in strategies["ttucb"]["bounds"]} == {"kl", "kl-log"}


def test_runs_that_reach_the_cap_name_no_arm(capsys):
    assert status([*RUN[:-1], "--cap", "5"]) == 0
    assert "50 of 50 runs did not stop before the cap" in capsys.readouterr().out


SWEEP = changed(RUN, "--epsilon", "0.05,0.1,5", "--workers", "1")


def test_several_budgets_are_a_sweep_and_each_point_is_what_it_is_alone(capsys):
    assert status(SWEEP) == 0
    points = json.loads(capsys.readouterr().out)["points"]
    assert [(one["algorithm"], one["epsilon"]) for one in points] == [
        *(("dp-se", at) for at in (0.05, 0.1, 5)),
        ("ttucb", None),
    ]
    assert status(changed(RUN, "--epsilon", "5")) == 0
    alone = json.loads(capsys.readouterr().out)["algorithms"]["dp-se"]
    assert {**alone, "algorithm": "dp-se", "epsilon": 5} == points[2]
    assert points[0]["mean"] > points[2]["mean"] > points[3]["mean"]


def test_a_sweep_is_drawn_with_the_lower_bound_and_the_regimes(capsys, tmp_path):
    assert status([*SWEEP, "--plot", str(tmp_path / "out.svg")]) == 0
    drawn = (tmp_path / "out.svg").read_text()
    assert all(text in drawn for text in ("dp-se", "ttucb", "lower bound", "high privacy"))
    black = re.findall(r'<path d="([^"]*)"[^>]*style="fill: none; stroke: #000000; stroke-linecap', drawn)
    assert max(path.count("L") for path in black) == BETWEEN - 1, "the knee lies between the budgets that were asked"
    assert status([*RUN, "--plot", str(tmp_path / "out.svg")]) == 2
    assert "plot must be used with several budgets" in capsys.readouterr().err


def test_an_option_goes_to_the_strategies_that_know_it(capsys):
    assert status([*SWEEP, "--option", "share=optimal"]) == 0
    assert status([*SWEEP, "--option", "gamma=3"]) == 2
    assert "option must be one of nothing for dp-se" in capsys.readouterr().err


@pytest.mark.parametrize(("arguments", "named"), rows(TEXTS["bad input"], data=(0,)))
def test_bad_input_is_one_line(arguments, named, capsys):
    assert status(changed(RUN, *arguments)) == 2
    said = capsys.readouterr().err
    assert named in said and len(said.strip().splitlines()) == 1


@pytest.mark.one_in(4)
@pytest.mark.parametrize("strategy", algorithms(IdentificationSetting))
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
    assert status(changed(run, *arguments)) == 2
    said = capsys.readouterr().err
    assert named in said and len(said.strip().splitlines()) == 1
