r"""The factor kl(delta, 1 - delta) of lower bounds on the sample complexity, and its comparison with log(1/delta)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.theory.numeric import BALL, log, system, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]
DELTA = Domain.of(delta="(0, 1)")

# -------------------------------------------------------------------------------------- S2.2h: the factor of the bounds


def kl_of_risk(delta: Any) -> Any:
    """kl(delta, 1 - delta) = (1 - 2 delta) log((1 - delta)/delta)."""
    return (1 - 2 * delta) * log((1 - delta) / delta)


def excess_of_the_logarithm(delta: Any) -> Any:
    """log(1/delta) - kl(delta, 1 - delta) = -2 delta log(delta) - (1 - 2 delta) log(1 - delta), also near delta = 0."""
    return -2 * _x_log_x(delta) - (1 - 2 * delta) * log(1 - delta)


def _x_log_x(x: Any) -> Any:
    """x log x, decreasing from 0 as long as x <= 1/e."""
    if system(x) != BALL or x > 0 or not 3 * x.upper() < 1:
        return x * log(x)
    edge = x.upper()
    return (edge * log(edge)).union(to_ball(0))


def risk_above_logarithm(delta: Any, constant: Any) -> Sides:
    return excess_of_the_logarithm(delta), "<=", log(constant + 0 * delta)


def larger_than_one_half(constant: Any) -> SymbolicArgument:
    """kl >= 0 >= log(1/(c delta)) from delta = 1/2 on: with delta = (1 + s)/(2 + s), delta >= 1/2 >= 1/c."""
    import sympy

    s = sympy.Symbol("s", nonnegative=True)
    rest = sympy.log(1 + s / (s + 2)) + sympy.log(sympy.Rational(constant) / 2)
    return SymbolicArgument({"delta": (1 + s) / (2 + s)}, s / (s + 2) * sympy.log(1 + s) + rest, "nonnegative")


@claim(
    "TH-S2.2h/bound", r"$\mathrm{kl}(\delta,1-\delta)\ge\log\frac1{<constant>\,\delta}$ for all $\delta\in(0,1)$.",
    domain=DELTA, constants={"constant": "2.4"}, mutations=[mutation("2.38", constant="2.38")], strongest="interval",
)  # fmt: skip
def factor_bound(check: Check) -> None:
    routes = ("log(1/delta) - kl(delta, 1 - delta)", "log of the constant")
    if check.interval(risk_above_logarithm, check.domain.restrict(delta="(0, 1/2]"), routes=routes):
        check.symbolic(risk_above_logarithm, larger_than_one_half, check.domain.restrict(delta="[1/2, 1)"))


@claim(
    "TH-S2.2h/best-constant", r"The best constant is $2.38246\ldots$: $<constant>$ will do as well.", domain=DELTA,
    role="remark", constants={"constant": "2.38247"}, mutations=[mutation("2.38246", constant="2.38246")],
    strongest="interval",
)  # fmt: skip
def best_constant(check: Check) -> None:
    if check.search(risk_above_logarithm, [{"delta": Fraction(3233, 10_000)}]):
        return
    factor_bound(check)


def nonnegative_excess(delta: Any, zero: Any) -> Sides:
    return zero * delta, "<=", excess_of_the_logarithm(delta) / delta


@claim(
    "TH-S2.2h/equivalent",
    r"$\mathrm{kl}(\delta,1-\delta)\sim\log(1/\delta)$: for $\delta\le\frac12$, $\log\frac1\delta-"
    r"\log<constant>\le\mathrm{kl}(\delta,1-\delta)\le\log\frac1\delta$, and the ratio is at least $1-\log<constant>/"
    r"\log\frac1\delta\to1$ (here the left inequality; the right one is TH-S2.2h/at-most-the-logarithm).",
    domain=Domain.of(delta="(0, 1/2]"), constants={"constant": "2.4"}, mutations=[mutation("2.38", constant="2.38")],
    strongest="interval",
)  # fmt: skip
def equivalent_to_the_logarithm(check: Check) -> None:
    check.interval(risk_above_logarithm, routes=("log(1/delta) - kl(delta, 1 - delta)", "log of the constant"))


def at_most_the_logarithm(delta: Any, scale: Any) -> Sides:
    return kl_of_risk(delta), "<=", -scale * log(delta)


def two_entropies() -> SymbolicArgument:
    """With delta = 1/(2 + r): -2 delta log delta - (1 - 2 delta) log(1 - delta), both terms nonnegative."""
    import sympy

    r = sympy.Symbol("r", nonnegative=True)
    certificate = 2 * sympy.log(2 + r) / (2 + r) + r / (2 + r) * sympy.log(1 + 1 / (1 + r))
    return SymbolicArgument({"delta": 1 / (2 + r)}, certificate, "nonnegative")


@claim(
    "TH-S2.2h/at-most-the-logarithm",
    r"$\mathrm{kl}(\delta,1-\delta)\le<scale>\log\frac1\delta$ for $\delta\le\frac12$.",
    domain=Domain.of(delta="(0, 1/2]"), constants={"scale": 1}, mutations=[mutation("0.9", scale="0.9")],
    strongest="symbolic",
)  # fmt: skip
def below_the_logarithm(check: Check) -> None:
    if not check.search(at_most_the_logarithm, [{"delta": Fraction(1, 10**9)}]):
        check.symbolic(at_most_the_logarithm, two_entropies)


parts_decide(
    "TH-S2.2h",
    r"$\mathrm{kl}(\delta,1-\delta)\sim\log(1/\delta)$ as $\delta\to0$, and $\mathrm{kl}(\delta,1-\delta)\ge"
    r"\log\frac1{2.4\delta}$ for all $\delta\in(0,1)$.",
    domain=DELTA,
)
