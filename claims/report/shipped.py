"""The verdicts that the package brings along: written from the results of a check, read where there is no report.

A verdict belongs to the words that were checked; where these have changed since, none is known.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from banditproof.claims.fingerprint import digest
from banditproof.claims.loading import load
from banditproof.claims.register import REGISTER, Claim
from banditproof.claims.report.plain import plain
from banditproof.claims.verdict import REFUTED
from banditproof.theory.verdicts import FILE, Known, known

SHORT = 8  # signs of a digest


def words_of(claim: Claim) -> str:
    """A short hash of what is claimed, and about what."""
    return digest([claim.statement, claim.domain.to_json(), claim.restricted, claim.assuming])[:SHORT]


def shipped(claim: Claim) -> Known | None:
    """What the package knows of a claim; None where it was not checked in these words."""
    one = known().get(claim.id)
    return one if one is not None and one.digest == words_of(claim) else None


def lines_of(results: Mapping[str, Any]) -> Iterator[str]:
    """The lines of the file, from a results document: of every item, and of what is there already."""
    records = {record["id"]: record for record in results["claims"]}
    wanted = [i for i in records if i in REGISTER and (REGISTER[i].role == "item" or i in known())]
    now = dict(known()) | {i: of_record(REGISTER[i], records) for i in wanted}
    for claim in sorted(i for i in now if i in REGISTER):
        yield "\t".join((claim, *now[claim]))


def of_record(claim: Claim, records: Mapping[str, Mapping[str, Any]]) -> Known:
    """What the records of a run know of a claim."""
    record: Mapping[str, Any] = records[claim.id]
    verdict, repair = record["verdict"], record.get("repair")
    by = records.get(repair["id"]) if repair else None
    instead = "" if by is None else f"{plain(by['statement']).rstrip('.')} ({by['verdict']})"
    corrected = record.get("corrected", instead) if verdict in REFUTED else ""
    reach = "" if verdict == "proved" else re.sub(rf"^{re.escape(claim.id)}/\S+: ", "", record["reach"])
    return Known(verdict, words_of(claim), _line(reach), _line(corrected))


def _line(text: str) -> str:
    return " ".join(text.split())


if __name__ == "__main__":
    from banditproof import theory

    load(())
    lines = list(lines_of(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))))
    (Path(theory.__path__[0]) / FILE).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
