"""Section 6.4, page 140: how much the empirical mean tells of a fixed target."""

from fractions import Fraction
from itertools import product
from typing import Annotated, Any

import numpy as np

from banditproof.claims.register import claim, item, not_checkable, restate
from banditproof.claims.sets import Count, Inside, Nonnegative, Positive, Real, TwoOrMore
from banditproof.claims.steps import enumerated, fails_at, symbolic
from banditproof.claims.study import Arrays, Study
from banditproof.paper_checks.thesis.facts.inference import MEANS, TargetBit, column_means, fixed_laws
from banditproof.paper_checks.thesis.facts.membership import (
    Vector,
    column_transform,
    gamma_sum_is_below,
    squared_length,
    values_at_random,
)
from banditproof.paper_checks.thesis.studies import simulated
from banditproof.theory import log, sqrt, to_ball
from banditproof.theory.numbers.normal_law import normal_cdf, normal_quantile
from banditproof.theory.numbers.numeric import exp, maximum
from banditproof.theory.privacy.leakage import gaussian_leakage, gaussian_power, log_affinity, normal_mean_leakage
from banditproof.verify import decided

not_checkable(
    "MIA-D6.4",
    r"""Assumptions: $\mathcal D=\bigotimes_j\mathcal D_j$ with finite moments of order $4+\delta$, $d/n=\tau$; the
    Mahalanobis distance is $\|z^\star-\mu\|_{C_\sigma^{-1}}$.""",
    "no statement",
    "a claim about the assumptions, such as that every such law has a density",
)


@claim(
    "MIA-EQ6.4a",
    enumerated(
        lambda check: [
            {"n": n, "mu": m, "nu": Fraction(1, 3), "first": z, "second": w}
            for n in (1, 2, 3)
            for m in MEANS
            for z, w in product((0, 1), repeat=2)
        ],
        rational=True,
        routes=("two columns", "one column each"),
    ),
    false={"power": 2},
    restricted="to two Bernoulli columns",
)
def ratio_is_a_product(n: Count, mu: Inside, nu: Inside, first: TargetBit, second: TargetBit, power=1):
    r"""$\ell_n(\hat\mu_n;z^\star,\mu,C_\sigma)=\sum_j\log\frac{p^{\rm in}_{n,j}}{p^{\rm out}_{n,j}}$ (with the first
    ratio to the power <power>).

    Cross-multiplied, over all outputs.
    """
    out, inside = fixed_laws(column_means(n, mu, nu, 2), (first, second))
    columns = [fixed_laws(column_means(n, m, m, 1), (z,)) for m, z in ((mu, first), (nu, second))]
    different = Fraction(0)
    for a, b in out:
        (one_out, one_in), (two_out, two_in) = columns
        ratio = one_in[a,] ** power * two_in[b,], one_out[a,] ** power * two_out[b,]
        different += abs(inside[a, b] * ratio[1] - out[a, b] * ratio[0])
    return different, "==", 0


item(
    "MIA-T6.3",
    r"""As $d,n\to\infty$ with $d/n=\tau$: $\ell_n\rightsquigarrow\mathcal N(-m^\star/2,m^\star)$ under $H_0$ and
    $\mathcal N(m^\star/2,m^\star)$ under $H_1$, $m^\star=\lim\frac1n\|z^\star-\mu\|^2_{C_\sigma^{-1}}$.""",
)

Large = Annotated[Any, "integer [20, inf)"]
Inner = Annotated[Any, "[1/10, 9/10]"]


def squared_distance(mu: Any, target: int) -> Any:
    """(z - mu)^2 / sigma^2 of a bit."""
    return (1 - mu) / mu if target else mu / (1 - mu)


COLUMNS = enumerated(n=[20, 80, 320], mu=["1/10", "1/2", "4/5"], target=[0, 1], p=["1/100", "1/2", "99/100"])


@claim(
    "MIA-T6.3/bits-out",
    COLUMNS,
    false=[{"variance": "0.9"}, {"mean": "-0.4"}],
    restricted="to Bernoulli columns with means in $[1/10,9/10]$ and targets in $\\{0,1\\}^d$",
)
def bits_outside(n: Large, mu: Inner, target: TargetBit, p: Inside, mean=Fraction(-1, 2), variance=1, rate=60):
    r"""(a) $n\log\mathbb E_0[e^{p\ell_n}]$ of a column is within $<rate>/n$ of $(<mean>p+<variance>p^2/2)\,
    (z^\star_j-\mu_j)^2/\sigma_j^2$ for $p\in(0,1)$.

    Exact transforms; columns are independent, so they add up to those of N(-m/2, m), and convergence of the transforms
    on an interval gives convergence in law.
    """
    limit = (mean * p + variance * p * p / 2) * squared_distance(mu, target)
    return abs(n * column_transform(n, mu, target, p) - limit), "<=", to_ball(rate) / n


@claim(
    "MIA-T6.3/bits-in",
    COLUMNS,
    false=[{"variance": "0.9"}, {"mean": "0.4"}],
    restricted="to Bernoulli columns with means in $[1/10,9/10]$ and targets in $\\{0,1\\}^d$",
)
def bits_inside(n: Large, mu: Inner, target: TargetBit, p: Inside, mean=Fraction(1, 2), variance=1, rate=60):
    r"""(b) $n\log\mathbb E_1[e^{-p\ell_n}]$ of a column is within $<rate>/n$ of $(-<mean>p+<variance>p^2/2)\,
    (z^\star_j-\mu_j)^2/\sigma_j^2$ for $p\in(0,1)$.

    The law under H_1 is that under H_0 tilted by the ratio: E_1[exp(-p l)] = E_0[exp((1 - p) l)].
    """
    limit = (-mean * p + variance * p * p / 2) * squared_distance(mu, target)
    return abs(n * column_transform(n, mu, target, 1 - p) - limit), "<=", to_ball(rate) / n


@claim(
    "MIA-T6.3/normal-columns",
    enumerated(n=[2, 10, 1000], distance=["0", "1/2", "2"], p=["1/100", "1/2", "99/100"]),
    false=[{"variance": "0.9"}, {"mean": "-0.4"}],
    restricted="to Gaussian columns",
)
def normal_outside(n: TwoOrMore, distance: Real, p: Inside, mean=Fraction(-1, 2), variance=1, rate=10):
    r"""(a) For Gaussian columns at distance $\zeta=(z^\star_j-\mu_j)/\sigma_j$: $n\log\mathbb E_0[e^{p\ell_n}]$ is
    within $<rate>(1+\zeta^2)/n$ of $(<mean>p+<variance>p^2/2)\,\zeta^2$.

    In closed form: N(0, 1/n) against N(zeta/n, (n - 1)/n^2).

    Printed is the limit; the rate is a choice and not seen.
    """
    inside = to_ball(Fraction(n - 1, n * n))
    exact = n * log_affinity(distance / n, to_ball(Fraction(1, n)), inside, p)
    limit = (mean * p + variance * p * p / 2) * distance**2
    return abs(exact - limit), "<=", rate * (1 + distance**2) / n


@claim(
    "MIA-T6.3/three-values",
    fails_at(n=320),
    strongest="enumeration",
    assuming="the affinity of a column is at most 1 - 1/(4n) + 1/(8n^2), so that the left side is above 3/5 from 7 on",
)
def values_that_tell_their_counts(n: Large, slack=Fraction(1, 100)):
    r"""Equal columns, uniform on $\{0,1,\sqrt2\}$, $z^\star=(1,\dots,1)$ and $d=4n$: $\xi_n$ is at most
    $\Phi(\frac{\sqrt{m^\star}}2)-\Phi(-\frac{\sqrt{m^\star}}2)+<slack>$ with
    $m^\star=4\frac{(1-\mu_1)^2}{\sigma_1^2}$.

    Nothing printed asks for a density, and the target is one of the values. Sums tell how often each value is in them,
    as sqrt(2) is irrational, so the ratio of a column is that of n bits of mean 1/3, whose score is 2. The left side is
    1 less the affinity of the two laws, which the leakage is not below.
    """
    third, mean, variance = values_at_random()
    affinity = exp(4 * n * column_transform(n, third, 1, Fraction(1, 2)))
    return 1 - affinity, "<=", gaussian_leakage(4 * (1 - mean) ** 2 / variance) + slack


@claim(
    "MIA-T6.3/uneven-columns",
    fails_at(n=2**20),
    role="part",
    strongest="enumeration",
    assuming="along the powers of two the probability rises to 1, as (1/n)^(1/n) does, and the score falls to 0",
)
def one_column_gives_away(n: TwoOrMore, slack=Fraction(1, 4)):
    r"""Normal columns with $z^\star_j=\mu_j$, but for $j=1,2,4,\dots$ Gamma columns of shape $j^{-2}$ with
    $z^\star_j=\mu_j+\sigma_j$; $d=n$ a power of two: $\xi_n$ is at most $\Phi(\frac{\sqrt{m_n}}2)-
    \Phi(-\frac{\sqrt{m_n}}2)+<slack>$ with $m_n=\frac1n\|z^\star-\mu\|^2_{C_\sigma^{-1}}=\frac{1+\log_2n}n$
    (the difference of both sides).

    Independent columns with densities, whose moments of every order are bounded over all columns, too. The sum of
    column n (scale 1) is at least 1/n + 1/n^2 with the target; without, it is Gamma(1/n), hardly ever as large. The
    likelihood ratio does not tend to 1.
    """
    share = to_ball(Fraction(1, n))
    score = share * n.bit_length()
    return gamma_sum_is_below(n, share + share**2) - gaussian_leakage(score) - slack, "<=", 0


Sizes = Annotated[Any, "all: every list of numbers of records"]


@claim(
    "MIA-T6.3/off-the-lattice",
    fails_at(sizes=[1, 2, 10, 100], slack=Fraction(1, 4)),
    role="edge",
    strongest="enumeration",
    assuming="a list of numbers of records stands for all of them: that sums and sums with a half are apart needs no n",
)
def target_between_the_values(sizes: Sizes, slack: Inside):
    r"""For fair bits, $d=n$, $z^\star_1=\frac12$ and $z^\star_j\in\{0,1\}$ elsewhere, so that $m^\star=1$: not
    for all $n$ of a list is $\xi_n$ larger than $\Phi(\frac12)-\Phi(-\frac12)+\text{slack}$.

    Nothing printed asks for a density, or for a target among the values of the data. With half a record in the first
    column its sum is a whole number without the target and a half off with it: the output gives the target away, and
    xi_n = 1 for every n of the list of sizes.
    """
    larger = 0
    for n in sizes:
        without = {2 * s for s in range(n + 1)}  # twice the sum of the first column
        apart = without.isdisjoint(2 * s + 1 for s in range(n))  # then xi_n = 1
        larger += apart and decided(1, ">", gaussian_leakage(to_ball(1)) + slack)
    return larger, "<", len(sizes)


REPAIRED_BY = {"three-values": "two-values", "uneven-columns": "even-columns", "off-the-lattice": "on-the-lattice"}
ON_BITS = r"""With columns of bits, means in $[\frac1{10},\frac9{10}]$ and $z^\star\in\{0,1\}^d$ among the assumptions:
    (a) $n\log\mathbb E_0[e^{p\ell_n}]$ of a column is within $<rate>/n$ of $(<mean>p+<variance>p^2/2)\,
    (z^\star_j-\mu_j)^2/\sigma_j^2$ for $p\in(0,1)$, as it is for $\mathcal N(-m^\star/2,m^\star)$."""

for name, mended in REPAIRED_BY.items():
    restate(f"MIA-T6.3/{mended}", "MIA-T6.3/bits-out", ON_BITS, role="repair", repairs=f"MIA-T6.3/{name}")

item(
    "MIA-C6.4",
    r"""$\lim\xi_n(z^\star,\mathcal M_n^{\rm emp},\mathcal D)=\Phi(\frac{\sqrt{m^\star}}2)-\Phi(-\frac{\sqrt{m^\star}}
    2)$ and, with $\tau_\alpha=-\frac{m^\star}2+\sqrt{m^\star}\Phi^{-1}(1-\alpha)$, $\lim\mathrm{Pow}_n(\ell_n,\alpha,
    z^\star)=\Phi(\Phi^{-1}(\alpha)+\sqrt{m^\star})$.""",
)

for name, mended in REPAIRED_BY.items():
    restate(f"MIA-C6.4/{name}", f"MIA-T6.3/{name}")
    restate(f"MIA-C6.4/{mended}", "MIA-T6.3/bits-out", ON_BITS, role="repair", repairs=f"MIA-C6.4/{name}")


@claim(
    "MIA-C6.4/leakage",
    enumerated(score=["1/100", "1", "5", "20"], threshold=["-3", "-1/2", "0", "1/4", "2"]),
    false={"factor": "0.99"},
)
def best_threshold(score: Positive, threshold: Real, factor=1):
    r"""Between $\mathcal N(m^\star/2,m^\star)$ and $\mathcal N(-m^\star/2,m^\star)$ the advantage of a threshold is at
    most $<factor>\,(\Phi(\frac{\sqrt{m^\star}}2)-\Phi(-\frac{\sqrt{m^\star}}2))$, its value at 0.

    To 1e-9.
    """
    size, miss = ((threshold + sign * score / 2) / sqrt(score) for sign in (1, -1))
    return normal_cdf(size) - normal_cdf(miss), "<=", factor * gaussian_leakage(score) + to_ball(Fraction(1, 10**9))


@claim(
    "MIA-C6.4/power",
    enumerated(
        score=["1/100", "1", "5", "20"], alpha=["1/1000", "1/20", "1/2", "9/10"], routes=("threshold put in", "(6.3)")
    ),
    false={"half": "0.49"},
)
def power_at_the_printed_threshold(score: Positive, alpha: Inside, half=Fraction(1, 2)):
    r"""At $\tau_\alpha=-<half>m^\star+\sqrt{m^\star}\Phi^{-1}(1-\alpha)$ the test of the two normal laws has power
    $\Phi(\Phi^{-1}(\alpha)+\sqrt{m^\star})$.

    To 1e-9.
    """
    threshold = -half * score + sqrt(score) * normal_quantile(1 - alpha)
    power = 1 - normal_cdf((threshold - score / 2) / sqrt(score))
    return abs(power - gaussian_power(alpha, score)), "<=", to_ball(Fraction(1, 10**9))


@claim(
    "MIA-C6.4/normal-columns",
    enumerated(n=[10, 100, 1000], aspect=[1, 5], score=["1/4", "1", "5"]),
    false=[{"half": "0.49"}, {"half": "0.51"}],
    restricted="to Gaussian columns",
)
def leakage_of_normal_columns(n: TwoOrMore, aspect: Count, score: Positive, half=Fraction(1, 2), rate=Fraction(1, 8)):
    r"""(6.2) for Gaussian columns, $d=\tau n$ and $\|z^\star-\mu\|^2_{C_\sigma^{-1}}=nm^\star$: $\xi_n$ is within
    $<rate>\,(\tau+m^\star)/(n\sqrt{m^\star})$ of $\Phi(<half>\sqrt{m^\star})-\Phi(-<half>\sqrt{m^\star})$.

    The exact leakage (MIA-X2): the limit is approached like 1/n where the target is off the mean.
    """
    exact = normal_mean_leakage(n * score, n, aspect * n)
    limit = normal_cdf(half * sqrt(score)) - normal_cdf(-half * sqrt(score))
    return abs(exact - limit), "<=", rate * (aspect + score) / (n * sqrt(score))


item(
    "MIA-X2",
    r"""For Gaussian columns $\ell_n$ falls with $S=\|\sqrt nC_\sigma^{-1/2}(\hat\mu_n-z^\star)\|^2$, a non-central
    $\chi^2_d$ variable under $H_0$ and $\frac{n-1}n$ times one under $H_1$, so that $\xi_n$ is a difference of two
    such distribution functions.""",
)


@claim("MIA-X2/score", symbolic(), false=[{"lost": 2}, {"own": 0}])
def score_by_distance(x: Real, zeta: Real, k: Nonnegative, lost=1, own=1):
    r"""Per column, with $n=k+2$, $x=\sqrt n(\hat\mu_{n,j}-\mu_j)/\sigma_j$ and $\zeta=(z^\star_j-\mu_j)/\sigma_j$: the
    exponents of $\mathcal N(\zeta/\sqrt n,\frac{n-<lost>}n)$ and $\mathcal N(0,1)$ at $x$ differ by
    $<own>\frac{\zeta^2}2-\frac{(x-\sqrt n\zeta)^2}{2(n-1)}$ (the variable zeta is $\sqrt n\zeta$).
    """
    n = k + 2
    left = x**2 / 2 - n * (x - zeta / n) ** 2 / (2 * (n - lost))
    return left, "==", own * zeta**2 / (2 * n) - (x - zeta) ** 2 / (2 * (n - 1))


def ball_probability(radius: Any, distance: Any, d: int) -> Any:
    """That a standard normal vector in one or three dimensions is within `radius` of a point at `distance` > 0."""
    inner = normal_cdf(radius - distance) - normal_cdf(-radius - distance)
    if d == 1:
        return inner
    heights = [exp(-((radius + sign * distance) ** 2) / 2) for sign in (-1, 1)]
    return inner - (heights[0] - heights[1]) / (distance * sqrt(2 * to_ball(1).pi()))


@claim(
    "MIA-X2/best-ball",
    enumerated(n=[2, 10, 1000], pairs=[0, 1], squared=["1/10", "1", "20"], share=["1/2", "9/10", "1", "11/10", "3/2"]),
    false=[{"factor": "0.999"}, {"factor": "1.001"}],
)
def best_ball(n: TwoOrMore, pairs: TargetBit, squared: Positive, share: Positive, factor=1):
    r"""The ball around the target with $S<S^\dagger=(n-1)(\|\zeta\|^2-d\log(1-\frac1n))$ has the advantage $<factor>\,
    \xi_n$, and balls of other radii ($\text{share}\cdot\sqrt{S^\dagger}$) have no more (to 1e-9).

    Closed forms for $d=1$ and $d=3$ (one pair more) against the sum over Poisson weights.
    """
    d = 1 + 2 * pairs
    radius = sqrt((n - 1) * (squared - d * log(to_ball(1 - Fraction(1, n)))))
    wider, far, near = sqrt(to_ball(Fraction(n, n - 1))), sqrt(n * squared), sqrt((n - 1) * squared)
    exact = factor * normal_mean_leakage(squared, n, d)

    def advantage(r: Any) -> Any:
        return ball_probability(r * wider, near, d) - ball_probability(r, far, d)

    beyond = maximum(advantage(share * radius) - exact, 0)
    return beyond + abs(advantage(radius) - exact), "<=", to_ball(Fraction(1, 10**9))


@claim("MIA-X2/at-the-mean", enumerated(n=[10, 100, 1000], aspect=[1, 5]), false=[{"four": "3.8"}, {"four": "4.2"}])
def leakage_at_the_mean(n: Annotated[Any, "integer [10, inf)"], aspect: Count, four=4):
    r"""At $z^\star=\mu$, where (6.2) is 0, $\xi_n$ is within $1/(2n)$ of $\sqrt{\tau/(<four>\pi n)}$, relatively: the
    spread of the mean alone gives the target away, and the limit is approached like $n^{-1/2}$ only."""
    printed = sqrt(to_ball(aspect) / (four * to_ball(1).pi() * n))
    return abs(normal_mean_leakage(to_ball(0), n, aspect * n) / printed - 1), "<=", to_ball(Fraction(1, 2 * n))


@claim(
    "MIA-EQ6.4",
    symbolic(routes=("moments of the difference", "bound")),
    false=[{"corrected": 1}],
    restricted="to Gaussian columns, under $H_0$",
)
def score_and_its_form(k: Nonnegative, tau: Positive, m: Nonnegative, corrected=0):
    r"""With $n=k+2$, $d=\tau n$ and $\|z^\star-\mu\|^2_{C_\sigma^{-1}}=mn$, the variance of the difference of $\ell_n$
    and $(z^\star-\mu)^\top C_\sigma^{-1}(\hat\mu_n-\mu)-\frac{1}{2n}\|z^\star-\mu\|^2_{C_\sigma^{-1}}$ is at most
    $(1-<corrected>)(\tau+m)/(n-1)+<corrected>(\tau+m)/(n-1)^2$.

    Per column, with x standard normal: -x^2/(2(n-1)) + x zeta/(sqrt(n)(n-1)) and a constant.
    """
    n = k + 2
    variance = tau * n / (2 * (n - 1) ** 2) + m / (n - 1) ** 2
    return variance, "<=", (tau + m) * ((1 - corrected) / (n - 1) + corrected / (n - 1) ** 2)


restate(
    "MIA-EQ6.4/three-values",
    "MIA-T6.3/three-values",
    r"""Equal columns, uniform on $\{0,1,\sqrt2\}$, $z^\star=(1,\dots,1)$, $d=4n$: the form has the limit laws
    $\mathcal N(\mp\frac{m^\star}2,m^\star)$, $m^\star=4\frac{(1-\mu_1)^2}{\sigma_1^2}$, so that with $\ell_n\sim$
    the form $\xi_n$ is at most $\Phi(\frac{\sqrt{m^\star}}2)-\Phi(-\frac{\sqrt{m^\star}}2)+<slack>$.""",
    role="part",
)
restate(
    "MIA-EQ6.4/normal-columns",
    "MIA-EQ6.4",
    r"""With normal columns among the assumptions, $n=k+2$, $d=\tau n$ and $\|z^\star-\mu\|^2_{C_\sigma^{-1}}=mn$: under
    $H_0$ the variance of the difference of $\ell_n$ and the form is at most
    $(1-<corrected>)(\tau+m)/(n-1)+<corrected>(\tau+m)/(n-1)^2$.""",
    role="repair",
    repairs="MIA-EQ6.4/three-values",
)

item(
    "MIA-EQ6.5",
    r"""$\ell_n^{\rm emp}=(z^\star-\hat\mu_0)^\top\hat C_0^{-1}(\hat\mu_n-\hat\mu_0)-\frac1{2n}\|z^\star-\hat\mu_0\|^2_{
    \hat C_0^{-1}}$, with estimates $\hat\mu_0=\frac1{n_0}\sum_iZ_i^{\rm ref}$ of $\mu$ and
    $\hat C_0=\frac1{n_0}\sum_iZ_i^{\rm ref}(Z_i^{\rm ref})^\top$ of $C_\sigma$.""",
)


def second_moment(mu: Fraction, centred: int) -> Fraction:
    """E of (z - centred * mu)^2 for a bit with mean mu."""
    return mu * (1 - centred * mu) ** 2 + (1 - mu) * (centred * mu) ** 2


@claim("MIA-EQ6.5/covariance", fails_at(mu=Fraction(1, 2), rational=True), strongest="enumeration")
def printed_covariance(mu: Inside):
    r"""$\mathbb E[\hat C_0]=C_\sigma$ for $\hat C_0=\frac1{n_0}\sum_iZ_i^{\rm ref}(Z_i^{\rm ref})^\top$ (one column of
    bits with mean $\mu$).

    It is C + mu mu^T: not centred, it estimates the second moment.
    """
    return second_moment(mu, 0), "==", mu * (1 - mu)


@claim("MIA-EQ6.5/centred", symbolic(), false={"factor": "0.99"}, role="repair", repairs="MIA-EQ6.5/covariance")
def centred_covariance(mu: Inside, factor=1):
    r"""$\mathbb E[\frac1{n_0}\sum_i(Z_i^{\rm ref}-\mu)(Z_i^{\rm ref}-\mu)^\top]=<factor>\,C_\sigma$."""
    return second_moment(mu, 1), "==", factor * mu * (1 - mu)


def directions(seed: np.random.SeedSequence, runs: int, d: int, references: list[int]) -> Arrays:
    """The squared efficiency of the direction C_0^-1 (z - mu_0) for normal records with variances 1, 2, ..., d: shift
    squared over variance of the score it makes, divided by |z - mu|^2 in the norm of C^-1."""
    generator, spread, found = np.random.default_rng(seed), np.sqrt(np.arange(1.0, d + 1)), {}
    for n_0 in references:
        points = spread * generator.standard_normal((runs, n_0, d))
        target = spread * generator.standard_normal((runs, d))
        mean = points.mean(axis=1)
        points -= mean[:, None]
        covariance = np.swapaxes(points, 1, 2) @ points / n_0
        direction = np.linalg.solve(covariance, (target - mean)[..., None])[..., 0]
        separation = (direction * target).sum(axis=1) ** 2 / ((direction * spread) ** 2).sum(axis=1)
        found[str(n_0)] = separation / ((target / spread) ** 2).sum(axis=1)
    return found


DIRECTIONS = Study("mean-directions", directions, {"runs": 20_000, "d": 10, "references": [16, 25, 40]})


@claim(
    "MIA-X3",
    simulated(DIRECTIONS, n_0=[16, 25, 40], d=[10]),
    false=[{"factor": "0.6"}, {"factor": "1.4"}],
    studies=[DIRECTIONS],
)
def efficiency_of_an_estimated_covariance(n_0: Count, d: Count, factor=1, *, arrays, coins):
    r"""With mean and centred covariance of $n_0>d$ Gaussian reference points the squared efficiency of the direction
    $\hat C_0^{-1}(z^\star-\hat\mu_0)$ is on average within $2/n_0$ of $1-<factor>\frac d{n_0}$, so that the score of an
    adversary with references is about $m^\star(1-\frac d{n_0})$.

    A mean becomes a probability by one more uniform draw.
    """
    for references, found in arrays.items():
        hit, share = coins.random(len(found)) < found, 1 - Fraction(factor) * d[0] / int(references)
        slack = Fraction(2, int(references))
        yield f"n_0 = {references}, at least", hit, ">=", max(share - slack, Fraction(0))
        yield f"n_0 = {references}, at most", hit, "<=", share + slack


@claim(
    "MIA-S6.4a",
    symbolic(routes=("over targets", "number of columns")),
    false={"factor": "1.01"},
    restricted="to Bernoulli columns",
)
def mean_squared_distance(mu: Inside, factor=1):
    r"""$\mathbb E_{z^\star\sim\mathcal D}\|z^\star-\mu\|^2_{C_\sigma^{-1}}=<factor>\,d$: each column adds 1, so
    $\mathbb E[m^\star]=\tau$."""
    return mu * squared_distance(mu, 1) + (1 - mu) * squared_distance(mu, 0), "==", factor


item(
    "MIA-S6.4b",
    r"""If $C_\sigma=\sigma I_d$, thresholding $\ell_n$ and thresholding $(z^\star-z^{\rm ref})^\top\hat\mu_n$ have the
    same power.""",
)


@claim(
    "MIA-S6.4b/one-reference",
    fails_at(target=[1, 0], reference=[0, 1], rational=True),
    strongest="enumeration",
    assuming="for normal records the power is an increasing function of the squared separation",
)
def separation_with_a_reference(target: Vector, reference: Vector):
    r"""For $\mu=0$ and $C_\sigma=I_d$ the squared separation of $(z^\star-z^{\rm ref})^\top\hat\mu_n$,
    $\frac{((z^\star-z^{\rm ref})^\top z^\star)^2}{n\|z^\star-z^{\rm ref}\|^2}$, is that of $\ell_n$,
    $\frac1n\|z^\star\|^2$ (it decides the power where the output is normal).

    The shift of a linear score's mean by the target, over its variance without it; a reference of the data is as far
    from the mean as the target, and the score carries its noise.
    """
    difference = [z - r for z, r in zip(target, reference, strict=True)]
    along = sum(a * z for a, z in zip(difference, target, strict=True))
    return along**2, "==", squared_length(target) * squared_length(difference)


@claim(
    "MIA-S6.4b/true-mean",
    enumerated(
        [{"target": [a, b], "share": Fraction(c, 2)} for a, b, c in product((-1, 2), (1, 3), (1, 2, 5))], rational=True
    ),
    false={"share_of_mean": "0.9"},
    role="repair",
    repairs="MIA-S6.4b/one-reference",
)
def separation_with_the_mean(target: Vector, share: Positive, share_of_mean=1):
    r"""With $z^{\rm ref}=<share_of_mean>\,\mu$ (here $\mu=\text{share}\cdot(1,2)$, $C_\sigma=I_2$) the separations are
    equal."""
    mean = [share, 2 * share]
    distance = [z - m for z, m in zip(target, mean, strict=True)]
    direction = [z - share_of_mean * m for z, m in zip(target, mean, strict=True)]
    along = sum(a * z for a, z in zip(direction, distance, strict=True))
    return along**2, "==", squared_length(distance) * squared_length(direction)


def squared_deviations(points: list[int]) -> list[Fraction]:
    """(x - mean)^2 / variance of the points of a list, by the list's own mean and variance."""
    mean = Fraction(sum(points), len(points))
    variance = sum(((x - mean) ** 2 for x in points), Fraction(0)) / len(points)
    return [(x - mean) ** 2 / variance for x in points]


@claim("MIA-S6.4c", fails_at(points=[-1, 0, 1, 10], rational=True), strongest="enumeration")
def onion(points: Annotated[Any, "all: every list of numbers whose last one is the farthest from their mean"]):
    r"""Removing the outliers of a data set increases the Mahalanobis distance of the points which are not removed (the
    number of those for which it does not).

    The mean moves as well: without 10, the mean of -1, 0, 1, 10 moves from 5/2 onto 0.
    """
    before, after = squared_deviations(points)[:-1], squared_deviations(points[:-1])
    return sum(b <= a for a, b in zip(before, after, strict=True)), "==", 0


@claim(
    "MIA-S6.4c/mean-kept",
    enumerated(points=[[-1, 1, 0, 0, -5, 5], [2, -2, 1, -1, -9, 9], [1, 2, 6, 7, -20, 28]], rational=True),
    false={"factor": "20"},
    role="repair",
    repairs="MIA-S6.4c",
)
def onion_with_the_mean_kept(
    points: Annotated[Any, "all: every list of numbers whose last two are outliers with the mean of the others"],
    factor=1,
):
    r"""Where removing the outliers keeps the mean, no remaining point is less than $<factor>$ times as far from it in
    the Mahalanobis distance as before (the number of those for which it is)."""
    before, after = squared_deviations(points)[:-2], squared_deviations(points[:-2])
    return sum(b < factor * a for a, b in zip(before, after, strict=True)), "==", 0


@claim(
    "MIA-S6.4d",
    enumerated(
        epsilon=["0", "7/10", "2"],
        score=["1/10", "1", "169/100", "5"],
        threshold=["-1", "0", "1/2", "1", "3/2", "2", "4"],
    ),
    false=[{"half": "0.45"}, {"factor": "0.97"}],
)
def privacy_of_the_mean(epsilon: Nonnegative, score: Positive, threshold: Real, half=Fraction(1, 2), factor=1):
    r"""The trade-off (6.3) is that of $(\varepsilon,\delta(\varepsilon))$-DP with $\delta(\varepsilon)=<factor>\,
    [\Phi(-\frac\varepsilon{\sqrt{m^\star}}+<half>\sqrt{m^\star})-e^\varepsilon\Phi(-\frac\varepsilon{\sqrt{m^\star}}-<half>
    \sqrt{m^\star})]$ for all $\varepsilon\ge0$: no threshold has $1-\beta-e^\varepsilon\alpha>\delta(\varepsilon)$.

    At thresholds of N(sqrt(m), 1) against N(0, 1), and at the best one, epsilon/sqrt(m) + sqrt(m)/2, where both agree.
    """
    width = sqrt(score)
    delta = normal_cdf(-epsilon / width + half * width) - exp(epsilon) * normal_cdf(-epsilon / width - half * width)
    at = [threshold, epsilon / width + width / 2]
    gains = [normal_cdf(width - t) - exp(epsilon) * normal_cdf(-t) for t in at]
    slack = to_ball(Fraction(1, 10**9))
    beyond = gains[0] - factor * delta
    apart = abs(gains[1] - factor * delta)
    return beyond + abs(beyond) + apart, "<=", slack


not_checkable(
    "MIA-S6.4e",
    r"""With dependent columns the same conclusions follow, with a full covariance matrix; left open.""",
    "no statement",
    "the assumptions under which the dependent case is claimed",
)
