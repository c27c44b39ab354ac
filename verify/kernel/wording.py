"""What a statement may not be, though every theorem about it is true: empty, or an accident of the kernel's 1/0 = 0."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from dis import get_instructions
from fractions import Fraction
from types import CodeType, MappingProxyType
from typing import Any, Protocol

from banditproof.verify.kernel.divergences import orders_above_one
from banditproof.verify.kernel.facts import FACTS, without_a_name
from banditproof.verify.kernel.terms import (
    BINDERS,
    ONE,
    RESERVED,
    All,
    Formula,
    Refused,
    Rel,
    Term,
    free,
    free_in,
    is_finite,
    key,
    poly,
    term,
)
from banditproof.verify.kernel.worlds import MAPS, can_be_met


def says_nothing(statement: All, names: Collection[str], sets: Collection[Formula]) -> str | None:
    """Why a statement about `names`, which lie in `sets`, says nothing; None where it says something."""
    known = set(map(key, sets))
    premises = [g for g in statement.given if key(g) not in known]
    used = frozenset().union(*map(free_in, (*premises, statement.then)))
    if unused := [n for n in names if n not in used]:
        return f"it names {', '.join(unused)} but does not use {'it' if len(unused) == 1 else 'them'}"
    then: Formula = statement.then
    whole = key(then)
    while isinstance(then, All):
        premises, then = [*premises, *then.given], then.then
    if {key(then), whole} & set(map(key, premises)):
        return "its conclusion is one of its hypotheses"
    if then.op != "nat" and not poly(then.args[1] - then.args[0]).keys() - {ONE}:
        return "its sides only differ by a constant"
    return None


def has_a_value(statement: All, positive: Collection[str], natural: Collection[str]) -> None:
    """Raise Refused where something is divided by, or a logarithm is taken of, what may be 0: `positive` names are not;
    and where a count of summands or rounds may be no natural number: numbers, `natural` names and sums of them are.

    The kernel has 1/0 = 0, some log of numbers up to 0, and n times a mean for a sum: no document means that elsewhere.
    """
    functions = _positive_functions(statement.given)
    for f in (*statement.given, statement.then):
        for t, bound, counts, known in _inside(f, functions=functions):
            whole = {*natural} - bound | counts
            if t.op in ("inv", "log") and not _is_positive(t.args[0], {*positive} - bound, known, whole):
                raise Refused(f"{t.args[0]} may be 0 somewhere in the domain")
            count = t.args[1] if t.op == "steps" or t.op == "law" and t.args[0] == "Unif" else None
            if count is not None and not _is_natural(count, whole):
                raise Refused(f"{count} is used as a count, but it need not be a natural number")


Names = frozenset[str]


Functions = Mapping[str, dict[int, Term]]  # those that are called positive, with the places at which that says a number


def _inside(
    f: Any, bound: Names = frozenset(), counts: Names = frozenset(), functions: Functions = MappingProxyType({})
) -> Iterator[tuple[Term, Names, Names, Functions]]:
    """The terms in a formula, each with the names that are bound around it, and with those of them that are counts.

    And with the functions that are called positive where it stands.
    """
    if isinstance(f, Term):
        yield f, bound, counts, functions
    if isinstance(f, Term) and f.op in BINDERS:
        own = frozenset(f.args[0])
        outside, within = f.args[1:-1], f.args[-1:]
    else:
        own = frozenset(f.params if isinstance(f, All) else ())
        outside, within = (), (*f.given, f.then) if isinstance(f, All) else f.args
    natural = [g.args[0] for g in f.given if isinstance(g, Rel) and g.op == "nat"] if isinstance(f, All) else []
    if isinstance(f, Term) and f.op in BINDERS and (f.op == "steps" or f.args[1].args[:1] == ("Unif",)):
        natural = [Term("var", f.args[0][:1])]  # rounds, and what is uniform on 0 .. n - 1
    if isinstance(f, All):
        functions = {name: at for name, at in functions.items() if name not in own} | _positive_functions(f.given)
    for part in outside:
        yield from _inside(part, bound, counts, functions)
    for part in within:
        if isinstance(part, Term | Rel | All):
            known = frozenset(t.args[0] for t in natural if t.op == "var")
            yield from _inside(part, bound | own, counts - own | known, functions)


def _positive_functions(given: Iterable[Formula]) -> dict[str, dict[int, Term]]:
    return dict(f for g in given for f in _positive_function(g))


def _positive_function(f: Formula) -> Iterator[tuple[str, dict[int, Term]]]:
    """The function that a premise calls positive at all points, with the places at which it says a number."""
    if not isinstance(f, All) or f.given or not isinstance(f.then, Rel) or f.then.op != "<":
        return
    zero, t = f.then.args
    if zero == term(0) and t.op == "app":
        name, *points = t.args
        numbers = {k: p for k, p in enumerate(points) if p.op == "num"}
        free = [p.args[0] for p in points if p.op == "var"]
        if sorted(free) == sorted({*free} & {*f.params}) and len(free) + len(numbers) == len(points):
            yield name, numbers


def _is_positive(t: Term, positive: Collection[str], functions: Functions, natural: Collection[str]) -> bool:
    if t.op in ("num", "var"):
        return t.args[0] > 0 if t.op == "num" else t.args[0] in positive
    if t.op == "app":
        name, *points = t.args
        return name in functions and all(points[k] == p for k, p in functions[name].items())
    if t.op not in ("add", "mul", "inv") or not t.args:
        return t.op == "exp"
    known = [_is_positive(a, positive, functions, natural) for a in t.args]
    return (
        all(known)
        or t.op == "add"
        and any(known)
        and all(map(max, known, (_is_at_least_0(a, natural) for a in t.args)))
    )


def _is_at_least_0(t: Term, natural: Collection[str]) -> bool:
    """A natural number, a square t t, or a product of these."""
    if t.op != "mul" or len(t.args) == 2 and t.args[0] == t.args[1]:
        return t.op == "mul" or _is_natural(t, natural)
    return all(_is_at_least_0(a, natural) for a in t.args)


def _is_natural(t: Term, natural: Collection[str]) -> bool:
    if t.op in ("num", "var"):
        return t.args[0] >= 0 == t.args[0] % 1 if t.op == "num" else t.args[0] in natural
    return t.op in ("add", "mul") and all(_is_natural(a, natural) for a in t.args)


def decisions(code: CodeType) -> str:
    """The first instruction of a body that takes one of two ways; none where all it does is to call words."""
    inside = [c for c in code.co_consts if isinstance(c, CodeType)]
    ways = [i.opname for i in get_instructions(code) if i.opname.startswith(("POP_JUMP", "JUMP_IF", "PUSH_EXC"))]
    return next(filter(None, [*ways, *map(decisions, inside)]), "")


class Interval(Protocol):
    """An interval of numbers, or of integers."""

    @property
    def lower(self) -> Any: ...
    @property
    def upper(self) -> Any: ...
    @property
    def lower_open(self) -> bool: ...
    @property
    def integer(self) -> bool: ...
    def contains(self, value: Any) -> bool: ...


def sound(f: All, said: Collection[Formula], numbers: Mapping[str, Interval], sequences: Collection[str]) -> None:
    """Raise Refused where a formula says something else than it seems to say, or where its premises cannot hold.

    Among its premises `said` are those that the sets of its `numbers` and `sequences` do not say.
    """
    above = {end: {n for n, v in numbers.items() if (v.lower, v.lower_open) >= (end, True)} for end in (0, 1)}
    natural = frozenset(n for n, v in numbers.items() if v.integer)
    assumes_what_has_a_name(said, f.then)
    codes_only(f)
    orders_above_one(f, above[1])
    has_a_value(f, above[0], natural)
    in_a_range((*said, f.then), frozenset(f.params), natural, sequences)
    if again := sorted(_bound((*f.given, f.then)) & {*f.params}):
        raise Refused(f"{again[0]} is a parameter of the statement, but a word binds this name: rename the parameter")
    can_hold(f, numbers)


def assumes_what_has_a_name(said: Iterable[Formula], then: Formula) -> None:
    """Raise Refused where a premise, those on the way to the conclusion among them, is a theorem without a name."""
    premises = list(said)
    while isinstance(then, All):
        premises, then = [*premises, *then.given], then.then
    for premise in without_a_name(premises):
        raise Refused(f"it assumes a theorem that is not a named fact (facts.py): {str(premise)[:200]}")


def _bound(parts: Iterable[Any]) -> set[str]:
    """The names that something in formulas and terms binds."""
    names: set[str] = set()
    for part in parts:
        if isinstance(part, All):
            names |= {*part.params} | _bound((*part.given, part.then))
        elif isinstance(part, Term | Rel):
            own = part.args[0] if isinstance(part, Term) and part.op in BINDERS else ()
            names |= {str(name) for name in own} | _bound(part.args)
    return names


STEPS = [Fraction(k, 8) for k in (1, 2, 4, 6, 7, 8, 12, 16, 24, 40, 80, 800)]


def can_hold(statement: All, numbers: Mapping[str, Interval]) -> None:
    """Raise Refused where a set is empty, or no small world was found in which all premises hold (``worlds``).

    A named fact about no law of the statement holds everywhere, and is not tried.
    """
    choices = {n: _some_of(v) for n, v in numbers.items()}
    tried = tuple(g for g in statement.given if not any(key(g) == key(f.says) and not f.about for f in FACTS))
    if not all(choices.values()) or not can_be_met(All(statement.params, tried, statement.then), choices):
        raise Refused("no point and no small world was found in which its premises hold")


def _some_of(values: Interval) -> list[Fraction]:
    """Some numbers of an interval, its ends among them, or 0."""
    ends = [Fraction(end) for end in (values.lower, values.upper) if not math.isinf(end)]
    ends = ends + [sum(ends, Fraction(0)) / 2] * (len(ends) == 2) or [Fraction(0)]
    near = {end + sign * step for end in ends for sign in (-1, 1) for step in STEPS}
    return [q for q in (*ends, *sorted(near)) if values.contains(q)]


def in_a_range(said: Iterable[Formula], fixed: Names, natural: Names, sequences: Collection[str]) -> None:
    """Raise Refused where a sequence is asked for more than finitely many of its numbers, or elsewhere than in N.

    Functions are bounded here, and sequences of numbers need not be: so one is read at natural numbers, each of which
    is given, in the set `natural`, or bound to be at most something that is `fixed`.
    """
    for f in said:
        _in_a_range(f, fixed, natural, sequences)


def _in_a_range(f: Formula | Term, fixed: Names, counts: Names, sequences: Collection[str]) -> None:
    own, parts, counted = frozenset(), f.args if isinstance(f, Term | Rel) else (*f.given, f.then), frozenset()
    asked = f.args[1:] if isinstance(f, Term) and f.op == "app" and f.args[0] in sequences else ()
    if not all(_is_natural(place, counts) for place in asked):
        raise Refused(f"{f} is asked of a sequence, at no place of a finite range")
    if isinstance(f, All):
        relations = [g for g in f.given if isinstance(g, Rel) and g.args[0].op == "var"]
        ends = [g for g in relations if g.op in ("<", "<=") and free(g.args[1]) <= fixed - {*f.params}]
        own = frozenset(f.params)
        counted = own & {g.args[0].args[0] for g in relations if g.op == "nat"} & {g.args[0].args[0] for g in ends}
    elif isinstance(f, Term) and f.op in BINDERS:
        own, parts = frozenset(f.args[0]), f.args[-1:]
        for outside in f.args[1:-1]:
            _in_a_range(outside, fixed, counts, sequences)
        if free(f.args[1]) - RESERVED.keys() <= fixed and (f.op == "steps" or is_finite(f.args[1])):
            counted = frozenset(f.args[0][:1])
    for part in parts:
        if isinstance(part, Term | Rel | All):
            _in_a_range(part, fixed - own | counted, counts - own | counted, sequences)


POINTS_OF_SPACES = frozenset("d e h o x y z".split())


def codes_only(statement: All) -> None:
    """Raise Refused where maps of points stand beside points that are used as numbers.

    Functions are bounded, and so is what such a map gives: the points of a space are codes in [0, 1], which every
    standard Borel space has. A code is no number: it may name a point to a function, a law or a map, and nothing else.
    """
    if not _maps(statement):
        return
    for f in (*statement.given, statement.then):
        for t, bound, *_ in _inside(f):
            used = {a.args[0] for a in t.args if isinstance(a, Term) and a.op == "var"} & bound & POINTS_OF_SPACES
            if used and t.op not in ("app", "law", "dirac", *BINDERS):
                raise Refused(f"{min(used)} is the code of a point, but it is used as a number")


def _maps(statement: All) -> bool:
    terms = (t for f in (*statement.given, statement.then) for t, *_ in _inside(f))
    return any(t.op == "app" and t.args[0] in MAPS for t in terms)


AS_SUPREMA = (
    "divergences are read as suprema of means of bounded functions; a textbook theorem, which is not"
    " proved here, says that they equal the printed integrals"
)


def has_divergences(f: Formula) -> bool:
    """Whether a divergence is in a formula: words of ``divergences`` alone bind a u, a v, or v and w, by themselves."""
    if isinstance(f, Rel):
        return False
    return f.params in (("u",), ("v",), ("v", "w")) or any(map(has_divergences, (*f.given, f.then)))
