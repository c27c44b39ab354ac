"""Zeros of increasing functions: enclosed to the width asked for, and wider where signs are hidden, never missed."""

from fractions import Fraction

import pytest
from flint import arb

from banditproof.theory.numbers.numeric import exactly, sqrt, to_ball, working_precision
from banditproof.theory.numbers.roots import crossing

BITS = 100


@pytest.mark.parametrize("square", [Fraction(1, 2), Fraction(1, 10**12), Fraction(999, 1000), Fraction(0), Fraction(1)])
@pytest.mark.parametrize("power", [1, 3, 9])
def test_a_zero_is_enclosed_to_the_width_that_was_asked_for(square, power):
    with working_precision(256), exactly():
        root = sqrt(to_ball(square))
        zero = crossing(lambda x: (x - root) * (1 + x) ** power, to_ball(0), to_ball(1), BITS)
        assert zero.contains(root)
        assert zero.rad() <= to_ball(Fraction(1, 2**BITS))


def test_a_steep_and_a_flat_function_are_no_harder():
    with working_precision(256):
        for rate in (200, -200):
            zero = crossing(
                lambda x, r=rate: ((r * x).exp() - (to_ball(r) / 3).exp()) / r, to_ball(-1), to_ball(1), BITS
            )
            assert zero.contains(to_ball(Fraction(1, 3))) or zero.overlaps(to_ball(Fraction(1, 3)))
            assert zero.rad() <= to_ball(Fraction(1, 2 ** (BITS - 1)))


def test_signs_that_rounding_hides_widen_the_enclosure():
    fog = arb(0, "1e-6")
    zero = crossing(lambda x: x - to_ball("0.3") + fog, to_ball(0), to_ball(1), BITS)
    assert zero.contains(to_ball("0.3"))
    assert to_ball("1e-6") < zero.rad() * 2 and zero.rad() < to_ball("1e-4")


def test_a_function_without_a_certain_sign_gives_the_interval():
    zero = crossing(lambda x: to_ball("nan"), to_ball(0), to_ball(1), BITS)
    assert zero.contains(to_ball(0)) and zero.contains(to_ball(1))
