r"""Regret bounds of the episodic family, episode by episode, and those of AdaP-KLUCB with explicit constants.

Let L = log T and let n = 2^l be the shortest last episode of a suboptimal arm a after which its index lies below mu*
except with probability at most s / T, and likewise after every longer one. The episodes that start with at most
2^(l+1) pulls make 2^(l+1) pulls together. A longer one, of 2^(m+1) pulls, is played only if the index of the episode
before misleads, or that of the best arm lies below mu*, which costs 3 / (beta - 3) pulls in expectation:

    E N_a(T) <= 2^(l+1) + sum of 2^(m+1) s / T over 2^(m+1) < T, + 3 / (beta - 3) <= 2^(l+1) + 2 s beta / (beta - 3).

For Laplace noise s = 3/2, for Gaussian noise s = 1. The index lies below mu* where

    AdaP-UCB     (1 + sqrt(beta)) sqrt(L / (2n)) + (1 + beta) L / (epsilon n) <= Delta,
    AdaC-UCB     (1 + sqrt(beta)) sqrt((1 / (2n) + 2b / n^2) L) <= Delta,   b the variance of the noise on a sum,
    AdaP-KLUCB   n kl(x - (1 + beta) L / (epsilon n), mu_a) >= L,   kl(x, mu*) = beta L / n, x < mu*.

The first implies the last (Pinsker), and holds from n = 4 beta L / (Delta min{Delta, epsilon}) on. So AdaP-KLUCB has
the bounds of AdaP-UCB as well.

Source: ALG-TC.4, ALG-T5.3, ALG-T5.4, ALG-T5.6, ALG-RC.8
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from banditproof.theory.bounds.upper_bounds import Problem, Recipe, bernoulli_arms, optimism, register, unit_rewards
from banditproof.theory.laws.bernoulli import kl_bernoulli
from banditproof.theory.numbers.numeric import minimum, sqrt, to_ball

_STEPS = 80
Separates = Callable[[Problem, int, Any, Any], bool]


def ucb_separates(problem: Problem, n: int, gap: Any, mean: Any) -> bool:
    """Whether n samples tell the arm from the best one for AdaP-UCB, certainly."""
    width = (1 + sqrt(problem.beta)) * sqrt(problem.log_T / (2 * n))
    return bool(width + (1 + problem.beta) * problem.log_T / (problem.privacy * n) <= gap)


def gaussian_separates(problem: Problem, n: int, gap: Any, mean: Any) -> bool:
    """Whether n samples tell the arm from the best one for AdaC-UCB and AdaR-UCB, certainly."""
    share = to_ball(1) / (2 * n) + 2 * problem.privacy / (n * n)
    return bool((1 + sqrt(problem.beta)) * sqrt(share * problem.log_T) <= gap)


def klucb_separates(problem: Problem, n: int, gap: Any, mean: Any) -> bool:
    """Whether n samples tell the arm from the best one for AdaP-KLUCB, certainly; means 0 and 1 are allowed."""
    x = _lowest_index(problem, n)
    if x is None:
        return False
    lowest = x - (1 + problem.beta) * problem.log_T / (problem.privacy * n)
    return bool(lowest > mean) and bool(n * kl_bernoulli(lowest, mean) >= problem.log_T)


@lru_cache(maxsize=256)
def _lowest_index(problem: Problem, n: int) -> Any:
    """Where the index of n samples leaves mu*, the same for every arm below it; None if it does not."""
    best = to_ball(problem.instance.best_mean)  # mean + gap is a ball around 1 where 1 itself is infinitely far
    return leaving_point(to_ball(0), best, problem.beta * problem.log_T / n, 2 * _STEPS)  # near ties see a small part


def leaving_point(mean: Any, best: Any, level: Any, steps: int = _STEPS) -> Any:
    """A point in [mean, best], next to the largest, with kl(point, best) > level certainly; None if there is none.

    It is `best` for best = 1, where every other mean is infinitely far.
    """
    if not kl_bernoulli(mean, best) > level:
        return None
    if best >= 1:
        return best
    low, high = to_ball(0), to_ball(1)
    for _ in range(steps):
        middle = ((low + high) / 2).mid()
        far = kl_bernoulli(mean + middle * (best - mean), best) > level
        low, high = (middle, high) if far else (low, middle)
    return mean + low * (best - mean)


def pulls(problem: Problem, separates: Separates, misled: int, gap: Any, mean: Any) -> Any:
    """2^(l+1) + misled beta / (beta - 3) with the shortest episode 2^l that separates; at most T, a ball."""
    n = 1
    while problem.T > 2 * n and not separates(problem, n, gap, mean):
        n *= 2
    if not problem.beta > 3:
        return problem.T
    return minimum(problem.T, 2 * n + misled * problem.beta / (problem.beta - 3))


def _by_episode(algorithm: str, source: str, kinds: tuple[str, ...], separates: Separates, misled: int) -> Recipe:
    conditions = (bernoulli_arms if separates is klucb_separates else unit_rewards, optimism)
    return Recipe(
        algorithm, "episode by episode", source,
        f"sum Delta_a min(T, 2^(l+1) + {misled} beta / (beta - 3)), 2^l the episode after which arm a is told apart",
        lambda p, gap, mean: gap * pulls(p, separates, misled, gap, mean), None, conditions, kinds,
    )  # fmt: skip


def _misled(problem: Problem) -> Any:
    return 3 * problem.beta / (problem.beta - 3) if problem.beta > 3 else to_ball("inf")


register(
    _by_episode("AdaP-UCB", "ALG-TC.4, ALG-T5.3", ("pure",), ucb_separates, 3),
    _by_episode("AdaP-KLUCB", "ALG-TC.4, ALG-T5.4", ("pure",), klucb_separates, 3),
    _by_episode("AdaC-UCB", "ALG-TC.4, ALG-T5.6", ("zcdp", "approximate"), gaussian_separates, 2),
    _by_episode("AdaR-UCB", "ALG-TC.4, RDP-T5", ("rdp",), gaussian_separates, 2),
    Recipe(
        "AdaP-KLUCB", "gap-dependent", "ALG-RC.8",
        "sum (16 beta log(T) / min(Delta_a, epsilon) + 3 beta / (beta - 3))",
        lambda p, gap, _: 16 * p.beta * p.log_T / minimum(gap, p.privacy) + _misled(p), None,
        (bernoulli_arms, optimism), ("pure",),
    ),
    Recipe(
        "AdaP-KLUCB", "gap-free", "ALG-RC.8",
        "8 sqrt(beta K T log T) + 16 beta K log(T) / epsilon + 3 beta / (beta - 3) sum Delta_a",
        None,
        lambda p: 8 * sqrt(p.beta * p.K * p.T * p.log_T) + 16 * p.beta * p.K * p.log_T / p.privacy
        + _misled(p) * p.total_gap,
        (bernoulli_arms, optimism), ("pure",),
    ),
)  # fmt: skip
