"""Appendix I: imported facts that the contextual part uses."""

from banditproof.claims.register import restate_parts

restate_parts(
    "ZCDP-L10",
    r"$\mathbb P(\|X\|^2\ge d+2\sqrt{d\log\frac1\delta}+2\log\frac1\delta)\le\delta$ for $X\sim\mathcal N(0,I_d)$.",
    {part: f"ALG-LC.28/{part}" for part in ("even-dimensions", "one-dimension", "chernoff")},
)
