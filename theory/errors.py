"""The one exception of the public functions, and names that were perhaps meant."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import wraps
from inspect import Parameter, Signature, isfunction, signature
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar, cast

Made = TypeVar("Made", bound=Callable[..., Any])

_LONGEST = 300  # characters of a value in a message


class InvalidInput(ValueError):
    """An argument outside the domain: names the parameter, what is allowed and the value that came.

    `meant` are known names that the value may have been meant for; they stand first.

    >>> str(InvalidInput("epsilon", -1, "a number in (0, inf]"))
    'epsilon must be a number in (0, inf], got -1'
    """

    def __init__(self, parameter: str, value: object, allowed: str, meant: str = "") -> None:
        super().__init__(parameter, value, allowed, meant)  # all in args, so that workers can send it back
        self.parameter, self.value, self.allowed, self.meant = parameter, value, allowed, meant

    def __str__(self) -> str:
        value: Any = self.value
        if type(value).__module__ == "numpy" and getattr(value, "shape", None) == ():
            value = value.item()
        try:
            shown = as_typed(value)
        except (ValueError, OverflowError):  # more digits than Python writes out
            shown = "a number of thousands of digits"
        shown = shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}..."
        whole = isinstance(value, float) and value.is_integer() and self.allowed.startswith(("an integer", "an int "))
        meant = self.meant or (str(int(value)) if whole and value < 1e16 else "") or self._call()
        hint = f"did you mean {meant}? " if meant else ""
        return f"{hint}{self.parameter} must be {self.allowed}, got {shown}"

    def _call(self) -> str:
        """Of a function or class of this library that came in place of what it returns: how it is called.

        Of a budget in place of its number, the number; of an environment in place of its means, the means. Of a class
        in place of a function that makes one, such a function.
        """
        value: Any = self.value
        if not isinstance(value, type) and self.parameter in getattr(value, "ranges", ()):
            return f"budget.{self.parameter}"
        if type(value).__module__.startswith("banditproof.") and hasattr(value, self.parameter):
            return f"its .{self.parameter}"
        if self.parameter in ("scale", "sigma") and type(value).__name__ in ("NoiseCalibration", "LeastNoise"):
            return "its .noise" if hasattr(value, "noise") else "its .value.upper"  # less noise keeps no budget
        if self.parameter == "bound" and hasattr(value, "value"):
            return "its .value.upper" if type(value).__name__ == "UpperBound" else "regret_upper_bound(...)"
        takes = self.allowed.removeprefix("a function of (").partition(")")
        if takes[0] == "noise, generator" and hasattr(value, "by_arms"):
            return value.by_arms
        own = value if isinstance(value, type) else type(value)
        if (
            self.allowed.startswith("a function of (")
            and not takes[2]
            and own.__module__ not in sys.builtin_module_names
            and not hasattr(own, "__float__")
        ):
            return f"lambda {takes[0]}: {own.__name__}(...)" if own.__name__ != "function" else ""
        asked_for = isinstance(value, type) and any(f" {kind.__name__}, " in self.allowed for kind in value.__mro__)
        ours = (isfunction(value) or asked_for) and str(value.__module__).startswith("banditproof.")
        if not ours or hasattr(value, "written") or self.allowed.startswith("a function"):
            return ""
        asked = [name for name, one in signature(value).parameters.items() if one.kind is not Parameter.VAR_KEYWORD]
        return f"{value.__qualname__}({', '.join(asked)})"


def fitting(function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
    """Raise TypeError, as Python does, for too many arguments or too few, with the signature."""
    asked = signature(function)
    if not any(one.kind is Parameter.VAR_KEYWORD for one in asked.parameters.values()):
        for name in kwargs.keys() - asked.parameters.keys():  # else what it stands for were missing
            raise TypeError(f"{function.__qualname__}() has no argument {name!r}: {instead_of(name, asked.parameters)}")
    try:
        asked.bind(*args, **kwargs)
    except TypeError as wrong:
        bare = [one.replace(annotation=Parameter.empty) for name, one in asked.parameters.items() if name != "self"]
        told = asked.replace(parameters=bare, return_annotation=Signature.empty)
        own = args[1:] if function.__name__ == "__init__" else args
        name = type(args[0]).__name__ if function.__name__ == "__init__" else function.__qualname__
        named = _instead_of_many(own, f"{name}{told}") if "too many" in str(wrong) else ""
        raise TypeError(f"{name}{told}: {wrong}{named}") from None


def _instead_of_many(args: Sequence[Any], told: str) -> str:
    """What arguments by position are meant for where a function takes fewer: a list, another budget, or names."""
    if "means=" in told and all(isinstance(one, str | float | Fraction) for one in args):
        return f"; did you mean means={as_typed(list(args))}?"
    longer = told[told.index("(") : -1] + ", "  # Budget.approximate takes what Budget.pure does, and a delta
    several = (made for made in BUDGET_WITH.values() if longer in made and made.count(",") == len(args) - 1)
    meant = next(several, "") if told.startswith("Budget.") else ""
    return f"; did you mean {meant}?" if meant else "; what stands behind * goes by name" * ("*," in told)


def without_file(plot: Made) -> Made:
    """A decorator of a method that returns a figure: files and options that it is given are for the figure."""

    @wraps(plot)
    def call(self: Any, *given: Any, **named: Any) -> Any:
        for name in named:
            raise TypeError(f"plot() has no argument {name!r}: it returns a figure of matplotlib, which may be changed")
        if given:
            raise TypeError(f"plot() takes no file and returns a figure of matplotlib: plot().savefig({given[0]!r})")
        return plot(self)

    return cast(Made, call)


BUDGET_WITH: dict[str, str] = {}
"""The budget that is made with a parameter, in code; kinds of budgets enter it as they are defined."""


def instead_of(name: str, known: Iterable[str]) -> str:
    """What may be meant by an argument that a function does not have, or else those that it has.

    >>> import banditproof.theory.privacy.budget
    >>> instead_of("epsilon", ["policy", "budget"])
    'did you mean budget=Budget.pure(epsilon)?'
    """
    known = [one for one in known if one != "self"]
    meant = close_to(name, known) or " or ".join(one for one in known if len(name) > 2 and one.startswith(name))
    if not meant and name in BUDGET_WITH and "budget" in known:
        meant = f"budget={BUDGET_WITH[name]}"
    elif not meant and name == "budget":
        meant = " or ".join(f"{one}=budget.{one}" for one in known if one in ("epsilon", "rho"))
    return f"did you mean {meant}?" if meant else f"it has {', '.join(known)}"


class NoNumber:
    """What is no number, no list and no table: where it is taken for one, a TypeError says what may be meant, and an
    AttributeError where it is asked for a name that it does not have.
    """

    @property
    def meant(self) -> str:
        """What it is, and what is a number instead."""
        return f"{type(self).__name__} is no number{_having(self, 'value')}"

    if not TYPE_CHECKING:  # or type checkers would let in any name

        def __getattr__(self, name: str) -> Any:
            raise no_attribute(self, name)

        def __getitem__(self, key: object) -> Any:
            raise TypeError(f"{type(self).__name__} has no entry [{key!r}]{_having(self, key)}")

    def _refused(self, *_: object, **__: object) -> Any:
        raise TypeError(self.meant)

    def __format__(self, form: str) -> str:
        return self._refused() if form else str(self)

    __float__ = __int__ = __round__ = __neg__ = __abs__ = _refused
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _refused
    __lt__ = __le__ = __gt__ = __ge__ = _refused


def as_typed(value: Any) -> str:
    """A value as Python writes it, but a fraction as the decimal or the float that it is: 1.2, not 6/5."""
    if type(value) in (list, tuple):
        inside = ", ".join(map(as_typed, value))
        return f"[{inside}]" if type(value) is list else f"({inside}{',' * (len(value) == 1)})"
    if not isinstance(value, Fraction):
        return repr(value)
    decimal = f"{float(value):g}"
    return decimal if Fraction(decimal) == value else repr(float(value)) if float(value) == value else str(value)


def one_of(parameter: str, value: object, names: Iterable[str]) -> None:
    """Raise InvalidInput unless the value is one of the names; it says which of them may have been meant.

    >>> one_of("side", "uper", ("upper", "lower"))
    Traceback (most recent call last):
        ...
    banditproof.theory.errors.InvalidInput: did you mean upper? side must be one of upper, lower, got 'uper'
    """
    known = list(names)
    if not isinstance(value, str) or value not in known:
        raise InvalidInput(parameter, value, f"one of {', '.join(known)}", close_to(value, known))


def known_fields(place: str, given: Iterable[str], known: Sequence[str], needed: str = "") -> None:
    """Raise InvalidInput for a field of an object that somebody wrote at a `place`, if it is none of the known ones.

    Where the one that is `needed` is not there, it may be meant by another name.
    """
    given = list(given)
    for name in given:
        if name not in known and needed and needed not in given:
            raise InvalidInput(f"field ({place})", name, f"one of {', '.join(known)}", needed)
        one_of(f"field ({place})", name, known)


def no_attribute(thing: object, name: str, hint: str = "") -> AttributeError:
    """What is raised for a name that a result does not have: the `hint`, or which of its own names may be meant."""
    if not hint and not name.startswith("_"):
        hint = _having(thing, name)
    kind = "class" if isinstance(thing, type) else "module" if isinstance(thing, ModuleType) else ""
    which = f"{kind} {getattr(thing, '__name__', '')!r}" if kind else f"{type(thing).__name__!r} object"
    return AttributeError(f"{which} has no attribute {name!r}{hint}", name=name, obj=thing)


def _having(thing: object, name: object) -> str:
    """What may be meant of the names that a result has, or all of them."""
    of_kind = dir(thing if isinstance(thing, type) else type(thing))
    own = [n for n in dict.fromkeys((*getattr(thing, "__dict__", ()), *of_kind)) if n[0] != "_" and n != "meant"]
    dot = "" if isinstance(thing, type | ModuleType) or name not in own else "."
    return f": did you mean {dot}{meant}?" if (meant := close_to(name, own)) else f": it has {', '.join(own)}"


class Named(type):
    """The kind of a class that says which of its constructors may be meant by a name that it does not have."""

    if not TYPE_CHECKING:  # or type checkers would let in any name

        def __getattr__(cls, name: str) -> Any:
            raise no_attribute(cls, name)


def close_to(value: object, names: Iterable[str]) -> str:
    """The names that a text `value` may have been meant for, joined by 'or'; capitals do not count.

    Names with commas between them are several. What begins with all of the value is named first.

    >>> close_to("dpimed", ["imed", "dp-imed", "ucb"])
    'dp-imed or imed'
    >>> close_to("rpd", ["rdp"])
    'rdp'
    >>> close_to("ucb,imed", ["imed", "dp-imed", "ucb"])
    'ucb and imed, each on its own'
    >>> close_to("x", ["imed"])
    ''
    >>> close_to("thompson", ["ucb", "thompson-sampling"])
    'thompson-sampling'
    >>> close_to("T1", ["TB1", "T10"])
    'T10 or TB1'
    """
    from difflib import get_close_matches

    if not isinstance(value, str):
        return ""
    folded = {name.casefold(): name for name in names}
    value = value.casefold()
    listed = [part.strip() for part in value.split(",")]
    if len(listed) > 1 and all(part in folded for part in listed):
        return f"{' and '.join(folded[part] for part in listed)}, each on its own"
    swapped = [name for name in folded if sorted(name) == sorted(value)]
    begun = [name for name in folded if len(value) > 3 and name.startswith(value)]
    close = get_close_matches(value, folded, cutoff=0.7) or swapped or begun
    return " or ".join(folded[name] for name in sorted(close, key=lambda name: not name.startswith(value)))
