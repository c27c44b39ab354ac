"""What quantities are by definition, and what they ask of their arguments to have a value."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature, unwrap
from math import inf
from typing import Any

from banditproof.theory.best_arm.thresholds import plain_threshold
from banditproof.theory.numbers.normal_law import normal_cdf, normal_quantile
from banditproof.theory.numbers.numeric import TERM, absolute, comb, exactly, exp, least_integer, log, sqrt, where
from banditproof.theory.numbers.term import Term, number, parts, quantity_named, substituted, total, var, variables
from banditproof.verify.proof.formulas import Refused
from banditproof.verify.proof.on_symbols import asks


def _parameters(name: str) -> list[Term]:
    return [var(n) for n in signature(unwrap(quantity_named(name))).parameters]


def asked_by(t: Term) -> Term:
    """A term that has a value where a quantity of these arguments has a finite one."""
    body = asks(t.args[0], len(t.args) - 1)
    if isinstance(body, str):
        raise Refused(body)
    return substituted(body, dict(zip(_parameters(t.args[0]), t.args[1:], strict=False)))


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


def _largest_laplace_tail(n: Any, x: Any) -> Term:
    return number(1 - (1 - exp(-x)) ** n)


def _advanced_epsilon(k: Any, epsilon: Any, slack: Any) -> Term:
    return number(sqrt(2 * k * log(1 / slack)) * epsilon + k * epsilon * (exp(epsilon) - 1))


def _worst_composed_delta(k: Any, epsilon: Any, delta: Any, target: Any) -> Term:
    def excess(j: Any) -> Any:  # of j answers that say the truth
        above = where(target, "<", (2 * j - k) * epsilon, exp(j * epsilon) - exp(target + (k - j) * epsilon), 0)
        return comb(k, j) * above / (1 + exp(epsilon)) ** k

    return number(1 - (1 - delta) ** k * (1 - total(excess, 0, k + 1)))


def _gaussian_delta(mu: Any, epsilon: Any) -> Term:
    def positive() -> Any:
        return normal_cdf(mu / 2 - epsilon / mu) - exp(epsilon) * normal_cdf(-mu / 2 - epsilon / mu)

    return number(where(mu, "==", 0, 0, positive))


DEFINED: dict[str, Callable[..., Term]] = {
    "kl_bernoulli": _kl,
    "tv_bernoulli": _tv,
    "d_epsilon": _d_epsilon,
    "binary_exponent": _binary_exponent,
    "gaussian_leakage": _gaussian_leakage,
    "gaussian_delta": _gaussian_delta,
    "gaussian_power": lambda alpha, score: number(normal_cdf(normal_quantile(alpha) + sqrt(score))),
    "geometric_sum": lambda alpha, m: number((alpha**m - 1) / (alpha - 1)),
    "geometric_power": lambda alpha, m: number(alpha**m),
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
