"""``banditproof explain``: one claim, for reading."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path

from banditproof.claims.documents import catalogue
from banditproof.claims.register import REGISTER, Claim, load, load_module, resolve
from banditproof.claims.steps import described
from banditproof.cli.rechecking import load_results


def explain_claim(claim_id: str, modules: Sequence[Path], results: Path) -> int:
    """Print a claim with its domain, check and mutations, and its verdict where results exist."""
    load()
    for module in modules:
        load_module(module)
    claim = resolve(claim_id)
    print("\n".join(_lines(claim)))
    below = [c for c in REGISTER.values() if c.parent == claim.id]
    verdicts = {c["id"]: c for c in load_results(results)["claims"]} if results.is_file() else {}
    if below:
        print("\nunder it:")
        for c in below:
            print(f"  {c.id} ({c.role}): {verdicts.get(c.id, {}).get('verdict', 'not run')}")
    if claim.id in verdicts:
        record = verdicts[claim.id]
        print(f"\nverdict in {results}: {record['verdict']}\n  {record['reach']}")
    print(f"\nrun it: banditproof check --claim {claim.id}")
    return 0


def _file(claim: Claim) -> str:
    """The file and function of a claim, with the section and page where its item is printed."""
    source = sys.modules[claim.module].__file__ or claim.module
    folder = next((p for p in Path(source).parents if not (p / "__init__.py").is_file()), Path(source).parent)
    shown = f"{Path(source).relative_to(folder)}"
    if claim.function is not None:
        shown += f", function {claim.function.__name__}"
    entry = catalogue().get(claim.item)
    if entry is not None and entry.section:
        shown += f" (section {entry.section}{f', page {entry.page}' if entry.page else ''})"
    return shown


def _lines(claim: Claim) -> list[str]:
    lines = [
        f"{claim.id} ({claim.kind}, {claim.paper})",
        f"place: {claim.place}",
        f"checked in: {_file(claim)}",
        f"statement: {claim.shown()}",
        f"domain: {claim.domain}",
    ]
    if claim.constants:
        lines.append("constants: " + ", ".join(f"{n} = {v}" for n, v in claim.constants.items()))
    for label, values in (("aliases", claim.aliases), ("twins", claim.twins), ("rests on", claim.rests_on)):
        if values:
            lines.append(f"{label}: {', '.join(values)}")
    if claim.repairs:
        lines.append(f"repairs: {claim.repairs}")
    if claim.restricted:
        lines.append(f"restricted {claim.restricted}")
    if claim.not_checkable:
        lines.append(f"not checkable ({claim.not_checkable[0]}): {claim.not_checkable[1]}")
    if claim.steps:
        lines.append(f"\nhow it is checked: {', then '.join(described(claim.steps))}")
    if claim.notes:
        lines.append("\n" + textwrap.indent(claim.notes, "  "))
    if claim.mutations:
        lines.append("\nmutations that must be refuted:")
        lines += [f"  {m.name}: " + ", ".join(f"{n} = {v}" for n, v in m.constants.items()) for m in claim.mutations]
    return lines
