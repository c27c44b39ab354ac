"""The privacy ledger: what a recorded run spends on each single reward, according to what it declared.

A release costs something on every reward it contains and nothing on the others. Costs on one reward add up (sequential
composition); releases without a reward in common do not add up (parallel composition). So the privacy loss of the run
is the largest sum over the releases that contain one reward. The budget says in which currency costs are counted: with
Laplace noise of scale b a release of sensitivity s costs s/b of pure DP, with Gaussian noise of deviation sigma it
costs s^2 / (2 sigma^2) of zCDP.

The ledger believes what was declared. Whether that is true is for alignment to say.

Source: BDP-PH.3, BDP-LH.4, BDP-TH.5, TH-P2.9, TH-T2.14
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import reduce
from math import exp, inf, log

import numpy as np

from banditproof.theory.errors import InvalidInput
from banditproof.theory.privacy.budget import Budget, largest_gaussian_shift
from banditproof.verify.runs.recorder import Release, Run, far_neighbour

ROUNDING = 2.0**-50  # relative; a cost computed from a calibrated scale is off by a few of the 8 units 2^-53 here
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


@dataclass(frozen=True)
class Currency:
    """What is added up in composition, `of(distribution, shift / scale)`, and how much of it may be spent."""

    name: str
    allowed: float
    of: Callable[[str, float], float]

    def cost(self, distribution: str, shift: float, scale: float) -> float:
        """What moving a true value by `shift` costs; nothing if it stays, inf without noise."""
        if not shift:
            return 0.0
        return self.of(distribution, shift / scale) if scale else inf


def currency(budget: Budget, distributions: Collection[str] = ()) -> Currency:
    """The currency of a scalar budget, for releases with noise of these distributions.

    An (epsilon, delta) budget is counted as pure if all noise is Laplace's, and as Gaussian DP at the exact curve
    delta(epsilon) if all noise is Gaussian. Raises InvalidInput for a budget per replication, and where the noise has
    no cost in the currency. Source: TH-P2.6, TH-P2.9
    """
    if any(np.ndim(value) for value in budget.parameters.values()):
        raise InvalidInput("budget", str(budget), "one budget, not one per replication")
    known = {"laplace", "normal"}
    if budget.kind == "pure" or (budget.kind == "approximate" and "normal" not in distributions):
        found, known = Currency("epsilon", float(budget.epsilon), _pure_cost), {"laplace"}
    elif budget.kind == "zcdp":
        found = Currency("rho", float(budget.rho), lambda _, shift: shift**2 / 2)
    elif budget.kind == "rdp":
        found = Currency("epsilon", float(budget.epsilon), _renyi_cost(float(budget.order)))
    else:
        mu = budget.mu if budget.kind == "gdp" else largest_gaussian_shift(budget.epsilon, budget.delta)
        found, known = Currency("mu^2", float(mu) ** 2, lambda _, shift: shift**2), {"normal"}
    if not set(distributions) <= known:
        raise InvalidInput("distribution", sorted(distributions), f"among {sorted(known)} for a budget {budget}")
    return found


def _pure_cost(_: str, shift: float) -> float:
    return shift


def _renyi_cost(order: float) -> Callable[[str, float], float]:
    def cost(distribution: str, shift: float) -> float:
        if distribution == "normal":
            return order * shift**2 / 2
        # D_order between Laplace laws of scale 1 at this distance, with e^{(order-1) shift} taken out of the logarithm
        weights = order + (order - 1) * exp(-(2 * order - 1) * shift)
        return shift + log(weights / (2 * order - 1)) / (order - 1)

    return cost


def cost(release: Release, count: Currency | None = None) -> float:
    """What a release costs on each reward it contains, in the currency `count` (default: that of its own budget)."""
    count = count or currency(release.budget, [release.distribution])
    return count.cost(release.distribution, release.sensitivity, release.scale)


def cost_per_reward(
    releases: Sequence[Release], horizon: int, budget: Budget, actions: Sequence[int] | None = None
) -> np.ndarray:
    """The privacy loss of each reward [horizon], in the currency of the budget: its releases' costs, added up.

    `actions` [horizon] are the arms that brought the rewards; without them a release that names an arm is charged to
    all rewards of its range.
    """
    count, costs = currency(budget, {release.distribution for release in releases}), np.zeros(horizon)
    brought_by = None if actions is None else np.asarray(actions)
    for release in releases:
        start, stop, *only = release.records or (0, horizon)
        inside = slice(max(start, 0), max(stop, 0))
        charge = cost(release, count)
        costs[inside] += (
            charge if brought_by is None or not only else np.where(brought_by[inside] == only[0], charge, 0)
        )
    return costs


def privacy_loss(
    releases: Sequence[Release], horizon: int, budget: Budget, actions: Sequence[int] | None = None
) -> float:
    """The loss of a run according to its declarations: the largest cost over rewards, in the budget's currency."""
    return float(cost_per_reward(releases, horizon, budget, actions).max(initial=0.0))


def audit_ledger(run: Run, budget: Budget) -> tuple[Violation, ...]:
    """Rewards charged more than the budget, releases that cost more than their own budget, noise used twice."""

    def violation(reason: str, k: int, time: int | None = None) -> Violation:
        place = (run.releases[k].records or (0,))[0] if time is None else time
        inside = min(max(place, 0), len(run.rewards) - 1)
        return Violation("ledger", reason, k, run.rewards, far_neighbour(run.rewards, inside))

    found = []
    allowed = currency(budget, {release.distribution for release in run.releases}).allowed
    costs = cost_per_reward(run.releases, len(run.rewards), budget, run.actions)
    worst = int(costs.argmax())
    if costs[worst] > allowed * (1 + ROUNDING * len(run.releases)):
        spenders = [k for k, release in enumerate(run.releases) if release.covers(worst, run.actions[worst])]
        reason = f"reward {worst} is charged {costs[worst]:.6g}, more than {allowed:.6g}, by releases {spenders}"
        found.append(violation(reason, spenders[-1], worst))
    for k, release in enumerate(run.releases):
        own = currency(release.budget, [release.distribution]).allowed
        if cost(release) > own * (1 + ROUNDING):
            found.append(violation(f"costs {cost(release):.6g}, more than its own budget {own:.6g}", k))
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
    """For Laplace releases, `dp-accounting`'s epsilon at `delta` for the dearest reward: (optimistic, pessimistic).

    Its discretised privacy loss distributions cannot state delta = 0 for composed pure mechanisms, hence `delta`.
    Raises ImportError without the extra `audit`.
    """
    try:
        from dp_accounting.pld import privacy_loss_distribution as pld
    except ImportError as error:
        if error.name != "dp_accounting":
            raise
        raise ImportError(
            "a second opinion needs dp-accounting: install banditproof[audit]", name="dp_accounting"
        ) from error

    worst = int(cost_per_reward(releases, horizon, Budget.pure(inf)).argmax())
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
