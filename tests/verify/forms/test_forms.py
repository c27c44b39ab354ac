"""What a quantity is on balls is what mpmath makes of its definition."""

from fractions import Fraction

import mpmath
import pytest

from banditproof.theory.numbers.numeric import exp, log, to_ball, working_precision
from banditproof.verify.forms.calculus import derivative, erf, exponential_tail, integral, pi_beside, power_series
from banditproof.verify.forms.geometric_sums import geometric_power, geometric_sum

FORMS = {
    "derivative": (
        lambda x: derivative(lambda u: u * exp(-u) + log(1 + u), x),
        lambda x: mpmath.diff(lambda u: u * mpmath.exp(-u) + mpmath.log(1 + u), x),
    ),
    "second derivative": (
        lambda x: derivative(lambda u: exp(u) / (1 + u), x, 2),
        lambda x: mpmath.diff(lambda u: mpmath.exp(u) / (1 + u), x, 2),
    ),
    "third derivative": (
        lambda x: derivative(lambda u: log(u) * u, x, 3),
        lambda x: mpmath.diff(lambda u: mpmath.log(u) * u, x, 3),
    ),
    "erf": (erf, mpmath.erf),
    "pi": (pi_beside, lambda x: +mpmath.pi),
    "integral": (
        lambda x: integral(lambda u, exp: u**2 * exp(-u), 0, x),
        lambda x: mpmath.quad(lambda u: u**2 * mpmath.exp(-u), [0, x]),
    ),
    "tail": (
        lambda x: exponential_tail(1 / x, x + 2),
        lambda x: mpmath.quad(lambda u: mpmath.exp(-u / x), [x + 2, mpmath.inf]),
    ),
    "series": (
        lambda x: power_series(x / (1 + x), 3),
        lambda x: mpmath.nsum(lambda n: n**3 * (x / (1 + x)) ** n, [1, mpmath.inf]),
    ),
}


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("at", ["1/7", "1/2", "9/4", "5"])
def test_calculus(name, at):
    form, definition = FORMS[name]
    with working_precision(200):
        x = Fraction(at)
        value = definition(mpmath.mpf(x.numerator) / x.denominator)
        assert abs(to_ball(value) - form(to_ball(x))) < to_ball("1e-25")


@pytest.mark.parametrize("alpha", ["3/2", "2", "7/3"])
def test_geometric_sums(alpha):
    alpha = Fraction(alpha)
    for count in range(5):
        powers = [alpha**i for i in range(count + 1)]
        assert geometric_sum(alpha, count) == sum(powers[:-1]) and geometric_power(alpha, count) == powers[-1]
