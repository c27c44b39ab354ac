"""The regret lower bound (Theorem 3.1) of *Optimal Regret of Bernoulli Bandits under Global Differential Privacy*.

Its edges are taken one by one. An asymptotic bound on all policies is supported through its finite-horizon form, an
inequality with explicit terms for every policy and horizon, and through the rates at which these terms vanish.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.bernoulli_dp_coupling import EVERY_POLICY, Sides
from banditproof.paper_checks.bernoulli_dp_transport_lemmas import ends
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.coupled_environment import (
    binomial_bound,
    binomial_tail,
    expected_pulls,
    few_pulls,
    policy_named,
    privacy_ratio,
    pulls_law,
    transport_cost,
    walk_bound,
    walk_crosses,
)
from banditproof.paper_checks.probation_policy import regret_from
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.theory.bernoulli import d_epsilon, d_epsilon_minimiser, d_inf
from banditproof.theory.numeric import exp, log, to_ball
from banditproof.verify.domain import Domain

BOUND = r"$\liminf_T\mathrm{Reg}_T(\pi,\nu)/\log T\ge<factor>\sum_{\Delta_a>0}\Delta_a/d_\epsilon(\mu_a,\mu^\star)$"
Point = dict[str, Any]
Instance = tuple[Fraction, Fraction, Fraction]  # mu_star, mu_a, epsilon
INSTANCES = Domain.of(policy=EVERY_POLICY, arms="integer [1, inf)", mu_star="[0, 1]", mu_a="[0, 1]",
                      other_means="all: the means of the other arms, in [0, mu_star]", epsilon="(0, inf)",
                      where=["mu_a <= mu_star"])  # fmt: skip

parts_decide(
    "BDP-T3.1",
    "Every epsilon-global DP policy that is consistent over the class of Bernoulli bandits satisfies "
    + BOUND.replace("<factor>", "") + r" ($\mu_a$: any suboptimal arm; no condition on $\mu^\star$ is printed).",
    domain=INSTANCES,
)  # fmt: skip


def regret_of_the_probation_policy(mu_star: Any, mu_a: Any, epsilon: Any, root: Any) -> Sides:
    """An upper bound of Reg_T / log T for all T >= e^(root^2), hence of its lower limit, against the printed bound.

    Two arms with means mu_star = 1 and mu_a; the policy is `ProbationPolicy`, which is epsilon-global DP and consistent
    over [0, 1]^2. Its bound is worked out in `probation_regret`.
    """
    gap = mu_star - mu_a
    return regret_from(root, gap, epsilon), ">=", gap / d_epsilon(mu_a, mu_star, epsilon)


@claim(
    "BDP-T3.1/edge-optimal-mean-one",
    r"At $\mu^\star=1$: " + BOUND.replace("<factor>", "") + r", which is $1/\epsilon$ for each arm with $\mu_a<1$.",
    domain=INSTANCES.restrict(mu_star=[1]), role="edge", constants={"root": 100}, strongest="certificate",
)  # fmt: skip
def optimal_mean_one(check: Check) -> None:
    """d_epsilon(mu_a, 1) = epsilon (1 - mu_a) is finite. The bound would follow from alternatives in which another arm
    has a mean above 1; there are none. A policy may therefore stop exploring when an arm has not failed for long.

    The policy (`probation_policy.ProbationPolicy`, horizon T known): pull each arm sqrt(log T) times; pull the arm with
    fewer noisy failures (log T)^2 times more and, if at most 2 log(T)/epsilon noisy failures show, to the end;
    otherwise explore both arms (log T)^2 times and keep the better one. Each reward enters one sum with Laplace noise
    of scale 1/epsilon, so it is epsilon-DP; by Chernoff bounds its regret is O((log T)^2) at every instance, so it is
    consistent; at means 1 and 1/2 it is o(log T). The left side is an upper bound on Reg_T / log T for every
    T >= e^10000, evaluated in balls from the explicit terms of `probation_regret`, each certified to fall from there
    on; the derivation of these terms is given there.
    """
    two_arms = {"policy": "ProbationPolicy", "arms": 2, "other_means": "none"}
    means_and_budget = {"mu_star": Fraction(1), "mu_a": Fraction(1, 2), "epsilon": Fraction(1)}
    check.counterexample(regret_of_the_probation_policy, two_arms | means_and_budget)


def bound_over_better_alternatives(mu_a: Any, epsilon: Any, offset: Any) -> Sides:
    """No regret is negative; at mu_star = 1 no alternative is better, the infimum over them is infinite."""
    return 0 * mu_a, ">=", (1 - mu_a) / d_inf(mu_a, 1, epsilon) + offset


@claim(
    "BDP-T3.1/optimal-mean-one-over-better-alternatives",
    r"At $\mu^\star=1$ the bound with the infimum over alternatives of larger mean, $d_{\inf}$ of (9) in place of"
    r" $d_\epsilon$, is $<offset>$: no regret of order $\log T$ is forced.",
    domain=Domain.of(mu_a="[0, 1)", epsilon="(0, inf)"), role="repair", repairs="BDP-T3.1/edge-optimal-mean-one",
    constants={"offset": 0}, mutations=[mutation("1/100", offset="0.01")], strongest="enumeration",
)  # fmt: skip
def optimal_mean_one_over_better_alternatives(check: Check) -> None:
    check.enumerate(bound_over_better_alternatives, {"mu_a": ["0", "1/2", "99/100"], "epsilon": ["1/100", "1", "50"]},
                    routes=("regret is not negative", "infimum over an empty set"))  # fmt: skip


# ------------------------------------------------------------------------------------------- the finite-horizon form


def few_pulls_are_unlikely(policy: Any, mu_star: Any, mu_a: Any, mu_prime: Any, mu_alt: Any, alpha: Any, n_2: Any,
                           factor: Any) -> Sides:  # fmt: skip
    """P_nu(N_a(T) <= factor n_2) against the three terms of the proof at n_2, all exact."""
    horizon, ratio = policy_named(policy).horizon, privacy_ratio(policy)
    price = transport_cost(mu_a, mu_prime, mu_alt, log(to_ball(ratio)))
    others = horizon - expected_pulls(pulls_law(policy, mu_star, mu_alt))
    variation = mu_prime - mu_a
    terms = (exp(to_ball((1 + alpha) * n_2) * price) * to_ball(Fraction(others) / (horizon - n_2)),
             walk_crosses(n_2, alpha, mu_prime, mu_alt),
             to_ball(binomial_tail(n_2, variation, (1 + alpha) * n_2 * variation)))  # fmt: skip
    return few_pulls(pulls_law(policy, mu_star, mu_a), factor * n_2), "<=", sum(terms[1:], terms[0])


def finite_points(means: list[tuple[str, ...]], arms: int, ratios: tuple[str, ...] = ("3/2", "9")) -> list[Point]:
    """Finite policies, slacks and counts in environments (mu_star, mu_a, mu', mu'') with `arms` arms."""
    horizon = 4
    policies: list[list[Any]] = [["random", seed, horizon, arms] for seed in range(3)]
    policies += [["response", Fraction(ratio), horizon, arms] for ratio in ratios]
    policies += [["constant", Fraction(chance), horizon, arms] for chance in ("1/100", "1/5")]
    names = ("mu_star", "mu_a", "mu_prime", "mu_alt")
    environments = [dict(zip(names, map(Fraction, chain), strict=True)) for chain in means]
    return [{"policy": policy, "arms": arms, "alpha": Fraction(alpha), "n_2": Fraction(n_2), **environment}
            for policy in policies for environment in environments
            for alpha in ("1/4", "3", "19") for n_2 in ("1/2", "1", "2")]  # fmt: skip


def enumerate_finite(check: Check, over: list[Point]) -> bool:
    """The finite-horizon form on listed policies; the budget is the exact one of each policy."""
    names = {"policy": f"all: {len(over)} listed combinations with finite policies",
             "epsilon": "all: the exact budgets of these policies"}  # fmt: skip
    numbers = {n: sorted({point[n] for point in over}) for n in ("arms", "mu_star", "mu_a")}
    return check.enumerate(few_pulls_are_unlikely, over, covers=check.domain.restrict(**names, **numbers),
                           rational=True, routes=("law of the history", "terms of the proof"))  # fmt: skip


# -------------------------------------------------------------------------------------------------------- asymptotics


def neglected(log_horizon: int, alpha: Fraction, instance: Instance, factor: Any) -> Any:
    """log of the bound on P_nu(N_a <= factor n_2), over log T: n_2 of step 4, a = alpha^2/2, E_nu''[T - N_a] = T^a."""
    _, mu_a, _ = instance
    mu_alt, mu_prime, price = change_of_environment(instance, Fraction(1, 100))
    count = to_ball(factor * (1 - alpha) * log_horizon) / price
    exponent = to_ball(1 + alpha) * count * price + to_ball((alpha**2 / 2 - 1) * log_horizon)
    share = count * exp(to_ball(-log_horizon))  # n_2 / T
    total = (exp(exponent) / (1 - share) + walk_bound(count, alpha, mu_prime, mu_alt)
             + binomial_bound(count, alpha, mu_prime - mu_a))  # fmt: skip
    return log(total) / log_horizon


def change_of_environment(instance: Instance, step: Fraction) -> tuple[Fraction, Fraction, Any]:
    """mu'' a fraction `step` of the way from mu_star to 1, a good mu' in [mu_a, mu_star], the price of both changes."""
    mu_star, mu_a, epsilon = instance
    mu_alt = mu_star + (1 - mu_star) * step
    best = d_epsilon_minimiser(float(mu_a), float(mu_alt), float(epsilon))
    mu_prime = min(max(Fraction(float(best)).limit_denominator(10**6), mu_a), mu_star)
    return mu_alt, mu_prime, transport_cost(mu_a, mu_prime, mu_alt, epsilon)


def share_of_the_bound(k: int, instance: Instance) -> Any:
    """(1 - alpha) / price over 1 / d_epsilon(mu_a, mu_star), with alpha = 2^-k and mu'' at 4^-k of the way to 1."""
    mu_star, mu_a, epsilon = map(to_ball, instance)
    _, _, price = change_of_environment(instance, Fraction(1, 4**k))
    return to_ball(1 - Fraction(1, 2**k)) * d_epsilon(mu_a, mu_star, epsilon) / price


def asymptotic(check: Check, instances: list[tuple[str, str, str]]) -> None:
    """The neglected probability is a negative power of T, and the guarantee tends to the printed bound."""
    slack, factor = Fraction(1, 10), check.constants["factor"]
    for chosen in instances:
        mu_star, mu_a, epsilon = (Fraction(number) for number in chosen)
        instance = (mu_star, mu_a, epsilon)
        covers = check.domain.restrict(mu_star=[mu_star], mu_a=[mu_a], epsilon=[epsilon],
                                       policy="all: no policy occurs in the bounds")  # fmt: skip
        rates = [(10 * 4**j, neglected(10 * 4**j, slack, instance, factor)) for j in range(15)]
        shares = [(k, share_of_the_bound(k, instance)) for k in range(1, 12)]
        check.trend("stays_below", ends(rates), f"power of T at {', '.join(chosen)}, slack 1/10", covers,
                    ("terms of the proof at n_2", "a negative power of T"), bound=-Fraction(1, 10**9))  # fmt: skip
        check.trend("tends_to", ends(shares), f"guarantee at {', '.join(chosen)}", covers,
                    ("guaranteed pulls / log T", "1 / d_epsilon"), limit=1, tolerance=Fraction(1, 100))  # fmt: skip


@claim(
    "BDP-T3.1/repair-optimal-mean-below-one",
    r"If $\mu^\star<1$: " + BOUND + r"; for all $T$, $\alpha>0$, $n_2<T$, $\mu_a\le\mu'\le\mu^\star<\mu''<1$:"
    r" $\mathbb P_\nu(N_a(T)\le n_2)\le e^{(1+\alpha)n_2(\epsilon(\mu'-\mu_a)+\mathrm{kl}(\mu',\mu''))}"
    r"\frac{\mathbb E_{\nu''}[T-N_a(T)]}{T-n_2}$ + two tails.",
    domain=INSTANCES.restrict(mu_star="[0, 1)"), role="repair", repairs="BDP-T3.1", constants={"factor": 1},
    mutations=[mutation("a constant 10 % larger", factor="1.1")], strongest="enumeration",
)  # fmt: skip
def optimal_mean_below_one(check: Check) -> None:
    means = [("1/2", "1/10", "1/2", "4/5"), ("3/5", "2/5", "2/5", "9/10"), ("9/10", "1/2", "4/5", "99/100")]
    if enumerate_finite(check, finite_points(means, arms=2)):
        asymptotic(check, [("3/4", "7/10", "1/4"), ("3/4", "1/4", "1/4"), ("4/5", "1/10", "1"), ("1/10", "1/20", "4")])


@claim(
    "BDP-T3.1/edge-arm-mean-zero",
    r"At $\mu_a=0<\mu^\star<1$, where $d_\epsilon(0,\mu^\star)=-\log(1-\mu^\star+\mu^\star e^{-\epsilon})$: "
    + BOUND + ".",
    domain=INSTANCES.restrict(mu_star="(0, 1)", mu_a=[0]), role="edge", constants={"factor": 1},
    mutations=[mutation("a constant 10 % larger", factor="1.1")], strongest="enumeration",
)  # fmt: skip
def arm_mean_zero(check: Check) -> None:
    means = [("1/2", "0", "1/2", "4/5"), ("1/2", "0", "0", "3/5"), ("9/10", "0", "1/4", "99/100")]
    if enumerate_finite(check, finite_points(means, arms=2)):
        asymptotic(check, [("1/2", "0", "1"), ("1/100", "0", "1/10")])


@claim(
    "BDP-T3.1/edge-several-optimal-arms",
    r"With several optimal arms of mean $\mu^\star<1$: " + BOUND + ".",
    domain=INSTANCES.restrict(arms="integer [3, inf)", mu_star="[0, 1)"), role="edge", constants={"factor": 1},
    mutations=[mutation("a constant 10 % larger", factor="1.1")], strongest="enumeration",
)  # fmt: skip
def several_optimal_arms(check: Check) -> None:
    """In the second alternative every arm but a is suboptimal: E[T - N_a(T)] is small there, however many they are."""
    means = [("1/2", "1/10", "1/2", "4/5"), ("3/5", "2/5", "2/5", "9/10")]
    if enumerate_finite(check, finite_points(means, arms=3)):
        asymptotic(check, [("1/2", "1/10", "1/2")])


@claim(
    "BDP-T3.1/edge-small-and-large-budgets",
    r"At $\epsilon$ = 1/1000 and $\epsilon$ = 1000, $\mu^\star<1$: " + BOUND + ".",
    domain=INSTANCES.restrict(mu_star="[0, 1)", epsilon=["1/1000", 1000]), role="edge", constants={"factor": 1},
    mutations=[mutation("a constant 10 % larger", factor="1.1")], strongest="enumeration",
)  # fmt: skip
def small_and_large_budgets(check: Check) -> None:
    ratios = ("1001/1000", str(10**434))  # e^epsilon close to 1 and to e^1000
    over = finite_points([("1/2", "1/10", "1/2", "4/5"), ("3/5", "2/5", "2/5", "9/10")], arms=2, ratios=ratios)
    if enumerate_finite(check, [point for point in over if point["policy"][0] == "response"]):
        asymptotic(check, [("1/2", "1/10", "1/1000"), ("1/2", "1/10", "1000")])


def regret_of_equal_arms(mu: Any, right: Any) -> Sides:
    """The regret per pull of any arm when all means are mu, and the empty sum."""
    return mu - mu, ">=", right


@claim(
    "BDP-T3.1/edge-no-suboptimal-arm",
    r"If all means are equal, or $K=1$, the sum is empty; the regret is 0, at least $<right>$.",
    domain=Domain.of(mu="[0, 1]"), role="remark", constants={"right": 0}, mutations=[mutation("1/100", right="0.01")],
    strongest="interval",
)  # fmt: skip
def no_suboptimal_arm(check: Check) -> None:
    check.interval(regret_of_equal_arms, routes=("gap between equal means", "empty sum"))
