"""Arithmetic of the geometric batches: BDP-EQ14, and every step of the regret proofs that is about batches only.

Batch m lasts B_m = n_m - n_{m-1} pulls with n_m = ceil(n_0 (alpha^{m+1} - 1) / (alpha - 1)). In rationals the
formulas below are evaluated as they are printed. In symbols they use two facts for all real alpha > 1 at once: the
quotient (alpha^m - 1) / (alpha - 1) = 1 + alpha + ... + alpha^{m-1} is not negative, and ceil(x) exceeds x by
t / (1 + t) for some t >= 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from banditproof.algorithms.batches import GeometricBatches
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.theory.numeric import BALL, SYMBOL, system
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]
EXACT = ("exact ceilings in rationals", "the bound in rationals")
BATCH = Domain.of(alpha="(1, inf)", n0="integer [1, inf)", m="integer [0, inf)")
# A real number beside a count of pulls is written as that count plus or minus a distance.
BATCH_AND_DISTANCE = Domain.of(alpha="(1, inf)", n0="integer [1, inf)", m="integer [0, inf)", distance="[0, inf)")
RATIOS = [Fraction(r) for r in ("101/100", "21/20", "11/10", "3/2", "5/3", "2", "5/2", "3", "10")]
GRID = {"alpha": RATIOS, "n0": [1, 2, 3, 7], "m": range(9)}
DISTANCES = [Fraction(d) for d in ("0", "1/100", "1/2", "1", "30")]


# ----------------------------------------------------------------------------------------- the schedule, in all systems


def quotient(alpha: Any, m: Any, ahead: int = 0) -> Any:
    """(alpha^(m + ahead) - 1) / (alpha - 1)."""
    if system(alpha, m) != SYMBOL:
        return (alpha ** (m + ahead) - 1) / (alpha - 1)
    import sympy

    value = sympy.Function("quotient", nonnegative=True, integer=alpha.is_integer)(m)
    for _ in range(ahead):
        value = 1 + alpha * value
    return value


def power(alpha: Any, m: Any, ahead: int = 0) -> Any:
    """alpha^(m + ahead), in symbols through its quotient."""
    return 1 + (alpha - 1) * quotient(alpha, m, ahead) if system(alpha, m) == SYMBOL else alpha ** (m + ahead)


def ceiling(x: Any) -> Any:
    """The smallest integer at or above x."""
    if system(x) == BALL:
        return x.ceil()
    if system(x) != SYMBOL:
        return math.ceil(x)
    return x if x.is_integer else x + excess(x)


def excess(x: Any) -> Any:
    """ceil(x) - x in symbols: t / (1 + t) with an unknown t >= 0, which reaches every value in [0, 1)."""
    import sympy

    t = sympy.Function("t", nonnegative=True)(x)
    return t / (1 + t)


def room(x: Any) -> Any:
    """1 - (ceil(x) - x) > 0 in symbols."""
    import sympy

    return 1 / (1 + sympy.Function("t", nonnegative=True)(x))


def pulls(alpha: Any, n0: Any, m: Any, ahead: int = 0) -> Any:
    """n_{m + ahead - 1}, the number of pulls before batch m + ahead, as printed."""
    return ceiling(n0 * quotient(alpha, m, ahead))


def batch(alpha: Any, n0: Any, m: Any, ahead: int = 0) -> Any:
    """B_{m + ahead}."""
    return pulls(alpha, n0, m, ahead + 1) - pulls(alpha, n0, m, ahead)


class Symbols:
    """alpha = 1 + s, n_0 = 1 + k and m with s > 0 and integers k, m >= 0; a distance w >= 0."""

    def __init__(self, integer_ratio: bool = False) -> None:
        import sympy

        self.s = sympy.Symbol("s", positive=True, integer=True if integer_ratio else None)
        self.k, self.m = sympy.symbols("k m", integer=True, nonnegative=True)
        self.w = sympy.Symbol("w", nonnegative=True)
        self.alpha, self.n0 = 1 + self.s, 1 + self.k
        self.q = quotient(self.alpha, self.m)
        self.y = [self.n0 * quotient(self.alpha, self.m, ahead) for ahead in range(3)]  # before the ceilings

    def argument(self, certificate: Any, sign: str, **more: Any) -> SymbolicArgument:
        return SymbolicArgument({"alpha": self.alpha, "n0": self.n0, "m": self.m, **more}, certificate, sign)


# -------------------------------------------------------------------------------------------------------- equation (14)

parts_decide(
    "BDP-EQ14",
    r"the batch sizes $B_m=\lceil n_0\frac{\alpha^{m+1}-1}{\alpha-1}\rceil-\lceil "
    r"n_0\frac{\alpha^m-1}{\alpha-1}\rceil$ "
    r"are approximately $n_0\alpha^m$, and equal to it for an integer $\alpha$",
    domain=BATCH,
)


def batch_above_geometric(alpha: Any, n0: Any, m: Any, distance: Any) -> Sides:
    return batch(alpha, n0, m) - n0 * power(alpha, m), "<", distance


def batch_below_geometric(alpha: Any, n0: Any, m: Any, distance: Any) -> Sides:
    return n0 * power(alpha, m) - batch(alpha, n0, m), "<", distance


def above_geometric(distance: Any) -> SymbolicArgument:
    at = Symbols()
    return at.argument(room(at.y[1]) + excess(at.y[0]) + distance - 1, "positive")


def below_geometric(distance: Any) -> SymbolicArgument:
    at = Symbols()
    return at.argument(excess(at.y[1]) + room(at.y[0]) + distance - 1, "positive")


@claim(
    "BDP-EQ14/approximately-geometric",
    r"$|B_m-n_0\alpha^m|<<distance>$ for all real $\alpha>1$",
    domain=BATCH, constants={"distance": 1}, mutations=[mutation("distance 0.9", distance="0.9")], strongest="symbolic",
)  # fmt: skip
def batches_are_nearly_geometric(check: Check) -> None:
    for relation, argument in ((batch_above_geometric, above_geometric), (batch_below_geometric, below_geometric)):
        if not check.enumerate(relation, GRID, rational=True, routes=EXACT):
            return
        check.symbolic(relation, argument, points=10)


def batch_is_power(alpha: Any, n0: Any, m: Any, multiple: Any) -> Sides:
    return batch(alpha, n0, m), "==", multiple * n0 * power(alpha, m)


def integer_ratio_argument() -> SymbolicArgument:
    import sympy

    return Symbols(integer_ratio=True).argument(sympy.Integer(0), "zero")


@claim(
    "BDP-EQ14/integer-ratio",
    r"for an integer $\alpha$: $B_m=<multiple>\,n_0\alpha^m$",
    domain=Domain.of(alpha="integer [2, inf)", n0="integer [1, inf)", m="integer [0, inf)"),
    constants={"multiple": 1},
    mutations=[mutation("every real ratio", domain=BATCH), mutation("multiple 1.01", multiple="1.01")],
    strongest="symbolic",
)
def integer_ratios_need_no_rounding(check: Check) -> None:
    """For an integer alpha the quotient is an integer, and a ceiling leaves an integer as it is."""
    over = {"alpha": [2, 3, 4, 10], "n0": [1, 2, 5], "m": range(12)}
    if check.enumerate(batch_is_power, over, rational=True, routes=EXACT):
        if check.domain != BATCH:
            check.symbolic(batch_is_power, integer_ratio_argument, points=10)
        else:
            check.search(batch_is_power, _grid_points(), rational=True)


def _grid_points() -> Iterator[dict[str, Any]]:
    return ({"alpha": a, "n0": n, "m": m} for a in GRID["alpha"] for n in GRID["n0"] for m in GRID["m"])


def batch_is_long(alpha: Any, n0: Any, m: Any, least: Any) -> Sides:
    return batch(alpha, n0, m), ">", least


def positive_batches(least: Any) -> SymbolicArgument:
    at = Symbols()
    return at.argument(at.k + at.n0 * at.s * at.q + excess(at.y[1]) + room(at.y[0]) - least, "positive")


@claim(
    "BDP-EQ14/every-batch-pulls",
    r"every batch has more than $<least>$ pulls, so the loop of Algorithm 1 ends and the $n_m$ are distinct",
    domain=BATCH, constants={"least": 0}, mutations=[mutation("more than one pull", least=1)],
    role="implication", strongest="symbolic",
)  # fmt: skip
def every_batch_pulls(check: Check) -> None:
    if check.enumerate(batch_is_long, GRID, rational=True, routes=EXACT):
        check.symbolic(batch_is_long, positive_batches, points=10)


# ----------------------------------------------------------------------------------- steps (35) and (36) of Theorem F.7


def pulls_bounded(alpha: Any, n0: Any, m: Any, plus: Any) -> Sides:
    return pulls(alpha, n0, m, 1), "<=", n0 * quotient(alpha, m, 1) + plus


def pulls_bounded_argument(plus: Any) -> SymbolicArgument:
    at = Symbols()
    return at.argument(room(at.y[1]) + plus - 1, "positive")


@claim(
    "BDP-TF.7/35",
    r"(35): $n_m\le n_0\frac{\alpha^{m+1}-1}{\alpha-1}+<plus>$",
    domain=BATCH, constants={"plus": 1}, mutations=[mutation("+0.9", plus="0.9")], role="step", strongest="symbolic",
)  # fmt: skip
def pulls_before_rounding(check: Check) -> None:
    if check.enumerate(pulls_bounded, GRID, rational=True, routes=EXACT):
        check.symbolic(pulls_bounded, pulls_bounded_argument, points=10)


def batch_bounded(alpha: Any, n0: Any, m: Any, factor: Any) -> Sides:
    return batch(alpha, n0, m), "<=", factor * n0 * power(alpha, m)


def batch_bounded_argument(factor: Any) -> SymbolicArgument:
    at = Symbols()
    growth = at.n0 * at.s * at.q  # n_0 (alpha^m - 1)
    certificate = (factor - 2) * (at.n0 + growth) + at.k + growth + room(at.y[1]) + excess(at.y[0])
    return at.argument(certificate, "positive")


@claim(
    "BDP-TF.7/36",
    r"(36): $B_m\le n_0\frac{\alpha^{m+1}-1}{\alpha-1}-n_0\frac{\alpha^m-1}{\alpha-1}+1\le <factor>\,n_0\alpha^m$ "
    r"(the first inequality is BDP-EQ14/approximately-geometric)",
    domain=BATCH, constants={"factor": 2}, mutations=[mutation("factor 1.9", factor="1.9")],
    role="step", strongest="symbolic",
)  # fmt: skip
def batches_at_most_twice_geometric(check: Check) -> None:
    if check.enumerate(batch_bounded, GRID, rational=True, routes=EXACT):
        check.symbolic(batch_bounded, batch_bounded_argument, points=10)


# --------------------------------------------------------------------------------------------- step (38) of Theorem F.7


def pulls_after_overtaking(alpha: Any, n0: Any, m: Any, distance: Any, exponent: Any) -> Sides:
    """`distance` from n_0 (alpha^m - 1)/(alpha - 1) up to E = e^I, where m = floor(log_alpha((alpha - 1) E / n_0 + "
    "1))."""
    level = n0 * quotient(alpha, m) + distance
    return pulls(alpha, n0, m, 2) - n0, "<=", alpha**exponent * level + alpha * n0 + 1


def overtaking_argument(exponent: Any) -> SymbolicArgument:
    at = Symbols()
    first = at.alpha**2 * at.w + room(at.y[2])
    return at.argument(first + (at.alpha**exponent - at.alpha**2) * (at.y[0] + at.w), "positive", distance=at.w)


@claim(
    "BDP-TF.7/38",
    r"(38): $\sum_{m=0}^{M}B_{m+1}=n_{M+1}-n_0\le\alpha^{<exponent>}E+\alpha n_0+1$ with "
    r"$M=\lfloor\log_\alpha(\frac{(\alpha-1)E}{n_0}+1)\rfloor$, for every $E=n_0\frac{\alpha^M-1}{\alpha-1}+d$, "
    r"$d\ge0$ ($E=e^{\bar I_j}$)",
    domain=BATCH_AND_DISTANCE, constants={"exponent": 2}, mutations=[mutation("first power of alpha", exponent=1)],
    role="step", strongest="symbolic",
)  # fmt: skip
def pulls_until_the_index_is_overtaken(check: Check) -> None:
    if check.enumerate(pulls_after_overtaking, {**GRID, "distance": DISTANCES}, rational=True, routes=EXACT):
        check.symbolic(pulls_after_overtaking, overtaking_argument, points=10)


# ------------------------------------------------------------------------------------ steps (44) to (45) of Theorem F.7


def first_batch_beyond(alpha: Any, n0: Any, m: Any, distance: Any, shift: Any) -> Sides:
    """H = n_{m-1} + distance; both sides of (44) as powers of alpha."""
    level = pulls(alpha, n0, m) + distance
    return power(alpha, m), "<=", (alpha - 1) * level / n0 + shift


def first_batch_argument(shift: Any) -> SymbolicArgument:
    at = Symbols()
    return at.argument(at.s * (excess(at.y[0]) + at.w) / at.n0 + shift - 1, "nonnegative", distance=at.w)


@claim(
    "BDP-TF.7/44",
    r"(44): $m^*=\inf\{m:n_m\ge H\}$ satisfies $m^*\le\log_\alpha(\frac{(\alpha-1)H}{n_0}+<shift>)$, for every "
    r"$H=n_{m^*-1}+d$, $d>0$",
    domain=BATCH_AND_DISTANCE, constants={"shift": 1}, mutations=[mutation("+1/2 in the logarithm", shift="1/2")],
    role="step", strongest="symbolic",
)  # fmt: skip
def number_of_batches_before_h(check: Check) -> None:
    if check.enumerate(first_batch_beyond, {**GRID, "distance": DISTANCES}, rational=True, routes=EXACT):
        check.symbolic(first_batch_beyond, first_batch_argument, points=10)


LEVEL = Domain.of(alpha="(1, inf)", n0="integer [1, inf)", level="(0, inf)")


def simplified_first_part(alpha: Any, n0: Any, level: Any, offset: Any) -> Sides:
    """Step to (45): the bound from (44), against its printed simplification; `level` is H."""
    from_44 = n0 * (alpha * ((alpha - 1) * level / n0 + 1) - 1) / (alpha - 1) + 1 - n0
    return from_44, "<=", alpha * level + 1 - offset * n0 * alpha / (alpha - 1)


def simplification_argument(offset: Any) -> SymbolicArgument:
    import sympy

    at = Symbols()
    lost = -offset * at.n0 * at.alpha / at.s
    variables = {"alpha": at.alpha, "n0": at.n0, "level": at.w}
    return SymbolicArgument(variables, lost, "zero" if sympy.sympify(lost) == 0 else "nonnegative")


def check_simplification(check: Check) -> None:
    over = {"alpha": RATIOS[3:], "n0": [1, 2], "level": ["1", "7/3", "100"]}
    if check.enumerate(simplified_first_part, over, rational=True, routes=EXACT):
        check.symbolic(simplified_first_part, simplification_argument, points=10)


@claim(
    "BDP-TF.7/45-simplification",
    r"before (45): $n_0\frac{\alpha(\frac{(\alpha-1)H}{n_0}+1)-1}{\alpha-1}+1-n_0\le\alpha "
    r"H+1-<offset>\frac{n_0\alpha}{\alpha-1}$",
    domain=LEVEL, constants={"offset": 1}, role="step",
)  # fmt: skip
def printed_simplification(check: Check) -> None:
    """n_0 (alpha - 1)/(alpha - 1) - n_0 = 0: the left side is alpha H + 1."""
    check_simplification(check)


@claim(
    "BDP-TF.7/45-simplification-repaired",
    r"$n_0\frac{\alpha(\frac{(\alpha-1)H}{n_0}+1)-1}{\alpha-1}+1-n_0\le\alpha "
    r"H+1-<offset>\frac{n_0\alpha}{\alpha-1}$, that is, $\alpha H+1$",
    domain=LEVEL, constants={"offset": 0}, mutations=[mutation("one hundredth of the printed term", offset="1/100")],
    role="repair", repairs="BDP-TF.7/45-simplification", strongest="symbolic",
)  # fmt: skip
def repaired_simplification(check: Check) -> None:
    check_simplification(check)


def first_part_of_b(alpha: Fraction, n0: int, level: Fraction) -> Sides:
    """n_{m*} - n_0 against alpha H, with m* found by counting; `level` is H."""
    schedule = GeometricBatches(alpha, n0)
    reached = next(total for total in schedule.totals() if total >= level)
    return Fraction(reached - n0), "<=", alpha * level


@claim(
    "BDP-TF.7/45-first-part",
    r"(45): the pulls before the tail, $n_{m^*}-n_0$ with $m^*=\inf\{m:n_m\ge H\}$, are at most $\alpha H$",
    domain=LEVEL, role="step",
)  # fmt: skip
def pulls_before_the_tail(check: Check) -> None:
    """The smallest case: n = 1, 3, ... for alpha = 3/2, and H just above n_0 = 1 already costs the batch of two."""
    over = {"alpha": ["2", "3", "3/2"], "n0": [1], "level": ["1", "11/10", "5", "40"]}
    check.enumerate(first_part_of_b, over, rational=True, routes=("counting batches exactly", "alpha H"))


def first_part_bounded(alpha: Any, n0: Any, m: Any, distance: Any, plus: Any) -> Sides:
    level = pulls(alpha, n0, m) + distance
    return pulls(alpha, n0, m, 1) - n0, "<=", alpha * level + plus


def first_part_argument(plus: Any) -> SymbolicArgument:
    at = Symbols()
    return at.argument(at.alpha * (excess(at.y[0]) + at.w) + room(at.y[1]) + plus - 1, "positive", distance=at.w)


@claim(
    "BDP-TF.7/45-first-part-repaired",
    r"$n_{m^*}-n_0\le\alpha H+<plus>$, for every $H=n_{m^*-1}+d$, $d>0$",
    domain=BATCH_AND_DISTANCE, constants={"plus": 1}, mutations=[mutation("+1/2", plus="1/2")],
    role="repair", repairs="BDP-TF.7/45-first-part", strongest="symbolic",
)  # fmt: skip
def repaired_pulls_before_the_tail(check: Check) -> None:
    if check.enumerate(first_part_bounded, {**GRID, "distance": DISTANCES}, rational=True, routes=EXACT):
        check.symbolic(first_part_bounded, first_part_argument, points=10)


# ----------------------------------------------------------------------------------------- steps (45) to (47), the tail


def exponents_of_batches(alpha: Any, n0: Any, m: Any, share: Any) -> Sides:
    return share * n0 * quotient(alpha, m, 1), "<=", pulls(alpha, n0, m, 1)


def exponents_argument(share: Any) -> SymbolicArgument:
    at = Symbols()
    return at.argument(excess(at.y[1]) + (1 - share) * at.y[1], "nonnegative")


@claim(
    "BDP-TF.7/45",
    r"(45): besides (36), $e^{-n_mc}\le e^{-<share>\,n_0\frac{\alpha^{m+1}-1}{\alpha-1}c}$ for every $c>0$, that is, "
    r"the exponents compare",
    domain=BATCH, constants={"share": 1}, mutations=[mutation("exponent 1.01 times larger", share="1.01")],
    role="step", strongest="symbolic",
)  # fmt: skip
def exponents_before_rounding(check: Check) -> None:
    if check.enumerate(exponents_of_batches, GRID, rational=True, routes=EXACT):
        check.symbolic(exponents_of_batches, exponents_argument, points=10)


def power_at_first_batch(alpha: Any, n0: Any, m: Any, distance: Any, minus: Any) -> Sides:
    """Any H <= n_m, written H = n_m - distance, forces alpha^m up."""
    level = pulls(alpha, n0, m, 1) - distance
    return power(alpha, m, 1), ">=", (alpha - 1) * (level - minus) / n0 + 1


def power_at_first_batch_argument(minus: Any) -> SymbolicArgument:
    at = Symbols()
    return at.argument(at.s * (room(at.y[1]) + at.w + minus - 1) / at.n0, "positive", distance=at.w)


@claim(
    "BDP-TF.7/47",
    r"(47): the second term is $o(1)$, as $m^*\to\infty$ with $H$: "
    r"$\alpha^{m^*+1}\ge\frac{(\alpha-1)(H-<minus>)}{n_0}+1$ for every "
    r"$H=n_{m^*}-d$, $d\ge0$, so $e^{-\alpha^{m^*}\Lambda}$ is exponentially small in $H\propto\log T$",
    domain=BATCH_AND_DISTANCE, constants={"minus": 1}, mutations=[mutation("H in place of H - 1", minus=0)],
    role="step", strongest="symbolic",
)  # fmt: skip
def the_power_grows_with_h(check: Check) -> None:
    if check.enumerate(power_at_first_batch, {**GRID, "distance": DISTANCES}, rational=True, routes=EXACT):
        check.symbolic(power_at_first_batch, power_at_first_batch_argument, points=10)


# ------------------------------------------------------------------------------------------- batch steps of Theorem F.9


def next_batch_bounded(alpha: Any, n0: Any, m: Any, plus: Any) -> Sides:
    return batch(alpha, n0, m, 1), "<=", alpha * pulls(alpha, n0, m, 1) + plus


def next_batch_argument(plus: Any) -> SymbolicArgument:
    at = Symbols()
    kept = (1 + at.alpha) * excess(at.y[1]) + room(at.y[2]) + at.n0 * at.alpha * at.q
    return at.argument(kept + plus - 1, "positive")


@claim(
    "BDP-TF.9/batch-ratio",
    r"the reason given before (48) is bounded: $B_{m+1}\le\alpha n_m+<plus>$, with nothing added",
    domain=BATCH, constants={"plus": 0}, role="step",
)  # fmt: skip
def next_batch_at_most_alpha_times_the_past(check: Check) -> None:
    """The two ceilings can add up: n = 1, 3 for alpha = 3/2 and n_0 = 1, where B_1 = 2 > 3/2."""
    simplest_first = {"alpha": ["2", "3", "3/2", *RATIOS], "n0": [1, 2, 3, 7], "m": range(9)}
    check.enumerate(next_batch_bounded, simplest_first, rational=True, routes=EXACT)


@claim(
    "BDP-TF.9/batch-ratio-repaired",
    r"$B_{m+1}\le\alpha n_m+<plus>$",
    domain=BATCH, constants={"plus": 1}, mutations=[mutation("+1/2", plus="1/2")],
    role="repair", repairs="BDP-TF.9/batch-ratio", strongest="symbolic",
)  # fmt: skip
def next_batch_at_most_alpha_times_the_past_and_one(check: Check) -> None:
    if check.enumerate(next_batch_bounded, GRID, rational=True, routes=EXACT):
        check.symbolic(next_batch_bounded, next_batch_argument, points=10)


def pulls_below_level(alpha: Any, n0: Any, m: Any, distance: Any, extra: Any) -> Sides:
    """The sum of B_{k+1} over k with n_k < E - 1, when m is the last such k and E = n_m + 1 + distance."""
    level = pulls(alpha, n0, m, 1) + 1 + distance
    return pulls(alpha, n0, m, 2) - n0, "<=", (alpha + extra) * level


def pulls_below_argument(extra: Any) -> SymbolicArgument:
    at = Symbols()
    reached = at.y[1] + excess(at.y[1])
    kept = at.alpha * (excess(at.y[1]) + at.w) + at.s + room(at.y[2]) + extra * (reached + 1 + at.w)
    return at.argument(kept, "positive", distance=at.w)


@claim(
    "BDP-TF.9/count",
    r"before (48) is bounded: $\sum_mB_{m+1}\mathbb 1[n_m<E-1]\le(\alpha+<extra>)E$, for every $E=n_M+1+d$, $d>0$ "
    r"($E=e^{\bar I_j'}$, $M$ the last $m$ counted)",
    domain=BATCH_AND_DISTANCE, constants={"extra": 1}, mutations=[mutation("factor alpha - 1/2", extra="-1/2")],
    role="step", strongest="symbolic",
)  # fmt: skip
def pulls_while_the_round_is_early(check: Check) -> None:
    """The conclusion holds although the reason given for it does not: even the factor alpha is enough."""
    if check.enumerate(pulls_below_level, {**GRID, "distance": DISTANCES}, rational=True, routes=EXACT):
        check.symbolic(pulls_below_level, pulls_below_argument, points=10)
