"""Symbols with assumptions, for the arguments of symbolic proofs."""

from __future__ import annotations

from typing import Any


def real(names: str) -> Any:
    """Real symbols, one for a single name."""
    import sympy

    return sympy.symbols(names, real=True)


def positive(names: str) -> Any:
    """Positive symbols, one for a single name."""
    import sympy

    return sympy.symbols(names, positive=True)


def nonnegative(names: str) -> Any:
    """Nonnegative symbols, one for a single name."""
    import sympy

    return sympy.symbols(names, nonnegative=True)
