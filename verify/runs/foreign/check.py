"""Is a policy of somebody else private, as it is? Its noise is solved for on neighbouring rewards.

A run is recorded with all its draws. What the policy knows between two pulls are numbers; those that depend on rewards
and on draws are *noisy*. On a neighbour, where one reward is another one, the draws that made them are changed so that
every noisy number comes out as it was, and the policy should then pull the same arms. What the changed draws cost by
their laws is what that reward costs.

- If the arms differ all the same, and no other value of the draws keeps them either, rewards decide past the noise:
  one draw serves twice, a number has none, or a decision reads rewards.
- If they are kept at more than the budget, noise is too small or spent too often.
- If rewards stretch the noise of a kept number, its draw is looked at far out, where that costs most.
- If a kept number moves in steps as the noise does, and by something else as a reward does, it tells the reward.
- What depends on draws and is not kept as a number, such as the arm with the largest noisy index, cannot be solved for.
  Then the arms themselves have a price (`arms`); where no draw is cheap enough, fresh runs may refute the budget.

As in `check_privacy`, noise that is kept counts as released: a policy that keeps a noisy number which decides nothing
is charged for it. Where the arms have a price of their own, that price is of the arms alone, and a note says so.

Source: BDP-P4.2
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from itertools import product, takewhile
from math import ceil, inf, isfinite, sqrt
from typing import Concatenate, ParamSpec

import numpy as np

from banditproof.theory.errors import InvalidInput
from banditproof.theory.privacy.budget import Budget
from banditproof.verify.runs.alignment import UNKNOWN, reward_list, reward_table
from banditproof.verify.runs.coverage import MARK, Where
from banditproof.verify.runs.foreign.arms import COUNTED, FRESH_SEEDS, ByArms, Suspect, first_change
from banditproof.verify.runs.foreign.coins import Turned
from banditproof.verify.runs.foreign.draws import Name, Place, Spot, exchanged, is_seeded, own_generator
from banditproof.verify.runs.foreign.driving import turning
from banditproof.verify.runs.foreign.levers import levers
from banditproof.verify.runs.foreign.numbers import Recorded, differing, line_of, parted_at, place_name
from banditproof.verify.runs.foreign.peaks import steepest
from banditproof.verify.runs.foreign.policies import PASSING, PER_PULL, RESUMING, Played, Replayed, Stage
from banditproof.verify.runs.foreign.redrawing import EACH_ALONE, REDRAWN, hidden_draws, kept_by_others, would_show
from banditproof.verify.runs.foreign.seldom import why_open
from banditproof.verify.runs.foreign.solving import DOMAIN, OF_SEVERAL, STRETCHED, Aligned, Solver
from banditproof.verify.runs.foreign.steps import told_beside_steps
from banditproof.verify.runs.foreign.telling import FROM, Teller
from banditproof.verify.runs.ledger import Violation
from banditproof.verify.runs.possible_rewards import UNIT, PossibleRewards
from banditproof.verify.runs.recorder import Rewards, far_neighbour
from banditproof.verify.runs.report import REPLAY, PrivacyReport, maker_of
from banditproof.verify.runs.seldom import Comparison, seldom
from banditproof.verify.source_lines import located
from banditproof.verify.stopwatch import CUT, PACE, OutOfTime, Stopwatch
from banditproof.verify.thresholds import Threshold, Thresholds

LENGTHS = (32, 128, 512, 2048)  # of runs: the first ones in which arms depend on rewards, longer ones for the rest
LONG_LISTS, LONG_TIMES = 6, 6  # of longer runs: lists, and rewards that are changed somewhere
LONGER_RUNS, TOLD = "longer runs", "rewards told again"  # parts: what never ran, and what is told more than once
LONGER = 0.1  # of the seconds, besides, for runs of each length
WIDER = (1, 4)  # times the first length is a late stretch, in turn until a reward shows in it
STAYS, MOST_LATE = 128, 4  # the first late stretch and times from one to the next; and those of first runs before it
SELDOM, MOST_SELDOM = 0.6, 6  # of the seconds, besides, for branches that run seldom; rewards before one
LATE, LATER = 2.0, "late stretches"  # of the seconds, besides
KEPT = 1.0  # of the seconds, that are left to them in any case where the policy is a program, which shows no thresholds
FARTHEST = 20_000  # pulls of the runs that pass the policy's own thresholds, if no horizon is given
READINGS = 4  # runs of a policy in which its thresholds are read
FIRST, EQUAL, GOING, STEPS = 1.0, 0.6, 0.8, 0.4  # of the seconds: first lists, equal ones, going on, noise in steps
AGAIN, GOING_ON = 0.2, 5  # of the seconds, besides, for runs that tell rewards again, and how long they are
STAYING = 12  # runs of which the one is taken that stays with its first arm
TURNED = 0.15  # of the seconds, for the first lists driven so
DRIVEN = 0.1  # of the seconds, besides, in which the rewards of a list are driven to where a decision turns
FEW_CHANGED = 4  # rewards of a late stretch, and of a list whose rewards are all the same
PEAKS = 3  # lists from which rewards are driven to where they do most
TIED = 1 / 8  # of the way from the lowest reward to the highest one, where all are equal
CHANGED_AT_ENDS = 16  # where one draw hides what is left out as often as not
PRICED_UNTIL = 600  # pulls: a price of arms takes a thousand runs
PRICED_LATE = 2500  # pulls, by what is known to hide rewards of shorter runs
LOOKED_AT, MOST_LOOKED_AT = 4, 12  # lists for a late stretch, and rewards of each, to find those that show in the arms
MORE, MORE_LISTS = 12, 300_000  # of these lists, and the number from which they are counted
KINDS = (0, "arms 1", "close arms 1", 5, 6, 3, 1, 4, 0, "arms 3")  # of reward lists and tables
FIRST_LIST = 0.35  # of the seconds
LISTS = 6  # recorded runs, each on a list of its own
MOST_LISTS = 60  # where a noisy number has no draw of its own, until an arm shows it
ONCE_SHOWN = 0.3  # the share of the time in which other causes are looked for once an arm has shown one
FIRST_TOLD = ("noise reused", "raw rewards", "budget")
COVERED = 4  # runs on each list in which branches are watched
FEWEST_CHANGED, MOST_CHANGED = 6, 48  # rewards of a list, in any case and at most
FEWEST_GIVEN = 2  # of those that are given
FEWEST_RELEASED = 8  # neighbours in whose noisy numbers, or arms, the reward was found
NEVER = 10**9
ELSEWHERE = 7919  # beyond the seeds of the lists
STEPPED, STEPPED_TIMES = 3, 6  # lists on which noise may have steps, and rewards of each that are changed
IN_STEPS, AT_ENDS, READ, DRIVING, CALLED = 104729, 104730, 104731, 104732, 104740  # beyond the seeds of other lists
TOLD_AGAIN = 104751
MOST_CALLED = 4  # methods besides those that ask and tell
ANEW_TIMES = 24  # runs in which a reward may show that did not show in one
TURNING = 60  # runs in which a number that lost its noise may turn an arm
SHOWING = 12  # pairs of lists on which the arms of short runs may differ
FAR_OUT = "the policy raises an exception when the noise is far out in its tails"
IN_SOME = "the policy raises an exception in some runs, which rewards or noise decide"
KEEP = "(keep the noisy numbers that decide as attributes)"
ANEW = "(draw noise anew for each number)"
UNKNOWN_COST = f"at an unknown cost {KEEP}"
NO_DRAWS = "no run drew a random number, and no reward was seen to change an arm: is this the policy that is meant?"
NO_ARMS = "no reward was seen to change what the simulation returns: it returns the list of the arms that it pulled"
MOST_ARMS = 10**7  # a table of rewards has a number for each
OTHERS = "if there are no fractions among its rewards, say which there are, as in rewards_in={0, 1}"
ELSEWHERE_RAISED = 4  # runs that all raise where one does by its own fault
KEPT_COUNTS = "a noisy number that it keeps counts as released"
ARMS_ALONE = "the verdict covers only its arms, not the numbers that it keeps"
OFTEN_TOLD = 4  # a reward that shows in more than one of so many draws shows in ever more of them
OFTEN_HIDDEN = 10  # rewards that arms show, and that the draws of a line hide
LOADING = 1.0  # seconds besides for what is loaded, where the clock counts
LOOKING = 0.1  # seconds between two looks at whether it waits, each of which reads a file: runs ask at every pull
LEVELS = (0.2, 0.4, 0.6, 0.8)  # of the rewards of a list, from the lowest to the highest possible one
LASTING = 512  # pulls of a run in which one reward may show again and again
SEEDED = "the noise follows from the seed {}, so that every run draws the same numbers"
AUDITED = 1.5  # of the seconds, besides, for fresh runs where some are suspected
SLOWER = 1.5  # times as long work takes as it is worth before the clock counts, where nobody has said how long it may
BUSY = 8  # times as long as it is worth work may take by the clock where others have the cores
AS_LONG = 2  # times as long in all, where the arms themselves have prices, and for what an "ok" needs
IN_ALL = 3.0  # times as many seconds, of which every part takes a share, are all seconds of the check
IN_ANY_CASE = 0.3  # times the seconds: for each part that an "ok" needs, and for fresh runs
FAR = (9.0, -9.0, 30.0, -30.0)  # standard draws far out, where a number that noise was stretched for is looked at
CHANGES = 30  # runs on neighbours that the shortest list takes

P = ParamSpec("P")


def _to_the_end(
    part: Callable[Concatenate[ForeignCheck, P], tuple[Violation, ...]],
) -> Callable[Concatenate[ForeignCheck, P], tuple[Violation, ...]]:
    """A method of a check that is not left for want of time once it has begun: it makes sure of a violation."""

    @wraps(part)
    def unlimited(check: ForeignCheck, *given: P.args, **named: P.kwargs) -> tuple[Violation, ...]:
        limit, check.limit = check.limit, inf
        try:
            return part(check, *given, **named)
        finally:
            check.limit = limit

    return unlimited


@dataclass
class ForeignCheck:
    """One check of one policy of somebody else."""

    foreign: Replayed
    budget: Budget
    seconds: float  # that it may take; once it is made, the part of them of which its own parts take a share
    seed: int
    longest: int  # run, in pulls
    asked: bool = False  # whether lists of that length have to be among those that are tried
    possible: PossibleRewards = UNIT
    until: float | None = None  # seconds by the clock after which it is ok with what it has seen
    ends: float = inf  # seconds by the clock after which it ends

    def __post_init__(self) -> None:
        self.seconds /= IN_ALL
        self.stage, self.clock = Stage(self.foreign, in_time=self._in_time), Stopwatch()
        if self.foreign.hear is None and not self.foreign.rewards_at:
            self.stage.coverage.possible = self.possible
        self.needed, self.looks, self.limit, self.waited = 0, 0.0, inf, False
        self.work_of_draws = self.work_of_rewards = 0.0  # of the last short list: of all draws, and of one reward
        self.told = 0  # noisy numbers that tell of one reward there, at most
        self.spared = 0.0  # times the seconds, for the parts that an "ok" needs
        self.kept = 0.0  # and for late stretches, until they begin
        self.unfinished: dict[str, bool] = {}  # parts that had too little time: whether an "ok" needs them
        self.solver, self.teller = Solver(self.stage, self.budget), Teller(self.stage)
        self.count = self.solver.count
        self.missing: dict[str, None] = {}
        self.stuck: Counter[str] = Counter()  # lines of draws that could not go far enough
        self.open: set[str] = set()  # those of them where the arms cost more than the budget, for all that is known
        self.reused: dict[str, str] = {}  # lines of draws that serve twice, and what is said of them
        self.doubts: dict[str, str] = {}  # what is made of the draws of a line, and has none of its own
        normal = self.count.name == "rho"  # what costs rho = shift^2 / 2, as epsilon costs at most epsilon^2 / 2
        self.arms = ByArms(self.stage, sqrt(2 * self.solver.allowed) if normal else self.solver.allowed, normal)
        self.unshared: set[str] = set()  # lines of draws that are too dear, where no other draw hides the reward
        self.hidden: Counter[str] = Counter()  # lines of doubts: how often the arms cost no more than the budget
        self.pricing = False  # whether a neighbour is being priced by arms
        self.arms_alone = False  # whether a price of the arms stands for numbers that are kept
        self.noisy: set[str] = set()  # kept numbers of short runs that depend on draws and rewards
        self.raw: set[str] = set()  # numbers that rewards move in short runs past all noise
        self.lists: list[Comparison] = []
        self.short: list[Recorded] = []  # the first lists
        self.moved: set[str] = set()  # numbers of a list that rewards move past all noise
        self.shown = False  # whether a changed reward showed in a late stretch
        self.unpriced = False  # whether a late stretch had a neighbour whose arms would need a price
        self.stretches: list[tuple[int, int]] = []  # of longer runs that were looked at
        self.passed: list[Threshold] = []  # after short runs
        self.farthest = LENGTHS[-1]  # pull that longer runs go to
        self.uncalled: list[str] = []  # methods that no run calls
        self.suspects: list[Suspect] = []
        self.audited = 0  # of them, the first ones, of which fresh runs were made
        self.followed: set[str] = set()  # lines of draws that were solved for
        self.releasing: set[tuple[Spot, str]] = set()  # where draws are made that noisy numbers show, and their laws
        self.runs = self.released = self.decisions = self.most_releases = self.pulls = self.seen = self.far = 0
        self.spent = 0.0

    def report(self) -> PrivacyReport:
        with exchanged():
            violations = self._violations()
        cut = self._cut()
        if violations and not self.asked and len(violations[0].rewards) > LENGTHS[-1] + self.pulls:
            for violation in violations:  # nobody has said that the policy is played for so long
                pulls = len(violation.rewards)
                ask = f"give horizon={_rounded_up(pulls)} if it is played for so long"
                self.missing[f"within {pulls} pulls, {violation.reason} ({ask}): {violation.line}"] = None
            violations = ()
        if shared := [*self.reused.values(), *self._doubted()]:  # the cause of an unknown cost comes in its place
            self.missing = dict.fromkeys([*shared, *(said for said in self.missing if UNKNOWN_COST not in said)])
        unreached = self.stage.coverage.unreached()
        if not violations and self.released < FEWEST_RELEASED and not self.missing:
            count = f"{self.released} neighbour{'s' * (self.released != 1)}"
            few = f"only {count} changed a noisy number (give more seconds, or a longer horizon)"
            alone = cut if cut and not self.pulls else NO_ARMS if self.stage.foreign.rewards_at else NO_DRAWS
            drawn = any(recorded.draws for recorded in self.short)
            none = f"the check saw no number that depends on both rewards and draws {KEEP}" if drawn else alone
            self.missing[few if self.released else none] = None
        self.missing |= dict.fromkeys(self._without_a_price()) if self.arms_alone else {}
        notes = [f"a policy that does not use this library: {ARMS_ALONE if self.arms_alone else KEPT_COUNTS}"]
        notes += [cut] if cut and cut not in self.missing else []
        notes += [CUT] if self.stage.meter.cut else []
        if self.uncalled:
            notes.append(f"not looked at, since no run calls them: the methods {', '.join(self.uncalled)}")
        for line, times in self.stuck.items():
            notes.append(
                f"no other draw leaves the noisy number unchanged ({times} neighbour{'s' * (times != 1)}): {line}"
            )
            if line in self.open or line not in self.followed and self.hidden[line] < OFTEN_HIDDEN:
                far = "(let the noise take every value, without bounds, clipping or rounding)"
                self.missing[f"on a neighbour, no other draw leaves the noisy number unchanged {far}: {line}"] = None
        if self.asked and self.seen < self.longest:
            far = f"the longest run had {self.seen} of {self.longest} pulls"
            self.missing[f"{far} (give about {self.needed} seconds, or a smaller horizon)"] = None
        if unreached:
            more = f"give {'more seconds, or ' * (LONGER_RUNS in self.unfinished)}a {'longer ' * self.asked}horizon"
            self.missing[f"never ran: {unreached[0]} ({more}; write {MARK} on a line that cannot leak)"] = None
        accounted = self.solver.accounted
        return PrivacyReport(
            self.budget,
            violations,
            () if violations else tuple(self.missing),
            runs=self.runs,
            replays=self.stage.runs - self.runs,
            longest=self.far,
            compared=tuple(sorted({(0, self.pulls - 1), *self.stretches})),
            releases=self.most_releases,
            decisions=self.decisions,
            spent=self.spent if accounted is None else accounted.most,
            allowed=self.count.allowed if accounted is None else accounted.allowed,
            currency=self.count.name if accounted is None else accounted.name,
            unreached=unreached,
            unfinished=tuple(self.unfinished),
            notes=tuple(notes),
            seed=self.seed,
            maker=maker_of(self.foreign),
            seconds=self.clock.seconds(),
            rewards_in=self.possible,
        )

    def _cut(self) -> str:
        """What there was too little time for; missing where an "ok" needs it."""
        if not self.unfinished:
            return ""
        waiting = ", most of it waiting for the policy" if self.waited else ""
        cut = f"the time was over after {self.stage.runs} runs{waiting}, before the end of: "
        cut = f"{cut}{', '.join(self.unfinished)} (give more seconds)"
        needed = any(self.unfinished.values()) if self.until is None else self.released < FEWEST_RELEASED
        self.missing |= {cut: None} if needed else {}
        return cut

    def _violations(self) -> tuple[Violation, ...]:
        """What all parts show, up to the first one that shows something."""
        parts = (
            ("the first lists", FIRST, self._lists, False),
            ("a list as long as the horizon", IN_ALL, self._as_asked, False),
            ("noise in steps", STEPS, self._in_steps, False),
            ("lists of equal rewards", EQUAL, self._ends, False),
            ("rewards driven to where an arm turns", TURNED, self._turns, False),
            (TOLD, GOING, self._told_again, False),
            ("the steepest lists", DRIVEN * 2, self._peaks, False),
            ("arms that noise hides", IN_ALL, self._unsettled, True),
            ("thresholds", IN_ALL, self._thresholds, True),
            (LONGER_RUNS, LONGER * len(LENGTHS), self._longer, False),
            (LATER, LATE, self._late, False),
            ("what seldom runs", SELDOM, self._seldom, True),
            ("calls of other methods", SELDOM, self._after_calls, True),
        )
        self.kept = KEPT if self.foreign.per_pull else 0.0
        for what, share, part, needed in parts:
            self.kept *= what != LATER
            violations = self._within(what, share, part, needed)
            if violations or not self.pulls:  # there was no time for a single run
                return violations
        if unseen := [pull for pull, _ in self._unseen()]:
            violations = self._within(LATER, IN_ALL, lambda: self._late(unseen), True)
            if violations:
                return violations
        self._tell_unseen()
        return self._within("fresh runs", inf, self._often, False)

    def _within(
        self, what: str, share: float, part: Callable[[], tuple[Violation, ...] | None], needed: bool
    ) -> tuple[Violation, ...]:
        """What a part of the check shows in such a share of the seconds, as far as it comes."""
        self.spared = 0.0 if needed else IN_ANY_CASE + self.kept
        self.limit = self.stage.meter.work / PACE + self._share(share) if share < inf else inf
        self.pricing = False
        try:
            return part() or ()
        except OutOfTime:
            again = what == TOLD and (self.arms_alone or self.pricing)  # what arms tell again adds up
            self.unfinished[what] = needed or again
            return ()
        finally:
            self.limit = inf

    def _lists(self) -> tuple[Violation, ...]:
        """What the first lists show."""
        self.pulls = self.seen = self._first_length()
        for k in range(MOST_LISTS):
            done = self.stage.meter.seconds() / self.seconds
            if k and (done > 1 or k >= LISTS and not (self.reused or any(self._doubted()))):
                break
            fair = done + (1 - done) / max(1, LISTS - k)  # of what earlier lists left
            violations = self._list(k, min(1.0, max((k + 1) / LISTS, fair) if k else FIRST_LIST))
            if violations:
                return violations
        return ()

    def _as_asked(self) -> tuple[Violation, ...]:
        """What a list shows that is as long as the horizon that was asked for, or as the time allows."""
        if not self.asked:
            return ()
        self.needed = ceil(IN_ALL * self._seconds_of(self.longest))
        before, self.pulls = self.pulls, self._affordable()
        if self.pulls == before:
            return ()
        violations = self._list(self.runs, self.stage.meter.seconds() / self.seconds + 1)
        self.seen = self.pulls
        return violations

    def _share(self, of: float) -> float:
        """The seconds for a part that may take such a share of them, as far as they are left."""
        left = (self._most() - self.spared - IN_ANY_CASE * bool(self.suspects)) * self.seconds - self._spent()
        return max(0.0, min(of * self.seconds * self._most() / IN_ALL, left))

    def _most(self) -> float:
        """Times the seconds that all parts may take: more where arms have prices, and for what an "ok" needs, unless
        somebody has said how long."""
        more = (self.arms.samples or not self.spared) and self.ends == inf and self.until is None
        return IN_ALL * (AS_LONG if more else 1)

    def _spent(self) -> float:
        """The seconds that all work so far is worth, or more where it took longer, whatever others do meanwhile."""
        slower = SLOWER if self.ends == inf else 1
        computed, clock = self.clock.computed() - LOADING, self.clock.by_the_clock()
        return max(self.stage.meter.work / PACE, computed / slower, clock / BUSY)

    def _in_time(self) -> None:
        """Raises OutOfTime where a part has had its time, a policy has waited for long, or the time by the clock is
        over."""
        clock = self.clock.by_the_clock()
        if (
            clock > min(self.ends, inf if self.until is None else self.until)
            or self.stage.meter.work > self.limit * PACE
        ):
            raise OutOfTime
        if clock > self.looks:
            most, self.looks = self._most() * self.seconds + LOADING, clock + LOOKING
            self.waited |= clock > most and self.clock.wall() > most and self.clock.waits()
            over = self.limit < inf and self._spent() > (self._most() - self.spared) * self.seconds
            if self.waited or over:
                raise OutOfTime

    def _late(self, starts: Sequence[int] = ()) -> tuple[Violation, ...]:
        """What late stretches of longer runs show: where something ran for the first time, and ever farther out; or
        those that begin at these pulls."""
        if self.foreign.rewards_at:
            return ()
        passed = {t.pull for t in self.passed}
        ran = {pulls for _, pulls in self.stage.coverage.first().values()}
        late = self._apart(sorted(at for at in ran | passed if at > self.pulls))
        first, rest = late[:MOST_LATE], late[MOST_LATE:]
        farther = takewhile(
            lambda at: at <= (self.longest if self.asked else LENGTHS[-1]), (STAYS * 4**k for k in range(20))
        )
        for k, start in enumerate(self._apart(starts) or dict.fromkeys([*first, *reversed([*farther]), *rest])):
            runs = LOOKED_AT * MOST_LOOKED_AT + self._draws() / self.pulls * (start + self.pulls)
            looking = runs * (start + self.pulls) * self.foreign.per_pull
            if looking > self.limit * PACE - self.stage.meter.work or self._capped(start + 1) == start:
                continue
            violations, last, self.shown, self.stage.since = (), start, False, start - 1
            try:
                for times in WIDER:
                    if not (violations or self.shown):
                        last = self._capped(start + times * self.pulls) - 1
                        telling = self._telling(MOST_LISTS + 3 * LOOKED_AT * k, last + 1)
                        violations = self._list(*telling)
            finally:
                self.stage.since = 0
            if violations:
                return violations
            if self.unpriced and start not in first:
                break  # a price of arms alone takes a thousand runs
            self.stretches += [] if self.unpriced else [(start, last)]
        return ()

    def _unseen(self) -> list[tuple[int, str]]:
        """Pulls at which a late stretch was due, and none was looked at, and why it was due."""
        if self.foreign.rewards_at or self.missing:
            return []
        passed = {t.pull: t.line for t in reversed(self.passed)}
        ran = {pulls for _, pulls in self.stage.coverage.first().values()} if self.noisy else ()
        late = sorted(at for at in {*ran, *passed} if at > self.pulls)
        unseen = [at for at in late if not any(start <= at <= last for start, last in self.stretches)]
        return [
            (at, f"a threshold is passed: {passed[at]}" if at in passed else "some line first ran") for at in unseen
        ]

    def _tell_unseen(self) -> None:
        for pull, why in self._unseen()[:1]:
            cure = KEEP if self.unpriced else "(give more seconds)"  # arms of such long runs are not priced at all
            self.missing[f"no reward was changed at pull {pull}, where {why} {cure}"] = None

    def _seldom(self) -> tuple[Violation, ...]:
        """What branches show that noise or coins seldom reach: each is looked at in the run in which it was seen."""
        if self.foreign.rewards_at:
            return ()
        kept = self.noisy and not self.arms_alone
        for branch in (b for b in seldom(self.stage.coverage, self.lists) if b.reads_raw(self.stage.coverage)):
            self.stage.since = max(0, branch.pulls - 2 * self.pulls)
            rewards, seed = branch.run[0][: branch.pulls + self.pulls], branch.run[1]
            try:
                given = self.stage, self.solver, branch, rewards, seed, self.possible
                why = why_open(*given) if kept and branch.pulls else None
                self.missing |= {f"{why}: {branch.line}": None} if why else {}
                times = list(range(branch.pulls - 1, self.stage.since - 1, -1))[:MOST_SELDOM]
                violations = () if why == "" else self._list(seed - self.seed, inf, rewards, times)
            finally:
                self.stage.since = 0
            if violations:
                return violations
        return ()

    def _after_calls(self) -> tuple[Violation, ...]:
        """What runs show in which another method is called between two pulls, such as one that restarts the policy.

        Whoever resumes a policy calls some of them, by their names. What another one does, nobody may have meant to
        call then: it stays open.
        """
        if self.foreign.rewards_at:
            return ()
        methods = self.stage.other_methods()
        driven = [name for name, possible in methods.items() if possible][:MOST_CALLED]
        self.uncalled = [name for name in methods if name not in driven]
        for k, name in enumerate(driven):
            for turn, at in enumerate((self.pulls - 1, self.pulls - 4, *self._first_running(name))):
                violations = self._after_call(CALLED + 3 * LISTS * (3 * k + turn), name, at)
                if violations:
                    return violations
        return ()

    def _first_running(self, name: str) -> list[int]:
        """A pull before which a call of a method runs something that never ran, if there is one."""
        before, rewards = len(self.stage.coverage.unreached()), (self.possible.low,) * self.pulls
        for at in range(self.pulls - 2, 0, -1) if before else ():
            self.stage.called = at, name
            with self.stage.coverage.collecting():
                self.stage.play(rewards, self.seed + CALLED, bare=True)
            self.stage.called = -1, ""
            if len(self.stage.coverage.unreached()) < before:
                return [at]
        return []

    def _after_call(self, number: int, name: str, at: int) -> tuple[Violation, ...]:
        before, self.missing, self.stage.called = self.missing, {}, (at, name)
        try:
            equal = (self.possible.low,) * self._capped(2 * self.pulls)
            number, until, rewards, times = self._telling(number, len(equal), equal)
            if (run := self.stage.play(rewards, self.seed + number, bare=True)).raised:
                self.uncalled.append(f"{name} (it raises {type(run.raised).__name__} between two pulls)")
                return ()
            violations = self._list(number, until, rewards, [max(0, at - 1), max(0, at - 2), *times])
        finally:
            when = f"after {name}() before pull {at}"
            self.missing, self.stage.called = before | {f"{when}: {x}": None for x in self.missing}, (-1, "")
        told = tuple(replace(violation, reason=f"{when}: {violation.reason}") for violation in violations)
        if name.startswith(RESUMING):
            return told
        self.missing.update({f"{violation.reason}: {violation.line}": None for violation in told})
        return ()

    def _apart(self, late: Sequence[int]) -> list[int]:
        """Of these pulls, those whose stretches are not those of earlier ones."""
        chosen: list[int] = []
        for at in late:
            if not chosen or at >= chosen[-1] + self.pulls:
                chosen.append(at)
        return chosen

    def _thresholds(self) -> None:
        """What the policy's counters are compared with: runs grow until it is passed, as far as they may."""
        if self.foreign.rewards_at or not self.stage.own.classes:  # a program in another language shows none
            return
        read = Thresholds(self.stage.own)
        most, pulls = (self.longest, self.longest) if self.asked else (FARTHEST, LENGTHS[-1])
        found, played = list[Threshold](), pulls
        for k in range(READINGS):
            seed, generator = self.seed + k, own_generator(self.seed, READ, k)
            rewards = tuple(self.possible.at(generator.random(pulls)).tolist())
            with read.reading(lambda: self.stage.coverage.pulls()):
                run = self.stage.play(rewards, seed, bare=True)
            if run.raised:  # it was not made for so many pulls
                pulls = played
                break
            found, played = read.found(), pulls
            ahead = [t.pull for t in found if not t.passed and t.pull <= most]
            if k and not (ahead and pulls < most):
                break
            if k > 1:  # what counts has become slower, such as batches that double
                pulls = most
            elif k:
                pulls = min(most, max([pulls, *(at + at // 10 + self.pulls for at in ahead)]))
        self.farthest = max(LENGTHS[-1], pulls)
        self.passed = [t for t in found if t.passed and t.pull > self.pulls]
        for threshold in found:
            if not threshold.passed and not threshold.decides:
                at = f", at about pull {threshold.pull}" if threshold.pull > pulls else ""
                give = f"(give horizon={_rounded_up(max(pulls, threshold.pull))})"
                self.missing[f"a threshold lies beyond pull {pulls}{at} {give}: {threshold.line}"] = None

    def _telling(self, k: int, pulls: int, given: Rewards = ()) -> tuple[int, float, Rewards, list[int]]:
        """Of some lists from number k on, the one on which most single rewards of the late stretch show in the arms,
        and some of these rewards: the first one of the stretch, and those that show first. The time is not limited. The
        first list may be given. Where none shows, more lists are tried, for one on which other rewards in the stretch
        turn an arm."""
        best: tuple[tuple[int, int], int, Rewards, list[int]] = ((-1, 0), k, (), [])
        several = range(k, k + 3 * LOOKED_AT, 3)
        for number in (*several, *(MORE_LISTS + at for at in range(k, k + 3 * MORE, 3))):
            if number >= MORE_LISTS and (best[0] > (0, 0) or not self.stage.since):
                break
            seed, generator = self.seed + number, own_generator(self.seed, number)
            rewards = given if given and number == k else self._rewards(number, pulls, seed, generator)
            run = self.stage.play(rewards, seed, bare=True)
            times = (self.stage.since + generator.permutation(pulls - self.stage.since))[:MOST_LOOKED_AT].tolist()
            if run.raised:  # what it says of itself
                return number, inf, rewards, times[:FEW_CHANGED]
            tried = times if number < MORE_LISTS else []
            others = {t: self.stage.play(self._far_neighbour(rewards, t), seed, bare=True) for t in tried}
            parted = {t: at for t in tried if (at := parted_at(run, others[t])) is not None}
            shown = sorted(parted, key=parted.__getitem__)
            told = [self.stage.since] if self.stage.since else []  # with it what first runs there began
            ordered = [*dict.fromkeys([*told, *shown, *times])][:FEW_CHANGED]
            ends = (
                (*rewards[: self.stage.since], *(end,) * pulls)[:pulls]
                for end in (self.possible.low, self.possible.high)
            )
            turns = any(parted_at(run, self.stage.play(x, seed, bare=True)) is not None for x in ends)
            best = max(best, ((len(shown), int(turns)), number, rewards, ordered), key=lambda found: found[0])
            if len(shown) >= FEW_CHANGED:
                break
        _, number, rewards, times = best
        return number, inf, rewards, times

    def _ends(self) -> tuple[Violation, ...]:
        """What lists show on which all rewards are the lowest one, or the highest: sums are 0 there, or full. And what
        lists show of equal fractions, whose largest, median and spread one reward moves far."""
        if self.foreign.rewards_at:
            return ()
        tied = float(self.possible.at(np.array([TIED]))[0])
        for k, end in enumerate(dict.fromkeys((self.possible.low, self.possible.high, tied))):
            times = own_generator(self.seed, AT_ENDS, k).permutation(self.pulls)[:CHANGED_AT_ENDS].tolist()
            until = max(1.0, self.stage.meter.seconds() / self.seconds + AGAIN)
            if violations := self._list(AT_ENDS + 3 * k, until, (end,) * self.pulls, times):
                return violations
        return ()

    # ------------------------------------------------------------------------------------------------------- recording

    def _list(self, k: int, until: float, given: Rewards = (), times: Sequence[int] = ()) -> tuple[Violation, ...]:
        """What list k shows, in the share of the time up to this one; its rewards and those of them that are changed
        may be given."""
        generator = own_generator(self.seed, k)
        seed = self.seed + k
        if k % 3 == 2:
            self.stage.far.add(seed)
        rewards, ran = given or self._rewards(k, self.pulls, seed, generator), frozenset[Where]()
        for more in range(1 if times else COVERED):
            with self.stage.coverage.collecting(whole=not more):
                self.stage.play(rewards, seed + LISTS * more, bare=True)
            ran = ran if more else frozenset(self.stage.coverage.ran)
        run = self.stage.play(rewards, seed)
        self.runs += 1
        for sentence in sorted(run.tape.told):
            self.missing[sentence] = None
        if run.tape.told:  # what is drawn then follows other laws than its names say: nothing can be concluded
            return ()
        if run.raised:
            far = seed in self.stage.far
            if not far and self._raised_everywhere(run):
                raise run.raised
            others = "" if far or self.possible != UNIT else f" ({OTHERS})"
            self.missing[f"{FAR_OUT if far else IN_SOME}: {self.teller.raised(run.raised)}{others}"] = None
            return ()
        if not self._repeats(run, seed):
            self.missing[
                "the policy differs between two runs with the same draws, so it draws from another source too "
                "or keeps something from an earlier run, as in a global (draw from random or numpy.random; sort what "
                "comes from a set; make what is learnt anew for each run)"
            ] = None
            return ()
        if run.tape.fixed:  # a second look, beside the one at its source
            other = self.stage.play(rewards, seed + ELSEWHERE, bare=True)
            if [f.seed for f in other.tape.fixed[:1]] != [run.tape.fixed[0].seed]:
                seed_of = f"{run.tape.fixed[0].seed} (give each run a seed of its own)"
                self.missing[f"a seed seems to be the program's own, and is not: {seed_of}"] = None
                return ()
        began = self.stage.meter.work
        recorded = self.solver.recorded(run, seed, self.noisy)
        drawn = self.stage.meter.work
        order = list(times) or generator.permutation(len(rewards))[:MOST_CHANGED].tolist()
        reached, now = dict[int, set[str]](), self.stage.meter.seconds()
        half = (now + min(until, 1.0) * self.seconds) / 2
        for t in order:
            if len(reached) >= FEWEST_CHANGED and not times and self.stage.meter.seconds() > half:
                break
            reached[t] = self.solver.first_effects(recorded, self._far_neighbour(rewards, t))
        order = list(reached)
        recorded.noisy.update(*reached.values())
        if times:  # few rewards are changed: what had noise in short runs has it here too
            fed = {entry.path for moved in recorded.depends.values() for entry in moved}
            recorded.noisy |= self.noisy & fed
        draws, depends = recorded.draws, recorded.depends
        shown = (draws[name] for name in depends if any(e.path in recorded.noisy for e in depends[name]))
        self.releasing |= {(draw.spot, draw.law) for draw in shown}
        self._note(run)
        self.decisions += len(run.actions) - 1
        order.sort(key=lambda t: not reached[t])
        by_cause: dict[str, Violation] = {}
        self.moved = set()
        for number, t in enumerate(order):
            share = ONCE_SHOWN if by_cause.keys() - {"budget"} else until
            fewest = FEWEST_GIVEN if times else FEWEST_CHANGED
            if number >= fewest and self.stage.meter.seconds() > self.seconds * share:
                break
            try:
                violations = self._neighbour(recorded, self._far_neighbour(rewards, t), generator)
            except OutOfTime:
                if by_cause:
                    break
                raise
            for violation in violations:
                by_cause.setdefault(violation.cause, violation)
        if not by_cause and (self.stage.since or self.stage.called[1]):
            for violation in self._driven(recorded, generator):
                by_cause.setdefault(violation.cause, violation)
        elif not times and len(self.short) < LISTS:
            self.short.append(recorded)
            self.work_of_draws, self.work_of_rewards = drawn - began, (self.stage.meter.work - drawn) / len(reached)
        if not times:
            self.lists.append(Comparison(frozenset(recorded.noisy), frozenset(self.moved), ran))
        return tuple(sorted(by_cause.values(), key=lambda violation: FIRST_TOLD.index(violation.cause)))

    def _note(self, run: Played) -> None:
        """The pulls of a run, and its releases: the draws of lines whose draws noisy numbers show."""
        draws = {draw.name: draw for draw in run.tape.draws}
        releases = {name for name, draw in draws.items() if (draw.spot, draw.law) in self.releasing}
        for lever in levers(list(draws.values()), -1):  # two draws that make one variable are one release
            releases -= {*lever.names[1:]} if releases.issuperset(lever.names) else set()
        self.far, self.most_releases = max(self.far, len(run.rewards)), max(self.most_releases, len(releases))

    def _told_again(self) -> tuple[Violation, ...]:
        """What the first rewards cost in runs that go on: noisy numbers that tell of them again and again add up.

        Rewards are equal. One run is any, and one stays with its first arm, which then tells them most often.
        """
        if self.foreign.rewards_at:
            return ()
        for k, end in enumerate((self.possible.high, self.possible.low)):
            rewards = (end,) * self._capped(self._going_on())

            def stays(number: int, rewards: Rewards = rewards) -> int:
                actions = self.stage.play(rewards, self.seed + number, bare=True).actions
                return actions.count(actions[0]) if actions else 0

            numbers = range(TOLD_AGAIN + 3 * k, TOLD_AGAIN + 3 * k + 6 * STAYING, 6)
            if any(self.stage.play(rewards, self.seed + number, bare=True).raised for number in numbers[:FEW_CHANGED]):
                rewards = rewards[: max(self.pulls, len(rewards) // 2)]  # it was not made for so many pulls
            for number in dict.fromkeys((numbers[0], max(numbers, key=stays))):
                until = self.stage.meter.seconds() / self.seconds + AGAIN
                if violations := self._list(number, until, rewards, times=range(min(FEW_CHANGED, len(rewards)))):
                    return violations
        return ()

    def _capped(self, pulls: int) -> int:
        """So many pulls, or those that were asked for."""
        return min(pulls, self.longest) if self.asked else pulls

    def _going_on(self) -> int:
        """The pulls of a run that goes on: every draw takes a run, so that the work grows with their square."""
        draws = self._draws()
        for times in range(GOING_ON, 2, -1):
            if times * self.pulls * PER_PULL * (CHANGES + times * draws) <= GOING / 3 * self.seconds * PACE:
                return times * self.pulls
        return 2 * self.pulls

    def _draws(self) -> int:
        """Of the first lists, at most."""
        return max((len(recorded.draws) for recorded in self.short), default=0)

    def _turns(self) -> tuple[Violation, ...]:
        """What the first lists show where their rewards are driven."""
        for k, recorded in enumerate([] if self.foreign.rewards_at else self.short):
            if violations := self._driven(recorded, own_generator(self.seed, DRIVING, k)):
                return violations
        return ()

    def _driven(self, recorded: Recorded, generator: np.random.Generator) -> tuple[Violation, ...]:
        """What neighbours show between which a decision turns although no noisy number differs."""
        until = self.stage.meter.seconds() + DRIVEN * self.seconds
        for found, neighbour in turning(self.stage, self.solver, recorded, self.possible, generator, until):
            if violations := self._neighbour(found, neighbour, generator):
                return violations
        return ()

    def _repeats(self, run: Played, seed: int) -> bool:
        """Whether the same draws give the same run; without that nothing can be said of what a draw moves."""
        again = self.stage.play(run.rewards, seed)
        return again.actions == run.actions and again.states == run.states

    def _raised_everywhere(self, run: Played) -> bool:
        """Whether runs on other rewards with other draws end at the same pull: then the policy is at fault, or its use.

        What is raised in some runs only depends on rewards or on noise, and somebody sees it.
        """
        for k in range(1, 1 + ELSEWHERE_RAISED):
            seed = self.seed + ELSEWHERE * k
            generator = own_generator(seed, k)
            other = self.stage.play(reward_list(k % 2, len(run.rewards), generator, self.possible), seed, bare=True)
            if type(other.raised) is not type(run.raised) or len(other.actions) != len(run.actions):
                return False
        return True

    def _rewards(self, k: int, pulls: int, seed: int, generator: np.random.Generator) -> Rewards:
        """The k-th list: coin flips, arms of their own, quarters, stretches, close ones, all the same, rare ones."""
        kind = KINDS[k % len(KINDS)]
        if isinstance(kind, int):
            return reward_list(kind, pulls, generator, self.possible)
        if self.foreign.rewards_at:
            return reward_list(0, pulls, generator, self.possible)
        run = self.stage.play(reward_list(0, pulls, generator, self.possible), seed, bare=True)
        if run.raised and not run.actions:
            raise run.raised
        if (arms := 1 + int(max(run.actions))) > MOST_ARMS:
            allowed = f"a number below {MOST_ARMS}; `choose` and `hear` may number the arms from 0"
            raise InvalidInput("arm", arms - 1, allowed)
        table = reward_table(int(kind[-1]), pulls, generator)(arms)
        shares = 0.45 + table / 10 if kind.startswith("close") else table
        return self.stage.earned(self.possible.at(shares), seed)

    def _far_neighbour(self, rewards: Rewards, time: int) -> Rewards:
        return far_neighbour(rewards, time, self.possible)

    # --------------------------------------------------------------------------------------------------------- solving

    def _neighbour(
        self, recorded: Recorded, neighbour: Rewards, generator: np.random.Generator, anew: bool = True
    ) -> tuple[Violation, ...]:
        whole = self.solver.whole(recorded, neighbour)
        self.released += bool(whole.costs)
        self.told = max(self.told, len(whole.costs))
        parted = parted_at(recorded.run, whole.run)
        self.followed |= {line_of(recorded.draws[name]) for name, _ in whole.costs.values()}
        if self._seeded(recorded, whole):
            return ()
        lost = self._raw_late(recorded, whole)
        if lost and anew and parted is None and (there := self._where_it_turns(recorded, neighbour)) is not None:
            if turned := self._neighbour(there, neighbour, generator, anew=False):
                return turned
        unsure = any(line_of(recorded.draws[name]) in self.stuck for name, _ in whole.costs.values())
        trouble = whole.stuck or whole.unpriced or whole.dear or whole.doubts
        self.shown |= bool(whole.costs or trouble) or parted is not None
        if parted is None and not trouble and not unsure and (whole.costs or self.foreign.rewards_at):
            self.spent = max(self.spent, whole.cost)
            return ()
        late = self.stage.since or self.stage.called[1] or self.arms_alone
        if anew and parted is None and not (trouble or whole.costs or late):
            there = self._where_it_shows(recorded, neighbour)
            if there is not None:
                return self._neighbour(there, neighbour, generator, anew=False)
        kept = self.solver.aligned(recorded, neighbour, recorded.kept(), near=self.solver.allowed)
        at = parted_at(recorded.run, kept.run)
        if at is None and not kept.unpriced and not kept.stuck and kept.dear:
            if not self.solver.cheaper(recorded, neighbour, kept):
                return self._too_dear(recorded, kept)
            self.missing[f"{OF_SEVERAL}: {kept.dear}"] = None
            return ()
        if whole.stuck:
            self.stuck[whole.stuck] += 1
        shared = parted is not None and self.solver.one_draw_for_two(recorded, whole, neighbour, parted)
        lines = {line_of(recorded.draws[name]): place_name(entry.path) for entry, name in whole.doubts}
        if lost and parted is not None:
            hidden = hidden_draws(self.stage, recorded, neighbour, parted, self.noisy, lost)
            if hidden is not None:
                return self._past_the_noise(recorded, whole, neighbour, parted, generator, shared, hidden)
        told = bool(self.noisy) or bool(self.followed) and not self.arms.samples  # by numbers, not by arms alone
        if not shared and self.stage.since > (PRICED_UNTIL if told else 0):
            if parted is not None and not self._may_be_hidden(recorded.run, whole.run, parted):
                return self._past_the_noise(recorded, whole, neighbour, parted, generator, shared)
            late = self.stage.since <= PRICED_LATE and not self.foreign.rewards_at
            if late and self.arms.hiders and self.arms.hides(recorded.run, recorded.seed, neighbour):
                self.arms_alone = self.shown = True
                return ()
            hidden = not told and self._draws_after(recorded.run, whole.run)
            self.unpriced |= hidden or bool(trouble) or parted is not None
            return ()
        if not kept.doubts and (beside := self._beside_what_is_kept(recorded, neighbour, kept, at, generator)):
            return beside
        if at is not None and (turned := self._beside_coins(recorded, kept, at)):
            return turned
        self.pricing = True  # until it has an end: then nothing else explains what the reward does
        hidden = not shared and self._hidden_in_arms(recorded, neighbour, kept, lines)
        self.pricing = False
        if hidden:
            return ()
        self.doubts |= lines
        if whole.stuck:
            self.open.add(whole.stuck)
            return ()
        if unsure and not trouble:
            self.open |= {line_of(recorded.draws[name]) for name, _ in whole.costs.values()} & self.stuck.keys()
            return ()
        if whole.dear:
            more = f"more than the budget if each of them counted as released {KEEP}: {whole.dear}"
            self.missing[f"noisy numbers that the policy does not keep choose the arms; they would cost {more}"] = None
        elif parted is not None:
            free = self._beside_what_is_told(recorded, whole, parted, generator)
            shared = shared and free is None
            return self._past_the_noise(recorded, whole, neighbour, parted, generator, shared, free)
        elif whole.unpriced:
            self.missing[whole.unpriced] = None
        elif whole.costs:
            self.spent = max(self.spent, whole.cost)
        elif self.arms.shows(recorded.run, recorded.seed, neighbour):
            self.missing[f"noise that the policy does not keep hides a reward in the arms, {UNKNOWN_COST}"] = None
        return ()

    def _where_it_shows(self, recorded: Recorded, neighbour: Rewards) -> Recorded | None:
        """A run on the same rewards, with other draws, in which the changed reward shows in a kept noisy number: in the
        recorded one it did not, as where its batch was not full at the end."""
        rewards, kept = recorded.run.rewards, recorded.kept()
        for seed in range(recorded.seed + FRESH_SEEDS, recorded.seed + FRESH_SEEDS + ANEW_TIMES if kept else 0):
            run = self.stage.play(rewards, seed)
            other = self.stage.play(neighbour, seed, like=run)
            told = run.raised or other.raised or run.tape.told
            if not told and any(entry.path in kept for entry, _, _ in differing(run, other)):
                there = self.solver.recorded(run, seed, self.noisy)
                there.noisy |= recorded.noisy
                return there
        return None

    def _where_it_turns(self, recorded: Recorded, neighbour: Rewards) -> Recorded | None:
        """A run on the same rewards, with other draws, in which the changed reward turns an arm, the earliest of some;
        in the recorded one a number lost its noise, and no arm told."""
        rewards, found = recorded.run.rewards, list[tuple[int, int]]()
        for seed in range(recorded.seed + FRESH_SEEDS, recorded.seed + FRESH_SEEDS + TURNING):
            one, two = (self.stage.play(x, seed, bare=True) for x in (rewards, neighbour))
            at = None if one.raised or two.raised or one.tape.told else parted_at(one, two)
            found += [] if at is None else [(at, seed)]
        if not found:
            return None
        _, seed = min(found)
        there = self.solver.recorded(self.stage.play(rewards, seed), seed, self.noisy)
        there.noisy |= recorded.noisy
        return there

    def _beside_what_is_kept(
        self, recorded: Recorded, neighbour: Rewards, kept: Aligned, parted: int | None, generator: np.random.Generator
    ) -> tuple[Violation, ...]:
        """What rewards do to kept noisy numbers and beside them, where no draw has to serve two of these: they stretch
        noise, which costs the more the farther out it is; or they turn an arm that no draw besides can keep."""
        if kept.stuck or kept.dear or not kept.costs or self.foreign.rewards_at:
            return ()
        if kept.unpriced.startswith(STRETCHED):
            name = next(reversed(kept.costs.values()))[0]
            low, high = DOMAIN.get(recorded.draws[name].law, (-inf, inf))
            for far in (far for far in FAR if low <= far <= high):
                seed = self.stage.with_draws(recorded.seed, {name: far})
                there = self.solver.recorded(self.stage.play(recorded.run.rewards, seed), seed)
                there.noisy |= recorded.noisy
                found = self.solver.aligned(there, neighbour, there.kept())
                if found.dear and not (found.unpriced or found.stuck or found.doubts):
                    return self._too_dear(there, found)
        free = recorded.unkept(self.solver.told)
        if parted is None or kept.unpriced or kept_by_others(self.stage, recorded, kept, parted, generator, free):
            return ()
        return self._past_the_noise(recorded, kept, neighbour, parted, generator, False, free)

    def _beside_what_is_told(
        self, recorded: Recorded, other: Aligned, parted: int, generator: np.random.Generator
    ) -> frozenset[Name] | None:
        """The draws besides those that kept numbers show together with rewards, where none of them keeps an arm."""
        free = recorded.unkept(self.solver.told)
        if other.changed or other.stuck or other.unpriced or other.doubts or len(free) == len(recorded.draws):
            return None
        return None if kept_by_others(self.stage, recorded, other, parted, generator, free) else free

    @_to_the_end
    def _beside_coins(self, recorded: Recorded, kept: Aligned, parted: int) -> tuple[Violation, ...]:
        """A violation if rewards turn an arm beside the kept noisy numbers, and the coins for it turn it too seldom:
        the reward that was changed, or the last one before this arm on either list."""
        if self.count.name != "epsilon" or self.foreign.rewards_at or not recorded.kept():
            return ()
        pairs = [(recorded, kept)]
        for there in (recorded, replace(recorded, run=kept.run)) if not kept.changed else ():
            latest = self._far_neighbour(there.run.rewards, parted - 1)
            pairs.append((there, self.solver.aligned(there, latest, recorded.kept())))
        for there, aligned in pairs:
            run, other = there.run, aligned.run
            one, two = ([draw for draw in _asked(played) if draw[2] <= parted] for played in (run, other))
            open_numbers = aligned.stuck or aligned.unpriced or aligned.doubts or aligned.dear
            if open_numbers or parted_at(run, other) != parted or one != two:
                continue
            said = Turned(self.stage, there, aligned, parted, there.unkept(self.solver.told)).told(self.budget)
            if said and not self._has_its_own_generator(run, there.seed):
                cause, line, reason = self.teller.raw(there, aligned, parted)
                reason = f"{reason}: pull {parted} is of arm {int(run.actions[parted])} {said}"
                return (Violation(REPLAY, reason, None, run.rewards, other.rewards, cause, line),)
        return ()

    def _may_be_hidden(self, run: Played, other: Played, parted: int) -> bool:
        """Whether anything is drawn after the changed reward was told, up to the pull at which the arms part, or so
        much before that not every draw can be tried alone: it may have been drawn for later use."""
        before = {draw.name for draw in (*run.tape.draws, *other.tape.draws) if draw.pulls <= parted}
        return len(before) > EACH_ALONE or self._draws_after(run, other, parted)

    def _draws_after(self, run: Played, other: Played, last: float = inf) -> bool:
        """Whether anything is drawn after the changed reward was told, up to this pull."""
        since = first_change(run.rewards, other.rewards)
        return any(since < draw.pulls <= last for draw in (*run.tape.draws, *other.tape.draws))

    def _raw_late(self, recorded: Recorded, whole: Aligned) -> set[str]:
        """Kept numbers that had noise on all short runs, and have none in a late stretch: no draw brings them back."""
        moved = {e.path for e, _, _ in differing(recorded.run, whole.run)}
        self.moved |= moved
        raw = {path for path in moved if not path.startswith(PASSING)}
        at, _ = self.stage.called
        if not self.stage.since and at < 0:
            self.noisy |= recorded.kept()
            self.raw |= raw
            return set()
        lost = set[str]() if whole.stuck else raw & self.noisy - self.raw  # a draw that is stuck is there
        if lost and not self.missing:
            when = f"after pull {self.stage.since}" if at < 0 else "then"
            self.missing[f"{place_name(min(lost))} has noise in short runs, and none {when} (add it there too)"] = None
        return lost

    def _seeded(self, recorded: Recorded, whole: Aligned) -> bool:
        """Whether noise follows from a seed that comes from elsewhere: a run whose outside randomness is another one
        draws it again. That is left open, since the seed may be another one in every run.

        Coins may be seeded, and so may a part of the noise beside another one that is not.
        """
        numbers = {entry: recorded.fed(entry) for entry in whole.costs}
        if not any(is_seeded(name) for fed in numbers.values() for name in fed):
            return False
        again = self._drawn_again(recorded.run, recorded.seed)
        fixed = next((fed[0] for fed in numbers.values() if fed and again.issuperset(fed)), None)
        if fixed is not None:
            self._tell_seed(fixed, line_of(recorded.draws[fixed]))
        return fixed is not None

    def _drawn_again(self, run: Played, seed: int) -> set[Name]:
        """The seeded draws of a run whose outside randomness is another one."""
        other = self.stage.play(run.rewards, seed + ELSEWHERE, bare=True)
        return {draw.name for draw in other.tape.draws if is_seeded(draw.name)}

    def _tell_seed(self, name: Name, line: str) -> None:
        _, seed, *_ = name[0] if isinstance(name[0], tuple) else ("", "")
        self.missing[f"{SEEDED.format(seed)}; give each run a seed of its own: {line}"] = None

    def _doubted(self) -> Iterator[str]:
        """What has no noise of its own, but for lines that are told already, and those whose draws were seen to hide
        rewards in the arms."""
        none = f"has no noise of its own on a neighbour, but the check saw no arm that reveals it {ANEW}"
        for line, path in self.doubts.items():
            if line not in self.reused and self.hidden[line] < OFTEN_HIDDEN:
                yield f"{path} {none}: {line}"

    def _without_a_price(self) -> Iterator[str]:
        """Normal noise on kept numbers: arms that did not part in the runs tell no price of it in a pure budget."""
        for recorded in self.short:
            aside = recorded.unkept()
            for name, draw in recorded.draws.items():
                if draw.law == "normal" and name not in aside and not self.arms.normal:
                    yield f"{self.solver.no_cost(draw.law)}: {line_of(draw)}"

    def _hidden_in_arms(self, recorded: Recorded, neighbour: Rewards, kept: Aligned, doubts: Mapping[str, str]) -> bool:
        """Whether the arms, with the numbers that are kept or without them, cost no more than the budget."""
        if self.count.name not in ("epsilon", "rho"):
            return False
        allowed, run, seed = self.arms.allowed, recorded.run, recorded.seed
        price, pull = inf, -1
        if kept.costs and not kept.unpriced and not kept.stuck and not kept.dear and not kept.doubts:
            spent = sqrt(2 * kept.cost) if self.arms.normal else kept.cost
            price, pull = self.arms.price(run, seed, neighbour, kept.changed, spent)
        alone = price > allowed
        if alone:
            if pull >= 0:
                self.arms.withdraw()
            price, pull = self.arms.price(run, seed, neighbour, {}, 0.0)
            other = self.stage.play(neighbour, seed, bare=True)
            if price <= allowed and parted_at(run, other) is not None and not other.raised:
                back, _ = self.arms.price(other, seed, run.rewards, {}, 0.0)
                price = max(price, back)
        if price > allowed:
            self.suspects.append(Suspect(price, run.rewards, neighbour, pull, seed))
            for line in doubts:
                self.hidden[line] = -NEVER
            return False
        self._note_price(price)
        self.released += pull >= 0
        open_numbers = kept.costs or kept.unpriced or kept.stuck or kept.doubts
        self.arms_alone |= alone and (pull >= 0 or bool(open_numbers))
        for line, path in doubts.items():
            if pull >= 0 and line not in self.hidden:  # fresh runs may show what one draw hides in the runs so far
                self.suspects.append(Suspect(price, run.rewards, neighbour, pull, seed))
            self.hidden[line] += pull >= 0
            self.doubts[line] = path
        return True

    def _note_price(self, price: float) -> None:
        """What the arms alone cost of the budget."""
        self.spent = max(self.spent, price**2 / 2 if self.arms.normal else price)

    def _peaks(self) -> None:
        """What single draws hide where rewards do most: lists between which the next arms tell most of a reward."""
        if self.foreign.rewards_at:
            return
        samples = {id(sample.run): sample for sample in self.arms.samples if not sample.changed}
        until = self.stage.meter.seconds() + DRIVEN * self.seconds
        for sample in list(samples.values())[:PEAKS]:
            for lever in self.arms.first_deciding(sample.run, sample.seed):
                given = sample.run, sample.seed, lever, self.possible, self.arms.allowed
                for rewards, neighbour, seed in steepest(self.stage, *given):
                    price, pull = self.arms.price(self.stage.play(rewards, seed), seed, neighbour, {}, 0.0)
                    if price > self.arms.allowed:
                        self.suspects.append(Suspect(inf, rewards, neighbour, pull, seed))
                if self.stage.meter.seconds() > until:
                    return

    def _unsettled(self) -> tuple[Violation, ...]:
        """Arms that no single draw hides in all runs. No more can be "ok" then, so fresh runs are made at once."""
        unsettled = self.arms.unsettled(self.stage.meter.seconds() + self._share(1.0))
        hiding = [(lever, sample) for way, sample in self.arms.hiders for lever in way.levers]
        self.hidden.update({located(*place): OFTEN_HIDDEN for lever, _ in hiding for place in lever.lines})
        for lever, sample in hiding:
            if all(map(is_seeded, lever.names)) and self._drawn_again(sample.run, sample.seed).issuperset(lever.names):
                self._tell_seed(lever.names[0], located(*lever.lines[0]))
        for price, sample in unsettled:
            self.suspects.append(Suspect(price, sample.run.rewards, sample.neighbour, sample.pull, sample.seed))
            line = self.teller.decision(
                sample.run, self.stage.play(sample.neighbour, sample.seed, bare=True), sample.seed, {}
            )
            first = line.partition("\n")[0]
            self.missing[f"noise that the policy does not keep hides a reward in the arms, {UNKNOWN_COST}: {first}"] = (
                None
            )
        self._note_price(self.arms.dearest)
        return self._often() if unsettled else ()

    def _in_steps(self) -> tuple[Violation, ...]:
        """What is kept with noise that has whole values only, on lists of any rewards that are possible."""
        if self.foreign.rewards_at:
            return ()
        for k in range(STEPPED):
            generator, seed = own_generator(self.seed, IN_STEPS, k), self.seed + k
            rewards = tuple(self.possible.at(generator.random(self.pulls)).tolist())
            run = self.stage.play(rewards, seed)
            if run.raised or run.tape.told or not self._repeats(run, seed):
                continue
            for time in generator.permutation(len(rewards))[:STEPPED_TIMES].tolist():
                reward = float(self.possible.at(generator.random(1))[0])
                neighbour = (*rewards[:time], reward, *rewards[time + 1 :])
                for told in told_beside_steps(self.stage, run, seed, neighbour):
                    if self.budget.line is not None and told.chance <= float(self.budget.line[1]):
                        continue  # it may happen
                    number = place_name(told.entry.path)
                    reason = (
                        f"no noise gives {number} the same value on the neighbour, so it tells the reward: {told.why}"
                    )
                    line = self.teller.drawn(run, seed, told.draw)
                    return (Violation(REPLAY, reason, None, rewards, neighbour, "budget", line),)
        return ()

    @_to_the_end
    def _often(self) -> tuple[Violation, ...]:
        """What fresh runs show of the rewards that no draw was seen to hide, unless they were made before."""
        if self.audited == len(self.suspects):
            return ()
        self.audited = len(self.suspects)
        dearest = sorted(self.suspects, key=lambda suspect: -suspect.price if isfinite(suspect.price) else 0.0)
        nth: Counter[Rewards] = Counter()  # of the suspects of a list: the dearest of every list come first
        turns = [nth.update([suspect.rewards]) or nth[suspect.rewards] for suspect in dearest]
        chosen = [dearest[k] for k in sorted(range(len(dearest)), key=turns.__getitem__)]
        chosen = [*self._alone_in_its_list(chosen), *chosen]
        seconds = max(IN_ANY_CASE * self.seconds, self._share(AUDITED))
        refuted = self.arms.refuted(chosen, self.budget, seconds, self.seed)
        if refuted is None:
            return ()
        suspect, reason = refuted
        if self._has_its_own_generator(self.stage.play(suspect.rewards, suspect.seed, bare=True), suspect.seed):
            return ()
        line = UNKNOWN
        for others in (None, *range(1, SHOWING)):  # draws with which the arms differ
            lists = suspect.rewards, suspect.neighbour
            one, two = (self.stage.play(x, suspect.seed, None, 0, True, others) for x in lists)
            if parted_at(one, two) is not None:
                lines = self.teller.decision(one, two, suspect.seed, {}, others).split(FROM)
                for draw in [draw for draw in one.tape.draws if draw.pulls <= (parted_at(one, two) or 0)][-1:]:
                    lines += self.teller.drawn(one, suspect.seed, draw, others).split(FROM)
                line = FROM.join(text for text in dict.fromkeys(lines) if text != UNKNOWN) or UNKNOWN
                break
        return (Violation(REPLAY, reason, None, suspect.rewards, suspect.neighbour, "budget", line),)

    def _alone_in_its_list(self, suspects: Sequence[Suspect]) -> list[Suspect]:
        """The reward of the first suspect, and the earliest one, changed in lists whose other rewards are equal and
        favour no arm, or are the lowest for its own arm: one reward does most there. What decides is near some limit,
        so the others have several levels; lists for the earliest one are long as well."""
        if self.foreign.rewards_at or not suspects:
            return []
        seed, found, ends = suspects[0].seed, list[Suspect](), (self.possible.low, self.possible.high)
        times = [first_change(suspect.rewards, suspect.neighbour) for suspect in suspects]
        first, time = times[0], min(times)
        lengths = (time + COUNTED, min(time + LASTING, max(self.longest, time + COUNTED)))
        lists = [(first, float(level), False, first + COUNTED) for level in self.possible.at(np.array(LEVELS))]
        lists += [(at, level, True, pulls) for at, level, _, pulls in lists[:-1] if level not in ends]
        lists += [(time, end, False, pulls) for end, pulls in product(ends, dict.fromkeys(lengths))]
        for at, level, lower, pulls in lists:
            rewards = tuple(ends[1] if t == at and level not in ends else level for t in range(pulls))
            run = self.stage.play(rewards, seed)
            if lower and not run.raised:
                low = (ends[0] if t != at and run.actions[t] == run.actions[at] else r for t, r in enumerate(rewards))
                rewards = tuple(low)
                run = self.stage.play(rewards, seed)
            neighbour = self._far_neighbour(rewards, at)
            pull = -1 if run.raised else self.arms.first_shown(run, seed, neighbour)
            found += [Suspect(inf, rewards, neighbour, pull, seed, pulls)] if pull >= 0 else []
        return found

    def _affordable(self) -> int:
        """The horizon that was asked for, halved until a list is judged in the time there is."""
        pulls = self.longest
        while pulls > self.pulls and self._seconds_of(pulls) > self.seconds:
            pulls //= 2
        return max(pulls, self.pulls)

    def _seconds_of(self, pulls: int) -> float:
        """What a list of so many pulls takes, by the last short one: a run for every draw, and a few changed rewards,
        each of which shows in as many numbers as there, or in ever more if a lot of them tell of it."""
        times, draws = pulls / self.pulls, len(self.short[-1].draws) if self.short else 0
        more = times if self.told > draws / OFTEN_TOLD else 1.0
        return times * (times * self.work_of_draws + more * FEWEST_CHANGED * self.work_of_rewards) / PACE

    def _lengths(self) -> list[int]:
        """Of runs: a short one first, and the last one as long as there may be."""
        shorter = [length for length in LENGTHS if length < self.longest]
        return [*shorter, self.longest] if self.longest <= LENGTHS[-1] else list(LENGTHS)

    def _longer_lengths(self) -> list[int]:
        """The same, and as far as thresholds need."""
        return sorted({*self._lengths(), self.farthest} - set(range(self.longest + 1, LENGTHS[-1] + 1)))

    def _first_length(self) -> int:
        """The shortest length of runs in which the arms depend on the rewards.

        None where it would take too long to see what depends on each draw: a tree draws at every pull.
        """
        affordable = self._lengths()[0]
        for pulls in self._lengths():
            for k in range(SHOWING):
                generator = own_generator(self.seed, pulls, k)
                lists = [self._rewards(kind, pulls, self.seed, generator) for kind in (0, 1)]
                runs = [self.stage.play(rewards, self.seed, None, 0, True, k) for rewards in lists]
                if any(run.raised for run in runs):
                    return self._lengths()[0]
                if PER_PULL * pulls * (CHANGES + len(runs[0].tape.draws)) > self.seconds * PACE:
                    return affordable
                if parted_at(*runs) is not None:
                    return pulls
            affordable = pulls
        return self._lengths()[0]

    def _longer(self) -> None:
        """Longer runs, as long as some branch never ran. What differs between their neighbours is suspected."""
        for pulls in self._longer_lengths():
            began = self.stage.meter.seconds()
            if pulls <= self.pulls or not self.stage.coverage.unreached():
                continue
            for k in range(LONG_LISTS):
                if k and self.stage.meter.seconds() - began > LONGER * self.seconds:
                    break
                generator, seed = own_generator(self.seed, pulls, k), self.seed + k
                end = self.possible.high if k // 2 % 2 else self.possible.low
                rewards = self._rewards(k, pulls, seed, generator) if k % 2 else (end,) * pulls
                with self.stage.coverage.collecting():
                    run = self.stage.play(rewards, seed, bare=True)
                if run.raised:  # it was not made for so many pulls
                    return
                self.runs, self.seen = self.runs + 1, max(self.seen, pulls)
                self._note(run)
                times = [*range(LONG_TIMES // 2), *generator.integers(pulls, size=LONG_TIMES).tolist()]
                for time in times:
                    neighbour = self._far_neighbour(rewards, time)
                    at = parted_at(run, self.stage.play(neighbour, seed, bare=True))
                    if at is not None:
                        self.suspects.append(Suspect(inf, rewards[: at + 1], neighbour[: at + 1], at, seed))
                        if at > self.pulls:
                            break

    # --------------------------------------------------------------------------------------------------------- judging

    @_to_the_end
    def _past_the_noise(
        self,
        recorded: Recorded,
        aligned: Aligned,
        neighbour: Rewards,
        parted: int,
        generator: np.random.Generator,
        shared: bool,
        free: frozenset[Name] | None = None,
    ) -> tuple[Violation, ...]:
        """A violation if no draws keep the arms on the neighbour up to the pull at which they part, or if one draw is
        shared by two numbers. Draws that are not free stay, if these are given."""
        if shared:
            entry, name = aligned.doubts[0]
            cause, line, reason = self.teller.shared(recorded, entry, name)
            reason = (
                f"{reason}; whichever number is kept on the neighbour, pull {parted} differs unless "
                "another draw changes too"
            )
            return (Violation(REPLAY, reason, None, recorded.run.rewards, aligned.run.rewards, cause, line),)
        kept = kept_by_others(self.stage, recorded, aligned, parted, generator, free)
        if kept or not would_show(self.stage, recorded, parted, generator, free):
            none = f"no other noise was found that keeps pull {parted}, not even on the same rewards {KEEP}"
            if aligned.doubts:
                _, line, reason = self.teller.shared(recorded, *aligned.doubts[0])
                self.reused.setdefault(line, f"{reason}; other noise keeps the arms {ANEW}: {line}")
            elif kept:
                self.missing[f"noise that the policy does not keep chooses an arm, {UNKNOWN_COST}: {kept}"] = None
            else:
                self.missing[none] = None
            return ()
        run, other = recorded.run, aligned.run
        if self._has_its_own_generator(run, recorded.seed):
            return ()
        one, two = ([draw for draw in _asked(played) if draw[2] <= parted] for played in (run, other))
        doubt = next(((e, name) for e, name in aligned.doubts if e.pull <= parted), None) if one == two else None
        entry = f"entry {parted} of what is returned, all of which counts as arms,"
        pull = entry if self.foreign.rewards_at else f"pull {parted}"
        ending = f"{pull} differs on the neighbour whatever the noise is ({REDRAWN} other draws were tried)"
        if doubt is not None:
            cause, line, reason = self.teller.shared(recorded, *doubt)
            reason = f"{reason}; {ending}"
        else:
            cause, line, reason = self.teller.raw(recorded, aligned, parted)
            since = first_change(run.rewards, other.rewards)
            if fixed := [f for f in run.tape.fixed if since < f.pulls <= parted]:
                cause, reason = "noise reused", SEEDED.format(fixed[-1].seed)
                line = FROM.join(dict.fromkeys([located(*fixed[-1].place), *line.split(FROM)]))
            reason = f"{reason}: {ending}"
        return (Violation(REPLAY, reason, None, run.rewards, other.rewards, cause, line),)

    def _has_its_own_generator(self, run: Played, seed: int) -> bool:
        """Whether a seed that the policy is given decides, and seeds no generator that is followed: nothing is known of
        noise that it makes of the seed by itself."""
        other = None if self.foreign.rewards_at else self.stage.with_another_seed(run.rewards, seed)
        parted = None if other is None else parted_at(run, other)
        if other is None or parted is None:
            return False
        one, two = ([draw.name for draw in played.tape.draws if draw.pulls <= parted] for played in (run, other))
        if one == two:
            self.missing[
                "what a policy draws from a generator of its own, by a seed that it is given, is unknown "
                "(draw from random or numpy.random)"
            ] = None
        return one == two

    @_to_the_end
    def _too_dear(self, recorded: Recorded, aligned: Aligned) -> tuple[Violation, ...]:
        run, other, count = recorded.run, aligned.run, self.count
        if aligned.dear not in self.unshared and self.solver.otherwise(recorded, aligned):
            self.missing[f"{OF_SEVERAL}: {aligned.dear}"] = None
            return ()
        self.unshared.add(aligned.dear)
        _, (name, price) = (dearest := max(aligned.costs.items(), key=lambda item: item[1][1]))
        path, alone = place_name(dearest[0].path), price > self.solver.allowed
        told = name if alone else next(reversed(aligned.costs.values()))[0]
        line = self.teller.drawn(run, recorded.seed, recorded.draws[told])
        total = f"{count.name} = {aligned.cost:.6g}, more than {count.allowed:.6g}"
        if (cost := self.solver.accounted_for(recorded, aligned)) is not None:
            total, alone = f"{cost}, more than {cost.allowed:.6g}", alone or len(aligned.costs) == 1
        if _asked(run) != _asked(other):
            cause, line = "raw rewards", self.teller.decided(recorded, aligned)
            reason = f"the rewards themselves decide when noise is drawn; keeping {path} costs {total}"
        elif price == inf:
            law, more = recorded.draws[name].law, "costs ever more the farther out the noise is"
            cause, reason = "budget", f"no scale of {law} noise fits a pure budget: {path} {more}"
        elif alone:
            cause, reason = "budget", f"the scale does not fit the budget: {path} alone costs {total}"
        else:
            cause, reason = "budget", f"the budget is spent {len(aligned.costs)} times on one reward: {total}"
        return (Violation(REPLAY, reason, None, run.rewards, other.rewards, cause, line),)


def _rounded_up(pull: int) -> int:
    """A horizon that is well beyond the pull, with two digits."""
    step = 10 ** max(0, len(str(pull)) - 2)
    return step * ceil(1.1 * pull / step)


def _asked(run: Played) -> list[tuple[Name, Place, int]]:
    """Which draws were asked for, where and when."""
    return [(draw.name, draw.places[0], draw.pulls) for draw in run.tape.draws]
