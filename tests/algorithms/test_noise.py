import numpy as np
import pytest

from banditproof.algorithms.noise import NoiseSource
from banditproof.theory.budget import Budget
from banditproof.theory.errors import InvalidInput


def test_laplace_noise_has_scale_sensitivity_over_epsilon_in_each_replication():
    from scipy.stats import kstest, laplace

    epsilon, runs = np.array([0.1, 1.0, 4.0]), 20_000
    noise = NoiseSource(np.random.default_rng(1))
    released = noise.laplace(np.full(3 * runs, 5.0), sensitivity=2.0, budget=Budget.pure(np.repeat(epsilon, runs)))
    for row, eps in zip(released.reshape(3, runs), epsilon, strict=True):
        assert kstest(row, laplace(loc=5.0, scale=2.0 / eps).cdf).pvalue > 1e-6


def test_an_infinite_budget_releases_the_value_itself():
    value = np.array([0.1, 7.0])
    assert NoiseSource().laplace(value, sensitivity=1.0, budget=Budget.pure(np.inf)).tolist() == value.tolist()
    mixed = NoiseSource(np.random.default_rng(1)).laplace(
        value, sensitivity=1.0, budget=Budget.pure(np.array([np.inf, 1.0]))
    )
    assert mixed[0] == value[0]
    assert mixed[1] != value[1]


def test_a_vector_release_has_independent_noise_in_each_coordinate_and_the_scale_of_its_replication():
    noise = NoiseSource(np.random.default_rng(2))
    released = noise.laplace(np.zeros((2, 4)), sensitivity=1.0, budget=Budget.pure(np.array([np.inf, 1.0])))
    assert released[0].tolist() == [0.0] * 4
    assert len(set(released[1])) == 4


def test_sensitivity_may_differ_between_replications():
    released = NoiseSource(np.random.default_rng(3)).laplace(
        np.zeros((2, 3)), sensitivity=np.array([0.0, 1.0]), budget=Budget.pure(1.0)
    )
    assert released[0].tolist() == [0.0] * 3
    assert (released[1] != 0).all()


def test_a_source_that_draws_elsewhere_only_overrides_draw():
    class Scripted(NoiseSource):
        def draw(self, distribution, scale, shape):
            assert distribution == "laplace"
            return np.broadcast_to(scale, shape)

    assert Scripted().laplace(np.array([3.0]), sensitivity=1.0, budget=Budget.pure(0.5)).tolist() == [5.0]


def test_a_source_that_records_sees_everything_that_was_declared():
    class Recording(NoiseSource):
        def release(self, distribution, value, scale, **declared):
            self.seen = {"value": value, "scale": scale, **declared}
            return super().release(distribution, value, scale, **declared)

    noise, budget = Recording(np.random.default_rng(4)), Budget.pure(2.0)
    records = np.array([3]), np.array([8])
    noise.laplace(np.array([1.5]), sensitivity=1.0, budget=budget, records=records)
    assert noise.seen["value"] == 1.5
    assert noise.seen["scale"] == 0.5
    assert noise.seen["budget"] is budget
    assert noise.seen["records"] is records
    assert noise.seen["norm"] == "l1"


def test_another_norm_is_refused():
    with pytest.raises(InvalidInput, match="norm"):
        NoiseSource().laplace(np.zeros(1), sensitivity=1.0, budget=Budget.pure(1.0), norm="l2")


def test_noise_without_a_generator_is_refused():
    with pytest.raises(InvalidInput, match="generator"):
        NoiseSource().laplace(np.zeros(1), sensitivity=1.0, budget=Budget.pure(1.0))


@pytest.mark.parametrize("sensitivity", [-1.0, float("nan"), float("inf")])
def test_a_bad_sensitivity_is_refused(sensitivity):
    with pytest.raises(InvalidInput, match="sensitivity"):
        NoiseSource(np.random.default_rng(5)).laplace(np.zeros(1), sensitivity=sensitivity, budget=Budget.pure(1.0))


@pytest.mark.parametrize(
    ("budget", "deviation"),
    [
        (Budget.zcdp(0.5), 1.0),
        (Budget.rdp(3.0, 1.5), 1.0),
        (Budget.gdp(0.25), 4.0),
        (Budget.zcdp(np.array([0.5, 2.0, 0.125])), np.array([1.0, 0.5, 2.0])),
    ],
)
def test_gaussian_noise_has_the_deviation_that_its_budget_asks_for(budget, deviation):
    generator, twin = np.random.default_rng(5), np.random.default_rng(5)
    released = NoiseSource(generator).gaussian(np.ones(3), sensitivity=0.25, budget=budget)
    assert np.allclose(released, 1 + 0.25 * deviation * twin.normal(size=3), rtol=1e-15)


def test_a_stated_multiplier_replaces_the_calibrated_one():
    generator, twin = np.random.default_rng(5), np.random.default_rng(5)
    released = NoiseSource(generator).gaussian(np.zeros(2), sensitivity=1.0, budget=Budget.zcdp(1.0), multiplier=3.0)
    assert np.array_equal(released, 3 * twin.normal(size=2))


def test_gaussian_noise_refuses_a_pure_budget_and_the_l1_norm():
    with pytest.raises(InvalidInput, match="budget"):
        NoiseSource().gaussian(np.zeros(1), sensitivity=1.0, budget=Budget.pure(1.0))
    with pytest.raises(InvalidInput, match="norm"):
        NoiseSource().gaussian(np.zeros(1), sensitivity=1.0, budget=Budget.zcdp(1.0), norm="l1")
