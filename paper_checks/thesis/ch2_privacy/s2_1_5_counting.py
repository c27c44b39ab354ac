"""Section 2.1.5, page 20: counting under continual observation, two simple mechanisms and the binary tree.

With T = 2^d leaves the complete tree has d + 1 levels. The printed log T is read with base 2 where a number is
counted, which is the largest of the usual readings; with the natural logarithm the printed noise is smaller still.
"""

from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from math import floor
from typing import Annotated, Any

import numpy as np

from banditproof.algorithms.finite.continual_counting import COUNTERS
from banditproof.claims.language import *
from banditproof.paper_checks.shared.lists import sum_over
from banditproof.paper_checks.thesis.facts.privacy import TREE, UnitNoise, change_of_releases, tree_budget, tree_nodes
from banditproof.theory import ErrorLaw, Number, counting_error, dyadic_cover, tree_levels, usefulness

Counter = Annotated[Any, "all: this counter"]
FRESH, PER_BIT = "fresh noise per sum", "noise per bit"


@quantity
def worst_tail(counter: str, T: int, epsilon: Fraction, alpha: Fraction) -> Any:
    """The largest chance, over the steps, that the error exceeds alpha."""
    worst = to_ball(0)
    for t in range(1, T + 1):
        worst = worst.max(counting_error(counter, t, T, epsilon).tail(to_ball(alpha)))
    return worst


@quantity
def largest_quantile(counter: str, T: int, epsilon: Fraction, beta: Fraction) -> Fraction:
    """The beta-quantile of the worst step, rounded up."""
    return Fraction(usefulness(counter, T, epsilon, beta).upper)


@claim(
    "TH-D2.1co",
    enumerated(
        counter=list(COUNTERS),
        T=[1, 8, 13],
        epsilon=["1/2"],
        beta=["1/2", "1/1000"],
        rational=True,
        routes=("exact tails of all steps", "quantile"),
    ),
)
def useful_counters(T: Count, epsilon: Positive, beta: Inside, counter: Annotated[Any, "all: the three counters"]):
    r"""A counter is $(\alpha,\beta)$-useful if at every step its error exceeds $\alpha$ with probability at most
    $\beta$: the three counters are, at the $\beta$-quantile of their worst step."""
    return worst_tail(counter, T, epsilon, largest_quantile(counter, T, epsilon, beta)), "<=", beta


@cache
def noise_matrix(counter: str, T: int, epsilon: Fraction) -> tuple[np.ndarray, np.ndarray]:
    """Row i: what a draw i of one scale adds to the T answers for the stream of ones; and the answers without noise."""
    stream, silent = np.ones((1, T)), UnitNoise(-1)
    exact = COUNTERS[counter](stream, float(epsilon), silent)[0]
    rows = [COUNTERS[counter](stream, float(epsilon), UnitNoise(i))[0] - exact for i in range(silent.drawn)]
    return np.array(rows), exact


def follows_its_law(counter: str) -> enumerated:
    """The answers are linear in the noise: the exact count plus `terms` draws of the law's scale."""
    routes = ("algorithm with single draws", "error law")
    return enumerated(T=[1, 2, 7, 8, 13], epsilon=["1/4", "2"], counter=counter, rational=True, routes=routes)


def answers_and_law(T: int, epsilon: Any, counter: str, factor: Any) -> Sides:
    """How many steps of the algorithm differ from the exact count, or in the number or scale of noise terms."""
    rows, exact = noise_matrix(counter, T, epsilon)
    wrong = 0
    for t in range(1, T + 1):
        law, column = counting_error(counter, t, T, epsilon), rows[:, t - 1]
        used = column[column != 0]
        wrong += exact[t - 1] != t or len(used) != factor * law.terms or not np.allclose(used, float(law.scale))
    return wrong, "==", 0


def spends_its_budget(counter: str) -> enumerated:
    routes = ("all streams and flips", "budget")
    return enumerated(T=[1, 2, 3, 4, 5, 8], epsilon=["1/4", "2"], counter=counter, rational=True, routes=routes)


LONGEST_STREAM = 8  # all streams of which are visited


@quantity
def change_by_a_bit(counter: str, T: int) -> Fraction:
    """The largest l1 change of all noisy values when one bit of a stream is flipped."""
    if T > LONGEST_STREAM:
        raise InvalidInput("T", T, f"at most {LONGEST_STREAM}")
    return change_of_releases(T, counter)


@quantity
def scale_of_noise(counter: str, T: int, epsilon: Fraction) -> Fraction:
    """The scale of the Laplace noise on each of them."""
    return counting_error(counter, 1, T, epsilon).scale


def spent_budget(T: Any, epsilon: Any, counter: Any) -> Sides:
    """l1 change over scale, exactly: the largest log-ratio of the densities of all noisy values."""
    return change_by_a_bit(counter, T) / scale_of_noise(counter, T, epsilon), "==", epsilon


def at_all_steps(horizons: Iterable[int], epsilons: Iterable[str], **counter: str) -> enumerated:
    """All steps of the horizons, for each budget."""
    points = [{"T": T, "t": t, "epsilon": e, **counter} for T in horizons for t in range(1, T + 1) for e in epsilons]
    return enumerated(points, rational=True)


@quantity
def mean_squared_error(counter: str, T: int, t: int, epsilon: Fraction) -> Fraction:
    """The mean squared error of an answer of the algorithm.

    The answer is linear in the draws, which are independent with variance 2 in units of their scale: twice the sum of
    squares of what each adds when the algorithm is run with it alone. Powers of two as budgets make that exact.
    """
    if not 1 <= t <= T <= 64 or Fraction(epsilon) not in [Fraction(2) ** k for k in range(-20, 21)]:
        raise InvalidInput("epsilon", epsilon, "a power of two, at a step of at most 64")
    added = [Fraction(x) for x in noise_matrix(counter, T, epsilon)[0][:, t - 1]]
    return 2 * sum((x * x for x in added), Fraction(0))


@claim("TH-A2.SM1/law", follows_its_law(FRESH), false={"factor": 2})
def law_of_mechanism_one(T: Count, epsilon: Positive, counter: Counter, factor=1):
    r"""Every answer is the exact sum plus one Laplace variable of scale $T/\varepsilon$."""
    return answers_and_law(T, epsilon, counter, factor)


@claim("TH-A2.SM1/privacy", spends_its_budget(FRESH))
def privacy_of_mechanism_one(T: Count, epsilon: Positive, counter: Counter):
    r"""One bit moves the $T$ sums by up to $T$ in the $\ell_1$ norm, so that scale $T/\varepsilon$ spends $\varepsilon$
    (and scale $1/\varepsilon$ spends $T\varepsilon$)."""
    return spent_budget(T, epsilon, counter)


@claim("TH-A2.SM1/error", at_all_steps((1, 5, 64), ("1/8", "1"), counter=FRESH), where=["t <= T"])
def error_of_mechanism_one(T: Count, t: Count, epsilon: Positive, counter: Counter):
    r"""The error per step is $O(T/\varepsilon)$: its mean square is $2(T/\varepsilon)^2$."""
    return mean_squared_error(counter, T, t, epsilon), "==", 2 * (T / epsilon) ** 2


@claim("TH-A2.SM2/law", follows_its_law(PER_BIT), false={"factor": 2})
def law_of_mechanism_two(T: Count, epsilon: Positive, counter: Counter, factor=1):
    r"""The answer at step $t$ is the exact sum plus $t$ Laplace variables of scale $1/\varepsilon$."""
    return answers_and_law(T, epsilon, counter, factor)


@claim("TH-A2.SM2/privacy", spends_its_budget(PER_BIT))
def privacy_of_mechanism_two(T: Count, epsilon: Positive, counter: Counter):
    r"""One bit moves one noisy value by 1, so that scale $1/\varepsilon$ spends $\varepsilon$."""
    return spent_budget(T, epsilon, counter)


@claim("TH-A2.SM2/error", at_all_steps((1, 5, 64), ("1/8", "1"), counter=PER_BIT), where=["t <= T"])
def error_of_mechanism_two(T: Count, t: Count, epsilon: Positive, counter: Counter):
    r"""The mean squared error at step $t$ is $2t/\varepsilon^2$."""
    return mean_squared_error(counter, T, t, epsilon), "==", 2 * t / epsilon**2


@claim("TH-A2.SM2/high-probability", deduced(), false={"factor": 1})
def concentration_of_mechanism_two(t: Count, beta: Inside, factor=2):
    r"""With probability at least $1-\beta$ the noise at step $t$ is below
    $\frac{2}\varepsilon(\sqrt{t\log(2/\beta)}+\log(2/\beta))$.

    The check does not test the 2 inside the logarithms: a factor of 5/4 with it would be enough.
    """
    depth = log(2 / to_ball(beta))
    return ErrorLaw(t, Fraction(1)).tail(to_ball(factor) * (sqrt(t * depth) + depth)), "<=", to_ball(beta)


def at_all_leaves(highest: int, rational: bool = False) -> enumerated:
    """All steps of the trees with T = 2^levels leaves."""
    return enumerated(
        lambda check: [
            {"levels": d, "t": t} for d in range(1, check.pick(highest, highest + 3)) for t in range(1, 2**d + 1)
        ],
        rational=rational,
    )


@claim(
    "TH-A2.BT/levels",
    fails_at(levels=3, t=1),
    where=["t <= 2**levels"],
    called={
        r"$\log_2T$": "levels",
        "step": "t",
        "the number of p-sums that hold it": "left",
        "the printed bound": "right",
    },
)
def levels_as_printed(levels: Count, t: Count, extra=0):
    r"""(a) For $T=2^m$, every time step appears in at most $\log_2T$ of the p-sums that the mechanism releases, one for
    each node of the tree.

    In Figure 2.2, with $T=8$, step 1 is in [1,1], [1,2], [1,4] and [1,8], which are four p-sums, since the leaf and the
    root are nodes too. The number is log2(T) + 1, one more than levels = log2(T).
    """

    def holding(w: Any) -> Any:  # how many of the nodes [i w + 1, (i + 1) w] hold t
        return total(lambda i: where(i, "==", floor(ratio(t - 1, w)), 1, 0), 0, ratio(2**levels, w) - 1)

    return total(lambda height: holding(2**height), 0, levels), "<=", levels + extra


@repaired("TH-A2.BT/levels-with-leaf-and-root", "TH-A2.BT/levels", at_all_leaves(7))
def levels_of_the_complete_tree(extra=1):
    r"""Every time step appears in $\log_2T+1$ p-sums of the complete tree."""


@claim(
    "TH-A2.BT/privacy",
    fails_at(levels=3, epsilon=1, rational=True),
    called={
        r"$\log_2T$": "levels",
        r"the budget that is spent times $\log_2T$": "left",
        r"$\varepsilon\log_2T$": "right",
    },
    cause="TH-A2.BT/levels",
    assuming="""that the release spends all of this budget: with Laplace noise the ratio of the densities is e to the
    sum of the shifts over the scale if all outputs lie on one side""",
)
def privacy_of_the_tree_as_printed(levels: Natural, epsilon: Positive, extra=0, root=1):
    r"""Laplace noise of scale $(\log_2T)/\varepsilon$ on each p-sum makes the release of the whole tree
    $\varepsilon$-DP.

    One bit changes $\log_2T+1$ p-sums by one, so the release spends $\varepsilon(\log_2T+1)/\log_2T$, which is
    $\frac43\varepsilon$ at $T=8$. The scale $(\log_2T+1)/\varepsilon$ is enough, and so is the printed one if the root
    is not released.
    """
    return tree_budget(levels, epsilon, extra, root)


@repaired(
    "TH-A2.BT/privacy-with-one-level-more",
    "TH-A2.BT/privacy",
    enumerated(levels=pick(range(4), range(5)), epsilon=["1/10", "1", "5"], rational=True),
    assuming="",
)
def privacy_of_the_tree(extra=1):
    r"""Noise of scale $(\log_2T+1)/\varepsilon$ on each p-sum makes the release of the whole tree $\varepsilon$-DP.

    The check covers all streams and all changed bits exactly.
    """


@repaired(
    "TH-A2.BT/privacy-without-the-root",
    "TH-A2.BT/privacy",
    enumerated(levels=[1, 2, 3], epsilon=["1/10", "1", "5"], rational=True),
    assuming="",
)
def privacy_without_the_root(root=0):
    r"""Scale $(\log_2T)/\varepsilon$ suffices if the root is not released: $[1,T]$ is the sum of its two halves."""


@quantity
def size_of_the_cover(levels: int, t: int) -> int:
    """How many disjoint nodes the cover of [1, t] has. Raises ArithmeticError where it is no partition by nodes."""
    if levels > 12 or not 1 <= t <= 2**levels:
        raise InvalidInput("levels", levels, "at most 12, and a step of the tree")
    nodes, cover = set(tree_nodes(2**levels)), dyadic_cover(t)
    ends = [0, *(j for _, j in cover)]
    if not all(part in nodes for part in cover) or [i for i, _ in cover] != ends[:-1] or ends[-1] != t:
        raise ArithmeticError("the cover is no partition by nodes")
    return len(cover)


@claim("TH-A2.BT/prefixes", at_all_leaves(8, rational=True), where=["t <= 2**levels"])
def nodes_of_a_prefix(levels: Count, t: Count):
    r"""(b) Every $[1,t]$ is a union of at most $\log_2T$ disjoint nodes (for $T\ge2$).

    There is one node for each binary digit 1 of t: at most log2 T for t < T, and one for t = T.
    """
    return size_of_the_cover(levels, t), "<=", levels


@quantity
def end_of_a_node(t: int, place: int) -> int:
    """The first and last steps of the nodes of t, in order, with places counted from 0; 0 beyond the last node."""
    ends = [step for start, stop in dyadic_cover(t) for step in (start + 1, stop)]
    return ends[place] if place < len(ends) else 0


@claim(
    "TH-A2.BT/figure-2.2",
    enumerated([{"parts": [1, 4, 5, 6, 7, 7]}], routes=("explicit cover", "printed nodes")),
    false={"t": 14},
    role="figure",
)
def black_nodes(parts: Annotated[Any, "all: the black nodes"], t=7):
    r"""In Figure 2.2, $[1,7]=[1,4]\cup[5,6]\cup[7,7]$."""
    return sum_over(parts, lambda place, end: absolute(end_of_a_node(t, place) - end)), "==", 0


@claim("TH-A2.BT/law", follows_its_law(TREE), false={"factor": 2}, role="remark")
def law_of_the_tree(T: Count, epsilon: Positive, counter: Counter, factor=1):
    r"""The answer at step $t$ is the exact sum plus as many Laplace variables of scale
    $(\lceil\log_2T\rceil+1)/\varepsilon$ as $t$ has binary digits 1.

    This is the algorithm of the library, for powers of two and for other horizons.
    """
    return answers_and_law(T, epsilon, counter, factor)


@claim("TH-A2.BT/budget-of-the-algorithm", spends_its_budget(TREE), role="remark")
def budget_of_the_tree(T: Count, epsilon: Positive, counter: Counter):
    r"""The tree of the library, also for $T$ that is no power of two, spends $\varepsilon$."""
    return spent_budget(T, epsilon, counter)


def binary_ones(t: Any, digits: Any) -> Any:
    """How many of the last binary digits of a count are 1."""
    return total(lambda i: floor(ratio(t, 2**i)) - 2 * floor(ratio(t, 2 ** (i + 1))), 0, digits - 1)


@claim("TH-A2.BT/error", at_all_leaves(9), false={"constant": "1.6"}, where=["t <= 2**levels"])
def error_of_the_tree(levels: Count, t: Count, constant: Number = Fraction(17, 10), extra=0, natural=1):
    r"""With the printed scale $\log(T)/\varepsilon$, natural logarithm, the root mean squared error is at most
    $\frac{17}{10}\log(T)^{3/2}/\varepsilon$ at every step, $T\ge2$.

    2 popcount(t) (log(T) + extra)^2 is compared with constant^2 log(T)^3, in units of 1/epsilon^2, for base 2 or e. The
    best constant is sqrt(2/log 2), attained at t = T - 1.
    """
    unit = log(to_ball(2)) if natural else 1
    scale = levels * unit + extra
    return 2 * binary_ones(t, levels + 1) * scale * scale, "<=", constant**2 * (levels * unit) ** 3


@claim(
    "TH-A2.BT/error-of-the-private-tree",
    at_all_leaves(9),
    false={"constant": 2},
    where=["t <= 2**levels"],
    role="remark",
)
def error_of_the_private_tree(levels: Count, t: Count, constant=3, extra=1, natural=0):
    r"""With scale $(\log_2T+1)/\varepsilon$, which is private, the root mean squared error is at most
    $3\log_2(T)^{3/2}/\varepsilon$ at every step, $T\ge2$.

    sqrt(2 d) (d + 1) is at most 2 sqrt(2) d^(3/2).
    """
    return error_of_the_tree(levels, t, constant, extra, natural)


@claim("TH-A2.BT/improves-on-two", enumerated(more=range(30), rational=True), false={"lowest": 4}, role="remark")
def improvement_on_mechanism_two(more: Natural, lowest=10, factor=Fraction(6, 5)):
    r"""From $T=2^{10}$ on the tree has at most $6/5$ times the largest mean squared error of simple mechanism II.

    The tree at its worst step is compared with noise on each bit at step T = 2^(lowest + more): d (d + 1)^2 and 2^d.
    """
    d = lowest + more
    tree = 2 * maximum(binary_ones(2**d - 1, d + 1), binary_ones(2**d, d + 1)) * tree_levels(2**d) ** 2
    return tree, "<=", factor * 2 * 2**d
