"""Checks the registry of findings in the folder of this file: digests, ids and receipts, by the standard library alone.

    python3 -I -S check.py

The status is 0 if everything is as the manifest says and every receipt confirms its counterexample. Entries without a
receipt are named.
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from textwrap import fill


def name_of(entry: Mapping[str, str]) -> str:
    """The id of an entry: a hash of its document, item and statement."""
    said = "\n".join(entry[word] for word in ("document", "item", "statement"))
    return sha256(said.encode()).hexdigest()[:16]


def mistakes(folder: Path) -> Iterator[str]:
    """What is not as it should be, a line each."""
    listed = dict(line.split("  ", 1)[::-1] for line in (folder / "manifest.txt").read_text().splitlines())
    for name, digest in listed.items():
        if not (folder / name).is_file():
            yield f"{name} is missing"
        elif sha256((folder / name).read_bytes()).hexdigest() != digest:
            yield f"{name} is not the file of the manifest"
    index = sorted(json.loads(line)["id"] for line in (folder / "index.jsonl").read_text().splitlines())
    if index != sorted(path.stem for path in folder.glob("entries/*.json")):
        yield "index.jsonl has other ids than the entries"
    for path in sorted([*folder.glob("entries/*.json"), *folder.glob("receipts/*.py")]):
        if path.relative_to(folder).as_posix() not in listed:
            yield f"{path.name} stands in no line of the manifest"
        elif path.suffix == ".json" and name_of(json.loads(path.read_text(encoding="utf-8"))) != path.stem:
            yield f"{path.name} has the id of another statement"
        elif (
            path.suffix == ".py" and subprocess.run([sys.executable, "-I", "-S", path], capture_output=True).returncode
        ):
            yield f"{path.name} does not confirm its counterexample"


def unchecked(folder: Path) -> Iterator[str]:
    """The claims of entries that have no receipt: what is said there rests on more than the standard library."""
    for path in sorted(folder.glob("entries/*.json")):
        if not (folder / "receipts" / f"{path.stem}.py").is_file():
            yield json.loads(path.read_text(encoding="utf-8"))["claim"]


if __name__ == "__main__":
    here = Path(__file__).parent
    found, without = list(mistakes(here)), list(unchecked(here))
    print(*found, sep="\n", end="\n" * bool(found))
    if without:
        print(f"{len(without)} not checked here, without a receipt (recheck them with banditproof):")
        print(fill(", ".join(without), 100, break_on_hyphens=False))
    counted = (len(list(here.glob(kind))) for kind in ("entries/*.json", "receipts/*.py"))
    print("{} entries, {} receipts, {} mistakes".format(*counted, len(found)))
    sys.exit(bool(found))
