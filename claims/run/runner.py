"""Running many checks: studies before their readers, pieces that survive a kill, and nothing done twice.

Every finished piece is written by the process that computed it, atomically, under its key and sealed. A later run
takes up every piece whose key still fits: a run that was killed loses at most the claims in progress, and an unchanged
claim is not checked again.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

from banditproof.algorithms.run.checkpoints import write_atomically
from banditproof.claims.loading import load, load_module
from banditproof.claims.register import REGISTER, Claim
from banditproof.claims.resolution import with_alternatives
from banditproof.claims.run.cluster import Bench, Cluster, connected
from banditproof.claims.run.examine import examine, judged_as
from banditproof.claims.run.pool import Lost, Pool
from banditproof.claims.run.record import Settings, as_restated, as_stated, facts, key
from banditproof.claims.run.selftest import try_mutations
from banditproof.claims.seal import is_sealed, seal
from banditproof.claims.study import Study, keep, kept_in

Progress = Callable[[str, dict[str, Any]], None]
Begun = Callable[[str, str], None]
Record = dict[str, Any]

# Seconds after which a check is given up: far beyond what any takes, since seconds must not decide verdicts.
LIMIT = {"quick": 1800.0, "full": 6 * 3600.0}


@dataclass(frozen=True)
class Task:
    """A piece of work: 'study', 'claim' or 'mutations' and the name of what it is done for."""

    kind: str
    name: str


def run(
    claims: Sequence[Claim],
    settings: Settings,
    output: Path,
    *,
    modules: Sequence[Path] = (),
    reuse: bool = False,
    selftest: bool = False,
    workers: int | None = None,
    limit: float | None = None,
    scheduler: str | None = None,
    progress: Progress = lambda kind, record: None,
    begun: Begun = lambda kind, name: None,
) -> list[Record]:
    """Examine claims (and try their mutations); returns the records in the order of the claims.

    Args:
        claims: registered claims.
        settings: profile, root seed, folder of studies.
        output: folder for the pieces; it is created.
        modules: files that a worker must load to know the same claims.
        reuse: take up pieces of an earlier run whose key and seal fit.
        selftest: also try the mutations.
        workers: number of processes; all cores by default. Results do not depend on it.
        limit: seconds after which a check is given up and reported as an error; by default those of the profile.
        scheduler: address of a Dask cluster whose workers do the work in place of processes here.
        progress: called with ('reused' | 'study' | 'claim' | 'mutations', record) when it is done.
        begun: called with ('study' | 'claim' | 'mutations', name) when it starts.
    """
    pieces = output / "pieces"
    pieces.mkdir(parents=True, exist_ok=True)
    finished: dict[Task, Record] = {}
    for task in _pieces_of(claims, selftest):
        record = stored_piece(pieces, task.kind, REGISTER[task.name], settings) if reuse else None
        if record is not None:
            finished[task] = record
            progress("reused", record)
    todo = _tasks(claims, selftest, set(finished))
    seconds, asked = limit or LIMIT[settings.profile], {c.id for c in claims}
    with ExitStack() as stack:
        if scheduler is None:
            given = list(modules), settings, pieces, asked, alone(claims, modules)
            pool = Pool(_start, given, workers or available_cores(), seconds)
            outcomes = pool.run(todo, lambda task: begun(task.kind, task.name))
        else:
            cluster = stack.enter_context(connected(scheduler))
            bench = cluster.bench(_start_afar, modules, (settings,), seconds)
            outcomes = _afar(cluster, bench, todo, settings, pieces, asked, begun)
        for task, outcome in outcomes:
            record = _lost(task, outcome, settings) if isinstance(outcome, Lost) else outcome
            progress(task.kind, record)
            finished[task] = record
    return [_merged(c, finished, selftest) for c in claims]


def _merged(claim: Claim, finished: dict[Task, Record], selftest: bool) -> Record:
    tried = finished.get(Task("mutations", claim.id)) if selftest else None
    record = finished[Task("claim", claim.id)]
    if tried is None:
        return record
    resolution = record["resolution"]
    if resolution is not None:
        resolution = with_alternatives(resolution, tried["mutations"])
    return record | {"mutations": tried["mutations"], "resolution": resolution}


def available_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _pieces_of(claims: Iterable[Claim], selftest: bool) -> list[Task]:
    """Each claim and then its mutations."""
    return [
        Task(kind, c.id)
        for c in claims
        for kind in ("claim", "mutations")
        if kind == "claim" or (selftest and c.is_varied)
    ]


def _tasks(claims: Sequence[Claim], selftest: bool, done: set[Task]) -> dict[Task, set[Task]]:
    """The tasks in order, each with the studies and the restated claim it waits for; dear studies come first."""
    studies = {c.id: {Task("study", s.name) for s in c.studies} for c in claims}
    waiting = {task: studies[task.name] for task in _pieces_of(claims, selftest) if task not in done}
    needed = {study: set[Task]() for each in waiting.values() for study in sorted(each, key=lambda s: s.name)}
    restated = {task: Task(task.kind, REGISTER[task.name].checked_as) for task in waiting}
    return needed | {
        task: needs | ({restated[task]} if restated[task] != task and restated[task] in waiting else set())
        for task, needs in waiting.items()
    }


def alone(claims: Iterable[Claim], modules: Iterable[Path]) -> bool:
    """Whether files bring the claims and all that these refer to: then no document is loaded to check them."""
    files = {path.stem for path in modules}
    brought = {c.id for c in REGISTER.values() if c.module in files}
    named = {n for c in claims for n in (c.id, c.parent, c.repairs, c.same_check_as, c.cause, *c.rests_on) if n}
    return named <= brought


def _start(
    modules: list[Path], settings: Settings, pieces: Path, asked: set[str], alone: bool
) -> Callable[[Task], Record]:
    """What a worker does once: load the claims."""
    if not alone:
        load()
    for module in modules:
        load_module(module)
    return partial(_work, settings, pieces, asked)


def _work(settings: Settings, pieces: Path, asked: set[str], task: Task) -> Record:
    return _restated(settings, pieces, asked, task) or _filed(pieces, task, _computed(settings, task))


def _restated(settings: Settings, pieces: Path, asked: set[str], task: Task) -> Record | None:
    """The record of a claim that restates another one of this run, which is done already."""
    claim = REGISTER.get(task.name)
    if task.kind == "study" or claim is None or claim.same_check_as not in asked:
        return None
    source = REGISTER[claim.same_check_as]
    known = stored_piece(pieces, task.kind, source, settings) if judged_as(claim) == judged_as(source) else None
    if known is None:
        return None
    own = {"id": claim.id, "key": key(claim, settings)}
    return _filed(pieces, task, as_restated(known, claim, settings) if task.kind == "claim" else known | own)


def _computed(settings: Settings, task: Task) -> Record:
    if task.kind == "study":
        _study(task.name).result(settings.profile, settings.root_seed, settings.studies)
        return {"id": task.name}
    claim = REGISTER[task.name]
    if task.kind == "claim":
        return examine(claim, settings)
    return {"id": claim.id, "key": key(claim, settings), "mutations": try_mutations(claim, settings)}


def _filed(pieces: Path, task: Task, record: Record) -> Record:
    """The record as a later run reads it; raises for what JSON cannot hold."""
    content = json.dumps(record, allow_nan=False, ensure_ascii=False).encode()
    if task.kind != "study" and record.get("status") != "error":
        path = piece_path(pieces, task.kind, task.name)
        write_atomically(path, seal(path.name, content).encode() + b"\n" + content)
    return json.loads(content)


def _afar(
    cluster: Cluster,
    bench: Any,
    todo: dict[Task, set[Task]],
    settings: Settings,
    pieces: Path,
    asked: set[str],
    begun: Begun,
) -> Iterator[tuple[Task, Any]]:
    """As ``Pool.run``, on a cluster: what is stored travels with the tasks, and what they find is stored here."""
    waiting, finished = dict(todo), set[Task]()
    while waiting or cluster.pieces:
        for task in [t for t, needs in waiting.items() if needs <= finished]:
            known = _restated(settings, pieces, asked, task)
            del waiting[task]
            begun(task.kind, task.name)
            if known is None:
                cluster.submit(task, Bench.do, bench, (task, _studies_of(task, settings)))
            else:
                finished.add(task)
                yield task, known
        if cluster.pieces:
            task, outcome = cluster.next()
            finished.add(task)
            yield task, outcome if isinstance(outcome, Lost) else _received(pieces, settings, task, *outcome)


def _studies_of(task: Task, settings: Settings) -> dict[str, bytes]:
    """The stored studies that a task reads, by the names of their files."""
    studies = (_study(task.name),) if task.kind == "study" else REGISTER[task.name].studies
    folder = settings.studies
    files = [s.file(settings.profile, settings.root_seed, folder) for s in studies] if folder else []
    return {path.name: path.read_bytes() for path in files if kept_in(path) is not None}


def _received(pieces: Path, settings: Settings, task: Task, record: Record, studies: dict[str, bytes]) -> Record:
    for name, content in studies.items():
        if settings.studies:
            keep(settings.studies / name, content)
    return _filed(pieces, task, record)


def _start_afar(modules: list[Path], folder: Path, settings: Settings) -> Callable[[Any], tuple[Record, Any]]:
    """``_start`` on a cluster: a task comes with the studies it reads, and goes back with those that it made."""
    load()
    for module in modules:
        load_module(module)

    def work(given: tuple[Task, dict[str, bytes]]) -> tuple[Record, dict[str, bytes]]:
        task, studies = given
        for name, content in studies.items():
            if kept_in(folder / name) is None:
                keep(folder / name, content)
        before = set(folder.glob("*.npz"))
        record = _computed(replace(settings, studies=folder), task)
        return record, {path.name: path.read_bytes() for path in folder.glob("*.npz") if path not in before}

    return work


def _study(name: str) -> Study:
    return next(s for c in REGISTER.values() for s in c.studies if s.name == name)


def _lost(task: Task, lost: Lost, settings: Settings) -> Record:
    """The record of a task without a result: an error of that check, never a verdict."""
    if task.kind == "study":
        return {"id": task.name}  # its readers compute it themselves, or say why they cannot
    claim = REGISTER[task.name]
    if task.kind == "claim":
        said = {"stated": as_stated(claim), "status": "error", "reach": f"the check {lost.reason}"}
        return facts(claim, settings) | said
    missed = [
        {"name": m.name, "constants": {}, "caught": False, "how": lost.reason, "seconds": 0.0} for m in claim.mutations
    ]
    return {"id": claim.id, "mutations": missed}


def piece_path(pieces: Path, kind: str, claim_id: str) -> Path:
    """A file name that any system takes, of its own for every id."""
    readable = re.sub(r"[^\w.=+-]+", "-", claim_id)[:60]
    return pieces / f"{readable}.{blake2b(claim_id.encode(), digest_size=5).hexdigest()}.{kind}.json"


def stored_piece(pieces: Path, kind: str, claim: Claim, settings: Settings) -> Record | None:
    """The finished piece of an earlier run, if this user's run computed it from the same statement, code and seed.

    A piece that is damaged, renamed or without the right seal counts as not there.
    """
    path = piece_path(pieces, kind, claim.id)
    try:
        given, _, content = path.read_bytes().partition(b"\n")
    except OSError:
        return None
    if not is_sealed(path.name, content, given):
        return None
    record = json.loads(content)
    return record if record.get("key") == key(claim, settings) else None
