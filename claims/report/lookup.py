"""The index beside ``results.json``: what it takes to look up a verdict or a finding, a tenth of the whole file.

It belongs to one content of the file and holds its hash; where that differs, it is made again. It saves time and
decides nothing: ``recheck`` reads the file itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

from banditproof.algorithms.run.checkpoints import write_atomically
from banditproof.claims.fingerprint import digest, installation
from banditproof.claims.register import Claim
from banditproof.claims.report.findings import Finding, Record
from banditproof.claims.report.telling import Told, told
from banditproof.claims.run.results import changed

FILE = ".lookup.json"
LEFT_OUT = ("evidence", "stated", "key", "attempts")
OF_STATISTICS = ("kind", "error", "fresh")


@dataclass
class Lookup:
    """Results without their evidence, what their checksum says of them, and what is said of failing claims."""

    path: Path
    of: str
    results: dict[str, Any]
    changed: str
    words: dict[str, Any] = field(default_factory=dict)

    def told(self, listed: Sequence[Finding], claims: Callable[[], Mapping[str, Claim]]) -> dict[str, Told]:
        """What is said of the failures, without how numbers come about; `claims` are read only for what is new."""
        keys = self._keys(listed)
        if new := [f for f in listed if any(keys[w.claim] not in self.words for w in f.failures)]:
            for claim, said in told(new, self.results["claims"], claims()).items():
                self.words[keys[claim]] = [said.why, said.notes, said.corrected, said.counterexample]
            self.write()
        words = {claim: self.words[key] for claim, key in keys.items()}
        return {claim: Told(why, tuple(notes), *rest) for claim, (why, notes, *rest) in words.items()}

    def renew(self, listed: Sequence[Finding], claims: Mapping[str, Claim]) -> None:
        """Write it with what is said of these failures and of no others."""
        self.told(listed, lambda: claims)
        self.words = {key: self.words[key] for key in self._keys(listed).values()}
        self.write()

    def _keys(self, listed: Sequence[Finding]) -> dict[str, str]:
        """What the words on each failing claim depend on, hashed."""
        evidence = {r["id"]: r["counterexample"] for r in self.results["claims"]}
        failures = (failure for finding in listed for failure in finding.failures)
        return {f.claim: digest([self._source, asdict(f), evidence[f.claim]]) for f in failures}

    @cached_property
    def _source(self) -> Mapping[str, str]:
        return installation()

    def write(self) -> None:
        """Write it beside the results; where that cannot be, the next one to look something up waits longer."""
        content = {"of": self.of, "changed": self.changed, "words": self.words, "results": self.results}
        try:
            write_atomically(self.path, json.dumps(content, ensure_ascii=False).encode())
        except OSError:
            self.path = Path()


def looked_up(path: Path, read: Callable[[Path], dict[str, Any]]) -> Lookup:
    """The index of a results document, which `read` reads where it has none that fits."""
    beside = path.with_name(FILE)
    try:
        of = blake2b(path.read_bytes(), digest_size=16).hexdigest()
        held = json.loads(beside.read_bytes())
        if held["of"] == of and isinstance(held["words"], dict):
            return Lookup(beside, of, held["results"], held["changed"], held["words"])
    except (OSError, ValueError, LookupError, TypeError):
        pass  # there is none, or it is no index: it is made again
    one = indexed(path, read(path))
    one.write()
    return one


def indexed(path: Path, results: Mapping[str, Any]) -> Lookup:
    """The index of a document that stands in a file; what was told of claims that fail as before is kept."""
    records = [
        {name: value for name, value in record.items() if name not in LEFT_OUT} | {"evidence": _of_runs(record)}
        for record in results["claims"]
    ]
    of = blake2b(path.read_bytes(), digest_size=16).hexdigest()
    one = Lookup(path.with_name(FILE), of, {**results, "claims": records}, changed(results))
    try:
        one.words = json.loads(one.path.read_bytes())["words"]
    except (OSError, ValueError, LookupError, TypeError):
        one.words = {}
    return one


def _of_runs(record: Record) -> list[dict[str, Any]]:
    """What the counts of runs show, without the counts."""
    held = [e for e in record.get("evidence", ()) if e.get("kind") == "statistics"]
    return [{name: e.get(name) for name in OF_STATISTICS} for e in held]
