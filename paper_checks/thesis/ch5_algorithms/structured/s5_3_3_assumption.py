r"""Section 5.3.3, page 115: the assumption on the contexts, which nothing satisfies in two dimensions or more."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.register import claim
from banditproof.claims.sets import AboveZero, Count, Inside, Positive, Probability, TwoOrMore
from banditproof.claims.steps import argued, deduced, fails_at, tried_at
from banditproof.paper_checks.shared.contexts import AVERAGE
from banditproof.paper_checks.thesis.facts.contextual import Vectors, dimension_of, on_sequences
from banditproof.paper_checks.thesis.facts.rare_switching import unit_vectors
from banditproof.theory import to_ball
from banditproof.theory.linear.confidence import eigenvalue_bound
from banditproof.theory.numbers.numeric import log, ratio, sqrt, where

AboveTwo = Annotated[Any, "[2, inf)"]


@claim(
    "ALG-D5.15/out-of-reach",
    tried_at(d=[2, 3, 10], share=["1/100", 1]),
    argued(
        "the largest variance over unit z is at least its average over the sphere, 2 (1 - tr S^2) / (d (d + 2)) for "
        "S = E A A^T (its fourth moment is 3 / (d (d + 2)) for |A| = 1); tr S^2 is largest for d - 1 eigenvalues "
        "lambda_0, which gives at least 2 (d - 1) lambda_0 / (d (d + 2)); lambda_0 <= 1/d; log(4 k) > 1 for k >= 1"
    ),
    false=[{"first": 1}, {"eight": 2}],
    role="implication",
)
def smallest_largest_variance(d: AboveTwo, share: AboveZero, first=2, eight=8):
    r"""No law satisfies Assumption 5.15 in $d\ge2$: $\sup_z\mathbb V[(z^\top A)^2]\ge
    \frac{2(d-1)\lambda_0}{d(d+2)}>\frac{\lambda_0^2}{8}\ge\frac{\lambda_0^2}{8\log(4k_t)}$, whatever
    $\lambda_0=share/d\le\frac1d$.

    A variant that speaks of smaller dimensions is one of d - 2 + `first`. Any number above 2 would be enough in place
    of the 8.
    """
    n = d + first - 2
    return 2 * (n - 1) * (share / n) / (n * (n + 2)), ">", (share / n) ** 2 / eight


def moments(vectors: Sequence[Any], z: Any) -> tuple[Fraction, Fraction]:
    """The mean and the variance of (z^T A)^2 for A uniform over vectors."""
    squares = [sum((x * y for x, y in zip(a, z, strict=True)), Fraction(0)) ** 2 for a in vectors]
    mean = sum(squares, Fraction(0)) / len(squares)
    return mean, sum((s * s for s in squares), Fraction(0)) / len(squares) - mean**2


@claim(
    "ALG-D5.15/variance-of-laws",
    on_sequences("variance at some z", "the printed limit", T=[6, 12], ridge=[Fraction(1)]),
    false={"first": 1},
    role="implication",
)
def variance_of_a_law(vectors: Vectors, T: Count, ridge: Positive, first=2):
    r"""For finite laws on the unit sphere in $d\ge2$ with $\lambda_0>0$ some unit $z$ has a variance above
    $\lambda_0^2/8$.

    A is uniform over the first T vectors; the rational z tried are unit vectors; lambda_0 is at most each mean.
    """
    d = dimension_of(vectors)
    if d < first or vectors[0] in ("same", "turn") and d > 1:  # the least eigenvalue is 0, or all are equal
        return 1, "==", 1
    law = unit_vectors(vectors, max(T, 6))
    tried = [moments(law, z) for z in unit_vectors(["random", d, 9], 40)]
    at_most = min(mean for mean, _ in tried)
    return max(v for _, v in tried) > at_most**2 / 8, "==", 1


@claim("ALG-D5.15/dimension-one", deduced(), restricted="to one dimension")
def in_one_dimension(share: Probability):
    r"""In $d=1$ the assumption says that contexts are $\pm1$: whatever the law on the two, $(zA)^2$ has mean
    $\lambda_0=1$ and variance 0.

    For a context that is 1 with any probability and -1 otherwise: the distance of the mean of $(zA)^2$ from 1 and its
    variance, both squared and added up.
    """
    mean = share + (1 - share) * (-1) ** 2
    variance = share + (1 - share) * (-1) ** 4 - mean**2
    return (mean - 1) ** 2 + variance**2, "==", 0


@claim(
    "ALG-L5.16/dimension-one",
    deduced(),
    false={"quarter": 40},
    restricted="to one dimension, the only one in which its conditions can hold",
)
def eigenvalue_in_one_dimension(t: Count, delta: Inside, quarter=Fraction(1, 4), eight=8, two=2, three=3):
    r"""In $d=1$ the sum is $t$, above $\frac14t-8\log\frac{t+3}\delta-2\sqrt{t\log\frac{t+3}\delta}$.

    The sum is not random there, so any nonnegative numbers in place of 8, 2 and 3 would pass as well, and any number up
    to 1 in place of the quarter.
    """
    level = log((t + three) / delta)
    return t, ">", quarter * t - eight * level - two * sqrt(t * level)


@claim("ALG-L5.16/without-the-variance", fails_at(k=40, t=5000, delta=Fraction(1, 10)), role="reading")
def eigenvalue_without_the_variance(k: TwoOrMore, t: Count, delta: Inside):
    r"""As printed, $H_t$ contains $\mathcal A_t$: then $(z^\top A)^2$ is known, its variance is 0, and the third
    condition is empty. The first two conditions alone are enough: $\mathbb P(\lambda_{\min}\le\dots)\le\delta$.

    A is e_1 or e_2 with equal chances (lambda_0 = 1/2, d = 2) and the policy takes e_1 where it can: e_2 is taken only
    if all k vectors are e_2, so within t rounds the least eigenvalue is 0 but for probability t / 2^k, while the bound
    is positive. Left: what is known of the probability, 0 where the bound is not positive.
    """
    bound = eigenvalue_bound(to_ball(t), to_ball(1) / 2, to_ball(delta), 2)
    missed = where(bound, ">", 0, 1 - to_ball(t) / to_ball(2) ** k, 0)
    return missed, "<=", to_ball(delta)


@claim(
    "ALG-T5.17/hypotheses",
    fails_at(d=2),
    role="hypotheses",
    assuming=AVERAGE,
    cause="ZCDP-T5/hypotheses",
    called={
        r"a lower bound on $\sup_z\mathbb V[(z^\top A)^2]$": "left",
        r"$\frac{\lambda_0^2}{8\log4}$, the most that the third condition allows,": "right",
    },
)
def contexts_in_several_dimensions(d: TwoOrMore):
    r"""In every dimension $d\ge2$ some law of contexts meets Assumption 5.15.

    No law meets them in any $d\ge2$ (ALG-D5.15/out-of-reach): $\|A\|_2=1$ makes $\lambda_0\le1/d$, and the squares
    $(z^\top A)^2$ vary more in some direction than the third condition allows. For $d=1$ the assumption says that
    contexts are $\pm1$. Read as printed, with $\mathcal A_t$ in $H_t$, the third condition is empty, and then Lemma
    5.16 fails. The variance of $(z^\top A)^2$ for the worst unit $z$ is at least $\frac{2(d-1)\lambda_0}{d(d+2)}$, and
    the third condition allows at most $\frac{\lambda_0^2}{8\log(4k_t)}$, which is largest at $\lambda_0=1/d$ and
    $k_t=1$. ($\mathcal H_t$ is read as everything before $A_t$.)
    """
    least = ratio(2 * (d - 1), d * (d + 2)) / d
    return to_ball(least), "<=", 1 / (to_ball(8 * d**2) * log(to_ball(4)))
