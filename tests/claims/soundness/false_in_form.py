"""False claims by how they are stated and shown: names, enumerations, certificates, parts that do not cover."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Annotated, Any

from flaws import STEPS, false, searched

from banditproof.claims.register import claim, item
from banditproof.claims.sets import Inside, Positive, Probability, Real
from banditproof.claims.steps import enumerated, interval
from banditproof.theory.numbers.numeric import exp
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


@false("twelve variables at once", interval(boxes=100), at={f"x{i}": 1 for i in range(12)}, exactly=lambda **x: (
    sum(x.values()), "<", 12), domain=Domain.of(**{f"x{i}": "[0, 1]" for i in range(12)}))  # fmt: skip
def twelve(check):
    """The sum of twelve numbers of [0, 1] is below 12."""
    check.interval(sum_of_twelve)


def sum_of_twelve(x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11):
    return x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7 + x8 + x9 + x10 + x11, "<", 12


# -------------------------------------------------------------------------------------------- textbook statements, bent


@false("randomised response at epsilon = 1", interval(boxes=1000), at={"epsilon": 1}, balls=True)
def randomised_response(epsilon: Probability, factor=F(1, 5)):
    """(e^eps - 1)/(e^eps + 1) <= eps/5 + eps²/5."""
    growth = exp(epsilon)
    return (growth - 1) / (growth + 1), "<=", factor * epsilon * (1 + epsilon)


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
