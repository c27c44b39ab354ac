r"""Section 4.2.1, page 80: divergences of a mechanism's outputs, through channels and through couplings of the data.

Laws and channels are finite with rational probabilities and re-created from integers. The transport problems are solved
exactly: each optimal plan comes with potentials of the same value.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.shared.lists import entry_of, sum_over
from banditproof.paper_checks.thesis.ch4_lower_bounds.facts import distance
from banditproof.theory import group_kl_bound
from banditproof.verify import FiniteChannel, channel_ratio, random_channel, random_law
from banditproof.verify.finite.coupled_play import relative_entropy

DataSets = Annotated[Any, "all: every private mechanism and pair of data sets"]


def mean(weighted: Iterable[tuple[Fraction, Any]]) -> Any:
    """The sum of weights times values: a Fraction if all values are, else a ball."""
    listed = list(weighted)
    if all(isinstance(value, int | Fraction) for _, value in listed):
        return sum((weight * value for weight, value in listed), Fraction(0))
    return sum((to_ball(weight) * value for weight, value in listed), to_ball(0))


def pairs_of_lists(check: Check) -> list[dict[str, Any]]:
    """P with weights that may be 0, and Q, on four points."""
    return [
        {"P": list(random_law(seed, "p", 4, 0, 5)), "Q": list(random_law(seed, "q", 4))}
        for seed in range(check.pick(20, 200))
    ]


LISTED_LAWS = enumerated(pairs_of_lists, rational=True, routes=("mean of f", "written formula"))
EveryP = Annotated[Any, "all: every law P << Q on finitely many points"]
EveryQ = Annotated[Any, "all: every law Q on finitely many points"]


def mean_of_the_ratio(f: Callable[[Any], Any], P: Any, Q: Any) -> Any:
    """E_Q[f(dP/dQ)]."""
    return sum_over(Q, lambda x, q: q * f(entry_of(P, x) / q))


@claim("TH-D4.1/variation", LISTED_LAWS, false={"factor": "1.01"})
def variation_by_definition(P: EveryP, Q: EveryQ, factor=1):
    r"""$D_f(P\|Q)=\mathbb E_Q[f(dP/dQ)]$ is the total variation $\sum_x(P(x)-Q(x))_+$ for $f=\frac12|x-1|$."""
    written = sum_over(Q, lambda x, q: maximum(entry_of(P, x) - q, 0))
    return mean_of_the_ratio(lambda x: absolute(x - 1) / 2, P, Q), "==", factor * written


@claim("TH-D4.1/chi-square", LISTED_LAWS, false={"factor": "1.01"})
def chi_square_by_definition(P: EveryP, Q: EveryQ, factor=1):
    r"""It is the $\chi^2$ divergence $\sum_x\frac{P(x)^2}{Q(x)}-1$ for $f=(x-1)^2$."""
    written = sum_over(Q, lambda x, q: entry_of(P, x) ** 2 / q) - 1
    return mean_of_the_ratio(lambda x: (x - 1) ** 2, P, Q), "==", factor * written


@claim("TH-D4.1/hockey-stick", LISTED_LAWS, false={"factor": "1.01"})
def hockey_stick_by_definition(P: EveryP, Q: EveryQ, factor=1):
    r"""It is the hockey-stick divergence $\sum_x(P(x)-2Q(x))_+$ for $f=(x-2)_+$."""
    written = sum_over(Q, lambda x, q: maximum(entry_of(P, x) - 2 * q, 0))
    return mean_of_the_ratio(lambda x: maximum(x - 2, 0), P, Q), "==", factor * written


# Corollary 4.5: outputs on two data sets. For pure privacy the printed bound is compared with the largest divergence
# there is: log-likelihood ratios are at most L = epsilon d, which allows L tanh(L/2), but for d >= 2 the data sets in
# between also cap the total variation.


def numbers(check: Check) -> list[int]:
    return [n for n in range(check.pick(25, 250)) if n % 3]


MECHANISMS = enumerated(
    lambda check: {"mechanism": numbers(check)},
    covers=lambda check: {"mechanism": f"all: {len(numbers(check))} finite mechanisms with at least 3 outputs"},
    rational=True,
)


def largest_quotient(channel: FiniteChannel, bound: Callable[[int], Any]) -> Any:
    """The largest KL(M_D, M_D') / bound(d_Ham) over all pairs of data sets, a ball."""
    largest = to_ball(0)
    for d, e in product(channel.datasets(), repeat=2):
        if d != e:
            kl = relative_entropy(channel.laws[d], channel.laws[e])
            largest = largest.max(kl / to_ball(bound(distance(d, e))))
    return largest


def three_outcomes(y: Any, ones: int) -> tuple[Any, Any, Any]:
    """The chances of -1, 0 and 1 on two bits, so many of which are ones.

    With y = e^{-epsilon} every neighbouring pair has ratio at most 1/y.

    The weights of -1 and 1 are y^k and y^(2-k), scaled so that the mass left for 0 grows by 1/y in the first step.
    """
    low, high = y**ones / (1 + y), y ** (2 - ones) / (1 + y)
    return low, 1 - low - high, high


@claim("TH-C4.5/two-records-private", deduced(), false={"factor": "0.99"}, role="remark")
def two_records_private(ratio: AboveOne, factor=1):
    r"""This mechanism is $\varepsilon$-DP: no outcome has a ratio above $e^\varepsilon$ for data sets that differ in
    one record, and some have this ratio."""
    chances = [three_outcomes(1 / ratio, ones) for ones in range(3)]
    pairs = [(p, q) for one, more in zip(chances, chances[1:], strict=False) for p, q in zip(one, more, strict=True)]
    return most([p / q for p, q in pairs] + [q / p for p, q in pairs]), "==", factor * ratio


@claim("TH-C4.5/with-total-variation", MECHANISMS, false={"factor": "0.8"}, role="remark")
def with_total_variation(mechanism: DataSets, factor=1):
    r"""$\varepsilon$-DP: $D_{\rm KL}\le\varepsilon d\,\mathrm{TV}_d$ at distance $d$, where
    $\mathrm{TV}_d=1-e^{-d\varepsilon/2}$ for even $d$ and $1-2e^{-(d-1)\varepsilon/2}/(1+e^\varepsilon)$ for odd $d$.

    Chords of u log u on [e^-L, 1] and [1, e^L] give KL <= L TV. A neighbour moves a probability p to at most
    min(e^epsilon p, 1 - e^-epsilon (1 - p)), which gives TV_d after d steps.
    """
    channel = random_channel(mechanism, 2, outputs=2 + mechanism % 3)
    epsilon = log(to_ball(Fraction(channel_ratio(channel).value)))
    return largest_quotient(channel, lambda d: group_kl_bound(epsilon, d)), "<=", to_ball(factor)
