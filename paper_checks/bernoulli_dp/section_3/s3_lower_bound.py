"""Section 3: the regret lower bound (Theorem 3.1), its comparison with the earlier bound (7), its general form (9).

The edges of the theorem are taken one by one. An asymptotic bound on all policies is supported through its
finite-horizon form, an inequality with explicit terms for every policy and horizon, and through the rates at which
these terms vanish.
"""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.bernoulli_dp.facts.divergence import EVERY_POLICY, Mean, Private, ends
from banditproof.paper_checks.bernoulli_dp.facts.probation import regret_from
from banditproof.paper_checks.shared.lists import largest_of, sum_over
from banditproof.theory import d_epsilon, d_epsilon_minimiser, privacy_threshold
from banditproof.verify.privacy import coupled_environment as coupled
from banditproof.verify.privacy.named_policies import policy_named, view_ratio

Point = dict[str, Any]
Instance = tuple[Fraction, Fraction, Fraction]  # mu_star, mu_a, epsilon
One = Annotated[Any, [1]]
Two = Annotated[Any, [2]]
OTHER_MEANS = "all: the means of the other arms, in [0, mu_star]"
OtherMeans = Annotated[Any, OTHER_MEANS]
INSTANCES = Domain.of(
    where=["mu_a <= mu_star"],
    policy=EVERY_POLICY,
    arms="integer [1, inf)",
    mu_star="[0, 1]",
    mu_a="[0, 1]",
    other_means=OTHER_MEANS,
    epsilon="(0, inf)",
)

item(
    "BDP-T3.1",
    r"""Every epsilon-global DP policy that is consistent over the class of Bernoulli bandits satisfies
    $\liminf_T\mathrm{Reg}_T(\pi,\nu)/\log T\ge\sum_{\Delta_a>0}\Delta_a/d_\epsilon(\mu_a,\mu^\star)$ ($\mu_a$: any
    suboptimal arm; no condition on $\mu^\star$ is printed).""",
    domain=INSTANCES,
)


ON_PROBATION = (
    "a private policy that leaves an arm only if it fails more often than noise explains, on arms with means 1, 1/2"
)
PROBATION = "that the policy is private and consistent and has this regret, which facts/probation.py derives"


@claim(
    "BDP-T3.1/edge-optimal-mean-one",
    fails_at(policy="probation", arms=2, mu_star=1, mu_a=Fraction(1, 2), other_means="none", epsilon=1),
    where=["mu_a < mu_star"],
    assuming=PROBATION,
    called={
        ON_PROBATION: "policy, arms, mu_star, mu_a, other_means",
        r"an upper bound on $\mathrm{Reg}_T/\log T$ for every $T\ge e^{10000}$": "regret_from(root, gap, epsilon)",
        "the printed lower bound": "gap / d_epsilon(mu_a, mu_star, epsilon)",
    },
)
def optimal_mean_one(
    policy: Private, arms: Two, mu_star: One, mu_a: Mean, other_means: OtherMeans, epsilon: Positive, root=100
):
    r"""At $\mu^\star=1$ (5) claims $\liminf_T\mathrm{Reg}_T(\pi,\nu)/\log
    T\ge\sum_{\Delta_a>0}\Delta_a/d_\epsilon(\mu_a,1)$, which is $1/\epsilon$ for each arm with $\mu_a<1$, for every
    $\epsilon$-global DP policy that is consistent over Bernoulli bandits.

    No Bernoulli arm has a mean above 1, so once an arm has not failed for long, nothing forces a policy to explore.
    Such a policy can be private and consistent and have regret $o(\log T)$ at $\mu^\star=1$. The theorem holds for mu*
    < 1; at mu* = 1 the lower bound is 0. Here other_means is none because there are only two arms.

    The policy (`probation.ProbationPolicy`) knows the horizon T. First it pulls each arm sqrt(log T) times. Then it
    pulls the arm with fewer noisy failures (log T)^2 times more. If that arm then has at most 2 log(T)/epsilon noisy
    failures, the policy pulls it to the end; otherwise it explores both arms (log T)^2 times each and keeps the better
    one. Each reward enters one sum with Laplace noise of scale 1/epsilon, so the policy is epsilon-DP. By Chernoff
    bounds its regret is O((log T)^2) at every instance, so it is consistent; at means 1 and 1/2 its regret is o(log T).

    The left side is an upper bound on Reg_T / log T for every T >= e^10000, hence also on the lower limit. It is
    computed in ball arithmetic from the explicit terms of `probation_regret`, which derives them; each term is
    certified to decrease from that horizon on.
    """
    gap = mu_star - mu_a
    return regret_from(root, gap, epsilon) - gap / d_epsilon(mu_a, mu_star, epsilon), ">=", 0


@claim(
    "BDP-T3.1/optimal-mean-one-over-better-alternatives",
    enumerated(mu_a=["0", "1/2", "99/100"], epsilon=["1/100", "1", "50"]),
    repairs="BDP-T3.1/edge-optimal-mean-one",
    assuming=PROBATION,
)
def optimal_mean_one_over_better_alternatives(
    mu_a: Annotated[Any, "[0, 99/100]"], epsilon: Annotated[Any, "[1/100, 50]"]
):
    r"""At $\mu^\star=1$ the lower bound is 0: for $T\ge e^{10^{12}}$, $\frac1{100}\le\epsilon\le50$ and
    $\mu_a\le\frac{99}{100}$ a policy has $\mathrm{Reg}_T/\log T\le\frac1{1000\,\epsilon}$.

    The policy is that of `BDP-T3.1/edge-optimal-mean-one`; at larger T its regret is a smaller fraction of log T. No
    alternative has a larger mean, so the infimum over alternatives is infinite and no regret of order $\log T$ is
    forced. Theorem 4.3, which assumes $\mu^\star<1$, agrees with this.
    """
    return regret_from(10**6, 1 - mu_a, epsilon), "<=", 1 / (1000 * epsilon)


def few_pulls_are_unlikely(
    policy: Any, mu_star: Any, mu_a: Any, mu_prime: Any, mu_alt: Any, alpha: Any, n_2: Any, factor: Any
) -> Sides:
    """P_nu(N_a(T) <= factor n_2) against the three terms of the proof at n_2, all exact."""
    horizon, ratio = policy_named(policy).horizon, view_ratio(policy)
    price = coupled.transport_cost(mu_a, mu_prime, mu_alt, log(to_ball(ratio)))
    others = horizon - coupled.expected_pulls(coupled.pulls_law(policy, mu_star, mu_alt))
    variation = mu_prime - mu_a
    changed = exp(to_ball((1 + alpha) * n_2) * price) * to_ball(Fraction(others) / (horizon - n_2))
    crossed = coupled.walk_crosses(n_2, alpha, mu_prime, mu_alt)
    differing = to_ball(coupled.binomial_tail(n_2, variation, (1 + alpha) * n_2 * variation))
    few = coupled.few_pulls(coupled.pulls_law(policy, mu_star, mu_a), factor * n_2)
    return few, "<=", changed + crossed + differing


def finite_points(means: list[tuple[str, ...]], arms: int, ratios: tuple[str, ...] = ("3/2", "9")) -> list[Point]:
    """Finite policies, slacks and counts in environments (mu_star, mu_a, mu', mu'') with `arms` arms."""
    policies: list[list[Any]] = [["random", seed, 4, arms] for seed in range(3)]
    policies += [["response", Fraction(ratio), 4, arms] for ratio in ratios]
    policies += [["constant", Fraction(chance), 4, arms] for chance in ("1/100", "1/5")]
    names = ("mu_star", "mu_a", "mu_prime", "mu_alt")
    environments = [dict(zip(names, map(Fraction, chain), strict=True)) for chain in means]
    return [
        {"policy": policy, "arms": arms, "alpha": Fraction(alpha), "n_2": Fraction(n_2), **environment}
        for policy in policies
        for environment in environments
        for alpha in ("1/4", "3", "19")
        for n_2 in ("1/2", "1", "2")
    ]


def neglected(log_horizon: int, alpha: Fraction, instance: Instance, factor: Any) -> Any:
    """log of the bound on P_nu(N_a <= factor n_2), over log T: n_2 of step 4, a = alpha^2/2, E_nu''[T - N_a] = T^a."""
    _, mu_a, _ = instance
    mu_alt, mu_prime, price = change_of_environment(instance, Fraction(1, 100))
    count = to_ball(factor * (1 - alpha) * log_horizon) / price
    exponent = to_ball(1 + alpha) * count * price + to_ball((alpha**2 / 2 - 1) * log_horizon)
    share = count * exp(to_ball(-log_horizon))  # n_2 / T
    tails = coupled.walk_bound(count, alpha, mu_prime, mu_alt) + coupled.binomial_bound(count, alpha, mu_prime - mu_a)
    return log(exp(exponent) / (1 - share) + tails) / log_horizon


def change_of_environment(instance: Instance, step: Fraction) -> tuple[Fraction, Fraction, Any]:
    """mu'' a fraction `step` of the way from mu_star to 1, a good mu' in [mu_a, mu_star], the price of both changes."""
    mu_star, mu_a, epsilon = instance
    mu_alt = mu_star + (1 - mu_star) * step
    best = d_epsilon_minimiser(float(mu_a), float(mu_alt), float(epsilon))
    mu_prime = min(max(Fraction(float(best)).limit_denominator(10**6), mu_a), mu_star)
    return mu_alt, mu_prime, coupled.transport_cost(mu_a, mu_prime, mu_alt, epsilon)


def share_of_the_bound(k: int, instance: Instance) -> Any:
    """(1 - alpha) / price over 1 / d_epsilon(mu_a, mu_star), with alpha = 2^-k and mu'' at 4^-k of the way to 1."""
    mu_star, mu_a, epsilon = map(to_ball, instance)
    _, _, price = change_of_environment(instance, Fraction(1, 4**k))
    return to_ball(1 - Fraction(1, 2**k)) * d_epsilon(mu_a, mu_star, epsilon) / price


def finite_form_and_rates(check: Check, over: list[Point], instances: list[tuple[str, str, str]]) -> None:
    """The finite-horizon form on listed policies at their exact budgets; then, for each instance, the neglected
    probability is a negative power of T and the guarantee tends to the printed bound."""
    covers = check.domain.restrict(
        policy=f"all: {len(over)} listed combinations with finite policies",
        epsilon="all: the exact budgets of these policies",
    )
    routes = ("law of the history", "terms of the proof")
    if not check.enumerate(few_pulls_are_unlikely, over, covers=covers, rational=True, routes=routes):
        return
    factor, slack = check.constants["factor"], Fraction(1, 10)
    for chosen in instances:
        instance = mu_star, mu_a, epsilon = Fraction(chosen[0]), Fraction(chosen[1]), Fraction(chosen[2])
        covers = check.domain.restrict(
            policy="all: no policy occurs in the bounds", mu_star=[mu_star], mu_a=[mu_a], epsilon=[epsilon]
        )
        rates = [(10 * 4**j, neglected(10 * 4**j, slack, instance, factor)) for j in range(15)]
        source = f"power of T at {', '.join(chosen)}, slack 1/10"
        check.trend("stays_below", ends(rates), source, covers, bound=-Fraction(1, 10**9))
        shares = [(k, share_of_the_bound(k, instance)) for k in range(1, 12)]
        routes = ("guaranteed pulls / log T", "1 / d_epsilon")
        source = f"guarantee at {', '.join(chosen)}"
        check.trend("tends_to", ends(shares), source, covers, routes, limit=1, tolerance=Fraction(1, 100))


@claim(
    "BDP-T3.1/finite-horizon",
    domain=INSTANCES.restrict(mu_star="[0, 1)"),
    constants={"factor": 1},
    false={"factor": "1.1"},
    role="implication",
)
def at_finite_horizons(check: Check) -> None:
    r"""The printed proof, $\mu^\star<1$: for all $T$, $\alpha>0$, $n_2<T$, $\mu_a\le\mu'\le\mu^\star<\mu''<1$: $\mathbb
    P_\nu(N_a(T)\le n_2)\le e^{(1+\alpha)n_2(\epsilon(\mu'-\mu_a)+\mathrm{kl}(\mu',\mu''))}\frac{\mathbb
    E_{\nu''}[T-N_a(T)]}{T-n_2}$ + two tails, and these terms vanish at the rates that the theorem needs."""
    two = [("1/2", "1/10", "1/2", "4/5"), ("3/5", "2/5", "2/5", "9/10")]
    more = [("9/10", "1/2", "4/5", "99/100"), ("1/2", "0", "1/2", "4/5"), ("1/2", "0", "0", "3/5")]
    ratios = ("1001/1000", str(10**434))  # e^epsilon close to 1 and to e^1000
    far = [point for point in finite_points(two, arms=2, ratios=ratios) if point["policy"][0] == "response"]
    instances = [("3/4", "7/10", "1/4"), ("4/5", "1/10", "1"), ("1/10", "1/20", "4"), ("1/100", "0", "1/10")]
    instances += [("1/2", "1/10", "1/1000"), ("1/2", "1/10", "1000")]
    over = [*finite_points(two + more, arms=2), *finite_points(two, arms=3), *far]
    finite_form_and_rates(check, over, instances)


SUBOPTIMAL = Domain.of(mu_a="[0, 1)", mu_star="(0, 1]", epsilon="(0, inf)", where=["mu_a < mu_star"])
item(
    "BDP-S3.2",
    r"""Theorem 3.1 is a strict improvement of (7), since
    $d_\epsilon\le\min\{\mathrm{kl},\epsilon\Delta_a\}\le\min\{\mathrm{kl},6\epsilon\Delta_a\}$ for any
    $\epsilon,\mu_a,\mu^\star$.""",
    domain=SUBOPTIMAL,
    covered="""The first inequality has two parts, one for kl and one for the cost; the second inequality is 1 <=
    6, and on the diagonal all three are 0. Strictness means that no instance is worse and that for every epsilon
    some instance has d_epsilon below both members of the minimum.""",
)


@claim(
    "BDP-S3.2/strict", fails_at(means=[Fraction(3, 4), *[Fraction(7, 10)] * 4], epsilon=Fraction(1, 2)), role="reading"
)
def improved_arms(
    means: Annotated[Any, "all: every Bernoulli bandit with a suboptimal arm"], epsilon: Positive, factor=6
):
    r"""'A strict improvement on the lower bound of Azize and Basu (2022)' read as: (5) is strictly larger than (7) for
    every Bernoulli bandit with a suboptimal arm and every $\epsilon$.

    The paper does not say for which bandits, and its reason consists of two weak inequalities. If every suboptimal arm
    is in the low privacy regime and has kl <= 6 epsilon Delta, both bounds are equal. The first of the four instances
    of the experiments at epsilon = 1/2 is an example. The sentence holds if it means 'nowhere smaller, and for every
    epsilon larger somewhere'.

    The left side counts the arms with d_epsilon < min{kl, factor epsilon Delta}; the claim is that there is at least
    one. If epsilon >= epsilon_0 and kl <= factor epsilon Delta, both quantities are kl, hence equal (BDP-EQ8); if
    epsilon < epsilon_0, then d_epsilon < kl. Where balls do not decide which case applies, the count is not decided.
    """
    best = largest_of(means)

    def improves(_: Any, mean: Any) -> Any:
        budget = factor * epsilon * (best - mean)
        private = where(d_epsilon(mean, best, epsilon), "<", budget, 1, 0)
        free = where(kl_bernoulli(mean, best), ">", budget, 1, 0)
        return where(mean, "<", best, where(epsilon, "<", privacy_threshold(mean, best), private, free), 0)

    return sum_over(means, improves), ">", 0


item(
    "BDP-S3.6", r"The double change always has smaller transport than a pure change by KL or by TV.", domain=SUBOPTIMAL
)
