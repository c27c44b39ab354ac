"""From one notion of privacy to another: pure, zero-concentrated, Gaussian and approximate differential privacy.

The printed conversions of the thesis stand beside sharper ones; every function is an upper bound on the budget that the
other notion needs, and says where equality is attained.

Source: TH-P2.6
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banditproof.theory.arguments import named
from banditproof.theory.errors import InvalidInput
from banditproof.theory.hints import hint_of_swap
from banditproof.theory.numbers import ranges
from banditproof.theory.numbers.certified import of_numbers
from banditproof.theory.numbers.number_types import Number
from banditproof.theory.numbers.numeric import (
    FLOAT,
    MPF,
    exp,
    expm1,
    joined,
    log,
    log1p,
    maximum,
    minimum,
    product,
    sqrt,
    system,
)
from banditproof.theory.numbers.rounding import rounded_up

_OPEN_UNIT = "in (0, 1]"
_POSITIVE = (0, np.inf, "nonnegative")
_DOMAINS: ranges.Domains = {
    "epsilon": _POSITIVE,
    "rho": _POSITIVE,
    "mu": _POSITIVE,
    "delta": (0, 1, _OPEN_UNIT),
    "divergence": _POSITIVE,
    "order": (1, float(np.finfo(float).max), "greater than 1 and finite"),
}


@named
@of_numbers
def zcdp_of_pure(epsilon: Number) -> Any:
    """epsilon^2 / 2: an epsilon-DP mechanism is so much zCDP. Four number systems; `epsilon` >= 0.

    Source: TH-P2.6
    """
    (epsilon,) = ranges.inside(_DOMAINS, epsilon=epsilon)
    return epsilon * epsilon / 2


@named
@of_numbers
def sharp_zcdp_of_pure(epsilon: Number) -> Any:
    """epsilon tanh(epsilon / 2) <= epsilon^2 / 2, attained by randomised response as the order tends to 1.

    The log-moment of randomised response is log cosh((order - 1/2) epsilon) - log cosh(epsilon / 2), the integral of
    the concave tanh over an interval with middle order epsilon / 2; so D_order <= epsilon tanh(order epsilon / 2), and
    tanh(x)/x falls. Four number systems; `epsilon` >= 0.

    >>> float(sharp_zcdp_of_pure(0.0))
    0.0
    """
    (epsilon,) = ranges.inside(_DOMAINS, epsilon=epsilon)
    return -epsilon * expm1(-epsilon) / (1 + exp(-epsilon))


@named
@of_numbers
def epsilon_of_zcdp(rho: Number, delta: Number) -> Any:
    """rho + 2 sqrt(rho log(1/delta)): rho-zCDP implies (this, delta)-DP. Four number systems; `delta` in (0, 1].

    Source: TH-P2.6
    """
    hint_of_swap(rho, delta, ("rho", "delta"))
    rho, delta = ranges.inside(_DOMAINS, rho=rho, delta=delta)
    excess = joined(delta, "==", 1, 0 * delta, lambda: product(-log(delta), rho))
    return rho + 2 * sqrt(excess)


@named
@of_numbers
def epsilon_of_renyi(order: Number, divergence: Number, delta: Number) -> Any:
    """The epsilon of approximate DP at `delta` under a Rényi divergence at most `divergence` of one `order` > 1.

    divergence + log(1 - 1/order) - log(order delta)/(order - 1), sharper by the last two terms in `order` alone than
    Markov's inequality. Four number systems. The value may be negative; (0, delta)-DP then holds.
    """
    hint_of_swap(divergence, delta, ("divergence", "delta"))
    return _epsilon_of_renyi(order, divergence, delta)


def _epsilon_of_renyi(order: Number, divergence: Number, delta: Number) -> Any:
    order, divergence, delta = ranges.inside(_DOMAINS, order=order, divergence=divergence, delta=delta)
    if system(order) in (FLOAT, MPF) and not np.all(order > 1):
        raise InvalidInput("order", order, _DOMAINS["order"][2])
    return divergence + log1p(-1 / order) - log(order * delta) / (order - 1)


@named
def sharp_epsilon_of_zcdp(rho: float, delta: float) -> float:
    """The smallest `epsilon_of_renyi` over the orders of rho-zCDP, at most `epsilon_of_zcdp`; a float, rounded up.

    It is 0 where rho-zCDP bounds the total variation by delta. An upper bound: no exact value is known. Any order gives
    a valid bound, so that an inexact minimiser costs a little sharpness and no validity. Raises InvalidInput for
    rho < 0 or delta outside (0, 1].
    """

    def least(order: Any, rho: Any, delta: Any) -> Any:
        return maximum(minimum(epsilon_of_renyi(order, order * rho, delta), epsilon_of_zcdp(rho, delta)), 0)

    order = best_renyi_order(rho, delta)
    if rounded_up(lambda rho, delta: total_variation_of_zcdp(rho) - delta, rho, delta) <= 0:
        return 0.0
    return float(rounded_up(least, order, rho, delta))


def total_variation_of_zcdp(rho: Number) -> Any:
    """min(sqrt(rho / 2), sqrt(1 - e^-rho)): as order 1 is approached rho bounds the relative entropy.

    An upper bound of the total variation by Pinsker and by Bretagnolle and Huber. Four number systems; `rho` >= 0.
    """
    (rho,) = ranges.inside(_DOMAINS, rho=rho)
    return minimum(sqrt(rho / 2), sqrt(-expm1(-rho)))


def sharp_epsilon_of_pure(epsilon: Number, delta: Number) -> Any:
    """log(e^epsilon - delta (1 + e^epsilon)), at least 0: attained by randomised response.

    Its curve of delta is the largest one of all epsilon-DP mechanisms. Four number systems; `delta` in (0, 1].
    """
    epsilon, delta = ranges.inside(_DOMAINS, epsilon=epsilon, delta=delta)
    lost = delta * (1 + exp(-epsilon))
    return joined(lost, "<", -expm1(-epsilon), lambda: epsilon + log1p(-lost), 0 * delta)


def best_renyi_order(rho: float, delta: float) -> float:
    """The order > 1 at which `epsilon_of_renyi` of rho-zCDP is smallest, as a float."""
    from scipy.optimize import minimize_scalar

    rho, delta = ranges.inside(_DOMAINS, rho=rho, delta=delta)
    for name, value in (("rho", rho), ("delta", delta)):
        if np.ndim(value):
            raise InvalidInput(name, value, "one number")
    rho, delta = float(rho), float(delta)
    if delta == 0:
        raise InvalidInput("delta", delta, _OPEN_UNIT)

    def objective(log_excess: float) -> float:
        order = 1 + np.exp(log_excess)
        return float(_epsilon_of_renyi(order, order * rho, delta))

    optimum: Any = minimize_scalar(objective, bounds=(-20.0, 40.0), method="bounded")
    return float(1 + np.exp(optimum.x))


def zcdp_of_gaussian(mu: Any) -> Any:
    """mu^2 / 2: mu-Gaussian DP implies so much zCDP, attained by the Gaussian mechanism. Four number systems."""
    (mu,) = ranges.inside(_DOMAINS, mu=mu)
    return mu * mu / 2
