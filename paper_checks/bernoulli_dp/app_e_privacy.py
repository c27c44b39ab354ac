"""Appendix E: the released prefix sums are private (Lemma E.1), and the proof of Proposition 4.2 step by step."""

from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.bernoulli_dp.facts.privacy import *
from banditproof.verify import align, audit_ledger, far_neighbour, record, replay


@claim("BDP-LE.1/hypotheses", enumerated(T=2, rational=True), role="hypotheses")
def some_times_of_release(T: Annotated[Any, "integer [1, inf)"]):
    r"""Some times meet $1=t_1<\dots<t_\ell=T+1$ with $\ell\le T$: $t=(1,3)$ for $T=2$, where $\ell=2$ (the condition
    $\ell\le T$ excludes one phase for each round, $\ell=T+1$)."""
    times = [1, T + 1] + [T + 1 + k for k in range(1, 1)]
    return len(times), "<=", T


@claim("BDP-LE.1/budget-is-used-up", enumerated(y=0, d=1, rational=True), role="remark")
def budget_is_used_up(y: Annotated[Any, "[0, 0]"], d: Annotated[Any, "[1, 1]"]):
    r"""The bound is attained: at $y=0$, $d=1$ the log-ratio is $\epsilon$."""
    return abs(y - d) - abs(y), "==", 1


@claim(
    "BDP-SE.3/same-future-given-the-sum",
    enumerated(T=60, **SOME_RUNS, rational=True, routes=("actions on the list", "actions on the neighbour")),
    false={"bug": "raw value used"},
)
def same_future_given_the_sum(
    algorithm: BothAlgorithms, epsilon: Positive, T: Count, rewards: RewardList, batches: Schedule, bug="none"
):
    r"""Given the noisy partial sums, actions and phases on $\mathbf r$ and on its neighbour $\mathbf r'$ are the same
    (28).

    The left side counts the actions, phases and declarations that differ when the released values of one run are
    replayed on the neighbour. A policy whose index uses a raw mean must be detected.
    """
    make = maker(algorithm, epsilon, batches, bug)
    run = record(make, reward_list(rewards, T), rewards)
    other = replay(make, run, far_neighbour(run.rewards, rewards % T), rewards)
    phases = sum(a.records != b.records for a, b in zip(run.releases, other.releases, strict=False))
    return sum(a != b for a, b in zip(run.actions, other.actions, strict=True)) + phases, "==", 0


@claim(
    "BDP-SE.3/one-phase-holds-the-reward",
    enumerated(T=60, **SOME_RUNS, rational=True, routes=("releases that move", "one")),
    false={"bug": "old rewards again"},
)
def one_phase_holds_the_reward(
    algorithm: BothAlgorithms, epsilon: Positive, T: Count, rewards: RewardList, batches: Schedule, bug="none"
):
    r"""The changed reward enters exactly one noisy sum, the one of the phase that contains $t^\star$.

    The left side is the number of releases that change between the run and its replay on the neighbour; ledger and
    alignment find no other difference.
    """
    make = maker(algorithm, epsilon, batches, bug)
    run = record(make, reward_list(rewards, T), rewards)
    other = replay(make, run, far_neighbour(run.rewards, rewards % T), rewards)
    moved = sum(a.shift_to(b) > 0 for a, b in zip(run.releases, other.releases, strict=False))
    promised = Budget.pure(float(epsilon))
    return moved + len(align(run, other, promised) + audit_ledger(run, promised)), "==", 1
