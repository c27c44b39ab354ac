"""The bounds of the documents that speak about a finite horizon, beside an exact value.

Lower bounds are read at the instances of the program: a theorem says that every private policy loses as much in one of
them, and the optimal policy is one. Upper bounds are those of algorithms that keep the budget: the largest over the
instances is no smaller than the exact value. A bound on the wrong side is refuted.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from typing import Any

from banditproof.theory.arguments import named
from banditproof.theory.bounds.adversarial import adversarial_bounds
from banditproof.theory.bounds.minimax import minimax_lower_bound
from banditproof.theory.bounds.upper_bounds import RECIPES, has_upper_bound, regret_upper_bound
from banditproof.theory.errors import InvalidInput
from banditproof.theory.exact.minimax_value import ExactMinimax
from banditproof.theory.laws.bernoulli import d_epsilon, kl_bernoulli
from banditproof.theory.numbers.enclosure import Enclosure
from banditproof.theory.numbers.numeric import exp, log, to_ball, working_precision
from banditproof.theory.privacy.budget import Budget
from banditproof.theory.tables import NamedBounds, OneBound, Table

_BITS = 128
_HALVINGS = 80


@dataclass(frozen=True, repr=False)
class PrintedBound(OneBound):
    """A printed bound of one `kind`, "lower" or "upper", evaluated at the program of an exact value.

    Where `applies` is False, for the reason in `why`, it says nothing about these instances and is shown for its size.
    `ratio` encloses the exact value over a lower bound, an upper bound over the exact value: how loose it is. `refuted`
    says that it applies and lies on the wrong side.
    """

    kind: str
    ratio: Enclosure
    refuted: bool


@dataclass(frozen=True, repr=False)
class PrintedBounds(NamedBounds[PrintedBound]):
    """All printed bounds beside one exact value; `bounds` maps the name of a bound to it."""

    exact: ExactMinimax
    bounds: dict[str, PrintedBound]

    def table(self) -> Table:
        """Every bound: its kind, its enclosure, how loose it is or that it is refuted, and its source."""
        rows = tuple(
            (name, b.kind, b.value.decimal(6), self._judgement(b), b.formula, b.source)
            for name, b in self.bounds.items()
        )
        head = ("bound", "kind", "value", "loose by a factor", "formula", "source")
        return Table(f"Printed bounds beside {self.exact!r}", head, rows)

    @staticmethod
    def _judgement(bound: PrintedBound) -> str:
        if not bound.applies:
            return f"does not apply: {bound.why}"
        return "refuted" if bound.refuted else bound.ratio.decimal(4)


@named
def printed_bounds_beside(exact: ExactMinimax) -> PrintedBounds:
    """Every bound of the documents on a finite horizon, at the instances, the horizon and the budget of `exact`.

    Names of lower bounds on the regret: "two environments" (by relative entropy), "two environments, view" (by the
    budget), "two environments, arm by arm" (by both, as d_epsilon) and, for their size, "two environments, zcdp", which
    asks for Interactive zCDP, and "minimax", "minimax, view" and "minimax, zcdp", which speak of Gaussian arms; on the
    error: "transport" and "logarithm", and both with ", view" and ", arm by arm". Names of upper bounds begin with the
    algorithm.

    Source: TH-S4.1b, TH-S4.1c, TH-T4.9, TH-T4.14, TH-T4.15, TH-T4.20, TH-T2.28, TH-T2.32, TH-L4.23, TH-T4.24, SHARP-2,
    SHARP-3, ALG-T5.3, ALG-T5.6, TH-T2.23

    >>> from banditproof.theory import exact_minimax_regret
    >>> exact = exact_minimax_regret([["0.75", "0.25"], ["0.25", "0.75"]], 4, ratio=2)
    >>> beside = printed_bounds_beside(exact)
    >>> beside["two environments, view"].value.decimal(3), beside["two environments, view"].refuted
    ('[0.0624, 0.0626]', False)
    """
    if not isinstance(exact, ExactMinimax):
        raise InvalidInput("exact", exact, "an ExactMinimax, such as exact_minimax_regret returns")
    with working_precision(_BITS):
        lower = _regret_below(exact) if exact.criterion == "regret" else _error_below(exact)
        upper = _regret_above(exact) if exact.criterion == "regret" else iter(())
        rows = [_judged(exact, "lower", *row) for row in lower] + [_judged(exact, "upper", *row) for row in upper]
    return PrintedBounds(exact, {row.name: row for row in rows})


_Row = tuple[str, str, str, Enclosure, bool, str]


def _judged(
    exact: ExactMinimax, kind: str, name: str, source: str, formula: str, value: Enclosure, applies: bool, why: str
) -> PrintedBound:
    if kind == "lower":
        wrong, above, below = value.lower > exact.upper, exact.value, value
    else:
        wrong, above, below = value.upper < exact.lower, value, exact.value
    infinite = not below.lower > 0 or above.upper == math.inf
    ratio = Enclosure(0, math.inf) if infinite else Enclosure.from_ball(above.ball() / below.ball())
    return PrintedBound(name, source, formula, value, applies, why, kind, ratio, applies and bool(wrong))


# --------------------------------------------------------------------------------------------------------- lower bounds


def _informations(
    exact: ExactMinimax, nu: tuple[Fraction, ...], lam: tuple[Fraction, ...]
) -> Iterator[tuple[str, Any]]:
    """Bounds on the relative entropy of all that is played and seen: by the rewards, and by the budget."""
    pairs = [(p, q) for p, q in zip(nu, lam, strict=True)]
    entropies = [kl_bernoulli(to_ball(p), to_ball(q)) for p, q in pairs]
    yield "", exact.horizon * _largest(entropies)
    epsilon = _epsilon(exact)
    if epsilon is not None and not exact.delta:
        yield ", view", epsilon * exact.horizon * to_ball(max(abs(p - q) for p, q in pairs))
        yield ", arm by arm", exact.horizon * _largest([d_epsilon(to_ball(p), to_ball(q), epsilon) for p, q in pairs])
    if exact.rho is not None and exact.criterion == "regret":
        t, pulls = max(abs(p - q) for p, q in pairs), exact.horizon
        yield ", zcdp", to_ball(exact.rho * ((pulls * t) ** 2 + pulls * t * (1 - t)))


def _largest(balls: list[Any]) -> Any:
    result = balls[0]
    for ball in balls[1:]:
        result = result.max(ball)
    return result


def _epsilon(exact: ExactMinimax) -> Any:
    """The budget as a ball, None without privacy."""
    if exact.ratios is None:
        return None
    return log(to_ball(exact.ratios[0])) if exact.epsilon is None else to_ball(exact.epsilon)


def _best(means: tuple[Fraction, ...]) -> int | None:
    """The best arm, None where there are several."""
    return means.index(max(means)) if means.count(max(means)) == 1 else None


def _rivals(exact: ExactMinimax) -> Iterator[tuple[tuple[Fraction, ...], tuple[Fraction, ...], Fraction]]:
    """Pairs of instances with different best arms, and what a wrong arm costs at least in one of them."""
    for nu, lam in permutations(exact.instances, 2):
        best = _best(nu)
        if best is not None and _best(lam) not in (None, best):
            gap = min(max(nu) - mean for arm, mean in enumerate(nu) if arm != best)
            yield nu, lam, min(gap, max(lam) - lam[best])


def _regret_below(exact: ExactMinimax) -> Iterator[_Row]:
    values: dict[str, Any] = {}
    for nu, lam, gap in _rivals(exact):
        for name, information in _informations(exact, nu, lam):
            value = to_ball(gap * exact.horizon / 8) * exp(-information)
            values[name] = value if name not in values else values[name].max(value)
    said = {
        "": ("TH-S4.1b, TH-S4.1c, TH-S.B1", "T Delta / 8 exp(-T max_a kl_a)"),
        ", view": ("TH-T4.9", "T Delta / 8 exp(-epsilon T max_a TV_a)"),
        ", arm by arm": ("SHARP-3", "T Delta / 8 exp(-T max_a d_epsilon_a)"),
        ", zcdp": ("TH-T4.14", "T Delta / 8 exp(-rho (T t)^2 - rho T t (1 - t)), t = max_a TV_a"),
    }
    for name, value in values.items():
        why = "it speaks of Interactive zCDP" if name == ", zcdp" else ""
        shown = Enclosure.from_ball(value)
        yield f"two environments{name}", *said[name], shown, not why, why or "for every pair of instances"
    epsilon = None if exact.delta or exact.ratios is None else _rational(exact, up=False)
    asked = {"arms": exact.arms, "horizon": exact.horizon, "epsilon": epsilon or None, "rho": exact.rho}
    gaussian = minimax_lower_bound(**asked)
    for label, name in (("minimax", "minimax"), ("minimax, view", "view"), ("minimax, zcdp", "zcdp")):
        if name in gaussian:
            bound = gaussian[name]
            yield label, bound.source, bound.formula, bound.value, False, "it speaks of Gaussian arms of variance 1"


# what bounds the relative entropy, and the sources of the bound on the error and of its weaker form
_OF_ERRORS = {
    "": ("T max_a kl_a", "TH-T2.32", "TH-S2.2h"),
    ", view": ("epsilon T max_a TV_a", "TH-L4.23", "TH-T4.24"),
    ", arm by arm": ("T max_a d_epsilon_a", "SHARP-3", "SHARP-2"),
}


def _error_below(exact: ExactMinimax) -> Iterator[_Row]:
    least: dict[str, Any] = {}
    for nu, lam, _ in _rivals(exact):
        for name, information in _informations(exact, nu, lam):
            least[name] = information if name not in least else least[name].min(information)
    for name, information in least.items():
        of, source, weaker = _OF_ERRORS[name]
        yield (
            f"transport{name}", source, f"kl(1 - delta, delta) <= {of}", _risk(information), True,
            "for every pair of instances",
        )  # fmt: skip
        constant = Fraction(3) if name else Fraction(12, 5)
        yield (
            f"logarithm{name}",
            weaker,
            f"log(1 / ({float(constant):g} delta)) <= {of}",
            Enclosure.from_ball(exp(-information) / to_ball(constant)),
            True,
            "for every pair of instances",
        )


def _risk(information: Any) -> Enclosure:
    """The delta in [0, 1/2] with kl(1 - delta, delta) = information: both ends by bisection of what is certain."""

    def entropy(delta: Fraction) -> Any:
        risk = to_ball(delta)
        return (1 - 2 * risk) * ((1 - risk) / risk).log()

    below, above = (Fraction(0), Fraction(1, 2)), (Fraction(0), Fraction(1, 2))
    for _ in range(_HALVINGS):
        middle = (below[0] + below[1]) / 2
        below = (middle, below[1]) if entropy(middle) > information else (below[0], middle)
        middle = (above[0] + above[1]) / 2
        above = (above[0], middle) if entropy(middle) < information else (middle, above[1])
    return Enclosure(below[0], above[1])


# --------------------------------------------------------------------------------------------------------- upper bounds


def _rational(exact: ExactMinimax, up: bool) -> Fraction:
    """A float next to the budget, on the side asked for: smaller budgets have larger values."""
    ends = Enclosure.from_ball(_epsilon(exact)).floats
    return Fraction(ends[1] if up else ends[0])


def _regret_above(exact: ExactMinimax) -> Iterator[_Row]:
    if exact.delta:
        return
    epsilon = None if exact.ratios is None else _rational(exact, up=False)
    if epsilon is not None and not epsilon:
        return
    budget = None if epsilon is None else Budget.pure(float(epsilon))
    if exact.rho is not None:
        budget = Budget.zcdp(Enclosure.outward(exact.rho).floats[0])
    for recipe in filter(lambda one: has_upper_bound(one.algorithm), RECIPES):
        fits = recipe.kinds is None if budget is None else budget.kind in (recipe.kinds or ())
        if recipe.asymptotic or not fits:
            continue
        name = f"{recipe.algorithm}, {recipe.name}"
        each = [
            regret_upper_bound(recipe.algorithm, means, exact.horizon, budget)[recipe.name] for means in exact.instances
        ]
        value = Enclosure(max(b.value.lower for b in each), max(b.value.upper for b in each))
        why = next((b.why for b in each if not b.applies), "the conditions of the theorem hold at every instance")
        yield name, recipe.source, recipe.formula, value, all(b.applies for b in each), why
    if epsilon is not None and exact.horizon >= 2:
        for name, bound in _adversarial(exact, epsilon):
            yield f"{name}, adversarial", bound.source, bound.formula, bound.value, bound.applies, bound.why


def _adversarial(exact: ExactMinimax, epsilon: Fraction) -> Iterator[tuple[str, Any]]:
    try:
        bounds = adversarial_bounds(exact.arms, horizon=exact.horizon, epsilon=epsilon).bounds
    except InvalidInput:
        return
    yield from ((name, bound) for name, bound in bounds.items() if bound.kind == "upper")
