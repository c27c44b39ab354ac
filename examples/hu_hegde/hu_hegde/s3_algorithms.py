"""Section 3: the two algorithms, replayed as printed, their privacy and their regret."""

import math
from typing import Annotated, Any

import numpy as np

from banditproof.algorithms import BernoulliBandit, NoiseSource, simulate
from banditproof.claims import Check, Count, Natural, Positive, claim, deduced, enumerated, fails_at
from banditproof.theory import Budget
from banditproof.verify import PLANTED, Domain, check_neighbours, far_neighbour, plant
from hu_hegde.policies import ALGORITHMS, DPTS, LazyDPTS

Rewards = Annotated[Any, "all: every list of rewards in [0, 1]"]
BUGS = [{"bug": name} for name in PLANTED]


@claim("HH-S3.1", deduced(), where=["size - 1 <= n", "n <= 2*size - 2"], false={"share": "0.9"})
def waiting_part_is_no_longer(size: Count, n: Annotated[Any, "integer [1, inf)"], share=1):
    r"""With $m=2^{\lfloor\log(n+1)\rfloor}-1$, so that $2^{\lfloor\log(n+1)\rfloor}$ is the size $s$ with $s\le
    n+1<2s$: $n-m\le m$."""
    return n - (size - 1), "<=", share * (size - 1)


def epochs(n: int) -> tuple[int, int, int]:
    """After n pulls of an arm by Algorithm 1: r_j, what waits in Psi_j, how many sums of the binary mechanism are
    added."""
    policy = DPTS(1, np.inf, NoiseSource(), np.random.default_rng(0))
    for _ in range(n):
        policy.next_batch()
        policy.observe(np.ones(1), np.ones(1, dtype=np.int64))
    r = int(policy.r[0, 0])
    waiting = n - (2 ** (r + 1) - 1)
    return r, waiting, waiting.bit_count()


@claim("HH-R3.1a", enumerated(n=range(1, 140), rational=True), false={"shift": 0})
def epoch_from_the_pulls(n: Count, shift=1):
    r"""$r_j=\lfloor\log(O_j+1)\rfloor-<shift>$, in runs of Algorithm 1."""
    return epochs(n)[0], "==", (n + 1).bit_length() - 1 - shift


@claim("HH-R3.1b", enumerated(n=range(1, 140), rational=True), false={"more": 0})
def sums_of_the_binary_mechanism(n: Count, more=1):
    r"""A private mean of DP-TS holds at most $r_j+<more>$ variables of the Binary Mechanism, beside the $r_j+1$ of the
    Logarithmic Mechanism."""
    r, _, sums = epochs(n)
    return sums, "<=", r + more


@claim("HH-S3.2", enumerated(n=range(1, 140), rational=True), false={"power": 2})
def noise_at_the_end_of_an_epoch(n: Count, power=1):
    r"""The Logarithmic Mechanism adds noise where the number of observations is $2^{r+1}-1$: nothing waits then, and
    only then."""
    return epochs(n)[1] == 0, "==", n in [2**k - power for k in range(1, 10)]


def sums_with(item: int, n: int) -> int:
    """How many of the sums that the binary mechanism releases over n observations hold a given one."""
    return sum(k - (k & -k) < item <= k for k in range(1, n + 1))


@claim("HH-T1.P/binary-mechanism", enumerated(r=range(7), rational=True), false={"more": 0})
def sums_that_hold_an_observation(r: Natural, more=1):
    r"""With noise $\mathrm{Lap}(\frac{r_j+1}{0.5\epsilon})$ the Binary Mechanism is $0.5\epsilon$-DP: an observation
    is in at most $r_j+<more>$ of the sums over the $2^{r_j+1}-1$ observations for which Algorithm 1 invokes it."""
    n = 2 ** (r + 1) - 1
    return max(sums_with(item, n) for item in range(1, n + 1)), "<=", r + more


@claim("HH-T1.P/binary-mechanism-to-its-bound", fails_at(r=0, rational=True), role="reading")
def sums_up_to_the_bound(r: Natural, more=1):
    r"""The same of all $2^{r_j+1}$ observations that the mechanism is bounded by.

    The last of them closes one sum more, that of all. Algorithm 1 does not get there: line 13 releases that sum by the
    Logarithmic Mechanism. Whoever invokes the mechanism for all of them needs r_j + 2 levels.
    """
    n = 2 ** (r + 1)
    return max(sums_with(item, n) for item in range(1, n + 1)), "<=", r + more


@claim(
    "HH-A1/new-noise-at-each-call",
    fails_at(r=1, epsilon=1),
    role="reading",
    assuming="that the losses of releases with independent noise add up, as they do for Laplace noise and far outputs",
)
def cost_of_new_calls(r: Natural, epsilon: Positive, levels=1):
    r"""'Invoke the Binary Mechanism with input $(0.5\epsilon,\Psi_j)$' read as a new run on all of $\Psi_j$ at each
    pull: its calls cost $0.5\epsilon$ in all.

    The first observation is in what each of the 2^(r+1) - 1 calls returns, there in one sum with noise of scale
    (r + 1)/(0.5 epsilon). Meant is one mechanism that goes on (Chan et al.), as it is replayed here.
    """
    return (2 ** (r + 1) - 1) * epsilon / (2 * (r + levels)), "<=", epsilon / 2


def pulls_between_updates(r: int) -> int:
    """How often an arm is pulled between its updates with 2^r and with 2^(r+1) observations, in a run of Algorithm
    2."""
    policy, found = LazyDPTS(1, np.inf, NoiseSource(), np.random.default_rng(0)), 0
    while policy.pulled[0, 0] < 2 ** (r + 1):
        policy.next_batch()
        policy.observe(np.ones(1), np.ones(1, dtype=np.int64))
        found += bool(2**r <= policy.pulled[0, 0]) and not (policy.pulled[0, 0] == 2**r and policy.in_psi[0, 0] == 0)
    return found


@claim("HH-EQ51", enumerated(r=range(7), rational=True), false={"factor": 1}, restricted="to its last inequality")
def pulls_between_two_updates(r: Natural, factor=2):
    r"""Between its updates with $2^r$ and $2^{r+1}$ observations the best arm is pulled at most $2^{r+1}=
    <factor>\cdot2^r$ times."""
    return pulls_between_updates(r), "<=", factor * 2**r


def maker(algorithm: str, epsilon: Any, bug: str) -> Any:
    def make(noise: NoiseSource, generator: np.random.Generator) -> Any:
        return ALGORITHMS[algorithm](3, float(epsilon), noise, generator)

    return make if bug == "none" else plant(PLANTED[bug], make)


def violations(algorithm: str, epsilon: Any, T: int, rewards: int, bug: str) -> int:
    """What is wrong in a run on a list, Bernoulli or uniform by its number, replayed on two of its neighbours."""
    uniform = np.random.default_rng(rewards).random(T)
    base = (uniform if rewards % 2 else (uniform < 0.5).astype(float)).tolist()
    make, promised = maker(algorithm, epsilon, bug), Budget.pure(float(epsilon))
    changed = {0, T // 2}
    found = [check_neighbours(make, promised, base, far_neighbour(base, k), seed=rewards) for k in sorted(changed)]
    return sum(len(report.violations) for report in found)


RUNS = {"T": [60], "rewards": range(2)}  # the larger budget is one at which samples tell the arms apart that early
ROUTES = ("recorded run", "replay on neighbours")


@claim("HH-T1", enumerated(epsilon=[1, 200], **RUNS, rational=True, routes=ROUTES), false=BUGS)
def private_runs(epsilon: Positive, T: Count, rewards: Rewards, bug="none"):
    r"""Algorithm 1 is $\epsilon$-DP: in recorded runs on neighbours, actions depend on rewards through released sums
    only, no release moves by more than its noise allows, and no reward costs more than $\epsilon$."""
    return violations("DP-TS", epsilon, T, rewards, bug), "==", 0


@claim("HH-T3", enumerated(epsilon=[1, 20], **RUNS, rational=True, routes=ROUTES), false=BUGS)
def private_runs_of_lazy(epsilon: Positive, T: Count, rewards: Rewards, bug="none"):
    r"""Algorithm 2 is $\epsilon$-DP: in recorded runs on neighbours, actions depend on rewards through released sums
    only, no release moves by more than its noise allows, and no reward costs more than $\epsilon$."""
    return violations("Lazy-DP-TS", epsilon, T, rewards, bug), "==", 0


def regrets(algorithm: str, epsilon: float, T: int, runs: int, generator: np.random.Generator) -> np.ndarray:
    """The regret after T pulls of two arms with means 0.9 and 0.1."""
    policy = ALGORITHMS[algorithm](2, epsilon, NoiseSource(generator), generator, replications=runs)
    return simulate(policy, BernoulliBandit([0.9, 0.1]), T, generator, np.array([T])).regret[:, -1]


def keeps(check: Check, algorithm: str, bound: Any) -> None:
    """The regret of most runs is at most 4/3 of a bound on its mean: with probability 1/4, by Markov's inequality."""

    def tests(stream: str) -> list[dict[str, Any]]:
        epsilon, T = 50, 3000
        most = 4 / 3 * float(check.constants["factor"]) * bound(epsilon, T)
        found = regrets(algorithm, epsilon, T, 120, check.rng(stream))
        event = {"event": f"regret of {algorithm} above {most:.4g}", "successes": int((found > most).sum())}
        return [{**event, "trials": 120, "operator": "<=", "probability": 0.75}]

    check.statistics(tests, covers=check.domain.restrict(epsilon=[50], T=[3000]))


ANY_RUN = Domain.of(epsilon="(0, inf)", T="integer [2, inf)", instance="all: every instance")


@claim("HH-T2/in-runs", domain=ANY_RUN, constants={"factor": 1}, false={"factor": "1/1000"})
def regret_of_dp_ts(check):
    r"""$R_T\le O\big(\max\{\frac{\log T}{\Delta_j},\frac{\log T}\epsilon\log\frac{\log T}{\epsilon\Delta_j}\}\big)$:
    on two arms with means 0.9 and 0.1 at most <factor> times $L_j\Delta_j$ of the proof of Lemma 11."""

    def bound(epsilon: float, T: int) -> float:
        ratio = 72 * math.sqrt(8) * math.log2(T) / (epsilon * 0.8)
        return max(108 * math.log2(T) / 0.8, 0.8 * ratio * math.log2(ratio))

    keeps(check, "DP-TS", bound)


@claim("HH-T4/in-runs", domain=ANY_RUN, constants={"factor": 1}, false={"factor": "1/1000"})
def regret_of_lazy(check):
    r"""$R_T\le O\big(\frac{\log T}{\min\{\epsilon,\Delta_j\}}\big)$: on two arms with means 0.9 and 0.1 at most
    <factor> times $L_j\Delta_j$ of Lemma 16."""
    keeps(check, "Lazy-DP-TS", lambda epsilon, T: 72 * math.log2(T) / min(epsilon, 0.8))
