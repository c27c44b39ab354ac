"""What is remembered of a quantity is what was computed for these very arguments."""

from fractions import Fraction

from flint import arb, arb_series

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
