"""Help for whoever writes a proof, not trusted: it finds what the rules then check. A wrong answer is refused.

A proof names the facts that carry it. What any reader would supply is found: the sign of a factor by its form and by
what is assumed (``sign``), that t/t is 1, and the conditions of an instance (``shown``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any, TypeAlias

from banditproof.verify.kernel.context import context, generalised, once, opened
from banditproof.verify.kernel.elimination import combined, solved
from banditproof.verify.kernel.rules import (
    Theorem,
    assume,
    calc,
    cases,
    eq,
    exp_positive,
    exp_tangent,
    gen,
    indicator,
    induct,
    le,
    lt,
    mono,
    nat,
    nat_equal,
    nat_next,
    nat_zero,
    reciprocal,
    same,
    some_bound,
    square,
    use,
)
from banditproof.verify.kernel.terms import (
    BINDERS,
    ONE,
    All,
    Fn,
    Formula,
    Monomial,
    Poly,
    Refused,
    Rel,
    Term,
    build,
    canon,
    check,
    code,
    free_in,
    inside,
    key,
    plus,
    poly,
    replace,
    substitute,
    term,
    times,
    var,
)

Fact: TypeAlias = Theorem | tuple[Any, Theorem]  # with what it is multiplied by: a term, or a theorem 0 <= m
Pair = tuple[Theorem | Term | None, Theorem]


# ------------------------------------------------------------------------------------------------------- arithmetic


def auto(goal: Formula, *facts: Fact) -> Theorem:
    """``calc``, with what it needs found: coefficients, the signs of factors, t/t = 1, and what is assumed."""
    if not isinstance(goal, Rel) or goal.op == "nat":
        raise Refused(f"no relation: {goal}")
    if not facts and goal.op != "=" and (found_sign := _sign_goal(goal)) is not None:
        return found_sign
    pairs = [_paired(f) for f in facts]
    if (found := _as_they_are(goal, pairs)) is not None:
        return calc(goal, found)
    try:
        return calc(goal, _with_what_is_known(goal, pairs))
    except Refused as why:
        raise Refused(f"{why}; given: {'; '.join(str(p.conclusion)[:100] for _, p in pairs)}"[:2000]) from why


def used(p: Theorem) -> list[str]:
    """What ``auto`` took for a goal: each fact, with the number and the factor by which it is multiplied."""
    arguments: Any = p.arguments
    if p.rule != "calc":
        return [p.rule]
    return [f"{c} * {_factor(m)} * ({q.conclusion})" for c, m, q in arguments[1]]


def _sign_goal(goal: Rel) -> Theorem | None:
    """The goal, if the sign of the difference of its sides says it."""
    p = sign(goal.args[1] if goal.args[0] == term(0) else _difference(goal))
    strong_enough = p is not None and (goal.op == "<=" or _op(p) == "<")
    return calc(goal, [(Fraction(1), None, p)]) if p is not None and strong_enough else None


def _paired(fact: Fact) -> Pair:
    if not isinstance(fact, tuple):
        return None, fact
    m, p = fact
    if m is None or isinstance(m, Theorem) or _op(p) == "=":
        return m, p
    if (positive := sign(term(m))) is None:
        raise Refused(f"nothing says that {m} is not negative, by which {p.conclusion} is multiplied")
    return positive, p


def _op(p: Theorem) -> str:
    return p.conclusion.op if isinstance(p.conclusion, Rel) else ""


def _difference(f: Any) -> Term:
    return f.args[1] - f.args[0]


@lru_cache(10_000)
def _slack(p: Theorem) -> Poly:
    """Right minus left side of what it says. Nobody changes what is kept."""
    return poly(_difference(p.conclusion))


def _factor(m: Any) -> Term:
    f = m.conclusion if isinstance(m, Theorem) else None
    return f.args[1] if isinstance(f, Rel) else term(1 if m is None else m)


def _column(pair: Pair) -> Poly:
    m, p = pair
    return _slack(p) if m is None else times(poly(_factor(m)), _slack(p))


def _as_they_are(goal: Rel, pairs: Sequence[Pair]) -> list[tuple[Fraction, Any, Theorem]] | None:
    """The goal from these facts and no other: by elimination, which seldom finds wrong signs, else by ``combined``."""
    target, columns = poly(_difference(goal)), [_column(p) for p in pairs]
    solution = solved(target, columns, goal.op == "=")
    return None if solution is None else _adds_up(goal, target, columns, pairs, solution)


def _adds_up(
    goal: Rel, target: Poly, columns: Sequence[Poly], pairs: Sequence[Pair], solution: Sequence[Fraction]
) -> list[tuple[Fraction, Any, Theorem]] | None:
    used = [(c, *pair) for c, pair in zip(solution, pairs, strict=True) if c]
    if any(c < 0 for c, _, p in used if _op(p) != "=") or goal.op == "=" and any(_op(p) != "=" for _, _, p in used):
        return None
    spare = target.get(ONE, Fraction(0)) - sum(
        (c * column.get(ONE, Fraction(0)) for c, column in zip(solution, columns, strict=True)), Fraction(0)
    )
    strict = any(_is_strict((m, p)) for _, m, p in used)
    if spare < 0 or goal.op == "=" and spare or goal.op == "<" and not spare and not strict:
        return None
    return used


def _is_strict(pair: Pair) -> bool:
    m, p = pair
    return _op(p) == "<" and (m is None or isinstance(m, Theorem) and _op(m) == "<")


def _with_what_is_known(goal: Rel, pairs: list[Pair]) -> list[tuple[Fraction, Any, Theorem]]:
    """The same with t/t = 1 in all of them; then with what is assumed and what holds of the terms that occur."""
    reduced = Reduced(goal, pairs)
    for more in (lambda: [], reduced.known, reduced.multiplied):
        pairs = [*pairs, *more()]
        if (found := reduced.combination(pairs)) is not None:
            return found
    raise Refused(f"does not follow: {goal}; {_left(reduced)}")


def _left(reduced: Reduced) -> str:
    return f"what is to be at least 0: {str(build(reduced.target))[:600]}"


class Reduced:
    """A goal and facts in which t/t is 1, wherever t is known to be positive: in exponents too."""

    def __init__(self, goal: Rel, pairs: Sequence[Pair]):
        self.goal, self.given = goal, list(pairs)
        self.target, _ = simplified(poly(_difference(goal)))
        self.columns: list[Poly] = []

    def combination(self, pairs: Sequence[Pair]) -> list[tuple[Fraction, Any, Theorem]] | None:
        for pair in pairs[len(self.columns) :]:
            self.columns.append(simplified(_column(pair))[0])
        exact = self.goal.op == "="
        usable = [k for k, (_, p) in enumerate(pairs) if not exact or _op(p) == "="]
        equations = [_op(pairs[k][1]) == "=" for k in usable]
        columns = [self.columns[k] for k in usable]
        strict = [_is_strict(pairs[k]) for k in usable]
        solution = combined(self.target, columns, equations, exact, strict if self.goal.op == "<" else None)
        if solution is None:
            return None
        chosen = [pairs[k] for k in usable]
        found = _adds_up(self.goal, self.target, columns, chosen, solution)
        if found is None:
            return None
        left = plus(poly(_difference(self.goal)), *(_times(-c, _column((m, p))) for c, m, p in found))
        return [*found, *simplified(left)[1]]

    def monomials(self) -> list[Monomial]:
        """Those that occur, in the order in which they do: that of a set differs from one process to the next."""
        return list(dict.fromkeys(m for p in (self.target, *self.columns) for m in p))

    def known(self) -> list[Pair]:
        """What is assumed of the terms that occur, and the signs of these."""
        found = _around(self.monomials())
        own = [m for m in dict.fromkeys([*self.monomials(), *(m for p in found for m in _slack(p))]) if m != ONE]
        if self.goal.op == "=":
            return [(None, p) for p in found if _op(p) == "="]
        signs = [s for m in sorted(own, key=_by_size)[:60] if (s := sign(_written({m: Fraction(1)}))) is not None]
        return [(None, p) for p in (*found, *signs, *_facts_of_indicators(own))]

    def multiplied(self) -> list[Pair]:
        """Facts times what makes one of their monomials one of those that occur."""
        own, found = sorted(self.monomials(), key=_by_size), {}
        facts = [p for m, p in self.given if m is None] + _relations()
        for p in facts:
            d = _slack(p)
            if self.goal.op == "=" and _op(p) != "=":
                continue
            for whole in own:
                for part in d:
                    m = _quotient(whole, part)
                    if m is None or m == ONE or (id(p), m) in found:
                        continue
                    by = _written({m: Fraction(1)})
                    new = simplified(times(poly(by), d))[0].keys() - {*own}
                    if len(new) > 1:
                        continue
                    if _op(p) != "=":
                        by = sign(by)
                    if by is not None and len(found) < 60:
                        found[id(p), m] = (by, p)
        return list(found.values())


def _written(p: Poly) -> Term:
    return _with_names(build(p))


@cache
def _with_names(t: Term) -> Term:
    """A normal form with names that may be written for those that it gives to what is bound."""
    args = tuple(_with_names(a) if isinstance(a, Term) else a for a in t.args)
    if t.op not in BINDERS:
        return Term(t.op, args)
    names: Any = args[0]
    new = {n: f"bound{n[1:]}" for n in names if n.startswith("$")}
    return Term(t.op, (tuple(new.get(n, n) for n in names), *args[1:-1], substitute(args[-1], new)))


def _by_size(m: Monomial) -> tuple[int, int]:
    return len(m), sum(k for _, k in m)


def _times(c: Fraction, p: Poly) -> Poly:
    return {m: c * v for m, v in p.items()}


def _quotient(whole: Monomial, part: Monomial) -> Monomial | None:
    left = dict(whole)
    for atom, k in part:
        if left.get(atom, 0) < k:
            return None
        left[atom] -= k
    return frozenset((a, k) for a, k in left.items() if k)


def _facts_of_indicators(own: Iterable[Monomial]) -> list[Theorem]:
    """An indicator is at most 1, and where it is a factor so is the product at most the rest."""
    found = []
    for atom in _atoms(own, "ind"):
        found.append(indicator(*map(_with_names, atom.args), 4))
    return found


# ------------------------------------------------------------------------------------------------------- t/t is 1

Used = list[tuple[Fraction, Term, Theorem]]  # what calc adds up


def simplified(p: Poly) -> tuple[Poly, Used]:
    """A polynomial in which t/t is 1 for all t that are known to be positive, with the equations that say so."""
    used: dict[Theorem, Poly] = {}
    rest, done = dict(p), {}
    for _ in range(MOST_STEPS):
        if not rest:
            break
        m, c = rest.popitem()
        if (step := _of_exponent(m) or _of_inverse(m)) is None:
            done = plus(done, {m: c})
            continue
        by, equation, other = step
        rest = plus(rest, _times(c, other))
        used[equation] = plus(used.get(equation, {}), _times(-c, by))
    return plus(done, rest), [(Fraction(1), _written(by), equation) for equation, by in used.items() if by]


MOST_STEPS = 200
Step = tuple[Poly, Theorem, Poly]  # the factor of an equation, it, and what is put in


def _of_exponent(m: Monomial) -> Step | None:
    """An exponential whose exponent becomes simpler."""
    for atom in _atoms([m], "exp"):
        if _has_inverse(atom) and (simpler := _simpler(atom)) is not None:
            rest = {frozenset(pair for pair in m if pair[0] != atom): Fraction(1)}
            return rest, simpler, times(poly(simpler.conclusion.args[1]), rest)  # type: ignore[union-attr]
    return None


def _simpler(exponential: Term) -> Theorem | None:
    """That it is one of a simpler exponent."""
    exponent = _with_names(exponential.args[0])
    p, used = simplified(poly(exponent))
    if not used:
        return None
    return same(calc(eq(exponent, _written(p)), [(-c, by, q) for c, by, q in used]), "w", Term("exp", (var("w"),)))


def _of_inverse(m: Monomial) -> Step | None:
    """A monomial with 1/t and the first summand of t."""
    for atom in _atoms([m], "inv"):
        p, inverse = poly(atom.args[0]), frozenset([(atom, 1)])
        lead = max(p, key=_by_size)
        by = _quotient(m, inverse)
        by = None if by is None else _quotient(by, lead)
        positive = None if by is None else sign(_with_names(atom.args[0]))
        if by is None or positive is None or _op(positive) != "<":
            continue
        scaled = {by: 1 / p[lead]}
        others = {k: -v for k, v in p.items() if k != lead}
        return scaled, reciprocal(positive), plus(scaled, times(times(others, {inverse: Fraction(1)}), scaled))
    return None


@cache
def _has_inverse(t: Term) -> bool:
    return t.op == "inv" or any(map(_has_inverse, inside(t)))


# ---------------------------------------------------------------------------------------------------------- signs


def sign(t: Term) -> Theorem | None:
    """0 < t or 0 <= t, as its form and what is assumed say; None where they do not."""
    known = context().signs
    if t not in known:
        known[t] = None  # while it is looked for
        known[t] = _sign(t)
    return known[t]


def positive(t: Any) -> Theorem:
    """0 < t, as its form and what is assumed say."""
    p = sign(term(t))
    if p is None or _op(p) != "<":
        raise Refused(f"nothing says that {t} is positive")
    return p


def _sign(t: Term) -> Theorem | None:
    p = poly(t)
    if not p.keys() - {ONE}:
        c = p.get(ONE, Fraction(0))
        return None if c < 0 else calc(lt(0, t) if c else le(0, t), [])
    near = _around(p)
    found = [q for f in (lt(0, t), le(0, t)) for one in near if (q := _from_one(f, one)) is not None]
    if found and _op(found[0]) == "<":
        return found[0]
    by_form = _sign_by_form(t)
    if by_form is None and (normal := _with_names(canon(t))) != t and len(p) == 1:
        by_form = _restated(_sign_by_form(normal), t)
    if by_form is not None and _op(by_form) == "<":
        return by_form
    near += [q for f in _pointwise() for q in _at_points_of(f, p)]
    near += [square(s) for a in _functions_in(p) for s in (a, 1 - a)] if any(_op(q) == "=" for q in near) else []
    if near and (used := _by_combination(lt(0, t), near)) is not None:
        return calc(lt(0, t), used)
    if found or by_form is not None:
        return found[0] if found else by_form
    used = _by_combination(le(0, t), near) if near else None
    return None if used is None else calc(le(0, t), used)


def _relations() -> list[Theorem]:
    return context().known(lambda f: isinstance(f, Rel) and f.op != "nat")


def _around(monomials: Iterable[Monomial]) -> list[Theorem]:
    """What is assumed of these monomials, and of those of which that speaks."""
    own, found, rest = set(monomials) - {ONE}, [], _relations()
    for _ in range(2):
        near = [p for p in rest if own & _slack(p).keys()]
        rest = [p for p in rest if p not in near]
        own = own.union(*(_slack(p).keys() - {ONE} for p in near))
        found += near
    return found


def _from_one(f: Rel, p: Theorem) -> Theorem | None:
    used = _as_they_are(f, [(None, p)])
    return None if used is None else calc(f, used)


def _by_combination(f: Rel, facts: list[Theorem]) -> list[tuple[Fraction, Any, Theorem]] | None:
    target, columns = poly(_difference(f)), [_column((None, p)) for p in facts]
    strict = [_op(p) == "<" for p in facts] if f.op == "<" else None
    solution = combined(target, columns, [_op(p) == "=" for p in facts], False, strict)
    return None if solution is None else _adds_up(f, target, columns, [(None, p) for p in facts], solution)


def _restated(p: Theorem | None, t: Term) -> Theorem | None:
    return None if p is None else calc(Rel(_op(p), (term(0), t)), [(Fraction(1), None, p)])


def _sign_by_form(t: Term) -> Theorem | None:
    if t.op == "exp":
        return exp_positive(t.args[0])
    if t.op == "ind":
        return indicator(*t.args, 3)
    if t.op == "inv":
        p = sign(t.args[0])
        return reciprocal_positive(p) if p is not None and _op(p) == "<" else None
    if t.op in ("add", "mul") and t.args:
        return _sign_of_sum(t) if t.op == "add" else _sign_of_product(t)
    if t.op == "mean":
        (x,), law, body = t.args
        p = sign(body)
        if p is None or any(x in free_in(f) for f in p.hypotheses.values()):
            return None
        return _restated(mono(weak(p), x, law), t)
    if t.op == "var" and (natural := context().find(nat(t))) is not None:
        return nat_nonnegative(natural)
    if t.op == "app":
        at = (q for f in _pointwise() for q in _at_points_of(f, poly(t)))
        return next((q for f in (lt(0, t), le(0, t)) for one in at if (q := _from_one(f, one))), None)
    return None


def _sign_of_sum(t: Term) -> Theorem | None:
    parts = [sign(a) for a in t.args]
    known = [p for p in parts if p is not None]
    if len(known) < len(parts):
        return None
    op = "<" if any(_op(p) == "<" for p in known) else "<="
    return calc(Rel(op, (term(0), t)), [(Fraction(1), None, p) for p in known])


def _sign_of_product(t: Term) -> Theorem | None:
    whole: Theorem | None = None
    factors = list(t.args)
    while factors:
        factor = factors.pop()
        p = sign(factor)
        if p is None:
            twin = next((k for k, f in enumerate(factors) if canon(f) == canon(factor)), None)
            if twin is None:
                return None
            del factors[twin]
            p = square(factor)
        whole = p if whole is None else product(whole, p)
    return _restated(whole, t)


def _pointwise() -> list[Theorem]:
    """What is assumed of all points, without a condition."""
    return context().known(lambda f: isinstance(f, All) and not f.given and isinstance(f.then, Rel))


def _functions_in(p: Poly) -> list[Term]:
    return _atoms(p, "app")


def _atoms(monomials: Iterable[Monomial], op: str) -> list[Term]:
    """The atoms of one kind, in the order of the monomials and of their code: a monomial itself has none."""
    return list(dict.fromkeys(a for m in monomials for a in sorted((a for a, _ in m if a.op == op), key=code)))


def _at_points_of(general: Theorem, p: Poly) -> list[Theorem]:
    """Its instances at the points at which a polynomial has a function of which it speaks."""
    f, found = general.conclusion, []
    if not isinstance(f, All) or not isinstance(f.then, Rel) or f.then.op == "nat":
        return []
    params = {canon(var(x)): x for x in f.params}
    patterns = [a for a in _functions_in(poly(_difference(f.then))) if params.keys() <= set(a.args[1:])]
    for atom in _functions_in(p):
        for pattern in patterns:
            if pattern.args[0] != atom.args[0] or len(pattern.args) != len(atom.args):
                continue
            points = dict(zip(pattern.args[1:], atom.args[1:], strict=True))
            if all(point == a for a, point in points.items() if a not in params):
                found.append(instance(general, {x: _with_names(points[a]) for a, x in params.items()}))
    return found


# ----------------------------------------------------------------------------------------------- what is to be shown


def shown(f: Formula, facts: Sequence[Theorem] = ()) -> Theorem:
    """A theorem that says it: one of the facts or of what is assumed, or what follows from them."""
    if known := next((p for p in facts if p.conclusion == f), None):
        return known
    own = key(f) if facts else ""
    if known := next((p for p in facts if key(p.conclusion) == own), None) or context().find(f, own):
        return known
    if isinstance(f, All):
        return _shown_of_all(f, facts)
    return natural(f.args[0]) if f.op == "nat" else auto(f, *(p for p in facts if _op(p) in ("<=", "<", "=")))


def _shown_of_all(f: All, facts: Sequence[Theorem]) -> Theorem:
    own = key(f.then)
    for p in facts:
        if p.conclusion == f.then or key(p.conclusion) == own:
            return gen(p, f.params, f.given)
    outside = [g for g in context().given if not free_in(g) & {*f.params}]
    with opened(*outside, *f.given):
        instances = []
        for p in facts:
            if isinstance(p.conclusion, All):
                try:
                    instances.append(instance(p, {}))
                except Refused:
                    continue
        return gen(shown(f.then, (*facts, *instances)), f.params, f.given)


def natural(t: Term) -> Theorem:
    """nat(t), as its form and what is assumed say."""
    if (known := context().find(nat(t))) is not None:
        return known
    p = poly(t)
    if not p.keys() - {ONE} and (c := p.get(ONE, Fraction(0))) >= 0 and c.denominator == 1 and c < 100:
        made = nat_zero()
        for _ in range(int(c)):
            made = nat_next(made)
        return nat_equal(made, calc(eq(made.conclusion.args[0], t), []))  # type: ignore[union-attr]
    if t.op in ("add", "mul") and len(t.args) == 2 and t.args[0].op != "num":
        return (nat_sum if t.op == "add" else nat_product)(*map(natural, t.args))
    raise Refused(f"nothing says that {t} is natural")


def nat_sum(p: Theorem, q: Theorem) -> Theorem:
    """nat(m + n) for natural m and n."""
    return _of_two(_sums(), p, q)


def nat_product(p: Theorem, q: Theorem) -> Theorem:
    """nat(m n) for natural m and n."""
    return _of_two(_products(), p, q)


def _of_two(known: Theorem, p: Theorem, q: Theorem) -> Theorem:
    m, n = (f.conclusion.args[0] for f in (p, q))  # type: ignore[union-attr]
    return use(known, [("m", m), ("n", n)], [p, q])


@once
def _sums() -> Theorem:
    """m + n is natural."""
    m, n = var("m"), var("n")
    whole = induct("n", nat_equal(assume(nat(m)), calc(eq(m, m + 0), [])), nat_next(assume(nat(m + n))), nat(m + n))
    return gen(use(whole, [("n", n)], [assume(nat(n))]), ["m", "n"], [nat(m), nat(n)])


@once
def _products() -> Theorem:
    """m n is natural."""
    m, n = var("m"), var("n")
    more = use(_sums(), [("m", m * n), ("n", m)], [assume(nat(m * n)), assume(nat(m))])
    base = nat_equal(nat_zero(), calc(eq(0, m * 0), []))
    whole = induct("n", base, nat_equal(more, calc(eq(m * n + m, m * (n + 1)), [])), nat(m * n))
    return gen(use(whole, [("n", n)], [assume(nat(n))]), ["m", "n"], [nat(m), nat(n)])


# ------------------------------------------------------------------------------------------------- derived rules


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


@once
def _reciprocals() -> Theorem:
    """Else t/t would be at most 0."""
    t = var("t")
    positive, goal, not_above = assume(lt(0, t)), lt(0, 1 / t), assume(le(1 / t, 0))
    false = calc(lt(0, 0), [(1, weak(positive), not_above), (-1, None, reciprocal(positive))])
    return gen(cases(absurd(false, goal), assume(goal), 1 / t, term(0)), ["t"], [positive.conclusion])


def nat_nonnegative(p: Theorem) -> Theorem:
    """0 <= n for natural n."""
    return use(_naturals(), [("n", p.conclusion.args[0])], [p])  # type: ignore[union-attr]


@once
def _naturals() -> Theorem:
    claim = le(0, var("n"))
    return induct("n", auto(le(0, 0)), auto(le(0, var("n") + 1), assume(claim)), claim)


def induction(n: str, base: Theorem, step: Theorem, claim: Formula, at: Any = None) -> Theorem:
    """``induct``, where base and step show the conclusion of the claim alone; what it says of the number `at`, if any.

    The step may assume the claim, nat(n) and what the claim assumes of n + 1.
    """
    begun, gone_on = replace(claim, {n: term(0)}), replace(claim, {n: var(n) + 1})
    every = induct(n, generalised(base, begun), generalised(step, gone_on), claim)
    return every if at is None else use(every, [(n, term(at))], [_natural_or_assumed(term(at))])


def _natural_or_assumed(t: Term) -> Theorem:
    try:
        return natural(t)
    except Refused:
        return assume(nat(t))


def some_natural(p: Theorem, n: str, t: Term) -> Theorem:
    """What follows from nat(n) and t <= n, n being a new name: some natural number is at least t."""
    return some_bound(p, n, [], t)


def instance(p: Theorem, values: Mapping[str, Any] | None = None, *proofs: Theorem) -> Theorem:
    """``use`` with the names in the order of the theorem; what is not said stays as it is.

    Its conditions are among the proofs and what is assumed, or follow from these (``shown``).
    """
    f, kinds = p.conclusion, {}
    if not isinstance(f, All):
        raise Refused(f"no instance of {f}")
    check(f, kinds)
    named = values or {}
    to = {n: _value(n, named.get(n), kinds.get(n, "point")) for n in f.params}

    def with_conditions_shown() -> Theorem:
        return use(p, list(to.items()), [shown(replace(g, to), proofs) for g in f.given])

    if len(proofs) != len(f.given):
        return with_conditions_shown()
    try:
        return use(p, list(to.items()), proofs)
    except Refused:
        return with_conditions_shown()


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


def exp_equal(p: Theorem) -> Theorem:
    """exp(a) = exp(b) from a = b."""
    return same(p, "w", Term("exp", (var("w"),)))


def contradiction(*facts: Fact) -> Theorem:
    """0 < 0, from facts that contradict each other."""
    return auto(lt(0, 0), *facts)


def by_contradiction(goal: Rel, false: Theorem) -> Theorem:
    """a <= b, where b < a leads to 0 < 0; or the other way round."""
    a, b = goal.args
    other = absurd(false, goal)
    return cases(assume(goal), other, a, b) if goal.op == "<=" else cases(other, assume(goal), b, a)


def both_sides(body: Callable[..., Theorem]) -> tuple[Callable[..., Theorem], Callable[..., Theorem]]:
    """The proofs for the upper side and for the lower one, of a body that takes the sign 1 or -1 last."""

    def of(sign: int) -> Callable[..., Theorem]:
        return lambda *arguments: body(*arguments, sign)

    return of(1), of(-1)


def for_all(names: str, p: Theorem, *given: Formula) -> Theorem:
    """``gen`` with the names in one text."""
    return gen(p, names.split(), given)


def fn(names: str, body: Any) -> Fn:
    """The function (or law) of the points `names`."""
    return Fn(tuple(names.split()), body if isinstance(body, Term) else term(body))


def closed(statement: All, p: Theorem) -> Theorem:
    """A theorem about all that a statement speaks of."""
    return gen(p, statement.params, statement.given)
