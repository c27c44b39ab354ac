"""Section 6.5, page 144: added noise, sub-sampling, and a misspecified target."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.thesis.facts.inference import MEANS, TargetBit, fixed_laws
from banditproof.paper_checks.thesis.facts.membership import noisy_bits_transform, sub_sampled_mean
from banditproof.theory.privacy.leakage import log_affinity
from banditproof.verify import total_variation
from banditproof.verify.privacy.membership import ViewLaw, randomised_power


def noisy_transform(n: int, distance: Any, gamma: Any, p: Any) -> Any:
    """n log E_0[e^(p l)] of a Gaussian column of variance 1 whose mean is published with noise of variance
    gamma^2/n."""
    out = (1 + gamma**2) / n
    inside = to_ball(ratio(n - 1, n * n)) + gamma**2 / n  # the target itself does not vary
    return n * log_affinity(distance / n, out, inside, p)


@claim("MIA-T6.5/out", deduced(), false={"mean": "-0.4"}, restricted="to Gaussian columns")
def noisy_outside(n: TwoOrMore, distance: Real, gamma: Positive, p: Inside, mean=Fraction(-1, 2), rate=10):
    r"""$n\log\mathbb E_0[e^{p\tilde\ell_n}]$ of a column is within $10(1+\zeta^2)/n$ of $(-\frac12p+p^2/2)\,
    \frac{\zeta^2}{1+\gamma^2}$ for $p\in(0,1)$, $\zeta=z^\star_j-\mu_j$, $\sigma_j=1$.

    The thesis prints the limit; the rate is a choice, and the check does not see it.
    """
    limit = (mean * p + p * p / 2) * distance**2 / (1 + gamma**2)
    return abs(noisy_transform(n, distance, gamma, p) - limit), "<=", rate * (1 + distance**2) / n


@claim("MIA-T6.5/in", deduced(), false={"mean": "0.4"}, restricted="to Gaussian columns")
def noisy_inside(n: TwoOrMore, distance: Real, gamma: Positive, p: Inside, mean=Fraction(1, 2), rate=10):
    r"""$n\log\mathbb E_1[e^{-p\tilde\ell_n}]$ of a column is within $10(1+\zeta^2)/n$ of $(-\frac12p+p^2/2)
    \,\frac{\zeta^2}{1+\gamma^2}$ for $p\in(0,1)$.

    The thesis prints the limit; the rate is a choice, and the check does not see it.
    """
    limit = (-mean * p + p * p / 2) * distance**2 / (1 + gamma**2)
    return abs(noisy_transform(n, distance, gamma, 1 - p) - limit), "<=", rate * (1 + distance**2) / n


@claim(
    "MIA-T6.5/noise-in-proportion",
    enumerated(n=pick((5, 10), (5, 20)), mu=["1/4"], target=[0, "1/2", 3], gamma=["1/2", "2"], p=["1/2"]),
    repairs="MIA-T6.5/uneven-columns",
    restricted="to columns of bits and targets in $[0,3]$, for $5\\le n\\le20$",
)
def noise_in_proportion(
    n: Annotated[Any, "integer [5, 100]"],
    mu: Annotated[Any, "[1/4, 3/4]"],
    target: Annotated[Any, "[0, 3]"],
    gamma: Annotated[Any, "[1/2, 2]"],
    p: Inside,
):
    r"""Suppose also that $\gamma_j\ge g\,\sigma_j$ for some $g>0$, and that the moments of order $4+\delta$ of
    $\frac{Z_j-\mu_j}{\sigma_j}$ and the distances $\frac{|z^\star_j-\mu_j|}{\sigma_j}$ have a bound that does not
    depend on $j$ and $n$. Then the theorem holds.

    Checked as: for columns of bits, with targets that need not be bits, $n\log\mathbb E_0[e^{p\tilde\ell_n}]$ of a
    column is within $\frac1{10}\,\frac{1+(z^\star_j-\mu_j)^2}n$ of
    $(-\frac12p+\frac{p^2}2)\frac{(z^\star_j-\mu_j)^2}{\sigma_j^2+\gamma_j^2}$ for $p\in(0,1)$, as it is for $\mathcal
    N(-\tilde m^\star_\gamma/2,\tilde m^\star_\gamma)$.

    With such noise the standardised sums of records and noise have densities below one bound, whatever the columns are;
    the rest is the argument under MIA-T6.3/bounded-densities. Integrals in complex ball arithmetic.
    """
    squared = (target - mu) ** 2
    limit = (p * p / 2 - p / 2) * squared / (mu * (1 - mu) + gamma**2)
    return abs(n * noisy_bits_transform(n, mu, target, gamma, p) - limit), "<=", (1 + squared) / (10 * n)


def sub_sampled(check: Check) -> Iterable[dict[str, Any]]:
    one = [
        {"n": n, "k": k, "mu": m, "targets": [z]}
        for n in range(1, check.pick(4, 6))
        for k in range(1, n + 1)
        for m in MEANS
        for z in (0, 1)
    ]
    two = [{"n": n, "k": k, "mu": m, "targets": [1, z]} for n, k in ((2, 1), (3, 2)) for m in MEANS for z in (0, 1)]
    return [*one, *two]


Targets = Annotated[Any, "all: every target"]


def laws_with_the_target(n: int, k: int, mu: Fraction, targets: list[int]) -> tuple[Any, Any, Any]:
    """The laws of the sub-sampled mean without the target, with it, and with it among the k rows for certain."""
    columns = (mu, Fraction(1, 3))[: len(targets)]
    out, inside = fixed_laws(sub_sampled_mean(n, k, columns), tuple(targets))
    certain = fixed_laws(sub_sampled_mean(k, k, columns), tuple(targets))[1]
    return out, inside, {o: certain.get(o, Fraction(0)) for o in out}


@quantity
def leakage_of_sub_sampling(n: int, k: int, mu: Any, targets: list[int]) -> Fraction:
    """TV of the laws of the sub-sampled mean without the target and with it."""
    out, inside, _ = laws_with_the_target(n, k, mu, targets)
    return Fraction(total_variation(out, inside))


@quantity
def leakage_of_the_chosen_rows(n: int, k: int, mu: Any, targets: list[int]) -> Fraction:
    """TV of the laws of the mean of k rows without the target and with it among these rows."""
    out, _, certain = laws_with_the_target(n, k, mu, targets)
    return Fraction(total_variation(out, certain))


def of_views(outputs: dict[Any, Fraction]) -> ViewLaw:
    """The law of views that hold the output alone."""
    return {(0, o): p for o, p in outputs.items()}


@quantity
def power_under_sub_sampling(n: int, k: int, mu: Any, targets: list[int], alpha: Any) -> Fraction:
    """The largest power at level alpha against the sub-sampled mean."""
    out, inside, _ = laws_with_the_target(n, k, mu, targets)
    return Fraction(randomised_power(of_views(out), of_views(inside), alpha))


@quantity
def power_for_the_chosen_rows(n: int, k: int, mu: Any, targets: list[int], alpha: Any) -> Fraction:
    """The largest power at level alpha against the mean of k rows with the target among them."""
    out, _, certain = laws_with_the_target(n, k, mu, targets)
    return Fraction(randomised_power(of_views(out), of_views(certain), alpha))


@quantity
def distance_from_the_mixture(n: int, k: int, mu: Any, targets: list[int], share: Any) -> Fraction:
    """TV of the law with the target in the data from the mixture: this share of the chosen rows, else without it."""
    out, inside, certain = laws_with_the_target(n, k, mu, targets)
    return Fraction(total_variation({o: share * certain[o] + (1 - share) * out[o] for o in out}, inside))


@claim(
    "MIA-D6.5.2",
    enumerated(sub_sampled, rational=True, routes=("permutations of rows", "mixture")),
    false={"chance": "0.9"},
    where=["k <= n"],
    restricted="to Bernoulli columns",
)
def sub_sampled_laws(n: Count, k: Count, mu: Inside, targets: Targets, chance=1):
    r"""With $k_n$ of $n$ rows drawn by one permutation, the output's law with the target in the data is a mixture: with
    weight $k_n/n$ the law with the target among the $k_n$ rows, and otherwise the law without it.

    The joint laws of all columns are compared in total variation.
    """
    return distance_from_the_mixture(n, k, mu, targets, chance * ratio(k, n)), "==", 0


@claim(
    "MIA-T6.6/out",
    enumerated(k=[20, 80, 320], mu=["1/10", "1/2"], ratio=["1/20", "1/2"], target=[0, 1], p=["1/100", "1/2", "99/100"]),
    false={"mean": "-0.4"},
    restricted="to Bernoulli columns with means in $[1/10,9/10]$ and targets in $\\{0,1\\}^d$",
)
def score_outside(
    k: Annotated[Any, "integer [20, inf)"],
    mu: Annotated[Any, "[1/10, 9/10]"],
    ratio: Inside,
    target: TargetBit,
    p: Inside,
    mean=Fraction(-1, 2),
    rate=60,
):
    r"""Under $H_0$, $n\log\mathbb E_0[e^{p\ell}]$ of a column of the printed score is within $60/k_n$ of
    $(-\frac12p+p^2/2)\,\rho\,(z^\star_j-\mu_j)^2/\sigma_j^2$, $n=k_n/\rho$.

    Exact transforms of log((1 - rho) + rho p_in/p_out); columns are independent under H_0.

    The thesis prints the limit; the rate is a choice, and the check does not see it.
    """
    hit = where(target, "==", 1, mu, 1 - mu)

    def moment(s: Any) -> Any:
        weight = comb(k, s) * hit**s * (1 - hit) ** (k - s)
        return weight * ((1 - ratio) + ratio * (s / to_ball(k)) / hit) ** p

    limit = (mean * p + p * p / 2) * ratio * (1 - hit) / hit
    return abs(k / ratio * log(total(moment, 0, k)) - limit), "<=", to_ball(rate) / k


@claim(
    "MIA-T6.6/mixture",
    enumerated(sub_sampled, rational=True, routes=("every output", "mixture")),
    repairs="MIA-T6.6/leakage",
    where=["k <= n"],
    restricted="to Bernoulli columns",
)
def leakage_of_the_mixture(n: Count, k: Count, mu: Inside, targets: Targets):
    r"""$\xi_n=\rho$ times the leakage of the mean of $k_n=\rho n$ rows, whose leakage score is $m^\star/\rho$: in the
    limit, where Corollary 6.4 holds for these rows,
    $\rho\,(\Phi(\frac{\sqrt{m^\star/\rho}}2)-\Phi(-\frac{\sqrt{m^\star/\rho}}2))$."""
    case = n, k, mu, targets
    return leakage_of_sub_sampling(*case), "==", ratio(k, n) * leakage_of_the_chosen_rows(*case)


@claim(
    "MIA-T6.6/power-of-the-mixture",
    enumerated(
        lambda check: [
            {**point, "alpha": a} for point in sub_sampled(check) for a in (Fraction(1, 50), Fraction(1, 3))
        ],
        rational=True,
    ),
    repairs="MIA-T6.6/power",
    where=["k <= n"],
    restricted="to Bernoulli columns",
)
def power_of_the_mixture(n: Count, k: Count, mu: Inside, targets: Targets, alpha: Inside):
    r"""The largest power at level $\alpha$ is $(1-\rho)\alpha+\rho$ times that for the mean of $k_n=\rho n$ rows: in
    the limit, where Corollary 6.4 holds for these rows,
    $(1-\rho)\alpha+\rho\,\Phi(\Phi^{-1}(\alpha)+\sqrt{m^\star/\rho})$."""
    case, share = (n, k, mu, targets, alpha), ratio(k, n)
    best = (1 - share) * alpha + share * power_for_the_chosen_rows(*case)
    return power_under_sub_sampling(*case), "==", best
