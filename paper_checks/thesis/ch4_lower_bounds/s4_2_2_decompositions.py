r"""Section 4.2.2, page 85: policies in a coupled environment, and what View privacy makes of it (Theorem 4.9).

Every law is enumerated in rationals. Identities between divergences are decided exactly: a sum of rational multiples of
logarithms of rationals has one representation by logarithms of primes.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Annotated, Any

from banditproof.claims.language import *
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
from banditproof.verify import view_law
from banditproof.verify.finite.strategies import Name, output_divergence
from banditproof.verify.privacy.named_policies import PolicyName, policy_named

ViewPrivate = Annotated[Any, "all: every View DP policy"]
TwoBandits = Annotated[Any, "all: every pair of bandits"]
Instance = Annotated[Any, "all: every instance"]


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


@claim("TH-T4.9/last-reward-unread", BY_EXPOSURE, role="remark")
def last_reward_unread(policy: ViewPrivate, environment: TwoBandits):
    r"""The sum may stop at $T-1$: no decision reads the last reward."""
    return view_bound(policy, environment, dropped=1)


@claim("TH-T4.9/step-expected-distance", on_plays(PLAYS), role="step")
def expected_distance(policy: Policy, environment: TwoBandits):
    r"""Proof: $\mathbb E_{p_{\gamma\pi}}[d_{\rm Ham}(\mathbf r,\mathbf r')]=\mathbb E_{\nu\pi}[\sum_tt_{a_t}]$."""
    case = policy, environment, rounds_played(policy)
    return expected_distance_of_rewards(*case), "==", expected_exposure(*case)


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
