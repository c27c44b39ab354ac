"""Section 5.2, page 104: Algorithm 7, whose episodes double per arm, and the example of a run.

Runs whose decisions are given beforehand are produced by the program and compared with the pseudo code and with the
printed example. An episode is (arm, first step, last step) with steps counted from 1; the first K of them are the
initial pulls, and t_1 = K + 1.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import comb
from typing import Annotated, Any

import numpy as np

from banditproof.algorithms.finite.episodic import AdaPUCB
from banditproof.claims.check import Check
from banditproof.claims.register import claim, mutation, repaired
from banditproof.claims.sets import Count, Positive, Probability, TwoOrMore
from banditproof.claims.steps import deduced, enumerated, fails_at
from banditproof.paper_checks.thesis.facts.episodes import Episode, literal_episodes, scripts
from banditproof.theory import Budget, exp, laplace_sum_tail, log, sqrt, to_ball
from banditproof.verify import RecordingNoise, Release
from banditproof.verify.runs.recorder import batches_on_alternating_rewards

Script = Annotated[Any, "all: every sequence of decisions"]


class Directed(AdaPUCB):
    """Algorithm 7 whose decisions are given: episode l goes to arm script[l]."""

    def __init__(self, arms: int, script: Sequence[int], noise: RecordingNoise, epsilon: float = 1.0) -> None:
        super().__init__(arms, Budget.pure(epsilon), noise)
        self.script = list(script)

    def score(self, means: np.ndarray, samples: np.ndarray) -> np.ndarray:
        done = int(self.batches_done.sum()) - self.arms
        wanted = self.script[done] if 0 <= done < len(self.script) else 0
        return np.where(np.arange(self.arms) == wanted, 1.0, 0.0)[np.newaxis]


def directed_run(arms: int, script: Sequence[int], steps: int) -> tuple[list[Episode], list[Release]]:
    """The episodes of the program that begin within `steps` steps, each played in full, and their releases."""
    noise = RecordingNoise(np.random.default_rng(0))
    return batches_on_alternating_rewards(Directed(arms, script, noise), steps), noise.releases


def every_schedule(check: Check) -> list[dict[str, Any]]:
    """All decisions of two arms within 16 steps (at most 7 episodes follow the first pulls), and of three arms."""
    two = [{"arms": 2, "script": script, "steps": 16} for script in scripts(2, 7)]
    return two + [{"arms": 3, "script": script, "steps": 16} for script in scripts(3, check.pick(4, 6))]


@claim(
    "ALG-A7/pseudo-code",
    enumerated(every_schedule, rational=True, routes=("program", "pseudo code, step by step")),
    false={"factor": 3},
)
def episodes_of_the_pseudo_code(arms: Count, script: Script, steps: Count, factor=2):
    r"""After playing each arm once, the program plays $a_\ell$ until $N_{a_\ell}(t)=2N_{a_\ell}(t_\ell-1)$."""
    return directed_run(arms, script, steps)[0], "==", literal_episodes(arms, script, steps, factor)


@claim("ALG-A7/invariants", enumerated(every_schedule, rational=True), false={"growth": 1}, role="remark")
def invariants_of_the_episodes(arms: TwoOrMore, script: Script, steps: Count, growth=2):
    r"""When an episode begins, the counts are powers of two. Episodes are disjoint and leave no gaps, and
    $t_{\ell+1}\le2t_\ell-1$.

    Episodes that begin with a count that is no power of two, overlap, or start after growth * t_l - 1.
    """
    episodes, _ = directed_run(arms, script, steps)
    count, wrong, last = [0] * arms, 0, 0
    for k, (arm, first, end) in enumerate(episodes):
        later = k >= arms
        wrong += first != last + 1 or (later and count[arm].bit_count() != 1)
        wrong += later and end + 1 > growth * first - 1
        count[arm] += end - first + 1
        last = end
    return wrong, "==", 0


@claim(
    "ALG-A7/half-of-the-samples",
    fails_at(arms=2, script=[0], steps=3, rational=True),
    role="remark",
    cause="ALG-EQC.8/initial-pull",
)
def half_of_the_samples(arms: TwoOrMore, script: Script, steps: Count, smallest=0):
    r"""'The empirical mean corresponds to $\frac12N_a(t_\ell-1)$ samples of arm $a$', at every decision (at least $0$).

    An arm that was pulled once has a mean of one sample, not of half a sample.
    """
    # Decisions at which some arm's last episode does not have max(N_a / 2, smallest) samples.
    episodes, _ = directed_run(arms, script, steps)
    count, last, wrong = [0] * arms, [0] * arms, 0
    for k, (arm, first, end) in enumerate(episodes):
        if k >= arms:
            wrong += any(last[a] != max(Fraction(count[a], 2), smallest) for a in range(arms))
        count[arm] += end - first + 1
        last[arm] = end - first + 1
    return wrong, "==", 0


@repaired("ALG-A7/half-of-the-samples-or-one", "ALG-A7/half-of-the-samples", enumerated(every_schedule, rational=True))
def half_of_the_samples_or_one(smallest=1):
    r"""At every decision the last episode of arm $a$ has $\max\{\frac12N_a(t_\ell-1),1\}$ samples."""


@claim("ALG-A7/ends-at-the-horizon", fails_at(arms=2, script=[0, 0, 0], steps=7, rational=True), role="reading")
def letter_of_the_last_episode(arms: TwoOrMore, script: Script, steps: Count, excess=0):
    r"""Played to the letter, in full episodes until the horizon is reached, a run has exactly $T$ steps.

    The loop is 'for l = 1, 2, ... do'. The left side is the number of steps in full episodes that begin within the
    horizon.

    The loop has no end. An episode that begins before T may end after it; a run that stops at T cuts this episode.
    """
    episodes, _ = directed_run(arms, script, steps)
    return episodes[-1][2], "==", steps + excess


@claim(
    "ALG-A7/cut-at-the-horizon",
    enumerated(
        lambda check: [{"arms": 2, "script": script, "steps": T} for script in scripts(2, 6) for T in (3, 5, 8, 16)],
        rational=True,
        routes=("run to T", "longer run"),
    ),
    false={"more": -1},
    repairs="ALG-A7/ends-at-the-horizon",
)
def runs_cut_at_the_horizon(arms: Count, script: Script, steps: Count, more=8):
    r"""Cut at $T$, a run has the actions of a run of $T+8$ steps up to $T$: no decision depends on the horizon."""
    actions = [
        [arm for arm, first, end in directed_run(arms, script, length)[0] for _ in range(first, end + 1)][:steps]
        for length in (steps, steps + more)
    ]
    return actions[0], "==", actions[1]


DECISIONS = [0, 0, 1, 0]  # arm 1, arm 1, arm 2, arm 1


Example = Annotated[Any, "all: the numbers of the example"]


@claim("ALG-E5.1x/episodes", enumerated(printed=[[3, 4, 6, 7, 11]], rational=True), false={"later": 1})
def starts_of_the_example(printed: Example, later=0):
    r"""Episodes begin at $t_1=3$, $t_2=4$, $t_3=6$, $t_4=7$, and $t_5=11$.

    The left side lists t_1, ..., t_5 of the scheduler.
    """
    episodes, _ = directed_run(2, DECISIONS, 10)
    starts = [first for _, first, _ in episodes[2:]] + [episodes[-1][2] + 1]
    return starts, "==", [*printed[:-1], printed[-1] + later]


@claim("ALG-E5.1x/functions", enumerated(printed=[[2, 3, 4, 7]], rational=True), false={"shift": 1})
def functions_of_the_example(printed: Example, shift=0):
    r"""$\psi_1(4)=2$, $\psi_2(4)=3$, $\phi(5)=4$, $\phi(9)=7$.

    psi_1(4), psi_2(4), phi(5), phi(9): last active episodes before the fourth, and starts of episodes.
    """
    episodes = directed_run(2, DECISIONS, 10)[0]
    played = [arm for arm, _, _ in episodes[2:]]
    psi = [max(k for k in range(3) if played[k] == arm) + 1 for arm in (0, 1)]
    phi = [next(first for _, first, end in episodes if first <= t <= end) for t in (5, 9)]
    return [*psi, *phi], "==", [printed[0] + shift, *printed[1:]]


@claim("ALG-E5.1x/means", enumerated(printed=[[[4, 5, "1/2"], [6, 6, "1"]]], rational=True), false={"factor": 2})
def means_of_the_example(printed: Example, factor=1):
    r"""At $t_4$ arm 1 has $\frac{r_4+r_5}2+\mathrm{Lap}(\frac{1}{2\varepsilon})$ and arm 2 has
    $r_6+\mathrm{Lap}(\frac{1}\varepsilon)$.

    For each arm at t_4: which rewards its last release holds (steps from 1), and the scale of the noise of its mean
    times epsilon.
    """
    episodes, releases = directed_run(2, DECISIONS, 7)
    found = []
    for arm in (0, 1):
        k = max(i for i, episode in enumerate(episodes[:5]) if episode[0] == arm)
        start, stop = releases[k].records or (0, 0)
        found.append([start + 1, stop, Fraction(releases[k].scale) / (stop - start)])
    return found, "==", [[first, last, factor * Fraction(scale)] for first, last, scale in printed]


@claim("ALG-E5.1x/confidence", deduced(), false=mutation(factor="1/10"))
def confidence_of_the_example(mu: Probability, epsilon: Positive, factor=1, samples=2, t=7, beta=Fraction(31, 10)):
    r"""The index of arm 1 at $t_4=7$, from two samples, is below $\mu_1$ with probability at most $t_4^{-\beta}$
    ($\beta=3.1$, Bernoulli rewards).

    The left side is the exact P(mean of n Bernoulli rewards + Lap(1/(n epsilon)) + width <= mu), times t^beta.

    The general bound (C.9) is 3/2 t^-beta; here the width exceeds one, so only the noise can push the index below the
    mean.
    """
    L = to_ball(beta) * log(to_ball(t))
    width = sqrt(L / (2 * samples)) + L / (epsilon * samples)
    below = to_ball(0)
    for k in range(samples + 1):
        z = samples * epsilon * (mu - width - to_ball(k) / samples)  # the noise must be below z, in scales
        below += comb(samples, k) * mu**k * (1 - mu) ** (samples - k) * laplace_sum_tail(1, -z)
    return below * exp(L), "<=", factor


@claim("ALG-E5.1x/doubling", enumerated(printed=[[4, 4, [7, 10], [6, 6]]], rational=True), false={"factor": 3})
def doubling_of_the_example(printed: Example, factor=2):
    r"""The episode after $t_4$ has $2$ times the length 2 of the last one, which is 4; at $t_5$ arm 1 uses
    $r_7,\dots,r_{10}$ only, and arm 2 $r_6$ only.

    Lengths of the last two episodes of arm 1, and what the index of each arm uses at t_5.
    """
    episodes, releases = directed_run(2, DECISIONS, 10)
    lengths = [end - first + 1 for arm, first, end in episodes[2:] if arm == 0][-2:]
    last = [max(i for i, episode in enumerate(episodes) if episode[0] == arm) for arm in (0, 1)]
    used = [[episodes[i][1], episodes[i][2]] for i in last]
    return [lengths[0] * factor, lengths[1], *used], "==", printed
