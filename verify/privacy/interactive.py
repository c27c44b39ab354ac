"""Interactive privacy: the protocol in which an adversary chooses the arm whose reward the policy hears.

A query adversary answers every action prefix a_1..a_t with an arm q_t. The policy is told q_t and the reward of q_t in
row t of a fixed table, and its actions, not the queries, are what is published.

Source: TH-A3.INT, TH-D3.5, TH-R3.6, TH-P3.13
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import prod

from banditproof.verify.finite.kernels import Actions, FiniteKernel, History, RewardTable, Row, within_limit
from banditproof.verify.finite.output_laws import ActionLaw

Queries = Callable[[Actions], int]  # (a_1, ..., a_t) -> q_t


def interactive_law(kernel: FiniteKernel, queries: Queries, table: RewardTable) -> ActionLaw:
    """The law of the actions when `queries` chooses the arms whose rewards are heard, played step by step.

    Source: TH-A3.INT
    """
    told: dict[Actions, tuple[History, Fraction]] = {(): ((), Fraction(1))}
    for row in table:
        after: dict[Actions, tuple[History, Fraction]] = {}
        for actions, (history, weight) in told.items():
            for arm, p in enumerate(kernel.probability(history)):
                query = queries((*actions, arm))
                after[(*actions, arm)] = (*history, (query, row[query])), weight * p
        told = after
    return {actions: weight for actions, (_, weight) in told.items()}


def interactive_probability(
    kernel: FiniteKernel, queries: Queries, table: RewardTable, actions: Actions, paid: str = "queried"
) -> Fraction:
    """pi_1(a_1) pi_2(a_2 | q_1, r_1) ... along one sequence, with r_t the reward of the "queried" or "played" arm.

    "queried" is the law of the adversary's view, "played" what the table mechanism pays the policy pi^B.

    Source: TH-R3.6
    """
    asked = tuple(queries(actions[:t]) for t in range(1, len(actions) + 1))
    arms = asked if paid == "queried" else actions
    history = tuple((q, row[arm]) for q, row, arm in zip(asked, table, arms, strict=True))
    return prod((kernel.probability(history[:t])[arm] for t, arm in enumerate(actions)), start=Fraction(1))


def post_processed_policy(kernel: FiniteKernel, queries: Queries) -> FiniteKernel:
    """pi^B: after (a_1, r_1, ..., a_t, r_t) it acts as `kernel` does after (q_1, r_1, ..., q_t, r_t).

    Source: TH-P3.13
    """

    def probability(history: History) -> Row:
        actions = tuple(arm for arm, _ in history)
        return kernel.probability(tuple((queries(actions[: t + 1]), r) for t, (_, r) in enumerate(history)))

    return FiniteKernel(kernel.horizon, kernel.arms, kernel.rewards, probability)


def query_adversaries(kernel: FiniteKernel) -> Iterator[Queries]:
    """Every deterministic query adversary; the last query reaches no decision and is the arm itself.

    K^(K + K^2 + ... + K^(T-1)) of them: 64 for T = 3 and K = 2, 16,384 for T = 4.
    """
    prefixes = [a for t in range(1, kernel.horizon) for a in product(range(kernel.arms), repeat=t)]
    within_limit("query adversaries", kernel.arms ** len(prefixes))
    last = {actions: actions[-1] for actions in kernel.action_sequences()}
    for queries in product(range(kernel.arms), repeat=len(prefixes)):
        yield {**dict(zip(prefixes, queries, strict=True)), **last}.__getitem__


def identity_queries(actions: Actions) -> int:
    """The adversary that asks for the arm just played: the interaction is then the table mechanism."""
    return actions[-1]
