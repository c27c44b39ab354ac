"""``banditproof check`` and ``banditproof selftest``."""

from __future__ import annotations

import re
import shlex
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from banditproof.claims.documents import documents
from banditproof.claims.loading import load, load_module
from banditproof.claims.register import REGISTER, Claim, resolve
from banditproof.claims.report.terminal import printable
from banditproof.claims.run.examine import Settings
from banditproof.claims.run.results import failing
from banditproof.claims.run.runner import run
from banditproof.claims.seeds import ROOT_SEED
from banditproof.theory.errors import InvalidInput

if TYPE_CHECKING:
    from banditproof.claims.report.printed.passages import Passage


def check_claims(
    *,
    papers: Sequence[str] | None,
    claims: Sequence[str] | None,
    modules: Sequence[Path],
    profile: str,
    output: Path,
    formats: Sequence[str] | None,
    reuse: bool,
    fail_on: Sequence[str],
    selftest: bool,
    workers: int | None,
    seed: int | None,
    scheduler: str | None = None,
    copies: Sequence[Path] = (),
) -> int:
    """Run the checks, write the results and the reports; the exit status is 0, 1 (--fail-on) or 3 (a check raised).

    The reports show what `copies` of the papers print; the results do not.
    """
    from banditproof.claims.report.reports import write_reports
    from banditproof.claims.run.results import assemble, write_results

    skipped = _without_packages(formats)
    chosen = chosen_claims(papers, claims, modules)
    settings = settings_for(output, profile, seed)
    printed = printed_in_copies(copies)
    if any(c.studies for c in chosen):
        say_what_is_slow()
    started = time.perf_counter()
    with progress_bar(len(chosen) + (sum(bool(c.mutations) for c in chosen) if selftest else 0)) as progress:
        records = run(
            chosen,
            settings,
            output,
            modules=modules,
            reuse=reuse,
            selftest=selftest,
            workers=workers,
            scheduler=scheduler,
            progress=progress,
        )
    if progress.reused:
        print(f"{progress.reused} of {progress.done} results unchanged since the last run in {output} (--fresh: none)")
    command = shlex.join(["banditproof", *sys.argv[1:]])
    alone = modules and papers is None and not claims
    asked = {"papers": papers, "claims": claims}
    if alone:  # the documents that the modules bring
        brought = [name for name in documents() if any(c.paper == name for c in chosen)]
        asked = {"papers": brought, "claims": [c.id for c in chosen]}
    results = assemble(records, settings, command, time.perf_counter() - started, asked)
    written = output / "claims" / "-".join(slug(c) for c in claims[:3]) if claims else output
    written.mkdir(parents=True, exist_ok=True)  # a look at a claim leaves the report of all of them alone
    try:
        write_results(results, written / "results.json")
    finally:  # what there is no room for costs nothing else
        wanted = [f for f in formats or FORMATS if f not in skipped]
        write_reports(results, chosen, settings, written, wanted, printed)
    kinds = [FILES[f] for f in formats or FORMATS if f in FILES and f not in skipped]
    print(f"written to {written}: {', '.join(['results.json', *kinds])}")
    return exit_status(results["claims"], fail_on)


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
        raise InvalidInput("format", "html", f"installed: {remedy}")
    print(f"index.html will not be written: {remedy}", file=sys.stderr)
    return ["html"]


def say_what_is_slow() -> None:
    """One line before simulations at every pull run without the compiled loops of an extra."""
    if find_spec("numba") is None:
        print(
            "without compiled loops, which takes longer: pip install 'banditproof[fast]' (numba missing)",
            file=sys.stderr,
        )


def printed_in_copies(copies: Sequence[Path]) -> Mapping[str, Passage]:
    """What the user's copies of the papers print for each item; nothing without copies."""
    if not copies:
        return {}
    from banditproof.claims.report.printed.passages import passages

    return passages(copies)


def slug(claim_id: str) -> str:
    """The name of the folder for the results of one claim."""
    return re.sub(r"[^\w.-]+", "_", claim_id)


def selftest_claims(
    *,
    papers: Sequence[str] | None,
    claims: Sequence[str] | None,
    modules: Sequence[Path],
    profile: str,
    output: Path,
    mutants: int | None,
    workers: int | None,
    seed: int | None,
    scheduler: str | None = None,
) -> int:
    """Try every mutation, then random mutants of the source; exit status 1 when a mutation of a claim slips through."""
    from banditproof.claims.report.terminal import print_selftest

    chosen = chosen_claims(papers, claims, modules)
    settings = settings_for(output, profile, seed)
    mutated = [c for c in chosen if c.mutations]
    if any(c.studies for c in chosen):
        say_what_is_slow()
    with progress_bar(len(chosen) + len(mutated)) as progress:
        records = run(
            chosen,
            settings,
            output,
            modules=modules,
            reuse=True,
            selftest=True,
            workers=workers,
            scheduler=scheduler,
            progress=progress,
        )
    status = print_selftest(records)
    count = mutants if mutants is not None else 0 if claims or modules else DEFAULT_MUTANTS
    if count:
        print_source_mutants(count)
    return status


DEFAULT_MUTANTS = 100


def print_source_mutants(count: int) -> None:
    """Random one-place changes of the policies' and the recorder's source: how many harmful ones the checks miss."""
    from banditproof.verify.runs.mutation_report import mutation_report

    print(f"judging {count} random changes of the source ...", file=sys.stderr, flush=True)
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
        load(papers or ())
        installed = set(REGISTER)
        for module in modules:
            load_module(module)
    registered = list(REGISTER.values())
    if modules and papers is None and not ids:
        registered = [c for c in registered if c.id not in installed]
    if papers is not None:
        registered = [c for c in registered if c.paper in (*papers, "outside")]
    if ids:
        wanted = {resolve(i).id for i in ids}
        registered = [c for c in registered if c.id in wanted or c.parent in wanted]
    if not registered:
        raise InvalidInput("module", ", ".join(map(str, modules)), "a file that registers at least one claim")
    return registered


def settings_for(output: Path, profile: str, seed: int | None) -> Settings:
    """The settings of a run; the output folder is created, or the reason why it cannot be is raised."""
    try:
        output.mkdir(parents=True, exist_ok=True)
        probe = output / ".writable"
        probe.write_text("")
        probe.unlink()
    except OSError as error:
        raise InvalidInput("output", str(output), f"a folder that can be written ({error.strerror})") from error
    return Settings(profile, ROOT_SEED if seed is None else seed, output / "studies")


def exit_status(claims: Sequence[dict[str, Any]], fail_on: Sequence[str]) -> int:
    """3 when a check raised, 1 when an item came out with a verdict of ``--fail-on``, else 0."""
    if any(c["status"] == "error" for c in claims):
        return 3
    verdicts = {v for v in fail_on if v != "unproved"}
    if "unproved" in fail_on:
        verdicts |= {"supported", "undecided", "refuted"}
    return int(bool(failing(claims, verdicts)))


class _Shown:
    """Progress as a live bar, or as a line every twentieth of the work; counts what an earlier run had done."""

    def __init__(self, bar: Any, total: int, live: bool) -> None:
        self.bar, self.total, self.live = bar, total, live
        self.line = bar.add_task("", total=total)
        self.done = self.reused = 0

    def __call__(self, kind: str, record: dict[str, Any]) -> None:
        from rich.markup import escape

        label = printable(f"{record['id']} {record.get('verdict') or kind}", 100)
        if kind != "study":
            self.done += 1
            self.reused += kind == "reused"
            self.bar.update(self.line, advance=1, description=escape(label))
        due = kind == "study" or (kind != "reused" and self.done % max(1, self.total // 20) == 0)
        if not self.live and due:
            print(f"[{self.done}/{self.total}] {label}", file=sys.stderr, flush=True)


@contextmanager
def reading() -> Iterator[None]:
    """Says on a terminal that the claims are being read, which takes a few seconds, while they are."""
    from rich.console import Console

    with Console(stderr=True).status("reading the claims"):
        yield


@contextmanager
def progress_bar(total: int) -> Iterator[Any]:
    """A live bar on a terminal; on a pipe, a line every twentieth of the work."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (
        TextColumn("checking"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        progress = _Shown(bar, total, console.is_terminal)
        try:
            yield progress
        except KeyboardInterrupt:
            bar.stop()
            print("banditproof: interrupted; the same command goes on from what is finished", file=sys.stderr)
            raise SystemExit(130) from None
