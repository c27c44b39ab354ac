"""A second reader of stored kernel proofs, written from the format's specification alone (no code of banditproof).

`check(path)` is True only if each step of the file follows by its rule from earlier steps and the last theorem is the
statement of the file, without hypotheses.  Anything unknown, malformed or too large is refused.
"""

import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

Rational = int | Fraction
Key = tuple[Any, ...]

FORMAT = "banditproof kernel proof 1"
ENTRIES = {"format", "claims", "words", "statement", "proof"}
RESERVED = {"Unif": 1, "Unit": 0, "Lap": 1, "Normal": 1}
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*", re.ASCII)
NUMBER, LAW, FUNCTION, FORMULA = "number", "law", "function", "formula"
SORT = dict.fromkeys(("num", "var", "add", "mul", "inv", "exp", "log", "ind", "app", "mean"), NUMBER)
SORT |= dict.fromkeys(("law", "dirac", "mix", "steps"), LAW) | {"fn": FUNCTION}
SORT |= dict.fromkeys(("<=", "<", "=", "nat", "all"), FORMULA)
ARITY = {"inv": 1, "exp": 1, "log": 1, "dirac": 1, "nat": 1, "ind": 2, "<=": 2, "<": 2, "=": 2}
BINDERS = {"mean": (1, (LAW, NUMBER)), "mix": (1, (LAW, LAW)), "steps": (2, (NUMBER, NUMBER, LAW))}
OUTSIDE = {"mean": 1, "mix": 1, "steps": 2, "fn": 0, "all": 0}  # how many parts are outside the scope of the binder
MOST_ROWS, MOST_STEPS, MOST_DEPTH, MOST_SIZE = 20_000, 4_000, 120, 200_000
MOST_BITS, MOST_POLYNOMIAL_BITS, MOST_PAIRS = 1_000, 5_000, 4_000


class Refused(Exception):
    """A step or a row that does not follow the specification."""


def demand(condition: bool, reason: str) -> None:
    """Refuse unless the condition holds."""
    if not condition:
        raise Refused(reason)


# ------------------------------------------------------------------------------------------------- terms and binding


class Node:
    """A number, law, function or formula as it is written; equal nodes are the same object (see `node`)."""

    __slots__ = ("tag", "label", "binds", "parts", "free", "depth", "size", "kinds", "fit", "normal", "key")

    def __init__(self, tag: str, label: Any, binds: tuple[str, ...], parts: tuple["Node", ...]) -> None:
        """Compute the free names, the depth and the size; the rest is computed when it is wanted."""
        self.tag, self.label, self.binds, self.parts = tag, label, binds, parts
        inner = union(part.free for part in self.inside())
        own = {label} if tag in ("var", "app", "law") and label not in RESERVED else set()
        self.free: frozenset[str] = union(part.free for part in self.outside()) | (inner - set(binds)) | own
        self.depth: int = 1 + max((part.depth for part in parts), default=0)
        self.size: int = 1 + sum(part.size for part in parts)
        self.kinds: frozenset[tuple[str, str, int]] | None = None
        self.fit: bool | None = None
        self.normal: Any = None
        self.key: Key | None = None

    def outside(self) -> tuple["Node", ...]:
        """The parts in which the binder binds nothing."""
        return self.parts[: OUTSIDE.get(self.tag, len(self.parts))]

    def inside(self) -> tuple["Node", ...]:
        """The parts in which the binder binds its names."""
        return self.parts[OUTSIDE.get(self.tag, len(self.parts)) :]


NODES: dict[Key, Node] = {}
Value = Node | str
SUBSTITUTED: dict[tuple[Node, frozenset[tuple[str, Value]]], Node] = {}


def union(sets: Iterable[frozenset[Any]]) -> frozenset[Any]:
    """The union of sets."""
    return frozenset().union(*sets)


def node(tag: str, label: Any, binds: tuple[str, ...], parts: tuple[Node, ...]) -> Node:
    """The one node with these parts."""
    key = (tag, label, binds, parts)
    found = NODES.get(key)
    if found is None:
        found = NODES[key] = Node(tag, label, binds, parts)
        demand(found.depth <= MOST_DEPTH and found.size <= MOST_SIZE, "a term is too large")
    return found


def num(value: Rational) -> Node:
    """The row `num`."""
    return node("num", value, (), ())


def var(name: str) -> Node:
    """The row `var`."""
    return node("var", name, (), ())


def make(tag: str, *parts: Node) -> Node:
    """A node without names: add, mul, inv, exp, log, ind, dirac and the relations."""
    return node(tag, "", (), parts)


def minus(a: Node, b: Node) -> Node:
    """The number a - b, that is add(a, mul(-1, b))."""
    return make("add", a, make("mul", num(-1), b))


def mean(x: str, law: Node, body: Node) -> Node:
    """The number E[x ~ law: body]."""
    return node("mean", "", (x,), (law, body))


def for_all(names: Sequence[str], conditions: Sequence[Node], conclusion: Node) -> Node:
    """The formula `all`."""
    return node("all", "", tuple(names), (*conditions, conclusion))


def substitute(term: Node, values: Mapping[str, Value]) -> Node:
    """The term with all free names replaced at once by their values (numbers, functions or new names)."""
    live = {name: value for name, value in values.items() if name in term.free}
    if not live:
        return term
    key = (term, frozenset(live.items()))
    found = SUBSTITUTED.get(key)
    if found is None:
        found = SUBSTITUTED[key] = replace(term, live)
    return found


def replace(term: Node, live: dict[str, Value]) -> Node:
    """Substitute in the parts, then at the head of the term."""
    outer = tuple(substitute(part, live) for part in term.outside())
    if term.tag in OUTSIDE:
        names, changes = renamed(term, live)
        inner = tuple(substitute(part, changes) for part in term.inside())
        return node(term.tag, term.label, names, outer + inner)
    value = live.get(term.label) if term.tag in ("var", "app", "law") else None
    if value is None or isinstance(value, str):
        return node(term.tag, value or term.label, (), outer)
    if term.tag == "var":
        demand(SORT[value.tag] == NUMBER, "a function stands for a point")
        return value
    return applied(term.tag, value, outer)


def applied(tag: str, function: Node, arguments: tuple[Node, ...]) -> Node:
    """The body of an `fn`, with the arguments for its parameters."""
    demand(function.tag == "fn", "a number stands for the name of a function or law")
    demand(len(function.binds) == len(arguments), "a function gets another count of arguments")
    demand(SORT[function.parts[0].tag] == SORT[tag], "a function of numbers stands for a law, or conversely")
    return substitute(function.parts[0], dict(zip(function.binds, arguments, strict=True)))


def renamed(term: Node, live: Mapping[str, Value]) -> tuple[tuple[str, ...], dict[str, Value]]:
    """How a binder renames its names in a substitution: the new names, and the substitution in its scope."""
    scope = union(part.free for part in term.inside())
    changes = {name: value for name, value in live.items() if name not in term.binds and name in scope}
    if not changes:
        return term.binds, {}
    taken = union(frozenset({value}) if isinstance(value, str) else value.free for value in changes.values())
    taken |= scope - set(term.binds)
    names: list[str] = []
    for old in term.binds:
        new = fresh(old, taken.union(term.binds, names)) if old in taken else old
        names.append(new)
        if new != old:
            changes[old] = new
    return tuple(names), changes


def fresh(name: str, avoid: Iterable[str]) -> str:
    """The first of name_1, name_2, ... that is not to be avoided."""
    count, avoided = 1, set(avoid)
    while f"{name}_{count}" in avoided:
        count += 1
    return f"{name}_{count}"


# ------------------------------------------------------------------------------------------------------- well formed


def well_formed(*terms: Node) -> bool:
    """Are all means of these terms allowed, and has each name one kind in all of them together?"""
    if not all(fit(term) for term in terms):
        return False
    together = union(kinds(term) for term in terms)
    return len(together) == len({name for name, _, _ in together})


def kinds(term: Node) -> frozenset[tuple[str, str, int]]:
    """The kinds of the names that a term uses or binds (`all` gives none): (name, sort, count of points)."""
    if term.kinds is None:
        own: set[tuple[str, str, int]] = set()
        if term.tag in ("var", "app", "law"):
            own.add((term.label, term.tag, len(term.parts)))
        if term.tag != "all":
            own.update((name, "var", 0) for name in term.binds)
        term.kinds = union(kinds(part) for part in term.parts) | own
    return term.kinds


def fit(term: Node) -> bool:
    """In each mean, the law is Unif(n) or the body is bounded if its variable moves."""
    if term.fit is None:
        term.fit = all(fit(part) for part in term.parts)
        if term.tag == "mean" and not uniform(term.parts[0]):
            term.fit = term.fit and bounded(term.parts[1], frozenset(term.binds))
    return term.fit


def uniform(law: Node) -> bool:
    """Is the law Unif(n)?"""
    return law.tag == "law" and law.label == "Unif"


def bounded(term: Node, moving: frozenset[str]) -> bool:
    """bounded(S): the form shows that the number is bounded while the names of S move."""
    if not moving & term.free or term.tag in ("ind", "app"):
        return True
    if term.tag in ("add", "mul", "exp"):
        return all(bounded(part, moving) for part in term.parts)
    if term.tag in ("inv", "log"):
        return away(term.parts[0], moving)
    return term.tag == "mean" and bounded(term.parts[1], moving_inside(term, moving))


def away(term: Node, moving: frozenset[str]) -> bool:
    """away(S): the form shows that the number is between two positive numbers while the names of S move."""
    if term.tag == "num":
        return term.label > 0
    if term.tag == "exp":
        return bounded(term.parts[0], moving)
    if term.tag in ("add", "mul"):
        return bool(term.parts) and all(away(part, moving) for part in term.parts)
    return term.tag == "mean" and away(term.parts[1], moving_inside(term, moving))


def moving_inside(term: Node, moving: frozenset[str]) -> frozenset[str]:
    """S' for the body of a mean: without its variable if the law is a fixed Unif(n), otherwise with it."""
    law = term.parts[0]
    if uniform(law) and not moving & law.free:
        return moving - set(term.binds)
    return moving | set(term.binds)


# --------------------------------------------------------------------------------------------------- the normal form


class Poly:
    """The normal form of a number: a map from monomials to rationals; equal ones are the same object."""

    __slots__ = ("terms", "scope")

    def __init__(self, terms: dict["Monomial", Rational]) -> None:
        """Keep the map; the free names and the greatest number of a binder are computed when they are wanted."""
        self.terms = terms
        self.scope: tuple[frozenset[str], int] | None = None

    def names(self) -> tuple[frozenset[str], int]:
        """The free names and the greatest number of a binder."""
        if self.scope is None:
            pieces = [piece.names() for exponent, atoms in self.terms for piece in (exponent, *atoms)]
            self.scope = union(free for free, _ in pieces), max((top for _, top in pieces), default=0)
        return self.scope


class Part:
    """The normal form of a law, or an atom other than exp; equal ones are the same object."""

    __slots__ = ("order", "tag", "label", "parts", "scope")

    def __init__(self, order: int, tag: str, label: Any, parts: tuple["Poly | Part", ...]) -> None:
        """A binder (mean, mix, steps) has the greatest number that it gives to its names as its label."""
        self.order, self.tag, self.label, self.parts = order, tag, label, parts
        pieces = [piece.names() for piece in parts]
        own = {label} if tag in ("var", "app", "law") and isinstance(label, str) else set()
        numbers = [top for _, top in pieces] + ([label] if tag in ("mean", "mix", "steps") else [0])
        self.scope = union(free for free, _ in pieces) | own, max(numbers)

    def names(self) -> tuple[frozenset[str], int]:
        """The free names and the greatest number of a binder."""
        return self.scope


Monomial = tuple[Poly, tuple[Part, ...]]  # (p, atoms): exp(p) times the atoms in their order; no exp if p is 0
ZERO = Poly({})
UNIT: Monomial = (ZERO, ())
POLYS: dict[frozenset[tuple[Monomial, Rational]], Poly] = {frozenset(): ZERO}
PARTS: dict[Key, Part] = {}
RENAMED: dict[tuple[Poly | Part, str, int], Poly | Part] = {}


def poly(terms: dict[Monomial, Rational]) -> Poly:
    """The one polynomial with these terms, none of which is 0."""
    key = frozenset(terms.items())
    found = POLYS.get(key)
    if found is None:
        for value in terms.values():
            bits = max(value.numerator.bit_length(), value.denominator.bit_length())
            demand(bits <= MOST_POLYNOMIAL_BITS, "a coefficient is too large")
        found = POLYS[key] = Poly(terms)
    return found


def part_of(tag: str, label: Any, *parts: Poly | Part) -> Part:
    """The one atom or law with these parts."""
    key = (tag, label, parts)
    found = PARTS.get(key)
    if found is None:
        found = PARTS[key] = Part(len(PARTS), tag, label, parts)
    return found


def atom(tag: str, label: Any, *parts: Poly | Part) -> Poly:
    """The polynomial that is one atom."""
    return poly({(ZERO, (part_of(tag, label, *parts),)): 1})


def constant(value: Rational) -> Poly:
    """The polynomial of a rational number."""
    return poly({UNIT: value}) if value else ZERO


def constant_of(p: Poly) -> Rational | None:
    """The rational number that a polynomial is, or None."""
    if not p.terms:
        return 0
    return p.terms.get(UNIT) if len(p.terms) == 1 else None


def add_to(total: dict[Monomial, Rational], p: Poly, factor: Rational) -> None:
    """Add factor times p to a sum."""
    for monomial, value in p.terms.items():
        add_one(total, monomial, factor * value)


def add_one(total: dict[Monomial, Rational], monomial: Monomial, value: Rational) -> None:
    """Add one monomial with its coefficient to a sum."""
    new = total.get(monomial, 0) + value
    if new:
        total[monomial] = new
    else:
        total.pop(monomial, None)


def combined(p: Poly, factor: Rational, q: Poly) -> Poly:
    """The polynomial p + factor q."""
    total = dict(p.terms)
    add_to(total, q, factor)
    return poly(total)


def product(p: Poly, q: Poly) -> Poly:
    """The product of two polynomials."""
    demand(len(p.terms) * len(q.terms) <= MOST_PAIRS, "a product is too large")
    total: dict[Monomial, Rational] = {}
    for left, a in p.terms.items():
        for right, b in q.terms.items():
            add_one(total, monomial_product(left, right), a * b)
    return poly(total)


def monomial_product(left: Monomial, right: Monomial) -> Monomial:
    """The product of two monomials: exp(p) exp(q) = exp(p + q), and the atoms together."""
    exponent = combined(left[0], 1, right[0]) if left[0].terms and right[0].terms else left[0]
    return (exponent if left[0].terms else right[0], ordered(left[1] + right[1]))


def ordered(atoms: tuple[Part, ...]) -> tuple[Part, ...]:
    """A multiset of atoms, in their order."""
    return tuple(sorted(atoms, key=lambda one: one.order)) if len(atoms) > 1 else atoms


def normal(term: Node) -> Poly:
    """N(t) of a number."""
    if term.normal is None:
        term.normal = NORMAL[term.tag](term)
    return term.normal


def normal_sum(term: Node) -> Poly:
    """N of add."""
    total: dict[Monomial, Rational] = {}
    for part in term.parts:
        add_to(total, normal(part), 1)
    return poly(total)


def normal_product(term: Node) -> Poly:
    """N of mul."""
    result = constant(1)
    for part in term.parts:
        result = product(result, normal(part))
    return result


def normal_exp(term: Node) -> Poly:
    """N of exp: 1 if the exponent is 0."""
    return poly({(normal(term.parts[0]), ()): 1})


def normal_ind(term: Node) -> Poly:
    """N of ind: computed if the difference is a number."""
    p = difference(term)
    value = constant_of(p)
    return atom("ind", "", p) if value is None else constant(1 if value >= 0 else 0)


def normal_inv(term: Node) -> Poly:
    """N of inv: 1/0 = 0; one monomial is inverted atom by atom; a sum stays."""
    p = normal(term.parts[0])
    if len(p.terms) != 1:
        return atom("inv", "", p) if p.terms else ZERO
    ((exponent, atoms), value), *_ = p.terms.items()
    result = poly({(combined(ZERO, -1, exponent), ()): Fraction(1) / value})
    for one in atoms:
        inverse = one.parts[0] if one.tag == "inv" else atom("inv", "", poly({(ZERO, (one,)): 1}))
        assert isinstance(inverse, Poly)
        result = product(result, inverse)
    return result


def normal_mean(term: Node) -> Poly:
    """N of mean: over a single point, over a mixture, or over another law."""
    (x,), (law, body) = term.binds, term.parts
    if law.tag == "dirac":
        return normal(substitute(body, {x: law.parts[0]}))
    if law.tag == "mix":
        (y,), (first, second) = law.binds, law.parts
        if y == x or y in body.free:
            new = fresh(y, second.free | body.free | {x, y})
            y, second = new, substitute(second, {y: new})
        return normal(mean(y, first, mean(x, second, body)))
    total: dict[Monomial, Rational] = {}
    for monomial, value in normal(body).terms.items():
        add_one(total, averaged(x, normal_law(law), monomial), value)
    return poly(total)


def averaged(x: str, law: Part, monomial: Monomial) -> Monomial:
    """The mean of one monomial: its outside times the mean of its inside."""
    exponent, atoms = monomial
    moving = {m: value for m, value in exponent.terms.items() if x in poly({m: 1}).names()[0]}
    rest = {m: value for m, value in exponent.terms.items() if m not in moving}
    inner = tuple(one for one in atoms if x in one.names()[0])
    outer = tuple(one for one in atoms if x not in one.names()[0])
    if moving or inner:
        body = poly({(poly(moving), inner): 1})
        number = 1 + body.names()[1]
        outer = ordered((*outer, part_of("mean", number, law, rename(body, x, number))))
    return poly(rest), outer


def normal_law(law: Node) -> Part:
    """N of a law: the normal forms of its parts."""
    if law.normal is None:
        numbers = tuple(normal(part) for part in law.parts if SORT[part.tag] == NUMBER)
        laws = tuple(normal_law(part) for part in law.parts if SORT[part.tag] == LAW)
        number: Any = law.label
        if law.binds:
            number = laws[-1].names()[1]
            for name in law.binds:
                number += 1
                laws = (*laws[:-1], rename(laws[-1], name, number))
        law.normal = part_of(law.tag, number, *numbers, *laws)
    return law.normal


def rename(piece: Any, x: str, number: int) -> Any:
    """A polynomial, atom or law in which the free point x has become the number of its binder."""
    if x not in piece.names()[0]:
        return piece
    key = (piece, x, number)
    found = RENAMED.get(key)
    if found is None:
        found = RENAMED[key] = (rename_poly if isinstance(piece, Poly) else rename_part)(piece, x, number)
    return found


def rename_poly(p: Poly, x: str, number: int) -> Poly:
    """A polynomial with x renamed (no two monomials become equal)."""
    terms: dict[Monomial, Rational] = {}
    for (exponent, atoms), value in p.terms.items():
        new = rename(exponent, x, number), ordered(tuple(rename(one, x, number) for one in atoms))
        add_one(terms, new, value)
    return poly(terms)


def rename_part(piece: Part, x: str, number: int) -> Part:
    """An atom or law with x renamed; the name of a function or law is no point."""
    demand(piece.tag == "var" or piece.label != x, "a point has the name of a function or law")
    if piece.tag == "var":
        return part_of("var", number)
    return part_of(piece.tag, piece.label, *(rename(part, x, number) for part in piece.parts))


def difference(formula: Node) -> Poly:
    """N(b - a) of a <= b, a < b, a = b or ind(a, b)."""
    return combined(normal(formula.parts[1]), -1, normal(formula.parts[0]))


NORMAL: dict[str, Callable[[Node], Poly]] = {
    "num": lambda term: constant(term.label),
    "var": lambda term: atom("var", term.label),
    "app": lambda term: atom("app", term.label, *(normal(part) for part in term.parts)),
    "log": lambda term: atom("log", "", normal(term.parts[0])),
    "add": normal_sum,
    "mul": normal_product,
    "exp": normal_exp,
    "ind": normal_ind,
    "inv": normal_inv,
    "mean": normal_mean,
}


def key_of(formula: Node) -> Key:
    """F == G if and only if their keys are equal."""
    if formula.key is None:
        if formula.tag == "all":
            formula.key = key_of_all(formula)
        elif formula.tag == "nat":
            formula.key = ("nat", normal(formula.parts[0]))
        else:
            p = difference(formula)
            formula.key = (formula.tag, frozenset({p, combined(ZERO, -1, p)}) if formula.tag == "=" else p)
    return formula.key


def key_of_all(formula: Node) -> Key:
    """The key of `all`: its parameters get names that depend only on how many parameters are inside."""
    first = height(formula) - len(formula.binds)
    names = {name: f"!{first + place}" for place, name in enumerate(formula.binds)}
    parts = tuple(key_of(substitute(part, names)) for part in formula.parts)
    return ("all", len(formula.binds), parts)


def height(formula: Node) -> int:
    """How many parameters of `all` stand inside one another."""
    if formula.tag != "all":
        return 0
    return len(formula.binds) + max(height(part) for part in formula.parts)


# -------------------------------------------------------------------------------------------------------- the rules


class Theorem(NamedTuple):
    """H |- C: the hypotheses by their keys, and the conclusion."""

    hypotheses: dict[Key, Node]
    conclusion: Node


def theorem(conclusion: Node, *hypotheses: dict[Key, Node]) -> Theorem:
    """H |- C, where H and C together are well formed; of equal hypotheses the later one is kept."""
    merged: dict[Key, Node] = {}
    for some in hypotheses:
        merged.update(some)
    demand(well_formed(conclusion, *merged.values()), "the theorem is not well formed")
    return Theorem(merged, conclusion)


def without(hypotheses: dict[Key, Node], *formulas: Node) -> dict[Key, Node]:
    """The hypotheses that are not equal to one of the formulas."""
    dropped = {key_of(formula) for formula in formulas}
    return {key: formula for key, formula in hypotheses.items() if key not in dropped}


def demand_not_free(names: Iterable[str], *hypotheses: dict[Key, Node]) -> None:
    """No name may be free in the hypotheses that are kept."""
    merged: dict[Key, Node] = {}
    for some in hypotheses:
        merged.update(some)
    demand(union(formula.free for formula in merged.values()).isdisjoint(names), "a name is free in the hypotheses")


def has_form(a: Theorem, *tags: str) -> tuple[Node, ...]:
    """The two sides (or the one number) of a conclusion of one of the forms."""
    demand(a.conclusion.tag in tags, f"a premise has not the form {' or '.join(tags)}")
    return a.conclusion.parts


def demand_is(a: Theorem, formula: Node) -> None:
    """A is F."""
    demand(key_of(a.conclusion) == key_of(formula), "a premise is not the formula that it should be")


def assume(formula: Node) -> Theorem:
    """Rule `assume`."""
    return theorem(formula, {key_of(formula): formula})


def gen(a: Theorem, names: list[str], formulas: list[Node]) -> Theorem:
    """Rule `gen`."""
    rest = without(a.hypotheses, *formulas)
    demand_not_free(names, rest)
    return theorem(for_all(names, formulas, a.conclusion), rest)


def use(a: Theorem, values: list[tuple[str, Node]], premises: list[Theorem]) -> Theorem:
    """Rule `use`."""
    *conditions, conclusion = has_form(a, "all")
    demand(sorted(name for name, _ in values) == sorted(a.conclusion.binds), "the parameters are others")
    demand(len(premises) == len(conditions), "there are more or fewer premises than conditions")
    for _, value in values:
        demand_value(value)
    changes: dict[str, Value] = dict(values)
    for premise, condition in zip(premises, conditions, strict=True):
        demand_is(premise, substitute(condition, changes))
    return theorem(substitute(conclusion, changes), a.hypotheses, *(premise.hypotheses for premise in premises))


def demand_value(value: Node) -> None:
    """A value for a parameter: a well formed number, or a function that is a law or bounded in its parameters."""
    demand(well_formed(value), "a value is not well formed")
    demand(SORT[value.tag] in (NUMBER, FUNCTION), "a value is neither a number nor a function")
    if value.tag == "fn" and SORT[value.parts[0].tag] == NUMBER:
        demand(bounded(value.parts[0], frozenset(value.binds)), "a function is not bounded")


def induct(n: str, a: Theorem, b: Theorem, formula: Node) -> Theorem:
    """Rule `induct`."""
    demand_is(a, substitute(formula, {n: num(0)}))
    demand_is(b, substitute(formula, {n: make("add", var(n), num(1))}))
    rest = without(b.hypotheses, formula, make("nat", var(n)))
    demand_not_free([n], a.hypotheses, rest)
    return theorem(for_all([n], [make("nat", var(n))], formula), a.hypotheses, rest)


def cases(a: Theorem, b: Theorem, low: Node, high: Node) -> Theorem:
    """Rule `cases`."""
    demand_is(b, a.conclusion)
    condition = make("<=", low, high)
    demand(well_formed(condition), "the condition of the cases is not well formed")
    other = without(b.hypotheses, make("<=", high, low), make("<", high, low))
    return theorem(a.conclusion, without(a.hypotheses, condition), other)


Factor = None | Node | Theorem


def calc(formula: Node, triples: list[tuple[Rational, Factor, Theorem]]) -> Theorem:
    """Rule `calc`."""
    demand(formula.tag in ("<=", "<", "="), "calc concludes no relation")
    total = dict(difference(formula).terms)
    strict, hypotheses = False, []
    for c, m, a in triples:
        has_form(a, *(("=",) if formula.tag == "=" else ("<=", "<", "=")))
        demand(c >= 0 or a.conclusion.tag == "=", "an inequality has a negative coefficient")
        factor, positive = factor_of(m, a)
        add_to(total, product(factor, difference(a.conclusion)), -c)
        strict = strict or (a.conclusion.tag == "<" and c > 0 and positive)
        hypotheses += ([m.hypotheses] if isinstance(m, Theorem) else []) + [a.hypotheses]
    d = constant_of(poly(total))
    demand(d is not None and relation_holds(formula.tag, d, strict), "calc: the sum does not give the relation")
    return theorem(formula, *hypotheses)


def factor_of(m: Factor, a: Theorem) -> tuple[Poly, bool]:
    """The factor of a triple of calc, and whether it is known to be positive."""
    if m is None:
        return constant(1), True
    if isinstance(m, Node):
        demand(well_formed(m) and a.conclusion.tag == "=", "a number is the factor of an inequality")
        return normal(m), False
    low, high = has_form(m, "<=", "<")
    demand(normal(low) is ZERO, "a factor is not known to be at least 0")
    return normal(high), m.conclusion.tag == "<"


def relation_holds(tag: str, d: Rational, strict: bool) -> bool:
    """What calc demands of the constant d."""
    if tag == "=":
        return d == 0
    return d > 0 or (d == 0 and (tag == "<=" or strict))


def antisymmetric(a: Theorem, b: Theorem) -> Theorem:
    """Rule `antisymmetric`."""
    low, high = has_form(a, "<=")
    demand_is(b, make("<=", high, low))
    return theorem(make("=", low, high), a.hypotheses, b.hypotheses)


def square(t: Node) -> Theorem:
    """Rule `square`."""
    return theorem(make("<=", num(0), make("mul", t, t)))


def positive_side(a: Theorem) -> Node:
    """The number t, if A has the form z < t and is 0 < t."""
    _, t = has_form(a, "<")
    demand_is(a, make("<", num(0), t))
    return t


def reciprocal(a: Theorem) -> Theorem:
    """Rule `reciprocal`."""
    t = positive_side(a)
    return theorem(make("=", make("mul", t, make("inv", t)), num(1)), a.hypotheses)


def indicator(a: Node, b: Node, k: int) -> Theorem:
    """Rule `indicator`."""
    demand(0 <= k <= 4, "indicator has five formulas")
    i, zero, one = make("ind", a, b), num(0), num(1)
    formulas = (
        make("=", make("mul", i, i), i),
        make("<=", zero, make("mul", i, minus(b, a))),
        make("<=", zero, make("mul", minus(one, i), minus(a, b))),
        make("<=", zero, i),
        make("<=", i, one),
    )
    return theorem(formulas[k])


def same(a: Theorem, x: str, t: Node) -> Theorem:
    """Rule `same`."""
    left, right = has_form(a, "=")
    return theorem(make("=", substitute(t, {x: left}), substitute(t, {x: right})), a.hypotheses)


def exp_tangent(t: Node) -> Theorem:
    """Rule `exp_tangent`."""
    return theorem(make("<=", make("add", num(1), t), make("exp", t)))


def exp_positive(t: Node) -> Theorem:
    """Rule `exp_positive`."""
    return theorem(make("<", num(0), make("exp", t)))


def exp_log(a: Theorem) -> Theorem:
    """Rule `exp_log`."""
    t = positive_side(a)
    return theorem(make("=", make("exp", make("log", t)), t), a.hypotheses)


def nat_zero() -> Theorem:
    """Rule `nat_zero`."""
    return theorem(make("nat", num(0)))


def nat_next(a: Theorem) -> Theorem:
    """Rule `nat_next`."""
    (n,) = has_form(a, "nat")
    return theorem(make("nat", make("add", n, num(1))), a.hypotheses)


def nat_minus(a: Theorem, b: Theorem, d: Theorem) -> Theorem:
    """Rule `nat_minus`."""
    (n,), (m,) = has_form(a, "nat"), has_form(b, "nat")
    demand_is(d, make("<", n, m))
    return theorem(make("nat", minus(minus(m, n), num(1))), a.hypotheses, b.hypotheses, d.hypotheses)


def nat_equal(a: Theorem, b: Theorem) -> Theorem:
    """Rule `nat_equal`."""
    left, right = has_form(b, "=")
    demand_is(a, make("nat", left))
    return theorem(make("nat", right), a.hypotheses, b.hypotheses)


def mono(a: Theorem, x: str, law: Node) -> Theorem:
    """Rule `mono`."""
    low, high = has_form(a, "<=", "=")
    demand_not_free([x], a.hypotheses)
    return theorem(make(a.conclusion.tag, mean(x, law, low), mean(x, law, high)), a.hypotheses)


def fubini(x: str, p: Node, y: str, q: Node, t: Node) -> Theorem:
    """Rule `fubini`."""
    demand(x != y and x not in q.free and y not in p.free, "fubini: a law depends on the other point")
    return theorem(make("=", mean(x, p, mean(y, q, t)), mean(y, q, mean(x, p, t))))


def unit(t: Node, u: str, a: Theorem, b: Theorem) -> Theorem:
    """Rule `unit`."""
    demand(u not in t.free, "unit: the level depends on the point")
    demand_is(a, make("<=", num(0), t))
    demand_is(b, make("<=", t, num(1)))
    level = mean(u, node("law", "Unit", (), ()), make("ind", var(u), t))
    return theorem(make("=", level, t), a.hypotheses, b.hypotheses)


def moved(a: Theorem, b: Theorem, x: str, law: Node, s: int, c: Node, g: Node) -> Theorem:
    """Rule `moved`."""
    demand(law.tag == "law" and law.label in ("Lap", "Normal"), "moved: the law is neither Lap nor Normal")
    demand(s in (1, -1) and well_formed(c), "moved: no shift of the line")
    scale = law.parts[0]
    demand(x not in scale.free and x not in c.free, "moved: the shift or the scale depends on the point")
    demand_not_free([x], a.hypotheses)
    demand_is(b, make("<", num(0), scale))
    f, _ = has_form(a, "<=")
    back = make("mul", num(s), minus(var(x), c))
    ratio = make("exp", minus(minus_log_density(law, var(x)), minus_log_density(law, back)))
    demand_is(a, make("<=", f, make("mul", g, ratio)))
    shifted = substitute(g, {x: make("add", make("mul", num(s), var(x)), c)})
    return theorem(make("<=", mean(x, law, f), mean(x, law, shifted)), a.hypotheses, b.hypotheses)


def minus_log_density(law: Node, y: Node) -> Node:
    """S(y) of the rule `moved`."""
    (b,) = law.parts
    if law.label == "Normal":
        return make("mul", make("mul", y, y), make("inv", make("mul", num(2), b)))
    sign = minus(make("mul", num(2), make("ind", num(0), y)), num(1))
    return make("mul", make("mul", y, sign), make("inv", b))


def uniform_next(a: Theorem, j: str, t: Node) -> Theorem:
    """Rule `uniform_next`."""
    (n,) = has_form(a, "nat")
    following = make("add", n, num(1))
    left = make("mul", following, mean(j, node("law", "Unif", (), (following,)), t))
    right = make("mul", n, mean(j, node("law", "Unif", (), (n,)), t))
    return theorem(make("=", left, make("add", right, substitute(t, {j: n}))), a.hypotheses)


def rounds(i: str, h: str, n: Node, s: Node, q: Node) -> Node:
    """The law `steps`."""
    demand(i != h, "steps binds two names")
    return node("steps", "", (i, h), (n, s, q))


def steps_zero(z: str, t: Node, i: str, h: str, s: Node, q: Node) -> Theorem:
    """Rule `steps_zero`."""
    return theorem(make("=", mean(z, rounds(i, h, num(0), s, q), t), substitute(t, {z: s})))


def steps_next(a: Theorem, z: str, t: Node, i: str, h: str, s: Node, q: Node) -> Theorem:
    """Rule `steps_next`."""
    (n,) = has_form(a, "nat")
    demand(h not in n.free and (h == z or h not in t.free), "steps_next: the history is captured")
    left = mean(z, rounds(i, h, make("add", n, num(1)), s, q), t)
    right = mean(h, rounds(i, h, n, s, q), mean(z, substitute(q, {i: n}), t))
    return theorem(make("=", left, right), a.hypotheses)


def some_bound(a: Theorem, n: str, points: list[str], t: Node) -> Theorem:
    """Rule `some_bound`."""
    bound = make("<=", t, var(n))
    bound = for_all(points, [], bound) if points else bound
    demand(well_formed(bound), "some_bound: the bound is not well formed")
    demand(all(kind == "var" for name, kind, _ in kinds(bound) if name in points), "some_bound: not over points")
    rest = without(a.hypotheses, make("nat", var(n)), bound)
    demand_not_free([n], rest)
    demand(n not in t.free | a.conclusion.free and n not in points, "some_bound: the bound is not new")
    demand(bounded(t, frozenset(points)), "some_bound: the number is not bounded")
    return theorem(a.conclusion, rest)


# The rules with their arguments: A a theorem, F a formula, L a law, t a number, x a name, k an integer; * a list.
RULES: dict[str, tuple[Callable[..., Theorem], str]] = {
    "assume": (assume, "F"),
    "gen": (gen, "A x* F*"),
    "use": (use, "A value* A*"),
    "induct": (induct, "x A A F"),
    "cases": (cases, "A A t t"),
    "calc": (calc, "F triple*"),
    "antisymmetric": (antisymmetric, "A A"),
    "square": (square, "t"),
    "reciprocal": (reciprocal, "A"),
    "indicator": (indicator, "t t k"),
    "same": (same, "A x t"),
    "exp_tangent": (exp_tangent, "t"),
    "exp_positive": (exp_positive, "t"),
    "exp_log": (exp_log, "A"),
    "nat_zero": (nat_zero, ""),
    "nat_next": (nat_next, "A"),
    "nat_minus": (nat_minus, "A A A"),
    "nat_equal": (nat_equal, "A A"),
    "mono": (mono, "A x L"),
    "fubini": (fubini, "x L x L t"),
    "unit": (unit, "t x A A"),
    "moved": (moved, "A A x L k t t"),
    "uniform_next": (uniform_next, "A x t"),
    "steps_zero": (steps_zero, "x t x x t L"),
    "steps_next": (steps_next, "A x t x x t L"),
    "some_bound": (some_bound, "A x x* t"),
}


# ---------------------------------------------------------------------------------------------------- reading a file


def name_of(text: Any) -> str:
    """A name that is not reserved."""
    demand(isinstance(text, str) and NAME.fullmatch(text) is not None and text not in RESERVED, "not a name")
    return text


def integer_of(value: Any) -> int:
    """An integer; the truth values of JSON are none."""
    demand(type(value) is int and value.bit_length() <= MOST_BITS, "not an integer, or too large")
    return value


def rational_of(p: Any, q: Any) -> Rational:
    """The rational number p/q."""
    demand(integer_of(q) != 0, "a denominator is 0")
    value = Fraction(integer_of(p), integer_of(q))
    return value.numerator if value.denominator == 1 else value


def list_of(value: Any, count: int | None = None) -> list[Any]:
    """A list, of a given length if there is one."""
    demand(isinstance(value, list) and count in (None, len(value)), "not a list of the right length")
    return value


def binder_of(value: Any, count: int | None = None) -> tuple[str, ...]:
    """The different names of one binder."""
    names = tuple(name_of(name) for name in list_of(value, count))
    demand(len(set(names)) == len(names), "a binder binds a name twice")
    return names


def read_table(rows: Any) -> list[Node]:
    """A table of nodes; each row refers to earlier rows."""
    table: list[Node] = []
    demand(len(list_of(rows)) <= MOST_ROWS, "too many rows")
    for place, row in enumerate(rows):
        try:
            table.append(read_row(table, list_of(row)))
        except Refused as reason:
            raise Refused(f"row {place}: {reason}") from None
    return table


def read_row(table: list[Node], row: list[Any]) -> Node:
    """One row of a table: exactly the shapes of the specification."""
    tag, *rest = row if row and isinstance(row[0], str) else [""]
    demand(tag in SORT, "an unknown row")
    if tag == "num":
        return num(rational_of(*list_of(rest, 2)))
    if tag == "var":
        return var(name_of(*list_of(rest, 1)))
    if tag in ("app", "law"):
        return read_applied(table, tag, rest)
    if tag in BINDERS or tag in ("fn", "all"):
        return read_binder(table, tag, rest)
    demand(len(rest) == ARITY.get(tag, len(rest)), "a row has another count of parts")
    return make(tag, *(earlier(table, place, NUMBER) for place in rest))


def read_applied(table: list[Node], tag: str, rest: list[Any]) -> Node:
    """A row `app` or `law`; a reserved law has its count of points."""
    demand(bool(rest), "a row has no name")
    label, *arguments = rest
    if tag == "law" and isinstance(label, str) and label in RESERVED:
        demand(len(arguments) == RESERVED[label], "a reserved law has another count of points")
    else:
        name_of(label)
    return node(tag, label, (), tuple(earlier(table, place, NUMBER) for place in arguments))


def read_binder(table: list[Node], tag: str, rest: list[Any]) -> Node:
    """A row that binds names."""
    if tag == "all":
        names, conditions, conclusion = list_of(rest, 3)
        parts = [earlier(table, place, FORMULA) for place in (*list_of(conditions), conclusion)]
        return node(tag, "", binder_of(names), tuple(parts))
    if tag == "fn":
        names, body = list_of(rest, 2)
        return node(tag, "", binder_of(names), (earlier(table, body, NUMBER, LAW),))
    count, sorts = BINDERS[tag]
    names, *places = list_of(rest, 1 + len(sorts))
    parts = [earlier(table, place, sort) for place, sort in zip(places, sorts, strict=True)]
    return node(tag, "", binder_of(names, count), tuple(parts))


def earlier(table: list[Node], place: Any, *sorts: str) -> Node:
    """An earlier row of one of the sorts."""
    demand(type(place) is int and 0 <= place < len(table), "a row refers to no earlier row")
    demand(SORT[table[place].tag] in sorts, f"a row is no {' or '.join(sorts)}")
    return table[place]


class Replay:
    """The nodes of a proof and the theorems of the steps so far."""

    def __init__(self, nodes: list[Node]) -> None:
        """Begin with no theorem."""
        self.nodes = nodes
        self.theorems: list[Theorem] = []

    def perform(self, step: Any) -> None:
        """One step: a rule with exactly its arguments."""
        demand(bool(list_of(step)) and isinstance(step[0], str) and step[0] in RULES, "an unknown rule")
        rule, signature = RULES[step[0]]
        wanted = signature.split()
        demand(len(step) == 1 + len(wanted), "a rule has another count of arguments")
        arguments = [self.argument(kind, value) for kind, value in zip(wanted, step[1:], strict=True)]
        self.theorems.append(rule(*arguments))

    def argument(self, kind: str, value: Any) -> Any:
        """An argument of a kind that a signature names."""
        if kind == "x*":
            return list(binder_of(value))
        if kind.endswith("*"):
            return [self.argument(kind[:-1], one) for one in list_of(value)]
        readers: dict[str, Callable[[Any], Any]] = {
            "A": self.theorem,
            "F": self.formula,
            "L": self.law,
            "t": self.number,
            "x": name_of,
            "k": integer_of,
            "value": self.value,
            "triple": self.triple,
        }
        return readers[kind](value)

    def reference(self, value: Any, entry: str, most: int) -> int:
        """The number in {"step": k} or {"node": k}."""
        demand(isinstance(value, dict) and list(value) == [entry], f"not a {entry}")
        demand(type(value[entry]) is int and 0 <= value[entry] < most, f"no earlier {entry}")
        return value[entry]

    def theorem(self, value: Any) -> Theorem:
        """The theorem of an earlier step."""
        return self.theorems[self.reference(value, "step", len(self.theorems))]

    def row(self, value: Any, *sorts: str) -> Node:
        """A row of the nodes, of one of the sorts."""
        found = self.nodes[self.reference(value, "node", len(self.nodes))]
        demand(SORT[found.tag] in sorts, f"an argument is no {' or '.join(sorts)}")
        return found

    def formula(self, value: Any) -> Node:
        """A formula."""
        return self.row(value, FORMULA)

    def law(self, value: Any) -> Node:
        """A law."""
        return self.row(value, LAW)

    def rational(self, value: Any) -> Rational:
        """An integer or a {"number": [p, q]}."""
        if isinstance(value, dict) and list(value) == ["number"]:
            return rational_of(*list_of(value["number"], 2))
        return integer_of(value)

    def number(self, value: Any, *others: str) -> Node:
        """A number: a row, an integer or a {"number": [p, q]}."""
        if isinstance(value, dict) and list(value) == ["node"]:
            return self.row(value, NUMBER, *others)
        return num(self.rational(value))

    def value(self, pair: Any) -> tuple[str, Node]:
        """A pair [parameter, value] of the rule `use`."""
        name, value = list_of(pair, 2)
        return name_of(name), self.number(value, FUNCTION)

    def triple(self, value: Any) -> tuple[Rational, Factor, Theorem]:
        """A triple [c, m, A] of the rule `calc`."""
        c, m, a = list_of(value, 3)
        factor: Factor = None
        if m is not None:
            factor = self.theorem(m) if isinstance(m, dict) and "step" in m else self.number(m)
        return self.rational(c), factor, self.theorem(a)


def unambiguous(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON whose entries have different names."""
    demand(len({name for name, _ in pairs}) == len(pairs), "an object has an entry twice")
    return dict(pairs)


def forget() -> None:
    """Empty all tables: nothing is kept from one file to the next."""
    for table in (NODES, SUBSTITUTED, POLYS, PARTS, RENAMED):
        table.clear()
    POLYS[frozenset()] = ZERO


def read(path: Path) -> None:
    """Check a file; refuse it if it does not prove its statement."""
    content = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=unambiguous)
    demand(isinstance(content, dict) and set(content) == ENTRIES, "the file has other entries")
    demand(content["format"] == FORMAT, "the file has another format")
    *_, statement = read_table(content["statement"])
    demand(statement.tag == "all" and well_formed(statement) and not statement.free, "the statement is no statement")
    proof = content["proof"]
    demand(isinstance(proof, dict) and set(proof) == {"nodes", "steps"}, "the proof has other entries")
    replay = Replay(read_table(proof["nodes"]))
    demand(0 < len(list_of(proof["steps"])) <= MOST_STEPS, "no steps, or too many")
    for place, step in enumerate(proof["steps"]):
        try:
            replay.perform(step)
        except Refused as reason:
            raise Refused(f"step {place}, {str(step)[:120]}: {reason}") from None
    last = replay.theorems[-1]
    demand(not last.hypotheses, "the last theorem has hypotheses")
    demand_is(last, statement)


def why(path: Path) -> str:
    """The first thing that is refused and the reason; empty if the file proves its statement."""
    forget()
    try:
        read(path)
    except Refused as reason:
        return str(reason)
    except Exception as error:  # whatever goes wrong, the file is not proved
        return f"cannot be read: {type(error).__name__}: {error}"
    return ""


def check(path: Path) -> bool:
    """Does the file prove its statement?"""
    return why(path) == ""


def main(names: Sequence[str]) -> int:
    """Print a line for each file; 0 if all are accepted."""
    reasons = [(name, why(Path(name))) for name in names]
    for name, reason in reasons:
        print(f"{name}: {reason or 'accepted'}")
    return 1 if not names or any(reason for _, reason in reasons) else 0


sys.setrecursionlimit(20_000)
if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
