"""Broken policies that are kept as what they change in a sound one: `bug_x.diff`, a unified diff of a file beside it.

The first line of a diff names the sound file. Who changes a copy of it into a bug of one's own keeps
`diff -U1 --label ok_x.py --label bug_x.py ok_x.py bug_x.py`; `patch -o - ok_x.py bug_x.diff` prints the whole policy.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@")
_FOLDERS: list[TemporaryDirectory[str]] = []  # removed when the process ends


def changed(source: str, diff: str) -> str:
    """The source after the changes of a diff; ValueError where a line that the diff quotes is another one."""
    old, new, at = source.splitlines(keepends=True), [], 0
    for line in diff.splitlines(keepends=True)[2:]:
        if hunk := HUNK.match(line):
            begin = int(hunk[1]) - 1
            new += old[at:begin]
            at = begin
            continue
        sign, text = line[0], line[1:]
        if sign in " -":
            if old[at : at + 1] != [text]:
                raise ValueError(f"line {at + 1} of the source is not the one of the diff: {text.rstrip()!r}")
            at += 1
        if sign in " +":
            new.append(text)
    return "".join([*new, *old[at:]])


@cache
def whole_files(folder: Path) -> Path:
    """A temporary folder with the files of one, its diffs as the files that they make."""
    _FOLDERS.append(TemporaryDirectory(prefix=f"{folder.name}_"))
    written = Path(_FOLDERS[-1].name)
    for file in folder.glob("*.py"):
        (written / file.name).write_text(file.read_text())
    for file in folder.glob("*.diff"):
        diff = file.read_text()
        sound = folder / diff.split("\n", 1)[0].removeprefix("--- ")
        (written / f"{file.stem}.py").write_text(changed(sound.read_text(), diff))
    return written
