"""Section 3.7, page 73: users with several records, privacy of single decisions, contexts, best-arm identification."""

from fractions import Fraction
from itertools import product
from math import inf
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.shared.policies import kernel, shapes
from banditproof.theory.numbers.exact_numbers import check_count
from banditproof.verify import FiniteKernel, hockey_stick, largest_ratio, likelihood_ratio, random_law
from banditproof.verify.finite.kernels import History, Row

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


def view_within_steps(T: int, K: int, policy: Any, spared: int) -> Sides:
    pi = policy_of(T, K, policy)
    once = instantaneous_ratio(pi)
    return largest_ratio(pi, "view").ratio, "<=", inf if once == inf else once ** (T - spared)


def random_and_remembering(check: Check) -> list[dict[str, Any]]:
    return shapes(check) + [{"T": T, "K": 2, "policy": REMEMBERS} for T in (1, 2, 3, 4)]


BY_DECISIONS = enumerated(random_and_remembering, rational=True, routes=("worst lists", "power of one decision"))


@claim("TH-S3.7b/sharp", BY_DECISIONS, false={"spared": 2}, role="remark")
def sharp_instantaneous_privacy(T: Count, K: Count, policy: Policy, spared=1):
    r"""The same with $(T-1)\varepsilon$, the best there is: the decision at the step of the changed reward does not see
    it.

    Equality holds for a policy whose T - 1 later decisions are independent randomised responses on the first reward.
    """
    return view_within_steps(T, K, policy, spared)


Round = tuple[int, int]  # context, reward
CHANGES: list[Round] = list(product((0, 1), (0, 1)))  # of the context and the reward of one round


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


def _marginal(law: dict[tuple[int, ...], Fraction], start: int) -> dict[tuple[int, ...], Fraction]:
    out: dict[tuple[int, ...], Fraction] = {}
    for played, weight in law.items():
        out[played[start:]] = out.get(played[start:], Fraction(0)) + weight
    return out


def neighbours(T: int) -> list[tuple[tuple[Round, ...], tuple[Round, ...], int]]:
    """All pairs of sequences that agree but at step t, and t."""
    sequences = list(product(CHANGES, repeat=T))
    return [
        (left, left[:t] + (change,) + left[t + 1 :], t) for left in sequences for t in range(T) for change in CHANGES
    ]


@quantity
def worst_later_ratio(T: int, ratio: Fraction, included: int) -> Fraction:
    """The worst ratio, over t-neighbours of up to 3 rounds, of the laws of the actions after step t - included."""
    worst = Fraction(1)
    for left, right, t in neighbours(check_count("T", T, 1, 3)):
        later = [_marginal(contextual_law(rounds, ratio), t + 1 - included) for rounds in (left, right)]
        worst = max(worst, Fraction(likelihood_ratio(*later)[0]))
    return worst


def laws_of_actions(policy: str, T: int, ratio: Fraction) -> dict[tuple[Round, ...], dict[tuple[int, ...], Fraction]]:
    """The law of the actions on each sequence of up to 3 rounds."""
    if policy != "response":
        raise InvalidInput("policy", policy, "the response")
    return {rounds: contextual_law(rounds, ratio) for rounds in product(CHANGES, repeat=check_count("T", T, 1, 3))}


@quantity
def worst_ratio_of_all_actions(policy: str, T: int, ratio: Fraction) -> Fraction:
    """e^epsilon of the whole sequence of actions."""
    laws = laws_of_actions(policy, T, ratio)
    return max(Fraction(likelihood_ratio(laws[left], laws[right])[0]) for left, right, _ in neighbours(T))


@quantity
def expected_errors(policy: str, T: int, ratio: Fraction) -> Fraction:
    """How often an action is not the context, on average over all sequences of rounds."""
    laws = laws_of_actions(policy, T, ratio)
    wrong = (
        weight * sum(arm != context for arm, (context, _) in zip(played, rounds, strict=True))
        for rounds, law in laws.items()
        for played, weight in law.items()
    )
    return sum(wrong, Fraction(0)) / len(laws)


@claim(
    "TH-D3.17",
    enumerated(T=[1, 2, 3], ratio=[1, 3, 10], rational=True, routes=("worst later actions", "ratio of the response")),
    false=[{"included": 1}, {"factor": "1.01"}],
)
def joint_privacy(T: Count, ratio: AtLeastOne, factor=1, included=0):
    r"""JDP compares $\Pr\{\pi(S)\in E_{>t}\}$ and $\Pr\{\pi(S')\in E_{>t}\}$: a policy that plays the current context,
    moved by a randomised response with ratio $e^\varepsilon$ on the last round, is exactly $\varepsilon$-JDP, though
    the action at step $t$ tells its context.

    The worst ratio of the actions after step t - ``included`` over t-neighbours is compared with the ratio of the
    randomised response.
    """
    return worst_later_ratio(T, ratio, included), "==", factor * where(T, ">", 1, ratio, 1)


@claim(
    "TH-S3.7d",
    enumerated(
        policy="response",
        T=[1, 2, 3],
        ratio=[1, 2, 9],
        rational=True,
        routes=("exact expected errors", "bound at the exact epsilon"),
    ),
    false={"factor": "1.01"},
)
def linear_regret(
    policy: Annotated[Any, "all: every private contextual policy"], T: Count, ratio: AtLeastOne, factor=1
):
    r"""If contexts are private and the whole action sequence is published, regret is linear: on two contexts with
    different best arms, a policy that is $\varepsilon$-DP for the whole sequence errs at least $T/(1+e^\varepsilon)$
    times on average over the contexts.

    Each step is one pair of neighbouring sequences, so the bound for one step holds at every step. The check uses
    policies that play the current context through a randomised response; at T = 1 they attain the bound.
    """
    return expected_errors(policy, T, ratio), ">=", factor * T / (1 + worst_ratio_of_all_actions(policy, T, ratio))


@claim(
    "TH-S3.7d/decision-sets", enumerated(policy=range(5), ratio=[1, 10, 10**6], rational=True), false={"delta": "0.99"}
)
def ill_defined_with_decision_sets(policy: Policy, ratio: AtLeastOne, delta=1):
    r"""With disjoint decision sets $\mathcal A_t$, $\mathcal A'_t$ for two contexts, publishing $a_t$ needs $\delta=1$
    at every $\varepsilon$.

    The event 'a_t lies in the first decision set' has probability one under one context and zero under the other.
    """
    left = {("A", k): p for k, p in enumerate(random_law(policy, "A", 3))}
    right = {("B", k): p for k, p in enumerate(random_law(policy, "B", 3))}
    return hockey_stick(left, right, ratio)[0], "==", delta
