r"""Appendix F.1 to F.5: the closed form of $d_\epsilon$ (Lemma F.1) and its slopes in both arguments (F.3 and F.5).

A slope is that of the closed form, whose branches have one value and one slope where they meet
(`verify.proof.slopes`).
"""

from typing import Annotated, Any

from banditproof.claims.register import claim
from banditproof.claims.sets import BelowOne, Inside, Positive, Probability, Sides
from banditproof.claims.steps import deduced, fails_at
from banditproof.paper_checks.bernoulli_dp.facts.divergence import printed_minimiser, saturation, saturation_above
from banditproof.theory import (
    absolute,
    d_epsilon,
    d_epsilon_dx,
    d_epsilon_dy,
    exp,
    kl_bernoulli,
    log,
    tv_bernoulli,
    where,
)
from banditproof.verify.forms.calculus import derivative


@claim("BDP-LF.1/below", deduced(), false={"rate": "1.1"}, where=["mu <= mu_prime"])
def closed_form_below(mu: Inside, mu_prime: Inside, epsilon: Positive, rate=1):
    r"""(31): for $\mu\le\mu'$, $d_\epsilon(\mu,\mu')=\mathrm{kl}(\mu,\mu')$ if $\mu\ge
    z=\frac{\mu'}{\mu'+(1-\mu')e^{\epsilon}}$, else $\mathrm{kl}(z,\mu')+\epsilon(z-\mu)$."""
    z = saturation(mu_prime, epsilon, rate)
    split = lambda: kl_bernoulli(z, mu_prime) + epsilon * (z - mu)  # noqa: E731
    printed = where(mu, ">=", z, lambda: kl_bernoulli(mu, mu_prime), split)
    return d_epsilon(mu, mu_prime, epsilon), "==", printed


@claim("BDP-LF.1/above", deduced(), false={"rate": "1.1"}, where=["mu >= mu_prime"])
def closed_form_above(mu: Inside, mu_prime: Inside, epsilon: Positive, rate=1):
    r"""(32): for $\mu\ge\mu'$, $d_\epsilon(\mu,\mu')=\mathrm{kl}(\mu,\mu')$ if $\mu\le
    z=\frac{\mu'e^{\epsilon}}{\mu'e^{\epsilon}+1-\mu'}$, else $\mathrm{kl}(z,\mu')+\epsilon(\mu-z)$."""
    z = saturation_above(mu_prime, epsilon, rate)
    split = lambda: kl_bernoulli(z, mu_prime) + epsilon * (mu - z)  # noqa: E731
    printed = where(mu, "<=", z, lambda: kl_bernoulli(mu, mu_prime), split)
    return d_epsilon(mu, mu_prime, epsilon), "==", printed


@claim("BDP-LF.1/minimiser", deduced(), false={"rate": "1.1"})
def minimiser(mu: Inside, mu_prime: Inside, epsilon: Positive, share: Probability, rate=1):
    r"""$z^*=\max(\mu,\frac{\mu'}{\mu'+(1-\mu')e^{\epsilon}})$ solves the problem for $\mu\le\mu'$, and
    $z^*=\min(\mu,\frac{\mu'e^\epsilon}{\mu'e^\epsilon+1-\mu'})$ for $\mu\ge\mu'$: no $z$ between costs less."""
    point = mu + share * (mu_prime - mu)
    best = printed_minimiser(mu, mu_prime, epsilon, rate)
    costs = [epsilon * tv_bernoulli(mu, z) + kl_bernoulli(z, mu_prime) for z in (best, point)]
    return costs[0], "<=", costs[1]


@claim("BDP-LF.1/stationary-below", deduced(), role="step")
def stationarity_below(mu_prime: Inside, epsilon: Positive):
    r"""(proof F.2) $\log\frac{z(1-\mu')}{\mu'(1-z)}+\epsilon=0$ at $z=\frac{\mu'}{\mu'+(1-\mu')e^\epsilon}$."""
    z = saturation(mu_prime, epsilon)
    return log(z * (1 - mu_prime) / (mu_prime * (1 - z))) + epsilon, "==", 0 * epsilon


@claim("BDP-LF.1/stationary-above", deduced(), role="step")
def stationarity_above(mu_prime: Inside, epsilon: Positive):
    r"""(proof F.2) $\log\frac z{\mu'}-\log\frac{1-z}{1-\mu'}-\epsilon=0$ at
    $z=\frac{\mu'e^\epsilon}{\mu'e^\epsilon+1-\mu'}$."""
    weight = mu_prime * exp(epsilon) + 1 - mu_prime
    z, rest = mu_prime * exp(epsilon) / weight, (1 - mu_prime) / weight  # 1 - z would cancel for large budgets
    return log(z / mu_prime) - log(rest / (1 - mu_prime)) - epsilon, "==", 0 * epsilon


@claim("BDP-LF.3", deduced())
def lipschitz_in_the_first_argument(mu: Probability, mu_prime: Probability, epsilon: Positive):
    r"""$|\partial_\mu d_\epsilon(\mu,\mu')|\le \epsilon$ on the closed square, where a derivative at $\mu\in\{0,1\}$ is
    one-sided, from within $[0,1]$ (elsewhere $d_\epsilon$ is continuously differentiable in $\mu$)."""
    return absolute(d_epsilon_dx(mu, mu_prime, epsilon)), "<=", epsilon


def falls_towards_the_second(mu: Any, mu_prime: Any, epsilon: Any, tilt: Any) -> Sides:
    return d_epsilon_dx(mu, mu_prime, epsilon) + tilt * epsilon, "<=", 0 * epsilon


@claim(
    "BDP-LF.3/sign-below", deduced(), false={"tilt": "0.01"}, where=["mu <= mu_prime"], role="step", place="proof F.4"
)
def falls_below_the_diagonal(mu: Inside, mu_prime: Inside, epsilon: Positive, tilt=0):
    r"""$\partial_\mu d_\epsilon(\mu,\mu')\le 0$ for $\mu\le\mu'$ inside the square, where (31) holds."""
    return falls_towards_the_second(mu, mu_prime, epsilon, tilt)


@claim("BDP-LF.3/sign-above", deduced(), false={"tilt": "0.01"}, where=["mu >= mu_prime"], role="step")
def rises_above_the_diagonal(mu: Inside, mu_prime: Inside, epsilon: Positive, tilt=0):
    r"""(proof F.4) $\partial_\mu d_\epsilon(\mu,\mu')\ge 0$ for $\mu\ge\mu'$, where (32) holds."""
    return d_epsilon_dx(mu, mu_prime, epsilon) - tilt * epsilon, ">=", 0 * epsilon


@claim(
    "BDP-LF.3/sign-on-the-closed-square",
    fails_at(mu=0, mu_prime=0, epsilon=1),
    where=["mu <= mu_prime"],
    role="reading",
)
def falls_from_the_corner(mu: Probability, mu_prime: Probability, epsilon: Positive, tilt=0):
    r"""'For any $\mu,\mu'\in[0,1]$' read with one-sided derivatives, corners included: the sign $\partial_\mu
    d_\epsilon(\mu,\mu')\le 0$ for $\mu\le\mu'$, which the proof notes.

    d_epsilon(mu, 0) = epsilon mu increases from the corner (0, 0), so the right derivative there is epsilon, not <= 0.
    Inside the square the sign holds. The lemma is about the absolute value and holds on the whole closed square.
    """
    return falls_towards_the_second(mu, mu_prime, epsilon, tilt)


def growth_in_the_second(mu: Any, mu_prime: Any, epsilon: Any, factor: Any) -> Sides:
    return d_epsilon_dy(mu, mu_prime, epsilon), "<=", factor / (1 - mu_prime)


@claim("BDP-LF.5/inside", deduced(), false={"factor": "0.95"}, where=["mu <= mu_prime"])
def slope_in_the_second_argument(mu: BelowOne, mu_prime: Inside, epsilon: Positive, factor=1):
    r"""$\partial_{\mu'}d_\epsilon(\mu,\mu')\le\frac{1}{1-\mu'}$ for $0\le\mu\le\mu'<1$, $\mu'>0$."""
    return growth_in_the_second(mu, mu_prime, epsilon, factor)


@claim("BDP-LF.5/edge-both-means-zero", deduced(), false={"factor": "0.95"})
def slope_at_the_corner(mu: Annotated[Any, "[0, 0]"], mu_prime: Annotated[Any, "[0, 0]"], epsilon: Positive, factor=1):
    r"""At $\mu=\mu'=0$ the right derivative $1-e^{-\epsilon}$ is at most $1$."""
    return growth_in_the_second(mu, mu_prime, epsilon, factor)


@claim("BDP-LF.5/slower-than-kl", deduced(), where=["mu <= mu_prime"], role="step")
def kl_grows_faster(mu: BelowOne, mu_prime: Inside, epsilon: Positive):
    r"""(33) $\partial_{\mu'}d_\epsilon(\mu,\mu')\le
    \partial_{\mu'}\mathrm{kl}(\mu,\mu')=(\frac{1-\mu}{1-\mu'}-\frac\mu{\mu'})$."""
    return d_epsilon_dy(mu, mu_prime, epsilon), "<=", (1 - mu) / (1 - mu_prime) - mu / mu_prime


@claim("BDP-LF.5/auxiliary-slope", deduced(), false={"power": "0.9"}, role="step")
def auxiliary_slope(mu_prime: Inside, epsilon: Positive, power=1):
    r"""(proof F.6) $f(\mu')=\frac{\mu'}{\mu'+(1-\mu')e^\epsilon}$ has
    $f'=\frac{e^{\epsilon}}{(\mu'+(1-\mu')e^\epsilon)^2}$."""
    weight = mu_prime + (1 - mu_prime) * exp(epsilon)
    stated = exp(power * epsilon) / (weight * weight)
    return derivative(lambda y: saturation(y, epsilon), mu_prime), "==", stated
