"""Is a policy of somebody else private, as it is? Its noise is solved for on neighbouring rewards.

A run is recorded with all its draws. What the policy knows between two pulls are numbers; those that depend on rewards
and on draws are *noisy*. On a neighbour, where one reward is another one, the draws that made them are changed so that
every noisy number comes out as it was, and the policy should then pull the same arms. What the changed draws cost by
their laws is what that reward costs.

- If the arms differ all the same, and no other value of the draws keeps them either, rewards decide past the noise:
  one draw serves twice, a number has none, or a decision reads rewards.
- If they are kept at more than the budget, noise is too small or spent too often.
- What depends on draws and is not kept as a number, such as the arm with the largest noisy index, cannot be solved for.
  Other draws then keep the arms, at a price that is not known: that is inconclusive.

As in `check_privacy`, noise that is kept counts as released: a policy that keeps a noisy number which decides nothing
is charged for it.

Source: BDP-P4.2
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from itertools import islice
from math import inf, isfinite, log

import numpy as np

from banditproof.theory.privacy.budget import Budget
from banditproof.verify.runs.alignment import reward_list
from banditproof.verify.runs.foreign.draws import BELOW_ONE, COIN, Draw, Name, Place, exchanged, own_generator
from banditproof.verify.runs.foreign.policies import PASSING, Played, Replayed, Stage
from banditproof.verify.runs.journal import Journal, first_difference
from banditproof.verify.runs.ledger import Violation, currency
from banditproof.verify.runs.recorder import Rewards, far_neighbour
from banditproof.verify.runs.report import REPLAY, UNKNOWN, PrivacyReport
from banditproof.verify.runs.source_lines import located
from banditproof.verify.stopwatch import CUT, Stopwatch

PULLS = 32  # of a run
LISTS = 6  # recorded runs, each on a list of its own
MOST_LISTS = 60  # where a noisy number has no draw of its own, until an arm shows it
REDRAWN = 600  # ways in which other draws are tried to keep the arms
FEWEST_KEPT = 60  # of them, on the rewards themselves, for it to mean something that none does on the neighbour
STEP = 1e-4  # by which a standard draw is moved to see what depends on it
SAME_SLOPE = 1e-3  # of a logarithm: slopes are measured
ROUNDING = 1e-5  # relative, of a price: draws are solved for
CLOSE = 1e-7  # relative; numbers as close as that are the same
PRICED = {"laplace": "laplace", "exponential": "laplace", "logistic": "laplace", "normal": "normal"}
ADDED_UP = ("laplace", "exponential")  # laws of which the cheapest single change is the true price of a sum
FOUND = 0.3  # the share of the time in which other causes are looked for once an arm has shown one
FIRST_TOLD = ("noise reused", "raw rewards", "budget")
DOMAIN = {"uniform": (0.0, BELOW_ONE), "exponential": (0.0, inf)}
SPREAD = (1.0, 1.0, 4.0, 20.0)  # widths from which other draws are taken
COVERED = 4  # runs on each list in which branches are watched
FEWEST_RELEASED = 3  # neighbours in whose noisy numbers the reward was found


@dataclass(frozen=True)
class _Entry:
    """A number that the policy knows before a pull."""

    pull: int
    path: str


@dataclass
class _Recorded:
    """A run, and which numbers depend on each draw: how far they move for a draw that moves by one."""

    run: Played
    seed: int
    depends: dict[Name, dict[_Entry, float]]
    draws: dict[Name, Draw]
    noisy: set[str] = field(default_factory=set)  # paths that depend on rewards as well

    def kept(self) -> set[str]:
        """The noisy paths that are kept from pull to pull."""
        return {path for path in self.noisy if not path.startswith(PASSING)}

    def fed(self, entry: _Entry) -> list[Name]:
        """The draws on which a number depends, the latest first."""
        return [name for name in reversed(self.draws) if entry in self.depends.get(name, ())]

    def used_before(self, name: Name, pull: int, paths: set[str], spared: Set[_Entry] = frozenset()) -> _Entry | None:
        """A number of these paths that depended on the draw before this pull, other than those that are spared."""
        found = (e for e in self.depends[name] if e.pull < pull and e.path in paths and e not in spared)
        return next(found, None)


@dataclass
class _Aligned:
    """What came of solving for the draws on a neighbour."""

    run: Played
    paths: set[str]  # of the numbers that should stay
    changed: dict[Name, float] = field(default_factory=dict)
    costs: dict[_Entry, tuple[Name, float]] = field(default_factory=dict)
    doubts: list[tuple[_Entry, Name]] = field(default_factory=list)  # noisy numbers that no draw is left for
    unpriced: str = ""
    stuck: str = ""  # the line of a draw that cannot go far enough
    dear: str = ""  # the line of the draw with which the price exceeds the budget

    @property
    def cost(self) -> float:
        """What all changed draws cost together."""
        return sum(price for _, price in self.costs.values())


@dataclass
class ForeignCheck:
    """One check of one policy of somebody else."""

    foreign: Replayed
    budget: Budget
    seconds: float
    seed: int
    pulls: int

    def __post_init__(self) -> None:
        self.stage, self.clock = Stage(self.foreign), Stopwatch()
        self.count = currency(self.budget)
        self.missing: dict[str, None] = {}
        self.stuck: Counter[str] = Counter()  # lines of draws that could not go far enough
        self.doubts: dict[str, str] = {}  # what is made of the draws of a line, and has none of its own
        self.followed: set[str] = set()  # lines of draws that were solved for
        self.runs = self.released = self.decisions = self.most_releases = 0
        self.spent = 0.0

    def report(self) -> PrivacyReport:
        found: tuple[Violation, ...] = ()
        with exchanged():
            for k in range(MOST_LISTS):
                done = self.stage.meter.seconds() / self.seconds
                if k and (done > 1 or not self.doubts and (k >= LISTS or done > k / LISTS)):
                    break
                fair = done + (1 - done) / max(1, LISTS - k)  # of what earlier lists left
                found = self._list(k, min(1.0, max((k + 1) / LISTS, fair)) if k else 1.0)
                if found:
                    break
        unreached = self.stage.coverage.unreached()
        if not found and self.released < FEWEST_RELEASED and not self.missing:
            seen = "no number was seen that depends on rewards and on draws"
            self.missing[seen if not self.released else f"only {self.released} neighbours reached a noisy number"] = (
                None
            )
        for line, path in self.doubts.items():
            self.missing[
                f"{path} has no noise of its own on a neighbour, and no arm was seen that shows it: {line}"
            ] = None
        notes = ["a policy of somebody else, as it is: noise that it keeps counts as released"]
        notes += [CUT] if self.stage.meter.cut else []
        for line, times in self.stuck.items():
            sentence = f"for {times} neighbours no draw keeps what is made of it, for others one does: {line}"
            if line in self.followed:
                notes.append(sentence)
            else:
                self.missing[f"no draw keeps what is made of it on a neighbour: {line}"] = None
        if unreached:
            self.missing[f"never ran: {unreached[0]}"] = None
        return PrivacyReport(
            self.budget,
            found,
            () if found else tuple(self.missing),
            runs=self.runs,
            replays=self.stage.runs - self.runs,
            longest=self.pulls,
            releases=self.most_releases,
            decisions=self.decisions,
            spent=self.spent,
            allowed=self.count.allowed,
            currency=self.count.name,
            unreached=unreached,
            notes=tuple(notes),
            seed=self.seed,
            seconds=self.clock.seconds(),
        )

    # ------------------------------------------------------------------------------------------------------- recording

    def _list(self, k: int, until: float) -> tuple[Violation, ...]:
        """What list k shows, in the share of the time up to this one."""
        generator = own_generator(self.seed, k)
        kind = (0, 1, 0, 6, 0, 4)[k % 6]
        rewards = reward_list(kind, self.pulls, generator)
        seed = self.seed + k
        for more in range(COVERED):
            with self.stage.coverage.collecting():
                self.stage.play(rewards, seed + LISTS * more, bare=True)
        run = self.stage.play(rewards, seed)
        self.runs += 1
        for sentence in sorted(run.tape.told):
            self.missing[sentence] = None
        if run.raised:
            self.missing[f"the policy raises {run.raised}"] = None
            return ()
        again = self.stage.play(rewards, seed)
        if again.actions != run.actions or again.states != run.states:
            self.missing["the policy differs between two runs with the same draws: some come from elsewhere"] = None
            return ()
        recorded = self._recorded(run, seed)
        reached = [self._first_effects(recorded, far_neighbour(rewards, t)) for t in range(len(rewards))]
        for entries in reached:
            recorded.noisy |= entries
        self.most_releases = max(self.most_releases, len(recorded.noisy))
        self.decisions += len(run.actions) - 1
        order = generator.permutation(len(rewards)).tolist()
        order.sort(key=lambda t: not reached[t])
        found: dict[str, Violation] = {}
        for t in order:
            share = FOUND if found.keys() - {"budget"} else until
            if self.stage.meter.seconds() > self.seconds * share:
                break
            for violation in self._neighbour(recorded, far_neighbour(rewards, t), generator):
                found.setdefault(violation.cause, violation)
        return tuple(sorted(found.values(), key=lambda violation: FIRST_TOLD.index(violation.cause)))

    def _recorded(self, run: Played, seed: int) -> _Recorded:
        depends: dict[Name, dict[_Entry, float]] = {}
        draws: dict[Name, Draw] = {}
        for draw in run.tape.draws:
            draws.setdefault(draw.name, draw)
        for name, draw in draws.items():
            if draw.law == COIN:
                continue
            step = -STEP if draw.law == "uniform" and draw.value > 0.5 else STEP
            moved = self.stage.play(run.rewards, seed, {name: draw.value + step})
            depends[name] = {e: (b - a) / step for e, a, b in _differing(run, moved, exactly=True)}
        return _Recorded(run, seed, depends, draws)

    def _first_effects(self, recorded: _Recorded, neighbour: Rewards) -> set[str]:
        """The paths of the noisy numbers that the changed reward moves before it changes an arm."""
        other = self.stage.play(neighbour, recorded.seed)
        moved = {entry for entry, _, _ in _differing(recorded.run, other)}
        return {entry.path for name in recorded.depends for entry in recorded.depends[name].keys() & moved}

    # --------------------------------------------------------------------------------------------------------- solving

    def _neighbour(
        self, recorded: _Recorded, neighbour: Rewards, generator: np.random.Generator
    ) -> tuple[Violation, ...]:
        whole = self._aligned(recorded, neighbour, recorded.noisy)
        self.released += bool(whole.costs)
        parted = _parted(recorded.run, whole.run)
        self.followed |= {_line(recorded.draws[name]) for name, _ in whole.costs.values()}
        if whole.stuck:
            self.stuck[whole.stuck] += 1
        for entry, name in whole.doubts:
            self.doubts[_line(recorded.draws[name])] = _shown(entry.path)
        if not whole.stuck and parted is None and not whole.unpriced and not whole.dear:
            self.spent = max(self.spent, whole.cost)
            return ()
        kept = self._aligned(recorded, neighbour, recorded.kept())
        at = _parted(recorded.run, kept.run)
        if at is None and not kept.unpriced and not kept.stuck and kept.dear:
            if not self._cheaper(recorded, neighbour, kept):
                return self._too_dear(recorded, kept)
            self.missing[f"noise of several draws is added up, whose law is not known: {kept.dear}"] = None
            return ()
        if whole.stuck:
            return ()
        if whole.dear:
            more = f"more than the budget if each counted as released: {whole.dear}"
            self.missing[f"arms are chosen by noisy numbers that are not kept; they would cost {more}"] = None
        elif parted is not None:
            return self._past_the_noise(recorded, whole, neighbour, parted, generator)
        else:
            self.missing[whole.unpriced] = None
        return ()

    def _one_draw_for_two(self, recorded: _Recorded, aligned: _Aligned, neighbour: Rewards, parted: int) -> bool:
        """Whether one draw serves two kept numbers, and the arms part whichever of them is kept, with no other draw.

        The arm then depends on both numbers, or on rewards, and on nothing random besides.
        """
        if not aligned.doubts or self.foreign.rewards_at:
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
        turned = self._aligned(recorded, neighbour, recorded.kept() | {second.path}, earlier | {first})
        at = _parted(recorded.run, turned.run)
        return at is not None and not turned.stuck and any(n == name for n, _ in turned.costs.values())

    def _aligned(
        self, recorded: _Recorded, neighbour: Rewards, paths: set[str], given_up: Set[_Entry] = frozenset()
    ) -> _Aligned:
        """The neighbour with the draws that keep the noisy numbers of these paths, but for those that are given up."""
        found = _Aligned(self.stage.play(neighbour, recorded.seed), paths)
        given_up = set(given_up)
        spared = frozenset(given_up)
        while True:
            entry = self._next_entry(recorded, found, given_up)
            if entry is None:
                return found
            fed = recorded.fed(entry)
            free = [
                n for n in fed if n not in found.changed and recorded.used_before(n, entry.pull, paths, spared) is None
            ]
            if not free:
                given_up.add(entry)
                found.doubts.append((entry, fed[0]))
                continue
            solved = [s for name in free if (s := self._solved(recorded, found, neighbour, entry, name)) is not None]
            if not solved:
                found.stuck = _line(recorded.draws[free[0]])
                return found
            run, name, value, price, why = min(solved, key=lambda s: s[3])
            if len(free) > 1 and not all(recorded.draws[n].law in ADDED_UP for n in free):
                why = (
                    why or f"noise of several draws is added up, whose law is not known: {_line(recorded.draws[name])}"
                )
            found.run, found.changed = run, {**found.changed, name: value}
            found.costs[entry] = name, price
            found.unpriced = found.unpriced or why
            if not found.unpriced and found.cost > self.count.allowed * (1 + ROUNDING):
                found.dear = _line(recorded.draws[name])
                if paths is recorded.noisy:
                    return found

    def _cheaper(self, recorded: _Recorded, neighbour: Rewards, kept: _Aligned) -> bool:
        """Whether the dearest number need not stay: numbers that are made of it can, by draws added later."""
        dearest, (name, _) = max(kept.costs.items(), key=lambda item: item[1][1])
        other = self._aligned(recorded, neighbour, kept.paths - {dearest.path})
        made_of_it = any(name in recorded.fed(entry) for entry in other.costs)
        return made_of_it and _parted(recorded.run, other.run) is None and (bool(other.unpriced) or not other.dear)

    @staticmethod
    def _next_entry(recorded: _Recorded, found: _Aligned, given_up: set[_Entry]) -> _Entry | None:
        """The first noisy number that is not as it was recorded; of one pull the one with the most draws comes last."""
        pull: int | None = None
        at_pull: list[_Entry] = []
        for entry, _, _ in _differing(recorded.run, found.run):
            if pull is not None and entry.pull > pull:
                break
            if entry.path in found.paths and entry not in given_up and recorded.fed(entry):
                pull = entry.pull
                at_pull.append(entry)
        return min(at_pull, key=lambda e: len(recorded.fed(e)), default=None)

    def _solved(
        self, recorded: _Recorded, found: _Aligned, neighbour: Rewards, entry: _Entry, name: Name
    ) -> tuple[Played, Name, float, float, str] | None:
        """The run in which the draw makes the number what it was, its value and its price; why there is no price."""
        draw, target = recorded.draws[name], recorded.run.states[entry.pull][entry.path]
        low, high = DOMAIN.get(draw.law, (-inf, inf))

        def at(value: float) -> tuple[Played, float]:
            run = self.stage.play(neighbour, recorded.seed, {**found.changed, name: value})
            state = run.states[entry.pull] if entry.pull < len(run.states) else {}
            return run, state.get(entry.path, inf) - target

        before, off = draw.value, _value(found.run, entry) - target
        slope = recorded.depends[name][entry]
        for _ in range(40):
            if not isfinite(off) or not slope:
                return None
            value = before - off / slope
            if not low <= value <= high:
                if draw.law != "uniform":
                    return None
                value = (before + (low if value < low else high)) / 2
            run, left = at(value)
            if not isfinite(left):
                return None
            if abs(left) <= CLOSE * (1 + abs(target)):
                break
            if value == before:
                return None
            slope, before, off = (left - off) / (value - before), value, left
        else:
            return None
        step = -STEP if draw.law == "uniform" and value > 0.5 else STEP
        steeper = (at(value + step)[1] - left) / step
        return run, name, value, *self._price(draw, value, recorded.depends[name][entry], steeper)

    def _price(self, draw: Draw, value: float, slope: float, steeper: float) -> tuple[float, str]:
        """What it costs that a standard draw has another value, and its number another slope; why it is not known.

        With one slope a draw is shifted, and the price is that of the worst value. Else it is that of this value: the
        logarithm of the ratio of the densities of the number.
        """
        if not steeper or not isfinite(steeper):
            return inf, f"a number that a draw made cannot be followed: {_line(draw)}"
        stretch = log(abs(steeper / slope))
        law, pure = PRICED.get(draw.law), self.count.name == "epsilon"
        if draw.law == "uniform" and pure:
            return abs(stretch), ""
        if law == "laplace" and pure and abs(stretch) > SAME_SLOPE and draw.law != "logistic":
            return abs(abs(value) - abs(draw.value) + stretch), ""
        if law is None or (law == "laplace") != pure or abs(stretch) > SAME_SLOPE:
            return inf, f"what {draw.law} noise costs of a budget {self.budget} is not known: {_line(draw)}"
        return self.count.cost(law, abs(value - draw.value), 1.0), ""

    # --------------------------------------------------------------------------------------------------------- judging

    def _past_the_noise(
        self, recorded: _Recorded, aligned: _Aligned, neighbour: Rewards, parted: int, generator: np.random.Generator
    ) -> tuple[Violation, ...]:
        """A violation if no draws keep the arms on the neighbour up to the pull at which they part."""
        if self._one_draw_for_two(recorded, aligned, neighbour, parted):
            entry, name = aligned.doubts[0]
            cause, line, reason = self._shared(recorded, entry, name)
            reason = f"{reason}; whichever is kept on the neighbour, pull {parted} differs without another draw"
            return (Violation(REPLAY, reason, None, recorded.run.rewards, aligned.run.rewards, cause, line),)
        if kept := self._kept_by_others(recorded, aligned, parted, generator):
            self.missing[f"an arm is chosen by noise that is not kept, at a price that is not known: {kept}"] = None
            return ()
        if not self._would_show(recorded, parted, generator):
            self.missing[f"no other noise was found that keeps pull {parted}, on the same rewards neither"] = None
            return ()
        run, other = recorded.run, aligned.run
        doubt = next(((e, name) for e, name in aligned.doubts if e.pull <= parted), None)
        pull = f"pull {parted}" if not self.foreign.rewards_at else f"entry {parted} of what is returned"
        ending = f"{pull} differs on the neighbour whatever the noise is ({REDRAWN} ways were tried)"
        if doubt is not None:
            cause, line, reason = self._shared(recorded, *doubt)
            reason = f"{reason}; {ending}"
        else:
            cause, line, reason = self._raw(recorded, aligned, parted)
            reason = f"{reason}: {ending}"
        return (Violation(REPLAY, reason, None, run.rewards, other.rewards, cause, line),)

    def _kept_by_others(
        self, recorded: _Recorded, aligned: _Aligned, parted: int, generator: np.random.Generator
    ) -> str:
        """The line of a draw that, with others, keeps the arms on the neighbour; nothing if none was found."""
        for kept, line in self._redrawn(recorded, aligned.run, aligned.changed, parted, generator):
            if kept:
                return line
        return ""

    def _would_show(self, recorded: _Recorded, parted: int, generator: np.random.Generator) -> bool:
        """Whether other draws keep the arms often enough on the recorded rewards themselves."""
        tried = self._redrawn(recorded, recorded.run, {}, parted, generator)
        return sum(kept for kept, _ in tried) >= FEWEST_KEPT

    def _redrawn(
        self,
        recorded: _Recorded,
        start: Played,
        solved: Mapping[Name, float],
        parted: int,
        generator: np.random.Generator,
    ) -> Iterator[tuple[bool, str]]:
        """Whether other draws keep the arms on the rewards of `start`, and the line of the latest of them."""
        run, pulls = recorded.run, 0 if self.foreign.rewards_at else parted
        candidates = {d.name: d for d in start.tape.draws if self.foreign.rewards_at or d.pulls <= parted}
        known = frozenset(candidates)
        tries = self._other_draws(list(candidates.values()), solved, generator)
        for changed in islice(tries, REDRAWN):
            others = int(generator.integers(1, 1 << 30))
            other = self.stage.play(start.rewards, recorded.seed, changed, pulls, True, others, known)
            at = _parted(run, other)
            reached = len(other.actions) > min(parted, len(run.actions) - 1)
            latest = [d for name, d in candidates.items() if changed.get(name) != solved.get(name)]
            yield not other.raised and reached and (at is None or at > parted), _line(latest[-1]) if latest else ""

    @staticmethod
    def _other_draws(
        candidates: list[Draw], solved: Mapping[Name, float], generator: np.random.Generator
    ) -> Iterator[dict[Name, float]]:
        """Other values of some draws: of each one alone at first, then of several, mostly of the latest ones."""
        turn = 0
        while True:
            turn += 1
            width = SPREAD[turn % len(SPREAD)]
            if not candidates:
                chosen = []
            elif turn <= 8 * len(candidates) and turn <= REDRAWN // 2:
                chosen = [candidates[-1 - (turn - 1) // 8]]
            else:
                last = candidates[-min(len(candidates), 1 + int(generator.integers(1, 9))) :]
                pool = last if turn % 2 else candidates
                chosen = [d for d in pool if generator.random() < (1.0, 0.5, 0.25)[turn % 3]]
            changed = dict(solved)
            for draw in chosen:
                if draw.law == COIN:
                    changed[draw.name] = float(generator.integers(1, 1 << 30))
                elif draw.law == "uniform":
                    changed[draw.name] = float(generator.random() ** (width if turn % 2 else 1 / width))
                    changed[draw.name] = min(changed[draw.name], BELOW_ONE)
                elif draw.law == "exponential":
                    changed[draw.name] = float(width * generator.standard_exponential())
                else:
                    at = solved.get(draw.name, draw.value)
                    changed[draw.name] = float(at * (turn % 3 > 0) + width * generator.laplace())
            yield changed

    def _shared(self, recorded: _Recorded, entry: _Entry, name: Name) -> tuple[str, str, str]:
        """Cause, line and reason where a noisy number has no draw of its own."""
        draw = recorded.draws[name]
        calls = [d for d in recorded.run.tape.draws if d.name == name]
        before = recorded.used_before(name, entry.pull, recorded.kept()) or recorded.used_before(
            name, entry.pull, recorded.noisy
        )
        if len(calls) > 1:
            return "noise reused", _lines(draw), f"a seed or key is used {len(calls)} times and brings the same draw"
        if before is None:
            others = {e.path for e in recorded.depends[name] if e.pull == entry.pull and e.path in recorded.noisy}
            shown = ", ".join(map(_shown, sorted(others, key=_passing_last)[:3]))
            return "noise reused", _lines(draw), f"one draw is shared by several releases ({shown})"
        reason = f"noise is drawn once and kept: it is in {_shown(before.path)} before pull {before.pull}, and again"
        return "noise reused", _lines(draw), f"{reason} in {_shown(entry.path)} before pull {entry.pull}"

    def _raw(self, recorded: _Recorded, aligned: _Aligned, parted: int) -> tuple[str, str, str]:
        """Cause, line and reason where a decision reads rewards."""
        run, other, told = recorded.run, aligned.run, self._decision(recorded, aligned)
        pull = min(parted, len(run.states) - 1)
        raw = {e.path for e, _, _ in _differing(run, other) if e.pull <= pull and not e.path.startswith(PASSING)}
        elsewhere = {e.path for found in recorded.depends.values() for e in found} & raw
        if elsewhere:
            path = min(elsewhere, key=lambda p: (p.count("["), p))
            attribute = path.partition("[")[0].partition(".")[0]
            lines = told.split("\n  from ")
            line = next((x for x in lines if _assigns(x, attribute)), told)
            return "raw rewards", line, f"{attribute} is released without noise here, with noise elsewhere"
        return "raw rewards", told, "rewards themselves decide"

    def _decision(self, recorded: _Recorded, aligned: _Aligned) -> str:
        """The line of the decision that differs, and those that fed it."""
        one = Journal(self.stage.own)
        with one.writing():
            self.stage.play(recorded.run.rewards, recorded.seed, bare=True)
        two = Journal(self.stage.own, like=one)
        with two.writing():
            self.stage.play(aligned.run.rewards, recorded.seed, aligned.changed, bare=True)
        return first_difference(one, two) or UNKNOWN

    def _too_dear(self, recorded: _Recorded, aligned: _Aligned) -> tuple[Violation, ...]:
        run, other, count = recorded.run, aligned.run, self.count
        _, (name, price) = (dearest := max(aligned.costs.items(), key=lambda item: item[1][1]))
        path, line = _shown(dearest[0].path), _lines(recorded.draws[name])
        total = f"{count.name} = {aligned.cost:.6g}, more than {count.allowed:.6g}"
        if _asked(run) != _asked(other):
            cause, line = "raw rewards", self._decision(recorded, aligned)
            reason = f"rewards themselves decide when noise is drawn; to keep {path} costs {total}"
        elif price > count.allowed * (1 + ROUNDING):
            cause, reason = "budget", f"the scale does not fit the budget: {path} alone costs {total}"
        else:
            cause, reason = "budget", f"the budget is spent {len(aligned.costs)} times on one reward: {total}"
        return (Violation(REPLAY, reason, None, run.rewards, other.rewards, cause, line),)


def _asked(run: Played) -> list[tuple[Name, Place, int]]:
    """Which draws were asked for, where and when."""
    return [(draw.name, draw.places[0], draw.pulls) for draw in run.tape.draws]


def _value(run: Played, entry: _Entry) -> float:
    return run.states[entry.pull].get(entry.path, inf) if entry.pull < len(run.states) else inf


def _parted(run: Played, other: Played) -> int | None:
    """The first pull whose arm differs; None if none does. Whoever raises parts where he stops."""
    for pull, (one, two) in enumerate(zip(run.actions, other.actions, strict=False)):
        if one != two:
            return pull
    if other.raised and len(other.actions) < len(run.actions):
        return len(other.actions)
    return None


def _differing(run: Played, other: Played, exactly: bool = False) -> Iterator[tuple[_Entry, float, float]]:
    """The numbers that differ, with both values, up to the pull whose arm differs."""
    parted = _parted(run, other)
    for pull, (one, two) in enumerate(zip(run.states, other.states, strict=False)):
        if one.keys() != two.keys():
            one = {path: one[path] for path in one if path in two}
        for path, value in one.items():
            there = two[path]
            if value != there and (exactly or abs(value - there) > CLOSE * (1 + abs(value))):
                yield _Entry(pull, path), value, there
        if parted is not None and pull >= parted:
            return


def _passing_last(path: str) -> tuple[bool, str]:
    return path.startswith(PASSING), path


def _line(draw: Draw) -> str:
    return located(*draw.places[0])


def _lines(draw: Draw) -> str:
    """The line that draws, and from where it was called."""
    return "\n  from ".join(located(*place) for place in draw.places)


def _shown(path: str) -> str:
    """A path as a reader would name it."""
    if not path.startswith(PASSING):
        return path
    function, _, variable = path[len(PASSING) :].rpartition("#")
    name = function.rpartition(".")[2]
    variable = variable.partition(".")[2]
    return f"what {name} returns" if variable.startswith("return") else f"{variable} in {name}"


def _assigns(line: str, attribute: str) -> bool:
    """Whether a line that is shown assigns the attribute or variable."""
    source = line.partition(": ")[2]
    head, equals, _ = source.partition("=")
    return bool(equals) and attribute in head
