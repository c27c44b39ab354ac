"""The fewest pulls of private strategies that stop, by a program: against what one can see, and above the bounds."""

from fractions import Fraction

import pytest

from banditproof.benchmarks.exact_stopping import Stopping, row


@pytest.mark.parametrize(
    ("ratio", "delta", "pulls"), [("inf", "0.3", "4/5"), ("2", "0.45", "3/5"), ("5", "0.4", "3/5")]
)
def test_where_one_pull_is_enough_it_is_answered_at_random(ratio, delta, pulls):
    """Right with 1/2 + g after one pull, and 1/2 without: (1/2 - delta) / g pulls; g is 1/4, 1/12, 1/6."""
    proved, optimum, sharp, printed = map(float, row(2, 2, ratio, delta)[4:8])
    assert proved == optimum == pytest.approx(float(Fraction(pulls)), abs=1e-4)
    assert printed <= sharp <= proved + 1e-4


def test_wrong_multipliers_prove_less():
    program = Stopping(2, 2, Fraction(2), Fraction("0.45"))
    value, shares, risks, privacy = program.solved()
    assert program.proved(shares, risks, privacy) == pytest.approx(value, abs=1e-9)
    for changed in ((shares, [2 * x for x in risks], privacy), (shares, risks, [x / 2 for x in privacy])):
        assert program.proved(*changed) < value
