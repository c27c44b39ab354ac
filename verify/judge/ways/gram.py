"""Polynomial comparisons by sums of squares: the gap is m' Q m for monomials m and a matrix Q that is nowhere negative.

Where a gap that is 0 or more has a zero z, Q m(z) is 0. So the zeros are looked for first, and Q lives on what is
orthogonal to all m(z); there, floats find a Q inside of the cone, which is rounded to rational numbers and divided into
squares exactly. Nothing of this is trusted: that the gap is the sum of these squares is a claim of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial, reduce
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np

from banditproof.verify.judge.formulas.formula import HALF_LINE, LINE, NoStatement, binary, name, num, put
from banditproof.verify.judge.formulas.printing import plain
from banditproof.verify.judge.formulas.sentence import Compare, Expression, Range
from banditproof.verify.judge.formulas.symbolic import from_sympy, symbols_of, to_sympy
from banditproof.verify.judge.ways.from_far import turned
from banditproof.verify.judge.ways.points import Asked

ZERO, ONE, TWO = num(0), num(1), num(2)
MOST_MONOMIALS, MOST_VARIABLES = 36, 4
MOST_UNKNOWN = 400
LARGEST = 10**30  # coefficient, and one through it the smallest
STARTS, POLISHED = 30, 3  # of the search for zeros
LIGHT, HEAVY, FASTER = 1e2, 1e8, 1.5  # weights on the way into the cone
SMALL, SAME, SIMPLE = 1e-9, 1e-6, 60
DENOMINATORS = (1, 2, 3, 4, 6, 12, 60, 1000, 10**5, 10**7)
Powers = tuple[int, ...]
Polynomial = dict[Powers, Fraction]
Squares = list[tuple[Fraction, Polynomial]]
Floats = Any  # an array


def by_sum_of_squares(asked: Asked) -> Iterator[tuple[tuple[Asked, ...], str]]:
    """Claims that imply a weak comparison of rational functions, of numbers of the line or of a half of it.

    Numbers of a half-line are squares. Where the gap is no sum of squares, it may be one times a positive factor.
    """
    more, less, sign = turned(asked)
    wide = all(r == LINE or _open(r) == HALF_LINE for r in asked.ranges.values())
    if sign != ">=" or not 2 <= len(asked.ranges) <= MOST_VARIABLES or not wide or asked.conditions:
        return
    import sympy

    gap, symbols = binary("sub", more, less), symbols_of(asked.ranges)
    try:
        above, below = sympy.fraction(sympy.together(to_sympy(gap, symbols)))
        above, bottom = sympy.Poly(above, *symbols.values(), domain="QQ"), from_sympy(sympy.factor(below))
    except (NoStatement, KeyError, sympy.PolynomialError, sympy.CoercionFailed):
        return
    halves = [x for x, r in asked.ranges.items() if r != LINE]
    for factor, squared in product(_factors(above, halves), ([], halves) if halves else ([],)):
        there = (above.as_expr() * factor).subs({symbols[x]: symbols[x] ** 2 for x in squared})
        squares = sum_of_squares(_polynomial(sympy.Poly(there, *symbols.values())))
        if squares is not None:
            yield _claims(asked, (gap, bottom, from_sympy(factor)), squares, squared)
            return


def _open(r: Range) -> Range:
    return replace(r, low_open=True)


def _polynomial(p: Any) -> Polynomial:
    return {key: Fraction(int(c.p), int(c.q)) for key, c in p.terms()}


def _factors(p: Any, halves: list[str]) -> Iterator[Any]:
    """1, and the sum of all numbers, or of their squares on the line, with 1 where p has terms of several degrees."""
    import sympy

    yield sympy.S.One
    if not p.is_homogeneous or len(halves) == len(p.gens):
        of = (x if x.name in halves else x**2 for x in p.gens)
        yield sympy.Add(*of, 0 if p.is_homogeneous else 1)


def _claims(
    asked: Asked, of: tuple[Expression, Expression, Expression], squares: Squares, squared: list[str]
) -> tuple[tuple[Asked, ...], str]:
    """That the gap times a factor is the squares over what is below it, and that both are above 0."""
    there = {x: binary("pow", name(x), TWO) for x in squared}
    (gap, below, factor), words = of, list(asked.ranges)
    terms = [binary("mul", num(c), binary("pow", _formula(q, words), TWO)) for c, q in squares]
    total = reduce(partial(binary, "add"), terms)
    same = Compare(put(binary("mul", gap, factor), there), "==", binary("div", total, put(below, there)))
    signs = [Compare(below, ">", ZERO)] * (below != ONE) + [Compare(term, ">=", ZERO) for term in terms]
    claims = [replace(asked, comparison=c, printed=False) for c in (same, *signs)]
    inner = {x: _open(r) for x, r in asked.ranges.items()}
    claims += [Asked(Compare(factor, ">", ZERO), inner, printed=False)] if factor != ONE else []
    with_squares = f"with squares for {' and '.join(squared)} " if squared else ""
    times = f", times {plain(factor)}, which is 0 at ends at most," if factor != ONE else ""
    return tuple(claims), f"{with_squares}the gap of the sides{times} is a sum of squares over what is above 0"


def _formula(q: Polynomial, words: list[str]) -> Expression:
    import sympy

    return from_sympy(
        sympy.Poly(
            {k: sympy.Rational(c.numerator, c.denominator) for k, c in q.items()}, *(sympy.Symbol(w) for w in words)
        ).as_expr()
    )


# ------------------------------------------------------------------------------------------------------ polynomials


def sum_of_squares(p: Polynomial) -> Squares | None:
    """Positive numbers, and the polynomials whose squares times these make p; None where none were found."""
    monomials = _monomials(p)
    if not monomials or len(monomials) > MOST_MONOMIALS or not all(1 / LARGEST < abs(c) < LARGEST for c in p.values()):
        return None
    try:
        with np.errstate(all="ignore"):
            zeros = _zeros(p)
            basis = None if zeros is None else _orthogonal(monomials, zeros)
            return None if basis is None else _gram(p, monomials, basis)
    except (ValueError, OverflowError):  # floats that are too large, or a matrix that is singular
        return None


def _monomials(p: Polynomial) -> list[Powers]:
    """Monomials that the polynomials may have: of a degree that p allows, and none whose square nothing cancels."""
    degrees, each = [sum(key) for key in p], list(zip(*p, strict=True))
    reach = (range(-(-min(k) // 2), max(k) // 2 + 1) for k in each)
    found = [m for m in product(*reach) if min(degrees) <= 2 * sum(m) <= max(degrees)]
    while True:
        sums = Counter(_added(a, b) for a, b in combinations_with_replacement(found, 2))
        kept = [m for m in found if sums[_added(m, m)] > 1 or p.get(_added(m, m), 0) > 0]
        if len(kept) == len(found):
            return kept if p.keys() <= sums.keys() else []
        found = kept


def _added(a: Powers, b: Powers) -> Powers:
    return tuple(x + y for x, y in zip(a, b, strict=True))


def _zeros(p: Polynomial) -> list[Floats] | None:
    """Places where p is 0, as far as floats find them; None where it seems to be below 0 somewhere."""
    from scipy.optimize import minimize

    powers, of = np.array(list(p)), np.array([float(c) for c in p.values()])
    degree, n = int(powers.sum(axis=1).max()), powers.shape[1]
    one = 0.0 if (powers.sum(axis=1) == degree).all() else 1.0

    def terms(z: Floats, *by: int) -> Floats:
        """The terms of a derivative of p."""
        left, factor = powers.copy(), of.copy()
        for i in by:
            factor, left[:, i] = factor * left[:, i], np.maximum(left[:, i] - 1, 0)
        return factor * np.prod(z**left, axis=1)

    def size(z: Floats) -> float:
        return float(terms(z).sum() / np.abs(terms(z)).sum().clip(1e-300))

    found, draws = [], np.random.default_rng(0).normal(size=(STARTS, n))
    for start in draws:
        z = minimize(lambda z: terms(z).sum() / (one + z @ z) ** (degree / 2), start, method="BFGS").x
        for _ in range(POLISHED):
            z = z if one else z / (np.linalg.norm(z) or 1)
            steep = np.array([terms(z, i).sum() for i in range(n)])
            bent = np.array([[terms(z, i, j).sum() for j in range(n)] for i in range(n)])
            if not np.isfinite([*z, *steep, *bent.ravel()]).all():
                return None
            z = z - np.linalg.lstsq(bent, steep, rcond=SAME)[0]
        if size(z) < -SMALL:
            return None
        found += [z] if size(z) < SMALL else []
    return found


def _orthogonal(monomials: list[Powers], zeros: list[Floats]) -> list[list[Fraction]] | None:
    """A rational basis of what is orthogonal to the monomials at all zeros; None where there seems to be none."""
    count = len(monomials)
    vectors = np.array([np.prod(z ** np.array(monomials), axis=1) for z in zeros]).reshape(-1, count)
    lengths = np.linalg.norm(vectors, axis=1)
    rows = vectors[lengths > SMALL] / lengths[lengths > SMALL, None]
    _, sizes, turned_ = np.linalg.svd(rows)
    rows, pivots = turned_[: int((sizes > SAME).sum())], []
    for i in range(len(rows)):
        column = int(np.abs(rows[i:]).max(axis=0).argmax())
        best = i + int(np.abs(rows[i:, column]).argmax())
        rows[[i, best]] = rows[[best, i]]
        rows[i] /= rows[i, column]
        rows -= np.outer(np.where(np.arange(len(rows)) == i, 0, rows[:, column]), rows[i])
        pivots.append(column)
    near = [[Fraction(float(x)).limit_denominator(SIMPLE) for x in row] for row in rows]
    if rows.size and np.abs(np.array(near, dtype=float) - rows).max() > SAME:
        return None
    basis = []
    for free in (j for j in range(count) if j not in pivots):
        vector = [Fraction(int(j == free)) for j in range(count)]
        for row, pivot in zip(near, pivots, strict=True):
            vector[pivot] = -row[free]
        basis.append(vector)
    return basis


def _gram(p: Polynomial, monomials: list[Powers], basis: list[list[Fraction]]) -> Squares | None:
    """p as squares of polynomials in the span of a basis."""
    from flint import fmpq, fmpq_mat

    k = len(basis)
    of = [{m: c for m, c in zip(monomials, b, strict=True) if c} for b in basis]
    pairs = [(i, j) for i in range(k) for j in range(i, k)]
    products = [_product(of[i], of[j], 2 - (i == j)) for i, j in pairs]
    keys = sorted({key for made in (*products, p) for key in made})
    if not pairs or len(pairs) > MOST_UNKNOWN:
        return None
    entries = [[made.get(key, Fraction(0)) for made in (*products, p)] for key in keys]
    solved, rank = fmpq_mat([[fmpq(c.numerator, c.denominator) for c in row] for row in entries]).rref()
    rows = [[Fraction(int(solved[i, j].p), int(solved[i, j].q)) for j in range(len(pairs) + 1)] for i in range(rank)]
    pivots = [next(j for j, c in enumerate(row) if c) for row in rows]
    if len(pairs) in pivots:
        return None
    free = [j for j in range(len(pairs)) if j not in pivots]

    def matrix(values: list[Fraction]) -> list[list[Fraction]]:
        at = dict(zip(free, values, strict=True))
        for row, pivot in zip(rows, pivots, strict=True):
            at[pivot] = row[-1] - sum((row[j] * at[j] for j in free if row[j]), Fraction(0))
        return [[at[pairs.index((min(i, j), max(i, j)))] for j in range(k)] for i in range(k)]

    first = np.array(matrix([Fraction(0)] * len(free)), dtype=float)
    units = ([Fraction(int(i == j)) for j in range(len(free))] for i in range(len(free)))
    inside = _inside(first, [np.array(matrix(u), dtype=float) - first for u in units])
    for d in DENOMINATORS if inside is not None else ():
        squares = _divided(matrix([Fraction(round(x * d), d) for x in inside or ()]), of)
        if squares is not None:
            return squares
    return None


def _product(a: Polynomial, b: Polynomial, times: int = 1) -> Polynomial:
    made: Polynomial = {}
    for (m, c), (n, d) in product(a.items(), b.items()):
        made[key] = made.get(key := _added(m, n), Fraction(0)) + times * c * d
    return made


def _inside(first: Floats, steps: list[Floats]) -> list[float] | None:
    """Numbers x for which first + sum x_i steps_i is inside of the cone, by a barrier; None where none is."""
    one, t = np.eye(len(first)), float(np.linalg.eigvalsh(first)[0]) - 1
    ways, x, weight = np.array([*steps, -one]), np.array([*np.zeros(len(steps)), t]), 1.0
    while weight < HEAVY and not (x[-1] > SMALL and weight > LIGHT):
        inverse = np.linalg.inv(first + np.tensordot(x, ways, 1))
        turned_ = inverse @ ways
        steep = -np.trace(turned_, axis1=1, axis2=2)
        steep[-1] -= weight
        bent = np.einsum("aij,bji->ab", turned_, turned_)
        step = -np.linalg.lstsq(bent, steep, rcond=None)[0]
        far = float(np.sqrt(max(0.0, -step @ steep)))
        x = x + step / (1 + far)
        weight *= FASTER if far < 1 else 1
    return [float(v) for v in x[:-1]] if x[-1] > SMALL else None


def _divided(matrix: list[list[Fraction]], of: list[Polynomial]) -> Squares | None:
    """The squares of a matrix without negative eigenvalues, one row after the other; None of another one."""
    squares: Squares = []
    rest = [list(row) for row in matrix]
    for i, row in enumerate(rest):
        top = row[i]
        if top < 0 or not top and any(row):
            return None
        if not top:
            continue
        line = [c / top for c in row]
        q: Polynomial = {}
        for c, b in zip(line, of, strict=True):
            for m, d in b.items() if c else ():
                q[m] = q.get(m, Fraction(0)) + c * d
        squares.append((top, q))
        for j in range(len(rest)):
            rest[j] = [c - top * line[j] * d for c, d in zip(rest[j], line, strict=True)]
    return squares
