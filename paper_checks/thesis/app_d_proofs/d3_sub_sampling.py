"""Appendix D.3, page 241: the same steps for the sub-sampled mean."""

from fractions import Fraction
from functools import reduce
from typing import Annotated, Any

from banditproof.claims.register import claim, item, restate
from banditproof.claims.sets import AtLeastOne, Count, Inside, Positive, Real
from banditproof.claims.steps import enumerated, fails_at
from banditproof.paper_checks.thesis.facts.inference import fixed_laws
from banditproof.paper_checks.thesis.facts.membership import sub_sampled_mean
from banditproof.paper_checks.thesis.facts.moments import (
    LAWS,
    LISTED,
    EachLaw,
    Sizes,
    TwentyOrMore,
    apart_in_the_moments,
    exponential_ratio,
    with_a_bound,
)
from banditproof.theory import log, sqrt, to_ball
from banditproof.theory.numbers.numeric import exp, minimum

item(
    "MIA-SD.3a",
    r"""Under sub-sampling the law of $\hat\mu^{\rm sub}_{n,j}$ with the target in the data is a mixture, and the LR
    score is $\sum_j\log$ of the ratio of the columns' laws.""",
)
restate("MIA-SD.3a/mixture", "MIA-D6.5.2", role="part")


def column_of(law: dict[Any, Fraction], j: int) -> dict[int, Fraction]:
    found: dict[int, Fraction] = {}
    for sums, p in law.items():
        found[sums[j]] = found.get(sums[j], Fraction(0)) + p
    return found


@claim(
    "MIA-SD.3a/sum-over-columns",
    fails_at(n=2, k=1, mu=Fraction(1, 2), rational=True),
    strongest="enumeration",
    displayed=True,
    cause="MIA-T6.6/leakage",
)
def score_is_a_sum_over_columns(n: Count, k: Count, mu: Inside):
    r"""The likelihood ratio of the sub-sampled mean is the product of those of its columns: for two columns of bits
    with mean $\mu$ and the target $(1,1)$ the cross-multiplied difference, added up over all outputs, is 0.

    The target's columns are among the k rows together or not at all, so with the target in the data the columns are not
    independent. The likelihood ratio is that of the mixture of both cases, (1 - rho) + rho times a product.
    """
    out, inside = fixed_laws(sub_sampled_mean(n, k, (mu, mu)), (1, 1))
    columns = [(column_of(out, j), column_of(inside, j)) for j in (0, 1)]
    (out_0, in_0), (out_1, in_1) = columns
    return sum(abs(inside[a, b] * out_0[a] * out_1[b] - out[a, b] * in_0[a] * in_1[b]) for a, b in out), "==", 0


restate("MIA-SD.3a/mixture-of-all-columns", "MIA-D6.5.2", role="repair", repairs="MIA-SD.3a/sum-over-columns")

item(
    "MIA-LD.5",
    r"""$\log((1-\rho)+\rho\sqrt{\frac{k_n}{k_n-1}}\frac{d_{k_n-1,j}}{d_{k_n,j}})=W_{n,j}+o_p(\frac1n)$,
    $W_{n,j}=\rho S+\frac\rho{2k_n}+\frac{\rho(1-\rho)}2S^2+\rho\frac{\lambda_{3,j}(\mu_j-
    z^\star_j)}{k_n\sigma_j}R_{k_n,j}$,
    $S=\frac12((\delta^{\rm out,sub})^2-(\delta^{\rm in,sub})^2)$""",
)


def mixture_without_cumulants(k: int, delta: Any, target: Any, ratio: Any) -> tuple[Any, Any]:
    """k times what Lemma D.5 leaves for its third cumulant, exponential records, and what stands there in its place."""
    one, squares, rest = exponential_ratio(k, delta, target)
    whole = log((1 - ratio) + ratio * sqrt(to_ball(Fraction(k, k - 1))) * exp(one))
    squared = ratio * (squares + to_ball(Fraction(1, 2 * k))) + ratio * (1 - ratio) * squares**2 / 2
    return k * (whole - squared), ratio * 2 * (1 - target) * rest


def share_in_the_mixture(k: int, delta: Any, target: Any, ratio: Any) -> Any:
    left, term = mixture_without_cumulants(k, delta, target, ratio)
    return left / term


def left_of_the_mixture(k: int, delta: Any, target: Any, ratio: Any, share: Any) -> Any:
    """k times what Lemma D.5 leaves over for exponential records."""
    left, term = mixture_without_cumulants(k, delta, target, ratio)
    return abs(left - share * term)


@claim(
    "MIA-LD.5/third-cumulant",
    fails_at(sizes=[10, 100, 1000], slack=Fraction(1, 10), delta=2, target=2, ratio=Fraction(1, 2)),
    strongest="enumeration",
    assuming=LISTED,
    cause="TH-T2.41/q1",
)
def sub_sampled_expansion(sizes: Sizes, slack: Positive, delta: Real, target: Positive, ratio: Inside):
    r"""For exponential records of mean 1, at fixed $\delta^{\rm out,sub}$, the factor of the term
    $\rho\frac{\lambda_{3,j}(\mu_j-z^\star_j)}{k_n\sigma_j}R_{k_n,j}$ is 1 in the limit: what the other terms of the
    expansion leave for it reaches 1, up to any slack, for some $k_n$ of every list that goes on far enough.

    It tends to 1/6, as in Lemma D.2: the density's first correction is lambda_3/6 times a Hermite polynomial. With
    lambda_3/6 the expansion holds. Here sizes is the list of k_n, delta is delta^out,sub, target is z*, ratio is rho.
    """
    shares = (-share_in_the_mixture(k, delta, target, ratio) for k in sizes)
    return 1, "<=", (1 + slack) * -reduce(minimum, shares)


@claim(
    "MIA-LD.5/a-sixth",
    enumerated(k=[100, 10_000, 1_000_000], delta=["-3/2", "0", "2"], target=["1/4", "3"], ratio=["1/10", "1/2"]),
    false={"share": "0.2"},
    role="repair",
    repairs="MIA-LD.5/third-cumulant",
    restricted="to exponential records",
)
def sub_sampled_expansion_with_a_sixth(
    k: Annotated[Any, "integer [100, inf)"],
    delta: Annotated[Any, "[-2, 2]"],
    target: Annotated[Any, "[0, 3]"],
    ratio: Inside,
    share=Fraction(1, 6),
    rate=60,
):
    r"""The expansion holds with $<share>\,\lambda_{3,j}$ in place of $\lambda_{3,j}$. Checked as: for exponential
    records, $|\delta^{\rm out,sub}|\le2$ and $0\le z^\star\le3$ the remainder is at most $<rate>\,k_n^{-3/2}$.

    Printed is an order; the number before it is a choice, 3 would do.
    """
    return left_of_the_mixture(k, delta, target, ratio, share), "<=", rate / sqrt(to_ball(k))


item(
    "MIA-LD.6",
    r"""$\mathbb E_0[W_{n,j}]=-\frac\rho2\frac{(\mu_j-z_j^\star)^2}{n\sigma_j^2}+o(\frac1n)$, $\mathbb
    E_1[W_{n,j}]=\frac\rho2\frac{(\mu_j-z_j^\star)^2}{n\sigma_j^2}+o(\frac1n)$ and
    $\mathbb V_0[W_{n,j}]=\rho\frac{(\mu_j-z_j^\star)^2}{n\sigma_j^2}+o(\frac1n)=\mathbb V_1[W_{n,j}]$""",
)


W_GRID = enumerated(k=[20, 200, 10**4], law=list(LAWS), zeta=["-2", "0", "1/2", "2"], ratio=["1/10", "1/2", "9/10"])


@claim(
    "MIA-LD.6/eight-moments",
    W_GRID,
    false=[{"factor": "1.3"}, {"power": 2}],
    role="repair",
    repairs="MIA-LD.6/heavy-tails",
    restricted="to exponential, uniform, Laplace and sign records with distances of at most 2",
)
def moments_of_the_sub_sampled_term(
    k: TwentyOrMore, law: EachLaw, zeta: Annotated[Any, "[-2, 2]"], ratio: Inside, factor=1, power=1, rate=150
):
    r"""With moments of order 8 in place of $4+\delta$ the lemma holds. Checked as: with $n=k_n/\rho$ the four moments
    are, by $<factor>\,\rho^{<power>}\frac{(\mu_j-z_j^\star)^2}{n\sigma_j^2}$ and its halves, what is printed, up to
    $<rate>\,\rho\,k_n^{-3/2}$ for the sum of the four differences ($k$ is $k_n$).

    All of W, with its third cumulant: a polynomial of degree 4 in the mean, whose moments follow from the cumulants of
    the law. With moments of order 8 those of delta up to order 8 are bounded in k_n (Rosenthal), S = O(k^-1/2) in mean
    square, S^2 and the term of the third cumulant O(1/k), so the remainder is O(k^-3/2) for every such law. Under H_1
    the target is among the k_n rows with probability rho.
    """
    return apart_in_the_moments(k, law, zeta, ratio, factor, power), "<=", to_ball(rate * ratio) * with_a_bound(k)


@claim(
    "MIA-LD.6/heavy-tails",
    fails_at(sizes=[2, 10, 100], slack=1, cut=10**12),
    role="part",
    strongest="enumeration",
    assuming="the variance is at least the left side for every cut, which grows without end at every number of records",
)
def variance_of_the_square(sizes: Sizes, slack: Positive, cut: AtLeastOne):
    r"""For records of density $3|x|^{-7}$ on $|x|\ge1$, which have moments of order 5, $z^\star=\mu=0$ and
    $\rho=\frac12$: $k_n\mathbb V_0[W_{n,j}]$, whose limit is 0 by the lemma, is at most any slack for some $k_n$ of
    every list that goes on far enough (the difference of both sides, where the left one counts records up to a cut
    only).

    W is a polynomial of degree 4 in the mean of the k_n rows, so its variance needs moments of order 8, and the
    assumption gives 4 + delta: it is infinite for every k_n. With moments of order 8 the lemma holds. Here sizes is the
    list of k_n.

    The left side is the least, over the sizes k_n, of lower bounds on k_n times the variance that count records up to
    cut only; it grows without end with cut. Where a record x is less than cut and the sum of the others, as likely as
    not, is positive, W is at least rho (1 - rho)/16 (x^2/(1.5 k (k - 1)))^2; the square of the mean of W is at most 4.
    Its third cumulant is 0.
    """

    def least(k: int) -> Any:
        lead = to_ball(Fraction(1, 64)) / (Fraction(3, 2) * k * (k - 1)) ** 2
        return k * (lead**2 / 2 * Fraction(3, 2) * (to_ball(cut) ** 2 - 24 * k * (k - 1)) - 4)

    return reduce(minimum, (least(k) for k in sizes)) - slack, "<=", 0


@claim(
    "MIA-SD.3b",
    fails_at(n=2, k=1, mu=Fraction(1, 2), rational=True),
    strongest="enumeration",
    displayed=True,
    cause="MIA-T6.6/leakage",
)
def columns_are_independent_inside(n: Count, k: Count, mu: Inside):
    r"""The Lindeberg-Feller theorem applies to $\sum_jW_{n,j}$ under $H_1$ as well: the columns of the sub-sampled mean
    are independent with the target in the data (two columns of bits with mean $\mu$, target $(1,1)$: the sum of the
    differences of the joint probabilities and the products is 0).

    The target's columns are among the k rows together or not at all, so the columns depend on each other under H_1; the
    sum of the W tends to a mixture of two normal laws. Given whether the target's row is used they are independent.
    """
    _, inside = fixed_laws(sub_sampled_mean(n, k, (mu, mu)), (1, 1))
    first, second = column_of(inside, 0), column_of(inside, 1)
    return sum(abs(inside[a, b] - first[a] * second[b]) for a, b in inside), "==", 0


restate("MIA-SD.3b/mixture", "MIA-D6.5.2", role="repair", repairs="MIA-SD.3b")
for lemma in ("MIA-LD.5", "MIA-LD.6"):
    restate(f"{lemma}/hypotheses", "MIA-LD.2/hypotheses", role="hypotheses")
