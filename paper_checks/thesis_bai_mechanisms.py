r"""Strategies for best-arm identification and their mechanisms: Definitions 2.17-2.19, (3.4), (3.5), Remark 4.11.

Everything is enumerated exactly on finite strategies with Bernoulli arms.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from banditproof.paper_checks.bai_strategies import (
    Name,
    chance_of_recommending,
    expected_pulls,
    output_divergence,
    output_law,
    played_law,
    product_law,
    strategy_named,
    view_ratio,
)
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation
from banditproof.theory.numeric import log, to_ball
from banditproof.verify.domain import Domain

Sides = tuple[Any, str, Any]
STRATEGIES = Domain.of(strategy="all: every strategy for best-arm identification")
NAMES: list[list[Any]] = [["random", seed, 3, 2] for seed in range(4)] + [["random", 7, 2, 3], ["guess", 2]]
NAMES += [["response", 9], ["compare", 1], ["compare", 2]]


def _strategies(check: Check, relation: Any, routes: tuple[str, str], names: Sequence[Name] = NAMES) -> None:
    check.enumerate(relation, [{"strategy": name} for name in names], rational=True, routes=routes)


def instance_of(name: Name, shift: int = 0) -> list[Fraction]:
    """Rational means for the strategy's arms."""
    return [Fraction((3 * arm + 5 + 7 * shift) % 11, 11) for arm in range(strategy_named(name).arms)]


# ------------------------------------------------------------------------------------------------------- definitions


def laws_on_arms_and_stopping(strategy: Name, extra: int) -> Sides:
    """After how many histories the rows for sampling and recommending are laws; after the horizon it stops."""
    rule = strategy_named(strategy)
    pairs = list(product(range(rule.arms), (0, 1)))
    histories = [h for length in range(rule.horizon + 1) for h in product(pairs, repeat=length)]
    told = [h for h in histories if h or rule.step(())[-1]]  # nothing is recommended where it is certain to go on
    good = sum(_is_law(rule.step(h), rule.arms + 1) and _is_law(rule.recommendation(h), rule.arms) for h in told)
    return good, "==", len(told) + extra


def _is_law(row: Sequence[Fraction], size: int) -> bool:
    return len(row) == size and min(row) >= 0 and sum(row) == 1


@claim(
    "TH-D2.17",
    r"A strategy gives, after every history, a law on $[K]\cup\{\top\}$ and a law on $[K]$ (<extra> histories missed).",
    domain=STRATEGIES, constants={"extra": 0}, mutations=[mutation("one more", extra=1)], strongest="enumeration",
)  # fmt: skip
def strategies_are_kernels(check: Check) -> None:
    _strategies(check, laws_on_arms_and_stopping, ("rows that are laws", "number of histories"))


def stopping_step(strategy: Name, later: int) -> Sides:
    """E of the first step at which the stop action is played, and E of the number of rewards."""
    means = instance_of(strategy)
    first = sum(p * (length + 1) for (_, _, length), p in output_law(strategy, means).items())
    return first, "==", sum(expected_pulls(strategy, means)) + later


@claim(
    "TH-D2.18", r"$\tau_\delta$, the first step with $a_n=\top$, exceeds the number of collected rewards, which (3.4) "
    r"and (3.5) put out as $T$, by <later>.",
    domain=STRATEGIES, constants={"later": 1}, mutations=[mutation("the same", later=0)], strongest="enumeration",
)  # fmt: skip
def stopping_convention(check: Check) -> None:
    _strategies(check, stopping_step, ("first stop action", "pulls of all arms"))


def chance_of_being_correct(mu_1: Fraction, mu_2: Fraction, half: Any) -> Sides:
    """One pull of each arm, the larger reward, a coin at ties: correct with probability (1 + Delta)/2."""
    return chance_of_recommending(["compare", 1], [mu_1, mu_2], 0), "==", half * (1 + mu_1 - mu_2)


@claim(
    "TH-D2.19", r"$\delta$-correctness of a strategy can be decided exactly: with one pull of each of two arms and a "
    r"coin at ties, $\mathbb P(\hat a=a^\star)=<half>(1+\Delta)$, so it is $\delta$-correct on the instances with "
    r"gap at least $\Delta$ iff $\delta\ge\frac{1-\Delta}2$.",
    domain=Domain.of(mu_1="(0, 1)", mu_2="(0, 1)", where=["mu_1 > mu_2"]), constants={"half": "1/2"},
    mutations=[mutation("0.49", half="0.49")], strongest="enumeration",
)  # fmt: skip
def correctness(check: Check) -> None:
    grid = [Fraction(i, 7) for i in range(1, 7)]
    points = [{"mu_1": a, "mu_2": b} for a in grid for b in grid if a > b]
    routes = ("law of the recommendation", "closed form")
    check.enumerate(chance_of_being_correct, points, rational=True, routes=routes)


# ----------------------------------------------------------------------------------------------- (3.4) and (3.5)


def _table(rule: Any, seed: int) -> list[list[int]]:
    return [[(seed >> (t * rule.arms + arm)) & 1 for arm in range(rule.arms)] for t in range(max(1, rule.horizon))]


def differing_on_tables(strategy: Name, lag: int) -> Sides:
    """On how many outputs and reward tables the product formula is not the probability of playing it."""
    return _differing(strategy, lag, lists=False), "==", 0


def differing_on_lists(strategy: Name, lag: int) -> Sides:
    return _differing(strategy, lag, lists=True), "==", 0


def _differing(strategy: Name, lag: int, lists: bool) -> int:
    rule, wrong = strategy_named(strategy), 0
    for seed in range(0, 2 ** (max(1, rule.horizon) * (1 if lists else rule.arms)), 5):
        table = [[(seed >> t) & 1] * rule.arms for t in range(max(1, rule.horizon))] if lists else _table(rule, seed)
        formula = product_law(rule, lambda t, arm, x=table: x[t][arm], lag)
        played = played_law(rule, lambda t, arm, x=table: {x[t][arm]: Fraction(1)})
        wrong += sum(formula[o] != played.get(o, 0) for o in formula)
        wrong += sum(formula.values()) != 1
    return wrong


MECHANISM = {
    "domain": STRATEGIES, "constants": {"lag": 0}, "mutations": [mutation("recommending a step early", lag=1)],
    "strongest": "enumeration",
}  # fmt: skip
ROUTES = ("product formula", "following the strategy")
SAMPLED: list[list[Any]] = [["random", 1, 3, 2], ["random", 7, 2, 3], ["guess", 2], ["response", 9], ["compare", 1]]


@claim(
    "TH-EQ3.4",
    r"The density (3.4) of the Table mechanism, with the recommendation made from the history cut by <lag>, "
    r"is the probability of sampling $a^T$, recommending $\hat a$ and stopping after $T$ steps on the table "
    r"$\mathbf x$; it sums to 1 over all outputs of a strategy that stops.",
    **MECHANISM,
)  # fmt: skip
def table_mechanism(check: Check) -> None:
    _strategies(check, differing_on_tables, ROUTES, SAMPLED)


@claim(
    "TH-EQ3.5",
    r"The same for the View mechanism (3.5) on a list $\mathbf r$ of rewards (recommendation from the history "
    "cut by <lag>).",
    **MECHANISM,
)  # fmt: skip
def view_mechanism(check: Check) -> None:
    _strategies(check, differing_on_lists, ROUTES, NAMES)


# ------------------------------------------------------------------------------------------------------ Remark 4.11

PAIRS = Domain.of(strategy="all: every epsilon-View DP strategy", nu="all: every instance", lam="all: every instance")


def decomposition(strategy: Name, nu: Sequence[Fraction], lam: Sequence[Fraction], factor: Any) -> Sides:
    """KL of the output laws against epsilon times the sum of E[N_a] TV_a, epsilon the tightest of View DP."""
    pulls = expected_pulls(strategy, nu)
    distance = sum(n * abs(Fraction(a) - Fraction(b)) for n, a, b in zip(pulls, nu, lam, strict=True))
    budget = log(to_ball(view_ratio(strategy)))
    return output_divergence(strategy, nu, lam), "<=", to_ball(factor) * budget * to_ball(distance)


def pairs_of_instances() -> list[dict[str, Any]]:
    """Random strategies on generic and on deterministic arms, and randomised response, which comes close."""
    points = [
        {"strategy": name, "nu": nu, "lam": lam}
        for name in NAMES[:4]
        for nu, lam in (
            (instance_of(name), instance_of(name, 1)),
            ([Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]),
            ([Fraction(1, 2), Fraction(1, 3)], [Fraction(1, 2), Fraction(2, 3)]),
        )
    ]
    points += [
        {"strategy": ["response", ratio], "nu": [Fraction(1), Fraction(1, 2)], "lam": [Fraction(0), Fraction(1, 2)]}
        for ratio in (3, 9, 99)
    ]
    return points


@claim(
    "TH-R4.11", r"$D_{\mathrm{KL}}(\mathbb M_{\nu,\pi}\|\mathbb M_{\lambda,\pi})\le<factor>\,\varepsilon\,\mathbb "
    r"E_{\nu,\pi}[\sum_{t\le\tau}t_{a_t}]$, $t_a=\mathrm{TV}(\nu_a\|\lambda_a)$, the sum over the collected rewards.",
    domain=PAIRS, constants={"factor": 1}, mutations=[mutation("three quarters", factor="3/4")],
    strongest="enumeration",
)  # fmt: skip
def stopping_time_decomposition(check: Check) -> None:
    """Randomised response on one reward attains epsilon tanh(epsilon / 2) of epsilon."""
    routes = ("relative entropy of the output laws", "tightest epsilon, expected pulls and total variations")
    check.enumerate(decomposition, pairs_of_instances(), rational=True, routes=routes)
