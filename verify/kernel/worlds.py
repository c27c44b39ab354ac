"""Small worlds, in which it is tried whether the premises of a statement can hold at all.

In each of them the names of the statement are simple: every law on a space is sure, every function a number. That is
enough for mechanisms that tell nothing apart, for equal laws and for a policy that always plays the first arm; where
the answers of a policy have to be right, it is one that guesses (`GUESS`). What a premise binds runs through more: all
counts of a range, or some of every size where there are many, numbers of every size, functions that tell points apart.
A premise that fails in all of these worlds, at all numbers that are tried, is taken for one that nothing meets, and so
is one of which floats do not decide whether it holds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from itertools import chain, islice, product
from random import Random
from typing import Any

from banditproof.verify.kernel.terms import RESERVED, All, Formula, Rel, Term, check, free, free_in, inside, poly

Exact = Fraction | int  # whole numbers are ints, which are hashed and compared in a fraction of the time
Number = Exact | float
World = Mapping[str, Any]  # numbers, and functions of numbers
WORLDS, MOST_WORLDS = 1000, 100  # of numbers that are drawn, and of those that are looked through
TRIES, MOST_ATOMS = (24, 12, 6), 64  # tries at each depth of what is bound
MOST_CHOICES, LONGEST_RANGE = (100, 24, 8), 200
UNIT, HALF, QUARTER = Fraction(1), Fraction(1, 2), Fraction(1, 4)  # a quotient of ints would be a float
NUMBERS = [0, HALF, 1, Fraction(3, 2), 2, 3, -HALF]
FAR = [s * 10**k for k in (3, 12) for s in (1, -1)] + [Fraction(s, 10**12) for s in (1, -1)]
NATURAL = [*range(4)]
VALUES = [1, 0, HALF]  # of functions and laws
CODES = frozenset("a b d e h l o q r x y z".split())
MAPS = frozenset(
    "first second way pair data block other after said told word past record replaced choice heard did code here"
    " there until row with_row".split()
)
"""Maps of points: their values are points."""
TWO = 2  # arms, among which a strategy guesses
KNOWN = ""  # no name: under it a world keeps the means and laws that were found in it
SURE = 1e-9  # what two floats are apart at least, of which one is said to be larger


class TooLarge(ValueError):
    """A world is too large to be looked through."""


def whole(q: Fraction) -> Exact:
    """The same number, as an int where it is one."""
    return q.numerator if q.denominator == 1 else q


def can_be_met(statement: All, numbers: Mapping[str, Sequence[Fraction]]) -> bool:
    """Whether some world was found in which all premises hold, on the way to the conclusion too."""
    return _can_be_met(statement, tuple((name, tuple(map(whole, choices))) for name, choices in numbers.items()))


@lru_cache(100)  # a claim asks twice: when its statement is read, and when the proof of it is made again
def _can_be_met(given: All, choices: tuple[tuple[str, tuple[Exact, ...]], ...]) -> bool:
    draw, statement, numbers = Random(0), _shared(given, {}), dict(choices)
    of_numbers = [g for g in statement.given if isinstance(g, Rel)]  # quickly looked at, and seldom true
    worlds = (w for w in _worlds(statement, numbers, draw) if all(holds(g, w, draw) for g in of_numbers))
    return any(_met(statement.given, statement.then, world, draw) for world in islice(worlds, MOST_WORLDS))


def _shared(part: Any, known: dict[Any, Any]) -> Any:
    """A formula or term in which equal parts are one object, so that caches need not compare them."""
    if isinstance(part, All):
        made = All(part.params, tuple(_shared(g, known) for g in part.given), _shared(part.then, known))
    elif isinstance(part, Rel | Term):
        made = type(part)(part.op, tuple(_shared(a, known) for a in part.args))
    else:
        return part
    return known.setdefault(made, made)


def _worlds(statement: All, numbers: Mapping[str, Sequence[Exact]], draw: Random) -> Iterator[dict[str, Any]]:
    """Values of the names; first all functions are 1, of which many premises speak, and numbers are small."""
    kinds = _kinds(statement)
    small = {name: [q for q in choices if abs(q) <= 3] or choices for name, choices in numbers.items()}
    for k in range(WORLDS):
        yield (
            {KNOWN: {}}
            | {
                name: draw.choice((small if k < WORLDS // 2 else numbers)[name])
                if name in numbers
                else _value_of(name, kinds, k, draw)
                for name in statement.params
            }
            | ({"K": TWO} if k % 4 == 2 and {"pi", "worth"} <= kinds.keys() and TWO in numbers.get("K", ()) else {})
            | (dict.fromkeys(ONE_ACTION, ONE) if k % 2 == 0 and "played" in kinds else {})
            | (dict.fromkeys(NO_ACTION, ONE) if k % 2 == 0 and "until" in kinds else {})
            | (COIN if "largest_mean" in kinds else {})
            | (EPISODES if "pulled" in kinds else {})
            | (SLICES if "second_log" in kinds else {})
            | (PHASES if "phase_length" in kinds else {})
            | (PURE if {"pulled", "epsilon"} <= kinds.keys() else {})
            | (AXES if "context" in kinds else {})
            | (MARKS if "mark" in kinds else {})
            | (ONE_ARM if "played_root" in kinds else {})
            | (BELOW_TWO if "excess" in kinds else {})
        )


def _value_of(name: str, kinds: Mapping[str, Any], k: int, draw: Random) -> Any:
    kind = kinds.get(name, "point")
    if "earned" in kinds and name in RUNS:  # rewards are real numbers, which no function with the one value 0 tells
        return RUNS[name]
    of_updates = NO_NOISE if "updates" in kinds else NO_REGRET if "best_of" in kinds else UNIT_VECTOR
    if {"updates", "last"} & kinds.keys() and name in of_updates:
        return of_updates[name]
    if "joint" in kinds and name == "noise":  # of two points, as noise of scale 1 is there
        return lambda z, *more: ONE if more[-1] == 1 else 2 * z - 1
    if "entry" in kinds and name in COINS:  # coins are told apart, and so are histories
        return COINS[name]
    if name == "coordinate":  # the actions are the numbers of a segment
        return lambda a, i: max(-1, min(a, 1))
    if k % 4 == 2 and name in GUESS:
        return GUESS[name](k)
    if kind == "point" or kind[0] == "law" or name in MAPS:
        return 0
    if k % 8 == 5 and kind[1] > 1:  # a real function, which is a quotient, that is 0
        return lambda *points: int(points[-1] == 1)
    return draw.choice(VALUES) if k % 4 == 3 else 1 if k % 2 == 0 else 0


def _repeated_guess(i: Number, history: Any) -> Atoms:
    """The answer 2 or 3 of a coin, and from then on what was last said, if the arms are 0 and 1."""
    said = history[0][1] if isinstance(history, Past) and isinstance(history[0], Past) else 0
    return [(said, ONE)] if said in (2, 3) else [(2, HALF), (3, HALF)]


class Past(tuple[Any, ...]):
    """What came one after another. Its hash is found once: what is drawn after a past is looked up many times."""

    @cached_property
    def _hash(self) -> int:
        return super().__hash__()

    def __hash__(self) -> int:
        return self._hash


def _past(*points: Any) -> Past:
    return Past(points)


def _said(run: Any) -> Any:
    return _past(_said(run[0]), run[1]) if isinstance(run, Past) else run


@lru_cache(100_000)
def _told(run: Any) -> Any:
    return _past(_past(_told(run[0]), run[2]), run[3]) if isinstance(run, Past) else run


GUESS: dict[str, Callable[[int], Any]] = {
    "pi": lambda k: _repeated_guess,
    "pair": lambda k: _past,
    "after": lambda k: _past,
    "said": lambda k: _said,
    "told": lambda k: _told,
    "worth": lambda k: lambda name, part: 1 + name if part == 0 else ONE,
    "theta": lambda k: _where(0, k % 8 == 2),
    "alternative": lambda k: _where(0, k % 8 == 2),
    "of_bandit": lambda k: lambda bandit, a: int((a == 0) == (bandit == (0 if k % 8 == 2 else 1))),
    "belongs": lambda k: lambda bandit: ONE,
}
"""Two bandits with two arms of which another one is better, and a strategy that recommends one of them by a coin."""


def _sign(j: Number, i: Number, coins: Any) -> Number:
    """The sign of coin j of a sequence of i coins."""
    if not isinstance(coins, Past):
        return ONE
    return _sign(j, i - 1, coins[0]) if j < i - 1 else 2 * int(coins[1] == 1) - 1


NO_ACTION = "dimension", "T", "ridge"
"""In one dimension the designs of the vector 0 are the ridge, 1, and so is what resolves them."""
ONE_ACTION = "dimension", "T", "number", "norm"
"""One action in one dimension is played once: then designs of which all entries are 1 have the inverse 1, and norms."""
COINS: dict[str, Any] = {name: GUESS[name](0) for name in ("pair", "after", "said", "told")} | {"entry": _sign}


def _met(given: tuple[Formula, ...], then: Formula, at: World, draw: Random) -> bool:
    """Whether the premises hold in a world, and those of the conclusion for some values of what it binds."""
    if not all(holds(g, at, draw) for g in given):
        return False
    if isinstance(then, Rel):
        return True
    return any(_met(then.given, then.then, {**at, **own}, draw) for own in _some(then, draw))


@dataclass(frozen=True)
class Run:
    """What is done in a run: a round, in which an arm is played and a reward earned, after another run or a point."""

    before: Any
    arm: Number
    reward: Number
    first: Number = 0


def _last(take: Callable[..., Any]) -> Callable[..., Any]:
    """What a function takes of round j of a run of n rounds, and further points."""

    def of_round(j: Number, n: Number, z: Any, *more: Number) -> Any:
        if not isinstance(z, Run):
            return 0 if not more else take(Run(z, 0, 0), *more)
        return take(z, *more) if j >= n - 1 else of_round(j, n - 1, z.before, *more)

    return of_round


def _until(t: Number, n: Number, z: Any) -> Any:
    """The first t rounds of a run of n rounds."""
    return _until(t, n - 1, z.before) if isinstance(z, Run) and t < n else z


RUNS: dict[str, Callable[..., Any]] = {
    "after": lambda z, a, q, r: Run(z, a, r),
    "until": _until,
    "did": _last(lambda z: z.arm),
    "with_row": lambda y, w: Run(y, NONE, w),
    "row": _last(lambda z: z.reward),
    "earned": _last(lambda z, k: (UNIT if k == 1 else z.reward) / (UNIT + z.reward**2)),  # bounded, as functions are
}
NO_NOISE: dict[str, Any] = dict.fromkeys(("updates", "hidden"), 0) | {"marked": lambda t, z, k: int(k == 1)}
"""None is added to a sum, for none is drawn."""
NO_REGRET: dict[str, Any] = dict.fromkeys(("last", "best_of", "norm_of"), 0) | {"reach": lambda t, z, k: 4 - 3 * k}
"""The vector 0 is the best one, and no estimate is made after the start."""
UNIT_VECTOR: dict[str, Any] = dict.fromkeys(("coordinate", "divisor", "columns", "large"), 1) | {
    "last": 0,
    "inverse": lambda t, *more: UNIT / (1 + t),
    "minors": lambda t, z, k: (1 + t) ** k,
}
"""The vector 1 in one dimension, in each of the rounds."""

MARKS: dict[str, Any] = {
    "after": lambda z, a, q, r: Run(z, a, r, q),
    "mark": lambda k, *more: _last(lambda z: int((z.arm == 0, z.first != z.reward, 0)[int(k)]))(*more),
    "nu": lambda a: [(1, 1)],
    "C": lambda a, r: [(r, 1)],
    "goes_with": lambda T, n: int(T == n),
    **dict.fromkeys(("mean", "larger"), 1),
    **dict.fromkeys(("arm", "variation", "at_one", "at_zero"), 0),
}
"""All rewards are 1. Of each round is kept whether the arm 0 is played, whether the rewards differ, and a logarithm."""


def _estimated(alpha: float, theta: float) -> Callable[..., Number]:
    """The sum of the losses up to theta sigma t^(1/alpha), in the rounds t of a run of i rounds with one arm."""

    def estimate(i: Number, z: Any, a: Number, k: Number) -> Number:
        if k == 1 or i < 1 or not isinstance(z, Run):
            return int(k == 1)
        small = abs(z.reward) <= theta * math.sqrt(6) * i ** (1 / alpha)
        return estimate(i - 1, z.before, a, k) + (z.reward if small else 0)

    return estimate


ONE_ARM: dict[str, Any] = {
    "after": RUNS["after"],
    "estimated": _estimated(2, 1 - 2 ** (-1 / 3)),
    **dict.fromkeys(("K", "N", "played_root"), 1),
    "sigma": math.sqrt(6),
}
BELOW_TWO: dict[str, Any] = {"excess": HALF, "lack": HALF, "estimated": _estimated(1.5, 1 - 2 ** (-1 / 4))}
"""HTINF for sigma^2 = 6, with one arm, for alpha = 2 and for alpha = 3/2."""


def _count(take: Callable[..., Number]) -> Callable[..., Number]:
    """What a function takes of how often each arm was played in the i episodes of a run, each of which doubles that."""

    def of_run(i: Number, z: Any) -> dict[Number, Number]:
        if i < 1 or not isinstance(z, Run):
            return {}
        before = of_run(i - 1, z.before)
        return before | {z.arm: 2 * before.get(z.arm, NONE) or ONE}

    return lambda i, z, *more: take(of_run(i, z), *more)


NONE, ONE = 0, 1
EPISODES: dict[str, Any] = {
    "after": RUNS["after"],
    "pulled": _count(lambda counts, a: counts.get(a, NONE)),
    "begins": _count(lambda counts: ONE + sum(counts.values())),
    "in_time": _count(lambda counts, a: min(counts.get(a, NONE), ONE)),
    "released": lambda i, z, a, k: RUNS["earned"](i, i, z if isinstance(z, Run) and z.arm == a else NONE, k),
    "mean_so_far": lambda i, z, a, k: EPISODES["released"](i, z, a, k),
    "half_width": NONE,
    "pi": lambda i, h: [(i, ONE)],
    "centre": lambda a: int(a == 1),
    "nu": lambda a: [(int(a == 1), ONE)],
    "release": lambda a, m: _noisy(a, UNIT / (m * m or QUARTER)),
    "T": ONE,
    "rho": HALF,
}
"""One round, in which the arm 0 is played. Its reward is 0, that of the arm 1 is 1, and there is noise at the end."""
SLICES: dict[str, Any] = {
    "until": RUNS["until"],
    "second_log": _count(lambda counts, a: math.log(4 + math.log(counts.get(a, ONE)))),
    "among": lambda a: int(a == 0),
    **{"arms": ONE, "weight": 3 * QUARTER, "rest": QUARTER, "zeta": 3},
}
"""The arm 0 alone, and 3 for zeta(3/2)."""
PHASES: dict[str, Any] = {
    **dict.fromkeys(("noise", "stopped", "recommended", "phase_of"), NONE),
    **dict.fromkeys(("phases", "phase_length", "epsilon"), ONE),
    **{"height_of": 128, "root_of": 16},
    **{"phase_label": 3, "phase_log": TWO, "weight_of": 3 * QUARTER, "rest_of": QUARTER, "series_of": 3},
    "outcomes": lambda: [(z, weight) for z, (_, weight) in enumerate(_two_sided(ONE))],
    "masked": lambda z, a, k, part: ONE if part == 1 else _two_sided(ONE)[int(z)][0],
    "summed": lambda z, a, k, part: part,
}
"""One phase of each arm, with noise of two values, after which the strategy does not stop."""
PURE: dict[str, Any] = {"release": lambda a, m: _noisy(a, UNIT / (m or HALF)), "epsilon": ONE}
"""The noise of pure privacy."""


def _largest_mean(p: Number, c: Number) -> Exact:
    """The largest of some means of which none is more than c from p: 1[V <= q] is 1 with the chance 0, 1/2 or 1."""
    return ONE if p >= Fraction(3, 4) else Fraction(7, 10) if p >= Fraction(1, 4) or c >= LOG_2 else Fraction(1, 5)


LOG_2 = math.log(2)
COIN: dict[str, Any] = {"largest_mean": _largest_mean, "centre": ONE, "nu": lambda a: [(ONE, ONE)]}
AXES: dict[str, Any] = {
    "context": lambda: [(NONE, HALF), (ONE, HALF)],
    "coordinate": lambda a, i: int(a == i),
    "dimension": TWO,
}
"""One of two unit vectors of the plane."""


def _noisy(arm: Number, scale: Number) -> Atoms:
    return [(x + (arm == 1), weight) for x, weight in _two_sided(scale)]


def _some(f: All, draw: Random) -> Iterator[dict[str, Any]]:
    """Some values of what a formula binds: natural numbers where it says so."""
    kinds, natural = _kinds(f), _counts(f)
    for k in range(TRIES[0] if f.params else 1):
        yield {
            name: draw.choice(NATURAL)
            if name in natural
            else _value_of(name, kinds, k, draw)
            if kinds.get(name, "point") != "point" or name in CODES
            else (draw.choice(NUMBERS), (k - 1) >> place & 1)[1 <= k <= 8]  # 0 or 1, as integrals may be
            for place, name in enumerate(f.params)
        }


@cache
def _kinds(f: All) -> Mapping[str, Any]:
    """What each name is: a point, or a function or law of so many points."""
    kinds: dict[str, Any] = {}
    check(f, kinds)
    return kinds


@cache
def _counts(f: All) -> frozenset[str]:
    natural = (g for g in f.given if isinstance(g, Rel) and g.op == "nat" and g.args[0].op == "var")
    return frozenset(g.args[0].args[0] for g in natural) & {*f.params}


def _all(f: All) -> Callable[[World, Random, int], Iterator[dict[str, Any]]]:
    """What a premise is tried at: every choice of its names, or many where these are too many."""
    kinds, names = _kinds(f), f.params
    ends = {name: _end(name, f) for name in names}
    every = {name: _values_of(name, f, kinds, ends[name]) for name in names}
    alone = {name: [_held(g) for g in _alone(name, f)] for name in names}  # what is given of a name alone
    shaped = {name for name in names if name in kinds and kinds[name][0] == "app"}

    def values(name: str, at: World, draw: Random) -> list[Any]:
        tried = every[name](at, draw)
        if not alone[name]:
            return [*tried]
        return [
            v for v in tried if all(may(here, draw, 0, False) for here in ({**at, name: v},) for may in alone[name])
        ]

    def tried(at: World, draw: Random, depth: int) -> Iterator[dict[str, Any]]:
        lists, most = [values(name, at, draw) for name in names], MOST_CHOICES[min(depth, 2)]
        if len(lists) == 1 or math.prod(map(len, lists)) <= most:
            for chosen in product(*lists):
                yield dict(zip(names, chosen, strict=True))
            return
        if not all(lists):
            return
        yield {n: v[0] for n, v in zip(names, lists, strict=True)}
        looked = shaped | {name for name in _counts(f) if ends[name](at) is not None}
        some = [among if name in looked else None for name, among in zip(names, lists, strict=True)]
        if math.prod(map(len, filter(None, some))) <= 4 * most:
            for chosen in product(*(v or [None] for v in some)):  # what is not looked through is drawn for each
                places = zip(names, chosen, lists, strict=True)
                yield {n: draw.choice(among) if v is None else v for n, v, among in places}
        for _ in range(TRIES[min(depth, 2)]):
            yield {n: draw.choice(v) for n, v in zip(names, lists, strict=True)}

    return tried


@cache
def _alone(name: str, f: All) -> tuple[Rel, ...]:
    return tuple(g for g in f.given if isinstance(g, Rel) and {*f.params} & free_in(g) == {name})


def _end(name: str, f: All) -> Callable[[World], int | None]:
    """How many natural numbers a name may be, where that is said."""
    said = [g for g in f.given if isinstance(g, Rel) and g.op in ("<", "<=") and g.args[0] == Term("var", (name,))]
    limits = [(g.op == "<", _evaluated(g.args[1])) for g in said]

    def end(at: World) -> int | None:
        for strict, limit in limits:
            try:
                last = limit(at)
            except (ArithmeticError, ValueError, KeyError):
                continue
            return max(0, math.ceil(last) if strict else math.floor(last) + 1)
        return None

    return end


def _values_of(
    name: str, f: All, kinds: Mapping[str, Any], end_at: Callable[[World], int | None]
) -> Callable[[World, Random], Iterable[Any]]:
    """What a name is tried as, in a world."""
    kind = kinds.get(name, "point")
    if name in _counts(f):

        def counts(at: World, draw: Random) -> Iterable[Exact]:
            end = end_at(at)
            if end is not None and end <= LONGEST_RANGE:
                return range(end)
            last = [] if end is None else [end - 1]  # of many, some of every size and the last one
            return [*(q for q in _naturals(f) if end is None or q < end - 1), *last]

        return counts
    if kind == "point":
        if _is_number(name, f):
            points = [*NUMBERS, *FAR, *_near(f)]
        elif "until" in kinds:
            points = [NONE, Run(NONE, NONE, NONE)]
        elif "coordinate" in kinds:
            points = VALUES
        else:
            points = VALUES[1:2] if _has_maps(f) else VALUES[:2]  # a map of points gives the one point 0
        return lambda at, draw: points
    if kind[0] == "law" or name in MAPS:
        return lambda at, draw: NATURAL[:1]
    known = [*VALUES, *(_where(k, at_zero) for k in range(kind[1]) for at_zero in (True, False))]
    return lambda at, draw: chain(known, (_telling(draw.random(), choice) for choice in (VALUES[:2], VALUES)))


def _where(k: int, at_zero: bool) -> Callable[..., Exact]:
    """1 where a point is 0, or where it is not."""
    return lambda *points: int((points[k] == 0) == at_zero)


def _telling(seed: float, among: Sequence[Exact]) -> Callable[..., Exact]:
    """A function that tells points apart."""
    return lambda *points: among[hash((seed, *points)) % len(among)]


@cache
def _near(f: Formula) -> list[Exact]:
    """The numbers in a formula, and one more and less."""
    numbers: set[Exact] = set()

    def look(part: Any) -> None:
        if isinstance(part, All):
            for inner in (*part.given, part.then):
                look(inner)
        elif isinstance(part, Term) and part.op == "num":
            numbers.add(whole(part.args[0]))
        elif isinstance(part, Term | Rel):
            for inner in part.args:
                look(inner)

    look(f)
    return sorted({q + k for q in numbers for k in (-1, 0, 1)})


@cache
def _naturals(f: Formula) -> list[Exact]:
    """Natural numbers of every size, and those near the numbers in a formula."""
    near = (q for q in _near(f) if q >= 0 and q.denominator == 1)
    return sorted({*NATURAL, 5, 10, 30, 100, *near, *(q for q in FAR if q > 1)})


@cache
def _has_maps(f: Any) -> bool:
    """Whether a map of points is in a formula or term."""
    if isinstance(f, Term) and f.op == "app" and f.args[0] in MAPS:
        return True
    parts = (*f.given, f.then) if isinstance(f, All) else f.args
    return any(_has_maps(part) for part in parts if isinstance(part, Term | Rel | All))


@cache
def _is_number(name: str, f: Formula, said: bool = False) -> bool:
    """Whether a point is used as a number, and does not only name something to a function, a law or a point.

    That it is the value of a map is said of all numbers, and false, unless something is `said` of the point before.
    """
    if isinstance(f, All):
        here = said or any(name in free_in(g) for g in f.given)
        return any(_is_number(name, g) for g in f.given) or _is_number(name, f.then, here)
    if f.op == "=" and (said or all(t.op == "var" or _is_map(t) for t in f.args) and not _is_inverse(name, f)):
        return not all(t.op == "var" or _is_map(t) for t in f.args) and any(_used(name, t) for t in f.args)
    return any(_used(name, t) for t in f.args)


def _is_map(t: Term) -> bool:
    return t.op == "app" and t.args[0] in MAPS


def _is_inverse(name: str, f: Rel) -> bool:
    """Whether a map gives the point itself."""
    return any(t == Term("var", (name,)) for t in f.args) and any(_is_map(t) and name in free_in(t) for t in f.args)


def _used(name: str, t: Term) -> bool:
    if t.op == "var":
        return t.args[0] == name
    own = [a for a in inside(t) if not (a.op == "var" and t.op in ("app", "law", "dirac", "steps"))]
    return any(_used(name, a) for a in own)


def _is_of_numbers(f: Formula) -> bool:
    """Whether a formula is seen at once to hold or not: what it is said to follow from need not be looked at."""
    return isinstance(f, Rel) and all(t.op in ("num", "var") for t in f.args)


Held = Callable[[World, Random, int, bool], bool]  # in a world, at a depth of what is bound, surely


def holds(f: Formula, at: World, draw: Random) -> bool:
    """Whether a formula holds in a world."""
    return _held(f)(at, draw, 0, True)


@cache
def _held(f: Formula) -> Held:
    """Whether a formula holds; if not surely: whether it may hold, as far as was seen."""
    return _of_all(f) if isinstance(f, All) else _related(f)


def _of_all(f: All) -> Held:
    every, given, then, at_once = _all(f), [_held(g) for g in f.given], _held(f.then), _is_of_numbers(f.then)

    def held(at: World, draw: Random, depth: int, surely: bool) -> bool:
        inner = depth + 1
        try:
            for own in every(at, draw, depth):
                here = {**at, **own}
                if at_once and then(here, draw, inner, surely):
                    continue
                if all(g(here, draw, inner, not surely) for g in given) and not then(here, draw, inner, surely):
                    return False
        except TooLarge:
            return not surely
        return True

    return held


def _related(f: Rel) -> Held:
    parts, operator = [_evaluated(t) for t in f.args], f.op
    exponent = _evaluated(f.args[1].args[0]) if operator != "nat" and f.args[1].op == "exp" else None

    def held(at: World, draw: Random, depth: int, surely: bool) -> bool:
        try:
            values = _values(parts, at)
        except (ArithmeticError, ValueError):
            return not surely
        left, right = values[0], values[-1]
        if left is TOO_LARGE or right is TOO_LARGE:
            # both are too far away to be looked at, or a number is below an exponential
            below = operator in ("<=", "<") and (left is right or right is TOO_LARGE and exponent is not None)
            return below or not surely
        if operator == "nat":
            return left >= 0 and left == int(left)
        if operator == "<=" and exponent is not None and not isinstance(left, float) and left <= 1:
            power = exponent(at)
            if not isinstance(power, float) and power >= 0:  # so the exponential is at least 1, which floats do not say
                return True
        if isinstance(left, float) or isinstance(right, float):
            margin = SURE * max(1.0, abs(left), abs(right)) * (1 if surely else -1)
            if operator == "=" or surely and operator == "<=" and left == right:
                return abs(left - right) <= abs(margin) and (not surely or not poly(f.args[1] - f.args[0]))
            return left + margin < right
        return left == right if operator == "=" else left <= right if operator == "<=" else left < right

    return held


TOO_LARGE = math.inf


def _values(parts: Sequence[Callable[[World], Number]], at: World) -> list[Number]:
    try:
        return [part(at) for part in parts]
    except OverflowError:
        return [_or_too_large(part, at) for part in parts]


def _or_too_large(part: Callable[[World], Number], at: World) -> Number:
    try:
        return part(at)
    except OverflowError:
        return TOO_LARGE


@cache
def _evaluated(t: Term) -> Callable[[World], Number]:
    """The value of a term, as a function of the world: exact where there is no other exponential than 1. It raises
    ArithmeticError or ValueError where there is none."""
    known = t.args[0] if t.op in ("num", "var") else None
    if isinstance(known, Fraction):
        number = whole(known)
        return lambda at: number
    if isinstance(known, str):
        return lambda at: at[known]
    if t.op == "mean":
        return _found_once(_mean(*t.args), t)
    parts = [_evaluated(a) for a in inside(t)]
    if t.op == "app":
        name = t.args[0]

        def applied(at: World) -> Any:
            points, function = [a(at) for a in parts], at[name]
            return function(*points) if callable(function) else function  # a number stands for a constant function

        return applied
    of_numbers = OPERATIONS[t.op]
    return lambda at: of_numbers(*[a(at) for a in parts])


def _found_once(find: Callable[[World], Any], of: Term) -> Callable[[World], Any]:
    """What is found of a mean or law: it depends on its free names alone, and most tries change others."""
    names = sorted(free(of))

    def found(at: World) -> Any:
        known, place = at[KNOWN], (found, *map(at.get, names))
        if place not in known:
            known[place] = find(at)
        return known[place]

    return found


def _mean(names: tuple[str, ...], law: Term, body: Term) -> Callable[[World], Number]:
    (x,), atoms, of = names, _drawn(law), _evaluated(body)
    count = _evaluated(law.args[1]) if law.args[0] == "Unif" else None

    def mean(at: World) -> Number:
        if count is not None and (many := int(count(at))) > MOST_ATOMS:  # of so many, some: do they differ?
            some = {of({**at, x: k}) for k in (0, 2, many - 1)}
            if len(some) > 1:
                raise TooLarge("a sum has too many summands")
            return some.pop()
        return _sum(*[_times(weight, of({**at, x: v})) for v, weight in atoms(at)])

    return mean


def _sum(*parts: Number) -> Number:
    own = [p for p in parts if p is not NONE]
    return sum(own[1:], start=own[0]) if own else NONE


def _times(*parts: Number) -> Number:
    if not all(parts):
        return NONE
    own = [p for p in parts if p is not ONE]
    return math.prod(own[1:], start=own[0]) if own else ONE


OPERATIONS: dict[str, Callable[..., Number]] = {
    "add": _sum,
    "mul": _times,
    "inv": lambda a: UNIT / a,
    "ind": lambda a, b: ONE if a <= b else NONE,
    "exp": lambda a: ONE if a == 0 else math.exp(a),
    "log": lambda a: NONE if a == 1 else math.log(a),
}
Atoms = list[tuple[Any, Any]]  # points, each with its weight


@cache
def _drawn(law: Term) -> Callable[[World], Atoms]:
    """What a law draws, as a function of the world. That raises TooLarge where there is too much of it."""
    every = _found_once(_every_atom(law), law) if law.op in ("mix", "steps") else _every_atom(law)

    def atoms(at: World) -> Atoms:
        drawn = every(at)
        if len(drawn) > MOST_ATOMS:
            raise TooLarge("a law has too many atoms")
        return drawn

    return atoms


def _every_atom(law: Term) -> Callable[[World], Atoms]:
    if law.op == "dirac":
        point = _evaluated(law.args[0])
        return lambda at: [(point(at), ONE)]
    if law.op == "mix":
        (x,), first, second = law.args[0], _drawn(law.args[1]), _drawn(law.args[2])
        return lambda at: [(u, _times(w, share)) for v, w in first(at) for u, share in second({**at, x: v})]
    if law.op == "steps":
        return _steps(*law.args)
    name, numbers = law.args[0], [_evaluated(a) for a in law.args[1:]]
    if name == "Unit":
        return lambda at: [(Fraction(k, 4), HALF) for k in (1, 3)]
    if name in RESERVED:
        atoms, (number,) = _uniform if name == "Unif" else _two_sided, numbers
        return lambda at: atoms(number(at))
    if name == "joint":  # of two variables, of which no sure law tells that one of them varies
        return lambda at: [(at[name] + k, HALF) for k in (0, 1)]

    def of_one_point(at: World) -> Atoms:
        if not callable(at[name]):
            return [(at[name], ONE)]
        drawn: Callable[..., Atoms] = at[name]
        return drawn(*[number(at) for number in numbers])

    return of_one_point


def _steps(names: tuple[str, ...], n: Term, start: Term, step: Term) -> Callable[[World], Atoms]:
    (i, h), rounds, first, next_one = names, _evaluated(n), _evaluated(start), _drawn(step)

    def atoms(at: World) -> Atoms:
        runs = [(first(at), ONE)]
        for k in range(min(int(rounds(at)), MOST_ATOMS)):
            round_at = {**at, i: k}
            after = ((u, _times(w, share)) for v, w in runs for u, share in next_one({**round_at, h: v}))
            drawn = list(islice(after, 2 * MOST_ATOMS + 1))
            if len(drawn) > 2 * MOST_ATOMS:
                raise TooLarge("a law has too many atoms")
            runs = list(_added(drawn).items())
        return runs

    return atoms


def _added(atoms: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
    """Each atom once."""
    parts: dict[Any, Any] = {}
    for point, weight in atoms:
        parts[point] = parts[point] + weight if point in parts else weight
    return parts


def _uniform(count: Number) -> Atoms:
    places = int(count) or 1
    return [(k, Fraction(1, places)) for k in range(min(places, MOST_ATOMS + 1))]


def _two_sided(scale: Number) -> Atoms:
    return [(sign * scale, HALF) for sign in (-1, 1)]
