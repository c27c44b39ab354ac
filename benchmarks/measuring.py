"""What a benchmark is: a function of a size that returns two ways to the same result, ours and a named baseline's.

Benchmarks register themselves with ``@benchmark``; a run measures the median of repeated calls of ours at every size
and of the baseline at the sizes where it has one, and the peak memory of the process after ours. Checks are measured
likewise with ``@alarms``: how often they accuse what is sound (or miss what is not), beside the error they state.
"""

from __future__ import annotations

import re
import resource
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from math import log
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

ALONE = "nothing: its growth and memory are what counts"
LEAST, MOST = 0.3, 5  # seconds that repeated calls take at least, and calls at most


@dataclass(frozen=True)
class Pair:
    """Ours and the baseline, as calls; `scale` is how many times the baseline's work ours does."""

    ours: Callable[[], Any]
    baseline: Callable[[], Any] | None = None
    scale: float = 1.0


@dataclass(frozen=True)
class Benchmark:
    """A registered benchmark of speed: `unit` says what `sizes` count, `measured` gives the pair."""

    name: str
    baseline: str
    unit: str
    sizes: tuple[int, ...]
    measured: Callable[[int], Pair]


@dataclass(frozen=True)
class Alarms:
    """A registered benchmark of errors: `measured` yields (case, wrong, tried) when given the number of seeds."""

    name: str
    baseline: str
    seeds: int
    measured: Callable[[int], Iterator[tuple[str, int, int]]]


@dataclass(frozen=True)
class Row:
    """One measured line; `seconds` of ours, `baseline` of the other way for as much work, `peak` memory in MiB."""

    name: str
    case: str
    size: int
    seconds: float
    baseline: float | None = None
    peak: float | None = None
    wrong: int | None = None

    @property
    def ratio(self) -> float | None:
        return None if self.baseline is None else self.baseline / self.seconds

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"ratio": self.ratio}


KNOWN: dict[str, Benchmark | Alarms] = {}


def benchmark(name: str, *, baseline: str, unit: str, sizes: Sequence[int]) -> Callable[..., Any]:
    """Register a function of a size that returns a `Pair`."""

    def register(pair: Callable[[int], Pair]) -> Callable[[int], Pair]:
        KNOWN[name] = Benchmark(name, baseline, unit, tuple(sizes), pair)
        return pair

    return register


def alarms(name: str, *, baseline: str, seeds: int) -> Callable[..., Any]:
    """Register a function of a number of seeds that yields (case, wrong, tried)."""

    def register(cases: Callable[[int], Iterator[tuple[str, int, int]]]) -> Callable[..., Any]:
        KNOWN[name] = Alarms(name, baseline, seeds, cases)
        return cases

    return register


def measure(one: Benchmark | Alarms, longer: int) -> Iterator[Row]:
    """The rows of a benchmark as they are measured; `longer` multiplies the seeds."""
    if isinstance(one, Alarms):
        start = perf_counter()
        for case, wrong, tried in one.measured(one.seeds * longer):
            yield Row(one.name, case, tried, perf_counter() - start, wrong=wrong, peak=peak())
            start = perf_counter()
        return
    one.measured(one.sizes[0]).ours()  # imports, compilation, and what libraries do once
    pairs = [one.measured(size) for size in one.sizes]
    ours = [(median_seconds(pair.ours), peak()) for pair in pairs]  # all of ours first: memory only grows
    if pairs[0].baseline is not None:
        pairs[0].baseline()  # may have to be compiled
    for size, pair, (seconds, reached) in zip(one.sizes, pairs, ours, strict=True):
        other = None if pair.baseline is None else median_seconds(pair.baseline) * pair.scale
        yield Row(one.name, f"{size:,} {one.unit}", size, seconds, other, reached)


def median_seconds(call: Callable[[], Any]) -> float:
    """The median of a few calls; of a single one where that takes long."""
    taken: list[float] = []
    while not taken or (sum(taken) < LEAST and len(taken) < MOST):
        start = perf_counter()
        call()
        taken.append(perf_counter() - start)
    return median(taken)


def peak() -> float:
    """MiB that the process, or one that it started, has held at most so far; where the system tells, without what its
    parent held before."""
    status = Path("/proc/self/status")
    if status.is_file():
        own = int(re.findall(r"VmHWM:\s*(\d+) kB", status.read_text())[0]) / 2**10
    else:
        own = _most_of(resource.RUSAGE_SELF)
    return max(own, _most_of(resource.RUSAGE_CHILDREN))


def _most_of(whom: int) -> float:
    return resource.getrusage(whom).ru_maxrss / 2 ** (20 if sys.platform == "darwin" else 10)


def growth(rows: Sequence[Row]) -> float | None:
    """The power of the size that the seconds grow with, between the two largest sizes."""
    if len(rows) < 2:
        return None
    first, last = rows[-2:]
    return log(last.seconds / first.seconds) / log(last.size / first.size)


def write_between(page: Path, begin: str, end: str, text: str) -> None:
    """Put a text between two marks of a page."""
    before, rest = page.read_text().split(begin)
    page.write_text(f"{before}{begin}\n\n{text}\n\n{end}{rest.split(end)[1]}")
