"""Domains in words: short where a list of boxes is long."""

from fractions import Fraction

import pytest

from banditproof.claims.report.regions import REST, at_point, in_words, left_open
from banditproof.verify.proof.domain import Domain


@pytest.mark.parametrize(
    ("domain", "words"),
    [
        (
            Domain.of(T="integer [1, inf)", K="integer [1, inf)", policy="all: every policy"),
            "T, K = 1, 2, …; policy: every policy",
        ),
        (Domain.of(epsilon="(0, inf)", x="[0, inf)", y="(-inf, inf)", z="(-inf, 1)"), "ε > 0; x ≥ 0; y real; z < 1"),
        (Domain.of(x="[0, 1)", n="integer (3, 9]", m="integer [2, 3]"), "x ∈ [0, 1); n = 4, …, 9; m = 2, 3"),
        (Domain.of(x="[1, 1]", n="integer [4, 4]", rho=[1000]), "x = 1; n = 4; ρ = 1000"),
        (
            Domain.of(x=["1/2", 2], n=range(1, 20), k=[1, 2, 4, 8, 16, 32, 64]),
            "x ∈ {1/2, 2}; n = 1, …, 19; k ∈ {1, 2, 4, 8, 16, …, 64} (7 values)",
        ),
        (Domain.of(a="all: 3 listed cases", b="all: 3 listed cases"), "3 listed cases of a, b"),
        (
            Domain.of(mu_2_prime="[0, 1]", mu_1="[0, 1]", where=["2 * mu_2_prime <= mu_1"]),
            "μ'_2, μ_1 ∈ [0, 1]; 2·μ'_2 ≤ μ_1",
        ),
        (Domain.of(), "a statement without variables"),
    ],
)
def test_a_domain_is_said_in_words(domain, words):
    assert in_words(domain) == words


COUNTS = Domain.of(T="integer [1, inf)", K="integer [1, inf)", policy="all: every policy")
SQUARE = Domain.of(x="[0, 1]", y="[0, 1]")


@pytest.mark.parametrize(
    ("domain", "regions", "words"),
    [
        (COUNTS, [COUNTS.restrict(T=[1, 2], K=[1, 2, 3], policy="all: every policy")], REST),
        (COUNTS, [COUNTS.restrict(T=[1, 2, 3])], "open: T = 4, 5, …"),
        (COUNTS, [COUNTS.restrict(T=[2])], "open: T = 1 or T = 3, 4, …"),
        (COUNTS, [COUNTS.restrict(policy="all: 30 listed cases")], REST),
        (SQUARE, [SQUARE.restrict(x="(0, 1]")], "open: x = 0"),
        (SQUARE, [SQUARE.restrict(x="[0, 1/3]"), SQUARE.restrict(y="[0, 1/2)")], "open: x ∈ (1/3, 1], y ∈ [1/2, 1]"),
        (SQUARE, [SQUARE.restrict(where=["x < y"]), SQUARE.restrict(where=["x > y"])], "open: x = y"),
        (SQUARE, [SQUARE.restrict(where=["x <= y"])], "open: x ∈ (0, 1], y ∈ [0, 1), x > y"),
        (SQUARE, [], REST),
        (SQUARE, [Domain.of(x="[0, 1]")], REST),
        (
            SQUARE,
            [SQUARE.restrict(x=[Fraction(k, 40) for k in range(41)], y=[Fraction(k, 40) for k in range(41)])],
            REST,
        ),
    ],
)
def test_what_is_open_is_a_box_around_it_or_the_rest(domain, regions, words):
    assert left_open(domain, regions) == words


def test_a_point_is_told_without_the_forms_of_the_code():
    point = {"policy": ["courier", Fraction(1, 10), Fraction(1, 10**8)], "epsilon": 1, "mu_2_prime": Fraction(1, 2)}
    assert at_point(point) == "policy = [courier, 1/10, 10^-8], ε = 1, μ'_2 = 1/2"
    assert at_point({"rows": [[Fraction(k)] for k in range(40)]}).endswith("[9], [10], [11], … (40 in all)]")
