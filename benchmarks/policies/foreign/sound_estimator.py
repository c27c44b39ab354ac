"""A small estimator in the way of scikit-learn; predict() sees private scores only."""

import numpy as np


class PrivateArms:
    def __init__(self, n_arms=3, epsilon=1.0, batch=6, random_state=None):
        self.n_arms, self.epsilon, self.batch = n_arms, epsilon, batch
        self.random_state = np.random.RandomState(random_state)

    def fit(self, decisions, rewards):
        self.sums_ = np.zeros(self.n_arms)
        self.counts_ = np.zeros(self.n_arms)
        self.private_sums_ = np.zeros(self.n_arms)
        self.private_counts_ = np.zeros(self.n_arms)
        return self.partial_fit(decisions, rewards)

    def partial_fit(self, decisions, rewards):
        for d, r in zip(decisions, rewards):
            self.sums_[d] += r
            self.counts_[d] += 1
        if self.counts_.sum() >= self.batch:
            self.private_sums_ += self.sums_ + self.random_state.laplace(0, 1 / self.epsilon, self.n_arms)
            self.private_counts_ += self.counts_
            self.sums_[:] = 0
            self.counts_[:] = 0
        return self

    def predict(self):
        seen = self.private_counts_ + self.counts_
        if seen.min() == 0:
            return int(np.argmin(seen))
        return int(np.argmax(self.private_sums_ / np.maximum(self.private_counts_, 1)))
