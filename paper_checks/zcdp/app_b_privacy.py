"""Appendix B: Table and View privacy, post-processed policies, and adversaries with fixed queries."""

from typing import Any

from banditproof.claims.language import *
from banditproof.paper_checks.shared.policies import EVERY_POLICY, kernel, table_mechanism_of_post_processed
from banditproof.verify import reward_tables, table_law
from banditproof.verify.kernel.divergences import kl_at_most, sum_of_kl_at_most
from banditproof.verify.kernel.document_words import word
from banditproof.verify.kernel.histories import histories_along
from banditproof.verify.kernel.meanings import function_of
from banditproof.verify.kernel.policies import actions, every
from banditproof.verify.privacy.interactive import identity_queries, interactive_law

item(
    "ZCDP-PF2",
    r"(a) the adversary $B^{\rm id}_t(o_1..o_t)=o_t$ sees the Table mechanism; (b) the view of a deterministic $B$ is "
    r"the mechanism $\mathcal M^{\pi^B}$.",
    domain=EVERY_POLICY,
)


@claim(
    "ZCDP-PF2/identity",
    enumerated(
        [{"T": T, "K": K, "policy": s} for T, K in ((1, 2), (2, 2), (2, 3), (3, 2)) for s in range(4)],
        rational=True,
        routes=("protocol, step by step", "product formula"),
    ),
    false={"lag": 1},
)
def identity_sees_the_table_mechanism(T: Count, K: Count, policy: Policy, lag=0):
    r"""$\mathrm{View}_{B^{\rm id},\pi,d}=\mathcal M^\pi_d$.

    The left side counts the sequences whose probability differs between the view of the identity adversary and the
    table mechanism.
    """
    pi = kernel(T, K, policy)
    tables = list(reward_tables(pi))
    table = tables[(5 * policy + 1) % len(tables)]
    ask = (lambda actions: actions[0]) if lag else identity_queries
    view, mechanism = interactive_law(pi, ask, table), table_law(pi, table)
    return sum(view[a] != mechanism[a] for a in view), "==", 0


@claim(
    "ZCDP-PF2/view-by-eq-m",
    tried_at([{"T": 2, "K": 2, "policy": seed} for seed in range(8)], rational=True),
    twins=["TH-R3.6"],
)
def view_by_the_printed_mechanism(T: Count, K: Count, policy: Policy):
    r"""(b) The view of a deterministic adversary $B$ is $\mathcal M^{\pi^B}_d$, with $\mathcal M$ as Section III-C
    defines
    it, which pays $\pi^B$ the rewards of the arms that it plays: the number of sequences of actions whose probability
    differs is 0.

    The interaction pays the reward of the queried arm $q_t$, the mechanism that of the recommended arm $o_t$. With
    $x_{t,q_t}$ in the mechanism of $\pi^B$ they agree; Proposition 2(b) itself holds.

    The number `policy` selects a random policy, with its own adversary and table.
    """
    return table_mechanism_of_post_processed(T, K, policy)


@word
def asked(rewards: str) -> Any:
    """What the constant adversary answers: the reward of a list, as that of the arm of the sequence."""
    return lambda i, o, a: (function_of("letter", i), function_of(rewards, i))


@word
def along_one_sequence(pi: Any, T: Any, given: Any, then: Any) -> Any:
    """Of all arms and two lists of rewards: `then` of the two views and of the decisions along them, from `given`."""
    views = actions(pi, T, asked("rewards")), actions(pi, T, asked("others"))
    decisions = [lambda t, name=name: pi(t, function_of(name, t)) for name in ("past", "rival")]
    along = *histories_along("past", "rewards", T), *histories_along("rival", "others", T)
    names = "letter", "rewards", "others", "past", "rival"
    return every(names, (*along, given(views, decisions)), then(views, decisions))


@word
def kl_of_views(T: Any, most: Any) -> Any:
    return lambda views, decisions: kl_at_most(views[0], views[1], most)


@word
def kl_of_decisions(T: Any, most: Any) -> Any:
    return lambda views, decisions: sum_of_kl_at_most(decisions[0], decisions[1], T, most)
