"""Sections 3.3 and 3.6 of the thesis: privacy of a policy on tables and on lists of rewards, and between the two."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.bernoulli_dp_definitions import (
    EVERY_POLICY,
    kernel,
    shapes,
    total_mass_on_lists,
    total_mass_on_tables,
)
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.verify import output_laws
from banditproof.verify.enumeration import table_delta, view_delta
from banditproof.verify.kernels import FiniteKernel, kernel_separating_view_from_table, reward_lists, reward_tables
from banditproof.verify.policy_privacy import largest_delta

RATIOS = (Fraction(1), Fraction(3, 2), Fraction(3))  # values of e^epsilon
EVERY_RATIO = EVERY_POLICY.restrict(ratio="[1, inf)")


def delta_under(notion: str, pi: FiniteKernel, ratio: Fraction) -> Fraction:
    """The smallest delta at e^epsilon = ratio."""
    return largest_delta(pi, notion, ratio).excess(ratio)


def with_ratios(points: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**point, "ratio": ratio} for point in points for ratio in RATIOS]


# -- the two mechanisms ---------------------------------------------------------------------------------------


@claim(
    "TH-EQ3.1",
    r"$\sum_{\mathbf a}\mathcal M^\pi_{\mathbf x}(\mathbf a) = <mass>$ for every table $\mathbf x$ of rewards.",
    domain=EVERY_POLICY,
    constants={"mass": 1},
    mutations=[mutation("mass 0.99", mass="0.99")],
    twins=["BDP-D2.2b"],
    strongest="enumeration",
)
def table_mechanism(check: Check) -> None:
    """All probabilities of action sequences are added up in rationals."""
    check.enumerate(total_mass_on_tables, shapes(check), rational=True, routes=("sum of the law", "one"))


@claim(
    "TH-EQ3.2",
    r"$\sum_{\mathbf a}\mathcal V^\pi_{\mathbf r}(\mathbf a) = <mass>$ for every list $\mathbf r$ of rewards.",
    domain=EVERY_POLICY,
    constants={"mass": 1},
    mutations=[mutation("mass 0.99", mass="0.99")],
    twins=["BDP-D2.2c"],
    strongest="enumeration",
)
def view_mechanism(check: Check) -> None:
    """All probabilities of action sequences are added up in rationals."""
    check.enumerate(total_mass_on_lists, shapes(check), rational=True, routes=("sum of the law", "one"))


def worst_table_event(T: int, K: int, policy: int, ratio: Fraction, factor: int) -> tuple[Any, str, Any]:
    pi = kernel(T, K, policy)
    return delta_under("table", pi, ratio), "==", factor * table_delta(pi, ratio).delta  # type: ignore[operator]


@claim(
    "TH-D3.2",
    r"$\pi$ is $(\varepsilon,\delta)$-Table DP iff $\mathcal M^\pi$ is $(\varepsilon,\delta)$-DP: the smallest "
    r"$\delta$ found prefix by prefix is $<factor>$ times the one over all pairs of neighbouring tables.",
    domain=EVERY_RATIO,
    constants={"factor": 1},
    mutations=[mutation("factor 1.01", factor="1.01")],
    twins=["BDP-D2.3"],
    strongest="enumeration",
)
def table_privacy(check: Check) -> None:
    """Two programs for the same definition."""
    check.enumerate(
        worst_table_event, with_ratios(shapes(check)), rational=True, routes=("prefix by prefix", "all pairs of tables")
    )


def worst_list_event(T: int, K: int, policy: int, ratio: Fraction, factor: int) -> tuple[Any, str, Any]:
    pi = kernel(T, K, policy)
    return delta_under("view", pi, ratio), "==", factor * view_delta(pi, ratio).delta  # type: ignore[operator]


@claim(
    "TH-D3.3",
    r"$\pi$ is $(\varepsilon,\delta)$-View DP iff $\mathcal V^\pi$ is $(\varepsilon,\delta)$-DP: the smallest $\delta$ "
    r"found prefix by prefix is $<factor>$ times the one over all pairs of neighbouring lists.",
    domain=EVERY_RATIO,
    constants={"factor": 1},
    mutations=[mutation("factor 1.01", factor="1.01")],
    twins=["BDP-D2.3"],
    strongest="enumeration",
)
def view_privacy(check: Check) -> None:
    """Two programs for the same definition."""
    check.enumerate(
        worst_list_event, with_ratios(shapes(check)), rational=True, routes=("prefix by prefix", "all pairs of lists")
    )


# -- where the two differ -------------------------------------------------------------------------------------

parts_decide(
    "TH-R3.4",
    r"On an event of several action sequences $\mathcal V^\pi_{\mathbf r}$ uses one list of rewards, $\mathcal "
    r"M^\pi_{\mathbf x}$ the list of each sequence, and this makes the definitions differ.",
    domain=EVERY_POLICY,
)


def trajectory_lists(T: int, K: int, policy: int, step: int) -> tuple[Any, str, Any]:
    """Pairs of sequences whose table probability is not the sum over their own lists (``step`` rows later)."""
    pi, different = kernel(T, K, policy), 0
    table = list(reward_tables(pi))[(7 * policy + 3) % len(list(reward_tables(pi)))]
    law = output_laws.table_law(pi, table)
    for a in law:
        for b in law:
            lists = [tuple(table[(t + step) % T][arm] for t, arm in enumerate(word)) for word in {a, b}]
            parts = zip({a, b}, lists, strict=True)
            summed = sum(output_laws.view_law(pi, rewards)[word] for word, rewards in parts)
            different += summed != sum(law[word] for word in {a, b})
    return different, "==", 0


@claim(
    "TH-R3.4/events",
    r"$\mathcal M^\pi_{\mathbf x}(\{\mathbf a,\mathbf b\}) = \mathcal V^\pi_{(x_{t+<step>,a_t})_t}(\mathbf a) + "
    r"\mathcal V^\pi_{(x_{t+<step>,b_t})_t}(\mathbf b)$.",
    domain=EVERY_POLICY,
    constants={"step": 0},
    mutations=[mutation("rewards of the next user", step=1)],
    strongest="enumeration",
)
def each_sequence_has_its_list(check: Check) -> None:
    """Both sides in rationals, for every pair of sequences."""
    check.enumerate(trajectory_lists, shapes(check), rational=True, routes=("table mechanism", "view mechanism"))


def view_below_table(data: dict[str, str], factor: Fraction) -> tuple[Any, str, Any]:
    pi, ratio = kernel_separating_view_from_table(), Fraction(data["ratio"])
    return factor * delta_under("view", pi, ratio), "<", delta_under("table", pi, ratio)


def view_below_table_there(factor: Fraction) -> tuple[Any, str, Any]:
    return view_below_table({"ratio": "1"}, factor)


@claim(
    "TH-R3.4/gap",
    r"There is a policy with $T = K = 2$ and $\delta_{\rm Table} > <factor>\,\delta_{\rm View}$.",
    constants={"factor": 1},
    mutations=[mutation("factor 3/2", factor="3/2")],
    strongest="certificate",
)
def composite_events_tell_the_two_apart(check: Check) -> None:
    """A second decision that reads the first reward in two ways, chosen by the first action."""
    check.certificate(view_below_table, {"ratio": "1"}, routes=("exact delta over lists", "exact delta over tables"))
    check.counterexample(view_below_table_there, {}, rational=True)


# -- the two reductions ---------------------------------------------------------------------------------------


def lists_as_tables(T: int, K: int, policy: int, shift: int) -> tuple[Any, str, Any]:
    """Lists whose law differs from the law of their table, plus neighbours whose tables are not neighbours."""
    pi, different = kernel(T, K, policy), 0
    lists = list(reward_lists(pi))
    for rewards in lists:
        table = tuple((rewards[(t + shift) % T],) * K for t in range(T))
        different += output_laws.view_law(pi, rewards) != output_laws.table_law(pi, table)
        for other in lists:
            rows = sum((r,) * K != (s,) * K for r, s in zip(rewards, other, strict=True))
            different += rows != sum(r != s for r, s in zip(rewards, other, strict=True))
    return different, "==", 0


@claim(
    "TH-S3.Red1",
    r"With $x(r)_{t,a} = r_{t+<shift>}$ for all $a$: $\mathcal V^\pi_r = \mathcal M^\pi_{x(r)}$, and neighbouring "
    r"lists become neighbouring tables.",
    domain=EVERY_POLICY,
    constants={"shift": 0},
    mutations=[mutation("rewards of the next user", shift=1)],
    strongest="enumeration",
)
def from_lists_to_tables(check: Check) -> None:
    """Both laws for every list."""
    check.enumerate(lists_as_tables, shapes(check), rational=True, routes=("view mechanism", "table mechanism"))


def tables_as_lists(T: int, K: int, policy: int, shift: int) -> tuple[Any, str, Any]:
    """Sequences whose table probability is not that of their list, plus lists that differ in more places than rows."""
    pi, different = kernel(T, K, policy), 0
    tables = list(reward_tables(pi))
    for k in range(min(8, len(tables))):
        table, other = tables[(5 * k + policy) % len(tables)], tables[(3 * k + 1) % len(tables)]
        law = output_laws.table_law(pi, table)
        for a in law:
            lists = [tuple(x[t][(arm + shift) % K] for t, arm in enumerate(a)) for x in (table, other)]
            different += law[a] != output_laws.path_probability(pi, a, lists[0])
            different += sum(r != s for r, s in zip(*lists, strict=True)) > _rows_apart(table, other)
    return different, "==", 0


def _rows_apart(left: Any, right: Any) -> int:
    return sum(x != y for x, y in zip(left, right, strict=True))


@claim(
    "TH-S3.Red2",
    r"With $r(\mathbf x,\mathbf a)_t = x_{t,a_t+<shift>}$: $\mathcal M^\pi_{\mathbf x}(\mathbf a) = \mathcal V^\pi_{r("
    r"\mathbf x,\mathbf a)}(\mathbf a)$, and neighbouring tables become neighbouring lists.",
    domain=EVERY_POLICY,
    constants={"shift": 0},
    mutations=[mutation("rewards of the next arm", shift=1)],
    strongest="enumeration",
)
def from_tables_to_lists(check: Check) -> None:
    """Both probabilities for every sequence on several tables (the print writes d for x once)."""
    check.enumerate(tables_as_lists, shapes(check), rational=True, routes=("table mechanism", "view mechanism"))
