"""Terms: what a formula is before anybody asks what it is worth. The fifth number system behind ``numeric``.

A function of `theory` called on terms gives a term back. Equal terms are one object, so `is` is equality and a shared
part is computed and printed once. A term is exact: it takes ints, Fractions and terms, and refuses whatever a formula
cannot ask of a variable (its float, its sign, its length) with a sentence that says what to write instead.

    op          args
    num         a Fraction, or a float infinity
    var         a name; of what is no number, as an argument of a document's quantity
    add sub mul div pow, neg       terms
    fn          a name (exp log sqrt ... abs min max ceil floor), terms
    quantity    the name of a public function of `theory`, terms
    where       a sign, and the terms left, right, then, otherwise
    total       a bound name, and the terms low, high (exclusive), body
"""

from __future__ import annotations

import importlib
import inspect
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import cache, lru_cache, wraps
from itertools import count
from math import inf
from typing import Any, ClassVar, TypeVar

from banditproof.theory.errors import InvalidInput, fitting
from banditproof.theory.numbers.lettering import symbol


class NoTerm(TypeError):
    """What a formula asked of a variable that only a number can answer, with what to write instead.

    `raised` are the sentences of those that were made: a body that catches one has asked all the same.
    """

    raised: ClassVar[list[str]] = []

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        NoTerm.raised[:] = [*NoTerm.raised[-20:], sentence]


class Described:
    """A variable that is no number (a policy, a law): a quantity of a document takes it, and whatever else a body asks
    of it, it says so."""

    def __init__(self, name: str, values: Any) -> None:
        object.__setattr__(self, "_name", name)
        object.__setattr__(self, "_why", f"{name} is {values}, which is not a number")

    def __getattribute__(self, name: str) -> Any:
        if name in ("__class__", "_name", "_why"):
            return object.__getattribute__(self, name)
        raise NoTerm(object.__getattribute__(self, "_why"))


def _refuse(self: Described, *_: Any, **__: Any) -> Any:
    raise NoTerm(self._why)


for _asked in (
    "add radd sub rsub mul rmul truediv rtruediv floordiv rfloordiv pow rpow mod rmod neg abs lt le gt ge eq ne bool "
    "iter len getitem contains call hash index int float str repr format round enter exit"
).split():
    setattr(Described, f"__{_asked}__", _refuse)


class Term:
    """A node: `op`, and `args` which are terms, names and exact numbers. See the module for the kinds."""

    __slots__ = ("op", "args")
    op: str
    args: tuple[Any, ...]

    def __new__(cls, op: str, *args: Any) -> Term:
        key = (op, *(id(a) if isinstance(a, Term) else (type(a), a) for a in args))
        node = _KNOWN.get(key)
        if node is None:
            node = _KNOWN[key] = object.__new__(cls)
            object.__setattr__(node, "op", op)
            object.__setattr__(node, "args", args)
        return node

    def __setattr__(self, name: str, value: Any) -> None:
        raise NoTerm("a term cannot be changed after it is made")

    __hash__ = object.__hash__

    def __reduce__(self) -> Any:
        return Term, (self.op, *self.args)

    def __repr__(self) -> str:
        return text(self)

    def __add__(self, other: Any) -> Term:
        return Term("add", self, number(other))

    def __radd__(self, other: Any) -> Term:
        return Term("add", number(other), self)

    def __sub__(self, other: Any) -> Term:
        return Term("sub", self, number(other))

    def __rsub__(self, other: Any) -> Term:
        return Term("sub", number(other), self)

    def __mul__(self, other: Any) -> Term:
        return Term("mul", self, number(other))

    def __rmul__(self, other: Any) -> Term:
        return Term("mul", number(other), self)

    def __truediv__(self, other: Any) -> Term:
        return Term("div", self, number(other))

    def __rtruediv__(self, other: Any) -> Term:
        return Term("div", number(other), self)

    def __pow__(self, other: Any) -> Term:
        return Term("pow", self, number(other))

    def __rpow__(self, other: Any) -> Term:
        return Term("pow", number(other), self)

    def __neg__(self) -> Term:
        return Term("neg", self)

    def __pos__(self) -> Term:
        return self

    def __abs__(self) -> Term:
        return fn("abs", self)

    def __ceil__(self) -> Term:
        return fn("ceil", self)

    def __floor__(self) -> Term:
        return fn("floor", self)

    def __floordiv__(self, other: Any) -> Term:
        return fn("floor", self / other)

    def __rfloordiv__(self, other: Any) -> Term:
        return fn("floor", other / self)

    def min(self, other: Any) -> Term:
        return fn("min", self, other)

    def max(self, other: Any) -> Term:
        return fn("max", self, other)


_KNOWN: dict[Any, Term] = {}
VARIABLES = frozenset((Term, Described))  # of which a quantity makes a node

_BRANCH = "a branch on a variable: write where(a, '==', b, then, otherwise) for if a == b, least or most for min or max"
_LOOP = (
    "a loop or a list as long as a variable: write total(lambda k: ..., low, high), the sum with both ends in it "
    "(from banditproof.theory.numbers.term import total), or fix the count"
)
_REFUSED = {
    **dict.fromkeys(("bool", "lt", "le", "gt", "ge", "eq", "ne", "contains"), _BRANCH),
    **dict.fromkeys(("index", "len", "iter"), _LOOP),
    "float": "float() of a variable: a term is exact, so leave out the conversion (and take log for math.log)",
    "int": "int() of a variable: write floor or ceil",
    "round": "round() of a variable: write floor or ceil",
    **dict.fromkeys(("mod", "rmod", "divmod", "rdivmod"), "% of a variable: write it with floor"),
}


def _refusing(sentence: str) -> Callable[..., Any]:
    def method(self: Term, *_: Any) -> Any:
        raise NoTerm(sentence)

    return method


for _name, _sentence in _REFUSED.items():
    setattr(Term, f"__{_name}__", _refusing(_sentence))
for _name in ("exp", "log", "sqrt", "log1p", "expm1"):  # as balls have them
    setattr(Term, _name, lambda self, name=_name: fn(name, self))
Term.__hash__ = object.__hash__  # type: ignore[method-assign]

OURS = ("banditproof.theory.", "banditproof.verify.")


def _from_ours() -> bool:
    """Whether what asks a term, two calls up, is the machinery."""
    return str(sys._getframe(2).f_globals.get("__name__", "")).startswith(OURS)


def _guarded_hash(self: Term) -> int:
    if not _from_ours():
        raise NoTerm(
            "a variable is looked up in a set or table, where a number could give another answer; write where or total"
        )
    return object.__hash__(self)


def _guarded_text(self: Term, *_: str) -> str:
    if not _from_ours():
        raise NoTerm("a variable is written as text, but a number would give another text")
    return text(self)


def _guarded_name(self: Term, name: str) -> Any:
    if name.startswith("__array") or _from_ours():  # NumPy looks for these
        raise AttributeError(name)
    raise NoTerm(f"{name} is asked of a variable, but only numbers may have it")


_GUARDED = {
    "__hash__": _guarded_hash,
    **dict.fromkeys(("__repr__", "__str__", "__format__"), _guarded_text),
    "__getattr__": _guarded_name,
}


@contextmanager
def guarded() -> Iterator[None]:
    """Inside the block a term is asked by nobody but the machinery what tells it from a number: its hash, its text."""
    before = {name: Term.__dict__.get(name) for name in _GUARDED}
    for name, method in _GUARDED.items():
        setattr(Term, name, method)
    try:
        yield
    finally:
        for name, old in before.items():
            delattr(Term, name) if old is None else setattr(Term, name, old)


# ------------------------------------------------------------------------------------------------------ making terms


MOST_BELOW = 2**40  # a larger power of two under a number is that of a float
BITS_OF_A_FLOAT = range(48, 54)  # above a smaller power of two
PRINTED, MOST_PRINTED = 15, 17  # digits of a float that is no short decimal
BITS_OF_DECIMALS = 4000  # more than a printed float has, and few enough to be printed


def number(value: Any) -> Term:
    """The term of an exact number or an infinity; terms pass. Raises NoTerm for everything else."""
    if isinstance(value, Term):
        return value
    if type(value) is Described:
        raise NoTerm(value._why)
    if type(value) is float and value in (inf, -inf):  # NumPy's may be an overflow
        return Term("num", value)
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        if was_float(Fraction(value)):
            raise NoTerm(
                f"{float(value)!r} was a float before it was a Fraction: write it as a quotient of whole numbers"
            )
        return Term("num", Fraction(value))
    shown = f"{type(value).__name__} {str(value)[:30]!r}"
    raise NoTerm(f"{shown}: a term takes ints, Fractions and terms (write Fraction(1, 10), not 0.1)")


def was_float(value: Fraction) -> bool:
    """Whether a Fraction looks like a float: a power of two below and its bits, or all the decimals that one prints."""
    below, bits = value.denominator, value.numerator.bit_length()
    if below > 1 and below & (below - 1) == 0 and (below > MOST_BELOW or bits in BITS_OF_A_FLOAT):
        return True
    if max(below.bit_length(), bits) > BITS_OF_DECIMALS:
        return False
    decimals = len(str(below)) - 1
    digits = len(str(abs(value.numerator)).rstrip("0"))
    return below == 10**decimals and PRINTED <= digits <= MOST_PRINTED and decimals >= PRINTED


def var(name: str) -> Term:
    """A variable."""
    return Term("var", name)


def fn(name: str, *values: Any) -> Term:
    """An elementary function of values, at least one of which is a term."""
    return Term("fn", name, *map(number, values))


_FRESH = count(1)


def sum_of(body: Callable[[Term], Any], low: Any, high: Any) -> Term:
    """The term of the sum of `body` at the counts from `low` to `high`, which is not among them."""
    bound = var(f"__{next(_FRESH)}")
    inside = number(body(bound))
    depth = 1 + max((int(p.args[0][2:]) for p in parts(inside) if p.op == "total"), default=0)
    name = f"_k{depth}"  # by depth, so that equal sums are one term
    return Term("total", name, number(low), number(high), substituted(inside, {bound: var(name)}))


REVIEWED = ("banditproof.theory.", "banditproof.verify.")
QUANTITIES: dict[str, Callable[..., Any]] = {}
FINITE_AS: dict[str, Callable[..., Any]] = {}  # a formula that has a value just where a quantity has a finite one

F = TypeVar("F", bound=Callable[..., Any])


FLOATS: set[type] = {float}  # and those of NumPy, which `numeric` adds: nothing of them is exact, and nothing is asked


@cache
def certified() -> Any:
    """The module of that name, which needs this one."""
    return importlib.import_module("banditproof.theory.numbers.certified")


def quantity(function: F) -> F:
    """A public function of `theory` that is one node of a term; to numbers it answers as `certified` says.

    One of a document takes variables that are no numbers too (a policy, a list of means): points give their values.
    Raises NoTerm for a second function of the same name: a node knows its function by that. So a function that is made
    inside of another one can be a quantity once.
    """
    known = QUANTITIES.setdefault(function.__name__, function)
    made_again = known is not function and "<locals>" in function.__qualname__
    if known.__module__ != function.__module__ or made_again:
        raise NoTerm(f"{function.__name__} is a quantity of {known.__module__} already")

    @wraps(function)
    def on_terms(*values: Any, **named: Any) -> Any:
        if not VARIABLES.isdisjoint(map(type, values)) or named and not VARIABLES.isdisjoint(map(type, named.values())):
            given = signature.bind(*values, **named).arguments
            last = max(place for place, name in enumerate(names) if name in given)
            before = {
                n: signature.parameters[n].default for n in names[:last]
            } | given  # a default counts where it stands
            return Term("quantity", function.__name__, *(argument(before[n]) for n in names[: last + 1]))
        try:
            if not named and FLOATS.issuperset(map(type, values)):
                return function(*values)
            return certified().answer(function, values, named)
        except TypeError:
            fitting(function, values, named)
            raise

    def argument(value: Any) -> Term:
        """The term of a number; of what is no number the name, which a quantity made for numbers does not take."""
        if type(value) is Described and not function.__module__.startswith(REVIEWED):
            return var(value._name)
        return number(value)

    signature = inspect.signature(function)
    names = list(signature.parameters)
    QUANTITIES[function.__name__] = function
    return on_terms  # type: ignore[return-value]


def asked_by(asked: Callable[..., Any]) -> Callable[[F], F]:
    """A quantity that raises InvalidInput just where `asked` does of the same arguments, and takes longer.

    Who asks only whether it has a value calls that in its place.
    """

    def named(function: F) -> F:
        function.asked = asked  # type: ignore[attr-defined]
        return quantity(function)

    return named


def finite_as(formula: Callable[..., Any]) -> Callable[[F], F]:
    """A quantity that is finite just where a formula of its arguments has a value, which its own code does not show."""

    def named(function: F) -> F:
        made = quantity(function)  # which refuses the name of another one
        FINITE_AS[function.__name__] = formula
        return made

    return named


def quantity_named(name: str) -> Callable[..., Any]:
    """The quantity that a node names. Raises NoTerm for an unknown one."""
    if name not in QUANTITIES:
        raise NoTerm(f"{name[:50]!r} is not a known quantity")
    return QUANTITIES[name]


def is_reviewed(name: str) -> bool:
    """Whether a quantity is ours, made for balls and symbols; of a document's own only values at points count."""
    return quantity_named(name).__module__.startswith(REVIEWED)


# -------------------------------------------------------------------------------------------------------------- data

_TERMS_OF = {"neg": 1, "add": 2, "sub": 2, "mul": 2, "div": 2, "pow": 2, "where": 4, "total": 3}
_SIGNS = ("<", "<=", ">", ">=", "==")
FUNCTIONS = {"min": 2, "max": 2, "comb": 2} | dict.fromkeys(
    ("exp", "log", "sqrt", "log1p", "expm1", "atan", "sin", "cos", "abs", "ceil", "floor"), 1
)
DEEPEST = 300


def to_nodes(terms: Sequence[Term]) -> tuple[list[list[Any]], list[int]]:
    """Terms as data: nodes, each after those it is made of, which it names by place; and the places of the terms."""
    nodes: list[list[Any]] = []
    places: dict[Term, int] = {}

    def place(t: Term) -> int:
        if t not in places:
            arguments = [place(a) if isinstance(a, Term) else str(a) for a in t.args]
            if t.op == "quantity":
                arguments[0] = f"{quantity_named(t.args[0]).__module__}:{t.args[0]}"
            nodes.append([t.op, *arguments])
            places[t] = len(nodes) - 1
        return places[t]

    ends = [place(t) for t in terms]
    return nodes, ends


def from_nodes(nodes: Sequence[Sequence[Any]], ends: Sequence[int]) -> list[Term]:
    """The terms that `to_nodes` wrote. Raises NoTerm for what it did not write; nothing of it runs."""
    made: list[tuple[Term, int]] = []
    for op, *arguments in nodes:
        given = [a for a in arguments if type(a) is int and 0 <= a < len(made)]
        words = [a for a in arguments if type(a) is str]
        if op == "quantity":
            words = arguments[:1] = [_loaded(str(arguments[:1]), *words)]
        depth = 1 + max((made[a][1] for a in given), default=0)
        if depth > DEEPEST or words + given != arguments or not _well_formed(op, words, len(given)):
            raise NoTerm(f"{str([op, *arguments])[:100]} is not a node")
        values: list[Any] = [made[a][0] for a in given]
        if op == "num":
            read = float(words[0]) if words[0] in ("inf", "-inf") else Fraction(words[0])
            made.append((number(read), depth))
        else:
            made.append((Term(op, *words, *values), depth))
    if not all(type(end) is int and 0 <= end < len(made) for end in ends):
        raise NoTerm(f"{str(ends)[:100]} are no places of nodes")
    return [made[end][0] for end in ends]


NAME = re.compile(r"[A-Za-z](\w*[A-Za-z0-9])?", re.ASCII)  # of a variable; with an underscore at an end, the machine's
INDEX = re.compile(r"k_?\d+", re.ASCII)  # how the index of a sum is shown, so that no variable may be called so
_NUMBER, _BOUND = re.compile(r"-?\d+(/\d+)?|-?inf"), re.compile(r"_k\d+")


def takes(function: Callable[..., Any], count: int) -> bool:
    """Whether a function can be called with so many values."""
    try:
        inspect.signature(function).bind(*[None] * count)
    except TypeError:
        return False
    return True


def _loaded(shown: str, full: str = "", *rest: str) -> str:
    """The name of a quantity of ours, whose module is imported, or of a module that is loaded already."""
    module, _colon, name = full.partition(":")
    if rest:
        raise NoTerm(f"{shown[:100]} is not a quantity")
    if module.startswith(REVIEWED) and all(part.isidentifier() for part in module.split(".")):
        try:
            importlib.import_module(module)
        except ImportError:
            raise NoTerm(f"{shown[:100]} is in no module") from None
    if quantity_named(name).__module__ != module:
        raise NoTerm(f"{shown[:100]} is not a quantity")
    return name


def _well_formed(op: Any, words: list[str], terms: int) -> bool:
    match op, words:
        case "num", [digits]:
            return not terms and len(digits) < 2000 and bool(_NUMBER.fullmatch(digits))
        case "var", [name]:
            return not terms and name.isidentifier() and (name.strip("_") == name or bool(_BOUND.fullmatch(name)))
        case "fn", [name]:
            return FUNCTIONS.get(name) == terms
        case "quantity", [name]:
            return takes(quantity_named(name), terms)
        case "where", [sign]:
            return sign in _SIGNS and terms == 4
        case "total", [name]:
            return bool(_BOUND.fullmatch(name)) and terms == 3
    return not words and op not in ("where", "total") and _TERMS_OF.get(op) == terms


# ------------------------------------------------------------------------------------------------------------- folds


def children(term: Term) -> Iterator[Term]:
    """The terms among the arguments."""
    return (a for a in term.args if isinstance(a, Term))


def parts(term: Term) -> Iterator[Term]:
    """Every node once, the term itself among them."""
    seen, waiting = set(), [term]
    while waiting:
        one = waiting.pop()
        if one not in seen:
            seen.add(one)
            yield one
            waiting += children(one)


@lru_cache(100_000)
def variables(term: Term) -> frozenset[str]:
    """The names of the free variables."""
    if term.op == "var":
        return frozenset(term.args)
    if term.op == "total":  # the ends of a sum do not know its index
        bound, low, high, body = term.args
        return variables(low) | variables(high) | (variables(body) - {bound})
    return frozenset().union(*map(variables, children(term)))


def substituted(term: Term, change: Mapping[Term, Term]) -> Term:
    """The term with nodes replaced wherever they stand; what replaces them must not hold a bound variable."""
    done = dict(change)

    def of(t: Term) -> Term:
        if t not in done:
            done[t] = Term(t.op, *(of(a) if isinstance(a, Term) else a for a in t.args))
        return done[t]

    return of(term)


def tidied(term: Term) -> Term:
    """The term without neutral 0 and 1, and with numbers computed among themselves: what a printer shows."""
    done: dict[Term, Term] = {}

    def of(t: Term) -> Term:
        if t not in done:
            done[t] = _neutral(Term(t.op, *(of(a) if isinstance(a, Term) else a for a in t.args)))
        return done[t]

    return of(term)


def _neutral(t: Term) -> Term:
    """The node without a neutral operand; a product with 0 stays, since 0 times infinity is nothing."""
    values = [a.args[0] for a in children(t) if a.op == "num" and isinstance(a.args[0], Fraction)]
    if t.op not in ("add", "sub", "mul", "div", "pow", "neg") or not values:
        return t
    if len(values) == len(t.args):
        return _computed(t, *values)
    first, second = t.args
    idle = 0 if t.op in ("add", "sub") else 1
    if values[0] == idle and t.args[1].op == "num" and t.args[1].args[0] == idle:
        return first
    return second if values[0] == idle and t.args[0].op == "num" and t.op in ("add", "mul") else t


def _computed(t: Term, first: Fraction, second: Fraction = Fraction(0)) -> Term:
    """An operation of numbers where it has an exact value that is not too long to read."""
    if t.op == "neg":
        return Term("num", -first)
    if t.op == "div":
        return Term("num", first / second) if second else t
    if t.op == "pow":
        small = second.denominator == 1 and abs(second) <= 64 and (first or second > 0)
        return Term("num", first ** int(second)) if small else t
    return Term("num", {"add": first + second, "sub": first - second, "mul": first * second}[t.op])


# ------------------------------------------------------------------------------------------------------- derivatives

PARTIALS: dict[tuple[str, int], Callable[..., Any]] = {}
"""The partial derivatives of quantities that are quantities themselves, by name and place of the argument."""

_SLOPES: dict[str, Callable[[Term], Any]] = {
    "exp": lambda a: fn("exp", a),
    "expm1": lambda a: fn("exp", a),
    "log": lambda a: 1 / a,
    "log1p": lambda a: 1 / (1 + a),
    "sqrt": lambda a: 1 / (2 * fn("sqrt", a)),
    "atan": lambda a: 1 / (1 + a**2),
    "sin": lambda a: fn("cos", a),
    "cos": lambda a: -fn("sin", a),
}


def derivative(term: Term, x: Term) -> Term:
    """The derivative of a term in a variable: of the branch that holds, where one formula meets another.

    Where the sides of a branch that depends on x are equal it has no value: there may be a jump or a kink.
    Raises NoTerm for what has no rule: a floor, or a quantity whose definition is no term.
    """
    zero, done = number(0), {x: number(1)}
    (name,) = x.args

    def of(t: Term) -> Term:
        if t not in done:
            done[t] = _neutral(slope_of_node(t, x, of)) if name in variables(t) else zero
        return done[t]

    return of(term)


def derivative_at(function: Callable[[Any], Any], x: Any, order: int = 1) -> Term:
    """The derivative of this order of a function of one number at x, as a term."""
    free = var(f"__{next(_FRESH)}")
    value = slope = number(function(free))
    for _ in range(order):
        slope = derivative(slope, free)
    for lost in _lost(value, slope):
        slope = Term("where", "<=", lost, lost, slope, slope)
    return substituted(slope, {free: number(x)})


def _lost(value: Term, slope: Term) -> Iterator[Term]:
    """The largest parts of a function that may have no value, of which its derivative does not speak any more."""
    kept = set(_always(slope))
    divisors = {t.args[1].args[0] if t.args[1].op == "pow" else t.args[1] for t in kept if t.op == "div"}
    partials = {t.args[1:] for t in kept if t.op == "quantity"}

    def asks(t: Term) -> bool:
        if t in kept or t.op == "quantity" and t.args[1:] in partials:
            return False
        if t.op == "div":
            return t.args[1].op != "num" and t.args[1] not in divisors
        if t.op == "pow":
            return not (t.args[1].op == "num" and t.args[1].args[0] >= 0 and t.args[1].args[0].denominator == 1)
        return t.op == "quantity" or t.op == "fn" and t.args[0] in ("log", "log1p", "sqrt", "comb")

    waiting = [value]
    while waiting:
        t = waiting.pop()
        if asks(t) or t.op in ("where", "total") and t not in kept and any(map(asks, parts(t))):
            yield t
        elif t not in kept:
            waiting += children(t)


def _is_given(t: Term) -> bool:
    """Whether a node is a value where something else has one too: a branch with no choice."""
    return t.op == "where" and t.args[0] == "<=" and t.args[1] is t.args[2] and t.args[3] is t.args[4]


def _always(term: Term) -> Iterator[Term]:
    """The nodes that are computed whichever branch is taken."""
    yield term
    for place, part in enumerate(children(term)):
        if term.op == "where" and place > 1 or term.op == "total" and place == 2:
            continue
        yield from _always(part)


def slope_of_node(t: Term, x: Term, of: Callable[[Term], Term]) -> Term:
    """The rule of a node that depends on x, with the derivatives of its parts."""
    if t.op == "neg":
        return _minus(number(0), of(t.args[0]))
    if t.op in ("add", "sub"):
        return (_plus if t.op == "add" else _minus)(*map(of, t.args))
    if t.op == "mul":
        a, b = t.args
        return _plus(_times(of(a), b), _times(of(b), a))
    if t.op == "div":
        a, b = t.args
        return _minus(_over(of(a), b), _times(of(b), a / b**2))
    if t.op == "pow":
        a, b = t.args
        return _plus(_times(of(a), b * _neutral(a ** _neutral(b - 1))), _times(of(b), t * fn("log", a)))
    if t.op == "where":
        left, right, then, otherwise = children(t)
        if _is_given(t):
            return Term("where", "<=", left, right, of(then), of(then))
        slope = of(otherwise) if t.args[0] == "==" else _either(t.args[0], left, right, of(then), of(otherwise))
        if x.args[0] in variables(left) | variables(right):
            return _smooth_but_at(left, right, slope, x)
        return _either(t.args[0], left, right, of(then), of(otherwise))
    if t.op == "total" and x.args[0] not in variables(t.args[1]) | variables(t.args[2]):
        return sum_of(lambda k: of(substituted(t.args[3], {var(t.args[0]): k})), *t.args[1:3])
    if t.op == "fn" and t.args[0] in ("min", "max"):
        _, a, b = t.args
        return _smooth_but_at(a, b, _either("<=" if t.args[0] == "min" else ">=", a, b, of(a), of(b)), x)
    if t.op == "fn" and t.args[0] == "abs":
        a = t.args[1]
        sign = Term("where", ">=", a, number(0), number(1), number(-1))
        return _times(of(a), _smooth_but_at(a, number(0), sign, x))
    if t.op == "fn" and t.args[0] in _SLOPES:
        return _times(of(t.args[1]), number(_SLOPES[t.args[0]](t.args[1])))
    if t.op == "quantity":
        return _slope_of_quantity(t, x, of)
    raise NoTerm(f"{text(t)} has no derivative in {x.args[0]} that is a formula")


def _slope_of_quantity(t: Term, x: Term, of: Callable[[Term], Term]) -> Term:
    """The chain rule, or the rules of the definition where a partial derivative has no name."""
    name, *values = t.args
    moving = [place for place, a in enumerate(values) if x.args[0] in variables(a)]
    if not all((name, place) in PARTIALS for place in moving):
        is_slope = name in {partial.__name__ for partial in PARTIALS.values()}
        definition = t if is_slope else number(QUANTITIES[name](*values))
        if definition is t:
            raise NoTerm(f"{text(t)} has no further derivative that is a formula")
        return of(definition)
    if len(moving) > 1:  # partial derivatives at a corner or a kink add up to none
        raise NoTerm(f"{text(t)} has no known derivative in {x.args[0]}, because several of its arguments depend on it")
    slope = number(0)
    for place in moving:
        slope = _plus(slope, _times(of(values[place]), PARTIALS[name, place](*values)))
    return slope


def _smooth_but_at(left: Term, right: Term, slope: Term, x: Term) -> Term:
    """A slope that has no value where a branch may jump or have a kink: where both sides of its condition are equal.

    Raises NoTerm where a side may jump, and the branch may change without that.
    """
    jumps = [t for side in (left, right) for t in parts(side) if _may_jump(t, x.args[0])]
    if jumps:
        raise NoTerm(f"{text(jumps[0])} may jump, and it decides which formula gives the derivative in {x.args[0]}")
    infinite = Term("fn", "log", number(0))
    return Term("where", "==", left, right, Term("sub", infinite, infinite), slope)


def _may_jump(t: Term, name: str) -> bool:
    """Whether a node is no continuous function, of a variable, of what it is made of."""
    if name not in variables(t):
        return False
    if t.op == "quantity":
        return any((t.args[0], k) not in PARTIALS for k, a in enumerate(t.args[1:]) if name in variables(a))
    if t.op == "total":
        return name in variables(t.args[1]) | variables(t.args[2])
    return (t.op == "where" and not _is_given(t)) or (t.op == "fn" and t.args[0] in ("ceil", "floor", "comb"))


def _plus(a: Term, b: Term) -> Term:
    return _minus(a, *b.args) if b.op == "neg" else _neutral(a + b)


def _minus(a: Term, b: Term) -> Term:
    if b.op == "neg":
        return _plus(a, *b.args)
    return _neutral(-b if a is number(0) else a - b)


def _times(slope: Term, value: Term) -> Term:
    """A product of the chain rule: a slope of 0 takes all, signs stand before it, reciprocals divide."""
    if slope is number(0) or value is number(1):
        return slope
    if slope.op == "neg" or value.op == "neg":
        a, b = (t.args[0] if t.op == "neg" else t for t in (slope, value))
        return _times(a, b) if slope.op == value.op else -_times(a, b)
    if slope is number(1) or slope is number(-1):
        return value if slope is number(1) else -value
    if value.op == "div" and value.args[0] is number(1):
        return slope / value.args[1]
    return slope * value


def _over(slope: Term, value: Term) -> Term:
    if slope.op == "neg":
        return -_over(slope.args[0], value)
    return slope if slope is number(0) else slope / value


def _either(sign: str, left: Term, right: Term, then: Term, otherwise: Term) -> Term:
    return then if then is otherwise else Term("where", sign, left, right, then, otherwise)


# ---------------------------------------------------------------------------------------------------------- printing

_RANK = {"add": 1, "sub": 1, "neg": 2, "mul": 3, "div": 3, "pow": 5}
_NEEDS: dict[str, tuple[int, ...]] = {
    "add": (1, 1),
    "sub": (1, 2),
    "neg": (3,),
    "mul": (3, 3),
    "div": (3, 4),
    "pow": (6, 6),
}  # of the operands
_NEEDS_IN_TEX = _NEEDS | {"div": (0, 0), "pow": (6, 0), "total": (0, 0, 3)}
_ATOM = 9

LINE = {
    **{"add": "{} + {}", "sub": "{} - {}", "neg": "-{}", "mul": "{} {}", "div": "{}/{}", "pow": "{}^{}"},
    "given": "({2}, if {0} has a value)",
    **{"where": "({2} if {0} {sign} {1} else {3})", "total": "sum[{name} = {0} .. {1} - 1]({2})"},
    **{"abs": "|{}|", "ceil": "⌈{}⌉", "floor": "⌊{}⌋", "pi": "π", "pi_beside": "π", "factorial": "({})!"},
    **{"geometric_sum": "({0}^({1}) - 1)/({0} - 1)", "geometric_power": "{0}^({1})"},
}
TEX = {
    **{"add": "{}+{}", "sub": "{}-{}", "neg": "-{}", "mul": r"{}\,{}", "div": r"\frac{{{}}}{{{}}}", "pow": "{}^{{{}}}"},
    **{"geometric_sum": r"\frac{{{0}^{{{1}}}-1}}{{{0}-1}}", "geometric_power": "{0}^{{{1}}}"},
    "given": r"{2}\text{{ if }}{0}\text{{ has a value}}",
    "where": r"\begin{{cases}}{2}&{0}{sign}{1}\\{3}&\text{{otherwise}}\end{{cases}}",
    "total": r"\sum_{{{name}={0}}}^{{{1}}}{2}",
    **{"sqrt": r"\sqrt{{{}}}", "exp": "e^{{{}}}", "abs": "|{}|"},
    **{"ceil": r"\lceil {}\rceil", "floor": r"\lfloor {}\rfloor", "log": r"\log({})", "log1p": r"\log(1+{})"},
    **{"expm1": r"(e^{{{}}}-1)", "min": r"\min({},{})", "max": r"\max({},{})", "atan": r"\arctan({})"},
    **{name: rf"\{name}({{}})" for name in ("sin", "cos")},
    "comb": r"\binom{{{}}}{{{}}}",
    **{"d_epsilon_dx": r"\partial_1d_{{{2}}}({0},{1})", "d_epsilon_dy": r"\partial_2d_{{{2}}}({0},{1})"},
    "d_epsilon_depsilon": r"\partial_{{{2}}}d_{{{2}}}({0},{1})",
    **{"d_epsilon": r"d_{{{2}}}({0},{1})", "kl_bernoulli": r"\mathrm{{kl}}({},{})"},
    **{"pi": r"\pi", "pi_beside": r"\pi", "factorial": "({})!", "normal_cdf": r"\Phi({})"},
    **{
        "log_gamma": r"\log\Gamma({})",
        "digamma": r"\psi({})",
        "hurwitz_zeta": r"\zeta({},{})",
        "tricomi": "U({},{},{})",
    },
}
SIGNS_OF_TEX = {"<=": r"\le ", ">=": r"\ge ", "==": "=", "!=": r"\ne "}


def text(term: Term) -> str:
    """The term in one line."""
    return _text(term, 0, LINE)


def tex(term: Term) -> str:
    """The term as LaTeX, without the dollars."""
    return _text(term, 0, TEX)


def _text(t: Term, needed: int, style: Mapping[str, str]) -> str:
    name = t.args[0] if t.op in ("fn", "quantity") else "given" if _is_given(t) else t.op
    rank = _RANK.get(t.op, _ATOM)
    if t.op == "num":
        printed, rank = _digits(t.args[0], style), _rank_of_number(t.args[0], style)
    elif t.op == "var":
        printed = _symbol(t.args[0], style)
    else:
        printed = _filled(t, name, style)
        if style is TEX and t.op == "div":
            rank = _RANK["pow"]  # a fraction is read as one sign, but under a power
    return printed if rank >= needed else rf"\left({printed}\right)" if style is TEX else f"({printed})"


def _filled(t: Term, name: str, style: Mapping[str, str]) -> str:
    """The format of a node with its operands in it, or a call of its name."""
    needs = (_NEEDS_IN_TEX if style is TEX else _NEEDS).get(t.op, ())
    inside = list(children(t))
    if style is TEX and t.op == "total":  # as print has it; the line is what keys of stored proofs are made of
        inside[1] = _moved(inside[1], -1)
    operands = [_text(a, needs[k] if k < len(needs) else 0, style) for k, a in enumerate(inside)]
    if t.op == "mul" and operands[1][:1].isdigit():
        operands[1] = rf"\cdot {operands[1]}" if style is TEX else f"· {operands[1]}"
    if name not in style:
        return f"{_symbol(name, style)}({', '.join(operands)})"
    sign = (SIGNS_OF_TEX if style is TEX else {}).get(t.args[0], t.args[0]) if t.op == "where" else ""
    return style[name].format(*operands, sign=sign, name=_symbol(t.args[0], style) if t.op == "total" else "")


def _digits(value: Any, style: Mapping[str, str]) -> str:
    if isinstance(value, float):
        return ("-" if value < 0 else "") + (r"\infty" if style is TEX else "inf")
    if style is TEX and value.denominator != 1:
        return rf"{'-' if value < 0 else ''}\tfrac{{{abs(value.numerator)}}}{{{value.denominator}}}"
    return str(value)


def _rank_of_number(value: Any, style: Mapping[str, str]) -> int:
    if value < 0:
        return _RANK["neg"]
    whole = isinstance(value, float) or value.denominator == 1
    return _ATOM if whole else _RANK["div"] if style is LINE else _RANK["pow"]


def _symbol(name: str, style: Mapping[str, str]) -> str:
    if style is LINE:
        return name.lstrip("_")
    if name.startswith("_"):  # k1, a bound variable
        return f"k_{{{name[2:]}}}"
    return symbol(name)


# -------------------------------------------------------------------------------------------------------- evaluating


def total(body: Callable[[Any], Any], low: Any, high: Any) -> Any:
    """The sum of `body(k)` over the counts low <= k <= high, as it is printed; of a variable end, a term.

    Raises NoTerm where an end is neither a term nor an integer (a ball around nothing else is one), and InvalidInput
    for what is no function.

    >>> total(lambda k: k, 1, 4)
    10
    """
    if not callable(body):
        raise InvalidInput("body", body, "a function of a count")
    for name, given in () if isinstance(low, Term) or isinstance(high, Term) else (("low", low), ("high", high)):
        if _count(given) is None:
            raise NoTerm(f"{name} of a sum must be an integer or a term, because its ends are counts, got {given!r}")
    return sum_below(body, low, _moved(high, 1))


def sum_below(body: Callable[[Any], Any], low: Any, end: Any) -> Any:
    """As `total`, up to the count before `end`: what a node of a sum holds."""
    if isinstance(low, Term) or isinstance(end, Term):
        return sum_of(body, low, end)
    ends = [_count(e) for e in (low, end)]
    if None in ends:
        raise NoTerm(f"a sum from {low} to {end} - 1: its ends are counts")
    return sum((body(k) for k in range(*ends)), 0)  # type: ignore[arg-type]


def _moved(count: Any, step: int) -> Any:
    """A count and a whole number more: of a term without a number that it adds already, so that n - 1 + 1 is n."""
    if not isinstance(count, Term):
        return count + step
    if count.op == "num":
        return number(count.args[0] + step)
    if count.op not in ("add", "sub") or count.args[1].op != "num":
        return count + step if step > 0 else count - -step
    first, last = count.args
    moved = (last.args[0] if count.op == "add" else -last.args[0]) + step
    return first if moved == 0 else first + moved if moved > 0 else first - -moved


def _count(end: Any) -> int | None:
    """The integer that a number or an exact ball is, or None."""
    if hasattr(end, "unique_fmpz"):
        return int(end.unique_fmpz()) if end.is_exact() and end.is_integer() else None
    return int(end) if end == int(end) else None


def source(terms: Sequence[Term]) -> tuple[list[str], list[str], dict[str, Any]]:
    """Python that computes terms: assignments, an expression for each, and the exact constants by name.

    A part that several places share is assigned once, unless it stands in a branch or under a sum. Under sums, what
    takes more than arithmetic is computed once for the values of the indexes that it depends on, when it is first asked
    for. Functions are called by their names with an underscore (`log_`).
    """
    uses: dict[Term, int] = {}
    guarded: set[Term] = set()  # what is computed only in a branch, or anew for each summand

    def visit(t: Term, inside: bool) -> None:
        uses[t] = uses.get(t, 0) + 1
        if inside:
            if t in guarded and uses[t] > 2:
                return
            guarded.add(t)
        elif uses[t] > 1:
            return
        for k, a in enumerate(children(t)):
            visit(a, inside or (t.op == "where" and k > 1) or (t.op == "total" and k == 2))

    for term in terms:
        visit(term, False)
    lines: list[str] = []
    names: dict[Term, str] = {}
    tables: dict[Term, str] = {}  # of the values of parts, by those of the indexes of sums
    constants: dict[str, Any] = {}

    def of(t: Term, around: frozenset[str] = frozenset()) -> str:
        """The code of a part, under sums over the indexes `around` it."""
        if t in names:
            return names[t]
        if t.op == "var":
            return t.args[0]
        if t.op == "num":
            value = t.args[0]
            names[t] = f"c{len(constants)}_"
            constants[names[t]] = _constant(value)
            return names[t]
        own = around & variables(t)
        if around and (own != around or uses[t] > 1) and _takes_time(t):
            table = tables.setdefault(t, f"m{len(tables)}_")
            return f"kept_({table}, ({''.join(f'{name}, ' for name in sorted(own))}), lambda: {code(t, own)})"
        expression = code(t, around)
        if uses[t] > 1 and t not in guarded:
            names[t] = f"t{len(lines)}_"
            lines.append(f"{names[t]} = {expression}")
            return names[t]
        return expression

    def code(t: Term, around: frozenset[str]) -> str:
        if t.op != "total":
            return _code(t, lambda part: of(part, around))
        low, high, body = children(t)
        return f"total_(lambda {t.args[0]}: {of(body, around | {t.args[0]})}, {of(low, around)}, {of(high, around)})"

    sides = [of(t) for t in terms]
    return [f"{table} = {{}}" for table in tables.values()] + lines, sides, constants


@lru_cache(4096)
def _takes_time(t: Term) -> bool:
    """Whether a part takes more than arithmetic."""
    return t.op in ("quantity", "fn", "pow", "div", "total") or any(map(_takes_time, children(t)))


def kept(table: dict[Any, Any], key: Any, compute: Callable[[], Any]) -> Any:
    """The value that a table has for a key, computed when it is first asked for."""
    if key not in table:
        table[key] = compute()
    return table[key]


def _constant(value: Any) -> Any:
    """A number of a node as a formula computes with it."""
    return value if isinstance(value, float) else int(value) if value.denominator == 1 else value


_INFIX = {"add": "+", "sub": "-", "mul": "*"}


def _code(t: Term, of: Callable[[Term], str]) -> str:
    operands = [of(a) for a in children(t)]
    if t.op in _INFIX:
        return f"({operands[0]} {_INFIX[t.op]} {operands[1]})"
    if t.op == "neg":
        return f"(-{operands[0]})"
    if t.op == "where":
        left, right, then, otherwise = operands
        if _is_given(t):
            return f"given_({left}, lambda: {then})"
        return f"where_({left}, {t.args[0]!r}, {right}, lambda: {then}, lambda: {otherwise})"
    name = {"div": "ratio", "pow": "power"}.get(t.op) or t.args[0]
    return f"{name}_({', '.join(operands)})"
