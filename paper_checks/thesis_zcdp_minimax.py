r"""The minimax bound for Gaussian arms under Interactive zCDP, Theorem 4.20 and its proof in Appendix B.4."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.coupled_environment import coupled_law
from banditproof.paper_checks.derivation import derivation, fact
from banditproof.paper_checks.privacy_regimes import entropy_class
from banditproof.paper_checks.register import claim, mutation
from banditproof.paper_checks.thesis_minimax import VIEW_FACTS, view_argument
from banditproof.paper_checks.thesis_non_private_minimax import JOINTS, regret_of_uniform_play
from banditproof.paper_checks.thesis_two_environments import SIZES, Sides
from banditproof.paper_checks.two_environments import positive, root
from banditproof.theory.numeric import exp, log, maximum, minimum, sqrt, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

INTERACTIVE = "all: every rho-Interactive zCDP policy"

# ------------------------------------------------------------------------------------------ Theorem 4.20, its constants


def variance_of_pulls(mean: Any, spare: Any, arms: Any, factor: Any) -> Sides:
    """n = mean, T = (K - 1) n + spare: n (T - n) <= T^2/(K - 1), and E[N (T - N)] >= 0 leaves V(N) <= n (T - n)."""
    horizon = (arms - 1) * mean + spare
    return (arms - 1) * mean * (horizon - mean), "<=", factor * horizon * horizon


def variance_argument(factor: Any) -> SymbolicArgument:
    import sympy

    n, spare = sympy.symbols("n s", nonnegative=True)
    others = sympy.Symbol("k", integer=True, positive=True)
    certificate = (others * n + spare) * spare + others * n**2
    return SymbolicArgument({"mean": n, "spare": spare, "arms": 1 + others}, sympy.expand(certificate), "nonnegative")


@claim(
    "TH-T4.20/step-variance",
    r"$\mathbb V(N_a(T))\le n_a(T-n_a)\le<factor>\frac{T^2}{K-1}$ for $n_a\le\frac T{K-1}$, $0\le N_a\le T$.",
    domain=Domain.of(mean="[0, inf)", spare="[0, inf)", arms="integer [2, inf)"), role="step",
    constants={"factor": 1}, mutations=[mutation("1/5", factor="1/5")], strongest="symbolic",
)  # fmt: skip
def variance_bound(check: Check) -> None:
    if not check.search(variance_of_pulls, [{"mean": Fraction(1), "spare": Fraction(1), "arms": 2}]):
        check.symbolic(variance_of_pulls, variance_argument)


def completed_square(gap: Any, beta: Any, gamma: Any, one: Any) -> Sides:
    return one * (beta * gap * gap + gamma * gap), "<=", beta * (gap + gamma / (2 * beta)) ** 2


def what_completes_the_square(one: Any) -> SymbolicArgument:
    x, b, c = positive("x b c")
    return SymbolicArgument({"gap": x, "beta": b, "gamma": c}, c**2 / (4 * b), "nonnegative")


@claim(
    "TH-T4.20/step-square", r"$<one>(\beta\Delta^2+\gamma\Delta)\le\beta(\Delta+\frac\gamma{2\beta})^2$.",
    domain=Domain.of(gap="(0, inf)", beta="(0, inf)", gamma="(0, inf)"), role="step", constants={"one": 1},
    mutations=[mutation("1.01", one="1.01")], strongest="symbolic",
)  # fmt: skip
def completing_the_square(check: Check) -> None:
    if not check.search(completed_square, [{"gap": Fraction(100), "beta": Fraction(1), "gamma": Fraction(1)}]):
        check.symbolic(completed_square, what_completes_the_square)


def chosen_gap(root_rho: Any, root_share: Any, quarter: Any) -> Sides:
    """T Delta sqrt(rho/(K - 1)) for Delta = 1/sqrt(beta) - gamma/(2 beta) against the last bound, u = 1/(K - 1)."""
    more = 1 + root_share * root_share
    return 1 / sqrt(more) - root_rho * root_share / (2 * more), ">=", 1 / (quarter * sqrt(to_ball(2)))


@claim(
    "TH-T4.20/step-gap",
    r"$\frac1{\sqrt\beta}-\frac\gamma{2\beta}\ge\frac{\sqrt{K-1}}T\frac1{<quarter>\sqrt{2\rho}}$ for $K\ge2$, "
    r"$\rho\le1$ (multiplied by $\frac{T\sqrt\rho}{\sqrt{K-1}}$; variables $\sqrt\rho$ and $\frac1{\sqrt{K-1}}$).",
    domain=Domain.of(root_rho="(0, 1]", root_share="(0, 1]"), role="step", constants={"quarter": 4},
    mutations=[mutation("1.5", quarter="1.5")], strongest="interval",
)  # fmt: skip
def bound_on_the_gap(check: Check) -> None:
    check.interval(chosen_gap)


def last_link(root_rho: Any, quarter: Any) -> Sides:
    """1/sqrt(2 rho) - 1/2 >= 1/(4 sqrt(2 rho)), both sides times sqrt(2 rho)."""
    return 1 - root_rho / sqrt(to_ball(2)), ">=", 1 / to_ball(quarter)


@claim(
    "TH-T4.20/step-gap-last-link", r"$\frac1{\sqrt{2\rho}}-\frac12\ge\frac1{<quarter>\sqrt{2\rho}}$ for $\rho\le1$.",
    domain=Domain.of(root_rho="(0, 1]"), role="step", constants={"quarter": 4}, mutations=[mutation("3", quarter="3")],
    strongest="interval",
)  # fmt: skip
def last_link_of_the_chain(check: Check) -> None:
    check.interval(last_link)


def last_constant(quotient: Any) -> Sides:
    return exp(to_ball(-1)) / (16 * sqrt(to_ball(2))), ">=", 1 / to_ball(quotient)


@claim(
    "TH-T4.20/step-constant", r"$\frac{e^{-1}}{16\sqrt2}\ge\frac1{<quotient>}$, hence $\frac1{124}$ for the maximum.",
    role="step", constants={"quotient": 62}, mutations=[mutation("1/61", quotient="61")], strongest="enumeration",
)  # fmt: skip
def constant_of_the_zcdp_bound(check: Check) -> None:
    check.enumerate(last_constant, [{}])


def exponent_of_the_choice(gap: Any, beta: Any, gamma: Any) -> Sides:
    """Delta e^(-beta (Delta + gamma/(2 beta))^2) at any gap, and at the one that the proof chooses."""
    offset = gamma / (2 * beta)

    def value(x: Any) -> Any:
        return x * exp(-beta * (x + offset) ** 2)

    return value(gap), "<=", value(1 / sqrt(beta) - offset)


FREE = Domain.of(gap="(0, inf)", beta="(0, inf)", gamma="(0, inf)")


@claim(
    "TH-T4.20/step-best-gap", r"'By optimising for $\Delta$': $\Delta=\frac1{\sqrt\beta}-\frac\gamma{2\beta}$ "
    r"maximises $\Delta e^{-\beta(\Delta+\gamma/2\beta)^2}$.",
    domain=FREE, role="reading",
)  # fmt: skip
def choice_of_the_gap(check: Check) -> None:
    """The derivative vanishes where 2 beta Delta (Delta + gamma/(2 beta)) = 1, below the chosen gap (any will do)."""
    # K = 2, T = 1, rho = 1: beta = 2, gamma = 1
    check.counterexample(exponent_of_the_choice, {"gap": Fraction(7, 20), "beta": Fraction(2), "gamma": Fraction(1)})


def optimum_of_the_choice(gap: Any, best: Any, offset: Any, two: Any) -> Sides:
    """In logarithms, with beta = 1/(2 y (y + c)), the stationary point y, and c = gamma/(2 beta)."""
    beta = 1 / (two * best * (best + offset))
    return log(gap) - beta * (gap + offset) ** 2, "<=", log(best) - beta * (best + offset) ** 2


def distance_from_the_optimum(two: Any) -> SymbolicArgument:
    x, y, c = positive("x y c")
    certificate = entropy_class()(1, x / y) + (x - y) ** 2 / (2 * y * (y + c))
    return SymbolicArgument({"gap": x, "best": y, "offset": c}, certificate, "nonnegative")


@claim(
    "TH-T4.20/best-gap", r"$\Delta e^{-\beta(\Delta+c)^2}$, $c=\frac\gamma{2\beta}$, is largest where "
    r"$<two>\beta\Delta(\Delta+c)=1$.",
    domain=Domain.of(gap="(0, inf)", best="(0, inf)", offset="(0, inf)"), role="repair",
    repairs="TH-T4.20/step-best-gap", constants={"two": 2}, mutations=[mutation("1.9", two="1.9")],
    strongest="symbolic",
)  # fmt: skip
def best_choice_of_the_gap(check: Check) -> None:
    near = [{"gap": Fraction(n, 100), "best": Fraction(1), "offset": Fraction(1, 10)} for n in (90, 95, 99, 101, 105)]
    if not check.search(optimum_of_the_choice, near):
        check.symbolic(optimum_of_the_choice, distance_from_the_optimum)


# ------------------------------------------------------------------------- how often the coupled rewards differ

SETTING = Domain.of(policy="all: every policy", mean="[0, 1]", other="[0, 1]")


def squares(policy: Any, mean: Any, other: Any) -> tuple[Fraction, Fraction, Fraction]:
    """E[d_Ham^2], E[(sum t)^2] and E[sum t (1 - t)] when only the last arm differs, all exact."""
    t = abs(Fraction(mean) - Fraction(other))
    law = coupled_law(policy, Fraction(1), Fraction(mean), Fraction(other))
    distance = sum((w * differing**2 for (_, differing, _), w in law.items()), Fraction(0))
    pulls = [sum(w * n**power for (n, _, _), w in law.items()) for power in (1, 2)]
    return distance, t * t * pulls[1], t * (1 - t) * pulls[0]


def squares_add_up(policy: Any, mean: Any, other: Any) -> Sides:
    distance, predicted, noise = squares(policy, mean, other)
    return distance, "<=", predicted + noise


def minkowski(policy: Any, mean: Any, other: Any, one: Any) -> Sides:
    distance, predicted, noise = (to_ball(value) for value in squares(policy, mean, other))
    return distance, "<=", to_ball(one) * (sqrt(predicted) + sqrt(noise)) ** 2


@claim(
    "TH-T4.20/step-expected-square-distance",
    r"$\mathbb E[d_{\mathrm{Ham}}(\mathbf r,\mathbf r')^2]\le n_a^2t_a^2+n_at_a(1-t_a)+t_a^2\mathbb V(N_a)$ in the "
    r"coupled environment, where the two differ in arm $a$ only (TH-T4.14 for two such environments).",
    domain=SETTING, role="step",
)  # fmt: skip
def expected_square_distance(check: Check) -> None:
    """Given all actions the indicators of differing rewards are not independent: later actions depend on them.

    Win-stay, lose-shift plays the last arm again mostly if its reward was 1, and with means 1/2 and 0 the coupled
    rewards differ exactly then: E[M S] > 0 for M = sum 1(r_t != r'_t) - t_(a_t) and S = sum t_(a_t).
    """
    stay = ["response", Fraction(9), 2, 2]
    check.counterexample(squares_add_up, {"policy": stay, "mean": Fraction(1, 2), "other": Fraction(0)}, rational=True)


@claim(
    "TH-T4.20/expected-square-distance",
    r"$\mathbb E[d_{\mathrm{Ham}}(\mathbf r,\mathbf r')^2]\le <one>\bigl(t_a\sqrt{\mathbb E[N_a^2]}+"
    r"\sqrt{t_a(1-t_a)\,\mathbb E[N_a]}\bigr)^2$: Minkowski's inequality for $S=\sum t_{a_t}$ and the martingale "
    r"$d_{\mathrm{Ham}}-S$, whose variance is $\mathbb E[\sum t_{a_t}(1-t_{a_t})]$.",
    domain=SETTING, role="repair", repairs="TH-T4.20/step-expected-square-distance", constants={"one": 1},
    mutations=[mutation("half", one="1/2")], strongest="enumeration",
)  # fmt: skip
def square_distance_by_minkowski(check: Check) -> None:
    policies = [
        ["random", 0, 4, 2],
        ["random", 1, 3, 3],
        ["response", Fraction(9), 4, 2],
        ["response", Fraction(99), 4, 2],
    ]
    pairs = [("1/2", "0"), ("1/2", "1"), ("1/10", "9/10"), ("1/5", "1/4")]
    over = [{"policy": p, "mean": Fraction(m), "other": Fraction(o)} for p in policies for m, o in pairs]
    check.enumerate(minkowski, over, rational=True, routes=("coupled environment, step by step", "two second moments"))


# ------------------------------------------------------------------------------------------------ Theorem 4.20


def corrected_exponent(moved: Any, scale: Any, bound: Any) -> Sides:
    """rho/(K - 1) (x + sqrt x)^2 with x = T Delta, s = sqrt((K - 1)/rho) >= 1 and x <= s/4, by the repaired step."""
    return ((moved + sqrt(moved)) / scale) ** 2, "<=", bound


def what_is_left_of_the_exponent(bound: Any) -> SymbolicArgument:
    """s = (1 + y)^2 and x = s/(4 (1 + w)^2): the difference is a product of two manifestly nonnegative factors."""
    import sympy

    y, w = sympy.symbols("y w", nonnegative=True)
    z, v = 1 / (1 + w), 1 / (1 + y)
    missing = (w**2 + 2 * w) * z**2 / 4 + (w + y + w * y) * z * v / 2
    variables = {"moved": z**2 / (4 * v**2), "scale": 1 / v**2}
    certificate = missing * (sympy.Rational(3, 4) + z**2 / 4 + z * v / 2)
    return SymbolicArgument(variables, certificate, "nonnegative")


def zcdp_constant(scale: Any, quotient: Any, bound: Any) -> Sides:
    """s/124 against half the sum of regrets, x/8 e^-D, at x = s/4."""
    return scale / quotient, "<=", scale / 32 * exp(-bound - 0 * scale)


def what_is_left_of_the_zcdp_constant(quotient: Any, bound: Any) -> SymbolicArgument:
    import sympy

    s = positive("s")
    return SymbolicArgument({"scale": s}, s * (sympy.exp(-bound) / 32 - sympy.S(1) / quotient), "nonnegative")


def capped_zcdp_constant(horizon: Any, cap: Any, bound: Any) -> Sides:
    """T/29 against half the sum of regrets at Delta = 1/2, x = T/2."""
    return horizon / cap, "<=", horizon / 16 * exp(-bound - 0 * horizon)


def what_is_left_of_the_capped_zcdp_constant(cap: Any, bound: Any) -> SymbolicArgument:
    import sympy

    T = positive("T")
    return SymbolicArgument({"horizon": T}, T * (sympy.exp(-bound) / 16 - sympy.S(1) / cap), "nonnegative")


MOVED = Domain.of(moved="(0, inf)", scale="[1, inf)", where=["4*moved <= scale"])
EXPONENT = Fraction(9, 16)
ZCDP_JOINTS = (
    f"{JOINTS}; group privacy of zCDP under a constant adversary (TH-T4.12), Minkowski's inequality, orthogonality of "
    "martingale differences and E[N^2] <= T E[N]"
)
ZCDP_FACTS = (
    *VIEW_FACTS,
    fact(corrected_exponent, MOVED, what_is_left_of_the_exponent),
    fact(zcdp_constant, Domain.of(scale="(0, inf)"), what_is_left_of_the_zcdp_constant),
)


def zcdp_argument(data: Any, **constants: Any) -> tuple[int, str, int]:
    return view_argument(data, **{"bound": EXPONENT, "quotient": 124, **constants})


WITH_RHO = Domain.of(rho="(0, 1]", policy=INTERACTIVE, **SIZES)
ZCDP_PROBLEM = WITH_RHO.restrict(span=["inf"], where=["horizon >= arms - 1"])
PRINTED_ZCDP = (
    r"$\sup_\nu\mathrm{Reg}_T(\pi,\nu)\ge\max\{\frac1{27}\sqrt{T(K-<spared>)},\frac1{<quotient>}"
    r"\sqrt{\frac{K-<spared>}\rho}\}$"
)
ZCDP_CONSTANTS = {"spared": 1, "quotient": 124}


def above_the_zcdp_bound(horizon: Any, arms: Any, rho: Any, span: Any, spared: Any, quotient: Any) -> Sides:
    free, private = root(horizon * (arms - spared)) / 27, root(arms - spared) / (quotient * sqrt(rho))
    return regret_of_uniform_play(horizon, arms, span), ">=", maximum(free, private)


@claim(
    "TH-T4.20", PRINTED_ZCDP + r" for $\rho$-Interactive zCDP policies, unit-variance Gaussian arms (no range of the "
    r"means is printed), $K>1$, $T\ge K-1$, $0<\rho\le1$.",
    domain=ZCDP_PROBLEM, constants=ZCDP_CONSTANTS,
    mutations=[mutation("also for one arm, K for K - 1", ZCDP_PROBLEM.restrict(arms="integer [1, inf)"), spared=0)],
    strongest="certificate",
)  # fmt: skip
def zcdp_bound(check: Check) -> None:
    """Not through the printed second moment: with the repaired one and Delta = s/(4 T) the printed constant remains."""
    single = {"policy": "the only one", "horizon": 1, "arms": 1, "span": math.inf, "rho": Fraction(1)}
    if not check.counterexample(above_the_zcdp_bound, single):
        check.certificate(zcdp_argument, derivation(ZCDP_FACTS, ZCDP_JOINTS))


@claim(
    "TH-T4.20/means-in-the-unit-interval", "With means in [0, 1]: " + PRINTED_ZCDP + r", $T\ge K-1$, $0<\rho\le1$.",
    domain=ZCDP_PROBLEM.restrict(span=[1]), role="reading", constants=ZCDP_CONSTANTS,
)  # fmt: skip
def zcdp_bound_in_the_unit_interval(check: Check) -> None:
    """Uniform play never looks at a reward and loses at most T (1 - 1/K), whatever the budget."""
    smallest = {"policy": "uniform", "horizon": 1, "arms": 2, "span": Fraction(1), "rho": Fraction(1, 10**6)}
    check.counterexample(above_the_zcdp_bound, smallest)


def above_the_capped_zcdp_bound(horizon: Any, arms: Any, rho: Any, span: Any, cap: Any) -> Sides:
    free, private = root(horizon * (arms - 1)) / 27, root(arms - 1) / (124 * sqrt(rho))
    return regret_of_uniform_play(horizon, arms, span), ">=", maximum(free, minimum(private, to_ball(horizon) / cap))


@claim(
    "TH-T4.20/means-in-the-unit-interval-capped",
    r"With means in [0, 1]: $\sup_\nu\mathrm{Reg}_T(\pi,\nu)\ge\max\{\frac1{27}\sqrt{T(K-1)},\min\{\frac1{124}"
    r"\sqrt{\frac{K-1}\rho},\frac T{<cap>}\}\}$, $T\ge K-1$, $0<\rho\le1$.",
    domain=ZCDP_PROBLEM.restrict(span=[1]), role="repair", repairs="TH-T4.20/means-in-the-unit-interval",
    constants={"cap": 29}, mutations=[mutation("T/1", cap="1")], strongest="certificate",
)  # fmt: skip
def capped_zcdp_bound(check: Check) -> None:
    smallest = {"policy": "uniform", "horizon": 1, "arms": 2, "span": Fraction(1), "rho": Fraction(1, 10**6)}
    if check.counterexample(above_the_capped_zcdp_bound, smallest):
        return
    capped = fact(capped_zcdp_constant, Domain.of(horizon="(0, inf)"), what_is_left_of_the_capped_zcdp_constant)
    check.certificate(zcdp_argument, derivation((*ZCDP_FACTS, capped), ZCDP_JOINTS))
