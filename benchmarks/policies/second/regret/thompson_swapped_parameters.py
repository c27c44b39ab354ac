"""BUG: the parameters of the Beta law are swapped: failures count as successes
LINE: self.recommended = self.generator.beta(1 + failures, 1 + self.sums).argmax(axis=1)
CLAIMS: the regret of thompson-sampling
"""

from banditproof.algorithms.finite.thompson import ThompsonSampling


class Swapped(ThompsonSampling):
    def next_batch(self):
        failures = self.samples - self.sums
        self.recommended = self.generator.beta(1 + failures, 1 + self.sums).argmax(axis=1)
        return self.recommended, self.samples[:, 0] * 0 + 1


NAME = "thompson-sampling"
BUDGETS = [None]


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    return Swapped(arms, generator, replications=replications)
