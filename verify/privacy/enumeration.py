"""The exact privacy of finite policies under the View, Table and adaptive-continual-release definitions.

Each `*_epsilon` returns e^epsilon of the tightest epsilon, each `*_delta` the smallest delta at a given e^epsilon,
as a `PrivacyWitness` that names the neighbouring inputs and the event, and that is recomputed from the laws.

Reach: every pair of inputs is visited, so T <= 4 for tables with K = 2 and binary rewards, and T <= 3 where every
adversary is visited. `acr_epsilon` and `acr_delta` visit none: a reward tree may answer each action prefix
separately, so the worst tree is found prefix by prefix, and T = 5 is reached.

Source: BDP-D2.2, BDP-D2.3, BDP-DB.2, BDP-P2.4, BDP-PB.5
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import chain, product
from math import inf
from typing import Any

from banditproof.theory.arguments import checked
from banditproof.verify.finite.channels import Ratio, check_ratio, hockey_stick, likelihood_ratio
from banditproof.verify.finite.kernels import (
    Actions,
    Adversary,
    FiniteKernel,
    History,
    Reward,
    adversaries,
    replacements,
    reward_lists,
    reward_tables,
)
from banditproof.verify.finite.output_laws import ActionLaw, acr_law, table_law, view_law

RewardTree = tuple[tuple[Actions, tuple[Reward, Reward]], ...]  # (prefix, (r^L, r^R)): an adversary written out


@dataclass(frozen=True)
class Neighbours:
    """Two neighbouring inputs of a definition: "view" (reward lists), "table" (reward tables) or "acr".

    Under "acr", `left` and `right` are the same adversary as a `RewardTree`, and `challenge_time` is the depth at which
    its two channels differ.
    """

    notion: str
    left: Any
    right: Any
    challenge_time: int = 0

    def laws(self, kernel: FiniteKernel) -> tuple[ActionLaw, ActionLaw]:
        """The two output laws."""
        if self.notion == "acr":
            feed = dict(self.left).__getitem__
            return acr_law(kernel, feed, self.challenge_time, "L"), acr_law(kernel, feed, self.challenge_time, "R")
        law = view_law if self.notion == "view" else table_law
        return law(kernel, self.left), law(kernel, self.right)


@dataclass(frozen=True)
class PrivacyWitness:
    """The worst case of a definition: neighbouring inputs, the event, and what it costs.

    With `delta` None, `ratio` is P_left(event) / P_right(event), e^epsilon of the tightest epsilon; otherwise `delta`
    is P_left(event) - ratio * P_right(event).
    """

    inputs: Neighbours
    event: tuple[Actions, ...]
    ratio: Ratio
    delta: Fraction | None = None

    def holds(self, kernel: FiniteKernel) -> bool:
        """Whether the event has the stated ratio or excess under `kernel`, recomputed in exact arithmetic."""
        p, q = (sum((law[a] for a in self.event), Fraction(0)) for law in self.inputs.laws(kernel))
        if self.delta is not None:
            return p - self.ratio * q == self.delta
        return p > 0 and (p == self.ratio * q if q else self.ratio == inf)


Pair = tuple[Neighbours, ActionLaw, ActionLaw]


def _largest_ratio(pairs: Iterable[Pair]) -> PrivacyWitness:
    def witness(inputs: Neighbours, left: ActionLaw, right: ActionLaw) -> PrivacyWitness:
        ratio, actions = likelihood_ratio(left, right)
        return PrivacyWitness(inputs, (actions,), ratio)

    return max((witness(*pair) for pair in pairs), key=lambda found: found.ratio)


def _largest_delta(pairs: Iterable[Pair], ratio: Fraction) -> PrivacyWitness:
    check_ratio(ratio)
    excess = ((*hockey_stick(left, right, ratio), inputs) for inputs, left, right in pairs)
    delta, event, inputs = max(excess, key=lambda found: found[0])
    return PrivacyWitness(inputs, event, ratio, delta)


def _at_distance_one(inputs: Iterable[tuple], choices: tuple) -> Iterator[tuple[tuple, tuple]]:
    for value in inputs:
        yield value, value  # distance 0 is allowed, and all there is when T = 1
        for other in replacements(value, choices):
            yield value, other


def _view_pairs(kernel: FiniteKernel) -> Iterator[Pair]:
    law = cache(lambda rewards: view_law(kernel, rewards))
    for left, right in _at_distance_one(reward_lists(kernel), kernel.rewards):
        yield Neighbours("view", left, right), law(left), law(right)


def _table_pairs(kernel: FiniteKernel) -> Iterator[Pair]:
    law = cache(lambda table: table_law(kernel, table))
    for left, right in _at_distance_one(reward_tables(kernel), tuple(product(kernel.rewards, repeat=kernel.arms))):
        yield Neighbours("table", left, right), law(left), law(right)


def _adversary_pairs(kernel: FiniteKernel) -> Iterator[Pair]:
    for time in range(1, kernel.horizon + 1):
        for adversary in adversaries(kernel, time):
            tree = written_out(kernel, adversary)
            laws = acr_law(kernel, adversary, time, "L"), acr_law(kernel, adversary, time, "R")
            yield Neighbours("acr", tree, tree, time), *laws


def written_out(kernel: FiniteKernel, adversary: Adversary) -> RewardTree:
    """The adversary as data: its pair of rewards after every action prefix."""
    depths = range(1, kernel.horizon + 1)
    return tuple((actions, adversary(actions)) for t in depths for actions in product(range(kernel.arms), repeat=t))


@checked
def view_epsilon(kernel: FiniteKernel) -> PrivacyWitness:
    """e^epsilon of the tightest epsilon-View privacy."""
    return _largest_ratio(_view_pairs(kernel))


@checked
def table_epsilon(kernel: FiniteKernel) -> PrivacyWitness:
    """e^epsilon of the tightest epsilon-Table privacy."""
    return _largest_ratio(_table_pairs(kernel))


@checked
def view_delta(kernel: FiniteKernel, ratio: Fraction) -> PrivacyWitness:
    """The smallest delta of (log ratio, delta)-View privacy."""
    return _largest_delta(_view_pairs(kernel), ratio)


@checked
def table_delta(kernel: FiniteKernel, ratio: Fraction) -> PrivacyWitness:
    """The smallest delta of (log ratio, delta)-Table privacy."""
    return _largest_delta(_table_pairs(kernel), ratio)


def acr_delta_over_adversaries(kernel: FiniteKernel, ratio: Fraction) -> PrivacyWitness:
    """The smallest delta under adaptive continual release, visiting every adversary (T <= 3)."""
    return _largest_delta(_adversary_pairs(kernel), ratio)


def acr_epsilon(kernel: FiniteKernel) -> PrivacyWitness:
    """e^epsilon under adaptive continual release: the worst tree, found prefix by prefix.

    The likelihood ratio of an action sequence depends on the tree along that sequence only, so the best answer after
    a prefix is the one whose continuation holds the largest ratio.
    """

    def leaf(p: Fraction, q: Fraction) -> Ratio:
        return p / q if q else inf if p else Fraction(0)

    def join(branches: list[_Branch]) -> tuple[Ratio, tuple[Actions, ...]]:
        worst = max(branches, key=lambda branch: branch.value)
        return worst.value, worst.event

    inputs, best = _worst_tree(kernel, leaf, join)
    return PrivacyWitness(inputs, best.event, best.value)


def acr_delta(kernel: FiniteKernel, ratio: Fraction) -> PrivacyWitness:
    """The smallest delta under adaptive continual release: the worst tree, found prefix by prefix.

    The hockey-stick divergence is a sum over action sequences, and the answer after a prefix touches only the terms
    below that prefix; so each is chosen on its own, given the two path probabilities that lead there.
    """

    def leaf(p: Fraction, q: Fraction) -> Ratio:
        return max(Fraction(0), p - ratio * q)

    def join(branches: list[_Branch]) -> tuple[Ratio, tuple[Actions, ...]]:
        positive = [branch for branch in branches if branch.value > 0]
        events = (branch.event for branch in positive)
        return sum((branch.value for branch in positive), Fraction(0)), tuple(chain.from_iterable(events))

    check_ratio(ratio)
    inputs, best = _worst_tree(kernel, leaf, join)
    return PrivacyWitness(inputs, best.event, ratio, Fraction(best.value))


@dataclass(frozen=True)
class _Branch:
    """The best an adversary can do from some point on: the value, the event that attains it, and its answers."""

    value: Ratio
    event: tuple[Actions, ...]
    tree: RewardTree


Leaf = Callable[[Fraction, Fraction], Ratio]
Join = Callable[[list[_Branch]], tuple[Ratio, tuple[Actions, ...]]]


def _worst_tree(kernel: FiniteKernel, leaf: Leaf, join: Join) -> tuple[Neighbours, _Branch]:
    """The reward tree and challenge time that maximise the value joined from `leaf(p_left, p_right)`."""
    same = [(r, r) for r in kernel.rewards]
    pairs = [(r, s) for r in kernel.rewards for s in kernel.rewards]

    def after(left: History, right: History, p: Fraction, q: Fraction, time: int) -> _Branch:
        rows = zip(kernel.probability(left), kernel.probability(right), strict=True)
        branches = [answer(left, right, arm, p * x, q * y, time) for arm, (x, y) in enumerate(rows)]
        return _Branch(*join(branches), tree=tuple(chain.from_iterable(branch.tree for branch in branches)))

    def answer(left: History, right: History, arm: int, p: Fraction, q: Fraction, time: int) -> _Branch:
        prefix = (*(a for a, _ in left), arm)
        if len(prefix) == kernel.horizon:
            return _Branch(leaf(p, q), (prefix,), ((prefix, same[0]),))
        options = pairs if len(prefix) == time else same
        below = [(pair, after((*left, (arm, pair[0])), (*right, (arm, pair[1])), p, q, time)) for pair in options]
        pair, best = max(below, key=lambda option: option[1].value)
        return _Branch(best.value, best.event, ((prefix, pair), *best.tree))

    trees = [(after((), (), Fraction(1), Fraction(1), time), time) for time in range(1, kernel.horizon + 1)]
    best, time = max(trees, key=lambda candidate: candidate[0].value)
    return Neighbours("acr", best.tree, best.tree, time), best
