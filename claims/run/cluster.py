"""Work on an existing Dask cluster (extra `dask`), with the numbers that this machine would find.

Whoever works for a run has to have the same installation, which is compared before anything starts. Checks run in
processes beside those of the cluster, as they do here: one that is killed or does not end costs itself only, and the
number of threads of a worker changes nothing. Files stay on this machine.
"""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from queue import Empty, Queue
from tempfile import TemporaryDirectory
from typing import Any

from banditproof.claims.fingerprint import PROJECT, installation
from banditproof.claims.run.pool import Lost, Pool, Work
from banditproof.theory.errors import InvalidInput

TO_ANSWER, WITHOUT_WORKERS = 5.0, 60.0  # seconds: of a scheduler; that a cluster may be without workers


class Cluster:
    """A connected cluster and the pieces of work that it has."""

    def __init__(self, address: str, client: Any) -> None:
        self.address, self.client = address, client
        self.pieces: dict[Any, Hashable] = {}
        self.done: Queue[Any] = Queue()

    def bench(
        self, start: Callable[..., Work], modules: Iterable[Path], arguments: tuple[Any, ...], limit: float
    ) -> Any:
        """A ``Bench`` for every worker that gets work with it."""
        texts = {module.name: module.read_bytes() for module in modules}
        return self.client.submit(Bench, start, texts, arguments, limit, pure=False)

    def submit(self, name: Hashable, function: Callable[..., Any], *arguments: Any) -> None:
        future = self.client.submit(function, *arguments, pure=False)
        self.pieces[future] = name
        future.add_done_callback(self.done.put)

    def next(self) -> tuple[Any, Any]:
        """The name and the result, or a ``Lost``, of a piece that is done. Raises InvalidInput if none will be."""
        while True:
            future = self._first_done()
            if future.status == "cancelled":
                raise self._gone("the connection was lost")
            if future.status == "error":
                return self.pieces.pop(future), Lost(f"was lost: {future.exception()}")
            with suppress(TimeoutError, CancelledError):  # the worker that holds the result may go before it is fetched
                if future.status == "finished":
                    result = future.result(timeout=WITHOUT_WORKERS)
                    return self.pieces.pop(future), result
            future.add_done_callback(self.done.put)  # it is done again elsewhere

    def _first_done(self) -> Any:
        """The next piece that is done, or done for; raises InvalidInput after a while without workers."""
        alone = 0.0  # seconds
        while True:
            try:
                return self.done.get(timeout=TO_ANSWER)
            except Empty:
                alone = 0.0 if self.client.status == "running" and self.client.nthreads() else alone + TO_ANSWER
            if alone == TO_ANSWER:
                said = f"no worker left at {self.address}, waiting {WITHOUT_WORKERS:g} s for one"
                print(said, file=sys.stderr, flush=True)
            if alone >= WITHOUT_WORKERS:
                raise self._gone(f"none was left for {WITHOUT_WORKERS:g} s")

    def _gone(self, why: str) -> InvalidInput:
        return InvalidInput("scheduler", self.address, f"a cluster whose workers stay until all is done ({why})")

    def map(self, function: Callable[[Any], Any], arguments: Iterable[Any]) -> Iterator[Any]:
        """The results in the order of the arguments; what a call raises is raised here."""
        count = 0
        for count, argument in enumerate(arguments, start=1):
            self.submit(count, _alone, function, argument)
        results: dict[int, Any] = {}
        for place in range(1, count + 1):
            while place not in results:
                name, results[name] = self.next()
            result = results.pop(place)
            if isinstance(result, Lost):
                raise self._gone(f"piece {place} {result.reason}")
            if isinstance(result, Exception):
                raise result
            yield result


_TURN = threading.Lock()


def _alone(function: Callable[[Any], Any], argument: Any) -> Any:
    """The result or what was raised; one at a time in a process, to all of which the precision of balls is common."""
    with _TURN:
        try:
            return function(argument)
        except Exception as error:  # raised again where the map is read
            return error


class Bench:
    """What a worker of the cluster has for a run: files, and processes that each do one piece after another.

    It goes with the last future that holds it, also where whoever asked for the run was killed.
    """

    def __init__(
        self, start: Callable[..., Work], modules: Mapping[str, bytes], arguments: tuple[Any, ...], limit: float
    ) -> None:
        self.given = start, modules, arguments, limit
        self.folder = TemporaryDirectory(prefix=f"{PROJECT}-", ignore_cleanup_errors=True)
        self.idle: list[Pool] = []
        paths = [Path(self.folder.name) / name for name in modules]
        for path, content in zip(paths, modules.values(), strict=True):
            path.write_bytes(content)
        self.arguments = paths, Path(self.folder.name), *arguments

    def __reduce__(self) -> Any:
        return Bench, self.given

    def __del__(self) -> None:
        for pool in self.idle:
            pool.close()

    def do(self, piece: Any) -> Any:
        start, _, _, limit = self.given
        pool = self.idle.pop() if self.idle else Pool(start, self.arguments, 1, limit)
        outcome = pool.do(piece)
        self.idle.append(pool)
        return outcome


@contextmanager
def connected(address: str) -> Iterator[Cluster]:
    """The cluster of the scheduler at an address; InvalidInput unless it answers and its workers can do the work."""
    if find_spec("distributed") is None:
        raise InvalidInput("scheduler", address, "left out without Dask: pip install 'banditproof[dask]'")
    from distributed import Client
    from distributed.comm.addressing import get_address_host_port

    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # tracebacks of what is raised below in a line
    try:
        get_address_host_port(address)  # of no address a client would be left over that does not close
        client = Client(address, timeout=TO_ANSWER, set_as_default=False)
    except (OSError, ValueError, RuntimeError) as error:
        allowed = f"the address of a Dask scheduler that answers, such as HOST:8786 ({error})"
        raise InvalidInput("scheduler", address, allowed) from None
    with client:
        _same_installation(address, client)
        yield Cluster(address, client)


def _same_installation(address: str, client: Any) -> None:
    if not client.nthreads():
        raise InvalidInput("scheduler", address, "the address of a cluster that has a worker")
    for worker, version in client.run(metadata.version, PROJECT, on_error="return").items():
        if isinstance(version, Exception):
            allowed = f"the address of a cluster with {PROJECT} {metadata.version(PROJECT)} on every worker"
            raise InvalidInput("scheduler", address, f"{allowed} (none on {worker})")
    here = installation()
    for worker, there in client.run(installation, on_error="return").items():
        if isinstance(there, Exception):
            other = [f"{type(there).__name__}: {there}"]
        else:
            other = [f"{name} {there.get(name)}, here {here[name]}" for name in here if there.get(name) != here[name]]
        if other:
            allowed = "the address of a cluster with the same installation on every worker"
            raise InvalidInput("scheduler", address, f"{allowed} ({worker}: {'; '.join(other[:3])})")
