"""Divergences of neighbours that are closer than any memory could write out in digits."""

import mpmath
import pytest
from flint import arb

from banditproof import theory
from banditproof.theory.numbers.logarithms import kl_term


def series(u):
    """(1 + u) log(1 + u) - u, up to the seventh power."""
    return u * u / 2 - u**3 / 6 + u**4 / 12 - u**5 / 20 + u**6 / 30


@pytest.mark.parametrize("bits", [40, 150, 199, 200, 201, 260, 10**4, 10**13])
def test_a_divergence_of_neighbours_needs_no_memory_and_encloses_its_series(bits):
    step = arb((1, -bits))
    with theory.working_precision(200):
        found = kl_term(1 + step, arb(1), step)
    with theory.working_precision(2000):
        assert found.overlaps(series(step))
        assert found.rad() <= step * step * arb((1, -190))


@pytest.mark.parametrize("bits", [40, 150, 199, 200, 201, 260, 10**4, 10**13])
def test_the_same_in_mpmath(bits):
    with mpmath.workprec(200):
        step = mpmath.ldexp(1, -bits)
        assert mpmath.almosteq(kl_term(1 + step, mpmath.mpf(1), step), series(step), mpmath.ldexp(1, -190))
