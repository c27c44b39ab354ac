"""Does a policy's regret break a theorem? A test of "the expected regret is at most B" that is valid for any tails.

Regret is nonnegative, so if its expectation is at most B, the product over independent runs of
1 + lambda (regret / B - 1) has expectation at most 1 for every lambda in [0, 1], and so has an average of such products
(an e-value). By Markov's inequality it exceeds 1 / error with probability at most `error`: no normality, no bounded
variance, no minimal number of runs. Few bad runs far above the bound are as much evidence as many slightly above it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from banditproof.algorithms.environment import Environment
from banditproof.algorithms.policy import Policy
from banditproof.algorithms.run.sweep import simulate_chunks
from banditproof.theory.errors import InvalidInput
from banditproof.verify.proof.statistics import REPORT_ERROR, log_evidence


@dataclass(frozen=True)
class RegretReport:
    """What `runs` independent runs say of the bound; with `ok` False it is broken, up to the error probability.

    `log_evidence` is the natural logarithm of the e-value, `needed` what it must reach, log(1 / error).
    """

    bound: float
    runs: int
    mean: float
    largest: float
    log_evidence: float
    needed: float

    @property
    def ok(self) -> bool:
        """Whether the runs are compatible with the bound."""
        return self.log_evidence < self.needed

    def __str__(self) -> str:
        verdict = "compatible with" if self.ok else "contradicts"
        return (
            f"mean regret {self.mean:.6g} over {self.runs} runs (largest {self.largest:.6g}) {verdict} the bound "
            f"{self.bound:.6g}: log evidence {self.log_evidence:.3g} of {self.needed:.3g} needed"
        )


def check_regret(
    make_policy: Callable[[slice, np.random.Generator], Policy],
    environment: Environment,
    horizon: int,
    bound: float,
    *,
    runs: int = 200,
    error: Fraction = REPORT_ERROR,
    seed: int = 0,
    workers: int = 1,
) -> RegretReport:
    """Test by simulation that the expected regret after `horizon` pulls is at most `bound`.

    `make_policy(rows, generator)` builds the policy for the replications of the slice `rows`, as for
    `simulate_chunks`. A correct policy fails with probability at most `error`. Raises InvalidInput.
    """
    if not bound >= 0:
        raise InvalidInput("bound", bound, "a nonnegative number")
    if not 0 < error < 1:
        raise InvalidInput("error", error, "between 0 and 1")
    result = simulate_chunks(make_policy, environment, horizon, replications=runs, seed=seed, workers=workers)
    regret = result.regret[:, -1]
    evidence, needed = log_evidence(regret, float(bound)), float(-np.log(float(error)))
    return RegretReport(float(bound), runs, float(regret.mean()), float(regret.max()), evidence, needed)


# ------------------------------------------------------------------------------------------------------- planted bugs


class SpoiltPolicy(Policy):
    """Passes everything on to `policy`; a regret bug changes what it hears. This one is none."""

    def __init__(self, policy: Policy) -> None:
        super().__init__(policy.arms, policy.replications)
        self.policy = policy

    def next_batch(self) -> tuple[np.ndarray, np.ndarray]:
        self.played, count = self.policy.next_batch()
        return self.played, count

    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        self.policy.observe(total, count, arm)

    def keep(self, rows: np.ndarray) -> None:
        super().keep(rows)
        self.policy.keep(rows)


class RewardsUpsideDown(SpoiltPolicy):
    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        super().observe(count - total, count, arm)


class NextArmCredited(SpoiltPolicy):
    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        super().observe(total, count, ((self.played if arm is None else arm) + 1) % self.arms)


class RewardsIgnored(SpoiltPolicy):
    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        super().observe(0.0 * total, count, arm)


REGRET_BUGS: dict[str, type[SpoiltPolicy]] = {
    "rewards upside down": RewardsUpsideDown,
    "next arm credited": NextArmCredited,
    "rewards ignored": RewardsIgnored,
}
