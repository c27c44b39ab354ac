"""DP-UCB and its tree, Section 5.1 of the thesis: ALG-A-TREE, ALG-A-DPUCB, ALG-S5.1a to ALG-S5.1d.

The thesis leaves the base of log T and the delta of the index open. A tree over T rewards has L = floor(log2 T) + 1
levels; delta is read as 1/T where the regret bound asks for one.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from banditproof.algorithms.dp_ucb import DPUCB
from banditproof.algorithms.environment import BernoulliBandit
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.simulator import simulate
from banditproof.paper_checks.bernoulli_dp_background import horizon_and_budget, noise_above_the_bound, tree_noise
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.recorded_privacy import BUGS, EVERY_RUN, Sides, check_runs
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.study import Arrays, Study
from banditproof.paper_checks.thesis_binary_tree import TREE_BUDGETS, tree_budget
from banditproof.paper_checks.thesis_continual_counting import UnitNoise
from banditproof.theory.budget import Budget
from banditproof.theory.numeric import exp, log, sqrt, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.recorder import RecordingNoise
from banditproof.verify.statistics import event_test
from banditproof.verify.two_arm_view import laplace_path_probability

# ------------------------------------------------------------------------------------------------- ALG-A-TREE: the tree

HORIZONS = Domain.of(T="integer [2, inf)", epsilon="(0, inf)")


class OneDraw(UnitNoise):
    """Nothing but one chosen draw, for a policy with one replication."""

    def draw(self, distribution: str, scale: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
        return super().draw(distribution, np.ravel(scale)[0], shape)


def one_tree(T: int, epsilon: Any, noise: NoiseSource) -> np.ndarray:
    """The noisy sums after 1, ..., T rewards of one, of the tree inside DP-UCB."""
    policy, answers = DPUCB(1, Budget.pure(float(epsilon)), noise, horizon=T), []
    for _ in range(T):
        policy.observe(np.ones(1), np.ones(1, dtype=np.int64), np.zeros(1, dtype=np.int64))
        answers.append(policy.noisy_sums[0, 0])
    return np.array(answers)


def levels(T: int) -> int:
    """floor(log2 T) + 1, by repeated halving."""
    count = 0
    while T:
        T, count = T // 2, count + 1
    return count


def nodes_of_a_reward(T: int, extra: int) -> Sides:
    """The largest number of released nodes that contain one reward."""
    noise = RecordingNoise(np.random.default_rng(0))
    one_tree(T, 1, noise)
    counts = [sum(r.covers(time) for r in noise.releases) for time in range(T)]
    return max(counts), "==", levels(T) + extra


def answers_of_the_tree(T: int, epsilon: Any, extra: int) -> Sides:
    """Steps at which the answer is not the exact sum plus popcount(n) draws of scale L / epsilon."""
    silent = OneDraw(-1)
    exact = one_tree(T, epsilon, silent)
    rows = np.array([one_tree(T, epsilon, OneDraw(i)) for i in range(silent.drawn)]) - exact
    wrong, scale = 0, (levels(T) + extra) / float(epsilon)
    for n in range(1, T + 1):
        used = rows[:, n - 1][rows[:, n - 1] != 0]
        wrong += exact[n - 1] != n or len(used) != n.bit_count() or not np.allclose(used, scale)
    return wrong, "==", 0


parts_decide(
    "ALG-A-TREE",
    r"The tree over $T$ rewards releases for each $n$ one node, with $\mathrm{Lap}(L/\varepsilon)$, "
    r"$L=\lfloor\log_2T\rfloor+1$; the sum of $n$ rewards adds up one node per binary digit 1 of $n$; it is "
    r"$\varepsilon$-DP.",
    domain=HORIZONS, twins=["TH-A2.BT"],
)  # fmt: skip


@claim(
    "ALG-A-TREE/levels", r"A reward is in at most $\lfloor\log_2T\rfloor+1+<extra>$ released nodes, and one is in as "
                         r"many.",
    domain=Domain.of(T="integer [2, inf)"), constants={"extra": 0}, mutations=[mutation("one less", extra=-1)],
    strongest="enumeration",
)  # fmt: skip
def levels_of_the_tree(check: Check) -> None:
    check.enumerate(nodes_of_a_reward, {"T": range(2, check.pick(34, 130))}, routes=("recorded releases", "halvings"))


@claim(
    "ALG-A-TREE/law", r"The answer for $n$ rewards is their sum plus as many Laplace variables of scale "
                      r"$(\lfloor\log_2T\rfloor+1+<extra>)/\varepsilon$ as $n$ has binary digits 1.",
    domain=HORIZONS, constants={"extra": 0}, mutations=[mutation("a level less", extra=-1)], strongest="enumeration",
)  # fmt: skip
def law_of_the_answers(check: Check) -> None:
    grid = {"T": [2, 3, 7, 8, 13, check.pick(16, 33)], "epsilon": ["1/4", "2"]}
    check.enumerate(answers_of_the_tree, grid, rational=True, routes=("algorithm with single draws", "stated law"))


@cache
def change_of_nodes(T: int) -> Fraction:
    """The largest l1 change of all nodes (n - lowest bit, n], n <= T, when one of T bits is flipped, by brute force."""
    nodes = [(n - (n & -n), n) for n in range(1, T + 1)]
    worst = 0
    for stream in product((0, 1), repeat=T):
        sums = [sum(stream[i:j]) for i, j in nodes]
        for s in range(T):
            flipped = (*stream[:s], 1 - stream[s], *stream[s + 1 :])
            worst = max(worst, sum(abs(sum(flipped[i:j]) - a) for (i, j), a in zip(nodes, sums, strict=True)))
    return Fraction(worst)


def node_budget(T: int, epsilon: Any, extra: int) -> Sides:
    """Change over scale: the largest log-ratio of the densities of all nodes."""
    return change_of_nodes(T) * epsilon / (levels(T) + extra), "<=", epsilon


@claim(
    "ALG-A-TREE/privacy", r"With scale $(\lfloor\log_2T\rfloor+1+<extra>)/\varepsilon$ all released nodes together are "
                          r"$\varepsilon$-DP.",
    domain=HORIZONS, constants={"extra": 0}, mutations=[mutation("a level less", extra=-1)], strongest="enumeration",
)  # fmt: skip
def privacy_of_the_nodes(check: Check) -> None:
    grid = {"T": range(2, check.pick(9, 12)), "epsilon": ["1/4", "2"]}
    check.enumerate(node_budget, grid, rational=True, routes=("all streams and flips", "budget"))


def printed_noise(T: int, epsilon: Any, rewards: int) -> Sides:
    """l1 change over the printed scale log(T)/epsilon, natural logarithm, for the nodes of the first rewards."""
    change = max(sum(n - (n & -n) <= s < n for n in range(1, rewards + 1)) for s in range(rewards))
    return change * to_ball(epsilon) / log(to_ball(T)), "<=", to_ball(epsilon)


@claim(
    "ALG-A-TREE/printed-scale",
    r"With the printed noise $\mathrm{Lap}(\log(T)/\varepsilon)$, natural logarithm, the private sums of the first "
    r"$n\le T-2$ rewards of an arm are $\varepsilon$-DP.",
    role="reading", domain=HORIZONS.restrict(rewards="integer [1, inf)", where=["rewards <= T - 2"]),
)  # fmt: skip
def printed_scale_of_the_noise(check: Check) -> None:
    """Of 10 rewards, up to 8 are played by one of two arms before the last decision: its first is in 4 nodes."""
    check.counterexample(printed_noise, {"T": 10, "epsilon": Fraction(1), "rewards": 8})


@claim(
    "ALG-A-TREE/scale-in-levels",
    r"With the logarithm to base 2 and one level more, scale $(\log_2T+<extra>)/\varepsilon$ for $T=2^d$ rewards, they "
    r"are.",
    role="repair", repairs="ALG-A-TREE/printed-scale", domain=TREE_BUDGETS, constants={"extra": 1, "root": 1},
    mutations=[mutation("no level more", extra=0)], strongest="enumeration", twins=["TH-A2.BT"],
)  # fmt: skip
def scale_in_levels(check: Check) -> None:
    grid = {"levels": [0, 1, 2, 3], "epsilon": ["1/10", "1", "5"]}
    check.enumerate(tree_budget, grid, rational=True, routes=("all streams and flips", "budget"))


# ----------------------------------------------------------------------------------------------- ALG-A-DPUCB: the index

INDEX = Domain.of(n="integer [1, inf)", noisy_sum="(-inf, inf)", epsilon="(0, inf)", T="integer [2, inf)")


def bonus(n: int, epsilon: Any, T: int, two: Any) -> Any:
    """What the printed index adds to the private mean, delta = 1/T."""
    deep = log(to_ball(2 * T))
    private = sqrt(to_ball(8)) * log(to_ball(T)) ** to_ball("3/2") * deep / (epsilon * n)
    return sqrt(two * deep / n) + private


def index_as_printed(n: int, noisy_sum: Any, epsilon: Any, T: int, two: Any) -> Sides:
    """The leading arm of two (the other one with n = 1 and index number 0) at an offset of a millionth either way."""
    index = to_ball(noisy_sum) / n + bonus(n, epsilon, T, to_ball(two))
    rival = index - bonus(1, epsilon, T, to_ball(2))  # a noisy sum of one reward with the same index
    choices = []
    for offset in (-1, 1):
        policy = DPUCB(2, Budget.pure(float(epsilon.mid())), NoiseSource(), horizon=T)
        policy.samples[0], policy.clock[0] = (n, 1), n + 1
        near = float(rival.mid())
        policy.noisy_sums[0] = float(to_ball(noisy_sum).mid()), near + offset * 1e-9 * (1 + abs(near))
        choices.append(int(policy.next_batch()[0][0]))
    return choices, "==", [0, 1]


parts_decide(
    "ALG-A-DPUCB",
    r"DP-UCB: a tree per arm, index $\frac{\hat S_a}{N_a}+\sqrt{\frac{2\log(2/\delta)}{N_a}}+"
    r"\frac{\sqrt8\log(T)^{3/2}\log(2/\delta)}{\varepsilon N_a}$ of the noisy sum, all rewards kept.",
)


@claim(
    "ALG-A-DPUCB/index",
    r"The policy plays the arm with the largest $\frac{\hat S_a}{N_a}+\sqrt{\frac{<two>\log(2/\delta)}{N_a}}+"
    r"\frac{\sqrt8\log(T)^{3/2}\log(2/\delta)}{\varepsilon N_a}$, $\delta=1/T$.",
    domain=INDEX, constants={"two": 2}, mutations=[mutation("1.99 log(2/delta)", two="1.99")], strongest="enumeration",
)  # fmt: skip
def index_of_dp_ucb(check: Check) -> None:
    """A rival is given an index a billionth below, then above: the choice must change."""
    points = [
        {"n": n, "noisy_sum": Fraction(s), "epsilon": Fraction(e), "T": T}
        for n, s in ((2, "1/2"), (3, "-7/4"), (100, "61")) for e in ("1/4", "4") for T in (2, 10**7)
    ]  # fmt: skip
    check.enumerate(index_as_printed, points, routes=("choices of the policy", "printed index, in balls"))


def own_tree(T: int, rewards: int, epsilon: Any, strangers: int) -> Sides:
    """Rewards that a release holds although another arm brought them, and sums that are not those of the arm."""
    noise = RecordingNoise(np.random.default_rng(rewards))
    policy, coming = DPUCB(3, Budget.pure(float(epsilon)), noise, horizon=T), np.random.default_rng(rewards)
    heard: list[list[float]] = [[], [], []]
    wrong = 0
    for _ in range(T):
        arm = int(policy.next_batch()[0][0])
        heard[arm].append(float(coming.random() < 0.5))
        policy.observe(np.array(heard[arm][-1:]), np.ones(1, dtype=np.int64))
        n = len(heard[arm])
        wrong += noise.releases[-1].value.item() != sum(heard[arm][n - (n & -n) :])
    return wrong, "==", strangers


@claim(
    "ALG-A-DPUCB/own-tree", r"Reward number $n$ of an arm closes the node of its last $2^k$ rewards, $2^k$ the lowest "
                            r"bit of $n$, and no other arm's ($<strangers>$ exceptions).",
    domain=Domain.of(T="integer [1, inf)", rewards="all: every list of rewards", epsilon="(0, inf)"),
    constants={"strangers": 0}, mutations=[mutation("one exception", strangers=1)], strongest="enumeration",
)  # fmt: skip
def every_arm_has_its_tree(check: Check) -> None:
    points = [
        {"T": T, "rewards": s, "epsilon": Fraction(1)}
        for T in (12, 60) for s in range(check.pick(3, 20))
    ]  # fmt: skip
    check.enumerate(own_tree, points, rational=True, routes=("recorded releases", "sums of the arm's rewards"))


# -------------------------------------------------------------------------------------- ALG-S5.1a, ALG-S5.1c: the noise


@claim(
    "ALG-S5.1a",
    r"The noise on a sum is $\mathcal O(\log(T)^{2.5}/\varepsilon)$: with $T=2^d$ it exceeds "
    r"$<constant>(\log_2T)^{2.5}/\varepsilon$ with probability at most $1/T$.",
    domain=Domain.of(levels="integer [1, inf)"), constants={"constant": 3}, mutations=[mutation("1", constant=1)],
    strongest="enumeration", twins=["BDP-S1.1"],
)  # fmt: skip
def size_of_the_noise(check: Check) -> None:
    grid = {"levels": range(1, check.pick(25, 61))}
    check.enumerate(tree_noise, grid, routes=("exact tail of a sum of Laplace variables", "1/T"))


@claim(
    "ALG-S5.1c", r"$K\log^{2.5}(T)/\varepsilon$ is $\log^{<power>}(T)$ times the lower bound's $K\log(T)/\varepsilon$.",
    domain=Domain.of(horizon="(1, inf)", epsilon="(0, inf)"), constants={"power": "3/2"},
    mutations=[mutation("log^2", power=2)], strongest="symbolic", twins=["BDP-S1.1"],
)  # fmt: skip
def distance_to_the_lower_bound(check: Check) -> None:
    if not check.search(noise_above_the_bound, [{"horizon": Fraction(100), "epsilon": Fraction(1)}]):
        check.symbolic(noise_above_the_bound, horizon_and_budget, points=8)


# --------------------------------------------------------------------------------------------------- ALG-S5.1b: regret


def printed_bound(arms: int, gaps: Any, horizon: int, epsilon: Any, first: Any, second: Any) -> Any:
    L = log(to_ball(horizon))
    trees = first * sqrt(to_ball(8)) * arms * L ** to_ball("5/2") / epsilon
    return trees + 4 * sum(gaps, to_ball(0)) + sum((second * L / gap for gap in gaps), to_ball(0))


def widths(horizon: int, epsilon: Any, power: int) -> tuple[Any, Any, Any, Any]:
    """For delta = T^-power: 2 log(2/delta), the private bonus c of c/N, and all |Y| <= h but for probability p."""
    L = log(to_ball(horizon))
    deep = log(to_ball(2)) + power * L
    per_node = levels(horizon) * (2 * L + 40) / epsilon
    return 2 * deep, sqrt(to_ball(8)) * L ** to_ball("3/2") * deep / epsilon, levels(horizon) * per_node, exp(-40 - L)


def regret_from_below(gap: Any, horizon: int, epsilon: Any, first: Any, second: Any, power: int, pulls: int) -> Sides:
    """Two sure rewards, gap apart: N_a >= `pulls` unless some noise is large, as fewer would contradict the indices.

    With fewer, the best arm's last pull has an index of at most sqrt(a / (T - pulls)) + (c + h) above its reward, and
    the other arm's is at least sqrt(a / (pulls - 1)) - h above its own.
    """
    a, c, h, rare = widths(horizon, epsilon, power)
    needed = sqrt(a / (pulls - 1)) - h > gap + sqrt(a / (horizon - pulls)) + c + h
    regret = gap * pulls * (1 - rare) if needed else to_ball(0)
    return regret, "<=", printed_bound(2, [gap], horizon, epsilon, first, second)


def regret_from_above(gap: Any, horizon: int, epsilon: Any, first: Any, second: Any, power: int) -> Sides:
    """Two sure rewards: after n pulls with sqrt(a/n) + (c + h)/n + h < gap the worse arm is played no more."""
    a, c, h, rare = widths(horizon, epsilon, power)
    low, high = 1, 1
    while not sqrt(a / high) + (c + h) / high + h < gap:
        low, high = high, 2 * high
        if high > horizon:
            break
    while high - low > 1:
        middle = (low + high) // 2
        enough = sqrt(a / middle) + (c + h) / middle + h < gap
        low, high = (low, middle) if enough else (middle, high)
    return gap * (min(high, horizon) + horizon * rare), "<=", printed_bound(2, [gap], horizon, epsilon, first, second)


SURE = Domain.of(gap="(0, 1]", horizon="integer [2, inf)", epsilon="(0, inf)")
BOUND = {"first": 8, "second": 4}
STATED = (
    r"$\mathrm{Reg}_T\le\frac{<first>\sqrt8K\log^{2.5}T}\varepsilon+4\sum_a\Delta_a+"
    r"\sum_{\Delta_a>0}\frac{<second>\log T}{\Delta_a}$"
)

INSTANCES = {"two arms": (0.9, 0.1), "three arms": (0.8, 0.4, 0.2)}
LENGTH, EPSILON = 1500, 400.0


def run_dp_ucb(seeds: np.random.SeedSequence, runs: int) -> Arrays:
    """Regret and a uniform variable for every run, delta = 1/T."""
    found = {}
    for (name, means), seed in zip(INSTANCES.items(), seeds.spawn(len(INSTANCES)), strict=True):
        rewards, coins, noise = (np.random.default_rng(s) for s in seed.spawn(3))
        policy = DPUCB(len(means), Budget.pure(EPSILON), NoiseSource(noise), horizon=LENGTH, replications=runs)
        result = simulate(policy, BernoulliBandit(means), LENGTH, rewards)
        found[name], found[f"{name}, uniform"] = result.regret[:, 0], coins.random(runs)
    return found


DP_UCB_RUNS = Study("thesis-dp-ucb-regret", run_dp_ucb, {"runs": 1500}, {"runs": 30_000})


@claim(
    "ALG-S5.1b", rf"{STATED}, read with $\delta=1/T$: then the allowance for noise is of the stated order "
                 rf"$\log^{{2.5}}T$.",
    domain=SURE, constants={**BOUND, "power": 1},
    mutations=[mutation("log T for 4 log T", second=1, gradual=False)], strongest="certificate", studies=[DP_UCB_RUNS],
)  # fmt: skip
def regret_bound_of_dp_ucb(check: Check) -> None:
    """Sure rewards with hardly any noise by the indices themselves, Bernoulli arms by simulation."""
    check.could_not("certificate", "the text states the bound without a proof")
    grid = {"gap": ["1/100", "1/10", "1/2", "1"], "horizon": [2, 10, 10**3, 10**6, 10**12], "epsilon": [10**9, 10**12]}
    if not check.enumerate(regret_from_above, grid, routes=("pulls that the indices allow", "stated bound")):
        return

    def tests(stream: str) -> list[dict[str, Any]]:
        arrays, found = check.study(DP_UCB_RUNS, stream), []
        for name, means in INSTANCES.items():
            gaps = [Fraction(str(max(means))) - Fraction(str(mean)) for mean in means if mean < max(means)]
            most = LENGTH * float(max(gaps))
            bound = printed_bound(
                len(means), [to_ball(g) for g in gaps], LENGTH, to_ball(EPSILON),
                to_ball(check.constants["first"]), to_ball(check.constants["second"]),
            )  # fmt: skip
            share = Fraction(min(1.0, float(bound.mid()) / most)).limit_denominator(10**6)
            event = f"{name}: a uniform variable is below the regret over {most:g}"
            found.append(event_test(event, arrays[f"{name}, uniform"] * most < arrays[name], "<=", share))
        return found

    covers = check.domain.restrict(gap="all: of two Bernoulli bandits", horizon=[LENGTH], epsilon=[Fraction(EPSILON)])
    check.statistics(tests, covers=covers, routes=("mean regret as a probability", "stated bound"))


@claim(
    "ALG-S5.1b/delta-one-over-t-squared", rf"{STATED}, with the $\delta=T^{{-2}}$ of Theorem 2.23 in the index.",
    role="reading", domain=SURE.restrict(pulls="integer [2, inf)"), constants={**BOUND, "power": 2},
)  # fmt: skip
def regret_bound_with_a_smaller_delta(check: Check) -> None:
    """Each suboptimal arm has about 2 log(2/delta)/gap^2 = (4 log T + 2 log 2)/gap^2 pulls, and 2 log 2/gap > 4 gap."""
    point = {"gap": Fraction(1, 10), "horizon": 10**9, "epsilon": Fraction(10**12), "pulls": 8300}
    check.counterexample(regret_from_below, point)


@claim(
    "ALG-S5.1b/larger-constant", rf"{STATED}, also with $\delta=T^{{-2}}$, from $<second>$ for 4 on.",
    role="repair", repairs="ALG-S5.1b/delta-one-over-t-squared", domain=SURE,
    constants={"first": 8, "second": 6, "power": 2},
    mutations=[mutation("log T", second=1, gradual=False)], strongest="enumeration",
)  # fmt: skip
def regret_bound_with_a_larger_constant(check: Check) -> None:
    grid = {"gap": ["1/100", "1/10", "1/2", "1"], "horizon": [2, 10, 10**3, 10**9, 10**12], "epsilon": [10**9, 10**12]}
    check.enumerate(regret_from_above, grid, routes=("pulls that the indices allow", "stated bound"))


# -------------------------------------------------------------------------------------------------- ALG-S5.1d: privacy

DP_UCB = {"dp-ucb": [["pure", 4], ["pure", "1/10"]], "dp-ucb-mt15": [["pure", 4]]}

parts_decide("ALG-S5.1d", r"DP-UCB is $\varepsilon$-View DP for rewards in $[0,1]$.", domain=EVERY_RUN)


@claim(
    "ALG-S5.1d/recorded-runs",
    r"Actions depend on rewards through the released nodes only, each node moves by at most its sensitivity, and no "
    r"reward is charged more than $\varepsilon$ (planted bug: <bug>).",
    domain=EVERY_RUN, constants={"bug": "none", "adversary": 0}, mutations=BUGS, strongest="enumeration",
)  # fmt: skip
def runs_of_dp_ucb(check: Check) -> None:
    check_runs(check, DP_UCB, quick=1)


@claim(
    "ALG-S5.1d/interactive",
    r"Footnote: also against an adversary who plays other arms than the recommended ones, $\varepsilon$-Interactive DP "
    r"(planted bug: <bug>).",
    role="remark", domain=EVERY_RUN, constants={"bug": "none", "adversary": 1}, mutations=BUGS[:3],
    strongest="enumeration",
)  # fmt: skip
def runs_of_dp_ucb_with_an_adversary(check: Check) -> None:
    check_runs(check, {"dp-ucb": [["pure", 4]]}, quick=1)


def short_run(actions: Any, rewards: Any, epsilon: Any, share: Any) -> Any:
    """P(actions) for T = 4: two nodes of one reward, then one of the two rewards of the arm that was played again.

    The path tells the recursion how many rewards a mean has: the third node has two, so its span reaches to 4.
    """
    again, last = int(actions[0]), int(actions[1])
    path = ((0, 0, 1), (1, 1, 2), (again, 2, 4), (last, 3, 4))
    sums = (rewards[0], rewards[1], rewards[again] + rewards[2])
    return laplace_path_probability(path, sums, epsilon * share, lambda n, t: bonus(n, epsilon, 4, to_ball(2)))


def exact_loss(actions: Any, rewards: Any, time: int, epsilon: Any, share: Any) -> Sides:
    neighbour = [*rewards[:time], 1 - rewards[time], *rewards[time + 1 :]]
    left, right = (short_run(actions, list(map(int, r)), epsilon, to_ball(share)) for r in (rewards, neighbour))
    return left, "<=", exp(epsilon) * right


@claim(
    "ALG-S5.1d/exact-law",
    r"On two arms and $T=4$, for all binary lists, each action sequence has probabilities within $e^\varepsilon$ of "
    r"each other on neighbours, with nodes at $<share>\varepsilon$ each.",
    domain=Domain.of(epsilon="(0, inf)", actions="all: action sequences", rewards="all: binary lists",
                     time="integer [0, 2]"),
    constants={"share": "1/3"}, mutations=[mutation("nodes at twice epsilon", share=2)], strongest="enumeration",
)  # fmt: skip
def exact_law_of_dp_ucb(check: Check) -> None:
    """Closed forms in balls; a reward is in two of the three levels before the last decision."""
    points = [
        {"epsilon": Fraction(e), "actions": list(a), "rewards": list(r), "time": s}
        for e in ("1/4", "1", "4") for a in product((0, 1), repeat=2) for r in product((0, 1), repeat=3)
        for s in range(3)
    ]  # fmt: skip
    check.enumerate(exact_loss, points, routes=("law of the actions on a list", "on its neighbour"))
