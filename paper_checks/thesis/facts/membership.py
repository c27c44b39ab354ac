"""What Chapter 6 and its proofs use: vectors of numbers, and the sub-sampled mean as a finite mechanism."""

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations, product
from math import comb, prod
from typing import Annotated, Any

from banditproof.theory import log, sqrt, to_ball
from banditproof.theory.numbers.numeric import exp
from banditproof.verify import FiniteChannel, MembershipGame

Vector = Annotated[Any, "all: every vector of numbers"]


def squared_length(vector: Iterable[Any]) -> Any:
    return sum(x * x for x in vector)


def gamma_sum_is_below(n: int, level: Any) -> Any:
    """A lower bound of P(Gamma(1/n) < level), a ball: x^a e^(-x) / Gamma(1 + a) is one of P(Gamma(a) < x)."""
    share = to_ball(Fraction(1, n))
    return exp(share * log(level) - level) / (1 + share).gamma()


def column_transform(n: int, mu: Any, target: int, p: Any, assumed: int | None = None) -> Any:
    """log E[(p_in/p_out)^p] of the mean of n bits, as a ball: the ratio is that for the bit `assumed`, in the data is
    `target`; without `assumed` the ratio is that for the target, which is not in the data."""
    mean = mu if (target if assumed is None else assumed) else 1 - mu
    drawn, ones = (n, 0) if assumed is None else (n - 1, target == assumed)
    total = to_ball(0)
    for s in range(max(1 - ones, 0), drawn + 1):  # at 0 the ratio is 0
        total += comb(drawn, s) * mean**s * (1 - mean) ** (drawn - s) * (to_ball(Fraction(s + ones, n)) / mean) ** p
    return log(total)


def values_at_random() -> tuple[Any, Any, Any]:
    """A third, and mean and variance of a number that is 0, 1 or sqrt(2) with that probability each."""
    third, root = to_ball(Fraction(1, 3)), sqrt(to_ball(2))
    mean = third * (1 + root)
    return third, mean, third * (1 + root**2) - mean**2


def sub_sampled_mean(n: int, k: int, means: tuple[Fraction, ...]) -> MembershipGame:
    """n records of independent bits with these means; the column sums of k rows, chosen at random, are published."""
    records: Any = tuple(product((0, 1), repeat=len(means)))
    laws: Any = {}
    for rows in product(records, repeat=n):
        law: dict[Any, Fraction] = {}
        for chosen in combinations(rows, k):
            sums = tuple(sum(column) for column in zip(*chosen, strict=True))
            law[sums] = law.get(sums, Fraction(0)) + Fraction(1, comb(n, k))
        laws[rows] = law
    data = {z: prod((m if bit else 1 - m for bit, m in zip(z, means, strict=True)), start=Fraction(1)) for z in records}
    return MembershipGame(FiniteChannel(n, records, laws), data)
