"""Every public function of numbers answers exact arguments with an enclosure, which contains what floats give."""

import inspect
from dataclasses import is_dataclass
from fractions import Fraction

import pytest
from flint import arb

from banditproof import theory
from banditproof.theory import Enclosure, InvalidInput
from banditproof.theory.best_arm.thresholds import private_threshold
from banditproof.theory.numbers.enclosure import Valued
from banditproof.theory.numbers.numeric import exactly
from banditproof.theory.tables import NamedBounds

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
OF_SYSTEMS = {"absolute", "clip01", "maximum", "minimum", "where"}  # of exact numbers these are exact
MEANS, ROWS, HALVES = ["0.9", "0.5"], [["1", 0], [0, "1"], ["0.5", "0.25"]], {0: F(1, 2), 1: F(1, 2)}
GAME = {"horizon": 2, "epsilon": "1"}
CERTIFIED = {
    "characteristic_time": lambda: theory.characteristic_time(means=MEANS, epsilon="0.5"),
    "adap_klucb_regret_bound": lambda: theory.adap_klucb_regret_bound(MEANS, "0.5", 4, 1000),
    "adap_klucb_term": lambda: theory.adap_klucb_term("0.2", "0.5", "0.5", 4),
    "adversarial_bounds": lambda: theory.adversarial_bounds(4, horizon=100, epsilon="0.5"),
    "regret_lower_bound": lambda: theory.regret_lower_bound(MEANS, "0.25", 1000),
    "minimax_lower_bound": lambda: theory.minimax_lower_bound(2, horizon=1000, epsilon="0.5"),
    "privacy_regime_change": lambda: theory.privacy_regime_change(2, horizon=1000),
    "sample_complexity_lower_bound": lambda: theory.sample_complexity_lower_bound(MEANS, "0.1", epsilon="0.5"),
    "regret_upper_bound": lambda: theory.regret_upper_bound("AdaP-UCB", MEANS, 5000, theory.Budget.pure(1)),
    "exact_identification_error": lambda: theory.exact_identification_error([MEANS], **GAME),
    "exact_minimax_regret": lambda: theory.exact_minimax_regret([MEANS], **GAME),
    "minimax_regret_over_means": lambda: theory.minimax_regret_over_means([(0, 1), (0, 1)], 1, ratio=2),
    "printed_bounds_beside": lambda: theory.printed_bounds_beside(theory.exact_minimax_regret([MEANS], **GAME)),
    "least_square_distance": lambda: theory.least_square_distance([(F(1, 2), 2)], [(F(1, 4), 2)]),
    "action_span_ratios": lambda: theory.action_span_ratios(ROWS, 0),
    "basis_ratios": lambda: theory.basis_ratios(ROWS, 0),
    "linear_regret_alternatives": lambda: theory.linear_regret_alternatives(ROWS, ["1", "0.5"], "0.5"),
    "linear_regret_constant": lambda: theory.linear_regret_constant(ROWS, ["1", "0.5"], "0.5"),
    "comb": lambda: theory.comb(5, 2),
    "factorial": lambda: theory.factorial(5),
    "exp": lambda: theory.exp("0.5"),
    "log": lambda: theory.log("0.5"),
    "log1p": lambda: theory.log1p("0.5"),
    "sqrt": lambda: theory.sqrt("0.5"),
    "least": lambda: theory.least([F(1, 2), F(1, 3)]),
    "most": lambda: theory.most(["0.5", "1/3"]),
    "least_integer": lambda: theory.least_integer(F(5, 2)),
    "ratio": lambda: theory.ratio(1, 3),
    "to_ball": lambda: Enclosure.from_ball(theory.to_ball("1/3")),
    "total": lambda: theory.total(lambda k: F(1, k), 1, 3),
    "counting_error": lambda: theory.counting_error("binary tree", 3, 9, "0.5").tail("1/3"),
    "usefulness": lambda: theory.usefulness("binary tree", 9, "1", "0.1"),
    "dyadic_cover": lambda: theory.dyadic_cover(11),
    "tree_levels": lambda: theory.tree_levels(9),
    "coupling_kl_bounds": lambda: theory.coupling_kl_bounds(["0.5"], ["0.4"], "0.5"),
    "maximal_coupling": lambda: theory.maximal_coupling("0.5", "0.4"),
    "optimal_coupling": lambda: theory.optimal_coupling(["0.5", "0.3"], ["0.4", "0.2"]),
    "tail_coefficients": lambda: theory.tail_coefficients(3),
    "trade_off_curve": lambda: theory.trade_off_curve(HALVES, {0: F(1)}).value(F(1, 3)),
    "optimal_transport": lambda: theory.optimal_transport(["0.5", "0.5"], ["0.4", "0.6"], [[0, 1], [1, 0]]).value,
    "sensitivity": lambda: theory.sensitivity(theory.statistics.mean(), ("0", "1"), n=3).value,
    "calibrate_laplace": lambda: theory.calibrate_laplace(theory.Budget.pure(0.3)).value,
    "calibrate_gaussian": lambda: theory.calibrate_gaussian(theory.Budget.zcdp(0.3)).value,
}
ROUNDED = {  # whose answers are budgets of floats, rounded to the safe side, or a design with its gap; or there is none
    *("budget_of_group", "compose", "compose_advanced", "compose_in_parallel", "convert", "least_noise"),
    *("sharp_epsilon_of_zcdp", "g_optimal_design", "register_ball_pickling", "working_precision"),
}


def asks_numbers(name):
    function = getattr(theory, name)
    parameters = inspect.signature(function).parameters if inspect.isfunction(function) else {}
    return any("Number" in str(parameter.annotation) for parameter in parameters.values())


PUBLIC = [name for name in theory.__all__ if name not in OF_SYSTEMS and asks_numbers(name)]


def leaves(result):
    if is_dataclass(result) and not isinstance(result, Enclosure):
        result = tuple(vars(result).values())
    return [leaf for part in result for leaf in leaves(part)] if isinstance(result, tuple) else [result]


def test_every_public_function_has_its_place_here():
    functions = {name for name in theory.__all__ if inspect.isfunction(getattr(theory, name))}
    assert {*PUBLIC, *OF_SYSTEMS, *CERTIFIED, *ROUNDED} == functions


def numbers_of(result):
    if isinstance(result, NamedBounds):
        return [number for bound in result.values() for number in numbers_of(bound)]
    if isinstance(result, dict):
        return [number for part in result.values() for number in numbers_of(part)]
    return [result.value] if isinstance(result, Valued) else leaves(result)


@pytest.mark.parametrize("name", CERTIFIED)
def test_exact_arguments_give_enclosures_or_exact_numbers(name):
    numbers = [number for number in numbers_of(CERTIFIED[name]()) if number is not None]
    assert numbers and all(isinstance(number, Enclosure | int | Fraction) for number in numbers)


@pytest.mark.parametrize("name", PUBLIC)
def test_exact_arguments_of_every_kind_give_one_enclosure_around_the_float(name):
    function = getattr(theory, name)
    needed = [n for n, one in inspect.signature(function).parameters.items() if one.default is one.empty]
    exact = {n: (VALUES | OTHERS.get(name, {}))[n] for n in needed}
    given = {
        "text": {n: value if n in COUNTS else str(value) for n, value in exact.items()},
        "Fractions": exact,
        "enclosures": {n: value if n in COUNTS else Enclosure.outward(value) for n, value in exact.items()},
    }
    rounded = {n: float(value) if n not in COUNTS else value for n, value in exact.items()}
    numbers = leaves(function(**rounded))
    certified = leaves(function(**given["text"]))
    assert len(certified) == len(numbers) and not any(isinstance(value, float | arb) for value in certified)
    for value, number in zip(certified, numbers, strict=True):
        if isinstance(value, Enclosure):
            assert float(value) == pytest.approx(float(number), rel=1e-12) and value.width < 1e-12 * max(1, number)
        else:
            assert isinstance(value, str | bool | int | Fraction) and value == number
    assert leaves(function(**given["Fractions"])) == certified
    for value, other in zip(leaves(function(**given["enclosures"])), certified, strict=True):
        assert (value - other).contains(0) if isinstance(value, Enclosure) else value == other


def test_a_formula_goes_on_with_a_result():
    half = F(1, 2) * theory.kl_bernoulli(F(1, 3), F(1, 4))
    assert half == theory.kl_bernoulli("1/3", "1/4") / 2 and theory.log(half) < 0
    assert theory.d_epsilon(half, "1/2", 1) < theory.d_epsilon(half, "1/2", 2)
    assert str(theory.kl_bernoulli(0, 1)) == "inf" and not theory.kl_inf("0.7", "0.3")


def test_equal_numbers_whose_ends_differ_are_told_of():
    with pytest.warns(UserWarning, match="asks for the same ends; these may be equal"):
        assert theory.tv_inf("0.3", "0.7") != theory.tv_inf("0.2", "0.6")


def test_beside_a_float_the_result_is_a_float():
    assert isinstance(theory.d_epsilon("1/3", 1, 0.5), float)
    assert isinstance(private_threshold(8.0, 64.0, 0.1, 2, 0.5), float)


def test_a_ball_goes_out_only_where_one_came_in():
    third = theory.to_ball("1/3")
    assert isinstance(theory.kl_bernoulli(third, "1/4"), arb) and isinstance(theory.log(third), arb)
    with exactly():
        assert isinstance(theory.kl_bernoulli(F(1, 3), F(1, 4)), arb)


@pytest.mark.parametrize("use", ["theory.log('-1')", "theory.sqrt('-1')", "theory.log('nan')"])
def test_where_a_function_has_no_value_it_says_so(use):
    with pytest.raises(InvalidInput, match="of these arguments must be a number, got 'nan'"):
        eval(use, {"theory": theory})
