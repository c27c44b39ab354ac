"""Help for whoever writes a proof, not trusted: it finds what ``calc`` then checks. A wrong answer is refused."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

from banditproof.verify.kernel.rules import (
    Theorem,
    assume,
    calc,
    cases,
    exp_positive,
    exp_tangent,
    gen,
    induct,
    le,
    lt,
    reciprocal,
    some_bound,
    use,
)
from banditproof.verify.kernel.terms import ONE, All, Fn, Formula, Refused, Rel, Term, check, poly, term, times, var

Fact = Theorem | tuple[Any, Theorem]  # with what it is multiplied by: a theorem 0 <= m, or a term beside an equation


def auto(goal: Formula, *facts: Fact) -> Theorem:
    """calc with the coefficients found by elimination."""
    if not isinstance(goal, Rel):
        raise Refused(f"no relation: {goal}")
    pairs = [f if isinstance(f, tuple) else (None, f) for f in facts]
    columns = [times(poly(_factor(m)), poly(_difference(f.conclusion))) for m, f in pairs]
    target = poly(goal.args[1] - goal.args[0])
    monomials = [m for m in {m for p in [target, *columns] for m in p} if m != ONE or goal.op == "="]
    rows = [[p.get(m, Fraction(0)) for p in [*columns, target]] for m in monomials]
    solution = _solved(rows, len(columns))
    return calc(goal, [(c, m, f) for c, (m, f) in zip(solution, pairs, strict=True) if c])


def _difference(f: Any) -> Term:
    return f.args[1] - f.args[0]


def _factor(m: Any) -> Term:
    f = m.conclusion if isinstance(m, Theorem) else None
    return f.args[1] if isinstance(f, Rel) else term(1 if m is None else m)


def _solved(rows: list[list[Fraction]], count: int) -> list[Fraction]:
    """A solution of linear equations, whose last entries are the right sides; free unknowns are 0."""
    pivots: list[int] = []
    for c in range(count):
        r = len(pivots)
        pivot = next((i for i in range(r, len(rows)) if rows[i][c]), None)
        if pivot is None:
            continue
        rows[r], rows[pivot] = rows[pivot], rows[r]
        rows[r] = [v / rows[r][c] for v in rows[r]]
        for i in range(len(rows)):
            if i != r and rows[i][c]:
                rows[i] = [a - rows[i][c] * b for a, b in zip(rows[i], rows[r], strict=True)]
        pivots.append(c)
    solution = [Fraction(0)] * count
    for i, c in enumerate(pivots):
        solution[c] = rows[i][-1]
    return solution


def weak(p: Theorem) -> Theorem:
    """a <= b from a < b."""
    return auto(le(*p.conclusion.args), p)  # type: ignore[union-attr]


def product(p: Theorem, q: Theorem) -> Theorem:
    """0 <= a b for 0 <= a and 0 <= b; 0 < a b where both are positive."""
    (a, b), signs = (f.conclusion.args[1] for f in (p, q)), {f.conclusion.op for f in (p, q)}  # type: ignore[union-attr]
    return calc(Rel("<" if signs == {"<"} else "<=", (term(0), a * b)), [(1, p, q)])


def absurd(false: Theorem, goal: Rel) -> Theorem:
    """Anything from 0 < 0: then 0/0 is 1."""
    return calc(goal, [(1, goal.args[1] - goal.args[0] - (1 if goal.op == "<" else 0), reciprocal(false))])


def reciprocal_positive(p: Theorem) -> Theorem:
    """1/t > 0 for t > 0."""
    return use(_reciprocals(), [("t", p.conclusion.args[1])], [p])  # type: ignore[union-attr]


@cache
def _reciprocals() -> Theorem:
    """Else t/t would be at most 0."""
    t = var("t")
    positive, goal, not_above = assume(lt(0, t)), lt(0, 1 / t), assume(le(1 / t, 0))
    false = calc(lt(0, 0), [(1, weak(positive), not_above), (-1, None, reciprocal(positive))])
    return gen(cases(absurd(false, goal), assume(goal), 1 / t, term(0)), ["t"], [positive.conclusion])


def nat_nonnegative(p: Theorem) -> Theorem:
    """0 <= n for natural n."""
    return use(_naturals(), [("n", p.conclusion.args[0])], [p])  # type: ignore[union-attr]


@cache
def _naturals() -> Theorem:
    claim = le(0, var("n"))
    return induct("n", auto(le(0, 0)), auto(le(0, var("n") + 1), assume(claim)), claim)


def some_natural(p: Theorem, n: str, t: Term) -> Theorem:
    """What follows from nat(n) and t <= n, n being a new name: some natural number is at least t."""
    return some_bound(p, n, [], t)


def instance(p: Theorem, values: dict[str, Any], *proofs: Theorem) -> Theorem:
    """``use`` with the names in the order of the theorem; what is not said stays as it is."""
    f, kinds = p.conclusion, {}
    if not isinstance(f, All):
        raise Refused(f"no instance of {f}")
    check(f, kinds)
    return use(p, [(n, _value(n, values.get(n), kinds.get(n, "point"))) for n in f.params], proofs)


def _value(name: str, given: Any, kind: Any) -> Term | Fn:
    if given is not None or kind == "point":
        return given if isinstance(given, Fn) else term(var(name) if given is None else given)
    op, count = kind
    points = tuple(f"p{i}" for i in range(count))
    return Fn(points, Term(op, (name, *map(var, points))))


def exp_monotone(p: Theorem) -> Theorem:
    """exp(a) <= exp(b) from a <= b."""
    a, b = p.conclusion.args  # type: ignore[union-attr]
    low = Term("exp", (a,))
    return auto(le(low, Term("exp", (b,))), (exp_positive(a), p), (exp_positive(a), exp_tangent(b - a)))


def for_all(names: str, p: Theorem, *given: Formula) -> Theorem:
    """``gen`` with the names in one text."""
    return gen(p, names.split(), given)


def fn(names: str, body: Any) -> Fn:
    """The function (or law) of the points `names`."""
    return Fn(tuple(names.split()), body if isinstance(body, Term) else term(body))


def closed(statement: All, p: Theorem) -> Theorem:
    """A theorem about all that a statement speaks of."""
    return gen(p, statement.params, statement.given)
