"""False claims that are programs: what they take was rounded before, and what they compare is no number."""

from fractions import Fraction as F
from typing import Annotated, Any

import flint
from flaws import false, searched

from banditproof.algorithms import AdaPUCB, BernoulliBandit, NoiseSource
from banditproof.claims import Inside, Probability, claim, enumerated, fails_at, interval, tried_at
from banditproof.theory import Budget, compose, log
from banditproof.verify import check_regret

Half = Annotated[Any, ["1/2"]]
One = Annotated[Any, [1]]
Weight = Annotated[Any, "all: every weight of a policy"]


def wrong(**_: Any):
    return 1, "==", 0


# ------------------------------------------------------------------------------------------ rounded before it is read


@false("budgets are floats", enumerated(n=[1], rational=True), at={"n": 1}, exactly=wrong)
def programmed_composition(n: One):
    """1/10 and 2/10 do not compose to 3/10."""
    both = compose(Budget.pure(F(1, 10)), Budget.pure(F(2, 10)))
    return (1 if both == Budget.pure(F(3, 10)) else 0), "==", 0


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


@claim("TRUE-verdict-of-runs", fails_at(n=1))
def verdict_of_runs(n: One):
    """What runs say refutes nothing."""
    return (n if seen_in_runs().ok else 0), "==", 1
