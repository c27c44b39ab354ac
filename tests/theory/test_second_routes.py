"""Every quantity with a second route agrees with it at drawn points, and a wrong one would be noticed."""

import inspect
import re
from dataclasses import replace

import mpmath
import pytest
from second_routes.adversarial import ADVERSARIAL, TRUTHS
from second_routes.bounds import BOUNDS
from second_routes.budgets import BUDGETS
from second_routes.counting import COUNTING
from second_routes.drawing import strays
from second_routes.formulas import FORMULAS
from second_routes.games import GAMES
from second_routes.laws import VERBS
from second_routes.more import MORE
from second_routes.privacy import PRIVACY
from second_routes.testing import TESTING

from banditproof import theory
from banditproof.theory.numbers.enclosure import Enclosure

QUICK, EVERY, SHARE = 20, 10_000, 10  # points of a route (make nightly draws every one); a dear one gets a tenth

# What takes long, and the milliseconds a point of the routes that are dear, that is above 10. At 1,000 points they take
# a quarter of an hour of one core together, at 10,000 it would be two hours and a half; all others take twenty minutes.
MILLISECONDS = {
    "a golden-section search in mpmath": {
        "Bounded.kl_inf": 24, "Bounded.d_inf": 35, "FinitelySupported.kl_inf": 31,
        "FinitelySupported.d_inf": 34, "Gaussian.d_inf": 20, "Poisson.d_inf": 77, "Exponential.d_inf": 55,
        "minimax_lower_bound, sharpened": 37, "minimax_lower_bound, sharpened zcdp": 35,
        "minimax_lower_bound, sharpened linear": 31, "sharp_epsilon_of_zcdp": 14,
        "convert zcdp to approximate, sharp": 13,
    },
    "a program, and a search for the best share": {
        "characteristic_time Bernoulli": 17, "characteristic_time Poisson": 13, "characteristic_time Exponential": 11,
        "sample_complexity_lower_bound kl": 23, "sample_complexity_lower_bound kl-log": 22,
        "sample_complexity_lower_bound private": 31, "sample_complexity_lower_bound private-kl": 24,
        "sample_complexity_lower_bound d-epsilon": 90,
        "sample_complexity_lower_bound private-relaxed": 23, "characteristic_time, three arms": 26,
    },
    "a program twice": {"Strategies, mixture": 37, "Strategies, allocation": 37},
    "a program": {
        "linear_regret_constant, plane": 22, "linear_regret_alternatives": 60,
        "exact_minimax_regret": 16, "minimax_regret_over_means": 16,
        "exact_identification_error": 14,
    },
    "a program, and every printed bound": {"printed_bounds_beside, view": 48},
    "hard instances by search": {"minimax_lower_bound": 18},
    "a bisection in mpmath": {
        "calibrate_gaussian": 24, "least_noise": 200, "gaussian_multiplier": 33, "usefulness": 19,
        "adap_klucb_term": 16, "adap_klucb_regret_bound": 40, "kl_ucb_index": 11,
    },
    "an inverse error function in mpmath": {"gaussian_trade_off": 15, "normal_quantile": 14},
}  # fmt: skip
DEAR = {name: ms for routes in MILLISECONDS.values() for name, ms in routes.items()}

ROUTES = [*FORMULAS, *VERBS, *PRIVACY, *TESTING, *BOUNDS, *MORE, *BUDGETS, *COUNTING, *GAMES, *ADVERSARIAL]


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.name)
def test_no_second_route_leaves_the_enclosure(route, every_point):
    points = EVERY if every_point else QUICK
    assert strays(route, points // SHARE if route.name in DEAR else points) == []


def test_every_public_function_has_a_second_route():
    routed = {re.split(r"[ ,]", route.name)[0] for route in ROUTES}
    functions = {name for name in theory.__all__ if inspect.isfunction(getattr(theory, name))}
    of_no_number = {"register_ball_pickling", "working_precision", "where"}
    brute_force = {"sensitivity"}  # tests/theory/sensitivities has the pairs of all small lists beside it
    words_of_formulas = {"comb", "factorial", "least", "least_integer", "most", "ratio", "total"}
    assert functions - {name.split(".")[0] for name in routed} == of_no_number | words_of_formulas | brute_force
    families = [*theory.Law.__subclasses__(), *(f for law in theory.Law.__subclasses__() for f in law.__subclasses__())]
    laws = {f.__name__ for f in families} & set(theory.__all__)
    verbs = ("kl", "tv", "renyi", "kl_inf", "tv_inf", "d_inf")
    assert len(laws) == 7 and {f"{law}.{verb}" for law in laws for verb in verbs} <= routed


def test_every_bound_on_adversarial_regret_has_a_second_route():
    assert set(theory.adversarial_bounds(2, horizon=10, epsilon=1, experts=2, delta="1/2")) == set(TRUTHS)


def test_dear_routes_are_routes():
    assert DEAR.keys() <= {route.name for route in ROUTES} and min(DEAR.values()) > 10


def test_routes_have_different_names():
    assert len({route.name for route in ROUTES}) == len(ROUTES) >= 120


@pytest.mark.parametrize("factor", ["1.000000001", "0.999999999"])
def test_a_value_that_is_off_by_a_billionth_is_noticed(factor):
    honest = FORMULAS[0]
    wrong = replace(honest, truth=lambda *arguments: mpmath.mpf(factor) * honest.truth(*arguments))
    assert len(strays(wrong, 60)) > 40


def test_an_enclosure_that_says_nothing_is_noticed():
    honest = FORMULAS[0]
    empty = replace(honest, value=lambda *_: Enclosure(float("-inf"), float("inf")))
    assert len(strays(empty, 60)) > 40
