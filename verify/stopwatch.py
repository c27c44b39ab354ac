"""The seconds a check has used, by which its share of the time is measured."""

from time import monotonic, thread_time

_PATIENCE = 10  # on a machine so busy, or with a policy that waits so much, a check takes at most so many times longer


class Stopwatch:
    """Seconds of computing since it was made, and at least a tenth of the seconds on the wall.

    What a check decides should not depend on what else the machine does; a policy that waits (for another process,
    thread or device) still ends.
    """

    def __init__(self) -> None:
        self._computed, self._wall = thread_time(), monotonic()

    def seconds(self) -> float:
        return max(thread_time() - self._computed, (monotonic() - self._wall) / _PATIENCE)
