"""Laws of a privacy loss on a grid, bounded from above and from below, with masses that are integers.

The loss of a pair of laws (P, Q) is L = log dP/dQ where P draws, and delta at epsilon is the mean of (1 - e^(epsilon -
L))+. That mean grows with L, and it is convex in e^-L. So a bound from above may move losses up, and split a mass
between two losses with the mean of e^-L unchanged. A bound from below may move losses down, join masses at the mean of
e^-L, and move masses towards one another as long as that mean does not fall: then lost and won means balance.

Losses of independent releases add up, so laws are convolved. Masses are integers in units of 2^-BITS and products of
polynomials with integer coefficients are exact; what is divided is rounded up in one law and down in the other. Floats
only say where a mass goes: positions are moved by PAD of their range in the safe direction first, which is 64 times
what they may err by if NumPy's exp, expm1 and log1p err by fewer than 8 units in the last place.

Connecting the dots (pairs of points that keep both means) is of Doroshenko, Ghazi, Kamath, Kumar and Manurangsi, 2022.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor, frexp, inf, log2
from typing import Any

import numpy as np

from banditproof.theory.numbers.numeric import to_ball, working_precision

BITS = 96
POINTS = 4096  # of a grid, unless the step would be coarser than a share FINE of the law's deviation
MANY_POINTS = 1 << 15  # of atoms at odd places, which no balance can keep in place
MOST_POINTS = 1 << 16
FINE = 1 / 32
TAIL = -56  # exponent of the mass that may be cut off of the law of all releases together
PRECISION = 320
PAD = 2.0**-46
_SHARE = 30  # bits


@dataclass(frozen=True)
class LossLaw:
    """A bound of the law of a loss: from above if `up`, else from below.

    Attributes:
        up: which.
        start: the loss of the first mass, exact.
        step: between two losses; a float, taken exactly.
        masses: integers in units of 2^-BITS, an array of objects.
        beyond: the mass of an infinite loss, in the same units.
        points: how many the grid may have.
    """

    up: bool
    start: Fraction
    step: float
    masses: np.ndarray
    beyond: int = 0
    points: int = POINTS

    @property
    def span(self) -> float:
        """The largest loss less the smallest."""
        return self.step * (len(self.masses) - 1)

    @property
    def deviation(self) -> float:
        """The standard deviation of the loss, about."""
        weights = _floats(self.masses)
        at = self.step * np.arange(len(weights))
        middle = np.average(at, weights=weights)
        return float(np.sqrt(np.average((at - middle) ** 2, weights=weights)))

    def moment(self, power: Fraction) -> Any:
        """log E e^(power L), a ball; infinite where a loss is."""
        with working_precision(PRECISION):
            if self.beyond:
                return to_ball(inf)
            factor, weight, total = (to_ball(power) * to_ball(self.step)).exp(), to_ball(1), to_ball(0)
            for mass in self.masses.tolist():
                total, weight = total + mass * weight, weight * factor
            return (total / to_ball(2) ** BITS).log() + to_ball(power) * to_ball(self.start)

    def then(self, other: LossLaw, tail: float) -> LossLaw:
        """The law of the sum of two independent losses; a mass of `tail` at both ends is cut off safely."""
        from flint import fmpz_poly

        one, two = _on_one_grid(self, other)
        factor = fmpz_poly(one.masses.tolist())
        product = factor * (factor if one is two else fmpz_poly(two.masses.tolist()))
        masses = np.array([int(mass) for mass in product.coeffs()], dtype=object)
        masses = -(-masses >> BITS) if self.up else masses >> BITS
        both = one.beyond * two.beyond
        beyond = one.beyond + two.beyond - (both >> BITS if self.up else -(-both >> BITS))
        points = max(self.points, other.points)
        return LossLaw(self.up, one.start + two.start, one.step, masses, beyond, points)._cut(tail)._coarse()

    def power(self, count: int, tail: float) -> LossLaw:
        """The law of the sum of `count` losses, by repeated squaring."""
        result, square, weight = None, self._cut(tail / count), 1
        for bit in reversed(bin(count)[2:]):
            if bit == "1":
                result = square if result is None else result.then(square, tail)
            weight *= 2
            if weight <= count:
                square = square.then(square, tail * weight / count)
        assert result is not None
        return result

    def on(self, step: float) -> LossLaw:
        """The same law on a grid of another step, moved to the safe side."""
        if step == self.step:
            return self
        at = self.step * np.arange(len(self.masses))
        return replace(placed(self.up, self.start, at, self.masses, step, self.beyond), points=self.points)

    def _coarse(self) -> LossLaw:
        """The law on a grid twice as coarse, as often as that keeps it fine enough."""
        law = self
        while len(law.masses) > self.points and (len(law.masses) > MOST_POINTS or 2 * law.step <= law.deviation * FINE):
            law = law.on(2 * law.step)
        return law

    def _cut(self, tail: float) -> LossLaw:
        """Without its ends. From above the low end moves up and the high end counts as an infinite loss; from below
        the low end is left out and the high end moves down."""
        weights = _floats(self.masses)
        low = int(np.searchsorted(np.cumsum(weights), tail, side="right"))
        high = len(weights) - int(np.searchsorted(np.cumsum(weights[::-1]), tail, side="right"))
        if high <= low:
            return self
        kept, lower, upper = self.masses[low:high].copy(), sum(self.masses[:low]), sum(self.masses[high:])
        if self.up:
            kept[0] += lower
        else:
            kept[-1] += upper
        beyond = self.beyond + (upper if self.up else 0)
        return replace(self, start=self.start + low * Fraction(self.step), masses=kept, beyond=beyond)


def _floats(masses: np.ndarray) -> np.ndarray:
    """In units of one."""
    return masses.astype(float) * 2.0**-BITS


def _on_one_grid(one: LossLaw, two: LossLaw) -> tuple[LossLaw, LossLaw]:
    """On a grid that is fine enough for both: of steps that are a power of two apart the finer one is."""
    least, step = sorted((one.step, two.step))
    if least == step:
        return one, two
    if frexp(least / step)[0] != 0.5:  # no power of two: the law with more atoms keeps its places
        least, step = MIN_STEP, max(one, two, key=lambda law: len(law.masses)).step
    wanted = max((one.span + two.span) / max(one.points, two.points), least)
    step *= 2.0 ** floor(log2(wanted / step))
    return one.on(step), two.on(step)


MIN_STEP = 2.0**-60


def placed(
    up: bool, base: Fraction, at: Any, masses: Any, step: float, beyond: int, shift: float | None = None
) -> LossLaw:
    """Masses at the losses base + `at` (floats in ascending order) on a grid of this step, on the safe side.

    From below the grid has a point at base + `shift`: by default where the heaviest mass is.
    """
    some = masses > 0
    at, masses = at[some], masses[some]
    if not len(at):
        return LossLaw(up, base, step, np.array([0], dtype=object), beyond)
    pad = PAD * (float(np.abs(at).max()) + step)
    if up:
        return _placed_up(base, at + pad, masses, step, beyond)
    shift = float(at[np.argmax(_floats(masses))] % step) if shift is None else shift
    return _placed_down(base, at - pad, masses, step, beyond, shift - 4 * pad)


def _placed_up(base: Fraction, at: Any, masses: Any, step: float, beyond: int) -> LossLaw:
    """Each mass is split between the points on both sides, with its mean of e^-L."""
    cell = np.floor(at / step)
    share = np.clip(np.expm1(cell * step - at) / np.expm1(-step) + 2.0**-_SHARE, 0.0, 1.0)
    scaled = np.ceil(share * 2.0**53).astype(np.int64).astype(object)
    high = -(-masses * scaled >> 53)
    first = int(cell[0])
    grid = np.zeros(int(cell[-1]) - first + 2, dtype=object)
    begins, where = _groups(cell.astype(np.int64) - first)
    grid[where] += np.add.reduceat(masses - high, begins)
    grid[where + 1] += np.add.reduceat(high, begins)
    return LossLaw(True, base + first * Fraction(step), step, grid, beyond)


def _placed_down(base: Fraction, at: Any, masses: Any, step: float, beyond: int, shift: float) -> LossLaw:
    """What lies between two points is joined, and shared by both so that each point gets as much from above as
    balances, in the mean of e^-L, what it gets from below. Shares are found from both ends towards the heaviest mass,
    so that what does not come out even is little; it is rounded down. The grid has a point at `shift`.
    """
    place = (at - shift) / step
    cell = np.floor(place).astype(np.int64)
    first = int(cell[0])
    cell -= first
    kept = np.zeros(int(cell[-1]) + 2, dtype=object)
    inside = place - cell - first >= _NEAR
    for some in (~inside, inside):  # the first are on points, or a little above
        if not some.any():
            continue
        begins, cells = _groups(cell[some])
        joined = np.add.reduceat(masses[some], begins)
        if some is not inside:
            kept[cells] += joined
            continue
        offsets, weights = (place[some] - first - cell[some]) * step, _floats(masses[some])
        lost = np.add.reduceat(-weights * np.expm1(-offsets), begins) / np.add.reduceat(weights, begins)
        part = np.zeros(len(kept))
        part[cells] = -np.log1p(-lost)
        odd = np.zeros(len(kept), dtype=object)
        odd[cells] = joined
        _share(kept, odd, part, step)
    return LossLaw(False, base + Fraction(shift) + first * Fraction(step), step, kept, beyond)


_NEAR = 2.0**-20  # of a step
_SCALE = 50  # bits


def _share(kept: Any, between: Any, part: Any, step: float) -> None:
    """Add to the masses of points what lies between them, `part` above the point below it."""
    slack = 2.0**-_SHARE * step
    heavy = np.expm1(step - part[:-1] + slack)  # of a mass from below the point i + 1, and from above it
    light = -np.expm1(-np.maximum(part[1:] - slack, slack))
    ratio = heavy / light * (1 + 1e-9)
    rise = [int(r) + 1 for r in np.ldexp(np.minimum(ratio, 2.0**60), _SCALE).tolist()]  # only a wish
    fall = [int(r) for r in np.ldexp(1 / ratio, _SCALE).tolist()]
    mass, centre = between.tolist(), int(np.argmax(_floats(between)))
    below = 0  # what the point i gets from below
    for i in range(centre + 1):
        above = min(-(-below * rise[i - 1] >> _SCALE), mass[i]) if below else 0
        most = min(below, above * fall[i - 1] >> _SCALE)
        kept[i] += above + most
        kept[i - 1] += below - most
        below = mass[i] - above
    left, above = below, 0  # the rest of the mass in the centre; what the point i + 1 gets from above
    for i in range(len(mass) - 2, centre, -1):
        most = min(above * fall[i] >> _SCALE, mass[i])
        kept[i + 1] += above + most
        above = mass[i] - most
    most = min(above * fall[centre] >> _SCALE, left)
    kept[centre + 1] += above + most
    kept[centre] += left - most


def _groups(labels: Any) -> tuple[Any, Any]:
    """Where runs of equal labels begin, and these labels."""
    begins = np.concatenate(([0], np.flatnonzero(np.diff(labels)) + 1))
    return begins, labels[begins]


# ------------------------------------------------------------------------------------------------------------- curves


class Curve:
    """delta at every epsilon of a law of the loss, and back, in balls: one line in e^epsilon between two losses."""

    def __init__(self, law: LossLaw) -> None:
        self.law = law
        with working_precision(PRECISION):
            factor, weight = (-to_ball(law.step)).exp(), (-to_ball(law.start)).exp()
            parts = []
            for mass in law.masses.tolist():
                parts.append(mass * weight)
                weight = weight * factor
            total, mean = law.beyond, to_ball(0)
            self.lines = [(total, mean)]
            for mass, part in zip(reversed(law.masses.tolist()), reversed(parts), strict=True):
                total, mean = total + mass, mean + part
                self.lines.append((total, mean))
            self.lines.reverse()  # entry i: masses from i on, and their mean of e^-L

    def delta(self, epsilon: Any) -> Any:
        """A ball around delta of this law, in [0, 1] up to its radius, at an exact `epsilon` (a Fraction)."""
        with working_precision(PRECISION):
            index = floor((epsilon - self.law.start) / Fraction(self.law.step)) + 1
            total, mean = self.lines[min(max(index, 0), len(self.lines) - 1)]
            return (total - to_ball(epsilon).exp() * mean) / to_ball(2) ** BITS

    def epsilon(self, delta: Any) -> Any:
        """A ball around the smallest epsilon >= 0 at which delta of this law is at most `delta` (a Fraction), or None
        where it is nowhere."""
        with working_precision(PRECISION):
            goal = to_ball(delta)
            if self.law.beyond > delta * 2**BITS:
                return None
            if self.delta(Fraction(0)) <= goal:
                return to_ball(0)
            start, step = self.law.start, Fraction(self.law.step)
            low, high = max(floor(-start / step), -1), len(self.law.masses) - 1  # high: surely small enough
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (low, middle) if self.delta(start + middle * step) <= goal else (middle, high)
            total, mean = self.lines[high]
            rest = total - goal * 2**BITS
            if not rest > 0:
                return to_ball(max(start + high * step, Fraction(0)) if self.law.up else 0)
            end = to_ball(max(start + (high - 1) * step, Fraction(0)))
            root = (rest / mean).log()
            return root if root > end else end.union(root) if self.law.up else root
