r"""Appendix F.7: expectations in the proof of Theorem F.7, before (38)-(41) and after (45)-(47) the best arm converged.

Laws of noisy means are exact: noisy_sum_tail is a finite sum of closed forms in ball arithmetic.
"""

import itertools
from fractions import Fraction
from typing import Any

from banditproof.algorithms.batches import BatchSchedule, GeometricBatches, PolynomialBatches
from banditproof.claims.check import Check
from banditproof.claims.register import claim, repaired
from banditproof.claims.sets import AboveOne, BelowOne, Count, Inside, Nonnegative, Positive, Probability, Sides
from banditproof.claims.steps import argued, deduced, enumerated, fails_at, trend
from banditproof.paper_checks.bernoulli_dp.facts.regret import slope_at_most
from banditproof.theory import d_epsilon, exp, log, log1p, noisy_sum_tail, to_ball
from banditproof.theory.numbers.term import quantity
from banditproof.verify.forms.calculus import derivative, exponential_integral

TAILS = ("exact law of the noisy mean, in balls", "the bound, in balls")
TARGETS: dict[str, Any] = {
    "mu_star": ["1/10", "1/2", "9/10"],
    "delta": ["1/1000", "1/20"],
    "epsilon": ["1/10", "1", "20"],
}


@claim(
    "BDP-TF.7/39-shift",
    enumerated({"x": ["0", "1/100", "1/20", "9/20", "1/2", "1"], **TARGETS}),
    argued(
        "the slope of d_epsilon(x, .) at u is that of its objective at the minimiser z (envelope theorem); 1/(1 - u) "
        "is at most 1/(1 - mu*) on [mu* - delta, mu*]; integrate over it",
        slope_at_most,
    ),
    false={"factor": "0.95"},
    where=["delta < mu_star"],
    role="step",
)
def divergence_to_a_lower_target(x: Probability, mu_star: Inside, delta: Inside, epsilon: Positive, factor=1):
    r"""after (38) and in (42), from Lemma F.5: $d_\epsilon(x,\mu^\star-\delta)\ge
    d_\epsilon(x,\mu^\star)-\frac{\delta}{1-\mu^\star}$ for every $x\in[0,1]$

    The slope of d_epsilon(x, .) is below 1/(1 - u) for arguments on either side of x: above x by Lemma F.5, below x
    because it is negative.
    """
    lowered = d_epsilon(x, mu_star, epsilon) - factor * delta / (1 - mu_star)
    return d_epsilon(x, mu_star - delta, epsilon), ">=", lowered


CELLS = 64
IN_FIRST_BATCH = fails_at(mu_star=Fraction(1, 2), delta=Fraction(1, 4), epsilon=Fraction(1), n0=1)


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


@claim(
    "BDP-TF.7/39-expectation",
    IN_FIRST_BATCH,
    where=["delta < mu_star"],
    role="step",
    called={
        r"$\mu^\star$": "mu_star",
        "$n_0$": "n0",
        "the left side of the inequality": "left",
        "the right one": "right",
    },
)
def expectation_with_a_lower_target(mu_star: Inside, delta: Inside, epsilon: Positive, n0: Count):
    r"""before (39), the first inequality for the first batch ($n_0$ rewards, one noise term): $\mathbb E[\mathbb
    1[\tilde\mu<\mu^\star-\delta]n_0e^{n_0d_\epsilon([\tilde\mu]_0^1,\mu^\star-\delta)}]\le\mathbb E[\mathbb
    1[\tilde\mu<\mu^\star-\delta]n_0e^{n_0(d_\epsilon([\tilde\mu]_0^1,\mu^\star)-\delta')}]$ with
    $\delta'=\delta/(1-\mu^\star)$ and $\tilde\mu$ the noisy mean of the best arm

    By Lemma F.5, the line before bounds the exponent on the left from below by the exponent on the right; this line
    uses it as a bound from above. The bound from above holds with delta'' = d_epsilon(mu* - delta, mu*) > 0 in place of
    delta', and the rest of the proof works with delta''.
    """
    target, shift = mu_star - delta, delta / (1 - mu_star)
    left = weight_of_low_means(mu_star, target, target, epsilon, n0)
    return left, "<=", weight_of_low_means(mu_star, target, mu_star, epsilon, n0) * exp(-n0 * shift)


@claim("BDP-TF.7/39-boundary", IN_FIRST_BATCH, where=["delta < mu_star"], role="reading")
def boundary_term_at_the_largest_value(mu_star: Inside, delta: Inside, epsilon: Positive, n0: Count):
    r"""before (39), the integration by parts with $h(x)=n_0e^{n_0(x-\delta')}$ and
    $D=d_\epsilon([\tilde\mu]_0^1,\mu^\star)$, read with $P(x)=\Pr[D\ge x,\tilde\mu<\mu^\star-\delta]$ at both ends
    of $[h(x)(-P(x))]_0^{d_1}$: its sides agree, that is, the term $h(d_1)P(d_1)$ by which they differ is zero
    (first batch)

    By clipping, D takes its largest value d_1 = d_epsilon(0, mu*) with positive probability, so P jumps to 0 at d_1.
    The text leaves open whether the upper end is taken before or after the jump. Taken after the jump, the line is
    right, and the bound that follows drops the term.
    """
    largest = d_epsilon(to_ball(0), mu_star, epsilon)
    at_largest = noisy_sum_tail(n0, 1, 1 - mu_star, epsilon, n0)  # the lower tail at 0
    return n0 * exp(n0 * (largest - delta / (1 - mu_star))) * at_largest, "==", 0


@claim("BDP-TF.7/39-integration", deduced(), false={"exponent": 1}, role="step", repairs="BDP-TF.7/39-boundary")
def integration_by_parts(n: Count, level: Positive, delta_prime: Positive, exponent=2):
    r"""before (39), integration by parts: $n\,e^{n(D-\delta')}=n\,e^{-n\delta'}+\int_0^Dn^{2}e^{n(x-\delta')}dx$ for
    every value $D$ of $d_\epsilon([\tilde\mu]_0^1,\mu^\star)$; its expectation is at most
    $n\,e^{-n\delta'}+\int_0^{d_1}n^2e^{n(x-\delta')}P(x)dx$"""
    grown = exponential_integral(n**exponent * exp(-n * delta_prime), n, 0, level)
    return n * exp(n * (level - delta_prime)), "==", n * exp(-n * delta_prime) + grown


@claim(
    "BDP-TF.7/39",
    enumerated(
        [
            {"n": n, "m": m, "mu_star": mu, "epsilon": epsilon, "c": f"{Fraction(mu) * share}"}
            for n, m in ((1, 1), (3, 2), (7, 3), (63, 6))
            for mu in ("1/10", "1/2", "9/10")
            for epsilon in ("1/1000", "1/4", "4")
            for share in (0, Fraction(1, 2), 1)
        ],
        routes=TAILS,
    ),
    false={"factor": "0.4"},
    where=["c <= mu_star"],
    role="step",
)
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


def sum_of_bounds(rate: Any, a: Any, d1: Any, constant: Any, operator: str, share: Any) -> Sides:
    """rate = delta' - a > 0; the first series is in e^-delta', which (41) prints as e^-(delta' - a)."""
    exact, printed, q = exp(-(rate + a)), exp(-(rate + (1 - share) * a)), exp(-rate)
    second = d1 * constant * q * (q + 1) / (1 - q) ** 3
    return exact / (1 - exact) ** 2 + second, operator, printed / (1 - printed) ** 2 + second


@claim(
    "BDP-TF.7/41",
    fails_at(rate=1, a=1, d1=1, constant=1),
    role="step",
    slip="The line has an equality sign where <= holds; (41) only uses <=.",
    called={
        r"$\delta'-a$": "rate",
        "$a$": "a",
        "$d_1$": "d1",
        "$A_a$": "constant",
        "the series": "left",
        "the printed sum": "right",
    },
    assuming="both series in closed form: sum n x^n = x/(1 - x)^2 and sum n^2 x^n = x (1 + x)/(1 - x)^3",
)
def sum_of_the_bounds(rate: Positive, a: Positive, d1: Positive, constant: Positive, operator="==", share=1):
    r"""(41): $\sum_n(n\,e^{-n\delta'}+d_1n^2A_ae^{-n(\delta'-a)})=\frac{q}{(1-q)^2}+d_1A_a\frac{q(q+1)}{(1-q)^3}$ with
    $q=e^{-(\delta'-a)}$, $0<a<\delta'$ ($\delta'-a$: rate, $A_a$: constant)

    The first series has the ratio e^-delta', which is smaller than q = e^-(delta' - a), so the two sides are not equal.
    With <= the line holds, and the proof only needs <=.
    """
    return sum_of_bounds(rate, a, d1, constant, operator, share)


@repaired(
    "BDP-TF.7/41-repaired",
    "BDP-TF.7/41",
    enumerated(rate=["1/10", "1", "5"], a=["1/10", "1", "5"], d1=["1"], constant=["1"]),
    deduced(),
    false={"share": "-0.01"},
)
def bound_on_the_sum_of_the_bounds(operator="<="):
    r"""$\sum_n(n\,e^{-n\delta'}+d_1n^2A_ae^{-n(\delta'-a)})\le\frac{q}{(1-q)^2}+d_1A_a\frac{q(q+1)}{(1-q)^3}$ with
    $q=e^{-(\delta'-a)}$, $0<a<\delta'$"""


@claim(
    "BDP-TF.7/45-tail",
    fails_at(
        mu_i=Fraction(1, 2), epsilon=5, delta_prime=Fraction(1, 20), mu_star=Fraction(99, 100), slack=Fraction(1, 10)
    ),
    where=[
        "mu_i < mu_star",
        "mu_i + delta_prime / epsilon < mu_star",
        "2 * delta_prime < d_epsilon(mu_i, mu_star, epsilon)",
        "slack < d_epsilon(mu_i + delta_prime / epsilon, mu_star, epsilon)",
    ],
    role="step",
    called={
        r"$\mu_i$": "mu_i",
        r"$\mu^\star$": "mu_star",
        "$a'$": "slack",
        r"$\log\frac1{\mu_i}$": "left",
        r"$d_\epsilon(\mu_i+\delta'/\epsilon,\mu^\star)-a'$": "right",
    },
    assuming="""the limit of the bound as n grows: all n rewards are 1 with probability mu_i^n, and the noise is not
    negative with probability 1/2""",
)
def tail_of_the_other_arm(mu_i: Inside, epsilon: Positive, delta_prime: Positive, mu_star: Inside, slack: Positive):
    r"""before (45), 'by Corollary D.5': some $A_{a'}$ has $\Pr[\tilde\mu_{i,m}\ge\mu_i+\delta'/\epsilon]\le
    A_{a'}e^{a'n_m}e^{-n_md_\epsilon(\mu_i+\delta'/\epsilon,\mu^\star)}$ for every $m$; the left side is at least
    $\frac12\mu_i^{n_m}$ (all rewards are 1, the noise is not negative), so this says $\log\frac1{\mu_i}\ge
    d_\epsilon(\mu_i+\delta'/\epsilon,\mu^\star)-a'$ ($a'$: slack)

    For arm i, Corollary D.5 has the mean of this arm as second argument, d_epsilon(mu_i + delta'/epsilon, mu_i). The
    paper prints mu* in its place, here and up to the definition of Lambda. With mu_i the step holds and the rest of the
    proof works.

    This is what the printed bound implies as n tends to infinity; `slack` stands for a'.
    """
    return -log(mu_i), ">=", d_epsilon(mu_i + delta_prime / epsilon, mu_star, epsilon) - slack


@claim(
    "BDP-TF.7/45-tail-repaired",
    enumerated(
        [
            {"n": n, "m": m, "mu_i": mu, "epsilon": epsilon, "delta_prime": str(Fraction(epsilon) * Fraction(shift))}
            for n, m in ((1, 1), (7, 3), (63, 6), (400, 1))
            for mu in ("1/10", "1/2")
            for epsilon in ("1/4", "4")
            for shift in ("1/1000", "1/20", "3/10")
        ],
        routes=TAILS,
    ),
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


@claim("BDP-TF.7/47-integral", deduced(), false=[{"factor": "1.01"}, {"ahead": 2}], role="step")
def integral_in_closed_form(alpha: AboveOne, x: Nonnegative, rate: Positive, factor=1, ahead=1):
    r"""before (47): $\int_{m^*}^\infty\alpha^{x+1}e^{-\alpha^x\Lambda}dx=
    \frac{\alpha}{\Lambda(\ln\alpha)}e^{-\alpha^{m^*}\Lambda}$: minus the right side at $m^*=x$ has the integrand as its
    derivative

    The right side vanishes as m* grows, so the integral is its value at the lower end (rate stands for Lambda).
    """

    def closed_form(start: Any) -> Any:
        return -factor * alpha / (rate * log(alpha)) * exp(-exp(start * log(alpha)) * rate)

    return derivative(closed_form, x), "==", exp((x + ahead) * log(alpha) - exp(x * log(alpha)) * rate)
