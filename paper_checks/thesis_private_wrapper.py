"""From UCB to its private versions, Section 5.2 of the thesis: ALG-S5.2a, ALG-TB5.1, ALG-S5.2e."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.recorded_privacy import Sides, maker
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.study import Arrays, Study
from banditproof.paper_checks.thesis_dp_se import LONG_RUNS, batches_that_differ, means_released, regret_of_an_arm
from banditproof.paper_checks.thesis_dp_ucb import OneDraw, bonus
from banditproof.paper_checks.thesis_episodic_indices import PURE, ZCDP, releases_as_printed
from banditproof.paper_checks.thesis_episodic_ucb import SCHEDULES, cut_runs, scripts
from banditproof.theory.numeric import exp, sqrt, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.recorder import record
from banditproof.verify.statistics import event_test
from banditproof.verify.symbolic import SymbolicArgument

# --------------------------------------------------------------------------------------------- ALG-S5.2a: first attempt

parts_decide(
    "ALG-S5.2a",
    r"Making each of the $KT$ means $\frac\varepsilon{KT}$-DP asks for $\mathrm{Lap}(\frac{KT}{\varepsilon N_a})$ "
    r"and a "
    r"bonus $\frac{KT\log(2/\delta)}{\varepsilon N_a}$; this UCB has linear regret.",
)


def noise_of_a_mean(arms: Any, horizon: Any, samples: Any, epsilon: Any, factor: Any) -> Sides:
    """Sensitivity over budget, against the printed scale."""
    return (1 / samples) / (epsilon / (arms * horizon)), "==", factor * arms * horizon / (epsilon * samples)


def positive_sizes(factor: Any) -> SymbolicArgument:
    import sympy

    K, T, N, epsilon = sympy.symbols("K T N epsilon", positive=True)
    return SymbolicArgument({"arms": K, "horizon": T, "samples": N, "epsilon": epsilon}, 0, "zero")


SIZES = Domain.of(arms="(0, inf)", horizon="(0, inf)", samples="(0, inf)", epsilon="(0, inf)")


@claim(
    "ALG-S5.2a/noise",
    r"A mean of $N$ rewards at $\frac\varepsilon{KT}$ needs noise of scale $<factor>\frac{KT}{\varepsilon N}$; the "
    r"$KT$ "
    r"budgets add up to $\varepsilon$.",
    domain=SIZES, constants={"factor": 1}, mutations=[mutation("half", factor="1/2")], strongest="symbolic",
    twins=["TH-P2.9"],
)  # fmt: skip
def noise_of_every_mean(check: Check) -> None:
    point = {"arms": Fraction(2), "horizon": Fraction(10), "samples": Fraction(3), "epsilon": Fraction(1)}
    if not check.search(noise_of_a_mean, [point]):
        check.symbolic(noise_of_a_mean, positive_sizes, routes=("sensitivity over budget", "printed scale"))


def bonus_and_gap(arms: Any, horizon: Any, samples: Any, epsilon: Any, depth: Any, gap: Any, factor: Any) -> Sides:
    return arms * horizon * depth / (epsilon * samples), ">=", factor * gap


def large_bonus() -> SymbolicArgument:
    import sympy

    K, T, depth, gap = sympy.symbols("K T depth gap", positive=True)
    u, v = sympy.symbols("u v", nonnegative=True)
    point = {"arms": K, "horizon": T, "depth": depth, "gap": gap}
    point |= {"samples": T / (1 + u), "epsilon": K * depth / (gap * (1 + v))}
    return SymbolicArgument(point, gap * (u + v + u * v), "nonnegative")


@claim(
    "ALG-S5.2a/bonus",
    r"The bonus is at least $<factor>\Delta_a$ for every $N_a\le T$ when $\varepsilon\Delta_a\le K\log(2/\delta)$: the "
    r"analysis of UCB excludes no number of pulls.",
    domain=SIZES.restrict(depth="(0, inf)", gap="(0, inf)", where=["samples <= horizon", "epsilon * gap <= arms * "
                                                                                          "depth"]),
    constants={"factor": 1}, mutations=[mutation("twice the gap", factor=2)], strongest="symbolic",
)  # fmt: skip
def bonus_exceeds_the_gap(check: Check) -> None:
    one = {name: Fraction(1) for name in ("arms", "horizon", "samples", "epsilon", "depth", "gap")}
    if not check.search(bonus_and_gap, [one]):
        check.symbolic(bonus_and_gap, large_bonus, routes=("bonus at N pulls", "gap"))


FIRST_ATTEMPT = {"two arms": (0.9, 0.1), "three arms": (0.8, 0.5, 0.2)}
LENGTHS = (100, 200, 400, 800)


def run_first_attempt(seeds: np.random.SeedSequence, runs: int) -> Arrays:
    """Regret over T of the first attempt with epsilon = 1 and delta = 1/T, for each T of LENGTHS."""
    found = {}
    for (name, means), seed in zip(FIRST_ATTEMPT.items(), seeds.spawn(len(FIRST_ATTEMPT)), strict=True):
        generator, K = np.random.default_rng(seed), len(means)
        for T in LENGTHS:
            deep, rows = np.log(2 * T), np.arange(runs)
            pulls = np.ones((runs, K))
            sums = (generator.random((runs, K)) < means).astype(float)
            for _ in range(T - K):
                private = K * T / pulls
                index = sums / pulls + private * (generator.laplace(size=(runs, K)) + deep) + np.sqrt(2 * deep / pulls)
                arm = index.argmax(axis=1)
                sums[rows, arm] += generator.random(runs) < np.asarray(means)[arm]
                pulls[rows, arm] += 1
            found[f"{name}, {T}"] = pulls @ (max(means) - np.asarray(means)) / T
    return found


LINEAR = Study("thesis-first-private-ucb", run_first_attempt, {"runs": 300}, {"runs": 4000})


@claim(
    "ALG-S5.2a/linear-regret",
    r"With $\varepsilon=1$, $\delta=1/T$ its regret is at least $<share>$ times that of playing arms in turn, with "
    r"probability at least $\frac9{10}$, whether $T$ is 100, 200, 400 or 800.",
    domain=Domain.of(means="all: every Bernoulli bandit", horizon="integer [1, inf)"), constants={"share": "1/2"},
    mutations=[mutation("twice the regret of arms in turn", share=2)], strongest="statistics", studies=[LINEAR],
)  # fmt: skip
def regret_of_the_first_attempt(check: Check) -> None:
    def tests(stream: str) -> list[dict[str, Any]]:
        arrays, found = check.study(LINEAR, stream), []
        for name, means in FIRST_ATTEMPT.items():
            in_turn = sum(max(means) - mean for mean in means) / len(means)
            for T in LENGTHS:
                above = arrays[f"{name}, {T}"] >= float(check.constants["share"]) * in_turn
                found.append(event_test(f"{name}, T = {T}", above, ">=", Fraction(9, 10)))
        return found

    covers = check.domain.restrict(means="all: two Bernoulli bandits", horizon=list(LENGTHS))
    check.statistics(tests, covers=covers, routes=("regret of simulated runs", "share of T"))


# ------------------------------------------------------------------------------------------------- ALG-TB5.1: the table

parts_decide(
    "ALG-TB5.1",
    r"Table 5.1 compares regret, number of private means, need of $T$, and forgetting of DP-UCB, DP-SE, AdaP-UCB and "
    r"AdaP-KLUCB.",
)


def regret_of_dp_ucb(gap: Any, factor: Any, L: Any = None, u: Any = None) -> Sides:
    """The larger ratio of a term of the bound to its term in the cell: 8 sqrt 8, and (4 gap + 4 L/gap)/(L/gap).

    The first terms have K log^2.5(T)/epsilon in common; L = log T = 1/u.
    """
    inverse = 1 / L if u is None else u
    return (8 * sqrt(to_ball(8))).max(4 + 4 * gap * gap * inverse), "<=", factor


@claim(
    "ALG-TB5.1/regret-dp-ucb",
    r"DP-UCB, $\mathcal O(\frac{K\log^{2.5}T}\varepsilon+\sum\frac{\log T}{\Delta_a})$: each term of the bound of "
    r"Section 5.1 is at most $<factor>$ times its term here, for $L=\log T\ge1$ and $\Delta_a\le1$.",
    domain=Domain.of(L="[1, inf)", gap="(0, 1]"), constants={"factor": 23}, mutations=[mutation("20", factor=20)],
    strongest="interval",
)  # fmt: skip
def cell_of_dp_ucb(check: Check) -> None:
    routes = ("bound of Section 5.1", "cell of the table")
    check.interval(regret_of_dp_ucb, substitutions={"L": ("u", "(0, 1]", "1/u")}, routes=routes)


@claim(
    "ALG-TB5.1/regret-dp-se",
    r"DP-SE, $\mathcal O(\frac{K\log T}\varepsilon+\sum\frac{\log T}{\Delta_a})$: on the good event an arm costs at "
    r"most "
    r"$<plain>\frac{\log T}{\Delta_a}+<private>\frac{\log T}\varepsilon$.",
    domain=LONG_RUNS.restrict(where=["gap * gap * horizon >= 1"]), constants={"plain": 1200, "private": 200},
    mutations=[mutation("constants 20", plain=20, private=20, gradual=False)], strongest="enumeration",
)  # fmt: skip
def cell_of_dp_se(check: Check) -> None:
    points = [
        {"gap": Fraction(g), "arms": K, "epsilon": Fraction(e), "horizon": T}
        for g in ("1", "1/3", "1/1000") for K in (2, 50) for e in ("1/100", "1", "100") for T in (10**4, 10**7)
        if Fraction(g) ** 2 * T >= 1
    ]  # fmt: skip
    check.enumerate(regret_of_an_arm, points, rational=True, routes=("pulls until the arm is dropped", "cell"))


def adap_ucb_cell(gap: Any, epsilon: Any, factor: Any) -> Sides:
    """16 beta log T/min(gap, epsilon) against the cell, both over beta log T."""
    return 16 / min(gap, epsilon), "<=", factor * gap / min(gap * gap, epsilon * gap)


GAPS = {"gap": ["1/100", "1/3", "1"], "epsilon": ["1/1000", "1/3", "1", "50"]}


@claim(
    "ALG-TB5.1/regret-adap-ucb", r"AdaP-UCB: Theorem 5.3's $\frac{16\beta\log T}{\min\{\Delta_a,\varepsilon\}}$ is "
                                 r"$<factor>\beta\frac{\Delta_a\log T}{\min\{\Delta_a^2,\varepsilon\Delta_a\}}$.",
    domain=Domain.of(gap="(0, 1]", epsilon="(0, inf)"), constants={"factor": 16}, mutations=[mutation("15", factor=15)],
    strongest="enumeration",
)  # fmt: skip
def cell_of_adap_ucb(check: Check) -> None:
    check.enumerate(adap_ucb_cell, GAPS, rational=True, routes=("bound of the theorem", "cell"))


def adap_klucb_cell(divergence: Any, gap: Any, epsilon: Any, second: Any, factor: Any) -> Sides:
    """gap/min(d, C_2 epsilon gap) against factor/min(1, C_2) times the cell."""
    left = gap / min(divergence, second * epsilon * gap)
    return left, "<=", Fraction(factor) / min(1, second) * gap / min(divergence, epsilon * gap)


@claim(
    "ALG-TB5.1/regret-adap-klucb",
    r"AdaP-KLUCB: Theorem 5.4's $\frac{C_1\Delta_a}{\min\{d,C_2\varepsilon\Delta_a\}}$ is at most "
    r"$<factor>\frac{C_1}{\min\{1,C_2\}}$ times $\frac{\Delta_a}{\min\{d,\varepsilon\Delta_a\}}$.",
    domain=Domain.of(divergence="(0, inf)", gap="(0, 1]", epsilon="(0, inf)", second="(0, inf)"),
    constants={"factor": 1}, mutations=[mutation("a half", factor="1/2")], strongest="enumeration",
)  # fmt: skip
def cell_of_adap_klucb(check: Check) -> None:
    grid = {**GAPS, "divergence": ["1/50", "2"], "second": ["1/10", "1", "7"]}
    check.enumerate(adap_klucb_cell, grid, rational=True, routes=("bound of the theorem", "cell"))


def private_means(name: str, T: int, seed: int) -> Any:
    """A run of two arms on random bits, for epsilon = 1."""
    rewards = (np.random.default_rng(seed).random(T) < 0.5).astype(float).tolist()
    return record(maker(name, ["pure", 1], T, "none"), rewards, seed)


def count_of_means(name: str, T: int, seed: int, factor: Any) -> Sides:
    """DP-UCB releases after every pull; the episodic ones at most K + sum of log2 N_a times, cut episodes included."""
    run = private_means(name, T, seed)
    if name == "dp-ucb":
        return len(run.releases), "==", factor * T
    pulls = [run.actions.count(arm) for arm in (0, 1)]
    return len(run.releases), "<=", factor * sum(1 + (n - 1).bit_length() for n in pulls)


RUNS = Domain.of(name="all: the algorithm", T="integer [2, inf)", seed="all: every run")


def means_claim(name: str, title: str, cell: str, factor: Any, wrong: Any) -> None:
    @claim(
        f"ALG-TB5.1/means-{name}", f"{title}: {cell} (times $<factor>$).", domain=RUNS, constants={"factor": factor},
        mutations=[mutation("another factor", factor=wrong)], strongest="enumeration",
    )  # fmt: skip
    def number_of_private_means(check: Check) -> None:
        points = [{"name": name, "T": T, "seed": s} for T in (2, 40, 300) for s in range(check.pick(2, 10))]
        check.enumerate(count_of_means, points, rational=True, routes=("recorded releases", "cell"))


means_claim("dp-ucb", "DP-UCB", "$T$ private means", 1, 2)
means_claim("adap-ucb", "AdaP-UCB", r"$\mathcal O(\log T)$: at most $\sum_a(1+\lceil\log_2N_a(T)\rceil)$", 1, "1/2")
means_claim("adap-klucb", "AdaP-KLUCB", r"$\mathcal O(\log T)$: at most $\sum_a(1+\lceil\log_2N_a(T)\rceil)$", 1, "1/2")


@claim(
    "ALG-TB5.1/means-dp-se", r"DP-SE: $\mathcal O(\log T)$, at most $<factor>K\log_2T$.",
    domain=Domain.of(horizon="integer [2, inf)", arms="integer [2, inf)", epsilon="(0, inf)"), constants={"factor": 1},
    mutations=[mutation("a tenth", factor="1/10")], strongest="enumeration",
)  # fmt: skip
def means_of_dp_se(check: Check) -> None:
    grid = {"horizon": [2, 100, 10**7, 10**12], "arms": [2, 50], "epsilon": ["1/100", "100"]}
    check.enumerate(means_released, grid, rational=True, routes=("epochs of the schedule", "cell"))


def index_for_two_horizons(n: int, epsilon: Any, T: int, factor: int) -> Sides:
    return bonus(n, epsilon, T, to_ball(2)), "==", bonus(n, epsilon, factor * T, to_ball(2))


@claim(
    "ALG-TB5.1/anytime-dp-ucb",
    "DP-UCB, 'Yes': the index printed in Section 5.1 is the same for the horizons $T$ and $2T$.",
    role="reading", domain=Domain.of(n="integer [1, inf)", epsilon="(0, inf)", T="integer [2, inf)"),
    constants={"factor": 2},
)  # fmt: skip
def printed_dp_ucb_needs_the_horizon(check: Check) -> None:
    """The depth of the tree, its noise and the bonus contain log T."""
    check.counterexample(index_for_two_horizons, {"n": 1, "epsilon": Fraction(1), "T": 100})


def charge_without_horizon(length: int, share: Any) -> Sides:
    """The largest charge of a reward, over epsilon, by the hybrid counter on `length` rewards.

    Rewards 2^i + 1, ..., 2^(i+1) have a tree of i + 1 levels at share epsilon, and one noisy sum at (1 - share)
    epsilon when they are complete; the first reward is released by itself.
    """
    charges = [Fraction(1)] * min(length, 1)
    for number in range(2, length + 1):
        i = (number - 1).bit_length() - 1
        place, size = number - 2**i, 2**i  # 1, ..., size within the block
        done = min(length - 2**i, size)
        nodes = sum((n - (n & -n)) < place <= n for n in range(1, done + 1))
        charges.append(share * Fraction(nodes, i + 1) + (1 - share) * (done == size))
    return max(charges), "<=", 1


@claim(
    "ALG-TB5.1/anytime-dp-ucb-hybrid",
    r"With the hybrid counter, a tree per block $(2^i,2^{i+1}]$ at $<share>\varepsilon$ and one sum per block at the "
    r"rest, no horizon is needed and no reward is charged more than $\varepsilon$.",
    role="repair", repairs="ALG-TB5.1/anytime-dp-ucb", domain=Domain.of(length="integer [1, inf)"),
    constants={"share": "1/2"}, mutations=[mutation("trees at twice epsilon", share=2)], strongest="enumeration",
)  # fmt: skip
def hybrid_counter(check: Check) -> None:
    lengths = range(1, check.pick(66, 260))
    check.enumerate(charge_without_horizon, {"length": lengths}, rational=True, routes=("charges", "epsilon"))


@claim(
    "ALG-TB5.1/anytime-dp-se", r"DP-SE, 'No': with $\beta=1/T$ the first epoch for $T$ and for $<factor>T$ differs.",
    domain=Domain.of(horizon="integer [2, inf)"), constants={"factor": 2}, mutations=[mutation("T itself", factor=1)],
    strongest="enumeration",
)  # fmt: skip
def dp_se_is_not_anytime(check: Check) -> None:
    check.enumerate(batches_that_differ, {"horizon": [2, 10, 1000, 10**7]}, routes=("first batch for T", "for 2T"))


@claim(
    "ALG-TB5.1/anytime-adap", r"AdaP-UCB and AdaP-KLUCB, 'Yes': the run to $T$ is the beginning of the run to "
                              r"$T+<more>$.",
    domain=SCHEDULES, constants={"more": 8}, mutations=[mutation("a horizon of one step less", more=-1)],
    strongest="enumeration",
)  # fmt: skip
def adap_is_anytime(check: Check) -> None:
    points = [{"arms": 2, "script": script, "steps": T} for script in scripts(2, 4) for T in (3, 8, 16)]
    check.enumerate(cut_runs, points, rational=True, routes=("run to T", "longer run"))


def forgets(name: str, batches: int, forgetful: int) -> Sides:
    """Whether an arm's private mean is 1, without noise, when only the rewards of its latest batch are 1."""
    silent = OneDraw(-1)
    policy: Any = maker(name, ["pure", 1], 1000, "none")(silent, np.random.default_rng(0))
    for k in range(batches + 1):
        arm, count = policy.next_batch()
        policy.observe(count.astype(float) * (k == batches), count)
    if name == "dp-se":
        mean = policy.means[0, arm[0]]
    else:
        sums = policy.noisy_sums if name == "dp-ucb" else policy.sums
        mean = sums[0, arm[0]] / policy.samples[0, arm[0]]
    return int(mean == 1), "==", forgetful


def forgetting_claim(name: str, cell: str, forgetful: int) -> None:
    @claim(
        f"ALG-TB5.1/forgetful-{name}",
        f"Forgetfulness of {name}: '{cell}', its index rests on the latest release of an arm only (<forgetful>).",
        domain=Domain.of(name=f"all: {name}", batches="integer [4, inf)"), constants={"forgetful": forgetful},
        mutations=[mutation("the other answer", forgetful=1 - forgetful)], strongest="enumeration",
    )  # fmt: skip
    def rewards_behind_an_index(check: Check) -> None:
        points = [{"name": name, "batches": k} for k in (4, 5, 6, 9)]
        check.enumerate(forgets, points, rational=True, routes=("private mean without noise", "cell of the table"))


forgetting_claim("dp-ucb", "No", 0)
forgetting_claim("dp-se", "Yes", 1)
forgetting_claim("adap-ucb", "Yes", 1)
forgetting_claim("adap-klucb", "Yes", 1)

# --------------------------------------------------------------------------------------------- ALG-S5.2e: the blueprint

parts_decide(
    "ALG-S5.2e",
    "Blueprint: characterise the private quantity; make it episodic on disjoint inputs; add calibrated noise with "
    "parallel composition; recalibrate the algorithm; quantify the effect.",
)


@claim(
    "ALG-S5.2e/disjoint-and-calibrated",
    r"Steps 1 to 3 in AdaP-UCB, AdaP-KLUCB and AdaC-UCB: the private quantity is the mean of an episode, each "
    r"reward is "
    r"in one, and its noise is <factor> times that of one release.",
    domain=Domain.of(name="all: the algorithms", rewards="all: every list of rewards", budget="all: every budget"),
    constants={"factor": 1}, mutations=[mutation("half", factor="1/2")], strongest="enumeration",
)  # fmt: skip
def disjoint_inputs(check: Check) -> None:
    budgets = {"adap-ucb": PURE, "adap-klucb": PURE, "adac-ucb": ZCDP}
    points = [
        {"name": name, "rewards": s, "budget": b} for name, listed in budgets.items() for b in listed for s in range(3)
    ]
    check.enumerate(releases_as_printed, points, routes=("recorded releases", "printed noise"))


def allowance(depth: Any, samples: Any, epsilon: Any, half: Any) -> Sides:
    """P(Lap(1/(epsilon n)) exceeds the private bonus beta log t/(epsilon n)), depth = beta log t."""
    bonus = depth / (epsilon * samples)
    return exp(-epsilon * samples * bonus) / 2, "<=", half * exp(-depth)


def any_allowance(half: Any) -> SymbolicArgument:
    import sympy

    depth, n, epsilon = sympy.symbols("depth n epsilon", positive=True)
    point = {"depth": depth, "samples": n, "epsilon": epsilon}
    return SymbolicArgument(point, (half - sympy.Rational(1, 2)) * sympy.exp(-depth), "nonnegative")


@claim(
    "ALG-S5.2e/recalibration",
    r"Step 4: the private bonus $\frac{\beta\log t}{\varepsilon n}$ is exceeded by the noise with probability "
    r"$<half>t^{-\beta}$.",
    domain=Domain.of(depth="(0, inf)", samples="(0, inf)", epsilon="(0, inf)"), constants={"half": "1/2"},
    mutations=[mutation("a third", half="1/3")], strongest="symbolic",
)  # fmt: skip
def recalibrated_bonus(check: Check) -> None:
    if not check.search(allowance, [{"depth": Fraction(1), "samples": Fraction(1), "epsilon": Fraction(1)}]):
        check.symbolic(allowance, any_allowance, routes=("tail of the noise", "confidence"))


def doubled_and_forgotten(needed: int, factor: int) -> Sides:
    """Pulls of an arm that is dropped when its last episode has at least `needed` samples, at worst."""
    count, last = 1, 1
    while last < needed:
        count, last = 2 * count, count
    return count, "<=", factor * needed


@claim(
    "ALG-S5.2e/factor",
    r"Step 5: if $n$ samples are enough to drop an arm, doubling and forgetting make it $<factor>n$ pulls at most.",
    domain=Domain.of(needed="integer [1, inf)"), constants={"factor": 4}, mutations=[mutation("3 n", factor=3)],
    strongest="enumeration",
)  # fmt: skip
def price_of_doubling_and_forgetting(check: Check) -> None:
    needed = {"needed": range(1, check.pick(300, 5000))}
    check.enumerate(doubled_and_forgotten, needed, routes=("episodes", "multiple of n"))
