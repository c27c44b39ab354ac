"""The index beside ``results.json``: what it takes to look up a verdict or a finding, a tenth of the whole file.

It belongs to one content of the file and holds its hash; where that differs, or another user wrote it, it is made
again: else it could say what the file does not, and ``recheck`` reads only the file.
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
from banditproof.claims.seal import is_sealed, seal

FILE = ".lookup.json"
LEFT_OUT = ("evidence", "attempts")
FORM = b"keys"  # of an index; one that an earlier version wrote has another, and is made again
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
        held = {"of": self.of, "changed": self.changed, "words": self.words, "results": self.results}
        content = json.dumps(held, ensure_ascii=False).encode()
        try:
            write_atomically(self.path, seal(self.path.name, content).encode() + b"\n" + content)
        except OSError:
            self.path = Path()


def looked_up(path: Path, read: Callable[[Path], dict[str, Any]]) -> Lookup:
    """The index of a results document, which `read` reads where it has none that fits."""
    held = _held(path.with_name(FILE)) if path.is_file() else {}
    if held and held.get("of") == _hash(path):
        return Lookup(path.with_name(FILE), held["of"], held["results"], held["changed"], held["words"])
    results = read(path)
    one = indexed(path, results, changed(results))
    one.write()
    return one


def indexed(path: Path, results: Mapping[str, Any], changed: str = "") -> Lookup:
    """The index of results that stand in a file, as written or `changed`; what was told of claims as before is kept."""
    records = [
        {name: value for name, value in record.items() if name not in LEFT_OUT}
        | {"evidence": _of_runs(record), "stated": {"key": (record.get("stated") or {}).get("key")}}
        for record in results["claims"]
    ]
    beside = path.with_name(FILE)
    words = _held(beside).get("words", {})
    return Lookup(beside, _hash(path), {**results, "claims": records}, changed, words)


def _hash(path: Path) -> str:
    return blake2b(path.read_bytes(), digest_size=16, person=FORM).hexdigest()


def _held(path: Path) -> dict[str, Any]:
    """The content of an index that this user wrote; nothing where there is none."""
    try:
        given, _, content = path.read_bytes().partition(b"\n")
    except OSError:
        return {}
    return json.loads(content) if is_sealed(path.name, content, given) else {}  # type: ignore[no-any-return]


def _of_runs(record: Record) -> list[dict[str, Any]]:
    """What the counts of runs show, without the counts."""
    held = [e for e in record.get("evidence", ()) if e.get("kind") == "statistics"]
    return [{name: e.get(name) for name in OF_STATISTICS} for e in held]
