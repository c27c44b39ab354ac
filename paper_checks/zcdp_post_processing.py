"""Proposition 2 and Theorem 1 of the zCDP paper with their proofs: adversaries as post-processing of the policy."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from banditproof.paper_checks import thesis_kl_decomposition
from banditproof.paper_checks.bernoulli_dp_definitions import EVERY_POLICY, kernel
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.thesis_interactive import OFF_PATH, READ_OFF, table_mechanism_of_post_processed
from banditproof.paper_checks.thesis_kl_decomposition import POLICIES, enumerate_plays, in_prime_logarithms
from banditproof.paper_checks.thesis_policies import PolicyName, policy_named
from banditproof.paper_checks.twins import restate, restate_parts
from banditproof.paper_checks.zcdp_interactive import (
    EVERY_ORDER,
    ROUNDING,
    Sides,
    divergence,
    some_policy,
    zcdp_points,
)
from banditproof.theory.numeric import to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.interactive import identity_queries, interactive_law
from banditproof.verify.kernels import FiniteKernel, reward_lists, reward_tables
from banditproof.verify.output_laws import table_law

RESTATED = (thesis_kl_decomposition,)  # the module whose claims are restated here

# ----------------------------------------------------------------------------------------- Proposition 2 and its proof

parts_decide(
    "ZCDP-P2",
    r"(a) $\rho$-Interactive zCDP implies $\rho$-Table zCDP; (b) $\pi$ is $\rho$-Interactive zCDP iff $\pi^B$ is "
    r"$\rho$-Table zCDP for every deterministic $B$.",
    domain=EVERY_POLICY, twins=["TH-P3.13"],
)  # fmt: skip


def table_below_interactive(T: int, K: int, policy: Any, order: Fraction, factor: Any) -> Sides:
    pi = some_policy(T, K, policy)
    bound = to_ball(factor) * divergence("interactive", pi, order) + to_ball(ROUNDING)
    return divergence("table", pi, order), "<=", bound


@claim(
    "ZCDP-P2/a",
    r"$\sup D_\alpha(\mathcal M^\pi_d\|\mathcal M^\pi_{d'})\le<factor>\sup D_\alpha(\mathrm{View}_{B,\pi,d}\|"
    r"\mathrm{View}_{B,\pi,d'})$.",
    domain=EVERY_ORDER, constants={"factor": 1}, mutations=[mutation("1/5", factor="1/5")], strongest="enumeration",
)  # fmt: skip
def interactive_implies_table(check: Check) -> None:
    points = zcdp_points(check, ((2, 2, OFF_PATH),))
    check.enumerate(table_below_interactive, points, rational=True, routes=("worst tables", "worst adversary"))


def tables_of_post_processed(T: int, K: int, policy: Any, order: Fraction, factor: Any) -> Sides:
    """sup over B of the Table divergence of pi^B, with the mechanism of EQ-M as printed, against Interactive."""
    pi = some_policy(T, K, policy)
    gap = divergence("post-processed", pi, order) - to_ball(factor) * divergence("interactive", pi, order)
    return abs(gap), "<=", to_ball(ROUNDING)


@claim(
    "ZCDP-P2/b",
    r"The largest $D_\alpha$ of $\mathcal M^{\pi^B}$ over deterministic $B$ and neighbouring tables is $<factor>$ "
    r"times "
    r"that of Interactive zCDP.",
    domain=EVERY_ORDER, constants={"factor": 1}, mutations=[mutation("1 % more", factor="1.01")],
    strongest="enumeration",
)  # fmt: skip
def post_processed_policies(check: Check) -> None:
    """With EQ-M read literally, which pays pi^B the reward of the arm it plays: the views differ (ZCDP-PF2), their
    suprema do not, since a table with equal columns and fixed queries attain both. The same sentence for
    (epsilon, delta) in the thesis needs the reward of the queried arm (TH-P3.13/b-eq-3.1-only-if and -if)."""
    points = zcdp_points(check, ((2, 2, OFF_PATH), (3, 2, READ_OFF)))
    check.enumerate(tables_of_post_processed, points, rational=True, routes=("Table of pi^B", "Interactive"))


restate(
    "ZCDP-P2/b-for-approximate-dp", "TH-P3.13/b-eq-3.1-only-if",
    r"(b) with $(\epsilon,\delta)$ for $\rho$, as the thesis has it (TH-P3.13), and EQ-M as printed: if $\pi$ is "
    r"$(\epsilon,\delta)$-Interactive DP then every $\pi^B$ is $(\epsilon,\delta)$-Table DP.",
)  # fmt: skip
restate(
    "ZCDP-P2/b-for-approximate-dp-on-queried-rewards", "TH-P3.13/b", role="repair",
    repairs="ZCDP-P2/b-for-approximate-dp",
)  # fmt: skip


def strictly_interactive(data: dict[str, Any], factor: Fraction) -> Sides:
    pi, order = some_policy(2, 2, data["policy"]), Fraction(2)
    return to_ball(factor) * divergence("table", pi, order), "<", divergence("interactive", pi, order)


def strictly_interactive_there(factor: Fraction) -> Sides:
    return strictly_interactive({"policy": OFF_PATH}, factor)


@claim(
    "ZCDP-P2/a-is-strict",
    r"Some policy has an Interactive $D_2$ of more than $<factor>$ times its Table $D_2$: the converse of (a) fails.",
    role="remark", constants={"factor": 2}, mutations=[mutation("three times", factor=3)],
    strongest="certificate",
)  # fmt: skip
def converse_of_a(check: Check) -> None:
    """A policy that repeats the reward of an arm it hardly plays."""
    check.certificate(strictly_interactive, {"policy": OFF_PATH}, routes=("worst tables", "worst adversary"))
    check.counterexample(strictly_interactive_there, {}, rational=True)


parts_decide(
    "ZCDP-PF2",
    r"(a) the adversary $B^{\rm id}_t(o_1..o_t)=o_t$ sees the Table mechanism; (b) the view of a deterministic $B$ is "
    r"the "
    r"mechanism of $\pi^B$, told the rewards of the queried arms.",
    domain=EVERY_POLICY,
)


def identity_adversary(T: int, K: int, policy: int, lag: int) -> Sides:
    """Sequences whose probability differs between the view of the identity adversary and the table mechanism."""
    pi = kernel(T, K, policy)
    tables = list(reward_tables(pi))
    table = tables[(5 * policy + 1) % len(tables)]
    ask = identity_queries if not lag else (lambda actions: actions[0])
    view, mechanism = interactive_law(pi, ask, table), table_law(pi, table)
    return sum(view[a] != mechanism[a] for a in view), "==", 0


@claim(
    "ZCDP-PF2/identity",
    r"$\mathrm{View}_{B^{\rm id},\pi,d}=\mathcal M^\pi_d$ (adversary with lag <lag>).",
    domain=EVERY_POLICY, constants={"lag": 0}, mutations=[mutation("always asks for the first action", lag=1)],
    strongest="enumeration",
)  # fmt: skip
def identity_sees_the_table_mechanism(check: Check) -> None:
    points = [{"T": T, "K": K, "policy": s} for T, K in ((1, 2), (2, 2), (2, 3), (3, 2)) for s in range(4)]
    check.enumerate(identity_adversary, points, rational=True, routes=("protocol, step by step", "product formula"))


restate("ZCDP-PF2/view", "TH-R3.6/post-processed", role="part")


@claim(
    "ZCDP-PF2/view-by-eq-m",
    r"(b) with EQ-M as printed, rewards of the arms that $\pi^B$ plays: $\mathrm{View}_{B,\pi,d}=\mathcal "
    r"M^{\pi^B}_d$.",
    role="reading", domain=EVERY_POLICY, twins=["TH-R3.6"], strongest="enumeration",
)  # fmt: skip
def view_by_the_printed_mechanism(check: Check) -> None:
    """The interaction pays the reward of the queried arm. (The repair is ZCDP-PF2/view; (b) itself is not touched.)"""
    points = [{"T": 2, "K": 2, "policy": seed} for seed in range(8)]
    check.search(table_mechanism_of_post_processed, points, rational=True)


restate("ZCDP-PF2/view-on-queried-rewards", "TH-R3.6/post-processed", role="repair", repairs="ZCDP-PF2/view-by-eq-m")
restate_parts(
    "ZCDP-R6", "It is enough to consider deterministic adversaries (cited).",
    {"approximate": "TH-R3.14", "zcdp": "TH-R3.14/zcdp"},
)  # fmt: skip

# ----------------------------------------------------------------------------- closed under post-processing, Theorem 1


def blind(pi: FiniteKernel, reads: int) -> FiniteKernel:
    """The policy told arm 0 at every step (or, with `reads`, the arms): then pi^B is pi for every adversary."""
    return FiniteKernel(
        pi.horizon, pi.arms, pi.rewards, lambda h: pi.probability(tuple((arm * reads, r) for arm, r in h))
    )


def closed_policies(T: int, K: int, policy: Any, order: Fraction, reads: int) -> Sides:
    pi = blind(some_policy(T, K, policy), reads)
    gap = divergence("interactive", pi, order) - divergence("table", pi, order)
    return abs(gap), "<=", to_ball(ROUNDING)


@claim(
    "ZCDP-S8",
    r"If post-processing by queries leads to no other policy ($\pi^B=\pi$; the policy reads <reads> arms), "
    r"$\rho$-Interactive and $\rho$-Table zCDP are the same.",
    domain=EVERY_ORDER, constants={"reads": 0}, mutations=[mutation("a policy that reads arms", reads=1)],
    strongest="enumeration",
)  # fmt: skip
def closed_under_post_processing(check: Check) -> None:
    """A consequence of Proposition 2(b). For (epsilon, delta) the thesis' TH-S3.6/blind-to-arms says otherwise."""
    points = zcdp_points(check, ((2, 2, OFF_PATH), (3, 2, READ_OFF)))
    check.enumerate(closed_policies, points, rational=True, routes=("worst adversary", "worst tables"))


restate("ZCDP-T1", "TH-T4.12")
parts_decide(
    "ZCDP-PF3",
    r"The constant adversary $B_{\mathbf a}$: $\mathcal V^{\pi_{\mathbf a}}_{\mathbf r}$ is the product of the rows "
    r"along "
    r"$\mathbf a$ and $\mathbf r$, its divergences are sums (EQ12), bounded by $\rho d_{\rm Ham}^2$ (EQ11).",
    domain=EVERY_POLICY,
)
restate("ZCDP-PF3/product", "TH-T4.12/constant-adversary", role="part")


def divergences_add_up(policy: PolicyName, factor: Any) -> Sides:
    """KL of the views of every constant adversary, and the sums over steps: in logarithms of primes."""
    pi = policy_named(policy)
    lists, whole, steps = list(reward_lists(pi)), [], []
    for arms in sorted({(*actions[:-1], 0) for actions in pi.action_sequences()})[:4]:
        rows = {r: [pi.probability(tuple(zip(arms[:t], r[:t], strict=True))) for t in range(pi.horizon)] for r in lists}
        views = {r: _product_law(rows[r]) for r in lists}
        for left, right in product(lists[:4], lists[:4]):
            whole.append(in_prime_logarithms((p, p / views[right][o]) for o, p in views[left].items() if p))
            pairs = zip(rows[left], rows[right], strict=True)
            terms = [(factor * a, a / b) for p, q in pairs for a, b in zip(p, q, strict=True) if a]
            steps.append(in_prime_logarithms(terms))
    return whole, "==", steps


def _product_law(rows: list[Any]) -> dict[Any, Fraction]:
    law: dict[Any, Fraction] = {(): Fraction(1)}
    for row in rows:
        law = {(*o, arm): w * p for o, w in law.items() for arm, p in enumerate(row)}
    return law


@claim(
    "ZCDP-PF3/sum",
    r"(EQ12) $\mathrm{KL}(\mathcal V^{\pi_{\mathbf a}}_{\mathbf r}\|\mathcal V^{\pi_{\mathbf a}}_{\mathbf r'})=<factor>"
    r"\sum_t\mathrm{KL}(\pi_t(\cdot|\mathcal H_{t-1})\|\pi_t(\cdot|\mathcal H'_{t-1}))$, exactly.",
    domain=Domain.of(policy="all: every policy"), constants={"factor": 1},
    mutations=[mutation("1 % more", factor="1.01")], strongest="enumeration",
)  # fmt: skip
def divergence_of_a_product(check: Check) -> None:
    enumerate_plays(check, divergences_add_up, POLICIES, ("views of constant adversaries", "sums of the rows"))


restate("ZCDP-PF3/group", "TH-T4.12", role="part")
