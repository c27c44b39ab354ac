"""Section 7: the lower bound that is left open."""

from banditproof.claims.register import claim, not_checkable
from banditproof.claims.sets import Positive
from banditproof.claims.steps import symbolic

not_checkable(
    "RDP-S9",
    r"Lower bounds are left open; Theorem 5 suggests $\Omega(\sqrt{\frac\alpha\epsilon\log T})$ for the "
    "problem-dependent price.",
    "unspecified constant",
    "a constant, and the class of policies and instances that the conjecture speaks of",
)


@claim("RDP-S9/suggested", symbolic(), false={"factor": 7}, role="remark")
def order_of_the_conjecture(price: Positive, L: Positive, beta: Positive, factor=8):
    r"""The price in Theorem 5 is $<factor>\sqrt\beta$ times $\sqrt{\frac\alpha\epsilon\log T}$ per arm: the conjecture
    is its order."""
    return 64 * beta * price * L, "==", factor**2 * beta * price * L
