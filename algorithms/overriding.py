"""What a subclass of a policy writes: a method that overrides nothing, and one that is not what the library calls."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from types import CodeType, FunctionType
from typing import Any

from banditproof.theory.arguments import signature_of, takes
from banditproof.theory.errors import InvalidInput
from banditproof.theory.hints import hint

_NEAR = 0.75  # how alike two names are, of 1
_OWN = "banditproof."


class Overridden:
    """A class whose methods are written anew by subclasses: one that is only nearly named so is told of."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for said in overriding_nothing(cls):
            hint(said)


def overriding_nothing(kind: type) -> Iterator[str]:
    """Methods of somebody's class that nothing calls in it, and whose names are nearly those of the library."""
    if kind.__module__.startswith(_OWN):
        return
    written = {name: one for name, one in vars(kind).items() if isinstance(one, FunctionType | staticmethod)}
    called = {name for one in written.values() for name in _names_in(_function(one).__code__)}
    known = {name for base in kind.__mro__[1:] for name, one in vars(base).items() if _is_method(name, one)}
    for name in written.keys() - known - called:
        if not name.startswith("_") and (near := get_close_matches(name, known - written.keys(), 1, _NEAR)):
            yield f"{kind.__name__}.{name} overrides nothing and is not called there: did you mean {near[0]}?"


def check_signatures(policy: object, error: TypeError) -> None:
    """Raise InvalidInput where a method of somebody's class is not called as that of the library which it overrides."""
    for kind, name in ((one, name) for one in type(policy).__mro__ for name in vars(one)):
        base = next((base for base in kind.__mro__[1:] if name in vars(base)), None)
        if base is not None and _is_method(name, one := vars(kind)[name]):
            if str(error).startswith(f"{_function(one).__qualname__}()"):
                _check_signature(getattr(policy, name), f"{kind.__name__}.{name}", base, error)


def _check_signature(own: Any, called: str, base: type, error: TypeError) -> None:
    name, alone = called.rpartition(".")[2], isinstance(vars(base)[called.rpartition(".")[2]], staticmethod)
    right = list(signature_of(_function(vars(base)[name])).parameters)
    if not takes(own, len(right) - (not alone)):
        how = f"def {name}({', '.join(right)})" + " under @staticmethod" * alone
        allowed = f"{how}, as {base.__name__} has it; another method has another name"
        raise InvalidInput(called, f"{name}{signature_of(own)}", allowed) from error


def _is_method(name: str, one: object) -> bool:
    return not name.startswith("_") and isinstance(one, FunctionType | staticmethod)


def _function(one: Any) -> FunctionType:
    return one.__func__ if isinstance(one, staticmethod) else one  # type: ignore[no-any-return]


def _names_in(code: CodeType) -> Iterator[str]:
    """The attributes and globals that a function reads, those of functions within it included."""
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names_in(inner)
