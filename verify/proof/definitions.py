"""What quantities are by definition, and what they ask of their arguments to have a value."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from inspect import signature, unwrap
from math import inf
from typing import Any

from banditproof.theory import normal_cdf, normal_quantile, tail_coefficients
from banditproof.theory.best_arm.thresholds import plain_threshold
from banditproof.theory.numbers.numeric import TERM, absolute, comb, exactly, exp, least_integer, log, sqrt, where
from banditproof.theory.numbers.ranges import NOTED
from banditproof.theory.numbers.term import (
    FINITE_AS,
    NoTerm,
    Term,
    number,
    parts,
    quantity_named,
    substituted,
    total,
    var,
    variables,
)
from banditproof.verify.proof.formulas import Refused
from banditproof.verify.proof.polynomial import TooLong, constant, polynomial

LARGEST = 64  # of a count that is written out


@lru_cache(None)
def asks(name: str, given: int) -> Term | str:
    """What has a value where a quantity of so many arguments has one, a term of them: its body or `FINITE_AS`.

    A body that is read looks at the domains of its arguments, which a term has none of: they are noted (`NOTED`).
    """
    body: Any = FINITE_AS.get(name) or unwrap(quantity_named(name))
    NOTED.clear()
    try:
        with exactly(TERM):
            definition = number(body(*map(var, list(signature(body).parameters)[:given])))
            return sum(NOTED, definition)
    except NoTerm as why:
        return str(why)
    except Exception as error:
        return f"its body raises {type(error).__name__} on terms"


def parameters_of_quantity(name: str) -> list[Term]:
    return [var(n) for n in signature(unwrap(quantity_named(name))).parameters]


@lru_cache(10_000)
def asked_by(t: Term) -> Term:
    """A term that has a value where a quantity of these arguments has a finite one."""
    body = asks(t.args[0], len(t.args) - 1)
    if isinstance(body, str):
        raise Refused(body)
    return substituted(body, dict(zip(parameters_of_quantity(t.args[0]), t.args[1:], strict=False)))


@lru_cache(10_000)
def definition_of(t: Term) -> Term:
    """What a quantity is by definition. Raises Refused for a sum, where an argument holds an index of a sum as well."""
    with exactly(TERM):
        definition = DEFINED[t.args[0]](*t.args[1:])
    bound = {p.args[0] for p in parts(definition) if p.op == "total"}
    if any(bound & variables(a) for a in t.args[1:]):
        raise Refused("an index with two meanings")
    return definition


def _kl(p: Any, q: Any) -> Term:
    def summand(a: Any, b: Any) -> Any:
        return where(a, "==", 0, 0, lambda: where(b, "==", 0, inf, lambda: a * log(a / b)))

    return number(summand(p, q) + summand(1 - p, 1 - q))


def _tv(p: Any, q: Any) -> Term:
    return number(absolute(p - q))


def _d_epsilon(x: Any, y: Any, epsilon: Any) -> Term:
    def below(x: Any, y: Any) -> Any:  # for x <= y < 1, z is where the infimum over [x, y] lies
        z = y / (y + (1 - y) * exp(epsilon))
        return where(z, "<=", x, lambda: _kl(x, y), lambda: -epsilon * x - log(1 - y + y * exp(-epsilon)))

    inside = where(x, "<=", y, lambda: below(x, y), lambda: below(1 - x, 1 - y))
    limited = where(y, "==", 0, epsilon * x, where(y, "==", 1, epsilon * (1 - x), inside))
    return number(where(epsilon, "==", inf, lambda: _kl(x, y), lambda: limited))


def _privacy_threshold(x: Any, y: Any) -> Term:
    def apart() -> Any:
        way = lambda: log(y / (1 - y)) - log(x / (1 - x))  # noqa: E731
        inside = where(x, "<", y, way, lambda: -way())
        return where(x * (1 - x) * y * (1 - y), "==", 0, inf, inside)

    return number(where(x, "==", y, 0, apart))


def _dual_objective(lam: Any, x: Any, y: Any) -> Term:
    return number(lam * x - log(1 - y + y * exp(lam)))


def _better_than(divergence: Callable[[Any, Any], Term]) -> Callable[[Any, Any], Term]:
    def infimum(mean: Any, target: Any) -> Term:
        above = where(mean, "<=", target, lambda: divergence(mean, target), 0)
        return number(where(target, "==", 1, inf, lambda: above))

    return infimum


def _kl_gaussian(x: Any, y: Any, sigma: Any = 1) -> Term:
    return number(((x - y) / sigma) ** 2 / 2)


def _renyi_gaussian(x: Any, y: Any, alpha: Any, sigma: Any = 1) -> Term:
    return number(alpha * _kl_gaussian(x, y, sigma))


def _binary_exponent(x: Any) -> Term:
    two: Any = number(2)
    return number(-least_integer(-log(x) / log(two)))


def _gaussian_leakage(score: Any) -> Term:
    return number(2 * normal_cdf(sqrt(score) / 2) - 1)


def _truncated_laplace_mean(centre: Any, least: Any, scale: Any) -> Term:
    def beyond(centre: Any) -> Any:
        far = (least + scale) / 2 * exp((centre - least) / scale)
        near = centre - (least - scale) / 2 * exp((least - centre) / scale)
        return where(least, ">=", centre, far, near)

    return number(beyond(centre) - beyond(-centre))


def _laplace_tail(x: Any) -> Term:
    return number(where(x, ">=", 0, exp(-x) / 2, 1 - exp(x) / 2))


def _laplace_density(x: Any) -> Term:
    return number(where(x, ">=", 0, exp(-x) / 2, exp(x) / 2))


def _laplace_second_moment(centre: Any, scale: Any) -> Term:
    return number(centre**2 + 2 * scale**2)


def _laplace_sum_tail(m: Any, u: Any) -> Term:
    def upper(u: Any) -> Any:
        return sum(tau * u**i for i, tau in enumerate(tail_coefficients(whole(m)))) * exp(-u)

    return number(where(u, ">=", 0, lambda: upper(u), lambda: 1 - upper(-u)))


def whole(count: Any) -> int:
    """A count that is written out. Raises Refused for another term."""
    try:
        value = constant(polynomial(number(count)))
    except TooLong:
        value = None
    if value is None or value != int(value) or not 0 <= value <= LARGEST:
        raise Refused(f"a count that is no number up to {LARGEST}")
    return int(value)


def _power_series(q: Any, power: Any) -> Term:
    """x d/dx of the series for one power less: A(q)/(1 - q)^(k + 1) with the polynomials of Euler."""
    numerator = [0, 1]  # of the sum of q^n: q/(1 - q)
    for k in range(1, whole(power) + 1):  # q d/dq of A/(1 - q)^k is (q A' (1 - q) + k q A)/(1 - q)^(k + 1)
        slope = [i * a for i, a in enumerate(numerator)]
        numerator = [a + k * c - b for a, b, c in zip([*slope, 0], [0, *slope], [0, *numerator], strict=True)]
    value = sum((a * q**i for i, a in enumerate(numerator) if a), number(0))
    return number(value / (1 - q) ** (whole(power) + 1))


def _exponential_integral(amount: Any, rate: Any, lower: Any, upper: Any) -> Term:
    grown = lambda: (exp(rate * upper) - exp(rate * lower)) / rate  # noqa: E731
    return number(amount * where(rate, "==", 0, upper - lower, grown))


def _largest_laplace_tail(n: Any, x: Any) -> Term:
    return number(1 - (1 - exp(-x)) ** n)


def _advanced_epsilon(k: Any, epsilon: Any, slack: Any) -> Term:
    uses = comb(k, 1)  # k, where it is a count
    return number(sqrt(2 * uses * log(1 / slack)) * epsilon + uses * epsilon * (exp(epsilon) - 1))


def _worst_composed_delta(k: Any, epsilon: Any, delta: Any, target: Any) -> Term:
    def excess(j: Any) -> Any:  # of j answers that say the truth
        above = where(target, "<", (2 * j - k) * epsilon, exp(j * epsilon) - exp(target + (k - j) * epsilon), 0)
        return comb(k, j) * above / (1 + exp(epsilon)) ** k

    return number(1 - (1 - delta) ** k * (1 - total(excess, 0, k)))


def _gaussian_delta(mu: Any, epsilon: Any) -> Term:
    def positive() -> Any:
        return normal_cdf(mu / 2 - epsilon / mu) - exp(epsilon) * normal_cdf(-mu / 2 - epsilon / mu)

    return number(where(mu, "==", 0, 0, positive))


def _slope_of_erf(x: Any) -> Term:
    pi: Any = Term("quantity", "pi_beside", number(x))
    return number(2 * exp(-(x**2)) / sqrt(pi))


def _normal_variation_over_gap(share: Any) -> Term:
    pi: Any = Term("quantity", "pi_beside", number(share))
    x = share / (1 - share)
    beyond = where(share, "==", 0, lambda: sqrt(2 / pi), lambda: (2 * normal_cdf(x) - 1) / x)
    return number(where(share, "==", 1, 0, lambda: beyond))


DEFINED: dict[str, Callable[..., Term]] = {
    "privacy_threshold": _privacy_threshold,
    "slope_of_erf": _slope_of_erf,
    "d_epsilon_dual_objective": _dual_objective,
    "kl_inf": _better_than(_kl),
    "tv_inf": _better_than(_tv),
    "kl_gaussian": _kl_gaussian,
    "renyi_gaussian": _renyi_gaussian,
    "x_log_x": lambda x: number(where(x, "==", 0, 0, lambda: x * log(x))),
    "geometric_sum": lambda alpha, m: number((alpha**m - 1) / (alpha - 1)),
    "geometric_power": lambda alpha, m: number(alpha**m),
    "exponential_integral": _exponential_integral,
    "power_series": _power_series,
    "laplace_sum_tail": _laplace_sum_tail,
    "kl_bernoulli": _kl,
    "tv_bernoulli": _tv,
    "d_epsilon": _d_epsilon,
    "binary_exponent": _binary_exponent,
    "gaussian_leakage": _gaussian_leakage,
    "gaussian_delta": _gaussian_delta,
    "gaussian_power": lambda alpha, score: number(normal_cdf(normal_quantile(alpha) + sqrt(score))),
    "normal_variation_over_gap": _normal_variation_over_gap,
    "laplace_tail": _laplace_tail,
    "laplace_density": _laplace_density,
    "laplace_second_moment": _laplace_second_moment,
    "largest_laplace_tail": _largest_laplace_tail,
    "truncated_laplace_mean": _truncated_laplace_mean,
    "advanced_epsilon": _advanced_epsilon,
    "worst_composed_delta": _worst_composed_delta,
    "plain_threshold": lambda *given: number(unwrap(plain_threshold)(*given)),
}
"""What quantities are by definition, as terms: a test compares both at points."""
