"""No float comes about on the way of an exact formula, however it is hidden; and the formula keeps its value."""

import math
import operator
from fractions import Fraction as F
from functools import cache, partial, reduce

import pytest

from banditproof.theory import exp
from banditproof.verify.proof.plain.watching import Rounded, rounding_at, watching

TABLE = {1: 1, 2: 49}
HALF = 1 / 2


def share(whole, part=7):
    return part / whole


def by_a_helper(n):
    return math.floor(share(49) * n), "<=", 1


def by_a_power(n):
    return math.floor(n * pow(10, -1)), "<=", 1


def by_numerators(n):
    return math.floor(F(n, 3).numerator / F(1, n).denominator), "<=", 1


def by_an_operator_of_the_type(n):
    return math.floor(int.__truediv__(n, 3)), "<=", 1


def by_a_lazy_map(n):
    return sum(map(round, map(operator.truediv, [n, 2], [3, 3]))), "<=", 9


def by_a_partial(n):
    return math.floor(partial(share, part=n)(49)), "<=", 1


def by_a_table(n):
    return math.floor(1 / TABLE[2] * n), "<=", 1


def by_a_global(n):
    return math.floor(n * HALF), "<=", 9


def by_a_template(n):
    return F("%.3f" % F(n, 3)), "<=", 9  # noqa: UP031


def by_a_text(n):
    return F(f"{F(n, 3):.3f}"), "<=", 9


@cache
def remembered(n):
    return math.floor(n * share(3)), "<=", 99


class Scale:
    def of(self, n):
        return math.floor(n / 3)


def by_a_method(n):
    return Scale().of(n), "<=", 9


@pytest.mark.parametrize(
    "relation",
    [by_a_helper, by_a_power, by_numerators, by_an_operator_of_the_type, by_a_lazy_map, by_a_partial, by_a_table,
     by_a_global, by_a_template, by_a_text, remembered, by_a_method],
)  # fmt: skip
def test_a_float_on_the_way_is_seen(relation):
    assert rounding_at(relation, {"n": 2}, {}, True) is not None


def test_the_step_that_gives_a_float_is_named():
    assert rounding_at(by_a_helper, {"n": 2}, {}, True) == "part / whole is the float 0.14285714285714285"


def balls_in_order(n):
    return max([0, 1], key=[exp(F(0)), exp(F(n, 10**40))].__getitem__), "==", 0


def test_a_ball_that_is_compared_is_seen():
    assert "asks a ball" in rounding_at(balls_in_order, {"n": 2}, {}, False)


def fibonacci():
    @cache
    def at(n):
        return n if n < 2 else at(n - 1) + at(n - 2)

    return at


def everything(n, start=0, *, scale=F(1, 3)):
    fib, total = fibonacci(), start
    for k, weight in enumerate(map(F, range(n))):
        total += scale * weight if k % 2 else -weight
    pairs = {f"{a}": b for a, b in zip("abc", [*range(n)][:3], strict=False)}
    first, *rest = sorted(pairs.values(), key=lambda value: -value)
    largest = max(math.inf if total > 10**9 else total, reduce(operator.mul, (F(k) for k in rest), first))
    return (total, fib(30), largest, n % 3, [2**k for k in range(n)][1:3]), "==", (entry := n, entry)


@pytest.mark.parametrize("n", [3, 5, 8])
def test_a_watched_formula_has_its_own_value(n):
    assert watching(everything)(n) == everything(n) and watching(everything)(n, 2, scale=3) == everything(n, 2, scale=3)


def test_what_stands_around_a_function_is_in_sight():
    def within(n, of=lambda n: 3 * n):
        return of(n) + inner(n)

    def inner(n):
        return n * factor

    factor = F(1, 2)
    assert watching(within)(4) == 14
    factor = 0.5
    with pytest.raises(Rounded, match="factor is the float"):
        watching(within)(4)
