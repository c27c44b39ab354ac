"""Appendix E: private least squares, the proof of Theorem 4, and the places for the noise."""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.register import claim, mutation
from banditproof.claims.sets import AboveZero, AtLeastOne, Count, Inside, Nonnegative, Positive, TwoOrMore
from banditproof.claims.steps import deduced, fails_at
from banditproof.paper_checks.zcdp.facts import private_plays
from banditproof.theory import log, sqrt, to_ball
from banditproof.theory.linear.phases import chi_square_radius, phase_level
from banditproof.theory.numbers.numeric import absolute


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


@claim(
    "ZCDP-PF10/number-of-phases-repaired",
    deduced(),
    false=mutation("one phase less", two=1),
    repairs="ZCDP-PF10/number-of-phases",
)
def phases_that_have_begun(
    d: AtLeastOne, level: Positive, power: AtLeastOne, more: Nonnegative, noise: Nonnegative, rest: Nonnegative, two=2
):
    r"""The phases that have begun by $T$ are at most $1\vee(2+\log_4\frac T{32d\log(8K/\delta)})$.

    All phases before the last one are complete, so if there are $\ell\ge2$ of them, $T\ge c_{\ell-1}\ge
    8d\,4^{\ell-1}\log\frac{4K(\ell-1)\ell}\delta\ge4^{\ell-2}\cdot32d\log\frac{8K}\delta$, which is solved for $\ell$.

    Here power is 4^(l - 2), level is log(8 K/delta), more is the growth of the logarithm, noise is the private part of
    c_(l-1), and rest is T - c_(l-1).
    """
    horizon = 8 * d * 4 * power * (level + more) + noise + rest
    return power * 32 * d * level, "<=", Fraction(4) ** (two - 2) * horizon


Reward = Annotated[Any, "[-1, 1]"]


@claim("ZCDP-S18/sensitivity", deduced(), false={"two": "1.9"})
def sensitivity_of_the_estimate(reward: Reward, other: Reward, norm: Nonnegative, two=2):
    r"""$\|V_\ell^{-1}[a_j(r_j-r'_j)]\|_2\le2\|V_\ell^{-1}a_j\|_2$ for rewards in $[-1,1]$ (norm is the one on the
    right, and a number comes out of a norm by its size)."""
    return absolute(reward - other) * norm, "<=", two * norm


@claim("ZCDP-S18/controlled", deduced(), false={"share": "0.4"})
def norm_that_the_design_controls(h: AboveZero, c: Positive, share=Fraction(1, 2)):
    r"""In the example $\mathcal A=\{e_1,he_2\}$ with the uniform design, $V=\frac c2(e_1e_1^\top+h^2e_2e_2^\top)$, the
    second action has $\|a\|^2_{V^{-1}}=\frac2c$ for every $h$, as the first one has."""
    return h**2 / (c * share * h**2), "==", 2 / c


@claim(
    "ZCDP-S20/linear-in-d",
    fails_at(d=10**5, delta=Fraction(1, 2)),
    displayed=True,
    cause="ZCDP-T4/universal",
    twins=["ALG-SC.3.3"],
    assuming="""the first phase and other constants: the optimal design on e_1, ..., e_d is the uniform one, so that
    each action is played at least length/d times whatever the rewards are; larger constants fail at a larger d""",
)
def private_part_linear_in_d(d: TwoOrMore, delta: Inside, constant=100):
    r"""The regret term due to privacy has 'a linear dependence on $d$': the plays that privacy adds to the first phase
    on $e_1,\dots,e_d$, $\theta^\star=e_1$, lose $\frac{d-1}d4d\sqrt{\frac{2f}\rho}\le100\frac d{\sqrt\rho}
    \sqrt{\log\frac{8d}\delta}$, $f=f(d,\frac\delta{2d})$ (the difference of both sides at $\rho=1$).

    The whole first phase is played whatever the rewards are, and $f$ is at least $d$, so the loss grows like $d^{3/2}$,
    whatever the constant.
    """
    lost = private_plays(d, 1, delta) * (d - 1) / d
    return lost - constant * d * sqrt(log(8 * to_ball(d) / to_ball(delta))), "<=", 0
