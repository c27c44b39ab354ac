r"""Section 5.4, page 118: runs of AdaP-TT and AdaP-TT*: that they are private, and how often they name a wrong arm.

Definition 2.19 asks a delta-correct strategy to stop. No stopping rule makes a sampling rule do so that leaves an arm
alone; what the thresholds keep is the probability of stopping with a wrong arm.
"""

from fractions import Fraction
from typing import Annotated, Any

import numpy as np

from banditproof.algorithms.environment import BernoulliBandit
from banditproof.algorithms.identification.top_two import AdaPTT, AdaPTTStar
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.run.identification import identify
from banditproof.claims.recorded_runs import BUGS, Algorithm, EveryBudget, RewardLists, recorded
from banditproof.claims.register import claim, item
from banditproof.claims.sets import Count, Positive
from banditproof.claims.study import Arrays, Study
from banditproof.paper_checks.thesis.studies import simulated
from banditproof.theory import Budget
from banditproof.verify.runs.recorded import violations

Instances = Annotated[Any, "all: every instance with a unique best arm"]
Risk = Annotated[Any, "(0, 1)"]

RUNS = recorded({"adap-tt": [["pure", 8]], "adap-tt-star": [["pure", 8]]})


@claim("ALG-S5.4a", RUNS, false=BUGS)
def top_two_runs(algorithm: Algorithm, budget: EveryBudget, T: Count, rewards: RewardLists, bug="none", adversary=0):
    r"""Algorithm 10 is $\varepsilon$-Interactive DP: each reward is in one release, pulls, stopping and recommendation
    depend on releases only, and no reward is charged more than $\varepsilon$ (planted bug: <bug>)."""
    return violations(algorithm, budget, T, rewards, bug, adversary)


class Hasty:
    """Divides the thresholds, for the false variants."""

    divisor: float

    def threshold(self, leads: Any, own: Any, others: Any, epsilon: Any) -> Any:
        return super().threshold(leads, own, others, epsilon) / self.divisor  # pyright: ignore[reportAttributeAccessIssue]


class HastyAdaPTT(Hasty, AdaPTT):
    """AdaP-TT with a twentieth of its thresholds."""

    divisor = 20.0


class HastyAdaPTTStar(Hasty, AdaPTTStar):
    """AdaP-TT* with a sixth of its thresholds."""

    divisor = 6.0


HARDEST = "tiny gap"  # with a tiny budget errors are likeliest there; the false variants run on it alone
INSTANCES = {
    HARDEST: (0.5, 0.51),
    "two arms": (0.5, 0.6),
    "sure arms": (0.0, 1.0),
    "near tie": (0.5, 0.55, 0.1),
    "many": (*[0.4] * 5, 0.8),
}
BUDGETS, RISKS, CAP = (0.001, 0.3, 10.0), (0.1, 0.99), 10**4
POLICIES = {
    (1, "AdaP-TT"): AdaPTT,
    (20, "AdaP-TT"): HastyAdaPTT,
    (1, "AdaP-TT*"): AdaPTTStar,
    (6, "AdaP-TT*"): HastyAdaPTTStar,
}


def instances(divisor: Any) -> dict[str, tuple[float, ...]]:
    """Those that a policy with this divisor runs on."""
    return INSTANCES if divisor == 1 else {HARDEST: INSTANCES[HARDEST]}


def run_error(seeds: np.random.SeedSequence, runs: int) -> Arrays:
    """Whether a run stopped with a wrong arm before the cap, for every policy, instance, budget and risk."""
    found: Arrays = {}
    for (divisor, name), policy in POLICIES.items():
        for instance, means in instances(divisor).items():
            for epsilon in BUDGETS:
                for delta in RISKS:
                    play, rewards = (np.random.default_rng(s) for s in seeds.spawn(2))
                    run = policy(len(means), Budget.pure(epsilon), NoiseSource(play), delta=delta, replications=runs)
                    named = identify(run, BernoulliBandit(means), CAP, rewards).recommendation
                    wrong = (named >= 0) & (named != int(np.argmax(means)))
                    found[f"{name}, {divisor}, {instance}, {epsilon:g}, {delta:g}"] = wrong
    return found


ERRORS = Study("thesis-top-two-errors", run_error, {"runs": 300}, {"runs": 10_000})
OVER: dict[str, Any] = {
    "means": f"all: {len(INSTANCES)} Bernoulli instances",
    "epsilon": [Fraction(str(b)) for b in BUDGETS],
    "delta": [Fraction(str(d)) for d in RISKS],
}


def wrong_arms(name: str, divisor: Any, arrays: Arrays) -> Any:
    for instance in instances(divisor):
        for epsilon in BUDGETS:
            for delta in RISKS:
                key = f"{name}, {int(divisor)}, {instance}, {epsilon:g}, {delta:g}"
                yield f"{key}: stopped with a wrong arm", arrays[key], "<=", Fraction(str(delta))


item(
    "ALG-L5.18",
    r"""Given any sampling rule, the GLR stopping rule with $W^G_{a,b}$ and the threshold $c^{G,\varepsilon}_{a,b}$
    yields a $\delta$-correct algorithm for $\sigma$-sub-Gaussian distributions.""",
)
item(
    "ALG-L5.21",
    r"""Given any sampling rule, the GLR stopping rule with $W^{G,\varepsilon}_{a,b}$ and the threshold
    $\tilde c^{G,\varepsilon}_{a,b}$ yields a $\delta$-correct algorithm for $\sigma$-sub-Gaussian distributions.""",
)


@claim("ALG-L5.18/error", simulated(ERRORS, **OVER), false={"divisor": 20}, studies=[ERRORS])
def error_of_adap_tt(means: Instances, epsilon: Positive, delta: Risk, divisor=1, *, arrays):
    r"""AdaP-TT, with its threshold divided by <divisor>, stops with another arm than the best with probability at most
    $\delta$. Errors are rare: a threshold a few times smaller would pass as well."""
    yield from wrong_arms("AdaP-TT", divisor, arrays)


@claim("ALG-L5.21/error", simulated(ERRORS, **OVER), false={"divisor": 6}, studies=[ERRORS])
def error_of_adap_tt_star(means: Instances, epsilon: Positive, delta: Risk, divisor=1, *, arrays):
    r"""AdaP-TT*, with its threshold divided by <divisor>, stops with another arm than the best with probability at most
    $\delta$. Errors are rare: a threshold a few times smaller would pass as well."""
    yield from wrong_arms("AdaP-TT*", divisor, arrays)
