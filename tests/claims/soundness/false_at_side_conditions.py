"""Statements at the side conditions of rules: infinities, domains of quantities, lost terms; each was proved once."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Annotated, Any

import mpmath
from flaws import HALF, INF, false, searched

from banditproof.claims.register import claim
from banditproof.claims.sets import AboveOne, Count, Positive, Probability, Real
from banditproof.claims.steps import enumerated, interval
from banditproof.theory import exp, log, sqrt, tv_bernoulli, where
from banditproof.theory.best_arm.thresholds import zeta
from banditproof.theory.laws.bernoulli_quotients import cumulant_over_square
from banditproof.theory.numbers.numeric import atan, log1p
from banditproof.theory.numbers.poisson_mass import poisson_mass
from banditproof.theory.numbers.special import binomial_tail, hurwitz_zeta
from banditproof.theory.numbers.term import derivative_at
from banditproof.verify.forms.geometric_sums import geometric_sum

TENTH = F(1, 10)
ODD, CELL = F(777, 1000), F(7777, 10007)
M = mpmath.mpf
SMALL = F(1, 10**100)
Near = Annotated[Any, "(1, 101/100]"]
OneTwo = Annotated[Any, [1, 2]]
ToTwo = Annotated[Any, "[0, 2]"]
Sym = Annotated[Any, "[-1, 1]"]


def none(**_: Any) -> Any:
    """A side has no value at the point."""
    raise ZeroDivisionError


def q(x: Any) -> Any:
    """A number of mpmath for exact lambdas."""
    return M(x.numerator) / x.denominator if isinstance(x, F) else M(x)


def budget(x: Any) -> Any:
    """A budget that is infinite up to 2."""
    return where(x, "<=", 2, INF, x)


# -------------------------------------------------------------------- infinite constants in terms: arithmetic in floats


@false(
    "both are x + 3/10", interval(boxes=100), at={"x": HALF}, exactly=lambda x: (x + 3 * (0 + TENTH), ">", x + F(3, 10))
)
def infinite_budget_in_a_sum(x: Probability):
    """x + 3 (1/eps + 1/10) > x + 3/10, eps = inf."""
    return x + 3 * (1 / budget(x) + TENTH), ">", x + F(3, 10)


@false("3/10 > 3/10", interval(boxes=100), at={"x": HALF}, exactly=lambda x: (0, ">=", x))
def infinite_budget_in_an_exponent(x: Probability):
    """1[3 (e^-eps + 1/10) > 3/10] >= x."""
    return where(3 * (exp(-budget(x)) + TENTH), ">", F(3, 10), 1, 0), ">=", x


@false("0 times infinity", interval(boxes=100), at={"x": HALF}, exactly=none)
def zero_of_an_infinite_budget(x: Probability):
    """1[0 eps > 1] <= x, eps = inf."""
    return where(budget(x) * 0, ">", 1, 1, 0), "<=", x


@false("inf - inf", enumerated(x=[1, 2]), at={"x": 1}, exactly=none)
def infinity_less_itself(x: OneTwo):
    """1[eps - eps <= 0] <= 0."""
    return where(budget(x) - budget(x), "<=", 0, 1, 0), "<=", 0


@false("3/10 > 3/10 at inf", enumerated(x=["1", "inf"], rational=True), at={"x": INF}, exactly=lambda x: (0, "==", 1))
def listed_infinity(x: Annotated[Any, [1, INF]]):
    """1[3 (e^-x + 1/10) > 3/10] = 1 for x in {1, inf}."""
    return where(3 * (exp(-x) + TENTH), ">", F(3, 10), 1, 0), "==", 1


BELOW_QUARTER_TURN = F(157079632679489660, 10**17)


@false(
    "pi/2 = 1.57079632679489661923...",
    enumerated(x=["inf"], rational=True),
    at={"x": INF},
    exactly=lambda x: (1 if mpmath.pi / 2 > q(BELOW_QUARTER_TURN) else 0, "<=", 0),
)
def quarter_turn(x: Annotated[Any, ["inf"]]):
    """1[atan(inf) > 1.5707963267948966] <= 0."""
    return where(atan(x), ">", BELOW_QUARTER_TURN, 1, 0), "<=", 0


@false(
    "2^-inf + 1/10 is 1/10", interval(boxes=100), at={"x": HALF}, exactly=lambda x: (x + F(3, 10), ">", x + F(3, 10))
)
def power_of_an_infinite_budget(x: Probability):
    """x + 3 (2^-eps + 1/10) > x + 3/10."""
    return x + 3 * (2 ** (-budget(x)) + TENTH), ">", x + F(3, 10)


@false(
    "equal",
    interval(boxes=100),
    enumerated(n=[1, 2, 3]),
    at={"n": 1},
    exactly=lambda n: (n * F(3, 10), "<", n * F(3, 10)),
)
def infinite_budget_of_counts(n: Annotated[Any, [1, 2, 3]]):
    """n 3/10 < (n + 0 x)(3 (1/eps + 1/10)) by a branch."""
    return where(n * F(3, 10), "<", n * (3 * (1 / where(n, "<=", 5, INF, n) + TENTH)), 0, 1), "<", HALF


@false(
    "3/10 > 3/10",
    enumerated(n=[1, 2, 3]),
    at={"n": 1},
    exactly=lambda n: (mpmath.sqrt(n) + M(3) / 10, ">", mpmath.sqrt(n) + M(3) / 10),
)
def count_over_an_infinite_constant(n: Annotated[Any, "integer [1, 3]"], eps="inf"):
    """sqrt n + 3 (n/eps + 1/10) > sqrt n + 3/10, eps = inf."""
    return sqrt(n) + 3 * (n / eps + TENTH), ">", sqrt(n) + F(3, 10)


@false("e^-inf = 0", enumerated(n=[1, 2, 3]), at={"n": 1}, exactly=lambda n: (0, "==", 1))
def exponential_of_an_infinite_constant(n: Annotated[Any, "integer [1, 3]"], eps="inf"):
    """1[3 (e^(-n eps) + 1/10) > 3/10] = 1, eps = inf."""
    return where(3 * (exp(-(n * eps)) + TENTH), ">", F(3, 10), 1, 0), "==", 1


@false("1^inf", enumerated(n=[1, 2, 3]), at={"n": 1}, exactly=none)
def one_to_an_infinite_constant(n: Annotated[Any, "integer [1, 3]"], eps="inf"):
    """1[(1/n)^(n eps) <= 1] <= ... through 1^inf at n = 1."""
    return where((F(1) / n) ** (n * eps), "<=", 1, n, n + 1), "<=", n


@false("3/10 > 3/10", enumerated(x=[HALF, 1], rational=True), at={"x": 1}, exactly=lambda x: (0, ">=", x))
def share_of_an_infinite_constant(x: Annotated[Any, [HALF, 1]], eps="inf"):
    """1[3 (x/eps + 1/10) > 3/10] >= x, in rationals."""
    return where(3 * (x / eps + TENTH), ">", F(3, 10), 1, 0), ">=", x


@false("3/10 < 3/10", interval(), at={"x": 0, "n": 1}, exactly=lambda x, n: (x + F(3, 10), ">", x + F(3, 10)))
def count_over_an_infinite_constant_in_boxes(x: Probability, n: Annotated[Any, [1]], eps="inf"):
    """x + 3 (n/eps + 1/10) > x + 3/10 at n = 1."""
    return x + 3 * (n / eps + TENTH), ">", x + F(3, 10)


@claim("TRUE-infinite-constant", enumerated(n=[1, 2, 3]))
def t0(n: Annotated[Any, "integer [1, 3]"], eps="inf"):
    """sqrt n + 3 (n/eps + 1/10) <= sqrt n + 31/100, eps = inf (n/inf = 0)."""
    return 3 * (n / eps + TENTH) + sqrt(n), "<=", F(3, 10) + sqrt(n) + F(1, 10**30)


# ------------------------------------------------------------------------------ what a constraint keeps from being zero


# ------------------------------------------------------------------------------------ a constraint that does not help


# -------------------------------------------------------------------------- ends of the domains of quantities, in balls


@false("log 1 = 0", searched, where=["y != 0"], at={"y": ODD}, exactly=lambda y: (mpmath.log(1) ** 2, ">", 0))
def hole_elsewhere(y: Positive):
    """(log(y/c))^2 > 0 where y != 0."""
    return log(y / ODD) ** 2, ">", 0


@false("inf is no probability", interval(), at={"x": CELL}, exactly=none)
def infinite_probability(x: Probability):
    """tv(p, 1/2) <= 1 + x with p = inf at one x, else 1/2."""
    return tv_bernoulli(where(x, "==", CELL, INF, HALF), HALF), "<=", 1 + x


# ------------------------------------------------------------------------------------- derivatives of what has no value


@false("log has no value there", interval(), at={"x": -1}, exactly=none)
def slope_of_a_logarithm(x: Annotated[Any, "[-2, -1]"]):
    """(log x)' <= 0 on [-2, -1]."""
    return derivative_at(log, x), "<=", 0


@false("log has no value there", searched, at={"x": -1}, exactly=none)
def slope_of_a_logarithm_in_symbols(x: Annotated[Any, "(-inf, -1]"]):
    """(log x)' <= 0 for x <= -1."""
    return derivative_at(log, x), "<=", 0


@false("log1p has no value there", interval(), at={"x": -2}, exactly=none)
def slope_of_log1p(x: Annotated[Any, "[-3, -2]"]):
    """(log(1 + x))' <= -1/2 on [-3, -2]."""
    return derivative_at(log1p, x), "<=", -HALF


@false("log y has no value", searched, interval(), at={"x": 0, "y": -1}, exactly=none)
def slope_beside_an_undefined_constant(x: Probability, y: Annotated[Any, "[-1, 0]"]):
    """(t^2/2 + log y)' + y <= x + 1."""
    return derivative_at(lambda t: t * t / 2 + log(y), x) + y, "<=", x + 1


@false("1/y has no value at 0", searched, at={"x": 0, "y": 0}, exactly=none)
def slope_beside_a_pole(x: Real, y: Sym):
    """(t^3 + 1/y)' + y^2 >= 0."""
    return derivative_at(lambda t: t**3 + 1 / y, x) + y * y, ">=", 0


@false("log(-1) has no second derivative", searched, at={"x": -1}, exactly=none)
def second_slope_of_a_logarithm(x: Annotated[Any, "(-inf, 0)"]):
    """(log x)'' <= 0 for x < 0."""
    return derivative_at(log, x, 2), "<=", 0


# -------------------------------------------------------------------------------------------- geometric sums on symbols


def gs(a: Any, n: int) -> Any:
    return sum(a**k for k in range(n))


@false(
    "a^(n - 1) = 1.01^99 > 2",
    searched,
    at={"alpha": F(101, 100), "n": 100},
    exactly=lambda alpha, n: (gs(alpha, n), "<=", gs(alpha, n - 1) + 2),
)
def geometric_sum_one_shorter(alpha: Near, n: Count):
    """S(alpha, n) <= S(alpha, n - 1) + 2: n against n - 1."""
    return geometric_sum(alpha, n), "<=", geometric_sum(alpha, n - 1) + 2


@false(
    "(a^m - 1)/(a - 1) is near -1/(a - 1)",
    searched,
    at={"alpha": 1 + F(1, 10**8), "m": -(10**10)},
    exactly=lambda alpha, m: ((q(alpha) ** m - 1) / (q(alpha) - 1) + 10**6, ">=", 0),
)
def geometric_sum_of_a_negative_number(alpha: AboveOne, m: Real):
    """S(alpha, m) >= -10^6 for real m."""
    return geometric_sum(alpha, m) + 10**6, ">=", 0


@false(
    "S(-19/10, 20) < -10^5",
    searched,
    at={"alpha": F(-19, 10), "n": 20},
    exactly=lambda alpha, n: (gs(alpha, n), ">=", -1000),
)
def geometric_sum_of_alternating_signs(alpha: Annotated[Any, "(-2, -1)"], n: Count):
    """S(alpha, n) >= -1000 for alpha in (-2, -1)."""
    return geometric_sum(alpha, n) + 1000, ">=", 0


@false(
    "S(7.777, 2) = 8.777 > 3 = S(2, 2)",
    searched,
    at={"alpha": F(7777, 1000), "beta": 2, "n": 2},
    exactly=lambda alpha, beta, n: (gs(alpha, n) - gs(beta, n), "<=", 0),
)
def geometric_sums_of_two_ratios(alpha: AboveOne, beta: AboveOne, n: Count):
    """1[alpha = 7.777] (S(alpha, n) - S(beta, n)) <= 0."""
    return where(alpha, "==", F(7777, 1000), geometric_sum(alpha, n) - geometric_sum(beta, n), 0), "<=", 0


# --------------------------------------------------------------------------------------- quantities beyond their domain


@false("no Bernoulli law of mean 2", interval(), at={"p": 2, "lam": -3}, exactly=none)
def cumulant_beyond_one(p: ToTwo, lam: Annotated[Any, "[-3, 3]"]):
    """log E e^(lam (X - p))/lam^2 <= 1/8 for p in [0, 2]."""
    return cumulant_over_square(p, lam), "<=", F(1, 8)


@false("the sum diverges", interval(), at={"s": HALF}, exactly=none)
def sum_that_diverges(s: Annotated[Any, "[1/2, 9/10]"]):
    """The sum of k^-s is at most 3 + s for s in [1/2, 9/10]."""
    return hurwitz_zeta(s, 1), "<=", 3 + s


@false("the sum diverges", interval(), at={"s": HALF}, exactly=none)
def zeta_that_diverges(s: Annotated[Any, "[1/2, 9/10]"]):
    """zeta(s) <= 3 + s for s in [1/2, 9/10]."""
    return zeta(s), "<=", 3 + s


@false("no chance of 2", interval(), at={"p": 2}, exactly=none)
def tail_of_no_chance(p: ToTwo):
    """P[Bin(3, p) >= 0] <= 101/100 for p in [0, 2]."""
    return binomial_tail(3, p, 0), "<=", F(101, 100)


@false("no mean of -1", interval(), at={"u": -1}, exactly=none)
def poisson_of_a_negative_mean(u: Sym):
    """P[Poisson(u) = 2] <= 5 + u for u in [-1, 1]."""
    return poisson_mass(2, u), "<=", 5 + u


# ---------------------------------------------------------------------------------------------------------- true claims


@claim("TRUE-infinite-budget", interval(boxes=100))
def t1(x: Probability):
    """x + 3 (1/eps + 1/10) <= x + 3/10, eps = inf: 1/inf = 0."""
    return x + 3 * (1 / budget(x) + TENTH), "<=", x + F(3, 10)


@claim("TRUE-infinite-budget-branch", enumerated(x=[1, 2]))
def t2(x: OneTwo):
    """1[3 (1/eps + 1/10) <= 3/10] = 1: both are 3/10."""
    return where(3 * (1 / budget(x) + TENTH), "<=", F(3, 10), 1, 0), "==", 1


@claim("TRUE-infinite-exponent", interval(boxes=100))
def t3(x: Probability):
    """1[3 (e^-eps + 1/10) > 3/10] <= x: e^-inf = 0, so it is 0."""
    return where(3 * (exp(-budget(x)) + TENTH), ">", F(3, 10), 1, 0), "<=", x


@claim("TRUE-quarter-turn", enumerated(x=["inf"], rational=True))
def t5(x: Annotated[Any, ["inf"]]):
    """atan(inf) = pi/2 > 1.5707963267948966."""
    return where(atan(x), ">", BELOW_QUARTER_TURN, 1, 0), "==", 1
