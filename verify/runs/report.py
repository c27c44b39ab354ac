"""What the privacy check of a policy found, and how much it saw."""

from __future__ import annotations

import tempfile
import textwrap
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from banditproof.theory.privacy.budget import Budget
from banditproof.theory.tables import Preformatted
from banditproof.verify.runs.alignment import changed_time
from banditproof.verify.runs.ledger import CAUSES, Violation, shown, stretches
from banditproof.verify.runs.recorder import Rewards

WIDTH, LINES = 150, 20  # of a report
LONGEST_LIST = 500  # characters of a list of rewards in the report; a longer one is a file
UNKNOWN = "line unknown"
REPLAY = "replay"  # the sensor that replays policies of others


@dataclass(frozen=True)
class PrivacyReport(Preformatted):
    """What recorded runs and their replays showed of a policy.

    `verdict` is "violation" if a sensor found one, "inconclusive" if too little was seen (`missing` says what), else
    "ok": nothing that was tried shows a violation. `runs` were recorded and replayed `replays` times, up to `longest`
    pulls, of which one arm had `most_pulls` at most: what happens later is not covered. `releases` is the largest
    number in one run and `decisions` counts the batches chosen after a release. `spent` of `allowed` is the largest
    declared cost of a reward in units of `currency`. `unreached` are branches of the policy that never ran, `notes`
    what was noticed besides, `seconds` the time. `seed`, `overruled`, `far` and `released_on` say how the run of a
    violation was recorded (`check_neighbours`); without one, the seed is that of the check. Where lists of an earlier
    session showed it, `kept` is their file, and nothing else was tried.
    """

    budget: Budget
    violations: tuple[Violation, ...] = ()
    missing: tuple[str, ...] = ()
    runs: int = 0
    replays: int = 0
    longest: int = 0
    most_pulls: int = 0
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
    kept: str = ""
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
            f"{self.runs} runs of up to {self.longest} pulls (one arm: {self.most_pulls}) on rewards in [0, 1], "
            f"{self.replays} replays, "
            f"at most {self.releases} releases in a run, {self.decisions} decisions after a release; "
            f"{'' if self.violations else declared}{self.seconds:.1f} s"
        )
        seen = f"the lists of an earlier session, in {self.kept}; nothing else was tried" if self.kept else seen
        if self.violations:
            also = "".join(f"\nalso: {v.reason}\n  at {v.line}" for v in self.violations[1:] if v.sensor == REPLAY)
            return fitted(f"{_violation_text(self.violations[0], self)}{also}\nseen: {seen}")
        head = "nothing found" if self.ok else "inconclusive: " + "; ".join(self.missing)
        return fitted("\n".join([head, f"seen: {seen}", *self.notes]))


def _violation_text(violation: Violation, report: PrivacyReport) -> str:
    """The cause first, then where, the two lists, and how to see it again."""
    where = "" if violation.release is None else f"release {violation.release} "
    lines = [f"{CAUSES[violation.cause]} ({violation.cause})", f"  {where}{violation.reason}"]
    if violation.line:
        lines.append(f"  {'' if violation.line.startswith(UNKNOWN) else 'at '}{violation.line}")
    if violation.rewards != violation.neighbour:
        at = changed_time(violation.rewards, violation.neighbour)
        r, s = violation.rewards[at], violation.neighbour[at]
        lines.append(
            f"  rewards {shown(violation.rewards)}; in the neighbour reward {at} is {s:.4g} instead of {r:.4g}"
        )
        if violation.sensor == REPLAY:
            lines.append(f"  again: check_privacy(replayed(make), Budget.{report.budget}, seed={report.seed})")
        elif all(0 <= x <= 1 for x in violation.neighbour):
            arguments = [f"a := {_literal(violation.rewards)}", f"[*a[:{at}], {_number(s)}, *a[{at + 1}:]]"]
            arguments.append(f"seed={report.seed}")
            arguments += [f"{name}=True" for name in ("overruled", "far") if getattr(report, name)]
            if report.released_on:
                same = report.released_on == violation.rewards
                arguments.append(f"released_on={'a' if same else _literal(report.released_on)}")
            lines.append(f"  again: check_neighbours(make_policy, Budget.{report.budget}, {', '.join(arguments)})")
    return "\n".join(lines)


def fitted(text: str) -> str:
    """The text in at most `LINES` lines of at most `WIDTH` characters, but for words that are longer."""
    lines = [part for line in text.splitlines() for part in _wrapped(line)]
    return "\n".join(
        lines if len(lines) <= LINES else [*lines[: LINES - 1], f"... and {len(lines) - LINES + 1} lines more"]
    )


def _wrapped(line: str) -> list[str]:
    indent = " " * (len(line) - len(line.lstrip()) + 4)
    options = {"subsequent_indent": indent, "break_long_words": False, "break_on_hyphens": False}
    return textwrap.wrap(line, WIDTH, drop_whitespace=True, **options) if len(line) > WIDTH else [line]


def _literal(rewards: Rewards) -> str:
    """Python for a list: short where values come in a row, else a file that is written."""
    pieces: list[str] = []
    single: list[str] = []
    for reward, length in stretches(rewards):
        if length > 3:
            pieces += [f"[{', '.join(single)}]"] if single else []
            pieces.append(f"[{_number(reward)}] * {length}")
            single = []
        else:
            single += [_number(reward)] * length
    text = " + ".join([*pieces, f"[{', '.join(single)}]"] if single else pieces)
    return text if len(text) <= LONGEST_LIST else f"[float(x) for x in open({_written(rewards)!r})]"


def _number(reward: float) -> str:
    return f"{reward:g}" if reward in (0, 1) else repr(reward)


def _written(rewards: Rewards) -> str:
    """The file of a list of rewards, one in a line."""
    text = "\n".join(map(_number, rewards))
    path = Path(tempfile.gettempdir()) / f"banditproof-{sha256(text.encode()).hexdigest()[:12]}.txt"
    path.write_text(text)
    return str(path)
