"""Appendix B: helper lemmas on Laplace noise: hazard rate, truncated non-negativity, the largest of many draws."""

from typing import Any

from banditproof.claims.register import claim
from banditproof.claims.sets import Count, Nonnegative, Positive, Probability, Real
from banditproof.claims.steps import deduced
from banditproof.theory import exp, log, sqrt, to_ball
from banditproof.theory.numbers.special import (
    laplace_density,
    laplace_tail,
    largest_laplace_tail,
    truncated_laplace_mean,
)


def hazard(z: Any, lam: Any) -> Any:
    """f/(1 - F) of Lap(lam) at z."""
    return laplace_density(z / lam) / lam / laplace_tail(z / lam)


@claim("ADV-L18/bounded", deduced())
def hazard_is_bounded(lam: Positive, z: Real):
    r"""$h(z)=\frac{f(z)}{1-F(z)}\le\frac1\lambda$ for every $z$, with the density $f$ and the distribution function $F$
    of $\mathrm{Lap}(\lambda)$."""
    return hazard(z, lam), "<=", 1 / lam


@claim("ADV-L18/beyond-zero", deduced())
def hazard_beyond_zero(lam: Positive, z: Nonnegative):
    r"""From $z=0$ on $h(z)=\frac1\lambda$."""
    return hazard(z, lam), "==", 1 / lam


@claim("ADV-L18/monotone", deduced())
def hazard_does_not_decrease(lam: Positive, z: Real, more: Nonnegative):
    r"""$h(z)\le h(z+x)$ for $x\ge0$."""
    return hazard(z, lam), "<=", hazard(z + more, lam)


@claim("ADV-L19", deduced())
def truncated_mean_is_not_negative(loss: Probability, M: Nonnegative, lam: Positive):
    r"""For $Z\sim\mathrm{Lap}(\lambda)$, $\ell\in[0,1]$ and $M\ge0$:
    $\mathbb E[(Z+\ell)\mathbb 1\{|Z+\ell|>M\}]\ge0$."""
    return truncated_laplace_mean(loss, M, lam), ">=", 0


@claim("ADV-L19/level-above-the-loss", deduced(), role="step", where=["M >= shift"])
def truncated_above(shift: Nonnegative, M: Nonnegative, lam: Positive):
    r"""For $M\ge\ell$ (any $\ell\ge0$) the two tails are $\frac{M+\lambda}2e^{-(M-\ell)/\lambda}$ and
    $-\frac{M+\lambda}2e^{-(M+\ell)/\lambda}$; their sum is at least $0$."""
    return 0, "<=", (M + lam) / 2 * (exp((shift - M) / lam) - exp(-(shift + M) / lam))


@claim("ADV-L19/level-below-the-loss", deduced(), role="step", where=["M <= shift"])
def truncated_below(shift: Nonnegative, M: Nonnegative, lam: Positive):
    r"""For $M\le\ell$: $\ell$ less $\int_{-M}^Mxf(x-\ell)\,dx=\frac12e^{-\ell/\lambda}((M-\lambda)e^{M/\lambda}+
    (M+\lambda)e^{-M/\lambda})$ is at least $0$."""
    inside = exp(-shift / lam) / 2 * ((M - lam) * exp(M / lam) + (M + lam) * exp(-M / lam))
    return 0, "<=", shift - inside


@claim("ADV-L20", deduced(), false=[{"square": "39/10"}, {"square": 1}])
def largest_of_many_draws(N: Count, T: Count, lam: Positive, square=10):
    r"""$\mathbb P(\exists t\le T:\|Z_t\|_\infty^2\ge10\lambda^2\log^2(NT))\le\frac1T$ for $T$ vectors of $N$
    independent draws from $\mathrm{Lap}(\lambda)$.

    Any square above 4 would be enough.
    """
    level = sqrt(square) * lam * log(to_ball(N * T))
    return largest_laplace_tail(N * T, level / lam), "<=", 1 / to_ball(T)
