"""All private bandit algorithms on two arms at once: the arms lose 1/2 and a bit, and what they can do is a polytope.

A bandit algorithm is a vector x over (history, action): x(h, a) >= 0 with sum_a x(h, a) = x of the history's last
action. The probability of an action sequence is then a single variable, so pure DP is linear, and so is what is asked.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

History = tuple[tuple[int, int | None], ...]
Bits = tuple[int, ...]


class PrivateAlgorithms:
    """The polytope of all algorithms over `horizon` rounds whose action sequences have ratios up to `ratio`."""

    def __init__(self, horizon: int, ratio: float) -> None:
        self.horizon, self.index = horizon, dict[tuple[History, int], int]()
        self.flow: list[tuple[list[int], int | None]] = []
        self._branch((), None)
        self.sequences = list(product((0, 1), repeat=horizon))
        pairs = {
            (self.leaf(bits, actions), self.leaf((*bits[:t], 1 - bits[t], *bits[t + 1 :]), actions))
            for bits in self.sequences
            for actions in self.sequences
            for t in range(horizon)
        }
        self.pairs, self.ratio = sorted((i, j) for i, j in pairs if i != j), ratio

    def _branch(self, history: History, parent: int | None) -> None:
        if len(history) == self.horizon:
            return
        actions = [self.index.setdefault((history, action), len(self.index)) for action in (0, 1)]
        self.flow.append((actions, parent))
        for seen in ((0, None), (1, 0), (1, 1)):
            self._branch((*history, seen), actions[seen[0]])

    def leaf(self, bits: Bits, actions: Bits) -> int:
        """The variable that is the probability of `actions` when the second arm loses `bits`."""
        seen = zip(actions[:-1], bits[:-1], strict=True)
        return self.index[tuple((a, b if a else None) for a, b in seen), actions[-1]]

    def largest(self, objective: dict[int, float]) -> float:
        """The largest value of a linear function of the variables, by HiGHS."""
        from scipy.optimize import linprog
        from scipy.sparse import lil_matrix

        private = lil_matrix((len(self.pairs), len(self.index)))
        for row, (i, j) in enumerate(self.pairs):
            private[row, i], private[row, j] = 1.0, -self.ratio
        flow, sums = lil_matrix((len(self.flow), len(self.index))), np.zeros(len(self.flow))
        for row, (actions, parent) in enumerate(self.flow):
            flow[row, actions] = 1.0
            if parent is None:
                sums[row] = 1.0
            else:
                flow[row, parent] = -1.0
        cost = np.zeros(len(self.index))
        cost[list(objective)] = [-value for value in objective.values()]
        solution: Any = linprog(
            cost, private.tocsr(), np.zeros(len(self.pairs)), flow.tocsr(), sums, bounds=(0, 1), method="highs"
        )
        return -float(solution.fun)


def transfer_excess(horizon: int, ratio: float, onset: int, plays: int, window: int, price: float) -> float:
    """The largest P'(F) - price P(F) over all private algorithms, F: more than `plays` of arm 2 in the window.

    Under P' the second arm stops losing after `onset` rounds, under P it always loses; the window are the `window`
    rounds from then on. Source: ADV-EQG.2
    """
    algorithms = PrivateAlgorithms(horizon, ratio)
    objective: dict[int, float] = {}
    for actions in algorithms.sequences:
        if sum(actions[onset : onset + window]) > plays:
            for bits, weight in (((1,) * onset + (0,) * (horizon - onset), 1.0), ((1,) * horizon, -price)):
                leaf = algorithms.leaf(bits, actions)
                objective[leaf] = objective.get(leaf, 0.0) + weight
    return algorithms.largest(objective)
