"""Probabilities and means of laws that are named are those of SciPy; what a law leaves open is asked."""

from fractions import Fraction
from math import log, pi, sqrt

import pytest
from scipy import integrate, stats

from banditproof.verify.judge.formulas.certain import value_at
from banditproof.verify.judge.formulas.formula import call, num
from banditproof.verify.judge.reading.readers import read
from banditproof.verify.judge.reading.two_laws import EQUAL, FORMULAS, _of

SAID = {
    "X is Poisson with mean 3/2": stats.poisson(1.5),
    "X ~ Bin(5, 1/3)": stats.binom(5, 1 / 3),
    "X is exponential with rate 2": stats.expon(scale=0.5),
    "X is exponential with mean 2": stats.expon(scale=2),
    "X ~ Exp(1)": stats.expon(),
    "X has the chi-square law with 1 degree of freedom": stats.chi2(1),
    "X is a chi-squared random variable with 6 degrees of freedom": stats.chi2(6),
    "X is normal with mean 1 and variance 4": stats.norm(1, 2),
}


@pytest.mark.parametrize("words, law", SAID.items(), ids=SAID)
@pytest.mark.parametrize("t", [0, 1, 2, 7])
def test_a_probability_is_that_of_scipy(words, law, t):
    atom = law.pmf(t) if hasattr(law.dist, "pmf") else 0
    wanted = {"<=": law.cdf(t), ">": law.sf(t), "<": law.cdf(t) - atom, ">=": law.sf(t) + atom}
    for sign, value in wanted.items():
        said = read(f"P(X {sign} {t}) >= 0 when {words}").sentence.left
        assert float(value_at(said, {})) == pytest.approx(value, abs=1e-12), (words, sign)


@pytest.mark.parametrize(
    "text, mean",
    [
        (
            "E[exp(X/2)] >= 0 when X is Poisson with mean 3",
            sum(2.718281828459045 ** (k / 2) * stats.poisson(3).pmf(k) for k in range(90)),
        ),
        (
            "E[exp(X/2)] >= 0 when X ~ Bin(4, 1/3)",
            sum(2.718281828459045 ** (k / 2) * stats.binom(4, 1 / 3).pmf(k) for k in range(5)),
        ),
        ("E[X] >= 0 when X ~ Bin(4, 1/3)", stats.binom(4, 1 / 3).mean()),
        ("E[X] >= 0 when X has the chi-square law with 6 degrees of freedom", stats.chi2(6).mean()),
        ("E[(1 + X)^3] >= 0 when X is a Rademacher variable", 4),
        ("E[X^3 - X] >= 0 when X ~ Poisson(2)", stats.poisson(2).moment(3) - 2),
        ("E[X^4] >= 0 when X ~ Bin(5, 1/3)", stats.binom(5, 1 / 3).moment(4)),
        ("E[X^3] >= 0 when X ~ GammaLaw(5/2, 3)", stats.gamma(2.5, scale=1 / 3).moment(3)),
        ("E[X^3] >= 0 when X ~ BetaLaw(2, 3)", stats.beta(2, 3).moment(3)),
        ("E[X^3] >= 0 when X ~ U[1, 3]", stats.uniform(1, 2).moment(3)),
        ("E[X^3] >= 0 when X ~ ChiSquare(3)", stats.chi2(3).moment(3)),
        ("E[X^4] >= 0 when X ~ Lap(2)", stats.laplace(scale=2).moment(4)),
        ("E[X^5] >= 0 when X ~ N(2, 3)", stats.norm(2, 3**0.5).moment(5)),
        ("E[|X - 2|] >= 0 when X ~ N(2, 9)", 3 * (2 / pi) ** 0.5),
        ("Var(2 X + 1) >= 0 when X ~ Bin(5, 1/3)", 4 * stats.binom(5, 1 / 3).var()),
        ("Var(X) >= 0 when X ~ BetaLaw(2, 3)", stats.beta(2, 3).var()),
        ("Var(X) >= 0 when X ~ GammaLaw(5/2, 3)", stats.gamma(2.5, scale=1 / 3).var()),
        ("Var(X) >= 0 when X ~ U(1, 4)", stats.uniform(1, 3).var()),
        ("Var(X) >= 0 when X ~ ChiSquare(4)", stats.chi2(4).var()),
        ("Var(X) >= 0 when X ~ Lap(3)", stats.laplace(scale=3).var()),
    ],
)
def test_a_mean_is_that_of_scipy(text, mean):
    assert float(value_at(read(text).sentence.left, {})) == pytest.approx(mean, rel=1e-12)


# Laws by their parameters, and parameters of two that differ.
OF_SCIPY = {
    "N": (lambda m, v: stats.norm(m, sqrt(v)), ("3/10", "13/10"), ("-2/5", "9/10")),
    "Lap": (stats.laplace, ("3/10", "13/10"), ("-2/5", "9/10")),
    "Bin": (stats.binom, ("7", "1/3"), ("6", "3/5")),
    "Poisson": (stats.poisson, ("5/2",), ("7/5",)),
    "Rate": (lambda rate: stats.expon(scale=1 / rate), ("5/2",), ("7/5",)),
    "Geom": (stats.geom, ("1/3",), ("3/5",)),
    "Ber": (stats.bernoulli, ("1/3",), ("3/5",)),
}
ORDER = Fraction(5, 2)
SUMMANDS = {
    "kl": lambda p, q: p * log(p / q),
    "tv": lambda p, q: abs(p - q) / 2,
    "chi2": lambda p, q: (p - q) ** 2 / q,
    "renyi": lambda p, q: p**ORDER * q ** (1 - ORDER),
    "JS": lambda p, q: (p * log(2 * p / (p + q)) + q * log(2 * q / (p + q))) / 2,
}
EVERY = [(name, kind, *formula) for (name, kind), formulas in FORMULAS.items() for formula in formulas]


@pytest.mark.parametrize("name, kind, text, where", EVERY)
def test_a_divergence_is_the_sum_or_the_integral_that_defines_it(name, kind, text, where):
    """Of two laws of SciPy; where a formula is for equal parameters, these are equal."""
    law, first, second = OF_SCIPY[kind]
    given = dict(zip("ab", map(Fraction, first), strict=False)) | dict(zip("cd", map(Fraction, second), strict=False))
    if where in EQUAL:
        one, other = EQUAL[where]
        given[other] = given[one]
    p, q = (law(*(float(given[n]) for n in names if n in given)) for names in ("ab", "cd"))
    if hasattr(p.dist, "pmf"):
        outcomes = range(int(p.support()[0]), int(min(p.support()[1], 60)) + 1)
        whole = sum(SUMMANDS[name](p.pmf(k), q.pmf(k)) for k in outcomes)
    else:
        low, high = max(p.support()[0], -25.0), 25.0
        cuts = [float(given[n]) for n in "ac"]
        whole, _ = integrate.quad(lambda x: SUMMANDS[name](p.pdf(x), q.pdf(x)), low, high, points=cuts, limit=400)
    wanted = log(whole) / float(ORDER - 1) if name == "renyi" else whole
    printed = {n: num(value) for n, value in given.items()} | {"r": num(ORDER)}
    printed["s"] = call("sqrt", printed["b"]) if "b" in printed else num(1)
    assert float(value_at(_of(text, printed), {})) == pytest.approx(wanted, rel=1e-5)
