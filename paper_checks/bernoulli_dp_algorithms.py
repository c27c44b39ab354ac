"""Algorithm 1 and its design: BDP-A1 and S4.2.

Runs are enumerated over all short binary reward lists and compared, release by release, with the pseudo code.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.algorithms.batches import GeometricBatches
from banditproof.algorithms.environment import RewardList
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.simulator import SimulationResult, simulate
from banditproof.paper_checks.bernoulli_dp_indices import SLACK, clipped, printed_divergence
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.recorded_runs import ARMS, BATCHES, RULES, Phase, RecordedRun, recorded_run
from banditproof.paper_checks.register import claim, mutation, not_checkable, parts_decide
from banditproof.theory.bernoulli import dp_klucb_index
from banditproof.theory.budget import Budget
from banditproof.theory.numeric import exp, log, to_ball
from banditproof.verify.compare import Relation
from banditproof.verify.domain import Domain

Sides = tuple[Any, str, Any]

# ----------------------------------------------------------------------------------------------- BDP-A1: recorded runs

RUNS = Domain.of(rule="all: DP-KLUCB and DP-IMED", rewards="all: every list of rewards in [0, 1]", epsilon="(0, inf)")
RECORDED = ("state of the policy at the end of the run", "the run's rewards and recorded releases, added up exactly")


def enumerate_runs(check: Check, relation: Relation, routes: tuple[str, str] = RECORDED) -> None:
    """Both rules, all binary reward lists of one length (two arms, doubling batches), three budgets."""
    length = check.pick(6, 9)
    budgets = [Fraction(1, 128), Fraction(1, 4), Fraction(4)]
    points = {"rule": list(RULES), "rewards": list(itertools.product((0, 1), repeat=length)), "epsilon": budgets}
    covers = check.domain.restrict(rewards=f"all: every list of {length} binary rewards", epsilon=budgets)
    check.enumerate(relation, points, covers=covers, rational=True, routes=routes)


def batches_after(samples: int) -> int:
    """m with n_m = samples; -1 if there is none."""
    totals = list(itertools.takewhile(lambda n: n <= samples, BATCHES.totals()))
    return len(totals) - 1 if totals and totals[-1] == samples else -1


def noise_terms(rule: str, rewards: Iterable[int], epsilon: Fraction, extra: int) -> Sides:
    run = recorded_run(rule, tuple(rewards), epsilon)
    counts = tuple(len(run.of(arm)) for arm in range(ARMS))
    return counts, "==", tuple(batches_after(n) + extra for n in run.samples)


def cumulative_sums(rule: str, rewards: Iterable[int], epsilon: Fraction, kept: Any) -> Sides:
    run = recorded_run(rule, tuple(rewards), epsilon)
    return run.sums, "==", tuple(_sum_with_share_of_past(run.of(arm), kept) for arm in range(ARMS))


def _sum_with_share_of_past(phases: list[Phase], kept: Any) -> Fraction:
    *past, last = (sum(phase.rewards) + phase.noise for phase in phases)
    return kept * sum(past, Fraction(0)) + last


def wrong_decisions(rule: str, rewards: Iterable[int], epsilon: Fraction, level: Any, weight: Any) -> Sides:
    run = recorded_run(rule, tuple(rewards), epsilon)
    after_initialisation = range(ARMS, len(run.phases))
    best = {"DP-IMED": imed_decision_is_best, "DP-KLUCB": klucb_decision_is_best}[rule]
    factor = weight if rule == "DP-IMED" else level
    return sum(not best(run, k, epsilon, factor) for k in after_initialisation), "==", 0


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
        guess = to_ball(_bisect(lambda q, rival=rival: feasible(rival, to_ball(q))))
        above = guess + slack
        if above < 1 and not printed_divergence(means[rival], above, budget) > level[rival]:
            return False
        if not feasible(pulled, guess - slack):
            return False
    return True


def _bisect(feasible: Callable[[float], bool]) -> float:
    """The largest feasible float in [0, 1] up to 2^-40, where feasibility is lost once and for all."""
    low, high = 0.0, 1.0
    if feasible(high):
        return high
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if feasible(middle) else (low, middle)
    return low


parts_decide(
    "BDP-A1",
    r"Algorithm 1: noisy sums are cumulative and hold one $\mathrm{Lap}(1/\epsilon)$ term per batch; each batch "
    r"goes to an arm with the best index (12) or (13)",
    domain=RUNS,
)


@claim(
    "BDP-A1/noise-terms",
    r"after batch $m$ of an arm its noisy sum has had $m+<extra>$ Laplace terms added",
    domain=RUNS,
    constants={"extra": 1},
    mutations=[mutation("one term, however many batches", extra=0), mutation("a term more", extra=2)],
)
def number_of_noise_terms(check: Check) -> None:
    enumerate_runs(check, noise_terms, ("releases counted per arm", "batch number, from the number of samples"))


@claim(
    "BDP-A1/cumulative-sums",
    r"after batch $m$: $\tilde S=<kept>\cdot\sum_{k<m}(\text{batch }k+Y_k)+\text{batch }m+Y_m$, with all rewards",
    domain=RUNS,
    constants={"kept": 1},
    mutations=[mutation("half of the past is kept", kept="1/2"), mutation("the past is forgotten", kept=0)],
)
def sums_are_cumulative(check: Check) -> None:
    enumerate_runs(check, cumulative_sums)


@claim(
    "BDP-A1/decisions",
    r"after the initialisation every batch goes to an arm whose index is best: (12) at level $<level>\log(t)/N$, or "
    r"(13) with the term $<weight>\log N$",
    domain=RUNS,
    constants={"level": 1, "weight": 1},
    mutations=[mutation("level 3 log(t)/N", level=3), mutation("no term log N", weight=0)],
)
def decisions_follow_the_indices(check: Check) -> None:
    routes = ("the arms the policy pulled", "indices from the printed formulas, in balls, by bisection")
    enumerate_runs(check, wrong_decisions, routes)


# ----------------------------------------------------------------------------- BDP-A1: what the pseudo code leaves open

HORIZONS = Domain.of(arms="integer [1, inf)", first="integer [1, inf)", horizon="integer [1, inf)")


def pulls_as_written(arms: int, first: int, horizon: int) -> Sides:
    """Pulls of the pseudo code, letter by letter, on the run whose decisions always fall on arm 1."""
    schedule, m, t = GeometricBatches(2, first), 0, arms * first + 1
    while t <= horizon:
        m += 1
        t += schedule.size(m)
    return t - 1, "==", horizon


@claim(
    "BDP-A1/exactly-horizon-pulls",
    r"literal reading: with horizon $T$ the pseudo code makes exactly $T$ pulls (batches $B_m=B_0\,2^m$)",
    domain=HORIZONS,
    role="reading",
)
def exactly_horizon_pulls(check: Check) -> None:
    """A batch begun at t <= T is played in full, and the initialisation makes K B_0 pulls even when T is smaller."""
    check.counterexample(pulls_as_written, {"arms": 1, "first": 1, "horizon": 2}, rational=True)
    check.counterexample(pulls_as_written, {"arms": 2, "first": 1, "horizon": 1}, rational=True)


def pulls_when_cut(rule: str, arms: int, first: int, horizon: int, excess: int) -> Sides:
    cut, full = (_on_alternating_rewards(rule, arms, first, horizon, overshoot) for overshoot in (False, True))
    return (int(cut.pulls.sum()), cut.actions.tolist()), "==", (horizon + excess, full.actions.tolist())


def _on_alternating_rewards(rule: str, arms: int, first: int, horizon: int, overshoot: bool) -> SimulationResult:
    rewards = [t % 2 for t in range(4 * (horizon + arms * first))]
    generator = np.random.default_rng([arms, first, horizon])
    policy = RULES[rule](arms, Budget.pure(1.0), GeometricBatches(2, first), NoiseSource(generator))
    times = np.arange(1, horizon + 1)
    return simulate(policy, RewardList(rewards, arms), horizon, generator, times, overshoot=overshoot)


@claim(
    "BDP-A1/exactly-horizon-pulls-repaired",
    r"with the last batch cut at $T$ there are $T+<excess>$ pulls, with the actions of the pseudo code up to $T$",
    domain=HORIZONS.restrict(rule="all: DP-KLUCB and DP-IMED"),
    constants={"excess": 0},
    mutations=[mutation("one pull more", excess=1)],
    role="repair",
    repairs="BDP-A1/exactly-horizon-pulls",
)
def exactly_horizon_pulls_when_cut(check: Check) -> None:
    """What is released after the last pull changes no action."""
    over = {"rule": list(RULES), "arms": [1, 2, 3], "first": [1, 2], "horizon": list(range(1, check.pick(13, 41)))}
    covers = check.domain.restrict(**{n: values for n, values in over.items() if n != "rule"})
    check.enumerate(pulls_when_cut, over, covers=covers, rational=True, routes=("run cut at T", "run played in full"))


MU_2 = tuple(map(Fraction, ("3/4", "5/8", "1/2", "3/8", "1/4")))


def tie_probability(means: Iterable[Any], epsilon: Any) -> Any:
    """P(the first decision of DP-IMED with n0 = 1 is a tie), a ball: a sum over what clipping makes of each arm.

    After one pull an arm is clipped to 1, to 0, or lies strictly between, where noisy means almost surely differ. The
    index is 0 at the best mean and positive elsewhere: a tie needs two arms at 1, or all at 0. Source: BDP-A1
    """
    arms = [to_ball(mean) for mean in means]
    decay = exp(-epsilon) / 2
    laws = []
    for mean in arms:
        at_one = mean / 2 + (1 - mean) * decay
        at_zero = (1 - mean) / 2 + mean * decay
        laws.append({1: at_one, 0: at_zero, None: 1 - at_one - at_zero})
    total = to_ball(0)
    for pattern in itertools.product((1, 0, None), repeat=len(arms)):
        if pattern.count(1) >= 2 or pattern.count(0) == len(arms) >= 2:
            probability = to_ball(1)
            for law, place in zip(laws, pattern, strict=True):
                probability *= law[place]
            total += probability
    return total


def no_tie(epsilon: Any) -> Sides:
    return tie_probability(MU_2, epsilon), "<=", 0


def often_a_tie(epsilon: Any, floor: Any) -> Sides:
    return floor, "<=", tie_probability(MU_2, epsilon)


FIRST_DECISION = r"for the bandit $\mu_2$ and $n_0=1$ the first decision of DP-IMED after the initialisation"


@claim(
    "BDP-A1/unique-minimiser",
    rf"literal reading of $i(t)\in\arg\min_iI_i(t)$ as one arm: {FIRST_DECISION} is a tie with probability 0",
    domain=Domain.of(epsilon="(0, inf)"),
    role="reading",
)
def unique_minimiser(check: Check) -> None:
    check.counterexample(no_tie, {"epsilon": Fraction(1, 4)})


@claim(
    "BDP-A1/unique-minimiser-repaired",
    rf"{FIRST_DECISION} is a tie with probability at least $<floor>$ at every budget up to 1: a rule is needed",
    domain=Domain.of(epsilon="(0, 1]"),
    constants={"floor": "0.5"},
    mutations=[mutation("probability 0.6", floor="0.6")],
    role="repair",
    repairs="BDP-A1/unique-minimiser",
    strongest="interval",
)
def ties_are_frequent(check: Check) -> None:
    check.interval(often_a_tie, routes=("sum over 3^5 clipping patterns", "stated probability"))


# ------------------------------------------------------------------------------------------ BDP-S4.2: algorithm design

parts_decide(
    "BDP-S4.2",
    r"(Algorithm design) one $\mathrm{Lap}(1/\epsilon)$ per batch as in earlier work; new: no forgetting, at the price "
    r"of $m+1$ noise terms in a sum; exploration level $\log(t)/N$",
    domain=RUNS,
)


def releases_per_reward(rule: str, rewards: Iterable[int], epsilon: Fraction, forgetting: int, scale: Any) -> Sides:
    run = recorded_run(rule, tuple(rewards), epsilon, bool(forgetting))
    releases = [phase.release for phase in run.phases]
    pulls = sum(len(phase.rewards) for phase in run.phases)
    scales = {Fraction(r.scale) * epsilon for r in releases if r.distribution == "laplace"}
    touched = {sum(r.covers(time) for r in releases) for time in range(pulls)}
    return (touched, scales), "==", ({1}, {scale})


def _price(name: str, forgetting: int, what: str) -> None:
    @claim(
        f"BDP-S4.2/{name}",
        rf"{what}: every reward enters exactly one release, which gets $<scale>\cdot\mathrm{{Lap}}(1/\epsilon)$",
        domain=RUNS,
        constants={"forgetting": forgetting, "scale": 1},
        mutations=[mutation("twice the noise", scale=2)],
    )
    def one_release_per_reward(check: Check) -> None:
        enumerate_runs(check, releases_per_reward, ("recorded releases", "one per reward, scale 1/epsilon"))


_price("one-laplace-per-batch", 0, "without forgetting")
_price("forgetting-costs-the-same", 1, "with forgetting, as in earlier algorithms")


def forgetful_sums(rule: str, rewards: Iterable[int], epsilon: Fraction, kept: Any) -> Sides:
    run = recorded_run(rule, tuple(rewards), epsilon, forgetting=True)
    return run.sums, "==", tuple(_sum_with_share_of_past(run.of(arm), kept) for arm in range(ARMS))


@claim(
    "BDP-S4.2/what-forgetting-drops",
    r"with forgetting the sum is $<kept>$ times the past plus the last batch with one Laplace term; without (see "
    r"BDP-A1/cumulative-sums) it is everything, with $m+1$ terms: that is the price",
    domain=RUNS,
    constants={"kept": 0},
    mutations=[mutation("the past is kept", kept=1)],
)
def forgetting_drops_the_past(check: Check) -> None:
    enumerate_runs(check, forgetful_sums)


def exploration_level(samples: int, x: Any, epsilon: Any, time: int, factor: Any) -> Sides:
    index = dp_klucb_index(x, log(to_ball(time)) / samples, epsilon)
    bonus = samples * printed_divergence(x, index, epsilon)
    return abs(bonus - factor * log(to_ball(time))), "<=", to_ball(SLACK)


@claim(
    "BDP-S4.2/exploration-level",
    r"where it is below 1, the DP-KLUCB index lies at the distance $N\,d_\epsilon([\tilde\mu]_0^1,U)=<factor>\log t$",
    domain=Domain.of(
        samples="integer [1, inf)", x="[0, 1)", epsilon="(0, inf)", time="integer [2, inf)",
        where=["log(time) < samples * epsilon * (1 - x)"],
    ),
    constants={"factor": 1},
    mutations=[mutation("3 log t, as earlier algorithms need", factor=3), mutation("1.01 log t", factor="1.01")],
)  # fmt: skip
def exploration_at_log_t(check: Check) -> None:
    grid = {"samples": [1000, 10**5], "x": ["0", "1/4", "3/4"], "epsilon": ["1/10", "1", "5"], "time": [2, 1000, 10**9]}
    check.enumerate(exploration_level, grid, routes=("bonus of the index, through (8)", "log t"))


not_checkable(
    "BDP-S4.2/level-of-earlier-algorithms",
    r"AdaP-KLUCB and Lazy-DP-TS need an exploration level of about $3\log(t)/N$ for their analysis",
    "cited result",
    "the analyses of these two algorithms, with the level as a parameter",
)
