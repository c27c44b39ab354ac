"""A registry of findings: a folder of plain files that can be published, merged and checked without banditproof.

    entries/0f3a8c51d2e94b76.json    what is false, in which document, where, how sure this is, and the authors' answer
    receipts/0f3a8c51d2e94b76.py     computes the counterexample again, with the standard library alone
    manifest.txt                     a SHA-256 for each of these files, as sha256sum --check reads them
    index.jsonl                      a line for each entry
    check.py                         compares digests and index and runs every receipt, with the standard library alone

The id of an entry is a hash of document, item and statement. It never changes, so two folders are merged file by file,
and the lines of the index and of the manifest by union.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from banditproof.algorithms.run.checkpoints import write_atomically
from banditproof.claims.documents import documents
from banditproof.claims.report import registry_check
from banditproof.claims.report.findings import Finding
from banditproof.claims.report.receipts import receipts
from banditproof.claims.verdict import REFUTED
from banditproof.theory.errors import InvalidInput, known_fields

STANDS, WITHDRAWN, SUPERSEDED = "standing", "withdrawn", "superseded"
MERGED = "index.jsonl merge=union\nmanifest.txt merge=union\n"
OF_A_FAILURE = (
    "place role severity fails slip reach point left operator right correction repair repaired certainty caveat".split()
)
"""What an entry has of a failure, by its names in ``findings.Failure``."""
OF_AN_ENTRY = (
    *"id document item statement title claim finding formula domain".split(),
    *OF_A_FAILURE,
    *("answers", "status", "reason"),
)


def write_registry(
    folder: Path, results: Mapping[str, Any], found: Sequence[Finding], severities: Sequence[str]
) -> dict[str, int]:
    """Write or renew the registry in a folder; returns how many entries stand, were withdrawn or superseded.

    Entries of other documents stay as they are. Of the documents of `results`, an entry without a finding stays with
    the reason: its statement was changed, or the check no longer refutes it.

    Args:
        folder: new, or one that was written by this function.
        results: of a check, as ``results.json`` has them.
        found: all its findings.
        severities: of the findings that are written, such as "A".

    Raises:
        InvalidInput: for a folder with other files, or one that cannot be written.
    """
    known = _entries(folder)
    checked = {record["paper"] for record in results["claims"]}
    new = {entry["id"]: entry for finding in found for entry in _entries_of(finding, results)}
    claims = {(entry["document"], entry["claim"]): name for name, entry in new.items()}
    false = {(r["id"], r["statement"]) for r in results["claims"] if {r["verdict"], r["own_verdict"]} & {*REFUTED}}
    for name, entry in known.items():
        stays = name in new or (entry["claim"], entry["statement"]) in false  # within the finding of a twin
        if not stays and entry["document"] in checked and entry["status"] == STANDS:
            later = claims.get((entry["document"], entry["claim"]))
            why = f"its statement was corrected: {later}" if later else "a later check does not refute it"
            known[name] = entry | {"status": SUPERSEDED if later else WITHDRAWN, "reason": why}
    new = {name: entry for name, entry in new.items() if name in known or entry["severity"][0] in severities}
    code = {name: text for name, (_, text) in receipts(results["claims"]).items()}
    entries = known | new
    files = {f"receipts/{path.name}": path.read_text(encoding="utf-8") for path in folder.glob("receipts/*.py")}
    files |= {f"receipts/{name}.py": code[e["claim"]] for name, e in new.items() if e["claim"] in code}
    files |= {f"entries/{name}.json": _json(entry) for name, entry in entries.items()}
    files["check.py"] = Path(registry_check.__file__).read_text(encoding="utf-8")
    digests = {name: sha256(text.encode()).hexdigest() for name, text in files.items()}
    files["manifest.txt"] = "".join(f"{digests[name]}  {name}\n" for name in sorted(digests))
    files["index.jsonl"] = "".join(f"{json.dumps(_in_the_index(entries[name]))}\n" for name in sorted(entries))
    files[".gitattributes"] = MERGED
    try:
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            write_atomically(folder / name, text.encode())
    except OSError as error:
        raise InvalidInput("registry", str(folder), f"a folder that can be written ({error.strerror})") from error
    return {status: sum(e["status"] == status for e in entries.values()) for status in (STANDS, WITHDRAWN, SUPERSEDED)}


def _entries(folder: Path) -> dict[str, dict[str, Any]]:
    """The entries that the folder has, by id."""
    if folder.exists() and not folder.is_dir():
        raise InvalidInput("registry", str(folder), "a folder")
    if folder.exists() and any(folder.iterdir()) and not (folder / "manifest.txt").is_file():
        raise InvalidInput("registry", str(folder), "a new folder, or one in which a registry was written")
    entries = {}
    for path in sorted(folder.glob("entries/*.json")):
        try:
            entries[path.stem] = json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise InvalidInput(
                "registry", path.name, f"an entry in JSON, as this command writes it ({error})"
            ) from None
        known_fields(path.name, entries[path.stem], OF_AN_ENTRY)
        if lacking := [word for word in OF_AN_ENTRY if word not in entries[path.stem]]:
            raise InvalidInput("registry", path.name, f"an entry that has {', '.join(lacking)}")
    return entries


def _entries_of(finding: Finding, results: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    """An entry for each failure of a finding; the first leads."""
    records = {record["id"]: record for record in results["claims"] if record["id"] in finding.claims}
    answers = [{"by": a.by, "date": a.date, "note": a.note} for a in finding.answers]
    leading = ""
    for failure in finding.failures:
        record = records[failure.claim]
        said = {"document": finding.paper, "item": record["parent"] or failure.claim, "statement": failure.statement}
        name = registry_check.name_of(said)
        leading = leading or name
        yield {
            "id": name,
            **said,
            "title": documents()[finding.paper].title if finding.paper in documents() else finding.paper,
            "claim": failure.claim,
            "finding": leading,
            "formula": record["stated"] and record["stated"]["text"],
            "domain": record["domain"],
            **{word: getattr(failure, word) for word in OF_A_FAILURE},
            "answers": answers,
            "status": STANDS,
            "reason": "",
        }


def _in_the_index(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {word: entry[word] for word in ("id", "document", "item", "severity", "certainty", "status", "statement")}


def _json(entry: Mapping[str, Any]) -> str:
    return json.dumps(entry, indent=1, ensure_ascii=False) + "\n"
