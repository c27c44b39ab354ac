r"""The private minimax bounds for Gaussian arms: Theorem 4.15 under View DP, Theorem 4.20 under Interactive zCDP."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.derivation import derivation, fact
from banditproof.paper_checks.privacy_regimes import entropy_class
from banditproof.paper_checks.register import claim, mutation
from banditproof.paper_checks.thesis_non_private_minimax import (
    JOINTS,
    TESTING,
    argument_holds,
    non_private_constant,
    regret_of_uniform_play,
    what_is_left_of_the_constant,
)
from banditproof.paper_checks.thesis_two_environments import SIZES, Sides
from banditproof.paper_checks.two_environments import positive, root
from banditproof.theory.minimax import minimax_lower_bound
from banditproof.theory.numeric import exp, log, maximum, minimum, sqrt, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

VIEW = "all: every epsilon-View DP policy"
WITH_EPSILON = Domain.of(epsilon="(0, inf)", **SIZES)
NON_PRIVATE = fact(non_private_constant, Domain.of(**SIZES), what_is_left_of_the_constant)


# ------------------------------------------------------------------------------------------------ Pinsker's step


def variation_over_gap(gap: Any, slope: Any) -> Sides:
    """(2 Phi(x) - 1)/x against the slope: Kummer's function, sqrt(2/pi) M(1/2; 3/2; -x^2/2), also at x = 0."""
    from flint import arb

    half, pi = to_ball(Fraction(1, 2)), arb.pi()
    return (-gap * gap / 2).hypgeom([half], [3 * half]) * sqrt(2 / pi), "<=", slope


def certain_variation(gap: Any, slope: Any) -> Sides:
    """A total variation is at most 1."""
    return 1 + 0 * gap, "<=", slope * gap


def beyond_two(slope: Any) -> SymbolicArgument:
    import sympy

    more = sympy.Symbol("y", nonnegative=True)
    return SymbolicArgument({"gap": 2 + more}, 1 + more, "nonnegative")


def prove_variation(check: Check) -> None:
    """Up to 2 by the ratio, beyond because no variation exceeds 1."""
    if check.interval(variation_over_gap, check.domain.restrict(gap="[0, 2]"), routes=("Kummer's function", "slope")):
        check.symbolic(certain_variation, beyond_two, check.domain.restrict(gap="[2, inf)"))


@claim(
    "TH-T4.15/step-variation",
    r"$\mathrm{TV}(\mathcal N(0,1)\|\mathcal N(2\Delta,1))=2\Phi(\Delta)-1\le <slope>\,\Delta$.",
    domain=Domain.of(gap="[0, inf)"), role="step", constants={"slope": 1},
    mutations=[mutation("below sqrt(2/pi)", slope="0.79")], strongest="interval",
)  # fmt: skip
def variation_of_gaussians(check: Check) -> None:
    prove_variation(check)


# ------------------------------------------------------------------------------------------ Theorem 4.15, its constants


def best_private_gap(gap: Any, horizon: Any, arms: Any, epsilon: Any, one: Any) -> Sides:
    """log of Delta e^(-epsilon T Delta/(K - 1)) at any gap and at the printed one."""

    def logarithm(x: Any) -> Any:
        return log(x) - epsilon * horizon * x / (arms - 1)

    return logarithm(gap), "<=", logarithm((arms - one) / (epsilon * horizon))


def distance_from_the_private_gap(one: Any) -> SymbolicArgument:
    import sympy

    x, e = positive("x e")
    T, others = sympy.symbols("T k", integer=True, positive=True)
    variables = {"gap": x * others / (e * T), "horizon": T, "arms": 1 + others, "epsilon": e}
    return SymbolicArgument(variables, entropy_class()(1, x), "nonnegative")


@claim(
    "TH-T4.15/step-best-gap", r"$\Delta=\frac{K-<one>}{\varepsilon T}$ maximises $\frac{T\Delta}4e^{-\varepsilon "
    r"T\Delta/(K-1)}$.",
    domain=WITH_EPSILON.restrict(gap="(0, inf)"), role="step", constants={"one": 1},
    mutations=[mutation("K - 0.9", one="0.9")], strongest="symbolic",
)  # fmt: skip
def optimal_private_gap(check: Check) -> None:
    if not check.search(best_private_gap, [{"gap": Fraction(1), "horizon": 1, "arms": 2, "epsilon": Fraction(1)}]):
        check.symbolic(best_private_gap, distance_from_the_private_gap)


def private_constant(horizon: Any, arms: Any, epsilon: Any, quotient: Any) -> Sides:
    """The printed term against half the sum of regrets at the printed gap, the exponent being epsilon T Delta/(K-1)."""
    gap = (arms - 1) / (epsilon * horizon)
    return (arms - 1) / (quotient * epsilon), "<=", horizon * gap * exp(-epsilon * horizon * gap / (arms - 1)) / 8


def what_is_left_of_the_private_constant(quotient: Any) -> SymbolicArgument:
    import sympy

    e = positive("e")
    T, others = sympy.symbols("T k", integer=True, positive=True)
    margin = sympy.exp(-1) / 8 - sympy.S(1) / quotient
    return SymbolicArgument({"horizon": T, "arms": 1 + others, "epsilon": e}, others / e * margin, "nonnegative")


@claim(
    "TH-T4.15/step-constant",
    r"$\frac12\cdot\frac{T\Delta}4e^{-\varepsilon T\Delta/(K-1)}\ge\frac{K-1}{<quotient>\varepsilon}$ at "
    r"$\Delta=\frac{K-1}{\varepsilon T}$, that is $e^{-1}\ge\frac8{<quotient>}$.",
    domain=WITH_EPSILON, role="step", constants={"quotient": 22}, mutations=[mutation("1/21", quotient="21")],
    strongest="symbolic",
)  # fmt: skip
def private_constants(check: Check) -> None:
    if not check.search(private_constant, [{"horizon": 1, "arms": 2, "epsilon": Fraction(1)}]):
        check.symbolic(private_constant, what_is_left_of_the_private_constant)


# -------------------------------------------------------------------------------------------------- Theorem 4.15


def above_the_view_bound(horizon: Any, arms: Any, epsilon: Any, span: Any, spared: Any, quotient: Any) -> Sides:
    """What uniform play, 0-View DP, loses at most, against the printed bound."""
    free = root(horizon * (arms - spared)) / 27
    bound = maximum(free, to_ball(arms - spared) / (quotient * epsilon))
    return regret_of_uniform_play(horizon, arms, span), ">=", bound


PRINTED_VIEW = (
    r"$\sup_\nu\mathrm{Reg}_T(\pi,\nu)\ge\max\{\frac1{27}\sqrt{T(K-<spared>)},\frac1{<quotient>}"
    r"\frac{K-<spared>}\varepsilon\}$"
)
VIEW_PROBLEM = WITH_EPSILON.restrict(policy=VIEW, span=["inf"], where=["horizon >= arms - 1"])
VIEW_CONSTANTS = {"spared": 1, "quotient": 22}
VIEW_JOINTS = f"{JOINTS}; the decomposition of relative entropy under View DP (TH-T4.9), where a variation is at most 1"
PINSKER = fact(variation_over_gap, Domain.of(gap="[0, 2]"))
VIEW_FACTS = (*TESTING, NON_PRIVATE, PINSKER)


def view_argument(data: Any, **constants: Any) -> tuple[int, str, int]:
    return argument_holds(data, **{"printed": 27, "slope": 1, "top": 1, **constants})


@claim(
    "TH-T4.15", PRINTED_VIEW + r" for $\varepsilon$-View DP policies, unit-variance Gaussian arms (no range of the "
    r"means is printed), $K>1$, $T\ge K-1$, any $\varepsilon$.",
    domain=VIEW_PROBLEM, constants=VIEW_CONSTANTS,
    mutations=[mutation("also for one arm, K for K - 1", VIEW_PROBLEM.restrict(arms="integer [1, inf)"), spared=0)],
    strongest="certificate",
)  # fmt: skip
def view_bound(check: Check) -> None:
    single = {"policy": "the only one", "horizon": 1, "arms": 1, "span": math.inf, "epsilon": Fraction(1)}
    if check.counterexample(above_the_view_bound, single):
        return
    constant = fact(private_constant, WITH_EPSILON, what_is_left_of_the_private_constant)
    check.certificate(view_argument, derivation((*VIEW_FACTS, constant), VIEW_JOINTS))


@claim(
    "TH-T4.15/means-in-the-unit-interval", "With means in [0, 1]: " + PRINTED_VIEW + r", $T\ge K-1$.",
    domain=VIEW_PROBLEM.restrict(span=[1]), role="reading", constants=VIEW_CONSTANTS,
)  # fmt: skip
def view_bound_in_the_unit_interval(check: Check) -> None:
    """No regret exceeds T, and uniform play, which is 0-DP, loses T (1 - 1/K) at most; (K - 1)/(22 epsilon) is free to
    grow. The gap of the proof, Delta = (K - 1)/(epsilon T), exceeds 1/2 as soon as epsilon < 2 (K - 1)/T.
    """
    smallest = {"policy": "uniform", "horizon": 1, "arms": 2, "span": Fraction(1), "epsilon": Fraction(1, 100)}
    check.counterexample(above_the_view_bound, smallest)


def above_the_capped_view_bound(horizon: Any, arms: Any, epsilon: Any, span: Any, cap: Any) -> Sides:
    free, private = root(horizon * (arms - 1)) / 27, to_ball(arms - 1) / (22 * epsilon)
    return regret_of_uniform_play(horizon, arms, span), ">=", maximum(free, minimum(private, to_ball(horizon) / cap))


def capped_constant(horizon: Any, arms: Any, epsilon: Any, cap: Any) -> Sides:
    """T/cap <= T/16 e^(-epsilon T/(2 (K - 1))), half the sum of regrets at Delta = 1/2, in logarithms."""
    return epsilon * horizon / (2 * (arms - 1)), "<=", log((cap + 0 * epsilon) / 16)


def what_is_left_of_the_capped_constant(cap: Any) -> SymbolicArgument:
    """The exponent is s/(1 + s) < 1, s > 0."""
    import sympy

    s = positive("s")
    T, others = sympy.symbols("T k", integer=True, positive=True)
    variables = {"horizon": T, "arms": 1 + others, "epsilon": 2 * others / T * s / (1 + s)}
    return SymbolicArgument(variables, sympy.log(sympy.S(cap) / 16) - 1 + 1 / (1 + s), "nonnegative")


SMALL_BUDGET = WITH_EPSILON.restrict(where=["epsilon*horizon < 2*(arms - 1)"])


@claim(
    "TH-T4.15/means-in-the-unit-interval-capped",
    r"With means in [0, 1]: $\sup_\nu\mathrm{Reg}_T(\pi,\nu)\ge\max\{\frac1{27}\sqrt{T(K-1)},\min\{\frac1{22}"
    r"\frac{K-1}\varepsilon,\frac T{<cap>}\}\}$, $T\ge K-1$ ($\Delta=\frac12$ where the printed gap is larger).",
    domain=VIEW_PROBLEM.restrict(span=[1]), role="repair", repairs="TH-T4.15/means-in-the-unit-interval",
    constants={"cap": 44}, mutations=[mutation("T/1", cap="1")], strongest="certificate",
)  # fmt: skip
def capped_view_bound(check: Check) -> None:
    smallest = {"policy": "uniform", "horizon": 1, "arms": 2, "span": Fraction(1), "epsilon": Fraction(1, 100)}
    if check.counterexample(above_the_capped_view_bound, smallest):
        return
    facts = (
        fact(private_constant, WITH_EPSILON, what_is_left_of_the_private_constant),
        fact(capped_constant, SMALL_BUDGET, what_is_left_of_the_capped_constant),
    )
    check.certificate(capped_argument, derivation((*VIEW_FACTS, *facts), VIEW_JOINTS))


def capped_argument(data: Any, **constants: Any) -> tuple[int, str, int]:
    return view_argument(data, **{"quotient": 22, **constants})


def sharper(horizon: Any, arms: Any, epsilon: Any, gain: Any) -> Sides:
    """The certified bound at the best gap, without Markov's inequality and with the exact variation."""
    bounds = minimax_lower_bound(arms=arms, horizon=horizon, epsilon=epsilon)
    sharp, printed = bounds["view-sharpened"], bounds["view"]
    assert bounds.recheck()
    return to_ball(sharp.value.lower), ">=", to_ball(gain) * to_ball(printed.value.upper)


@claim(
    "TH-T4.15/sharpened",
    r"Means in [0, 1]: two steps of the argument can be kept sharp, $\Delta(T-\mathbb E_\mu N_1)+\Delta\,\mathbb "
    r"E_{\mu'}N_1\ge\Delta T(1-\mathrm{TV})$ for Markov's inequality and $2\Phi(\Delta)-1$ for $\Delta$; the bound is "
    r"then more than $<gain>$ times the printed one.",
    domain=WITH_EPSILON, role="remark", constants={"gain": 3}, mutations=[mutation("5 times", gain="5")],
    strongest="enumeration",
)  # fmt: skip
def sharpened(check: Check) -> None:
    over = {"horizon": [10**3, 10**6], "arms": [2, 10], "epsilon": ["0.1", "0.5", "1"]}
    check.enumerate(sharper, over, rational=True, routes=("certified optimum over the gap", "printed bound"))
