"""The binary tree mechanism of Section 2.1.5 of the thesis, with Figure 2.2: nodes, privacy and error.

With T = 2^d leaves the complete tree has d + 1 levels. The printed log T is read with base 2 where a number is
counted, which is the largest of the usual readings; with the natural logarithm the printed noise is smaller still.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.thesis_continual_counting import (
    RUNS,
    change_of_releases,
    follows_its_law,
    spends_its_budget,
    tree_nodes,
)
from banditproof.paper_checks.thesis_privacy_definitions import Sides
from banditproof.theory.continual_counting import ErrorLaw, counting_error, dyadic_cover
from banditproof.theory.numeric import exp, log, sqrt, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

TREE = "binary tree"
LEVELS = Domain.of(levels="integer [1, inf)")  # T = 2^levels
LEAVES = Domain.of(levels="integer [1, inf)", t="integer [1, inf)", where=["t <= 2**levels"])

parts_decide(
    "TH-A2.BT",
    r"The binary tree mechanism: every $t$ is in at most $\log T$ p-sums, so that "
    r"$\mathrm{Lap}(\log(T)/\varepsilon)$ on every "
    r"node is $\varepsilon$-DP; a prefix is a sum of $O(\log T)$ nodes; the error per step is "
    r"$O(\log(T)^{3/2}/\varepsilon)$.",
)


def leaves(check: Check, highest: int) -> list[dict[str, Any]]:
    return [{"levels": d, "t": t} for d in range(1, check.pick(highest, highest + 3)) for t in range(1, 2**d + 1)]


def p_sums_of_a_leaf(levels: int, t: int, extra: int) -> Sides:
    """The nodes of the complete tree that contain step t (the index t - 1), against log2(T) + extra."""
    return sum(i <= t - 1 < j for i, j in tree_nodes(2**levels)), "<=", levels + extra


@claim(
    "TH-A2.BT/levels",
    r"(a) Every time step appears in at most $\log_2T+<extra>$ p-sums, 'the p-sums corresponding to each node in the "
    r"tree'.",
    domain=LEAVES, constants={"extra": 0}, strongest="enumeration",
)  # fmt: skip
def levels_as_printed(check: Check) -> None:
    """In Figure 2.2, with T = 8, step 1 is in [1,1], [1,2], [1,4] and [1,8]: the leaf and the root are nodes too."""
    check.counterexample(p_sums_of_a_leaf, {"levels": 3, "t": 1})


@claim(
    "TH-A2.BT/levels-with-leaf-and-root",
    r"Every time step appears in $\log_2T+<extra>$ p-sums of the complete tree.",
    role="repair", repairs="TH-A2.BT/levels", domain=LEAVES, constants={"extra": 1},
    mutations=[mutation("one less", extra=0)], strongest="enumeration",
)  # fmt: skip
def levels_of_the_complete_tree(check: Check) -> None:
    check.enumerate(p_sums_of_a_leaf, leaves(check, 7), routes=("count of nodes", "levels of the tree"))


def tree_budget(levels: int, epsilon: Any, extra: Any, root: int) -> Sides:
    """The l1 change of all nodes (without the root if root is 0), against the scale, both times epsilon.

    Change over scale is the largest log-ratio of the densities of the released tree, attained where all outputs lie to
    one side; the scale is (log2 T + extra)/epsilon.
    """
    change = change_of_releases(2**levels, TREE) - (1 - root)
    return change * epsilon, "<=", (levels + extra) * epsilon


TREE_BUDGETS = Domain.of(levels="integer [0, inf)", epsilon="(0, inf)")


@claim(
    "TH-A2.BT/privacy",
    r"Noise of scale $(\log_2T+<extra>)/\varepsilon$ on each p-sum makes the release of the whole tree "
    r"$\varepsilon$-DP.",
    domain=TREE_BUDGETS, constants={"extra": 0, "root": 1}, strongest="enumeration",
)  # fmt: skip
def privacy_of_the_tree_as_printed(check: Check) -> None:
    """One bit moves log2(T) + 1 nodes by one: for T = 8 the tight budget is 4/3 of epsilon."""
    check.counterexample(tree_budget, {"levels": 3, "epsilon": Fraction(1)}, rational=True)


def positive_scale(levels: int, epsilon: Any, extra: int) -> Sides:
    return (levels + extra) / epsilon, ">", 0


@claim(
    "TH-A2.BT/one-step",
    r"For $T=1$ the scale $(\log T+<extra>)/\varepsilon$ is positive, so that there is noise at all.",
    role="edge", domain=TREE_BUDGETS.restrict(levels=[0]), constants={"extra": 0}, strongest="enumeration",
)  # fmt: skip
def noise_for_one_step(check: Check) -> None:
    """log 1 = 0 in every base: the bit itself is released."""
    check.counterexample(positive_scale, {"levels": 0, "epsilon": Fraction(1)}, rational=True)


@claim(
    "TH-A2.BT/one-step-with-one-level-more",
    r"For every $T\ge1$ the scale $(\log_2T+<extra>)/\varepsilon$ is positive.",
    role="repair", repairs="TH-A2.BT/one-step", domain=TREE_BUDGETS, constants={"extra": 1},
    mutations=[mutation("as printed", extra=0)], strongest="symbolic",
)  # fmt: skip
def noise_for_every_horizon(check: Check) -> None:
    check.symbolic(positive_scale, positive_scale_argument, routes=("scale", "zero"))


def positive_scale_argument(extra: int) -> SymbolicArgument:
    import sympy

    levels, epsilon = sympy.Symbol("levels", integer=True, nonnegative=True), sympy.Symbol("epsilon", positive=True)
    return SymbolicArgument({"levels": levels, "epsilon": epsilon}, (levels + extra) / epsilon, "positive")


@claim(
    "TH-A2.BT/privacy-with-one-level-more",
    r"Noise of scale $(\log_2T+<extra>)/\varepsilon$ on each p-sum makes the release of the whole tree "
    r"$\varepsilon$-DP.",
    role="repair", repairs="TH-A2.BT/privacy", domain=TREE_BUDGETS, constants={"extra": 1, "root": 1},
    mutations=[mutation("as printed", extra=0)], strongest="enumeration",
)  # fmt: skip
def privacy_of_the_tree(check: Check) -> None:
    """All streams and all flips, exactly."""
    grid = {"levels": check.pick([0, 1, 2, 3], [0, 1, 2, 3, 4]), "epsilon": ["1/10", "1", "5"]}
    check.enumerate(tree_budget, grid, rational=True, routes=("all streams and flips", "budget"))


@claim(
    "TH-A2.BT/privacy-without-the-root",
    r"Scale $(\log_2T+<extra>)/\varepsilon$ suffices if the root is not released: $[1,T]$ is the sum of its two "
    r"halves.",
    role="repair", repairs="TH-A2.BT/privacy", domain=TREE_BUDGETS, constants={"extra": 0, "root": 0},
    mutations=[mutation("with the root", root=1)], strongest="enumeration",
)  # fmt: skip
def privacy_without_the_root(check: Check) -> None:
    grid = {"levels": [1, 2, 3], "epsilon": ["1/10", "1", "5"]}
    check.enumerate(tree_budget, grid, rational=True, routes=("all streams and flips", "budget"))


def cover_of_a_prefix(levels: int, t: int, factor: Any) -> Sides:
    """How many nodes the cover of [1, t] has; the whole tree's size where it is no partition by nodes."""
    nodes, cover = set(tree_nodes(2**levels)), dyadic_cover(t)
    ends = [0, *(j for _, j in cover)]
    is_partition = all(part in nodes for part in cover) and [i for i, _ in cover] == ends[:-1] and ends[-1] == t
    return len(cover) if is_partition else len(nodes), "<=", factor * levels


@claim(
    "TH-A2.BT/prefixes",
    r"(b) Every $[1,t]$ is a union of at most $<factor>\log_2T$ disjoint nodes (for $T\ge2$).",
    domain=LEAVES, constants={"factor": 1}, mutations=[mutation("a half", factor="1/2")], strongest="enumeration",
)  # fmt: skip
def nodes_of_a_prefix(check: Check) -> None:
    """One node for each binary digit 1 of t: at most log2 T for t < T, and one for t = T."""
    check.enumerate(cover_of_a_prefix, leaves(check, 8), rational=True, routes=("explicit cover", "log2 T"))


def figure_cover(t: int, parts: Any) -> Sides:
    return sum((i + 1, j) == tuple(part) for (i, j), part in zip(dyadic_cover(t), parts, strict=True)), "==", len(parts)


@claim(
    "TH-A2.BT/figure-2.2",
    r"In Figure 2.2, $[1,<t>]=[1,4]\cup[5,6]\cup[7,7]$.",
    role="figure", domain=Domain.of(parts="all: the black nodes"), constants={"t": 7},
    mutations=[mutation("[1,14]", t=14)], strongest="enumeration",
)  # fmt: skip
def black_nodes(check: Check) -> None:
    check.enumerate(figure_cover, [{"parts": [[1, 4], [5, 6], [7, 7]]}], routes=("explicit cover", "printed nodes"))


@claim(
    "TH-A2.BT/law",
    r"The answer at step $t$ is the exact sum plus $<factor>$ times as many Laplace variables of scale "
    r"$(\lceil\log_2T\rceil+1)/\varepsilon$ as $t$ has binary digits 1.",
    role="remark", domain=RUNS, constants={"factor": 1}, mutations=[mutation("twice as many", factor=2)],
    strongest="enumeration",
)  # fmt: skip
def law_of_the_tree(check: Check) -> None:
    """The algorithm of the library, for powers of two and other horizons."""
    follows_its_law(check, TREE)


@claim(
    "TH-A2.BT/budget-of-the-algorithm",
    r"The tree of the library, also for $T$ that is no power of two, spends $<factor>\varepsilon$.",
    role="remark", domain=RUNS, constants={"factor": 1}, mutations=[mutation("half", factor="1/2")],
    strongest="enumeration",
)  # fmt: skip
def budget_of_the_tree(check: Check) -> None:
    spends_its_budget(check, TREE)


def squared_error(levels: int, t: int, constant: Any, extra: int, natural: int) -> Sides:
    """2 popcount(t) (log(T) + extra)^2 against constant^2 log(T)^3, in units of 1/epsilon^2; base 2 or e."""
    unit = log(to_ball(2)) if natural else to_ball(1)
    scale = levels * unit + extra
    return 2 * t.bit_count() * scale * scale, "<=", to_ball(constant) ** 2 * (levels * unit) ** 3


@claim(
    "TH-A2.BT/error",
    r"With the printed scale $\log(T)/\varepsilon$, natural logarithm, the root mean squared error is at most "
    r"$<constant>"
    r"\log(T)^{3/2}/\varepsilon$ at every step, $T\ge2$.",
    domain=LEAVES, constants={"constant": "1.7", "extra": 0, "natural": 1}, mutations=[mutation("1.6", constant="1.6")],
    strongest="enumeration",
)  # fmt: skip
def error_of_the_tree(check: Check) -> None:
    """The best constant is sqrt(2/log 2), attained at t = T - 1."""
    check.enumerate(squared_error, leaves(check, 9), routes=("exact variance", "order, squared"))


@claim(
    "TH-A2.BT/error-of-the-private-tree",
    r"With scale $(\log_2T+1)/\varepsilon$, which is private, the root mean squared error is at most $<constant>"
    r"\log_2(T)^{3/2}/\varepsilon$ at every step, $T\ge2$.",
    role="remark", domain=LEAVES, constants={"constant": 3, "extra": 1, "natural": 0},
    mutations=[mutation("2", constant=2)], strongest="enumeration",
)  # fmt: skip
def error_of_the_private_tree(check: Check) -> None:
    """sqrt(2 d) (d + 1) is at most 2 sqrt(2) d^(3/2)."""
    check.enumerate(squared_error, leaves(check, 9), routes=("exact variance", "order, squared"))


def tree_tail(levels: int, depth: Any, constant: Any) -> Sides:
    """P(|error| >= constant (log2 T)^(3/2) max(1, depth)) with levels + 1 variables of scale levels + 1, exactly."""
    d = to_ball(levels)
    reach = to_ball(constant) * d * sqrt(d) * to_ball(depth)
    return ErrorLaw(levels, Fraction(levels + 1)).tail(reach), "<=", 2 * exp(-to_ball(depth))


@claim(
    "TH-A2.BT/high-probability",
    r"At every step the error of the private tree exceeds $<constant>s\log_2(T)^{3/2}/\varepsilon$ with probability "
    r"at most "
    r"$2e^{-s}$, for $s\ge1$.",
    domain=LEVELS.restrict(depth="[1, inf)"), constants={"constant": 4}, mutations=[mutation("1", constant=1)],
    strongest="enumeration",
)  # fmt: skip
def concentration_of_the_tree(check: Check) -> None:
    """Exact tails of a sum of log2 T Laplace variables, the most that a step of a tree with T >= 2 has."""
    grid = {"levels": [1, 2, 3, 6, 10, check.pick(20, 60)], "depth": ["1", "2", "5", "20"]}
    check.enumerate(tree_tail, grid, rational=True, routes=("exact tail", "exponential"))


def worst_variance(more: int, lowest: int, factor: Any) -> Sides:
    """The tree at its worst step against noise per bit at step T = 2^(lowest + more)."""
    T = 2 ** (lowest + more)
    tree = max(counting_error(TREE, t, T, 1).variance for t in (T - 1, T))
    return tree, "<=", factor * counting_error("noise per bit", T, T, 1).variance


@claim(
    "TH-A2.BT/improves-on-two",
    r"From $T=2^{<lowest>}$ on the tree has at most $<factor>$ times the largest mean squared error of simple "
    r"mechanism II.",
    role="remark", domain=Domain.of(more="integer [0, inf)"), constants={"lowest": 10, "factor": "6/5"},
    mutations=[mutation("from T = 2^4 on", lowest=4)], strongest="enumeration",
)  # fmt: skip
def improvement_on_mechanism_two(check: Check) -> None:
    """d (d + 1)^2 against 2^d."""
    routes = ("variance of the tree", "variance of II")
    check.enumerate(worst_variance, {"more": range(30)}, rational=True, routes=routes)
