"""Episodic UCB (Algorithm 7) and its private instances: AdaP-UCB, AdaP-KLUCB, AdaC-UCB and AdaR-UCB.

An arm is pulled for as long as it has been pulled before, so its episodes last 1, 1, 2, 4, ... pulls. When an episode
ends, the sum of its rewards is released once and stored, and what was released before is forgotten. Every reward is in
one release, so the whole costs what one release costs.

A private algorithm of this kind is an index and the noise of its budget:

    class PrivateHoeffding(EpisodicUCB):
        kinds = ("zcdp",)

        def width(self, samples, level):
            return super().width(samples, level) + 2 * np.sqrt(level) / samples

Choices the papers leave open: n_a, the length of the last episode, is 1 for an arm that was pulled once; ties go to the
lowest arm unless `ties` says otherwise; a last episode that the horizon cuts changes no action.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banditproof.algorithms.batches import DoublingBatches
from banditproof.algorithms.finite.dp_index import BatchedIndexPolicy
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.registration import Setting, registered
from banditproof.theory import Budget, classical_gaussian_variance, kl_bernoulli, kl_ucb_index
from banditproof.theory.arguments import Positive, Size, checked


@registered("episodic-ucb", Setting, "ALG-A7", kinds=(), options={"beta": 3.1}, bugs="index")
class EpisodicUCB(BatchedIndexPolicy):
    """Pulls the arm with the largest mean + sqrt(beta log t / (2n)): n is the length of its last episode.

    `beta` > 0 is the optimism. The budget is infinite unless a subclass has noise in its index. Other arguments as in
    `BatchedIndexPolicy`; t is the number of the pull about to be made. Raises InvalidInput.

    Source: ALG-A7, ALG-A-NP-UCB
    """

    clipping = False

    @checked
    def __init__(
        self,
        arms: Size,
        budget: Budget | None = None,
        noise: NoiseSource | None = None,
        *,
        beta: Positive = 3.1,
        **options: Any,
    ) -> None:
        self.beta = self.factor = float(beta)
        spent, noise = self.or_without(budget, noise)
        super().__init__(arms, spent, DoublingBatches(), noise, forgetting=True, **options)
        self.ask_for(budget)

    @staticmethod
    def index(mean: Any, n: Any, level: Any, epsilon: Any, multiplier: Any) -> Any:
        return mean + np.sqrt(level / (2 * n))

    def score(self, means: np.ndarray, samples: np.ndarray) -> np.ndarray:
        return means + self.width(samples, self.level())

    def level(self) -> np.ndarray:
        """beta log t, [R, 1]."""
        return self.levels()

    def width(self, samples: np.ndarray, level: np.ndarray) -> np.ndarray:
        """How far the mean of `samples` rewards is trusted to lie below its expectation, at most; all [R, K]."""
        return self._index(0.0, samples, level)


@registered("adap-ucb", Setting, "ALG-A-ADAPUCB", options={"beta": 3.1}, bugs="index")
class AdaPUCB(EpisodicUCB):
    """AdaP-UCB, epsilon-DP: the index is the private mean + sqrt(beta log t / (2n)) + beta log t / (epsilon n).

    Source: ALG-A-ADAPUCB, ALG-EQ5.1
    """

    presets = {"figure-5.2": {"beta": 3.1}}

    @staticmethod
    def index(mean: Any, n: Any, level: Any, epsilon: Any, multiplier: Any) -> Any:
        return mean + (np.sqrt(level / (2 * n)) + level / (epsilon * n))


@registered("adap-klucb", Setting, "ALG-A-ADAPKLUCB", options={"beta": 3.1}, bugs="kl", pulls=150)
class AdaPKLUCB(EpisodicUCB):
    """AdaP-KLUCB, epsilon-DP: the largest q with kl(m, q) <= beta log t / n, m the clipped private mean plus its shift.

    m is the private mean + beta log t / (epsilon n), cut to [0, 1]. Source: ALG-A-ADAPKLUCB, ALG-EQ5.2
    """

    presets = {"figure-5.2": {"beta": 3.1}}

    def score(self, means: np.ndarray, samples: np.ndarray) -> np.ndarray:
        level = self.level() / samples
        shifted = np.clip(means + level / self.epsilon[:, np.newaxis], 0.0, 1.0)
        # An index that rounds to 1 is below 1 all the same: it must not tie with that of a mean of 1.
        return np.where(shifted < 1, np.minimum(leading_kl_ucb_indices(shifted, level), np.nextafter(1.0, 0.0)), 1.0)


@registered("adac-ucb", Setting, "ALG-A-ADACUCB", options={"beta": 1.0}, bugs="index")
class AdaCUCB(EpisodicUCB):
    """AdaC-UCB, rho-zCDP: the index is the private mean + sqrt((1/(2n) + 2b/n^2) beta log t).

    b is the variance of the noise on a sum, 1 / (2 rho). With a budget of (epsilon, delta)-DP it is the smallest that
    keeps it; `multiplier=printed_multiplier(epsilon, delta)` gives that of the remark. The regret bound needs beta > 3.

    Source: ALG-A-ADACUCB, ALG-EQ5.4, ALG-R5.7
    """

    kinds = ("zcdp", "approximate")
    presets = {"figure-5.4": {"beta": 1.0}}

    @staticmethod
    def index(mean: Any, n: Any, level: Any, epsilon: Any, multiplier: Any) -> Any:
        return mean + np.sqrt((1 / (2 * n) + 2 * multiplier**2 / (1.0 * n) ** 2) * level)


@registered("adar-ucb", Setting, "RDP-A2", options={"beta": 1.0}, bugs="index")
class AdaRUCB(AdaCUCB):
    """AdaR-UCB, (order, epsilon)-Renyi DP: AdaC-UCB with b = order / (2 epsilon). Source: RDP-A2"""

    kinds = ("rdp",)
    index = staticmethod(AdaCUCB.index)


def printed_multiplier(epsilon: float | np.ndarray, delta: float | np.ndarray) -> float | np.ndarray:
    """sqrt(2 log(1.25 / delta)) / epsilon, stated for (epsilon, delta)-DP without a range. Source: ALG-R5.7"""
    return np.sqrt(classical_gaussian_variance(epsilon, delta))


def leading_kl_ucb_indices(means: np.ndarray, level: np.ndarray) -> np.ndarray:
    """KL-UCB indices of arms [R, K], with -inf instead of one that is certainly not the largest of its row.

    One kl is cheaper than an index: kl(mean, u) > level says that the index lies below u. Here u is the index of the
    arm with the largest mean + sqrt(level / 2), less what rounding may hide.
    """
    leader = np.argmax(means + np.sqrt(level / 2), axis=1)[:, np.newaxis]
    best = kl_ucb_index(np.take_along_axis(means, leader, axis=1), np.take_along_axis(level, leader, axis=1))
    u = best * (1 - 1e-12)
    possible = (kl_bernoulli(means, u) <= level * (1 + 1e-9)) | (means >= u)
    np.put_along_axis(possible, leader, False, axis=1)
    index = np.full(means.shape, -np.inf)
    index[possible] = kl_ucb_index(means[possible], level[possible])
    np.put_along_axis(index, leader, best, axis=1)
    return index
