"""What a user installs is the whole package and nothing else."""

import tarfile
import zipfile
from configparser import ConfigParser
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def of_the_package(rooms, project_files) -> set[str]:
    """The files of the rooms, and those of the root that make it a package with types."""
    root = ("__init__.py", "__init__.pyi", "__main__.py", "py.typed")
    return {path.as_posix() for path in project_files if path.parts[0] in rooms or path.as_posix() in root}


def test_the_wheel_holds_every_file_of_the_package(wheel, of_the_package):
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert packed == {f"banditproof/{path}" for path in of_the_package}


def test_the_source_distribution_holds_the_package_and_what_builds_it_and_nothing_else(sources, of_the_package):
    files = [member.name for member in tarfile.open(sources).getmembers() if member.isfile()]
    held = {Path(*Path(name).parts[1:]).as_posix() for name in files}
    made = {name for name in held if name.startswith("banditproof.egg-info/")} | {"PKG-INFO", "setup.cfg"}
    assert held - made == of_the_package | {"pyproject.toml", "README.md", "LICENSE"}


def test_the_source_distribution_builds_the_same_wheel(sources, wheel, build, tmp_path):
    tarfile.open(sources).extractall(tmp_path, filter="data")
    (unpacked,) = tmp_path.iterdir()
    assert contents(build(unpacked, tmp_path / "again")) == contents(wheel)


def contents(wheel: Path) -> dict[str, bytes]:
    archive = zipfile.ZipFile(wheel)
    return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def metadata(wheel) -> Message:
    held = contents(wheel)
    (name,) = (name for name in held if name.endswith(".dist-info/METADATA"))
    return message_from_bytes(held[name])


def test_name_version_and_licence_of_both_are_those_of_the_project(wheel, sources, metadata, pyproject, root):
    project = pyproject["project"]
    printed = [metadata[field] for field in ("Name", "Version", "License-Expression")]
    assert printed == [project[field] for field in ("name", "version", "license")]
    stem = f"{project['name']}-{project['version']}"
    assert (wheel.name, sources.name) == (f"{stem}-py3-none-any.whl", f"{stem}.tar.gz")
    assert contents(wheel)[f"{stem}.dist-info/licenses/LICENSE"] == (root / "LICENSE").read_bytes()


def test_the_entry_points_are_those_of_the_project(wheel, pyproject):
    project = pyproject["project"]
    parser = ConfigParser()
    (name,) = (name for name in contents(wheel) if name.endswith(".dist-info/entry_points.txt"))
    parser.read_string(contents(wheel)[name].decode())
    announced = {"console_scripts": project["scripts"], **project["entry-points"]}
    assert {section: dict(parser[section]) for section in parser.sections()} == announced


def test_the_oldest_python_that_installs_it_is_the_oldest_that_is_claimed(metadata, claimed_pythons):
    assert metadata["Requires-Python"] == f">={claimed_pythons[0]}"


def test_every_module_imports_from_the_wheel(environment, module_names, imported_from):
    places = imported_from(environment, module_names)
    assert list(places) == module_names
    assert [name for name, place in places.items() if not place.is_relative_to(environment)] == []


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
