"""Exact laws of Algorithms 1 and 5 around learners that compare what they hear with levels.

A threshold learner answers every loss it hears with "above" or "below" a level; the answers so far name the next arm
and the next level. With Laplace noise the probability of a word of answers is a product of tails, a ball; without noise
all is rational. Actions are counted from 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

from banditproof.theory.numbers.numeric import exp, to_ball

Actions = tuple[int, ...]
Losses = Callable[[int, Actions], Sequence[Fraction]]  # of round t after these actions
Above = Callable[[Fraction, Fraction], Any]  # P(heard loss > level) for a mean loss and a level
Advice = Callable[[int], Sequence[Sequence[Fraction]]]  # rows of the experts in round t


def threshold_learner(seed: int) -> Callable[[tuple[int, ...]], tuple[int, Fraction]]:
    """The arm and the level after a word of answers; number 0 never leaves the first arm."""

    def after(word: tuple[int, ...]) -> tuple[int, Fraction]:
        draw = Random(f"threshold learner {seed} {word}")
        arm, level = draw.randrange(2), Fraction(draw.randint(-2, 6), 4)
        return (0 if seed == 0 else arm), level

    return after


def laplace_above(scale: Fraction) -> Above:
    """Tails of Laplace noise of this scale, as balls."""

    def above(mean: Fraction, level: Fraction) -> Any:
        distance = (level - mean) / scale
        return exp(to_ball(-distance)) / 2 if distance >= 0 else 1 - exp(to_ball(distance)) / 2

    return above


def exactly_above(mean: Fraction, level: Fraction) -> Fraction:
    """Without noise."""
    return Fraction(mean > level)


def number_of(above: Above) -> Callable[[Fraction], Any]:
    """What makes numbers of the kind that these tails are: balls, or Fractions."""
    return Fraction if isinstance(above(Fraction(0), Fraction(0)), Fraction) else to_ball


def drawn_losses(seed: int, changed: Sequence[int] = (), *, adaptive: bool = False) -> Losses:
    """Losses of two arms in {0, 1/2, 1} drawn from `seed`, others in the rounds `changed`.

    `adaptive` ones depend on the actions. Number 0 is (1, 0) in every round, and (0, 1) where it is changed.
    """

    def losses(t: int, actions: Actions) -> list[Fraction]:
        if seed == 0:
            return [Fraction((t in changed) == (arm > 0)) for arm in range(2)]
        draw = Random(f"losses {seed} {t} {t in changed} {actions if adaptive else ''}")
        return [Fraction(draw.randint(0, 2), 2) for _ in range(2)]

    return losses


def fixed_advice(t: int) -> list[list[Fraction]]:
    """Two experts: an action and a coin, a mixture and the other action, in turn."""
    half, third = Fraction(1, 2), Fraction(1, 3)
    return (
        [[Fraction(1), Fraction(0)], [half, half]] if t % 2 == 0 else [[third, 1 - third], [Fraction(0), Fraction(1)]]
    )


def advice_of(panel: Any) -> Advice:
    """Two experts on two actions: number 0 names an action each, 1 is `fixed_advice`, others are drawn in quarters."""

    def advice(t: int) -> list[list[Fraction]]:
        if int(panel) == 0:
            return [[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]]
        if int(panel) == 1:
            return fixed_advice(t)
        draw = Random(f"advice {panel} {t}")
        shares = [Fraction(draw.randint(0, 4), 4) for _ in range(2)]
        return [[share, 1 - share] for share in shares]

    return advice


def law_of_batches(seed: int, T: int, tau: int, losses: Losses, above: Above) -> dict[Actions, Any]:
    """The law of the actions of Algorithm 1 with whole batch size tau around a threshold learner. Source: ADV-A1"""
    learner, law = threshold_learner(seed), dict[Actions, Any]()
    number = number_of(above)

    def play(word: tuple[int, ...], actions: Actions, chance: Any) -> None:
        start = len(actions)
        arm, level = learner(word)
        stop = min(start + tau, T)
        taken = actions + (arm,) * (stop - start)
        if stop == T:
            law[taken] = law.get(taken, 0) + chance
            return
        mean = sum((losses(s, taken[:s])[arm] for s in range(start, stop)), Fraction(0)) / tau
        up = above(mean, level)
        play((*word, 1), taken, chance * up)
        play((*word, 0), taken, chance * (1 - up))

    play((), (), number(Fraction(1)))
    return law


def law_of_experts(seed: int, T: int, tau: int, losses: Losses, advice: Advice, above: Above) -> dict[Any, Any]:
    """The law of (expert, action) per round of Algorithm 5 around Algorithm 1 for two experts. Source: ADV-A5"""
    learner, law = threshold_learner(seed), dict[Any, Any]()
    number = number_of(above)

    def play(word: tuple[int, ...], taken: tuple[tuple[int, int], ...], chance: Any) -> None:
        start = len(taken)
        expert, level = learner(word)
        stop = min(start + tau, T)
        rows = [advice(s)[expert] for s in range(start, stop)]
        for actions in product(*(range(len(row)) for row in rows)):
            drawn = chance
            for row, action in zip(rows, actions, strict=True):
                drawn = drawn * number(row[action])
            longer = (*taken, *((expert, action) for action in actions))
            if stop == T:
                law[longer] = law.get(longer, 0) + drawn
                continue
            heard = [losses(s, ())[action] for s, action in zip(range(start, stop), actions, strict=True)]
            up = above(sum(heard, Fraction(0)) / tau, level)
            play((*word, 1), longer, drawn * up)
            play((*word, 0), longer, drawn * (1 - up))

    play((), (), number(Fraction(1)))
    return law


def law_of_drawn_experts(seed: int, T: int, losses: Losses, advice: Advice, feedback: str = "played") -> dict[Any, Any]:
    """As `law_of_experts` at tau = 1 without noise, but every expert draws an action in every round, as is printed.

    The learner hears the loss of the chosen expert's action, or with feedback "other" of the other expert's.
    """
    learner, law = threshold_learner(seed), dict[Any, Any]()

    def play(word: tuple[int, ...], taken: tuple[tuple[int, int], ...], chance: Fraction) -> None:
        t = len(taken)
        if t == T:
            law[taken] = law.get(taken, 0) + chance
            return
        expert, level = learner(word)
        rows = advice(t)
        for actions in product(*(range(len(row)) for row in rows)):
            drawn = chance
            for row, action in zip(rows, actions, strict=True):
                drawn *= row[action]
            heard = losses(t, ())[actions[expert if feedback == "played" else 1 - expert]]
            play((*word, int(heard > level)), (*taken, (expert, actions[expert])), drawn)

    play((), (), Fraction(1))
    return law


def actions_of(law: dict[Any, Any]) -> dict[Actions, Any]:
    """The law of the actions alone."""
    chances: dict[Actions, Any] = {}
    for taken, chance in law.items():
        actions = tuple(action for _, action in taken)
        chances[actions] = chances.get(actions, 0) + chance
    return chances


def largest_excess(law: dict[Any, Any], other: dict[Any, Any], ratio: Any) -> Any:
    """The largest P(x) - ratio P'(x) over single outcomes, a ball: at most 0 if the ratios are at most `ratio`."""
    return largest(to_ball(law.get(x, 0)) - ratio * to_ball(other.get(x, 0)) for x in {*law, *other})


def largest(values: Any) -> Any:
    """The largest of some balls."""
    balls = list(values)
    top = balls[0]
    for value in balls[1:]:
        top = top.max(value)
    return top


def expected_loss(law: dict[Actions, Any], losses: Losses, T: int) -> Any:
    """The expected sum of losses of actions with this law."""
    rows = [losses(t, ()) for t in range(T)]
    lost: Any = Fraction(0)
    for actions, chance in law.items():
        number = Fraction if isinstance(chance, Fraction) else to_ball
        lost = number(lost) + chance * number(sum((rows[t][a] for t, a in enumerate(actions)), Fraction(0)))
    return lost


def expected_regret(law: dict[Actions, Any], losses: Losses, T: int, advice: Advice | None = None) -> Any:
    """The expected regret of actions with this law on losses of two arms, or against two experts.

    Source: ADV-D2.2, ADV-D2.3
    """
    lost, rows = expected_loss(law, losses, T), [losses(t, ()) for t in range(T)]
    if advice is not None:
        rows = [[mean_loss(mixture, row) for mixture in advice(t)] for t, row in enumerate(rows)]
    best = min(sum((row[arm] for row in rows), Fraction(0)) for arm in range(2))
    return lost - (best if isinstance(lost, Fraction) else to_ball(best))


def mean_loss(mixture: Sequence[Fraction], losses: Sequence[Fraction]) -> Fraction:
    """The expected loss of an action drawn from a mixture."""
    return sum((p * loss for p, loss in zip(mixture, losses, strict=True)), Fraction(0))


def listed(rows: Sequence[Sequence[Fraction]]) -> Losses:
    """Losses given as a list of rounds."""
    return lambda t, actions: rows[t]


def tables(T: int, steps: int) -> Iterator[Losses]:
    """All losses of two arms over T rounds that are multiples of 1/steps."""
    levels = [Fraction(k, steps) for k in range(steps + 1)]
    return (listed(rows) for rows in product(list(product(levels, repeat=2)), repeat=T))


def averaged(losses: Losses, tau: int) -> Losses:
    """The mean losses of whole batches, one per batch."""

    def means(j: int, actions: Actions) -> list[Fraction]:
        rows = [losses(s, ()) for s in range(j * tau, (j + 1) * tau)]
        return [sum(column, Fraction(0)) / tau for column in zip(*rows, strict=True)]

    return means
