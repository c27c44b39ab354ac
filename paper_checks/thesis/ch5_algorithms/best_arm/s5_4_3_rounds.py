"""Section 5.4.3, page 124: Top Two sampling does not depend on the risk, and takes few rounds of adaptivity."""

from fractions import Fraction
from typing import Annotated, Any

import numpy as np

from banditproof.algorithms import BernoulliBandit, NoiseSource
from banditproof.algorithms.identification.top_two import AdaPTT, AdaPTTStar, PrivateTopTwo
from banditproof.claims.language import *
from banditproof.paper_checks.thesis.studies import simulated
from banditproof.theory import characteristic_time

MEANS = {"three": ("0.9", "0.5", "0.1"), "near tie": ("0.5", "0.6"), "ten": ("0.8", *["0.4"] * 9)}
POLICIES: dict[str, type[PrivateTopTwo]] = {"AdaP-TT": AdaPTT, "AdaP-TT*": AdaPTTStar}
RISK, SMALL = 0.1, 1e-6
Instances = Annotated[Any, "all: every instance with a unique best arm"]


def started(
    policy: type[PrivateTopTwo], instance: str, epsilon: float, delta: float, seed: Any, runs: int, **given: Any
):
    """Fresh runs, their environment and the generator of its rewards; the same ones for every risk."""
    play, rewards = (np.random.default_rng([*seed, i]) for i in range(2))
    means = [float(mean) for mean in MEANS[instance]]
    run = policy(len(means), Budget.pure(epsilon), NoiseSource(play), delta=delta, replications=runs, **given)
    return run, BernoulliBandit(means), rewards


def pulls_differ(policy: type[PrivateTopTwo], instance: str, seed: Any, runs: int, share: float) -> np.ndarray:
    """Whether a run at SMALL and one at RISK pull different arms in the first 150 batches, or until one of them stops.

    `share` is the leader's at SMALL. The runs go side by side, so they draw the same noise and rewards.
    """
    pair = [
        started(policy, instance, 1.0, delta, seed, runs, beta=beta) for delta, beta in ((RISK, 0.5), (SMALL, share))
    ]
    differ = np.zeros(runs, dtype=bool)
    for _ in range(150):
        if any(run.stopped.any() for run, _, _ in pair):
            break
        asked = [run.next_batch() for run, _, _ in pair]
        differ |= np.any([one != other for one, other in zip(*asked, strict=True)], axis=0)
        for (run, bandit, rewards), (arm, count) in zip(pair, asked, strict=True):
            run.observe(bandit.sum_of_rewards(arm, count, rewards), count)
    return differ


def run_pairs(seeds: np.random.SeedSequence, runs: int) -> Arrays:
    """For every policy and instance: whether the risk moves a pull; and the same with a share that follows the risk."""
    base = seeds.generate_state(2).tolist()
    return {
        f"{name}, {instance}, {follows}": pulls_differ(policy, instance, base, runs, 0.3 if follows else 0.5)
        for name, policy in POLICIES.items()
        for instance in MEANS
        for follows in (0, 1)
    }


def run_rounds(seeds: np.random.SeedSequence, runs: int) -> Arrays:
    """Releases of runs without privacy, in units of K log2(T*_KL log(1/delta))."""
    base, arrays = seeds.generate_state(2).tolist(), {}
    for instance, means in MEANS.items():
        time = float(characteristic_time(means=means).value.upper)
        for name, policy in POLICIES.items():
            run, bandit, rewards = started(policy, instance, float("inf"), RISK, base, runs)
            releases = np.zeros(runs)
            everyone = np.arange(runs)
            while everyone.size:
                before = run.phases.sum(axis=1)
                arm, count = run.next_batch()
                run.observe(bandit.sum_of_rewards(arm, count, rewards), count)
                releases[everyone] += run.phases.sum(axis=1) - before
                everyone, going = everyone[~run.stopped], ~run.stopped
                run.keep(going)
            arrays[f"{name}, {instance}"] = releases / (len(means) * np.log2(time * np.log(1 / RISK)))
    return arrays


PAIRS = Study("thesis-top-two-risks", run_pairs, {"runs": 200}, {"runs": 2000})
ROUNDS = Study("thesis-top-two-rounds", run_rounds, {"runs": 300}, {"runs": 5000})
OVER: dict[str, Any] = {"means": f"all: {len(MEANS)} Bernoulli instances"}


@claim(
    "ALG-S5.4d/sampling",
    simulated(PAIRS, **OVER),
    false=[mutation("the leader's share follows the risk", follows=1)],
    studies=[PAIRS],
    restricted="to 150 batches",
)
def sampling_without_risk(means: Instances, follows=0, *, arrays):
    r"""Four in five runs of AdaP-TT and AdaP-TT* with the same rewards and noise pull the same arms at $\delta=10^{-1}$
    and $\delta=10^{-6}$, in the first 150 batches or until one stops (a share of the leader that depends on $\delta$:
    0)."""
    for name in POLICIES:
        for instance in MEANS:
            key = f"{name}, {instance}, {int(follows)}"
            yield f"{name} on {instance}: another pull", arrays[key], "<=", Fraction(1, 5)


@claim(
    "ALG-R5.24/rounds",
    simulated(ROUNDS, **OVER),
    false={"factor": "1/2"},
    studies=[ROUNDS],
    restricted="to delta = 1/10 and three instances; the constant 3 is not printed",
)
def rounds_of_adaptivity(means: Instances, factor=3, *, arrays):
    r"""Without privacy, at $\delta=10^{-1}$, nine runs in ten of AdaP-TT and AdaP-TT* take at most
    $3\,K\log_2(T^*_{\mathrm{KL}}\log\frac1\delta)$ rounds, where the end of every phase of every arm counts as a
    round."""
    for name in POLICIES:
        for instance in MEANS:
            many = arrays[f"{name}, {instance}"] > float(Fraction(factor))
            yield f"{name} on {instance}: more rounds", many, "<=", Fraction(1, 10)
