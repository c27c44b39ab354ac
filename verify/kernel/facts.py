"""Facts that are named and not derived: a closed list, each a formula about laws, with its source.

One that a statement needs stands among its premises, of whichever laws, and what is proved with it is *proved from
named facts*.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import permutations, product

from banditproof.verify.kernel.meanings import AMBIENT, event, exp, function_of, own_names, there_is
from banditproof.verify.kernel.random_matrices import chance_of_norm_above, entries_are_told
from banditproof.verify.kernel.rules import eq, le, mean, nat
from banditproof.verify.kernel.terms import (
    LAWS,
    RESERVED,
    All,
    Fn,
    Formula,
    Rel,
    Term,
    check,
    free_in,
    inside,
    key,
    replace,
    var,
)


@dataclass(frozen=True)
class Fact:
    """A theorem of the textbooks."""

    name: str
    says: Formula
    about: Mapping[str, int] = field(hash=False)  # the laws of which it is said, and of how many points
    source: str

    def __str__(self) -> str:
        return f"{self.name} ({self.source})"


def hahn_jordan() -> All:
    """The theorem of Hahn and Jordan, of all laws U and V."""
    return All(("U", "V"), (), decomposed())


def decomposed() -> All:
    """The theorem of Hahn and Jordan, for U - V: there are laws and an event with U = (1 - share) common + share more
    and V = (1 - share) common + share less, where `more` has all its mass in the event and `less` none (unless share is
    0).
    """
    own_names("x", "g")
    x, share = var("x"), var("share")
    g, inside_of_it = function_of("g", x), function_of("split", x)
    both, more, less = (Term("law", (name,)) for name in ("common", "more", "less"))

    def mixture(name: str, rest: Term) -> Formula:
        mixed = (1 - share) * mean("x", both, g) + share * mean("x", rest, g)
        return All(("g",), (), eq(mean("x", Term("law", (name,)), g), mixed))

    mass = eq(share * mean("x", more, 1 - inside_of_it), 0), eq(share * mean("x", less, inside_of_it), 0)
    says = mixture("U", more), mixture("V", less), le(0, share), le(share, 1), event("split"), *mass
    return there_is(("common", "more", "less", "share", "split"), *says)


def largest_singular_value() -> All:
    """The theorem of Davidson and Szarek: P(||Z|| > 2 sqrt(n) + t) <= e^(-t^2/2) for n x n matrices, and t >= 0.

    The entries are independent, with the law N(0, 1). Any number whose square is at least n may stand in place of the
    root.
    """
    n, side, t = map(var, ("n", "side", "t"))
    given = nat(n), le(1, n), le(0, side), le(n, side * side), le(0, t), *entries_are_told(n)
    return All(("n", "side", "t"), given, chance_of_norm_above(2 * side + t, n, exp(-t * t / 2)))


FACTS = (
    Fact(
        "the theorem of Hahn and Jordan",
        decomposed(),
        {"U": 0, "V": 0},
        "P. Billingsley, Probability and Measure, Theorem 32.1",
    ),
    Fact(
        "the largest singular value of a Gaussian matrix, by Davidson and Szarek",
        largest_singular_value(),
        {},
        "K. R. Davidson and S. J. Szarek, Local Operator Theory, Random Matrices and Banach Spaces, Theorem II.13",
    ),
)


def facts_in(f: Formula) -> tuple[Fact, ...]:
    """The named facts that stand in a statement, of any laws."""
    parts = list(_parts(f))
    return tuple(fact for fact in FACTS if any(_is_one_of(part, fact) for part in parts))


def _is_one_of(part: Formula, fact: Fact) -> bool:
    """Whether a formula says the fact of some laws: those in it, as functions of what it binds."""
    if _shape(part) != _shape(fact.says) or not isinstance(part, All):
        return False
    laws = dict.fromkeys(law for t in _terms(part) for law in _laws(t))
    choices = (
        [Fn(points, law) for law in laws for points in permutations(part.params, count)]
        for count in fact.about.values()
    )
    wanted = key(part)
    return any(
        key(replace(fact.says, dict(zip(fact.about, values, strict=True)))) == wanted for values in product(*choices)
    )


def _parts(f: Formula) -> Iterator[Formula]:
    yield f
    for part in (*f.given, f.then) if isinstance(f, All) else ():
        yield from _parts(part)


def _shape(f: Formula) -> object:
    """What no law in it changes: how many names are bound, and where relations of which kind stand."""
    return f.op if isinstance(f, Rel) else (len(f.params), [*map(_shape, f.given)], _shape(f.then))


def _terms(f: Formula) -> Iterator[Term]:
    for part in _parts(f):
        yield from part.args if isinstance(part, Rel) else ()


def _laws(t: Term) -> Iterator[Term]:
    """The laws in a term."""
    if t.op in LAWS:
        yield t
    for part in inside(t):
        yield from _laws(part)


def without_a_name(premises: Iterable[Formula]) -> Iterator[Formula]:
    """The premises that say a theorem which is no named fact.

    A premise says what something that the statement speaks of is like. One that speaks of nothing is true or false
    whatever the statement is about, and so is one which says that there is a function or a law, unless it says so of
    names of which nothing else is known. That there is a number, or an action, says what the others are like.
    """
    for f in premises:
        about = free_in(f) - RESERVED.keys()
        if (not about or _says_there_is(f) and not about <= AMBIENT.keys()) and not facts_in(f):
            yield f


def _says_there_is(f: Formula) -> bool:
    """Whether it has the shape of ``there_is``, of functions or laws: what holds wherever there are such holds."""
    if isinstance(f, Rel):
        return False
    return _says_there_is(f.then) or any(
        isinstance(g, All) and g.then == f.then and _binds_a_function(g) for g in f.given
    )


def _binds_a_function(f: All) -> bool:
    kinds: dict[str, object] = {}
    check(f, kinds)
    return any(kinds.get(name, "point") != "point" for name in f.params)
