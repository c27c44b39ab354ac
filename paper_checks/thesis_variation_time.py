r"""The characteristic time of Bernoulli arms in total variation: Proposition 4.26 and its proof in B.6."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.derivation import derivation, fact, facts_hold
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.thesis_characteristic_time import (
    BERNOULLI,
    EXACT,
    POINTS,
    Groups,
    Sides,
    gaps,
    inverse_powers,
    solved,
)
from banditproof.theory.numeric import absolute, minimum, where
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

# --------------------------------------------------------------------------- B.6, step 1: the cheapest alternative

SHIFTS = Domain.of(
    w_1="(0, inf)", w_a="(0, inf)", mu_1="(-inf, inf)", mu_a="(-inf, inf)", rho_1="(-inf, inf)", rho_a="(-inf, inf)",
    where=["mu_1 > mu_a", "rho_a >= rho_1"],
)  # fmt: skip


def cheapest_move(w_1: Any, w_a: Any, mu_1: Any, mu_a: Any, rho_1: Any, rho_a: Any, factor: Any) -> Sides:
    moved = w_1 * absolute(mu_1 - rho_1) + w_a * absolute(mu_a - rho_a)
    return factor * minimum(w_1, w_a) * (mu_1 - mu_a), "<=", moved


def _move(case: str, lighter: str) -> SymbolicArgument:
    """Both arms move towards each other ("meet"), or both go below the challenger's place or above the best arm's."""
    import sympy

    mu, (w, d) = sympy.Symbol("mu", real=True), sympy.symbols("w d", positive=True)
    g, p = sympy.symbols("g p", nonnegative=True)
    q = sympy.Symbol("q", positive=True)
    s = sympy.Symbol("s", positive=True) if lighter == "w_1" else sympy.Symbol("s", nonnegative=True)
    w_1, w_a = (w + s, w) if lighter == "w_a" else (w, w + s)
    down, up = {
        "meet": ((d + g) * p / (p + q), (d + g) * q / (p + q)),
        "lowered": (d + g + p, -p),
        "raised": (-q, d + g + q),
    }[case]
    certificate = w * g + s * {"w_a": abs(down), "w_1": abs(up)}[lighter]
    certificate += 2 * w * {"meet": 0, "lowered": p, "raised": q}[case]
    variables = {"w_1": w_1, "w_a": w_a, "mu_1": mu + d, "mu_a": mu, "rho_1": mu + d - down, "rho_a": mu + up}
    return SymbolicArgument(variables, certificate, "nonnegative")


def meeting_by_the_best_arm() -> SymbolicArgument:
    return _move("meet", "w_1")


def meeting_by_the_challenger() -> SymbolicArgument:
    return _move("meet", "w_a")


def lowered_with_a_light_best_arm() -> SymbolicArgument:
    return _move("lowered", "w_1")


def lowered_with_a_light_challenger() -> SymbolicArgument:
    return _move("lowered", "w_a")


def raised_with_a_light_best_arm() -> SymbolicArgument:
    return _move("raised", "w_1")


def raised_with_a_light_challenger() -> SymbolicArgument:
    return _move("raised", "w_a")


MOVES = (
    (["rho_1 <= mu_1", "rho_a > mu_a"], meeting_by_the_best_arm, meeting_by_the_challenger),
    (["rho_a <= mu_a"], lowered_with_a_light_best_arm, lowered_with_a_light_challenger),
    (["rho_1 > mu_1"], raised_with_a_light_best_arm, raised_with_a_light_challenger),
)


@claim(
    "TH-S.B6/inner-infimum",
    r"$\omega_1|\mu_1-\rho_1|+\omega_a|\mu_a-\rho_a|\ge<factor>\min(\omega_1,\omega_a)\Delta_a$ for $\rho_a\ge\rho_1$ "
    "(steps (a) and (b)).",
    domain=SHIFTS, constants={"factor": 1}, mutations=[mutation("1 % more", factor="1.01")], strongest="symbolic",
)  # fmt: skip
def cheapest_moves(check: Check) -> None:
    attained = {"w_1": 1, "w_a": 2, "mu_1": 1, "mu_a": 0, "rho_1": 0, "rho_a": 0}
    if check.search(cheapest_move, [{name: Fraction(v) for name, v in attained.items()}]):
        return
    for case, best_lighter, challenger_lighter in MOVES:
        for order, argument in (("w_1 < w_a", best_lighter), ("w_1 >= w_a", challenger_lighter)):
            check.symbolic(cheapest_move, argument, check.domain.restrict(where=[*case, order]), points=10)


def lighter_arm_moves(w_1: Any, w_a: Any, mu_1: Any, mu_a: Any, factor: Any) -> Sides:
    """The cost of moving the lighter of the two arms to the place of the other one."""
    met = where(w_1, "<=", w_a, mu_a, mu_1)
    least, _, moved = cheapest_move(w_1, w_a, mu_1, mu_a, met, met, factor)
    return moved, "==", least


def light_best_arm() -> SymbolicArgument:
    return _lighter("w_1")


def light_challenger() -> SymbolicArgument:
    return _lighter("w_a")


def _lighter(lighter: str) -> SymbolicArgument:
    import sympy

    (w, d), mu = sympy.symbols("w d", positive=True), sympy.Symbol("mu", real=True)
    s = sympy.Symbol("s", nonnegative=True) if lighter == "w_1" else sympy.Symbol("s", positive=True)
    weights = {"w_1": w, "w_a": w + s} if lighter == "w_1" else {"w_1": w + s, "w_a": w}
    return SymbolicArgument(weights | {"mu_1": mu + d, "mu_a": mu}, sympy.S.Zero, "zero")


@claim(
    "TH-S.B6/inner-infimum-attained",
    r"Where the lighter of the two arms moves all the way, $\omega_1|\mu_1-\rho_1|+\omega_a|\mu_a-\rho_a|=<factor>"
    r"\min(\omega_1,\omega_a)\Delta_a$: the infimum is attained.",
    domain=Domain.of(w_1="(0, inf)", w_a="(0, inf)", mu_1="(-inf, inf)", mu_a="(-inf, inf)", where=["mu_1 > mu_a"]),
    constants={"factor": 1}, mutations=[mutation("1 % more", factor="1.01"), mutation("1 % less", factor="0.99")],
    strongest="symbolic",
)  # fmt: skip
def cheapest_move_is_attained(check: Check) -> None:
    for order, argument in (("w_1 <= w_a", light_best_arm), ("w_1 > w_a", light_challenger)):
        check.symbolic(lighter_arm_moves, argument, check.domain.restrict(where=["mu_1 > mu_a", order]), points=10)


# ----------------------------------------------------------------------------------- B.6, step 2, and Proposition 4.26

ODDS = Domain.of(distances="all: every list of gaps", odds="all: every list of weights relative to the best arm's")


def ratio_of_weights(distances: Sequence[Fraction], odds: Sequence[Fraction], factor: Any) -> Sides:
    """min over a of min(1, x_a) Delta_a / (1 + sum of x_a) against 1 / (1/Delta_min + sum of 1/Delta_a)."""
    gap, x = [Fraction(d) for d in distances], [Fraction(o) for o in odds]
    least = min(min(1, o) * d for o, d in zip(x, gap, strict=True))
    return least / (1 + sum(x)), "<=", factor / (1 / min(gap) + sum(1 / d for d in gap))


@claim(
    "TH-S.B6/bound", r"$\frac{\min_ag_a(x_a)}{1+\sum_ax_a}\le<factor>\big(\frac1{\Delta_{\min}}+\sum_a\frac1{\Delta_a}"
    r"\big)^{-1}$, with equality at $x_a=\Delta_{\min}/\Delta_a$ (steps (c), (d) and 2).",
    domain=ODDS, constants={"factor": 1}, mutations=[mutation("0.99", factor="0.99")], strongest="enumeration",
)  # fmt: skip
def ratio_bound(check: Check) -> None:
    points = []
    for groups in EXACT[:8]:
        distances = [gap for gap, count in gaps(groups, closest_first=False) for _ in range(count)]
        best = [min(distances) / d for d in distances]
        points += [{"distances": distances, "odds": odds} for odds in _around(best)]
    check.enumerate(ratio_of_weights, points, rational=True, routes=("weights", "closed form"))


def _around(odds: Sequence[Fraction]) -> list[list[Fraction]]:
    """The list itself, and lists with entries moved up and down, to zero, and beyond one."""
    lists = [list(odds), [Fraction(0)] * len(odds), [Fraction(2)] * len(odds), [o / 2 for o in odds]]
    for i in range(min(3, len(odds))):
        for entry in (odds[i] * 2, odds[i] / 3, Fraction(0)):
            lists.append([*odds[:i], entry, *odds[i + 1 :]])
    return lists


def divisor_of_the_ratio(w_1: Any) -> Sides:
    return w_1, ">", 0


@claim(
    "TH-S.B6/step-division",
    r"Step (c) divides by $\omega_1$; excluding $\omega_1=1$, as printed, leaves $\omega_1>0$.",
    domain=Domain.of(w_1="[0, 1)"), role="reading", strongest="enumeration",
)  # fmt: skip
def division(check: Check) -> None:
    check.counterexample(divisor_of_the_ratio, {"w_1": Fraction(0)})


@claim(
    "TH-S.B6/step-division-by-a-positive-weight",
    r"With $\omega_1=0$ excluded, whose value the next sentence says is $<nothing>$, the division is allowed.",
    domain=Domain.of(w_1="(0, 1]"), role="repair", repairs="TH-S.B6/step-division", constants={"nothing": 0},
    mutations=[mutation("one half", nothing="1/2")], strongest="symbolic",
)  # fmt: skip
def division_by_a_positive_weight(check: Check) -> None:
    if not check.search(divisor_above, [{"w_1": Fraction(1, 4)}]):
        check.symbolic(divisor_above, positive_weight)


def divisor_above(w_1: Any, nothing: Any) -> Sides:
    return nothing * (1 - w_1), "<", w_1


def positive_weight() -> SymbolicArgument:
    import sympy

    rest = sympy.Symbol("r", nonnegative=True)
    return SymbolicArgument({"w_1": 1 / (1 + rest)}, 1 / (1 + rest), "positive")


parts_decide(
    "TH-S.B6",
    r"The chain (a)-(d) in the proof of Proposition 4.26: the inner infimum is $\min(\omega_1,\omega_a)\Delta_a$, and "
    r"the outer supremum is attained at $x_a=\Delta_{\min}/\Delta_a$.",
)


def variation_time_from_both_sides(groups: Groups, factor: Any) -> Sides:
    """T* as the allocation proportional to inverse gaps guarantees it, and as a mixture of pure moves concedes it."""
    listed = gaps(groups)
    total = sum(count / gap for gap, count in listed)
    best = 1 / listed[0][0] / total
    worst = min(min(best, 1 / gap / total) * gap for gap, _ in listed[1:])
    richest = max(
        1 / gap / total * gap for gap, _ in listed
    )  # lowering the best arm to the closest, raising each other
    return (1 / worst, 1 / richest), "==", (factor * inverse_powers(groups, 1),) * 2


def solver_agrees(groups: Groups, factor: Any) -> Sides:
    return int(solved(groups, divergence="tv").value.contains(factor * inverse_powers(groups, 1))), "==", 1


@claim(
    "TH-P4.26/value",
    r"$T^\star_{\mathrm{TV}}(\nu)=<factor>\big(\frac1{\Delta_{\min}}+\sum_{a=2}^K\frac1{\Delta_a}\big)$, also with "
    r"ties, $\mu_1=1$ and $\mu_a=0$.",
    domain=BERNOULLI, constants={"factor": 1}, mutations=[mutation("0.99", factor="0.99")], strongest="certificate",
)  # fmt: skip
def variation_time(check: Check) -> None:
    routes = ("both players' strategies, in rationals", "closed form")
    if check.enumerate(variation_time_from_both_sides, POINTS, rational=True, routes=routes):
        check.enumerate(solver_agrees, POINTS, rational=True, routes=("certified enclosure", "closed form"))
        why = (
            "by the inner infimum the allocation guarantees its least min(w_1, w_a) Delta_a; a move by the gap that is "
            "played with weight 1/gap earns the same for every arm"
        )
        check.certificate(moves_facts_hold, derivation(_move_facts(), why))


def _move_facts() -> list[dict[str, Any]]:
    return [
        fact(cheapest_move, SHIFTS.restrict(where=[*where, order]), argument)
        for where, *arguments in MOVES
        for order, argument in zip(("w_1 < w_a", "w_1 >= w_a"), arguments, strict=True)
    ]


def moves_facts_hold(data: dict[str, Any], factor: Any) -> Sides:
    return facts_hold(data, factor=factor)


def least_variation_time(groups: Groups, lower: Any) -> Sides:
    return lower / gaps(groups)[0][0], "<=", inverse_powers(groups, 1)


def largest_variation_time(groups: Groups, upper: Any) -> Sides:
    return inverse_powers(groups, 1), "<=", upper * sum(count for _, count in groups) / gaps(groups)[0][0]


TV_BOUNDS = ("closed form", "multiple of the inverse smallest gap")


@claim(
    "TH-P4.26/lower", r"$\frac{<lower>}{\Delta_{\min}}\le T^\star_{\mathrm{TV}}(\nu)$.", domain=BERNOULLI,
    constants={"lower": 1}, mutations=[mutation("2.01", lower="2.01")], strongest="enumeration",
)  # fmt: skip
@claim(
    "TH-P4.26/lower-with-two",
    r"Sharper: $\frac{<lower>}{\Delta_{\min}}\le T^\star_{\mathrm{TV}}(\nu)$, since the closest arm is in the sum.",
    domain=BERNOULLI, role="remark", constants={"lower": 2}, mutations=[mutation("2.01", lower="2.01")],
    strongest="enumeration",
)  # fmt: skip
def variation_lower(check: Check) -> None:
    check.enumerate(least_variation_time, POINTS, rational=True, routes=TV_BOUNDS)


@claim(
    "TH-P4.26/upper", r"$T^\star_{\mathrm{TV}}(\nu)\le<upper>\frac K{\Delta_{\min}}$.", domain=BERNOULLI,
    constants={"upper": 1}, mutations=[mutation("0.99", upper="0.99")], strongest="enumeration",
)  # fmt: skip
def variation_upper(check: Check) -> None:
    check.enumerate(largest_variation_time, POINTS, rational=True, routes=TV_BOUNDS)


parts_decide(
    "TH-P4.26",
    r"For Bernoulli arms $T^\star_{\mathrm{TV}}=\frac1{\Delta_{\min}}+\sum_{a\ge2}\frac1{\Delta_a}$, which lies "
    r"between $\frac1{\Delta_{\min}}$ and $\frac K{\Delta_{\min}}$.",
    domain=BERNOULLI,
)
