"""Anytime UCB and its regret: TH-EQ2.12, TH-T2.24.

The textbook bound behind the theorem is Reg_T <= sum of Delta (1 + 5/e^2 + 2 (log f + sqrt(pi log f) + 1) /
(Delta - e)^2) for any e in (0, Delta), f = f(T). Its ingredients are checked: that its leading constant is 2/Delta, and
that it gives a universal constant C for the gap-free bound.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.algorithms.environment import BernoulliBandit, GaussianBandit, RewardList
from banditproof.algorithms.index import AnytimeUCB
from banditproof.algorithms.simulator import simulate
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.derivation import derivation, fact, facts_hold
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.study import Arrays, Study
from banditproof.paper_checks.thesis_bandit_algorithms import exact_regret
from banditproof.theory.numeric import exp, log, log1p, sqrt, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]
COMPOSED = ("formulas proved symbolically, joined by the named textbook facts", "the stated bound")


def log_f(t: Any) -> Any:
    """log(1 + t log^2 t), a ball."""
    t = to_ball(t)
    return log1p(t * log(t) ** 2)


# ------------------------------------------------------------------------------------------------- TH-EQ2.12: the index

parts_decide(
    "TH-EQ2.12",
    r"$\hat\mu_a(t-1)+\sqrt{2\log f(t)/N_a(t-1)}$ with $f(t)=1+t\log^2t$; the index needs no horizon",
    domain=Domain.of(t="integer [2, inf)"),
)


def index_of_policy(wins: int, pulls: int, t: int, factor: Any, shift: int) -> Sides:
    """What the policy computes before pull t, in floats, against the formula in balls; a few roundings apart."""
    policy = AnytimeUCB(1)
    policy.clock = np.array([t - 1])
    computed = policy.score(np.array([[wins / pulls]]), np.array([[pulls]]))[0, 0]
    printed = to_ball(Fraction(wins, pulls)) + sqrt(factor * log_f(t + shift) / pulls)
    return abs(to_ball(float(computed)) - printed), "<=", to_ball(2) ** -48 * (1 + printed)


@claim(
    "TH-EQ2.12/formula",
    r"the policy's index before pull $t$ is $\hat\mu_a+\sqrt{<factor>\log f(t+<shift>)/N_a}$",
    domain=Domain.of(wins="integer [0, inf)", pulls="integer [1, inf)", t="integer [2, inf)",
                     where=["wins <= pulls", "pulls < t"]),
    constants={"factor": 2, "shift": 0},
    mutations=[mutation("factor 1.99", factor="1.99"), mutation("f of the pulls made", shift=-1)],
    strongest="enumeration",
)  # fmt: skip
def anytime_index(check: Check) -> None:
    points = [
        {"wins": wins, "pulls": pulls, "t": t}
        for (wins, pulls), t in itertools.product(((0, 1), (1, 1), (3, 7), (1000, 1001)), (2, 8, 1002, 10**9))
        if pulls < t
    ]
    check.enumerate(index_of_policy, points, routes=("index of the policy", "formula (2.12), in balls"))


def common_prefix(arms: int, short: int, long: int, drop: int) -> Sides:
    """On how many lists of binary rewards the actions of the shorter run are the first ones of the longer run."""
    lists = list(itertools.product((0, 1), repeat=long))

    def played(rewards: tuple[int, ...], horizon: int) -> list[int]:
        times = np.arange(1, horizon + 1)
        generator = np.random.default_rng(0)
        return simulate(AnytimeUCB(arms), RewardList(rewards, arms), horizon, generator, times).actions[0].tolist()

    same = sum(played(rewards, short) == played(rewards[drop:] + rewards[:drop], long)[:short] for rewards in lists)
    return same, "==", len(lists)


@claim(
    "TH-EQ2.12/anytime",
    r"a run that goes on longer begins like the shorter one (on rewards shifted by <drop>)",
    domain=Domain.of(arms="integer [1, inf)", short="integer [1, inf)", long="integer [1, inf)",
                     where=["short <= long"]),
    constants={"drop": 0}, mutations=[mutation("other rewards", drop=1)], strongest="enumeration",
)  # fmt: skip
def horizon_plays_no_part(check: Check) -> None:
    points = [{"arms": arms, "short": short, "long": 7} for arms, short in ((2, 4), (2, 7), (3, 6))]
    check.enumerate(common_prefix, points, rational=True, routes=("shorter run", "beginning of the longer run"))


# ----------------------------------------------------------------------------------------------------- TH-T2.24: regret

EVERY = Domain.of(means="all: every 1-subgaussian instance", horizon="integer [1, inf)")
parts_decide(
    "TH-T2.24",
    r"anytime UCB on a 1-subgaussian instance: "
    r"$\limsup_T\frac{\mathrm{Reg}_T}{\log T}\le\sum_{\Delta_a>0}\frac2{\Delta_a}$; and "
    r"$\mathrm{Reg}_T\le2\sqrt{CKT\log T}+C\sum_a\Delta_a$ for a universal $C>0$",
    domain=EVERY,
)

TIMES = (125, 250, 500, 1000, 2000, 4000)
BANDITS = {"Bernoulli": BernoulliBandit([0.9, 0.1]), "normal": GaussianBandit([0.0, -0.8])}


def run_anytime(seeds: np.random.SeedSequence, runs: int) -> Arrays:
    """Mean regret at the record times."""
    curves = {}
    for (name, bandit), seed in zip(BANDITS.items(), seeds.spawn(len(BANDITS)), strict=True):
        result = simulate(AnytimeUCB(2, replications=runs), bandit, TIMES[-1], np.random.default_rng(seed), TIMES)
        curves[name] = result.regret.mean(axis=0)
    return curves


CURVES = Study("thesis-anytime-ucb-regret", run_anytime, {"runs": 400}, {"runs": 20_000})


def noiseless_pulls(horizon: int, gap: float, constant: float) -> float:
    """n with sqrt(c log f / n) = gap + sqrt(c log f / (T - n)): where the indices of two arms without noise meet."""
    level = constant * np.log1p(horizon * np.log(horizon) ** 2)
    low, high = 0.0, horizon / 2
    for _ in range(60):
        n = (low + high) / 2
        low, high = (n, high) if np.sqrt(level / n) > gap + np.sqrt(level / (horizon - n)) else (low, n)
    return low


def leading_share(log_horizon: Any) -> Any:
    """The textbook bound for a gap of 1 and e = log(T)^(-1/4), over 2 log T: tends to 1."""
    logarithm = log_horizon + log(log_horizon**2 + exp(-log_horizon))
    e = 1 / sqrt(sqrt(log_horizon))
    bound = 1 + 5 / e**2 + 2 * (logarithm + sqrt(to_ball(0).pi() * logarithm) + 1) / (1 - e) ** 2
    return bound / (2 * log_horizon)


@claim(
    "TH-T2.24/asymptotic",
    r"$\limsup_T\frac{\mathrm{Reg}_T}{\log T}\le\sum_{\Delta_a>0}\frac{<constant>}{\Delta_a}$: the textbook bound over "
    r"this tends to at most 1, and between $t$ and $2t$ the mean regret of simulated runs grows at most "
    r"$\frac32$ times as much as without noise, where $n$ pulls solve "
    r"$\sqrt{<constant>\log f/n}=\Delta+\sqrt{<constant>\log f/(t-n)}$",
    domain=EVERY, constants={"constant": 2}, mutations=[mutation("constant 1", constant=1)], strongest="trend",
    studies=[CURVES],
)  # fmt: skip
def leading_constant(check: Check) -> None:
    """At these horizons the best arm's own width still matters, so growth is compared with that of the equation."""
    constant = float(check.constants["constant"])
    for name, regret in check.study(CURVES).items():
        gap = float(np.ptp(BANDITS[name].means))
        expected = gap * np.diff([noiseless_pulls(t, gap, constant) for t in TIMES])
        series = [(t, float(g)) for t, g in zip(TIMES[1:], np.diff(regret) / expected, strict=True)]
        covers = check.domain.restrict(means=f"all: one {name} bandit", horizon=f"integer [{TIMES[0]}, {TIMES[-1]}]")
        check.trend("stays_below", series, f"growth of the mean regret, {name} arms, over that without noise", covers,
                    bound=1.5)  # fmt: skip
    shares = [(k, float(leading_share(to_ball(10) ** k)) * 2 / constant) for k in range(4, 60, 5)]
    check.trend("tends_to", shares, "textbook bound over its leading term, at log T = 10^k", limit=1, tolerance=0.01)


def constant_suffices(horizon: int, constant: Any) -> Sides:
    """8 log f + 8 sqrt(pi log f) + 28, the textbook bound with e = gap/2 (times gap, less gap^2), against C log T."""
    logarithm = log_f(horizon)
    return 8 * logarithm + 8 * sqrt(to_ball(0).pi() * logarithm) + 28, "<=", constant * log(to_ball(horizon))


def split_at_a_gap(horizon: Any, arms: Any, log_horizon: Any, constant: Any) -> Sides:
    """T gap + C K log(T) / gap where both summands are equal, squared, against (2 sqrt(C K T log T))^2."""
    gap = sqrt(constant * arms * log_horizon / horizon)
    bound = 4 * constant * arms * horizon * log_horizon
    return (horizon * gap + constant * arms * log_horizon / gap) ** 2, "<=", bound


def split_argument() -> SymbolicArgument:
    import sympy

    T, K, L, C = sympy.symbols("T K L C", positive=True)
    return SymbolicArgument(
        {"horizon": T, "arms": K, "log_horizon": L, "constant": C}, sympy.Integer(0), "nonnegative"
    )  # fmt: skip


def gap_free_regret(means: list[str], horizon: int, constant: Any) -> Sides:
    exact = tuple(map(Fraction, means))
    total = to_ball(sum(max(exact) - mean for mean in exact))
    root = sqrt(constant * len(means) * horizon * log(to_ball(horizon)))
    return exact_regret("anytime UCB", exact, horizon), "<=", 2 * root + constant * total


SPLIT = derivation(
    [
        fact(
            split_at_a_gap,
            Domain.of(horizon="(0, inf)", arms="(0, inf)", log_horizon="(0, inf)", constant="(0, inf)"),
            split_argument,
        )
    ],
    "the textbook bound with e = gap/2, which is at most gap + C log(T) / gap for T >= 2; arms with gaps below "
    "sqrt(C K log T / T) cost at most T times that",
)
HORIZONS = [2, 3, 4, 7, 20, 100, 10**3, 10**6, 10**12, 10**30, 10**100, 10**300]
POINTS = [
    {"means": list(means), "horizon": horizon}
    for means in (("1/2", "1/4"), ("0", "1"), ("1", "0"), ("9/10", "1/10", "1/2")) for horizon in (1, 2, 4, 8)
]  # fmt: skip


@claim(
    "TH-T2.24/gap-free",
    r"$\mathrm{Reg}_T\le2\sqrt{CKT\log T}+C\sum_a\Delta_a$ holds with $C=<constant>$",
    domain=EVERY, constants={"constant": 66},
    mutations=[mutation("C = 1/20", constant="1/20", gradual=False)], strongest="certificate",
)  # fmt: skip
def some_constant_exists(check: Check) -> None:
    """The smallest C that these ingredients give is set at T = 2, by the 28 of the textbook bound."""
    if check.enumerate(gap_free_regret, POINTS, routes=("exact regret", "the stated bound, in balls")):
        check.certificate(facts_hold, SPLIT, routes=COMPOSED)


@claim(
    "TH-T2.24/constant",
    r"$8\log f(T)+8\sqrt{\pi\log f(T)}+28\le<constant>\log T$ for $T\ge2$",
    domain=Domain.of(horizon="integer [2, inf)"), constants={"constant": 66},
    mutations=[mutation("C = 60", constant=60)], role="step", strongest="enumeration",
)  # fmt: skip
def constant_of_the_split(check: Check) -> None:
    check.enumerate(constant_suffices, {"horizon": HORIZONS}, routes=("textbook bound", "C log T"))
