r"""Section 1: what the introduction says of earlier work and of its contributions."""

from fractions import Fraction
from typing import Any

from banditproof.claims.register import claim
from banditproof.claims.sets import AboveOne, AboveZero, BelowOne, Count, Inside, Positive
from banditproof.claims.steps import deduced, enumerated, fails_at
from banditproof.paper_checks.shared.alternatives import tv_inf_is_the_gap
from banditproof.theory import absolute, exp, kl_bernoulli, laplace_sum_tail, log, minimum, sqrt, to_ball
from banditproof.theory.numbers.numeric import ratio
from banditproof.verify.forms.calculus import derivative


@claim(
    "BDP-S1.1/noise",
    enumerated([{"levels": d, "summands": n} for d in (1, 2, 3, 10, 40) for n in {1, 2, d + 1}]),
    deduced(),
    where=["summands <= levels + 1"],
    false={"constant": 1},
)
def noise_of_every_tree(levels: Count, summands: Count, constant=8):
    r"""The tree mechanism adds noise of scale $O(\log^{2.5}(T)/\epsilon)$ to a sum of rewards: with
    $d=\lceil\log_2T\rceil$ levels above the leaves, so that $d\le2\log_2T$ for $T\ge2$, at most $d+1$ variables of
    scale $(d+1)/\epsilon$ are above $8d^{2.5}/\epsilon$ with probability at most $2^{-d-1}\le\frac1{2T}$, and so below
    $-8d^{2.5}/\epsilon$."""
    reach = constant * levels * levels * sqrt(levels) / (levels + 1)
    return laplace_sum_tail(summands, reach), "<=", 1 / 2 ** (levels + 1)


@claim("BDP-S1.1/noise-within-three", deduced(), false={"constant": 1}, role="remark")
def noise_of_the_tree(levels: Count, constant=3):
    r"""With $T=2^d$ the noise of $d+1$ nodes of the tree exceeds $3(\log_2T)^{2.5}/\epsilon$ with probability at most
    $1/T$.

    The left side is P(|noise| > c (log2 T)^2.5 / epsilon) for T = 2^levels, where the noise is a sum of levels + 1
    Laplace variables of scale (levels + 1)/epsilon.
    """
    nodes, depth = levels + 1, to_ball(levels)
    reach = constant * depth * depth * sqrt(depth) / nodes
    return 2 * laplace_sum_tail(nodes, reach), "<=", ratio(1, 2**levels)


@claim("BDP-S1.1/gap", deduced(), false={"power": 2})
def gap_to_the_lower_bound(horizon: AboveOne, epsilon: Positive, power=Fraction(3, 2)):
    r"""$\log^{2.5}(T)/\epsilon$ is $\log^{3/2}(T)$ times $\log(T)/\epsilon$."""
    length = log(horizon)
    return length * length * sqrt(length) / epsilon, "==", exp(power * log(length)) * length / epsilon


@claim("BDP-S1.3/thus", deduced(), false={"factor": "1.9"}, where=["gap <= epsilon"], role="implication")
def sum_is_minimum(gap: Positive, epsilon: Positive, factor=2):
    r"""'Thus': $\sum_a\log(T)/\Delta_a+K\log(T)/\epsilon$ is of the order $\sum_a\log(T)/\min\{\Delta_a,\epsilon\}$, as
    $\frac1\Delta+\frac1\epsilon\le\frac{2}{\min\{\Delta,\epsilon\}}$ (for $\Delta\le\epsilon$; the other case is its
    mirror)."""
    return 1 / gap + 1 / epsilon, "<=", factor / minimum(gap, epsilon)


@claim("BDP-S1.5/tv-inf", deduced(), where=["mu_a < mu_star", "mu_star < m"], restricted=r"to $\mu^\star<1$")
def total_variation_gap(mu_a: BelowOne, mu_star: Inside, m: Inside):
    r"""$t_a=\mathrm{TV}_{\inf}=\Delta_a$ for $\mu^\star<1$: every mean $m>\mu^\star$ has
    $\mathrm{TV}=\Delta_a+(m-\mu^\star)$, and $m\downarrow\mu^\star$ attains the infimum.

    The total variation distance is half the sum, over both outcomes, of the differences of their probabilities.
    """
    variation = (absolute(m - mu_a) + absolute((1 - m) - (1 - mu_a))) / 2
    return variation, "==", mu_star - mu_a + m - mu_star


@claim(
    "BDP-S1.5/tv-inf-at-one",
    fails_at(mu_a=Fraction(1, 2), mu_star=1),
    where=["mu_a < mu_star"],
    role="reading",
    cause="BDP-T3.1/edge-optimal-mean-one",
)
def no_mean_above_one(mu_a: BelowOne, mu_star: AboveZero):
    r"""$t_a=\Delta_a$ also where $\mu^\star=1$, with $t_a$ read as the infimum over means strictly above $\mu^\star$,
    as in (3).

    The paper only says 'a "Total Variation" version of d_a'; the part takes the other meaning. At mu* = 1 the infimum
    is over the empty set, so it is infinite, and so is d_a. The term of the bound is then 0 and not 1/(6 epsilon).
    """
    return tv_inf_is_the_gap(mu_a, mu_star)


@claim("BDP-S1.5/arbitrarily-bad", deduced(), false={"factor": 3})
def squares_are_far_from_kl(u: Positive, factor=2):
    r"""The approximation $d_a\approx\Delta_a^2$ can be arbitrarily bad: at $\mu_a=\frac12$,
    $\mu^\star=1-\frac14e^{-u}$, $\mathrm{kl}(\mu_a,\mu^\star)\ge 2u\,\Delta_a^2$ for every $u>0$."""
    mu_a, mu_star = to_ball(Fraction(1, 2)), 1 - exp(-u) / 4
    return kl_bernoulli(mu_a, mu_star), ">=", factor * u * (mu_star - mu_a) * (mu_star - mu_a)


def high_privacy_branch(mu_a: Any, mu_star: Any, epsilon: Any) -> Any:
    """The second case of (8) in its stable form (BDP-DF2)."""
    return -epsilon * mu_a - log(1 - mu_star * (1 - exp(-epsilon)))


def one_sided(mu_a: Any, mu_star: Any, order: int) -> Any:
    """The left derivative of this order of d_epsilon in epsilon at epsilon_0; the right ones are 0: kl is constant."""
    threshold = log(mu_star / mu_a) + log((1 - mu_a) / (1 - mu_star))
    left = derivative(lambda epsilon: high_privacy_branch(mu_a, mu_star, epsilon), threshold, order)
    return left


@claim("BDP-S1.6/continuously-differentiable", deduced(), where=["mu_a < mu_star"])
def slopes_meet(mu_a: Inside, mu_star: Inside):
    r"""(b) $d_\epsilon$ passes smoothly from the high to the low privacy regime, in the sense that the slopes in
    $\epsilon$ of both cases of (8) agree at $\epsilon_0$; it is $\mathrm{kl}$ from there on and
    $\sim\epsilon\,\mathrm{TV}$ at 0, by (8)."""
    return one_sided(mu_a, mu_star, 1), "==", 0 * mu_a


@claim(
    "BDP-S1.6/twice-differentiable",
    fails_at(mu_a=Fraction(1, 4), mu_star=Fraction(1, 2)),
    where=["mu_a < mu_star"],
    role="reading",
)
def bends_meet(mu_a: Inside, mu_star: Inside):
    r"""(b) read as: $d_\epsilon$ is twice differentiable in $\epsilon$ at $\epsilon_0$.

    It is printed as 'interpolating smoothly between KL and TV'. The second derivative jumps by mu_a (1 - mu_a) at
    epsilon_0; the first one is continuous.
    """
    return one_sided(mu_a, mu_star, 2), "==", 0 * mu_a


@claim(
    "BDP-S1.6/jump-of-the-second-derivative",
    deduced(),
    false={"factor": "99/100"},
    where=["mu_a < mu_star"],
    repairs="BDP-S1.6/twice-differentiable",
)
def bend_jumps_by_the_variance(mu_a: Inside, mu_star: Inside, factor=1):
    r"""The second derivative in $\epsilon$ jumps at $\epsilon_0$, from $-\mu_a(1-\mu_a)$ to 0."""
    return one_sided(mu_a, mu_star, 2), "==", -factor * mu_a * (1 - mu_a)
