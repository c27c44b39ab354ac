"""Finite strategies for best-arm identification with binary rewards, and their exact laws.

A strategy decides after every history whether to stop or which arm to sample, and what to recommend; it stops at a
horizon at the latest. The number of steps is the number of rewards T; the step at which it plays the stop action is
T + 1. Arms are numbered 0, ..., K-1. Laws are computed in two ways: by the product formulas of the mechanisms, and by
following the strategy step by step.

Source: TH-D2.17, TH-D2.18, TH-EQ3.4, TH-EQ3.5
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from banditproof.theory.errors import InvalidInput
from banditproof.verify.finite.kernels import History, Row, random_law

Output = tuple[tuple[int, ...], int, int]  # (a_1, ..., a_T), recommendation, T
Name = Sequence[Any]  # ("random", seed, T, K), ("guess", K), ("response", ratio) or ("compare", pulls of each arm)


@dataclass(frozen=True)
class BAIStrategy:
    """`sampling(history)` is the law on the arms and, last, on stopping; `recommendation(history)` one on the arms."""

    horizon: int
    arms: int
    sampling: Callable[[History], Row]
    recommendation: Callable[[History], Row]

    def step(self, history: History) -> Row:
        """S_n(. | history): stops for certain once the horizon is reached."""
        if len(history) >= self.horizon:
            return (*(Fraction(0),) * self.arms, Fraction(1))
        return self.sampling(history)

    def outputs(self) -> list[Output]:
        """Every (actions, recommendation, number of rewards)."""
        return [
            (actions, choice, length)
            for length in range(self.horizon + 1)
            for actions in product(range(self.arms), repeat=length)
            for choice in range(self.arms)
        ]


def strategy_named(name: Name) -> BAIStrategy:
    """A strategy from its name, which evidence can store."""
    return _strategy(*name)


@cache
def _strategy(kind: str, *parameters: Any) -> BAIStrategy:
    if kind == "random":
        seed, horizon, arms = parameters
        sampling = cache(lambda history: random_law(seed, ("sample", history), arms + 1))
        return BAIStrategy(horizon, arms, sampling, cache(lambda h: random_law(seed, ("recommend", h), arms)))
    if kind == "guess":  # no reward is looked at, and none is collected
        (arms,) = parameters
        none = (*(Fraction(0),) * arms, Fraction(1))
        return BAIStrategy(0, arms, lambda _: none, lambda _: (Fraction(1, arms),) * arms)
    if kind == "response":  # one reward of the first arm, reported through randomised response
        likely = Fraction(parameters[0]) / (1 + Fraction(parameters[0]))
        first = (Fraction(1), Fraction(0), Fraction(0))
        return BAIStrategy(1, 2, lambda _: first, lambda h: (likely, 1 - likely) if h[-1][1] else (1 - likely, likely))
    if kind == "compare":  # the same number of pulls of two arms, then the larger mean, a fair coin at ties
        return _comparison(parameters[0])
    raise InvalidInput("strategy", kind, '"random", "guess", "response" or "compare"')


def _comparison(pulls: int) -> BAIStrategy:
    def sampling(history: History) -> Row:
        arm = len(history) % 2
        return (Fraction(arm == 0), Fraction(arm == 1), Fraction(0))

    def recommendation(history: History) -> Row:
        lead = sum(reward if arm == 0 else -reward for arm, reward in history)
        first = Fraction(1, 2) if lead == 0 else Fraction(lead > 0)
        return (first, 1 - first)

    return BAIStrategy(2 * pulls, 2, sampling, recommendation)


# ---------------------------------------------------------------------------------------------------------- the laws


def product_law(strategy: BAIStrategy, rewards: Callable[[int, int], int], lag: int = 0) -> dict[Output, Fraction]:
    """The product formula of the mechanism; `rewards(t, arm)` is what step t pays, t = 0, 1, ...

    With a `lag` the recommendation is made from a history that is cut by so many pairs.
    """
    law = {}
    for output in strategy.outputs():
        actions, choice, length = output
        history = tuple((arm, rewards(t, arm)) for t, arm in enumerate(actions))
        weight = strategy.step(history)[-1]
        for t, arm in enumerate(actions):
            weight *= strategy.step(history[:t])[arm]
        law[output] = weight and weight * strategy.recommendation(history[: max(0, length - lag)])[choice]
    return law


def played_law(strategy: BAIStrategy, arm_laws: Callable[[int, int], dict[int, Fraction]]) -> dict[Output, Fraction]:
    """The law of the output by playing: `arm_laws(t, arm)` is the law of the reward at step t."""
    law: dict[Output, Fraction] = defaultdict(Fraction)
    alive: dict[History, Fraction] = {(): Fraction(1)}
    for t in range(strategy.horizon + 1):
        after: dict[History, Fraction] = defaultdict(Fraction)
        for history, weight in alive.items():
            row = strategy.step(history)
            for choice, chance in enumerate(strategy.recommendation(history) if row[-1] else ()):
                law[tuple(arm for arm, _ in history), choice, t] += weight * row[-1] * chance
            for arm in (a for a in range(strategy.arms) if row[a]):
                for reward, mass in arm_laws(t, arm).items():
                    after[(*history, (arm, reward))] += weight * row[arm] * mass
        alive = after
    return dict(law)


@cache
def _output_law(name: tuple[Any, ...], means: tuple[Fraction, ...]) -> dict[Output, Fraction]:
    laws = [{r: p for r, p in ((0, 1 - mean), (1, mean)) if p} for mean in means]
    return played_law(_strategy(*name), lambda _, arm: laws[arm])


def output_law(name: Name, means: Sequence[Any]) -> dict[Output, Fraction]:
    """The law of (actions, recommendation, T) on Bernoulli arms."""
    return _output_law(tuple(name), tuple(map(Fraction, means)))


def chance_of_recommending(name: Name, means: Sequence[Any], arm: int) -> Fraction:
    return sum((p for (_, choice, _), p in output_law(name, means).items() if choice == arm), Fraction(0))


def expected_pulls(name: Name, means: Sequence[Any]) -> list[Fraction]:
    """E[N_a(tau)] of every arm; their sum is the expected number of rewards."""
    law = output_law(name, means)
    return [
        sum((p * actions.count(arm) for (actions, _, _), p in law.items()), Fraction(0)) for arm in range(len(means))
    ]


@cache
def _view_ratio(name: tuple[Any, ...]) -> Fraction:
    """e^epsilon of the tightest epsilon of View DP: outputs of T rewards on lists that differ in one of them."""
    strategy, largest = _strategy(*name), Fraction(1)
    for length in range(1, strategy.horizon + 1):
        laws: dict[tuple[int, ...], dict[Output, Fraction]] = {
            rewards: product_law(strategy, lambda t, _, r=rewards: r[t] if t < len(r) else 0)
            for rewards in product((0, 1), repeat=length)
        }
        for rewards, law in laws.items():
            for t in range(length):
                other = laws[(*rewards[:t], 1 - rewards[t], *rewards[t + 1 :])]
                ratios = [p / other[o] if other[o] else None for o, p in law.items() if p and o[2] == length]
                if None in ratios:
                    raise InvalidInput("strategy", name, "one with a finite privacy loss")
                largest = max([largest, *(r for r in ratios if r is not None)])
    return largest


def view_ratio(name: Name) -> Fraction:
    """e^epsilon of the tightest epsilon for which the strategy is epsilon-View DP, exactly."""
    return _view_ratio(tuple(name))
