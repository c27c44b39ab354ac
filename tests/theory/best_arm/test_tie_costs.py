"""What two arms pay for a tie: against minimisation, the certified game, enclosed tails and the promised shares."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import optimize, special

from banditproof.theory import characteristic_time, d_epsilon, d_epsilon_extended, noisy_sum_tail
from banditproof.theory.best_arm.tie_costs import phase_share, tie_allocation, tie_cost, tie_threshold
from banditproof.theory.numbers.numeric import to_ball


def tie_of(high, low, count, other, epsilon):
    """The least cost of a tie, by search."""

    def paid(log_odds):
        m = special.expit(log_odds)
        return float(count * d_epsilon(high, m, epsilon) + other * d_epsilon(low, m, epsilon))

    ends = special.logit(np.clip([low, high], 1e-15, 1 - 1e-15))
    return optimize.minimize_scalar(paid, bounds=ends, method="bounded", options={"xatol": 1e-10}).fun


def test_ties_cost_what_a_search_finds():
    random, cases = np.random.default_rng(0), 100
    low, high = np.sort(random.random((2, cases)), axis=0)
    low, high = low * (random.random(cases) > 0.1), np.where(random.random(cases) < 0.1, 1.0, high)
    count, other, epsilon = 10 ** (random.random((3, cases)) * 5 - [[0], [0], [3]])
    found = tie_cost(high, low, count, other, epsilon)
    searched = [tie_of(*case) for case in zip(high, low, count, other, epsilon, strict=True)]
    assert found == pytest.approx(searched, rel=1e-6) and (found <= np.array(searched) * (1 + 1e-12)).all()


def test_who_does_not_lead_pays_nothing_and_without_privacy_it_is_kl():
    assert tie_cost(*map(np.array, (0.2, 0.4, 3.0, 5.0, 1.0))) == 0
    kl = float(characteristic_time(means=["0.6", "0.4"]).value.lower)
    assert [float(tie_cost(0.6, 0.4, 1.0, 1.0, e)) for e in (500.0, np.inf)] == pytest.approx([2 / kl] * 2, rel=1e-12)


@pytest.mark.parametrize(
    ("means", "epsilon", "loss"),
    [
        (["0.9", "0.8", "0.5"], "0.2", 1e-3),
        (["0.75", "0.7", "0.7", "0.5"], "0.05", 1e-3),
        (["0.1", "0.3", "0.5", "0.7", "0.9"], "10", 0.02),
        (["0.95", "0.9", "0.9", "0.9", "0.5"], "0.01", 1e-3),
        (["0.3", "1", "0"], "0.3", 0.06),
    ],
)
def test_the_allocation_earns_what_the_certified_game_is_worth(means, epsilon, loss):
    values, best = np.array([float(m) for m in means]), int(np.argmax([float(m) for m in means]))
    shares = tie_allocation(values[np.newaxis], np.array([[float(epsilon)]]))[0]
    others = np.arange(len(means)) != best
    earned = tie_cost(values[best], values[others], shares[best], shares[others], float(epsilon)).min()
    whole = characteristic_time(means=means, epsilon=epsilon, divergence="d_epsilon").value
    assert 1 - loss <= earned * float(whole.upper) <= 1 + 1e-9 and math.isclose(shares.sum(), 1)


def points():
    random = np.random.default_rng(3)
    for _ in range(60):
        n, mean, epsilon = (
            int(random.integers(1, 60)),
            Fraction(int(random.integers(1, 20)), 20),
            Fraction(int(random.integers(1, 40)), 10),
        )
        yield n, mean, epsilon, n * mean + Fraction(int(random.integers(0, 4 * n + 9)), 4)


def test_the_cost_of_a_mean_is_at_most_exponential_and_no_larger_budget_is():
    """In balls; with twice the budget the bound fails."""
    holds = {1: [], 2: []}
    for n, mean, epsilon, x in points():
        tail = noisy_sum_tail(n, 1, mean, epsilon, x)
        for factor, known in holds.items():
            exponent = -n * d_epsilon_extended(x / n, mean, to_ball(epsilon * factor))
            known.append(bool(tail <= exponent.exp()))
    assert all(holds[1]) and not all(holds[2])


def test_two_exponential_costs_reach_the_threshold_with_the_risk():
    for share, delta, arms in ((0.5, 0.1, 2), (1e-6, 1e-10, 100), (1.0, 0.9, 2)):
        c = tie_threshold(share, delta, arms)
        assert math.log1p(c) - c == pytest.approx(math.log(delta * share / (arms - 1)), rel=1e-12)


def test_the_shares_of_all_phases_add_up_to_one():
    counts = 2.0 ** np.arange(400)
    assert phase_share(1.0) + phase_share(counts).sum() + 3 / (2 * 402) == pytest.approx(1, rel=1e-12)
