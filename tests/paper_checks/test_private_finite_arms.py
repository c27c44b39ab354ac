"""Oracles behind the claims on the finite-armed private algorithms, by other routes; no verdict is tested here."""

from fractions import Fraction
from itertools import product
from math import exp, log, pi, sqrt

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from banditproof.claims import REGISTER, load
from banditproof.paper_checks.rdp import app_a_privacy, s1_introduction, s3_definitions, s3_table_1, s6_contextual
from banditproof.paper_checks.thesis.app_c_proofs import c1_privacy
from banditproof.paper_checks.thesis.facts import block_releases as finite_episodes
from banditproof.theory.numbers.numeric import to_ball
from banditproof.verify.runs.recorded import budget_of

pytestmark = pytest.mark.usefixtures("precision")


ITEMS = """ALG-A-TREE ALG-A-DPUCB ALG-S5.1a ALG-S5.1b ALG-S5.1c ALG-S5.1d ALG-A-DPSE ALG-A-DPSE-BAI ALG-A-SE ALG-S5.2a
ALG-TB5.1 ALG-A7 ALG-E5.1x ALG-T5.2 ALG-EQ5.1 ALG-EQ5.2 ALG-A-ADAPUCB ALG-A-ADAPKLUCB ALG-S5.2e ALG-A-LAZYDPTS
ALG-A-NP-UCB ALG-EQ5.4 ALG-A-ADACUCB ALG-T5.5 ALG-R5.7 ALG-LC.1 ALG-PC.1.2 ALG-RC.1 ALG-S-C1.3a ALG-S-C1.3d
RDP-S1 RDP-A1 RDP-S2 RDP-S3 RDP-D1 RDP-T2 RDP-EQ-M RDP-D3 RDP-R0 RDP-TB1 RDP-EQ5 RDP-A2 RDP-T4 RDP-T5 RDP-C6 RDP-S4
RDP-R2 RDP-S9 RDP-L11 RDP-PF1 RDP-PF1b RDP-L12 RDP-PF2 RDP-L18 RDP-L19 RDP-D20 RDP-L21 RDP-L22""".split()


def test_random_policies_of_the_paper_give_every_arm_a_chance():
    kernel = s3_definitions.policy(2, 2, 3)
    assert all(min(kernel.probability(history)) > 0 for history in kernel.histories())


def test_every_item_of_the_two_catalogues_is_registered_and_something_decides_it():
    load()
    assert [item for item in ITEMS if item not in REGISTER] == []
    with_parts = {claim.parent for claim in REGISTER.values() if claim.role in ("part", "edge")}
    bare = [c for c in map(REGISTER.__getitem__, ITEMS) if c.check is None and c.not_checkable is None]
    assert [c.id for c in bare if c.id not in with_parts] == []


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


# ----------------------------------------------------------------------------------------------------------------- RDP


@pytest.mark.parametrize("change", [0, 1])
def test_the_second_episode_is_long_as_often_as_a_direct_integral_says(change):
    s = 0.7

    def density(z):
        return exp(-z * z / 2) / sqrt(2 * pi) * norm.sf(z) * norm.sf(z - change / s)

    direct = 2 * quad(density, -12, 12)[0]
    found = app_a_privacy.long_second_episode(change, to_ball("0.7"))
    assert float(found.mid()) == pytest.approx(direct, rel=1e-9)
    assert change or direct == pytest.approx(2 / 3)


def test_an_episode_on_unit_vectors_ends_when_the_determinant_has_doubled():
    ridge, counts = 1.5, np.array([3.0, 2.0])
    pulls = s6_contextual.pulls_at_the_update(3, Fraction(3, 2))
    dets = [np.linalg.det(np.diag(ridge + np.array([n, counts[1]]))) for n in (3, pulls - 1, pulls)]
    assert dets[1] <= 2 * dets[0] < dets[2]


def test_private_terms_are_squares_of_the_printed_ones(relation):
    left, _, right = relation("RDP-S1/finite-arms-cost")(3.0, 0.5, 7.0)
    assert (left, right) == (pytest.approx((3 * sqrt(0.5 * 7)) ** 2), pytest.approx((3 * sqrt(0.5) * 7) ** 2))


def test_budgets_are_read_from_their_names():
    assert str(budget_of(["rdp", 2, "1/4"])) == "rdp(epsilon=0.25, order=2.0)"


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
    assert c1_privacy.telling_law(5, adversary, table) == want and sum(want.values()) == 1


def test_linear_prices_are_squares_of_the_printed_ones(relation):
    d, price, K, T = 3.0, 0.5, 20, 1000
    k, L, M = log(K), log(T), log(K * T)
    main, cell = (sqrt(float(relation("RDP-TB1/linear-main-text")(k, L)[i])) for i in (0, 2))
    assert main == pytest.approx(sqrt(log(K * T * log(T)) * log(T))) and cell == pytest.approx(M**1.5)
    cell, main = (sqrt(float(s3_table_1.same_as_main_text(k, L, 1)[i])) for i in (0, 2))
    assert main == pytest.approx(sqrt(log(K * T * log(T)) * log(T))) and cell == pytest.approx(M**1.5)
    cost, headline = (sqrt(relation("RDP-S1/linear-cost")(d, price, k, L)[i]) for i in (0, 2))
    assert cost == pytest.approx(d**2 * sqrt(price) * M**1.5)
    assert headline == pytest.approx(d**2 * (1 + k) ** 1.5 * sqrt(L) * sqrt(price) * L)
    here, there = (sqrt(s3_table_1.linear_tables(d, price, M, 1)[i]) for i in (0, 2))
    assert here / there == pytest.approx(d) and here == pytest.approx(cost)
    free, order = (sqrt(relation("RDP-S1/linear-free-part")(d, T, k, L)[i]) for i in (0, 2))
    assert free == pytest.approx(sqrt(d * T * M)) and order == pytest.approx(sqrt(d * (1 + k) * L) * sqrt(T))


def test_contextual_prices_are_squares_of_the_printed_ones():
    d, price, L = 3.0, 0.5, log(1000)
    left, _, right = s1_introduction.uniformly_in_the_dimension(d, price, L, 5, 1)
    assert (left, right) == (pytest.approx((d**2 * sqrt(price) * L**2) ** 2), pytest.approx(25 * price * L**4))
