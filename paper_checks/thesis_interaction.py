r"""The policy-environment interaction of Chapters 2 and 3, played step by step in exact arithmetic.

Policies are random rational kernels and reward laws random rational laws on a few values, so that every law of
histories is finite. Each protocol is played as its pseudo code reads and compared with the product formula.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.verify.domain import Domain
from banditproof.verify.kernels import Actions, FiniteKernel, History, Reward, random_kernel, random_law, reward_tables
from banditproof.verify.output_laws import history_law, table_law, view_law

Sides = tuple[Any, str, Any]
Law = dict[Any, Fraction]
VALUES = (Fraction(-1), Fraction(0), Fraction(3, 2))
SIZES = {"horizon": "integer [1, inf)", "arms": "integer [1, inf)"}
ANY = Domain.of(policy="all: every policy and reward laws", **SIZES)


@cache
def bandit(policy: int, horizon: int, arms: int, environment: int = 0) -> tuple[FiniteKernel, tuple[Law, ...]]:
    """Random rational policy number `policy` on rewards of either sign, and random laws of the arms."""
    laws = (random_law(policy, ("law", environment, arm), len(VALUES), 0) for arm in range(arms))
    kernel = random_kernel(policy, horizon, arms, VALUES, smallest_weight=0)
    return kernel, tuple(dict(zip(VALUES, law, strict=True)) for law in laws)


def coins(policy: int, arms: int) -> tuple[dict[Reward, Fraction], ...]:
    """Random Bernoulli arms."""
    return tuple(dict(enumerate(random_law(policy, ("coin", arm), 2))) for arm in range(arms))


def means(laws: Iterable[Mapping[Reward, Fraction]]) -> list[Fraction]:
    return [sum((r * p for r, p in law.items()), Fraction(0)) for law in laws]


def enumerate_bandits(check: Check, relation: Any, routes: tuple[str, str]) -> None:
    horizons, arms, seeds = range(1, 4), range(1, 4), range(check.pick(2, 8))
    over = [{"policy": seed, "horizon": T, "arms": K} for T in horizons for K in arms for seed in seeds if K**T < 20]
    check.enumerate(relation, over, rational=True, routes=routes)


def differences(left: Mapping[Any, Fraction], right: Mapping[Any, Fraction]) -> int:
    """At how many outcomes two laws differ."""
    return sum(left.get(key, 0) != right.get(key, 0) for key in {*left, *right})


# ------------------------------------------------------------------------------------------------ Algorithms 1 and 6

Answer = Callable[[History, int], Mapping[Reward, Fraction]]  # history, arm -> law of the reward


def played(kernel: FiniteKernel, answer: Answer) -> Law:
    """The law of histories: round after round sample an arm from the policy, then the reward from the answer."""
    reached: Law = {(): Fraction(1)}
    for _ in range(kernel.horizon):
        after: Law = defaultdict(Fraction)
        for history, weight in reached.items():
            for arm, chance in enumerate(kernel.probability(history)):
                for reward, mass in answer(history, arm).items():
                    after[(*history, (arm, reward))] += weight * chance * mass
        reached = after
    return dict(reached)


def protocol(policy: int, horizon: int, arms: int, heard: str) -> Sides:
    kernel, laws = bandit(policy, horizon, arms)
    answer: Answer = lambda _, arm: laws[arm if heard == "arm played" else 0]  # noqa: E731
    return differences(played(kernel, answer), history_law(kernel, laws)), "==", 0


@claim(
    "TH-A1", r"Algorithm 1: $a_t\sim\pi_t(\cdot\mid a_1,r_1,\dots,r_{t-1})$, then $r_t\sim P_{a_t}$ of the <heard>. "
    r"The law of histories is that of the canonical density, for every history.",
    domain=ANY, constants={"heard": "arm played"}, mutations=[mutation("always the first arm", heard="first arm")],
    strongest="enumeration", twins=["BDP-D2.0"],
)  # fmt: skip
def interaction(check: Check) -> None:
    enumerate_bandits(check, protocol, ("the protocol, played", "product of kernels and reward laws"))


def stopped(policy: int, horizon: int, arms: int, mass: Any) -> Sides:
    """The last arm means stop: run until it is played (or for T rounds, then stop), then recommend at random."""
    kernel, laws = bandit(policy, horizon, arms + 1)
    running: Law = {(): Fraction(1)}
    final: Law = defaultdict(Fraction)
    for t in range(horizon + 1):
        after: Law = defaultdict(Fraction)
        for history, weight in running.items():
            row = kernel.probability(history) if t < horizon else (*(Fraction(0),) * arms, Fraction(1))
            for guess, chance in enumerate(random_law(policy, ("recommend", history), arms)):
                final[history, guess] += weight * row[arms] * chance
            for arm in range(arms):
                for reward, p in laws[arm].items():
                    after[(*history, (arm, reward))] += weight * row[arm] * p
        running = after
    return sum(final.values()), "==", mass


@claim(
    "TH-A1/stopping", r"In the mode of best-arm identification, with stopping by round $T+1$ at the latest, the law of "
    r"(history, recommendation) has total mass <mass>.",
    domain=ANY, constants={"mass": 1}, mutations=[mutation("mass 0.99", mass="0.99")], strongest="enumeration",
)  # fmt: skip
def interaction_with_stopping(check: Check) -> None:
    enumerate_bandits(check, stopped, ("the protocol, played", "1"))


def marginals(policy: int, horizon: int, arms: int, mass: Any) -> Sides:
    """Total masses of p and of m, and M(C) for the event that arm 1 is played first, both ways."""
    kernel, laws = bandit(policy, horizon, arms)
    law = history_law(kernel, laws)
    actions: dict[Actions, Fraction] = defaultdict(Fraction)
    for history, weight in law.items():
        actions[tuple(arm for arm, _ in history)] += weight
    event = sum(w for a, w in actions.items() if a[0] == 0)
    return (sum(law.values()), sum(actions.values()), event), "==", (mass, mass, mass * kernel.probability(())[0])


@claim(
    "TH-D2.16", r"Canonical model: $p_{\nu\pi}$ and its action marginal $m_{\nu\pi}$ have mass <mass>, and "
    r"$\mathbb M_{\nu\pi}(a_1=1)=\pi_1(1)$.",
    domain=ANY, constants={"mass": 1}, mutations=[mutation("mass 0.99", mass="0.99")], strongest="enumeration",
    twins=["BDP-EQ1"],
)  # fmt: skip
def canonical_model(check: Check) -> None:
    enumerate_bandits(check, marginals, ("sum over all histories", "1"))


def same_choice_everywhere(policy: int, horizon: int, arms: int, lag: int) -> Sides:
    """Histories reached in two environments after which the next arm has another law than the policy's row."""
    wrong = 0
    for environment in (0, 1):
        kernel, laws = bandit(policy, horizon, arms, environment)
        reached: Law = defaultdict(Fraction)
        for history, weight in history_law(kernel, laws).items():
            for t in range(horizon):
                reached[history[:t], None] += weight
                reached[history[:t], history[t][0]] += weight
        wrong += sum(
            weight > 0 and reached[h, a] / weight != kernel.probability(h[: max(0, len(h) - lag)])[a]
            for (h, arm), weight in list(reached.items()) if arm is None for a in range(arms)
        )  # fmt: skip
    return wrong, "==", 0


@claim(
    "TH-S2.2a", r"The game: given $H_{t-1}$ the next action has the law $\pi_t(\cdot\mid H_{t-1})$, whatever the "
    r"environment (history cut by <lag>).",
    domain=ANY, constants={"lag": 0}, mutations=[mutation("last round unseen", lag=1)], strongest="enumeration",
)  # fmt: skip
def history_is_all_the_policy_sees(check: Check) -> None:
    enumerate_bandits(check, same_choice_everywhere, ("conditional law in two environments", "the policy's row"))


def regret_by_rounds(policy: int, horizon: int, arms: int, factor: Any) -> Sides:
    kernel, laws = bandit(policy, horizon, arms)
    law, mu = history_law(kernel, laws), means(laws)
    collected = sum((w * sum(r for _, r in h) for h, w in law.items()), Fraction(0))
    paid = sum((w * sum(max(mu) - mu[a] for a, _ in h) for h, w in law.items()), Fraction(0))
    return horizon * max(mu) - collected, "==", factor * paid


def regret_by_pulls(policy: int, horizon: int, arms: int, factor: Any) -> Sides:
    kernel, laws = bandit(policy, horizon, arms)
    law, mu = history_law(kernel, laws), means(laws)
    collected = sum((w * sum(r for _, r in h) for h, w in law.items()), Fraction(0))
    pulls = [sum((w * sum(a == arm for a, _ in h) for h, w in law.items()), Fraction(0)) for arm in range(arms)]
    gaps = [max(mu) - m for m in mu]
    return horizon * max(mu) - collected, "==", factor * sum(g * n for g, n in zip(gaps, pulls, strict=True))


REGRET: dict[str, Any] = {"domain": ANY, "constants": {"factor": 1}, "mutations": [mutation("0.99", factor="0.99")],
                          "strongest": "enumeration"}  # fmt: skip


@claim("TH-EQ2.7", r"$T\mu^\star-\mathbb E[\sum_tr_t]=<factor>\,\mathbb E[\sum_t(\mu^\star-\mu_{a_t})]$.",
       **REGRET)  # fmt: skip
def regret_definition(check: Check) -> None:
    enumerate_bandits(check, regret_by_rounds, ("rewards", "gap of each round"))


@claim(
    "TH-EQ2.8",
    r"$T\mu^\star-\mathbb E[\sum_tr_t]=<factor>\sum_a\Delta_a\mathbb E[N_a(T)]$.",
    twins=["BDP-EQ2"],
    **REGRET,
)
def regret_decomposition(check: Check) -> None:
    enumerate_bandits(check, regret_by_pulls, ("rewards", "gaps times pulls"))


def users(policy: int, horizon: int, arms: int, heard: str) -> Sides:
    """Law of the published actions for users with fixed answers: a list of rewards, and a table of potential ones."""
    kernel, _ = bandit(policy, horizon, arms)
    table = [[VALUES[(policy + t * (a + 1) + a) % 3] for a in range(arms)] for t in range(horizon)]
    wrong = 0
    for law, rows in ((view_law(kernel, tuple(r[0] for r in table)), [[r[0]] * arms for r in table]),
                      (table_law(kernel, tuple(map(tuple, table))), table)):  # fmt: skip
        published: Law = defaultdict(Fraction)
        answer: Answer = lambda h, arm, rows=rows: {rows[len(h)][arm if heard == "arm played" else -1]: Fraction(1)}  # noqa: E731
        for history, weight in played(kernel, answer).items():
            published[tuple(arm for arm, _ in history)] += weight
        wrong += differences(published, law)
    return wrong, "==", 0


@claim(
    "TH-A6", r"Algorithm 6: user $t$ hears $a_t$ and answers with the reward of the <heard>; the output "
    r"$(a_1,\dots,a_T)$ has the law $\mathcal V^\pi_{\mathbf r}$ for a list, $\mathcal M^\pi_{\mathbf x}$ for a table.",
    domain=ANY, constants={"heard": "arm played"}, mutations=[mutation("always the last arm", heard="last arm")],
    strongest="enumeration",
)  # fmt: skip
def policy_and_users(check: Check) -> None:
    enumerate_bandits(check, users, ("the protocol, played", "product formula of the mechanism"))


def environment_as_random_table(policy: int, horizon: int, arms: int, adversary: str) -> Sides:
    """m against the mixture of table mechanisms over a table drawn from the environment."""
    kernel = random_kernel(policy, horizon, arms)
    laws = coins(policy, arms)
    mixture: Law = defaultdict(Fraction)
    for table in reward_tables(kernel):
        weight = Fraction(1)
        for row in table[:-1]:
            for arm, reward in enumerate(row):
                weight *= laws[arm][reward]
        shown = table if adversary == "none" else tuple((row[0],) * arms for row in table)
        for actions, p in table_law(kernel, shown).items():
            mixture[actions] += weight * p
    marginal: Law = defaultdict(Fraction)
    for history, weight in history_law(kernel, laws).items():
        marginal[tuple(arm for arm, _ in history)] += weight
    return differences(mixture, marginal), "==", 0


@claim(
    "TH-R3.7", r"Utility is judged without adversary (adversary: <adversary>): $m_{\nu\pi}$ is the mixture of "
    r"$\mathcal M^\pi_{\mathbf x}$ over tables $\mathbf x$ drawn from $\nu$; privacy, on every table and adversary.",
    domain=ANY, constants={"adversary": "none"}, mutations=[mutation("always asks arm 1", adversary="constant")],
    strongest="enumeration",
)  # fmt: skip
def utility_protocol(check: Check) -> None:
    over = [{"policy": seed, "horizon": T, "arms": K} for seed in range(2) for T, K in ((1, 2), (2, 2), (3, 2), (2, 3))]
    check.enumerate(environment_as_random_table, over, rational=True, routes=("random tables", "canonical model"))


# ------------------------------------------------------------------------------------------ what motivates privacy

parts_decide(
    "TH-S3.1",
    "DoctorBandit: rewards 1 (cured) and 0; the policy wants to cure as many as it can, and what it publishes can "
    "give a patient's outcome away.",
)


def cured(policy: int, horizon: int, arms: int, factor: Any) -> Sides:
    kernel = random_kernel(policy, horizon, arms)
    laws = coins(policy, arms)
    law, mu = history_law(kernel, laws), means(laws)
    regret = sum((w * sum(max(mu) - mu[a] for a, _ in h) for h, w in law.items()), Fraction(0))
    return (
        sum((w * sum(r for _, r in h) for h, w in law.items()), Fraction(0)),
        "==",
        factor * (horizon * max(mu) - regret),
    )


@claim("TH-S3.1/cured-patients", r"Expected number of cured patients $=<factor>(T\mu^\star-\mathrm{Reg}_T)$.", **REGRET)
def cured_patients(check: Check) -> None:
    enumerate_bandits(check, cured, ("outcomes", "regret"))


def given_away(horizon: int, variation: Any) -> Sides:
    """Win-stay, lose-shift: total variation of the actions when one outcome, not the last, is flipped."""

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


@claim(
    "TH-S3.1/outcomes-given-away", r"Win-stay, lose-shift publishes actions from which each outcome but the last is "
    r"read off: total variation <variation> whenever one differs.",
    domain=Domain.of(horizon="integer [2, inf)"), constants={"variation": 1}, strongest="enumeration",
    mutations=[mutation("1/2", variation="1/2")],
)  # fmt: skip
def outcomes_given_away(check: Check) -> None:
    check.enumerate(given_away, {"horizon": range(2, 6)}, rational=True, routes=("laws of the actions", "1"))


parts_decide(
    "TH-S3.2",
    "The definitions constrain the policy alone and its actions only; the challenges: the policy is online, and "
    "it sees of each row of potential rewards the entry it plays.",
)


def partial(policy: int, horizon: int, arms: int, changed: str) -> Sides:
    """Sequences whose probability moves when the entries not played (or, mutated, those played) are changed."""
    kernel, _ = bandit(policy, horizon, arms)
    table = [[VALUES[(policy + t + 2 * a) % 3] for a in range(arms)] for t in range(horizon)]
    base, moved = table_law(kernel, tuple(map(tuple, table))), 0
    for actions, p in base.items():
        other = [[v if (a == actions[t]) == (changed == "unseen") else VALUES[(VALUES.index(v) + 1) % 3]
                  for a, v in enumerate(row)] for t, row in enumerate(table)]  # fmt: skip
        moved += table_law(kernel, tuple(map(tuple, other)))[actions] != p
    return moved, "==", 0


@claim(
    "TH-S3.2/partial-information", r"$\mathcal M^\pi_{\mathbf x}(a_1,\dots,a_T)$ does not move with the <changed> "
    r"entries of $\mathbf x$.",
    domain=ANY, constants={"changed": "unseen"}, mutations=[mutation("seen entries", changed="seen")],
    strongest="enumeration",
)  # fmt: skip
def partial_information(check: Check) -> None:
    enumerate_bandits(check, partial, ("law on a table", "law on another table"))


def online(policy: int, horizon: int, arms: int, ahead: int) -> Sides:
    """The law of a_1, ..., a_t must not move with rows t (minus `ahead`) and later."""
    kernel, _ = bandit(policy, horizon, arms)
    table = [[VALUES[(policy + t + 2 * a) % 3] for a in range(arms)] for t in range(horizon)]
    moved = 0
    for t in range(1, horizon + 1):
        start = max(t - 1 - ahead, 0)
        other = table[:start] + [[VALUES[(VALUES.index(v) + 1) % 3] for v in row] for row in table[start:]]
        prefixes: list[Law] = []
        for rows in (table, other):
            prefix: Law = defaultdict(Fraction)
            for actions, p in table_law(kernel, tuple(map(tuple, rows))).items():
                prefix[actions[:t]] += p
            prefixes.append(prefix)
        moved += differences(*prefixes)
    return moved, "==", 0


@claim(
    "TH-S3.2/online", r"The law of $(a_1,\dots,a_t)$ does not move with the rewards of round $t-<ahead>$ and later.",
    domain=ANY, constants={"ahead": 0}, mutations=[mutation("one round earlier", ahead=1)], strongest="enumeration",
)  # fmt: skip
def online_policy(check: Check) -> None:
    enumerate_bandits(check, online, ("law of a prefix", "law of a prefix"))
