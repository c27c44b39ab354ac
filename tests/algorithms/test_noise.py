import numpy as np
import pytest

from banditproof.algorithms.noise import NoiseSource
from banditproof.theory import Budget, InvalidInput, calibrate_gaussian, gaussian_delta, to_ball, working_precision

pytestmark = pytest.mark.filterwarnings("ignore:.*is hardly a promise")  # budgets at which noise hardly counts


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


class Scale(NoiseSource):
    """Its noise is the scale."""

    def draw(self, distribution, scale, shape):
        self.drawn = distribution
        return np.broadcast_to(scale, shape)


def test_a_source_that_draws_elsewhere_only_overrides_draw():
    source = Scale()
    assert source.laplace(np.array([3.0]), sensitivity=1.0, budget=Budget.pure(0.5)).tolist() == [5.0]
    assert source.drawn == "laplace"


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


def drawn_scale(sensitivity, budget):
    """The standard deviation with which Gaussian noise is drawn."""
    return float(Scale().gaussian(np.zeros(1), sensitivity=sensitivity, budget=budget)[0])


def budgets_of_every_size(count):
    """Budgets whose parameters run over all orders of magnitude, and ordinary ones."""
    generator = np.random.default_rng(8)
    for _ in range(count):
        epsilon, delta = 10.0 ** generator.uniform(-20, 5), 10.0 ** generator.uniform(-300, -0.01)
        yield Budget.approximate(generator.choice([0.0, epsilon, round(generator.uniform(0.1, 8), 1)]), delta)
        yield Budget.approximate(epsilon, generator.choice([1e-5, 0.5, 1 - 2.0**-30]))
        yield Budget.zcdp(10.0 ** generator.uniform(-200, 200))
        yield Budget.rdp(1 + 10.0 ** generator.uniform(-5, 5), 10.0 ** generator.uniform(-100, 100))
        yield Budget.gdp(10.0 ** generator.uniform(-200, 200))


def test_the_noise_that_is_drawn_is_at_least_the_certified_one(every_point):
    """And above it by two units in the last place at most."""
    generator = np.random.default_rng(9)
    for budget in budgets_of_every_size(80 if every_point else 8):
        sensitivity = float(generator.choice([1.0, 0.1, 3.0, generator.uniform(0.01, 100)]))
        with working_precision(200):
            asked = calibrate_gaussian(budget, sensitivity)
        scale = drawn_scale(sensitivity, budget)
        assert asked.value.upper <= scale <= asked.value.upper * (1 + 2.0**-51), (budget, sensitivity)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("delta", [1e-15, 1e-16, 1e-17, 1e-200, 1e-300, 5e-324])
@pytest.mark.parametrize("epsilon", [0.0, 1e-17, 1.0, 1e300])
def test_the_exact_delta_of_the_noise_that_is_drawn_is_at_most_the_budget(epsilon, delta):
    try:
        scale = drawn_scale(1.0, Budget.approximate(epsilon, delta))
    except InvalidInput as refused:  # the scale is above the largest float
        assert epsilon < 1 and delta < 1e-307 and "budget" in str(refused)
        return
    with working_precision(2048):
        attained = gaussian_delta(1 / to_ball(scale), to_ball(epsilon))
    assert attained <= to_ball(delta)


def test_noise_that_no_float_can_hold_is_refused():
    for call in (
        lambda: NoiseSource().laplace(np.zeros(1), sensitivity=1e10, budget=Budget.pure(1e-300)),
        lambda: NoiseSource().gaussian(np.zeros(1), sensitivity=1e200, budget=Budget.gdp(1e-200)),
        lambda: NoiseSource().gaussian(np.zeros(1), sensitivity=1.0, budget=Budget.approximate(0.0, 5e-324)),
    ):
        with pytest.raises(InvalidInput, match="budget must be one whose noise fits into a float"):
            call()


def test_noise_is_drawn_at_a_scale_that_is_a_number():
    assert NoiseSource(np.random.default_rng(0)).draw("laplace", 1.0, (2,)).shape == (2,)
