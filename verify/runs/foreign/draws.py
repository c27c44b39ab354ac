"""Draws of `random` and `numpy.random`, wherever a program makes them: recorded with their call site, and replayed.

While a tape is playing, generators and the functions of both modules answer from it. Every draw has a name: its number
in a stream that was seeded, so a stream that is seeded again repeats the names of its draws, and else the pull and the
line of the function that asks for it, counted without those where nothing runs: neither a draw more or less nor a
comment renames the others. A draw of a known
family (Laplace, normal, exponential, uniform, Gumbel, logistic) is `location + scale * standard`, and the tape holds
the standard one: a replay asks for the same names and gets the same standard draws, whatever the scale is now, but for
those that were changed. A single choice, integer or geometric variable is found by a uniform draw. What is drawn
otherwise (permutations, Beta variables) is computed anew from its name, so it is the same as long as it is asked for in
the same way.
"""

from __future__ import annotations

import copy
import linecache
import os
import random
import reprlib
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from math import ceil, inf, log1p
from os.path import basename, dirname
from types import BuiltinMethodType, CodeType, FrameType, FunctionType, MethodType, ModuleType
from typing import Any, cast
from zlib import crc32

import numpy as np

from banditproof.theory.errors import InvalidInput
from banditproof.verify.runs.foreign.seeds import Outside, is_own, named_seed
from banditproof.verify.source_lines import is_library

Name = tuple[Hashable, ...]
"""What names a draw: its stream and the call in it, its law and its coordinate."""

Place = tuple[str, int, str]
"""File, line and function."""

Spot = tuple[str, str, int]
"""File without its folder, function, and which one of its lines: that stays when lines above are added or removed."""

CALLERS = 3  # of a draw: as many lines are told
BELOW_ONE = 1 - 2.0**-53
COIN = "coin"
FAR = 3.0  # as wide is noise that is often far out in the tails
STANDARD: dict[str, Callable[[np.random.Generator, Any], np.ndarray]] = {
    "laplace": lambda g, n: g.laplace(size=n),
    "normal": lambda g, n: g.standard_normal(size=n),
    "exponential": lambda g, n: g.standard_exponential(size=n),
    "uniform": lambda g, n: g.random(size=n),
    "gumbel": lambda g, n: g.gumbel(size=n),
    "logistic": lambda g, n: g.logistic(size=n),
}


@dataclass(frozen=True)
class Draw:
    """One standard draw: its name, law and value, the line that asked for it with its callers, and after how many
    pulls it did."""

    name: Name
    law: str
    value: float
    places: tuple[Place, ...]
    pulls: int
    spot: Spot
    success: float = 0.0  # of a trial, where a uniform draw finds a geometric variable


@dataclass(frozen=True)
class Fixed:
    """What is drawn from a seed of the program, on which line, after how many pulls: the same in every run."""

    seed: str
    place: Place
    pulls: int


@dataclass
class Tape:
    """Draws that follow from `seed`, with `changed` standard ones, and other coins where `changed` holds a number.

    `rewards` are what lines whose source contains `rewards_at` draw, if that is given; `pulled` hears of each of them.
    """

    seed: int
    changed: Mapping[Name, float] = field(default_factory=dict)
    rewards: tuple[float, ...] = ()
    rewards_at: str = ""
    pulled: Callable[[FrameType], None] | None = None
    known: dict[Name, np.ndarray] = field(default_factory=dict)  # shared by the replays of a seed
    far: bool = False  # whether draws are often far out in the tails
    others: int | None = None  # the seed of draws that `recorded` does not name, if that is another one
    recorded: frozenset[Name] = frozenset()
    draws: list[Draw] = field(default_factory=list)
    asked: Counter[Hashable] = field(default_factory=Counter)  # how often, by stream, line and pull
    pulls: int = 0
    streams: int = 0  # that nobody seeded
    laws: dict[Name, str] = field(default_factory=dict)  # of the calls that are named by their number
    told: set[str] = field(default_factory=set)  # what cannot be followed
    outside: Outside | None = None  # what is not the program; None if no seed is the program's own
    fixed: list[Fixed] = field(default_factory=list)  # what followed from a seed of the program

    def standard(
        self, call: Name, law: str, shape: tuple[int, ...], frame: FrameType, success: float = 0.0
    ) -> np.ndarray:
        """The standard draws of a call."""
        size = int(np.prod(shape))
        key = self._key(call, law)
        if self.others is not None and (*key, 0) not in self.recorded:
            key = (*key, self.others)
        if key not in self.known or self.known[key].size < size:
            self.known[key] = self._drawn(key, law, max(size, 1))
        values = self.known[key][:size].copy()
        places, spot = _places(frame), _spot(frame)
        for k in range(size):
            name = (*key, k)
            values[k] = self.changed.get(name, values[k])
            self.draws.append(Draw(name, law, float(values[k]), places, self.pulls, spot, success))
        return values.reshape(shape)

    def single(self, call: Name, law: str, frame: FrameType, success: float = 0.0) -> float:
        """The standard draw of a call that asks for one."""
        key = self._key(call, law)
        if self.others is not None and (*key, 0) not in self.recorded:
            key = (*key, self.others)
        if key not in self.known:
            self.known[key] = self._drawn(key, law, 1)
        name = (*key, 0)
        value = self.changed.get(name)
        if value is None:
            value = float(self.known[key][0])
        self.draws.append(Draw(name, law, value, _places(frame), self.pulls, _spot(frame), success))
        return value

    def coin(self, call: Name, frame: FrameType) -> int:
        """The seed from which a draw of another law is computed."""
        name = (*self._key(call, COIN), 0)
        unknown = 0.0 if self.others is None or name in self.recorded else float(self.others)
        other = self.changed.get(name, unknown)
        self.draws.append(Draw(name, COIN, other, _places(frame), self.pulls, _spot(frame)))
        return crc32(repr((self.seed, name, other)).encode())

    def _key(self, call: Name, law: str) -> Name:
        """The name of a call with its law: what one number of a stream gives under two laws is not independent."""
        if len(call) == 2 and self.laws.setdefault(call, law) != law:
            twice = "two generators draw from the same place of a stream by two laws, which is not followed"
            self.told.add(f"{twice} (give each a seed of its own)")
        return *call, law

    def _drawn(self, key: Name, law: str, size: int) -> np.ndarray:
        values = STANDARD[law](self._generator(key), size)
        if not self.far:
            return values
        return (1 - np.cos(np.pi * values)) / 2 if law == "uniform" else FAR * values

    def _generator(self, key: Name) -> np.random.Generator:
        return own_generator(self.seed, crc32(repr(key).encode()))

    def answer(self, stream: _Stream, kind: type, method: str, arguments: tuple, named: dict[str, Any]) -> Any:
        """What a method of a generator answers."""
        frame = _asker()
        known = (_PYTHON if kind is _REAL_PYTHON else _NUMPY).get(method)
        asked = None if known is None else _read(known, kind, method, arguments, named)
        if self.rewards_at and self.rewards_at in linecache.getline(frame.f_code.co_filename, frame.f_lineno):
            return _reward(self, frame, asked, named.get("size"))
        if stream.is_own(self):
            self.fixed.append(Fixed(str(stream.origin[-1]), _places(frame)[0], self.pulls))
            return getattr(stream.really(self), method)(*arguments, **named)
        call = stream.call(self, frame)
        if asked is None:
            chosen = _CHOSEN.get((kind is _REAL_PYTHON, method))
            find = None if chosen is None else _read(chosen, kind, method, arguments, named)
            if find is not None:
                success, size = getattr(find, "success", 0.0), getattr(find, "size", None)
                if size is None:
                    return find(self.single(call, "uniform", frame, success))
                drawn = self.standard(call, "uniform", _shape(size), frame, success)
                found = [find(u) for u in drawn.ravel()]
                return found if method == "choices" else np.array(found).reshape(drawn.shape)
            smooth = _SMOOTH.get(method)
            drawn = None if smooth is None else _read(smooth, kind, method, arguments, named)
            coin = self.coin(call, frame)
            if drawn is not None:
                return _by_quantile(coin, *drawn)
            return getattr(_fresh(kind, coin), method)(*arguments, **named)
        law, location, scale, size = asked
        if size is None and all(type(x) in (float, int) or not np.ndim(x) for x in (location, scale)):
            return float(location + scale * self.single(call, law, frame))
        shape = np.broadcast_shapes(np.shape(location), np.shape(scale)) if size is None else _shape(size)
        return location + np.asarray(scale) * self.standard(call, law, shape, frame)

    def reward(self) -> float:
        """The reward of the next pull; none is left after the last one."""
        self.pulls += 1
        return self.rewards[self.pulls - 1] if self.pulls <= len(self.rewards) else 0.0


@dataclass
class FreshTape:
    """Draws of their true laws, which are neither named nor recorded: for many runs of which only the arms count."""

    seed: int
    pulls: int = 0
    drawn: int = 0
    streams: int = 0  # that nobody seeded
    outside: Outside | None = None
    _made: dict[type, Any] = field(default_factory=dict)  # generators that nobody seeded, by kind

    def answer(self, stream: _Stream, kind: type, method: str, arguments: tuple, named: dict[str, Any]) -> Any:
        """What a method of a generator answers."""
        self.drawn += 1
        if stream.is_own(self):
            return getattr(stream.really(self), method)(*arguments, **named)
        if stream.origin[0] == "seed":  # whoever gives it, may give every run another one
            if stream.tape is not self or stream.seeded is None:
                stream.tape = self
                stream.seeded = _fresh(kind, crc32(repr((self.seed, stream.origin)).encode()))
            return getattr(stream.seeded, method)(*arguments, **named)
        if stream.origin[0] == "counted":  # another one may draw the same
            place = self.seed, *stream.next_in(self)
            return getattr(_fresh(kind, crc32(repr(place).encode())), method)(*arguments, **named)
        return getattr(self.generator(kind), method)(*arguments, **named)

    def generator(self, kind: type) -> Any:
        """The one of this kind that nobody seeded."""
        if kind not in self._made:
            self._made[kind] = _fresh(kind, self.seed)
        return self._made[kind]


def only_arms_count() -> bool:
    """Whether draws are neither named nor recorded now."""
    return bool(_playing) and isinstance(_playing[-1], FreshTape)


REAL = _REAL_GENERATOR, _REAL_LEGACY, _REAL_PYTHON = np.random.Generator, np.random.RandomState, random.Random
SOURCES = (
    np.random.SeedSequence,
    *(np.random.PCG64, np.random.PCG64DXSM, np.random.MT19937, np.random.Philox, np.random.SFC64),
)
_playing: list[Tape | FreshTape] = []
_ROOMS = (dirname(__file__), dirname(np.__file__), random.__file__, copy.__file__)


_READ = "stream"  # what a state that was read says
_COUNTED = ("seed", "counted")  # kinds of streams whose draws are named by their numbers


class _Stream:
    """Where in its stream a generator stands. A stream begins anew with every tape."""

    def __init__(self, seed: Any, kind: type) -> None:
        self.tape: Tape | FreshTape | None = None
        self.kind = kind
        self.begin(seed)

    def begin(self, seed: Any) -> None:
        self.tape, self.calls = (_playing[-1] if _playing else None), 0
        self.seeded: Any = None  # its generator, on a tape that names no draws
        self.spawned = 0
        self.own: Any = None  # the real generator, where a seed of the program gives it
        self.begun: Callable[[], Any] | None = None  # makes it
        self.named = ""  # the name under which a module or a class holds it
        if not _unseeded(seed):
            self.origin: tuple[Hashable, ...] = ("seed", _literal(seed))
            outside = None if self.tape is None else self.tape.outside
            if outside is not None and is_own(_asker(), outside):
                whole = self.kind is not _REAL_GENERATOR or isinstance(seed, np.random.BitGenerator)
                self.begun = lambda: self.kind(seed if whole else np.random.PCG64(cast(Any, seed)))
                self.own = self.begun()
        elif self.tape is not None:
            _take(seed)
            self.tape.streams += 1
            self.origin = ("stream", self.tape.streams)
        else:
            self.origin = ("stream", 0)

    def is_own(self, tape: Tape | FreshTape) -> bool:
        """Whether a seed of the program gives it; one that whoever makes the policy hands to it is his."""
        if self.named and self.own is not None:
            return tape.outside is not None and not any(self.named in code.co_names for code in tape.outside.makers)
        return self.own is not None

    def really(self, tape: Tape | FreshTape) -> Any:
        """The real generator, which begins anew with every tape."""
        if self.tape is not tape and self.begun is not None:
            self.tape, self.own = tape, self.begun()
        return self.own

    def state(self, done: str) -> tuple[tuple[Hashable, ...], int]:
        """Where it stands, so that another generator can go on from there: from now on its draws are counted.

        A stream that began before the run may begin anew with every run, or go on, which nobody knows.
        """
        if self.origin[0] in ("stream", "child", "random", "numpy"):
            self.origin, self.calls = ("counted", self.origin, self.calls), 0
        elif self.origin[0] not in _COUNTED:
            _not_followed(done)
        return self.origin, self.calls

    def go_on(self, state: Any) -> None:
        """From a state that was read here, or from one of a real generator, which some seed or system gave it."""
        read = _as_tuples(state.get(_READ, state) if isinstance(state, dict) else state)
        self.own = None
        if isinstance(read, tuple) and len(read) == 2:
            self.origin, self.calls = read
        else:
            _not_followed("the policy sets the state of a generator")
            self.origin, self.calls = ("seed", repr(state)), 0

    def next_in(self, tape: Tape | FreshTape) -> Name:
        """The stream and the number of its next call, which begins anew with every tape."""
        if self.tape is not tape:
            self.tape, self.calls = tape, 0
        self.calls += 1
        return self.origin, self.calls

    def call(self, tape: Tape, frame: FrameType) -> Name:
        """The name of a call: its number in a stream that was seeded or copied, else who asks and the pull."""
        counted = self.next_in(tape)
        if self.origin[0] in _COUNTED:
            return counted
        asked = self.origin, *_spot(frame), tape.pulls
        tape.asked[asked] += 1
        return (*asked, tape.asked[asked])


def _as_tuples(state: Any) -> Any:
    """What was read, also after it was written to a file of JSON."""
    return tuple(map(_as_tuples, state)) if isinstance(state, list | tuple) else state


def is_seeded(name: Name) -> bool:
    """Whether a draw is of a stream that somebody seeded."""
    return isinstance(name[0], tuple) and name[0][0] == "seed"


def _unseeded(seed: Any) -> bool:
    return seed is None or getattr(seed, "unseeded", False)


def _take(seed: Any) -> None:
    """Note that a seed sequence that nobody seeded gives a generator: two of them would draw the same."""
    if isinstance(seed, np.random.SeedSequence) and _unseeded(seed) and _playing:
        if getattr(seed, "taken_by", None) is _playing[-1]:
            _not_followed("one seed sequence gives several generators")
        cast(Any, seed).taken_by = _playing[-1]


def _literal(seed: Any) -> str:
    if isinstance(seed, np.random.SeedSequence):
        return f"{seed.entropy} {seed.spawn_key}"
    if isinstance(seed, np.random.BitGenerator):
        given = getattr(seed, "given", None)
        return repr(seed.state) if given is None else _literal(given)
    return repr(np.asarray(seed).tolist()) if isinstance(seed, int | np.integer | np.ndarray | list) else repr(seed)


def _asker() -> FrameType:
    """The frame that asked for a draw: the innermost one outside of this room and of the libraries that draw."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_ROOMS):
        frame = frame.f_back
    return frame


def _places(frame: FrameType) -> tuple[Place, ...]:
    """The line of a frame, and those that called it in the same file."""
    places, file, at = [], frame.f_code.co_filename, frame
    while at is not None and at.f_code.co_filename == file and len(places) < CALLERS:
        places.append((file, at.f_lineno, at.f_code.co_name))
        at = at.f_back
    return tuple(places)


def _spot(frame: FrameType) -> Spot:
    """Where a frame asks for a draw, however its file is laid out."""
    return _spot_of(frame.f_code, frame.f_lineno)


@lru_cache(4096)
def _spot_of(code: CodeType, line: int) -> Spot:
    return basename(code.co_filename), qualified(code), _numbers(code).get(line, -1)


@lru_cache(4096)
def _numbers(code: CodeType) -> dict[int, int]:
    """The lines of a function on which something runs, numbered."""
    return {line: k for k, line in enumerate(sorted({line for *_, line in code.co_lines() if line is not None}))}


def qualified(code: CodeType) -> str:
    """The name of a function, with its class."""
    return code.co_qualname


def _scaled(law: str, scale: Any = 1.0, size: Any = None) -> tuple:
    return law, 0.0, scale, size


def _plain(law: str, size: Any = None) -> tuple:
    return law, 0.0, 1.0, size


def _between(low: Any = 0.0, high: Any = 1.0, size: Any = None) -> tuple:
    return "uniform", low, np.subtract(high, low), size


def _dimensions(law: str, *size: int) -> tuple:
    return law, 0.0, 1.0, size or None


_NUMPY: dict[str, Callable[..., tuple]] = {
    "laplace": lambda loc=0.0, scale=1.0, size=None: ("laplace", loc, scale, size),
    "normal": lambda loc=0.0, scale=1.0, size=None: ("normal", loc, scale, size),
    "gumbel": lambda loc=0.0, scale=1.0, size=None: ("gumbel", loc, scale, size),
    "logistic": lambda loc=0.0, scale=1.0, size=None: ("logistic", loc, scale, size),
    "exponential": partial(_scaled, "exponential"),
    "standard_exponential": partial(_plain, "exponential"),
    "standard_normal": partial(_plain, "normal"),
    "uniform": _between,
    "random": partial(_plain, "uniform"),
    "random_sample": partial(_plain, "uniform"),
    "rand": partial(_dimensions, "uniform"),
    "randn": partial(_dimensions, "normal"),
}
_PYTHON: dict[str, Callable[..., tuple]] = {
    "gauss": lambda mu=0.0, sigma=1.0: ("normal", mu, sigma, None),
    "normalvariate": lambda mu=0.0, sigma=1.0: ("normal", mu, sigma, None),
    "expovariate": lambda lambd=1.0: ("exponential", 0.0, 1 / lambd, None),
    "uniform": lambda a, b: ("uniform", a, b - a, None),
    "random": lambda: ("uniform", 0.0, 1.0, None),
}


def _one_of(values: Any, size: Any = None, replace: bool = True, p: Any = None, **other: Any) -> Any:
    """One of some values, for a uniform draw; None for what is asked in another way."""
    if size is not None and not replace or other or np.ndim(values) > 1:
        return None
    alone = np.ndim(values) == 0
    count = int(values) if alone else len(values)
    steps = np.arange(1, count + 1) / count if p is None else np.cumsum(np.asarray(p, dtype=float))
    if len(steps) != count or abs(steps[-1] - 1) > 1e-6 or p is not None and np.min(p) < 0:
        return None  # numpy says what is wrong

    def find(u: float) -> Any:
        at = min(int(np.searchsorted(steps / steps[-1], u, side="right")), count - 1)
        return np.int64(at) if alone else np.asarray(values)[at]

    return _Sized(find, size)


def _some_of(values: Any, weights: Any = None, *, cum_weights: Any = None, k: int = 1) -> Any:
    """Independent ones of some values, each for a uniform draw; None for what is asked in another way."""
    if weights is not None and cum_weights is not None or not len(values):
        return None  # Python says what is wrong
    heights = [1.0] * len(values) if weights is None else weights
    steps = np.cumsum(np.asarray(heights, dtype=float)) if cum_weights is None else np.asarray(cum_weights, dtype=float)
    if len(steps) != len(values) or not 0 < steps[-1] < inf or np.diff(steps, prepend=0.0).min() < 0:
        return None
    last = len(values) - 1
    return _Sized(lambda u: values[min(int(np.searchsorted(steps, u * steps[-1], side="right")), last)], k)


def _trial(n: Any, p: Any, size: Any = None) -> Any:
    """Whether a trial succeeds, for a uniform draw; None for several trials."""
    return _Sized(lambda u: int(u >= 1 - p), size) if np.ndim(p) == np.ndim(n) == 0 and n == 1 else None


def _integer(low: Any, high: Any = None, *other: Any, **named: Any) -> Any:
    """An integer below a bound, for a uniform draw; None for what is asked in another way."""
    if other or named or np.ndim(low) or np.ndim(high):
        return None
    start, end = (0, int(low)) if high is None else (int(low), int(high))
    return (lambda u: start + int(u * (end - start))) if end > start else None


@dataclass(frozen=True)
class _Sized:
    """How uniform draws find as many values as asked for; one if no size is given."""

    find: Callable[[float], Any]
    size: Any

    def __call__(self, u: float) -> Any:
        return self.find(u)


@dataclass(frozen=True)
class _Trials:
    """How many trials it takes up to the first success, for a uniform draw."""

    success: float
    size: Any = None

    def __call__(self, u: float) -> int:
        return max(1, ceil(log1p(-u) / log1p(-self.success)))


def _geometric(p: float, size: Any = None) -> Any:
    """The number of trials up to the first success."""
    return _Trials(float(p), size) if not np.ndim(p) and 0 < p < 1 else None


def _triangular(left: Any = 0.0, mode: Any = None, right: Any = 1.0, size: Any = None) -> Any:
    """A triangular variable; None for several that differ."""
    if any(map(np.ndim, (left, right, mode or 0))) or not left < right:
        return None
    peak = (left + right) / 2 if mode is None else mode
    share = (peak - left) / (right - left)

    def find(u: float) -> float:
        below = left + ((right - left) * (peak - left) * u) ** 0.5
        return below if u < share else right - ((right - left) * (right - peak) * (1 - u)) ** 0.5

    return _Sized(find, size)


_CHOSEN: dict[tuple[bool, str], Callable[..., Any]] = {
    (False, "choice"): _one_of,
    (False, "integers"): lambda *at, **named: (find := _integer(*at, **named)) and (lambda u: np.int64(find(u))),
    (False, "randint"): _integer,
    (False, "geometric"): _geometric,
    (False, "binomial"): _trial,
    (False, "triangular"): _triangular,
    (True, "triangular"): lambda low=0.0, high=1.0, mode=None: _triangular(low, mode, high),
    (True, "choices"): _some_of,
    (True, "binomialvariate"): lambda n=1, p=0.5: _trial(n, p),
    (True, "choice"): lambda values: lambda u: values[int(u * len(values))],
    (True, "randrange"): _integer,
    (True, "randint"): lambda low, high: _integer(low, high + 1),
}
"""Draws of mostly countably many values: how a uniform draw finds one, by whether it is of Python's module."""


def _beta(u: Any, a: Any, b: Any) -> Any:
    from scipy.special import betaincinv

    return betaincinv(a, b, u)


def _gamma(u: Any, shape: Any, scale: Any) -> Any:
    from scipy.special import gammaincinv

    return np.multiply(scale, gammaincinv(shape, u))


_SMOOTH: dict[str, Callable[..., Any]] = {
    "beta": lambda a, b, size=None: (_beta, a, b, size),
    "gamma": lambda shape, scale=1.0, size=None: (_gamma, shape, scale, size),
    "standard_gamma": lambda shape, size=None: (_gamma, shape, 1.0, size),
    "betavariate": lambda alpha, beta: (_beta, alpha, beta, None),
    "gammavariate": lambda alpha, beta: (_gamma, alpha, beta, None),
}
"""Laws that a uniform draw finds by their quantiles: where rewards move a parameter by little, so they do the draw."""


def _by_quantile(seed: int, quantile: Callable[..., Any], one: Any, two: Any, size: Any) -> Any:
    if size is None and {type(one), type(two)} <= {int, float, np.float64, np.int64}:
        return _single_by_quantile(seed, quantile, one, two)
    shape = np.broadcast_shapes(np.shape(one), np.shape(two)) if size is None else _shape(size)
    if np.min(one) <= 0 or np.min(two) <= 0:
        raise ValueError("the parameters of a law have to be positive")
    drawn = quantile(_fresh(_REAL_GENERATOR, seed).random(shape), one, two)
    return float(drawn) if size is None and not shape else np.asarray(drawn)


@lru_cache(1 << 16)  # replays mostly ask for what was asked for before
def _single_by_quantile(seed: int, quantile: Callable[..., Any], one: float, two: float) -> float:
    if min(one, two) <= 0:
        raise ValueError("the parameters of a law have to be positive")
    return float(quantile(_fresh(_REAL_GENERATOR, seed).random(), one, two))


def _answer(stream: _Stream, kind: type, method: str, arguments: tuple, named: dict[str, Any]) -> Any:
    """What a method of a generator answers: from the tape that is playing."""
    if not _playing:  # somebody else's thread
        return getattr(_fresh(kind, None), method)(*arguments, **named)
    return _playing[-1].answer(stream, kind, method, arguments, named)


def _read(known: Callable[..., Any], kind: type, method: str, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """Law, location, scale and size of a call, or how it chooses; None for one with options that are not followed.

    What the real generator refuses, such as a negative scale, it refuses here.
    """
    try:
        read = known(*arguments, **named)
    except (TypeError, ValueError):  # `out`, `dtype`, `method`: its law is not looked at
        return None
    if read is not None:
        try:
            getattr(_refusing(kind), method)(*arguments, **named)
        except Exception as error:
            frame = _asker()
            line = linecache.getline(frame.f_code.co_filename, frame.f_lineno).strip()
            given = ", ".join([*map(reprlib.repr, arguments), *(f"{k}={reprlib.repr(v)}" for k, v in named.items())])
            error.add_note(
                f"{method}({given}) is refused: {basename(frame.f_code.co_filename)}, line {frame.f_lineno}: {line}"
            )
            raise
    return read


@cache
def _refusing(kind: type) -> Any:
    """A real generator of which the draws are not looked at."""
    return _fresh(kind, 0)


def _shape(size: Any) -> tuple[int, ...]:
    return (int(size),) if np.ndim(size) == 0 else tuple(int(n) for n in size)


def _reward(tape: Tape, frame: FrameType, asked: tuple | None, size: Any) -> Any:
    """The next rewards: themselves, or the uniform draws that make them where a mean is compared with one."""
    shape = size if asked is None else asked[3]
    count = 1 if shape is None else int(np.prod(_shape(shape)))
    if asked is not None and asked[0] == "laplace":
        told = "a piece of a line that draws a reward, and no Laplace noise (which has a line of its own)"
        raise InvalidInput("rewards_at", tape.rewards_at, told)
    if tape.pulled is not None:
        tape.pulled(frame)
    rewards = np.array([tape.reward() for _ in range(count)])
    uniform = asked is not None and asked[0] == "uniform"
    values = np.where(rewards > 0.5, 0.0, BELOW_ONE) if uniform else rewards
    return values.item() if shape is None else values.reshape(_shape(shape))


def own_generator(*seed: int) -> np.random.Generator:
    """A generator for the check itself, which no tape answers."""
    return _REAL_GENERATOR(np.random.PCG64(seed))


def _fresh(kind: type, seed: int | None) -> Any:
    if kind is _REAL_GENERATOR:
        return kind(np.random.PCG64(seed))
    return kind(seed if seed is None or kind is _REAL_PYTHON else seed % 2**32)


_QUIET = {"bit_generator", "spawn", "seed", "getstate", "setstate", "get_state", "set_state"}


def _methods(kind: type) -> Iterator[str]:
    for name in dir(kind):
        if not name.startswith("_") and name not in _QUIET and name != "VERSION" and callable(getattr(kind, name)):
            yield name


def _method(kind: type, name: str) -> Callable[..., Any]:
    def drawn(self: Any, *arguments: Any, **named: Any) -> Any:
        return _answer(self.stream, kind, name, arguments, named)

    drawn.__name__ = name
    return drawn


def _not_followed(what: str) -> None:
    if _playing and isinstance(_playing[-1], Tape):
        frame = _asker()
        line = linecache.getline(frame.f_code.co_filename, frame.f_lineno).strip()
        told = f"{what}, which is not followed (draw from random or numpy.random)"
        _playing[-1].told.add(f"{told}: line {frame.f_lineno}: {line}")


def _copied(kind: type, origin: tuple[Hashable, ...], calls: int, own: Any = None) -> Any:
    """A generator at the place of a stream at which another one was copied."""
    copied = kind(0)
    copied.stream.origin, copied.stream.calls = origin, calls
    copied.stream.own, copied.stream.begun = own, None
    return copied


class _Copied:
    """A copied generator draws what its original will draw."""

    stream: _Stream

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        own = copy.deepcopy(self.stream.own)
        return _copied, (type(self), *self.stream.state("a generator is copied"), own)


class _Bits:
    """The source of bits of a generator, of which the state alone is followed."""

    def __init__(self, stream: _Stream) -> None:
        self.stream = stream

    @property
    def state(self) -> dict[str, Any]:
        if self.stream.own is not None:
            return self.stream.own.bit_generator.state
        return {"bit_generator": "PCG64", _READ: self.stream.state("the policy reads the state of a generator")}

    @state.setter
    def state(self, state: Any) -> None:
        self.stream.go_on(state)

    def __deepcopy__(self, memo: dict[int, Any]) -> _Bits:
        copied = _Stream(0, self.stream.kind)
        copied.tape, (copied.origin, copied.calls) = self.stream.tape, self.stream.state("a generator is copied")
        copied.own, copied.begun = copy.deepcopy(self.stream.own), None
        return _Bits(copied)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        _not_followed("the policy reads the bits of a generator")
        return getattr(np.random.PCG64(0), name)


class ForeignGenerator(_Copied, _REAL_GENERATOR):
    """A `numpy.random.Generator` that answers from the tape."""

    def __init__(self, bit_generator: Any) -> None:
        super().__init__(np.random.PCG64(0))
        bits = isinstance(bit_generator, _Bits)
        self.stream = bit_generator.stream if bits else _Stream(bit_generator, _REAL_GENERATOR)

    @property
    def bit_generator(self) -> Any:
        return _Bits(self.stream)

    def spawn(self, n_children: int) -> list[Any]:
        tape, stream = _playing[-1] if _playing else None, self.stream
        if stream.own is not None:
            return [_copied(ForeignGenerator, stream.origin, 0, child) for child in stream.own.spawn(n_children)]
        if stream.origin[0] == "seed":  # the children of equal seeds are equal
            origins = [("seed", (stream.origin, stream.spawned + k)) for k in range(n_children)]
        else:
            call = stream.call(tape, _asker()) if isinstance(tape, Tape) else (stream.origin, 0)
            origins = [("child", *call, k) for k in range(n_children)]
        stream.spawned += n_children
        return [_copied(ForeignGenerator, origin, 0) for origin in origins]


def _source(kind: Any) -> Any:
    """A source of seeds or bits that knows whether anybody seeded it."""

    class Source(kind):
        def __init__(self, seed: Any = None, **named: Any) -> None:
            self.unseeded, self.given = _unseeded(seed), seed
            _take(seed)
            super().__init__(0 if self.unseeded else seed, **named)

        def spawn(self, n_children: int) -> Any:
            children = super().spawn(n_children)
            for child in children:  # of what nobody seeded nobody seeds the children
                child.unseeded = self.unseeded
            return children

    Source.__name__ = kind.__name__
    return Source


class ForeignRandomState(_Copied, _REAL_LEGACY):
    """A `numpy.random.RandomState` that answers from the tape."""

    def __init__(self, seed: Any = None) -> None:
        super().__init__(0)
        self.stream = _Stream(seed, _REAL_LEGACY)

    def seed(self, seed: Any = None) -> None:
        self.stream.begin(seed)

    def get_state(self, legacy: bool = True) -> Any:
        return self.stream.state("the policy reads the state of a generator")

    def set_state(self, state: Any) -> None:
        self.stream.go_on(state)


class ForeignRandom(_Copied, _REAL_PYTHON):
    """A `random.Random` that answers from the tape."""

    def __new__(cls, seed: Any = None) -> ForeignRandom:
        return super().__new__(cls)

    def __init__(self, seed: Any = None) -> None:
        self.stream = _Stream(None, _REAL_PYTHON)
        super().__init__(0)
        self.stream.begin(seed)

    def seed(self, a: Any = None, version: int = 2) -> None:
        self.stream.begin(a)

    def getstate(self) -> Any:
        return self.stream.state("the policy reads the state of a generator")

    def setstate(self, state: Any) -> None:
        self.stream.go_on(state)


class ForeignSystem(ForeignRandom):
    """A `random.SystemRandom`, which nobody seeds."""

    def __new__(cls, seed: Any = None) -> ForeignSystem:
        return cast(ForeignSystem, super().__new__(cls))

    def __init__(self, seed: Any = None) -> None:
        super().__init__()

    def seed(self, a: Any = None, version: int = 2) -> None:
        return None


for _ours, _real in (
    (ForeignGenerator, _REAL_GENERATOR),
    (ForeignRandomState, _REAL_LEGACY),
    (ForeignRandom, _REAL_PYTHON),
):
    for _name in _methods(_real):
        setattr(_ours, _name, _method(_real, _name))


def foreign_rng(seed: Any = None) -> Any:
    """`numpy.random.default_rng` while a tape is playing."""
    return seed if isinstance(seed, _REAL_GENERATOR) else ForeignGenerator(seed)


def _bytes(count: int) -> bytes:
    """`os.urandom` while a tape is playing."""
    if not _playing:
        return _URANDOM(count)
    tape, frame = _playing[-1], _asker()
    if isinstance(tape, FreshTape):
        return tape.generator(_REAL_GENERATOR).bytes(count)
    return own_generator(tape.coin(_system.call(tape, frame), frame)).bytes(count)


def _global(kind: type, origin: str) -> Any:
    made = kind(0)
    made.stream.origin = (origin,)
    return made


@cache
def _replacements() -> dict[int, tuple[Any, Any]]:
    """What is exchanged while tapes play, by identity: (the real thing, ours)."""
    exchanges: dict[int, tuple[Any, Any]] = {}
    pairs: list[tuple[Any, Any]] = [
        (np.random.default_rng, foreign_rng),
        (np.random.Generator, ForeignGenerator),
        (np.random.RandomState, ForeignRandomState),
        (random.Random, ForeignRandom),
        (random.SystemRandom, ForeignSystem),
        (_URANDOM, _bytes),
        (np.empty, np.zeros),  # what memory holds by chance is no difference between two runs
        (np.empty_like, np.zeros_like),
        *((kind, _source(kind)) for kind in SOURCES),
    ]
    for module, ours in ((random, _global(ForeignRandom, "random")), (np.random, _global(ForeignRandomState, "numpy"))):
        _GLOBAL.append(ours)
        names = [n for n in dir(module) if not n.startswith("_") and hasattr(ours, n)]
        pairs += [(getattr(module, n), getattr(ours, n)) for n in names if not isinstance(getattr(module, n), type)]
    for real, replacement in pairs:
        exchanges[id(real)] = real, replacement
    return exchanges


_SYSTEM, _URANDOM = random.SystemRandom, os.urandom
_system = _Stream(None, _REAL_PYTHON)  # of the system's bytes
_system.origin = ("system",)
_GLOBAL: list[Any] = []  # the streams of the two modules


@contextmanager
def exchanged() -> Iterator[None]:
    """Within the block the modules that draw, and whoever has imported from them, have our generators.

    A generator that a module made when it was imported is exchanged too: its stream is that of its name. So is what
    classes and functions of somebody else hold since then: attributes, defaults of parameters and of the fields of a
    data class.
    """
    table, undo = _replacements(), list[tuple[Any, str, Any]]()

    def replaced(value: Any, origin: str) -> Any:
        ours = table.get(id(value), (None, None))[1]
        if ours is None and origin and isinstance(value, FOLLOWED):
            ours = _exchanged_object(value, origin)
        return value if ours is None else ours

    def exchange(holder: Any, name: str, value: Any, ours: Any) -> None:
        if ours is not value:
            undo.append((holder, name, value))
            setattr(holder, name, ours)

    for module in [m for m in sys.modules.values() if isinstance(m, ModuleType)]:
        if module.__name__.startswith(("banditproof", "numpy.")) and module is not np.random:
            continue
        file = getattr(module, "__file__", None)
        users = module.__name__ == "__main__" if file is None else not is_library(file)
        for name, value in list(vars(module).items()):
            followed = users or module is not np.random and not name.startswith("_")
            exchange(module, name, value, replaced(value, f"{module.__name__}.{name}" if followed else ""))
            if users and getattr(value, "__module__", "") == module.__name__:
                for attribute, held in [*vars(value).items()] if isinstance(value, type) else [("", value)]:
                    origin = f"{module.__name__}.{name}.{attribute}"
                    if isinstance(held, FunctionType):
                        for kind in ("__defaults__", "__kwdefaults__"):
                            given = getattr(held, kind) or ()
                            pairs = [*(given.items() if isinstance(given, dict) else enumerate(given))]
                            ours = {key: replaced(one, f"{origin} {key}") for key, one in pairs}
                            if any(ours[key] is not one for key, one in pairs):
                                exchange(held, kind, given, ours if isinstance(given, dict) else (*ours.values(),))
                        for cell in held.__closure__ or ():
                            with suppress(ValueError):  # nothing is in the cell yet
                                exchange(cell, "cell_contents", cell.cell_contents, replaced(cell.cell_contents, ""))
                    elif attribute:
                        exchange(value, attribute, held, replaced(held, origin))
    try:
        yield
    finally:
        for holder, name, value in reversed(undo):
            setattr(holder, name, value)


def _parents(name: str) -> Iterator[str]:
    """What a name may be an attribute of."""
    while name:
        yield name
        name = name.rpartition(".")[0]


def _exchanged_object(value: Any, origin: str) -> Any:
    """Ours for a generator, or for what holds one: a static method, a method that is bound to it, a partial call, a
    container; None for anything else."""
    kinds = ((_REAL_GENERATOR, ForeignGenerator), (_REAL_LEGACY, ForeignRandomState), (_REAL_PYTHON, ForeignRandom))
    for real, ours in (*kinds, (_SYSTEM, ForeignRandom)):
        if type(value) is real:
            made, module = _global(ours, origin), next(m for m in _parents(origin) if m in sys.modules)
            file, held = getattr(sys.modules[module], "__file__", None), origin[len(module) + 1 :]
            if (seed := named_seed(file, held)) is not None:
                made.stream.origin, made.stream.named = ("global", origin, seed), origin.rpartition(".")[2]
                made.stream.begun = lambda: copy.deepcopy(value)
                made.stream.own = value
            return made

    def of(inner: Any, name: object = "") -> Any:
        return _replacements().get(id(inner), (None, None))[1] or _exchanged_object(inner, f"{origin} {name}".rstrip())

    if isinstance(value, staticmethod):
        return None if (made := of(value.__func__)) is None else staticmethod(made)
    if isinstance(value, partial):
        return None if (made := of(value.func)) is None else partial(made, *value.args, **value.keywords)
    if isinstance(value, BuiltinMethodType | MethodType) and type(value.__self__) in REAL:
        return getattr(of(value.__self__), value.__name__)
    if isinstance(value, list | tuple | dict) and type(value) in (list, tuple, dict) and len(value) <= FEW_HELD:
        pairs = [*(value.items() if isinstance(value, dict) else enumerate(value))]
        held = {key: of(one, key) if isinstance(one, HOLDING) else None for key, one in pairs}
        if any(made is not None for made in held.values()):
            both = {key: one if held[key] is None else held[key] for key, one in pairs}
            return (
                both if isinstance(value, dict) else tuple(both.values()) if type(value) is tuple else [*both.values()]
            )
    return None


FEW_HELD = 100  # in a container that may hold generators
HOLDING = (*REAL, staticmethod, partial, BuiltinMethodType, MethodType)
FOLLOWED = (*HOLDING, list, tuple, dict)


@contextmanager
def playing(tape: Tape | FreshTape) -> Iterator[Tape | FreshTape]:
    """Within the block draws are answered from the tape; the streams of the two modules begin anew."""
    for stream, origin in zip(_GLOBAL, ("random", "numpy"), strict=False):
        stream.stream.origin, stream.stream.calls, stream.stream.own = (origin,), 0, None
    _playing.append(tape)
    try:
        yield tape
    finally:
        _playing.pop()
