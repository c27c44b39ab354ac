"""Budgets that were converted, composed or shared by groups: exact sums and mpmath against floats rounded up."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np

from banditproof import theory
from banditproof.theory import Budget, Enclosure
from second_routes.drawing import SLACK, Route, both, inner_pair, mp, pair, size
from second_routes.formulas import logit
from second_routes.more import any_size, best_order, exact_size
from second_routes.privacy import delta_of, ordinary


def least(value: Any) -> Enclosure:
    """The interval in which a number lies of which a float is the least one above."""
    return Enclosure(float(np.nextafter(float(value), 0.0)), float(value))


def amount(r: random.Random) -> Fraction:
    """A budget, which is a float."""
    return Fraction(ordinary(size(r, -12, 2)))


def small_delta(r: random.Random) -> Fraction:
    return Fraction(float(f"{r.randint(1, 99)}e-{r.randint(4, 40)}"))


def counts(r: random.Random) -> int:
    """How many records a group has."""
    return r.choice([r.randint(1, 9), r.randint(10, 100_000)])


def uses(r: random.Random) -> tuple[Any, ...]:
    return counts(r), Fraction(ordinary(size(r, -8, 1))), small_delta(r)


def group(r: random.Random) -> tuple[Any, ...]:
    return (
        r.randint(1, 30),
        Fraction(ordinary(min(size(r, -8, 0), Fraction(1)))),
        Fraction(float(f"1e-{r.randint(16, 40)}")),
    )


def advanced(k: int, e: Any, s: Any) -> Any:
    return min(k * e, mpmath.sqrt(-2 * k * mpmath.log(s)) * e + k * e * mpmath.expm1(e))


def spread(rho: Any, delta: Any) -> Any:
    return rho + 2 * mpmath.sqrt(-rho * mpmath.log(delta))


def sums(budgets: Any) -> tuple[Any, ...]:
    return tuple(map(sum, zip(*budgets, strict=True)))


def largest(budgets: Any) -> tuple[Any, ...]:
    return tuple(map(max, zip(*budgets, strict=True)))


def root(curve: Any, mu: Any, delta: Any) -> Any:
    """The epsilon >= 0 at which a falling curve is at most delta."""
    low, high = mpmath.mpf(0), mpmath.mpf(1)
    if curve(mu, low) <= delta:
        return low
    while curve(mu, high) > delta:
        low, high = high, 2 * high
    for _ in range(90):
        middle = (low + high) / 2
        low, high = (middle, high) if curve(mu, middle) > delta else (low, middle)
    return high


_OF_FLOATS = mpmath.mpf("1e-11")  # the root is looked for in floats


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of budget once more, without its class; formulas take and give its parameters in order, in mpmath.

    Attributes:
        parameters: their names.
        parts: what draws them.
        outside: parameters just out of range, and the name of the one to blame.
        composed: of a list of budgets on the same data.
        group: the budget of so many records, None where there is no rule; `in_group` draws their number and a budget.
        rho, sharp_rho: of the zCDP that it implies, as printed and as is best known; None where it implies none.
        loss: its own epsilon, if it bounds the privacy loss.
        curve: delta at an epsilon, of a kind that has an exact one.
        noise: the least scale for sensitivity 1, None where there is no formula; Laplace's where `laplace`.
    """

    parameters: tuple[str, ...]
    parts: tuple[Callable[[random.Random], Any], ...]
    outside: tuple[tuple[Any, ...], ...]
    composed: Callable[[Any], tuple[Any, ...]] = sums
    group: Callable[..., tuple[Any, ...]] | None = None
    in_group: Callable[[random.Random], tuple[Any, ...]] | None = None
    rho: Callable[..., Any] | None = None
    sharp_rho: Callable[..., Any] | None = None
    loss: Callable[..., Any] = lambda *_: mpmath.inf
    curve: Callable[..., Any] | None = None
    noise: Callable[..., Any] | None = None
    laplace: bool = False

    def routes(self, name: str) -> Iterator[Route]:
        """Everything that budgets of this kind are turned into, parameter by parameter."""
        make, draw = of_floats(name), both(*self.parts)

        def budgets(r: random.Random) -> tuple[Any, ...]:
            return (tuple(draw(r) for _ in range(r.randint(1, 9))),)

        for i, part in enumerate(self.parameters):
            for function, truth in ((theory.compose, self.composed), (theory.compose_in_parallel, largest)):
                yield Route(
                    f"{function.__name__} {name}, {part}",
                    budgets,
                    lambda of, function=function, part=part: least(getattr(function(*(make(*b) for b in of)), part)),
                    lambda of, truth=truth, i=i: truth([tuple(map(mp, b)) for b in of])[i],
                )
            if (grown := self.group) is not None:
                yield Route(
                    f"budget_of_group {name}, {part}",
                    self.in_group or both(counts, *self.parts),
                    lambda k, *b, part=part: least(getattr(theory.budget_of_group(make(*b), k), part)),
                    lambda k, *b, grown=grown, i=i: grown(k, *b)[i],
                )
        if (rho := self.rho) is not None:
            yield Route(
                f"convert {name} to approximate",
                both(small_delta, *self.parts),
                lambda d, *b: least(theory.convert(make(*b), "approximate", delta=float(d)).epsilon),
                lambda d, *b: min(self.loss(*b), spread(rho(*b), d)) if self.curve is None else root(self.curve, *b, d),
                slack=_OF_FLOATS if self.curve else SLACK,
            )
            for title, sharp, formula in (("", False, rho), (", sharp", True, self.sharp_rho or rho)):
                yield Route(
                    f"convert {name} to zcdp{title}",
                    draw,
                    lambda *b, sharp=sharp: least(theory.convert(make(*b), "zcdp", sharp=sharp).rho),
                    formula,
                )
        if (noise := self.noise) is not None:
            calibrate = theory.calibrate_laplace if self.laplace else theory.calibrate_gaussian
            yield Route(
                f"{calibrate.__name__} {name}",
                both(exact_size, *(any_size if part is amount else part for part in self.parts)),
                lambda s, *b: rechecked(calibrate(make(*b), float(s))),
                lambda s, *b: s * noise(*b),
            )


KINDS = {
    "pure": Kind(
        parameters=("epsilon",),
        parts=(amount,),
        outside=((0, "epsilon"), (-1, "epsilon")),
        group=lambda k, e: (k * e,),
        rho=lambda e: e**2 / 2,
        sharp_rho=lambda e: e * mpmath.tanh(e / 2),
        loss=lambda e: e,
        noise=lambda e: 1 / e,
        laplace=True,
    ),
    "approximate": Kind(
        parameters=("epsilon", "delta"),
        parts=(amount, small_delta),
        outside=((-5e-324, 0.1, "epsilon"), (1, 1, "delta"), (1, 0, "delta")),
        group=lambda k, e, d: (k * e, d * sum(mpmath.exp(j * e) for j in range(k))),
        in_group=group,
    ),
    "zcdp": Kind(
        parameters=("rho",),
        parts=(amount,),
        outside=((0, "rho"),),
        group=lambda k, rho: (k * k * rho,),
        rho=lambda rho: rho,
        noise=lambda rho: 1 / mpmath.sqrt(2 * rho),
    ),
    "rdp": Kind(
        parameters=("order", "epsilon"),
        parts=(lambda r: Fraction(5, 2), amount),
        outside=((1, 1, "order"), (2, 0, "epsilon")),
        composed=lambda budgets: (budgets[0][0], sum(e for _, e in budgets)),
        noise=lambda order, e: mpmath.sqrt(order / (2 * e)),
    ),
    "gdp": Kind(
        parameters=("mu",),
        parts=(amount,),
        outside=((0, "mu"),),
        composed=lambda budgets: (mpmath.sqrt(sum(mu**2 for (mu,) in budgets)),),
        group=lambda k, mu: (k * mu,),
        rho=lambda mu: mu**2 / 2,
        curve=delta_of,
        noise=lambda mu: 1 / mu,
    ),
}
"""Every kind of budget."""


def of_floats(maker: str) -> Any:
    return lambda *numbers: getattr(Budget, maker)(*map(float, numbers))


def rechecked(calibration: Any) -> Any:
    assert calibration.recheck()
    return calibration.value


def near_threshold(r: random.Random) -> tuple[Any, ...]:
    """Two means, different at the ends, and a budget that is often next to their threshold."""
    x, y = inner_pair(r) if r.random() < 0.9 else pair(r)
    if x == y or not (0 < x < 1 and 0 < y < 1) or r.random() < 0.4:
        return (x, y, amount(r)) if x != y or 0 < x < 1 else near_threshold(r)
    with mpmath.workdps(80):
        threshold = abs(logit(mp(x)) - logit(mp(y)))
        close = Fraction(int(threshold * mpmath.mpf(2) ** 200), 2**200)
    return x, y, close * (1 + r.choice([-1, 1]) * Fraction(1, r.choice([10, 2]) ** r.randint(1, 30)))


def in_regime(x: Fraction, y: Fraction, epsilon: Fraction) -> Enclosure:
    said = theory.privacy_regime(*map(theory.to_ball, (x, y, epsilon)))
    return Enclosure(*[{"low": 1, "high": 0}[said]] * 2)


def regime_by_odds(x: Any, y: Any, epsilon: Any) -> Any:
    """Whether e^epsilon is at least the odds ratio of the means."""
    if x == y:
        return mpmath.mpf(1)
    low, high = min(x, y), max(x, y)
    if low == 0 or high == 1:
        return mpmath.mpf(0)
    return mpmath.mpf(int(mpmath.exp(epsilon) * low * (1 - high) >= high * (1 - low)))


def change_draw(r: random.Random) -> tuple[Any, ...]:
    model, budget = r.choice(["arms", "dimension"]), r.choice(["epsilon", "rho"])
    return model, budget, r.choice([r.randint(2, 99), 10 ** r.randint(1, 12)]), r.randint(1, 10 ** r.randint(1, 25))


def change_of_regime(model: str, budget: str, n: int, horizon: int) -> Any:
    """Where the printed terms are equal, solved by hand."""
    if model == "arms":
        if budget == "epsilon":
            return mpmath.mpf(27) / 22 * mpmath.sqrt(mpmath.mpf(n - 1) / horizon)
        return (mpmath.mpf(27) / 124) ** 2 / horizon
    return 2 * mpmath.e / mpmath.sqrt(horizon) if budget == "epsilon" else 4 / mpmath.sqrt(mpmath.e) / horizon


def decided_draw(r: random.Random) -> tuple[Fraction, Fraction]:
    return size(r, -3, 1), Fraction(1, 10 ** r.randint(1, 30)) if r.random() < 0.5 else Fraction(r.randint(1, 99), 100)


def classical_keeps(epsilon: Any, delta: Any) -> Any:
    deviation = mpmath.sqrt(2 * mpmath.log(5 / (4 * delta))) / epsilon
    return mpmath.mpf(int(delta_of(1 / deviation, epsilon) <= delta))


def held(epsilon: Fraction, delta: Fraction) -> Enclosure:
    return Enclosure(*[int(theory.classical_gaussian_holds(epsilon, delta))] * 2)


_OF_ORDERS = mpmath.mpf("1e-9")  # the minimiser over orders is one of floats
BUDGETS = [
    *(route for name, kind in KINDS.items() for route in kind.routes(name)),
    Route(
        "compose_advanced",
        uses,
        lambda k, e, s: least(theory.compose_advanced(Budget.pure(float(e)), k, float(s)).epsilon),
        advanced,
    ),
    Route(
        "convert zcdp to approximate, sharp",
        both(lambda r: Fraction(ordinary(size(r, -4, 1))), small_delta),
        lambda rho, d: least(
            theory.convert(Budget.zcdp(float(rho)), "approximate", delta=float(d), sharp=True).epsilon
        ),
        best_order,
        slack=_OF_ORDERS,
    ),
    Route("privacy_regime", near_threshold, in_regime, regime_by_odds),
    Route(
        "privacy_regime_change",
        change_draw,
        lambda model, budget, n, T: theory.privacy_regime_change(**{model: n}, horizon=T, budget=budget),
        change_of_regime,
    ),
    Route("classical_gaussian_holds", decided_draw, held, classical_keeps),
]
