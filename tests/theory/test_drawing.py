"""Pictures of bounds: every bound that applies, the regimes and the budget that was asked for."""

import numpy as np
import pytest

from banditproof.algorithms import DPIMED, BernoulliBandit, GeometricBatches, NoiseSource, simulate, sweep
from banditproof.theory import Budget, InvalidInput, regret_lower_bound, sample_complexity_lower_bound


def labels(figure):
    (axes,) = figure.axes
    return [text.get_text() for text in axes.get_legend().get_texts()], [note.get_text() for note in axes.texts]


def test_regret_bounds_are_drawn_at_their_lower_ends():
    bounds = regret_lower_bound(["0.7", "0.5"], epsilon="0.3")
    figure = bounds.plot()
    names, notes = labels(figure)
    assert {name for label in names for name in label.split(" = ")} == set(bounds)
    assert "epsilon = 0.3" in notes and "high privacy" in notes
    line = next(line for line in figure.axes[0].get_lines() if "d-epsilon" in str(line.get_label()))
    for budget, height in list(zip(*line.get_data(), strict=True))[::20]:
        value = regret_lower_bound(["0.7", "0.5"], epsilon=budget)["d-epsilon"].value
        assert height == pytest.approx(float(value.lower), rel=1e-5)


@pytest.mark.parametrize("epsilon", [None, "0.3"])
def test_sample_complexity_is_drawn_with_its_regimes(epsilon):
    names, notes = labels(sample_complexity_lower_bound(["0.9", "0.5"], "0.01", epsilon=epsilon).plot())
    assert any("private" in name for name in names) and ("epsilon = 0.3" in notes) == (epsilon is not None)


def test_simulated_regret_is_drawn_with_its_mean():
    generator = np.random.default_rng(1)
    noise = NoiseSource(generator)
    policy = DPIMED(2, Budget.pure(1.0), GeometricBatches(2), noise, generator=generator, replications=5)
    played = simulate(policy, BernoulliBandit([0.8, 0.6]), 500, generator, [10, 100, 500])
    (line,) = played.plot().axes[0].get_lines()
    assert line.get_ydata() == pytest.approx(played.regret.mean(axis=0))
    with pytest.raises(InvalidInput, match="policy must be a new policy for each run"):
        simulate(policy, BernoulliBandit([0.8, 0.6]), 500, generator)


def test_a_sweep_is_drawn_with_a_curve_for_each_budget_and_not_at_a_single_time():
    def make(epsilon, generator):
        noise = NoiseSource(generator)
        return DPIMED(2, Budget.pure(epsilon), GeometricBatches(2), noise, generator=generator)

    bandit, swept = BernoulliBandit([0.8, 0.6]), {"budgets": [0.1, 10.0], "runs": 5, "seed": 1}
    played = sweep(make, bandit, 500, record_times=[10, 100, 500], **swept)
    lines = played.plot().axes[0].get_lines()
    assert [line.get_label() for line in lines] == ["budget 1 of 2, 5 runs", "budget 2 of 2, 5 runs"]
    assert [list(line.get_ydata()) for line in lines] == [pytest.approx(r) for r in played.regret.mean(axis=1)]
    with pytest.raises(InvalidInput, match="record_times"):
        sweep(make, bandit, 500, **swept).plot()
