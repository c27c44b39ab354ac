"""Noise sources that record what a policy releases, and that replay it on other rewards.

A run is recorded on one reward list. Replayed on another, every release comes out as it was recorded, and the source
notes how far the true value had to be shifted for that. If everything a policy knows of the rewards passes through
its releases, it acts in the replay exactly as it did before.

One run at a time: policies are built with a single replication.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from math import fsum, inf
from types import FrameType
from typing import Annotated, Any, Self

import numpy as np

from banditproof.algorithms import noise as door
from banditproof.algorithms.contextual.policy import ContextualPolicy
from banditproof.algorithms.noise import MECHANISMS, Mechanism, NoiseSource, Records
from banditproof.algorithms.policy import Policy, asked, check_calls
from banditproof.algorithms.run.simulator import begin
from banditproof.theory import Budget, InvalidInput, arguments
from banditproof.theory.arguments import Natural, Seed, checked, question
from banditproof.verify.asking import refuse_other_arguments
from banditproof.verify.own_code import is_ours
from banditproof.verify.runs.possible_rewards import UNIT, PossibleRewards, RewardsIn
from banditproof.verify.source_lines import located
from banditproof.verify.states import State, enter

PolicyMaker = Annotated[
    Callable[[NoiseSource, np.random.Generator], Policy],
    "(noise, generator), such as lambda noise, generator: MyPolicy(3, noise, generator)",
]
"""Builds a fresh policy with one replication; the generator is for its coin flips, the source for its noise."""

Rewards = tuple[float, ...]

RewardsOfArms = Callable[[int], np.ndarray]
"""A table of rewards [T, K] for a policy with K arms."""

POWERS = (0.5, 1.0, 2.0, 5.0)  # noise that is far out is up to 10 to one of these times as large as drawn
ADAPTERS = (
    "a policy of another library is checked by replayed(make) of banditproof.verify, where make() builds one; "
    "select_update and other adapters of banditproof.verify.testing.adapters are for one that draws from `noise`"
)
CONTEXTS = (
    "a function that returns a Policy; a contextual policy is checked on public contexts that are given, for example "
    "WithContexts(policy, UNIT), both from banditproof.verify.runs.contextual, or any contexts with arms, dimension "
    "and draw(replications, clock, rounds, generator)"
)
OPERATIONS = 1024  # as many roundings of a value are forgiven: a running mean of many rewards, a sum in another order


@dataclass(frozen=True, eq=False)
class Release:
    """One value that left a policy, with all that was declared about it.

    `value` (true) and `released` are [1] or [1, d], `scale` is that of the noise, `norm` the one in which
    `sensitivity` bounds the influence of a reward, `budget` what the release says it spends, `records` the half-open
    range of reward indices the value is computed from (with an arm: of those rewards in it that the arm brought), or
    None when the policy did not say. `place` is the file, line and function of the policy that released it,
    `mechanism` the one that answered if it is of the policy's own.
    """

    value: np.ndarray
    released: np.ndarray
    distribution: str
    scale: float
    sensitivity: float
    budget: Budget
    norm: str
    records: tuple[int, ...] | None
    place: tuple[str, int, str] = ("", 0, "")
    mechanism: Mechanism | None = None

    @property
    def law(self) -> str | Mechanism:
        """What answered: a mechanism of the policy's own, or one of the noise source by its name."""
        return self.distribution if self.mechanism is None else self.mechanism

    @property
    def origin(self) -> str:
        """The line of the release."""
        return located(*self.place)

    @question
    def covers(self, time: int, arm: int | None = None) -> bool:
        """Whether the reward with index `time`, which `arm` brought, is declared to enter.

        An undeclared release may contain any reward, and one that names an arm any reward of an arm not known.
        """
        if self.records is None:
            return True
        start, stop, *only = self.records
        return start <= time < stop and (arm is None or not only or arm == only[0])

    def declared(self) -> tuple:
        """What must not depend on the rewards: everything but the values."""
        return (
            self.distribution,
            self.mechanism is None,
            self.scale,
            self.sensitivity,
            self.budget,
            self.norm,
            self.records,
            self.value.shape,
        )

    def shift_to(self, other: "Release") -> float:
        """The distance from this true value to that of `other` in the declared norm, 0 if that may be rounding.

        It is inf where a value is not a number or not finite.
        """
        if self.value.shape != other.value.shape or not np.isfinite([self.value, other.value]).all():
            return inf
        if self.mechanism is not None:
            return float(self.mechanism.loss(self.value, other.value)) * self.scale
        if (self.value == other.value).all():
            return 0.0
        length = self.distance(other)
        return 0.0 if length <= self.rounding(other) else length

    def distance(self, other: "Release") -> float:
        """The distance between two true values of one shape in the declared norm, rounding and all."""
        difference = (other.value - self.value).ravel()
        return float(np.linalg.norm(difference, ord={"l1": 1, "l2": 2, "linf": inf}[self.norm]))

    def rounding(self, other: "Release") -> float:
        """How far two true values may be apart by rounding, in single precision if that can hold them.

        Fractions with up to 16 bits, such as sums of quarters, are no sign of single precision.
        """
        values = np.abs([self.value, other.value])
        with np.errstate(over="ignore"):
            single = values.astype(np.float32)
        rounded = (values == single).all() and (values % 1).any() and (single.view(np.int32) % 2**8).any()
        unit = np.finfo(np.float32 if rounded else np.float64).eps
        return float(OPERATIONS * unit * values.sum())


class RecordingNoise(NoiseSource):
    """Draws noise from `generator` and keeps every release in `releases`, in order."""

    @checked
    def __init__(self, generator: np.random.Generator | None = None) -> None:
        super().__init__(generator)
        self.releases: list[Release] = []
        self.drawn_from = False
        self._state = self._now()

    def _now(self) -> object:
        """Where the generator stands."""
        bits = getattr(self.generator, "bit_generator", None)
        if not isinstance(bits, np.random.PCG64):
            return repr(bits and bits.state)
        state: Any = bits.state
        return bits, state["state"]["state"], state["has_uint32"]

    def release(
        self,
        distribution: str | Mechanism,
        value: np.ndarray,
        scale: np.ndarray,
        *,
        sensitivity: float | np.ndarray,
        budget: Budget,
        records: Records | None,
        norm: str,
    ) -> np.ndarray:
        released = self.answer(distribution, value, scale)
        try:
            span = None if records is None else tuple(int(np.asarray(part).item()) for part in records)
        except (TypeError, ValueError):
            allowed = (
                "(start, stop) or (start, stop, arm), of one number each: the rewards start, ..., stop - 1, from 0"
            )
            raise InvalidInput("records", records, allowed) from None
        self.releases.append(
            Release(
                np.array(value, dtype=float),
                np.array(released, dtype=float),
                distribution if isinstance(distribution, str) else distribution.name,
                np.ravel(scale)[0].item(),
                np.asarray(sensitivity).item(),
                _of_numbers(budget),
                norm,
                span,
                _place_outside(2),
                None if isinstance(distribution, str) else distribution,
            )
        )
        return released

    def answer(self, distribution: str | Mechanism, value: np.ndarray, scale: np.ndarray) -> np.ndarray:
        """The released value: fresh noise on top of the true one."""
        return self.sample(distribution, value, scale)

    def sample(self, distribution: str | Mechanism, value: np.ndarray, scale: np.ndarray) -> np.ndarray:
        self.notice_draws()
        drawn = super().sample(distribution, value, scale)
        self._state = self._now()
        return drawn

    def beside(self, generator: np.random.Generator) -> Self:
        """A source that keeps its releases among these and draws from another generator."""
        other = copy(self)
        other.generator = generator
        other._state = other._now()
        return other

    def notice_draws(self) -> None:
        """Notice whether somebody has drawn from the generator since the last release, or put in another one."""
        self.drawn_from |= self._now() != self._state


def adds_noise(distribution: str | Mechanism) -> bool:
    """Whether a law is known to answer with the value and noise on top of it."""
    known = None if isinstance(distribution, Mechanism) else MECHANISMS.get(distribution)
    return known is not None and known.added


class FarNoise(RecordingNoise):
    """Adds noise that is often far out in the tails, where the law allows any: rare decisions, like stopping, are made.

    What follows from releases alone is the same on all rewards whatever was released, so also then.
    """

    def __init__(self, generator: np.random.Generator, seed: int) -> None:
        super().__init__(generator)
        self.multipliers = np.random.default_rng(seed)
        self.powers = self.multipliers.choice(POWERS)

    def answer(self, distribution: str | Mechanism, value: np.ndarray, scale: np.ndarray) -> np.ndarray:
        drawn = super().answer(distribution, value, scale)
        if not adds_noise(distribution):
            return drawn
        factor = 10 ** self.multipliers.uniform(-self.powers, self.powers, value.shape)
        return value + np.maximum(np.rint(factor), 1) * (drawn - value)


class ReplayNoise(RecordingNoise):
    """Answers the k-th release with the k-th released value of `recorded`, whatever the true value is now.

    Noise is drawn all the same and thrown away: who draws coins from the same generator gets them as before. A run that
    asks for more, or for another shape, has parted from the recorded one; it goes on without noise, and with a draw of
    its own where an answer is no number with noise, such as an arm.
    """

    def __init__(self, recorded: Sequence[Release], generator: np.random.Generator | None = None) -> None:
        super().__init__(generator)
        self.recorded = tuple(recorded)

    def answer(self, distribution: str | Mechanism, value: np.ndarray, scale: np.ndarray) -> np.ndarray:
        k = len(self.releases)
        drawn = None if self.generator is None else self.sample(distribution, value, scale)
        if k < len(self.recorded) and self.recorded[k].value.shape == value.shape:
            return self.recorded[k].released.copy()
        if adds_noise(distribution):
            return value
        return self.beside(np.random.default_rng(0)).sample(distribution, value, scale) if drawn is None else drawn


@dataclass(frozen=True, eq=False)
class Run:
    """What a policy did on a reward list [T]: the arm of every pull [T] and its releases in order.

    `decisions` counts the batches that were chosen after a release, of `batches` in all; `drawn_from` says whether the
    generator of the noise source was used other than by its releases. With `overruled`, every third batch went to
    another arm than the policy named, as it was told; `actions` are the arms that were played. With `far`, noise was
    often far out in the tails. `ended` says whether a strategy that announces its end did so; it is None for policies
    that have none. `raised` is what the policy raised, if it did. `possible` are the rewards that there are.
    """

    rewards: tuple[float, ...]
    actions: tuple[int, ...]
    releases: tuple[Release, ...]
    decisions: int = 0
    batches: int = 0
    drawn_from: bool = False
    overruled: bool = False
    far: bool = False
    ended: bool | None = None
    raised: str = ""
    possible: PossibleRewards = UNIT

    def arm_at(self, time: int) -> int | None:
        """The arm that brought a reward; None where the policy may credit it to the one it had named."""
        return None if self.overruled else self.actions[time]

    def entering(self, release: Release) -> list[int]:
        """The indices of the rewards that a release covers."""
        start, stop, *_ = release.records or (0, len(self.rewards))
        return [t for t in range(max(start, 0), min(stop, len(self.rewards))) if release.covers(t, self.arm_at(t))]

    def __post_init__(self) -> None:
        if len(self.actions) != len(self.rewards):
            raise InvalidInput("actions", self.actions, f"the arms of all {len(self.rewards)} pulls")


@checked
def record(
    make_policy: PolicyMaker,
    rewards: Sequence[float] | RewardsOfArms,
    seed: Seed,
    overruled: bool = False,
    far: bool = False,
    rewards_in: RewardsIn = "[0, 1]",
) -> Run:
    """Runs a fresh policy on `rewards` [T], values of `rewards_in`, with noise and coin flips drawn from `seed`.

    Of a table, the rewards of the run are those of the arms that were played: on that list it does the same. With
    `overruled`, somebody else plays every third batch on the next arm and tells the policy. With `far`, noise is often
    far out in the tails.
    """
    possible = PossibleRewards.of(rewards_in)
    if not callable(rewards):
        possible.check("rewards", rewards)
        rewards = tuple(rewards)
    _, for_noise = _generators(seed)
    noise = FarNoise(for_noise, seed) if far else RecordingNoise(for_noise)
    return _run(make_policy, rewards, seed, noise, overruled, far, possible)


@checked
def replay(make_policy: PolicyMaker, run: Run, rewards: Sequence[float], seed: Seed) -> Run:
    """Runs a fresh policy on other `rewards` with the releases of `run` and the coin flips of the same `seed`.

    What follows from the releases alone does not change whatever the rewards are: they may be any numbers here.
    In the result, `releases` hold the true values on the new rewards and the released values of `run`.
    """
    if len(rewards) != len(run.rewards):
        raise InvalidInput("rewards", rewards, f"{len(run.rewards)} rewards, as in the recorded run")
    _, for_noise = _generators(seed)
    noise = ReplayNoise(run.releases, for_noise)
    return _run(make_policy, tuple(rewards), seed, noise, run.overruled, run.far, run.possible)


def states(make_policy: PolicyMaker, run: Run, rewards: Rewards, seed: int, since: int, most: int) -> list[State]:
    """The numbers that the policy keeps after some batches of a replay, from so many releases on."""
    taken: list[State] = []
    noise = ReplayNoise(run.releases, _generators(seed)[1])

    def take(policy: Policy) -> None:
        if len(noise.releases) >= since and len(taken) < most:
            taken.append({})
            enter(vars(policy), "", taken[-1], 0)

    _run(make_policy, rewards, seed, noise, run.overruled, run.far, run.possible, take)
    return taken


def other_draws(run: Run) -> Iterator[Run]:
    """The run with one coordinate of one release moved, up or down, by a reward and by multiples of it."""
    for k, release in enumerate(run.releases):
        for place in np.ndindex(release.released.shape):
            for factor in (1, 2, 4, 8, 16):
                for shift in (factor * release.sensitivity, -factor * release.sensitivity):
                    released = release.released.copy()
                    released[place] += shift
                    moved = replace(release, released=released)
                    yield replace(run, releases=(*run.releases[:k], moved, *run.releases[k + 1 :]))


def batches_on_alternating_rewards(policy: Policy, steps: int) -> list[tuple[int, int, int]]:
    """The batches of a policy that begin within `steps` steps, as (arm, first step, last step), on 0, 1, 0, 1, ..."""
    clock, batches = 0, []
    while clock < steps:
        arm, count = policy.next_batch()
        length = int(count[0])
        policy.observe(np.array([float(sum(t % 2 for t in range(clock, clock + length)))]), count)
        batches.append((int(arm[0]), clock + 1, clock + length))
        clock += length
    return batches


@checked
def far_neighbour(rewards: Sequence[float], time: Natural, rewards_in: RewardsIn = "[0, 1]") -> tuple[float, ...]:
    """The neighbour that differs most: the reward of index `time` replaced by the farthest one. Raises InvalidInput."""
    if time >= len(rewards):
        raise InvalidInput("time", time, f"the index of one of {len(rewards)} rewards")
    farthest = PossibleRewards.of(rewards_in).farthest(rewards[time])
    return (*rewards[:time], farthest, *rewards[time + 1 :])


def _of_numbers(budget: Budget) -> Budget:
    """The budget of a single replication: of floats, no arrays."""
    parameters = budget.parameters
    if all(type(value) is float for value in parameters.values()):
        return budget
    return replace(budget, **{name: np.asarray(value).item() for name, value in parameters.items()})


def _place_outside(depth: int) -> tuple[str, int, str]:
    """File, line and function of the innermost frame of a policy's own code; of this library's, if there is no other.

    The frames of a policy end where a run begins, which calls it.
    """
    frame: FrameType | None = sys._getframe(depth)
    passed: list[FrameType] = []
    while frame is not None and (frame.f_code.co_filename != __file__ or not passed):
        if frame.f_code.co_filename not in (door.__file__, arguments.__file__, __file__):
            passed.append(frame)
        frame = frame.f_back
    chosen = next((f for f in passed if not is_ours(f.f_code.co_filename)), passed[0])
    return chosen.f_code.co_filename, chosen.f_lineno, chosen.f_code.co_name


def clock_of(frame: FrameType) -> int:
    """The pulls that the player tells a policy about in a call; 0 for any other call."""
    return int(frame.f_locals["count"][0]) if frame.f_code is _tell.__code__ else 0


def _generators(seed: int) -> tuple[np.random.Generator, np.random.Generator]:
    """For the coin flips and for the noise: apart, since a replay draws no noise."""
    for_coins, for_noise = np.random.SeedSequence(seed).spawn(2)
    return np.random.default_rng(for_coins), np.random.default_rng(for_noise)


def made(make_policy: PolicyMaker, noise: NoiseSource, coins: np.random.Generator) -> Policy:
    """A fresh policy. Raises InvalidInput for what is none, and says how a policy of another library becomes one.

    Where it has a noise source of its own too, this one's releases are recorded with those of `noise`; refused where
    `noise` records nothing.
    """
    policy = make_policy(noise, coins)
    check_policy(policy)
    for name, kept in list(getattr(policy, "__dict__", {}).items()):
        if type(kept) is NoiseSource and kept.generator is not None:
            if not isinstance(noise, RecordingNoise):
                allowed = (
                    "a function that gives the policy its first argument, noise: this policy has another NoiseSource"
                )
                raise InvalidInput("make_policy", policy, allowed)
            setattr(policy, name, noise.beside(kept.generator))
    return policy


def check_policy(policy: object) -> None:
    """Raise InvalidInput for what cannot be played as a policy."""
    lacking = [name for name in ("arms", "replications", "next_batch", "observe") if not hasattr(policy, name)]
    if isinstance(policy, ContextualPolicy):
        raise InvalidInput("make_policy", policy, CONTEXTS)
    if lacking and not isinstance(policy, Policy):
        allowed = f"a function that returns a Policy (what it returns has no {', '.join(lacking)}; {ADAPTERS})"
        raise InvalidInput("make_policy", policy, allowed)
    check_calls(policy, "make_policy")


def _run(
    make_policy: PolicyMaker,
    rewards: Rewards | RewardsOfArms,
    seed: int,
    noise: RecordingNoise,
    overruled: bool,
    far: bool,
    possible: PossibleRewards,
    heard: Callable[[Policy], None] = lambda policy: None,
) -> Run:
    coins, _ = _generators(seed)
    policy = made(make_policy, noise, coins)
    if policy.replications != 1:
        raise InvalidInput("replications", policy.replications, "1: privacy is checked one run at a time")
    begin(policy)
    played = _Played((), [])
    try:
        _play(played, policy, noise, rewards, overruled, heard)
    except Exception as error:
        refuse_other_arguments(error, "make_policy")
        note_pull(error, len(played.actions) + 1, played.told)
        raise
    noise.notice_draws()
    return Run(
        played.rewards,
        tuple(played.actions),
        tuple(noise.releases),
        played.decisions,
        played.batches,
        noise.drawn_from,
        overruled,
        far,
        getattr(policy, "end_announced", None),
        possible=possible,
    )


def note_pull(error: Exception, pull: int, told: bool) -> None:
    """Note on what a policy raised at which pull that was, counted from 1, and whether it was told of a reward."""
    if getattr(error, "__notes__", ()):  # its cause is told
        return error.add_note(f"The policy raised this at pull {pull} of a run.")
    shorter = "If it is made for fewer pulls, give check_privacy their number as horizon=. " if pull > 1 else ""
    array = "setting an array element with a sequence" in str(error)
    taken = "A release of an array [R] is one, too: take [0] where one number is needed. " * array
    number = taken or "A release of a number is a number, not an array [R]. " * ("scalar variable" in str(error))
    named = array or isinstance(error, InvalidInput) and error.parameter not in ("reward", "rewards")
    fractions = "If there are no fractions among its rewards, say which there are, as in rewards_in={0, 1}."
    others = fractions if told and not named else ""
    error.add_note(f"The policy raised this at pull {pull} of a run. {number}{shorter}{others}".rstrip())


@dataclass
class _Played:
    """What happened in a run: the rewards of the arms that were played, these arms, and what was counted."""

    rewards: Rewards
    actions: list[int]
    decisions: int = 0
    batches: int = 0
    told: bool = False  # of any reward


def _play(
    played: _Played,
    policy: Policy,
    noise: RecordingNoise,
    given: Rewards | RewardsOfArms,
    overruled: bool,
    heard: Callable[[Policy], None],
) -> None:
    """Play a policy batch by batch, as the simulator does, on a list of rewards or on a table; the last batch is cut
    at the end. Overruled, every third batch goes to the next arm, and the policy is told.
    """
    of_arm = None if isinstance(given, tuple) else given(policy.arms)
    rewards = np.array(given, dtype=float).tolist() if of_arm is None else []
    horizon = len(rewards) if of_arm is None else len(of_arm)
    clock = 0
    while clock < horizon:
        played.decisions += bool(noise.releases) and policy.arms > 1
        arm, count = asked(policy, 1)
        told = None
        if overruled and played.batches % 3 == 2:
            arm = told = (arm + 1) % policy.arms
        if count[0] > horizon - clock:
            count = np.minimum(count, horizon - clock)
        end, which = clock + int(count[0]), int(arm[0])
        if of_arm is not None:
            rewards += of_arm[clock:end, which].tolist()
        total = np.array([fsum(rewards[clock:end])])
        played.told = True
        _tell(policy, total, count, told)
        played.actions += [which] * (end - clock)
        played.batches += 1
        clock = end
        heard(policy)
    played.rewards = tuple(rewards)


def _tell(policy: Policy, total: np.ndarray, count: np.ndarray, told: np.ndarray | None) -> None:
    if told is None:
        policy.observe(total, count)
    else:
        policy.observe(total, count, told)
