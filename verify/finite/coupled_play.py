"""How far apart two environments drive a private mechanism or policy, enumerated exactly, beside what bounds it.

For a finite mechanism the data come from a product law; for a finite policy the rewards of both environments are drawn
together from maximal couplings, while the policy hears one of the two.

Source: TH-EQ4.1, TH-T4.8, TH-A4.CE, TH-EQ4.7, TH-T4.9, TH-T4.14
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import inf, prod
from typing import Any

from banditproof.theory import InvalidInput, to_ball
from banditproof.theory.privacy.couplings import finite_law, maximal_coupling, variation
from banditproof.verify.finite.channels import FiniteChannel, Law
from banditproof.verify.finite.kernels import Actions, FiniteKernel, RewardList
from banditproof.verify.finite.output_laws import path_probability


def relative_entropy(left: Law, right: Law) -> Any:
    """KL(left || right) as a ball; inf where left has mass that right lacks."""
    if any(p and not right.get(s) for s, p in left.items()):
        return to_ball(inf)
    return sum((to_ball(p) * to_ball(p / right[s]).log() for s, p in left.items() if p), to_ball(0))


def product_law(laws: Sequence[Law]) -> dict[tuple[Any, ...], Fraction]:
    """The law of a data set with independent records."""
    return {
        data: prod((law[x] for law, x in zip(laws, data, strict=True)), start=Fraction(1)) for data in product(*laws)
    }


def output_law(channel: FiniteChannel, data_law: Law) -> dict[Any, Fraction]:
    """The law M_nu of the output when the data set is drawn from `data_law`. Source: TH-EQ4.1"""
    law: dict[Any, Fraction] = defaultdict(Fraction)
    for data, mass in data_law.items():
        if mass:
            for output, p in channel.laws[data].items():
                law[output] += mass * p
    return dict(law)


@dataclass(frozen=True)
class CoupledPlay:
    """A policy in the coupled environment of two bandits.

    `cells` maps (actions, rewards heard, other rewards) to c(r, r' | a) times the probability of the actions given r
    and given r': the laws p and q of TH-A4.CE. `variations` are the total variations t_a of the arms.
    """

    kernel: FiniteKernel
    cells: Mapping[tuple[Actions, RewardList, RewardList], tuple[Fraction, Fraction]]
    variations: tuple[Fraction, ...]

    def action_law(self, side: int) -> dict[Actions, Fraction]:
        """The law of the actions under p (side 0) or q (side 1)."""
        law: dict[Actions, Fraction] = defaultdict(Fraction)
        for (actions, _, _), weights in self.cells.items():
            law[actions] += weights[side]
        return dict(law)

    def kl_of_actions(self) -> Any:
        """KL of the laws of the actions, a ball."""
        return relative_entropy(self.action_law(0), self.action_law(1))

    def kl_of_pairs(self) -> Any:
        """KL(p || q), a ball: the right side of TH-EQ4.7."""
        return relative_entropy(*({cell: weights[side] for cell, weights in self.cells.items()} for side in (0, 1)))

    def expect(self, value: Callable[[Actions, RewardList, RewardList], Any]) -> Any:
        """The expectation under p."""
        return sum((weights[0] * value(*cell) for cell, weights in self.cells.items() if weights[0]), Fraction(0))

    def distance_moment(self, power: int, steps: int) -> Fraction:
        """E[d^power], d the number of the first `steps` rewards that differ."""
        return self.expect(lambda _, r, s: sum(x != y for x, y in zip(r[:steps], s[:steps], strict=True)) ** power)

    def exposure_moment(self, power: int, steps: int) -> Fraction:
        """E[(sum of t_a over the first `steps` actions)^power]."""
        return self.expect(lambda a, _r, _s: sum(self.variations[arm] for arm in a[:steps]) ** power)

    def exposure_variance(self, steps: int) -> Fraction:
        """E[sum of t_a (1 - t_a) over the first `steps` actions]."""
        return self.expect(
            lambda a, _r, _s: sum(self.variations[arm] * (1 - self.variations[arm]) for arm in a[:steps])
        )


def coupled_play(kernel: FiniteKernel, arms: Sequence[Any], other_arms: Sequence[Any]) -> CoupledPlay:
    """Enumerate the coupled environment. Arms are laws on the policy's rewards as for `finite_law` (or means).

    Raises InvalidInput for a wrong number of arms, or rewards the policy does not know.
    """
    left, right = (
        [finite_law(name, law) for law in given] for name, given in (("arms", arms), ("other_arms", other_arms))
    )
    for name, laws in (("arms", left), ("other_arms", right)):
        if len(laws) != kernel.arms or any(set(law) - set(kernel.rewards) for law in laws):
            raise InvalidInput(name, laws, f"{kernel.arms} laws on the rewards {kernel.rewards}")
    couplings = [maximal_coupling(p, q) for p, q in zip(left, right, strict=True)]
    steps = [(arm, pair, mass) for arm, coupling in enumerate(couplings) for pair, mass in coupling.items()]
    cells = {}
    for path in product(steps, repeat=kernel.horizon):
        actions = tuple(arm for arm, _, _ in path)
        heard, other = (tuple(pair[side] for _, pair, _ in path) for side in (0, 1))
        mass = prod((m for _, _, m in path), start=Fraction(1))
        weights = (mass * path_probability(kernel, actions, heard), mass * path_probability(kernel, actions, other))
        if any(weights):
            cells[actions, heard, other] = weights
    return CoupledPlay(kernel, cells, tuple(variation(p, q) for p, q in zip(left, right, strict=True)))


def sum_along(kernel: FiniteKernel, actions: Actions, rewards: RewardList, other: RewardList) -> Any:
    """The sum over steps of KL(pi_t(. | H) || pi_t(. | H')), H and H' with the same actions, a ball. TH-T4.12"""

    def rows(list_: RewardList, t: int) -> Law:
        return dict(enumerate(kernel.probability(tuple(zip(actions[:t], list_[:t], strict=True)))))

    steps = (relative_entropy(rows(rewards, t), rows(other, t)) for t in range(kernel.horizon))
    return sum(steps, to_ball(0))
