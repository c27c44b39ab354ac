"""Section 7.3, page 158: canaries by the Mahalanobis distance."""

from fractions import Fraction
from importlib.util import find_spec
from typing import Annotated, Any

import numpy as np

from banditproof.claims.language import *
from banditproof.paper_checks.shared.lists import entry_of, smallest_of, sum_over
from banditproof.paper_checks.shared.pseudocode import Line, read_before_set
from banditproof.verify.proof.statistics import event_test


def of_references(points: Any) -> tuple[list[Fraction], list[list[Fraction]]]:
    """The mean gradient of Algorithm 14 and the second moment around 0, from gradients at reference points."""
    count, axes = len(points), range(len(points[0]))
    mean = [sum((Fraction(u[i]) for u in points), Fraction(0)) / count for i in axes]
    return mean, [[sum((Fraction(u[i]) * u[j] for u in points), Fraction(0)) / count for j in axes] for i in axes]


def chosen(points: Any, candidates: Any, centred: int) -> int:
    """Which candidate is farthest from the mean of the reference points in the plane, in the norm of the inverse of
    their second moment around 0, or around the mean (`centred`); of several the first."""
    (x, y), ((p, q), (_, r)) = of_references(points)
    p, q, r = p - centred * x * x, q - centred * x * y, r - centred * y * y
    aside = [(Fraction(a) - x, Fraction(b) - y) for a, b in candidates]
    distances = [(r * a * a - 2 * q * a * b + p * b * b) / (p * r - q * q) for a, b in aside]
    return distances.index(max(distances))


Vector = Annotated[Any, "all: every vector of numbers"]
Candidates = Annotated[Any, "all: every list of candidate gradients"]
References = Annotated[Any, "all: every list of gradients at reference points in the plane"]


SQUARE = [[0, -1], [0, 1], [2, -1], [2, 1]]  # of mean (1, 0) and covariance I


@claim(
    "MIA-A14/second-moment",
    fails_at(references=SQUARE, candidates=[[3, 0], [1, Fraction(3, 2)]], rational=True),
    cause="MIA-EQ6.5/covariance",
    called={
        r"the gradients $(0,\pm1)$ and $(2,\pm1)$ at the reference points and the candidates $(3,0)$ and $(1,3/2)$": (
            "references, candidates,"
        ),
        "the candidate that the algorithm returns, counted from 0,": "left",
        "the farthest one": "right",
    },
)
def selection_by_the_second_moment(references: References, candidates: Candidates):
    r"""The algorithm, with $\hat C_0=\frac1{n_r}\sum_iu_iu_i^\top$, returns the candidate of the largest Mahalanobis
    distance from the mean gradient.

    The sum is not centred, so it is the covariance of the $u_i$ plus mu_0 mu_0^T, and the component along the mean
    gradient is reduced by the factor 1 + |mu_0|^2 if the covariance is the identity. With u_i - mu_0 in place of u_i
    the algorithm does what the text says. The distance is that in the norm of the inverse of the covariance matrix of
    the reference gradients, which line 2 says that $\hat C_0$ is. The check runs the lines on four reference gradients
    of mean (1, 0) and covariance I, in rational numbers; the candidates are counted from 0.
    """
    return chosen(references, candidates, 0), "==", chosen(references, candidates, 1)


def on_an_ellipse(mean: int) -> list[list[Fraction]]:
    """Six reference gradients around (mean, 0) whose columns are correlated."""
    around = [(1, 0), (0, 1), (2, 1), (-1, 0), (0, -1), (-2, -1)]
    return [[Fraction(mean + a), Fraction(b)] for a, b in around]


@claim(
    "MIA-A14/centred",
    enumerated(
        [
            {"references": references, "candidates": [[m + a, b] for a, b in c]}
            for m in (0, 1, 10)
            for references in ([[m + a - 1, b] for a, b in SQUARE], on_an_ellipse(m))
            for c in ([[3, 0], [0, 1]], [[1, 1], [0, 2]], [[5, -1], [4, 4], [0, 5]])
        ],
        rational=True,
    ),
    false={"centred": 0},
    repairs="MIA-A14/second-moment",
)
def selection_by_the_covariance(references: References, candidates: Candidates, centred=1):
    r"""With $\hat C_0=\frac1{n_r}\sum_i(u_i-\hat\mu_0)(u_i-\hat\mu_0)^\top$ the algorithm returns the candidate of the
    largest Mahalanobis distance from the mean gradient."""
    return chosen(references, candidates, centred), "==", chosen(references, candidates, 1)


GIVEN = "x_i y_i x*_k y*_k g*_k model loss counts"  # the input, and the model that line 3 initialises
BOTH_STEPS = [
    Line(3, "model", "theta"),
    Line(5, "theta loss x_i y_i", "u_i"),
    Line(7, "u_i counts", "mean covariance"),
    Line(8, "mean covariance"),
]
OF_INPUTS = [
    *BOTH_STEPS,
    Line(12, "theta loss x_k y_k", "g*_k"),
    Line(13, "g*_k mean covariance", "m*_k"),
    Line(15, "m*_k x*_k y*_k"),
]
OF_GRADIENTS = [*BOTH_STEPS, Line(18, "g*_k mean covariance", "m*_k"), Line(20, "m*_k g*_k")]
Branch = Annotated[Any, "all: both branches of Algorithm 14"]


def unread(branch: str, candidates: str = "") -> list[str]:
    """What a branch of Algorithm 14 reads although nothing has set it; line 12 mended to read the candidates."""
    lines = OF_GRADIENTS if branch == "gradient canaries" else OF_INPUTS
    if candidates:
        lines = [Line(n.number, n.reads.replace("x_k y_k", candidates), n.sets) for n in lines]
    return read_before_set(GIVEN, lines)


@claim(
    "MIA-A14/candidates",
    fails_at(branch="input canaries", rational=True),
    slip="""One sign: the candidate is (x*_k, y*_k), as the input, line 15 and the text have it.""",
    called={"the branch for input canaries": "branch", "the number of other names that are read": "left"},
)
def candidates_are_read(branch: Branch):
    r"""Both branches of Algorithm 14 read only its input and what earlier lines set.

    For $k\le n_c$ line 12 reads $(x_k,y_k)$, which is a reference point and not the candidate $(x^\star_k,y^\star_k)$,
    so the scores of the candidates are those of reference points. The branch is the one for input canaries.
    """
    return len(unread(branch)), "==", 0


@claim(
    "MIA-A14/starred-candidates",
    enumerated(branch=["input canaries", "gradient canaries"], rational=True),
    false={"most": -1},
    repairs="MIA-A14/candidates",
)
def starred_candidates_are_read(branch: Branch, most=0):
    r"""With $(x^\star_k,y^\star_k)$ in line 12 at most $0$ names are read that nothing sets."""
    return len(unread(branch, "x*_k y*_k")), "<=", most


ON_THE_SPHERE = enumerated(
    [
        {"spread": [1, 2, 4], "weights": [Fraction(k, 6), Fraction(j, 6), Fraction(6 - k - j, 6)]}
        for k in range(7)
        for j in range(7 - k)
    ],
    rational=True,
)


@claim("MIA-S7.3a/optimum", ON_THE_SPHERE)
def mahalanobis_is_best_at_the_least_variance(spread: Vector, weights: Vector):
    r"""Over the unit sphere the Mahalanobis score is best at the direction of the least variance: $g^\top
    C^{-1}g\le1/\min_jv_j$ (squared coordinates `weights`)."""
    return sum_over(spread, lambda j, v: entry_of(weights, j) / v), "<=", 1 / smallest_of(spread)


@claim("MIA-S7.3a/optimum-of-canife", ON_THE_SPHERE)
def canife_is_best_at_the_least_variance(spread: Vector, weights: Vector):
    r"""Over the unit sphere CANIFE is best at the direction of the least variance: $g^\top Cg\ge\min_jv_j$ (squared
    coordinates `weights`)."""
    return sum_over(spread, lambda j, v: entry_of(weights, j) * v), ">=", smallest_of(spread)


@claim(
    "MIA-S7.3a/canaries",
    domain=Domain.of(data="all: every natural data set, model and parameter"),
    constants={"share": Fraction(3, 4)},
    false=mutation(share="0.99"),
    restricted="to softmax regression on digits of 8 x 8 pixels, at its start and in training, and 'high' as stated",
)
def canaries_are_far(check: Check) -> None:
    r"""With probability at least $3/4$ a Dirac gradient (as long as that of a record), the gradient of a blank image,
    and that of a mislabelled record, have a larger Mahalanobis score than that of a record of the data."""
    if find_spec("sklearn") is None:
        return check.could_not("statistics", "the digits need scikit-learn: pip install 'banditproof[train]'")
    from banditproof.algorithms.training import Network, Reference, blocks, descend, digits, mislabelled

    (x, y), network, draws = digits(), Network((64, 10)), 600

    def tests(stream: str) -> list[dict[str, Any]]:
        generator, events = check.rng("canaries", stream), []
        start = network.initial(generator)
        trained = descend(network, start, x, y, blocks(len(x), len(x), 100), 0.5).thetas[-1]
        for name, theta in {"at the start": start, "after 100 steps": trained}.items():
            gradients = network.gradients(theta, x, y)
            reference = Reference.estimate(gradients, noise=0.1 * float(gradients.var(axis=0).mean()))
            rows, others = generator.integers(len(x), size=(2, draws))
            far = reference.squared(gradients[others])
            lengths = np.linalg.norm(gradients[rows], axis=1)
            labels = mislabelled(y[rows], 10, generator)
            canaries = {
                "Dirac": lengths[:, None] * np.eye(network.d)[generator.integers(network.d, size=draws)],
                "blank": network.gradients(theta, np.zeros((draws, 64)), generator.integers(10, size=draws)),
                "mislabelled": network.gradients(theta, x[rows], labels),
            }
            for kind, own in canaries.items():
                event = f"{kind}, {name}: farther than a record"
                events.append(event_test(event, reference.squared(own) > far, ">=", check.constants["share"]))
        return events

    check.statistics(tests, covers=check.domain.restrict(data="all: the digits of scikit-learn"))
