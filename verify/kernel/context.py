"""What a proof assumes, said once where it enters: by the first line of a lemma, by the statement, or by ``suppose``.

Not trusted: what is assumed is assumed by the rule, and who uses it where it does not hold is left with a hypothesis.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from typing import Any, TypeVar

from banditproof.verify.kernel.rules import Theorem, assume, gen
from banditproof.verify.kernel.terms import All, Formula, Refused, Rel, Term, key


class Context:
    """What is assumed, in the order in which it was; with the signs of terms that were found from it."""

    def __init__(self, given: Iterable[Formula] = ()):
        self.given = list(given)
        self.signs: dict[Term, Theorem | None] = {}
        self._assumed: dict[int, Theorem] = {}  # by the place: a key takes time, and not everything is asked for
        self._keys: dict[int, str] = {}

    def suppose(self, *given: Formula) -> tuple[Theorem, ...]:
        first = len(self.given)
        self.given += given
        self.signs.clear()
        return tuple(self._theorem(k) for k in range(first, len(self.given)))

    def known(self, wanted: Callable[[Formula], bool]) -> list[Theorem]:
        """The assumptions that are wanted."""
        return [self._theorem(k) for k, f in enumerate(self.given) if wanted(f)]

    def find(self, f: Formula, own: str = "") -> Theorem | None:
        """What is assumed and says this, if anything does; `own` is its key, where that is known."""
        same = next((k for k, g in enumerate(self.given) if g == f), None)
        if same is None:
            alike = [k for k, g in enumerate(self.given) if _shape(g) == _shape(f)]
            own = own or key(f) if alike else ""
            same = next((k for k in alike if self._key(k) == own), None)
        return None if same is None else self._theorem(same)

    def _theorem(self, k: int) -> Theorem:
        if k not in self._assumed:
            self._assumed[k] = assume(self.given[k])
        return self._assumed[k]

    def _key(self, k: int) -> str:
        if k not in self._keys:
            self._keys[k] = key(self.given[k])
        return self._keys[k]


def _shape(f: Formula) -> tuple[object, ...]:
    """Formulas with one key have one shape."""
    return (f.op,) if isinstance(f, Rel) else (len(f.params), tuple(map(_shape, f.given)), _shape(f.then))


Shown = TypeVar("Shown")  # a theorem, or several
_OPEN = [Context()]


def context() -> Context:
    """The one in which the proof stands that is being written."""
    return _OPEN[-1]


@contextmanager
def opened(*given: Formula) -> Iterator[Context]:
    """A context in which this is assumed, and nothing else."""
    _OPEN.append(Context(given))
    try:
        yield _OPEN[-1]
    finally:
        _OPEN.pop()


def suppose(*given: Formula) -> tuple[Theorem, ...]:
    """Assume what the lemma or statement that is being proved assumes: it is among its conditions, in this order."""
    return context().suppose(*given)


def once(body: Callable[..., Shown]) -> Callable[..., Shown]:
    """What a body shows of its own, proved once: nothing is assumed but what it assumes itself."""

    @cache
    @wraps(body)
    def theorem(*arguments: Any, **named: Any) -> Shown:
        with opened():
            return body(*arguments, **named)

    return theorem


def lemma(names: str, *given: Formula | Callable[..., Formula]) -> Callable[..., Callable[..., Theorem]]:
    """A theorem about all `names` with `given`: its body shows what it says of them. It is proved once.

    A condition that depends on the arguments of the body is a function of these.
    """

    def of(body: Callable[..., Theorem]) -> Callable[..., Theorem]:
        @once
        @wraps(body)
        def theorem(*arguments: Any) -> Theorem:
            with opened(*(f if isinstance(f, Rel | All) else f(*arguments) for f in given)) as assumed:
                shown = body(*arguments)
            return gen(shown, names.split(), assumed.given)

        return theorem

    return of


def proof(body: Callable[..., Theorem]) -> Callable[..., Theorem]:
    """The proof of a statement: its body shows the conclusion, or one of the general formulas around it.

    All premises of the statement are in the context, those on the way to its conclusion among them.
    """

    @wraps(body)
    def of(statement: All, *arguments: Any, **named: Any) -> Theorem:
        around = levels(statement)
        with opened(*(g for f in around for g in f.given)):
            shown = body(statement, *arguments, **named)
        return generalised(shown, statement)

    return of


def generalised(shown: Theorem, f: Formula) -> Theorem:
    """The theorem f, from its conclusion or one of the general formulas around it."""
    around = levels(f)
    inside = next((k for k, g in enumerate(around) if shown.conclusion == g), len(around))
    if isinstance(shown.conclusion, All) and inside == len(around):
        own = key(shown.conclusion)
        inside = next((k for k, g in enumerate(around) if own == key(g)), inside)
    for g in reversed(around[:inside]):
        shown = gen(shown, g.params, g.given)
    return shown


def levels(statement: Formula) -> list[All]:
    """The general formulas around the conclusion, the whole first."""
    return [statement, *levels(statement.then)] if isinstance(statement, All) else []


def conclusion(statement: Formula) -> Rel:
    """What a statement says of those of which its premises hold."""
    if isinstance(statement, Rel):
        return statement
    if not isinstance(statement, All):
        raise Refused(f"no formula: {statement}")
    return conclusion(statement.then)
