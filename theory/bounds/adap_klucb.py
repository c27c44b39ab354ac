"""The regret bound of AdaP-KLUCB, the earlier private algorithm the paper compares with, as far as it is specified.

For tau > 3, Reg_T <= sum over suboptimal arms of Delta_a C_a log T + 3 tau / (tau - 3), where

    C_a = inf over beta > 0 with c(beta) > gamma of max{ (1 + beta) tau / kl(mu_a, mu*), (1 + tau) / ((c(beta) - gamma) epsilon Delta_a) },
    kl(mu_a + c(beta) Delta_a, mu*) = kl(mu_a, mu*) / (1 + beta),
    kl(mu_a + gamma Delta_a, mu_a) = log(T) / 2^l    in phase l.

The printed bound writes C_a as C_1(tau) / min{kl, C_2 epsilon Delta_a} and leaves the phase l open. It is an argument
here; gamma -> 0 as l grows, so gamma = 0 gives the smallest value that any reading allows.

All functions take numbers, Fractions, decimal strings or balls and return flint balls or Enclosures.

Source: BDP-EQ49
"""  # noqa: E501

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from banditproof.theory.arguments import named
from banditproof.theory.errors import InvalidInput
from banditproof.theory.laws.bernoulli import kl_bernoulli
from banditproof.theory.laws.instance import instance_of
from banditproof.theory.numbers.enclosure import Enclosure
from banditproof.theory.numbers.exact_numbers import check_count
from banditproof.theory.numbers.numeric import log, to_ball, working_precision
from banditproof.theory.numbers.roots import crossing
from banditproof.theory.numbers.term import quantity

_BITS = 256  # near ties of means cancel about a hundred
_STEPS = 100


@dataclass(frozen=True)
class AdaPKLUCBTerm:
    """C_a of one suboptimal arm with the values at which the infimum is taken; inf if no beta is admissible."""

    coefficient: Enclosure
    beta: Enclosure
    c: Enclosure
    gamma: Enclosure


def separation(beta: Any, mean: Any, best: Any) -> Any:
    """c(beta) in [0, 1], a ball: kl(mu_a + c Delta_a, mu*) = kl(mu_a, mu*) / (1 + beta), for beta >= 0.

    Needs 0 < mean < best < 1. Source: BDP-EQ49
    """
    mean, best, gap = _pair(mean, best)
    beta = _positive("beta", beta, or_zero=True)
    target = kl_bernoulli(mean, best) / (1 + beta)
    return _crossing(lambda c: target - kl_bernoulli(mean + c * gap, best))


@quantity
def deviation_share(level: Any, mean: Any, best: Any) -> Any:
    """gamma >= 0, a ball: kl(mu_a + gamma Delta_a, mu_a) = level, where level = log(T) / 2^l.

    inf if even the mean 1 is closer than level; gamma >= 1 leaves no admissible beta. Needs 0 < mean < best < 1.

    Source: BDP-EQ49
    """
    mean, best, gap = _pair(mean, best)
    level = _positive("level", level, or_zero=True)
    if level > kl_bernoulli(1, mean):
        return to_ball("inf")
    if not level <= kl_bernoulli(1, mean):  # somewhere in the ball it may be infinite
        return to_ball(0).union(to_ball("inf"))
    if level == 0:
        return to_ball(0)
    furthest = (1 - mean) / gap
    magnified = math.ceil(Enclosure.from_ball(furthest).upper).bit_length()  # bits that the share loses in gamma
    return furthest * _crossing(lambda share: kl_bernoulli(mean + share * (1 - mean), mean) - level, _STEPS + magnified)


@named
def adap_klucb_term(mean: Any, best: Any, epsilon: Any, tau: Any, gamma: Any = 0) -> AdaPKLUCBTerm:
    """C_a, enclosed, for one suboptimal arm: the two parts of the maximum cross once, and there the infimum is taken.

    With c for beta as variable they are tau / kl(mu_a + c Delta_a, mu*), increasing, and (1 + tau) / ((c - gamma)
    epsilon Delta_a), decreasing. Needs 0 < mean < best < 1, epsilon > 0, tau > 3, gamma >= 0.

    Source: BDP-EQ49
    """
    mean, best, gap = _pair(mean, best)
    epsilon, gamma = _positive("epsilon", epsilon), _positive("gamma", gamma, or_zero=True)
    tau = _exploration(tau)
    if not gamma < 1:
        unbounded = Enclosure(math.inf if gamma >= 1 else 0, math.inf)
        return AdaPKLUCBTerm(unbounded, unbounded, unbounded, Enclosure.from_ball(gamma))

    def kl_at(c: Any) -> Any:
        return kl_bernoulli(mean + c * gap, best)

    def excess(c: Any) -> Any:  # sign of the increasing part minus the decreasing one, without divisions
        return tau * (c - gamma) * epsilon * gap - (1 + tau) * kl_at(c)

    c = _crossing(excess)
    coefficient, beta = tau / kl_at(c), kl_bernoulli(mean, best) / kl_at(c) - 1
    return AdaPKLUCBTerm(*(Enclosure.from_ball(ball) for ball in (coefficient, beta, c, gamma)))


@named
def adap_klucb_regret_bound(means: Any, epsilon: Any, tau: Any, horizon: Any, phase: int | None = None) -> Enclosure:
    """sum of Delta_a C_a log T + 3 tau / (tau - 3) over suboptimal arms; `phase` = l, None for the limit gamma = 0.

    inf if some arm admits no beta in this phase. Needs means in (0, 1), tau > 3, horizon >= 1.

    Source: BDP-EQ49
    """
    instance = instance_of(means)
    with working_precision(_BITS):
        tau, rounds = _exploration(tau), to_ball(horizon)
        if not rounds >= 1:
            raise InvalidInput("horizon", horizon, "at least 1")
        level = to_ball(0) if phase is None else log(rounds) / 2 ** check_count("phase", phase, 0)
        total = to_ball(0)
        for mean, gap in zip(instance.means, instance.gaps, strict=True):
            if gap:
                gamma = deviation_share(level, mean, instance.best_mean)
                coefficient = adap_klucb_term(mean, instance.best_mean, epsilon, tau, gamma).coefficient.ball()
                total += to_ball(gap) * coefficient * log(rounds) + 3 * tau / (tau - 3)
    return Enclosure.from_ball(total)


def _crossing(increasing: Callable[[Any], Any], steps: int = _STEPS) -> Any:
    """A ball around the zero in [0, 1] of an increasing function with a sign change there."""
    return crossing(increasing, to_ball(0), to_ball(1), steps)


def _pair(mean: Any, best: Any) -> tuple[Any, Any, Any]:
    mean, best = to_ball(mean), to_ball(best)
    if not (mean > 0 and mean < best and best < 1):
        raise InvalidInput("mean, best", (mean, best), "0 < mean < best < 1")
    return mean, best, best - mean


def _positive(parameter: str, value: Any, or_zero: bool = False) -> Any:
    ball = to_ball(value)
    if ball.is_nan() or not (ball > 0 or or_zero and not ball < 0):
        raise InvalidInput(parameter, value, "at least 0" if or_zero else "positive")
    return ball


def _exploration(tau: Any) -> Any:
    ball = to_ball(tau)
    if not ball > 3:
        raise InvalidInput("tau", tau, "greater than 3")
    return ball
