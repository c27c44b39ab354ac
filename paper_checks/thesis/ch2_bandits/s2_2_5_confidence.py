"""Section 2.2.5, page 28: the confidence radius of a mean, and the explanation that follows Theorem 2.23.

Read with delta = 1/T^2 and the width of (2.9), as in the theorem, the explanation is consistent; the values it prints
instead are readings of their own.
"""

from fractions import Fraction
from typing import Any

from banditproof.claims.register import claim, repaired
from banditproof.claims.sets import (
    AtLeastOne,
    Count,
    EveryVariables,
    Inside,
    Nonnegative,
    Positive,
    Probability,
    Real,
    Sides,
    TwoOrMore,
)
from banditproof.claims.steps import argued, deduced, enumerated, fails_at, in_kernel, interval, tried_at
from banditproof.paper_checks.shared import subgaussian_proofs
from banditproof.paper_checks.thesis.ch2_bandits.facts import moment_bound
from banditproof.theory import exp, log, normal_cdf, sqrt, to_ball
from banditproof.theory.laws.bernoulli_quotients import cumulant_over_square
from banditproof.theory.numbers.numeric import ratio
from banditproof.theory.numbers.term import total
from banditproof.verify.kernel import meanings
from banditproof.verify.kernel.meanings import chance, for_each, when
from banditproof.verify.kernel.variables import multiple, subgaussian, sum_of_all


@claim("TH-S2.2c/literal", fails_at(mean=1, lam=1), role="reading")
def literal_samples(mean: Real, lam: Real):
    r"""Read literally, $X_t$ itself is 1-subgaussian and has mean $\mu$: $\lambda\mu\le\lambda^2/2$ for all $\lambda$.

    'Independent 1-subgaussian random variables, with mean mu.' By Jensen's inequality lam E X <= log E e^(lam X), so
    Definition 2.20 implies mean zero. The text must mean X_t - mu.
    """
    return lam * mean, "<=", moment_bound(lam, 1)


@claim("TH-S2.2c/deviations-instead", deduced(), false={"half": "-0.5"}, repairs="TH-S2.2c/literal")
def deviations_instead(lam: Real, half=Fraction(1, 2)):
    r"""For the deviation $X_t-\mu$, which has mean 0: $\lambda\cdot0\le\frac12\lambda^2$."""
    return 0 * lam, "<=", half * lam**2


def deviation_of_the_mean(X: Any, T: Any) -> Any:
    """The law of the mean of T independent variables with the laws X(0), ..., X(T - 1)."""
    return multiple(1 / T, sum_of_all(X, T))


@claim("TH-S2.2c/deviation", in_kernel(subgaussian_proofs.mean_of_samples))
def means_are_subgaussian(X: EveryVariables, T: Count):
    r"""For independent $X_t$ with 1-subgaussian deviations $X_t-\mu$ (of the laws $X(t)$), $\hat\mu_T-\mu$ is
    $1/\sqrt T$-subgaussian."""
    return when(for_each(T, lambda i: subgaussian(X(i), 1)), then=subgaussian(deviation_of_the_mean(X, T), 1 / T))


@claim("TH-S2.2c/tail", in_kernel(subgaussian_proofs.tail_of_the_mean))
def tail_of_means(X: EveryVariables, T: Count, epsilon: Nonnegative):
    r"""$\Pr(\hat\mu_T-\mu\ge\varepsilon)\le e^{-T\varepsilon^2/2}$ for such variables, $\varepsilon\ge0$."""
    above = chance(lambda x: (epsilon, x), deviation_of_the_mean(X, T))
    most = meanings.exp(-T * epsilon * epsilon / 2)
    return when(for_each(T, lambda i: subgaussian(X(i), 1)), then=(above, "<=", most))


@claim("TH-S2.2c/adding-bounds", deduced(), false={"root": "0.6"}, role="step")
def mean_deviation(lam: Real, samples: Count, root=Fraction(1, 2)):
    r"""$T$ bounds at $\lambda/T$ add up to the bound of a $T^{-1/2}$-subgaussian variable at $\lambda$."""
    count = to_ball(samples)
    return count * moment_bound(lam / count, 1), "==", moment_bound(lam, exp(-root * log(count)))


@claim(
    "TH-S2.2c/exponent",
    tried_at(epsilon=1, samples=2),
    argued("Markov's inequality as in Lemma 2.21, for the deviation of the mean"),
    false={"half": "0.51"},
    role="step",
)
def mean_tail(epsilon: Nonnegative, samples: Count, half=Fraction(1, 2)):
    r"""Lemma 2.21 then gives $\Pr(\hat\mu_T-\mu\ge\varepsilon)\le e^{-\frac12T\varepsilon^2}$.

    This is the exponent of Lemma 2.21 with sigma = samples^(-1/2).
    """
    variance = 1 / to_ball(samples)
    lam = epsilon / variance
    return lam**2 * variance / 2 - lam * epsilon, "==", -half * samples * epsilon**2


@claim("TH-S2.2c/radius", in_kernel(subgaussian_proofs.radius))
def means_lie_within_the_radius(X: EveryVariables, T: Count, delta: Inside, radius: Nonnegative):
    r"""With probability $1-\delta$, $\mu\le\hat\mu_T+\sqrt{2\log(1/\delta)/T}$: for every radius whose square is at
    least $2\log(1/\delta)/T$."""
    within = chance(lambda x: (-x, radius), deviation_of_the_mean(X, T))
    wide = meanings.formula((2 * meanings.log(1 / delta), "<=", T * radius * radius))
    return when(for_each(T, lambda i: subgaussian(X(i), 1)), wide, then=(1 - delta, "<=", within))


@claim("TH-S2.2c/level", deduced(), false=[{"two": "1.9"}, {"two": "2.1"}], role="step")
def confidence_radius(delta: Inside, samples: Count, two=2):
    r"""At $\varepsilon=\sqrt{2\log(1/\delta)/T}$ the tail bound is $\delta$, so $\mu\le\hat\mu_T+\varepsilon$ with
    probability $1-\delta$ (the deviation below the mean is subgaussian too).

    The tail bound e^(-T epsilon^2 / 2) of TH-S2.2c/tail is evaluated at the printed epsilon; this is an identity.
    """
    epsilon = sqrt(two * log(1 / delta) / to_ball(samples))
    return exp(-samples * epsilon**2 / 2), "==", delta


@claim("TH-S2.2d/good-event", fails_at(arms=5, horizon=5), where=["horizon >= arms"])
def good_event(arms: TwoOrMore, horizon: Count):
    r"""With (2.9) and $\delta=1/T^2$ the good event, that all $K$ means are within their confidence widths at all
    times, has probability at least $1-\delta$.

    Each single interval fails with probability up to 2 delta, and there are K arms and T sample sizes. For five
    Gaussian arms the first rewards alone are all within the widths with probability only 0.945, which is less than 1 -
    1/25. By a union bound the event has probability at least 1 - 2 K T delta.

    The left side is the probability that K independent standard normal rewards are within the width sqrt(2
    log(1/delta)).
    """
    inside = 1 - 2 * normal_cdf(-2 * sqrt(log(horizon)))
    return inside**arms, ">=", 1 - 1 / to_ball(horizon) ** 2


@claim("TH-S2.2d/good-event-by-a-union-bound", deduced(), false={"sides": "0.9"}, repairs="TH-S2.2d/good-event")
def good_event_by_a_union_bound(log_inverse: Positive, sides=2):
    r"""One interval of (2.9) fails with probability at most $2\delta$ for Gaussian rewards, so all of them hold for $K$
    arms and up to $T$ samples with probability at least $1-2KT\delta$."""
    return 2 * normal_cdf(-sqrt(2 * log_inverse)), "<=", sides * exp(-log_inverse)


@claim("TH-S2.2d/stops", deduced(), false={"twice": "1.9"}, where=["error <= width"])
def sampling_stops(mean: Real, width: Positive, error: Real, margin: Nonnegative, twice=2):
    r"""while all means are within their widths $w$: if $2w_a\le\Delta_a$ the index of arm $a$ is at most $\mu^*$ and so
    at most the best arm's index

    The empirical mean of the arm is off by `error`, and the best mean is twice * width + margin above. At equality both
    indices can tie; the arm is then sampled only if the rule on ties selects it.
    """
    return mean + error + width, "<=", mean + twice * width + margin


@claim(
    "TH-S2.2d/sum-of-widths",
    deduced(),
    false={"factor": "1.9"},
    where=["error <= width", "mean + error + width >= best"],
)
def regret_is_a_sum_of_widths(mean: Real, width: Positive, error: Real, best: Real, factor=2):
    r"""on the good event the arm that is sampled has $\Delta_{a_t}\le2\sqrt{2\log(1/\delta)/N_{a_t}(t-1)}$, so the
    regret after the first round is at most the sum of these

    The claim bounds the gap of an arm whose index reaches the best mean; both premises, which contain the error, are
    constraints.
    """
    return best - mean, "<=", factor * width


def solved_regret(log_horizon: Any, gap: Any, power: Any, constant: Any) -> Sides:
    """gap n_a, with n_a from 2 sqrt(2 log(1/delta) / n_a) = gap and delta = T^-power, against the term of (2.10)."""
    pulls = 8 * power * log_horizon / gap**2
    return gap * pulls, "==", constant * log_horizon / gap


@claim("TH-S2.2d/solving", deduced(), false={"power": "1.9"})
def solving_for_the_pulls(log_horizon: Positive, gap: Positive, power=2, constant=16):
    r"""solving $2\sqrt{2\log(1/\delta)/n_a}=\Delta_a$ with $\delta=T^{-2}$ gives $\Delta_an_a=16\log(T)/\Delta_a$, the
    constant of (2.10)"""
    return solved_regret(log_horizon, gap, power, constant)


@claim(
    "TH-S2.2d/solving-as-printed",
    fails_at(log_horizon=1, gap=1),
    slip=r"""A square is missing: Theorem 2.23 has $\delta=1/T^2$.""",
)
def solving_with_another_delta(log_horizon: Positive, gap: Positive, power=1, constant=16):
    r"""Solving $2\sqrt{2\log(1/\delta)/n_a}=\Delta_a$ for $n_a$ with $\delta=T^{-1}$ gives the term of (2.10),
    $\Delta_an_a=16\log(T)/\Delta_a$.

    With delta = 1/T the calculation gives half of the constant. Theorem 2.23 has delta = 1/T^2, which gives the 16.
    """
    return solved_regret(log_horizon, gap, power, constant)


@repaired("TH-S2.2d/solving-repaired", "TH-S2.2d/solving-as-printed", deduced())
def solving_with_the_printed_delta(constant=8):
    r"""with $\delta=T^{-1}$ the same calculation gives $\Delta_an_a=8\log(T)/\Delta_a$"""


@claim(
    "TH-S2.2d/width",
    fails_at(log_inverse=1, pulls=1),
    slip=r"""The 4 should be 2: (2.9) has 2, and so has the sum of widths in the next sentence.""",
)
def width_as_printed(log_inverse: Positive, pulls: AtLeastOne, factor=4):
    r"""The confidence width of (2.9), $\sqrt{2\log(1/\delta)/N_a(t-1)}$, equals the width that the text gives for it,
    $\sqrt{4\log(1/\delta)/N_a(t-1)}$.

    The text calls the second summand of (2.9) the confidence width, and this summand has the factor 2. The factor 4 is
    right with log T in place of log(1/delta), since delta = 1/T^2.
    """
    return sqrt(2 * log_inverse / pulls), "==", sqrt(factor * log_inverse / pulls)


@claim("TH-S2.2d/width-repaired", deduced(), false=[{"factor": 4}, {"factor": 1}], repairs="TH-S2.2d/width")
def width_of_the_index(delta: Inside, pulls: Count, factor=2):
    r"""The confidence width of (2.9) is $\sqrt{2\log(1/\delta)/N_a(t-1)}$, at which the tail bound of a mean of
    $N_a(t-1)$ rewards is $\delta$.

    The tail bound comes from moments: the bounds of N deviations add up, at lam per reward.
    """
    width = sqrt(factor * log(1 / delta) / to_ball(pulls))
    lam = width
    return exp(pulls * moment_bound(lam, 1) - lam * pulls * width), "==", delta


@claim(
    "TH-S2.2d/order",
    enumerated(horizon=[1000, 100, 10, 3, 2, 1], routes=("the sum, in balls", "square roots")),
    deduced(),
    false=[{"high": "1.9"}, {"low": "1.1"}],
)
def order_of_the_sum(horizon: Count, low=1, high=2):
    r"""$\sqrt T\le\sum_{t\le T}t^{-1/2}\le2\sqrt T$: the order is $\sqrt T$

    Both inequalities are written as one comparison of the distances to the middle.
    """
    added, root = total(lambda t: 1 / sqrt(t), 1, horizon), sqrt(horizon)
    return abs(added - ratio(low + high, 2) * root), "<=", ratio(high - low, 2) * root


@claim("TH-S2.2d/integral", fails_at(horizon=1), role="reading")
def integral_as_printed(horizon: Count):
    r"""'$\int_t\frac1{\sqrt t}dt=\sqrt T$', literally, over $(0,T]$

    The integral of t^(-1/2) over (0, T] follows from the antiderivative 2 sqrt(t).
    """
    return 2 * sqrt(to_ball(horizon)), "==", sqrt(to_ball(horizon))


@claim("TH-S2.2d/integral-repaired", deduced(), false=[{"factor": 1}, {"factor": "2.1"}], repairs="TH-S2.2d/integral")
def integral_of_the_root(start: Positive, step: Positive, factor=2):
    r"""$\int_0^T\frac1{\sqrt t}dt=2\sqrt T$: what $2\sqrt t$ grows by on every interval lies strictly between its
    length times the least and times the largest value of $\frac1{\sqrt t}$ there.

    No other function that is 0 at 0 has this property, so this is the integral. The interval is [start^2, (start +
    step)^2]. Both differences are positive if and only if their product is, since they cannot both be negative.
    """
    end = start + step
    length = end**2 - start**2
    growth = factor * end - factor * start
    return 0, "<", (growth - length / end) * (length / start - growth)


@claim(
    "TH-S2.2e",
    interval(
        substitutions={"lam": ("t", "(-1, 1)", "t/(1 - t**2)")},
        routes=("Taylor's formula for log E e^(lam (X - p)), divided by lam^2", "1/8"),
    ),
    where=["lam != 0"],
    restricted="to the centred variable",
)
def bernoulli_is_subgaussian(p: Probability, lam: Real):
    r"""A Bernoulli variable, centred, is $\frac12$-subgaussian whatever its mean: $\log\mathbb E
    e^{\lambda(X-p)}\le\frac{\lambda^2}2\cdot\frac14$.

    Both sides are divided by lam^2; at lam = 0 both are 0.
    """
    return cumulant_over_square(p, lam), "<=", to_ball(1) / 8


@claim("TH-S2.2e/not-centred", fails_at(p=1, lam=1), where=["lam != 0"], role="reading")
def not_centred(p: Probability, lam: Real):
    r"""Read literally, without centring: $\mathbb E e^{\lambda X}\le e^{\lambda^2/8}$ for $X\sim\mathrm{Ber}(p)$.

    'The Bernoulli distribution is 1/2-subgaussian regardless of its mean.' A subgaussian variable has mean zero, and a
    Bernoulli variable has mean zero only if p = 0.
    """
    return log(1 + p * (exp(lam) - 1)), "<=", lam**2 / 8
