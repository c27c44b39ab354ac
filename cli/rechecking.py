"""``banditproof recheck``: stored evidence, checked again."""

from __future__ import annotations

import itertools
import json
import re
import shlex
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from banditproof.claims.fingerprint import PROJECT, versions
from banditproof.claims.loading import load, load_module
from banditproof.claims.register import REGISTER, Claim
from banditproof.claims.report.lookup import Lookup, looked_up
from banditproof.claims.report.terminal import printable
from banditproof.claims.run.pool import Lost, Pool
from banditproof.claims.run.rechecking import Problem, Rechecked, alike, problems_of_document, rechecked
from banditproof.claims.run.record import Settings, outdated
from banditproof.claims.run.results import asked_for, changed, modules_of
from banditproof.claims.run.runner import LIMIT, available_cores
from banditproof.cli.arguments import left_out as unused
from banditproof.cli.documents import print_document
from banditproof.cli.progress import progress_bar
from banditproof.cli.statuses import Status, gravest
from banditproof.theory.errors import InvalidInput

REPORT = Path("report")
LARGEST = 1 << 29  # bytes
LONGEST = 400  # characters of a line
READ = (
    "a results.json, as 'banditproof check --paper NAME' writes it (a receipt of judge is run: python3 -I -S FILE), or"
    " for recheck what --certificate wrote"
)
SHOWN = 3  # other files, and claims with the same problem, that a line names


def results_path(*given: Path | None) -> Path:
    """The results that were named, or those of the report. Raises InvalidInput where they are named twice.

    Results of single claims and of files have folders of their own in the report: where there is nothing else, one is
    read and several are named, and where they are newer.
    """
    named = [path for path in given if path is not None]
    if len(named) > 1:
        raise InvalidInput(
            "results", " and ".join(map(str, named)), "named only once, either after the command or with --results"
        )
    if named:
        return named[0]
    report = REPORT / "results.json"
    since = report.stat().st_mtime if report.is_file() else 0.0
    written = {path: path.stat().st_mtime for path in REPORT.glob("*/*/results.json")}
    newer = sorted((path for path, time in written.items() if time > since), key=lambda path: -written[path])
    others = ", ".join(map(str, newer[:SHOWN])) + ", ..." * (len(newer) > SHOWN)
    if len(newer) == 1 and not since:
        print(f"reading {newer[0]}: there are no other results here", file=sys.stderr)
        return newer[0]
    if newer and not since:
        raise InvalidInput("results", str(report), f"a file that exists; name one of these with --results: {others}")
    if not since:
        raise InvalidInput("results", str(report), "a file that exists: run 'banditproof check' first, which writes it")
    if newer:
        print(f"reading {report}; newer results exist, and --results reads them: {others}", file=sys.stderr)
    return report


def say_if_changed(path: Path, results: Mapping[str, Any] | Lookup) -> None:
    """One line about a file whose content is not what a run wrote, or that another version wrote."""
    run = (results.results if isinstance(results, Lookup) else results)["run"]
    wrote, this = (run.get("versions") or {}).get(PROJECT), versions()[PROJECT]
    if wrote not in (None, this):
        print(f"{path} is of version {wrote}, and this is {this}: 'banditproof check' writes it again", file=sys.stderr)
    if what := results.changed if isinstance(results, Lookup) else changed(results):
        print(f"{path} {what}: recheck it first (banditproof recheck {shlex.quote(str(path))})", file=sys.stderr)


def outdated_in(results: Mapping[str, Any], claims: Iterable[Claim]) -> set[str]:
    """The claims that are others than those that the results speak of."""
    if "profile" not in results["run"]:  # no run wrote them, which is told of
        return set()
    return outdated({record["id"]: record for record in results["claims"]}, claims, _settings(results["run"]))


def say_if_outdated(path: Path, results: Mapping[str, Any], modules: Sequence[Path] = ()) -> list[str]:
    """One line about results of files that have changed since, and the claims that are known to be others.

    The claims are compared where their files are `modules`, which are loaded; else no file of a stranger's runs.
    """
    written, files = path.stat().st_mtime, [Path(name) for name in modules_of(results)]
    newer = [str(file) for file in files if file.is_file() and file.stat().st_mtime > written]
    brought = [c for c in REGISTER.values() if modules and not c.module.startswith(f"{PROJECT}.")]
    older = [name for name in outdated_in(results, brought) if name in REGISTER] if brought else []
    if what := sorted(older) if modules else newer:
        again = shlex.join(["banditproof", "check", *(w for f in modules or newer for w in ("--module", str(f)))])
        print(
            f"{', '.join(what)} changed after {path} was written, which speaks of what stood before: {again}",
            file=sys.stderr,
        )
    return older


def load_results(path: Path, named: str = "results") -> dict[str, Any]:
    """A results document, or an error that says what is wrong with it; the option that `named` it comes first."""
    return _results_in(path, read_json(path, named), named)


def look_up(path: Path) -> Lookup:
    """The records of a results document without their evidence, from the index beside it; errors as above."""
    with whole_records(path):
        return looked_up(path, load_results)


@contextmanager
def whole_records(path: Path | str) -> Iterator[None]:
    """InvalidInput where what reads the records of a file finds half of one."""
    try:
        yield
    except InvalidInput:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise InvalidInput(
            "results", str(path), f"a file with complete records of claims ({type(error).__name__})"
        ) from error


def read_json(path: Path, named: str = "results") -> dict[str, Any]:
    """The object of a JSON file with schema 1. Raises InvalidInput."""
    try:
        if path.stat().st_size > LARGEST:
            raise InvalidInput(named, str(path), f"a file of at most {LARGEST >> 20} MiB")
        results = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=_each_once)
    except OSError as error:
        # a check of some claims or files has its own folder
        folder, name = (path, "results.json") if path.is_dir() else (path.parent, path.name)
        depths = ("*", "*/*") if path.suffix or path.is_dir() else ()
        others = [one for depth in depths for one in folder.glob(f"{depth}/{name}")]
        beside = max(others, key=lambda one: one.stat().st_mtime, default="")
        below = f", and {len(others)} in folders below" if others else ""
        why = f"this folder has none{below}" if path.is_dir() else error.strerror
        looked_up = (
            f"; 'banditproof explain {path}' shows a claim" if re.fullmatch(r"[A-Z]+-[\w./-]+", str(path)) else ""
        )
        raise InvalidInput(named, str(path), f"{READ} ({why}){looked_up}", str(beside)) from error
    except json.JSONDecodeError as error:
        cut = error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated")
        ends = "; the file ends too early: write it again" if cut else ""
        raise InvalidInput(named, str(path), f"{READ}, in JSON (line {error.lineno}: {error.msg}){ends}") from error
    except UnicodeDecodeError as error:
        raise InvalidInput(named, str(path), f"JSON in UTF-8 (its byte {error.start + 1} is none)") from error
    except InvalidInput:
        raise
    except (RecursionError, ValueError) as error:  # nested without end, not UTF-8, numbers of thousands of digits
        raise InvalidInput(named, str(path), f"a results document ({type(error).__name__})") from error
    if not isinstance(results, dict) or results.get("schema") != 1:
        raise InvalidInput(named, str(path), f"{READ}, of schema 1")
    return results


def _results_in(path: Path, results: dict[str, Any], named: str = "results") -> dict[str, Any]:
    """The content of a file as a results document. Raises InvalidInput for another one."""
    records, run = results.get("claims"), results.get("run")
    shaped = isinstance(run, dict) and isinstance(records, list)
    if not shaped or not all(isinstance(r, dict) and isinstance(r.get("id"), str) for r in records or ()):
        raise InvalidInput(named, str(path), "a results document with a run and a list of claims")
    aside = results["run"].get("rested_on", [])
    if not isinstance(aside, list) or not all(isinstance(name, str) for name in aside):
        raise InvalidInput(named, str(path), "a results document whose rested_on is a list of ids")
    return results


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON; a name that stands twice would say one thing to a reader and another to a program."""
    content = dict(pairs)
    if len(content) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise InvalidInput("results", twice[:100], "JSON without repeated names in an object")
    return content


def recheck_results(
    path: Path,
    modules: Sequence[Path],
    limit: float | None = None,
    *,
    redo: bool = False,
    workers: int | None = None,
    quiet: bool = False,
    as_json: bool = False,
) -> int:
    """OK when the document is what the registered checks give on its evidence; open where only time was missing.

    Args:
        path: of the document.
        modules: files that register claims of its.
        limit: seconds after which a claim is given up, which is a problem; None works in this process without a limit.
        redo: evaluate all points, and run the studies, again.
        workers: number of processes; all cores by default.
        quiet: show no progress.
        as_json: print the problems and the counts as JSON.
    """
    content = read_json(path)
    if "certificates" in content:
        from banditproof.cli.certificates import recheck_certificates

        unused("for a file of certificates", redo=redo or None, module=list(modules) or None)
        return recheck_certificates(path, content, as_json)
    results = _results_in(path, content)
    records = results["claims"]
    settings = _settings(results["run"])
    problems: list[Problem] = []
    by_place: dict[int, Rechecked] = {}
    with TemporaryDirectory() as folder, progress_bar(len(records), quiet or as_json) as progress:
        given = list(modules), replace(settings, studies=Path(folder)), redo, records
        check = _start(*given)
        together = alike(records)
        here = ((places, check(places)) for places in together)

        def begun(places: tuple[int, ...]) -> None:
            progress.begun("checked again", records[places[0]]["id"])

        for places, outcome in _in_processes(given, together, limit, workers, begun) if limit else here:
            if lost := isinstance(outcome, Lost):
                outcome = [Rechecked([f"its check {outcome.reason} (--limit)"]) for _ in places]
            for place, each in zip(places, outcome, strict=True):
                by_place[place] = each
                problems += [Problem(said, records[place]["id"], open=lost) for said in each.problems]
                progress("checked again", {"id": records[place]["id"]})
    try:
        problems += problems_of_document(results, [by_place[place].record for place in range(len(records))])
    except InvalidInput as error:
        problems.append(
            Problem(f"the run covers claims that are not registered; name their file with --module ({error})")
        )
    except Exception as error:  # of whatever kind: the file comes from a stranger
        problems.append(Problem(f"the file is malformed ({type(error).__name__}: {str(error)[:200]})"))
    pieces = sum(len(r["evidence"]) for r in records if isinstance(r.get("evidence"), list))
    resting, taken = (sum(getattr(each, name) for each in by_place.values()) for name in ("resting", "taken"))
    left = left_out({record["id"] for record in asked_for(results)["claims"]})
    if as_json:
        counts = {"claims": len(records), "evidence": pieces, "resting on simulations": resting}
        counts |= {"enumerations not evaluated": taken, "left out": left}
        print_document({"problems": [str(problem) for problem in by_weight(problems)], **counts})
        return status_of_problems(problems)
    for line in grouped(problems):
        print(line)
    print(f"{pieces} pieces of evidence for {len(records)} claims checked again: {len(problems)} problems")
    for paper, count in left.items():
        print(f"{count} registered claims of {paper} are not in this file, so they were not checked")
    if taken:
        print(
            f"{taken} of the pieces of evidence say that a claim held at each point of a list, and only support it; no "
            "point was evaluated again: banditproof recheck --redo"
        )
    if resting:
        print(
            f"{resting} of the pieces of evidence rest on simulated numbers of the file (events, counts, "
            "probabilities, series); only a new simulation can confirm these: banditproof recheck --redo"
        )
    print("not checked: versions, times, keys, and the results of false variants (banditproof selftest)")
    return status_of_problems(problems)


def status_of_problems(problems: Sequence[Problem]) -> Status:
    """A violation where anything is wrong, open where all that is wrong is that a check did not end."""
    return gravest(Status.OPEN if problem.open else Status.VIOLATION for problem in problems)


def by_weight(problems: Sequence[Problem]) -> list[Problem]:
    """Problems with the most telling first: about the whole file, then what few claims have, then what many have."""
    often = Counter(problem.said for problem in problems)
    return sorted(problems, key=lambda p: (p.claim != "", often[p.said], p.said, p.claim))


def grouped(problems: Sequence[Problem]) -> Iterator[str]:
    """A line for each problem, and one for all claims where more than a few have the same."""
    for said, same in itertools.groupby(by_weight(problems), key=lambda p: p.said):
        claims = [problem.claim for problem in same]
        if len(claims) > SHOWN:
            yield printable(f"{len(claims)} claims: {said} ({', '.join(claims[:SHOWN])}, ...)", LONGEST)
        else:
            yield from (printable(str(Problem(said, claim)), LONGEST) for claim in claims)


def left_out(ids: Collection[str]) -> Counter[str]:
    """How many registered claims of the same documents are not among these, by document."""
    papers = {REGISTER[name].paper for name in ids if name in REGISTER}
    return Counter(claim.paper for name, claim in REGISTER.items() if claim.paper in papers and name not in ids)


def _settings(run: Mapping[str, Any]) -> Settings:
    profile, seed = run.get("profile"), run.get("root_seed")
    if profile not in LIMIT or type(seed) is not int or seed < 0:
        raise InvalidInput(
            "results", f"profile {profile!r}, seed {seed!r}"[:100], "a run with a known profile and seed"
        )
    return Settings(str(profile), seed)


def _start(
    modules: Sequence[Path], settings: Settings, redo: bool, records: Sequence[Mapping[str, Any]]
) -> Callable[[tuple[int, ...]], list[Rechecked]]:
    load()
    for module in modules:
        load_module(module)
    return lambda places: rechecked([records[place] for place in places], settings, redo)


def _in_processes(
    given: tuple[Any, ...],
    together: Sequence[tuple[int, ...]],
    limit: float,
    workers: int | None,
    begun: Callable[[tuple[int, ...]], None],
) -> Iterator[tuple[tuple[int, ...], Any]]:
    todo: dict[tuple[int, ...], set[tuple[int, ...]]] = {places: set() for places in together}
    return Pool(_start, given, workers or available_cores(), limit).run(todo, begun)
