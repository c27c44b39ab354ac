"""``banditproof check`` and ``banditproof selftest``."""

from __future__ import annotations

import re
import shlex
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from banditproof.algorithms.run.checkpoints import write_atomically
from banditproof.claims.documents import documents
from banditproof.claims.loading import load, load_module, uncollected
from banditproof.claims.register import REGISTER, Claim, resolve
from banditproof.claims.run.merging import Kept, foundation, kept_documents
from banditproof.claims.run.record import Settings
from banditproof.claims.run.results import failing, missed_variants
from banditproof.claims.run.runner import run
from banditproof.claims.seeds import ROOT_SEED
from banditproof.claims.verdict import MODEL, NAMED
from banditproof.cli.progress import progress_bar, reading
from banditproof.cli.rechecking import REPORT, SHOWN, load_results, whole_records
from banditproof.cli.statuses import Status, gravest
from banditproof.theory.errors import InvalidInput

if TYPE_CHECKING:
    from banditproof.claims.report.printed.passages import Passage
    from banditproof.cli.settings import CheckOptions, SelftestOptions


@uncollected()
def check_claims(asked: CheckOptions) -> int:
    """Run the checks, write the results and the reports; the exit status is that of ``exit_status``.

    What came out is compared with the results that it is held `against`, where something lost is a violation.
    `answers` to findings are read from this file, or from that beside the results.

    The reports show what copies of the papers (`text`) print; the results do not. The table of claims is printed on a
    terminal, or where that format is asked for by name; `quiet` leaves its counts.
    """
    from banditproof.claims.report.answers import answers_beside, findings_of
    from banditproof.claims.report.comparing import compared
    from banditproof.claims.report.failing import SARIF, github_lines, sarif, what_fails
    from banditproof.claims.report.lookup import indexed
    from banditproof.claims.report.reports import remove_older, write_reports
    from banditproof.claims.report.terminal import lines_of_comparison
    from banditproof.claims.run.results import asked_for, assemble, write_results

    papers, claims, modules, workers = asked.paper, asked.claim, asked.module or [], asked.workers
    formats = [f.value for f in asked.formats] if asked.formats else None
    reuse, selftest, quiet, fail_on = not asked.fresh, asked.selftest, asked.quiet, asked.fail_on or []
    skipped = _without_packages(formats)
    chosen = chosen_claims(papers, claims, modules)
    older = None if asked.against is None else load_results(asked.against, "against")  # which this run may write again
    work = folder_for(asked.output, papers, claims, modules)
    written = work / "claims" / folder_name(claims) if claims else work
    given = answers_beside(written, asked.answers)
    printed = printed_in_copies(asked.text or [])
    settings = settings_for(work, asked.profile.value, asked.seed)
    kept = Kept() if claims else kept_documents(work, settings, {c.paper for c in chosen})
    basis = foundation([*chosen, *kept.claims])
    if any(c.studies for c in chosen):
        say_what_is_slow()
    started = time.perf_counter()
    doing: Any = {"modules": modules, "workers": workers, "scheduler": asked.scheduler}
    pieces = len(chosen) + len(basis) + (sum(c.is_varied for c in chosen) if selftest else 0)
    with progress_bar(pieces, quiet) as progress:
        doing |= {"progress": progress, "begun": progress.begun}
        records = run(chosen, settings, work, reuse=reuse, selftest=selftest, **doing)
        records += run(basis, settings, work, reuse=reuse, **doing)
    records += run(kept.claims, settings, work, reuse=True, selftest=kept.selftest, modules=modules, workers=workers)
    if progress.reused and not quiet:
        print(f"{progress.reused} of {progress.done} results reused from the last run in {work} (--fresh reuses none)")
    command = shlex.join(["banditproof", *sys.argv[1:]])
    wholly = _asked_for(papers, claims, modules, chosen, kept)
    place = {claim_id: number for number, claim_id in enumerate(REGISTER)}
    records.sort(key=lambda record: place[record["id"]])
    duration, aside = time.perf_counter() - started, [c.id for c in basis]
    results = assemble(records, settings, command, duration, wholly, aside, kept.runs)
    written.mkdir(parents=True, exist_ok=True)
    shown, registered = asked_for(results) | {"answers": given}, [*chosen, *kept.claims]
    wanted = [f for f in formats or FORMATS if f not in skipped and f not in ("github", "sarif")]
    wanted += ["terminal"] if formats is not None and "github" in formats and "terminal" not in wanted else []
    if "terminal" in wanted and (quiet or "terminal" not in (formats or ()) and not sys.stdout.isatty()):
        wanted[wanted.index("terminal")] = "counts" if quiet else "summary"
    try:
        write_results(results, written / "results.json")
    finally:  # what there is no room for costs nothing else
        pages = write_reports(shown, registered, settings, written, wanted, printed)
    remove_older(written, pages)
    if not modules:
        indexed(written / "results.json", results).renew(findings_of(shown), REGISTER)
    for paper in kept.changed:
        print(f"{paper} has changed since its last check, so the report omits it: banditproof check --paper {paper}")
    failures = list(what_fails(shown, registered, verdicts_of(fail_on)))
    files = [FILES[f] for f in wanted if f in FILES]
    if "sarif" in (formats or ()):
        write_atomically(written / SARIF, sarif(failures, version("banditproof")).encode())
        files.append(SARIF)
    others = (
        "" if written == REPORT else f" (banditproof findings --results {shlex.quote(str(written / 'results.json'))})"
    )
    print(f"written to {written}: {', '.join(['results.json', *files])}{others}")
    status = exit_status(results["claims"], shown, fail_on)
    if fatal := [one.title for one in failures if one.level == "error"]:
        more = f"; and {len(fatal) - SHOWN} more" * (len(fatal) > SHOWN)
        print(f"exit status {status:d} because of {'; '.join(fatal[:SHOWN])}{more}")
    if "github" in (formats or ()):
        for line in github_lines(failures):
            print(line)
    if older is None:
        return status
    with whole_records(str(asked.against)):
        comparison = compared(older, results)
    for line in lines_of_comparison(comparison, str(asked.against)):
        print(line)
    return gravest((status, Status.VIOLATION if comparison.lost else Status.OK))


def _asked_for(
    papers: Sequence[str] | None,
    claims: Sequence[str] | None,
    modules: Sequence[Path],
    chosen: Sequence[Claim],
    kept: Kept,
) -> dict[str, Sequence[str] | None]:
    """The documents and the claims that the report is asked for: with files alone, those that the files bring."""
    whole = None if papers is None else [name for name in documents() if name in papers or name in kept.runs]
    if claims or papers is not None or not modules:
        return {"papers": papers if claims else whole, "claims": claims and [resolve(name).id for name in claims]}
    shown = {c.id: c for c in (*chosen, *kept.claims)}
    brought = {c.paper for c in shown.values()}
    named = [c.id for c in shown.values() if c.parent not in shown]  # with an item go the claims under it
    return {"papers": [name for name in documents() if name in brought], "claims": named}


def folder_for(
    output: Path | None, papers: Sequence[str] | None, claims: Sequence[str] | None, modules: Sequence[Path]
) -> Path:
    """The folder of a run; unless one is named, files alone have one of their own inside that of the documents."""
    if output is not None or not modules or papers is not None or claims:
        return output or REPORT
    return REPORT / "modules" / folder_name([module.stem for module in modules])


FORMATS = ("terminal", "html", "junit", "markdown")
FILES = {"html": "index.html", "junit": "junit.xml", "markdown": "report.md"}
PACKAGES_OF_A_PAGE = ("jinja2", "latex2mathml", "matplotlib")


def _without_packages(formats: Sequence[str] | None) -> list[str]:
    """What cannot be written for want of an extra: said before the work, and refused where it was asked for by name."""
    missing = [name for name in PACKAGES_OF_A_PAGE if find_spec(name) is None]
    if not missing or (formats is not None and "html" not in formats):
        return []
    remedy = f"pip install 'banditproof[report]' ({', '.join(missing)} missing)"
    if formats is not None:
        raise InvalidInput("format", "html", f"one that can be written: {remedy}")
    print(f"index.html cannot be written: {remedy}", file=sys.stderr)
    return ["html"]


def say_what_is_slow() -> None:
    """One line before simulations at every pull run without the compiled loops of an extra."""
    if find_spec("numba") is None:
        print(
            "simulations run without compiled loops and take longer: pip install 'banditproof[fast]' (numba missing)",
            file=sys.stderr,
        )


def printed_in_copies(copies: Sequence[Path]) -> Mapping[str, Passage]:
    """What the user's copies of the papers print for each item; nothing without copies."""
    if not copies:
        return {}
    from banditproof.claims.report.printed.passages import passages

    return passages(copies)


def folder_name(names: Sequence[str]) -> str:
    """The name of the folder for the results of these claims or files, the same in any order."""
    readable = [re.sub(r"[^\w.-]+", "_", name) for name in sorted(set(names))]
    return "-".join(readable if len(readable) < 4 else [*readable[:3], "and", str(len(readable) - 3), "more"])


def selftest_claims(asked: SelftestOptions) -> int:
    """Try every mutation, then random mutants of the source; a violation when a mutation of a claim slips through."""
    from banditproof.claims.report.terminal import print_selftest

    papers, claims, modules = asked.paper, asked.claim, asked.module or []
    chosen = chosen_claims(papers, claims, modules)
    work = folder_for(asked.output, papers, claims, modules)
    settings = settings_for(work, asked.profile.value, asked.seed)
    if any(c.studies for c in chosen):
        say_what_is_slow()
    with progress_bar(len(chosen) + sum(c.is_varied for c in chosen), asked.quiet) as progress:
        records = run(
            chosen,
            settings,
            work,
            modules=modules,
            reuse=True,
            selftest=True,
            workers=asked.workers,
            scheduler=asked.scheduler,
            progress=progress,
            begun=progress.begun,
        )
    print_selftest(records, asked.quiet)
    everything = papers is None and not claims and not modules
    count = asked.mutants if asked.mutants is not None else DEFAULT_MUTANTS if everything else 0
    if count:
        print_source_mutants(count)
    elif not any(record["mutations"] for record in records):
        print("no claim has a false variant, so no check was tested", file=sys.stderr)
        return Status.OPEN
    return gravest(_statuses(records, records))


DEFAULT_MUTANTS = 100  # of our own algorithms and recorder, of which a document or a claim says nothing


def print_source_mutants(count: int) -> None:
    """Random one-place changes of the policies' and the recorder's source: how many harmful ones the checks miss."""
    from banditproof.verify.runs.mutation_report import mutation_report

    print(f"testing the checks on {count} random changes of the source ...", file=sys.stderr, flush=True)
    report = mutation_report(seed=0, count=count)
    for name, counts in {**report.policies, "recorder": report.recorder}.items():
        print(
            f"source mutants of {name} (seed 0): {counts.drawn} drawn, {counts.raising} raise an exception, "
            f"{counts.harmful} harmful, {len(counts.missed)} of them missed"
        )
        for missed in counts.missed:
            print(f"        missed: {missed}")
    print(f"share of harmful source mutants missed: {report.missed_share:.1%}")


def chosen_claims(papers: Sequence[str] | None, ids: Sequence[str] | None, modules: Sequence[Path]) -> list[Claim]:
    """The claims asked for; with modules and nothing else, those of the modules."""
    with reading():
        load(() if modules else papers or ())
        installed = set(REGISTER)
        for module in modules:
            load_module(module)
        load(papers or ())  # which may be of a file
    registered = list(REGISTER.values())
    if modules and papers is None and not ids:
        registered = [c for c in registered if c.id not in installed]
    if papers is not None:
        registered = [c for c in registered if c.paper in (*papers, "outside")]
    if ids:
        wanted = {resolve(i).id for i in ids}
        registered = [c for c in registered if c.id in wanted or c.parent in wanted]
    if not registered and papers and not ids and not modules:
        listed = " ".join(f"--paper {paper}" for paper in papers)
        allowed = f"a paper that has claims ('banditproof list {listed} --uncovered' lists its items)"
        raise InvalidInput("paper", ", ".join(papers), allowed)
    if not registered and not modules:
        of = "; ".join(f"{i} is of {resolve(i).paper}" for i in ids or ())
        raise InvalidInput("claim", ", ".join(ids or ()), f"a claim of {', '.join(papers or ())} ({of})")
    if not registered:
        raise InvalidInput("module", ", ".join(map(str, modules)), "a file that registers at least one claim")
    return registered


def settings_for(output: Path, profile: str, seed: int | None) -> Settings:
    """The settings of a run; the output folder is created, or the reason why it cannot be is raised."""
    if output.suffix in (".html", ".json", ".md", ".xml"):
        raise InvalidInput("output", str(output), "a folder, in which index.html and results.json are written")
    try:
        output.mkdir(parents=True, exist_ok=True)
        probe = output / ".writable"
        probe.write_text("")
        probe.unlink()
    except OSError as error:
        raise InvalidInput("output", str(output), f"a writable folder ({error.strerror})") from error
    return Settings(profile, ROOT_SEED if seed is None else seed, output / "studies")


def exit_status(records: Sequence[Mapping[str, Any]], asked: Mapping[str, Any], fail_on: Sequence[str]) -> Status:
    """A violation for a verdict of ``--fail-on`` or a false variant that was not refuted, open when a check raised.

    The verdicts are those of the items that were `asked` for, and of claims under items that were asked for by name.
    """
    failed = [Status.VIOLATION] * bool(failing(asked, verdicts_of(fail_on)))
    return gravest((*failed, *_statuses(records, asked["claims"])))


def _statuses(records: Sequence[Mapping[str, Any]], tried: Sequence[Mapping[str, Any]]) -> Iterator[Status]:
    """Open for a check that raised, a violation for a false variant that was `tried` and not refuted."""
    yield from (Status.OPEN for record in records if record["status"] == "error")
    yield from (Status.VIOLATION for record in tried if missed_variants(record))


def verdicts_of(fail_on: Sequence[str]) -> set[str]:
    """The verdicts that ``--fail-on`` names: unproved stands for five of them."""
    verdicts = {v for v in fail_on if v != "unproved"}
    return verdicts | ({NAMED, MODEL, "supported", "undecided", "refuted"} if "unproved" in fail_on else set())
