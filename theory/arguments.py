"""Arguments as their annotations say: the one reader at the doors of public functions and classes.

An annotation is a type (`int`, `float`, `Budget`, `Sequence[float]`, `Callable[...]`, unions of them) or, in
`Annotated`, numbers of an interval, a function with named arguments, or what is "such as" an example:
`Annotated[int, "[1, inf)"]`, `Annotated[Callable[[int, float], Any], "(arms, share)"]`. What
is said there is what is let in, and what the
error says is allowed. A bool is no number, nan lies in no interval, text is no sequence, and a Fraction becomes a float
where only floats are named. `np.ndarray` stands for whatever NumPy makes an array of numbers of; `Any` says nothing.
"""

from __future__ import annotations

import collections.abc
import inspect
import math
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache, wraps
from itertools import filterfalse
from typing import Annotated, Any, NamedTuple, TypeVar

import numpy as np

from banditproof.theory.errors import InvalidInput, NoNumber, as_typed, fitting, instead_of

Count = Annotated[int, "[1, inf)"]
Natural = Annotated[int, "[0, inf)"]
Size = Annotated[int, "[1, 1e9]"]  # of what is held in memory or gone through one by one
Horizon = Annotated[int, "[1, 2e18]"]  # two of them fit an int64 clock
Positive = Annotated[float, "(0, inf)"]
Nonnegative = Annotated[float, "[0, inf)"]
Share = Annotated[float, "(0, 1)"]
Error = Annotated[Fraction | float, "(0, 1)"]
Weight = Annotated[float, "(0, 1]"]
Seconds = Annotated[float, "(0, 1e9]"]
Workers = Annotated[int, "[1, 1000]"]
Seed = Natural

Target = TypeVar("Target")


class Reader(NamedTuple):
    """Whether a value is let in, what is said to be allowed, whether a Fraction is handed on as a float, and whether
    what is let in is one interval."""

    admits: Callable[[Any], bool]
    allowed: str
    rounds: bool = False
    interval: bool = False
    part: Reader | None = None  # of the entries

    def meant(self, value: Any) -> str:
        """What is let in instead of a list, the tuple, and instead of the text of a number, the number."""
        if isinstance(value, list):
            return as_typed(tuple(value)) if self.admits(tuple(value)) else ""
        try:
            number = float(value) if isinstance(value, str) else math.nan
        except ValueError:
            return ""
        return f"{value.strip()} without quotes" if self.admits(number) else ""

    def but(self, value: Any) -> str:
        """The first entry of a list that is not let in, where not all of them are refused."""
        refused = list(filterfalse(self.part.admits, value)) if self.part and isinstance(value, list | tuple) else []
        return f" (which {as_typed(refused[0])} is not)" if 0 < len(refused) < len(value) else ""


def checked(target: Target) -> Target:
    """A decorator: arguments that are not what the annotations of a function, or of a class's `__init__`, say raise
    InvalidInput with the name of the parameter and what is allowed, before anything is computed.

    >>> @checked
    ... def pulls(arms: Count, share: Annotated[float, "(0, 1]"] = 1):
    ...     return arms * share
    >>> pulls(2, 0.5)
    1.0
    >>> pulls("2")
    Traceback (most recent call last):
        ...
    banditproof.theory.errors.InvalidInput: arms must be an integer in [1, inf), got '2'
    """
    if isinstance(target, type):
        return _with_door(target, checked)
    function = typing.cast(Callable[..., Any], target)

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True  # pytest shows the caller's lines, not these
        names, readers = _door(function)
        if len(args) > len(names):
            fitting(function, args, kwargs)
        for name in kwargs.keys() - readers.keys():
            _known(function, name, args)
        rounded = {}
        for name, value in (*zip(names, args), *kwargs.items()):  # noqa: B905, too many are for Python to refuse
            reader = readers.get(name)
            if reader is not None and not reader.admits(value):
                meant = reader.meant(value)
                for other, that in zip(names, args):  # noqa: B905, as above
                    if other not in readers or not readers[other].admits(value) or not reader.admits(that):
                        continue
                    numbers = all(isinstance(one, float | int | Fraction) for one in (value, that))
                    if not numbers:
                        meant = _exchanged(function, names[: len(args)], args[0])
                    elif value > 0 or not readers[other].admits(that):  # else a single number is wrong
                        meant = f"{name}={as_typed(that)}, {other}={as_typed(value)}"
                raise InvalidInput(name, value, f"{reader.allowed}{reader.but(value)}", meant)
            if isinstance(value, Fraction) and reader is not None and reader.rounds:
                rounded[name] = float(value)
        if rounded:
            args = (*(rounded.pop(name, value) for name, value in zip(names, args)), *args[len(names) :])  # noqa: B905
        return _called(function, args, {**kwargs, **rounded})

    return typing.cast(Target, call)


def _exchanged(function: Callable[..., Any], names: Sequence[str], first: Any) -> str:
    """The order of the arguments of a call that has two in each other's place, or of the class that is built."""
    called = function.__name__
    if names[0] == "self":
        called, (_, *asked) = type(first).__name__, _parameters(type(first).__init__)
        names = [name for name in asked if name in names] or names[1:]
    return f"{called}({', '.join(names)})"


def named(target: Target) -> Target:
    """A decorator of a function, or of a class, that reads its arguments itself: for those that it does not have it
    raises TypeError, as Python does, and says which may be meant and which are given by name. Of the others it reads
    those that are True or False.
    """
    if isinstance(target, type):
        return _with_door(target, named)
    function = typing.cast(Callable[..., Any], target)
    parameters = _parameters(function)
    names, switches = tuple(parameters), {name for name, one in parameters.items() if one.annotation in ("bool", bool)}

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True  # pytest shows the caller's lines, not these
        for name in kwargs:
            _known(function, name, args)
        for name, value in (*zip(names, args), *kwargs.items()) if switches else ():  # noqa: B905, as above
            if name in switches and not isinstance(value, bool | np.bool_):
                raise InvalidInput(name, value, "True or False")
        return _called(function, args, kwargs)

    return typing.cast(Target, call)


def _with_door(target: Any, door: Callable[[Any], Any]) -> Any:
    """The class, whose constructor stands under the decorator `door`."""
    setattr(target, "__init__", door(target.__init__))  # noqa: B010, a type's own
    return target


def question(method: Target) -> Target:
    """A decorator of a method that answers yes or no, or a number: the method that is not called is no condition, which
    would hold always, and no number. Raises TypeError there.

    >>> from banditproof.theory import Enclosure
    >>> "inside" if Enclosure(0, 1).contains else "outside"
    Traceback (most recent call last):
        ...
    TypeError: Enclosure.contains is a method and no answer: call it, contains(value)
    """
    return typing.cast(Target, _Question(typing.cast(Callable[..., Any], method)))


class _Question:
    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def __get__(self, one: object | None, kind: type) -> Callable[..., Any]:
        return self._function if one is None else _Asked(self._function, one)


class _Asked(NoNumber):
    """A method of one object, which answers when it is called."""

    def __init__(self, function: Callable[..., Any], one: object) -> None:
        self._function, self._one, self.__doc__ = function, one, function.__doc__

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        return _called(self._function, (self._one, *args), kwargs)

    def __repr__(self) -> str:
        return f"<method {type(self._one).__name__}.{self._function.__name__}>"

    @property
    def meant(self) -> str:
        name, (_, *asked) = self._function.__name__, _parameters(self._function)
        return f"{type(self._one).__name__}.{name} is a method and no answer: call it, {name}({', '.join(asked)})"

    def __bool__(self) -> bool:
        return self._refused()

    def __eq__(self, other: object) -> bool:
        if isinstance(other, _Asked):
            return self._function is other._function and self._one is other._one
        return bool(self)

    def __hash__(self) -> int:
        return hash((self._function, id(self._one)))

    def __reduce__(self) -> tuple[Any, ...]:
        return getattr, (self._one, self._function.__name__)


def _called(function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """What the function returns. The TypeError for arguments that do not fit says how it is called."""
    __tracebackhide__ = True
    try:
        return function(*args, **kwargs)
    except TypeError:
        fitting(function, args, kwargs)
        raise


def _known(function: Callable[..., Any], name: str, args: Sequence[Any]) -> None:
    """Raise TypeError, as Python does, for an argument that a function does not have; it says which may be meant.

    Those of a constructor are of the class that is built, and of its bases.
    """
    parameters = _parameters(function)
    if name not in parameters and not any(one.kind is one.VAR_KEYWORD for one in parameters.values()):
        built = type(args[0]) if args and function.__name__ == "__init__" else None
        kinds = (vars(kind).get("__init__") for kind in (built.__mro__ if built else ()))
        bases = (one.items() for one in map(_parameters, filter(inspect.isfunction, kinds)))
        inherited = (n for of_base in bases for n, one in of_base if one.kind is one.KEYWORD_ONLY)  # handed on by name
        asked = _parameters(built.__init__ if built else function).values()
        own = (one.name for one in asked if one.kind is not one.VAR_KEYWORD)
        every = dict.fromkeys((*own, *inherited))
        called = built.__name__ if built else function.__qualname__
        raise TypeError(f"{called}() has no argument {name!r}: {instead_of(name, every)}")


@cache
def _parameters(function: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    return inspect.signature(function).parameters


@cache
def _door(function: Callable[..., Any]) -> tuple[tuple[str, ...], Mapping[str, Reader]]:
    """The names of what can be given by position, and the readers by name."""
    names, scope = [], getattr(inspect.unwrap(function), "__globals__")  # noqa: B009
    readers = {}
    for parameter in _parameters(function).values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if parameter.kind is not parameter.KEYWORD_ONLY:
            names.append(parameter.name)
        said = parameter.annotation
        reader = None if said is parameter.empty else reader_of(eval(said, scope) if isinstance(said, str) else said)
        if reader is not None:
            readers[parameter.name] = reader
    return tuple(names), readers


def reader_of(said: Any) -> Reader | None:
    """The reader of an annotation, None where it says nothing. Raises TypeError for one that no reader knows."""
    origin, parts = typing.get_origin(said), typing.get_args(said)
    if said is Any or isinstance(said, TypeVar):
        return None
    such_as = origin is Annotated and parts[1].startswith("such as ")
    if origin is Annotated and not such_as and typing.get_origin(parts[0]) is collections.abc.Callable:
        reader, names = reader_of(parts[0]), parts[1].partition(")")[0].strip("(").split(", ")
        if reader is None:
            return None
        asked = reader.admits
        return reader._replace(
            admits=lambda value: asked(value) and not _takes_elsewhere(value, names),
            allowed=f"a function of {parts[1]}",
        )
    if such_as:
        reader = reader_of(parts[0])
        return reader and reader._replace(allowed=f"{reader.allowed}, {parts[1]}")
    if origin is Annotated:
        return _in_interval(parts[0], parts[1])
    if origin in (typing.Union, types.UnionType):
        return _one_of([reader_of(part) for part in parts])
    if said is np.ndarray:
        return Reader(_is_array, "an array of numbers")
    if origin is collections.abc.Callable or said is Callable:
        return _function(parts[0] if parts and isinstance(parts[0], list) else None)
    if origin is tuple and Ellipsis not in parts:
        return _tuple_of([reader_of(part) for part in parts])
    if isinstance(origin, type) and issubclass(origin, collections.abc.Mapping):
        return _mapping_of(origin, *(reader_of(part) for part in parts))
    if isinstance(origin, type) and issubclass(origin, collections.abc.Sequence):
        return _sequence_of(origin, reader_of(parts[0]))
    if said is None or said is types.NoneType:
        return Reader(lambda value: value is None, "None")
    if said is float:
        return _in_interval(said, "[-inf, inf]")
    if said in (int, Fraction):
        system, named = _KINDS[said,]
        return Reader(lambda value: isinstance(value, system) and not isinstance(value, bool), named, interval=True)
    if isinstance(said, type):
        article = "an" if said.__name__[0] in "AEIOU" else "a"
        named = {str: "text", bool: "True or False"}.get(said, f"{article} {said.__name__}")
        written = getattr(said, "written", None) or _WRITTEN.get(said.__name__)
        named += f", such as {written}" if written else ""
        return Reader(lambda value: isinstance(value, said), named)
    raise TypeError(f"no reader for the annotation {said!r}")


_WRITTEN = {
    "Generator": "np.random.default_rng(0)",
    "NoiseSource": "NoiseSource(generator) or the first argument of make_policy(noise, generator)",
    "Replayed": "replayed(MyPolicy)",
    "Environment": "BernoulliBandit([0.7, 0.5]) or an object with arms, means and sum_of_rewards",
    "Policy": "AdaPUCB(2, Budget.pure(1.0), NoiseSource(generator))",
    "BatchSchedule": "GeometricBatches(2)",
    "FiniteKernel": "randomised_response_kernel(3, 2, Fraction(3))",
    "Statement": "stating(function); judge(text) settles what is written",
    "Claim": "resolve('BDP-T3.1')",
    "Panel": "Panel([[0.5, 0.5], [1, 0]])",
}
"""How values of types are written, for messages."""

_KINDS: dict[tuple[type, ...], tuple[Any, str]] = {
    (int,): ((int, np.integer), "an integer"),
    (float,): ((float, int, Fraction, np.floating, np.integer), "a number"),
    (Fraction,): ((Fraction, int, np.integer), "a Fraction"),
    (Fraction, float): ((Fraction, float, int, np.integer), "a number"),
}


def _function(taken: list[Any] | None) -> Reader:
    """A function that can be called with arguments of these types by position; None for one of any arguments."""
    if taken is None:
        return Reader(callable, "a function")

    def admits(value: Any) -> bool:
        try:
            inspect.signature(value).bind(*taken)
        except TypeError:  # which `signature` raises for what cannot be called, and `bind` for other parameters
            return False
        except ValueError:  # some functions of C have no signature
            return callable(value)
        return True

    return Reader(admits, f"a function of ({', '.join(getattr(one, '__name__', 'any') for one in taken)})")


def takes(function: Any, count: int, unknown: bool = True) -> bool:
    """Whether it can be called with so many arguments; `unknown` for a function of C, which has no signature."""
    try:
        signature_of(function).bind(*[None] * count)
    except TypeError:
        return False
    except ValueError:
        return unknown
    return True


def signature_of(called: Any) -> inspect.Signature:
    """What `inspect.signature` says; a function, or a method of any object, is looked at once."""
    bound = isinstance(called, types.MethodType)
    function = called.__func__ if bound else called
    return _signature(function, bound) if isinstance(function, types.FunctionType) else inspect.signature(called)


@lru_cache(maxsize=64)
def _signature(function: types.FunctionType, bound: bool) -> inspect.Signature:
    return inspect.signature(types.MethodType(function, object()) if bound else function)


def _takes_elsewhere(value: Any, names: list[str]) -> bool:
    """Whether a class or a function has parameters of these names, but in other places: it would take one argument for
    another."""
    if not isinstance(value, type) and not inspect.isfunction(value):
        return False
    taken = list(inspect.signature(value).parameters)
    spelled = ((one, place) for place, name in enumerate(names) for one in (name, name.removesuffix("s")))
    return any(one in taken and taken.index(one) != place for one, place in spelled)


def _in_interval(kind: Any, interval: str) -> Reader:
    system, named = _KINDS[typing.get_args(kind) or (kind,)]
    ends = [end.strip() for end in interval[1:-1].split(",")]
    low, high = (float(end) if "inf" in end else _whole(Fraction(end)) for end in ends)
    open_low, open_high = interval[0] == "(", interval[-1] == ")"

    def admits(value: Any) -> bool:
        if isinstance(value, bool | np.bool_) or not isinstance(value, system):
            return False
        try:
            value = float(value) if kind is float else value
        except OverflowError:
            return False
        above = value > low if open_low else value >= low
        return bool(above and (value < high if open_high else value <= high))

    said = named if (low, high) == (-math.inf, math.inf) else f"{named} in {interval}"
    return Reader(admits, said, rounds=kind is float, interval=True)


def _whole(end: Fraction) -> int | Fraction:
    """The same number, as an int if it is one: comparisons with Fractions take ten times as long."""
    return end.numerator if end.denominator == 1 else end


def _one_of(readers: list[Reader | None]) -> Reader | None:
    known = [reader for reader in readers if reader is not None]
    if len(known) < len(readers):  # one of them says nothing
        return None
    exact = any(not reader.rounds and reader.admits(Fraction(1, 2)) for reader in known)
    return Reader(
        lambda value: any(reader.admits(value) for reader in known),
        " or ".join(dict.fromkeys(sorted((reader.allowed for reader in known), key=_listing))),
        rounds=not exact and any(reader.rounds for reader in known),
    )


def _listing(allowed: str) -> bool:
    """Whether it says what entries there are, and so stands last: what follows would seem to be one."""
    return ", each " in allowed


def _tuple_of(readers: list[Reader | None]) -> Reader:
    def admits(value: Any) -> bool:
        return (
            isinstance(value, tuple)
            and len(value) == len(readers)
            and all(reader is None or reader.admits(part) for reader, part in zip(readers, value, strict=True))
        )

    said = ", ".join("anything" if reader is None else reader.allowed for reader in readers)
    return Reader(admits, f"a tuple of {said if any(readers) else f'{len(readers)} entries'}")


def _sequence_of(kind: type, part: Reader | None) -> Reader:
    numeric = kind is not tuple and part is not None and any(map(part.admits, (0, 1, 0.5)))

    def admits(value: Any) -> bool:
        array = numeric and isinstance(value, np.ndarray) and value.ndim
        if isinstance(value, str | bytes) or not (array or isinstance(value, kind)):
            return False
        if part is not None and part.interval and (ends := _ends(value)):
            return all(map(part.admits, ends))
        return part is None or all(map(part.admits, value))

    named = "a tuple" if kind is tuple else "a list"
    return Reader(admits, named if part is None else f"{named}, each entry {part.allowed}", part=part)


def _ends(values: Any) -> tuple[Any, Any] | None:
    """The smallest and the largest of numbers of one type, which stand for those between; None where nan may be."""
    if isinstance(values, np.ndarray):
        plain = values.ndim == 1 and values.size and values.dtype.kind in "iuf" and not np.isnan(values.sum())
        return (values.min(), values.max()) if plain else None
    kinds = set(map(type, values))
    return (min(values), max(values)) if kinds == {int} or kinds == {float} and not math.isnan(sum(values)) else None


def _mapping_of(kind: type, key: Reader | None, entry: Reader | None) -> Reader:
    def admits(value: Any) -> bool:
        return (
            isinstance(value, kind)
            and (key is None or all(map(key.admits, value)))
            and (entry is None or all(map(entry.admits, value.values())))
        )

    of = [f", each {name} {one.allowed}" for name, one in (("key", key), ("entry", entry)) if one is not None]
    return Reader(admits, "a mapping" + "".join(of))


def _is_array(value: Any) -> bool:
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "biuf"
    try:
        return floats("", value).ndim > 0
    except InvalidInput:
        return False


def floats(name: str, value: Any, allowed: str = "a number or an array of numbers") -> np.ndarray:
    """What NumPy makes an array of floats of: float64, of any shape. Raises InvalidInput."""
    try:
        return np.asarray(value, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise InvalidInput(name, value, allowed) from None


def coins(name: str, value: Any) -> np.ndarray:
    """An array of booleans, which may be written as 0 and 1. Raises InvalidInput, because of -1, 2 or nan NumPy says
    that it is true."""
    read = np.asarray(value)
    if read.dtype != bool and not (read.dtype.kind in "iuf" and np.isin(read, (0, 1)).all()):
        raise InvalidInput(name, value, "booleans or 0 and 1 (write x > 0 for coins x of -1 and 1)")
    return read.astype(bool)
