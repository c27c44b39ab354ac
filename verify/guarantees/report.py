"""What a statistical check found: one type for regret, identification and concentration."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import ceil, inf, nan
from typing import Any

from banditproof.theory.tables import Preformatted

OK, VIOLATION, INCONCLUSIVE = "ok", "violation", "inconclusive"
SEEN = 0.9
"""The probability with which a report says what would have been seen."""


@dataclass(frozen=True)
class StatisticalReport(Preformatted):
    """What `runs` independent runs say of a statement "the expectation of a quantity is at most `bound`".

    `verdict` is one of

    - "violation": the evidence against the statement reached 1 / `error`. If the statement is true, that happens with
      probability at most `error`, however long runs were added.
    - "ok": the evidence that the expectation is below the bound reached 1 / `missed`. If the expectation is at least
      the bound, that happens with probability at most `missed`.
    - "inconclusive": the time was over before either.

    `tested` is the statement, `cause` the reason for the verdict; `mean` and `largest` are of the runs, the quantity
    lies in [0, `most`]. `would_see_any` is the expectation that as many runs reveal with probability at least `SEEN`,
    for every law on [0, `most`]; `would_see` the same if the quantity varies as in these runs but for its scale (inf:
    none). The runs exclude an expectation of `excluded` or more, with error `missed`; that is what an inconclusive test
    still shows. `undecided` runs had no outcome. `would_take` are the seconds in which an inconclusive test would be
    settled, judged by the runs there were (inf: unknown). `horizon` is the number of pulls of the longest runs, 0 where
    they are not limited. A report on several statements has `parts`, and the numbers
    of its closest call; `notes` say what was not tested and what was taken on trust. `again` is Python that makes the
    same check once more, and is shown unless the verdict is "ok".
    """

    verdict: str
    tested: str
    cause: str
    error: float
    missed: float
    runs: int = 0
    seconds: float = 0.0
    bound: float = nan
    most: float = nan
    mean: float = nan
    largest: float = nan
    would_see: float = inf
    would_see_any: float = inf
    undecided: int = 0
    would_take: float = 0.0
    excluded: float = inf
    horizon: int = 0
    parts: tuple[StatisticalReport, ...] = ()
    notes: tuple[str, ...] = ()
    again: str = ""

    @property
    def ok(self) -> bool:
        """Whether the statement is supported; neither a violation nor an open question is."""
        return self.verdict == OK

    @property
    def seen(self) -> float:
        """The least expectation that would have been seen, whichever way it is counted."""
        return min(self.would_see, self.would_see_any)

    @property
    def closest(self) -> StatisticalReport:
        """The part whose mean is largest beside its bound."""
        return max(self.parts, key=lambda part: part.mean / part.bound if part.bound else inf, default=self)

    def __repr__(self) -> str:
        """The text: pytest shows the repr of what stands beside a failed assertion."""
        return str(self)

    def __str__(self) -> str:
        if self.parts or not self.runs:
            return "\n  ".join([f"{self.verdict}: {self.cause}", f"tested: {self.tested}", *self._about_parts()])
        undecided = f", {self.undecided} of them undecided" if self.undecided else ""
        lines = [
            f"{self.verdict}: {self.cause}",
            f"tested: {self.tested}",
            f"{self.runs} runs in {self.seconds:.1f} s of computing{undecided}: mean {self.mean:.4g}, "
            f"largest {self.largest:.4g}; bound {self.bound:.4g}, largest possible {self.most:.4g}",
            f"error probabilities: {self.error:.1g} for a false alarm, {self.missed:.1g} for passing a broken bound",
        ]
        if self.verdict != VIOLATION:
            alike = f"; {_from(self.would_see)}, if the variance is as observed" if self.would_see < inf else ""
            detected = f"{_from(self.would_see_any)} would have been detected with probability >= {SEEN}"
            lines.insert(-1, f"power: {detected}, for any distribution{alike}")
        return "\n  ".join([*lines, *self._ending()])

    def _about_parts(self) -> list[str]:
        lines = [
            f"{part.verdict}: {part.tested}, {part.runs} runs, mean {part.mean:.4g}"
            + (f"; {part.excluded:.3g} or more is excluded" if part.excluded < part.most else "") * (not part.ok)
            for part in self.parts
            if self.ok or not part.ok
        ]
        if held := 0 if self.ok else sum(part.ok for part in self.parts):
            lines.append(f"ok: {held} other test{'s' * (held != 1)}")
        if self.parts and self.verdict != VIOLATION:
            worst = self.closest
            lines.append(
                f"closest call: mean {worst.mean:.4g} against {worst.bound:.4g} ({worst.tested}); "
                f"{_from(worst.seen)} would have been detected with probability >= {SEEN}"
            )
        alarm = f"probability of a false alarm at most {self.error:.1g}"
        lines.append(f"{self.runs} runs in {self.seconds:.1f} s of computing; {alarm}")
        return [*lines, *self._ending()]

    def _ending(self) -> list[str]:
        return [*self.notes, *([f"again: {self.again}"] if self.again and not self.ok else [])]


def seconds_enough(seconds: float, parts: Iterable[StatisticalReport]) -> tuple[str, ...]:
    """A note on how many seconds would settle the parts that are open, judged by their runs; none where nobody knows.

    A part was given no more than all of the `seconds`.
    """
    times = [part.would_take for part in parts if part.verdict == INCONCLUSIVE]
    enough = seconds + sum(times)
    return (f"about seconds={ceil(enough)} would be enough",) if times and enough < inf else ()


def call_of(check: str, *given: str, **options: Any) -> str:
    """Python for a check; `given` are written as they are, other arguments by their value where that can be read."""
    named = (f"{name}={value!r}" for name, value in options.items())
    return f"from banditproof import algorithms, theory, verify; print(verify.{check}({', '.join((*given, *named))}))"


def written(environment: Any) -> str:
    """Python for an environment where it is known, else the name of the parameter."""
    from banditproof.algorithms.environment import BernoulliBandit

    known = type(environment) is BernoulliBandit
    return f"algorithms.BernoulliBandit({environment.means.tolist()})" if known else "environment"


def combined(
    tested: str,
    parts: list[StatisticalReport],
    error: float,
    seconds: float,
    missing: str | None = None,
    notes: tuple[str, ...] = (),
    longest: int = 0,
) -> StatisticalReport:
    """One report on several: a violation if one is; ok if all are and nothing is `missing`, which says what.

    `longest` are the pulls of the longest runs, where those are of no part.
    """
    broken = [part for part in parts if part.verdict == VIOLATION]
    open_ = [part for part in parts if part.verdict == INCONCLUSIVE]
    if broken:
        verdict, cause = VIOLATION, broken[0].cause + f" [{broken[0].tested}]"
    elif open_:
        verdict = INCONCLUSIVE
        cause = f"{len(open_)} of {len(parts)} tests {'is' if len(open_) == 1 else 'are'} undecided: {open_[0].cause}"
        cause += f" [{open_[0].tested}]"
    elif missing or not parts:
        verdict, cause = INCONCLUSIVE, missing or "there was nothing to test"
    else:
        verdict, cause = OK, f"all {len(parts)} tests hold"
    missed = max((part.missed for part in parts), default=1.0)
    horizon = max([longest, *(part.horizon for part in parts)])
    if horizon and verdict != VIOLATION:
        cause += f"; no run was longer than {horizon:,} pulls"
    runs, undecided = sum(part.runs for part in parts), sum(part.undecided for part in parts)
    report = StatisticalReport(verdict, tested, cause, error, missed, runs, seconds, parts=tuple(parts), notes=notes)
    if not parts:
        return report
    worst = report.closest
    names = ("bound", "most", "mean", "largest", "would_see", "would_see_any")
    excluded = max(part.excluded for part in parts)
    return replace(
        report,
        undecided=undecided,
        excluded=excluded,
        horizon=horizon,
        **{name: getattr(worst, name) for name in names},
    )


def _from(value: float) -> str:
    return "no expectation" if value == inf else f"an expectation of {value:.4g} or more"
