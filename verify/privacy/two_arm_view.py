"""The view law of Algorithm 7 on two arms, path by path: a one-dimensional recursion instead of a region of releases.

When an episode ends, its arm has a fresh private mean, independent of everything before; the other arm holds an old one
of which is known that it lost, or won, some comparisons. So the probability of a path is built up from one weight
function of one variable, that of the held mean: losing a comparison multiplies it with a tail of the fresh mean,
winning one integrates it and makes the other arm's mean the held one. Where an index is a mean plus a width and the
noise is Laplace's, the weight is an exponential polynomial between a few cuts, integrated in closed form in balls. With
Gaussian noise it is a smooth function, integrated by splines in floating point.

Also the other reading of Algorithm 7, that the noise of an arm which was not played is drawn again for every decision:
then decisions are independent given the sums, and path probabilities are products.

Source: ALG-A7, ALG-T5.2, ALG-T5.5
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cmp_to_key
from itertools import product
from math import comb, perm
from typing import Any

import numpy as np

from banditproof.algorithms.batches import DoublingBatches
from banditproof.theory import InvalidInput, exp, sqrt, to_ball
from banditproof.verify.privacy.exact_view import Batch, batch_paths

Path = tuple[Batch, ...]
Width = Callable[[int, int], Any]
"""width(n, t): what the index adds at time t to a private mean of n rewards."""


def episode_paths(horizon: int) -> tuple[Path, ...]:
    """Every way a run of Algorithm 7 on two arms can go, episode by episode; the last one is cut at the horizon."""
    if not 2 <= horizon <= 64:
        raise InvalidInput("horizon", horizon, "between 2 and 64")
    return tuple(batch_paths(DoublingBatches(), horizon))


def path_actions(path: Path) -> tuple[int, ...]:
    """The arm of every pull."""
    return tuple(arm for arm, start, stop in path for _ in range(start, stop))


def path_sums(path: Path, rewards: Sequence[Any]) -> tuple[Any, ...]:
    """The sums of the episodes that end before the last decision."""
    return tuple(sum(rewards[start:stop]) for _, start, stop in path[:-1])


def neighbouring_sums(path: Path) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Ordered pairs of sums of binary reward lists that differ in one reward."""
    ranges = [range(stop - start + 1) for _, start, stop in path[:-1]]
    for sums in product(*ranges):
        for k, step in product(range(len(sums)), (-1, 1)):
            if sums[k] + step in ranges[k]:
                yield sums, (*sums[:k], sums[k] + step, *sums[k + 1 :])


# ---------------------------------------------------------------------------------------------- exponential polynomials

Terms = dict[tuple[int, int], Any]  # (power k, rate r) -> coefficient of x^k e^(r unit x)


@dataclass(frozen=True)
class Piecewise:
    """A function on the line: between neighbouring `cuts` (balls, increasing) a sum of terms x^k e^(r `unit` x)."""

    cuts: tuple[Any, ...]
    pieces: tuple[Terms, ...]
    unit: Any

    def times(self, other: Piecewise) -> Piecewise:
        cuts = list(self.cuts)
        for cut in other.cuts:
            if not any(_same(cut, known) for known in cuts):
                insort(cuts, cut, key=cmp_to_key(_compare))
        pairs = [(self._piece(cuts, i), other._piece(cuts, i)) for i in range(len(cuts) + 1)]
        return Piecewise(tuple(cuts), tuple(_product(a, b) for a, b in pairs), self.unit)

    def _piece(self, cuts: Sequence[Any], i: int) -> Terms:
        """The terms that hold between the cuts number i - 1 and i of a refinement."""
        if i == len(cuts):
            return self.pieces[-1]
        return self.pieces[sum(not _same(cut, cuts[i]) and _compare(cut, cuts[i]) < 0 for cut in self.cuts)]

    def integral(self) -> Piecewise:
        """The integral from minus infinity; the function must vanish there."""
        integrals: list[Terms] = []
        for i, piece in enumerate(self.pieces):
            terms = _antiderivative(piece, self.unit)
            if i:
                left = _value(integrals[-1], self.cuts[i - 1], self.unit)
                shift = left - _value(terms, self.cuts[i - 1], self.unit)
                terms = {**terms, (0, 0): terms.get((0, 0), to_ball(0)) + shift}
            integrals.append(terms)
        return Piecewise(self.cuts, tuple(integrals), self.unit)

    def at_infinity(self) -> Any:
        """The limit; the last piece must have no growing terms."""
        return self.pieces[-1].get((0, 0), to_ball(0))

    def moved(self, c: Any) -> Piecewise:
        """x -> f(x + c)."""
        return Piecewise(
            tuple(cut - c for cut in self.cuts), tuple(_moved(p, c, self.unit) for p in self.pieces), self.unit
        )

    def complement(self, total: Any) -> Piecewise:
        """x -> total - f(x)."""
        pieces = ({**{key: -a for key, a in p.items()}, (0, 0): total - p.get((0, 0), to_ball(0))} for p in self.pieces)
        return Piecewise(self.cuts, tuple(pieces), self.unit)


def laplace_density(centre: Any, rate: int, unit: Any) -> Piecewise:
    """The density of centre + Laplace noise of scale 1 / (rate unit)."""
    height = rate * unit / 2
    up, down = height * exp(-rate * unit * centre), height * exp(rate * unit * centre)
    return Piecewise((centre,), ({(0, rate): up}, {(0, -rate): down}), unit)


def _compare(a: Any, b: Any) -> int:
    if a < b or a > b:
        return -1 if a < b else 1
    raise ArithmeticError("cuts too close to be told apart at this precision")


def _same(a: Any, b: Any) -> bool:
    return a is b or bool(a.is_exact() and b.is_exact() and a == b)


def _product(a: Terms, b: Terms) -> Terms:
    terms: Terms = {}
    for (k, r), x in a.items():
        for (m, s), y in b.items():
            terms[k + m, r + s] = terms.get((k + m, r + s), to_ball(0)) + x * y
    return terms


def _antiderivative(piece: Terms, unit: Any) -> Terms:
    terms: Terms = {}

    def add(key: tuple[int, int], amount: Any) -> None:
        terms[key] = terms.get(key, to_ball(0)) + amount

    for (k, r), a in piece.items():
        if r == 0:
            add((k + 1, 0), a / (k + 1))
            continue
        for i in range(k + 1):  # by parts
            add((k - i, r), a * (-1) ** i * perm(k, i) / (r * unit) ** (i + 1))
    return terms


def _value(piece: Terms, x: Any, unit: Any) -> Any:
    return sum((a * x**k * exp(r * unit * x) for (k, r), a in piece.items()), to_ball(0))


def _moved(piece: Terms, c: Any, unit: Any) -> Terms:
    terms: Terms = {}
    for (k, r), a in piece.items():
        scaled = a * exp(r * unit * c)
        for i in range(k + 1):
            terms[i, r] = terms.get((i, r), to_ball(0)) + scaled * comb(k, i) * c ** (k - i)
    return terms


# ------------------------------------------------------------------------------------------------------- stored noise


def laplace_path_probability(path: Path, sums: Sequence[Any], epsilon: Any, width: Width) -> Any:
    """The probability of a path, a ball: Laplace noise of scale 1/epsilon on every sum, drawn once and stored.

    `sums` (rationals) are those of the episodes but the last; the index is the private mean plus `width(n, t)`, ball
    arithmetic at the precision in use. A path of two episodes has probability one.
    """
    if len(path) == 2:
        return to_ball(1)

    def density(k: int) -> tuple[int, Piecewise]:
        arm, start, stop = path[k]
        n = stop - start
        return n, laplace_density(to_ball(sums[k]) / n, n, epsilon)

    (held_n, held), (fresh_n, fresh), held_arm = density(0), density(1), 0
    for k in range(2, len(path)):
        arm, start, _ = path[k]
        lead = _lead(width, fresh_n, held_n, start + 1)  # the fresh arm wins where its mean exceeds held - lead
        if arm == held_arm:
            above = held.integral()
            held, held_n, held_arm = fresh.times(above.complement(above.at_infinity()).moved(lead)), fresh_n, 1 - arm
        else:
            held = held.times(fresh.integral().complement(to_ball(1)).moved(-lead))
        if k < len(path) - 1:
            fresh_n, fresh = density(k)
    return held.integral().at_infinity()


def _lead(width: Width, first: int, second: int, t: int) -> Any:
    """width(first) - width(second), exactly 0 for equal numbers of rewards."""
    return to_ball(0) if first == second else width(first, t) - width(second, t)


NODES = 1501
REACH = 9.0  # standard deviations


def gaussian_path_probability(path: Path, sums: Sequence[Any], deviation: float, width: Width) -> float:
    """As `laplace_path_probability`, for normal noise of this standard deviation on every sum, in floating point.

    Weights are integrated by cubic splines on a grid of `NODES` points; the error is below 1e-8 (tested).
    """
    from scipy.interpolate import CubicSpline
    from scipy.special import ndtr

    if len(path) == 2:
        return 1.0

    def state(k: int) -> tuple[int, float, float]:
        _, start, stop = path[k]
        return stop - start, float(sums[k]) / (stop - start), deviation / (stop - start)

    def grid(mean: float, scale: float) -> tuple[np.ndarray, np.ndarray]:
        z = np.linspace(-REACH, REACH, NODES)
        return mean + scale * z, np.exp(-z * z / 2) / (np.sqrt(2 * np.pi) * scale)

    (held_n, mean, scale), fresh, held_arm = state(0), state(1), 0
    x, weight = grid(mean, scale)
    for k in range(2, len(path)):
        arm, start, _ = path[k]
        fresh_n, mean, scale = fresh
        lead = float(width(fresh_n, start + 1) - width(held_n, start + 1))
        if arm == held_arm:
            below = CubicSpline(x, weight).antiderivative()
            y, density = grid(mean, scale)
            inside = np.clip(y + lead, x[0], x[-1])
            x, weight, held_n, held_arm = y, density * (below(x[-1]) - below(inside)), fresh_n, 1 - arm
        else:
            weight = weight * ndtr((mean - x + lead) / scale)
        if k < len(path) - 1:
            fresh = state(k)
    return float(CubicSpline(x, weight).integrate(x[0], x[-1]))


# ---------------------------------------------------------------------------------------------------- noise drawn again


def redrawn_path_probability(path: Path, sums: Sequence[Any], scale: Any, width: Width, noise: str = "laplace") -> Any:
    """The probability of a path, a ball, if both private means get new noise before every decision.

    `scale` is that of the noise on a sum: the scale of Laplace noise, or the standard deviation of "normal" noise.
    """
    tail = {"laplace": laplace_difference_tail, "normal": _normal_difference_tail}[noise]
    last: dict[int, int] = {}  # the last episode of each arm that has ended
    probability = to_ball(1)
    for k, (arm, start, _) in enumerate(path):
        if k >= 2:
            (n, total), (m, other) = ((path[last[a]][2] - path[last[a]][1], sums[last[a]]) for a in (arm, 1 - arm))
            needed = to_ball(other) / m - to_ball(total) / n - _lead(width, n, m, start + 1)
            probability *= tail(needed, scale / n, scale / m)
        last[arm] = k
    return probability


def laplace_difference_tail(x: Any, a: Any, b: Any) -> Any:
    """P(A - B > x) for independent Laplace variables of scales a and b, balls; equal scales where they are exact."""
    size = abs(x)
    if _same(a, b) or (a - b).contains(0):
        upper = exp(-size / a) * (2 + size / a) / 4
    else:
        upper = (a * a * exp(-size / a) - b * b * exp(-size / b)) / (2 * (a * a - b * b))
    return upper if x >= 0 else 1 - upper


def _normal_difference_tail(x: Any, a: Any, b: Any) -> Any:
    return (x / sqrt(2 * (a * a + b * b))).erfc() / 2
