r"""Appendix D: the proof of the private Chernoff bound, (17) to (26), step by step.

Notation of the paper: f_m and F_m are density and tail of the Laplace sum Z_m; P-bar(y) = e^(-n kl(y/n, mu)) for
y >= n mu (and 1 below) is the Chernoff bound of P[S_n >= y]; D = x - n mu;
f(z) = epsilon z - 1 - m log(1 + m epsilon z).
Sums are exact; integrals are evaluated by Arb's rigorous integrator, so every number is a ball that contains it.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, reduce
from itertools import pairwise
from typing import Any

from banditproof.claims.language import *
from banditproof.paper_checks.bernoulli_dp.facts.chernoff import AT_LEAST_ONE, LAPLACE_SUM_FACTS, proof_points
from banditproof.theory import d_epsilon, laplace_sum_bound, laplace_sum_tail, noisy_sum_tail, tail_coefficients
from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.numeric import comb
from banditproof.theory.numbers.term import asked_by
from banditproof.verify import Formula

FROM_THE_MEAN_TO_N = ["x >= n * mu", "x <= n"]
HALF = Fraction(1, 2)
EVALUATIONS = 5000  # of an integrand: a ball that needs more is too wide to decide anything
INTEGRALS = ("left side, integrals by Arb's rigorous integrator", "right side, in balls")

item(
    "BDP-EQ17",
    r"""the numbered relations (19) to (26) of the proof of the private Chernoff bound, for $n\mu\le x\le n$, where they
    are defined; (17) and (18) are definitions and (20) is Lemma H.6""",
    domain=Domain.of(
        n="integer [1, inf)",
        m="integer [1, inf)",
        mu="(0, 1)",
        epsilon="(0, inf)",
        x="(-inf, inf)",
        where=FROM_THE_MEAN_TO_N,
    ),
)


def integral(
    shape: Callable[[Any], Any], weight: Callable[[Any, bool], Any], epsilon: Any, start: Any, stop: Any
) -> Any:
    """The integral over (start, stop) of shape(u) e^-u weight(z), u = epsilon z, as a ball."""
    from flint import acb

    scale = acb(to_ball(epsilon))
    if start == stop:
        return to_ball(0)
    ends = acb(to_ball(start)), acb(to_ball(stop))
    return acb.integral(
        lambda z, analytic: shape(scale * z) * (-scale * z).exp() * weight(z, analytic), *ends, eval_limit=EVALUATIONS
    ).real


def polynomial(coefficients: Sequence[Any]) -> Callable[[Any], Any]:
    """c_0 + c_1 u + c_2 u^2 + ..., by Horner: an integral asks for it at thousands of points."""
    return lambda u: reduce(lambda value, c: value * u + c, reversed(coefficients))


def tail_shape(m: int) -> Callable[[Any], Any]:
    """F_m(z) e^u as a polynomial of u."""
    return polynomial([to_ball(c) for c in tail_coefficients(m)])


def density_shape(m: int, epsilon: Any) -> Callable[[Any], Any]:
    """f_m(z) e^u = -F_m'(z) e^u, by the product rule."""
    tau = [*tail_coefficients(m), 0]
    return polynomial([to_ball(epsilon) * to_ball(c - i * after) for i, (c, after) in enumerate(pairwise(tau), 1)])


def bound_shape(m: int) -> Callable[[Any], Any]:
    """e^(-f(z)) e^u = e (1 + m u)^m."""
    return lambda u: to_ball(1).exp() * (1 + m * u) ** m


def chernoff_weight(n: int, mu: Any, x: Any, slope: bool) -> Callable[[Any, bool], Any]:
    """z -> P-bar(x - z), or -P-bar'(x - z) = kl'((x - z)/n, mu) P-bar(x - z), for x - z in [n mu, n)."""
    from flint import acb

    mu_, x_ = acb(to_ball(mu)), acb(to_ball(x))

    def weight(z: Any, analytic: bool) -> Any:
        y = (x_ - z) / n
        first, second = (y / mu_).log(analytic), ((1 - y) / (1 - mu_)).log(analytic)
        value = (-n * (y * first + (1 - y) * second)).exp()
        return value * (first - second) if slope else value

    return weight


def chernoff(n: int, mu: Any, y: Any) -> Any:
    """P-bar(y) for y <= n: the Chernoff bound from n mu on, and the trivial bound 1 below."""
    return where(y, ">=", n * mu, lambda: exp(-n * kl_bernoulli(to_ball(y) / n, mu)), to_ball(1))


@claim(
    "BDP-EQ17/19",
    enumerated(
        proof_points(inside=False),
        rational=True,
        routes=("exact tail", "sum over the values of S_n with exact Laplace tails"),
    ),
    false={"half": 0},
    where=FROM_THE_MEAN_TO_N,
)
def split_at_zero(n: Count, m: Count, mu: Inside, epsilon: Positive, x: Real, half=HALF):
    r"""(19) $\Pr[\tilde S\ge x]\le\frac12\Pr[S_n\ge x]+\int_0^\infty f_m(z)\Pr[S_n\ge x-z]\,dz$

    For z < 0 the probability is at most its value at z = 0, and Z_m is negative with probability 1/2.
    """

    def summand(s: Any) -> Any:
        tail = laplace_sum_tail(m, to_ball(epsilon * maximum(0, x - s)))
        return to_ball(comb(n, s) * mu**s * (1 - mu) ** (n - s)) * (where(s, ">=", x, to_ball(half), 0) + tail)

    return noisy_sum_tail(n, m, mu, epsilon, x), "<=", total(summand, 0, n)


def regular_part(n: int, m: int, mu: Any, epsilon: Any, x: Any) -> tuple[Any, ...]:
    """From where on the integrands are regular, up to which deviation; P-bar and F_m at both ends of what is before.

    P-bar = 0 above n (kl = infinity) and P-bar = 1 below n mu. If x >= n, -P-bar' is singular at x - z = n; on a short
    interval around this point the monotone functions are bracketed instead.
    """
    start = maximum(0, x - n)
    regular = start + where(x, ">=", n, Fraction(1, 2**40), 0)
    outer, inner = chernoff(n, mu, x - start), chernoff(n, mu, x - regular)
    high, low = (laplace_sum_tail(m, to_ball(epsilon * z)) for z in (start, regular))
    return regular, x - n * mu, outer, inner, high, low


def around_the_integrals(n: int, m: int, mu: Any, epsilon: Any, x: Any) -> Any:
    """All but the integrals below, which have values wherever this has."""
    _, deviation, *_ = regular_part(n, m, mu, epsilon, x)
    return laplace_sum_tail(m, to_ball(epsilon * deviation))


@asked_by(around_the_integrals)
def noise_density_integral(n: int, m: int, mu: Any, epsilon: Any, x: Any) -> Any:
    """The integral of f_m(z) P-bar(x - z) over z >= 0, a ball."""
    regular, deviation, outer, inner, high, low = regular_part(n, m, mu, epsilon, x)
    whole = integral(density_shape(m, epsilon), chernoff_weight(n, mu, x, False), epsilon, regular, deviation)
    return laplace_sum_tail(m, to_ball(epsilon * deviation)) + (high - low) * outer.union(inner) + whole


@asked_by(regular_part)
def noise_tail_integral(n: int, m: int, mu: Any, epsilon: Any, x: Any) -> Any:
    """The integral of F_m(z) (-P-bar'(x - z)) over z >= 0, a ball."""
    regular, deviation, outer, inner, high, low = regular_part(n, m, mu, epsilon, x)
    whole = integral(tail_shape(m), chernoff_weight(n, mu, x, True), epsilon, regular, deviation)
    return (inner - outer) * low.union(high) + whole


def below_n(n: int, m: int, mu: Any, epsilon: Any, x: Any) -> None:
    if not (x < n and x >= n * mu):
        raise InvalidInput("x", x, "certainly from n mu on and below n")


@asked_by(below_n)
def noise_bound_integral(n: int, m: int, mu: Any, epsilon: Any, x: Any) -> Any:
    """The integral of e^-f(z) (-P-bar'(x - z)) over 0 <= z <= x - n mu, a ball; n mu <= x < n, where it is regular."""
    below_n(n, m, mu, epsilon, x)
    return integral(bound_shape(m), chernoff_weight(n, mu, x, True), epsilon, 0, x - n * mu)


@claim("BDP-EQ17/21", enumerated(proof_points(), rational=True, routes=INTEGRALS), where=FROM_THE_MEAN_TO_N)
def integration_by_parts(n: Count, m: Count, mu: Inside, epsilon: Positive, x: Real, jump=0):
    r"""(21) $\int_0^\infty f_m(z)\bar P(x-z)\,dz=\frac12\bar P(x)+\int_0^\infty F_m(z)(-\bar P'(x-z))\,dz$ (equality up
    to 1/10000000000)"""
    given = n, m, mu, epsilon, x
    left = noise_density_integral(*given)
    right = where(x, "<=", n, lambda: chernoff(n, mu, x) / 2, 0) + noise_tail_integral(*given)
    if jump:
        right += mu**n * laplace_sum_tail(m, epsilon * (x - n))
    return abs(left - right), "<=", Fraction(1, 10**10)


@claim(
    "BDP-EQ17/21-beyond-n", fails_at(n=1, m=1, mu=HALF, epsilon=1, x=2, rational=True), where=["x > n"], role="reading"
)
def by_parts_beyond_n(n: Count, m: Count, mu: Inside, epsilon: Positive, x: Real, jump=0):
    r"""(21) $\int_0^\infty f_m(z)\bar P(x-z)\,dz=\frac12\bar P(x)+\int_0^\infty F_m(z)(-\bar P'(x-z))\,dz$ (equality up
    to 1/10000000000) for $x>n$, where $\mathrm{kl}(y,\mu)$ is read as $\infty$ for $y>1$, so that $\bar P=0$ above $n$

    P-bar jumps from mu^n to 0 at n, and integration by parts has to include this jump.
    """
    return integration_by_parts(n, m, mu, epsilon, x, jump)


@repaired(
    "BDP-EQ17/21-with-jump",
    "BDP-EQ17/21-beyond-n",
    enumerated(
        [{"n": n, "m": m, "mu": HALF, "epsilon": 1, "x": x} for n, m, x in ((1, 1, 2), (3, 2, 4))],
        rational=True,
        routes=INTEGRALS,
    ),
)
def by_parts_with_the_jump(jump=1):
    r"""(21) $\int_0^\infty f_m(z)\bar P(x-z)\,dz=\frac12\bar P(x)+\int_0^\infty F_m(z)(-\bar P'(x-z))\,dz$ (equality up
    to 1/10000000000), for $x>n$ with $\mu^nF_m(x-n)$ added on the right for the jump of $\bar P$ at $n$"""


@claim("BDP-EQ17/23", deduced(), false={"factor": "1.1"})
def chernoff_slope(n: Count, y: Inside, mu: Inside, factor=1):
    r"""(23) $-\bar P'(z)=\mathrm{kl}'(z/n,\mu)e^{-n\mathrm{kl}(z/n,\mu)}$, here with $y=z/n$

    The derivative is computed automatically; the right-hand side is the printed one.
    """
    printed = log(y * (1 - mu) / ((1 - y) * mu)) * _chernoff_formula(n, y, mu)
    return _minus_derivative()(n, y, mu), "==", factor * printed


def _chernoff_formula(n: Any, y: Any, mu: Any) -> Any:
    return exp(-n * (y * log(y / mu) + (1 - y) * log((1 - y) / (1 - mu))))


@cache
def _minus_derivative() -> Formula:
    import sympy

    z, n, y, mu = sympy.symbols("z n y mu", positive=True, cls=sympy.Dummy)
    bound = _chernoff_formula(n, z / n, mu)
    slope = (sympy.simplify(-sympy.diff(bound, z) / bound) * bound).subs(z, n * y)
    return Formula((n, y, mu), slope)


def slope_nonnegative(y: Inside, mu: Inside):
    return 0, "<=", log(y * (1 - mu) / ((1 - y) * mu))


SLOPE_FACTS = [fact(chernoff_slope), fact(slope_nonnegative, where=["y >= mu"])]


@claim(
    "BDP-EQ17/22",
    enumerated(proof_points(), rational=True, routes=INTEGRALS),
    argued(
        "F_m <= e^(-f) (BDP-LD.1) under the integral of -P-bar' >= 0 over z < D; beyond D the integrand is zero",
        *LAPLACE_SUM_FACTS,
        *SLOPE_FACTS,
        AT_LEAST_ONE,
    ),
    false={"linear": "0.05"},
    where=FROM_THE_MEAN_TO_N,
)
def laplace_bound_under_the_integral(n: Count, m: Count, mu: Inside, epsilon: Positive, x: Real, linear=1):
    r"""(22) $\int_0^\infty F_m(z)(-\bar P'(x-z))\,dz\le\big(\int_0^{x-n\mu}e^{-f(z)}(-\bar
    P'(x-z))\,dz+e^{-f(x-n\mu)}\big)$"""
    given = n, m, mu, epsilon, x
    right = noise_bound_integral(*given) + laplace_sum_bound(m, x - n * mu, epsilon)
    return noise_tail_integral(*given), "<=", linear * right


@claim(
    "BDP-EQ17/24",
    enumerated(proof_points(), rational=True, routes=INTEGRALS),
    argued(
        "with y = (x - z)/n the exponential factors are at most e^(-n d_epsilon), by the definition of d_epsilon as "
        "an infimum; (1 + m epsilon z)^m is largest at z = D; kl' integrates to kl(x/n, mu), at most kl(1, mu) as "
        "kl' >= 0",
        *SLOPE_FACTS,
        AT_LEAST_ONE,
    ),
    false={"linear": "0.5"},
    where=FROM_THE_MEAN_TO_N,
)
def divergence_out_of_the_integral(n: Count, m: Count, mu: Inside, epsilon: Positive, x: Real, linear=1):
    r"""(24) $\int_0^{x-n\mu}e^{-f(z)}(-\bar P'(x-z))\,dz\le
    e^{-nd_\epsilon(x/n,\mu)}\,n\,e\,(1+m\epsilon(x-n\mu))^m\log\frac1\mu$

    kl' is unbounded near 1, but the bound only uses its integral kl(x/n, mu) <= kl(1, mu) = log(1/mu).
    """
    constant = n * exp(1) * (1 + m * epsilon * (x - n * mu)) ** m * -log(mu)
    bound = linear * constant * exp(-n * d_epsilon(x / n, mu, epsilon))
    return noise_bound_integral(n, m, mu, epsilon, x), "<=", bound
