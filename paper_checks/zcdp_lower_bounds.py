r"""Theorem 17 of the zCDP paper, the minimax bound for finite arms, and its two regimes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks import thesis_minimax_regimes, thesis_zcdp_minimax
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.thesis_two_environments import SIZES
from banditproof.paper_checks.twins import restate
from banditproof.paper_checks.two_environments import positive, root
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]
RESTATED = (thesis_minimax_regimes, thesis_zcdp_minimax)  # the modules whose claims are restated here

# ----------------------------------------------------------------------------------------------------------- Theorem 17

restate("ZCDP-T17", "TH-T4.20")
for step in ("variance", "square", "gap", "gap-last-link", "constant"):
    restate(f"ZCDP-T17/step-{step}", f"TH-T4.20/step-{step}")
restate("ZCDP-T17/step-best-gap", "TH-T4.20/step-best-gap")
restate("ZCDP-T17/best-gap", "TH-T4.20/best-gap", repairs="ZCDP-T17/step-best-gap")
restate(
    "ZCDP-T17/step-expected-square-distance", "TH-T4.20/step-expected-square-distance",
    r"Theorem 8 as applied: $\mathbb E[d_{\mathrm{Ham}}(\mathbf r,\mathbf r')^2]\le n_a^2t_a^2+n_at_a(1-t_a)+t_a^2"
    r"\mathbb V(N_a)$ in the coupled environment, where the two differ in arm $a$ only.",
)  # fmt: skip
restate(
    "ZCDP-T17/expected-square-distance", "TH-T4.20/expected-square-distance",
    repairs="ZCDP-T17/step-expected-square-distance",
)  # fmt: skip
restate(
    "ZCDP-T17/means-in-the-unit-interval", "TH-T4.20/means-in-the-unit-interval",
    r"With means in $[0,1]$, the class of Theorems 10 to 12: $\sup_\nu\mathrm{Reg}_T(\pi,\nu)\ge\max\{\frac1{27}"
    r"\sqrt{T(K-<spared>)},\frac1{<quotient>}\sqrt{\frac{K-<spared>}\rho}\}$, $T\ge K-1$, $0<\rho\le1$.",
)  # fmt: skip
restate(
    "ZCDP-T17/means-in-the-unit-interval-capped", "TH-T4.20/means-in-the-unit-interval-capped",
    repairs="ZCDP-T17/means-in-the-unit-interval",
)  # fmt: skip

# ----------------------------------------------------------------------------------------------------- the two regimes

parts_decide(
    "ZCDP-S2",
    r"Two regimes: for $\rho=\Omega(1/T)$ the lower bound for finite arms is the non-private one, below it is larger.",
    twins=["TH-S4.20r"],
)


def private_and_free(horizon: Any, arms: Any, scale: Any, threshold: Any) -> tuple[Any, Any]:
    """Both terms of Theorem 17 at sqrt(rho T) = threshold scale."""
    root_rho = threshold * scale / root(horizon)
    return root(arms - 1) / (124 * root_rho), root(horizon) * root(arms - 1) / 27


def private_not_larger(horizon: Any, arms: Any, scale: Any, threshold: Any) -> Sides:
    private, free = private_and_free(horizon, arms, scale, threshold)
    return private, "<=", free


def private_larger(horizon: Any, arms: Any, shrink: Any, threshold: Any) -> Sides:
    private, free = private_and_free(horizon, arms, 1 / shrink, threshold)
    return free, "<", private


def not_larger_argument(threshold: Any) -> SymbolicArgument:
    import sympy

    T, others = sympy.symbols("T k", integer=True, positive=True)
    y = sympy.Symbol("y", nonnegative=True)
    certificate = sympy.sqrt(T) * sympy.sqrt(others) / 27 * y / (1 + y)
    return SymbolicArgument({"horizon": T, "arms": 1 + others, "scale": 1 + y}, certificate, "nonnegative")


def larger_argument(threshold: Any) -> SymbolicArgument:
    import sympy

    T, others = sympy.symbols("T k", integer=True, positive=True)
    y = positive("y")
    certificate = sympy.sqrt(T) * sympy.sqrt(others) / 27 * y
    return SymbolicArgument({"horizon": T, "arms": 1 + others, "shrink": 1 + y}, certificate, "positive")


SMALL = {"horizon": 1, "arms": 2}


@claim(
    "ZCDP-S2/low-privacy",
    r"For $\sqrt{\rho T}\ge<threshold>$, whatever $K$, the bound of Theorem 17 is $\frac1{27}\sqrt{T(K-1)}$.",
    domain=Domain.of(scale="[1, inf)", **SIZES), constants={"threshold": "27/124"},
    mutations=[mutation("0.2", threshold="0.2")], strongest="symbolic",
)  # fmt: skip
def low_privacy(check: Check) -> None:
    if not check.search(private_not_larger, [{**SMALL, "scale": Fraction(1)}]):
        check.symbolic(private_not_larger, not_larger_argument, routes=("private term", "non-private term"))


@claim(
    "ZCDP-S2/high-privacy",
    r"For $\sqrt{\rho T}<<threshold>$ the private term of Theorem 17 is the larger one.",
    domain=Domain.of(shrink="(1, inf)", **SIZES), constants={"threshold": "27/124"},
    mutations=[mutation("0.23", threshold="0.23")], strongest="symbolic",
)  # fmt: skip
def high_privacy(check: Check) -> None:
    if not check.search(private_larger, [{**SMALL, "shrink": 1 + Fraction(1, 2**n)} for n in (2, 6, 10)]):
        check.symbolic(private_larger, larger_argument, routes=("non-private term", "private term"))
