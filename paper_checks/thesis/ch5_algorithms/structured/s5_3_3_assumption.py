r"""Section 5.3.3, page 115: the assumption on the contexts, which nothing satisfies in two dimensions or more."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.thesis.facts.contextual import Vectors, dimension_of, on_sequences
from banditproof.paper_checks.thesis.facts.rare_switching import unit_vectors

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
