"""Checks of the facts on stochastic convergence (Section 2.4 of the thesis) on laws whose tails are known exactly."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.theory.numeric import sqrt, to_ball
from banditproof.verify.domain import Domain

Sides = tuple[Any, str, Any]

SEQUENCES = "all: every convergent sequence"
SIZES = (4, 16, 64, 256, 1024, 4096)

# ------------------------------------------------------------------------------------------- continuous mapping (2.36)

FUNCTIONS: dict[str, Callable[[float], float]] = {
    "square": lambda x: x * x,
    "exponential": math.exp,
    "step": lambda x: float(x > 0),  # not continuous at 0
}


def distance_of_squares(n: int) -> float:
    """sup_t |P(X_n^2 <= t) - P(Z^2 <= t)| for the standardised Binomial(n, 1/2)."""
    masses = [math.comb(n, k) / 2**n for k in range(n // 2 + 1)]
    largest, below = 0.0, 0.0
    for k in range(n // 2, -1, -1):  # |X_n| = (n - 2k) / sqrt(n), rising
        limit = math.erf((n - 2 * k) / math.sqrt(2 * n))
        after = below + masses[k] * (1 if 2 * k == n else 2)
        largest, below = max(largest, abs(below - limit), abs(after - limit)), after
    return largest


def moved(function: str, n: int) -> float:
    """|g(1/n) - g(0)|: g(X_n) against g(X) for the point masses X_n = 1/n, X = 0."""
    return abs(FUNCTIONS[function](1 / n) - FUNCTIONS[function](0.0))


@claim("TH-T2.36/in-law", r"(a) $X_n\rightsquigarrow X$ implies $g(X_n)\rightsquigarrow g(X)$ for $g$ continuous on a "
       r"set that contains $X$ almost surely; here $g$ = <function>.",
       domain=Domain.of(sequence=SEQUENCES), constants={"function": "square"},
       mutations=[mutation("g not continuous at an atom of X", function="step")])  # fmt: skip
def mapped_in_law(check: Check) -> None:
    function = check.constants["function"]
    listed = check.domain.restrict(sequence="all: two examples, point masses and standardised binomials")
    series = [(n, moved(function, n)) for n in SIZES]
    check.trend("stays_below", series, "point masses at 1/n", listed, bound=0.02)
    if function == "square":
        squares = [(n, distance_of_squares(n)) for n in SIZES[:-1]]
        check.trend("stays_below", squares, "squares of standardised binomials", listed, bound=0.11)


@claim("TH-T2.36/in-probability", r"(b) $X_n\to^PX$ implies $g(X_n)\to^Pg(X)$ under the same condition; here $g$ = "
       r"<function>.", domain=Domain.of(sequence=SEQUENCES), constants={"function": "exponential"},
       mutations=[mutation("g not continuous at an atom of X", function="step")])  # fmt: skip
def mapped_in_probability(check: Check) -> None:
    # point masses: P(|g(X_n) - g(X)| > eta) = 0 as soon as the distance is below eta
    series = [(n, moved(check.constants["function"], n)) for n in SIZES]
    covers = check.domain.restrict(sequence="all: one example, 1/n")
    check.trend("stays_below", series, "point masses at 1/n", covers, bound=0.02)


parts_decide("TH-T2.36", "Continuous mappings preserve convergence in law and in probability.")

# ---------------------------------------------------------------------------------------------------- Prohorov (2.37)


def binomial_tail(n: int, reach: int, factor: Any) -> Sides:
    """P(|X_n| > reach) for the standardised Binomial(n, 1/2), exact, against factor / reach^2."""
    outside = sum(math.comb(n, k) for k in range(n + 1) if (2 * k - n) ** 2 > reach**2 * n)
    return Fraction(outside, 2**n), "<=", Fraction(factor) / reach**2


CONVERGENT = "all: every sequence that converges in law"


@claim("TH-T2.37/tight", r"(1) $X_n\rightsquigarrow X$ implies uniform tightness. Standardised binomials: "
       r"$\Pr(|X_n|>M)\le<factor>/M^2$ for every $n$ and $M$.",
       domain=Domain.of(sequence=CONVERGENT, n="integer [1, inf)", reach="integer [1, inf)"), constants={"factor": 1},
       mutations=[mutation("1/10", factor="1/10")])  # fmt: skip
def convergent_is_tight(check: Check) -> None:
    grid = {"n": range(1, check.pick(60, 300)), "reach": range(1, 9)}
    check.enumerate(binomial_tail, grid, covers=check.domain.restrict(sequence="all: one example, binomials"),
                    rational=True, routes=("exact tail", "Chebyshev's inequality"))  # fmt: skip


@claim("TH-T2.37/subsequence", r"(2) Uniform tightness implies a subsequence that converges in law: of "
       r"$X_n=(-1)^n(1+\frac1n)$ the one with $n=<step>j$.",
       domain=Domain.of(sequence="all: every tight sequence"), constants={"step": 2},
       mutations=[mutation("the whole sequence", step=1)])  # fmt: skip
def tight_has_a_limit(check: Check) -> None:
    step = int(check.constants["step"])

    def off(j: int) -> float:
        return max(abs((-1) ** n * (1 + 1 / n) - 1) for n in (step * j, step * (j + 1)))

    check.trend("stays_below", [(j, off(j)) for j in SIZES], "distance from 1 of two consecutive terms",
                check.domain.restrict(sequence="all: one example, (-1)^n (1 + 1/n)"), bound=0.01)  # fmt: skip


parts_decide("TH-T2.37", "Prohorov: convergence in law implies uniform tightness, and tightness a subsequence that "
                         "converges in law.")  # fmt: skip

# ----------------------------------------------------------------------------------------------- o_p and O_p (2.38)


@claim("TH-D2.38", r"$X_n=o_p(R_n)$ iff $X_n=Y_nR_n$ with $Y_n\to^P0$, and $O_p$ iff $Y_n$ is tight: for "
       r"$X_n\sim\mathcal N(0,\frac1n)$ and $R_n=n^{-<power>}$ the ratio vanishes.",
       domain=Domain.of(sequence=SEQUENCES), constants={"power": "1/4"},
       mutations=[mutation("the order itself, where it is only tight", power="1/2", gradual=False)])  # fmt: skip
def orders_in_probability(check: Check) -> None:
    power = float(check.constants["power"])
    series = [(n, math.erfc(0.5 * n ** (0.5 - power) / math.sqrt(2))) for n in SIZES]
    check.trend("stays_below", series, "probability that |X_n| exceeds half R_n",
                check.domain.restrict(sequence="all: one example, normal with variance 1/n"), bound=0.05)  # fmt: skip


# ------------------------------------------------------------------------------------------- stochastic Taylor (2.39)


def exceeds(n: int, level: float, at_zero: Any) -> float:
    """P(|R(X_n)| > level |X_n|^p) for R(h) = |h|^(p + 1/2), R(0) = at_zero; X_n is 0 or N(0, 1/n), half the time each.

    Away from 0 this is P(|X_n| > level^2), for every p.
    """
    return 0.5 * float(bool(at_zero)) + 0.5 * math.erfc(level**2 * math.sqrt(n / 2))


def exceeds_bounded(level: int, at_zero: Any) -> float:
    """sup_n P(|R(X_n)| > level |X_n|^p) for R(h) = |h|^p e^(h^2), R(0) = at_zero, X_n as above: at n = 1."""
    return 0.5 * float(bool(at_zero)) + 0.5 * math.erfc(math.sqrt(math.log(level) / 2))


NULL_AT_ZERO = {"constants": {"at_zero": 0}, "mutations": [mutation("R(0) = 1", at_zero=1)]}


@claim("TH-L2.39/little-o", r"(a) With $R(0)=<at_zero>$, $R(h)=o(\|h\|^p)$ and $X_n=o_p(1)$: "
       r"$R(X_n)=o_p(\|X_n\|^p)$.", domain=Domain.of(sequence=SEQUENCES), **NULL_AT_ZERO)  # fmt: skip
def little_o(check: Check) -> None:
    series = [(n, exceeds(n, 0.5, check.constants["at_zero"])) for n in SIZES]
    check.trend("stays_below", series, "probability that R(X_n) exceeds half |X_n|^p",
                check.domain.restrict(sequence="all: one example, 0 or normal"), bound=0.01)  # fmt: skip


@claim("TH-L2.39/big-o", r"(b) With $R(0)=<at_zero>$, $R(h)=O(\|h\|^p)$ and $X_n=o_p(1)$: $R(X_n)=O_p(\|X_n\|^p)$.",
       domain=Domain.of(sequence=SEQUENCES), **NULL_AT_ZERO)  # fmt: skip
def big_o(check: Check) -> None:
    series = [(level, exceeds_bounded(level, check.constants["at_zero"])) for level in (10, 10**2, 10**4, 10**6)]
    check.trend("stays_below", series, "largest probability that R(X_n) exceeds M |X_n|^p, in M",
                check.domain.restrict(sequence="all: one example, 0 or normal"), bound=0.002)  # fmt: skip


parts_decide("TH-L2.39", r"$R(h)=o(\|h\|^p)$ gives $R(X_n)=o_p(\|X_n\|^p)$ and $R(h)=O(\|h\|^p)$ gives "
                         r"$R(X_n)=O_p(\|X_n\|^p)$ for $X_n=o_p(1)$, $R(0)=0$.")  # fmt: skip

# -------------------------------------------------------------------------------------------- Lindeberg-Feller (2.40)


def distance_from_normal(n: int, array: str, factor: Any) -> Sides:
    """max_k |P(S_n <= s_k) - Phi(s_k)| for S_n the sum of n centred Bernoulli(p) divided by its deviation.

    "fair": p = 1/2, the summands are of size 1/sqrt(n). "rare": p = 1/n, where the single summand that is not small
    carries all the variance: Lindeberg's condition fails and the limit is a Poisson law.
    """
    p = Fraction(1, 2) if array == "fair" else Fraction(1, n + 1)
    deviation = sqrt(to_ball(n * p * (1 - p)))
    largest, below = to_ball(0), Fraction(0)
    for k in range(n + 1):
        below += math.comb(n, k) * p**k * (1 - p) ** (n - k)
        normal = (1 + (to_ball(k - n * p) / deviation / sqrt(to_ball(2))).erf()) / 2
        largest = largest.max(abs(to_ball(below) - normal))
    return largest, "<=", to_ball(factor) / sqrt(to_ball(n))


@claim("TH-T2.40", r"Lindeberg-Feller (conditions read with the index of summation): rows with Lindeberg's condition "
       r"and converging means and covariances have normal limits. Arrays of <array> Bernoulli variables: the largest "
       r"distance of distribution functions is at most $<factor>/\sqrt n$.",
       domain=Domain.of(n="integer [1, inf)", arrays="all: every array with the three conditions"),
       constants={"array": "fair", "factor": "1/2"},
       mutations=[mutation("without Lindeberg's condition", array="rare", factor="1/2"),
                  mutation("1/3", array="fair", factor="1/3")])  # fmt: skip
def central_limit(check: Check) -> None:
    points = [{"n": n, "arrays": "Bernoulli"} for n in check.pick((1, 4, 9, 25, 64, 144), (1, 4, 25, 144, 400, 900))]
    check.enumerate(distance_from_normal, points, covers=check.domain.restrict(arrays="all: one example, Bernoulli"),
                    routes=("exact binomial law", "normal distribution function"))  # fmt: skip
