"""Section 3.7 of the thesis: instantaneous privacy, and private contexts."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import inf
from typing import Any

from banditproof.paper_checks.bernoulli_dp_definitions import EVERY_POLICY, kernel, shapes
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation
from banditproof.verify.channels import hockey_stick, likelihood_ratio
from banditproof.verify.domain import Domain
from banditproof.verify.kernels import FiniteKernel, History, Row, random_law
from banditproof.verify.policy_privacy import largest_ratio
from banditproof.verify.symbolic import SymbolicArgument

REMEMBERS = "every decision answers about the first reward"


def policy_of(T: int, K: int, policy: Any) -> FiniteKernel:
    """Random policy number ``policy``, or one whose decisions are independent randomised responses on one reward."""

    def probability(history: History) -> Row:
        likely = Fraction(3, 4) if history and history[0][1] else Fraction(1, 4)
        return (likely, 1 - likely) if history else (Fraction(1, 2), Fraction(1, 2))

    return FiniteKernel(T, 2, (0, 1), probability) if policy == REMEMBERS else kernel(T, K, policy)


def instantaneous_ratio(pi: FiniteKernel) -> Fraction | float:
    """e^epsilon of instantaneous privacy: the worst single decision over histories that differ in one reward."""
    worst: Fraction | float = Fraction(1)
    for history in pi.histories():
        for t, reward in product(range(len(history)), pi.rewards):
            other = (*history[:t], (history[t][0], reward), *history[t + 1 :])
            rows = (dict(enumerate(pi.probability(h))) for h in (history, other))
            worst = max(worst, likelihood_ratio(*rows)[0])
    return worst


def view_within_steps(T: int, K: int, policy: Any, spared: int) -> tuple[Any, str, Any]:
    pi = policy_of(T, K, policy)
    once = instantaneous_ratio(pi)
    return largest_ratio(pi, "view").ratio, "<=", inf if once == inf else once ** (T - spared)


def steps(check: Check) -> list[dict[str, Any]]:
    return shapes(check) + [{"T": T, "K": 2, "policy": REMEMBERS} for T in (1, 2, 3, 4)]


@claim(
    "TH-S3.7b",
    r"If $\pi_t(a\mid H)\le e^\varepsilon\pi_t(a\mid H')$ for all $t$, $a$ and neighbouring histories then $\pi$ is "
    r"$((T-<spared>)\varepsilon)$-View DP.",
    domain=EVERY_POLICY,
    constants={"spared": 0},
    mutations=[mutation("two steps less", spared=2)],
    strongest="enumeration",
)
def instantaneous_privacy(check: Check) -> None:
    """The worst ratio over lists against powers of the worst ratio of a decision (histories with the same actions)."""
    check.enumerate(view_within_steps, steps(check), rational=True, routes=("worst lists", "power of one decision"))


@claim(
    "TH-S3.7b/sharp",
    r"The same with $(T-<spared>)\varepsilon$, the best there is: the decision at the step of the changed reward does "
    r"not see it.",
    role="remark",
    domain=EVERY_POLICY,
    constants={"spared": 1},
    mutations=[mutation("two steps less", spared=2)],
    strongest="enumeration",
)
def sharp_instantaneous_privacy(check: Check) -> None:
    """Attained by a policy whose T - 1 later decisions are independent randomised responses on the first reward."""
    check.enumerate(view_within_steps, steps(check), rational=True, routes=("worst lists", "power of one decision"))


# -- private contexts -----------------------------------------------------------------------------------------

Round = tuple[int, int]  # context, reward


def apart_in_one_round(T: int, allowed: int) -> tuple[Any, str, Any]:
    """Pairs of sequences that are t-neighbours for some t, against pairs at distance at most ``allowed``."""
    sequences = list(product(product((0, 1), (0, 1)), repeat=T))
    pairs = list(product(sequences, repeat=2))
    neighbours = sum(any(_agree_except(a, b, t) for t in range(T)) for a, b in pairs)
    return neighbours, "==", sum(sum(x != y for x, y in zip(a, b, strict=True)) <= allowed for a, b in pairs)


def _agree_except(left: Any, right: Any, t: int) -> bool:
    return all(left[s] == right[s] for s in range(len(left)) if s != t)


@claim(
    "TH-D3.16",
    r"Context-reward sequences are $t$-neighbours when they agree at all $s\ne t$: for some $t$ exactly when their "
    r"Hamming distance is at most $<allowed>$.",
    domain=Domain.of(T="integer [1, inf)"),
    constants={"allowed": 1},
    mutations=[mutation("two rounds", allowed=2)],
    strongest="enumeration",
)
def neighbouring_sequences(check: Check) -> None:
    """All pairs of sequences with two contexts and two rewards."""
    check.enumerate(apart_in_one_round, {"T": [1, 2, 3]}, rational=True, routes=("t-neighbours", "Hamming distance"))


def contextual_law(rounds: tuple[Round, ...], ratio: Fraction) -> dict[tuple[int, ...], Fraction]:
    """A policy that plays the current context, moved by a randomised response on the last round."""
    law: dict[tuple[int, ...], Fraction] = {(): Fraction(1)}
    secret = 0
    for context, reward in rounds:
        likely = ratio / (1 + ratio)
        law = {
            (*played, arm): weight * (likely if arm == context ^ secret else 1 - likely)
            for played, weight in law.items()
            for arm in (0, 1)
        }
        secret = context ^ reward
    return law


def joint_ratio(T: int, ratio: Fraction, included: int, factor: Fraction) -> tuple[Any, str, Any]:
    """The worst ratio of the actions after step t - ``included`` over t-neighbours, against the response's."""
    worst: Fraction | float = Fraction(1)
    sequences = list(product(product((0, 1), (0, 1)), repeat=T))
    for t in range(T):
        for left in sequences:
            for right in (left[:t] + (change,) + left[t + 1 :] for change in product((0, 1), (0, 1))):
                later = [_marginal(contextual_law(s, ratio), t + 1 - included) for s in (left, right)]
                worst = max(worst, likelihood_ratio(*later)[0])
    return worst, "==", factor * (ratio if T > 1 else 1)


def _marginal(law: dict[tuple[int, ...], Fraction], start: int) -> dict[tuple[int, ...], Fraction]:
    out: dict[tuple[int, ...], Fraction] = {}
    for played, weight in law.items():
        out[played[start:]] = out.get(played[start:], Fraction(0)) + weight
    return out


@claim(
    "TH-D3.17",
    r"JDP compares $\Pr\{\pi(S)\in E_{>t}\}$ and $\Pr\{\pi(S')\in E_{>t}\}$: a policy that plays the current context, "
    r"moved by a randomised response with ratio $e^\varepsilon$ on the last round, is exactly $\varepsilon$-JDP "
    r"(factor $<factor>$), though the action at step $t$ tells its context.",
    domain=Domain.of(T="integer [1, inf)", ratio="[1, inf)"),
    constants={"factor": 1, "included": 0},
    mutations=[mutation("the action at step t counts", included=1), mutation("factor 1.01", factor="1.01")],
    strongest="enumeration",
)
def joint_privacy(check: Check) -> None:
    """The worst ratio over all t and t-neighbours in rationals."""
    over = {"T": [1, 2, 3], "ratio": [Fraction(1), Fraction(3), Fraction(10)]}
    check.enumerate(joint_ratio, over, rational=True, routes=("worst later actions", "ratio of the response"))


def average_error(slack: Any, ratio: Any, delta: Any, factor: Any) -> tuple[Any, str, Any]:
    """Mean of the two error probabilities u, v with (1-u) + (1-v) + slack = ratio (u + v) + 2 delta."""
    return factor * (1 - delta) / (1 + ratio), "<=", (1 - delta + slack / 2) / (1 + ratio)


def error_argument(factor: Any) -> SymbolicArgument:
    import sympy

    slack, grown, moved = sympy.symbols("slack grown moved", nonnegative=True)
    delta, ratio = moved / (1 + moved), 1 + grown
    certificate = (1 - delta) * (1 - factor) / (1 + ratio) + slack / 2 / (1 + ratio)
    return SymbolicArgument({"slack": slack, "ratio": ratio, "delta": delta}, sympy.factor(certificate), "nonnegative")


@claim(
    "TH-S3.7d/one-step",
    r"If the best arm differs between two contexts then $\Pr[a\mid c]\le e^\varepsilon\Pr[a\mid c']+\delta$ forces an "
    r"error probability of at least $<factor>\frac{1-\delta}{1+e^\varepsilon}$ on average over the two contexts.",
    domain=Domain.of(slack="[0, inf)", ratio="[1, inf)", delta="[0, 1)"),
    constants={"factor": 1},
    mutations=[mutation("1 % more", factor="1.01")],
    strongest="symbolic",
)
def error_of_one_step(check: Check) -> None:
    """The inequalities 1-u <= e^eps v + delta and 1-v <= e^eps u + delta are added; slack is what they leave."""
    check.symbolic(average_error, error_argument, routes=("bound on the error", "sum of both inequalities"))


def regret_of_a_private_policy(T: int, ratio: Fraction, factor: Fraction) -> tuple[Any, str, Any]:
    """Mean number of errors over all context sequences, against T steps at the epsilon of the whole sequence."""
    sequences = list(product(product((0, 1), (0, 1)), repeat=T))
    worst: Fraction | float = Fraction(1)
    errors = Fraction(0)
    for rounds in sequences:
        law = contextual_law(rounds, ratio)
        wrong = (w * sum(arm != c for arm, (c, _) in zip(played, rounds, strict=True)) for played, w in law.items())
        errors += sum(wrong, Fraction(0)) / len(sequences)
        for t in range(T):
            for change in product((0, 1), (0, 1)):
                other = contextual_law(rounds[:t] + (change,) + rounds[t + 1 :], ratio)
                worst = max(worst, likelihood_ratio(law, other)[0])
    return errors, ">=", factor * T / (1 + Fraction(worst))


@claim(
    "TH-S3.7d",
    r"If contexts are private and the whole action sequence is published, regret is linear: on two contexts with "
    r"different best arms, a policy that is $\varepsilon$-DP for the whole sequence errs at least "
    r"$<factor>\,T/(1+e^\varepsilon)$ times on average over the contexts.",
    domain=Domain.of(policy="all: every private contextual policy", T="integer [1, inf)", ratio="[1, inf)"),
    constants={"factor": 1},
    mutations=[mutation("factor 1.01", factor="1.01")],
    strongest="enumeration",
)
def linear_regret(check: Check) -> None:
    """Each step is one pair of neighbouring sequences, so the bound of one step holds at every step.

    Evaluated on policies that play the current context through a randomised response; at T = 1 they attain it.
    """
    points = [{"policy": "response", "T": T, "ratio": Fraction(r)} for T in (1, 2, 3) for r in (1, 2, 9)]
    check.enumerate(
        regret_of_a_private_policy,
        points,
        rational=True,
        routes=("exact expected errors", "bound at the exact epsilon"),
    )


def disjoint_sets(policy: int, ratio: Fraction, delta: Fraction) -> tuple[Any, str, Any]:
    """The excess between two laws on disjoint decision sets."""
    left = {("A", k): p for k, p in enumerate(random_law(policy, "A", 3))}
    right = {("B", k): p for k, p in enumerate(random_law(policy, "B", 3))}
    return hockey_stick(left, right, ratio)[0], "==", delta


@claim(
    "TH-S3.7d/decision-sets",
    r"With disjoint decision sets $\mathcal A_t$, $\mathcal A'_t$ for two contexts, publishing $a_t$ needs $\delta="
    r"<delta>$ at every $\varepsilon$.",
    domain=Domain.of(policy="all: every policy", ratio="[1, inf)"),
    constants={"delta": 1},
    mutations=[mutation("delta 0.99", delta="0.99")],
    strongest="enumeration",
)
def ill_defined_with_decision_sets(check: Check) -> None:
    """The event 'a_t lies in the first decision set' has probability one and zero."""
    points = [{"policy": s, "ratio": r} for s in range(5) for r in (Fraction(1), Fraction(10), Fraction(10**6))]
    check.enumerate(disjoint_sets, points, rational=True, routes=("hockey-stick divergence", "one"))
