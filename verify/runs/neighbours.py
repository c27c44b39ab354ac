"""A policy on two neighbouring reward lists that somebody names, such as those that a report prints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from banditproof.theory.arguments import Seed, checked
from banditproof.theory.privacy.budget import Budget
from banditproof.verify.runs.alignment import Alignment, changed_time, compared
from banditproof.verify.runs.ledger import audit_ledger, currency
from banditproof.verify.runs.player import Player
from banditproof.verify.runs.possible_rewards import PossibleRewards, RewardsIn
from banditproof.verify.runs.recorder import PolicyMaker
from banditproof.verify.runs.teller import Teller

SUMS = ("budget", "records")  # what the ledger says of them only counts when the neighbour shows it


@checked
def check_neighbours(
    make_policy: PolicyMaker,
    budget: Budget,
    rewards: Sequence[float],
    neighbour: Sequence[float],
    seed: Seed,
    overruled: bool = False,
    far: bool = False,
    released_on: Sequence[float] | None = None,
    rewards_in: RewardsIn = "[0, 1]",
) -> Alignment:
    """Ledger and alignment of a policy with one replication on two neighbouring reward lists [T].

    `make_policy(noise, generator)` builds a fresh policy; each run gets the same coin flips. `budget` is what
    the whole run may spend on one reward. With `overruled`, somebody else plays every third batch on the next arm and
    tells the policy; with `far`, noise is often far out in the tails. The released values are those of a run on
    `rewards`, or on a third list [T], `released_on`: some leaks show after rare released values only.
    `rewards_in` says which rewards there are (`check_privacy`).

    The violations come with their causes and lines, as `check_privacy` tells them; what the neighbour shows comes
    before sums over declarations.

    Raises InvalidInput for a budget per replication, and unless the lists hold such rewards and differ in one.
    """
    changed_time(rewards, neighbour)
    possible = PossibleRewards.of(rewards_in)
    possible.check("rewards", rewards)
    possible.check("neighbour", neighbour)
    currency(budget)  # raises for a budget per replication
    player = Player(make_policy, 0.0, possible)  # no time: nothing is searched for
    take = player.record(tuple(rewards if released_on is None else released_on), seed, overruled=overruled, far=far)
    ledger = audit_ledger(take.run, budget)
    run = take.run if released_on is None else player.replay(take, tuple(rewards))
    report = compared(lambda others: player.replay(take, others), run, [tuple(neighbour)], budget, ledger)
    told = Teller(player, budget)
    ordered = sorted(report.violations, key=lambda violation: violation.sensor == "ledger" and violation.cause in SUMS)
    return replace(report, violations=tuple(told.explained(violation, take) for violation in ordered))
