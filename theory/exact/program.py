"""The linear program of private bandits over a horizon: built exactly, solved in floats, refined to rationals.

Variables are x_t(a_1..a_t, r_1..r_(t-1)), the probability of these actions when these are the rewards, and the worst
loss. A permutation of the arms that maps the instances onto each other maps solutions onto solutions, and so does the
mean over all of them: one variable stands for all actions that are permuted onto each other.

What comes back is a proposal, whatever the solver says: `checker`, which shares nothing with this module, says what it
proves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product
from math import lcm
from typing import Any, cast

import numpy as np

Actions = tuple[int, ...]
Rewards = tuple[int, ...]
Means = tuple[Fraction, ...]
Point = tuple[Actions, Rewards]
Policy = dict[Point, Fraction]
Multipliers = dict[tuple[Actions, Rewards, int], Fraction]
RewardRows = tuple[tuple[int, ...], ...]  # a table: for each round, the reward of each arm
Prices = dict[tuple[RewardRows, int], Fraction]
Row = dict[int, Any]  # coefficients by variable
Equations = list[tuple[Row, Fraction]]

_FEW = 6  # arms whose permutations are gone through
_ZEROS = ((1e-15, 1e-9), (1e-12, 1e-12), (1e-9, 1e-15))  # below these, probabilities and duals are taken for 0
_FIRST = 32  # directions in which a search for open unknowns begins
_RANK = 1e-4  # below this, a direction is not open
_OPEN = 1e-14  # weight of what the equations leave open, which no step moves
_STEPS, _BITS = 200, 40  # of a refinement, and the binary digits that are added at a time
_FINE = 2**80  # denominator of rounded numbers
_SIMPLE = 2**60  # denominators from here on are those of an enclosure
_LARGE = 4000  # variables from which on an interior point is faster than the simplex method, if e^epsilon is
_MILD = 8  # at most this
_SCALES = (2.0**17, 2.0**8, 1.0)  # of all probabilities, as the solver's tolerance is absolute; the first that it takes
_MIX = 2**44  # denominator of the share of the uniform policy


@dataclass(frozen=True)
class Problem:
    """Bernoulli instances, a horizon, losses and the privacy wanted; `ratio` is e^epsilon, None for no such privacy.

    `notion` is "view" or "table", and `rho` the budget of zero-concentrated privacy.
    """

    instances: tuple[Means, ...]
    horizon: int
    criterion: str
    ratio: Fraction | None
    delta: Fraction
    notion: str = "view"
    rho: Fraction | None = None

    @property
    def arms(self) -> int:
        return len(self.instances[0])

    @property
    def adds_up(self) -> bool:
        """Whether privacy is about all actions together, and not about each sequence of them."""
        return bool(self.delta) or self.rho is not None


@dataclass(frozen=True)
class Proposal:
    """A policy; or weights of the instances, multipliers of the privacy constraints, and prices of tables; or all."""

    policy: Policy | None
    weights: tuple[Fraction, ...] | None
    multipliers: Multipliers
    prices: Prices | None


def proposals(problem: Problem) -> Iterator[Proposal]:
    """Proposals for an optimal certificate: refined ones, if there are any, then one that is rounded and private."""
    program = Program(problem)
    point, duals = program.solve()
    if problem.ratio is None or problem.ratio.denominator < _SIMPLE:
        for zero, zero_dual in _ZEROS:
            exact = refined(*program.at_point(point, zero))
            if exact is not None:
                yield Proposal(program.policy(exact), None, {}, None)
            prices = refined(*program.at_duals(point, duals, zero_dual))
            if prices is not None:
                yield program.priced(prices)
    dual = {k: Fraction(round(max(0.0, value) * _FINE), _FINE) for k, value in duals.items() if k >= 0}
    yield program.priced(dual, program.rounded_policy(point))


class Program:
    """The program: minimise the last variable subject to `equal` and `below` (left side at most the right one)."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        arms, horizon = range(problem.arms), problem.horizon
        self.symmetries = _symmetries(problem.instances)
        self.twins = self._twins()
        self.standing: dict[Point, Point] = {}  # what each point is permuted onto
        self.size: dict[Point, int] = {}  # how many points one stands for
        for t in range(1, horizon + 1):
            for point in product(product(arms, repeat=t), product((0, 1), repeat=t - 1)):
                one = self.standing[point] = self._permuted(*point)
                self.size[one] = self.size.get(one, 0) + 1
        self.column: dict[Any, int] = {one: k for k, one in enumerate(self.size)}
        self.leaves = [one for one in self.size if len(one[0]) == horizon]
        self.ends = list(product(arms, repeat=horizon))
        rows = product((0, 1), repeat=len(arms)) if problem.notion == "table" else [(r,) * len(arms) for r in (0, 1)]
        tables = product(rows, repeat=horizon - 1) if problem.adds_up else ()
        self.tables = list(product(tables, range(horizon - 1)))
        self.equal: Equations = list(self._causality())
        self.private: list[tuple[Actions, Rewards, int]] = []  # what each of the first rows of `below` is about
        self.paying: dict[frozenset[tuple[int, Any]], list[tuple[RewardRows, int]]] = {}  # the next rows, by tables
        self.below: Equations = []
        if problem.ratio is not None:
            self._demand_privacy(problem.ratio)
        self.worst = len(self.column)
        self.first_loss = len(self.below)
        self.orbits = self._orbits()
        self.below += [(self._losses(orbit[0]), Fraction(0)) for orbit in self.orbits]

    def _twins(self) -> dict[int, tuple[int, int]]:
        """The arm that each arm tells as much as, and whether its rewards count the other way round."""
        seen = list(zip(*self.problem.instances, strict=True))
        turned = [tuple(1 - mean for mean in means) for means in seen]
        return {
            arm: next((b, flip) for b in range(arm + 1) for flip in (0, 1) if means == (turned if flip else seen)[b])
            for arm, means in enumerate(seen)
        }

    def _permuted(self, actions: Actions, rewards: Rewards) -> Point:
        """The first of the points that the symmetries map this one onto."""
        every = range(self.problem.arms)
        if self.problem.adds_up:
            free = range(0)  # a symmetry has to map reward lists onto reward lists
        elif self.problem.criterion == "error":
            free = range(self.problem.horizon - 1)
        else:
            free = range(int({symmetry[0] for symmetry in self.symmetries} == set(every)))
        images = []
        for symmetry in self.symmetries:
            a, r = [symmetry[arm] for arm in actions], list(rewards)
            for t in free[: len(a)]:
                a[t], flip = self.twins[a[t]]
                if t < len(r):
                    r[t] ^= flip
            images.append((tuple(a), tuple(r)))
        return min(images)

    def _orbits(self) -> list[list[int]]:
        """The instances, by what the symmetries map onto each other."""
        orbits: dict[Means, list[int]] = {}
        for place, means in enumerate(self.problem.instances):
            first = min(tuple(means[symmetry[a]] for a in range(len(means))) for symmetry in self.symmetries)
            orbits.setdefault(first, []).append(place)
        return list(orbits.values())

    def _at(self, actions: Actions, rewards: Rewards) -> int:
        return self.column[self.standing[actions, rewards]]

    def _causality(self) -> Iterator[tuple[Row, Fraction]]:
        arms = range(self.problem.arms)
        yield _added((self._at((a,), ()), 1) for a in arms), Fraction(1)
        known = set()
        for (actions, before), k in self.column.items():
            if len(actions) < self.problem.horizon:
                for r in (0, 1):
                    row = _added([*((self._at((*actions, a), (*before, r)), 1) for a in arms), (k, -1)])
                    if frozenset(row.items()) not in known:
                        known.add(frozenset(row.items()))
                        yield row, Fraction(0)

    def _demand_privacy(self, ratio: Fraction) -> None:
        """Rows x / ratio - x' <= 0, divided so that no coefficient is large; with delta, sums of what is above 0."""
        delta = self.problem.delta
        for actions, rewards in self.leaves:
            for place in range(self.problem.horizon - 1):
                other = (*rewards[:place], 1 - rewards[place], *rewards[place + 1 :])
                row = _added([(self._at(actions, rewards), 1 / ratio), (self._at(actions, other), -1)])
                if delta:
                    excess = self.column.setdefault((actions, rewards, place), len(self.column))
                    row[excess] = -1
                self.private.append((actions, rewards, place))
                self.below.append((row, Fraction(0)))
        for table, place in self.tables:
            ends = [self.standing[a, read(table, a)] for a in self.ends]
            row = _added((self.column[(*one, place)], 1) for one in ends)
            self.paying.setdefault(frozenset(row.items()), []).append((table, place))
        self.first_budget = len(self.below)
        self.below += [(dict(row), delta / ratio) for row in self.paying]

    def _losses(self, instance: int) -> Row:
        """The expected loss of an instance minus the worst loss."""
        means = self.problem.instances[instance]
        best = max(means)
        row: Row = {self.worst: -1}
        for (actions, rewards), one in self.standing.items():
            if len(actions) < self.problem.horizon:
                continue
            paid = Fraction(means[actions[-1]] < best)
            if self.problem.criterion == "regret":
                paid = len(actions) * best - sum(means[a] for a in actions)
            for arm, reward in zip(actions, rewards, strict=False):
                paid *= means[arm] if reward else 1 - means[arm]
            row[self.column[one]] = row.get(self.column[one], 0) + paid
        return {k: value for k, value in row.items() if value}

    # -- the solver

    def solve(self) -> tuple[np.ndarray, dict[int, float]]:
        """An optimal point and the duals: of row k of `below` under k, of row k of `equal` under -1 - k."""
        from scipy.optimize import linprog

        size = self.worst + 1
        cost = np.zeros(size)
        cost[self.worst] = 1
        below, equal = _matrix(self.below, size), _matrix(self.equal, size)
        few = size < _LARGE or self.problem.ratio is None or self.problem.ratio > _MILD
        for scale in _SCALES:
            solution = linprog(
                cost,
                below,
                scale * _right(self.below),
                equal,
                scale * _right(self.equal),
                bounds=[(0, None)] * self.worst + [(None, None)],
                method="highs-ds" if few else "highs-ipm",
                options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
            )
            if solution.x is not None:
                break
        else:
            raise ArithmeticError(f"the solver found no solution: {solution.message}")
        duals = {k: -float(value) for k, value in enumerate(solution.ineqlin.marginals)}
        duals |= {-1 - k: float(value) for k, value in enumerate(solution.eqlin.marginals)}
        return solution.x / scale, duals

    def at_point(self, point: np.ndarray, zero: float) -> tuple[Equations, dict[int, float]]:
        """What holds with equality at an optimal point, and the variables that do not vanish there."""
        kept = {k: float(point[k]) for k in range(len(point)) if k == self.worst or point[k] > zero}
        met = list(self.equal)
        for row, b in self.below:
            parts = [-float(b), *(float(c) * kept[k] for k, c in row.items() if k in kept)]
            if abs(sum(parts)) < zero**0.5 * max(map(abs, parts)):
                met.append((row, b))
        return [({k: c for k, c in row.items() if k in kept}, b) for row, b in met], kept

    def at_duals(
        self, point: np.ndarray, duals: Mapping[int, float], zero: float
    ) -> tuple[Equations, dict[int, float]]:
        """The same for the dual program, whose equations are the columns that cost nothing to enter."""
        kept = {k: value for k, value in duals.items() if k < 0 or value > zero}
        columns: list[Row] = [{} for _ in point]
        for sign, first, rows in ((-1, 0, self.below), (1, -1, self.equal)):
            for k, (row, _) in enumerate(rows):
                name = k if first == 0 else -1 - k
                if name in kept:
                    for variable, c in row.items():
                        columns[variable][name] = sign * c
        right = [Fraction(0)] * self.worst + [Fraction(1)]
        costs = [
            float(b) - sum(float(c) * kept[k] for k, c in row.items()) for row, b in zip(columns, right, strict=True)
        ]
        return [(row, b) for row, b, cost in zip(columns, right, costs, strict=True) if abs(cost) < zero], kept

    # -- what the variables mean

    def priced(self, duals: Mapping[int, Fraction], policy: Policy | None = None) -> Proposal:
        """What the duals say, beside the policy."""
        multipliers = self.multipliers(duals)
        if self.problem.notion != "table" or not self.problem.delta:
            return Proposal(policy, self.weights(duals), multipliers, None)
        prices: Prices = {}
        for k, tables in enumerate(self.paying.values(), self.first_budget):
            if duals.get(k):
                prices |= dict.fromkeys(tables, duals[k] / Fraction(self.problem.ratio or 1) / len(tables))
        covered: Multipliers = {}
        for (table, place), price in prices.items():
            for a in self.ends:
                key = a, read(table, a), place
                covered[key] = covered.get(key, Fraction(0)) + price
        kept = {key: min(m, covered[key]) for key, m in multipliers.items() if key in covered}
        return Proposal(policy, self.weights(duals), kept, prices)

    def policy(self, point: Mapping[int, Fraction]) -> Policy:
        """The probabilities of all actions and rewards that are positive."""
        ends = {one: x for one in self.leaves if (x := point.get(self.column[one], Fraction(0)))}
        return {full: ends[one] for full, one in self.standing.items() if one in ends}

    def weights(self, duals: Mapping[int, Fraction]) -> tuple[Fraction, ...]:
        """What each instance counts: the same within an orbit."""
        masses = [Fraction(0)] * len(self.problem.instances)
        for k, orbit in enumerate(self.orbits, self.first_loss):
            for instance in orbit:
                masses[instance] = duals.get(k, Fraction(0)) / len(orbit)
        total = sum(masses)
        return tuple(w / total for w in masses)

    def multipliers(self, duals: Mapping[int, Fraction]) -> Multipliers:
        """The multiplier of a row, shared among the points that it stands for."""
        scale, positive = Fraction(self.problem.ratio or 1), {}
        for k, (actions, rewards, place) in enumerate(self.private):
            if duals.get(k):
                one = actions, rewards
                positive.setdefault(one, []).append((place, duals[k] / scale / self.size[one]))
        return {(*full, place): m for full, one in self.standing.items() for place, m in positive.get(one, ())}

    def rounded_policy(self, point: np.ndarray) -> Policy:
        """The point as a policy that is private exactly: rounded from the first action on, mixed with uniform play."""
        arms, horizon = self.problem.arms, self.problem.horizon
        whole = _FINE * arms**horizon
        units: dict[tuple[Actions, Rewards], int] = {((), ()): whole}
        for _ in range(horizon):
            after: dict[tuple[Actions, Rewards], int] = {}
            for (actions, rewards), mass in units.items():
                for r in (0, 1) if actions else (None,):
                    heard = rewards if r is None else (*rewards, r)
                    read = heard if self.problem.ratio != 1 or self.problem.delta else (0,) * len(heard)
                    shares = [max(0.0, float(point[self._at((*actions, a), read)])) for a in range(arms)]
                    parts = [int(Fraction(s) * mass / Fraction(sum(shares) or 1)) for s in map(Fraction, shares)]
                    parts[int(np.argmax(shares))] += mass - sum(parts)
                    after |= {((*actions, a), heard): part for a, part in enumerate(parts)}
            units = after
        share = self._uniform_share(units, whole)
        even = share * whole // arms**horizon
        return {key: Fraction((_MIX - share) * x + even, _MIX * whole) for key, x in units.items() if x or even}

    def _uniform_share(self, units: Mapping[tuple[Actions, Rewards], int], whole: int) -> int:
        """How much uniform play, out of _MIX, makes the rounded policy private."""
        ratio, delta = self.problem.ratio, self.problem.delta
        if ratio is None or ratio == 1 and not delta:
            return 0
        up, down = ratio.numerator, ratio.denominator
        needed, excess = Fraction(0), {}
        slack = Fraction(whole, self.problem.arms**self.problem.horizon) * (up - down)
        for (actions, rewards), x in units.items():
            for place in range(len(rewards)):
                other = (*rewards[:place], 1 - rewards[place], *rewards[place + 1 :])
                over = down * x - up * units[actions, other]
                if over > 0:
                    needed = max(needed, Fraction(over) / (over + slack))
                    excess[actions, rewards, place] = over
        if delta:
            allowed = delta * whole * down
            sums = (sum(excess.get((a, read(table, a), s), 0) for a in self.ends) for table, s in self.tables)
            needed = max((1 - allowed / over for over in sums if over > allowed), default=Fraction(0))
        return -int(-needed * _MIX // 1)


def read(table: RewardRows, actions: Actions) -> Rewards:
    """The rewards that these actions read of the table."""
    return tuple(row[arm] for row, arm in zip(table, actions, strict=False))


def _symmetries(instances: Sequence[Means]) -> list[tuple[int, ...]]:
    """The permutations of the arms that map the instances onto each other."""
    arms = range(len(instances[0]))
    if len(arms) > _FEW:
        return [tuple(arms)]
    known = sorted(instances)
    return [p for p in permutations(arms) if sorted(tuple(m[p[a]] for a in arms) for m in instances) == known]


def _added(entries: Any) -> Row:
    row: Row = {}
    for k, value in entries:
        row[k] = row.get(k, 0) + value
    return row


def _matrix(rows: Equations, size: int) -> Any:
    from scipy.sparse import csr_matrix

    places = [(i, k, float(c)) for i, (row, _) in enumerate(rows) for k, c in row.items()]
    i, k, values = zip(*places, strict=True)
    return csr_matrix((values, (i, k)), shape=(len(rows), size))


def _right(rows: Equations) -> np.ndarray:
    return np.array([float(b) for _, b in rows])


def refined(equations: Equations, guess: Mapping[int, float]) -> dict[int, Fraction] | None:
    """A rational solution of the equations next to a guess; None where there is none, or no simple one. What the
    equations leave open stays where the guess has it.

    Each step solves for the error that is left, which is computed exactly, by least squares in floats.
    """
    from scipy.sparse import csc_matrix

    if not guess or not equations:
        return None
    place = {name: k for k, name in enumerate(guess)}
    rows = [_whole(row, b, place) for row, b in equations]
    largest = [max((abs(c) for _, c in row), default=1) for row, _ in rows]
    scale = np.array(largest, dtype=float)
    entries = [(i, k, c / scale[i]) for i, (row, _) in enumerate(rows) for k, c in row]
    at, of, values = zip(*entries, strict=True)
    matrix = csc_matrix((values, (at, of)), shape=(len(rows), len(guess)))
    lengths = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=0)).ravel())
    units = 1 / np.where(lengths, lengths, 1)
    moving = np.ones(len(guess))
    moving[_left_open(matrix.multiply(units[None, :]).tocsc())] = 0
    units *= moving
    squares = _squares(matrix.multiply(units[None, :]).tocsc())
    bits, limit = _BITS, 2 * _BITS
    whole = [round(Fraction(value) * 2**bits) for value in guess.values()]
    for _ in range(_STEPS):
        left = [(b << bits) - sum(c * whole[k] for k, c in row) for row, b in rows]
        if all(abs(x) < c << _BITS for x, c in zip(left, largest, strict=True)):
            if bits >= limit:
                simple = [Fraction(v, 1 << bits).limit_denominator(1 << (bits - _BITS) // 2) for v in whole]
                if _solves(rows, simple):
                    return dict(zip(guess, simple, strict=True))
                limit *= 2
            whole, left, bits = [v << _BITS for v in whole], [b << _BITS for b in left], bits + _BITS
        unit = max(0, max(map(abs, left)).bit_length() - 900)  # so that floats can hold what is left
        error = np.append(np.array([float(x >> unit) for x in left]) / scale, np.zeros(len(guess)))
        for k, change in enumerate((units * squares.solve(error)[len(rows) :]).tolist()):
            whole[k] += round(change) << unit
    return None


def _squares(matrix: Any) -> Any:
    """The factors of least squares: of what is left and what is moved. What the equations leave open hardly moves."""
    from scipy.sparse import block_array, eye_array
    from scipy.sparse.linalg import splu

    rows, columns = matrix.shape
    return splu(block_array([[eye_array(rows), matrix], [matrix.T, -_OPEN * eye_array(columns)]], format="csc"))


def _left_open(matrix: Any) -> np.ndarray:
    """As few unknowns as determine the others, if they are given: as many as the equations leave open."""
    from scipy.linalg import qr

    rows, size = matrix.shape
    many = max(0, size - rows) + _FIRST
    squares, draws = _squares(matrix), np.random.default_rng(0)
    while True:
        moves = draws.standard_normal((size, min(many, size)))
        for _ in range(3):  # what the equations determine shrinks each time
            moves = squares.solve(np.vstack([np.zeros((rows, moves.shape[1])), -_OPEN * moves]))[rows:]
        _, triangle, order = cast("Any", qr(moves.T, mode="economic", pivoting=True))
        open_ = int(np.sum(np.abs(np.diag(triangle)) > _RANK))
        if open_ < many:
            return order[:open_]
        many *= 2


def _whole(row: Row, right: Fraction, place: Mapping[int, int]) -> tuple[list[tuple[int, int]], int]:
    """An equation in integers."""
    common = lcm(right.denominator, *(Fraction(c).denominator for c in row.values()))
    return [(place[k], int(c * common)) for k, c in row.items()], int(right * common)


def _solves(rows: Sequence[tuple[list[tuple[int, int]], int]], values: Sequence[Fraction]) -> bool:
    return all(sum((c * values[k] for k, c in row), Fraction(0)) == b for row, b in rows)
