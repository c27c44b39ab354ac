"""Every quantity with a second route agrees with it at hundreds of drawn points, and a wrong one would be noticed."""

from dataclasses import replace

import mpmath
import pytest
from second_routes.bounds import BOUNDS
from second_routes.drawing import strays
from second_routes.formulas import FORMULAS
from second_routes.laws import VERBS
from second_routes.privacy import PRIVACY
from second_routes.testing import TESTING

from banditproof.theory.numbers.enclosure import Enclosure

POINTS = 300


@pytest.mark.parametrize("route", [*FORMULAS, *VERBS, *PRIVACY, *TESTING, *BOUNDS], ids=lambda route: route.name)
def test_no_second_route_leaves_the_enclosure(route):
    assert strays(route, POINTS) == []


@pytest.mark.parametrize("factor", ["1.000000001", "0.999999999"])
def test_a_value_that_is_off_by_a_billionth_is_noticed(factor):
    honest = FORMULAS[0]
    wrong = replace(honest, truth=lambda *arguments: mpmath.mpf(factor) * honest.truth(*arguments))
    assert len(strays(wrong, 60)) > 40


def test_an_enclosure_that_says_nothing_is_noticed():
    honest = FORMULAS[0]
    empty = replace(honest, value=lambda *_: Enclosure(float("-inf"), float("inf")))
    assert len(strays(empty, 60)) > 40
