"""What Chapter 6 and its proofs use: vectors of numbers, and the sub-sampled mean as a finite mechanism."""

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations, product
from math import comb, prod
from typing import Annotated, Any

from banditproof.theory import log, to_ball
from banditproof.theory.numbers.numeric import exp
from banditproof.verify import FiniteChannel, MembershipGame

Vector = Annotated[Any, "all: every vector of numbers"]


def squared_length(vector: Iterable[Any]) -> Any:
    return sum(x * x for x in vector)


def gamma_sum_is_below(n: int, level: Any) -> Any:
    """A lower bound of P(Gamma(1/n) < level), a ball: x^a e^(-x) / Gamma(1 + a) is one of P(Gamma(a) < x)."""
    share = to_ball(Fraction(1, n))
    return exp(share * log(level) - level) / (1 + share).gamma()


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
