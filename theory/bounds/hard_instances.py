"""The hard instances behind minimax lower bounds, at the best gap: explicit, optimised, and certified.

A policy that must do well in two environments has to tell them apart. With 1 - TV of the laws of its actions in both
bounded below through a bound D on their relative entropy, some environment has regret at least

    (T/2) Delta h(D)      K Gaussian arms: means (Delta, 0, ..., 0), and one more arm raised to 2 Delta,
    d T delta h(D)        actions [-1, 1]^d: parameters in {-delta, delta}^d, averaged over all signs,

where h(D) is 1 - sqrt(D/2) (Pinsker) or 1 - sqrt(1 - e^-D) (Bretagnolle-Huber). No step is lost to Markov's inequality:
Delta (T - E N_1) + Delta E' N_1 >= Delta T (1 - TV). The last reward is never read, so m = T - 1 rewards count, and the
least explored arm gets at most n = m/(K - 1) of them (n = m for the linear model). With t = 2 Phi(Delta) - 1 the
information D is the smallest of

    2 n Delta^2                                   any policy,
    epsilon n t                                   epsilon-View DP (TH-T4.9),
    rho/(K - 1) (m t + sqrt(m v(t)))^2            rho-Interactive zCDP; v(t) = t (1 - t), but 1/4 for t > 1/2.

An epsilon-View DP policy shows no more than

    n d_epsilon(N(0, 1), N(2 Delta, 1))           epsilon-View DP, arm by arm (SHARP-3),

which is at most each of the first two. As it is solved for at each gap, `priced_instance` takes one gap, and proves
what that one forces. In the linear model a reward of action a moves by 2 |a_i| Delta, and d_epsilon increases with the
move.

The one of zCDP is not that of TH-T4.14: how often the coupled rewards differ is sum t_(a_t) plus a martingale, and the
second moments of the two add up in the sense of Minkowski's inequality, not as squares.

Source: TH-T2.28, TH-T4.15, TH-T4.17, TH-T4.20, TH-T4.21, SHARP-3
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.theory.arguments import question
from banditproof.theory.laws.clipped import PricedDivergence
from banditproof.theory.laws.families import Gaussian
from banditproof.theory.numbers.enclosure import Enclosure
from banditproof.theory.numbers.numeric import (
    FLOAT,
    SERIES,
    exp,
    expm1,
    joined,
    sqrt,
    system,
    to_ball,
    working_precision,
)

_BITS = 128
_SLACK = Fraction(1, 2**31)  # relative width of the enclosure of the optimum
_GRID = np.exp2(np.arange(-1200, 1) / 8)  # of the limit
_ABSOLUTE = np.exp2(np.arange(-1200, 161) / 8)

Curve = tuple[str, str]  # (information, distance)
DISTANCES = ("pinsker", "bretagnolle-huber")


@dataclass(frozen=True)
class HardInstance:
    """The best gap and the regret that it forces; `value` encloses the supremum over gaps in (0, limit].

    `arms` counts K - 1 competitors plus one; the linear model has arms = 2 and `copies` = 2 d, of which each
    coordinate contributes like a pair of arms. `gap` is Delta (the means lie in [0, 2 Delta]) or |theta_i|. The
    certificate is `gap`, at which `value.lower` is attained, and `cuts`: for each curve, ends of cells up to the limit
    on each of which the regret is at most `value.upper`.
    """

    arms: int
    copies: int
    horizon: int
    epsilon: Fraction | None
    rho: Fraction | None
    limit: Fraction
    gap: Fraction
    information: str
    distance: str
    value: Enclosure
    cuts: dict[Curve, tuple[Fraction, ...]]

    @question
    def recheck(self) -> bool:
        """Whether both ends of `value` follow from the certificate, in ball arithmetic and without a solver."""
        game = _Game(self.arms, self.copies, self.horizon, self.epsilon, self.rho)
        with working_precision(_BITS):
            if not 0 < self.gap <= self.limit or (self.information, self.distance) not in game.curves:
                return False
            attained = game.regret(to_ball(self.gap), (self.information, self.distance))
            return bool(attained >= to_ball(self.value.lower)) and all(
                game.covered(curve, self.cuts.get(curve, ()), self.limit, Fraction(self.value.upper))
                for curve in game.curves
            )


def hard_instance(
    arms: int, copies: int, horizon: int, epsilon: Fraction | None, rho: Fraction | None, limit: Fraction
) -> HardInstance:
    """The gap in (0, limit] that forces the largest regret. See `HardInstance` for the arguments."""
    game = _Game(arms, copies, horizon, epsilon, rho)
    with working_precision(_BITS):
        gap, curve = max((game.best_gap(curve, limit) for curve in game.curves), key=lambda pair: pair[0])[1:]
        lower = Enclosure.from_ball(game.regret(to_ball(gap), curve)).lower
        upper = Enclosure.outward(Fraction(lower) * (1 + _SLACK)).upper
        cuts = {curve: tuple(game.cut(curve, limit, Fraction(upper))) for curve in game.curves}
    return HardInstance(arms, copies, horizon, epsilon, rho, limit, gap, *curve, Enclosure(lower, upper), cuts)


@dataclass(frozen=True)
class PricedInstance:
    """The regret that one gap forces on epsilon-View DP policies by d_epsilon; the fields are those of `HardInstance`.

    `price` is d_epsilon of the two laws of the arm that differs, and `value` encloses what the gap forces.
    """

    arms: int
    copies: int
    horizon: int
    epsilon: Fraction | float
    limit: Fraction
    gap: Fraction
    price: PricedDivergence
    distance: str
    value: Enclosure

    @question
    def recheck(self) -> bool:
        """Whether the value follows from the gap and from both ends of the price, which its own certificate proves."""
        laws = self.price.law, self.price.other, self.price.epsilon
        if laws != (Gaussian(0), Gaussian(2 * self.gap), self.epsilon) or not 0 < self.gap <= self.limit:
            return False
        game = self.arms, self.copies, self.horizon
        return self.price.recheck() and (self.distance, self.value) == _forced(game, self.gap, self.price)


def priced_instance(known: HardInstance, epsilon: Fraction | float) -> PricedInstance:
    """What d_epsilon proves of policies with the budget, at the best of a few gaps; `known` is the instance without it.

    The gap of `known` is among them, so the lower end is no smaller. The others are best where the law in between is
    Gaussian, which costs a little more, and a little above that.
    """
    game = known.arms, known.copies, known.horizon
    gaps = {known.gap}
    if known.horizon > 1 and epsilon < 100:
        near = np.minimum(float(known.gap) * np.linspace(1, 2, 201), float(known.limit))
        best = near[np.argmax([_between(game, gap, float(epsilon)) for gap in near])]
        gaps |= {min(known.limit, Fraction(best * more)) for more in (1, 1.03)}

    def at(gap: Fraction) -> PricedInstance:
        price = Gaussian(0).d_epsilon(Gaussian(2 * gap), epsilon)
        return PricedInstance(*game, epsilon, known.limit, gap, price, *_forced(game, gap, price))

    return max(map(at, sorted(gaps)), key=lambda one: one.value.lower)


def _between(game: tuple[int, int, int], gap: float, epsilon: float) -> float:
    """About the regret that a gap forces, with a Gaussian law in between."""
    from scipy.special import erf

    arms, copies, horizon = game
    moves = np.linspace(0, 2 * gap, 65)
    price = np.min(epsilon * erf(moves / math.sqrt(8)) + (2 * gap - moves) ** 2 / 2)
    information = (horizon - 1) * price / (arms - 1)
    far = min(math.sqrt(information / 2), math.sqrt(-math.expm1(-information)))
    return gap * copies * horizon * (1 - far)


def _forced(game: tuple[int, int, int], gap: Fraction, price: PricedDivergence) -> tuple[str, Enclosure]:
    """The inequality between distances that proves more at a gap, and what it proves."""
    arms, copies, horizon = game
    with working_precision(_BITS):
        information = to_ball(Fraction(horizon - 1, arms - 1)) * price.value.ball()
        scale = to_ball(gap * copies * horizon / 2)
        values = [Enclosure.from_ball(scale * _apart(information, distance)) for distance in DISTANCES]
        return max(zip(DISTANCES, values, strict=True), key=lambda pair: pair[1].lower)


def _apart(information: Any, distance: str) -> Any:
    """A lower bound on 1 - TV from one on the relative entropy."""
    if distance == "pinsker":
        return 1 - sqrt(information / 2)
    root = sqrt(-expm1(-information))
    if system(information) == SERIES:
        return 1 - root
    return exp(-information) / (1 + root)  # the same as 1 - root, without cancellation for large D


@dataclass(frozen=True)
class _Game:
    arms: int
    copies: int
    horizon: int
    epsilon: Fraction | None
    rho: Fraction | None

    @property
    def curves(self) -> tuple[Curve, ...]:
        private = [name for name, budget in (("view", self.epsilon), ("zcdp", self.rho)) if budget is not None]
        return tuple(itertools.product(("kl", *private), DISTANCES))

    def information_at(self, gap: Any, kind: str) -> Any:
        """D, increasing in the gap."""
        rewards, others = self.horizon - 1, self.arms - 1
        if kind == "kl":
            return 2 * gap * gap * rewards / others
        far = _variation(gap)
        if kind == "view":
            return far * rewards * _in_system(self.epsilon, gap) / others
        spread = joined(far, "<=", 0.5, lambda: far * (1 - far), lambda: 0 * far + 0.25)
        differing = far * rewards + sqrt(spread * rewards)
        return differing * differing * _in_system(self.rho, gap) / others

    def regret(self, gap: Any, curve: Curve) -> Any:
        return gap * self.copies * self.horizon * self._overlap(gap, curve) / 2

    def _overlap(self, gap: Any, curve: Curve) -> Any:
        """A lower bound on 1 - TV of the action laws, decreasing in the gap."""
        if self.horizon == 1:  # no reward is read
            return 1 + 0 * gap
        return _apart(self.information_at(gap, curve[0]), curve[1])

    # -- optimisation: floats propose, balls decide

    def best_gap(self, curve: Curve, limit: Fraction) -> tuple[float, Fraction, Curve]:
        top = float(limit)
        gaps = np.union1d(_GRID * top, np.minimum(_ABSOLUTE, top))
        values = self._floats(gaps, curve)
        best = int(np.argmax(values))
        low, high = gaps[max(best - 1, 0)], gaps[min(best + 1, len(gaps) - 1)]
        for _ in range(8):
            gaps = np.linspace(low, high, 65)
            values = self._floats(gaps, curve)
            best = int(np.argmax(values))
            low, high = gaps[max(best - 1, 0)], gaps[min(best + 1, 64)]
        exact = limit if gaps[best] >= top else Fraction(float(gaps[best]))
        return float(values[best]), exact, curve

    def _floats(self, gaps: np.ndarray, curve: Curve) -> np.ndarray:
        return np.nan_to_num(np.asarray(self.regret(gaps, curve), dtype=float), nan=-math.inf)

    def cut(self, curve: Curve, limit: Fraction, level: Fraction) -> Iterator[Fraction]:
        """Ends of cells from the first gap that matters up to the limit; on each the regret is at most the level."""
        first = min(self._trivial(level), limit)
        yield first
        stack = [(first, limit)]
        while stack:
            low, high = stack.pop()
            if low == high:
                continue
            if high <= 2 * low and self._at_most(curve, low, high, level):
                yield high
                continue
            middle = 2 * low if high > 2 * low else (low + high) / 2
            if high - low < low * Fraction(1, 2**60):
                raise ArithmeticError(f"the optimum over gaps was missed near {float(low)}")
            stack += [(middle, high), (low, middle)]

    def covered(self, curve: Curve, cuts: tuple[Fraction, ...], limit: Fraction, level: Fraction) -> bool:
        if not cuts or cuts[0] > self._trivial(level) or cuts[-1] != limit:
            return False
        return all(low < high and self._at_most(curve, low, high, level) for low, high in itertools.pairwise(cuts))

    def _trivial(self, level: Fraction) -> Fraction:
        """Below this gap the regret cannot exceed the level: h <= 1."""
        return 2 * level / (self.copies * self.horizon)

    def _at_most(self, curve: Curve, low: Fraction, high: Fraction, level: Fraction) -> bool:
        """Whether the regret is at most the level on [low, high]: by monotone factors, or by the mean value theorem."""
        from flint import arb_series

        bound = to_ball(level)
        factor = to_ball(high * self.copies * self.horizon / 2)
        if factor * self._overlap(to_ball(low), curve) <= bound:
            return True
        cell, middle = to_ball(low).union(to_ball(high)), to_ball((low + high) / 2)
        slope = self.regret(arb_series([cell, 1], prec=2), curve)[1]
        return bool(self.regret(middle, curve) + slope * (cell - middle) <= bound)


def _variation(gap: Any) -> Any:
    """2 Phi(gap) - 1, the total variation of N(0, 1) and N(2 gap, 1)."""
    if system(gap) == FLOAT:
        from scipy.special import erf

        return erf(gap / math.sqrt(2))
    return (gap / to_ball(2).sqrt()).erf()


def _in_system(budget: Fraction | None, gap: Any) -> Any:
    assert budget is not None
    return float(budget) if system(gap) == FLOAT else to_ball(budget)
