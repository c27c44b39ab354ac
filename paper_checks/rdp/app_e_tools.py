"""Appendix E: post-processing, tails and subgaussian variables."""

from banditproof.claims.register import restate, restate_parts

restate("RDP-L18", "TH-P2.7/approximate")

restate(
    "RDP-L18/renyi",
    "TH-P2.7/zcdp",
    r"Stated for $(\epsilon,\delta)$-DP, used for RDP, where it holds too: $\mathbb E_Q[(dP/dQ)^\alpha]-1$ grows by "
    "at most $<factor>$ under a randomised mapping.",
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
