"""Appendix H of the Bernoulli paper, H.5: the Laplace mechanism, and the density ratio on which its privacy rests."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.theory.numeric import absolute
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

# One coordinate in units of the sensitivity: the output lies y from one value of f and y - d from the other.
SHIFT = Domain.of(y="(-inf, inf)", d="[-1, 1]")


def laplace_log_ratio(y: Any, d: Any, factor: int) -> tuple[Any, str, Any]:
    """The log-ratio of two Laplace densities whose centres are d apart, in units of epsilon."""
    return absolute(y - d) - absolute(y), "<=", factor


def far_right(factor: Any) -> SymbolicArgument:
    a, p, q = _symbols()
    d = (p - q) / (p + q)  # reaches (-1, 1)
    return SymbolicArgument({"y": 2 + a, "d": d}, 2 * p / (p + q) + factor - 1, "nonnegative")


def far_left(factor: Any) -> SymbolicArgument:
    a, p, q = _symbols()
    return SymbolicArgument({"y": -2 - a, "d": (p - q) / (p + q)}, 2 * q / (p + q) + factor - 1, "nonnegative")


def _symbols() -> Any:
    import sympy

    return sympy.Symbol("a", nonnegative=True), sympy.Symbol("p", positive=True), sympy.Symbol("q", positive=True)


def _end(sign: int, factor: Any, beyond: int) -> SymbolicArgument:
    import sympy

    a = sympy.Symbol("a", nonnegative=True)
    y = 2 + a if beyond > 0 else -2 - a
    return SymbolicArgument(
        {"y": y, "d": sympy.Integer(sign)}, factor - absolute(y - sign) + absolute(y), "nonnegative"
    )


def right_plus(factor: Any) -> SymbolicArgument:
    return _end(1, factor, 1)


def right_minus(factor: Any) -> SymbolicArgument:
    return _end(-1, factor, 1)


def left_plus(factor: Any) -> SymbolicArgument:
    return _end(1, factor, -1)


def left_minus(factor: Any) -> SymbolicArgument:
    return _end(-1, factor, -1)


def prove_laplace_ratio(check: Check, domain: Domain) -> None:
    """|y - d| - |y| <= 1 for all y and |d| <= 1: piecewise linear in the middle, explicit beyond |y| = 2."""
    proved = check.interval(
        laplace_log_ratio, domain.restrict(y="[-2, 2]"), routes=("log-ratio of the densities", "budget")
    )
    if not proved:
        return
    for y, generic, plus, minus in (
        ("[2, inf)", far_right, right_plus, right_minus),
        ("(-inf, -2]", far_left, left_plus, left_minus),
    ):
        check.symbolic(laplace_log_ratio, generic, domain.restrict(y=y, d="(-1, 1)"))
        check.symbolic(laplace_log_ratio, plus, domain.restrict(y=y, d=[1]))
        check.symbolic(laplace_log_ratio, minus, domain.restrict(y=y, d=[-1]))


parts_decide(
    "BDP-TH.5",
    r"The Laplace mechanism $f + (Y_1,\dots,Y_k)$ with $Y_i\sim\mathrm{Lap}(s_1(f)/\epsilon)$ is "
    r"$\epsilon$-DP.",
    twins=["TH-T2.13", "ADV-D7"],
)


@claim(
    "BDP-TH.5/one-coordinate",
    r"In one coordinate, with $d$ the change of $f$ in units of the sensitivity, $|y-d|-|y| \le "
    r"<factor>$: the log-ratio of the densities is at most $\epsilon$.",
    domain=SHIFT,
    constants={"factor": 1},
    mutations=[mutation("factor 0.9", factor="0.9")],
    strongest="interval",
)
def laplace_mechanism(check: Check) -> None:
    """The log-ratio of the two densities at every output."""
    prove_laplace_ratio(check, check.domain)


def summed_log_ratio(output: Any, change: Any, factor: int) -> tuple[Any, str, Any]:
    """The log-ratio of k coordinates in units of epsilon / sensitivity against the l1 norm of the change."""
    return (
        sum(abs(Fraction(y) - Fraction(d)) - abs(Fraction(y)) for y, d in zip(output, change, strict=True)),
        "<=",
        (factor * sum(abs(Fraction(d)) for d in change)),
    )


@claim(
    "BDP-TH.5/several-coordinates",
    r"Over $k$ coordinates the log-ratio is at most $<factor>\,\epsilon\,\|f(D)-f(D')\|_1/s_1(f)$.",
    domain=Domain.of(output="all: every output", change="all: every change"),
    constants={"factor": 1},
    mutations=[mutation("factor 0.9", factor="0.9")],
    strongest="enumeration",
)
def laplace_mechanismin_several_coordinates(check: Check) -> None:
    """Rational outputs and changes in two and three coordinates."""
    values = ["-2", "-1/2", "0", "1/3", "3"]
    points = [
        {"output": list(y), "change": list(d)}
        for k in (2, 3)
        for y in product(values, repeat=k)
        for d in product(["-1", "0", "1/2"], repeat=k)
    ]
    check.enumerate(summed_log_ratio, points, rational=True, routes=("sum over coordinates", "l1 norm"))
