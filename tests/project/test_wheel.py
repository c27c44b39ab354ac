"""What a user installs is the whole package and nothing else."""

import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

IMPORT_ALL = """
import importlib, sys
for name in sys.argv[1:]:
    print(name, importlib.import_module(name).__file__)
"""


def run(*command: str | Path) -> str:
    finished = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


@pytest.fixture(scope="module")
def wheel(root, project_files, tmp_path_factory) -> Path:
    """A wheel built from a copy, so that neither an old build nor an ignored file gets in."""
    source = tmp_path_factory.mktemp("source")
    for path in project_files:
        (source / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(root / path, source / path)
    built = tmp_path_factory.mktemp("built")
    run(sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", built, source)
    return next(built.glob("*.whl"))


@pytest.fixture(scope="module")
def environment(wheel, tmp_path_factory) -> Path:
    """A fresh environment with the wheel; the dependencies are borrowed from this one."""
    place = tmp_path_factory.mktemp("environment")
    run(sys.executable, "-m", "venv", "--without-pip", place)
    python = place / "bin" / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", wheel)
    site_packages = next(place.glob("lib/python*/site-packages"))
    (site_packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    return place


def test_the_wheel_holds_every_file_of_the_rooms(wheel, pyproject, project_files):
    rooms = {
        room: package.replace(".", "/") for package, room in pyproject["tool"]["setuptools"]["package-dir"].items()
    }
    expected = {
        f"{rooms[path.parts[0]]}/{Path(*path.parts[1:]).as_posix()}" for path in project_files if path.parts[0] in rooms
    }
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert packed == expected


def test_every_module_imports_from_the_wheel(environment, module_names):
    listing = run(environment / "bin" / "python", "-I", "-c", IMPORT_ALL, *module_names)
    places = dict(line.split(" ", 1) for line in listing.splitlines())
    assert list(places) == module_names
    assert [name for name, place in places.items() if not Path(place).is_relative_to(environment)] == []


def test_the_installed_command_runs(environment):
    assert "check" in run(environment / "bin" / "banditproof", "--help")
