"""Every quantity with a second route agrees with it at hundreds of drawn points, and a wrong one would be noticed."""

from dataclasses import replace

import mpmath
import pytest
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

from banditproof.theory.numbers.enclosure import Enclosure

QUICK, EVERY = 200, 10_000  # points of a route; make points draws all
ROUTES = [*FORMULAS, *VERBS, *PRIVACY, *TESTING, *BOUNDS, *MORE, *BUDGETS, *COUNTING, *GAMES]


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.name)
def test_no_second_route_leaves_the_enclosure(route, every_point):
    assert strays(route, (EVERY if every_point else QUICK) // route.share) == []


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
