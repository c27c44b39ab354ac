"""How often one-run audits are wrong on responses of known budget, and what they show of DP-SGD with and without bugs.

A plain script: python benchmarks/one_run_audits.py [audits, 1000] [runs, 20]
"""

from __future__ import annotations

import sys
from fractions import Fraction

import numpy as np

from banditproof.algorithms import NoiseSource
from banditproof.algorithms.training import Network, Private, Transcript, average_gradient, blocks, descend, dirac
from banditproof.theory import Budget
from banditproof.theory.privacy.noise_calibration import largest_gaussian_shift
from banditproof.verify import OneRunAudit, audit_descent, audit_one_run, binomial_interval

ERROR, CANARIES, GUESSES = Fraction(1, 10), 600, 120


def response(epsilon: float, delta: float, generator: np.random.Generator) -> OneRunAudit:
    """Every coin is told through randomised response, and with probability `delta` as it is: (epsilon, delta)-DP."""
    inside = generator.random(CANARIES) < 0.5
    told = inside ^ (generator.random(CANARIES) > 1 / (1 + np.exp(-epsilon)))
    certain = generator.random(CANARIES) < delta
    scores = np.where(certain, 4.0 * inside - 2, told) + 1e-3 * generator.random(CANARIES)
    budget = Budget.approximate(epsilon, delta) if delta else Budget.pure(epsilon)
    return audit_one_run(scores, inside, budget, GUESSES, ERROR)


class Scaled(NoiseSource):
    """Noise of another size than was asked for."""

    def __init__(self, generator: np.random.Generator, factor: float) -> None:
        super().__init__(generator)
        self.factor = factor

    def draw(self, distribution: str, scale: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
        return self.factor * super().draw(distribution, scale, shape)


def descent(factor: float, steps: int, generator: np.random.Generator) -> OneRunAudit:
    """DP-SGD that promises (2, 1e-5)-DP for eight steps, with `factor` times its noise, for this many steps."""
    network, records, budget = Network((60, 10)), 100, Budget.approximate(2.0, 1e-5)
    x, y = generator.standard_normal((records, 60)), generator.integers(10, size=records)
    gamma = 8**0.5 / (records * float(largest_gaussian_shift(2.0, 1e-5)))
    private = Private(1.0, gamma, Scaled(generator, factor), "presence")

    def train(sent: np.ndarray) -> Transcript:
        start = np.zeros(network.d)
        return descend(network, start, x, y, blocks(records, records, steps), 0.1, private, sent=sent)

    def known(theta: np.ndarray) -> np.ndarray:
        return average_gradient(network, theta, x, y, records, private)

    canaries = np.array([dirac(network.d, k, 50.0) for k in range(CANARIES)])
    return audit_descent(train, known, canaries, budget, GUESSES, generator, ERROR)


def main(audits: str = "1000", runs: str = "20") -> None:
    generator = np.random.default_rng(0)
    print(f"wrong of {audits} audits at error {float(ERROR):g}, {GUESSES} guesses about {CANARIES} canaries")
    for epsilon, delta in ((0.5, 0.0), (1.0, 0.0), (2.0, 0.0), (1.0, 1e-5), (1.0, 1e-4)):
        found = [response(epsilon, delta, generator) for _ in range(int(audits))]
        shown = np.median([audit.shown for audit in found])
        wrong = sum(audit.verdict == "violation" for audit in found)
        low, high = binomial_interval(wrong, len(found), Fraction(1, 1000))
        said = f"{wrong} wrong ([{low:.3f}, {high:.3f}]), shown {shown:.2f} in the median"
        print(f"  epsilon {epsilon:g}, delta {delta:g}: {said}", flush=True)
    print(f"violations in {runs} runs of DP-SGD that promises (2, 1e-5)-DP")
    for factor, steps in ((1.0, 8), (0.5, 8), (0.35, 8), (0.25, 8), (1.0, 72), (1.0, 128)):
        found = [descent(factor, steps, generator) for _ in range(int(runs))]
        shown = np.median([audit.shown for audit in found])
        refuted = sum(audit.verdict == "violation" for audit in found)
        print(f"  noise x {factor:g}, {steps} steps: {refuted}, shown {shown:.2f} in the median", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
