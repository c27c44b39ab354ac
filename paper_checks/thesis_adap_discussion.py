"""What is said of the bounds of AdaP-UCB and AdaP-KLUCB: ALG-S5.2b, S5.2d, and the sketch of their proof, S5.2f."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.derivation import derivation, fact, facts_hold
from banditproof.paper_checks.episodic_runs import Case, mean_regret_at_most, regrets_of, study
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.thesis_adap_regret import (
    BLOCKS,
    EVERY,
    EVERY_BLOCK,
    FACTS,
    SPLIT,
    SPLIT_JOINT,
    additive,
    any_split,
    log_horizon,
    split_at_a_gap,
)
from banditproof.paper_checks.thesis_adaptive_episodes import COMPOSED, symbols
from banditproof.theory.numeric import log, minimum, sqrt, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.statistics import event_test
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]

# ------------------------------------------------------------------------------------------------ the order: ALG-S5.2b


LARGE = Domain.of(arms="[2, inf)", more="[0, inf)", level="[1/2, inf)")


def constant_is_of_the_order(arms: Any, more: Any, level: Any, two: Any) -> Sides:
    """(sum of gaps)^2 <= K^2 against two K T L, with T = K + more and level = log T = 1/2 + level."""
    horizon = arms + more
    return arms**2, "<=", two * arms * horizon * level


def any_long_horizon(two: Any) -> SymbolicArgument:
    k, more, extra = symbols("k m e", nonnegative=True)
    arms = 2 + k
    level = (1 + extra) / 2
    certificate = arms * more + arms * (arms + more) * extra
    return SymbolicArgument({"arms": arms, "more": more, "level": level}, certificate, "nonnegative")


parts_decide(
    "ALG-S5.2b",
    r"the gap-free bounds of AdaP-UCB and AdaP-KLUCB are of order $\sqrt{KT\log T}+\frac{K\log T}\varepsilon$",
)


ORDER = [  # both bounds are below the largest regret, T times the largest gap; the first nearly as small as it can be
    Case("AdaP-UCB", ("0", "0", "0", "0", "0", "0", "0", "1"), "1/200000", 10**10, "8"),
    Case("AdaP-UCB", ("1/2", "51/100"), "1", 10**10, "5"),
]
ORDER_RUNS = study("thesis-adap-ucb-order", ORDER, 10_000, 100_000)


def rate(case: Case, times: float) -> float:
    """times (16 beta + 3 sqrt(2) beta / (beta - 3)) (sqrt(K T L) + K L / epsilon)."""
    K, L, epsilon = len(case.means), log_horizon(case), float(Fraction(case.budget))
    constant = 16 * float(Fraction(case.beta)) + additive(case, 3) * 2**0.5
    return times * constant * ((K * case.horizon * L) ** 0.5 + K * L / epsilon)


@claim(
    "ALG-S5.2b/regret",
    r"AdaP-UCB, $T\ge K$: $\mathrm{Reg}_T\le<times>\big(16\beta+\frac{3\sqrt2\beta}{\beta-3}\big)\big("
    r"\sqrt{KT\log T}+\frac{K\log T}\varepsilon\big)$; AdaP-KLUCB has the same bound by ALG-RC.8",
    domain=EVERY, constants={"times": 1}, mutations=[mutation("an eighth", times="1/8")],
    strongest="certificate", studies=[ORDER_RUNS],
)  # fmt: skip
def regret_of_this_order(check: Check) -> None:
    times = float(check.constants["times"])
    mean_regret_at_most(check, ORDER_RUNS, ORDER, lambda case: rate(case, times))
    if not check.refuted:
        facts = [
            *FACTS,
            fact(split_at_a_gap, SPLIT, any_split),
            fact(constant_is_of_the_order, LARGE, any_long_horizon),
        ]
        joint = f"{SPLIT_JOINT}; {EVERY_BLOCK}; {BLOCKS}; sqrt(beta) <= 2 beta"
        check.certificate(order_holds, derivation(facts, joint), routes=COMPOSED)


def order_holds(data: Any, times: Any) -> Any:
    return facts_hold(data, top=3, root=8, four=4, two=2)


@claim(
    "ALG-S5.2b/additive",
    r"the summand of the gap-free bounds that the order does not show: for $T\ge K$ $(\sum_a\Delta_a)^2\le K^2\le"
    r"<two>\,KTL$, and for $T<K$ the regret is at most $T\le\sqrt{KT}$",
    domain=LARGE, constants={"two": 2}, mutations=[mutation("1.9", two="1.9")], strongest="symbolic",
)  # fmt: skip
def order_of_the_gap_free_bounds(check: Check) -> None:
    """The explicit bounds are ALG-TC.7 and ALG-RC.8."""
    if not check.search(constant_is_of_the_order, [{"arms": 2, "more": 0, "level": Fraction(1, 2)}]):
        check.symbolic(constant_is_of_the_order, any_long_horizon)


# ------------------------------------------------------------------------------------------------------------ ALG-S5.2d

parts_decide(
    "ALG-S5.2d",
    r"the bound of Theorem 5.4 matches the lower bound of Theorem 4.16 up to constants, the minimax bounds match "
    r"Theorem 4.15 up to logarithms (which is stated for normal arms), and the upper bounds do not depend on "
    r"$\varepsilon$ once it is large",
)


def shares_of_the_minimum(ratio: Any, share: Any, power: Any) -> Sides:
    """x = d/(epsilon Delta): C_2 x <= x, so that C_2 min{x, 1} <= min{x, C_2}; for C_2 > 1 the minimum only grows."""
    return share**power * ratio, "<=", ratio


def any_share(power: Any) -> SymbolicArgument:
    x, w = symbols("x", positive=True), symbols("w", nonnegative=True)
    return SymbolicArgument({"ratio": x, "share": 1 / (1 + w)}, x * w / (1 + w), "nonnegative")


@claim(
    "ALG-S5.2d/problem-dependent",
    r"upper bound over lower bound is at most $C_1\max\{1,\frac1{C_2}\}$ per arm: $C_2\min\{d,\varepsilon\Delta_a\}\le"
    r"\min\{d,C_2\varepsilon\Delta_a\}$ for $C_2\le1$, because $C_2^{<power>}x\le x$",
    domain=Domain.of(ratio="(0, inf)", share="(0, 1]"), constants={"power": 1},
    mutations=[mutation("the inverse", power=-1)], strongest="symbolic",
)  # fmt: skip
def upper_over_lower_bound(check: Check) -> None:
    """As far as C_1 and C_2 are constants: see ALG-T5.4."""
    if not check.search(shares_of_the_minimum, [{"ratio": Fraction(1), "share": Fraction(1, 2)}], rational=True):
        check.symbolic(shares_of_the_minimum, any_share)


def arms_and_others(arms: Any, two: Any) -> Sides:
    return arms, "<=", two * (arms - 1)


def two_arms_or_more(two: Any) -> SymbolicArgument:
    k = symbols("k", integer=True, nonnegative=True)
    return SymbolicArgument({"arms": k + 2}, k, "nonnegative")


@claim(
    "ALG-S5.2d/minimax",
    r"$K\le<two>(K-1)$: $\sqrt{KT\log T}$ and $\sqrt{T(K-1)}$ differ by a factor $\sqrt{2\log T}$ at most, "
    r"$\frac{K\log T}\varepsilon$ and $\frac{K-1}\varepsilon$ by $2\log T$",
    domain=Domain.of(arms="integer [2, inf)"), constants={"two": 2}, mutations=[mutation("1.9", two="1.9")],
    strongest="symbolic",
)  # fmt: skip
def rates_differ_by_logarithms(check: Check) -> None:
    if not check.search(arms_and_others, [{"arms": 2}], rational=True):
        check.symbolic(arms_and_others, two_arms_or_more)


LARGE_BUDGETS = Domain.of(gap="(0, 1]", epsilon="(0, inf)", where=["epsilon >= gap"])
LARGER_THAN_HALF = Domain.of(gap="(0, 1]", epsilon="(0, inf)", where=["2*epsilon >= gap"])


def without_the_budget(gap: Any, epsilon: Any) -> Sides:
    return 1 / minimum(gap, epsilon), "==", 1 / gap


@claim(
    "ALG-S5.2d/regimes",
    r"the bound of Theorem 5.3 does not depend on $\varepsilon\ge\Delta_a$: $\min\{\Delta_a,\varepsilon\}=\Delta_a$",
    domain=LARGE_BUDGETS, mutations=[mutation("from half a gap on", LARGER_THAN_HALF)],
)  # fmt: skip
def bound_without_budget(check: Check) -> None:
    gaps = (Fraction(gap) for gap in ("1", "1/4", "1/100"))
    points = [{"gap": gap, "epsilon": gap * quarters / 4} for gap in gaps for quarters in (2, 4, 5, 400)]
    inside = [point for point in points if check.domain.contains(point)]
    check.enumerate(without_the_budget, inside, rational=True, routes=("the minimum", "the gap"))


PRIVATE, FREE = (Case("AdaP-UCB", ("1/2", "3/4"), budget, 20_000, share=0.2) for budget in ("1/2", "50"))
TWO_BUDGETS = study("thesis-adap-ucb-two-budgets", [PRIVATE, FREE], 60_000, 400_000)


@claim(
    "ALG-S5.2d/regret-without-budget",
    r"'the regrets ... are independent of $\varepsilon$' in the low-privacy regime, of the regrets themselves: at "
    r"$\varepsilon=2\Delta_a$ the regret exceeds that of an independent run at $\varepsilon=200\Delta_a$ with "
    r"probability at most $<half>$",
    domain=Domain.of(means="all: every bandit with rewards in [0, 1]"), constants={"half": "1/2"}, role="reading",
    studies=[TWO_BUDGETS],
)  # fmt: skip
def regret_without_budget(check: Check) -> None:
    """If both had the same law it would be at most 1/2. The width beta log t/(epsilon n) is there at every budget."""

    def tests(stream: str) -> list[dict[str, Any]]:
        arrays, draw = check.study(TWO_BUDGETS, stream), check.rng("pairs", stream)
        private, free = (draw.permutation(regrets_of(arrays, case)) for case in (PRIVATE, FREE))
        return [event_test("more regret at the smaller budget", private > free, "<=", check.constants["half"])]

    check.statistics(tests, routes=("pairs of independent runs", "a fair coin"))


# ----------------------------------------------------------------------------------------------- the sketch: ALG-S5.2f

parts_decide(
    "ALG-S5.2f",
    r"the sketch: $2\sqrt{\frac{2\log(2/\delta)}n}+\frac{2\log(2/\delta)}{\varepsilon n}\le\Delta_a$ holds, at "
    r"$\delta=\frac1T$, from a number of samples on that has the order of Theorem 5.3",
)


def sketched_width(u: Any, v: Any, factor: Any) -> Sides:
    """The widths over Delta at n = factor log(2/delta)/(Delta m), m = min{Delta, epsilon}, u^2 = m/Delta, v = m/eps."""
    return 2 * u * sqrt(to_ball(2) / factor) + 2 * v / factor, "<=", 1 + 0 * u


@claim(
    "ALG-S5.2f/order",
    r"solving for $n$: $n\ge\frac{<factor>\log(2T)}{\Delta_a\min\{\Delta_a,\varepsilon\}}$ is enough",
    domain=Domain.of(u="[0, 1]", v="[0, 1]"), constants={"factor": 12}, mutations=[mutation("11.5", factor="11.5")],
    strongest="interval",
)  # fmt: skip
def samples_of_the_sketch(check: Check) -> None:
    if not check.search(sketched_width, [{"u": Fraction(1), "v": Fraction(1)}]):
        check.interval(sketched_width, routes=("widths over the gap", "1"))


def summed_bonus(log_horizon: Any, factor: Any, power: int) -> Sides:
    """sum of 2 log t / t up to T is at least log^2 T - log^2 3, since log t / t falls from 3 on; epsilon = 1."""
    return log_horizon**2 - log(to_ball(3)) ** 2, "<=", factor * log_horizon**power


@claim(
    "ALG-S5.2f/summed-bonus",
    r"'using that $N_{a_t}(t-1)\approx t$', $\sum_{t\le T}\frac{2\log t}{\varepsilon t}$ gives the additional "
    r"$\log(T)/\varepsilon$: it is at most $<factor>\log(T)/\varepsilon$",
    domain=Domain.of(log_horizon="[2, inf)"), constants={"factor": 1000, "power": 1}, role="reading",
)  # fmt: skip
def bonus_as_a_logarithm(check: Check) -> None:
    """The logarithm in each summand makes it log^2 T."""
    check.counterexample(summed_bonus, {"log_horizon": Fraction(2000)})


def summed_bonus_above(inverse: Any, factor: Any) -> Sides:
    """The summands for t = 2, 3 and the integral from 3 on, over log^2 T; inverse = 1/log T."""
    start = log(to_ball(2)) + 2 * log(to_ball(3)) / 3
    return (start - log(to_ball(3)) ** 2) * inverse**2 + 1, "<=", factor + 0 * inverse


@claim(
    "ALG-S5.2f/summed-bonus-repaired",
    r"$\sum_{t\le T}\frac{2\log t}{\varepsilon t}\le<factor>\log^2(T)/\varepsilon$ for $\frac1{\log T}\le\frac12$: the "
    r"sketch loses a logarithm",
    domain=Domain.of(inverse="(0, 1/2]"), constants={"factor": "1.06"}, mutations=[mutation("1.04", factor="1.04")],
    role="repair", repairs="ALG-S5.2f/summed-bonus", strongest="interval",
)  # fmt: skip
def bonus_as_a_square(check: Check) -> None:
    if not check.search(summed_bonus_above, [{"inverse": Fraction(1, 2)}]):
        check.interval(summed_bonus_above, routes=("summands and integral", "the square"))
