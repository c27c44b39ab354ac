"""Tables of numbers in files, as R, spreadsheets and NumPy write them: read exactly, or refused by line and column.

`csv.Sniffer` finds what separates the cells. What could be read in two ways is refused: a number with a comma in a file
whose cells are separated by commas, decimal points beside decimal commas, a column without a heading that may be data.
"""

from __future__ import annotations

import codecs
import csv
import re
import sys
from fractions import Fraction
from pathlib import Path

from banditproof.cli.arguments import number
from banditproof.theory.errors import InvalidInput

SEPARATORS = ("\t;|", ", ")  # those that stand in no number come first, since a comma may be one of decimals
MISSING = ("", "na", "n/a", "nan", "null", "none", "?", "-")
SAMPLE = 1 << 16  # characters in which the separator is looked for
_DECIMAL_COMMA = re.compile(r"\s*[-+]?\d*,\d+(?:[eE][-+]?\d+)?\s*")

Row = tuple[int, list[str]]  # the line in the file, and the cells


def table(parameter: str, path: Path) -> list[list[Fraction]]:
    """The rows of a file of finite numbers, exactly; a first row of words is a heading.

    A first column of words is left out, and so is one that counts the rows under an empty heading; a line on standard
    error says so. Raises InvalidInput, which names line and column.
    """
    separator, rows = _cells(parameter, path)
    heading = rows.pop(0)[1] if len(rows) > 1 and _words(rows[0][1]) else None
    if not rows:
        raise InvalidInput(parameter, str(path), "a CSV file with a row of numbers in every line")
    width = _width(parameter, path, rows, heading)
    if width > 1 and _names_rows(parameter, path, rows, heading, width):
        named = 1
    else:
        named = 0
    commas = [line for line, row in rows if any(map(_DECIMAL_COMMA.fullmatch, row[named:]))]
    points = [line for line, row in rows if any("." in cell for cell in row[named:])]
    if separator != "," and commas and points:
        got = f"a comma in {path.name}, line {commas[0]}, and a point in line {points[0]}"
        raise InvalidInput(parameter, got, "a CSV file with one decimal sign, without marks between thousands")
    numbers = [
        [
            _number(f"{parameter} ({path.name}, line {line}, column {column + 1})", row[column], separator)
            for column in range(named, width)
        ]
        for line, row in rows
    ]
    if named:
        print(f"{path.name}: the first column names the rows, so it is not read as numbers", file=sys.stderr)
    return numbers


def _cells(parameter: str, path: Path) -> tuple[str, list[Row]]:
    """What separates the cells, and the rows without empty lines, comments at the head and last columns of nothing."""
    allowed = "a CSV file that can be read"
    try:
        content = path.read_bytes()
        utf16 = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        text = content.decode("utf-16" if utf16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise InvalidInput(parameter, f"{path}, line {line}", f"{allowed}, in UTF-8 ({error.reason})") from error
    except OSError as error:
        raise InvalidInput(parameter, str(path), f"{allowed} ({error.strerror})") from error
    lines, before = text.splitlines(), 0
    while before < len(lines) and (not lines[before].strip() or lines[before].lstrip().startswith("#")):
        before += 1
    told = re.fullmatch(r"sep=(.)", lines[before].strip(), re.IGNORECASE) if before < len(lines) else None  # by Excel
    before += told is not None
    separator = told[1] if told else _separator("\n".join(lines[before:])[:SAMPLE])
    reader = csv.reader(lines[before:], delimiter=separator, skipinitialspace=True)
    try:
        rows = [(before + reader.line_num, row) for row in reader if any(map(str.strip, row))]
    except csv.Error as error:
        raise InvalidInput(parameter, f"{path}, line {before + reader.line_num}", f"{allowed} ({error})") from error
    while rows and len({len(row) for _, row in rows}) == 1 and not any(row[-1].strip() for _, row in rows):
        rows = [(line, row[:-1]) for line, row in rows]
    return separator, rows


def _separator(text: str) -> str:
    for candidates in SEPARATORS:
        if any(mark in text for mark in candidates):
            try:
                return csv.Sniffer().sniff(text, candidates).delimiter
            except csv.Error:  # rows of different lengths, which are named later
                return next(mark for mark in candidates if mark in text)
    return ","


def _width(parameter: str, path: Path, rows: list[Row], heading: list[str] | None) -> int:
    """How many cells every row has; the heading has as many, or one less where it is silent about names of rows."""
    (start, first), *others = rows
    for line, row in others:
        if len(row) != len(first):
            allowed = f"a CSV file with rows of equal length ({len(first)} cells in line {start})"
            raise InvalidInput(parameter, f"{len(row)} cells in {path.name}, line {line}", allowed)
    if heading is not None and len(heading) not in (len(first) - 1, len(first)):
        allowed = f"a CSV file whose rows are as long as its heading of {len(heading)} cells"
        raise InvalidInput(parameter, f"{len(first)} cells in {path.name}, line {start}", allowed)
    return len(first)


def _names_rows(parameter: str, path: Path, rows: list[Row], heading: list[str] | None, width: int) -> bool:
    """Whether the first column holds words, or the numbers of the rows under no heading."""
    cells = [row[0].strip() for _, row in rows]
    if _words(cells) and all(cells):
        return True
    if heading is None or len(heading) == width and heading[0].strip():
        return False
    if any(cells == [str(k) for k in range(start, start + len(cells))] for start in (0, 1)):
        return True
    allowed = "under a heading, if they are data, or count the rows, if they are not"
    raise InvalidInput(f"{parameter} ({path.name}, column 1)", ", ".join(cells[:5]), allowed)


def _words(cells: list[str]) -> bool:
    """Whether none of the cells is a number, and not all are marks of what is missing."""
    return not any(map(_is_number, cells)) and any(cell.strip().lower() not in MISSING for cell in cells)


def _is_number(text: str) -> bool:
    try:
        number("cell", text.replace(",", ".") if _DECIMAL_COMMA.fullmatch(text) else text)
    except InvalidInput:
        return False
    return True


def _number(place: str, cell: str, separator: str) -> Fraction:
    if "," in cell and separator == ",":
        raise InvalidInput(place, cell, "a number without a comma, which separates cells here (write 1.5 or 1500)")
    value = number(place, cell.replace(",", ".") if _DECIMAL_COMMA.fullmatch(cell) else cell)
    if not isinstance(value, Fraction):
        raise InvalidInput(place, cell, "a finite number")
    return value
