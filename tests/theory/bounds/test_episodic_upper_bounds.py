"""Bounds of the episodic family, episode by episode, against mpmath and against the printed bounds."""

from fractions import Fraction
from math import log, sqrt

import mpmath
import pytest

from banditproof.algorithms.finite.episodic import AdaPKLUCB
from banditproof.theory import Budget, Gaussian, Instance, InvalidInput, to_ball
from banditproof.theory.bounds.episodic_upper_bounds import leaving_point
from banditproof.theory.bounds.upper_bounds import has_upper_bound, regret_upper_bound

pytestmark = pytest.mark.filterwarnings("ignore:.*is hardly a promise")  # budgets at which noise hardly counts

T, BETA = 20_000, 3.5
L = log(T)
PAIRS = [("0.9", "0.4"), ("0.99", "0.01"), ("0.3", "0.29"), ("1", "0.5"), ("0.6", "0"), ("1", "0")]


def kl(p, q):
    terms = [(p, q), (1 - p, 1 - q)]
    return mpmath.fsum(a * mpmath.log(a / b) if b else mpmath.inf for a, b in terms if a)


def block_by_mpmath(separates):
    n = 1
    while 2 * n < T and not separates(n):
        n *= 2
    return n


def klucb_separates(mean, best, epsilon):
    def separates(n):
        level = BETA * L / n
        if kl(mean, best) <= level:
            return False
        x = best if best == 1 else mpmath.findroot(lambda z: kl(z, best) - level, (mean, best), solver="anderson")
        lowest = x - (1 + BETA) * L / (epsilon * n)
        return lowest > mean and n * kl(lowest, mean) >= L

    return separates


def ucb_separates(gap, epsilon):
    return lambda n: (1 + sqrt(BETA)) * sqrt(L / (2 * n)) + (1 + BETA) * L / (epsilon * n) <= gap


def gaussian_separates(gap, variance):
    return lambda n: (1 + sqrt(BETA)) * sqrt((1 / (2 * n) + 2 * variance / n**2) * L) <= gap


def shares(separates, gap, misled):
    return gap * min(T, 2 * block_by_mpmath(separates) + misled * BETA / (BETA - 3))


@pytest.mark.one_in(4)
@pytest.mark.parametrize("means", PAIRS)
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 50.0])
def test_the_episode_that_separates_is_the_one_found_in_floating_point(means, epsilon):
    best, mean = map(float, means)
    gap = best - mean
    for algorithm, budget, separates, misled in (
        ("adap-ucb", Budget.pure(epsilon), ucb_separates(gap, epsilon), 3),
        ("adap-klucb", Budget.pure(epsilon), klucb_separates(mean, best, epsilon), 3),
        ("adac-ucb", Budget.zcdp(epsilon), gaussian_separates(gap, 1 / (2 * epsilon)), 2),
        ("adar-ucb", Budget.rdp(4.0, epsilon), gaussian_separates(gap, 2 / epsilon), 2),
    ):
        bound = regret_upper_bound(algorithm, means, T, budget, beta=BETA)["episode by episode"]
        assert bound.applies
        assert float(bound.value.upper) == pytest.approx(shares(separates, gap, misled), rel=1e-9)


@pytest.mark.one_in(7)  # all means, every epsilon and every beta
@pytest.mark.parametrize("means", PAIRS)
@pytest.mark.parametrize("epsilon", [0.01, 0.25, 0.5, 1.0, 1000.0])
@pytest.mark.parametrize("beta", [3.001, 3.1, 5.0, 40.0])
def test_episode_by_episode_is_never_above_the_printed_bound(means, epsilon, beta):
    for algorithm, budget in (
        ("AdaP-UCB", Budget.pure(epsilon)),
        ("AdaC-UCB", Budget.zcdp(epsilon)),
        ("AdaP-KLUCB", Budget.pure(epsilon)),
    ):
        bounds = regret_upper_bound(algorithm, means, T, budget, beta=beta)
        assert bounds["episode by episode"].value.upper <= bounds["gap-dependent"].value.upper


def test_the_index_with_divergence_separates_no_later_than_the_one_with_widths():
    for means in PAIRS:
        by_kl, by_width = (
            regret_upper_bound(name, means, T, Budget.pure(0.5))["episode by episode"]
            for name in ("AdaP-KLUCB", "AdaP-UCB")
        )
        assert by_kl.value.upper <= by_width.value.upper


def test_adap_klucb_has_the_printed_bounds_of_adap_ucb():
    means, budget = ["0.75", "0.5", "0.25"], Budget.pure(0.3)
    ours, known = (regret_upper_bound(name, means, T, budget, beta=4) for name in ("AdaP-KLUCB", "AdaP-UCB"))
    for name in ("gap-dependent", "gap-free"):
        assert ours[name].value == known[name].value
    assert ours.best.name == "episode by episode"


def test_without_enough_optimism_the_bound_is_trivial_and_does_not_apply():
    bound = regret_upper_bound("AdaP-KLUCB", ["0.5", "0.25"], T, Budget.pure(1.0), beta=3)["episode by episode"]
    assert not bound.applies
    assert bound.why == "needs beta > 3"
    assert bound.value.upper == Fraction(T, 4)


def test_the_divergence_needs_bernoulli_arms():
    instance = Instance(arms=[Gaussian(0), Gaussian(1)])
    assert not regret_upper_bound("AdaP-KLUCB", instance, T, Budget.pure(1.0))["gap-free"].applies


def test_a_policy_is_known_and_a_wrong_budget_refused():
    policy = AdaPKLUCB(2, Budget.pure(1.0), beta=4.0)
    assert has_upper_bound(policy)
    assert regret_upper_bound(policy, ["0.5", "0.25"], T).best is not None
    with pytest.raises(InvalidInput, match="budget must be"):
        regret_upper_bound("AdaP-KLUCB", ["0.5", "0.25"], T, Budget.zcdp(1.0))


def test_the_point_where_an_index_leaves_a_mean_has_the_divergence_asked_for():
    point = leaving_point(to_ball("1/4"), to_ball("1/2"), to_ball("1/20"))
    assert float(kl(mpmath.mpf(float(point)), mpmath.mpf("0.5"))) == pytest.approx(0.05, abs=1e-12)
    assert leaving_point(to_ball("1/4"), to_ball("1/2"), to_ball(1)) is None
    assert leaving_point(to_ball("1/4"), to_ball(1), to_ball(10)) == 1
