"""The claims that are programs of one line: each row of `programs.txt` is the function that an author would write."""

from __future__ import annotations

import linecache
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

TABLE = Path(__file__).with_suffix(".txt")
ROW = re.compile(r"\w+\(.*?\) \| ")


def written(row: str) -> str:
    """The function of a row under its decorator."""
    called, steps, body, *found, says = row.split(" | ")
    if found:
        at, exactly, why = found
        steps = f"false({why!r}, {steps}, at=dict({at}){', exactly=' * bool(exactly)}{exactly})"
    else:
        steps = f"true({steps})"
    return f"@{steps}\ndef {called}:\n    {says!r}\n    return {body}\n"


def sources() -> Iterator[tuple[str, str]]:
    """The name of every part, and its Python."""
    for part in TABLE.read_text(encoding="utf-8").split("\n=== ")[1:]:
        name, *lines = part.splitlines()
        shown = (written(line) if ROW.match(line) else line for line in lines)
        yield name, "\n".join(("from __future__ import annotations", "from flaws import false", *shown))


for name, source in sources():
    file = str(TABLE.with_name(f"{name} in {TABLE.name}"))
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file  # where inspect looks for it
    module = sys.modules.setdefault(name, ModuleType(name))
    exec(compile(source, file, "exec"), {**vars(module), "__name__": name})
