"""False claims that are programs: what they take was rounded before, and what they compare is no number."""

import functools
from fractions import Fraction as F
from typing import Annotated, Any

import flint
import mpmath
import sympy
from flaws import false, searched

from banditproof.algorithms import AdaPUCB, BernoulliBandit, NoiseSource
from banditproof.claims import Inside, Probability, claim, enumerated, fails_at, interval, step, tried_at
from banditproof.theory import Budget, compose, log, to_ball
from banditproof.verify import check_regret

Half = Annotated[Any, ["1/2"]]
One = Annotated[Any, [1]]
Weight = Annotated[Any, "all: every weight of a policy"]
ROUNDED = to_ball(1 / 3)
OF_A_FLOAT, OF_A_TEXT = F(1 / 3), F(str(1 / 3))


def third_is_less(x):
    return x / 3, "<", x / 3


def wrong(**_: Any):
    return 1, "==", 0


# ------------------------------------------------------------------------------------------ rounded before it is read


@false("a ball of the module", enumerated(x=["1/2"]), at={"x": "1/2"}, exactly=third_is_less)
def programmed_ball(x: Half):
    """x/3 < x/3, with a ball around another number than 1/3."""
    return ROUNDED * x, "<", x / 3


@false("a Fraction of a float", enumerated(x=["1/2"], rational=True), at={"x": "1/2"}, exactly=third_is_less)
def programmed_fraction(x: Half):
    """x/3 < x/3."""
    return len([x]) * OF_A_FLOAT * x, "<", x / 3


@false("the decimals of a float", enumerated(x=["1/2"], rational=True), at={"x": "1/2"}, exactly=third_is_less)
def programmed_decimals(x: Half):
    """x/3 < x/3."""
    return len([x]) * OF_A_TEXT * x, "<", x / 3


class Kept:
    """A record whose numbers are made outside of what is watched."""

    @property
    def third(self):
        return F(1 / 3)

    @functools.cached_property
    def decimals(self):
        return F(str(1 / 3))


KEPT = Kept()


@false("a property of a record", enumerated(x=["1/2"], rational=True), at={"x": "1/2"}, exactly=third_is_less)
def programmed_property(x: Half):
    """x/3 < x/3."""
    return KEPT.third * x, "<", x / 3


@false("a property that is kept", enumerated(x=["1/2"], rational=True), at={"x": "1/2"}, exactly=third_is_less)
def programmed_cached_property(x: Half):
    """x/3 < x/3."""
    return KEPT.decimals * x, "<", x / 3


@functools.lru_cache
def cached_third():
    return F(1 / 3)


@false("a cached value", enumerated(x=["1/2"], rational=True), at={"x": "1/2"}, exactly=third_is_less)
def programmed_cache(x: Half):
    """x/3 < x/3."""
    return cached_third() * x, "<", x / 3


@false("budgets are floats", enumerated(n=[1], rational=True), at={"n": 1}, exactly=wrong)
def programmed_composition(n: One):
    """1/10 and 2/10 do not compose to 3/10."""
    both = compose(Budget.pure(F(1, 10)), Budget.pure(F(2, 10)))
    return (1 if both == Budget.pure(F(3, 10)) else 0), "==", 0


@false("budgets are no sides", enumerated(n=[1]), at={"n": 1}, exactly=wrong)
def programmed_budget_as_a_side(n: One):
    """1/10 and 2/10 do not compose to 3/10."""
    return compose(Budget.pure(F(1, 10)), Budget.pure(F(2, 10))), "!=", Budget.pure(F(3, 10))


@false("a budget takes the middle of a ball", enumerated(n=[1]), at={"n": 1}, exactly=wrong)
def programmed_budget_of_a_ball(n: One):
    """3 (1/3) < 1."""
    return F(Budget.pure(to_ball(F(1, 3))).epsilon) * 3, "<", n


@false("mpmath rounds", enumerated(n=[1], rational=True), at={"n": 1}, exactly=wrong)
def programmed_quadrature(n: One):
    """The integral of 1/t over [1, 2] is not log 2."""
    return F(str(mpmath.quad(lambda t: n / t, [1, 2]))), "!=", log(2)


@false(
    "SymPy's floats round", enumerated(n=[1], rational=True), at={"n": 1}, exactly=lambda n: (F(n, 6), "!=", F(1, 6))
)
def programmed_sympy_float(n: One):
    """10^30/6 is no 10^30/6."""
    return F(int(sympy.Float("0.5") * 10**30 / 3)), "!=", F(n * 10**30, 6)


@false(
    "|x - 1/3| is not analytic",
    enumerated(n=[1], rational=True),
    at={"n": 1},
    exactly=lambda n: (F(5, 18), "!=", F(5, 18)),
)
def programmed_integral_with_a_corner(n: One):
    """The integral of |x - 1/3| over [0, 1] is not 5/18."""
    third = flint.arb(1) / 3
    return flint.acb.integral(lambda z, _: flint.acb(abs(z.real - third)), 0, n).real, "!=", F(5, 18)


@false(
    "a sign is not analytic", enumerated(n=[1], rational=True), at={"n": 1}, exactly=lambda n: (F(1, 3), "!=", F(1, 3))
)
def programmed_integral_of_a_sign(n: One):
    """The integral of sgn(x - 1/3) over [0, 1] is not 1/3."""
    third = flint.arb(1) / 3
    return flint.acb.integral(lambda z, _: flint.acb((z.real - third).sgn()), 0, n).real, "!=", F(1, 3)


# ------------------------------------------------------------------------------------------ what is compared, and how


@false("10 is larger than 9", enumerated(n=[10], rational=True), at={"n": 10}, exactly=lambda n: (n, "<", 9))
def programmed_texts(n: Annotated[Any, [10]]):
    """10 < 9."""
    return str(n), "<", "9"


@false("a text is no number", enumerated(n=[10], rational=True), at={"n": 10}, exactly=lambda n: (n, "!=", 10))
def programmed_text_beside_a_number(n: Annotated[Any, [10]]):
    """10 != 10."""
    return str(n), "!=", n


@false("a text in a tuple", enumerated(n=[1], rational=True), at={"n": 1}, exactly=lambda n: (n, "!=", 1))
def programmed_text_in_a_tuple(n: One):
    """(1, n) != (1, n)."""
    return ("1", n), "!=", (1, n)


@false("a text in a set", enumerated(n=[1], rational=True), at={"n": 1}, exactly=lambda n: (n, "!=", 1))
def programmed_text_in_a_set(n: One):
    """{1} != {1}."""
    return {"1"}, "!=", {n}


@false("1e-3 is a number", enumerated(n=[1], rational=True), at={"n": 1}, exactly=lambda n: (n, "!=", 1))
def programmed_constant_as_a_text(n: One, c="1e-3"):
    """1/1000 != 1/1000."""
    return c, "!=", F(n, 1000)


@false("nothing is no number", enumerated(n=[1], rational=True), at={"n": 1}, exactly=lambda n: (n, "!=", 1))
def programmed_nothing(n: One):
    """1 != 1, with nothing in the place of 1."""
    return [].append(n), "!=", n


SIGNS = ("=<", "=", "≤", "=>", "≥", "≠", " <= ", "<= ", "le", "<>", "in", "is", "", "!")


def with_sign(place: int) -> None:
    def programmed(x: Half):
        """2 x <= x/2."""
        return 2 * x, SIGNS[place], x / 2

    programmed.__name__ = programmed.__qualname__ = f"programmed_sign_{place}"
    globals()[programmed.__name__] = programmed
    why = f"{SIGNS[place]!r} is no operator"
    false(why, enumerated(x=["1/2"]), at={"x": "1/2"}, exactly=lambda x: (2 * x, "<=", x / 2))(programmed)


for _place in range(len(SIGNS)):
    with_sign(_place)


# ---------------------------------------------------------------------------------------------------- where it is said


@claim("IRRATIONAL-equality-at-one-over-log-7", interval(boxes=300), where=["log(n) * x >= 1"])
def programmed_constraint_in_floats(n: Annotated[Any, [7]], x: Probability):
    """log(n) x > 1 where log(n) x >= 1, which fails where log 7 is not rounded."""
    return log(n) * x, ">", 1


@false("y is a number", interval(), at={"x": 0}, exactly=lambda x: (x + 1, "<=", x / 100 + F(1, 10)))
def programmed_default(x: Probability, *, y=0):
    """x + y <= 1.01 x + 1/10 for y in [0, 1]."""
    return x + y, "<=", x + x / 100 + F(1, 10)


@false("y is a number", enumerated(x=["1/2"], rational=True), at={"x": "1/2"}, exactly=lambda x: (x + 1, "<=", x))
def programmed_default_at_points(x: Half, *, y=0):
    """x + y <= x for y in [0, 1]."""
    return len([x]) * (x + y), "<=", x


def raised(check, relation):
    check.constants["c"] = F(5)
    return check.enumerate(relation, {"n": [1]}, rational=True)


@false("a step has constants of its own", step(raised, "enumeration"), at={"n": 1})
def programmed_constant_of_a_step(n: One, c=0):
    """1 <= 0."""
    return n, "<=", c


def moved(check, relation):
    check.domain = check.domain.restrict(n=[1])
    return check.enumerate(relation, {"n": [1]}, rational=True)


@false("a step has a domain of its own", step(moved, "enumeration"), at={"n": 2})
def programmed_domain_of_a_step(n: Annotated[Any, [1, 2]]):
    """n <= 1 on {1, 2}."""
    return n, "<=", 1


def no_more(n):
    return n, "<=", 2


@false(
    "another relation", step(lambda check, relation: check.enumerate(no_more, {"n": [1]}), "enumeration"), at={"n": 1}
)
def programmed_relation_of_a_step(n: One):
    """1 < 1."""
    return n, "<", 1


@claim("EMPTY-no-integer", searched, interval(boxes=10))
def no_integer(n: Annotated[Any, "integer [1/3, 1/2]"]):
    """n < 0."""
    return n, "<", 0


@claim("TRUE-weight-of-a-policy", fails_at(weight="3/2"), tried_at([{"weight": F(3, 2)}]))
def weight_of_a_policy(weight: Weight):
    """A weight is at most 1; 3/2 is no weight."""
    return weight, "<=", 1


@claim("TRUE-late-binding", searched)
def bound_late(x: Inside):
    """What the machine reads is 9 x, which is what three functions of one loop give."""
    tripled = [lambda v: v * k for k in (1, 2, 3)]  # noqa: B023
    return sum(each(x) for each in tripled), "==", 9 * x


def seen_in_runs():
    def make(rows, generator):
        return AdaPUCB(2, Budget.pure(1), NoiseSource(generator), beta=4, replications=rows.stop - rows.start)

    return check_regret(make, BernoulliBandit([1, 0]), 50, 1, seconds=1)


@false("runs are statistics", enumerated(n=[1], rational=True), at={"n": 1}, exactly=wrong)
def programmed_verdict_of_runs(n: One):
    """No run of AdaP-UCB breaks a regret of 1 in 50 rounds."""
    return (n if seen_in_runs().verdict == "violation" else 0), "==", 1


@claim("TRUE-verdict-of-runs", fails_at(n=1))
def verdict_of_runs(n: One):
    """What runs say refutes nothing."""
    return (n if seen_in_runs().ok else 0), "==", 1
