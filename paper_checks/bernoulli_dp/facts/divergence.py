r"""What several sections need: closed forms of d_epsilon, and finite policies whose environment is changed twice."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.verify.privacy.coupled_environment import (
    coupled_law,
    expected_pulls,
    few_pulls,
    likely,
    probability,
    pulls_law,
    rarely_different,
)


def saturation(y: Any, epsilon: Any, rate: Any = 1) -> Any:
    """y / (y + (1-y) e^epsilon), where the objective is stationary for x <= y."""
    return y / (y + (1 - y) * exp(rate * epsilon))


def saturation_above(y: Any, epsilon: Any, rate: Any = 1) -> Any:
    """y e^epsilon / (y e^epsilon + 1 - y), where the objective is stationary for x >= y."""
    return y * exp(rate * epsilon) / (y * exp(rate * epsilon) + 1 - y)


def printed_minimiser(x: Any, y: Any, epsilon: Any, rate: Any = 1) -> Any:
    below = lambda: maximum(x, saturation(y, epsilon, rate))  # noqa: E731
    return where(x, "<=", y, below, lambda: minimum(x, saturation_above(y, epsilon, rate)))


# The setting of Section 3.5: mu_2 <= mu_2' <= mu_1 <= mu_2'', the means of arm 2 in three environments and of arm 1.
EVERY_POLICY = "all: every epsilon-global DP policy that is consistent over the class of Bernoulli bandits"
Private = Annotated[Any, EVERY_POLICY]
Pulls = Nonnegative
Mean = Probability
CHAIN = ["mu_2 <= mu_2_prime", "mu_2_prime <= mu_1"]
SETTING = [*CHAIN, "mu_1 <= mu_2_alt"]
INNER = [
    ("1/10", "1/2", "1/2", "4/5"),
    ("1/5", "2/5", "3/5", "9/10"),
    ("0", "9/10", "9/10", "99/100"),
    ("1/10", "1/10", "1/10", "9/10"),
    ("3/10", "3/10", "1/2", "11/20"),
]


def points(
    means: Sequence[Sequence[str]] = INNER,
    slacks: Sequence[str] = ("1/4", "1", "3"),
    counts: Sequence[int] = (1, 2),
    seeds: int = 4,
) -> list[dict[str, Any]]:
    """Random and randomised-response policies in the listed environments (mu_2, mu_2', mu_1, mu_2'')."""
    policies: list[list[Any]] = [["random", seed, 4, 2] for seed in range(seeds)]
    policies += [["response", Fraction(ratio), 4, 2] for ratio in ("3/2", "9", "99")]
    names = ("mu_2", "mu_2_prime", "mu_1", "mu_2_alt")
    environments = [dict(zip(names, map(Fraction, chain), strict=True)) for chain in means]
    return [
        {"policy": policy, "alpha": Fraction(alpha), "n_2": n_2, **environment}
        for policy in policies
        for environment in environments
        for alpha in slacks
        for n_2 in counts
    ]


def on_policies(over: list[dict[str, Any]], *routes: Any) -> enumerated:
    """The step that evaluates a relation on finite policies, exactly, at the variables of the listed points."""

    def listed(check: Check) -> list[dict[str, Any]]:
        return [{name: point[name] for name in check.domain.sets} for point in over]

    combinations = f"all: {len(over)} listed combinations with finite policies"
    return enumerated(listed, covers={"policy": combinations}, rational=True, routes=routes or None)


def few_pulls_and(
    policy: Any,
    alpha: Any,
    n_2: Any,
    mu_2: Any,
    mu_2_prime: Any,
    mu_1: Any,
    mu_2_alt: Any,
    in_l: bool | None = None,
    in_a: bool | None = None,
) -> Fraction:
    """P(Omega) in the coupled environment, cut with L or its complement and with A or its complement where asked."""

    def counted(pulls: int, differing: int, ones: int) -> bool:
        return (
            pulls <= n_2
            and (in_l is None or in_l == rarely_different(differing, n_2, alpha, mu_2_prime - mu_2))
            and (in_a is None or in_a == likely(pulls, ones, n_2, alpha, mu_2_prime, mu_2_alt))
        )

    return probability(coupled_law(policy, mu_1, mu_2, mu_2_prime), counted)


@quantity
def few_in_l_and_a(policy: Any, alpha: Any, n_2: Any, mu_2: Any, mu_2_prime: Any, mu_1: Any, mu_2_alt: Any) -> Fraction:
    """P(Omega and L and A) in the coupled environment."""
    return few_pulls_and(policy, alpha, n_2, mu_2, mu_2_prime, mu_1, mu_2_alt, in_l=True, in_a=True)


@quantity
def few_in_l_outside_a(
    policy: Any, alpha: Any, n_2: Any, mu_2: Any, mu_2_prime: Any, mu_1: Any, mu_2_alt: Any
) -> Fraction:
    """P(Omega and L and not A) in the coupled environment."""
    return few_pulls_and(policy, alpha, n_2, mu_2, mu_2_prime, mu_1, mu_2_alt, in_l=True, in_a=False)


@quantity
def few_in_a(policy: Any, alpha: Any, n_2: Any, mu_2: Any, mu_2_prime: Any, mu_1: Any, mu_2_alt: Any) -> Fraction:
    """P(Omega and A) in the coupled environment."""
    return few_pulls_and(policy, alpha, n_2, mu_2, mu_2_prime, mu_1, mu_2_alt, in_a=True)


@quantity
def few_outside_l(policy: Any, alpha: Any, n_2: Any, mu_2: Any, mu_2_prime: Any, mu_1: Any) -> Fraction:
    """P(Omega and not L) in the coupled environment."""
    return few_pulls_and(policy, alpha, n_2, mu_2, mu_2_prime, mu_1, None, in_l=False)


@quantity
def few_in_the_coupled_run(policy: Any, n_2: Any, mu_2: Any, mu_2_prime: Any, mu_1: Any) -> Fraction:
    """P(N_2(T) <= n_2) in the coupled environment."""
    return few_pulls_and(policy, None, n_2, mu_2, mu_2_prime, mu_1, None)


@quantity
def few_in_a_bandit(policy: Any, n_2: Any, mu: Any, mu_1: Any) -> Fraction:
    """P(N_2(T) <= n_2) where arm 2 has mean mu, from the law of the history."""
    return few_pulls(pulls_law(policy, mu_1, mu), n_2)


@quantity
def mean_pulls_in_a_bandit(policy: Any, mu: Any, mu_1: Any) -> Fraction:
    """E[N_2(T)] where arm 2 has mean mu, from the law of the history."""
    return expected_pulls(pulls_law(policy, mu_1, mu))


def ends(series: list[tuple[Any, Any]]) -> list[tuple[Any, list[float]]]:
    """A series of balls as floats: the lower and upper end of each."""
    return [(index, [float(to_ball(ball).lower()), float(to_ball(ball).upper())]) for index, ball in series]
