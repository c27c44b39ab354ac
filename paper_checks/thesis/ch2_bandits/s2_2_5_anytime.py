"""Section 2.2.5, page 29: anytime UCB, KL-UCB and the divergence behind it, with their regret.

The textbook bound behind Theorem 2.24 is Reg_T <= sum of Delta (1 + 5/e^2 + 2 (log f + sqrt(pi log f) + 1) /
(Delta - e)^2) for any e in (0, Delta), f = f(T). Its ingredients are checked: that its leading constant is 2/Delta, and
that it gives a universal constant C for the gap-free bound.
"""

import itertools
from collections.abc import Sequence
from fractions import Fraction
from math import inf
from typing import Annotated, Any

import numpy as np

from banditproof.algorithms.environment import BernoulliBandit, GaussianBandit
from banditproof.algorithms.finite.index import KLUCB, AnytimeUCB
from banditproof.algorithms.run.simulator import simulate
from banditproof.claims.language import *
from banditproof.paper_checks.shared.lists import largest_of, length_of, sum_over
from banditproof.paper_checks.thesis.ch2_bandits.facts import actions, anytime_agrees, exact_regret, log_f
from banditproof.theory import kl_ucb_index, log1p
from banditproof.theory.numbers.exact_numbers import check_count
from banditproof.verify.forms.calculus import pi_beside


@claim(
    "TH-EQ2.12/formula",
    enumerated(
        [
            {"wins": wins, "pulls": pulls, "t": t}
            for (wins, pulls), t in itertools.product(((0, 1), (1, 1), (3, 7), (1000, 1001)), (2, 8, 1002, 10**9))
            if pulls < t
        ],
        routes=("index of the policy", "formula (2.12), in balls"),
    ),
    false=[{"factor": "1.99"}, {"shift": -1}],
    where=["wins <= pulls", "pulls < t"],
)
def anytime_index(wins: Natural, pulls: Count, t: TwoOrMore, factor=2, shift=0):
    r"""the policy's index before pull $t$ is $\hat\mu_a+\sqrt{2\log f(t)/N_a}$"""
    return anytime_agrees(wins, pulls, t, factor, shift)


@quantity
def lists_with_a_common_beginning(arms: int, short: int, long: int, drop: int) -> int:
    """On how many lists of rewards both runs begin alike, the longer one with the first `drop` rewards at the end."""
    lists = itertools.product((0, 1), repeat=check_count("long", long, short, 10))

    def played(rewards: tuple[int, ...], horizon: int) -> tuple[int, ...]:
        return actions("anytime UCB", rewards[:horizon], arms)

    return sum(played(rewards, short) == played(rewards[drop:] + rewards[:drop], long)[:short] for rewards in lists)


@claim(
    "TH-EQ2.12/anytime",
    enumerated(
        [{"arms": arms, "short": short, "long": 7} for arms, short in ((2, 4), (2, 7), (3, 6))],
        rational=True,
        routes=("shorter run", "beginning of the longer run"),
    ),
    false={"drop": 1},
    where=["short <= long"],
)
def horizon_plays_no_part(arms: Count, short: Count, long: Count, drop=0):
    r"""a run that goes on longer begins like the shorter one

    The left side counts the lists of binary rewards on which the actions of the shorter run are the first actions of
    the longer run.
    """
    return lists_with_a_common_beginning(arms, short, long, drop), "==", 2**long


EVERY = Domain.of(means="all: every 1-subgaussian instance", horizon="integer [1, inf)")

item(
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


@claim("TH-T2.24/asymptotic", domain=EVERY, constants={"constant": 2}, false={"constant": 1}, studies=[CURVES])
def leading_constant(check: Check) -> None:
    r"""$\limsup_T\frac{\mathrm{Reg}_T}{\log T}\le\sum_{\Delta_a>0}\frac{2}{\Delta_a}$: the textbook bound over this
    tends to at most 1, and between $t$ and $2t$ the mean regret of simulated runs grows at most $\frac32$ times as much
    as without noise, where $n$ pulls solve $\sqrt{2\log f/n}=\Delta+\sqrt{2\log f/(t-n)}$

    At these horizons the best arm's own width still matters, so the growth is compared with that of the equation.
    """
    constant = float(check.constants["constant"])
    for name, regret in check.study(CURVES).items():
        gap = float(np.ptp(BANDITS[name].means))
        expected = gap * np.diff([noiseless_pulls(t, gap, constant) for t in TIMES])
        series = [(t, float(g)) for t, g in zip(TIMES[1:], np.diff(regret) / expected, strict=True)]
        covers = check.domain.restrict(means=f"all: one {name} bandit", horizon=f"integer [{TIMES[0]}, {TIMES[-1]}]")
        said = f"growth of the mean regret, {name} arms, over that without noise"
        check.trend("stays_below", series, said, covers, bound=1.5)
    shares = [(k, float(leading_share(to_ball(10) ** k)) * 2 / constant) for k in range(4, 60, 5)]
    check.trend("tends_to", shares, "textbook bound over its leading term, at log T = 10^k", limit=1, tolerance=0.01)


def equal_summands(horizon: Positive, arms: Positive, log_horizon: Positive, constant=66):
    """T gap + C K log(T) / gap where both summands are equal, squared, against (2 sqrt(C K T log T))^2."""
    gap = sqrt(constant * arms * log_horizon / horizon)
    bound = 4 * constant * arms * horizon * log_horizon
    return (horizon * gap + constant * arms * log_horizon / gap) ** 2, "<=", bound


@claim("TH-T2.24/constant", deduced(), false={"constant": 60}, role="step")
def constant_of_the_split(horizon: TwoOrMore, constant=66):
    r"""$8\log f(T)+8\sqrt{\pi\log f(T)}+28\le66\log T$ for $T\ge2$

    The left side is the textbook bound with e = gap/2, times gap, minus gap^2.
    """
    logarithm = log_f(horizon)
    return 8 * logarithm + 8 * sqrt(pi_beside(logarithm) * logarithm) + 28, "<=", constant * log(horizon)


@quantity
def regret_of_anytime_ucb(means: Sequence[Any], horizon: int) -> Fraction:
    """Reg_T of anytime UCB against Bernoulli arms, exactly."""
    return exact_regret("anytime UCB", tuple(map(Fraction, means)), check_count("horizon", horizon, 1, 10))


@claim(
    "TH-T2.24/gap-free",
    enumerated(
        [
            {"means": means, "horizon": horizon}
            for means in (["1/2", "1/4"], ["0", "1"], ["1", "0"], ["9/10", "1/10", "1/2"])
            for horizon in (1, 2, 4, 8)
        ],
        routes=("exact regret", "the stated bound, in balls"),
    ),
    argued(
        "the textbook bound with e = gap/2, which is at most gap + C log(T) / gap for T >= 2 by the "
        "second fact; arms with gaps below sqrt(C K log T / T) cost at most T times that",
        equal_summands,
        constant_of_the_split,
    ),
    false=mutation("C = 1/20", constant="1/20"),
)
def some_constant_exists(means: Annotated[Any, "all: every 1-subgaussian instance"], horizon: Count, constant=66):
    r"""$\mathrm{Reg}_T\le2\sqrt{CKT\log T}+C\sum_a\Delta_a$ holds with $C=66$

    The smallest C that this argument gives is determined at T = 2, by the 28 of the textbook bound.
    """
    root = sqrt(constant * length_of(means) * horizon * log(to_ball(horizon)))
    gaps = sum_over(means, lambda _, mean: largest_of(means) - mean)
    return regret_of_anytime_ucb(means, horizon), "<=", 2 * root + constant * gaps


def level(time: int, samples: int, factor: Any = 1, power: Any = 2) -> Any:
    """log f(t) / N with f(t) = 1 + factor t log^power t."""
    t = to_ball(time)
    return log1p(factor * t * log(t) ** to_ball(power)) / samples


@claim("TH-EQ2.14/feasible", deduced(), false=[{"factor": "1.01"}, {"power": "2.01"}])
def index_is_feasible(x: Probability, time: Count, samples: Count, factor=1, power=2):
    r"""The index for $f(t)=1+t\log^{2}t$ satisfies $\mathrm{kl}(\hat\mu,U)\le\log f(t)/N$."""
    index = kl_ucb_index(x, level(time, samples, factor, power))
    return kl_bernoulli(x, index), "<=", level(time, samples)


@claim(
    "TH-EQ2.14/largest",
    tried_at(x=Fraction(1, 2), mean=Fraction(4353, 5000), time=10, samples=10),  # just below the index
    deduced(),
    false=[{"factor": "0.99"}, {"power": "1.99"}],
)
def index_is_largest(x: Probability, mean: Probability, time: Count, samples: Count, factor=1, power=2):
    r"""No mean above the index for $f(t)=1+t\log^{2}t$ is as close as $\log f(t)/N$."""
    index = kl_ucb_index(x, level(time, samples, factor, power))
    return level(time, samples), "<", where(mean, "<=", index, inf, lambda: kl_bernoulli(x, mean))


@claim("TH-EQ2.14/first-step", deduced(), role="edge")
def index_at_the_first_step(x: Probability, time: Annotated[Any, [1]], samples: Count):
    r"""At $t=1$, $f(1)=1$ and the index is the mean."""
    return kl_ucb_index(x, level(time, samples)), "==", x


MEANS = (0.8, 0.2)
RECORDED = (32, 64, 128, 256, 512, 1024)


def run_kl_ucb(seeds: np.random.SeedSequence, runs: int) -> Arrays:
    """Mean regret of KL-UCB with the index (2.14) at the record times."""
    rewards, choices = (np.random.default_rng(seed) for seed in seeds.spawn(2))
    policy = KLUCB(2, exploration="log f(t)", replications=runs, generator=choices)
    result = simulate(policy, BernoulliBandit(MEANS), RECORDED[-1], rewards, RECORDED)
    return {"regret": result.regret.mean(axis=0)}


KL_UCB = Study("thesis-kl-ucb", run_kl_ucb, {"runs": 200}, {"runs": 10_000})


@claim(
    "TH-T2.26",
    domain=Domain.of(means="all: every Bernoulli bandit", horizon="integer [1, inf)"),
    constants={"share": 1},
    false={"share": "1/2"},
    studies=[KL_UCB],
)
def kl_ucb_regret(check: Check) -> None:
    r"""KL-UCB on Bernoulli bandits: $\limsup\mathrm{Reg}_T/\log T\le\sum\Delta_a/d(\mu_a,\mu^*)$. Seen at finite $T$
    against $\log f(T)\sim\log T$ (rule: at most $\frac54$ of it)."""
    constant = float(check.constants["share"]) * (MEANS[0] - MEANS[1]) / float(kl_bernoulli(MEANS[1], MEANS[0]))
    times = np.array(RECORDED, dtype=float)
    ratio = check.study(KL_UCB)["regret"] / (constant * np.log1p(times * np.log(times) ** 2))
    covers = check.domain.restrict(means="all: (0.8, 0.2)", horizon=f"integer [{RECORDED[0]}, {RECORDED[-1]}]")
    series = [(t, float(r)) for t, r in zip(RECORDED, ratio, strict=True)]
    check.trend("stays_below", series, "mean regret over the constant times log f(T)", covers, bound=1.25)


@claim("TH-T2.26/exploration", deduced(), false={"factor": "1.3"}, role="step")
def exploration_is_logarithmic(log_time: AtLeastOne, factor=2):
    r"""$\log f(t)\sim\log t$: $f(t)=1+t\log^2t\le2\,t\log^2t$ for $t\ge e$, so $\log f(t)\le\log t+2\log\log t+\log2$.

    Both sides are divided by t log^2 t.
    """
    return 1 + exp(-log_time) / log_time**2, "<=", factor + 0 * log_time
