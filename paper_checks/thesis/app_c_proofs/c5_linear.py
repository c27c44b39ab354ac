r"""Appendix C.5, page 233: quoted facts about Gaussian matrices, self-normalised sums and determinants."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Any

import numpy as np

from banditproof.claims.language import *
from banditproof.paper_checks.thesis.facts.contextual import Vectors, determinant_in, dimension_of, on_sequences
from banditproof.paper_checks.thesis.facts.rare_switching import designs, squared_bonus, unit_vectors
from banditproof.paper_checks.thesis.studies import simulated
from banditproof.theory.numbers.poisson_mass import poisson_mass
from banditproof.theory.numbers.special import chi_squared_tail


@claim("ALG-LC.27/determinants", on_sequences("larger determinant", "smaller one", before=[0, 2, 5]))
def order_of_determinants(vectors: Vectors, T: Count, ridge: Positive, before: Natural):
    r"""$\det A\ge\det B$ for $B=V_{before}$ and $A=V_{before+T-1}$, equal for $T=1$."""
    rounds = before + T - 1
    return determinant_in(vectors, rounds, ridge, rounds), ">=", determinant_in(vectors, rounds, ridge, before)


def tried_directions(d: int) -> list[tuple[Fraction, ...]]:
    """Axes and rational unit vectors."""
    return [*unit_vectors(["axes", d], d), *unit_vectors(["random", d, 5], 8)]


@quantity
def largest_ratio_of_inverse_forms(vectors: Sequence[Any], rounds: int, ridge: Any, before: int) -> Fraction:
    """The largest |x|^2 in A^-1 over that in B^-1, A the last design and B the one before so many rounds."""
    grams = designs(unit_vectors(vectors, rounds), Fraction(ridge))
    directions = tried_directions(dimension_of(vectors))
    return max(squared_bonus(grams[-1], x) / squared_bonus(grams[before], x) for x in directions)


@quantity
def largest_ratio_of_forms(vectors: Sequence[Any], rounds: int, ridge: Any, before: int) -> Fraction:
    """The largest x^T A x / x^T B x, A the last design and B the one before so many rounds."""
    grams = designs(unit_vectors(vectors, rounds), Fraction(ridge))

    def form(m: Any, x: Any) -> Fraction:
        return sum((x[i] * m[i][j] * x[j] for i in range(len(x)) for j in range(len(x))), Fraction(0))

    return max(form(grams[-1], x) / form(grams[before], x) for x in tried_directions(dimension_of(vectors)))


@claim("ALG-LC.27/inverses", on_sequences("inverse forms of A", "inverse forms of B", before=[0, 2, 5], T=[2, 7]))
def order_of_inverses(vectors: Vectors, T: Count, ridge: Positive, before: Natural):
    r"""$\|x\|^2_{A^{-1}}\le\|x\|^2_{B^{-1}}$ for the same matrices, at axes and rational unit vectors.

    The left side is the largest quotient of these vectors; along an axis that was not chosen both are equal.
    """
    return largest_ratio_of_inverse_forms(vectors, before + T - 1, ridge, before), "<=", 1


@claim(
    "ALG-LC.28",
    tried_at(d=2, delta=Fraction(1, 10**400)),
    tried_at(d=1000, delta=Fraction(1, 10**10)),
    enumerated(d=[1, 2, 7, 40], delta=["1/1000000", "1/10", "9/10"]),
    deduced(),
    false=[{"two": "1.9"}, {"root": "3/2"}],
)
def chi_square_concentration(d: Count, delta: Inside, two=2, root=2):
    r"""For $X\sim\mathcal N(0,I_d)$, $\delta\in(0,1)$: $\mathbb P(\|X\|^2\ge
    d+2\sqrt{d\log\frac1\delta}+2\log\frac1\delta)\le\delta$."""
    level = log(1 / delta)
    return chi_squared_tail(d, d + root * sqrt(d * level) + two * level), "<=", delta


@claim(
    "ALG-LC.28/even-dimensions",
    enumerated(
        half=[1, 2, 5, 20, 100],
        level=["1/1000", "1/10", 1, 5, 30, 300, 2000],
        routes=("tail as a Poisson sum, in balls", "the level"),
    ),
    false=[{"two": "1.9"}, {"root": "3/2"}],
    role="implication",
)
def chi_square_tail(half: Count, level: Positive, two=2, root=2):
    r"""$\mathbb P(\|X\|^2\ge d+2\sqrt{dx}+2x)\le e^{-x}$ for $x=\log\frac1\delta$, $d=2\,half$."""
    d = 2 * half
    x = (d + root * sqrt(d * level) + two * level) / 2
    return total(lambda k: poisson_mass(k, x), 0, half - 1), "<=", exp(-level)


def above_the_sharp_bound(root: AtLeastOne, s: Nonnegative, four=4, two=2):
    """Against 2 sqrt(d) + s for log(1/delta) = s^2 / 2, with root = sqrt(d + 1)."""
    return 2 * root + s, "<=", four * root + two * s**2 / 2


@claim(
    "ALG-LC.29/tail",
    tried_at(level=[0, 1, 5, 20]),
    argued(
        "P(|M| > 2 sqrt(d) + s) <= e^(-s^2 / 2) (Davidson and Szarek), s^2 / 2 = log(1 / delta)",
        fact(above_the_sharp_bound),
    ),
    false=[{"two": 0}, {"four": 0, "two": "1/2"}],
    restricted="to d = 1; every d is argued from the theorem of Davidson and Szarek",
)
def norm_of_a_gaussian_matrix(level: Nonnegative, four=4, two=2):
    r"""$\mathbb P(\|M\|>4\sqrt{d+1}+2\log\frac1\delta)\le\delta$.

    The relation is that of d = 1, where |M| is the absolute value of a normal variable and level = log(1/delta); the
    margin is large there.
    """
    return 2 * normal_cdf(-(four * sqrt(to_ball(2)) + two * level)), "<=", exp(-level)


def matrix_norms(seed: np.random.SeedSequence, *, runs: int, dimensions: tuple[int, ...]) -> Arrays:
    """The norms [runs] of Gaussian matrices by dimension."""
    draw = np.random.default_rng(seed)
    return {str(d): np.linalg.norm(draw.standard_normal((runs, d, d)), ord=2, axis=(1, 2)) for d in dimensions}


NORMS = Study(
    "gaussian-matrices",
    matrix_norms,
    {"runs": 2000, "dimensions": (1, 2, 5, 20)},
    {"runs": 20_000, "dimensions": (1, 2, 5, 20, 60)},
)


@claim(
    "ALG-LC.29/matrices",
    simulated(NORMS),
    false=[{"four": "5/4"}, {"power": 0}],
    restricted="to d = 1, 2, 5, 20, 60 and delta = 1/2, 1/10",
    studies=[NORMS],
)
def norms_of_gaussian_matrices(d: Count, four=4, power=Fraction(1, 2), *, arrays):
    r"""$\mathbb P(\|M\|>4(d+1)^{1/2}+2\log\frac1\delta)\le\delta$, on matrices that are drawn.

    The norm is about 2 sqrt(d), so half of the first term would be enough.
    """
    for dimension, norms in arrays.items():
        for delta in (Fraction(1, 2), Fraction(1, 10)):
            bound = float(Fraction(four)) * (int(dimension) + 1) ** float(Fraction(power)) + 2 * np.log(
                1 / float(delta)
            )
            yield f"the norm is larger, d = {dimension}, delta = {delta}", norms > bound, "<=", delta


def self_normalised(seed: np.random.SeedSequence, *, runs: int, rounds: int, ridge: float) -> Arrays:
    """The largest excess of |S_t|^2 over log(det V_t / lambda^d), and largest |S_t|^2, with vectors chosen against it.

    The policy keeps to the direction of V^-1 S while that is long, which makes the sum grow; else it takes the
    direction that is known least.
    """
    draw = np.random.default_rng(seed)
    design, total = np.broadcast_to(ridge * np.eye(2), (runs, 2, 2)).copy(), np.zeros((runs, 2))
    excess, norms = np.zeros(runs), np.zeros(runs)
    for _ in range(rounds):
        _, directions = np.linalg.eigh(design)
        estimate = np.linalg.solve(design, total[:, :, np.newaxis])[:, :, 0]
        length = np.linalg.norm(estimate, axis=1, keepdims=True)
        chosen = np.where(length > 0.3, estimate / np.maximum(length, 1e-9), directions[:, :, 0])
        total += chosen * draw.standard_normal((runs, 1))
        design += np.einsum("ri,rj->rij", chosen, chosen)
        norm = np.einsum("ri,ri->r", total, np.linalg.solve(design, total[:, :, np.newaxis])[:, :, 0])
        volume = np.linalg.slogdet(design)[1] - 2 * np.log(ridge)
        excess, norms = np.maximum(excess, norm - volume), np.maximum(norms, norm)
    return {"excess": excess, "norm": norms}


SUMS = Study(
    "self-normalised-sums",
    self_normalised,
    {"runs": 20_000, "rounds": 100, "ridge": 0.1},
    {"runs": 100_000, "rounds": 1000, "ridge": 0.1},
)


@claim(
    "ALG-LC.30/adaptive",
    simulated(SUMS),
    false=[{"factor": "1/4"}, {"volume": "without"}],
    restricted="to vectors of the plane that follow the sum, Gaussian noise, lambda = 1/10, delta = 1/2 and 1/10",
    studies=[SUMS],
)
def self_normalised_sums(vectors: Annotated[Any, "all: every predictable vectors"], factor=2, volume="with", *, arrays):
    r"""$\mathbb P(\exists t:\|S_t\|^2_{V_t^{-1}}\ge2\log\frac1\delta+\log\frac{\det V_t}{\lambda^d})\le\delta$ (with
    the determinant).

    The margin is large: the check notices a factor of 1/4 and a missing determinant.
    """
    reached = arrays["excess" if volume == "with" else "norm"]
    for delta in (Fraction(1, 2), Fraction(1, 10)):
        level = float(factor) * np.log(1 / float(delta))
        yield f"the sum is too long for delta = {delta}", reached >= level, "<=", delta


@claim("ALG-LC.31/sequences", on_sequences("quadratic forms", "determinants", before=[0, 2, 5], T=[1, 7, 24]))
def forms_and_determinants(vectors: Vectors, T: Count, ridge: Positive, before: Natural):
    r"""$\frac{x^\top Ax}{x^\top Bx}\le\frac{\det A}{\det B}$ for $B=V_{before}$ and $A=V_{before+T}$, at axes and
    rational unit vectors.

    The left side is the largest quotient of these vectors. With one direction it is an equality.
    """
    rounds = before + T
    first, second = (determinant_in(vectors, rounds, ridge, t) for t in (rounds, before))
    return largest_ratio_of_forms(vectors, rounds, ridge, before), "<=", first / second


def two_factors(c: Nonnegative, e: Nonnegative, factor=1):
    return 1 + c, "<=", factor * (1 + c) * (1 + e)


@claim(
    "ALG-LC.31/eigenvalues",
    tried_at(c=[0, 1], e=[0, 2]),
    argued(
        "B = I and C diagonal after a change of basis, which divides both sides alike; the supremum is the largest "
        "1 + c, and the other eigenvalues of A are at least 1",
        two_factors,
    ),
    false={"factor": "0.99"},
)
def largest_eigenvalue(c: Nonnegative, e: Nonnegative, factor=1):
    r"""For $B=I$ and $C$ with eigenvalues $c$ and others, which together multiply the determinant by $1+e\ge1$:
    $1+c\le(1+c)(1+e)$."""
    return 1 + c, "<=", factor * (1 + c) * (1 + e)
