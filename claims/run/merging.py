"""What a report holds besides what its run was asked for.

A report is about whole documents. A run renews those that it was asked for and keeps the others of the folder while
nothing that their claims depend on has changed, so a narrower run takes nothing from a wider report. It also looks at
what its claims rest on, wherever that stands, so no verdict depends on what was asked for.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from banditproof.claims.register import REGISTER, Claim
from banditproof.claims.run.record import Settings, key
from banditproof.claims.verdict import DECIDING
from banditproof.theory.errors import InvalidInput


def foundation(claims: Iterable[Claim]) -> list[Claim]:
    """What the claims rest on, directly or not, as far as it is not among them; items with what decides them."""
    known = {claim.id: claim for claim in claims}
    waiting, added = [i for claim in known.values() for i in claim.rests_on], set[str]()
    while waiting:
        name = waiting.pop()
        if name in known or name in added or name not in REGISTER:
            continue
        added.add(name)
        waiting += REGISTER[name].rests_on
        waiting += [c.id for c in REGISTER.values() if c.parent == name and c.role in DECIDING]
    return [claim for claim in REGISTER.values() if claim.id in added]


@dataclass(frozen=True)
class Kept:
    """The documents of a report that stay as they are when others are renewed.

    Attributes:
        claims: all of theirs.
        runs: the command, the time and the duration of the run that checked them, by document.
        selftest: whether false variants were tried there.
        changed: the documents that leave the report, since something that they depend on has changed.
    """

    claims: list[Claim] = field(default_factory=list)
    runs: dict[str, dict[str, Any]] = field(default_factory=dict)
    selftest: bool = False
    changed: list[str] = field(default_factory=list)


def kept_documents(folder: Path, settings: Settings, renewed: Collection[str]) -> Kept:
    """What stays of the report in the folder when the documents `renewed` are checked.

    Raises InvalidInput for a report of another profile or seed, or with documents that this run does not know, unless
    all of it is renewed.
    """
    earlier = _report_in(folder)
    if earlier is None:
        return Kept()
    run, held = earlier["run"], dict[str, list[Mapping[str, Any]]]()
    for record in earlier["claims"]:
        if record["paper"] not in renewed and record["id"] not in run.get("rested_on", ()):
            held.setdefault(record["paper"], []).append(record)
    registered = {paper: [c for c in REGISTER.values() if c.paper == paper] for paper in held}
    unknown = [paper for paper, claims in registered.items() if not claims]
    if unknown:
        allowed = f"a folder whose report has no unknown documents: {', '.join(unknown)} would be lost (use --module)"
        raise InvalidInput("output", str(folder), allowed)
    if held and (run.get("profile"), run.get("root_seed")) != (settings.profile, settings.root_seed):
        allowed = (
            f"another folder: the report in this one has profile {run.get('profile')} and seed {run.get('root_seed')}"
        )
        raise InvalidInput("output", str(folder), f"{allowed}, and {', '.join(held)} in it would be lost")
    keys = {paper: {c.id: key(c, settings) for c in claims} for paper, claims in registered.items()}
    stay = [paper for paper in held if {r["id"]: r["key"] for r in held[paper]} == keys[paper]]
    own = {name: run.get(name) for name in ("command", "finished", "seconds")}
    return Kept(
        [c for c in REGISTER.values() if c.paper in stay],
        {paper: run.get("kept", {}).get(paper, own) for paper in stay},
        any(r["mutations"] for paper in stay for r in held[paper]),
        [paper for paper in held if paper not in stay],
    )


def _report_in(folder: Path) -> dict[str, Any] | None:
    """The report that an earlier run left in the folder; None without one that can be read."""
    try:
        report = json.loads((folder / "results.json").read_text(encoding="utf-8"))
        shaped = report["schema"] == 1 and isinstance(report["run"], dict)
        read = shaped and [(r["id"], r["paper"], r["key"], r["mutations"]) for r in report["claims"]]
    except (OSError, ValueError, RecursionError, LookupError, TypeError):
        return None
    return report if read else None
