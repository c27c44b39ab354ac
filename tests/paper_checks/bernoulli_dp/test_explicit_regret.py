"""The explicit regret bounds against exact laws, direct sums in mpmath, and what happens on simulated paths."""

import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from scipy import optimize

from banditproof.algorithms import DPIMED, DPKLUCB, BernoulliBandit, GeometricBatches, NoiseSource, simulate
from banditproof.claims.trees import stored
from banditproof.paper_checks.bernoulli_dp.facts import regret as explicit
from banditproof.theory import Budget, InvalidInput, d_epsilon, noisy_sum_tail, regret_lower_bound, to_ball

DOUBLING = GeometricBatches(2, 1)
POLICIES = {"DP-IMED": DPIMED, "DP-KLUCB": DPKLUCB}


pytestmark = pytest.mark.usefixtures("precision")


def divergence(x, y, epsilon):
    """d_epsilon by minimising its definition in floating point, x <= y."""

    def objective(z):
        hit = z * math.log(z / y) if z else 0.0
        return epsilon * (z - x) + hit + (1 - z) * math.log((1 - z) / (1 - y))

    minimum = optimize.minimize_scalar(objective, bounds=(x, y), method="bounded", options={"xatol": 1e-12})
    return min(minimum.fun, objective(x), objective(y))


def prefactor(n, m, growth):
    """A_m after batch m, in mpmath."""
    return (mpmath.e * max(mpmath.mpf(1), mpmath.mpf(growth) * n / (m + 1))) ** (m + 1)


def direct_sum(batches, weights, growth, rate):
    """The series term by term, until terms are negligible against the sum for long."""
    total, negligible = mpmath.mpf(0), 0
    for m, n in enumerate(batches.totals()):
        weight = sum(w * mpmath.mpf(n) ** k for k, w in enumerate(weights))
        term = weight * prefactor(n, m, growth) * mpmath.exp(-mpmath.mpf(rate) * n)
        total += term
        negligible = negligible + 1 if term < total * mpmath.mpf(10) ** -40 else 0
        if negligible == 10:
            return total


@pytest.mark.parametrize("alpha, n0", [("1.1", 1), ("3/2", 4), (2, 1), (5, 2)])
@pytest.mark.parametrize("weights", [[1, 0.5], [0, 1, 0.5]])
@pytest.mark.parametrize("growth, rate", [(0.001, 0.5), (0.3, 0.01), (4, 1e-6)])
def test_a_series_is_bounded_from_above_and_within_a_factor_of_three(alpha, n0, weights, growth, rate):
    batches = GeometricBatches(alpha, n0)
    bound = explicit.series_bound(batches, list(map(to_ball, weights)), to_ball(growth), to_ball(rate))
    direct = direct_sum(batches, weights, growth, rate)
    ratio = mpmath.mpf(str(bound.log().mid().str(30, radius=False))) - mpmath.log(direct)
    assert -1e-20 < ratio < math.log(3)  # the rest is replaced by twice its first term, which may be the largest


def test_a_series_that_may_diverge_is_refused():
    with pytest.raises(InvalidInput, match="rate"):
        explicit.series_bound(DOUBLING, [to_ball(1)], to_ball(1), to_ball(0))


@pytest.mark.parametrize("alpha, n0", [("1.1", 1), ("3/2", 1), ("7/3", 3), (2, 2)])
def test_the_batches_up_to_a_level_cost_at_most_alpha_times_it_and_one(alpha, n0):
    batches = GeometricBatches(alpha, n0)
    totals = list(itertools.islice(batches.totals(), 13))
    for level in sorted({Fraction(n) + shift for n in totals[:12] for shift in (0, Fraction(1, 3), -Fraction(1, 9))}):
        cost = sum(after - n for n, after in itertools.pairwise(totals) if n <= level)
        assert cost <= batches.alpha * level + 1
        cost = sum(after - n for n, after in itertools.pairwise(totals) if n < level - 1)
        assert cost <= batches.alpha * level


def largest_expectation(n, noises, best, y, epsilon, cells=200):
    """An upper bound of E[1{noisy mean < y} e^(n d([noisy mean], y))], from its exact law on cells."""
    ends = [y * k / cells for k in range(cells + 1)]
    below = [noisy_sum_tail(n, noises, best, epsilon, n * x, side="lower").ball() for x in ends]
    largest = [(n * d_epsilon(to_ball(x), to_ball(y), to_ball(epsilon))).exp() for x in ends]
    inner = zip(itertools.pairwise(below), largest[:-1], strict=True)  # the exponential falls in x
    return below[0] * largest[0] + sum(((after - before) * value for (before, after), value in inner), to_ball(0))


@pytest.mark.parametrize("best, y, epsilon", [("9/10", "1/2", "1"), ("1/2", "3/10", "4"), ("3/4", "7/10", "1/10")])
def test_every_term_before_convergence_exceeds_the_exact_expectation(best, y, epsilon):
    best, y, epsilon = Fraction(best), Fraction(y), Fraction(epsilon)
    rate, level = (divergence(float(a), float(best), float(epsilon)) for a in (y, 0))
    for m in range(5):
        n = DOUBLING.total(m)
        bound = (1 + n * level) * prefactor(n, m, float(epsilon * best)) * mpmath.exp(-n * rate)
        exact = largest_expectation(n, m + 1, best, y, epsilon)
        assert float(exact.upper()) <= float(bound)


@pytest.mark.parametrize("mean, x, epsilon", [("0", "1/5", "1"), ("1/10", "1/4", "4"), ("1/2", "3/5", "1/10")])
def test_every_term_after_convergence_exceeds_the_exact_tail(mean, x, epsilon):
    mean, x, epsilon = Fraction(mean), Fraction(x), Fraction(epsilon)
    rate = divergence(float(1 - x), float(1 - mean), float(epsilon)) if mean else float(epsilon * x)
    for m in range(7):
        n = DOUBLING.total(m)
        exact = noisy_sum_tail(n, m + 1, mean, epsilon, n * x)
        assert exact.floats[1] <= float(prefactor(n, m, float(epsilon * (x - mean))) * mpmath.exp(-n * rate))


@pytest.mark.parametrize("policy", POLICIES)
def test_the_bound_of_an_arm_is_put_together_as_derived(policy):
    mean, best, epsilon, share, batches = Fraction(1, 5), Fraction(4, 5), Fraction(1), Fraction(1, 4), DOUBLING
    x, y = 0.35, 0.65
    weights = [1, divergence(0, 0.8, 1)] if policy == "DP-KLUCB" else [0, 1, divergence(0, 0.8, 1)]
    before = direct_sum(batches, weights, 0.8, divergence(y, 0.8, 1))
    after = direct_sum(batches, [2, 1], 0.15, divergence(1 - x, 0.8, 1))
    bound = explicit.bound_for_arm(policy, mean, best, epsilon, batches, share)
    assert float(bound.slope) == pytest.approx(0.6 * 2 / divergence(x, y, 1), rel=1e-6)
    least = 0.6 * float(1 + 2 * before + (policy == "DP-IMED") + after + 1)
    assert least * (1 - 1e-6) <= float(bound.constant) <= 3 * least


# ------------------------------------------------------------------------------- the path-wise steps, on simulated runs


def decisions(policy, means, epsilon, batches, horizon, seed):
    """Every decision after the first batches: (noisy means, best index or mean, samples, arm, size of its batch)."""
    generator = np.random.default_rng(seed)
    player = POLICIES[policy](len(means), Budget.pure(epsilon), batches, NoiseSource(generator), replications=1)
    bandit = BernoulliBandit(means)
    while player.clock[0] < horizon:
        arm, count = player.next_batch()
        if (player.samples > 0).all():
            noisy = player.sums[0] / player.samples[0]
            indices = player.score(np.clip(noisy, 0, 1)[np.newaxis], player.samples)[0]
            leader = noisy.max() if policy == "DP-IMED" else indices.max()
            yield noisy, leader, player.samples[0].copy(), int(arm[0]), int(count[0])
        player.observe(bandit.sum_of_rewards(arm, count, generator), count)


def check_path(policy, means, epsilon, batches, horizon, seed, share):
    """Compare the pulls of every suboptimal arm with the bounds on its path; how many of its batches came early."""
    alpha, best, early = float(batches.alpha), max(means), 0
    top, path = means.index(best), list(decisions(policy, means, epsilon, batches, horizon, seed))
    for i in (i for i, mean in enumerate(means) if mean < best):
        x, y = means[i] + share * (best - means[i]), best - share * (best - means[i])
        level = math.log(horizon) / divergence(x, y, epsilon)
        largest, before, after = 0.0, 0, 0
        for noisy, leader, samples, arm, count in path:
            if noisy[top] < y:
                index = samples[top] * float(d_epsilon(max(noisy[top], 0), y, epsilon))
                largest = max(largest, math.exp(index) * (samples[top] if policy == "DP-IMED" else 1))
            if arm == i and leader < y:
                before, early = before + count, early + 1
            elif arm == i and samples[i] < level:
                after += count
            elif arm == i:
                assert noisy[i] >= x
        assert before <= alpha * largest + (policy == "DP-IMED")
        assert after <= alpha * level + 1
    return early


RUNS = [
    ("DP-IMED", (0.6, 0.4, 0.1), 0.2, "1.5"),
    ("DP-IMED", (0.8, 0.2), 4.0, 2),
    ("DP-IMED", (0.8, 0.8, 0.0), 2.0, 2),
    ("DP-KLUCB", (0.9, 0.05), 1.0, 2),
    ("DP-KLUCB", (0.9, 0.0), 4.0, "1.5"),
]


@pytest.mark.parametrize("policy, means, epsilon, alpha", RUNS)
def test_the_pulls_of_a_run_obey_the_bounds_on_its_path(policy, means, epsilon, alpha):
    batches = GeometricBatches(alpha, 1)
    early = [check_path(policy, means, epsilon, batches, 500, seed, share=0.1) for seed in range(200)]
    assert sum(early) >= 3  # otherwise the bound before convergence has hardly been tried


@pytest.mark.parametrize("policy", POLICIES)
def test_the_mean_regret_of_simulations_is_below_the_bound(policy):
    means, horizon = ("4/5", "3/5", "1/5"), 10**5
    seeds = [np.random.default_rng(s) for s in np.random.SeedSequence(5).spawn(2)]
    player = POLICIES[policy](3, Budget.pure(1.0), DOUBLING, NoiseSource(seeds[0]), replications=200)
    regret = simulate(player, BernoulliBandit([float(Fraction(m)) for m in means]), horizon, seeds[1]).regret
    bound = explicit.explicit_bound(policy, means, Fraction(1), DOUBLING, Fraction(1, 4))
    assert regret.mean() < float(bound.slope * math.log(horizon) + bound.constant)
    assert np.quantile(regret, 0.5) < float(bound.slope) * math.log(horizon)


# --------------------------------------------------------------------------------------------------- constants, claims


@pytest.mark.parametrize("means", explicit.MEANS.values())
@pytest.mark.parametrize("epsilon", explicit.BUDGETS)
def test_the_leading_constant_is_that_of_the_lower_bound_and_rises_with_the_share(means, epsilon):
    constant = explicit.leading_constant(means, Fraction(epsilon))
    lower = regret_lower_bound(list(means), epsilon=Fraction(epsilon))["d-epsilon"].constant
    assert float(constant) == pytest.approx(float(lower.lower), rel=1e-12)
    moved = [float(explicit.leading_constant(means, Fraction(epsilon), Fraction(1, 2**k))) for k in (3, 9, 30)]
    assert moved[0] > moved[1] > moved[2] > float(constant)
    assert moved[2] == pytest.approx(float(constant), rel=1e-6)


def test_the_instances_meet_both_privacy_regimes():
    points = itertools.product(explicit.MEANS.values(), map(Fraction, explicit.BUDGETS))
    bounds = [regret_lower_bound(list(means), epsilon=epsilon)["d-epsilon"] for means, epsilon in points]
    assert set(itertools.chain(*(bound.regimes for bound in bounds))) >= {"low", "high"}


def test_the_witnesses_are_the_first_that_are_enough():
    case = {"policy": "DP-IMED", "means": ("4/5", "1/5"), "n0": 1, "alpha": Fraction(2), "epsilon": Fraction(1)}
    witnesses = explicit.with_witnesses({**case, "slack": Fraction(1, 10)})
    target = 2 * explicit.leading_constant(case["means"], 1)
    bound = explicit.explicit_bound("DP-IMED", case["means"], Fraction(1), DOUBLING, witnesses["share"])
    assert bound.slope <= target * to_ball("1.05")
    larger = explicit.explicit_bound("DP-IMED", case["means"], Fraction(1), DOUBLING, 2 * witnesses["share"])
    assert larger.slope > target * to_ball("1.05")
    left, operator, right = explicit.explicit_regret(**witnesses, factor=1)
    assert operator == "<=" and left <= right
    assert bound.constant / to_ball(2) ** (witnesses["doublings"] - 1) > target * to_ball("0.05")


@pytest.mark.parametrize(
    "means, share, policy", [(("1", "1/2"), "1/4", "DP-IMED"), (("1/2", "1/4"), "1/2", "DP-IMED"),
                             (("1/2", "1/4"), "1/4", "UCB"), (("1/2", "-1/4"), "1/4", "DP-KLUCB")],
)  # fmt: skip
def test_what_the_bound_does_not_hold_for_is_refused(means, share, policy):
    with pytest.raises(InvalidInput):
        explicit.explicit_bound(policy, means, Fraction(1), DOUBLING, Fraction(share))


def test_the_bound_is_zero_without_a_suboptimal_arm():
    bound = explicit.explicit_bound("DP-IMED", ("0", "0"), Fraction(1), DOUBLING, Fraction(1, 4))
    assert bound.slope == 0 and bound.constant == 0


def test_a_certificate_with_a_horizon_that_is_too_small_is_not_accepted():
    case = {"policy": "DP-KLUCB", "means": ("4/5", "1/5"), "n0": 1, "alpha": Fraction(2), "epsilon": Fraction(1)}
    witnesses = explicit.with_witnesses({**case, "slack": Fraction(1, 10)})
    argument = {**explicit.ARGUMENT, "trees": stored("BDP-T4.3/explicit-constants")}
    held, _, total = explicit.explicit_bounds_hold({**argument, "cases": [witnesses]})
    assert held == total
    held, _, total = explicit.explicit_bounds_hold({**argument, "cases": [{**witnesses, "doublings": 3}]})
    assert held == total - 1
