"""The allocation game of best-arm identification, solved in floats: nothing here is trusted, see `best_arm_strategies`.

With weight 1 on the best arm and x_a on challenger a, inf over the alternatives in which a overtakes is

    h_a(x) = min(g_a(x), tv_a x, tv_a),

where g_a(x) prices the pair (1, x) in relative entropy and tv_a is the price of moving one of the two arms by total
variation; either part may be missing. Each h_a is concave and increasing. To reach the level y takes
x_a(y) = max(g_a^-1(y), y / tv_a) if y <= min tv_a, so that the game has one unknown: maximise y / (1 + S(y)) with
S = sum of x_a, or reach S(y) = (1 - beta) / beta where the best arm's proportion beta is fixed. The first-order
condition is F(y) = y S' - S = 1, where F, the sum of d(best, m_a) / d(a, m_a) over challengers priced in relative
entropy, is increasing; it jumps at levels where a challenger passes from total variation to relative entropy.

Source: TH-T2.32, TH-T4.24; the equation F(y) = 1 is that of Garivier and Kaufmann (2016).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from banditproof.theory.best_arm.transport_costs import EntropyCosts

Array = np.ndarray
Near = tuple[Array, Array, float]  # shares at a level, and their derivatives in the level
_STEPS = 100
_CLOSE = 1e-8  # a Newton step this small has squared the error away
_ROUGH, _FINE = 0.5, 0.01  # steps of shares after which they are good enough to move the level, and to bracket it


@dataclass(frozen=True)
class Solution:
    """Strategies of both players, per challenger, shape [n]; the best arm has weight 1.

    `weights` are x_a. The alternatives in which a overtakes are played with the weights `replies` (common mean,
    relative entropy), `raised` (a goes up to the best arm, total variation), `lowered` (the best arm goes down to a).
    """

    weights: Array
    replies: Array
    raised: Array
    lowered: Array


@dataclass(frozen=True)
class Game:
    """n different challengers, of which challenger a occurs count[a] times."""

    count: Array
    entropy: EntropyCosts | None = None
    variation: Array | None = None  # tv_a, shape [n]
    ratio: float | None = None  # of the other weights to the best arm's, where that is fixed: (1 - beta) / beta

    def solve(self) -> Solution:
        """Near-optimal strategies of both players."""
        with np.errstate(all="ignore"):
            if self.entropy is None:
                return self._strategies(self._linear_level(), np.full(self.count.shape, np.inf))
            return self._solve_mixed(self._switch_levels(), float(np.min(self._whole)))

    # -- the level --------------------------------------------------------------------------------------------------

    @property
    def _cap(self) -> float:
        return math.inf if self.variation is None else float(np.min(self.variation))

    @property
    def _target(self) -> float:
        return 1.0 if self.ratio is None else self.ratio

    def _linear_level(self) -> float:
        """The level where total variation alone counts: S is linear and F is 0."""
        if self.ratio is None:
            return self._cap
        assert self.variation is not None
        return min(self._cap, self._target / float(np.sum(self.count / self.variation)))

    def _switch_levels(self) -> Array:
        """From which level on each challenger is priced in relative entropy: there g_a(x) = tv_a x; 0 if always."""
        assert self.entropy is not None
        if self.variation is None:
            return np.zeros(self.count.shape)
        free = self.entropy.floats(np.zeros_like(self.count), np.ones_like(self.count))[1]

        def per_pull(share: Array) -> tuple[Array, Array]:
            of_best, of_challenger = self.entropy.floats(share, 1 - share)  # type: ignore[union-attr]
            return -(of_challenger + of_best * (1 - share) / share), of_best / share**2

        guess = np.where(np.isfinite(free), np.clip(1 - self.variation / free, 1e-6, 1 - 1e-12), 0.5)
        share = _solve(per_pull, -self.variation, guess)
        return np.where(self.variation >= free, 0.0, self.variation * share / (1 - share))

    def _solve_mixed(self, switch: Array, ceiling: float) -> Solution:
        top = min(self._cap, ceiling)
        jumps = np.unique(switch[(switch > 0) & (switch < top)])
        low, high = 0, len(jumps)  # the first jump at or beyond the optimum
        while low < high:
            middle = (low + high) // 2
            if self._measure(jumps[middle], switch <= jumps[middle])[0] >= self._target:
                high = middle
            else:
                low = middle + 1
        floor = jumps[low - 1] if low else 0.0
        if low == len(jumps):
            if self._cap < ceiling and self._measure(self._cap, switch < self._cap)[0] <= self._target:
                return self._strategies(self._cap, switch)
            return self._strategies(*self._root(switch, floor, top, ceiling))
        if self._measure(jumps[low], switch < jumps[low])[0] < self._target:
            return self._strategies(float(jumps[low]), switch)
        return self._strategies(*self._root(switch, floor, float(jumps[low]), ceiling))

    def _measure(
        self, level: float, entropic: Array, near: Near | None = None, close: float = _CLOSE
    ) -> tuple[float, float, Near, float]:
        """F, or S where beta is fixed, with its derivative in the level; and shares at that level with the last step
        of them, which is at most `close`."""
        assert self.entropy is not None
        share, of_best, of_challenger, step = self._paid(level, near, close)
        rest = 1 - share
        known = share, rest**2 / of_challenger, level
        if self.ratio is None:
            values = of_best / of_challenger
            slopes = level * rest**3 * self.entropy.curvature(share, rest) / of_challenger**3
        else:
            linear = np.inf if self.variation is None else self.variation
            values = np.where(entropic, share / rest, level / linear)
            slopes = np.where(entropic, 1 / of_challenger, 1 / linear)
            entropic = np.ones_like(entropic)
        count = np.where(entropic, self.count, 0.0)
        value, slope = (float(count @ np.where(entropic, each, 0)) for each in (values, slopes))
        return value, slope, known, step

    def _paid(self, level: float, near: Near | None, close: float = _CLOSE) -> tuple[Array, Array, Array, float]:
        """x / (1 + x) for g(x) = level, both divergences there, and the largest step to there, relative.

        A step of Newton's method from the line through shares at a level near by; divergences go along with their
        derivatives, so that the error is squared. Where a step is not `close`, the shares are solved for first.
        """
        assert self.entropy is not None
        share = self._guess(level, near)
        for _ in range(2):
            rest = 1 - share
            of_best, of_challenger = self.entropy.floats(share, rest)
            move = (level - of_best - share / rest * of_challenger) * rest**2 / of_challenger
            step = float(np.max(np.abs(move) / np.minimum(share, rest)))
            if step <= close:
                break
            share = self._shares(level, share)
        bent = self.entropy.curvature(share, rest) * move
        return share + move, of_best + share * bent, of_challenger - rest * bent, step

    def _guess(self, level: float, near: Near | None) -> Array:
        if near is not None:
            share, pace, before = near
            return np.clip(share + (level - before) * pace, share / 2, (1 + share) / 2)
        finite = np.where(np.isfinite(self._whole), self._whole, self._halfway + level)
        bend = 2 * finite - 4 * self._halfway  # of the parabola through the costs of half the way and the whole way
        linear = finite - bend
        return np.clip(2 * level / (linear + np.sqrt(np.maximum(linear**2 + 4 * bend * level, 0))), 1e-12, 1 - 1e-9)

    def _shares(self, level: float, guess: Array) -> Array:
        """x / (1 + x) for g(x) = level."""

        def price(share: Array) -> tuple[Array, Array]:
            rest = 1 - share
            of_best, of_challenger = self.entropy.floats(share, rest)  # type: ignore[union-attr]
            return of_best + share / rest * of_challenger, of_challenger / rest**2

        return _solve(price, np.full(self.count.shape, level), guess)

    @cached_property
    def _whole(self) -> Array:
        """What the best arm pays to come the whole way down to each challenger."""
        assert self.entropy is not None
        return self.entropy.floats(np.ones_like(self.count), np.zeros_like(self.count))[0]

    @cached_property
    def _halfway(self) -> Array:
        """What it costs to tie half-way: as large as the levels, also where the price of the whole way is infinite."""
        assert self.entropy is not None
        half = np.full_like(self.count, 0.5)
        return np.add(*self.entropy.floats(half, half))

    def _root(self, switch: Array, low: float, high: float, ceiling: float) -> tuple[float, Array, Near | None]:
        """The level between low and high at which F (or S) reaches its target, by Newton's method on logarithms; the
        switch levels, and the shares at a level near by.

        The unknown is s = log(y / (ceiling - y)): for Gaussian arms e^s is the weight of the closest challenger. With
        an infinite ceiling it is log(y / unit).
        """
        unit = float(np.min(self._halfway))

        def odds(level: float) -> float:
            if level <= 0:
                return -math.inf
            return math.log(level / (ceiling - level)) if level < ceiling < math.inf else math.log(level / unit)

        def level_of(s: float) -> float:
            return ceiling / (1 + math.exp(-s)) if ceiling < math.inf else unit * math.exp(s)

        bottom, top = odds(low), math.inf if high >= ceiling else odds(high)
        s = min(max(-0.25 * math.log(self.count.sum()), bottom), top)
        near: Near | None = None
        for _ in range(_STEPS):
            level = level_of(s)
            value, slope, near, rough = self._measure(level, switch <= low, near, _ROUGH)
            if rough < min(_FINE, abs(value / self._target - 1)):  # else the side is not certain
                bottom, top = (s, top) if value < self._target else (bottom, s)
            pace = slope * level * (1 - level / ceiling) / value
            step = math.log(self._target / value) / pace if value > 0 and pace > 0 else math.nan
            fresh = s + step
            if not bottom <= fresh <= top:
                fresh = _between(bottom, top)
            if abs(fresh - s) < _CLOSE and rough < _CLOSE:
                return level_of(fresh), switch, near
            s = fresh
        return level_of(s), switch, near

    # -- the strategies ---------------------------------------------------------------------------------------------

    def _strategies(self, level: float, switch: Array, near: Near | None = None) -> Solution:
        """Weights that reach the level everywhere, and the mixture of alternatives that makes them optimal."""
        linear = np.zeros(self.count.shape) if self.variation is None else 1 / self.variation
        entropic = switch <= level
        if not entropic.any():
            return self._completed(level, level * linear, 0 * linear, linear, 0.0)
        assert self.entropy is not None
        share, of_best, of_challenger, _ = self._paid(level, near)
        part = np.where(entropic, 1.0, 0.0)
        paid = self.count * of_best / of_challenger
        jumping = (switch == level) & (level > 0)
        if jumping.any():
            before = float(paid[entropic & ~jumping].sum())
            part[jumping] = np.clip((1 - before) / float(paid[jumping].sum()), 0, 1)
        weights = np.where(entropic, share / (1 - share), level * linear)
        replies = np.where(part > 0, part / of_challenger, 0)
        return self._completed(level, weights, replies, (1 - part) * linear, float(part @ np.where(part > 0, paid, 0)))

    def _completed(self, level: float, weights: Array, replies: Array, raised: Array, paid: float) -> Solution:
        """What the best arm lacks is paid by lowering it to the closest challenger, which is possible at the cap."""
        lowered = np.zeros(self.count.shape)
        if level == self._cap and self.variation is not None:
            closest = int(np.argmin(self.variation))
            if self.ratio is None:
                lowered[closest] = max(0.0, 1 - paid) / (self.variation[closest] * self.count[closest])
            elif float(self.count @ weights) < self._target:
                lowered[closest], replies, raised = 1.0, 0 * replies, 0 * raised
        if self.ratio is not None:  # a large weight hardly matters to its own arm, but the sum fixes the scale of all
            largest = int(np.argmax(weights))
            weights[largest] += (self._target - float(self.count @ weights)) / self.count[largest]
        return Solution(weights, replies, raised, lowered)


def _between(low: float, high: float) -> float:
    if math.isinf(low) and math.isinf(high):
        return 0.0
    if math.isinf(low):
        return high - max(1.0, abs(high))
    return low + max(1.0, abs(low)) if math.isinf(high) else (low + high) / 2


def _solve(function: Callable[[Array], tuple[Array, Array]], target: Array, guess: Array) -> Array:
    """Solve function(u) = target for u in (0, 1), entry by entry, for increasing functions given with their slopes.

    Newton's method, replaced by bisection wherever it leaves the bracket.
    """
    low, high, u = np.zeros_like(guess), np.ones_like(guess), guess
    for _ in range(_STEPS):
        value, slope = function(u)
        below = value < target
        low, high = np.where(below, u, low), np.where(below, high, u)
        fresh = u + (target - value) / slope
        fresh = np.where((fresh >= low) & (fresh <= high), fresh, (low + high) / 2)
        moved, u = np.abs(fresh - u), fresh
        if np.all((moved <= _CLOSE * np.minimum(u, 1 - u)) | (high - low <= 4e-16 * high)):
            break
    return u
