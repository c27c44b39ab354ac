"""Section 6.5, page 144: added noise, sub-sampling, and a misspecified target."""

from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from math import comb
from typing import Annotated, Any

from banditproof.claims.check import Check
from banditproof.claims.register import claim, item, not_checkable, restate
from banditproof.claims.sets import Count, Inside, Nonnegative, Positive, Real, TwoOrMore
from banditproof.claims.steps import enumerated, fails_at, symbolic
from banditproof.paper_checks.thesis.facts.inference import MEANS, TargetBit, fixed_laws
from banditproof.paper_checks.thesis.facts.membership import (
    Vector,
    column_transform,
    gamma_sum_is_below,
    squared_length,
    sub_sampled_mean,
    values_at_random,
)
from banditproof.theory import log, sqrt, to_ball
from banditproof.theory.numbers.normal_law import normal_cdf
from banditproof.theory.numbers.numeric import exp, maximum
from banditproof.theory.privacy.leakage import (
    gaussian_leakage,
    gaussian_power,
    log_affinity,
    sampled_leakage,
    sampled_power,
)
from banditproof.verify import decided, total_variation
from banditproof.verify.privacy.membership import randomised_power


@claim(
    "MIA-D6.5.1", symbolic(routes=("noise on the mean", "noise on records")), false=[{"scale": "1.01"}, {"power": 1}]
)
def noise_on_records(variance: Nonnegative, gamma: Nonnegative, k: Nonnegative, scale=1, power=Fraction(1, 2)):
    r"""$\frac1n\sum_iZ_i+n^{-<power>}N_d$ has the variance of the mean of $n$ independent $Z_i+<scale>N_i$ (per
    column, $n=k+1$; without the target).

    Variances add up for independent columns, which is taken for granted on both sides.
    """
    n = k + 1
    return variance / n + (gamma / n**power) ** 2, "==", (variance + (scale * gamma) ** 2) / n


item(
    "MIA-T6.5",
    r"""$\tilde\ell_n^\gamma\rightsquigarrow\mathcal N(\mp\tilde m^\star_\gamma/2,\tilde m^\star_\gamma)$ under $H_0$
    and $H_1$, $\tilde m^\star_\gamma=\lim\frac1n\|z^\star-\mu\|^2_{(C_\sigma+C_\gamma)^{-1}}$; leakage and trade-off
    are those of Corollary 6.4 with $\tilde m^\star_\gamma$.""",
)
NOISY = enumerated(
    n=[2, 100, 100_000], distance=["0", "1/2", "2"], gamma=["1/10", "1", "3"], p=["1/100", "1/2", "99/100"]
)


def noisy_transform(n: int, distance: Any, gamma: Any, p: Any) -> Any:
    """n log E_0[e^(p l)] of a Gaussian column of variance 1 whose mean is published with noise of variance
    gamma^2/n."""
    out = (1 + gamma**2) / n
    inside = to_ball(Fraction(n - 1, n * n)) + gamma**2 / n  # the target itself does not vary
    return n * log_affinity(distance / n, out, inside, p)


@claim(
    "MIA-T6.5/out",
    NOISY,
    false=[{"variance": "0.9"}, {"mean": "-0.4"}, {"noise": "0.9"}],
    restricted="to Gaussian columns",
)
def noisy_outside(
    n: TwoOrMore, distance: Real, gamma: Positive, p: Inside, mean=Fraction(-1, 2), variance=1, noise=1, rate=10
):
    r"""$n\log\mathbb E_0[e^{p\tilde\ell_n}]$ of a column is within $<rate>(1+\zeta^2)/n$ of
    $(<mean>p+<variance>p^2/2)\, \frac{\zeta^2}{1+<noise>\gamma^2}$ for $p\in(0,1)$, $\zeta=z^\star_j-\mu_j$,
    $\sigma_j=1$.

    Printed is the limit; the rate is a choice and not seen.
    """
    limit = (mean * p + variance * p * p / 2) * distance**2 / (1 + noise * gamma**2)
    return abs(noisy_transform(n, distance, gamma, p) - limit), "<=", rate * (1 + distance**2) / n


@claim(
    "MIA-T6.5/in",
    NOISY,
    false=[{"variance": "0.9"}, {"mean": "0.4"}, {"noise": "0.9"}],
    restricted="to Gaussian columns",
)
def noisy_inside(
    n: TwoOrMore, distance: Real, gamma: Positive, p: Inside, mean=Fraction(1, 2), variance=1, noise=1, rate=10
):
    r"""$n\log\mathbb E_1[e^{-p\tilde\ell_n}]$ of a column is within $<rate>(1+\zeta^2)/n$ of
    $(-<mean>p+<variance>p^2/2) \,\frac{\zeta^2}{1+<noise>\gamma^2}$ for $p\in(0,1)$.

    Printed is the limit; the rate is a choice and not seen.
    """
    limit = (-mean * p + variance * p * p / 2) * distance**2 / (1 + noise * gamma**2)
    return abs(noisy_transform(n, distance, gamma, 1 - p) - limit), "<=", rate * (1 + distance**2) / n


restate("MIA-T6.5/leakage", "MIA-C6.4/leakage")
restate("MIA-T6.5/trade-off", "MIA-C6.4/power")
POWERS = "along the powers of two the first probability rises to 1, as (1/n)^(1/n) does, and the score falls to 0"


@claim("MIA-T6.5/uneven-columns", fails_at(n=2**20), role="part", strongest="enumeration", assuming=POWERS)
def one_column_gives_away(n: TwoOrMore, slack=Fraction(1, 4)):
    r"""$\gamma_j=j^{-2}$, normal columns with $z^\star_j=\mu_j$, but for $j=1,2,4,\dots$ Gamma columns of shape
    $j^{-2}$ with $z^\star_j=\mu_j+\sigma_j$; $d=n$ a power of two: $\xi_n$ is at most $\Phi(\frac{\sqrt{m_n}}2)-
    \Phi(-\frac{\sqrt{m_n}}2)+<slack>$ with $m_n=\frac1n\|z^\star-\mu\|^2_{(C_\sigma+C_\gamma)^{-1}}
    \le\frac{1+\log_2n}n$ (the difference of both sides).

    Independent columns whose moments of every order are bounded over all columns; printed is any gamma, and with one
    that is bounded below the bound on the moments is missing (the same columns times j^2). The sum of column n is above
    1/(2n) with the target, which alone is 1/n + 1/n^2, up to noise of deviation n^(-3/2); without, it is Gamma(1/n),
    hardly ever above 1/(4n).
    """
    share, root = to_ball(Fraction(1, n)), sqrt(to_ball(n))
    noise = normal_cdf(-root / 2) + normal_cdf(-root / 4)
    return gamma_sum_is_below(n, share / 4) - noise - gaussian_leakage(share * n.bit_length()) - slack, "<=", 0


restate(
    "MIA-T6.5/even-columns",
    "MIA-T6.5/out",
    r"""With normal columns, and $\gamma_j=\gamma\sigma_j$, among the assumptions: $n\log\mathbb E_0[e^{p\tilde\ell_n}]$
    of a column is within $<rate>(1+\zeta^2)/n$ of $(<mean>p+<variance>p^2/2)\, \frac{\zeta^2}{1+<noise>\gamma^2}$ for
    $p\in(0,1)$, $\zeta=z^\star_j-\mu_j$, $\sigma_j=1$.""",
    role="repair",
    repairs="MIA-T6.5/uneven-columns",
)


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


@claim(
    "MIA-D6.5.2",
    enumerated(sub_sampled, rational=True, routes=("permutations of rows", "mixture")),
    false={"chance": "0.9"},
    where=["k <= n"],
    restricted="to Bernoulli columns",
)
def sub_sampled_laws(n: Count, k: Count, mu: Inside, targets: Targets, chance=1):
    r"""With $k_n$ of $n$ rows drawn by one permutation, the output's law with the target in the data is a mixture:
    $<chance>\,k_n/n$ of that with the target among $k_n$ rows, and the rest of that without it.

    In total variation, over the joint laws of all columns.
    """
    out, inside, certain = laws_with_the_target(n, k, mu, targets)
    share = chance * Fraction(k, n)
    return total_variation({o: share * certain[o] + (1 - share) * out[o] for o in out}, inside), "==", 0


MIXTURE = """the target is among the rows used with probability rho and changes nothing otherwise, for every n, as
MIA-D6.5.2 shows exactly on finite games"""

item(
    "MIA-T6.6",
    r"""$\ell_n^{{\rm sub},\rho}\rightsquigarrow\mathcal N(\mp\rho m^\star/2,\rho m^\star)$ under $H_0$ and $H_1$;
    $\lim\xi_n(z^\star,\mathcal M_n^{{\rm sub},\rho},\mathcal D)=\Phi(\frac{\sqrt{\rho
    m^\star}}2)-\Phi(-\frac{\sqrt{\rho m^\star}}2)$, and the trade-off is $\Phi(\Phi^{-1}(\alpha)+\sqrt{\rho
    m^\star})$.""",
)


@claim("MIA-T6.6/leakage", fails_at(ratio=Fraction(1, 20), score=20), strongest="enumeration", assuming=MIXTURE)
def printed_leakage(ratio: Inside, score: Positive):
    r"""$\lim\xi_n=\Phi(\frac{\sqrt{\rho m^\star}}2)-\Phi(-\frac{\sqrt{\rho m^\star}}2)$, and $\xi_n\le\rho$ for every
    $n$, since the target is among the rows used with probability $\rho$ only and changes nothing otherwise.

    One permutation selects whole rows: at rho = 1/20 no adversary wins more than one game in twenty by more than luck.
    ratio is rho, score is m*.
    """
    return gaussian_leakage(ratio * score), "<=", ratio


@claim(
    "MIA-T6.6/power",
    fails_at(alpha=Fraction(1, 100), ratio=Fraction(1, 20), score=20),
    strongest="enumeration",
    assuming=MIXTURE,
)
def printed_power(alpha: Inside, ratio: Inside, score: Positive):
    r"""$\lim\mathrm{Pow}_n(\ell_n,\alpha,z^\star)=\Phi(\Phi^{-1}(\alpha)+\sqrt{\rho m^\star})$, and no test of level
    $\alpha$ has more power than $(1-\rho)\alpha+\rho$.

    Where the target's row is left out, which has probability 1 - rho, a test rejects with probability alpha at most.
    ratio is rho, score is m*.
    """
    return gaussian_power(alpha, ratio * score), "<=", (1 - ratio) * alpha + ratio


@claim("MIA-T6.6/in", fails_at(ratio=Fraction(1, 20), score=20, threshold=0), strongest="enumeration", assuming=MIXTURE)
def printed_law_inside(ratio: Inside, score: Positive, threshold: Real):
    r"""$\ell_n^{{\rm sub},\rho}\rightsquigarrow\mathcal N(\rho m^\star/2,\rho m^\star)$ under $H_1$, where the score
    has its law under $H_0$, $\mathcal N(-\rho m^\star/2,\rho m^\star)$ in the limit, with probability $1-\rho$:
    $\Pr_1[\ell\le t]\ge(1-\rho)\Pr_0[\ell\le t]$.

    With the target among the data its row is used with probability rho only; else the output knows nothing of it.
    ratio is rho, score is m*, threshold is t.
    """
    width, shift = sqrt(ratio * score), ratio * score / 2
    below_in, below_out = (normal_cdf((threshold + sign * shift) / width) for sign in (-1, 1))
    return (1 - ratio) * below_out, "<=", below_in


@claim(
    "MIA-T6.6/out",
    enumerated(k=[20, 80, 320], mu=["1/10", "1/2"], ratio=["1/20", "1/2"], target=[0, 1], p=["1/100", "1/2", "99/100"]),
    false=[{"variance": "0.9"}, {"mean": "-0.4"}],
    restricted="to Bernoulli columns with means in $[1/10,9/10]$ and targets in $\\{0,1\\}^d$",
)
def score_outside(
    k: Annotated[Any, "integer [20, inf)"],
    mu: Annotated[Any, "[1/10, 9/10]"],
    ratio: Inside,
    target: TargetBit,
    p: Inside,
    mean=Fraction(-1, 2),
    variance=1,
    rate=60,
):
    r"""Under $H_0$, $n\log\mathbb E_0[e^{p\ell}]$ of a column of the printed score is within $<rate>/k_n$ of
    $(<mean>p+<variance>p^2/2)\,\rho\,(z^\star_j-\mu_j)^2/\sigma_j^2$, $n=k_n/\rho$.

    Exact transforms of log((1 - rho) + rho p_in/p_out); columns are independent under H_0.

    Printed is the limit; the rate is a choice and not seen.
    """
    hit, total = (mu if target else 1 - mu), to_ball(0)
    for s in range(k + 1):
        weight = comb(k, s) * hit**s * (1 - hit) ** (k - s)
        total += weight * ((1 - ratio) + ratio * to_ball(Fraction(s, k)) / hit) ** p
    limit = (mean * p + variance * p * p / 2) * ratio * (1 - hit) / hit
    return abs(k / ratio * log(total) - limit), "<=", to_ball(rate) / k


@claim(
    "MIA-T6.6/mixture",
    enumerated(sub_sampled, rational=True, routes=("every output", "mixture")),
    false={"chance": "1.01"},
    role="repair",
    repairs="MIA-T6.6/leakage",
    where=["k <= n"],
    restricted="to Bernoulli columns",
)
def leakage_of_the_mixture(n: Count, k: Count, mu: Inside, targets: Targets, chance=1):
    r"""$\xi_n=<chance>\,\rho$ times the leakage of the mean of $k_n=\rho n$ rows, whose leakage score is
    $m^\star/\rho$: in the limit $\rho\,(\Phi(\frac{\sqrt{m^\star/\rho}}2)-\Phi(-\frac{\sqrt{m^\star/\rho}}2))$."""
    out, inside, certain = laws_with_the_target(n, k, mu, targets)
    return total_variation(out, inside), "==", chance * Fraction(k, n) * total_variation(out, certain)


@claim(
    "MIA-T6.6/power-of-the-mixture",
    enumerated(
        lambda check: [
            {**point, "alpha": a} for point in sub_sampled(check) for a in (Fraction(1, 50), Fraction(1, 3))
        ],
        rational=True,
    ),
    false={"chance": "1.01"},
    role="repair",
    repairs="MIA-T6.6/power",
    where=["k <= n"],
    restricted="to Bernoulli columns",
)
def power_of_the_mixture(n: Count, k: Count, mu: Inside, targets: Targets, alpha: Inside, chance=1):
    r"""The largest power at level $\alpha$ is $(1-\rho)\alpha+<chance>\,\rho$ times that for the mean of $k_n=\rho n$
    rows: in the limit $(1-\rho)\alpha+\rho\,\Phi(\Phi^{-1}(\alpha)+\sqrt{m^\star/\rho})$."""
    out, inside, certain = laws_with_the_target(n, k, mu, targets)
    ratio = Fraction(k, n)
    views: Any = [{(0, o): p for o, p in law.items()} for law in (out, inside, certain)]
    best = (1 - ratio) * alpha + chance * ratio * randomised_power(views[0], views[2], alpha)
    return randomised_power(views[0], views[1], alpha), "==", best


@claim(
    "MIA-T6.6/both-formulas",
    enumerated(
        ratio=["1/20", "1/2", "19/20"], score=["1/10", "5"], alpha=["1/1000", "1/2"], routes=("leakage", "power")
    ),
    false={"half": "0.45"},
    role="remark",
)
def formulas_of_the_mixture(ratio: Inside, score: Positive, alpha: Inside, half=Fraction(1, 2)):
    r"""The limits fit together: at $\alpha=\Phi(-<half>\sqrt{m^\star/\rho})$ power minus level is the leakage, and at
    no level more (to 1e-9)."""
    best = normal_cdf(-half * sqrt(score / ratio))
    leak = sampled_leakage(score, ratio)
    beyond = maximum(sampled_power(alpha, score, ratio) - alpha - leak, 0)
    return beyond + abs(sampled_power(best, score, ratio) - best - leak), "<=", to_ball(Fraction(1, 10**9))


restate("MIA-T6.6/in-or-out", "MIA-D6.5.2", role="repair", repairs="MIA-T6.6/in")

item(
    "MIA-T6.7",
    r"""$\lim\mathrm{Adv}_n(\mathcal A_{\rm miss})=\Phi(\frac{|m^{\rm scal}|}{2\sqrt{m^{\rm targ}}})-\Phi(-\frac{|m^{\rm
    scal}|}{2\sqrt{m^{\rm targ}}})$ for the adversary with the score $\ell_n(\hat\mu_n;z^{\rm targ},\mu,C_\sigma)$.""",
)


def misspecified(threshold: Any, aligned: Any, assumed: Any) -> Any:
    """Power minus size of a threshold between N(m_scal - m_targ/2, m_targ) and N(-m_targ/2, m_targ)."""
    width = sqrt(assumed)
    return normal_cdf((threshold + assumed / 2) / width) - normal_cdf((threshold + assumed / 2 - aligned) / width)


@claim(
    "MIA-T6.7/best-threshold",
    enumerated(
        aligned=["-2", "-1/10", "1/2", "3"], assumed=["1/10", "1", "5"], threshold=["-3", "-1/4", "0", "1", "4"]
    ),
    false=[{"factor": "0.99"}, {"factor": "1.01"}],
)
def advantage_with_the_best_threshold(threshold: Real, aligned: Real, assumed: Positive, factor=1):
    r"""With the best threshold (and the test reversed where $m^{\rm scal}<0$) the advantage between $\mathcal N(-m^{\rm
    targ}/2,m^{\rm targ})$ and $\mathcal N(m^{\rm scal}-m^{\rm targ}/2,m^{\rm targ})$ is $<factor>$ times the printed
    one: at $t=(m^{\rm scal}-m^{\rm targ})/2$ it is attained, and no threshold has more (to 1e-9)."""
    printed = factor * (2 * normal_cdf(abs(aligned) / (2 * sqrt(assumed))) - 1)
    attained = abs(misspecified((aligned - assumed) / 2, aligned, assumed))
    beyond = maximum(abs(misspecified(threshold, aligned, assumed)) - printed, 0)
    return beyond + abs(attained - printed), "<=", to_ball(Fraction(1, 10**9))


@claim("MIA-T6.7/threshold-0", fails_at(aligned=Fraction(1, 2), assumed=5), role="reading")
def advantage_with_threshold_0(aligned: Real, assumed: Positive):
    r"""'the adversary that uses the misspecified LR score' with the threshold 0 of the Bayes attacker has the printed
    advantage."""
    printed = 2 * normal_cdf(abs(aligned) / (2 * sqrt(assumed))) - 1
    return misspecified(0, aligned, assumed), ">=", printed


@claim(
    "MIA-T6.7/three-values",
    fails_at(n=320),
    strongest="enumeration",
    assuming="the affinity of all columns rises to its limit, exp(-1/4), so that the left side stays below 2/3",
)
def misspecified_on_three_values(n: Annotated[Any, "integer [20, inf)"], slack=Fraction(1, 100)):
    r"""Equal columns, uniform on $\{0,1,\sqrt2\}$, $d=4n$, with $z^\star=0$ and $z^{\rm targ}=(1,\dots,1)$: the best
    threshold has at least the advantage $\Phi(\frac{|m^{\rm scal}|}{2\sqrt{m^{\rm targ}}})-\Phi(-\frac{|m^{\rm
    scal}|}{2\sqrt{m^{\rm targ}}})-<slack>$ with $\frac{|m^{\rm scal}|}{\sqrt{m^{\rm targ}}}=2\frac{\mu_1}{\sigma_1}$.

    The score knows of a column how often the value 1 is in it, as of n bits of mean 1/3 one of which is 0 with the
    target: whatever is done with it, no test has more than sqrt(1 - affinity^2).
    """
    third, mean, variance = values_at_random()
    affinity = exp(4 * n * column_transform(n, third, 0, Fraction(1, 2)))
    return sqrt(1 - affinity**2), ">=", gaussian_leakage(4 * mean**2 / variance) - slack


Sizes = Annotated[Any, "all: every list of numbers of records"]


@claim(
    "MIA-T6.7/off-the-lattice",
    fails_at(sizes=[1, 2, 10, 100], slack=Fraction(1, 4)),
    role="edge",
    strongest="enumeration",
    assuming="a list of numbers of records stands for all of them: that sums and sums with a half are apart needs no n",
)
def assumed_between_the_values(sizes: Sizes, slack: Inside):
    r"""For fair bits, $d=n$, $z^\star\in\{0,1\}^d$ and $z^{\rm targ}=z^\star$ but for $z^{\rm targ}_1=\frac12$, so that
    $m^{\rm scal}=m^{\rm targ}=1$: for some $n$ of a list the advantage is within slack of
    $\Phi(\frac12)-\Phi(-\frac12)$.

    The sum of the first column is a whole number in both worlds, which has probability 0 with half a record in it: the
    score is minus infinity in both, and every threshold has advantage 0, for every n of the list of sizes.
    """
    missed = 0
    for n in sizes:
        sums = {2 * s for s in range(n + 1)}  # twice the sum of the first column
        blind = sums.isdisjoint(2 * s + 1 for s in range(n))  # then the advantage is 0
        missed += blind and decided(gaussian_leakage(to_ball(1)), ">", slack)
    return missed, "<", len(sizes)


@claim("MIA-T6.7/uneven-columns", fails_at(n=2**20), role="part", strongest="enumeration", assuming=POWERS)
def one_column_gives_the_misspecified_away(n: TwoOrMore, slack=Fraction(1, 4)):
    r"""Normal columns with $z^\star_j=\mu_j$ and $z^{\rm targ}_j=\mu_j+\sigma_j$, but for $j=1,2,4,\dots$ Gamma columns
    of shape $j^{-2}$ with $z^{\rm targ}_j=z^\star_j=\mu_j+\sigma_j$; $d=n$ a power of two: no threshold has an
    advantage above $\Phi(\frac{|m^{\rm scal}|}{2\sqrt{m^{\rm targ}}})-
    \Phi(-\frac{|m^{\rm scal}|}{2\sqrt{m^{\rm targ}}})+<slack>$, with $m^{\rm scal}=\frac{1+\log_2n}n$ and $m^{\rm
    targ}=1$ (the difference of both sides).

    The score is minus infinity where the sum of column n is less than the target's own value, which never happens with
    the target and nearly always without; low thresholds tell this apart.
    """
    share = to_ball(Fraction(1, n))
    printed = gaussian_leakage((share * n.bit_length()) ** 2)
    return gamma_sum_is_below(n, share + share**2) - printed - slack, "<=", 0


@claim(
    "MIA-T6.7/two-values",
    enumerated(n=[20, 80, 320], mu=["1/10", "1/2", "4/5"], target=[0, 1], assumed=[0, 1], p=["1/100", "1/2", "99/100"]),
    false=[{"variance": "0.9"}, {"along": "0.9"}],
    role="repair",
    repairs="MIA-T6.7/three-values",
    restricted="to Bernoulli columns with means in $[1/10,9/10]$ and targets in $\\{0,1\\}^d$",
)
def misspecified_on_bits(
    n: Annotated[Any, "integer [20, inf)"],
    mu: Annotated[Any, "[1/10, 9/10]"],
    target: TargetBit,
    assumed: TargetBit,
    p: Inside,
    along=1,
    variance=1,
    rate=60,
):
    r"""With columns of bits, means in $[\frac1{10},\frac9{10}]$ and $z^\star,z^{\rm targ}\in\{0,1\}^d$ among the
    assumptions, and the best threshold: $n\log\mathbb E_1[e^{p\ell_n}]$ of a column, at $z^{\rm targ}$, is within
    $<rate>/n$ of $(<along>\,\zeta\zeta^{\rm targ}-\frac12(\zeta^{\rm targ})^2)p+<variance>\frac{p^2}2(\zeta^{\rm
    targ})^2$ for $p\in(0,1)$, as it is for $\mathcal N(m^{\rm scal}-\frac{m^{\rm targ}}2,m^{\rm targ})$.

    Exact transforms; without the target it is `MIA-T6.3/bits-out`.
    """
    spread = mu * (1 - mu)
    own, both = (assumed - mu) ** 2 / spread, (assumed - mu) * (target - mu) / spread
    limit = (along * both - own / 2) * p + variance * p * p / 2 * own
    return abs(n * column_transform(n, mu, target, p, assumed) - limit), "<=", to_ball(rate) / n


for name, mended in (("uneven-columns", "even-columns"), ("off-the-lattice", "on-the-lattice")):
    restate(f"MIA-T6.7/{mended}", "MIA-T6.7/two-values", role="repair", repairs=f"MIA-T6.7/{name}")

item(
    "MIA-S6.5.3",
    r"""The misspecified adversary will never be optimal; $\Delta(z^{\rm targ},z^\star)\ge0$, since $|m^{\rm
    scal}|\le\sqrt{m^{\rm targ}m^\star}$.""",
)


@claim("MIA-S6.5.3/never-optimal", fails_at(target=[2, 4], assumed=[1, 2], rational=True), strongest="enumeration")
def never_optimal(target: Vector, assumed: Vector):
    r"""'The misspecified adversary will never be optimal': $(m^{\rm scal})^2<m^{\rm targ}m^\star$ for $z^{\rm targ}\ne
    z^\star$ ($\mu=0$, $C_\sigma=I_d$, up to $1/n^2$).

    A target assumed on the ray from the mean to the true one gives the same family of tests.
    """
    along = sum(a * b for a, b in zip(target, assumed, strict=True))
    return along**2, "<", squared_length(target) * squared_length(assumed)


@claim(
    "MIA-S6.5.3/off-the-line",
    enumerated(
        [{"target": [a, b], "assumed": [c, 1]} for a, b, c in ((2, 1, 1), (0, 1, 3), (-1, 4, 1))], rational=True
    ),
    false={"factor": "1.2"},
    role="repair",
    repairs="MIA-S6.5.3/never-optimal",
)
def never_optimal_off_the_line(target: Vector, assumed: Vector, factor=1):
    r"""$<factor>\,(m^{\rm scal})^2<m^{\rm targ}m^\star$ where $z^{\rm targ}$ is not on the line from $\mu$ through
    $z^\star$."""
    along = sum(a * b for a, b in zip(target, assumed, strict=True))
    return factor * along**2, "<", squared_length(target) * squared_length(assumed)


@claim(
    "MIA-S6.5.3/similarity",
    enumerated(
        [{"target": [a, b], "assumed": [c, 1]} for a, b, c in product((-3, 0, 1, 2), (1, 2, 5), (-1, 1, 4))],
        rational=True,
    ),
    false={"factor": "0.99"},
)
def similarity_is_nonnegative(target: Vector, assumed: Vector, factor=1):
    r"""$(m^{\rm scal})^2\le<factor>\,m^{\rm targ}m^\star$, so that $\Delta(z^{\rm targ},z^\star)\ge0$."""
    along = sum(a * b for a, b in zip(target, assumed, strict=True))
    return along**2, "<=", factor * squared_length(target) * squared_length(assumed)


not_checkable(
    "MIA-F6.1",
    r"""Figure 6.1: the angle $\theta$ between $z^\star-\mu$ and $z^{\rm targ}-\mu$, corrected by $C_\sigma^{-1}$.""",
    "no statement",
    "a comparison that the figure is meant to show",
)
