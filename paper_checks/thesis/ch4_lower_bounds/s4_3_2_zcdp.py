r"""Section 4.3.2, page 95: the minimax bounds under Interactive zCDP, Theorems 4.20 and 4.21 (B.4, B.5)."""

from fractions import Fraction
from functools import cache
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.shared.two_environments import root
from banditproof.paper_checks.thesis.ch4_lower_bounds.facts import *
from banditproof.paper_checks.thesis.facts.environments import JOINTS, argument_holds, non_private_term, worst_regret
from banditproof.verify.privacy.coupled_environment import coupled_law

INTERACTIVE = "all: every rho-Interactive zCDP policy"
Interactive = Annotated[Any, INTERACTIVE]
Anything = Annotated[Any, ["inf"]]  # no range of the means, any parameter
AtMostOne = Annotated[Any, [1]]  # means in [0, 1], |<a, theta>| <= 1 for all actions


def corrected_exponent(moved: Positive, scale: AtLeastOne):
    """rho/(K - 1) (x + sqrt x)^2 with x = T Delta, s = sqrt((K - 1)/rho) >= 1 and x <= s/4, by the repaired step."""
    return ((moved + sqrt(moved)) / scale) ** 2, "<=", (9 + 0 * scale) / 16


EXPONENT = fact(corrected_exponent, where=["4*moved <= scale"])
GROUP_PRIVACY = (
    "group privacy of zCDP under a constant adversary (TH-T4.12), Minkowski's inequality, orthogonality of martingale "
    "differences"
)


def zcdp_term(scale: Any, quotient: Any) -> Any:
    """s/124 with s = sqrt((K - 1)/rho)."""
    return scale / quotient


def zcdp_constant(scale: Positive, quotient=124):
    """s/124 against half the sum of regrets, x/8 e^-D, at x = s/4."""
    return zcdp_term(scale, quotient), "<=", scale / 32 / exp((9 + 0 * scale) / 16)


ZCDP_FACTS = (*VIEW_FACTS, EXPONENT, fact(zcdp_constant))
ZCDP_JOINTS = f"{JOINTS}; {GROUP_PRIVACY} and E[N^2] <= T E[N]"
ENOUGH = ["horizon >= arms - 1"]
ALSO_ONE_ARM = Domain.of(
    rho="(0, 1]", policy=INTERACTIVE, horizon="integer [1, inf)", arms="integer [1, inf)", span=["inf"], where=ENOUGH
)
UNIFORM = fails_at(rho="1/1000000", policy="uniform", horizon=1, arms=2, span=1)


@claim(
    "TH-T4.20/argument",
    fails_at(rho=1, policy="the only one", horizon=1, arms=1, span="inf"),
    certified(argument_holds, derivation(ZCDP_FACTS, ZCDP_JOINTS)),
    false=mutation("also for one arm, K for K - 1", ALSO_ONE_ARM, spared=0),
    where=ENOUGH,
    role="implication",
)
def zcdp_bound(
    rho: AboveZero,
    policy: Interactive,
    horizon: Count,
    arms: TwoOrMore,
    span: Anything,
    spared=1,
    quotient=124,
    printed=27,
):
    r"""$\sup_\nu\mathrm{Reg}_T(\pi,\nu)\ge\max\{\frac1{27}\sqrt{T(K-1)},\frac1{124}\sqrt{\frac{K-1}\rho}\}$ for
    $\rho$-Interactive zCDP policies, unit-variance Gaussian arms (no range of the means is printed), $K>1$, $T\ge K-1$,
    $0<\rho\le1$.

    The argument does not use the printed second moment: with the repaired one and Delta = s/(4 T) the printed constant
    remains.

    Without a range of the means the left side is infinite (TH-T4.20), and the argument is of no use.

    The argument reaches 57 in place of 124.
    """
    free = non_private_term(horizon, arms, printed, spared)
    private = zcdp_term(root(arms - spared) / sqrt(rho), quotient)
    return worst_regret(policy, horizon, arms, span), ">=", maximum(free, private)


@claim("TH-T4.20/means-in-the-unit-interval", UNIFORM, of="TH-T4.20/argument", role="reading")
def zcdp_bound_in_the_unit_interval(span: AtMostOne):
    r"""With means in [0, 1]:
    $\sup_\nu\mathrm{Reg}_T(\pi,\nu)\ge\max\{\frac1{27}\sqrt{T(K-1)},\frac1{124}\sqrt{\frac{K-1}\rho}\}$, $T\ge K-1$,
    $0<\rho\le1$.

    'For any K > 1, T >= K - 1, and 0 < rho <= 1' gives no range of the means. Uniform play never looks at a reward and
    loses at most T (1 - 1/K), whatever the budget is.
    """


@cache
def _in_coupled_bandits(policy: tuple[Any, ...], mean: Fraction, other: Fraction) -> Any:
    return coupled_law(policy, Fraction(1), mean, other)


def mean_of_coupled(policy: Any, mean: Any, other: Any, value: Any) -> Fraction:
    """The expectation of a function of N_a and d_Ham when only the last arm a differs, with these two means."""
    law = _in_coupled_bandits(tuple(policy), Fraction(mean), Fraction(other))
    return sum((weight * value(pulls, differing) for (pulls, differing, _), weight in law.items()), Fraction(0))


@quantity
def expected_square_distance_of_rewards(policy: Any, mean: Any, other: Any) -> Fraction:
    """E[d_Ham^2] of the coupled rewards."""
    return mean_of_coupled(policy, mean, other, lambda pulls, differing: differing**2)


@quantity
def expected_pulls_of_the_last_arm(policy: Any, mean: Any, other: Any) -> Fraction:
    """E[N_a]."""
    return mean_of_coupled(policy, mean, other, lambda pulls, differing: pulls)


@quantity
def expected_square_of_pulls(policy: Any, mean: Any, other: Any) -> Fraction:
    """E[N_a^2]."""
    return mean_of_coupled(policy, mean, other, lambda pulls, differing: pulls**2)


@claim(
    "TH-T4.20/step-expected-square-distance",
    fails_at(policy=["response", Fraction(9), 2, 2], mean="1/2", other=0, rational=True),
    role="step",
    cause="TH-T4.14/small-budgets",
    called={
        "win-stay, lose-shift, whose last arm has the means 1/2 and 0 in the two bandits": "policy, mean, other",
        r"$\mathbb E[d_{\rm Ham}(r,r')^2]$": "left",
        "the printed bound": "right",
    },
)
def expected_square_distance(policy: Policy, mean: Probability, other: Probability):
    r"""$\mathbb E[d_{\mathrm{Ham}}(\mathbf r,\mathbf r')^2]\le n_a^2t_a^2+n_at_a(1-t_a)+t_a^2\mathbb V(N_a)$ in the
    coupled environment, where the two bandits differ in arm $a$ only (Theorem 4.14 for two such bandits, $n_a=\mathbb
    E_{\nu\pi}[N_a(T)]$).

    Given all actions, the indicators of differing rewards are not independent, because later actions depend on them.
    The bound holds with the square (sqrt(E[A^2]) + sqrt(E[V]))^2, and the constant of the theorem survives.

    Win-stay, lose-shift usually plays the last arm again if its reward was 1, and with means 1/2 and 0 the coupled
    rewards differ exactly in this case: E[M S] > 0 for M = sum 1(r_t != r'_t) - t_(a_t) and S = sum t_(a_t).
    """
    t = absolute(mean - other)
    pulls, square = expected_pulls_of_the_last_arm(policy, mean, other), expected_square_of_pulls(policy, mean, other)
    variance = square - pulls**2
    return (
        expected_square_distance_of_rewards(policy, mean, other),
        "<=",
        pulls**2 * t**2 + pulls * t * (1 - t) + t**2 * variance,
    )


@claim(
    "TH-T4.20/expected-square-distance",
    enumerated(
        [
            {"policy": policy, "mean": mean, "other": other}
            for policy in (
                ["random", 0, 4, 2],
                ["random", 1, 3, 3],
                ["response", Fraction(9), 4, 2],
                ["response", Fraction(99), 4, 2],
            )
            for mean, other in (("1/2", "0"), ("1/2", "1"), ("1/10", "9/10"), ("1/5", "1/4"))
        ],
        rational=True,
        routes=("coupled environment, step by step", "two second moments"),
    ),
    repairs="TH-T4.20/step-expected-square-distance",
)
def square_distance_by_minkowski(policy: Policy, mean: Probability, other: Probability):
    r"""$\mathbb E[d_{\mathrm{Ham}}(\mathbf r,\mathbf r')^2]\le \bigl(t_a\sqrt{\mathbb
    E[N_a^2]}+\sqrt{t_a(1-t_a)\,\mathbb E[N_a]}\bigr)^2$: Minkowski's inequality for $S=\sum t_{a_t}$ and the martingale
    $d_{\mathrm{Ham}}-S$, whose variance is $\mathbb E[\sum t_{a_t}(1-t_{a_t})]$."""
    t = absolute(mean - other)
    pulls, square = expected_pulls_of_the_last_arm(policy, mean, other), expected_square_of_pulls(policy, mean, other)
    bound = (t * sqrt(square) + sqrt(t * (1 - t) * pulls)) ** 2
    return expected_square_distance_of_rewards(policy, mean, other), "<=", bound


@claim("TH-T4.20/step-constant", enumerated([{}]), false={"quotient": "61.0"}, role="step")
def constant_of_the_zcdp_bound(quotient=62):
    r"""$\frac{e^{-1}}{16\sqrt2}\ge\frac1{62}$, hence $\frac1{124}$ for the maximum."""
    return exp(to_ball(-1)) / (16 * sqrt(to_ball(2))), ">=", 1 / to_ball(quotient)


def small_budget_term(scale: Any, quarter: Any) -> Any:
    """s e^-2.25/4, s = 1/sqrt(rho)."""
    return scale / exp((9 + 0 * scale) / 4) / quarter


def small_budget_constant(scale: Positive, quarter=4):
    """s e^-2.25/4, s = 1/sqrt(rho), against x e^-D/2, the averaged regret of a coordinate, at x = T delta = s/4."""
    return small_budget_term(scale, quarter), "<=", scale / 8 / exp((9 + 0 * scale) / 16)


def large_budget(root_rho: AtLeastOne, root_horizon: AtLeastOne, quarter=4):
    """For rho, T >= 1 the private term is below e^-2/2 sqrt(T), which no policy beats (TH-T4.17, no privacy)."""
    return exp((0 * root_rho - 9) / 4) / (quarter * root_rho), "<=", exp(-2 + 0 * root_rho) * root_horizon / 2


ZCDP_LINEAR_FACTS = (*LINEAR_FACTS, EXPONENT, fact(small_budget_constant), fact(large_budget))
ZCDP_LINEAR_JOINTS = f"{LINEAR_JOINTS}; {GROUP_PRIVACY}"
ALSO_NO_ROUND = Domain.of(
    policy=INTERACTIVE, horizon="integer [0, inf)", dimension="integer [1, inf)", rho="(0, inf)", radius=["inf"]
)
ORIGIN = fails_at(policy="the origin", horizon=1, dimension=1, rho="1/1000000", radius=1)


@claim(
    "TH-T4.21/argument",
    fails_at(policy="any", horizon=0, dimension=1, rho=1, radius="inf"),
    certified(argument_holds, derivation(ZCDP_LINEAR_FACTS, ZCDP_LINEAR_JOINTS)),
    false=mutation("also T = 0", ALSO_NO_ROUND),
    role="implication",
)
def zcdp_linear_bound(
    policy: Interactive, horizon: Count, dimension: Count, rho: Positive, radius: Anything, quarter=4, eighth=8
):
    r"""An argument for it that stays on a hard set: for every $\rho$-Interactive zCDP policy some $\theta$ has
    $\mathrm{Reg}_T(\pi,\mathcal A,\theta)\ge\max\{\frac{e^{-2}}{8}d\sqrt T,\frac{e^{-2.25}}{4}\frac d{\sqrt\rho}\}$,
    any $\rho>0$, $T\ge1$.

    The argument does not use the printed steps: with total variation in place of Markov's inequality, the repaired
    second moment, and |theta_i| = 1/(4 T sqrt(rho)) the constant is e^(-9/16)/8, above the printed one.

    The argument reaches 2 in place of the 8, and no less than 4.
    """
    free = dimension * free_linear_term(root(horizon), eighth)
    private = dimension * small_budget_term(1 / sqrt(rho), quarter)
    return worst_linear_regret(policy, horizon, radius), ">=", maximum(free, private)


@claim("TH-T4.21/bounded-mean-rewards", ORIGIN, of="TH-T4.21/argument", role="reading")
def zcdp_linear_bound_with_bounded_means(radius: AtMostOne):
    r"""If only parameters with $|\langle a,\theta\rangle|\le1$ on $\mathcal A$ are allowed, some of them has
    $\mathrm{Reg}_T(\pi,\mathcal A,\theta)\ge\max\{\frac{e^{-2}}{8}d\sqrt T,\frac{e^{-2.25}}{4}\frac d{\sqrt\rho}\}$.

    'Let A = [-1, 1]^d and Theta = R^d' does not bound the mean rewards. The action 0 has regret |theta|_1 <= 1 per
    round, whatever the budget is.
    """


MARKOV = r"""$\frac1{\sqrt\rho\,T}\mathbb E_\theta[N_i]\ge\frac{1}{\sqrt\rho}\mathbb M_\theta(N_i\ge\frac T2)$,
    $N_i$ the number of wrong signs ('a direct application of Markov's inequality')."""
TESTING = r"""On the hard set
    $\mathrm{Reg}_T(\theta)\ge\frac{1}{\sqrt\rho}\sum_i\mathbb M_\theta(N_i\ge\frac T2)$."""

restate("TH-T4.21/step-markov", of="TH-T4.17/step-markov", statement=MARKOV, cause="TH-T4.17/step-markov")
restate(
    "TH-T4.21/step-regret-to-testing",
    of="TH-T4.17/step-regret-to-testing",
    statement=TESTING,
    cause="TH-T4.17/step-markov",
)
restate(
    "TH-T4.21/markov",
    of="TH-T4.17/markov",
    statement=MARKOV.replace(r"\frac{1}", r"\frac{1/2}"),
    repairs="TH-T4.21/step-markov",
)
restate(
    "TH-T4.21/regret-to-testing",
    of="TH-T4.17/regret-to-testing",
    statement=TESTING.replace(r"\frac{1}", r"\frac{1/2}"),
    repairs="TH-T4.21/step-regret-to-testing",
)
