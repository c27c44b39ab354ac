"""How often a policy plays an arm, under the law of its actions: the mean, the regret, and the event of few plays.

Source: TH-S4.1b, TH-S.B1
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.bandits import only_good_arm
from banditproof.verify.kernel.divergences import average
from banditproof.verify.kernel.document_words import word
from banditproof.verify.kernel.histories import plays_along
from banditproof.verify.kernel.meanings import chance, function_of, sum_of, when
from banditproof.verify.kernel.policies import every, plays_arms, said_is_kept
from banditproof.verify.kernel.rewards import actions_on_arms
from banditproof.verify.kernel.terms import Formula, Term

Means = Callable[[Any], Any]


@word
def actions(pi: Any, N: Any, means: Means, T: Any) -> Term:
    """The law of the actions on the bandit whose arms have the laws N of these means."""
    return actions_on_arms(pi, lambda a: N(means(a)), T)


@word
def first_is_good(gap: Any) -> Means:
    """The means (gap, 0, ..., 0)."""
    return only_good_arm(gap, 0)


@word
def one_is_better(gap: Any, arm: Any) -> Means:
    """The same, and 2 gap for this arm."""
    return lambda a: only_good_arm(gap, 0)(a) + only_good_arm(2 * gap, arm)(a)


def one_mean_is(new: Any, arm: Any, means: Means) -> Means:
    """The same means but for this arm, which has a new one."""
    changed = only_good_arm(1, arm)
    return lambda a: means(a) + changed(a) * (new - means(a))


@word
def of_plays(pi: Any, T: Any, K: Any, *premises: Formula, then: Formula) -> Formula:
    """Of a policy for K arms, what is said of how often it plays them in T rounds."""
    return when(plays_arms(pi, K), said_is_kept(), *premises, then=every(("plays",), plays_along(T, K), then))


@word
def regret_of_counts(law: Term, best: Any, means: Means, T: Any, K: Any) -> Term:
    """The sum of (best - mean) E N_a(T) over the arms."""

    def in_the_mean(arm: Any) -> Term:
        return average(lambda o: function_of("plays", arm, T, o), law)

    return sum_of(lambda b: (best - means(b)) * in_the_mean(b), K, "b")


@word
def few_plays(law: Term, arm: Any, T: Any) -> Term:
    """The probability that N_arm(T) <= T/2."""
    return chance(lambda o: (2 * function_of("plays", arm, T, o), T), law)
