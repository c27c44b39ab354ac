import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGES: list[str] = PYPROJECT["tool"]["setuptools"]["packages"]
ROOMS = [package.removeprefix("banditproof.") for package in PACKAGES if package.count(".") == 1]
MODULES = sorted(
    ".".join(["banditproof", *path.relative_to(ROOT).with_suffix("").parts]).removesuffix(".__init__")
    for path in (ROOT / "__init__.py", *(path for room in ROOMS for path in (ROOT / room).rglob("*.py")))
    if path.stem != "__main__"
)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "module_name" in metafunc.fixturenames:
        metafunc.parametrize("module_name", MODULES)


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


@pytest.fixture(scope="session")
def wheel(source, tmp_path_factory) -> Path:
    return built(source, tmp_path_factory.mktemp("built"))


@pytest.fixture(scope="session")
def install() -> Callable[[Path, Path], None]:
    """Installs a wheel, or the wheel of a project's folder, into an environment."""

    def install(environment: Path, what: Path) -> None:
        found = what if what.is_file() else built(what, what.parent / "wheels")
        pip = [sys.executable, "-m", "pip", "--python", environment / "bin" / "python"]
        ran(*pip, "install", "--no-deps", "--no-index", found)

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
