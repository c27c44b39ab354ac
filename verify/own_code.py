"""Whose code is it? That of the policy under check is watched, wherever it lies; libraries are not.

A policy's code is in the files of its class and of the bases of that class, and beside them: in all files of a project
or of an installed distribution. Libraries are the standard library, this library, and the other distributions.
"""

from __future__ import annotations

import sys
import sysconfig
from abc import ABCMeta
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from banditproof import algorithms, theory, verify
from banditproof.algorithms.policy import Policy

STANDARD = tuple(Path(sysconfig.get_paths()[name]).resolve() for name in ("stdlib", "platstdlib"))
OURS = tuple(Path(room.__path__[0]).resolve() for room in (theory, algorithms, verify))
INSTALLED = ("site-packages", "dist-packages")  # of this environment, or of one that it borrows from
TRUSTED = ("numpy", "scipy", "flint", "banditproof")  # libraries of which nothing is said
IMPORTING = ("__editable__", "_distutils_hack")  # what helps to import others begins with one of these
NO_LIBRARY = ""
PLAIN = (bool, int, float, str, type(None))


class OwnCode:
    """The files that may hold the code of the policies that were adopted, and of any project outside of libraries."""

    def __init__(self) -> None:
        self.classes: dict[type, None] = {}  # of the policies, this library's own left out
        self.names: set[str] = set()  # of these classes and their bases, and what the functions that play them mention
        self._homes: set[Path] = set()
        self._made: set[str] = set()  # classes that a function makes anew whenever it runs, by their names
        self._names: set[str] = set()  # of sources that are no files
        self._known: dict[str, str | None] = {}

    def adopt(self, policy: Any) -> bool:
        """Count the files of a policy, and of those that wrappers hold, as its code; whether any class is new."""
        new = [kind for kind in _classes(policy) if kind not in self.classes and _name_of(kind) not in self._made]
        for kind in new:
            self.classes[kind] = None
            self._made |= {_name_of(kind)} - {""}
            bases = [base for base in kind.__mro__ if is_users(base)]
            self.names.update(base.__name__ for base in bases)
            for base in bases:
                for file in _files(base):
                    self._add(file, whole=base is bases[0])
        return bool(new)

    def add(self, file: str) -> None:
        """Count one file as the policy's code."""
        if file not in self:
            self._add(file, whole=False)

    def _add(self, file: str, whole: bool) -> None:
        if file.startswith("<"):
            self._names.add(file)
        elif not _within(path := Path(file).resolve(), OURS):
            self._homes |= _homes(path) if whole else {path}
        self._known.clear()

    def files(self) -> set[str]:
        """The sources of the policies' classes and of the bases of these."""
        bases = {base for kind in self.classes for base in kind.__mro__ if is_users(base)}
        return {file for base in bases for file in _files(base)}

    def __contains__(self, file: str) -> bool:
        return self.library(file) is None

    def library(self, file: str) -> str | None:
        """The library that a file belongs to, "" for this one, the standard one and generated code; None for no one."""
        if file not in self._known:
            self._known[file] = self._library(file)
        return self._known[file]

    def _library(self, file: str) -> str | None:
        if file.startswith("<"):
            return None if file in self._names or file.startswith("<ipython") else NO_LIBRARY
        path = Path(file).resolve()
        if _within(path, OURS):
            return NO_LIBRARY
        if any(path == home or home in path.parents for home in self._homes):
            return None
        place = _installed(path)
        if place is not None:
            name = Path(path.parts[place]).stem
            return NO_LIBRARY if name in TRUSTED or name.startswith(IMPORTING) else name
        return NO_LIBRARY if _within(path, STANDARD) else None


def _classes(policy: Any) -> Iterator[type]:
    """The classes of a policy: of the policies and players that it holds too, if it is a wrapper of this library."""
    todo, seen = [policy], set()
    while todo:
        thing = todo.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        if isinstance(thing, FunctionType):
            todo += [cell.cell_contents for cell in thing.__closure__ or () if cell != type(cell)()]
        elif isinstance(thing, list | tuple):
            todo += [held for held in thing if type(held) not in PLAIN]
        elif isinstance(thing, np.ndarray):
            todo += thing.tolist() if thing.dtype == object else []
        elif any(is_users(kind) and _adds_code(kind) for kind in type(thing).__mro__):
            yield type(thing)
            todo += [held for held in getattr(thing, "__dict__", {}).values() if isinstance(held, Policy)]
        elif any(kind.__module__.partition(".")[0] == "banditproof" for kind in type(thing).__mro__):
            todo += getattr(thing, "__dict__", {}).values()


def _name_of(kind: type) -> str:
    """The name of a class that a function makes; '' for any other."""
    return f"{kind.__module__}.{kind.__qualname__}" if "<locals>" in kind.__qualname__ else ""


def is_users(kind: type) -> bool:
    """Whether a class is neither of the standard library nor of one that is trusted."""
    return kind.__module__.partition(".")[0] not in (*TRUSTED, "builtins", *sys.stdlib_module_names)


@cache
def is_ours(file: str) -> bool:
    """Whether a file belongs to this library."""
    return _within(Path(file).resolve(), OURS)


def _adds_code(kind: type) -> bool:
    """Whether a class has more of its own than a name, a text and plain values: then what runs may be its code."""
    described = {"__module__", "__qualname__", "__doc__", "__annotations__", "__abstractmethods__", "_abc_impl"}
    described |= {"__firstlineno__", "__static_attributes__"}  # from Python 3.13 on
    plain = all(name in described or type(value) in PLAIN for name, value in vars(kind).items())
    return not plain or type(kind) not in (type, ABCMeta)


def _files(kind: type) -> Iterator[str]:
    """The sources of the methods of a class, and of its module; not of those that `dataclass` wraps around it."""
    for member in vars(kind).values():
        function = getattr(member, "fget", None) or getattr(member, "__func__", None) or member
        if isinstance(function, FunctionType) and not _is_standard(file := function.__code__.co_filename):
            yield file
    yield from filter(None, [getattr(sys.modules.get(kind.__module__), "__file__", None)])


@cache
def _homes(path: Path) -> frozenset[Path]:
    """A file and, if it is installed, the packages of its distribution."""
    place = _installed(path)
    if place is None:
        return frozenset({path})
    root, name = Path(*path.parts[:place]), path.parts[place]
    if not (root / name / "__init__.py").exists() and len(path.parts) > place + 1:  # a namespace is shared
        return frozenset({path, Path(*path.parts[: place + 2])})
    tops = packages_distributions()  # reads what every distribution says of itself
    distributions = set(tops.get(Path(name).stem, ()))
    shared = [other for other, owners in tops.items() if distributions & set(owners)]
    return frozenset({path, root / name, *(root / other for other in shared), *(root / f"{o}.py" for o in shared)})


@cache
def _installed(path: Path) -> int | None:
    """At which part of the path the name of an installed package stands, if it does."""
    places = [k for k, part in enumerate(path.parts[:-1]) if part in INSTALLED]
    return places[-1] + 1 if places else None


def _is_standard(file: str) -> bool:
    path = Path(file).resolve()
    return _within(path, STANDARD) and _installed(path) is None


def _within(path: Path, folders: tuple[Path, ...]) -> bool:
    return any(folder in path.parents for folder in folders)
