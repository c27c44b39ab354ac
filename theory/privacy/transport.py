"""Exact optimal transport between two finite laws: a rational plan and rational potentials of equal value.

A solver in floats suggests the plan; a primal-dual method in integers completes it, so that both solutions are
feasible without rounding and prove each other optimal.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, lcm
from typing import Any

import numpy as np

from banditproof.theory.arguments import named, question
from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.exact_numbers import exact, exact_or_infinite

Cells = tuple[tuple[int, int, Fraction], ...]  # (row, column, mass > 0)
ROOT = -1  # where a path starts


@dataclass(frozen=True)
class Transport:
    """An optimal plan of a transport problem with rational masses p (rows), q (columns) and costs, inf where forbidden.

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

    @question
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


@named
def optimal_transport(p: Sequence[Any], q: Sequence[Any], cost: Sequence[Sequence[Any]]) -> Transport:
    """The optimal transport from p to q; masses of equal sum, and a cost for every cell, inf where nothing may go.

    All numbers are taken exactly: ints, Fractions, text such as "0.1" or "1/3", and floats as the binary numbers that
    they are, so that 0.1 is not 1/10 and masses in floats seldom have the same sum.

    Raises InvalidInput for negative masses, different totals, a cost matrix of another shape, costs that are nan or
    -inf, and where no plan has a finite cost.

    Source: TH-T4.6

    >>> half = Fraction(1, 2)
    >>> optimal_transport([half, half], [Fraction(1, 4), Fraction(3, 4)], [[0, 1], [1, 0]]).value
    Fraction(1, 4)
    >>> inf = float("inf")
    >>> optimal_transport([0.25, 0.75], [0.5, 0.5], [[0.5, inf], [0.25, "1/3"]]).value
    Fraction(17, 48)
    """
    p, q = _masses("p", p), _masses("q", q)
    if sum(p) != sum(q):
        allowed = 'masses with the same total, exactly (write 1/3 as Fraction(1, 3) or "1/3", and 0.1 as "0.1")'
        raise InvalidInput("p, q", f"totals {sum(p)} and {sum(q)}", allowed)
    costs = _costs(cost, len(p), len(q))
    unit = lcm(*(m.denominator for m in (*p, *q)))
    supply, demand = [int(m * unit) for m in p], [int(m * unit) for m in q]
    scale = lcm(*(c.denominator for row in costs for c in row if c != inf))
    passable = np.array([[c != inf for c in row] for row in costs])
    table = np.array([[0 if c == inf else int(c * scale) for c in row] for row in costs], dtype=object)
    potential, support = _guess(p, q, table, passable)
    if all(abs(c) < 2**40 for c in table.flat):
        table, potential = table.astype(np.int64), potential.astype(np.int64)
    flow = _on_forest(supply, demand, support)
    try:
        flow, f, g = _complete(supply, demand, table, passable, potential, flow)
    except _Closed as closed:
        left, right = (sum((m[k] for k in some), Fraction(0)) for m, some in ((p, closed.rows), (q, closed.columns)))
        rows, columns = (", ".join(map(str, some)) or "none" for some in (closed.rows, closed.columns))
        allowed = f"finite in more cells: rows {rows} have mass {left}, and the columns they reach ({columns}) {right}"
        raise InvalidInput("cost", costs, allowed) from None
    plan = tuple((i, j, Fraction(mass, unit)) for (i, j), mass in sorted(flow.items()) if mass)
    f, g = ([_whole(Fraction(x, scale)) for x in potentials] for potentials in (f, g))
    return Transport(tuple(p), tuple(q), tuple(map(tuple, costs)), plan, tuple(f), tuple(g))


def _masses(name: str, masses: Any) -> list[Fraction]:
    try:
        listed = list(masses)
    except TypeError:
        listed = []
    if not listed or isinstance(masses, str):
        raise InvalidInput(name, masses, "a list of masses")
    return [exact(f"{name}[{k}]", m, lambda m: m >= 0, "a finite number, at least 0") for k, m in enumerate(listed)]


def _costs(cost: Any, rows: int, columns: int) -> list[list[Any]]:
    """The costs as ints and Fractions, and inf."""
    try:
        table = [list(row) for row in cost]
    except TypeError:
        table = []
    if len(table) != rows or any(len(row) != columns for row in table):
        raise InvalidInput("cost", cost, f"a {rows} x {columns} matrix")
    allowed = "a number, or inf where nothing may go"
    return [
        [_whole(exact_or_infinite(f"cost[{i}][{j}]", c, lambda _: True, allowed)) for j, c in enumerate(row)]
        for i, row in enumerate(table)
    ]


def _whole(number: Any) -> Any:
    """An int where a Fraction is one."""
    return number.numerator if isinstance(number, Fraction) and number.denominator == 1 else number


class _Closed(Exception):
    """All columns that these rows reach at a finite cost are full, and mass is left in the rows."""

    def __init__(self, rows: list[int], columns: list[int]) -> None:
        super().__init__(rows, columns)
        self.rows, self.columns = rows, columns


def _guess(
    p: list[Fraction], q: list[Fraction], cost: np.ndarray, passable: np.ndarray
) -> tuple[np.ndarray, list[tuple[int, int]]]:
    """Integer row potentials and the cells a solver in floats would use, the largest masses first.

    The solver sees costs in units of the largest one.
    """
    nothing = np.array([0] * len(p), dtype=object), []
    largest = max(abs(c) for c in cost.flat)
    if cost.size <= 16 or not largest:
        return nothing
    from scipy.optimize import linprog
    from scipy.sparse import eye, kron, vstack

    rows, columns = cost.shape
    sums = vstack([kron(eye(rows), np.ones((1, columns))), kron(np.ones((1, rows)), eye(columns))]).tocsc()
    masses = [float(m) for m in (*p, *q)]
    seen = [float(Fraction(c, largest)) for c in cost.flat]
    bounds = [(0, None if may else 0) for may in passable.flat]
    solution = linprog(seen, A_eq=sums, b_eq=masses, bounds=bounds, method="highs-ds")
    if solution.x is None:
        return nothing
    plan = solution.x.reshape(cost.shape)
    order = np.argsort(-plan, axis=None)[: np.count_nonzero(plan > 1e-12)]
    potential = [round(Fraction(x) * largest) for x in solution.eqlin.marginals[:rows].tolist()]
    return np.array(potential, dtype=object), [divmod(int(k), columns) for k in order]


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
    supply: list[int], demand: list[int], cost: np.ndarray, passable: np.ndarray, f: np.ndarray,
    flow: dict[tuple[int, int], int],
) -> tuple[dict[tuple[int, int], int], list[Any], list[Any]]:  # fmt: skip
    """The primal-dual method from any row potentials and any partial plan: all masses moved, potentials feasible."""
    left = (cost - f[:, None]).T
    g = np.array([own[may].min() if may.any() else 0 for own, may in zip(left, passable.T, strict=True)], cost.dtype)
    slack = cost - f[:, None] - g[None, :]  # means nothing where nothing may pass
    flow = {cell: mass for cell, mass in flow.items() if mass and slack[cell] == 0 and passable[cell]}
    excess, wanted = list(supply), list(demand)
    for (i, j), mass in flow.items():
        excess[i] -= mass
        wanted[j] -= mass
    while any(excess):
        _augment(excess, wanted, slack, passable, f, g, flow)
    return flow, f.tolist(), g.tolist()


def _augment(excess: list[int], wanted: list[int], slack: np.ndarray, passable: np.ndarray, f: np.ndarray,
             g: np.ndarray, flow: dict[tuple[int, int], int]) -> None:  # fmt: skip
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
            for j in map(int, np.flatnonzero((slack[i] == 0) & passable[i] & columns)):
                came["column", j], columns[j] = i, False
                if wanted[j]:
                    return _move(excess, wanted, flow, came, j)
                for k in back[j]:
                    if ("row", k) not in came:
                        came["row", k] = j
                        queue.append(k)
        rows = [i for side, i in came if side == "row"]
        beyond = slack[rows][:, columns][passable[rows][:, columns]]
        if not beyond.size:
            raise _Closed(sorted(rows), np.flatnonzero(~columns).tolist())
        step = beyond.min()
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
