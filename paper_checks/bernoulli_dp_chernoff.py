"""The two tools on sums: the Chernoff bound in divergence form (BDP-LH.6) and the maximal inequality (BDP-LH.7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from banditproof.paper_checks.bernoulli_dp_chernoff_facts import AT_MOST_ONE
from banditproof.paper_checks.bernoulli_dp_concentration import COMPOSED
from banditproof.paper_checks.bernoulli_dp_concentration_proof import TILT_REACHES_KL
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.derivation import derivation, fact, facts_hold
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.theory import numeric
from banditproof.theory.errors import InvalidInput
from banditproof.theory.numeric import exp, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]


# ------------------------------------------------------------------------------------------------------------ BDP-LH.6


def poisson_binomial(probabilities: Sequence[Fraction]) -> list[Fraction]:
    """The law of a sum of independent Bernoulli variables, exactly."""
    law = [Fraction(1)]
    for p in probabilities:
        law = [(law[s] if s < len(law) else 0) * (1 - p) + (law[s - 1] if s else 0) * p for s in range(len(law) + 1)]
    return law


def chernoff_bound(n: int, mu: Fraction, a: int) -> Fraction:
    """e^(-n kl(a/n, mu/n)) for an integer a, as a product of rational powers; 0 for a > n and a < 0."""
    if not 0 <= a <= n:
        return Fraction(0)
    hit = (mu / a) ** a if a else Fraction(1)
    miss = ((n - mu) / (n - a)) ** (n - a) if n - a else Fraction(1)
    return hit * miss


def poisson_binomial_tail(probabilities: Sequence[Fraction], n: int, mu: Any, a: Any, side: str, rate: Any) -> Sides:
    """Tail^q against bound^p for the rate p/q, in rationals; a must be an integer."""
    if Fraction(a).denominator != 1:
        raise InvalidInput("a", a, "an integer")
    law = poisson_binomial(probabilities)
    tail = sum((p for s, p in enumerate(law) if (s >= a if side == "upper" else s <= a)), Fraction(0))
    rate = Fraction(rate)
    return tail**rate.denominator, "<=", chernoff_bound(n, mu, int(a)) ** rate.numerator


def upper_tail(probabilities: Any, n: int, mu: Any, a: Any, rate: Any) -> Sides:
    return poisson_binomial_tail(probabilities, n, mu, a, "upper", rate)


def lower_tail(probabilities: Any, n: int, mu: Any, a: Any, rate: Any) -> Sides:
    return poisson_binomial_tail(probabilities, n, mu, a, "lower", rate)


def success_probabilities() -> Iterator[tuple[Fraction, ...]]:
    """Equal, unequal, degenerate (0 and 1), and all the same end."""
    for text in (
        "1/2",
        "1/10",
        "0 0",
        "1 1 1",
        "0 1/2 1",
        "1/3 1/3 1/3",
        "1/100 99/100",
        "1/10 2/10 3/10 4/10 9/10",
        "1/7 " * 12,
    ):
        yield tuple(Fraction(p) for p in text.split())


def tail_points(side: str) -> Iterator[dict[str, Any]]:
    for probabilities in success_probabilities():
        n, mu = len(probabilities), sum(probabilities, Fraction(0))
        for a in range(-2, n + 3):
            if (a > mu) if side == "upper" else (a < mu):
                yield {"probabilities": probabilities, "n": n, "mu": mu, "a": Fraction(a)}


def tail_domain(where: str) -> Domain:
    lists = "all: every p_1, ..., p_n in [0, 1]"
    return Domain.of(probabilities=lists, n="integer [1, inf)", mu="[0, inf)", a="(-inf, inf)", where=[where])


def log_mgf_concave(p: Any, t: Any) -> Sides:
    """log(1 - p + p e^t) is concave in p."""
    return _second_derivative()(p, t), "<=", 0


@cache
def _second_derivative() -> Any:
    import sympy

    p, t = sympy.symbols("p t")
    formula = sympy.factor(sympy.diff(sympy.log(1 - p + p * sympy.exp(t)), p, 2))
    return sympy.lambdify((p, t), formula, [{"exp": numeric.exp, "log": numeric.log}])


def log_mgf_concave_argument() -> SymbolicArgument:
    import sympy

    t, odds = sympy.Symbol("t", real=True), sympy.Symbol("odds", positive=True)
    certificate = (sympy.exp(t) - 1) ** 2 * (1 + odds) ** 2 / (1 + odds * sympy.exp(t)) ** 2
    return SymbolicArgument({"p": odds / (1 + odds), "t": t}, certificate, "nonnegative")


CHERNOFF_PROOF = derivation(
    [
        fact(log_mgf_concave, Domain.of(p="(0, 1)", t="(-inf, inf)"), log_mgf_concave_argument),
        TILT_REACHES_KL,
        AT_MOST_ONE,
    ],
    "Markov's inequality for e^(tS), whose expectation is largest for equal p_i (concavity in p, Jensen), at the t "
    "where "
    "t a - n log(1 - mu/n + e^t mu/n) is n kl(a/n, mu/n); the ends 0 and 1 by limits; beyond [0, n] both sides are 0",
)


def check_tail(check: Check, relation: Any, side: str) -> None:
    routes = ("exact law of the sum, in rationals", "e^(-n kl) at integer a, in rationals")
    covers = check.domain.restrict(probabilities="all: 9 lists", n=range(1, 13), a=range(-2, 15))
    if check.enumerate(relation, tail_points(side), covers=covers, rational=True, routes=routes):
        check.certificate(facts_hold, CHERNOFF_PROOF, routes=COMPOSED)


TAIL_STATEMENT = r"\exp(-<rate>\,n\,\mathrm{kl}(\frac an,\frac\mu n))$ for every "
CLOSING = r", where $\mathrm{kl}(\frac an,\cdot)=\infty$ is read for $a\notin[0,n]$"


@claim(
    "BDP-LH.6/upper",
    r"for independent $X_i\sim\mathrm{Ber}(p_i)$, $\mu=\sum p_i$: $\Pr[S_n\ge a]\le"
    + TAIL_STATEMENT
    + r"$a>\mu$"
    + CLOSING,
    domain=tail_domain("a > mu"),
    constants={"rate": 1},
    mutations=[mutation("exponent 1.1 kl", rate="1.1")],
    strongest="certificate",
)
def chernoff_upper(check: Check) -> None:
    """Between integers the tail is that of the next one, where the bound is smaller still; equality at n = a = 1."""
    check_tail(check, upper_tail, "upper")


@claim(
    "BDP-LH.6/lower",
    r"for independent $X_i\sim\mathrm{Ber}(p_i)$, $\mu=\sum p_i$: $\Pr[S_n\le a]\le"
    + TAIL_STATEMENT
    + r"$a<\mu$"
    + CLOSING,
    domain=tail_domain("a < mu"),
    constants={"rate": 1},
    mutations=[mutation("exponent 1.1 kl", rate="1.1")],
    strongest="certificate",
)
def chernoff_lower(check: Check) -> None:
    check_tail(check, lower_tail, "lower")


parts_decide(
    "BDP-LH.6",
    "the Chernoff bound of both tails of a sum of independent Bernoulli variables, with the divergence of means",
)


# ------------------------------------------------------------------------------------------------------------ BDP-LH.7


def probability_that_the_maximum_stays_low(law: str, n: int, mean: Fraction, epsilon: Fraction) -> Fraction:
    """P[max over s <= n of X_1 + ... + X_s <= (1 + epsilon) mean n], exactly.

    Laws of the sequence: 'independent' Bernoulli(mean) variables; 'all equal' to one Bernoulli(mean) variable;
    'independent signed': +1 or -1 with the given mean.
    """
    threshold = (1 + epsilon) * mean * n
    if law == "all equal":
        return Fraction((1 - mean if threshold >= 0 else 0) + (mean if n <= threshold else 0))
    up, low = (mean, 0) if law == "independent" else ((1 + mean) / 2, -1)
    alive = {0: Fraction(1)}
    for _ in range(n):
        step: dict[int, Fraction] = {}
        for total, p in alive.items():
            for move, q in ((1, up), (low, 1 - up)):
                if total + move <= threshold:
                    step[total + move] = step.get(total + move, Fraction(0)) + p * q
        alive = step
    return sum(alive.values(), Fraction(0))


def variance_proxy(law: str) -> Fraction:
    """sigma^2 of Hoeffding's lemma: (range/2)^2."""
    return Fraction(1) if law == "independent signed" else Fraction(1, 4)


def limit_is_one(law: str, mean: Any, epsilon: Any, limit: Any) -> Sides:
    """The limit of the probability where it can be read off: for equal variables it does not depend on n."""
    values = {probability_that_the_maximum_stays_low(law, n, mean, epsilon) for n in (1, 2, 3, 10)}
    return (values.pop() if law == "all equal" and len(values) == 1 else limit), "==", limit


@claim(
    "BDP-LH.7",
    r"if every $X_i$ has mean $\mu>0$ and $X_i-\mu$ is $\sigma$-sub-Gaussian (nothing is said of their dependence), "
    r"then for every "
    r"$\epsilon>0$: $\lim_n\Pr[\max_{s\le n}\sum_{i\le s}X_i\le(1+\epsilon)\mu n]=<limit>$",
    domain=Domain.of(
        law="all: every sequence of variables with the common mean and sub-Gaussian deviations",
        mean="(0, inf)",
        epsilon="(0, inf)",
    ),  # fmt: skip
    constants={"limit": 1},
)
def maximal_inequality(check: Check) -> None:
    """Let all X_i be one fair coin: the event is that it shows 0, or epsilon >= 1, for every n."""
    point = {"law": "all equal", "mean": Fraction(1, 2), "epsilon": Fraction(1, 2)}
    check.enumerate(limit_is_one, [point], covers=check.domain, rational=True, routes=("exact probability", "1"))


def explicit_maximal_bound(law: str, n: int, mean: Any, epsilon: Any, scale: Any) -> Sides:
    exponent = to_ball(scale * n * epsilon * epsilon * mean * mean / (2 * variance_proxy(law)))
    return 1 - probability_that_the_maximum_stays_low(law, n, mean, epsilon), "<=", exp(-exponent)


def chernoff_exponent(v: Any, deviation: Any, scale: Any = 1) -> Sides:
    """With v = n sigma^2: the exponent t^2 v / 2 - t deviation at t = deviation / v."""
    t = deviation / v
    return t * t * v / 2 - t * deviation, "==", -scale * deviation * deviation / (2 * v)


def chernoff_exponent_argument() -> SymbolicArgument:
    import sympy

    v, deviation = sympy.symbols("v D", positive=True)
    return SymbolicArgument({"v": v, "deviation": deviation}, 0, "zero")


@claim(
    "BDP-LH.7/independent",
    r"if moreover the $X_i$ are independent, then $\Pr[\max_{s\le n}\sum_{i\le s}X_i>(1+\epsilon)\mu n]\le "
    r"e^{-<scale>\,n\epsilon^2\mu^2/(2\sigma^2)}$, which tends to 0",
    domain=Domain.of(
        law="all: every sequence of independent variables with the common mean and sub-Gaussian deviations",
        n="integer [1, inf)",
        mean="(0, inf)",
        epsilon="(0, inf)",
    ),  # fmt: skip
    constants={"scale": 1},
    mutations=[mutation("three times the exponent", scale=3)],
    role="repair",
    repairs="BDP-LH.7",
    strongest="certificate",
)
def maximal_inequality_for_independent_variables(check: Check) -> None:
    """The sum up to s is at most mu n plus a martingale; e^(t times it) is a submartingale: Doob's inequality."""
    laws = [("independent", "1/2"), ("independent", "1/10"), ("independent", "9/10"), ("independent signed", "1/10")]
    points = [{"law": law, "n": n, "mean": Fraction(mean), "epsilon": Fraction(e)} for law, mean in laws
              for n in check.pick((1, 5, 20), (1, 5, 20, 60, 150)) for e in ("1/20", "1/2", "2")]  # fmt: skip
    covers = check.domain.restrict(
        law="all: independent Bernoulli and signed variables", n=check.pick((1, 5, 20), (1, 5, 20, 60, 150))
    )
    if check.enumerate(
        explicit_maximal_bound, points, covers=covers, rational=True, routes=("exact law of the path", "bound")
    ):
        domain = Domain.of(v="(0, inf)", deviation="(0, inf)")
        proof = derivation(
            [fact(chernoff_exponent, domain, chernoff_exponent_argument)],
            "sum up to s <= mu n + M_s with the martingale M_s = sum of X_i - mu; Doob's inequality for e^(t M_s), "
            "t > 0, and "
            "E e^(t M_n) <= e^(n t^2 sigma^2 / 2), at t = epsilon mu / sigma^2",
        )
        check.certificate(facts_hold, proof, routes=COMPOSED)
