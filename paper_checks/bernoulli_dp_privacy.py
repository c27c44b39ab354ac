"""Proposition 4.2 and Appendix E of the Bernoulli paper: DP-KLUCB and DP-IMED are epsilon-global DP.

Three routes: the density ratio of the released sums for all outputs at once, recorded runs replayed on neighbouring
rewards, and enclosures of the exact law of the actions on tiny instances.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from banditproof.algorithms.batches import BatchSchedule, GeometricBatches, PolynomialBatches
from banditproof.algorithms.dp_index import DPIMED, DPKLUCB, BatchedIndexPolicy
from banditproof.algorithms.noise import NoiseSource
from banditproof.paper_checks.bernoulli_dp_laplace import SHIFT, prove_laplace_ratio
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.theory.budget import Budget
from banditproof.verify.alignment import align, check_privacy
from banditproof.verify.domain import Domain
from banditproof.verify.exact_view import exact_view_laws, view_loss
from banditproof.verify.ledger import audit_ledger
from banditproof.verify.planted import PLANTED, plant
from banditproof.verify.recorder import PolicyMaker, far_neighbour, record, replay

POLICIES: dict[str, type[BatchedIndexPolicy]] = {"DP-KLUCB": DPKLUCB, "DP-IMED": DPIMED}
SCHEDULES: tuple[BatchSchedule, ...] = (GeometricBatches(2, 1), GeometricBatches("1.1", 1), PolynomialBatches(2))
EPSILONS = (Fraction(1, 100), Fraction(1, 4), Fraction(1), Fraction(8))


# -- Lemma E.1 and the sketch ---------------------------------------------------------------------------------

PREFIX_SUMS = Domain.of(T="integer [1, inf)", partition="all: every partition into consecutive phases")


def recovered_shift(partition: Any, time: int, factor: int) -> tuple[Any, str, Any]:
    """Differences of consecutive outputs give the phase sums back; one changed reward moves one of them, by its change.

    The map from phase sums to prefix sums is linear with determinant one, so densities carry over.
    """
    ends = list(partition)
    rewards = [Fraction(1 + t, len(ends) + t + 2) for t in range(ends[-1])]
    changed = [
        *rewards[:time],
        1 - rewards[time] if rewards[time] != Fraction(1, 2) else Fraction(0),
        *rewards[time + 1 :],
    ]
    sums = [[sum(r[:end], Fraction(0)) for end in ends] for r in (rewards, changed)]
    phases = [[b - a for a, b in zip([Fraction(0), *s], s, strict=False)] for s in sums]
    moved = sum(abs(a - b) for a, b in zip(*phases, strict=True))
    return moved, "==", factor * abs(rewards[time] - changed[time])


def partitions(T: int) -> list[list[int]]:
    """Every increasing list of phase ends that finishes at T."""
    return [[*(t for t, cut in enumerate(cuts, start=1) if cut), T] for cuts in product((0, 1), repeat=T - 1)]


def enumerate_partitions(check: Check) -> None:
    points = [
        {"T": T, "partition": ends, "time": t}
        for T in range(1, check.pick(7, 11))
        for ends in partitions(T)
        for t in range(T)
    ]
    check.enumerate(
        recovered_shift, points, rational=True, routes=("movement of the phase sums", "change of the reward")
    )


parts_decide(
    "BDP-LE.1",
    r"Releasing $\sum_{s<t_{k+1}} r_s + \sum_{p\le k} Y_p$ for fixed $1=t_1<\dots<t_\ell=T+1$ and "
    r"$Y_k\sim\mathrm{Lap}(1/\epsilon)$ is $\epsilon$-DP for rewards in $[0,1]$.",
)


@claim(
    "BDP-LE.1/one-phase",
    r"The released sum of the one phase that holds the changed reward has log-ratio at most "
    r"$<factor>\,\epsilon$ at every output $y$ and for every change $|d|\le1$.",
    domain=SHIFT,
    constants={"factor": 1},
    mutations=[mutation("factor 0.9", factor="0.9")],
    strongest="interval",
)
def phase_with_the_changed_reward(check: Check) -> None:
    """The log-ratio of two Laplace densities, for all outputs and changes."""
    prove_laplace_ratio(check, check.domain)


@claim(
    "BDP-LE.1/budget-is-used-up",
    r"The bound is attained: the log-ratio is not at most $<factor>\,\epsilon$ for any smaller "
    r"factor.",
    domain=Domain.of(y="(-inf, inf)", d="[-1, 1]"),
    role="remark",
    constants={"factor": 1, "y": 0, "d": 1},
    mutations=[mutation("at another output", y=1)],
    strongest="enumeration",
)
def budget_is_used_up(check: Check) -> None:
    """At y = 0 and d = 1 the log-ratio equals the budget."""
    check.enumerate(attained, [{"y": check.constants["y"], "d": check.constants["d"]}], rational=True)


def attained(y: Any, d: Any, factor: int) -> tuple[Any, str, Any]:
    return laplace_log_ratio_exactly(y, d), "==", factor


def laplace_log_ratio_exactly(y: Any, d: Any) -> Fraction:
    return abs(Fraction(y) - Fraction(d)) - abs(Fraction(y))


@claim(
    "BDP-LE.1/prefix-sums",
    r"The outputs determine the phase sums and the other way round, and one changed reward moves "
    r"exactly one phase sum, by $<factor>$ times its change.",
    domain=PREFIX_SUMS.restrict(time="integer [0, inf)"),
    constants={"factor": 1},
    mutations=[mutation("twice the change", factor=2)],
    strongest="enumeration",
)
def prefix_sums(check: Check) -> None:
    """Every partition of up to six rewards, and every changed reward, in rationals."""
    enumerate_partitions(check)


parts_decide(
    "BDP-S4.3",
    r"Sketch of Proposition 4.2: the noisy partial sums of fixed phases are $\epsilon$-DP, hence so are their "
    r"prefix sums.",
)


@claim(
    "BDP-S4.3/partial-sums",
    r"The noisy sum of the one phase that holds the changed reward has log-ratio at most $<factor>\,\epsilon$.",
    domain=SHIFT,
    constants={"factor": 1},
    mutations=[mutation("factor 0.9", factor="0.9")],
    strongest="interval",
)
def sketch_of_the_privacy_proof(check: Check) -> None:
    """The log-ratio of two Laplace densities, for all outputs and changes."""
    prove_laplace_ratio(check, check.domain)


@claim(
    "BDP-S4.3/prefix-sums",
    r"Prefix sums are a function of the partial sums; one changed reward moves exactly one partial sum, by $<factor>$ "
    r"times its change.",
    domain=PREFIX_SUMS.restrict(time="integer [0, inf)"),
    constants={"factor": 1},
    mutations=[mutation("twice the change", factor=2)],
    strongest="enumeration",
)
def sketch_for_prefix_sums(check: Check) -> None:
    """Every partition of up to six rewards, and every changed reward, in rationals."""
    enumerate_partitions(check)


# -- Proposition 4.2 ------------------------------------------------------------------------------------------

EVERY_RUN = Domain.of(
    algorithm="all: DP-KLUCB and DP-IMED",
    epsilon="(0, inf)",
    T="integer [1, inf)",
    rewards="all: every list in [0, 1]^T",
    batches="all: every schedule fixed in advance",
)


def maker(algorithm: str, epsilon: Fraction, batches: int, bug: str, arms: int = 3) -> PolicyMaker:
    """Builds the policy, with a planted bug where one is named."""
    kind = POLICIES[algorithm]

    def make(noise: NoiseSource, generator: np.random.Generator) -> BatchedIndexPolicy:
        return kind(arms, Budget.pure(float(epsilon)), SCHEDULES[batches], noise, generator=generator, ties="random")

    return make if bug == "none" else plant(PLANTED[bug], make)


def reward_list(seed: int, T: int) -> list[float]:
    """Bernoulli rewards for even seeds, uniform ones for odd seeds."""
    generator = np.random.default_rng(seed)
    uniform = generator.random(T)
    return (uniform if seed % 2 else (uniform < generator.random()).astype(float)).tolist()


def violations(algorithm: str, epsilon: Fraction, T: int, rewards: int, batches: int, bug: str) -> tuple[Any, str, Any]:
    """Violations seen by ledger, alignment and leak tracing on one list and one neighbour."""
    base = reward_list(rewards, T)
    neighbour = far_neighbour(base, rewards % T)
    make = maker(algorithm, epsilon, batches, bug)
    report = check_privacy(make, T, Budget.pure(float(epsilon)), base, neighbour, seed=rewards)
    return len(report.violations), "==", 0


def recorded_runs(check: Check) -> list[dict[str, Any]]:
    seeds = range(check.pick(4, 60))
    return [
        {"algorithm": a, "epsilon": e, "T": T, "rewards": seed, "batches": b}
        for a in POLICIES
        for T in (5, 60)
        for b in range(len(SCHEDULES))
        for e in EPSILONS
        for seed in seeds
    ]


parts_decide("BDP-P4.2", r"DP-KLUCB and DP-IMED are $\epsilon$-global DP for rewards in $[0,1]$.", domain=EVERY_RUN)


@claim(
    "BDP-P4.2/recorded-runs",
    r"On reward lists and neighbours, actions depend on rewards through the released sums only, "
    r"each release moves by at most its declared sensitivity, and the ledger charges no reward "
    r"more than $\epsilon$ (planted bug: <bug>).",
    domain=EVERY_RUN,
    constants={"bug": "none"},
    mutations=[mutation(name, bug=name) for name in PLANTED],
    strongest="enumeration",
)
def recorded_runs_are_aligned(check: Check) -> None:
    """A run is recorded on a list and replayed on a neighbour with the same released values.

    If the actions are the same whatever the rewards, the law of the actions is a function of the released sums, each
    reward is in one of them with shift at most 1 against noise of scale 1/epsilon: the log-ratio is at most epsilon.
    """
    check.enumerate(violations, recorded_runs(check), rational=True, routes=("recorded run", "replay on a neighbour"))


def exact_loss(algorithm: str, epsilon: Fraction, T: int, noise: Fraction) -> tuple[Any, str, Any]:
    """The upper end of the largest log-ratio of the exact law of the actions, noise of scale 1 / (noise epsilon)."""
    noise_epsilon = float(noise * epsilon)
    laws = exact_view_laws(POLICIES[algorithm], SCHEDULES[0], T, float(epsilon), noise_epsilon=noise_epsilon, rounds=5)
    return Fraction(view_loss(laws, noise_epsilon).upper), "<=", epsilon


def certain_loss(algorithm: str, epsilon: Fraction, T: int, noise: Fraction) -> tuple[Any, str, Any]:
    """As ``exact_loss``, with the lower end: where it exceeds epsilon, the law of the actions certainly leaks."""
    noise_epsilon = float(noise * epsilon)
    laws = exact_view_laws(POLICIES[algorithm], SCHEDULES[0], T, float(epsilon), noise_epsilon=noise_epsilon, rounds=5)
    return Fraction(view_loss(laws, noise_epsilon).lower), "<=", epsilon


@claim(
    "BDP-P4.2/exact-law",
    r"On two arms and all binary lists, the largest log-ratio of $\mathcal V_{\mathbf r}(\mathbf "
    r"a)$ over neighbours is at most $\epsilon$ (noise of scale $1/(<noise>\,\epsilon)$).",
    domain=Domain.of(algorithm="all: DP-KLUCB and DP-IMED", epsilon="(0, inf)", T="integer [1, inf)"),
    constants={"noise": 1},
    mutations=[mutation("noise of scale 1/(4 epsilon)", noise="4.0")],
    strongest="quadrature",
)
def exact_law_of_the_actions(check: Check) -> None:
    """Laplace measures of the regions of released sums that lead to each action sequence, enclosed by bisection."""
    points = [
        {"algorithm": a, "epsilon": e, "T": T}
        for a in POLICIES
        for e in (Fraction(1, 4), Fraction(1))
        for T in check.pick((4, 5), (4, 5, 6, 7))
    ]
    if not check.quadrature(
        exact_loss, points, "relative 1e-12, allowed for in floating point", routes=("measure of the regions", "budget")
    ):
        check.search(certain_loss, points)


# -- proof E.3 ------------------------------------------------------------------------------------------------

parts_decide(
    "BDP-SE.3",
    "Proof of Proposition 4.2: before the changed reward nothing differs; its phase is the same "
    "for both lists; given the noisy sum of that phase the future has the same law; the two "
    "densities differ by a factor of at most $e^\\epsilon$.",
)


def replayed_differences(
    algorithm: str, epsilon: Fraction, T: int, rewards: int, batches: int, bug: str
) -> tuple[Any, str, Any]:
    """Actions, phases and declarations that differ when the releases of one list are replayed on a neighbour."""
    make = maker(algorithm, epsilon, batches, bug)
    run = record(make, reward_list(rewards, T), rewards)
    other = replay(make, run, far_neighbour(run.rewards, rewards % T), rewards)
    phases = sum(a.records != b.records for a, b in zip(run.releases, other.releases, strict=False))
    return sum(a != b for a, b in zip(run.actions, other.actions, strict=True)) + phases, "==", 0


@claim(
    "BDP-SE.3/same-future-given-the-sum",
    r"Given the noisy partial sums, actions and phases on $\mathbf r$ and on its neighbour "
    r"$\mathbf r'$ are the same (28) (planted bug: <bug>).",
    domain=EVERY_RUN,
    constants={"bug": "none"},
    mutations=[mutation("a raw value used", bug="raw value used")],
    strongest="enumeration",
)
def same_future_given_the_sum(check: Check) -> None:
    """The released values of one run are replayed on the neighbour; a raw mean in the index must show."""
    points = [p for p in recorded_runs(check) if p["T"] == 60]
    check.enumerate(
        replayed_differences, points, rational=True, routes=("actions on the list", "actions on the neighbour")
    )


@claim(
    "BDP-SE.3/density-ratio",
    r"(29): the densities of the phase's noisy sum on $\mathbf r$ and $\mathbf r'$ differ by a "
    r"factor of at most $e^{<factor>\epsilon}$ everywhere.",
    domain=SHIFT,
    constants={"factor": 1},
    mutations=[mutation("factor 0.9", factor="0.9")],
    strongest="interval",
)
def density_ratio(check: Check) -> None:
    """Two Laplace densities whose centres differ by at most 1, for all outputs."""
    prove_laplace_ratio(check, check.domain)


def one_release_holds_the_reward(
    algorithm: str, epsilon: Fraction, T: int, rewards: int, batches: int, bug: str
) -> tuple[Any, str, Any]:
    """Releases that move when one reward changes; the ledger and alignment find nothing else."""
    make = maker(algorithm, epsilon, batches, bug)
    run = record(make, reward_list(rewards, T), rewards)
    other = replay(make, run, far_neighbour(run.rewards, rewards % T), rewards)
    moved = sum(a.shift_to(b) > 0 for a, b in zip(run.releases, other.releases, strict=False))
    promised = Budget.pure(float(epsilon))
    found = align(run, other, promised) + audit_ledger(run, promised)
    return moved + len(found), "==", 1


@claim(
    "BDP-SE.3/one-phase-holds-the-reward",
    r"The changed reward enters exactly one noisy sum, the one of the phase that contains "
    r"$t^\star$ (planted bug: <bug>).",
    domain=EVERY_RUN,
    constants={"bug": "none"},
    mutations=[mutation("old rewards again", bug="old rewards again")],
    strongest="enumeration",
)
def one_phase_holds_the_reward(check: Check) -> None:
    """How many releases move between the run and its replay on the neighbour."""
    points = [p for p in recorded_runs(check) if p["T"] == 60]
    check.enumerate(one_release_holds_the_reward, points, rational=True, routes=("releases that move", "one"))
