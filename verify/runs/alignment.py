"""Alignment: does a policy know anything of the rewards that did not pass through its releases?

A policy is run on a reward list, and again on a neighbour with the released values of the first run. The actions
must be identical, each release may need a shift of at most its declared sensitivity, only releases that declare the
changed reward may need one at all, and the shifts together may cost at most the budget. This is the argument that
proves Algorithm 1 private, run on the program.

Actions that follow from the releases alone are the same on *every* reward list. So the policy is also replayed with
every reward replaced by the farthest one, where a raw value that leaks shows best; a leak seen there is traced to two
neighbouring lists.

Source: BDP-P4.2, BDP-SE.3
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from math import inf
from operator import ne

import numpy as np

from banditproof.algorithms.noise import Mechanism
from banditproof.theory import Budget, InvalidInput
from banditproof.theory.arguments import checked
from banditproof.theory.tables import Preformatted
from banditproof.verify.runs.accountant import Pair, cost_of, is_accounted
from banditproof.verify.runs.ledger import (
    CAUSES,
    ROUNDING,
    Currency,
    Violation,
    audit_ledger,
    currency,
    listed,
    privacy_loss,
    seen_pair,
    shown,
    uncounted,
)
from banditproof.verify.runs.possible_rewards import UNIT, PossibleRewards
from banditproof.verify.runs.recorder import (
    PolicyMaker,
    Release,
    Rewards,
    RewardsOfArms,
    Run,
    far_neighbour,
    record,
    replay,
)

UNKNOWN = "line unknown"


@dataclass(frozen=True)
class Alignment(Preformatted):
    """What the recorded runs of a policy showed on one reward list and its neighbours.

    `declared_loss` is the ledger's, `aligned_loss` the most that a neighbour tried really costs, both in the currency
    of the budget (epsilon of pure DP, rho of zCDP, ...); `violations` is empty when no sensor found any.
    """

    declared_loss: float
    aligned_loss: float
    violations: tuple[Violation, ...]

    @property
    def ok(self) -> bool:
        """Whether no sensor found a violation."""
        return not self.violations

    def __str__(self) -> str:
        declared = f"declared cost {self.declared_loss:.4g}, cost on the neighbour {self.aligned_loss:.4g}"
        lines = told_of(self.violations[0]) if self.violations else ["nothing found"]
        return "\n".join([*lines, declared])

    __repr__ = __str__


def told_of(violation: Violation) -> list[str]:
    """The cause first, then where, and the two lists."""
    lines = [f"{CAUSES[violation.cause]} ({violation.cause})", f"  {violation.sentence}"]
    if violation.line:
        lines.append(f"  {'' if violation.line.startswith(UNKNOWN) else 'at '}{violation.line}")
    if violation.rewards != violation.neighbour:
        at = changed_time(violation.rewards, violation.neighbour)
        r, s = violation.rewards[at], violation.neighbour[at]
        lines.append(
            f"  rewards {shown(violation.rewards)}; in the neighbour reward {at} is {s:.4g} instead of {r:.4g}"
        )
    if violation.cause == "outside randomness":
        lines.append("  replayed(make) of banditproof.verify follows noise that a policy draws by itself")
    return lines


def find_violation(
    make_policy: PolicyMaker, horizon: int, budget: Budget, seed: int, *, lists: int = 10, neighbours: int = 8
) -> Alignment | None:
    """The first report with a violation over random reward lists and some neighbours of each, or None.

    Lists are in turn Bernoulli with a random mean, stretches of zeros and ones of random lengths (so that arms pulled
    one after the other look different), and uniform on [0, 1]. In the neighbours one reward, no two of them the same
    one, goes to the farthest value; half of them are where the records of a release begin or end. On every second
    list noise is often far out in the tails, so that decisions that are rare otherwise are made too.
    """
    currency(budget)  # raises for a budget per replication
    generator = np.random.default_rng(seed)
    for k in range(lists):
        rewards = reward_list(k % 3, horizon, generator)
        run = record(make_policy, rewards, seed + k, far=k % 2 == 1)
        times = times_to_change(run, neighbours, generator)
        changed = [far_neighbour(run.rewards, time) for time in times]
        replayed = partial(replay, make_policy, run, seed=seed + k)
        report = compared(replayed, run, changed, budget, audit_ledger(run, budget))
        if not report.ok:
            return report
    return None


def reward_list(k: int, horizon: int, generator: np.random.Generator, possible: PossibleRewards = UNIT) -> Rewards:
    """The k-th of a cycle of reward lists [horizon]: coin flips, stretches, uniform, constant, rare ones, quarters."""
    uniform = generator.random(horizon)
    match k % 7:
        case 0:
            rewards = uniform < generator.random()
        case 1:
            rewards = np.cumsum(uniform < horizon ** -generator.random()) % 2  # a change at every step, or one in all
        case 2:
            rewards = uniform
        case 3:
            rewards = np.full(horizon, float(generator.integers(2)))
        case 4:
            rewards = uniform < 3 / horizon
        case 5:
            rewards = np.floor(uniform * 5) / 4
        case _:
            rewards = uniform > 3 / horizon
    return tuple(possible.at(rewards.astype(float)).tolist())


def reward_table(
    k: int, horizon: int, generator: np.random.Generator, possible: PossibleRewards = UNIT
) -> RewardsOfArms:
    """The k-th of a cycle of tables of rewards [T, K]: arms of random means, one that pays while the others do not, a
    leader that stops paying, fractions around means, arms that take turns."""

    def table(arms: int) -> np.ndarray:
        uniform, means = generator.random((horizon, arms)), generator.random(arms)
        time, best = np.arange(horizon)[:, np.newaxis], generator.permutation(arms)
        match k % 5:
            case 0:
                rewards = uniform < means
            case 1:
                rewards = (best == 0) ^ (uniform < 0.02)
            case 2:
                over = time >= horizon * generator.random()
                rewards = uniform < np.where(over, best == 1, best == 0) * 0.9 + 0.05
            case 3:
                rewards = np.clip(means + uniform - 0.5, 0, 1)
            case _:
                rewards = (time * 8 // horizon + best) % arms == 0
        return possible.at(rewards.astype(float))

    return table


def other_lists(run: Run, generator: np.random.Generator) -> Iterator[Rewards]:
    """Lists that make every raw statistic different: the farthest one, good for one arm only, for all but one."""
    possible = run.possible
    yield tuple(map(possible.farthest, run.rewards))
    actions = np.array(run.actions)
    arms = np.unique(actions)
    for arm in generator.permutation(arms)[:2]:
        good = (actions == arm).astype(float)
        yield tuple(possible.at(good).tolist())
        yield tuple(possible.at(1 - good).tolist())
    yield reward_list(int(generator.integers(7)), len(run.rewards), generator, possible)
    yield reward_list(2, len(run.rewards), generator, possible)


def times_to_change(run: Run, count: int, generator: np.random.Generator) -> list[int]:
    """Times without repetition, the earlier half around ends of records: declarations go wrong there."""
    horizon = len(run.rewards)
    spans = [release.records[:2] for release in run.releases if release.records]
    ends = {time for start, stop in spans for time in (start - 1, start, stop - 1, stop) if 0 <= time < horizon}
    chosen = generator.permutation(sorted(ends))[: count // 2].tolist()
    return list(dict.fromkeys((*chosen, *generator.permutation(horizon)[:count].tolist())))[:count]


def compared(
    replayed: Callable[[Rewards], Run],
    run: Run,
    neighbours: Iterable[Rewards],
    budget: Budget,
    violations: tuple[Violation, ...],
) -> Alignment:
    """What the ledger found in a run, and its alignment with neighbours up to the first one that shows a violation.

    Without any, a leak that shows on the farthest rewards is traced to two neighbours.
    """
    loss = 0.0
    for neighbour in neighbours:
        other = replayed(neighbour)
        violations += align(run, other, budget)
        loss = max(loss, alignment_cost(run, other, budget))
        if violations:
            break
    else:
        violations = _traced_leak(replayed, run, budget)
    return Alignment(privacy_loss(run.releases, len(run.rewards), budget, run.actions), loss, violations)


def changed_time(rewards: Sequence[float], neighbour: Sequence[float]) -> int:
    """The index of the one reward in which two lists differ. Raises InvalidInput if they are not neighbours."""
    changed = [t for t, differs in enumerate(map(ne, rewards, neighbour)) if differs]
    if len(changed) != 1 or len(rewards) != len(neighbour):
        raise InvalidInput("neighbour", tuple(neighbour), "the reward list with exactly one reward changed")
    return changed[0]


@checked
def align(run: Run, other: Run, budget: Budget) -> tuple[Violation, ...]:
    """What is wrong between two runs with the same released values on neighbouring lists."""
    time = changed_time(run.rewards, other.rewards)
    wrong = _wrong_behaviour(run, other)
    count = None if uncounted(run, budget) else currency(budget, _laws(run))
    costs: dict[int, float] = {}
    pairs: list[Pair] = []
    certain_loss = 0.0
    for k, (release, moved) in enumerate(zip(run.releases, other.releases, strict=False)):
        shift = release.shift_to(moved)
        if not shift:
            continue
        certain = shift if shift == inf else max(0.0, shift - release.rounding(moved))
        wrong += ((cause, k, reason) for cause, reason in _wrong_shift(release, certain, time, run.arm_at(time)))
        costs[k] = shift / release.scale if count is None else count.cost(release.law, shift, release.scale)
        certain_loss += costs[k] if count is None else count.cost(release.law, certain, release.scale)
        pairs.append(seen_pair(release, moved, certain))
    if spent := _too_much(certain_loss, count, pairs, budget):
        cost = f"{spent}, when reward {time} changes"
        others = [k for k in costs if k != max(costs)]
        reason = f"and {listed(others)} together cost {cost}" if others else f"costs {cost}"
        wrong.append(("budget", max(costs), reason))

    def line(k: int | None) -> str:
        return "" if k is None or k >= len(run.releases) else run.releases[k].origin

    return tuple(
        Violation("alignment", reason, k, run.rewards, other.rewards, cause, line(k)) for cause, k, reason in wrong
    )


def _too_much(certain: float, count: Currency | None, pairs: Sequence[Pair], budget: Budget) -> str:
    """What releases with these pairs cost for sure, in words, if that is more than the budget; else nothing."""
    if not pairs or count is not None and certain <= count.allowed * (1 + ROUNDING * len(pairs)):
        return ""
    if is_accounted(budget):
        spent = cost_of(Counter(pairs), budget)
        return f"{spent}, more than {spent.allowed:.6g}" if spent.broken else ""
    return "" if count is None else f"{count.name} = {certain:.6g}, more than {count.allowed:.6g}"


def alignment_cost(run: Run, other: Run, budget: Budget) -> float:
    """What the shifts of the true values cost together, in the currency of the budget.

    For Laplace noise that is the sum of |shift| / scale, the log-ratio of the densities of the same released values.
    """
    count = currency(budget, _laws(run))
    pairs = zip(run.releases, other.releases, strict=False)
    return float(sum(count.cost(a.law, a.shift_to(b), a.scale) for a, b in pairs))


def _laws(run: Run) -> set[str | Mechanism]:
    return {release.law for release in run.releases}


def same_behaviour(run: Run, other: Run) -> bool:
    """Whether two runs pulled the same arms and declared the same releases."""
    return not _wrong_behaviour(run, other)


def _traced_leak(replayed: Callable[[Rewards], Run], run: Run, budget: Budget) -> tuple[Violation, ...]:
    """Violations on two neighbours between `run`'s rewards and the farthest ones, if the behaviour changes there."""
    target = tuple(map(run.possible.farthest, run.rewards))
    if same_behaviour(run, replayed(target)):
        return ()
    same, different = between(replayed, run, target, same_behaviour)
    return align(same, different, budget)


def between(
    replayed: Callable[[Rewards], Run], run: Run, target: Rewards, alike: Callable[[Run, Run], bool]
) -> tuple[Run, Run]:
    """Two replays on neighbouring lists on the way from `run`'s rewards to `target`: one like `run`, one not.

    The rewards are changed from the first to the last; the replay on `target` is not like `run`.
    """
    changes = [t for t, (r, s) in enumerate(zip(run.rewards, target, strict=True)) if r != s]

    def mixed(changed: int) -> Run:
        rewards = list(run.rewards)
        for t in changes[:changed]:
            rewards[t] = target[t]
        return replayed(tuple(rewards))

    at, end, same, different = 0, len(changes), run, None
    while end - at > 1:
        middle = (at + end) // 2
        halfway = mixed(middle)
        if alike(run, halfway):
            at, same = middle, halfway
        else:
            end, different = middle, halfway
    return same, mixed(end) if different is None else different


def _wrong_behaviour(run: Run, other: Run) -> list[tuple[str, int | None, str]]:
    return _wrong_actions(run, other) or _wrong_declarations(run, other)


def _wrong_actions(run: Run, other: Run) -> list[tuple[str, int | None, str]]:
    if other.raised:
        reason = f"the policy raises an exception on the neighbour, after the same released values ({other.raised})"
        if set(other.rewards) - {run.possible.low, run.possible.high}:
            reason += "; if there are no such rewards, say which there are, as in rewards_in={0, 1}"
        return [("raw rewards", None, reason)]
    differing = () if run.actions == other.actions else enumerate(zip(run.actions, other.actions, strict=True))
    for t, (arm, changed) in differing:
        if arm != changed:
            before = [k for k, release in enumerate(run.releases) if release.records and release.records[1] <= t]
            reason = f"pull {t} plays arm {arm}, but arm {changed} on the neighbour, after the same released values"
            return [("raw rewards", max(before, default=None), reason)]
    return []


def _wrong_declarations(run: Run, other: Run) -> list[tuple[str, int | None, str]]:
    for k, (release, moved) in enumerate(zip_longest(run.releases, other.releases)):
        if release is None or moved is None or release.declared() != moved.declared():
            reason = "is missing or declared differently on the neighbour, after the same released values"
            return [("declaration", k, reason)]
    return []


def _wrong_shift(release: Release, shift: float, time: int, arm: int | None) -> Iterator[tuple[str, str]]:
    if shift and not release.covers(time, arm):
        outside = f"which is not among its records {release.records}"
        yield "records", f"moves by {shift:.6g} ({release.norm} norm) with reward {time}, {outside}"
    if shift > release.sensitivity * (1 + ROUNDING):
        declared = f"more than its declared sensitivity {release.sensitivity:.6g}"
        yield "sensitivity", f"moves by {shift:.6g} ({release.norm} norm) with reward {time}, {declared}"
