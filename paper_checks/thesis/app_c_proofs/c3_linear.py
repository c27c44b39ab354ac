r"""Appendix C.3, page 214: AdaC-GOPE's private least squares and its regret.

L = log(4/delta) and N = sqrt(2 f / rho) where they are variables; g is the largest norm of an action in V^-1.
"""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.register import claim, mutation, repaired
from banditproof.claims.sets import (
    AboveZero,
    AtLeastOne,
    Count,
    Inside,
    Nonnegative,
    Positive,
    Probability,
    Real,
    TwoOrMore,
)
from banditproof.claims.steps import deduced, enumerated, fails_at
from banditproof.paper_checks.shared.linear_experiments import ESTIMATES, errors_beyond
from banditproof.paper_checks.thesis.studies import simulated
from banditproof.theory import exp, log, sqrt, to_ball
from banditproof.theory.linear.phases import chi_square_radius
from banditproof.theory.numbers.normal_law import normal_cdf
from banditproof.theory.numbers.numeric import binary_exponent, ratio
from banditproof.theory.numbers.term import quantity, total
from banditproof.verify import decided

TAILS = [
    {"d": d, "x": Fraction(x), "delta": Fraction(1, 10**k)}
    for d in (1, 2, 10, 200)
    for x in ("1/1000", "1/2", "1", "3", "1000000")
    for k in (0, 1, 3, 40, 400)
]


@claim(
    "ALG-TC.10/normal-rewards",
    enumerated(TAILS),
    deduced(),
    false=[mutation(plain="0.95"), mutation(private="0.95"), {"private": 0}],
    restricted="to normal rewards",
)
def tail_of_the_private_estimate(d: Count, x: Positive, delta: AboveZero, plain=1, private=1):
    r"""Normal rewards, the action of largest norm, $x=g\sqrt{2/\rho}$: the error over $g$ is normal of variance $1+x^2$
    and exceeds $\sqrt{2\log\frac4\delta}+x\sqrt{f(d,\delta)}$ in size with probability at most $\delta$.

    The grid has delta down to 10^-400, where the tails tell constants five per cent smaller apart; the check does not
    see the 4 in the logarithm, because a normal law is that far below its subgaussian bound.
    """
    width = plain * sqrt(2 * log(4 / delta)) + private * x * sqrt(chi_square_radius(d, delta / 2))
    return 2 * normal_cdf(-width / sqrt(1 + x**2)), "<=", delta


@claim(
    "ALG-TC.10/as-run",
    simulated(ESTIMATES),
    false=[{"private": 0}, mutation(plain="1/2"), mutation(private="1/4")],
    restricted="to random unit vectors in 2, 3 and 6 dimensions, rewards of -1 or 1, delta = 1/10",
    studies=[ESTIMATES],
)
def estimates_as_they_are_made(actions: Annotated[Any, "all: every set of actions"], plain=1, private=1, *, arrays):
    r"""In runs, the error of AdaC-GOPE's estimate of the action of largest norm exceeds
    $g\sqrt{2\log\frac4\delta}+g^2 \sqrt{\frac2\rho f(d,\delta)}$ with probability at most $\delta$.

    The private part bounds a whole vector although only one of its coordinates matters, so it is about twice as large
    as needed.
    """
    yield from errors_beyond(arrays, "adac", plain, private)


@claim("ALG-TC.10/least-squares", deduced(), false=[{"four": "3.9"}, {"four": "4.1"}], role="step")
def least_squares_half(g: Positive, delta: Inside, four=4):
    r"""Step 1: a $g$-subgaussian error exceeds $g\sqrt{2L}$ in size with probability at most $2e^{-L}$, which is
    $\frac\delta2$ at $L=\log\frac{4}\delta$.

    This is a line of the proof: the bound on both tails of a g-subgaussian variable, 2 e^(-x^2 / (2 g^2)), at the
    printed width.
    """
    width = g * sqrt(2 * log(four / delta))
    return 2 * exp(-(width**2) / (2 * g**2)), "==", delta / 2


@claim("ALG-TC.10/cauchy-schwarz", deduced(), role="step")
def scalar_below_vector(a: Real, b: Real, x: Real, y: Real):
    r"""Step 2: $(a^\top V^{-1/2}N)^2\le\|V^{-1/2}a\|^2\|N\|^2$, in the plane."""
    return (a * x + b * y) ** 2, "<=", (a**2 + b**2) * (x**2 + y**2)


def needed(d: Any, beta: Any, level: Any, noise: Any, lead: Any, private: Any) -> Any:
    return lead * d * level / beta**2 + private * d * noise / beta


@claim(
    "ALG-CC.11",
    deduced(),
    false=[{"lead": "1.9"}, {"lead": 0}, mutation(private=Fraction(9, 10))],
    twins=["ZCDP-C1"],
    rests_on=["ALG-TC.10"],
)
def phases_are_long_enough(d: AtLeastOne, beta: Positive, level: Positive, noise: Positive, lead=8, private=2):
    r"""$c=\frac{8d}{\beta^2}L+\frac{2d}\beta N$ pulls at an optimal design ($g^2\le d/c$) make the width of Theorem
    C.10 at most $\beta$: $\frac dc2L\le(\beta-\frac dcN)^2$.

    The claim compares the squares; that beta - d N / c is positive is part of `room_is_left`. The check cannot
    distinguish constants that differ by less than 25 %: see the remark.

    Any `lead` of at least 2 would be enough.
    """
    c = needed(d, beta, level, noise, lead, private)
    return 2 * level * d / c, "<=", (beta - d * noise / c) ** 2


@claim("ALG-CC.11/private-half", deduced(), false={"private": "1.9"}, role="step")
def room_is_left(d: AtLeastOne, beta: Positive, level: Positive, noise: Positive, lead=8, private=2):
    r"""$\frac dcN\le\frac\beta2$ with $c=\frac{8d}{\beta^2}L+\frac{2d}\beta N$.

    The proof does not need the first summand of c.
    """
    return d * noise / needed(d, beta, level, noise, lead, private), "<=", beta / 2


@claim("ALG-CC.11/five-eighths", deduced(), false={"share": "0.62"}, role="remark")
def width_is_smaller(s: Probability, share=Fraction(5, 8)):
    r"""The printed $c$ makes the width at most $\frac58\,\beta$, not only $\beta$: with
    $s=(1+\frac{N\beta}{4L})^{-1/2}$ it is $\frac\beta2(s+1-s^2)$."""
    return (s + 1 - s**2) / 2, "<=", share


@claim("ALG-PC.3.2/good-event", deduced())
def levels_sum_to_delta(n: Nonnegative, delta: Inside):
    r"""(1) $\sum_{\ell\le n}\frac\delta{\ell(\ell+1)}=\delta\frac n{n+1}$: the sum and the next level make
    $\delta\frac{n+1}{n+2}$, at most $\delta$."""
    return delta * n / (n + 1) + delta / ((n + 1) * (n + 2)), "==", delta * (n + 1) / (n + 2)


@claim("ALG-PC.3.2/best-stays", deduced(), false={"two": "1.9"})
def best_is_kept(gap: Nonnegative, beta: Positive, low: Probability, high: Probability, two=2):
    r"""(2) under the good event $\langle\tilde\theta_\ell,b-a^*\rangle\le2\beta_\ell$ for every $b$: $a^*$ stays.

    The errors of b and of a* are beta (2 low - 1) and beta (2 high - 1).
    """
    return beta * (2 * low - 1) - beta * (2 * high - 1) - gap, "<=", two * beta


@claim("ALG-PC.3.2/bad-goes", deduced(), false={"four": "3.9"})
def kept_actions_are_good(beta: Positive, more: Positive, low: Probability, high: Probability, four=4):
    r"""(2) if $\Delta_a>4\beta_\ell$ then $\langle\tilde\theta_\ell,a^*-a\rangle>2\beta_\ell$: $a$ goes.

    The gap is written as four beta + more.
    """
    return four * beta + more + beta * (2 * low - 1) - beta * (2 * high - 1), ">", 2 * beta


@claim(
    "ALG-PC.3.2/last-phase",
    fails_at(k=0, rational=True),
    slip="It fails only where Delta is a power of two, by one phase.",
)
def last_phase_as_printed(k: Annotated[Any, "integer [-1, inf)"]):
    r"""Step 3: $\ell_\Delta\triangleq\min\{\ell:4\beta_\ell<\Delta\}=\lceil\log_2\frac4\Delta\rceil$ for
    $\Delta=2^{-k}$, so that $4\beta_{k+2}<\Delta$.

    If $\Delta$ is a power of two, $\log_2\frac4\Delta$ is an integer and $4\beta_\ell=\Delta$ there, which is not
    smaller than $\Delta$. The minimum is one phase later, $\lfloor\log_2\frac4\Delta\rfloor+1$.
    """
    return 4 * Fraction(1, 2) ** (k + 2), "<", Fraction(1, 2) ** k


@quantity
def last_phase_of(gap: Any) -> int:
    """min{l : 4 beta_l < gap} with beta_l = 2^-l, found by trying one phase after the other."""
    phase = 0
    while decided(gap * 2**phase, "<=", 4):
        phase += 1
    return phase


GAPS = [Fraction(2) ** k * share for k in range(1, -40, -1) for share in (Fraction(1), Fraction(3, 4), Fraction(9, 16))]
SOME_GAPS = enumerated(
    gap=GAPS,
    covers={"gap": f"all: {len(GAPS)} gaps from 2 down to 2^-40, powers of two among them"},
    rational=True,
    routes=("phase by phase", "closed form"),
)


@claim("ALG-PC.3.2/last-phase-repaired", SOME_GAPS, false=[{"more": 0}, {"four": 2}], repairs="ALG-PC.3.2/last-phase")
def last_phase(gap: Annotated[Any, "(0, 2]"], more=1, four=4):
    r"""$\ell_\Delta=\min\{\ell:4\beta_\ell<\Delta\}=\lfloor\log_2\frac{4}\Delta\rfloor+1$.

    The check finds the minimum phase by phase, and the logarithm exactly, from the number of binary digits.
    """
    return last_phase_of(gap), "==", binary_exponent(ratio(four, gap)) + more


@claim("ALG-PC.3.2/sum-of-phases", fails_at(k=0, rational=True))
def sum_of_phases_as_printed(k: Annotated[Any, "integer [-1, inf)"], before=64, after=16):
    r"""Step 5: $64dC'\alpha_T\sum_{\ell=1}^{\ell_\Delta}2^\ell\le16dC'\alpha_T\frac{16}\Delta$, here at $\Delta=2^{-k}$
    and divided by $dC'\alpha_T$.

    A factor 4 is lost between two lines. With $\ell_\Delta=k+3$ the sum is $2^{k+4}-2$, so the left side is about four
    times the right side; with the printed $\ell_\Delta=k+2$ it is about twice as large. The constant $C_1$ of the next
    line absorbs the factor.
    """
    return before * (2 * Fraction(2) ** (k + 3) - 2), "<=", after * 16 * Fraction(2) ** k


@claim("ALG-PC.3.2/sum-of-phases-repaired", SOME_GAPS, false={"after": "63"}, repairs="ALG-PC.3.2/sum-of-phases")
def sum_of_phases(gap: Annotated[Any, "(0, 2]"], before=64, after=64):
    r"""$64\sum_{\ell\le\ell_\Delta}2^\ell\le64\cdot\frac{16}\Delta$, with
    $\ell_\Delta=\min\{\ell:4\beta_\ell<\Delta\}$.

    The check adds up the phases one by one, up to the last one.
    """
    phases = total(lambda phase: 2**phase, 1, last_phase_of(gap))
    return before * phases, "<=", ratio(after * 16, gap)


@claim(
    "ALG-PC.3.2/chi-square",
    fails_at(d=1000, phase=1, delta=Fraction(1, 2)),
    cause="ALG-T5.12/universal",
    called={r"$\ell$": "phase", r"$f(d,\delta_{K,\ell})$": "left", "the most that $C'=10$ allows": "right"},
    assuming="""other constants: the left side is at least d and the right side grows like log d, so that other
    constants fail at a larger d""",
)
def radius_below_a_logarithm(d: TwoOrMore, phase: Count, delta: Inside, constant=10):
    r"""Step 4 replaces $\frac{2d}{\beta_\ell}\sqrt{\frac2\rho f(d,\delta_{K,\ell})}$ by $\frac{4d}{\beta_\ell}
    \sqrt{\frac1\rho C'\alpha_T}$ with a constant $C'$, which asks for
    $f(d,\delta_{K,\ell})\le2C'\log\frac{K\ell(\ell+1)}\delta$; here $C'=10$ and $K=d$.

    $f(d,\delta)\ge d$, but the right side grows like $\log d$ if there are $d$ actions, so no constant $C'$ is enough.
    The dimension has to stay beside the logarithm, and with it a factor $\sqrt d$ in the regret due to privacy.
    """
    level = delta / (d * phase * (phase + 1))
    return chi_square_radius(d, level / 2), "<=", 2 * constant * log(1 / level)


@claim("ALG-PC.3.2/chi-square-repaired", deduced(), false={"two": "1.9"}, repairs="ALG-PC.3.2/chi-square")
def radius_with_the_dimension(root: Positive, level: Positive, two=2):
    r"""$f(d,\delta)\le2d+3\log\frac2\delta$: the dimension stands beside the logarithm (in the variables $\sqrt d$ and
    $\sqrt{\log\frac2\delta}$).
    """
    return root**2 + 2 * root * level + 2 * level**2, "<=", two * root**2 + 3 * level**2


@claim(
    "ALG-PC.3.2/expectation",
    fails_at(gap=2, horizon=10),
    called={
        r"$\Delta$": "gap",
        "$T$": "horizon",
        "the loss outside of the good event": "left",
        "$T$, which it should not exceed,": "right",
    },
    assuming="what step 7 uses: that a run outside of the good event loses at most T",
)
def failure_costs_the_horizon(gap: Annotated[Any, "[0, 2]"], horizon: Count, most=1):
    r"""Step 7: $\mathbb E(R_T)\le(1-\delta)R_T(\delta)+\delta T$, so a run outside the good event loses at most $T$ in
    $T$ rounds, $\Delta$ in each.

    Under Assumption 5.10 a gap may be 2 ($\mathcal A=\{e,-e\}$, $\theta^*=e$), so such a run may lose $2T$. The
    expected regret is at most $R_T(\delta)+2$; the proof prints $R_T(\delta)+1$.
    """
    return gap * horizon, "<=", most * horizon


@repaired("ALG-PC.3.2/expectation-repaired", "ALG-PC.3.2/expectation", deduced(), false={"most": "1.9"})
def failure_costs_twice(horizon: Positive, most=2):
    r"""A run outside the good event loses at most $2T$, so $\mathbb E(R_T)\le R_T(\delta)+2$ at $\delta=\frac1T$."""


@claim(
    "ALG-PC.3.2/number-of-phases",
    fails_at(horizon=1),
    slip="It fails only at T = 1: an added constant makes it right.",
    called={"$T$": "horizon", r"$1000\log T$": "right"},
)
def phases_below_a_logarithm(horizon: Count, constant=1000):
    r"""Step 4: 'there exists a constant $C$ such that $\ell(T)\le C\log(T)$', for every $T$; here $C=1000$, and the
    first phase has begun, $\ell(T)\ge1$.

    At $T=1$ one phase has begun, but $\log T=0$. A constant has to be added: $\ell(T)\le2+\log_4T$ holds.
    """
    return to_ball(1), "<=", constant * log(horizon)


@claim(
    "ALG-PC.3.2/number-of-phases-repaired",
    deduced(),
    false=[{"base": "4.1"}, {"two": 1}],
    repairs="ALG-PC.3.2/number-of-phases",
)
def phases_that_have_begun(
    last: AtLeastOne, d: Positive, level: Positive, more: Nonnegative, rest: Nonnegative, base=4, two=2
):
    r"""$\ell(T)\le2+\log_{4}\frac T{32d\log(8K/\delta)}$ for $\ell(T)\ge2$ phases that have begun by step $T$
    (otherwise $\ell(T)=1$).

    The phase $m=\ell(T)-1$ is complete, so that $T\ge T_m\ge c_m\ge8d\,4^m\log\frac{4Km(m+1)}\delta\ge32d\,4^{m-1}
    \log\frac{8K}\delta$, and $m-1\le\log_4\frac T{32d\log(8K/\delta)}$. Variables: `last` is $m$, `level` is
    $\log\frac{8K}\delta$, `more` what $\log\frac{4Km(m+1)}\delta$ exceeds it by, and $T$ is $8d\,4^m$ times that
    logarithm plus `rest`, which holds the noise, the rounding and the other phases.
    """
    horizon = 8 * d * 4**last * (level + more) + rest
    return last + 1, "<=", two + log(horizon / (32 * d * level)) / log(base)
