"""What a certificate of an exact value under zero-concentrated privacy proves, in plain Python and exact arithmetic.

The probabilities x(a, r), tables, losses and the smallest value over all policies are those of `checker`. With
M(h) = sum_a x(a, d_a)^(1 + h) x(a, d'_a)^(-h), a policy is rho-zCDP if and only if M(h) <= exp(h (1 + h) rho) for all
h > 0 and all tables d and d' that differ in one row; M is largest where all of the row differs.

- From above. log M is convex with log M(0) = 0, so log M(h) / h grows. For orders h_1 < ... < h_n it suffices that

      M(h_1) <= exp(h_1 rho),  M(h) <= exp(h (1 + h) rho - rho w^2 / 4) at h = h_i and h = h_(i + 1),
      x(a, d_a) <= exp((1 + h_n) rho) x(a, d'_a) for all a,

  w = h_(i + 1) - h_i. Below h_1, log M(h) / h <= rho. Between two orders log M is at most its chord, and the chord of
  h (1 + h) rho is at most rho w^2 / 4 above it. Above h_n, M(h) <= (max x / x')^h <= exp(h (1 + h_n) rho).
- From below. f(p, q) = (p^(1 + h) q^(-h) - (1 + h) p + h q) / h is convex and homogeneous, so for every t > 0 it is at
  least its tangent u p - v q at p = t q: u = (1 + h) (t^h - 1) / h, v = t^(1 + h) - 1. Probabilities add up to 1, so
  the sum of f(x(a, d_a), x(a, d'_a)) is (M(h) - 1) / h, at most B(h) = (exp(h (1 + h) rho) - 1) / h. So for prices
  y(d, s, h) >= 0 no private policy has a worst loss below the smallest value, over all policies, of

      sum_i w_i loss_i + sum_(d, s, h) y(d, s, h) (sum_a (u x(a, d_a) - v x(a, d'_a)) - B(h)),

  with any t for each a, d_a, s and h; u is rounded down, v and B up.

Source: TH-D2.11, TH-D4.3, BDP-D2.2
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise, product
from math import isqrt

from banditproof.theory.exact.checker import (
    Actions,
    Means,
    Point,
    RewardRows,
    Rewards,
    changed,
    cheapest,
    expected_losses,
    largest_loss,
    read,
    tables,
)

BITS = 160
ONE = 1 << BITS
_KEPT = 1 << 18


def largest_loss_if_concentrated(
    instances: Sequence[Means],
    horizon: int,
    criterion: str,
    rho: Fraction,
    orders: Sequence[Fraction],
    policy: Mapping[Point, Fraction],
    notion: str = "view",
) -> Fraction | None:
    """The worst expected loss of the policy; None if it is no policy or the orders do not show that it is rho-zCDP."""
    if not all(map(is_dyadic, orders)) or any(low >= high for low, high in pairwise((Fraction(0), *orders))):
        return None
    loss = largest_loss(instances, horizon, criterion, None, Fraction(0), policy, notion)
    if loss is None:
        return None
    allowed = [below for below, _ in map(exponential, _exponents(rho, orders))]
    most = exponential((1 + (orders[-1] if orders else 0)) * rho)[0]
    every = list(product(range(len(instances[0])), repeat=horizon))
    for table in tables(notion, len(instances[0]), horizon - 1):
        for place in range(horizon - 1):
            pairs = []
            for a in every:
                r = read(table, a)
                p, q = policy.get((a, r), Fraction(0)), policy.get((a, changed(r, place)), Fraction(0))
                if p > most * q:
                    return None
                if p:
                    pairs.append((p, p / q))
            for h, bound in zip(orders, allowed, strict=True):
                if sum((p * power(ratio, h)[1] for p, ratio in pairs), Fraction(0)) > bound:
                    return None
    return loss


def _exponents(rho: Fraction, orders: Sequence[Fraction]) -> Iterator[Fraction]:
    """What the logarithm of M may be at each order."""
    for i, h in enumerate(orders):
        steps = [high - low for low, high in pairwise(orders[max(0, i - 1) : i + 2])]
        at_order = h * (1 + h) * rho - max((w * w for w in steps), default=Fraction(0)) * rho / 4
        yield at_order if i else min(at_order, h * rho)


def smallest_loss_if_concentrated(
    instances: Sequence[Means],
    horizon: int,
    criterion: str,
    rho: Fraction,
    weights: Sequence[Fraction],
    cuts: Mapping[tuple[Actions, Rewards, int, Fraction], Fraction],
    prices: Mapping[tuple[RewardRows, int, Fraction], Fraction],
    notion: str = "view",
) -> Fraction | None:
    """What the weights, cuts and prices prove that no rho-zCDP policy goes below; None if they prove nothing.

    A cut is the t of a tangent; where it is left out, f >= 0 is used. Prices that are left out are 0.
    """
    if len(weights) != len(instances) or min(weights) < 0 or sum(weights) != 1:
        return None
    values = expected_losses(instances, horizon, criterion, weights)
    known, every, paid = set(tables(notion, len(instances[0]), horizon - 1)), {a for a, _ in values}, Fraction(0)
    for (table, place, h), price in prices.items():
        if price < 0 or h <= 0 or not is_dyadic(h) or table not in known or place not in range(horizon - 1):
            return None
        paid += price * (exponential(h * (1 + h) * rho)[1] - 1) / h
        for a in every:
            r = read(table, a)
            t = cuts.get((a, r, place, h))
            if t is None:
                continue
            if t <= 0:
                return None
            u, v = tangent(t, h)
            values[a, r] += price * u
            values[a, changed(r, place)] -= price * v
    return cheapest(values) - paid


@lru_cache(_KEPT)
def tangent(t: Fraction, order: Fraction) -> tuple[Fraction, Fraction]:
    """Rational slopes u and v of a tangent that is nowhere above the one at t."""
    u = (1 + order) * (power(t, order)[0] - 1) / order
    return Fraction(u * ONE // 1, ONE), power(t, 1 + order)[1] - 1


def is_dyadic(order: Fraction) -> bool:
    """Whether the denominator is a power of 2."""
    return order.denominator & (order.denominator - 1) == 0


def exponential(y: Fraction) -> tuple[Fraction, Fraction]:
    """Rationals below and above e^y: a sum of powers of y / 2^k, squared k times, rounded outward."""
    if y < 0:
        below, above = exponential(-y)
        return 1 / above, 1 / below
    halvings = max(0, int(2 * y).bit_length())
    low = y * ONE // 2**halvings  # y / 2^k < 1/2 in units of 2^-160
    total, term, n = 0, ONE, 0
    while term:
        total, n = total + term, n + 1
        term = (term * low >> BITS) // n
    below, above = total, total + 4 * n + 4  # what each of n terms lost, the rest, and y rounded down: less than this
    for _ in range(halvings):
        below, above = below * below >> BITS, (above * above >> BITS) + 1
    return Fraction(below, ONE), Fraction(above, ONE)


@lru_cache(_KEPT)
def power(x: Fraction, order: Fraction) -> tuple[Fraction, Fraction]:
    """Rationals below and above x^order, for x >= 0 and an order > 0 whose denominator is a power of 2."""
    low, m = x.numerator * ONE // x.denominator, order.numerator
    high = low + 1
    for _ in range(order.denominator.bit_length() - 1):
        low, high = isqrt(low << BITS), isqrt(high << BITS) + 1
    below = above = ONE
    while m:
        if m & 1:
            below, above = below * low >> BITS, (above * high >> BITS) + 1
        low, high, m = low * low >> BITS, (high * high >> BITS) + 1, m >> 1
    return Fraction(below, ONE), Fraction(above, ONE)
