r"""Couplings of finite laws, which two documents use."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from banditproof.claims.sets import Sides
from banditproof.verify import random_law, total_variation

PAIRS = [("random", seed, size) for size in (2, 3, 4, 5) for seed in range(6)]
PAIRS_AND_EDGES = [*PAIRS, ("equal", 1, 3), ("disjoint", 1, 2)]


def pair_of_laws(pair: Sequence[Any]) -> tuple[dict[int, Fraction], dict[int, Fraction]]:
    """Two rational laws on finitely many atoms; weights may be zero, so that supports differ."""
    kind, seed, size = pair
    p, q = (random_law(seed, side, size, 0, 5) for side in ("P", "P" if kind == "equal" else "Q"))
    if kind == "disjoint":
        p, q = (*p, *(Fraction(0),) * size), (*(Fraction(0),) * size, *q)
    return dict(enumerate(p)), dict(enumerate(q))


def overlap_coupling(p: dict[int, Fraction], q: dict[int, Fraction]) -> dict[tuple[int, int], Fraction]:
    """The overlap min(p, q) on the diagonal, and the product of what is left of both, normalised."""
    rest = total_variation(p, q)
    coupling = {(i, i): min(p[i], q[i]) for i in p}
    for i, j in product(p, q):
        if i != j:
            left = max(p[i] - q[i], Fraction(0)) * max(q[j] - p[j], Fraction(0))
            coupling[i, j] = left / rest if rest else left
    return coupling


def overlap_coupling_is_maximal(pair: Sequence[Any], factor: Any) -> Sides:
    """Both marginals, the probability of differing, and an event whose probabilities differ by as much."""
    p, q = pair_of_laws(pair)
    coupling = overlap_coupling(p, q)
    marginals = all(sum(coupling[i, j] for j in q) == p[i] and sum(coupling[j, i] for j in p) == q[i] for i in p)
    differing = sum(mass for (i, j), mass in coupling.items() if i != j)
    return (marginals, Fraction(differing)), "==", (True, factor * total_variation(p, q))
