"""Coupled environments and interactive zCDP of finite policies, against plain enumeration in floats."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest

from banditproof.theory.errors import InvalidInput
from banditproof.verify.finite.channels import random_channel
from banditproof.verify.finite.coupled_play import coupled_play, output_law, product_law, relative_entropy, sum_along
from banditproof.verify.finite.kernels import FiniteKernel, random_kernel, randomised_response_kernel
from banditproof.verify.privacy.interactive_rho import strongest_interactive_rho
from banditproof.verify.privacy.policy_privacy import verify_policy_privacy

MEANS, OTHERS = (Fraction(1, 2), Fraction(1, 5)), (Fraction(1, 4), Fraction(4, 5))


def laws_of_actions(kernel, means):
    """The law of the actions by walking the tree of histories in floats."""
    reached = {(): 1.0}
    for _ in range(kernel.horizon):
        reached = {
            (*history, (arm, r)): weight * float(p) * float(means[arm] if r else 1 - means[arm])
            for history, weight in reached.items()
            for arm, p in enumerate(kernel.probability(history))
            for r in (0, 1)
        }
    law = dict.fromkeys(kernel.action_sequences(), 0.0)
    for history, weight in reached.items():
        law[tuple(arm for arm, _ in history)] += weight
    return law


@pytest.mark.parametrize("seed", range(3))
def test_divergence_of_actions_agrees_with_the_tree_of_histories(seed):
    kernel = random_kernel(seed, 3, 2)
    left, right = laws_of_actions(kernel, MEANS), laws_of_actions(kernel, OTHERS)
    expected = sum(p * math.log(p / right[a]) for a, p in left.items())
    assert float(coupled_play(kernel, MEANS, OTHERS).kl_of_actions()) == pytest.approx(expected, rel=1e-12)


def test_moments_follow_from_a_walk_with_two_rewards_per_pull():
    kernel = random_kernel(1, 3, 2)
    first = second = squares = 0.0
    for path in itertools.product(itertools.product(range(2), (0, 1), (0, 1)), repeat=3):
        weight, history = 1.0, ()
        for arm, heard, other in path:
            p, q = float(MEANS[arm]), float(OTHERS[arm])
            cell = {(0, 0): 1 - max(p, q), (1, 1): min(p, q), (1, 0): max(p - q, 0), (0, 1): max(q - p, 0)}
            weight *= float(kernel.probability(history)[arm]) * cell[heard, other]
            history = (*history, (arm, heard))
        differing = sum(heard != other for _, heard, other in path)
        exposed = sum(abs(float(MEANS[arm] - OTHERS[arm])) for arm, _, _ in path)
        first, second, squares = (
            first + weight * differing,
            second + weight * differing**2,
            squares + weight * exposed**2,
        )
    coupled = coupled_play(kernel, MEANS, OTHERS)
    assert float(coupled.distance_moment(1, 3)) == pytest.approx(first)
    assert float(coupled.exposure_moment(1, 3)) == pytest.approx(first)
    assert float(coupled.distance_moment(2, 3)) == pytest.approx(second)
    assert float(coupled.exposure_moment(2, 3)) == pytest.approx(squares)


def test_arms_must_fit_the_policy():
    kernel = random_kernel(0, 2, 2)
    with pytest.raises(InvalidInput, match="arms"):
        coupled_play(kernel, ["1/2"], ["1/2", "1/2"])
    with pytest.raises(InvalidInput, match="other_arms"):
        coupled_play(kernel, ["1/2", "1/2"], ["1/2", {2: 1}])


def test_output_law_mixes_the_mechanism_over_the_data():
    channel = random_channel(3, 2)
    data = product_law([{0: Fraction(1, 3), 1: Fraction(2, 3)}] * 2)
    mixed = output_law(channel, data)
    weights = {(0, 0): 1, (0, 1): 2, (1, 0): 2, (1, 1): 4}
    assert all(mixed[o] == sum(w * channel.laws[d][o] for d, w in weights.items()) / 9 for o in mixed)


def test_divergence_is_infinite_where_an_outcome_is_impossible():
    assert not relative_entropy({0: Fraction(1)}, {1: Fraction(1)}).is_finite()


@pytest.mark.parametrize("seed", range(3))
def test_the_strongest_adversary_contains_every_table(seed):
    kernel = random_kernel(seed, 3, 2)
    tables = verify_policy_privacy(kernel, "interactive").rho
    strongest = strongest_interactive_rho(kernel)
    assert tables.lower <= strongest.upper
    assert strongest.upper >= tables.upper - Fraction(1, 10**6)


def test_rho_of_one_randomised_response_is_its_largest_quotient():
    import mpmath

    p = mpmath.mpf(3) / 4

    def quotient(a):
        return mpmath.log(p**a * (1 - p) ** (1 - a) + (1 - p) ** a * p ** (1 - a)) / (a - 1) / a

    best = max(quotient(1 + mpmath.mpf(k) / 1000) for k in range(1, 5000))
    rho = strongest_interactive_rho(randomised_response_kernel(2, 2, Fraction(3)))
    limit = (2 * p - 1) * mpmath.log(3)  # at order 1
    assert float(rho.upper) == pytest.approx(float(max(best, limit)), rel=1e-6)


def test_rho_is_zero_or_infinite_where_rewards_are_ignored_or_repeated():
    deaf = FiniteKernel(2, 2, (0, 1), lambda history: (Fraction(1, 2), Fraction(1, 2)))
    assert strongest_interactive_rho(deaf).upper == 0
    loud = FiniteKernel(
        2, 2, (0, 1), lambda h: (Fraction(1), Fraction(0)) if h and h[0][1] else (Fraction(0), Fraction(1))
    )
    assert strongest_interactive_rho(loud).lower == math.inf


def test_sum_along_adds_the_rows_of_both_histories():
    kernel = random_kernel(2, 3, 2)
    total = 0.0
    for t in range(3):
        left, right = (kernel.probability(tuple(zip((0, 1)[:t], x[:t], strict=True))) for x in ((1, 0), (0, 0)))
        total += sum(float(a) * math.log(a / b) for a, b in zip(left, right, strict=True))
    assert float(sum_along(kernel, (0, 1, 0), (1, 0, 0), (0, 0, 0))) == pytest.approx(total)
