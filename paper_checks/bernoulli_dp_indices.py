"""The indices of Algorithm 1: BDP-EQ12, the DP-KLUCB index (12) and the DP-IMED index (13).

They are compared with the formula (8) for d_epsilon as printed, written out here a second time.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.theory.bernoulli import d_epsilon, d_epsilon_dual_objective, dp_klucb_index
from banditproof.theory.numeric import exp, log, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]
SLACK = "1e-25"

# ------------------------------------------------------------------------------------------------ the printed formulas


def printed_kl(p: Any, q: Any) -> Any:
    """p log(p/q) + (1-p) log((1-p)/(1-q)) in balls, term by term."""
    terms = ((p, q), (1 - p, 1 - q))
    return sum((a * log(a / b) for a, b in terms if not a == 0), to_ball(0))


def printed_divergence(x: Any, y: Any, epsilon: Any) -> Any:
    """d_epsilon as (8) prints it, in balls, for x <= y; at y = 1 its limit.

    Source: BDP-EQ8
    """
    if x == y:
        return to_ball(0)
    if y == 1:
        return epsilon * (1 - x)
    if not x == 0 and epsilon >= log(y / x) + log((1 - x) / (1 - y)):
        return printed_kl(x, y)
    z = y / (y + (1 - y) * exp(epsilon))
    return printed_kl(z, y) + epsilon * (z - x)


def clipped(x: Fraction) -> Fraction:
    """[x]_0^1, exactly."""
    return max(Fraction(0), min(x, Fraction(1)))


# --------------------------------------------------------------------------------------------------- DP-KLUCB, (12)

INDEX = Domain.of(x="[0, 1]", level="(0, inf)", epsilon="(0, inf)")
INDEX_GRID = {
    "x": ["0", "1/100", "1/2", "3/4", "99/100", "1"], "level": ["1/1000000", "1/50", "1/4", "1", "5"],
    "epsilon": ["1/1000", "1/4", "1", "10"],
}  # fmt: skip
INDEX_ROUTES = ("the index, in closed form or by a certified root", "d_epsilon as printed in (8), in balls")


def index_is_feasible(x: Any, level: Any, epsilon: Any, factor: Any) -> Sides:
    index = dp_klucb_index(x, factor * level, epsilon) - to_ball(SLACK)
    return printed_divergence(x, index if index > x else x, epsilon), "<=", level


def index_is_largest(x: Any, level: Any, epsilon: Any, factor: Any) -> Sides:
    above = dp_klucb_index(x, factor * level, epsilon) + to_ball(SLACK)
    return level, "<", to_ball("inf") if above >= 1 else printed_divergence(x, above, epsilon)


parts_decide(
    "BDP-EQ12",
    r"(12), (13): $\max\{\mu:d_\epsilon([\tilde\mu]_0^1,\mu)\le\log(t)/N\}$ exists in $[0,1]$, and "
    r"$I=N\,d_\epsilon([\tilde\mu]_0^1,[\tilde\mu^*]_0^1)+\log N$ is finite, for all clipped means, ends included",
    domain=INDEX,
)


@claim(
    "BDP-EQ12/feasible",
    r"the index $U(x,c)$ at level $<factor>\,c$ satisfies $d_\epsilon(x,U)\le c$",
    domain=INDEX,
    constants={"factor": 1},
    mutations=[mutation("level 3c, as earlier algorithms need", factor=3), mutation("level 1.01 c", factor="1.01")],
)
def klucb_index_is_feasible(check: Check) -> None:
    check.enumerate(index_is_feasible, INDEX_GRID, routes=INDEX_ROUTES)


@claim(
    "BDP-EQ12/largest",
    r"nothing in $(U,1]$ satisfies $d_\epsilon(x,\mu)\le c$, where $U$ is the index at level $<factor>\,c$",
    domain=INDEX,
    constants={"factor": 1},
    mutations=[mutation("level 0.99 c", factor="0.99")],
)
def klucb_index_is_largest(check: Check) -> None:
    """d_epsilon(x, .) is convex with minimum 0 at x, so what holds just above U holds everywhere above it."""
    check.enumerate(index_is_largest, INDEX_GRID, routes=INDEX_ROUTES)


def priced_mean(x: Any, level: Any, epsilon: Any, price: Any) -> Any:
    """Where the dual objective at lambda = -epsilon reaches the level (for price 1)."""
    return (1 - exp(-(price * level + epsilon * x))) / (1 - exp(-epsilon))


def dual_at_priced_mean(x: Any, level: Any, epsilon: Any, price: Any) -> Sides:
    return d_epsilon_dual_objective(-epsilon, x, priced_mean(x, level, epsilon, price)), "==", level


def dual_argument() -> SymbolicArgument:
    import sympy

    odds, share = sympy.Symbol("s", nonnegative=True), sympy.Symbol("q", positive=True)
    x, epsilon = odds / (1 + odds), sympy.Symbol("epsilon", positive=True)
    level = epsilon * share / ((1 + odds) * (1 + share))  # below epsilon (1 - x)
    return SymbolicArgument({"x": x, "level": level, "epsilon": epsilon}, sympy.Integer(0), "zero")


@claim(
    "BDP-EQ12/price-of-privacy",
    r"for $c<\epsilon(1-x)$ the index is at most $\frac{1-e^{-(<price>c+\epsilon x)}}{1-e^{-\epsilon}}<1$: there the "
    r"dual objective at $\lambda=-\epsilon$, an increasing lower bound of $d_\epsilon(x,\cdot)$, equals $c$",
    domain=INDEX.restrict(x="[0, 1)", where=["level < epsilon * (1 - x)"]),  # at x = 1 no level is that low
    constants={"price": 1},
    mutations=[mutation("1.01 c", price="1.01")],
    strongest="symbolic",
)
def index_is_bounded_by_its_price(check: Check) -> None:
    check.symbolic(dual_at_priced_mean, dual_argument, routes=("dual objective at -epsilon", "the level"))


def index_at_the_ends(x: Any, level: Any, epsilon: Any, slope: Any) -> Sides:
    closed = (1 - exp(-slope * level)) / (1 - exp(-epsilon)) if x == 0 and level < epsilon else to_ball(1)
    return abs(dp_klucb_index(x, level, epsilon) - closed), "<=", to_ball(SLACK)


@claim(
    "BDP-EQ12/edge-clipped-means",
    r"clipped means 0 and 1: $U(0,c)=\min\{1,\frac{1-e^{-<slope>c}}{1-e^{-\epsilon}}\}$ and $U(1,c)=1$",
    domain=INDEX.restrict(x=["0", "1"]),
    constants={"slope": 1},
    mutations=[mutation("exponent 1.1 c", slope="1.1")],
    role="edge",
)
def indices_of_clipped_means(check: Check) -> None:
    grid = INDEX_GRID | {"x": ["0", "1"], "level": ["1/1000000", "1/50", "2/5", "3/2", "5"]}
    routes = ("certified root", "d_epsilon(0, .) and d_epsilon(1, .), inverted by hand")
    check.enumerate(index_at_the_ends, grid, routes=routes)


def saturated_index(samples: int, x: Any, epsilon: Any, horizon: int, price: Any) -> Sides:
    index = dp_klucb_index(x, log(to_ball(horizon)) / samples, epsilon)
    affordable = samples * price * epsilon * (1 - x) <= log(to_ball(horizon))
    return int(index == 1), "==", int(affordable)


@claim(
    "BDP-EQ12/ties-at-one",
    r"all arms with $N\cdot<price>\epsilon(1-[\tilde\mu]_0^1)\le\log t$ tie at the largest index, 1 (up to $N=110$ for "
    r"$\epsilon=\frac14$, $[\tilde\mu]_0^1=\frac12$, $t=10^6$)",
    domain=Domain.of(samples="integer [1, inf)", x="[0, 1]", epsilon="(0, inf)", horizon="integer [2, inf)"),
    constants={"price": 1},
    mutations=[mutation("price 1.01 epsilon", price="1.01")],
    role="remark",
)
def indices_saturate(check: Check) -> None:
    grid = {"samples": range(1, 201), "x": ["0", "1/2"], "epsilon": ["1/4"], "horizon": [100, 10**6]}
    check.enumerate(saturated_index, grid, routes=("the index", "d_epsilon(x, 1) = epsilon (1 - x) against the level"))


# ------------------------------------------------------------------------------------------------------ DP-IMED, (13)


def imed_index(x: Any, best: Any, epsilon: Any, samples: int, weight: Any) -> Sides:
    index = samples * d_epsilon(x, best, epsilon) + weight * log(to_ball(samples))
    printed = samples * printed_divergence(x, best, epsilon) + log(to_ball(samples))
    return abs(index - printed), "<=", to_ball(SLACK)


@claim(
    "BDP-EQ12/imed-index",
    r"(13) is finite for all clipped means $x\le x^*$, ends included: the index with $<weight>\log N$ and the "
    r"definition of $d_\epsilon$ equals the one with (8) and its limits",
    domain=Domain.of(x="[0, 1]", best="[0, 1]", epsilon="(0, inf)", samples="integer [1, inf)", where=["x <= best"]),
    constants={"weight": 1},
    mutations=[mutation("weight 0.99 of log N", weight="0.99")],
)
def imed_index_is_finite(check: Check) -> None:
    ends = ["0", "1/100", "1/2", "3/4", "1"]
    points = [
        {"x": x, "best": best, "epsilon": epsilon, "samples": samples}
        for x, best in itertools.combinations_with_replacement(ends, 2)
        for epsilon, samples in itertools.product(INDEX_GRID["epsilon"], [1, 7, 10**6])
    ]
    check.enumerate(imed_index, points, routes=("d_epsilon from its definition", "d_epsilon as printed in (8)"))


def clipped_maximum(a: Fraction, b: Fraction, shift: Fraction) -> Sides:
    return clipped(max(a, b)), "==", max(clipped(a), clipped(b)) + shift


@claim(
    "BDP-EQ12/clip-of-the-best",
    r"the order of clipping and maximum in (13) plays no part: $[\max\{a,b\}]_0^1=\max\{[a]_0^1,[b]_0^1\}+<shift>$",
    domain=Domain.of(a="(-inf, inf)", b="(-inf, inf)"),
    constants={"shift": 0},
    mutations=[mutation("a shift", shift="1/100")],
    role="step",
)
def clipping_and_maximum_commute(check: Check) -> None:
    grid = ["-5", "-1/3", "0", "1/7", "1/2", "1", "4/3", "9"]
    over, routes = {"a": grid, "b": grid}, ("clipped maximum", "maximum of clipped means")
    check.enumerate(clipped_maximum, over, rational=True, routes=routes)
