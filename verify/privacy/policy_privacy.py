"""The exact privacy of a finite policy under any definition: e^epsilon, delta(epsilon), Rényi curve and zCDP.

Reach (K = 2, binary rewards): T = 3 at once, T = 4 in a second, T = 5 in ten; a single delta within a second up to
T = 6. Larger alphabets and numbers of arms are refused when their inputs cannot be visited.

Source: TH-D3.2, TH-D3.3, TH-D3.5, TH-D3.9
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import inf
from typing import TYPE_CHECKING, Any

from banditproof.theory import InvalidInput, to_ball, working_precision
from banditproof.theory.arguments import checked, question
from banditproof.verify.finite.channels import Ratio, check_ratio, renyi_divergence
from banditproof.verify.finite.kernels import Actions, FiniteKernel
from banditproof.verify.finite.renyi import PRECISION, QuotientBound, largest_quotient, supremum
from banditproof.verify.privacy.feedback import Feedback, Score, WorstFeedback, check_notion

if TYPE_CHECKING:
    from flint import arb

    from banditproof.theory.numbers.enclosure import Enclosure


@dataclass(frozen=True)
class EventWitness:
    """Neighbouring inputs and an event: P_left(event) = `left`, P_right(event) = `right`."""

    inputs: Feedback
    event: tuple[Actions, ...]
    left: Fraction
    right: Fraction

    @property
    def ratio(self) -> Ratio:
        """left/right: e^epsilon is at least that."""
        return self.left / self.right if self.right else inf if self.left else Fraction(1)

    def excess(self, ratio: Fraction) -> Fraction:
        """left - ratio * right: delta at e^epsilon = `ratio` is at least that."""
        return self.left - ratio * self.right

    @question
    def holds(self, kernel: FiniteKernel) -> bool:
        """Whether the inputs are neighbours that the definition allows and the event has the stated probabilities."""
        if not self.inputs.belongs_to(kernel):
            return False
        left, right = self.inputs.laws(kernel)
        return (self.left, self.right) == (sum(left[a] for a in self.event), sum(right[a] for a in self.event))


@dataclass(frozen=True)
class PolicyPrivacy:
    """The privacy of `kernel` under `notion`, each number with the inputs and the event that attain it.

    `pure` attains e^epsilon. `curve` are the linear pieces of delta as a function of e^epsilon: delta(ratio) is the
    largest of their excesses, from slope to slope. `rho` encloses the smallest rho of zCDP; its lower end is the Rényi
    divergence of `renyi_inputs` at order `rho_order` over that order (Kullback-Leibler at order 1), and its upper end
    follows from the divergences at `orders`.
    """

    kernel: FiniteKernel
    notion: str
    pure: EventWitness
    curve: tuple[EventWitness, ...]
    rho: "Enclosure"
    rho_order: Fraction
    renyi_inputs: Feedback
    orders: tuple[Fraction, ...]

    @property
    def ratio(self) -> Ratio:
        """e^epsilon of the tightest epsilon, exactly (math.inf if there is none)."""
        return self.pure.ratio

    @property
    def epsilon(self) -> "Enclosure":
        """The tightest epsilon of pure privacy."""
        return _log(self.ratio)

    def delta(self, ratio: Fraction) -> Fraction:
        """The smallest delta at e^epsilon = `ratio`, a rational >= 1; exact."""
        check_ratio(ratio)
        return max(Fraction(0), *(piece.excess(ratio) for piece in self.curve))

    def smallest_ratio(self, delta: Fraction) -> Ratio:
        """e^epsilon of the smallest epsilon >= 0 at which the policy is (epsilon, delta)-private; exact.

        Raises InvalidInput for a delta outside [0, 1].
        """
        if not 0 <= delta <= 1:
            raise InvalidInput("delta", delta, "in [0, 1]")
        needed: Ratio = Fraction(1)
        for piece in self.curve:
            if piece.excess(Fraction(1)) > delta:
                needed = max(needed, (piece.left - delta) / piece.right if piece.right else inf)
        return needed

    def smallest_epsilon(self, delta: Fraction) -> "Enclosure":
        """The smallest epsilon at which the policy is (epsilon, delta)-private."""
        return _log(self.smallest_ratio(delta))

    def renyi(self, order: Fraction) -> "Enclosure":
        """The largest Rényi divergence of this order, a rational > 1, over all neighbouring inputs."""
        from banditproof.theory.numbers.enclosure import Enclosure

        with working_precision(PRECISION):
            return Enclosure.from_ball(largest_divergence(self.kernel, self.notion, Fraction(order))[0])

    @question
    def recheck(self) -> bool:
        """Whether every number is confirmed: witnesses in rationals, upper ends by visiting all inputs again.

        delta is convex in e^epsilon, so it equals its pieces as soon as it does at their ends.
        """
        witnesses = (self.pure, *self.curve)
        if not all(w.inputs.notion == self.notion and w.holds(self.kernel) for w in witnesses):
            return False
        ends = [r for a, b in zip(self.curve, self.curve[1:], strict=False) if (r := _crossing(a, b)) >= 1]
        if any(_delta(self.notion, self.kernel, r).excess(r) > self.delta(r) for r in (Fraction(1), *ends)):
            return False
        if _pure(self.notion, self.kernel).ratio > self.ratio or _never(self.notion, self.kernel).left > self._limit:
            return False
        return self._rho_holds()

    @property
    def _limit(self) -> Fraction:
        """delta as epsilon grows without bound."""
        return max((piece.left for piece in self.curve if not piece.right), default=Fraction(0))

    def _rho_holds(self) -> bool:
        if self.ratio in (1, inf):
            return self.rho.lower == self.rho.upper == (0 if self.ratio == 1 else inf)

        if self.renyi_inputs.notion != self.notion or not self.renyi_inputs.belongs_to(self.kernel):
            return False
        with working_precision(PRECISION):
            bound = _bound_at(self.notion, self.kernel, self.orders, self.ratio)
            lower = _of_laws(*self.renyi_inputs.laws(self.kernel), self.rho_order) / to_ball(self.rho_order)
            return bound.value.upper <= self.rho.upper and bool(
                lower >= to_ball(Fraction(self.rho.lower)) * to_ball(1 - _SLACK)
            )


_SLACK = Fraction(1, 2**150)  # the same divergence computed in two orders of summation


@checked
def verify_policy_privacy(kernel: FiniteKernel, notion: str = "interactive") -> PolicyPrivacy:
    """Everything about the privacy of a finite policy under one definition, exactly.

    `notion` is "view", "table", "interactive" or "acr" (adaptive continual release); "interactive-view" and
    "interactive-acr" let the adversary choose both the queries and the source of the rewards.

    >>> from fractions import Fraction
    >>> from banditproof.verify.finite.kernels import randomised_response_kernel
    >>> privacy = verify_policy_privacy(randomised_response_kernel(3, 2, Fraction(3)), "table")
    >>> privacy.ratio, privacy.delta(Fraction(2)), privacy.pure.holds(privacy.kernel)
    (Fraction(3, 1), Fraction(1, 4), True)

    Raises InvalidInput for another notion or a policy with too many inputs.

    Source: TH-D3.2, TH-D3.3, TH-D3.5, TH-D3.9
    """
    check_notion(notion)
    pure = _pure(notion, kernel)
    bound, inputs = _zcdp(notion, kernel, pure)
    return PolicyPrivacy(
        kernel, notion, pure, privacy_curve(kernel, notion), bound.value, bound.order, inputs, bound.orders
    )


@checked
def privacy_curve(kernel: FiniteKernel, notion: str) -> tuple[EventWitness, ...]:
    """The pieces of delta(e^epsilon) on [1, inf), which is convex and piecewise linear, each with its witness.

    Two pieces are compared where they cross: either delta lies on both there, or a piece in between is found.
    """
    check_notion(notion)

    def between(first: EventWitness, last: EventWitness) -> list[EventWitness]:
        if first.right == last.right:
            return []
        ratio = _crossing(first, last)
        middle = _delta(notion, kernel, ratio)
        if middle.excess(ratio) <= first.excess(ratio):
            return []
        return [*between(first, middle), middle, *between(middle, last)]

    start, end = _delta(notion, kernel, Fraction(1)), _never(notion, kernel)
    if start.right == end.right:
        return (start,) if start.left >= end.left else (end,)
    pieces = [start, *between(start, end), end]
    return tuple(pieces if _crossing(pieces[0], pieces[1]) > 1 else pieces[1:])  # the first may touch at ratio 1 only


@checked
def largest_delta(kernel: FiniteKernel, notion: str, ratio: Fraction) -> EventWitness:
    """The inputs and the event whose excess at e^epsilon = `ratio` is the smallest delta."""
    check_notion(notion)
    check_ratio(ratio)
    return _delta(notion, kernel, Fraction(ratio))


@checked
def largest_ratio(kernel: FiniteKernel, notion: str) -> EventWitness:
    """The inputs and the action sequence whose ratio is e^epsilon of pure privacy."""
    check_notion(notion)
    return _pure(notion, kernel)


def _crossing(first: EventWitness, last: EventWitness) -> Fraction:
    return (first.left - last.left) / (first.right - last.right)


def _delta(notion: str, kernel: FiniteKernel, ratio: Fraction) -> EventWitness:
    up, down = ratio.numerator, ratio.denominator
    return _event(notion, kernel, Score(lambda p, q: max(0, down * p - up * q)), lambda p, q: p > ratio * q)


def _never(notion: str, kernel: FiniteKernel) -> EventWitness:
    """The likeliest event that the other input makes impossible: delta as epsilon grows."""
    return _event(notion, kernel, Score(lambda p, q: 0 if q else p), lambda p, q: bool(p and not q))


def _pure(notion: str, kernel: FiniteKernel) -> EventWitness:
    def leaf(p: int, q: int) -> Ratio:
        return Fraction(p, q) if q else inf if p else Fraction(0)

    search = WorstFeedback(notion, kernel, Score(leaf, additive=False))
    _, steps = search.search()
    inputs = search.feedback(steps)
    left, right = inputs.laws(kernel)
    worst = max((a for a in left if left[a]), key=lambda a: left[a] / right[a] if right[a] else inf)
    return EventWitness(inputs, (worst,), left[worst], right[worst])


def _event(notion: str, kernel: FiniteKernel, score: Score, inside: Any) -> EventWitness:
    search = WorstFeedback(notion, kernel, score)
    _, steps = search.search()
    inputs = search.feedback(steps)
    left, right = inputs.laws(kernel)
    event = tuple(a for a in left if inside(left[a], right[a]))
    return EventWitness(inputs, event, _total(left[a] for a in event), _total(right[a] for a in event))


def _total(values: Any) -> Fraction:
    return sum(values, Fraction(0))


def _zcdp(notion: str, kernel: FiniteKernel, pure: EventWitness) -> tuple[QuotientBound, Feedback]:
    from banditproof.theory.numbers.enclosure import Enclosure

    if pure.ratio in (1, inf):
        end = 0 if pure.ratio == 1 else inf
        return QuotientBound(Enclosure(end, end), Fraction(1), ()), pure.inputs
    with working_precision(PRECISION):
        divergence = cache(lambda order: largest_divergence(kernel, notion, order))
        bound = largest_quotient(
            lambda order: divergence(order)[0], divergence(Fraction(1))[0], to_ball(Fraction(pure.ratio)).log()
        )
        return bound, divergence(bound.order)[1]


def _bound_at(notion: str, kernel: FiniteKernel, orders: tuple[Fraction, ...], ratio: Ratio) -> QuotientBound:
    known = {order: largest_divergence(kernel, notion, order)[0] for order in (Fraction(1), *orders)}
    return supremum(known, to_ball(Fraction(ratio)).log())


@checked
def largest_divergence(kernel: FiniteKernel, notion: str, order: Fraction) -> tuple["arb", Feedback]:
    """The largest Rényi divergence of an order >= 1 (1: Kullback-Leibler), a ball, and the inputs that attain it."""
    from flint import arb

    check_notion(notion)
    if order < 1:
        raise InvalidInput("order", order, "a rational > 1")

    def compared(value: Any) -> Any:
        return value.mid() if isinstance(value, arb) else arb(value)

    def larger(a: Any, b: Any) -> "arb":
        return arb(a).max(arb(b))

    search = WorstFeedback(notion, kernel, Score(_renyi_leaf(order), larger=larger, compared=compared))
    value, steps = search.search()
    if order > 1:
        value = arb(value).log() / (to_ball(order) - 1)
    return arb(value), search.feedback(steps)


def _renyi_leaf(order: Fraction) -> Any:
    from flint import arb

    power = to_ball(order)

    @cache
    def leaf(p: int, q: int) -> Any:
        if not p:
            return arb(0)
        if not q:
            return arb("inf")
        return p * (arb(p) / q).log() if order == 1 else q * (arb(p) / q) ** power

    return leaf


def _of_laws(left: Any, right: Any, order: Fraction) -> "arb":
    from flint import arb

    if order > 1:
        return renyi_divergence(left, right, order)
    return sum((to_ball(p) * to_ball(p / right[a]).log() for a, p in left.items() if p), arb(0))


def _log(ratio: Ratio) -> "Enclosure":
    from banditproof.theory.numbers.enclosure import Enclosure

    if ratio == inf:
        return Enclosure(inf, inf)
    with working_precision(PRECISION):
        return Enclosure.from_ball(to_ball(Fraction(ratio)).log()) if ratio != 1 else Enclosure(0, 0)
