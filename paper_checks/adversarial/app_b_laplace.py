"""Appendix B: helper lemmas on Laplace noise: hazard rate, truncated non-negativity, the largest of many draws."""

from typing import Any

from banditproof.theory.numbers.special import laplace_density, laplace_tail


def hazard(z: Any, lam: Any) -> Any:
    """f/(1 - F) of Lap(lam) at z."""
    return laplace_density(z / lam) / lam / laplace_tail(z / lam)
