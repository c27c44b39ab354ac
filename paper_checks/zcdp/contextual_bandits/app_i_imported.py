"""Appendix I: imported facts that the contextual part uses."""

from banditproof.claims.register import restate, restate_parts

restate_parts(
    "ZCDP-L10",
    r"$\mathbb P(\|X\|^2\ge d+2\sqrt{d\log\frac1\delta}+2\log\frac1\delta)\le\delta$ for $X\sim\mathcal N(0,I_d)$.",
    {part: f"ALG-LC.28/{part}" for part in ("even-dimensions", "one-dimension", "chernoff")},
)
restate_parts(
    "ZCDP-L11",
    r"$\mathbb P(\exists t:\|S_t\|^2_{V_t(\lambda)^{-1}}\ge2\log\frac1\delta+\log\frac{\det V_t(\lambda)}{\lambda^d})"
    r"\le\delta$.",
    {"mixture": "ALG-LC.30/mixture", "adaptive": "ALG-LC.30/adaptive"},
)
restate_parts(
    "ZCDP-L12",
    r"Under Assumption 2, $\lambda_{\min}(\sum A_sA_s^\top)>\frac{\lambda_0t}4-8\log\frac{t+3}{\delta/d}-"
    r"2\sqrt{t\log\frac{t+3}{\delta/d}}$ for all $t$, but for probability $\delta$.",
    {"dimension-one": "ALG-L5.16/dimension-one"},
)
restate("ZCDP-L12/without-the-variance", "ALG-L5.16/without-the-variance")
restate(
    "ZCDP-L12/hypotheses",
    "ZCDP-T5/hypotheses",
    r"The conditions of Lemma 12 leave room for a law in every dimension $d\ge2$ and for every $\lambda_0\le\frac1d$: "
    r"the variance of $(z^\top A)^2$, which for some unit $z$ is at least $\frac{2(d-1)\lambda_0}{d(d+2)}$, is at most "
    r"$\frac{\lambda_0^2}{8}$ (share is $d\lambda_0$).",
    cause="ZCDP-T5/hypotheses",
)
restate(
    "ZCDP-L12/in-one-dimension",
    "ALG-D5.15/dimension-one",
    r"In $d=1$ contexts $\pm1$ meet them: $(zA)^2=1$ has mean $\lambda_0=1$ and variance 0.",
    role="special case",
    repairs="ZCDP-L12/hypotheses",
)
restate_parts(
    "ZCDP-L13",
    r"$\sup_x\frac{x^\top Ax}{x^\top Bx}\le\frac{\det A}{\det B}$ for positive semi-definite $A=B+C$.",
    {"sequences": "ALG-LC.31/sequences", "eigenvalues": "ALG-LC.31/eigenvalues"},
)
restate("ZCDP-L13/singular", "RDP-L28/singular")
restate("ZCDP-L13/nonsingular", "ALG-LC.31/eigenvalues", repairs="ZCDP-L13/singular")
