"""Counting the pulls of a run of Algorithm 1, whatever it selects: (34), the count before (38), and (48)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from banditproof.algorithms.batches import GeometricBatches
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation
from banditproof.verify.domain import Domain

Sides = tuple[Any, str, Any]
EXACT = ("runs of Algorithm 1 counted pull by pull", "the bound, exact")


def run_of_choices(choices: list[int], arms: int, alpha: Fraction, n0: int, horizon: int) -> list[tuple[int, int, int]]:
    """The batches of a run whose decisions are prescribed: (arm, its pulls before, length), the first ones included."""
    schedule, done, batches, clock = GeometricBatches(alpha, n0), [0] * arms, [], 0
    for arm in itertools.chain(range(arms), choices):
        if clock >= horizon:
            break
        batches.append((arm, schedule.total(done[arm] - 1), schedule.size(done[arm])))
        done[arm] += 1
        clock += batches[-1][2]
    return batches


def regret_split(choices: Any, arms: int, alpha: Any, n0: int, horizon: int, initial: Any) -> Sides:
    """The arm with the largest excess of its pulls up to T over n_0 plus all batches chosen for it up to T."""
    batches = run_of_choices(choices, arms, Fraction(alpha), n0, horizon)
    pulls, chosen, clock = [0] * arms, [0] * arms, 0
    for arm, before, size in batches:
        pulls[arm] += min(size, horizon - clock)
        chosen[arm] += size if before else 0
        clock += size
    return max(p - initial * n0 - c for p, c in zip(pulls, chosen, strict=True)), "<=", 0


def repetitions(choices: Any, arms: int, alpha: Any, n0: int, horizon: int, times: Any) -> Sides:
    """How often a pull of an arm finds it with exactly n_m pulls, at most, over arms and m."""
    found: dict[tuple[int, int], int] = {}
    pulls = [0] * arms
    boundaries = set(itertools.takewhile(lambda n: n <= 2 * horizon, GeometricBatches(Fraction(alpha), n0).totals()))
    for arm, _, size in run_of_choices(choices, arms, Fraction(alpha), n0, horizon):
        for _ in range(size):
            if pulls[arm] in boundaries:
                found[arm, pulls[arm]] = found.get((arm, pulls[arm]), 0) + 1
            pulls[arm] += 1
    return max(found.values(), default=0), "<=", times


RUNS = Domain.of(choices="all: every sequence of selected arms", arms="integer [1, inf)", alpha="(1, inf)",
                 n0="integer [1, inf)", horizon="integer [1, inf)")  # fmt: skip


HORIZONS = (2, 9, 11)  # every run below lasts at least 11 pulls
SEQUENCES = {1: 6, 2: 6, 3: 4}  # arms -> decisions after the first batches; every later batch has at least two pulls


def all_runs() -> Iterator[dict[str, Any]]:
    for arms, length in SEQUENCES.items():
        for choices in itertools.product(range(arms), repeat=length):
            for alpha, n0, horizon in itertools.product((Fraction(3, 2), Fraction(2)), (1, 2), HORIZONS):
                yield {"choices": list(choices), "arms": arms, "alpha": alpha, "n0": n0, "horizon": horizon}


def check_runs(check: Check, relation: Any) -> None:
    region = check.domain.restrict(
        choices="all: every sequence of 6 (3 arms: 4) decisions", arms=list(SEQUENCES), alpha=["3/2", "2"], n0=[1, 2],
        horizon=HORIZONS,
    )  # fmt: skip
    check.enumerate(relation, all_runs(), covers=region, rational=True, routes=EXACT)


@claim(
    "BDP-TF.7/34",
    r"(34): an arm is pulled at most $<initial>\,n_0+\sum_{t\le T}\sum_mB_{m+1}\mathbb "
    r"1[i(t)=i,N_i(t-1)=n_m,t\in\mathcal T]$ "
    r"times up to $T$, whatever is selected",
    domain=RUNS, constants={"initial": 1}, mutations=[mutation("without the first batch", initial=0)], role="step",
)  # fmt: skip
def pulls_are_counted_by_batches(check: Check) -> None:
    check_runs(check, regret_split)


@claim(
    "BDP-TF.9/48",
    r"(48), 'by the same argument': $N_i(T)\le<initial>\,n_0$ plus the batches chosen for $i$ up to $T$, split by "
    r"$\bar\mu^\star(t)<\mu^\star-\delta$ or not",
    domain=RUNS, constants={"initial": 1}, mutations=[mutation("without the first batch", initial=0)], role="step",
)  # fmt: skip
def pulls_are_counted_by_batches_again(check: Check) -> None:
    check_runs(check, regret_split)


@claim(
    "BDP-TF.7/38-once",
    r"before (38): $\{i(t)=i,\,N_i(t-1)=n_m\}$ occurs at most $<times>$ time for each $m$",
    domain=RUNS, constants={"times": 1}, mutations=[mutation("never", times=0)], role="step",
)  # fmt: skip
def a_count_is_met_once(check: Check) -> None:
    check_runs(check, repetitions)
