"""Terms and formulas of the kernel, and the normal form of terms: equal normal forms have equal values in every model.

What a term speaks of, in one model of the theory (Borel spaces, probability kernels):

* Every *point* (an output, a history, a data set, a number) is a real number: a standard Borel space is a Borel set of
  [0, 1], its points are codes. Arithmetic is that of the reals with 1/0 = 0, and log t is some measurable function
  where t <= 0.
* A *function* is bounded and measurable; a *law* is a probability kernel. A mean is taken of bounded terms only
  (``bounded``), so every mean exists and no rule has to ask whether it is finite.

    number   num(Fraction)  var(name)  add(*)  mul(*)  inv(t)  exp(t)  log(t)  ind(a, b): 1 where a <= b, else 0
             app(function, *points)   mean((x,), law, body): the mean of body where x has the law
    law      law(name, *points)   Unif(n): uniform on 0 .. n - 1 (at 0 for other n)   Unit(): uniform on [0, 1]
             Lap(b), Normal(v): of densities in proportion to e^(-|x|/b), e^(-x x/(2 v)) for b, v > 0 (else always 0)
             dirac(t): always t   mix((x,), P, Q): that of Q(x) where x has the law P
             steps((i, h), n, start, Q): h is `start`, and then for i = 0 .. n - 1 drawn again from Q(i, h)
    formula  Rel: a <= b, a < b, a = b, nat(a)   All(names, given, then): for all points, functions and laws `names`
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, reduce
from typing import Any, TypeAlias

from banditproof.verify.kernel.printing import shown

NUMBERS = {"num": 0, "var": 0, "inv": 1, "exp": 1, "log": 1, "ind": 2}
BINDERS = ("mean", "mix", "steps")  # their first argument names what is bound in the last one
LAWS = ("law", "dirac", "mix", "steps")
RESERVED = {"Unif": 1, "Unit": 0, "Lap": 1, "Normal": 1}  # laws with rules of their own: never generalised
NAME = re.compile(r"[A-Za-z]\w*", re.ASCII)
PART = re.compile(r"[A-Za-z$#][\w.]*", re.ASCII)  # with the names that normal forms and keys give
LONGEST, LARGEST, LONGEST_NUMBER = 1000, 50_000, 5_000  # monomials of a polynomial, nodes of a term, bits


class Refused(ValueError):
    """A rule does not apply."""


READING: list[str] = []  # the claims whose bodies are being called on terms


def _asked_by_the_kernel(caller: int = 2, refused: str = "a branch on a term: a statement is one formula") -> None:
    """Whether two terms are the same, and where a set would look for one, is for the kernel to ask, not for a body."""
    if READING and not sys._getframe(caller).f_globals.get("__name__", "").startswith(__name__.rpartition(".")[0]):
        raise Refused(refused)


def _is_part(value: Any) -> bool:
    names = value if type(value) is tuple else (value,)
    return type(value) in (Term, Fraction) or all(type(n) is str and PART.fullmatch(n) for n in names)


def different_names(names: tuple[Any, ...]) -> bool:
    return all(type(n) is str and NAME.fullmatch(n) for n in names) and len(set(names)) == len(names)


class _Shown:
    def __str__(self) -> str:
        return shown(self)


@dataclass(frozen=True, init=False, eq=False)
class Term(_Shown):
    """A node; see the module for the kinds. One that was made before is the same object, so that terms share parts."""

    op: str
    args: tuple[Any, ...]

    def __new__(cls, op: str, args: tuple[Any, ...]) -> Term:
        if op == "num" and type(args[0]) is not Fraction:  # another number is equal to one, and would be found
            raise Refused("a number is a Fraction")
        return _made(op, args)

    def __hash__(self) -> int:
        if READING:
            _asked_by_the_kernel()
        return self._hash  # type: ignore[attr-defined]

    def __eq__(self, other: Any) -> bool:
        """Whether it is the same node; while a body is read only the kernel may ask, or it is one case of it."""
        if READING:
            _asked_by_the_kernel()
        return self is other or type(other) is Term and (self.op, self.args) == (other.op, other.args)

    def __bool__(self) -> bool:
        raise Refused("a branch on a term: a statement is one formula")

    def __add__(self, other: Any) -> Term:
        return Term("add", (self, term(other)))

    def __radd__(self, other: Any) -> Term:
        return Term("add", (term(other), self))

    def __mul__(self, other: Any) -> Term:
        return Term("mul", (self, term(other)))

    def __rmul__(self, other: Any) -> Term:
        return Term("mul", (term(other), self))

    def __neg__(self) -> Term:
        return -1 * self

    def __sub__(self, other: Any) -> Term:
        return self + -term(other)

    def __rsub__(self, other: Any) -> Term:
        return term(other) - self

    def __truediv__(self, other: Any) -> Term:
        return self * Term("inv", (term(other),))

    def __rtruediv__(self, other: Any) -> Term:
        return term(other) / self


@lru_cache(200_000)
def _made(op: str, args: tuple[Any, ...]) -> Term:
    """Only terms, exact numbers and names go in: keys are texts, and caches take equal terms for one."""
    if type(op) is not str or type(args) is not tuple or not all(map(_is_part, args)):
        raise Refused(f"not a term: {str(op)[:20]}")
    if (op in BINDERS) != (type(args[0]) is tuple if args else False):
        raise Refused("the bound names must be a tuple")
    if (op == "num") != any(type(a) is Fraction for a in args):
        raise Refused("a number is a Fraction")
    made = object.__new__(Term)
    made.__dict__.update(op=op, args=args, _hash=hash((op, args)))
    return made


@dataclass(frozen=True)
class Fn:
    """What takes the place of a function (a number) or of a law: its value at the points `params`."""

    params: tuple[str, ...]
    body: Term

    def __post_init__(self) -> None:
        if type(self.params) is not tuple or not different_names(self.params):
            raise Refused("points of a function have different names")


@dataclass(frozen=True)
class Rel(_Shown):
    """left <= right, left < right, left = right, or nat(left): a natural number."""

    op: str
    args: tuple[Term, ...]

    @cached_property
    def kinds(self) -> dict[str, Any]:
        """What each name in it is. Raises Refused unless it is well formed; nobody changes what is kept."""
        return _kinds_in(self, {})


@dataclass(frozen=True)
class All(_Shown):
    """For all `params` of which everything in `given` holds: `then`."""

    params: tuple[str, ...]
    given: tuple[Formula, ...]
    then: Formula

    def __post_init__(self) -> None:
        """While a body is read only words make formulas: what else it assumes has no name."""
        _asked_by_the_kernel(3, "only words make general formulas: a body must not make one of its own")

    kinds = Rel.kinds


Formula: TypeAlias = Rel | All
Value = Term | Fn | str  # of a name: what takes its place; a string renames it


def term(value: Any) -> Term:
    if isinstance(value, Term):
        return value
    if type(value) not in (int, Fraction):
        raise Refused(f"{value!r} is not an exact number")
    return _number(value)


@lru_cache(1000)
def _number(value: int | Fraction) -> Term:
    return Term("num", (Fraction(value),))


def var(name: str) -> Term:
    return Term("var", (name,))


def inside(t: Term) -> tuple[Term, ...]:
    """The terms among the arguments."""
    return tuple(a for a in t.args if isinstance(a, Term))


@lru_cache(100_000)
def nodes(t: Term) -> int:
    """How many nodes a term has, each as often as it stands there."""
    return 1 + sum(map(nodes, inside(t)))


@lru_cache(100_000)
def free(t: Term) -> frozenset[str]:
    """The names that occur free: of points, functions and laws."""
    own = frozenset(t.args[:1]) if t.op in ("var", "app", "law") else frozenset()
    if t.op in BINDERS:
        return own.union(*map(free, t.args[1:-1]), free(t.args[-1]) - set(t.args[0]))
    return own.union(*map(free, inside(t)))


@lru_cache(100_000)
def free_in(f: Formula | Fn | Term | str) -> frozenset[str]:
    if isinstance(f, str):
        return frozenset([f])
    if isinstance(f, Term):
        return free(f)
    if isinstance(f, Fn):
        return free(f.body) - set(f.params)
    parts = f.args if isinstance(f, Rel) else (*f.given, f.then)
    names = frozenset().union(*map(free_in, parts))
    return names if isinstance(f, Rel) else names - set(f.params)


def _apart(names: Iterable[str], taken: frozenset[str]) -> dict[str, str]:
    """New names for those that are taken."""
    new: dict[str, str] = {}
    for name in names:
        if name in taken:
            k = next(k for k in range(1, 10_000) if f"{name}_{k}" not in taken | set(new.values()) | set(names))
            new[name] = f"{name}_{k}"
    return new


def _around(names: tuple[str, ...], body: frozenset[str], to: Mapping[str, Value]) -> tuple[dict[str, Value], Any]:
    """What is substituted below a binder of `names`, and how these are called there so that nothing is captured."""
    live = {n: v for n, v in to.items() if n not in names and n in body}
    new = _apart(names, frozenset().union(*map(free_in, live.values())) | (body if live else frozenset()) - set(names))
    return live | new, tuple(new.get(n, n) for n in names)


def substitute(t: Term, to: Mapping[str, Value]) -> Term:
    """The term with other values for free names; nothing is captured."""
    live = tuple((n, v) for n, v in to.items() if n in free(t))
    return _substituted(t, live) if live else t


@lru_cache(200_000)
def _substituted(t: Term, values: tuple[tuple[str, Value], ...]) -> Term:
    to = dict(values)
    if t.op == "var":
        image = to[t.args[0]]
        if isinstance(image, Fn):
            raise Refused(f"{t.args[0]} is a point")
        return var(image) if isinstance(image, str) else image
    if t.op in BINDERS:
        names, *outside, body = t.args
        live, names = _around(names, free(body), to)
        return Term(t.op, (names, *(substitute(a, to) for a in outside), substitute(body, live)))
    args = tuple(substitute(a, to) for a in inside(t))
    if t.op not in ("app", "law"):
        return Term(t.op, args)
    image = to.get(t.args[0], t.args[0])
    if isinstance(image, str):
        return Term(t.op, (image, *args))
    if not isinstance(image, Fn) or len(image.params) != len(args) or (image.body.op in LAWS) != (t.op == "law"):
        raise Refused(f"{t.args[0]} is a {'law' if t.op == 'law' else 'function'} of {len(args)} points")
    return substitute(image.body, dict(zip(image.params, args, strict=True)))


def replace(f: Formula, to: Mapping[str, Value]) -> Formula:
    """The formula with other values for free names."""
    if isinstance(f, Rel):
        return Rel(f.op, tuple(substitute(a, to) for a in f.args))
    live, params = _around(f.params, free_in(f), to)
    return All(params, tuple(replace(g, live) for g in f.given), replace(f.then, live))


# ------------------------------------------------------------------------------------- which terms speak of something


def bounded(t: Term, over: frozenset[str]) -> bool:
    """Whether a number stays bounded, by its form, while the points named in `over` move and all others stay."""
    if not free(t) & over or t.op in ("ind", "app"):
        return True
    if t.op == "mean":
        return bounded(t.args[2], _moving(t, over))
    if t.op in ("inv", "log"):
        return away(t.args[0], over)
    return t.op in ("add", "mul", "exp") and all(bounded(a, over) for a in inside(t))


def away(t: Term, over: frozenset[str]) -> bool:
    """Whether a number stays between two positive ones, by its form, while the points named in `over` move."""
    if t.op in ("num", "exp"):
        return t.args[0] > 0 if t.op == "num" else bounded(t.args[0], over)
    if t.op == "mean":
        return away(t.args[2], _moving(t, over))
    return t.op in ("add", "mul") and t.args != () and all(away(a, over) for a in inside(t))


def _moving(t: Term, over: frozenset[str]) -> frozenset[str]:
    """The points that move below a mean: its own too, unless its law has finitely many atoms that stay."""
    (x,), law, _ = t.args
    return over - {x} if is_finite(law, over) else over | {x}


def is_finite(law: Term, over: frozenset[str] = frozenset()) -> bool:
    """Whether a law has finitely many atoms, the same ones while the points named in `over` move."""
    return law.op == "law" and law.args[0] == "Unif" and not free(law) & over


def check(f: Formula | Term, kinds: dict[str, Any]) -> None:
    """Raise Refused unless it is well formed: names keep their kind, laws are laws, means are of bounded terms."""
    if isinstance(f, Term) and nodes(f) > LARGEST:
        raise Refused(f"a term has at most {LARGEST} nodes")
    if not isinstance(f, Term) and type(f) not in (Rel, All):
        raise Refused("no formula")
    for name, own in (_kinds(f) if isinstance(f, Term) else f.kinds).items():
        if kinds.setdefault(name, own) != own:
            raise Refused(f"{name} is {own} here, but {kinds[name]} before")


def _kinds_in(f: Formula, kinds: dict[str, Any]) -> dict[str, Any]:
    if not all(type(part) is tuple for part in ((f.params, f.given) if isinstance(f, All) else (f.args,))):
        raise Refused("no formula")
    if isinstance(f, All):
        if len({*f.params, *RESERVED}) < len(f.params) + len(RESERVED) or not all(map(NAME.fullmatch, f.params)):
            raise Refused(f"names must be different, well formed and not reserved: {', '.join(f.params)}")
    elif f.op not in ("<=", "<", "=", "nat") or len(f.args) != (1 if f.op == "nat" else 2):
        raise Refused(f"no relation: {f.op}")
    for part in (*f.given, f.then) if isinstance(f, All) else f.args:
        if isinstance(f, All) and type(part) not in (Rel, All):
            raise Refused("no formula")
        if isinstance(f, Rel) and (not isinstance(part, Term) or part.op in LAWS):
            raise Refused("a relation compares numbers")
        check(part, kinds)
    return kinds


@lru_cache(100_000)
def _kinds(t: Term) -> dict[str, Any]:
    """What each name in a term is: a point, or a function or law of so many points. Nobody changes what is kept."""
    named = t.args[:1] if t.op in ("var", "app", "law") else t.args[0] if t.op in BINDERS else ()
    kinds: dict[str, Any] = dict.fromkeys(named, (t.op, len(t.args) - 1) if t.op in ("app", "law") else "point")
    for name in named:
        if type(name) is not str or not NAME.fullmatch(name) or (name in RESERVED) > (t.op == "law"):
            raise Refused(f"{name} cannot be a name here ({t.op})")
    parts = inside(t)
    laws = [a.op in LAWS for a in parts]
    of_laws = {"mean": [True, False], "mix": [True, True], "steps": [False, False, True]}
    wanted = of_laws.get(t.op, [False] * (len(parts) if t.op in ("add", "mul", "app", "law") else NUMBERS.get(t.op, 1)))
    shape = {"num": 1, "var": 1, "mean": 3, "mix": 3, "steps": 4}.get(t.op, len(parts) + (t.op in ("app", "law")))
    if laws != wanted or len(t.args) != shape or len(set(named)) != len(named):
        raise Refused(f"{t.op} of something else")
    if t.op == "num" and type(t.args[0]) is not Fraction or t.op not in (*NUMBERS, *LAWS, "add", "mul", "app", "mean"):
        raise Refused(f"not a term: {t.op}")
    if t.op in BINDERS and len(named) != (2 if t.op == "steps" else 1):
        raise Refused(f"{t.op} binds {', '.join(named)}")
    if t.op == "law" and RESERVED.get(str(t.args[0]), len(parts)) != len(parts):
        raise Refused(f"{t.args[0]} takes {RESERVED[str(t.args[0])]} points")
    for part in parts:
        check(part, kinds)
    if t.op == "mean" and not is_finite(t.args[1]) and not bounded(t.args[2], frozenset(named)):
        raise Refused(f"a mean of a term that need not be bounded: {t}")
    return kinds


# -------------------------------------------------------------------------------------------------- the normal form

Monomial = frozenset[tuple[Term, int]]
Poly = dict[Monomial, Fraction]
ONE: Monomial = frozenset()


@lru_cache(100_000)
def canon(t: Term) -> Term:
    """The normal form of a number: a polynomial over atoms. Means are linear; what does not depend on x comes out."""
    return build(poly(t))


def poly(t: Term) -> Poly:
    if nodes(t) > LARGEST:
        raise Refused(f"a term has at most {LARGEST} nodes")
    return dict(_poly(t))


@lru_cache(100_000)
def _poly(t: Term) -> tuple[tuple[Monomial, Fraction], ...]:
    return tuple(_polynomial(t).items())


def _polynomial(t: Term) -> Poly:
    if t.op == "num":
        return {ONE: t.args[0]} if t.args[0] else {}
    if t.op == "add":
        return plus(*map(poly, t.args))
    if t.op == "mul":
        return reduce(times, map(poly, t.args), {ONE: Fraction(1)})
    if t.op == "inv":
        return _inverse(poly(t.args[0]))
    if t.op == "exp":
        arg = canon(t.args[0])
        return _atom(Term("exp", (arg,))) if arg.args else {ONE: Fraction(1)}
    if t.op == "ind":  # 1[a <= b] = 1[0 <= b - a]
        rest = poly(t.args[1] - t.args[0])
        if not rest.keys() - {ONE}:
            return {ONE: Fraction(1)} if rest.get(ONE, Fraction(0)) >= 0 else {}
        return _atom(Term("ind", (term(0), build(rest))))
    if t.op == "mean":
        return _mean(t.args[0][0], t.args[1], t.args[2])
    return _atom(Term(t.op, tuple(canon(a) if isinstance(a, Term) else a for a in t.args)))


def _atom(a: Term) -> Poly:
    return {frozenset([(a, 1)]): Fraction(1)}


def build(p: Poly) -> Term:
    """A polynomial as a term, in one order."""

    def one(monomial: Monomial, c: Fraction) -> Term:
        return Term("mul", (Term("num", (c,)), *(a for a, k in sorted(monomial, key=code_of_power) for _ in range(k))))

    return Term("add", tuple(sorted((one(m, c) for m, c in p.items()), key=code)))


def code_of_power(pair: tuple[Term, int]) -> str:
    return code(pair[0])


@lru_cache(100_000)
def code(t: Term) -> str:
    """The term as text that no other term has."""
    return f"({t.op} {' '.join(code(a) if isinstance(a, Term) else str(a) for a in t.args)})"


def plus(*ps: Poly) -> Poly:
    out: Poly = {}
    for p in ps:
        for m, c in p.items():
            out[m] = out[m] + c if m in out else c
    return {m: c for m, c in out.items() if c}


def times(p: Poly, q: Poly) -> Poly:
    if len(p) * len(q) > LONGEST:
        raise Refused(f"more than {LONGEST} summands")
    out: Poly = {}
    for m, c in p.items():
        for n, d in q.items():
            key = _both(m, n) if m and n else m or n
            product = d if c == 1 else c if d == 1 else c * d
            out[key] = out[key] + product if key in out else product
            if max(out[key].numerator.bit_length(), out[key].denominator.bit_length()) > LONGEST_NUMBER:
                raise Refused(f"a number has at most {LONGEST_NUMBER} bits")
    return {m: c for m, c in out.items() if c}


def _both(m: Monomial, n: Monomial) -> Monomial:
    powers = dict(m)
    for atom, k in n:
        other = next((a for a in powers if a.op == "exp"), None) if atom.op == "exp" else None
        if other is None:
            powers[atom] = powers.get(atom, 0) + k
            continue
        del powers[other]  # one exponential in a monomial: exp(a) exp(b) = exp(a + b)
        merged = canon(other.args[0] + atom.args[0])
        if merged.args:
            powers[Term("exp", (merged,))] = 1
    return frozenset(powers.items())


def _inverse(p: Poly) -> Poly:
    """1/0 = 0, so 1/(a b) = 1/a 1/b and 1/(1/a) = a for all numbers; the reciprocal of a sum is an atom."""
    if len(p) != 1:
        return _atom(Term("inv", (build(p),))) if p else {}
    ((monomial, c),) = p.items()
    out: Poly = {ONE: 1 / c}
    for a, k in monomial:
        one = poly(Term("exp", (-a.args[0],))) if a.op == "exp" else poly(a.args[0]) if a.op == "inv" else None
        for _ in range(k):
            out = times(out, _atom(Term("inv", (a,))) if one is None else one)
    return out


def _mean(x: str, law: Term, body: Term) -> Poly:
    """The mean is linear, that of 1 is 1, and what does not depend on x comes out."""
    if law.op == "dirac":
        return poly(substitute(body, {x: law.args[0]}))
    if law.op == "mix":
        (y,), first, second = law.args
        new = _apart([y], free(body) | free(second) - {y} | {x})
        second = substitute(second, dict(new))
        return poly(Term("mean", ((new.get(y, y),), first, Term("mean", ((x,), second, body)))))
    law, out = canon_law(law), {}
    for monomial, c in poly(body).items():
        moving: list[Term] = []
        outside: Poly = {ONE: c}
        for a, k in monomial:
            if x not in free(a):
                outside = times(outside, {frozenset([(a, k)]): Fraction(1)})
            elif a.op == "exp":  # exp(u + v(x)) = exp(u) exp(v(x))
                still = [s for s in a.args[0].args if x not in free(s)]
                moving.append(Term("exp", (Term("add", tuple(s for s in a.args[0].args if x in free(s))),)))
                outside = times(outside, poly(Term("exp", (Term("add", tuple(still)),))))
            else:
                moving.extend([a] * k)
        integrand = Term("mul", tuple(moving))
        mean = Term("mean", _bound((x,), (law,), integrand, canon)) if moving else None
        out = plus(out, times(outside, {ONE: Fraction(1)} if mean is None else _atom(mean)))
    return out


def _bound(names: tuple[str, ...], outside: tuple[Term, ...], body: Term, normal: Any) -> tuple[Any, ...]:
    """The arguments of a binder in normal form: what it binds is named after how deep it stands."""
    k = 1 + _depth(normal(body))
    new = tuple(f"${k + i}" for i in range(len(names)))
    return (new, *outside, normal(substitute(body, {n: var(m) for n, m in zip(names, new, strict=True)})))


@lru_cache(100_000)
def _depth(t: Term) -> int:
    own = [int(n[1:]) for n in t.args[0] if n[0] == "$"] if t.op in BINDERS else []
    return max([-1, *own, *map(_depth, inside(t))])


def canon_law(law: Term) -> Term:
    if law.op == "mix":
        return Term("mix", _bound(law.args[0], (canon_law(law.args[1]),), law.args[2], canon_law))
    if law.op == "steps":
        return Term("steps", _bound(law.args[0], (canon(law.args[1]), canon(law.args[2])), law.args[3], canon_law))
    return Term(law.op, tuple(canon(a) if isinstance(a, Term) else a for a in law.args))


@lru_cache(100_000)
def key(f: Formula, level: int = 0) -> str:
    """Equal keys: the same statement up to the normal form of its numbers and the names of what is bound."""
    if isinstance(f, All):
        to: dict[str, Value] = {p: f"#{level}.{i}" for i, p in enumerate(f.params)}
        return f"[all {len(f.params)} {' '.join(key(replace(g, to), level + 1) for g in (*f.given, f.then))}]"
    if f.op == "nat":
        return f"[nat {code(canon(f.args[0]))}]"
    ways = [f.args, f.args[::-1]] if f.op == "=" else [f.args]
    return f"[{f.op} {min(code(canon(right - left)) for left, right in ways)}]"
