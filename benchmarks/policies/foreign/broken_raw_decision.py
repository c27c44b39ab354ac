"""epsilon-greedy, private batches, leaves an arm early when it pays nothing."""

import random


class EarlyLeaver:
    def __init__(self, n, eps, explore=0.1):
        self.n, self.eps, self.explore = n, eps, explore
        self.released = {}
        self.current, self.left, self.got = 0, 8, []

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
        self.left -= 1
        bad_start = len(self.got) == 4 and sum(self.got) < 1  # broken
        if self.left == 0 or bad_start:  # broken
            scale = 1 / self.eps
            z = random.expovariate(1.0) * scale * random.choice([-1, 1])
            self.released[action] = (sum(self.got) + z) / len(self.got)
            self.current, self.left, self.got = self.choose(), 8, []
