"""Decision rules of trends: each follows on what it names, and contradicts on the opposite."""

import pytest

from banditproof.theory.errors import InvalidInput
from banditproof.verify.proof.trend import judge

INDEX = [10**k for k in range(1, 9)]


@pytest.mark.parametrize(
    ("rule", "value", "parameters", "verdict"),
    [
        ("vanishes", lambda n: 1 / n, {"tolerance": 1e-3}, "follows"),
        ("vanishes", lambda n: n**0.1, {"tolerance": 1e-3}, "contradicts"),
        ("vanishes", lambda n: 1 / (1 + len(str(n))), {"tolerance": 1e-3}, "unclear"),
        ("tends_to", lambda n: 2 - 1 / n, {"limit": 2, "tolerance": 1e-3}, "follows"),
        ("tends_to", lambda n: 2 - 1 / n, {"limit": 1, "tolerance": 1e-3}, "contradicts"),
        ("grows", lambda n: n**0.5, {"threshold": 100}, "follows"),
        ("grows", lambda n: 1 / n, {"threshold": 100}, "contradicts"),
        ("stays_below", lambda n: 1 - 1 / n, {"bound": 1}, "follows"),
        ("stays_below", lambda n: 1 + 1 / n, {"bound": 1}, "contradicts"),
    ],
)
def test_a_rule_gives(rule, value, parameters, verdict):
    assert judge(rule, [(n, value(n)) for n in INDEX], parameters) == verdict


def test_an_unknown_rule_or_a_short_series_is_refused():
    with pytest.raises(InvalidInput):
        judge("rises somehow", [(n, n) for n in INDEX], {})
    with pytest.raises(InvalidInput):
        judge("grows", [(1, 1)], {"threshold": 0})
