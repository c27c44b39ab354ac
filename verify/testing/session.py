"""How the statistical assertions of a test session share one probability of a false alarm.

The session's error is divided equally among the tests that are selected; of a test's part the j-th assertion it makes
gets 1 / (j (j + 1)), which sums to 1 however many there will be. A share is fixed by (tests selected, test, j) before
any data is seen, and the union bound makes the session's error what was asked for. Why so:

- Nobody knows at the start which tests will assert something statistical. Marks can be forgotten, and then the promise
  breaks silently; all selected tests are known. A share among n tests asks for log(n) more evidence, which is little.
- A sequence over the whole session (1 / k^2 for its k-th assertion) makes verdicts depend on the order of tests and on
  which worker of pytest-xdist ran them, and leaves late tests next to nothing.
- All workers select the same tests and a test runs on one of them, so their shares are disjoint. Only with
  `--dist each` does every worker run every test: then each worker gets its part of a test's part (`copies`).
- A test that is run again goes on with j, so that repeating it until it passes costs what it should.
- A smaller selection (-k, a single file) only makes shares larger: on the same runs a test that failed fails again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from banditproof.theory.errors import InvalidInput
from banditproof.verify.testing.kept import kept_at, tried_first


@dataclass(frozen=True)
class Line:
    """One assertion of a session: its test, verdict, share of the error (0: needs none), power, and seconds taken.

    If it fails, `shown` says what, at which file and line: those of the assertion, and those that a violation names.
    """

    test: str
    assertion: str
    verdict: str
    error: float
    power: str
    seconds: float
    shown: Sequence[tuple[str, str, int]] = ()

    def __str__(self) -> str:
        error = f"error {self.error:.2g}" if self.error else "no statistical error"
        parts = (f"{self.assertion}: {self.verdict}", error, self.power, f"{self.seconds:.1f} s")
        return f"{self.test}  {'; '.join(filter(None, parts))}"


class Session:
    """The error budget of one process of a test session and the lines of its assertions that are not yet reported.

    `tests` are selected; `copies` processes run each of them. `test` is the one that is running. In `folder`
    counterexamples are kept.
    """

    def __init__(self, error: Fraction, copies: int = 1, folder: Path | None = None) -> None:
        self.error, self.copies, self.folder = error, copies, folder
        self.tests = 1
        self.test: str | None = None
        self.lines: list[Line] = []
        self._assertions: Counter[str] = Counter()
        self._searched: Counter[str] = Counter()

    def share(self) -> Fraction:
        """The error of the next assertion of the running test. Raises InvalidInput where none is running."""
        if self.test is None:
            raise InvalidInput(
                "assertion", "outside of tests", "used in a test or a fixture, because only tests share the error"
            )
        self._assertions[self.test] += 1
        j = self._assertions[self.test]
        return self.error / (self.tests * self.copies * j * (j + 1))

    def kept(self) -> Path | None:
        """The file of the counterexample of the next search of the running test; None where there is no place."""
        if self.test is None or self.folder is None:
            return None
        self._searched[self.test] += 1
        return kept_at(self.folder, self.test, self._searched[self.test])


SESSIONS: list[Session] = []
"""The pytest sessions of this process, the running one last; empty outside of pytest."""


def share_of_error(error: Fraction | float | str | None = None) -> Fraction:
    """The error an assertion may use: `error` if given, its share in a session, and 1e-6 outside of pytest."""
    if error is not None:
        return probability("error", error)
    from banditproof.verify.proof.statistics import REPORT_ERROR

    return SESSIONS[-1].share() if SESSIONS else REPORT_ERROR


def with_kept(make_policy: Any, budget: Any, rewards_in: Any, check: Callable[[], Any]) -> Callable[[], Any]:
    """A search for a violation that tries first what the one of an earlier session found; in a session only."""
    session = SESSIONS[-1] if SESSIONS else None
    place = session.kept() if session else None
    if session is None or place is None:
        return check
    return partial(tried_first, place, session.test or "", make_policy, budget, rewards_in, check)


def note(
    assertion: str,
    verdict: str,
    error: Fraction | None,
    power: str,
    seconds: float,
    shown: Sequence[tuple[str, str, int]] = (),
) -> None:
    """Put an assertion on the list that the session ends with, if there is one."""
    if SESSIONS:
        session = SESSIONS[-1]
        said = str(verdict)  # a plain text, which pytest-xdist can send
        session.lines.append(Line(session.test or "", assertion, said, float(error or 0), power, seconds, shown))


def probability(name: str, value: Fraction | float | str) -> Fraction:
    """The number strictly between 0 and 1 that was given. Raises InvalidInput."""
    try:
        number = Fraction(value)
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        raise InvalidInput(name, value, "a number in (0, 1)") from None
    if not 0 < number < 1:
        raise InvalidInput(name, value, "a number in (0, 1)")
    return number
