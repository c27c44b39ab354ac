"""Is a policy private? It is run, replayed and watched, and the report says what was found or seen.

The `player` records and replays the policy, the `sensors` say what is wrong with a run, the `teller` how a violation is
told; the rounds are here. In every round the policy is recorded on a reward list of its own, horizon and seed, and then
replayed with the same released values

- on its own rewards: what differs comes from outside the noise source and the generator;
- on lists that differ everywhere, far outside of the possible rewards too: what depends on releases alone stays the
  same, and a leak is traced back to two neighbours of possible rewards;
- on lists that differ outside the records of one release: it must not move;
- on neighbours: shifts and costs must be within what is declared.

In every third round rewards differ between the arms: some fall behind or stop paying. In every fourth one somebody else
plays some of the batches on another arm, and the policy is told. In every other one (but for the earliest ones, if the
policy announces no end) it is recorded once more with noise that is often far out in the tails, and replayed on lists
that differ everywhere: what is rare under the law, such as stopping early, must not depend on raw rewards either. A
budget that allows a probability of failure may be meant for just that; there it is left out.

The ledger adds up what is declared, and over all rounds the noise must follow its law and not repeat itself.
A clean report says what could have been seen; if that is too little it is `inconclusive`, not `ok`.

Source: BDP-P4.2, BDP-SE.3
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, islice
from math import ceil, inf
from typing import Any

import numpy as np

from banditproof.theory.arguments import Seconds, Seed, Size, checked
from banditproof.theory.hints import hint
from banditproof.theory.numbers.exact_numbers import check_count
from banditproof.theory.privacy.budget import Budget
from banditproof.verify.runs.alignment import reward_list, reward_table
from banditproof.verify.runs.coverage import MARK
from banditproof.verify.runs.foreign.check import LENGTHS, ForeignCheck
from banditproof.verify.runs.foreign.policies import Replayed
from banditproof.verify.runs.ledger import currency
from banditproof.verify.runs.player import PACE, Player, Take, work_of
from banditproof.verify.runs.possible_rewards import PossibleRewards, RewardsIn
from banditproof.verify.runs.recorder import PolicyMaker, Rewards, RewardsOfArms, Run
from banditproof.verify.runs.report import PrivacyReport, maker_of
from banditproof.verify.runs.seldom import Comparison, seldom
from banditproof.verify.runs.sensors import Sensors, Violations
from banditproof.verify.runs.teller import Teller
from banditproof.verify.stopwatch import OutOfTime, until

HORIZONS = (30, 60, 120, 2000, 60, 300, 30, 6000, 120, 700, 60, 20000, 300, 30, 1500, 60)
LONG = 2000  # and more pulls: as many as the horizon has, where one is given
LONG_KINDS = (0, 6, 3, 1)  # of reward lists, for long runs: there are few of them
ROUNDS = 3 * len(HORIZONS)  # more rounds find little that these have not found
IN_ANY_CASE = 4  # rounds, whatever the time
FAR_RUNS, FAR_LENGTHS = 120, (60, 30, 150)  # with far noise, where work is left over
REVISITED = 300  # neighbours of the longest run that are tried where work is left over
FEWEST_DECISIONS = 20
COMPARED = 6, 200  # runs in which all numbers that the policy keeps are compared, and their most pulls
CHANGING = 3  # values of a number that is kept, so that it says something if it is the same on other rewards
FEWEST_PULLS = 1000  # of the longest run, where no horizon is given
FEWEST_RUNS = 7  # in a round: recorded, again, on two other lists, outside the records, on two neighbours
FAR_FROM = 8  # the first round with far noise, unless ends are announced
SECONDS, SECONDS_AS_IT_IS = 4.5, 13.5  # where none are given: with its noise recorded, and with draws replayed
LEVELS, LEVEL_PULLS = (1 / 8, 7 / 8), 120  # lists of equal rewards, from the lowest to the highest one, and their pulls
LONGEST_ROUND, FARTHEST = 1, 5000  # the round, and its pulls, that goes as far as time allows, for the costs alone


@checked
def check_privacy(
    make_policy: PolicyMaker | Replayed,
    budget: Budget,
    *,
    seconds: Seconds | None = None,
    seed: Seed = 0,
    horizon: Size | None = None,
    rewards_in: RewardsIn = "[0, 1]",
) -> PrivacyReport:
    """Look for a violation of `budget` until one is found, `seconds` of computing are spent or no more is to be seen.

    The work of a check is counted, not timed: `seconds` says how much. By default it is 4.5, and 13.5 for a policy that
    does not use this library; then a seed decides the report on a busy machine too. `seconds` that are given are also
    the most by the clock on the wall, and one for loading: what had no time is named.

    `make_policy(noise, generator)` builds a fresh policy with one replication, which gets all noise from `noise` and
    its coin flips from `generator`; each release says of which rewards it is, `records=(start, stop)`. Runs are of
    different lengths, up to `horizon` pulls if that is given and can be reached in time, on lists of many kinds of
    rewards. `rewards_in` says which rewards there are: a set of numbers such as {0, 1}, or an interval as text. Random
    checks of the noise err with probability below 1e-8 in all.

    When a strategy stops and what it recommends counts as an action, where it has `stopped` and `recommendation`.

    Coins count as known to whoever attacks: privacy that comes from keeping them secret (subsampling), or noise drawn
    past the source, is not seen, and such a policy is a violation here; `audit_private` judges by what comes out.

    Raises InvalidInput for a budget per replication or no time, and passes on what the policy raises;
    of `replayed` only what is raised at the same pull of every run, else the verdict is "inconclusive".
    """
    if horizon is not None:
        check_count("horizon", horizon, 1)
    possible = PossibleRewards.of(rewards_in)
    if currency(budget).allowed == inf:  # which raises for a budget per replication
        hint(f"{budget} promises nothing, so that nothing can break it")
    if isinstance(make_policy, Replayed):
        longest, asked = horizon or LENGTHS[-1], horizon is not None
        most = seconds or SECONDS_AS_IT_IS
        return ForeignCheck(make_policy, budget, most, seed, longest, asked, possible, ends=until(seconds)).report()
    check = _Check(make_policy, budget, seconds or SECONDS, seed, horizon, possible)
    check.effort.ends = until(seconds)
    return check.report()


@dataclass(frozen=True)
class Round:
    """The `number` of a round and the length of its runs; `few` if there is time for a few replays only, `bare` if it
    is for the costs of a long run alone."""

    number: int
    length: int
    few: bool
    bare: bool


@dataclass
class Seen:
    """How much the runs have shown.

    `longest` is the length of the longest run and `rate` its units of work per pull, `replayed` that of the longest one
    that was replayed on more than neighbours, which is `kept` unless it was overruled; `most_pulls` are of one arm in
    such a run. `ended` says whether a strategy has announced its end in some run, None if it announces none.
    """

    runs: int = 0
    longest: int = 0
    rate: float = 1.0
    replayed: int = 0
    kept: Take | None = None
    most_pulls: int = 0
    releases: int = 0
    decisions: int = 0
    ended: bool | None = None

    def add(self, take: Take, bare: bool) -> None:
        run, length = take.run, len(take.run.rewards)
        if length >= self.longest:
            self.longest, self.rate = length, work_of(run) / length
        self.runs += 1
        self.releases, self.decisions = max(self.releases, len(run.releases)), self.decisions + run.decisions
        if bare:
            return
        if length >= self.replayed:
            self.replayed, self.kept = length, None if run.overruled else take
        self.most_pulls = max(self.most_pulls, int(np.bincount(run.actions).max()))
        self.note_end(run)

    def note_end(self, run: Run) -> None:
        if run.ended is not None:
            self.ended = self.ended or run.ended


class _Check:
    """One check of one policy, in rounds."""

    take: Take  # the run that was looked at last

    def __init__(
        self,
        make_policy: PolicyMaker,
        budget: Budget,
        seconds: float,
        seed: int,
        horizon: int | None,
        possible: PossibleRewards,
    ) -> None:
        self.budget, self.seed, self.horizon, self.possible = budget, seed, horizon, possible
        self.make_policy, self.player = make_policy, Player(make_policy, seconds, possible)
        self.effort = self.player.effort
        self.sensors = Sensors(self.player, budget)
        self.teller = Teller(self.player, budget)
        self.seen = Seen()
        self.refused = ""  # why there is no run with far noise
        self.compared: list[Comparison] = []  # runs, and the numbers that the policy keeps in them
        self.cut = ""  # what the clock cut short

    def report(self) -> PrivacyReport:
        violations = self._violations()
        shown_by: dict[str, Any] = {"seed": self.seed}
        if violations:
            told, take = self.teller.told(violations[0], self.take)
            violations = (told, *violations[1:]) if told.rewards == told.neighbour else (told,)
            run, released_on = take.run, take.run.rewards if take.run.rewards != told.rewards else ()
            shown_by = {"seed": take.seed, "overruled": run.overruled, "far": run.far, "released_on": released_on}
        seen, unreached = self.seen, self.player.coverage.unreached()
        name, spent, allowed = self.sensors.spending.told
        return PrivacyReport(
            self.budget,
            violations,
            () if violations else (*self._missing(unreached), *self.player.unwatched()),
            runs=seen.runs,
            replays=self.player.replays,
            longest=seen.longest,
            compared=((0, seen.replayed - 1),) if seen.replayed else (),
            most_pulls=seen.most_pulls,
            releases=seen.releases,
            decisions=seen.decisions,
            spent=spent,
            allowed=allowed,
            currency=name,
            unreached=unreached,
            notes=(*self._notes(), *(f"never ran: {line}" for line in unreached[:5])),
            maker=maker_of(self.make_policy),
            seconds=self.effort.watch.seconds(),
            rewards_in=self.possible,
            **shown_by,
        )

    def _violations(self) -> Violations:
        try:
            for this in self._rounds():
                if violations := self._round(this):
                    return violations
            return self._levels() or self._revisit() or self.sensors.own_laws(self.seed)
        except OutOfTime:
            self._cut_short("the rounds")
            return ()
        finally:
            self.effort.ends = inf  # a violation is told to the end

    def _levels(self) -> Violations:
        """Neighbours of lists of equal fractions: a reward that stands out moves a scale, a largest or a spread of raw
        rewards most there."""
        for k, level in enumerate(LEVELS):
            seed, generator = self.seed + 2 * ROUNDS + k, np.random.default_rng([self.seed, 2 * ROUNDS + k])
            length = min(self.horizon or LEVEL_PULLS, LEVEL_PULLS)
            rewards = tuple(self.possible.at(np.full(length, level)).tolist())
            self.take = take = self.player.record(rewards, seed)
            if violations := self.sensors.declared(take) or self.sensors.neighbours(take, generator, 8):
                return violations
        return ()

    def _rounds(self) -> Iterator[Round]:
        """The rounds, as long as the time that is left allows; some short ones in any case."""
        for k, length in zip(range(ROUNDS), cycle(HORIZONS), strict=False):
            if self.horizon is not None:
                length = self.horizon if length >= LONG else min(length, self.horizon)
            share = _share(self.effort.left(), length)
            late = k > LONGEST_ROUND and self.effort.clock_left() <= 0
            if late or k >= IN_ANY_CASE and share <= 0:
                if late:
                    self._cut_short("the rounds")
                return
            bare = k == LONGEST_ROUND
            if bare:
                length = self.horizon or FARTHEST
            if k:
                length = self._affordable(k, length, share, 2 if bare else FEWEST_RUNS)
            yield Round(k, length, bare or length > 100 and length * self.seen.rate * 24 > share * PACE, bare)

    def _affordable(self, k: int, length: int, share: float, runs: int) -> int:
        """The length, or as much of it as so many runs leave time for in their share of it."""
        shortest = min(30, length)
        all_that_is_left = int(self.effort.left() * PACE / runs / self.seen.rate)
        if runs < FEWEST_RUNS and all_that_is_left >= FEWEST_PULLS:  # one long run, which has to be long enough
            shortest = min(FEWEST_PULLS, length)
        length = min(length, max(shortest, int(share * PACE / runs / self.seen.rate)))
        by_clock = _share(self.effort.units_left_by_clock(), length) / runs / self.seen.rate
        if length <= max(shortest, by_clock):
            return length
        length = max(shortest, int(by_clock))
        self._cut_short(f"a run of round {k}, to {length} pulls")
        return length

    def _cut_short(self, what: str) -> None:
        self.cut = self.cut or what

    # ------------------------------------------------------------------------------------------------------- one round

    def _round(self, this: Round) -> Violations:
        k, few, seed = this.number, this.few, self.seed + this.number
        generator = np.random.default_rng([self.seed, k])
        kind = LONG_KINDS[k % len(LONG_KINDS)] if few else k
        of_arms = k % 3 == 1
        rewards = self._rewards(k // 3 if of_arms else kind, this.length, generator, of_arms)
        overruled = self.player.record_overruled(rewards, seed) if k % 4 == 2 else None
        self.take = take = overruled or self.player.record(rewards, seed, covered=not this.bare)
        self.seen.add(take, this.bare)
        if not this.bare and this.length <= COMPARED[1] and len(self.compared) < COMPARED[0]:
            self._compare(take)
        sensors, runs = self.sensors, self.seen.runs
        far = k % 2 == 1 and (k >= FAR_FROM or take.run.ended is not None)
        if this.bare:
            return sensors.declared(take) or sensors.neighbours(take, generator, 1)
        return (
            sensors.declared(take)
            or sensors.control(take)
            or sensors.law(take.run, judged=runs & (runs - 1) == 0 or runs % 8 == 0)
            or sensors.elsewhere(take, generator, 2 if few else None)
            or (() if few else sensors.outside(take, generator))
            or sensors.outside_records(take, generator, 1 if few else 3)
            or sensors.neighbours(take, generator, 2 if few else 8)
            or (self._far_out(rewards, seed, generator) if far else ())
        )

    def _rewards(
        self, kind: int, length: int, generator: np.random.Generator, of_arms: bool
    ) -> Rewards | RewardsOfArms:
        return (reward_table if of_arms else reward_list)(kind, length, generator, self.possible)

    def _compare(self, take: Take) -> None:
        """Note what ran in a run, and which numbers depend on the rewards in it with the same released values."""
        ran = frozenset(self.player.coverage.ran)
        self.compared.append(Comparison(*self._moved(take), ran))

    def _moved(self, take: Take, since: int = 0) -> tuple[frozenset[str], frozenset[str]]:
        """The numbers that change in a run after so many releases, and those that are others if all rewards are."""
        rewards = take.run.rewards
        one, two = (self.player.states(take, x, since) for x in (rewards, tuple(map(self.possible.farthest, rewards))))
        pairs = list(zip(one, two, strict=False))
        moved = frozenset(path for a, b in pairs for path in a.keys() & b.keys() if a[path] != b[path])
        values: dict[str, set[float]] = {}
        for path, value in (item for state in one for item in state.items()):
            values.setdefault(path, set()).add(value)
        return frozenset(path for path in values if len(values[path]) >= CHANGING), moved

    def _seldom(self) -> Iterator[str]:
        """What branches do that few runs reach: in most of these, noise that is far out hides what they tell."""
        coverage = self.player.coverage
        for branch in seldom(coverage, self.compared):
            _, moved = self._moved(branch.run[0], branch.pulls)
            lost = sorted(moved & branch.steady)
            if lost and coverage.could_leak(branch.where) is not None:
                told = "follows from releases alone in other runs, and from the rewards themselves where this runs"
                yield f"{lost[0]} {told}: {branch.line} (let it follow from releases there too, or give more seconds)"

    def _far_out(self, rewards: Rewards | RewardsOfArms, seed: int, generator: np.random.Generator) -> Violations:
        """With noise far out in the tails nothing that the policy does may change with the rewards either."""
        if self.budget.forgives:
            return ()
        try:
            take = self.player.record(rewards, seed, far=True, covered=True)
        except OutOfTime:
            raise
        except Exception as error:
            self.refused = (
                "the policy raises an exception when the noise is far out in its tails "
                f"({type(error).__name__}: {error})"
            )
            return ()
        self.take = take
        self.seen.note_end(take.run)
        return self.sensors.declared(take) or self.sensors.single_arms(take, generator)

    def _revisit(self) -> Violations:
        """What work is left goes to short runs with far noise, and to the longest run: neighbours in the records of the
        releases that declare least."""
        kept, generator = self.seen.kept, np.random.default_rng([self.seed, ROUNDS])
        times = list(islice(_in_records(kept.run, generator), REVISITED)) if kept is not None else []
        for k in range(max(FAR_RUNS, len(times))):
            if self.effort.left() <= 0:
                return ()
            if self.effort.clock_left() <= 0:
                self._cut_short("the work that was left over")
                return ()
            violations: Violations = ()
            if k < len(times) and kept is not None:
                self.take = kept
                violations = self.sensors.neighbour(kept, times[k])
            if not violations and k < FAR_RUNS and not self.refused:
                length = min(FAR_LENGTHS[k % len(FAR_LENGTHS)], self.horizon or max(FAR_LENGTHS))
                rewards = self._rewards(k // 2, length, generator, of_arms=k % 2 == 1)
                violations = self._far_out(rewards, self.seed + ROUNDS + k, generator)
            if violations:
                return violations
        return ()

    # --------------------------------------------------------------------------------------------- what is said of it

    def _missing(self, unreached: tuple[str, ...]) -> Iterator[str]:
        """What would have to be seen before a report without violations is ok."""
        seen, sensors, longer = self.seen, self.sensors, "" if self.horizon is None else "longer "
        yield from sensors.pending.values()
        if sensors.loud:
            take, loud = sensors.loud
            line, _ = self.teller.blamed(take, take.run.rewards, loud)
            where = f" (at {line})" if line else ""
            yield (
                f"the policy reacts to raw rewards outside {self.possible}; inside {self.possible}, no difference was "
                f"found{where} (clip the rewards, or name the possible ones by rewards_in)"
            )
        if seen.releases:
            yield from sensors.spending.outgrowing(self.horizon)
        if self.horizon is None and seen.longest < FEWEST_PULLS:
            few = f"only {seen.longest} pulls; the check needs {FEWEST_PULLS}"
            yield f"the longest run had {few} (give more seconds, or a horizon)"
        if self.horizon is not None and seen.replayed < self.horizon:
            yield (
                f"the longest run replayed on other rewards had {seen.replayed} of {self.horizon} pulls (give about "
                f"{ceil(self._seconds_to_reach(self.horizon))} seconds)"
            )
        if not seen.releases:
            nothing = f"nothing was released in {seen.longest} pulls, and no arm depended on the rewards before"
            yield f"{nothing} (give a horizon after its first release)"
        elif seen.decisions < FEWEST_DECISIONS:
            few = f"only {seen.decisions} decisions were made after a release; the check needs {FEWEST_DECISIONS}"
            yield f"{few} (give more seconds, or a longer horizon)"
        if seen.ended is False and not self.player.announces:
            yield f"no run stopped, so the check never saw a recommendation (give more seconds, or a {longer}horizon)"
        yield from self._seldom()
        if unreached:
            first, *others = unreached
            more = f" and {len(others)} more" if others else ""
            yield (
                f"a branch of the policy never ran: {first}{more} (give more seconds, or a {longer}horizon; write "
                f"{MARK} on a line that cannot leak)"
            )

    def _seconds_to_reach(self, length: int) -> float:
        """The seconds in all, after which a round of this length fits into the share of time that is meant for it."""
        effort, work = self.effort, 2 * FEWEST_RUNS * length * self.seen.rate
        return max((effort.work + work) / PACE, effort.watch.seconds() + work * effort.seconds_per_unit())

    def _notes(self) -> Iterator[str]:
        """What was noticed besides."""
        if self.player.announces:
            seen = (
                "count as actions" if self.seen.ended else "were not seen, since no run stopped (give a longer horizon)"
            )
            yield f"when it stops and what it recommends {seen}"
        yield from (f"the policy also drew from {name}" for name in sorted(self.player.touched))
        if self.cut:
            yield f"the clock cut short {self.cut}: give more seconds, or use a faster machine"
        yield from (reason for reason in (self.player.obstinate, self.refused) if reason)
        if self.sensors.rounded:
            yield f"{self.sensors.rounded} shifts of a release were within rounding"
        yield from self.player.left_out()


def _share(seconds: float, length: int) -> float:
    """Of the seconds that are left, those that a round with runs of this length may take."""
    return seconds / (2 if length > 100 else 4)


def _in_records(run: Run, generator: np.random.Generator) -> Iterator[int]:
    """Times, one of every release in turn; releases that declare little come first, then those of many rewards."""
    spans = {release.records[:2]: release for release in run.releases if release.records}
    order = sorted(spans, key=lambda span: (spans[span].sensitivity, span[0] - span[1]))
    given: set[int] = set()
    for _ in range(REVISITED):
        for start, stop in order:
            time = int(generator.integers(max(start, 0), max(min(stop, len(run.rewards)), start + 1)))
            if 0 <= time < len(run.rewards) and time not in given:
                given.add(time)
                yield time
