"""Section 2.2.9, page 35: Top Two sampling, the empirical best arm, the likelihood ratio statistic, and TTUCB."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Any

import numpy as np

from banditproof.claims.language import *
from banditproof.paper_checks.shared.lists import entry_of, sum_over
from banditproof.paper_checks.thesis.facts.bandits import Law
from banditproof.paper_checks.thesis.facts.best_arm import *
from banditproof.paper_checks.thesis.facts.inference import executions
from banditproof.verify import FiniteKernel, history_law, random_law

GaussianInstance = Annotated[Any, "all: every unit-variance Gaussian instance with a unique best arm"]


def challenger_rule(seed: int, history: Any, arms: int, leader: int, excluded: int) -> dict[int, Fraction]:
    """A law on the arms other than the leader (or on all of them)."""
    others = [arm for arm in range(arms) if arm != leader or not excluded]
    return dict(zip(others, random_law(seed, ("challenger", history, leader), len(others)), strict=True))


def choice_rule(seed: int, history: Any, leader: int, challenger: int) -> Fraction:
    """The probability to play the leader."""
    return random_law(seed, ("choice", history, leader, challenger), 2)[0]


ARM_LAWS: tuple[Law, ...] = tuple({1: Fraction(k, 5), 0: 1 - Fraction(k, 5)} for k in (1, 2, 3, 4))


def run_top_two(draw: Any, seed: int, arms: int, excluded: int, rounds: int = 2) -> Any:
    """Algorithm 3 in Bernoulli arms, with random rules for leader, challenger and choice: the history of a run."""
    history: tuple[tuple[int, int], ...] = ()
    for _ in range(rounds):
        b = draw(dict(enumerate(random_law(seed, ("leader", history), arms))))
        c = draw(challenger_rule(seed, history, arms, b, excluded))
        keep = choice_rule(seed, history, b, c)
        arm = b if draw({"leader": keep, "challenger": 1 - keep}) == "leader" else c
        history = (*history, (arm, draw(ARM_LAWS[arm])))
    return history


def top_two_as_a_policy(seed: int, arms: int, swapped: int) -> FiniteKernel:
    """pi(a | H) = sum over c != a of [L(a) C(c | a) T(a, c) + L(c) C(a | c) (1 - T(c, a))]."""

    def row(history: Any) -> tuple[Fraction, ...]:
        leads = random_law(seed, ("leader", history), arms)
        follows = [challenger_rule(seed, history, arms, b, 1) for b in range(arms)]

        def keeps(b: int, c: int) -> Fraction:
            keep = choice_rule(seed, history, b, c)
            return 1 - keep if swapped else keep

        def met(a: int, c: int) -> Fraction:
            return leads[a] * follows[a][c] * keeps(a, c) + leads[c] * follows[c][a] * (1 - keeps(c, a))

        return tuple(sum((met(a, c) for c in range(arms) if c != a), Fraction(0)) for a in range(arms))

    return FiniteKernel(2, arms, (0, 1), row)


@claim(
    "TH-A3",
    enumerated(
        lambda check: [
            *({"seed": seed, "arms": arms} for seed in range(check.pick(4, 20)) for arms in (2, 3)),
            {"seed": 0, "arms": 4},
        ],
        rational=True,
        routes=("all runs of the algorithm", "law of the policy"),
    ),
    false=[
        mutation("the leader may challenge itself", excluded=0, swapped=0),
        mutation("leader and challenger exchanged", excluded=1, swapped=1),
    ],
)
def sampling_rule(
    seed: Annotated[Any, "all: laws of leader, challenger and choice"], arms: TwoOrMore, excluded=1, swapped=0
):
    r"""Algorithm 3 is the policy $\pi(a\mid H)=\sum_{c\ne a}\bigl[\mathcal L(a)\,\mathcal C(c\mid a)\,\mathcal
    T(a,c)+\mathcal L(c)\,\mathcal C(a\mid c)(1-\mathcal T(c,a))\bigr]$, whatever the laws of leader, challenger $c_t\ne
    b_t$ and choice.

    The law of two rounds over all runs of Algorithm 3 is compared with that of the policy, in total variation.
    """
    of_runs = executions(lambda draw: run_top_two(draw, seed, arms, excluded))
    of_policy = history_law(top_two_as_a_policy(seed, arms, swapped), ARM_LAWS[:arms])
    keys = of_runs.keys() | of_policy.keys()
    return sum(abs(of_runs.get(h, Fraction(0)) - of_policy.get(h, Fraction(0))) for h in keys), "==", 0


def log_likelihood(pulls: Any, ones: Any, mean: Any) -> Any:
    """Of the binary rewards of an arm with this mean."""

    def added(count: Any, chance: Any) -> Any:
        return where(count, "==", 0, 0, lambda: count * log(chance))

    return added(ones, mean) + added(pulls - ones, 1 - mean)


@claim(
    "TH-A2.EB",
    deduced(),
    false={"sign": -1},
    restricted="to two arms with binary rewards",
    where=["ones_1 <= pulls_1", "ones_2 <= pulls_2", "ones_1 * pulls_2 != ones_2 * pulls_1"],
)
def empirical_best(pulls_1: Count, ones_1: Natural, pulls_2: Count, ones_2: Natural, sign=1):
    r"""The arm with the largest empirical mean $\hat\mu_a=\frac1{N_a}\sum_s\mathbb 1(A_s=a)r_s$ is the best arm of the
    likeliest instance: two arms, binary rewards, no tie.

    The likelihood of the likeliest instance in which the recommended arm is best is compared with that of the other
    arm. The arm with the larger empirical mean needs no constraint; if the other arm is to be best, the likeliest
    instance has both arms at their common empirical mean. With sign -1 the arm with the smaller empirical mean is
    recommended.
    """
    own_1, own_2 = ratio(ones_1, pulls_1), ratio(ones_2, pulls_2)
    free = log_likelihood(pulls_1, ones_1, own_1) + log_likelihood(pulls_2, ones_2, own_2)
    pooled = log_likelihood(pulls_1 + pulls_2, ones_1 + ones_2, ratio(ones_1 + ones_2, pulls_1 + pulls_2))
    of_1, of_2 = where(own_1, ">", own_2, free, pooled), where(own_2, ">", own_1, free, pooled)
    recommended, other = where(sign * own_1, ">", sign * own_2, (of_1, of_2), (of_2, of_1))
    return other, "<", recommended


def transportation_cost(n_a: Any, n_b: Any, mean_a: Any, mean_b: Any) -> Any:
    """W(a, b) for mean_a > mean_b."""
    return (mean_a - mean_b) ** 2 / (2 * (1 / n_a + 1 / n_b))


def alternatives_of(seed: int) -> list[dict[str, Any]]:
    """Random counts and means of three arms; alternatives at each weighted mean, and beyond it."""
    pulls = [Fraction(1 + (seed * k) % 7) for k in (3, 5, 8)]
    means = [Fraction((seed * k + 2 * k) % 11, 10) for k in (9, 4, 1)]
    best = means.index(max(means))
    points = []
    for b in (a for a in range(3) if means[a] < means[best]):
        common = (pulls[best] * means[best] + pulls[b] * means[b]) / (pulls[best] + pulls[b])
        for shift in (Fraction(0), Fraction(1, 20), Fraction(-1, 10)):
            moved = list(means)
            moved[best], moved[b] = common + min(shift, 0), common + max(shift, 0)
            points.append({"pulls": pulls, "means": means, "alternative": moved})
    return points


@quantity
def least_transportation_cost(pulls: Sequence[Any], means: Sequence[Any]) -> Fraction:
    """The least W_t of the arm of the largest mean and another one."""
    top = max(means)
    most = pulls[means.index(top)]
    return min(transportation_cost(most, n, top, mean) for n, mean in zip(pulls, means, strict=True) if mean < top)


@claim(
    "TH-A2.GLR/several-arms",
    enumerated(
        lambda check: [point for seed in range(1, check.pick(12, 60)) for point in alternatives_of(seed)],
        rational=True,
        routes=("log-likelihood ratio of alternatives", "transportation costs"),
    ),
)
def several_arms_ratio(
    pulls: Annotated[Any, "all: counts"],
    means: Annotated[Any, "all: empirical means"],
    alternative: Annotated[Any, "all: other best arms"],
):
    r"""$\max_a\mathrm{GLR}_t(a)=\min_{a\ne\hat a_t}W_t(\hat a_t,a)$: no alternative with another best arm has a smaller
    log-likelihood ratio, and for the other arms the empirical instance itself is an alternative."""
    log_ratio = sum_over(means, lambda a, mean: entry_of(pulls, a) * (mean - entry_of(alternative, a)) ** 2 / 2)
    return least_transportation_cost(pulls, means), "<=", log_ratio


def tracking(beta: Fraction, rounds: int) -> list[Fraction]:
    """N_{b,b} - beta L_b after each of the rounds in which b leads, when a_t = b iff N_{b,b}(t) <= beta L_b(t + 1)."""
    pulled, excess = 0, []
    for led in range(1, rounds + 1):
        pulled += pulled <= beta * led
        excess.append(pulled - beta * led)
    return excess


TRACKED = enumerated(
    beta=["0", "1/1000", "1/3", "1/2", "0.77", "999/1000", "1"],
    rounds=[1, 2, 10, 300],
    rational=True,
    routes=("tracking rule", "target"),
)


@quantity
def most_ahead(beta: Any, rounds: int) -> Fraction:
    """The largest excess of an arm's pulls over beta L in the first so many rounds that it leads."""
    return max(tracking(Fraction(beta), rounds))


@quantity
def most_behind(beta: Any, rounds: int) -> Fraction:
    """The smallest one."""
    return min(tracking(Fraction(beta), rounds))


@claim("TH-A3.TTUCB/tracked-at-most", TRACKED, role="implication")
def tracked_at_most(beta: Probability, rounds: Count):
    r"""An arm that has led $L$ rounds is pulled in at most $\beta L+1$ of them, also for $\beta\in\{0,1\}$."""
    return most_ahead(beta, rounds), "<=", 1


@claim("TH-A3.TTUCB/tracked-at-least", TRACKED, role="implication")
def tracked_at_least(beta: Probability, rounds: Count):
    r"""An arm that has led $L$ rounds is pulled in at least $\beta L$ of them."""
    return most_behind(beta, rounds), ">=", 0


def on_instances(*more: Any, **shares: Any) -> enumerated:
    times = ("game with a fixed share of the best arm", "game")
    return enumerated(groups=[*EXACT, *more], rational=True, routes=times, **shares)


@quantity
def share_of_the_best_arm(groups: Any) -> Fraction:
    """w* of the best arm."""
    time = solved(groups, "gaussian")
    return Fraction(time.allocation[time.best_arm])


@claim("TH-S2.2k/attained", on_instances())
def attained(groups: GaussianInstance, slack=Fraction(1, 10**12)):
    r"""$T^\star_\beta=T^\star_{\mathrm{KL}}$ up to a relative 1/1000000000000 at $\beta=w^\star_{a^\star}$."""
    time = unit_gaussian_time_with_share(groups, share_of_the_best_arm(groups))
    return time, "<=", (1 + slack) * unit_gaussian_time(groups)


@claim("TH-S2.2k/minimum", on_instances(beta=["0.001", "0.1", "0.3", "0.6", "0.9"]))
def minimum_over_shares(groups: GaussianInstance, beta: Inside):
    r"""$T^\star_\beta>T^\star_{\mathrm{KL}}$ at every other $\beta$, so that $T^\star_{\mathrm{KL}}=\min_\beta
    T^\star_\beta$."""
    return unit_gaussian_time(groups), "<", unit_gaussian_time_with_share(groups, beta)


@claim("TH-S2.2k/one-half", on_instances(exact([[1, 1], [0, 10_000]])))
def one_half(groups: GaussianInstance):
    r"""$T^\star_{1/2}(\nu)\le2T^\star_{\mathrm{KL}}(\nu)$; for $K$ equal gaps the ratio is $2K/(1+\sqrt{K-1})^2$."""
    return unit_gaussian_time_with_share(groups, Fraction(1, 2)), "<=", 2 * unit_gaussian_time(groups)


ARM_MEANS = (1.0, 0.0, 0.0)
LOG_RISKS = (10, 20, 40, 80, 160, 320)  # log(1/delta)


def run_ttucb(seeds: np.random.SeedSequence, runs: int) -> Arrays:
    """Mean stopping times of TTUCB with target 1/2 for growing log(1/delta), threshold log((1 + log t)/delta).

    The sampling rule does not look at delta, so one trajectory serves all of them.
    """
    draw = np.random.default_rng(seeds)
    arms, rows = len(ARM_MEANS), np.arange(runs)
    pulls, sums = np.ones((runs, arms)), draw.normal(ARM_MEANS, 1, (runs, arms))
    led, led_pulls = np.zeros((runs, arms)), np.zeros((runs, arms))
    stops = np.full((len(LOG_RISKS), runs), np.nan)
    steps = arms
    while np.isnan(stops).any():
        means = sums / pulls
        statistic = least_cost(means, pulls, means.argmax(axis=1))[0]
        threshold = np.array(LOG_RISKS)[:, None] + np.log1p(np.log(steps))
        stops[np.isnan(stops) & (statistic > threshold)] = steps
        leader = (means + np.sqrt(2 * np.log(steps) / pulls)).argmax(axis=1)
        challenger = least_cost(means, pulls, leader)[1]
        led[rows, leader] += 1
        keep = led_pulls[rows, leader] <= led[rows, leader] / 2
        led_pulls[rows, leader] += keep
        arm = np.where(keep, leader, challenger)
        pulls[rows, arm] += 1
        sums[rows, arm] += draw.normal(np.array(ARM_MEANS)[arm], 1)
        steps += 1
    return {"mean": stops.mean(axis=1)}


def least_cost(means: np.ndarray, pulls: np.ndarray, leader: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """min and arg min over b != leader of W(leader, b), per run."""
    rows = np.arange(len(means))
    gap = np.maximum(means[rows, leader][:, None] - means, 0)
    costs = gap**2 / (2 * (1 / pulls[rows, leader][:, None] + 1 / pulls))
    costs[rows, leader] = np.inf
    return costs.min(axis=1), costs.argmin(axis=1)


TTUCB = Study("ttucb-stopping", run_ttucb, {"runs": 100}, {"runs": 2000})


@claim(
    "TH-S2.2k/asymptotic",
    domain=Domain.of(groups="all: unit-variance Gaussian instances", log_risk="(0, inf)"),
    constants={"share": 1},
    false={"share": "1/2"},
    studies=[TTUCB],
)
def ttucb_is_asymptotically_beta_optimal(check: Check) -> None:
    r"""TTUCB with target $\frac12$: $\limsup_{\delta\to0}\mathbb E_\nu[\tau_\delta]/\log(1/\delta)\le
    T^\star_{1/2}(\nu)$ (rule: within a fifth of it for the smaller half of the risks)."""
    groups = exact([[1, 1], [0, len(ARM_MEANS) - 1]])
    time = float(check.constants["share"]) * float(solved(groups, "gaussian", beta=Fraction(1, 2)).value.upper)
    means = check.study(TTUCB)["mean"]
    series = [(risk, float(mean) / risk / time) for risk, mean in zip(LOG_RISKS, means, strict=True)]
    covers = check.domain.restrict(groups="all: means (1, 0, 0)", log_risk=[Fraction(risk) for risk in LOG_RISKS])
    check.trend("stays_below", series, "mean stopping time over log(1/delta) T*_1/2", covers, bound=1.2)
