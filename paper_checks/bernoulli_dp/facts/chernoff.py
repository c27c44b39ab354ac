r"""The formulas behind the private Chernoff bound, each proved on its whole domain.

For 0 <= t < epsilon, Markov's inequality bounds P[S >= x] by exp(-phi(t)) (1 - t^2/epsilon^2)^-m, where
phi(t) = t x - n log(1 - mu + mu e^t) is concave with phi(0) = 0 and phi'(0) = D = x - n mu, and its maximum over
[0, epsilon], attained at t*, is Phi = n d_epsilon(x/n, mu) (BDP-DF1). At t = r t* this gives, with

    jensen_gap    = epsilon D - Phi >= 0            (phi lies below its tangent at 0, and t* <= epsilon),
    concavity_gap = phi(r t*) - r Phi >= 0,         ratio = t*/epsilon in (0, 1],

the exponents below. They hold for every value of the gaps, which is why no formula for t* is needed.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

from banditproof.claims.language import *
from banditproof.theory.privacy.wide_balls import x_log_x
from banditproof.verify import Formula
from banditproof.verify.forms.calculus import exponential_tail

TAILS = ("exact tail: a finite sum of closed forms, in balls", "the bound, in balls")


def at_either_side(of: Callable[[Any, Any], Any], n: Any, mu: Any, x: Any) -> Any:
    """The largest of what the statements say of the tails at x: of(mu, x) from n mu on, and up to n mu the mirror.

    The lower tail at x is the upper tail of n - S at n - x, with mean 1 - mu; at the mean both count.
    """
    upper = where(x, ">=", n * mu, lambda: of(mu, x), 0)
    return maximum(upper, where(x, "<=", n * mu, lambda: of(1 - mu, n - x), 0))


def laplace_mgf(t: Real, epsilon: Positive):
    """E e^(tY) for density epsilon/2 e^(-epsilon |y|): two integrals over half lines."""
    integrals = epsilon / 2 * (exponential_tail(epsilon - t, 0) + exponential_tail(epsilon + t, 0))
    return integrals, "==", epsilon * epsilon / (epsilon * epsilon - t * t)


def log_mgf_curvature(t: Real, mu: Inside):
    """The second derivative of log(1 - mu + mu e^t) is nonnegative."""
    return 0, "<=", _second_derivative()(t, mu)


@cache
def _second_derivative() -> Formula:
    import sympy

    t, mu = sympy.symbols("t mu")
    formula = sympy.factor(sympy.diff(sympy.log(1 - mu + mu * sympy.exp(t)), t, 2))
    return Formula((t, mu), formula)


def laplace_exponent(r: BelowOne, m: Count, offset=1, rate=1, power=0):
    """At t = epsilon r with 1 - r^2 = 1/(m u), u = epsilon z: the exponent -t z - m log(1 - r^2) is at most -f(z)."""
    u = 1 / (m * (1 - r * r))
    left = -u * r - m * log(1 - r * r)
    return left, "<=", offset - rate * u + (m + power) * log(1 + m * u)


def laplace_exponent_small(share: AboveZero, m: Count, offset=1, rate=1, power=0):
    """For m u = share <= 1 the printed c is 1, t is 0 and Markov's bound is 1: still at most e^(-f(z))."""
    return 0, "<=", offset - rate * share / m + (m + power) * log(1 + share)


def sharp_exponent(
    m: Count, r: BelowOne, ratio: AboveZero, jensen_gap: Nonnegative, concavity_gap: Nonnegative, euler=1, rate=1
):
    """For epsilon D >= m, with 1 - r^2 = m/(epsilon D): the exponent is at most m (euler + log(epsilon D/m)) - Phi."""
    phi = m / (1 - r * r) - jensen_gap
    return _markov_exponent(phi, r, ratio, concavity_gap, m), "<=", m * (euler - log(1 - r * r)) - rate * phi


def _markov_exponent(phi: Any, r: Any, ratio: Any, concavity_gap: Any, m: Any) -> Any:
    return -(r * phi + concavity_gap) - m * log(1 - r * r * ratio * ratio)


def sharp_exponent_small(m: Count, share: AboveZero, jensen_gap: Nonnegative, euler=1, rate=1):
    """For epsilon D = share m <= m the trivial bound 1 suffices."""
    return rate * (share * m - jensen_gap), "<=", m * euler


LOG_MGF = fact(log_mgf_curvature)
MGF_OF_LAPLACE = fact(laplace_mgf, where=["t < epsilon", "-epsilon < t"])
LAPLACE_SUM_FACTS = [MGF_OF_LAPLACE, fact(laplace_exponent), fact(laplace_exponent_small)]
SHARP_FACTS = [MGF_OF_LAPLACE, LOG_MGF, fact(sharp_exponent), fact(sharp_exponent_small)]
MARKOV = (
    "Markov's inequality at t = r t*, where phi is concave because log(1 - mu + mu e^t) has a nonnegative second "
    "derivative, and max phi = n d_epsilon(x/n, mu) (BDP-DF1); for D = 0 the bound exceeds 1; the lower tail is the "
    "upper tail of n - S, with mean 1 - mu"
)


def logarithm_below_root(t: Probability, root=2):
    """-2 t log t <= root; with t^2 = m/(epsilon D) <= 1 it says m log(epsilon D/m) <= root sqrt(epsilon D m)."""
    return -2 * x_log_x(t), "<=", root


def at_least_one(t: Probability, linear=1):
    """linear >= 1, which a derivation of a bound with that factor needs."""
    return 0, "<=", (linear - 1) * t


AT_LEAST_ONE = fact(at_least_one)
NOISE_FACTS = [fact(logarithm_below_root), AT_LEAST_ONE]


def proof_points(inside: bool = True) -> list[dict[str, Any]]:
    """Points on the mean, between the mean and n, and (unless the integrand would be singular there) at n."""
    sizes = [
        (1, 1, "1/2", "1"),
        (1, 3, "1/10", "1/20"),
        (6, 2, "1/3", "3"),
        (20, 1, "1/20", "1/2"),
        (20, 4, "9/10", "8"),
    ]
    shares = ("0", "1/3", "9/10") if inside else ("0", "1/3", "9/10", "1")
    return [
        {"n": n, "m": m, "mu": mu, "epsilon": Fraction(epsilon), "x": n * (mu + (1 - mu) * Fraction(share))}
        for n, m, mu, epsilon in ((n, m, Fraction(mu), epsilon) for n, m, mu, epsilon in sizes)
        for share in shares
    ]
