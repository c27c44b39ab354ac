"""Checks of the instance-dependent regret lower bound for linear bandits (Theorem 4.18) of the thesis."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.coupled_environment import policy_named, privacy_ratio
from banditproof.paper_checks.linear_designs import expected_pulls, information, mapped, ratio_of, solved
from banditproof.paper_checks.register import claim, mutation
from banditproof.paper_checks.response_ucb import inner, regret_coefficient, response_ucb_kernel
from banditproof.theory.linear_lower_bound import linear_regret_constant
from banditproof.theory.numeric import exp, log, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.enumeration import view_epsilon
from banditproof.verify.symbolic import SymbolicArgument

Rows = Sequence[Sequence[Any]]
Sides = tuple[Any, str, Any]
Point = dict[str, Any]

NEARLY_PARALLEL = [[Fraction(1), Fraction(1, 100)], [Fraction(1), Fraction(-1, 100)]]
MEANS_ONE_AND_ZERO = [Fraction(1, 2), Fraction(50)]  # <a, theta> on these two actions
INSTANCES = Domain.of(policy="all: every consistent epsilon-View DP policy",
                      actions="all: every finite set of actions that spans",
                      theta="all: every parameter with one best action", epsilon="(0, inf)")  # fmt: skip
BOUND = (r"Every consistent $\varepsilon$-View DP policy of the linear bandit with unit Gaussian noise has "
         r"$\liminf_T\mathrm{Reg}_T/\log T\ge\inf_\alpha\sum_a\alpha(a)\Delta_a$ subject to "
         r"$\|a\|^2_{H_\alpha^{-1}}\le\min\{\frac12\Delta_a^2,<share>\,\varepsilon\rho_a\Delta_a\}$, ")  # fmt: skip
PRINTED = r"$\rho_a=\sum_{a_j\ne0}|a_j^\top(a-a^*)|/\|a_j\|^2$."
BASES = r"$\rho_a$ the largest $\ell_1$ norm of the coordinates of $a-a^*$ in a basis made of actions."


def constant_of(actions: Rows, theta: Sequence[Any], epsilon: Any, share: Any, ratio: str) -> Any:
    """c(A, theta) as a ball; another share than 1/2 is another budget."""
    return linear_regret_constant(actions, theta, Fraction(epsilon) * 2 * Fraction(share), ratio=ratio).value.ball()


def regret_of_response_ucb(
    actions: Rows, theta: Sequence[Any], epsilon: Any, share: Any, ratio: str, times: Any = 1
) -> Sides:
    """An upper bound of limsup Reg_T / log T of a consistent private policy (see `response_ucb`) against the bound."""
    return regret_coefficient(actions, theta, epsilon), ">=", constant_of(actions, theta, epsilon, share, ratio) * times


def against_response_ucb(check: Check, epsilon: Any = Fraction(1)) -> None:
    """The instance is the two-armed Gaussian bandit with means 1 and 0, whose regret constant does not depend on how
    its arms are drawn in the plane; rho_a does: it is 4 h^2 / (1 + h^2) for the arms (1, h), (1, -h), and the printed
    constant 2 / (epsilon rho_a) exceeds every bound as h falls.

    The policy plays UCB1 on randomised responses to the signs of rewards. Its privacy and its regret,
    sum_a 8 Delta_a / g_a^2 with g_a = tanh(epsilon / 2) (Phi(1) - Phi(0)), are derived in `response_ucb`.
    """
    point = {"policy": "UCB1 on randomised responses", "actions": NEARLY_PARALLEL, "theta": MEANS_ONE_AND_ZERO}
    check.counterexample(regret_of_response_ucb, point | {"epsilon": epsilon}, rational=True)


@claim("TH-T4.18", BOUND + PRINTED + " (The theorem only says 'a structure dependent constant'; this is Lemma B.1's.)",
       domain=INSTANCES, constants={"share": "1/2", "ratio": "printed"},
       strongest="certificate")  # fmt: skip
def theorem(check: Check) -> None:
    against_response_ucb(check)


@claim("TH-T4.18/three-epsilon", "(last display of the proof, 3 in place of 1/2) " + BOUND + PRINTED, domain=INSTANCES,
       role="reading", constants={"share": 3, "ratio": "printed"}, strongest="certificate")  # fmt: skip
def theorem_with_three(check: Check) -> None:
    against_response_ucb(check)


# ------------------------------------------------------------------------------------- the argument at a finite horizon


def means_of(actions: Rows, theta: Sequence[Any]) -> list[Fraction]:
    return [inner(a, theta) for a in actions]


def regret(pulls: Sequence[Any], means: Sequence[Fraction]) -> Any:
    best = max(means)
    return sum((count * to_ball(best - mean) for count, mean in zip(pulls, means, strict=True)), to_ball(0))


def two_environments(policy: Sequence[Any], actions: Rows, theta: Sequence[Any], action: int, alpha: Any) -> Any:
    """(Reg_T + Reg'_T, |a - a*|^2 in the norm of G^-1, Delta_a), all certain.

    theta' = theta + (Delta_a + alpha) G^-1 (a - a*) / |a - a*|^2. G is that of weights w just above E N, which only
    makes the divergences that follow larger: they are sums of w_j times nonnegative terms.
    """
    means = means_of(actions, theta)
    best = means.index(max(means))
    pulls = expected_pulls(policy, means)
    weights = [Fraction(math.ceil(float((1000 * n).upper()) + 1e-9), 1000) for n in pulls]
    move = [Fraction(x) - Fraction(y) for x, y in zip(actions[action], actions[best], strict=True)]
    direction = solved(information(actions, weights), move)
    norm, gap = inner(move, direction), means[best] - means[action]
    other = [Fraction(t) + (gap + Fraction(alpha)) / norm * v for t, v in zip(theta, direction, strict=True)]
    there = means_of(actions, other)
    return regret(pulls, means) + regret(expected_pulls(policy, there), there), norm, gap


def private_form(policy: Any, actions: Rows, theta: Any, action: int, alpha: Any, factor: Any, ratio: str) -> Sides:
    total, norm, gap = two_environments(policy, actions, theta, action, alpha)
    means = means_of(actions, theta)
    rho = ratio_of(actions, action, means.index(max(means)), ratio)
    exponent = log(to_ball(privacy_ratio(policy))) * to_ball((gap + Fraction(alpha)) * rho / (2 * norm))
    return total, ">=", to_ball(factor * policy_named(policy).horizon * Fraction(alpha)) * exp(-exponent)


THREE_ARMS: list[tuple[list[list[Any]], list[Any]]] = [
    ([[1, 0], [0, 1], [1, 1]], [Fraction(1, 2), Fraction(-1, 4)]),
    ([[1, 0], [0, 1], [Fraction(9, 10), Fraction(1, 5)]], [1, 0]),
    ([[1, Fraction(1, 100)], [1, Fraction(-1, 100)], [0, 1]], [Fraction(1, 2), 50]),
]
POLICIES: list[list[Any]] = [
    ["random", 1, 4, 3],
    ["random", 2, 4, 3],
    ["response", Fraction(2), 4, 3],
    ["response", Fraction(9), 4, 3],
    ["constant", Fraction(9, 10), 4, 3],
]


def finite_points() -> list[Point]:
    points = []
    for actions, theta in THREE_ARMS:
        means = means_of(actions, theta)
        gaps = [max(means) - m for m in means]
        alpha = min(g for g in gaps if g) * Fraction(9, 10)
        points += [{"policy": p, "actions": actions, "theta": theta, "action": a, "alpha": alpha}
                   for p in POLICIES for a, gap in enumerate(gaps) if gap]  # fmt: skip
    return points


FINITE = Domain.of(policy="all: every epsilon-View DP policy", actions="all: every finite set of actions that spans",
                   theta="all: every parameter with one best action", action="all: every suboptimal action",
                   alpha="all: every positive number at most the smallest gap")  # fmt: skip
FINITE_FORM = {
    "statement": r"(B.8) with $\rho_a$ in place of $\rho_T(H)$: $\mathrm{Reg}_T+\mathrm{Reg}'_T\ge<factor>\,T\alpha\,"
    r"\exp\bigl(-\frac{\varepsilon(\Delta_a+\alpha)\rho_a}{2\|a-a^*\|^2_{\bar G_T^{-1}}}\bigr)$ for every $T$ and "
    r"$\alpha\le\Delta_{\min}$, " + BASES,
    "domain": FINITE, "constants": {"factor": "1/4", "ratio": "bases"},
    "mutations": [mutation("factor 4", factor="4", ratio="bases", gradual=False)],
}  # fmt: skip


@claim("TH-T4.18/finite-horizon", role="step", **FINITE_FORM)
def finite_horizon(check: Check) -> None:
    """The change of measure at a finite horizon: Bretagnolle-Huber, the decomposition of Theorem 4.9, and the l1 norm
    of coordinates in place of Lemma B.1. With a fixed alternative and E N growing this gives the theorem with the
    invariant ratio; that limit over all policies is not a finite statement.
    """
    check.enumerate(
        private_form, finite_points(), rational=True, routes=("exact regret of finite policies", "bound of the proof")
    )


REPAIRED = {
    "statement": BOUND + BASES, "domain": INSTANCES, "role": "repair",
    "constants": {"share": "1/2", "ratio": "bases", "times": 1},
    "mutations": [mutation("fifty times the bound", share="1/2", ratio="bases", times=50, gradual=False),
                  mutation("the printed ratio", share="1/2", ratio="printed", times=1, gradual=False)],
}  # fmt: skip


@claim("TH-T4.18/three-epsilon-with-bases", repairs="TH-T4.18/three-epsilon", **REPAIRED)
@claim("TH-T4.18/with-bases", repairs="TH-T4.18", **REPAIRED)
def theorem_with_bases(check: Check) -> None:
    """What the argument gives once Lemma B.1 has its invariant ratio (TH-L-B1/bases, TH-T4.18/finite-horizon)."""
    name = {"policy": "UCB1 on randomised responses"}
    points = [
        name | {"actions": actions, "theta": theta, "epsilon": Fraction(e)}
        for actions, theta in [(NEARLY_PARALLEL, MEANS_ONE_AND_ZERO), ([[1, 0], [0, 1]], [Fraction(1, 4), 0])]
        for e in ("1/8", "1", "8")
    ]
    check.enumerate(
        regret_of_response_ucb, points, rational=True, routes=("regret of a private policy", "structured program")
    )


# ------------------------------------------------------------------------------------------------- what the ratio is


def same_ratio(actions: Rows, matrix: Rows, action: int, best: int, ratio: str) -> Sides:
    return ratio_of(mapped(matrix, actions), action, best, ratio), "==", ratio_of(actions, action, best, ratio)


CHANGES = Domain.of(actions="all: every finite set of actions that spans", matrix="all: every invertible matrix",
                    action="all: every suboptimal action", best="all: the best action")  # fmt: skip
INVARIANT = (r"The bandit does not change under $a\mapsto Ba$, $\theta\mapsto B^{-\top}\theta$ (same rewards), nor "
             r"does $\rho_a$: $\rho_a(BA)=\rho_a(A)$, ")  # fmt: skip
MATRICES: list[list[list[Any]]] = [[[1, 1], [Fraction(1, 100), Fraction(-1, 100)]], [[2, 0], [0, 3]], [[1, 5], [0, 1]]]


@claim("TH-T4.18/invariance", INVARIANT + PRINTED, domain=CHANGES, role="implication", constants={"ratio": "printed"},
       strongest="enumeration")  # fmt: skip
def printed_ratio_is_invariant(check: Check) -> None:
    point = {"actions": [[1, 0], [0, 1]], "matrix": MATRICES[0], "action": 1, "best": 0}
    check.counterexample(same_ratio, point, rational=True)


@claim("TH-T4.18/invariance-of-bases", INVARIANT + BASES, domain=CHANGES, role="repair",
       repairs="TH-T4.18/invariance", constants={"ratio": "bases"},
       mutations=[mutation("the printed ratio", ratio="printed")])  # fmt: skip
def ratio_over_bases_is_invariant(check: Check) -> None:
    points = [{"actions": actions, "matrix": matrix, "action": 1, "best": 0}
              for matrix in MATRICES for actions, _ in THREE_ARMS]  # fmt: skip
    check.enumerate(same_ratio, points, rational=True, routes=("after a change of coordinates", "before it"))


def off_orthonormal(epsilon: Any, gaps: Sequence[Any], factor: Any) -> Sides:
    """The program for orthonormal arms against sum of max(2 / Delta, 1 / epsilon), relative distance."""
    size = len(gaps) + 1
    actions = [[int(i == j) for i in range(size)] for j in range(size)]
    theta = [0, *(-Fraction(g) for g in gaps)]
    value = linear_regret_constant(actions, theta, Fraction(epsilon)).value.ball()
    closed = to_ball(sum((max(2 / Fraction(g), 1 / Fraction(epsilon)) for g in gaps), Fraction(0)))
    return abs(value / (closed * to_ball(factor)) - 1), "<=", to_ball(Fraction(1, 10**9))


@claim("TH-T4.18/orthonormal", r"For orthonormal arms the constant is $<factor>\sum_a\max\{2/\Delta_a,1/\varepsilon\}$ "
       r"(to a relative $10^{-9}$).",
       domain=Domain.of(epsilon="all: positive budgets", gaps="all: positive gaps of finitely many arms"),
       role="implication", constants={"factor": 1}, mutations=[mutation("1 % more", factor="101/100")])  # fmt: skip
def orthonormal_arms(check: Check) -> None:
    points = [{"epsilon": Fraction(e), "gaps": [Fraction(g) for g in gaps]}
              for e in ("1/100", "1/2", "3") for gaps in (("1/2",), ("1", "1/3"), ("1/10", "1", "5"))]  # fmt: skip
    check.enumerate(off_orthonormal, points, rational=True, routes=("convex program, dual certificate", "closed form"))


def scaled_variation(gap: Any, factor: Any) -> Sides:
    """TV(N(0, 1), N(gap, 1)) / gap = 1F1(1/2; 3/2; -gap^2/8) / sqrt(2 pi)."""
    from flint import arb

    half, square = to_ball(Fraction(1, 2)), -gap * gap / 8
    return square.hypgeom_1f1(half, 3 * half) / (2 * arb.pi()).sqrt(), "<=", factor


@claim("TH-T4.18/weaker-than-4.16",
       r"For a basis the bound is no stronger than Theorem 4.16, whose terms have $\varepsilon\mathrm{TV}$ in place of "
       r"$\varepsilon\Delta_a$: $\mathrm{TV}(\mathcal N(0,1),\mathcal N(\Delta,1))\le<factor>\Delta$.",
       domain=Domain.of(gap="(0, inf)"), role="implication", constants={"factor": 1},
       mutations=[mutation("39/100", factor="39/100")], strongest="interval")  # fmt: skip
def no_stronger_than_the_unstructured_bound(check: Check) -> None:
    hints = [{"gap": Fraction(1, n)} for n in (10, 100)]
    if not check.search(scaled_variation, hints):
        routes = ("confluent hypergeometric function", "constant")
        check.interval(scaled_variation, check.domain.restrict(gap="(0, 4]"), routes=routes)
        check.symbolic(tail_variation, beyond_four, check.domain.restrict(gap="[4, inf)"))


def tail_variation(gap: Any, factor: Any) -> Sides:
    """TV <= 1, and 1 <= factor gap."""
    return 1 + 0 * gap, "<=", factor * gap


def beyond_four(factor: Any) -> SymbolicArgument:
    import sympy

    more = sympy.Symbol("more", nonnegative=True)
    return SymbolicArgument({"gap": 4 + more}, factor * more + (4 * factor - 1), "nonnegative")


# ------------------------------------------------------------------------------------------------- steps and readings


def feasible_at_zero(actions: Rows, theta: Any, epsilon: Any, offset: Any) -> Sides:
    """The value of alpha = 0 under |a|^2 <= b_a in the norm of H_alpha = 0, if that is feasible (b_a >= 0)."""
    means = means_of(actions, theta)
    best = means.index(max(means))
    bounds = [min((means[best] - m) ** 2, Fraction(epsilon) * ratio_of(actions, a, best, "printed")
                  * (means[best] - m)) / 2 for a, m in enumerate(means) if a != best]  # fmt: skip
    return (Fraction(0) if min(bounds) >= 0 else Fraction(1)), "==", Fraction(offset)


@claim("TH-T4.18/without-inverse",
       r"(as printed in B.3) With $\|a\|^2_{H_\alpha}$ in the constraint, $\alpha=0$ is feasible and the constant is "
       r"$<offset>$: the bound says nothing.",
       domain=Domain.of(actions="all: every finite set of actions that spans",
                        theta="all: every parameter with one best action", epsilon="(0, inf)"),
       role="reading", constants={"offset": 0},
       mutations=[mutation("1/100", offset="1/100")])  # fmt: skip
def without_the_inverse(check: Check) -> None:
    points = [{"actions": actions, "theta": theta, "epsilon": Fraction(1, 2)} for actions, theta in THREE_ARMS]
    listed = check.domain.restrict(actions="all: 3 listed cases", theta="all: 3 listed cases", epsilon="[1/2, 1/2]")
    check.enumerate(feasible_at_zero, points, covers=listed, rational=True, routes=("value at 0", "constant"))


def private_ratio_of_the_policy(horizon: int, arms: int, ratio: Any, stated: Any) -> Sides:
    return Fraction(view_epsilon(response_ucb_kernel(horizon, arms, Fraction(ratio))).ratio), "<=", ratio * stated


@claim("TH-T4.18/policy-of-the-counterexample",
       r"UCB1 on randomised responses with $e^\varepsilon=r$ is $\varepsilon$-View DP: its likelihood ratios are at "
       r"most $<stated>\,r$.",
       domain=Domain.of(horizon="integer [1, inf)", arms="integer [2, inf)", ratio="(1, inf)"), role="remark",
       constants={"stated": 1}, mutations=[mutation("0.9", stated="9/10", gradual=False)])  # fmt: skip
def the_policy_is_private(check: Check) -> None:
    grid = {"horizon": [2, 3, check.pick(4, 5)], "arms": [2], "ratio": ["3/2", "3"]}
    check.enumerate(private_ratio_of_the_policy, grid, rational=True, routes=("all pairs of reward lists", "ratio"))
