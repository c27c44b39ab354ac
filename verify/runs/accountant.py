"""What releases cost together under a promise of any kind, from below and from above.

A release is known by the pair of laws that its answer has on two neighbours. Independent releases multiply: Renyi
divergences add up, and so do privacy losses, whose law says how large delta is at an epsilon. Where the pair is known
exactly both bounds are close; of a release of which only a bound of its privacy loss is known, the pair of randomised
response bounds it from above, and nothing from below. So a promise is kept where the upper bound is within it, broken
where the lower one is above, and open between.

The law of a loss stands on a grid. From above, what lies between two points of the grid is split between them so that
its probability on both neighbours stays: that tells the neighbours apart no less. From below it moves to the next
point below. Floats are widened by far more than they err.

The bounds are those of the releases as they are: of a policy that releases a reward more often after some answers than
after others, those of the run.

Source: TH-P2.9, TH-S2.1f
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from math import ceil, exp, expm1, inf, isinf, log, log1p, sqrt, tanh
from typing import Any

import numpy as np

from banditproof.theory.privacy.budget import Budget, gaussian_delta

CELLS = 6000  # of the grid that the loss of all releases together has
ORDERS = (1.0, 1.01, 1.1, 1.25, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 16.0, 32.0, 64.0)  # 1 is the relative entropy
WIDENED = 1e-9  # relative: far more than what adding up so many floats may be off by
TAIL = 12.0  # deviations of a normal loss that are on the grid
MOST_ATOMS = 4000
FEW_ATOMS, FINE = 64, 1.002  # for orders from 1 on, each so many times the one before
FARTHEST, NODES = 45.0, 12  # scales beyond all scores, where noise has less than rounding; nodes for each scale
WIDEST = 10_000.0  # scales between scores that are integrated over
CURVE = 400  # epsilons at which a curve is compared with that of Gaussian noise


@dataclass(frozen=True)
class Pair:
    """What is known of the laws of one answer on two neighbours.

    Attributes:
        loss: a bound of the privacy loss, in both directions; inf for normal noise.
        atoms: (loss, probability here) of answers that tell the neighbours apart by one loss each; with `density`,
            the part of the law that has none.
        laplace: the shift in scales, of Laplace noise in one dimension; 0 for other laws.
        normal: the shift in deviations, of normal noise.
        range: a bound of the largest loss less the smallest one, where it is smaller than twice the loss.
        rho: its cost in zCDP from above, where that is not a formula of the loss.
        rest: the probability of answers that are no atoms, with any loss.
        exact: whether the atoms, `laplace` or `normal` are the laws themselves, and not only bounds of them.
        attained: whether some answer has the loss.
        told: the loss of the answer that was seen, where that is known and the loss is only a bound.
    """

    loss: float
    atoms: tuple[tuple[float, float], ...] = ()
    laplace: float = 0.0
    normal: float = 0.0
    range: float = inf
    rho: float | None = None
    rest: float = 0.0
    exact: bool = True
    attained: bool = True
    told: float = 0.0

    def renyi(self, order: float, above: bool) -> float:
        """D_order of the pair, or of one that is farther apart, by its formula; the relative entropy at order 1.

        Both bounds are the same but where some answers are no atoms.
        """
        if self.normal:
            return order * self.normal**2 / 2
        if self.laplace:
            return _renyi_laplace(self.laplace, order)
        if self.rho is not None and (above or not self.atoms):
            return order * self.rho
        known = _renyi_atoms(self.atoms, order)
        return known if isinf(self.range) else min(known, order * self.range**2 / 8)

    @property
    def concentrated(self) -> float:
        """rho from above."""
        if self.rho is not None:
            return self.rho
        if self.normal:
            return self.normal**2 / 2
        if self.laplace:  # D_order / order falls with the order
            return self.laplace + expm1(-self.laplace)
        known = min(self.loss * tanh(self.loss / 2), self.range**2 / 8)
        return min(known, _concentrated_atoms(self.atoms, self.loss)) if self.exact and self.loss else known

    @property
    def gaussian(self) -> float:
        """mu from above: of a bounded loss the smallest mu for all mechanisms of that loss."""
        from scipy.special import ndtri

        if self.normal or not self.loss:
            return self.normal
        return -2 * float(ndtri(1 / (1 + exp(self.loss)))) if self.loss < 700 else inf


def of_laplace(shift: float) -> Pair:
    """Laplace noise whose value moves by so many scales."""
    return Pair(shift, laplace=shift)


def of_normal(shift: float) -> Pair:
    """Normal noise whose value moves by so many deviations."""
    return Pair(inf if shift else 0.0, normal=shift)


def of_bounded_loss(loss: float, attained: bool = False) -> Pair:
    """Any mechanism of this privacy loss: randomised response tells most."""
    truth = 1 / (1 + exp(-loss))
    return Pair(loss, ((loss, truth), (-loss, 1 - truth)), exact=False, attained=attained)


def of_bounded_range(loss: float) -> Pair:
    """A mechanism whose losses lie in an interval of this length, such as the exponential mechanism."""
    pair = of_bounded_loss(loss)
    return Pair(loss, pair.atoms, range=loss, exact=False, attained=False)


def of_whole_normal(steps: float, deviation: float) -> Pair:
    """Discrete normal noise of this deviation whose value moves by so much.

    Its Renyi divergences are at most those of normal noise. Of a whole move of one number the law is known as well:
    that of a farther move tells no less, since P(k) / P(k - steps) falls in k.
    """
    shift = steps / deviation
    if not steps:
        return Pair(0.0)
    far = ceil(TAIL * deviation) + round(steps)
    if not float(steps).is_integer() or 2 * far >= MOST_ATOMS:
        return Pair(inf, rho=shift * shift / 2, exact=False, attained=False)
    noise = np.arange(-far, far + 1)
    weights = np.exp(-((noise / deviation) ** 2) / 2)
    losses = (steps * steps - 2 * steps * noise) / (2 * deviation**2)
    chances = weights / weights.sum()
    rest = 4 * exp(-((far / deviation) ** 2) / 2)  # of the noise, on both sides
    atoms = tuple(zip(losses.tolist(), chances.tolist(), strict=True))
    return Pair(inf, atoms, rho=shift * shift / 2, rest=rest, attained=False)


def of_laws(here: Sequence[float], there: Sequence[float]) -> Pair:
    """Two laws on the same answers, all of which both give."""
    p, q = np.asarray(here, dtype=float), np.asarray(there, dtype=float)
    losses = np.log(p) - np.log(q)
    return Pair(float(np.abs(losses).max(initial=0.0)), tuple(zip(losses.tolist(), p.tolist(), strict=True)))


def of_noisy_max(loss: float, here: Sequence[float], there: Sequence[float], answer: int) -> Pair:
    """The index of the largest of these scores, in scales of the Laplace noise on each, that was seen as the answer."""
    pair = of_bounded_loss(loss)
    if max(np.ptp(here), np.ptp(there)) > WIDEST:  # nothing is told
        return pair
    return replace(pair, told=abs(_log_chance_of_largest(here, answer) - _log_chance_of_largest(there, answer)))


def _log_chance_of_largest(scores: Sequence[float], answer: int) -> float:
    """log of the integral over x of f(x) F(x - s) ..., f and F of Laplace, the scores s beside the answer's: between
    two kinks the integrand is analytic, so that nodes of Gauss leave no more than rounding."""
    beside = np.delete(np.asarray(scores, dtype=float), answer) - scores[answer]
    kinks = np.unique(np.append(beside, 0.0))
    ends = [kinks[0] - FARTHEST, *kinks, kinks[-1] + FARTHEST]
    cuts = np.unique(np.concatenate([np.linspace(a, b, ceil(b - a) + 1) for a, b in pairwise(ends)]))
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    half = np.diff(cuts)[:, np.newaxis] / 2
    x = cuts[:-1, np.newaxis] + half * (1 + nodes)
    far = np.abs(x - beside[:, np.newaxis, np.newaxis])
    below = np.where(x >= beside[:, np.newaxis, np.newaxis], np.log1p(-np.exp(-far) / 2), -far - log(2))
    return float(np.logaddexp.reduce((below.sum(axis=0) - np.abs(x) - log(2) + np.log(half * weights)).ravel()))


def of_whole_laplace(shift: float, scale: float) -> Pair:
    """Discrete Laplace noise of this scale whose value moves by a whole number."""
    steps, ratio = round(shift), exp(-1 / scale)
    if not steps:
        return Pair(0.0, ((0.0, 1.0),))
    if steps > MOST_ATOMS:
        return of_bounded_loss(shift / scale)
    between = (((steps - 2 * x) / scale, (1 - ratio) / (1 + ratio) * ratio**x) for x in range(1, steps))
    ends = ((steps / scale, 1 / (1 + ratio)), (-steps / scale, ratio**steps / (1 + ratio)))
    return Pair(shift / scale, (*ends, *between))


def _renyi_laplace(shift: float, order: float) -> float:
    if order == 1:
        return shift + expm1(-shift)
    above = order - 1
    if above * shift < 1:
        grown = order * expm1(above * shift) + above * expm1(-order * shift)
        return log1p(grown / (order + above)) / above
    return shift + log((order + above * exp(-(order + above) * shift)) / (order + above)) / above


def _renyi_atoms(atoms: Sequence[tuple[float, float]], order: float) -> float:
    losses, chances = np.array(atoms).reshape(-1, 2).T
    if order == 1:
        return float(np.sum(chances * losses))
    return float(np.logaddexp.reduce(np.log(chances) + (order - 1) * losses)) / (order - 1)


@lru_cache(1024)
def _concentrated_atoms(atoms: tuple[tuple[float, float], ...], loss: float) -> float:
    """A bound of D_order / order over all orders: D grows with the order and is at most the loss."""
    if len(atoms) > FEW_ATOMS:
        return inf
    most, order = 0.0, 1.0
    while order * most < loss:
        following = order * FINE
        most = max(most, _renyi_atoms(atoms, following) / order)
        order = following
    return most * (1 + WIDENED)


# ------------------------------------------------------------------------------------------------- added up


@dataclass(frozen=True)
class Cost:
    """What releases cost together: `least` and `most` of a `name`, of which `allowed` is promised."""

    name: str
    least: float
    most: float
    allowed: float

    @property
    def kept(self) -> bool:
        return self.most <= self.allowed * (1 + 1e-12)

    @property
    def broken(self) -> bool:
        return self.least > self.allowed * (1 + WIDENED)

    def __str__(self) -> str:
        if self.most - self.least <= 1e-6 * self.most:
            return f"{self.name} = {self.most:.6g}"
        return f"{self.name} between {self.least:.6g} and {self.most:.6g}"


def cost_of(pairs: Mapping[Pair, int], budget: Budget) -> Cost:
    """What releases cost together, in what the budget promises: `pairs` says how many have each pair of laws.

    The kind of the budget is one of those that are accounted for here.
    """
    return _cost_of(frozenset((pair, count) for pair, count in pairs.items() if pair.loss and count), budget)


def is_accounted(budget: Budget) -> bool:
    """Whether the kind of budget is one of those that are accounted for here."""
    return budget.kind in _COSTS


@lru_cache(1024)
def _cost_of(counted: frozenset[tuple[Pair, int]], budget: Budget) -> Cost:
    return _COSTS[budget.kind](Counter(dict(counted)), budget)


def _pure(pairs: Counter[Pair], budget: Budget) -> Cost:
    least = sum(n * (p.loss if p.attained else p.told) for p, n in pairs.items())
    return Cost("epsilon", least, sum(n * p.loss for p, n in pairs.items()), float(budget.epsilon))


def _concentrated(pairs: Counter[Pair], budget: Budget) -> Cost:
    least = max(sum(n * p.renyi(a, False) for p, n in pairs.items() if p.exact) / a for a in ORDERS)
    return Cost("rho", least, sum(n * p.concentrated for p, n in pairs.items()), float(budget.rho))


def _renyi(pairs: Counter[Pair], budget: Budget) -> Cost:
    order = float(budget.order)
    least, most = (
        sum(n * p.renyi(order, upper) for p, n in pairs.items() if p.exact or upper) for upper in (False, True)
    )
    return Cost(f"D_{order:g}", least, min(most, sum(n * p.loss for p, n in pairs.items())), float(budget.epsilon))


def _approximate(pairs: Counter[Pair], budget: Budget) -> Cost:
    epsilon, name = float(budget.epsilon), f"delta at epsilon = {float(budget.epsilon):.6g}"
    least, most = (delta_at(pairs, epsilon, above) for above in (False, True))
    return Cost(name, least, most, float(budget.delta))


def _gaussian(pairs: Counter[Pair], budget: Budget) -> Cost:
    """mu from above by composition of the smallest mu of each, or by the curve of delta; from below by that curve."""
    mu = float(budget.mu)
    most = sqrt(sum(n * p.gaussian**2 for p, n in pairs.items()))
    if most <= mu or all(p.normal for p in pairs):
        return Cost("mu", most if all(p.normal for p in pairs) else 0.0, most, mu)
    losses = sum(n * p.loss for p, n in pairs.items())
    at = np.linspace(0.0, min(losses, mu * (mu / 2 + TAIL)), CURVE)
    promised = np.array([gaussian_delta(mu, e) for e in at])
    if (
        losses <= at[-1]
    ):  # beyond, delta is 0. Both curves fall: between two epsilons that of the first and that of the second count
        above = Curve(pairs, True)
        if all(above.at(e) <= p for e, p in zip(at[:-1], promised[1:] * (1 - WIDENED), strict=True)):
            return Cost("mu", 0.0, mu, mu)
    below = Curve(pairs, False)
    shown, place = max((below.at(e) - p, e) for e, p in zip(at, promised, strict=True))
    return Cost("mu", _least_mu(below.at(place), place) if shown > 0 else 0.0, most, mu)


def _least_mu(delta: float, epsilon: float) -> float:
    """A mu below which Gaussian noise has a smaller delta at this epsilon."""
    low, high = 0.0, 100.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if gaussian_delta(middle, epsilon) < delta else (low, middle)
    return low


_COSTS: dict[str, Callable[[Counter[Pair], Budget], Cost]] = {
    "pure": _pure,
    "approximate": _approximate,
    "zcdp": _concentrated,
    "rdp": _renyi,
    "gdp": _gaussian,
}


def delta_at(pairs: Counter[Pair], epsilon: float, above: bool) -> float:
    """Bounds of the least delta at an epsilon."""
    if above and sum(n * p.loss for p, n in pairs.items()) <= epsilon:
        return 0.0
    if all(p.normal for p in pairs):  # together they are one
        return gaussian_delta(sqrt(sum(n * p.normal**2 for p, n in pairs.items())), epsilon)
    if above and any(p.rho is not None and not p.atoms for p in pairs):  # of which no law of the loss is known
        rho = sum(n * p.concentrated for p, n in pairs.items())
        return exp(-((epsilon - rho) ** 2) / (4 * rho)) if epsilon > rho else 1.0
    return min(Curve(pairs, above).at(epsilon), 1.0)


# ------------------------------------------------------------------------------------------- the law of a loss


@dataclass
class OnGrid:
    """The law of a privacy loss on multiples of a step: `masses` of those from `first` on, `beyond` above all."""

    first: int
    masses: np.ndarray
    beyond: float = 0.0

    def then(self, other: OnGrid) -> OnGrid:
        """The law of the sum of two independent losses."""
        masses = np.convolve(self.masses, other.masses)
        return OnGrid(self.first + other.first, masses, self.beyond + other.beyond)


@dataclass
class Curve:
    """The least delta at every epsilon of pairs together, from above or from below."""

    pairs: Counter[Pair]
    above: bool
    step: float = field(init=False)
    law: OnGrid = field(init=False)

    def __post_init__(self) -> None:
        known = Counter({p: n for p, n in self.pairs.items() if self.above or p.exact})
        width = sum(n * 2 * _spread(p) for p, n in known.items())
        self.step = max(width, 1e-12) / CELLS
        self.law = OnGrid(0, np.ones(1))
        for pair, count in known.items():
            self.law = self.law.then(_power(_placed(pair, self.step, self.above), count))

    def at(self, epsilon: float) -> float:
        losses = self.step * (self.law.first + np.arange(self.law.masses.size))
        excess = -np.expm1(np.minimum(epsilon - losses, 0.0))
        delta = float(np.sum(self.law.masses * excess)) + self.law.beyond * self.above
        slack = WIDENED * delta
        return max(0.0, delta + slack if self.above else delta - slack)


def _spread(pair: Pair) -> float:
    if pair.normal:
        return pair.normal * (pair.normal / 2 + TAIL)
    return max(abs(loss) for loss, _ in pair.atoms) if pair.rest else pair.loss


def _power(law: OnGrid, count: int) -> OnGrid:
    result: OnGrid | None = None
    while count:
        if count % 2:
            result = law if result is None else result.then(law)
        count //= 2
        law = law.then(law) if count else law
    assert result is not None
    return result


def _placed(pair: Pair, step: float, above: bool) -> OnGrid:
    """The law of one loss on the grid."""
    reach = ceil(_spread(pair) / step) + 1
    masses, beyond = np.zeros(2 * reach + 1), pair.rest
    atoms = list(pair.atoms)
    if pair.laplace:
        atoms = [(pair.laplace, 0.5), (-pair.laplace, exp(-pair.laplace) / 2)]
    for loss, chance in atoms:
        _place(masses, reach, step, loss, chance, chance * exp(-loss), above)
    if pair.laplace or pair.normal:
        edges = step * np.arange(-reach, reach + 1)
        below = _below(pair, edges)
        p = np.diff(below)
        q = np.diff(below)[::-1]  # the pair is the same, seen from the other side
        if above:
            high = _share_of_upper(p, q, edges[:-1], step)
            masses[1:] += high
            masses[:-1] += np.maximum(p - high, 0.0)
            beyond += _beyond(pair, edges[-1])
            masses[0] += _beyond_below(pair, edges[0])
        else:
            masses[:-1] += p
    return OnGrid(-reach, masses, beyond)


def _share_of_upper(p: Any, q: Any, low: Any, step: float) -> Any:
    """Of masses p here and q there, with losses in [low, low + step], what goes to the upper end."""
    excess = p - q * np.exp(low)
    return np.clip(excess / -expm1(-step) * (1 + WIDENED) + p * WIDENED, 0.0, p * (1 + WIDENED))


def _place(masses: Any, reach: int, step: float, loss: float, p: float, q: float, above: bool) -> None:
    cell = int(np.floor(loss / step))
    if abs(loss / step - round(loss / step)) < 1e-9:
        masses[reach + round(loss / step)] += p
        return
    if above:
        high = float(_share_of_upper(p, q, step * cell, step))
        masses[reach + cell + 1] += high
        masses[reach + cell] += max(p - high, 0.0)
    else:
        masses[reach + cell] += p


def _below(pair: Pair, edges: Any) -> Any:
    """How likely the part of the loss that has a density is below each edge."""
    if pair.normal:
        from scipy.special import ndtr

        return ndtr((edges - pair.normal**2 / 2) / pair.normal)
    inside = np.clip(edges, -pair.laplace, pair.laplace)
    return np.exp((inside - pair.laplace) / 2) / 2


def _beyond(pair: Pair, edge: float) -> float:
    if not pair.normal:
        return 0.0
    from scipy.special import ndtr

    return float(ndtr((pair.normal**2 / 2 - edge) / pair.normal))


def _beyond_below(pair: Pair, edge: float) -> float:
    return float(_below(pair, np.array([edge]))[0]) if pair.normal else 0.0
