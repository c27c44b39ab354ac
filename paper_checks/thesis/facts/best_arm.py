r"""Best-arm identification: risks, certified characteristic times, and the moves to cheapest alternatives."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.theory import Bernoulli, CharacteristicTime, Gaussian, Instance, characteristic_time
from banditproof.theory.privacy.wide_balls import x_log_x
from banditproof.verify.finite.strategies import (
    Name,
    chance_of_recommending,
    expected_pulls,
    strategy_named,
    view_ratio,
)
from banditproof.verify.kernel.asymptotics import Class
from banditproof.verify.kernel.bandits import of_each_arm
from banditproof.verify.kernel.document_words import word
from banditproof.verify.kernel.identification import has_best_arm
from banditproof.verify.kernel.meanings import function_of, sum_of, when
from banditproof.verify.kernel.policies import is_arm, the_same
from banditproof.verify.kernel.rules import eq, le, lt
from banditproof.verify.kernel.terms import Formula, Term, var

# Of a bandit of a class with the means theta: the best arm, the closest one, and price(a) = 1/gap(a).
TOP, CLOSEST = var("top"), var("rival")


def theta(a: Any) -> Term:
    return function_of("theta", a)


@word
def means_in_the_interval(K: Any) -> tuple[Formula, ...]:
    """The arms have means theta(a) in [0, 1]."""
    return of_each_arm(K, lambda a: le(0, theta(a))), of_each_arm(K, lambda a: le(theta(a), 1))


@word
def the_closest_gap() -> Term:
    return theta(TOP) - theta(CLOSEST)


@word
def instance_with_gaps(of: Class, K: Any) -> tuple[Formula, ...]:
    """A bandit with one best arm, of which no other arm has a larger mean than the closest one."""

    def of_others(says: Callable[[Term], Formula]) -> Formula:
        return of_each_arm(K, lambda a: when(lt(0, (a - TOP) * (a - TOP)), then=says(a)))

    return (
        *has_best_arm(theta, TOP, of, K),
        *is_arm(CLOSEST, K),
        lt(0, (CLOSEST - TOP) * (CLOSEST - TOP)),
        of_others(lambda a: le(theta(a), theta(CLOSEST))),
        of_others(lambda a: eq(function_of("price", a) * (theta(TOP) - theta(a)), 1)),
    )


@word
def sum_of_prices(K: Any, power: int = 1) -> Term:
    """The sum of 1/gap(a), or of its square, over all arms, where the gap of the best arm is the smallest one."""

    def summand(a: Term) -> Term:
        price = function_of("price", a)
        return price if power == 1 else price * price

    return summand(CLOSEST) + sum_of(lambda a: (1 - the_same(a, TOP)) * summand(a), K, "b")


@word
def sum_of_squares_of_others(K: Any) -> Term:
    """The sum of 1/gap(a)^2 over all arms but the best one."""
    return sum_of_prices(K, 2) - function_of("price", CLOSEST) * function_of("price", CLOSEST)


def kl_of_risk(delta: Any) -> Any:
    """kl(delta, 1 - delta) = (1 - 2 delta) log((1 - delta)/delta)."""
    return (1 - 2 * delta) * log((1 - delta) / delta)


def excess_of_the_logarithm(delta: Any) -> Any:
    """log(1/delta) - kl(delta, 1 - delta) = -2 delta log(delta) - (1 - 2 delta) log(1 - delta), also near delta = 0."""
    return -2 * x_log_x(delta) - (1 - 2 * delta) * log(1 - delta)


Groups = Sequence[Sequence[Any]]  # [[mean, count], ...]


GAME = ("certified value of the game", "printed formula")


INSTANCES = [  # ties among the others, best mean 1, worst mean 0, two arms, many arms, close arms
    [["0.9", 1], ["0.8", 1], ["0.5", 1]],
    [["0.51", 1], ["0.49", 1]],
    [[1, 1], [0, 1]],
    [[1, 1], ["0.5", 3]],
    [["0.5", 1], [0, 2]],
    [["0.75", 1], ["0.7", 4]],
    [["0.95", 1], ["0.9", 3], ["0.5", 1]],
    [["0.501", 1], ["0.5", 1], ["0.1", 50]],
    [["0.02", 1], ["0.01", 9], [0, 1]],
    [["0.6", 1], ["0.4", 400]],
]


def exact(groups: Groups) -> list[list[Any]]:
    return [[Fraction(mean), int(count)] for mean, count in groups]


EXACT = [exact(groups) for groups in INSTANCES]


@cache
def _time(means: tuple[Fraction, ...], family: str, options: tuple[tuple[str, Any], ...]) -> CharacteristicTime:
    law = Gaussian if family == "gaussian" else Bernoulli
    return characteristic_time(Instance([law(mean) for mean in means]), **dict(options))


def solved(groups: Groups, family: str = "bernoulli", **options: Any) -> CharacteristicTime:
    """The characteristic time of the instance, from its groups."""
    means = tuple(Fraction(mean) for mean, count in groups for _ in range(int(count)))
    return _time(means, family, tuple(sorted(options.items())))


def value(groups: Groups, family: str = "bernoulli", **options: Any) -> Any:
    """T* as a ball."""
    return solved(groups, family, **options).value.ball()


def gaps(groups: Groups, closest_first: bool = True) -> list[tuple[Fraction, int]]:
    """(gap, number of arms), the best arm with the smallest gap of the others unless it is left out."""
    best = Fraction(groups[0][0])
    others = [(best - Fraction(mean), int(count)) for mean, count in groups[1:]]
    return [(min(gap for gap, _ in others), 1), *others] if closest_first else others


def inverse_powers(groups: Groups, power: int, closest_first: bool = True) -> Fraction:
    """Sum of Delta_a^-power, with Delta_1 = Delta_min or without the best arm."""
    return sum((count / gap**power for gap, count in gaps(groups, closest_first)), Fraction(0))


@quantity
def arms_of(groups: Groups) -> int:
    """K."""
    return sum(int(count) for _, count in groups)


@quantity
def gap_of(groups: Groups, arm: int) -> Fraction:
    """Delta of an arm, counted from 1; that of the best arm, the first, is the smallest of the others."""
    for gap, count in gaps(groups):
        arm -= count
        if arm <= 0:
            return gap
    raise InvalidInput("arm", arm, "at most K")


def sum_of_inverse_gaps(groups: Groups, power: int = 1, first: int = 1) -> Any:
    """The sum of Delta_a^-power over the arms from the first one on."""
    return total(lambda a: 1 / gap_of(groups, a) ** power, first, arms_of(groups))


@quantity
def bernoulli_time(groups: Groups) -> Any:
    """T*_KL of Bernoulli arms."""
    return value(groups)


@quantity
def bernoulli_time_in_variation(groups: Groups) -> Any:
    """T*_TV of Bernoulli arms."""
    return value(groups, divergence="tv")


@quantity
def private_bernoulli_time(groups: Groups, epsilon: Any) -> Any:
    """T*(nu; epsilon) of Bernoulli arms."""
    return value(groups, epsilon=epsilon)


@quantity
def unit_gaussian_time(groups: Groups) -> Any:
    """T*_KL of Gaussian arms with variance 1."""
    return value(groups, "gaussian")


@quantity
def unit_gaussian_time_with_share(groups: Groups, beta: Any) -> Any:
    """T*_beta of Gaussian arms with variance 1: the best arm has the share beta of the pulls."""
    return value(groups, "gaussian", beta=beta)


def bernoulli_means(groups: Groups) -> list[Fraction]:
    return [Fraction(mean) for mean, count in groups for _ in range(int(count))]


@quantity
def gaussian_time(groups: Groups, beta: Any = None) -> Any:
    """T*_KL, or T*_(KL, beta), of Gaussian arms with sigma = 1/2, certified."""
    arms = [Gaussian(mean, Fraction(1, 2)) for mean in bernoulli_means(groups)]
    return characteristic_time(Instance(arms), beta=beta).value.ball()


@quantity
def relaxed_time(groups: Groups, epsilon: Any, beta: Any) -> Any:
    """T*_(eps, beta), certified."""
    return characteristic_time(
        means=bernoulli_means(groups), epsilon=epsilon, beta=beta, divergence="relaxed"
    ).value.ball()


@quantity
def pulls_of(strategy: Name, means: Sequence[Any], arm: int) -> Fraction:
    """The expected pulls of an arm, counted from 0."""
    return expected_pulls(strategy, means)[arm]


@quantity
def privacy_odds(strategy: Name) -> Fraction:
    """e^epsilon of the tightest epsilon of View DP."""
    return view_ratio(strategy)


@quantity
def risk_of(strategy: Name, nu: Sequence[Any], lam: Sequence[Any]) -> Fraction:
    """The larger error of a strategy on two instances, the least delta for which it is correct; at most 1/2."""
    risk = 1 - min(correct_on(strategy, (nu, lam)))
    if not 0 < risk <= Fraction(1, 2):
        raise InvalidInput("delta", risk, "a risk in (0, 1/2]")
    return risk


def chances_apart(delta: Annotated[Any, "(0, 1/2]"], p: Inside, q: Inside, factor=1) -> Sides:
    """kl(p, q) against kl(1 - delta, delta), by formula."""
    divergence = p * log(p / q) + (1 - p) * log((1 - p) / (1 - q))
    return factor * (1 - 2 * delta) * log((1 - delta) / delta), "<=", divergence


SHARED = fact(chances_apart, where=["p >= 1 - delta", "q <= delta"])


def correct_on(strategy: Name, instances: Sequence[Sequence[Any]]) -> list[Fraction]:
    """The chances of recommending the best arm, which is unique on each instance."""
    chances = []
    for means in instances:
        best = max(map(Fraction, means))
        if list(map(Fraction, means)).count(best) != 1:
            raise InvalidInput("instances", means, "means with a unique best arm")
        chances.append(chance_of_recommending(strategy, means, list(map(Fraction, means)).index(best)))
    return chances


def guesses_correctly(strategy: Name, delta: Fraction) -> None:
    """A strategy without rewards is delta-correct on all instances if it recommends each arm often enough."""
    rule = strategy_named(strategy)
    if rule.horizon or min(rule.recommendation(())) < 1 - delta:
        raise InvalidInput(
            "strategy", strategy, "a guess that is right with probability 1 - delta whatever the best arm"
        )
