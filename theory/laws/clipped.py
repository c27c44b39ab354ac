r"""d_epsilon of two laws: the most that one pull shows of P against Q through an epsilon-DP policy, certified.

    d_epsilon(P, Q)  =  inf over all laws R of  epsilon TV(P, R) + KL(R, Q)
                     =  sup over all f with sup f - inf f <= epsilon of  E_P f - log E_Q e^f

Any R gives an upper bound and any f a lower one: epsilon TV(P, R) >= E_P f - E_R f, as f varies by epsilon at most, and
KL(R, Q) >= E_R f - log E_Q e^f (Donsker and Varadhan). Both are reached together. With L = log dP/dQ let f be L clipped
to [c, c + epsilon] and R = e^f Q, where c in [-epsilon, 0] gives R the mass 1; that is the median of P, e^c Q and
e^(c + epsilon) Q. R exceeds P only where f = c and P exceeds R only where f = c + epsilon, so that E_P f - E_R f is
epsilon TV(P, R), and KL(R, Q) = E_R f. What P has outside of Q's reach is moved away, at the price epsilon.

On two atoms R is a Bernoulli law, and this is d_epsilon of `bernoulli`. In families of wider laws R is no member: there
`d_inf`, whose R is one, is larger.

A certificate is c, the `level`. Whatever it is, with v = E_P f and what e^f Q has more (`added`) and less (`taken`)
than P, both ends are explicit, from f and from R = e^f Q / m with m = 1 + added - taken:

    v - log m  <=  d_epsilon  <=  epsilon (taken + max(m - 1, 0)) + (v + c added - (c + epsilon) taken) / m - log m
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from banditproof.theory.arguments import question
from banditproof.theory.laws import bernoulli
from banditproof.theory.laws import point_masses as programs
from banditproof.theory.laws.infimum import dyadic
from banditproof.theory.numbers.enclosure import Enclosure, Valued
from banditproof.theory.numbers.logarithms import kl_term, log_ratio
from banditproof.theory.numbers.numeric import BALL, FLOAT, exp, expm1, sqrt, square, system, to_ball
from banditproof.theory.numbers.numeric import working_precision as precision

_BITS = 128
_PRECISIONS = (2 * _BITS, 32 * _BITS)
_ROUNDS = 200
LARGEST = 10**6
"""On a line f varies by no more, as its exponential has to be a number."""


class Undecided(ArithmeticError):
    """A place that more bits tell from an atom."""


@dataclass(frozen=True)
class PricedDivergence(Valued):
    """d_epsilon(law, other) within `value`; `level` is the c of the clipped law, None where there is none to find."""

    law: Any
    other: Any
    epsilon: Any  # a Fraction or inf
    value: Enclosure
    level: Fraction | None

    @question
    def recheck(self) -> bool:
        """Whether both ends follow from the level alone: nothing is solved, they are computed again in more bits."""
        if not self.law.is_relative(self.other):
            return False
        law, other, level = _bare(self.law), _bare(self.other), self.level
        if _is_explicit(law, other, self.epsilon):
            if level is not None:
                return False
            again = (_explicit(law, other, self.epsilon, bits) for bits in _PRECISIONS)
        elif not isinstance(level, Fraction) or not -self.epsilon <= level <= 0:
            return False
        else:
            again = (_proved(law, other, self.epsilon, level, bits) for bits in _PRECISIONS)
        return any(self.value.lower <= one.lower and one.upper <= self.value.upper for one in again)


def priced_divergence(law: Any, other: Any, epsilon: Any) -> PricedDivergence:
    """d_epsilon of two laws of one family, epsilon a positive Fraction or inf."""
    first, second = _bare(law), _bare(other)
    explicit, level = _is_explicit(first, second, epsilon), None
    for bits in (_BITS, 4 * _BITS, 16 * _BITS):  # more where the laws or the budget are so small that much cancels
        if explicit:
            value = _explicit(first, second, epsilon, bits)
        else:
            level = _level(first, second, epsilon, bits)
            value = _proved(first, second, epsilon, level, bits)
        if value.width <= value.upper / 2**64:
            break
    return PricedDivergence(law, other, epsilon, value, level)


def _bare(law: Any) -> Any:
    """The law itself, of a member of a finite class."""
    return getattr(law, "law", law)


def _is_explicit(law: Any, other: Any, epsilon: Any) -> bool:
    """Whether there is no c to find: equal laws, no privacy, and a Poisson law of mean 0 on either side."""
    at_zero = type(law).__name__ == "Poisson" and not (law.mean and other.mean)
    return law == other or epsilon == math.inf or at_zero


def _explicit(law: Any, other: Any, epsilon: Any, bits: int) -> Enclosure:
    """The value where there is no c to find; beside a Poisson law of mean 0 all positive counts are one atom."""
    if law == other or epsilon == math.inf:
        return law.kl(other)
    with precision(bits):
        x, y = (-(-to_ball(one.mean)).expm1() for one in (law, other))
        return Enclosure.from_ball(bernoulli.d_epsilon(x, y, to_ball(epsilon)))


def _proved(law: Any, other: Any, epsilon: Any, level: Fraction, bits: int) -> Enclosure:
    """What a level proves, in so many bits and, where a place is too near an atom, more."""
    for _ in range(12):
        try:
            with precision(bits):
                lower, upper = ends_at(_pieces(law, other, level, epsilon), level, epsilon, _spread(law, epsilon))
                least, most = Enclosure.from_ball(lower), Enclosure.from_ball(upper)
                return Enclosure(max(Fraction(0), least.lower), min(most.upper, _single(law, other, epsilon)))
        except Undecided:
            bits *= 2
    return Enclosure(0, _single(law, other, epsilon))


def _single(law: Any, other: Any, epsilon: Any) -> Any:
    """What R = P and R = Q cost, the smaller one: an upper end where the numbers are beyond exponentials."""
    moved = Enclosure.from_ball(to_ball(epsilon) * law.tv(other).ball()).upper
    return min(law.kl(other).upper, moved)


def ends_at(at: Pieces, level: Fraction, epsilon: Any, spread: Any) -> tuple[Any, Any]:
    """Balls: what the function and the law at a level prove; the function varies by `spread`, at most epsilon."""
    c, top, excess = to_ball(level), to_ball(level + spread), at.added - at.taken
    lower = at.value - excess.log1p()
    moved = to_ball(epsilon) * (at.taken + excess.max(to_ball(0)))
    return lower, moved + (at.value + c * at.added - top * at.taken) / (1 + excess) - excess.log1p()


def _spread(law: Any, epsilon: Any) -> Any:
    """By how much f may vary."""
    return min(epsilon, Fraction(LARGEST)) if type(law).__name__ in FAMILIES else epsilon


def _level(law: Any, other: Any, epsilon: Any, bits: int) -> Fraction:
    """A c at which e^f Q has nearly the mass 1, by Newton's method within a shrinking bracket."""
    low, high = -Fraction(_spread(law, epsilon)), Fraction(0)
    level = low / 2
    for _ in range(_ROUNDS):
        try:
            with precision(bits):
                at = _pieces(law, other, level, epsilon)
                excess = at.added - at.taken
                lower, upper = ends_at(at, level, epsilon, _spread(law, epsilon))
                if excess.contains(0) or (upper - lower) < upper * to_ball(Fraction(1, 2 ** (bits * 3 // 4))):
                    break
                low, high = (level, high) if excess < 0 else (low, level)
                following = level - dyadic(excess / (at.low + at.high)) if at.low + at.high > 0 else low
                nearer = low < following < high and abs(following - level) < (high - low) / 4
                following = dyadic(to_ball(following if nearer else (low + high) / 2))
        except Undecided:
            following = level + (high - level) / 1024
        if abs(following - level) <= -low / 2**bits:
            break
        level = following
    return min(max(level, low), high)


# ------------------------------------------------------------------------------------------------------ the clipped law


class Pieces(NamedTuple):
    """What f and e^f Q are at a level: `value` is E_P f; `added` and `taken` are what e^f Q has more and less than P;
    `low` and `high` are its masses where f is clipped. On lines f is clipped on both sides of `places`, and `between`
    is the integral of P (x - E_P X) there."""

    value: Any
    added: Any
    taken: Any
    low: Any
    high: Any
    places: Any = None
    between: Any = None


def _pieces(law: Any, other: Any, level: Fraction, epsilon: Any) -> Pieces:
    """In balls."""
    spread = _spread(law, epsilon)
    if type(law).__name__ not in FAMILIES:
        return _of_points(programs.pairs(_masses(law), _masses(other)), level, level + spread)
    return Pair.of(law, law.mean, other.mean).at(to_ball(level), to_ball(level + spread))


def _masses(law: Any) -> Any:
    return law.masses if hasattr(law, "masses") else {Fraction(0): 1 - law.mean, Fraction(1): law.mean}


def _of_points(pairs: Any, level: Fraction, top: Fraction) -> Pieces:
    value, added, taken, masses = to_ball(0), to_ball(0), to_ball(0), [to_ball(0), to_ball(0)]
    for p, q in pairs:
        low, high = not p or (q and not _exceeds(p / q, level)), not q or (p and _exceeds(p / q, top))
        if low or high:
            weight = to_ball(q) * to_ball(level if low else top).exp() if q else to_ball(0)
            value += to_ball(p) * to_ball(level if low else top)
            added, taken = (added + weight - to_ball(p), taken) if low else (added, taken + to_ball(p) - weight)
            masses[not low] += weight
        else:
            value += to_ball(p) * to_ball(p / q).log()
    return Pieces(value, added, taken, *masses)


def _exceeds(ratio: Fraction, level: Fraction) -> bool:
    """Whether log(ratio) > level: decided, since the exponential of a rational number other than 0 is irrational."""
    if not level:
        return ratio > 1
    bits = 64
    while True:
        with precision(bits):
            difference = to_ball(ratio).log() - to_ball(level)
            if difference > 0 or difference < 0:
                return bool(difference > 0)
        bits *= 2


@dataclass(frozen=True)
class Shape:
    """A family of laws that are known by their means (x, y) and perhaps a sigma s, in floats and in balls.

    log dP_x/dQ_y is `slope` times the outcome and `at_zero`. Below and above a place t lie `up_to(t, x, s)` and
    `above(t, x, s)`, and `beyond` is the integral of (outcome - x) above it. `lowest` is the least outcome;
    `counts` is whether outcomes are integers.
    """

    slope: Callable[[Any, Any, Any], Any]
    kl: Callable[[Any, Any, Any], Any]
    at_zero: Callable[[Any, Any, Any], Any]
    up_to: Callable[[Any, Any, Any], Any]
    above: Callable[[Any, Any, Any], Any]
    beyond: Callable[[Any, Any, Any], Any]
    variance: Callable[[Any, Any], Any]
    counts: bool = False
    lowest: float = -math.inf


@dataclass(frozen=True)
class Pair:
    """Two different laws of one family, as balls or as arrays of floats; `rising` is whether x > y."""

    shape: Shape
    x: Any
    y: Any
    sigma: Any
    rising: bool

    @classmethod
    def of(cls, law: Any, x: Fraction, y: Fraction) -> Pair:
        """The laws with these means, in the family of the law, in balls."""
        sigma = to_ball(getattr(law, "sigma", 1))
        return cls(FAMILIES[type(law).__name__], to_ball(x), to_ball(y), sigma, x > y)

    @cached_property
    def line(self) -> tuple[Any, Any, Any]:
        """The slope of log dP/dQ and its value at 0, and KL(P, Q)."""
        return tuple(of(self.x, self.y, self.sigma) for of in (self.shape.slope, self.shape.at_zero, self.shape.kl))

    def at(self, level: Any, top: Any) -> Pieces:
        """The pieces where f is clipped to [level, top]."""
        shape, x, y, s = self.shape, self.x, self.y, self.sigma
        slope, at_zero, kl = self.line
        ends = [(v - at_zero) / slope for v in ((level, top) if self.rising else (top, level))]
        left, right = _counted(ends) if shape.counts else (_at_least(end, shape.lowest) for end in ends)
        sides = (shape.up_to(left, x, s), shape.up_to(left, y, s)), (shape.above(right, x, s), shape.above(right, y, s))
        (p_low, q_low), (p_high, q_high) = sides if self.rising else sides[::-1]
        between = shape.beyond(left, x, s) - shape.beyond(right, x, s)
        value = level * p_low + top * p_high + slope * between + kl * (1 - p_low - p_high)
        low, high = exp(level) * q_low, exp(top) * q_high
        return Pieces(value, low - p_low, p_high - high, low, high, (left, right), between)

    def slope(self, at: Pieces, level: Any, top: Any) -> Any:
        """The derivative in the natural parameter of y, y - E_R X: by the dual, whose f may stay as it is."""
        shape, x, y, s, (left, right) = self.shape, self.x, self.y, self.sigma, at.places
        at_left, at_right = (exp(v) for v in ((level, top) if self.rising else (top, level)))
        inside = 1 + at.added - at.taken - at.low - at.high
        clipped = at_right * shape.beyond(right, y, s) - at_left * shape.beyond(left, y, s)
        return -(clipped + at.between + (x - y) * inside) / (1 + at.added - at.taken)


def _at_least(place: Any, lowest: float) -> Any:
    if lowest == -math.inf:
        return place
    return np.maximum(place, lowest) if system(place) == FLOAT else place.max(to_ball(lowest))


def _counted(ends: list[Any]) -> tuple[Any, Any]:
    """The last count below the left end, and the last one that is not above the right end: from -1 on."""
    left, right = ends
    if system(left) == FLOAT:
        return np.maximum(np.ceil(left) - 1, -1), np.maximum(np.floor(right), -1)
    return max(-_floor(-left) - 1, -1), max(_floor(right), -1)


def _floor(ball: Any) -> int:
    interval = Enclosure.from_ball(ball)
    if not ball.is_finite() or math.floor(interval.lower) != math.floor(interval.upper):
        raise Undecided
    return math.floor(interval.lower)


def _normal_above(t: Any, mean: Any, sigma: Any) -> Any:
    if system(t) == BALL:
        return ((t - mean) / (sigma * to_ball(2).sqrt())).erfc() / 2
    from scipy import special

    return special.ndtr((mean - t) / sigma)


def _normal_beyond(t: Any, mean: Any, sigma: Any) -> Any:
    root = sqrt(8 * to_ball(1).atan()) if system(t) == BALL else math.sqrt(2 * math.pi)
    return sigma * exp(-square((t - mean) / sigma) / 2) / root


def _poisson_part(of_balls: str, of_floats: str, below: int) -> Callable[[Any, Any, Any], Any]:
    def part(k: Any, mean: Any, _: Any) -> Any:
        if isinstance(k, int):
            return getattr(mean, of_balls)(to_ball(k + 1), 1) if k >= 0 else to_ball(below)
        from scipy import special

        return np.where(k < 0, below, getattr(special, of_floats)(np.maximum(k, 0) + 1, mean))

    return part


def _poisson_beyond(k: Any, mean: Any, _: Any) -> Any:
    if isinstance(k, int):
        return mean ** (k + 1) * (-mean).exp() / to_ball(k + 1).gamma() if k >= 0 else to_ball(0)
    from scipy import special

    count = np.fmax(k, 0)
    return np.where(k >= 0, mean * np.exp(special.xlogy(count, mean) - mean - special.gammaln(count + 1)), 0.0)


FAMILIES = {
    "Gaussian": Shape(
        slope=lambda x, y, s: (x - y) / square(s),
        kl=lambda x, y, s: square((x - y) / s) / 2,
        at_zero=lambda x, y, s: (y - x) / square(s) * (x + y) / 2,
        up_to=lambda t, x, s: _normal_above(-t, -x, s),
        above=_normal_above,
        beyond=_normal_beyond,
        variance=lambda y, s: square(s),
    ),
    "Poisson": Shape(
        slope=lambda x, y, s: log_ratio(x, y, x - y),
        kl=lambda x, y, s: kl_term(x, y, x - y),
        at_zero=lambda x, y, s: y - x,
        up_to=_poisson_part("gamma_upper", "gammaincc", 0),
        above=_poisson_part("gamma_lower", "gammainc", 1),
        beyond=_poisson_beyond,
        variance=lambda y, s: y,
        counts=True,
        lowest=0.0,
    ),
    "Exponential": Shape(
        slope=lambda x, y, s: (x - y) / (x * y),
        kl=lambda x, y, s: kl_term(y, x, y - x) / y,
        at_zero=lambda x, y, s: log_ratio(y, x, y - x),
        up_to=lambda t, x, s: -expm1(-t / x),
        above=lambda t, x, s: exp(-t / x),
        beyond=lambda t, x, s: t * exp(-t / x),
        variance=lambda y, s: square(y),
        lowest=0.0,
    ),
}
"""The families of wider laws, by the names of their classes."""
