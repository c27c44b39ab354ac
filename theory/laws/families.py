"""One-parameter families of laws: Bernoulli, Gaussian with known sigma, Poisson, exponential.

A law is known by its mean, within the family of all laws of its kind. `kl(other)`, `tv(other)`, `renyi(other, alpha)`
are enclosures; `kl_inf(target)`, `tv_inf(target)` and `d_inf(target, epsilon)` are infima over the laws of the family
with mean > target, strictly, and return an `Infimum`: the enclosure, the laws behind its upper end, and a certificate
for its lower end that can be checked again. d_inf is

    inf over Q, P' of epsilon TV(P, Q) + KL(Q, P'),   mean(P) <= mean(Q) <= mean(P'),   mean(P') > target

Parameters are kept exactly: ints, floats (the dyadic rationals that they are), Fractions, strings such as "0.7", "2/3".
"""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from banditproof.theory.arguments import named
from banditproof.theory.laws import exponential_families as closed
from banditproof.theory.laws.bernoulli import d_epsilon_dx, d_epsilon_minimiser, kl_bernoulli
from banditproof.theory.laws.double_change import cheapest, lower_bound, objective
from banditproof.theory.laws.infimum import Infimum, dyadic
from banditproof.theory.laws.law import Law
from banditproof.theory.numbers.enclosure import Enclosure
from banditproof.theory.numbers.exact_numbers import exact
from banditproof.theory.numbers.logarithms import log_ratio
from banditproof.theory.numbers.numeric import least, log, log1p, most, sqrt, square, to_ball
from banditproof.theory.numbers.poisson_mass import poisson_mass


class _OneParameter(Law):
    """A family in its mean parametrisation. Certificates: for kl the multiplier lam <= 0 of lam x - log E_y e^(lam X),
    which decreases in lam's favour for every larger mean y; for tv the k of the event {X <= k}; for d breakpoints.
    """

    mean: Fraction
    largest_mean = math.inf

    def _with_mean(self, mean: Fraction) -> Any:
        return replace(self, mean=mean)  # pyright: ignore[reportArgumentType]

    def _kl(self, other: Any) -> Any:
        return self.kl_between(to_ball(self.mean), to_ball(other.mean))

    def _tv(self, other: Any) -> Any:
        return self.tv_between(to_ball(self.mean), to_ball(other.mean))

    def _solve(self, problem: Infimum) -> Infimum:
        target = problem.target
        better = replace(problem, alternative=self._with_mean(target), attained=False)
        if problem.divergence == "tv":
            return replace(better, certificate=self._crossing(target))
        if problem.divergence == "kl" or problem.epsilon == math.inf:
            between = None if problem.divergence == "kl" else self
            return replace(better, certificate=self._multiplier(target), intermediate=between)
        return self._solve_priced(better)

    def _solve_priced(self, problem: Infimum) -> Infimum:
        z, breakpoints = cheapest(self, self.mean, problem.target, to_ball(problem.epsilon))
        return replace(problem, intermediate=self._with_mean(z), certificate=breakpoints)

    def _ends(self, infimum: Infimum) -> tuple[Any, Any]:
        x, y, certificate = self.mean, infimum.target, infimum.certificate
        if infimum.divergence == "tv":
            lower = self.mass_up_to(certificate, to_ball(x)) - self.mass_up_to(certificate, to_ball(y))
            return lower, self.tv_between(to_ball(x), to_ball(y))
        if infimum.divergence == "d" and infimum.epsilon != math.inf:
            return self._priced_ends(infimum, infimum.intermediate.mean)
        return self._dual(certificate, y), self.kl_between(to_ball(x), to_ball(y))

    def _priced_ends(self, infimum: Infimum, z: Fraction) -> tuple[Any, Any]:
        x, y, epsilon = self.mean, infimum.target, to_ball(infimum.epsilon)
        return lower_bound(self, infimum.certificate, x, y, epsilon), objective(self, z, x, y, epsilon)

    def _dual(self, lam: Fraction, y: Fraction) -> Any:
        """lam x - log E_y e^(lam X) for lam <= 0, at most KL(P_x, P_m) for every m >= y."""
        return to_ball(lam * self.mean) - self.log_moment(to_ball(lam), to_ball(y))

    @abstractmethod
    def kl_between(self, x: Any, y: Any) -> Any:
        """KL between the laws with means x and y."""

    @abstractmethod
    def tv_between(self, x: Any, y: Any) -> Any:
        """TV between the laws with means x and y."""

    @abstractmethod
    def log_moment(self, lam: Any, y: Any) -> Any:
        """log E e^(lam X) under the law with mean y."""

    @abstractmethod
    def mass_up_to(self, k: Any, x: Any) -> Any:
        """P(X <= k) under the law with mean x."""

    @abstractmethod
    def _multiplier(self, y: Fraction) -> Fraction:
        """The lam <= 0 of the certificate for kl."""

    @abstractmethod
    def _crossing(self, y: Fraction) -> Fraction:
        """The k of the certificate for tv."""


@named
@dataclass(frozen=True)
class Bernoulli(_OneParameter):
    """The Bernoulli law with this mean in [0, 1], within the family of all Bernoulli laws.

    Raises InvalidInput. Source: BDP-D2.1c, TH-D2.25

    >>> Bernoulli(0.5).tv(Bernoulli("0.75")).decimal()
    '0.25'
    """

    mean: Any
    largest_mean = 1

    def __post_init__(self) -> None:
        mean = exact("mean", self.mean, lambda m: 0 <= m <= 1, "a number in [0, 1]")
        object.__setattr__(self, "mean", mean)

    def _renyi(self, other: Any, alpha: Any) -> Any:
        return closed.renyi_bernoulli(to_ball(self.mean), to_ball(other.mean), alpha)

    def kl_between(self, x: Any, y: Any) -> Any:
        """KL by means, in balls."""
        return kl_bernoulli(x, y)

    def tv_between(self, x: Any, y: Any) -> Any:
        """TV by means, in balls."""
        return abs(x - y)

    def log_moment(self, lam: Any, y: Any) -> Any:
        """log E e^(lam X)."""
        return log1p(y * lam.expm1())

    def mass_up_to(self, k: Any, x: Any) -> Any:
        """P[X <= k]."""
        return 1 - x if 0 <= k < 1 else to_ball(int(k >= 1))

    def _multiplier(self, y: Fraction) -> Fraction:
        return _finite(d_epsilon_dx(to_ball(self.mean), to_ball(y), math.inf))

    def _crossing(self, y: Fraction) -> Fraction:
        return Fraction(0)

    def _solve_priced(self, problem: Infimum) -> Infimum:
        x, y, epsilon = to_ball(self.mean), to_ball(problem.target), to_ball(problem.epsilon)
        z = min(max(dyadic(d_epsilon_minimiser(x, y, epsilon)), self.mean), problem.target)
        lam = max(_finite(d_epsilon_dx(x, y, epsilon)), -Fraction(problem.epsilon))
        return replace(problem, intermediate=Bernoulli(z), certificate=lam)

    def _priced_ends(self, infimum: Infimum, z: Fraction) -> tuple[Any, Any]:
        """For Bernoulli laws TV is linear, and a multiplier within [-epsilon, 0] certifies d_inf."""
        y = infimum.target
        return self._dual(infimum.certificate, y), objective(self, z, self.mean, y, to_ball(infimum.epsilon))


@named
@dataclass(frozen=True)
class Gaussian(_OneParameter):
    """The Gaussian law with this mean and known standard deviation sigma, within the laws with the same sigma.

    Raises InvalidInput. Source: TH-S2.2f

    >>> Gaussian(0).kl_inf(1).value.decimal()
    '0.5'
    """

    mean: Any
    sigma: Any = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "mean", exact("mean", self.mean, lambda _: True, "a finite number"))
        object.__setattr__(self, "sigma", exact("sigma", self.sigma, lambda s: s > 0, "a number in (0, inf)"))

    def _family(self) -> Any:
        return Gaussian, self.sigma

    def _renyi(self, other: Any, alpha: Any) -> Any:
        return closed.renyi_gaussian(to_ball(self.mean), to_ball(other.mean), alpha, to_ball(self.sigma))

    def kl_between(self, x: Any, y: Any) -> Any:
        """KL by means, in balls."""
        return closed.kl_gaussian(x, y, to_ball(self.sigma))

    def tv_between(self, x: Any, y: Any) -> Any:
        """TV by means, in balls."""
        return closed.tv_gaussian(x, y, to_ball(self.sigma))

    def log_moment(self, lam: Any, y: Any) -> Any:
        """log E e^(lam X)."""
        return lam * y + square(lam * to_ball(self.sigma)) / 2

    def mass_up_to(self, k: Any, x: Any) -> Any:
        """P[X <= k]."""
        return ((x - to_ball(k)) / (to_ball(self.sigma) * sqrt(to_ball(2)))).erfc() / 2

    def tv_slopes(self, x: Fraction, low: Fraction, high: Fraction) -> tuple[Any, Any]:
        """The range of the slope of TV(x, z) in z on [low, high]: it decreases."""
        sigma, root = to_ball(self.sigma), sqrt(2 * to_ball(0).pi())
        density = [(-square(to_ball(z - x) / (2 * sigma)) / 2).exp() / (sigma * root) for z in (high, low)]
        return density[0], density[1]

    def kl_slope(self, z: Any, y: Any) -> Any:
        """The slope of KL(z, y) in z."""
        return (z - y) / to_ball(self.sigma**2)

    def _multiplier(self, y: Fraction) -> Fraction:
        return (self.mean - y) / self.sigma**2

    def _crossing(self, y: Fraction) -> Fraction:
        return (self.mean + y) / 2


@named
@dataclass(frozen=True)
class Poisson(_OneParameter):
    """The Poisson law with this mean in [0, inf), within the family of all Poisson laws. Raises InvalidInput.

    Source: TH-D2.30

    >>> Poisson(1).tv_inf(2).value.decimal(5)
    '[0.32975, 0.32976]'
    """

    mean: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "mean", exact("mean", self.mean, lambda m: m >= 0, "a number in [0, inf)"))

    def _renyi(self, other: Any, alpha: Any) -> Any:
        return closed.renyi_poisson(to_ball(self.mean), to_ball(other.mean), alpha)

    def kl_between(self, x: Any, y: Any) -> Any:
        """KL by means, in balls."""
        return closed.kl_poisson(x, y)

    def tv_between(self, x: Any, y: Any) -> Any:
        """TV by means, in balls."""
        return closed.tv_poisson(x, y)

    def log_moment(self, lam: Any, y: Any) -> Any:
        """log E e^(lam X)."""
        return y * lam.expm1()

    def mass_up_to(self, k: Any, x: Any) -> Any:
        """P[X <= k]."""
        return x.gamma_upper(to_ball(math.floor(k) + 1), 1) if k >= 0 else to_ball(0)

    def tv_slopes(self, x: Fraction, low: Fraction, high: Fraction) -> tuple[Any, Any]:
        """The range of the slope z^k e^-z / k! of TV(x, z) in z on [low, high]: it decreases as long as k < z stays."""
        first, last = (self._last_preferred(x, z) for z in (low, high))
        if last[1] - first[0] > 40:
            return to_ball(0), to_ball(1)
        counts = range(first[0], last[1] + 1)
        smallest = least(poisson_mass(k, to_ball(high)) for k in counts)
        return smallest, most(poisson_mass(k, to_ball(max(low, Fraction(k)))) for k in counts)

    def kl_slope(self, z: Any, y: Any) -> Any:
        """The slope of KL(z, y) in z."""
        return log(z / y)

    def _last_preferred(self, x: Fraction, z: Fraction) -> tuple[int, int]:
        """Where the two laws cross: the count, or two candidates for it."""
        if x == 0 or x == z:
            return math.floor(x), math.floor(x)
        ends = Enclosure.from_ball(to_ball(z - x) / log1p(to_ball((z - x) / x)))
        return math.floor(ends.lower), math.floor(ends.upper)

    def _multiplier(self, y: Fraction) -> Fraction:
        return _finite(log_ratio(to_ball(self.mean), to_ball(y), to_ball(self.mean - y)))

    def _crossing(self, y: Fraction) -> Fraction:
        return Fraction(self._last_preferred(self.mean, y)[0])


@named
@dataclass(frozen=True)
class Exponential(_OneParameter):
    """The exponential law with this mean in (0, inf), within the family of all exponential laws. Raises InvalidInput.

    Source: TH-D2.30

    >>> Exponential(1).kl_inf(2).value.decimal(5)
    '[0.19314, 0.19315]'
    """

    mean: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "mean", exact("mean", self.mean, lambda m: m > 0, "a number in (0, inf)"))

    def _renyi(self, other: Any, alpha: Any) -> Any:
        return closed.renyi_exponential(to_ball(self.mean), to_ball(other.mean), alpha)

    def kl_between(self, x: Any, y: Any) -> Any:
        """KL by means, in balls."""
        return closed.kl_exponential(x, y)

    def tv_between(self, x: Any, y: Any) -> Any:
        """TV by means, in balls."""
        return closed.tv_exponential(x, y)

    def log_moment(self, lam: Any, y: Any) -> Any:
        """log E e^(lam X)."""
        return -log1p(-lam * y)

    def mass_up_to(self, k: Any, x: Any) -> Any:
        """P[X <= k]."""
        return -(-to_ball(k) / x).expm1() if k > 0 else to_ball(0)

    def tv_slopes(self, x: Fraction, low: Fraction, high: Fraction) -> tuple[Any, Any]:
        """The range of the slope of TV(x, z) in z on [low, high]: it decreases."""
        return self._tv_slope(x, high), self._tv_slope(x, low)

    def _tv_slope(self, x: Fraction, z: Fraction) -> Any:
        if z == x:
            return to_ball(-1).exp() / to_ball(z)
        ratio = to_ball((z - x) / x)
        t = log1p(ratio) / ratio  # the crossing of the densities, divided by z
        return t * (-t).exp() / to_ball(z)

    def kl_slope(self, z: Any, y: Any) -> Any:
        """The slope of KL(z, y) in z."""
        return (z - y) / (z * y)

    def _multiplier(self, y: Fraction) -> Fraction:
        return 1 / y - 1 / self.mean

    def _crossing(self, y: Fraction) -> Fraction:
        x, gap = to_ball(self.mean), to_ball(y - self.mean)
        return dyadic(x * to_ball(y) * log1p(gap / x) / gap)


def _finite(ball: Any) -> Fraction:
    """A multiplier; -inf, which belongs to a law at 0, is replaced by one that costs less than rounding."""
    from flint import ctx

    return dyadic(ball) if ball.is_finite() else Fraction(-2 * ctx.prec)
