"""The seconds a check has used, by the clock or by its work, by which its share of the time is measured."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from math import inf
from time import monotonic, thread_time
from types import FrameType
from typing import Any

PATIENCE = 3  # with a policy that waits a check takes at most so many times its seconds
_BUSY = 10  # on a busy machine, where others have the cores, as many times, where nobody has said how many seconds
ON_THE_WALL = True  # whether seconds that somebody gives end by the clock on the wall, whoever has the cores
PACE = 1e6  # units of work that a second is worth
SLOWEST, _LOADING = 2, 5  # times the seconds that work is worth, and seconds besides, before the clock counts
ASIDE = 1.0  # seconds for what is loaded, beside those that a check was given
CUT = "the clock cut the check short: these runs, or the waiting in them, took longer than usual"
_QUIET = 2.0  # seconds before it is told how far a check is, and between two such lines
_IMPORTS = "<frozen importlib._bootstrap>"  # the file of what imports


def until(given: float | None) -> float:
    """The seconds on the wall after which a check ends: those that somebody has given, and some for what is loaded."""
    return inf if given is None or not ON_THE_WALL else given + ASIDE


def can_be_left(frame: FrameType | None, block: FrameType | None = None) -> bool:
    """Whether a signal in this frame may end all that runs in a block by an exception.

    An import has to be waited for, because half of a module would stay behind; so has the beginning or the end of a
    `with`, because half of what it switches would stay switched (arithmetic in balls for all that comes after).
    """
    while frame is not None and frame is not block:
        if frame.f_code.co_filename == _IMPORTS or frame.f_code.co_name in ("__enter__", "__exit__"):
            return False
        frame = frame.f_back
    return True


class OutOfTime(Exception):
    """A check has taken as many times its seconds by the clock on the wall as it may."""


class Stopwatch:
    """Seconds of computing since it was made, and at least a third of those with waiting, a tenth of those on the wall.

    What a check decides should not depend on what else the machine does; a policy that waits (for another process,
    thread or device) still ends.
    """

    def __init__(self) -> None:
        self._computed, self._began, self._queued = thread_time(), monotonic(), _queued()

    def seconds(self) -> float:
        return max(self.computed(), self.wall() / PATIENCE, self.by_the_clock() / _BUSY)

    def computed(self) -> float:
        """The seconds of computing alone."""
        return thread_time() - self._computed

    def waits(self) -> bool:
        """Whether most of the time went into waiting."""
        return self.computed() < self.wall() / 2

    def by_the_clock(self) -> float:
        """The seconds on the wall."""
        return monotonic() - self._began

    def wall(self) -> float:
        """The seconds on the wall, with those in which the policy waited and without those in which others had the
        core, where the system tells them."""
        return self.by_the_clock() - (_queued() - self._queued)


class WallClock(Stopwatch):
    """The seconds on the wall, whoever had the core; where a `process` is `watched`, those do not count in which others
    had it, and this thread or the process could have run, up to a tenth of all."""

    watched: Callable[[], int] | None = None  # the number of the process

    def seconds(self) -> float:
        return self.by_the_clock()

    def by_the_clock(self) -> float:
        clock = super().by_the_clock()
        if self.watched is None:
            return clock
        pid, waits = self.watched(), self.__dict__.setdefault("_waits", {})
        waited = _queued(f"{pid}") if pid else 0.0
        first, last = waits.get(pid, (waited, waited))
        waits[pid] = first, max(last, waited)  # nothing is told of one that has ended
        others = sum(last - first for first, last in waits.values())
        return max(clock - (_queued() - self._queued) - others, clock / _BUSY)


def _queued(process: str = "thread-self") -> float:
    """The seconds for which this thread, or the first one of a process, could have run and did not get a core; 0 where
    the system does not tell."""
    try:
        with open(f"/proc/{process}/schedstat", encoding="ascii") as told:
            return int(told.read().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


class Meter:
    """The seconds that counted work is worth: a seed gives the same report on a busy machine and on an idle one.

    What simulates counts its work, in units of about a microsecond, rather too many. Where it takes longer than it is
    worth, the clock on the wall counts, without the seconds in which others had the core, and `cut` says that it did. A
    check of so many `seconds` ends in the middle of a run then (`OutOfTime`). Without a limit, work may take twice as
    long as it is worth, and some seconds for what is loaded, before the clock counts.

    Where the seconds are `given`, by whoever makes the check, all seconds on the wall count. `within` another one it is
    over when that one is.

    How far it is, and what it is `doing`, is told on stderr, on a terminal or if `progress` says so.
    """

    def __init__(
        self, seconds: float = inf, progress: bool | None = None, given: bool = False, within: Meter | None = None
    ) -> None:
        self.by_the_clock = given and ON_THE_WALL or within is not None and within.by_the_clock
        self._busy, self._within = 1 if self.by_the_clock else _BUSY, within
        self.work, self.cut, self._took = 0.0, False, 0.0
        self._running: Stopwatch | None = None
        self._since = Stopwatch()
        self._allowed, self.doing = seconds, ""
        self._telling = seconds < inf and (sys.stderr.isatty() if progress is None else progress)
        self._told = _QUIET - 1
        self._say(f"this takes at most {seconds + ASIDE:.0f} s where nothing else uses the cores")

    def count(self, units: float) -> None:
        self.work += units

    def heard(self, environment: Any, per_step: float, per_run: float) -> Any:
        """The environment, each step of which counts so many units, and so many for each of its runs."""
        heard = copy(environment)
        sum_of_rewards = heard.sum_of_rewards

        def counted(arm: Any, *given: Any, **options: Any) -> Any:
            self.count(per_step + per_run * arm.size)
            self.in_time()
            return sum_of_rewards(arm, *given, **options)

        heard.sum_of_rewards = counted
        return heard

    def in_time(self) -> None:
        """Raises OutOfTime when the seconds are over; tells every other second how far the check is."""
        if self._within is not None:
            self._within.in_time()
        clock = self._since.by_the_clock()
        if self._telling and clock > self._told + 1:
            self._told = clock
            self._say(f"{self.seconds():.0f} of {self._allowed:.0f} s: {self.doing}")
        if clock > self._allowed + ASIDE and self._late() > self._allowed:
            self.cut = True
        elif self.work <= (self._allowed + ASIDE) * PACE:
            return
        raise OutOfTime

    def _say(self, line: str) -> None:
        if self._telling:
            print(f"\r{line[:110]:110}", end="", file=sys.stderr, flush=True)

    @contextmanager
    def working(self) -> Iterator[None]:
        """The clock runs in this block alone."""
        self._running = watch = Stopwatch()
        try:
            yield
        finally:
            self._took, self._running = self._took + watch.seconds(), None

    def seconds(self) -> float:
        worth, late = self.work / PACE, self._late()
        self.cut |= late > worth
        return max(worth, late)

    def slowness(self) -> float:
        """How many times as long as they are worth things take, where the clock decides."""
        return max(1.0, self._late() / max(self.work / PACE, ASIDE)) if self.by_the_clock else 1.0

    def _late(self) -> float:
        """The seconds by the clock, as far as they count."""
        clock = self._since.by_the_clock()
        if self._allowed < inf or self.by_the_clock:
            return max(self._since.wall() - ASIDE, (clock - ASIDE) / self._busy)
        took = self._took + (self._running.seconds() if self._running else 0.0)
        waited = max((self._since.wall() - _LOADING) / PATIENCE, (clock - _LOADING) / _BUSY)
        return max((took - _LOADING) / SLOWEST, waited)
