"""epsilon-greedy with private batches of eight, standard library only."""

import random


class EpsilonGreedy:
    def __init__(self, n, eps, explore=0.1):
        self.n, self.eps, self.explore = n, eps, explore
        self.released = {}
        self.current, self.got = 0, []

    def choose(self):
        missing = [a for a in range(self.n) if a not in self.released]
        if missing:
            return missing[0]
        if random.random() < self.explore:
            return random.randrange(self.n)
        return max(self.released, key=self.released.get)

    def select_action(self):
        return self.current

    def update(self, action, reward):
        self.got.append(reward)
        if len(self.got) == 8:
            z = random.expovariate(1.0) / self.eps * random.choice([-1, 1])
            self.released[action] = (sum(self.got) + z) / 8
            self.current, self.got = self.choose(), []
