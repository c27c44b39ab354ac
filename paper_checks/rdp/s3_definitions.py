"""Section 3: global RDP of a policy, and what it asks beside the definition of the zCDP paper."""

from fractions import Fraction
from typing import Any

from banditproof.claims.language import *
from banditproof.paper_checks.shared.composition import renyi_moment
from banditproof.verify import FiniteKernel, largest_divergence, random_kernel, replacements, reward_lists, view_law


def policy(T: int, K: int, number: int) -> FiniteKernel:
    """A random policy that gives every arm a chance, so that divergences are finite."""
    return random_kernel(number, T, K, (0, 1, 2) if number % 2 and T < 3 else (0, 1))


ROUNDING = Fraction(1, 10**25)


@quantity
def renyi_of_neighbouring_lists(T: int, K: int, policy_number: int, order: Any) -> Any:
    """The largest D_order of the laws of views on neighbouring lists of rewards, pair by pair; a whole order."""
    if order != int(order):
        raise InvalidInput("order", order, "an integer")
    pi = policy(T, K, policy_number)
    laws = {r: view_law(pi, r) for r in reward_lists(pi)}
    moments = [renyi_moment(laws[r], laws[s], int(order)) for r in laws for s in replacements(r, pi.rewards)]
    return log(to_ball(max(moments, default=Fraction(1)))) / (int(order) - 1)


@quantity
def renyi_prefix_by_prefix(T: int, K: int, policy_number: int, order: Any) -> Any:
    """The largest D_order over lists, from the rewards of one round after the other."""
    return largest_divergence(policy(T, K, policy_number), "view", Fraction(order))[0]


@claim(
    "RDP-D3/renyi",
    enumerated(
        lambda check: [
            {"T": T, "K": K, "policy_number": s, "order": a}
            for T, K in ((2, 2), (2, 3), (3, 2))
            for s in range(check.pick(3, 20))
            for a in (2, 5)
        ],
        rational=True,
        routes=("all pairs of lists", "prefix by prefix"),
    ),
    false={"factor": "1.01"},
)
def renyi_privacy_of_policies(T: Count, K: Count, policy_number: Policy, order: AboveOne, factor=1):
    r"""The largest $D_\alpha$ over neighbouring lists is that found prefix by prefix."""
    case = T, K, policy_number, order
    return absolute(renyi_of_neighbouring_lists(*case) - factor * renyi_prefix_by_prefix(*case)), "<=", ROUNDING


@quantity
def second_divergence_over_lists(T: int, K: int, policy_number: int) -> Any:
    """The largest D_2 over lists."""
    return largest_divergence(policy(T, K, policy_number), "view", Fraction(2))[0]


@quantity
def second_divergence_with_an_adversary(T: int, K: int, policy_number: int) -> Any:
    """The largest D_2 against an adversary who asks for arms of his own."""
    return largest_divergence(policy(T, K, policy_number), "interactive", Fraction(2))[0]


@claim(
    "RDP-D3/same-as-interactive",
    tried_at(T=2, K=2, policy_number=range(1, 40, 2), rational=True),
    role="reading",
    twins=["ZCDP-D4", "TH-D3.5"],
)
def one_notion_in_both_papers(T: Count, K: Count, policy_number: Policy):
    r"""Global RDP (Definition 3, lists of rewards) asks as much of every policy as the interactive privacy of the zCDP
    paper and the thesis, where an adversary asks for actions of his own: the largest $D_2$ against adversaries is at
    most that over lists.

    On an event of several sequences an adversary can combine lists; random policies with two steps show this.
    """
    case = T, K, policy_number
    return second_divergence_with_an_adversary(*case), "<=", second_divergence_over_lists(*case) + ROUNDING


@claim(
    "RDP-D3/weaker-than-interactive",
    enumerated(T=[2, 3], K=2, policy_number=pick(range(4), range(30)), rational=True),
    repairs="RDP-D3/same-as-interactive",
)
def view_is_the_weaker_notion(T: Count, K: Count, policy_number: Policy):
    r"""Interactive privacy is the stronger one: the largest $D_2$ over lists is at most that against adversaries."""
    case = T, K, policy_number
    return second_divergence_over_lists(*case), "<=", second_divergence_with_an_adversary(*case) + ROUNDING
