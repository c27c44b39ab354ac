"""Policies on which the definitions of Chapter 3 are compared with one another."""

from fractions import Fraction
from typing import Any

from banditproof.claims.check import Check
from banditproof.paper_checks.shared.policies import OFF_PATH, READ_OFF, shapes, some_policy
from banditproof.paper_checks.thesis.facts.privacy import with_ratios
from banditproof.verify import FiniteKernel, random_law
from banditproof.verify.finite.kernels import Reward
from banditproof.verify.privacy.separation import matched_answer_kernel

ORDERS = (Fraction(11, 10), Fraction(2), Fraction(7))
MATCHED = "third reward must match the second arm"


def policy_of(T: int, K: int, policy: Any) -> FiniteKernel:
    """A random or a named policy, or the one on which a tree tells more than queries do."""
    return matched_answer_kernel() if policy == MATCHED else some_policy(T, K, policy)


def random_with_ratios(check: Check) -> list[dict[str, Any]]:
    """Random policies, each at several values of e^epsilon."""
    return with_ratios(shapes(check))


def random_and_named(check: Check) -> list[dict[str, Any]]:
    """Random policies and the two named ones, each at several values of e^epsilon."""
    named = [{"T": 2, "K": 2, "policy": OFF_PATH}, {"T": 3, "K": 2, "policy": READ_OFF}]
    return with_ratios(shapes(check) + named)


def coins(policy: int, arms: int) -> tuple[dict[Reward, Fraction], ...]:
    """Random Bernoulli arms."""
    return tuple(dict(enumerate(random_law(policy, ("coin", arm), 2))) for arm in range(arms))
