import ast
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGES: list[str] = PYPROJECT["tool"]["setuptools"]["packages"]
ROOMS = [package.removeprefix("banditproof.") for package in PACKAGES if package.count(".") == 1]
FILES = {
    ".".join(["banditproof", *path.relative_to(ROOT).with_suffix("").parts]).removesuffix(".__init__"): path
    for path in (ROOT / "__init__.py", *(path for room in ROOMS for path in (ROOT / room).rglob("*.py")))
    if path.stem != "__main__"
}
MODULES = sorted(FILES)
CLAIMED_PYTHONS = re.findall(r"Programming Language :: Python :: (3\.\d+)", str(PYPROJECT["project"]["classifiers"]))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "module_with_examples" in metafunc.fixturenames:
        examples = [name for name in MODULES if ">>> " in FILES[name].read_text(encoding="utf-8")]
        metafunc.parametrize("module_with_examples", examples)
    if "claimed_python" in metafunc.fixturenames:
        metafunc.parametrize("claimed_python", CLAIMED_PYTHONS, scope="session")


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def pyproject() -> dict:
    return PYPROJECT


@pytest.fixture(scope="session")
def module_names() -> list[str]:
    return MODULES


@pytest.fixture(scope="session")
def claimed_pythons() -> list[str]:
    """The versions of Python that `pyproject.toml` claims, the oldest first."""
    return sorted(CLAIMED_PYTHONS, key=lambda version: [int(part) for part in version.split(".")])


@pytest.fixture(scope="session")
def room_files() -> list[Path]:
    """The Python files of all rooms."""
    return sorted(path for room in ROOMS for path in (ROOT / room).glob("**/*.py"))


@pytest.fixture(scope="session")
def rooms() -> list[str]:
    """The folders of the root that are packages."""
    return ROOMS


@pytest.fixture(scope="session")
def project_files() -> list[Path]:
    """Every file git tracks or would track, relative to the root."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    return sorted(Path(name) for name in set(listing.stdout.split("\0")) if name and (ROOT / name).is_file())


@dataclass(frozen=True)
class Source:
    """What the statements of a Python file hold; a file is parsed once for all tests that ask.

    Attributes:
        imports: its imports, those in functions as well.
        handlers: its `except` clauses.
        docstrings: the names of its functions and classes, and "module", with what is said of them.
    """

    imports: list[ast.Import | ast.ImportFrom]
    handlers: list[ast.ExceptHandler]
    docstrings: list[tuple[str, str]]


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """A tree and the statements in it, without the expressions."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        for place in ("body", "orelse", "finalbody", "handlers", "cases"):
            waiting += getattr(node, place, [])


DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@cache
def source_of(path: Path) -> Source:
    nodes = list(statements(ast.parse(path.read_text(encoding="utf-8"))))
    return Source(
        [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)],
        [node for node in nodes if isinstance(node, ast.ExceptHandler)],
        [(getattr(n, "name", "module"), ast.get_docstring(n) or "") for n in nodes if isinstance(n, DOCUMENTED)],
    )


@pytest.fixture(scope="session")
def read() -> Callable[[Path], Source]:
    """Reads a Python file."""
    return source_of


def ran(*command: str | Path) -> str:
    finished = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return finished.stdout


@pytest.fixture(scope="session")
def run() -> Callable[..., str]:
    """Runs a command that must succeed; returns what it prints."""
    return ran


def built(source: Path, folder: Path) -> Path:
    """The wheel of a project."""
    ran(sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, source)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="session")
def source(project_files, tmp_path_factory) -> Path:
    """A copy of the project, so that neither an old build nor an ignored file gets into what is built from it."""
    source = tmp_path_factory.mktemp("source")
    for path in project_files:
        (source / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, source / path)
    return source


BUILD_SOURCES = """
import os, sys
from setuptools import build_meta
os.chdir(sys.argv[1])
build_meta.build_sdist(sys.argv[2])
"""


@pytest.fixture(scope="session")
def distributions(request, source, tmp_path_factory) -> Path:
    """A folder with a wheel and a source distribution: those of `--distributions`, or of the files as they are."""
    named = request.config.getoption("--distributions")
    if named:
        return Path(named).resolve()
    folder = tmp_path_factory.mktemp("built")
    built(source, folder)
    ran(sys.executable, "-c", BUILD_SOURCES, source, folder)
    return folder


@pytest.fixture(scope="session")
def wheel(distributions) -> Path:
    (wheel,) = distributions.glob("*.whl")
    return wheel


@pytest.fixture(scope="session")
def sources(distributions) -> Path:
    """The source distribution."""
    (sources,) = distributions.glob("*.tar.gz")
    return sources


@pytest.fixture(scope="session")
def build() -> Callable[[Path, Path], Path]:
    """Builds the wheel of a project's folder into another folder."""
    return built


@pytest.fixture(scope="session")
def install() -> Callable[[Path, Path], None]:
    """Installs a wheel, or the wheel of a project's folder, into an environment."""

    def install(environment: Path, what: Path) -> None:
        wheel = what if what.is_file() else built(what, what.parent / "wheels")
        pip = [sys.executable, "-m", "pip", "--python", environment / "bin" / "python"]
        ran(*pip, "install", "--no-compile", "--no-deps", "--no-index", wheel)

    return install


@pytest.fixture(scope="session")
def environment(wheel, install, tmp_path_factory) -> Path:
    """A fresh environment with the wheel; the dependencies are borrowed from this one."""
    place = tmp_path_factory.mktemp("environment")
    ran(sys.executable, "-m", "venv", "--without-pip", place)
    site_packages = next(place.glob("lib/python*/site-packages"))
    borrowed = [path for path in sys.path if Path(path).name == "site-packages"]
    (site_packages / "dependencies.pth").write_text("\n".join(borrowed))
    install(place, wheel)
    return place


IMPORT_ALL = """
import importlib, sys
for name in sys.argv[1:]:
    print(name, importlib.import_module(name).__file__)
"""


@pytest.fixture(scope="session")
def imported_from() -> Callable[[Path, list[str]], dict[str, Path]]:
    """Imports modules in an environment; returns the file of each."""

    def places(environment: Path, names: list[str]) -> dict[str, Path]:
        listing = ran(environment / "bin" / "python", "-I", "-c", IMPORT_ALL, *names)
        return {name: Path(place) for name, place in (line.split(" ", 1) for line in listing.splitlines())}

    return places
