"""Tails and the Bernoulli divergence as quoted in Appendix C.5 of the thesis: ALG-LC.22 to ALG-LC.26."""

from __future__ import annotations

import itertools
from fractions import Fraction
from functools import cache
from math import comb
from typing import Any

from banditproof.paper_checks.bernoulli_dp_chernoff import CHERNOFF_PROOF, lower_tail, upper_tail
from banditproof.paper_checks.bernoulli_dp_lai_robbins import (
    any_mean,
    infinite_at_an_impossible_mean,
    limit_in_the_first,
    odds_nonzero,
)
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.derivation import derivation, fact, facts_hold
from banditproof.paper_checks.privacy_regimes import relative_entropy
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.thesis_adaptive_episodes import COMPOSED, symbols
from banditproof.paper_checks.thesis_private_concentration import (
    any_deviation,
    any_scale_and_level,
    hoeffding_tilt,
    tail_of_laplace,
)
from banditproof.theory import numeric
from banditproof.theory.bernoulli import kl_bernoulli
from banditproof.theory.numeric import SYMBOL, exp, log, system, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]

# --------------------------------------------------------------------------------------- ALG-LC.22, LC.23, LC.26: tails


def laplace_tail(scale: Any, level: Any, half: Any) -> Sides:
    """P(Lap(b) > a) with a = scale * level, by integration; the law is symmetric."""
    mass, _, printed = tail_of_laplace(scale, level)
    return mass, "==", 2 * half * printed


def any_laplace_tail(half: Any) -> SymbolicArgument:
    return any_scale_and_level()


@claim(
    "ALG-LC.22",
    r"$\mathbb P(\mathrm{Lap}(b)>a)=\mathbb P(\mathrm{Lap}(b)<-a)=<half>e^{-a/b}$ for $a,b>0$ ($a$ in units of $b$)",
    domain=Domain.of(scale="(0, inf)", level="(0, inf)"), constants={"half": "1/2"},
    mutations=[mutation("0.49", half="0.49")], strongest="symbolic",
)  # fmt: skip
def laplace_tails(check: Check) -> None:
    if not check.search(laplace_tail, [{"scale": Fraction(1), "level": Fraction(1)}]):
        check.symbolic(laplace_tail, any_laplace_tail, routes=("integral of the density", "closed form"))


def hoeffding_tail(n: int, mu: Fraction, wins: int, square: Any) -> Sides:
    """P(mean >= wins/n) of Bernoulli rewards against e^(-square n beta^2), beta = wins/n - mu."""
    tail = sum((comb(n, s) * mu**s * (1 - mu) ** (n - s) for s in range(wins, n + 1)), Fraction(0))
    deviation = Fraction(wins, n) - mu
    return to_ball(tail), "<=", exp(-to_ball(square * n * deviation**2))


TAILS = [
    {"n": n, "mu": Fraction(mu), "wins": wins}
    for n, mu in itertools.product((1, 2, 7, 30), ("0", "1/100", "2/7", "1/2", "9/10", "1")) for wins in range(n + 1)
    if wins >= n * Fraction(mu)
]  # fmt: skip
HOEFFDING = derivation(
    [fact(hoeffding_tilt, Domain.of(n="(0, inf)", deviation="(0, inf)"), any_deviation)],
    "Markov's inequality for the exponential of 4 beta times the centred sum, with Hoeffding's lemma (TH-L2.22) for "
    "each reward; the lower tail is the upper one of 1 - X_i",
)


@claim(
    "ALG-LC.23",
    r"iid rewards in $[0,1]$, $\beta\ge0$: $\mathbb P(\hat\mu_n\ge\mu+\beta)\le e^{-<square>n\beta^2}$, and so for the "
    r"lower tail",
    domain=Domain.of(law="all: every law on [0, 1]", n="integer [1, inf)", mu="[0, 1]", wins="integer [0, inf)",
                     where=["wins >= n * mu", "wins <= n"]),
    constants={"square": 2}, mutations=[mutation("2.5", square="2.5")], strongest="certificate",
    twins=["TH-L2.22"],
)  # fmt: skip
def hoeffding(check: Check) -> None:
    """Between two possible values of the mean the tail is constant and the bound falls: mean = wins/n is the worst."""
    over = [{"law": "Bernoulli", **point} for point in TAILS]
    if check.enumerate(hoeffding_tail, over, rational=True, routes=("exact binomial tail", "the bound, in balls")):
        check.certificate(facts_hold, HOEFFDING, routes=COMPOSED)


def equal_coins(n: int, mu: Fraction, wins: int, side: str, rate: Any) -> Sides:
    tail = upper_tail if side == "upper" else lower_tail
    return tail([mu] * n, n, n * mu, Fraction(wins), rate)


def chernoff_upper(n: int, mu: Fraction, wins: int, rate: Any) -> Sides:
    """(C.28) at beta = wins/n - mu."""
    return equal_coins(n, mu, wins, "upper", rate)


def chernoff_lower(n: int, mu: Fraction, wins: int, rate: Any) -> Sides:
    """(C.29) at beta = mu - wins/n."""
    return equal_coins(n, mu, wins, "lower", rate)


parts_decide(
    "ALG-LC.26",
    r"Bernoulli($\mu$): $\mathbb P(\hat\mu_n\ge\mu+\beta)\le e^{-nd(\mu+\beta,\mu)}$ for $\beta\in[0,1-\mu]$ (C.28), "
    r"and $\mathbb P(\hat\mu_n\le\mu-\beta)\le e^{-nd(\mu-\beta,\mu)}$ for $\beta\in[0,\mu]$ (C.29)",
    twins=["BDP-LH.6"],
)
CHERNOFF: dict[str, Any] = {
    "constants": {"rate": 1}, "mutations": [mutation("exponent 1.1 d", rate="1.1")], "strongest": "certificate",
}  # fmt: skip


def on_counts(check: Check, relation: Any, side: str) -> None:
    sizes = itertools.product((1, 2, 7, 20), ("0", "1/100", "1/2", "9/10", "1"))
    coins = ((n, Fraction(text)) for n, text in sizes)
    over = [
        {"n": n, "mu": mu, "wins": wins} for n, mu in coins for wins in range(n + 1)
        if (wins > n * mu if side == "upper" else wins < n * mu)
    ]  # fmt: skip
    if check.enumerate(relation, over, rational=True, routes=("exact binomial tail", "e^(-n d), in rationals")):
        check.certificate(facts_hold, CHERNOFF_PROOF, routes=COMPOSED)


COUNTS = {"n": "integer [1, inf)", "mu": "[0, 1]", "wins": "integer [0, inf)"}


@claim("ALG-LC.26/upper",
       r"(C.28): $\mathbb P(\hat\mu_n\ge\frac kn)\le e^{-<rate>nd(\frac kn,\mu)}$ for $\frac kn>\mu$; "
       r"at $\beta=0$ the bound is 1", domain=Domain.of(**COUNTS, where=["wins > n * mu", "wins <= n"]),
       **CHERNOFF)  # fmt: skip
def chernoff_above(check: Check) -> None:
    on_counts(check, chernoff_upper, "upper")


@claim("ALG-LC.26/lower",
       r"(C.29): $\mathbb P(\hat\mu_n\le\frac kn)\le e^{-<rate>nd(\frac kn,\mu)}$ for $\frac kn<\mu$; "
       r"at $\beta=0$ the bound is 1", domain=Domain.of(**COUNTS, where=["wins < n * mu", "wins <= n"]),
       **CHERNOFF)  # fmt: skip
def chernoff_below(check: Check) -> None:
    on_counts(check, chernoff_lower, "lower")


# ------------------------------------------------------------------------------------- ALG-DC.24, LC.25: the divergence

parts_decide(
    "ALG-DC.24",
    r"$d(p,q)=p\log\frac pq+(1-p)\log\frac{1-p}{1-q}$ on $[0,1]^2$, singular values by limits: $d(0,q)=\log\frac1{1-q}$"
    r", $d(1,q)=\log\frac1q$, $d(p,0)=\infty$ and $d(p,1)=\infty$ unless $p$ is 0 or 1",
    domain=Domain.of(p="[0, 1]", q="[0, 1]"), twins=["TH-D2.25", "BDP-D2.1c"],
)  # fmt: skip


@claim(
    "ALG-DC.24/first-is-zero", r"$d(0,q)=\lim_{p\to0}d(p,q)=-<scale>\log(1-q)$ (and mirrored)",
    domain=Domain.of(q="(0, 1)"), constants={"scale": 1}, mutations=[mutation("1 % less", scale="99/100")],
    strongest="symbolic", twins=["TH-D2.25"],
)  # fmt: skip
def divergence_from_mean_zero(check: Check) -> None:
    if not check.search(limit_in_the_first, [{"q": Fraction(1, 2)}]):
        check.symbolic(limit_in_the_first, any_mean, points=8)


@claim(
    "ALG-DC.24/impossible-mean", r"$d(p,0)=\infty$ for $p>0$ (and mirrored): $e^{-d(p,0)}=<level>$",
    domain=Domain.of(p="(0, 1]"), constants={"level": 0}, mutations=[mutation("0.001", level="1/1000")],
    strongest="symbolic", twins=["TH-D2.25"],
)  # fmt: skip
def divergence_to_an_impossible_mean(check: Check) -> None:
    if not check.search(infinite_at_an_impossible_mean, [{"p": Fraction(1, 2)}]):
        check.symbolic(infinite_at_an_impossible_mean, odds_nonzero)


def corner(p: int, q: int, share: Any) -> Sides:
    return exp(-kl_bernoulli(to_ball(p), to_ball(q))), "==", to_ball(1 if p == q else 0) * share


@claim(
    "ALG-DC.24/corners", r"$d(0,0)=d(1,1)=0$ and $d(0,1)=d(1,0)=\infty$ (as $e^{-d}$)",
    domain=Domain.of(p="integer [0, 1]", q="integer [0, 1]"), constants={"share": 1},
    mutations=[mutation("half", share="1/2")], strongest="enumeration",
)  # fmt: skip
def corners_of_the_square(check: Check) -> None:
    check.enumerate(corner, {"p": [0, 1], "q": [0, 1]}, routes=("the function", "the printed values"))


parts_decide(
    "ALG-LC.25",
    r"$d(\cdot,q)$ and $d(p,\cdot)$ are convex with unique minimisers $q$ and $p$; both rise on $[p,1]$ and fall on "
    r"$[0,p]$",
    domain=Domain.of(p="[0, 1]", q="[0, 1]"),
)


@cache
def second_derivative(first: bool) -> Any:
    """Of p log(p/q) + (1 - p) log((1 - p)/(1 - q)) in p or in q, as a function of both."""
    import sympy

    p, q = sympy.symbols("p q")
    formula = p * sympy.log(p / q) + (1 - p) * sympy.log((1 - p) / (1 - q))
    curved = sympy.factor(sympy.diff(formula, p if first else q, 2))
    return sympy.lambdify((p, q), curved, [{"exp": numeric.exp, "log": numeric.log}])


def curved_in_the_first(p: Any, q: Any, least: Any) -> Sides:
    """A convex function whose second derivative is at least 4 > 0 has one minimiser: d(q, q) = 0 <= d."""
    return least + 0 * q, "<=", second_derivative(True)(p, q)


def curved_in_the_second(p: Any, q: Any, least: Any) -> Sides:
    return least * (p / q**2 + (1 - p) / (1 - q) ** 2), "<=", second_derivative(False)(p, q)


def any_first(least: Any) -> SymbolicArgument:
    a, b = symbols("a b", positive=True)
    return SymbolicArgument(
        {"p": 1 / (1 + a), "q": 1 / (1 + b)}, (a - 1) ** 2 / a + 4 - least, "nonnegative"
    )  # fmt: skip


def any_second(least: Any) -> SymbolicArgument:
    a, b = symbols("a b", positive=True)
    return SymbolicArgument({"p": 1 / (1 + a), "q": 1 / (1 + b)}, 0 * a, "nonnegative")


SQUARE = Domain.of(p="(0, 1)", q="(0, 1)")


@claim(
    "ALG-LC.25/convex-in-the-first", r"$\frac{\partial^2d}{\partial p^2}=\frac1{p(1-p)}\ge<least>>0$",
    domain=SQUARE, constants={"least": 4}, mutations=[mutation("4.1", least="4.1")], strongest="symbolic",
)  # fmt: skip
def convex_in_the_first(check: Check) -> None:
    if not check.search(curved_in_the_first, [{"p": Fraction(1, 2), "q": Fraction(1, 3)}]):
        check.symbolic(curved_in_the_first, any_first)


@claim(
    "ALG-LC.25/convex-in-the-second",
    r"$\frac{\partial^2d}{\partial q^2}\ge<least>\big(\frac p{q^2}+\frac{1-p}{(1-q)^2}\big)>0$",
    domain=SQUARE, constants={"least": 1}, mutations=[mutation("1.1", least="1.1")], strongest="symbolic",
)  # fmt: skip
def convex_in_the_second(check: Check) -> None:
    if not check.search(curved_in_the_second, [{"p": Fraction(1, 2), "q": Fraction(1, 3)}]):
        check.symbolic(curved_in_the_second, any_second)


def _kl(p: Any, q: Any) -> Any:
    return p * log(p / q) + (1 - p) * log((1 - p) / (1 - q)) if system(p, q) == SYMBOL else kl_bernoulli(p, q)


def rises_in_the_second(p: Any, x: Any, y: Any, factor: Any) -> Sides:
    return factor * _kl(p, x), "<=", _kl(p, y)


def rises_in_the_first(p: Any, x: Any, y: Any, factor: Any) -> Sides:
    return factor * _kl(x, p), "<=", _kl(y, p)


def _three() -> tuple[Any, Any, Any, Any]:
    """p <= x <= y in (0, 1), and the logarithm of the ratio of the odds of y and x."""
    import sympy

    a, (b, c) = symbols("a", positive=True), symbols("b c", nonnegative=True)
    p, x, y = (odds / (1 + odds) for odds in (a, a + b, a + b + c))
    return p, x, y, sympy.log(1 + c / (a + b))


def further_in_the_second(factor: Any) -> SymbolicArgument:
    """d(p, y) - d(p, x) = d(x, y) + (x - p) (logit y - logit x)."""
    import sympy

    p, x, y, logit = _three()
    certificate = relative_entropy(x, y) + sympy.factor(x - p) * logit
    return SymbolicArgument({"p": p, "x": x, "y": y}, certificate, "nonnegative")


def further_in_the_first(factor: Any) -> SymbolicArgument:
    """d(y, p) - d(x, p) = d(y, x) + (y - x) (logit x - logit p)."""
    import sympy

    p, x, y, _ = _three()
    more: Any = sympy.factor(x / (1 - x) / (p / (1 - p)) - 1)
    growth = sympy.log(1 + more)
    certificate = relative_entropy(y, x) + sympy.factor(y - x) * growth
    return SymbolicArgument({"p": p, "x": x, "y": y}, certificate, "nonnegative")


ORDERED = Domain.of(p="(0, 1)", x="(0, 1)", y="(0, 1)", where=["p <= x", "x <= y"])
RISING: dict[str, Any] = {"domain": ORDERED, "constants": {"factor": 1}, "mutations": [mutation("1.1", factor="1.1")]}
NEAR = [{"p": Fraction(1, 3), "x": Fraction(1, 2), "y": Fraction(1, 2) + Fraction(1, 1000)}]


@claim(
    "ALG-LC.25/rising-in-the-second",
    r"$<factor>d(p,x)\le d(p,y)$ for $p\le x\le y$; the falling half is its mirror image, $d(p,q)=d(1-p,1-q)$",
    strongest="symbolic", **RISING,
)  # fmt: skip
def second_argument_rises(check: Check) -> None:
    if not check.search(rises_in_the_second, NEAR):
        check.symbolic(rises_in_the_second, further_in_the_second, points=10)


@claim(
    "ALG-LC.25/rising-in-the-first",
    r"$<factor>d(x,p)\le d(y,p)$ for $p\le x\le y$, and mirrored",
    strongest="symbolic", **RISING,
)  # fmt: skip
def first_argument_rises(check: Check) -> None:
    if not check.search(rises_in_the_first, NEAR):
        check.symbolic(rises_in_the_first, further_in_the_first, points=10)


def order_at_the_ends(p: Any, x: Any, y: Any, factor: Any) -> Sides:
    """Both rising statements as e^-d, so that infinite values compare."""
    pairs = ((factor * kl_bernoulli(p, x), kl_bernoulli(p, y)), (factor * kl_bernoulli(x, p), kl_bernoulli(y, p)))
    held = [bool(exp(-right) <= exp(-left) + to_ball(2) ** -40) for left, right in pairs]
    return held, "==", [True, True]


@claim(
    "ALG-LC.25/ends",
    r"the same where $p$, $x$ or $y$ is 0 or 1 and values are infinite ($<factor>d$, as $e^{-d}$)",
    domain=Domain.of(p="[0, 1]", x="[0, 1]", y="[0, 1]", where=["p <= x", "x <= y"]), constants={"factor": 1},
    mutations=[mutation("2", factor=2)], strongest="enumeration",
)  # fmt: skip
def order_where_values_are_infinite(check: Check) -> None:
    values = [Fraction(n, 4) for n in range(5)]
    over = [{"p": p, "x": x, "y": y} for p, x, y in itertools.combinations_with_replacement(values, 3)]
    check.enumerate(order_at_the_ends, over, routes=("values at both points", "their order"))
