"""What is told of a violation: the shortest and plainest lists that show it, its cause, and the line to blame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from banditproof.theory.privacy.budget import Budget
from banditproof.verify.own_code import is_ours
from banditproof.verify.runs.alignment import UNKNOWN, align, changed_time, reward_list, same_behaviour, times_to_change
from banditproof.verify.runs.journal import Journal, first_difference
from banditproof.verify.runs.ledger import Violation
from banditproof.verify.runs.makers import ASKED, Makers
from banditproof.verify.runs.player import PACE, Player, Take
from banditproof.verify.runs.recorder import Rewards, far_neighbour, other_draws
from banditproof.verify.source_lines import located
from banditproof.verify.stopwatch import Stopwatch

FOREIGN = r"default_rng|RandomState|np\.random\.(?!Generator)|(?<!np\.)\brandom\.|urandom|\bhash\(|secrets\.|uuid"
CLOCK = r"\btime\.(?!sleep)"  # what a clock says may decide what a policy does
OF_THE_CLOCK = (  # and looks like noise where it is computed with, not where it tells how long something took
    r"\btime\.\w+\(\)\s*(?:[%*^&|]|//)|"
    r"\b(?:\w*[Ss]eed\w*|int|hash|str|sin|\w*[Rr]andom\w*|\w*[Gg]enerator)\([^#]*\btime\.(?!sleep)\w+\("
)
CURE = " (replayed(make) of banditproof.verify follows noise that a policy draws by itself)"
BY_HAND = r"\b(generator|rng)\.(laplace|normal|standard_normal|exponential|gumbel|logistic|geometric|uniform)\b"
BEGINNING = 100  # pulls of a run in which what draws noise by hand is looked for
TRIALS, DROPPING = 400, 150  # runs that shrinking may take, and each time that rewards are left out
SHORTENING = 0.5  # seconds that it may take in any case
SEEDS, APART = 6, 48  # with which a run is tried to show again what a replay has shown, and how far they are apart

Lists = tuple[Rewards, Rewards, Rewards]
"""Rewards, a neighbour, and the rewards on which the released values came about."""


class Teller:
    """Tells of violations of `budget` that were found by the runs of a player."""

    def __init__(self, player: Player, budget: Budget) -> None:
        self.player, self.budget = player, budget

    def told(self, violation: Violation, take: Take) -> tuple[Violation, Take]:
        """The violation as it is told, and the run that shows it so; `take` is the run by which it was found."""
        if violation.rewards != violation.neighbour:
            violation, take = Shrinking(self.player, self.budget, violation, take).plainest()
        return self.explained(violation, take), take

    def explained(self, violation: Violation, take: Take) -> Violation:
        """The violation with its cause and the lines to blame, both from the runs on its own lists alone."""
        violation = self._with_lines(violation, take)
        return replace(violation, line=self._with_maker(violation, take))

    def _with_maker(self, violation: Violation, take: Take) -> str:
        """The line to blame; one of this library comes with the line that made the policy and chose what it does."""
        k, maker = violation.release, self.player.maker
        if k is None or not violation.line or k >= len(take.run.releases) or maker is None:
            return violation.line
        ours = is_ours(take.run.releases[k].place[0]) and not is_ours(maker[0])
        return f"{violation.line}\n  from {located(*maker)}" if ours else violation.line

    def _with_lines(self, violation: Violation, take: Take) -> Violation:
        if violation.sensor == "control" and not violation.line:
            line, journal = self.blamed(take, violation.rewards, violation.neighbour)
            # coins from outside may fall alike while the lines are written down: then a line that draws is blamed
            return replace(violation, line=line or journal.mentions(f"{FOREIGN}|{CLOCK}"))
        if violation.rewards == violation.neighbour:
            return violation
        if violation.cause == "raw rewards":
            line, journal = self.blamed(take, violation.rewards, violation.neighbour)
            near = f"{UNKNOWN}, near {violation.line}" if violation.line else UNKNOWN
            return replace(self._with_cause(violation, take, journal), line=line or near)
        if violation.cause == "declaration":  # a release may be missing, or declare something else
            line, _ = self.blamed(take, violation.rewards, violation.neighbour, answers=False)
            if line:
                return replace(violation, line=line)
        if violation.cause in ASKED and violation.release is not None:
            return replace(violation, line=self._with_arguments(violation, violation.release, take) or UNKNOWN)
        return violation

    def _with_arguments(self, violation: Violation, release: int, take: Take) -> str:
        """The line of a release, and those that made the arguments of it that the cause is about."""
        journal = Journal(self.player.own, like=Journal())  # without variables
        with journal.writing():
            run = self.player.replay(take, violation.rewards)
        if not violation.line or release >= len(run.releases):
            return violation.line
        besides: list[int] = []
        if violation.cause == "budget":  # what is spent besides
            pairs = enumerate(zip(run.releases, self.player.replay(take, violation.neighbour).releases, strict=False))
            besides = [k for k, (a, b) in pairs if k != release and a.shift_to(b)]
        lines = Makers(journal, run.releases).told(release, violation.cause, besides)
        return "\n  from ".join([violation.line, *lines])

    def blamed(self, take: Take, rewards: Rewards, neighbour: Rewards, answers: bool = True) -> tuple[str, Journal]:
        """The lines to blame for what two lists do differently with the same released values, and the first journal."""
        since = next((t for t, (r, s) in enumerate(zip(rewards, neighbour, strict=True)) if r != s), 0)
        first = Journal(self.player.own, since)
        with first.writing():
            self.player.replay(take, rewards)
        other = Journal(self.player.own, since, like=first)
        with other.writing():
            self.player.replay(take, neighbour)
        return first_difference(first, other, answers=answers), first

    def _with_cause(self, violation: Violation, take: Take, journal: Journal) -> Violation:
        """Raw rewards show in what a policy does for several reasons; a guess from what it called and released."""
        run, touched = take.run, take.touched
        ones = self.player.replay(take, (self.player.possible.high,) * len(run.rewards))
        pairs = enumerate(zip(run.releases, ones.releases, strict=False))
        empty = [k for k, (release, other) in pairs if not release.value.any() and not other.value.any()]
        masked = len(empty) < len(run.releases)  # then coins that are flipped besides are no noise
        if touched:
            cause, why = "outside randomness", f"coins or noise are drawn from {' and '.join(sorted(touched))}"
        elif line := self._mentioned(f"{FOREIGN}|{OF_THE_CLOCK}", take, journal):
            cause, why = (
                "outside randomness",
                (f"something that looks like noise is added outside of every release: {line}"),
            )
        elif not masked and (line := self._mentioned(BY_HAND, take, journal)):
            cause, why = "noise", f"the policy draws noise by itself and adds it outside of every release: {line}{CURE}"
        elif not masked and run.releases and any(violation.rewards + violation.neighbour):
            cause, why = (
                "noise",
                (f"release {empty[0]} has the value 0: the policy adds its noise by itself, outside of every release"),
            )
            if self._noise_is_shared(take):
                cause, why = "noise reused", f"{why}, and no other draw of this noise compensates for a changed reward"
        elif not run.releases:
            cause, why = violation.cause, "nothing was released before"
        else:
            return violation
        return replace(violation, cause=cause, reason=f"{violation.reason}; {why}")

    def _mentioned(self, pattern: str, take: Take, journal: Journal) -> str:
        """A line on which the pattern matches: of those that were written down, or that run when a run begins."""
        if line := journal.mentions(pattern):
            return line
        run = take.run
        start = replace(run, rewards=run.rewards[:BEGINNING], actions=run.actions[:BEGINNING])
        beginning = Journal(self.player.own, like=Journal())  # without variables
        with beginning.writing():
            self.player.replay(replace(take, run=start), start.rewards)
        return beginning.mentions(pattern)

    def _noise_is_shared(self, take: Take) -> bool:
        """Whether draws that a policy adds to its sums by hand serve several of them.

        If each served one sum, a changed reward would be made up for by another value of one draw, whatever it is
        multiplied with: one is looked for, on rewards whose change shows.
        """
        watch, generator = Stopwatch(), np.random.default_rng(take.seed)
        possible = self.player.possible
        rewards = reward_list(0, 200, generator, possible)
        take = self.player.record(rewards, take.seed, overruled=take.run.overruled, far=take.run.far)
        for time in times_to_change(take.run, 20, generator):
            neighbour = far_neighbour(take.run.rewards, time, possible)
            if same_behaviour(take.run, self.player.replay(take, neighbour)):
                continue
            others = (self.player.replay(replace(take, run=other), neighbour) for other in other_draws(take.run))
            if not any(same_behaviour(take.run, other) for other in others if watch.seconds() < 1):
                return watch.seconds() < 1
        return False


class Shrinking:
    """A violation, and the run that shows it, on lists that become shorter and plainer as long as it has its cause."""

    def __init__(self, player: Player, budget: Budget, violation: Violation, take: Take) -> None:
        self.player, self.budget = player, budget
        self.violation, self.take = violation, take  # the plainest so far
        self.parted = len(violation.rewards)  # pulls up to the first that differs
        self._trials, self._watch = 0, Stopwatch()
        self._seconds = max(player.effort.clock_left(), SHORTENING)
        self._work = player.effort.work + int(max(player.effort.left(), SHORTENING) * PACE)

    def plainest(self) -> tuple[Violation, Take]:
        """What is left of the violation. The released values may stay those of the list on which it was found."""
        if self._shows(self._lists):  # otherwise it does not come again
            self._shorten()
            self._drop()
            if not self._released_on_the_list:
                rewards, neighbour, _ = self._lists
                for seed in range(self.take.seed, self.take.seed + SEEDS * APART, APART):
                    if self._shows((rewards, neighbour, rewards), seed):
                        break
            self._put_lowest(everywhere=True)
            self._put_lowest(everywhere=False)
            self._drop()
            if self.parted < len(self.violation.rewards):
                self._shows(self._cut(self.parted))
            for digits in (0, 1, 2):
                rewards, neighbour, origin = (tuple(round(r, digits) for r in x) for x in self._lists)
                plain = all(reward in self.player.possible for reward in (*rewards, *neighbour, *origin))
                if plain and (rewards, origin) != (self.violation.rewards, self.take.run.rewards):
                    self._shows((rewards, neighbour, origin))
        return self.violation, self.take

    @property
    def _lists(self) -> Lists:
        return self.violation.rewards, self.violation.neighbour, self.take.run.rewards

    @property
    def _released_on_the_list(self) -> bool:
        return self.take.run.rewards == self.violation.rewards

    def _spent(self) -> bool:
        return self._watch.seconds() > self._seconds or self.player.effort.work > self._work

    def _shows(self, lists: Lists, seed: int | None = None, line: str = "") -> bool:
        """Whether these lists show a violation of the same cause, and at the line if one is given; then they are the
        plainest so far."""
        rewards, neighbour, released_on = lists
        self._trials += 1
        if self._spent() or self._trials > TRIALS or rewards == neighbour:
            return False
        how = self.take.run
        try:
            take = self.player.record(
                released_on, self.take.seed if seed is None else seed, overruled=how.overruled, far=how.far
            )
            same = take.run if rewards == released_on else self.player.replay(take, rewards)
            other = self.player.replay(take, neighbour)
            violations = align(same, other, self.budget)
        except Exception:
            return False
        alike = next((v for v in violations if v.cause == self.violation.cause and line in ("", v.line)), None)
        if alike is None:
            return False
        self.violation, self.take = alike, take
        actions = enumerate(zip(same.actions, other.actions, strict=True))
        self.parted = next((t + 1 for t, (a, b) in actions if a != b), len(rewards))
        return True

    def _cut(self, length: int) -> Lists:
        rewards, neighbour, origin = self._lists
        return rewards[:length], neighbour[:length], origin[:length]

    def _shorten(self) -> None:
        shortest, longest = changed_time(*self._lists[:2]) + 1, len(self.violation.rewards)
        if self.parted < longest and self._shows(self._cut(self.parted)):
            return  # nothing after the pull that differs has a part in it
        while shortest < longest:
            middle = (shortest + longest) // 2
            if self._shows(self._cut(middle)):
                longest = middle
            else:
                shortest = middle + 1

    def _drop(self) -> None:
        """Leave out stretches of rewards that the violation can do without, longer ones first."""
        line = self.violation.line if self.violation.cause != "raw rewards" else ""
        enough, step = self._trials + DROPPING, len(self.violation.rewards) // 2
        while step and not self._spent():
            start = 0
            while start < (length := len(self.violation.rewards)) and self._trials < enough:
                changed = changed_time(*self._lists[:2])
                kept = [t for t in range(length) if t == changed or not start <= t < start + step]
                rewards, neighbour, origin = (tuple(x[t] for t in kept) for x in self._lists)
                if len(kept) == length or not self._shows((rewards, neighbour, origin), line=line):
                    start += step
            step //= 2

    def _put_lowest(self, everywhere: bool) -> None:
        """The lowest reward, mostly 0, in place of longer and shorter stretches, or in the list of the released values
        alone."""
        low = self.player.possible.low
        length, changed = len(self.violation.rewards), changed_time(*self._lists[:2])
        step = length
        while step and (everywhere or not self._released_on_the_list) and not self._spent():
            for start in range(0, length, step):
                spans = [(start, min(start + step, length))]
                if everywhere and start <= changed < spans[0][1]:
                    spans = [(start, changed), (changed + 1, spans[0][1])]
                changing = self._lists if everywhere else self._lists[2:]
                if any(set(rewards[i:j]) - {low} for rewards in changing for i, j in spans):
                    rewards, neighbour, origin = self._lists
                    if everywhere:
                        rewards, neighbour = _filled(rewards, spans, low), _filled(neighbour, spans, low)
                    self._shows((rewards, neighbour, _filled(origin, spans, low)))
            step //= 2


def _filled(rewards: Rewards, spans: Sequence[tuple[int, int]], reward: float) -> Rewards:
    for start, stop in spans:
        rewards = rewards[:start] + (reward,) * (stop - start) + rewards[stop:]
    return rewards
