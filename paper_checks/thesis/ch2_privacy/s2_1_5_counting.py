"""Section 2.1.5, page 20: counting under continual observation, two simple mechanisms and the binary tree.

With T = 2^d leaves the complete tree has d + 1 levels. The printed log T is read with base 2 where a number is
counted, which is the largest of the usual readings; with the natural logarithm the printed noise is smaller still.
"""

from fractions import Fraction
from functools import cache
from math import floor
from typing import Annotated, Any

import numpy as np

from banditproof.algorithms.finite.continual_counting import COUNTERS
from banditproof.claims.language import *
from banditproof.paper_checks.shared.lists import sum_over
from banditproof.paper_checks.thesis.facts.privacy import TREE, UnitNoise, change_of_releases, p_sums_with, tree_budget
from banditproof.theory import ErrorLaw, Number, counting_error, dyadic_cover, usefulness
from banditproof.theory.numbers.special import laplace_second_moment

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


@claim("TH-A2.SM1/law", follows_its_law(FRESH), false={"factor": 2})
def law_of_mechanism_one(T: Count, epsilon: Positive, counter: Counter, factor=1):
    r"""Every answer is the exact sum plus one Laplace variable of scale $T/\varepsilon$."""
    return answers_and_law(T, epsilon, counter, factor)


@claim("TH-A2.SM1/privacy", spends_its_budget(FRESH))
def privacy_of_mechanism_one(T: Count, epsilon: Positive, counter: Counter):
    r"""One bit moves the $T$ sums by up to $T$ in the $\ell_1$ norm, so that scale $T/\varepsilon$ spends $\varepsilon$
    (and scale $1/\varepsilon$ spends $T\varepsilon$)."""
    return spent_budget(T, epsilon, counter)


@claim("TH-A2.SM1/error", deduced())
def error_of_mechanism_one(T: Count, epsilon: Positive):
    r"""The error per step is $O(T/\varepsilon)$: its mean square is $2(T/\varepsilon)^2$.

    The error is the one Laplace variable of `law`.
    """
    return laplace_second_moment(0, T / epsilon), "==", 2 * (T / epsilon) ** 2


@claim("TH-A2.SM2/law", follows_its_law(PER_BIT), false={"factor": 2})
def law_of_mechanism_two(T: Count, epsilon: Positive, counter: Counter, factor=1):
    r"""The answer at step $t$ is the exact sum plus $t$ Laplace variables of scale $1/\varepsilon$."""
    return answers_and_law(T, epsilon, counter, factor)


@claim("TH-A2.SM2/privacy", spends_its_budget(PER_BIT))
def privacy_of_mechanism_two(T: Count, epsilon: Positive, counter: Counter):
    r"""One bit moves one noisy value by 1, so that scale $1/\varepsilon$ spends $\varepsilon$."""
    return spent_budget(T, epsilon, counter)


@claim("TH-A2.SM2/error", deduced())
def error_of_mechanism_two(t: Count, epsilon: Positive):
    r"""The mean squared error at step $t$ is $2t/\varepsilon^2$.

    The error is the sum of the t independent Laplace variables of `law`, so their second moments add up.
    """
    return total(lambda k: laplace_second_moment(0, 1 / epsilon), 1, t), "==", 2 * t / epsilon**2


@claim("TH-A2.SM2/high-probability", deduced(), false={"factor": 1})
def concentration_of_mechanism_two(t: Count, beta: Inside, factor=2):
    r"""With probability at least $1-\beta$ the noise at step $t$ is below
    $\frac{2}\varepsilon(\sqrt{t\log(2/\beta)}+\log(2/\beta))$.

    The check does not test the 2 inside the logarithms: a factor of 5/4 with it would be enough.
    """
    depth = log(2 / to_ball(beta))
    return ErrorLaw(t, Fraction(1)).tail(to_ball(factor) * (sqrt(t * depth) + depth)), "<=", to_ball(beta)


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
    return p_sums_with(t, levels), "<=", levels + extra


@repaired("TH-A2.BT/levels-with-leaf-and-root", "TH-A2.BT/levels", deduced())
def levels_of_the_complete_tree(extra=1):
    r"""Every time step appears in $\log_2T+1$ p-sums of the complete tree."""


@claim(
    "TH-A2.BT/privacy",
    fails_at(levels=3, t=1, epsilon=1, rational=True),
    where=["t <= 2**levels"],
    called={
        "One bit": "t",
        r"$\log_2T$": "levels",
        r"the budget that is spent times $\log_2T$": "left",
        r"$\varepsilon\log_2T$": "right",
    },
    cause="TH-A2.BT/levels",
    assuming="""that the release spends all of this budget: with Laplace noise the ratio of the densities is e to the
    sum of the shifts over the scale if all outputs lie on one side""",
)
def privacy_of_the_tree_as_printed(levels: Natural, t: Count, epsilon: Positive, extra=0, root=1):
    r"""Laplace noise of scale $(\log_2T)/\varepsilon$ on each p-sum makes the release of the whole tree
    $\varepsilon$-DP.

    One bit changes $\log_2T+1$ p-sums by one, so the release spends $\varepsilon(\log_2T+1)/\log_2T$, which is
    $\frac43\varepsilon$ at $T=8$. The scale $(\log_2T+1)/\varepsilon$ is enough, and so is the printed one if the root
    is not released.
    """
    return tree_budget(levels, t, epsilon, extra, root)


@repaired("TH-A2.BT/privacy-with-one-level-more", "TH-A2.BT/privacy", deduced(), assuming="")
def privacy_of_the_tree(extra=1):
    r"""Noise of scale $(\log_2T+1)/\varepsilon$ on each p-sum makes the release of the whole tree $\varepsilon$-DP."""


@repaired("TH-A2.BT/privacy-without-the-root", "TH-A2.BT/privacy", deduced(), assuming="")
def privacy_without_the_root(root=0):
    r"""Scale $(\log_2T)/\varepsilon$ suffices if the root is not released: $[1,T]$ is the sum of its two halves."""


def digit(t: Any, i: Any) -> Any:
    """The binary digit of a count in front of 2^i."""
    return floor(ratio(t, 2**i)) - 2 * floor(ratio(t, 2 ** (i + 1)))


def binary_ones(t: Any, digits: Any) -> Any:
    """How many of the last binary digits of a count are 1."""
    return total(lambda i: digit(t, i), 0, digits - 1)


@claim("TH-A2.BT/prefixes", deduced(), where=["t <= 2**levels"])
def nodes_of_a_prefix(levels: Count, t: Count):
    r"""(b) Every $[1,t]$ is a union of at most $\log_2T$ disjoint nodes (for $T\ge2$).

    There is one node for each binary digit 1 of t: at most log2 T for t < T, and one for t = T. The digit in front of
    2^i gives the node of the 2^i steps that begin behind the nodes of the digits in front of it.
    """
    return binary_ones(t, levels + 1), "<=", levels


@claim("TH-A2.BT/prefixes-reached", deduced(), where=["t <= 2**levels"])
def length_of_a_prefix(levels: Count, t: Count):
    r"""(b) The nodes of the binary digits of $t$, put end to end, are $[1,t]$: their lengths add up to $t$."""
    return total(lambda i: digit(t, i) * 2**i, 0, levels), "==", t


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


@claim("TH-A2.BT/error", deduced(), false={"constant": "1.6"}, where=["t <= 2**levels"])
def error_of_the_tree(levels: Count, t: Count, constant: Number = Fraction(17, 10), extra=0, natural=1):
    r"""With the printed scale $\log(T)/\varepsilon$, natural logarithm, the root mean squared error is at most
    $\frac{17}{10}\log(T)^{3/2}/\varepsilon$ at every step, $T\ge2$.

    2 popcount(t) (log(T) + extra)^2 is compared with constant^2 log(T)^3, in units of 1/epsilon^2, for base 2 or e. The
    best constant is sqrt(2/log 2), attained at t = T - 1.
    """
    unit = log(to_ball(2)) if natural else 1
    scale = levels * unit + extra
    return 2 * binary_ones(t, levels + 1) * scale * scale, "<=", constant**2 * (levels * unit) ** 3


@claim("TH-A2.BT/error-of-the-private-tree", deduced(), false={"constant": 2}, where=["t <= 2**levels"], role="remark")
def error_of_the_private_tree(levels: Count, t: Count, constant=3, extra=1, natural=0):
    r"""With scale $(\log_2T+1)/\varepsilon$, which is private, the root mean squared error is at most
    $3\log_2(T)^{3/2}/\varepsilon$ at every step, $T\ge2$.

    sqrt(2 d) (d + 1) is at most 2 sqrt(2) d^(3/2).
    """
    return error_of_the_tree(levels, t, constant, extra, natural)


@claim("TH-A2.BT/improves-on-two", deduced(), false={"lowest": 4}, role="remark")
def improvement_on_mechanism_two(more: Natural, lowest=10, factor=Fraction(6, 5)):
    r"""From $T=2^{10}$ on the tree has at most $6/5$ times the largest mean squared error of simple mechanism II.

    The tree at its worst step is compared with noise on each bit at step T = 2^(lowest + more): d (d + 1)^2 and 2^d.
    """
    d = lowest + more
    tree = 2 * maximum(binary_ones(2**d - 1, d + 1), binary_ones(2**d, d + 1)) * (d + 1) ** 2
    return tree, "<=", factor * 2 * 2**d
