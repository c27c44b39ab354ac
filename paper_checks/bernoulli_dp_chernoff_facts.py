"""The formulas behind the private Chernoff bound, each proved symbolically on its whole domain.

For 0 <= t < epsilon, Markov's inequality bounds P[S >= x] by exp(-phi(t)) (1 - t^2/epsilon^2)^-m, where
phi(t) = t x - n log(1 - mu + mu e^t) is concave with phi(0) = 0 and phi'(0) = D = x - n mu, and its maximum over
[0, epsilon], attained at t*, is Phi = n d_epsilon(x/n, mu) (BDP-DF1). At t = r t* this gives, with

    jensen_gap    = epsilon D - Phi >= 0            (phi lies below its tangent at 0, and t* <= epsilon),
    concavity_gap = phi(r t*) - r Phi >= 0,         ratio = t*/epsilon in (0, 1],

the exponents below. They hold for every value of the gaps, which is why no formula for t* is needed.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from banditproof.paper_checks.derivation import fact
from banditproof.theory import numeric
from banditproof.theory.logarithms import kl_term
from banditproof.theory.numeric import SYMBOL, exp, log, system
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]


def _symbols(names: str, **assumptions: Any) -> Any:
    import sympy

    return sympy.symbols(names, **assumptions)


# ----------------------------------------------------------------------------------------- moment generating functions


def laplace_mgf(t: Any, epsilon: Any) -> Sides:
    """E e^(tY) for density epsilon/2 e^(-epsilon |y|): two integrals over half lines."""
    return (
        epsilon / 2 * (_half_line(epsilon - t) + _half_line(epsilon + t)),
        "==",
        epsilon * epsilon / (epsilon * epsilon - t * t),
    )


def _half_line(rate: Any) -> Any:
    """The integral of e^(-rate y) over y > 0."""
    if system(rate) != SYMBOL:
        return 1 / rate
    import sympy

    y: Any = sympy.Symbol("y", positive=True)
    slope: Any = sympy.factor(rate)
    return sympy.integrate(sympy.exp(-slope * y), (y, 0, sympy.oo))


def laplace_mgf_argument() -> SymbolicArgument:
    s, epsilon = _symbols("s epsilon", positive=True)
    return SymbolicArgument({"t": epsilon * (s - 1) / (s + 1), "epsilon": epsilon}, 0, "zero")


LAPLACE_MGF = Domain.of(t="(-inf, inf)", epsilon="(0, inf)", where=["t < epsilon", "-epsilon < t"])


def log_mgf_curvature(t: Any, mu: Any) -> Sides:
    """The second derivative of log(1 - mu + mu e^t) is nonnegative."""
    return 0, "<=", _second_derivative()(t, mu)


@cache
def _second_derivative() -> Any:
    import sympy

    t, mu = sympy.symbols("t mu")
    formula = sympy.factor(sympy.diff(sympy.log(1 - mu + mu * sympy.exp(t)), t, 2))
    return sympy.lambdify((t, mu), formula, [{"exp": numeric.exp, "log": numeric.log}])


def log_mgf_curvature_argument() -> SymbolicArgument:
    import sympy

    t, odds = _symbols("t", real=True), _symbols("odds", positive=True)
    certificate = odds * sympy.exp(t) / (1 + odds * sympy.exp(t)) ** 2
    return SymbolicArgument({"t": t, "mu": odds / (1 + odds)}, certificate, "positive")


LOG_MGF = fact(log_mgf_curvature, Domain.of(t="(-inf, inf)", mu="(0, 1)"), log_mgf_curvature_argument)


# ------------------------------------------------------------------------------ exponents of Markov's inequality (LD.1)


def laplace_exponent(r: Any, m: Any, offset: Any = 1, rate: Any = 1, power: Any = 0) -> Sides:
    """At t = epsilon r with 1 - r^2 = 1/(m u), u = epsilon z: the exponent -t z - m log(1 - r^2) is at most -f(z)."""
    u = 1 / (m * (1 - r * r))
    left = -u * r - m * log(1 - r * r)
    return left, "<=", offset - rate * u + (m + power) * log(1 + m * u)


def laplace_exponent_argument() -> SymbolicArgument:
    import sympy

    k, w = _symbols("k", integer=True, nonnegative=True), _symbols("w", nonnegative=True)
    r, m = w / (1 + w), 1 + k
    certificate = (k + m * r) / (m * (1 + r)) + m * sympy.log(1 + (1 + 2 * w) / (1 + w) ** 2)
    return SymbolicArgument({"r": r, "m": m}, certificate, "nonnegative")


LAPLACE_EXPONENT = Domain.of(r="[0, 1)", m="integer [1, inf)")


def laplace_exponent_small(share: Any, m: Any, offset: Any = 1, rate: Any = 1, power: Any = 0) -> Sides:
    """For m u = share <= 1 the printed c is 1, t is 0 and Markov's bound is 1: still at most e^(-f(z))."""
    return 0, "<=", offset - rate * share / m + (m + power) * log(1 + share)


def laplace_exponent_small_argument() -> SymbolicArgument:
    import sympy

    k, s = _symbols("k", integer=True, nonnegative=True), _symbols("s", nonnegative=True)
    certificate = (k + s + k * s) / ((1 + s) * (1 + k)) + (1 + k) * sympy.log(1 + 1 / (1 + s))
    return SymbolicArgument({"share": 1 / (1 + s), "m": 1 + k}, certificate, "nonnegative")


LAPLACE_EXPONENT_SMALL = Domain.of(share="(0, 1]", m="integer [1, inf)")

LAPLACE_SUM_FACTS = [
    fact(laplace_mgf, LAPLACE_MGF, laplace_mgf_argument),
    fact(laplace_exponent, LAPLACE_EXPONENT, laplace_exponent_argument),
    fact(laplace_exponent_small, LAPLACE_EXPONENT_SMALL, laplace_exponent_small_argument),
]


# ------------------------------------------------------------------ exponents of Markov's inequality (DF6, hence LD.3)


def _markov_exponent(phi: Any, r: Any, ratio: Any, concavity_gap: Any, m: Any) -> Any:
    return -(r * phi + concavity_gap) - m * log(1 - r * r * ratio * ratio)


def sharp_exponent(
    m: Any, r: Any, ratio: Any, jensen_gap: Any, concavity_gap: Any, euler: Any = 1, rate: Any = 1
) -> Sides:
    """For epsilon D >= m, with 1 - r^2 = m/(epsilon D): the exponent is at most m (euler + log(epsilon D/m)) - Phi."""
    phi = m / (1 - r * r) - jensen_gap
    return _markov_exponent(phi, r, ratio, concavity_gap, m), "<=", m * (euler - log(1 - r * r)) - rate * phi


def sharp_exponent_argument() -> SymbolicArgument:
    m, r, ratio, gaps, noise = _tilted()
    certificate = m * r / (1 + r) + (1 - r) * gaps[0] + gaps[1] + m * noise
    return SymbolicArgument(_named(m, r, ratio, gaps), certificate, "nonnegative")


def simple_exponent(
    m: Any, r: Any, ratio: Any, jensen_gap: Any, concavity_gap: Any, euler: Any = 1, rate: Any = 1
) -> Sides:
    """For m epsilon D >= 1, 1 - r^2 = 1/(m epsilon D): the exponent is at most euler + m log(1 + m epsilon D) - Phi."""
    phi = 1 / (m * (1 - r * r)) - jensen_gap
    right = euler + m * (log(2 - r * r) - log(1 - r * r)) - rate * phi
    return _markov_exponent(phi, r, ratio, concavity_gap, m), "<=", right


def simple_exponent_argument() -> SymbolicArgument:
    import sympy

    m, r, ratio, gaps, noise = _tilted()
    w = _symbols("w", nonnegative=True)
    price = (m - 1 + m * r) / (m * (1 + r))
    certificate = price + (1 - r) * gaps[0] + gaps[1] + m * noise + m * sympy.log(1 + (1 + 2 * w) / (1 + w) ** 2)
    return SymbolicArgument(_named(m, r, ratio, gaps), certificate, "nonnegative")


def _tilted() -> tuple[Any, Any, Any, Any, Any]:
    """m, r = w/(1+w), ratio = 1/(1+i), the gaps, and log((1 - r^2 ratio^2)/(1 - r^2)) as the log of 1 + something."""
    import sympy

    k, (w, i, *gaps) = _symbols("k", integer=True, nonnegative=True), _symbols("w i j g", nonnegative=True)
    noise = sympy.log(1 + w**2 / (1 + 2 * w) * i * (2 + i) / (1 + i) ** 2)
    return 1 + k, w / (1 + w), 1 / (1 + i), gaps, noise


def _named(m: Any, r: Any, ratio: Any, gaps: Any) -> dict[str, Any]:
    return {"m": m, "r": r, "ratio": ratio, "jensen_gap": gaps[0], "concavity_gap": gaps[1]}


TILTED = Domain.of(m="integer [1, inf)", r="[0, 1)", ratio="(0, 1]", jensen_gap="[0, inf)", concavity_gap="[0, inf)")


def sharp_exponent_small(m: Any, share: Any, jensen_gap: Any, euler: Any = 1, rate: Any = 1) -> Sides:
    """For epsilon D = share m <= m the trivial bound 1 suffices."""
    return rate * (share * m - jensen_gap), "<=", m * euler


def sharp_exponent_small_argument() -> SymbolicArgument:
    k, (s, j) = _symbols("k", integer=True, nonnegative=True), _symbols("s j", nonnegative=True)
    return SymbolicArgument(
        {"m": 1 + k, "share": 1 / (1 + s), "jensen_gap": j}, (1 + k) * s / (1 + s) + j, "nonnegative"
    )


def simple_exponent_small(m: Any, share: Any, jensen_gap: Any, euler: Any = 1, rate: Any = 1) -> Sides:
    """For m epsilon D = share <= 1 the trivial bound 1 suffices."""
    return rate * (share / m - jensen_gap), "<=", euler + m * log(1 + share)


def simple_exponent_small_argument() -> SymbolicArgument:
    import sympy

    k, (s, j) = _symbols("k", integer=True, nonnegative=True), _symbols("s j", nonnegative=True)
    certificate = (k + s + k * s) / ((1 + k) * (1 + s)) + j + (1 + k) * sympy.log(1 + 1 / (1 + s))
    return SymbolicArgument({"m": 1 + k, "share": 1 / (1 + s), "jensen_gap": j}, certificate, "nonnegative")


SMALL = Domain.of(m="integer [1, inf)", share="(0, 1]", jensen_gap="[0, inf)")

MGF_FACTS = [
    fact(laplace_mgf, LAPLACE_MGF, laplace_mgf_argument),
    LOG_MGF,
]
SHARP_FACTS = [
    *MGF_FACTS,
    fact(sharp_exponent, TILTED, sharp_exponent_argument),
    fact(sharp_exponent_small, SMALL, sharp_exponent_small_argument),
]
SIMPLE_FACTS = [
    *MGF_FACTS,
    fact(simple_exponent, TILTED, simple_exponent_argument),
    fact(simple_exponent_small, SMALL, simple_exponent_small_argument),
]
MARKOV = (
    "Markov's inequality at t = r t*, where phi is concave because log(1 - mu + mu e^t) has a nonnegative second "
    "derivative, and max phi = n d_epsilon(x/n, mu) (BDP-DF1); for D = 0 the bound exceeds 1; the lower tail is the "
    "upper tail of n - S, with mean 1 - mu"
)


# --------------------------------------------------------------------------------- from the constants to o(n) exponents


def logarithm_below_root(t: Any, root: Any = 2) -> Sides:
    """-2 t log t <= root; with t^2 = m/(epsilon D) <= 1 it says m log(epsilon D/m) <= root sqrt(epsilon D m)."""
    return 2 * (1 - t - kl_term(t, 1, t - 1)), "<=", root


def at_least_one(t: Any, linear: Any = 1) -> Sides:
    """linear >= 1, which a derivation of a bound with that factor needs."""
    return 0, "<=", (linear - 1) * t


def at_most_one(t: Any, rate: Any = 1) -> Sides:
    """rate <= 1, which a derivation of a bound with that factor in its exponent needs."""
    return 0, "<=", (1 - rate) * t


AT_LEAST_ONE = fact(at_least_one, Domain.of(t="[0, 1]"))
AT_MOST_ONE = fact(at_most_one, Domain.of(t="[0, 1]"))
NOISE_FACTS = [fact(logarithm_below_root, Domain.of(t="[0, 1]")), AT_LEAST_ONE]


def printed_constant_dominates(m: Any, epsilon: Any, deviation: Any, mu: Any, factor: Any = 1) -> Sides:
    """A_epsilon is at least e (1 + m epsilon D)^m, one of its own terms."""
    simple = exp(0 * mu + 1) * (1 + m * epsilon * deviation) ** m
    return simple, "<=", factor * (deviation * simple * log(1 / mu) + simple + 1)


def printed_constant_dominates_argument() -> SymbolicArgument:
    import sympy

    k, (epsilon, odds) = _symbols("k", integer=True, nonnegative=True), _symbols("epsilon odds", positive=True)
    deviation, m = _symbols("D", nonnegative=True), 1 + k
    certificate = deviation * sympy.E * (1 + m * epsilon * deviation) ** m * sympy.log(1 + odds) + 1
    variables = {"m": m, "epsilon": epsilon, "deviation": deviation, "mu": 1 / (1 + odds)}
    return SymbolicArgument(variables, certificate, "positive")


PRINTED_CONSTANT_DOMINATES = fact(
    printed_constant_dominates,
    Domain.of(m="integer [1, inf)", epsilon="(0, inf)", deviation="[0, inf)", mu="(0, 1)"),
    printed_constant_dominates_argument,
)
