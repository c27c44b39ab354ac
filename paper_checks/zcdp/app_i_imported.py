"""Appendix I: imported tools, as far as finite arms use them: post-processing, Gaussian noise, tails, divergences."""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.register import claim, item, restate, restate_parts
from banditproof.claims.sets import AboveOne, Positive, Probability, Real
from banditproof.claims.steps import enumerated, pick, symbolic
from banditproof.theory import renyi_gaussian, sqrt, to_ball
from banditproof.verify import random_law, total_variation
from banditproof.verify.plays.kl_decompositions import relative_entropy

restate_parts(
    "ZCDP-L3",
    r"Post-processing keeps $(\epsilon,\delta)$-DP and $\rho$-zCDP.",
    {"approximate": "TH-P2.7/approximate", "zcdp": "TH-P2.7/zcdp"},
)

restate(
    "ZCDP-L4",
    "TH-P2.7/zcdp",
    r"$D_\alpha(f(P)\|f(Q))\le D_\alpha(P\|Q)$ for randomised $f$: $\mathbb E_Q[(dP/dQ)^\alpha]-1$ grows by at most "
    r"$1$.",
)

restate("ZCDP-T19", "TH-T4.3")

item(
    "ZCDP-T18",
    r"The Gaussian mechanism with variance $b\,s(f)^2$: $b=\frac2{\epsilon^2}\log\frac{1.25}\delta$ for "
    r"$(\epsilon,\delta)$-DP, $\frac\alpha{2\epsilon}$ for $(\alpha,\epsilon)$-RDP, $\frac1{2\rho}$ for $\rho$-zCDP "
    r"(no range of $\epsilon$ is printed).",
    twins=["TH-T2.14"],
)

restate(
    "ZCDP-T18/approximate",
    "TH-T2.14/edge-above-one",
    r"Noise of variance $s_2^2\,\frac2{\epsilon^2}\log\frac{5/4}{\delta}$ gives $(\epsilon,\delta)$-DP, for every "
    r"$\epsilon>0$ and $\delta\in(0,1)$: the theorem prints no range, and Definition 4 takes $\epsilon\ge0$.",
    role="part",
    notes="""As $\\epsilon$ grows with $\\delta$ fixed, the deviation falls like $\\frac1\\epsilon$ and the exact
    $\\delta$ of this
    noise tends to 1. Up to $\\epsilon=3$ the statement holds; the classical one is for $\\epsilon<1$.

    The left side is the ratio of the exact delta to the promised one.""",
    slip="It fails for budgets above 3 only; the theorems of the paper use the calibration for zCDP, which is right.",
)

restate(
    "ZCDP-T18/budgets-up-to-three",
    "TH-T2.14/budgets-up-to-three",
    r"Noise of variance $s_2^2\,\frac2{\epsilon^2}\log\frac{5/4}{\delta}$ gives $(\epsilon,\delta)$-DP for "
    r"$0<\epsilon\le3$ and every $\delta\in(0,1)$.",
    repairs="ZCDP-T18/approximate",
)

restate(
    "ZCDP-T18/zcdp",
    "TH-T2.14/zcdp",
    notes="$D_\\alpha$ is $\\frac{\\alpha d^2}{2b}$ for two normal laws of variance $b$ whose centres are $d$ apart.",
)


@claim("ZCDP-T18/rdp", symbolic(), false={"half": "0.49"})
def noise_for_renyi_privacy(
    center: Real, share: Probability, sensitivity: Positive, epsilon: Positive, alpha: AboveOne, half=Fraction(1, 2)
):
    r"""$b=\frac12\frac\alpha\epsilon$ gives $D_\alpha\le\epsilon$ for normal laws of variance $b\,s(f)^2$ whose centres
    are a share of $s(f)$ apart."""
    deviation = sensitivity * sqrt(half * alpha / epsilon)
    return renyi_gaussian(center, center + share * sensitivity, alpha, deviation), "<=", epsilon


@claim(
    "ZCDP-L5",
    enumerated(law=pick(range(-1, 30), range(-1, 300)), level=["1/2", 1, "3/2", "5/2", 3], rational=True),
    false={"factor": "0.99"},
)
def markov_inequality(law: Annotated[Any, "all: every random variable"], level: Positive, factor=1):
    r"""Markov: $\mathbb P(|X|\ge\varepsilon)\le\mathbb E|X|/\varepsilon$ for $\varepsilon>0$.

    For random rational laws on -3..3, and the constant variable, which attains it.
    """
    masses = dict(zip(range(-3, 4), random_law(law, "x", 7, 0, 9), strict=True)) if law >= 0 else {level: Fraction(1)}
    tail = sum((p for x, p in masses.items() if abs(x) >= level), Fraction(0))
    return tail, "<=", factor * sum((abs(x) * p for x, p in masses.items()), Fraction(0)) / level


item(
    "ZCDP-L6",
    r"Bretagnolle-Huber: $\mathbb P(A)+\mathbb Q(A^c)\ge\frac12e^{-\mathrm{KL}(\mathbb P\|\mathbb Q)}$ for every "
    "event.",
    twins=["TH-S4.1b"],
)

restate("ZCDP-L6/two-outcomes", "TH-S4.1b/bretagnolle-huber", restricted="to two outcomes")
restate("ZCDP-L6/certain-events", "TH-S4.1b/bretagnolle-huber-certain-events", role="part")
item("ZCDP-L7", r"Pinsker: $\mathrm{KL}(\mathbb P\|\mathbb Q)\ge2\,\mathrm{TV}(\mathbb P\|\mathbb Q)^2$.")

restate(
    "ZCDP-L7/two-outcomes",
    "TH-S4.16b/kl-at-least",
    r"For two outcomes of probability $\mu_a$ and $\mu^*$: $\mathrm{kl}(\mu_a,\mu^*)\ge2(\mu^*-\mu_a)^2$; in general "
    r"by data processing to the event where one law is larger.",
    restricted="to two outcomes",
)


@claim(
    "ZCDP-L7/finite-laws",
    enumerated(law=pick(range(-1, 60), range(-1, 600)), rational=True, routes=("relative entropy", "total variation")),
    false={"factor": "1.01"},
)
def pinsker_for_finite_laws(law: Annotated[Any, "all: every pair of laws"], factor=1):
    r"""$\mathrm{KL}\ge2\,\mathrm{TV}^2$ for laws on four outcomes.

    Random pairs of laws on four outcomes; number -1 are two coins close to each other.
    """
    p, q = (dict(enumerate(random_law(law, side, 4))) for side in "pq")
    if law < 0:
        p, q = ({0: share, 1: 1 - share} for share in (Fraction(1, 2), Fraction(501, 1000)))
    return relative_entropy(p, q), ">=", to_ball(factor * 2 * total_variation(p, q) ** 2)


restate_parts(
    "ZCDP-D11",
    r"$X$ is $\sigma$-subgaussian if $\mathbb E e^{\lambda X}\le e^{\lambda^2\sigma^2/2}$ for all real $\lambda$.",
    {"mean-zero": "TH-D2.20/mean-zero", "gaussian": "TH-D2.20/gaussian"},
)

restate("ZCDP-L8", "TH-L2.21")

item(
    "ZCDP-L9",
    r"(1) $cX$ is $|c|\sigma$-subgaussian; (2) independent sums are $\sqrt{\sigma_1^2+\sigma_2^2}$-subgaussian; (3) "
    r"$X\in[a,b]$ of mean zero is $\frac{b-a}2$-subgaussian.",
    twins=["TH-L2.22"],
)

for part in ("scaling", "sum", "bounded"):
    restate(f"ZCDP-L9/{part}", f"TH-L2.22/{part}")

item(
    "ZCDP-D10",
    r"$\pi$ is consistent over $\mathcal E$ if $\mathrm{Reg}_T(\pi,\nu)/T^p\to0$ for all $\nu\in\mathcal E$, $p>0$.",
    twins=["TH-D2.29", "ALG-DC.18"],
)
restate(
    "ZCDP-D10/logarithmic-regret",
    "TH-D2.29/logarithmic-regret",
    r"Logarithmic regret is consistent: $p\log T\le T^p/e$, so $\log(T)/T^{2p}\to0$.",
)
