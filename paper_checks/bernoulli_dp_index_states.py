"""What the index rules imply about a single decision: the path-wise steps of Theorems F.7 (DP-IMED) and F.9 (DP-KLUCB).

A *state* is what a decision sees: for each arm its noisy mean and its number of pulls. Every state below has two arms,
j with the best mean mu* and a suboptimal i, and any state has positive probability, because the noise is continuous.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.derivation import derivation, fact, facts_hold
from banditproof.paper_checks.register import claim, mutation
from banditproof.theory.bernoulli import d_epsilon, dp_klucb_index
from banditproof.theory.numeric import clip01, log, maximum, minimum, to_ball
from banditproof.verify.compare import holds
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]
BALLS = ("indices of the state, in balls", "the claimed bound, in balls")
COMPOSED = ("formulas proved symbolically, joined by the named textbook facts", "the stated bound")

STATE: dict[str, str] = {
    "mu_star": "(0, 1)", "delta": "(0, 1)", "epsilon": "(0, inf)", "mean_i": "(-inf, inf)", "mean_j": "(-inf, inf)",
    "pulls_i": "integer [1, inf)", "pulls_j": "integer [1, inf)",
}  # fmt: skip
BEFORE = Domain.of(**STATE, where=["delta < mu_star", "mean_j < mu_star - delta"])
AFTER = Domain.of(
    **STATE, horizon="integer [3, inf)",
    where=["delta < mu_star", "mean_j >= mu_star - delta", "horizon >= pulls_i + pulls_j + 1"],
)  # fmt: skip


def imed_index(mean: Any, best: Any, pulls: int, epsilon: Any) -> Any:
    """The index (13) of an arm, in balls."""
    return pulls * d_epsilon(clip01(mean), clip01(best), epsilon) + log(to_ball(pulls))


def imed_indices(mean_i: Any, mean_j: Any, pulls_i: int, pulls_j: int, epsilon: Any) -> tuple[Any, Any]:
    best = maximum(mean_i, mean_j)
    return imed_index(mean_i, best, pulls_i, epsilon), imed_index(mean_j, best, pulls_j, epsilon)


def if_(premise: bool | None, left: Any, operator: str, right: Any) -> Sides:
    """The comparison where the premise certainly holds; nothing is claimed where it fails, nothing known in between."""
    if premise is None:
        return to_ball("nan"), "<=", to_ball(0)
    return (left, operator, right) if premise else (0, "<=", 0)


def states(**values: list[Any]) -> Iterator[dict[str, Any]]:
    """All combinations of the values with the default ones; those outside the claim's domain are left out later.

    The counts differ, because balls cannot decide between two equal indices.
    """
    grid = {
        "mu_star": ["1/2", "9/10"], "delta": ["1/10"], "epsilon": ["1/4", "4"], "mean_i": ["-1", "3/10", "3/5", "1"],
        "mean_j": ["-1/2", "3/10", "2/5", "1/2", "3/2"], "pulls_i": [3, 7, 30], "pulls_j": [1, 5, 31], **values,
    }  # fmt: skip
    for combination in itertools.product(*grid.values()):
        yield {n: Fraction(v) if isinstance(v, str) else v for n, v in zip(grid, combination, strict=True)}


def inside(check: Check, points: Iterator[dict[str, Any]]) -> list[dict[str, Any]]:
    return [p for p in points if check.domain.contains(p)]


def with_horizons(points: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for point in points:
        played = point["pulls_i"] + point["pulls_j"]
        yield point | {"horizon": played + 1}
        yield point | {"horizon": 1000 * played}


# ------------------------------------------------------------------------------ (37): before the best arm has converged


def selected_index(mean_i: Any, mean_j: Any, pulls_i: int, pulls_j: int, epsilon: Any, extremum: str) -> Sides:
    index_i, index_j = imed_indices(mean_i, mean_j, pulls_i, pulls_j, epsilon)
    other = "<=" if extremum == "min" else ">="
    return if_(holds(index_i, "<", index_j), index_i, other, index_j)


def check_selected_index(check: Check) -> None:
    check.enumerate(selected_index, inside(check, states(mean_j=["-1/2", "3/10"])), routes=BALLS)


@claim(
    "BDP-TF.7/37-selected-index",
    r"after (37): the index of the selected arm is $I_i(t)=I^*(t)=\<extremum>_{i'}I_{i'}(t)$",
    domain=BEFORE, constants={"extremum": "max"}, role="step",
)  # fmt: skip
def selected_arm_has_the_largest_index(check: Check) -> None:
    """DP-IMED selects the arm of the smallest index."""
    check_selected_index(check)


@claim(
    "BDP-TF.7/37-selected-index-repaired",
    r"the index of the selected arm is $I_i(t)=I^*(t)=\<extremum>_{i'}I_{i'}(t)$",
    domain=BEFORE, constants={"extremum": "min"}, mutations=[mutation("as printed", extremum="max")],
    role="repair", repairs="BDP-TF.7/37-selected-index",
)  # fmt: skip
def selected_arm_has_the_smallest_index(check: Check) -> None:
    check_selected_index(check)


def level_of_best_arm(mean_j: Any, pulls_j: int, mu_star: Any, delta: Any, epsilon: Any) -> Any:
    """N_j d([mean_j], mu* - delta) + log N_j: the bound of (37) on a path that is below mu* - delta in this batch "
    "only."""
    return imed_index(mean_j, mu_star - delta, pulls_j, epsilon)


def index_of_best_arm(mean_i: Any, mean_j: Any, pulls_i: int, pulls_j: int, mu_star: Any, delta: Any, epsilon: Any,
                      others: str) -> Sides:  # fmt: skip
    index_i, index_j = imed_indices(mean_i, mean_j, pulls_i, pulls_j, epsilon)
    premise = both(holds(index_i, "<=", index_j), allowed(others, mean_i, mu_star - delta))
    return if_(premise, index_j, "<=", level_of_best_arm(mean_j, pulls_j, mu_star, delta, epsilon))


def allowed(which: str, mean: Any, target: Any) -> bool | None:
    """Whether a condition on the arm's noisy mean holds: 'below' the target, or 'any' value."""
    return True if which == "any" else holds(mean, "<", target)


def both(first: bool | None, second: bool | None) -> bool | None:
    return False if first is False or second is False else None if None in (first, second) else True


def index_of_selected_arm(mean_i: Any, mean_j: Any, pulls_i: int, pulls_j: int, mu_star: Any, delta: Any, epsilon: Any,
                          others: str) -> Sides:  # fmt: skip
    index_i, index_j = imed_indices(mean_i, mean_j, pulls_i, pulls_j, epsilon)
    premise = both(holds(index_i, "<=", index_j), allowed(others, mean_i, mu_star - delta))
    return if_(premise, index_i, "<=", level_of_best_arm(mean_j, pulls_j, mu_star, delta, epsilon))


@claim(
    "BDP-TF.7/37-chain",
    r"after (37), third inequality: $i(t)=i$ and $\tilde\mu_j(t)<\mu^\star-\delta$ imply "
    r"$I_j(t)\le N_jd_\epsilon([\tilde\mu_j(t)]_0^1,\mu^\star-\delta)+\log N_j$",
    domain=BEFORE, constants={"others": "any"}, role="step",
)  # fmt: skip
def best_index_against_the_target(check: Check) -> None:
    """The index compares with the largest noisy mean of all arms; nothing keeps that below mu* - delta."""
    check.counterexample(index_of_best_arm, COUNTEREXAMPLE_37)


COUNTEREXAMPLE_37 = {
    "mu_star": Fraction(1, 2), "delta": Fraction(1, 10), "epsilon": Fraction(4), "mean_i": Fraction(9, 10),
    "mean_j": Fraction(0), "pulls_i": 3, "pulls_j": 1,
}  # fmt: skip


@claim(
    "BDP-TF.7/37",
    r"(37): $i(t)=i$ and $\tilde\mu_j(t)<\mu^\star-\delta$ imply $I_i(t)\le\bar "
    r"I_j=\max_m\{n_md_\epsilon([\tilde\mu_{j,m}]_0^1,"
    r"\mu^\star-\delta)+\log n_m\}$ over the $m$ with $\tilde\mu_{j,m}<\mu^\star-\delta$; here only the current $m$ "
    r"is one",
    domain=BEFORE, constants={"others": "any"}, role="step",
)  # fmt: skip
def selected_index_against_the_bound(check: Check) -> None:
    """Arm i leads with 9/10 after 3 pulls, I_i = log 3; arm j stands at 0 after 1 pull, its bound is d_4(0, 2/5)."""
    check.counterexample(index_of_selected_arm, COUNTEREXAMPLE_37)


def slope_in_target(z: Any, u: Any) -> Sides:
    """d/du kl(z, u) for z <= u, the slope of d_epsilon(x, u) in u with z the minimiser."""
    return 0, "<=", (u - z) / (u * (1 - u))


def slope_in_target_argument() -> SymbolicArgument:
    import sympy

    a, c = sympy.symbols("a c", positive=True)
    b = sympy.Symbol("b", nonnegative=True)
    z, u = a / (a + b + c), (a + b) / (a + b + c)
    return SymbolicArgument({"z": z, "u": u}, sympy.factor(sympy.cancel((u - z) / (u * (1 - u)))), "nonnegative")


def slope_below_lemma(z: Any, u: Any) -> Sides:
    """The same slope is at most that of Lemma F.5."""
    return (u - z) / (u * (1 - u)), "<=", 1 / (1 - u)


def slope_below_lemma_argument() -> SymbolicArgument:
    import sympy

    a, b = sympy.symbols("a b", positive=True)
    z, u = a / (1 + a), b / (1 + b)
    return SymbolicArgument({"z": z, "u": u}, sympy.factor(sympy.cancel(z / (u * (1 - u)))), "nonnegative")


def monotone_in_target(because: str) -> dict[str, Any]:
    """d_epsilon(x, .) does not decrease on [x, 1), and what follows from it."""
    domain = Domain.of(z="(0, 1)", u="(0, 1)", where=["z <= u"])
    joint = "the infimum over z has the slope of its objective at the minimiser z <= u (envelope theorem); " + because
    return derivation([fact(slope_in_target, domain, slope_in_target_argument)], joint)


LOW_MEANS = {"mean_i": ["-1", "0", "1/5", "3/10", "3/5", "1"], "mean_j": ["-1/2", "1/10", "3/10"]}
NO_CONDITION = [mutation("no condition on the other arm", others="any")]


def check_low_means(check: Check, relation: Any) -> None:
    over = inside(check, states(**LOW_MEANS))
    if check.enumerate(relation, over, routes=BALLS) and check.constants["others"] == "below":
        proof = monotone_in_target("the largest noisy mean, in [x, mu* - delta], may be replaced by mu* - delta")
        check.certificate(facts_hold, proof, routes=COMPOSED)


@claim(
    "BDP-TF.7/37-chain-repaired",
    r"by the largest noisy mean: $i(t)=i$, $\tilde\mu_j(t)<\mu^\star-\delta$ and $\tilde\mu_i(t)<\mu^\star-\delta$ "
    r"imply $I_j(t)\le N_jd_\epsilon([\tilde\mu_j(t)]_0^1,\mu^\star-\delta)+\log N_j$",
    domain=BEFORE, constants={"others": "below"}, mutations=NO_CONDITION,
    role="repair", repairs="BDP-TF.7/37-chain",
)  # fmt: skip
def best_index_when_all_means_are_low(check: Check) -> None:
    check_low_means(check, index_of_best_arm)


@claim(
    "BDP-TF.7/37-repaired",
    r"by the largest noisy mean: $i(t)=i$, $\tilde\mu_j(t)<\mu^\star-\delta$ and $\tilde\mu_i(t)<\mu^\star-\delta$ "
    r"imply $I_i(t)\le\bar I_j$",
    domain=BEFORE, constants={"others": "below"}, mutations=NO_CONDITION, role="repair", repairs="BDP-TF.7/37",
)  # fmt: skip
def selected_index_when_all_means_are_low(check: Check) -> None:
    check_low_means(check, index_of_selected_arm)


# ------------------------------------------------------------------------------- (42): after the best arm has converged


def leading_index(mean_i: Any, mean_j: Any, pulls_i: int, pulls_j: int, horizon: int, epsilon: Any,
                  share: Any) -> Sides:  # fmt: skip
    return minimum(*imed_indices(mean_i, mean_j, pulls_i, pulls_j, epsilon)), "<=", share * log(to_ball(horizon))


@claim(
    "BDP-TF.7/42-leader",
    r"before (42): $I^*(t)\le\log N_{i'}\le<share>\log T$ for an arm $i'$ whose noisy mean is the largest "
    r"(the count printed is $N_{i'}(T)$; the index holds $N_{i'}(t-1)$)",
    domain=AFTER, constants={"share": 1}, mutations=[mutation("half of log T", share="1/2")], role="step",
)  # fmt: skip
def smallest_index_below_log_horizon(check: Check) -> None:
    check.enumerate(leading_index, inside(check, with_horizons(states())), routes=BALLS)


def level_is_target(mean_i: Any, mean_j: Any, pulls_i: int, pulls_j: int, mu_star: Any, delta: Any, epsilon: Any,
                    operator: str, arm_i: str) -> Sides:  # fmt: skip
    index_i, index_j = imed_indices(mean_i, mean_j, pulls_i, pulls_j, epsilon)
    premise = both(holds(index_i, "<=", index_j), allowed(arm_i, mean_i, mu_star - delta))
    x, best = clip01(mean_i), clip01(maximum(mean_i, mean_j))
    sides = pulls_i * d_epsilon(x, best, epsilon), operator, pulls_i * d_epsilon(x, mu_star - delta, epsilon)
    return if_(premise, *sides)


@claim(
    "BDP-TF.7/42-equality",
    r"before (42): $i(t)=i$ and $\tilde\mu_j(t)\ge\mu^\star-\delta$ imply "
    r"$n_md_\epsilon([\tilde\mu_i(t)]_0^1,[\tilde\mu^*(t)]_0^1)=n_md_\epsilon([\tilde\mu_i(t)]_0^1,\mu^\star-\delta)$",
    domain=AFTER, constants={"operator": "==", "arm_i": "any"}, role="step",
)  # fmt: skip
def the_largest_mean_is_the_target(check: Check) -> None:
    """The event says that the largest noisy mean is at least mu* - delta, not that it equals it."""
    point = {"mu_star": "1/2", "delta": "1/10", "epsilon": "1", "mean_i": "1/4", "mean_j": "3/4"}
    counts = {"pulls_i": 1, "pulls_j": 3, "horizon": 5}
    check.counterexample(level_is_target, {n: Fraction(v) for n, v in point.items()} | counts)


def low_divergence(mean_i: Any, mean_j: Any, pulls_i: int, pulls_j: int, mu_star: Any, delta: Any, epsilon: Any,
                   horizon: int, arm_i: str) -> Sides:  # fmt: skip
    index_i, index_j = imed_indices(mean_i, mean_j, pulls_i, pulls_j, epsilon)
    premise = both(holds(index_i, "<=", index_j), allowed(arm_i, mean_i, mu_star - delta))
    left = pulls_i * d_epsilon(clip01(mean_i), mu_star - delta, epsilon)
    return if_(premise, left, "<=", log(to_ball(horizon)))


def low_divergence_to_best(mean_i: Any, mean_j: Any, pulls_i: int, pulls_j: int, mu_star: Any, delta: Any, epsilon: Any,
                           horizon: int, arm_i: str) -> Sides:  # fmt: skip
    index_i, index_j = imed_indices(mean_i, mean_j, pulls_i, pulls_j, epsilon)
    left = pulls_i * (d_epsilon(clip01(mean_i), mu_star, epsilon) - delta / (1 - mu_star))
    premise = both(holds(index_i, "<=", index_j), allowed(arm_i, mean_i, mu_star - delta))
    return if_(premise, left, "<=", log(to_ball(horizon)))


LEADING = {
    "mu_star": Fraction(1, 2), "delta": Fraction(1, 20), "epsilon": Fraction(4), "mean_i": Fraction(1),
    "mean_j": Fraction(1, 2), "pulls_i": 7, "pulls_j": 3, "horizon": 11,
}  # fmt: skip


@claim(
    "BDP-TF.7/42",
    r"(42): $\{i(t)=i,\tilde\mu_j(t)\ge\mu^\star-\delta\}\subset\{n_md_\epsilon([\tilde\mu_i(t)]_0^1,\mu^\star-"
    r"\delta)\le\log T\}$",
    domain=AFTER, constants={"arm_i": "any"}, role="step",
)  # fmt: skip
def low_divergence_after_convergence(check: Check) -> None:
    """If arm i itself leads, its own divergence to the largest noisy mean is 0, and that to mu* - delta may be "
    "large."""
    check.counterexample(low_divergence, LEADING)


@claim(
    "BDP-TF.7/42-best",
    r"(42), last line: $\{i(t)=i,\tilde\mu_j(t)\ge\mu^\star-\delta\}\subset\{n_m(d_\epsilon([\tilde\mu_i(t)]_0^1,"
    r"\mu^\star)-\delta')\le\log T\}$",
    domain=AFTER, constants={"arm_i": "any"}, role="step",
)  # fmt: skip
def low_divergence_to_best_after_convergence(check: Check) -> None:
    check.counterexample(low_divergence_to_best, LEADING)


HIGH_MEANS = {"mean_i": ["-1", "0", "1/5", "3/10", "3/4", "1"], "mean_j": ["9/20", "1/2", "19/20", "2"]}
ANY_ARM_I = [mutation("no condition on arm i", arm_i="any")]
TARGET_BELOW = "mu* - delta may replace the larger [mu*(t)]; I_i is at most the leader's log N < log T"


def check_high_means(check: Check, relation: Any, extra: list[dict[str, Any]], because: str) -> None:
    points = with_horizons(states(**HIGH_MEANS))
    if check.enumerate(relation, inside(check, points), routes=BALLS) and check.constants["arm_i"] == "below":
        proof = monotone_in_target(because)
        check.certificate(facts_hold, proof | {"facts": proof["facts"] + extra}, routes=COMPOSED)


@claim(
    "BDP-TF.7/42-equality-repaired",
    r"$i(t)=i$, $\tilde\mu_j(t)\ge\mu^\star-\delta$ and $\tilde\mu_i(t)<\mu^\star-\delta$ imply "
    r"$n_md_\epsilon([\tilde\mu_i(t)]_0^1,[\tilde\mu^*(t)]_0^1)\ge "
    r"n_md_\epsilon([\tilde\mu_i(t)]_0^1,\mu^\star-\delta)$",
    domain=AFTER, constants={"operator": ">=", "arm_i": "below"}, mutations=ANY_ARM_I,
    role="repair", repairs="BDP-TF.7/42-equality",
)  # fmt: skip
def the_largest_mean_is_above_the_target(check: Check) -> None:
    check_high_means(check, level_is_target, [], TARGET_BELOW)


@claim(
    "BDP-TF.7/42-repaired",
    r"$\{i(t)=i,\tilde\mu_j(t)\ge\mu^\star-\delta,\tilde\mu_i(t)<\mu^\star-\delta\}\subset"
    r"\{n_md_\epsilon([\tilde\mu_i(t)]_0^1,\mu^\star-\delta)\le\log T\}$; the other case is the tail event of (45)",
    domain=AFTER, constants={"arm_i": "below"}, mutations=ANY_ARM_I, role="repair", repairs="BDP-TF.7/42",
)  # fmt: skip
def low_divergence_when_arm_i_is_low(check: Check) -> None:
    check_high_means(check, low_divergence, [], TARGET_BELOW)


@claim(
    "BDP-TF.7/42-best-repaired",
    r"$\{i(t)=i,\tilde\mu_j(t)\ge\mu^\star-\delta,\tilde\mu_i(t)<\mu^\star-\delta\}\subset"
    r"\{n_m(d_\epsilon([\tilde\mu_i(t)]_0^1,\mu^\star)-\delta')\le\log T\}$",
    domain=AFTER, constants={"arm_i": "below"}, mutations=ANY_ARM_I, role="repair", repairs="BDP-TF.7/42-best",
)  # fmt: skip
def low_divergence_to_best_when_arm_i_is_low(check: Check) -> None:
    lemma = fact(slope_below_lemma, Domain.of(z="(0, 1)", u="(0, 1)"), slope_below_lemma_argument)
    check_high_means(
        check, low_divergence_to_best, [lemma], TARGET_BELOW + "; going from mu* - delta to mu* adds at most delta'"
    )


# ----------------------------------------------------------------------------------- Theorem F.9: the same for DP-KLUCB

UCB = Domain.of(
    mu_star="(0, 1)", delta="(0, 1)", epsilon="(0, inf)", mean="(-inf, inf)", pulls="integer [1, inf)",
    t="integer [2, inf)", where=["delta < mu_star", "t > pulls"],
)  # fmt: skip
UCB_GRID = {
    "mu_star": ["1/2", "9/10"], "delta": ["1/10"], "epsilon": ["1/4", "4"],
    "mean": ["-1", "0", "1/5", "3/10", "7/20", "3/4", "9/10", "2"], "pulls": [1, 7, 40], "t": [2, 50, 10**6],
}  # fmt: skip


def rounds(check: Check) -> list[dict[str, Any]]:
    combinations = (dict(zip(UCB_GRID, c, strict=True)) for c in itertools.product(*UCB_GRID.values()))
    exact = ({n: Fraction(v) if isinstance(v, str) else v for n, v in c.items()} for c in combinations)
    return inside(check, exact)


def early_round(mu_star: Any, delta: Any, epsilon: Any, mean: Any, pulls: int, t: int, share: Any) -> Sides:
    level = share * log(to_ball(t)) / pulls
    target = mu_star - delta
    low = holds(dp_klucb_index(clip01(mean), log(to_ball(t)) / pulls, epsilon), "<", target)
    divergence = d_epsilon(clip01(mean), target, epsilon)
    return if_(low, level, "<", divergence) if holds(mean, "<", target) else if_(low, 1, "<=", 0)


@claim(
    "BDP-TF.9/index-below",
    r"before (48) is bounded: $\{\bar\mu_j(t)<\mu^\star-\delta\}\Rightarrow\{d_\epsilon([\tilde\mu_j(t)]_0^1,\mu^"
    r"\star-\delta)>"
    r"<share>\frac{\log t}{N_j(t-1)},\ \tilde\mu_j(t)<\mu^\star-\delta\}$",
    domain=UCB, constants={"share": 1}, mutations=[mutation("three times the level", share=3)], role="step",
)  # fmt: skip
def a_low_index_means_a_large_divergence(check: Check) -> None:
    check.enumerate(early_round, rounds(check), routes=("index by root finding, in balls", "divergence, in balls"))


def late_round(mu_star: Any, delta: Any, epsilon: Any, mean: Any, pulls: int, t: int, arm_i: str) -> Sides:
    level, target = log(to_ball(t)) / pulls, mu_star - delta
    high = holds(dp_klucb_index(clip01(mean), level, epsilon), ">=", target)
    premise = both(high, allowed(arm_i, mean, target))
    return if_(premise, d_epsilon(clip01(mean), target, epsilon), "<=", level)


@claim(
    "BDP-TF.9/index-above",
    r"for (B): $\{\bar\mu_i(t)\ge\mu^\star-\delta\}\Rightarrow\{d_\epsilon([\tilde\mu_i(t)]_0^1,\mu^\star-\delta)\le"
    r"\frac{\log t}{N_i(t)}\}$",
    domain=UCB, constants={"arm_i": "any"}, role="step",
)  # fmt: skip
def a_high_index_means_a_small_divergence(check: Check) -> None:
    """A noisy mean far above mu* - delta has a high index and a large divergence."""
    point = {"mu_star": "1/2", "delta": "1/10", "epsilon": "4", "mean": "1"}
    check.counterexample(late_round, {n: Fraction(v) for n, v in point.items()} | {"pulls": 7, "t": 11})


@claim(
    "BDP-TF.9/index-above-repaired",
    r"$\{\bar\mu_i(t)\ge\mu^\star-\delta,\tilde\mu_i(t)<\mu^\star-\delta\}\Rightarrow"
    r"\{d_\epsilon([\tilde\mu_i(t)]_0^1,\mu^\star-\delta)\le\frac{\log t}{N_i(t)}\}$; the other case is the tail "
    r"event of (45)",
    domain=UCB, constants={"arm_i": "below"}, mutations=[mutation("no condition on arm i", arm_i="any")],
    role="repair", repairs="BDP-TF.9/index-above",
)  # fmt: skip
def a_high_index_of_a_low_mean_means_a_small_divergence(check: Check) -> None:
    sides = "index by root finding, in balls", "divergence, in balls"
    if check.enumerate(late_round, rounds(check), routes=sides) and check.constants["arm_i"] == "below":
        proof = monotone_in_target("mu* - delta is between [mean] and the index, whose divergence is at most log(t)/N")
        check.certificate(facts_hold, proof, routes=COMPOSED)
