"""Appendix B: Lemma 12 and the proof of Theorem 5.

AdaR-UCB at (alpha, epsilon) is AdaC-UCB at rho = epsilon/alpha (RDP-A2/index, /releases): where the zCDP paper states
the same, its claims are restated with that rho. L stands for log T.
"""

from banditproof.claims.register import restate
from banditproof.paper_checks.rdp.facts import DICTIONARY

restate(
    "RDP-PF2/blocks",
    "ZCDP-PF5",
    r"A negative slack implies $2^\ell<\frac{2\beta}{\Delta_a^2}\log T+2\sqrt{\frac{\beta\alpha}{\epsilon"
    rf"\Delta_a^2}}}}\sqrt{{\log T}}$ ({DICTIONARY}).",
)


restate(
    "RDP-PF2/regret",
    "ZCDP-PF6/regret",
    r"Step 2: $\Delta_a\cdot4x=\frac{8\beta}{\Delta_a}\log T+8\sqrt{\frac{\beta\alpha}\epsilon}"
    rf"\sqrt{{\log T}}$ for the $x$ of $\ell=\lceil\log_2x\rceil$ ({DICTIONARY}).",
    notes="4 x is the bound on 2^(l+1) in the bound on the number of plays.",
)
