"""Oracles behind the claims on the finite-armed private algorithms, by other routes; no verdict is tested here."""

from fractions import Fraction
from itertools import product
from math import exp, log, pi, sqrt

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import binom, laplace, norm

from banditproof.paper_checks import (
    finite_episodes,
    rdp_adar_ucb,
    rdp_definitions,
    rdp_linear_prices,
    rdp_prices,
    rdp_regret,
    recorded_privacy,
    thesis_dp_se,
    thesis_dp_se_best_arm,
    thesis_dp_ucb,
    thesis_episodic_indices,
    thesis_episodic_privacy,
    thesis_episodic_ucb,
    thesis_privacy_proof,
    thesis_private_wrapper,
)
from banditproof.paper_checks.register import REGISTER
from banditproof.theory.numeric import to_ball, working_precision


@pytest.fixture(autouse=True)
def precision():
    with working_precision(128):
        yield


ITEMS = """ALG-A-TREE ALG-A-DPUCB ALG-S5.1a ALG-S5.1b ALG-S5.1c ALG-S5.1d ALG-A-DPSE ALG-A-DPSE-BAI ALG-A-SE ALG-S5.2a
ALG-TB5.1 ALG-A7 ALG-E5.1x ALG-T5.2 ALG-EQ5.1 ALG-EQ5.2 ALG-A-ADAPUCB ALG-A-ADAPKLUCB ALG-S5.2e ALG-A-LAZYDPTS
ALG-A-NP-UCB ALG-EQ5.4 ALG-A-ADACUCB ALG-T5.5 ALG-R5.7 ALG-LC.1 ALG-PC.1.2 ALG-RC.1 ALG-S-C1.3a ALG-S-C1.3d
RDP-S1 RDP-A1 RDP-S2 RDP-S3 RDP-D1 RDP-T2 RDP-EQ-M RDP-D3 RDP-R0 RDP-TB1 RDP-EQ5 RDP-A2 RDP-T4 RDP-T5 RDP-C6 RDP-S4
RDP-R2 RDP-S9 RDP-L11 RDP-PF1 RDP-PF1b RDP-L12 RDP-PF2 RDP-L18 RDP-L19 RDP-D20 RDP-L21 RDP-L22""".split()


def test_random_policies_of_the_paper_give_every_arm_a_chance():
    kernel = rdp_definitions.policy(2, 2, 3)
    assert all(min(kernel.probability(history)) > 0 for history in kernel.histories())


def test_every_item_of_the_two_catalogues_is_registered_and_something_decides_it():
    assert [item for item in ITEMS if item not in REGISTER] == []
    with_parts = {claim.parent for claim in REGISTER.values() if claim.role in ("part", "edge")}
    bare = [c for c in map(REGISTER.__getitem__, ITEMS) if c.check is None and c.not_checkable is None]
    assert [c.id for c in bare if c.id not in with_parts] == []


# ------------------------------------------------------------------------------------------------------- DP-UCB, DP-SE


def test_levels_count_binary_digits():
    assert [thesis_dp_ucb.levels(T) for T in (1, 2, 3, 4, 7, 8, 10**7)] == [1, 2, 2, 3, 3, 4, 24]


def test_the_change_of_all_nodes_is_the_number_of_levels():
    assert [thesis_dp_ucb.change_of_nodes(T) for T in (2, 3, 4, 5)] == [2, 2, 3, 3]


def test_one_draw_moves_the_answers_whose_cover_uses_its_node():
    """Node number 1 of the tree is closed by the second reward: it is used at 2 and 3, no longer at 4."""
    exact = thesis_dp_ucb.one_tree(4, Fraction(1), thesis_dp_ucb.OneDraw(-1))
    moved = thesis_dp_ucb.one_tree(4, Fraction(1), thesis_dp_ucb.OneDraw(1)) - exact
    assert exact.tolist() == [1, 2, 3, 4] and moved.tolist() == [0, 3, 3, 0]


def test_the_bonus_of_dp_ucb_is_the_printed_one():
    found = float(thesis_dp_ucb.bonus(7, to_ball("0.5"), 1000, to_ball(2)).mid())
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
    below = thesis_dp_ucb.regret_from_below(to_ball("1/4"), T, to_ball(epsilon), 8, 4, 2, int(pulls[0]))[0]
    beyond = thesis_dp_ucb.regret_from_below(to_ball("1/4"), T, to_ball(epsilon), 8, 4, 2, int(pulls[0]) + 3)[0]
    above = thesis_dp_ucb.regret_from_above(to_ball("1/4"), T, to_ball(epsilon), 8, 4, 2)[0]
    assert float(below.mid()) == pytest.approx(gap * pulls[0], rel=1e-9) and beyond == 0
    assert gap * pulls[0] <= float(above.mid()) <= a / gap + 1


def test_epochs_of_dp_se_have_the_length_of_the_formula():
    wanted = max(32 * log(8 * 5 * 9 / 0.01) * 64, 8 * log(4 * 5 * 9 / 0.01) * 8 / 0.001)
    found = thesis_dp_se.real_pulls(5, 3, Fraction(1, 1000), Fraction(1, 100))
    assert float(found.mid()) == pytest.approx(wanted, rel=1e-12)


def test_an_arm_is_pulled_through_the_epoch_of_its_gap():
    found = float(thesis_dp_se.pulls_of_an_arm(Fraction(3, 10), 2, None, Fraction(1, 10)).mid())
    first, second = (32 * log(16 * e**2 / 0.1) * 4**e for e in (1, 2))
    assert found == pytest.approx(first + second + 2, rel=1e-12)  # 2^-2 <= 0.3 < 2^-1


def test_the_order_of_samples_has_the_stated_exponent():
    point = (Fraction(1, 10), 2, Fraction(1), Fraction(1, 2))
    left, _, minus = thesis_dp_se_best_arm.samples_and_order(*point, 1, -2)
    assert float(minus.mid()) == pytest.approx((log(2 * (1 + log(10) / log(2)) * 2) + 1) * (100 + 10), rel=1e-12)
    assert left > 0


# ---------------------------------------------------------------------------------------------------------- Algorithm 7


def test_literal_episodes_of_the_example():
    episodes = thesis_episodic_ucb.literal_episodes(2, [0, 0, 1, 0], 10, 2)
    assert episodes == [(0, 1, 1), (1, 2, 2), (0, 3, 3), (0, 4, 5), (1, 6, 6), (0, 7, 10)]


def test_the_index_of_the_example_fails_as_often_as_a_direct_sum_says():
    mu, epsilon, n, t, beta = 0.6, 0.4, 2, 7, 3.1
    width = sqrt(beta * log(t) / (2 * n)) + beta * log(t) / (epsilon * n)
    direct = sum(
        binom.pmf(k, n, mu) * laplace.cdf(mu - width - k / n, scale=1 / (n * epsilon)) for k in range(n + 1)
    )  # fmt: skip
    left, _, _ = thesis_episodic_ucb.index_below_the_mean(to_ball("0.6"), to_ball("0.4"), n, t, "3.1", 1)
    assert float(left.mid()) == pytest.approx(direct * t**beta, rel=1e-9)


def test_printed_indices_by_hand():
    L = 3.1 * log(20)
    pure = thesis_episodic_indices.printed_index("adap-ucb", to_ball("0.3"), 4, 20, ["pure", "0.5"])
    zcdp = thesis_episodic_indices.printed_index("adac-ucb", to_ball("0.3"), 4, 20, ["zcdp", "0.5"])
    rdp = thesis_episodic_indices.printed_index("adar-ucb", to_ball("0.3"), 4, 20, ["rdp", 3, "0.5"])
    assert float(pure.mid()) == pytest.approx(0.3 + sqrt(L / 8) + L / (0.5 * 4), rel=1e-12)
    assert float(zcdp.mid()) == pytest.approx(0.3 + sqrt((1 / 8 + 1 / (0.5 * 16)) * L), rel=1e-12)
    assert float(rdp.mid()) == pytest.approx(0.3 + sqrt((1 / 8 + 3 / (0.5 * 16)) * L), rel=1e-12)


@pytest.mark.parametrize(
    ("episodes", "stored", "loss"), [(1, 1, 0.595), (2, 1, 0.853), (3, 1, 0.9995), (1, 0, 0.595), (2, 0, 1.189)]
)
def test_the_loss_of_an_idle_arm(episodes, stored, loss):
    """log-ratios of "arm 2 in the first m episodes", less epsilon = 1."""
    left, _, _ = thesis_episodic_privacy.loss_of_an_idle_arm(episodes, Fraction(1), stored)
    assert float(left.mid()) + 1 == pytest.approx(loss, abs=6e-4)


def test_actions_that_are_no_run_of_algorithm_7_have_no_path():
    with pytest.raises(StopIteration):
        thesis_episodic_privacy.path_of([0, 1, 0, 0, 1])


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
    found = thesis_episodic_privacy.redrawn_divergence(to_ball(2), to_ball("0.5"), 4)
    assert float(found.mid()) == pytest.approx(log(moments), rel=1e-9)


# ------------------------------------------------------------------------------------------------------ privacy proofs


@pytest.mark.parametrize("adversary", [0, 3])
def test_laws_of_finite_episodes_have_mass_one_and_begin_with_each_arm_once(adversary):
    law = finite_episodes.action_law(5, adversary, finite_episodes.random_table(2, 6))
    assert sum(law.values()) == 1 and {actions[:2] for actions in law} == {(0, 1)}


def test_finite_episodes_by_hand_for_one_decision():
    """T = 3: the third arm is drawn from the symbols of the first two rewards."""
    table = ((1, 0), (0, 1), (0, 0))
    law, want = finite_episodes.action_law(7, 0, table), {0: Fraction(0), 1: Fraction(0)}
    for s, t in product((0, 1), repeat=2):
        weight = finite_episodes.release_law(7, 1, 1)[s] * finite_episodes.release_law(7, 1, 1)[t]
        for arm, share in enumerate(finite_episodes.random_law(7, ("choose", (s, t), (1, 1)), 2)):
            want[arm] += weight * share
    assert {actions[2]: p for actions, p in law.items()} == want


def test_an_adversary_changes_the_law_where_it_asks_for_other_arms():
    table = finite_episodes.random_table(1, 6)
    laws = {tuple(sorted(finite_episodes.action_law(1, b, table).items())) for b in range(6)}
    assert len(laws) > 1


def test_noise_and_width_of_the_approximate_variant():
    width, scale = thesis_privacy_proof.approximate_run(Fraction(1), Fraction(1, 10))
    b = 2 * log(12.5)
    assert scale == pytest.approx(sqrt(b)) and width == pytest.approx(sqrt((1 / 16 + 2 * b / 64) * log(100)))


def test_the_hybrid_counter_charges_the_first_reward_of_an_unfinished_block_for_its_nodes_only():
    """Of rewards 5 to 7 in the block of four the first is in two nodes of three levels."""
    assert thesis_private_wrapper.charge_without_horizon(8, Fraction(1, 2))[0] == 1
    assert thesis_private_wrapper.charge_without_horizon(7, Fraction(2))[0] == Fraction(4, 3)


# ----------------------------------------------------------------------------------------------------------------- RDP


@pytest.mark.parametrize("change", [0, 1])
def test_the_second_episode_is_long_as_often_as_a_direct_integral_says(change):
    s = 0.7

    def density(z):
        return exp(-z * z / 2) / sqrt(2 * pi) * norm.sf(z) * norm.sf(z - change / s)

    direct = 2 * quad(density, -12, 12)[0]
    found = rdp_adar_ucb.long_second_episode(change, to_ball("0.7"))
    assert float(found.mid()) == pytest.approx(direct, rel=1e-9)
    assert change or direct == pytest.approx(2 / 3)


def test_an_episode_on_unit_vectors_ends_when_the_determinant_has_doubled():
    ridge, counts = 1.5, np.array([3.0, 2.0])
    pulls = rdp_regret.pulls_at_the_update(3, Fraction(3, 2))
    dets = [np.linalg.det(np.diag(ridge + np.array([n, counts[1]]))) for n in (3, pulls - 1, pulls)]
    assert dets[1] <= 2 * dets[0] < dets[2]


def test_private_terms_are_squares_of_the_printed_ones():
    left, _, right = rdp_prices.private_terms(3.0, 0.5, 7.0, 2, 1)
    assert (left, right) == (pytest.approx((3 * sqrt(0.5 * 7)) ** 2), pytest.approx((3 * sqrt(0.5) * 7) ** 2))


def test_budgets_are_read_from_their_names():
    assert str(recorded_privacy.budget_of(["rdp", 2, "1/4"])) == "rdp(epsilon=0.25, order=2.0)"


@pytest.mark.parametrize("adversary", [0, 3])
def test_the_telling_policy_plays_the_symbol_it_has_just_released(adversary):
    """Every sequence of symbols is played step by step; its weight is the product of the releases it needs."""
    table = finite_episodes.random_table(4, 6)
    want = {}
    for symbols in product((0, 1), repeat=6):
        view, counts, weight, arm, used = [], [0, 0], Fraction(1), 0, 0
        while True:
            start, n = len(view), max(counts[arm], 1)
            view += [arm] * min(n, 6 - start)
            if len(view) == 6:
                break
            bits = [table[t][finite_episodes.asked(adversary, tuple(view[: t + 1]))] for t in range(start, len(view))]
            symbol = symbols[used]
            weight *= finite_episodes.release_law(5, n, sum(bits))[symbol]
            counts[arm], used = counts[arm] + n, used + 1
            arm = symbol if counts[1] else 1
        if not any(symbols[used:]):  # symbols that were not needed are counted once
            want[tuple(view)] = want.get(tuple(view), 0) + weight
    assert thesis_privacy_proof.telling_law(5, adversary, table) == want and sum(want.values()) == 1


def test_linear_prices_are_squares_of_the_printed_ones():
    d, price, K, T = 3.0, 0.5, 20, 1000
    k, L, M = log(K), log(T), log(K * T)
    main, cell = (sqrt(float(rdp_linear_prices.main_text(k, L, 1)[i])) for i in (0, 2))
    assert main == pytest.approx(sqrt(log(K * T * log(T)) * log(T))) and cell == pytest.approx(M**1.5)
    cell, main = (sqrt(float(rdp_linear_prices.main_text_attained(k, L, 1)[i])) for i in (0, 2))
    assert main == pytest.approx(sqrt(log(K * T * log(T)) * log(T))) and cell == pytest.approx(M**1.5)
    cost, headline = (sqrt(rdp_linear_prices.linear_cost(d, price, k, L, 1)[i]) for i in (0, 2))
    assert cost == pytest.approx(d**2 * sqrt(price) * M**1.5)
    assert headline == pytest.approx(d**2 * (1 + k) ** 1.5 * sqrt(L) * sqrt(price) * L)
    here, there = (sqrt(rdp_linear_prices.both_tables(d, price, M, 1)[i]) for i in (0, 2))
    assert here / there == pytest.approx(d) and here == pytest.approx(cost)
    free, order = (sqrt(rdp_linear_prices.linear_free(d, T, k, L, 1)[i]) for i in (0, 2))
    assert free == pytest.approx(sqrt(d * T * M)) and order == pytest.approx(sqrt(d * (1 + k) * L) * sqrt(T))


def test_contextual_prices_are_squares_of_the_printed_ones():
    d, T, price, L = 3.0, 1000.0, 0.5, log(1000)
    left, _, right = rdp_linear_prices.contextual_cost(d, T, price, L, 0, 2)
    assert left == pytest.approx((d * L * sqrt(T)) ** 2 + (d**2 * sqrt(price) * L**2) ** 2)
    assert right == pytest.approx((2 * d * sqrt(T)) ** 2 + (2 * d**2 * sqrt(price) * L) ** 2)
    left, _, right = rdp_linear_prices.uniform_cost(d, price, L, 5, 1)
    assert (left, right) == (pytest.approx((d**2 * sqrt(price) * L**2) ** 2), pytest.approx(25 * price * L**4))
