"""Counts and special functions: doublings, binomial tails, gamma and zeta functions, the error function, pi."""

from __future__ import annotations

import math
from typing import Any

from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.exact_numbers import check_count
from banditproof.theory.numbers.normal_law import normal_cdf
from banditproof.theory.numbers.numeric import (
    BALL,
    FLOAT,
    MPF,
    SYMBOL,
    TERM,
    absolute,
    exp,
    joined,
    promote,
    sqrt,
    square,
    system,
    to_ball,
)
from banditproof.theory.numbers.ranges import check
from banditproof.theory.numbers.term import Term, quantity

_LAPLACE = {"scale": (5e-324, math.inf, "positive"), **dict.fromkeys(("least", "x"), (0, math.inf, "at least 0"))}
_DOMAINS = {"s": (1, math.inf, "above 1"), **dict.fromkeys(("a", "d", "x"), (0, math.inf, "positive"))}


@quantity
def pi() -> Any:
    """pi as ints count: a float, where a relation is called a ball, where it is traced a term.

    >>> pi()
    3.141592653589793
    """
    return _pi(1)


def _pi(beside: Any) -> Any:
    kind = system(beside)
    if kind == TERM:
        return Term("quantity", "pi")
    if kind == FLOAT:
        return math.pi
    if kind == SYMBOL:
        import sympy

        return sympy.pi
    if kind == MPF:
        import mpmath

        return +mpmath.pi
    return to_ball(0).pi()


@quantity
def doublings(n: int) -> int:
    """ceil(log2 n) for n >= 1: how often 1 is doubled until it is at least n.

    >>> doublings(8), doublings(9)
    (3, 4)
    """
    return (check_count("n", n, 1) - 1).bit_length()


@quantity
def binomial_tail(n: int, p: Any, least: int) -> Any:
    """The probability of at least `least` successes in n trials of chance p, each summand once: floats, exact, balls.

    >>> binomial_tail(3, 0.5, 2)
    0.5
    """
    check(p=p)
    counts = range(check_count("least", least, 0), check_count("n", n, 0) + 1)
    return sum((math.comb(n, s) * p**s * (1 - p) ** (n - s) for s in counts), 0 * p)


@quantity
def laplace_tail(x: Any) -> Any:
    """The probability that a Laplace variable of scale 1 is above x: e^-x / 2 from 0 on.

    >>> float(laplace_tail(0.0))
    0.5
    """
    return joined(x, ">=", 0, lambda: exp(-x) / 2, lambda: 1 - exp(x) / 2)


@quantity
def laplace_density(x: Any) -> Any:
    """The density of a Laplace variable of scale 1.

    >>> float(laplace_density(0.0))
    0.5
    """
    return exp(-absolute(x)) / 2


@quantity
def laplace_second_moment(centre: Any, scale: Any) -> Any:
    """E Y^2 for a Laplace variable Y of this centre and scale > 0.

    >>> float(laplace_second_moment(1.0, 2.0))
    9.0
    """
    check(_LAPLACE, scale=scale)
    return centre**2 + 2 * scale**2


@quantity
def largest_laplace_tail(n: Any, x: Any) -> Any:
    """The probability that the largest of n independent Laplace variables of scale 1 has a size of at least x >= 0.

    >>> float(largest_laplace_tail(2, 0.0))
    1.0
    """
    check(_LAPLACE, x=x)
    return 1 - (1 - exp(-x)) ** n


@quantity
def truncated_laplace_mean(centre: Any, least: Any, scale: Any) -> Any:
    """E[Y 1{|Y| > least}] for a Laplace variable Y of this centre and scale; least at least 0, scale above 0.

    On [y, inf) the integral of the density times its variable is (y + scale) e^(-(y - centre)/scale) / 2 from the
    centre on, and what is left of the centre below it.

    >>> float(truncated_laplace_mean(1.0, 0.0, 2.0))
    1.0
    """
    check(_LAPLACE, least=least, scale=scale)
    centre, least, scale = promote(centre, least, scale)

    def beyond(centre: Any) -> Any:  # the part above `least`
        far = (least + scale) / 2 * exp((centre - least) / scale)
        return joined(
            least, ">=", centre, lambda: far, lambda: centre - (least - scale) / 2 * exp((least - centre) / scale)
        )

    return beyond(centre) - beyond(-centre)


@quantity
def erfc(x: Any) -> Any:
    """2 Phi(-x sqrt(2)): for x >= 0 the probability that a normal variable of variance 1/2 is farther off its mean.

    >>> float(erfc(0.0))
    1.0
    """
    (x,) = promote(x)
    return 2 * normal_cdf(-sqrt(0 * x + 2) * x)


def normal_density(x: Any) -> Any:
    """The density of the standard normal law.

    >>> round(float(normal_density(0.0)), 6)
    0.398942
    """
    (x,) = promote(x)
    return exp(-square(x) / 2) / sqrt(2 * _pi(x))


@quantity
def chi_squared_tail(d: Any, x: Any) -> Any:
    """P(|X|^2 >= x) for a standard normal vector X of d > 0 coordinates and x > 0: floats, mpf, balls.

    >>> round(float(chi_squared_tail(2.0, 2.0)), 6)
    0.367879
    """
    check(_DOMAINS, d=d, x=x)
    d, x = promote(d, x)
    if system(d, x) == MPF:
        import mpmath

        return mpmath.gammainc(d / 2, x / 2, regularized=True)
    return _special((d / 2, x / 2), "gammaincc", "", "", lambda a, u: u.gamma_upper(a, 1))


@quantity
def log_gamma(x: Any) -> Any:
    """log Gamma(x) for x > 0: floats, mpf, balls, SymPy.

    >>> round(float(log_gamma(5.0)), 6)
    3.178054
    """
    check(_DOMAINS, x=x)
    return _special((x,), "gammaln", "loggamma", "loggamma", lambda x: x.lgamma())


@quantity
def digamma(x: Any) -> Any:
    """The derivative of log Gamma at x > 0: floats, mpf, balls, SymPy.

    >>> round(float(digamma(1.0)), 6)
    -0.577216
    """
    check(_DOMAINS, x=x)
    return _special((x,), "digamma", "digamma", "digamma", lambda x: x.digamma())


@quantity
def hurwitz_zeta(s: Any, a: Any) -> Any:
    """The sum of (a + k)^-s over k >= 0, for s > 1 and a > 0: floats, mpf, balls, SymPy.

    >>> round(float(hurwitz_zeta(2.0, 1.0)), 6)
    1.644934
    """
    check(_DOMAINS, s=s, a=a)
    return _special((s, a), "zeta", "zeta", "zeta", lambda s, a: s.zeta(a))


@quantity
def tricomi(a: Any, b: Any, x: Any) -> Any:
    """Tricomi's U(a, b, x), the integral of e^(-x t) t^(a - 1) (1 + t)^(b - a - 1) over t > 0, by Gamma(a); a, x > 0.

    Floats, mpf, balls.

    >>> float(tricomi(1.0, 2.0, 4.0))
    0.25
    """
    check(_DOMAINS, a=a, x=x)
    return _special((a, b, x), "hyperu", "hyperu", "", lambda a, b, x: x.hypgeom_u(a, b))


def _special(values: tuple[Any, ...], of_floats: str, of_mpf: str, of_symbols: str, of_balls: Any) -> Any:
    """A function of SciPy, mpmath, SymPy or flint on values that share a number system."""
    values = promote(*values)
    kind = system(*values)
    if kind == BALL:
        return of_balls(*values)
    if kind == FLOAT:
        from scipy import special

        return getattr(special, of_floats)(*values)
    if kind == MPF:
        import mpmath

        return getattr(mpmath, of_mpf)(*values)
    if kind == SYMBOL and of_symbols:
        import sympy

        return getattr(sympy, of_symbols)(*values)
    raise InvalidInput("value", values[-1], "a number of another kind: this function has no values of this kind")
