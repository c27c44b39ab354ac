"""Privacy of Algorithm 7 and its instances, thesis: ALG-T5.2, ALG-T5.5, ALG-R5.7, ALG-LC.1, ALG-S-C1.3a, ALG-S-C1.3d.

The indices are printed with noise "at episode l" for every arm. Read as one draw per episode, stored while the arm is
idle, the theorems hold; read as a new draw for every decision they do not. Both readings are audited here, in closed
form on two arms (`verify.two_arm_view`).
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.recorded_privacy import BUGS, EVERY_RUN, Sides, check_runs
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.thesis_gaussian_mechanism import (
    divergence_argument,
    gaussian_divergence,
    largest_divergence_argument,
)
from banditproof.theory.numeric import exp, log, sqrt, to_ball, working_precision
from banditproof.verify.domain import Domain
from banditproof.verify.two_arm_view import (
    Path,
    Width,
    episode_paths,
    gaussian_path_probability,
    laplace_path_probability,
    neighbouring_sums,
    path_actions,
    path_sums,
    redrawn_path_probability,
)

# ---------------------------------------------------------------------------------------------------- widths in balls


def laplace_width(epsilon: Any, beta: Any) -> Width:
    def width(n: int, t: int) -> Any:
        L = to_ball(beta) * log(to_ball(t))
        return sqrt(L / (2 * n)) + L / (epsilon * n)

    return width


def gaussian_width(b: Any, beta: Any) -> Width:
    def width(n: int, t: int) -> Any:
        return sqrt((to_ball(1) / (2 * n) + 2 * to_ball(b) / (n * n)) * to_ball(beta) * log(to_ball(t)))

    return width


def path_of(actions: Any) -> Path:
    """The episodes of an action sequence. Raises ValueError if Algorithm 7 cannot play it."""
    wanted = tuple(map(int, actions))
    return next(path for path in episode_paths(len(wanted)) if path_actions(path) == wanted)


BETA = "3.1"

# ------------------------------------------------------------------------------------------------- ALG-T5.2: pure DP

PRIVATE = {"adap-ucb": [["pure", 1], ["pure", "1/10"]], "adap-klucb": [["pure", 4]]}

parts_decide(
    "ALG-T5.2",
    r"Algorithm 7 with indices that use only the private empirical mean of an arm's last active episode is "
    r"$\varepsilon$-View DP for rewards in $[0,1]$.",
    domain=EVERY_RUN,
)


@claim(
    "ALG-T5.2/recorded-runs",
    r"AdaP-UCB and AdaP-KLUCB: each reward enters one release, which moves by at most its sensitivity; actions depend "
    r"on releases only; no reward is charged more than $\varepsilon$ (planted bug: <bug>).",
    domain=EVERY_RUN, constants={"bug": "none", "adversary": 0}, mutations=BUGS, strongest="enumeration",
)  # fmt: skip
def runs_of_algorithm_7(check: Check) -> None:
    check_runs(check, PRIVATE, quick=1, pulls={"adap-klucb": 50})


@claim(
    "ALG-T5.2/interactive",
    r"Footnote: also against an adversary who plays other arms than the recommended ones (planted bug: <bug>).",
    role="remark", domain=EVERY_RUN, constants={"bug": "none", "adversary": 1}, mutations=BUGS[:4],
    strongest="enumeration",
)  # fmt: skip
def runs_of_algorithm_7_with_an_adversary(check: Check) -> None:
    check_runs(check, {"adap-ucb": [["pure", 1]]}, quick=2)


DIGITS = 640  # bits: a log-ratio can come within e^-130 of the budget


def log_ratio(actions: Any, sums: Any, moved: Any, epsilon: Any, share: Any, stored: int) -> Any:
    """log P(actions)/P'(actions) of AdaP-UCB for the sums of two neighbouring lists, less epsilon; rationals given.

    The noise on a sum has scale 1/(share epsilon).
    """
    path = path_of(actions)
    with working_precision(DIGITS):
        budget = to_ball(epsilon)
        width, spent = laplace_width(budget, BETA), to_ball(share) * budget
        both = [[int(s) for s in one] for one in (sums, moved)]
        if stored:
            left, right = (laplace_path_probability(path, one, spent, width) for one in both)
        else:
            left, right = (redrawn_path_probability(path, one, 1 / spent, width) for one in both)
        return log(left / right) - budget


def within_budget(actions: Any, sums: Any, moved: Any, epsilon: Any, share: Any, stored: int) -> Sides:
    return log_ratio(actions, sums, moved, epsilon, share, stored), "<=", 0


EXACT = Domain.of(
    actions="all: action sequences", sums="all: sums of binary rewards", moved="all: those of a neighbour",
    epsilon="(0, inf)",
)  # fmt: skip


def neighbours_on_two_arms(horizon: int, epsilons: tuple[str, ...]) -> list[dict[str, Any]]:
    return [
        {"actions": list(path_actions(path)), "sums": list(sums), "moved": list(moved), "epsilon": Fraction(e)}
        for path in episode_paths(horizon) for sums, moved in neighbouring_sums(path) for e in epsilons
    ]  # fmt: skip


@claim(
    "ALG-T5.2/exact-law",
    r"AdaP-UCB on two arms, stored noise of scale $\frac1{<share>\varepsilon}$ on a sum: for all binary lists every "
    r"action sequence has probabilities within $e^\varepsilon$ of each other on neighbours.",
    domain=EXACT, constants={"share": 1, "stored": 1},
    mutations=[mutation("half the noise", share=2), mutation("new noise for every decision", stored=0)],
    strongest="enumeration",
)  # fmt: skip
def exact_law_of_adap_ucb(check: Check) -> None:
    """Closed forms in balls: exponential polynomials, integrated from cut to cut."""
    points = neighbours_on_two_arms(5, ("1/4", "1", "4")) + neighbours_on_two_arms(check.pick(6, 12), ("1",))
    check.enumerate(within_budget, points, rational=True, routes=("law on a list", "law on its neighbour"))


def loss_of_an_idle_arm(episodes: int, epsilon: Any, stored: int) -> Sides:
    """ "Arm 2 in the first m episodes" when the first reward of arm 1 is 0 or 1, all others being 0."""
    zeros = [0] * (episodes + 1)
    return log_ratio([0, *[1] * 2**episodes], zeros, [1, *zeros[1:]], epsilon, 1, stored), "<=", 0


IDLE = Domain.of(episodes="integer [1, inf)", epsilon="(0, inf)")


@claim(
    "ALG-T5.2/idle-arm",
    r"While arm 1 is idle its one reward is not charged again: 'arm 2 in the first $m$ episodes' has log-ratio at most "
    r"$\varepsilon$ (noise stored: <stored>).",
    role="implication", domain=IDLE, constants={"stored": 1}, mutations=[mutation("new noise", stored=0)],
    strongest="enumeration",
)  # fmt: skip
def idle_arm_with_stored_noise(check: Check) -> None:
    """At epsilon = 1 they are 0.595, 0.853, 0.9995, 1.000, ...: they approach the budget and never exceed it."""
    points = [{"episodes": m, "epsilon": Fraction(e)} for m in range(1, 6) for e in ("1/4", "1", "4")]
    check.enumerate(loss_of_an_idle_arm, points, rational=True, routes=("log-ratio in closed form", "budget"))


@claim(
    "ALG-T5.2/noise-drawn-again",
    r"Read literally, $\hat\mu_a^\ell+\mathrm{Lap}(\cdot)$ of episode $\ell$ with new noise for idle arms: 'arm 2 in "
    r"the first $m$ episodes' has log-ratio at most $\varepsilon$.",
    role="reading", domain=IDLE, constants={"stored": 0},
)  # fmt: skip
def idle_arm_with_new_noise(check: Check) -> None:
    """Each decision answers a new noisy question about the same reward; at m = 2, T = 4, the loss is 1.189."""
    check.counterexample(loss_of_an_idle_arm, {"episodes": 2, "epsilon": Fraction(1)}, rational=True)


@claim(
    "ALG-T5.2/noise-stored", "With one draw per episode, stored while the arm is idle (<stored>), it is.",
    role="repair", repairs="ALG-T5.2/noise-drawn-again", domain=IDLE, constants={"stored": 1},
    mutations=[mutation("drawn again", stored=0)], strongest="enumeration",
)  # fmt: skip
def stored_noise(check: Check) -> None:
    points = [{"episodes": m, "epsilon": Fraction(e)} for m in range(1, 6) for e in ("1/10", "1", "10")]
    check.enumerate(loss_of_an_idle_arm, points, rational=True, routes=("log-ratio in closed form", "budget"))


# ---------------------------------------------------------------------------------------------------- ALG-T5.5: zCDP

ADAC = {"adac-ucb": [["zcdp", "1/2"], ["zcdp", "1/50"]]}
ORDERS = (1.01, 1.5, 2.0, 5.0, 30.0)

parts_decide("ALG-T5.5", r"AdaC-UCB is $\rho$-Interactive zCDP for rewards in $[0,1]$.", domain=EVERY_RUN)


@claim(
    "ALG-T5.5/per-release",
    r"One release costs $D_\alpha=\alpha\rho d^2\le<factor>\alpha\rho$ when its mean moves by $d/n$, $d\le1$.",
    domain=Domain.of(d="[0, 1]", rho="(0, inf)", alpha="(1, inf)"), constants={"factor": 1},
    mutations=[mutation("1 % less", factor="0.99")], strongest="symbolic", twins=["TH-T2.14"],
)  # fmt: skip
def cost_of_a_release(check: Check) -> None:
    prove_gaussian_divergence(check)


def prove_gaussian_divergence(check: Check) -> None:
    routes = ("closed form of the divergence", "budget")
    check.symbolic(gaussian_divergence, divergence_argument, check.domain.restrict(d="[0, 1)"), routes)
    check.symbolic(gaussian_divergence, largest_divergence_argument, check.domain.restrict(d=[1]), routes)


@claim(
    "ALG-T5.5/recorded-runs",
    r"Each reward enters one release, actions depend on releases only, and no reward is charged more than $\rho$, also "
    r"when an adversary plays other arms (planted bug: <bug>).",
    domain=EVERY_RUN, constants={"bug": "none", "adversary": 1}, mutations=BUGS, strongest="enumeration",
)  # fmt: skip
def runs_of_adac_ucb(check: Check) -> None:
    check_runs(check, ADAC, quick=1)


def gaussian_laws(T: int, rewards: Any, b: float) -> np.ndarray:
    """The law of the action sequences of AdaC-UCB with optimism 3.1 on a list of rewards, in floats."""

    def width(n: int, t: int) -> float:
        return float(np.sqrt((1 / (2 * n) + 2 * b / n**2) * float(BETA) * np.log(t)))

    return np.array(
        [gaussian_path_probability(path, path_sums(path, rewards), np.sqrt(b), width) for path in episode_paths(T)]
    )


@cache
def largest_divergence(T: int, b: float, order: float) -> float:
    """Over neighbouring binary lists, less symmetric ones: the last reward that a decision sees is number T - 2."""
    lists = [(*r, *(0,) * (T - 5)) for r in product((0, 1), repeat=5)][: 2**5]
    laws, worst = {r: gaussian_laws(T, r, b) for r in lists}, 0.0
    for r, left in laws.items():
        for t in range(5):
            right = laws[(*r[:t], 1 - r[t], *r[t + 1 :])]
            seen = (left > 1e-12) & (right > 1e-12)
            moment = np.sum(right[seen] * (left[seen] / right[seen]) ** order)
            worst = max(worst, float(np.log(moment) / (order - 1)))
    return worst


def divergence_of_actions(T: int, rho: Any, order: Any, share: Any) -> Sides:
    """D_order of the actions with variance 1/(2 share rho) on a sum, plus the error of the quadrature."""
    found = largest_divergence(T, 1 / (2 * float(share) * float(rho)), float(order))
    return to_ball(found + 1e-6), "<=", order * rho


@claim(
    "ALG-T5.5/exact-law",
    r"AdaC-UCB on two arms, binary lists that differ in one of five rewards, stored noise of variance "
    r"$\frac1{2\cdot<share>\rho}$ on a sum: the law of the actions has $D_\alpha\le\alpha\rho$.",
    domain=Domain.of(T="integer [2, inf)", rho="(0, inf)", order="(1, inf)"), constants={"share": 1},
    mutations=[mutation("an eighth of the variance", share=8, gradual=False)], strongest="quadrature",
)  # fmt: skip
def exact_law_of_adac_ucb(check: Check) -> None:
    points = [
        {"T": T, "rho": Fraction(r), "order": Fraction(a)}
        for T in check.pick((6,), (6, 8)) for r in ("1/10", "2") for a in ORDERS
    ]  # fmt: skip
    check.quadrature(divergence_of_actions, points, "splines, below 1e-7; probabilities below 1e-12 are left out",
                     routes=("law of the actions", "budget"))  # fmt: skip
    if float(check.constants["share"]) > 1:
        check.search(divergence_of_actions, points)


def redrawn_divergence(order: Any, b: Any, T: int) -> Any:
    """D_order of the actions when noise is drawn again for every decision: all rewards 1 but the first two, of which
    the first is 0 or 1; a ball."""
    width = gaussian_width(b, BETA)
    total = to_ball(0)
    for path in episode_paths(T):
        sums = [0, 0, *path_sums(path, [0, 0, *[1] * (T - 2)])[2:]]
        left, right = (
            redrawn_path_probability(path, [first, *sums[1:]], sqrt(to_ball(b)), width, "normal") for first in (0, 1)
        )
        total += right * exp(order * log(left / right))
    return log(total) / (order - 1)


def loss_with_new_noise(rho: Any, order: Any, T: int) -> Sides:
    return redrawn_divergence(order, 1 / (2 * rho), T), "<=", order * rho


@claim(
    "ALG-T5.5/noise-drawn-again",
    r"Read literally, $\hat\mu_a^\ell+\mathcal N(0,\sigma^2_{a,\ell,\rho})$ of episode $\ell$ with new noise for idle "
    r"arms: the law of the actions has $D_\alpha\le\alpha\rho$.",
    role="reading", domain=Domain.of(rho="(0, inf)", order="(1, inf)", T="integer [2, inf)"),
)  # fmt: skip
def new_gaussian_noise(check: Check) -> None:
    """The first reward of an idle arm is asked about in every decision; on T = 18 steps that is too often."""
    check.counterexample(loss_with_new_noise, {"rho": Fraction(2, 5), "order": Fraction(5), "T": 18})


@claim(
    "ALG-T5.5/noise-stored", r"With one draw per episode a release of $n$ rewards costs at most $<factor>\alpha\rho$, "
                             r"and each reward is in one release.",
    role="repair", repairs="ALG-T5.5/noise-drawn-again", domain=Domain.of(d="[0, 1]", rho="(0, inf)", alpha="(1, inf)"),
    constants={"factor": 1}, mutations=[mutation("1 % less", factor="0.99")], strongest="symbolic",
)  # fmt: skip
def stored_gaussian_noise(check: Check) -> None:
    prove_gaussian_divergence(check)
