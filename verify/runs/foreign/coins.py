"""Coins beside kept noise: whether they bring an arm back often enough where rewards turn it past all noise.

Noisy numbers that are kept stay as they are, and so does every draw that they show. What is drawn for one arm alone is
drawn anew, on the rewards and on the neighbour. That tells if no draw before it turns this arm and no earlier one: then
the arm has a probability given all that came before. The budget bounds the ratio of all that is seen until then, and of
all that is seen before, so that of the arm by exp(2 epsilon); by exp(epsilon) where the reward is told after all that.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from banditproof.theory.privacy.budget import Budget
from banditproof.verify.audits.refutation import shown_parameter
from banditproof.verify.proof.statistics import RECORDED_ERROR
from banditproof.verify.runs.foreign.arms import FEW_VALUES
from banditproof.verify.runs.foreign.draws import Draw, Name
from banditproof.verify.runs.foreign.numbers import Recorded
from banditproof.verify.runs.foreign.policies import Stage
from banditproof.verify.runs.foreign.solving import Aligned

LOOKS = ((30, Fraction(9, 10)), (100, Fraction(1, 2)))  # draws for one arm, and the error
PROOFS = tuple((samples, RECORDED_ERROR / 2000) for samples in (250, 1000))
AGAIN = 12  # times that all draws of an earlier pull are made anew
MOST_DRAWS = 400  # before the arm


@dataclass(frozen=True)
class Turned:
    """An arm that differs on a neighbour on which all kept noisy numbers were aligned."""

    stage: Stage
    recorded: Recorded
    aligned: Aligned
    pull: int

    def told(self, budget: Budget) -> str:
        """How often the arm comes on either list, where a pure budget does not allow that; else nothing."""
        if not self.fresh or len(self.earlier) > MOST_DRAWS:
            return ""
        before, after = self.recorded.run.rewards, self.aligned.run.rewards
        last = not self.aligned.costs and before[: self.pull - 1] == after[: self.pull - 1]
        allowed = (2 - last) * float(budget.spent)
        for samples, error in (*LOOKS, *PROOFS):
            counts = self.counted(samples)
            refuted = shown_parameter(budget, *counts, samples=samples, error=error) > allowed
            if refuted is ((samples, error) in LOOKS):
                continue
            said = (
                f"in {counts[0]} of {samples} runs with other draws for it, and in {counts[1]} of them on the neighbour"
            )
            return said if refuted and not self.hidden() else ""
        return ""

    @cached_property
    def free(self) -> list[Draw]:
        """The draws until then that no kept number shows."""
        free = self.recorded.unkept()
        return [draw for draw in self.recorded.draws.values() if draw.pulls <= self.pull and draw.name in free]

    @cached_property
    def fresh(self) -> set[Name]:
        """Those of them that are made for this arm alone."""
        return {draw.name for draw in self.free if draw.pulls == self.pull}

    @cached_property
    def earlier(self) -> list[Draw]:
        """The others."""
        return [draw for draw in self.free if draw.pulls < self.pull]

    def counted(self, samples: int) -> list[int]:
        """How often the arm comes, on the rewards and on the neighbour."""
        arms, seeds = self.recorded.run.actions[: self.pull + 1], range(samples, 2 * samples)
        return [sum(self.arms(side, self.fresh, seed) == arms for seed in seeds) for side in (0, 1)]

    def hidden(self) -> bool:
        """Whether an earlier draw, or all of a pull, turns this arm and none before it on one of the lists."""
        values = [(draw.name, value) for draw in self.earlier for value in FEW_VALUES.get(draw.law, ())]
        groups = [{d.name for d in self.earlier if d.pulls == pull} for pull in {d.pulls for d in self.earlier}]
        for side in (0, 1):
            others = [self.arms(side, set(), 0, {name: value}) for name, value in values]
            others += [self.arms(side, group, seed) for group in groups for seed in range(AGAIN)]
            alike = {arms for arms in others if arms[: self.pull] == self.recorded.run.actions[: self.pull]}
            if alike - {self.arms(side, set(), 0)}:
                return True
        return False

    def arms(
        self, side: int, anew: Set[Name], seed: int, changed: Mapping[Name, float] | None = None
    ) -> tuple[float, ...]:
        """The arms on one list, with some draws made anew and some changed."""
        rewards, solved = ((self.recorded.run.rewards, {}), (self.aligned.run.rewards, self.aligned.changed))[side]
        known = frozenset(self.recorded.draws) - anew
        given = {**solved, **(changed or {})}, self.pull, True, seed, known
        return self.stage.play(rewards, self.recorded.seed, *given).actions
