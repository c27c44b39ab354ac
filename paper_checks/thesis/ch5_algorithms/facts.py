"""What several sections of Chapter 5 share: sets, budgets, chosen noise, the bonus of DP-UCB, the schedule of DP-SE."""

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np

from banditproof.algorithms.noise import NoiseSource
from banditproof.claims.language import *
from banditproof.paper_checks.thesis.facts.privacy import UnitNoise
from banditproof.verify import decided

Bandit = Annotated[Any, "all: every bandit with rewards in [0, 1]"]
BernoulliBandit = Annotated[Any, "all: every Bernoulli bandit"]
AboveThree = Annotated[Any, "(3, inf)"]

PURE = [["pure", "1/10"], ["pure", "4"]]
ZCDP = [["zcdp", "1/100"], ["zcdp", "2"]]


def gaps_of(means: Sequence[Any]) -> list[Any]:
    """The gaps of the suboptimal arms."""
    return [max(means) - mean for mean in means if mean < max(means)]


def unproved(why: str) -> step:
    """The step that notes why there is no proof."""

    def no_proof(check: Any, relation: Any) -> None:
        check.could_not("certificate", why)

    return step(no_proof)


class OneDraw(UnitNoise):
    """Nothing but one chosen draw, for a policy with one replication."""

    def draw(self, distribution: str, scale: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
        return super().draw(distribution, np.ravel(scale)[0], shape)


class Silent(NoiseSource):
    """No noise."""

    def draw(self, distribution: str, scale: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
        return np.zeros(shape)


# DP-UCB.


def bonus(n: int, epsilon: Any, T: int, two: Any = 2) -> Any:
    """What the printed index adds to the private mean, delta = 1/T."""
    deep = log(to_ball(2 * T))
    private = sqrt(to_ball(8)) * log(to_ball(T)) ** to_ball("3/2") * deep / (epsilon * n)
    return sqrt(to_ball(two) * deep / n) + private


# DP-SE.


def logarithm(factor: int, active: int, epoch: int, beta: Any) -> Any:
    return log(to_ball(factor * active * epoch**2) / to_ball(beta))


def real_pulls(active: int, epoch: int, epsilon: Any, beta: Any) -> Any:
    """What R_e is the integer part of, plus one; `epsilon` None for no noise."""
    plain = 32 * logarithm(8, active, epoch, beta) * 4**epoch
    if epsilon is None:
        return plain
    return maximum(plain, 8 * logarithm(4, active, epoch, beta) * 2**epoch / to_ball(epsilon))


def last_epoch(gap: Any) -> int:
    """E = ceil(log2(1/gap)), at least 1: the first epoch e with 2^-e <= gap."""
    last = 1
    while decided(gap * 2**last, "<", 1):
        last += 1
    return last


AN_EPOCH = ["gap * 2**last >= 1", "gap * 2**last <= 2"]  # last is ceil(log2(1/gap)), or one more at a power of two


def pulls_up_to(last: Any, arms: Any, epsilon: Any, beta: Any) -> Any:
    """At least R_1 + ... + R_last."""
    return total(lambda epoch: real_pulls(arms, epoch, epsilon, beta) + 1, 1, last)


def pulls_of_an_arm(gap: Any, arms: int, epsilon: Any, beta: Any) -> Any:
    """At least R_1 + ... + R_E, E its last epoch: after it the arm is dropped on the good event."""
    return pulls_up_to(last_epoch(gap), arms, epsilon, beta)
