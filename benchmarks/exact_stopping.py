"""The fewest pulls of a private strategy that stops: exact beside the bounds, for `docs/arm-by-arm.md`.

    python benchmarks/exact_stopping.py [--output docs/exact-stopping.csv]

A row is one program: K arms, of mean 3/4 and the others 1/4, each arm the best one in one instance; e^epsilon; the
risk delta. Strategies are epsilon-View DP, name an arm after at most `most` pulls, and err with probability at most
delta in every instance; the pulls are those expected in the worst instance. Multipliers of the privacy, of the risk and
of the instances, whatever they are, prove a lower end: without these constraints the best strategy is found by backward
induction, in rationals. The bounds are kl(delta, 1 - delta) over what a pull shows of one instance against another.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import log
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_array

from banditproof.theory import d_epsilon, kl_bernoulli

HIGH, LOW, FINE = Fraction(3, 4), Fraction(1, 4), 2**60
GAMES = [
    *[(2, 5, *asked) for asked in (("5/4", "0.45"), ("2", "0.4"), ("2", "0.35"), ("5", "0.25"), ("5", "0.2"))],
    *[(2, 5, *asked) for asked in (("10", "0.2"), ("inf", "0.2"), ("inf", "0.15"))],
    *[(3, 4, *asked) for asked in (("5", "0.4"), ("inf", "0.4"))],
]
Point = tuple[tuple[int, ...], tuple[int, ...]]


class Stopping:
    """The program: x(pulls a, then the name i; rewards r) and q(pulls a; rewards before), all nonnegative."""

    def __init__(self, arms: int, most: int, ratio: Fraction | None, delta: Fraction) -> None:
        self.arms, self.most, self.ratio, self.delta = range(arms), most, ratio, delta
        self.means = [[HIGH if arm == best else LOW for arm in self.arms] for best in self.arms]
        self.column: dict[tuple[Point, int], int] = {}
        self.private: list[tuple[int, int]] = []
        for pulls in range(most + 1):
            for a, r in product(product(self.arms, repeat=pulls), product((0, 1), repeat=pulls)):
                for action in range(2 * arms if pulls < most else arms):  # the first ones name an arm
                    self.column[(a, r), action] = len(self.column)
        for ((a, r), name), k in self.column.items():
            for place in range(len(r) if name < arms and ratio is not None else 0):
                other = (*r[:place], 1 - r[place], *r[place + 1 :])
                self.private.append((k, self.column[(a, other), name]))

    def chance(self, instance: int, point: Point) -> Fraction:
        """How likely the rewards are in an instance, given the pulls."""
        chance = Fraction(1)
        for arm, reward in zip(*point, strict=True):
            chance *= self.means[instance][arm] if reward else 1 - self.means[instance][arm]
        return chance

    def losses(self) -> Iterator[tuple[int, int, Fraction, Fraction]]:
        """For every column and instance: the pulls that it adds in expectation, and the errors."""
        for (point, action), k in self.column.items():
            for instance in self.arms if action < len(self.arms) else ():
                chance = self.chance(instance, point)
                yield k, instance, len(point[0]) * chance, chance * (action != instance)

    def solved(self) -> tuple[float, list[Fraction], list[Fraction], list[Fraction]]:
        """The value in floats, and multipliers of instances, of risks and of the privacy."""
        size, arms, rows = len(self.column) + 1, len(self.arms), []
        below: list[dict[int, float]] = [{size - 1: -1.0} for _ in self.arms] + [{} for _ in self.arms]
        for k, instance, pulls, errors in self.losses():
            below[instance][k], below[arms + instance][k] = float(pulls), float(errors)
        below += [{k: 1 / float(self.ratio or 1), other: -1.0} for k, other in self.private]
        right = np.array([0.0] * arms + [float(self.delta)] * arms + [0.0] * len(self.private))
        for (a, r), _ in {point: 0 for point, _ in self.column}.items():
            row = {self.column[(a, r), action]: 1.0 for action in self.actions(a)}
            rows.append(row | ({self.column[(a[:-1], r[:-1]), arms + a[-1]]: -1.0} if a else {}))
        ends = np.array([1.0] + [0.0] * (len(rows) - 1))
        cost = np.append(np.zeros(size - 1), 1.0)
        found = linprog(cost, _matrix(below, size), right, _matrix(rows, size), ends, method="highs")
        if found.x is None:
            raise ArithmeticError(f"no strategy of {self.most} pulls has the risk {self.delta}: {found.message}")
        duals = [Fraction(max(0, round(-float(value) * FINE)), FINE) for value in found.ineqlin.marginals]
        return float(found.fun), duals[:arms], duals[arms : 2 * arms], duals[2 * arms :]

    def actions(self, pulled: tuple[int, ...]) -> range:
        """What may be done after these pulls."""
        return range(2 * len(self.arms) if len(pulled) < self.most else len(self.arms))

    def proved(self, shares: list[Fraction], risks: list[Fraction], privacy: list[Fraction]) -> Fraction:
        """The lower end that the multipliers prove, by backward induction."""
        whole = sum(shares, Fraction(0))
        price = dict.fromkeys(range(len(self.column)), Fraction(0))
        for k, instance, pulls, errors in self.losses():
            price[k] += shares[instance] / whole * pulls + risks[instance] * errors
        for (k, other), multiplier in zip(self.private, privacy, strict=True):
            price[k] += multiplier / (self.ratio or 1)
            price[other] -= multiplier
        return self._least((), (), price) - sum(risks, Fraction(0)) * self.delta

    def _least(self, a: tuple[int, ...], r: tuple[int, ...], price: dict[int, Fraction]) -> Fraction:
        named = [price[self.column[(a, r), action]] for action in self.arms]
        pulled = (
            [sum((self._least((*a, arm), (*r, reward), price) for reward in (0, 1)), Fraction(0)) for arm in self.arms]
            if len(a) < self.most
            else []
        )
        return min([*named, *pulled])


def _matrix(rows: list[dict[int, float]], size: int) -> Any:
    entries = [(i, k, value) for i, row in enumerate(rows) for k, value in row.items()]
    i, k, value = zip(*entries, strict=True)
    return csr_array((value, (i, k)), shape=(len(rows), size))


def bounds(ratio: Fraction | None, delta: Fraction) -> tuple[float, float]:
    """The bounds on the pulls by d_epsilon and by the smaller one of two sums."""
    epsilon, wanted = np.inf if ratio is None else log(ratio), kl_bernoulli(float(delta), 1 - float(delta))
    smaller = min(kl_bernoulli(0.75, 0.25), epsilon * 0.5)
    return float(wanted / d_epsilon(0.75, 0.25, epsilon)), float(wanted / smaller)


def row(arms: int, most: int, ratio: str, delta: str) -> list[object]:
    """One line of the table."""
    budget = None if ratio == "inf" else Fraction(ratio)
    program = Stopping(arms, most, budget, Fraction(delta))
    value, *multipliers = program.solved()
    lower, (sharp, printed) = float(program.proved(*multipliers)), bounds(budget, Fraction(delta))
    return [
        arms,
        most,
        ratio,
        delta,
        *(f"{number:.4f}" for number in (lower, value, sharp, printed)),
        f"{sharp / value:.3f}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, default=Path("docs/exact-stopping.csv"), help="file of the table")
    head = [
        "arms",
        "most pulls",
        "e^epsilon",
        "delta",
        "proved",
        "optimum",
        "d_epsilon",
        "smaller of two sums",
        "share",
    ]
    with parser.parse_args().output.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([head, *(row(*game) for game in GAMES)])


if __name__ == "__main__":
    main()
