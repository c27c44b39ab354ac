"""Sentences: what a printed statement says, as data, before anybody asks whether it is true.

The readers (plain text, LaTeX, JSON) give a `Reading`; the engine takes one. A formula is a tree that keeps what was
printed, so that `(x - 1)/(x - 1)` still has no value at 1; nothing here simplifies or evaluates.

    head        args of an `Expression`
    num         a Fraction
    const       "pi", "e", "euler" (0.577...), "inf"
    var         a name
    neg         expression
    add sub mul div pow     two expressions
    call        a name of FUNCTIONS, then its arguments
    sum prod    index, low, high (both ends included), body
    inf sup     name, Range, body
    diff        body, name: the derivative
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from math import inf
from typing import Any

# How many arguments each function takes; log is the natural one, kl(p, q) is that of two Bernoulli laws.
FUNCTIONS: Mapping[str, tuple[int, ...]] = {
    **dict.fromkeys("exp log sqrt abs floor ceil Phi erf erfc gamma digamma trigamma factorial W".split(), (1,)),
    **dict.fromkeys("sinh cosh tanh atan sin cos".split(), (1,)),
    **dict.fromkeys("kl binom tv".split(), (2,)),
    "d_eps": (3,),  # x, y, epsilon
    "min": tuple(range(1, 20)),
    "max": tuple(range(1, 20)),
    "zeta": (1,),
}
SIGNS = ("<", "<=", ">", ">=", "==", "!=")


@dataclass(frozen=True)
class Expression:
    """A node of a formula; see the module for the heads."""

    head: str
    args: tuple[Any, ...]


@dataclass(frozen=True)
class Range:
    """The printed range of one variable: an interval of reals or of whole numbers.

    `reached`: of a minimum or maximum, which is the value at some place, over a range without an end.
    """

    low: Expression
    high: Expression
    low_open: bool = False
    high_open: bool = False
    integer: bool = False
    reached: bool = False


class Sentence:
    """What a statement may be; the classes below."""


@dataclass(frozen=True)
class Compare(Sentence):
    """`left` `sign` `right`."""

    left: Expression
    sign: str
    right: Expression


@dataclass(frozen=True)
class All(Sentence):
    """Every part holds: a chain a <= b <= c is two of them."""

    parts: tuple[Sentence, ...]


@dataclass(frozen=True)
class Any_(Sentence):
    """At least one part holds."""

    parts: tuple[Sentence, ...]


@dataclass(frozen=True)
class Iff(Sentence):
    """`left` holds just where `right` does."""

    left: Sentence
    right: Sentence


def equality(sentence: Sentence) -> Compare | None:
    """Where both sides are equal of "A <= B, with equality iff x = 0"; None of other sentences."""
    match sentence:
        case All((Compare() as first, Iff(Compare(sign="==") as equal, Compare(sign="==") as where))):
            return where if (first.left, first.right) == (equal.left, equal.right) else None
    return None


@dataclass(frozen=True)
class Monotone(Sentence):
    """`body` is increasing or decreasing in `name`; strictly where that is printed."""

    body: Expression
    name: str
    increasing: bool
    strict: bool = False


@dataclass(frozen=True)
class Curved(Sentence):
    """`body` is convex, or concave, in `name`; strictly where that is printed."""

    body: Expression
    name: str
    convex: bool
    strict: bool = False

    @property
    def shape(self) -> str:
        """As it is said: "strictly convex"."""
        return "strictly " * self.strict + ("convex" if self.convex else "concave")


@dataclass(frozen=True)
class Limit(Sentence):
    """`body` goes to `value` as `name` goes to `to` (from above: +1, from below: -1, as the range allows: 0)."""

    body: Expression
    name: str
    to: Expression
    value: Expression
    side: int = 0


@dataclass(frozen=True)
class Order(Sentence):
    """`left` is O, o, Omega, Theta of `right`, or ~ (`kind`), as `name` goes to `to`, for all values of the others.

    `side`: 1 from above, -1 from below, 0 from both, as in a limit.
    """

    left: Expression
    kind: str
    right: Expression
    name: str
    to: Expression
    side: int = 0


@dataclass(frozen=True)
class Exists(Sentence):
    """There is a number `name` in `range`, the same for all variables, with which `sentence` holds.

    `wanted`: the smallest or any ("least", "any"): "for all n >= n_0" asks for the least.
    """

    name: str
    range: Range
    sentence: Sentence
    wanted: str = "any"


@dataclass(frozen=True)
class Best(Sentence):
    """The best number `name` with which `sentence` holds for all variables is `value`: the largest or the smallest one.

    `largest` is None where "the best" is printed: the hardest to hold.
    """

    name: str
    sentence: Compare
    value: Expression
    largest: bool | None = None


@dataclass(frozen=True)
class Promise(Sentence):
    """A promise of privacy: its kind ("dp", "zcdp", "rdp", "gdp") and its numbers.

    dp has `epsilon` and, where it is printed, `delta`; zcdp `rho`; rdp `alpha` and `epsilon`; gdp `mu`.
    """

    kind: str
    budget: Mapping[str, Expression] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Private(Sentence):
    """A mechanism keeps a promise.

        mechanism    parameters
        laplace      scale, sensitivity
        gaussian     deviation or variance, sensitivity
        geometric    rate (the noise k has probability proportional to exp(-rate |k|)), sensitivity
        response     truth: randomised response gives the true one of two answers with this probability
        exponential  factor (a candidate is chosen with probability proportional to exp(factor * score)), sensitivity,
                     and candidates, if their number is printed
        noisiest     noise ("laplace", "gumbel" or "waiting", which is exponential), scale, sensitivity: the candidate
                     of the largest noisy score; monotone, if one record moves all scores in the same direction
        sparse       threshold and query (the scales of their Laplace noise), above (how many answers), sensitivity;
                     monotone, as above
        composition  of (a Promise that each keeps), count; or parts (a Promise of each)
        disjoint     parts (a Promise of each, of one kind), on parts of the data that share no record
        filter       of (a Promise): releases that are chosen by the answers before pass while they keep it together;
                     squares, if these are pure, and the squares of their epsilons add up to this at most
        group        of (a Promise), size
        subsampling  of (a Promise), rate (each record is kept with it, independently; one record more or less)
        fixed        of (a Promise), rate (the part of the records in a sample without replacement; one record replaced)
        conversion   of (a Promise)
        named        name: of a mechanism that is known by name, and has no rule

    `neighbours` is among the parameters where it is printed: "replace" or "add or remove".
    `kind` and `budget` are those of the promise that is kept.
    """

    mechanism: str
    parameters: Mapping[str, Any] = field(hash=False)
    kind: str = "dp"
    budget: Mapping[str, Expression] = field(default_factory=dict, hash=False)


COUNTED = {"count": 1, "size": 1, "candidates": 2, "above": 1}  # of a mechanism, with the least that makes sense
POSSIBLE = {  # numbers of a mechanism: the least one, whether it is possible itself, and the largest one
    **dict.fromkeys(("scale", "deviation", "variance", "threshold", "query"), (0, ">", inf)),
    **dict.fromkeys(("sensitivity", "epsilon", "rho", "mu"), (0, ">=", inf)),
    **dict.fromkeys(("delta", "truth"), (0, ">=", 1)),
    "alpha": (1, ">", inf),
    **dict.fromkeys(("count", "size"), (0, ">=", inf)),
    **dict.fromkeys(("candidates", "above"), (1, ">=", inf)),
}


@dataclass(frozen=True)
class Reading:
    """A statement as it was read: `sentence` for all variables in their `ranges` where the `conditions` hold.

    Attributes:
        ranges: the printed range of each variable, in the order of print.
        conditions: assumptions ("when A and B"), each a sentence.
        said: the statement in one line of plain text, with its ranges, which reads back to the same reading.
        tex: the same as LaTeX.
        assumed: what the text leaves open and was taken (the base of a logarithm, a missing range), a sentence each.
        zero_log: whether the text says that 0 log 0 is 0.
    """

    sentence: Sentence
    ranges: Mapping[str, Range]
    conditions: tuple[Sentence, ...] = ()
    said: str = ""
    tex: str = ""
    assumed: tuple[str, ...] = ()
    zero_log: bool = False


def names(e: Expression) -> frozenset[str]:
    """The free variables."""
    head, args = e.head, e.args
    if head == "var":
        return frozenset(args)
    if head in ("sum", "prod"):
        index, low, high, body = args
        return names(low) | names(high) | (names(body) - {index})
    if head in ("inf", "sup"):
        word, over, body = args
        return names(over.low) | names(over.high) | (names(body) - {word})
    return frozenset().union(*(names(a) for a in args if isinstance(a, Expression)))


class Unread(ValueError):
    """What cannot be read, with the token and its place, and what could stand there."""

    def __init__(self, why: str, token: str = "", place: int = -1) -> None:
        super().__init__(why)
        self.token, self.place = token, place


class Ambiguous(Unread):
    """What has several readings: which question that is, and how many there are."""

    def __init__(self, why: str, token: str, place: int, count: int, of: str = "") -> None:
        super().__init__(why, token, place)
        self.asked, self.count = (of or why, place), count


_CHOSEN: ContextVar[Mapping[tuple[str, int], int] | None] = ContextVar("chosen readings", default=None)


def which(why: str, token: str, place: int, count: int, of: str = "") -> int:
    """The reading of so many that `reading_as` says. Raises Ambiguous where nobody has chosen one.

    Questions that are asked in several words, but have one answer, share the name `of`.
    """
    chosen = _CHOSEN.get() or {}
    if (of or why, place) not in chosen:
        raise Ambiguous(why, token, place, count, of)
    return chosen[of or why, place]


def chosen(of: str) -> int | None:
    """The reading of a question at the beginning of a text, if somebody has chosen one."""
    return (_CHOSEN.get() or {}).get((of, 0))


@contextmanager
def reading_as(asked: tuple[str, int], k: int) -> Iterator[None]:
    """In the block this question has the k-th reading for its answer."""
    token = _CHOSEN.set({**(_CHOSEN.get() or {}), asked: k})
    try:
        yield
    finally:
        _CHOSEN.reset(token)
