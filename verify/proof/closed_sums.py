"""Sums of polynomials and of binomial masses as long as a variable, in closed form."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from banditproof.theory.numbers.term import Term, number, var, variables
from banditproof.verify.proof.goals import power_apart
from banditproof.verify.proof.polynomial import TooLong, constant, polynomial


def _by_falling(coefficients: dict[int, Any]) -> Iterator[tuple[int, Any]]:
    """A polynomial of k by the products k (k - 1) ... (k - j + 1): pairs of j and the coefficient."""
    import sympy
    from sympy.functions.combinatorial.numbers import stirling

    for j in range(max(coefficients) + 1):
        yield j, sympy.Add(*(c * stirling(d, j) for d, c in coefficients.items() if d >= j))


def _falling(n: Any, j: int) -> Any:
    import sympy

    return sympy.Mul(*(n - i for i in range(j)))


def sum_of_powers(coefficients: dict[int, Any], length: Any) -> Any:
    """The sum over k = 0, ..., length - 1: that of k (k - 1) ... (k - j + 1) is one of the next degree over j + 1."""
    import sympy

    return sympy.Add(*(c * _falling(length, j + 1) / (j + 1) for j, c in _by_falling(coefficients)))


def binomial_mean(coefficients: dict[int, Any], n: Any, p: Any, whole: Any) -> Any:
    """The sum over k of comb(n, k) p^k q^(n - k) f(k), where p + q is `whole`.

    That of k (k - 1) ... (k - j + 1) is n (n - 1) ... (n - j + 1) p^j (p + q)^(n - j).
    """
    import sympy

    return sympy.Add(*(c * _falling(n, j) * p**j * power_apart(whole, n - j) for j, c in _by_falling(coefficients)))


def binomial_masses(t: Term) -> tuple[Term, Term, Term, Term] | None:
    """n, p, q and f of a sum of comb(n, k) p^k q^(n - k) f over k = 0, ..., n; None for another sum."""
    name, low, high, body = t.args
    k, parts_ = var(name), list(_product(body))
    chosen = [
        i for i, (f, above) in enumerate(parts_) if above and f.op == "fn" and f.args[0] == "comb" and f.args[2] is k
    ]
    if not chosen:
        return None
    n = parts_.pop(chosen[0])[0].args[1]  # one factor: what is equal to it is the same object
    if name in variables(n) or number_of(low) != 0 or number_of(high - n) != 1:
        return None
    chances: dict[str, Term] = {}
    rest = number(1)
    for f, above in parts_:
        power = f.args[1] if above and f.op == "pow" and name not in variables(f.args[0]) else None
        kind = "p" if power is k else "q" if power is not None and number_of(power + k - n) == 0 else ""
        if kind and kind not in chances:
            chances[kind] = f.args[0]
        else:
            rest = rest * f if above else rest / f
    return (n, chances["p"], chances["q"], rest) if len(chances) == 2 else None


def _product(t: Term) -> Iterator[tuple[Term, bool]]:
    """The factors of a term, each with whether it stands above the line."""
    if t.op == "mul":
        for part in t.args:
            yield from _product(part)
    elif t.op == "div":
        yield from _product(t.args[0])
        yield t.args[1], False
    elif t.op == "neg":
        yield number(-1), True
        yield from _product(t.args[0])
    else:
        yield t, True


def number_of(t: Term) -> Fraction | None:
    """The number that a polynomial of variables is, or None."""
    try:
        return constant(polynomial(t))
    except TooLong:
        return None
