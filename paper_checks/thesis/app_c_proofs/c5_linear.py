r"""Appendix C.5, page 233: quoted facts about Gaussian matrices, self-normalised sums and determinants."""

from fractions import Fraction

from banditproof.claims.language import *
from banditproof.theory.numbers.special import chi_squared_tail


@claim(
    "ALG-LC.28",
    tried_at(d=2, delta=Fraction(1, 10**400)),
    tried_at(d=1000, delta=Fraction(1, 10**10)),
    enumerated(d=[1, 2, 7, 40], delta=["1/1000000", "1/10", "9/10"]),
    deduced(),
    false=[{"two": "1.9"}, {"root": "3/2"}],
)
def chi_square_concentration(d: Count, delta: Inside, two=2, root=2):
    r"""For $X\sim\mathcal N(0,I_d)$, $\delta\in(0,1)$: $\mathbb P(\|X\|^2\ge
    d+2\sqrt{d\log\frac1\delta}+2\log\frac1\delta)\le\delta$."""
    level = log(1 / delta)
    return chi_squared_tail(d, d + root * sqrt(d * level) + two * level), "<=", delta
