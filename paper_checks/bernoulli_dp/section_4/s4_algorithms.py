r"""Section 4, the algorithms: Algorithm 1, its indices (12) and (13), and its design.

Runs of Algorithm 1 are enumerated over all short binary reward lists and compared, release by release, with the pseudo
code; the indices are compared with the formula (8) for d_epsilon as printed, written out here a second time.
"""

import itertools
from collections.abc import Callable, Iterable
from fractions import Fraction
from math import inf
from typing import Annotated, Any

import numpy as np

from banditproof.algorithms import GeometricBatches, NoiseSource
from banditproof.algorithms.environment import RewardList
from banditproof.algorithms.run.simulator import SimulationResult, simulate
from banditproof.claims.language import *
from banditproof.claims.recorded_runs import RewardLists
from banditproof.paper_checks.bernoulli_dp.facts.batches import batch, pulls
from banditproof.paper_checks.shared.dyadic_runs import ARMS, BATCHES, RULES, RecordedRun, recorded_run
from banditproof.paper_checks.shared.pseudocode import Line, read_before_set
from banditproof.theory import dp_klucb_index

Rule = Annotated[Any, "all: DP-KLUCB and DP-IMED"]
RUNS = Domain.of(rule="all: DP-KLUCB and DP-IMED", rewards="all: every list of rewards in [0, 1]", epsilon="(0, inf)")
RECORDED = ("state of the policy at the end of the run", "the run's rewards and recorded releases, added up exactly")


def in_runs(routes: tuple[str, str] = RECORDED) -> enumerated:
    """Both rules, all binary reward lists of one length (two arms, doubling batches), three budgets."""
    return enumerated(
        rule=list(RULES),
        rewards=pick(*(list(itertools.product((0, 1), repeat=length)) for length in (6, 9))),
        epsilon=["1/128", "1/4", "4"],
        covers=lambda check: {"rewards": f"all: every list of {check.pick(6, 9)} binary rewards"},
        rational=True,
        routes=routes,
    )


item(
    "BDP-A1",
    r"""Algorithm 1: noisy sums are cumulative and hold one $\mathrm{Lap}(1/\epsilon)$ term per batch; each batch goes
    to an arm with the best index (12) or (13)""",
    domain=RUNS,
)


def batches_after(samples: int) -> int:
    """m with n_m = samples; -1 if there is none."""
    totals = list(itertools.takewhile(lambda n: n <= samples, BATCHES.totals()))
    return len(totals) - 1 if totals and totals[-1] == samples else -1


@claim(
    "BDP-A1/noise-terms",
    in_runs(("releases counted per arm", "batch number, from the number of samples")),
    false=[{"extra": 0}, {"extra": 2}],
)
def number_of_noise_terms(rule: Rule, rewards: RewardLists, epsilon: Positive, extra=1):
    r"""after batch $m$ of an arm its noisy sum has had $m+1$ Laplace terms added"""
    run = recorded_run(rule, rewards, epsilon)
    counts = tuple(len(run.of(arm)) for arm in range(ARMS))
    return counts, "==", tuple(batches_after(n) + extra for n in run.samples)


def share_of_past(run: RecordedRun, kept: Any) -> tuple[Fraction, ...]:
    """Per arm the share of its past batches, and its last one, each with its noise."""
    batches = [[sum(phase.rewards) + phase.noise for phase in run.of(arm)] for arm in range(ARMS)]
    return tuple(kept * sum(past, Fraction(0)) + last for *past, last in batches)


@claim("BDP-A1/limit-of-the-sum-repaired", deduced(), repairs="BDP-A1/limit-of-the-sum")
def rewards_of_the_batch(alpha: AboveOne, n0: Count, m: Natural):
    r"""with the upper limit $n_m+B_{m+1}=n_{m+1}$ the sum takes the $B_{m+1}$ rewards of the batch

    Here n_{m+1} is the total size of all batches up to m + 1.
    """
    last = total(lambda k: batch(alpha, n0, k), 0, m + 1)
    return last - pulls(alpha, n0, m, 1), "==", batch(alpha, n0, m, 1)


# The names of Algorithm 1 for one arm, m for m_i: n_m and n_next for n_m and n_{m+1}, likewise sums and means.
START = [
    Line(1, "B", "X"),
    Line(2, "X epsilon", "sum_m"),
    Line(3, "sum_m B", "mean_m"),
    Line(4, "", "m"),
    Line(5, "B", "n_m"),
    Line(6, "K B", "t"),
]
ROUND = [
    Line(7, "t T"),
    Line(8, "mean_m n_m t epsilon", "i"),
    Line(9, "i B m n_m", "X"),
    Line(10, "sum_m X epsilon", "sum_next"),
    Line(11, "sum_next n_next", "mean_next"),
    Line(12, "m n_m B t", "n_next"),
]


def read_too_early(totals: str) -> int:
    known = "B K T epsilon" + " n_next" * (totals != "a variable")
    return len(read_before_set(known, [*START, *ROUND]))


@claim(
    "BDP-A1/names",
    enumerated([{}], rational=True, routes=("names read before they are set", "none")),
    false={"totals": "a variable"},
)
def every_name_is_known(totals="the totals of the batch sizes"):
    r"""no line reads a name that neither the input nor an earlier line gives, where $n_0,n_1,\dots$ are the totals of
    the batch sizes: by (35) they are $B_0$, $B_0+B_1$ and so on"""
    return read_too_early(totals), "<=", 0


@claim("BDP-A1/total-before-it-is-set", fails_at(rational=True), role="reading")
def total_before_it_is_set(totals="a variable"):
    r"""the 'cumulative pull number' $n_{m_i}$, set to $B_0$ at first, read as a variable that the last line of the loop
    sets: no line reads a name that neither the input nor an earlier line gives

    The private mean divides by n_{m+1} one line before it is set. The totals of the batch sizes are known in advance,
    so nothing is missing.
    """
    return read_too_early(totals), "<=", 0


@claim("BDP-A1/cumulative-sums", in_runs(), false=[{"kept": "1/2"}, {"kept": 0}])
def sums_are_cumulative(rule: Rule, rewards: RewardLists, epsilon: Positive, kept=1):
    r"""after batch $m$: $\tilde S=\sum_{k<m}(\text{batch }k+Y_k)+\text{batch }m+Y_m$, with all rewards"""
    run = recorded_run(rule, rewards, epsilon)
    return run.sums, "==", share_of_past(run, kept)


def state_before(run: RecordedRun, k: int) -> tuple[list[Any], list[int]]:
    """Clipped noisy means (balls) and numbers of samples of all arms before phase k, from the releases."""
    means, samples = [], []
    for arm in range(ARMS):
        phases = [p for p in run.phases[:k] if p.arm == arm]
        samples.append(sum(len(p.rewards) for p in phases))
        total = sum((sum(p.rewards) + p.noise for p in phases), Fraction(0))
        means.append(to_ball(clipped(total / samples[-1])))
    return means, samples


def imed_decision_is_best(run: RecordedRun, k: int, epsilon: Fraction, weight: Any) -> bool:
    """Whether no arm has a certainly smaller index (13) than the one that was pulled."""
    means, samples = state_before(run, k)
    best = means[0] if means[0] >= means[1] else means[1]
    pairs = zip(means, samples, strict=True)
    indices = [n * printed_divergence(mean, best, to_ball(epsilon)) + weight * log(to_ball(n)) for mean, n in pairs]
    return not any(index < indices[run.phases[k].arm] for index in indices)


def klucb_decision_is_best(run: RecordedRun, k: int, epsilon: Fraction, factor: Any) -> bool:
    """Whether every rival's index (12), found by bisection, is feasible for the arm pulled, up to 1e-9.

    The bisection's answer is only a guess: that nothing above it is feasible for the rival is confirmed in balls.
    """
    means, samples = state_before(run, k)
    budget, pulled, slack = to_ball(epsilon), run.phases[k].arm, to_ball("1e-9")
    level = [to_ball(factor) * log(to_ball(run.phases[k].clock + 1)) / n for n in samples]

    def feasible(arm: int, mean: Any) -> bool:
        return mean <= means[arm] or bool(printed_divergence(means[arm], mean, budget) <= level[arm])

    for rival in range(ARMS):
        guess = to_ball(bisected(lambda q, rival=rival: feasible(rival, to_ball(q))))
        above = guess + slack
        if above < 1 and not printed_divergence(means[rival], above, budget) > level[rival]:
            return False
        if not feasible(pulled, guess - slack):
            return False
    return True


def bisected(feasible: Callable[[float], bool]) -> float:
    """The largest feasible float in [0, 1] up to 2^-40, where feasibility is lost once and for all."""
    low, high = 0.0, 1.0
    if feasible(high):
        return high
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if feasible(middle) else (low, middle)
    return low


@claim(
    "BDP-A1/decisions",
    in_runs(("the arms the policy pulled", "indices from the printed formulas, in balls, by bisection")),
    false=[{"level": 3}, {"weight": 0}],
)
def decisions_follow_the_indices(rule: Rule, rewards: RewardLists, epsilon: Positive, level=1, weight=1):
    r"""after the initialisation every batch goes to an arm whose index is best: (12) at level $\log(t)/N$, or (13) with
    the term $\log N$"""
    run = recorded_run(rule, rewards, epsilon)
    best, factor = (imed_decision_is_best, weight) if rule == "DP-IMED" else (klucb_decision_is_best, level)
    return sum(not best(run, k, epsilon, factor) for k in range(ARMS, len(run.phases))), "==", 0


@quantity
def pulls_to_the_letter(arms: int, first: int, horizon: int) -> int:
    """How many pulls Algorithm 1 makes with batches B_m = `first` 2^m, if every decision selects arm 1."""
    schedule, m, t = GeometricBatches(2, first), 0, arms * first + 1
    while t <= horizon:
        m += 1
        t += schedule.size(m)
    return t - 1


@claim(
    "BDP-A1/exactly-horizon-pulls",
    fails_at(arms=1, first=1, horizon=2, rational=True),
    fails_at(arms=2, first=1, horizon=1, rational=True),
    role="reading",
)
def exactly_horizon_pulls(arms: Count, first: Count, horizon: Count):
    r"""literal reading: with horizon $T$ the pseudo code makes exactly $T$ pulls (batches $B_m=B_0\,2^m$)

    The loop is 'while t <= T do'. A batch that begins at t <= T is played in full, and the initialisation makes K B_0
    pulls even if T is smaller. The pulls are counted on the pseudocode taken literally, on a run in which every
    decision selects arm 1.
    """
    return pulls_to_the_letter(arms, first, horizon), "==", horizon


def on_alternating_rewards(rule: str, arms: int, first: int, horizon: int, overshoot: bool) -> SimulationResult:
    rewards = [t % 2 for t in range(4 * (horizon + arms * first))]
    generator = np.random.default_rng([arms, first, horizon])
    policy = RULES[rule](arms, Budget.pure(1.0), GeometricBatches(2, first), NoiseSource(generator))
    times = np.arange(1, horizon + 1)
    return simulate(policy, RewardList(rewards, arms), horizon, generator, times, overshoot=overshoot)


@claim(
    "BDP-A1/exactly-horizon-pulls-repaired",
    enumerated(
        rule=list(RULES),
        arms=[1, 2, 3],
        first=[1, 2],
        horizon=pick(range(1, 13), range(1, 41)),
        rational=True,
        routes=("run cut at T", "run played in full"),
    ),
    false={"excess": 1},
    repairs="BDP-A1/exactly-horizon-pulls",
)
def exactly_horizon_pulls_when_cut(arms: Count, first: Count, horizon: Count, rule: Rule, excess=0):
    r"""with the last batch cut at $T$ there are $T$ pulls, with the actions of the pseudo code up to $T$

    A release after the last pull changes no action.
    """
    cut, full = (on_alternating_rewards(rule, arms, first, horizon, overshoot) for overshoot in (False, True))
    return (int(cut.pulls.sum()), cut.actions.tolist()), "==", (horizon + excess, full.actions.tolist())


MU_2 = tuple(map(Fraction, ("3/4", "5/8", "1/2", "3/8", "1/4")))


def tie_probability(means: Iterable[Any], epsilon: Any) -> Any:
    """P(the first decision of DP-IMED with n0 = 1 is a tie), a ball: a sum over what clipping makes of each arm.

    After one pull an arm is clipped to 1, to 0, or lies strictly between, where noisy means almost surely differ. The
    index is 0 at the best mean and positive elsewhere: a tie needs two arms at 1, or all at 0.
    """
    decay, laws = exp(-epsilon) / 2, []
    for mean in map(to_ball, means):
        at_one = mean / 2 + (1 - mean) * decay
        at_zero = (1 - mean) / 2 + mean * decay
        laws.append({1: at_one, 0: at_zero, None: 1 - at_one - at_zero})
    total = to_ball(0)
    for pattern in itertools.product((1, 0, None), repeat=len(laws)):
        if pattern.count(1) >= 2 or pattern.count(0) == len(laws) >= 2:
            probability = to_ball(1)
            for law, place in zip(laws, pattern, strict=True):
                probability *= law[place]
            total += probability
    return total


@claim("BDP-A1/unique-minimiser", fails_at(epsilon=Fraction(1, 4)), role="reading")
def unique_minimiser(epsilon: Positive):
    r"""literal reading of $i(t)\in\arg\min_iI_i(t)$ as one arm: for the bandit $\mu_2$ and $n_0=1$ the first decision
    of DP-IMED after the initialisation is a tie with probability 0

    After one pull of each arm, clipping moves a noisy mean to 0 or 1 with positive probability, and two arms at 1, or
    all arms at 0, have the same index. The paper gives no rule for ties; the regret bounds hold for any rule.
    """
    return tie_probability(MU_2, epsilon), "<=", 0


@claim(
    "BDP-A1/unique-minimiser-repaired",
    interval(routes=("sum over 3^5 clipping patterns", "stated probability")),
    false={"floor": "0.6"},
    repairs="BDP-A1/unique-minimiser",
)
def ties_are_frequent(epsilon: AboveZero, floor=Fraction(1, 2)):
    r"""for the bandit $\mu_2$ and $n_0=1$ the first decision of DP-IMED after the initialisation is a tie with
    probability at least $1/2$ at every budget up to 1: a rule is needed"""
    return floor, "<=", tie_probability(MU_2, epsilon)


def printed_divergence(x: Any, y: Any, epsilon: Any) -> Any:
    """d_epsilon as (8) prints it, for x <= y; at y = 1 its limit."""

    def high() -> Any:
        z = y / (y + (1 - y) * exp(epsilon))
        return printed_kl(z, y) + epsilon * (z - x)

    def low_or_high() -> Any:
        return where(epsilon, ">=", log(y / x) + log((1 - x) / (1 - y)), lambda: printed_kl(x, y), high)

    def inside() -> Any:
        return where(x, "==", 0, high, low_or_high)

    return where(x, "==", y, 0, lambda: where(y, "==", 1, lambda: epsilon * (1 - x), inside))


def printed_kl(p: Any, q: Any) -> Any:
    """p log(p/q) + (1-p) log((1-p)/(1-q)) for p in (0, 1)."""
    return p * log(p / q) + (1 - p) * log((1 - p) / (1 - q))


def clipped(x: Any) -> Any:
    """[x]_0^1, exactly."""
    return maximum(0, minimum(x, 1))


@claim("BDP-EQ12/feasible", deduced(), false={"factor": "1.01"})
def klucb_index_is_feasible(x: Probability, level: Positive, epsilon: Positive, factor=1):
    r"""the index $U(x,c)$ at level $c$ satisfies $d_\epsilon(x,U)\le c$"""
    return printed_divergence(x, dp_klucb_index(x, factor * level, epsilon), epsilon), "<=", level


@claim("BDP-EQ12/largest", deduced(), false={"factor": "0.99"})
def klucb_index_is_largest(x: Probability, mean: Probability, level: Positive, epsilon: Positive, factor=1):
    r"""nothing in $(U,1]$ satisfies $d_\epsilon(x,\mu)\le c$, where $U$ is the index at level $c$"""
    index = dp_klucb_index(x, factor * level, epsilon)
    return level, "<", where(mean, "<=", index, inf, lambda: printed_divergence(x, mean, epsilon))


item(
    "BDP-S4.2",
    r"""(Algorithm design) one $\mathrm{Lap}(1/\epsilon)$ per batch as in earlier work; new: no forgetting, at the price
    of $m+1$ noise terms in a sum; exploration level $\log(t)/N$""",
    domain=RUNS,
)


def releases_per_reward(rule: str, rewards: Any, epsilon: Fraction, forgetting: int, scale: Any) -> Sides:
    run = recorded_run(rule, rewards, epsilon, bool(forgetting))
    releases = [phase.release for phase in run.phases]
    pulls = sum(len(phase.rewards) for phase in run.phases)
    scales = {Fraction(r.scale) * epsilon for r in releases if r.distribution == "laplace"}
    touched = {sum(r.covers(time) for r in releases) for time in range(pulls)}
    return (touched, scales), "==", ({1}, {scale})


PRICE = in_runs(("recorded releases", "one per reward, scale 1/epsilon"))


@claim("BDP-S4.2/one-laplace-per-batch", PRICE, false={"scale": 2})
def one_release_per_reward(rule: Rule, rewards: RewardLists, epsilon: Positive, forgetting=0, scale=1):
    r"""without forgetting: every reward enters exactly one release, which gets $\mathrm{Lap}(1/\epsilon)$"""
    return releases_per_reward(rule, rewards, epsilon, forgetting, scale)


@claim("BDP-S4.2/forgetting-costs-the-same", PRICE, false={"scale": 2})
def one_release_per_reward_with_forgetting(rule: Rule, rewards: RewardLists, epsilon: Positive, forgetting=1, scale=1):
    r"""with forgetting, as in earlier algorithms: every reward enters exactly one release, which gets
    $\mathrm{Lap}(1/\epsilon)$"""
    return releases_per_reward(rule, rewards, epsilon, forgetting, scale)


@claim("BDP-S4.2/what-forgetting-drops", in_runs(), false={"kept": 1})
def forgetting_drops_the_past(rule: Rule, rewards: RewardLists, epsilon: Positive, kept=0):
    r"""with forgetting the sum is $0$ times the past plus the last batch with one Laplace term; without (see
    BDP-A1/cumulative-sums) it is everything, with $m+1$ terms: that is the price"""
    run = recorded_run(rule, rewards, epsilon, forgetting=True)
    return run.sums, "==", share_of_past(run, kept)


@claim(
    "BDP-S4.2/exploration-level", deduced(), false={"rate": "1.01"}, where=["log(time) < samples * epsilon * (1 - x)"]
)
def exploration_at_log_t(samples: Count, x: BelowOne, epsilon: Positive, time: TwoOrMore, rate=1):
    r"""where it is below 1, the DP-KLUCB index lies at the distance $N\,d_\epsilon([\tilde\mu]_0^1,U)=\log t$"""
    index = dp_klucb_index(x, rate * log(to_ball(time)) / samples, epsilon)
    return samples * printed_divergence(x, index, epsilon), "==", log(to_ball(time))
