"""Section 2.2.7, page 33: linear bandits with and without contexts, and LinUCB.

The model and its regret are followed in exact arithmetic for finite noise. LinUCB is played exactly with the set (2.19)
as it is printed, whose widths grow where data come in, and simulated with the norm of V_t in place of that of V_t^-1.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.claims.language import *
from banditproof.verify import event_test

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
