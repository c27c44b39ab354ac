"""What several sections share: exact play of EXP3 on short games, and rates of the three bounds with expert advice."""

import math
from array import array
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, count, islice
from random import Random
from typing import Any

import numpy as np

from banditproof.claims.language import *
from banditproof.verify.adversarial.thresholds import (
    actions_of,
    drawn_losses,
    fixed_advice,
    laplace_above,
    largest,
    largest_excess,
    law_of_batches,
    law_of_experts,
)

ROUNDS = 3


def game_losses(game: int) -> list[tuple[Fraction, Fraction]]:
    """Losses [ROUNDS] of two arms in [-2, 4]; number 0 is (4, 0) in every round."""
    if game == 0:
        return [(Fraction(4), Fraction(0))] * ROUNDS
    draw, size = Random(f"exp3 {game}"), (1, 2, 4)[game % 3]
    return [(Fraction(draw.randint(-2, 4 * size), size), Fraction(draw.randint(-2, 4), 1)) for _ in range(ROUNDS)]


@quantity
def expected_loss_of_exp3(game: int, eta: Any, gamma: Any) -> Any:
    """E of the sum of P_t(i) l_t(i) of EXP3 on two arms in a game, over all action sequences."""
    losses = game_losses(game)

    def play(t: int, logs: tuple[Any, Any]) -> Any:
        if t == ROUNDS:
            return to_ball(0)
        first = 1 / (1 + exp(logs[1] - logs[0]))
        P = [(1 - gamma) * p + gamma / 2 for p in (first, 1 - first)]
        total = to_ball(0)
        for arm in (0, 1):
            heard = to_ball(losses[t][arm])
            after = [weight - eta * heard / P[arm] * (i == arm) for i, weight in enumerate(logs)]
            total = total + P[arm] * (heard + play(t + 1, (after[0], after[1])))
        return total

    return play(0, (to_ball(0), to_ball(0)))


@cache
def figure_runs(first_loss: float, rate: float = 1e-4, mixing: float = 1e-4) -> tuple["array[float]", Iterator[float]]:
    """P_t(2) so far, and those that follow, on a dataset of Appendix G.1: action 2 in odd rounds, 1 in even ones."""

    def chances() -> Iterator[float]:
        """From `ahead`, the logarithm of the second weight over the first."""
        ahead = 0.0
        for t in count():
            small = math.exp(-abs(ahead))
            second = (1 - mixing) * (1 if ahead > 0 else small) / (1 + small) + mixing / 2
            yield second
            ahead += rate / (1 - second) if t % 2 else -rate * (1.0 if t else first_loss) / second

    return array("d"), chances()


@quantity
def chance_in_the_figure(T: int, dataset: int) -> Any:
    """P_T(2) on one of the datasets, 0 or 1, which is the loss of the first round, in double precision."""
    known, others = figure_runs(float(dataset))
    known.extend(islice(others, max(0, int(T) + 1 - len(known))))
    return to_ball(known[int(T)])


ATTAINED = Fraction(1, 10**9)  # ratios that reach e^epsilon are compared with this excess
SHORT_GAMES = [
    {"learner": learner, "losses": losses, "T": T, "tau": tau}
    for learner, losses in ((1, 0), (2, 0), (3, 1), (4, 2), (5, 3))
    for T, tau in ((2, 1), (3, 1), (3, 2), (5, 2), (4, 3))
]


@quantity
def excess_of_batches(
    learner: int, losses: int, T: int, tau: int, scale: Any, ratio: Any, changes: int = 1, adaptive: int = 0
) -> Any:
    """The largest P(i) - ratio P'(i) of Algorithm 1 with Laplace noise of this scale on the mean of a batch.

    Over all sequences of actions i and all sets of `changes` rounds in which losses change, in both directions. With
    `adaptive` the losses depend on the actions before.
    """
    above = laplace_above(Fraction(scale))
    laws = {
        changed: law_of_batches(learner, T, tau, drawn_losses(losses, changed, adaptive=bool(adaptive)), above)
        for size in (0, changes)
        for changed in combinations(range(T), size)
    }
    pairs = [pair for changed in laws if changed for pair in ((laws[()], laws[changed]), (laws[changed], laws[()]))]
    return largest(largest_excess(*pair, ratio) for pair in pairs)


@quantity
def excess_of_experts(learner: int, losses: int, T: int, tau: int, scale: Any, ratio: Any) -> Any:
    """As `excess_of_batches` for Algorithm 5 around Algorithm 1."""
    above = laplace_above(Fraction(scale))

    def law(changed: tuple[int, ...]) -> Any:
        return actions_of(law_of_experts(learner, T, tau, drawn_losses(losses, changed), fixed_advice, above))

    plain = law(())
    pairs = [pair for t in range(T) for pair in ((plain, law((t,))), (law((t,)), plain))]
    return largest(largest_excess(*pair, ratio) for pair in pairs)


EIGHT = 8


@cache
def drawn_for_ratios(game: int) -> tuple[list[int], list[list[Fraction]]]:
    """The actions of eight rounds, and the losses of two arms in them."""
    draw = Random(f"ratios {game}")
    actions = [draw.randrange(2) for _ in range(EIGHT)]
    return actions, [[Fraction(draw.randint(1, 4), 4) for _ in range(2)] for _ in range(EIGHT)]


def _round(t: int, last: int) -> int:
    if not 1 <= t <= last:
        raise InvalidInput("t", t, f"a round from 1 to {last}")
    return t - 1


@quantity
def is_played(game: int, t: int, arm: int) -> int:
    """Whether I_t is an arm, 0 or 1, of the eight rounds of a game."""
    return int(drawn_for_ratios(game)[0][_round(t, EIGHT)] == arm)


@quantity
def loss_on(dataset: int, game: int, t: int, arm: int) -> Fraction:
    """l_t(i) on one of two data sets, 0 or 1, that differ in the first round."""
    loss = drawn_for_ratios(game)[1][_round(t, EIGHT)][arm]
    return 1 - loss if dataset and t == 1 else loss


def _logs(dataset: int, game: int, t: int, eta: Any, gamma: Any) -> list[Any]:
    """log w_t of both arms: EXP3's recursion along the drawn actions."""
    logs: list[Any] = [to_ball(0), to_ball(0)]
    for s in range(1, t):
        arm = drawn_for_ratios(game)[0][s - 1]
        logs[arm] = logs[arm] - eta * to_ball(loss_on(dataset, game, s, arm)) / _chance(logs, arm, gamma)
    return logs


def _chance(logs: list[Any], arm: int, gamma: Any) -> Any:
    return (1 - gamma) / (1 + exp(logs[1 - arm] - logs[arm])) + gamma / to_ball(2)


@quantity
def log_weight_on(dataset: int, game: int, t: int, arm: int, eta: Any, gamma: Any) -> Any:
    """log w_t(i) of EXP3's recursion with this rate and mixing, t from 1 to 9."""
    _round(t, EIGHT + 1)
    return _logs(dataset, game, t, eta, gamma)[arm]


@quantity
def chance_on(dataset: int, game: int, t: int, arm: int, eta: Any, gamma: Any) -> Any:
    """P_t(i) of EXP3's recursion with this rate and mixing, t from 1 to 9."""
    _round(t, EIGHT + 1)
    return _chance(_logs(dataset, game, t, eta, gamma), arm, gamma)


def ftpl_chain(K: Any, T: Any, lam: Any) -> Any:
    """6 log K/eta + 4 eta (KT + 10 KT lam^2 log^2(KT)) + KT/(e M) over sqrt(KT), at the printed M and eta."""
    k, L, t = log(to_ball(K)), log(to_ball(K * T)), log(to_ball(T))
    variance = 1 + 10 * lam**2 * L**2
    rate = minimum(sqrt(k / variance), 1 / (1 + 4 * lam * t))
    return 6 * k / rate + 4 * rate * variance + exp(to_ball(-1)), k * L


def exp3_after_thirty_rounds(history: int, eta: Any, gamma: Any, sign: Any, weighted: Any) -> tuple[Any, Any]:
    """The chance of the second of three arms after a drawn history: of the implementation, and of the recursion."""
    from banditproof.algorithms.adversarial.learners import EXP3

    rate, mixing, K = float(to_ball(eta).mid()), float(to_ball(gamma).mid()), 3
    draw = np.random.default_rng([history, 5])
    learner = EXP3(K, np.random.default_rng(history), rate=rate, mixing=mixing)
    logs, P = [to_ball(0)] * K, [to_ball(1) / K] * K
    for _ in range(30):
        arm, loss = int(learner.choose()[0]), float(draw.uniform(-2, 3))
        learner.learn(np.array([arm]), np.array([loss]))
        logs[arm] = logs[arm] - sign * to_ball(eta) * to_ball(loss) / (P[arm] if weighted else 1)
        weights = [exp(one - logs[0]) for one in logs]
        whole = weights[0] + weights[1] + weights[2]
        P = [(1 - to_ball(gamma)) * w / whole + to_ball(gamma) / K for w in weights]
    learner.choose()
    return to_ball(float(learner.probabilities[0, 1])), P[1]
