"""The numbers that a policy keeps: in its attributes and in what they hold, each under a path such as `means[2]`.

Functions hold the variables of their closures, and a generator that waits holds those of its variables that it still
reads when it goes on: the others are no longer kept. A whole number beyond the largest float is entered in pieces.
"""

from __future__ import annotations

import dis
import re
from collections import deque
from collections.abc import Iterable
from functools import lru_cache, partial
from types import CodeType, FunctionType, GeneratorType, MethodType
from typing import Any

import numpy as np

from banditproof.verify.source_lines import is_library

State = dict[str, float]

NUMBERS = (bool, int, float, np.number, np.ndarray, list, tuple, dict, deque)
_SINGLE, _ARRAYS = (bool, int, float, np.number, np.bool_), (np.ndarray, np.void)
_ROWS, _HOLDING = (list, tuple, deque), (FunctionType, GeneratorType, MethodType, partial)
DEEPEST, LONGEST = 6, 5000  # objects within objects; entries of a state
MOST_BITS, PIECE = 1023, 53  # of a whole number that is a float, and that a float holds exactly
ROOM = 64  # entries of an array that are entered behind the last one that was written


def enter(value: Any, path: str, state: State, depth: int, seen: set[int] | None = None) -> None:
    """Enter the numbers that a value holds into the state, each under its path.

    Functions and generators are entered once, and the objects with these identities not at all where functions hold
    them.
    """
    if type(value) is float:  # most are: asked first
        state[path] = value
    elif isinstance(value, int) and value.bit_length() > MOST_BITS:
        pieces = range(0, min(value.bit_length(), PIECE * LONGEST), PIECE)
        state.update({f"{path}>>{k}": float(value >> k & 2**PIECE - 1) for k in pieces}, **{f"sign({path})": value > 0})
    elif isinstance(value, _SINGLE):
        state[path] = float(value)
    elif depth > DEEPEST or len(state) > LONGEST:
        return
    elif isinstance(value, _ARRAYS):
        if value.dtype.names:
            for name in value.dtype.names:
                enter(value[name], f"{path}.{name}", state, depth + 1, seen)
        elif value.dtype.kind in "biuf":
            numbers = _without_rest(np.asarray(value, dtype=float))
            state.update(zip(_entries(path, numbers.shape), numbers.ravel().tolist(), strict=True))
    elif isinstance(value, dict):
        for key, inner in value.items():
            name = key if isinstance(key, str) and not path else f"[{key!r}]"
            step = f"{path}.{key}" if path and isinstance(key, str) else f"{path}{name}"
            enter(inner, step, state, depth + 1, seen)
    elif isinstance(value, _ROWS):
        state[f"len({path})"], places = float(len(value)), _places(path, len(value).bit_length())
        if _simple(value):
            state.update(zip(places, map(float, value), strict=False))
            return
        for place, inner in zip(places, value, strict=False):
            if type(inner) is tuple and _simple(inner) and len(state) <= LONGEST:
                state.update(_row(place, inner) if depth < DEEPEST else ())
            else:
                enter(inner, place, state, depth + 1, seen)
    elif isinstance(value, set | frozenset):
        for k, inner in enumerate(sorted(value, key=repr)):
            enter(inner, f"{path}{{{k}}}", state, depth + 1, seen)
    elif isinstance(value, _HOLDING):
        seen = set() if seen is None else seen
        if id(value) not in seen:
            seen.add(id(value))
            enter({k: v for k, v in _closed_over(value).items() if id(v) not in seen}, path, state, depth + 1, seen)
    elif type(value).__module__.partition(".")[0] not in _PLAIN:
        enter(attributes(value), path, state, depth + 1, seen)


def _simple(values: Iterable[Any]) -> bool:
    """Whether all of them are numbers that are floats as well."""
    return all(type(x) in _SIMPLE and not (type(x) is int and x.bit_length() > MOST_BITS) for x in values)


@lru_cache(256)
def _entries(path: str, shape: tuple[int, ...]) -> tuple[str, ...]:
    """The paths of the entries of an array."""
    return tuple(f"{path}[{','.join(map(str, k))}]" for k in np.ndindex(shape))


@lru_cache(LONGEST)
def _row(path: str, row: tuple[float, ...]) -> State:
    """The entries of a tuple of numbers, which stay what they are from one pull to the next."""
    return {f"len({path})": float(len(row)), **{f"{path}[{k}]": float(number) for k, number in enumerate(row)}}


@lru_cache(1024)
def _places(path: str, bits: int) -> tuple[str, ...]:
    """The paths of the entries of a list, and of more."""
    return _entries(path, (2**bits,))


def _without_rest(numbers: np.ndarray) -> np.ndarray:
    """An array without the end of its last axis that repeats its last entries, but for some of it: room for later."""
    if not numbers.ndim or numbers.shape[-1] <= 4 * ROOM:
        return numbers
    written = np.flatnonzero((numbers != numbers[..., -1:]).reshape(-1, numbers.shape[-1]).any(axis=0))
    return numbers[..., : (written[-1] + 1 if written.size else 0) + ROOM]


def attributes(value: Any) -> dict[str, Any]:
    """The attributes of an object, also those that have slots, and what the methods of a class that a function makes
    close over."""
    kind = type(value)
    slots = {name: getattr(value, name) for name in _slots(kind) if hasattr(value, name)}
    if "<locals>" in kind.__qualname__:
        methods = (held for held in vars(kind).values() if isinstance(held, FunctionType))
        slots |= {
            name: held
            for method in methods
            for name, held in _closed_over(method).items()
            if not isinstance(held, type)
        }
    return {**slots, **getattr(value, "__dict__", {})}


@lru_cache(1024)
def _slots(kind: type) -> tuple[str, ...]:
    """The names of the slots of a class, as its objects have them."""
    found = []
    for base in kind.__mro__:
        given = vars(base).get("__slots__", ())
        for name in (given,) if isinstance(given, str) else tuple(given):
            private = name.startswith("__") and not name.endswith("__")
            found.append(f"_{base.__name__.lstrip('_')}{name}" if private else name)
    return tuple(name for name in dict.fromkeys(found) if name not in ("__dict__", "__weakref__"))


def _closed_over(value: Any) -> dict[str, Any]:
    """What a function, a method or a generator that waits holds, by its names there."""
    if isinstance(value, GeneratorType):
        frame = value.gi_frame
        if frame is None or is_library(frame.f_code.co_filename):
            return {}
        read = read_later(frame.f_code, frame.f_lasti)
        return {name: held for name, held in frame.f_locals.items() if name in read}
    if isinstance(value, MethodType):
        return {"self": value.__self__}
    if isinstance(value, partial):
        return {"func": value.func, "args": value.args, **value.keywords}
    if is_library(value.__code__.co_filename):
        return {}
    held = {}
    for name, cell in zip(value.__code__.co_freevars, value.__closure__ or (), strict=True):
        try:
            held[name] = cell.cell_contents
        except ValueError:  # nothing is in it yet
            continue
    return held


@lru_cache(1024)
def read_later(code: CodeType, at: int) -> frozenset[str]:
    """The variables that may be read from this instruction on, before they are assigned anew.

    What was read on its line before is still in use, as in `total += yield arm`.
    """
    steps = list(dis.get_instructions(code))
    number = {step.offset: k for k, step in enumerate(steps)}
    line = {offset: line for start, end, line in code.co_lines() for offset in range(start, end)}
    there = [step for step in steps if step.offset < at and line.get(step.offset) == line.get(at)]
    read = {*code.co_freevars, *(name for step in there for how, name in _named(step) if how == "LOAD")}
    reached: list[tuple[int, frozenset[str]]] = [(number.get(at, -1) + 1, frozenset())]
    known: set[tuple[int, frozenset[str]]] = set()
    while reached:
        k, assigned = reached.pop()
        if k >= len(steps) or (k, assigned) in known:
            continue
        known.add((k, assigned))
        step = steps[k]
        for how, name in _named(step):
            if how != "LOAD":
                assigned |= {name}
            elif name not in assigned:
                read.add(name)
        if step.opcode in _JUMPS:
            reached.append((number[step.argval], assigned))
        if step.opname not in _LEAVING:
            reached.append((k + 1, assigned))
    return frozenset(read)


def _named(step: dis.Instruction) -> list[tuple[str, str]]:
    """The variables of a function that an instruction reads or assigns, in its order."""
    names = step.argval if isinstance(step.argval, tuple) else (step.argval,)
    return [*zip(_VARIABLES.findall(step.opname), names, strict=False)]


_VARIABLES = re.compile("(LOAD|STORE|DELETE)_(?:FAST|DEREF|CLOSURE)")
_LEAVING = (
    *("RETURN_VALUE", "RETURN_CONST", "RAISE_VARARGS", "RERAISE"),
    *("JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT", "JUMP_ABSOLUTE"),
)
_JUMPS = frozenset({*dis.hasjrel, *dis.hasjabs})
_SIMPLE = frozenset((bool, int, float))
_PLAIN = ("builtins", "numpy", "random", "types", "functools", "typing", "banditproof")
