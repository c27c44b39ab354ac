"""A policy as an automaton: its states explored until they repeat, for verification over every horizon.

What a policy keeps may hold an answer that nobody sees until an arm depends on it. So a state of the automaton is what
the arms and rewards so far say about the policy: which of its own states it may be in, and how likely each one is.

Source: BDP-D2.1, TH-D3.2
"""

from __future__ import annotations

import copy
import io
import pickle
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.algorithms.policy import Policy
from banditproof.theory.arguments import checked
from banditproof.theory.errors import InvalidInput
from banditproof.verify.finite.automata import MOST_STATES, PolicyAutomaton
from banditproof.verify.runs.enumerated_policy import Answers, Unanswered
from banditproof.verify.runs.recorder import PolicyMaker, made

Belief = tuple[tuple[Hashable, Fraction], ...]  # the policy's own states, by name, with their probabilities
_MOST_OWN = 20_000  # states of the policy itself


@checked
def finite_policy(
    make_policy: PolicyMaker,
    *,
    rewards: tuple[int | Fraction, ...] = (0, 1),
    key: Callable[[Policy], Any] | None = None,
) -> PolicyAutomaton:
    """The policy as an automaton, for `verify_every_horizon`; it pulls one arm at a time.

    `key(policy)` names what the policy remembers: states with the same name are taken to be the same. Without it, that
    is all its attributes (as they are pickled), and a clock among them makes every state a new one. Where a key gives
    two states one name although the next arm has another law in them, it is refused.

    What a policy makes of the reward of an arm that it never plays is not explored: ask for "view", not "interactive".
    Probabilities are the floats of the mechanisms: what is decided holds up to their rounding, 1e-15 each. Raises
    InvalidInput for a policy whose states do not repeat, for mechanisms with infinitely many answers, for coins from
    the generator, and for batches.
    """
    return _Exploration(make_policy, rewards, key).automaton()


class _Exploration:
    def __init__(self, make_policy: PolicyMaker, rewards: tuple[Any, ...], key: Callable[[Policy], Any] | None) -> None:
        self.coins = np.random.default_rng(0)
        self.silent = Answers(())
        self.first = made(make_policy, self.silent, self.coins)
        if self.first.replications != 1:
            raise InvalidInput("replications", self.first.replications, "1: one run at a time")
        self.arms, self.rewards, self.key = self.first.arms, rewards, key
        self.known: dict[Hashable, Policy] = {}  # a policy in each of its own states
        self.plays: dict[Hashable, list[tuple[int, Policy, Fraction]]] = {}
        self.hears: dict[Any, dict[Hashable, Fraction]] = {}

    def automaton(self) -> PolicyAutomaton:
        """Every belief that arms and rewards lead to."""
        start: Belief = ((self._state_name(self.first), Fraction(1)),)
        place: dict[Belief, int] = {start: 0}
        queue: list[Belief] = [start]
        laws, moves = [], []
        for belief in queue:
            parts: list[list[tuple[Hashable, int, Fraction]]] = [[] for _ in range(self.arms)]
            for name, share in belief:
                for number, (arm, _, p) in enumerate(self.plays[name]):
                    parts[arm].append((name, number, share * p))
            law = [sum((p for *_, p in part), Fraction(0)) for part in parts]
            of_state = []
            for arm, part in enumerate(parts):
                after = []
                for reward in self.rewards:
                    told = self._after(part, law[arm], reward) if law[arm] else belief  # never played: no matter where
                    if told not in place:
                        place[told] = len(queue)
                        queue.append(told)
                        self._refuse_if_many(len(queue), MOST_STATES)
                    after.append(place[told])
                of_state.append(tuple(after))
            laws.append(tuple(law))
            moves.append(of_state)
        return PolicyAutomaton(laws, moves, self.rewards)

    def _after(self, part: list[tuple[Hashable, int, Fraction]], total: Fraction, reward: Any) -> Belief:
        shares: dict[Hashable, Fraction] = defaultdict(Fraction)
        for name, number, p in part:
            for later, q in self._heard(name, number, reward).items():
                shares[later] += p * q / total
        return tuple(sorted(((name, p) for name, p in shares.items() if p), key=lambda one: repr(one[0])))

    def _heard(self, name: Hashable, number: int, reward: Any) -> dict[Hashable, Fraction]:
        """The policy's own states after an arm of it has been paid."""
        if (name, number, reward) not in self.hears:
            _, policy, _ = self.plays[name][number]
            states: dict[Hashable, Fraction] = defaultdict(Fraction)
            paid = np.array([float(reward)])
            for _, after, p in self._runs(policy, lambda one: one.observe(paid.copy(), np.array([1]))):
                states[self._state_name(after)] += p
            self.hears[name, number, reward] = states
        return self.hears[name, number, reward]

    def _state_name(self, policy: Policy) -> Hashable:
        """The name of the policy's own state, which is looked at when it is new."""
        name = self._pickled(policy) if self.key is None else self.key(policy)
        try:
            new = name not in self.known
        except TypeError:
            raise InvalidInput(
                "key", name, "a function whose value can be compared and hashed, such as a tuple"
            ) from None
        if new or self.key is not None:
            plays = self._plays(policy)
            if not new and _law(plays) != _law(self.plays[name]):
                raise InvalidInput("key", name, "a function with different values for states that play differently")
            if new:
                self.known[name], self.plays[name] = policy, plays
                self._refuse_if_many(len(self.known), _MOST_OWN)
        return name

    def _plays(self, policy: Policy) -> list[tuple[int, Policy, Fraction]]:
        """What the policy may play next, each with the policy after it and its probability."""
        plays = []
        for (arm, count), after, p in self._runs(policy, lambda one: one.next_batch()):
            if int(np.ravel(count)[0]) != 1:
                raise InvalidInput("batch", int(np.ravel(count)[0]), "one pull, for a policy with finitely many states")
            if not 0 <= int(np.ravel(arm)[0]) < self.arms:
                raise InvalidInput("arm", int(np.ravel(arm)[0]), f"from 0 to {self.arms - 1}")
            if p:
                plays.append((int(np.ravel(arm)[0]), after, p))
        return plays

    def _runs(self, policy: Policy, call: Callable[[Policy], Any]) -> Iterator[tuple[Any, Policy, Fraction]]:
        """The call along every answer of the mechanisms, each on a copy of the policy."""
        scripts: list[tuple[int, ...]] = [()]
        while scripts:
            script = scripts.pop()
            noise = Answers(script)
            one = copy.deepcopy(policy, {id(self.silent): noise, id(self.coins): self.coins})
            before = self.coins.bit_generator.state
            try:
                result = call(one)
            except Unanswered as more:
                scripts += [(*script, answer) for answer in range(more.args[0])]
                continue
            if self.coins.bit_generator.state != before:
                raise InvalidInput(
                    "make_policy",
                    "a policy that flips coins",
                    "a function whose policy draws random numbers for releases only",
                )
            yield result, copy.deepcopy(one, {id(noise): self.silent, id(self.coins): self.coins}), noise.probability

    def _pickled(self, policy: Policy) -> bytes:
        """All that the policy keeps, but for its noise and its generator."""
        outside = {id(self.silent): "noise", id(self.coins): "generator"}
        written = io.BytesIO()
        pickler = pickle.Pickler(written)
        pickler.persistent_id = lambda one: outside.get(id(one))  # type: ignore[method-assign]
        try:
            pickler.dump(sorted(vars(policy).items()))
        except Exception as error:  # whatever an attribute raises that cannot be pickled
            raise InvalidInput("key", None, f"given for a policy that cannot be pickled ({error})") from None
        return written.getvalue()

    def _refuse_if_many(self, count: int, most: int) -> None:
        if count > most:
            why = (
                "the key must leave out"
                if self.key
                else ("without a key every attribute counts, also a clock; leave out")
            )
            allowed = f"one whose states repeat: {why} what no later arm depends on"
            raise InvalidInput("make_policy", f"a policy of more than {most} states", allowed)


def _law(plays: list[tuple[int, Policy, Fraction]]) -> dict[int, Fraction]:
    law: dict[int, Fraction] = defaultdict(Fraction)
    for arm, _, p in plays:
        law[arm] += p
    return dict(law)
