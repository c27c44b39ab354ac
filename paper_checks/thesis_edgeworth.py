"""Checks of the Edgeworth expansion (Theorem 2.41 of the thesis): polynomials, printed example, conditions, limits."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation
from banditproof.theory.numeric import exp, log, sqrt, to_ball, working_precision
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]

# -------------------------------------------------------------------------------------- Hermite polynomials and (2.31)


def hermite(m: int, x: Any, base: int = 2) -> Any:
    """m! sum_k (-1)^k x^(m - 2k) / (k! (m - 2k)! 2^k), the printed second form."""

    def term(k: int) -> Any:
        weight = Fraction(math.factorial(m) * (-1) ** k, math.factorial(k) * math.factorial(m - 2 * k))
        return _times(weight / Fraction(base) ** k, x ** (m - 2 * k))

    return sum((term(k) for k in range(1, m // 2 + 1)), term(0))


def _times(number: Fraction, value: Any) -> Any:
    """A rational times a number or a SymPy expression."""
    return number.numerator * value / number.denominator


def by_derivatives(m: int, x: Fraction) -> Fraction:
    """(-1)^m e^(x^2/2) d^m/dx^m e^(-x^2/2) = (-1)^m m! [h^m] e^(-xh - h^2/2), by the series of the exponential."""
    series = [Fraction(1)]
    for k in range(m):  # (k + 1) c_{k+1} = -x c_k - c_{k-1}
        series.append((-x * series[k] - (series[k - 1] if k else 0)) / (k + 1))
    return (-1) ** m * math.factorial(m) * series[m]


def two_forms(m: int, x: Any, base: Any) -> Sides:
    return by_derivatives(m, Fraction(x)), "==", hermite(m, Fraction(x), base)


@claim("TH-T2.41/hermite",
       r"$(-1)^me^{x^2/2}\frac{d^m}{dx^m}e^{-x^2/2}=m!\sum_k\frac{(-1)^kx^{m-2k}}{k!(m-2k)!<base>^k}$.",
       domain=Domain.of(m="integer [0, inf)", x="(-inf, inf)"), constants={"base": 2},
       mutations=[mutation("3^k", base=3)])  # fmt: skip
def hermite_polynomials(check: Check) -> None:
    # polynomials of degree at most 12 that agree at 13 points are equal
    grid = {"m": range(13), "x": [Fraction(n, 3) for n in range(-6, 7)]}
    check.enumerate(two_forms, grid, rational=True, routes=("derivatives by a series", "printed sum"))


def partitions(order: int) -> Iterator[tuple[int, ...]]:
    """All (k_1, ..., k_order) with k_1 + 2 k_2 + ... = order."""

    def below(part: int, left: int) -> Iterator[tuple[int, ...]]:
        if part == 0:
            yield from [()] if left == 0 else []
            return
        for count in range(left // part + 1):
            yield from ((*rest, count) for rest in below(part - 1, left - part * count))

    return below(order, order)


def polynomial_part(order: int, x: Any, normalised: dict[int, Any]) -> Any:
    """q_order / phi by (2.31), with lambda_j = gamma_j / sigma^j."""
    total: Any = 0
    for counts in partitions(order):
        product: Any = 1
        for m, count in enumerate(counts, start=1):
            weight = Fraction(1, math.factorial(count) * math.factorial(m + 2) ** count)
            product = _times(weight, product * normalised[m + 2] ** count)
        total = total + product * hermite(order + 2 * sum(counts), x)
    return total


def first_term(x: Any, skew: Any, divisor: Any) -> Sides:
    return polynomial_part(1, x, {3: skew}), "==", skew * (x**3 - 3 * x) / divisor


def second_term(x: Any, skew: Any, kurtosis: Any, divisor: Any) -> Sides:
    sixth, fourth = x**6 - 15 * x**4 + 45 * x**2 - 15, x**4 - 6 * x**2 + 3
    return polynomial_part(2, x, {3: skew, 4: kurtosis}), "==", skew**2 * sixth / divisor + kurtosis * fourth / 24


def first_variables() -> SymbolicArgument:
    import sympy

    return SymbolicArgument({n: sympy.Symbol(n, real=True) for n in ("x", "skew")}, 0, "zero")


def second_variables() -> SymbolicArgument:
    import sympy

    return SymbolicArgument({n: sympy.Symbol(n, real=True) for n in ("x", "skew", "kurtosis")}, 0, "zero")


FIRST = r"The example for $k=4$: $q_1(x)=\frac{\lambda_3}{<divisor>\sqrt{2\pi}}e^{-x^2/2}(x^3-3x)$, by (2.31)."
REALS = {"x": "(-inf, inf)", "skew": "(-inf, inf)"}
ONES = {"x": Fraction(1), "skew": Fraction(1)}


@claim("TH-T2.41/q1", FIRST.replace("<divisor>", ""), domain=Domain.of(**REALS), role="implication",
       constants={"divisor": 1}, strongest="symbolic")  # fmt: skip
def printed_first_term(check: Check) -> None:
    # (2.31) with nu = 1, k_1 = 1, s = 1: H_3 times gamma_3 / (3! sigma^3)
    check.counterexample(first_term, ONES, rational=True)


@claim("TH-T2.41/q1-with-factorial", FIRST, domain=Domain.of(**REALS), role="repair", repairs="TH-T2.41/q1",
       constants={"divisor": 6}, mutations=[mutation("5", divisor=5)], strongest="symbolic")  # fmt: skip
def first_term_with_factorial(check: Check) -> None:
    if not check.search(first_term, [ONES], rational=True):
        check.symbolic(first_term, first_variables, points=8, routes=("sum (2.31)", "closed form"))


@claim("TH-T2.41/q2", r"The example for $k=4$: $q_2=\varphi(x)\bigl(\frac{\lambda_3^2}{<divisor>}(x^6-15x^4+45x^2-15)+"
       r"\frac{\lambda_4}{24}(x^4-6x^2+3)\bigr)$, by (2.31).",
       domain=Domain.of(**REALS, kurtosis="(-inf, inf)"), role="implication", constants={"divisor": 72},
       mutations=[mutation("71", divisor=71)], strongest="symbolic")  # fmt: skip
def printed_second_term(check: Check) -> None:
    if not check.search(second_term, [ONES | {"kurtosis": Fraction(1)}], rational=True):
        check.symbolic(second_term, second_variables, points=8, routes=("sum (2.31)", "closed form"))


# ------------------------------------------------------------------------------------ a density that stays unbounded

PEAKED = "1/(2|x| log^2|x|): the error is infinite for every n"


def density_near_zero(n: int, depth: int) -> Any:
    """A lower bound of f^(*n)(y) at y = e^-depth for the density f above on |x| < 1/e, as a ball (depth > 3).

    f has mean 0, all moments, and P(|X| <= s) = 1/log(1/s). For n > 1, f^(*n)(y) = E f(y - S_{n-1}) is at least
    P(|S_{n-1}| <= y/2) f(3y/2), f being decreasing on (0, e^-2), and |S_{n-1}| <= y/2 if every summand is at most
    y / (2 (n - 1)).
    """
    inverse, depth_ball = exp(to_ball(depth)), to_ball(depth)
    if n == 1:
        return inverse / (2 * depth_ball**2)
    peak = inverse / (3 * (depth_ball - log(to_ball(Fraction(3, 2)))) ** 2)
    return peak / (depth_ball + log(to_ball(2 * (n - 1)))) ** (n - 1)


def error_near_zero(n: int, depth: int) -> Any:
    """A lower bound of sup_x |d_n - phi - q_1 / sqrt(n)| for the symmetric law above (q_1 = 0, phi <= 2/5).

    d_n(x) = sigma sqrt(n) f^(*n)(sigma sqrt(n) x), taken at x = e^-depth / (sigma sqrt(n)), and
    sigma^2 >= (e^-2 - e^-4) / 8 > 1/100.

    For fixed n it grows without limit with the depth, so that the error is infinite for every n, from some n on as
    well: with depth = 4 m (n + 2)^2 the peak of the density, sqrt(n) / 10 times the bound of `density_near_zero`, is
    at least sqrt(n) e^depth / (30 (2 depth)^(n+1)), since depth + log(2 (n-1)) <= 2 depth. As log z <= (2/e) sqrt(z),
    (n+1) log(2 depth) <= (2/e) sqrt(2 depth) (n+1) <= 0.53 depth, and log(30) <= 0.1 depth as depth >= 36. So the
    peak is at least e^(depth/4) + 2/5 for all n, m >= 1. The bound holds as well at all points between 0 and this
    one, each with a depth of its own: no change of the density on a null set removes the peak.
    """
    return sqrt(to_ball(n)) / 10 * density_near_zero(n, depth) - to_ball(Fraction(2, 5))


def depth_for(n: int, m: int) -> int:
    return 4 * m * (n + 2) ** 2


def finite_from_some_size_on(law: str, k: int, sizes: Any, heights: Any) -> Sides:
    """How many pairs of n and h have an error certainly above 10^h: not all, if the error is finite from some n on and
    the lists go on for ever (`error_near_zero` says why they may)."""
    if law != PEAKED:
        raise ValueError("no lower bound is known for this law")
    above = 0
    for n in sizes:
        for h in heights:
            m = 1 + 10 * h // (4 * (n + 2) ** 2)  # depth / 4 >= h log(10)
            above += bool(error_near_zero(n, depth_for(n, m)) > to_ball(10) ** h)
    return above, "<", len(sizes) * len(heights)


EVERY_LAW = "all: every law with a density, mean 0 and a finite k-th absolute moment"
LAWS = Domain.of(law=EVERY_LAW, k="integer [3, inf)", sizes="all: every list of numbers of variables",
                 heights="all: every list of heights")  # fmt: skip
EXPANSION = (r"$d_n(x)=\varphi(x)+\sum_{\nu=1}^{k-2}q_\nu(x)n^{-\nu/2}+o(n^{-(k-2)/2})$ uniformly in $x$, with $q_\nu$ "
             r"of (2.31), ")  # fmt: skip
SIZES = [1, 2, 3, 10, 100, 1000, 10**4, 10**6]


@claim("TH-T2.41", EXPANSION + r"for i.i.d. variables with a density and a finite $k$-th absolute moment. (Then the "
       r"largest error is finite from some $n$ on; for the density $\frac1{2|x|\log^2|x|}$ on $|x|<\frac1e$ the error "
       r"is infinite for every $n$.)", domain=LAWS, strongest="certificate")  # fmt: skip
def expansion_as_printed(check: Check) -> None:
    """The density 1/(2 |x| log^2 |x|) on |x| < 1/e has all moments, and so high a peak at 0 that none of its
    convolutions is bounded: the largest error is infinite for every n (TH-T2.41/every-n). The cited theorem asks that
    the density of some sum be bounded.
    """
    heights = [0, 1, 10, 100, 1000, 10**6]
    check.counterexample(finite_from_some_size_on, {"law": PEAKED, "k": 3, "sizes": SIZES, "heights": heights})


def error_for_every_n(n: int, m: int, share: Any) -> Sides:
    """In logarithms."""
    depth = depth_for(n, m)
    return log(error_near_zero(n, depth)), ">", to_ball(share) * depth


@claim("TH-T2.41/every-n", r"For the density $\frac1{2|x|\log^2|x|}$ on $|x|<\frac1e$ the error at "
       r"$e^{-D}/(\sigma\sqrt n)$, $D=4m(n+2)^2$, exceeds $e^{<share>\,D}$, for every $n$ and every $m$: the error is "
       r"infinite for every $n$.",
       domain=Domain.of(n="integer [1, inf)", m="integer [1, inf)"), role="remark", constants={"share": "1/4"},
       mutations=[mutation("a density as high as 1/y", share=1)])  # fmt: skip
def error_stays(check: Check) -> None:
    grid = {"n": [*range(1, check.pick(61, 400)), *SIZES[4:]], "m": [1, 2, 10, 10**3, 10**6, 10**12]}
    check.enumerate(error_for_every_n, grid, routes=("peak of the convolution", "growth with the depth"))


# ---------------------------------------------------------------------------------------------- sums of Gamma variables


def second_order_error(n: int, x: Fraction, divisor: Any) -> float:
    """n (d_n(x) - phi(x) - q_1(x) / sqrt(n)) for sums of n exponential variables, by the Gamma density."""
    with working_precision(256):
        size, point = to_ball(n), to_ball(x)
        root = sqrt(size)
        place = size + root * point
        density = root * exp((size - 1) * log(place) - place - size.lgamma())
        normal = exp(-point * point / 2) / sqrt(2 * to_ball(1).pi())
        first = to_ball(2) * (point**3 - 3 * point) / to_ball(divisor)
        return float((size * (density - normal - normal * first / root)).mid())


def limit_of_second_order(x: Fraction) -> float:
    """q_2 by (2.31) with lambda_3 = 2, lambda_4 = 6."""
    value = float(polynomial_part(2, x, {3: Fraction(2), 4: Fraction(6)}))
    return value * math.exp(-(float(x) ** 2) / 2) / math.sqrt(2 * math.pi)


@claim("TH-T2.41/bounded-density", EXPANSION + r"if moreover the density of some sum of the variables is bounded. For "
       r"exponential variables $n(d_n-\varphi-q_1n^{-1/2})\to q_2$, with $q_1=\varphi\lambda_3H_3/<divisor>$.",
       domain=Domain.of(law=f"{EVERY_LAW}, and a sum of bounded density", n="integer [1, inf)", k="integer [3, inf)"),
       role="repair", repairs="TH-T2.41", constants={"divisor": 6},
       mutations=[mutation("5", divisor=5, gradual=False)])  # fmt: skip
def expansion_of_gamma_sums(check: Check) -> None:
    sizes = [10**e for e in range(2, check.pick(9, 11))]
    for x in (Fraction(-1), Fraction(1, 2), Fraction(3)):
        series = [(n, second_order_error(n, x, check.constants["divisor"])) for n in sizes]
        check.trend("tends_to", series, f"sums of exponential variables at x = {x}",
                    check.domain.restrict(law="all: the exponential law", n=sizes, k=[4]),
                    limit=limit_of_second_order(x), tolerance=0.01)  # fmt: skip
