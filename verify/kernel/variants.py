"""Altered statements: one thing of the conclusion or a premise is another, and no proof of the statement shows them.

Each changes one thing where it stands: an inequality is strict or turned round, a side a tenth or twice as large, a
summand or factor is gone, an exponent half, a premise left out. Some of them are true nevertheless: of an inequality
that is never sharp, or where a premise is not needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from banditproof.verify.kernel.terms import All, Formula, Rel, Term, free, key, term

Variant = tuple[str, Formula]


def altered(statement: All) -> Iterator[Variant]:
    """The statement with one thing changed, by what that is."""
    own = key(statement)
    for said, then in conclusions(statement.then):
        if key(other := All(statement.params, statement.given, then)) != own:
            yield said, other
    yield from _without_a_premise(statement)


def conclusions(f: Formula) -> Iterator[Variant]:
    """A conclusion with one thing changed."""
    if isinstance(f, All):
        yield from ((said, All(f.params, f.given, then)) for said, then in conclusions(f.then))
        yield from _without_a_premise(f)
        return
    left, right = f.args[0], f.args[-1]
    yield "strict", Rel("<", (left, right))
    if f.op == "=":
        yield "and 1", Rel("=", (left, right + 1))
    else:
        yield "turned round", Rel("<=", (right, left))
    yield "left side times 1.1", Rel(f.op, (Fraction(11, 10) * left, right))
    yield "left side twice", Rel(f.op, (2 * left, right))
    for said, other in _smaller(right):
        yield f"right side: {said}", Rel("<=", (left, other))


def _without_a_premise(f: All) -> Iterator[Variant]:
    for k, g in enumerate(f.given):
        yield f"without the premise {str(g)[:50]}", All(f.params, (*f.given[:k], *f.given[k + 1 :]), f.then)


def _smaller(t: Term) -> Iterator[tuple[str, Term]]:
    """Smaller right sides: a summand or factor is gone, an exponent is halved, a sum has one summand less."""
    if t.op in ("add", "mul"):
        for k, part in enumerate(t.args):
            if free(part) and part.op != "inv":  # without a number or a quotient it may be larger
                rest = (*t.args[:k], *t.args[k + 1 :])
                yield f"without {part}", Term(t.op, rest) if rest else term(0)
            for said, other in _smaller(part):
                yield said, Term(t.op, (*t.args[:k], other, *t.args[k + 1 :]))
    if t.op == "exp":
        yield "exp of half", Term("exp", (t.args[0] / 2,))
