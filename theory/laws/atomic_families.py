"""Families of laws with finitely many atoms: all laws on given points, all laws on [0, 1], finite classes of laws.

The verbs are those of `law`; parameters are kept exactly, as in `families`. The least divergences to a better law are
convex programs (linear for tv), solved through their one-dimensional duals in `point_masses`.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import islice
from operator import is_
from typing import Any

from banditproof.theory.arguments import named
from banditproof.theory.errors import InvalidInput
from banditproof.theory.laws import point_masses as programs
from banditproof.theory.laws.exponential_families import renyi_of_terms
from banditproof.theory.laws.infimum import Infimum
from banditproof.theory.laws.law import Law
from banditproof.theory.numbers.exact_numbers import FAR_FROM_ONE, exact
from banditproof.theory.numbers.numeric import least, to_ball


class _Atomic(Law):
    """A law with finitely many atoms. Certificates: the multiplier of the dual in `point_masses`."""

    @property
    @abstractmethod
    def masses(self) -> dict[Fraction, Fraction]:
        """The probability of every atom, exact; atoms without mass are left out."""

    @cached_property
    def mean(self) -> Fraction:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The mean, exact."""
        return programs.mean_of(self.masses)

    @abstractmethod
    def _with_masses(self, masses: dict[Fraction, Fraction]) -> Any:
        """The law of the same family with these masses."""

    def _kl(self, other: Any) -> Any:
        return programs.kl_of(self.masses, other.masses)

    def _tv(self, other: Any) -> Any:
        return programs.tv_of(self.masses, other.masses)

    def _renyi(self, other: Any, alpha: Any) -> Any:
        pairs = programs.pairs(self.masses, other.masses)
        terms = [(to_ball(p), to_ball(q), to_ball(p - q)) for p, q in pairs]
        return renyi_of_terms(terms, alpha, lambda: self._kl(other))

    def _solve(self, problem: Infimum) -> Infimum:
        masses, top, target, between = self.masses, Fraction(self.largest_mean), problem.target, None
        if problem.divergence == "tv":
            law, lam = programs.least_tv(masses, top, target)
        elif problem.divergence == "kl" or problem.epsilon == math.inf:
            law, lam = programs.least_kl(masses, top, target)
            between = self if problem.divergence == "d" else None
        else:
            moved, law, lam = programs.least_priced(masses, top, target, Fraction(problem.epsilon))
            between = self._with_masses(moved)
        return replace(
            problem, alternative=self._with_masses(law), attained=False, intermediate=between, certificate=lam
        )

    def _ends(self, infimum: Infimum) -> tuple[Any, Any]:
        masses, better, between = self.masses, infimum.alternative, infimum.intermediate
        dual = masses, Fraction(self.largest_mean), infimum.target, infimum.certificate
        if infimum.divergence == "tv":
            return to_ball(programs.tv_dual(*dual)), to_ball(self._tv(better))
        if infimum.divergence == "kl":
            return programs.kl_dual(*dual), self._kl(better)
        return programs.kl_dual(*dual, infimum.epsilon), self._priced(between, better, infimum.epsilon)


@named
@dataclass(frozen=True)
class FinitelySupported(_Atomic):
    """The law with these probabilities on these points, within the family of all laws on the same points.

    `points`: distinct finite numbers; `probabilities`: nonnegative, as many, with sum exactly 1 (write decimals as
    strings: 0.1 is a dyadic rational near 1/10). Raises InvalidInput. Source: TH-D2.30

    >>> FinitelySupported([0, 1, 2], ["1/2", "1/4", "1/4"]).tv_inf(1).value.decimal()
    '0.125'
    """

    points: Any
    probabilities: Any

    def __post_init__(self) -> None:
        points, probabilities = _atoms("points", self.points, self.probabilities, lambda _: True, "finite numbers")
        object.__setattr__(self, "points", points)
        object.__setattr__(self, "probabilities", probabilities)

    @property
    def largest_mean(self) -> Fraction:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The largest point."""
        return self.points[-1]

    @cached_property
    def masses(self) -> dict[Fraction, Fraction]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The probability of every atom, exact; atoms without mass are left out."""
        return {x: p for x, p in zip(self.points, self.probabilities, strict=True) if p}

    def _family(self) -> Any:
        return FinitelySupported, self.points

    def _with_masses(self, masses: dict[Fraction, Fraction]) -> FinitelySupported:
        return FinitelySupported(self.points, [masses.get(x, Fraction(0)) for x in self.points])


@named
@dataclass(frozen=True, init=False)
class Bounded(_Atomic):
    """A law on [0, 1] with finitely many atoms, within the family of all laws on [0, 1].

    Give `atoms`, distinct numbers in [0, 1], and their `probabilities`, with sum exactly 1; or `samples`, of which it
    is the empirical law. Alternatives may put mass on 1, where this law has none. Raises InvalidInput.

    Source: TH-D2.30, TH-D4.TV

    >>> Bounded(["1/2"], [1]).tv_inf("3/4").value.decimal()
    '0.5'
    """

    atoms: tuple[Fraction, ...]
    probabilities: tuple[Fraction, ...]
    largest_mean = 1

    def __init__(self, atoms: Any = None, probabilities: Any = None, *, samples: Iterable[Any] | None = None) -> None:
        if (samples is None) == (atoms is None) or (samples is not None and probabilities is not None):
            raise InvalidInput("samples", samples, "given instead of atoms and probabilities")
        if samples is not None:
            atoms, probabilities = _empirical(samples)
        elif probabilities is None:
            raise InvalidInput("probabilities", None, "given beside the atoms (a sample is given as samples=...)")
        allowed = "numbers in [0, 1]"
        points, weights = _atoms("atoms", atoms, probabilities, lambda x: 0 <= x <= 1, allowed)
        object.__setattr__(self, "atoms", points)
        object.__setattr__(self, "probabilities", weights)

    @cached_property
    def masses(self) -> dict[Fraction, Fraction]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The probability of every atom, exact; atoms without mass are left out."""
        return {x: p for x, p in zip(self.atoms, self.probabilities, strict=True) if p}

    def _with_masses(self, masses: dict[Fraction, Fraction]) -> Bounded:
        known = list(islice(masses, len(self.atoms)))
        if not all(map(is_, known, self.atoms)) or [*masses][len(known) :] not in ([], [1]):
            return Bounded(list(masses), list(masses.values()))
        law = object.__new__(Bounded)  # the first atoms of this law, and perhaps 1: nothing has to be read again
        for name, value in (("atoms", tuple(masses)), ("probabilities", tuple(masses.values())), ("masses", masses)):
            object.__setattr__(law, name, value)
        return law


def _empirical(samples: Any) -> tuple[list[Fraction], list[Fraction]]:
    counts = Counter(_numbers("samples", samples, lambda x: 0 <= x <= 1, "numbers in [0, 1]"))
    total = sum(counts.values())
    return list(counts), [Fraction(count, total) for count in counts.values()]


def _numbers(name: str, given: Any, holds: Any, allowed: str) -> list[Fraction]:
    try:
        values = [] if isinstance(given, str) else list(given)
    except TypeError:
        raise InvalidInput(name, given, f"a list of {allowed}") from None
    if not values:
        raise InvalidInput(name, given, "a list of at least one number, such as [0, 1]")
    return [exact(name, value, holds, allowed) for value in values]


def _atoms(
    name: str, points: Any, probabilities: Any, holds: Any, allowed: str
) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    """Sorted points and their probabilities, exact."""
    where = _numbers(name, points, holds, allowed)
    weights = _numbers("probabilities", probabilities, lambda p: p >= 0, "nonnegative numbers")
    if len(weights) != len(where):
        raise InvalidInput("probabilities", len(weights), f"as many as {name}, that is {len(where)}")
    if len(set(where)) < len(where):
        repeated = next(x for x, count in Counter(where).items() if count > 1)
        raise InvalidInput(name, repeated, "distinct")
    if sum(weights) != 1:
        short = float(1 - sum(weights))
        if abs(short) > FAR_FROM_ONE:
            raise InvalidInput("probabilities", f"a sum of {float(sum(weights)):.6g}", "numbers with sum 1")
        total = f"1 {'-' if short > 0 else '+'} {abs(short):.3g}"
        raise InvalidInput("probabilities", total, 'numbers with sum exactly 1 (write "0.1", not 0.1)')
    order = sorted(range(len(where)), key=where.__getitem__)
    return tuple(where[i] for i in order), tuple(weights[i] for i in order)


# ----------------------------------------------------------------------------------------------------- finite classes


@named
@dataclass(frozen=True)
class FiniteClass(Law):
    """A law within a class of finitely many laws of one family, of which it is a member.

    Here it matters that the infima ask for a mean strictly above the target. Raises InvalidInput for an empty class,
    for duplicates and for a law outside it. Source: TH-D2.30

    >>> from banditproof.theory import Bernoulli
    >>> laws = [Bernoulli(0.25), Bernoulli(0.5), Bernoulli(0.75)]
    >>> FiniteClass(laws[0], laws).tv_inf(0.5).value.decimal()
    '0.5'
    """

    law: Any
    laws: Any
    connected = False

    def __post_init__(self) -> None:
        try:
            laws = tuple(self.laws)
        except TypeError:
            raise InvalidInput("laws", self.laws, "a list of laws") from None
        if not all(isinstance(other, Law) for other in laws):
            raise InvalidInput("laws", laws, "laws of one family")
        if not isinstance(self.law, Law) or self.law not in laws:
            raise InvalidInput("law", self.law, "one of the laws of the class")
        if len(set(laws)) < len(laws):
            raise InvalidInput("laws", laws, "distinct")
        if any(other._family() != self.law._family() for other in laws):
            raise InvalidInput("laws", laws, "laws of one family")
        object.__setattr__(self, "laws", laws)

    @property
    def mean(self) -> Fraction:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The mean of the law, exact."""
        return self.law.mean

    @property
    def largest_mean(self) -> Fraction:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The largest mean in the class."""
        return max(other.mean for other in self.laws)

    def _family(self) -> Any:
        return FiniteClass, self.laws

    def _kl(self, other: Any) -> Any:
        return self.law._kl(other.law)

    def _tv(self, other: Any) -> Any:
        return self.law._tv(other.law)

    def _renyi(self, other: Any, alpha: Any) -> Any:
        return self.law._renyi(other.law, alpha)

    def _solve(self, problem: Infimum) -> Infimum:
        choices = self._choices(problem)
        _, between, better = min(choices, key=lambda choice: math.inf if choice[0].is_nan() else choice[0].mid())
        return replace(problem, alternative=better, attained=True, intermediate=between)

    def _choices(self, problem: Infimum) -> list[tuple[Any, Any, Any]]:
        """The divergence of every admissible choice of laws: (value, Q or None, P')."""
        members = [FiniteClass(law, self.laws) for law in self.laws]
        better = [member for member in members if member.mean > problem.target]
        if problem.divergence == "tv":
            return [(to_ball(self._tv(other)), None, other) for other in better]
        if problem.divergence == "kl":
            return [(self._kl(other), None, other) for other in better]
        return [
            (self._priced(between, other, problem.epsilon), between, other)
            for other in better
            for between in members
            if self.mean <= between.mean <= other.mean
        ]

    def _ends(self, infimum: Infimum) -> tuple[Any, Any]:
        choices = self._choices(infimum)
        named = [v for v, q, p in choices if q == infimum.intermediate and p == infimum.alternative]
        return least(value for value, _, _ in choices), named[0]
