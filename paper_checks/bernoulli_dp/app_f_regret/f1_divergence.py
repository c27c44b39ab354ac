r"""Appendix F.1 to F.5: the closed form of $d_\epsilon$ (Lemma F.1) and its slopes in both arguments (F.3 and F.5).

A slope is that of the closed form, whose branches have one value and one slope where they meet
(`verify.proof.slopes`).
"""

from banditproof.claims.language import *
from banditproof.paper_checks.bernoulli_dp.facts.divergence import printed_minimiser, saturation, saturation_above
from banditproof.theory import d_epsilon, tv_bernoulli


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
