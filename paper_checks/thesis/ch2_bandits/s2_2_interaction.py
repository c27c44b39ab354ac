"""Sections 2.2.1 to 2.2.3, page 22: how policy and environment interact, regret, and strategies that stop.

Policies are random rational kernels and reward laws random rational laws on a few values, so that every law of
histories is finite. Each protocol is played as its pseudo code reads and compared with the product formula.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.thesis.facts.bandits import expected
from banditproof.paper_checks.thesis.facts.privacy import NAMES, instance_of
from banditproof.verify.finite.strategies import expected_pulls, output_law, strategy_named

Strategy = Annotated[Any, "all: every strategy for best-arm identification"]


def on_strategies(left: str, right: str) -> enumerated:
    names = [*NAMES, ["response", 9], ["compare", 1], ["compare", 2]]
    return enumerated(strategy=names, rational=True, routes=(left, right))


def is_law(row: Sequence[Fraction], size: int) -> bool:
    return len(row) == size and min(row) >= 0 and sum(row) == 1


@claim("TH-D2.17", on_strategies("rows that are laws", "number of histories"), false={"extra": 1})
def strategies_are_kernels(strategy: Strategy, extra=0):
    r"""A strategy gives, after every history, a law on $[K]\cup\{\top\}$ and a law on $[K]$.

    The left side counts the histories after which both rows are laws; no law of recommendations is needed where the
    strategy certainly continues.
    """
    rule = strategy_named(strategy)
    pairs = list(product(range(rule.arms), (0, 1)))
    histories = [h for length in range(rule.horizon + 1) for h in product(pairs, repeat=length)]
    told = [h for h in histories if h or rule.step(())[-1]]
    good = sum(is_law(rule.step(h), rule.arms + 1) and is_law(rule.recommendation(h), rule.arms) for h in told)
    return good, "==", len(told) + extra


@quantity
def expected_first_stop(strategy: Any) -> Fraction:
    """E of the first step with a_n = top, on the instance of a strategy."""
    return Fraction(expected(output_law(strategy, instance_of(strategy)), lambda output: output[2] + 1))


@quantity
def expected_rewards(strategy: Any) -> Fraction:
    """E of the number of collected rewards on that instance, the pulls of all arms."""
    return sum(expected_pulls(strategy, instance_of(strategy)), Fraction(0))


@claim("TH-D2.18", on_strategies("first stop action", "pulls of all arms"))
def stopping_convention(strategy: Strategy):
    r"""$\tau_\delta$, the first step with $a_n=\top$, exceeds the number of collected rewards, which (3.4) and (3.5)
    put out as $T$, by 1."""
    return expected_first_stop(strategy), "==", expected_rewards(strategy) + 1
