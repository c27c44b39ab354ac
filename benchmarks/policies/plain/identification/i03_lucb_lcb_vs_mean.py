"""BROKEN: LUCB that stops when the leader's lower bound is above the challenger's mean (not its upper bound)."""
import math
import numpy as np


class Strategy:
    def __init__(self, arms, delta, rng):
        self.K, self.delta, self.t = arms, delta, 0
        self.n, self.s = np.zeros(arms), np.zeros(arms)
        self.todo = list(range(arms))

    def _state(self):
        m = self.s / self.n
        r = np.sqrt(np.log(self.K / self.delta) / (2 * self.n))
        top = int(np.argmax(m))
        u = m + r
        u[top] = -np.inf
        return m, r, top, int(np.argmax(u))

    def sample(self):
        if not self.todo:
            _, _, a, b = self._state()
            self.todo = [a, b]
        return self.todo[0]

    def update(self, arm, reward):
        self.todo.pop(0)
        self.t += 1
        self.n[arm] += 1
        self.s[arm] += reward

    def stop(self):
        if self.n.min() < 1:
            return False
        m, r, a, b = self._state()
        return bool(m[a] - r[a] > m[b])  # BUG

    def answer(self):
        return int(np.argmax(self.s / np.maximum(self.n, 1)))
