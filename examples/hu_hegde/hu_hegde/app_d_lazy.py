"""Appendix D: the regret of Lazy-DP-TS."""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims import (
    AboveZero,
    Count,
    Inside,
    Natural,
    Positive,
    Probability,
    claim,
    deduced,
    enumerated,
    fails_at,
)
from banditproof.theory import exp, log, maximum, minimum, sqrt
from hu_hegde.app_a_facts import binomial_cdf
from hu_hegde.notation import Gap, Horizon, LogHorizon, Round, lb


@claim("HH-EQ46/terms", deduced(), false={"rate": 1}, displayed=True)
def chance_of_a_bad_mean(t: Round, rate=8):
    r"""$\sum_{r\le\log(t-1)}2e^{-2\cdot2^r\cdot4\ln(t)/2^r}\le\frac2{t^2}$: at most $\log(t)+1$ terms of
    $2t^{-<rate>}$, and $\sum_t\frac2{t^2}$ is $O(1)$."""
    return (lb(t) + 1) * 2 * exp(-rate * log(t)), "<=", 2 * exp(-2 * log(t))


@claim("HH-EQ47/terms", deduced(), false={"rate": 1}, displayed=True)
def chance_of_much_noise(t: Round, rate=4):
    r"""$\sum_{r\le\log(t-1)}e^{-4\ln t}\le\frac1{t^2}$: at most $\log(t)+1$ terms of $t^{-<rate>}$."""
    return (lb(t) + 1) * exp(-rate * log(t)), "<=", exp(-2 * log(t))


@claim("HH-EQ47/width", deduced(), false={"natural": "4.4"}, displayed=True)
def noise_width_in_natural_logarithms(t: Round, epsilon: Positive, natural=4):
    r"""$\frac{3\log t}\epsilon\ge\frac{<natural>\ln t}\epsilon$."""
    return 3 * lb(t) / epsilon, ">=", natural * log(t) / epsilon


def odds_of_a_low_sample(k: int, mu: Fraction, y: Fraction) -> Fraction:
    """E[P(theta <= y) / P(theta > y)] for theta of law Beta(S + 1, k - S + 1) and S binomial: P(theta > y) by (11)."""
    wins = [binomial_cdf(k, mu, s) - (binomial_cdf(k, mu, s - 1) if s else 0) for s in range(k + 1)]
    return sum((w / binomial_cdf(k + 1, y, s) for s, w in enumerate(wins)), Fraction(0)) - 1


@claim(
    "HH-EQ52",
    enumerated(
        r=[0, 1, 2, 3, 4],
        mu=["1/4", "1/2", "9/10"],
        y=["1/20", "1/5", "2/5", "3/5", "17/20"],
        rational=True,
        covers={"r": [0, 1, 2, 3, 4]},
    ),
    where=["y < mu", "2**r*(mu - y) <= 8"],
    false={"factor": "0.3"},
    displayed=True,
)
def odds_after_few_observations(r: Natural, mu: AboveZero, y: Annotated[Any, "(0, 1)"], factor=3):
    r"""$E\big[\frac{\Pr[\theta_1'\le y_j]}{\Pr[\theta_1'>y_j]}\big]\le\frac{<factor>}{\mu_1-y_j}$ after $2^r\le
    \frac8{\mu_1-y_j}$ observations."""
    return odds_of_a_low_sample(2**r, mu, y), "<=", factor / (mu - y)


@claim("HH-EQ54/few-observations", deduced(), false={"factor": 90}, where=["doubled*gap <= 8"], displayed=True)
def sum_over_few_observations(doubled: Annotated[Any, "[1, inf)"], gap: Gap, factor=96):
    r"""$\sum_{r\le d_1}2^{r+1}\frac3{\mu_1-y_j}\le\frac{<factor>}{(\mu_1-y_j)^2}$: the powers add up to
    $4\cdot2^{d}-2$ with $2^d\le\frac8{\mu_1-y_j}$."""
    return (4 * doubled - 2) * 3 / gap, "<=", factor / gap**2


@claim("HH-EQ54/last-term", deduced(), false={"factor": 4}, displayed=True)
def last_term_over_the_updates(gap: Gap, size: Annotated[Any, "[1, inf)"], factor=8):
    r"""$\frac{2^{r+1}}{e^{(\mu_1-y_j)^22^r/4}-1}\le\frac{<factor>}{(\mu_1-y_j)^2}$, for each of the at most $\log(T)+1$
    updates."""
    return 2 * size, "<=", factor / gap**2 * (exp(gap**2 * size / 4) - 1)


@claim("HH-EQ55/few-observations", deduced(), false={"factor": 3}, where=["doubled <= L"], displayed=True)
def pulls_before_the_level(doubled: Annotated[Any, "[1, inf)"], L: Positive, factor=4):
    r"""$\sum_{r\le\lfloor d_j\rfloor}2^{r+1}\le<factor>L_j$: the powers add up to $4\cdot2^{\lfloor d_j\rfloor}-2$."""
    return 4 * doubled - 2, "<=", factor * L


@claim("HH-EQ55/level", deduced(), false={"factor": 71})
def level_of_lazy(ell: LogHorizon, epsilon: Positive, gap: Gap, factor=72):
    r"""$L_j=\frac{72\log T}{\Delta_j\min\{\epsilon,\Delta_j\}}\le<factor>\big(\frac{\log
    T}{\epsilon\Delta_j}+\frac{\log T}{\Delta_j^2}\big)$."""
    return 72 * ell / (gap * minimum(epsilon, gap)), "<=", factor * (ell / (epsilon * gap) + ell / gap**2)


@claim("HH-EQ57/sum", deduced(), false={"factor": 1}, displayed=True)
def sum_over_the_updates(T: Horizon, factor=2):
    r"""$\eta\le\sum_{r\le\log T}\sum_{t\le T}\frac1T\le\log(T)+1\le<factor>\log T$, which is $O(\log T)$."""
    return lb(T) + 1, "<=", factor * lb(T)


@claim("HH-EQ58/c", deduced(), false={"factor": "1/10"}, displayed=True)
def enough_observations_for_the_ceiling(ell: LogHorizon, epsilon: Positive, gap: Gap, factor=1):
    r"""$\frac1{2^r}\le\frac1{L_j}<\frac{\Delta_j}{12}$."""
    return gap * minimum(epsilon, gap) / (72 * ell), "<", factor * gap / 12


@claim("HH-EQ58/f", deduced(), false={"level": 40}, displayed=True)
def chance_of_a_high_sample_of_lazy(t: Round, level=72):
    r"""$e^{-2^{d_j}\cdot2\Delta_j^2/144}\le\frac1T$ with $2^{d_j}\ge<level>\log(T)/\Delta_j^2$."""
    return level * lb(t) * 2 / 144, ">=", log(t)


KNOWN = [
    "2**r*gap*epsilon >= 72*ell",
    "2**r*gap**2 >= 72*ell",
    "2**r*(mean - mu)**2 <= 3*ell",
    "gap < 1 - mu",
    "r <= ell",
]
"""2^r is at least L_j, the event C_j holds, mu_1 = mu_j + Delta_j is below 1, and 2^r is at most t = 2^ell."""


@claim(
    "HH-EQ59/second-line",
    fails_at(ell=16, epsilon=1, gap="1/2", r=13, mu="1/4", mean="2670/8192"),
    where=KNOWN,
    displayed=True,
    slip="The line after it has 6 log(t) again, as the line before.",
)
def second_line_of_the_index(
    ell: Count, epsilon: Positive, gap: Gap, r: Natural, mu: Inside, mean: Probability, factor=3
):
    r"""For $2^r\ge L_j$ and $|\mu_j-\hat\mu_j|\le\sqrt{3\log(t)/2^r}$: the step from
    $\min\{\hat\mu_j+\frac{6\log t}{\epsilon2^r},1\}$ to
    $\min\{\mu_j+\frac{<factor>\log t}{\epsilon2^r}+\sqrt{3\log(t)/2^r},1\}$ is from the smaller to the larger; here at
    $t=T=2^\ell$.

    The factor 6, the width of the index and that of the noise, has become 3. Where the mean is as high as its width
    allows, the line above is larger.
    """
    left = maximum(0, minimum(mean + 6 * ell / (epsilon * 2**r), 1))
    width = factor * ell / (epsilon * 2**r) + sqrt(3 * ell / Fraction(2**r))
    return left, "<=", maximum(0, minimum(mu + width, 1))


@claim(
    "HH-EQ59/second-line-repaired",
    deduced(),
    repairs="HH-EQ59/second-line",
    where=["mean <= mu + deviation"],
    false={"factor": 3},
)
def second_line_with_both_widths(mu: Inside, mean: Probability, noise: Positive, deviation: Positive, factor=6):
    r"""With $\upsilon=\frac{\log t}{\epsilon2^r}$ and $\hat\mu_j\le\mu_j+c$, $c=\sqrt{3\log(t)/2^r}$: $\min\{
    \hat\mu_j+6\upsilon,1\}\le\min\{\mu_j+<factor>\upsilon+c,1\}$."""
    left = maximum(0, minimum(mean + 6 * noise, 1))
    return left, "<=", maximum(0, minimum(mu + factor * noise + deviation, 1))


@claim("HH-EQ59/third-line", deduced(), false={"level": 73}, where=["size*epsilon*gap >= 72*ell"], displayed=True)
def noise_at_the_level(ell: LogHorizon, epsilon: Positive, gap: Gap, size: Count, level=72):
    r"""$\frac{6\log t}{\epsilon2^r}\le\frac{6\Delta_j}{<level>}$ for $2^r\ge L_j\ge\frac{72\log
    T}{\epsilon\Delta_j}$."""
    return 6 * ell / (epsilon * size), "<=", 6 * gap / level


@claim("HH-EQ59/last-line", deduced(), false={"share": "1/4"}, displayed=True)
def width_of_a_known_arm_of_lazy(gap: Gap, share=Fraction(4, 6)):
    r"""$\frac{6\Delta_j}{72}+\sqrt{\frac3{72}}\Delta_j\le\frac{4\Delta_j}6$."""
    return 6 * gap / 72 + sqrt(Fraction(3, 72)) * gap, "<=", share * gap
