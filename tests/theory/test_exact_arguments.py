"""In every public function of numbers text gives a ball, and ints and Fractions alone the float that it encloses."""

import inspect
from dataclasses import is_dataclass
from fractions import Fraction

import pytest
from flint import arb

from banditproof import theory

F = Fraction
VALUES = {
    "p": F(1, 3),
    "q": F(1, 2),
    "x": F(1, 3),
    "y": F(1, 2),
    "z": F(2, 5),
    "mean": F(1, 3),
    "target": F(1, 2),
    "lam": F(1, 4),
    "level": F(1, 10),
    "epsilon": F(1, 2),
    "delta": F(1, 100),
    "slack": F(1, 100),
    "alpha": F(1, 4),
    "sigma": 2,
    "mu": F(1, 2),
    "rho": F(1, 2),
    "order": 3,
    "divergence": F(1, 2),
    "u": 2,
    "n": 20,
    "m": 2,
    "k": 3,
    "size": 2,
    "distance": 2,
}
SUMS = dict.fromkeys(("private_chernoff_bound", "private_chernoff_constant", "clean_private_chernoff_bound"), {"x": 15})
OTHERS = SUMS | {
    name: {"alpha": 2} for name in ("renyi_bernoulli", "renyi_exponential", "renyi_gaussian", "renyi_poisson")
}
COUNTS = {"n", "m", "k", "size", "distance"}  # which are ints
ALWAYS_BALLS = {"group_kl_bound", "noisy_sum_tail"}
OF_SYSTEMS = {"absolute", "clip01", "maximum", "minimum", "where"}  # of exact numbers these are exact


def asks_numbers(name):
    function = getattr(theory, name)
    parameters = inspect.signature(function).parameters if inspect.isfunction(function) else {}
    return any("Number" in str(parameter.annotation) for parameter in parameters.values())


PUBLIC = [name for name in theory.__all__ if name not in OF_SYSTEMS and asks_numbers(name)]


def leaves(result):
    if is_dataclass(result):
        result = tuple(vars(result).values())
    return [leaf for part in result for leaf in leaves(part)] if isinstance(result, tuple) else [result]


@pytest.mark.parametrize("name", PUBLIC)
def test_text_gives_balls_and_fractions_alone_give_the_float(name):
    function = getattr(theory, name)
    needed = [n for n, one in inspect.signature(function).parameters.items() if one.default is one.empty]
    exact = {n: (VALUES | OTHERS.get(name, {}))[n] for n in needed}
    texts = {n: value if n in COUNTS else str(value) for n, value in exact.items()}
    rounded = {n: float(value) if isinstance(value, Fraction) else value for n, value in exact.items()}
    numbers = leaves(function(**rounded))
    certified = leaves(function(**texts))
    assert len(certified) == len(numbers) and not any(isinstance(value, float) for value in certified)
    for value, number in zip(certified, numbers, strict=True):
        if isinstance(value, arb):
            assert float(value) == pytest.approx(float(number), rel=1e-12) and float(value.rad()) < 1e-12
        else:
            assert isinstance(value, str | bool | int | Fraction) and value == number
    for value, number in zip(leaves(function(**exact)), numbers, strict=True):
        assert isinstance(value, arb) == (name in ALWAYS_BALLS)
        assert value == number if isinstance(value, str) else float(value) == pytest.approx(float(number), rel=1e-12)


def test_fractions_alone_are_floats_which_formulas_multiply_by_fractions():
    assert isinstance(F(1, 2) * theory.kl_bernoulli(F(1, 3), F(1, 4)), float)
    with pytest.raises(TypeError, match="unsupported operand"):
        F(1, 2) * theory.kl_bernoulli("1/3", "1/4")


def test_beside_a_float_the_result_is_a_float():
    assert isinstance(theory.d_epsilon("1/3", 1, 0.5), float)
