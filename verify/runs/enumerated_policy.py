"""A policy as a finite kernel, whose privacy is decided exactly.

A policy that learns of rewards only through mechanisms with finitely many answers (randomised response, the exponential
mechanism) is played out along every answer, on every list of a few rewards.

Source: BDP-D2.1, TH-D3.2
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from banditproof.algorithms.environment import RewardList
from banditproof.algorithms.noise import MECHANISMS, Mechanism, NoiseSource
from banditproof.algorithms.run.simulator import simulate
from banditproof.theory.arguments import Size, checked
from banditproof.theory.errors import InvalidInput
from banditproof.verify.finite.kernels import LARGEST_ENUMERATION, Actions, FiniteKernel, History, Row, within_limit
from banditproof.verify.runs.recorder import PolicyMaker, made

WEIGHTS = {name: known.weight for name, known in MECHANISMS.items() if known.weight is not None}


class Unanswered(Exception):
    """Raised at the first release for which no answer is prescribed, with the law of its answers."""


class Answers(NoiseSource):
    """Answers releases from a script, and stops the run where it ends. `probability` is that of the script."""

    def __init__(self, script: tuple[int, ...]) -> None:
        super().__init__(np.random.default_rng(0))
        self.script, self.given, self.probability = script, 0, Fraction(1)

    def release(
        self, distribution: str | Mechanism, value: np.ndarray, scale: np.ndarray, **declared: Any
    ) -> np.ndarray:
        name = distribution if isinstance(distribution, str) else distribution.name
        if isinstance(distribution, Mechanism) or name not in WEIGHTS:
            raise InvalidInput("mechanism", name, f"one with finitely many answers: {', '.join(WEIGHTS)}")
        law = _law(value[0] * WEIGHTS[name], float(np.ravel(scale)[0]))
        if self.given == len(self.script):
            raise Unanswered(len(law))
        answer = self.script[self.given]
        self.given += 1
        self.probability *= law[answer]
        return np.array([float(answer)])


def _law(scores: np.ndarray, scale: float) -> list[Fraction]:
    """Probabilities proportional to e^(score / scale): floats, made to add up to 1 exactly."""
    exponents = (scores - scores.max()) / scale if scale else np.where(scores == scores.max(), 0.0, -np.inf)
    weights = [Fraction(float(weight)) for weight in np.exp(exponents)]
    return [weight / sum(weights) for weight in weights]


@checked
def finite_kernel(
    make_policy: PolicyMaker, horizon: Size, rewards: tuple[int | Fraction, ...] = (0, 1)
) -> FiniteKernel:
    """The policy as a kernel over `horizon` pulls with rewards of this alphabet, for `verify_policy_privacy`.

    Probabilities of answers are the mechanism's floats: what is decided holds up to their rounding, 1e-15 each.

    Raises InvalidInput for a mechanism with infinitely many answers, for coins from the generator (which has no finite
    law), and where too many runs would have to be visited.
    """
    within_limit("reward lists", max(1, len(rewards)) ** min(horizon, LARGEST_ENUMERATION))
    arms = made(make_policy, Answers(()), np.random.default_rng(0)).arms
    laws: dict[tuple[Any, ...], dict[Actions, Fraction]] = {}
    visited = 0
    for given in product(rewards, repeat=horizon):
        law: dict[Actions, Fraction] = defaultdict(Fraction)
        scripts: list[tuple[int, ...]] = [()]
        while scripts:
            visited += 1
            within_limit("runs", visited)
            script = scripts.pop()
            try:
                actions, weight = _played(make_policy, script, given)
            except Unanswered as more:
                scripts += [(*script, answer) for answer in range(more.args[0])]
                continue
            for t in range(horizon + 1):
                law[actions[:t]] += weight
        laws[given] = law

    def probability(history: History) -> Row:
        past = tuple(arm for arm, _ in history)
        seen = tuple(reward for _, reward in history)
        law = laws[(*seen, *(rewards[0],) * (horizon - len(seen)))]
        if not law.get(past):
            return (Fraction(1), *(Fraction(0),) * (arms - 1))  # never played
        return tuple(law.get((*past, arm), Fraction(0)) / law[past] for arm in range(arms))

    return FiniteKernel(horizon, arms, rewards, probability)


def _played(make_policy: PolicyMaker, script: tuple[int, ...], rewards: tuple[Any, ...]) -> tuple[Actions, Fraction]:
    coins = np.random.default_rng(0)
    before = coins.bit_generator.state
    noise = Answers(script)
    policy = make_policy(noise, coins)
    horizon = len(rewards)
    environment = RewardList([float(r) for r in rewards], policy.arms)
    result = simulate(policy, environment, horizon, np.random.default_rng(0), np.arange(1, horizon + 1))
    if coins.bit_generator.state != before:
        raise InvalidInput(
            "make_policy", "a policy that flips coins", "a function whose policy draws random numbers for releases only"
        )
    return tuple(result.actions[0].tolist()), noise.probability
