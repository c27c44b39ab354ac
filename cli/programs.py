"""``banditproof audit --program``: a program in any language, which speaks JSON lines."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from banditproof.algorithms.run.checkpoints import write_atomically
from banditproof.cli.adversaries import MOST_NUMBERS
from banditproof.cli.arguments import integer, typed_budget
from banditproof.cli.documents import print_document
from banditproof.cli.statuses import of_verdict
from banditproof.theory.errors import InvalidInput

if TYPE_CHECKING:
    from banditproof.cli.settings import AuditOptions


def audit_command(asked: AuditOptions) -> int:
    """Audit a program; the status is that of the verdict."""
    from banditproof.theory.privacy.budget import KINDS
    from banditproof.verify.privacy.program_audit import audit_program

    if asked.target or asked.rewards_at:
        raise InvalidInput("program", asked.program, "given without a target and without --rewards-at")
    if asked.case is not None and not asked.case.parent.is_dir():
        raise InvalidInput("case", str(asked.case), "a file in a folder that exists")
    budget = typed_budget(asked.budgets, tuple(KINDS), "an audit")
    runs = None if asked.samples is None else integer("samples", asked.samples, 1, MOST_NUMBERS)
    report = audit_program(
        asked.program,
        budget,
        seconds=None if asked.seconds is None else asked.time("10"),
        samples=runs,
        seed=asked.seed,
        arms=asked.arms or 2,
    )
    paths: list[Path] = []
    if asked.case is not None and any(report.cases):
        paths = [asked.case, asked.case.with_stem(f"{asked.case.stem}-neighbour")]
        for path, lines in zip(paths, report.cases, strict=True):
            write_atomically(path, "\n".join([*lines, ""]).encode())
    if asked.json:
        told = {"program": asked.program, "verdict": report.verdict, "told": str(report)}
        print_document(told | {"cases": [str(path) for path in paths]})
    else:
        print(report)
        if report.verdict == "inconclusive" and "instead of answering" not in str(report):  # which says why it ended
            print("a program that answers late may keep its answers in a buffer: flush each of them")
        for path in paths:
            print(f"again: cat {path} | {asked.program}")
        if any(report.cases) and not paths:
            print("give --case case.jsonl for files of lines that show it again")
    return of_verdict(report.verdict)
