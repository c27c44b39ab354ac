"""Section 4: DP-KLUCB and DP-IMED are epsilon-global DP (Proposition 4.2).

It is proved of a model, from the density ratio of one released sum (Appendix E). Recorded runs say that the algorithms
follow it, and the exact law of the actions on tiny instances shows the same once more.
"""

from fractions import Fraction
from typing import Any

from banditproof.claims.language import *
from banditproof.claims.recorded_runs import BUGS
from banditproof.paper_checks.bernoulli_dp.facts.privacy import *
from banditproof.verify import check_neighbours, far_neighbour, record
from banditproof.verify.privacy.exact_view import exact_view_laws, view_loss
from banditproof.verify.runs.followed import departing
from banditproof.verify.runs.recorded import once


@once
def found_in_runs(algorithm: str, epsilon: Fraction, T: int, rewards: int, batches: int, bug: str) -> int:
    base = reward_list(rewards, T)
    make, promised = maker(algorithm, epsilon, batches, bug), Budget.pure(float(epsilon))
    report = check_neighbours(make, promised, base, far_neighbour(base, rewards % T), seed=rewards)
    return len(report.violations) + len(list(departing(record(make, base, rewards), promised)))


@claim(
    "BDP-P4.2/recorded-runs",
    enumerated(T=[5, 60], **SOME_RUNS, rational=True, routes=("recorded run", "replay on a neighbour")),
    false=BUGS,
    role="model",
)
def violations(
    algorithm: BothAlgorithms, epsilon: Positive, T: Count, rewards: RewardList, batches: Schedule, bug="none"
):
    r"""In runs of DP-KLUCB and DP-IMED on lists of rewards, a release is the sum of the rewards of a batch plus
    $\mathrm{Lap}(1/\epsilon)$. Each reward enters one release. Actions depend on rewards through the released sums
    only.

    The left side counts the releases of a recorded run that differ from this description, and the violations that
    ledger, alignment and leak tracing find when the run is replayed on a neighbour with the same released values.
    """
    return found_in_runs(algorithm, epsilon, T, rewards, batches, bug), "==", 0


def _loss(algorithm: str, epsilon: Fraction, T: int, noise: Any) -> Any:
    noise_epsilon = float(noise * epsilon)
    laws = exact_view_laws(POLICIES[algorithm], SCHEDULES[0], T, float(epsilon), noise_epsilon=noise_epsilon, rounds=5)
    return view_loss(laws, noise_epsilon)


@claim(
    "BDP-P4.2/exact-law",
    tried_at(algorithm="DP-IMED", epsilon=1, T=4),
    quadrature(
        algorithm=list(POLICIES),
        epsilon=["1/4", "1"],
        T=pick([4, 5], [4, 5, 6, 7]),
        error="relative 1e-12, allowed for in floating point",
        routes=("measure of the regions", "budget"),
    ),
    false={"noise": "4.0"},
    role="implication",
)
def exact_loss(algorithm: BothAlgorithms, epsilon: Positive, T: Count, noise=1):
    r"""On two arms and all binary lists, the largest log-ratio of $\mathcal V_{\mathbf r}(\mathbf a)$ over neighbours
    is at most $\epsilon$ (noise of scale $1/(\epsilon)$).

    The regions of released sums that lead to each action sequence have Laplace measures, which bisection encloses. The
    left side is the upper end of the largest log-ratio.
    """
    return Fraction(_loss(algorithm, epsilon, T, noise).upper), "<=", epsilon
