"""Named policies and pairs of bandits on which decompositions of divergences are enumerated."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from banditproof.theory.numbers.term import quantity
from banditproof.verify.finite.coupled_play import CoupledPlay, coupled_play
from banditproof.verify.finite.kernels import Actions, RewardList
from banditproof.verify.privacy.named_policies import PolicyName, interactive_rho, policy_named, view_ratio

Environment = Sequence[Any]  # means of the arms, and of the arms of the other bandit


@cache
def _play(name: tuple[Any, ...], means: tuple[Fraction, ...], others: tuple[Fraction, ...]) -> CoupledPlay:
    return coupled_play(policy_named(name), means, others)


def play(name: PolicyName, environment: Environment) -> CoupledPlay:
    """The policy in the coupled environment of two Bernoulli bandits."""
    means, others = (tuple(map(Fraction, side)) for side in environment)
    return _play(tuple(name), means, others)


@quantity
def divergence_of_played_actions(policy: PolicyName, environment: Environment) -> Any:
    """D_KL of the laws of the actions in two bandits."""
    return play(policy, environment).kl_of_actions()


@quantity
def divergence_of_played_pairs(policy: PolicyName, environment: Environment) -> Any:
    """D_KL of the laws p and q of the coupled environment."""
    return play(policy, environment).kl_of_pairs()


@quantity
def rounds_played(policy: PolicyName) -> int:
    """T."""
    return policy_named(policy).horizon


@quantity
def expected_exposure(policy: PolicyName, environment: Environment, rounds: int) -> Fraction:
    """E[sum t_{a_t}] over so many rounds, where t_a is the total variation of the laws of arm a."""
    return Fraction(play(policy, environment).exposure_moment(1, rounds))


@quantity
def expected_distance_of_rewards(policy: PolicyName, environment: Environment, rounds: int) -> Fraction:
    """E[d_Ham(r, r')] over so many rounds of the coupled environment."""
    return Fraction(play(policy, environment).distance_moment(1, rounds))


@quantity
def expected_square_of_exposure(policy: PolicyName, environment: Environment, rounds: int) -> Fraction:
    """E[A^2], where A is the sum of t_{a_t} over so many rounds."""
    return Fraction(play(policy, environment).exposure_moment(2, rounds))


@quantity
def expected_variance_of_rewards(policy: PolicyName, environment: Environment, rounds: int) -> Fraction:
    """E[V], where V is the sum of t_{a_t} (1 - t_{a_t}) over so many rounds."""
    return Fraction(play(policy, environment).exposure_variance(rounds))


@quantity
def expected_square_of_distance(policy: PolicyName, environment: Environment, rounds: int) -> Fraction:
    """E[d_Ham(r, r')^2] over so many rounds of the coupled environment."""
    return Fraction(play(policy, environment).distance_moment(2, rounds))


@quantity
def expected_product_with_exposure(policy: PolicyName, environment: Environment) -> Fraction:
    """E[(d_Ham(r, r') - A) A] over all rounds, where A is the sum of t_{a_t}."""
    coupled = play(policy, environment)

    def value(actions: Actions, rewards: RewardList, others: RewardList) -> Fraction:
        exposed = sum((coupled.variations[arm] for arm in actions), Fraction(0))
        return (sum(x != y for x, y in zip(rewards, others, strict=True)) - exposed) * exposed

    return Fraction(coupled.expect(value))


@quantity
def zcdp_budget(policy: PolicyName) -> Fraction:
    """A rho for which a policy is rho-Interactive zCDP, the upper end of an enclosure of the smallest."""
    return interactive_rho(policy)


@quantity
def odds_of_views(policy: PolicyName) -> Any:
    """e^epsilon of the smallest epsilon for which a policy is epsilon-View DP."""
    return view_ratio(policy)


def fractions(*numbers: str) -> list[Fraction]:
    return [Fraction(number) for number in numbers]


TWO_ARMS: list[list[list[Fraction]]] = [
    [fractions("1/2", "1/3"), fractions("1/4", "2/3")],
    [fractions("9/10", "1/2"), fractions("1/10", "1/2")],
    [fractions("1", "0"), fractions("0", "1")],
    [fractions("1/100", "1"), fractions("0", "1/2")],
]
RANDOM: list[list[Any]] = [["random", seed, 3, 2] for seed in range(5)] + [["random", seed, 2, 2] for seed in range(3)]
RESPONSES: list[list[Any]] = [["response", Fraction(3), 3, 2], ["response", Fraction(99), 3, 2]]
UNMOVED: list[list[Any]] = [["constant", Fraction(1, 3), 3, 2], ["random", 0, 1, 2]]
ONE_MESSAGE: list[list[list[Fraction]]] = [
    [fractions("1", "0", "0"), fractions("0", "0", "0")],
    [fractions("99/100", "1/2", "1/2"), fractions("0", "1/2", "1/2")],
]
MESSENGERS: list[list[Any]] = [["messenger", Fraction(3)], ["messenger", Fraction(99)]]


def exposure(p: str) -> list[list[Fraction]]:
    """Arm 0 pays with probability p, arm 1 always, in the first bandit; nothing pays in the other."""
    return [fractions(p, "1", "0", "0", "0"), fractions("0", "0", "0", "0", "0")]


def combinations(policies: Sequence[PolicyName], environments: Sequence[Any]) -> list[dict[str, Any]]:
    return [{"policy": list(policy), "environment": e} for policy in policies for e in environments]
