"""Where bounds of private adversarial bandits apply, and what the parameters of the algorithms solve."""

import math

import pytest

from banditproof.theory.bounds.adversarial import (
    adversarial_bounds,
    barrier_terms,
    batched_exp4_parameters,
    exp3_parameters,
    ftpl_parameters,
    local_exp4_parameters,
)

K, N, T, EPSILON, DELTA = 10, 8, 10**8, 0.1, 1e-6
D, L = -math.log(DELTA), math.log(N * T)


def test_bounds_apply_within_their_printed_conditions_only():
    bounds = adversarial_bounds(10, horizon=100, epsilon="1/200", experts=8)
    assert [name for name in bounds if bounds[name].applies] == ["trivial", "minimax", "experts-local"]
    assert bounds.best is bounds["trivial"]
    assert "1/T <= epsilon" in bounds["htinf"].why and "gamma <= 1" in bounds["exp3"].why
    assert "experts-batched" not in bounds.bounds


def test_parameters_solve_what_they_are_chosen_for():
    m = EPSILON * K * T
    rate, mixing = exp3_parameters(K, T, EPSILON)
    assert rate**2 * 22 * m * math.log(m) ** 2 == pytest.approx(math.log(K))
    assert mixing == pytest.approx(4 * rate * K * math.log(m))
    scale, cap = ftpl_parameters(K, T, EPSILON)
    assert cap**2 == pytest.approx(m) and scale <= 1 / (cap * (1 + 4 * math.log(EPSILON * T)))
    rate, mixing = local_exp4_parameters(K, N, T, EPSILON)
    assert math.log(N) / rate == pytest.approx(3 * rate * K * T * (1 + 10 * (math.log(K * T) / EPSILON) ** 2))
    parameters = batched_exp4_parameters(K, N, T, EPSILON, DELTA)
    a = (N * D) ** (1 / 6) * (L * math.log(N) / EPSILON) ** (1 / 3)
    assert parameters.rate == pytest.approx(a / (T ** (1 / 3) * K**0.5))
    assert parameters.batch * math.log(N) / parameters.rate == pytest.approx(a * K**0.5 * T ** (2 / 3))
    proved = batched_exp4_parameters(K, N, T, EPSILON, DELTA, as_proved=True)
    assert proved.mixings[0] == pytest.approx(parameters.mixings[0] * D ** (1 / 3))
    assert barrier_terms(100, 0.5, 0.1, 4, 1)[1] == pytest.approx((1 - math.exp(0.5) / 2) * 2.5 - 2)
