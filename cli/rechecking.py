"""``banditproof recheck``: stored evidence, checked again."""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from banditproof.cli.checking import progress_bar
from banditproof.paper_checks.register import load_module
from banditproof.paper_checks.runner import available_cores
from banditproof.paper_checks.verdict import decide
from banditproof.theory.errors import InvalidInput
from banditproof.verify.domain import Domain
from banditproof.verify.evidence import evidence_from_json
from banditproof.verify.recheck import recheck

FEW = 40  # claims


def load_results(path: Path) -> dict[str, Any]:
    """A results document, or an error that says what is wrong with it."""
    try:
        results = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidInput("results", str(path), f"a readable results.json ({error.strerror})") from error
    except json.JSONDecodeError as error:
        raise InvalidInput("results", str(path), f"JSON (line {error.lineno}: {error.msg})") from error
    if not isinstance(results, dict) or results.get("schema") != 1:
        raise InvalidInput("results", str(path), "a results document with schema 1")
    return results


def recheck_results(path: Path, modules: Sequence[Path]) -> int:
    """Exit status 0 when every piece of evidence holds up and every own verdict follows from it, else 1."""
    claims = load_results(path)["claims"]
    _start(modules)
    problems = []
    with progress_bar(len(claims)) as progress:
        for claim, found in zip(claims, _problems_of_all(claims, modules), strict=True):
            problems += [f"{claim['id']}: {problem}" for problem in found]
            progress("checked again", {"id": claim["id"]})
    for problem in problems:
        print(problem)
    pieces = sum(len(claim["evidence"]) for claim in claims)
    print(f"{pieces} pieces of evidence for {len(claims)} claims checked again: {len(problems)} problems")
    return int(bool(problems))


def _start(modules: Sequence[Path]) -> None:
    import flint

    for module in modules:
        load_module(module)
    flint.ctx.prec = 128


def _problems_of_all(claims: Sequence[Mapping[str, Any]], modules: Sequence[Path]) -> Iterator[list[str]]:
    """On all cores where there is much to do; starting processes takes seconds."""
    if len(claims) < FEW:
        yield from map(_problems, claims)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(available_cores(), context, initializer=_start, initargs=(list(modules),)) as pool:
        yield from pool.map(_problems, claims, chunksize=4)


def _problems(claim: Mapping[str, Any]) -> list[str]:
    found = []
    for evidence in claim["evidence"]:
        try:
            problem = recheck(evidence)
        except (ImportError, AttributeError, KeyError, TypeError, ValueError) as error:
            problem = f"cannot be evaluated ({type(error).__name__}: {error})"
        if problem:
            found.append(f"{evidence['kind']} evidence: {problem}")
    if claim["evidence"] and not found:
        again = decide(Domain.from_json(claim["domain"]), [evidence_from_json(e) for e in claim["evidence"]])
        if again.name != claim["own_verdict"]:
            found.append(f"the evidence gives '{again.name}', the document says '{claim['own_verdict']}'")
    return found
