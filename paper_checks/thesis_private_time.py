r"""The game of Theorem 4.24, which prices an alternative in relative entropy or in total variation: Corollary 4.25 and
the two regimes.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.derivation import derivation, fact, facts_hold
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.thesis_characteristic_time import (
    EXACT,
    Groups,
    Sides,
    gaps,
    inverse_powers,
    solved,
    value,
)
from banditproof.theory.bernoulli import kl_bernoulli
from banditproof.theory.errors import InvalidInput
from banditproof.theory.numeric import maximum, minimum, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

# ------------------------------------------------------------------------------------------------------ Corollary 4.25

PRIVATE = Domain.of(groups="all: every Bernoulli instance with a unique best arm", epsilon="(0, inf)")


def above_both_times(groups: Groups, epsilon: Any, factor: Any) -> Sides:
    larger = maximum(value(groups), value(groups, divergence="tv") / to_ball(epsilon))
    return to_ball(factor) * larger, "<=", value(groups, epsilon=epsilon)


def crossover(groups: Groups) -> Fraction:
    """T*_TV / T*_KL, rounded."""
    ratio = float(inverse_powers(groups, 1)) / float(solved(groups).value.lower)
    return Fraction(round(ratio * 2**20), 2**20)


def smaller_of_two(x: Any, y: Any, factor: Any) -> Sides:
    return factor * minimum(x, y), "<=", x


def first_is_smaller() -> SymbolicArgument:
    import sympy

    x, s = sympy.Symbol("x", positive=True), sympy.Symbol("s", nonnegative=True)
    return SymbolicArgument({"x": x, "y": x + s}, sympy.Integer(0), "zero")


def second_is_smaller() -> SymbolicArgument:
    import sympy

    y, s = sympy.symbols("y s", positive=True)
    return SymbolicArgument({"x": y + s, "y": y}, s, "nonnegative")


def smaller_holds(data: dict[str, Any], factor: Any) -> Sides:
    return facts_hold(data, factor=factor)


PAIR = Domain.of(x="(0, inf)", y="(0, inf)")
SMALLER = [
    fact(smaller_of_two, PAIR.restrict(where=["x <= y"]), first_is_smaller),
    fact(smaller_of_two, PAIR.restrict(where=["x > y"]), second_is_smaller),
]


@claim(
    "TH-C4.25",
    r"$\mathbb E[\tau]\ge<factor>\max(T^\star_{\mathrm{KL}}(\nu),\frac1\varepsilon T^\star_{\mathrm{TV}}(\nu))"
    r"\log\frac1{3\delta}$, from Theorem 4.24 by $T^\star(\nu;\varepsilon)\ge\max(\cdot)$.",
    domain=PRIVATE, constants={"factor": 1}, mutations=[mutation("twice", factor=2)], strongest="certificate",
)  # fmt: skip
def relaxed_bound(check: Check) -> None:
    """At the crossover of the two times, where the game mixes both prices and is strictly harder than each."""
    points = [{"groups": groups, "epsilon": crossover(groups)} for groups in (EXACT[0], *EXACT[5:9])]
    routes = ("the game with both prices", "the games with one price")
    if check.enumerate(above_both_times, points, rational=True, routes=routes):
        why = "sup and inf keep the order of the prices, and log(1/(3 delta)) is positive where the bound says anything"
        check.certificate(smaller_holds, derivation(SMALLER, why))


def larger_time_low(t_kl: Any, t_tv: Any, epsilon: Any, factor: Any) -> Sides:
    return maximum(t_kl, t_tv / epsilon), "==", factor * t_kl


def larger_time_high(t_kl: Any, t_tv: Any, epsilon: Any, factor: Any) -> Sides:
    return maximum(t_kl, t_tv / epsilon), "==", factor * t_tv / epsilon


def above_the_ratio() -> SymbolicArgument:
    import sympy

    kl, tv, s = sympy.symbols("kl tv s", positive=True)
    return SymbolicArgument({"t_kl": kl, "t_tv": tv, "epsilon": tv * (1 + s) / kl}, sympy.Integer(0), "zero")


def below_the_ratio() -> SymbolicArgument:
    import sympy

    kl, tv, s = sympy.symbols("kl tv s", positive=True)
    return SymbolicArgument({"t_kl": kl, "t_tv": tv, "epsilon": tv / (kl * (1 + s))}, sympy.Integer(0), "zero")


TIMES = Domain.of(t_kl="(0, inf)", t_tv="(0, inf)", epsilon="(0, inf)")
REGIME = {"constants": {"factor": 1}, "mutations": [mutation("0.9", factor="0.9")], "strongest": "symbolic"}


@claim(
    "TH-S4.25r/low",
    r"For $\varepsilon>T^\star_{\mathrm{TV}}/T^\star_{\mathrm{KL}}$ the relaxed bound is the non-private one, "
    r"$\max(\cdot)=<factor>T^\star_{\mathrm{KL}}$.",
    domain=TIMES.restrict(where=["epsilon * t_kl > t_tv"]), **REGIME,
)  # fmt: skip
def low_privacy(check: Check) -> None:
    check.symbolic(larger_time_low, above_the_ratio, routes=("the larger of the two times", "T*_KL"))


@claim(
    "TH-S4.25r/high", r"For $\varepsilon<T^\star_{\mathrm{TV}}/T^\star_{\mathrm{KL}}$ it is "
    r"$<factor>T^\star_{\mathrm{TV}}/\varepsilon$.",
    domain=TIMES.restrict(where=["epsilon * t_kl < t_tv"]), **REGIME,
)  # fmt: skip
def high_privacy(check: Check) -> None:
    check.symbolic(larger_time_high, below_the_ratio, routes=("the larger of the two times", "T*_TV / epsilon"))


parts_decide(
    "TH-S4.25r",
    r"Two regimes of the bound of Corollary 4.25: low privacy, the non-private bound, for "
    r"$\varepsilon>T^\star_{\mathrm{TV}}/T^\star_{\mathrm{KL}}$, and $T^\star_{\mathrm{TV}}/\varepsilon$ below it.",
)


def at_most_the_relaxed_time(groups: Groups, epsilon: Any) -> Sides:
    """T*(epsilon) against max(T*_KL, T*_TV / epsilon): which of the two is larger is the regime."""
    larger = maximum(value(groups), value(groups, divergence="tv") / to_ball(epsilon))
    return value(groups, epsilon=epsilon), "<=", larger


def _in_regime(groups: Groups, epsilon: Fraction, low: bool) -> None:
    times = value(groups) * to_ball(epsilon), value(groups, divergence="tv")
    if not (times[0] > times[1] if low else times[0] < times[1]):
        raise InvalidInput("epsilon", epsilon, f"in the {'low' if low else 'high'} privacy regime")


def free_in_the_full_game(groups: Groups, epsilon: Any) -> Sides:
    _in_regime(groups, Fraction(epsilon), low=True)
    return at_most_the_relaxed_time(groups, epsilon)


def only_variation_in_the_full_game(groups: Groups, epsilon: Any) -> Sides:
    _in_regime(groups, Fraction(epsilon), low=False)
    return at_most_the_relaxed_time(groups, epsilon)


@claim(
    "TH-S4.25r/low-in-theorem-4-24", r"The low regime read for the bound of Theorem 4.24 itself: "
    r"$T^\star(\nu;\varepsilon)=T^\star_{\mathrm{KL}}$ for $\varepsilon>T^\star_{\mathrm{TV}}/T^\star_{\mathrm{KL}}$.",
    domain=PRIVATE, role="reading", strongest="certificate",
)  # fmt: skip
def low_in_the_full_game(check: Check) -> None:
    # the ratio is 0.2201...; at 0.23 the inf player still gains by mixing both prices
    point = {"groups": EXACT[0], "epsilon": Fraction(23, 100)}
    check.counterexample(free_in_the_full_game, point, rational=True)


@claim(
    "TH-S4.25r/high-in-theorem-4-24", r"The high regime read for Theorem 4.24: $T^\star(\nu;\varepsilon)="
    r"T^\star_{\mathrm{TV}}/\varepsilon$ for $\varepsilon<T^\star_{\mathrm{TV}}/T^\star_{\mathrm{KL}}$.",
    domain=PRIVATE, role="reading", strongest="certificate",
)  # fmt: skip
def high_in_the_full_game(check: Check) -> None:
    point = {"groups": EXACT[0], "epsilon": Fraction(21, 100)}
    check.counterexample(only_variation_in_the_full_game, point, rational=True)


def prices_of_an_allocation(groups: Groups, weights: Sequence[Fraction]) -> tuple[Any, Any]:
    """What an allocation guarantees in relative entropy, and what in total variation per unit of epsilon."""
    best, total = Fraction(groups[0][0]), sum(weights)
    means = [Fraction(mean) for mean, count in groups[1:] for _ in range(int(count))]
    entropies, variations, own = [], [], weights[0] / total
    for mean, weight in zip(means, weights[1:], strict=True):
        share = weight / total
        common = to_ball((own * best + share * mean) / (own + share))
        one, other = kl_bernoulli(to_ball(best), common), kl_bernoulli(to_ball(mean), common)
        entropies.append(to_ball(own) * one + to_ball(share) * other)
        variations.append(min(own, share) * (best - mean))
    return min(entropies, key=float), to_ball(min(variations))


def free_from_the_threshold_on(groups: Groups, factor: Any, scale: Any, slack: Any) -> Sides:
    """At factor * scale / (T*_KL min over a of min(w_1, w_a) Delta_a), w optimal in KL: T* against T*_KL."""
    weights = [Fraction(w) for w in solved(groups).certificate.weights]
    entropy, variation = prices_of_an_allocation(groups, weights)
    return _around_a_threshold(entropy / variation * to_ball(scale), groups, value(groups), factor, slack, above=True)


def only_variation_up_to_the_threshold(groups: Groups, factor: Any, scale: Any, slack: Any) -> Sides:
    """At factor * scale * T*_TV min over a of the entropies, w optimal in TV: T* against T*_TV / epsilon."""
    weights = [1 / gap for gap, count in gaps(groups) for _ in range(count)]
    entropy, variation = prices_of_an_allocation(groups, weights)
    pure = value(groups, divergence="tv")
    return _around_a_threshold(entropy / variation * to_ball(scale), groups, pure, factor, slack, above=False)


def _around_a_threshold(threshold: Any, groups: Groups, pure: Any, factor: Any, slack: Any, above: bool) -> Sides:
    """Equal up to the slack on one side of the threshold, strictly larger on the other."""
    epsilon = Fraction(factor) * Fraction(float(threshold))
    pure = pure if above else pure / to_ball(epsilon)
    if (factor > 1) is above:
        return value(groups, epsilon=epsilon), "<=", pure * to_ball(1 + slack)
    return value(groups, epsilon=epsilon), ">", pure


AROUND = Domain.of(
    groups="all: every Bernoulli instance with a unique best arm", factor="(0, inf)", where=["factor != 1"]
)  # fmt: skip
SIDES_OF_IT = [{"groups": g, "factor": Fraction(f)} for g in EXACT[:9] for f in ("1/2", "99/100", "101/100", "2")]


@claim(
    "TH-S4.25r/low-threshold", r"Up to a relative <slack>: $T^\star(\nu;\varepsilon)=T^\star_{\mathrm{KL}}$ iff "
    r"$\varepsilon\ge<scale>\big(T^\star_{\mathrm{KL}}\min_a\min(w^\star_1,w^\star_a)\Delta_a\big)^{-1}$, $w^\star$ "
    "the KL-optimal allocation.",
    domain=AROUND, role="repair", repairs="TH-S4.25r/low-in-theorem-4-24",
    constants={"scale": 1, "slack": "1/1000000000000"}, mutations=[mutation("a tenth lower", scale="0.9")],
    strongest="enumeration",
)  # fmt: skip
def low_threshold(check: Check) -> None:
    routes = ("the game with both prices", "the non-private game")
    check.enumerate(free_from_the_threshold_on, SIDES_OF_IT, rational=True, routes=routes)


@claim(
    "TH-S4.25r/high-threshold",
    r"Up to a relative <slack>: $T^\star(\nu;\varepsilon)=T^\star_{\mathrm{TV}}/\varepsilon$ "
    r"iff $\varepsilon\le<scale>\,T^\star_{\mathrm{TV}}\min_a(w_1\mathrm{kl}(\mu_1,m_a)+w_a\mathrm{kl}(\mu_a,m_a))$, "
    r"$w$ the TV-optimal allocation.",
    domain=AROUND, role="repair", repairs="TH-S4.25r/high-in-theorem-4-24",
    constants={"scale": 1, "slack": "1/1000000000000"}, mutations=[mutation("a tenth higher", scale="1.1")],
    strongest="enumeration",
)  # fmt: skip
def high_threshold(check: Check) -> None:
    routes = ("the game with both prices", "the game in total variation")
    check.enumerate(only_variation_up_to_the_threshold, SIDES_OF_IT, rational=True, routes=routes)
