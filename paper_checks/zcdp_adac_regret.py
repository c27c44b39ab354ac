r"""Theorems 10 and 11 of the zCDP paper: the regret of AdaC-UCB, by its algebra and by simulation."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.algorithms.environment import BernoulliBandit
from banditproof.algorithms.episodic import AdaCUCB
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.simulator import simulate
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.derivation import derivation, fact, facts_hold
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.study import Arrays, Study
from banditproof.paper_checks.twins import restate
from banditproof.paper_checks.two_environments import positive
from banditproof.paper_checks.zcdp_adac_pulls import (
    LEADING,
    LONG_BLOCKS,
    STARTS,
    Sides,
    constant_argument,
    constant_of_the_sum,
    long_enough_argument,
    long_enough_blocks,
    misled_twice,
    misled_twice_argument,
    pulls_into_regret,
    regret_argument,
    rounded_up,
    rounded_up_argument,
    start_argument,
    start_of_an_episode,
)
from banditproof.theory.budget import Budget
from banditproof.theory.numeric import log, sqrt, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.statistics import event_test
from banditproof.verify.symbolic import SymbolicArgument

# ------------------------------------------------------------------------------------------------------- simulation

HORIZON = 100_000
BETA = 4
MEANS = {"two arms": (0.75, 0.5), "five arms": (0.75, 0.625, 0.5, 0.375, 0.25)}
RHOS = {"1/100": 0.01, "1": 1.0}
CASES = [(name, rho) for name in MEANS for rho in RHOS]


def run_adac_ucb(seeds: np.random.SeedSequence, runs: int) -> Arrays:
    """Regret and pulls of the last arm at the horizon, and a uniform variable, for every run."""
    found = {}
    for (name, rho), seed in zip(CASES, seeds.spawn(len(CASES)), strict=True):
        rewards, noise, coins = (np.random.default_rng(s) for s in seed.spawn(3))
        means = MEANS[name]
        policy = AdaCUCB(len(means), Budget.zcdp(RHOS[rho]), NoiseSource(noise), beta=float(BETA), replications=runs)
        result = simulate(policy, BernoulliBandit(means), HORIZON, rewards)
        key = f"{name}, rho {rho}"
        found[key], found[f"{key}, uniform"] = result.regret[:, 0], coins.random(runs)
        found[f"{key}, pulls"] = result.pulls[:, -1]
    return found


RUNS = Study("zcdp-adac-ucb-regret", run_adac_ucb, {"runs": 40_000}, {"runs": 400_000})


def mean_test(event: str, values: Any, uniform: Any, largest: float, bound: float) -> dict[str, Any]:
    """That the mean of values in [0, largest] is at most `bound`, as the probability of an event."""
    share = Fraction(min(1.0, bound / largest)).limit_denominator(10**6)
    return event_test(f"{event}: a uniform variable is below its share of {largest:g}", uniform * largest < values,
                      "<=", share)  # fmt: skip


def supported_by_runs(check: Check, bound: Any) -> None:
    """The bound, a function of gaps and rho, at the instances of the study."""

    def tests(stream: str) -> list[dict[str, Any]]:
        arrays, found = check.study(RUNS, stream), []
        for name, rho in CASES:
            gaps, key = [max(MEANS[name]) - m for m in MEANS[name]], f"{name}, rho {rho}"
            largest = HORIZON * max(gaps)
            found.append(mean_test(key, arrays[key], arrays[f"{key}, uniform"], largest, bound(gaps, RHOS[rho])))
        return found

    covers = check.domain.restrict(instance=f"all: {len(MEANS)} Bernoulli bandits", horizon=[HORIZON], beta=[BETA],
                                   rho=["1/100", 1])  # fmt: skip
    check.statistics(tests, covers=covers, routes=("mean regret as a probability", "the stated bound"))


def misleading_block(gap: float, rho: float, level: int) -> float:
    """P(G^c) for arms of means 3/4 and 3/4 - gap: the index of a block of 2^level rewards is at least mu_1."""
    from scipy.stats import binom, norm

    n = 2**level
    radius = np.sqrt((1 / (2 * n) + 1 / (rho * n**2)) * BETA * np.log(HORIZON))
    k = np.arange(n + 1)
    needed = norm.sf((0.75 - radius - k / n) * n * np.sqrt(2 * rho))
    return float((binom.pmf(k, n, 0.75 - gap) * needed).sum())


EVERY = Domain.of(
    instance="all: every instance with rewards in [0, 1]", horizon="integer [1, inf)", rho="(0, inf)",
    beta="(3, inf)",
)  # fmt: skip


@claim(
    "ZCDP-PF4/adac-ucb",
    r"For AdaC-UCB and every $\ell$: $\mathbb E[N_a(T)]\le2^{\ell+<offset>}+\mathbb "
    r"P(G^c_{a,\ell,T})T+\frac\beta{\beta-"
    r"3}$.",
    domain=EVERY, constants={"offset": 1}, mutations=[mutation("an eighth of the pulls", offset=-2, gradual=False)],
    strongest="statistics", studies=[RUNS],
)  # fmt: skip
def pulls_of_the_last_arm(check: Check) -> None:
    """The smallest of the bounds over block lengths, P(G^c) from the exact law of the block."""
    offset = check.constants["offset"]

    def tests(stream: str) -> list[dict[str, Any]]:
        arrays, found = check.study(RUNS, stream), []
        for name, rho in CASES:
            gap, key = MEANS[name][0] - MEANS[name][-1], f"{name}, rho {rho}"
            bounds = [2.0 ** (m + offset) + misleading_block(gap, RHOS[rho], m) * HORIZON for m in range(15)]
            least = min(bounds) + BETA / (BETA - 3)
            found.append(mean_test(f"{key}, pulls of the last arm", arrays[f"{key}, pulls"], arrays[f"{key}, uniform"],
                                   HORIZON, least))  # fmt: skip
        return found

    covers = check.domain.restrict(instance=f"all: {len(MEANS)} Bernoulli bandits", horizon=[HORIZON], beta=[BETA],
                                   rho=["1/100", 1])  # fmt: skip
    check.statistics(tests, covers=covers, routes=("mean pulls as a probability", "EQ17"))


restate(
    "ZCDP-PF6/misled", "ZCDP-L2/tails",
    r"$\mathbb P(G^c)\le\delta=T^{-\beta}$ by Lemma 2, whose tails are at most $\delta$ with "
    r"$w=\sqrt{(\frac{<hoeffding>}n+\frac{<private>}{\rho n^2})\log\frac1\delta}$, $n=2^\ell$.",
    role="part",
)  # fmt: skip
restate(
    "ZCDP-PF6/generic-bound", "ZCDP-PF4/adac-ucb",
    r"EQ19 starts from $\mathbb E[N_a(T)]\le2^{\ell+<offset>}+\mathbb P(G^c_{a,\ell,T})T+\frac\beta{\beta-3}$ (EQ17).",
    role="part",
)  # fmt: skip

# ------------------------------------------------------------------------------------------------ Theorems 10 and 11

PULLS = derivation(
    [
        fact(long_enough_blocks, LONG_BLOCKS, long_enough_argument),
        fact(rounded_up, Domain.of(level="integer [0, inf)", share="(0, 1]"), rounded_up_argument),
        fact(pulls_into_regret, LEADING, regret_argument),
        fact(start_of_an_episode, STARTS, start_argument),
        fact(constant_of_the_sum, Domain.of(excess="(0, inf)"), constant_argument),
        fact(misled_twice, Domain.of(horizon="[2, inf)", excess="(0, inf)"), misled_twice_argument),
    ],
    "the argument of zcdp_adac_pulls: beyond 2^(l+1) pulls every episode of the arm starts with its index above mu_1 "
    "or that of "
    "arm 1 below; Lemma 2 with the union bound over block lengths and starts, an integral, and gaps at "
    "most 1; for T = 1 see the short horizons",
)
FACTS = {"factor": 4, "two": 2, "three": 3}


def argument_for_pulls(data: Any, lead: Any, noise: Any) -> tuple[int, str, int]:
    """The facts with the constants of the theorem (those of EQ18 are 2 and 2)."""
    proved = 0
    for entry in data["facts"]:
        of_blocks = entry["relation"].endswith("long_enough_blocks")
        constants = FACTS | ({"lead": 2, "noise": 2} if of_blocks else {"lead": lead, "noise": noise})
        proved += facts_hold({"facts": [entry]}, **constants)[0]
    return proved, "==", len(data["facts"])


def bound_with_gaps(gaps: Sequence[Any], horizon: int, rho: Any, beta: Any, lead: Any, noise: Any, last: Any) -> Any:
    """The bound of Theorem 10, a ball."""
    b, log_T = to_ball(beta), log(to_ball(horizon))
    each = [lead * b * log_T / to_ball(gap) + noise * sqrt(b * log_T / to_ball(rho)) + last * b / (b - 3)
            for gap in gaps if gap]  # fmt: skip
    return sum(each, to_ball(0))


THEOREM = r"\sum_{\Delta_a>0}\bigl(\frac{<lead>\beta}{\Delta_a}\log T+<noise>\sqrt{\frac{\beta\log T}\rho}+\frac{<last>"

parts_decide(
    "ZCDP-T10",
    r"AdaC-UCB with $\beta>3$ and rewards in $[0,1]$: $\mathrm{Reg}_T\le\sum_{\Delta_a>0}(\frac{8\beta}{\Delta_a}\log "
    r"T+"
    r"8\sqrt{\frac\beta\rho}\sqrt{\log T}+\frac{2\beta}{\beta-3})$.",
    domain=EVERY, twins=["ALG-T5.6"],
)  # fmt: skip


@claim(
    "ZCDP-T10/bound", rf"$\mathrm{{Reg}}_T\le{THEOREM}\beta}}{{\beta-3}}\bigr)$.",
    domain=EVERY, constants={"lead": 8, "noise": 8, "last": 2},
    mutations=[mutation("beta/(10 gap)", lead="1/10", noise=0, last=0, gradual=False)],
    strongest="certificate", studies=[RUNS],
)  # fmt: skip
def regret_bound_with_gaps(check: Check) -> None:
    """The last term is printed without a factor gap, which is at most 1."""
    lead, noise, last = (float(check.constants[name]) for name in ("lead", "noise", "last"))
    if lead >= 8:
        check.certificate(theorem_10, PULLS, routes=("formulas, symbolically", "joined in words"))
    log_T = np.log(HORIZON)

    def bound(gaps: Sequence[float], rho: float) -> float:
        each = [lead * BETA * log_T / gap + noise * np.sqrt(BETA * log_T / rho) + last * BETA / (BETA - 3)
                for gap in gaps if gap]  # fmt: skip
        return sum(each)

    supported_by_runs(check, bound)


def theorem_10(data: Any, lead: Any, noise: Any, last: Any) -> tuple[int, str, int]:
    """The facts, and that the last term is twice beta/(beta - 3) at least, one for each of its two parts."""
    proved, operator, wanted = argument_for_pulls(data, lead, noise)
    return proved + (last >= 2), operator, wanted + 1


def first_pulls(instance: Sequence[Any], horizon: int, rho: Any, beta: Any, lead: Any, noise: Any, last: Any) -> Sides:
    """T <= K: the first T arms once each."""
    means = [Fraction(m) for m in instance]
    gaps = [max(means) - m for m in means]
    bound = bound_with_gaps(gaps, horizon, rho, beta, lead, noise, last)
    return to_ball(sum(gaps[:horizon])), "<=", bound


@claim(
    "ZCDP-T10/short-horizon",
    rf"$T\le K$, which the pseudo code does not foresee, and $T=1$: $\mathrm{{Reg}}_T\le{THEOREM}\beta}}{{\beta-3}}"
    r"\bigr)$.",
    domain=EVERY.restrict(horizon=[1, 2, 3]), role="edge", constants={"lead": 8, "noise": 8, "last": 2},
    mutations=[mutation("no constant term", last=0)], strongest="enumeration",
)  # fmt: skip
def horizon_up_to_the_number_of_arms(check: Check) -> None:
    """Each arm at most once, and the constant term of each exceeds 2."""
    instances = [["1", "0", "0"], ["0", "0", "1"], ["0", "1/2", "1"], ["1/4", "1/3", "1/2"], ["0", "1", "1"]]
    points = [
        {"instance": means, "horizon": T, "rho": Fraction(r), "beta": Fraction(b)}
        for means in instances for T in (1, 2, 3) for r in ("1/100", "100") for b in ("31/10", "100")
    ]  # fmt: skip
    check.enumerate(first_pulls, points, routes=("exact regret", "the stated bound, in balls"))


def split_at_a_gap(horizon: Any, arms: Any, level: Any, square: Any, lead: Any) -> Sides:
    """T gap + lead K L/gap at gap = sqrt(lead K L/T), L = beta log T, against sqrt(square K T L); both squared."""
    gap = sqrt(lead * arms * level / horizon)
    return (horizon * gap + lead * arms * level / gap) ** 2, "<=", square * horizon * arms * level


def split_argument(square: Any, lead: Any) -> SymbolicArgument:
    T, K, L = positive("T K L")
    return SymbolicArgument({"horizon": T, "arms": K, "level": L}, (square - 4 * lead) * T * K * L, "nonnegative")


SPLIT = Domain.of(horizon="(0, inf)", arms="(0, inf)", level="(0, inf)")
GAP_FREE = derivation(
    [fact(split_at_a_gap, SPLIT, split_argument)],
    "arms with gaps below sqrt(8 beta K log T / T) cost at most T times that, the others what Theorem 10 with a factor "
    "gap in its last term says; 2 <= 3",
)

parts_decide(
    "ZCDP-T11",
    r"Minimax: $O(\sqrt{KT\log T})+O(K\sqrt{\log(T)/\rho})$; in the proof $4\sqrt{2\beta KT\log "
    r"T}+8K\sqrt{\frac{\beta\log"
    r" T}\rho}+\frac{3\beta}{\beta-3}\sum_a\Delta_a$ (printed there of AdaP-UCB, meant of AdaC-UCB).",
    domain=EVERY, twins=["ALG-PC.2.6c"],
)  # fmt: skip


@claim(
    "ZCDP-T11/split",
    r"$T\Delta+\frac{<lead>\beta K\log T}\Delta\le\sqrt{<square>}\sqrt{\beta KT\log T}$ at $\Delta=\sqrt{<lead>\beta "
    r"K\log"
    r" T/T}$: $\sqrt{<square>}=4\sqrt2$.",
    domain=SPLIT, constants={"square": 32, "lead": 8}, mutations=[mutation("31", square=31)], role="step",
    strongest="symbolic",
)  # fmt: skip
def split_of_the_arms(check: Check) -> None:
    if not check.search(split_at_a_gap, [{"horizon": Fraction(4), "arms": Fraction(2), "level": Fraction(1)}]):
        check.symbolic(split_at_a_gap, split_argument, routes=("both summands", "the rate"))


@claim(
    "ZCDP-T11/bound",
    r"$\mathrm{Reg}_T\le\sqrt{<square>}\sqrt{\beta KT\log T}+<noise>K\sqrt{\frac{\beta\log T}\rho}+\frac{<last>\beta}"
    r"{\beta-3}\sum_a\Delta_a$.",
    domain=EVERY, constants={"square": 32, "lead": 8, "noise": 8, "last": 3},
    mutations=[mutation("rate times 1/100", square="1/1000", noise=0, last=0, gradual=False)],
    strongest="certificate", studies=[RUNS],
)  # fmt: skip
def regret_bound_without_gaps(check: Check) -> None:
    """Theorem 10 has 2 in its last term; with 3 the bound is a weaker one."""
    square, noise, last = (float(check.constants[name]) for name in ("square", "noise", "last"))
    if square >= 32:
        check.certificate(theorem_11, GAP_FREE, routes=("formulas, symbolically", "joined in words"))
    log_T = np.log(HORIZON)

    def bound(gaps: Sequence[float], rho: float) -> float:
        K = len(gaps)
        private = noise * K * np.sqrt(BETA * log_T / rho)
        return np.sqrt(square * BETA * K * HORIZON * log_T) + private + last * BETA / (BETA - 3) * sum(gaps)

    supported_by_runs(check, bound)


def theorem_11(data: Any, square: Any, lead: Any, noise: Any, last: Any) -> tuple[int, str, int]:
    """The facts, and that the two other terms are not below those of Theorem 10."""
    proved = sum(facts_hold({"facts": [entry]}, square=square, lead=lead)[0] for entry in data["facts"])
    return proved + (noise >= 8) + (last >= 2), "==", len(data["facts"]) + 2
