"""What is no number, out of its domain or monstrous is refused by name or has a value: nothing is nan or endless."""

import math
from fractions import Fraction

import flint
import mpmath
import numpy as np
import pytest
import sympy

from banditproof import theory
from banditproof.theory import Budget, InvalidInput, to_ball

NAN, INF = math.nan, math.inf
FORMULAS = {
    "d_epsilon": (lambda v: theory.d_epsilon(v, 0.5, 1), "x"),
    "kl_bernoulli": (lambda v: theory.kl_bernoulli(v, 0.5), "p"),
    "kl_ucb_index": (lambda v: theory.kl_ucb_index(v, 0.1), "x"),
    "kl_poisson": (lambda v: theory.kl_poisson(v, 1), "x"),
    "kl_gaussian": (lambda v: theory.kl_gaussian(v, 1), "x"),
    "renyi_gaussian": (lambda v: theory.renyi_gaussian(0, 1, v), "alpha"),
    "privacy_regime": (lambda v: theory.privacy_regime(v, 0.5, 1), "x"),
    "d_epsilon_objective": (lambda v: theory.d_epsilon_objective(0.5, v, 0.5, 1), "x"),
    "clean_private_chernoff_bound": (lambda v: theory.clean_private_chernoff_bound(5, 1, 0.5, v, 4), "epsilon"),
    "laplace_sum_bound": (lambda v: theory.laplace_sum_bound(2, 1, v), "epsilon"),
    "laplace_sum_tail": (lambda v: theory.laplace_sum_tail(2, v), "u"),
    "noisy_sum_tail": (lambda v: theory.noisy_sum_tail(2, 1, v, 1, 1), "mu"),
    "gaussian_delta": (lambda v: theory.gaussian_delta(v, 1.0), "mu"),
    "classical_gaussian_variance": (lambda v: theory.classical_gaussian_variance(v, 0.1), "epsilon"),
    "classical_gaussian_holds": (lambda v: theory.classical_gaussian_holds(1, v), "delta"),
    "normal_cdf": (lambda v: theory.normal_cdf(v), "x"),
    "normal_quantile": (lambda v: theory.normal_quantile(v), "p"),
    "approximate_trade_off": (lambda v: theory.approximate_trade_off(v, 1.0, 0.1), "alpha"),
    "gaussian_trade_off": (lambda v: theory.gaussian_trade_off(v, 1.0), "alpha"),
    "advantage_bounds": (lambda v: theory.advantage_bounds(v), "epsilon"),
    "testing_region": (lambda v: theory.testing_region(v, 0.1), "epsilon"),
    "zcdp_of_pure": (lambda v: theory.zcdp_of_pure(v), "epsilon"),
    "sharp_zcdp_of_pure": (lambda v: theory.sharp_zcdp_of_pure(v), "epsilon"),
    "epsilon_of_zcdp": (lambda v: theory.epsilon_of_zcdp(v, 0.1), "rho"),
    "sharp_epsilon_of_zcdp": (lambda v: theory.sharp_epsilon_of_zcdp(v, 0.1), "rho"),
    "epsilon_of_renyi": (lambda v: theory.epsilon_of_renyi(2.0, v, 0.1), "divergence"),
    "group_variation": (lambda v: theory.group_variation(v, 2), "epsilon"),
    "group_kl_bound": (lambda v: theory.group_kl_bound(v, 2), "epsilon"),
    "group_delta": (lambda v: theory.group_delta(2, v, 0.1), "epsilon"),
    "advanced_epsilon": (lambda v: theory.advanced_epsilon(2, v, 0.1), "epsilon"),
    "worst_composed_delta": (lambda v: theory.worst_composed_delta(2, 1.0, 0.1, v), "target"),
    "Budget.pure": (Budget.pure, "epsilon"),
    "Gaussian": (theory.Gaussian, "mean"),
    "Instance": (lambda v: theory.Instance(means=[v, 0.5]), "mean"),
    "usefulness": (lambda v: theory.usefulness("binary tree", 9, 1, v), "beta"),
    "counting_error": (lambda v: theory.counting_error("binary tree", 1, 9, v), "epsilon"),
    "adap_klucb_term": (lambda v: theory.adap_klucb_term(0.2, 0.5, v, 4), ""),
    "to_ball": (to_ball, "value"),
}


KINDS = ["word", "hexadecimal", "complex", "none", "list", "object"]


@pytest.mark.parametrize("junk", ["abc", "0x10", 1j, None, [0.5, "a"], object()], ids=KINDS)
@pytest.mark.parametrize("name", FORMULAS)
def test_what_is_no_number_is_refused_by_name(name, junk):
    call, parameter = FORMULAS[name]
    with pytest.raises(InvalidInput, match=f"^{parameter}.* must be") as refused:
        call(junk)
    assert len(str(refused.value)) < 600


@pytest.mark.parametrize("name", FORMULAS)
def test_integers_beyond_every_float_are_refused_or_have_a_value(name):
    call, parameter = FORMULAS[name]
    try:
        value = call(10**400)
    except InvalidInput as refused:
        assert parameter in str(refused)
        return
    assert value is not None


def test_values_at_the_ends():
    assert theory.gaussian_delta(1e-300, 1.0) == 0
    assert theory.gaussian_delta(np.array([INF, 0.0]), 1.0).tolist() == [1, 0]
    assert theory.laplace_sum_tail(2, INF) == 0 and theory.laplace_sum_tail(2, -INF) == 1
    assert theory.laplace_sum_tail(3, np.array([-INF, 0.0, 1e308])).tolist() == [1.0, 0.5, 0.0]
    assert theory.laplace_sum_tail(2, to_ball(INF)) == 0 and theory.laplace_sum_tail(2, -mpmath.inf) == 1
    assert theory.laplace_sum_tail(2, sympy.oo) == 0
    half, third = sympy.Rational(1, 2), sympy.Rational(1, 3)
    assert sympy.simplify(theory.d_epsilon(half, third, sympy.oo) - theory.kl_bernoulli(half, third)) == 0
    assert theory.d_epsilon("1/3", 0.5, 1) == theory.d_epsilon(1 / 3, 0.5, 1)
    ball = theory.kl_bernoulli(flint.fmpq(1, 3), flint.fmpq(1, 2))
    assert ball.overlaps(theory.kl_bernoulli(to_ball(Fraction(1, 3)), to_ball("0.5")))
    assert theory.group_delta(10**9, 0.0, 1e-12) == pytest.approx(1e-3)
    assert theory.group_delta(4, to_ball("0.5"), to_ball("0.01")).overlaps(
        to_ball("0.01") * sum((to_ball(k) / 2).exp() for k in range(4))
    )
    assert float(theory.linear_regret_constant([[1, 0], [0, 1]], [1, "0.5"], "1e400").value.lower) == pytest.approx(4)


def test_collections_of_bounds_can_be_gone_through():
    bounds = theory.regret_lower_bound([0.5, 0.4], 1)
    assert list(bounds) == list(bounds.bounds) and [bounds[name].name for name in bounds] == list(bounds)
    assert "view" in theory.minimax_lower_bound(arms=2, horizon=10, epsilon=1)
