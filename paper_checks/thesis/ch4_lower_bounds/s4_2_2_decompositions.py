r"""Section 4.2.2, page 85: policies in a coupled environment, and what View privacy makes of it (Theorem 4.9).

Every law is enumerated in rationals. Identities between divergences are decided exactly: a sum of rational multiples of
logarithms of rationals has one representation by logarithms of primes.
"""

from fractions import Fraction
from itertools import product
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.shared.pairs import *
from banditproof.paper_checks.shared.policies import *
from banditproof.verify import view_law
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
