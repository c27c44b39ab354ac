"""Section V: privacy of a mechanism that is run on blocks of the data (Lemma 1); AdaC-GOPE's privacy and regret.

The first phase of AdaC-GOPE on the standard basis plays all of its actions whatever the rewards are, d - 1 of d at a
gap of 1, so that its regret is certain: it is what Theorem 4 fails on.
"""

from fractions import Fraction

from banditproof.claims.register import claim
from banditproof.claims.sets import Inside, Positive, TwoOrMore
from banditproof.claims.steps import fails_at
from banditproof.paper_checks.zcdp.facts import first_phase
from banditproof.theory import log, minimum, sqrt, to_ball
from banditproof.theory.numbers.numeric import ratio


@claim(
    "ZCDP-T4/universal",
    fails_at(d=10**5, rho=Fraction(1, 10**5), delta=Fraction(1, 2)),
    twins=["ALG-T5.12"],
    called={
        r"$A=B=10$, $\theta^*=e_1$, $K=d$ actions $e_1,\dots,e_d$, and $d$": "d",
        "the regret of the first phase": "regret",
        "the printed bound": "A * sqrt(d * horizon * alpha) + B * d / sqrt(rho) * sqrt(alpha) * log(horizon)",
        "$T$": "horizon",
    },
    assuming="""the first phase and other constants: the optimal design on e_1, ..., e_d is the uniform one, so that
    each action is played at least length/d times whatever the rewards are; larger constants fail at a larger d
    (ZCDP-T4/no-constants)""",
)
def universal_constants(d: TwoOrMore, rho: Positive, delta: Inside, A=10, B=10):
    r"""With probability at least $1-\delta$, $R_T\le A\sqrt{dT\alpha_T}+\frac{Bd}{\sqrt\rho}\sqrt{\alpha_T}\log T$ for
    universal $A$ and $B$, with $\alpha_T=\log\frac{K\log T}\delta$.

    The first phase plays every action whatever the rewards are, and privacy makes it longer by a multiple of $d^{3/2}$,
    since $f(d,\delta_{K,1})$ is at least $d$. The proof bounds $f$ by a multiple of $\log\frac{K\log T}\delta$ and
    loses the $d$; for other $A$ and $B$ the bound fails at a larger $d$. The bound is right with $d+\alpha_T$ in place
    of $\alpha_T$ under the second root and with the term $4d(d+1)$ that the proof drops. It is checked with $A=B=10$
    for the actions $e_1,\dots,e_d$ ($K=d$), $\theta^*=e_1$ and $T$ at the end of the first phase.
    """
    length = first_phase(d, rho, delta)
    horizon, regret = length + d, (d - 1) * length / d
    alpha = log(d * log(horizon) / delta)
    return regret - A * sqrt(d * horizon * alpha) - B * d / sqrt(rho) * sqrt(alpha) * log(horizon), "<=", 0


@claim(
    "ZCDP-T4/universal-in-expectation",
    fails_at(d=10**6, rho=Fraction(1, 10**6), horizon=6 * 10**12),
    cause="ZCDP-T4/universal",
    called={
        r"$A=B=10$, $\theta^*=e_1$, $K=d$ actions $e_1,\dots,e_d$, and $d$": "d",
        "$T$": "horizon",
        "the regret of the first phase": "regret",
        "the printed bound": "A * sqrt(d * T * level) + B * d / sqrt(to_ball(rho)) * level * sqrt(level)",
    },
    assuming="""the first phase and other constants: the optimal design on e_1, ..., e_d is the uniform one, so that
    each action is played at least length/d times whatever the rewards are; larger constants fail at a larger d""",
)
def expected_regret(d: TwoOrMore, rho: Positive, horizon: TwoOrMore, A=10, B=10):
    r"""With $\delta=1/T$, $\mathbb ER_T\le A\sqrt{dT\log(KT)}+\frac{Bd}{\sqrt\rho}\log^{3/2}(KT)$ for some constants
    $A$ and $B$.

    The reason is the same: $T$ rounds of the first phase lose nearly $T$, and its length grows like $d^{3/2}$. The
    bound is checked with $A=B=10$ for $e_1,\dots,e_d$ ($K=d$) and $\theta^*=e_1$.
    """
    length, T = first_phase(d, rho, ratio(1, horizon)), to_ball(horizon)
    regret = minimum(T - length / d - 1, (d - 1) * length / d)  # e_1 is played at most length/d + 1 times
    level = log(d * T)
    return regret - A * sqrt(d * T * level) - B * d / sqrt(to_ball(rho)) * level * sqrt(level), "<=", 0
