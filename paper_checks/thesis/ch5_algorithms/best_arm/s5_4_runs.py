r"""Section 5.4, page 118: runs of AdaP-TT and AdaP-TT*: that they are private, and with which arm they stop.

Delta-correct has two meanings in print. The words before Definition 2.19 ("after stopping") and the proof of Lemma 5.18
("the failure probability") bound the probability of stopping with a wrong arm, which is what the thresholds do. The
formula of the definition also requires the strategy to stop, and no stopping rule can ensure this for a strategy that
leaves an arm alone.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Any

import numpy as np

from banditproof.algorithms import BernoulliBandit, NoiseSource
from banditproof.algorithms.identification.top_two import AdaPTT, AdaPTTStar
from banditproof.algorithms.run.identification import identify
from banditproof.claims.language import *
from banditproof.claims.recorded_runs import BUGS, Algorithm, EveryBudget, RewardLists, recorded
from banditproof.paper_checks.thesis.studies import simulated
from banditproof.theory import characteristic_time
from banditproof.theory.best_arm.thresholds import far_threshold, near_growth, zeta
from banditproof.verify.runs.followed import departures_of

Instances = Annotated[Any, "all: every instance with a unique best arm"]
Risk = Annotated[Any, "(0, 1)"]
Exponent = Annotated[Any, "(1, inf)"]
NoTies = Annotated[Any, "all: every instance without equal means"]

RUNS = recorded({"adap-tt": [["pure", 8]], "adap-tt-star": [["pure", 8]]})


@claim("ALG-S5.4a/recorded-runs", RUNS, false=BUGS, role="model")
def top_two_runs(algorithm: Algorithm, budget: EveryBudget, T: Count, rewards: RewardLists, bug="none", adversary=0):
    r"""In runs of AdaP-TT and AdaP-TT*, a release is the mean of the rewards of an arm in a phase, plus Laplace noise
    that hides one of these rewards. Each reward enters one release. Pulls, stopping and recommendation depend on
    releases only."""
    return departures_of(algorithm, budget, T, rewards, bug, adversary)


class Hasty:
    """Divides the thresholds, for the false variants."""

    divisor: float

    def threshold(self, leads: Any, own: Any, others: Any, epsilon: Any) -> Any:
        return super().threshold(leads, own, others, epsilon) / self.divisor  # pyright: ignore[reportAttributeAccessIssue]


class HastyAdaPTT(Hasty, AdaPTT):
    """AdaP-TT with a twentieth of its thresholds."""

    divisor = 20.0


class HastyAdaPTTStar(Hasty, AdaPTTStar):
    """AdaP-TT* with a sixth of its thresholds."""

    divisor = 6.0


POLICIES = {
    (1, "AdaP-TT"): AdaPTT,
    (20, "AdaP-TT"): HastyAdaPTT,
    (1, "AdaP-TT*"): AdaPTTStar,
    (6, "AdaP-TT*"): HastyAdaPTTStar,
}


# Two arms with rewards in [0, 1]; once arm 2 has one released mean, of one reward, only arm 1 is pulled.

NO_END = (
    "a stop needs noise larger than the lead minus one: on the mean of arm 2 or, by a union bound, on one of the means "
    "of arm 1, of 1, 1, 2, 4, ... rewards; the terms left out of a threshold are nonnegative, or rise with the count"
)


def reached(lead: Any, epsilon: Any) -> Any:
    """At most this probable: some mean of arm 1 and the mean of arm 2 are `lead` apart, half of the noise each."""
    tail = exp(-epsilon * (lead - 1) / 2)
    return where(lead, ">", 1, lambda: 3 * tail + tail**2 / (1 - tail), 1)


def noise_of_one(delta: Any, epsilon: Any, s: Any) -> Any:
    """What the private part of threshold (5.11) asks for a mean of one reward, sigma = 1/2."""
    return 4 * log(4 * zeta(to_ball(s)) * 2**s / to_ball(delta)) ** 2 / epsilon**2


@claim("ALG-L5.18/delta-correct", fails_at(delta=Fraction(1, 10), epsilon=1, s=2), role="reading", assuming=NO_END)
def adap_tt_without_an_end(delta: Risk, epsilon: Positive, s: Exponent):
    r"""'Given any sampling rule' and '$\delta$-correct' by the formula of Definition 2.19,
    $\mathbb P(\tau_\delta<\infty,\hat a=a^*)\ge1-\delta$, where the proof bounds 'the failure probability': with a rule
    that leaves arm 2 of two alone once it has one private mean, a bound from above on $\mathbb P(\tau_\delta<\infty)$
    is at least $1-\delta$ (the difference of both sides).

    W < 2 lead^2 has to reach the part of the threshold that the one reward of arm 2 asks for: at delta = 1/10, epsilon
    = 1 and s = 2 a lead of 7.88, so that P(tau < inf) < 0.1 (with the whole threshold about 0.0001).
    """
    return reached(sqrt(noise_of_one(delta, epsilon, s) / 2), epsilon) - (1 - delta), ">=", 0


@claim(
    "ALG-L5.21/delta-correct",
    fails_at(delta=Fraction(1, 10), epsilon=1, s=2),
    role="reading",
    assuming=NO_END,
    cause="ALG-L5.18/delta-correct",
)
def adap_tt_star_without_an_end(delta: Risk, epsilon: Positive, s: Exponent):
    r"""'Given any sampling rule' and '$\delta$-correct' for AdaP-TT* by the formula of Definition 2.19: with a rule
    that leaves arm 2 of two alone once it has one private mean, a bound from above on $\mathbb P(\tau_\delta<\infty)$
    is at least $1-\delta$ (the difference of both sides).

    Below a lead of 3 epsilon W < 18 epsilon^2, less than half of the private part of (5.11) at 2 delta/3; from there on
    W < 6 epsilon lead has to reach a threshold that rises with the counts.
    """
    far = far_threshold(to_ball(1), to_ball(1), to_ball(delta), 2, epsilon, s) / (6 * epsilon)
    lead = where(18 * epsilon**2, "<", noise_of_one(2 * delta / 3, epsilon, s) / 2, far, 1)  # never near
    return reached(lead, epsilon) - (1 - delta), ">=", 0


# Theorems 5.20 and 5.23: whose characteristic time, and for which instances.

PAIR = fails_at(high=Fraction("0.9999"), low=Fraction("0.99"), epsilon=1000, rational=True)
BOTH_MEANS = (
    "tau_delta / log(1/delta) is at least this in the limit: the last phase has at most half of the pulls of an "
    "arm, so "
    "a stop after n pulls has 1/(1/n_1 + 1/n_2) <= n/8, and private means tend to the means"
)


@quantity
def half_time_of_coins(high: Any, low: Any) -> Any:
    """T*_(KL, 1/2) of two Bernoulli arms, certified."""
    return characteristic_time(means=[Fraction(high), Fraction(low)], beta=Fraction(1, 2)).value.ball()


@claim("ALG-T5.20/bernoulli-time", PAIR, where=["low < high"], role="reading", assuming=BOTH_MEANS)
def time_of_coins(high: Inside, low: Inside, epsilon: Positive):
    r"""'$T^*_{\mathrm{KL},\beta}(\nu)$' with the relative entropy of Bernoulli arms, $\beta=\frac12$, two arms:
    $\frac8{\Delta^2}$, a lower bound on $\tau_\delta/\log\frac1\delta$ in the limit, is at most
    $4T^*_{\mathrm{KL},\beta}\bigl(1+\sqrt{1+8\Delta^2/\varepsilon^2}\bigr)$.

    "For Gaussian bandits" is said in the discussion alone. The cost is Gaussian: 2 Delta^2 n / 8 has to reach 2 L.
    """
    gap = high - low
    return 8 / gap**2, "<=", 4 * half_time_of_coins(high, low) * (1 + sqrt(1 + 8 * gap**2 / epsilon**2))


@claim(
    "ALG-T5.23/bernoulli-time",
    PAIR,
    where=["low < high", "high - low < 3*epsilon"],
    role="reading",
    assuming=BOTH_MEANS,
    cause="ALG-T5.20/bernoulli-time",
)
def time_of_coins_for_the_star(high: Inside, low: Inside, epsilon: Positive):
    r"""'$T^*_{\mathrm{KL},\beta}(\nu)$' with the relative entropy of Bernoulli arms, $\beta=\frac12$, two arms,
    $\Delta<3\varepsilon$: $\frac4{\Delta^2}$, a lower bound on $\tau_\delta/\log\frac1\delta$ in the limit, is at most
    $4T^*_{\mathrm{KL},\beta}g_1(\frac{4\Delta}\varepsilon)$."""
    gap = high - low
    return 4 / gap**2, "<=", 4 * half_time_of_coins(high, low) * near_growth(4 * gap / epsilon)


TIED, DISTINCT = (1.0, 0.0, 0.0), (0.9, 0.5, 0.1)
END_BUDGET, END_RISK = Fraction("0.1"), Fraction("0.01")
CASES = [(TIED, "phase"), (TIED, "log"), (DISTINCT, "phase")]


def run_ends(seeds: np.random.SeedSequence, runs: int, listed: Sequence[Any] = CASES) -> Arrays:
    """Whether runs stopped with the best arm, for every policy; those with smaller thresholds on distinct means."""
    arrays: Arrays = {}
    for (divisor, name), policy in POLICIES.items():
        for means, bonus in [case for case in listed if divisor == 1 or case in CASES[2:]]:
            play, rewards = (np.random.default_rng(s) for s in seeds.spawn(2))
            budget, noise = Budget.pure(float(END_BUDGET)), NoiseSource(play)
            run = policy(3, budget, noise, delta=float(END_RISK), bonus=bonus, replications=runs)
            named = identify(run, BernoulliBandit(means), 10**12, rewards).recommendation
            arrays[f"{name}, {divisor}, {means}, {bonus}"] = named == 0
    return arrays


ENDS = Study("thesis-top-two-ends", run_ends, {"runs": 3000}, {"runs": 12000})


def ends(means: str, cases: Sequence[Any]) -> simulated:
    return simulated(ENDS, means=f"all: {means}", epsilon=[END_BUDGET], delta=[END_RISK], again={"listed": cases})


NO_TIES = "to instances without equal means, of which the limit speaks"
AT_TIES, AT_DISTINCT = ends("(1, 0, 0)", CASES[:2]), ends("(0.9, 0.5, 0.1)", CASES[2:])


def stopped_right(name: str, means: tuple[float, ...], arrays: Any, bonus: Any = "phase", divisor: Any = 1) -> Any:
    key = f"{name}, {int(divisor)}, {means}, {bonus}"
    yield f"{key}: stopped with the best arm", arrays[key], ">=", 1 - END_RISK


@claim("ALG-T5.20/delta-correct", AT_DISTINCT, false={"divisor": 20}, studies=[ENDS], restricted=NO_TIES)
def adap_tt_is_correct(means: NoTies, epsilon: Positive, delta: Risk, divisor=1, *, arrays):
    r"""AdaP-TT 'is $\delta$-correct': with its thresholds divided by 1 it stops with the best arm with probability at
    least $1-\delta$, where no two means are equal."""
    yield from stopped_right("AdaP-TT", DISTINCT, arrays, divisor=divisor)


@claim("ALG-T5.23/delta-correct", AT_DISTINCT, false={"divisor": 6}, studies=[ENDS], restricted=NO_TIES)
def adap_tt_star_is_correct(means: NoTies, epsilon: Positive, delta: Risk, divisor=1, *, arrays):
    r"""AdaP-TT* 'is $\delta$-correct': with its thresholds divided by 1 it stops with the best arm with probability at
    least $1-\delta$, where no two means are equal."""
    yield from stopped_right("AdaP-TT*", DISTINCT, arrays, divisor=divisor)


@claim("ALG-T5.20/tied-arms", AT_TIES, studies=[ENDS], role="reading")
def adap_tt_with_ties(means: Instances, epsilon: Positive, delta: Risk, bonus="phase", *, arrays):
    r"""AdaP-TT 'is $\delta$-correct' without a class of instances, where means $(1,0,0)$ have one best arm: with the
    bonus of line 16 (phase) runs stop with it with probability at least $1-\delta$, those that have not stopped after
    $10^{12}$ pulls taken never to do so.

    The printed bonus does not grow while an arm waits, and between equal arms W stays small, so an unlucky best arm
    never becomes leader or challenger again, at any risk. The limit is for distinct means.
    """
    yield from stopped_right("AdaP-TT", TIED, arrays, bonus)


@repaired(
    "ALG-T5.20/tied-arms-repaired",
    "ALG-T5.20/tied-arms",
    AT_TIES,
    false=mutation("the printed bonus", bonus="phase"),
    studies=[ENDS],
)
def adap_tt_with_ties_and_log(bonus="log"):
    r"""With $\log n$ in place of $k_a$ in the bonus of line 16 (log) runs on means $(1,0,0)$ stop with the best arm
    with probability at least $1-\delta$."""


@claim("ALG-T5.23/tied-arms", AT_TIES, studies=[ENDS], role="reading", cause="ALG-T5.20/tied-arms")
def adap_tt_star_with_ties(means: Instances, epsilon: Positive, delta: Risk, bonus="phase", *, arrays):
    r"""AdaP-TT* 'is $\delta$-correct' without a class of instances, where means $(1,0,0)$ have one best arm: with the
    bonus of line 16 (phase) runs stop with it with probability at least $1-\delta$, those that have not stopped after
    $10^{12}$ pulls taken never to do so.

    The printed bonus does not grow while an arm waits, and between equal arms W stays small, so an unlucky best arm
    never becomes leader or challenger again, at any risk. The limit is for distinct means.
    """
    yield from stopped_right("AdaP-TT*", TIED, arrays, bonus)


@repaired(
    "ALG-T5.23/tied-arms-repaired",
    "ALG-T5.23/tied-arms",
    AT_TIES,
    false=mutation("the printed bonus", bonus="phase"),
    studies=[ENDS],
)
def adap_tt_star_with_ties_and_log(bonus="log"):
    r"""With $\log n$ in place of $k_a$ in the bonus of line 16 (log) runs on means $(1,0,0)$ stop with the best arm
    with probability at least $1-\delta$."""
