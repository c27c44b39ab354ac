r"""Characteristic times of best-arm identification: bounds on them and links between them, against certified values.

An instance is a list of groups (mean, number of arms); the first group is the best arm, alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.derivation import derivation, fact, facts_hold
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.theory.characteristic_times import CharacteristicTime, characteristic_time
from banditproof.theory.families import Bernoulli, Gaussian
from banditproof.theory.instance import Instance
from banditproof.theory.numeric import sqrt, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Groups = Sequence[Sequence[Any]]  # [[mean, count], ...]
Sides = tuple[Any, str, Any]
GAME = ("certified value of the game", "printed formula")
BERNOULLI = Domain.of(groups="all: every Bernoulli instance with a unique best arm")
GAUSSIAN = Domain.of(groups="all: every unit-variance Gaussian instance with a unique best arm")

INSTANCES = [  # ties among the others, best mean 1, worst mean 0, two arms, many arms, close arms
    [["0.9", 1], ["0.8", 1], ["0.5", 1]],
    [["0.51", 1], ["0.49", 1]],
    [[1, 1], [0, 1]],
    [[1, 1], ["0.5", 3]],
    [["0.5", 1], [0, 2]],
    [["0.75", 1], ["0.7", 4]],
    [["0.95", 1], ["0.9", 3], ["0.5", 1]],
    [["0.501", 1], ["0.5", 1], ["0.1", 50]],
    [["0.02", 1], ["0.01", 9], [0, 1]],
    [["0.6", 1], ["0.4", 400]],
]


def exact(groups: Groups) -> list[list[Any]]:
    return [[Fraction(mean), int(count)] for mean, count in groups]


EXACT = [exact(groups) for groups in INSTANCES]
POINTS = [{"groups": groups} for groups in EXACT]


@cache
def _time(means: tuple[Fraction, ...], family: str, options: tuple[tuple[str, Any], ...]) -> CharacteristicTime:
    law = Gaussian if family == "gaussian" else Bernoulli
    return characteristic_time(Instance([law(mean) for mean in means]), **dict(options))


def solved(groups: Groups, family: str = "bernoulli", **options: Any) -> CharacteristicTime:
    """The characteristic time of the instance, from its groups."""
    means = tuple(Fraction(mean) for mean, count in groups for _ in range(int(count)))
    return _time(means, family, tuple(sorted(options.items())))


def value(groups: Groups, family: str = "bernoulli", **options: Any) -> Any:
    """T* as a ball."""
    return solved(groups, family, **options).value.ball()


def gaps(groups: Groups, closest_first: bool = True) -> list[tuple[Fraction, int]]:
    """(gap, number of arms), the best arm with the smallest gap of the others unless it is left out."""
    best = Fraction(groups[0][0])
    others = [(best - Fraction(mean), int(count)) for mean, count in groups[1:]]
    return [(min(gap for gap, _ in others), 1), *others] if closest_first else others


def inverse_powers(groups: Groups, power: int, closest_first: bool = True) -> Fraction:
    """Sum of Delta_a^-power, with Delta_1 = Delta_min or without the best arm."""
    return sum((count / gap**power for gap, count in gaps(groups, closest_first)), Fraction(0))


# ---------------------------------------------------------------------------------------------- S2.2i, Gaussian arms


def above_the_gaussian_sum(groups: Groups, lower: Any) -> Sides:
    return to_ball(lower) * to_ball(inverse_powers(groups, 2)), "<=", value(groups, "gaussian")


def below_the_gaussian_sum(groups: Groups, upper: Any) -> Sides:
    return value(groups, "gaussian"), "<=", to_ball(upper) * to_ball(inverse_powers(groups, 2))


def cost_of_the_proportional_allocation(gap: Any, closest: Any, quarter: Any) -> Sides:
    """Weights 1/closest^2 on the best arm and 1/gap^2 on the challenger: the price of their weighted mean."""
    return quarter, "<=", gap**2 / (2 * (gap**2 + closest**2))


def further_than_the_closest() -> SymbolicArgument:
    import sympy

    m, s = sympy.Symbol("m", positive=True), sympy.Symbol("s", nonnegative=True)
    return SymbolicArgument(
        {"closest": m, "gap": m + s}, s * (2 * m + s) / (4 * (m**2 + (m + s) ** 2)), "nonnegative"
    )  # fmt: skip


def cost_of_moving_one_arm(gap: Any, weight: Any, two: Any) -> Sides:
    """An arm moved by its gap pays gap^2/2, so with mixing weight (2/gap^2) c every arm earns the same c."""
    return weight * two / gap**2 * gap**2 / 2, "==", weight


def whatever_the_gap() -> SymbolicArgument:
    import sympy

    gap, weight = sympy.symbols("gap weight", positive=True)
    return SymbolicArgument({"gap": gap, "weight": weight}, sympy.Integer(0), "zero")


PROPORTIONAL = fact(
    cost_of_the_proportional_allocation,
    Domain.of(gap="(0, inf)", closest="(0, inf)", where=["closest <= gap"]),
    further_than_the_closest,
)
MOVES = fact(cost_of_moving_one_arm, Domain.of(gap="(0, inf)", weight="(0, inf)"), whatever_the_gap)
GAUSSIAN_POINTS = [*POINTS, {"groups": exact([[3, 1], [1, 2], [-5, 3]])}, {"groups": exact([[1, 1], [0, 400]])}]


def proportional_holds(data: dict[str, Any], upper: Any) -> Sides:
    return facts_hold(data, quarter=1 / Fraction(upper))


def moves_hold(data: dict[str, Any], lower: Any) -> Sides:
    return facts_hold(data, two=lower)


@claim(
    "TH-S2.2i/upper", r"$T^\star_{\mathrm{KL}}(\nu)\le\sum_{a=1}^K\frac{<upper>}{\Delta_a^2}$ with "
    r"$\Delta_1=\Delta_{\min}$.",
    domain=GAUSSIAN, constants={"upper": 4}, mutations=[mutation("3.9", upper="3.9")], strongest="certificate",
)  # fmt: skip
def gaussian_upper(check: Check) -> None:
    """For two arms T* = 8 / Delta^2, and both sides agree: balls cannot confirm that, so it is left to the argument."""
    apart = [p for p in GAUSSIAN_POINTS if sum(count for _, count in p["groups"]) > 2]
    pairs = [p for p in GAUSSIAN_POINTS if p not in apart]
    if not check.search(below_the_gaussian_sum, pairs):
        check.enumerate(below_the_gaussian_sum, apart, routes=GAME)
        why = "the weighted mean is the cheapest common mean; T* is at most the sum of the weights over the least cost"
        check.certificate(proportional_holds, derivation([PROPORTIONAL], why))


@claim(
    "TH-S2.2i/lower", r"$\sum_{a=1}^K\frac{<lower>}{\Delta_a^2}\le T^\star_{\mathrm{KL}}(\nu)$ with "
    r"$\Delta_1=\Delta_{\min}$.",
    domain=GAUSSIAN, constants={"lower": 2}, mutations=[mutation("2.25", lower="2.25")], strongest="certificate",
)  # fmt: skip
def gaussian_lower(check: Check) -> None:
    """With K equal gaps T* Delta^2 = 2 (1 + sqrt(K-1))^2, which is 2K up to a factor tending to one."""
    if check.enumerate(above_the_gaussian_sum, GAUSSIAN_POINTS, routes=GAME):
        why = (
            "moving each challenger up to the best arm, or the best arm down to the closest one, are alternatives, and "
            "T* is at least one over what the best arm earns against a mixture of them"
        )
        check.certificate(moves_hold, derivation([MOVES], why))


parts_decide(
    "TH-S2.2i",
    r"For unit-variance Gaussian arms $\sum_a2/\Delta_a^2\le T^\star_{\mathrm{KL}}\le\sum_a4/\Delta_a^2$, "
    r"$\Delta_1:=\Delta_2$.",
    domain=GAUSSIAN,
)


def two_gaussian_arms(gap: Any, eight: Any) -> Sides:
    """The allocation (1/2, 1/2) and the alternative at the middle: T* from both sides, exactly."""
    half = Fraction(1, 2)
    guaranteed = gap**2 / (2 * (1 / half + 1 / half))
    conceded = (gap * half) ** 2 / 2
    return (1 / guaranteed, 1 / conceded), "==", (eight / gap**2,) * 2


@claim(
    "TH-S2.2i/two-arms", r"For $K=2$ the upper bound is attained: $T^\star_{\mathrm{KL}}=<eight>/\Delta^2$.",
    domain=Domain.of(gap="(0, inf)"), role="remark", constants={"eight": 8},
    mutations=[mutation("7.9", eight="7.9")], strongest="enumeration",
)  # fmt: skip
def two_gaussians(check: Check) -> None:
    grid = {"gap": ["1/100", "1/3", "1", "7"]}
    check.enumerate(two_gaussian_arms, grid, rational=True, routes=("both players' strategies", "8 / Delta^2"))


# ----------------------------------------------------------------------------------------------- S2.2j, optimal weights


def shifted_allocation(groups: Groups, family: str, giver: int, taker: int, shift: Any, factor: Any) -> Sides:
    """What an allocation away from w* guarantees, against 1/T*; w* is the certificate's, its weights scaled exactly."""
    time = solved(groups, family)
    weights = [Fraction(weight) for weight in time.certificate.weights]
    total = sum(weights)
    moved = min(Fraction(shift), weights[giver] / total)
    weights[giver] -= moved * total
    weights[taker] += moved * total
    return guaranteed(time, weights), "<", to_ball(factor) / time.value.ball()


def guaranteed(time: CharacteristicTime, weights: Sequence[Fraction]) -> Any:
    """The least transport cost of an allocation over all challengers, in balls, by the divergences of the family."""
    best, arms = time.best_arm, time.instance.arms
    mean, own = Fraction(arms[best].mean), weights[best]
    costs = [
        _transport(arms[best], arm, mean, own, weight)
        for a, (arm, weight) in enumerate(zip(arms, weights, strict=True))
        if a != best
    ]
    return min(costs, key=float) / to_ball(sum(weights, Fraction(0)))


def _transport(best: Any, arm: Any, mean: Fraction, own: Fraction, weight: Fraction) -> Any:
    if not own * weight:
        return to_ball(0)
    common = to_ball((own * mean + weight * Fraction(arm.mean)) / (own + weight))
    one, other = (law.kl_between(to_ball(law.mean), common) for law in (best, arm))
    return to_ball(own) * one + to_ball(weight) * other


@claim(
    "TH-S2.2j", r"$w^\star(\nu)$ is the only maximiser: moving <shift> of the allocation from one arm to another makes "
    r"the guarantee smaller than $<factor>/T^\star$, so that a strategy whose proportions tend to anything but "
    r"$w^\star$ needs more than $T^\star\log(1/\delta)$.",
    domain=Domain.of(
        groups="all: every instance with a unique best arm", family="all: every one-parameter exponential family",
        giver="integer [0, inf)", taker="integer [0, inf)", where=["giver != taker"],
    ),
    constants={"shift": "1/50", "factor": 1}, mutations=[mutation("a tenth less", factor="9/10")],
    strongest="enumeration",
)  # fmt: skip
def only_maximiser(check: Check) -> None:
    points = [
        {"groups": groups, "family": family, "giver": giver, "taker": taker}
        for family in ("bernoulli", "gaussian")
        for groups in EXACT[:6]
        for size in [sum(count for _, count in groups)]
        for giver in range(size)
        for taker in range(size)
        if giver != taker
    ]
    routes = ("guarantee of a shifted allocation", "value of the game")
    check.enumerate(shifted_allocation, points, rational=True, routes=routes)


# -------------------------------------------------------------------------------------------------- S4.26a, Bernoulli


def below_the_bernoulli_sum(groups: Groups, factor: Any) -> Sides:
    return value(groups), "<=", to_ball(factor) * to_ball(inverse_powers(groups, 2))


def below_the_sum_from_two(groups: Groups, factor: Any) -> Sides:
    return value(groups), "<=", to_ball(factor) * to_ball(inverse_powers(groups, 2, closest_first=False))


def curvature_of_kl(u: Any, four: Any) -> Sides:
    """kl(p, q) is the integral of (p - u)/(u (1-u)) over u from q to p."""
    return four * u * (1 - u), "<=", 1 + 0 * u


def square_of_the_distance_from_one_half() -> SymbolicArgument:
    import sympy

    u = sympy.Symbol("o", positive=True) / (1 + sympy.Symbol("o", positive=True))
    return SymbolicArgument({"u": u}, sympy.factor((1 - 2 * u) ** 2), "nonnegative")


CURVATURE = fact(curvature_of_kl, Domain.of(u="(0, 1)"), square_of_the_distance_from_one_half)
BY_PINSKER = (
    "the integral gives kl >= 2 (p - q)^2, so the Bernoulli game dominates the Gaussian one of variance 1/4, and there "
    "T* is at most the sum of 1/Delta^2 by the allocation proportional to 1/Delta^2"
)


def pinsker_holds(data: dict[str, Any], factor: Any) -> Sides:
    return facts_hold(data, four=4 * factor, quarter=Fraction(1, 4))


@claim(
    "TH-S4.26a", r"$T^\star_{\mathrm{KL}}(\nu)\le<factor>\sum_{a=1}^K\Delta_a^{-2}$, $\Delta_1=\Delta_{\min}$ "
    "as in the Gaussian bound ($\\mu_1-\\mu_1=0$ makes the sum infinite).",
    domain=BERNOULLI, constants={"factor": 1}, mutations=[mutation("0.99", factor="0.99")], strongest="certificate",
)  # fmt: skip
def bernoulli_upper(check: Check) -> None:
    """Two arms around 1/2 come as close as one likes."""
    if check.enumerate(below_the_bernoulli_sum, POINTS, routes=GAME):
        check.certificate(pinsker_holds, derivation([CURVATURE, PROPORTIONAL], BY_PINSKER))


@claim(
    "TH-S4.26a/sum-from-two", r"The same with the sum over suboptimal arms, $T^\star_{\mathrm{KL}}(\nu)\le"
    r"<factor>\sum_{a=2}^K\Delta_a^{-2}$.",
    domain=BERNOULLI, role="reading", constants={"factor": 1}, strongest="certificate",
)  # fmt: skip
def without_the_best_arm(check: Check) -> None:
    # two arms around 1/2: T* is close to 2 / Delta^2
    check.counterexample(below_the_sum_from_two, {"groups": exact([["0.6", 1], ["0.4", 1]])})


@claim(
    "TH-S4.26a/twice-the-sum-from-two", r"$T^\star_{\mathrm{KL}}(\nu)\le<factor>\sum_{a=2}^K\Delta_a^{-2}$.",
    domain=BERNOULLI, role="repair", repairs="TH-S4.26a/sum-from-two", constants={"factor": 2},
    mutations=[mutation("1.98", factor="1.98")], strongest="certificate",
)  # fmt: skip
def twice_without_the_best_arm(check: Check) -> None:
    """The term of the best arm, 1/Delta_min^2, is one of the others."""
    if check.enumerate(below_the_sum_from_two, POINTS, routes=GAME):
        why = BY_PINSKER + "; its first term occurs again among the others"
        check.certificate(pinsker_twice, derivation([CURVATURE, PROPORTIONAL], why))


def pinsker_twice(data: dict[str, Any], factor: Any) -> Sides:
    return pinsker_holds(data, Fraction(factor) / 2)


# ------------------------------------------------------------------------------------------------------ S4.26b, Pinsker


def variation_time_above_entropy_time(groups: Groups, two: Any) -> Sides:
    return value(groups, divergence="tv"), ">=", sqrt(to_ball(two) * value(groups))


def pinsker_for_times(data: dict[str, Any], two: Any) -> Sides:
    return facts_hold(data, four=2 * two)


@claim(
    "TH-S4.26b", r"$T^\star_{\mathrm{TV}}(\nu)\ge\sqrt{<two>\,T^\star_{\mathrm{KL}}(\nu)}$, both for Bernoulli arms.",
    domain=BERNOULLI, constants={"two": 2}, mutations=[mutation("2.02", two="2.02")], strongest="certificate",
)  # fmt: skip
def pinsker_link(check: Check) -> None:
    """For two arms around 1/2 both sides are 2 / Delta in the limit."""
    if check.enumerate(variation_time_above_entropy_time, POINTS, routes=("exact T*_TV", "certified T*_KL")):
        why = (
            "the integral gives KL >= 2 TV^2; by Jensen's inequality the sum of w_a KL is at least twice the square of "
            "the sum of w_a TV, and sup and inf keep the order"
        )
        check.certificate(pinsker_for_times, derivation([CURVATURE], why))
