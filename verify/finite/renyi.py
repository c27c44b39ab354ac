"""The smallest rho of zCDP from Rényi divergences: sup over orders above 1 of D_order/order, enclosed.

Two facts hold for one pair of laws and survive maxima over pairs: D is nondecreasing in the order, and
(order - 1) D_order is convex. So between two orders the quotient is bounded by a chord in closed form, whose error is
of second order in the length of the interval: a few dozen evaluations give nine digits.

Source: TH-D3.5, TH-D3.9
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from banditproof.theory.numbers.numeric import to_ball

if TYPE_CHECKING:
    from flint import arb

    from banditproof.theory.numbers.enclosure import Enclosure

Divergence = Callable[[Fraction], "arb"]
PRECISION = 192  # bits: near order 1 the convex function and its chords almost cancel


@dataclass(frozen=True)
class QuotientBound:
    """An enclosure of sup D_order/order, the order of its lower end (1 is the Kullback-Leibler limit), and all orders.

    From the divergences at `orders`, at 1 and at infinity, `supremum` recomputes the enclosure.
    """

    value: "Enclosure"
    order: Fraction
    orders: tuple[Fraction, ...]


def largest_quotient(
    divergence: Divergence, kl: "arb", at_infinity: "arb", *, splits: int = 200, tolerance: float = 1e-9
) -> QuotientBound:
    """Encloses sup over orders > 1 of divergence(order)/order, splitting where the upper bound is largest.

    `kl` is the limit at order 1, `at_infinity` the limit of the divergence (finite). Stops at the relative width
    `tolerance` or after `splits` evaluations. To be called, and its arguments computed, at `PRECISION` bits.
    """
    known = {Fraction(1): kl}
    best = float(kl)
    cells = [_cell(Fraction(1), None, known, at_infinity)]
    for _ in range(splits):
        above, a, b = heappop(cells)
        if -above <= best * (1 + tolerance):
            break
        middle = 2 * a if b is None else (a + b) / 2
        known[middle] = divergence(middle)
        best = max(best, float(known[middle] / to_ball(middle)))
        heappush(cells, _cell(a, middle, known, at_infinity))
        heappush(cells, _cell(middle, b, known, at_infinity))
    return supremum(known, at_infinity)


def supremum(divergences: dict[Fraction, "arb"], at_infinity: "arb") -> QuotientBound:
    """The enclosure that follows from the divergences at some orders, among them the limit at order 1."""
    from banditproof.theory.numbers.enclosure import Enclosure

    orders = sorted(divergences)
    quotients = {order: _lower(divergences[order] / to_ball(order)) for order in orders}
    best = max(orders, key=quotients.__getitem__)
    above = [_upper(_bound(a, b, divergences, at_infinity)) for a, b in pairwise([*orders, None])]  # type: ignore[list-item]
    return QuotientBound(Enclosure(max(quotients[best], Fraction(0)), max(above)), best, tuple(orders[1:]))


def _cell(a: Fraction, b: Fraction | None, known: dict[Fraction, "arb"], at_infinity: "arb") -> tuple[float, Any, Any]:
    return -float(_bound(a, b, known, at_infinity).mid()), a, b


def _bound(a: Fraction, b: Fraction | None, known: dict[Fraction, "arb"], at_infinity: "arb") -> "arb":
    """At least D_order/order for every order in (a, b]."""
    if b is None:
        return at_infinity / to_ball(a)
    simple = known[b] / to_ball(a)
    if a == 1:
        return simple
    return simple.min(_chord_bound(to_ball(a), to_ball(b), known[a], known[b]))


def _chord_bound(a: "arb", b: "arb", at_a: "arb", at_b: "arb") -> "arb":
    """max over [a, b] of L(x)/(x (x - 1)), L the chord of (x - 1) D_x; that quotient rises up to a peak, then falls."""
    low, high = (a - 1) * at_a, (b - 1) * at_b
    slope = (high - low) / (b - a)
    depth = slope * a - low  # L(x) = slope x - depth, and depth >= slope as L(1) <= 0
    if not (slope > 0 and depth >= slope):
        return at_b / a
    peak = (depth + (depth * (depth - slope)).sqrt()) / slope
    if peak < a:
        return at_a / a
    if peak > b:
        return at_b / b
    return (slope * peak - depth) / (peak * (peak - 1))


def _lower(value: "arb") -> Any:
    from banditproof.theory.numbers.enclosure import Enclosure

    return Enclosure.from_ball(value).lower


def _upper(value: "arb") -> Any:
    from banditproof.theory.numbers.enclosure import Enclosure

    return Enclosure.from_ball(value).upper
