"""BUG: DP-UCB whose nodes cost epsilon / (L - 1), as if the leaves were free; a reward may be in L nodes
LINE: return quotient_rounded_down(self.epsilon, self.levels - 1)
DECLARED: epsilon=1.0

A tree for 255 rewards has L = 8 levels; only from the 128th reward of an arm on are its first rewards in 8 nodes.
"""

from banditproof.algorithms import quotient_rounded_down
from banditproof.algorithms.finite.dp_ucb import DPUCB
from banditproof.theory import Budget


MADE_FOR = 255  # pulls


class SharperTree(DPUCB):
    @property
    def node_budget(self):
        return quotient_rounded_down(self.epsilon, self.levels - 1)


def make(noise, generator):
    return SharperTree(2, Budget.pure(1.0), noise, horizon=255, delta=0.5)
