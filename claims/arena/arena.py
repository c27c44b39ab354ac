"""The arena as a whole: every registered claim once, on several processes, and what came out in figures."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from banditproof.claims.arena.contest import Contest, Outcome, Rules, again, contest
from banditproof.claims.loading import load, load_module
from banditproof.claims.register import REGISTER, Claim
from banditproof.claims.run.cluster import Bench, connected
from banditproof.claims.run.pool import Lost, Pool
from banditproof.claims.run.runner import available_cores
from banditproof.verify.proof.evidence import to_data

LIMIT = 1800.0  # seconds after which a claim is given up whose provers cannot be stopped one by one
MEMORY = 4 << 30  # bytes a process may take: a constant times 1000 may be the size of an enumeration

Progress = Callable[[str, dict[str, Any]], None]


@dataclass(frozen=True)
class Figures:
    """What came out.

    Attributes:
        outcomes: of every variant, in the order of the claims.
        unused: claim -> why it gave no false variant.
        lost: claim -> why it gave nothing at all.
    """

    outcomes: tuple[Outcome, ...]
    unused: Mapping[str, str]
    lost: Mapping[str, str]

    @property
    def false(self) -> list[Outcome]:
        return [o for o in self.outcomes if not o.true]

    @property
    def true(self) -> list[Outcome]:
        return [o for o in self.outcomes if o.true]

    @property
    def offenders(self) -> list[Outcome]:
        return [o for o in self.outcomes if o.offends]

    def rows(self) -> dict[str, tuple[int, int, int]]:
        """Judge -> (false proved, true refuted, true proved): ours, and three judges that look at nothing."""
        false, true = len(self.false), len(self.true)
        came = Counter(o.verdict for o in self.true)
        ours = sum(o.verdict == "proved" for o in self.false), came["refuted"], came["proved"]
        return {
            "banditproof": ours,
            "always proved": (false, 0, true),
            "always refuted": (0, true, 0),
            "always undecided": (0, 0, 0),
        }

    def by_kind(self, true: bool) -> dict[str, Counter[str]]:
        """Kind of variant -> how often each verdict came out."""
        counted: dict[str, Counter[str]] = {}
        for outcome in self.true if true else self.false:
            counted.setdefault(outcome.kind, Counter())[outcome.verdict] += 1
        return counted


def contestants(claims: Iterable[Claim]) -> list[Claim]:
    """Claims that state something to be proved, each statement once: a restated one is proved in the same way."""
    seen: dict[Any, Claim] = {}
    for claim in claims:
        if claim.check is not None:
            stated = claim.function, str(claim.domain.to_json()), str(to_data(dict(claim.constants)))
            seen.setdefault(stated, claim)
    return list(seen.values())


def sample(claims: Sequence[Claim], limit: int | None, seed: int) -> list[Claim]:
    """So many of the claims, drawn from the seed, in their order; all without a limit."""
    if limit is None or limit >= len(claims):
        return list(claims)
    kept = set(random.Random(seed).sample(range(len(claims)), limit))
    return [c for place, c in enumerate(claims) if place in kept]


def run(
    claims: Sequence[Claim],
    rules: Rules,
    *,
    alterations: Mapping[str, str] | None = None,
    listed: Mapping[str, Mapping[str, str]] | None = None,
    modules: Sequence[Path] = (),
    workers: int | None = None,
    scheduler: str | None = None,
    progress: Progress = lambda kind, record: None,
) -> Figures:
    """Let every claim enter the arena.

    Args:
        claims: registered claims with a check.
        rules: seed, how many variants, and the time limit of a prover.
        alterations: claim id -> the one alteration that is tried of it.
        listed: claim id -> alteration -> key of the statement; then only these true variants are tried.
        modules: files that a worker must load to know the same claims.
        workers: number of processes; all cores by default.
        scheduler: address of a Dask cluster whose workers do the work in place of processes here.
        progress: called with 'claim' and what came out for it.
    """
    arguments = rules, dict(alterations or {}), dict(listed or {})
    finished: dict[str, Contest | Lost] = {}
    with ExitStack() as stack:
        if scheduler is None:
            pool = Pool(_start, (list(modules), None, *arguments), workers or available_cores(), LIMIT)
            came_out = pool.run({claim.id: set() for claim in claims})
        else:
            cluster = stack.enter_context(connected(scheduler))
            bench = cluster.bench(_start, modules, arguments, LIMIT)
            for claim in claims:
                cluster.submit(claim.id, Bench.do, bench, claim.id)
            came_out = (cluster.next() for _ in claims)
        for name, came in came_out:
            finished[name] = came
            progress("claim", {"id": name, "verdict": _outcome_text(came)})
    ordered = [(c.id, finished[c.id]) for c in claims]
    done = [came for _, came in ordered if isinstance(came, Contest)]
    lost = {name: came.reason.strip() for name, came in ordered if isinstance(came, Lost)}
    outcomes = tuple(outcome for came in done for outcome in came.outcomes)
    return Figures(outcomes, {c.claim_id: c.unused for c in done if c.unused}, lost)


def _outcome_text(came: Contest | Lost) -> str:
    if isinstance(came, Lost):
        return "lost"
    offending = sum(o.offends for o in came.outcomes)
    return f"{len(came.outcomes)} variants" + (f", {offending} of them judged wrongly" if offending else "")


def _start(
    modules: list[Path],
    folder: Path | None,
    rules: Rules,
    alterations: dict[str, str],
    listed: dict[str, Mapping[str, str]],
) -> Callable[[str], Contest]:
    """What a process does once; it needs no `folder`, which those of a cluster have."""
    _limit_memory()
    load()
    for module in modules:
        load_module(module)
    return partial(_work, rules, alterations, listed)


def _work(rules: Rules, alterations: dict[str, str], listed: dict[str, Mapping[str, str]], name: str) -> Contest:
    if listed:
        return again(REGISTER[name], listed[name], rules)
    return contest(REGISTER[name], rules, alterations.get(name, ""))


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # a system without such limits
        return
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY if most < 0 else min(MEMORY, most), most))
