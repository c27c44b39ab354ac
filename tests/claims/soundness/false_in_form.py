"""False claims by how they are stated and shown: names, enumerations, certificates, parts that do not cover."""

from __future__ import annotations

import math
from fractions import Fraction
from fractions import Fraction as F
from typing import Annotated, Any

from flaws import HALF, STEPS, Few, Pair, false, searched

from banditproof.claims.derivations import derivation, fact, facts_hold
from banditproof.claims.register import claim, item
from banditproof.claims.sets import Count, Inside, Natural, Nonnegative, Policy, Positive, Probability, Real
from banditproof.claims.steps import argued, certified, enumerated, interval, quadrature
from banditproof.theory.numbers.numeric import exp, log
from banditproof.verify.proof.domain import Domain

# -------------------------------------------------------------------------------------- names, parameters, and defaults


def constant_over_variable(x):
    return x, ">=", 1


@false(
    "a constant named x", at={"x": 0}, exactly=constant_over_variable, domain=Domain.of(x="[0, 1]"), constants={"x": 1}
)
def overridden(check):
    """x >= 1."""
    check.interval(constant_over_variable)


def takes_the_rest(x, **rest):
    return x * (1 - rest.get("y", 1)), "<=", 0


@false("y is never passed", at={"x": 1, "y": 0}, exactly=takes_the_rest, domain=Domain.of(x="[0, 1]", y="[0, 1]"))
def keywords(check):
    """x (1 - y) <= 0."""
    check.interval(takes_the_rest)


def misspelt(x, epsilom=0):
    return x * epsilom, "<=", 0


@false(
    "epsilon is misspelt",
    at={"x": 1, "epsilon": 1},
    exactly=lambda x, epsilon: (x * epsilon, "<=", 0),
    domain=Domain.of(x="[0, 1]", epsilon="[0, 1]"),
)
def with_a_default(check):
    """x epsilon <= 0."""
    check.interval(misspelt)


def defaulted(x, y=0):
    return x * y, "<=", 0


@false("y has a default and a set", at={"x": 1, "y": 1}, exactly=defaulted, domain=Domain.of(x="[0, 1]", y="[0, 1]"))
def default_and_set(check):
    """x y <= 0."""
    check.deduction(defaulted, STEPS)
    check.enumerate(defaulted, {"x": [0, 1]})


def no_y(x):
    return x, ">=", 0


@false("the relation does not take y", interval(of=no_y), at={"x": 0, "y": 1})
def forgotten_variable(x: Probability, y: Probability):
    """x >= y."""
    return x, ">=", y


def weaker(x):
    return x, ">=", 0


@false("another relation is shown", interval(of=weaker), at={"x": 0}, contrived=True)
def other_relation(x: Probability):
    """x > 0."""
    return x, ">", 0


@false("another relation is shown", interval(of=weaker), at={"x": 0}, contrived=True)
def other_relation_in_balls(x: Probability, half=HALF):
    """x >= 1/2."""
    return x, ">=", half


def other_count(n):
    return n, ">=", 1


@false("another relation is shown", enumerated(n=[1, 2, 3], of=other_count), at={"n": 1}, contrived=True)
def other_relation_at_points(n: Few):
    """n >= 2."""
    return n, ">=", 2


@false("twelve variables at once", interval(boxes=100), at={f"x{i}": 1 for i in range(12)}, exactly=lambda **x: (
    sum(x.values()), "<", 12), domain=Domain.of(**{f"x{i}": "[0, 1]" for i in range(12)}))  # fmt: skip
def twelve(check):
    """The sum of twelve numbers of [0, 1] is below 12."""
    check.interval(sum_of_twelve)


def sum_of_twelve(x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11):
    return x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7 + x8 + x9 + x10 + x11, "<", 12


# ------------------------------------------------------------------------------------------------------- enumerations


unordered = [{"m": 1, "n": 1}, {"m": 1, "n": 2}, {"n": 2, "m": 1}, {"m": 2, "n": 1}]


@false("the same point in two orders", enumerated(unordered, rational=True), at={"m": 2, "n": 2})
def two_orders(m: Pair, n: Pair):
    """m + n <= 3."""
    return m + n, "<=", 3


labelled = [{"m": 1, "n": 1}, {"m": 1, "n": 2}, {"m": 2, "n": 1}, {"m": 2, "n": 1, "case": "again"}]


@false("the same point with a label", enumerated(labelled, rational=True), at={"m": 2, "n": 2})
def extra_label(m: Pair, n: Pair):
    """m + n <= 3."""
    return m + n, "<=", 3


@false("every value, not every pair", enumerated([{"m": 1, "n": 1}, {"m": 2, "n": 2}]), at={"m": 1, "n": 2})
def pairs_of_equal(m: Pair, n: Pair):
    """m = n."""
    return m, "==", n


twice = [{"m": 1, "n": 2}, {"m": 1, "n": 2}, {"m": 2, "n": 1}, {"m": F(2), "n": F(1)}]


@false("points named twice", enumerated(twice, rational=True), at={"m": 2, "n": 2})
def named_twice(m: Pair, n: Pair):
    """m != n."""
    return m, "!=", n


some = [{"policy": {"name": name, "arms": k}, "K": k} for k, name in ((1, "a"), (2, "b"))]


@false(
    "two policies are not all",
    enumerated(some, covers={"policy": "all: every policy"}),
    at={"K": 3},
    exactly=lambda K: (K, "<=", 2),
)
def every_policy(K: Count, policy: Policy):
    """No policy has more than 2 arms."""
    return policy["arms"], "<=", 2


@false(
    "K is not all counts",
    enumerated(K=[1, 2], covers={"K": "integer [1, inf)"}),
    at={"K": 3},
    exactly=lambda K: (K, "<=", 2),
)
def not_all_counts(K: Count, policy: Policy):
    """K <= 2, for every policy."""
    return K, "<=", 2


@false("0.3 is no 3/10", enumerated(x=[0.1, 0.2, 0.3]), at={"x": "3/10"}, exactly=lambda x: (x, "!=", F(3, 10)))
def float_points(x: Annotated[Any, ["0.1", "0.2", "0.3"]]):
    """x differs from 3/10."""
    return (x, 0), "!=", (F(3, 10), 0)


@false("quadrature proves nothing", quadrature(x=[0, "1/2"], error="estimated"), at={"x": 1})
def supported_only(x: Probability):
    """x < 1."""
    return x, "<", 1


@false("an int divided by an int", enumerated(n=[3]), at={"n": 3}, exactly=lambda n: (F(n, 10), "!=", 3 * F(1, 10)))
def divided_ints(n: Annotated[Any, [3]]):
    """n/10 is not 3 · 0.1."""
    return n / 10, "!=", 3 * 0.1


@false("an int divided by an int", enumerated(n=[49]), at={"n": 49}, exactly=lambda n: (F(1, n) * n, "<", 1))
def divided_and_multiplied(n: Annotated[Any, [49]]):
    """(1/n) n < 1."""
    return Fraction(1 / n * n), "<", 1


@false("sorted as text", enumerated(n=range(1, 13)), at={"n": 10}, exactly=lambda n: (n, "<=", 9), contrived=True)
def as_text(n: Annotated[Any, "integer [1, 12]"]):
    """n <= 9."""
    return str(n), "<=", "9"


# ------------------------------------------------------------------------------------------------ certificates, facts


def trivially(data):
    return data, "==", data


@false("a verifier of nothing", certified(trivially, True), at={"x": 1}, contrived=True)
def own_word(x: Probability):
    """x < 1."""
    return x, "<", 1


def at_one_point(data, factor=2):
    return data["x"] ** 2, "<=", factor * data["x"]


@false("one point for all", certified(at_one_point, {"x": F(1)}), at={"x": 3}, contrived=True)
def one_point_for_all(x: Nonnegative, factor=2):
    """x² <= 2 x."""
    return x**2, "<=", factor * x


def without_constants(data):
    return sum(data), "<=", 1


@false("the verifier ignores the constant", certified(without_constants, [F(1, 2), F(1, 4)]), at={"x": 1})
def constant_ignored(x: Probability, bound=F(1, 1000)):
    """x <= 1/1000, since the weights of the certificate sum to at most 1."""
    return x, "<=", bound


@false("a region that the data do not have", certified(at_one_point, {"x": F(1)}, covers={"x": "[0, 10]"}), at={"x": 3})
def covers_by_hand(x: Annotated[Any, "[0, 10]"], factor=2):
    """x² <= 2 x on [0, 10]."""
    return x**2, "<=", factor * x


def square_of_y(y: Real):
    return y**2, ">=", 0


@false("a fact about another variable", argued("", square_of_y), at={"x": -1})
def fact_about_y(x: Real):
    """x >= 0."""
    return x, ">=", 0


def on_the_positive(x: Positive):
    return x, ">", 0


@false("a fact on a smaller domain", argued("", on_the_positive), at={"x": -1})
def fact_on_less(x: Real):
    """x > 0."""
    return x, ">", 0


@false("joined in words", argued("as is well known", on_the_positive), at={"x": -1})
def joined_in_words(x: Real):
    """x > 0."""
    return x, ">", 0


def with_a_constant(x: Nonnegative, slack=1):
    return x + slack, ">", 0


@false("the fact has a constant of its own", argued("", with_a_constant), at={"x": 0})
def fact_with_a_default(x: Nonnegative):
    """x > 0."""
    return x, ">", 0


@false("the fact has no tree, as it fails below 1", argued("nothing else is needed"), at={"x": "1/2"}, balls=True)
def fact_not_reached(x: Positive):
    """log x >= 0."""
    return log(x), ">=", 0


def listed_facts(check):
    return derivation([fact(on_the_positive)], "")


@false("a derivation without a joint", certified(facts_hold, listed_facts), at={"x": 0})
def no_joint(x: Nonnegative):
    """x > 0."""
    return x, ">", 0


@false("the claim itself is false", argued("Markov's inequality"), at={"x": 1})
def own_relation(x: Probability):
    """x < 1."""
    return x, "<", 1


# -------------------------------------------------------------------------------------------- textbook statements, bent


@false("randomised response at epsilon = 1", interval(boxes=1000), at={"epsilon": 1}, balls=True)
def randomised_response(epsilon: Probability, factor=F(1, 5)):
    """(e^eps - 1)/(e^eps + 1) <= eps/5 + eps²/5."""
    growth = exp(epsilon)
    return (growth - 1) / (growth + 1), "<=", factor * epsilon * (1 + epsilon)


@false("0! = 1", enumerated(n=range(1, 30), covers={"n": "integer [0, inf)"}), at={"n": 0})
def factorials(n: Natural):
    """n! <= n^n - 1[n = 0]."""
    return math.factorial(n), "<=", n**n - (n == 0)


# ----------------------------------------------------------------------------------------- items, and what is not there


def item_of(name: str, statement: str, domain: Domain) -> None:
    item(f"FALSE-ITEM-{name}", statement, domain=domain)


item_of("point", "x = 0 on [0, 1]", Domain.of(x="[0, 1]"))


@claim("FALSE-ITEM-point/at-zero", interval())
def part_at_zero(x: Annotated[Any, "[0, 0]"]):
    """x <= 0 at x = 0."""
    return x, "<=", 0


item_of("other", "x = 0 on [0, 1]", Domain.of(x="[0, 1]"))


@claim("FALSE-ITEM-other/about-y", searched)
def part_about_y(y: Real):
    """y² >= 0."""
    return y**2, ">=", 0


item_of("halves", "(2 x - 1)² > 0 on [0, 1]", Domain.of(x="[0, 1]"))


@claim("FALSE-ITEM-halves/left", searched)
def part_left(x: Annotated[Any, "[0, 1/2)"]):
    """(2 x - 1)² > 0."""
    return (2 * x - 1) ** 2, ">", 0


@claim("FALSE-ITEM-halves/right", searched)
def part_right(x: Annotated[Any, "(1/2, 1]"]):
    """(2 x - 1)² > 0."""
    return (2 * x - 1) ** 2, ">", 0


item_of("tie", "x < y where x <= y", Domain.of(["x <= y"], x="(0, inf)", y="(0, inf)"))


@claim("FALSE-ITEM-tie/below", searched, where=["x < y"])
def part_below(x: Positive, y: Positive):
    """x < y where x < y."""
    return x, "<", y


item_of("edge", "x > 0 on [0, 1]", Domain.of(x="[0, 1]"))


@claim("FALSE-ITEM-edge/inside", searched)
def part_inside(x: Inside):
    """x > 0 on (0, 1)."""
    return x, ">", 0


@claim("FALSE-ITEM-edge/one", searched, role="edge")
def edge_at_one(x: Annotated[Any, "[1, 1]"]):
    """x > 0 at 1."""
    return x, ">", 0


@claim("EMPTY-constraint", interval(), where=["x > 2"])
def nothing_above_two(x: Probability):
    """x < 0 where x > 2."""
    return x, "<", 0


@claim("EMPTY-constraints", interval(boxes=200), where=["x < 1/3", "x > 2/3"])
def nothing_between(x: Probability):
    """x > 5 where x < 1/3 and x > 2/3."""
    return x, ">", 5


@claim("EMPTY-interval", interval(boxes=50))
def open_point(x: Annotated[Any, "(1/2, 1/2)"]):
    """x > 5 on (1/2, 1/2)."""
    return x, ">", 5


@claim("EMPTY-enumeration", enumerated(n=[1, 2], rational=True))
def no_integer(n: Annotated[Any, "integer (1, 2)"]):
    """n >= 0 on the integers between 1 and 2."""
    return n, ">=", 0
