"""Faces: packages whose public names are loaded from the modules behind them when they are first used.

Which names a face has, and from which modules, is said once: by the imports of the stub beside the package's
`__init__.py`. Type checkers and editors read the stub, and so does the package itself.
"""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Callable, Iterable
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from banditproof.theory.errors import close_to


@cache
def modules_behind(package: str) -> dict[str, str]:
    """The module that each public name of a package is loaded from, by name; empty for a package without a stub."""
    stub = f"{os.path.splitext(import_module(package).__file__ or '')[0]}.pyi"
    if not os.path.isfile(stub):
        return {}
    with open(stub, encoding="utf-8") as text:
        imports = (node for node in ast.parse(text.read()).body if isinstance(node, ast.ImportFrom))
        return {alias.name: node.module for node in imports for alias in node.names if node.module}


def no_such_name(package: str, name: str, known: Iterable[str]) -> AttributeError | ImportError:
    """What the ``__getattr__`` of a package raises: the room that has the name, or which of the `known` may be meant.

    Where a line imports the name, Python asks with `hasattr` and leaves out what an AttributeError says: a cure is an
    ImportError there, unless a module has the name.
    """
    project = package.partition(".")[0]
    rooms = () if name.startswith("_") else import_module(project).__all__
    room = next((room for room in rooms if name in modules_behind(f"{project}.{room}")), "")
    known = list(known)
    kind = [] if room else [one for one in known if name in one.split("_")]  # before one inside, which reads nothing
    inside = not (kind or name.startswith("_") or package == project)
    place = f"{project}.{room}" if room else _elsewhere(package, name) if inside else ""
    if package == project:
        place = next((f"{project}.{r}" for r in rooms if not place and find_spec(f"{project}.{r}.{name}")), place)
    near = [] if place or name.startswith("_") else [one for one in known if len(name) > 1 and _within(name, one)]
    top = "" if place or name.startswith("_") else close_to(name, ("judge",))  # which the project itself has
    alike = [one for one in known if name[:1] != "_" and one.startswith(f"{name.partition('_')[0]}_")]
    near = near or alike * (len(alike) <= 4 and not place)
    meant = f"{project}.{top}" if top else "" if place else close_to(name, known) or " or ".join(near[:4])
    listed = "" if name.startswith("_") else f"dir({package}) lists what it has"
    cure = f"it is {place}.{name}" if place else f"did you mean {meant}?" if meant else ""
    said = f"module {package!r} has no attribute {name!r}{f': {cure or listed}' if cure or listed else ''}"
    imported = sys._getframe(2).f_code.co_name == "_handle_fromlist"
    if (cure or listed) and imported and find_spec(f"{package}.{name}") is None:
        return ImportError(said)
    return AttributeError(said, name=name, obj=sys.modules[package])


def _within(name: str, known: str) -> bool:
    """Whether a known name is one of this kind: kl_bernoulli for KL, AdaPUCB for UCB1."""
    word = name.rstrip("0123456789").casefold()
    return word in known.casefold().split("_") or len(word) > 2 and known.casefold().endswith(word)


def _elsewhere(package: str, name: str) -> str:
    """The module inside a package where a public class or function stands that its face does not have."""
    folder = Path(import_module(package).__file__ or "").parent
    begins = re.compile(rf"^(?:class|def) {re.escape(name)}\b", re.MULTILINE)
    found = next((p for p in sorted(folder.rglob("*.py")) if begins.search(p.read_text(encoding="utf-8"))), None)
    return "" if found is None else ".".join((package, *found.relative_to(folder).with_suffix("").parts))


class _Room(ModuleType):
    """A package with a face: what is inside it names the module, too, that has what is asked for."""

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, ModuleType) and hasattr(value, "__path__") and "__getattr__" not in vars(value):
            value.__getattr__ = partial(_refuse, value.__name__)  # type: ignore[method-assign]
        super().__setattr__(name, value)


def _refuse(package: str, name: str) -> Any:
    raise no_such_name(package, name, modules_behind(".".join(package.split(".")[:2])))


def face(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """The ``__getattr__``, the ``__dir__`` and the ``__all__`` of a package with a stub."""
    module_of = modules_behind(package)
    sys.modules[package].__class__ = _Room

    def load(name: str) -> Any:
        if name not in module_of:
            raise no_such_name(package, name, module_of)
        value = getattr(import_module(module_of[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    def known() -> list[str]:
        return sorted({*vars(sys.modules[package]), *module_of})

    return load, known, list(module_of)
