r"""Section 4.3.1, page 94: the lower bound on the regret of one linear bandit, Theorem 4.18.

The theorem says 'a structure dependent constant' and Appendix B.3 defines one: with that constant the theorem is false,
and with one that does not depend on the coordinates it holds.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.shared.linear_designs import exact_rows, largest_span_ratio, mapped, printed_span_ratio
from banditproof.paper_checks.shared.lists import sum_over
from banditproof.paper_checks.shared.response_ucb import regret_coefficient, response_ucb_kernel
from banditproof.paper_checks.thesis.facts.linear import *
from banditproof.theory import linear_regret_constant
from banditproof.theory.privacy.wide_balls import normal_variation_over_gap
from banditproof.verify import view_epsilon
from banditproof.verify.privacy.named_policies import view_ratio

Actions = Annotated[Any, "all: every finite set of actions that spans"]


Parameter = Annotated[Any, "all: every parameter with one best action"]


Suboptimal = Annotated[Any, "all: every suboptimal action"]


Best = Annotated[Any, "all: the best action"]


Pulls = Annotated[Any, "all: every sequence of expected pulls"]


Consistent = Annotated[Any, "all: every consistent epsilon-View DP policy"]
ViewPrivate = Annotated[Any, "all: every epsilon-View DP policy"]
Invertible = Annotated[Any, "all: every invertible matrix"]


RESPONSE_UCB = "UCB1 on randomised responses"


@quantity
def rate_of_regret(policy: str, actions: Rows, theta: Sequence[Any], epsilon: Any) -> Any:
    """An upper bound of limsup Reg_T / log T of a consistent private policy (see `response_ucb`).

    It plays UCB1 on randomised responses to the signs of rewards. Its privacy and its regret, the sum of
    8 Delta_a / g_a^2 with g_a = tanh(epsilon / 2) (Phi(1) - Phi(0)), are derived in `response_ucb`.
    """
    if policy != RESPONSE_UCB:
        raise InvalidInput("policy", policy, RESPONSE_UCB)
    return regret_coefficient(actions, theta, epsilon)


@quantity
def constant_of_printed_ratios(actions: Rows, theta: Sequence[Any], price: Any) -> Any:
    """inf over alpha of sum alpha(a) Delta_a with |a|^2 <= min(Delta_a^2/2, price rho_a Delta_a), rho_a as printed."""
    return linear_regret_constant(actions, theta, 2 * Fraction(price), ratio="printed").value.ball()


@quantity
def constant_of_bases(actions: Rows, theta: Sequence[Any], price: Any) -> Any:
    """The same with the largest l1 norm of coordinates as rho_a."""
    return linear_regret_constant(actions, theta, 2 * Fraction(price), ratio="bases").value.ball()


MEANS_ONE_AND_ZERO = [Fraction(1, 2), Fraction(50)]  # <a, theta> on the two actions that are nearly parallel
CLOSE = [[1, "1/40"], [1, "-1/40"]]  # the same means on them with theta = (1/2, 20)
UCB1 = "the theory of UCB1: that it is private and consistent on randomised responses, and its bound on pulls of an arm"
BEATEN = fails_at(policy=RESPONSE_UCB, actions=CLOSE, theta=["1/2", 20], epsilon=1, rational=True)
CLOSER = [[1, "1/100"], [1, "-1/100"]]
BEATEN_SIX_TIMES = fails_at(policy=RESPONSE_UCB, actions=CLOSER, theta=["1/2", 50], epsilon=1, rational=True)


@claim(
    "TH-T4.18/constant-of-lemma-b1",
    BEATEN,
    cause="TH-L-B1",
    assuming=UCB1,
    called={
        "UCB1 on randomised responses, actions $(1,\\pm1/40)$ with means 1 and 0": "policy, actions, theta",
        r"an upper bound on $\mathrm{Reg}_T/\log T$ in the limit": "left",
        "the printed lower bound": "right",
    },
)
def bound_with_the_printed_ratio(policy: Consistent, actions: Actions, theta: Parameter, epsilon: Positive):
    r"""With $\rho_a=\sum_{a_j\ne0}|a_j^\top(a-a^*)|/\|a_j\|^2$ of Appendix B.3: every consistent $\varepsilon$-View DP
    policy of the linear bandit with unit Gaussian noise has $\liminf_T\mathrm{Reg}_T/\log
    T\ge\inf_\alpha\sum_a\alpha(a)\Delta_a$ subject to
    $\|a\|^2_{H_\alpha^{-1}}\le\min\{\frac12\Delta_a^2,\frac12\,\varepsilon\rho_a\Delta_a\}$.

    The actions $(1,h)$ and $(1,-h)$ with means 1 and 0 are a two-armed Gaussian bandit, whatever $h$ is. But rho_a = 4
    h^2/(1 + h^2) depends on h, and the printed bound, (1 + h^2)/(2 epsilon h^2), grows without limit as h decreases.
    UCB1 on randomised responses to the signs of the rewards is private and consistent, and its regret (left side) is
    below the bound (right side) at h = 1/40.

    The theorem needs a constant that does not change under a change of coordinates of the actions.
    """
    return (
        rate_of_regret(policy, actions, theta, epsilon),
        ">=",
        constant_of_printed_ratios(actions, theta, epsilon / 2),
    )


@claim(
    "TH-T4.18/three-epsilon",
    BEATEN_SIX_TIMES,
    role="step",
    assuming=UCB1,
    cause="TH-T4.18/constant-of-lemma-b1",
    called={
        r"UCB1 on randomised responses, actions $(1,\pm1/100)$ with means 1 and 0": "policy, actions, theta",
        r"an upper bound on $\mathrm{Reg}_T/\log T$ in the limit": "left",
        r"the lower bound with $3\varepsilon$": "right",
    },
)
def bound_with_three(policy: Consistent, actions: Actions, theta: Parameter, epsilon: Positive):
    r"""The last display of the proof has $3\varepsilon\Delta_a\rho_a$ where the theorem has
    $\frac12\varepsilon\Delta_a\rho_a$. With it: every consistent $\varepsilon$-View DP policy of the linear bandit with
    unit Gaussian noise has $\liminf_T\mathrm{Reg}_T/\log T\ge\inf_\alpha\sum_a\alpha(a)\Delta_a$ subject to
    $\|a\|^2_{H_\alpha^{-1}}\le\min\{\frac12\Delta_a^2,3\,\varepsilon\rho_a\Delta_a\}$,
    $\rho_a=\sum_{a_j\ne0}|a_j^\top(a-a^*)|/\|a_j\|^2$.

    The factor 3 is six times 1/2; Remark 4.10 removes this factor. The bound with 3 is six times smaller, and still
    grows without limit for the actions (1, h) and (1, -h) as h decreases.
    """
    return (
        rate_of_regret(policy, actions, theta, epsilon),
        ">=",
        constant_of_printed_ratios(actions, theta, 3 * epsilon),
    )


@claim(
    "TH-T4.18/with-bases",
    enumerated(
        [
            {"policy": RESPONSE_UCB, "actions": actions, "theta": theta, "epsilon": epsilon}
            for actions, theta in ((NEARLY_PARALLEL, MEANS_ONE_AND_ZERO), ([[1, 0], [0, 1]], [Fraction(1, 4), 0]))
            for epsilon in ("1/8", "1", "8")
        ],
        rational=True,
        routes=("regret of a private policy", "structured program"),
    ),
    false=mutation(ratio="printed"),
    repairs="TH-T4.18/constant-of-lemma-b1",
)
def bound_with_bases(policy: Consistent, actions: Actions, theta: Parameter, epsilon: Positive, ratio="bases"):
    r"""Every consistent $\varepsilon$-View DP policy of the linear bandit with unit Gaussian noise has
    $\liminf_T\mathrm{Reg}_T/\log T\ge\inf_\alpha\sum_a\alpha(a)\Delta_a$ subject to
    $\|a\|^2_{H_\alpha^{-1}}\le\min\{\frac12\Delta_a^2,\frac12\,\varepsilon\rho_a\Delta_a\}$, with $\rho_a$ the largest
    $\ell_1$ norm of the coordinates of $a-a^*$ in a basis made of actions.

    The argument gives this if Lemma B.1 has that constant (TH-L-B1/bases, TH-T4.18/finite-horizon).

    The regret of one policy shows only that the bound is not too large for it: 25 times the bound, or a 250th of
    the share, would pass as well. Nor do the short runs of TH-T4.18/finite-horizon see the share, which comes from
    the decomposition of Theorem 4.9.
    """
    constant = {"printed": constant_of_printed_ratios, "bases": constant_of_bases}[ratio]
    return rate_of_regret(policy, actions, theta, epsilon), ">=", constant(actions, theta, epsilon / 2)


@quantity
def view_odds(policy: Sequence[Any]) -> Fraction:
    """e^epsilon of the smallest epsilon for which a policy is epsilon-View DP."""
    return view_ratio(policy)


@claim("TH-T4.18/finite-horizon", enumerated(finite_points(), rational=True), role="step")
def finite_horizon(policy: ViewPrivate, actions: Actions, theta: Parameter, action: Suboptimal, alpha: Positive):
    r"""(B.8) with $\rho_a$ in place of $\rho_T(H)$:
    $\mathrm{Reg}_T+\mathrm{Reg}'_T\ge\frac14\,T\alpha\,\exp\bigl(-\frac{\varepsilon(\Delta_a+\alpha)\rho_a}{2\|a-a^*\|^2_{\bar
    G_T^{-1}}}\bigr)$ for every $T$ and $\alpha\le\Delta_{\min}$, $\rho_a$ the largest $\ell_1$ norm of the coordinates
    of $a-a^*$ in a basis made of actions.

    The change of measure at a finite horizon: Bretagnolle-Huber, the decomposition of Theorem 4.9, and the l1 norm of
    coordinates in place of Lemma B.1. With a fixed alternative and E N growing this gives the theorem with the
    invariant ratio; that limit over all policies is not a finite statement.

    Runs this short see neither the 2 in the exponent nor the size of the factor: four times as much would pass.
    """
    case, gap = (policy, actions, theta, action, alpha), gap_of_an_action(actions, theta, action)
    moved = (gap + alpha) * span_ratio_of_an_action(actions, theta, action)
    exponent = log(view_odds(policy)) * moved / (2 * norm_of_the_move(*case))
    return regret_of_two_parameters(*case), ">=", rounds_of(policy) * alpha * exp(-exponent) / 4


MATRICES: list[list[list[Any]]] = [[[1, 1], [Fraction(1, 100), Fraction(-1, 100)]], [[2, 0], [0, 3]], [[1, 5], [0, 1]]]


@quantity
def printed_ratio_after(matrix: Rows, actions: Rows, action: int, best: int) -> Fraction:
    """The printed rho_a of the actions B a."""
    return printed_span_ratio(mapped(matrix, actions), action, best)


@quantity
def ratio_after(matrix: Rows, actions: Rows, action: int, best: int) -> Fraction:
    """The largest l1 norm of coordinates for the actions B a."""
    return largest_span_ratio(mapped(matrix, actions), action, best)


@claim(
    "TH-T4.18/invariance",
    fails_at(actions=[[1, 0], [0, 1]], matrix=MATRICES[0], action=1, best=0, rational=True),
    role="implication",
    cause="TH-T4.18/constant-of-lemma-b1",
)
def printed_ratio_is_invariant(actions: Actions, matrix: Invertible, action: Suboptimal, best: Best, ratio="printed"):
    r"""The bandit does not change under $a\mapsto Ba$, $\theta\mapsto B^{-\top}\theta$ (same rewards), nor does
    $\rho_a$: $\rho_a(BA)=\rho_a(A)$, $\rho_a=\sum_{a_j\ne0}|a_j^\top(a-a^*)|/\|a_j\|^2$.

    This rho_a depends on lengths and angles, which a change of coordinates alters. The largest l1 norm of the
    coordinates of a - a* in a basis of actions does not change.
    """
    moved, own = {"printed": (printed_ratio_after, printed_span_ratio), "bases": (ratio_after, largest_span_ratio)}[
        ratio
    ]
    return moved(matrix, actions, action, best), "==", own(actions, action, best)


@repaired(
    "TH-T4.18/invariance-of-bases",
    "TH-T4.18/invariance",
    enumerated(actions=[actions for actions, _ in THREE_ARMS], matrix=MATRICES, action=1, best=0, rational=True),
)
def ratio_over_bases_is_invariant(ratio="bases"):
    r"""The bandit does not change under $a\mapsto Ba$, $\theta\mapsto B^{-\top}\theta$ (same rewards), nor does
    $\rho_a$: $\rho_a(BA)=\rho_a(A)$, $\rho_a$ the largest $\ell_1$ norm of the coordinates of $a-a^*$ in a basis made
    of actions."""


@quantity
def constant_of_orthonormal_arms(gaps: Sequence[Any], epsilon: Any) -> Any:
    """The constant for orthonormal actions, the first of them best."""
    size = len(gaps) + 1
    actions = [[int(i == j) for i in range(size)] for j in range(size)]
    return linear_regret_constant(actions, [0, *(-Fraction(g) for g in gaps)], Fraction(epsilon)).value.ball()


@claim(
    "TH-T4.18/orthonormal",
    enumerated(
        epsilon=["1/100", "1/2", "3"],
        gaps=[["1/2"], ["1", "1/3"], ["1/10", "1", "5"]],
        rational=True,
        routes=("convex program, dual certificate", "closed form"),
    ),
    role="implication",
)
def orthonormal_arms(epsilon: Positive, gaps: Annotated[Any, "all: positive gaps of finitely many arms"]):
    r"""For orthonormal arms the constant is $\sum_a\max\{2/\Delta_a,1/\varepsilon\}$ (to a relative $10^{-9}$)."""
    closed = sum_over(gaps, lambda _, gap: maximum(2 / gap, 1 / epsilon))
    return absolute(constant_of_orthonormal_arms(gaps, epsilon) / closed - 1), "<=", Fraction(1, 10**9)


@claim(
    "TH-T4.18/weaker-than-4.16",
    interval(substitutions={"gap": ("share", "(0, 1)", "2*share/(1 - share)")}),
    role="implication",
)
def no_stronger_than_the_unstructured_bound(gap: Positive, *, share=None):
    r"""For a basis the bound is no stronger than Theorem 4.16, whose terms have $\varepsilon\mathrm{TV}$ in place of
    $\varepsilon\Delta_a$: $\mathrm{TV}(\mathcal N(0,1),\mathcal N(\Delta,1))\le\Delta$.

    TV(N(0, 1), N(gap, 1)) / gap is half of (2 Phi(x) - 1)/x at x = gap/2; on boxes with share = x/(1 + x).
    """
    share = gap / (2 + gap) if share is None else share
    return normal_variation_over_gap(share), "<=", 2


@quantity
def least_bound_of_the_constraint(actions: Rows, theta: Sequence[Any], epsilon: Any) -> Fraction:
    """The least min(Delta_a^2/2, epsilon rho_a Delta_a/2) of an action that is not best."""
    means = means_of(actions, theta)
    best = means.index(max(means))
    gaps = [(a, means[best] - m) for a, m in enumerate(means) if a != best]
    return min(min(g * g, Fraction(epsilon) * printed_span_ratio(actions, a, best) * g) / 2 for a, g in gaps)


@claim(
    "TH-T4.18/without-inverse",
    enumerated(
        [{"actions": actions, "theta": theta, "epsilon": "1/2"} for actions, theta in THREE_ARMS],
        covers={"actions": "all: 3 listed cases", "theta": "all: 3 listed cases", "epsilon": "[1/2, 1/2]"},
        rational=True,
    ),
    role="reading",
)
def without_the_inverse(actions: Actions, theta: Parameter, epsilon: Positive):
    r"""(as printed in B.3) With $\|a\|^2_{H_\alpha}$ in the constraint, $\alpha=0$ is feasible and the constant is $0$:
    the bound says nothing.

    The value of alpha = 0 under |a|^2 <= b_a in the norm of H_alpha = 0, if that is feasible (b_a >= 0).
    """
    return least_bound_of_the_constraint(actions, theta, epsilon), ">=", 0


MOST_HISTORIES = 1024


@quantity
def odds_of_response_ucb(horizon: int, arms: int, ratio: Any) -> Fraction:
    """The largest likelihood ratio of its actions when one reward changes."""
    if (2 * arms) ** horizon > MOST_HISTORIES:
        raise InvalidInput("horizon", horizon, f"at most {MOST_HISTORIES} histories")
    return Fraction(view_epsilon(response_ucb_kernel(horizon, arms, Fraction(ratio))).ratio)


@claim(
    "TH-T4.18/policy-of-the-counterexample",
    enumerated(lambda check: {"horizon": [2, 3, check.pick(4, 5)], "arms": [2], "ratio": ["3/2", "3"]}, rational=True),
    role="remark",
)
def the_policy_is_private(horizon: Count, arms: TwoOrMore, ratio: AboveOne):
    r"""UCB1 on randomised responses with $e^\varepsilon=r$ is $\varepsilon$-View DP: its likelihood ratios are at most
    $r$."""
    return odds_of_response_ucb(horizon, arms, ratio), "<=", ratio


@quantity
def square_at_the_best_action(actions: Rows, rate: Any) -> Fraction:
    """a*^T H a* for two actions (a, a*), where E N_a / E N_a* tends to 0."""
    return inner(exact_rows(actions)[1], _direction(actions, rate)) ** 2


@quantity
def square_of_the_move(actions: Rows, rate: Any) -> Fraction:
    """|a - a*|^2 in H, the same."""
    return inner([x - y for x, y in zip(*exact_rows(actions), strict=True)], _direction(actions, rate)) ** 2


def _direction(actions: Rows, rate: Any) -> list[Fraction]:
    """b with H = b b^T up to scale."""
    if rate != 0:
        raise InvalidInput("rate", rate, "0")
    return dual_vector(actions)


@claim(
    "TH-T4.18/positive-definite",
    fails_at(actions=[[0, 1], [1, 0]], rate=0, rational=True),
    role="step",
    assuming="that H, of rank one at rate 0, maps the best arm to 0",
    called={
        "two orthogonal actions, the first of them played rarely": "actions, rate",
        r"$a_\star^\top Ha_\star$": "left",
    },
)
def limit_is_definite(actions: Actions, rate: Pulls):
    r"""$H$, a cluster point of $\bar G_T^{-1}/\|\bar G_T^{-1}\|$, is positive definite.

    A consistent policy pulls a* at a larger rate than any other action, so H a* = 0. The proof only needs that the norm
    of a - a* in H is positive, which holds in the plane.
    """
    return square_at_the_best_action(actions, rate), ">", 0


@claim(
    "TH-T4.18/definite-on-the-move",
    enumerated(actions=[NEARLY_PARALLEL, [[0, 1], [1, 0]], [[2, 1], [0, 3]]], rate=0, rational=True),
    repairs="TH-T4.18/positive-definite",
)
def limit_is_definite_on_the_move(
    actions: Annotated[Any, "all: every basis of the plane"], rate: Annotated[Any, "[0, 0]"]
):
    r"""All that the argument needs is $\|a-a^*\|_H>0$; for a basis of two actions and rate 0 it is $\langle
    a-a^*,b\rangle^2=1$ with $b\perp a^*$, $\langle a,b\rangle=1$."""
    return square_of_the_move(actions, rate), "==", 1
