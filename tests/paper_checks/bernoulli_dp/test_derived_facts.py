"""Slope, ties and the size of the improvement against computations by other means."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from scipy.special import rel_entr

from banditproof.claims import derivation, fact, facts_hold, load
from banditproof.claims.trees import stored
from banditproof.paper_checks.bernoulli_dp.app_f_regret import f5_derived_facts as derived
from banditproof.theory import d_epsilon, to_ball
from banditproof.verify import holds

load()


def balls(*values):
    return [to_ball(Fraction(v)) for v in values]


def kl(p, q):
    return float(rel_entr(p, q) + rel_entr(1 - p, 1 - q))


@pytest.mark.parametrize("point", [("0.1", "0.8", "1"), ("0.8", "0.1", "0.7"), ("0.4", "0.5", "3")])
def test_the_slope_in_the_budget_is_a_difference_quotient(point):
    x, y, epsilon = map(mpmath.mpf, point)
    h = mpmath.mpf("1e-6")
    quotient = (d_epsilon(x, y, epsilon + h) - d_epsilon(x, y, epsilon - h)) / (2 * h)
    left, _, right = derived.slope_in_the_budget(*balls(*point), 1)
    assert float(left) == pytest.approx(float(quotient), abs=1e-8)
    assert float(right) == pytest.approx(float(quotient), abs=1e-8)


def test_the_number_of_tied_pulls():
    pulls = int(np.floor(np.log(1e6) / 0.125))
    told = [holds(*derived.ties(*balls("1/4", "1/2"), 10**6, pulls + more)) for more in (-1, 0, 1)]
    assert told == [False, True, False]


@pytest.mark.parametrize(("price", "constant"), [(1, np.e / (np.e - 1)), (6, 1 / (1 - np.exp(-1 / 6)))])
def test_the_improvement_stays_below_its_constant_and_comes_close(price, constant):
    draw = np.random.default_rng(5)
    best = 0.0
    for _ in range(4000):
        y = 10 ** draw.uniform(-6, -0.001)
        x, epsilon = y * draw.uniform(0, 1) ** 4, 10 ** draw.uniform(-2, 1)
        ratio = min(kl(x, y), price * epsilon * (y - x)) / float(d_epsilon(x, y, epsilon))
        best = max(best, ratio)
    assert best <= constant * (1 + 1e-6)
    closest = min(kl(0, 1e-7), 1e-7) / float(d_epsilon(0.0, 1e-7, 1 / price))
    assert closest == pytest.approx(constant, rel=1e-5)


@pytest.mark.parametrize(("factor", "holds"), [(Fraction(1), True), (Fraction(999, 1000), False)])
def test_the_facts_behind_the_constant_need_the_full_factor(factor, holds):
    facts = [f if isinstance(f, dict) else fact(f) for f in derived.COMPARISON.facts]
    data = {**derivation(facts, derived.COMPARISON.because), "trees": stored("BDP-DF7/kl-or-privacy-cost")}
    proved, _, needed = facts_hold(data, price=1, factor=factor)
    assert (proved == needed) is holds


@pytest.mark.parametrize("case", range(len(derived.REFERENCE)))
def test_reference_values_by_bisection(case):
    epsilon, x, y, value = derived.REFERENCE[case]
    with mpmath.workdps(40):
        epsilon, x, y = mpmath.mpf(epsilon), mpmath.mpf(x), mpmath.mpf(y)
        if y == 1:
            found = epsilon * (1 - x)
        else:
            sign, (low, high) = (1 if x < y else -1), sorted((x, y))
            for _ in range(200):
                z = (low + high) / 2
                rising = sign * epsilon + mpmath.log(z * (1 - y) / (y * (1 - z))) > 0
                low, high = (low, z) if rising else (z, high)
            z = (low + high) / 2
            found = epsilon * abs(x - z) + z * mpmath.log(z / y) + (1 - z) * mpmath.log((1 - z) / (1 - y))
        assert abs(found - mpmath.mpf(value)) < mpmath.mpf("1e-20")
