"""Appendix C: the three lemmas behind the regret lower bound: the double change of environment, two neglected events.

In each lemma the policy disappears after one inequality. That inequality is compared with exact probabilities of finite
policies; the bound it leaves, a random walk or a binomial tail, is compared with the exact lattice sum.
"""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.bernoulli_dp.facts.divergence import *
from banditproof.paper_checks.shared.pairs import odds_of_views, rounds_played
from banditproof.verify import reward_lists, view_law
from banditproof.verify.privacy import coupled_environment as coupled
from banditproof.verify.privacy.named_policies import PolicyName, policy_named

HALF = Fraction(1, 2)
One = Annotated[Any, [1]]
TO_A_BETTER_ARM = [*CHAIN, "mu_1 < mu_2_alt"]


def price(policy: Any, alpha: Any, n_2: Any, mu_2: Any, mu_2_prime: Any, mu_2_alt: Any) -> Any:
    """e^((1 + alpha) n_2 (epsilon TV + kl)) for the smallest epsilon of the policy."""
    cost = (mu_2_prime - mu_2) * log(odds_of_views(policy)) + kl_bernoulli(mu_2_prime, mu_2_alt)
    return exp((1 + alpha) * n_2 * cost)


# The policy asks the second arm once, and stays or leaves: nearly all of the price of privacy is paid.
PROBE = points([("0", "99/100", "99/100", "199/200")], ["1/20"], [1])[0] | {"policy": ["probe", Fraction(9), 2, 2]}


@claim(
    "BDP-LC.1",
    on_policies([*points(), PROBE], "coupled environment, exactly", "price times the exact law in nu''"),
    where=TO_A_BETTER_ARM,
)
def double_change_of_environment(
    policy: Private, alpha: Positive, n_2: Pulls, mu_2: Mean, mu_2_prime: Mean, mu_1: Mean, mu_2_alt: Mean
):
    r"""$\mathbb P_{\gamma\pi}(\Omega\cap L\cap A)\le
    e^{(1+\alpha)n_2(\epsilon\mathrm{TV}(P_2,P_2')+\mathrm{kl}(\mu_2',\mu_2''))}\,\mathbb P_{\nu''\pi}(N_2(T)\le n_2)$,
    and the last factor is $O(T^a)/(T-n_2)$ for every $a>0$ when $\mu_2''>\mu_1$, $n_2<T$.

    Group privacy changes the rewards r into r' at a factor e^epsilon for each of the at most (1 + alpha) n_2 TV
    differences. Then r is summed out, and on A the likelihood ratio changes the law of r' from nu' to nu''. Markov's
    inequality and consistency bound the remaining probability.
    """
    left = few_in_l_and_a(policy, alpha, n_2, mu_2, mu_2_prime, mu_1, mu_2_alt)
    factor = price(policy, alpha, n_2, mu_2, mu_2_prime, mu_2_alt)
    return left, "<=", factor * few_in_a_bandit(policy, n_2, mu_2_alt, mu_1)


OF_FOUR_ROUNDS: dict[str, Any] = {**points()[0], "n_2": 5}


@claim(
    "BDP-LC.1/reading-more-pulls-than-rounds",
    fails_at(rational=True, **OF_FOUR_ROUNDS),
    where=TO_A_BETTER_ARM,
    role="reading",
)
def more_pulls_than_rounds(
    policy: Private, alpha: Positive, n_2: Pulls, mu_2: Mean, mu_2_prime: Mean, mu_1: Mean, mu_2_alt: Mean, C=10**6
):
    r"""'For some $n_2$ to be fine-tuned later', read for every $n_2$: the probability is at most
    $e^{(1+\alpha)n_2(\epsilon\mathrm{TV}(P_2,P_2')+\mathrm{kl}(\mu_2',\mu_2''))}\frac{O(T^a)}{T-n_2}$.

    For n_2 > T the right side is negative, so n_2 < T is needed. (C T stands for O(T^a).)
    """
    left, horizon = few_in_l_and_a(policy, alpha, n_2, mu_2, mu_2_prime, mu_1, mu_2_alt), rounds_played(policy)
    factor = price(policy, alpha, n_2, mu_2, mu_2_prime, mu_2_alt)
    return left, "<=", factor * C * ratio(horizon, horizon - n_2)


@quantity
def largest_ratio_per_difference(policy: PolicyName, exp_epsilon: Any) -> Fraction:
    """The largest V_r(a) / ((e^epsilon)^d_Ham(r, r') V_r'(a)) over all lists of rewards and actions."""
    kernel, worst = policy_named(policy), Fraction(0)
    laws = {rewards: view_law(kernel, rewards) for rewards in reward_lists(kernel)}
    for r, law in laws.items():
        for s, other in laws.items():
            factor = Fraction(exp_epsilon) ** sum(x != y for x, y in zip(r, s, strict=True))
            worst = max(worst, *(law[a] / (factor * other[a]) for a in law))
    return worst


@claim(
    "BDP-LC.1/step-a-group-privacy",
    on_policies(points(INNER[:1], ["1"], [1]), "laws on all pairs of reward lists", "group privacy"),
    role="step",
)
def group_privacy(policy: Private):
    r"""Step (a): $\mathcal V_{\mathbf r}(\mathbf a)\le (e^\epsilon)^{\mathrm{dham}(\mathbf r,\mathbf r')}\,\mathcal
    V_{\mathbf r'}(\mathbf a)$ for every $\epsilon$-global DP policy.

    The left side is the largest ratio V_r(a) / V_r'(a), per differing reward, over all reward lists and actions.
    """
    return largest_ratio_per_difference(policy, odds_of_views(policy)), "<=", 1


ONCE = points()[0] | {"policy": ["constant", Fraction(0), 1, 2], "n_2": 1}  # the second arm, once
AT_COUNTS = points(slacks=["1"], counts=[0, 1, 2, 3])
CONSTANT = [point | {"policy": ["constant", Fraction(99, 100), 4, 2]} for point in AT_COUNTS[:4]]


@claim("BDP-LC.1/step-markov", on_policies(AT_COUNTS + CONSTANT), where=["mu_1 < mu_2_alt"], role="step")
def markov_for_the_better_arm(policy: Private, n_2: Pulls, mu_1: Mean, mu_2_alt: Mean):
    r"""Last step: $\mathbb P_{\nu''\pi}(N_2(T)\le n_2)\le\mathbb E_{\nu''\pi}[N_1(T)]/(T-n_2)$ for $n_2<T$."""
    horizon = rounds_played(policy)
    bound = ratio(horizon - mean_pulls_in_a_bandit(policy, mu_2_alt, mu_1), horizon - n_2)
    return few_in_a_bandit(policy, n_2, mu_2_alt, mu_1), "<=", bound


NO_POLICY = "all: no policy occurs in the bound"


@quantity
def chance_of_crossing(n_2: Any, alpha: Any, mu_2_prime: Any, mu_2_alt: Any) -> Any:
    """The probability that a sum of W_s crosses (1 + alpha) n_2 kl within n_2 steps."""
    return coupled.walk_crosses(n_2, alpha, mu_2_prime, mu_2_alt)


def walk_stays_below(mu_2_prime: Any, mu_2_alt: Any, alpha: Any, n_2: Any) -> Sides:
    """The exact probability that the walk crosses (1 + alpha) n_2 kl against exp(-2 alpha^2 n_2 kl^2 / R^2)."""
    bound = coupled.walk_bound(n_2, alpha, mu_2_prime, mu_2_alt)
    return chance_of_crossing(n_2, alpha, mu_2_prime, mu_2_alt), "<=", bound


WALKS = {
    "mu_2_prime": ["1/10", "1/2"],
    "mu_2_alt": ["1/2", "4/5", "99/100"],
    "alpha": ["1/10", "1/2", "2"],
    "n_2": [1, 5, 20, "41/2"],
} | {"mu_2": ["1/10"], "mu_1": ["1/2"], "policy": ["none"]}


@claim(
    "BDP-LC.3/step-one-crossing",
    enumerated(
        WALKS,
        of=walk_stays_below,
        covers={"policy": NO_POLICY},
        rational=True,
        routes=("exact walk on the lattice", "Doob-Hoeffding bound"),
    ),
    on_policies([ONCE, *points()], "coupled environment, exactly", "random walk"),
    where=SETTING,
    role="step",
)
def likelihood_ratio_event(
    policy: Private, alpha: Positive, n_2: Pulls, mu_2: Mean, mu_2_prime: Mean, mu_1: Mean, mu_2_alt: Mean
):
    r"""Its proof: $\mathbb P_{\gamma\pi}(\Omega\cap L\cap A^c)\le\mathbb P(\max_{m\le n_2}\sum_{s\le
    m}W_s>(1+\alpha)\,n_2\,\mathrm{kl}(\mu_2',\mu_2''))$.

    By the inequalities of Doob and Hoeffding the right side vanishes as n_2 grows.
    """
    left = few_in_l_outside_a(policy, alpha, n_2, mu_2, mu_2_prime, mu_1, mu_2_alt)
    return left, "<=", chance_of_crossing(n_2, alpha, mu_2_prime, mu_2_alt)


@claim("BDP-LC.3/step-positive-mean", deduced(), where=["mu_2_prime < mu_2_alt"], role="step")
def positive_mean(mu_2_prime: BelowOne, mu_2_alt: Inside):
    r"""In its proof, $W_s$ has the positive mean $\mathrm{kl}(\mu_2',\mu_2'')$, where $\mu_2'\le\mu_1<\mu_2''$ as arm 1
    is not optimal in $\nu''$: $\partial_t\mathrm{kl}(\mu_2',t)=(t-\mu_2')/(t(1-t))>0$ at $t=\mu_2''<1$ and at all $t$
    between.

    The claim is about the derivative of kl(mu_2', t) at t = mu_2'', times t (1 - t). kl is 0 at t = mu_2', so it is
    positive beyond.
    """
    return mu_2_alt - mu_2_prime, ">", 0 * mu_2_alt


@claim(
    "BDP-LC.3/step-bounded",
    fails_at(mu_2_prime=HALF, mu_2_alt=1),
    where=["mu_2_prime <= mu_2_alt"],
    role="step",
    slip="The proof of Theorem 3.1 lets mu_2'' decrease to mu_1 < 1, so the case mu_2'' = 1 is not needed.",
    called={r"$\mu_2'$": "mu_2_prime", r"$\mu_2''$": "mu_2_alt", r"$\mathrm{kl}(\mu_2',\mu_2'')$": "left"},
)
def bounded_steps(mu_2_prime: Mean, mu_2_alt: Mean):
    r"""In its proof, $W_s=\log\frac{dP_2'}{dP_2''}(r'_{2,s})$ is bounded for all $\mu_2'\le\mu_1\le\mu_2''$ of the
    setting, so that its mean $\mathrm{kl}(\mu_2',\mu_2'')$ is finite.

    At mu_2'' = 1 the reward 0 has an infinite likelihood ratio, and it is possible if mu_2' < 1. For mu_2'' < 1 the
    step holds.
    """
    return kl_bernoulli(mu_2_prime, mu_2_alt), "<", float("inf")


EQUAL_MEANS = [("1/10", "1/2", "1/2", "1/2"), ("0", "0", "0", "0"), ("1/2", "1", "1", "1")]


@claim(
    "BDP-LC.3/edge-equal-environments",
    on_policies(points(EQUAL_MEANS, seeds=2)),
    where=[*SETTING, "mu_2_prime == mu_2_alt"],
)
def equal_environments(
    policy: Private, alpha: Positive, n_2: Pulls, mu_2: Mean, mu_2_prime: Mean, mu_1: Mean, mu_2_alt: Mean
):
    r"""At $\mu_2'=\mu_1=\mu_2''$ the event $A^c$ is empty (its inequality reads $0>0$): its probability is $0$.

    Checked as: $\Omega\cap A$ has the probability of $\Omega$.
    """
    within = few_in_a(policy, alpha, n_2, mu_2, mu_2_prime, mu_1, mu_2_alt)
    return within, "==", few_in_a_bandit(policy, n_2, mu_2, mu_1)


@claim(
    "BDP-LC.3/edge-alternative-mean-one",
    on_policies(points([("1/10", "1/2", "1/2", "1"), ("0", "0", "1/2", "1")], seeds=2)),
    of="BDP-LC.3/edge-equal-environments",
    where=[*SETTING, "mu_2_prime < mu_2_alt"],
)
def alternative_mean_one(mu_2_alt: One):
    r"""At $\mu_2''=1>\mu_2'$ the event $A^c$ is empty ($\mathrm{kl}=\infty$): its probability is $0$.

    Checked as: $\Omega\cap A$ has the probability of $\Omega$.
    """


@quantity
def chance_of_more_ones(n_2: Any, chance: Any, level: Any) -> Any:
    """P(Bin(n_2, chance) > level)."""
    return coupled.binomial_tail(n_2, chance, level)


def differences_are_few(mu_2: Any, mu_2_prime: Any, alpha: Any, n_2: Any) -> Sides:
    """The exact tail P(Bin(n_2, TV) > (1 + alpha) n_2 TV) against Chernoff's bound."""
    variation = mu_2_prime - mu_2
    tail = chance_of_more_ones(n_2, variation, (1 + alpha) * n_2 * variation)
    return tail, "<=", coupled.binomial_bound(n_2, alpha, variation)


DIFFERENCES = {
    "mu_2": ["0", "1/10", "2/5"],
    "mu_2_prime": ["2/5", "9/10", "1"],
    "alpha": ["1/100", "1/4", "2"],
    "n_2": [1, 6, 30, "121/4"],
} | {"mu_1": ["1"], "policy": ["none"]}


@claim(
    "BDP-LC.5/step-one-tail",
    enumerated(
        DIFFERENCES,
        of=differences_are_few,
        covers={"policy": NO_POLICY},
        rational=True,
        routes=("exact binomial tail", "Chernoff bound"),
    ),
    on_policies([ONCE, *points()], "coupled environment, exactly", "binomial tail"),
    where=CHAIN,
    role="step",
)
def hamming_distance_event(policy: Private, alpha: Positive, n_2: Pulls, mu_2: Mean, mu_2_prime: Mean, mu_1: Mean):
    r"""Its proof: $\mathbb P_{\gamma\pi}(\Omega\cap L^c)\le\mathbb
    P(\mathrm{Bin}(n_2,\mathrm{TV})>(1+\alpha)\,n_2\,\mathrm{TV})$ with $\mathrm{TV}=\mu_2'-\mu_2$.

    The differences are independent and non-negative, so the largest partial sum is the full sum.
    """
    left, variation = few_outside_l(policy, alpha, n_2, mu_2, mu_2_prime, mu_1), mu_2_prime - mu_2
    return left, "<=", chance_of_more_ones(n_2, variation, (1 + alpha) * n_2 * variation)
