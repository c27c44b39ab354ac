r"""Appendix F.7: what the index rules imply about a single decision, the path-wise steps of Theorems F.7 and F.9.

A *state* is what a decision sees: for each arm its noisy mean and its number of pulls. Every state below has two arms,
j with the best mean mu* and a suboptimal i, and any state has positive probability, because the noise is continuous.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.bernoulli_dp.facts.regret import slope_at_most, slope_in_target
from banditproof.theory import clip01, d_epsilon, dp_klucb_index

Horizon = Annotated[Any, "integer [3, inf)"]
BEFORE = ["delta < mu_star", "mean_j < mu_star - delta"]
AFTER = ["delta < mu_star", "mean_j >= mu_star - delta", "horizon >= pulls_i + pulls_j + 1"]


def imed_index(mean: Any, best: Any, pulls: int, epsilon: Any) -> Any:
    """The index (13) of an arm, in balls."""
    return pulls * d_epsilon(clip01(mean), clip01(best), epsilon) + log(to_ball(pulls))


def imed_indices(mean_i: Any, mean_j: Any, pulls_i: int, pulls_j: int, epsilon: Any) -> tuple[Any, Any]:
    best = maximum(mean_i, mean_j)
    return imed_index(mean_i, best, pulls_i, epsilon), imed_index(mean_j, best, pulls_j, epsilon)


Premise = tuple[Any, str, Any]


def if_(premises: Sequence[Premise], left: Any, operator: str, right: Any) -> Sides:
    """The comparison, by the difference of its sides, where all premises hold; nothing is claimed elsewhere."""
    claimed = left - right
    for premise in premises:
        claimed = where(*premise, claimed, 0)
    return claimed, operator, 0


def allowed(which: str, mean: Any, target: Any) -> list[Premise]:
    """A condition on the arm's noisy mean: 'below' the target, or 'any' value."""
    return [] if which == "any" else [(mean, "<", target)]


def selected(indices: Sequence[Any], which: str, mean_i: Any, target: Any) -> list[Premise]:
    """Arm i may be selected, its noisy mean being as the condition says."""
    return [(indices[0], "<=", indices[1]), *allowed(which, mean_i, target)]


NOTATION = {
    r"$\mu^\star$": "mu_star",
    r"$\delta$": "delta",
    r"$\tilde\mu_i$": "mean_i",
    r"$\tilde\mu_j$": "mean_j",
    "$N_i$": "pulls_i",
    "$N_j$": "pulls_j",
}

# The counts differ, because balls cannot decide between two equal indices.
STATES: dict[str, Any] = {
    "mu_star": ["1/2", "9/10"],
    "delta": ["1/10"],
    "epsilon": ["1/4", "4"],
    "mean_i": ["-1", "3/10", "3/5", "1"],
    "mean_j": ["-1/2", "3/10", "2/5", "1/2", "3/2"],
    "pulls_i": [3, 7, 30],
    "pulls_j": [1, 5, 31],
}
LOW_MEANS = {"mean_i": ["-1", "0", "1/5", "3/10", "3/5", "1"], "mean_j": ["-1/2", "1/10", "3/10"]}
HIGH_MEANS = {"mean_i": ["-1", "0", "1/5", "3/10", "3/4", "1"], "mean_j": ["9/20", "1/2", "19/20", "2"]}


def in_states(grid: dict[str, Any]) -> enumerated:
    """The step at the grid's points inside the claim's domain; for states with a horizon at a short and a long one."""

    def points(check: Check) -> list[dict[str, Any]]:
        found = list(check.points(grid))
        if "horizon" in check.domain.sets:
            played = ((p, p["pulls_i"] + p["pulls_j"]) for p in found)
            found = [p | {"horizon": horizon} for p, n in played for horizon in (n + 1, 1000 * n)]
        return [point for point in found if check.domain.contains(point)]

    return enumerated(points, routes=("indices of the state, in balls", "the claimed bound, in balls"))


def monotone_in_target(because: str, *facts: Any) -> argued:
    """d_epsilon(x, .) does not decrease on [x, 1), and what follows from it."""
    joint = "the infimum over z has the slope of its objective at the minimiser z <= u (envelope theorem); " + because
    return argued(joint, slope_in_target, *facts)


def low_mean_i(target: Real, distance: Positive, arm_i="below") -> Sides:
    """Only a noisy mean below the target has the target, and what is larger, where d_epsilon(x, .) grows."""
    return (target - distance if arm_i == "below" else target + distance), "<=", target


@claim(
    "BDP-TF.7/37-selected-index",
    in_states(STATES | {"mean_j": ["-1/2", "3/10"]}),
    where=BEFORE,
    role="step",
    slip="Algorithm 1 selects by arg min; max is a misprint of min on this line.",
    called=NOTATION | {"$I_i(t)-I^*(t)$": "left"},
)
def selected_arm_has_the_largest_index(
    mu_star: Inside,
    delta: Inside,
    epsilon: Positive,
    mean_i: Real,
    mean_j: Real,
    pulls_i: Count,
    pulls_j: Count,
    extremum="max",
):
    r"""after (37): the arm $i$ that DP-IMED selects has $I_i(t)=I^*(t)$ with $I^*(t)=\max_{i'}I_{i'}(t)$ (mean: a noisy
    mean, pulls: the number of pulls so far)

    DP-IMED selects an arm of the smallest index (Algorithm 1), so 'max' should read 'min'. The inequality $I^*(t)\le
    I_j(t)$ that follows is about the minimum too.
    """
    index_i, index_j = imed_indices(mean_i, mean_j, pulls_i, pulls_j, epsilon)
    return if_([(index_i, "<", index_j)], index_i, "<=" if extremum == "min" else ">=", index_j)


@repaired("BDP-TF.7/37-selected-index-repaired", "BDP-TF.7/37-selected-index", deduced())
def selected_arm_has_the_smallest_index(extremum="min"):
    r"""the index of the selected arm is $I_i(t)=I^*(t)=\min_{i'}I_{i'}(t)$"""


def index_against_the_bound(arm: int, state: Sequence[Any], target: Any, others: str) -> Sides:
    """The index of the selected arm i (0) or of the best arm j (1) against N_j d([mean_j], target) + log N_j.

    That is the bound of (37) on a path that is below the target mu* - delta in this batch only.
    """
    mean_i, mean_j, _, pulls_j, epsilon = state
    indices = imed_indices(*state)
    bound = imed_index(mean_j, target, pulls_j, epsilon)
    return if_(selected(indices, others, mean_i, target), indices[arm], "<=", bound)


COUNTEREXAMPLE_37: dict[str, Any] = {
    "mu_star": Fraction(1, 2),
    "delta": Fraction(1, 10),
    "epsilon": Fraction(4),
    "mean_i": Fraction(9, 10),
    "mean_j": Fraction(0),
    "pulls_i": 3,
    "pulls_j": 1,
}


@claim(
    "BDP-TF.7/37-chain",
    fails_at(**COUNTEREXAMPLE_37),
    where=BEFORE,
    role="step",
    cause="BDP-TF.7/37",
    called=NOTATION | {"the difference of $I_j(t)$ and the printed bound": "left"},
)
def best_index_against_the_target(
    mu_star: Inside,
    delta: Inside,
    epsilon: Positive,
    mean_i: Real,
    mean_j: Real,
    pulls_i: Count,
    pulls_j: Count,
    others="any",
):
    r"""after (37), the bound of $I_j(t)$: if arm $i$ is selected and the noisy mean of the best arm $j$ is low,
    $\tilde\mu_j(t)<\mu^\star-\delta$, then $I_j(t)\le N_jd_\epsilon([\tilde\mu_j(t)]_0^1,\mu^\star-\delta)+\log N_j$
    (mean: a noisy mean, pulls: the number $N$ of pulls so far)

    By (13) the index of $j$ depends on the largest noisy mean of all arms, and this need not be below mu* - delta: arm
    i itself may have a larger noisy mean. The bound holds if every noisy mean is below mu* - delta. The other case
    needs a separate bound, by the tail of arm i.
    """
    return index_against_the_bound(1, (mean_i, mean_j, pulls_i, pulls_j, epsilon), mu_star - delta, others)


@claim(
    "BDP-TF.7/37",
    fails_at(**COUNTEREXAMPLE_37),
    where=BEFORE,
    role="step",
    called=NOTATION | {r"$I_i(t)-\bar I_j$": "left"},
)
def selected_index_against_the_bound(
    mu_star: Inside,
    delta: Inside,
    epsilon: Positive,
    mean_i: Real,
    mean_j: Real,
    pulls_i: Count,
    pulls_j: Count,
    others="any",
):
    r"""(37): if arm $i$ is selected and the noisy mean of the best arm $j$ is low, $\tilde\mu_j(t)<\mu^\star-\delta$,
    then $I_i(t)\le\bar I_j=\max_m\{n_md_\epsilon([\tilde\mu_{j,m}]_0^1,\mu^\star-\delta)+\log n_m\}$, over the batches
    $m$ of $j$ with $\tilde\mu_{j,m}<\mu^\star-\delta$; here $j$ has had one batch (mean: a noisy mean, pulls: the
    number of pulls so far)

    The proof forgets the case in which another noisy mean is above mu* - delta, for example that of arm i. In the
    counterexample arm i has the noisy mean 9/10 after 3 pulls and is selected with I_i = log 3, while arm j has the
    noisy mean 0 after 1 pull and the bound d_4(0, 2/5). The step holds if every noisy mean is below mu* - delta. The
    theorem holds too: the other case has a small probability, by the tail of arm i.

    Only the current batch of arm j counts in the maximum; `pulls_j` is its number of pulls.
    """
    return index_against_the_bound(0, (mean_i, mean_j, pulls_i, pulls_j, epsilon), mu_star - delta, others)


WHEN_LOW = (in_states(STATES | LOW_MEANS), deduced())


@repaired("BDP-TF.7/37-chain-repaired", "BDP-TF.7/37-chain", *WHEN_LOW)
def best_index_when_all_means_are_low(others="below"):
    r"""by the largest noisy mean: if $i(t)=i$, $\tilde\mu_j(t)<\mu^\star-\delta$ and
    $\tilde\mu_i(t)<\mu^\star-\delta$, then $I_j(t)\le N_jd_\epsilon([\tilde\mu_j(t)]_0^1,\mu^\star-\delta)+\log N_j$"""


@repaired("BDP-TF.7/37-repaired", "BDP-TF.7/37", *WHEN_LOW)
def selected_index_when_all_means_are_low(others="below"):
    r"""by the largest noisy mean: if $i(t)=i$, $\tilde\mu_j(t)<\mu^\star-\delta$ and
    $\tilde\mu_i(t)<\mu^\star-\delta$, then $I_i(t)\le\bar I_j$"""


def level_is_target(state: Sequence[Any], target: Any, operator: str, arm_i: str) -> Sides:
    mean_i, mean_j, pulls_i, _, epsilon = state
    x, best = clip01(mean_i), clip01(maximum(mean_i, mean_j))
    sides = pulls_i * d_epsilon(x, best, epsilon), operator, pulls_i * d_epsilon(x, target, epsilon)
    return if_(selected(imed_indices(*state), arm_i, mean_i, target), *sides)


@claim(
    "BDP-TF.7/42-equality",
    fails_at(
        mu_star=Fraction(1, 2),
        delta=Fraction(1, 10),
        epsilon=1,
        mean_i=Fraction(1, 4),
        mean_j=Fraction(3, 4),
        pulls_i=1,
        pulls_j=3,
        horizon=5,
    ),
    where=AFTER,
    role="step",
    called=NOTATION | {"$T$": "horizon", "the difference of both sides": "left"},
)
def the_largest_mean_is_the_target(
    mu_star: Inside,
    delta: Inside,
    epsilon: Positive,
    mean_i: Real,
    mean_j: Real,
    pulls_i: Count,
    pulls_j: Count,
    horizon: Horizon,
    operator="==",
    arm_i="any",
):
    r"""before (42): if arm $i$ is selected and $\tilde\mu_j(t)\ge\mu^\star-\delta$ for the best arm $j$, then
    $n_md_\epsilon([\tilde\mu_i(t)]_0^1,[\tilde\mu^*(t)]_0^1)=n_md_\epsilon([\tilde\mu_i(t)]_0^1,\mu^\star-\delta)$ with
    $\tilde\mu^*(t)$ the largest noisy mean (mean: a noisy mean, pulls: the number of pulls so far, horizon: $T$)

    The event says that the largest noisy mean is at least mu* - delta, not that it equals mu* - delta. With >= in place
    of = the line holds if arm i has a noisy mean below mu* - delta, and (42) only needs >=.
    """
    return level_is_target((mean_i, mean_j, pulls_i, pulls_j, epsilon), mu_star - delta, operator, arm_i)


WHEN_HIGH = in_states(STATES | HIGH_MEANS)
TARGET_BELOW = "mu* - delta may replace the larger [mu*(t)]; I_i is at most the leader's log N < log T"


@repaired("BDP-TF.7/42-equality-repaired", "BDP-TF.7/42-equality", WHEN_HIGH, deduced(), false={"arm_i": "any"})
def the_largest_mean_is_above_the_target(operator=">=", arm_i="below"):
    r"""$i(t)=i$, $\tilde\mu_j(t)\ge\mu^\star-\delta$ and $\tilde\mu_i(t)<\mu^\star-\delta$ imply
    $n_md_\epsilon([\tilde\mu_i(t)]_0^1,[\tilde\mu^*(t)]_0^1)\ge
    n_md_\epsilon([\tilde\mu_i(t)]_0^1,\mu^\star-\delta)$"""


def low_divergence(state: Sequence[Any], target: Any, divergence: Any, horizon: int, arm_i: str) -> Sides:
    """N_i times a divergence of arm i against log T."""
    mean_i, _, pulls_i, _, _ = state
    premise = selected(imed_indices(*state), arm_i, mean_i, target)
    return if_(premise, pulls_i * divergence, "<=", log(to_ball(horizon)))


LEADING: dict[str, Any] = {
    "mu_star": Fraction(1, 2),
    "delta": Fraction(1, 20),
    "epsilon": Fraction(4),
    "mean_i": Fraction(1),
    "mean_j": Fraction(1, 2),
    "pulls_i": 7,
    "pulls_j": 3,
    "horizon": 11,
}


@claim(
    "BDP-TF.7/42",
    fails_at(**LEADING),
    where=AFTER,
    role="step",
    cause="BDP-TF.7/37",
    called=NOTATION | {"$T$": "horizon", r"the difference of the left side and $\log T$": "left"},
)
def low_divergence_after_convergence(
    mu_star: Inside,
    delta: Inside,
    epsilon: Positive,
    mean_i: Real,
    mean_j: Real,
    pulls_i: Count,
    pulls_j: Count,
    horizon: Horizon,
    arm_i="any",
):
    r"""(42): if arm $i$ is selected with $n_m$ pulls and $\tilde\mu_j(t)\ge\mu^\star-\delta$ for the best arm $j$, then
    $n_md_\epsilon([\tilde\mu_i(t)]_0^1,\mu^\star-\delta)\le\log T$ (mean: a noisy mean, pulls: the number of pulls so
    far, horizon: $T$)

    The proof forgets the case in which arm i itself has the largest noisy mean: its index is then log n_m, but its
    divergence to mu* - delta may be large. The step holds if the noisy mean of arm i is below mu* - delta. The other
    case has a small probability, by the tail of arm i, so the theorem holds.
    """
    state, target = (mean_i, mean_j, pulls_i, pulls_j, epsilon), mu_star - delta
    return low_divergence(state, target, d_epsilon(clip01(mean_i), target, epsilon), horizon, arm_i)


@repaired("BDP-TF.7/42-repaired", "BDP-TF.7/42", WHEN_HIGH, deduced())
def low_divergence_when_arm_i_is_low(arm_i="below"):
    r"""$\{i(t)=i,\tilde\mu_j(t)\ge\mu^\star-\delta,\tilde\mu_i(t)<\mu^\star-\delta\}\subset\{n_md_\epsilon([\tilde\mu_i(t)]_0^1,\mu^\star-\delta)\le\log
    T\}$; the other case is the tail event of (45)"""


@claim(
    "BDP-TF.7/42-best",
    fails_at(**LEADING),
    where=AFTER,
    role="step",
    cause="BDP-TF.7/37",
    called=NOTATION | {"$T$": "horizon", r"the difference of the left side and $\log T$": "left"},
)
def low_divergence_to_best_after_convergence(
    mu_star: Inside,
    delta: Inside,
    epsilon: Positive,
    mean_i: Real,
    mean_j: Real,
    pulls_i: Count,
    pulls_j: Count,
    horizon: Horizon,
    arm_i="any",
):
    r"""(42), last line: if arm $i$ is selected with $n_m$ pulls and $\tilde\mu_j(t)\ge\mu^\star-\delta$ for the best
    arm $j$, then $n_m(d_\epsilon([\tilde\mu_i(t)]_0^1,\mu^\star)-\delta')\le\log T$ with $\delta'=\delta/(1-\mu^\star)$
    (mean: a noisy mean, pulls: the number of pulls so far, horizon: $T$)

    The reason is that of the line before: arm i may itself have the largest noisy mean.
    """
    lowered = d_epsilon(clip01(mean_i), mu_star, epsilon) - delta / (1 - mu_star)
    return low_divergence((mean_i, mean_j, pulls_i, pulls_j, epsilon), mu_star - delta, lowered, horizon, arm_i)


@repaired(
    "BDP-TF.7/42-best-repaired",
    "BDP-TF.7/42-best",
    WHEN_HIGH,
    monotone_in_target(TARGET_BELOW + "; going from mu* - delta to mu* adds at most delta'", slope_at_most, low_mean_i),
)
def low_divergence_to_best_when_arm_i_is_low(arm_i="below"):
    r"""$\{i(t)=i,\tilde\mu_j(t)\ge\mu^\star-\delta,\tilde\mu_i(t)<\mu^\star-\delta\}\subset\{n_m(d_\epsilon([\tilde\mu_i(t)]_0^1,\mu^\star)-\delta')\le\log
    T\}$"""


ROUND = ["delta < mu_star", "t > pulls"]


def late_round(mu_star: Any, delta: Any, epsilon: Any, mean: Any, pulls: int, t: int, arm_i: str) -> Sides:
    level, target = log(to_ball(t)) / pulls, mu_star - delta
    high = dp_klucb_index(clip01(mean), level, epsilon), ">=", target
    return if_([high, *allowed(arm_i, mean, target)], d_epsilon(clip01(mean), target, epsilon), "<=", level)


@claim(
    "BDP-TF.9/index-above",
    fails_at(mu_star=Fraction(1, 2), delta=Fraction(1, 10), epsilon=4, mean=1, pulls=7, t=11),
    where=ROUND,
    role="step",
    cause="BDP-TF.7/37",
    called={
        r"$\mu^\star$": "mu_star",
        r"$\tilde\mu_i$": "mean",
        "$N_i$": "pulls",
        "the difference of both sides": "left",
    },
)
def a_high_index_means_a_small_divergence(
    mu_star: Inside, delta: Inside, epsilon: Positive, mean: Real, pulls: Count, t: TwoOrMore, arm_i="any"
):
    r"""for (B), before (42) is used: if the index of arm $i$ is high, $\bar\mu_i(t)\ge\mu^\star-\delta$, then
    $d_\epsilon([\tilde\mu_i(t)]_0^1,\mu^\star-\delta)\le\frac{\log t}{N_i(t)}$ (mean: a noisy mean, pulls: the number
    of pulls so far)

    The proof forgets the case in which the noisy mean of arm i is itself far above mu* - delta: its index is then high
    and its divergence to mu* - delta is large. The step holds if that noisy mean is below mu* - delta. The other case
    has a small probability, by the tail of arm i, so the theorem holds.
    """
    return late_round(mu_star, delta, epsilon, mean, pulls, t, arm_i)


@repaired("BDP-TF.9/index-above-repaired", "BDP-TF.9/index-above", deduced())
def a_high_index_of_a_low_mean_means_a_small_divergence(arm_i="below"):
    r"""$\{\bar\mu_i(t)\ge\mu^\star-\delta,\tilde\mu_i(t)<\mu^\star-\delta\}\Rightarrow\{d_\epsilon([\tilde\mu_i(t)]_0^1,\mu^\star-\delta)\le\frac{\log
    t}{N_i(t)}\}$; the other case is the tail event of (45)"""


def indicator(divergence: Any, pulls: int, rounds: int) -> Any:
    """1[d <= log(rounds) / pulls]; the divergence must not be at the level itself."""
    return where(to_ball(divergence), "<=", log(to_ball(rounds)) / pulls, 1, 0)


@claim(
    "BDP-TF.9/round-outside-its-sum",
    fails_at(divergence=1, pulls=1, s=9, t=2, horizon=9),
    where=["s <= horizon", "t <= horizon"],
    role="reading",
)
def round_outside_its_sum(divergence: Positive, pulls: Count, s: TwoOrMore, t: TwoOrMore, horizon: Horizon):
    r"""for (B), where the indicator of $d\le\frac{\log t}{n_m}$ leaves the sum over $t$,
    $d=d_\epsilon([\tilde\mu_{i,n_m}]_0^1,\mu^\star-\delta)$, read for any $t\le T$: if it is 1 in the round $s$ in
    which arm $i$ is selected with $n_m$ pulls, it is 1 with the $\log t$ that stands outside

    Outside of the sum over t, nothing says which t is meant; for a t before s the indicator may be 0. With log T in
    place of log t, as in (42), the line holds.
    """
    return indicator(divergence, pulls, s), "<=", indicator(divergence, pulls, t)
