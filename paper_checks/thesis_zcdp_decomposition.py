"""Theorem 4.14 of the thesis: the divergence between two bandits under Interactive zCDP, and its proof step by step.

With A = sum of t_{a_t} and V = sum of t_{a_t} (1 - t_{a_t}), the number d of differing rewards is A plus a martingale
whose variance is E[V]. The proof computes E[d^2] given all actions as if the rewards were drawn after them; but the
actions react to the rewards, and the martingale may be correlated with A.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import comb
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
from banditproof.theory.numeric import log, sqrt, to_ball, working_precision
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


# --------------------------------------------------------------------------------- Gaussian noise and budgets below one

COURIER_BITS, REACH = 128, 8


def _above(x: Any, variance: Fraction) -> Any:
    """P(N(0, variance) >= x)."""
    return (to_ball(x) / sqrt(2 * to_ball(variance))).erfc() / 2


@cache
def gaussian_courier(records: int, pulls: int, threshold: int, rho_1: Fraction, rho_2: Fraction, parts: int) -> Any:
    """(KL of the actions, E[A^2], E[V]), balls, of a policy and two Bernoulli bandits.

    Arm 0 is played `records` times; if the sum of rewards plus N(0, 1/(2 rho_1)) reaches the threshold, arm 1 is played
    `pulls` times, else arm 2; the last action names the cell, of width 1/parts, in which the sum of all rewards plus
    N(0, 1/(2 rho_2)) lies (the outermost cells are half-lines). One reward moves each sum by at most 1, so the two
    releases satisfy rho_1- and rho_2-zCDP (TH-T2.14/zcdp), what is done with them too (TH-P2.7/zcdp), and the policy
    satisfies their sum, whichever arms an adversary has played. Arm 0 has means 1/2 and 0, arm 1 has 1 and 0, and the
    others pay nothing in both bandits: t = 1/2, 1, 0.
    """
    with working_precision(COURIER_BITS):
        v_1, v_2 = 1 / (2 * Fraction(rho_1)), 1 / (2 * Fraction(rho_2))
        masses = [to_ball(Fraction(comb(records, s), 2**records)) for s in range(records + 1)]
        reached = [_above(threshold - s, v_1) for s in range(records + 1)]
        sent = sum((m * r for m, r in zip(masses, reached, strict=True)), to_ball(0))
        low, high = -REACH * parts, (records + pulls + REACH) * parts
        tails = [_above(Fraction(k, parts), v_2) for k in range(high - low + 1)]

        def below(k: int) -> Any:
            """P(noise <= k/parts) for k <= 0."""
            return tails[-k]

        def cell(k: int) -> Any:
            """P(k/parts < noise <= (k+1)/parts), without cancellation in the tails."""
            return tails[k] - tails[k + 1] if k >= 0 else tails[-k - 1] - tails[-k]

        kl = to_ball(0)
        for told, chances in ((1, reached), (0, [1 - r for r in reached])):
            weights = [(s + pulls * told, m * c) for s, (m, c) in enumerate(zip(masses, chances, strict=True))]

            def mixed(chance: Any, weights: Any = weights) -> Any:
                return sum((w * chance(d * parts) for d, w in weights), to_ball(0))

            cells = [(mixed(lambda d, k=k: cell(k - d)), cell(k)) for k in range(low, high)]
            cells += [(mixed(lambda d: below(low - d)), below(low)), (mixed(lambda d: below(d - high)), below(-high))]
            kl += sum((p * log(p / (chances[0] * q)) for p, q in cells), to_ball(0))
        square = to_ball(Fraction(records, 2) ** 2) + sent * (records * pulls + pulls**2)
        return kl, square, to_ball(Fraction(records, 4))


def _courier(policy: Sequence[Any], rho: Any) -> Any:
    """`policy`: ("Gaussian courier", records, pulls, threshold, share of rho for the first release, parts)."""
    _, records, pulls, threshold, share, parts = policy
    rho, share = Fraction(rho), Fraction(share)
    return gaussian_courier(records, pulls, threshold, share * rho, (1 - share) * rho, parts)


def printed_bound_of_couriers(policy: Sequence[Any], rho: Any) -> Sides:
    kl, square, variance = _courier(policy, rho)
    return kl, "<=", to_ball(rho) * (square + variance)


def with_correlation_of_couriers(policy: Sequence[Any], rho: Any, factor: Any) -> Sides:
    kl, square, variance = _courier(policy, rho)
    return kl, "<=", to_ball(factor * rho) * (sqrt(square) + sqrt(variance)) ** 2


SMALL_BUDGETS = Domain.of(policy="all: every rho-Interactive zCDP policy", rho="(0, 1]")
NOISY_COURIERS: list[dict[str, Any]] = [
    {"policy": ["Gaussian courier", *numbers, Fraction(share), parts], "rho": Fraction(rho)}
    for numbers, share, parts, rho in (
        ((64, 94, 40), "1/100", 4, "1"),
        ((200, 300, 118), "1/250", 2, "1/2"),
        ((400, 600, 225), "1/250", 1, "1/4"),
        ((1, 2, 1), "1/4", 4, "1"),
    )
]


@claim(
    "TH-T4.14/small-budgets",
    r"The theorem for the small budgets that the text thinks of, $0<\rho\le1$ (TH-S2.1d): "
    r"$D_{\rm KL}(\mathbb M_{\nu\pi}\|\mathbb M_{\nu'\pi})\le\rho\,(\mathbb E_{\nu\pi}[A^2]+\mathbb E_{\nu\pi}[V])$.",
    domain=SMALL_BUDGETS, role="reading", strongest="enumeration",
)  # fmt: skip
def small_budgets(check: Check) -> None:
    """64 fair rewards, of which little is told (rho/100), decide on 94 more: the sum of all, told by the rest of the
    budget, is large when more rewards differed than expected. The divergence exceeds the bound by 1.3 %; with more
    rewards smaller budgets exceed it as well (`NOISY_COURIERS`: 1/2 and 1/4)."""
    check.counterexample(printed_bound_of_couriers, NOISY_COURIERS[0], rational=True)


@claim(
    "TH-T4.14/small-budgets-with-correlation",
    r"For $0<\rho\le1$: $D_{\rm KL}(\mathbb M_{\nu\pi}\|\mathbb M_{\nu'\pi})\le<factor>\,\rho\,(\sqrt{\mathbb E[A^2]}"
    r"+\sqrt{\mathbb E[V]})^2$.",
    domain=SMALL_BUDGETS, role="repair", repairs="TH-T4.14/small-budgets", constants={"factor": 1},
    mutations=[mutation("10 % less", factor="0.9")], strongest="enumeration",
)  # fmt: skip
def small_budgets_with_correlation(check: Check) -> None:
    """As for every budget (TH-T4.14/with-correlation)."""
    region = check.domain.restrict(policy=f"all: {len(NOISY_COURIERS)} policies with Gaussian noise",
                                   rho=[point["rho"] for point in NOISY_COURIERS])  # fmt: skip
    check.enumerate(with_correlation_of_couriers, NOISY_COURIERS, covers=region, rational=True,
                    routes=("exact laws of the actions", "moments of exposure"))  # fmt: skip


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
