"""Steps: how a claim is shown, as data. They run in order until one refutes the claim or fails.

A step is called with the check and the claim's relation and says whether to go on. Points are a grid (keywords: one
value or a list of values per variable), a list of points, or a function of the check that gives either; ``pick`` makes
a choice between the profiles. ``of`` names another relation than the claim's own. A function ``(check, relation)`` that
returns whether to go on is a step too (``step``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from banditproof.claims.derivations import derivation, fact, facts_hold
from banditproof.theory.errors import one_of
from banditproof.verify import Domain, Relation
from banditproof.verify.proof.substitution import Substitution

if TYPE_CHECKING:
    from banditproof.claims.check import Check

Routes = tuple[str, str]
Region = Domain | Mapping[str, Any] | Callable[["Check"], Any] | None
PROVED_AND_JOINED = ("formulas proved by machine, connected by the named textbook facts", "the statement")


class Step(Protocol):
    """One step; ``method`` is the kind of evidence it gives, None for a step that only looks for a counterexample."""

    @property
    def method(self) -> str | None: ...

    def __call__(self, check: Check, relation: Relation) -> bool: ...


@dataclass(frozen=True)
class pick:
    """One value under the quick profile, another under the full one."""

    quick: Any
    full: Any


@dataclass(frozen=True)
class Over:
    """Where a relation is evaluated: a list of points, a grid, or a function of the check that gives one of them."""

    points: Any = None
    grid: Mapping[str, Any] = field(default_factory=dict)

    def of(self, check: Check) -> Any:
        points = self.points(check) if callable(self.points) else self.points
        if points is None:
            return {n: _values(_picked(v, check)) for n, v in self.grid.items()}
        return _picked(points, check)


def _picked(value: Any, check: Check) -> Any:
    return check.pick(value.quick, value.full) if isinstance(value, pick) else value


def _values(value: Any) -> list[Any]:
    """A grid's values of one variable; a single number or name stands for a list of one."""
    return list(value) if isinstance(value, Iterable) and not isinstance(value, str | Mapping) else [value]


def _region(covers: Region, check: Check) -> Domain | None:
    """The part of the claim's domain that a step speaks of: sets that replace the printed ones, or a domain."""
    given = covers(check) if callable(covers) else covers
    if not isinstance(given, Mapping):
        return given
    for name in given.keys() - {"where"}:
        one_of("variable of covers", name, check.domain.sets)
    return check.domain.restrict(**given)


def _without_none(**options: Any) -> dict[str, Any]:
    """The options that were given."""
    return {n: v for n, v in options.items() if v is not None}


@dataclass(frozen=True)
class tried_at:
    """Looks for a counterexample at a few points first: a wrong statement is refuted before a proof is tried."""

    over: Over
    rational: bool
    of: Relation | None
    method: ClassVar[None] = None

    def __init__(self, points: Any = None, /, *, rational: bool = False, of: Relation | None = None, **grid: Any):
        _set(self, over=Over(points, grid), rational=rational, of=of)

    def __call__(self, check: Check, relation: Relation) -> bool:
        points = check.tried(self.of or relation, self.over.of(check))
        return not check.search(self.of or relation, points, rational=self.rational)


@dataclass(frozen=True)
class in_kernel:
    """Proves a statement about every mechanism, law or policy by a theorem of the kernel (``verify.kernel``).

    `proof` makes the theorem from the statement's formula; what it is worth the kernel says, and nothing else.
    """

    proof: Callable[[Any], Any]
    method: ClassVar[str] = "kernel"

    def __call__(self, check: Check, relation: Relation) -> bool:
        return check.kernel(relation, self.proof)


@dataclass(frozen=True)
class deduced:
    """Proves the claim by its stored tree of rules, which ``banditproof prove`` looks for (``claims/trees.py``)."""

    method: ClassVar[str] = "deduction"

    def __call__(self, check: Check, relation: Relation) -> bool:
        return check.deduction(relation)


@dataclass(frozen=True)
class judged:
    """What a formula of numbers gets whose author names no step: its stored tree, else boxes, else points."""

    method: ClassVar[str] = "deduction"

    def __call__(self, check: Check, relation: Relation) -> bool:
        return check.judged(relation)


@dataclass(frozen=True)
class interval:
    """Proves the relation by branch and bound in ball arithmetic."""

    covers: Region = None
    boxes: int | None = None
    substitutions: Mapping[str, Substitution] | None = None
    precision: int = 64
    routes: Routes | None = None
    of: Relation | None = None
    method: ClassVar[str] = "interval"

    def __call__(self, check: Check, relation: Relation) -> bool:
        return check.interval(
            self.of or relation,
            _region(self.covers, check),
            boxes=self.boxes,
            substitutions=self.substitutions,
            precision=self.precision,
            routes=self.routes,
        )


@dataclass(frozen=True)
class enumerated:
    """Evaluates the relation at every point, exactly (``rational``) or in balls."""

    over: Over
    rational: bool
    covers: Region
    routes: Routes | None
    of: Relation | None
    method: ClassVar[str] = "enumeration"

    def __init__(
        self, points: Any = None, /, *, rational: bool = False, covers: Region = None, routes: Routes | None = None,
        of: Relation | None = None, **grid: Any,
    ):  # fmt: skip
        _set(self, over=Over(points, grid), rational=rational, covers=covers, routes=routes, of=of)

    def __call__(self, check: Check, relation: Relation) -> bool:
        return check.enumerate(
            self.of or relation,
            self.over.of(check),
            covers=_region(self.covers, check),
            rational=self.rational,
            **_without_none(routes=self.routes),
        )


@dataclass(frozen=True)
class quadrature:
    """As ``enumerated``, for values whose error is estimated and not proved: it supports and never proves."""

    over: Over
    error: str
    covers: Region
    routes: Routes | None
    of: Relation | None
    method: ClassVar[str] = "quadrature"

    def __init__(
        self, points: Any = None, /, *, error: str, covers: Region = None, routes: Routes | None = None,
        of: Relation | None = None, **grid: Any,
    ):  # fmt: skip
        _set(self, over=Over(points, grid), error=error, covers=covers, routes=routes, of=of)

    def __call__(self, check: Check, relation: Relation) -> bool:
        return check.quadrature(
            self.of or relation,
            self.over.of(check),
            self.error,
            covers=_region(self.covers, check),
            **_without_none(routes=self.routes),
        )


@dataclass(frozen=True)
class fails_at:
    """The counterexample."""

    point: Mapping[str, Any]
    rational: bool
    of: Relation | None
    method: ClassVar[None] = None

    def __init__(self, *, rational: bool = False, of: Relation | None = None, **point: Any):
        _set(self, point=point, rational=rational, of=of)

    def __call__(self, check: Check, relation: Relation) -> bool:
        (point,) = check.tried(self.of or relation, [self.point])
        return not check.counterexample(self.of or relation, point, self.rational)


@dataclass(frozen=True)
class argued:
    """A proof whose formulas are proved by machine and whose joints are the textbook facts that ``because`` names.

    The facts are annotated relations (proved on the domain of their signatures) or made by ``fact``; with none, the
    claim's own relation on its domain is the fact.
    """

    because: str
    facts: tuple[Any, ...]
    covers: Region
    routes: Routes
    method: ClassVar[str] = "certificate"

    def __init__(self, because: str, *facts: Any, covers: Region = None, routes: Routes = PROVED_AND_JOINED):
        _set(self, because=because, facts=facts, covers=covers, routes=routes)

    def __call__(self, check: Check, relation: Relation) -> bool:
        own = [fact(relation, check.domain)]
        listed: list[Any] = [f if isinstance(f, Mapping) else fact(f) for f in self.facts] or own
        return check.certificate(facts_hold, derivation(listed, self.because), _region(self.covers, check), self.routes)


@dataclass(frozen=True)
class certified:
    """Data that a small verifier (a relation of ``data`` and the constants) accepts; a function of the check gives it.

    The entry 'because' of the data names steps that no program checks; with it the claim is supported, not proved.
    """

    verifier: Relation
    data: Any
    covers: Region = None
    routes: Routes = ("certificate", "exact verifier")
    method: ClassVar[str] = "certificate"

    def __call__(self, check: Check, relation: Relation) -> bool:
        data = self.data(check) if callable(self.data) else self.data
        return check.certificate(self.verifier, data, _region(self.covers, check), self.routes)


@dataclass(frozen=True)
class statistics:
    """Compares event counts with the claim: ``tests(check, stream)`` gives event tests of an independent stream."""

    tests: Callable[[Check, str], list[dict[str, Any]]]
    covers: Region = None
    routes: Routes | None = None
    seeds: str = ""
    method: ClassVar[str] = "statistics"

    def __call__(self, check: Check, relation: Relation) -> bool:
        return check.statistics(
            lambda stream: self.tests(check, stream),
            covers=_region(self.covers, check),
            seeds=self.seeds,
            **_without_none(routes=self.routes),
        )


@dataclass(frozen=True)
class trend:
    """Judges a series, a function of the check, by a rule of ``verify.proof.trend`` that is fixed beforehand."""

    rule: str
    series: Callable[[Check], Iterable[tuple[Any, Any]]]
    source: str
    covers: Region
    routes: Routes | None
    parameters: Mapping[str, Any]
    method: ClassVar[str] = "trend"

    def __init__(
        self, rule: str, series: Callable[[Check], Iterable[tuple[Any, Any]]], source: str, *, covers: Region = None,
        routes: Routes | None = None, **parameters: Any,
    ):  # fmt: skip
        _set(self, rule=rule, series=series, source=source, covers=covers, routes=routes, parameters=parameters)

    def _pairs(self, check: Check) -> Iterator[tuple[Any, Any]]:
        """The series, found only when it is read: a recheck may take it from a record."""
        yield from self.series(check)

    def __call__(self, check: Check, relation: Relation) -> bool:
        return check.trend(
            self.rule,
            self._pairs(check),
            self.source,
            _region(self.covers, check),
            **_without_none(routes=self.routes),
            **self.parameters,
        )


@dataclass(frozen=True)
class step:
    """A function of the check and the relation that gathers evidence in a way of its own, and the method it is."""

    gather: Callable[[Check, Relation], bool | None]
    method: str | None = None

    def __call__(self, check: Check, relation: Relation) -> bool:
        return self.gather(check, relation) is not False


def _set(frozen: Any, **values: Any) -> None:
    for name, value in values.items():
        object.__setattr__(frozen, name, value)


def described(steps: Sequence[Step]) -> Iterator[str]:
    """The steps in words, for ``explain``."""
    for one in steps:
        argument = getattr(one, "gather", None) or getattr(one, "verifier", None) or getattr(one, "proof", None)
        yield type(one).__name__ + (f" ({argument.__name__})" if argument else "")
