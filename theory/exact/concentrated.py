"""The smallest worst loss under zero-concentrated privacy: a convex program, solved by an interior point method.

A policy is rho-zCDP if and only if, for all alpha > 1 and lists r, r' that differ in one place,
sum_a x(a, r)^alpha x(a, r')^(1 - alpha) <= exp((alpha - 1) alpha rho). Each is a convex constraint. The excess of order
h = alpha - 1, (p^(1 + h) q^(-h) - (1 + h) p + h q) / h, is at least 0 and lies above its tangents u p - v q; its sum is
at most (exp(h (1 + h) rho) - 1) / h.

Finitely many orders are asked of the solver. What it finds is mixed with as little uniform play as makes it private at
all orders; tangents at its point, with the prices of the constraints, make a linear program that proves a lower bound.
What both are worth, `concentrated_checker` says.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import expm1
from typing import Any

import numpy as np

from banditproof.theory.exact.program import Actions, Policy, Problem, Program, RewardRows, Rewards, read

Cuts = dict[tuple[Actions, Rewards, int, Fraction], Fraction]
OrderPrices = dict[tuple[RewardRows, int, Fraction], Fraction]

_LARGEST = 40  # of h (1 + h) rho, at the largest order that is asked of the solver
_LEAST = Fraction(1, 2**30)  # order that stands for relative entropy
_FIRST, _GROWTH = 3, 2  # other orders from 2^-3 on, each twice the one before
_TRIED, _REFINED, _GRAIN = 9, 2, 2**16  # orders between two others, how often around the worst, their denominator
_ROUNDS = 6  # in which violated orders are added
_VIOLATED = 1e-6  # relative
_START, _PATH, _LAST = 0.1, 10.0, 1e11  # the weight of the loss against the barrier grows by this factor, up to this
_NEWTON, _SHORT = 250, 1e-6  # steps for each weight; shorter ones are none
_NOISE = 1e-13  # of the loss that floats see
_CLOSE, _NEAR = 1e-2, 1e-6  # where a step promises so little it is made whole, and is the last one
_WORTH = 1e-9  # of a price times its budget; less is none
_FINE = 2**80  # denominator of rounded numbers
_FLAT = 45  # binary digits of the smallest step between orders
_MOST_ORDERS = 1000
_SMALL = 0.02  # below this, e^y - 1 - y by its series
_MIX = 2**44  # denominator of the share of the uniform policy


@dataclass(frozen=True)
class ConcentratedCertificate:
    """What proves both ends: the orders at which the policy is looked at; tangents of the excess, and their prices.

    `cuts` maps actions, rewards, place and order to the ratio p / q at which the tangent of the excess touches it, and
    `prices` a table, a place and an order to the price of their constraint.
    """

    orders: tuple[Fraction, ...]
    cuts: Cuts
    prices: OrderPrices


def concentrated(problem: Problem) -> tuple[Policy, tuple[Fraction, ...], ConcentratedCertificate]:
    """A policy that is rho-zCDP, weights of the instances, and the certificate of both."""
    program = _Concentrated(problem)
    orders = program.first_orders()
    for _ in range(_ROUNDS):
        point, weights, prices = program.inner(orders)
        missing = program.violated(point, orders)
        if not missing:
            break
        orders = sorted({*program.first_orders(), *program.active(prices), *missing})
    policy, looked_at = program.private_policy(point)
    cuts, paid = program.tangents(point, prices)
    return policy, program.shared(weights), ConcentratedCertificate(looked_at, cuts, paid)


class _Concentrated(Program):
    """Variables, causality and losses are those of the linear program; privacy constraints are sums of excesses."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.rho = float(problem.rho or 0)
        self.atoms: list[tuple[Actions, Rewards, int]] = []
        where: dict[tuple[Actions, Rewards, int], int] = {}
        for actions, rewards in self.leaves:
            for place in range(problem.horizon - 1):
                where[actions, rewards, place] = len(self.atoms)
                self.atoms.append((actions, rewards, place))
        flipped = [(a, (*r[:s], 1 - r[s], *r[s + 1 :])) for a, r, s in self.atoms]
        self.p = np.array([self.column[a, r] for a, r, _ in self.atoms], dtype=int)
        self.q = np.array([self._at(*point) for point in flipped], dtype=int)
        self.groups: dict[frozenset[tuple[int, int]], list[tuple[RewardRows, int]]] = {}
        for table, place in self.tables:
            counted: dict[int, int] = {}
            for a in self.ends:
                atom = where[(*self.standing[a, read(table, a)], place)]
                counted[atom] = counted.get(atom, 0) + 1
            self.groups.setdefault(frozenset(counted.items()), []).append((table, place))

    @cached_property
    def sums(self) -> Any:
        """For each constraint of an order, how often each atom stands in it."""
        from scipy.sparse import coo_matrix

        entries = np.array([(i, k, n) for i, group in enumerate(self.groups) for k, n in group]).reshape(-1, 3)
        i, k, values = entries.T
        return coo_matrix((values.astype(float), (i, k)), shape=(len(self.groups), len(self.atoms)))

    # -- orders

    def budget(self, order: float) -> float:
        return expm1(order * (1 + order) * self.rho) / order

    def first_orders(self) -> list[Fraction]:
        orders, h = [_LEAST], Fraction(1, 2**_FIRST)
        while h * (1 + h) * self.rho <= _LARGEST:
            orders.append(h)
            h *= _GROWTH
        return orders

    def violated(self, point: np.ndarray, orders: list[Fraction]) -> list[Fraction]:
        """Where some constraint is violated between two orders: the worst place, and one on each side of it."""
        p, q = point[self.p], point[self.q]

        def over(h: float) -> float:
            return float(np.max(self.sums @ excess(h, p, q), initial=0)) / self.budget(h)

        candidates: list[float] = []
        for low, high in zip(orders[1:], orders[2:], strict=False):
            tried = np.linspace(float(low), float(high), _TRIED)
            for _ in range(_REFINED):
                best = min(max(int(np.argmax([over(h) for h in tried])), 1), _TRIED - 2)
                tried = np.linspace(tried[best - 1], tried[best + 1], _TRIED)
            worst = float(tried[_TRIED // 2])
            if over(worst) > 1 + _VIOLATED:
                candidates += [(float(low) + worst) / 2, worst, (worst + float(high)) / 2]
        return [h for h in {Fraction(round(h * _GRAIN), _GRAIN) for h in candidates} if h not in orders]

    def active(self, prices: dict[Fraction, np.ndarray]) -> list[Fraction]:
        """The orders at which some constraint has a price worth its budget."""
        return [h for h, each in prices.items() if np.max(each, initial=0) * self.budget(float(h)) > _WORTH]

    # -- the solver

    def inner(self, orders: list[Fraction]) -> tuple[np.ndarray, np.ndarray, dict[Fraction, np.ndarray]]:
        """A point next to the optimum, the weights of the orbits of instances, and the prices by order."""
        from scipy.linalg import null_space

        size = self.worst + 1
        equal = np.zeros((len(self.equal), size))
        for i, (row, _) in enumerate(self.equal):
            for k, c in row.items():
                equal[i, k] = c
        losses = np.zeros((len(self.orbits), size))
        for i, orbit in enumerate(self.orbits):
            for k, c in self._losses(orbit[0]).items():
                losses[i, k] = float(c)
        free = null_space(equal)
        point = np.zeros(size)
        for (actions, _), k in self.column.items():
            point[k] = 1 / self.problem.arms ** len(actions)
        point[self.worst] = float(np.max(losses @ point)) + 1
        barrier = _Barrier(self, [float(h) for h in orders], losses)
        weight = _START
        while weight < _LAST:
            centre = barrier.centred(point, free, weight * _PATH)
            if centre is None:
                break  # floats see no more
            point, weight = centre, weight * _PATH
        slack, left = -losses @ point, barrier.left(point)
        prices = {h: 1 / (weight * one) / self.budget(float(h)) for h, one in zip(orders, left, strict=True)}
        return point, 1 / slack, prices

    # -- what it proves

    def shared(self, weights: np.ndarray) -> tuple[Fraction, ...]:
        """The weights of the instances: the same within an orbit."""
        rounded = {self.first_loss + k: Fraction(round(w / max(weights) * _FINE)) for k, w in enumerate(weights)}
        return self.weights(rounded)

    def tangents(self, point: np.ndarray, prices: dict[Fraction, np.ndarray]) -> tuple[Cuts, OrderPrices]:
        """The tangents at the point where their price is positive, and the prices by tables."""
        cuts: Cuts = {}
        paid: OrderPrices = {}
        for h in self.active(prices):
            wanted: set[int] = set()
            for price, (group, tables) in zip(prices[h].tolist(), self.groups.items(), strict=True):
                if price * self.budget(float(h)) > _WORTH:
                    each = Fraction(round(price / len(tables) * _FINE), _FINE)
                    paid |= {(table, place, h): each for table, place in tables}
                    wanted |= {k for k, _ in group}
            by_point = {}
            for k in wanted:
                a, r, place = self.atoms[k]
                by_point.setdefault((a, r), []).append((place, Fraction(float(point[self.p[k]] / point[self.q[k]]))))
            for full, one in self.standing.items():
                cuts |= {(*full, place, h): cut for place, cut in by_point.get(one, ())}
        return cuts, paid

    def private_policy(self, point: np.ndarray) -> tuple[Policy, tuple[Fraction, ...]]:
        """The point, mixed with as little uniform play as makes it private, and the orders that show it."""
        for digits in range(36, 0, -2):
            self.share = _MIX >> digits
            policy = self.rounded_policy(point)
            mixed = np.zeros(len(point))
            for one in self.leaves:
                mixed[self.column[one]] = float(policy[one])
            orders = self.shown_by(mixed)
            if orders is not None:
                return policy, orders
        raise ArithmeticError("no mixture of the solver's answer with uniform play is private")

    def _uniform_share(self, units: Any, whole: int) -> int:
        return self.share

    def shown_by(self, point: np.ndarray) -> tuple[Fraction, ...] | None:
        """Orders at which the checker sees that the policy is private at all of them; None where it is not."""
        p, q = point[self.p], point[self.q]
        ratios = np.log(p / q)
        highest, orders = float(np.max(ratios, initial=0)) * (1 + 1e-9), []

        def slack(h: float) -> float:
            """How much the logarithm of the largest sum is below what it may be, less what floats may be wrong."""
            total = float(np.max(self.sums @ (p * np.expm1(h * ratios)), initial=0))
            return h * (1 + h) * self.rho - float(np.log1p(total)) * (1 + 1e-12)

        h = Fraction(1, 2**_FIRST)
        while slack(float(h)) < float(h) ** 2 * self.rho and h > Fraction(1, 2**_FLAT):
            h /= 2
        step = h
        while highest > self.rho and (not orders or highest > (1 + float(orders[-1])) * self.rho):
            room = slack(float(h))
            if room <= 0 or len(orders) == _MOST_ORDERS or not orders and room < float(h) ** 2 * self.rho:
                return None
            orders.append(h)
            step *= 4
            while min(room, slack(float(h + step))) < self.rho * float(step) ** 2 / 4 * (1 + 1e-9):
                step /= 2
                if step < Fraction(1, 2**_FLAT):
                    return None
            h += step
        return tuple(orders)


class _Barrier:
    """The logarithmic barrier of the losses, the excesses of some orders, and the probabilities of the leaves."""

    def __init__(self, program: _Concentrated, orders: list[float], losses: np.ndarray) -> None:
        self.program, self.orders, self.losses = program, orders, losses
        self.leaves = np.array([program.column[one] for one in program.leaves], dtype=int)

    def left(self, point: np.ndarray) -> list[np.ndarray]:
        """For each order, how much of the budget of each constraint is left, as a share."""
        p, q = point[self.program.p], point[self.program.q]
        return [1 - self.program.sums @ excess(h, p, q) / self.program.budget(h) for h in self.orders]

    def value(self, point: np.ndarray, weight: float) -> float:
        """The weighted loss and the barrier; infinite outside."""
        x, slack = point[self.leaves], -self.losses @ point
        if min(x) <= 0 or min(slack) <= 0:
            return np.inf
        terms = [np.log(x), np.log(slack)]
        for left in self.left(point):
            if not np.all(left > 0):
                return np.inf
            terms.append(np.log(left))
        return weight * point[-1] - float(sum(np.sum(term) for term in terms))

    def centred(self, point: np.ndarray, free: np.ndarray, weight: float) -> np.ndarray | None:
        """The least value along the free directions, by Newton's method; far from it, with steps that are halved.

        None where it is not found.
        """
        for _ in range(_NEWTON):
            slope, curve = self.slopes(point, weight)
            move = _solution(free.T @ curve @ free, -free.T @ slope)
            fall, direction = float(-slope @ (free @ move)), free @ move
            step, now = 1.0, self.value(point, weight)
            while step > _SHORT:
                then = self.value(point + step * direction, weight)
                if then <= now - step * fall / 8 or fall < _CLOSE and then < now + fall + _NOISE * weight:
                    break
                step /= 2
            if step <= _SHORT:
                return None
            point = point + step * direction
            if fall < _NEAR:
                return point
        return None

    def slopes(self, point: np.ndarray, weight: float) -> tuple[np.ndarray, np.ndarray]:
        """The gradient and the Hessian."""
        program, size = self.program, len(point)
        p, q = program.p, program.q
        x, y = point[p], point[q]
        ratio, far = x / y, _logarithm(x, y)
        slope, curve = np.zeros(size), np.zeros((size, size))
        slope[-1] = weight
        slope[self.leaves] -= 1 / point[self.leaves]
        curve[self.leaves, self.leaves] += 1 / point[self.leaves] ** 2
        rows: list[Any] = [self.losses / (-self.losses @ point)[:, None]]
        at, of, many = program.sums.row, program.sums.col, program.sums.data
        bent = np.zeros(len(x))
        for h, left in zip(self.orders, self.left(point), strict=True):
            each = many / (left * program.budget(h))[at]
            grown = ratio**h
            by_p, by_q = (1 + h) * np.expm1(h * far) / h, -np.expm1((1 + h) * far)
            places = np.concatenate([at * size + p[of], at * size + q[of]])
            slopes = np.concatenate([each * by_p[of], each * by_q[of]])
            rows.append(np.bincount(places, slopes, len(left) * size).reshape(len(left), size))
            bent += (1 + h) * grown * np.bincount(of, each, len(x))
        for i, j, second in ((p, p, bent / x), (p, q, -bent / y), (q, p, -bent / y), (q, q, bent * ratio / y)):
            curve += np.bincount(i * size + j, second, size * size).reshape(size, size)
        jacobian = np.concatenate(rows)
        return slope + jacobian.sum(axis=0), curve + jacobian.T @ jacobian


def _solution(matrix: np.ndarray, right: np.ndarray) -> np.ndarray:
    """The solution for a positive definite matrix, scaled; by least squares where rounding has made it none."""
    from scipy.linalg import LinAlgError, cho_factor, cho_solve

    scale = 1 / np.sqrt(np.diag(matrix))
    scaled = scale[:, None] * matrix * scale
    try:
        return scale * cho_solve(cho_factor(scaled), scale * right)
    except LinAlgError:
        return scale * np.linalg.lstsq(scaled, scale * right, rcond=1e-15)[0]


def excess(order: float, p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """What each pair of probabilities adds to the constraint of this order, without cancellation."""
    far = _logarithm(p, q)
    return p * (_beyond(order * far) / order + _beyond(-far))


def _logarithm(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """The logarithm of p / q, exact to the last digits also where both are almost the same."""
    near = abs(p - q) < q / 2
    return np.where(near, np.log1p(np.where(near, (p - q) / q, 0)), np.log(p / q))


def _beyond(y: np.ndarray) -> np.ndarray:
    """e^y - 1 - y."""
    series = y * y / 2 * (1 + y / 3 * (1 + y / 4 * (1 + y / 5 * (1 + y / 6 * (1 + y / 7 * (1 + y / 8))))))
    return np.where(abs(y) < _SMALL, series, np.expm1(y) - y)
