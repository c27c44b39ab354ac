"""Bounds for private adversarial bandits, written with powers of the problem's sizes."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import mpmath

from banditproof import theory
from second_routes.drawing import Route, inner, size


def problem(r: random.Random) -> tuple[Any, ...]:
    """K, N, T, epsilon, delta."""
    horizon = r.choice([10 ** r.randint(1, 12), r.randint(2, 5000)])
    return r.randint(2, 1000), r.randint(2, 1000), horizon, size(r, -9, 1), inner(r)


def bound(name: str) -> Any:
    def value(K: int, N: int, T: int, epsilon: Fraction, delta: Fraction) -> Any:
        return theory.adversarial_bounds(K, horizon=T, epsilon=epsilon, experts=N, delta=delta)[name].value

    return value


def power(x: Any, over: int, under: int) -> Any:
    return mpmath.power(mpmath.mpf(x), mpmath.mpf(over) / under)


def batched(K: int, N: int, T: int, epsilon: Any, delta: Any) -> Any:
    """100 K^(1/2) T^(2/3) a^(1/3) + a with a = sqrt(N log(1/delta)) log(N T) log(N) / epsilon."""
    a = mpmath.sqrt(-N * mpmath.log(delta)) * (mpmath.log(N) + mpmath.log(T)) * mpmath.log(N) / epsilon
    return 100 * power(K, 1, 2) * power(T, 2, 3) * power(a, 1, 3) + a


TRUTHS = {
    "trivial": lambda K, N, T, e, d: mpmath.mpf(T),
    "minimax": lambda K, N, T, e, d: min(power(K * T, 1, 2), mpmath.mpf(T)) / 20,
    "htinf": lambda K, N, T, e, d: 208 * power(K * T, 1, 2) * power(e, -1, 2) + 2 / e,
    "exp3": lambda K, N, T, e, d: 36 * power(K * T * mpmath.log(K) / e, 1, 2) * (mpmath.log(K) + mpmath.log(T)) + 4 / e,
    "ftpl": lambda K, N, T, e, d: 32 * power(K * T / e, 1, 2) * mpmath.log(K) * mpmath.log(K * T) + 2 / e,
    "experts-htinf": lambda K, N, T, e, d: 208 * power(N * T, 1, 2) * power(e, -1, 2) + 2 / e,
    "experts-local": lambda K, N, T, e, d: 16 * power(K * T * mpmath.log(N), 1, 2) * mpmath.log(K * T) / e + 1,
    "experts-batched": batched,
    "experts-minimax": lambda K, N, T, e, d: power(K * T, 1, 2) * power(mpmath.log(N) / mpmath.log(K), 1, 2),
    "barrier": lambda K, N, T, e, d: power(T, 1, 2) * power(e, -1, 2),
    "prior": lambda K, N, T, e, d: power(K * T * mpmath.log(K * T), 1, 2) / e,
    "prior-local": lambda K, N, T, e, d: power(K * T * mpmath.log(K), 1, 2) / e,
    "table-bandits": lambda K, N, T, e, d: power(K * T, 1, 2) * power(e, -1, 2),
    "table-experts": lambda K, N, T, e, d: power(N * T, 1, 2) * power(e, -1, 2),
    "table-experts-local": lambda K, N, T, e, d: power(K * T * mpmath.log(N), 1, 2) * mpmath.log(K * T) / e,
    "table-experts-batched": lambda K, N, T, e, d: (
        (power(N, 1, 6) * power(K, 1, 2) * power(T, 2, 3) * power(e, -1, 3) + power(N, 1, 2) / e) * mpmath.log(N * T)
    ),
}

ADVERSARIAL = [Route(f"adversarial_bounds, {name}", problem, bound(name), truth) for name, truth in TRUTHS.items()]
