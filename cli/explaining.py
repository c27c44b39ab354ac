"""``banditproof explain``: one claim, for reading."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from pathlib import Path

from banditproof.cli.rechecking import load_results
from banditproof.paper_checks.register import REGISTER, Claim, load_module, load_papers, resolve


def explain_claim(claim_id: str, modules: Sequence[Path], results: Path) -> int:
    """Print a claim with its domain, check and mutations, and its verdict where results exist."""
    load_papers()
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


def _lines(claim: Claim) -> list[str]:
    lines = [
        f"{claim.id} ({claim.kind}, {claim.paper})",
        f"place: {claim.place}",
        f"statement: {claim.shown()}",
        f"domain: {claim.domain}",
    ]
    if claim.constants:
        lines.append("constants: " + ", ".join(f"{n} = {v}" for n, v in claim.constants.items()))
    for label, values in (("aliases", claim.aliases), ("twins", claim.twins)):
        if values:
            lines.append(f"{label}: {', '.join(values)}")
    if claim.repairs:
        lines.append(f"repairs: {claim.repairs}")
    if claim.not_checkable:
        lines.append(f"not checkable ({claim.not_checkable[0]}): {claim.not_checkable[1]}")
    if claim.check is not None:
        lines.append(
            f"\nhow it is checked ({claim.check.__module__}):\n  {inspect.getdoc(claim.check) or claim.check.__name__}"
        )
    if claim.mutations:
        lines.append("\nmutations that must be refuted:")
        lines += [f"  {m.name}: " + ", ".join(f"{n} = {v}" for n, v in m.constants.items()) for m in claim.mutations]
    return lines
