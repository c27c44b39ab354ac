"""Claims about recorded runs of the finite-armed algorithms (``verify.runs.recorded``): their domain, bugs and step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

from banditproof.algorithms.roster import algorithms
from banditproof.claims.check import Check
from banditproof.claims.register import Mutation, mutation
from banditproof.verify.proof.compare import Relation, trust
from banditproof.verify.runs.planted import PLANTED, RARE

ALGORITHMS = "all: the algorithms of the claim"
BUDGETS = "all: every budget"
LISTS = "all: every list of rewards in [0, 1]"
Algorithm = Annotated[Any, ALGORITHMS]
EveryBudget = Annotated[Any, BUDGETS]
RewardLists = Annotated[Any, LISTS]

trust("banditproof.verify.runs.recorded")  # evidence names its relation

PULLS = 40  # of linear and contextual algorithms, which are recorded in small settings of their own
BUGS: list[Mutation] = [mutation(name, bug=name) for name in (*PLANTED, *RARE)]


@dataclass(frozen=True)
class recorded:
    """The step that records runs and replays them on neighbours: no violation on several streams of reward lists.

    Attributes:
        budgets: by algorithm, such as ``{"dp-imed": [["pure", 1]]}``.
        quick, full: how many streams of reward lists under each profile.
        pulls: horizons by algorithm, where others than those of the register are wanted.
    """

    budgets: Mapping[str, Sequence[Sequence[Any]]]
    quick: int = 1
    full: int = 20
    pulls: Mapping[str, int] = field(default_factory=dict)
    method: ClassVar[str] = "enumeration"

    def __call__(self, check: Check, relation: Relation) -> bool:
        horizons = {name: entry.pulls for name, entry in algorithms().items()} | dict(self.pulls)
        points = [
            {"algorithm": name, "budget": budget, "T": horizons.get(name, PULLS), "rewards": seed}
            for seed in range(check.pick(self.quick, self.full))
            for name, listed in self.budgets.items()
            for budget in listed
        ]
        return check.enumerate(relation, points, rational=True, routes=("recorded run", "replay on neighbours"))
