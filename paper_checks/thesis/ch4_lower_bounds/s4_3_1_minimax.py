r"""Section 4.3.1, page 91: private minimax regret, Theorem 4.15 for Gaussian arms, and where the bounds change regime.

Table 4.1 collects the bounds of the section; Remark 4.19 carries them over to stronger definitions of privacy.
"""

from fractions import Fraction
from itertools import combinations
from typing import Annotated, Any

from banditproof.claims.derivations import derivation, fact
from banditproof.claims.register import claim, mutation
from banditproof.claims.sets import AboveZero, AtLeastOne, Count, Nonnegative, Positive, Sides, TwoOrMore
from banditproof.claims.steps import certified, enumerated, fails_at, interval
from banditproof.paper_checks.shared.two_environments import means, ratio, root
from banditproof.paper_checks.thesis.ch4_lower_bounds.facts import *
from banditproof.paper_checks.thesis.facts.environments import *
from banditproof.theory import exp, log, maximum, minimax_lower_bound, sqrt, to_ball
from banditproof.theory.numbers.term import quantity
from banditproof.verify import Domain, view_epsilon

Private = Annotated[Any, VIEW]
AnyMeans = Annotated[Any, ["inf"]]
UnitMeans = Annotated[Any, [1]]


def private_bayes_regret(
    pair: tuple[tuple[Fraction, ...], ...], weights: tuple[Fraction, ...], odds: Fraction
) -> Fraction:
    """The least Bayes regret of two rounds by linear programs: one per first arm, over its reactions p to the reward.

    The constraints are those of the definition, p_r <= odds p_s and 1 - p_r <= odds (1 - p_s); the minimum of a linear
    function is attained where two of them are equalities.
    """
    # c[0] + c[1] p_0 + c[2] p_1 >= 0
    constraints = [(0, 1, 0), (0, 0, 1), (1, -1, 0), (1, 0, -1)]
    constraints += [(0, -1, odds), (0, odds, -1), (odds - 1, 1, -odds), (odds - 1, -odds, 1)]
    vertices = []
    for f, g in combinations(constraints, 2):
        determinant = Fraction(f[1] * g[2] - f[2] * g[1])
        if determinant:
            p = (f[2] * g[0] - f[0] * g[2]) / determinant, (f[0] * g[1] - f[1] * g[0]) / determinant
            vertices += [p] if all(c[0] + c[1] * p[0] + c[2] * p[1] >= 0 for c in constraints) else []

    def loss(first: int, reaction: Corner) -> Fraction:
        total = Fraction(0)
        for w, m in zip(weights, pair, strict=True):
            chances = zip((1 - m[first], m[first]), reaction, strict=True)
            later = sum(q * ((1 - p) * (max(m) - m[0]) + p * (max(m) - m[1])) for q, p in chances)
            total += w * (max(m) - m[first] + later)
        return total

    return min(loss(first, p) for first in (0, 1) for p in vertices)


def best_of_two_private_rounds(gap: Fraction, odds: Fraction) -> tuple[Any, Fraction, Fraction]:
    """Both instances, the smallest worst regret of a mixture of private policies, and the prior that forces it."""
    pair = means(2, gap, False), means(2, gap, True)
    policies = [two_rounds(first, corner) for first in (0, 1) for corner in corners(odds)]
    if any(view_epsilon(policy).ratio > odds for policy in policies):
        raise ArithmeticError("a policy is not private")
    return pair, *best_mixture([regrets_of(policy, pair) for policy in policies])


@quantity
def least_worst_private_regret(gap: Any, odds: Any) -> Fraction:
    """inf over log(odds)-View DP policies of two rounds of the larger regret at (gap, 0) and (gap, 2 gap)."""
    return best_of_two_private_rounds(Fraction(gap), Fraction(odds))[1]


@quantity
def private_regret_at_the_worst_prior(gap: Any, odds: Any) -> Fraction:
    """The smallest regret of these policies at the prior that the best mixture leaves, by linear programs."""
    pair, _, prior = best_of_two_private_rounds(Fraction(gap), Fraction(odds))
    return private_bayes_regret(pair, (prior, 1 - prior), Fraction(odds))


@claim(
    "TH-D4.3",
    enumerated(
        gap=["1/100", "1/10", "1/4", "2/5", "49/100"],
        odds=["1", "11/10", "3", "99"],
        rational=True,
        routes=("mixtures of private policies, exact regrets", "linear programs at a prior"),
    ),
)
def value_over_private_policies(gap: Gap, odds: AtLeastOne):
    r"""Private minimax regret: $\inf_\pi\sup_\nu\mathrm{Reg}_T(\pi,\nu)=\max_w\inf_\pi\sum_\nu
    w_\nu\mathrm{Reg}_T(\pi,\nu)$, over the Bernoulli instances $(\Delta,0)$ and $(\Delta,2\Delta)$ and two rounds, over
    $\varepsilon$-View DP policies, odds being $e^\varepsilon$.

    The method is that of TH-D2.27; the privacy of each policy is computed, and the right side uses the constraints
    themselves.
    """
    return least_worst_private_regret(gap, odds), "==", private_regret_at_the_worst_prior(gap, odds)


def view_term(epsilon: Any, arms: Any, quotient: Any, spared: Any = 1) -> Any:
    """(K - 1)/(22 epsilon)."""
    return (to_ball(arms) - spared) / (quotient * epsilon)


def private_constant(epsilon: Positive, horizon: Count, arms: TwoOrMore, quotient=22) -> Sides:
    """The printed term against half the sum of regrets at the printed gap, the exponent being epsilon T Delta/(K-1)."""
    gap = (arms - 1) / (epsilon * horizon)
    return view_term(epsilon, arms, quotient), "<=", horizon * gap / exp(epsilon * horizon * gap / (arms - 1)) / 8


def capped_constant(epsilon: Positive, horizon: Count, arms: TwoOrMore, cap=44) -> Sides:
    """T/cap <= T/16 e^(-epsilon T/(2 (K - 1))), half the sum of regrets at Delta = 1/2, in logarithms."""
    return epsilon * horizon / (2 * (arms - 1)), "<=", log((cap + 0 * epsilon) / 16)


PRIVATE_FACTS = (*VIEW_FACTS, fact(private_constant))
CAPPED = fact(capped_constant, where=["epsilon*horizon < 2*(arms - 1)"])
VIEW_JOINTS = f"{JOINTS}; the decomposition of relative entropy under View DP (TH-T4.9), where a variation is at most 1"
ENOUGH = ["horizon >= arms - 1"]
ALSO_ONE_ARM = Domain.of(
    epsilon="(0, inf)", horizon="integer [1, inf)", arms="integer [1, inf)", policy=VIEW, span=["inf"], where=ENOUGH
)
SMALLEST = fails_at(epsilon="1/100", horizon=1, arms=2, policy="uniform", span=1)


@claim(
    "TH-T4.15/argument",
    fails_at(epsilon=1, horizon=1, arms=1, policy="the only one", span="inf"),
    certified(argument_holds, derivation(PRIVATE_FACTS, VIEW_JOINTS)),
    false=mutation("also for one arm, K for K - 1", ALSO_ONE_ARM, spared=0),
    where=ENOUGH,
    role="implication",
)
def view_bound(
    epsilon: Positive,
    horizon: Count,
    arms: TwoOrMore,
    policy: Private,
    span: AnyMeans,
    spared=1,
    quotient=22,
    printed=27,
):
    r"""$\sup_\nu\mathrm{Reg}_T(\pi,\nu)\ge\max\{\frac1{27}\sqrt{T(K-1)},\frac1{22}\frac{K-1}\varepsilon\}$ for
    $\varepsilon$-View DP policies, unit-variance Gaussian arms (no range of the means is printed), $K>1$, $T\ge K-1$,
    any $\varepsilon$.

    This is the printed argument. It is of no use without a range of the means, since the left side is then infinite
    (TH-T4.15).
    """
    free, private = non_private_term(horizon, arms, printed, spared), view_term(epsilon, arms, quotient, spared)
    return worst_regret(policy, horizon, arms, span), ">=", maximum(free, private)


@claim("TH-T4.15/means-in-the-unit-interval", SMALLEST, of="TH-T4.15/argument", role="reading")
def view_bound_in_the_unit_interval(span: UnitMeans):
    r"""With means in [0, 1]:
    $\sup_\nu\mathrm{Reg}_T(\pi,\nu)\ge\max\{\frac1{27}\sqrt{T(K-1)},\frac1{22}\frac{K-1}\varepsilon\}$, $T\ge K-1$.

    'The set of K-armed Gaussian bandits, with unit variance' gives no range of the means. No regret exceeds T, and
    uniform play, which is 0-DP, loses at most T (1 - 1/K), but (K - 1)/(22 epsilon) can be arbitrarily large. The gap
    of the proof, Delta = (K - 1)/(epsilon T), exceeds 1/2 if epsilon < 2 (K - 1)/T.
    """


@claim(
    "TH-T4.15/step-variation",
    interval(substitutions=OVER_THE_LINE, routes=("Kummer's function", "slope")),
    false={"slope": "0.79"},
    role="step",
)
def variation_of_gaussians(gap: Nonnegative, slope=1, *, share=None):
    r"""$\mathrm{TV}(\mathcal N(0,1)\|\mathcal N(2\Delta,1))=2\Phi(\Delta)-1\le \Delta$."""
    return variation_over_gap(gap, slope, share=share)


@quantity
def sharpened_view_bound(arms: int, horizon: int, epsilon: Any) -> Any:
    """The certified bound for means in [0, 1] with both steps kept sharp."""
    bounds = minimax_lower_bound(arms=arms, horizon=horizon, epsilon=epsilon)
    if not bounds.recheck():
        raise ArithmeticError("the certificate is refused")
    return bounds["view-sharpened"].value.ball()


@claim(
    "TH-T4.15/sharpened",
    enumerated(horizon=[10**3, 10**6], arms=[2, 10], epsilon=["0.1", "0.5", "1"], rational=True),
    where=["epsilon * horizon >= 2 * (arms - 1)"],
    role="remark",
)
def sharpened(epsilon: AboveZero, horizon: Annotated[Any, "integer [1000, inf)"], arms: TwoOrMore):
    r"""Means in [0, 1]: two steps of the argument can be kept sharp, $\Delta(T-\mathbb E_\mu N_1)+\Delta\,\mathbb
    E_{\mu'}N_1\ge\Delta T(1-\mathrm{TV})$ for Markov's inequality and $2\Phi(\Delta)-1$ for $\Delta$; the bound is then
    more than $3$ times the printed one, where the printed gap $\Delta=\frac{K-1}{\varepsilon T}$ fits: it is at most
    $\frac12$.

    For a smaller budget the printed bound fails for these means.
    """
    printed = maximum(non_private_term(horizon, arms, 27), view_term(epsilon, arms, 22))
    return sharpened_view_bound(arms, horizon, epsilon), ">=", 3 * printed


def terms(horizon: Any, arms: Any, relative: Any) -> tuple[Any, Any]:
    """(K - 1)/(22 epsilon) and sqrt(T (K - 1))/27 at epsilon = relative sqrt((K - 1)/T)."""
    epsilon = relative * sqrt(ratio(arms - 1, horizon))
    return (arms - 1) / (22 * epsilon), root(horizon * (arms - 1)) / 27


@claim("TH-S4.5c/illustration", fails_at(epsilon="1/100"), displayed=True, cause="TH-S4.5c/low-privacy")
def illustration(epsilon: Annotated[Any, "[1/100, inf)"], horizon=1000000, arms=100):
    r"""For $T=10^{6}$ and $K=100$ the bound with View DP is the one without privacy for any $\varepsilon\ge0.01$.

    At epsilon = 0.01 the private term is 450 and the other term 368.5. The example holds for epsilon >= 1/81 = 0.0123.

    (K - 1)/(22 epsilon) <= sqrt(T (K - 1))/27 is multiplied by the denominators and squared.
    """
    return (27 * (arms - 1)) ** 2, "<=", (22 * epsilon) ** 2 * (horizon * (arms - 1))


@claim("TH-S4.Tab1/minimax", ENTRIES)
def minimax_of_arms_under_view(size: TwoOrMore, horizon: Count, budget: Positive):
    r"""The minimax column of Table 4.1 has for finite-armed bandits
    $\max\{\frac1{27}\sqrt{T(K-1)},\frac1{22}\frac{K-1}\varepsilon\}$, which is what Theorem 4.15 states."""
    entry = maximum(sqrt(horizon * (size - 1)) / 27, (size - 1) / (22 * budget))
    return as_computed(bound_of_theorem_4_15(size, horizon, budget), entry)


@claim("TH-S4.Tab1/minimax-linear", ENTRIES)
def minimax_of_linear_bandits_under_view(size: Count, horizon: Count, budget: Positive):
    r"""The minimax column of Table 4.1 has for linear bandits
    $\max\{\frac{e^{-2}}8d\sqrt T,\frac{e^{-1}}4\frac d\varepsilon\}$, which is what Theorem 4.17 states."""
    entry = maximum(exp(-2) / 8 * size * sqrt(horizon), exp(-1) / 4 * size / budget)
    return as_computed(bound_of_theorem_4_17(size, horizon, budget), entry)
