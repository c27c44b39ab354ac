"""Section 2.2.7, page 33: linear bandits with and without contexts, and LinUCB.

The model and its regret are followed in exact arithmetic for finite noise. LinUCB is played exactly with the set (2.19)
as it is printed, whose widths grow where data come in, and simulated with the norm of V_t in place of that of V_t^-1.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.claims.check import Check
from banditproof.claims.register import claim, mutation
from banditproof.claims.sets import Count, EveryBandit, EveryNext, EveryPolicy, EveryRealFunction, Positive, Real
from banditproof.claims.steps import deduced, enumerated, in_kernel
from banditproof.claims.study import Arrays, Study
from banditproof.theory import sqrt, to_ball
from banditproof.theory.numbers.exact_numbers import check_count
from banditproof.theory.numbers.term import quantity
from banditproof.verify import Domain, decided, event_test
from banditproof.verify.kernel.linear import (
    gaps_are_not_negative,
    gaps_by_pulls,
    in_context,
    in_each_round,
    mean_of_a_reward,
    noise_is_subgaussian,
    one_subgaussian,
    plays_by_printed_set,
    rounds_tell_actions_and_rewards,
    runs_with_noise,
    what_is_lost,
)
from banditproof.verify.kernel.meanings import when
from banditproof.verify.kernel.policies import plays_arms
from banditproof.verify.kernel.rewards import rounds_tell_arms_and_rewards
from banditproof.verify.theorems import linear_regret as linear_proofs
from banditproof.verify.theorems import regret as regret_proofs


@claim(
    "TH-EQ2.16",
    in_kernel(linear_proofs.mean_of_a_reward),
    covered="""The display defines the reward as a number and noise that is 1-subgaussian given all that was before.
    What follows of the reward is its mean, given all that was before. Of the inner product it is only used that it is a
    number for each action in its context.""",
)
def mean_given_the_past(noise: EveryNext, value: EveryRealFunction):
    r"""$r_t=\langle\theta^\star,\psi(a_t,c_t)\rangle+\eta_t$ with conditionally 1-subgaussian $\eta_t$: given past,
    context and arm the mean reward is $\langle\theta^\star,\psi(a_t,c_t)\rangle$; for $\psi(a,c)=e_a$ it is
    $\theta^\star_a$.

    The law of the noise is given the past and the action, which stands with its context; the value of an action in its
    context is any number.
    """
    known = in_each_round(lambda i, z, a: one_subgaussian(noise(i, z, a)))
    return when(known, then=in_each_round(lambda i, z, a: mean_of_a_reward(value(a), noise(i, z, a))))


@claim("TH-EQ2.17", in_kernel(linear_proofs.with_contexts))
def regret_in_every_context(
    contexts: EveryNext, pi: EveryPolicy, noise: EveryNext, best: EveryRealFunction, gap: EveryRealFunction, T: Count
):
    r"""$R_T=\mathbb E[\sum_t\max_{a\in\mathcal A_t}\langle\theta^\star,a-a_t\rangle]$, the best action taken in
    context, is what is lost in rewards: $\mathbb E[\sum_t(\max_{a\in\mathcal A_t}\langle\theta^\star,a\rangle-r_t)]$,
    where it is finite.

    Contexts (or sets of actions) are drawn given the past, at random or not. The noise is 1-subgaussian given the past,
    and so also given the action and the context. Only the largest value and the gap enter the statement.
    """
    told = in_context(contexts, pi)
    runs = runs_with_noise(told, best, gap, noise, T)
    given = gaps_are_not_negative(gap), *rounds_tell_actions_and_rewards(T), noise_is_subgaussian(told, noise, T)
    return when(*given, then=what_is_lost(runs, best, gap, T))


@claim("TH-EQ2.17/bandit", in_kernel(regret_proofs.gaps_by_pulls), role="implication")
def regret_of_every_bandit(pi: EveryPolicy, nu: EveryBandit, T: Count, K: Count, best: Real):
    r"""For $\mathcal A_t=\{e_1,\dots,e_d\}$ it is $\sum_a\Delta_a\mathbb E[N_a(T)]$, the regret of the stochastic
    $d$-armed bandit.

    The rewards of an arm have any law; K is d, and mu(a) is the coordinate of theta.
    """
    by_arms = gaps_by_pulls(pi, nu, T, K, best)
    return when(plays_arms(pi, K), *rounds_tell_arms_and_rewards(T, K), then=by_arms)


DEFINITE = ["q * q < p * r"]  # V has the rows (p, q) and (q, r), the action a = (x, y)


def inverse_form(p: Any, q: Any, r: Any, x: Any, y: Any) -> Any:
    """|a|^2 in the norm of V^-1."""
    return (r * x**2 - 2 * q * x * y + p * y**2) / (p * r - q**2)


def form(p: Any, q: Any, r: Any, x: Any, y: Any) -> Any:
    """|a|^2 in the norm of V."""
    return p * x**2 + 2 * q * x * y + r * y**2


def bonus(reading: str, p: Any, q: Any, r: Any, x: Any, y: Any) -> Any:
    return inverse_form(p, q, r, x, y) if reading == "inverse" else form(p, q, r, x, y)


@claim(
    "TH-A2.LinUCB/narrowing",
    deduced(),
    false=[{"reading": "plain", "factor": 1}, {"reading": "inverse", "factor": "1/2"}],
    where=DEFINITE,
    repairs="TH-A2.LinUCB/norm-as-printed",
)
def bonus_falls(p: Positive, q: Real, r: Positive, x: Real, y: Real, reading="inverse", factor=1):
    r"""The confidence set narrows where data come in: pulling $a$ does not raise the bonus of $a$,
    $\|a\|^2_{(V+aa^\top)^{-1}}\le\|a\|^2_{V^{-1}}$ (fixed $\beta$, $d=2$), with the norm of $V_t$ in (2.19).

    The squared bonus of an action after one more pull, with V + a a^T, is compared with the bonus before.
    """
    return bonus(reading, p + x**2, q + x * y, r + y**2, x, y), "<=", factor * bonus(reading, p, q, r, x, y)


RIDGE, CONFIDENCE = 1.0, 0.1


def play(
    draw: np.random.Generator, actions: np.ndarray, theta: np.ndarray, horizon: int, runs: int, widths: Sequence[float]
) -> Arrays:
    """LinUCB with beta_t = sqrt(ridge) |theta| + sqrt(2 log(1/delta) + log(det V_t / ridge^d)), unit Gaussian noise.

    Returns per run the regret, and for each width whether theta stayed within width beta_t at every t.
    """
    count, size = actions.shape
    v = np.tile(RIDGE * np.eye(size), (runs, 1, 1))
    inverse = np.tile(np.eye(size) / RIDGE, (runs, 1, 1))
    sums, regret = np.zeros((runs, size)), np.zeros(runs)
    log_det = np.zeros(runs)
    held = np.ones((len(widths), runs), dtype=bool)
    means = actions @ theta
    lines = np.arange(runs)
    for _ in range(horizon):
        estimate = np.einsum("rij,rj->ri", inverse, sums)
        radius = math.sqrt(RIDGE) * np.linalg.norm(theta) + np.sqrt(2 * math.log(1 / CONFIDENCE) + log_det)
        off = estimate - theta
        distance = np.sqrt(np.einsum("ri,rij,rj->r", off, v, off))
        held &= distance <= np.outer(widths, radius)
        bonus = np.sqrt(np.maximum(np.einsum("ki,rij,kj->rk", actions, inverse, actions), 0))
        arm = (estimate @ actions.T + radius[:, None] * bonus).argmax(axis=1)
        chosen = actions[arm]
        regret += means.max() - means[arm]
        sums += chosen * (means[arm] + draw.standard_normal(runs))[:, None]
        direction = np.einsum("rij,rj->ri", inverse, chosen)
        log_det += np.log1p(bonus[lines, arm] ** 2)
        inverse -= np.einsum("ri,rj->rij", direction, direction) / (1 + bonus[lines, arm] ** 2)[:, None, None]
        v += np.einsum("ri,rj->rij", chosen, chosen)
    return {"regret": regret, "held": held}


WIDTHS = (1.0, 0.25)


def run_linucb(seed: np.random.SeedSequence, horizon: int, runs: int) -> Arrays:
    """Corners of a square, and a parameter of length 1/sqrt(T): as hard to tell apart as T rounds allow."""
    generator = np.random.default_rng(seed)
    actions = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]]) / math.sqrt(2)
    theta = np.array([0.8, 0.6]) * (4 / math.sqrt(horizon))
    return play(generator, actions, theta, horizon, runs, WIDTHS) | {"horizon": np.array(horizon)}


RUNS = Study("thesis-linucb", run_linucb, {"horizon": 400, "runs": 400}, {"horizon": 4000, "runs": 1000})


@claim(
    "TH-A2.LinUCB/coverage",
    domain=Domain.of(instance="all: every linear bandit with bounded parameter"),
    constants={"width": 1},
    false=mutation("a quarter", width="1/4"),
    studies=[RUNS],
    role="implication",
)
def coverage(check: Check) -> None:
    r"""With $\beta_t=\sqrt\lambda\|\theta^*\|+\sqrt{2\log\frac1\delta+\log\frac{\det V_t}{\lambda^d}}$ (cited),
    $\theta^*$ is within $\beta_t$ of $\hat\theta_t$ in the norm of $V_t$ (for $\lambda\ge1$ not below that of
    $V_t^{-1}$) at every $t$ with probability at least $1-\delta$, $\delta=\frac1{10}$.

    The check detects errors from a quarter of the width on.
    """
    which = WIDTHS.index(float(check.constants["width"]))

    def tests(stream: str) -> list[dict[str, Any]]:
        held = check.study(RUNS, stream)["held"][which]
        return [event_test("the parameter stays in the set", held, ">=", Fraction(9, 10))]

    check.statistics(tests, covers=check.domain.restrict(instance="all: one instance in the plane"))


GAP = Fraction(1, 2)  # theta = (0, 1/2) on the actions e_1 and e_2


@quantity
def pulls_of_the_worse_arm(horizon: int, ridge: Fraction, beta: Fraction, power: int) -> int:
    """How often LinUCB plays e_1 in up to 100 rounds on e_1 and e_2, theta = (0, 1/2), no noise, ties to e_1.

    The region around the estimate is an ellipsoid in the norm of V^-power, so that widths are in the norm of V^power.
    """
    pulls = [0, 0]
    for _ in range(check_count("horizon", horizon, 1, 100)):
        first, second = (ridge + n for n in pulls)
        wide = [sqrt(to_ball(v) ** power) for v in (first, second)]
        better = any(pulls) and decided(GAP * pulls[1] / second + beta * wide[1], ">", beta * wide[0])
        pulls[better] += 1
    return pulls[0]


@claim(
    "TH-S2.2g/worse-arm-for-ever",
    enumerated(T=[1, 2, 60], ridge=["1/4", 1, 9], beta=["1/10", 1, 20], rational=True, routes=("played", "counted")),
    false={"norm": "V"},
    role="implication",
)
def worse_arm_is_played(T: Count, ridge: Positive, beta: Positive, norm="V^{-1}"):
    r"""$\mathcal A_t=\{e_1,e_2\}$, $\theta^*=(0,\frac12)$, no noise, ties to $e_1$: with the norm of $V^{-1}$ in (2.19)
    LinUCB plays $e_1$ in every one of $T$ rounds."""
    return pulls_of_the_worse_arm(T, ridge, beta, 1 if norm == "V^{-1}" else -1), "==", T


@claim("TH-S2.2g/regret-of-the-worse-arm", in_kernel(linear_proofs.worse_action_for_ever), role="step")
def worse_arm_costs_every_round(
    skipped: EveryRealFunction, radius: EveryRealFunction, ridge: Positive, gap: Positive, T: Count
):
    r"""$\mathcal A_t=\{e_1,e_2\}$, $\theta^*=(0,\text{gap})$, no noise, ties to $e_1$: with the set (2.19), for every
    $\lambda$ (`ridge`) and all $\beta_t\ge0$ (`radius`), LinUCB plays $e_1$ in every round, and
    $R_T=T\cdot\text{gap}$ for every $T$ (`skipped` counts the rounds with $e_2$)."""
    known = plays_by_printed_set(skipped, radius, ridge, gap)
    return when(*known, then=(gap * (T - skipped(T)), "==", T * gap))


@claim(
    "TH-S2.2g/norm-of-v",
    domain=Domain.of(instance="all: every bounded linear bandit", T="integer [2, inf)"),
    constants={"constant": 1},
    false={"constant": "1/100"},
    studies=[RUNS],
    repairs="TH-S2.2g",
)
def repaired_regret_rate(check: Check) -> None:
    r"""With $\|\theta-\hat\theta_t\|_{V_t}\le\beta_t$ in (2.19), and $T\ge2$, $R_T\le C\,d\sqrt T\log T$: with
    probability at least $\frac9{10}$ the regret of a run on a hard instance is at most $d\sqrt T\log T$."""

    def tests(stream: str) -> list[dict[str, Any]]:
        found = check.study(RUNS, stream)
        horizon = float(found["horizon"])
        bound = float(check.constants["constant"]) * 2 * math.sqrt(horizon) * math.log(horizon)
        return [event_test("regret within the bound", found["regret"] <= bound, ">=", Fraction(9, 10))]

    check.statistics(tests, covers=check.domain.restrict(instance="all: one instance in the plane", T=[400, 4000]))
