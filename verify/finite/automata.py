"""Policies with finitely many states: what is played depends on the state, and the next state on what is heard.

Source: BDP-D2.1
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from banditproof.theory.arguments import Size, checked
from banditproof.theory.errors import InvalidInput
from banditproof.verify.finite.kernels import FiniteKernel, History, Reward, Row

MOST_STATES = 500


@checked
@dataclass(frozen=True)
class PolicyAutomaton:
    """A policy whose memory is one of finitely many states.

    `laws[s][a]` is the probability of arm a in state s, rational. `moves[s][a][k]` is the state after arm a has paid
    `rewards[k]`. The run begins in state `start`. Whatever the policy draws at random is an arm: a state is a
    function of the arms and rewards so far, so coins that nobody sees have to be part of the law of an arm.

    Raises InvalidInput for laws that are none, moves that lead to no state, and more than 500 states.

    Source: BDP-D2.1

    >>> half = Fraction(1, 2)
    >>> PolicyAutomaton([(half, half)], [[(0, 0), (0, 0)]]).arms
    2
    """

    laws: Sequence[Sequence[Fraction]]
    moves: Sequence[Sequence[Sequence[int]]]
    rewards: tuple[Reward, ...] = (0, 1)
    start: int = 0

    def __post_init__(self) -> None:
        states = len(self.laws)
        if not 1 <= states <= MOST_STATES:
            raise InvalidInput("laws", f"{states} states", f"the laws of 1 to {MOST_STATES} states")
        if not self.rewards or len(set(self.rewards)) < len(self.rewards):
            raise InvalidInput("rewards", self.rewards, "a non-empty tuple of distinct rewards")
        arms = len(self.laws[0])
        laws = tuple(_law(law, arms) for law in self.laws)
        moves = tuple(tuple(tuple(after) for after in of_state) for of_state in self.moves)
        shape = len(moves) == states and all(
            len(of_state) == arms and all(len(after) == len(self.rewards) for after in of_state) for of_state in moves
        )
        if not shape:
            allowed = f"for each of {states} states and {arms} arms, {len(self.rewards)} states: one for each reward"
            raise InvalidInput("moves", self.moves, allowed)
        targets = [self.start, *(t for of_state in moves for after in of_state for t in after)]
        for name, target in (("start", self.start), *(("moves", t) for t in targets)):
            if isinstance(target, bool) or not isinstance(target, int) or not 0 <= target < states:
                raise InvalidInput(name, target, f"a state, from 0 to {states - 1}")
        object.__setattr__(self, "laws", laws)
        object.__setattr__(self, "moves", moves)

    @property
    def states(self) -> int:
        """How many states there are."""
        return len(self.laws)

    @property
    def arms(self) -> int:
        """How many arms there are."""
        return len(self.laws[0])

    def after(self, state: int, arm: int, reward: Reward) -> int:
        """The next state."""
        return self.moves[state][arm][self.rewards.index(reward)]

    def probability(self, history: History) -> Row:
        """The law of the next arm after ((a_1, r_1), ...), as `FiniteKernel` and `HistoryPolicy` ask for it."""
        state = self.start
        for arm, reward in history:
            state = self.after(state, arm, reward)
        return tuple(self.laws[state])

    @checked
    def kernel(self, horizon: Size) -> FiniteKernel:
        """The policy over so many rounds, for exact enumeration."""
        return FiniteKernel(horizon, self.arms, self.rewards, self.probability)


def _law(law: Any, arms: int) -> Row:
    allowed = f"{arms} rational probabilities that sum to 1, for every state"
    try:
        exact = tuple(Fraction(p) for p in law)
    except (TypeError, ValueError, OverflowError):
        raise InvalidInput("laws", law, allowed) from None
    if not exact or len(exact) != arms or min(exact) < 0 or sum(exact) != 1:
        raise InvalidInput("laws", law, allowed)
    return exact
