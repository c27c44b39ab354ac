r"""The minimax bound for linear bandits on $[-1,1]^d$ under Interactive zCDP: Theorem 4.21 and Appendix B.5."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.derivation import derivation, fact
from banditproof.paper_checks.register import claim, mutation
from banditproof.paper_checks.thesis_linear_minimax import FACTS, JOINTS, linear_argument, regret_of_the_origin
from banditproof.paper_checks.thesis_two_environments import Sides
from banditproof.paper_checks.thesis_zcdp_minimax import (
    EXPONENT,
    INTERACTIVE,
    MOVED,
    corrected_exponent,
    what_is_left_of_the_exponent,
)
from banditproof.paper_checks.two_environments import positive, root
from banditproof.theory.numeric import exp, maximum, minimum, sqrt, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

# ------------------------------------------------------------------------------------------------ the printed steps


def popoviciu(mean: Any, top: Any, quarter: Any) -> Sides:
    """0 <= S <= b has E[S^2] <= b E[S], so a variance of at most m (b - m) <= b^2/4."""
    return mean * (top - mean), "<=", top * top / quarter


def square_of_the_distance(quarter: Any) -> SymbolicArgument:
    import sympy

    m, rest = sympy.symbols("m r", nonnegative=True)
    return SymbolicArgument({"mean": m, "top": m + rest}, (m - rest) ** 2 / 4, "nonnegative")


@claim(
    "TH-T4.21/step-variance", r"$0\le\sum_tp_t\le\frac1{\sqrt\rho}$ gives "
    r"$\mathbb V[\sum_tp_t]\le\frac1{<quarter>\rho}$ (mean $m$, top $b=\frac1{\sqrt\rho}$).",
    domain=Domain.of(mean="[0, inf)", top="[0, inf)", where=["mean <= top"]), role="step", constants={"quarter": 4},
    mutations=[mutation("1/4.1", quarter="4.1")], strongest="symbolic",
)  # fmt: skip
def variance_step(check: Check) -> None:
    if not check.search(popoviciu, [{"mean": Fraction(1), "top": Fraction(2)}]):
        check.symbolic(popoviciu, square_of_the_distance)


def divergence_bound(root_rho: Any, total: Any) -> Sides:
    """rho m^2 + rho m + rho V at m = 1/sqrt(rho), V = 1/(4 rho)."""
    m = 1 / root_rho
    rho = root_rho * root_rho
    return rho * m * m + rho * m + rho / (4 * rho), "<=", total


def slack_of_the_divergence(total: Any) -> SymbolicArgument:
    import sympy

    y = sympy.Symbol("y", nonnegative=True)
    return SymbolicArgument({"root_rho": 1 / (1 + y)}, y / (1 + y), "nonnegative")


DIVERGENCE = r"$\rho(\frac1{\sqrt\rho})^2+\rho\frac1{\sqrt\rho}+\rho\frac1{4\rho}=1+\sqrt\rho+\frac14\le <total>$"


@claim(
    "TH-T4.21/step-divergence", DIVERGENCE + r" for $\rho\le1$.", domain=Domain.of(root_rho="(0, 1]"), role="step",
    constants={"total": "9/4"}, mutations=[mutation("2.2", total="2.2")], strongest="symbolic",
)  # fmt: skip
def divergence_step(check: Check) -> None:
    if not check.search(divergence_bound, [{"root_rho": Fraction(1)}]):
        check.symbolic(divergence_bound, slack_of_the_divergence)


@claim(
    "TH-T4.21/step-divergence-for-all-budgets",
    DIVERGENCE + r" for every $\rho>0$: the theorem states no range of $\rho$.",
    domain=Domain.of(root_rho="(0, inf)"), role="reading", constants={"total": "9/4"},
)  # fmt: skip
def divergence_step_for_all_budgets(check: Check) -> None:
    check.counterexample(divergence_bound, {"root_rho": Fraction(2)})


# -------------------------------------------------------------------------------------------------- Theorem 4.21


def large_budget(root_rho: Any, root_horizon: Any, quarter: Any) -> Sides:
    """For rho, T >= 1 the private term is below e^-2/2 sqrt(T), which no policy beats (TH-T4.17, no privacy)."""
    return exp((0 * root_rho - 9) / 4) / (quarter * root_rho), "<=", exp(-2 + 0 * root_rho) * root_horizon / 2


def slack_of_a_large_budget(quarter: Any) -> SymbolicArgument:
    import sympy

    y, z = sympy.symbols("y z", nonnegative=True)
    printed = sympy.exp(-sympy.Rational(9, 4)) / quarter
    at_one = sympy.exp(-2) * (sympy.Rational(1, 2) - sympy.exp(-sympy.Rational(1, 4)) / quarter)
    left = sympy.exp(-2) * z / 2 + at_one + printed * y / (1 + y)
    return SymbolicArgument({"root_rho": 1 + y, "root_horizon": 1 + z}, left, "nonnegative")


LARGE = Domain.of(root_rho="[1, inf)", root_horizon="[1, inf)")


@claim(
    "TH-T4.21/budgets-above-one",
    r"For $\rho\ge1$: $\frac{e^{-2.25}}{<quarter>\sqrt\rho}\le\frac{e^{-2}}2\sqrt T$, so that the bound needs no "
    r"privacy there; the theorem holds without a range of $\rho$.",
    domain=LARGE, role="repair", repairs="TH-T4.21/step-divergence-for-all-budgets", constants={"quarter": 4},
    mutations=[mutation("e^-2.25", quarter="1")], strongest="symbolic",
)  # fmt: skip
def budgets_above_one(check: Check) -> None:
    if not check.search(large_budget, [{"root_rho": Fraction(1), "root_horizon": Fraction(1)}]):
        check.symbolic(large_budget, slack_of_a_large_budget)


def small_budget_constant(scale: Any, quarter: Any, bound: Any) -> Sides:
    """s e^-2.25/4, s = 1/sqrt(rho), against x e^-D/2, the averaged regret of a coordinate, at x = T delta = s/4."""
    return scale * exp((0 * scale - 9) / 4) / quarter, "<=", scale / 8 * exp(-bound + 0 * scale)


def slack_of_a_small_budget(quarter: Any, bound: Any) -> SymbolicArgument:
    import sympy

    s = positive("s")
    left = sympy.exp(-bound) / 8 - sympy.exp(-sympy.Rational(9, 4)) / quarter
    return SymbolicArgument({"scale": s}, s * left, "nonnegative")


ZCDP_JOINTS = (
    f"{JOINTS}; group privacy of zCDP under a constant adversary (TH-T4.12), Minkowski's inequality, orthogonality of "
    "martingale differences"
)
ZCDP_FACTS = (
    *FACTS,
    fact(corrected_exponent, MOVED, what_is_left_of_the_exponent),
    fact(small_budget_constant, Domain.of(scale="(0, inf)"), slack_of_a_small_budget),
    fact(large_budget, LARGE, slack_of_a_large_budget),
)


def zcdp_linear_argument(data: Any, **constants: Any) -> tuple[int, str, int]:
    return linear_argument(data, **{"bound": EXPONENT, **constants})


def above_the_zcdp_bound(horizon: Any, dimension: Any, rho: Any, radius: Any, quarter: Any) -> Sides:
    free = exp(to_ball(-2)) / 8 * dimension * root(horizon)
    private = exp(to_ball(Fraction(-9, 4))) / quarter * dimension / sqrt(rho)
    return regret_of_the_origin(horizon, radius), ">=", maximum(free, private)


PROBLEM = Domain.of(policy=INTERACTIVE, horizon="integer [1, inf)", dimension="integer [1, inf)", rho="(0, inf)",
                    radius=["inf"])  # fmt: skip
PRINTED = (
    r"$\mathrm{Reg}_T(\pi,\mathcal A,\theta)\ge\max\{\frac{e^{-2}}8d\sqrt T,\frac{e^{-2.25}}{<quarter>}"
    r"\frac d{\sqrt\rho}\}$"
)


@claim(
    "TH-T4.21", r"For $\mathcal A=[-1,1]^d$ and every $\rho$-Interactive zCDP policy some $\theta\in\mathbb R^d$ has "
    + PRINTED + r", any $\rho>0$, $T\ge1$.",
    domain=PROBLEM, constants={"quarter": 4}, strongest="certificate",
    mutations=[mutation("also T = 0", PROBLEM.restrict(horizon="integer [0, inf)"))],
)  # fmt: skip
def zcdp_linear_bound(check: Check) -> None:
    """Not through the printed steps: with total variation for Markov's inequality, the repaired second moment, and
    |theta_i| = 1/(4 T sqrt(rho)) the constant is e^(-9/16)/8, above the printed one.
    """
    nothing = {"policy": "any", "horizon": 0, "dimension": 1, "radius": math.inf, "rho": Fraction(1)}
    if not check.counterexample(above_the_zcdp_bound, nothing):
        check.certificate(zcdp_linear_argument, derivation(ZCDP_FACTS, ZCDP_JOINTS))


SMALLEST = {"policy": "the origin", "horizon": 1, "dimension": 1, "radius": Fraction(1), "rho": Fraction(1, 10**6)}


@claim(
    "TH-T4.21/bounded-mean-rewards", r"If only parameters with $|\langle a,\theta\rangle|\le1$ on $\mathcal A$ are "
    r"allowed, some of them has " + PRINTED + ".",
    domain=PROBLEM.restrict(radius=[1]), role="reading", constants={"quarter": 4},
)  # fmt: skip
def zcdp_linear_bound_with_bounded_means(check: Check) -> None:
    """The action 0 has regret |theta|_1 <= 1 per round, whatever the budget."""
    check.counterexample(above_the_zcdp_bound, SMALLEST)


def capped_zcdp_constant(horizon: Any, fourth: Any, bound: Any) -> Sides:
    """T/4 against d x e^-D/2 at delta = 1/d, x = T/d."""
    return horizon / fourth, "<=", horizon / 2 * exp(-bound + 0 * horizon)


def slack_of_the_cap(fourth: Any, bound: Any) -> SymbolicArgument:
    import sympy

    T = positive("T")
    return SymbolicArgument({"horizon": T}, T * (sympy.exp(-bound) / 2 - sympy.S(1) / fourth), "nonnegative")


def above_the_capped_bound(horizon: Any, dimension: Any, rho: Any, radius: Any, fourth: Any) -> Sides:
    private = exp(to_ball(Fraction(-9, 4))) / 4 * dimension / sqrt(rho)
    return regret_of_the_origin(horizon, radius), ">=", minimum(private, to_ball(horizon) / fourth)


@claim(
    "TH-T4.21/bounded-mean-rewards-capped", r"Among parameters with $|\langle a,\theta\rangle|\le1$ on "
    r"$\mathcal A$ some has $\mathrm{Reg}_T\ge\min\{\frac{e^{-2.25}}4\frac d{\sqrt\rho},\frac T{<fourth>}\}$, "
    r"$0<\rho\le1$.",
    domain=PROBLEM.restrict(radius=[1], rho="(0, 1]"), role="repair", repairs="TH-T4.21/bounded-mean-rewards",
    constants={"fourth": 4}, mutations=[mutation("2 T", fourth="1/2")], strongest="certificate",
)  # fmt: skip
def capped_zcdp_linear_bound(check: Check) -> None:
    if not check.counterexample(above_the_capped_bound, SMALLEST):
        capped = fact(capped_zcdp_constant, Domain.of(horizon="(0, inf)"), slack_of_the_cap)
        check.certificate(zcdp_linear_argument, derivation((*ZCDP_FACTS, capped), ZCDP_JOINTS))
