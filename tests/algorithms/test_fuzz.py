"""Every public function and class of the algorithms with one argument of another kind: an answer, or InvalidInput."""

from inspect import signature

import numpy as np
import pytest

from banditproof import algorithms as rooms
from banditproof.algorithms.registration import Setting
from banditproof.algorithms.roster import algorithms
from banditproof.theory import Budget
from banditproof.theory.privacy.budget import KINDS

PURE, ZCDP = Budget.pure(1.0), Budget.zcdp(0.5)
BATCHES = rooms.GeometricBatches(2)


DRAWS = np.random.default_rng(1)
SOURCE = rooms.NoiseSource(DRAWS)
BANDIT = rooms.BernoulliBandit([0.2, 0.7])
PANEL = rooms.Panel([[[0.5, 0.5], [1.0, 0.0]]])


def learner():
    return rooms.EXP3(2, DRAWS, rate=0.1, mixing=0.1)


def a_run():
    policy = rooms.AdaPUCB(2, PURE, SOURCE)
    return {"policy": policy, "environment": BANDIT, "horizon": 20, "generator": DRAWS, "record_times": [5, 20]}


def a_game():
    losses = rooms.hard_losses("needle", 20)
    return {"policy": learner(), "losses": losses, "record_times": [3, 20], "panel": None}


class Named(rooms.BatchedIndexPolicy):
    score = None


class NamedWithoutPrivacy(rooms.NonPrivateIndexPolicy):
    score = None


class First(rooms.Policy):
    next_batch = observe = None


class Uniform(rooms.Learner):
    choose = learn = None


RELEASE = {"sensitivity": 1.0, "budget": PURE, "records": (0, 2)}
SCORES = {"scores": np.zeros((2, 3)), **RELEASE}
VALUE = {"value": np.zeros(2), **RELEASE}
RELEASES = {
    "laplace": {**VALUE, "norm": "l1"},
    "gaussian": {**VALUE, "budget": ZCDP, "norm": "l2", "multiplier": 1.0},
    "discrete_laplace": VALUE,
    "discrete_gaussian": {**VALUE, "budget": ZCDP},
    "randomised_response": {"category": np.array([0, 1]), "categories": 2, "budget": PURE, "records": (0, 2)},
    "exponential_mechanism": SCORES,
    "report_noisy_max": SCORES,
}
INDEX = {
    **{"arms": 2, "budget": PURE, "batches": BATCHES, "noise": SOURCE, "replications": 2, "generator": DRAWS},
    **{"ties": "lowest-arm", "forgetting": False, "multiplier": None},
}
LEARNER = {"arms": 2, "generator": DRAWS, "replications": 2}
SWEEP = {
    "make_policy": lambda budget, generator: rooms.AdaPUCB(2, Budget.pure(budget), rooms.NoiseSource(generator)),
    **{"environment": BANDIT, "horizon": 20, "budgets": [0.5, 1.0], "runs": 2, "seed": 1, "record_times": [20]},
    **{"chunk_size": 2, "workers": 1, "checkpoints": None, "progress": None},
}
EXPERTS = {"panel": PANEL, "generator": DRAWS, "rate": 0.1, "mixing": 0.1, "replications": 2}


def registered(entry):
    """What a registered algorithm is built by, with its options."""
    budget = KINDS[entry.kinds[0]].example() if entry.private else None
    built, given = entry.call(Setting(2, 20, budget, DRAWS, 2, door=SOURCE))
    same = given.keys() <= signature(entry.made).parameters.keys()  # its own arguments, by their names
    return entry.made.__name__, (entry.made if same else built, given)


CALLS = {
    "Policy": (First, {"arms": 2, "replications": 1}),
    "Replicated": (rooms.Replicated, {"policies": [First(2, 1), First(2, 1)]}),
    "Learner": (Uniform, LEARNER),
    "NoiseSource": (rooms.NoiseSource, {"generator": DRAWS}),
    **{f"NoiseSource.{name}": (getattr(SOURCE, name), given) for name, given in RELEASES.items()},
    "BernoulliBandit": (rooms.BernoulliBandit, {"means": [0.2, 0.7]}),
    "DoublingBatches": (rooms.DoublingBatches, {}),
    "DoublingBatches.size": (rooms.DoublingBatches().size, {"m": 3}),
    "DoublingBatches.sizes_until": (rooms.DoublingBatches().sizes_until, {"horizon": 30}),
    "GeometricBatches": (rooms.GeometricBatches, {"alpha": "1.5", "n0": 2}),
    "GeometricBatches.total": (BATCHES.total, {"m": 3}),
    **dict(map(registered, algorithms().values())),
    "BatchedIndexPolicy": (Named, INDEX),
    "NonPrivateIndexPolicy": (
        NamedWithoutPrivacy,
        {k: INDEX[k] for k in INDEX.keys() - {"budget", "forgetting", "multiplier"}},
    ),
    "HistoryPolicy": (
        rooms.HistoryPolicy,
        {"arms": 2, "probability": lambda history: (0.5, 0.5), "generator": DRAWS, "replications": 2},
    ),
    "EXP3": (rooms.EXP3, {**LEARNER, "rate": 0.1, "mixing": 0.1}),
    "EXP4": (rooms.EXP4, EXPERTS),
    "FTPL": (rooms.FTPL, {**LEARNER, "rate": 0.1, "cap": 9, "as_printed": False}),
    "HTINF": (rooms.HTINF, {**LEARNER, "alpha": 2.0, "sigma": 1.0}),
    "LossTable": (rooms.LossTable, {"losses": [[0.5, 1.0]]}),
    "Panel": (rooms.Panel, {"advice": [[0.5, 0.5], [1.0, 0.0]]}),
    "PrivateBatches": (rooms.PrivateBatches, {"learner": learner(), "budget": PURE, "noise": SOURCE, "batch": 4}),
    "FromBandit": (rooms.FromBandit, {"learner": learner(), "panel": PANEL, "generator": DRAWS}),
    "PrivateEXP4": (
        rooms.PrivateEXP4,
        {**EXPERTS, "budget": Budget.approximate(1.0, 0.01), "noise": SOURCE, "batch": 4},
    ),
    "quotient_rounded_down": (rooms.quotient_rounded_down, {"a": np.array([1.0]), "b": 3.0}),
    "hard_losses": (rooms.hard_losses, {"name": "needle", "horizon": 9, "arms": 3, "seed": 1}),
    "play": (rooms.play, a_game),
    "simulate": (rooms.simulate, a_run),
    "simulate_per_pull": (rooms.simulate_per_pull, a_run),
    "sweep": (rooms.sweep, SWEEP),
}


def test_every_public_name_is_tried():
    tried = {name.partition(".")[0] for name in CALLS}
    assert {*rooms.__all__} - tried == {"Environment", "Strategy"}  # protocols, which nobody calls


@pytest.mark.parametrize("name", CALLS)
def test_an_answer_or_a_named_refusal(name, altered_call):
    function, given = CALLS[name]
    assert not altered_call(function, given)
