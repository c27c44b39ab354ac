"""Collections of policies: a text each, in which a policy stands whole or as what it changes in another one.

    python benchmarks/collection.py privacy/bug_ucb_all_ones     # prints a whole policy of policies/privacy.txt

A section begins with `=== name`, or `=== name from base` if it changes one above it, and with the docstring of its
policy. The lines before the first section are the imports of every policy. Blank lines around functions and classes are
left out.

A section without a base has the lines of its policy. In one with a base every line has a sign:

    a space    go on to the next line of the base that reads so
    -          take out the next line of the base that reads so
    +          put a line here; at the end, if no line has been looked for yet

What a base has `DECLARED:` in its docstring is true of the section too, unless its own docstring says something else.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

POLICIES = Path(__file__).parent / "policies"
HEADING = re.compile(r"^=== (\w+)(?: from (\w+))?\n", re.MULTILINE)
DOCSTRING = re.compile(r'"""(.*?)"""\n', re.DOTALL)
DECLARED = re.compile(r"^DECLARED: .*$", re.MULTILINE)
_FOLDERS: list[TemporaryDirectory[str]] = []  # removed when the process ends


def changed(base: list[str], changes: list[str]) -> list[str]:
    """The lines of a base after the changes; ValueError where a line that they quote does not come next in it."""
    new, last, at = [], [], 0
    for sign, line in ((change[:1], change[1:]) for change in changes):
        if sign == "+":
            (new if at else last).append(line)
        elif sign in ("-", " ") and line in base[at:]:
            found = base.index(line, at)
            new += base[at : found + (sign == " ")]
            at = found + 1
        else:
            raise ValueError(f"no such line: {sign}{line}")
    return [*new, *base[at:], *last]


def spaced(lines: list[str]) -> list[str]:
    """The lines of a source with the blank ones around functions and classes that formatters put, where it has none."""
    out: list[str] = []
    for line in lines:
        before, code = out[-1] if out else "", line.lstrip()
        begins = code.startswith(("def ", "class ", "@")) and not before.lstrip().startswith("@")
        if before and code and line == code and (begins or before.startswith(" ") and code[0] not in ")]}"):
            out += ["", ""]
        elif before and begins and line.startswith("    ") and line[4] != " " and not before.endswith(":"):
            out.append("")
        out.append(line)
    return out


def sources(text: str) -> dict[str, str]:
    """The source of every policy of a collection, by name; ValueError where a section does not fit its base."""
    head, *parts = HEADING.split(text)
    known: dict[str, tuple[str, list[str]]] = {}  # docstring and lines
    for name, base, part in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        if name in known:
            raise ValueError(f"two sections are called {name}")
        if (quoted := DOCSTRING.match(part)) is None:
            raise ValueError(f"{name}: a section begins with the docstring of its policy")
        said, lines = quoted[1], part[quoted.end() :].splitlines()
        if base is not None:
            if base not in known:
                raise ValueError(f"{name} changes {base}, which does not stand before it")
            its, old = known[base]
            if (declared := DECLARED.search(its)) and not DECLARED.search(said):
                said += f"\n{declared[0]}"
            try:
                lines = changed(old, lines)
            except ValueError as unfit:
                raise ValueError(f"{name}, which changes {base}: {unfit}") from None
        known[name] = said, lines
    return {
        name: "\n".join([f'"""{said}"""', *spaced(head.splitlines() + lines), ""])
        for name, (said, lines) in known.items()
    }


@cache
def folder_of(collection: Path) -> Path:
    """The folder of a collection: that of its name, or a temporary one with a file for every section of its text."""
    if collection.is_dir():
        return collection
    _FOLDERS.append(TemporaryDirectory(prefix=f"{collection.name}_"))
    written = Path(_FOLDERS[-1].name)
    for name, source in sources(collection.with_suffix(".txt").read_text()).items():
        (written / f"{name}.py").write_text(source)
    return written


if __name__ == "__main__":
    for asked in sys.argv[1:]:
        print((folder_of((POLICIES / asked).parent) / f"{Path(asked).name}.py").read_text(), end="")
