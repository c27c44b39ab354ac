"""The least divergence from a law to a better one, as a value with everything that certifies it.

What the laws and the certificate of an `Infimum` prove is found by other formulas than those it was computed with.
The upper end is the divergence of the laws that are named, from the textbook formulas in rational numbers wherever
those are rational, and otherwise in twice as many bits. The lower end is

    kl     the dual value of the multiplier lam: lam x - log E_y e^(lam X) for laws known by their mean, E g(X) with
           g(x) = log(1 - lam (x - target)) for laws on points;
    tv     the difference that an event {X <= k}, or a function with values in [0, 1], makes;
    d      Bernoulli laws: the dual value of a multiplier in [-epsilon, 0]; laws on points: E min(g(X), g(top) +
           epsilon); the others: on each piece of [x, y], the least value at three points of a function below, which is
           linear between them: a chord of TV(x, .), or of what one event makes of it, and a tangent of KL(., y).

For classes of finitely many laws all of them are compared.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from banditproof.theory.arguments import question
from banditproof.theory.numbers.enclosure import Enclosure, Valued
from banditproof.theory.numbers.numeric import least, most, to_ball, working_precision

NOTHING = Enclosure(math.inf, math.inf)
ZERO = Enclosure(0, 0)


@dataclass(frozen=True)
class Infimum(Valued):
    """inf of a divergence from `law` over the laws P' of its family with mean > target, strictly.

    `divergence` is "kl": KL(P, P'); "tv": TV(P, P'); or "d": epsilon TV(P, Q) + KL(Q, P'), minimised over Q as well.
    `alternative` is the P' (`intermediate` the Q) whose divergence is the upper end of `value`. If `attained`, it is a
    minimiser; else its mean is the target, up to rounding, and laws next to it approach the infimum. It is None if the
    family has no law with a larger mean; then the value is inf. `certificate` gives the lower end: a multiplier, a
    threshold of an event, or breakpoints; None where the value is 0, inf, or a minimum over finitely many laws.
    """

    law: Any
    divergence: str
    target: Fraction
    epsilon: Any  # a Fraction or inf for "d", else None
    value: Enclosure
    alternative: Any
    attained: bool
    intermediate: Any = None
    certificate: Any = None

    @question
    def recheck(self) -> bool:
        """Whether both ends follow from `alternative`, `intermediate` and `certificate`, in balls and without a solver.

        False as well if one of the three is not admissible (a mean too small, a multiplier outside its range, ...).
        """
        again = proved(self)
        return again is not None and self.value.lower <= again.lower and again.upper <= self.value.upper

    def __float__(self) -> float:
        """The value, as the float nearest to the middle of its enclosure."""
        low, high = self.value.lower, self.value.upper
        return float(low if low == high else (low + high) / 2)


DEAR = 200
"""Budgets above change a result by less than 2^-128 of it."""


def bits_for(law: Any, target: Fraction, epsilon: Any) -> int:
    """Bits for results to about 128 bits: the gap may cancel, twice in a divergence and twice in its certificate,
    multipliers may come as close as e^-epsilon to the end of their range, a small budget asks for laws as close, and a
    large one multiplies errors.
    """
    gap = abs(target - law.mean) / (1 + abs(target))
    lost = max(0, gap.denominator.bit_length() - gap.numerator.bit_length()) if gap else 0
    if epsilon in (None, math.inf):
        return 160 + 4 * lost
    size = abs(epsilon.denominator.bit_length() - epsilon.numerator.bit_length())
    return 160 + 4 * lost + 3 * math.ceil(min(epsilon, DEAR)) + 2 * size


def dyadic(ball: Any, up: bool = False) -> Fraction:
    """The middle of a ball, rounded to flint's precision (up: an upper bound of the ball)."""
    enclosure = Enclosure.from_ball(ball if up else ball.mid())
    return Fraction(enclosure.upper)


_FEW = 3000  # terms of a Poisson sum that are added one by one
Number = Any  # a Fraction, or a ball


def proved(infimum: Infimum) -> Enclosure | None:
    """The enclosure that the result proves; None if its parts are not admissible and prove nothing."""
    law, target, better = infimum.law, infimum.target, infimum.alternative
    if infimum.divergence not in ("kl", "tv", "d") or (infimum.epsilon is None) == (infimum.divergence == "d"):
        return None
    trivial = better is None or better == law
    if (infimum.intermediate is None) == (infimum.divergence == "d" and not trivial):
        return None
    if trivial and infimum.certificate is not None:
        return None
    if better is None:
        return NOTHING if law.largest_mean <= target else None
    if not law.is_relative(better) or law.largest_mean <= target or better.mean < target:
        return None
    attained = better.mean > target and (better == law or not law.connected)
    if infimum.attained != attained or not (law.connected or attained):
        return None
    if better == law:
        return ZERO
    if infimum.divergence == "d" and not _lies_between(infimum):
        return None
    with working_precision(2 * bits_for(law, target, infimum.epsilon) + 64):
        ends = _ends(infimum)
        if ends is None:
            return None
        lower, upper = (Enclosure.outward(end) for end in ends)
    at_least = max(Fraction(0), lower.lower)
    return Enclosure(at_least, upper.upper) if at_least <= upper.upper else None


def _lies_between(infimum: Infimum) -> bool:
    law, between = infimum.law, infimum.intermediate
    return law.is_relative(between) and law.mean <= between.mean <= infimum.alternative.mean


def _ends(infimum: Infimum) -> tuple[Number, Number] | None:
    law = infimum.law
    if not law.connected:
        return _ends_in_class(infimum)
    lower = _of_points(infimum) if hasattr(law, "masses") else _of_means(infimum, plain(law))
    if lower is None:
        return None
    return lower, _cost(infimum.divergence, infimum.epsilon, law, infimum.intermediate, infimum.alternative)


def _cost(divergence: str, epsilon: Any, law: Any, between: Any, better: Any) -> Number:
    """The divergence of the laws that are named."""
    if divergence == "kl":
        return divergence_of(law, better)
    if divergence == "tv":
        return variation_of(law, better)
    far = divergence_of(between, better)
    return far if between == law else _sum(far, _product(epsilon, variation_of(law, between)))


def _ends_in_class(infimum: Infimum) -> tuple[Number, Number] | None:
    """Of a finite class: every choice of laws against the one that is named."""
    law, members, d = infimum.law, infimum.law.laws, infimum.divergence == "d"
    first, named = law.law, infimum.alternative.law
    if infimum.certificate is not None or named.mean <= infimum.target:
        return None
    better = [other for other in members if other.mean > infimum.target]
    choices = [(q, p) for p in better for q in (members if d else [first]) if not d or first.mean <= q.mean <= p.mean]
    values = [_cost(infimum.divergence, infimum.epsilon, first, q, p) for q, p in choices]
    chosen = infimum.intermediate.law if d else first
    attained = [value for value, choice in zip(values, choices, strict=True) if choice == (chosen, named)]
    return (least(map(to_ball, values)), attained[0]) if attained else None


# -------------------------------------------------------------------------------------------- divergences, the long way


def divergence_of(first: Any, second: Any) -> Number:
    """KL of two laws of one family by its definition."""
    if first == second:
        return Fraction(0)
    if hasattr(first, "masses"):
        others = second.masses
        terms = [_relative(p, others.get(x, Fraction(0))) for x, p in first.masses.items()]
        return sum(terms, to_ball(0))
    if hasattr(first, "law"):
        return divergence_of(first.law, second.law)
    return plain(first).divergence(first.mean, second.mean)


def variation_of(first: Any, second: Any) -> Number:
    """TV of two laws of one family by its definition."""
    if first == second:
        return Fraction(0)
    if hasattr(first, "masses"):
        others = second.masses
        return sum((max(p - others.get(x, Fraction(0)), Fraction(0)) for x, p in first.masses.items()), Fraction(0))
    if hasattr(first, "law"):
        return variation_of(first.law, second.law)
    low, high = sorted((first.mean, second.mean))
    return plain(first).variation(low, high)


def _relative(p: Fraction, q: Fraction) -> Number:
    """p log(p / q)."""
    if not p:
        return to_ball(0)
    return to_ball(p) * to_ball(p / q).log() if q else to_ball(math.inf)


def _sum(a: Number, b: Number) -> Number:
    return a + b if isinstance(a, Fraction) and isinstance(b, Fraction) else to_ball(a) + to_ball(b)


def _product(a: Number, b: Number) -> Number:
    return a * b if isinstance(a, Fraction) and isinstance(b, Fraction) else to_ball(a) * to_ball(b)


@dataclass(frozen=True)
class Plain:
    """The textbook formulas of a one-parameter family, on means x <= z < y as Fractions.

    `slope` is that of KL(., y), None where it is vertical. `event(x, z)` is the k for which P(X <= k) makes the
    difference TV(x, z), None in families whose TV(x, .) is concave.
    """

    divergence: Callable[[Fraction, Fraction], Number]
    variation: Callable[[Fraction, Fraction], Number]
    log_moment: Callable[[Fraction, Fraction], Number]  # log E e^(lam X) for (lam, mean)
    up_to: Callable[[Fraction, Fraction], Number]  # P(X <= k) for (k, mean)
    slope: Callable[[Fraction, Fraction], Number | None] = lambda z, y: None
    event: Callable[[Fraction, Fraction], Fraction | None] = lambda x, z: None


def plain(law: Any) -> Plain:
    """The formulas of the family of a law that is known by its mean."""
    name = type(law).__name__
    if name == "Gaussian":
        return _gaussian(law.sigma)
    return {"Bernoulli": _BERNOULLI, "Poisson": _POISSON, "Exponential": _EXPONENTIAL}[name]


def _gaussian(sigma: Fraction) -> Plain:
    variance = sigma * sigma

    def central(squared: Fraction) -> Any:
        """P(|Z| <= t) for a standard normal Z, given t^2."""
        return to_ball(squared / 2).gamma_lower(to_ball(Fraction(1, 2)), 1) if squared else to_ball(0)

    def up_to(k: Fraction, x: Fraction) -> Any:
        half = central((k - x) ** 2 / variance) / 2
        return to_ball(Fraction(1, 2)) + (half if k >= x else -half)

    return Plain(
        divergence=lambda x, y: (x - y) ** 2 / (2 * variance),
        variation=lambda x, z: central((z - x) ** 2 / (4 * variance)),
        slope=lambda z, y: (z - y) / variance,
        log_moment=lambda lam, y: lam * y + lam * lam * variance / 2,
        up_to=up_to,
    )


def _bernoulli_divergence(x: Fraction, y: Fraction) -> Any:
    return _relative(x, y) + _relative(1 - x, 1 - y)


_BERNOULLI = Plain(
    divergence=_bernoulli_divergence,
    variation=lambda x, z: z - x,
    log_moment=lambda lam, y: (to_ball(1 - y) + to_ball(y) * to_ball(lam).exp()).log(),
    up_to=lambda k, x: 1 - x if 0 <= k < 1 else Fraction(k >= 1),
)


def _count(k: int, x: Fraction) -> Any:
    """P(X <= k) for a Poisson law."""
    if k < 0:
        return to_ball(0)
    mean = to_ball(x)
    if k > _FEW:
        return mean.gamma_upper(to_ball(k + 1), 1)
    term = total = to_ball(1)
    for j in range(1, k + 1):
        term = term * mean / j
        total += term
    return total * (-mean).exp()


def _crossing(x: Fraction, z: Fraction) -> tuple[int, int]:
    """The largest k that the Poisson law of mean x < z prefers: twice, or two candidates for it near a tie."""
    if not x:
        return 0, 0
    steps = Enclosure.from_ball(to_ball(z - x) / to_ball(z / x).log())
    return math.floor(steps.lower), math.floor(steps.upper)


def _poisson_variation(x: Fraction, z: Fraction) -> Any:
    if x == z:
        return Fraction(0)
    return most(_count(k, x) - _count(k, z) for k in dict.fromkeys(_crossing(x, z)))


_POISSON = Plain(
    divergence=lambda x, y: _sum(_relative(x, y), y - x) if x else y,
    variation=_poisson_variation,
    slope=lambda z, y: to_ball(z / y).log() if z else None,
    log_moment=lambda lam, y: to_ball(y) * (to_ball(lam).exp() - 1),
    up_to=lambda k, x: _count(math.floor(k), x),
    event=lambda x, z: Fraction(_crossing(x, z)[0] if x < z else math.floor(x)),
)


def _exponential_variation(x: Fraction, z: Fraction) -> Any:
    if x == z:
        return Fraction(0)
    rate = to_ball(z / x).log() / to_ball(z - x)  # the densities cross at x z rate
    return (-rate * to_ball(x)).exp() - (-rate * to_ball(z)).exp()


_EXPONENTIAL = Plain(
    divergence=lambda x, y: to_ball(y / x).log() + to_ball(x / y - 1),
    variation=_exponential_variation,
    slope=lambda z, y: 1 / y - 1 / z,
    log_moment=lambda lam, y: -to_ball(1 - lam * y).log(),
    up_to=lambda k, x: 1 - to_ball(-k / x).exp() if k > 0 else Fraction(0),
)


# ------------------------------------------------------------------------------------------- lower ends, one parameter


def _of_means(infimum: Infimum, family: Plain) -> Number | None:
    """The lower end of laws that are known by their means; None where the certificate is not admissible."""
    x, y, certificate = infimum.law.mean, infimum.target, infimum.certificate
    if infimum.alternative.mean != y:
        return None
    if infimum.divergence == "d" and infimum.epsilon != math.inf and family is not _BERNOULLI:
        return _tiling_bound(family, certificate, x, y, infimum.epsilon)
    if not isinstance(certificate, Fraction):
        return None
    if infimum.divergence == "tv":
        return to_ball(family.up_to(certificate, x)) - to_ball(family.up_to(certificate, y))
    budget = math.inf if infimum.divergence == "kl" else infimum.epsilon
    if not -budget <= certificate <= 0:
        return None
    return _sum(certificate * x, -family.log_moment(certificate, y))


def _tiling_bound(family: Plain, points: Any, x: Fraction, y: Fraction, epsilon: Fraction) -> Any | None:
    """What the pieces between the points prove; None if they do not tile [x, y]."""
    if not isinstance(points, tuple) or len(points) < 2 or not all(isinstance(point, Fraction) for point in points):
        return None
    if points[0] != x or points[-1] != y or any(low >= high for low, high in pairwise(points)):
        return None
    return least(_piece(family, low, high, x, y, epsilon) for low, high in pairwise(points))


def _piece(family: Plain, low: Fraction, high: Fraction, x: Fraction, y: Fraction, epsilon: Fraction) -> Any:
    """A ball whose lower end is below epsilon TV(x, z) + KL(z, y) for every z in [low, high]."""
    proofs = [to_ball(_sum(_product(epsilon, family.variation(x, low)), family.divergence(high, y)))]
    nodes = (low, (low + high) / 2, high)
    for touching in nodes:
        slope = family.slope(touching, y)
        if slope is not None:
            height = family.divergence(touching, y)
            tangent = [_sum(height, _product(slope, node - touching)) for node in nodes]
            chords = _below_variation(family, x, touching, nodes)
            lines = zip(chords, tangent, strict=True)
            proofs.append(least(to_ball(_sum(_product(epsilon, chord), line)) for chord, line in lines))
    return max(proofs, key=lambda ball: Enclosure.from_ball(ball).lower)


def _below_variation(family: Plain, x: Fraction, touching: Fraction, nodes: tuple[Fraction, ...]) -> list[Number]:
    """Values at the nodes of a function below TV(x, .), linear between them, that meets it at `touching`.

    TV(x, .) is concave, so that its chords will do. For Poisson laws it is a maximum over events {X <= k}, each of
    which makes a concave difference from mean k on; before that its slope is at most that at k.
    """
    k = family.event(x, touching)
    if k is None:
        return [family.variation(x, node) for node in nodes]
    kept = to_ball(family.up_to(k, x))
    values = [kept - to_ball(family.up_to(k, node)) for node in nodes]
    if k <= nodes[0]:
        return values
    peak = family.up_to(k, k) - family.up_to(k - 1, k)
    at = values[nodes.index(touching)]
    return [
        at - _product(peak, touching - node) if node < touching else value
        for node, value in zip(nodes, values, strict=True)
    ]


# ------------------------------------------------------------------------------------------------ lower ends, on points


def _of_points(infimum: Infimum) -> Number | None:
    """The lower end of laws on points; None where the multiplier is not admissible."""
    law, target, lam = infimum.law, infimum.target, infimum.certificate
    top = Fraction(law.largest_mean)
    width = top - target
    if not isinstance(lam, Fraction) or lam < 0 or (infimum.divergence != "tv" and lam * width > 1):
        return None
    if infimum.divergence == "tv":  # f(x) = lam (top - x), capped at 1, has values in [0, 1] and E' f <= lam width
        return sum((p if lam * (top - x) >= 1 else p * lam * (top - x) for x, p in law.masses.items()), -lam * width)
    budget = math.inf if infimum.divergence == "kl" else infimum.epsilon
    cap = None if budget == math.inf else to_ball(budget) + _log(1 - lam * width)
    gains = [(p, _log(1 - lam * (x - target))) for x, p in law.masses.items()]
    return sum((to_ball(p) * (gain if cap is None else least([gain, cap])) for p, gain in gains), to_ball(0))


def _log(value: Fraction) -> Any:
    return to_ball(value).log() if value else to_ball(-math.inf)
