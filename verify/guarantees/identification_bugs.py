"""Bugs of strategies that the checks have to find: those that leak, and those that err."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np

from banditproof.algorithms.finite.successive_elimination import DPSE
from banditproof.algorithms.identification.phases import InPhases
from banditproof.algorithms.identification.sequential import LUCB
from banditproof.verify.announcing import Between
from banditproof.verify.bugs import Bugs
from banditproof.verify.guarantees.regret_bugs import changed

LEAKS = Bugs("strategies that leak")
ERRORS = Bugs("strategies that err")


class _Counted(Between):
    """Keeps the raw sums and pulls of every arm, as no private strategy may use them."""

    def __init__(self, policy: Any) -> None:
        super().__init__(policy)
        self.strategy: Any = policy
        self.raw, self.heard = np.zeros((2, self.replications, self.arms))

    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        at = np.arange(self.replications), np.asarray(self.played if arm is None else arm)
        self.raw[at] += total
        self.heard[at] += count
        super().observe(total, count, arm)

    def keep(self, rows: np.ndarray) -> None:
        self.raw, self.heard = self.raw[rows], self.heard[rows]
        super().keep(rows)


@LEAKS.named("privacy noise missing from the recommendation")
class RawRecommendation(_Counted):
    """The arm with the largest raw mean is named."""

    @property
    def recommendation(self) -> np.ndarray:
        return (self.raw / np.maximum(self.heard, 1)).argmax(axis=1)


class _StopsOnRaw(_Counted):
    """Stops, with the largest raw mean, also where the raw means say so."""

    @abstractmethod
    def said(self, best: np.ndarray, second: np.ndarray) -> np.ndarray:
        """Whether the largest raw mean and the one after it [R] end the run."""

    @property
    def stopped(self) -> np.ndarray:
        means = np.sort(self.raw / np.maximum(self.heard, 1), axis=1)
        return self.strategy.stopped | (self.heard > 0).all(axis=1) & self.said(means[:, -1], means[:, -2])

    @property
    def recommendation(self) -> np.ndarray:
        named = (self.raw / np.maximum(self.heard, 1)).argmax(axis=1)
        return np.where(self.strategy.stopped, self.strategy.recommendation, named)


@LEAKS.named("privacy noise missing from the stopping rule")
class RawStopping(_StopsOnRaw):
    """Stops as soon as the raw means lie half apart."""

    def said(self, best: np.ndarray, second: np.ndarray) -> np.ndarray:
        return best >= second + 0.5


@ERRORS.named("ties decided")
class TiesDecided(_StopsOnRaw):
    """Stops also where the best raw means are equal, with the first of them."""

    def said(self, best: np.ndarray, second: np.ndarray) -> np.ndarray:
        return best == second


class _Cheaper:
    """A strategy whose transportation costs are multiplied where the stopping rule reads them."""

    def __init__(self, strategy: Any, factor: float) -> None:
        self.strategy, self.factor = strategy, factor

    def __getattr__(self, name: str) -> Any:
        return getattr(self.strategy, name)

    def costs(self, arm: np.ndarray) -> np.ndarray:
        return self.factor * self.strategy.costs(arm)


def threshold_divided(divisor: float) -> Callable[[Any], Any]:
    """A bug of the strategies of the roster: the stopping rule asks for so many times less evidence."""

    def eliminate(before: Any, self: Any, over: np.ndarray) -> None:
        self.means = divisor * self.means  # means enter nothing else of an elimination
        before(self, over)
        self.means = self.means / divisor

    def ends(before: Any, self: Any) -> Any:
        lower, upper, rival = before(self)
        own, other = (self.means[np.arange(self.replications), arm] for arm in (self.recommendation, rival))
        return own - (own - lower) / divisor, other + (upper - other) / divisor, rival

    def plant(strategy: Any) -> Any:
        if isinstance(strategy, DPSE):
            return changed(strategy, _eliminate=eliminate)
        if isinstance(strategy, InPhases):
            return changed(strategy, threshold=lambda before, self, *at: before(self, *at) / divisor)
        if isinstance(strategy, LUCB):
            return changed(strategy, _ends=ends)
        return changed(strategy, sure=lambda before, self: before(_Cheaper(self, divisor)))

    return plant


@ERRORS.named("stale counts in the stopping rule")
def stale_counts(strategy: Any) -> Any:
    """The stopping rule of a private strategy counts rewards that it has forgotten.

    Of Top Two all pulls, those after the last phase too; of an elimination four times as many as are behind the means.
    """

    def eliminate(before: Any, self: Any, over: np.ndarray) -> None:
        pulls = self._pulls
        self._pulls = lambda: 4 * pulls()
        before(self, over)
        del self._pulls

    def try_to_stop(before: Any, self: Any, rows: np.ndarray) -> None:
        samples, self.samples = self.samples, self.pulls
        before(self, rows)
        self.samples = samples

    if isinstance(strategy, DPSE):
        return changed(strategy, _eliminate=eliminate)
    return changed(strategy, _try_to_stop=try_to_stop)


ERRORS.named("threshold halved")(threshold_divided(2))
