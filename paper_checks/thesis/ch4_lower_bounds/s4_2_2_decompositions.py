r"""Section 4.2.2, page 85: policies in a coupled environment, and what View privacy makes of it (Theorem 4.9).

Every law is enumerated in rationals. Identities between divergences are decided exactly: a sum of rational multiples of
logarithms of rationals has one representation by logarithms of primes.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Annotated, Any

from banditproof.claims.register import claim
from banditproof.claims.sets import Count, EveryBandit, EveryCoupling, EveryPolicy, Natural, Nonnegative, Policy, Sides
from banditproof.claims.steps import enumerated, in_kernel
from banditproof.paper_checks.shared.lists import entry_of, sum_over
from banditproof.paper_checks.shared.pairs import (
    ONE_MESSAGE,
    TWO_ARMS,
    Environment,
    divergence_of_played_actions,
    divergence_of_played_pairs,
    expected_distance_of_rewards,
    expected_exposure,
    odds_of_views,
    play,
    rounds_played,
)
from banditproof.paper_checks.shared.policies import (
    PLAYS,
    Prime,
    at_primes,
    in_the_logarithm,
    on_plays,
    play_in_the_logarithm,
    play_terms,
)
from banditproof.paper_checks.thesis.facts.best_arm import privacy_odds, pulls_of
from banditproof.paper_checks.thesis.facts.privacy import NAMES, instance_of
from banditproof.theory import absolute, log
from banditproof.theory.numbers.term import quantity
from banditproof.verify import view_law
from banditproof.verify.finite.strategies import Name, output_divergence
from banditproof.verify.kernel.bandits import histories, of_each_arm
from banditproof.verify.kernel.couplings import (
    coupled_runs,
    couples_arms,
    here,
    history_is,
    history_with,
    there,
    variation_at_most,
)
from banditproof.verify.kernel.divergences import average, kl_at_most
from banditproof.verify.kernel.histories import sum_along
from banditproof.verify.kernel.meanings import function_of, when
from banditproof.verify.kernel.policies import actions_are_kept, every, lists, plays_arms, private_on
from banditproof.verify.kernel.rewards import actions_on_arms
from banditproof.verify.privacy.named_policies import PolicyName, policy_named
from banditproof.verify.theorems import couplings as coupling_proofs
from banditproof.verify.theorems import double_change as double_change_proofs

ViewPrivate = Annotated[Any, "all: every View DP policy"]
TwoBandits = Annotated[Any, "all: every pair of bandits"]
Instance = Annotated[Any, "all: every instance"]


@claim("TH-A4.CE/first", in_kernel(coupling_proofs.first_history))
def first_marginal(pi: EveryPolicy, nu: EveryBandit, C: EveryCoupling, T: Natural):
    r"""Under $p_{\gamma\pi}$, where the policy goes by the first rewards, the actions with the first rewards have the
    law of the histories of $\nu$: so the actions have the law $m_{\nu\pi}$."""
    runs = coupled_runs(pi, nu, C, T, here)
    return when(*history_with(here, 0), then=history_is(runs, here, histories(pi, nu, T)))


@claim("TH-A4.CE/second", in_kernel(coupling_proofs.second_history))
def second_marginal(pi: EveryPolicy, nu: EveryBandit, nu_prime: EveryBandit, C: EveryCoupling, T: Natural):
    r"""Under $q_{\gamma\pi}$, where the policy goes by the second rewards, the actions with the second rewards have the
    law of the histories of $\nu'$: so the actions have the law $m_{\nu'\pi}$."""
    runs = coupled_runs(pi, nu, C, T, there)
    known = *history_with(there, 1), couples_arms(C, nu, nu_prime)
    return when(*known, then=history_is(runs, there, histories(pi, nu_prime, T)))


# Where rewards are certain both sides are one number; there the messengers are left out and equality is exact.
RANDOM_REWARDS = [
    play
    for play in PLAYS
    if play["environment"] not in (TWO_ARMS[2], ONE_MESSAGE[0]) and play["policy"][0] != "constant"
]


@claim("TH-EQ4.7", on_plays(RANDOM_REWARDS))
def actions_tell_less(policy: Policy, environment: TwoBandits):
    r"""$D_{\rm KL}(\mathbb M_{\nu\pi}\|\mathbb M_{\nu'\pi})\le D_{\rm KL}(p_{\gamma\pi}\|q_{\gamma\pi})$."""
    return divergence_of_played_actions(policy, environment), "<=", divergence_of_played_pairs(policy, environment)


def view_terms(policy: PolicyName, environment: Environment) -> list[tuple[Fraction, Fraction]]:
    """What sums up to the mean of log(V_r(a) / V_r'(a)) in the coupled environment."""
    coupled, kernel = play(policy, environment), policy_named(policy)
    views = {rewards: view_law(kernel, rewards) for rewards in product(kernel.rewards, repeat=kernel.horizon)}
    return [(p, views[r][a] / views[s][a]) for (a, r, s), (p, _) in coupled.cells.items() if p]


@quantity
def views_in_the_logarithm(prime: int, policy: PolicyName, environment: Environment) -> Fraction:
    """The coefficient of log prime in that mean."""
    return in_the_logarithm(prime, view_terms(policy, environment))


@claim(
    "TH-EQ4.7/log-ratio-of-views",
    at_primes(lambda: PLAYS, play_terms, view_terms, routes=("definition of the divergence", "views on reward lists")),
    false={"factor": "1.01"},
)
def pairs_by_views(policy: Policy, environment: TwoBandits, prime: Prime, factor=1):
    r"""$D_{\rm KL}(p_{\gamma\pi}\|q_{\gamma\pi})=\mathbb E_{p_{\gamma\pi}}[\log(\mathcal V^\pi_{\mathbf r}(\mathbf
    a)/\mathcal V^\pi_{\mathbf r'}(\mathbf a))]$.

    Both are rational multiples of logarithms of primes, in one way only, and are compared in every prime.
    """
    by_views = views_in_the_logarithm(prime, policy, environment)
    return play_in_the_logarithm(prime, policy, environment), "==", factor * by_views


def view_bound(policy: Any, environment: Any, dropped: int = 0) -> Sides:
    """KL of the actions against the tightest epsilon times the exposure to all but the last rewards."""
    exposed = expected_exposure(policy, environment, rounds_played(policy) - dropped)
    return divergence_of_played_actions(policy, environment), "<=", log(odds_of_views(policy)) * exposed


BY_EXPOSURE = on_plays(PLAYS, "laws of the actions", "tightest epsilon times exposure")


@claim("TH-T4.9", in_kernel(double_change_proofs.kl_of_view_privacy))
def kl_decomposition_view(
    pi: EveryPolicy, nu: EveryBandit, nu_prime: EveryBandit, T: Count, K: Count, epsilon: Nonnegative
):
    r"""If $\pi$ is $\varepsilon$-View DP, then $D_{\rm KL}(\mathbb M_{\nu\pi}\|\mathbb
    M_{\nu'\pi})\le\varepsilon\,\mathbb E_{\nu\pi}[\sum_{t=1}^Tt_{a_t}]$, where $t_a=\mathrm{TV}(P_a\|P'_a)$ and the
    expectation is under the law of the actions, $m_{\nu\pi}$.

    At a pull of a the rewards differ with probability t_a, whatever happened before, and the sum is linear in these
    events.
    """
    first, second = (actions_on_arms(pi, bandit, T) for bandit in (nu, nu_prime))
    differ = of_each_arm(K, lambda a: variation_at_most(nu(a), nu_prime(a), function_of("tv", a)))
    spent = (*sum_along("spent", lambda a: function_of("tv", a), T, K),)
    exposure = average(lambda o: function_of("spent", T, o), first)
    bound = every(("tv", "spent"), (differ, *spent), kl_at_most(first, second, epsilon * exposure))
    return when(plays_arms(pi, K), *actions_are_kept(), private_on(lists(pi, T), epsilon), then=bound)


@claim("TH-T4.9/last-reward-unread", BY_EXPOSURE, role="remark")
def last_reward_unread(policy: ViewPrivate, environment: TwoBandits):
    r"""The sum may stop at $T-1$: no decision reads the last reward."""
    return view_bound(policy, environment, dropped=1)


@claim("TH-T4.9/step-expected-distance", on_plays(PLAYS), role="step")
def expected_distance(policy: Policy, environment: TwoBandits):
    r"""Proof: $\mathbb E_{p_{\gamma\pi}}[d_{\rm Ham}(\mathbf r,\mathbf r')]=\mathbb E_{\nu\pi}[\sum_tt_{a_t}]$."""
    case = policy, environment, rounds_played(policy)
    return expected_distance_of_rewards(*case), "==", expected_exposure(*case)


@claim("TH-R4.10", BY_EXPOSURE)
def factor_of_six(policy: ViewPrivate, environment: TwoBandits):
    r"""The earlier bound $6\varepsilon\,\mathbb E[\sum_tt_{a_t}]$ on the divergence holds with $1$ for 6, which
    improves all lower bounds by that factor (a part of its own)."""
    return view_bound(policy, environment)


def pairs_of_instances() -> list[dict[str, Any]]:
    """Random strategies on generic and on deterministic arms, and randomised response, which comes close."""
    one, half = Fraction(1), Fraction(1, 2)
    points = [
        {"strategy": name, "nu": nu, "lam": lam}
        for name in NAMES[:4]
        for nu, lam in (
            (instance_of(name), instance_of(name, 1)),
            ([one, 0 * one], [0 * one, one]),
            ([half, one / 3], [half, 2 * one / 3]),
        )
    ]
    points += [{"strategy": ["response", odds], "nu": [one, half], "lam": [0 * one, half]} for odds in (3, 9, 99)]
    return points


@quantity
def divergence_of_outputs(strategy: Name, nu: Sequence[Any], lam: Sequence[Any]) -> Any:
    """D_KL of what a strategy shows on two instances."""
    return output_divergence(strategy, nu, lam)


@claim(
    "TH-R4.11",
    enumerated(
        lambda check: pairs_of_instances(),
        rational=True,
        routes=("relative entropy of the output laws", "tightest epsilon, expected pulls and total variations"),
    ),
)
def stopping_time_decomposition(
    strategy: Annotated[Any, "all: every epsilon-View DP strategy"], nu: Instance, lam: Instance
):
    r"""$D_{\mathrm{KL}}(\mathbb M_{\nu,\pi}\|\mathbb M_{\lambda,\pi})\le\varepsilon\,\mathbb
    E_{\nu,\pi}[\sum_{t\le\tau}t_{a_t}]$, $t_a=\mathrm{TV}(\nu_a\|\lambda_a)$, the sum over the collected rewards.

    KL of the output laws is compared with epsilon times the sum of E[N_a] TV_a, where epsilon is the tightest of View
    DP. Randomised response on one reward attains epsilon tanh(epsilon / 2) of epsilon.
    """
    exposure = sum_over(nu, lambda a, mean: pulls_of(strategy, nu, a) * absolute(mean - entry_of(lam, a)))
    return divergence_of_outputs(strategy, nu, lam), "<=", log(privacy_odds(strategy)) * exposure
