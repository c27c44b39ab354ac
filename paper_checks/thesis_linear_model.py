r"""Linear bandits, with and without contexts: the model and its regret, in exact arithmetic for finite noise."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation
from banditproof.verify.domain import Domain
from banditproof.verify.kernels import Reward, random_kernel, random_law
from banditproof.verify.output_laws import history_law

Sides = tuple[Any, str, Any]
Vector = tuple[Fraction, ...]
NOISE = {Fraction(-1): Fraction(1, 2), Fraction(1): Fraction(1, 2)}
THETA: Vector = (Fraction(1, 3), Fraction(-1, 2))
CONTEXTS, ARMS = 2, 3


def inner(a: Sequence[Any], b: Sequence[Any]) -> Fraction:
    return sum((Fraction(x) * Fraction(y) for x, y in zip(a, b, strict=True)), Fraction(0))


# ------------------------------------------------------------------------------------------------------ fixed actions

SETS = {
    "cube": ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    "basis": ((1, 0), (0, 1)),
    "three": ((Fraction(1, 2), 0), (0, -1), (Fraction(3, 5), Fraction(4, 5))),
}


def linear_regret(policy: int, horizon: int, actions: str, factor: Any) -> Sides:
    """T max <a, theta> - E[sum R_t] against E[sum Delta_(A_t)], R_t = <A_t, theta> + noise."""
    arms = SETS[actions]
    values = [inner(a, THETA) for a in arms]
    laws: tuple[dict[Reward, Fraction], ...] = tuple({m + n: p for n, p in NOISE.items()} for m in values)
    kernel = random_kernel(policy, horizon, len(arms), tuple(sorted({r for law in laws for r in law})))
    law = history_law(kernel, laws)
    collected = sum((w * sum(r for _, r in h) for h, w in law.items()), Fraction(0))
    gaps = [max(inner(b, THETA) - m for b in arms) for m in values]
    paid = sum((w * sum(gaps[arm] for arm, _ in h) for h, w in law.items()), Fraction(0))
    return horizon * max(values) - collected, "==", factor * paid


@claim(
    "TH-S4.3lin", r"$R_t=\langle A_t,\theta\rangle+\eta_t$ with centred noise: $\mathbb E_\theta[\sum_t\Delta_{A_t}]$, "
    r"$\Delta_a=\max_{a'}\langle a'-a,\theta\rangle$, is <factor> times what is lost in rewards.",
    domain=Domain.of(policy="all: every policy", horizon="integer [1, inf)", actions="all: every set of actions"),
    constants={"factor": 1}, mutations=[mutation("0.99", factor="0.99")], strongest="enumeration",
)  # fmt: skip
def linear_model(check: Check) -> None:
    over = [{"policy": seed, "horizon": T, "actions": name} for seed in range(2) for T in (1, 2) for name in SETS]
    check.enumerate(linear_regret, over, rational=True, routes=("rewards", "gaps of the actions"))


# ------------------------------------------------------------------------------------------------------ with contexts


def features(arm: int, context: int, basis: bool) -> Vector:
    """psi(a, c); the basis vector e_a where the model is reduced to a bandit with as many arms as dimensions."""
    if basis:
        return tuple(Fraction(i == arm) for i in range(ARMS))
    return (Fraction(arm + 1, 2), Fraction(-arm if context else arm), Fraction(arm * context))


@cache
def contextual_law(policy: int, horizon: int, basis: bool) -> dict[Any, Fraction]:
    """The law of ((c_1, a_1, r_1), ...): contexts independent, the arm drawn given the past and the context."""
    theta = (Fraction(1, 3), Fraction(-1, 2), Fraction(1, 4))
    reached: dict[Any, Fraction] = {(): Fraction(1)}
    for _ in range(horizon):
        after: dict[Any, Fraction] = defaultdict(Fraction)
        for history, weight in reached.items():
            for context, chance in enumerate(random_law(0, "contexts", CONTEXTS)):
                for arm, p in enumerate(random_law(policy, (history, context), ARMS, 0)):
                    for noise, q in NOISE.items():
                        reward = inner(features(arm, context, basis), theta) + noise
                        after[(*history, (context, arm, reward))] += weight * chance * p * q
        reached = after
    return {history: weight for history, weight in reached.items() if weight}


def mean_reward(arm: int, context: int, basis: bool) -> Fraction:
    return inner(features(arm, context, basis), (Fraction(1, 3), Fraction(-1, 2), Fraction(1, 4)))


def conditional_means(policy: int, horizon: int, decision_set: str, scale: Any) -> Sides:
    """At how many (past, context, arm) the conditional mean reward is not scale <theta, psi(a, c)>."""
    basis = decision_set == "basis"
    cells: dict[Any, list[Fraction]] = defaultdict(lambda: [Fraction(0), Fraction(0)])
    for history, weight in contextual_law(policy, horizon, basis).items():
        for t, (context, arm, reward) in enumerate(history):
            cell = cells[history[:t], context, arm]
            cell[0] += weight * reward
            cell[1] += weight
    wrong = sum(total / mass != scale * mean_reward(arm, c, basis) for (_, c, arm), (total, mass) in cells.items())
    return wrong, "==", 0


MODELS = Domain.of(policy="all: every policy and features", horizon="integer [1, inf)",
                   decision_set="all: features of the context, or the basis")  # fmt: skip


def enumerate_models(check: Check, relation: Any, routes: tuple[str, str]) -> None:
    over = [{"policy": seed, "horizon": T, "decision_set": name}
            for seed in range(2) for T in (1, 2) for name in ("features", "basis")]  # fmt: skip
    check.enumerate(relation, over, rational=True, routes=routes)


@claim(
    "TH-EQ2.16", r"$r_t=\langle\theta^\star,\psi(a_t,c_t)\rangle+\eta_t$: given past, context and arm the mean "
    r"reward is $<scale>\langle\theta^\star,\psi(a_t,c_t)\rangle$; for $\psi(a,c)=e_a$ it is $\theta^\star_a$.",
    domain=MODELS, constants={"scale": 1}, mutations=[mutation("0.99", scale="0.99")], strongest="enumeration",
)  # fmt: skip
def contextual_model(check: Check) -> None:
    enumerate_models(check, conditional_means, ("conditional means of the rewards", "inner products"))


def contextual_regret(policy: int, horizon: int, decision_set: str, comparator: str) -> Sides:
    """E[sum of the best mean in context - r_t] against E[sum of max <theta, a - a_t>] over the stated comparator."""
    basis = decision_set == "basis"
    law = contextual_law(policy, horizon, basis)

    def best(context: int) -> Fraction:
        return max(mean_reward(arm, context, basis) for arm in range(ARMS))

    lost = sum((w * sum(best(c) - r for c, _, r in h) for h, w in law.items()), Fraction(0))
    contexts = random_law(0, "contexts", CONTEXTS)
    fixed = max(sum(p * mean_reward(a, c, basis) for c, p in enumerate(contexts)) for a in range(ARMS))
    paid = sum(
        (w * sum((best(c) if comparator == "in context" else fixed) - mean_reward(a, c, basis) for c, a, _ in h)
         for h, w in law.items()), Fraction(0),
    )  # fmt: skip
    return lost, "==", paid


def as_a_bandit(policy: int, horizon: int, factor: Any) -> Sides:
    """For the basis, eq. 2.17 against the decomposition of eq. 2.8 with means theta."""
    law = contextual_law(policy, horizon, True)
    values = [mean_reward(arm, 0, True) for arm in range(ARMS)]
    pulls = [sum((w * sum(a == arm for _, a, _ in h) for h, w in law.items()), Fraction(0)) for arm in range(ARMS)]
    decomposed = sum(((max(values) - m) * n for m, n in zip(values, pulls, strict=True)), Fraction(0))
    return contextual_regret(policy, horizon, "basis", "in context")[0], "==", factor * decomposed


@claim(
    "TH-EQ2.17", r"$R_T=\mathbb E[\sum_t\max_{a\in\mathcal A_t}\langle\theta^\star,a-a_t\rangle]$, the best action "
    "taken <comparator>, is what is lost in rewards.",
    domain=MODELS, constants={"comparator": "in context"}, strongest="enumeration",
    mutations=[mutation("the best fixed arm", comparator="once")],
)  # fmt: skip
def regret_in_context(check: Check) -> None:
    enumerate_models(check, contextual_regret, ("rewards", "gaps in context"))


@claim(
    "TH-EQ2.17/bandit", r"For $\mathcal A_t=\{e_1,\dots,e_d\}$ it is $<factor>\sum_a\Delta_a\mathbb E[N_a(T)]$, the "
    "regret of the $d$-armed bandit.",
    domain=Domain.of(policy="all: every policy and features", horizon="integer [1, inf)"), role="implication",
    constants={"factor": 1}, mutations=[mutation("0.99", factor="0.99")], strongest="enumeration",
)  # fmt: skip
def regret_of_the_bandit(check: Check) -> None:
    over = [{"policy": seed, "horizon": T} for seed in range(2) for T in (1, 2)]
    check.enumerate(as_a_bandit, over, rational=True, routes=("contextual regret", "gaps times pulls"))
