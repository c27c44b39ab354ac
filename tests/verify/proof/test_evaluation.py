"""What is remembered of a quantity is what was computed for these very arguments."""

from fractions import Fraction

from flint import arb, arb_series

from banditproof.theory.numbers.numeric import SYMBOL, exactly, working_precision
from banditproof.verify.proof import evaluation


def test_arguments_that_print_alike_are_not_taken_for_each_other():
    one, another = (arb_series([arb(middle, 2**-20), 1], 2) for middle in (1, 1 + 2**-50))
    assert repr(one) == repr(another) and one[0].mid() != another[0].mid()
    calls = []
    quantity = evaluation._with_slope(lambda x: calls.append(x) or x)
    with evaluation.remembering():
        for value in (one, another, Fraction(1, 2), Fraction(1, 2)):
            quantity(value)
    assert calls == [one, another, Fraction(1, 2)]


def test_a_value_of_another_precision_or_number_system_is_not_taken_up():
    calls = []
    quantity = evaluation._with_slope(lambda x: calls.append(x) or x)
    with evaluation.remembering():
        for bits in (53, 128, 53):
            with working_precision(bits), exactly(), evaluation.remembering():  # the inner one adds to the outer
                quantity(Fraction(1, 3))
        with exactly(SYMBOL):
            quantity(Fraction(1, 3))
    assert len(calls) == 3
    quantity(Fraction(1, 3))  # outside nothing is remembered
    assert len(calls) == 4
