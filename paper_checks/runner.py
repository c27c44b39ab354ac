"""Running many checks: one warm pool of processes, studies before their readers, pieces that survive a kill.

Every finished piece is written by the process that computed it, atomically, under its key. A run that is killed loses
at most the claim in progress in each process; ``resume`` takes up every piece whose key still fits.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from banditproof.algorithms.checkpoints import write_atomically
from banditproof.paper_checks.examine import Settings, examine, key
from banditproof.paper_checks.register import REGISTER, Claim, load_module, load_papers
from banditproof.paper_checks.study import Study

Progress = Callable[[str, dict[str, Any]], None]


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
    papers: Sequence[str] = (),
    resume: bool = False,
    selftest: bool = False,
    workers: int | None = None,
    progress: Progress = lambda kind, record: None,
) -> list[dict[str, Any]]:
    """Examine claims (and try their mutations); returns the records in the order of the claims.

    Args:
        claims: registered claims.
        settings: profile, root seed, folder of studies.
        output: folder for the pieces; it is created.
        modules, papers: what a worker must load to know the same claims.
        resume: take up pieces of an earlier run whose key fits.
        selftest: also try the mutations.
        workers: number of processes; all cores by default. Results do not depend on it.
        progress: called with ('start', ...), ('study' | 'claim' | 'mutations', record).
    """
    pieces = output / "pieces"
    pieces.mkdir(parents=True, exist_ok=True)
    done = {c.id: record for c in claims if resume and (record := stored_piece(pieces, "claim", c, settings))}
    tried = {c.id: record for c in claims if resume and (record := stored_piece(pieces, "mutations", c, settings))}
    for record in done.values():
        progress("claim", record)
    todo = _tasks(claims, set(done), set(tried) if selftest else None)
    context = multiprocessing.get_context("spawn")
    start = (list(modules), list(papers), settings, pieces)
    with ProcessPoolExecutor(workers or available_cores(), context, initializer=_start_worker, initargs=start) as pool:
        for task, record in _in_order(pool, todo):
            progress(task.kind, record)
            if task.kind != "study":
                (done if task.kind == "claim" else tried)[task.name] = record
    return [done[c.id] | ({"mutations": tried[c.id]["mutations"]} if c.id in tried else {}) for c in claims]


def available_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _tasks(claims: Iterable[Claim], done: set[str], tried: set[str] | None) -> dict[Task, set[Task]]:
    """The tasks in order, each with the studies it waits for; dear studies come first."""
    waiting: dict[Task, set[Task]] = {}
    for c in claims:
        studies = {Task("study", s.name) for s in c.studies}
        if c.id not in done:
            waiting[Task("claim", c.id)] = studies
        if tried is not None and c.mutations and c.id not in tried:
            waiting[Task("mutations", c.id)] = studies
    needed = {study: set[Task]() for studies in waiting.values() for study in sorted(studies, key=lambda s: s.name)}
    return needed | waiting


def _in_order(pool: ProcessPoolExecutor, todo: dict[Task, set[Task]]) -> Iterable[tuple[Task, dict[str, Any]]]:
    running: dict[Future[dict[str, Any]], Task] = {}
    finished: set[Task] = set()
    waiting = dict(todo)
    try:
        while waiting or running:
            for task in [t for t, needs in waiting.items() if needs <= finished]:
                del waiting[task]
                running[pool.submit(_work, task)] = task
            ready, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in ready:
                task = running.pop(future)
                finished.add(task)
                yield task, future.result()
    except BaseException:  # an interrupt above all: what is finished is on disk, the rest is not waited for
        pool.shutdown(wait=False, cancel_futures=True)
        for worker in multiprocessing.active_children():
            worker.terminate()
        raise


_WORKER: dict[str, Any] = {}


def _start_worker(modules: list[Path], papers: list[str], settings: Settings, pieces: Path) -> None:
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is interrupted and ends its workers
    threading.Thread(target=_end_with_the_parent, daemon=True).start()
    load_papers(papers)
    for module in modules:
        load_module(module)
    _WORKER.update(settings=settings, pieces=pieces)


def _end_with_the_parent() -> None:
    """A worker whose parent was killed would wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work(task: Task) -> dict[str, Any]:
    settings, pieces = _WORKER["settings"], _WORKER["pieces"]
    if task.kind == "study":
        study = _study(task.name)
        study.result(settings.profile, settings.root_seed, settings.studies)
        return {"id": task.name}
    claim = REGISTER[task.name]
    if task.kind == "claim":
        record = examine(claim, settings)
    else:
        from banditproof.paper_checks.selftest import try_mutations

        record = {"id": claim.id, "key": key(claim, settings), "mutations": try_mutations(claim, settings)}
    write_atomically(piece_path(pieces, task.kind, claim.id), json.dumps(record, allow_nan=False).encode())
    return record


def _study(name: str) -> Study:
    return next(s for c in REGISTER.values() for s in c.studies if s.name == name)


def piece_path(pieces: Path, kind: str, claim_id: str) -> Path:
    return pieces / f"{claim_id.replace('/', '--')}.{kind}.json"


def stored_piece(pieces: Path, kind: str, claim: Claim, settings: Settings) -> dict[str, Any] | None:
    """The finished piece of an earlier run, if it was computed from the same statement, code, seed and versions."""
    path = piece_path(pieces, kind, claim.id)
    if not path.is_file():
        return None
    record = json.loads(path.read_text())
    return record if record.get("key") == key(claim, settings) and record.get("status") != "error" else None
