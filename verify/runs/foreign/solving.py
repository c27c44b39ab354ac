"""Solving for the noise: with which draws the noisy numbers come out on a neighbour as they were, and at what price."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import product
from math import copysign, inf, isfinite, log

import numpy as np

from banditproof.theory.privacy.budget import Budget
from banditproof.verify.runs.accountant import Cost, Pair, cost_of, is_accounted, of_bounded_loss, of_laplace, of_normal
from banditproof.verify.runs.foreign.arms import FEW_VALUES, around
from banditproof.verify.runs.foreign.draws import BELOW_ONE, COIN, Draw, Name
from banditproof.verify.runs.foreign.levers import Lever, levers
from banditproof.verify.runs.foreign.numbers import (
    CLOSE,
    Entry,
    Recorded,
    differing,
    line_of,
    number_in,
    parted_at,
    times_asked,
)
from banditproof.verify.runs.foreign.policies import PASSING, Played, Stage
from banditproof.verify.runs.ledger import currency
from banditproof.verify.runs.recorder import Rewards

STEP = 1e-4  # by which a standard draw is moved to see what depends on it
MANY_DRAWS, OTHERS = 100, 8  # draws of a run from which on those in advance are told apart; other lists for that
MANY_ALIKE = 8  # draws of which halves are moved together
NEAR_END = 1e-3  # of the distance of a uniform draw from an end of its range, for its slope
JUMP = 0.5  # how far a number then jumps that is chosen, as an arm is
NEARER = 1 / 64  # of the step, for a second look
MOST_AHEAD = 64  # draws before a late stretch that may be for later use
TOGETHER = 1e-3  # of the largest difference: what is left where several draws keep all numbers; slopes are measured
BESIDE, BESIDE_TIMES, MOST_BESIDE = 3, 24, 60  # draws that are made anew together, how often, and of how many
SOLVED, REFINED = 1e-11, 2  # relative: what a draw that was found is refined to, and in how many steps
ELSEWHERE = (0.15, 0.4, 0.7, 0.95, 1.0)  # of the budget: how far off another value is looked for, and the farthest
SAME_SLOPE = 1e-3  # of a logarithm: slopes are measured
ROUNDING = 1e-5  # relative, of a price: draws are solved for
PRICED = {"laplace": "laplace", "exponential": "laplace", "logistic": "laplace", "normal": "normal"}
ADDED_UP = ("laplace", "exponential")  # laws of which the cheapest single change is the true price of a sum
SHIFTED = {"laplace": of_laplace, "normal": of_normal}  # laws that are accounted for whatever the budget is
DOMAIN = {"uniform": (0.0, BELOW_ONE), "exponential": (0.0, inf)}
STRETCHED = "the scale of noise depends on rewards (let it depend on noisy numbers only)"  # why a price is not known
OF_SEVERAL = "the noise is a sum of several draws, and its distribution is unknown (use one draw for each number)"


_Solved = tuple[Played, Name, dict[Name, float], float, float, str]
"""A run, the draw that makes a number what it was, what is changed for that, how far its noise is shifted, its price,
and why there is none."""


@dataclass
class Aligned:
    """What came of solving for the draws on a neighbour."""

    run: Played
    paths: set[str]  # of the numbers that should stay
    near: float = inf  # the price above which draws near the recorded ones are tried as well
    changed: dict[Name, float] = field(default_factory=dict)
    shifts: dict[Name, float] = field(default_factory=dict)  # of standard noise
    costs: dict[Entry, tuple[Name, float]] = field(default_factory=dict)
    doubts: list[tuple[Entry, Name]] = field(default_factory=list)  # noisy numbers that no draw is left for
    unpriced: str = ""
    at_most: str = ""  # why the price may be less
    stuck: str = ""  # the line of a draw that cannot go far enough
    dear: str = ""  # the line of the draw with which the price exceeds the budget

    @property
    def cost(self) -> float:
        """What all changed draws cost together."""
        return sum(price for _, price in self.costs.values())


def _told_alike(recorded: Recorded, here: Played, entry: Entry) -> bool:
    """Whether arms and kept numbers are as recorded, up to the pull of this number, and but for it from then on; it is
    made anew there if it was: noise that is released at another pull is seen to be."""
    parted = parted_at(recorded.run, here)
    kept = [e for e, _, _ in differing(recorded.run, here) if e.path in recorded.kept()]
    before = replace(entry, pull=max(0, entry.pull - 1))
    made = {number_in(run, before) != number_in(run, entry) for run in (recorded.run, here)}
    alone = all(e.path == entry.path and e.pull >= entry.pull for e in kept)
    return (parted is None or parted >= entry.pull) and alone and len(made) == 1


class Solver:
    """Finds, in runs on a `stage`, what draws have to be on a neighbour, and what that costs of a `budget`."""

    def __init__(self, stage: Stage, budget: Budget) -> None:
        self.stage, self.budget, self.count = stage, budget, currency(budget)
        self.allowed = self.count.allowed * (1 + ROUNDING)
        self.accounted: Cost | None = None  # the dearest draws that keep the budget by their laws alone
        self.told: set[str] = set()  # noisy numbers that rewards move a little, and not only by what they decide

    def recorded(self, run: Played, seed: int, noisy: Set[str] = frozenset()) -> Recorded:
        """The run with what depends on each of its draws; of a late stretch also on those drawn before for later use,
        which no noisy number shows when it begins."""
        depends: dict[Name, dict[Entry, float]] = {}
        again: set[Name] = set()
        draws: dict[Name, Draw] = {}
        for draw in run.tape.draws:
            draws.setdefault(draw.name, draw)
        since, ahead = self.stage.since, self._ahead(list(draws.values()))
        followed = [draw for draw in draws.values() if draw.law != COIN and (draw.pulls >= since or draw.name in ahead)]
        still = self._still(run, seed, followed)
        for draw in followed:
            name, step = draw.name, _step(draw)
            depends[name] = {} if name in still else self._slopes(run, seed, draw, step)
            if name in ahead and any(entry.pull <= since and entry.path in noisy for entry in depends[name]):
                depends[name] = {}
            if any(abs(slope * step) > JUMP for slope in depends[name].values()):  # a choice that is nearly a tie
                nearer = self._slopes(run, seed, draw, step * NEARER)
                depends[name] = {entry: slope for entry, slope in depends[name].items() if entry in nearer}
            asked = times_asked(run, draw)
            for value in (FEW_VALUES[draw.law][0], FEW_VALUES[draw.law][-1]) if depends[name] else ():
                other = self.stage.play(run.rewards, seed, {name: value}, draw.pulls + 1, bare=True)
                if times_asked(other, draw) != asked and (parted_at(run, other) or inf) > draw.pulls:
                    again.add(name)
        pairs = [lever for lever in levers(run.tape.draws, -1) if len(lever.names) > 1]
        both = [lever for lever in pairs if {draws[name].law for name in lever.names} == {"exponential", "uniform"}]
        signed = {name: lever for lever in both for name in lever.names if draws[name].law == "exponential"}
        stepped: dict[Name, Lever] = {}
        for lever in pairs:
            first, second = lever.names
            if lever.by is not None and lever.pulls >= self.stage.since and not {first, second} & stepped.keys():
                once, twice = (
                    {
                        e: b - a
                        for e, a, b in differing(
                            run, self.stage.play(run.rewards, seed, lever.by(k), like=run), exactly=True
                        )
                    }
                    for k in (1, 2)
                )  # an arm that noise decides does not move in steps, and a number that is kept does
                depends[first] = {e: d for e, d in once.items() if abs(twice.get(e, 0.0) - 2 * d) <= CLOSE * abs(d)}
                depends[second] = {}
                stepped[first] = stepped[second] = lever
        return Recorded(run, seed, depends, draws, again, signed, stepped)

    def _ahead(self, draws: Sequence[Draw]) -> set[Name]:
        """The last draws of every line before a late stretch."""
        before = [draw for draw in draws if draw.pulls < self.stage.since]
        last = {draw.spot: draw.pulls for draw in before}
        names = {draw.name for draw in before if draw.pulls == last[draw.spot]}
        return names if len(names) <= MOST_AHEAD else set()

    def _slopes(self, run: Played, seed: int, draw: Draw, step: float) -> dict[Entry, float]:
        """How far numbers move for a draw that moves by so much, per unit."""
        moved = self.stage.play(run.rewards, seed, {draw.name: draw.value + step}, like=run)
        return {e: (b - a) / step for e, a, b in differing(run, moved, exactly=True)}

    def _still(self, run: Played, seed: int, draws: Sequence[Draw]) -> set[Name]:
        """Draws that move no number: the coins of a line, at every pull, and the draws of one call are all moved in one
        run, and of many the halves of those that do not stay."""
        lines: dict[object, list[Draw]] = {}
        for draw in draws:
            lines.setdefault(draw.places[0] if draw.law == "uniform" else draw.name[:-1], []).append(draw)
        still: set[Name] = set()
        todo = [alike for alike in lines.values() if len(alike) > 1]
        ahead = self._ahead_of_rewards(run, seed) if len(draws) > MANY_DRAWS else frozenset[str]()
        while todo:
            alike = todo.pop()
            steps = {d.name: d.value + _step(d) / (1 + k / len(alike)) for k, d in enumerate(alike)}  # none cancel
            moved = self.stage.play(run.rewards, seed, steps, like=run)
            moves = {entry.path for entry, _, _ in differing(run, moved, exactly=True)}
            if moved.actions == run.actions and moves <= ahead:
                still.update(steps)
            elif len(alike) > MANY_ALIKE:
                todo += [alike[: len(alike) // 2], alike[len(alike) // 2 :]]
        return still

    def _ahead_of_rewards(self, run: Played, seed: int) -> frozenset[str]:
        """Numbers that no reward moves before it turns an arm, on any of some lists: noise that is drawn in advance."""
        ends = sorted({*run.rewards, 0.0, 1.0})
        lists = [(end,) * len(run.rewards) for end in (ends[0], ends[-1])] + [
            run.rewards[k:] + run.rewards[:k] for k in range(1, OTHERS)
        ]
        lists += [tuple(ends[0] + ends[-1] - reward for reward in run.rewards)]
        moved = set[str]()
        for rewards in lists:
            moved |= {entry.path for entry, _, _ in differing(run, self.stage.play(rewards, seed), exactly=True)}
        return frozenset(path for state in run.states for path in state if moved and path not in moved)

    def first_effects(self, recorded: Recorded, neighbour: Rewards) -> set[str]:
        """The paths of the noisy numbers that the changed reward moves before it changes an arm."""
        other = self.stage.play(neighbour, recorded.seed, like=recorded.run)
        moved = {entry for entry, _, _ in differing(recorded.run, other)}
        effects = {entry for name in recorded.depends for entry in recorded.depends[name].keys() & moved}
        if not {entry.path for entry in effects} <= self.told:
            self.told |= {entry.path for entry in self._steadily(recorded, neighbour, effects)}
        return {entry.path for entry in effects}

    def _steadily(self, recorded: Recorded, neighbour: Rewards, effects: set[Entry]) -> set[Entry]:
        """Those of the effects that a small part of the change has as well: the others follow from what it decides. All
        of them, where such a part has no effect on anything."""
        rewards = recorded.run.rewards
        nearer = tuple(a + (b - a) * NEARER if a != b else a for a, b in zip(rewards, neighbour, strict=True))
        other = self.stage.play(nearer, recorded.seed, like=recorded.run)
        moved = {entry for entry, _, _ in differing(recorded.run, other)}
        return effects & moved if moved else effects

    def whole(self, recorded: Recorded, neighbour: Rewards, dear: bool = False) -> Aligned:
        """The neighbour with the draws that keep all noisy numbers, or those until it is too dear, unless it may be.
        Those that rewards move once earlier ones are kept are noisy too."""
        while True:
            paths = {*recorded.noisy} if dear else recorded.noisy
            aligned = self.aligned(recorded, neighbour, paths, near=inf if dear else self.allowed)
            moved = {entry for entry, _, _ in differing(recorded.run, aligned.run)}
            later = {e.path for e in moved if (fed := recorded.fed(e)) and aligned.changed.keys().isdisjoint(fed)}
            if later <= recorded.noisy:
                return aligned
            recorded.noisy |= later

    def aligned(
        self,
        recorded: Recorded,
        neighbour: Rewards,
        paths: set[str],
        given_up: Set[Entry] = frozenset(),
        near: float = inf,
    ) -> Aligned:
        """The neighbour with the draws that keep the noisy numbers of these paths, but for those that are given up.

        Where a number is wrapped or folded, several values of a draw keep it: a cheap one is looked for where the price
        is above `near`, and where the draws are too dear together, the cheapest for each number that it bends.
        """
        aligned = Aligned(self.stage.play(neighbour, recorded.seed, like=recorded.run), paths, near=near)
        given_up = set(given_up)
        spared = frozenset(given_up)
        while True:
            entries = self._next_entries(recorded, aligned, given_up)
            if not entries:
                return aligned
            free, solved, stuck, doubtful = list[Name](), list[_Solved](), list[Name](), list[Entry]()
            for entry in entries:  # what is drawn anew, or turns, where rewards decide comes back once what decides has
                unused = (n for n in recorded.fed(entry) if n not in aligned.changed)
                free = [n for n in unused if recorded.used_before(n, entry.pull, paths, spared) is None]
                if solved := self._ways(recorded, aligned, neighbour, entry, free):
                    break
                stuck += free[:1]
                doubtful += [] if free else [entry]
            if not solved and doubtful:
                fed = recorded.fed(entry := doubtful[0])
                given_up.add(entry)
                aligned.doubts.append((entry, next((n for n in fed if n in aligned.changed), fed[0])))
                continue
            if not solved:
                aligned.stuck = line_of(recorded.draws[stuck[0]])
                return aligned
            fed = recorded.fed(entry)
            run, name, changed, shift, price, why = min(solved, key=lambda s: s[4])
            if len(free) > 1 and (pooled := self._pooled(recorded, entry, solved)) is not None:
                price = pooled
            elif len(free) > 1 and not all(recorded.draws[n].law in ADDED_UP for n in free):
                aligned.at_most = aligned.at_most or f"{OF_SEVERAL}: {line_of(recorded.draws[name])}"
            slopes = [abs(recorded.depends[n][entry]) for n in free]
            if why.startswith(STRETCHED) and price > self.allowed and max(slopes) <= min(slopes) * (1 + SAME_SLOPE):
                why = ""  # one scale: of a noisy sum over a noisy count, other draws make up for it
            if self.budget.kind == "pure" and recorded.draws[name].law == "normal" and len(fed) == 1:
                why = why if price < inf else ""  # it is known: the loss grows with the noise, without bound
            if name in recorded.again:
                again = "the policy rejects some values of a draw and draws again (take the first one)"
                why = why or f"{again}: {line_of(recorded.draws[name])}"
            aligned.run, aligned.changed = run, {**aligned.changed, **changed}
            aligned.shifts[name] = shift
            aligned.costs[entry] = name, price
            aligned.unpriced = aligned.unpriced or why
            if not aligned.unpriced and (aligned.cost > self.allowed or self._needs_laws(recorded, aligned)):
                aligned.unpriced = aligned.at_most or self._open(recorded, aligned)
                if aligned.unpriced or self._forgiven(recorded, aligned):
                    continue
                if 0 < near < inf:
                    return self.aligned(recorded, neighbour, paths, spared, near=0.0)
                aligned.dear = line_of(recorded.draws[name])
                if paths is recorded.noisy:
                    return aligned

    def _pooled(self, recorded: Recorded, entry: Entry, solved: Sequence[_Solved]) -> float | None:
        """The price of normal draws that show as one sum only, whose variances add up; None where that is not so.

        Every kept number, and every other one that rewards move, has to depend on them in the proportions of this one.
        """
        names = [name for _, name, *_ in solved]
        fed = set(recorded.fed(entry))
        normal = all(recorded.draws[n].law == "normal" for n in fed) and not any(why for *_, why in solved)
        if set(names) != fed or not normal or self.count.name == "epsilon":
            return None
        here = [recorded.depends[n][entry] for n in names]
        for other in {e for n in names for e in recorded.depends[n]}:
            if other.path in recorded.noisy or not other.path.startswith(PASSING):
                there = [recorded.depends[n].get(other, 0.0) for n in names]
                scale = max(map(abs, here)) * max(map(abs, there))
                if any(abs(a * there[0] - b * here[0]) > SAME_SLOPE * scale for a, b in zip(here, there, strict=True)):
                    return None
        shifts = [shift for _, _, _, shift, *_ in solved]
        return self.count.cost("normal", sum(shift**-2 for shift in shifts) ** -0.5, 1.0) if all(shifts) else None

    def _needs_laws(self, recorded: Recorded, aligned: Aligned) -> bool:
        """Whether some draw has no price in the currency of the budget, so that its law says what it costs."""
        return not all(self._has_price(recorded.draws[name]) for name, _ in aligned.costs.values())

    def no_cost(self, law: str) -> str:
        return f"the cost of {law} noise under the budget {self.budget} is unknown (promise a budget of its own kind)"

    @property
    def _accounts(self) -> bool:
        return self.budget.kind != "pure" and is_accounted(self.budget)

    def _has_price(self, draw: Draw) -> bool:
        """Whether the budget's currency has a price for a shift of this draw, where one has to be known."""
        return draw.law not in SHIFTED or (draw.law == "laplace") == (self.count.name == "epsilon")

    def accounted_for(self, recorded: Recorded, aligned: Aligned) -> Cost | None:
        """What the changed draws cost by their laws, under a budget that forgives a small probability."""
        known = self.count.name == "epsilon" or self._needs_laws(recorded, aligned)
        if not (self._accounts and known):
            return None
        pairs = Counter[Pair]()
        for entry, (name, price) in aligned.costs.items():
            draw = recorded.draws[name]
            priced = self.count.name == "epsilon" and draw.law != "normal"  # in scales that the noise is shifted
            size = price if priced else aligned.shifts[name]
            pair = SHIFTED.get(draw.law, of_bounded_loss)(size)
            alone = len(recorded.fed(entry)) == 1  # else the other draws of the number hide the reward as well
            pairs[pair if alone else replace(pair, exact=False, attained=False)] += 1
        return cost_of(pairs, self.budget)

    def _forgiven(self, recorded: Recorded, aligned: Aligned) -> bool:
        """Whether the draws keep the budget although their losses add up to more."""
        cost = self.accounted_for(recorded, aligned)
        if cost is None or not cost.kept:
            return False
        if self.accounted is None or cost.most > self.accounted.most:
            self.accounted = cost
        return True

    def _open(self, recorded: Recorded, aligned: Aligned) -> str:
        """Why it is open whether the draws keep the budget, or ''."""
        cost = self.accounted_for(recorded, aligned)
        if cost is None or cost.kept or cost.broken:
            return ""
        return f"the draws cost {cost}, and {cost.allowed:.6g} is promised (add a little noise)"

    def cheaper(self, recorded: Recorded, neighbour: Rewards, kept: Aligned) -> bool:
        """Whether the dearest number need not stay: numbers that are made of it can, by draws added later."""
        dearest, (name, _) = max(kept.costs.items(), key=lambda item: item[1][1])
        other = self.aligned(recorded, neighbour, kept.paths - {dearest.path})
        made_of_it = any(name in recorded.fed(entry) for entry in other.costs)
        return made_of_it and parted_at(recorded.run, other.run) is None and (bool(other.unpriced) or not other.dear)

    def otherwise(self, recorded: Recorded, aligned: Aligned) -> bool:
        """Whether draws that the dearest number does not show bring it back as well, such as the coins that flip votes,
        or decide how far the reward moves it: a few that are made after the reward was told are made anew."""
        entry, neighbour = max(aligned.costs, key=lambda e: aligned.costs[e][1]), aligned.run.rewards
        fed, target, whole = set(recorded.fed(entry)), number_in(recorded.run, entry), self.stage.foreign.rewards_at
        changed = {name: value for name, value in aligned.changed.items() if name not in fed}
        drawn = dict.fromkeys(d.name for d in aligned.run.tape.draws)
        told = -1 if whole else next(t for t, r in enumerate(recorded.run.rewards) if r != neighbour[t])
        later = (d.name for d in aligned.run.tape.draws if whole or told < d.pulls <= entry.pull)
        beside = [name for name in dict.fromkeys(later) if name not in fed][:MOST_BESIDE]
        pulls = 0 if whole else entry.pull
        moved = number_in(self.stage.play(neighbour, recorded.seed, changed, pulls), entry) - target
        for k, others in product(range(len(beside)), range(1, 1 + BESIDE_TIMES)):
            known = frozenset(drawn.keys() - {*beside[k : k + BESIDE]})
            run = self.stage.play(neighbour, recorded.seed, changed, pulls, others=others, recorded=known)
            parted = None if whole else parted_at(recorded.run, run)
            if parted is not None and parted < entry.pull:
                continue  # then it is another number
            if abs(number_in(run, entry) - target) <= CLOSE * (1 + abs(target)):
                return True
            if others > BESIDE_TIMES // 3 or whole:
                continue
            here = self.stage.play(recorded.run.rewards, recorded.seed, {}, pulls, others=others, recorded=known)
            by = number_in(run, entry) - number_in(here, entry)
            if _told_alike(recorded, here, entry) and CLOSE * (1 + abs(moved)) < abs(by - moved) < inf:
                return True
        return False

    def one_draw_for_two(self, recorded: Recorded, aligned: Aligned, neighbour: Rewards, parted: int) -> bool:
        """Whether one draw serves two kept numbers, and the arms part whichever of them is kept, with no other draw.

        The arm then depends on both numbers, or on rewards, and on nothing random besides.
        """
        if not aligned.doubts or self.stage.foreign.rewards_at:
            return False
        second, name = aligned.doubts[0]
        first = next((e for e, (n, _) in aligned.costs.items() if n == name), None) or recorded.used_before(
            name, second.pull, recorded.kept()
        )
        if first is None or {first.path, second.path} - recorded.kept() or second.pull > parted:
            return False
        since = min(first.pull, second.pull - 1)
        serving = set(recorded.fed(first)) | set(recorded.fed(second))
        if {d.name for d in aligned.run.tape.draws if since <= d.pulls <= parted} - serving:
            return False
        earlier = {e for e in recorded.depends[name] if e.path in recorded.noisy and e.pull < second.pull}
        aside = {first.path} - {second.path}
        turned = self.aligned(recorded, neighbour, recorded.kept() - aside, earlier | {first})
        lost = second in {entry for entry, _, _ in differing(recorded.run, turned.run)}
        kept = not lost if aside else any(n == name for n, _ in turned.costs.values())
        turns = parted_at(recorded.run, turned.run) is not None and not turned.stuck and kept
        return turns and not self._kept_together(recorded, aligned, second.pull)

    @staticmethod
    def _kept_together(recorded: Recorded, aligned: Aligned, last: int) -> bool:
        """Whether several draws at once would keep all kept numbers up to a pull, as far as numbers are linear in
        draws: a sum and a difference of two noisy numbers may have been solved for by the wrong one of two draws."""
        paths, depends = recorded.kept(), recorded.depends.values()
        off = {e: there - here for e, here, there in differing(recorded.run, aligned.run) if e.path in paths}
        entries = {e for e in {*off, *(e for moved in depends for e in moved)} if e.path in paths and e.pull <= last}
        rows = {(off.get(e, 0.0), *(moved.get(e, 0.0) for moved in depends)) for e in entries}
        matrix = np.array(sorted(rows))
        wanted, slopes = matrix[:, 0], matrix[:, 1:]
        left = slopes @ np.linalg.lstsq(slopes, wanted, rcond=None)[0] - wanted
        return bool(np.abs(left).max() <= TOGETHER * np.abs(wanted).max())

    @staticmethod
    def _next_entries(recorded: Recorded, aligned: Aligned, given_up: set[Entry]) -> list[Entry]:
        """The noisy numbers that are not as they were recorded, at the first pull where one is not; those with the most
        draws come last."""
        at_pull: list[Entry] = []
        for entry, _, _ in differing(recorded.run, aligned.run):
            if at_pull and entry.pull > at_pull[0].pull:
                break
            if entry.path in aligned.paths and entry not in given_up and recorded.fed(entry):
                at_pull.append(entry)
        return sorted(at_pull, key=lambda e: len(recorded.fed(e)))

    def _ways(
        self, recorded: Recorded, aligned: Aligned, neighbour: Rewards, entry: Entry, free: Sequence[Name]
    ) -> list[_Solved]:
        """What is found if one of these draws makes the number what it was, or one of them together with its sign."""
        solved = [s for name in free if (s := self._solved(recorded, aligned, neighbour, entry, name)) is not None]
        for name in [] if solved else free:
            signed = recorded.signed.get(name)
            if signed is not None and aligned.changed.keys().isdisjoint(signed.names):
                found = self._solved(recorded, aligned, neighbour, entry, name, signed)
                solved += [found] if found is not None else []
        return solved

    def _solved(
        self,
        recorded: Recorded,
        aligned: Aligned,
        neighbour: Rewards,
        entry: Entry,
        name: Name,
        signed: Lever | None = None,
    ) -> _Solved | None:
        """The run in which the draw makes the number what it was, its value and its price; why there is no price.

        A width may be varied together with its sign.
        """
        draw, target = recorded.draws[name], recorded.run.states[entry.pull][entry.path]
        slope = recorded.depends[name][entry]
        if name in recorded.stepped:
            return self._in_steps(recorded, aligned, neighbour, entry, name)
        if signed is not None:
            draw, slope = replace(draw, law=signed.law, value=signed.value), copysign(slope, slope * signed.value)
        first = slope
        low, high = DOMAIN.get(draw.law, (-inf, inf))

        def drawn(value: float) -> dict[Name, float]:
            return {name: value} if signed is None else signed.at(value)

        def played(value: float, pulls: int = 0) -> Played:
            changed = {**aligned.changed, **drawn(value)}
            return self.stage.play(neighbour, recorded.seed, changed, pulls, like=aligned.run)

        def at(value: float) -> float:
            return number_in(played(value, 0 if self.stage.foreign.rewards_at else entry.pull), entry) - target

        def recorded_at(value: float) -> float:
            run = recorded.run
            return number_in(self.stage.play(run.rewards, recorded.seed, drawn(value), like=run), entry)

        def solved(before: float, off: float, slope: float) -> _Solved | None:
            """From a value of the draw at which the number is so far off."""
            for _ in range(40):
                if not isfinite(off) or not slope:
                    return None
                value = before - off / slope
                if not low <= value <= high:
                    if draw.law != "uniform":
                        return None
                    value = (before + (low if value < low else high)) / 2
                left = at(value)
                if not isfinite(left):
                    return None
                if abs(left) <= CLOSE * (1 + abs(target)):
                    break
                if value == before:
                    return None
                slope, before, off = (left - off) / (value - before), value, left
            else:
                return None
            for _ in range(REFINED):  # else another number made of the same draw, such as five times this one, is off
                if value == before or left == off or abs(left) <= SOLVED * (1 + abs(target)):
                    break
                better = value - left * (value - before) / (left - off)
                rest = at(better) if low <= better <= high else inf
                if not abs(rest) < abs(left):
                    break
                value, left, before, off = better, rest, value, left
            step = _step(replace(draw, value=value))
            price = self._price(draw, value, first, (at(value + step) - left) / step)
            if draw.law == "uniform" and self.allowed < price[0] < inf:
                price = self._price(draw, value, _two_sided(recorded_at, draw.value), _two_sided(at, value))
            return played(value), name, drawn(value), abs(value - draw.value), *price

        off = number_in(aligned.run, entry) - target
        found = solved(draw.value, off, slope)
        if found is None or not aligned.near < found[4] < inf:
            return found
        if found[4] <= self.allowed and abs(found[3] - abs(off / first)) <= SAME_SLOPE * found[3]:
            return found  # as far as a number that nothing bends would need
        steps = [sign * share * self.allowed for share in ELSEWHERE for sign in (1, -1)]
        starts = around(draw.law, draw.value, steps)[1:] if draw.law == "uniform" else np.add(draw.value, steps)
        for start in map(float, starts):
            if low <= start <= high and found[4] > aligned.near:
                found = min(found, solved(start, at(start), first) or found, key=lambda way: way[4])
        return found

    def _in_steps(
        self, recorded: Recorded, aligned: Aligned, neighbour: Rewards, entry: Entry, name: Name
    ) -> _Solved | None:
        """The same for noise that has whole values only: by how many steps it is another one."""
        lever, slope, target = recorded.stepped[name], recorded.depends[name][entry], number_in(recorded.run, entry)
        off = number_in(aligned.run, entry) - target
        if lever.by is None or not isfinite(off) or not slope:
            return None
        steps = round(-off / slope)
        drawn = lever.by(steps)
        run = self.stage.play(neighbour, recorded.seed, {**aligned.changed, **drawn}, like=aligned.run)
        if abs(number_in(run, entry) - target) > CLOSE * (1 + abs(target)):
            return None
        cost = abs(steps) * lever.rate
        pure = self.count.name == "epsilon"
        why = f"{self.no_cost('geometric')}: {line_of(recorded.draws[name])}"
        return run, name, drawn, cost, cost if pure else inf, "" if pure else why

    def _price(self, draw: Draw, value: float, slope: float, steeper: float) -> tuple[float, str]:
        """What it costs that a standard draw has another value, and its number another slope; why it is not known.

        With one slope a draw is shifted, and the price is that of the worst value. Else it is that of this value: the
        logarithm of the ratio of the densities of the number, and where rewards stretch Laplace noise other values cost
        more, without bound.
        """
        if not steeper or not isfinite(steeper):
            return inf, f"the check cannot follow how a number depends on a draw (add the noise to it): {line_of(draw)}"
        stretch = log(abs(steeper / slope))
        law, pure = PRICED.get(draw.law), self.count.name == "epsilon"
        if draw.law == "uniform" and pure:
            return abs(stretch), ""
        if law == "laplace" and pure and abs(stretch) > SAME_SLOPE and draw.law != "logistic":
            price = abs(abs(value) - abs(draw.value) + stretch)
            return price, f"{STRETCHED}: {line_of(draw)}"
        if not self._has_price(draw) and self._accounts and abs(stretch) <= SAME_SLOPE:
            return 0.0, ""  # its law is accounted for
        if law is None or (law == "laplace") != pure or abs(stretch) > SAME_SLOPE:
            return inf, f"{self.no_cost(draw.law)}: {line_of(draw)}"
        return self.count.cost(law, abs(value - draw.value), 1.0), ""


def _two_sided(number: Callable[[float], float], at: float) -> float:
    """The slope of a number in a uniform draw, from both sides, as exact as a price."""
    step = NEAR_END * min(at, 1 - at)
    return (number(at + step) - number(at - step)) / (2 * step)


def _step(draw: Draw) -> float:
    """By how much a standard draw is moved, within its range."""
    return -STEP if draw.law == "uniform" and draw.value > 0.5 else STEP
