"""A relation that is proved on boxes means the same for every point of a ball, or it is refused."""

import math
from fractions import Fraction
from functools import cache, wraps

import pytest

from banditproof.theory import absolute, d_epsilon, exp, maximum, to_ball
from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.balls import ball_between
from banditproof.theory.numbers.numeric import BALL, joined, system, where
from banditproof.verify.proof.domain import Domain
from banditproof.verify.proof.plain import impurity
from banditproof.verify.proof.plain.sealed import Asked, SealedBall, opened, sealed
from banditproof.verify.proof.prover import prove

UNIT = Domain.of(x="[0, 1]")
HALF = Fraction(1, 2)


def branch(x):
    return (1 if x > HALF else 0), "<=", 0


def statement(x):
    if x == HALF:
        return 1, "<=", 0
    return 0, "<=", 0


def truth(x):
    return (1 if x else 0), "<=", 0


def loop(x):
    steps = 0
    while x > HALF:
        steps, x = steps + 1, x - HALF
    return steps, "<=", 0


def smallest(x):
    return min(x, 1 - x), "<=", 0


def middle(x):
    return x.mid(), "<=", HALF


def converted(x):
    return Fraction(float(x)), "<=", HALF


def rounded(x):
    return round(float(x)), "<=", 0


def jumping(x):
    return joined(x, "<", HALF, 0 * x, 1 + 0 * x), "<=", HALF


def matched(x):
    match x:
        case m:
            return (1 if m > HALF else 0), "<=", 0


def chained(x):
    t = a, b = x, 1
    return (1 if t[0] > HALF else 0), "<=", 0 * (a + b)


def starred(x):
    a, *b = 1, 2, x
    return (1 if b[1] > HALF else 0), "<=", 0 * a


def positional(x):
    def inner(v, /):
        return 1 if v > HALF else 0

    return inner(x), "<=", 0


def variadic(x):
    def inner(*v):
        return 1 if v[0] > HALF else 0

    return inner(x), "<=", 0


class Model:
    """An object of the author's own: what it does with a ball is not read."""

    def exp(self, v):
        return 1 if v > HALF else 0

    __mul__ = __getitem__ = exp


MODEL = Model()
HELD = []


def method_named_like_one_of_balls(x):
    return MODEL.exp(x), "<=", 0


def own_operator(x):
    return MODEL * x, "<=", 0


def own_operator_of_a_new_object(x):
    return Model() * x, "<=", 0


def own_brackets(x):
    return MODEL[x], "<=", 0


def held():
    return 1 if HELD[0] > HALF else 0


def remembered(x):
    global HELD
    HELD = [x]
    return held(), "<=", 0


def stored_elsewhere(x):
    HELD[0] = x
    return held(), "<=", 0


def collected_elsewhere(x):
    HELD.append(x)
    return held(), "<=", 0


def length_of_the_text(x):
    return (1 if len(f"{x}") > 10 else 0), "<=", 0


def told_apart(x):
    if system(x) == BALL:
        return 0, "<=", 1
    return 1, "<=", 0


def attempted(x):
    try:
        return x.floor(), "<=", 0
    except AttributeError:
        return 0 * x, "<=", 0


def floating(x):
    return x, "<=", 0.1 + x


def jump(x):
    return 1 if x > HALF else 0


def through_another_function(x):
    shifted = x + 1
    return jump(shifted - 1), "<=", 0


def in_a_comprehension(x):
    return sum(1 for y in [x] if y > HALF), "<=", 0


def negated(x):
    return (0 if not x else 1), "<=", 0


def believed_above_one(relation):
    @wraps(relation)
    def changed(x):
        return relation(x) if x > 1 else (0, "<=", 1)

    return changed


@believed_above_one
def decorated(x):
    return x, "<=", 1


@believed_above_one
@cache
def decorated_and_stored(x):
    return x, "<=", 1


@pytest.mark.parametrize(
    "relation",
    [branch, statement, truth, loop, smallest, middle, converted, rounded, attempted, jumping, floating,
     matched, chained, starred, positional, variadic, method_named_like_one_of_balls, own_operator,
     own_operator_of_a_new_object, own_brackets, remembered, stored_elsewhere, collected_elsewhere, told_apart,
     length_of_the_text, in_a_comprehension, through_another_function, negated, decorated, decorated_and_stored],
)  # fmt: skip
def test_a_relation_that_looks_into_balls_is_refused(relation):
    assert impurity(relation, {"x"}) is not None
    with pytest.raises(InvalidInput, match="plain formula"):
        prove(relation, UNIT, {})


def tangent(x, factor):
    return factor * x, "<=", exp(x)


def doubled(x):
    return 2 * x


def helped(x, kind, *, y=None):
    y = 1 - x if y is None else y
    terms = [doubled(x), absolute(x)]
    terms.append(maximum(x, y))
    total = sum(terms, to_ball(0))
    return (total if kind == "sum" else doubled(total)), ">=", 0


@pytest.mark.parametrize("relation", [tangent, helped])
def test_a_plain_formula_is_let_through_with_what_it_calls_and_its_constants(relation):
    assert impurity(relation, {"x", "y"}) is None


@cache
def stored(x):
    return 2 * x, "<=", 2


def test_a_cache_changes_no_value():
    assert impurity(stored, {"x"}) is None


def read_from_the_frame(x):
    return (1 if locals()["x"] > HALF else 0), "<=", 1


def power_zero_of_a_pole(x):
    return (1 / (x - HALF)) ** 0, "<=", 1


@pytest.mark.parametrize("relation", [read_from_the_frame, power_zero_of_a_pole])
def test_what_the_source_does_not_show_is_seen_when_it_asks(relation):
    assert impurity(relation, {"x"}) is None
    with pytest.raises(InvalidInput, match="plain formula"):
        prove(relation, UNIT, {})


def plain_zero(x):
    return 0 * x, "<=", 0


def same_list(x):
    return int([x] is [x]), "<=", 0  # noqa: F632


plain_zero.__code__ = branch.__code__.replace(co_name="plain_zero")


@pytest.mark.parametrize("relation", [plain_zero, same_list])
def test_a_source_that_is_not_what_runs_is_refused_and_so_is_the_question_which_object_it_is(relation):
    assert impurity(relation, {"x"}) is not None


def asked_for_its_middle(x):
    return x.mid()


def written_out(x):
    return f"{x}"


def kept_in_a_set(x):
    return {x}


@pytest.mark.parametrize(
    "question", [asked_for_its_middle, written_out, kept_in_a_set, bool, float, math.floor, sorted]
)
def test_a_sealed_ball_answers_no_question(question):
    with pytest.raises((Asked, TypeError)):
        question([sealed(ball_between(HALF, 1)), sealed(to_ball(1))] if question is sorted else sealed(to_ball(1)))


def test_a_sealed_ball_computes_as_the_ball_within():
    x = ball_between(HALF, 1)

    def value(y):
        return exp(maximum(1 - y, y / 3)) * (2**-y + abs(-y)) - where(y, "<", 2, y**2, 0) + d_epsilon(y, 0.25, 1)

    enclosed = value(sealed(x))
    assert type(enclosed) is SealedBall and str(opened(enclosed)) == str(value(x))
