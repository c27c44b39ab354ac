"""The shape of the tree: nothing in the root that does not belong there, and every folder in the wheel."""

import re
import subprocess

import pytest

MOST_LINES_BY_HAND = 100
ROOMS = ("theory", "algorithms", "verify", "claims", "paper_checks", "cli", "tests", "benchmarks")


PACKAGE = "__init__.py __init__.pyi __main__.py py.typed"  # the root is the package banditproof
FILES = "README.md CONTRIBUTING.md CHANGELOG.md CITATION.cff LICENSE Makefile pyproject.toml constraints.txt"
ROOT = {*PACKAGE.split(), *FILES.split(), *ROOMS, ".gitignore", ".ci", "docs", "examples"}


def test_the_root_holds_what_a_reader_looks_for_there_and_nothing_else(root):
    """A test that writes where it runs leaves its files here, and they were committed once."""
    tracked = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=root, capture_output=True, text=True
    )
    if tracked.returncode:
        pytest.skip("not a checkout of git")
    present = {line.partition("/")[0] for line in tracked.stdout.splitlines() if (root / line).exists()}
    assert present == ROOT


def test_few_lines_are_laid_by_hand(root):
    files = [p for folder in ROOMS for p in (root / folder).rglob("*.py")]
    skipped = [p for p in files for line in p.read_text().splitlines() if line.endswith("# fmt: skip")]
    assert len(skipped) <= MOST_LINES_BY_HAND


def test_every_folder_of_the_rooms_is_a_listed_package(root, room_files, pyproject):
    folders = {".".join(["banditproof", *p.parent.relative_to(root).parts]) for p in room_files}
    listed = pyproject["tool"]["setuptools"]["packages"]
    assert sorted(listed) == sorted(set(listed))
    assert set(listed) == {"banditproof", *folders}


def test_no_docstring_is_mangled_by_quotes_at_its_joints(root, room_files, read):
    """A statement that was once split over string literals has quotes left where lines meet."""
    mangled = [
        f"{path.relative_to(root)}: {name}"
        for path in room_files
        for name, text in read(path).docstrings
        if re.search(r'["\']\s*\n\s*r?["\'](?=\S)', text)
    ]
    assert mangled == []
