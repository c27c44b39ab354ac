"""What several chapters use on privacy: random mechanisms and policies, noisy counters, strategies by name."""

from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from math import floor
from typing import Annotated, Any

import numpy as np

from banditproof.algorithms.noise import NoiseSource
from banditproof.claims.language import *
from banditproof.paper_checks.shared.composition import finitely_many
from banditproof.paper_checks.shared.policies import shapes
from banditproof.theory import tree_levels
from banditproof.verify.finite.strategies import Name, strategy_named

Mechanism = Annotated[Any, "all: every mechanism"]


def odds_of_answers(ratio: Any) -> tuple[Any, Any]:
    """Likelihood ratios of the answers of randomised response, which tells the truth with chance ratio/(1 + ratio)."""
    truth = ratio / (1 + ratio)
    return truth / (1 - truth), (1 - truth) / truth


def on_mechanisms(
    quick: int,
    full: int,
    what: str = "random channels",
    *,
    rational: bool = True,
    routes: tuple[str, str] | None = None,
    **grid: Iterable[Any],
) -> enumerated:
    """Random mechanisms by number with all combinations of the other variables' values; never every mechanism."""
    return enumerated(
        lambda check: {"mechanism": range(check.pick(quick, full)), **grid},
        rational=rational,
        covers=lambda check: finitely_many(check, what).restrict(**grid),
        routes=routes,
    )


class UnitNoise(NoiseSource):
    """Noise that is nothing but one chosen draw, of `size` scales; it notes every scale."""

    def __init__(self, chosen: int, size: float = 1.0) -> None:
        super().__init__()
        self.chosen, self.size, self.drawn, self.scales = chosen, size, 0, []

    def draw(self, distribution: str, scale: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
        noise = np.zeros(int(np.prod(shape)))
        position = self.chosen - self.drawn
        if 0 <= position < len(noise):
            noise[position] = self.size
        self.drawn += len(noise)
        self.scales.append(float(scale))
        return float(scale) * noise.reshape(shape)


def change_of_releases(T: int, counter: str) -> Fraction:
    """The largest l1 change, in scales at epsilon = 1, of all noisy values when one bit of a stream is flipped.

    A release is the algorithm without noise at the level of its noisy values: the noise matrix applied backwards. Here
    it is counted from the definition: prefix sums (I), bits (II), dyadic sums (tree).
    """
    worst = Fraction(0)
    for stream in product((0, 1), repeat=T):
        for s in range(T):
            flipped = (*stream[:s], 1 - stream[s], *stream[s + 1 :])
            pairs = zip(releases(counter, stream), releases(counter, flipped), strict=True)
            worst = max(worst, Fraction(sum(abs(a - b) for a, b in pairs)))
    return worst


def releases(counter: str, stream: tuple[int, ...]) -> list[int]:
    """All values that get noise of their own."""
    T = len(stream)
    if counter == "fresh noise per sum":
        return [sum(stream[:t]) for t in range(1, T + 1)]
    if counter == "noise per bit":
        return list(stream)
    return [sum(stream[i:j]) for i, j in tree_nodes(T)]


def tree_nodes(T: int) -> list[tuple[int, int]]:
    """The ranges of the complete binary tree over the next power of two, from the leaves to the root."""
    size = 1 << (tree_levels(T) - 1)
    return [(i, i + w) for w in (1 << level for level in range(tree_levels(T))) for i in range(0, size, w)]


TREE = "binary tree"


def p_sums_with(t: Any, levels: Any) -> Any:
    """How many nodes of the complete tree over 2^levels steps hold step t.

    Of all ranges [i w + 1, (i + 1) w] of one width w, that with i = floor((t - 1)/w) holds t: a node, if it begins
    within the 2^levels steps.
    """

    def holding(w: Any) -> Any:
        return where(floor(ratio(t - 1, w)) * w, "<", 2**levels, 1, 0)

    return total(lambda height: holding(2**height), 0, levels)


def tree_budget(levels: Any, t: Any, epsilon: Any, extra: Any, root: Any) -> Sides:
    """The l1 change of all nodes (without the root if root is 0), against the scale, both times epsilon.

    When bit t is flipped, each node that holds it changes by 1, and no other. Change over scale is the largest
    log-ratio of the densities of the released tree, attained where all outputs lie to one side; the scale is (log2 T +
    extra)/epsilon.
    """
    change = p_sums_with(t, levels) - (1 - root)
    return change * epsilon, "<=", (levels + extra) * epsilon


def with_ratios(points: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The points at three values of e^epsilon."""
    return [{**point, "ratio": ratio} for point in points for ratio in (Fraction(1), Fraction(3, 2), Fraction(3))]


WORD = "last arm leaks if the rewards spell the arms"


def policies_and_words(check: Check) -> list[dict[str, Any]]:
    words = [{"T": T, "K": K, "policy": WORD} for T, K in ((1, 2), (2, 2), (2, 3), (3, 2), (4, 2))]
    return with_ratios(shapes(check) + words)


NAMES: list[list[Any]] = [["random", seed, 3, 2] for seed in range(4)] + [["random", 7, 2, 3], ["guess", 2]]


def instance_of(name: Name, shift: int = 0) -> list[Fraction]:
    """Rational means for the strategy's arms."""
    return [Fraction((3 * arm + 5 + 7 * shift) % 11, 11) for arm in range(strategy_named(name).arms)]
