"""What several sections of the RDP paper share: its dictionary to zCDP, and two prices of privacy."""

from typing import Any

from banditproof.claims.sets import Sides

DICTIONARY = r"$\rho=\frac\epsilon\alpha$"


def price_against_pure(price: Any, epsilon: Any, share: Any, more: Any, scale: Any) -> Sides:
    """price L against (share L/epsilon)^2 for L = scale price epsilon^2/share^2 + more: squares of the two prices."""
    L = scale * price * epsilon**2 / share**2 + more
    return price * L, "<=", share**2 * L**2 / epsilon**2
