"""Simulated regret of the conversions on sequences that a search found to be bad for them, against printed bounds.

Regret R on a fixed sequence is at least -c, where c is what the best arm loses beyond the best action of every round.
So E R <= b implies, by Markov's inequality, that R + c >= 2 (b + c) has probability at most 1/2: what is tested.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.algorithms import FTPL, HTINF, NoiseSource, PrivateBatches
from banditproof.algorithms.adversarial.compiled import play_fastest
from banditproof.algorithms.adversarial.losses import LossTable, hard_panel
from banditproof.algorithms.adversarial.search import worst_losses
from banditproof.algorithms.registration import Game
from banditproof.algorithms.roster import algorithm as algorithm_named
from banditproof.claims.language import *
from banditproof.verify import Relation, event_test


def below_zero(table: LossTable) -> float:
    """How far below zero a regret on this table may be."""
    return float(table.cumulated[-1].min() - table.losses.min(axis=1).sum())


def run_on_worst_losses(
    seeds: np.random.SeedSequence,
    runs: int,
    algorithm: str,
    sequences: list[str],
    epsilon: float,
    horizon: int,
    arms: int,
) -> Arrays:
    """Regrets of a roster algorithm on the first arms of stored sequences, and how far below zero they may be."""
    arrays: Arrays = {}
    for name, seed in zip(sequences, seeds.spawn(len(sequences)), strict=True):
        table = LossTable(worst_losses(name, horizon).losses[:, :arms])
        panel, generator = hard_panel("constant", arms, arms), np.random.default_rng(seed)
        game = Game(arms, horizon, Budget.pure(epsilon), generator, runs, panel)
        played = play_fastest(algorithm_named(algorithm, Game).build(game), table)
        arrays[f"worst for {name}"] = played.regret[:, 0]
        arrays[f"worst for {name}, below zero"] = np.array(below_zero(table))
    return arrays


def run_ftpl(seeds: np.random.SeedSequence, runs: int, horizon: int, scale: float, as_printed: bool) -> Arrays:
    """Regrets of Algorithm 4 with the parameters of Lemma 25 on losses (1/4, 1) with Laplace noise of this scale."""
    generator = np.random.default_rng(seeds)
    size, L = 2 * horizon, np.log(2 * horizon)
    rate = min(np.sqrt(np.log(2) / (size * (1 + 10 * scale**2 * L**2))), size**-0.5 / (1 + 4 * scale * np.log(horizon)))
    learner = FTPL(2, generator, rate=rate, cap=size**0.5, as_printed=as_printed, replications=runs)
    policy = PrivateBatches(learner, Budget.pure(1 / scale), NoiseSource(generator), batch=1)
    table = LossTable(np.tile([0.25, 1.0], (horizon, 1)))
    return {"losses (1/4, 1)": play_fastest(policy, table).regret[:, 0]}


ESTIMATES = (0.0, 1.0, 3.0, -1.0)  # of four arms, in units of the perturbation


def run_choices(seeds: np.random.SeedSequence, runs: int) -> Arrays:
    """The arms that FTPL plays at these estimates, in independent draws."""
    learner = FTPL(len(ESTIMATES), np.random.default_rng(seeds), rate=1.0, cap=1, replications=runs)
    learner.estimates[:] = ESTIMATES
    return {"arms": learner.choose()}


def chances_of_play(sign: float) -> np.ndarray:
    """P(arm has the smallest perturbed estimate), by quadrature: int f(z - L_i) prod_k (1 - F(z - L_k)) dz, [K].

    With sign -1 that of the largest one.
    """
    z = np.linspace(-40, 40, 40_001)
    shifted = z[:, np.newaxis] - sign * np.array(ESTIMATES)
    survival = np.where(shifted > 0, np.exp(-np.abs(shifted)) / 2, 1 - np.exp(-np.abs(shifted)) / 2)
    others = survival.prod(axis=1, keepdims=True) / survival
    return (np.exp(-np.abs(shifted)) / 2 * others).sum(axis=0) * (z[1] - z[0])


def run_htinf(seeds: np.random.SeedSequence, runs: int, horizon: int, arms: int) -> Arrays:
    """Pseudo-regrets of HTINF where one arm never loses and the others M with probability p, M^alpha p = 1."""
    arrays: Arrays = {}
    rows = np.arange(runs)
    for alpha, seed in zip((1.5, 2.0), seeds.spawn(2), strict=True):
        coins, losses = (np.random.default_rng(s) for s in seed.spawn(2))
        learner = HTINF(arms, coins, alpha=alpha, sigma=1.0, replications=runs)
        mean = 0.5
        size = mean ** (-1 / (alpha - 1))
        best, pulls = losses.integers(arms, size=runs), np.zeros((runs, arms))
        for _ in range(horizon):
            arm = learner.choose()
            pulls[rows, arm] += 1
            learner.learn(arm, np.where((arm != best) & (losses.random(runs) < mean / size), size, 0.0))
        arrays[f"alpha {alpha:g}"] = mean * (horizon - pulls[rows, best])
    return arrays


def mean_at_most(study: Study, points: dict[str, dict[str, Any]], covers: dict[str, Any]) -> step:
    """The step that tests E R <= the relation's right side at the point of every array of regrets."""

    def gather(check: Check, relation: Relation) -> bool:
        def tests(stream: str) -> list[dict[str, Any]]:
            arrays, events = check.study(study, stream), []
            for name, point in points.items():
                values = {**point, **check.constants}
                balls = {n: v if isinstance(v, str) else to_ball(v) for n, v in values.items()}
                bound = float(relation(**balls)[2])
                below = float(arrays.get(f"{name}, below zero", 0.0))
                said = f"{name}: the regret is twice its bound or more ({below:.4g} added to both)"
                events.append(event_test(said, arrays[name] + below >= 2 * (bound + below), "<=", Fraction(1, 2)))
            return events

        region = check.domain.restrict(**covers)
        return check.statistics(tests, covers=region, routes=("Markov's inequality on runs", "the stated bound"))

    return step(gather, "statistics")


def worst_losses_study(
    algorithm: str, sequences: list[str], epsilon: str, horizon: int, arms: int = 3
) -> tuple[Study, step]:
    """A study of a roster algorithm on stored sequences, and the step that reads it; the bound is of K, T, epsilon."""
    played = {"epsilon": float(Fraction(epsilon)), "horizon": horizon, "arms": arms}
    fixed = {"algorithm": algorithm, "sequences": sequences, **played}
    study = Study(f"adversarial-worst-{algorithm}", run_on_worst_losses, {"runs": 40, **fixed}, {"runs": 200})
    point = {"K": arms, "T": horizon, "epsilon": Fraction(epsilon)}
    listed = {f"worst for {name}": point for name in sequences}
    return study, mean_at_most(study, listed, {"K": [arms], "T": [horizon], "epsilon": [epsilon]})


def two_losses_study(as_printed: bool) -> tuple[Study, step]:
    """A study of Algorithm 4, as printed or as analysed, and the step that reads it; the bound is of K, T, lam."""
    name = "printed" if as_printed else "analysed"
    fixed = {"horizon": 40_000, "scale": 0.001, "as_printed": as_printed}
    study = Study(f"adversarial-ftpl-as-{name}", run_ftpl, {"runs": 40, **fixed}, {"runs": 200})
    point = {"K": 2, "T": 40_000, "lam": Fraction(1, 1000)}
    return study, mean_at_most(study, {"losses (1/4, 1)": point}, {n: [v] for n, v in point.items()})


CHOICES = Study("adversarial-ftpl-choices", run_choices, {"runs": 80_000}, {"runs": 400_000})
SLACK = Fraction(1, 50)


def choices_follow(check: Check, relation: Relation) -> bool:
    """Tests that every arm is drawn with the chance that the relation's right side names, up to SLACK."""

    def tests(stream: str) -> list[dict[str, Any]]:
        arms, events = check.study(CHOICES, stream)["arms"], []
        for arm in range(len(ESTIMATES)):
            chance = Fraction(float(relation(arm, **check.constants)[2])).limit_denominator(10**9)
            for operator, end in ((">=", max(chance - SLACK, Fraction(0))), ("<=", chance + SLACK)):
                events.append(event_test(f"arm {arm} is played", arms == arm, operator, end))
        return events

    region = check.domain.restrict(arm=list(range(len(ESTIMATES))))
    return check.statistics(tests, covers=region, routes=("draws of the implementation", "quadrature"))
