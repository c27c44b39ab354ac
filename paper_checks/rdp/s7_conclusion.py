"""Section 7: the lower bound that is left open."""

from banditproof.claims.register import not_checkable

not_checkable(
    "RDP-S9",
    r"Lower bounds are left open; Theorem 5 suggests $\Omega(\sqrt{\frac\alpha\epsilon\log T})$ for the "
    "problem-dependent price.",
    "unspecified constant",
    "a constant, and the class of policies and instances that the conjecture speaks of",
)
