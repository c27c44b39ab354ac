"""Does an algorithm do what its model says? Recorded runs are compared with ``verify.kernel.mechanisms``.

The model says: a release is made of the sum of the rewards that enter it, and noise hides one of them; a reward enters
one release; and what is decided follows from what was released. The first two are read off a run, the last is what
alignment looks for when the run is replayed on other rewards with the same released values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from banditproof.theory.privacy.budget import Budget
from banditproof.verify.runs.alignment import find_violation, reward_list
from banditproof.verify.runs.contextual import contextual_maker
from banditproof.verify.runs.ledger import ROUNDING, cost, currency, is_gaussian
from banditproof.verify.runs.linear_runs import ACTIONS, linear_maker
from banditproof.verify.runs.recorded import REPLAYED, budget_of, maker, once
from banditproof.verify.runs.recorder import OPERATIONS, PolicyMaker, Release, Run, record

LISTS = 4  # on which a policy is recorded and compared, release by release


def departures(
    make: PolicyMaker, T: int, budget: Budget, seed: int, *, sums: bool = True, most: int = 1, lists: int = REPLAYED
) -> int:
    """In how many ways runs of a policy part from the model, on some lists of rewards and their neighbours. What
    alignment finds is enough; else each release of some more runs is looked at.

    With `sums` a release is one of the sum of its rewards, or a multiple of it such as their mean; else it is of any
    statistic, of which alignment says that it moves by its sensitivity at most, with its own rewards only. A reward
    enters at most `most` releases, each of which spends that share of the budget.
    """
    if (report := find_violation(make, T, budget, seed, lists=lists)) is not None:
        return len(report.violations)
    generator = np.random.default_rng(seed)
    runs = (record(make, reward_list(2 + k, T, generator), seed + k) for k in range(LISTS))
    return sum(len(list(departing(run, budget, sums, most))) for run in runs)


def departing(run: Run, budget: Budget, sums: bool = True, most: int = 1) -> Iterator[str]:
    """What in a run is not as the model says, in sentences."""
    entered = np.zeros(len(run.rewards), dtype=int)
    for k, release in enumerate(run.releases):
        inside = run.entering(release)
        entered[inside] += 1
        if release.records is None:
            yield f"release {k} does not say which rewards enter it"
        if not (is_gaussian(release.law) if budget.takes_gaussian else release.law == "laplace"):
            yield f"release {k} has {release.distribution} noise"
        elif most * cost(release, count := currency(budget, [release.law])) > count.allowed * (1 + ROUNDING):
            yield f"the noise of release {k} is too small"
        if sums and not _is_sum(release, [run.rewards[t] for t in inside]):
            yield f"the true value of release {k} is not the sum of its rewards"
    if (entered > most).any():
        yield f"reward {int(entered.argmax())} enters {int(entered.max())} releases"


def _is_sum(release: Release, rewards: Sequence[float]) -> bool:
    """Whether a true value is the sum of rewards, in units of what one of them can move it by, up to rounding."""
    whole = np.array([release.sensitivity * float(np.sum(rewards))])
    rounding = OPERATIONS * np.finfo(float).eps * max(1.0, float(np.abs(whole).sum()))
    return release.value.shape == whole.shape and bool((np.abs(release.value - whole) <= rounding).all())


@once
def departures_of(
    algorithm: str, budget: Sequence[Any], T: int, rewards: int, bug: str, adversary: int = 0, most: int = 1
) -> tuple[Any, str, Any]:
    """Departures of a finite-armed algorithm on reward lists number `rewards`, also with a planted bug."""
    make = maker(algorithm, budget, T, bug, bool(adversary))
    return departures(make, T, budget_of(budget), rewards, most=most), "==", 0


@once
def contextual_departures(
    algorithm: str, budget: Sequence[Any], T: int, rewards: int, bug: str
) -> tuple[Any, str, Any]:
    """Departures of a contextual algorithm, whose releases are of vectors, on reward lists number `rewards`."""
    spent = budget_of(budget)
    return departures(contextual_maker(algorithm, spent, bug), T, spent, rewards, sums=False), "==", 0


@once
def linear_departures(
    algorithm: str, budget: Sequence[Any], T: int, rewards: int, bug: str, adversary: int = 0, **options: Any
) -> tuple[Any, str, Any]:
    """Departures of a linear algorithm on four actions in the plane, likewise; `options` are the policy's."""
    spent = budget_of(budget)
    make = linear_maker(algorithm, spent, ACTIONS, bug, adversary=bool(adversary), **options)
    return departures(make, T, spent, rewards, sums=False), "==", 0
