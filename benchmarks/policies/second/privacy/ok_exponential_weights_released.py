"""HARMLESS: exponential weights over batches: the batch sum is released before it is divided by its probability
DECLARED: epsilon=1.0
"""

from banditproof.algorithms import EXP3, Policy, PrivateBatches
from banditproof.theory import Budget


class Gains(Policy):
    """Turns released mean rewards into the losses that EXP3 wants."""

    def __init__(self, learner):
        super().__init__(learner.arms, learner.replications)
        self.learner = learner

    def next_batch(self):
        return self.learner.next_batch()

    def observe(self, total, count, arm=None):
        self.learner.observe(1 - total, count, arm)


def make(noise, generator):
    learner = EXP3(3, generator, rate=0.1, mixing=0.2)
    return PrivateBatches(Gains(learner), Budget.pure(1.0), noise, batch=4)
