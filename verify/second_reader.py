"""A second reader of stored kernel proofs, written from the format's specification alone (no code of banditproof).

`check(path)` is True only if each step of the file follows by its rule from earlier steps and the last theorem is the
statement of the file, without hypotheses.  Anything unknown, malformed or too large is refused.
"""

import itertools
import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache, reduce
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

FORMAT = "banditproof kernel proof 1"
RESERVED = {"Unif": 1, "Unit": 0, "Lap": 1, "Normal": 1}
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*", re.ASCII)
MOST_ROWS, MOST_STEPS, MOST_DEPTH, MOST_TERMS, MOST_BITS, MOST_PAIRS = 20_000, 4_000, 200, 2_000_000, 5_000, 4_000
# What stands in a row and in a step: t a number, L a law, F a formula, f a function (tL, tf: one of two), A a theorem,
# x a name, k an integer, c a coefficient, m a factor; * a list, + all the rest.
SHAPES = {
    "num": "k k", "var": "x", "add": "t+", "mul": "t+", "inv": "t", "exp": "t", "log": "t", "ind": "t t", "app": "x t+",
    "mean": "x* L t", "law": "x t+", "dirac": "t", "mix": "x* L L", "steps": "x* t t L", "fn": "x* tL",
    "<=": "t t", "<": "t t", "=": "t t", "nat": "t", "all": "x* F* F",
}  # fmt: skip
RULES = {
    "assume": "F", "gen": "A x* F*", "use": "A pair* A*", "induct": "x A A F", "cases": "A A t t", "calc": "F triple*",
    "antisymmetric": "A A", "square": "t", "reciprocal": "A", "indicator": "t t k", "same": "A x t", "exp_tangent": "t",
    "exp_positive": "t", "exp_log": "A", "nat_zero": "", "nat_next": "A", "nat_minus": "A A A", "nat_equal": "A A",
    "mono": "A x L", "fubini": "x L x L t", "unit": "t x A A", "moved": "A A x L k t t", "uniform_next": "A x t",
    "steps_zero": "x t x x t L", "steps_next": "A x t x x t L", "some_bound": "A x x* t",
}  # fmt: skip
TUPLES = {"pair": "x tf", "triple": "c m A"}
LAWS: list[str] = ["law", "dirac", "mix", "steps"]
FORMULAS: list[str] = ["<=", "<", "=", "nat", "all"]
SORT = dict.fromkeys(SHAPES, "t") | dict.fromkeys(LAWS, "L") | dict.fromkeys(FORMULAS, "F") | {"fn": "f"}
BOUND = {"mean": 1, "mix": 1, "steps": 2}  # how many names a binder binds
OUTSIDE = {"mean": 1, "mix": 1, "steps": 2, "fn": 0, "all": 0}  # how many parts are outside its scope
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


class Term:
    """A row of a table, or a normal form; equal ones are the same object, so they are made by `term` and `poly`."""

    __slots__ = ("tag", "label", "binds", "parts", "outside", "inside", "free", "top", "depth", "order")
    count = itertools.count()

    def __init__(self, tag: str, label: Any, binds: tuple[Name, ...], parts: tuple["Term", ...]) -> None:
        """Find the scope, the free names, how many names are bound inside one another, and the depth."""
        self.tag, self.label, self.binds, self.parts = tag, label, binds, parts
        self.outside = parts[: OUTSIDE.get(tag, len(parts))]
        self.inside = parts[len(self.outside) :]
        own = {label} if tag in NAMED and label not in RESERVED else set()
        demand(tag != "law" or len(parts) == RESERVED.get(label, len(parts)), "another count of points")
        demand(RESERVED.keys().isdisjoint(binds) and (bool(own) or tag not in ("var", "app")), "a name is reserved")
        inner = EMPTY.union(*(part.free for part in self.inside)) - set(binds)
        self.free: frozenset[Name] = EMPTY.union(inner, own, *(part.free for part in self.outside))
        self.top: int = len(binds) + max((part.top for part in parts), default=0)
        self.depth: int = 1 + max((part.depth for part in parts), default=0)
        self.order = next(Term.count)
        demand(self.depth <= MOST_DEPTH and self.order <= MOST_TERMS, "a term is too deep, or there are too many")

    def __add__(self, other: "Term") -> "Term":
        """The number a + b."""
        return term("add", self, other)

    def __mul__(self, other: "Term") -> "Term":
        """The number a b."""
        return term("mul", self, other)

    def __sub__(self, other: "Term") -> "Term":
        """The number a - b, that is add(a, mul(-1, b))."""
        return self + num(-1) * other

    def __le__(self, other: "Term") -> "Term":
        """The formula a <= b."""
        return term("<=", self, other)

    def __lt__(self, other: "Term") -> "Term":
        """The formula a < b."""
        return term("<", self, other)

    def substitute(self, values: Mapping[Name, Any]) -> "Term":
        """Substitution: all free names get their values at once, which are numbers, functions or new names."""
        live = frozenset((name, value) for name, value in values.items() if name in self.free)
        return replaced(self, live) if live else self

    def renamed(self, values: Mapping[Name, Any]) -> tuple[list[Name], dict[Name, Any]]:
        """How bound names are renamed: what the binder binds now, and the substitution in its scope."""
        scope = EMPTY.union(*(part.free for part in self.inside)) - set(self.binds)
        changes = {name: value for name, value in values.items() if name in scope}
        taken = scope.union(*(v.free if isinstance(v, Term) else {v} for v in changes.values()))
        names: list[Name] = []
        for old in self.binds:
            new = fresh(old, taken.union(self.binds, names)) if changes and old in taken else old
            names.append(new)
            if new != old:
                changes[old] = new
        return names, changes


TERMS: dict[Any, Term] = {}


def term(tag: str, *parts: Term, label: Any = "", binds: Iterable[Name] = ()) -> Term:
    """The one row, or normal form other than a polynomial, with these parts."""
    key = (tag, label, tuple(binds), parts)
    if key not in TERMS:
        TERMS[key] = Term(*key)
    return TERMS[key]


def num(value: Rational) -> Term:
    """The row `num`."""
    return term("num", label=value)


def mean(x: Name, law: Term, body: Term) -> Term:
    """The number E[x ~ law: body]."""
    return term("mean", law, body, binds=(x,))


def fresh(name: Name, avoided: frozenset[Name]) -> str:
    """The first of name_1, name_2, ... that is not to be avoided."""
    return next(new for count in itertools.count(1) if (new := f"{name}_{count}") not in avoided)


@cache
def replaced(t: Term, live: frozenset[tuple[Name, Any]]) -> Term:
    """Substitution of names that are free: first in the parts, then at the head."""
    values = dict(live)
    binds, scope = t.renamed(values) if t.inside else ((), {})
    parts = [part.substitute(values) for part in t.outside] + [part.substitute(scope) for part in t.inside]
    value = values.get(t.label, t.label) if t.tag in NAMED else t.label
    if not isinstance(value, Term):
        return term(t.tag, *parts, label=value, binds=binds)
    if t.tag == "var":
        demand(SORT[value.tag] == "t", "a function stands for a point")
        return value
    demand(value.tag == "fn" and len(value.binds) == len(parts), "no function of so many points")
    demand(SORT[value.parts[0].tag] == SORT[t.tag], "a law stands for a number, or conversely")
    return value.parts[0].substitute(dict(zip(value.binds, parts, strict=True)))


def well_formed(*terms: Term) -> bool:
    """Well formed: all means are allowed, and in all the terms together each name has one kind."""
    together = EMPTY.union(*(kinds(t) for t in terms))
    return all(allowed(t) for t in terms) and len(together) == len({name for name, *_ in together})


@cache
def kinds(t: Term) -> frozenset[tuple[Name, str, int]]:
    """The kinds of the names that a term uses or binds (`all` gives none): name, sort, count of points."""
    own = {(t.label, t.tag, len(t.parts))} if t.tag in NAMED else set()
    points = {(name, "var", 0) for name in t.binds if t.tag != "all"}
    return EMPTY.union(own, points, *(kinds(part) for part in t.parts))


@cache
def allowed(t: Term) -> bool:
    """In each mean, the law is Unif(n), or the body is bounded if its variable moves."""
    if t.tag == "mean" and t.parts[0].label != "Unif" and not bounded(t.parts[1], frozenset(t.binds)):
        return False
    return all(allowed(part) for part in t.parts)


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
    key = frozenset((monomial, value) for monomial, value in terms.items() if value)
    if key not in TERMS:
        bits = [max(value.numerator.bit_length(), value.denominator.bit_length()) for _, value in key]
        demand(max(bits, default=0) <= MOST_BITS, "a coefficient is too large")
        TERMS[key] = Term("poly", key, (), tuple(piece for (power, atoms), _ in key for piece in (power, *atoms)))
    return TERMS[key]


ZERO = poly({})
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
        return atom(term("inv", p)) if p.label else ZERO
    (((exponent, atoms), value),) = p.label
    first = poly({(summed((-1, exponent)), ()): Fraction(1) / value})
    return reduce(product, [a.parts[0] if a.tag == "inv" else atom(term("inv", atom(a))) for a in atoms], first)


def difference(a: Term, b: Term) -> Term:
    """N of the relations of a and b: b - a."""
    return summed((1, b), (-1, a))


def indicated(a: Term, b: Term) -> Term:
    """N of ind: computed if the difference is a number."""
    p = difference(a, b)
    value = constant_of(p)
    return atom(term("ind", p)) if value is None else poly({UNIT: int(value >= 0)})


COMPUTED: dict[str, Callable[..., Term]] = {
    "add": lambda *parts: summed(*((1, part) for part in parts)),
    "mul": lambda *parts: reduce(product, parts, poly({UNIT: 1})),
    "exp": lambda p: poly({(p, ()): 1}),
    "inv": inverse,
    "ind": indicated,
    "nat": lambda a: a,
    "<=": difference,
    "<": difference,
    "=": difference,
}


@cache
def normal(t: Term) -> Term:
    """N(t) of a number, N of a law, N(b - a) of a <= b, a < b and a = b, and N(a) of nat(a)."""
    if t.tag == "num":
        return poly({UNIT: t.label})
    if t.binds:
        return normal_mean(t) if t.tag == "mean" else normal_binder(t)
    parts = [normal(part) for part in t.parts]
    if t.tag in COMPUTED:
        return COMPUTED[t.tag](*parts)
    plain = term(t.tag, *parts, label=t.label)
    return plain if SORT[t.tag] == "L" else atom(plain)


def normal_mean(t: Term) -> Term:
    """N of mean: over a single point, over a mixture, or over another law, where it is linear."""
    (x,), (law, body) = t.binds, t.parts
    if law.tag == "dirac":
        return normal(body.substitute({x: law.parts[0]}))
    if law.tag == "mix":
        (y,), (first, second) = law.binds, law.parts
        new = fresh(y, second.free | body.free | {x}) if y == x or y in body.free else y
        return normal(mean(new, first, mean(x, second.substitute({y: new}), body)))
    total: dict[Monomial, Rational] = {}
    for monomial, value in normal(body).label:
        averaged = average(x, normal(law), *monomial)
        total[averaged] = total.get(averaged, 0) + value
    return poly(total)


def average(x: Name, law: Term, exponent: Term, atoms: tuple[Term, ...]) -> Monomial:
    """The mean of one monomial: its outside times the mean of its inside."""
    moving = poly({m: value for m, value in exponent.label if x in poly({m: 1}).free})
    inner, outer = [a for a in atoms if x in a.free], [a for a in atoms if x not in a.free]
    body = poly({(moving, tuple(inner)): 1})
    if body is not poly({UNIT: 1}):
        number = 1 + body.top
        outer.append(term("mean", law, rename(body, x, number), binds=(number,)))
    return summed((1, exponent), (-1, moving)), tuple(sorted(outer, key=IN_ORDER))


def normal_binder(law: Term) -> Term:
    """N of mix and steps: what is bound gets numbers that are greater than those of all binders in the scope."""
    *outer, scope = [normal(part) for part in law.parts]
    numbers = range(scope.top + 1, scope.top + 1 + len(law.binds))
    for name, number in zip(law.binds, numbers, strict=True):
        scope = rename(scope, name, number)
    return term(law.tag, *outer, scope, binds=numbers)


@cache
def rename(t: Term, x: Name, number: int) -> Term:
    """A normal form in which the point x has become a number."""
    if x not in t.free:
        return t
    if t.tag == "poly":
        pieces = [(rename(p, x, number), [rename(a, x, number) for a in atoms], value) for (p, atoms), value in t.label]
        return poly({(exponent, tuple(sorted(atoms, key=IN_ORDER))): value for exponent, atoms, value in pieces})
    demand(t.tag == "var" or t.label != x, "a point has the name of a function or law")
    parts = [rename(part, x, number) for part in t.parts]
    return term(t.tag, *parts, label=number if t.tag == "var" else t.label, binds=t.binds)


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

    def without(self, *formulas: Term) -> "Theorem":
        """The theorem without these hypotheses (as a step on the way only)."""
        dropped = {key_of(formula) for formula in formulas}
        return Theorem({key: f for key, f in self.hypotheses.items() if key not in dropped}, self.conclusion)


def conclude(conclusion: Term, *premises: Theorem, bound: Sequence[str] = ()) -> Theorem:
    """H |- C, well formed, with the hypotheses of the premises (the later of equal ones), where no name is bound."""
    merged = {key: formula for premise in premises for key, formula in premise.hypotheses.items()}
    demand(well_formed(conclusion, *merged.values()), "the theorem is not well formed")
    demand(EMPTY.union(*(f.free for f in merged.values())).isdisjoint(bound), "a name is free in the hypotheses")
    return Theorem(merged, conclusion)


class Replay:
    """A table of nodes, the theorems of the steps so far, and the rules with the arguments that RULES names."""

    def __init__(self, rows: Any) -> None:
        """Read a table: each row refers to earlier rows."""
        self.nodes: list[Term] = []
        self.theorems: list[Theorem] = []
        for row in list_of(rows, MOST_ROWS):
            self.nodes.append(self.row(row))

    # Rules of one line: F |- F; 0 <= t t; 1 + t <= e^t; 0 < e^t; 0 is natural; if n is natural, so is n + 1; if a = b,
    # t[x := a] = t[x := b]; a relation of means, if x is not free in H; if 0 < t, t/t = 1 and e^(log t) = t.
    assume = staticmethod(lambda f: conclude(f, Theorem({key_of(f): f}, f)))
    square = staticmethod(lambda t: conclude(num(0) <= t * t))
    exp_tangent = staticmethod(lambda t: conclude(num(1) + t <= term("exp", t)))
    exp_positive = staticmethod(lambda t: conclude(num(0) < term("exp", t)))
    nat_zero = staticmethod(lambda: conclude(term("nat", num(0))))
    nat_next = staticmethod(lambda a: conclude(term("nat", a.form("nat")[0] + num(1)), a))
    same = staticmethod(lambda a, x, t: conclude(term("=", *(t.substitute({x: v}) for v in a.form("="))), a))
    mono = staticmethod(
        lambda a, x, law: conclude(term(a.conclusion.tag, *(mean(x, law, f) for f in a.form("<=", "="))), a, bound=(x,))
    )
    reciprocal = staticmethod(lambda a: conclude(term("=", a.positive() * term("inv", a.positive()), num(1)), a))
    exp_log = staticmethod(lambda a: conclude(term("=", term("exp", term("log", a.positive())), a.positive()), a))

    def gen(self, a: Theorem, names: list[str], formulas: list[Term]) -> Theorem:
        """Generalization: no name is free in the hypotheses that stay."""
        return conclude(term("all", *formulas, a.conclusion, binds=names), a.without(*formulas), bound=names)

    def use(self, a: Theorem, values: list[tuple[str, Term]], premises: list[Theorem]) -> Theorem:
        """A formula `all` for values of its parameters."""
        *conditions, conclusion = a.form("all")
        demand(sorted(name for name, _ in values) == sorted(a.conclusion.binds), "the parameters are others")
        demand(len(premises) == len(conditions), "there are more or fewer premises than conditions")
        for _, value in values:
            body = value.parts[0] if value.tag == "fn" else value
            demand(well_formed(value) and well_formed(body), "a value is not well formed")
            demand(SORT[body.tag] == "L" or body is value or bounded(body, frozenset(value.binds)), "not bounded")
        for premise, condition in zip(premises, conditions, strict=True):
            premise.being(condition.substitute(dict(values)))
        return conclude(conclusion.substitute(dict(values)), a, *premises)

    def induct(self, n: str, a: Theorem, b: Theorem, formula: Term) -> Theorem:
        """Induction over n."""
        number, natural = term("var", label=n), term("nat", term("var", label=n))
        a.being(formula.substitute({n: num(0)}))
        rest = b.being(formula.substitute({n: number + num(1)})).without(formula, natural)
        return conclude(term("all", natural, formula, binds=(n,)), a, rest, bound=(n,))

    def cases(self, a: Theorem, b: Theorem, low: Term, high: Term) -> Theorem:
        """Either low <= high, or high <= low and high < low."""
        demand(well_formed(low <= high), "the case is not well formed")
        other = b.being(a.conclusion).without(high <= low, high < low)
        return conclude(a.conclusion, a.without(low <= high), other)

    def calc(self, formula: Term, triples: list[tuple[Rational, Term | Theorem | None, Theorem]]) -> Theorem:
        """A relation from a sum of relations times factors."""
        demand(formula.tag in ("<=", "<", "="), "calc concludes a relation")
        pieces: list[tuple[Rational, Term]] = [(1, normal(formula))]
        strict, premises = False, list[Theorem]()
        for c, m, a in triples:
            a.form(*("=",) if formula.tag == "=" else ("<=", "<", "="))
            demand(c >= 0 or a.conclusion.tag == "=", "an inequality has a negative coefficient")
            factor, positive = self.factor(m, a)
            pieces.append((-c, product(factor, normal(a.conclusion))))
            strict = strict or (a.conclusion.tag == "<" and c > 0 and positive)
            premises += [m, a] if isinstance(m, Theorem) else [a]
        d = constant_of(summed(*pieces))
        demand(d is not None and (d == 0 or (d > 0 and formula.tag != "=")), "the sum does not give the relation")
        demand(formula.tag != "<" or d != 0 or strict, "the sum does not give a strict relation")
        return conclude(formula, *premises)

    def factor(self, m: Term | Theorem | None, a: Theorem) -> tuple[Term, bool]:
        """The factor of a triple of `calc`, and whether it is known to be positive."""
        if m is None:
            return poly({UNIT: 1}), True
        if isinstance(m, Term):
            demand(a.conclusion.tag == "=" and well_formed(m), "a number is no factor of an inequality")
            return normal(m), False
        demand(normal(m.form("<=", "<")[0]) is ZERO, "a factor is not known to be at least 0")
        return normal(m.conclusion.parts[1]), m.conclusion.tag == "<"

    def antisymmetric(self, a: Theorem, b: Theorem) -> Theorem:
        """If a <= b and b <= a then a = b."""
        low, high = a.form("<=")
        return conclude(term("=", low, high), a, b.being(high <= low))

    def indicator(self, a: Term, b: Term, k: int) -> Theorem:
        """One of five properties of i = 1[a <= b]."""
        i, zero, one = term("ind", a, b), num(0), num(1)
        formulas = (term("=", i * i, i), zero <= i * (b - a), zero <= (one - i) * (a - b), zero <= i, i <= one)
        demand(0 <= k < len(formulas), "indicator has five formulas")
        return conclude(formulas[k])

    def nat_minus(self, a: Theorem, b: Theorem, d: Theorem) -> Theorem:
        """If n < m are natural numbers then so is m - n - 1."""
        (n,), (m,) = a.form("nat"), b.form("nat")
        return conclude(term("nat", m - n - num(1)), a, b, d.being(n < m))

    def nat_equal(self, a: Theorem, b: Theorem) -> Theorem:
        """If a is a natural number and a = b then so is b."""
        left, right = b.form("=")
        return conclude(term("nat", right), a.being(term("nat", left)), b)

    def fubini(self, x: str, p: Term, y: str, q: Term, t: Term) -> Theorem:
        """Two laws change places if neither depends on the other."""
        demand(x != y and x not in q.free and y not in p.free, "a law depends on the other point")
        return conclude(term("=", mean(x, p, mean(y, q, t)), mean(y, q, mean(x, p, t))))

    def unit(self, t: Term, u: str, a: Theorem, b: Theorem) -> Theorem:
        """If 0 <= t <= 1 then a uniform number is at most t with probability t."""
        demand(u not in t.free, "the level depends on the point")
        chance = mean(u, term("law", label="Unit"), term("ind", term("var", label=u), t))
        return conclude(term("=", chance, t), a.being(num(0) <= t), b.being(t <= num(1)))

    def moved(self, a: Theorem, b: Theorem, x: str, law: Term, s: int, c: Term, g: Term) -> Theorem:
        """Lap(b) and N(0, v) if the line is shifted by c, or reflected and shifted."""
        demand(law.tag == "law" and law.label in ("Lap", "Normal"), "the law is neither Lap nor Normal")
        demand(s in (1, -1) and well_formed(c) and x not in law.free | c.free, "the shift or the law is not allowed")
        f, point, sign = a.form("<=")[0], term("var", label=x), num(s)
        ratio = term("exp", self.exponent(law, point) - self.exponent(law, sign * (point - c)))
        conclude(a.being(f <= g * ratio).conclusion, a, bound=(x,))
        moved = mean(x, law, g.substitute({x: sign * point + c}))
        return conclude(mean(x, law, f) <= moved, a, b.being(num(0) < law.parts[0]))

    def exponent(self, law: Term, y: Term) -> Term:
        """S(y) of the rule `moved`."""
        if law.label == "Normal":
            return y * y * term("inv", num(2) * law.parts[0])
        return y * (num(2) * term("ind", num(0), y) - num(1)) * term("inv", law.parts[0])

    def uniform_next(self, a: Theorem, j: str, t: Term) -> Theorem:
        """The sum over 0, ..., n is the sum over 0, ..., n - 1 plus the last term."""
        (n,) = a.form("nat")
        more, fewer = [k * mean(j, term("law", k, label="Unif"), t) for k in (n + num(1), n)]
        return conclude(term("=", more, fewer + t.substitute({j: n})), a)

    def steps_zero(self, z: str, t: Term, i: str, h: str, s: Term, q: Term) -> Theorem:
        """After no round the history is s."""
        demand(i != h, "steps binds one name twice")
        law = term("steps", num(0), s, q, binds=(i, h))
        return conclude(term("=", mean(z, law, t), t.substitute({z: s})))

    def steps_next(self, a: Theorem, z: str, t: Term, i: str, h: str, s: Term, q: Term) -> Theorem:
        """The law after n + 1 rounds is the law after n rounds, followed by one more round."""
        (n,) = a.form("nat")
        demand(i != h and h not in n.free and (h == z or h not in t.free), "the history is captured")
        left, right = [term("steps", k, s, q, binds=(i, h)) for k in (n + num(1), n)]
        return conclude(term("=", mean(z, left, t), mean(h, right, mean(z, q.substitute({i: n}), t))), a)

    def some_bound(self, a: Theorem, n: str, points: list[str], t: Term) -> Theorem:
        """A proof may name a natural number that bounds a bounded function."""
        number = term("var", label=n)
        bound = term("all", t <= number, binds=points) if points else t <= number
        demand(well_formed(bound), "the bound is not well formed")
        demand(all(kind == "var" for name, kind, _ in kinds(bound) if name in points), "the bound is not over points")
        demand(n not in t.free | a.conclusion.free and n not in points, "the name of the bound is not new")
        demand(bounded(t, frozenset(points)), "the number is not bounded")
        return conclude(a.conclusion, a.without(term("nat", number), bound), bound=(n,))

    def row(self, row: Any) -> Term:
        """A row has exactly the shape of the table."""
        tag, arguments = self.arguments(SHAPES, row, True)
        if tag == "num":
            return num(rational_of(*arguments))
        label = arguments.pop(0) if tag in NAMED else ""
        binds = arguments.pop(0) if tag in OUTSIDE else ()
        parts = [part for one in arguments for part in (one if isinstance(one, list) else [one])]
        demand(tag not in BOUND or len(binds) == BOUND[tag], "a binder binds another count of names")
        return term(tag, *parts, label=label, binds=binds)

    def step(self, step: Any) -> None:
        """A step has exactly the arguments of its rule."""
        rule, arguments = self.arguments(RULES, step, False)
        self.theorems.append(getattr(self, rule)(*arguments))

    def arguments(self, shapes: Mapping[str, str], value: Any, row: bool) -> tuple[str, list[Any]]:
        """The first word of a row or of a step, and its arguments as the shape of the word demands."""
        demand(len(list_of(value)) > 0 and isinstance(value[0], str) and value[0] in shapes, "an unknown row or rule")
        word, *values = value
        sorts = shapes[word].replace("+", "*").split()
        if shapes[word].endswith("+"):
            values = [*values[: len(sorts) - 1], values[len(sorts) - 1 :]]
        demand(len(values) == len(sorts), "another count of arguments")
        return word, [self.argument(sort, one, row) for sort, one in zip(sorts, values, strict=True)]

    def argument(self, sort: str, value: Any, row: bool) -> Any:
        """An argument: a list, a name, a number, a theorem or a term."""
        if sort.endswith("*"):
            values = [self.argument(sort[:-1], one, row) for one in list_of(value)]
            demand(sort != "x*" or len(set(values)) == len(values), "a name stands twice")
            return values
        if sort in TUPLES:
            return tuple(self.arguments(TUPLES, [sort, *list_of(value)], row)[1])
        if sort == "m":
            sort = "A" if isinstance(value, dict) and "step" in value else "t"
            return None if value is None else self.argument(sort, value, row)
        if sort == "A":
            return reference(value, "step", self.theorems)
        demand(row or sort != "x" or value not in RESERVED, "a name is reserved")
        return READERS[sort](value) if sort in READERS else self.node(sort, value, row)

    def node(self, sorts: str, value: Any, row: bool) -> Term:
        """An earlier row of one of the sorts; in a step, a number may also stand for its `num`."""
        if not row and "t" in sorts and not (isinstance(value, dict) and "node" in value):
            return num(number_of(value))
        found: Term = reference({"node": value} if row else value, "node", self.nodes)
        demand(SORT[found.tag] in sorts, "a node of another sort")
        return found


def list_of(value: Any, most: int = MOST_ROWS) -> list[Any]:
    """A list that is not too long."""
    demand(isinstance(value, list) and len(value) <= most, "not a list, or too long")
    return list(value)


def reference(value: Any, word: str, table: list[Any]) -> Any:
    """The earlier row or step that is named by {word: its number}."""
    demand(isinstance(value, dict) and list(value) == [word], f"not a {word}")
    demand(0 <= integer_of(value[word]) < len(table), f"no earlier {word}")
    return table[value[word]]


def name_of(value: Any) -> str:
    """A name."""
    demand(isinstance(value, str) and NAME.fullmatch(value) is not None, "not a name")
    return str(value)


def integer_of(value: Any) -> int:
    """An integer; the truth values of JSON are none."""
    demand(type(value) is int and value.bit_length() <= MOST_BITS, "not an integer, or too large")
    return int(value)


def rational_of(p: Any, q: Any) -> Rational:
    """The rational number p/q."""
    demand(integer_of(q) != 0, "a denominator is 0")
    value = Fraction(integer_of(p), q)
    return value.numerator if value.denominator == 1 else value


def number_of(value: Any) -> Rational:
    """An integer or a {"number": [p, q]} in a step."""
    pair = value["number"] if isinstance(value, dict) and list(value) == ["number"] else [value, 1]
    demand(len(list_of(pair)) == 2, "not a number")
    return rational_of(*pair)


READERS: dict[str, Callable[[Any], Any]] = {"x": name_of, "k": integer_of, "c": number_of}


def unambiguous(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON whose entries have different names."""
    demand(len({name for name, _ in pairs}) == len(pairs), "an object has an entry twice")
    return dict(pairs)


def forget() -> None:
    """Nothing is kept from one file to the next."""
    for function in (replaced, kinds, allowed, bounded, normal, rename, key_of):
        function.cache_clear()
    TERMS.clear()
    TERMS[EMPTY] = ZERO
    Term.count = itertools.count(1)


def replay(path: Path) -> None:
    """Refuse a file that does not prove its statement."""
    content = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=unambiguous)
    demand(set(content) == {"format", "claims", "words", "statement", "proof"}, "the file has other entries")
    demand(content["format"] == FORMAT, "another format")
    *_, statement = Replay(content["statement"]).nodes
    demand(statement.tag == "all" and well_formed(statement) and not statement.free, "not a statement")
    demand(set(content["proof"]) == {"nodes", "steps"}, "the proof has other entries")
    proof = Replay(content["proof"]["nodes"])
    for place, step in enumerate(list_of(content["proof"]["steps"], MOST_STEPS)):
        try:
            proof.step(step)
        except Refused as reason:
            raise Refused(f"step {place}, {str(step)[:120]}: {reason}") from None
    demand(not proof.theorems[-1].hypotheses, "the last theorem has hypotheses")
    proof.theorems[-1].being(statement)


def why(path: Path) -> str:
    """The first step that is refused and the reason; empty if the file proves its statement."""
    forget()
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, 8_000))
    try:
        replay(path)
    except Refused as reason:
        return str(reason)
    except Exception as error:  # whatever goes wrong, nothing is proved
        return f"malformed: {type(error).__name__}: {error}"
    finally:
        sys.setrecursionlimit(limit)
    return ""


def check(path: Path) -> bool:
    """Does the file prove its statement?"""
    return why(path) == ""


def main(names: Sequence[str]) -> int:
    """Print a line for each file; 0 if there are files and all are accepted."""
    refused = len(names) == 0
    for name in names:
        reason = why(Path(name))
        refused = refused or reason != ""
        print(f"{name}: {reason or 'accepted'}")
    return int(refused)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
