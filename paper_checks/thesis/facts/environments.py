r"""What a policy does in environments that it must not confuse: the facts behind lower bounds on the regret.

The two-environment argument of Section 4.1 is a derivation here; then come policies and bandits on which statements
about every policy are evaluated, and games of two rounds whose minimax regret can be computed.
"""

import math
from fractions import Fraction
from itertools import combinations
from typing import Annotated, Any

from banditproof.claims import Count, Inside, Natural, Nonnegative, Positive, Sides, TwoOrMore, fact, facts_hold
from banditproof.paper_checks.shared.two_environments import bernoulli_laws, ratio, regret, root
from banditproof.theory import InvalidInput, exp, kl_gaussian, log, sqrt, to_ball
from banditproof.theory.numbers.term import quantity
from banditproof.theory.privacy.wide_balls import normal_variation_over_gap
from banditproof.verify import FiniteKernel, history_law
from banditproof.verify.kernel import bandits, linear, meanings
from banditproof.verify.kernel.document_words import word
from banditproof.verify.kernel.meanings import when
from banditproof.verify.kernel.policies import plays_arms, power
from banditproof.verify.kernel.rules import le
from banditproof.verify.kernel.terms import Formula

EVERY_PAIR = "all: every two bandits that differ in one arm, optimal in the second one only"
Bandits = Annotated[Any, EVERY_PAIR]
Gap = Annotated[Any, "(0, 1/2)"]


@word
def without_a_range_of_means(pi: Any, N: Any, K: Any, T: Any, level: Any) -> Formula:
    """The regrets on two bandits, in which one arm is good and the others are not, add up to at least the gap."""
    means = (bandits.only_good_arm(2 * level, arm) for arm in (0, 1))
    first, second = (bandits.regret(pi, N, T, K, mean_of, arm) for arm, mean_of in enumerate(means))
    return when(plays_arms(pi, K), le(K - 1, T), then=(2 * level, "<=", first + second))


@word
def over_all_parameters(pi: Any, noise: Any, dimension: Any, T: Any, exponent: Any, price: Any) -> Formula:
    """On [-1, 1]^d some theta in R^d costs e^-2 d T^(1/2)/8, and e^-exponent d/(4 price)."""
    free = meanings.exp(-2) / 8 * dimension * power(T, Fraction(1, 2))
    private = meanings.exp(-exponent) / 4 * dimension / price
    return when(
        *linear.actions_fill_the_cube(dimension),
        then=linear.some_parameter_costs(pi, lambda mean: linear.plus_noise(mean, noise), dimension, T, free, private),
    )


OVER_THE_LINE = {"gap": ("share", "[0, 1)", "share/(1 - share)")}


def variation_over_gap(gap: Nonnegative, slope: Any = 1, *, share: Any = None) -> Sides:
    """(2 Phi(x) - 1)/x against the slope, also at x = 0; on boxes with share = x/(1 + x)."""
    share = gap / (1 + gap) if share is None else share
    return variation_over_share(share, slope)


def variation_over_share(share: Annotated[Any, "[0, 1]"], slope: Any = 1) -> Sides:
    """The same for all gaps, with share = gap/(1 + gap)."""
    return normal_variation_over_gap(share), "<=", slope


def least_explored(first: Nonnegative, least: Nonnegative, excess: Nonnegative, arms: TwoOrMore, spared=1) -> Sides:
    """E[N_1] = first, E[N_a] >= least for a > 1, with sum over a > 1 of E[N_a] - least = excess; T is the total."""
    horizon = first + (arms - 1) * least + excess
    return (arms - spared) * least, "<=", horizon


def few_pulls_cost(pulls: Natural, horizon: Natural, gap: Positive, share: Any = Fraction(1, 2)) -> Sides:
    return (horizon - pulls) * gap, ">=", share * horizon * gap


def many_pulls_cost(
    pulls: Positive, horizon: Natural, rest: Natural, gap: Positive, share: Any = Fraction(1, 2)
) -> Sides:
    """pulls = N_1 > T/2, rest = pulls of arms other than 1 and i, horizon = T."""
    return pulls * gap + 2 * rest * gap, ">", share * horizon * gap


def bretagnolle_huber(p: Inside, q: Inside, factor: Any = Fraction(1, 2)) -> Sides:
    """p = M(A), q = M'(A): p + 1 - q >= factor e^-kl(p, q), in logarithms."""
    return -_kl(p, q), "<=", log((p + 1 - q) / factor)


def _kl(p: Any, q: Any) -> Any:
    return p * log(p / q) + (1 - p) * log((1 - p) / (1 - q))


def gaussian_divergence(gap: Positive, square=2) -> Sides:
    return kl_gaussian(0 * gap, 2 * gap), "==", square * gap * gap


def non_private_term(horizon: Any, arms: Any, printed: Any, spared: Any = 1) -> Any:
    """sqrt(T (K - 1))/27: one function for the claims and for the fact that ends their proofs, as every such term."""
    return root(horizon * (arms - spared)) / printed


def non_private_constant(horizon: Count, arms: TwoOrMore, printed=27) -> Sides:
    """sqrt(T (K - 1))/27 against half the sum of regrets, T Delta/8 e^(-2 T Delta^2/(K - 1)), at the best gap."""
    gap = sqrt(ratio(arms - 1, 4 * horizon))
    exponent = 2 * horizon * (gap / root(arms - 1)) ** 2
    return non_private_term(horizon, arms, printed), "<=", horizon * gap / exp(exponent) / 8


TESTING = (
    fact(gaussian_divergence),
    fact(few_pulls_cost, where=["2*pulls <= horizon"]),
    fact(many_pulls_cost, where=["2*pulls > horizon"]),
    fact(bretagnolle_huber),
    fact(least_explored),
)
NON_PRIVATE = fact(non_private_constant)
TESTED = {"share": Fraction(1, 2), "factor": Fraction(1, 2), "spared": 1, "square": 2}  # the constants of these facts
JOINTS = (
    "Markov's inequality on the event A, data processing to A, the decomposition of relative entropy over pulls, and "
    "the larger of two numbers being at least half their sum"
)


def argument_holds(data: Any, **constants: Any) -> tuple[int, str, int]:
    """Whether every fact of a derivation is proved, with the constants of the two-environment method."""
    return facts_hold(data, **{**TESTED, **constants})


@quantity
def worst_regret(policy: str, horizon: int, arms: int, span: Any) -> Any:
    """The supremum, over means in an interval of this length (inf: none), of the regret of a policy, uniform play."""
    if policy not in ("uniform", "the only one"):
        raise InvalidInput("policy", policy, "uniform play")
    share = Fraction(arms - 1, arms) * horizon
    if not share:
        return 0
    return math.inf if span == math.inf else to_ball(span) * to_ball(share)


Corner = tuple[Fraction, Fraction]  # probabilities of the second arm after the rewards 0 and 1


def corners(odds: Fraction | None) -> list[Corner]:
    """The extreme private ways to react to one reward, with e^epsilon = odds (None: any reaction)."""
    zero, one = Fraction(0), Fraction(1)
    if odds is None:
        return [(zero, zero), (zero, one), (one, zero), (one, one)]
    low, high = 1 / (1 + odds), odds / (1 + odds)
    return [(zero, zero), (low, high), (high, low), (one, one)]


def two_rounds(first: int, reaction: Corner) -> FiniteKernel:
    """Two rounds with two arms: `first`, then the second arm with the probability that belongs to its reward."""

    def row(history: Any) -> Any:
        second = reaction[history[0][1]] if history else Fraction(first)
        return 1 - second, second

    return FiniteKernel(2, 2, (0, 1), row)


def regrets_of(policy: FiniteKernel, pair: tuple[tuple[Fraction, ...], ...]) -> tuple[Fraction, ...]:
    return tuple(regret(history_law(policy, bernoulli_laws(values)), values) for values in pair)


def best_mixture(rows: list[tuple[Fraction, ...]]) -> tuple[Fraction, Fraction]:
    """inf over mixtures of policies of the larger of two regrets, and a prior at which it should be the Bayes regret.

    A linear program in two constraints: some mixture of two policies solves it, one that makes the regrets equal.
    """
    solutions = [(max(row), Fraction(row[0] >= row[1])) for row in rows]
    for one, other in combinations(rows, 2):
        d, e = one[0] - one[1], other[0] - other[1]
        if d * e < 0:
            share = e / (e - d)  # of the first policy
            prior = (other[1] - one[1]) / (one[0] - one[1] - other[0] + other[1])
            solutions.append((share * one[0] + (1 - share) * other[0], prior))
    return min(solutions)
