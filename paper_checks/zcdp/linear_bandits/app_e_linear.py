"""Appendix E: private least squares, the proof of Theorem 4, and the places for the noise."""

from fractions import Fraction

from banditproof.claims.register import claim
from banditproof.claims.sets import Count, Inside, TwoOrMore
from banditproof.claims.steps import fails_at
from banditproof.theory import log, to_ball
from banditproof.theory.linear.phases import chi_square_radius, phase_level


@claim(
    "ZCDP-PF10/chi-square",
    fails_at(d=10**4, phase=1, delta=Fraction(1, 2)),
    cause="ZCDP-T4/universal",
    twins=["ALG-PC.3.2"],
    called={
        r"$\ell$": "phase",
        r"$f(d,\delta_{K,\ell})$": "chi_square_radius(to_ball(d), level / 2)",
        "the most that $C'=100$ allows": "2 * constant * log(1 / level)",
    },
    assuming="""other constants: the left side is at least d and the right side grows like log d, so that other
    constants fail at a larger d""",
)
def radius_below_a_logarithm(d: TwoOrMore, phase: Count, delta: Inside, constant=100):
    r"""(Step 4) From $T_\ell\le\dots+\frac{2d}{\beta_\ell}\sqrt{\frac2\rho f(d,\delta_{K,\ell})}$ to
    $\dots+\frac{4d}{\beta_\ell}\sqrt{\frac1\rho C'\alpha_T}$ the proof needs
    $f(d,\delta_{K,\ell})\le2C'\log\frac{K\ell(\ell+1)}\delta$ for a universal $C'$; here with $C'=100$ and $K=d$, phase
    is $\ell$ (the difference of both sides).

    One summand of $f(d,\delta)$ is $d$, which no multiple of $\log d$ bounds. This is where Theorem 4 loses the root of
    $d$.
    """
    level = phase_level(to_ball(delta), to_ball(d), phase)
    return chi_square_radius(to_ball(d), level / 2) - 2 * constant * log(1 / level), "<=", 0
