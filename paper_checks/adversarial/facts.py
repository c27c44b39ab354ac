"""What several sections share: exact play of EXP3 on short games, and rates of the three bounds with expert advice."""

import math
from fractions import Fraction
from functools import cache
from itertools import combinations
from random import Random
from typing import Any

import numpy as np

from banditproof.theory import exp, log, minimum, sqrt, to_ball
from banditproof.theory.bounds.adversarial import root
from banditproof.theory.numbers.term import quantity, total
from banditproof.verify.adversarial.thresholds import (
    actions_of,
    averaged,
    drawn_losses,
    expected_regret,
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


def waiting_moment(hit: Any, cap: int, last: int) -> Any:
    """E M for M the number of draws until a hit of probability `hit`, up to `cap`; `last` if there is none."""
    missed = (1 - hit) ** cap
    return total(lambda k: k * hit * (1 - hit) ** (k - 1), 1, cap + 1) + last * missed


def experts_rate(name: str, K: Any, N: Any, T: Any, epsilon: Any) -> Any:
    """The rates of Tables 1 and 2 with their logarithms: "bandits", "local" and "batched". Source: ADV-TAB1"""
    N, T = to_ball(N), to_ball(T)
    if name == "bandits":
        return sqrt(N * T / epsilon)
    if name == "local":
        return sqrt(K * T * log(N)) * log(K * T) / epsilon
    return (root(N, 1, 6) * sqrt(to_ball(K)) * root(T, 2, 3) / root(epsilon, 1, 3) + sqrt(N) / epsilon) * log(N * T)


@cache
def figure_run(T: int, rate: float = 1e-4, mixing: float = 1e-4) -> tuple[float, float]:
    """P_T(2) on both datasets of Appendix G.1: action 2 in odd rounds, 1 in even ones; the first loss is 0 or 1."""

    def chance(ahead: float) -> float:
        """P(2), from the logarithm of the second weight over the first."""
        small = math.exp(-abs(ahead))
        return (1 - mixing) * (1 if ahead > 0 else small) / (1 + small) + mixing / 2

    found = []
    for first_loss in (0.0, 1.0):
        ahead = 0.0
        for t in range(T):
            second = chance(ahead)
            if t % 2 == 0:
                ahead -= rate * (first_loss if t == 0 else 1.0) / second
            else:
                ahead += rate / (1 - second)
        found.append(chance(ahead))
    return found[0], found[1]


@quantity
def chance_in_the_figure(T: int, dataset: int) -> Any:
    """P_T(2) on one of the datasets, 0 or 1, in double precision."""
    return to_ball(figure_run(int(T))[dataset])


ATTAINED = Fraction(1, 10**9)  # ratios that reach e^epsilon are compared with this excess
SHORT_GAMES = [
    {"learner": learner, "losses": losses, "T": T, "tau": tau}
    for learner, losses in ((1, 0), (2, 0), (3, 1), (4, 2), (5, 3))
    for T, tau in ((2, 1), (3, 1), (3, 2), (5, 2), (4, 3))
]


def ratio_of_batches(
    learner: Any, losses: Any, T: Any, tau: Any, noise: Any, power: Any, *, adaptive: bool = False, changes: int = 1
) -> Any:
    """The largest P(i) - e^(changes/2) P'(i) of Algorithm 1 at epsilon 1/2, over sequences i and changed rounds."""
    above = laplace_above(Fraction(noise) * 2 / int(tau) ** int(power))
    laws = {
        changed: law_of_batches(
            int(learner), int(T), int(tau), drawn_losses(int(losses), changed, adaptive=adaptive), above
        )
        for size in (0, changes)
        for changed in combinations(range(int(T)), size)
    }
    pairs = [pair for changed in laws if changed for pair in ((laws[()], laws[changed]), (laws[changed], laws[()]))]
    return largest(largest_excess(*pair, exp(to_ball(Fraction(changes, 2)))) for pair in pairs)


def ratio_of_experts(
    learner: Any, losses: Any, T: Any, tau: Any, noise: Any, power: Any, *, advice: bool = False
) -> Any:
    """As `ratio_of_batches` for Algorithm 5 around Algorithm 1; with `advice` that of the changed round moves too."""
    above = laplace_above(Fraction(noise) * 2 / int(tau) ** int(power))

    def law(changed: tuple[int, ...]) -> Any:
        def moved(t: int) -> list[list[Fraction]]:
            rows = fixed_advice(t)
            return [row[::-1] for row in rows] if advice and t in changed else rows

        game = (int(learner), int(T), int(tau), drawn_losses(int(losses), changed))
        return actions_of(law_of_experts(*game, moved, above))

    plain = law(())
    pairs = [pair for t in range(int(T)) for pair in ((plain, law((t,))), (law((t,)), plain))]
    return largest(largest_excess(*pair, exp(to_ball(Fraction(1, 2)))) for pair in pairs)


def batched_regrets(learner: Any, losses: Any, T: Any, tau: Any, above: Any) -> tuple[Any, Any]:
    """The regret of Algorithm 1 with these tails, and that of its learner on the means of the complete batches."""
    game, size, rounds = drawn_losses(int(losses)), int(tau), int(T) // int(tau)
    own = expected_regret(law_of_batches(int(learner), int(T), size, game, above), game, int(T))
    if not rounds:
        return own, 0
    means = averaged(game, size)
    return own, expected_regret(law_of_batches(int(learner), rounds, 1, means, above), means, rounds)


def weight_ratios(game: int, eta: Any, gamma: Any, sign: Any, start: int) -> Any:
    """EXP3 on two data sets that differ in the first of eight rounds: |log of the ratio of weights - formula|, largest.

    The formula starts its sum at round `start` and multiplies it by `sign`.
    """
    draw = Random(f"ratios {game}")
    actions = [draw.randrange(2) for _ in range(8)]
    rows = [[Fraction(draw.randint(1, 4), 4) for _ in range(2)] for _ in range(8)]
    changed = [[1 - x for x in rows[0]], *rows[1:]]

    def inverse_chances(losses: Any) -> tuple[list[Any], list[Any]]:
        logs, inverses = [to_ball(0), to_ball(0)], []
        for arm, row in zip(actions, losses, strict=True):
            weight = 1 / (1 + exp(logs[1 - arm] - logs[arm]))
            inverses.append(1 / ((1 - gamma) * weight + gamma / to_ball(2)))
            logs[arm] = logs[arm] - eta * to_ball(row[arm]) * inverses[-1]
        return logs, inverses

    (own, P), (other, Q) = inverse_chances(rows), inverse_chances(changed)
    gaps = []
    for arm in (0, 1):
        printed = eta * to_ball((changed[0][arm] - rows[0][arm]) * (actions[0] == arm)) * P[0]
        for s in range(start - 1, 8):
            printed = printed + sign * eta * to_ball(rows[s][arm] * (actions[s] == arm)) * (Q[s] - P[s])
        gaps.append(abs(own[arm] - other[arm] - printed))
    return largest(gaps)


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
