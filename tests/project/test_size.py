"""The house does not grow unseen: lines of Python and of statements, with the reason of every growth."""

from pathlib import Path

SIZES = Path(__file__).parent / "sizes.txt"
CLOSE = 0.99  # what has become shorter by more is written down too


def test_lines_grow_for_a_reason_that_is_written(root, project_files):
    """`sizes.txt` has a line for every change: how many lines there may be, and why. The last one counts."""
    counted = [
        path
        for path in project_files
        if path.suffix == ".py" or path.parts[0] == "paper_checks" and path.suffix == ".md"
    ]
    lines = sum(len((root / path).read_text().splitlines()) for path in counted)
    allowed, _, reason = SIZES.read_text().splitlines()[-1].partition("  ")
    assert len(reason.split()) > 3
    assert CLOSE * int(allowed) <= lines <= int(allowed), f"{lines} lines: add a line with the reason to {SIZES.name}"
