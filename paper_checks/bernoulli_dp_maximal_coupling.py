"""Maximal couplings (Definition 3.2) of *Optimal Regret of Bernoulli Bandits under Global Differential Privacy*."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import lcm
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation
from banditproof.verify.channels import total_variation
from banditproof.verify.domain import Domain
from banditproof.verify.kernels import random_law

Sides = tuple[Any, str, Any]

PAIRS = [("random", seed, size) for size in (2, 3, 4, 5) for seed in range(6)]
PAIRS += [("equal", 1, 3), ("disjoint", 1, 2)]


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


def transport_certificate(pair: Sequence[Any]) -> dict[str, Any]:
    """Primal and dual solution of the transport problem with cost 1 off the diagonal, from a solver, in rationals."""
    import numpy as np
    from scipy.optimize import linprog

    p, q = pair_of_laws(pair)
    size = len(p)
    masses = [*p.values(), *q.values()]
    rows = np.vstack([np.kron(np.eye(size), np.ones(size)), np.kron(np.ones(size), np.eye(size))])
    found = linprog((1 - np.eye(size)).ravel(), A_eq=rows, b_eq=[float(m) for m in masses], method="highs-ds")
    unit = lcm(*(m.denominator for m in masses))  # vertices of the primal are multiples of 1/unit, of the dual integers
    return {"pair": list(pair), "coupling": [Fraction(round(value * unit), unit) for value in found.x],
            "dual": [round(value) for value in found.eqlin.marginals]}  # fmt: skip


def transport_is_optimal(data: Any) -> Sides:
    """Feasible primal and dual solutions of equal value, equal to the total variation, for every stored pair."""
    return all(_optimal(entry) for entry in data), "==", True


def _optimal(entry: Any) -> bool:
    p, q = pair_of_laws(entry["pair"])
    size, x, dual = len(p), [Fraction(m) for m in entry["coupling"]], entry["dual"]
    f, g = dual[:size], dual[size:]
    primal = min(x) >= 0 and all(sum(x[i * size : (i + 1) * size]) == p[i] and sum(x[i::size]) == q[i] for i in p)
    feasible = all(f[i] + g[j] <= (i != j) for i in p for j in q)
    cost = sum(x[i * size + j] for i in p for j in q if i != j)
    return primal and feasible and cost == sum(f[i] * p[i] + g[i] * q[i] for i in p) == total_variation(p, q)


@claim(
    "BDP-D3.2",
    r"For any two laws there is a coupling $c_\infty$ with $\Pr[X\ne Y]=\inf_c\Pr_c[X\ne Y]=<factor>\cdot\mathrm{TV}$.",
    domain=Domain.of(pair="all: every pair of probability distributions on one sigma-algebra"),
    constants={"factor": 1}, mutations=[mutation("5 % farther apart", factor="1.05")], strongest="certificate",
)  # fmt: skip
def maximal_couplings_exist(check: Check) -> None:
    """Two routes: the overlap coupling built by hand, and a transport program whose dual proves that none is better."""
    region = check.domain.restrict(pair=f"all: {len(PAIRS)} pairs of rational laws on 2 to 5 atoms")
    over = [{"pair": list(pair)} for pair in PAIRS]
    routes = ("overlap coupling", "hockey-stick divergence at ratio 1")
    if check.enumerate(overlap_coupling_is_maximal, over, covers=region, rational=True, routes=routes):
        check.certificate(transport_is_optimal, [transport_certificate(pair) for pair in PAIRS], region,
                          routes=("coupling from a linear program", "its dual solution"))  # fmt: skip


def masses_off_the_diagonal(c_01: Any, c_10: Any, factor: Any) -> Sides:
    """Pr[X != Y] of a coupling of two Bernoulli laws against the difference of their means."""
    return c_01 + c_10, ">=", factor * (c_10 - c_01)


@claim(
    "BDP-D3.2/no-bernoulli-coupling-is-better",
    r"For $p\ge q$ every coupling of two Bernoulli laws of these means has"
    r" $\Pr[X\ne Y]=c_{01}+c_{10}\ge<factor>\,(p-q)$: its cells give $p-q=c_{10}-c_{01}$, so $c_{01}=0$,"
    r" that is $X\ge Y$, attains the bound.",
    domain=Domain.of(c_01="[0, 1]", c_10="[0, 1]", where=["c_01 <= c_10", "c_01 + c_10 <= 1"]),
    constants={"factor": 1}, mutations=[mutation("1 % more", factor="1.01")], strongest="interval",
)  # fmt: skip
def no_bernoulli_coupling_is_better(check: Check) -> None:
    check.interval(masses_off_the_diagonal, routes=("mass off the diagonal", "difference of the means"))
