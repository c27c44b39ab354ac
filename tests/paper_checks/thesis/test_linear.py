"""What the checks of the linear bandit bounds and of the Edgeworth expansion rest on, by other routes."""

import math
from fractions import Fraction

import numpy as np
import pytest
from numpy.polynomial import hermite_e
from scipy import integrate, stats

from banditproof.paper_checks.shared import linear_designs, response_ucb
from banditproof.paper_checks.thesis.app_b_proofs.b3_linear import printed_lemma
from banditproof.paper_checks.thesis.ch2_bandits.s2_2_7_linear import play
from banditproof.paper_checks.thesis.ch2_inference import s2_4_asymptotics as asymptotics
from banditproof.theory.errors import InvalidInput
from banditproof.verify.privacy.enumeration import view_epsilon
from banditproof.verify.privacy.named_policies import policy_named

PARALLEL = [[1, Fraction(1, 100)], [1, Fraction(-1, 100)]]

# ------------------------------------------------------------------------------------- UCB1 on randomised responses


@pytest.mark.parametrize("ratio", [Fraction(3, 2), Fraction(9)])
@pytest.mark.parametrize("horizon", [3, 4])
def test_randomised_responses_keep_the_actions_private(horizon, ratio):
    kernel = response_ucb.response_ucb_kernel(horizon, 2, ratio)
    assert 1 < view_epsilon(kernel).ratio <= ratio


def test_the_kernel_follows_the_policy_it_stands_for():
    """The law of the third action, from the responses to two known bits."""
    kernel = response_ucb.response_ucb_kernel(3, 2, Fraction(3))
    law = kernel.probability(((0, 1), (1, 0)))
    # after one pull each the larger response wins, the first action on ties: it loses for responses 0 and 1 only
    assert law == (1 - Fraction(1, 4) * Fraction(1, 4), Fraction(1, 16))


def simulated_pulls(means, epsilon, horizon, runs, generator):
    """Pulls of every action, [runs, K], when the rewards are N(mean, 1)."""
    centres, lines = np.asarray(means, dtype=float), np.arange(runs)
    pulls, sums = np.zeros((runs, centres.size)), np.zeros((runs, centres.size))
    for time in range(1, horizon + 1):
        if time <= centres.size:
            action = np.full(runs, time - 1)
        else:
            action = (sums / pulls + np.sqrt(2 * math.log(time) / pulls)).argmax(axis=1)
        bits = generator.normal(centres[action], 1.0) > 0
        lies = generator.random(runs) < 1 / (1 + math.exp(epsilon))
        pulls[lines, action] += 1
        sums[lines, action] += bits ^ lies
    return pulls


def test_the_regret_stays_below_its_bound_on_the_instance_of_the_counterexample():
    horizon = 4000
    pulls = simulated_pulls([1.0, 0.0], 1.0, horizon, 50, np.random.default_rng(1))
    coefficient = float(response_ucb.regret_coefficient(PARALLEL, [Fraction(1, 2), 50], 1))
    bound = coefficient * math.log(horizon) + 1 + math.pi**2 / 3
    assert pulls.sum(axis=1).tolist() == [horizon] * 50 and pulls[:, 1].max() <= bound


def test_the_regret_coefficient_is_that_of_two_bits():
    gap = math.tanh(0.5) * (stats.norm.cdf(1) - stats.norm.cdf(0))
    coefficient = response_ucb.regret_coefficient(PARALLEL, [Fraction(1, 2), 50], 1)
    assert float(coefficient) == pytest.approx(8 / gap**2, rel=1e-12)


# ----------------------------------------------------------------------------------------------------------- designs


def test_exact_shares_are_those_of_numpy():
    draw = np.random.default_rng(2)
    actions, weights = draw.integers(-3, 4, (5, 3)) + 5 * np.eye(5, 3, dtype=int), draw.integers(1, 9, 5)
    direction = np.linalg.solve((actions.T * weights) @ actions, actions[0] - actions[1])
    shares = linear_designs.shares(actions.tolist(), [Fraction(int(w)) for w in weights], 0, 1)
    assert [float(x) for x in shares] == pytest.approx(weights * np.abs(actions @ direction), abs=1e-12)


@pytest.mark.parametrize("actions", [PARALLEL, [[1, 0], [1, 1]], [[2, 1], [0, 3]]])
@pytest.mark.parametrize("rate", [0, Fraction(1, 3)])
def test_the_limit_of_rho_is_approached_at_finite_pulls(actions, rate):
    a, star = (np.array([float(x) for x in row]) for row in actions)
    horizon = 1e8
    pulls = np.array([rate * horizon if rate else math.log(horizon) ** 2, horizon], dtype=float)
    g = pulls[0] * np.outer(a, a) + pulls[1] * np.outer(star, star)
    dual = np.array([-star[1], star[0]])
    h = np.linalg.inv(g) if rate else np.outer(dual, dual)
    move = a - star
    rho = (move @ np.linalg.solve(g, move)) / (move @ h @ move) * (pulls @ np.abs(np.array([a, star]) @ h @ move))
    assert float(printed_lemma(actions, rate)[0]) == pytest.approx(rho, rel=1e-4)


def test_parallel_actions_have_no_limit():
    with pytest.raises(InvalidInput, match="with a finite limit"):
        printed_lemma([[1, 2], [2, 4]], 0)


@pytest.mark.parametrize("policy", [["random", 3, 3, 2], ["response", Fraction(4), 3, 2]])
def test_expected_pulls_are_those_of_all_runs(policy):
    kernel, chances = policy_named(policy), stats.norm.cdf([0.5, -0.25])

    def pulls(history):
        if len(history) == kernel.horizon:
            return np.bincount([arm for arm, _ in history], minlength=2).astype(float)
        return sum(
            float(chance) * (chances[arm] if bit else 1 - chances[arm]) * pulls((*history, (arm, bit)))
            for arm, chance in enumerate(kernel.probability(history))
            for bit in (0, 1)
        )

    found = linear_designs.expected_pulls(policy, [Fraction(1, 2), Fraction(-1, 4)])
    assert [float(x) for x in found] == pytest.approx(pulls(()), abs=1e-12)


# ------------------------------------------------------------------------------------------------------------ LinUCB


def test_linucb_follows_its_pseudo_code():
    actions, theta, horizon = np.array([[1.0, 0], [0.6, 0.8], [-0.5, 0.5]]), np.array([0.3, 0.4]), 40
    found = play(np.random.default_rng(5), actions, theta, horizon, 1, (1.0,))
    noise, v, total, regret, held = np.random.default_rng(5), np.eye(2), np.zeros(2), 0.0, True
    for _ in range(horizon):
        estimate = np.linalg.solve(v, total)
        radius = np.linalg.norm(theta) + math.sqrt(2 * math.log(10) + np.linalg.slogdet(v)[1])
        held &= (estimate - theta) @ v @ (estimate - theta) <= radius**2
        index = [estimate @ a + radius * math.sqrt(a @ np.linalg.solve(v, a)) for a in actions]
        chosen = actions[int(np.argmax(index))]
        regret += (actions @ theta).max() - chosen @ theta
        total = total + chosen * (chosen @ theta + noise.standard_normal(1)[0])
        v = v + np.outer(chosen, chosen)
    assert found["regret"][0] == pytest.approx(regret) and bool(found["held"][0, 0]) == bool(held)


# --------------------------------------------------------------------------------------------------------- Edgeworth


def test_hermite_polynomials_are_those_of_numpy():
    for m in range(10):
        assert float(asymptotics.hermite(m, Fraction(7, 5))) == pytest.approx(hermite_e.hermeval(1.4, [0] * m + [1]))


def test_the_expansion_of_order_three_matches_a_third_route():
    """Terms of order nu <= 3 of exp(sum_j lambda_j (-D)^j / j! n^(-(j-2)/2)) applied to phi, as numbers."""
    skew, kurtosis, fifth, x = 0.7, 0.3, -0.2, 0.4
    he = [hermite_e.hermeval(x, [0] * m + [1]) for m in range(10)]
    third = fifth / 120 * he[5] + skew * kurtosis / 144 * he[7] + skew**3 / 1296 * he[9]
    found = asymptotics.polynomial_part(3, x, {3: skew, 4: kurtosis, 5: fifth})
    assert found == pytest.approx(third)


def test_the_second_order_error_of_gamma_sums_is_that_of_scipy():
    n, x = 400, Fraction(1, 2)
    density = math.sqrt(n) * stats.gamma(n).pdf(n + math.sqrt(n) * 0.5)
    normal = stats.norm.pdf(0.5)
    expected = n * (density - normal * (1 + 2 / 6 * (0.125 - 1.5) / math.sqrt(n)))
    assert asymptotics.second_order_error(n, x, 6) == pytest.approx(expected, abs=1e-7)


def peaked(x):
    return 1 / (2 * abs(x) * math.log(abs(x)) ** 2)


@pytest.mark.parametrize("depth", [4, 6, 9])
def test_the_convolution_of_the_peaked_law_is_at_least_the_stated_bound(depth):
    y = math.exp(-depth)
    # only the part of the convolution with one summand in (-y/2, y/2), both signs, in u = log(1/|x|)
    part, _ = integrate.quad(
        lambda u: (peaked(y - math.exp(-u)) + peaked(y + math.exp(-u))) / (2 * u**2), math.log(2 / y), np.inf
    )
    assert 0 < float(asymptotics.density_near_zero(2, depth)) <= part
    assert float(asymptotics.density_near_zero(1, depth)) == pytest.approx(peaked(y))


@pytest.mark.parametrize("n", [1, 2, 7, 50])
@pytest.mark.parametrize("m", [1, 30])
def test_the_peak_of_the_density_grows_as_the_closed_form_says(n, m):
    """log of sqrt(n) e^D / (30 (2 D)^(n + 1)) <= log of the computed peak, and it is at least D/4."""
    depth = asymptotics.depth_for(n, m)
    closed = math.log(n) / 2 + depth - math.log(30) - (n + 1) * math.log(2 * depth)
    left, _, right = asymptotics.error_stays(n, m, Fraction(1, 4))
    assert float(left) >= closed - 1e-9 and closed > depth / 4 == float(right)
