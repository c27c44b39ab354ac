"""Pairs of laws whose privacy loss is accounted for: atoms and a part with a density, exact in balls.

Of a release the first law is that with a record and the second that without. Subsampling and the other direction of a
pair are made of these by formulas.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property, reduce
from itertools import combinations_with_replacement
from math import ceil, comb, exp, expm1, factorial, floor, inf, log, log1p, log2, prod
from typing import Any

import numpy as np

from banditproof.theory.numbers.numeric import to_ball, working_precision
from banditproof.theory.privacy.loss_laws import BITS, FINE, MANY_POINTS, POINTS, PRECISION, LossLaw, placed

WINDOW = 10.0  # deviations of normal noise on the grid; what lies beyond counts as an infinite loss from above
MOST_POWERS = 1000  # of terms in a moment
FEW_OUTCOMES, BESIDE_A_PART = 300, 32  # so many are told apart one by one
CELLS, MOST_CELLS = POINTS // 2, 1 << 16
_PART = Callable[[Any], tuple[Any, Any]]


@dataclass(frozen=True, eq=False)
class LossPair:
    """Two laws (P, Q) by their loss L = log dP/dQ.

    Attributes:
        atoms: (loss, P, Q) for each loss that has probability, balls in ascending order.
        part: (P, Q) of losses up to a given one (a ball) of what has a density; None for no such part.
        low, high: where on the line nearly all of that lies.
        ends: the smallest and the largest loss of that, balls.
        never: (P, Q) of outcomes that the other law never gives.
        rest: a bound of the probability of outcomes whose loss is not followed, under both laws.
        powers: log E_Q (dP/dQ)^k of a whole k >= 0, a ball, no smaller for (Q, P); None where no formula is known.
    """

    atoms: tuple[tuple[Any, Any, Any], ...] = ()
    part: _PART | None = None
    low: float = inf
    high: float = -inf
    ends: tuple[Any, Any] = (0, 0)
    never: tuple[Any, Any] = (0, 0)
    rest: Any = 0
    powers: Callable[[int], Any] | None = None

    @property
    def reversed(self) -> LossPair:
        """(Q, P)."""
        with working_precision(PRECISION):
            return self._reversed()

    def _reversed(self) -> LossPair:
        atoms = tuple((-loss, q, p) for loss, p, q in reversed(self.atoms))
        if self.part is None:
            return LossPair(atoms, never=self.never[::-1], rest=self.rest)
        part, whole = self.part, self.part(to_ball(inf))

        def other(loss: Any) -> tuple[Any, Any]:
            p, q = part(-loss)
            return whole[1] - q, whole[0] - p

        ends = (-self.ends[1], -self.ends[0])
        return LossPair(atoms, other, -self.high, -self.low, ends, self.never[::-1], self.rest, self.powers)

    def sampled(self, rate: Any) -> LossPair:
        """(rate P + (1 - rate) Q, Q); `rate` is a ball in (0, 1]."""
        with working_precision(PRECISION):
            return self._mixed(rate)

    def _mixed(self, rate: Any) -> LossPair:
        hidden = 1 - rate
        atoms = [(self._sampled(loss, rate), rate * p + hidden * q, q) for loss, p, q in self.atoms]
        if not self.never[1] == 0:  # a ball may be both
            atoms.insert(0, (hidden.log(), hidden * self.never[1], self.never[1]))
        part = self.part
        if part is None:
            return LossPair(tuple(atoms), never=(rate * self.never[0], 0), rest=self.rest)

        def mixed(loss: Any) -> tuple[Any, Any]:
            odds = (loss.exp() - hidden) / rate
            if not odds > 0:
                return to_ball(0), to_ball(0)
            p, q = part(odds.log() if odds.is_finite() else to_ball(inf))
            return rate * p + hidden * q, q

        low, high = (_log_mixed(end, float(rate)) for end in (self.low, self.high))
        ends = (self._sampled(self.ends[0], rate), self._sampled(self.ends[1], rate))
        never = (rate * self.never[0], 0)
        return LossPair(tuple(atoms), _kept(mixed), low, high, ends, never, self.rest, self._sampled_powers(rate))

    def _sampled_powers(self, rate: Any) -> Callable[[int], Any] | None:
        """By the binomial theorem. The reverse has smaller ones (Mironov, Talwar and Zhang, 2019, Theorem 5), as a
        reflection exchanges normal laws, which alone have such a formula.
        """
        powers = self.powers
        if powers is None:
            return None

        def sampled(k: int) -> Any:
            terms = (comb(k, j) * rate**j * (1 - rate) ** (k - j) * powers(j).exp() for j in range(k + 1))
            total: Any = sum(terms, to_ball(0))
            return total.log()

        return sampled

    def moment(self, above: Fraction, up: bool) -> Any:
        """log E e^(`above` L), a ball, from below or from above; a formula of whole orders bounds those before."""
        order = ceil(above) + 1
        if not up or self.powers is None or order > MOST_POWERS:
            return self.laws[up].moment(above)
        with working_precision(PRECISION):
            return self.powers(order) * to_ball(above / (order - 1))

    def power(self, count: int) -> LossPair:
        """Of `count` releases of atoms alone: one atom for how often each of them comes."""
        atoms: list[tuple[Any, Any, Any]] = []
        for often in map(Counter, combinations_with_replacement(range(len(self.atoms)), count)):
            ways = factorial(count) // prod(map(factorial, often.values()))
            seen = [(self.atoms[i], n) for i, n in often.items()]
            p, q = (prod((atom[k] ** n for atom, n in seen), start=to_ball(ways)) for k in (1, 2))
            atoms.append((sum((n * atom[0] for atom, n in seen), to_ball(0)), p, q))
        never = tuple(1 - (1 - one) ** count for one in self.never)
        return LossPair(tuple(sorted(atoms, key=lambda atom: _near(atom[0]))), never=(never[0], never[1]))

    def then(self, other: LossPair) -> LossPair:
        """The loss of both, for another pair of atoms alone."""
        both = [(loss + more, p * a, q * b) for loss, p, q in self.atoms for more, a, b in other.atoms]
        atoms = tuple(sorted(both, key=lambda atom: _near(atom[0])))
        never = tuple(1 - (1 - one) * (1 - two) for one, two in zip(self.never, other.never, strict=True))
        part = self.part

        def mixed(loss: Any) -> tuple[Any, Any]:
            assert part is not None
            seen = [(a, b, part(loss - more)) for more, a, b in other.atoms]
            return sum((a * p for a, _, (p, _) in seen), to_ball(0)), sum((b * q for _, b, (_, q) in seen), to_ball(0))

        return LossPair(atoms, mixed if part else None, never=(never[0], never[1]))

    @staticmethod
    def _sampled(loss: Any, rate: Any) -> Any:
        return (1 + rate * loss.expm1()).log() if loss < inf else loss

    @property
    def mirrored(self) -> LossPair:
        """The pair that has the larger curve of (P, Q) and (Q, P) at every epsilon >= 0, for a curve that stays convex.

        Positive losses are those of (P, Q), negative ones their mirror images, and the loss 0 has the rest.
        """
        up = [(loss, p, q) for loss, p, q in self.atoms if loss > 0]
        part = self.part
        p0, q0 = part(to_ball(0)) if part else (to_ball(0), to_ball(0))
        p1, q1 = part(to_ball(inf)) if part else (to_ball(0), to_ball(0))
        p, q = sum((a[1] for a in up), p1 - p0), sum((a[2] for a in up), q1 - q0)
        rest = 1 - p - q - self.never[0]
        atoms = ([(-loss, q, p) for loss, p, q in reversed(up)], [(to_ball(0), rest, rest)], up)

        def both(loss: Any) -> tuple[Any, Any]:
            assert part is not None
            if loss <= 0:
                a, b = part(-loss)
                return q1 - b, p1 - a
            a, b = part(loss)
            return q1 - q0 + a - p0, p1 - p0 + b - q0

        high = max(self.high, 0.0)
        listed, never = tuple(atom for group in atoms for atom in group), (self.never[0], self.never[0])
        if part is None:
            return LossPair(listed, never=never, rest=self.rest)
        return LossPair(listed, both, -high, high, (-self.ends[1], self.ends[1]), never, self.rest)

    @property
    def top(self) -> Any:
        """The largest loss, a ball; infinite if a loss is, or if some are not followed."""
        if not (self.never[0] == 0 and self.rest == 0):
            return to_ball(inf)
        tops = [self.ends[1]] * (self.part is not None) + [loss for loss, _, _ in self.atoms[-1:]]
        return max(tops, key=_near)

    # ---------------------------------------------------------------------------------------------------- on a grid

    @cached_property
    def laws(self) -> dict[bool, LossLaw]:
        """The law of the loss from below (False) and from above (True), on one grid."""
        return self._gridded(2 * FINE)

    @cached_property
    def fine_laws(self) -> dict[bool, LossLaw]:
        """The same on a finer grid, for sums of many."""
        return self._gridded(FINE)

    def _gridded(self, fine: float) -> dict[bool, LossLaw]:
        losses = [_near(loss) for loss, _, _ in self.atoms]
        reach = max(map(abs, [*losses, *([self.low, self.high] if self.part else [])]), default=0.0)
        with working_precision(min(BITS + 64 + ceil(1.5 * reach), PRECISION)):
            low, high = min([*losses, self.low], default=0.0), max([*losses, self.high], default=0.0)
            if not low < high:
                low, high = (low, low + 2.0**-30) if low < inf else (0.0, 1.0)  # one loss, or none
            if self.part is None:
                gaps = np.diff(losses)
                gaps = gaps[gaps > 1e-9 * (high - low)]  # outcomes of one loss are several atoms
                cells, points = max(len(gaps), 1), POINTS
                if not np.allclose(gaps, (high - low) / cells, rtol=1e-9):
                    cells = points = MANY_POINTS
                return self._laws(low, (high - low) / cells, cells, points)
            cells = CELLS
            while True:
                step = (high - low) / cells
                if not self.atoms:  # a power of two: grids share their points
                    step = 2.0 ** ceil(log2(step))
                    low, high = step * floor(low / step), step * ceil(high / step)
                laws = self._laws(low, step, round((high - low) / step))
                finer = step / (laws[True].deviation * fine)
                if finer <= 1 or cells >= MOST_CELLS:
                    return laws
                cells <<= max(ceil(log2(finer)), 1)

    def _laws(self, low: float, step: float, cells: int, points: int = POINTS) -> dict[bool, LossLaw]:
        base, unit = Fraction(low), Fraction(step)
        laws = {}
        tops = [to_ball(base + i * unit) for i in range(cells + 1)] if self.part else []
        below = [self.part(top) for top in tops] if self.part else []
        for up in (False, True):
            listed = [(_near(loss - to_ball(base)), _units(p, up)) for loss, p, _ in self.atoms]
            beyond = _units(to_ball(self.never[0]), up) + (_units(to_ball(self.rest), True) if up else 0)
            if self.part:
                whole = self.part(to_ball(inf))[0]
                end = _units(whole - below[-1][0], up)
                if up and self.ends[1] <= tops[-1] + to_ball(unit):
                    listed.append(((cells + 1) * step, end))
                elif up:
                    beyond += end
                if up:
                    listed += [(0.0, _units(below[0][0], True)), *_dots(tops, below, step)]
                else:
                    listed += [(cells * step, end), *_middles(tops, below, step)]
            listed.sort()
            at, masses = np.array([a for a, _ in listed]), np.array([m for _, m in listed], dtype=object)
            law = placed(up, base, at, masses, step, beyond, 0.0 if self.part else None)
            laws[up] = replace(law, points=points)
        return laws


def together(pairs: Sequence[tuple[LossPair, int]]) -> LossPair | None:
    """All releases as one pair without a grid, if at most one of them has more than few outcomes; else None."""
    parts = [(pair, n) for pair, n in pairs if pair.part]
    outcomes = prod(comb(n + len(pair.atoms) - 1, n) if n <= MOST_POWERS else inf for pair, n in pairs if not pair.part)
    if any(not pair.rest == 0 for pair, _ in pairs) or sum(n for _, n in parts) > 1:
        return None
    if outcomes > (BESIDE_A_PART if parts else FEW_OUTCOMES):
        return None
    with working_precision(PRECISION):
        few = [pair.power(n) for pair, n in pairs if not pair.part]
        return reduce(LossPair.then, few, parts[0][0]) if parts else reduce(LossPair.then, few)


@dataclass(frozen=True)
class ExactCurve:
    """delta at every epsilon of one pair that is known without a rest, and back, in balls."""

    pair: LossPair

    def delta(self, epsilon: Any) -> Any:
        """A ball around delta at an exact `epsilon` (a Fraction or a float)."""
        with working_precision(PRECISION):
            at, odds = to_ball(epsilon), to_ball(epsilon).exp()
            excess = [(p - odds * q).max(to_ball(0)) for _, p, q in self.pair.atoms]
            if part := self.pair.part:
                (p, q), (p1, q1) = part(at), part(to_ball(inf))
                excess.append(p1 - p - odds * (q1 - q))
            return sum(excess, to_ball(self.pair.never[0]))

    def epsilon(self, delta: Any) -> Any:
        """A ball around the smallest epsilon >= 0 at which delta is at most `delta` (a Fraction), or None where it is
        nowhere up to 2^14."""
        with working_precision(PRECISION):
            goal, low, high = to_ball(delta), 0.0, 2.0**-7
            if self.delta(low) <= goal:
                return to_ball(0)
            while not self.delta(high) <= goal:
                low, high = high if self.delta(high) > goal else low, 2 * high
                if high > 2**14:
                    return None if self.pair.never[0] > goal else to_ball(low).union(to_ball(inf))
            while low < (middle := (low + high) / 2) < high:
                value = self.delta(middle)
                if not (value <= goal or value > goal):
                    break
                low, high = (middle, high) if value > goal else (low, middle)
            return to_ball(low).union(to_ball(high))


def _dots(tops: list[Any], below: list[tuple[Any, Any]], step: float) -> list[tuple[float, int]]:
    """Each cell as two masses at its ends, with the same P and Q."""
    found = []
    shrunk, unit = 1 - (-to_ball(step)).exp(), step
    for i in range(len(tops) - 1):
        p, q = below[i + 1][0] - below[i][0], below[i + 1][1] - below[i][1]
        mass = _units(p, True)
        high = min(_units((p - q * tops[i].exp()) / shrunk, True), mass)
        found += [(i * unit, mass - high), ((i + 1) * unit, high)]
    return found


def _middles(tops: list[Any], below: list[tuple[Any, Any]], step: float) -> list[tuple[float, int]]:
    """Each cell as one mass, at the loss of the cell as one outcome."""
    found = []
    for i in range(len(tops) - 1):
        p, q = below[i + 1][0] - below[i][0], below[i + 1][1] - below[i][1]
        mass = _units(p, False)
        if mass > 0:
            inside = _near(((p / q).log() - tops[i]).lower()) if q > 0 else 0.0
            found.append((i * step + (min(inside, step) if inside > 0 else 0.0), mass))
    return found


def _kept(part: _PART) -> _PART:
    """The same function, which remembers: grids of one pair share points with finer ones and with its reverse."""
    known: dict[Any, tuple[Any, Any]] = {}

    def kept(loss: Any) -> tuple[Any, Any]:
        if not loss.is_exact() or not loss.is_finite():
            return part(loss)
        key = tuple(map(int, loss.man_exp()))
        if key not in known:
            known[key] = part(loss)
        return known[key]

    return kept


def _near(ball: Any) -> float:
    return float(ball.mid())


def _units(ball: Any, up: bool) -> int:
    """A probability in units of 2^-BITS, rounded."""
    scaled = ball * to_ball(2) ** BITS
    return max(int((scaled.upper().ceil() if up else scaled.lower().floor()).unique_fmpz()), 0)


def _log_mixed(loss: float, rate: float) -> float:
    return loss + log(rate + (1 - rate) * exp(-loss)) if loss > 0 else log1p(rate * expm1(loss))


# ------------------------------------------------------------------------------------------------------- the pairs


@cache
def normal(square: Fraction) -> LossPair:
    """N(mu, 1) and N(0, 1) with mu^2 = `square` > 0."""
    with working_precision(PRECISION):
        mu = to_ball(square).sqrt()
        near, middle = 1 / to_ball(2 * square).sqrt(), (to_ball(square) / 8).sqrt()

    def part(loss: Any) -> tuple[Any, Any]:
        if not loss.is_finite():
            return (to_ball(1 if loss > 0 else 0),) * 2
        place = loss * near
        return (middle - place).erfc() / 2, (-middle - place).erfc() / 2

    def powers(k: int) -> Any:
        return to_ball(k * (k - 1) * square / 2)

    reach = _near(mu) * (_near(mu) / 2 + WINDOW)
    return LossPair(part=part, low=-reach, high=reach, ends=(to_ball(-inf), to_ball(inf)), powers=powers)


@cache
def laplace(shift: Fraction) -> LossPair:
    """Laplace noise of scale 1, moved by `shift` > 0."""
    with working_precision(PRECISION):
        d, half = to_ball(shift), to_ball(1) / 2
        far = (-d).exp() / 2

    def part(loss: Any) -> tuple[Any, Any]:
        inside = -d if loss <= -d else d if loss >= d else loss
        return ((inside - d) / 2).exp() / 2 - far, half - (-(inside + d) / 2).exp() / 2

    return LossPair(((-d, far, half), (d, half, far)), part, -float(shift), float(shift), (-d, d))


@cache
def bounded_range(width: Fraction) -> LossPair:
    """The pair above all mechanisms whose losses lie in an interval of this length.

    Their curve is (1 - e^((epsilon - width)/2))^2 / (1 - e^-width), the largest of all pairs of two losses that are
    `width` apart: its slope in e^epsilon is -Q(L > epsilon). After Dong, Durfee and Rogers, 2020.
    """
    with working_precision(PRECISION):
        d = to_ball(width)
        whole = 1 - (-d).exp()

    def part(loss: Any) -> tuple[Any, Any]:
        inside = -d if loss <= -d else d if loss >= d else loss
        root = ((inside - d) / 2).exp()
        return 1 - (1 - root) / whole, 1 - (-inside).exp() * root * (1 - root) / whole

    return LossPair(part=part, low=-float(width), high=float(width), ends=(-d, d))


def two_losses(high: Fraction, width: Fraction) -> LossPair:
    """The pair with the losses `high` and high - width, for 0 < high < width."""
    with working_precision(PRECISION):
        a, b = to_ball(high), to_ball(high - width)
        q = -b.expm1() / (a.exp() - b.exp())
        return LossPair(((b, b.exp() * (1 - q), 1 - q), (a, a.exp() * q, q)))


def of_laws(here: Sequence[Any], there: Sequence[Any], rest: Any = 0) -> LossPair:
    """Two laws on the same outcomes: numbers or balls that are proportional to the probabilities.

    `rest` bounds what is left out of each law, in the same units.
    """
    with working_precision(PRECISION):
        laws = [list(map(to_ball, law)) for law in (here, there)]
        p, q = ([mass / sum(law, to_ball(0).union(to_ball(rest))) for mass in law] for law in laws)
        both = [((a / b).log(), a, b) for a, b in zip(p, q, strict=True) if a > 0 and b > 0]
        never = [sum((a for a, b in zip(*laws, strict=True) if not b > 0), to_ball(0)) for laws in ((p, q), (q, p))]
        totals: list[Any] = [sum(law, to_ball(0)) for law in laws]
        left = to_ball(rest) / min(total.lower() for total in totals)
        return LossPair(tuple(sorted(both, key=lambda atom: _near(atom[0]))), never=(never[0], never[1]), rest=left)


def geometric(scale: Fraction, steps: int) -> LossPair:
    """Noise with probabilities proportional to e^(-|k| / scale), moved by `steps` >= 1."""
    with working_precision(PRECISION):
        ratio = (-1 / to_ball(scale)).exp()
        end = 1 / (1 - ratio)
        law = [ratio**steps * end, *(ratio ** (steps - k) for k in range(1, steps)), end]
        return of_laws(law, law[::-1])


def discrete_normal(sigma: Fraction, steps: int) -> LossPair:
    """Noise with probabilities proportional to e^(-k^2 / (2 sigma^2)), moved by `steps` >= 1."""
    with working_precision(PRECISION):
        far = ceil(WINDOW * float(sigma)) + 2
        weights = [(-to_ball(k * k / (2 * sigma * sigma))).exp() for k in range(far + steps + 1)]
        rest = 2 * weights[far] / (1 - (-to_ball(far / (sigma * sigma))).exp())  # a geometric series, on both sides
        here = [weights[abs(k - steps)] for k in range(-far, far + steps + 1)]
        return of_laws(here, here[::-1], rest)
