"""Theorem 4.14 of the thesis: the divergence between two bandits under Interactive zCDP, and its proof step by step.

With A = sum of t_{a_t} and V = sum of t_{a_t} (1 - t_{a_t}), the number d of differing rewards is A plus a martingale
whose variance is E[V]. The proof computes E[d^2] given all actions as if the rewards were drawn after them; but the
actions react to the rewards, and the martingale may be correlated with A.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation
from banditproof.paper_checks.thesis_couplings import Sides
from banditproof.paper_checks.thesis_kl_decomposition import PLAYS, enumerate_plays, in_prime_logarithms
from banditproof.paper_checks.thesis_policies import (
    TWO_ARMS,
    Environment,
    PolicyName,
    combinations,
    exposure,
    interactive_rho,
    play,
    policy_named,
)  # fmt: skip
from banditproof.theory.numeric import sqrt, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.kl_decompositions import CoupledPlay, sum_along

INTERACTIVE = Domain.of(policy="all: every Interactive zCDP policy", environment="all: every pair of bandits")
EVERY_POLICY = Domain.of(policy="all: every policy", environment="all: every pair of bandits")

COURIERS = combinations([["courier", Fraction(1, 10), Fraction(1, 10**8)]], [exposure("1/10"), exposure("1/4")])
PRIVATE_COURIERS = combinations([["courier", Fraction(1, 3), Fraction(1, 4)]], [exposure("1/10"), exposure("1/4")])
EXTREME = combinations([["courier", Fraction(1, 10**6), Fraction(1, 10**100)]], [exposure("1/100")])


def moments(coupled: CoupledPlay, steps: int) -> tuple[Fraction, Fraction]:
    """E[A^2] and E[V] over the first steps."""
    return coupled.exposure_moment(2, steps), coupled.exposure_variance(steps)


def printed_bound(policy: PolicyName, environment: Environment, factor: Any) -> Sides:
    """KL of the actions against rho (E[A^2] + E[V]), rho certainly enough for the policy."""
    coupled, horizon = play(policy, environment), policy_named(policy).horizon
    rho = interactive_rho(policy)
    return coupled.kl_of_actions(), "<=", to_ball(factor * rho * sum(moments(coupled, horizon)))


@claim(
    "TH-T4.14",
    r"$\rho$-Interactive zCDP: $D_{\rm KL}(\mathbb M_{\nu\pi}\|\mathbb M_{\nu'\pi})\le<factor>\,\rho\,"
    r"(\mathbb E_{\nu\pi}[(\sum_tt_{a_t})^2]+\mathbb E_{\nu\pi}[\sum_tt_{a_t}(1-t_{a_t})])$.",
    domain=INTERACTIVE, constants={"factor": 1}, strongest="enumeration",
)  # fmt: skip
def kl_decomposition_zcdp(check: Check) -> None:
    """A first reward that differs sends the policy to the arm whose rewards always differ, so that two rewards differ
    or none; the last action tells their sum through noise that pays for its square."""
    region = check.domain.restrict(policy="all: some policies", environment="all: some pairs of bandits")
    check.search(printed_bound, COURIERS, region, rational=True)


def with_correlation(policy: PolicyName, environment: Environment, factor: Any, dropped: int) -> Sides:
    """KL of the actions against rho (sqrt E[A^2] + sqrt E[V])^2 over all but the last rewards."""
    coupled = play(policy, environment)
    square, variance = moments(coupled, policy_named(policy).horizon - dropped)
    root = sqrt(to_ball(square)) + sqrt(to_ball(variance))
    return coupled.kl_of_actions(), "<=", to_ball(factor * interactive_rho(policy)) * root**2


ALL_PLAYS = [*PLAYS, *COURIERS, *PRIVATE_COURIERS, *EXTREME]


@claim(
    "TH-T4.14/with-correlation",
    r"$D_{\rm KL}(\mathbb M_{\nu\pi}\|\mathbb M_{\nu'\pi})\le<factor>\,\rho\,(\sqrt{\mathbb E[A^2]}"
    r"+\sqrt{\mathbb E[V]})^2\le2\rho(\mathbb E[A^2]+\mathbb E[V])$ with $A=\sum_{t\le T-<dropped>}t_{a_t}$,"
    r" $V=\sum_{t\le T-<dropped>}t_{a_t}(1-t_{a_t})$.",
    domain=INTERACTIVE, role="repair", repairs="TH-T4.14", constants={"factor": 1, "dropped": 1},
    mutations=[mutation("10 % less", factor="0.9"), mutation("two rewards", gradual=False, dropped=2)],
    strongest="enumeration",
)  # fmt: skip
def kl_decomposition_with_correlation(check: Check) -> None:
    """d - A is a martingale of variance E[V]; Minkowski's inequality bounds the second moment of A + (d - A)."""
    enumerate_plays(check, with_correlation, ALL_PLAYS, ("laws of the actions", "moments of exposure"))


# ---------------------------------------------------------------------------------------------------- the proof's steps

LISTED = [point for point in PLAYS if point["policy"][0] != "constant"]


def chain_rule(policy: PolicyName, environment: Environment, factor: Any) -> Sides:
    """KL(p, q), and the mean under p of the kernels' divergences along the histories: in logarithms of primes."""
    coupled, kernel = play(policy, environment), policy_named(policy)
    terms = []
    for (actions, r, s), (p, _) in coupled.cells.items():
        for t in range(kernel.horizon if p else 0):
            rows = [kernel.probability(tuple(zip(actions[:t], x[:t], strict=True))) for x in (r, s)]
            terms += [(factor * p * a, a / b) for a, b in zip(*rows, strict=True) if a]
    pairs = [(p, p / q) for p, q in coupled.cells.values() if p]
    return in_prime_logarithms(pairs), "==", in_prime_logarithms(terms)


@claim(
    "TH-T4.14/step-chain-rule",
    r"Steps (a)-(d):"
    r" $\mathbb E_{p_{\gamma\pi}}[\log(\mathcal V_{\mathbf r}(\mathbf a)/\mathcal V_{\mathbf r'}(\mathbf a))]"
    r"=<factor>\,\mathbb E_{p_{\gamma\pi}}[\sum_tD_{\rm KL}(\pi_t(\cdot|H_{t-1})\|\pi_t(\cdot|H'_{t-1}))]$.",
    domain=EVERY_POLICY, role="step", constants={"factor": 1}, mutations=[mutation("1 % more", factor="1.01")],
    strongest="enumeration",
)  # fmt: skip
def step_chain_rule(check: Check) -> None:
    enumerate_plays(check, chain_rule, LISTED, ("divergence of augmented histories", "divergences of the rows"))


@cache
def _summed(policy: tuple[Any, ...], means: tuple[Any, ...], others: tuple[Any, ...]) -> tuple[Any, Fraction]:
    """E_p of the sum of divergences along the history, a ball, and E_p[d^2]."""
    coupled, kernel = play(policy, [means, others]), policy_named(policy)
    total = to_ball(0)
    for (actions, r, s), (p, _) in coupled.cells.items():
        if p and r != s:
            total += to_ball(p) * sum_along(kernel, actions, r, s)
    return total, coupled.distance_moment(2, kernel.horizon)


def second_moment_pays(policy: PolicyName, environment: Environment, factor: Any) -> Sides:
    total, square = _summed(tuple(policy), *map(tuple, environment))
    return total, "<=", to_ball(factor * interactive_rho(policy) * square)


@claim(
    "TH-T4.14/step-group-privacy",
    r"Step (e): $\mathbb E_{p_{\gamma\pi}}[\sum_tD_{\rm KL}(\pi_t(\cdot|H_{t-1})\|\pi_t(\cdot|H'_{t-1}))]\le"
    r"<factor>\,\rho\,\mathbb E_{p_{\gamma\pi}}[d_{\rm Ham}(\mathbf r,\mathbf r')^2]$.",
    domain=INTERACTIVE, role="step", constants={"factor": 1}, mutations=[mutation("5 % less", factor="0.95")],
    strongest="enumeration",
)  # fmt: skip
def step_group_privacy(check: Check) -> None:
    enumerate_plays(check, second_moment_pays, [*LISTED, *COURIERS, *EXTREME], ("rows", "Rényi divergences"))


def second_moment_as_computed(policy: PolicyName, environment: Environment) -> Sides:
    coupled, horizon = play(policy, environment), policy_named(policy).horizon
    return coupled.distance_moment(2, horizon), "==", sum(moments(coupled, horizon))


@claim(
    "TH-T4.14/step-second-moment",
    r"Last display: $\mathbb E_{p_{\gamma\pi}}[d_{\rm Ham}(\mathbf r,\mathbf r')^2]=\mathbb E_{\nu\pi}[A^2]"
    r"+\mathbb E_{\nu\pi}[V]$.",
    domain=EVERY_POLICY, role="step", strongest="enumeration",
)  # fmt: skip
def step_second_moment(check: Check) -> None:
    """Given all actions, whether a reward differed is no longer Bernoulli(t_a): later actions know it."""
    check.counterexample(second_moment_as_computed, {"policy": ["random", 0, 2, 2], "environment": TWO_ARMS[0]},
                         rational=True)  # fmt: skip


def second_moment_with_correlation(policy: PolicyName, environment: Environment, factor: Any) -> Sides:
    """E[d^2] against E[A^2] + E[V] + 2 E[(d - A) A], and its excess against 2 sqrt(E[A^2] E[V])."""
    coupled, horizon = play(policy, environment), policy_named(policy).horizon
    square, variance = moments(coupled, horizon)
    t = coupled.variations
    cross = coupled.expect(lambda a, r, s: (sum(x != y for x, y in zip(r, s, strict=True)) - sum(t[arm] for arm in a))
                           * sum(t[arm] for arm in a))  # fmt: skip
    found = coupled.distance_moment(2, horizon)
    within = max(found - square - variance, Fraction(0)) ** 2 <= factor * 4 * square * variance
    return (found, within), "==", (square + variance + 2 * cross, True)


@claim(
    "TH-T4.14/second-moment-with-correlation",
    r"$\mathbb E[d_{\rm Ham}^2]=\mathbb E[A^2]+\mathbb E[V]+2\mathbb E[(d_{\rm Ham}-A)A]$, and the last term is at most"
    r" $2\sqrt{<factor>\,\mathbb E[A^2]\,\mathbb E[V]}$.",
    domain=EVERY_POLICY, role="repair", repairs="TH-T4.14/step-second-moment", constants={"factor": 1},
    mutations=[mutation("10 % less", factor="0.9")], strongest="enumeration",
)  # fmt: skip
def second_moment_repaired(check: Check) -> None:
    """Attained in the limit by couriers whose first arm rarely pays."""
    enumerate_plays(check, second_moment_with_correlation, ALL_PLAYS, ("cells of the coupled environment", "moments"))
