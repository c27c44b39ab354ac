"""The seconds a check has used, by the clock or by its work, by which its share of the time is measured."""

from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from time import monotonic, thread_time
from typing import Any

_PATIENCE = 10  # on a machine so busy, or with a policy that waits so much, a check takes at most so many times longer
_PACE = 1e6  # units of work that a second is worth
_SLOWEST, _LOADING = 2, 5  # times the seconds that work is worth, and seconds besides, before the clock counts
CUT = "the clock cut the check short: these runs took more than twice as long as usual"


class Stopwatch:
    """Seconds of computing since it was made, and at least a tenth of the seconds on the wall.

    What a check decides should not depend on what else the machine does; a policy that waits (for another process,
    thread or device) still ends.
    """

    def __init__(self) -> None:
        self._computed, self._wall = thread_time(), monotonic()

    def seconds(self) -> float:
        return max(thread_time() - self._computed, (monotonic() - self._wall) / _PATIENCE)


class Meter:
    """The seconds that counted work is worth: a seed gives the same report on a busy machine and on an idle one.

    What simulates counts its work, in units of about a microsecond. Only where the work takes more than twice as long
    as it is worth, and some seconds for what is loaded, the clock counts, and `cut` says that it did.
    """

    def __init__(self) -> None:
        self.work, self.cut, self._took = 0.0, False, 0.0
        self._running: Stopwatch | None = None

    def count(self, units: float) -> None:
        self.work += units

    def heard(self, environment: Any, per_step: float, per_run: float) -> Any:
        """The environment, each step of which counts so many units, and so many for each of its runs."""
        heard = copy(environment)
        sum_of_rewards = heard.sum_of_rewards

        def counted(arm: Any, *given: Any, **options: Any) -> Any:
            self.count(per_step + per_run * arm.size)
            return sum_of_rewards(arm, *given, **options)

        heard.sum_of_rewards = counted
        return heard

    @contextmanager
    def working(self) -> Iterator[None]:
        """The clock runs in this block alone."""
        self._running = watch = Stopwatch()
        try:
            yield
        finally:
            self._took, self._running = self._took + watch.seconds(), None

    def seconds(self) -> float:
        took = self._took + (self._running.seconds() if self._running else 0.0)
        worth, late = self.work / _PACE, (took - _LOADING) / _SLOWEST
        self.cut |= late > worth
        return max(worth, late)
