"""Rates of linear bandits that two tables print, as squares over their common factors: k is log K, L is log T."""

from typing import Any

from banditproof.claims.sets import Sides
from banditproof.paper_checks.shared.two_environments import number
from banditproof.theory import log
from banditproof.verify import SymbolicArgument, nonnegative, positive
from banditproof.verify.proof.regimes import entropy_class


def private_rate(k: Any, L: Any, square: Any) -> Sides:
    """log(K log(T)/delta) log^2 T at delta = 1/T against square log^3(KT): private terms squared, rho/d^2 times."""
    return (k + L + log(number(L))) * L**2, "<=", square * (k + L) ** 3


def private_rate_argument(square: Any) -> SymbolicArgument:
    """log L = L/e - E(1, L/e)."""
    import sympy

    k, L = nonnegative("k"), positive("L")
    powers = square * k**3 + 3 * square * k**2 * L + (3 * square - 1) * k * L**2 + (square - 1 - sympy.exp(-1)) * L**3
    entropy = L**2 * entropy_class()(sympy.Integer(1), L / sympy.E)
    return SymbolicArgument({"k": k, "L": L}, powers + entropy, "nonnegative")


def cell_attained(k: Any, L: Any, square: Any) -> Sides:
    """The cell's private term against that of the theorem."""
    return (k + L) ** 3, "<=", square * (k + L + log(number(L))) * L**2
