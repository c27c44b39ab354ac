"""What a privacy check looks for in a recorded run: each sensor replays it in its own way and names what is wrong.

A sensor gives the violations that it found, the first of which is told. What it saw besides it keeps: what is not
settled, what releases cost, draws of noise that only many runs can judge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

import numpy as np

from banditproof.theory import Budget, normal_cdf
from banditproof.verify.runs.alignment import align, between, other_lists, same_behaviour, times_to_change
from banditproof.verify.runs.ledger import REPEATED, Violation, audit_ledger, overspent, standard_draws, uncounted
from banditproof.verify.runs.own_mechanisms import LAW_ERROR, broken_losses
from banditproof.verify.runs.player import Player, Take
from banditproof.verify.runs.recorder import Release, Rewards, Run
from banditproof.verify.runs.spending import Spending

LOUD = 1e3  # rewards of this size, in units of the width of the possible ones, show in every raw statistic
WITHIN = 12  # lists of possible rewards on which a leak that they show is looked for
CLOSE_LAW = 1e-10  # the probability that noise of the declared law is taken for another one, per test

Violations = tuple[Violation, ...]


class Sensors:
    """The sensors of a check, for runs of `player` and what they keep of them.

    Attributes:
        spending: what rewards cost as declared.
        pending: what is not settled, by what it is about.
        loud: a run, and rewards that are not possible and change what the policy does.
        rounded: shifts of a release that may be rounding.
    """

    def __init__(self, player: Player, budget: Budget) -> None:
        self.player, self.budget = player, budget
        self.spending = Spending(budget)
        self.pending: dict[str, str] = {}
        self.loud: tuple[Take, Rewards] | None = None
        self.rounded = 0
        self._draws: dict[str, list[np.ndarray]] = {"laplace": [], "normal": []}
        self._own_releases: dict[str, list[tuple[tuple[Release, Release], Rewards]]] = {}

    # ---------------------------------------------------------------------------------------------- the run by itself

    def declared(self, take: Take) -> Violations:
        """What the ledger says; a cost or records only count when a neighbour shows them."""
        ledger = () if take.run.overruled else audit_ledger(take.run, self.budget)
        for violation in ledger:
            if violation.cause in ("budget", "records"):
                dearer = (
                    "but no neighbour that was tried costs as much (declare what a release costs, or give more seconds)"
                )
                self.pending.setdefault(violation.cause, f"by its declarations, {violation.reason}, {dearer}")
        return tuple(v for v in ledger if v.cause not in ("budget", "records"))

    def control(self, take: Take) -> Violations:
        """The run once more on its own rewards: what differs comes from outside."""
        run, again = take.run, self.player.replay(take, take.run.rewards)
        moved = [k for k, (a, b) in enumerate(zip(run.releases, again.releases, strict=False)) if a.shift_to(b)]
        if same_behaviour(run, again) and not moved:
            return ()
        if again.raised:
            reason = f"the policy raises an exception when the same run is played again ({again.raised})"
        elif moved:
            reason = "has another true value when the same run is played again"
        else:
            pull = next((t for t, (a, b) in enumerate(zip(run.actions, again.actions, strict=True)) if a != b), None)
            reason = "what is declared" if pull is None else f"pull {pull}"
            reason += " differs when the same run is played again with the same rewards, coins and released values"
        release = moved[0] if moved else None
        line = "" if release is None else run.releases[release].origin
        return (Violation("control", reason, release, run.rewards, run.rewards, "outside randomness", line),)

    def law(self, run: Run, judged: bool) -> Violations:
        """Draws of all rounds against each other at the same place of two runs and, if `judged`, the declared law."""
        for name, laws in self._draws.items():
            fresh = [standard_draws(r) for r in run.releases if r.law == name and r.scale]
            if not fresh:
                continue
            laws.append(np.concatenate(fresh))
            for earlier in laws[:-1]:
                size = min(earlier.size, laws[-1].size, 40)
                same = np.abs(earlier[:size] - laws[-1][:size]) < REPEATED
                if same.sum() >= 2:
                    reason = "two runs with different seeds have the same noise"
                    return (_of_noise("noise reused", reason, run, name),)
            pooled = np.concatenate(laws)
            if judged and pooled.size >= 30 and chance_of_law(pooled, name) < CLOSE_LAW:
                spread = np.median(np.abs(pooled)) / (np.log(2) if name == "laplace" else 0.6744897501960817)
                reason = f"{pooled.size} draws of {name} noise are {spread:.3g} times as wide as declared, or skewed"
                return (_of_noise("noise", reason, run, name),)
        return ()

    # ------------------------------------------------------------------------------------------------ on other rewards

    def elsewhere(self, take: Take, generator: np.random.Generator, most: int | None = None) -> Violations:
        """Replays on lists that differ everywhere, `most` of them: nothing that the policy does may change."""
        return self._unlike(take, islice(other_lists(take.run, generator), most))

    def outside(self, take: Take, generator: np.random.Generator) -> Violations:
        """The same far outside of the possible rewards; a change there is traced where possible ones show it too."""
        length, possible = len(take.run.rewards), self.player.possible
        sign = generator.choice([-LOUD, LOUD], length)
        loud = tuple(possible.far_outside(sign * generator.random(length)).tolist())
        shouted = self.player.replay(take, loud)
        if shouted.raised or same_behaviour(take.run, shouted):
            return ()  # to refuse rewards that are not possible is fine
        coins = ((generator.random(length) < generator.random()).astype(float) for _ in range(WITHIN))
        violations = self._unlike(take, (tuple(possible.at(flips).tolist()) for flips in coins))
        if not violations:
            self.loud = self.loud or (take, loud)
        return violations

    def single_arms(self, take: Take, generator: np.random.Generator) -> Violations:
        """The same on the farthest rewards, and on rewards that one arm alone brings."""
        arms = _some(sorted(set(take.run.actions)), 4, generator)
        possible, actions = self.player.possible, np.array(take.run.actions)
        only = [tuple(possible.at((actions == arm).astype(float)).tolist()) for arm in arms]  # two differ in the best
        return self._unlike(take, (tuple(map(possible.farthest, take.run.rewards)), *only))

    def outside_records(self, take: Take, generator: np.random.Generator, most: int) -> Violations:
        """No release may move with the rewards that it does not declare, all of them changed at once."""
        run, farthest = take.run, self.player.possible.farthest
        declared = [k for k, release in enumerate(run.releases) if release.records]
        for k in _some(declared, most, generator):
            release = run.releases[k]
            target = tuple(
                reward if release.covers(t, run.arm_at(t)) else farthest(reward) for t, reward in enumerate(run.rewards)
            )

            def stays(a: Run, b: Run, k: int = k) -> bool:
                return len(b.releases) > k and not a.releases[k].shift_to(b.releases[k])

            if target == run.rewards or stays(run, self.player.replay(take, target)):
                continue
            if violations := self._traced(take, target, stays):
                return violations
        return ()

    def _unlike(self, take: Take, targets: Iterator[Rewards] | Sequence[Rewards]) -> Violations:
        """What is wrong on the way to the first of these lists on which the policy does something else."""
        for target in targets:
            if not same_behaviour(take.run, self.player.replay(take, target)):
                return self._traced(take, target, same_behaviour)
        return ()

    def _traced(self, take: Take, target: Rewards, alike: Callable[[Run, Run], bool]) -> Violations:
        same, different = between(lambda rewards: self.player.replay(take, rewards), take.run, target, alike)
        return align(same, different, self.budget)

    # -------------------------------------------------------------------------------------------------- on neighbours

    def neighbours(self, take: Take, generator: np.random.Generator, most: int) -> Violations:
        """What is wrong on neighbours that differ at so many times, and at the one that seems to cost too much."""
        run = take.run
        times = times_to_change(run, most, generator)
        reason = uncounted(run, self.budget)
        if not run.overruled and not reason and (over := overspent(run, self.budget)):
            times = [over[0], *times]
        for time in times:
            if violations := self.neighbour(take, time):
                return violations
        if not run.overruled and reason and not self.spending.account(run):
            self.pending["uncounted"] = f"the releases cannot be added up: {reason}"
        elif not run.overruled and not reason:
            self.spending.add(run)
        return ()

    def neighbour(self, take: Take, time: int) -> Violations:
        """Neighbours with the lowest and the highest reward at this time; the run itself is one of them where its
        reward is, and else compared with both."""
        run, possible = take.run, self.player.possible
        ends = [(*run.rewards[:time], end, *run.rewards[time + 1 :]) for end in (possible.low, possible.high)]
        low, high = (run if rewards == run.rewards else self.player.replay(take, rewards) for rewards in ends)
        for other in (low, high):
            if other.raised:
                return self._traced(take, other.rewards, same_behaviour)
        inside = [] if run in (low, high) else [(run, low), (run, high)]
        for one, another in ((low, high), *inside):
            if violations := align(one, another, self.budget):
                return violations
            self._price(one, another)
        return ()

    def _price(self, one: Run, another: Run) -> None:
        """What neighbours release through mechanisms of one's own, and whether sums of them differ by rounding."""
        for a, b in zip(one.releases, another.releases, strict=True):
            shift = a.shift_to(b)
            self.rounded += not shift and a.distance(b) > 0
            if a.mechanism is not None and shift:
                self._own_releases.setdefault(a.distribution, []).append(((a, b), one.rewards))

    def own_laws(self, seed: int) -> Violations:
        """Mechanisms of one's own against the privacy loss that they state."""
        for name, released in self._own_releases.items():
            releases, runs = [pair for pair, _ in released], [lists for _, lists in released]
            for reason, k in broken_losses(releases, seed, LAW_ERROR / len(self._own_releases)):
                why = f"{name} {reason}"
                return (Violation("noise", why, None, runs[k], runs[k], "noise", releases[k][0].origin),)
        return ()


def chance_of_law(draws: np.ndarray, law: str) -> float:
    """A bound on the probability that draws of the law at scale 1 are so far from it (Dvoretzky, Kiefer, Wolfowitz)."""
    ordered = np.sort(draws)
    if np.isnan(draws).any():
        return 0.0
    if law == "laplace":
        below = np.where(ordered < 0, np.exp(np.minimum(ordered, 0)) / 2, 1 - np.exp(-np.maximum(ordered, 0)) / 2)
    else:
        below = normal_cdf(ordered)
    steps = np.arange(draws.size + 1) / draws.size
    apart = max(float(np.max(steps[1:] - below)), float(np.max(below - steps[:-1])))
    return 2 * float(np.exp(-2 * draws.size * apart**2))


def _of_noise(cause: str, reason: str, run: Run, distribution: str) -> Violation:
    first = next(k for k, release in enumerate(run.releases) if release.law == distribution)
    return Violation("noise", reason, first, run.rewards, run.rewards, cause, run.releases[first].origin)


def _some(entries: Sequence[int], most: int, generator: np.random.Generator) -> list[int]:
    return generator.permutation(entries)[:most].tolist() if entries else []
