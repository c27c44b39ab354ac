"""Appendix E: post-processing, tails and subgaussian variables."""

from banditproof.claims.register import claim, restate, restate_parts
from banditproof.claims.sets import Nonnegative
from banditproof.claims.steps import fails_at

restate("RDP-L18", "TH-P2.7/approximate")

restate(
    "RDP-L18/renyi",
    "TH-P2.7/zcdp",
    r"Stated for $(\epsilon,\delta)$-DP, used for RDP, where it holds too: $\mathbb E_Q[(dP/dQ)^\alpha]-1$ grows by at "
    r"most $1$ under a randomised mapping.",
    role="implication",
)

restate("RDP-L19", "ZCDP-L5")

restate_parts(
    "RDP-D20",
    r"$X$ is $\sigma$-subgaussian if $\mathbb E e^{\lambda X}\le e^{\lambda^2\sigma^2/2}$ for all $\lambda$.",
    {"mean-zero": "TH-D2.20/mean-zero", "gaussian": "TH-D2.20/gaussian"},
)

restate("RDP-L21", "TH-L2.21")

restate_parts(
    "RDP-L22",
    r"(1) $cX$ is $|c|\sigma$-subgaussian; (2) independent sums are $\sqrt{\sigma_1^2+\sigma_2^2}$-subgaussian; (3) "
    r"$X\in[a,b]$ of mean zero is $\frac{b-a}2$-subgaussian.",
    {"scaling": "TH-L2.22/scaling", "sum": "TH-L2.22/sum", "bounded": "TH-L2.22/bounded"},
)

restate_parts(
    "RDP-L23",
    r"$A\succeq B\succeq0$: $\det A\ge\det B$, and $A^{-1}\preceq B^{-1}$ when nonsingular.",
    {"determinants": "ALG-LC.27/determinants", "inverses": "ALG-LC.27/inverses"},
)
restate_parts(
    "RDP-L24",
    r"$\mathbb P(\|X\|^2\ge d+2\sqrt{d\log\frac1\delta}+2\log\frac1\delta)\le\delta$ for $X\sim\mathcal N(0,I_d)$.",
    {part: f"ALG-LC.28/{part}" for part in ("even-dimensions", "one-dimension", "chernoff")},
)
restate_parts(
    "RDP-L25",
    r"$\mathbb P(\|M\|>4\sqrt{d+1}+2\log\frac1\delta)\le\delta$ for independent $\mathcal N(0,1)$ entries.",
    {part: f"ALG-LC.29/{part}" for part in ("tail", "matrices")},
)
restate_parts(
    "RDP-L26",
    r"$\mathbb P(\exists t:\|S_t\|^2_{V_t(\lambda)^{-1}}\ge2\log\frac1\delta+\log\frac{\det V_t(\lambda)}{\lambda^d})"
    r"\le\delta$.",
    {"mixture": "ALG-LC.30/mixture", "adaptive": "ALG-LC.30/adaptive"},
)
restate_parts(
    "RDP-L27",
    r"For contexts as in Assumption 2, $\mathbb P(\exists t:\lambda_{\min}(\sum_{s\le t}A_sA_s^\top)\le"
    r"\frac{\lambda_0t}4-8\log\frac{t+3}{\delta/d}-2\sqrt{t\log\frac{t+3}{\delta/d}})\le\delta$.",
    {"dimension-one": "ALG-L5.16/dimension-one"},
)
restate(
    "RDP-L27/hypotheses",
    "RDP-T10/hypotheses",
    r"In some dimension $d\ge2$ contexts can meet the three conditions: the first two make the variance of $(z^\top "
    r"A)^2$ at least $\frac{2(d-1)}{d(d+2)}\lambda_0$ for some unit $z$, and in the most favourable case, "
    r"$\lambda_0=\frac1d$ and $k_t=1$, that is at most the $\frac{\lambda_0^2}{8\log4}$ of the third (both sides "
    r"divided by $\frac{\lambda_0}d$).",
)
restate(
    "RDP-L27/one-dimension",
    "ALG-D5.15/dimension-one",
    r"In $d=1$ contexts of $\pm1$ meet the conditions: $(zA)^2=1$ has mean $\lambda_0=1$ and variance 0.",
    role="special case",
    repairs="RDP-L27/hypotheses",
    restricted="to one dimension",
)
restate(
    "RDP-L27/without-the-variance",
    "ALG-L5.16/without-the-variance",
    r"With the history $H_t$ of Assumption 2, which contains $\mathcal A_t$, $(z^\top A)^2$ is known, its variance 0, "
    r"and the third condition empty. The first two alone do: $\mathbb P(\lambda_{\min}\le\dots)\le\delta$.",
)
restate_parts(
    "RDP-L28",
    r"$\sup_x\frac{x^\top Ax}{x^\top Bx}\le\frac{\det A}{\det B}$ for positive semi-definite $A=B+C$.",
    {"sequences": "ALG-LC.31/sequences", "eigenvalues": "ALG-LC.31/eigenvalues"},
)


@claim("RDP-L28/singular", fails_at(b=0, rational=True), role="reading")
def determinant_of_the_smaller(b: Nonnegative):
    r"""'Positive semi-definite': for $B=\mathrm{diag}(1,b)$ and $C=\mathrm{diag}(1,0)$ $\det B>0$.

    For b = 0 the bound is 0/0, and the left side 2.
    """
    return b, ">", 0


restate("RDP-L28/nonsingular", "ALG-LC.31/eigenvalues", repairs="RDP-L28/singular")
