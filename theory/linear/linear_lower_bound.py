"""How much regret a linear bandit forces: the structured constant c(A, theta), as a convex program with a certificate.

c = inf over alpha >= 0 of sum_a alpha_a Delta_a subject to |a|^2 <= b_a in the norm of H_alpha^-1 for every suboptimal
a, where H_alpha = sum_a alpha_a a a^T. Sampling the best action a* costs nothing, so alpha_{a*} goes to infinity: only
directions u orthogonal to a* are left, and the program is that of the actions' images y_a in R^d modulo a*.

Its dual: for multipliers lambda_a >= 0 and vectors u_a with sum_a lambda_a <u_a, y_b>^2 <= Delta_b for every b,
c >= sum_a lambda_a (2 <u_a, y_a> - b_a). Both sides are evaluated in balls, from alpha, lambda and u_a = W y_a.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.theory.arguments import named, question
from banditproof.theory.errors import InvalidInput, one_of
from banditproof.theory.linear.action_span import (
    action_span_ratios,
    affordable_bases,
    basis_ratios,
    exact_row,
    exact_rows,
    norms_in_bases,
    rational_matrix,
    too_many_bases,
)
from banditproof.theory.linear.allocation_solver import cheapest_allocation
from banditproof.theory.numbers.enclosure import Enclosure, Valued, set_no_bound
from banditproof.theory.numbers.exact_numbers import exact_budget
from banditproof.theory.numbers.number_types import Exact
from banditproof.theory.numbers.numeric import to_ball, working_precision

_BITS = 192
_SLACK = Fraction(1, 10**6)  # what the solver leaves between the allocation and a feasible one
RATIOS = ("printed", "bases")

Row = tuple[Fraction, ...]


@dataclass(frozen=True)
class LinearRegretConstant(Valued):
    """c(A, theta) and what it is made of; lists have one entry per action, None or 0 at the best one.

    Attributes:
        actions, theta: the instance, exact.
        epsilon: the budget of pure privacy, None without.
        ratio: which ratios, "printed" or "bases"; None without epsilon.
        best: index of the best action.
        gaps: Delta_a, exact.
        ratios: rho_a, exact; None without epsilon.
        thresholds: b_a, exact.
        regimes: "low" or "high" privacy, by which term of b_a is smaller; None without epsilon.
        value: c(A, theta), the coefficient of log T.
        allocation: alpha, samples of each action per log T; inf for the best action.
        multipliers, inverse: lambda [K] and W [n, n], n = d - 1 (d if the best action is 0): the dual certificate.
        applies, why: whether the constant is a lower bound on regret; see `linear_regret_constant`.
    """

    actions: tuple[Row, ...] = field(repr=False)
    theta: Row
    epsilon: Fraction | float | None
    ratio: str | None
    best: int
    gaps: Row = field(repr=False)
    ratios: tuple[Fraction | None, ...] | None = field(repr=False)
    thresholds: tuple[Fraction | None, ...] = field(repr=False)
    regimes: tuple[str | None, ...] | None = field(repr=False)
    value: Enclosure
    allocation: np.ndarray = field(repr=False)
    multipliers: np.ndarray = field(repr=False)
    inverse: np.ndarray = field(repr=False)
    applies: bool
    why: str

    def __post_init__(self) -> None:
        set_no_bound(self)

    @question
    def recheck(self) -> bool:
        """Whether `value` follows from `allocation`, `multipliers` and `inverse`, and all else from the instance: balls
        and rationals, no solver.
        """
        if self.ratio not in (RATIOS if self.epsilon is not None else (None,)):
            return False
        try:
            facts = _facts(self.actions, self.theta, self.epsilon, self.ratio)
        except InvalidInput:
            return False
        if any(getattr(self, name) != fact for name, fact in facts.items()):
            return False
        gaps, best, thresholds = self.gaps, self.best, self.thresholds
        if not _sampled_only_where_it_counts(self.actions, best, self.allocation, self.multipliers):
            return False
        certified = _certified(
            self.actions, gaps, thresholds, best, self.allocation, self.multipliers, self.inverse, 2 * _BITS
        )
        # the same formulas at twice the precision lie within the stated ends, or those were not theirs
        return certified is not None and self.value.contains(certified) and self._costs_its_value()

    def _costs_its_value(self) -> bool:
        """Whether the allocation as it stands, which bounds are made feasible from, costs what is said."""
        sampled = [a for a in range(len(self.gaps)) if a != self.best]
        cost = sum((self.gaps[a] * Fraction(float(self.allocation[a])) for a in sampled), Fraction(0))
        return self.value.lower * (1 - _SLACK) <= cost <= self.value.upper * (1 + _SLACK)


@named
def linear_regret_constant(
    actions: Sequence[Sequence[Exact]] | np.ndarray,
    theta: Sequence[Exact] | np.ndarray,
    epsilon: Exact | None = None,
    *,
    ratio: str = "printed",
) -> LinearRegretConstant:
    """The constant c(A, theta) of the regret lower bound c log T of a linear bandit with unit Gaussian noise.

    b_a = min(Delta_a^2, epsilon rho_a Delta_a) / 2, or Delta_a^2 / 2 without epsilon. With ratio "printed",
    rho_a = sum_j |<a_j, a - a*>| / |a_j|^2, as in the theorem. That is not invariant under a -> Ba,
    theta -> B^-T theta, which leaves the bandit as it is, and on many instances the constant exceeds what private
    policies achieve: `applies` is then False. With ratio "bases", rho_a is the largest l1 norm of the coordinates of
    a - a* in a basis made of actions, the smallest number for which the theorem's argument works, and the constant is
    a lower bound. Where the actions are linearly independent it is 2.

    Args:
        actions: [K, d] ints, floats, Fractions or strings such as "2/3", kept exactly.
        theta: [d], likewise.
        epsilon: the budget of pure differential privacy (per reward), positive; None or inf for no privacy.

    Raises:
        InvalidInput: for NaN and infinities, shapes that do not fit, duplicated actions, actions that do not span R^d,
            ties for the best action, epsilon <= 0, another ratio, and for too many bases to go through.

    Source: TH-T4.18, TH-L-B1

    >>> linear_regret_constant([[1, 0], [0, 1]], [1, "1/2"]).value.decimal(6)
    '[3.99999, 4.00001]'
    """
    rows = exact_rows(actions)
    parameter = exact_row("theta", theta)
    one_of("ratio", ratio, RATIOS)
    budget = _budget(epsilon)
    check_set(rows, parameter)
    facts = _facts(rows, parameter, budget, ratio)
    gaps, thresholds, best = facts["gaps"], facts["thresholds"], facts["best"]
    allocation, multipliers, inverse = _solved(rows, gaps, thresholds, best)
    value = _certified(rows, gaps, thresholds, best, allocation, multipliers, inverse, _BITS)
    if value is None:
        raise InvalidInput("actions", "a set that is singular within rounding", "a set that is well conditioned")
    return LinearRegretConstant(
        actions=rows, theta=parameter, epsilon=budget, ratio=None if budget is None else ratio, value=value,
        allocation=allocation, multipliers=multipliers, inverse=inverse, **facts,
    )  # fmt: skip


def _facts(rows: tuple[Row, ...], theta: Row, epsilon: Any, ratio: str | None) -> dict[str, Any]:
    """What the instance alone says: best, gaps, ratios, thresholds, regimes, applies, why; InvalidInput for ties."""
    gaps, best = gaps_and_best(rows, theta)
    budget, ratios = _budget(epsilon), None
    if budget is not None:
        ratios = action_span_ratios(rows, best) if ratio == "printed" else basis_ratios(rows, best)
    applies, why = _applicability(rows, best, gaps, ratios, budget, ratio)
    return {
        "best": best, "gaps": gaps, "ratios": ratios, "thresholds": _thresholds(gaps, best, ratios, budget),
        "regimes": _regimes(gaps, best, ratios, budget), "applies": applies, "why": why,
    }  # fmt: skip


# ----------------------------------------------------------------------------------------------- the instance, checked


def check_set(rows: tuple[Row, ...], theta: Row) -> None:
    dimension = len(rows[0])
    if len(theta) != dimension:
        raise InvalidInput("theta", f"{len(theta)} numbers", f"{dimension} numbers, as many as an action has")
    first: dict[Row, int] = {}
    for index, row in enumerate(rows):
        if row in first:
            raise InvalidInput("actions", f"the same action at {first[row]} and {index}", "without duplicates")
        first[row] = index
    rank = rational_matrix(rows).rank()
    if rank < dimension:
        raise InvalidInput("actions", f"a set of rank {rank}", f"a set that spans all {dimension} dimensions")


def gaps_and_best(rows: tuple[Row, ...], theta: Row) -> tuple[Row, int]:
    means = [sum((x * t for x, t in zip(row, theta, strict=True)), Fraction(0)) for row in rows]
    largest = max(means)
    if means.count(largest) > 1:
        tied = ", ".join(str(row + 1) for row, mean in enumerate(means) if mean == largest)
        raise InvalidInput(
            "theta", f"ties between the actions in rows {tied}", "a parameter for which a single action is best"
        )
    return tuple(largest - m for m in means), means.index(largest)


def _budget(epsilon: Any) -> Fraction | None:
    """None for no privacy, also where that is said with inf."""
    budget = math.inf if epsilon is None else exact_budget(epsilon)
    return budget if isinstance(budget, Fraction) else None


def _thresholds(gaps: Row, best: int, ratios: Any, epsilon: Any) -> tuple[Fraction | None, ...]:
    def threshold(index: int, gap: Fraction) -> Fraction | None:
        if index == best:
            return None
        return gap * (gap if ratios is None else min(gap, epsilon * ratios[index])) / 2

    return tuple(threshold(i, gap) for i, gap in enumerate(gaps))


def _regimes(gaps: Row, best: int, ratios: Any, epsilon: Any) -> tuple[str | None, ...] | None:
    if ratios is None:
        return None
    return tuple(None if i == best else "low" if gap <= epsilon * ratios[i] else "high" for i, gap in enumerate(gaps))


def _applicability(
    rows: tuple[Row, ...], best: int, gaps: Row, ratios: Any, epsilon: Any, ratio: str | None
) -> tuple[bool, str]:
    if ratios is None or ratio == "bases":
        return True, "every constraint follows from a change of measure"
    private = [a for a in range(len(rows)) if a != best and epsilon * ratios[a] < gaps[a]]
    for norms in itertools.islice(norms_in_bases(rows, best), affordable_bases(rows) if private else 0):
        short = [a for a in private if ratios[a] < norms[a]]
        if short:
            where = ", ".join(str(a + 1) for a in short[:10])
            return False, f"the printed ratio is too small for the argument at the actions in rows {where}; see ratio"
    if private and too_many_bases(rows):
        return False, "not known: there are too many bases to see whether the printed ratios are large enough"
    return True, "no printed ratio that matters is smaller than what the argument needs"


# ----------------------------------------------------------------------------------------- the program modulo a*


def reduced(rows: Sequence[Row], best: int) -> list[Row]:
    """Coordinates of the actions in R^d modulo a*: a_i - a_p a*_i / a*_p for i != p, where a*_p is a*'s largest."""
    star = rows[best]
    if not any(star):
        return list(rows)
    pivot = max(range(len(star)), key=lambda i: abs(star[i]))
    slopes = [x / star[pivot] for x in star]
    others = [i for i in range(len(star)) if i != pivot]
    return [tuple(row[i] - row[pivot] * slopes[i] for i in others) for row in rows]


_OUT_OF_RANGE = InvalidInput(
    "actions, theta and epsilon",
    "gaps or thresholds that overflow or underflow",
    "such that the gaps, and epsilon times the gaps, are floats of size 1e-300 to 1e300",
)


def _solved(rows: tuple[Row, ...], gaps: Row, thresholds: Any, best: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    images = reduced(rows, best)
    active = _active(rows, images, best)
    allocation, multipliers = np.zeros(len(rows)), np.zeros(len(rows))
    allocation[best] = np.inf
    if not active:
        return allocation, multipliers, np.zeros((len(images[0]), len(images[0])))
    try:
        y = np.array([[float(x) for x in images[a]] for a in active])
        b, gap = (np.array([float(values[a]) for a in active]) for values in (thresholds, gaps))
    except OverflowError:
        raise _OUT_OF_RANGE from None
    with np.errstate(all="ignore"):
        costs, scaled = gap / b, y / np.sqrt(b)[:, None]
        finite = np.isfinite(costs).all() and np.isfinite(scaled).all()
        if not (finite and (costs > 0).all() and np.any(scaled, axis=1).all()):
            raise _OUT_OF_RANGE
        beta, prices = cheapest_allocation(scaled, costs)
        allocation[active], multipliers[active] = beta / b, prices * costs.min() / b
        try:
            inverse = np.linalg.inv((y.T * allocation[active]) @ y)
        except np.linalg.LinAlgError:
            raise _OUT_OF_RANGE from None
    return allocation, multipliers, (inverse + inverse.T) / 2


def _active(rows: Sequence[Row], images: list[Row], best: int) -> list[int]:
    """The actions that tell directions apart in which the best action is silent."""
    return [a for a in range(len(rows)) if a != best and any(images[a])]


def _sampled_only_where_it_counts(
    rows: Sequence[Row], best: int, allocation: np.ndarray, multipliers: np.ndarray
) -> bool:
    """Whether alpha is inf at the best action, and both are 0 at the others whose data no certificate reads."""
    idle = sorted({*range(len(rows))} - {best, *_active(rows, reduced(rows, best), best)})
    return bool(allocation[best] == math.inf and multipliers[best] == 0) and not (
        allocation[idle].any() or multipliers[idle].any()
    )


def _certified(
    rows: Sequence[Row], gaps: Row, thresholds: Any, best: int, allocation: np.ndarray, multipliers: np.ndarray,
    inverse: np.ndarray, bits: int,
) -> Enclosure | None:  # fmt: skip
    """The value's two ends in balls, or None where the data certify nothing.

    An alpha that misses its constraints by the factor t is feasible after multiplication by t, multipliers that miss
    theirs by s after division by s; so both ends are valid for any nonnegative data.
    """
    from flint import arb_mat

    images = reduced(rows, best)
    active = _active(rows, images, best)
    if not active:
        return Enclosure(0, 0)
    data = np.concatenate([allocation[active], multipliers[active], np.ravel(inverse)])
    size = len(images[0])
    if not np.isfinite(data).all() or allocation[active].min() < 0 or multipliers[active].min() < 0:
        return None
    with working_precision(bits):
        y = arb_mat([[to_ball(x) for x in images[a]] for a in active])
        cost, bound = ([to_ball(values[a]) for a in active] for values in (gaps, thresholds))
        alpha, prices = ([to_ball(float(v)) for v in values[active]] for values in (allocation, multipliers))
        upper = _cost_of_feasible(y, alpha, cost, bound)
        w = arb_mat([[to_ball(float(inverse[i, j])) for j in range(size)] for i in range(size)])
        lower = _worth_of_prices(y, w, prices, cost, bound)
        if upper is None or lower is None:
            return None
        ends = Enclosure.from_ball(lower), Enclosure.from_ball(upper)
    low = max(ends[0].lower, Fraction(0))
    return Enclosure(low, ends[1].upper) if low <= ends[1].upper else None


def _weighted(y: Any, weights: list[Any]) -> Any:
    """sum_a weights_a y_a y_a^T."""
    from flint import arb_mat

    rows = y.tolist()
    return y.transpose() * arb_mat([[w * x for x in row] for w, row in zip(weights, rows, strict=True)])


def _row_products(left: Any, right: Any) -> list[Any]:
    pairs = zip(left.tolist(), right.tolist(), strict=True)
    return [sum((x * z for x, z in zip(p, q, strict=True)), to_ball(0)) for p, q in pairs]


def _cost_of_feasible(y: Any, alpha: list[Any], cost: list[Any], bound: list[Any]) -> Any:
    try:
        inverse = _weighted(y, alpha).inv()
    except ZeroDivisionError:
        return None
    norms = _row_products(y * inverse, y)
    factor = to_ball(0)
    for norm, b in zip(norms, bound, strict=True):
        if not norm > 0:
            return None
        factor = factor.max(norm / b)
    return factor * sum((a * c for a, c in zip(alpha, cost, strict=True)), to_ball(0))


def _worth_of_prices(y: Any, w: Any, prices: list[Any], cost: list[Any], bound: list[Any]) -> Any:
    image = y * w
    demand = _row_products(y * _weighted(image, prices), y)
    factor = to_ball(0)
    for used, c in zip(demand, cost, strict=True):
        factor = factor.max(used / c)
    if not factor > 0:
        return None
    terms = zip(prices, _row_products(image, y), bound, strict=True)
    return sum((p * (2 * inner - b) for p, inner, b in terms), to_ball(0)) / factor
