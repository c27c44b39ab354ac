"""Appendix I: imported tools, as far as finite arms use them: post-processing, Gaussian noise, tails, divergences."""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.register import claim
from banditproof.claims.sets import EveryVariable, Positive
from banditproof.claims.steps import enumerated, in_kernel, pick
from banditproof.theory.numbers.term import quantity
from banditproof.verify import random_law, total_variation
from banditproof.verify.finite.coupled_play import relative_entropy
from banditproof.verify.kernel.meanings import at_most_by_mean_size, chance, size
from banditproof.verify.theorems import mechanisms as kernel_proofs


@claim("ZCDP-L5", in_kernel(kernel_proofs.markov))
def markov_inequality(X: EveryVariable, epsilon: Positive):
    r"""Markov: $\mathbb P(|X|\ge\varepsilon)\le\mathbb E|X|/\varepsilon$ for $\varepsilon>0$."""
    return at_most_by_mean_size(chance(lambda x: (epsilon, size(x)), X), X, lambda c: c / epsilon)


def masses_at(law: int, level: Any) -> dict[Any, Fraction]:
    """A random law on -3..3; number -1 is the constant `level`."""
    return dict(zip(range(-3, 4), random_law(law, "x", 7, 0, 9), strict=True)) if law >= 0 else {level: Fraction(1)}


@quantity
def tail_at(law: int, level: Any) -> Fraction:
    """P(|X| >= level)."""
    return sum((p for x, p in masses_at(law, level).items() if abs(x) >= level), Fraction(0))


@quantity
def mean_size_at(law: int, level: Any) -> Fraction:
    """E|X|; the law of number -1 is the constant `level`."""
    return sum((abs(x) * p for x, p in masses_at(law, level).items()), Fraction(0))


@claim(
    "ZCDP-L5/finite-laws",
    enumerated(law=pick(range(-1, 30), range(-1, 300)), level=["1/2", 1, "3/2", "5/2", 3], rational=True),
    false={"factor": "0.99"},
    role="implication",
)
def markov_for_finite_laws(law: Annotated[Any, "all: every random variable"], level: Positive, factor=1):
    r"""Markov's inequality for laws on seven numbers, and for a constant.

    The check uses random rational laws on -3..3, and the constant variable, which attains equality.
    """
    return tail_at(law, level), "<=", factor * mean_size_at(law, level) / level


def pair_on_four(law: int) -> tuple[dict[int, Fraction], dict[int, Fraction]]:
    """A random pair of laws on four outcomes; number -1 is a pair of two coins close to each other."""
    if law >= 0:
        return dict(enumerate(random_law(law, "p", 4))), dict(enumerate(random_law(law, "q", 4)))
    share = Fraction(501, 1000)
    return {0: Fraction(1, 2), 1: Fraction(1, 2)}, {0: share, 1: 1 - share}


@quantity
def entropy_on_four(law: int) -> Any:
    """KL of the pair, in nats."""
    return relative_entropy(*pair_on_four(law))


@quantity
def variation_on_four(law: int) -> Fraction:
    """TV of the pair."""
    return Fraction(total_variation(*pair_on_four(law)))


@claim(
    "ZCDP-L7/finite-laws",
    enumerated(law=pick(range(-1, 60), range(-1, 600)), rational=True, routes=("relative entropy", "total variation")),
    false={"factor": "1.01"},
    role="implication",
)
def pinsker_for_finite_laws(law: Annotated[Any, "all: every pair of laws"], factor=1):
    r"""$\mathrm{KL}\ge2\,\mathrm{TV}^2$ for laws on four outcomes.

    The check uses random pairs of laws on four outcomes; number -1 is a pair of two coins close to each other.
    """
    return entropy_on_four(law), ">=", factor * 2 * variation_on_four(law) ** 2
