"""Algorithm 10 as printed, with AdaP-TT and AdaP-TT*, step by step; and the program on the same rewards and noise.

What the text leaves open is read as in `PrivateTopTwo`: the first mean of an arm is its first reward with noise, the
challenger sees all pulls, ties go to the lowest arm. The decisions of a round are functions of counts and noisy means.
"""

from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.algorithms.identification.top_two import AdaPTT, AdaPTTStar
from banditproof.algorithms.noise import NoiseSource
from banditproof.theory import Budget
from banditproof.theory.best_arm.thresholds import private_threshold, star_threshold, transportation_cost

POLICIES = {"AdaP-TT": AdaPTT, "AdaP-TT*": AdaPTTStar}
LONGEST = 60_000
Ending = tuple[list[int], int]  # pulls of every arm, and the arm that is named


def drawn_rewards(seed: int, means: Any) -> np.ndarray:
    """Coins [K, LONGEST]: the i-th reward of arm a is in place (a, i)."""
    return (np.random.default_rng(seed).random((len(means), LONGEST)) < np.array(means)[:, np.newaxis]).astype(float)


def program(name: str, seed: int, means: Any, epsilon: Any, delta: Any, beta: Any) -> Ending:
    """How a run of the library ends; noise is that of the next seed."""
    means, epsilon, delta, beta = _floats(means, epsilon, delta, beta)
    rewards = drawn_rewards(seed, means)
    noise = NoiseSource(np.random.default_rng(seed + 1))
    run = POLICIES[name](len(means), Budget.pure(epsilon), noise, delta=delta, beta=beta)
    while not run.stopped[0]:
        arm, count = run.next_batch()
        begin = run.pulls[0, arm[0]]
        run.observe(rewards[arm[0], begin : begin + count[0]].sum(keepdims=True), count)
    return run.pulls[0].tolist(), int(run.recommendation[0])


def _floats(means: Any, *numbers: Any) -> Any:
    return [float(Fraction(mean)) for mean in means], *(float(number) for number in numbers)


def pseudo_code(
    name: str,
    seed: int,
    means: Any,
    epsilon: Any,
    delta: Any,
    beta: Any,
    growth: Any = 2,
    forgetting: Any = 1,
    price: Any = 1,
    challenger: str = "all pulls",
    stopping: str = "last phase",
) -> Ending:
    """How Algorithm 10 ends, pull by pull, with phases that end at `growth` times the pulls, thresholds times `price`.

    Without `forgetting` a mean is of all rewards; `challenger` and `stopping` say which counts these use.
    """
    means, epsilon, delta, beta, price = _floats(means, epsilon, delta, beta, price)
    K, noise, rewards = len(means), np.random.default_rng(seed + 1), drawn_rewards(seed, means)

    def W(a, b, mu, n):
        return transportation_cost(mu[a] - mu[b], n[a], n[b], epsilon if name == "AdaP-TT*" else np.inf)

    def c(a, b, mu, n):
        if name == "AdaP-TT*":
            return price * star_threshold(max(mu[a] - mu[b], 0.0), n[a], n[b], delta, K, epsilon)
        return price * private_threshold(n[a], n[b], delta, K, epsilon)

    N, start, k, L = [1] * K, [1] * K, [1] * K, [0] * K
    led = [[0] * K for _ in range(K)]
    size = [1.0] * K
    mu = [rewards[a][0] + noise.laplace() / epsilon for a in range(K)]
    changed = True
    while max(N) < LONGEST:
        for a in range(K):
            if N[a] >= growth * start[a]:
                first = start[a] if forgetting else 0
                size[a] = float(N[a] - first)
                mu[a] = (rewards[a][first : N[a]].sum() + noise.laplace() / epsilon) / size[a]
                start[a], k[a], changed = N[a], k[a] + 1, True
                break
        if changed:  # between two phases means and thresholds stay
            best = int(np.argmax(mu))
            n = size if stopping == "last phase" else [float(pulls) for pulls in N]
            if all(W(best, b, mu, n) >= c(best, b, mu, n) for b in range(K) if b != best):
                return N, best
            leader = int(np.argmax([mu[a] + np.sqrt(k[a] / size[a]) + k[a] / (epsilon * size[a]) for a in range(K)]))
            changed = False
        counts = [float(n) for n in N] if challenger == "all pulls" else size
        rival = min((a for a in range(K) if a != leader), key=lambda a: W(leader, a, mu, counts))
        arm = leader if led[leader][leader] <= beta * (L[leader] + 1) else rival
        led[leader][arm] += 1
        L[leader] += 1
        N[arm] += 1
    return N, -1
