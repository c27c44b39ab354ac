"""A second reader of stored kernel proofs, written from the format's specification alone (no code of banditproof).

`why(text)` of a file is empty only if each step follows by its rule from earlier steps and the last theorem is the
statement of the file, without hypotheses.  Anything unknown, malformed or too large is refused.
"""

import itertools
import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial, reduce
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

FORMAT = "banditproof kernel proof 1"
RESERVED = {"Unif": 1, "Unit": 0, "Lap": 1, "Normal": 1}
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*", re.ASCII)
MOST_ROWS, MOST_STEPS, MOST_DEPTH, MOST_TERMS, MOST_BITS, MOST_PAIRS = 20_000, 4_000, 200, 2_000_000, 5_000, 4_000
MOST_LETTERS = 1_000_000  # of a statement that is printed
# What stands in a row, or behind the name of a rule: t a number, L a law, F a formula, f a function, A a theorem, ?
# null (several: one of these), x a name, k an integer, c a coefficient; 1, 2 so many, * a list, + all the rest.
SHAPES = {
    "num": "k k", "var": "x", "add": "t+", "mul": "t+", "inv": "t", "exp": "t", "log": "t", "ind": "t t", "app": "x t+",
    "mean": "x1 L t", "law": "x t+", "dirac": "t", "mix": "x1 L L", "steps": "x2 t t L", "fn": "x* tL",
    "<=": "t t", "<": "t t", "=": "t t", "nat": "t", "all": "x* F* F",
}  # fmt: skip
PLAIN = {"x": str, "k": int, "c": int | Fraction}
SORT = dict.fromkeys(SHAPES, "t") | dict.fromkeys(("law", "dirac", "mix", "steps"), "L") | {"fn": "f"}
SORT |= dict.fromkeys(("<=", "<", "=", "nat", "all"), "F")
OUTSIDE = {"mean": 1, "mix": 1, "steps": 2, "fn": 0, "all": 0}  # how many parts of what binds are outside its scope
NAMED = ("var", "app", "law")
IN_ORDER = attrgetter("order")

Rational = int | Fraction
EMPTY: frozenset[Any] = frozenset()
Name = str | int  # what binders bind has numbers in normal forms and keys
Monomial = tuple["Term", tuple["Term", ...]]  # (p, atoms): exp(p) times the atoms in their order; no exp if p is 0


class Refused(Exception):
    """A row or a step that does not follow the specification."""


def demand(condition: bool, reason: str) -> None:
    """Refuse unless the condition holds."""
    if not condition:
        raise Refused(reason)


def sign(tag: str) -> Callable[["Term", "Term"], "Term"]:
    """The sign that makes a row of two numbers."""
    return lambda a, b: term(tag, a, b)


class Term:
    """A row of a table, or a normal form; equal ones are the same object, so they are made by `term` and `poly`."""

    count = itertools.count()

    def __init__(self, tag: str, *row: Any) -> None:
        self.tag, self.head = tag, row[: tag in OUTSIDE or tag in (*NAMED, "num", "poly")]
        self.binds: tuple[Name, ...] = row[0] if tag in OUTSIDE else ()
        self.label: Any = row[0] if self.head and tag not in OUTSIDE else ""
        atoms = (piece for (power, atoms), _ in self.label for piece in (power, *atoms)) if tag == "poly" else ()
        self.parts: tuple[Term, ...] = (*row[len(self.head) :], *atoms)
        self.outside = self.parts[: OUTSIDE.get(tag, len(self.parts))]
        self.inside = self.parts[len(self.outside) :]
        self.scope: frozenset[Name] = EMPTY.union(*(part.free for part in self.inside)) - set(self.binds)
        own = self.head if tag in NAMED else ()
        self.free: frozenset[Name] = self.scope.union(own, *(part.free for part in self.outside))
        self.top: int = len(self.binds) + max((part.top for part in self.parts), default=0)
        self.depth: int = 1 + max((part.depth for part in self.parts), default=0)
        self.order = next(Term.count)
        demand(self.depth <= MOST_DEPTH and self.order <= MOST_TERMS, "a term is too deep, or there are too many")

    __add__, __mul__, __le__, __lt__ = sign("add"), sign("mul"), sign("<="), sign("<")

    def __sub__(self, other: "Term") -> "Term":
        """The number a - b, that is add(a, mul(-1, b))."""
        return self + num(-1) * other

    def substitute(self, values: Mapping[Name, Any]) -> "Term":
        """Substitution: all free names get their values at once, which are numbers, functions or new names."""
        live = frozenset((name, value) for name, value in values.items() if name in self.free)
        return replaced(self, live) if live else self

    def renamed(self, values: Mapping[Name, Any]) -> dict[Name, Any]:
        """The substitution in the scope of what is bound, with the new names of what is renamed."""
        changes = {name: value for name, value in values.items() if name in self.scope}
        taken = self.scope.union(*(v.free if isinstance(v, Term) else {v} for v in changes.values()))
        for old in self.binds:
            if changes and old in taken:
                changes[old] = fresh(old, taken.union(self.binds, changes.values()))
        return changes


term = cache(Term)
num, var, exp, log, inv, ind = (partial(term, tag) for tag in ("num", "var", "exp", "log", "inv", "ind"))
nat, equal, mean, law = (partial(term, tag) for tag in ("nat", "=", "mean", "law"))


def fresh(name: Name, avoided: frozenset[Any]) -> str:
    """The first of name_1, name_2, ... that is not to be avoided."""
    return next(new for count in itertools.count(1) if (new := f"{name}_{count}") not in avoided)


@cache
def replaced(t: Term, live: frozenset[tuple[Name, Any]]) -> Term:
    """Substitution of names that are free: first in the parts, then at the head."""
    values = dict(live)
    if t.tag == "poly":
        each = ((p.substitute(values), [a.substitute(values) for a in atoms], c) for (p, atoms), c in t.label)
        return poly({(p, tuple(sorted(atoms, key=IN_ORDER))): c for p, atoms, c in each})
    scope = t.renamed(values)
    parts = [part.substitute(values) for part in t.outside] + [part.substitute(scope) for part in t.inside]
    value = values.get(t.label, t.label) if t.tag in NAMED else t.label
    if not isinstance(value, Term):
        bound = tuple(scope.get(name, name) for name in t.binds)
        return term(t.tag, *((bound,) if t.tag in OUTSIDE else (value,) if t.head else ()), *parts)
    if t.tag == "var":
        demand(SORT[value.tag] == "t", "a function stands for a point")
        return value
    demand(value.tag == "fn" and len(value.binds) == len(parts), "no function of so many points")
    demand(SORT[value.parts[0].tag] == SORT[t.tag], "a law stands for a number, or conversely")
    return value.parts[0].substitute(dict(zip(value.binds, parts, strict=True)))


def well_formed(*terms: Term) -> bool:
    """Well formed: in all the terms together each name has one kind."""
    together = EMPTY.union(*(kinds(t) for t in terms))
    return len(together) == len({name for name, *_ in together})


@cache
def kinds(t: Term) -> frozenset[tuple[Name, str, int]]:
    """The kinds of the names that a term uses or binds (`fn`, `all` give none), if its names and means are allowed."""
    names = t.head if t.tag in NAMED else t.binds
    demand(len(set(names)) == len(names), "a name is bound twice")
    demand(all(NAME.fullmatch(str(name)) for name in names), "not a name")
    demand(t.tag == "law" or RESERVED.keys().isdisjoint(names), "a name is reserved")
    demand(t.tag != "law" or len(t.parts) == RESERVED.get(t.label, len(t.parts)), "another count of points")
    finite = t.tag != "mean" or t.parts[0].label == "Unif"
    demand(finite or bounded(t.parts[1], frozenset(t.binds)), "a mean of what need not be bounded")
    own = {(t.label, t.tag, len(t.parts))} if t.tag in NAMED else set()
    points = {(name, "var", 0) for name in t.binds if t.tag not in ("fn", "all")}
    return EMPTY.union(own, points, *(kinds(part) for part in t.parts))


@cache
def bounded(t: Term, moving: frozenset[Name], away: bool = False) -> bool:
    """bounded(S), or away(S): the form shows that t is bounded, or between positive numbers, if the names move."""
    if not away and (not moving & t.free or t.tag in ("ind", "app")):
        return True
    if t.tag in ("inv", "log"):
        return not away and bounded(t.parts[0], moving, True)
    if t.tag == "exp":
        return bounded(t.parts[0], moving)
    if t.tag in ("add", "mul"):
        return len(t.parts) > 0 and all(bounded(part, moving, away) for part in t.parts)
    if t.tag == "mean":
        law, body = t.parts
        fixed = law.label == "Unif" and not moving & law.free
        return bounded(body, moving - set(t.binds) if fixed else moving | set(t.binds), away)
    return t.tag == "num" and t.label > 0


def poly(terms: Mapping[Monomial, Rational]) -> Term:
    """The one polynomial with these terms: a map from monomials to rational numbers other than 0."""
    label = frozenset((monomial, c) for monomial, c in terms.items() if c)
    bits = (max(c.numerator.bit_length(), c.denominator.bit_length()) for _, c in label)
    demand(max(bits, default=0) <= MOST_BITS, "a coefficient is too large")
    return term("poly", label) if label else ZERO


ZERO = Term("poly", EMPTY)
UNIT: Monomial = (ZERO, ())


def atom(a: Term) -> Term:
    """The polynomial that is one atom."""
    return poly({(ZERO, (a,)): 1})


def constant_of(p: Term) -> Rational | None:
    """The number that a polynomial is, or None."""
    terms = dict(p.label)
    return terms.get(UNIT, None if terms else 0) if len(terms) <= 1 else None


def summed(*pieces: tuple[Rational, Term]) -> Term:
    """The sum of numbers times polynomials."""
    total: dict[Monomial, Rational] = {}
    for factor, p in pieces:
        for monomial, value in p.label:
            total[monomial] = total.get(monomial, 0) + factor * value
    return poly(total)


def product(p: Term, q: Term) -> Term:
    """The product of two polynomials, where exp(p) exp(q) = exp(p + q)."""
    demand(len(p.label) * len(q.label) <= MOST_PAIRS, "a product is too large")
    total: dict[Monomial, Rational] = {}
    for ((exp_p, atoms_p), a), ((exp_q, atoms_q), b) in itertools.product(p.label, q.label):
        monomial = summed((1, exp_p), (1, exp_q)), tuple(sorted(atoms_p + atoms_q, key=IN_ORDER))
        total[monomial] = total.get(monomial, 0) + a * b
    return poly(total)


def inverse(p: Term) -> Term:
    """N of inv: 1/0 = 0; one monomial is inverted atom by atom; a sum stays."""
    if len(p.label) != 1:
        return atom(inv(p)) if p.label else ZERO
    (((exponent, atoms), value),) = p.label
    first = poly({(summed((-1, exponent)), ()): Fraction(1) / value})
    return reduce(product, [a.parts[0] if a.tag == "inv" else atom(inv(atom(a))) for a in atoms], first)


def indicated(p: Term) -> Term:
    """N of 1[0 <= p]: computed if p is a number."""
    value = constant_of(p)
    return atom(ind(p)) if value is None else poly({UNIT: int(value >= 0)})


COMPUTED: dict[str, Callable[..., Term]] = {
    "add": lambda *parts: summed(*((1, part) for part in parts)),
    "mul": lambda *parts: reduce(product, parts, poly({UNIT: 1})),
    "exp": lambda p: poly({(p, ()): 1}),
    "inv": inverse,
    "ind": lambda a, b: indicated(summed((1, b), (-1, a))),
    "nat": lambda a: a,
} | dict.fromkeys(("<=", "<", "="), lambda a, b: summed((1, b), (-1, a)))


@cache
def normal(t: Term) -> Term:
    """N(t) of a number, N of a law, N(b - a) of a <= b, a < b and a = b, and N(a) of nat(a)."""
    if t.tag == "num":
        return poly({UNIT: t.label})
    if t.tag == "mean":
        return normal_mean(t.binds[0], *t.parts)
    parts = [normal(part) for part in t.parts]
    if t.binds:
        return binder(t.tag, t.binds, *parts)
    if t.tag in COMPUTED:
        return COMPUTED[t.tag](*parts)
    plain = term(t.tag, *t.head, *parts)
    return plain if SORT[t.tag] == "L" else atom(plain)


def normal_mean(x: Name, law: Term, body: Term) -> Term:
    """N of mean: over a single point, over a mixture, or over another law, where it is linear."""
    if law.tag == "dirac":
        return normal(body.substitute({x: law.parts[0]}))
    if law.tag == "mix":
        (y,), (first, second) = law.binds, law.parts
        new = fresh(y, second.free | body.free | {x}) if y == x or y in body.free else y
        return normal(mean((new,), first, mean((x,), second.substitute({y: new}), body)))
    return summed(*((value, average(x, normal(law), *monomial)) for monomial, value in normal(body).label))


def average(x: Name, law: Term, exponent: Term, atoms: tuple[Term, ...]) -> Term:
    """The mean of one monomial: its outside times the mean of its inside."""
    moving = poly({m: value for m, value in exponent.label if x in poly({m: 1}).free})
    inner, outer = tuple(a for a in atoms if x in a.free), [a for a in atoms if x not in a.free]
    if inner or moving.label:
        outer.append(binder("mean", (x,), law, poly({(moving, inner): 1})))
    return poly({(summed((1, exponent), (-1, moving)), tuple(sorted(outer, key=IN_ORDER))): 1})


def binder(tag: str, names: tuple[Name, ...], *parts: Term) -> Term:
    """A normal form that binds: the names get numbers that are greater than those of all binders in the scope."""
    *outside, scope = parts
    numbers = tuple(range(scope.top + 1, scope.top + 1 + len(names)))
    return term(tag, numbers, *outside, scope.substitute(dict(zip(names, map(var, numbers), strict=True))))


@cache
def key_of(formula: Term, level: int = 0) -> tuple[Any, ...]:
    """Equal formulas: F == G if their keys are equal; parameters get numbers from the outside in, from -1 down."""
    if formula.tag == "all":
        below = level - len(formula.binds)
        names = dict(zip(formula.binds, range(level - 1, below - 1, -1), strict=True))
        return ("all", len(formula.binds), *(key_of(part.substitute(names), below) for part in formula.parts))
    p = normal(formula)
    return formula.tag, frozenset({p, summed((-1, p))}) if formula.tag == "=" else p


class Theorem(NamedTuple):
    """H |- C: the hypotheses by their keys, and the conclusion."""

    hypotheses: dict[tuple[Any, ...], Term]
    conclusion: Term

    def form(self, *tags: str) -> tuple[Term, ...]:
        """The parts of the conclusion, which must have one of the forms."""
        demand(self.conclusion.tag in tags, f"a premise has not the form {' or '.join(tags)}")
        return self.conclusion.parts

    def being(self, formula: Term) -> "Theorem":
        """A, which must be F."""
        demand(key_of(self.conclusion) == key_of(formula), "a premise is not the formula that it should be")
        return self

    def positive(self) -> Term:
        """The number t, if A has the form z < t and is 0 < t."""
        return self.being(num(0) < self.form("<")[1]).conclusion.parts[1]

    def natural(self) -> Term:
        """The number n, if A has the form nat(n)."""
        return self.form("nat")[0]

    def without(self, *formulas: Term) -> "Theorem":
        """The theorem without these hypotheses (as a step on the way only)."""
        dropped = {key_of(formula) for formula in formulas}
        return Theorem({key: f for key, f in self.hypotheses.items() if key not in dropped}, self.conclusion)


def conclude(conclusion: Term, *premises: Theorem, bound: Sequence[str] = (), where: bool = True) -> Theorem:
    """H |- C, well formed, with the hypotheses of the premises (the later of equal ones), where no name is bound."""
    demand(where, "a condition of the rule does not hold")
    merged = {key: formula for premise in premises for key, formula in premise.hypotheses.items()}
    demand(well_formed(conclusion, *merged.values()), "the theorem is not well formed")
    demand(EMPTY.union(*(f.free for f in merged.values())).isdisjoint(bound), "a name is free in the hypotheses")
    return Theorem(merged, conclusion)


def use(a: Theorem, values: Sequence[tuple[str, Term]], premises: Sequence[Theorem]) -> Theorem:
    """A formula `all` for values of its parameters."""
    *conditions, conclusion = a.form("all")
    demand(sorted(name for name, _ in values) == sorted(a.conclusion.binds), "the parameters are others")
    for _, value in values:
        demand(well_formed(value), "a value is not well formed")
        is_number = value.tag == "fn" and SORT[value.parts[0].tag] == "t"
        demand(not is_number or bounded(value.parts[0], frozenset(value.binds)), "a function is not bounded")
    for premise, condition in zip(premises, conditions, strict=True):
        premise.being(condition.substitute(dict(values)))
    return conclude(conclusion.substitute(dict(values)), a, *premises)


def calc(formula: Term, triples: Sequence[tuple[Rational, Term | Theorem | None, Theorem]]) -> Theorem:
    """A relation from a sum of relations times factors."""
    demand(formula.tag in ("<=", "<", "="), "calc concludes a relation")
    pieces: list[tuple[Rational, Term]] = [(1, normal(formula))]
    strict = False
    for c, m, a in triples:
        a.form(*("=",) if formula.tag == "=" else ("<=", "<", "="))
        factor, sign = weight(m)
        demand(a.conclusion.tag == "=" or (c >= 0 and sign != "="), "a factor of an inequality may be negative")
        pieces.append((-c, product(factor, normal(a.conclusion))))
        strict = strict or (a.conclusion.tag == sign == "<" and c > 0)
    d = constant_of(summed(*pieces))
    demand(d is not None and (d == 0 or (d > 0 and formula.tag != "=")), "the sum does not give the relation")
    demand(formula.tag != "<" or d != 0 or strict, "the sum does not give a strict relation")
    return conclude(formula, *(one for triple in triples for one in triple if isinstance(one, Theorem)))


def weight(m: Term | Theorem | None) -> tuple[Term, str]:
    """The factor of a triple of `calc`, and < or <= if it is known to be above 0, or at least 0."""
    if isinstance(m, Term):
        demand(well_formed(m), "a factor is not well formed")
        return normal(m), "="
    zero, factor = (m or Theorem({}, num(0) < num(1))).form("<=", "<")
    demand(normal(zero) is ZERO, "a factor is not known to be at least 0")
    return normal(factor), m.conclusion.tag if m else "<"


def moved(a: Theorem, b: Theorem, x: str, law: Term, s: int, c: Term, g: Term) -> Theorem:
    """Lap(b) and N(0, v) if the line is shifted by c, or reflected and shifted."""
    demand(law.label in ("Lap", "Normal") and s in (1, -1), "the law is neither Lap nor Normal, or s is not 1 or -1")
    demand(well_formed(c) and x not in law.free | c.free, "the shift or the law is not allowed")
    f, y, (scale,) = a.form("<=")[0], num(s) * (var(x) - c), law.parts
    a.being(f <= g * exp(minus_log_density(law.label, var(x), scale) - minus_log_density(law.label, y, scale)))
    conclude(a.conclusion, a, bound=(x,))
    return conclude(
        mean((x,), law, f) <= mean((x,), law, g.substitute({x: num(s) * var(x) + c})), a, b.being(num(0) < scale)
    )


def minus_log_density(law: str, y: Term, scale: Term) -> Term:
    """S(y) of the rule `moved`."""
    if law == "Normal":
        return y * y * inv(num(2) * scale)
    return y * (num(2) * ind(num(0), y) - num(1)) * inv(scale)


def some_bound(a: Theorem, n: str, points: Sequence[str], t: Term) -> Theorem:
    """A proof may name a natural number that bounds a bounded function."""
    bound = term("all", points, t <= var(n)) if points else t <= var(n)
    demand(well_formed(bound), "the bound is not well formed")
    demand(all(kind == "var" for name, kind, _ in kinds(bound) if name in points), "the bound is not over points")
    demand(n not in t.free.union(a.conclusion.free, points), "the name of the bound is not new")
    demand(bounded(t, frozenset(points)), "the number is not bounded")
    return conclude(a.conclusion, a.without(nat(var(n)), bound), bound=(n,))


def indicator(i: Term, k: int) -> Term:
    """One of five properties of i = 1[a <= b]."""
    (a, b), one = i.parts, num(1)
    return (equal(i * i, i), num(0) <= i * (b - a), num(0) <= (one - i) * (a - b), num(0) <= i, i <= one)[k]


def uniform_next(a: Theorem, j: str, t: Term) -> Theorem:
    """The sum over 0, ..., n is the sum over 0, ..., n - 1 plus the last term."""
    n = a.natural()
    more, fewer = (k * mean((j,), law("Unif", k), t) for k in (n + num(1), n))
    return conclude(equal(more, fewer + t.substitute({j: n})), a)


def steps_next(a: Theorem, z: str, t: Term, i: str, h: str, s: Term, q: Term) -> Theorem:
    """The law after n + 1 rounds is the law after n rounds, followed by one more round."""
    n = a.natural()
    more, fewer = (term("steps", (i, h), k, s, q) for k in (n + num(1), n))
    last = mean((h,), fewer, mean((z,), q.substitute({i: n}), t))
    return conclude(equal(mean((z,), more, t), last), a, where=h not in n.free | t.free - {z})


# The name of a rule and the sorts of its arguments; its theorem.
RULES: dict[str, Callable[..., Theorem]] = {
    "assume F": lambda f: conclude(f, Theorem({key_of(f): f}, f)),
    "gen A x* F*": lambda a, ps, fs: conclude(term("all", ps, *fs, a.conclusion), a.without(*fs), bound=ps),
    "use A x,tf* A*": use,
    "induct x A A F": lambda n, a, b, f: conclude(
        term("all", (n,), nat(var(n)), f),
        a.being(f.substitute({n: num(0)})),
        b.being(f.substitute({n: var(n) + num(1)})).without(f, nat(var(n))),
        bound=(n,),
    ),
    "cases A A t t": lambda a, b, x, y: conclude(
        a.conclusion, a.without(x <= y), b.being(a.conclusion).without(y <= x, y < x), where=well_formed(x <= y)
    ),
    "calc F c,tA?,A*": calc,
    "antisymmetric A A": lambda a, b: conclude(equal(*a.form("<=")), a, b.being(a.form("<=")[1] <= a.form("<=")[0])),
    "square t": lambda t: conclude(num(0) <= t * t),
    "reciprocal A": lambda a: conclude(equal(a.positive() * inv(a.positive()), num(1)), a),
    "indicator t t k": lambda a, b, k: conclude(indicator(ind(a, b), k), where=k >= 0),
    "same A x t": lambda a, x, t: conclude(equal(*(t.substitute({x: side}) for side in a.form("="))), a),
    "exp_tangent t": lambda t: conclude(num(1) + t <= exp(t)),
    "exp_positive t": lambda t: conclude(num(0) < exp(t)),
    "exp_log A": lambda a: conclude(equal(exp(log(a.positive())), a.positive()), a),
    "nat_zero": lambda: conclude(nat(num(0))),
    "nat_next A": lambda a: conclude(nat(a.natural() + num(1)), a),
    "nat_minus A A A": lambda a, b, d: conclude(
        nat(b.natural() - a.natural() - num(1)), a, b, d.being(a.natural() < b.natural())
    ),
    "nat_equal A A": lambda a, b: conclude(nat(b.form("=")[1]), a.being(nat(b.form("=")[0])), b),
    "mono A x L": lambda a, x, law: conclude(
        term(a.conclusion.tag, *(mean((x,), law, side) for side in a.form("<=", "="))), a, bound=(x,)
    ),
    "fubini x L x L t": lambda x, p, y, q, t: conclude(
        equal(mean((x,), p, mean((y,), q, t)), mean((y,), q, mean((x,), p, t))),
        where=x not in q.free | {y} and y not in p.free,
    ),
    "unit t x A A": lambda t, u, a, b: conclude(
        equal(mean((u,), law("Unit"), ind(var(u), t)), t),
        *(a.being(num(0) <= t), b.being(t <= num(1))),
        where=u not in t.free,
    ),
    "moved A A x L k t t": moved,
    "uniform_next A x t": uniform_next,
    "steps_zero x t x x t L": lambda z, t, i, h, s, q: conclude(
        equal(mean((z,), term("steps", (i, h), num(0), s, q), t), t.substitute({z: s}))
    ),
    "steps_next A x t x x t L": steps_next,
    "some_bound A x x* t": some_bound,
}
READ = {rule.partition(" ")[0]: (rule.partition(" ")[2], made) for rule, made in RULES.items()}


class Replay:
    """A table of nodes, and the theorems of the steps."""

    def __init__(self, rows: Any, steps: Any) -> None:
        self.nodes, self.theorems = list[Term](), list[Theorem]()
        for row in list_of(rows, MOST_ROWS):
            self.nodes.append(self.row(*list_of(row)))
        for step in list_of(steps, MOST_STEPS):
            try:
                rule, *values = list_of(step)
                shape, made = READ[rule]
                self.theorems.append(made(*self.arguments(shape, values)))
            except Refused as reason:
                raise Refused(f"step {len(self.theorems)}, {str(step)[:120]}: {reason}") from None

    def row(self, tag: str, *values: Any) -> Term:
        """A row has exactly the shape of the table."""
        if tag == "num":
            return num(quotient(*values))
        arguments = self.arguments(SHAPES[tag], pointed(list(values)))
        return term(tag, *(part for one in arguments for part in (one if isinstance(one, list) else [one])))

    def arguments(self, shape: str, values: Sequence[Any]) -> list[Any]:
        """The arguments of a row or a step, as its shape demands."""
        sorts = shape.split()
        if shape.endswith("+"):
            values = [*values[: len(sorts) - 1], list(values[len(sorts) - 1 :])]
        return [self.argument(sort, value) for sort, value in zip(sorts, values, strict=True)]

    def argument(self, sort: str, value: Any) -> Any:
        """An argument: a list, a name, a number, a theorem or a term; a number also stands for its `num`."""
        demand(not isinstance(value, bool), "a truth value")
        if sort[-1] in "12*+":
            values = [self.argument(sort[:-1], one) for one in list_of(value)]
            demand(sort[-1] in ("*", "+", str(len(values))), "a list of another length")
            return tuple(values) if sort[0] == "x" else values
        if "," in sort:
            return self.arguments(sort.replace(",", " "), list_of(value))
        if sort in PLAIN:
            demand(isinstance(value, PLAIN[sort]), "an argument of another sort")
            return value
        found = num(value) if isinstance(value, int | Fraction) else value and self.referred(value)
        kind = "?" if found is None else "A" if isinstance(found, Theorem) else SORT[found.tag]
        demand(kind in sort, "an argument of another sort")
        return found

    def referred(self, value: dict[str, Any]) -> Term | Theorem:
        """The earlier row or step that is named by {"node": k} or {"step": k}."""
        ((word, place),) = value.items()
        demand(is_integer(place) and place >= 0, f"no earlier {word}")
        return {"node": self.nodes, "step": self.theorems}[word][place]


def pointed(value: Any) -> Any:
    """In a row an integer is the number of an earlier row, and all else is lists and texts."""
    if isinstance(value, list):
        return [pointed(one) for one in value]
    return value if isinstance(value, str) else {"node": value}


def list_of(value: Any, most: int = MOST_ROWS) -> list[Any]:
    """A list that is not too long."""
    demand(isinstance(value, list) and len(value) <= most, "not a list, or too long")
    return value


def is_integer(value: Any) -> bool:
    """Whether it is an integer that is not too large; the truth values of JSON are none."""
    return type(value) is int and value.bit_length() <= MOST_BITS


def quotient(p: Any, q: Any) -> Rational:
    """The number p/q."""
    demand(is_integer(p) and is_integer(q), "no quotient of integers")
    return Fraction(p, q) if p % q else p // q


def entries(pairs: list[tuple[str, Any]]) -> Any:
    """An object of JSON, whose entries have different names; {"number": [p, q]} is a number."""
    demand(len(dict(pairs)) == len(pairs), "an object has an entry twice")
    return quotient(*list_of(pairs[0][1])) if set(dict(pairs)) == {"number"} else dict(pairs)


def forget() -> None:
    """Nothing is kept from one file to the next."""
    for function in (term, replaced, kinds, bounded, normal, key_of, said):
        function.cache_clear()
    Term.count = itertools.count(1)


@cache
def said(t: Term) -> str:
    """A term in words, for whoever has to compare what is proved with what a paper says."""
    words = in_words(t)
    demand(len(words) <= MOST_LETTERS, "the statement is too long to be printed")
    return words


def in_words(t: Term) -> str:
    """The words for a term, whose parts are said."""
    names, parts = ", ".join(map(str, t.binds)), [said(part) for part in t.parts]
    listed = ", ".join(parts)
    match t.tag:
        case "num" | "var":
            return str(t.label)
        case "add" | "mul":
            return "(" + (" + " if t.tag == "add" else " ").join(parts or ["0" if t.tag == "add" else "1"]) + ")"
        case "ind":
            return f"1[{parts[0]} <= {parts[1]}]"
        case "mean":
            return f"E[{names} ~ {parts[0]}: {parts[1]}]"
        case "mix":
            return f"({names} ~ {parts[0]}, then {parts[1]})"
        case "steps":
            return f"({t.binds[1]} from {parts[1]} by {t.binds[0]} < {parts[0]} steps of {parts[2]})"
        case "fn":
            return f"({names} -> {listed})"
        case "<=" | "<" | "=":
            return f"{parts[0]} {t.tag} {parts[1]}"
        case "nat":
            return f"{listed} is a natural number"
        case "all":
            given = f"if {' and '.join(parts[:-1])}, then " if t.parts[1:] else ""
            return f"(for all {names}: {given}{parts[-1]})"
    return f"{t.label or t.tag}({listed})"


def replay(text: str) -> Term:
    """The statement of a file, which is refused if it does not prove it."""
    content = json.loads(text, object_pairs_hook=entries)
    demand(set(content) == {"format", "claims", "words", "statement", "proof"}, "the file has other entries")
    demand(content["format"] == FORMAT and set(content["proof"]) == {"nodes", "steps"}, "another format")
    *_, statement = Replay(content["statement"], []).nodes
    demand(statement.tag == "all" and well_formed(statement) and statement.free <= RESERVED.keys(), "not a statement")
    proof = Replay(content["proof"]["nodes"], content["proof"]["steps"])
    demand(not proof.theorems[-1].hypotheses, "the last theorem has hypotheses")
    proof.theorems[-1].being(statement)
    return statement


def read(text: str) -> tuple[str, str]:
    """The first step of a file that is refused and the reason, empty if the file proves its statement; and this one."""
    forget()
    try:
        return "", said(replay(text))
    except Refused as reason:
        return str(reason), ""
    except Exception as error:  # whatever goes wrong, nothing is proved
        return f"malformed: {type(error).__name__}: {error}", ""


def why(text: str) -> str:
    """The first step of a file that is refused and the reason; empty if the file proves its statement."""
    return read(text)[0]


def main(names: Sequence[str]) -> int:
    """Print for each file whether it is accepted, and what it proves; 0 if there are files and all are accepted."""
    refused = len(names) == 0 or names[0].startswith("-")
    if refused:
        print("python3 -I -S check.py FILES: says of each file whether it proves its statement, and the statement")
    for name in [] if refused else names:
        try:
            reason, statement = read(Path(name).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            reason, statement = f"not read: {error}", ""
        refused = refused or reason != ""
        print(f"{name}: {reason or 'accepted; what it proves, whatever its other entries say:'}")
        if statement:
            print(f"    {statement}")
    return int(refused)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
