"""The probation policy: private by the independent sensors, and never worse than the bound on its regret."""

from fractions import Fraction
from math import ceil, exp, inf, log, sqrt

import numpy as np
import pytest
import sympy

from banditproof.algorithms import BernoulliBandit, NoiseSource, simulate
from banditproof.paper_checks.bernoulli_dp.facts.probation import ProbationPolicy, Term, probation_regret, regret_from
from banditproof.theory import Budget, InvalidInput, noisy_sum_tail, to_ball
from banditproof.verify.runs.alignment import find_violation


def regrets(means, horizon, runs, epsilon=1.0, seed=1):
    generator = np.random.default_rng(seed)
    policy = ProbationPolicy(horizon, Budget.pure(epsilon), NoiseSource(generator), replications=runs)
    return simulate(policy, BernoulliBandit(means), horizon, generator).regret[:, -1]


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 5.0])
def test_no_sensor_finds_a_privacy_violation(epsilon):
    def make(noise, generator):
        return ProbationPolicy(70, Budget.pure(epsilon), noise)

    assert find_violation(make, 70, Budget.pure(epsilon), seed=3) is None


class Leaky(ProbationPolicy):
    """Passes the probation by the raw number of failures."""

    def observe(self, total, count, arm=None):
        passed = (self.stage == 2) & (count - total <= self.threshold)
        super().observe(total, count, arm)
        self.over = passed | (self.stage > 4)


def test_the_sensors_do_find_a_probation_that_is_judged_by_raw_rewards():
    def make(noise, generator):
        return Leaky(70, Budget.pure(1.0), noise)

    assert find_violation(make, 70, Budget.pure(1.0), seed=3) is not None


@pytest.mark.parametrize("horizon", [10**4, 10**8])
@pytest.mark.parametrize("mean", [0.0, 0.5])
def test_simulated_regret_at_optimal_mean_one_stays_below_the_bound(horizon, mean):
    runs = regrets([1.0, mean], horizon, 4000)
    terms = probation_regret(1 - Fraction(mean), Fraction(1))
    bound = float(sum(term.at(to_ball(sqrt(log(horizon)))) for term in terms)) * log(horizon)
    assert runs.mean() + 5 * runs.std() / sqrt(runs.size) <= bound
    assert runs.min() >= (1 - mean) * ceil(sqrt(log(horizon)))  # the trial


def test_the_best_arm_may_stand_second():
    assert regrets([0.5, 1.0], 10**6, 500).mean() == pytest.approx(regrets([1.0, 0.5], 10**6, 500).mean(), rel=0.5)


@pytest.mark.parametrize("means", [[0.9, 0.5], [0.3, 0.1], [0.0, 0.6]])
def test_elsewhere_the_regret_is_of_the_order_of_the_squared_logarithm(means):
    for horizon in (10**6, 10**9, 10**12):
        assert regrets(means, horizon, 200).mean() <= 3 * (log(horizon) ** 2 + 1)


def test_equal_arms_cost_nothing():
    assert regrets([1.0, 1.0], 10**6, 20).max() == 0


def test_a_horizon_without_a_logarithm_above_one_is_refused():
    with pytest.raises(InvalidInput, match="horizon"):
        ProbationPolicy(2, Budget.pure(1.0), NoiseSource())


@pytest.mark.parametrize("horizon", [10**5, 10**7])
def test_each_chernoff_bound_lies_above_the_exact_probability(horizon):
    epsilon, failure = 1, Fraction(1, 2)
    n, m = ceil(sqrt(log(horizon))), ceil(log(horizon) ** 2)
    q = 1 - 0.5 * (1 - exp(-epsilon / 2))
    wrong = float(noisy_sum_tail(n, 2, failure, epsilon, 0, "lower"))  # arm 2 shows no more noisy failures than arm 1
    assert wrong <= 16 / 9 * q**n
    passes = float(noisy_sum_tail(m, 1, failure, epsilon, to_ball(2 * log(horizon)), "lower"))
    assert passes <= 4 / 3 * horizon * q**m
    mistaken = float(noisy_sum_tail(m, 2, failure, epsilon, 0, "lower"))
    assert mistaken <= 16 / 9 * q**m


def test_the_regret_bound_is_the_formula_of_the_docstring():
    x, gap, epsilon = 7.0, 0.25, 2.0
    c = -log(1 - gap * (1 - exp(-epsilon / 2)))
    wrong, pulls = 16 / 9 * exp(-c * x), x**4 + 1
    bound = gap * (
        x
        + 1
        + wrong * (pulls + 4 / 3 * exp(2 * x**2 - c * x**4))
        + (wrong + exp(-2 * x**2) / 2) * (pulls + 16 / 9 * exp(x**2 - c * x**4))
    )
    terms = probation_regret(Fraction(1, 4), Fraction(2))
    assert float(sum(term.at(to_ball(7)) for term in terms)) == pytest.approx(bound / x**2, rel=1e-12)


def test_the_bound_over_log_t_tends_to_zero_by_sympy_too():
    x = sympy.symbols("x", positive=True)
    q = 1 - (1 - sympy.exp(-sympy.Rational(1, 2))) / 2
    wrong = sympy.Rational(16, 9) * q**x
    parts = [
        (x + 1) / x**2,
        wrong * (x**4 + 1) / x**2,
        sympy.exp(-2 * x**2) * (x**4 + 1) / x**2,
        wrong * sympy.exp(2 * x**2 + x**4 * sympy.log(q)) / x**2,
    ]
    assert [sympy.limit(part, x, sympy.oo) for part in parts] == [0, 0, 0, 0]
    values = [regret_from(root, Fraction(1, 2), 1) for root in (50, 100, 200, 400, 800)]
    assert all(later < earlier for earlier, later in zip(values, values[1:], strict=False))


def test_a_bound_that_may_still_grow_is_infinite():
    assert regret_from(5, Fraction(1, 2), 1) == inf


@pytest.mark.parametrize(
    ("term", "falls"),
    [
        (Term(1, 2, linear=-1), [False, True]),
        (Term(1, -1), [True, True]),
        (Term(1, 0, square=1, fourth=-1), [True, True]),
        (Term(1, 0, square=20, fourth=-1), [False, False]),
        (Term(1, 1), [False, False]),
    ],
)
def test_a_term_falls_from_where_its_derivative_stays_negative(term, falls):
    x = sympy.symbols("x", positive=True)
    value = x**term.power * sympy.exp(term.linear * x + term.square * x**2 + term.fourth * x**4)
    slope = sympy.lambdify(x, sympy.simplify(sympy.diff(value, x) / value), "math")
    for start, expected in zip((1, 3), falls, strict=True):
        assert term.falls_from(start) == expected
        assert all(slope(start + k / 10) <= 1e-12 for k in range(200)) == expected
