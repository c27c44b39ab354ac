"""What a statement may not be, though every theorem about it is true: empty, or an accident of the kernel's 1/0 = 0."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from banditproof.verify.kernel.terms import ONE, All, Formula, Refused, Rel, Term, free_in, key, poly


def says_nothing(statement: All, names: Collection[str], sets: Collection[Formula]) -> str | None:
    """Why a statement about `names`, which lie in `sets`, says nothing; None where it says something."""
    known = set(map(key, sets))
    said = [g for g in statement.given if key(g) not in known]
    used = frozenset().union(*map(free_in, (*said, statement.then)))
    if unused := [n for n in names if n not in used]:
        return f"it names {', '.join(unused)} and does not use {'it' if len(unused) == 1 else 'them'}"
    then: Formula = statement.then
    whole = key(then)
    while isinstance(then, All):
        said, then = [*said, *then.given], then.then
    if {key(then), whole} & set(map(key, said)):
        return "its conclusion is one of its hypotheses"
    if then.op != "nat" and not poly(then.args[1] - then.args[0]).keys() - {ONE}:
        return "its sides differ by a number"
    return None


def has_a_value(statement: Formula, positive: Collection[str]) -> None:
    """Raise Refused where something is divided by, or a logarithm is taken of, what may be 0: `positive` names are not.

    The kernel has 1/0 = 0 and some log of numbers up to 0, which no document means.
    """
    for t in _asked(statement):
        if not _is_positive(t, positive):
            raise Refused(f"{t} may be 0 somewhere in the domain")


def _asked(f: Any) -> Iterator[Term]:
    if isinstance(f, Term) and f.op in ("inv", "log"):
        yield f.args[0]
    parts = (*f.given, f.then) if isinstance(f, All) else f.args if isinstance(f, Rel | Term) else ()
    for part in parts:
        yield from _asked(part)


def _is_positive(t: Term, positive: Collection[str]) -> bool:
    if t.op in ("num", "var"):
        return t.args[0] > 0 if t.op == "num" else t.args[0] in positive
    return t.op == "exp" or (t.op in ("add", "mul") and all(_is_positive(a, positive) for a in t.args))
