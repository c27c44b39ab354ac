"""Coins beside kept noise: whether they bring an arm back often enough where rewards turn it past all noise.

Noisy numbers that are kept stay as they are, and so does every draw that they show. What is drawn for one arm alone is
drawn anew, on the rewards and on the neighbour. That tells if no draw before it turns this arm and no earlier one: then
the arm has a probability given all that came before. The budget bounds the ratio of all that is seen until then, and of
all that is seen before, so that of the arm by exp(2 epsilon); by exp(epsilon) where the reward is told after all that.

If earlier draws turn it with probability eta at most, its chances p and q move by that much. So the budget is exceeded
unless eta is (p - r q)/(1 + r) or more, r the bound on the ratio, and then so many runs with other earlier draws would
hardly ever all leave it as it is. They are made anew together where the arms before stay often enough, else by parts of
the run: draws of two parts that turn the arm together, and neither alone, are not looked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, partial
from math import ceil, exp, inf, log

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
UNTURNED = 1e-6  # the probability that no run shows earlier draws that may turn an arm
FEW, MOST_TRIED = 8, 20  # runs after which a part is halved if most lose an arm before; times the runs that are needed
MOST_RUNS = 300  # that a part may need
MOST_DRAWS = 400  # before the arm


@dataclass(frozen=True)
class Turned:
    """An arm that differs on a neighbour on which all kept noisy numbers were aligned."""

    stage: Stage
    recorded: Recorded
    aligned: Aligned
    pull: int
    unkept: frozenset[Name]  # the draws that no kept number shows

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
            chances = [count / samples for count in counts]
            return said if refuted and not self.hidden(runs_needed(chances, exp(allowed))) else ""
        return ""

    @cached_property
    def free(self) -> list[Draw]:
        """The draws until then that no kept number shows."""
        return [draw for draw in self.recorded.draws.values() if draw.pulls <= self.pull and draw.name in self.unkept]

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

    def hidden(self, needed: float) -> bool:
        """Whether an earlier draw, or those of a part, turn this arm and none before it on one of the lists, or may."""
        if needed > MOST_RUNS:
            return True
        values = [(draw.name, value) for draw in self.earlier for value in FEW_VALUES.get(draw.law, ())]
        pulls = [{d.name for d in self.earlier if d.pulls == pull} for pull in sorted({d.pulls for d in self.earlier})]
        for side in (0, 1):
            own = self.arms(side, set(), 0)
            others = (self.arms(side, set(), 0, {name: value}) for name, value in values)
            if any(self._keeps(arms) and arms != own for arms in others):
                return True
            before = cache(partial(self.arms, side, self.fresh))
            if pulls and not self._stays(side, pulls, ceil(needed), before):
                return True
        return False

    def _keeps(self, arms: tuple[float, ...]) -> bool:
        """Whether the arms before this one are those of the run."""
        return arms[: self.pull] == self.recorded.run.actions[: self.pull]

    def _stays(
        self, side: int, pulls: list[set[Name]], needed: int, before: Callable[[int], tuple[float, ...]]
    ) -> bool:
        """Whether so many runs with other draws of some pulls keep the arms before this one, and none turns it."""
        anew, kept = self.fresh.union(*pulls), 0
        for tried in range(MOST_TRIED * needed):
            if len(pulls) > 1 and tried >= FEW and 2 * kept < tried:
                half = len(pulls) // 2
                return all(self._stays(side, part, needed, before) for part in (pulls[:half], pulls[half:]))
            arms = self.arms(side, anew, tried)
            if self._keeps(arms) and arms != before(tried):
                return False
            kept += self._keeps(arms)
            if kept >= needed:
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


def runs_needed(chances: Sequence[float], most: float) -> float:
    """Runs with other earlier draws of which one turns the arm, if these turn it so often that the ratio is allowed."""
    events = (chances, [1 - chance for chance in chances])
    least = max((max(event) - most * min(event)) / (1 + most) for event in events)
    return log(1 / UNTURNED) / least if least > 0 else inf
