"""Section 2.2.5, page 28: the confidence radius of a mean, and the explanation that follows Theorem 2.23.

Read with delta = 1/T^2 and the width of (2.9), as in the theorem, the explanation is consistent; the values it prints
instead are readings of their own.
"""

from typing import Any

from banditproof.claims.language import *
from banditproof.theory.laws.bernoulli_quotients import cumulant_over_square
from banditproof.verify.kernel.document_words import word
from banditproof.verify.kernel.variables import multiple, sum_of_all


@word
def deviation_of_the_mean(X: Any, T: Any) -> Any:
    """The law of the mean of T independent variables with the laws X(0), ..., X(T - 1)."""
    return multiple(1 / T, sum_of_all(X, T))


@claim(
    "TH-S2.2d/order",
    enumerated(horizon=[1000, 100, 10, 3, 2, 1], routes=("the sum, in balls", "square roots")),
    deduced(),
    false=[{"high": "1.9"}, {"low": "1.1"}],
)
def order_of_the_sum(horizon: Count, low=1, high=2):
    r"""$\sqrt T\le\sum_{t\le T}t^{-1/2}\le2\sqrt T$: the order is $\sqrt T$

    Both inequalities are written as one comparison of the distances to the middle.
    """
    added, root = total(lambda t: 1 / sqrt(t), 1, horizon), sqrt(horizon)
    return abs(added - ratio(low + high, 2) * root), "<=", ratio(high - low, 2) * root


@claim(
    "TH-S2.2e",
    interval(
        substitutions={"lam": ("t", "(-1, 1)", "t/(1 - t**2)")},
        routes=("Taylor's formula for log E e^(lam (X - p)), divided by lam^2", "1/8"),
    ),
    where=["lam != 0"],
    covered="That a variable with a mean is subgaussian is said of what it differs from its mean, as of the variables"
    " 'with mean $\\mu$' before (2.9).",
)
def bernoulli_is_subgaussian(p: Probability, lam: Real):
    r"""A Bernoulli variable, centred, is $\frac12$-subgaussian whatever its mean: $\log\mathbb E
    e^{\lambda(X-p)}\le\frac{\lambda^2}2\cdot\frac14$.

    Both sides are divided by lam^2; at lam = 0 both are 0.
    """
    return cumulant_over_square(p, lam), "<=", to_ball(1) / 8
