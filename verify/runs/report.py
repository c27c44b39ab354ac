"""What the privacy check of a policy found, and how much it saw."""

from __future__ import annotations

import tempfile
import textwrap
from dataclasses import dataclass
from hashlib import sha256
from inspect import unwrap
from os.path import basename
from pathlib import Path
from typing import Any

from banditproof.theory.privacy.budget import Budget
from banditproof.theory.tables import Preformatted, Verdict
from banditproof.verify.runs.alignment import changed_time, told_of
from banditproof.verify.runs.ledger import Violation, stretches
from banditproof.verify.runs.possible_rewards import UNIT, PossibleRewards
from banditproof.verify.runs.recorder import Rewards

WIDTH, LINES = 150, 20  # of a report
LONGEST_LIST = 500  # characters of a list of rewards in the report; a longer one is a file
REPLAY = "replay"  # the sensor that replays policies of others


@dataclass(frozen=True)
class PrivacyReport(Preformatted):
    """What recorded runs and their replays showed of a policy.

    `verdict` is "violation" if a sensor found one, "inconclusive" if too little was seen (`missing` says what), else
    "ok": nothing that was tried shows a violation. `runs` were recorded and replayed `replays` times, up to `longest`
    pulls, of which one arm had `most_pulls` at most: what happens later is not covered. Rewards were changed in the
    pulls of `compared`, each from one to another, and what followed was looked at. `releases` is the largest number
    in one run and `decisions` counts the batches chosen after a release. `spent` of `allowed` is the largest declared
    cost of a reward in units of `currency`. `unreached` are branches of the policy that never ran, `unfinished` parts
    of the check that had too little time, `notes` what was noticed besides, `seconds` the time. `seed`, `overruled`,
    `far` and `released_on` say how the run of a violation was recorded (`check_neighbours`); without one, the seed is
    that of the check. Where lists of an earlier session showed it, `kept` is their file, and nothing else was tried.
    `maker` says where the policy is made, `rewards_in` which rewards there are.
    """

    budget: Budget
    violations: tuple[Violation, ...] = ()
    missing: tuple[str, ...] = ()
    runs: int = 0
    replays: int = 0
    longest: int = 0
    compared: tuple[tuple[int, int], ...] = ()
    most_pulls: int = 0
    releases: int = 0
    decisions: int = 0
    spent: float = 0.0
    allowed: float = 0.0
    currency: str = ""
    unreached: tuple[str, ...] = ()
    unfinished: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    seed: int = 0
    overruled: bool = False
    far: bool = False
    released_on: Rewards = ()
    kept: str = ""
    maker: str = ""
    seconds: float = 0.0
    rewards_in: PossibleRewards = UNIT

    @property
    def verdict(self) -> Verdict:
        """ "violation", "inconclusive" or "ok"."""
        return Verdict("violation" if self.violations else "inconclusive" if self.missing else "ok")

    @property
    def ok(self) -> bool:
        """Whether nothing was found, and enough was seen."""
        return self.verdict == "ok"

    @property
    def power(self) -> str:
        """How far the verdict goes, in a few words: what was run, and up to where neighbours were compared."""
        last = max((last for _, last in self.compared), default=-1)
        beyond = f"; not beyond pull {last}" if last >= 0 else ""
        beyond += f"; not to the end of {', '.join(self.unfinished)}" if self.unfinished else ""
        return f"runs of {self.longest} pulls with up to {self.releases} releases{beyond}" if self.runs else ""

    def __str__(self) -> str:
        priced = not self.violations and (self.ok or self.spent > 0)  # where nothing has a price yet, 0 would be one
        declared = f"{self.currency} = {self.spent:.4g} of {self.allowed:.4g} declared per reward; " if priced else ""
        # nobody counts the pulls of an arm in a replayed policy
        of_one = f" (of one arm: {self.most_pulls})" if self.most_pulls else ""
        seen = (
            f"{self.runs} runs of up to {self.longest} pulls{of_one} on rewards in {self.rewards_in}, "
            f"{self.replays} replays, "
            f"at most {self.releases} releases in a run, {self.decisions} decisions after a release; "
            f"{declared}{self.seconds:.1f} s"
        )
        seen = f"the lists of an earlier session, in {self.kept}; nothing else was tried" if self.kept else seen
        if self.violations:
            also = "".join(f"\nalso: {v.reason}\n  at {v.line}" for v in self.violations[1:] if v.sensor == REPLAY)
            return fitted(f"{self.verdict}: {_violation_text(self.violations[0], self)}{also}\nseen: {seen}")
        changed = ", ".join(f"{first}-{last}" for first, last in self.compared)
        few = f" (one reward of pulls {changed} changes)" if len(self.compared) > 1 else ""
        last = max((last for _, last in self.compared), default=0)
        within = f"; neighbours differ up to pull {last}{few}; of later pulls nothing is known" if changed else ""
        short = " before the time was over" if self.unfinished else ""
        head = f"nothing found{short}{within}" if self.ok else "; ".join(self.missing)
        return fitted("\n".join([f"{self.verdict}: {head}", f"seen: {seen}", *self.notes]))


def _violation_text(violation: Violation, report: PrivacyReport) -> str:
    """The cause first, then where, the two lists, and how to see it again."""
    lines = told_of(violation)
    if violation.rewards != violation.neighbour:
        at = changed_time(violation.rewards, violation.neighbour)
        s = violation.neighbour[at]
        among = [] if report.rewards_in == UNIT else [f"rewards_in={report.rewards_in.literal}"]
        if violation.sensor == REPLAY:
            lines += _again(
                "check_privacy", "verify.replayed(make)", report, ", ".join([f"seed={report.seed}", *among])
            )
        elif all(x in report.rewards_in for x in violation.neighbour):
            arguments = [f"a := {_literal(violation.rewards)}", f"[*a[:{at}], {_number(s)}, *a[{at + 1}:]]"]
            arguments.append(f"seed={report.seed}")
            arguments += [f"{name}=True" for name in ("overruled", "far") if getattr(report, name)]
            if report.released_on:
                same = report.released_on == violation.rewards
                arguments.append(f"released_on={'a' if same else _literal(report.released_on)}")
            lines += _again("check_neighbours", "make_policy", report, ", ".join([*arguments, *among]))
    return "\n".join(lines)


def _again(check: str, policy: str, report: PrivacyReport, arguments: str) -> list[str]:
    """Python that shows the violation once more; of what it does not define, a comment says where it is."""
    call = f"verify.{check}({policy}, theory.Budget.{report.budget}, {arguments})"
    where = [f"    # {policy.removeprefix('verify.replayed(').rstrip(')')} is {report.maker}"] if report.maker else []
    return [f"  again: from banditproof import theory, verify; print({call})", *where]


def maker_of(make_policy: Any) -> str:
    """Where a function or class is defined that makes policies; "" where nobody knows."""
    make = unwrap(getattr(make_policy, "make", make_policy))  # of a policy that is replayed
    if isinstance(make, type):
        return f"the class {make.__qualname__} of {make.__module__}"
    code = getattr(make, "__code__", None)
    return "" if code is None else f"the function at {basename(code.co_filename)}:{code.co_firstlineno}"


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
