"""What a user installs is the whole package and nothing else."""

import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

IMPORT_ALL = """
import importlib, sys
for name in sys.argv[1:]:
    print(name, importlib.import_module(name).__file__)
"""


BUILD = """
import os, sys
from setuptools import build_meta
os.chdir(sys.argv[1])
build_meta.build_sdist(sys.argv[2])
"""


@pytest.fixture(scope="module")
def of_the_package(rooms, project_files) -> set[str]:
    """The files of the rooms, and those of the root that make it a package with types."""
    root = ("__init__.py", "__init__.pyi", "py.typed")
    return {path.as_posix() for path in project_files if path.parts[0] in rooms or path.as_posix() in root}


def test_the_wheel_holds_every_file_of_the_package(wheel, of_the_package):
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert packed == {f"banditproof/{path}" for path in of_the_package}


def test_so_does_the_source_distribution(source, of_the_package, run, tmp_path):
    run(sys.executable, "-c", BUILD, source, tmp_path)
    (packed,) = tmp_path.glob("*.tar.gz")
    held = {Path(*Path(name).parts[1:]).as_posix() for name in tarfile.open(packed).getnames()}
    assert of_the_package - held == set()


def test_every_module_imports_from_the_wheel(environment, module_names, run):
    listing = run(environment / "bin" / "python", "-I", "-c", IMPORT_ALL, *module_names)
    places = dict(line.split(" ", 1) for line in listing.splitlines())
    assert list(places) == module_names
    assert [name for name, place in places.items() if not Path(place).is_relative_to(environment)] == []


def test_the_installed_command_runs(environment, run):
    assert "check" in run(environment / "bin" / "banditproof", "--help")


PLAIN = """
import sys
import banditproof
print([name for name in sys.modules if name.startswith(("banditproof.", "numpy", "importlib.metadata"))])
print(banditproof.__version__, banditproof.theory.kl_bernoulli(0.5, 0.5), hasattr(banditproof, "theroy"))
print(sorted({"algorithms", "claims", "theory", "verify", "__version__"} - {*dir(banditproof)}))
"""


def test_a_plain_import_has_the_rooms_and_the_version_and_imports_none(environment, pyproject, run):
    told = run(environment / "bin" / "python", "-I", "-c", PLAIN).splitlines()
    assert told == ["[]", f"{pyproject['project']['version']} 0.0 False", "[]"]
