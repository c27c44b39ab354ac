"""Index policies without privacy: follow the leader, explore then commit, UCB, KL-UCB and IMED.

They are private index policies with an infinite budget and batches of one pull, so there is no noise. KL-UCB and IMED
are DP-KLUCB and DP-IMED in that case: d_epsilon with epsilon = inf is kl (BDP-DF3), so the indices are the classical
ones, not approximations of them. For a private policy these are the baselines that pay nothing for privacy.

Every arm is pulled once before any is pulled twice, the lowest first, and ties go as `ties` says, to the lowest arm
unless told otherwise. t is the number of the pull about to be made.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banditproof.algorithms.batches import BatchSchedule, CommittingBatches, PolynomialBatches
from banditproof.algorithms.finite.dp_index import DPIMED, DPKLUCB, BatchedIndexPolicy
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.registration import Setting, at_horizon, registered
from banditproof.theory import Budget, InvalidInput
from banditproof.theory.arguments import Size, checked


class NonPrivateIndexPolicy(BatchedIndexPolicy):
    """Infinite budget, and one pull per batch unless `batches` says otherwise. Source: TH-A2

    The other arguments are those of `BatchedIndexPolicy`; a subclass gives the index as `index` or `score`.
    """

    @checked
    def __init__(
        self,
        arms: Size,
        *,
        batches: BatchSchedule | None = None,
        replications: Size = 1,
        generator: np.random.Generator | None = None,
        ties: str = "lowest-arm",
        noise: NoiseSource | None = None,
    ) -> None:
        super().__init__(
            arms,
            Budget.pure(np.inf),
            batches or PolynomialBatches(0),
            noise or NoiseSource(),
            replications=replications,
            generator=generator,
            ties=ties,
        )


@registered("follow-the-leader", Setting, "TH-A2.FTL", kinds=(), every_pull=True)
class FollowTheLeader(NonPrivateIndexPolicy):
    """Pulls the arm with the largest mean of the rewards so far. Source: TH-A2.FTL"""

    clipping = False

    @staticmethod
    def index(mean: Any, n: Any, level: Any, epsilon: Any, multiplier: Any) -> Any:
        return mean


@registered("explore-then-commit", Setting, "TH-A2.ETC", kinds=(), options={"exploration": 100})
class ExploreThenCommit(FollowTheLeader):
    """Pulls each arm `exploration` times in a row, the lowest first, then the arm with the largest mean for ever.

    `exploration` = m >= 1; 1 is follow the leader that never looks again. Raises InvalidInput. Source: TH-A2.ETC
    """

    @checked
    def __init__(self, arms: Size, exploration: int, **options: Any) -> None:
        super().__init__(arms, batches=CommittingBatches(exploration), **options)


@registered(
    "ucb",
    Setting,
    "TH-EQ2.9",
    kinds=(),
    every_pull=True,
    asks=("horizon",),
    options={"delta": None},
    how=at_horizon,
    bugs="index",
)
class UCB(NonPrivateIndexPolicy):
    """Pulls the arm with the largest mean + sqrt(2 log(1/delta) / N), for 1-subgaussian rewards.

    Give `delta` in (0, 1], or the `horizon` T >= 1 for the delta = 1/T^2 of the regret bound. Raises InvalidInput.
    Source: TH-EQ2.9, TH-T2.23
    """

    clipping, growth = False, "1"

    @checked
    def __init__(self, arms: Size, *, delta: float | None = None, horizon: int | None = None, **options: Any) -> None:
        super().__init__(arms, **options)
        if (delta is None) == (horizon is None):
            raise InvalidInput("delta, horizon", (delta, horizon), "such that exactly one of them is given")
        if horizon is not None and not 1 <= horizon <= 2**63:
            raise InvalidInput("horizon", horizon, "from 1 to 2^63")
        if delta is not None and not 0 < delta <= 1:
            raise InvalidInput("delta", delta, "in (0, 1]")
        self.level = self.factor = float(2 * np.log(horizon or 1)) if delta is None else float(-np.log(delta))
        """log(1/delta)."""
        self.made_for = horizon

    @staticmethod
    def index(mean: Any, n: Any, level: Any, epsilon: Any, multiplier: Any) -> Any:
        return mean + np.sqrt(2 * level / n)


@registered("anytime-ucb", Setting, "TH-EQ2.12", kinds=(), every_pull=True, bugs="index")
class AnytimeUCB(NonPrivateIndexPolicy):
    """Pulls the arm with the largest mean + sqrt(2 log f(t) / N), f(t) = 1 + t log^2 t, for 1-subgaussian rewards.

    Source: TH-EQ2.12
    """

    clipping, growth = False, "log f(t)"
    index = staticmethod(UCB.index)


@registered("kl-ucb", Setting, "TH-EQ2.14", kinds=(), every_pull=True, options={"exploration": "log f(t)"}, bugs="kl")
class KLUCB(NonPrivateIndexPolicy, DPKLUCB):
    """Pulls the arm with the largest mu in [0, 1] such that kl(mean, mu) <= level / N.

    The level is log t with `exploration` "log t" (BDP-S2.1), and log(1 + t log^2 t) with "log f(t)" (TH-EQ2.14).
    Raises InvalidInput. Source: BDP-S2.1, TH-EQ2.14
    """

    presets = {"bernoulli-dp": {"exploration": "log t"}, "thesis": {"exploration": "log f(t)"}}

    @checked
    def __init__(self, arms: Size, *, exploration: str = "log t", **options: Any) -> None:
        super().__init__(arms, **options)
        if exploration not in ("log t", "log f(t)"):
            raise InvalidInput("exploration", exploration, '"log t" or "log f(t)"')
        self.exploration = self.growth = exploration

    index = staticmethod(DPKLUCB.index)


@registered("imed", Setting, "BDP-S2.1", kinds=(), every_pull=True, bugs="kl")
class IMED(NonPrivateIndexPolicy, DPIMED):
    """Pulls the arm with the smallest N kl(mean, best mean) + log N. Source: BDP-S2.1"""
