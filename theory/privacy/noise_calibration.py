"""How much Laplace or Gaussian noise a budget asks for: exact curves, certified scales, and where a formula is valid.

Distances are in units of the noise: mu = sensitivity / sigma for Gaussian noise of standard deviation sigma.

Source: TH-T2.13, TH-T2.14
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from banditproof.theory.arguments import named, question
from banditproof.theory.errors import InvalidInput
from banditproof.theory.hints import hint
from banditproof.theory.numbers import ranges
from banditproof.theory.numbers.certified import of_numbers
from banditproof.theory.numbers.enclosure import Enclosure, Valued
from banditproof.theory.numbers.exact_numbers import exact
from banditproof.theory.numbers.normal_law import normal_cdf, scaled_normal_tail
from banditproof.theory.numbers.number_types import Exact, Number
from banditproof.theory.numbers.numeric import (
    BALL,
    FLOAT,
    MPF,
    exp,
    joined,
    log,
    promote,
    sqrt,
    square,
    system,
    to_ball,
    working_precision,
)
from banditproof.theory.numbers.rounding import of_rows
from banditproof.theory.numbers.term import quantity
from banditproof.theory.privacy import budget as budgets
from banditproof.theory.privacy.budget import Budget, checked_budget, kinds_with
from banditproof.theory.sensitivities.proof import Sensitivity, declared

_DOMAINS: ranges.Domains = {"mu": (0, np.inf, "nonnegative"), "epsilon": (0, np.inf, "nonnegative")}
_PRECISION = 192  # bits; doubled until comparisons are certain
_FINEST = 1 << 14
_WIDTH = 60  # bits of relative width of a calibrated scale


@quantity
def gaussian_delta(mu: Number, epsilon: Number) -> Any:
    """Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu): the exact delta of Gaussian noise.

    The smallest delta with which N(0, 1) and N(mu, 1) are (epsilon, delta)-indistinguishable, `mu` > 0 (0 gives 0).
    Four number systems; the range over balls is taken at their ends, as it grows in mu and falls in epsilon.

    >>> round(float(gaussian_delta(1.0, 1.0)), 6)
    0.126937

    Source: TH-T2.14, TH-P2.6
    """
    if system(*ranges.numbers(_DOMAINS, mu=mu, epsilon=epsilon)) == FLOAT:
        mu, epsilon = ranges.inside(_DOMAINS, mu=mu, epsilon=epsilon)
        return np.vectorize(budgets.gaussian_delta, otypes=[float])(mu, epsilon)[()]
    return ranges.evaluate(_gaussian_delta, ranges.monotone("+-"), None, _DOMAINS, mu=mu, epsilon=epsilon)


def _gaussian_delta(mu: Any, epsilon: Any) -> Any:
    def positive() -> Any:
        shift = epsilon / mu
        near, far = mu / 2 - shift, mu / 2 + shift
        if system(mu, epsilon) in (BALL, MPF):  # the same, and finite where e^epsilon is not
            return normal_cdf(near) - exp(-square(near) / 2) * scaled_normal_tail(far)
        return normal_cdf(near) - exp(epsilon) * normal_cdf(-far)

    return joined(mu, "==", 0, lambda: mu * 0, positive)


def sharp_epsilon_of_gaussian(mu: float, delta: float) -> float:
    """The smallest epsilon with which mu-Gaussian DP implies (epsilon, delta)-DP: the root of the exact curve.

    A float, rounded up by little: that it suffices is decided in balls. Raises InvalidInput for mu < 0 or delta outside
    (0, 1].
    """
    mu, delta = ranges.inside({**_DOMAINS, "delta": (0, 1, "in (0, 1]")}, mu=mu, delta=delta)
    mu, delta = float(mu), float(delta)
    if mu == np.inf or delta == 0:
        return np.inf if mu else 0.0

    def suffices(epsilon: float) -> bool:
        with working_precision(_PRECISION):
            return bool(gaussian_delta(to_ball(mu), to_ball(epsilon)) <= to_ball(delta))

    if suffices(0.0):
        return 0.0
    low, high = 0.0, 1.0
    while budgets.gaussian_delta(mu, high) > delta:
        low, high = high, 2 * high
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if budgets.gaussian_delta(mu, middle) > delta else (low, middle)
    widened = 1e-13
    while not suffices(high):
        high, widened = high * (1 + widened), 2 * widened
    return high


@named
@of_numbers
def classical_gaussian_variance(epsilon: Number, delta: Number) -> Any:
    """2 log(1.25/delta) / epsilon^2, the variance of the classical formula in units of the squared l2 sensitivity.

    It gives (epsilon, delta)-DP for epsilon <= 1 and every delta in (0, 1), but not for every epsilon: ask
    `classical_gaussian_holds`. Four number systems; `epsilon` > 0, `delta` in (0, 1).

    Source: TH-T2.14
    """
    variance = _classical_gaussian_variance(epsilon, delta)
    plain = isinstance(epsilon, float | int) and isinstance(delta, float | int)
    if plain and epsilon > 1 and not classical_gaussian_holds(epsilon, delta):
        hint(
            f"the classical formula is too small for epsilon = {epsilon:g}: "
            "least_noise(Mechanism.gaussian, epsilon, delta) is enough"
        )
    return variance


def _classical_gaussian_variance(epsilon: Number, delta: Number) -> Any:
    epsilon, delta = ranges.inside(_DOMAINS, epsilon=epsilon, delta=delta)
    for name, value, allowed in (("epsilon", epsilon, "positive"), ("delta", delta, "in (0, 1)")):
        outside = () if system(value) not in (FLOAT, MPF, BALL) else (value <= 0, name == "delta" and value >= 1)
        if any(map(np.any, outside)):  # of balls, those that are certainly outside
            raise InvalidInput(name, value, allowed)
    return 2 * (log(promote(Fraction(5, 4), delta)[0]) - log(delta)) / (epsilon * epsilon)


def classical_gaussian_delta(epsilon: Any, delta: Any) -> Any:
    """The exact delta of Gaussian noise with `classical_gaussian_variance`, to be compared with `delta`.

    Source: TH-T2.14
    """
    return gaussian_delta(1 / sqrt(_classical_gaussian_variance(epsilon, delta)), epsilon)


@named
@of_numbers
def classical_gaussian_holds(epsilon: Number, delta: Number) -> bool:
    """Whether the classical formula gives (epsilon, delta)-DP, decided in balls.

    `epsilon` > 0 and `delta` in (0, 1) are numbers (floats are exact) or decimal strings.

    >>> classical_gaussian_holds(1, "1/1000"), classical_gaussian_holds(10, "1/100000")
    (True, False)

    Source: TH-T2.14
    """
    bits = _PRECISION
    while bits <= _FINEST:
        with working_precision(bits):
            one = ranges.number_as_ball("epsilon", epsilon, "positive and finite")
            other = ranges.number_as_ball("delta", delta, "in (0, 1)")
            if not (one > 0 and one.is_finite()):
                raise InvalidInput("epsilon", epsilon, "positive and finite")
            if not (other > 0 and other < 1):
                raise InvalidInput("delta", delta, "in (0, 1)")
            attained = classical_gaussian_delta(one, other)
            if attained <= other or attained > other:
                return bool(attained <= other)
        bits *= 2
    raise InvalidInput(
        "epsilon and delta",
        (epsilon, delta),
        f"such that {_FINEST} bits of precision decide whether the noise is enough",
    )


@dataclass(frozen=True)
class NoiseCalibration(Valued):
    """The least noise of one distribution that keeps a budget.

    Attributes:
        distribution: "laplace" (the scale is b) or "gaussian" (the scale is the standard deviation).
        budget: what a release spends; scalar parameters.
        sensitivity: how far one record moves the value, in the l1 norm (Laplace) or l2 norm (Gaussian).
        value: the smallest scale that keeps the budget (b, or the standard deviation); its upper end keeps it.
    """

    distribution: str
    budget: Budget
    sensitivity: float | Fraction
    value: Enclosure

    @question
    def recheck(self) -> bool:
        """Whether both ends are right, by ball arithmetic alone: the upper end keeps the budget, and none below the
        lower end does."""
        if self.distribution != ("gaussian" if self.budget.takes_gaussian else "laplace"):
            return False
        closed = not self.budget.takes_gaussian or type(self.budget).gaussian_variance is not Budget.gaussian_variance
        # a closed form is checked finer than it was computed: at the same precision its own ends would be uncertain
        with working_precision(2 * _PRECISION if closed else _FINEST):
            low, high = to_ball(self.value.lower), to_ball(self.value.upper)
            if not (low > 0 and high.is_finite()):
                return False
            sensitivity = to_ball(self.sensitivity)
            try:
                checked_budget(self.budget)
                above, below = (_excess(self.budget, sensitivity, end) for end in (high, low))
            except InvalidInput:  # no budget
                return False
            return bool(above <= 0) and bool(below >= 0)


@named
def calibrate_laplace(budget: Budget, sensitivity: Exact | Sensitivity = 1.0) -> NoiseCalibration:
    """Laplace noise for a pure budget: scale sensitivity / epsilon, valid for every epsilon > 0.

    A proved `Sensitivity` in l1 counts by its upper end.

    Raises InvalidInput for other budgets, arrays, and a sensitivity that is not positive and finite.

    Source: TH-T2.13
    """
    moved = _moved(sensitivity, "l1")
    if checked_budget(budget).largest_loss is None:
        raise InvalidInput("budget", str(budget), f"{kinds_with('largest_loss')} for Laplace noise")
    _scalars(budget)
    with working_precision(_PRECISION):
        return NoiseCalibration(
            "laplace", budget, moved, Enclosure.from_ball(to_ball(moved) / to_ball(budget.largest_loss))
        )


@named
def calibrate_gaussian(budget: Budget, sensitivity: Exact | Sensitivity = 1.0) -> NoiseCalibration:
    """The least Gaussian noise for an approximate, zCDP, RDP or Gaussian budget, valid for all their parameters.

    For (epsilon, delta)-DP the scale is the root of the exact curve `gaussian_delta`, enclosed to a relative width of
    2^-60; for rho-zCDP it is sensitivity / sqrt(2 rho), for (order, epsilon)-RDP sensitivity sqrt(order / (2 epsilon)),
    for mu-Gaussian DP sensitivity / mu.

    >>> calibrate_gaussian(Budget.approximate(1.0, 1e-5)).value.decimal(6)
    '[3.73063, 3.73064]'

    Raises InvalidInput for pure budgets, arrays, infinite parameters and a sensitivity that is not positive.
    Source: TH-T2.14
    """
    moved = _moved(sensitivity, "l2")
    _checked_gaussian(budget)
    _scalars(budget)
    with working_precision(_PRECISION):
        variance = budget.gaussian_variance()
        if variance is not None:
            scale = Enclosure.from_ball(to_ball(moved) * sqrt(variance))
            return NoiseCalibration("gaussian", budget, moved, scale)
    bits = _PRECISION
    while bits <= _FINEST:
        with working_precision(bits):
            sigma = _root(budget, to_ball(moved))
        if sigma is not None:
            return NoiseCalibration("gaussian", budget, moved, sigma)
        bits *= 2
    raise ArithmeticError(f"no certain scale with {_FINEST} bits for {budget}")


def _moved(sensitivity: Any, norm: str) -> Any:
    """How far a record moves the value: a float, or for an exact number, as a text or a Decimal is, a Fraction."""
    moved, allowed = declared("sensitivity", sensitivity, norm), "a number, positive and finite"
    if isinstance(moved, str | Decimal | Fraction):
        return exact("sensitivity", moved, lambda x: x > 0, allowed)
    plain = isinstance(moved, (int, float, np.number)) and not isinstance(moved, bool)
    if not (plain and 0 < moved < np.inf):
        raise InvalidInput("sensitivity", moved, allowed)
    return moved


def _scalars(budget: Budget) -> None:
    for name, value in budget.parameters.items():
        if np.ndim(value) or not np.isfinite(value):
            raise InvalidInput(name, value, "one finite number, to which noise is calibrated")


def _excess(budget: Budget, sensitivity: Any, scale: Any) -> Any:
    """What noise of this scale spends, less what the budget allows: decreasing in the scale."""
    return budget.excess_of_noise(sensitivity / scale, gaussian_delta)


def _root(budget: Budget, sensitivity: Any) -> Enclosure | None:
    """Bisection in balls; None where a comparison is not certain at this precision."""

    def keeps(scale: Any) -> bool | None:
        excess = _excess(budget, sensitivity, scale)
        return True if excess <= 0 else False if excess > 0 else None

    high = sensitivity.mid()
    while keeps(high) is False:
        high = high * 2
    while keeps(high / 2):
        high = high / 2
    if keeps(high) is not True or keeps(high / 2) is not False:
        return None
    low = high / 2
    for _ in range(_WIDTH):
        middle = ((low + high) / 2).mid()
        answer = keeps(middle)
        if answer is None:
            return None
        low, high = (low, middle) if answer else (middle, high)
    return Enclosure.from_ball(low.union(high))


def gaussian_multiplier(budget: Budget) -> float | np.ndarray:
    """The standard deviation of Gaussian noise that spends `budget`, per unit of l2 sensitivity; shaped as the budget.

    The upper end of `calibrate_gaussian`, as a float rounded up: zCDP: 1 / sqrt(2 rho). RDP: sqrt(order / (2 epsilon)).
    Gaussian DP: 1 / mu. Approximate: the smallest one whose exact delta at epsilon is delta. No range is excluded; an
    infinite budget asks for none.

    Raises InvalidInput for a pure budget, which no Gaussian noise meets, and for one whose noise no float can hold.
    Source: TH-T2.14

    >>> gaussian_multiplier(Budget.zcdp(0.125))
    2.0
    """
    _checked_gaussian(budget)
    names = tuple(budget.parameters)
    return of_rows(lambda *numbers: _least_deviation(type(budget), names, *numbers), *budget.parameters.values())


def _checked_gaussian(budget: Budget) -> None:
    """Raises InvalidInput for a budget that no Gaussian noise meets."""
    if not checked_budget(budget).takes_gaussian:
        raise InvalidInput("budget", str(budget), f"{kinds_with('takes_gaussian')} for Gaussian noise")


def largest_gaussian_shift(epsilon: Any, delta: Any) -> float | np.ndarray:
    """The largest mu with `gaussian_delta(mu, epsilon)` <= delta, rounded down; inf for an infinite epsilon."""
    return of_rows(lambda *numbers: _largest_shift(*numbers), epsilon, delta)


@cache
def _least_deviation(kind: type[Budget], names: tuple[str, ...], *numbers: float) -> float:
    budget = kind.checked(dict(zip(names, numbers, strict=True)))
    if budget.spent == np.inf:  # no noise is asked for
        return 0.0
    deviation = calibrate_gaussian(budget).value.floats[1]
    if deviation == np.inf:
        raise InvalidInput("budget", str(budget), "one whose noise fits into a float")
    return deviation


@cache
def _largest_shift(epsilon: float, delta: float) -> float:
    if epsilon == np.inf:
        return np.inf
    budget: Any = Budget.approximate(epsilon, delta)
    return Enclosure.outward(1 / calibrate_gaussian(budget).value.upper).floats[0]
