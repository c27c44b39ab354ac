"""Appendix E: post-processing, tails and subgaussian variables."""

from banditproof.claims.register import restate_parts

restate_parts(
    "RDP-L25",
    r"$\mathbb P(\|M\|>4\sqrt{d+1}+2\log\frac1\delta)\le\delta$ for independent $\mathcal N(0,1)$ entries.",
    {part: f"ALG-LC.29/{part}" for part in ("tail", "matrices")},
)
