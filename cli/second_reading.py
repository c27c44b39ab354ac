"""``banditproof recheck --second-reader``: stored proofs, read by a checker that shares no code with the kernel."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from banditproof.claims.report.terminal import printable
from banditproof.cli.documents import print_document
from banditproof.cli.progress import progress_bar
from banditproof.cli.rechecking import load_results, whole_records
from banditproof.cli.statuses import Status
from banditproof.verify import second_reader
from banditproof.verify.proof.evidence import KernelProof


def read_again(path: Path, quiet: bool = False, as_json: bool = False) -> int:
    """A violation where the second reader refuses a proof; open where the file has none.

    Args:
        path: of a results document.
        quiet: show no progress.
        as_json: print the counts and what was refused as JSON.
    """
    results, refused, start = load_results(path), dict[str, str](), time.perf_counter()
    with whole_records(path):
        proofs = dict(proofs_in(results))
    with progress_bar(len(proofs), quiet) as progress:
        for claim, content in proofs.items():
            if reason := second_reader.why(json.dumps(content)):
                refused[claim] = reason
            progress("read", {"id": claim})
    seconds = time.perf_counter() - start
    status = Status.VIOLATION if refused else Status.OK if proofs else Status.OPEN
    if as_json:
        print_document({"proofs": len(proofs), "refused": refused, "seconds": round(seconds, 1)})
        return status
    for claim, reason in refused.items():
        print(printable(f"{claim}: refused ({reason})", 400))
    print(f"{len(proofs)} proofs of the kernel read by the second reader: {len(refused)} refused; {seconds:.0f} s")
    return status


def proofs_in(results: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The proofs of the kernel in a results document, by claim, each as a file of ``banditproof export --proofs``."""
    for record in results["claims"]:
        for evidence in record["evidence"]:
            if evidence["kind"] == KernelProof.kind:
                said = {"claims": [record["id"]], "words": evidence["statement"]}
                data = {"statement": evidence["formula"], "proof": evidence["proof"]}
                yield record["id"], {"format": second_reader.FORMAT, **said, **data}
