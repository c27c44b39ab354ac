r"""Section 3: maximal couplings (Definition 3.2) and the steps of the proof of the regret lower bound (Section 3.5).

The proof couples an instance with one in which a suboptimal arm is better. Probabilities in the coupled environment are
enumerated exactly for finite policies; steps in which no policy occurs are proved for all means.
"""

from fractions import Fraction
from typing import Any

from banditproof.claims.language import *
from banditproof.paper_checks.bernoulli_dp.facts.divergence import *


@claim("BDP-D3.2/no-bernoulli-coupling-is-better", deduced())
def no_bernoulli_coupling_is_better(p: Probability, kept: Probability, gained: Probability):
    r"""For $p\ge q$ every coupling of two Bernoulli laws of these means has $\Pr[X\ne Y]\ge(p-q)$: with $\Pr[Y=1\mid
    X=1]$ (kept) and $\Pr[Y=1\mid X=0]$ (gained) the mean of $Y$ is $q=p\cdot kept+(1-p)\,gained$. The bound is attained
    where nothing is gained, that is $X\ge Y$.

    For p < q the inequality is trivial as it stands; exchanging X and Y gives the same statement for that case.
    """
    q = p * kept + (1 - p) * gained
    return p * (1 - kept) + (1 - p) * gained, ">=", p - q


def regret_at_most(mu_1: Any, mu_2: Any, epsilon: Any, log_horizon: Any, probation: int = 2) -> Any:
    """The bound of BDP-T3.1/hypotheses on the regret of a policy with a probation of (log T)^probation pulls."""
    gap, pulls = mu_1 - mu_2, log_horizon**probation
    q, s = 1 - (1 - mu_2) * (1 - exp(-epsilon / 2)), minimum(epsilon / 2, gap)
    passes = exp(2 * log_horizon + pulls * log(q)) * 4 / 3
    mistaken = exp(log_horizon - pulls * s * gap * 3 / 4) * 16 / 9
    return gap * (sqrt(log_horizon) + 1 + 2 * (pulls + 1) + passes + mistaken)


def the_probation_is_long_enough(gap: AboveZero, share: Probability, epsilon: Positive, start=4) -> Sides:
    """start / (s gap) >= 2 / (1 - q), times s gap (1 - q); loss = 1 - mu_2 is between the gap and 1."""
    loss = gap + share * (1 - gap)
    return 2 * minimum(epsilon / 2, gap) * gap, "<=", start * loss * (1 - exp(-epsilon / 2))


def passing_is_unlikely(chance: Inside, more: Nonnegative, probation=2) -> Sides:
    """log(T^2 q^m) at log T = 2 / (1 - q) + more, chance = 1 - q."""
    log_horizon = 2 / chance + more
    return 2 * log_horizon + log_horizon**probation * log(1 - chance), "<=", 0


def a_mistake_is_unlikely(product: AboveZero, more: Nonnegative, probation=2, start=4) -> Sides:
    """log(T e^(-3 m s gap / 4)) at log T = start / (s gap) + more, product = s gap."""
    log_horizon = start / product + more
    return log_horizon - log_horizon**probation * product * 3 / 4, "<=", 0


def ten_squares_are_enough(gap: AboveZero, log_horizon: AtLeastOne, probation=2) -> Sides:
    """The bound on the regret with 1 for both exponentials."""
    likely = Fraction(4, 3) + Fraction(16, 9)
    return gap * (sqrt(log_horizon) + 1 + 2 * (log_horizon**probation + 1) + likely), "<=", 10 * log_horizon**2


def a_fourth_power_is_larger(p: Positive, more: Nonnegative, enough=500) -> Sides:
    """Ten thousand squares at log T = 1 + enough / p^2 + more."""
    log_horizon = 1 + enough / p**2 + more
    return 10_000 * log_horizon**2, "<=", (p * log_horizon) ** 4 / 24


def the_exponential_is_larger(exponent: Nonnegative) -> Sides:
    """One term of its series."""
    return exponent**4 / 24, "<=", exp(exponent)


@claim(
    "BDP-T3.1/hypotheses",
    enumerated(
        mu_1=["1/2", "9/10", "1"],
        mu_2=["0", "49/100"],
        epsilon=["1/10000", "1", "10"],
        p=["1/1000", "1/2", "1"],
        times=[1, 10],
        routes=("bound of the regret of one policy, in balls", "a thousandth of T^p"),
    ),
    argued(
        "from the stated horizon on both exponentials are at most 1, so that the regret is at most 10 (log T)^2, and "
        "this is at most (p log T)^4 / 24000",
        the_probation_is_long_enough,
        passing_is_unlikely,
        a_mistake_is_unlikely,
        ten_squares_are_enough,
        a_fourth_power_is_larger,
        the_exponential_is_larger,
    ),
    false=[{"probation": 1}, {"start": 1}, {"enough": 1}],
    where=["mu_2 < mu_1"],
    role="hypotheses",
    assuming="""that the policy is private and has a regret of the four terms that facts/probation.py
    derives""",
)
def some_policy_is_private_and_consistent(
    mu_1: AboveZero, mu_2: BelowOne, epsilon: Positive, p: Positive, times: AtLeastOne, probation=2, start=4, enough=500
):
    r"""Some policy is $\epsilon$-global DP and consistent over Bernoulli bandits with two arms: one with a trial of
    $\sqrt{\log T}$ pulls of each arm, then a probation of one arm and an exploration of both of $m=(\log T)^{2}$ pulls
    each, has $\mathrm{Reg}_T\le\Delta(\sqrt{\log T}+1+2(m+1)+\frac43T^2q^m+\frac{16}9Te^{-\frac34ms\Delta})\le
    T^p/1000$ for all $p>0$ and $\log T\ge1+\frac4{s\Delta}+\frac{500}{p^2}$, with
    $q=1-(1-\mu_2)(1-e^{-\epsilon/2})$, $s=\min(\frac\epsilon2,\Delta)$.

    log T is `times` times this bound. From there on both exponentials are at most 1: 1 - q >= s gap / 2, so (log T)^2
    log(1/q) >= 2 log T. The regret is then at most 10 (log T)^2, and T^p >= (p log T)^4 / 24.

    After the probation, the worse arm is kept with probability at most 4/3 T q^m (Chernoff at epsilon/2; the noise
    contributes the 4/3). After the exploration, it is kept with probability at most 16/9 e^(-m (s gap - s^2/4))
    (Hoeffding's lemma). Either event costs at most T gap.
    """
    s = minimum(epsilon / 2, mu_1 - mu_2)
    log_horizon = times * (1 + start / (s * (mu_1 - mu_2)) + enough / p**2)
    regret = regret_at_most(mu_1, mu_2, epsilon, log_horizon, probation)
    return regret, "<=", exp(p * log_horizon) / 1000


item(
    "BDP-S3.5",
    "The proof of the regret lower bound: every step holds for the quantifiers and ranges it is printed with.",
    domain=Domain.of(
        policy=EVERY_POLICY,
        alpha="(0, inf)",
        n_2="[0, inf)",
        **dict.fromkeys(("mu_2", "mu_2_prime", "mu_1", "mu_2_alt"), "[0, 1]"),
        where=SETTING,
    ),
)


@claim(
    "BDP-S3.5/step-1-coupled-environment",
    on_policies(
        points(slacks=["1"], counts=[0, 1, 2, 3, 4]), "coupled environment, step by step", "law of the history"
    ),
    where=CHAIN,
)
def coupled_run_keeps_the_actions(policy: Private, n_2: Pulls, mu_2: Mean, mu_2_prime: Mean, mu_1: Mean):
    r"""Step 1: $p_{\gamma\pi}$ is a law, and it gives the actions the law they have in $\nu$.

    Checked as: $N_2(T)\le n_2$ has the same probability under both for every $n_2$, which is 1 at $n_2=T$.
    """
    return few_in_the_coupled_run(policy, n_2, mu_2, mu_2_prime, mu_1), "==", few_in_a_bandit(policy, n_2, mu_2, mu_1)


@claim("BDP-S3.5/step-2-total-variation", deduced(), where=["mu_2 <= mu_2_prime"])
def total_variation_of_ordered_means(mu_2: Mean, mu_2_prime: Mean):
    r"""Step 2: for $\mu_2\le\mu_2'$, $\mathrm{TV}(P_2,P_2')=(\mu_2'-\mu_2)$."""
    half = (abs(mu_2_prime - mu_2) + abs((1 - mu_2_prime) - (1 - mu_2))) / 2
    return half, "==", mu_2_prime - mu_2


@claim(
    "BDP-S3.5/step-2-decomposition",
    on_policies(points(), "law of the history", "three events of the coupled environment"),
    where=SETTING,
)
def three_events(
    policy: Private, alpha: Positive, n_2: Pulls, mu_2: Mean, mu_2_prime: Mean, mu_1: Mean, mu_2_alt: Mean
):
    r"""Step 2, (10): $\mathbb P_{\nu\pi}(\Omega)=\mathbb P_{\gamma\pi}(\Omega\cap L\cap A)+\mathbb
    P_{\gamma\pi}(\Omega\cap L\cap A^c)+\mathbb P_{\gamma\pi}(\Omega\cap L^c)$."""
    setting = (policy, alpha, n_2, mu_2, mu_2_prime, mu_1, mu_2_alt)
    rarely = few_in_l_and_a(*setting) + few_in_l_outside_a(*setting)
    often = few_outside_l(policy, alpha, n_2, mu_2, mu_2_prime, mu_1)
    return few_in_a_bandit(policy, n_2, mu_2, mu_1), "==", rarely + often


@claim("BDP-S3.5/step-4-exponent", deduced(), false={"a_factor": "1.01"})
def exponent_is_negative(alpha: Positive, a_factor=Fraction(1, 2)):
    r"""Step 4: with $a=\frac12\,\alpha^2$ the exponent of $T$ in (11), $(1+\alpha)(1-\alpha)+a-1$, is negative for
    every $\alpha>0$."""
    return (1 + alpha) * (1 - alpha) + a_factor * alpha * alpha - 1, "<", 0 * alpha


@claim("BDP-S3.5/step-4-count-diverges", fails_at(alpha=1), role="reading")
def count_diverges(alpha: Positive, scale=1):
    r"""Step 4 applies the lemmas for any $\alpha>0$: $n_2(T)=(1-\alpha)\log
    T/(\epsilon\mathrm{TV}+\mathrm{kl})\to\infty$, as they require.

    'We get, for any alpha > 0'. The count times the price, divided by log T, must be positive. At alpha = 1 it is 0 for
    every horizon, and for alpha > 1 it is negative. For alpha < 1 the count diverges, and the proof lets alpha tend to
    0.
    """
    return 1 - scale * alpha, ">", 0


AT_COUNTS = points(slacks=["1"], counts=[1, 2, 3])
CONSTANT = [point | {"policy": ["constant", Fraction(1, 100), 4, 2]} for point in AT_COUNTS[:3]]


@claim("BDP-S3.5/step-4-markov", on_policies(AT_COUNTS + CONSTANT), where=["mu_2 <= mu_1"])
def markov(policy: Private, n_2: Pulls, mu_2: Mean, mu_1: Mean):
    r"""Step 4: $\mathbb E_{\nu\pi}[N_2(T)]\ge n_2\,\mathbb P_{\nu\pi}(N_2(T)>n_2)$."""
    return mean_pulls_in_a_bandit(policy, mu_2, mu_1), ">=", n_2 * (1 - few_in_a_bandit(policy, n_2, mu_2, mu_1))


@claim(
    "BDP-S3.5/step-4-limit-below-one",
    tried_at(mu_2_prime=[0, "1/2"], mu_1=["1/10", "3/4"], mu_2_alt=["3/20", "4/5"]),
    deduced(),
    false={"bound": "0.99"},
    where=["mu_2_prime < mu_1", "mu_1 < mu_2_alt"],
    repairs="BDP-S3.5/step-4-limit",
)
def limit_below_one(mu_2_prime: BelowOne, mu_1: Inside, mu_2_alt: Inside, bound=1):
    r"""For $0\le\mu_2'<\mu_1<\mu_2''<1$, $\mathrm{kl}(\mu_2',\mu_2'')-\mathrm{kl}(\mu_2',\mu_1)\le
    \log\frac{1-\mu_1}{1-\mu_2''}$, so that $\mathrm{kl}(\mu_2',\mu_2'')\to\mathrm{kl}(\mu_2',\mu_1)$ as
    $\mu_2''\downarrow\mu_1$.

    The difference is not negative either, since kl(mu_2', .) increases beyond mu_2'. Equality holds at mu_2' = 0.
    """
    difference = kl_bernoulli(mu_2_prime, mu_2_alt) - kl_bernoulli(mu_2_prime, mu_1)
    return difference, "<=", bound * log((1 - mu_1) / (1 - mu_2_alt))
