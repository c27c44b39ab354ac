"""Section 9, page 167: conversions and group privacy, joint DP, and membership inference beyond the mean."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.claims.recorded_runs import BUGS, Algorithm, EveryBudget, RewardLists, recorded
from banditproof.paper_checks.shared.lists import length_of, sum_over
from banditproof.theory.numbers.numeric import factorial
from banditproof.verify.runs.contextual import contextual_violations


@claim(
    "MIA-S9.3/recorded-runs",
    recorded({"joint-dp-linucb": [["zcdp", "1/2"]]}, quick=2),
    false=BUGS,
    restricted="to zCDP, with Gaussian noise of Frobenius sensitivity $2\\sqrt2$ on the nodes",
)
def joint_dp_runs(algorithm: Algorithm, budget: EveryBudget, T: Count, rewards: RewardLists, bug="none"):
    r"""The recommendations to other users depend on a user's contexts and reward through the releases only, which
    together cost the budget.

    The noisy design is kept positive by a multiple of the identity.
    """
    return contextual_violations(algorithm, budget, T, rewards, bug)


Sample = Annotated[Any, "all: every sample"]
SAMPLES = [[0], [-1, 3], [0, 1, 7], [Fraction(-1, 2), 0, Fraction(1, 3), 5], [2, -4, 9, 1, 0]]


def mean_over(sample: Any, score: Callable[[Any], Any]) -> Any:
    """The mean of a score of the points of a sample."""
    return ratio(sum_over(sample, lambda _, x: score(x)), length_of(sample))


def share(sample: Any, side: str, place: Any) -> Any:
    """The share of the points on a side (">" or "<") of a place."""
    return mean_over(sample, lambda x: where(x, side, place, 1, 0))


def score_of_signs(sample: Any, place: Any) -> Any:
    """Psi_n of the median at `place`: the mean of sign(x - place)."""
    return share(sample, ">", place) - share(sample, "<", place)


@quantity
def median(sample: Sequence[Any]) -> Fraction:
    ordered = sorted(map(Fraction, sample))
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


@claim("MIA-EQ9.1/mean", enumerated(sample=SAMPLES, place=[-1, 0, 2], rational=True))
def mean_is_a_zero(sample: Sample, place: Real):
    r"""$\Psi_n(\theta)=(\bar X-\theta)$ with $\psi_\theta(x)=x-\theta$: the mean is the only zero, and maximises
    $-\frac1{2n}\sum_i(X_i-\theta)^2$."""
    return mean_over(sample, lambda x: x - place), "==", mean_over(sample, lambda x: x) - place


@claim("MIA-EQ9.1/median", enumerated(sample=SAMPLES, rational=True), restricted="to samples without ties")
def median_is_a_zero(sample: Annotated[Any, "all: every sample without ties"]):
    r"""$\Psi_n(\theta)=0$ at the median, with $\psi_\theta(x)=\operatorname{sign}(x-\theta)$.

    Checked as: as many points lie above the median as below.
    """
    return share(sample, ">", median(sample)), "==", share(sample, "<", median(sample))


@claim("MIA-EQ9.1/median-with-ties", fails_at(sample=[0, 0, 1], rational=True), role="reading")
def median_is_a_zero_with_ties(sample: Sample):
    r"""Read as a statement about every sample, including samples with ties: (9.2) with
    $\psi_\theta(x)=\operatorname{sign}(x-\theta)$ has the median as a zero.

    The median of 0, 0, 1 is 0, where the signs add up to 1; at other points they add up to 3, -1, -2 or -3, so there is
    no zero. The other reading is a law without atoms (MIA-EQ9.1/median).
    """
    return score_of_signs(sample, median(sample)), "==", 0


@claim(
    "MIA-EQ9.3/mean",
    enumerated(
        sample=SAMPLES, true=[-1, 0, Fraction(1, 3), 2], rational=True, routes=("error of the mean", "linear term")
    ),
)
def mean_is_linear(sample: Sample, true: Real):
    r"""For the mean, $V=-1$ and the remainder is 0: $\hat\theta_n-\theta_0=-V^{-1}\frac1n\sum_i\psi_{\theta_0} (X_i)$
    with $\psi_\theta(x)=x-\theta$.

    The estimate of a sample is compared with the sum of its scores at theta_0.
    """
    slope = -1
    return mean_over(sample, lambda x: x) - true, "==", -mean_over(sample, lambda x: x - true) / slope


def lower_beta(a: Any, b: Any) -> Any:
    """The integral of u^a (1 - u)^b over [0, 1/2]."""
    n = a + b + 1
    upper = total(lambda k: comb(n, k), a + 1, n)
    return ratio(factorial(a) * factorial(b) * upper, factorial(n) * 2**n)


@claim(
    "MIA-EQ9.3/median",
    enumerated(half=[1, 2, 5, 10, 20, 50, 100, 200, 2000], rational=True),
    false=[{"slope": "-2.5"}, {"slope": -1}],
)
def median_is_nearly_linear(half: Count, slope=-2, most=Fraction(2, 5)):
    r"""For the median of $n=2h+1$ uniform variables, $V=-2f(\theta_0)=-2$ and the remainder $R_n$ has $n\,\mathbb
    E[R_n^2]\le\frac25/\sqrt n$, so $\sqrt nR_n\to^P0$.

    Exact second moments, both sides squared once more. With N = #{X_i < 1/2}: R_n = U - 1/2 + (2 N/n - 1)/slope', for
    slope' = -slope, and U has the law Beta(h + 1, h + 1). Given U = u < 1/2, N is h + 1 plus a binomial with h trials
    of chance (1/2 - u)/(1 - u); given u > 1/2 it is a binomial with h trials of chance 1/(2u).
    """
    n, m = 2 * half + 1, half + 1
    density = ratio(factorial(n), factorial(half) ** 2)
    below = m * lower_beta(m, half) + half * (lower_beta(m, half - 1) / 2 - lower_beta(m + 1, half - 1))
    mixed = density * below + ratio(half, 4)  # E[N U]
    weight = Fraction(2) / -slope
    second = ratio(1, 4 * (n + 2)) + weight**2 * ratio(1, 4 * n) + 2 * weight * (mixed - ratio(n, 4)) / n
    return (n * second) ** 2 * n, "<=", most**2


@claim("MIA-EQ9.3/rate", deduced(), false=[{"inverse": "-0.99"}, {"factor": "0.99"}])
def rate_is_nearly_linear(k: Nonnegative, inverse=-1, factor=1):
    r"""For the maximum-likelihood rate $1/\bar X$ of $n=k+3$ exponential variables, $\psi_\theta(x)=\frac1\theta-x$,
    $V^{-1}=-\theta_0^2$ and $n\,\mathbb E[R_n^2]=\theta_0^2\frac{3n+2}{(n-1)(n-2)}\to0$.

    R_n / theta_0 = 1/Y - 1 + inverse (1 - Y) with Y = theta_0 times the mean; E Y^j, |j| < 3, by the Gamma law.
    """
    n = k + 3
    moment = {-2: n**2 / ((n - 1) * (n - 2)), -1: n / (n - 1), 0: 1, 1: 1, 2: (n + 1) / n}
    remainder = {-1: 1, 0: inverse - 1, 1: -inverse}  # R_n / theta_0 as a Laurent polynomial in Y
    second = sum(a * b * moment[i + j] for i, a in remainder.items() for j, b in remainder.items())
    return n * second, "==", factor * (3 * n + 2) / ((n - 1) * (n - 2))


def gains_of_views(n: int, mu: Any) -> list[tuple[Any, Fraction]]:
    """The mean of n bits, fitted by squared loss: of (target, ones), its chance with the target less that without it,
    and the loss at the target."""

    def chance(ones: int, records: int) -> Any:
        return comb(records, ones) * mu**ones * (1 - mu) ** (records - ones) if 0 <= ones <= records else 0

    views = [(z, p, ones) for z, p in ((0, 1 - mu), (1, mu)) for ones in range(n + 1)]
    return [(p * (chance(ones - z, n - 1) - chance(ones, n)), (Fraction(ones, n) - z) ** 2) for z, p, ones in views]


@quantity
def advantage_of_thresholds(n: int, mu: Any) -> Any:
    """The largest advantage of an adversary who says 'in' below a threshold on the loss, for the mean of n bits."""
    views = gains_of_views(n, mu)
    return most([0, *(sum(gain for gain, loss in views if loss <= tau) for tau in {loss for _, loss in views})])


@quantity
def advantage_of_adversaries(n: int, mu: Any) -> Any:
    """The largest advantage of any adversary, half the sum of the absolute gains."""
    return sum(absolute(gain) for gain, _ in gains_of_views(n, mu)) / 2


@claim(
    "MIA-S9.5/fair-bits",
    enumerated(n=[1, 2, 3, 5, 8], rational=True, routes=("thresholds of the loss", "every adversary")),
    role="remark",
)
def loss_is_best_for_fair_bits(n: Count):
    r"""For fair bits the largest advantage of a threshold on the loss is that of any adversary."""
    half = Fraction(1, 2)
    return advantage_of_thresholds(n, half), "==", advantage_of_adversaries(n, half)


@claim("MIA-S9.5/skewed-bits", enumerated(n=[2, 3, 5, 8], rational=True), role="remark")
def loss_is_not_best_for_skewed_bits(n: TwoOrMore):
    r"""Asked: are thresholds on the loss optimal? This is not always so: for bits with mean $\frac15$ their largest
    advantage is at most $5/8$ of that of the likelihood ratio, which the answer of the model at the target determines
    too."""
    skewed = Fraction(1, 5)
    return advantage_of_thresholds(n, skewed), "<=", Fraction(5, 8) * advantage_of_adversaries(n, skewed)
