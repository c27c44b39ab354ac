"""The relations behind the claims on private finite-armed algorithms, by other routes; no verdict is tested here."""

from fractions import Fraction
from itertools import product
from math import log, sqrt

import numpy as np
import pytest
from scipy.stats import binom, laplace, norm

from banditproof.paper_checks.shared.episodes import printed_index
from banditproof.paper_checks.shared.noise import redrawn_divergence
from banditproof.paper_checks.thesis.ch5_algorithms import s5_1_dp_ucb as dp_ucb
from banditproof.paper_checks.thesis.ch5_algorithms import s5_2_privacy as privacy
from banditproof.paper_checks.thesis.ch5_algorithms import s5_4_3_dp_se as dp_se_best_arm
from banditproof.paper_checks.thesis.ch5_algorithms.facts import OneDraw, bonus, pulls_of_an_arm, real_pulls
from banditproof.paper_checks.thesis.ch5_algorithms.s5_2_comparison import charge_of_a_reward
from banditproof.paper_checks.thesis.ch5_algorithms.s5_2_episodes import confidence_of_the_example
from banditproof.paper_checks.thesis.ch5_algorithms.s5_3_1_adac_ucb import approximate_run
from banditproof.paper_checks.thesis.facts.episodes import literal_episodes
from banditproof.theory.numbers.numeric import to_ball
from banditproof.verify import RecordingNoise

pytestmark = pytest.mark.usefixtures("precision")


def test_the_nodes_of_a_reward_are_as_many_as_there_are_levels():
    assert [dp_ucb.nodes_of_a_reward(T) for T in (2, 3, 4, 5)] == [2, 2, 3, 3]


@pytest.mark.parametrize("horizon", [2, 3, 8, 13, 32])
def test_the_program_releases_the_nodes_that_are_counted(horizon):
    noise = RecordingNoise(np.random.default_rng(0))
    dp_ucb.one_tree(horizon, 1, noise)
    most = max(sum(release.covers(time) for release in noise.releases) for time in range(horizon))
    assert most == dp_ucb.nodes_of_a_reward(horizon)
    exponent = horizon.bit_length() - 1
    held = [dp_ucb.nodes_with(reward, horizon, exponent) for reward in range(horizon)]
    assert held == [sum(release.covers(reward) for release in noise.releases) for reward in range(horizon)]


def test_one_draw_moves_the_answers_whose_cover_uses_its_node():
    """Node number 1 of the tree is closed by the second reward: it is used at 2 and 3, no longer at 4."""
    exact = dp_ucb.one_tree(4, Fraction(1), OneDraw(-1))
    moved = dp_ucb.one_tree(4, Fraction(1), OneDraw(1)) - exact
    assert exact.tolist() == [1, 2, 3, 4] and moved.tolist() == [0, 3, 3, 0]


def test_the_bonus_of_dp_ucb_is_the_printed_one():
    found = float(bonus(7, to_ball("0.5"), 1000, to_ball(2)).mid())
    deep = log(2000)
    assert found == pytest.approx(sqrt(2 * deep / 7) + sqrt(8) * log(1000) ** 1.5 * deep / (0.5 * 7), rel=1e-12)


def test_sure_rewards_are_pulled_as_often_as_the_two_certificates_say():
    """UCB with a = 2 log(2/delta) and no noise, pull by pull, against the bounds from below and from above."""
    gap, T = 0.25, 3000
    a = 2 * log(2 * T**2)
    pulls = np.array([1, 1])
    for _ in range(T - 2):
        pulls[np.argmax(np.array([-gap, 0.0]) + np.sqrt(a / pulls))] += 1
    epsilon = Fraction(10**12)
    below = dp_ucb.least_regret(to_ball("1/4"), T, to_ball(epsilon), int(pulls[0]))[0]
    beyond = dp_ucb.least_regret(to_ball("1/4"), T, to_ball(epsilon), int(pulls[0]) + 3)[0]
    above = dp_ucb.regret_from_above(to_ball("1/4"), T, to_ball(epsilon), 8, 4, 2)[0]
    assert float(below.mid()) == pytest.approx(gap * pulls[0], rel=1e-9) and beyond == 0
    assert gap * pulls[0] <= float(above.mid()) <= a / gap + 1


def test_epochs_of_dp_se_have_the_length_of_the_formula():
    wanted = max(32 * log(8 * 5 * 9 / 0.01) * 64, 8 * log(4 * 5 * 9 / 0.01) * 8 / 0.001)
    found = real_pulls(5, 3, Fraction(1, 1000), Fraction(1, 100))
    assert float(found.mid()) == pytest.approx(wanted, rel=1e-12)


def test_an_arm_is_pulled_through_the_epoch_of_its_gap():
    found = float(pulls_of_an_arm(Fraction(3, 10), 2, None, Fraction(1, 10)).mid())
    first, second = (32 * log(16 * e**2 / 0.1) * 4**e for e in (1, 2))
    assert found == pytest.approx(first + second + 2, rel=1e-12)  # 2^-2 <= 0.3 < 2^-1


def test_the_order_of_samples_has_the_stated_exponent():
    point = (Fraction(1, 10), 4, 2, Fraction(1), Fraction(1, 2))
    left, _, minus = dp_se_best_arm.samples_and_order(*point, 1, -2)
    assert float(minus.mid()) == pytest.approx((log(2 * (1 + log(10) / log(2)) * 2) + 1) * (100 + 10), rel=1e-12)
    assert left > 0


def test_literal_episodes_of_the_example():
    episodes = literal_episodes(2, [0, 0, 1, 0], 10, 2)
    assert episodes == [(0, 1, 1), (1, 2, 2), (0, 3, 3), (0, 4, 5), (1, 6, 6), (0, 7, 10)]


def test_the_index_of_the_example_fails_as_often_as_a_direct_sum_says():
    mu, epsilon, n, t, beta = 0.6, 0.4, 2, 7, 3.1
    width = sqrt(beta * log(t) / (2 * n)) + beta * log(t) / (epsilon * n)
    direct = sum(binom.pmf(k, n, mu) * laplace.cdf(mu - width - k / n, scale=1 / (n * epsilon)) for k in range(n + 1))
    left, _, _ = confidence_of_the_example(to_ball("0.6"), to_ball("0.4"), 1, n, t, "3.1")
    assert float(left.mid()) == pytest.approx(direct * t**beta, rel=1e-9)


def test_printed_indices_by_hand():
    L = 3.1 * log(20)
    pure = printed_index("adap-ucb", to_ball("0.3"), 4, 20, ["pure", "0.5"])
    zcdp = printed_index("adac-ucb", to_ball("0.3"), 4, 20, ["zcdp", "0.5"])
    rdp = printed_index("adar-ucb", to_ball("0.3"), 4, 20, ["rdp", 3, "0.5"])
    assert float(pure.mid()) == pytest.approx(0.3 + sqrt(L / 8) + L / (0.5 * 4), rel=1e-12)
    assert float(zcdp.mid()) == pytest.approx(0.3 + sqrt((1 / 8 + 1 / (0.5 * 16)) * L), rel=1e-12)
    assert float(rdp.mid()) == pytest.approx(0.3 + sqrt((1 / 8 + 3 / (0.5 * 16)) * L), rel=1e-12)


@pytest.mark.parametrize(
    ("episodes", "stored", "loss"), [(1, 1, 0.595), (2, 1, 0.853), (3, 1, 0.9995), (1, 0, 0.595), (2, 0, 1.189)]
)
def test_the_loss_of_an_idle_arm(episodes, stored, loss):
    """log-ratios of "arm 2 in the first m episodes", less epsilon = 1."""
    left = privacy.excess_of_an_idle_arm(episodes, Fraction(1), stored)
    assert float(left) + 1 == pytest.approx(loss, abs=6e-4)


def test_actions_that_are_no_run_of_algorithm_7_have_no_path():
    with pytest.raises(StopIteration):
        privacy.path_of([0, 1, 0, 0, 1])


def test_the_divergence_with_new_noise_is_the_sum_over_two_decisions():
    """T = 4: decisions at 3 and 4; after the first the loser's old mean is compared with a fresh one."""
    b, order, rewards = 0.5, 2.0, (0, 1, 1)

    def wins(mean, other):  # equal lengths, equal widths
        return norm.cdf((mean - other) / sqrt(2 * b))

    moments = 0.0
    for a, c in product((0, 1), repeat=2):
        chance = []
        for first in (0, 1):
            means = [0, 0]  # rewards 1 and 2; the helper starts with sums 0 and 0, the first one changed
            means[0] = first
            p = wins(means[a], means[1 - a])
            means[a] = rewards[2]
            chance.append(p * wins(means[c], means[1 - c]))
        moments += chance[1] * (chance[0] / chance[1]) ** order
    found = redrawn_divergence(to_ball(2), to_ball("0.5"), 4)
    assert float(found.mid()) == pytest.approx(log(moments), rel=1e-9)


def test_noise_and_width_of_the_approximate_variant():
    width, scale = approximate_run(Fraction(1), Fraction(1, 10))
    b = 2 * log(12.5)
    assert scale == pytest.approx(sqrt(b)) and width == pytest.approx(sqrt((1 / 16 + 2 * b / 64) * log(100)))


def test_a_reward_of_a_block_is_charged_for_its_nodes_and_for_the_sum_of_the_block():
    """Reward 5 begins the block of four, whose tree of three levels has a node of each that holds it."""
    assert charge_of_a_reward(1, 2, Fraction(1, 2), Fraction(1, 4)) == Fraction(3, 4)
