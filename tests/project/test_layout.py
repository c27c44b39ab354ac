"""The shape of the tree: small files in small folders, and every folder in the wheel."""

import ast
import re
from collections import Counter
from pathlib import Path

LONGEST_FILE, LARGEST_FOLDER, MOST_LINES_BY_HAND = 600, 16, 100
ROOMS = ("theory", "algorithms", "verify", "claims", "paper_checks", "cli", "tests", "benchmarks")


def test_no_file_is_too_long_to_know(root, room_files):
    lengths = {str(p.relative_to(root)): len(p.read_text(encoding="utf-8").splitlines()) for p in room_files}
    assert {path: n for path, n in lengths.items() if n > LONGEST_FILE} == {}


def test_no_folder_is_too_large_to_see_at_once(root, room_files):
    folders = Counter(p.parent.relative_to(root) for p in room_files if p.name != "__init__.py")
    for folder in list(folders):
        folders[folder] += sum(other.parent == folder for other in folders if other != folder)
    assert {str(f): n for f, n in folders.items() if n > LARGEST_FOLDER} == {}


def test_few_lines_are_laid_by_hand(root):
    files = [p for folder in ROOMS for p in (root / folder).rglob("*.py")]
    skipped = [p for p in files for line in p.read_text().splitlines() if line.endswith("# fmt: skip")]
    assert len(skipped) <= MOST_LINES_BY_HAND


def test_every_folder_of_the_rooms_is_a_listed_package(root, room_files, pyproject):
    folders = {f"banditproof.{'.'.join(p.parent.relative_to(root).parts)}" for p in room_files}
    listed = pyproject["tool"]["setuptools"]["packages"]
    assert sorted(listed) == sorted(set(listed))
    assert set(listed) == folders


def test_no_docstring_is_mangled_by_quotes_at_its_joints(root, room_files):
    """A statement that was once split over string literals has quotes left where lines meet."""
    mangled = []
    for path in room_files:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                text = ast.get_docstring(node) or ""
                if re.search(r'["\']\s*\n\s*r?["\'](?=\S)', text):
                    mangled.append(f"{Path(path).relative_to(root)}: {getattr(node, 'name', 'module')}")
    assert mangled == []
