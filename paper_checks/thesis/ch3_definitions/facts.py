"""Policies on which the definitions of Chapter 3 are compared with one another."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from banditproof.claims.language import *
from banditproof.paper_checks.shared.policies import OFF_PATH, READ_OFF, delta_under, kernel, shapes
from banditproof.paper_checks.thesis.facts.privacy import WORD, with_ratios
from banditproof.verify import FiniteKernel, largest_ratio, random_law
from banditproof.verify.finite.kernels import Reward
from banditproof.verify.privacy.separation import (
    matched_answer_kernel,
    off_path_kernel,
    prefix_code_kernel,
    read_off_kernel,
    secret_word_kernel,
)

MATCHED = "third reward must match the second arm"


MOST_SEQUENCES = 16  # of actions: all inputs of a policy with so many are visited
CODE = "last arm leaks if the last reward numbers the first arms"
NAMED: dict[str, Callable[[int, int], FiniteKernel]] = {
    MATCHED: lambda T, K: matched_answer_kernel(),
    OFF_PATH: lambda T, K: off_path_kernel(Fraction(1, 10)),
    READ_OFF: lambda T, K: read_off_kernel(T),
    CODE: lambda T, K: prefix_code_kernel(T, K, Fraction(1, 3)),
    WORD: lambda T, K: secret_word_kernel(T, K, Fraction(1, 3)),
}


def of_size(T: int, K: int, policy: Any) -> FiniteKernel:
    """A random or a named policy. Raises InvalidInput where it has another size, and for sizes that take long."""
    if not 0 < T <= 4 or not 0 < K**T <= MOST_SEQUENCES:
        raise InvalidInput("T", T, f"at most 4 rounds and {MOST_SEQUENCES} sequences of actions")
    pi = NAMED[policy](T, K) if policy in NAMED else kernel(T, K, policy)
    if (pi.horizon, pi.arms) != (T, K):
        raise InvalidInput("policy", policy, f"one of {T} rounds and {K} arms")
    return pi


@quantity
def least_delta_on_lists(T: int, K: int, policy: Any, ratio: Fraction) -> Fraction:
    """The smallest delta of View DP at e^epsilon = ratio."""
    return delta_under("view", of_size(T, K, policy), ratio)


@quantity
def least_delta_on_tables(T: int, K: int, policy: Any, ratio: Fraction) -> Fraction:
    """The smallest delta of Table DP."""
    return delta_under("table", of_size(T, K, policy), ratio)


@quantity
def least_delta_on_trees(T: int, K: int, policy: Any, ratio: Fraction) -> Fraction:
    """The smallest delta of DP under adaptive continual release."""
    return delta_under("acr", of_size(T, K, policy), ratio)


@quantity
def least_delta_of_interactions(T: int, K: int, policy: Any, ratio: Fraction) -> Fraction:
    """The smallest delta of Interactive DP."""
    return delta_under("interactive", of_size(T, K, policy), ratio)


@quantity
def least_delta_of_post_processed(T: int, K: int, policy: Any, ratio: Fraction) -> Fraction:
    """The smallest delta of Table DP for all post-processed policies pi^B."""
    return delta_under("post-processed", of_size(T, K, policy), ratio)


@quantity
def least_odds_on_lists(T: int, K: int, policy: Any) -> Any:
    """The smallest e^epsilon of pure View DP."""
    return largest_ratio(of_size(T, K, policy), "view").ratio


@quantity
def least_odds_on_tables(T: int, K: int, policy: Any) -> Any:
    """The smallest e^epsilon of pure Table DP."""
    return largest_ratio(of_size(T, K, policy), "table").ratio


@quantity
def least_odds_on_trees(T: int, K: int, policy: Any) -> Any:
    """The smallest e^epsilon of pure DP under adaptive continual release."""
    return largest_ratio(of_size(T, K, policy), "acr").ratio


@quantity
def least_odds_of_interactions(T: int, K: int, policy: Any) -> Any:
    """The smallest e^epsilon of pure Interactive DP."""
    return largest_ratio(of_size(T, K, policy), "interactive").ratio


def random_with_ratios(check: Check) -> list[dict[str, Any]]:
    """Random policies, each at several values of e^epsilon."""
    return with_ratios(shapes(check))


def coins(policy: int, arms: int) -> tuple[dict[Reward, Fraction], ...]:
    """Random Bernoulli arms."""
    return tuple(dict(enumerate(random_law(policy, ("coin", arm), 2))) for arm in range(arms))
