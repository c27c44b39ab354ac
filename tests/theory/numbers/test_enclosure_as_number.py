"""Enclosures and bounds in the hands of users: arithmetic, comparisons, formats, arrays, JSON, tables and pictures."""

import json
import math
import operator
import sys
import types
from fractions import Fraction
from itertools import product

import flint
import matplotlib.pyplot as plt
import numpy as np
import pytest
from scipy import optimize

from banditproof.theory import (
    Budget,
    Enclosure,
    InvalidInput,
    characteristic_time,
    d_epsilon,
    log,
    regret_lower_bound,
    sample_complexity_lower_bound,
)
from tests.cases import rows, texts

TEXTS = texts(__file__)

HUGE = Enclosure(10**400, 2 * 10**400)  # whose ends are no floats
TWO, NARROW = Enclosure(2, 2), Enclosure(Fraction(15, 2), Fraction(61, 8))  # a point, [7.5, 7.625]
WIDE, OPEN = Enclosure(-1, 2), Enclosure(3, math.inf)
NAMES = {"e": NARROW, "two": TWO, "wide": WIDE, "up": OPEN, "huge": HUGE} | {
    "np": np,
    "math": math,
    "json": json,
    "Fraction": Fraction,
    "arb": flint.arb,
    "Enclosure": Enclosure,
    "log": log,
    "root": lambda f: optimize.brentq(f, 0, 1),
    "d_epsilon": d_epsilon,
    "inf": math.inf,
    "plt": plt,
    "bounds": (BOUNDS := regret_lower_bound(["0.75", "0.7"], epsilon="0.25", horizon=100)),
    "b": BOUNDS["d-inf"],
    "time": characteristic_time(means=["0.9", "0.5"], epsilon="0.5"),
    "budget": Budget.pure(1),
    "regret_lower_bound": regret_lower_bound,
    "True_": np.bool_(True),
}

USES = {
    "float(e)": 7.5625, "float(two)": 2.0, "float(Enclosure(inf, inf))": math.inf, "math.log(two)": math.log(2),
    "f'{e:.4f}'": "7.5625", "f'{e:8.2e}'": "7.56e+00", "f'{e}'": "[7.5, 7.625]", "f'{two:>5.1f}|'": "  2.0|",
    "'%.2f' % e": "7.56", "str(two)": "2", "round(e, 3)": 7.562, "round(e)": 8, "math.floor(e)": 7, "math.ceil(e)": 8,
    "e + 1": Enclosure(8.5, 8.625), "1 + e": Enclosure(8.5, 8.625), "e - 1": Enclosure(6.5, 6.625),
    "1 - e": Enclosure(-6.625, -6.5), "e * 2": Enclosure(15, 15.25), "-2 * e": Enclosure(-15.25, -15),
    "e / 2": Enclosure(3.75, 3.8125), "two / 4": Enclosure(0.5, 0.5), "1 / two": Enclosure(0.5, 0.5),
    "two ** 3": Enclosure(8, 8), "wide ** 2": Enclosure(0, 4), "wide ** 3": Enclosure(-1, 8), "2 ** two": TWO * TWO,
    "wide * wide": Enclosure(-2, 4), "-e": Enclosure(-7.625, -7.5), "+e": NARROW, "abs(wide)": Enclosure(0, 2),
    "abs(-e)": NARROW, "e + '0.5'": Enclosure(8, 8.125), "e + Fraction(1, 2)": Enclosure(8, 8.125),
    "e + arb('0.5')": Enclosure(8, 8.125), "arb('0.5') + e": Enclosure(8, 8.125), "up + 1": Enclosure(4, math.inf),
    "np.float64(0.5) + e": Enclosure(8, 8.125), "np.int64(1) + e": Enclosure(8.5, 8.625), "sum([e, e])": NARROW * 2,
    "e < 16": True, "e < 7": False, "16 > e": True, "e >= '7.5'": True, "up > two": True, "e <= np.float64(7)": False,
    "e > arb(2)": True, "wide < e": True, "two == 2": True, "two == 2.5": False, "e == e": True, "e == 3": False,
    "e != 3": True, "e == None": False, "e == 'x'": False, "e in [3, e]": True, "{two: 1}[2]": 1,
    "max([e, 2, two])": NARROW, "sorted([e, two])": [TWO, NARROW], "np.asarray(e, dtype=float).item()": 7.5625,
    "np.asarray([e, two], dtype=float).tolist()": [7.5625, 2.0],
    "(np.array([1.0, 2]) * e).tolist()": [NARROW, NARROW * 2],
    "np.sqrt(two + two)": TWO, "np.exp(two - two)": Enclosure(1, 1), "np.log(np.array([two - 1]))[0]": Enclosure(0, 0),
    "np.log10(two - 1)": Enclosure(0, 0), "np.exp(np.log(e)).contains(e)": True,
    "np.exp(np.log(e)).width < 0.126": True,
    "(np.sqrt(b) ** 2).contains(b.value)": True,

    "(e * np.array([1.0, 2])).tolist()": [NARROW, NARROW * 2], "np.mean([e, e])": NARROW,
    "json.dumps(e.to_dict())": '{"value": 7.5625, "lower": 7.5, "upper": 7.625}', "two.to_dict()['upper']": 2.0,
    "up.to_dict()['lower']": 3.0, "huge.to_dict()['value']": math.inf,
    "float(huge)": math.inf, "float(-huge)": -math.inf, "log(two).ball().overlaps(arb(2).log())": True,
    "d_epsilon('0.5', e / 10, 1) > 0": True,
    "b + 1 == b.value + 1": True, "2 * b == b.value * 2": True, "1 - b == 1 - b.value": True, "b / b > 0": True,
    "e + b == e + b.value": True, "b > 0": True, "b < 0": False, "b == 0": False, "b == b": True, "b == time": False,
    "max([b, time]) == time": False, "sum([b, b]) > b": True, "f'{b:.3f}' == f'{b.value:.3f}'": True,
    "time > 0": True, "float(time) == float(time.value)": True, "round(time, 2) == round(time.value, 2)": True,
    "regret_lower_bound(['0.5', '0.4'], 1, '1e400').to_dict()['d-inf']['horizon']": math.inf,
    "math.ceil(b) == math.ceil(b.value)": True, "bool(np.isnan(e))": False, "bool(np.isfinite(e))": True,
    "np.float64(2) * two == 4": True, "(np.ones(2) * two).tolist() == [two, two]": True,
    "np.sqrt(two * two) == two": True,
    "root(lambda x: two * x - 1)": 0.5, "abs(-b) == b.value": True, "time ** 2 == time.value ** 2": True,
    "plt.Figure().subplots().plot([0, 1], [e, two])[0].get_ydata(orig=False).tolist()": [7.5625, 2.0],
}  # fmt: skip
REFUSED = dict(rows(TEXTS["refused"]))


@pytest.mark.parametrize("use", USES)
def test_an_enclosure_acts_as_a_number(use):
    value = eval(use, dict(NAMES))
    assert value == USES[use] and type(value) is type(USES[use])


@pytest.mark.parametrize("use", REFUSED)
def test_what_it_cannot_answer_is_an_error_that_says_so(use):
    with pytest.raises((InvalidInput, TypeError, AttributeError, ZeroDivisionError)) as error:
        eval(use, dict(NAMES))
    assert REFUSED[use] in str(error.value)


INTERVALS = [TWO, NARROW, WIDE, OPEN, Enclosure(0, 0), Enclosure(0, 1), Enclosure(-3, -0.5), Enclosure(0.1, 0.2)]


def inside(interval):
    end = interval.lower + 5 if math.isinf(interval.upper) else interval.upper
    return [interval.lower + (end - interval.lower) * Fraction(k, 3) for k in range(4)]


@pytest.mark.parametrize("combine", [operator.add, operator.sub, operator.mul, operator.truediv, operator.pow])
def test_results_enclose_what_the_points_give(combine):
    tried = 0
    for one, other in product(INTERVALS, [*INTERVALS, *map(Enclosure.outward, (3, -2))]):
        try:
            result = combine(one, other)
        except (InvalidInput, ZeroDivisionError):
            continue
        for x, y in product(inside(one), inside(other)):
            if combine is not operator.pow or y == int(y):  # others are no Fractions
                tried += 1
                assert result.contains(combine(x, int(y) if combine is operator.pow else y))
    assert tried > 100


def test_bounds_are_read_as_a_dict():
    bounds = regret_lower_bound(["0.75", "0.7"], epsilon="0.25", horizon=100)
    assert len(bounds) == len(list(bounds)) == len(dict(bounds.items())) and "d-inf" in bounds and "x" not in bounds
    plain = json.loads(json.dumps(bounds.to_dict()))
    assert (
        list(plain) == list(bounds)
        and plain["d-inf"]["lower"] <= float(bounds["d-inf"].value) <= plain["d-inf"]["upper"]
    )


def test_a_data_frame_has_a_row_for_each_bound(monkeypatch):
    bounds = regret_lower_bound(["0.75", "0.7"])
    monkeypatch.setitem(sys.modules, "pandas", types.SimpleNamespace(DataFrame=list))
    assert [row["bound"] for row in bounds.to_frame()] == list(bounds)
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        bounds.to_frame()


@pytest.mark.parametrize("asked", [{}, {"epsilon": "0.5"}, {"epsilon": "0.5", "divergence": "relaxed"}])
def test_the_characteristic_time_is_drawn_against_the_budget(asked):
    time = characteristic_time(means=["0.9", "0.5"], **asked)
    lines = {line.get_label(): line.get_ydata() for line in time.plot().axes[0].get_lines()}
    assert float(lines["T*_KL"][0]) == pytest.approx(float(characteristic_time(means=["0.9", "0.5"]).value))
    priced = lines[time.name if asked else "T*(epsilon)"]
    assert np.all(np.diff(priced) <= 0) and json.dumps(time.to_dict())


GUESSED = sample_complexity_lower_bound([0.9, 0.5], "0.6")  # a risk at which no bound applies
AS_NUMBERS = (
    *("float(b)", "float(b.value)", "f'{b:.2f}'", "round(b.value)", "math.floor(b.value)", "bool(b.value)", "-b.value"),
    *("b.value + 1", "1 - b.value", "e * b.value", "np.float64(2) / b.value", "b.value ** 2", "abs(b.value)"),
    *("b.value < 3", "3 >= b.value", "b.value == 0", "np.asarray([b.value], dtype=float)", "max(b.value, e)"),
)


@pytest.mark.parametrize("use", AS_NUMBERS)
def test_a_bound_that_does_not_apply_is_no_number(use):
    with pytest.raises(InvalidInput, match="one that applies.*guesses without a sample"):
        eval(use, NAMES | {"b": GUESSED["kl"]})


def test_a_bound_that_does_not_apply_is_shown_and_its_cells_are_empty():
    bound, row = GUESSED["kl"], GUESSED.to_dict()["kl"]
    assert [row[name] for name in ("value", "lower", "upper", "applies")] == [None, None, None, False]
    assert "guesses" in row["why"] and GUESSED.recheck()
    assert (
        abs(bound.value.lower / (bound.time * bound.factor) - 1) < 1e-9
        and str(bound.value) == f"({bound.value.decimal()})"
    )
