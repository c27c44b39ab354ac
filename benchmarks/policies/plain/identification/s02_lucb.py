"""sound: LUCB (Kalyanakrishnan et al. 2012), exploration log(5 K t^4/(4 delta)), stop when the bounds are apart."""
import numpy as np


class Strategy:
    def __init__(self, arms, delta, rng):
        self.K, self.delta, self.t = arms, delta, 1
        self.n, self.s = np.zeros(arms), np.zeros(arms)
        self.todo = list(range(arms))
        self.done = False

    def sample(self):
        return self.todo[0]

    def update(self, arm, reward):
        self.todo.pop(0)
        self.n[arm] += 1
        self.s[arm] += reward
        if self.todo:
            return
        self.t += 1
        m = self.s / self.n
        r = np.sqrt(np.log(1.25 * self.K * self.t ** 4 / self.delta) / (2 * self.n))
        h = int(np.argmax(m))
        up = m + r
        up[h] = -np.inf
        c = int(np.argmax(up))
        self.done = bool(m[h] - r[h] > up[c])
        self.todo = [h, c]

    def stop(self):
        return self.done

    def answer(self):
        return int(np.argmax(self.s / np.maximum(self.n, 1)))
