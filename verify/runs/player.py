"""Who plays a policy for a privacy check: every run starts alike, and its work and what it touches are written down.

How much is tried is counted in batches and releases, `PACE` of them to a second: a seed gives the same report on every
machine that is fast enough. On others the clock cuts the work short, and the report says so.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import wraps
from inspect import unwrap
from math import inf
from types import FunctionType

import numpy as np

from banditproof.algorithms import NoiseSource, Policy
from banditproof.algorithms.overriding import overriding_nothing
from banditproof.theory.errors import InvalidInput
from banditproof.verify.asking import called_as
from banditproof.verify.own_code import OwnCode
from banditproof.verify.runs.coverage import Coverage
from banditproof.verify.runs.possible_rewards import UNIT, PossibleRewards
from banditproof.verify.runs.recorder import PolicyMaker, Rewards, RewardsOfArms, Run, record, replay, states
from banditproof.verify.states import State
from banditproof.verify.stopwatch import PATIENCE, OutOfTime, Stopwatch

PACE = 20_000  # units of work, a batch each, that a second is worth: most policies take half of the time
PER_RELEASE, PER_RUN, WATCHED = 3, 20, 4  # units of work
MOST_WATCHED = 200  # batches
MAKING = "(noise, generator) that builds a policy (one of plain Python is checked as replayed(lambda: MyPolicy(...)))"
SLOWEST, LOADING = 2, 2  # times the seconds that are given, and seconds besides, before the clock cuts a check short


@dataclass(frozen=True)
class Take:
    """A recorded run and its seed, from which it can be replayed.

    `touched` are generators other than that of the coin flips from which the policy drew in it.
    """

    run: Run
    seed: int
    touched: frozenset[str] = frozenset()


@dataclass
class Effort:
    """How much a check may do in `seconds`, and has done."""

    seconds: float
    work: int = 0  # units
    replay_work: int = 0  # units of the replays
    replay_seconds: float = 0.0
    replay_wall: float = 0.0
    watch: Stopwatch = field(default_factory=Stopwatch)
    ends: float = inf  # seconds on the wall that it may take

    def left(self) -> float:
        """Seconds that the work which is left is worth."""
        return self.seconds - self.work / PACE

    def clock_left(self) -> float:
        """Seconds before the clock cuts the check short, by its computing or by the clock on the wall."""
        return min(SLOWEST * self.seconds + LOADING - self.watch.seconds(), self._wall_left())

    def _wall_left(self) -> float:
        return min(PATIENCE * self.seconds + LOADING - self.watch.wall(), self.ends - self.watch.by_the_clock())

    def in_time(self) -> None:
        """Raises OutOfTime where the seconds that somebody has given are over."""
        if self.watch.by_the_clock() > self.ends:
            raise OutOfTime

    def units_left_by_clock(self) -> float:
        """The units of work for which the clock leaves time, judged by the replays."""
        by_wall = self._wall_left() * self.replay_work / max(self.replay_wall, 1e-12)
        return min(self.clock_left() / max(self.seconds_per_unit(), 1e-12), by_wall if self.replay_work else inf)

    def seconds_per_unit(self) -> float:
        """By the clock, judged by the replays."""
        return self.replay_seconds / max(self.replay_work, 1)


class Player:
    """Records runs of a policy and replays them.

    Attributes:
        name: of the policy's class.
        possible: the rewards that there are.
        effort: what the runs took, of what they may.
        own, coverage: the code of the policy's own, and what of it has run.
        touched: generators other than that of the coin flips from which the policy has drawn.
        replays: how many there were.
        obstinate: why the policy cannot be overruled, "" as long as it can.
    """

    def __init__(self, make_policy: PolicyMaker, seconds: float, possible: PossibleRewards = UNIT) -> None:
        self.possible = possible
        self.effort = Effort(seconds)
        self.own = OwnCode()
        self.coverage = Coverage(self.own)
        self.name, self.replays, self.obstinate = "", 0, ""
        self.announces = False  # whether the end of a strategy counts as an action though nobody has asked for that
        self.touched: set[str] = set()
        self._made: object = None  # the last policy
        self._repeated = False  # whether it was that once more
        self._make_policy = self._adopting(make_policy)

    @property
    def maker(self) -> tuple[str, int, str] | None:
        """The last line of the function that makes the policy; None for what is no function."""
        code = getattr(unwrap(self._make_policy), "__code__", None)
        if code is None:
            return None
        return code.co_filename, max(line for *_, line in code.co_lines() if line), code.co_name

    def _adopting(self, make_policy: PolicyMaker) -> PolicyMaker:
        @wraps(make_policy)
        def adopting(noise: NoiseSource, generator: np.random.Generator) -> Policy:
            with called_as("make_policy", MAKING), self.coverage.building():
                policy = make_policy(noise, generator)
            self.coverage.pulls = lambda: len(getattr(noise, "releases", ()))
            self._repeated = policy is not None and policy is self._made
            self.name, self._made = type(policy).__name__, policy
            if self._repeated:
                raise InvalidInput("make_policy", self.name, "a function that creates a new policy at each call")
            policy = self._whole(policy)
            self.coverage.look(policy)
            if self.own.adopt(policy):
                self.coverage.look_again()
            return policy

        return adopting

    def _whole(self, policy: Policy) -> Policy:
        """The policy; of a strategy with its end as an action, since that leaves it as well."""
        if hasattr(policy, "end_announced") or not (hasattr(policy, "stopped") and hasattr(policy, "recommendation")):
            return policy
        from banditproof.verify.announcing import Announced

        self.announces = True
        return Announced(policy)

    def record(
        self,
        rewards: Rewards | RewardsOfArms,
        seed: int,
        *,
        overruled: bool = False,
        far: bool = False,
        covered: bool = False,
    ) -> Take:
        """A run on these rewards, with what `record` says of the words; if `covered`, what it reaches is noted."""
        self.effort.in_time()
        touched: set[str] = set()
        self.coverage.run = takes = []
        with self._surroundings(seed, touched), self.coverage.collecting(whole=True) if covered else nullcontext():
            try:
                run = record(self._make_policy, rewards, seed, overruled, far, self.possible)
            except (TypeError, AttributeError) as error:
                if re.search(r"sensitivity|records|budget|RecordingNoise", str(error)):
                    error.add_note(
                        "make_policy(noise, generator) is given the noise source first, then the generator; a policy"
                        " that knows neither is given as replayed(MyPolicy)"
                    )
                raise
        self.effort.work += work_of(run)
        if run.drawn_from:
            touched.add("noise.generator")
        self.touched |= touched
        takes.append(Take(run, seed, frozenset(touched)))
        return takes[0]

    def states(self, take: Take, rewards: Rewards, since: int) -> list[State]:
        """The numbers that the policy keeps in a replay after each batch, after so many releases."""
        self.effort.work += PER_RUN + take.run.batches + WATCHED * min(take.run.batches, MOST_WATCHED)
        with self._surroundings(take.seed, self.touched):
            return states(self._make_policy, take.run, rewards, take.seed, since, MOST_WATCHED)

    def record_overruled(self, rewards: Rewards | RewardsOfArms, seed: int) -> Take | None:
        """The same with somebody else at every third batch; None if the policy does not know what to do with that."""
        if self.obstinate:
            return None
        try:
            return self.record(rewards, seed, overruled=True, covered=True)
        except OutOfTime:
            raise
        except Exception as error:
            self.obstinate = f"it cannot be told that another arm was played ({type(error).__name__}: {error})"
            return None

    def replay(self, take: Take, rewards: Rewards) -> Run:
        """The run on other rewards with the same released values; one that raises has done nothing else."""
        self.effort.in_time()
        self.replays += 1
        watch = Stopwatch()
        with self._surroundings(take.seed, self.touched):
            try:
                again = replay(self._make_policy, take.run, rewards, take.seed)
            except Exception as error:
                if self._repeated:
                    raise
                nothing = Run(
                    tuple(rewards), (-1,) * len(rewards), (), batches=take.run.batches, possible=self.possible
                )
                again = replace(nothing, raised=f"{type(error).__name__}: {error}")
        self.effort.work += work_of(again)
        self.effort.replay_work += work_of(again)
        self.effort.replay_seconds += watch.seconds()
        self.effort.replay_wall += watch.wall()
        return again

    @contextmanager
    def _surroundings(self, seed: int, touched: set[str]) -> Iterator[None]:
        """The global generators of NumPy and `random` start alike in every run; afterwards they are what they were.

        Which of them was drawn from is added to those that were touched.
        """
        legacy = np.random.mtrand._rand  # the generator behind np.random.normal and the like
        before = legacy.get_state(), random.getstate()
        legacy.seed(seed % 2**32)
        random.seed(seed)
        start = _position(legacy), random.getstate()
        try:
            yield
        finally:
            if _position(legacy) != start[0]:
                touched.add("np.random")
            if random.getstate() != start[1]:
                touched.add("random")
            legacy.set_state(before[0])
            random.setstate(before[1])

    def unwatched(self) -> Iterator[str]:
        """Why branches of the policy's own code were not looked at."""
        own = [kind.__name__ for kind in self.own.classes]
        if self.coverage.interrupted:
            yield "its branches were not watched to the end: another tool traces Python (run it without that tool)"
        for file in sorted(self.coverage.sourceless):
            yield f"its branches were not watched: the source of {file} cannot be read (put it beside the program)"
        if own and not self.coverage.watched() and not self.coverage.sourceless:
            why = f"no code of {' and '.join(own)} is written in Python (check it in Python, or with black_box=True)"
            if not any(isinstance(one, FunctionType) for kind in self.own.classes for one in vars(kind).values()):
                why = f"{' and '.join(own)} has no method of its own (write what it does, such as score or observe)"
            misnamed = [said for kind in self.own.classes for said in overriding_nothing(kind)]
            yield f"its branches were not watched: {'; '.join(misnamed) or why}"

    def left_out(self) -> Iterator[str]:
        """What of the code was left out of the watch on purpose."""
        if not self.own.classes:
            yield f"the lines of {self.name} were not watched: they belong to this library"
        if self.coverage.libraries:
            yield f"the lines of libraries were not watched: {', '.join(sorted(self.coverage.libraries))}"
        if excused := list(self.coverage.excused()):
            more = f" and {len(excused) - 1} more" if len(excused) > 1 else ""
            yield f"left out because of a mark: {excused[0]}{more}"


def work_of(run: Run) -> int:
    """What a run counts for: something in any case, its batches, and its releases several times."""
    return PER_RUN + run.batches + PER_RELEASE * len(run.releases)


def _position(legacy: np.random.RandomState) -> tuple[bytes, int, int]:
    state = legacy.get_state(legacy=False)
    return state["state"]["key"].tobytes(), state["state"]["pos"], state["has_gauss"]
