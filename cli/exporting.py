"""``banditproof export``: theorems of the kernel as files for Coq, and what Coq says of them; their proofs as data."""

from __future__ import annotations

import csv
import json
import multiprocessing
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from banditproof.claims.documents import catalogue
from banditproof.claims.loading import load
from banditproof.claims.register import REGISTER, Claim, resolve
from banditproof.claims.report.terminal import printable
from banditproof.claims.stating import stated, stated_in_general
from banditproof.claims.steps import in_kernel
from banditproof.claims.trees import stored, tree_of
from banditproof.cli.statuses import Status
from banditproof.theory.errors import InvalidInput
from banditproof.verify import second_reader
from banditproof.verify.judge.found import Proved
from banditproof.verify.judge.receipts.certifying import NoReceipt, certified
from banditproof.verify.kernel.coq import LIBRARY, Untranslated, to_coq
from banditproof.verify.kernel.printing import shown
from banditproof.verify.kernel.replay import replay
from banditproof.verify.kernel.rules import Theorem
from banditproof.verify.kernel.terms import All, Refused
from banditproof.verify.kernel.variants import altered
from banditproof.verify.kernel.writing import formula_to_data, to_data
from banditproof.verify.proof.statement import Statement

REALS = "the axioms of Coq's reals"
DECLARED = {
    "ClassicalDedekindReals.sig_not_dec": REALS,
    "ClassicalDedekindReals.sig_forall_dec": REALS,
    "FunctionalExtensionality.functional_extensionality_dep": REALS,
    "Classical_Prop.classic": REALS,
    "means_Fubini": "means: Fubini",
    "the_uniform_law_on_0_1": "the uniform law on [0, 1]",
    "laws_with_a_density": "densities of Lap(b) and N(0, v)",
}
"""What a file may rest on: the axioms of Coq's reals, and the facts of the kernel that Kernel.v does not prove."""

LIMIT = 3600  # seconds for one file, on a machine that has other work
TABLE = "theorems.csv"
OF_NUMBERS, READER = "banditproof proof about numbers 1", "check.py"
FINE, REFUSED, NOT_WRITTEN = "accepted", "refused", "not written"


def export_coq(ids: Sequence[str], folder: Path, check: bool) -> int:
    """Write a file for each theorem; the exit status says whether all were written and, if asked, accepted.

    Args:
        ids: of claims that are proved in the kernel; all of them by default.
        folder: where the files go.
        check: also run Coq on each file, which has to be installed.
    """
    coqc = shutil.which("coqc")
    if check and coqc is None:
        raise InvalidInput("--check", "no coqc", "used where Coq is installed (on Debian: the package coq)")
    load()
    chosen = _chosen(ids)
    _make(folder)
    (folder / LIBRARY.name).write_text(LIBRARY.read_text(encoding="utf-8"), encoding="utf-8")
    rows: list[Row] = []
    start = time.perf_counter()
    if coqc and check:
        seconds, output, status = run_coq(coqc, folder / LIBRARY.name)
        said = f"refused by Coq: {output}" if status else f"accepted in {seconds:.0f} s"
        print(f"{LIBRARY.name}: {said}", flush=True)
        if status:  # no other file is tried: what an earlier run has made of it may still be there
            return Status.VIOLATION
    for names, (row, said) in zip(chosen, _answers(chosen, folder, coqc if check else None), strict=True):
        rows.append(row)
        print(printable(f"{', '.join(names)}: {said}", 400), flush=True)
        if check:
            _write_table(folder / TABLE, rows)
    by = {word: [row.claims[0] for row in rows if row.coq == word] for word in (FINE, REFUSED, NOT_WRITTEN)}
    took = f" in {time.perf_counter() - start:.0f} s; {folder / TABLE}" if check else f"; {folder}"
    print(f"{len(rows)} theorems: {len(by[FINE])} {'accepted' if check else 'written'}{took}")
    for word in (REFUSED, NOT_WRITTEN):
        if by[word]:
            print(f"{word}: {', '.join(by[word])}")
    if not check:
        print(f"in {folder}: coqc {LIBRARY.name}, then coqc on each other file; or this command with --check")
    return Status.VIOLATION if by[REFUSED] else Status.OPEN if by[NOT_WRITTEN] else Status.OK


def export_proofs(ids: Sequence[str], folder: Path) -> int:
    """Write each stored proof to a file of its own, which docs/proof-format.md or docs/tree-format.md explains.

    Beside them stands the second reader, which checks those of the kernel: ``python3 -I -S check.py FILES``.

    Args:
        ids: of claims with a stored proof; all of them by default.
        folder: where the files go.
    """
    load()
    numbers = [c.id for c in map(resolve, dict.fromkeys(ids or REGISTER)) if _tree(c)]
    general = [name for name in ids if resolve(name).id not in numbers]
    chosen = [*(_chosen(general) if general or not ids else []), *([name] for name in numbers)]
    left: list[str] = []
    _make(folder)
    (folder / READER).write_text(Path(second_reader.__file__).read_text(encoding="utf-8"), encoding="utf-8")
    for names in chosen:
        file = folder / f"{file_name(names[0])}.json"
        try:
            file.write_text(json.dumps(proof_file(names)), encoding="utf-8")
        except NoReceipt as why:
            left.append(names[0])
            print(f"{names[0]}: {NOT_WRITTEN} ({printable(str(why), 200)})", flush=True)
            continue
        print(f"{printable(', '.join(names), 300)}: {file}", flush=True)
    print(f"{len(chosen) - len(left)} proofs written; {folder}")
    return Status.OPEN if left else Status.OK


def _tree(claim: Claim) -> tuple[Statement, Any] | None:
    """The statement of a claim about numbers and its stored tree; None where there is none."""
    if claim.is_general or claim.same_check_as or not stored(claim.id):
        return None
    statement = stated(claim)
    tree = None if isinstance(statement, str) else tree_of(claim.id, statement)
    return None if isinstance(statement, str) or tree is None else (statement, tree)


def proof_file(names: Sequence[str]) -> dict[str, Any]:
    """A statement, in words and as data, the claims that make it, and its proof. Raises NoReceipt for some trees."""
    claim = REGISTER[names[0]]
    if found := _tree(claim):
        data = certified(Proved(*found), None)
        return {"format": OF_NUMBERS, "claims": list(names), "words": data.pop("said"), **data}
    statement, theorem = theorem_of(claim)
    data = {"statement": formula_to_data(statement), "proof": to_data(theorem)}
    return {"format": second_reader.FORMAT, "claims": list(names), "words": shown(statement), **data}


@dataclass(frozen=True)
class Row:
    """What Coq says of one theorem: claims with this statement, their items and the kinds of these, altered statements
    that the file says are not what was proved, and what the theorem rests on."""

    claims: list[str]
    coq: str
    altered: int = 0
    rests_on: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def items(self) -> list[str]:
        return list(dict.fromkeys(REGISTER[c].item for c in self.claims))


def _answers(chosen: list[list[str]], folder: Path, coqc: str | None) -> Iterator[tuple[Row, str]]:
    """The row of each theorem and a sentence; with a Coq, as many at a time as there are cores."""
    if coqc is None:
        yield from (_row(names, folder, None) for names in chosen)
        return
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("fork")) as pool:
        yield from pool.map(partial(_row, folder=folder, coqc=coqc), chosen)


def _row(names: list[str], folder: Path, coqc: str | None) -> tuple[Row, str]:
    """Write the file of a theorem and, with a Coq, run it; the row of the table, and a sentence."""
    file = folder / f"{file_name(names[0])}.v"
    try:
        statement, theorem = theorem_of(REGISTER[names[0]])
        others = [f for _, f in altered(statement)]
        file.write_text(to_coq(", ".join(names), statement, theorem, others), encoding="utf-8")
    except (Untranslated, Refused) as why:
        return Row(names, NOT_WRITTEN), f"{NOT_WRITTEN} ({why})"
    if coqc is None:
        return Row(names, FINE), str(file)
    seconds, output, status = run_coq(coqc, file)
    if problem := problem_of(output, status):
        return Row(names, REFUSED, len(others), (), seconds), problem
    known = tuple(dict.fromkeys(DECLARED[n] for n in sorted(rests_on(output))))
    said = (
        f"{FINE} in {seconds:.0f} s, and none of {len(others)} altered ones; rests on {', '.join(known) or 'no axiom'}"
    )
    return Row(names, FINE, len(others), known, seconds), said


def _write_table(file: Path, rows: Sequence[Row]) -> None:
    with file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(("claims", "items", "kinds", "coq", "altered statements refused", "rests on", "seconds"))
        for row in rows:
            kinds = dict.fromkeys(catalogue()[item].kind for item in row.items)
            texts = (row.claims, row.items, kinds, [row.coq], [str(row.altered)], row.rests_on, [f"{row.seconds:.0f}"])
            writer.writerow(["; ".join(text) for text in texts])


def _make(folder: Path) -> None:
    """A folder to write to. Raises InvalidInput where it cannot be made."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInput("output", str(folder), f"a folder that can be written ({error.strerror})") from error


def _chosen(ids: Sequence[str]) -> list[list[str]]:
    """The claims, those with the same statement together. Raises InvalidInput for one without a proof in the kernel."""
    claims = [resolve(name) for name in dict.fromkeys(ids)] or [
        c for c in REGISTER.values() if c.is_general and not c.same_check_as
    ]
    same: dict[str, list[str]] = {}
    for claim in claims:
        statement = stated_in_general(claim)
        if statement is None:
            below = [c.id for c in REGISTER.values() if c.parent == claim.id and c.is_general]
            allowed = "a claim that is proved in the kernel, see docs/kernel.md"
            raise InvalidInput("claim", claim.id, allowed, " or ".join(below))
        same.setdefault(statement.key, []).append(claim.id)
    return list(same.values())


def theorem_of(claim: Claim) -> tuple[All, Theorem]:
    """The statement of a claim, and the theorem made again from the steps that are stored for it."""
    statement = stated_in_general(claim)
    proof = next((step.proof for step in claim.steps if isinstance(step, in_kernel)), None)
    if statement is None or proof is None:
        raise InvalidInput("claim", claim.id, "a claim that is proved in the kernel")
    return statement.formula, replay(to_data(proof(statement.formula)))


def file_name(claim: str) -> str:
    """The name of a file, which in Coq is the name of a module."""
    return re.sub(r"\W", "_", claim)


def run_coq(coqc: str, file: Path) -> tuple[float, str, int]:
    """Seconds of a processor, what was printed, and the exit status."""
    command, before = [coqc, "-q", file.name], _waited()
    try:
        finished = subprocess.run(command, cwd=file.parent, capture_output=True, text=True, timeout=LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return _waited() - before, f"no answer within {LIMIT} s", 1
    return _waited() - before, finished.stdout + finished.stderr, finished.returncode


def _waited() -> float:
    """Seconds of a processor in programs that have ended."""
    times = os.times()
    return times.children_user + times.children_system


def rests_on(output: str) -> set[str]:
    """The names that ``Print Assumptions`` lists."""
    _, _, listed = output.partition("Axioms:\n")
    return set(re.findall(r"^(\S+)", listed, re.MULTILINE))


def problem_of(output: str, status: int) -> str | None:
    """Why a file does not count as accepted; None where Coq accepts it and rests it on what is declared alone."""
    if status:
        return f"refused by Coq: {' '.join(output.split())}"
    if "Axioms:\n" not in output and "Closed under the global context" not in output:
        return "Coq does not print its assumptions"
    strange = rests_on(output) - DECLARED.keys()
    return f"rests on {', '.join(sorted(strange))}, which is not declared" if strange else None
