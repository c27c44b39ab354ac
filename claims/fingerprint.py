"""Fingerprints: what a stored result depends on, so that it is used again only while nothing of that has changed.

A claim depends on its own module, on everything that imports reach from there and that is no library (the files beside
a file of claims are its own), on the machinery that runs every check, and on the libraries that compute. Imports are
read from the source, those inside functions included; a name taken from a face (a package that loads its names when
they are used) leads to the module that defines it.
"""

from __future__ import annotations

import hashlib
import json
import platform
import re
import sys
import sysconfig
from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module, metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

from banditproof.theory.face import modules_behind

LIBRARIES = "numpy scipy mpmath python-flint sympy hypothesis numba cvxpy dp-accounting scikit-learn".split()
PROJECT = "banditproof"
ROOMS = ("theory", "algorithms", "verify", "claims")
STANDARD = tuple(Path(sysconfig.get_paths()[name]).resolve() for name in ("stdlib", "platstdlib"))
INSTALLED = ("site-packages", "dist-packages")
MACHINERY = tuple(
    f"{PROJECT}.{name}"
    for name in ("claims.register", "claims.check", "claims.steps", "claims.verdict", "claims.run.examine",
                 "claims.run.selftest", "verify.proof.recheck")
)  # fmt: skip

# A pattern that begins with letters is looked for ten times as fast as one that begins with the edge of a word.
IMPORT = re.compile(r"import\s+(\w[\w., ]*)")
IMPORT_FROM = re.compile(r"from\s+([\w.]+)\s+import\s*(\((?:[^)#]|#.*)*\)|[^;\n]*)")
NAMED = re.compile(rf"""["']({PROJECT}\.[\w.]*)""")  # relations and verifiers by name
CALLED = re.compile(r"\b(\w++)\(")  # formulas in texts call quantities
BESIDE = re.compile(r"[\w{}-]+\.(?:txt|lark)\b")  # tables and grammars that a module reads

FORGETTING: list[Callable[[], None]] = []
Read = TypeVar("Read")


def kept(read: Callable[[str], Read]) -> Callable[[str], Read]:
    """Keep what is read of a module: of the project's, which runs as it was read, for good; of others for a while."""
    own, others = cache(read), cache(read)
    FORGETTING.append(others.cache_clear)
    return lambda module: (own if module.partition(".")[0] == PROJECT else others)(module)


def digest(facts: Any) -> str:
    """A short hash of JSON-like facts."""
    text = json.dumps(facts, sort_keys=True, default=str)
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


@cache
def source_digest(*modules: str) -> str:
    """A hash of the source of the modules and of all they import inside the project."""
    total = hashlib.blake2b(digest_size=12)
    for module in sorted(reached(modules)):
        total.update(_of_file(module))
    return total.hexdigest()


@kept
def _of_file(module: str) -> bytes:
    """The name of a module with a hash of its source, read once for all that reaches it; nothing without a source.

    The tables and grammars beside it that it names are part of it.
    """
    path = _path(module)
    if path is None:
        return b""
    source = path.read_bytes()
    named = {re.sub(r"{\w+}", "*", name) for name in BESIDE.findall(source.decode("utf-8", "replace"))}
    beside = sorted({file for name in named for file in path.parent.glob(name)})
    return module.encode() + b"\0" + hashlib.blake2b(source + b"".join(map(Path.read_bytes, beside))).digest()


def reached(modules: Iterable[str]) -> set[str]:
    """The modules themselves and every module that is no library to which imports lead from them."""
    seen: set[str] = set()
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        if module not in seen:
            seen.add(module)
            waiting += imported(module) - seen
    return seen


@kept
def imported(module: str) -> frozenset[str]:
    """The modules that a module imports itself, anywhere in its source, or names in a text, without those of libraries.

    Read from the words of the source, which may name more than is imported and never less: 430 syntax trees take five
    times as long as all the rest of an unchanged check.
    """
    path = _path(module)
    if path is None:
        return frozenset()
    source = path.read_text(encoding="utf-8").replace("\\\n", " ")
    modules = {name for names in IMPORT.findall(source) for name in re.findall(r"[\w.]+", names)}
    for package, names in IMPORT_FROM.findall(source):
        modules |= {_defining(package, name) for name in re.findall(r"[\w*]+", re.sub(r"#.*", "", names))}
    modules |= set(NAMED.findall(source))
    quantities = modules_behind(f"{PROJECT}.theory")
    modules |= {quantities[name] for name in set(CALLED.findall(source)) if name in quantities}
    return frozenset(name for name in modules if _is_own(name, module.partition(".")[0]))


def _is_own(name: str, family: str) -> bool:
    """Whether a module that one of `family` imports belongs to the project, to the family, or to no library."""
    top = name.partition(".")[0]
    if top in (PROJECT, family):
        return _path(name) is not None
    return family != PROJECT and is_library(top) is False


@cache
def is_library(top: str) -> bool | None:
    """Whether a module or package is Python's or installed; None where there is no source of that name."""
    if top in sys.stdlib_module_names:
        return True
    if (path := _path(top)) is None:
        return None
    path = path.resolve()
    return any(part in INSTALLED for part in path.parts) or any(folder in path.parents for folder in STANDARD)


def _defining(package: str, name: str) -> str:
    """The module that ``from package import name`` leads to: a submodule, the module behind a face, or the package."""
    submodule = f"{package}.{name}"
    if _path(submodule) is not None:
        return submodule
    if package.startswith(f"{PROJECT}.") and package.count(".") == 1:
        return modules_behind(package).get(name, package)
    return package


@kept
def _path(module: str) -> Path | None:
    """The source file of a module, without importing it or its packages: those of simulations import SciPy."""
    family, *within = module.split(".")
    try:
        spec = find_spec(family)
    except (ImportError, ValueError):
        return None
    if spec is None or not within:
        return Path(spec.origin) if spec and spec.origin and spec.origin.endswith(".py") else None
    places = [Path(folder, *within) for folder in spec.submodule_search_locations or ()]
    files = [file for place in places for file in (place / "__init__.py", place.with_name(f"{place.name}.py"))]
    return next((file for file in files if file.is_file()), None)


def forget_places() -> None:
    """Look for sources again: what was not found before a file of claims was loaded may be that file."""
    for forget in (*FORGETTING, is_library.cache_clear, source_digest.cache_clear):
        forget()


@cache
def versions() -> dict[str, str]:
    """The versions a result was computed with; an optional library that is not installed is 'absent'."""
    return {"python": platform.python_version(), PROJECT: _version(PROJECT), **{n: _version(n) for n in LIBRARIES}}


def installation() -> dict[str, str]:
    """The versions, and a hash of the source of what computes and of every announced document."""
    from banditproof.claims.documents import documents

    known = documents().values()
    packages = *(f"{PROJECT}.{room}" for room in ROOMS), *(d.package for d in known if d.package)
    folders = [Path(folder) for name in packages for folder in import_module(name).__path__]
    sources = (
        (folder, path)
        for folder in folders
        for kind in ("py", "pyi", "md", "txt", "lark")
        for path in folder.rglob(f"*.{kind}")
    )
    files = {f"{folder.name}/{path.relative_to(folder)}": path for folder, path in sources}
    source = {name: hashlib.blake2b(path.read_bytes()).hexdigest() for name, path in files.items()}
    return versions() | {"source": digest([source, *([d.items(), d.table()] for d in known)])}


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "absent"
