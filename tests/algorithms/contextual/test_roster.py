"""The contextual algorithms by name: each is built, runs, and refuses what is out of bounds with one clear error."""

import numpy as np
import pytest

from banditproof.algorithms.contextual.environment import ContextualBandit, GaussianContexts
from banditproof.algorithms.contextual.simulation import simulate_one
from banditproof.algorithms.registration import ContextualSetting
from banditproof.algorithms.roster import algorithm, algorithms
from banditproof.algorithms.run.sweep import simulate_chunks
from banditproof.theory.errors import InvalidInput
from banditproof.theory.privacy.budget import KINDS, Budget

CONTEXTUAL_ALGORITHMS = algorithms(ContextualSetting)
UNIT = GaussianContexts(4, 3, unit=True)


def built(name, runs=2, bounded=True, horizon=60, **options):
    entry = CONTEXTUAL_ALGORITHMS[name]
    budget = KINDS[entry.kinds[0]].example() if entry.private else None
    setting = ContextualSetting(4, horizon, budget, np.random.default_rng(0), runs, 3, bounded)
    return entry.build(setting, **options)


@pytest.mark.parametrize("name", CONTEXTUAL_ALGORITHMS)
def test_an_algorithm_is_built_and_runs(name):
    bandit = ContextualBandit([0.6, 0.0, 0.8], UNIT, clipped=True)
    result = simulate_one(built(name), bandit, 60, np.random.default_rng(1), [30, 60])
    assert result.regret.shape == (2, 2) and (np.diff(result.regret) >= 0).all()


@pytest.mark.parametrize("name", CONTEXTUAL_ALGORITHMS)
def test_rewards_and_contexts_out_of_bounds_are_refused(name):
    loud = ContextualBandit([0.6, 0.0, 0.8], UNIT, deviation=9.0)
    with pytest.raises(InvalidInput, match="rewards must be in"):
        simulate_one(built(name), loud, 60, np.random.default_rng(1))
    wide = ContextualBandit([0.0, 0.0, 0.0], GaussianContexts(4, 3, 9.0), clipped=True)
    with pytest.raises(InvalidInput, match="contexts must be of norm at most 1"):
        simulate_one(built(name), wide, 60, np.random.default_rng(1))
    simulate_one(built(name, bounded=False), loud, 60, np.random.default_rng(1))


FACTORS = [(n, f) for n, entry in CONTEXTUAL_ALGORITHMS.items() for f in ("ridge", "growth") if f in entry.options]


@pytest.mark.parametrize(("name", "factor"), FACTORS)
@pytest.mark.parametrize("value", [0, -1.0, np.inf, np.nan])
def test_a_regulariser_or_a_factor_of_growth_that_is_not_positive_is_refused(name, factor, value):
    with pytest.raises(InvalidInput, match=factor):
        built(name, **{factor: value})


def test_unknown_names_and_budgets_are_refused():
    with pytest.raises(InvalidInput, match="adac-oful"):
        algorithm("adac-ofl", ContextualSetting)
    setting = ContextualSetting(4, 60, Budget.pure(1), np.random.default_rng(0), 2, 3)
    with pytest.raises(InvalidInput, match="budget"):
        CONTEXTUAL_ALGORITHMS["adac-oful"].build(setting)


@pytest.mark.parametrize("name", ["adac-oful", "oful", "linpriv"])
def test_the_number_of_workers_changes_nothing(name):
    bandit, entry = ContextualBandit([0.6, 0.0, 0.8], GaussianContexts(4, 3)), CONTEXTUAL_ALGORITHMS[name]

    def make(rows, generator):
        budget = KINDS[entry.kinds[0]].example() if entry.private else None
        setting = ContextualSetting(4, 200, budget, generator, rows.stop - rows.start, 3, bounded=False)
        return entry.build(setting)

    options = {"replications": 5, "seed": 3, "chunk_size": 2, "engine": simulate_one}
    one, two = (simulate_chunks(make, bandit, 200, workers=workers, **options).regret for workers in (1, 2))
    assert (one == two).all() and one.std() > 0
