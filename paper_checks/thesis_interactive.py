"""Sections 3.4 and 3.6 of the thesis: Interactive DP, its adversaries, and Table DP of post-processed policies."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from banditproof.paper_checks.bernoulli_dp_definitions import EVERY_POLICY, kernel, shapes
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.thesis_definitions import EVERY_RATIO, delta_under, with_ratios
from banditproof.theory.numeric import to_ball
from banditproof.verify.channels import hockey_stick, renyi_divergence
from banditproof.verify.interactive import (
    Queries,
    identity_queries,
    interactive_law,
    interactive_probability,
    post_processed_policy,
    query_adversaries,
)
from banditproof.verify.kernels import FiniteKernel, random_law, replacements, reward_tables
from banditproof.verify.output_laws import table_law
from banditproof.verify.policy_privacy import largest_delta, largest_divergence
from banditproof.verify.separation import off_path_kernel, read_off_kernel

OFF_PATH = "repeats the reward of an arm it hardly plays"
READ_OFF = "last reward chooses what is told"


def some_policy(T: int, K: int, policy: Any) -> FiniteKernel:
    """Random policy number ``policy``, or a named one."""
    if policy == OFF_PATH:
        return off_path_kernel(Fraction(1, 10))
    return read_off_kernel(T) if policy == READ_OFF else kernel(T, K, policy)


def some_queries(seed: int, arms: int) -> Queries:
    """A query adversary that depends on all actions so far."""

    def ask(actions: tuple[int, ...]) -> int:
        law = random_law(seed, ("ask", actions), arms, 0, 10**6)
        return law.index(max(law))

    return ask


def some_table(pi: FiniteKernel, seed: int) -> tuple[tuple[Any, ...], ...]:
    """One of the reward tables."""
    tables = list(reward_tables(pi))
    return tables[(11 * seed + 5) % len(tables)]


# -- the protocol ---------------------------------------------------------------------------------------------


def columns_not_asked(T: int, K: int, policy: int, mass: Fraction, paid: str) -> tuple[Any, str, Any]:
    """The total mass of the views, plus the views whose probability changes when rewards that are not heard do."""
    pi, ask = kernel(T, K, policy), some_queries(policy, K)
    table, changed = some_table(pi, policy), 0
    for actions in pi.action_sequences():
        heard = [ask(actions[:t]) for t in range(1, T + 1)]
        other = tuple(
            tuple(
                r if arm == q else pi.rewards[(pi.rewards.index(r) + 1) % len(pi.rewards)] for arm, r in enumerate(row)
            )
            for row, q in zip(table, heard, strict=True)
        )
        before, after = (interactive_probability(pi, ask, x, actions, paid) for x in (table, other))
        changed += before != after
    return sum(interactive_law(pi, ask, table).values()) + changed, "==", mass


@claim(
    "TH-A3.INT",
    r"The interaction $\pi\leftrightarrow^{\mathbf x} B$ outputs a law on views $(a_1,\dots,a_T)$ (mass $<mass>$), "
    r"which depends on the rewards of the <paid> arms only.",
    domain=EVERY_POLICY,
    constants={"mass": 1, "paid": "queried"},
    mutations=[mutation("mass 0.99", mass="0.99"), mutation("played arms", paid="played")],
    strongest="enumeration",
)
def interactive_protocol(check: Check) -> None:
    """Random adversaries and tables; rewards of arms that were not asked for are changed."""
    check.enumerate(columns_not_asked, shapes(check), rational=True, routes=("protocol", "table changed elsewhere"))


def worst_over_adversaries(pi: FiniteKernel, ratio: Fraction) -> Fraction:
    """delta by visiting every query adversary and every pair of neighbouring tables."""
    rows = tuple(product(pi.rewards, repeat=pi.arms))
    worst = Fraction(0)
    for ask in query_adversaries(pi):
        law = {table: interactive_law(pi, ask, table) for table in reward_tables(pi)}
        for left in law:
            for right in replacements(left, rows):
                worst = max(worst, hockey_stick(law[left], law[right], ratio)[0])
    return worst


def interactive_by_both_routes(T: int, K: int, policy: int, ratio: Fraction, factor: Fraction) -> tuple[Any, str, Any]:
    pi = kernel(T, K, policy)
    return worst_over_adversaries(pi, ratio), "==", factor * delta_under("interactive", pi, ratio)


SMALL = [
    {"T": T, "K": K, "policy": 2 * s} for T, K, n in ((1, 2, 1), (2, 2, 5), (2, 3, 2), (3, 2, 1)) for s in range(n)
]


@claim(
    "TH-D3.5",
    r"$\pi$ is $(\varepsilon,\delta)$-Interactive DP when $\Pr[\mathrm{View}_{B,\pi,\mathbf x}\in S] - "
    r"e^\varepsilon\Pr[\mathrm{View}_{B,\pi,\mathbf x'}\in S]\le\delta$ for all $B$, $S$ and neighbouring tables: the "
    r"smallest $\delta$ over all adversaries is $<factor>$ times the one found prefix by prefix.",
    domain=EVERY_RATIO,
    constants={"factor": 1},
    mutations=[mutation("factor 1.01", factor="1.01", gradual=False)],
    strongest="enumeration",
)
def interactive_privacy(check: Check) -> None:
    """Every deterministic adversary and pair of tables against the worst answers to each prefix."""
    points = [{**p, "ratio": r} for p in SMALL for r in (Fraction(1), Fraction(3, 2))]
    check.enumerate(
        interactive_by_both_routes, points, rational=True, routes=("all adversaries", "worst answers, prefix by prefix")
    )


# -- Remark 3.6 -----------------------------------------------------------------------------------------------

parts_decide(
    "TH-R3.6",
    r"$\Pr[\mathrm{View}_{B,\pi,\mathbf x}=\mathbf a]=\prod_t\pi_t(a_t\mid q_1,x_{1,q_1},\dots)$ with "
    r"$q_t=B_t(a_1..a_t)$; so it is the law of $\pi^B$ when the reward of step $t$ is that of the queried arm.",
    domain=EVERY_POLICY,
)


def product_formula(T: int, K: int, policy: int, paid: str) -> tuple[Any, str, Any]:
    """Sequences on which the protocol played step by step differs from the product along the queries."""
    pi, ask = kernel(T, K, policy), some_queries(policy + 1, K)
    table = some_table(pi, policy)
    law = interactive_law(pi, ask, table)
    return sum(law[a] != interactive_probability(pi, ask, table, a, paid) for a in law), "==", 0


@claim(
    "TH-R3.6/product",
    r"$\Pr[\mathrm{View}_{B,\pi,\mathbf x}=\mathbf a]=\pi_1(a_1)\pi_2(a_2\mid q_1,x_{1,q_1})\cdots$, the rewards being "
    r"those of the <paid> arms.",
    domain=EVERY_POLICY,
    constants={"paid": "queried"},
    mutations=[mutation("the arms played", paid="played")],
    strongest="enumeration",
)
def product_along_the_queries(check: Check) -> None:
    """The protocol played step by step against the printed product."""
    check.enumerate(product_formula, shapes(check), rational=True, routes=("protocol, step by step", "product"))


def post_processed_law(T: int, K: int, policy: int, shift: int) -> tuple[Any, str, Any]:
    """Views whose probability is not that of pi^B run on the list of rewards of the queried arms."""
    pi, ask = kernel(T, K, policy), some_queries(policy + 1, K)
    table, wrapped = some_table(pi, policy), post_processed_policy(pi, ask)
    law, different = interactive_law(pi, ask, table), 0
    for actions in law:
        asked = [(ask(actions[:t]) + shift) % K for t in range(1, T + 1)]
        history = tuple((arm, row[q]) for arm, row, q in zip(actions, table, asked, strict=True))
        probability = Fraction(1)
        for t, arm in enumerate(actions):
            probability *= wrapped.probability(history[:t])[arm]
        different += probability != law[actions]
    return different, "==", 0


@claim(
    "TH-R3.6/post-processed",
    r"$\Pr[\mathrm{View}_{B,\pi,\mathbf x}=\mathbf a]=\prod_t\pi^B_t(a_t\mid a_1,x_{1,q_1+<shift>},\dots,a_{t-1},"
    r"x_{t-1,q_{t-1}+<shift>})$.",
    domain=EVERY_POLICY,
    constants={"shift": 0},
    mutations=[mutation("rewards of the next arm", shift=1)],
    strongest="enumeration",
)
def law_of_the_post_processed_policy(check: Check) -> None:
    """pi^B as a policy of its own, told the rewards of the queried arms."""
    check.enumerate(post_processed_law, shapes(check), rational=True, routes=("protocol, step by step", "pi^B"))


def table_mechanism_of_post_processed(T: int, K: int, policy: int) -> tuple[Any, str, Any]:
    """The law of the view against eq. 3.1 for pi^B, as a number of sequences on which they differ."""
    pi, ask = kernel(T, K, policy), some_queries(policy + 1, K)
    table = some_table(pi, policy)
    view, mechanism = interactive_law(pi, ask, table), table_law(post_processed_policy(pi, ask), table)
    return sum(view[a] != mechanism[a] for a in view), "==", 0


@claim(
    "TH-R3.6/eq-3.1",
    r"Read with eq. 3.1 for $\pi^B$: $\Pr[\mathrm{View}_{B,\pi,\mathbf x}\in S]=\mathcal M^{\pi^B}_{\mathbf x}(S)$.",
    role="reading",
    domain=EVERY_POLICY,
    strongest="enumeration",
)
def view_as_a_table_mechanism(check: Check) -> None:
    """Eq. 3.1 pays pi^B the reward of the arm it plays; the interaction pays that of the arm asked for."""
    points = [{"T": 2, "K": 2, "policy": seed} for seed in range(8)]
    check.search(table_mechanism_of_post_processed, points, rational=True)


# -- Section 3.4: qualities; Proposition 3.13 -----------------------------------------------------------------


def named(check: Check) -> list[dict[str, Any]]:
    special = [{"T": 2, "K": 2, "policy": OFF_PATH}, {"T": 3, "K": 2, "policy": READ_OFF}]
    return with_ratios(shapes(check) + special)


def weaker_within_interactive(T: int, K: int, policy: Any, ratio: Fraction, factor: Fraction) -> tuple[Any, str, Any]:
    pi = some_policy(T, K, policy)
    weaker = max(delta_under("view", pi, ratio), delta_under("table", pi, ratio))
    return weaker, "<=", factor * delta_under("interactive", pi, ratio)


@claim(
    "TH-S3.4",
    r"Interactive DP is stronger than Table and View DP: $\max(\delta_{\rm View},\delta_{\rm Table})\le <factor>\,"
    r"\delta_{\rm Interactive}$ at every $\varepsilon$.",
    domain=EVERY_RATIO,
    constants={"factor": 1},
    mutations=[mutation("factor 0.9", factor="0.9")],
    strongest="enumeration",
)
def stronger_than_table_and_view(check: Check) -> None:
    """Exact deltas of random and of structured policies."""
    check.enumerate(
        weaker_within_interactive, named(check), rational=True, routes=("worst lists and tables", "worst adversary")
    )


def non_compliant(T: int, K: int, policy: Any, ratio: Fraction, factor: Fraction) -> tuple[Any, str, Any]:
    """Users who play a fixed arm whatever is recommended: the worst of them against the worst adversary."""
    pi = some_policy(T, K, policy)
    worst = Fraction(0)
    for arm in range(K):
        law = {table: interactive_law(pi, lambda a, arm=arm: arm, table) for table in reward_tables(pi)}
        for left in law:
            for right in replacements(left, tuple(product(pi.rewards, repeat=K))):
                worst = max(worst, hockey_stick(law[left], law[right], ratio)[0])
    return worst, "<=", factor * delta_under("interactive", pi, ratio)


@claim(
    "TH-S3.4/non-compliant",
    r"Users who ignore the recommendation are protected: with an arm fixed beforehand, $\delta\le "
    r"<factor>\,\delta_{\rm Interactive}$ (while $\delta_{\rm Table}$ may be ten times smaller).",
    domain=EVERY_RATIO,
    constants={"factor": 1},
    mutations=[mutation("a tenth", factor="1/10")],
    strongest="enumeration",
)
def non_compliant_users(check: Check) -> None:
    """All pairs of tables with each fixed arm."""
    points = [
        {"T": 2, "K": 2, "policy": p, "ratio": r} for p in (OFF_PATH, 0, 1, 2) for r in (Fraction(1), Fraction(2))
    ]
    check.enumerate(non_compliant, points, rational=True, routes=("fixed arms", "worst adversary"))


parts_decide(
    "TH-P3.13",
    r"(a) Interactive DP implies Table DP; (b) $\pi$ is Interactive DP iff for every deterministic $B$ the policy "
    r"$\pi^B$, told the rewards of the queried arms, is private on neighbouring tables.",
    domain=EVERY_POLICY,
)


def table_within_interactive(T: int, K: int, policy: Any, ratio: Fraction, factor: Fraction) -> tuple[Any, str, Any]:
    pi = some_policy(T, K, policy)
    table = some_table(pi, 3)
    same = interactive_law(pi, identity_queries, table) == table_law(pi, table)
    return delta_under("table", pi, ratio) + (not same), "<=", factor * delta_under("interactive", pi, ratio)


@claim(
    "TH-P3.13/a",
    r"$\delta_{\rm Table}(\varepsilon)\le <factor>\,\delta_{\rm Interactive}(\varepsilon)$; the adversary that asks "
    r"for the arm played has the law of the table mechanism.",
    domain=EVERY_RATIO,
    constants={"factor": 1},
    mutations=[mutation("factor 0.9", factor="0.9")],
    strongest="enumeration",
)
def interactive_implies_table(check: Check) -> None:
    """Exact deltas, and the identity adversary on a table."""
    check.enumerate(
        table_within_interactive, named(check), rational=True, routes=("worst tables", "worst adversary and tables")
    )


@claim(
    "TH-P3.13/b",
    r"The largest $\delta$ over all deterministic $B$ of $\pi^B$, told the rewards of the queried arms, is $<factor>$ "
    r"times $\delta_{\rm Interactive}$.",
    domain=EVERY_RATIO,
    constants={"factor": 1},
    mutations=[mutation("factor 1.01", factor="1.01", gradual=False)],
    strongest="enumeration",
)
def one_adversary_at_a_time(check: Check) -> None:
    """All adversaries one by one against the worst answers to each prefix."""
    points = [{**p, "ratio": r} for p in SMALL for r in (Fraction(1), Fraction(2))]
    check.enumerate(
        interactive_by_both_routes, points, rational=True, routes=("one adversary at a time", "prefix by prefix")
    )


def post_processed_against_interactive(T: int, K: int, policy: Any, ratio: Fraction) -> tuple[Any, str, Any]:
    pi = some_policy(T, K, policy)
    return delta_under("post-processed", pi, ratio), "<=", delta_under("interactive", pi, ratio)


def interactive_against_post_processed(T: int, K: int, policy: Any, ratio: Fraction) -> tuple[Any, str, Any]:
    pi = some_policy(T, K, policy)
    return delta_under("interactive", pi, ratio), "<=", delta_under("post-processed", pi, ratio)


@claim(
    "TH-P3.13/b-eq-3.1-only-if",
    r"(b) read with eq. 3.1 for $\pi^B$: if $\pi$ is $(\varepsilon,\delta)$-Interactive DP then every $\pi^B$ is "
    r"$(\varepsilon,\delta)$-Table DP.",
    role="reading",
    domain=EVERY_RATIO,
    strongest="enumeration",
)
def literal_only_if(check: Check) -> None:
    """Eq. 3.1 pays by the arm played while B may ask for one and the same arm: rewards depend on more than queries.

    Where an adversary asks for arm 0 at the second step, the table mechanism of pi^B still pays two different rewards.
    """
    point = {"T": 3, "K": 2, "policy": READ_OFF, "ratio": Fraction(1)}
    check.counterexample(post_processed_against_interactive, point, rational=True)


@claim(
    "TH-P3.13/b-eq-3.1-if",
    r"(b) read with eq. 3.1 for $\pi^B$: if every $\pi^B$ is $(\varepsilon,\delta)$-Table DP then $\pi$ is "
    r"$(\varepsilon,\delta)$-Interactive DP.",
    role="reading",
    domain=EVERY_RATIO,
    strongest="enumeration",
)
def literal_if(check: Check) -> None:
    """From T = 4 on an adversary makes the third reward depend on the second action, eq. 3.1 on the third only."""
    point = {"T": 4, "K": 2, "policy": READ_OFF, "ratio": Fraction(1)}
    check.counterexample(interactive_against_post_processed, point, rational=True)


# -- Remark 3.14: randomised adversaries ----------------------------------------------------------------------


def mixed_adversary(T: int, K: int, policy: int, ratio: Fraction, weight: Fraction, factor: Fraction) -> Any:
    """delta of an adversary that draws one of two query rules, the worst one with the given weight."""
    left, right = _mixed_laws(T, K, policy, ratio, weight)
    return (
        hockey_stick(left, right, ratio)[0],
        "<=",
        factor * delta_under("interactive", kernel(T, K, policy), ratio),
    )


def _mixed_laws(T: int, K: int, policy: int, ratio: Fraction, weight: Fraction) -> list[dict[Any, Fraction]]:
    pi = kernel(T, K, policy)
    worst = largest_delta(pi, "interactive", ratio).inputs
    last = ((pi.rewards[0],) * K,)
    ask, tables = some_queries(policy, K), [tuple(step[side] for step in worst.steps) + last for side in (0, 1)]
    laws = []
    for certain, table in zip(worst.laws(pi), tables, strict=True):
        other = interactive_law(pi, ask, table)
        laws.append({a: weight * certain[a] + (1 - weight) * other[a] for a in certain})
    return laws


WEIGHTS = (Fraction(0), Fraction(1, 3), Fraction(1))


@claim(
    "TH-R3.14",
    r"Deterministic adversaries suffice: one that draws its queries has $\delta\le <factor>\,\delta_{\rm "
    r"Interactive}$, the largest over deterministic ones.",
    domain=EVERY_RATIO.restrict(weight="[0, 1]"),
    constants={"factor": 1},
    mutations=[mutation("factor 0.9", factor="0.9")],
    strongest="enumeration",
)
def deterministic_adversaries(check: Check) -> None:
    """Mixtures of the worst adversary and another one; the hockey-stick divergence is jointly convex."""
    points = [{**p, "weight": w} for p in with_ratios(shapes(check)) for w in WEIGHTS]
    check.enumerate(mixed_adversary, points, rational=True, routes=("randomised adversary", "worst deterministic one"))


def mixed_moment(T: int, K: int, policy: int, order: Fraction, weight: Fraction, factor: Fraction) -> Any:
    import flint

    left, right = _mixed_laws(T, K, policy, Fraction(1), weight)
    worst = largest_divergence(kernel(T, K, policy), "interactive", order)[0]
    return renyi_divergence(left, right, order), "<=", to_ball(factor) * worst + flint.arb(2) ** -40


@claim(
    "TH-R3.14/zcdp",
    r"The same for Rényi divergences: $D_\alpha\le <factor>$ times the largest over deterministic adversaries.",
    domain=EVERY_POLICY.restrict(order="(1, inf)", weight="[0, 1]"),
    constants={"factor": 1},
    mutations=[mutation("a half", factor="1/2")],
    strongest="enumeration",
)
def deterministic_adversaries_for_zcdp(check: Check) -> None:
    """Mixtures again; divergences are quasi-convex. Weight one on the worst adversary shows the mutation."""
    points = [
        {"T": 2, "K": 2, "policy": s, "order": o, "weight": w}
        for s in (0, 1, 3)
        for o in (Fraction(11, 10), Fraction(2), Fraction(7))
        for w in WEIGHTS
    ]
    check.enumerate(mixed_moment, points, rational=True, routes=("randomised adversary", "worst deterministic one"))
