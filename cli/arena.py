"""``banditproof arena``."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from banditproof.claims.arena import listed
from banditproof.claims.arena.arena import Figures, contestants, run, sample
from banditproof.claims.arena.contest import Outcome, Rules
from banditproof.claims.register import REGISTER, Claim, resolve
from banditproof.cli.checking import chosen_claims
from banditproof.cli.progress import progress_bar
from banditproof.cli.statuses import Status
from banditproof.theory.errors import InvalidInput


def enter_arena(
    papers: Sequence[str] | None,
    modules: Sequence[Path],
    only: Sequence[str],
    limit: int | None,
    *,
    seed: int,
    seconds: float,
    workers: int | None,
    scheduler: str | None = None,
) -> int:
    """Run the arena and print its table; a violation where a false claim is proved or a true one refuted."""
    started = time.perf_counter()
    known = chosen_claims(papers, None, modules)
    claims, alterations = _claims_and_alterations(only) if only else (sample(contestants(known), limit, seed), {})
    with progress_bar(len(claims)) as progress:
        figures = run(
            claims, Rules(seed, seconds=seconds), alterations=alterations, modules=modules, workers=workers,
            scheduler=scheduler, progress=progress,
        )  # fmt: skip
    print_figures(figures, len(claims), time.perf_counter() - started)
    if only:
        for outcome in figures.outcomes:
            print(_line(outcome))
    return Status.VIOLATION if figures.offenders else Status.OK


def enter_again(
    path: Path, modules: Sequence[Path], *, seconds: float, workers: int | None, scheduler: str | None = None
) -> int:
    """Prove the listed statements again and print their share; a violation where a true one is refuted."""
    asked = listed.read(path)
    chosen_claims(None, None, modules)
    claims = [REGISTER[name] for name in asked.claims]
    with progress_bar(len(claims)) as progress:
        figures = run(
            claims, Rules(seconds=seconds), listed=asked.keys, modules=modules, workers=workers,
            scheduler=scheduler, progress=progress,
        )  # fmt: skip
    came = listed.proved_again(asked, figures.outcomes, figures.lost.__contains__)
    print_again(came)
    return Status.VIOLATION if figures.offenders else Status.OK


def print_again(came: listed.ProvedAgain) -> None:
    """The share that was proved again, and by name every statement that was not."""
    share = f" ({came.proved / came.total:.1%})" if came.total else ""
    print(f"{came.proved} of {came.total} listed statements were proved again{share}")
    for name in came.changed:
        print(f"  {name} does not count: its claim is gone or has another statement now")
    for name in came.lost:
        print(f"  {name} could not be tried")
    for outcome in came.outcomes:
        if outcome.verdict != "proved":
            stopped = ", stopped by the time limit" if outcome.stopped else ""
            print(f"{'WRONG' if outcome.offends else ' open'}  {_line(outcome)}{stopped}")


def _claims_and_alterations(only: Sequence[str]) -> tuple[list[Claim], dict[str, str]]:
    """The claims of the names, and the alteration of those that name one (``BDP-T3.1@scale=99/100``)."""
    claims, alterations = {}, {}
    for name in only:
        claim_id, separator, alteration = (name, "", "") if name in REGISTER else name.rpartition("@")
        claim = resolve(claim_id if separator else name)
        if claim.check is None:
            raise InvalidInput("claim", name, "a claim with a check of its own")
        claims[claim.id] = claim
        if alteration:
            alterations[claim.id] = alteration
    return list(claims.values()), alterations


def print_figures(figures: Figures, claims: int, seconds: float) -> None:
    """The table of judges, the variants by kind, what was not used, and every offender by name."""
    false, true = len(figures.false), len(figures.true)
    print(f"{false} false claims and {true} true ones, made from {claims} registered claims in {seconds:.0f} seconds")
    programs = sum(o.program for o in figures.false)
    print(f"{programs} of the false claims are programs, which the provers evaluate in the same way as the arena does")
    print(f"{'judge':<18}{'false proved':>14}{'true refuted':>14}{'true proved':>14}")
    for judge, (wrongly_proved, wrongly_refuted, proved) in figures.rows().items():
        print(f"{judge:<18}{wrongly_proved:>14}{wrongly_refuted:>14}{proved:>14}")
    for title, of_truth in (("false", False), ("true", True)):
        for kind, counted in sorted(figures.by_kind(of_truth).items()):
            print(f"  {title}, {kind}: {_counted(counted)}")
    stopped = sum(o.stopped for o in figures.outcomes)
    print(f"{stopped} provers exceeded the time limit")
    print("claims without a false variant:")
    for why, count in Counter(figures.unused.values()).most_common():
        print(f"  {count} claims: {why}")
    for name, why in figures.lost.items():
        print(f"  {name} could not be tried: {why.splitlines()[-1]}")
    for outcome in figures.offenders:
        print(f"WRONG  {_line(outcome)}")


def _counted(verdicts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items()))


def _line(outcome: Outcome) -> str:
    truth = "true" if outcome.true else f"false at {outcome.point[:160]}"
    return f"{outcome.name} ({truth}) came out {outcome.verdict}: {outcome.reach[:200]}"
