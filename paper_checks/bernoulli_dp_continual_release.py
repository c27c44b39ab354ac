"""Appendix B of the Bernoulli paper: privacy under adaptive continual release, and how the definitions compare."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.bernoulli_dp_definitions import EVERY_POLICY, delta, kernel, shapes
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, not_checkable, parts_decide
from banditproof.theory.numeric import to_ball
from banditproof.verify import enumeration, output_laws
from banditproof.verify.channels import hockey_stick, renyi_divergence
from banditproof.verify.kernels import (
    FiniteKernel,
    adversaries,
    adversary_from_tables,
    kernel_separating_table_from_acr,
    kernel_separating_view_from_table,
    random_law,
    reward_tables,
)

# -- adaptive continual release -------------------------------------------------------------------------------


def channels_at_the_challenge(T: int, K: int, policy: int, changes: int) -> tuple[Any, str, Any]:
    """How many rewards differ between the two sides, at most, over random adversaries, actions and challenges."""
    pi, worst = kernel(T, K, policy), 0
    for time in range(1, T + 1):
        feed = random_adversary(pi, policy)
        for actions in pi.action_sequences():
            sides = (output_laws.fed_rewards(feed, actions, time, side) for side in "LR")
            worst = max(worst, sum(a != b for a, b in zip(*sides, strict=True)))
    return worst, "<=", changes


def random_adversary(pi: FiniteKernel, seed: int) -> Any:
    """An adversary that draws both rewards from the alphabet, from the seed and the actions so far."""

    def feed(actions: tuple[int, ...]) -> tuple[Any, Any]:
        return tuple(pi.rewards[_position(seed, side, actions, len(pi.rewards))] for side in "LR")  # type: ignore[return-value]

    return feed


def _position(seed: int, side: str, actions: tuple[int, ...], size: int) -> int:
    law = random_law(seed, (side, actions), size, 0, 10**6)
    return law.index(max(law))


@claim(
    "BDP-DB.1",
    r"A reward-feeding adversary answers each action prefix with a pair $(r^L_t, r^R_t)$; the "
    r"policy sees the left one except at the challenge time, so the two sides differ in at most "
    r"$<changes>$ reward.",
    domain=EVERY_POLICY,
    constants={"changes": 1},
    mutations=[mutation("no reward differs", changes=0)],
    strongest="enumeration",
)
def reward_feeding_adversary(check: Check) -> None:
    """Random adversaries on every action sequence and challenge time."""
    check.enumerate(
        channels_at_the_challenge,
        shapes(check),
        rational=True,
        routes=("rewards fed on the two sides", "Hamming distance"),
    )


def swapped_sides_agree(T: int, K: int, policy: int, ratio: Fraction, factor: int) -> tuple[Any, str, Any]:
    pi = kernel(T, K, policy)
    pairs = [
        tuple(output_laws.acr_law(pi, a, time, s) for s in "LR")
        for time in range(1, T + 1)
        for a in adversaries(pi, time)
    ]
    left = max(hockey_stick(p, q, ratio)[0] for p, q in pairs)
    return left, "==", factor * max(hockey_stick(q, p, ratio)[0] for p, q in pairs)


@claim(
    "BDP-DB.2",
    r"$(\epsilon,\delta)$ adaptive continual release: $\sup_{t^\star}\Pr[\mathrm{View}^L\in S] - "
    r"e^\epsilon \Pr[\mathrm{View}^R\in S] \le \delta$; one direction suffices, the sides may be "
    r"swapped (factor $<factor>$).",
    domain=EVERY_POLICY.restrict(ratio="[1, inf)"),
    constants={"factor": 1},
    mutations=[mutation("factor 1.01", factor="1.01")],
    strongest="enumeration",
)
def adaptive_continual_release(check: Check) -> None:
    """Every adversary on small policies, in both directions."""
    points = [{"T": 2, "K": 2, "policy": seed, "ratio": r} for seed in (0, 2, 4) for r in (Fraction(1), Fraction(3, 2))]
    check.enumerate(swapped_sides_agree, points, rational=True, routes=("left against right", "right against left"))


def law_against_fed_lists(T: int, K: int, policy: int, shift: int) -> tuple[Any, str, Any]:
    """How many probabilities differ between the protocol played step by step and the view law of the fed list."""
    pi, different = kernel(T, K, policy), 0
    feed = random_adversary(pi, policy)
    for time in range(1, T + 1):
        for side in "LR":
            law = output_laws.acr_law(pi, feed, time, side)
            for actions in pi.action_sequences():
                fed = output_laws.fed_rewards(feed, actions, min(T, time + shift), side)
                different += law.get(actions, 0) != output_laws.path_probability(pi, actions, fed)
    return different, "==", 0


@claim(
    "BDP-RB.3",
    r"$\Pr[\mathrm{View}^{b,t^\star}=\mathbf a] = \mathcal V^\pi(\mathbf a\mid \mathcal "
    r"A^{b,t^\star+<shift>}(\mathbf a))$, and the two lists are neighbours.",
    domain=EVERY_POLICY,
    constants={"shift": 0},
    mutations=[mutation("challenge one step later", shift=1)],
    strongest="enumeration",
)
def view_of_the_adversary(check: Check) -> None:
    """The protocol played step by step against the product of the policy's probabilities along the fed rewards."""
    check.enumerate(
        law_against_fed_lists,
        shapes(check),
        rational=True,
        routes=("protocol, step by step", "view law of the fed list"),
    )


def worst_tree(T: int, K: int, policy: int, factor: int) -> tuple[Any, str, Any]:
    pi = kernel(T, K, policy)
    return (
        delta(enumeration.acr_delta(pi, Fraction(1))),
        "==",
        factor * delta(enumeration.acr_delta_over_adversaries(pi, Fraction(1))),
    )


@claim(
    "BDP-RB.4",
    r"An adversary is a reward tree of depth $T$: privacy means that two trees which differ in "
    r"one depth cannot be told apart (worst tree, factor $<factor>$).",
    domain=EVERY_POLICY,
    constants={"factor": 1},
    mutations=[mutation("factor 1.01", factor="1.01")],
    strongest="enumeration",
)
def adversaries_as_trees(check: Check) -> None:
    """The worst tree built prefix by prefix against the maximum over every adversary."""
    points = [{"T": T, "K": K, "policy": 2 * s} for T, K in ((1, 2), (2, 2), (2, 3)) for s in range(4)]
    check.enumerate(
        worst_tree, points, rational=True, routes=("worst tree, prefix by prefix", "maximum over all adversaries")
    )


def adversary_of_two_tables(T: int, K: int, policy: int, row: int) -> tuple[Any, str, Any]:
    """Probabilities that differ between the protocol against the adversary of two tables and the tables themselves."""
    pi, different = kernel(T, K, policy), 0
    tables = list(reward_tables(pi))
    left = tables[policy % len(tables)]
    for time in range(1, T + 1):
        other = tuple(pi.rewards[(pi.rewards.index(r) + 1) % len(pi.rewards)] for r in left[time - 1])
        right = (*left[: time - 1], other, *left[time:])
        feed = adversary_from_tables(left, right)
        challenge = 1 + (time - 1 + row) % T
        for side, table in (("L", left), ("R", right)):
            law, direct = output_laws.acr_law(pi, feed, challenge, side), output_laws.table_law(pi, table)
            different += sum(law.get(a, 0) != direct[a] for a in pi.action_sequences())
    return different, "==", 0


@claim(
    "BDP-SB.1",
    r"With $\mathcal A(\mathbf x,\mathbf x')_t(a_{1:t}) = (x_{t,a_t}, x'_{t,a_t})$ and tables "
    r"that differ in row $t^\star+<row>$, the two views are $\mathcal M^\pi_{\mathbf x}$ and "
    r"$\mathcal M^\pi_{\mathbf x'}$.",
    domain=EVERY_POLICY,
    constants={"row": 0},
    mutations=[mutation("the tables differ in another row", row=1)],
    strongest="enumeration",
)
def tables_as_adversaries(check: Check) -> None:
    """Both laws computed as they are defined."""
    check.enumerate(
        adversary_of_two_tables,
        shapes(check),
        rational=True,
        routes=("protocol against the adversary", "table mechanism"),
    )


parts_decide(
    "BDP-PB.5",
    r"(a) Adaptive continual release privacy implies Table privacy for any variant of privacy; "
    r"(b) for pure $\epsilon$-DP, adaptive continual release, Table and View privacy are the same.",
    domain=EVERY_POLICY,
    twins=["TH-P3.15"],
)


def implied_delta(T: int, K: int, policy: int, ratio: Fraction, factor: int) -> tuple[Any, str, Any]:
    pi = kernel(T, K, policy)
    return delta(enumeration.table_delta(pi, ratio)), "<=", factor * delta(enumeration.acr_delta(pi, ratio))


@claim(
    "BDP-PB.5/a-approximate",
    r"$\delta_{\rm Table}(\epsilon) \le <factor>\,\delta_{\rm ACR}(\epsilon)$ for every "
    r"$\epsilon\ge0$ ($e^\epsilon$ is called ratio).",
    domain=EVERY_POLICY.restrict(ratio="[1, inf)"),
    constants={"factor": 1},
    mutations=[mutation("factor 0.9", factor="0.9")],
    strongest="enumeration",
)
def release_implies_table(check: Check) -> None:
    """The worst reward tree against all neighbouring tables, in rationals."""
    ratios = [Fraction(1), Fraction(3, 2), Fraction(3)]
    check.enumerate(
        implied_delta,
        [{**p, "ratio": r} for p in shapes(check) for r in ratios],
        rational=True,
        routes=("all neighbouring tables", "worst reward tree"),
    )


def implied_moment(T: int, K: int, policy: int, order: Fraction, factor: int) -> tuple[Any, str, Any]:
    """Rényi divergences: the largest over neighbouring tables against the largest over adversaries."""
    import flint

    pi = kernel(T, K, policy)
    law = {t: output_laws.table_law(pi, t) for t in reward_tables(pi)}
    tables = [renyi_divergence(law[a], law[b], order) for a in law for b in law if _rows_apart(a, b) == 1]
    trees = [
        renyi_divergence(output_laws.acr_law(pi, a, time, "L"), output_laws.acr_law(pi, a, time, "R"), order)
        for time in range(1, T + 1)
        for a in adversaries(pi, time)
    ]
    slack = flint.arb(2) ** -100  # equal divergences are equal up to rounding
    return _largest(tables), "<=", to_ball(factor) * _largest(trees) + slack


def _rows_apart(left: Any, right: Any) -> int:
    return sum(a != b for a, b in zip(left, right, strict=True))


def _largest(values: list[Any]) -> Any:
    largest = values[0]
    for value in values:
        largest = largest.max(value)
    return largest


@claim(
    "BDP-PB.5/a-zcdp",
    r"$\max D_\alpha(\mathcal M_{\mathbf x}\|\mathcal M_{\mathbf x'}) \le <factor> \max "
    r"D_\alpha(\mathrm{View}^L\|\mathrm{View}^R)$ for every order $\alpha>1$: $\rho$-zCDP carries "
    r"over.",
    domain=EVERY_POLICY.restrict(order="(1, inf)"),
    constants={"factor": 1},
    mutations=[mutation("factor 0.9", factor="0.9")],
    strongest="enumeration",
)
def release_implies_table_for_zcdp(check: Check) -> None:
    """Rényi divergences in balls over every adversary and every pair of neighbouring tables."""
    points = [{"T": 2, "K": 2, "policy": s, "order": o} for s in (0, 4, 6) for o in (Fraction(3, 2), Fraction(4))]
    check.enumerate(implied_moment, points, rational=True, routes=("all neighbouring tables", "all adversaries"))


def three_definitions(T: int, K: int, policy: int, measure: str) -> tuple[Any, str, Any]:
    """The spread between the three: largest minus smallest, of e^epsilon or of delta at epsilon = 0."""
    pi = kernel(T, K, policy)
    if measure == "pure":
        values = [f(pi).ratio for f in (enumeration.view_epsilon, enumeration.table_epsilon, enumeration.acr_epsilon)]
        return min(values), "==", max(values)
    worst = (enumeration.view_delta, enumeration.table_delta, enumeration.acr_delta)
    deltas = [delta(find(pi, Fraction(1))) for find in worst]
    return min(deltas), "==", max(deltas)


@claim(
    "BDP-PB.5/b-pure",
    r"For <measure> privacy the three definitions give the same tightest $\epsilon$.",
    domain=EVERY_POLICY,
    constants={"measure": "pure"},
    mutations=[mutation("approximate instead of pure privacy", measure="approximate")],
    strongest="enumeration",
)
def three_definitions_agree(check: Check) -> None:
    """The largest likelihood ratio over lists, tables and reward trees."""
    check.enumerate(
        three_definitions, shapes(check), rational=True, routes=("smallest of the three", "largest of the three")
    )


# -- strictness -----------------------------------------------------------------------------------------------


parts_decide(
    "BDP-SB.2",
    "In general adaptive continual release privacy is stronger than Table privacy, and that "
    "stronger than View privacy; composite events break the equivalence for approximate privacy.",
)


def gap_between_view_and_table(data: dict[str, str], factor: int) -> tuple[Any, str, Any]:
    pi, ratio = kernel_separating_view_from_table(), Fraction(data["ratio"])
    return delta(enumeration.view_delta(pi, ratio)) * factor, "<", delta(enumeration.table_delta(pi, ratio))


def gap_between_table_and_release(data: dict[str, str], factor: int) -> tuple[Any, str, Any]:
    pi, ratio = kernel_separating_table_from_acr(), Fraction(data["ratio"])
    return delta(enumeration.table_delta(pi, ratio)) * factor, "<", delta(enumeration.acr_delta(pi, ratio))


def view_below_table(factor: int) -> tuple[Any, str, Any]:
    return gap_between_view_and_table({"ratio": "1"}, factor)


def table_below_release(factor: int) -> tuple[Any, str, Any]:
    return gap_between_table_and_release({"ratio": "1"}, factor)


@claim(
    "BDP-SB.2/table-above-view",
    r"There is a policy with $\delta_{\rm Table} > <factor>\,\delta_{\rm View}$.",
    constants={"factor": 1},
    mutations=[mutation("factor 2", factor="2.0")],
    strongest="certificate",
)
def table_is_stricter(check: Check) -> None:
    """A policy whose second decision reads the first reward in two ways, chosen by the first action."""
    check.certificate(
        gap_between_view_and_table, {"ratio": "1"}, routes=("exact delta over lists", "exact delta over tables")
    )
    check.counterexample(view_below_table, {}, rational=True)


@claim(
    "BDP-SB.2/release-above-table",
    r"There is a policy with $\delta_{\rm ACR} > <factor>\,\delta_{\rm Table}$.",
    constants={"factor": 1},
    mutations=[mutation("factor 2", factor="2.0")],
    strongest="certificate",
)
def release_is_stricter(check: Check) -> None:
    """A policy whose last decision reads the second reward in a way chosen by the first action."""
    check.certificate(
        gap_between_table_and_release,
        {"ratio": "1"},
        routes=("exact delta over tables", "exact delta over reward trees"),
    )
    check.counterexample(table_below_release, {}, rational=True)


not_checkable(
    "BDP-FigB",
    "Figures 2 and 3 draw the protocol and a reward tree for three steps and two arms.",
    "no statement",
    "a statement about what the diagrams show",
)
