"""The exit statuses of all commands, in one place: docs/exit-statuses.md says what they mean for users.

They are those of an assertion in a test: only OK lets a build pass. What was not decided has a status of its own, which
neither passes nor accuses.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum


class Status(IntEnum):
    """What a command that has ended says.

    Attributes:
        OK: done, and nothing of what was asked for is against it.
        VIOLATION: what was looked at is refuted, broken, lost or differs.
        NOT_READ: the input cannot be read, or an option is wrong; nothing was looked at.
        OPEN: it was looked at and not decided, for want of time, runs or a proof, or because a check raised.
        UNEXPECTED: banditproof itself has an error.
        INTERRUPTED: somebody pressed Ctrl-C, as shells have it.
    """

    OK = 0
    VIOLATION = 1
    NOT_READ = 2
    OPEN = 3
    UNEXPECTED = 4
    INTERRUPTED = 130


PASSING = ("ok", "not refuted", "proved", "proved from named facts")
UNDECIDED = ("inconclusive", "open", "undecided")
GRAVEST = Status.VIOLATION, Status.UNEXPECTED, Status.NOT_READ, Status.OPEN


def of_verdict(verdict: str) -> Status:
    """The status of one verdict of an audit, a check of privacy or a statement; one that is not known never passes."""
    verdict = str(verdict)  # whose kind does not have all of these words
    if verdict in PASSING:
        return Status.OK
    if verdict in UNDECIDED:
        return Status.OPEN
    return Status.NOT_READ if verdict == "not read" else Status.VIOLATION


def gravest(statuses: Iterable[int]) -> Status:
    """The status of several results: what is refuted outranks what could not be read, and this what is open."""
    given = set(statuses)
    return next((one for one in GRAVEST if one in given), Status.OK)
