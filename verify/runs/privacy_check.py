"""Is a policy private? It is run, replayed and watched, and the report says what was found or seen.

How much is tried is counted in batches and releases, `PACE` of them to a second: a seed gives the same report on every
machine that is fast enough. On others the clock cuts the work short, and the report says so.

In every round the policy is recorded on a reward list of its own, horizon and seed, and then replayed with the same
released values

- on its own rewards: what differs comes from outside the noise source and the generator;
- on lists that differ everywhere, far outside [0, 1] too: what depends on releases alone stays the same, and a leak is
  traced back to two neighbours in [0, 1];
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

import random
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import wraps
from itertools import count, cycle, islice
from math import ceil, log2

import numpy as np

from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.policy import Policy
from banditproof.theory.arguments import Seconds, Seed, Size, checked
from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.exact_numbers import check_count
from banditproof.theory.numbers.normal_law import normal_cdf
from banditproof.theory.privacy.budget import Budget
from banditproof.verify.runs.alignment import (
    align,
    between,
    changed_time,
    other_lists,
    reward_list,
    reward_table,
    same_behaviour,
    times_to_change,
)
from banditproof.verify.runs.coverage import MARK, Coverage
from banditproof.verify.runs.foreign.check import PULLS, ForeignCheck
from banditproof.verify.runs.foreign.policies import Replayed
from banditproof.verify.runs.journal import Journal, first_difference
from banditproof.verify.runs.ledger import (
    REPEATED,
    Violation,
    audit_ledger,
    costs_of_dearest,
    currency,
    overspent,
    privacy_loss,
    standard_draws,
    uncounted,
)
from banditproof.verify.runs.own_code import OwnCode
from banditproof.verify.runs.own_mechanisms import LAW_ERROR, broken_losses
from banditproof.verify.runs.recorder import (
    OWN,
    PolicyMaker,
    Release,
    Rewards,
    RewardsOfArms,
    Run,
    far_neighbour,
    farthest,
    other_draws,
    record,
    replay,
)
from banditproof.verify.runs.report import UNKNOWN, PrivacyReport
from banditproof.verify.stopwatch import Stopwatch

HORIZONS = (30, 60, 120, 2000, 60, 300, 30, 6000, 120, 700, 60, 20000, 300, 30, 1500, 60)
LONG = 2000  # and more pulls: as many as the horizon has, where one is given
LONG_KINDS = (0, 6, 3, 1)  # of reward lists, for long runs: there are few of them
ROUNDS = 3 * len(HORIZONS)  # more rounds find little that these have not found
PACE = 20_000  # units of work, a batch each, that a second is worth: most policies take half of the time
PER_RELEASE, PER_RUN = 3, 20  # units of work
SLOWEST = 2  # times the seconds that are given a check may compute, before the clock cuts it short
FAR_RUNS, FAR_LENGTHS = 120, (60, 30, 150)  # with far noise, where work is left over
REVISITED = 300  # neighbours of the longest run that are tried where work is left over
FEWEST_DECISIONS = 20
FEWEST_PULLS = 1000  # of the longest run, where no horizon is given
FEWEST_RUNS = 7  # in a round: recorded, again, on two other lists, outside the records, on two neighbours
FAR_FROM = 8  # the first round with far noise, unless ends are announced
FOREIGN = (
    r"default_rng|RandomState|np\.random\.(?!Generator)|(?<!np\.)\brandom\.|urandom|\btime\.|\bhash\(|secrets\.|uuid"
)
BY_HAND = r"\b(generator|rng)\.(laplace|normal|standard_normal|exponential|gumbel|logistic|geometric|uniform)\b"
LONGEST_ROUND, FARTHEST = 1, 5000  # the round, and its pulls, that goes as far as time allows, for the costs alone
MANY = 100_000  # releases to come that are looked at
FAR = 16  # as many times the longest run is what a growing cost is extrapolated to
LOUD = 1e3  # rewards of this size show in every raw statistic
CLOSE_LAW = 1e-10  # the probability that noise of the declared law is taken for another one, per test
TRIALS = 400  # runs that shrinking may take
BEGINNING = 100  # pulls of a run in which what draws noise by hand is looked for
SHORTENING = 0.5  # seconds that it may take in any case
SEEDS = 6  # with which a run is tried to show again what a replay has shown


@checked
def check_privacy(
    make_policy: PolicyMaker | Replayed,
    budget: Budget,
    *,
    seconds: Seconds = 4.5,
    seed: Seed = 0,
    horizon: Size | None = None,
) -> PrivacyReport:
    """Look for a violation of `budget` until one is found, `seconds` of computing are spent or no more is to be seen.

    The work of a check is counted, not timed: `seconds` says how much, and cuts it short where a policy is slow.

    `make_policy(noise, generator)` builds a fresh policy with one replication, which gets all noise from `noise` and
    its coin flips from `generator`; each release says of which rewards it is, `records=(start, stop)`. Runs are of
    different lengths, up to `horizon` pulls if that is given and can be reached in time, on lists of many kinds of
    rewards in [0, 1]. Random checks of the noise err with probability below 1e-8 in all.

    Coins count as known to whoever attacks: privacy that comes from keeping them secret (subsampling), or noise drawn
    past the source, is not seen, and such a policy is a violation here; `audit_private` judges by what comes out.

    Raises InvalidInput for a budget per replication or no time, and passes on what the policy raises.
    """
    if horizon is not None:
        check_count("horizon", horizon, 1)
    currency(budget)  # raises for a budget per replication
    if isinstance(make_policy, Replayed):
        return ForeignCheck(make_policy, budget, seconds, seed, horizon or PULLS).report()
    return _Search(make_policy, budget, seconds, seed, horizon).report()


@dataclass
class _Search:
    """One check of one policy: the rounds, what has been seen, and what was found."""

    make_policy: PolicyMaker
    budget: Budget
    seconds: float
    seed: int
    horizon: int | None
    runs: int = 0
    replays: int = 0
    longest: int = 0
    replayed: int = 0  # pulls of the longest run that was replayed on more than neighbours
    releases: int = 0
    decisions: int = 0
    spending: dict[int, float] = field(default_factory=dict)  # by horizon
    costs: dict[int, tuple[Sequence[int], Sequence[float]]] = field(default_factory=dict)  # of the dearest reward
    touched: set[str] = field(default_factory=set)
    pending: dict[str, str] = field(default_factory=dict)  # what is not settled, by what it is about
    draws: dict[str, list[np.ndarray]] = field(default_factory=lambda: {"laplace": [], "normal": []})
    own: OwnCode = field(default_factory=OwnCode)
    journal: Journal = field(default_factory=Journal)
    loud: tuple[Run, Rewards, int] | None = None  # a run, rewards outside [0, 1] that change what it does, and the seed
    work: int = 0  # units, so far
    rate: float = 1.0  # units of work per pull, in the longest run
    replaying: float = 0.0  # seconds that the replays took
    replay_work: int = 0  # units of theirs
    cut: str = ""  # what the clock cut short
    most_pulls: int = 0  # of one arm in a run that was replayed
    kept: Run | None = None  # the longest run that was replayed
    kept_at: int = 0  # its seed
    own_releases: dict[str, list[tuple[tuple[Release, Release], Rewards]]] = field(default_factory=dict)
    few: bool = False  # whether there is time for a few replays only
    rounded: int = 0  # shifts that may be rounding
    obstinate: str = ""  # why the policy cannot be overruled
    refused: str = ""  # why there is no run with far noise
    ended: bool | None = None  # whether a strategy has announced its end in some run; None if it announces none
    name: str = ""  # of the policy's class
    made: object = None  # the last policy
    repeated: bool = False  # whether it was that once more
    at: int = 0  # the seed of the round
    overruled: bool = False  # whether somebody else plays in this round
    bare: bool = False  # whether the round is for the costs of a long run alone

    def __post_init__(self) -> None:
        self.coverage, self.watch = Coverage(self.own), Stopwatch()
        make_policy = self.make_policy

        @wraps(make_policy)
        def adopting(noise: NoiseSource, generator: np.random.Generator) -> Policy:
            with self.coverage.building():
                policy = make_policy(noise, generator)
            self.repeated = policy is not None and policy is self.made
            self.name, self.made = type(policy).__name__, policy
            if self.repeated:
                raise InvalidInput("make_policy", self.name, "a function that makes a fresh policy each time")
            if self.own.adopt(policy):
                self.coverage.look_again()
            return policy

        self.make_policy = adopting

    def report(self) -> PrivacyReport:
        found: tuple[Violation, ...] = ()
        for k, length in self._rounds():
            self.at = self.seed + k
            found = self._round(k, length, self.at)
            if found:
                break
        found = found or self._revisited() or self._own_laws()
        if found:
            found = self._told_best(found)
        unreached = self.coverage.unreached()
        count = currency(self.budget)
        return PrivacyReport(
            self.budget,
            found,
            () if found else self._missing(unreached),
            runs=self.runs,
            replays=self.replays,
            longest=self.longest,
            most_pulls=self.most_pulls,
            releases=self.releases,
            decisions=self.decisions,
            spent=max(self.spending.values(), default=0.0),
            allowed=count.allowed,
            currency=count.name,
            unreached=unreached,
            notes=self._notes(unreached),
            seed=self.at,
            overruled=self.overruled,
            far=bool(found) and self.run.far,
            released_on=self.run.rewards if found and self.run.rewards != found[0].rewards else (),
            seconds=self.watch.seconds(),
        )

    def _left(self) -> float:
        """Seconds that the work which is left is worth."""
        return self.seconds - self.work / PACE

    def _clock_left(self) -> float:
        return SLOWEST * self.seconds - self.watch.seconds()

    def _count(self, run: Run) -> None:
        self.work += work_of(run)

    def _rounds(self) -> Iterator[tuple[int, int]]:
        """(number, horizon) of the rounds, as long as the time that is left allows; some short ones in any case."""
        for k, length in zip(range(ROUNDS), cycle(HORIZONS), strict=False):
            if self.horizon is not None:
                length = self.horizon if length >= LONG else min(length, self.horizon)
            share = self._left() / (2 if length > 100 else 4)
            if (share <= 0 or self._clock_left() <= 0) and k >= 4:
                self.cut = self.cut or ("the rounds" if share > 0 else "")
                return
            self.bare = k == LONGEST_ROUND
            if self.bare:
                length = self.horizon or FARTHEST
            if k:
                runs = 2 if self.bare else FEWEST_RUNS
                shortest = min(30, length)
                length = min(length, max(shortest, int(share * PACE / runs / self.rate)))
                by_clock = self._clock_left() / (2 if length > 100 else 4) / runs / self._seconds_per_pull()
                if length > max(shortest, by_clock):
                    length = max(shortest, int(by_clock))
                    self.cut = self.cut or f"a run of round {k}, to {length} pulls"
            self.few = self.bare or length > 100 and length * self.rate * 24 > share * PACE
            yield k, length

    def _seconds_per_pull(self) -> float:
        """By the clock, in the longest run, judged by the replays."""
        return max(self.rate * self.replaying / max(self.replay_work, 1), 1e-12)

    # ------------------------------------------------------------------------------------------------------- one round

    def _round(self, k: int, length: int, seed: int) -> tuple[Violation, ...]:
        generator = np.random.default_rng([self.seed, k])
        kind = LONG_KINDS[k % len(LONG_KINDS)] if self.few else k
        of_arms = k % 3 == 1
        rewards = reward_table(k // 3, length, generator) if of_arms else reward_list(kind, length, generator)
        with self._surroundings(seed), nullcontext() if self.bare else self.coverage.collecting():
            run = self._recorded(rewards, seed, k % 4 == 2)
        self._count(run)
        if length >= self.longest:
            self.rate = work_of(run) / length
        self.runs, self.longest = self.runs + 1, max(self.longest, length)
        self.releases, self.decisions = max(self.releases, len(run.releases)), self.decisions + run.decisions
        self.run, self.overruled = run, run.overruled
        if run.drawn_from:
            self.touched.add("noise.generator")
        ledger = () if run.overruled else audit_ledger(run, self.budget)
        certain = tuple(v for v in ledger if v.cause not in ("budget", "records"))
        if self.bare:
            return certain or self._neighbours(run, seed, generator, ledger)
        if length >= self.replayed:
            self.replayed, self.kept, self.kept_at = length, None if run.overruled else run, seed
        self.most_pulls = max(self.most_pulls, int(np.bincount(run.actions).max()))
        if run.ended is not None:
            self.ended = self.ended or run.ended
        return (
            certain
            or self._control(run, seed)
            or self._law(run)
            or self._elsewhere(run, seed, generator)
            or self._outside_records(run, seed, generator)
            or self._neighbours(run, seed, generator, ledger)
            or (self._far_out(rewards, seed, generator) if k % 2 and (k >= FAR_FROM or run.ended is not None) else ())
        )

    def _seconds_to_reach(self, length: int) -> float:
        """The seconds in all, after which a round of this length fits into the share of time that is meant for it."""
        work = 2 * FEWEST_RUNS * length * self.rate
        return max(self.work / PACE + work / PACE, self.watch.seconds() + work * self.replaying / self.replay_work)

    def _recorded(self, rewards: Rewards | RewardsOfArms, seed: int, overruled: bool) -> Run:
        """The run, overruled if the policy knows what to do with that."""
        if overruled and not self.obstinate:
            try:
                return record(self.make_policy, rewards, seed, overruled=True)
            except Exception as error:
                self.obstinate = f"it cannot be told that another arm was played ({type(error).__name__}: {error})"
        try:
            return record(self.make_policy, rewards, seed)
        except (TypeError, AttributeError) as error:
            if re.search(r"sensitivity|records|budget|RecordingNoise", str(error)):
                error.add_note("make_policy(noise, generator) is given the noise source first, then the generator")
            raise

    @contextmanager
    def _surroundings(self, seed: int) -> Iterator[None]:
        """The global generators of NumPy and `random` start alike in every run; afterwards they are what they were."""
        legacy = np.random.mtrand._rand  # the generator behind np.random.normal and the like
        before = legacy.get_state(), random.getstate()
        legacy.seed(seed % 2**32)
        random.seed(seed)
        start = _position(legacy), random.getstate()
        try:
            yield
        finally:
            if _position(legacy) != start[0]:
                self.touched.add("np.random")
            if random.getstate() != start[1]:
                self.touched.add("random")
            legacy.set_state(before[0])
            random.setstate(before[1])

    def _replay(self, run: Run, rewards: Rewards, seed: int) -> Run:
        """The replay; one that raises has done nothing else."""
        self.replays += 1
        watch = Stopwatch()
        with self._surroundings(seed):
            try:
                again = replay(self.make_policy, run, rewards, seed)
            except Exception as error:
                if self.repeated:
                    raise
                nothing = Run(tuple(rewards), (-1,) * len(rewards), (), batches=run.batches)
                again = replace(nothing, raised=f"{type(error).__name__}: {error}")
        self._count(again)
        self.replaying, self.replay_work = self.replaying + watch.seconds(), self.replay_work + work_of(again)
        return again

    def _control(self, run: Run, seed: int) -> tuple[Violation, ...]:
        again = self._replay(run, run.rewards, seed)
        moved = [k for k, (a, b) in enumerate(zip(run.releases, again.releases, strict=False)) if a.shift_to(b)]
        if same_behaviour(run, again) and not moved:
            return ()
        if again.raised:
            reason = f"the policy raises when the same run is played again ({again.raised})"
        elif moved:
            reason = "has another true value when the same run is played again"
        else:
            pull = next((t for t, (a, b) in enumerate(zip(run.actions, again.actions, strict=True)) if a != b), None)
            reason = "what is declared" if pull is None else f"pull {pull}"
            reason += " differs when the same run is played again with the same rewards, coins and released values"
        release = moved[0] if moved else None
        found = Violation("control", reason, release, run.rewards, run.rewards, "outside randomness")
        if moved:
            line = run.releases[moved[0]].origin
        else:  # coins from outside may fall alike while the lines are written down: then a line that draws is blamed
            line = self._blame(run, run.rewards, run.rewards, seed) or self.journal.mentions(FOREIGN)
        return (replace(found, line=line),)

    def _law(self, run: Run) -> tuple[Violation, ...]:
        """Draws of all rounds against the declared law, and against each other at the same place of two runs."""
        for name, laws in self.draws.items():
            fresh = [standard_draws(r) for r in run.releases if r.distribution == name and r.scale]
            if not fresh:
                continue
            laws.append(np.concatenate(fresh))
            for earlier in laws[:-1]:
                size = min(earlier.size, laws[-1].size, 40)
                same = np.abs(earlier[:size] - laws[-1][:size]) < REPEATED
                if same.sum() >= 2:
                    reason = "the noise of one run comes again in a run with another seed"
                    return (self._of_noise("noise reused", reason, run, name),)
            pooled = np.concatenate(laws)
            if pooled.size >= 30 and (self.runs & (self.runs - 1) == 0 or self.runs % 8 == 0):
                if chance_of_law(pooled, name) < CLOSE_LAW:
                    spread = np.median(np.abs(pooled)) / (np.log(2) if name == "laplace" else 0.6744897501960817)
                    reason = (
                        f"{pooled.size} draws of {name} noise are {spread:.3g} times as wide as declared, or skewed"
                    )
                    return (self._of_noise("noise", reason, run, name),)
        return ()

    def _of_noise(self, cause: str, reason: str, run: Run, distribution: str) -> Violation:
        first = next(k for k, release in enumerate(run.releases) if release.distribution == distribution)
        return Violation("noise", reason, first, run.rewards, run.rewards, cause, run.releases[first].origin)

    def _elsewhere(self, run: Run, seed: int, generator: np.random.Generator) -> tuple[Violation, ...]:
        """Replays on lists that differ everywhere: nothing that the policy does may change."""
        for target in islice(other_lists(run, generator), 2 if self.few else None):
            if not same_behaviour(run, self._replay(run, target, seed)):
                return self._traced(run, target, seed, same_behaviour)
        if self.few:
            return ()
        sign = generator.choice([-LOUD, LOUD], len(run.rewards))
        loud = tuple((sign * generator.random(len(run.rewards))).tolist())
        shouted = self._replay(run, loud, seed)
        if shouted.raised or same_behaviour(run, shouted):
            return ()  # to refuse rewards outside [0, 1] is fine
        for _ in range(12):  # somewhere in [0, 1] it may show too
            target = tuple((generator.random(len(run.rewards)) < generator.random()).astype(float).tolist())
            if not same_behaviour(run, self._replay(run, target, seed)):
                return self._traced(run, target, seed, same_behaviour)
        self.loud = self.loud or (run, loud, seed)
        return ()

    def _far_out(
        self, rewards: Rewards | RewardsOfArms, seed: int, generator: np.random.Generator
    ) -> tuple[Violation, ...]:
        """With noise far out in the tails nothing that the policy does may change with the rewards either."""
        if self.budget.kind == "approximate":
            return ()
        try:
            with self._surroundings(seed), self.coverage.collecting():
                run = record(self.make_policy, rewards, seed, far=True)
        except Exception as error:
            self.refused = f"it raises where noise is far out in its tails ({type(error).__name__}: {error})"
            return ()
        self._count(run)
        self.run, self.ended = run, self.ended or run.ended
        arms = _some(sorted(set(run.actions)), 4, generator)
        only = [tuple(float(action == arm) for action in run.actions) for arm in arms]  # of two one differs in the best
        for target in (tuple(map(farthest, run.rewards)), *only):
            if not same_behaviour(run, self._replay(run, target, seed)):
                return self._traced(run, target, seed, same_behaviour)
        return ()

    def _traced(self, run: Run, target: Rewards, seed: int, alike: Callable[[Run, Run], bool]) -> tuple[Violation, ...]:
        same, different = between(lambda rewards: self._replay(run, rewards, seed), run, target, alike)
        return align(same, different, self.budget)

    def _outside_records(self, run: Run, seed: int, generator: np.random.Generator) -> tuple[Violation, ...]:
        """No release may move with the rewards that it does not declare, all of them changed at once."""
        declared = [k for k, release in enumerate(run.releases) if release.records]
        for k in _some(declared, 1 if self.few else 3, generator):
            release = run.releases[k]
            target = tuple(
                reward if release.covers(t, run.arm_at(t)) else farthest(reward) for t, reward in enumerate(run.rewards)
            )

            def stays(a: Run, b: Run, k: int = k) -> bool:
                return len(b.releases) > k and not a.releases[k].shift_to(b.releases[k])

            if target != run.rewards and not stays(run, self._replay(run, target, seed)):
                found = self._traced(run, target, seed, stays)
                if found:
                    return found
        return ()

    def _neighbours(
        self, run: Run, seed: int, generator: np.random.Generator, ledger: Sequence[Violation]
    ) -> tuple[Violation, ...]:
        times = times_to_change(run, 1 if self.bare else 2 if self.few else 8, generator)
        over = None if run.overruled or uncounted(run, self.budget) else overspent(run, self.budget)
        if over:
            times = [over[0], *times]
        for time in times:
            if found := self._neighbour(run, seed, time):
                return found
        if run.overruled:
            return ()
        if reason := uncounted(run, self.budget):
            self.pending["uncounted"] = f"the releases cannot be added up: {reason}"
        else:
            spent = privacy_loss(run.releases, len(run.rewards), self.budget, run.actions)
            self.spending[len(run.rewards)] = max(spent, self.spending.get(len(run.rewards), 0.0))
            self.costs[len(run.rewards)] = costs_of_dearest(run, self.budget)
        for violation in ledger:
            found = f"as declared, {violation.reason}; no neighbour that was tried costs as much"
            self.pending.setdefault(violation.cause, found)
        return ()

    def _neighbour(self, run: Run, seed: int, time: int) -> tuple[Violation, ...]:
        """Two neighbours, the rewards 0 and 1 at this time: the run itself is one of them where its reward is."""
        ends = [(*run.rewards[:time], end, *run.rewards[time + 1 :]) for end in (0.0, 1.0)]
        low, high = (run if rewards == run.rewards else self._replay(run, rewards, seed) for rewards in ends)
        for other in (low, high):
            if other.raised:
                return self._traced(run, other.rewards, seed, same_behaviour)
        found = align(low, high, self.budget)
        if found:
            return found
        for a, b in zip(low.releases, high.releases, strict=True):
            shift = a.shift_to(b)
            self.rounded += not shift and a.distance(b) > 0
            if a.mechanism is not None and shift:
                self.own_releases.setdefault(a.distribution, []).append(((a, b), low.rewards))
        return ()

    def _revisited(self) -> tuple[Violation, ...]:
        """What work is left goes to short runs with far noise, and to the longest run: neighbours in the records of the
        releases that declare least."""
        kept, generator = self.kept, np.random.default_rng([self.seed, ROUNDS])
        longest = max(self.horizon or 0, 1) if self.horizon else max(FAR_LENGTHS)
        times = list(islice(self._in_records(kept, generator), REVISITED)) if kept is not None else []
        for k in range(max(FAR_RUNS, len(times))):
            if self._left() <= 0:
                return ()
            if self._clock_left() <= 0:
                self.cut = self.cut or "what is done with the work that is left over"
                return ()
            found: tuple[Violation, ...] = ()
            if k < len(times) and kept is not None:
                self.run, self.at, self.overruled = kept, self.kept_at, False
                found = self._neighbour(kept, self.at, times[k])
            if not found and k < FAR_RUNS and not self.refused:
                self.at, self.overruled = self.seed + ROUNDS + k, False
                length = min(FAR_LENGTHS[k % len(FAR_LENGTHS)], longest)
                rewards = reward_table(k // 2, length, generator) if k % 2 else reward_list(k // 2, length, generator)
                found = self._far_out(rewards, self.at, generator)
            if found:
                return found
        return ()

    def _in_records(self, run: Run, generator: np.random.Generator) -> Iterator[int]:
        """Times, one of every release in turn; releases that declare little come first, then those of many rewards."""
        spans = {release.records[:2]: release for release in run.releases if release.records}
        order = sorted(spans, key=lambda span: (spans[span].sensitivity, span[0] - span[1]))
        seen: set[int] = set()
        for _ in range(REVISITED):
            for start, stop in order:
                time = int(generator.integers(max(start, 0), max(min(stop, len(run.rewards)), start + 1)))
                if 0 <= time < len(run.rewards) and time not in seen:
                    seen.add(time)
                    yield time

    def _own_laws(self) -> tuple[Violation, ...]:
        """Mechanisms of one's own against the privacy loss that they state."""
        for name, found in self.own_releases.items():
            releases, runs = [pair for pair, _ in found], [lists for _, lists in found]
            for reason, k in broken_losses(releases, self.seed, LAW_ERROR / len(self.own_releases)):
                why = f"{name.removeprefix(OWN)} {reason}"
                return (Violation("noise", why, None, runs[k], runs[k], "noise", releases[k][0].to_blame("noise")),)
        return ()

    # --------------------------------------------------------------------------------------------- what is said of it

    def _told_best(self, found: tuple[Violation, ...]) -> tuple[Violation, ...]:
        """The violation on the shortest and plainest lists, with the line to blame."""
        first = found[0]
        if first.rewards == first.neighbour:
            return found
        first = self._shrunk(first)
        if first.cause == "raw rewards":
            line = self._blame(self.run, first.rewards, first.neighbour, self.at)
            near = f"{UNKNOWN}, near {first.line}" if first.line else UNKNOWN
            first = replace(self._named(first, self.run, self.at), line=line or near)
        elif first.cause == "declaration":  # a release may be missing, or declare something else
            line = self._blame(self.run, first.rewards, first.neighbour, self.at, answers=False)
            first = replace(first, line=line or first.line)
        return (first,)

    def _noise_is_shared(self, seed: int) -> bool:
        """Whether draws that a policy adds to its sums by hand serve several of them.

        If each served one sum, a changed reward would be made up for by another value of one draw, whatever it is
        multiplied with: one is looked for, on rewards whose change shows.
        """
        watch, generator = Stopwatch(), np.random.default_rng(seed)
        with self._surroundings(seed):
            run = record(self.make_policy, reward_list(0, 200, generator), seed, self.overruled, self.run.far)
        for time in times_to_change(run, 20, generator):
            neighbour = far_neighbour(run.rewards, time)
            if same_behaviour(run, self._replay(run, neighbour, seed)):
                continue
            others = (self._replay(other, neighbour, seed) for other in other_draws(run))
            if not any(same_behaviour(run, other) for other in others if watch.seconds() < 1):
                return watch.seconds() < 1
        return False

    def _named(self, violation: Violation, run: Run, seed: int) -> Violation:
        """Raw rewards show in what a policy does for several reasons; a guess from what it called and released."""
        ones = self._replay(run, (1.0,) * len(run.rewards), seed)
        pairs = enumerate(zip(run.releases, ones.releases, strict=False))
        empty = [k for k, (release, other) in pairs if not release.value.any() and not other.value.any()]
        masked = len(empty) < len(run.releases)  # then coins that are flipped besides are no noise
        if self.touched:
            cause, why = "outside randomness", f"coins or noise are drawn from {' and '.join(sorted(self.touched))}"
        elif line := self._mentioned(FOREIGN, run, seed):
            cause, why = "outside randomness", f"what looks like noise passes no release: {line}"
        elif not masked and (line := self._mentioned(BY_HAND, run, seed)):
            cause, why = "noise", f"noise that is drawn by hand passes no release: {line}"
        elif not masked and run.releases and any(violation.rewards + violation.neighbour):
            cause, why = "noise", f"release {empty[0]} is of the value 0: noise that is added by hand passes no release"
            if self._noise_is_shared(seed):
                cause, why = "noise reused", f"{why}, and another draw of it does not make up for a changed reward"
        elif not run.releases:
            cause, why = violation.cause, "nothing was released before"
        else:
            return violation
        return replace(violation, cause=cause, reason=f"{violation.reason}; {why}")

    def _shrunk(self, violation: Violation) -> Violation:
        """The violation on shorter and plainer lists, `self.run` and `self.at` being the run and seed that show it.

        Where no run on the list itself shows it, the released values stay those of the list on which it was found.
        """
        watch, trials, best = Stopwatch(), count(), violation
        time, parted = max(self._clock_left(), SHORTENING), len(violation.rewards)
        enough = self.work + int(max(self._left(), SHORTENING) * PACE)

        def shows(rewards: Rewards, neighbour: Rewards, released_on: Rewards, seed: int) -> bool:
            nonlocal best, parted
            if watch.seconds() > time or self.work > enough or next(trials) > TRIALS or rewards == neighbour:
                return False
            try:
                with self._surroundings(seed):
                    run = record(self.make_policy, released_on, seed, self.overruled, self.run.far)
                self._count(run)
                same = run if rewards == released_on else self._replay(run, rewards, seed)
                other = self._replay(run, neighbour, seed)
                found = align(same, other, self.budget)
            except Exception:
                return False
            kept = next((v for v in found if v.cause == violation.cause), None)
            if kept is not None:
                best, self.run, self.at = kept, run, seed
                actions = enumerate(zip(same.actions, other.actions, strict=True))
                parted = next((t + 1 for t, (a, b) in actions if a != b), len(rewards))
            return kept is not None

        pair, origin = (violation.rewards, violation.neighbour), self.run.rewards
        if not shows(*pair, origin, self.at):
            return violation  # it does not come again
        shortest, longest = changed_time(*pair) + 1, len(pair[0])
        if parted < longest and shows(pair[0][:parted], pair[1][:parted], origin[:parted], self.at):
            shortest = longest = parted  # nothing after the pull that differs has a part in it
        while shortest < longest:
            middle = (shortest + longest) // 2
            if shows(best.rewards[:middle], best.neighbour[:middle], self.run.rewards[:middle], self.at):
                longest = middle
            else:
                shortest = middle + 1
        if self.run.rewards != best.rewards:
            pair = best.rewards, best.neighbour
            any(shows(*pair, pair[0], self.at + ROUNDS * j) for j in range(SEEDS))
        at, zeros = changed_time(*pair), (0.0,) * len(best.rewards)
        for all_lists in (True, False):  # then in the list of the released values alone, if that is another one
            step = len(zeros)
            while (
                step
                and (all_lists or self.run.rewards != best.rewards)
                and watch.seconds() <= time
                and self.work <= enough
            ):
                for start in range(0, len(zeros), step):
                    ends = [(start, min(start + step, len(zeros)))]
                    if all_lists and ends[0][0] <= at < ends[0][1]:
                        ends = [(ends[0][0], at), (at + 1, ends[0][1])]
                    lists = [best.rewards, best.neighbour, self.run.rewards]
                    if any(any(x[i:j]) for x in lists[0 if all_lists else 2 :] for i, j in ends):
                        for k in range(0 if all_lists else 2, 3):
                            for i, j in ends:
                                lists[k] = lists[k][:i] + zeros[i:j] + lists[k][j:]
                        shows(lists[0], lists[1], lists[2], self.at)
                step //= 2
        if parted < len(best.rewards):
            shows(best.rewards[:parted], best.neighbour[:parted], self.run.rewards[:parted], self.at)
        for digits in (0, 1, 2):
            lists = [tuple(round(r, digits) for r in x) for x in (best.rewards, best.neighbour, self.run.rewards)]
            if lists[0] != best.rewards or lists[2] != self.run.rewards:
                shows(lists[0], lists[1], lists[2], self.at)
        return best

    def _blame(self, run: Run, rewards: Rewards, neighbour: Rewards, seed: int, answers: bool = True) -> str:
        """The lines to blame for what differs between two lists with the released values of the run."""
        since = next((t for t, (r, s) in enumerate(zip(rewards, neighbour, strict=True)) if r != s), 0)
        first = Journal(self.own, since)
        with first.writing():
            self._replay(run, rewards, seed)
        other = Journal(self.own, since, like=first)
        with other.writing():
            self._replay(run, neighbour, seed)
        self.journal = first
        return first_difference(first, other, answers=answers)

    def _mentioned(self, pattern: str, run: Run, seed: int) -> str:
        """A line on which the pattern matches: of those that were written down, or that run when a run begins."""
        if line := self.journal.mentions(pattern):
            return line
        start = replace(run, rewards=run.rewards[:BEGINNING], actions=run.actions[:BEGINNING])
        journal = Journal(self.own, like=Journal())  # without variables
        with journal.writing():
            self._replay(start, start.rewards, seed)
        return journal.mentions(pattern)

    def _missing(self, unreached: Sequence[str]) -> tuple[str, ...]:
        found = list(self.pending.values())
        if self.loud:
            run, loud, seed = self.loud
            line = self._blame(run, run.rewards, loud, seed)
            where = f" (at {line})" if line else ""
            found.append(f"what it does depends on raw rewards outside [0, 1]; inside, no difference was found{where}")
        if self.releases:
            found += self._outgrowing()
        if self.horizon is None and self.longest < FEWEST_PULLS:
            found.append(
                f"the longest run had {self.longest} pulls, fewer than {FEWEST_PULLS} (give more seconds, or a horizon)"
            )
        if self.replayed < (self.horizon or 0):
            found.append(
                f"the longest run replayed on other rewards had {self.replayed} of {self.horizon} pulls (give about "
                f"{ceil(self._seconds_to_reach(self.horizon or 0))} seconds)"
            )
        if not self.releases:
            found.append(f"nothing was released in {self.longest} pulls")
        elif self.decisions < FEWEST_DECISIONS:
            found.append(f"{self.decisions} decisions were made after a release, fewer than {FEWEST_DECISIONS}")
        if self.ended is False:
            found.append("no run stopped, so that what is recommended was not seen (give more seconds, or a horizon)")
        if unreached:
            more = f" and {len(unreached) - 1} more" if len(unreached) > 1 else ""
            found.append(
                f"a branch of the policy never ran: {unreached[0]}{more} (give more seconds, or a horizon; write "
                f"{MARK} on a line that cannot leak)"
            )
        return (*found, *self._unwatched())

    def _unwatched(self) -> Iterator[str]:
        """Why branches of the policy's own code were not looked at."""
        own = [kind.__name__ for kind in self.own.classes]
        if self.coverage.interrupted:
            yield "its branches were not watched to the end: something else traces the lines of Python"
        for file in sorted(self.coverage.sourceless):
            yield f"its branches were not watched: {file} has no source that can be read"
        if own and not self.coverage.watched() and not self.coverage.sourceless:
            yield f"its branches were not watched: nothing of {' and '.join(own)} is written in Python"

    def _outgrowing(self) -> list[str]:
        """What is said if the cost of a reward still grows in the longest run, so fast that it would pass the budget.

        The costs of the releases to come go on as those of the latest half do, and so does the number of releases from
        one doubling of the run to the next: shares such as 6 / (pi m)^2 or a half each time add up to something finite.
        """
        longest = max(self.costs, default=0)
        aim = self.horizon or FAR * longest
        times, costs = self.costs.get(longest, ((), ()))
        if len(costs) < 2 or aim <= longest:
            return []
        spent, number = float(np.sum(costs)), len(costs)
        latest, before = (sum(longest / 2**k < t <= longest / 2 ** (k - 1) for t in times) for k in (1, 2))
        if not latest:
            return []
        faster = min(max(latest / max(before, 1), 1), 2)
        further = latest * sum(faster**k for k in range(1, ceil(log2(aim / longest)) + 1))
        falls = log2(max(costs[number // 2 - 1] / costs[-1], 1)) / log2(number / (number // 2))
        to_come = sum(costs[-1] * (number / (number + k)) ** falls for k in range(1, min(ceil(further), MANY) + 1))
        if spent + to_come <= currency(self.budget).allowed * 1.001:
            return []
        return [
            f"what a reward costs still grows, to {spent:.4g} in {longest} pulls and {number} releases: before pull "
            f"{aim} it may pass the budget (give more seconds, or the horizon)"
        ]

    def _notes(self, unreached: Sequence[str]) -> tuple[str, ...]:
        notes = [f"drawn from besides: {name}" for name in sorted(self.touched)]
        if self.cut:
            notes.append(f"the clock cut short {self.cut}: with more seconds, or on a faster machine, more is seen")
        notes += [reason for reason in (self.obstinate, self.refused) if reason]
        notes += [f"{self.rounded} shifts of a release were within rounding"] if self.rounded else []
        if not self.own.classes:
            notes.append(f"the lines of {self.name} were not watched: it belongs to this library")
        if self.coverage.libraries:
            notes.append(f"the lines of libraries were not watched: {', '.join(sorted(self.coverage.libraries))}")
        if excused := list(self.coverage.excused()):
            more = f" and {len(excused) - 1} more" if len(excused) > 1 else ""
            notes.append(f"left out, for it is marked: {excused[0]}{more}")
        return (*notes, *(f"never ran: {line}" for line in unreached[:5]))


def chance_of_law(draws: np.ndarray, law: str) -> float:
    """A bound on the probability that draws of the law at scale 1 are so far from it (Dvoretzky, Kiefer, Wolfowitz)."""
    ordered = np.sort(draws)
    if law == "laplace":
        below = np.where(ordered < 0, np.exp(np.minimum(ordered, 0)) / 2, 1 - np.exp(-np.maximum(ordered, 0)) / 2)
    else:
        below = normal_cdf(ordered)
    steps = np.arange(draws.size + 1) / draws.size
    apart = max(float(np.max(steps[1:] - below)), float(np.max(below - steps[:-1])))
    return 2 * float(np.exp(-2 * draws.size * apart**2))


def work_of(run: Run) -> int:
    """What a run counts for: something in any case, its batches, and its releases several times."""
    return PER_RUN + run.batches + PER_RELEASE * len(run.releases)


def _position(legacy: np.random.RandomState) -> tuple[bytes, int, int]:
    state = legacy.get_state(legacy=False)
    return state["state"]["key"].tobytes(), state["state"]["pos"], state["has_gauss"]


def _some(entries: Sequence[int], most: int, generator: np.random.Generator) -> list[int]:
    return generator.permutation(entries)[:most].tolist() if entries else []
