"""Sections 3.1 and 3.2, page 56: users and a policy, what its published actions tell, and what the policy sees."""

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from typing import Any

from banditproof.claims.register import claim
from banditproof.claims.sets import Count, EveryPolicy, Natural, TwoOrMore
from banditproof.claims.steps import enumerated, in_kernel
from banditproof.paper_checks.thesis.ch3_definitions.facts import coins
from banditproof.paper_checks.thesis.facts.bandits import (
    VALUES,
    Answer,
    Law,
    PolicyAndLaws,
    bandit,
    differences,
    expected,
    means,
    on_bandits,
    played,
)
from banditproof.verify import FiniteKernel, history_law, random_kernel, table_law, view_law
from banditproof.verify.finite.kernels import History
from banditproof.verify.kernel.meanings import function_of, when
from banditproof.verify.kernel.policies import (
    TABLES,
    actions_are_kept,
    every,
    in_all_rounds,
    on_table,
    plays_arms,
    said_is_kept,
    same_actions,
    same_chance,
    starts,
)
from banditproof.verify.kernel.rules import eq, lt, nat
from banditproof.verify.kernel.terms import var
from banditproof.verify.theorems import policies as policy_proofs


@claim("TH-S3.1/cured-patients", on_bandits("outcomes", "regret"), false={"factor": "0.99"})
def cured_patients(policy: PolicyAndLaws, horizon: Count, arms: Count, factor=1):
    r"""Expected number of cured patients $=(T\mu^\star-\mathrm{Reg}_T)$."""
    laws = coins(policy, arms)
    law, mu = history_law(random_kernel(policy, horizon, arms), laws), means(laws)
    regret = expected(law, lambda history: sum(max(mu) - mu[arm] for arm, _ in history))
    return expected(law, lambda h: sum(reward for _, reward in h)), "==", factor * (horizon * max(mu) - regret)


@claim("TH-S3.1/outcomes-given-away", enumerated(horizon=range(2, 6), rational=True), false={"variation": "0.5"})
def outcomes_given_away(horizon: TwoOrMore, variation=1):
    r"""Win-stay, lose-shift publishes actions from which each outcome but the last is read off: total variation 1
    whenever one differs."""

    def row(history: History) -> tuple[Fraction, ...]:
        arm = (history[-1][0] + (history[-1][1] == 0)) % 2 if history else 0
        return (Fraction(arm == 0), Fraction(arm == 1))

    kernel = FiniteKernel(horizon, 2, (0, 1), row)
    least = Fraction(1)
    for rewards in product((0, 1), repeat=horizon):
        for t in range(horizon - 1):
            flipped = (*rewards[:t], 1 - rewards[t], *rewards[t + 1 :])
            left, right = view_law(kernel, rewards), view_law(kernel, flipped)
            least = min(least, sum((abs(left[a] - right[a]) for a in left), Fraction(0)) / 2)
    return least, "==", variation


def values_by_number(policy: int, horizon: int, arms: int) -> list[list[Fraction]]:
    return [[VALUES[(policy + t + 2 * a) % 3] for a in range(arms)] for t in range(horizon)]


def as_table(rows: Iterable[Iterable[Any]]) -> tuple[tuple[Any, ...], ...]:
    return tuple(map(tuple, rows))


def another(value: Fraction) -> Fraction:
    return VALUES[(VALUES.index(value) + 1) % 3]


@claim(
    "TH-A6/small-policies",
    on_bandits("the protocol, played", "product formula of the mechanism"),
    false={"heard": "last arm"},
    role="implication",
)
def policy_and_users(policy: PolicyAndLaws, horizon: Count, arms: Count, heard="arm played"):
    r"""Algorithm 6: user $t$ hears $a_t$ and answers with the reward of the arm played; the output $(a_1,\dots,a_T)$
    has the law $\mathcal V^\pi_{\mathbf r}$ for a list, $\mathcal M^\pi_{\mathbf x}$ for a table.

    The users have fixed answers: first those of a list of rewards, then those of a table of potential rewards.
    """
    kernel, _ = bandit(policy, horizon, arms)
    table = [[VALUES[(policy + t * (a + 1) + a) % 3] for a in range(arms)] for t in range(horizon)]
    listed, wrong = [row[0] for row in table], 0
    for law, rows in (
        (view_law(kernel, tuple(listed)), [[r] * arms for r in listed]),
        (table_law(kernel, as_table(table)), table),
    ):
        answer: Answer = lambda h, arm, rows=rows: {rows[len(h)][arm if heard == "arm played" else -1]: Fraction(1)}  # noqa: E731
        published: Law = defaultdict(Fraction)
        for history, weight in played(kernel, answer).items():
            published[tuple(arm for arm, _ in history)] += weight
        wrong += differences(published, law)
    return wrong, "==", 0


@claim("TH-S3.2/partial-information", in_kernel(policy_proofs.seen_entries_alone))
def partial_information(pi: EveryPolicy, T: Count):
    r"""$\mathcal M^\pi_{\mathbf x}(a_1,\dots,a_T)$ does not move with the unseen entries of $\mathbf x$."""
    i = var("i")
    seen = [function_of(t, i, function_of("letter", i)) for t in TABLES]
    given = every(("i",), (nat(i), lt(i, T)), eq(*seen)), starts(T)
    laws = [on_table(pi, T, t) for t in TABLES]
    return when(*actions_are_kept(), then=same_chance(TABLES, given, T, *laws))


@claim(
    "TH-S3.2/partial-information-small-bandits",
    on_bandits("law on a table", "law on another table"),
    false={"changed": "seen"},
    role="implication",
)
def partial_information_in_small_bandits(policy: PolicyAndLaws, horizon: Count, arms: Count, changed="unseen"):
    r"""$\mathcal M^\pi_{\mathbf x}(a_1,\dots,a_T)$ does not move with the unseen entries of $\mathbf x$."""
    kernel, _ = bandit(policy, horizon, arms)
    table, moved = values_by_number(policy, horizon, arms), 0
    for actions, p in table_law(kernel, as_table(table)).items():
        kept = [[(a == actions[t]) == (changed == "unseen") for a in range(arms)] for t in range(horizon)]
        other = [[v if k else another(v) for v, k in zip(*rows, strict=True)] for rows in zip(table, kept, strict=True)]
        moved += table_law(kernel, as_table(other))[actions] != p
    return moved, "==", 0


@claim("TH-S3.2/online", in_kernel(policy_proofs.told_too_late))
def online_policy(pi: EveryPolicy, T: Natural, K: Count):
    r"""The law of $(a_1,\dots,a_t)$ does not move with the rewards of round $t$ and later: $t=T+1$ actions, on two
    tables that agree in the $T$ rounds before."""
    equal = in_all_rounds(T, K, lambda i, o, a: eq(*(function_of(t, i, a) for t in TABLES)))
    laws = [on_table(pi, T + 1, t) for t in TABLES]
    return when(plays_arms(pi, K), said_is_kept(), then=same_actions(TABLES, (equal,), *laws))


@claim(
    "TH-S3.2/online-small-bandits",
    on_bandits("law of a prefix", "law of a prefix"),
    false={"ahead": 1},
    role="implication",
)
def online_in_small_bandits(policy: PolicyAndLaws, horizon: Count, arms: Count, ahead=0):
    r"""The law of $(a_1,\dots,a_t)$ does not move with the rewards of round $t$ and later."""
    kernel, _ = bandit(policy, horizon, arms)
    table, moved = values_by_number(policy, horizon, arms), 0
    for t in range(1, horizon + 1):
        start = max(t - 1 - ahead, 0)
        other = table[:start] + [[another(value) for value in row] for row in table[start:]]
        prefixes: list[Law] = [defaultdict(Fraction), defaultdict(Fraction)]
        for prefix, rows in zip(prefixes, (table, other), strict=True):
            for actions, p in table_law(kernel, as_table(rows)).items():
                prefix[actions[:t]] += p
        moved += differences(*prefixes)
    return moved, "==", 0
