"""A pool of processes in which one task cannot end the run.

A task that raises, leaves (``sys.exit``), is killed or does not end is lost by itself: its process is replaced and the
others go on. ``ProcessPoolExecutor`` breaks as a whole when a worker dies, and knows no limit of time.
"""

from __future__ import annotations

import gc
import math
import multiprocessing
import os
import signal
import threading
import time
import traceback
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

Work = Callable[[Any], Any]


@dataclass(frozen=True)
class Lost:
    """What is known of a task without a result."""

    reason: str


OBJECTS_UNTIL_COLLECTION = 100_000  # proofs make millions of small objects, hardly ever in cycles


@dataclass
class _Worker:
    process: BaseProcess
    connection: Connection
    task: Hashable | None = None
    since: float = field(default_factory=time.monotonic)


class Pool:
    """Processes that each ``start`` once and then do one task after another.

    Args:
        start: module-level function called in every new process with ``arguments``; returns the function of a task.
        workers: how many processes.
        limit: seconds after which a task is given up.
    """

    def __init__(self, start: Callable[..., Work], arguments: tuple[Any, ...], workers: int, limit: float) -> None:
        self.start, self.arguments, self.workers, self.limit = start, arguments, workers, limit
        self.own: _Worker | None = None
        self.context = multiprocessing.get_context("spawn")
        # Inherited: a new process loads NumPy before `start`, and threads in each of them would wait for each other.
        # And it walks through sets in the same order in every run, so that a claim has the same proof each time.
        for name, value in {"OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}.items():
            os.environ.setdefault(name, value)

    def run(
        self, todo: Mapping[Any, set[Any]], begun: Callable[[Any], None] = lambda task: None, until: float = math.inf
    ) -> Iterator[tuple[Any, Any]]:
        """Every task with its result, or a ``Lost``, as they finish; a task starts when those it waits for are done.

        `begun` hears of every task when it starts. What is not done at `until`, by ``time.monotonic``, is broken off.
        """
        waiting, finished = dict(todo), set[Any]()
        workers = [self._spawn() for _ in range(min(self.workers, len(todo)))]
        try:
            while (waiting or any(w.task is not None for w in workers)) and (left := until - time.monotonic()) > 0:
                for worker in workers:
                    ready = next((t for t, needs in waiting.items() if needs <= finished), None)
                    if worker.task is None and ready is not None:
                        del waiting[ready]
                        self._give(worker, ready)
                        begun(ready)
                wait([w.connection for w in workers], timeout=min(1.0, left))
                for place, worker in enumerate(workers):
                    outcome = self._outcome(worker)
                    if outcome is None:
                        continue
                    task, worker.task = worker.task, None
                    if not worker.process.is_alive() or isinstance(outcome, Lost) and worker.connection.closed:
                        workers[place] = self._spawn()
                    if task is not None:
                        finished.add(task)
                        yield task, outcome
        finally:
            for worker in workers:
                worker.process.terminate()
            for worker in workers:
                worker.process.join()

    def do(self, task: Any) -> Any:
        """The result of one task, or a ``Lost``, from a process that stays for the next until the pool is closed."""
        self.own = self.own or self._spawn()
        self._give(self.own, task)
        while (outcome := self._outcome(self.own)) is None:
            wait([self.own.connection], timeout=1.0)
        self.own.task = None
        if self.own.connection.closed or not self.own.process.is_alive():
            self.own = None
        return outcome

    def close(self) -> None:
        """End the process that ``do`` keeps."""
        if self.own is not None:
            self.own.process.terminate()
            self.own.process.join()
            self.own = None

    def _spawn(self) -> _Worker:
        ours, theirs = self.context.Pipe()
        process = self.context.Process(target=_serve, args=(theirs, self.start, self.arguments), daemon=True)
        here = multiprocessing.current_process()
        daemon, here.daemon = here.daemon, False  # a worker of a cluster is one, and daemons may have no children
        try:
            process.start()
        finally:
            here.daemon = daemon
        theirs.close()
        return _Worker(process, ours)

    def _give(self, worker: _Worker, task: Any) -> None:
        worker.task, worker.since = task, time.monotonic()
        try:
            worker.connection.send(task)
        except (BrokenPipeError, OSError):  # it died idle: `_outcome` will say so
            return

    def _outcome(self, worker: _Worker) -> Any:
        """The result of the worker's task, why there will be none, or None while it is at work."""
        try:
            if worker.connection.poll():
                return worker.connection.recv()
        except (EOFError, OSError):
            worker.process.join()
            worker.connection.close()
            return Lost(_how_it_ended(worker.process.exitcode))
        if worker.task is not None and time.monotonic() - worker.since > self.limit:
            worker.process.kill()
            worker.process.join()
            worker.connection.close()
            return Lost(f"gave no result within {self.limit:.0f} seconds")
        return None


def _how_it_ended(code: int | None) -> str:
    if code is not None and code < 0:
        return f"lost its process, killed by {signal.Signals(-code).name}"
    return f"lost its process, which ended with status {code}"


def _serve(connection: Connection, start: Callable[..., Work], arguments: tuple[Any, ...]) -> None:
    """A worker's life: results go back as they are, whatever a task raises goes back as ``Lost``."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is interrupted and ends its workers
    threading.Thread(target=_end_with_the_parent, daemon=True).start()
    work = start(*arguments)
    gc.freeze()  # what is loaded stays
    gc.set_threshold(OBJECTS_UNTIL_COLLECTION)
    while True:
        task = connection.recv()
        try:
            result = work(task)
        except BaseException as error:  # SystemExit too: it is reported as that task's error
            result = Lost("".join(traceback.format_exception(error, limit=-4)))
        connection.send(result)


def _end_with_the_parent() -> None:
    """A worker whose parent was killed would wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
