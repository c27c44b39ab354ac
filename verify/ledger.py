"""The privacy ledger: what a recorded run spends on each single reward, according to what it declared.

A release with sensitivity s and Laplace noise of scale b costs s/b on every reward it contains and nothing on the
others. Costs on one reward add up (sequential composition); releases without a reward in common do not add up
(parallel composition). So the privacy loss of the run is the largest sum over the releases that contain one reward.

The ledger believes what was declared. Whether that is true is for alignment to say.

Source: BDP-PH.3, BDP-LH.4, BDP-TH.5
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from math import inf

import numpy as np

from banditproof.theory.errors import InvalidInput
from banditproof.verify.recorder import Release, Run, far_neighbour

ROUNDING = 2.0**-50  # relative; a cost s/b with b = s/epsilon is off epsilon by less than 2 of the 8 units 2^-53 here
REPEATED = 1e-9  # two independent Laplace draws of scale 1 are closer than this with probability below 1e-9


@dataclass(frozen=True)
class Violation:
    """One way in which a policy broke its promise: the sensor, the reason, the release and the neighbouring inputs.

    Pulls, rewards and releases of a run are counted from 0; `release` is None when no single one is to blame.
    """

    sensor: str
    reason: str
    release: int | None
    rewards: tuple[float, ...]
    neighbour: tuple[float, ...]

    def __str__(self) -> str:
        where = "" if self.release is None else f", release {self.release}"
        pairs = enumerate(zip(self.rewards, self.neighbour, strict=True))
        changes = ", ".join(f"reward {t} {r:g} -> {s:g}" for t, (r, s) in pairs if r != s)
        rewards = " ".join(f"{r:g}" for r in self.rewards)
        return f"{self.sensor}{where}: {self.reason} [{changes} in {rewards}]"


def cost(release: Release) -> float:
    """What a release costs on each reward it contains: sensitivity/scale; 0 if nothing moves, inf without noise.

    Raises InvalidInput for a distribution other than Laplace's.
    """
    if release.distribution != "laplace":
        raise InvalidInput("distribution", release.distribution, '"laplace": the pure ledger knows no other')
    if not release.sensitivity:
        return 0.0
    return release.sensitivity / release.scale if release.scale else inf


def cost_per_reward(releases: Sequence[Release], horizon: int) -> np.ndarray:
    """The privacy loss of each reward [horizon]: the sum of the costs of the releases that contain it."""
    costs = np.zeros(horizon)
    for release in releases:
        start, stop = release.records or (0, horizon)
        costs[max(start, 0) : max(stop, 0)] += cost(release)
    return costs


def privacy_loss(releases: Sequence[Release], horizon: int) -> float:
    """The epsilon of a run according to its declarations: the largest cost over rewards."""
    return float(cost_per_reward(releases, horizon).max(initial=0.0))


def audit_ledger(run: Run, epsilon: float) -> tuple[Violation, ...]:
    """Rewards charged more than `epsilon`, releases that cost more than their own budget, noise used twice."""

    def violation(reason: str, k: int, time: int | None = None) -> Violation:
        place = (run.releases[k].records or (0,))[0] if time is None else time
        inside = min(max(place, 0), len(run.rewards) - 1)
        return Violation("ledger", reason, k, run.rewards, far_neighbour(run.rewards, inside))

    found = []
    costs = cost_per_reward(run.releases, len(run.rewards))
    worst = int(costs.argmax())
    if costs[worst] > epsilon * (1 + ROUNDING * len(run.releases)):
        spenders = [k for k, release in enumerate(run.releases) if release.covers(worst)]
        reason = f"reward {worst} is charged {costs[worst]:.6g}, more than {epsilon:.6g}, by releases {spenders}"
        found.append(violation(reason, spenders[-1], worst))
    for k, release in enumerate(run.releases):
        if cost(release) > release.epsilon * (1 + ROUNDING):
            found.append(violation(f"costs {cost(release):.6g}, more than its own budget {release.epsilon:.6g}", k))
    found += [violation(f"has the noise of release {j} again", k) for j, k in repeated_noise(run.releases)]
    return tuple(found)


def repeated_noise(releases: Sequence[Release]) -> list[tuple[int, int]]:
    """Pairs of releases (earlier, later) that share a noise value, in units of the scale.

    Independent noise does so with probability below 1e-9 per pair of values.
    """

    def draws(release: Release) -> np.ndarray:
        return (release.released - release.value).ravel() / release.scale

    noisy = [(k, draws(release)) for k, release in enumerate(releases) if release.scale]
    return [
        (j, k)
        for i, (k, later) in enumerate(noisy)
        for j, earlier in noisy[:i]
        if (np.abs(later[:, np.newaxis] - earlier) < REPEATED).any()
    ]


def second_opinion(releases: Sequence[Release], horizon: int, delta: float = 1e-10) -> tuple[float, float]:
    """`dp-accounting`'s epsilon at `delta` for the most expensive reward: (optimistic, pessimistic) estimate.

    Its discretised privacy loss distributions cannot state delta = 0 for composed pure mechanisms, hence `delta`.
    Needs the extra `audit`.
    """
    from dp_accounting.pld import privacy_loss_distribution as pld

    worst = int(cost_per_reward(releases, horizon).argmax())
    charged = [release for release in releases if release.covers(worst) and release.sensitivity]

    def epsilon(pessimistic: bool) -> float:
        losses = [
            pld.from_laplace_mechanism(
                release.scale, release.sensitivity, pessimistic_estimate=pessimistic, use_connect_dots=pessimistic
            )
            for release in charged
        ]
        return float(reduce(lambda total, one: total.compose(one), losses).get_epsilon_for_delta(delta))

    return (epsilon(False), epsilon(True)) if charged else (0.0, 0.0)
