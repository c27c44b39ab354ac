"""How a policy of somebody else is asked for an arm and told a reward, and what it knows between two pulls.

What it keeps are the numbers in its attributes and in what they hold, each under a path such as `means[2]`; of a
function that draws its own rewards, the numbers in its variables whenever it draws one. What passes are the numbers
that its functions hold when they return.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property, partial, wraps
from math import inf, isnan, nan
from types import FrameType, FunctionType, TracebackType
from typing import Any

import numpy as np

from banditproof.theory.arguments import named, takes
from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.exact_numbers import check_count
from banditproof.verify import asking
from banditproof.verify.asking import ASKED_AND_TOLD, CHOOSE, HEAR, asked_and_told, called_with, reward_first
from banditproof.verify.own_code import OwnCode, is_users
from banditproof.verify.runs.coverage import Coverage
from banditproof.verify.runs.foreign.draws import REAL, FreshTape, Name, Tape, playing, qualified
from banditproof.verify.runs.foreign.seeds import SEED_NAMES, Outside
from banditproof.verify.runs.recorder import note_pull
from banditproof.verify.source_lines import names_of, parsed
from banditproof.verify.states import NUMBERS, State, attributes, enter
from banditproof.verify.stopwatch import Meter, OutOfTime
from banditproof.verify.tracing import traced

OTHER_WAYS = ("fit", "partial_fit", "predict", "step")
SAVE = ("save", "dump", "snapshot", "checkpoint", "state_dict", "get_state", "to_dict", "export", "state")
LOAD = ("load", "restore", "load_state_dict", "set_state", "from_dict", "load_state", "load_snapshot", "resume")
RESUMING = ("restart", "reset", "restore", "load", "resume", "recover", "reload", "new_", "next_", "start_", "begin_")
"""What whoever runs a policy calls between two pulls, by the beginning of its name."""
SEEDS_OF_DRAWS = 1 << 41  # and above: of runs that draw what others did, but for some draws
NO_ARM = -1.0  # of a pull that a run does not come to
PASSING = "~"  # before the path of a number that is not kept
PER_PULL, PER_PULL_BARE, PER_PULL_FRESH = 50.0, 5.0, 2.0  # units of work: with states, without, and without a tape
PER_DRAW, PER_DRAW_BARE, PER_DRAW_FRESH, PER_RUN = 50.0, 15.0, 5.0, 50.0
PER_ENTRY, ENTRIES = 0.15, 20  # of a state, beyond so many


@dataclass(frozen=True)
class Replayed:
    """A policy as it is: `make()` builds a fresh one, or runs a whole simulation and returns the arms.

    With `rewards_at`, a piece of the line that draws a reward, it is a simulation. `arms` is the number of arms, 2 if
    none is given, for learners that predict nothing before each arm was tried. A pull takes `per_pull` microseconds
    besides, where the policy is not in this process.
    """

    make: Callable[[], Any]
    rewards_at: str = ""
    arms: int | None = None
    choose: Callable[[Any], Any] | None = None
    hear: Callable[[Any, int, float], Any] | None = None
    per_pull: float = 0.0

    @property
    def by_arms(self) -> str:
        """How it is written where nothing but its arms is looked at."""
        return f"lambda noise, generator: select_update({getattr(self.make, '__name__', 'make')}(), arms)"

    def __repr__(self) -> str:
        return f"replayed({getattr(self.make, '__name__', self.make)})"


@named
def replayed(
    make: Callable[[], Any],
    *,
    rewards_at: str = "",
    arms: int | None = None,
    choose: Callable[[Any], Any] | None = None,
    hear: Callable[[Any, int, float], Any] | None = None,
) -> Replayed:
    """A policy of somebody else for `check_privacy`, as it is: its draws are recorded and replayed where it makes them.

    `make()` builds a fresh policy. It has `select_action()` or `select_arm()` or `pull()` and `update(arm, reward)`, or
    `step(reward, arm)`, which answers the next arm, or `fit`, `partial_fit` and `predict`; of any other,
    `choose(policy)` and `hear(policy, arm, reward)` say how. What draws its own rewards is run whole: `make()` returns
    the arms, and `rewards_at` is a piece of the line on which a reward is drawn. `arms` is read for `fit`,
    `partial_fit` and `predict` alone, which are asked once each arm was pulled; any other policy answers its arms.
    """
    if not isinstance(rewards_at, str):
        raise InvalidInput("rewards_at", rewards_at, "a piece of the line that draws a reward, as text")
    if not callable(make):
        raise InvalidInput("make", make, "a function that builds a fresh policy for each run, such as its class")
    for name, function, asked in (
        ("make", make, ""),
        ("choose", choose, "policy"),
        ("hear", hear, "policy, arm, reward"),
    ):
        if function is not None and not takes(function, len(asked.split())):
            right = f"a function of ({asked}), such as lambda {asked}: ..."
            none = "a function without arguments, such as lambda: MyPolicy(3, epsilon=1.0)"
            raise InvalidInput(name, function, right if asked else none)
    if (choose is None) != (hear is None):
        raise InvalidInput("choose, hear", (choose, hear), "given both or not at all")
    if hear is not None and reward_first(partial(hear, None)):
        raise InvalidInput("hear", hear, "a function of (policy, arm, reward) in this order")
    if arms is not None:
        check_count("arms", arms, 1)
    return Replayed(make, rewards_at, arms, choose, hear)


@dataclass
class Played:
    """What a policy did on rewards: the arms, what it knew before each pull, and the draws."""

    rewards: tuple[float, ...]
    actions: tuple[float, ...]
    states: tuple[State, ...]
    tape: Tape
    raised: Exception | None = None


@dataclass
class Stage:
    """Plays a policy on reward lists; standard draws are remembered from run to run."""

    foreign: Replayed
    own: OwnCode = field(default_factory=OwnCode)
    known: dict[int, dict[Name, np.ndarray]] = field(default_factory=dict)
    meter: Meter = field(default_factory=Meter)
    runs: int = 0
    far: set[int] = field(default_factory=set)  # seeds of runs whose draws are often far out in the tails
    since: int = 0  # the first pull of which states are taken
    in_time: Callable[[], None] = lambda: None  # raises OutOfTime where no time is left
    called: tuple[int, str] = (-1, "")  # before which pull another method of the policy is called, in every run
    like: dict[int, int] = field(default_factory=dict)  # the seed whose coins a seed shares
    made: Any = None  # the policy of the last run

    def __post_init__(self) -> None:
        self.coverage = Coverage(self.own)
        functions = [f for f in (self.foreign.choose, self.foreign.hear) if isinstance(f, FunctionType)]
        asked = {name for function in functions for name in names_of(function.__code__)}
        self.coverage.outside = frozenset({*CHOOSE, *HEAR, *OTHER_WAYS, *asked})
        given = (self.foreign.make, self.foreign.choose, self.foreign.hear)
        codes = [function.__code__ for function in given if isinstance(function, FunctionType)]
        self.makers = frozenset(codes)
        for code in codes:
            self.own.names.update(names_of(code))

    @cached_property
    def outside(self) -> Outside | None:
        """What is not the policy's program; None for a simulation, whose seeds are those of its runs."""
        if self.foreign.rewards_at:
            return None
        with playing(Tape(0)):
            return Outside.of(self.foreign.make, self.makers)

    def play(
        self,
        rewards: tuple[float, ...],
        seed: int,
        changed: Mapping[Name, float] | None = None,
        pulls: int = 0,
        bare: bool = False,
        others: int | None = None,
        recorded: frozenset[Name] = frozenset(),
        like: Played | None = None,
        wanted: tuple[float, ...] = (),
    ) -> Played:
        """A fresh policy on the rewards, or on as many of them as `pulls` says; 0 is all. Without states if `bare`. The
        run ends where its arm is another one than `wanted`, if these are given.

        Draws that `recorded` does not name follow from `others`, if that is given. What is the same as in `like`, a run
        with this seed, until a reward or a changed draw is another one, is not looked at again.
        """
        self.in_time()
        self.runs += 1
        known = self.known.setdefault(seed, {})
        tape = Tape(
            self.like.get(seed, seed), changed or {}, rewards, self.foreign.rewards_at, known=known, others=others
        )
        tape.recorded, tape.far, tape.outside = recorded, seed in self.far, self.outside
        self.coverage.pulls, self.coverage.run = lambda: tape.pulls, (rewards, seed)
        passing, same = None if bare else _Passing(self.own), tuple[State, ...]()
        with self.meter.working(), playing(tape):
            if self.foreign.rewards_at:
                played = self._simulation(tape, passing)
            else:
                same = () if like is None else like.states[: _same_until(like, rewards, tape.changed)]
                played = self._policy(tape, passing, pulls or len(rewards), same, wanted)
        length = min(pulls or len(rewards), len(played.actions)) if wanted else pulls or len(rewards)
        before = max(self.since, len(same) - 1) / max(1, length)  # the share of the pulls that are not looked at
        states = 0.0 if bare else 1 - before
        per_pull = PER_PULL_BARE + (PER_PULL - PER_PULL_BARE) * states + self.foreign.per_pull
        per_draw = PER_DRAW_BARE + (PER_DRAW - PER_DRAW_BARE) * states
        self.meter.count(PER_RUN + per_pull * length + per_draw * len(tape.draws))
        return played

    def with_another_seed(self, rewards: tuple[float, ...], seed: int) -> Played | None:
        """The run where a seed or key that its class, or a function that builds it, takes as an argument is another
        one; None where there is no such argument."""
        made, given, hits = self.foreign.make, self.foreign, list[str]()

        def other(function: Any) -> Any:
            @wraps(function)
            def call(*arguments: Any, **named: Any) -> Any:
                try:
                    bound = inspect.signature(function).bind(*arguments, **named)
                except TypeError:
                    return function(*arguments, **named)
                bound.apply_defaults()
                for name, value in bound.arguments.items():
                    if any(word in name.lower() for word in SEED_NAMES) and type(value) in (int, str, bytes):
                        bound.arguments[name] = value + (1 if type(value) is int else value[:1] * 2)
                        hits.append(name)
                return function(*bound.args, **bound.kwargs)

            return call

        with ExitStack() as put_back:
            with playing(Tape(0)):
                kind = type(made())
            if is_users(kind) and isinstance(kind.__init__, FunctionType):
                put_back.callback(setattr, kind, "__init__", kind.__init__)
                kind.__init__ = other(kind.__init__)
            if isinstance(made, FunctionType):
                names = {
                    n: f for n in names_of(made.__code__) if isinstance(f := made.__globals__.get(n), FunctionType)
                }
                around = {**made.__globals__, **{name: other(f) for name, f in names.items()}}
                made = FunctionType(made.__code__, around, made.__name__, made.__defaults__, made.__closure__)
            put_back.callback(setattr, self, "foreign", given)
            self.foreign = replace(given, make=other(made) if isinstance(made, FunctionType) else made)
            run = self.play(rewards, seed, bare=True)
        return run if hits else None

    def with_draws(self, seed: int, changed: Mapping[Name, float]) -> int:
        """A new seed that draws what a run with this one does, but for the changed draws."""
        new = SEEDS_OF_DRAWS + len(self.like)
        known = {call: values.copy() for call, values in self.known.get(seed, {}).items()}
        for name, value in changed.items():
            known[name[:-1]][int(str(name[-1]))] = value
        self.known[new], self.like[new] = known, self.like.get(seed, seed)
        if seed in self.far:
            self.far.add(new)
        return new

    def earned(self, table: np.ndarray, seed: int) -> tuple[float, ...]:
        """The rewards that a run has where each pull brings that of its arm, `table` [T, K]."""
        tape, rewards = Tape(seed, known=self.known.setdefault(seed, {}), far=seed in self.far), []
        tape.outside = self.outside
        with self.meter.working(), playing(tape):
            try:
                player = _Player(self.foreign.make(), self.foreign)
                for row in table:
                    arm = int(player.next_batch())
                    rewards.append(float(row[min(max(arm, 0), len(row) - 1)]))
                    tape.pulls += 1
                    player.observe(arm, rewards[-1])
            except Exception:  # a run on these rewards says what it raises
                rewards += [0.0] * (len(table) - len(rewards))
        per_pull = PER_PULL_BARE + self.foreign.per_pull
        self.meter.count(PER_RUN + per_pull * len(table) + PER_DRAW_BARE * len(tape.draws))
        return tuple(rewards)

    def fresh(self, rewards: tuple[float, ...], last: int, seed: int) -> tuple[float, ...]:
        """The arms up to the pull `last`, counted from 0, in a run with draws of its own; `NO_ARM` once it raised."""
        tape = FreshTape(seed, outside=self.outside)
        with self.meter.working(), playing(tape):
            player = _Player(self._made(), self.foreign)
            arms = list[float]()
            self.in_time()
            try:
                for reward in rewards[:last]:
                    arms.append(player.next_batch())
                    player.observe(int(arms[-1]), reward)
                arms.append(player.next_batch())
            except OutOfTime:
                raise
            except Exception:  # everybody sees that it ends here
                arms += [NO_ARM] * (last + 1 - len(arms))
        per_pull = PER_PULL_FRESH + self.foreign.per_pull
        self.meter.count(PER_RUN + per_pull * len(arms) + PER_DRAW_FRESH * tape.drawn)
        return tuple(arms)

    def _made(self) -> Any:
        """A policy for one run. Raises InvalidInput where it is the one of the run before, which knows its rewards."""
        policy = self.foreign.make()
        if policy is not None and policy is self.made:
            fresh = "a function that builds a fresh policy for each run; it returned the same object twice"
            raise InvalidInput("make", self.foreign.make, fresh)
        self.made = policy
        return policy

    def _policy(
        self, tape: Tape, passing: _Passing | None, pulls: int, same: tuple[State, ...], wanted: tuple[float, ...] = ()
    ) -> Played:
        """A run; its first states are the `same` as those of another one, and it ends where its arm is not `wanted`."""
        with self.coverage.building():
            policy = self._made()
        if self.own.adopt(policy):
            self.coverage.look_again()
        if any(type(value) in REAL for value in getattr(policy, "__dict__", {}).values()):
            tape.told.add(
                "the policy uses a generator that existed before it, or a copy of one, whose draws are not followed "
                "(make it where the policy is built)"
            )
        player = _Player(policy, self.foreign)
        actions: list[float] = []
        states: list[State] = []
        raised: Exception | None = None
        time, watching = -1, max(self.since, len(same) - 1)
        try:
            with ExitStack() as watched:
                for time in range(pulls):
                    self.in_time()
                    if passing is not None and time == watching:
                        watched.enter_context(passing.watching())
                    if time == self.called[0]:
                        policy = player.policy = self._after_call(policy)
                    actions.append(player.next_batch())
                    states += [] if passing is None else [self._known(passing, policy, time, same)]
                    if wanted and actions[-1] != wanted[time]:
                        return Played(tape.rewards, tuple(actions), tuple(states), tape)
                    tape.pulls += 1
                    player.observe(int(actions[-1]), tape.rewards[time])
                if self.called[0] == pulls:  # a run that is ended here to see what the call did
                    policy = player.policy = self._after_call(policy)
                actions.append(player.next_batch())
                states += [] if passing is None else [self._known(passing, policy, pulls, same)]
        except OutOfTime:
            raise
        except Exception as error:
            raised = error
            if isinstance(error, TypeError) and error.__traceback__ and _called_by_us(error.__traceback__):
                error.add_note(ASKED_AND_TOLD)
            else:
                note_pull(error, max(time + 1, len(actions)), bool(player.history))
                for arm, reward in player.history[-1:]:
                    told = f"It was last told (arm, reward) = ({arm}, {reward:g}), in this order"
                    from_0 = " (does it count arms from 1, and lists from 0?)" * isinstance(error, IndexError)
                    error.add_note(f"{told}; arm {arm} is its own answer{from_0}.")
        return Played(tape.rewards, tuple(actions), tuple(states), tape, raised)

    def _after_call(self, policy: Any) -> Any:
        """The policy after a method was called; where that is one that loads what another one saved, a new policy."""
        name = self.called[1]
        if name not in LOAD:
            getattr(policy, name)()
            return policy
        saved = getattr(policy, next(save for save in SAVE if _takes(policy, save, 0)))()
        made = self.foreign.make()
        loaded = getattr(made, name)(saved)
        return loaded if type(loaded) is type(made) else made

    def other_methods(self) -> dict[str, bool]:
        """The methods of the policy that its own code never calls and no run asks for, and whether they can be called
        with what is at hand."""
        with playing(Tape(0)):
            policy = self.foreign.make()
        kinds = [kind for kind in type(policy).__mro__ if is_users(kind)]
        files = {f.__code__.co_filename for kind in kinds for f in vars(kind).values() if isinstance(f, FunctionType)}
        trees = [tree for file in files if (tree := parsed(file)) is not None]
        nodes = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Attribute))
        mentioned = {node.attr for node in nodes if isinstance(node.value, ast.Name) and node.value.id == "self"}
        saves = [name for name in SAVE if _takes(policy, name, 0)]
        methods: dict[str, bool] = {}
        for name in dict.fromkeys(name for kind in kinds for name, f in vars(kind).items() if callable(f)):
            if (
                name.startswith("_")
                or name in self.coverage.outside | mentioned
                or isinstance(getattr(policy, name), type)
            ):
                continue
            loads = name in LOAD and bool(saves) and _takes(policy, name, 1)
            if name in SAVE and any(_takes(policy, load, 1) for load in LOAD):
                continue
            methods[name] = loads or (name not in LOAD and _takes(policy, name, 0))
        return methods

    def _known(self, passing: _Passing, policy: Any, time: int, same: tuple[State, ...]) -> State:
        if time < len(same):
            passing.forget()
            return same[time]
        if time < self.since:
            return {}
        held = policy if isinstance(policy, dict) else attributes(policy)
        state = passing.taken(held, {id(policy)})
        self.meter.count(PER_ENTRY * max(0, len(state) - ENTRIES))
        return state

    def _simulation(self, tape: Tape, passing: _Passing | None) -> Played:
        states: list[State] = []

        def pulled(frame: FrameType) -> None:
            self.own.add(frame.f_code.co_filename)
            if passing is None:
                return
            held: dict[str, Any] = {}
            at: FrameType | None = frame
            while at is not None and at.f_code.co_filename == frame.f_code.co_filename:
                held = {**at.f_locals, **held}
                at = at.f_back
            states.append(passing.taken(held))

        tape.pulled = pulled
        raised, result = None, None
        try:
            with nullcontext() if passing is None else passing.watching():
                result = self.foreign.make()
        except Exception as error:
            if isinstance(error, InvalidInput) and error.parameter == "rewards_at":
                raise
            raised = error
        if raised is None and not tape.pulls:
            told = "a piece of the line that draws a reward; no line with it drew any"
            raise InvalidInput("rewards_at", self.foreign.rewards_at, told)
        states += [] if passing is None else [passing.taken({})]
        returned: State = {}
        enter(result, "returned", returned, 0)
        return Played(tape.rewards, tuple(returned.values()), tuple(states), tape, raised)


class _Passing:
    """What the functions of a policy hold when they return, from one pull to the next: numbers that nobody may keep."""

    def __init__(self, own: OwnCode) -> None:
        self.own = own
        self.passed: State = {}
        self.calls: Counter[str] = Counter()

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Look at every return in the block."""
        with traced(self._call):
            yield

    def forget(self) -> State:
        """What passed since the last time, which is begun anew."""
        passed, self.passed = self.passed, {}
        self.calls.clear()
        return passed

    def taken(self, held: Mapping[str, Any], seen: set[int] | None = None) -> State:
        """What passed since the last time, and the numbers of what is held."""
        state = self.forget()
        tracer = sys.gettrace()
        sys.settrace(None)  # what looks at a policy's functions is not asked about those that enter its numbers
        try:
            enter(held, "", state, 0, seen)
        finally:
            sys.settrace(tracer)
        if isnan(sum(state.values())):  # what is not filled yet is no number
            return {path: number for path, number in state.items() if number == number}
        return state

    def _call(self, frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code.co_filename not in self.own:
            return None
        frame.f_trace_lines = False
        return self._return

    def _return(self, frame: FrameType, event: str, answer: Any) -> Any:
        if event == "return":
            name = qualified(frame.f_code)
            self.calls[name] += 1
            call = f"{PASSING}{name}#{self.calls[name]}"
            for variable, value in (*frame.f_locals.items(), ("return", answer)):
                if isinstance(value, NUMBERS):
                    enter(value, f"{call}.{variable}", self.passed, 1)
        return self._return


class _Player:
    """One policy, asked and told as it likes. What `next_batch` answers is a decision."""

    def __init__(self, policy: Any, foreign: Replayed) -> None:
        self.foreign, self.arms = foreign, foreign.arms or 2
        self.history: list[tuple[int, float]] = []
        self.policy = policy

    @property
    def policy(self) -> Any:
        return self._policy

    @policy.setter
    def policy(self, policy: Any) -> None:
        self._policy = policy
        self._ask, self._tell = self._manner()
        if self.foreign.arms is not None and self._tell != self._fitted:
            raise InvalidInput("arms", self.foreign.arms, "left out: this policy answers its arms itself")

    def next_batch(self) -> float:
        """The arm that is pulled next."""
        answer = self._ask()
        if type(answer) is int and answer >= 0:
            return float(answer)
        try:
            arm = nan if isinstance(answer, str | bytes) else float(np.asarray(answer).item())
        except (TypeError, ValueError):
            arm = nan
        if 0 <= arm < inf and arm % 1 == 0:
            return arm
        names = "; give `choose` and `hear` where arms have other names"
        other = " (a function without a return answers None)" if answer is None else names
        raise InvalidInput("arm", answer, f"a whole number from 0 on{other}")

    def observe(self, arm: int, reward: float) -> None:
        self.history.append((arm, reward))
        self._tell(arm, reward)

    def _manner(self) -> tuple[Callable[[], Any], Callable[[int, float], Any]]:
        policy, foreign = self.policy, self.foreign
        if (
            foreign.choose is None
            and callable(getattr(policy, "partial_fit", None))
            and callable(getattr(policy, "predict", None))
        ):
            for name, told in (("fit", "arms, rewards"), ("partial_fit", "arms, rewards"), ("predict", "")):
                called_with(told, policy, name)
            return self._predicted, self._fitted
        if foreign.choose is not None and foreign.hear is not None:
            choose, hear = foreign.choose, foreign.hear
            return lambda: choose(policy), lambda arm, reward: hear(policy, arm, reward)
        if (found := asked_and_told(policy)) is not None:
            return found
        if callable(getattr(policy, "step", None)):
            called_with("reward, arm", policy, "step")
            return self._stepped, lambda arm, reward: None
        if callable(getattr(policy, "next_batch", None)):
            made = f"lambda noise, generator: {type(policy).__name__}(...)"
            raise InvalidInput("make", type(policy).__name__, f"{made} without replayed, for a policy of this library")
        kinds = "select_arm and update, pull and update, step(reward, arm), or fit, partial_fit and predict"
        other = "replayed(make, choose=..., hear=...) for other names, and rewards_at=... for a simulation"
        raise InvalidInput("make", type(policy).__name__, f"a function that makes a policy with {kinds}; {other}")

    def _stepped(self) -> Any:
        arm, reward = self.history[-1] if self.history else (None, None)
        step = self.policy.step
        return step(reward, arm) if reward_first(step) else step(arm, reward)

    def _predicted(self) -> Any:
        pulls = len(self.history)
        answer = pulls if pulls < self.arms else self.policy.predict()
        return answer

    def _fitted(self, arm: int, reward: float) -> None:
        if len(self.history) == self.arms:
            arms, rewards = zip(*self.history, strict=True)
            self.policy.fit(list(arms), list(rewards))
        elif len(self.history) > self.arms:
            self.policy.partial_fit([arm], [reward])


def _same_until(run: Played, rewards: tuple[float, ...], changed: Mapping[Name, float]) -> int:
    """The first state that may be another one than in the run, on other rewards and with changed draws."""
    told = next((t + 1 for t, (a, b) in enumerate(zip(run.rewards, rewards, strict=False)) if a != b), len(rewards))
    before = run.tape.changed
    moved = {name for name in {**before, **changed} if before.get(name) != changed.get(name)}
    return min([told, *(draw.pulls for draw in run.tape.draws if draw.name in moved)])


def _takes(policy: Any, name: str, count: int) -> bool:
    """Whether a policy has a method of this name that takes so many arguments."""
    return takes(getattr(policy, name, None), count, unknown=False)


def _called_by_us(trace: TracebackType) -> bool:
    """Whether what was raised never came into a function of somebody else."""
    while trace.tb_next is not None:
        trace = trace.tb_next
    return trace.tb_frame.f_code.co_filename in (__file__, asking.__file__)
