"""Exact optimal transport between two finite laws: a rational plan and rational potentials of equal value.

A solver in floats suggests the plan; a primal-dual method in integers completes it, so that both solutions are
feasible without rounding and prove each other optimal.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from banditproof.theory.errors import InvalidInput

Cells = tuple[tuple[int, int, Fraction], ...]  # (row, column, mass > 0)
ROOT = -1  # where a path starts


@dataclass(frozen=True)
class Transport:
    """An optimal plan of a transport problem with rational masses p (rows), q (columns) and costs.

    `plan` moves mass p to q, `potential[i] + other_potential[j] <= cost[i][j]` everywhere, and both have the same
    value: that is the certificate, and `recheck` verifies it in rational arithmetic.
    """

    p: tuple[Fraction, ...]
    q: tuple[Fraction, ...]
    cost: tuple[tuple[Any, ...], ...]
    plan: Cells
    potential: tuple[Any, ...]
    other_potential: tuple[Any, ...]

    @property
    def value(self) -> Fraction:
        """The cost of the plan."""
        return sum((mass * self.cost[i][j] for i, j, mass in self.plan), Fraction(0))

    @property
    def dual_value(self) -> Fraction:
        """What the potentials prove to be a lower bound of every plan's cost."""
        rows = sum((f * m for f, m in zip(self.potential, self.p, strict=True)), Fraction(0))
        return rows + sum((g * m for g, m in zip(self.other_potential, self.q, strict=True)), Fraction(0))

    def recheck(self) -> bool:
        """Whether the plan has the two laws as marginals, the potentials are feasible, and the values agree."""
        rows, columns = [Fraction(0)] * len(self.p), [Fraction(0)] * len(self.q)
        if not all(0 <= i < len(rows) and 0 <= j < len(columns) for i, j, _ in self.plan):
            return False
        for i, j, mass in self.plan:
            rows[i] += mass
            columns[j] += mass
        couples = rows == list(self.p) and columns == list(self.q)
        feasible = all(
            f + g <= c
            for f, row in zip(self.potential, self.cost, strict=True)
            for g, c in zip(self.other_potential, row, strict=True)
        )
        return couples and all(mass >= 0 for *_, mass in self.plan) and feasible and self.value == self.dual_value


def optimal_transport(p: Sequence[Fraction], q: Sequence[Fraction], cost: Sequence[Sequence[Any]]) -> Transport:
    """The optimal transport from p to q; masses are exact rationals of equal sum, costs ints or Fractions.

    Raises InvalidInput for negative masses, different totals, or a cost matrix of another shape.

    Source: TH-T4.6

    >>> half = Fraction(1, 2)
    >>> optimal_transport([half, half], [Fraction(1, 4), Fraction(3, 4)], [[0, 1], [1, 0]]).value
    Fraction(1, 4)
    """
    p, q = _exact("p", p), _exact("q", q)
    try:
        table = np.array([list(row) for row in cost], dtype=object)
    except (TypeError, ValueError):
        raise InvalidInput("cost", cost, f"a {len(p)} x {len(q)} matrix") from None
    if min(p, default=0) < 0 or min(q, default=0) < 0 or not p or sum(p) != sum(q):
        raise InvalidInput("p, q", (p, q), "non-negative rational masses with the same total")
    if table.shape != (len(p), len(q)):
        raise InvalidInput("cost", table.shape, f"a {len(p)} x {len(q)} matrix")
    if not all(isinstance(c, (int, Fraction)) for c in table.flat):
        raise InvalidInput("cost", cost, "a matrix of ints and Fractions")
    if all(isinstance(c, int) and abs(c) < 2**40 for c in table.flat):
        table = table.astype(np.int64)
    unit = lcm(*(m.denominator for m in (*p, *q)))
    supply, demand = [int(m * unit) for m in p], [int(m * unit) for m in q]
    potential, support = _guess(p, q, table)
    flow = _on_forest(supply, demand, support)
    flow, f, g = _complete(supply, demand, table, potential, flow)
    plan = tuple((i, j, Fraction(mass, unit)) for (i, j), mass in sorted(flow.items()) if mass)
    return Transport(tuple(p), tuple(q), tuple(map(tuple, table.tolist())), plan, tuple(f), tuple(g))


def _exact(name: str, masses: Any) -> list[Fraction]:
    try:
        return [Fraction(mass) for mass in masses]
    except (TypeError, ValueError, OverflowError):
        raise InvalidInput(name, masses, "a list of rational masses") from None


def _guess(p: list[Fraction], q: list[Fraction], cost: np.ndarray) -> tuple[np.ndarray, list[tuple[int, int]]]:
    """Integer row potentials and the cells a solver in floats would use, the largest masses first."""
    if cost.dtype == object or cost.size <= 16:
        return np.zeros(len(p), dtype=cost.dtype), []
    from scipy.optimize import linprog
    from scipy.sparse import eye, kron, vstack

    rows, columns = cost.shape
    sums = vstack([kron(eye(rows), np.ones((1, columns))), kron(np.ones((1, rows)), eye(columns))]).tocsc()
    masses = [float(m) for m in (*p, *q)]
    solution = linprog(cost.ravel(), A_eq=sums, b_eq=masses, method="highs-ds")
    if solution.x is None:
        return np.zeros(rows, dtype=cost.dtype), []
    plan = solution.x.reshape(cost.shape)
    order = np.argsort(-plan, axis=None)[: np.count_nonzero(plan > 1e-12)]
    return np.rint(solution.eqlin.marginals[:rows]).astype(np.int64), [divmod(int(k), columns) for k in order]


def _on_forest(supply: list[int], demand: list[int], support: list[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """The exact masses on the cells of a basis, from its leaves inward; never more than the marginals allow."""
    left = {("row", i): m for i, m in enumerate(supply)} | {("column", j): m for j, m in enumerate(demand)}
    cells: dict[tuple[str, int], set[tuple[int, int]]] = defaultdict(set)
    for i, j in support:
        cells["row", i].add((i, j))
        cells["column", j].add((i, j))
    leaves = [node for node, around in cells.items() if len(around) == 1]
    flow = {}
    while leaves:
        around = cells[leaves.pop()]
        if not around:
            continue
        i, j = around.pop()
        mass = min(left["row", i], left["column", j])
        flow[i, j] = mass
        for node in (("row", i), ("column", j)):
            left[node] -= mass
            cells[node].discard((i, j))
            if len(cells[node]) == 1:
                leaves.append(node)
    return flow


def _complete(
    supply: list[int], demand: list[int], cost: np.ndarray, f: np.ndarray, flow: dict[tuple[int, int], int]
) -> tuple[dict[tuple[int, int], int], list[Any], list[Any]]:
    """The primal-dual method from any row potentials and any partial plan: all masses moved, potentials feasible."""
    g = (cost - f[:, None]).min(axis=0)
    slack = cost - f[:, None] - g[None, :]
    flow = {cell: mass for cell, mass in flow.items() if mass and slack[cell] == 0}
    excess, wanted = list(supply), list(demand)
    for (i, j), mass in flow.items():
        excess[i] -= mass
        wanted[j] -= mass
    while any(excess):
        _augment(excess, wanted, slack, f, g, flow)
    return flow, f.tolist(), g.tolist()


def _augment(excess: list[int], wanted: list[int], slack: np.ndarray, f: np.ndarray, g: np.ndarray,
             flow: dict[tuple[int, int], int]) -> None:  # fmt: skip
    """Move mass along one path of tight cells to a column that wants it; raise potentials where there is none."""
    came: dict[tuple[str, int], int] = {("row", i): ROOT for i, m in enumerate(excess) if m}
    queue = [i for _, i in came]
    back: dict[int, list[int]] = defaultdict(list)
    for (i, j), mass in flow.items():
        if mass:
            back[j].append(i)
    columns = np.ones(len(wanted), dtype=bool)
    while True:
        while queue:
            i = queue.pop()
            for j in map(int, np.flatnonzero((slack[i] == 0) & columns)):
                came["column", j], columns[j] = i, False
                if wanted[j]:
                    return _move(excess, wanted, flow, came, j)
                for k in back[j]:
                    if ("row", k) not in came:
                        came["row", k] = j
                        queue.append(k)
        rows = [i for side, i in came if side == "row"]
        step = slack[rows][:, columns].min()
        f[rows] += step
        g[~columns] -= step
        slack[rows] -= step
        slack[:, ~columns] += step
        queue = rows


def _move(
    excess: list[int], wanted: list[int], flow: dict[tuple[int, int], int], came: dict[tuple[str, int], int], end: int
) -> None:
    path, j = [], end
    while True:
        i = came["column", j]
        path.append((i, j, 1))
        before = came["row", i]
        if before == ROOT:
            break
        path.append((i, before, -1))
        j = before
    mass = min([wanted[end], excess[i], *(flow[a, b] for a, b, sign in path if sign < 0)])
    for a, b, sign in path:
        flow[a, b] = flow.get((a, b), 0) + sign * mass
    excess[i] -= mass
    wanted[end] -= mass
