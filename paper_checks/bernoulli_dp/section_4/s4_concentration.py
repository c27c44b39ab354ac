r"""Section 4, the private mean: Proposition 4.1 and its discussion."""

from collections.abc import Iterator
from fractions import Fraction
from math import comb
from typing import Any

from banditproof.claims import Check, Count, Inside, Natural, Positive, Probability, argued, claim, enumerated, trend
from banditproof.paper_checks.bernoulli_dp.facts.chernoff import MARKOV, NOISE_FACTS, SHARP_FACTS, TAILS, at_either_side
from banditproof.theory import Enclosure, d_epsilon_extended, exp, log, noisy_sum_tail, sqrt, to_ball
from banditproof.theory.numbers.term import quantity


@quantity
def exact_tail(n: int, m: int, mu: Any, epsilon: Any, x: Any) -> Any:
    """P(S >= x), as noisy_sum_tail, and for m = 0 the binomial tail, exactly."""
    if m:
        return noisy_sum_tail(n, m, mu, epsilon, x)
    return to_ball(sum((comb(n, s) * mu**s * (1 - mu) ** (n - s) for s in range(n + 1) if s >= x), Fraction(0)))


BY_MARKOV = argued(
    f"{MARKOV}; with t^2 = m/(epsilon D) and D <= n the constant (e max(1, epsilon D/m))^m is at most "
    "e^(m + 2 sqrt(epsilon m n)), without noise (m = 0) it is 1; (m + 2 sqrt(epsilon m n_m))/n_m tends to 0 with "
    "m/n_m, so it exceeds a for finitely many m only, and A_a is the largest of the finitely many factors",
    *SHARP_FACTS,
    *NOISE_FACTS,
)


@claim(
    "BDP-P4.1/uniform",
    enumerated(
        lambda check: [
            {"n": n, "m": m, "mu": mu, "epsilon": epsilon, "x": x}
            for n, m in check.pick([(1, 0), (20, 2), (400, 20)], [(1, 0), (1, 30), (20, 2), (400, 20), (900, 60)])
            for mu in ("1/10", "1/2")
            for epsilon in ("1/50", "1/2", "6")
            for x in ("0", "1/10", "1/2", "1")
        ],
        rational=True,
        routes=TAILS,
    ),
    BY_MARKOV,
    false=[{"linear": 0, "root": 0}, {"root": "0.25"}],
    role="remark",
)
def uniform_concentration(n: Count, m: Natural, mu: Inside, epsilon: Positive, x: Probability, linear=1, root=2):
    r"""uniformly in $x$, with an explicit constant and without a sequence: both tails are at most
    $\exp(m+2\sqrt{\epsilon mn}-nd_\epsilon(x,\mu))$ for all $n\ge1$, $m\ge0$

    The constants are explicit choices: with 1 in place of 2 the bound would hold as well.
    """
    tail = at_either_side(lambda mu, x: exact_tail(n, m, mu, epsilon, x), n, mu, n * x)
    allowance = to_ball(linear * m) + to_ball(root) * sqrt(to_ball(epsilon * m * n))
    return tail, "<=", exp(allowance - n * d_epsilon_extended(to_ball(x), mu, epsilon))


MU, EPSILON, X = Fraction(3, 10), Fraction(1, 2), Fraction(1, 2)


def exponents(check: Check) -> Iterator[tuple[int, Any]]:
    for n in (10, 30, 100, 300, 1000, 3000):
        exponent = -log(noisy_sum_tail(n, 1, MU, EPSILON, n * X)) / (n * to_ball(check.constants["rate"]))
        yield n, Enclosure.from_ball(exponent).to_json()


@claim(
    "BDP-P4.1/tight",
    trend(
        "tends_to",
        exponents,
        "-log P / n along n, exact tails",
        covers={"mu": [MU], "epsilon": [EPSILON], "x": [X]},
        limit=float(d_epsilon_extended(*map(float, (X, MU, EPSILON)))),
        tolerance=0.001,
    ),
    false={"rate": "1.1"},
    where=["x > mu"],
    role="remark",
)
def exponent_is_tight(mu: Inside, epsilon: Positive, x: Inside, rate=1):
    r"""the exponent cannot be improved: for $m=1$, $-\frac1n\log\Pr[\tilde S_{n,1}\ge nx]\to d_\epsilon(x,\mu)$"""
