"""BROKEN: successive elimination whose confidence parameter is 1 - delta (mixed up level and error), far too confident."""
import math


class Strategy:
    def __init__(self, arms, delta, rng):
        self.level = 1.0 - delta  # BUG
        self.alive = list(range(arms))
        self.K = arms
        self.stat = {a: [0, 0.0] for a in self.alive}
        self.turn = 0

    def sample(self):
        return self.alive[self.turn % len(self.alive)]

    def update(self, arm, reward):
        st = self.stat[arm]
        st[0] += 1
        st[1] += reward
        self.turn += 1
        if self.turn % len(self.alive) == 0:
            n = st[0]
            rad = math.sqrt(math.log(1 / self.level) / (2 * n))
            mean = {a: self.stat[a][1] / n for a in self.alive}
            top = max(mean.values())
            self.alive = [a for a in self.alive if mean[a] + 2 * rad >= top]
            self.turn = 0

    def stop(self):
        return len(self.alive) == 1

    def answer(self):
        return max(self.alive, key=lambda a: self.stat[a][1] / max(1, self.stat[a][0]))
