"""The allocation game of best-arm identification in which d_epsilon prices every arm on its own, solved and certified.

    1 / T*  =  sup over allocations w  min over a  inf over m  of  w_1 d(mu_1, m) + w_a d(mu_a, m),   d = d_epsilon,

where the common mean m lies between those of the best arm and of a, as d grows away from the diagonal. With weight 1 on
the best arm a level y asks for x_a(y) = max over m of (y - d(mu_1, m)) / d(mu_a, m); the maximiser moves from mu_1 to
mu_a as y grows, and jumps where d, which is concave far from the diagonal, makes two means equally dear. Let F(y) be
the sum of d(mu_1, m_a) / d(mu_a, m_a): it grows, and y is optimal where it passes 1. Played with 1 / d(mu_a, m_a), and
at a jump on both sides of it so that F is 1 on average, these alternatives earn every arm the same.

What the floats find is not trusted. In balls the mixture of alternatives bounds 1/T* from above by what laws between
cost. From below, w_1 d(mu_1, .) + w_a d(mu_a, .) is convex for Bernoulli laws, where one tangent bounds it. For the
others let theta be the natural parameter and psi' = m, psi'' = Var_m X. Both of these hold, and few pieces cover all m:

- d(x, .) - psi is an infimum of lines, as KL(R, P_m) = KL(R, P_0) - theta E_R X + psi(theta) - psi(0) for every R. So
  what is paid lies above (w_1 + w_a) psi less a line that agrees at both ends of a piece: its least value is explicit.
- The function f that proves d(x, m_0) (see `clipped`) proves E_x f - log E_m e^f for every m. The second derivative of
  that is Var_m X - Var_R X for R = e^f P_m / E_m e^f, whose density is at most e^epsilon, and so at least
  -(e^epsilon - 1) psi'': a tangent less (e^epsilon - 1) KL(P_m_0, P_m) lies below.

Source: BDP-EQ6, TH-L4.23
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from banditproof.theory.errors import InvalidInput
from banditproof.theory.laws import bernoulli
from banditproof.theory.laws.clipped import FAMILIES, Pair, Undecided, ends_at
from banditproof.theory.laws.infimum import dyadic
from banditproof.theory.numbers.enclosure import Enclosure
from banditproof.theory.numbers.logarithms import float_kl_term
from banditproof.theory.numbers.numeric import least, lower_end, most, to_ball, working_precision

Array = np.ndarray
_NODES = 1 / (1 + np.exp(-np.linspace(-21, 21, 85)))  # shares of the way from the best arm
_STEPS = 40
_LEAST = 2.0**-56  # shares that differ by less are common means that rounding does not tell apart
_SIDES = (1e-6, 1e-5, 1e-4, 1e-3)  # what is mixed of levels that far on both sides of the optimum loses its square
_SAME = 3e-6
_NEWTON = 0.1  # a step by that share of the way is small enough for Newton's method
_LOWER = 0.2  # by that share a peak is no more the highest one between the nodes
_CLOSE = 1e-12
_LARGEST = 700.0  # a budget whose exponential is a float; beyond it privacy costs nothing that floats see
_FOUND = 1e-8  # of a share or a level that is searched
_ROUGH, _FINE = 1e-9, 1e-14  # what a level leaves of the mass 1: d_epsilon errs by its square
_TOLERANCE = Fraction(1, 2**32)
_ASIDE = 1 - Fraction(1, 2**30)  # a level at which no count decides where f is clipped is moved by that share
_MOST_POINTS = 20_000  # of all challengers together, beyond which the upper end of T* is not as close
_NEARER, _TIMES = 16, 5  # pieces around a place where little is paid: the closest are 16^-4 of the way


@dataclass(frozen=True)
class PricedStrategies:
    """Both players' strategies as nonnegative weights, which need not sum to 1: the allocation, one entry per arm, and
    the alternatives (challenger, common mean, weight)."""

    weights: tuple[float, ...]
    replies: tuple[tuple[int, Fraction, float], ...]

    def check(self, means: Sequence[Fraction], best: int) -> None:
        """InvalidInput unless these are strategies for arms with these means."""
        if len(self.weights) != len(means) or not all(isinstance(w, float) and 0 < w < math.inf for w in self.weights):
            raise InvalidInput("weights", self.weights, f"{len(means)} finite positive floats")
        for arm, mean, weight in self.replies:
            known = arm in range(len(means)) and arm != best and isinstance(mean, Fraction)
            if not known or not means[arm] <= mean <= means[best] or not 0 <= weight < math.inf:
                raise InvalidInput(
                    "replies", (arm, mean, weight), "challengers that tie at a mean between, and weights"
                )
        if not any(weight for *_, weight in self.replies):
            raise InvalidInput("replies", self.replies, "positive for at least one alternative")


def bernoulli_floats(x: Array, y: Array, epsilon: Array | float) -> tuple[Array, Array]:
    """d_epsilon(x, y) and its slope in y, for 0 < y < 1."""
    epsilon = np.minimum(epsilon, _LARGEST)
    with np.errstate(divide="ignore"):
        lam = np.clip(np.log(x / (1 - x)) - np.log(y / (1 - y)), -epsilon, epsilon)
    grown = 1 + y * np.expm1(lam)
    kept = abs(lam) < epsilon
    whole = float_kl_term(x, y, x - y) + float_kl_term(1 - x, 1 - y, y - x)
    slope = np.where(kept, y - x, y - y * np.exp(lam) / grown) / (y * (1 - y))
    return np.where(kept, whole, lam * x - np.log(grown)), slope


class _Bernoulli:
    """d_epsilon of Bernoulli laws, in floats and in balls."""

    def __init__(self, epsilon: Fraction | float) -> None:
        self.epsilon, self.budget = epsilon, float(epsilon)

    def is_free(self, x: Fraction, y: Fraction) -> bool:
        """Whether privacy costs nothing: the logarithm of the ratio of the two laws varies by at most epsilon."""
        if x == y or self.epsilon == math.inf:
            return True
        odds = [(to_ball(m) / to_ball(1 - m)).log() for m in (x, y) if 0 < m < 1]
        return len(odds) == 2 and bool(abs(odds[0] - odds[1]) <= to_ball(self.epsilon))

    def floats(self, x: Array, y: Array, rising: bool) -> tuple[Array, Array]:
        """d_epsilon(x, y) and its slope in y."""
        return bernoulli_floats(x, y, self.budget)

    def ends(self, points: Sequence[tuple[Fraction, Fraction]]) -> list[tuple[Any, Any, Any]]:
        """For pairs (x, y): a lower and an upper bound of d_epsilon(x, y) and the slope in y, in balls."""
        budget = to_ball(self.epsilon)
        found = []
        for x, y in points:
            one, other = to_ball(x), to_ball(y)
            value = bernoulli.d_epsilon(one, other, budget)
            found.append((value, value, bernoulli.d_epsilon_dy(one, other, budget)))
        return found

    def least(self, best: Fraction, of_best: Any, challengers: Sequence[tuple[Fraction, Any, set[Fraction]]]) -> Any:
        """What both arms pay at least at every common mean: the best tangents, at the seeds and where secants lead."""
        return least(self._tangents(best, own, (of_best, weight), sorted(seeds)) for own, weight, seeds in challengers)

    def _tangents(self, best: Fraction, mean: Fraction, weights: Any, seeds: Sequence[Fraction]) -> Any:
        bounds, slopes, points = [to_ball(0)], {}, list(seeds)
        if len(points) == 1:  # a secant takes two
            points.append(points[0] + (mean + best - 2 * points[0]) / 10**6)
        most_tangents = len(points) + 3
        while points:
            at = points.pop(0)
            (one, _, down), (other, _, up) = self.ends([(best, at), (mean, at)])
            slopes[at] = weights[0] * down + weights[1] * up
            if slopes[at].is_finite():
                ends = [slopes[at] * to_ball(end - at) for end in (mean, best)]
                bounds.append(lower_end(weights[0] * one + weights[1] * other + least(ends)))
            if not points and 2 <= len(slopes) < most_tangents:
                (a, down), (b, up) = list(slopes.items())[-2:]
                step = up * to_ball(b - a) / (up - down)
                following = b - dyadic(step) if step.is_finite() else b
                points = [following] if mean < following < best and following not in slopes else []
        return most(bounds)


class _Line:
    """d_epsilon of Gaussian, Poisson and exponential laws."""

    def __init__(self, law: Any, epsilon: Fraction | float) -> None:
        self.law, self.epsilon, self.sigma = law, epsilon, getattr(law, "sigma", 1)
        self.spread = Fraction(min(epsilon, 300))  # a function that varies by less proves less, and nearly as much
        self.float_spread = float(self.spread)
        self.shape = FAMILIES[type(law).__name__]
        self.counts = self.shape.counts

    def is_free(self, x: Fraction, y: Fraction) -> bool:
        """Whether privacy costs nothing: the logarithm of the ratio of two different laws is not bounded."""
        return x == y or self.epsilon == math.inf

    def _levels(self, x: Array, y: Array, rising: bool, rounding: float) -> tuple[Array, Pair]:
        """The levels at which e^f P_y has the mass 1, up to what rounding leaves of the masses that are clipped."""
        pair, spread = Pair(self.shape, x, y, float(self.sigma), rising), self.float_spread
        low, high = np.full(x.shape, -spread), np.zeros(x.shape)
        level, edge, before = (low + high) / 2, np.nan, np.nan
        if self.shape.lowest == 0:  # without outcomes that are clipped there the mass is not 1
            first = self.shape.at_zero(x, y, pair.sigma)
            low, high = (np.maximum(low, first), high) if rising else (low, np.minimum(high, first - spread))
            level = edge = low if rising else high
        for _ in range(_STEPS):
            at = pair.at(level, level + spread)
            excess = at.added - at.taken
            far = abs(excess) > rounding * np.maximum(at.low + at.high, np.sqrt(np.maximum(at.value, 0)))
            if not far.any():
                break
            low, high = np.where(excess < 0, level, low), np.where(excess < 0, high, level)
            allowed = np.where(excess * before < 0, (high - low) / 2, np.inf)  # not to and fro between two kinks
            near, way = level + np.log1p(-excess / (at.low + at.high)), level - edge
            steep = np.log(at.added / at.taken) / (at.low / at.added + at.high / at.taken) / way  # of tails that are
            following = (low + high) / 2
            for fresh in (near, np.where(abs(steep) < _NEWTON, near, edge + way * np.exp(-steep))):
                inside = (fresh > low) & (fresh < high) & (abs(fresh - level) <= allowed)
                following = np.where(inside, fresh, following)
            level, before = np.where(far, following, level), excess
        return level, pair

    def floats(self, x: Array, y: Array, rising: bool) -> tuple[Array, Array]:
        """d_epsilon(x, y) and its slope in y."""
        x, y = np.broadcast_arrays(np.asarray(x, float), np.asarray(y, float))
        levels, pair = self._levels(x, y, rising, _ROUGH)
        at = pair.at(levels, tops := levels + self.float_spread)
        value, slope = np.maximum(at.value - np.log1p(at.added - at.taken), 0), pair.slope(at, levels, tops)
        slope /= self.shape.variance(y, pair.sigma)
        if self.counts:  # beside a law at 0 the positive counts are one atom
            gone, kept = np.exp(-y), math.exp(-self.float_spread)
            left = gone + (1 - gone) * kept
            value = np.where(x == 0, -np.log(left), np.where(y == 0, -np.expm1(-x) * self.float_spread, value))
            slope = np.where(x == 0, gone * (1 - kept) / left, slope)
        return value, slope

    def ends(self, points: Sequence[tuple[Fraction, Fraction]]) -> list[tuple[Any, Any, Any]]:
        """For pairs (x, y): a lower and an upper bound of d_epsilon(x, y), and the slope in the natural parameter of y
        of the function that proves the lower one; nan where there is none."""
        levels = np.zeros(len(points))
        with np.errstate(all="ignore"):
            for rising in (False, True):
                chosen = [i for i, (x, y) in enumerate(points) if (x > y) == rising and x != y and self._inside(x, y)]
                if chosen:
                    x, y = (np.array([float(points[i][k]) for i in chosen]) for k in (0, 1))
                    levels[chosen] = self._levels(x, y, rising, _FINE)[0]
        return [self._end(x, y, Fraction(level)) for (x, y), level in zip(points, levels.tolist(), strict=True)]

    def _inside(self, x: Fraction, y: Fraction) -> bool:
        return not self.counts or bool(x and y)

    def _end(self, x: Fraction, y: Fraction, level: Fraction) -> tuple[Any, Any, Any]:
        if x == y:
            return to_ball(0), to_ball(0), to_ball(0)
        if not self._inside(x, y):
            values = (-(-to_ball(mean)).expm1() for mean in (x, y))
            value = bernoulli.d_epsilon(*values, to_ball(self.epsilon))  # pyright: ignore[reportCallIssue]
            return value, value, to_ball(math.nan)
        level, pair = min(max(level, -self.spread), Fraction(0)), Pair.of(self.law, x, y)
        whole = pair.line[2]
        for c in (level, level * _ASIDE):
            try:
                at = pair.at(bottom := to_ball(c), top := to_ball(c + self.spread))
            except Undecided:
                continue
            lower, upper = ends_at(at, c, self.epsilon, self.spread)
            return lower, upper.min(whole) if upper.is_finite() else whole, pair.slope(at, bottom, top)
        return to_ball(0), whole, to_ball(math.nan)

    def least(self, best: Fraction, of_best: Any, challengers: Sequence[tuple[Fraction, Any, set[Fraction]]]) -> Any:
        """What both arms pay at least at every common mean, on pieces that are halved where they do not show it."""
        pieces: list[tuple[Any, ...]] = [
            ((of_best, w), (best, own), *ends) for own, w, at in challengers for ends in _around(at, own, best)
        ]
        known: dict[tuple[Fraction, Fraction], tuple[Any, Any, Any]] = {}
        wanted = to_ball(math.inf)
        while True:
            new = list({(x, m) for _, arms, *ends in pieces for x in arms for m in ends} - known.keys())
            known |= zip(new, self.ends(new), strict=True)
            paid = (_both(weights, (known[x, m][0] for x in arms)) for weights, arms, *ends in pieces for m in ends)
            wanted = lower_end(wanted.min(least(paid) * (1 - to_ball(_TOLERANCE))))
            found = ((piece, self._on_piece(known, wanted, *piece)) for piece in pieces)
            failed = [(piece, bound) for piece, bound in found if not bound >= wanted]
            if not failed or len(known) > _MOST_POINTS:
                return least([wanted, *(bound for _, bound in failed)]).max(to_ball(0))
            pieces = [(*who, *half) for (*who, a, b), _ in failed for half in pairwise((a, (a + b) / 2, b))]

    def _on_piece(self, known: Any, wanted: Any, weights: Any, arms: Any, low: Fraction, high: Fraction) -> Any:
        """What is paid at least on a piece, by bounds that are tried until one is as large as wanted."""
        bound = lower_end(
            _both(weights, (known[arms[0], high][0], known[arms[1], low][0]))
        )  # elsewhere both are farther
        if bound >= wanted or not low and self.counts:  # which has no natural parameter
            return bound
        paid, slopes = ([_both(weights, (known[x, m][k] for x in arms)) for m in (low, high)] for k in (0, 2))
        ends, total = (to_ball(low), to_ball(high)), sum(weights)
        bound = bound.max(self._above_chord(ends, paid, total))
        return bound if bound >= wanted else bound.max(self._above_tangents(ends, paid, slopes, total))

    def _above_chord(self, ends: Any, paid: Any, total: Any) -> Any:
        """The least of total psi less a line, which at the ends is what is paid."""
        (a, b), (one, other), shape, sigma = ends, paid, self.shape, to_ball(self.sigma)
        place = a + (shape.kl(a, b, sigma) - (other - one) / total) / shape.slope(b, a, sigma)
        inside = not (place <= a or place >= b)
        return lower_end(one - total * shape.kl(place, a, sigma) if inside else one.min(other))

    def _above_tangents(self, ends: Any, paid: Any, slopes: Any, total: Any) -> Any:
        """The least of what the functions that prove what is paid at one end prove from there to the middle."""
        known = zip(ends, paid, slopes, strict=True)
        return lower_end(least([*paid, *(self._elsewhere(*one, total, sum(ends) / 2) for one in known)]))

    def _elsewhere(self, mean: Any, paid: Any, slope: Any, total: Any, place: Any) -> Any:
        """What the functions that prove what is paid at a mean prove at another place, at least."""
        shape, sigma = self.shape, to_ball(self.sigma)
        bend = total * to_ball(self.spread).expm1()
        return paid + slope * shape.slope(place, mean, sigma) - bend * shape.kl(mean, place, sigma)


def _both(weights: Any, values: Any) -> Any:
    return sum(weight * value for weight, value in zip(weights, values, strict=True))


def _around(places: set[Fraction], low: Fraction, high: Fraction) -> Iterable[tuple[Fraction, Fraction]]:
    """Pieces from end to end, the shorter the closer to a place."""
    around = {place + (end - place) / _NEARER**k for place in places for end in (low, high) for k in range(_TIMES)}
    return pairwise(sorted(around | places | {low, high}))


def divergences(law: Any, epsilon: Fraction | float) -> _Bernoulli | _Line:
    """d_epsilon between the laws of the family of this one."""
    return _Line(law, epsilon) if type(law).__name__ in FAMILIES else _Bernoulli(epsilon)


# ------------------------------------------------------------------------------------------------------------ in balls


@dataclass(frozen=True)
class ArmByArm:
    """The game of arms of one family; `beta` fixes the proportion of the best arm."""

    arms: Sequence[Any]
    best: int
    epsilon: Fraction | float
    beta: Fraction | None

    @cached_property
    def _d(self) -> _Bernoulli | _Line:
        return divergences(self.arms[self.best], self.epsilon)

    @cached_property
    def _means(self) -> list[Fraction]:
        return [Fraction(arm.mean) for arm in self.arms]

    def certified(self, strategies: PricedStrategies, bits: int) -> Enclosure:
        """The interval that the two strategies prove for T*. Raises InvalidInput for data that are not strategies."""
        strategies.check(self._means, self.best)
        with working_precision(bits):
            guaranteed, conceded = self._guaranteed(strategies), self._conceded(strategies)
            lower = Enclosure.from_ball(1 / conceded).lower
            upper = Enclosure.from_ball(1 / guaranteed).upper if guaranteed > 0 else math.inf
        return Enclosure(max(lower, 0), upper)

    def _guaranteed(self, strategies: PricedStrategies) -> Any:
        weights, beta = strategies.weights, self.beta
        others = sum((to_ball(w) for arm, w in enumerate(weights) if arm != self.best), to_ball(0))
        total = others + weights[self.best]
        of_best = to_ball(weights[self.best]) / total if beta is None else to_ball(beta)
        factor = 1 / total if beta is None else (1 - to_ball(beta)) / others
        seeds: dict[Fraction, set[Fraction]] = defaultdict(set)
        for arm, mean, _ in strategies.replies:
            seeds[self._means[arm]].add(mean)
        different = {(self._means[arm], w) for arm, w in enumerate(weights) if arm != self.best}
        return self._d.least(self._means[self.best], of_best, [(own, factor * w, seeds[own]) for own, w in different])

    def _conceded(self, strategies: PricedStrategies) -> Any:
        """What the best reply to the mixture earns."""
        top = self._means[self.best]
        pairs = list(dict.fromkeys((self._means[arm], mean) for arm, mean, _ in strategies.replies))
        costs = {
            pair: (one[1], other[1])
            for pair, one, other in zip(
                pairs, self._d.ends([(top, mean) for _, mean in pairs]), self._d.ends(pairs), strict=True
            )
        }
        of_best = mass = to_ball(0)
        earned = [to_ball(0) for _ in self.arms]
        for arm, mean, weight in strategies.replies:
            one, other = costs[self._means[arm], mean]
            of_best, mass = of_best + weight * one, mass + weight
            earned[arm] += weight * other
        richest = most(earned)
        beta = None if self.beta is None else to_ball(self.beta)
        return (of_best.max(richest) if beta is None else beta * of_best + (1 - beta) * richest) / mass

    # ------------------------------------------------------------------------------------------------------ in floats

    def solve(self) -> PricedStrategies:
        """Near-optimal strategies of both players; ArithmeticError where floats do not do."""
        numbers: dict[Fraction, int] = {}
        kind = [numbers.setdefault(m, len(numbers)) if k != self.best else -1 for k, m in enumerate(self._means)]
        count = np.bincount([k for k in kind if k >= 0]).astype(float)
        with np.errstate(all="ignore"):
            curves = _Curves(self._d, self._means[self.best], list(numbers))
            odds = curves.optimum(count, None if self.beta is None else float((1 - self.beta) / self.beta))
            weights, replies = curves.strategies(count, odds, self.beta is None)
        spread = tuple(1.0 if k < 0 else float(weights[k]) for k in kind)
        exact = [(arm, mean, w) for arm, k in enumerate(kind) if k >= 0 for mean, w in replies[k]]
        return PricedStrategies(spread, tuple(exact))


class _Curves:
    """What ties cost the best arm and each of the different challengers, by the share of the way from the best arm."""

    def __init__(self, d: _Bernoulli | _Line, best: Fraction, means: Sequence[Fraction]) -> None:
        self.d, self.best, self.own = d, float(best), np.array([float(mean) for mean in means])
        self.gaps = np.array([float(best - mean) for mean in means])
        self.low, self.high = means, best
        arms = np.arange(self.own.size)
        self.of_best, self.of_own, _, _ = self.costs(_NODES[:, None] + 0 * self.own, arms)

    def costs(self, share: Array, arm: Array) -> tuple[Array, Array, Array, Array]:
        """What the best arm and the challengers `arm` pay, and the slopes in the share."""
        common = self.common(share, arm)
        one, down = self.d.floats(np.full(common.shape, self.best), common, True)
        other, up = self.d.floats(self.own[arm] + 0 * common, common, False)
        return one, other, -down * self.gaps[arm], -up * self.gaps[arm]

    def common(self, share: Array, arm: Array) -> Array:
        """The common mean."""
        return np.where(share < 0.5, self.best - share * self.gaps[arm], self.own[arm] + (1 - share) * self.gaps[arm])

    def reached(self, level: float, close: float) -> tuple[Array, Array, Array, Array]:
        """For a level: the shares where it is dearest, what both pay there, and the weights that reach it."""
        ratio = np.where(self.of_own > 0, (level - self.of_best) / self.of_own, -np.inf)
        around = np.pad(ratio, ((1, 1), (0, 0)), constant_values=-np.inf)
        highest = ratio.max(axis=0)
        high = ratio >= highest - _LOWER * abs(highest)
        at, arm = np.nonzero(high & (ratio >= around[:-2]) & (ratio >= around[2:]))  # several where d is concave
        nodes = np.concatenate([[0.0], _NODES, [1.0]])

        def falling(share: Array, k: Array) -> Array:
            one, other, down, up = self.costs(share, arm[k])
            return down * other + (level - one) * up  # minus the sign of the slope of the ratio

        share = _sign_change(falling, nodes[at], _NODES[at], nodes[at + 2], close)
        one, other, _, _ = self.costs(share, arm)
        found, known = (level - one) / other, ratio[at, arm]
        kept = np.where(
            found >= known, [share, one, other, found], [_NODES[at], self.of_best[at, arm], self.of_own[at, arm], known]
        )
        order = np.argsort(kept[3])
        highest = np.zeros(self.own.size, int)
        highest[arm[order]] = order  # the last one stays
        return tuple(kept[:, highest])

    def optimum(self, count: Array, ratio: float | None) -> float:
        """Where F is 1, or the weights have the given sum: the logarithm of the odds y / (cap - y) of the level."""
        from scipy.optimize import brentq

        def missing(s: float) -> float:
            _, one, other, weights = self.reached(self.level(s), _FOUND)
            value = float(count @ (one / other if ratio is None else weights / ratio))
            return math.log(max(value, 1e-300)) if math.isfinite(value) else 700.0

        return float(brentq(missing, -30.0, 30.0, xtol=_FOUND, maxiter=200))  # pyright: ignore[reportArgumentType]

    def level(self, odds: float) -> float:
        """The level with these odds; the cap is what the closest challenger costs the best arm alone."""
        return float(np.min(self.of_best[-1])) / (1 + math.exp(-odds))

    def strategies(self, count: Array, odds: float, mixed: bool) -> tuple[Array, list[list[tuple[Fraction, float]]]]:
        """The weights of the different challengers, and for each the common means with their weights in the mixture."""
        sides, shares = [self.reached(self.level(odds), _CLOSE)], [1.0]
        weights = sides[0][-1]
        for side in _SIDES if mixed else ():
            sides = [self.reached(self.level(odds + way * side), _CLOSE) for way in (-1, 1)]
            below, above = (float(count @ (one / other)) for _, one, other, _ in sides)
            first = min(max((above - 1) / (above - below), 0.0), 1.0) if above != below else 1.0
            shares = [first, 1 - first]
            if below <= 1 <= above:
                break
        places = [share for share, *_ in sides]
        masses = [part / other for part, (_, _, other, _) in zip(shares, sides, strict=True)]
        if len(sides) == 2:  # where nothing jumps one alternative will do
            joined = (masses[0] * places[0] + masses[1] * places[1]) / (masses[0] + masses[1])
            close = abs(places[1] - places[0]) <= _SAME * np.minimum(joined, 1 - joined)
            places = [np.where(close, joined, place) for place in places]
            masses = [np.where(close, masses[0] + masses[1], masses[0]), np.where(close, 0, masses[1])]
        replies: list[list[tuple[Fraction, float]]] = [[] for _ in self.own]
        arms = np.arange(self.own.size)
        for place, mass in zip(places, masses, strict=True):
            for k, (mean, weight) in enumerate(zip(self.common(place, arms).tolist(), mass.tolist(), strict=True)):
                if 0 < weight < math.inf:
                    replies[k].append((min(max(Fraction(mean), self.low[k]), self.high), weight))
        return weights, replies


def _sign_change(function: Any, low: Array, middle: Array, high: Array, close: float) -> Array:
    """Where function(u, k), of the entries k, turns from negative to positive between low and high: by the Illinois
    method, and by halves where two of its steps left more than half, as at a jump."""
    found, k = middle.copy(), np.arange(middle.size)
    rows = np.array([low, np.full(low.shape, np.nan), high, np.full(low.shape, np.nan)])
    before, widths, u = np.zeros(low.shape), [np.full(low.shape, np.inf)] * 2, middle
    for _ in range(_STEPS):
        value = function(u, k)
        below = value < 0
        again = np.where(np.sign(value) == before, 0.5, 1.0)
        low, at_low, high, at_high = rows
        low, at_low, high, at_high = rows = np.where(
            below, [u, value, high, at_high * again], [low, at_low * again, u, value]
        )
        fresh = (low * at_high - high * at_low) / (at_high - at_low)
        slow = 2 * (high - low) > widths[0]
        fresh = np.where((fresh > low) & (fresh < high) & ~slow, fresh, (low + high) / 2)
        moved, found[k] = np.abs(fresh - u), fresh
        left = (
            (moved > close * np.minimum(fresh, 1 - fresh)) & (high - low > close * high + _LEAST) & np.isfinite(value)
        )
        if not left.any():
            break
        widths = [widths[1][left], (high - low)[left]]
        rows, before, u, k = rows[:, left], np.sign(value)[left], fresh[left], k[left]
    return found
