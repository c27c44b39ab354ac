"""Appendix B.1, page 176: the proof of the lower bound on the regret, and the event that it uses."""

from typing import Any

from banditproof.claims.language import *
from banditproof.paper_checks.thesis.facts.changed_arm import *
from banditproof.paper_checks.thesis.facts.counted_plays import one_mean_is, regret_of_counts
from banditproof.paper_checks.thesis.facts.environments import Bandits
from banditproof.verify.kernel.bandits import of_each_arm
from banditproof.verify.kernel.document_words import word
from banditproof.verify.kernel.rules import le
from banditproof.verify.kernel.terms import Formula, Term


@word
def no_mean_is_larger(means: Any, best: Any, K: Any) -> Formula:
    return of_each_arm(K, lambda a: le(means(a), best))


@word
def both_regrets(laws: tuple[Term, Term], means: Any, arm: Any, best: Any, new: Any, T: Any, K: Any) -> Term:
    """Reg_T with these means, and Reg'_T with another mean of one arm, which is the best one then."""
    return regret_of_counts(laws[0], best, means, T, K) + regret_of_counts(
        laws[1], new, one_mean_is(new, arm, means), T, K
    )


def by_event(policy: Any, bandits: Any, inside: Any, outside: Any) -> Sides:
    """The sum of regrets against the chances of an event in the first bandit and of its complement in the second."""
    lost = inside * gap_of_the_changed_arm(policy, bandits) + outside * lead_of_the_changed_arm(policy, bandits)
    return sum_of_regrets(policy, bandits), ">=", horizon_of(policy, bandits) * lost / 2


@claim(
    "TH-S.B1/printed-event",
    fails_at(policy=["only", 2, 1, 3], bandits=THREE_ARMS[1], rational=True),
    role="step",
    called={
        "a policy that always pulls arm 2, and two bandits": "policy, bandits",
        "the right side of (B.2)": "right",
        "the sum of both regrets": "left",
    },
)
def event_as_printed(policy: Policy, bandits: Bandits):
    r"""First line of (B.2) with the printed event $A=\{N_1(T)\le T/2\}$: $\mathrm{Reg}_T+\mathrm{Reg}'_T\ge\frac
    T2(M_{\nu\pi}(A)\Delta_a+M_{\nu'\pi}(A^c)(\mu'_a-\mu^*))$.

    A policy that always pulls a nearly optimal arm 2 never pulls arm 1, so A is certain, but in each round the policy
    loses much less than the gap of the changed arm a = 3. The line holds with A = {N_a(T) > T/2}.
    """
    of_both = policy, bandits
    return by_event(*of_both, chance_of_few_first(*of_both), chance_of_many_first(*of_both))
