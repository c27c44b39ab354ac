"""Instances are exact values, and the verbs of a Bernoulli arm are the divergences of its family."""

import pickle
from fractions import Fraction

import numpy as np
import pytest

from banditproof.theory import Bernoulli, Instance


def test_means_are_a_shorthand_for_bernoulli_arms():
    assert Instance(means=["0.7", 0.5]) == Instance([Bernoulli("0.7"), Bernoulli(0.5)])
    assert hash(Instance(means=[0.5])) == hash(Instance([Bernoulli(0.5)]))


def test_means_best_mean_and_gaps_are_exact():
    instance = Instance(means=["0.7", "2/3", np.float64(0.5), 0])
    assert instance.means == (Fraction(7, 10), Fraction(2, 3), Fraction(1, 2), Fraction(0))
    assert instance.best_mean == Fraction(7, 10)
    assert instance.gaps == (0, Fraction(1, 30), Fraction(1, 5), Fraction(7, 10))


def test_instances_are_immutable_and_pickle():
    instance = Instance(means=["0.7", 0.5])
    with pytest.raises(AttributeError):
        instance.arms = ()
    assert pickle.loads(pickle.dumps(instance)) == instance


def test_the_verbs_of_an_arm_are_sums_over_its_two_outcomes():
    p, q = np.array([0.7, 0.3]), np.array([0.75, 0.25])
    arm, better = Bernoulli(0.3), Bernoulli(0.25)
    assert arm.kl(better).floats == pytest.approx((np.sum(p * np.log(p / q)),) * 2, rel=1e-13)
    assert arm.tv(better).floats == pytest.approx((np.abs(p - q).sum() / 2,) * 2, rel=1e-13)
    assert float(Bernoulli(0.25).kl_inf(0.3)) == pytest.approx(np.sum(q * np.log(q / p)), rel=1e-13)
    assert float(Bernoulli(0.25).tv_inf(0.75)) == 0.5
    assert Bernoulli(0.25).d_inf(0.3, np.inf).value == Bernoulli(0.25).kl_inf(0.3).value
    assert float(Bernoulli(0.25).d_inf(1, 0.1)) == np.inf and float(Bernoulli(0.25).d_inf(0.2, 0.1)) == 0


def test_d_inf_is_the_double_infimum_over_bernoulli_pairs_on_a_grid():
    arm, target, epsilon = Bernoulli(0.25), 0.5, 0.4
    alternatives = target + np.linspace(1e-9, 0.5 - 1e-9, 400)[:, None]
    between = arm.mean.numerator / arm.mean.denominator + (alternatives - 0.25) * np.linspace(0, 1, 801)
    kl = between * np.log(between / alternatives) + (1 - between) * np.log((1 - between) / (1 - alternatives))
    grid_minimum = np.min(epsilon * (between - 0.25) + kl)
    assert float(arm.d_inf(target, epsilon)) == pytest.approx(grid_minimum, abs=1e-6)
    assert arm.d_inf(target, epsilon).value.upper <= grid_minimum
