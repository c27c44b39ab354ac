"""What the privacy check of a policy found, and how much it saw."""

from __future__ import annotations

from dataclasses import dataclass

from banditproof.theory.privacy.budget import Budget
from banditproof.theory.tables import Preformatted
from banditproof.verify.runs.alignment import changed_time
from banditproof.verify.runs.ledger import CAUSES, Violation
from banditproof.verify.runs.recorder import Rewards


@dataclass(frozen=True)
class PrivacyReport(Preformatted):
    """What recorded runs and their replays showed of a policy.

    `verdict` is "violation" if a sensor found one, "inconclusive" if too little was seen (`missing` says what), else
    "ok": nothing that was tried shows a violation. `runs` were recorded and replayed `replays` times, up to
    `longest` pulls; `releases` is the largest number in one run and `decisions` counts the batches chosen after a
    release. `spent` of `allowed` is the largest declared cost of a reward in units of `currency`. `unreached` are lines
    of the policy that never ran, `notes` what was noticed besides, `seconds` the time spent. `overruled`, `far`
    and `released_on` say how the run of a violation was recorded (`check_neighbours`).
    """

    budget: Budget
    violations: tuple[Violation, ...] = ()
    missing: tuple[str, ...] = ()
    runs: int = 0
    replays: int = 0
    longest: int = 0
    releases: int = 0
    decisions: int = 0
    spent: float = 0.0
    allowed: float = 0.0
    currency: str = ""
    unreached: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    seed: int = 0
    overruled: bool = False
    far: bool = False
    released_on: Rewards = ()
    seconds: float = 0.0

    @property
    def verdict(self) -> str:
        """ "violation", "inconclusive" or "ok"."""
        return "violation" if self.violations else "inconclusive" if self.missing else "ok"

    @property
    def ok(self) -> bool:
        """Whether nothing was found, and enough was seen."""
        return self.verdict == "ok"

    def __str__(self) -> str:
        declared = f"{self.currency} = {self.spent:.4g} of {self.allowed:.4g} declared per reward; "
        seen = (
            f"{self.runs} runs of up to {self.longest} pulls on rewards in [0, 1], {self.replays} replays, "
            f"at most {self.releases} releases in a run, {self.decisions} decisions after a release; "
            f"{declared if self.spent or not self.violations else ''}{self.seconds:.1f} s"
        )
        if self.violations:
            return f"{_told(self.violations[0], self)}\nseen: {seen}"
        head = "nothing found" if self.ok else "inconclusive: " + "; ".join(self.missing)
        return "\n".join([f"{head}\nseen: {seen}", *self.notes])


def _told(violation: Violation, report: PrivacyReport) -> str:
    """The cause first, then where, the two lists, and how to see it again."""
    where = "" if violation.release is None else f"release {violation.release} "
    lines = [f"{CAUSES[violation.cause]} ({violation.cause})", f"  {where}{violation.reason}"]
    if violation.line:
        lines.append(f"  at {violation.line}")
    if violation.rewards != violation.neighbour:
        at = changed_time(violation.rewards, violation.neighbour)
        r, s = violation.rewards[at], violation.neighbour[at]
        lines.append(f"  rewards {_shown(violation.rewards)}, in the neighbour reward {at} is {s:g} instead of {r:g}")
        if all(0 <= x <= 1 for x in violation.neighbour):
            more = "".join(f", {name}=True" for name in ("overruled", "far") if getattr(report, name))
            if report.released_on:
                same = report.released_on == violation.rewards
                more += f", released_on={'a' if same else _literal(report.released_on)}"
            lists = f"a := {_literal(violation.rewards)}, [*a[:{at}], {s!r}, *a[{at + 1}:]]"
            lines.append(
                f"  again: check_neighbours(make_policy, Budget.{report.budget}, {lists}, seed={report.seed}{more})"
            )
    return "\n".join(lines)


def _shown(rewards: Rewards) -> str:
    text = " ".join(f"{r:.4g}" for r in rewards[:60])
    return text if len(rewards) <= 60 else f"{text} ... ({len(rewards)} in all)"


def _literal(rewards: Rewards) -> str:
    """Python for a list, short where one value makes up most of it, or 0 and 1 all of it."""
    common = max(set(rewards), key=rewards.count)
    rest = {t: r for t, r in enumerate(rewards) if r != common}
    if not rest and len(rewards) > 1:
        return f"[{common!r}] * {len(rewards)}"
    if len(rewards) > 12 and len(rest) <= 6:
        others = ", ".join(f"{t}: {r!r}" for t, r in rest.items())
        return f"[{{{others}}}.get(t, {common!r}) for t in range({len(rewards)})]"
    if len(rewards) > 12 and {*rewards} == {0.0, 1.0}:
        return f"[float(c) for c in '{''.join(f'{r:g}' for r in rewards)}']"
    return repr(list(rewards))
