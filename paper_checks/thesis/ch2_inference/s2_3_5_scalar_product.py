"""Section 2.3.5, page 43: tracing a mean by a scalar product with one reference."""

from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from itertools import product
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.verify import random_law

MeanOfSigns = Annotated[Any, "[-1, 1]"]


def expected(count: Any, p: Any, value: Callable[[Any], Any]) -> Any:
    """The expectation of a function of a binomial count."""
    return total(lambda k: comb(count, k) * p**k * (1 - p) ** (count - k) * value(k), 0, count)


def moment_of_a_column(shift: Nonnegative, mean: MeanOfSigns) -> Sides:
    """E exp(shift (z - z_ref)) of two independent signs of one mean, which is even in the shift, against Hoeffding's
    exp(2 shift^2)."""
    unlike = (1 - mean**2) / 4  # z = 1 and z_ref = -1, or the other way round
    return 1 + unlike * (exp(2 * shift) + exp(-2 * shift) - 2), "<=", exp(2 * shift**2)


def chernoff_at_the_threshold(d: Count, delta: Inside, scale=8) -> Sides:
    """exp(2 d slope^2 - slope tau) at slope = tau / (4 d)."""
    tau = sqrt(scale * d * log(1 / delta))
    slope = tau / (4 * d)
    return exp(2 * d * slope**2 - slope * tau), "<=", delta


@claim(
    "TH-A2.SP/non-member",
    enumerated(d=[1, 4, 16, 40], mean=["0", "1/2", "-9/10"], delta=["1/2", "1/10", "1/1000"]),
    argued(
        "P(s >= tau) <= exp(-slope tau) E exp(slope s) (Chernoff), a product over independent columns, each at the "
        "shift slope f for its estimate f in [-1, 1]",
        moment_of_a_column,
        chernoff_at_the_threshold,
    ),
    false={"scale": "1.0"},
    restricted="to the estimate (1, ..., 1) and columns of one mean; other estimates and means are argued",
)
def threshold_for_non_members(d: Count, mean: MeanOfSigns, delta: Inside, scale=8):
    r"""With $\tau=\sqrt{8\,d\log(1/\delta)}$ a non-member's score reaches $\tau$ with probability at most $\delta$
    (signs, estimates in $[-1,1]$).

    The relation has exact binomial sums for the largest estimate (1, ..., 1) and columns of one mean. For every
    estimate in [-1, 1]^d and every mean of a column, Hoeffding's lemma bounds the moment of each column.

    The margin is large: with 3 in place of 8 no law of the grid would exceed the bound.
    """
    up, tau = (1 + mean) / 2, sqrt(scale * d * log(1 / delta))
    chance = lambda ones: comb(d, ones) * up**ones * (1 - up) ** (d - ones)  # noqa: E731
    reached = lambda a: total(lambda b: where(2 * (a - b), ">=", tau, lambda: chance(b), 0), 0, d)  # noqa: E731
    return total(lambda a: chance(a) * reached(a), 0, d), "<=", delta


def times(polynomial: list[Fraction], factor: tuple[Fraction, Fraction]) -> list[Fraction]:
    constant = [c * factor[0] for c in polynomial] + [Fraction(0)]
    linear = [Fraction(0)] + [c * factor[1] for c in polynomial]
    return [a + b for a, b in zip(constant, linear, strict=True)]


def average(polynomial: list[Fraction]) -> Fraction:
    """Over p uniform on [-1, 1]."""
    return sum((c / (k + 1) for k, c in enumerate(polynomial) if k % 2 == 0), Fraction(0))


@claim(
    "TH-A2.SP/fingerprint",
    enumerated(
        n=[1, 2, 3, 4], estimate=range(4), rational=True, routes=("correlation", "twice E[p f] and its least value")
    ),
    false=[{"factor": "1.01"}, {"least": "2/3"}],
)
def members_are_correlated(
    n: Count, estimate: Annotated[Any, "all: every 1/2-accurate estimate"], factor=1, least=Fraction(1, 6)
):
    r"""For $p$ uniform on $[-1,1]$ and a $1/2$-accurate estimate $f$: $\mathbb E\sum_i(z_i-p)f=2\,\mathbb E[pf]\ge
    1/6$, so the average member has mean score at least $d/(6n)$.

    Both are integrals of polynomials in p; the left side is their difference plus the amount by which the value is
    below the smallest one allowed. The equality follows from integration by parts in p, and E[p f] >= E[p^2] - E|p|/2 =
    1/12.
    """
    left = right = Fraction(0)
    for z in product((-1, 1), repeat=n):
        mean = Fraction(sum(z), n)
        noise = 2 * random_law(estimate, z, 2, 0, 4)[0] - 1 if estimate else Fraction(-1 if mean > 0 else 1)
        value = max(Fraction(-1), min(Fraction(1), mean + noise / 2))
        law = reduce(times, ((Fraction(1, 2), Fraction(s, 2)) for s in z), [Fraction(1)])  # product of (1 + z_i p)/2
        left += value * average(times(law, (Fraction(sum(z)), Fraction(-n))))
        right += value * average(times(law, (Fraction(0), Fraction(2))))
    return abs(left - factor * right) + max(Fraction(0), least - left), "==", 0


Mean = Annotated[Any, "(-1, 1)"]
Accuracy = Annotated[Any, "(0, 1/2]"]


def moment_of_a_centred_score(power: int, member: bool, n: Any, m: Any, mean: Any, alpha: Any) -> Any:
    """E[((z - z_ref)(mu_hat - z_bar))^power] of a column of signs, where z is the target or the first of n records.

    The k-th summand has k ones among the records and the j-th j ones among the m further references; the answer is off
    by alpha in either direction, as likely.
    """
    up, down = (1 + mean) / 2, (1 - mean) / 2

    def given(k: Any, j: Any) -> Any:
        first = {1: ratio(k, n), -1: ratio(n - k, n)} if member else {1: up, -1: down}
        answers = [ratio(2 * k - n, n) + error - ratio(2 * j - m, m) for error in (alpha, -alpha)]
        unlike = [(2, first[1] * down / 2), (-2, first[-1] * up / 2)]  # the score is 0 where z = z_ref
        return sum(p * (gap * answer) ** power for gap, p in unlike for answer in answers)

    def chance(ones: Any, count: Any) -> Any:
        return comb(count, ones) * up**ones * down ** (count - ones)

    return total(lambda k: chance(k, n) * total(lambda j: chance(j, m) * given(k, j), 0, m), 0, n)


COLUMNS = enumerated(n=[1, 2, 3], m=[1, 2, 3], mean=["0", "1/3", "-4/5"], alpha=["1/2", "1/10"], rational=True)


@claim("MIA-S2.3.5c/moments", deduced(), COLUMNS)
def variance_of_the_centred_score(n: Count, m: Count, mean: Mean, alpha: Accuracy):
    r"""A column $(z^\star-z^{\rm ref})(\hat\mu-\bar z)$, with the mean $\bar z$ of $m$ further references, has
    variance $2v(\frac vn+\alpha^2+\frac vm)$ for a non-member, where $v$ is the variance of a sign.

    Its mean is 0 (MIA-S2.3.5c/mean-of-a-non-member), so the variance is the mean of the square.
    """
    v = 1 - mean**2
    found = moment_of_a_centred_score(2, False, n, m, mean, alpha)
    return found, "==", 2 * v * (v / n + alpha**2 + v / m)


@claim("MIA-S2.3.5c/mean-of-a-non-member", deduced(), COLUMNS)
def centred_score_of_a_non_member(n: Count, m: Count, mean: Mean, alpha: Accuracy):
    r"""A column $(z^\star-z^{\rm ref})(\hat\mu-\bar z)$, with the mean $\bar z$ of $m$ further references, has mean
    0 for a non-member."""
    return moment_of_a_centred_score(1, False, n, m, mean, alpha), "==", 0


@claim("MIA-S2.3.5c/mean-of-a-member", deduced(), COLUMNS)
def centred_score_of_a_member(n: Count, m: Count, mean: Mean, alpha: Accuracy):
    r"""A column $(z^\star-z^{\rm ref})(\hat\mu-\bar z)$, with the mean $\bar z$ of $m$ further references, has mean
    $\frac vn$ for a member, where $v$ is the variance of a sign."""
    return moment_of_a_centred_score(1, True, n, m, mean, alpha), "==", (1 - mean**2) / n
