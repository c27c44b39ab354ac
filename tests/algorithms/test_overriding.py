"""A method that overrides nothing is told of where its name is nearly that of one which the library calls."""

import warnings

import numpy as np
import pytest

from banditproof.algorithms import EpisodicUCB
from banditproof.algorithms.contextual.policy import EveryRoundPolicy
from banditproof.algorithms.identification.sequential import FixedConfidence
from banditproof.algorithms.linear.elimination import GOPE
from banditproof.algorithms.overriding import overriding_nothing
from banditproof.algorithms.policy import Policy
from banditproof.theory import Budget
from banditproof.verify import check_privacy

MISNAMED = [
    (EpisodicUCB, "scores", "score"),
    (Policy, "observed", "observe"),
    (EveryRoundPolicy, "score", "scores"),
    (FixedConfidence, "choose_arm", "choose"),
    (GOPE, "estimates", "estimate"),
]


def method(self, *arguments):
    return np.zeros(1)


@pytest.mark.parametrize(("base", "written", "meant"), MISNAMED)
def test_a_method_that_overrides_nothing_is_told_of_at_its_class(base, written, meant):
    with pytest.warns(UserWarning) as told:
        type("Own", (base,), {written: method, "__module__": __name__})
    assert [str(one.message) for one in told] == [
        f"Own.{written} overrides nothing and is not called there: did you mean {meant}?"
    ]
    assert [one.filename for one in told] == [__file__]


def test_what_overrides_or_is_called_is_not_told_of():
    with warnings.catch_warnings():
        warnings.simplefilter("error")

        class Own(EpisodicUCB):
            def score(self, means, samples):
                return max((self.scores(one) for one in (means,)), key=len)

            def scores(self, means):
                return means

            def something_else(self):
                return 0

        assert not list(overriding_nothing(Own))


def test_a_check_of_privacy_says_so_where_none_of_its_code_was_played():
    with pytest.warns(UserWarning, match="did you mean score"):

        class Own(EpisodicUCB):
            kinds = ("zcdp",)

            def scores(self, means, samples):
                return means

    report = check_privacy(
        lambda noise, generator: Own(2, Budget.zcdp(0.5), noise, generator=generator), Budget.zcdp(0.5), seconds=1
    )
    assert "did you mean score?" in str(report) and "is written in Python" not in str(report)
