r"""Best-arm identification algorithms: empirical best, generalised likelihood ratio, Top Two sampling and TTUCB."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, not_checkable, parts_decide
from banditproof.paper_checks.study import Arrays, Study
from banditproof.paper_checks.thesis_characteristic_time import EXACT, GAUSSIAN, Groups, Sides, exact, solved, value
from banditproof.paper_checks.thesis_membership_inference import executions
from banditproof.theory.numeric import log, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.kernels import FiniteKernel, random_law
from banditproof.verify.output_laws import history_law
from banditproof.verify.symbolic import SymbolicArgument

# ------------------------------------------------------------------------------------------------ recommendation rule

COUNTS = Domain.of(
    pulls_1="integer [1, inf)", ones_1="integer [0, inf)", pulls_2="integer [1, inf)", ones_2="integer [0, inf)",
    where=["ones_1 <= pulls_1", "ones_2 <= pulls_2", "ones_1 * pulls_2 != ones_2 * pulls_1"],
)  # fmt: skip


def log_likelihood(pulls: Sequence[int], ones: Sequence[int], means: Sequence[Fraction]) -> Any:
    terms = [to_ball(0)]
    for n, s, mean in zip(pulls, ones, means, strict=True):
        for count, chance in ((s, mean), (n - s, 1 - mean)):
            if count:
                terms.append(count * log(to_ball(chance)))
    return sum(terms, to_ball(0))


def likelier_best_arm(pulls_1: int, ones_1: int, pulls_2: int, ones_2: int, sign: int) -> Sides:
    """The likelihood of the likeliest instance in which the recommended arm is best, against the other arm's.

    The arm with the larger empirical mean needs no constraint; where the other one is to be best, the likeliest
    instance has both at their common empirical mean. With sign -1 the smaller empirical mean is recommended.
    """
    pulls, ones = (pulls_1, pulls_2), (ones_1, ones_2)
    own = [Fraction(s, n) for s, n in zip(ones, pulls, strict=True)]
    pooled = Fraction(sum(ones), sum(pulls))
    recommended = max((0, 1), key=lambda arm: sign * own[arm])
    of_arm = [log_likelihood(pulls, ones, own if own[arm] == max(own) else (pooled, pooled)) for arm in (0, 1)]
    return of_arm[1 - recommended], "<", of_arm[recommended]


@claim(
    "TH-A2.EB",
    r"The arm with the largest empirical mean $\hat\mu_a=\frac1{N_a}\sum_s\mathbb 1(A_s=a)r_s$ (times <sign>) is "
    "the best arm of the likeliest instance: two arms, binary rewards, no tie.",
    domain=COUNTS, constants={"sign": 1}, mutations=[mutation("the smallest", sign=-1)], strongest="enumeration",
)  # fmt: skip
def empirical_best(check: Check) -> None:
    points = [
        {"pulls_1": n, "ones_1": s, "pulls_2": m, "ones_2": r}
        for n in range(1, 6)
        for m in range(1, 5)
        for s in range(n + 1)
        for r in range(m + 1)
        if s * m != r * n
    ]
    check.enumerate(likelier_best_arm, points, routes=("likelihood of each arm being best", "empirical means"))


# ----------------------------------------------------------------------------------------------------- stopping rule

PAIR = Domain.of(
    n_a="(0, inf)", n_b="(0, inf)", mean_a="(-inf, inf)", mean_b="(-inf, inf)", lam_a="(-inf, inf)",
    lam_b="(-inf, inf)", where=["mean_a > mean_b", "lam_b >= lam_a"],
)  # fmt: skip


def transportation_cost(n_a: Any, n_b: Any, mean_a: Any, mean_b: Any) -> Any:
    """W(a, b) for mean_a > mean_b."""
    return (mean_a - mean_b) ** 2 / (2 * (1 / n_a + 1 / n_b))


def cheapest_common_mean(
    n_a: Any, n_b: Any, mean_a: Any, mean_b: Any, lam_a: Any, lam_b: Any, factor: Any
) -> Sides:  # fmt: skip
    ratio = n_a * (mean_a - lam_a) ** 2 / 2 + n_b * (mean_b - lam_b) ** 2 / 2
    return factor * transportation_cost(n_a, n_b, mean_a, mean_b), "<=", ratio


def squares_left() -> SymbolicArgument:
    """With x = mean_a - lam_a, y = lam_b - mean_b and x + y = gap + s: a square, and what s adds."""
    import sympy

    (n, m, gap), s = sympy.symbols("n m gap", positive=True), sympy.Symbol("s", nonnegative=True)
    x, mean = sympy.symbols("x mean", real=True)
    y = gap + s - x
    certificate = (n * x - m * y) ** 2 / (2 * (n + m)) + n * m * s * (2 * gap + s) / (2 * (n + m))
    variables = {"n_a": n, "n_b": m, "mean_a": mean + gap, "mean_b": mean}
    return SymbolicArgument(variables | {"lam_a": mean + gap - x, "lam_b": mean + y}, certificate, "nonnegative")


@claim(
    "TH-A2.GLR/two-arms",
    r"The log-likelihood ratio of every alternative with $\lambda_b\ge\lambda_a$ is at least "
    r"$<factor>\frac{(\hat\mu_a-\hat\mu_b)^2}{2(1/N_a+1/N_b)}$ (unit variance).",
    domain=PAIR, constants={"factor": 1}, mutations=[mutation("1 % more", factor="1.01")], strongest="symbolic",
)  # fmt: skip
def two_arm_ratio(check: Check) -> None:
    half = Fraction(1, 2)
    tight = {"n_a": 1, "n_b": 1, "mean_a": 1, "mean_b": 0, "lam_a": half, "lam_b": half}
    if not check.search(cheapest_common_mean, [{name: Fraction(v) for name, v in tight.items()}]):
        check.symbolic(cheapest_common_mean, squares_left, routes=("log-likelihood ratio", "sum of squares"))


def ratio_at_the_weighted_mean(n_a: Any, n_b: Any, mean_a: Any, mean_b: Any, factor: Any) -> Sides:
    """The log-likelihood ratio of the alternative that moves both arms to their weighted mean."""
    common = (n_a * mean_a + n_b * mean_b) / (n_a + n_b)
    cost, _, ratio = cheapest_common_mean(n_a, n_b, mean_a, mean_b, common, common, factor)
    return ratio, "==", cost


def weighted_mean() -> SymbolicArgument:
    import sympy

    (n, m, gap), mean = sympy.symbols("n m gap", positive=True), sympy.Symbol("mean", real=True)
    return SymbolicArgument({"n_a": n, "n_b": m, "mean_a": mean + gap, "mean_b": mean}, sympy.S.Zero, "zero")


@claim(
    "TH-A2.GLR/two-arms-attained",
    r"At $\lambda_a=\lambda_b=\frac{N_a\hat\mu_a+N_b\hat\mu_b}{N_a+N_b}$ that log-likelihood ratio equals "
    r"$<factor>\frac{(\hat\mu_a-\hat\mu_b)^2}{2(1/N_a+1/N_b)}$: the infimum is attained.",
    domain=Domain.of(n_a="(0, inf)", n_b="(0, inf)", mean_a="(-inf, inf)", mean_b="(-inf, inf)",
                     where=["mean_a > mean_b"]),
    constants={"factor": 1}, mutations=[mutation("1 % more", factor="1.01"), mutation("1 % less", factor="0.99")],
    strongest="symbolic",
)  # fmt: skip
def two_arm_ratio_is_attained(check: Check) -> None:
    check.symbolic(ratio_at_the_weighted_mean, weighted_mean, routes=("log-likelihood ratio", "closed form"))


def ratio_of_an_alternative(
    pulls: Sequence[Any], means: Sequence[Any], alternative: Sequence[Any], factor: Any
) -> Sides:  # fmt: skip
    """min over the others of W(best, b) against the log-likelihood ratio of an alternative with another best arm."""
    count, own, moved = ([Fraction(v) for v in values] for values in (pulls, means, alternative))
    best = own.index(max(own))
    costs = [
        transportation_cost(count[best], n, own[best], mean)
        for n, mean in zip(count, own, strict=True)
        if mean < own[best]
    ]
    ratio = sum(n * (mean - lam) ** 2 / 2 for n, mean, lam in zip(count, own, moved, strict=True))
    return factor * min(costs), "<=", ratio


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


@claim(
    "TH-A2.GLR/several-arms",
    r"$\max_a\mathrm{GLR}_t(a)=<factor>\min_{a\ne\hat a_t}W_t(\hat a_t,a)$: no alternative with another best arm has a "
    "smaller log-likelihood ratio, and for the other arms the empirical instance itself is an alternative.",
    domain=Domain.of(pulls="all: counts", means="all: empirical means", alternative="all: other best arms"),
    constants={"factor": 1}, mutations=[mutation("1 % more", factor="1.01")], strongest="enumeration",
)  # fmt: skip
def several_arms_ratio(check: Check) -> None:
    points = [point for seed in range(1, check.pick(12, 60)) for point in alternatives_of(seed)]
    routes = ("log-likelihood ratio of alternatives", "transportation costs")
    check.enumerate(ratio_of_an_alternative, points, rational=True, routes=routes)


parts_decide(
    "TH-A2.GLR",
    r"For unit-variance Gaussian arms the statistic of the stopping rule is $\min_{a\ne\hat a_t}W_t(\hat a_t,a)$.",
)

# ----------------------------------------------------------------------------------------------------- sampling rule


def leader_rule(seed: int, history: Any, arms: int) -> Sequence[Fraction]:
    return random_law(seed, ("leader", history), arms)


def challenger_rule(seed: int, history: Any, arms: int, leader: int, excluded: int) -> dict[int, Fraction]:
    """A law on the arms other than the leader (or on all of them)."""
    others = [arm for arm in range(arms) if arm != leader or not excluded]
    return dict(zip(others, random_law(seed, ("challenger", history, leader), len(others)), strict=True))


def choice_rule(seed: int, history: Any, leader: int, challenger: int) -> Fraction:
    """The probability to play the leader."""
    return random_law(seed, ("choice", history, leader, challenger), 2)[0]


ARM_LAWS: tuple[dict[Any, Fraction], ...] = tuple({1: Fraction(k, 5), 0: 1 - Fraction(k, 5)} for k in (1, 2, 3, 4))


def run_top_two(draw: Any, seed: int, arms: int, excluded: int, rounds: int = 2) -> Any:
    """Algorithm 3 in Bernoulli arms, with random rules for leader, challenger and choice: the history of a run."""
    history: tuple[tuple[int, int], ...] = ()
    for _ in range(rounds):
        b = draw(dict(enumerate(leader_rule(seed, history, arms))))
        c = draw(challenger_rule(seed, history, arms, b, excluded))
        keep = choice_rule(seed, history, b, c)
        arm = b if draw({"leader": keep, "challenger": 1 - keep}) == "leader" else c
        history = (*history, (arm, draw(ARM_LAWS[arm])))
    return history


def top_two_as_a_policy(seed: int, arms: int, swapped: int) -> FiniteKernel:
    """pi(a | H) = sum over c != a of [L(a) C(c | a) T(a, c) + L(c) C(a | c) (1 - T(c, a))]."""

    def row(history: Any) -> tuple[Fraction, ...]:
        leads = leader_rule(seed, history, arms)
        follows = [challenger_rule(seed, history, arms, b, 1) for b in range(arms)]

        def keeps(b: int, c: int) -> Fraction:
            keep = choice_rule(seed, history, b, c)
            return 1 - keep if swapped else keep

        return tuple(
            sum(
                (
                    leads[a] * follows[a][c] * keeps(a, c) + leads[c] * follows[c][a] * (1 - keeps(c, a))
                    for c in range(arms)
                    if c != a
                ),
                Fraction(0),
            )
            for a in range(arms)
        )

    return FiniteKernel(2, arms, (0, 1), row)


def law_of_the_runs(seed: int, arms: int, excluded: int, swapped: int) -> Sides:
    """The law of two rounds over all runs of Algorithm 3, against that of the policy, in total variation."""
    of_runs = executions(lambda draw: run_top_two(draw, seed, arms, excluded))
    of_policy = history_law(top_two_as_a_policy(seed, arms, swapped), ARM_LAWS[:arms])
    keys = of_runs.keys() | of_policy.keys()
    return sum(abs(of_runs.get(h, Fraction(0)) - of_policy.get(h, Fraction(0))) for h in keys), "==", 0


@claim(
    "TH-A3", r"Algorithm 3 is the policy $\pi(a\mid H)=\sum_{c\ne a}\bigl[\mathcal L(a)\,\mathcal C(c\mid a)\,"
    r"\mathcal T(a,c)+\mathcal L(c)\,\mathcal C(a\mid c)(1-\mathcal T(c,a))\bigr]$, whatever the laws of leader, "
    r"challenger $c_t\ne b_t$ (left out: <excluded> arm) and choice (exchanged: <swapped>).",
    domain=Domain.of(seed="all: laws of leader, challenger and choice", arms="integer [2, inf)"),
    constants={"excluded": 1, "swapped": 0},
    mutations=[
        mutation("the leader may challenge itself", gradual=False, excluded=0, swapped=0),
        mutation("leader and challenger exchanged", gradual=False, excluded=1, swapped=1),
    ],
    strongest="enumeration",
)  # fmt: skip
def sampling_rule(check: Check) -> None:
    points = [{"seed": seed, "arms": arms} for seed in range(check.pick(4, 20)) for arms in (2, 3)]
    points += [{"seed": 0, "arms": 4}]
    check.enumerate(law_of_the_runs, points, rational=True, routes=("all runs of the algorithm", "law of the policy"))


def tracking(beta: Fraction, rounds: int) -> list[Fraction]:
    """N_{b,b} - beta L_b after each of the rounds in which b leads, when a_t = b iff N_{b,b}(t) <= beta L_b(t + 1)."""
    pulled, excess = 0, []
    for led in range(1, rounds + 1):
        pulled += pulled <= beta * led
        excess.append(pulled - beta * led)
    return excess


def largest_excess(beta: Fraction, rounds: int, slack: Any) -> Sides:
    return max(tracking(beta, rounds)), "<=", slack


def smallest_excess(beta: Fraction, rounds: int, slack: Any) -> Sides:
    return min(tracking(beta, rounds)), ">=", slack


TARGETS = Domain.of(beta="[0, 1]", rounds="integer [1, inf)")
GRID = {"beta": ["0", "1/1000", "1/3", "1/2", "0.77", "999/1000", "1"], "rounds": [1, 2, 10, 300]}
TRACKED = ("tracking rule", "target")


@claim(
    "TH-A3.TTUCB/not-too-many", r"Of $L$ rounds led, an arm is pulled in at most $\beta L+<slack>$, also for "
    r"$\beta\in\{0,1\}$.",
    domain=TARGETS, constants={"slack": 1}, mutations=[mutation("0.9", slack="0.9")], strongest="enumeration",
)  # fmt: skip
def not_too_many(check: Check) -> None:
    check.enumerate(largest_excess, GRID, rational=True, routes=TRACKED)


@claim(
    "TH-A3.TTUCB/not-too-few", r"Of $L$ rounds led, an arm is pulled in at least $\beta L+<slack>$.",
    domain=TARGETS, constants={"slack": 0}, mutations=[mutation("0.1", slack="0.1")], strongest="enumeration",
)  # fmt: skip
def not_too_few(check: Check) -> None:
    """Not pulled means more than beta L before, and pulled adds one to at least beta (L - 1)."""
    check.enumerate(smallest_excess, GRID, rational=True, routes=TRACKED)


parts_decide(
    "TH-A3.TTUCB",
    r"Tracking keeps the fraction of rounds in which a leader is pulled within $1/L$ of the target $\beta$, after $L$ "
    "rounds as the leader.",
    domain=TARGETS,
)

# ----------------------------------------------------------------------------------- S2.2k: the time with a fixed share


def best_share_attains(groups: Groups, slack: Any) -> Sides:
    """T*_beta at the best arm's proportion in w*, against T*_KL."""
    time = solved(groups, "gaussian")
    share = Fraction(time.allocation[time.best_arm])
    return value(groups, "gaussian", beta=share), "<=", to_ball(1 + slack) * value(groups, "gaussian")


def other_shares_do_not(groups: Groups, beta: Any, factor: Any) -> Sides:
    return to_ball(factor) * value(groups, "gaussian"), "<", value(groups, "gaussian", beta=beta)


def one_half_share(groups: Groups, factor: Any) -> Sides:
    return value(groups, "gaussian", beta=Fraction(1, 2)), "<=", to_ball(factor) * value(groups, "gaussian")


TIMES = ("game with a fixed share of the best arm", "game")
SHARES = [Fraction(b) for b in ("0.001", "0.1", "0.3", "0.6", "0.9")]
MANY = exact([[1, 1], [0, 10_000]])


@claim(
    "TH-S2.2k/attained",
    r"$T^\star_\beta=T^\star_{\mathrm{KL}}$ up to a relative <slack> at $\beta=w^\star_{a^\star}$.",
    domain=GAUSSIAN, constants={"slack": "1/1000000000000"}, mutations=[mutation("less", slack="-1/1000")],
    strongest="enumeration",
)  # fmt: skip
def attained(check: Check) -> None:
    points = [{"groups": groups} for groups in EXACT]
    check.enumerate(best_share_attains, points, rational=True, routes=TIMES)


@claim(
    "TH-S2.2k/minimum", r"$T^\star_\beta><factor>T^\star_{\mathrm{KL}}$ at every other $\beta$, so that "
    r"$T^\star_{\mathrm{KL}}=\min_\beta T^\star_\beta$.",
    domain=Domain.of(groups=GAUSSIAN.sets["groups"], beta="(0, 1)"),
    constants={"factor": 1}, mutations=[mutation("1.05", factor="1.05")], strongest="enumeration",
)  # fmt: skip
def minimum_over_shares(check: Check) -> None:
    points = [{"groups": groups, "beta": beta} for groups in EXACT for beta in SHARES]
    check.enumerate(other_shares_do_not, points, rational=True, routes=TIMES)


@claim(
    "TH-S2.2k/one-half", r"$T^\star_{1/2}(\nu)\le<factor>T^\star_{\mathrm{KL}}(\nu)$; for $K$ equal gaps the ratio is "
    r"$2K/(1+\sqrt{K-1})^2$.",
    domain=GAUSSIAN, constants={"factor": 2}, mutations=[mutation("1.95", factor="1.95")], strongest="enumeration",
)  # fmt: skip
def one_half(check: Check) -> None:
    points = [{"groups": groups} for groups in (*EXACT, MANY)]
    check.enumerate(one_half_share, points, rational=True, routes=TIMES)


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
        statistic = _least_cost(means, pulls, means.argmax(axis=1))[0]
        threshold = np.array(LOG_RISKS)[:, None] + np.log1p(np.log(steps))
        stops[np.isnan(stops) & (statistic > threshold)] = steps
        leader = (means + np.sqrt(2 * np.log(steps) / pulls)).argmax(axis=1)
        challenger = _least_cost(means, pulls, leader)[1]
        led[rows, leader] += 1
        keep = led_pulls[rows, leader] <= led[rows, leader] / 2
        led_pulls[rows, leader] += keep
        arm = np.where(keep, leader, challenger)
        pulls[rows, arm] += 1
        sums[rows, arm] += draw.normal(np.array(ARM_MEANS)[arm], 1)
        steps += 1
    return {"mean": stops.mean(axis=1)}


def _least_cost(means: np.ndarray, pulls: np.ndarray, leader: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """min and arg min over b != leader of W(leader, b), per run."""
    rows = np.arange(len(means))
    gap = np.maximum(means[rows, leader][:, None] - means, 0)
    costs = gap**2 / (2 * (1 / pulls[rows, leader][:, None] + 1 / pulls))
    costs[rows, leader] = np.inf
    return costs.min(axis=1), costs.argmin(axis=1)


TTUCB = Study("ttucb-stopping", run_ttucb, {"runs": 100}, {"runs": 2000})


@claim(
    "TH-S2.2k/asymptotic",
    r"TTUCB with target $\frac12$: $\limsup_{\delta\to0}\mathbb E_\nu[\tau_\delta]/\log(1/\delta)\le"
    r"<share>T^\star_{1/2}(\nu)$ (rule: within a fifth of it for the smaller half of the risks).",
    domain=Domain.of(groups="all: unit-variance Gaussian instances", log_risk="(0, inf)"), constants={"share": 1},
    mutations=[mutation("half the time", share="1/2")], strongest="trend", studies=[TTUCB],
)  # fmt: skip
def ttucb_is_asymptotically_beta_optimal(check: Check) -> None:
    groups = exact([[1, 1], [0, len(ARM_MEANS) - 1]])
    time = float(check.constants["share"]) * float(solved(groups, "gaussian", beta=Fraction(1, 2)).value.upper)
    means = check.study(TTUCB)["mean"]
    series = [(risk, float(mean) / risk / time) for risk, mean in zip(LOG_RISKS, means, strict=True)]
    covers = check.domain.restrict(groups="all: means (1, 0, 0)", log_risk=[Fraction(risk) for risk in LOG_RISKS])
    check.trend("stays_below", series, "mean stopping time over log(1/delta) T*_1/2", covers, bound=1.2)


not_checkable(
    "TH-S2.2k/adaptive-target",
    r"With a target $\beta_t(b_t,c_t)$ chosen by the instance TTUCB attains $T^\star_{\mathrm{KL}}$.",
    "cited result", "the expressions of the adaptive target and its tracking, which are only referred to",
)  # fmt: skip

parts_decide(
    "TH-S2.2k",
    r"For Gaussian arms TTUCB attains $T^\star_\beta$; $T^\star_{\mathrm{KL}}=\min_\beta T^\star_\beta$ "
    r"and $T^\star_{1/2}\le2T^\star_{\mathrm{KL}}$.",
)
