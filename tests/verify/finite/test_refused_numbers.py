"""Numbers that no answer can be given for are refused by name, before anything grows with them."""

import math
from fractions import Fraction

import pytest

from banditproof import verify
from banditproof.algorithms import AdaPUCB, NoiseSource
from banditproof.theory import InvalidInput

HALF = {0: Fraction(1, 2), 1: Fraction(1, 2)}
REFUSED = {
    "horizon": [lambda: verify.random_kernel(0, 10**9, 2), lambda: verify.random_kernel(0, math.nan, 2)],
    "histories": [lambda: verify.random_kernel(0, 10**6, 2)],
    "arms": [lambda: verify.random_kernel(0, 2, 10**9)],
    "records": [lambda: verify.random_channel(0, 10**400)],
    "datasets": [lambda: verify.random_channel(0, 10**6)],
    "outputs": [lambda: verify.random_channel(0, 2, outputs=1e300)],
    "ratio": [lambda: verify.randomised_response(math.inf), lambda: verify.randomised_response(-1)],
    "splits": [lambda: verify.zcdp_rho(HALF, HALF, -1)],
    "successes": [lambda: verify.binomial_interval(5e-324, 10, 0.1)],
    "trials": [lambda: verify.binomial_interval(0, 10**400, 0.1)],
    "quantile": [lambda: verify.quantile_interval([1, 2], 2, 0.1)],
    "sample": [lambda: verify.quantile_interval([], 0.5, 0.1)],
    "error": [lambda: verify.mean_interval([0.1], 1, math.nan), lambda: verify.quantile_interval([1], 0.5, 10)],
    "probability": [lambda: verify.event_test("an event", [True], "<=", math.nan)],
    "budget": [
        lambda: AdaPUCB(2, "pure", NoiseSource()),
        lambda: NoiseSource().laplace([1.0], sensitivity=1, budget=3, records=(0, 1)),
    ],
}


@pytest.mark.parametrize(("parameter", "call"), [(name, call) for name, calls in REFUSED.items() for call in calls])
def test_a_number_without_an_answer_is_refused_by_name(parameter, call):
    with pytest.raises(InvalidInput, match=parameter):
        call()
