"""Concentration of the private mean: BDP-P4.1, its copy BDP-CD.5 in the appendix, and the discussion BDP-S4.1."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from typing import Any

from banditproof.paper_checks import bernoulli_dp_chernoff_facts as facts
from banditproof.paper_checks.bernoulli_dp_concentration import COMPOSED, TAILS, largest_of, sides_at
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.derivation import derivation, facts_hold
from banditproof.paper_checks.register import claim, mutation, not_checkable, parts_decide
from banditproof.theory.concentration import d_epsilon_extended
from banditproof.theory.enclosure import Enclosure
from banditproof.theory.laplace_sums import noisy_sum_tail
from banditproof.theory.numeric import exp, log, maximum, sqrt, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]

SEQUENCES: dict[str, Callable[[int], int]] = {
    "n_m = 4^m": lambda m: 4**m,
    "n_m = (m + 1)^3": lambda m: (m + 1) ** 3,
}


def exact_tail(n: int, m: int, mu: Any, epsilon: Any, x: Any, side: str) -> Any:
    """As noisy_sum_tail, and for m = 0 the binomial tail, exactly."""
    if m:
        return noisy_sum_tail(n, m, mu, epsilon, x, side)
    from math import comb

    inside = [s for s in range(n + 1) if (s >= x if side == "upper" else s <= x)]
    return to_ball(sum((comb(n, s) * mu**s * (1 - mu) ** (n - s) for s in inside), Fraction(0)))


@cache
def log_constant(sequence: str, a: Fraction, epsilon: Fraction) -> Any:
    """log A_a: the largest of m + 2 sqrt(epsilon m n_m) - a n_m over all m (or 0).

    It is negative once n_m/m >= max(2/a, 16 epsilon/a^2); the named sequences have n_m/m increasing from m = 1 on.
    """
    largest, m = to_ball(0), 0
    need = max(2 / a, 16 * epsilon / (a * a))
    while True:
        n = SEQUENCES[sequence](m)
        largest = maximum(largest, m + 2 * sqrt(to_ball(epsilon * m * n)) - to_ball(a * n))
        if m and Fraction(n, m) >= need:
            return largest
        m += 1


def private_mean_tail(sequence: str, m: int, mu: Any, epsilon: Any, x: Any, a: Any, rate: Any) -> Sides:
    n = SEQUENCES[sequence](m)
    tail = largest_of(exact_tail(n, m, mu, epsilon, n * x, side) for side in sides_at(x, mu))
    exponent = to_ball(rate) * d_epsilon_extended(to_ball(x), mu, epsilon) - to_ball(a)
    return tail, "<=", exp(log_constant(sequence, a, epsilon) - n * exponent)


def private_mean_points() -> Iterator[dict[str, Any]]:
    for sequence, m in [(s, m) for s in SEQUENCES for m in range(4)]:
        for mu, x in [
            ("1/10", 1),
            ("1/10", 0),
            ("1/10", "1/2"),
            ("1/2", "1/2"),
            ("1/2", 0),
            ("99/100", "1/3"),
            ("99/100", 1),
        ]:
            for epsilon, a in [("1/2", "1/10"), ("6", "1"), ("6", "1/10"), ("1/50", "1/1000")]:
                numbers = {"mu": Fraction(mu), "epsilon": Fraction(epsilon), "x": Fraction(x), "a": Fraction(a)}
                yield {"sequence": sequence, "m": m, **numbers}


MEAN_DOMAIN = Domain.of(
    sequence="all: every sequence n_m >= 1 with m/n_m -> 0",
    m="integer [0, inf)",
    mu="(0, 1)",
    epsilon="(0, inf)",
    x="[0, 1]",
    a="(0, inf)",
)  # fmt: skip
MEAN_STATEMENT = (
    r"if $m/n_m\to0$, for every $a>0$ there is $A_a$ such that for all $m$: "
    r"$\Pr[\tilde S_{n_m,m}/n_m\ge x]\le A_ae^{-n_m(<rate>d_\epsilon(x,\mu)-a)}$ for $x\ge\mu$, and the same for "
    r"$\Pr[\tilde S_{n_m,m}/n_m\le x]$, $x\le\mu$"
)
MEAN_PROOF = derivation(
    [*facts.SHARP_FACTS, *facts.NOISE_FACTS],
    f"{facts.MARKOV}; with t^2 = m/(epsilon D) and D <= n the constant (e max(1, epsilon D/m))^m is at most "
    "e^(m + 2 sqrt(epsilon m n)), without noise (m = 0) it is 1; (m + 2 sqrt(epsilon m n_m))/n_m tends to 0 with "
    "m/n_m, so it exceeds a for finitely many m only, and A_a is the largest of the finitely many factors",
)


def mean_of_private_sums(check: Check) -> None:
    covers = check.domain.restrict(sequence=f"all: {len(SEQUENCES)} named sequences")
    if check.enumerate(private_mean_tail, private_mean_points(), covers=covers, rational=True, routes=TAILS):
        check.certificate(facts_hold, MEAN_PROOF, routes=COMPOSED)


for _item in ("BDP-P4.1", "BDP-CD.5"):
    claim(
        _item, MEAN_STATEMENT, domain=MEAN_DOMAIN, constants={"rate": 1}, strongest="certificate",
        mutations=[mutation("exponent 2 d", rate="2/1")],
    )(mean_of_private_sums)  # fmt: skip


def uniform_tail(n: int, m: int, mu: Any, epsilon: Any, x: Any, linear: Any, root: Any) -> Sides:
    tail = largest_of(exact_tail(n, m, mu, epsilon, n * x, side) for side in sides_at(x, mu))
    allowance = to_ball(linear * m) + to_ball(root) * sqrt(to_ball(epsilon * m * n))
    return tail, "<=", exp(allowance - n * d_epsilon_extended(to_ball(x), mu, epsilon))


@claim(
    "BDP-P4.1/uniform",
    r"uniformly in $x$, with an explicit constant and without a sequence: both tails are at most "
    r"$\exp(<linear>m+<root>\sqrt{\epsilon mn}-nd_\epsilon(x,\mu))$ for all $n\ge1$, $m\ge0$",
    domain=Domain.of(n="integer [1, inf)", m="integer [0, inf)", mu="(0, 1)", epsilon="(0, inf)", x="[0, 1]"),
    constants={"linear": 1, "root": 2},
    mutations=[
        mutation("no allowance for the number of noise terms", linear=0, root=0),
        mutation("root 1/4", root="1/4"),
    ],
    role="remark",
)
def uniform_concentration(check: Check) -> None:
    sizes = check.pick([(1, 0), (20, 2), (400, 20)], [(1, 0), (1, 30), (20, 2), (400, 20), (900, 60)])
    points = [{"n": n, "m": m, "mu": Fraction(mu), "epsilon": Fraction(epsilon), "x": Fraction(x)} for n, m in sizes
              for mu in ("1/10", "1/2") for epsilon in ("1/50", "1/2", "6") for x in (0, "1/10", "1/2", 1)]  # fmt: skip
    if check.enumerate(uniform_tail, points, rational=True, routes=TAILS):
        check.certificate(facts_hold, MEAN_PROOF, routes=COMPOSED)


@claim(
    "BDP-P4.1/tight",
    r"the exponent cannot be improved: for $m=1$, $-\frac1n\log\Pr[\tilde S_{n,1}\ge nx]\to<rate>d_\epsilon(x,\mu)$",
    domain=Domain.of(mu="(0, 1)", epsilon="(0, inf)", x="(0, 1)", where=["x > mu"]),
    constants={"rate": 1},
    mutations=[mutation("limit 1.1 d", rate="1.1")],
    role="remark",
)
def exponent_is_tight(check: Check) -> None:
    mu, epsilon, x = Fraction(3, 10), Fraction(1, 2), Fraction(1, 2)
    limit = float(to_ball(check.constants["rate"]) * d_epsilon_extended(to_ball(x), mu, epsilon))
    exponents = ((n, -log(noisy_sum_tail(n, 1, mu, epsilon, n * x)) / n) for n in (10, 30, 100, 300, 1000, 3000))
    check.trend(
        "tends_to", [(n, Enclosure.from_ball(e).to_json()) for n, e in exponents], "-log P / n along n, exact tails",
        covers=check.domain.restrict(mu=[mu], epsilon=[epsilon], x=[x]), limit=limit, tolerance=0.001,
    )  # fmt: skip


# --------------------------------------------------------------------------------------------------------- discussion


def noise_exponent(n: int, m: int, epsilon: Any, deviation: Any, linear: Any, root: Any) -> Sides:
    """The part of the exponent of DF6 that is due to m, per sample, against a function of m/n that tends to 0."""
    left = m * (1 + log(maximum(1, epsilon * deviation / m))) / n
    return left, "<=", linear * to_ball(m) / n + root * sqrt(epsilon * m / n)


@claim(
    "BDP-S4.1/many-noises",
    r"(b) $m\ll n$ noise terms do not change the dominant term: for $0\le D\le n$ the logarithm of the constant of "
    r"DF6, per "
    r"sample, is $\frac mn\log(e\max\{1,\epsilon D/m\})\le<linear>\frac mn+<root>\sqrt{\epsilon m/n}$, which "
    r"vanishes with $m/n$",
    domain=Domain.of(
        n="integer [1, inf)", m="integer [1, inf)", epsilon="(0, inf)", deviation="[0, inf)", where=["deviation <= n"]
    ),
    constants={"linear": 1, "root": 2},
    mutations=[mutation("root 1/2", root="1/2"), mutation("linear 9/10", linear="9/10")],
    strongest="certificate",
)
def many_noises(check: Check) -> None:
    points = [{"n": n, "m": m, "epsilon": Fraction(e), "deviation": Fraction(d) * n} for n in (1, 10, 10**6)
              for m in (1, 3, 100) for e in ("1/100", "1", "50") for d in (0, "1/10", 1)]  # fmt: skip
    if check.enumerate(noise_exponent, points, routes=("constant of DF6", "function of m/n")):
        check.certificate(
            facts_hold, derivation(facts.NOISE_FACTS, "t^2 = m/(epsilon D) where that is below 1, and D <= n")
        )


def sum_below(first: Any, second: Any, a: Any, share: Any) -> Sides:
    """Outside both events of the right-hand side the sum stays below a."""
    return first + second, "<", share * a


def sum_below_argument() -> SymbolicArgument:
    import sympy

    a, (p, q) = sympy.Symbol("a", real=True), sympy.symbols("p q", positive=True)
    return SymbolicArgument({"first": a - p, "second": -q, "a": a}, p + q, "positive")


@claim(
    "BDP-S4.1/separate-treatment",
    r"(c) $\Pr(X+Y\ge a)\le\Pr(X\ge a)+\Pr(Y\ge0)$: where $X<a$ and $Y<0$, also $X+Y<<share>a$",
    domain=Domain.of(first="(-inf, inf)", second="(-inf, inf)", a="(-inf, inf)", where=["first < a", "second < 0"]),
    constants={"share": 1},
    mutations=[mutation("0.9 a", share="0.9")],
    strongest="symbolic",
)
def separate_treatment(check: Check) -> None:
    check.symbolic(sum_below, sum_below_argument)


not_checkable(
    "BDP-S4.1/earlier-lemma",
    "(c) the concentration bound is tighter than Lemma 4 of Azize and Basu (2022) for one noise term",
    "cited result", "the bound of that lemma, which the paper does not repeat",
)  # fmt: skip
parts_decide(
    "BDP-S4.1",
    "discussion of the concentration bound: (a) it is a Chernoff bound with the private divergence, (b) the effect "
    "of the number of "
    "noise terms is negligible when it is small against the number of samples, (c) it improves on separate "
    "treatment of noise and sum",
    place="Section 4, discussion of Proposition 4.1",
)
