"""What it costs to make a challenger tie with the best arm, in floats for a solver and in balls for a certificate.

Both arms are moved to a common mean between their own. With gap Delta the best arm goes down by share * Delta and the
challenger goes up by (1 - share) * Delta; each pays a divergence from what it is to what it becomes. For relative
entropy in a one-parameter exponential family the cheapest common mean under weights w_1, w_a is the weighted mean, so
share = w_a / (w_1 + w_a). For total variation the triangle inequality makes it cheapest to move one arm all the way.

Source: TH-T2.32, TH-T4.24
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, Protocol

import numpy as np

from banditproof.theory.errors import InvalidInput
from banditproof.theory.laws.bernoulli_floats import kl_term
from banditproof.theory.numbers.logarithms import float_kl_term
from banditproof.theory.numbers.numeric import to_ball

FEW = 20  # challengers whose entropies are sooner computed one by one
Pair = tuple[Any, Any]  # what the best arm and what the challenger pays


class EntropyCosts(Protocol):
    """Divergences of the best arm and of each of n challengers to the common mean at a share in [0, 1]."""

    def floats(self, share: np.ndarray, rest: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Both divergences, shape [n]; rest = 1 - share, known better than by subtracting."""
        ...

    def curvature(self, share: np.ndarray, rest: np.ndarray) -> np.ndarray:
        """gap^2 / variance at the common mean: `floats` has the derivatives share and -rest times it."""
        ...

    def balls(self, index: int, share: Any, rest: Any) -> Pair:
        """Both divergences of one challenger, in balls."""
        ...


class _Family:
    """Gaps and means of a best arm and its challengers, exact and as floats."""

    def __init__(self, best: Fraction, means: Sequence[Fraction]) -> None:
        gaps = [best - mean for mean in means]
        self.best, self.means = float(best), np.array([float(mean) for mean in means])
        self.gaps = np.array([float(gap) for gap in gaps])
        self.best_ball, self.exact_means, self.exact_gaps = to_ball(best), means, gaps

    def _common(self, share: np.ndarray, rest: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        down, up = share * self.gaps, rest * self.gaps
        return self.means + up, down, up


class BernoulliCosts(_Family):
    """Relative entropies of Bernoulli arms, means in [0, 1]."""

    def __init__(self, best: Fraction, means: Sequence[Fraction]) -> None:
        super().__init__(best, means)
        self.best_failure = float(1 - best)
        self.failures = np.array([float(1 - mean) for mean in means])
        self.best_entropy = _negentropy(self.best_ball)
        ones = np.ones_like(self.means)
        self.own = np.array([self.best * ones, self.best_failure * ones, self.means, self.failures])
        self.listed = self.own.ravel().tolist() if len(means) <= FEW else None

    def floats(self, share: np.ndarray, rest: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        mean, down, up = self._common(share, rest)
        failure = self.best_failure + down
        common, moved = np.concatenate((mean, failure, mean, failure)), np.concatenate((down, -down, -up, up))
        if self.listed is None:
            terms = float_kl_term(self.own, common.reshape(4, -1), moved.reshape(4, -1))
        else:
            one_by_one = map(kl_term, self.listed, common.tolist(), moved.tolist())
            terms = np.array([*one_by_one]).reshape(4, -1)
        return terms[0] + terms[1], terms[2] + terms[3]

    def curvature(self, share: np.ndarray, rest: np.ndarray) -> np.ndarray:
        mean, down, _ = self._common(share, rest)
        return self.gaps**2 / (mean * (self.best_failure + down))

    def balls(self, index: int, share: Any, rest: Any) -> Pair:
        own = to_ball(self.exact_means[index])
        mean = self.best_ball * rest + own * share
        log_mean, log_failure = mean.log(), (1 - mean).log()
        of_best = self.best_entropy - self.best_ball * log_mean - (1 - self.best_ball) * log_failure
        return of_best, _negentropy(own) - own * log_mean - (1 - own) * log_failure


class PoissonCosts(_Family):
    """Relative entropies x log(x/y) - x + y of Poisson arms, means in [0, inf)."""

    def floats(self, share: np.ndarray, rest: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        mean, down, up = self._common(share, rest)
        return float_kl_term(self.best, mean, down), float_kl_term(self.means, mean, -up)

    def curvature(self, share: np.ndarray, rest: np.ndarray) -> np.ndarray:
        return self.gaps**2 / self._common(share, rest)[0]

    def balls(self, index: int, share: Any, rest: Any) -> Pair:
        own = to_ball(self.exact_means[index])
        mean = self.best_ball * rest + own * share
        log_mean = mean.log()
        return tuple(_x_log_x(x) - x * log_mean - x + mean for x in (self.best_ball, own))  # type: ignore[return-value]


class ExponentialCosts(_Family):
    """Relative entropies log(y/x) + x/y - 1 of exponential arms, means in (0, inf)."""

    def floats(self, share: np.ndarray, rest: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        mean, down, up = self._common(share, rest)
        return float_kl_term(mean, self.best, -down) / mean, float_kl_term(mean, self.means, up) / mean

    def curvature(self, share: np.ndarray, rest: np.ndarray) -> np.ndarray:
        return (self.gaps / self._common(share, rest)[0]) ** 2

    def balls(self, index: int, share: Any, rest: Any) -> Pair:
        own = to_ball(self.exact_means[index])
        mean = self.best_ball * rest + own * share
        return tuple((mean / x).log() + x / mean - 1 for x in (self.best_ball, own))  # type: ignore[return-value]


class QuadraticCosts:
    """scale * share^2 and scale * (1 - share)^2: Gaussian arms have scale gap^2 / (2 sigma^2)."""

    def __init__(self, scales: Sequence[Fraction]) -> None:
        self.exact, self.scales = scales, np.array([float(scale) for scale in scales])

    def floats(self, share: np.ndarray, rest: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self.scales * share * share, self.scales * rest * rest

    def curvature(self, share: np.ndarray, rest: np.ndarray) -> np.ndarray:
        return 2 * self.scales

    def balls(self, index: int, share: Any, rest: Any) -> Pair:
        scale = to_ball(self.exact[index])
        return scale * share * share, scale * rest * rest


def _x_log_x(x: Any) -> Any:
    return x if x.is_zero() else x * x.log()


def _negentropy(p: Any) -> Any:
    return _x_log_x(p) + _x_log_x(1 - p)


# -------------------------------------------------------------------------------------------------- families of arms


def entropy_costs(best: Any, challengers: Sequence[Any]) -> EntropyCosts:
    """The relative entropies of arms of one family: Bernoulli, Gaussian, Poisson or Exponential.

    Raises InvalidInput for arms of several families, of another one, or Gaussian arms of different sigma.
    """
    family = family_of((best, *challengers))
    means = [Fraction(arm.mean) for arm in challengers]
    if family == "Gaussian":
        variance = Fraction(best.sigma) ** 2
        return QuadraticCosts([(Fraction(best.mean) - mean) ** 2 / (2 * variance) for mean in means])
    costs: dict[str, Callable[..., EntropyCosts]] = {
        "Bernoulli": BernoulliCosts,
        "Poisson": PoissonCosts,
        "Exponential": ExponentialCosts,
    }
    return costs[family](Fraction(best.mean), means)


def variation(best: Any, challenger: Any) -> Any:
    """The total variation between two arms of one family, as a ball."""
    from banditproof.theory.laws import exponential_families as families

    name, one, other = type(best).__name__, to_ball(best.mean), to_ball(challenger.mean)
    if name == "Bernoulli":
        return to_ball(Fraction(best.mean) - Fraction(challenger.mean))
    if name == "Gaussian":
        return families.tv_gaussian(one, other, to_ball(best.sigma))
    return families.tv_poisson(one, other) if name == "Poisson" else families.tv_exponential(one, other)


def family_of(arms: Sequence[Any]) -> str:
    """The family that all arms share, by name; InvalidInput where there is none that is known here."""
    names = {type(arm).__name__ for arm in arms}
    known = "arms of one family: Bernoulli, Gaussian with one sigma, Poisson or Exponential"
    if len(names) > 1 or not names <= {"Bernoulli", "Gaussian", "Poisson", "Exponential"}:
        raise InvalidInput("instance", sorted(names), known)
    if names == {"Gaussian"} and len({Fraction(arm.sigma) for arm in arms}) > 1:
        raise InvalidInput("instance", sorted({float(arm.sigma) for arm in arms}), known)
    return names.pop()
