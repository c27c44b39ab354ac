r"""The minimax lower bound without privacy, Theorem 2.28, whose proof is Section 4.1."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.derivation import derivation, fact, facts_hold
from banditproof.paper_checks.register import claim, mutation
from banditproof.paper_checks.thesis_two_environments import (
    EVERY_POLICY,
    FEW,
    LEAST,
    MANY,
    SIZES,
    Sides,
    bretagnolle_huber,
    few_pulls_argument,
    few_pulls_cost,
    gaussian_divergence,
    least_explored,
    many_pulls_argument,
    many_pulls_cost,
    no_difference,
    pulls_left_over,
    through_the_affinity,
)
from banditproof.paper_checks.two_environments import positive, ratio, root
from banditproof.theory.numeric import exp, sqrt, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument


def non_private_constant(horizon: Any, arms: Any, printed: Any) -> Sides:
    """sqrt(T (K - 1))/27 against half the sum of regrets, T Delta/8 e^(-2 T Delta^2/(K - 1)), at the best gap."""
    gap = sqrt(ratio(arms - 1, 4 * horizon))
    exponent = 2 * horizon * gap * gap / (arms - 1)
    return root(horizon * (arms - 1)) / printed, "<=", horizon * gap * exp(-exponent) / 8


def what_is_left_of_the_constant(printed: Any) -> SymbolicArgument:
    import sympy

    T, others = sympy.symbols("T k", integer=True, positive=True)
    margin = sympy.exp(-sympy.Rational(1, 2)) / 16 - sympy.S(1) / printed
    return SymbolicArgument(
        {"horizon": T, "arms": 1 + others}, sympy.sqrt(T) * sympy.sqrt(others) * margin, "nonnegative"
    )


@claim(
    "TH-T2.28/constant",
    r"$\frac12\cdot\frac{T\Delta}4e^{-2T\Delta^2/(K-1)}=\frac{e^{-1/2}}{16}\sqrt{T(K-1)}\ge\frac1{<printed>}"
    r"\sqrt{T(K-1)}$ at $\Delta=\sqrt{\frac{K-1}{4T}}$.",
    domain=Domain.of(**SIZES), role="step", constants={"printed": 27}, mutations=[mutation("1/26", printed="26")],
    strongest="symbolic",
)  # fmt: skip
def non_private_constants(check: Check) -> None:
    if not check.search(non_private_constant, [{"horizon": 1, "arms": 2}]):
        check.symbolic(non_private_constant, what_is_left_of_the_constant)


def regret_of_uniform_play(horizon: int, arms: int, span: Any) -> Any:
    """The supremum, over means in an interval of this length, of the regret of uniform play; span inf: no interval."""
    share = Fraction(arms - 1, arms) * horizon
    if not share:
        return to_ball(0)
    return to_ball(math.inf) if span == math.inf else to_ball(span) * to_ball(share)


def above_the_non_private_bound(horizon: Any, arms: Any, span: Any, spared: Any, printed: Any) -> Sides:
    return regret_of_uniform_play(horizon, arms, span), ">=", root(horizon * (arms - spared)) / printed


TESTING = (
    fact(gaussian_divergence, Domain.of(gap="(0, inf)"), no_difference),
    fact(few_pulls_cost, FEW, few_pulls_argument),
    fact(many_pulls_cost, MANY, many_pulls_argument),
    fact(bretagnolle_huber, Domain.of(p="(0, 1)", q="(0, 1)"), through_the_affinity),
    fact(least_explored, LEAST, pulls_left_over),
)
TESTED = {"share": Fraction(1, 2), "factor": Fraction(1, 2), "spared": 1, "square": 2}  # the constants of these facts
JOINTS = (
    "Markov's inequality on the event A, data processing to A, the decomposition of relative entropy over pulls, and "
    "the larger of two numbers being at least half their sum"
)


def argument_holds(data: Any, **constants: Any) -> tuple[int, str, int]:
    """Whether every fact of a derivation is proved, with the constants of the two-environment method."""
    return facts_hold(data, **{**TESTED, **constants})


POLICY_PROBLEM = Domain.of(policy=EVERY_POLICY, span=["inf"], **SIZES, where=["horizon >= arms - 1"])
NON_PRIVATE = r"$\sup_\nu\mathrm{Reg}_T(\pi,\nu)\ge\frac1{<printed>}\sqrt{(K-<spared>)T}$ for every policy"


@claim(
    "TH-T2.28", NON_PRIVATE + r", unit-variance Gaussian arms (no range of the means is printed), $K>1$, $T\ge K-1$.",
    domain=POLICY_PROBLEM, constants={"spared": 1, "printed": 27},
    mutations=[mutation("also for one arm, K for K - 1", POLICY_PROBLEM.restrict(arms="integer [1, inf)"), spared=0)],
    strongest="certificate",
)  # fmt: skip
def minimax_bound(check: Check) -> None:
    single = {"policy": "the only one", "horizon": 1, "arms": 1, "span": math.inf}
    if check.counterexample(above_the_non_private_bound, single):
        return
    constant = fact(non_private_constant, Domain.of(**SIZES), what_is_left_of_the_constant)
    check.certificate(argument_holds, derivation((*TESTING, constant), JOINTS))


def gap_fits(horizon: Any, arms: Any, top: Any) -> Sides:
    """(2 Delta)^2 = (K - 1)/T against the square of the largest mean allowed."""
    return arms - 1, "<=", top * top * horizon


def room_for_the_gap(top: Any) -> SymbolicArgument:
    import sympy

    others = sympy.Symbol("k", integer=True, positive=True)
    rest = sympy.Symbol("r", integer=True, nonnegative=True)
    return SymbolicArgument({"arms": 1 + others, "horizon": others + rest}, rest, "nonnegative")


UNIT = Domain.of(policy=EVERY_POLICY, span=[1], **SIZES)


@claim(
    "TH-T2.28/means-in-the-unit-interval", "With means in [0, 1], as in the cited textbook theorem: " + NON_PRIVATE
    + r", $T\ge K-1$.",
    domain=UNIT.restrict(where=["horizon >= arms - 1"]), role="reading", constants={"spared": 1, "printed": 27},
    mutations=[mutation("without T >= K - 1", UNIT), mutation("constant 1", printed="1")], strongest="certificate",
)  # fmt: skip
def minimax_bound_in_the_unit_interval(check: Check) -> None:
    """For T < K - 1 the gap does not fit; from K > 729 T + 1 on, uniform play loses less than the bound."""
    uniform = [{"policy": "uniform", "span": Fraction(1), "horizon": T, "arms": K} for T, K in ((1, 2), (1, 1000))]
    if any(check.counterexample(above_the_non_private_bound, point) for point in uniform):
        return
    constant = fact(non_private_constant, Domain.of(**SIZES), what_is_left_of_the_constant)
    fits = fact(gap_fits, Domain.of(**SIZES, where=["horizon >= arms - 1"]), room_for_the_gap)
    check.certificate(argument_of_the_unit_interval, derivation((*TESTING, constant, fits), JOINTS))


def argument_of_the_unit_interval(data: Any, **constants: Any) -> tuple[int, str, int]:
    return argument_holds(data, top=1, **constants)


def first_action_costs(chance: Any, level: Any, factor: Any) -> Sides:
    """(1 - pi_1(a)) M at M = factor level: the regret of the first action if arm a, pi_1(a) <= 1/2, is better by M."""
    return factor * level * (1 - chance), ">=", level


def cost_of_the_first_action(factor: Any) -> SymbolicArgument:
    import sympy

    x, level = sympy.Symbol("x", nonnegative=True), positive("b")
    chance = 1 / (2 * (1 + x))
    return SymbolicArgument({"chance": chance, "level": level}, level * x / (1 + x), "nonnegative")


@claim(
    "TH-T2.28/unrestricted-means",
    r"Without a range for the means the minimax regret is infinite for every policy and budget, $K\ge2$: some arm has "
    r"$\pi_1(a)\le\frac12$; if it is better than the others by $<factor>B$, then $\mathrm{Reg}_T\ge B$.",
    domain=Domain.of(chance="(0, 1/2]", level="(0, inf)"), role="remark", constants={"factor": 2},
    mutations=[mutation("1.9", factor="1.9")], strongest="symbolic",
)  # fmt: skip
def unrestricted_means(check: Check) -> None:
    if not check.search(first_action_costs, [{"chance": Fraction(1, 2), "level": Fraction(1)}]):
        check.symbolic(first_action_costs, cost_of_the_first_action)
