"""sound: successive elimination (Even-Dar et al. 2006), radius sqrt(log(4 K n^2/delta)/(2n))."""
import math


class Strategy:
    def __init__(self, arms, delta, rng):
        self.K, self.delta = arms, delta
        self.alive = list(range(arms))
        self.wins = [0.0] * arms
        self.n, self.pos = 1, 0

    def sample(self):
        return self.alive[self.pos]

    def update(self, arm, reward):
        self.wins[arm] += reward
        self.pos += 1
        if self.pos == len(self.alive):
            rad = math.sqrt(math.log(4 * self.K * self.n ** 2 / self.delta) / (2 * self.n))
            top = max(self.wins[a] for a in self.alive) / self.n
            self.alive = [a for a in self.alive if self.wins[a] / self.n >= top - 2 * rad]
            self.n, self.pos = self.n + 1, 0

    def stop(self):
        return len(self.alive) == 1

    def answer(self):
        return max(self.alive, key=lambda a: self.wins[a])
