"""``banditproof export --coq``: theorems of the kernel as files for Coq, and what Coq says of them."""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from banditproof.claims.loading import load
from banditproof.claims.register import REGISTER, Claim, resolve
from banditproof.claims.report.terminal import printable
from banditproof.claims.stating import stated_in_general
from banditproof.claims.steps import in_kernel
from banditproof.theory.errors import InvalidInput
from banditproof.verify.kernel.coq import LIBRARY, Untranslated, to_coq
from banditproof.verify.kernel.replay import replay
from banditproof.verify.kernel.rules import Theorem
from banditproof.verify.kernel.terms import All
from banditproof.verify.kernel.writing import to_data

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

LIMIT = 600  # seconds for one file


def export_coq(ids: Sequence[str], folder: Path, check: bool) -> int:
    """Write a file for each theorem; the exit status says whether all were written and, if asked, accepted.

    Args:
        ids: of claims that are proved in the kernel; all of them by default.
        folder: where the files go.
        check: also run Coq on each file, which has to be installed.
    """
    coqc = shutil.which("coqc")
    if check and coqc is None:
        raise InvalidInput("--check", "coqc", "installed (on Debian: the package coq)")
    load()
    chosen = _chosen(ids)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / LIBRARY.name).write_text(LIBRARY.read_text(encoding="utf-8"), encoding="utf-8")
    refused, not_written, start = [], [], time.perf_counter()
    if coqc and check:
        seconds, output, status = run_coq(coqc, folder / LIBRARY.name)
        said = f"refused by Coq: {output}" if status else f"accepted in {seconds:.0f} s"
        print(f"{LIBRARY.name}: {said}", flush=True)
        if status:  # no other file is tried: what an earlier run has made of it may still be there
            return 1
    for names in chosen:
        file = folder / f"{file_name(names[0])}.v"
        try:
            text = to_coq(", ".join(names), *theorem_of(REGISTER[names[0]]))
        except Untranslated as why:
            not_written.append(names[0])
            print(printable(f"{', '.join(names)}: not written ({why})", 400))
            continue
        file.write_text(text, encoding="utf-8")
        if not (coqc and check):
            print(f"{', '.join(names)}: {file}")
            continue
        seconds, output, status = run_coq(coqc, file)
        problem = problem_of(output, status)
        refused += names[:1] if problem else []
        known = dict.fromkeys(DECLARED.get(n, n) for n in sorted(rests_on(output)))
        said = problem or f"accepted in {seconds:.0f} s; rests on {', '.join(known) or 'no axiom'}"
        print(printable(f"{', '.join(names)}: {said}", 400), flush=True)
    fine = len(chosen) - len(refused) - len(not_written)
    took = f" in {time.perf_counter() - start:.0f} s" if check else ""
    print(f"{len(chosen)} theorems: {fine} {'accepted' if check else 'written'}{took}; {folder}")
    for what, which in (("refused", refused), ("not written", not_written)):
        if which:
            print(f"{what}: {', '.join(which)}")
    if not check:
        print(f"in {folder}: coqc {LIBRARY.name}, then coqc on each other file; or this command with --check")
    return int(fine < len(chosen))


def _chosen(ids: Sequence[str]) -> list[list[str]]:
    """The claims, those with the same statement together. Raises InvalidInput for one without a proof in the kernel."""
    claims = [resolve(name) for name in dict.fromkeys(ids)] or [
        c for c in REGISTER.values() if c.is_general and not c.same_check_as
    ]
    same: dict[str, list[str]] = {}
    for claim in claims:
        statement = stated_in_general(claim)
        if statement is None:
            raise InvalidInput("claim", claim.id, "one that is proved in the kernel, see docs/kernel.md")
        same.setdefault(statement.key, []).append(claim.id)
    return list(same.values())


def theorem_of(claim: Claim) -> tuple[All, Theorem]:
    """The statement of a claim, and the theorem made again from the steps that are stored for it."""
    statement = stated_in_general(claim)
    proof = next((step.proof for step in claim.steps if isinstance(step, in_kernel)), None)
    if statement is None or proof is None:
        raise InvalidInput("claim", claim.id, "one that is proved in the kernel")
    return statement.formula, replay(to_data(proof(statement.formula)))


def file_name(claim: str) -> str:
    """The name of a file, which in Coq is the name of a module."""
    return re.sub(r"\W", "_", claim)


def run_coq(coqc: str, file: Path) -> tuple[float, str, int]:
    """Seconds, what was printed, and the exit status."""
    start = time.perf_counter()
    command = [coqc, "-q", file.name]
    try:
        found = subprocess.run(command, cwd=file.parent, capture_output=True, text=True, timeout=LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return time.perf_counter() - start, f"no answer within {LIMIT} s", 1
    return time.perf_counter() - start, found.stdout + found.stderr, found.returncode


def rests_on(output: str) -> set[str]:
    """The names that ``Print Assumptions`` lists."""
    _, _, listed = output.partition("Axioms:\n")
    return set(re.findall(r"^(\S+)", listed, re.MULTILINE))


def problem_of(output: str, status: int) -> str | None:
    """Why a file does not count as accepted; None where Coq accepts it and rests it on what is declared alone."""
    if status:
        return f"refused by Coq: {' '.join(output.split())}"
    if "Axioms:\n" not in output and "Closed under the global context" not in output:
        return "Coq does not say what it rests on"
    strange = rests_on(output) - DECLARED.keys()
    return f"rests on {', '.join(sorted(strange))}, which is not declared" if strange else None
