"""Section 2.3.4, page 42: tracing the empirical mean by likelihood ratios, with the true mean and with references."""

from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from math import comb
from typing import Annotated, Any

from banditproof.claims.register import claim, item
from banditproof.claims.sets import Count, Inside, Positive, Real
from banditproof.claims.steps import enumerated, fails_at, symbolic
from banditproof.paper_checks.thesis.facts.inference import MEANS, column_means
from banditproof.theory import log, sqrt, to_ball


@claim(
    "TH-EQ2.26",
    enumerated(
        [
            *({"n": n, "d": 1, "mu": m, "nu": m} for n in (1, 2, 3, 5) for m in MEANS),
            *({"n": n, "d": 2, "mu": m, "nu": Fraction(1, 3)} for n in (1, 2, 3) for m in MEANS),
        ],
        rational=True,
        routes=("game, summed exactly", "formula"),
    ),
    false={"extra": 1},
)
def likelihood_ratio_of_the_mean(n: Count, d: Count, mu: Inside, nu: Inside, extra=0):
    r"""For $\mathcal D=\bigotimes_j\mathrm{Bernoulli}(\mu_j)$ and $o=\hat\mu_n$ (sums over $n+<extra>$): $\ell_n=\sum_j
    z^\star_j\log\frac{\hat\mu_{n,j}}{\mu_j}+(1-z^\star_j)\log\frac{1-\hat\mu_{n,j}}{1-\mu_j}$.

    Views whose exact likelihood ratio is not the printed product (a factor 0 is log 0 = -inf in the print).
    """
    out, inside = column_means(n, mu, nu, d).laws()
    different = 0
    for target, sums in out:
        printed = Fraction(1)
        for bit, total, mean in zip(target, sums, (mu, nu), strict=False):
            share = Fraction(total, n + extra)
            printed *= share / mean if bit else (1 - share) / (1 - mean)
        different += inside[target, sums] != printed * out[target, sums]
    return different, "==", 0


@claim(
    "TH-EQ2.26/coordinate",
    enumerated(
        [{"n": n, "s": s, "mu": m} for n in range(1, 25) for s in range(1, n + 1) for m in MEANS], rational=True
    ),
    false={"extra": 1},
    where=["s <= n"],
    role="step",
)
def one_coordinate_of_the_ratio(n: Count, s: Count, mu: Inside, extra=0):
    r"""$\binom{n-1}{s-1}\mu^{s-1}(1-\mu)^{n-s}=\frac{s/(n+<extra>)}{\mu}\binom ns\mu^s(1-\mu)^{n-s}$.

    The probability of s ones given that the target's bit is one, against the formula times that of s ones.
    """
    given = comb(n - 1, s - 1) * mu ** (s - 1) * (1 - mu) ** (n - s)
    return given * mu * (n + extra), "==", s * comb(n, s) * mu**s * (1 - mu) ** (n - s)


item(
    "TH-S2.3c",
    r"""As $d,n\to\infty$ with $d/n=\tau$: $\ell_n\rightsquigarrow\mathcal N(-\tau/2,\tau)$ under $H_0$ and $\mathcal
    N(\tau/2,\tau)$ under $H_1$, so $\Phi^{-1}(1-\alpha)+\Phi^{-1}(1-\beta)\approx\sqrt{d/n}$.""",
)

Large = Annotated[Any, "integer [20, inf)"]
Inner = Annotated[Any, "[1/10, 9/10]"]  # the means lie in [a, 1 - a]


def log_transform(n: int, mu: Any, power: Any) -> Any:
    """log E[exp(power * one coordinate of the likelihood ratio)] under H_0, for 0 < power < 1, as a ball."""
    total = to_ball(0)
    for s in range(n + 1):
        weight = comb(n, s) * mu**s * (1 - mu) ** (n - s)
        share = to_ball(Fraction(s, n))
        hit = mu ** (1 - power) * share**power if s else to_ball(0)
        missed = (1 - mu) ** (1 - power) * (1 - share) ** power if s < n else to_ball(0)
        total += weight * (hit + missed)
    return log(total)


TRANSFORMS = enumerated(n=[20, 40, 80, 320], mu=["1/10", "1/5", "1/2", "9/10"], power=["1/100", "1/2", "4/5", "99/100"])


@claim("TH-S2.3c/outside", TRANSFORMS, false=[{"variance": "0.9"}, {"mean": "-0.4"}])
def law_outside(n: Large, mu: Inner, power: Inside, mean=Fraction(-1, 2), variance=1, rate=5):
    r"""Under $H_0$, $\frac nd\log\mathbb E[e^{p\ell_n}]$ is within $<rate>/n$ of $<mean>p+<variance>p^2/2$ for
    $p\in(0,1)$: transforms converge to those of $\mathcal N(-\tau/2,\tau)$.

    Exact transforms of one coordinate; coordinates are independent, so d of them add up. Convergence of the transforms
    on an interval of p gives convergence in law. Means in [a, 1 - a] with a = 1/10.
    """
    return abs(n * log_transform(n, mu, power) - (mean * power + variance * power * power / 2)), "<=", to_ball(rate) / n


@claim("TH-S2.3c/inside", TRANSFORMS, false=[{"variance": "0.9"}, {"mean": "0.4"}])
def law_inside(n: Large, mu: Inner, power: Inside, mean=Fraction(1, 2), variance=1, rate=5):
    r"""Under $H_1$, $\frac nd\log\mathbb E[e^{-p\ell_n}]$ is within $<rate>/n$ of $-<mean>p+<variance>p^2/2$ for
    $p\in(0,1)$: transforms converge to those of $\mathcal N(\tau/2,\tau)$.

    The law under H_1 is that under H_0 tilted by the likelihood ratio: E_in[exp(-p l)] = E_out[exp((1 - p) l)].
    """
    exponent = -mean * power + variance * power * power / 2
    return abs(n * log_transform(n, mu, 1 - power) - exponent), "<=", to_ball(rate) / n


@claim("TH-S2.3c/trade-off", symbolic(routes=("two quantiles", "separation")), false={"factor": "1.01"})
def trade_off(tau: Positive, threshold: Real, factor=1):
    r"""For the two normal laws, $\Phi^{-1}(1-\alpha)+\Phi^{-1}(1-\beta)=<factor>\sqrt\tau$ at every threshold.

    Both quantiles are linear in the threshold, with opposite slopes.
    """
    width = sqrt(tau)
    return (threshold + tau / 2) / width + (tau / 2 - threshold) / width, "==", factor * width


def binomial(trials: int, successes: int, mu: Any) -> Any:
    return comb(trials, successes) * mu**successes * (1 - mu) ** (trials - successes)


def squared_separation(n: int, references: int, mu: Fraction) -> Fraction:
    """(E_in - E_out)^2 / Var_out of one coordinate (z - mu)(mean - reference mean)/(mu (1 - mu)), by enumeration.

    This is the leading term of a coordinate of the score; references = 0 stands for the true mean.
    """
    moments = {b: [Fraction(0), Fraction(0)] for b in (0, 1)}
    for s, k, z in product(range(n + 1), range(references + 1), (0, 1)):
        weight = binomial(n, s, mu) * binomial(references, k, mu)
        inside = Fraction(s, n) if z else 1 - Fraction(s, n)
        reference = Fraction(k, references) if references else mu
        value = (z - mu) * (Fraction(s, n) - reference) / (mu * (1 - mu))
        for b, share in ((0, mu if z else 1 - mu), (1, inside)):
            moments[b][0] += weight * share * value
            moments[b][1] += weight * share * value * value
    return (moments[1][0] - moments[0][0]) ** 2 / (moments[0][1] - moments[0][0] ** 2)


@claim(
    "TH-EQ2.27",
    enumerated(
        n=[1, 2, 5], share=[1, 2, 4], mu=MEANS, rational=True, routes=("with references, more coordinates", "true mean")
    ),
    false={"factor": "1.01"},
)
def price_of_references(n: Count, share: Count, mu: Inside, factor=1):
    r"""With $\hat\mu_0$ from $n_0=\lambda n$ references in place of $\mu$, the number of coordinates (samples of the
    test) that gives the same power grows by the factor $<factor>\,\frac{1+\lambda}{\lambda}$.

    The squared separation of the leading term of the score, exactly; in the normal limit it decides the power.
    """
    more = factor * Fraction(1 + share, share)
    return more * squared_separation(n, share * n, mu), "==", squared_separation(n, 0, mu)


def logarithms_of_a_mean(m: int, mu: Any) -> list[tuple[Any, tuple[Any, Any]]]:
    """The law of log(1 - x) and log(x) for the mean x of m bits, given that it is neither 0 nor 1: weights, values."""
    weights = [binomial(m, k, mu) for k in range(1, m)]
    values = [(log(to_ball(Fraction(m - k, m))), log(to_ball(Fraction(k, m)))) for k in range(1, m)]
    return [(w / sum(weights), v) for w, v in zip(weights, values, strict=True)]


def score_separation(n: int, mu: Any, references: list[tuple[Any, tuple[Any, Any]]]) -> Any:
    """The squared separation of one coordinate of the printed score, a difference of independent terms, as a ball."""
    own = logarithms_of_a_mean(n, mu)
    outside = inside = second = to_ball(0)
    for z, share in ((0, 1 - mu), (1, mu)):
        _, first, square = moments((w, v[z]) for w, v in own)
        _, reference, reference_square = moments((w, v[z]) for w, v in references)
        outside += share * (first - reference)
        second += share * (square - 2 * first * reference + reference_square)
        hits = ((w * to_ball(Fraction(s if z else n - s, n)), v[z]) for s, (w, v) in enumerate(own, 1))
        mass, total, _ = moments(hits)
        inside += total - mass * reference
    return (inside - outside) ** 2 / (second - outside * outside)


def moments(law: Iterable[tuple[Any, Any]]) -> list[Any]:
    """Mass, mean and mean square."""
    listed = list(law)
    return [sum((w * v**power for w, v in listed), to_ball(0)) for power in (0, 1, 2)]


@claim("TH-EQ2.27/score", enumerated(n=[40, 80, 160], share=[1, 2], mu=["1/5", "1/2", "4/5"]), false={"factor": "1.2"})
def references_and_the_score(
    n: Annotated[Any, "integer [40, inf)"], share: Count, mu: Annotated[Any, "[1/5, 4/5]"], factor=1, rate=4
):
    r"""For the printed scores themselves the ratio of squared separations times $<factor>\,\frac{1+\lambda}\lambda$ is
    within $<rate>/n$ of 1 (given that no mean is 0 or 1, where the score is undefined)."""
    with_references = score_separation(n, mu, logarithms_of_a_mean(share * n, mu))
    oracle = score_separation(n, mu, [(to_ball(1), (log(1 - mu), log(mu)))])
    return abs(factor * to_ball(Fraction(1 + share, share)) * with_references / oracle - 1), "<=", to_ball(rate) / n


@claim(
    "TH-EQ2.27/records",
    fails_at(n=1, share=1, mu=Fraction(1, 2), rational=True),
    role="reading",
    strongest="enumeration",
)
def references_and_records(n: Count, share: Count, mu: Inside):
    r"""Read of the size $n$ of the data set: with $n(1+\lambda)/\lambda$ records the power is that of the true mean
    with $n$ records.

    The same number of coordinates, (1 + lambda)/lambda times as many records (n = share * k): more records hide the
    target better, the separation falls with n.
    """
    more = n * (1 + share) // share
    return squared_separation(more, share * more, mu), ">=", squared_separation(n, 0, mu)
