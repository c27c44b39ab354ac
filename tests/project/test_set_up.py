"""`make` picks an interpreter that works, says in one line why it cannot, and installs exact versions."""

import importlib.metadata
import os
import re
import subprocess
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

BROKEN_SHIM = "exit 127"
TOO_OLD = "exit 1"
WITHOUT_VENV = 'case "$2" in *venv*) exit 1;; esac'
GOOD = 'case "$1" in --version) echo Python 3.12.9;; -m) echo "chosen: $0" >&2; exit 1;; esac'


def make(root: Path, tmp_path: Path, arguments: list[str], **interpreters: str) -> subprocess.CompletedProcess[str]:
    """Run `make install` where the only interpreters are the given shell scripts."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, script in interpreters.items():
        (programs / name).write_text(f"#!/bin/sh\n{script}\n")
        (programs / name).chmod(0o755)
    # a make above this test hands its own variables down
    handed_down = ("MAKE", "MFLAGS", "PYTHON", "VENV", "REPORT")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(handed_down)}
    make_program = subprocess.run(["sh", "-c", "command -v make"], capture_output=True, text=True).stdout.strip()
    return subprocess.run(
        [make_program, "install", f"VENV={tmp_path / 'venv'}", *arguments],
        cwd=root,
        env=environment | {"PATH": str(programs)},
        capture_output=True,
        text=True,
    )


@pytest.fixture(scope="module")
def pins(root) -> dict[str, str]:
    lines = (root / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split("==") for line in lines if not line.startswith("#"))


def installed_requirements(name: str) -> dict[str, str]:
    """Installed version of everything that `name` with all its extras needs here, directly or not."""
    versions: dict[str, str] = {}
    pending = [Requirement(f"{name}[all]")]
    seen = set()
    while pending:
        wanted = pending.pop()
        key = (canonicalize_name(wanted.name), frozenset(wanted.extras))
        if key in seen:
            continue
        seen.add(key)
        distribution = importlib.metadata.distribution(wanted.name)
        versions[key[0]] = distribution.version
        for requirement in map(Requirement, distribution.requires or []):
            if any(
                requirement.marker is None or requirement.marker.evaluate({"extra": extra})
                for extra in ("", *wanted.extras)
            ):
                pending.append(requirement)
    versions.pop(canonicalize_name(name))
    return versions


def test_the_first_interpreter_that_works_is_chosen(root, tmp_path):
    scripts = {"python3.13": BROKEN_SHIM, "python3.12": TOO_OLD, "python3.11": WITHOUT_VENV, "python3": GOOD}
    assert f"chosen: {tmp_path / 'bin' / 'python3'}" in make(root, tmp_path, [], **scripts).stderr


def test_a_named_interpreter_is_preferred(root, tmp_path):
    finished = make(root, tmp_path, ["PYTHON=mine"], **{"python3.13": GOOD, "mine": GOOD})
    assert f"chosen: {tmp_path / 'bin' / 'mine'}" in finished.stderr


@pytest.mark.parametrize("arguments", [[], ["PYTHON=python3"]])
def test_an_old_interpreter_is_refused_in_one_line(root, tmp_path, arguments):
    finished = make(root, tmp_path, arguments, python3=TOO_OLD)
    first, *rest = finished.stderr.splitlines()
    assert finished.returncode == 2
    assert first.startswith("error: banditproof needs Python 3.11 or newer")
    assert [line for line in rest if not line.startswith("make")] == []


def test_a_python_without_venv_is_told_what_to_install(root, tmp_path):
    assert "python3-venv" in make(root, tmp_path, [], python3=WITHOUT_VENV).stderr


def test_the_constraints_are_exact_versions_without_address_or_path(pins):
    assert [version for version in pins.values() if not re.fullmatch(r"[0-9][0-9a-z.]*", version)] == []


def test_everything_installed_for_the_project_is_pinned_to_its_version(pins):
    canonical = {canonicalize_name(name): version for name, version in pins.items()}
    installed = installed_requirements("banditproof")
    assert installed == {name: canonical.get(name) for name in installed}


def test_the_build_uses_the_pinned_setuptools(pyproject, pins):
    assert pyproject["build-system"]["requires"] == [f"setuptools=={pins['setuptools']}"]
