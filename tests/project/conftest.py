import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
ROOMS: dict[str, str] = PYPROJECT["tool"]["setuptools"]["package-dir"]
MODULES = sorted(
    f"{package}.{path.stem}".removesuffix(".__init__")
    for package, room in ROOMS.items()
    for path in (ROOT / room).glob("*.py")
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
    return sorted(path for room in ROOMS.values() for path in (ROOT / room).glob("**/*.py"))


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
