"""Section 2.2.5, page 28: UCB with fixed delta, its regret, and the counterparts of private policies without privacy.

The regret bound is compared with the exact regret of short runs (all lists of binary rewards), with the exact regret
against arms without randomness (indices compared in balls), and with simulated runs. A mean regret becomes a
probability by one more draw: a uniform variable below the regret divided by its largest possible value.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Annotated, Any

import numpy as np

from banditproof.algorithms.environment import BernoulliBandit, RewardList
from banditproof.algorithms.finite.episodic import AdaCUCB, AdaPUCB, AdaRUCB, EpisodicUCB
from banditproof.algorithms.finite.index import KLUCB, UCB
from banditproof.algorithms.run.simulator import simulate
from banditproof.claims.language import *
from banditproof.claims.steps import statistics
from banditproof.paper_checks.thesis.ch2_bandits.facts import (
    anytime_agrees,
    computed,
    computed_ucb,
    exact_regret,
    index_agrees,
    log_f,
)
from banditproof.theory import kl_ucb_index
from banditproof.theory.numbers.numeric import exactly
from banditproof.verify import RecordingNoise, event_test

Instance = Annotated[Any, "all: every 1-subgaussian instance"]
COMPUTED = ("index of the policy", "printed formula, in balls")


@claim(
    "TH-EQ2.9",
    enumerated(
        [
            {"wins": wins, "pulls": pulls, "inverse_delta": inverse}
            for wins, pulls in ((0, 1), (1, 1), (3, 7), (10, 1000))
            for inverse in (2, 100, 10**14)
        ]
        + [{"wins": 1, "pulls": 2, "inverse_delta": 1}],
        routes=COMPUTED,
    ),
    false={"factor": "1.99"},
    where=["wins <= pulls"],
)
def ucb_index(wins: Natural, pulls: Count, inverse_delta: Count, factor=2):
    r"""$\mathrm{UCB}_a(t-1,\delta)=\hat\mu_a(t-1)+\sqrt{2\log(1/\delta)/N_a(t-1)}$"""
    index = computed_ucb(wins, pulls, inverse_delta)
    return index_agrees(index, wins, pulls, factor * log(to_ball(inverse_delta)))


@cache
def sure_regret(gap: Fraction, horizon: int, others: int = 1) -> Fraction:
    """Reg_T of UCB with delta = 1/T^2 against the sure rewards 0, and -gap of `others` arms, for T > `others`."""
    width, means = 2 * sqrt(log(to_ball(horizon))), [to_ball(-gap), to_ball(0)]
    index, pulls = [mean + width for mean in means], [others, 1]
    for _ in range(horizon - others - 1):
        worse, better = index
        if not (worse > better or worse < better):
            raise ArithmeticError("balls do not decide between the indices")
        arm = 0 if worse > better else 1
        pulls[arm] += 1
        fewest = pulls[1] if arm else pulls[0] // others  # the worse arms take turns
        index[arm] = means[arm] + width / sqrt(to_ball(fewest))
    return pulls[0] * gap


LONGEST_ENUMERATED = 10  # rounds, all lists of binary rewards of which are visited


def gaps_of(means: Sequence[Any]) -> list[Fraction]:
    """Of sure rewards for "sure", their gap and the number of worse arms, else of arms with these means."""
    if means[0] == "sure":
        return [Fraction(means[1])] * int([*means, 1][2]) + [Fraction(0)]
    return [max(map(Fraction, means)) - Fraction(mean) for mean in means]


@quantity
def regret_of_ucb(means: Sequence[Any], horizon: int) -> Fraction:
    """Reg_T of UCB with delta = 1/T^2, exactly: against sure rewards, or Bernoulli arms."""
    if means[0] == "sure":
        return sure_regret(Fraction(means[1]), horizon, int([*means, 1][2]))
    if horizon > LONGEST_ENUMERATED:
        raise InvalidInput("horizon", horizon, f"at most {LONGEST_ENUMERATED}")
    return exact_regret("UCB", tuple(map(Fraction, means)), horizon)


@quantity
def arms_in(means: Sequence[Any]) -> int:
    """K."""
    return len(gaps_of(means))


@quantity
def gap_in(means: Sequence[Any], arm: int) -> Fraction:
    """Delta_a of an arm, counted from 0."""
    return gaps_of(means)[arm]


def sum_of_gaps(means: Sequence[Any]) -> Any:
    return total(lambda a: gap_in(means, a), 0, arms_in(means) - 1)


def bound_with_gaps(means: Sequence[Any], horizon: Any, first: Any, second: Any) -> Any:
    def share(a: Any) -> Any:
        gap = gap_in(means, a)
        return where(gap, "==", 0, 0, lambda: second * log(horizon) / gap)

    return total(share, 0, arms_in(means) - 1) + first * sum_of_gaps(means)


def bound_without_gaps(means: Sequence[Any], horizon: Any, first: Any, root: Any) -> Any:
    return root * sqrt(horizon * arms_in(means) * log(horizon)) + first * sum_of_gaps(means)


SHORT_AND_SURE = [
    {"means": means, "horizon": T}
    for means in (["1/2", "1/4"], ["0", "1"], ["9/10", "1/10", "1/2"], ["1/2", "1/2"])
    for T in (1, 2, 4, 8)
] + [
    {"means": ["sure", gap], "horizon": T}
    for gap, T in (("1", 1000), ("1/4", 1000), ("3", 1000), ("10", 300), ("1/1000", 300))
]
TWO_WAYS = ("exact regret", "the stated bound, in balls")

MEANS = {"two arms": (0.75, 0.5), "five arms": (0.75, 0.625, 0.5, 0.375, 0.25)}
HORIZON = 1000


def run_ucb(seeds: np.random.SeedSequence, runs: int) -> Arrays:
    """Regret at the horizon and a uniform variable for every run."""
    arrays = {}
    for (name, means), seed in zip(MEANS.items(), seeds.spawn(len(MEANS)), strict=True):
        rewards, coins = (np.random.default_rng(s) for s in seed.spawn(2))
        result = simulate(UCB(len(means), horizon=HORIZON, replications=runs), BernoulliBandit(means), HORIZON, rewards)
        arrays[name], arrays[f"{name}, uniform"] = result.regret[:, 0], coins.random(runs)
    return arrays


RUNS = Study("thesis-ucb-regret", run_ucb, {"runs": 1500}, {"runs": 50_000})


def holds_in_runs(bound: Any, *names: str) -> statistics:
    """The step that compares the study's mean regrets with a bound of means, horizon and the named constants."""

    def tests(check: Check, stream: str) -> list[dict[str, Any]]:
        arrays, events = check.study(RUNS, stream), []
        for name, means in MEANS.items():
            most = HORIZON * float(max(gaps_of(means)))
            constants = (to_ball(check.constants[constant]) for constant in names)
            with exactly():
                printed = float(bound(means, to_ball(HORIZON), *constants))
            event = f"{name}: a uniform variable is below the regret over {most:g}"
            share = Fraction(min(1.0, printed / most)).limit_denominator(10**6)
            events.append(event_test(event, arrays[f"{name}, uniform"] * most < arrays[name], "<=", share))
        return events

    covers = {"means": f"all: {len(MEANS)} Bernoulli bandits", "horizon": [HORIZON]}
    return statistics(tests, covers, ("mean regret as a probability", "the stated bound"))


def width_is_half_a_gap(log_horizon: Positive, gap: Positive, more: Nonnegative, second=16) -> Sides:
    """The squared width after second log(T) / gap^2 pulls or more."""
    pulls = second * log_horizon / gap**2 + more
    return 4 * log_horizon / pulls, "<=", (gap / 2) ** 2


def rare_deviation(log_horizon: Positive, gap: Positive, second=16) -> Sides:
    """log of the Chernoff bound for a mean of second L / gap^2 rewards to exceed its expectation by gap/2: T^-2."""
    return -(second * log_horizon / gap**2) * (gap / 2) ** 2 / 2, "<=", -2 * log_horizon


def regret_of_an_arm(log_horizon: Positive, gap: Positive, horizon: AtLeastOne, first=3, second=16) -> Sides:
    """gap times u <= second L / gap^2 + 1 pulls, plus T times the probability T delta + T^-2 that an index misleads."""
    pulls = second * log_horizon / gap**2 + 1 + horizon * (horizon / horizon**2 + 1 / horizon**2)
    return gap * pulls, "<=", first * gap + second * log_horizon / gap


BOUND_WITH_GAPS = (width_is_half_a_gap, rare_deviation, regret_of_an_arm)
BOUND_WITH_GAPS_JOINT = (
    "after u = ceil(16 log T / gap^2) pulls the width is at most gap/2, so one more pull needs a mean of u rewards "
    "that exceeds its expectation by gap/2, or an index of the best arm below its mean at one of T counts: Chernoff's "
    "bound, the union bound and the regret decomposition"
)


@claim(
    "TH-T2.23/gap-dependent",
    enumerated([*SHORT_AND_SURE, {"means": ["sure", "1"], "horizon": 20_000}], routes=TWO_WAYS),
    argued(BOUND_WITH_GAPS_JOINT, *BOUND_WITH_GAPS),
    holds_in_runs(bound_with_gaps, "first", "second"),
    false=[{"first": Fraction(1, 2)}, mutation("3 log T for 16 log T", second=3)],
    studies=[RUNS],
)
def regret_bound_with_gaps(means: Instance, horizon: Count, first=3, second=16):
    r"""$\mathrm{Reg}_T\le3\sum_a\Delta_a+\sum_{\Delta_a>0}\frac{16\log T}{\Delta_a}$"""
    return regret_of_ucb(means, horizon), "<=", bound_with_gaps(means, horizon, first, second)


@claim("TH-T2.23/split", deduced(), false=[{"root": "7.9"}, {"second": 17}], role="step")
def split_of_the_arms(horizon: Positive, arms: Positive, log_horizon: Positive, root=8, second=16):
    r"""$T\Delta+\frac{16K\log T}{\Delta}\le8\sqrt{TK\log T}$ at $\Delta=\sqrt{16K\log(T)/T}$

    This is a line of the proof, as printed. At this gap both summands are equal, and so are the two sides.
    """
    gap = sqrt(second * arms * log_horizon / horizon)
    return horizon * gap + second * arms * log_horizon / gap, "<=", root * sqrt(horizon * arms * log_horizon)


@claim(
    "TH-T2.23/gap-free",
    enumerated([*SHORT_AND_SURE, {"means": ["sure", "13/25", 199], "horizon": 20_000}], routes=TWO_WAYS),
    argued(
        "arms with gaps below sqrt(16 K log T / T) cost at most T times that, the others at most what the bound "
        "with gaps "
        f"says; 3 sum Delta_a is kept; {BOUND_WITH_GAPS_JOINT}",
        split_of_the_arms,
        *BOUND_WITH_GAPS,
    ),
    holds_in_runs(bound_without_gaps, "first", "root"),
    false=[mutation("7/5 for 8", root="7/5"), {"first": Fraction(1, 2)}],
    studies=[RUNS],
)
def regret_bound_without_gaps(means: Instance, horizon: Count, root=8, first=3, second=16):
    r"""$\mathrm{Reg}_T\le8\sqrt{TK\log T}+3\sum_a\Delta_a$

    The runs cannot detect a constant above 2 in place of 8: for deterministic rewards with K - 1 equal gaps, the width
    2 sqrt(log T / N) gives a regret of at most 2 sqrt(TK log T), which is approached as K and T / K grow.
    """
    return regret_of_ucb(means, horizon), "<=", bound_without_gaps(means, horizon, first, root)


@claim(
    "TH-T2.23/edge-short-horizon",
    enumerated(
        means=[["0", "1"], ["0", "1", "1"], ["1/4", "1/2", "3/4"], ["1/2", "1/2", "1"]],
        horizon=[1, 2],
        routes=("exact regret", "sum of gaps"),
    ),
    false={"first": "0.9"},
)
def horizon_below_the_number_of_arms(means: Instance, horizon: Count, first=1, second=0):
    r"""$T<K$, $T=1$: some arms are never pulled, $\delta=1/T^2=1$ at $T=1$, and without the logarithm
    $\mathrm{Reg}_T\le\sum_a\Delta_a$"""
    return regret_bound_with_gaps(means, horizon, first, second)


@claim(
    "ALG-A-NP-UCB/ucb",
    enumerated(wins=[1, 3], pulls=[7, 1000], inverse_delta=[2, 100, 10**14], routes=COMPUTED),
    false={"factor": "1.99"},
    twins=["TH-EQ2.9"],
)
def index_of_ucb(wins: Natural, pulls: Count, inverse_delta: Count, factor=2):
    r"""UCB: $\hat\mu+\sqrt{2\log(1/\delta)/N}$."""
    return ucb_index(wins, pulls, inverse_delta, factor)


@claim(
    "ALG-A-NP-UCB/anytime",
    enumerated(wins=[1, 3], pulls=[7, 1000], t=[1001, 10**7], routes=COMPUTED),
    false={"factor": "1.99"},
    twins=["TH-EQ2.12"],
)
def index_of_anytime_ucb(wins: Natural, pulls: Count, t: TwoOrMore, factor=2, shift=0):
    r"""Asymptotically optimal UCB: $\hat\mu+\sqrt{2\log f(t)/N}$, $f(t)=1+t\log^2t$."""
    return anytime_agrees(wins, pulls, t, factor, shift)


@claim(
    "ALG-A-NP-UCB/kl-ucb",
    enumerated(wins=[0, 1, 7], pulls=[7, 1000], t=[1001, 10**7], routes=COMPUTED),
    false={"factor": "0.99"},
    twins=["TH-EQ2.14"],
)
def index_of_klucb(wins: Natural, pulls: Count, t: TwoOrMore, factor=1):
    r"""KL-UCB: $\max\{q:\mathrm{kl}(\hat\mu,q)\le\log f(t)/N\}$."""
    policy = KLUCB(1, exploration="log f(t)")
    policy.clock[:] = t - 1
    printed = kl_ucb_index(to_ball(Fraction(wins, pulls)), to_ball(factor) * log_f(t) / pulls)
    return abs(computed(policy, wins, pulls) - printed), "<=", to_ball("1e-11")


@claim(
    "ALG-A-NP-UCB/episodic",
    enumerated(
        lambda check: [{"rewards": list(r)} for r in product((0, 1), repeat=check.pick(8, 12))],
        rational=True,
        routes=("episodic UCB", "private policies without noise"),
    ),
    false=mutation("budgets of 1", limit=1),
)
def limit_of_infinite_budgets(rewards: Annotated[Any, "all: every list of rewards"], limit="inf"):
    r"""UCB with adaptive episodes and forgetting is AdaP-UCB at $\varepsilon=inf$ and AdaC-UCB at $\rho=inf$: the same
    actions on every list of rewards.

    The left side counts the actions of AdaP-UCB, AdaC-UCB and AdaR-UCB that differ from those of episodic UCB.
    """
    T, large = len(rewards), float(limit)
    budgets = {AdaPUCB: Budget.pure(large), AdaCUCB: Budget.zcdp(large), AdaRUCB: Budget.rdp(2.0, large)}
    private = [kind(2, b, RecordingNoise(np.random.default_rng(0)), beta=3.1) for kind, b in budgets.items()]

    def played(policy: Any) -> list[int]:
        heard, draw = RewardList(list(map(float, rewards)), 2), np.random.default_rng(0)
        return simulate(policy, heard, T, draw, np.arange(1, T + 1)).actions[0].tolist()

    plain = played(EpisodicUCB(2))
    return sum(played(policy) != plain for policy in private), "==", 0
