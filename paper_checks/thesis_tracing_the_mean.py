"""Sections 2.3.4 and 2.3.5 of the thesis: tracing the empirical mean by likelihood ratios and by scalar products."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, prod
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.theory.numeric import log, sqrt, to_ball
from banditproof.verify.channels import FiniteChannel
from banditproof.verify.domain import Domain
from banditproof.verify.kernels import random_law
from banditproof.verify.membership import MembershipGame
from banditproof.verify.symbolic import SymbolicArgument

MEANS = (Fraction(1, 5), Fraction(1, 2), Fraction(2, 3))
INNER = "[1/10, 9/10]"  # the means lie in [a, 1 - a]

# -- the exact likelihood ratio -------------------------------------------------------------------------------


def column_means(n: int, mu: Fraction, nu: Fraction, d: int) -> MembershipGame:
    """n records of d independent bits with means mu, nu; their column sums are published."""
    records: Any = tuple(product((0, 1), repeat=d))
    data = {
        z: prod((m if bit else 1 - m for bit, m in zip(z, (mu, nu), strict=False)), start=Fraction(1)) for z in records
    }
    laws: Any = {
        rows: {tuple(sum(row[j] for row in rows) for j in range(d)): Fraction(1)} for rows in product(records, repeat=n)
    }
    return MembershipGame(FiniteChannel(n, records, laws), data)


def ratio_of_the_mean(n: int, d: int, mu: Fraction, nu: Fraction, extra: int) -> tuple[Any, str, Any]:
    """Views whose exact likelihood ratio is not the printed product (a factor 0 is log 0 = -inf in the print)."""
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
    "TH-EQ2.26",
    r"For $\mathcal D=\bigotimes_j\mathrm{Bernoulli}(\mu_j)$ and $o=\hat\mu_n$ (sums over $n+<extra>$): "
    r"$\ell_n=\sum_j z^\star_j\log\frac{\hat\mu_{n,j}}{\mu_j}+(1-z^\star_j)\log\frac{1-\hat\mu_{n,j}}{1-\mu_j}$.",
    domain=Domain.of(n="integer [1, inf)", d="integer [1, inf)", mu="(0, 1)", nu="(0, 1)"),
    constants={"extra": 0},
    mutations=[mutation("means over n + 1", extra=1)],
    strongest="enumeration",
)
def likelihood_ratio_of_the_mean(check: Check) -> None:
    """The two laws of the game summed over all data sets, against the printed formula, view by view."""
    points = [{"n": n, "d": 1, "mu": m, "nu": m} for n in (1, 2, 3, 5) for m in MEANS]
    points += [{"n": n, "d": 2, "mu": m, "nu": Fraction(1, 3)} for n in (1, 2, 3) for m in MEANS]
    check.enumerate(ratio_of_the_mean, points, rational=True, routes=("game, summed exactly", "formula"))


def one_coordinate(n: int, s: int, mu: Any, extra: int) -> tuple[Any, str, Any]:
    """The probability of s ones given that the target's bit is one, against the formula times that of s ones."""
    given = comb(n - 1, s - 1) * mu ** (s - 1) * (1 - mu) ** (n - s)
    return given * mu * (n + extra), "==", s * comb(n, s) * mu**s * (1 - mu) ** (n - s)


@claim(
    "TH-EQ2.26/coordinate",
    r"$\binom{n-1}{s-1}\mu^{s-1}(1-\mu)^{n-s}=\frac{s/(n+<extra>)}{\mu}\binom ns\mu^s(1-\mu)^{n-s}$.",
    role="step",
    domain=Domain.of(n="integer [1, inf)", s="integer [1, inf)", mu="(0, 1)", where=["s <= n"]),
    constants={"extra": 0},
    mutations=[mutation("n + 1", extra=1)],
    strongest="enumeration",
)
def one_coordinate_of_the_ratio(check: Check) -> None:
    """Binomial coefficients in rationals."""
    points = [{"n": n, "s": s, "mu": m} for n in range(1, 25) for s in range(1, n + 1) for m in MEANS]
    check.enumerate(one_coordinate, points, rational=True, routes=("conditional law", "formula"))


# -- its limit laws -------------------------------------------------------------------------------------------

parts_decide(
    "TH-S2.3c",
    r"As $d,n\to\infty$ with $d/n=\tau$: $\ell_n\rightsquigarrow\mathcal N(-\tau/2,\tau)$ under $H_0$ and $\mathcal "
    r"N(\tau/2,\tau)$ under $H_1$, so $\Phi^{-1}(1-\alpha)+\Phi^{-1}(1-\beta)\approx\sqrt{d/n}$.",
)


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


def transform_limit(n: int, mu: Any, power: Any, mean: Any, variance: Any, rate: Any) -> tuple[Any, str, Any]:
    """n log E against the exponent of the normal law with these multiples of tau = 1 as mean and variance."""
    return abs(n * log_transform(n, mu, power) - (mean * power + variance * power * power / 2)), "<=", rate / n


def transform_limit_inside(n: int, mu: Any, power: Any, mean: Any, variance: Any, rate: Any) -> tuple[Any, str, Any]:
    """Under H_1: E_in[exp(-power l)] = E_out[exp((1 - power) l)]."""
    exponent = -mean * power + variance * power * power / 2
    return abs(n * log_transform(n, mu, 1 - power) - exponent), "<=", rate / n


GRID = {
    "n": [20, 40, 80, 320],
    "mu": [Fraction(1, 10), Fraction(1, 5), Fraction(1, 2), Fraction(9, 10)],
    "power": [Fraction(1, 100), Fraction(1, 2), Fraction(4, 5), Fraction(99, 100)],
}
LIMIT = Domain.of(n="integer [20, inf)", mu=INNER, power="(0, 1)")


@claim(
    "TH-S2.3c/outside",
    r"Under $H_0$, $\frac nd\log\mathbb E[e^{p\ell_n}]$ is within $<rate>/n$ of $<mean>p+<variance>p^2/2$ for "
    r"$p\in(0,1)$: transforms converge to those of $\mathcal N(-\tau/2,\tau)$.",
    domain=LIMIT,
    constants={"mean": "-1/2", "variance": 1, "rate": 5},
    mutations=[mutation("variance 0.9", variance="0.9"), mutation("mean -0.4", mean="-0.4")],
    strongest="enumeration",
)
def law_outside(check: Check) -> None:
    """Exact transforms of one coordinate in balls; coordinates are independent, so d of them add up.

    Convergence of the transforms on an interval of p gives convergence in law. Means in [a, 1 - a] with a = 1/10.
    """
    check.enumerate(transform_limit, GRID, routes=("exact transform", "transform of the normal law"))


@claim(
    "TH-S2.3c/inside",
    r"Under $H_1$, $\frac nd\log\mathbb E[e^{-p\ell_n}]$ is within $<rate>/n$ of $-<mean>p+<variance>p^2/2$ for "
    r"$p\in(0,1)$: transforms converge to those of $\mathcal N(\tau/2,\tau)$.",
    domain=LIMIT,
    constants={"mean": "1/2", "variance": 1, "rate": 5},
    mutations=[mutation("variance 0.9", variance="0.9"), mutation("mean 0.4", mean="0.4")],
    strongest="enumeration",
)
def law_inside(check: Check) -> None:
    """The law under H_1 is that under H_0 tilted by the likelihood ratio."""
    check.enumerate(transform_limit_inside, GRID, routes=("exact transform", "transform of the normal law"))


def separation_of_normals(tau: Any, threshold: Any, factor: Any) -> tuple[Any, str, Any]:
    """Quantiles of both errors of the threshold test between N(-tau/2, tau) and N(tau/2, tau)."""
    width = sqrt(tau)
    return (threshold + tau / 2) / width + (tau / 2 - threshold) / width, "==", factor * width


def separation_argument(factor: Any) -> SymbolicArgument:
    import sympy

    root, threshold = sympy.symbols("root", positive=True), sympy.symbols("threshold", real=True)
    return SymbolicArgument({"tau": root**2, "threshold": threshold}, sympy.Integer(0), "zero")


@claim(
    "TH-S2.3c/trade-off",
    r"For the two normal laws, $\Phi^{-1}(1-\alpha)+\Phi^{-1}(1-\beta)=<factor>\sqrt\tau$ at every threshold.",
    domain=Domain.of(tau="(0, inf)", threshold="(-inf, inf)"),
    constants={"factor": 1},
    mutations=[mutation("1 % more", factor="1.01")],
    strongest="symbolic",
)
def trade_off(check: Check) -> None:
    """Both quantiles are linear in the threshold, with opposite slopes."""
    check.symbolic(separation_of_normals, separation_argument, routes=("two quantiles", "separation"))


# -- reference samples ----------------------------------------------------------------------------------------


def squared_separation(n: int, references: int, mu: Fraction) -> Fraction:
    """(E_in - E_out)^2 / Var_out of one coordinate (z - mu)(mean - reference mean)/(mu (1 - mu)), by enumeration.

    This is the leading term of a coordinate of the score; references = 0 stands for the true mean.
    """
    moments = {b: [Fraction(0), Fraction(0)] for b in (0, 1)}
    for s, k, z in product(range(n + 1), range(references + 1), (0, 1)):
        weight = _binomial(n, s, mu) * _binomial(references, k, mu)
        inside = Fraction(s, n) if z else 1 - Fraction(s, n)
        reference = Fraction(k, references) if references else mu
        value = (z - mu) * (Fraction(s, n) - reference) / (mu * (1 - mu))
        for b, share in ((0, mu if z else 1 - mu), (1, inside)):
            moments[b][0] += weight * share * value
            moments[b][1] += weight * share * value * value
    return (moments[1][0] - moments[0][0]) ** 2 / (moments[0][1] - moments[0][0] ** 2)


def _binomial(trials: int, successes: int, mu: Fraction) -> Fraction:
    return comb(trials, successes) * mu**successes * (1 - mu) ** (trials - successes)


def dimension_pays(n: int, share: int, mu: Fraction, factor: Fraction) -> tuple[Any, str, Any]:
    """Squared separations: (1 + lambda)/lambda times as many coordinates with references, against the true mean."""
    more = factor * Fraction(1 + share, share)
    return more * squared_separation(n, share * n, mu), "==", squared_separation(n, 0, mu)


@claim(
    "TH-EQ2.27",
    r"With $\hat\mu_0$ from $n_0=\lambda n$ references in place of $\mu$, the number of coordinates (samples of the "
    r"test) that gives the same power grows by the factor $<factor>\,\frac{1+\lambda}{\lambda}$.",
    domain=Domain.of(n="integer [1, inf)", share="integer [1, inf)", mu="(0, 1)"),
    constants={"factor": 1},
    mutations=[mutation("1 % more", factor="1.01")],
    strongest="enumeration",
)
def price_of_references(check: Check) -> None:
    """The squared separation of the leading term of the score, exactly; in the normal limit it decides the power."""
    points = [{"n": n, "share": k, "mu": m} for n in (1, 2, 5) for k in (1, 2, 4) for m in MEANS]
    check.enumerate(dimension_pays, points, rational=True, routes=("with references, more coordinates", "true mean"))


def score_separation(n: int, share: int, mu: Any) -> tuple[Any, Any]:
    """Squared separations of one coordinate of the printed scores, given that neither mean is 0 or 1, as balls."""
    references = share * n
    weights = [[_binomial(m, k, mu) for k in range(1, m)] for m in (n, references)]
    tables = [
        [(log(to_ball(Fraction(k, m))), log(to_ball(Fraction(m - k, m)))) for k in range(1, m)] for m in (n, references)
    ]
    known = [(log(mu), log(1 - mu))]
    return _separated(n, mu, weights[0], tables[0], weights[1], tables[1]), _separated(
        n, mu, weights[0], tables[0], [to_ball(1)], known
    )


def _separated(n: int, mu: Any, weights: Any, scores: Any, reference_weights: Any, reference_scores: Any) -> Any:
    """The score of a coordinate is a difference of independent terms, so a few sums give its moments."""
    total, reference_total = sum(weights), sum(reference_weights)
    means = [to_ball(0), to_ball(0)]
    second = to_ball(0)
    for z in (1, 0):
        place = 0 if z else 1
        own = [w / total for w in weights]
        first, square = _moments(own, [score[place] for score in scores])
        ref_first, ref_square = _moments(
            [w / reference_total for w in reference_weights], [score[place] for score in reference_scores]
        )
        share = mu if z else 1 - mu
        means[0] += share * (first - ref_first)
        second += share * (square - 2 * first * ref_first + ref_square)
        inside = [w * (to_ball(Fraction(s, n)) if z else to_ball(Fraction(n - s, n))) for s, w in enumerate(own, 1)]
        means[1] += sum(w * score[place] for w, score in zip(inside, scores, strict=True)) - sum(inside) * ref_first
    return (means[1] - means[0]) ** 2 / (second - means[0] * means[0])


def _moments(weights: Any, values: Any) -> tuple[Any, Any]:
    first = sum((w * v for w, v in zip(weights, values, strict=True)), to_ball(0))
    return first, sum((w * v * v for w, v in zip(weights, values, strict=True)), to_ball(0))


def printed_score_separates(n: int, share: int, mu: Any, factor: Any, rate: Any) -> tuple[Any, str, Any]:
    with_references, oracle = score_separation(n, share, mu)
    return abs(factor * to_ball(Fraction(1 + share, share)) * with_references / oracle - 1), "<=", rate / n


@claim(
    "TH-EQ2.27/score",
    r"For the printed scores themselves the ratio of squared separations times $<factor>\,\frac{1+\lambda}\lambda$ is "
    r"within $<rate>/n$ of 1 (given that no mean is 0 or 1, where the score is undefined).",
    domain=Domain.of(n="integer [40, inf)", share="integer [1, inf)", mu="[1/5, 4/5]"),
    constants={"factor": 1, "rate": 4},
    mutations=[mutation("20 % more", factor="1.2")],
    strongest="enumeration",
)
def references_and_the_score(check: Check) -> None:
    """Moments of one coordinate of both scores in balls."""
    over = {"n": [40, 80, 160], "share": [1, 2], "mu": [Fraction(1, 5), Fraction(1, 2), Fraction(4, 5)]}
    check.enumerate(printed_score_separates, over, routes=("printed scores", "factor of the text"))


def records_pay(n: int, share: int, mu: Fraction) -> tuple[Any, str, Any]:
    """The same number of coordinates, (1 + lambda)/lambda times as many records (n = share * k)."""
    more = n * (1 + share) // share
    return squared_separation(more, share * more, mu), ">=", squared_separation(n, 0, mu)


@claim(
    "TH-EQ2.27/records",
    r"Read of the size $n$ of the data set: with $n(1+\lambda)/\lambda$ records the power is that of the true mean "
    r"with $n$ records.",
    role="reading",
    domain=Domain.of(n="integer [1, inf)", share="integer [1, inf)", mu="(0, 1)"),
    strongest="enumeration",
)
def references_and_records(check: Check) -> None:
    """More records hide the target better: the separation falls with n."""
    check.counterexample(records_pay, {"n": 1, "share": 1, "mu": Fraction(1, 2)}, rational=True)


# -- the scalar product attack --------------------------------------------------------------------------------

parts_decide(
    "TH-A2.SP",
    r"The score $(z^\star-z^{\rm ref})^\top\hat\mu_n$ with one reference: at $d=O(n^2\log(1/\delta))$ and "
    r"$\tau=O(\sqrt{d\log(1/\delta)})$ a member exceeds $\tau$ with probability $\Omega(1/n)$, a non-member stays "
    r"below with probability $1-\delta$.",
)


def expected_scores(n: int, mu: Fraction, factor: Fraction) -> tuple[Any, str, Any]:
    """E_out, and E_in against the variance over n, for one coordinate of the exact mean."""
    out, inside = column_means(n, mu, mu, 1).laws()
    means = [
        sum(((z[0] - mu) * Fraction(o[0], n) * p for (z, o), p in law.items()), Fraction(0)) for law in (out, inside)
    ]
    return (means[0], means[1]), "==", (0, factor * mu * (1 - mu) / n)


@claim(
    "TH-A2.SP/means",
    r"On the exact mean a coordinate of the score has mean 0 for a non-member and $<factor>\,\mathrm{Var}(z_j)/n$ for "
    r"a member.",
    domain=Domain.of(n="integer [1, inf)", mu="(0, 1)"),
    constants={"factor": 1},
    mutations=[mutation("1 % more", factor="1.01")],
    strongest="enumeration",
)
def means_of_the_score(check: Check) -> None:
    """The game summed exactly (the reference has mean mu and is independent)."""
    check.enumerate(expected_scores, {"n": [1, 2, 4], "mu": MEANS}, rational=True, routes=("game", "variance over n"))


def non_member_exceeds(d: int, mean: Any, delta: Any, scale: Any) -> tuple[Any, str, Any]:
    """Pr[s >= tau] for the estimate (1, ..., 1) and independent signs, tau^2 = scale d log(1/delta)."""
    up = (1 + to_ball(mean)) / 2
    tau = sqrt(to_ball(scale) * d * log(1 / to_ball(delta)))
    chance = [comb(d, k) * up**k * (1 - up) ** (d - k) for k in range(d + 1)]
    pairs = product(range(d + 1), repeat=2)
    return sum((chance[a] * chance[b] for a, b in pairs if not 2 * (a - b) < tau), to_ball(0)), "<=", delta


@claim(
    "TH-A2.SP/non-member",
    r"With $\tau=\sqrt{<scale>\,d\log(1/\delta)}$ a non-member's score reaches $\tau$ with probability at most "
    r"$\delta$ (signs, estimates in $[-1,1]$).",
    domain=Domain.of(d="integer [1, inf)", mean="[-1, 1]", delta="(0, 1)"),
    constants={"scale": 8},
    mutations=[mutation("scale 1", scale="1")],
    strongest="enumeration",
)
def threshold_for_non_members(check: Check) -> None:
    """Hoeffding's inequality with terms in [-2, 2], against exact binomial sums for the largest estimate."""
    over = {
        "d": [1, 4, 16, 40],
        "mean": [Fraction(0), Fraction(1, 2), Fraction(-9, 10)],
        "delta": [Fraction(1, 2), Fraction(1, 10), Fraction(1, 1000)],
    }
    check.enumerate(non_member_exceeds, over, routes=("exact binomial sums", "delta"))


def fingerprint(n: int, estimate: int, factor: Fraction, least: Fraction) -> tuple[Any, str, Any]:
    """E sum_i (z_i - p) f(z) for p uniform on [-1, 1] and a 1/2-accurate f, against 2 E[p f] and the least value.

    Both are integrals of polynomials in p; the result is their difference plus what is missing to the least value.
    """
    left = right = Fraction(0)
    for z in product((-1, 1), repeat=n):
        mean = Fraction(sum(z), n)
        noise = 2 * random_law(estimate, z, 2, 0, 4)[0] - 1 if estimate else Fraction(-1 if mean > 0 else 1)
        value = max(Fraction(-1), min(Fraction(1), mean + noise / 2))
        law = _polynomial([(Fraction(1, 2), Fraction(s, 2)) for s in z])  # product of (1 + z_i p)/2
        left += value * _average(_times(law, (Fraction(sum(z)), Fraction(-n))))
        right += value * _average(_times(law, (Fraction(0), Fraction(2))))
    return abs(left - factor * right) + max(Fraction(0), least - left), "==", 0


def _polynomial(factors: list[tuple[Fraction, Fraction]]) -> list[Fraction]:
    result = [Fraction(1)]
    for factor in factors:
        result = _times(result, factor)
    return result


def _times(polynomial: list[Fraction], factor: tuple[Fraction, Fraction]) -> list[Fraction]:
    constant = [c * factor[0] for c in polynomial] + [Fraction(0)]
    linear = [Fraction(0)] + [c * factor[1] for c in polynomial]
    return [a + b for a, b in zip(constant, linear, strict=True)]


def _average(polynomial: list[Fraction]) -> Fraction:
    """Over p uniform on [-1, 1]."""
    return sum((c / (k + 1) for k, c in enumerate(polynomial) if k % 2 == 0), Fraction(0))


@claim(
    "TH-A2.SP/fingerprint",
    r"For $p$ uniform on $[-1,1]$ and a $1/2$-accurate estimate $f$: $\mathbb E\sum_i(z_i-p)f=<factor>\cdot2\,\mathbb "
    r"E[pf]\ge <least>$, so the average member has mean score at least $d/(6n)$.",
    domain=Domain.of(n="integer [1, inf)", estimate="all: every 1/2-accurate estimate"),
    constants={"factor": 1, "least": "1/6"},
    mutations=[mutation("factor 1.01", factor="1.01"), mutation("at least 2/3", least="2/3")],
    strongest="enumeration",
)
def members_are_correlated(check: Check) -> None:
    """Integration by parts in p, checked on polynomials; E[p f] >= E[p^2] - E|p|/2 = 1/12."""
    points = [{"n": n, "estimate": s} for n in (1, 2, 3, 4) for s in range(4)]
    check.enumerate(fingerprint, points, rational=True, routes=("correlation", "twice E[p f] and its least value"))


def member_exceeds(n: int, delta: Any, enough: Any, chance: Any) -> tuple[Any, str, Any]:
    """(mean score - tau)/largest score at d = enough n^2 log(1/delta), a lower bound on Pr[s > tau]."""
    logarithm = log(1 / to_ball(delta))
    d = to_ball(enough) * n * n * logarithm
    tau = sqrt(8 * d * logarithm)
    return (d / (6 * n) - tau) / (2 * d), ">=", to_ball(chance) / n


@claim(
    "TH-A2.SP/member",
    r"At $d=<enough>\,n^2\log(1/\delta)$ a mean score of at least $d/(6n)$ and scores of at most $2d$ give "
    r"$\Pr[s>\tau]\ge <chance>/n$ with $\tau=\sqrt{8d\log(1/\delta)}$.",
    domain=Domain.of(n="integer [1, inf)", delta="(0, 1)"),
    constants={"enough": 1200, "chance": "1/24"},
    mutations=[mutation("a third of the dimension", enough="400", gradual=False)],
    strongest="enumeration",
)
def members_exceed(check: Check) -> None:
    """E[s] <= tau + 2d Pr[s > tau]; with d this large tau is at most half the mean score."""
    over = {"n": [1, 3, 100, 10**6], "delta": [Fraction(1, 2), Fraction(1, 100), Fraction(1, 10**9)]}
    check.enumerate(member_exceeds, over, routes=("bound from the mean", "a constant over n"))
