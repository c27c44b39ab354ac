"""Track-and-Stop in rounds against its pseudo code, round by round."""

import numpy as np
import pytest

from banditproof.algorithms import NoiseSource
from banditproof.algorithms.identification.arm_by_arm import DEpsilonTaS
from banditproof.theory import Budget
from banditproof.theory.best_arm.tie_costs import tie_allocation, tie_cost, tie_threshold


class Written(NoiseSource):
    """Noise that is written down, one number for each release."""

    def __init__(self, values):
        super().__init__()
        self.values = iter(values)

    def laplace(self, value, *, sensitivity, budget, records):
        assert sensitivity == 1.0
        return value + next(self.values) / budget.epsilon


def rounds_of_the_pseudocode(rewards, noise, epsilon, delta):
    """The pulls of every round and the arm that is named."""
    arms, left = len(rewards), list(range(len(rewards)))
    counts = [int(np.ceil(np.log(arms / delta) / min(epsilon, 1)))] * arms
    seen, played, means = [0] * arms, [], [0.0] * arms
    while True:
        played.append(list(counts))
        for a in left:
            total = rewards[a, seen[a] : seen[a] + counts[a]].sum()
            seen[a] += counts[a]
            means[a] = (total + next(noise) / epsilon) / counts[a]
        best = max(left, key=lambda a: means[a])
        clipped = [min(max(mean, 0.0), 1.0) for mean in means]
        threshold = tie_threshold(1 / (len(played) * (len(played) + 1)), delta, arms)
        for a in [a for a in left if a != best]:
            if tie_cost(clipped[best], clipped[a], float(counts[best]), float(counts[a]), epsilon) >= threshold:
                left.remove(a)
        if left == [best]:
            return played, best
        pulls = 2 * sum(counts[a] for a in left)
        shares = tie_allocation(
            np.array([[m if a in left else 0.0 for a, m in enumerate(clipped)]]), np.array([[epsilon]])
        )
        shares = [share / sum(shares[0, left]) for share in shares[0]]
        counts = [int(np.ceil(max(shares[a] * pulls, np.sqrt(pulls)))) if a in left else 0 for a in range(arms)]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("epsilon", [0.2, 5.0])
def test_the_rounds_are_those_of_the_pseudocode(seed, epsilon):
    draw = np.random.default_rng(seed)
    rewards = (draw.random((3, 10**6)) < np.array([[0.9], [0.6], [0.2]])).astype(float)
    noise = draw.laplace(size=1000)
    expected, named = rounds_of_the_pseudocode(rewards, iter(noise), epsilon, 0.05)
    run, played, seen = DEpsilonTaS(3, Budget.pure(epsilon), Written(noise), delta=0.05), [], [0] * 3
    while not run.stopped[0]:
        if (run.pulls == run.start).all():
            played.append(run.pending[0].tolist())
        (arm,), (count,) = run.next_batch()
        run.observe(rewards[arm, seen[arm] : seen[arm] + count].sum(keepdims=True), np.array([count]))
        seen[arm] += count
    assert (played, int(run.recommendation[0])) == (expected, named) and len(played) > 2
