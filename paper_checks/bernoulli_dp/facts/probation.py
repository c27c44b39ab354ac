"""A private policy that stops exploring once an arm seems perfect, and what its regret can be at most.

At optimal mean 1 the best arm never fails. A short trial proposes an arm; the arm is then put on probation for
(log T)^2 pulls, which only an arm that (almost) never fails passes. If it passes it is pulled to the end, otherwise
both arms are explored anew and the better one is pulled to the end.

Source: BDP-T3.1, BDP-D2.1b
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, inf, log, sqrt
from typing import Any, ClassVar

import numpy as np

from banditproof.algorithms import NoiseSource, Policy
from banditproof.algorithms.batches import LONGEST_BATCH
from banditproof.theory import Budget, InvalidInput
from banditproof.theory.numbers.numeric import exp, expm1, log1p, to_ball
from banditproof.theory.numbers.term import quantity


class ProbationPolicy(Policy):
    """Two arms, known horizon T: trial, probation, and exploration if the probation fails.

    1. Trial: pull each arm n = ceil(sqrt(log T)) times, release the number of failures of each.
    2. Probation: pull the arm with fewer noisy failures m = ceil((log T)^2) times, release its number of failures.
       If it is at most 2 log(T) / epsilon, pull this arm to the end.
    3. Otherwise pull each arm m times more, release the failures of these pulls, and pull the arm with fewer from
       then on.

    Every release carries Laplace noise of scale 1 / epsilon; each reward is in one release and moves it by at most 1,
    and pulls depend on earlier releases only, so the policy is epsilon-DP like Algorithm 1 (BDP-P4.2).
    """

    per_replication: ClassVar[tuple[str, ...]] = ("stage", "clock", "failures", "arm", "over")

    def __init__(self, horizon: int, budget: Budget, noise: NoiseSource, *, replications: int = 1) -> None:
        super().__init__(2, replications)
        if horizon < 3:
            raise InvalidInput("horizon", horizon, "at least 3")
        self.budget, self.noise = budget, noise
        self.trial, self.probation = ceil(sqrt(log(horizon))), ceil(log(horizon) ** 2)
        self.threshold = 2 * log(horizon) / float(budget.epsilon)
        self.stage = np.zeros(replications, dtype=np.int64)  # 0, 1 trial; 2 probation; 3, 4 exploration
        self.clock = np.zeros(replications, dtype=np.int64)
        self.failures = np.zeros((replications, 2))
        self.arm = np.zeros(replications, dtype=np.int64)
        self.over = np.zeros(replications, dtype=bool)

    def next_batch(self) -> tuple[np.ndarray, np.ndarray]:
        fixed = np.array([0, 1, -1, 0, 1])[np.minimum(self.stage, 4)]
        arm = np.where(self.over | (fixed < 0), self.arm, fixed)
        count = np.where(self.stage < 2, self.trial, self.probation)
        return arm, np.where(self.over, LONGEST_BATCH, count)

    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        records = (self.clock, self.clock + count)
        released = self.noise.laplace(count - total, sensitivity=1.0, budget=self.budget, records=records)
        for stage, pulled in ((0, 0), (1, 1), (3, 0), (4, 1)):
            heard = (self.stage == stage) & ~self.over
            self.failures[heard, pulled] = released[heard]
        decided = np.isin(self.stage, (1, 4)) & ~self.over
        self.arm = np.where(decided, self.failures.argmin(axis=1), self.arm)
        passed = (self.stage == 2) & (released <= self.threshold)
        self.over = self.over | passed | (self.stage == 4)
        self.stage, self.clock = self.stage + 1, self.clock + count


@dataclass(frozen=True)
class Term:
    """coefficient x^power exp(linear x + square x^2 + fourth x^4), coefficient >= 0, balls and an int."""

    coefficient: Any
    power: int = 0
    linear: Any = 0
    square: Any = 0
    fourth: Any = 0

    def __mul__(self, other: Term) -> Term:
        return Term(
            self.coefficient * other.coefficient,
            self.power + other.power,
            self.linear + other.linear,
            self.square + other.square,
            self.fourth + other.fourth,
        )

    def at(self, x: Any) -> Any:
        """The value at x > 0, a ball."""
        exponent = self.linear * x + self.square * x * x + self.fourth * x * x * x * x
        return to_ball(self.coefficient) * x**self.power * exp(to_ball(exponent))

    def falls_from(self, x: Any) -> bool:
        """Whether the term certainly decreases on [x, inf): its logarithmic derivative, times the argument, is a
        polynomial whose expansion around x has no positive coefficient."""
        from flint import arb_poly

        slope = arb_poly([to_ball(c) for c in (self.power, self.linear, 2 * self.square, 0, 4 * self.fourth)])
        shifted = slope(arb_poly([to_ball(x), 1]))
        return all(coefficient <= 0 for coefficient in shifted)


def probation_regret(gap: Any, epsilon: Any) -> list[Term]:
    """Terms in x = sqrt(log T) whose sum bounds Reg_T / log T of `ProbationPolicy` at means 1 and 1 - gap, T = e^(x^2).

    Let q = 1 - gap (1 - e^(-epsilon/2)) = e^(-c) be the moment of a failure of arm 2 at -epsilon/2; that of Laplace
    noise is 4/3 at either sign. Chernoff's bound at epsilon/2 gives

    - the trial proposes arm 2:                  (4/3)^2 q^n        <= 16/9 e^(-c x)            as n >= x,
    - arm 2 passes the probation:                4/3 e^(x^2) q^m    <= 4/3 e^(x^2 - c x^4)      as m >= x^4,
    - the exploration decides for arm 2:         (4/3)^2 q^m        <= 16/9 e^(-c x^4);
    - arm 1, which never fails, does not pass:   exactly e^(-2 x^2) / 2.

    The trial costs n gap, a probation of arm 2 and an exploration m gap each, arm 2 to the end at most T gap. With
    n <= x + 1 and m <= x^4 + 1 the regret is at most

        gap [x + 1 + 16/9 e^(-cx) (x^4 + 1 + 4/3 e^(2x^2 - c x^4))
             + (16/9 e^(-cx) + e^(-2x^2)/2) (x^4 + 1 + 16/9 e^(x^2 - c x^4))],

    which is o(log T), log T = x^2. At every other instance in [0, 1]^2 the same bounds give O((log T)^2): the worse arm
    fails with probability f > 0, so T times the probabilities that it passes (at most 4/3 T^2 q^m) and that the
    exploration decides for it (at most 16/9 T rho^m, some rho < 1) vanish, m being of order (log T)^2. So the policy
    is consistent over [0, 1]^2. Restarted on epochs of lengths 2^(2^k) it does not need to know T; the bounds then
    sum to the same orders.
    """
    gap, epsilon = to_ball(gap), to_ball(epsilon)
    c = -log1p(gap * expm1(-epsilon / 2))
    pulls, wrong = [Term(1, 4), Term(1)], Term(to_ball(16) / 9, linear=-c)
    passes, mistaken = Term(to_ball(4) / 3, square=2, fourth=-c), Term(to_ball(16) / 9, square=1, fourth=-c)
    false_alarm = Term(to_ball(1) / 2, square=-2)
    terms = [Term(1, 1), Term(1)]
    terms += [wrong * cost for cost in (*pulls, passes)]
    terms += [failed * cost for failed in (wrong, false_alarm) for cost in (*pulls, mistaken)]
    return [Term(gap, -2) * term for term in terms]


@quantity
def regret_from(x: Any, gap: Any, epsilon: Any) -> Any:
    """A ball above Reg_T / log T for every T >= e^(x^2): the bound at x, where all its terms have begun to fall.

    It is infinite where some term may still grow.
    """
    terms = probation_regret(gap, epsilon)
    if not all(term.falls_from(x) for term in terms):
        return to_ball(inf)
    return sum((term.at(to_ball(x)) for term in terms), to_ball(0))
