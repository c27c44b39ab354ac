"""Rates of linear bandits that two tables print, as squares over their common factors: k is log K, L is log T."""

from typing import Any

from banditproof.claims.sets import Sides
from banditproof.theory import log, to_ball


def private_rate(k: Any, L: Any, square: Any) -> Sides:
    """log(K log(T)/delta) log^2 T at delta = 1/T against square log^3(KT): private terms squared, rho/d^2 times."""
    return (k + L + log(to_ball(L))) * L**2, "<=", square * (k + L) ** 3
