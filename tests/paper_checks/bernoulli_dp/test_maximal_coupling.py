"""The bound on couplings of two coins, cell by cell."""

from fractions import Fraction


def test_the_difference_of_bernoulli_means_is_that_of_the_cells_off_the_diagonal(relation):
    c_00, c_01, c_10, c_11 = (Fraction(k, 20) for k in (3, 4, 6, 7))
    p = c_10 + c_11
    left, operator, right = relation("BDP-D3.2/no-bernoulli-coupling-is-better")(p, c_11 / p, c_01 / (1 - p))
    assert right == (c_10 + c_11) - (c_01 + c_11) and left == 1 - c_00 - c_11 and operator == ">="
