r"""Appendix F.7: expectations in the proof of Theorem F.7, before (38)-(41) and after (45)-(47) the best arm converged.

Laws of noisy means are exact: noisy_sum_tail is a finite sum of closed forms in ball arithmetic.
"""

import itertools
from fractions import Fraction
from typing import Any

from banditproof.algorithms.batches import BatchSchedule, GeometricBatches, PolynomialBatches
from banditproof.claims.language import *
from banditproof.claims.steps import trend
from banditproof.theory import d_epsilon, log1p, noisy_sum_tail
from banditproof.verify.forms.calculus import exponential_integral

TAILS = ("exact law of the noisy mean, in balls", "the bound, in balls")


@claim("BDP-TF.7/39-shift", deduced(), false={"factor": "0.95"}, where=["delta < mu_star"], role="step")
def divergence_to_a_lower_target(x: Probability, mu_star: Inside, delta: Inside, epsilon: Positive, factor=1):
    r"""after (38) and in (42), from Lemma F.5: $d_\epsilon(x,\mu^\star-\delta)\ge
    d_\epsilon(x,\mu^\star)-\frac{\delta}{1-\mu^\star}$ for every $x\in[0,1]$

    The objective at z falls by at most delta/(1 - mu*) where z is at most mu*, and d_epsilon(x, mu*) is at most its
    objective at the point of its range that is nearest to z.
    """
    lowered = d_epsilon(x, mu_star, epsilon) - factor * delta / (1 - mu_star)
    return d_epsilon(x, mu_star - delta, epsilon), ">=", lowered


CELLS = 64


@quantity
def weight_of_low_means(mu_star: Any, target: Any, y: Any, epsilon: Any, n0: int) -> Any:
    """E[1[mu < target] n0 e^(n0 d_epsilon([mu]_0^1, y))] of the noisy mean mu of n0 rewards of mean mu_star.

    By cells of the noisy mean: d_epsilon(x, y) decreases in x <= target <= y, so a cell contributes its probability
    times a value between those at its ends.
    """
    ends = [target * k / CELLS for k in range(CELLS + 1)]
    below = [noisy_sum_tail(n0, 1, mu_star, epsilon, n0 * x, side="lower") for x in ends]
    value = [n0 * exp(n0 * d_epsilon(x, y, epsilon)) for x in ends]
    neighbours = itertools.pairwise(zip(below, value, strict=True))
    cells = [(after - before) * a.union(b) for (before, a), (after, b) in neighbours]
    return below[0] * value[0] + sum(cells, to_ball(0))


@claim("BDP-TF.7/39", deduced(), false={"factor": "0.4"}, where=["c <= mu_star"], role="step")
def tails_of_the_best_arm(n: Count, m: Count, mu_star: Inside, epsilon: Positive, c: BelowOne, factor=3):
    r"""(39) needs one $A_a$ for all $c_x$: with $m$ noise terms, $\Pr[\tilde\mu\le c]\le3(1+m\epsilon
    n\mu^\star)^me^{-nd_\epsilon(c,\mu^\star)}$ for every $c\in[0,\mu^\star]$

    At these points half of the factor would be enough as well.
    """
    log_prefactor = m * log1p(m * epsilon * n * mu_star)
    tail = noisy_sum_tail(n, m, 1 - mu_star, epsilon, n * (1 - c))  # of what is missing: the lower tail
    return tail, "<=", factor * exp(log_prefactor - n * d_epsilon(c, mu_star, epsilon))


def log_prefactors(schedule: BatchSchedule, epsilon: Any) -> list[tuple[int, float]]:
    """(n_m, log(A)/n_m) for the prefactor of (39) with m + 1 noise terms after batch m, mu* replaced by 1."""
    totals = list(itertools.islice(schedule.totals(), 31))
    terms = ((totals[m], m + 1) for m in (3, 6, 9, 12, 15, 18, 24, 30))
    return [(n, float((log(to_ball(3)) + m * log1p(m * n * to_ball(epsilon))) / n)) for n, m in terms]


def vanishing(alpha: str) -> trend:
    def series(check: Check) -> list[tuple[int, float]]:
        geometric = check.constants["schedule"] == "geometric"
        return log_prefactors(GeometricBatches(alpha, 1) if geometric else PolynomialBatches(0), Fraction(1))

    covers, source = {"alpha": [alpha], "n0": [1], "epsilon": ["1"]}, f"log A / n_m, alpha = {alpha}, epsilon = 1"
    return trend("vanishes", series, source, covers=covers, tolerance="0.02")


@claim("BDP-TF.7/39-subexponential", vanishing("3/2"), vanishing("2"), false={"schedule": "single"}, role="step")
def prefactor_is_subexponential(alpha: AboveOne, n0: Count, epsilon: Positive, schedule="geometric"):
    r"""(39): along the batches (14) that prefactor is $A_ae^{an_m}$ for every $a>0$: its logarithm divided by $n_m$
    tends to 0 (geometric batches)"""


@claim("BDP-TF.7/40", deduced(), false={"exponent": 1}, role="step")
def integral_of_the_tail_bound(
    n: Count, d1: Positive, a: Positive, delta_prime: Positive, constant: Positive, exponent=2
):
    r"""(40): $\int_0^{d_1}n^2e^{n(x-\delta')}A_ae^{na}e^{-nx}dx=d_1n^{2}A_ae^{-n(\delta'-a)}$"""
    value = exponential_integral(n**2 * constant * exp(n * (a - delta_prime)), n - n, 0, d1)
    return value, "==", d1 * n**exponent * constant * exp(-n * (delta_prime - a))


@claim(
    "BDP-TF.7/45-tail-repaired",
    deduced(),
    false=[{"factor": "0.4"}, {"rate": "1.5"}],
    where=["mu_i + delta_prime / epsilon <= 1"],
    repairs="BDP-TF.7/45-tail",
)
def tail_of_the_other_arm_from_its_mean(
    n: Count, m: Count, mu_i: Inside, epsilon: Positive, delta_prime: Positive, factor=3, rate=1
):
    r"""with $m$ noise terms:
    $\Pr[\tilde\mu_i\ge\mu_i+\delta'/\epsilon]\le3(1+mn\delta')^me^{-nd_\epsilon(\mu_i+\delta'/\epsilon,\mu_i)}$, and
    the exponent is positive

    At these points a factor of 1 would be enough as well.
    """
    x = mu_i + delta_prime / epsilon
    exponent = m * log1p(m * n * delta_prime) - rate * n * d_epsilon(x, mu_i, epsilon)
    return noisy_sum_tail(n, m, mu_i, epsilon, n * x), "<=", factor * exp(exponent)
