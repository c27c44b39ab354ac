"""Appendix A: composition, post-processing, groups and the Laplace mechanism."""

from fractions import Fraction
from itertools import chain, combinations
from math import inf
from typing import Annotated, Any

from banditproof.claims.register import claim
from banditproof.claims.sets import (
    Count,
    EveryAdaptiveSequence,
    EveryBudget,
    EveryMechanism,
    Nonnegative,
    Positive,
    Probability,
    Real,
)
from banditproof.claims.steps import enumerated, in_kernel
from banditproof.theory import where
from banditproof.theory.numbers.term import quantity
from banditproof.verify.kernel import meanings
from banditproof.verify.kernel.divergences import max_divergence_at_most, of_every_event
from banditproof.verify.kernel.meanings import (
    close_at_distance,
    composed_adaptively,
    each_private_whatever_came_before,
    formula,
    private,
    sum_of,
    symmetric_neighbours,
    when,
)
from banditproof.verify.kernel.variables import laplace, noisy
from banditproof.verify.theorems import advanced_composition as composition_proofs
from banditproof.verify.theorems import mechanisms as kernel_proofs
from banditproof.verify.theorems import noise as mechanism_proofs
from banditproof.verify.theorems import privacy_loss as loss_proofs


@claim("ADV-L15", in_kernel(composition_proofs.advanced))
def advanced_composition(M: EveryAdaptiveSequence, k: Count, epsilon: EveryBudget, delta: Positive, root: Nonnegative):
    r"""$k$ mechanisms of which each is $\varepsilon_t$-DP, whatever came before it, are together
    $(\varepsilon',\delta')$-DP with $\varepsilon'=\frac32\sum_t\varepsilon_t^2+
    \sqrt{6\sum_t\varepsilon_t^2\log\frac1{\delta'}}$, for all $\varepsilon_t\ge0$ and every $\delta'>0$.

    The root is the nonnegative number whose square is the expression under the root. For delta' above 1 no such number
    exists, and every mechanism is (0, delta')-DP. The relation 'differ in one record' is symmetric.
    """
    squares = sum_of(lambda i: epsilon(i) * epsilon(i), k)
    each = each_private_whatever_came_before(M, k, epsilon, lambda i: 0)
    is_root = meanings.formula((root * root, "==", 6 * squares * meanings.log(1 / delta)))
    most = Fraction(3, 2) * squares + root
    return when(symmetric_neighbours(), each, is_root, then=private(composed_adaptively(M, k), most, delta))


@claim(
    "ADV-D7",
    in_kernel(mechanism_proofs.laplace_of_one_number),
    covered="""The definition has one query with values in R. It only states the distance of the query's values on
    datasets that differ in one index, and epsilon is any budget above 0.""",
)
def laplace_mechanism(f_1: Real, f_2: Real, most: Nonnegative, epsilon: Positive):
    r"""$f(x_{1:n})+Z$ with $Z\sim\mathrm{Lap}(\frac\Delta\varepsilon)$ is $\varepsilon$-private: of neighbours the
    values of $f$ are any two numbers with a distance of at most $\Delta$."""
    apart = formula((meanings.size(f_1 - f_2), "<=", most))
    one, other = (noisy(value, laplace(most / epsilon)) for value in (f_1, f_2))
    return when(apart, then=of_every_event(lambda chance: (chance(one), "<=", meanings.exp(epsilon) * chance(other))))


# ------------------------------------------------------------------------------------------------------ definitions

Laws = Annotated[Any, "all: every pair of laws"]
SEEDS = list(range(1, 25))


def drawn_laws(seed: int, records: int = 1) -> list[dict[int, Fraction]]:
    """Laws on four outcomes for every list of `records` bits, some without an outcome."""
    from random import Random

    draw, laws = Random(f"laws {seed}"), []
    for _ in range(2**records):
        weights = [draw.choice([0, 1, 2, 3, 5]) for _ in range(4)]
        whole = max(sum(weights), 1)
        law = {x: Fraction(w, whole) for x, w in enumerate(weights)}
        laws.append(law if sum(weights) else {x: Fraction(int(x == 0)) for x in range(4)})
    return laws


def largest_ratio(one: Any, other: Any, least: Any, *, atoms: bool) -> Any:
    """The largest (P(S) - least)/Q(S) over events (or single outcomes) with P(S) > least; None where Q(S) = 0."""
    sizes = (1,) if atoms else range(1, 5)
    largest = Fraction(0)
    for event in chain.from_iterable(combinations(range(4), size) for size in sizes):
        P, Q = (sum((law[x] for x in event), Fraction(0)) for law in (one, other))
        if P > least and not Q:
            return None
        if Q:
            largest = max(largest, (P - least) / Q)
    return largest


@quantity
def largest_ratio_of_events(laws: int, delta: Any) -> Any:
    """The largest (P(S) - delta)/Q(S) over events with P(S) > delta of a pair of laws; infinite where Q(S) = 0."""
    one, other = drawn_laws(laws)
    found = largest_ratio(one, other, Fraction(delta), atoms=False)
    return inf if found is None else found


@quantity
def largest_ratio_of_outcomes(laws: int) -> Any:
    """The largest P(x)/Q(x) over outcomes with P(x) > 0 of a pair of laws; infinite where Q(x) = 0."""
    one, other = drawn_laws(laws)
    found = largest_ratio(one, other, Fraction(0), atoms=True)
    return inf if found is None else found


@quantity
def excess_of_a_pair(laws: int, ratio: Any) -> Fraction:
    """The sum of (P(x) - ratio Q(x))_+ over the outcomes of a pair of laws."""
    one, other = drawn_laws(laws)
    return sum((max(Fraction(0), one[x] - ratio * other[x]) for x in one), Fraction(0))


@claim("ADV-D5", enumerated(laws=SEEDS, rational=True, routes=("all events", "single outcomes")))
def events_or_outcomes(laws: Laws):
    r"""The maximum over events $S$ of $\frac{\mathbb P(X\in S)}{\mathbb P(Y\in S)}$ is the largest ratio of single
    outcomes, infinite for both where one has probability 0 under $Y$ alone."""
    return largest_ratio_of_events(laws, 0), "==", largest_ratio_of_outcomes(laws)


@claim(
    "ADV-D6",
    enumerated(
        [{"laws": s, "delta": d, "ratio": r} for s in SEEDS for d in ("1/20", "1/4") for r in ("1", "3/2", "4")],
        rational=True,
        routes=("the definition", "a hockey-stick sum"),
    ),
)
def approximate_indistinguishability(laws: Laws, delta: Annotated[Any, "(0, 1)"], ratio: Annotated[Any, "[1, inf)"]):
    r"""$D_\infty^\delta(X\|Y)\le\varepsilon$ exactly where $\sum_x(\mathbb P(X=x)-e^\varepsilon\mathbb P(Y=x))_+\le
    \delta$; both are counted as 0 or 1."""
    close = where(largest_ratio_of_events(laws, delta), "<=", ratio, 1, 0)
    return close, "==", where(excess_of_a_pair(laws, ratio), "<=", delta, 1, 0)


@claim("ADV-L12/if", in_kernel(loss_proofs.from_max_divergence))
def private_if_indistinguishable(M: EveryMechanism, epsilon: Nonnegative, delta: Probability):
    r"""If $D^\delta_\infty(\mathcal A(x)\|\mathcal A(x'))\le\varepsilon$ for all neighbours, $\mathcal A$ is
    $(\varepsilon,\delta)$-private; for $\delta=0$ this is the first sentence."""
    return when(max_divergence_at_most(M, epsilon, delta), then=private(M, epsilon, delta))


@claim("ADV-L12/only-if", in_kernel(loss_proofs.to_max_divergence))
def indistinguishable_if_private(M: EveryMechanism, epsilon: Nonnegative, delta: Probability):
    r"""If $\mathcal A$ is $(\varepsilon,\delta)$-private,
    $D^\delta_\infty(\mathcal A(x)\|\mathcal A(x'))\le\varepsilon$ for all neighbours."""
    return when(private(M, epsilon, delta), then=max_divergence_at_most(M, epsilon, delta))


@claim("ADV-L12/only-if-turned", in_kernel(loss_proofs.to_max_divergence))
def indistinguishable_too_if_private(M: EveryMechanism, epsilon: Nonnegative, delta: Probability):
    r"""And $D^\delta_\infty(\mathcal A(x')\|\mathcal A(x))\le\varepsilon$, since neighbours are so in both orders."""
    turned = max_divergence_at_most(M, epsilon, delta, turned=True)
    return when(symmetric_neighbours(), private(M, epsilon, delta), then=turned)


@claim("ADV-L17", in_kernel(kernel_proofs.group_privacy))
def group_privacy(M: EveryMechanism, m: Count, epsilon: Nonnegative):
    r"""$\mathbb P[\mathcal A(x_{1:n})\in E]\le e^{m\varepsilon}\,\mathbb P[\mathcal A(x'_{1:n})\in E]$ for every
    $\varepsilon$-DP algorithm, all data sets that differ in $m$ positions and every event $E$."""
    return when(private(M, epsilon), then=close_at_distance(M, m, m * epsilon, 0))
