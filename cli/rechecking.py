"""``banditproof recheck``: stored evidence, checked again."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from banditproof.claims.register import load, load_module
from banditproof.claims.report.terminal import printable
from banditproof.claims.run.examine import Settings
from banditproof.claims.run.pool import Lost, Pool
from banditproof.claims.run.rechecking import problems_of_claim, problems_of_document
from banditproof.claims.run.runner import LIMIT, available_cores
from banditproof.cli.checking import progress_bar
from banditproof.theory.errors import InvalidInput

FEW = 40  # claims; starting processes takes seconds
LARGEST = 1 << 29  # bytes
LONGEST = 400  # characters of a line
RESTING = ("statistics", "trend")  # on counts and series that only a new run could confirm


def load_results(path: Path) -> dict[str, Any]:
    """A results document, or an error that says what is wrong with it."""
    try:
        if path.stat().st_size > LARGEST:
            raise InvalidInput("results", str(path), f"a file of at most {LARGEST >> 20} MiB")
        results = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidInput("results", str(path), f"a results.json that 'check' wrote ({error.strerror})") from error
    except json.JSONDecodeError as error:
        raise InvalidInput("results", str(path), f"JSON (line {error.lineno}: {error.msg})") from error
    except (RecursionError, ValueError) as error:  # nested without end, not UTF-8, numbers of thousands of digits
        raise InvalidInput("results", str(path), f"a results document ({type(error).__name__})") from error
    if not isinstance(results, dict) or results.get("schema") != 1:
        raise InvalidInput("results", str(path), "a results document with schema 1")
    records, run = results.get("claims"), results.get("run")
    shaped = isinstance(run, dict) and isinstance(records, list)
    if not shaped or not all(isinstance(r, dict) and isinstance(r.get("id"), str) for r in records or ()):
        raise InvalidInput("results", str(path), "a results document with a run and a list of claims")
    return results


def recheck_results(path: Path, modules: Sequence[Path]) -> int:
    """Exit status 0 when the document agrees with the register and follows from its evidence, else 1."""
    results = load_results(path)
    records = results["claims"]
    settings = _settings(results["run"])
    problems = []
    check = _start(modules, settings)
    with progress_bar(len(records)) as progress:
        for place, found in _problems_of_all(records, modules, settings, check):
            problems += [f"{records[place]['id']}: {problem}" for problem in found]
            progress("checked again", {"id": records[place]["id"]})
    try:
        problems += problems_of_document(results, records)
    except InvalidInput as error:
        problems.append(f"the run was asked for what is not registered, see --module ({error})")
    except Exception as error:  # of whatever kind: the document comes from a stranger
        problems.append(f"the document is malformed ({type(error).__name__}: {str(error)[:200]})")
    for problem in sorted(problems):
        print(printable(problem, LONGEST))
    kinds = [e.get("kind") for r in records for e in (r.get("evidence") or []) if isinstance(e, dict)]
    print(f"{len(kinds)} pieces of evidence for {len(records)} claims checked again: {len(problems)} problems")
    if resting := sum(kind in RESTING for kind in kinds):
        print(
            f"{resting} of them rest on simulated counts or series, which only a new run confirms (banditproof check)"
        )
    return int(bool(problems))


def _settings(run: Mapping[str, Any]) -> Settings:
    profile, seed = run.get("profile"), run.get("root_seed")
    if profile not in LIMIT or type(seed) is not int or seed < 0:
        raise InvalidInput("results", f"profile {profile!r}, seed {seed!r}"[:100], "a run of a known profile and seed")
    return Settings(str(profile), seed)


def _start(modules: Sequence[Path], settings: Settings) -> Callable[[Mapping[str, Any]], list[str]]:
    import flint

    load()
    for module in modules:
        load_module(module)
    flint.ctx.prec = 128
    return partial(problems_of_claim, settings=settings)


def _start_worker(
    modules: Sequence[Path], settings: Settings, records: Sequence[Mapping[str, Any]]
) -> Callable[[int], list[str]]:
    check = _start(modules, settings)
    return lambda place: check(records[place])


def _problems_of_all(
    records: Sequence[Mapping[str, Any]], modules: Sequence[Path], settings: Settings, check: Callable[..., list[str]]
) -> Any:
    """On all cores where there is much to do."""
    if len(records) < FEW:
        yield from ((place, check(record)) for place, record in enumerate(records))
        return
    pool = Pool(_start_worker, (list(modules), settings, records), available_cores(), LIMIT[settings.profile])
    for place, found in pool.run({place: set() for place in range(len(records))}):
        yield place, [found.reason] if isinstance(found, Lost) else found
