"""Privacy for every horizon: the one smallest epsilon of a policy with finitely many states, or that there is none.

Two reward lists that differ in one place lead the policy along two runs: one until they differ, then a pair of states.
What is played multiplies the likelihood ratio by p(a)/p'(a), what is heard moves the pair. So e^epsilon is the largest
product along a path of pairs, of any length: a longest path in the product automaton, with logarithms for lengths.

- It is finite if and only if no path that can be reached plays what the other run never plays, and no cycle of pairs
  that can be reached has a product above 1. Then a longest path visits no pair twice, and it is attained.
- A potential H >= 1 on a set of pairs that no path leaves, with H(pair) >= p(a)/p'(a) H(next pair), bounds every path
  from a pair by H there. The largest products are such a potential.

A potential is a proof for every horizon, and a word (what is played and heard in both runs) refutes smaller values; a
word that ends in a cycle with a product above 1 refutes them all.

Under View privacy the policy hears the arm that it plays. Table privacy and adaptive continual release ask for the same
number: one sequence of arms reads one reward of each row (BDP-P2.4, BDP-PB.5). Under Interactive privacy an adversary
names the arm that is heard, and may do so in every round. What delta a policy with finitely many states has at an
epsilon is no question of longest paths, since probabilities of many sequences add up; it is not decided here.

Source: BDP-D2.2, BDP-D2.2c, TH-D3.5
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import inf, log
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from banditproof.theory.arguments import Size, checked, question
from banditproof.theory.errors import one_of
from banditproof.verify.finite.automata import PolicyAutomaton
from banditproof.verify.finite.channels import Ratio
from banditproof.verify.finite.kernels import Reward

if TYPE_CHECKING:
    from banditproof.theory.numbers.enclosure import Enclosure

NOTIONS = ("view", "table", "acr", "interactive")
Pair = tuple[int, int]
_CLOSER = 1e-11  # what floats take for an improvement; exact arithmetic has the last word
_OFTEN = 64  # rounds of floats between two looks for cycles


class Step(NamedTuple):
    """A round of two runs: the arm that both play, the arm that they hear, and its rewards."""

    arm: int
    heard: int
    left: Reward
    right: Reward


class _Edge(NamedTuple):
    weight: Fraction
    step: Step
    target: Pair


@dataclass(frozen=True, repr=False)
class EveryHorizon:
    """The privacy of a policy with finitely many states, over every horizon.

    `ratio` is e^epsilon of the smallest epsilon, inf if there is none. `word` attains it: two runs whose rewards differ
    in one place. If `cycle` is positive, the last so many rounds of the word may be repeated, and multiply the ratio by
    more than 1 each time. `potential` proves a finite ratio: no path from a pair has a larger product than its entry.
    """

    automaton: PolicyAutomaton
    notion: str
    ratio: Ratio
    word: tuple[Step, ...]
    cycle: int
    potential: Mapping[Pair, Fraction]

    @property
    def epsilon(self) -> Enclosure:
        """The smallest epsilon for every horizon."""
        from banditproof.theory.numbers.enclosure import Enclosure
        from banditproof.theory.numbers.numeric import to_ball, working_precision

        if self.ratio == inf:
            return Enclosure(inf, inf)
        with working_precision(128):
            return Enclosure.from_ball(to_ball(self.ratio).log()) if self.ratio != 1 else Enclosure(0, 0)

    @question
    def recheck(self) -> bool:
        """Whether word and potential prove the ratio, in exact arithmetic and from the policy alone."""
        if self.notion not in NOTIONS or not 0 <= self.cycle <= len(self.word):
            return False
        run = _run(self.automaton, self.notion, self.word)
        if run is None:
            return False
        pairs, factors = run
        if self.ratio != inf:
            return self.cycle == 0 and _product(factors) == self.ratio and self._is_proved()
        if not self.cycle:
            return factors[-1:] == [inf]
        back = len(pairs) - 1 - self.cycle
        return inf not in factors and pairs[back] == pairs[-1] and _product(factors[back:]) > 1

    def _is_proved(self) -> bool:
        policy, height = self.automaton, self.potential
        told = list(range(policy.arms))
        for state in _reachable(policy, self.notion):
            for arm in told:
                if self.notion == "interactive" or policy.laws[state][arm]:
                    after = policy.moves[state][arm]
                    if any(x != y and not 1 <= height.get((x, y), 0) <= self.ratio for x in after for y in after):
                        return False
        for (left, right), bound in height.items():
            played = [arm for arm in told if policy.laws[left][arm]]
            if bound < 1 or any(not policy.laws[right][arm] for arm in played):
                return False
            for arm in played:
                weight = policy.laws[left][arm] / policy.laws[right][arm]
                for heard in told if self.notion == "interactive" else (arm,):
                    for pair in zip(policy.moves[left][heard], policy.moves[right][heard], strict=True):
                        if weight * (1 if pair[0] == pair[1] else height.get(pair, inf)) > bound:
                            return False
        return self.ratio >= 1

    def __repr__(self) -> str:
        return f"<EveryHorizon {self}, proved by .word and .potential>"

    def __str__(self) -> str:
        if self.ratio != inf:
            return f"private for every horizon under {self.notion}: epsilon = {float(self.epsilon.upper):.6g}"
        left, right = ([getattr(step, side) for step in self.word] for side in ("left", "right"))
        why = f"the last {self.cycle} rounds repeat and add up" if self.cycle else "the last arm is never played"
        return f"private for no epsilon under {self.notion}: rewards {left} against {right}; {why}"


@checked
def verify_every_horizon(automaton: PolicyAutomaton, notion: str = "interactive") -> EveryHorizon:
    """The smallest epsilon of a policy with finitely many states for all horizons at once, or that there is none.

    `notion` is "view", "table", "acr" or "interactive"; the first three ask for the same number. Raises InvalidInput.

    Source: BDP-D2.2, BDP-D2.2c, TH-D3.5

    >>> third = Fraction(1, 3)
    >>> stay_or_leave = PolicyAutomaton([(third, 2 * third), (2 * third, third)], [[(0, 1), (0, 1)]] * 2)
    >>> found = verify_every_horizon(stay_or_leave, "view")
    >>> found.ratio, found.recheck()
    (Fraction(2, 1), True)
    """
    one_of("notion", notion, NOTIONS)
    return _Search(automaton, notion).result()


@checked
def largest_ratio_over(automaton: PolicyAutomaton, horizon: Size, notion: str = "interactive") -> Ratio:
    """e^epsilon of the tightest epsilon over so many rounds: the longest path of at most so many edges.

    Source: BDP-D2.2, BDP-D2.2c
    """
    one_of("notion", notion, NOTIONS)
    search = _Search(automaton, notion)
    height: dict[Pair, Ratio] = dict.fromkeys(search.edges, Fraction(1))
    best: Ratio = Fraction(1)
    depth = search.depths()
    for rounds in range(1, horizon):
        height = {
            pair: max([Fraction(1), *(_times(e.weight, height.get(e.target, Fraction(1))) for e in edges)])
            if not search.impossible(pair)
            else inf
            for pair, edges in search.edges.items()
        }
        # pairs that are first reached after `depth` rounds have horizon - depth rounds left
        best = max([best, *(height[pair] for pair, at in depth.items() if at + rounds <= horizon)])
    return best


def _times(weight: Fraction, height: Ratio) -> Ratio:
    return inf if height == inf else weight * height


def _product(factors: list[Ratio]) -> Ratio:
    result: Ratio = Fraction(1)
    for factor in factors:
        result = inf if inf in (factor, result) else result * factor
    return result


def _reachable(policy: PolicyAutomaton, notion: str) -> dict[int, tuple[int, Step] | None]:
    """The states that a run can be in, each with the one before it and the round between them."""
    came: dict[int, tuple[int, Step] | None] = {policy.start: None}
    queue = [policy.start]
    for state in queue:
        likely = next(a for a, p in enumerate(policy.laws[state]) if p)
        for heard in range(policy.arms):
            if notion != "interactive" and not policy.laws[state][heard]:
                continue
            arm = likely if notion == "interactive" else heard
            for reward, target in zip(policy.rewards, policy.moves[state][heard], strict=True):
                if target not in came:
                    came[target] = state, Step(arm, heard, reward, reward)
                    queue.append(target)
    return came


def _run(policy: PolicyAutomaton, notion: str, word: tuple[Step, ...]) -> tuple[list[Pair], list[Ratio]] | None:
    """The pairs of states along a word and the factors of its ratio; None if it is no word of two neighbours."""
    pairs, factors = [(policy.start, policy.start)], []
    if sum(step.left != step.right for step in word) > 1:
        return None
    for step in word:
        left, right = pairs[-1]
        arms = range(policy.arms)
        if step.arm not in arms or step.heard not in arms or notion != "interactive" and step.heard != step.arm:
            return None
        if not {step.left, step.right} <= set(policy.rewards) or not policy.laws[left][step.arm]:
            return None
        p, q = policy.laws[left][step.arm], policy.laws[right][step.arm]
        factors.append(p / q if q else inf)
        pairs.append((policy.after(left, step.heard, step.left), policy.after(right, step.heard, step.right)))
    return pairs, factors


class _Search:
    """The product automaton of the pairs that can be reached, and its longest paths."""

    def __init__(self, policy: PolicyAutomaton, notion: str) -> None:
        self.policy, self.notion = policy, notion
        self.states = _reachable(policy, notion)
        self.came: dict[Pair, tuple[Pair | int, Step]] = {}  # how a pair is first reached
        self.edges: dict[Pair, list[_Edge]] = {}
        queue: list[Pair] = []
        for state in self.states:
            for step, pair in self._changes(state):
                if pair not in self.came:
                    self.came[pair] = state, step
                    queue.append(pair)
        self.first = list(queue)
        for pair in queue:
            self.edges[pair] = [] if self.impossible(pair) else list(self._edges(pair))
            for edge in self.edges[pair]:
                if edge.target[0] != edge.target[1] and edge.target not in self.came:
                    self.came[edge.target] = pair, edge.step
                    queue.append(edge.target)

    def _changes(self, state: int) -> Iterator[tuple[Step, Pair]]:
        """The rounds in which the rewards differ, and the pairs that they lead to."""
        policy = self.policy
        likely = next(a for a, p in enumerate(policy.laws[state]) if p)
        for heard in range(policy.arms):
            if self.notion == "interactive" or policy.laws[state][heard]:
                arm = likely if self.notion == "interactive" else heard
                for r, x in zip(policy.rewards, policy.moves[state][heard], strict=True):
                    for s, y in zip(policy.rewards, policy.moves[state][heard], strict=True):
                        if x != y:
                            yield Step(arm, heard, r, s), (x, y)

    def impossible(self, pair: Pair) -> bool:
        """Whether the left run may play what the right one never plays."""
        left, right = (self.policy.laws[state] for state in pair)
        return any(p and not q for p, q in zip(left, right, strict=True))

    def _edges(self, pair: Pair) -> Iterator[_Edge]:
        policy, (left, right) = self.policy, pair
        weights = {a: p / policy.laws[right][a] for a, p in enumerate(policy.laws[left]) if p}
        best = max(weights, key=lambda a: weights[a])
        for heard in range(policy.arms) if self.notion == "interactive" else weights:
            arm = best if self.notion == "interactive" else heard
            moves = zip(policy.rewards, policy.moves[left][heard], policy.moves[right][heard], strict=True)
            for reward, x, y in moves:
                yield _Edge(weights[arm], Step(arm, heard, reward, reward), (x, y))

    def depths(self) -> dict[Pair, int]:
        """The fewest rounds before each pair in which rewards have just differed."""
        rounds: dict[int, int] = {}
        for state, came in self.states.items():
            rounds[state] = 0 if came is None else rounds[came[0]] + 1
        depths: dict[Pair, int] = {}
        for state in self.states:
            for _, pair in self._changes(state):
                depths[pair] = min(depths.get(pair, rounds[state] + 1), rounds[state] + 1)
        return depths

    def result(self) -> EveryHorizon:
        for pair in self.edges:
            if self.impossible(pair):
                left, right = (self.policy.laws[state] for state in pair)
                arm = next(a for a, (p, q) in enumerate(zip(left, right, strict=True)) if p and not q)
                last = Step(arm, arm, self.policy.rewards[0], self.policy.rewards[0])
                return self._result(inf, (*self._to(pair), last), 0, {})
        choice = self._guess()
        while True:
            cycle = _cycle(choice)
            if cycle is not None:
                edges = [edge for pair in cycle if (edge := choice[pair]) is not None]
                if _product([edge.weight for edge in edges]) > 1:
                    word = (*self._to(cycle[0]), *(edge.step for edge in edges))
                    return self._result(inf, word, len(edges), {})
                choice[cycle[0]] = None
                continue
            height = self._heights(choice)
            better = {pair: edge for pair in self.edges if (edge := self._better(pair, height)) is not None}
            if not better:
                return self._longest(choice, height)
            choice.update(better)

    def _better(self, pair: Pair, height: Mapping[Pair, Fraction]) -> _Edge | None:
        """The best edge out of a pair, if it is better than its height."""
        best, bound = None, height[pair]
        for edge in self.edges[pair]:
            value = edge.weight * height.get(edge.target, 1)
            if value > bound:
                best, bound = edge, value
        return best

    def _heights(self, choice: Mapping[Pair, _Edge | None]) -> dict[Pair, Fraction]:
        """The products along the chosen edges, which run into no cycle."""
        height: dict[Pair, Fraction] = {}
        for pair in self.edges:
            path = []
            while pair in self.edges and pair not in height and (edge := choice[pair]) is not None:
                path.append((pair, edge))
                pair = edge.target
            value = height.setdefault(pair, Fraction(1)) if pair in self.edges else Fraction(1)
            for at, edge in reversed(path):
                value = height[at] = edge.weight * value
        return height

    def _longest(self, choice: Mapping[Pair, _Edge | None], height: Mapping[Pair, Fraction]) -> EveryHorizon:
        best = max(self.first, key=lambda pair: height[pair], default=None)
        if best is None or height[best] == 1:
            return self._result(Fraction(1), (), 0, height)
        word, pair = self._to(best), best
        while pair in self.edges and (edge := choice[pair]) is not None:
            word, pair = [*word, edge.step], edge.target
        return self._result(height[best], tuple(word), 0, height)

    def _result(
        self, ratio: Ratio, word: tuple[Step, ...], cycle: int, height: Mapping[Pair, Fraction]
    ) -> EveryHorizon:
        return EveryHorizon(self.policy, self.notion, ratio, word, cycle, dict(height))

    def _to(self, pair: Pair) -> list[Step]:
        """A word that leads from the start to a pair."""
        steps: list[Step] = []
        at: Pair | int = pair
        while isinstance(at, tuple):
            at, step = self.came[at]
            steps.append(step)
        while (came := self.states[at]) is not None:
            at, step = came
            steps.append(step)
        return steps[::-1]

    def _guess(self) -> dict[Pair, _Edge | None]:
        """Nearly the best edges, by Bellman's iteration in floats; they may run into a cycle."""
        pairs = list(self.edges)
        place = {pair: k for k, pair in enumerate(pairs)}
        edges = [(k, edge) for k, pair in enumerate(pairs) for edge in self.edges[pair]]
        if not edges:
            return dict.fromkeys(pairs)
        sources = np.array([k for k, _ in edges])
        targets = np.array([place.get(edge.target, len(pairs)) for _, edge in edges])
        lengths = np.array([log(edge.weight) for _, edge in edges])
        starts = np.flatnonzero(np.r_[True, np.diff(sources) > 0])
        owners, repeats = sources[starts], np.diff(np.r_[starts, len(edges)])
        chosen, height = np.full(len(pairs), -1), np.zeros(len(pairs) + 1)

        def taken() -> dict[Pair, _Edge | None]:
            return {pair: None if e < 0 else edges[e][1] for pair, e in zip(pairs, chosen.tolist(), strict=True)}

        for count in range(1, len(pairs) + 2):
            values = lengths + height[targets]
            best = np.maximum.reduceat(values, starts)
            rising = best > height[owners] + _CLOSER
            if not rising.any() or count % _OFTEN == 0 and _cycle(taken()) is not None:
                break
            attained = np.flatnonzero(values == np.repeat(best, repeats))
            first = np.full(len(pairs), -1)
            first[sources[attained[::-1]]] = attained[::-1]
            chosen[owners[rising]] = first[owners[rising]]
            height[owners[rising]] = best[rising]
        return taken()


def _cycle(choice: Mapping[Pair, _Edge | None]) -> list[Pair] | None:
    """The pairs of a cycle of chosen edges, in order."""
    done: set[Pair] = set()
    for start in choice:
        path: dict[Pair, int] = {}
        pair = start
        while pair in choice and pair not in done and pair not in path:
            path[pair] = len(path)
            edge = choice[pair]
            if edge is None:
                break
            pair = edge.target
        if pair in path and choice[pair] is not None:
            return list(path)[path[pair] :]
        done |= path.keys()
    return None
