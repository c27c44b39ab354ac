"""banditproof plan: the numbers of runs are those with which the tests of the project come out so."""

import json
from fractions import Fraction

import numpy as np
import pytest

from banditproof.verify.proof.statistics import chance, outcome, trials_needed
from tests.cases import lines, rows, texts
from tests.cli.calling import status

TEXTS = texts(__file__)

ERROR = Fraction(1, 1000)


def planned(capsys, *arguments):
    return status(arguments, ["plan"]), capsys.readouterr().out


@pytest.mark.parametrize(("operator", "actual"), [("<=", "0.3"), (">=", "0.1")])
def test_so_many_runs_reveal_a_violation_as_often_as_stated(operator, actual):
    stated, actual = Fraction(1, 5), Fraction(actual)
    count = trials_needed(stated, operator, ERROR, actual, 0.8)
    assert count is not None and chance(count, stated, operator, ERROR, actual) >= 0.8
    assert chance(count // 2, stated, operator, ERROR, actual) < 0.8
    drawn = np.random.default_rng(1).binomial(count, float(actual), 500)
    test = {"trials": count, "operator": operator, "probability": stated}
    seen = np.mean([outcome(test | {"successes": int(s)}, ERROR, 1) == "violated" for s in drawn])
    assert abs(seen - chance(count, stated, operator, ERROR, actual)) < 0.08


def test_fewer_runs_than_the_fewest_never_pass_and_so_many_do(capsys):
    command = ["--at-most", "0.05", "--actual", "0.01", "--error", "0.001", "--json"]
    least = json.loads(planned(capsys, *command)[1])["fewest runs that can pass"]
    test = {"successes": 0, "operator": "<=", "probability": Fraction(1, 20)}
    assert outcome(test | {"trials": least}, ERROR, 1) == "consistent"
    assert outcome(test | {"trials": least - 1}, ERROR, 1) == "inconclusive"


@pytest.mark.parametrize(("arguments", "code", "said"), rows(TEXTS["printed"], data=(1,)))
def test_what_is_printed(arguments, code, said, capsys):
    assert (found := planned(capsys, *arguments.split()))[0] == code and said in found[1]


@pytest.mark.parametrize("arguments", lines(TEXTS["bad numbers"]))
def test_bad_numbers_are_refused(arguments, capsys):
    assert planned(capsys, *arguments.split())[0] == 2


def test_tests_that_share_the_error_need_more_runs(capsys):
    command = "--at-most 0.05 --actual 0.08 --json"
    alone, shared = (
        json.loads(planned(capsys, *f"{command}{more}".split())[1])["runs"] for more in ("", " --tests 20")
    )
    assert shared > alone
