"""The second look at where a statement has a value: it is taken somewhere, whatever the domain."""

import pytest

from banditproof.theory import noisy_sum_tail
from banditproof.verify.proof.domain import Domain
from banditproof.verify.proof.special_points import undefined_somewhere
from banditproof.verify.proof.statement import stating


@pytest.mark.parametrize(
    "values", ["[0, 1]", "(0, 1)", "(1, 2)", "(0, 1/4)", "(5, inf)", "[-7, -6)", "integer [4, 9]", "integer (5, 7)"]
)
def test_a_division_by_zero_is_seen(values):
    divided = stating(lambda x: (x / (x - x), "<=", 1), Domain.of(x=values), {})
    assert "has no value" in undefined_somewhere(divided)


@pytest.mark.parametrize("values", ["[0, 1]", "(1, 2)", "(5, inf)", "integer (5, 7)"])
def test_what_fails_is_seen_and_what_holds_is_left_alone(values):
    domain = Domain.of(x=values)
    assert "fails" in undefined_somewhere(stating(lambda x: (x * x, "<=", -1), domain, {}))
    assert undefined_somewhere(stating(lambda x: (x * x, ">=", 0), domain, {})) is None


def test_what_is_not_computed_for_its_size_is_no_missing_value():
    """A point on the edge x = n mu has 170000000000 trials, and no tail of so many is computed."""
    counts, positive = "integer [1, inf)", "(0, inf)"
    domain = Domain.of(("x >= n * mu", "x <= n"), n=counts, m=counts, mu="(0, 1)", epsilon=positive, x="(-inf, inf)")
    tail = stating(lambda n, m, mu, epsilon, x: (noisy_sum_tail(n, m, mu, epsilon, x), "<=", 1), domain, {})
    assert undefined_somewhere(tail) is None
