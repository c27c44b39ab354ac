"""Programs are watched: no float comes about on the way, no ball is asked, and what came out comes out again."""

from fractions import Fraction

import pytest

from banditproof.theory.numbers.numeric import exp
from banditproof.theory.numbers.term import quantity
from banditproof.verify.proof.compare import holds
from banditproof.verify.proof.watching import rounding_at, watching

STATE = iter(range(9))


def third(n):
    return Fraction(1) / n


def by_a_quotient(n):
    return Fraction(n / 3) * 3, ">", n


def by_a_helper(n):
    return by_a_quotient(n)[0], ">", n


def by_a_literal(n):
    return int(n * 0.5 + 2), "<", 1


def by_a_key(n):
    return max([third(n), third(n + 1)], key=float), ">", 1


def by_a_text(n):
    return len(f"{third(n)}"), ">", 9


def by_an_old_format(n):
    return len("%.3f" % n), ">", 9  # noqa: UP031


def by_numpy(n):
    import numpy as np

    return int(np.int64(n) + 1), ">", 9


def by_state(n):
    return next(STATE), ">", 0


@quantity
def half_by_a_float(n):
    return Fraction(n / 2)


def by_a_quantity(n):
    return half_by_a_float(n), ">", n


def exact(n):
    return sum(third(k) for k in range(1, n + 1)), ">", n


def compares_balls(n):
    return (1 if exp(n) < 3 else 0), ">", 1


def largest_of_balls(n):
    return max(exp(n), exp(n + 1)), "<", 1


def in_balls(n):
    return exp(n), "<", 1


def by_a_default(n, of=lambda n: Fraction(n) + 1):
    return of(n), "<", 1


def test_a_function_in_the_line_of_another_one_is_not_taken_for_it():
    """Python gives the whole line as the source of a lambda; watched, it was the function around it."""
    inside = by_a_default.__defaults__[0]
    assert watching(inside)(2) == 3 and rounding_at(by_a_default, {"n": 3}, {}, True) is None


@pytest.mark.parametrize(
    "program",
    [by_a_quotient, by_a_helper, by_a_quantity, by_a_literal, by_a_key, by_a_text, by_an_old_format, by_numpy],
)
def test_what_rounds_on_the_way_is_seen(program):
    assert rounding_at(program, {"n": 3}, {}, True) is not None


def test_what_changes_its_mind_is_seen():
    assert holds(*by_state(1)) is False and "does not certainly fail" in rounding_at(by_state, {"n": 1}, {}, True)


@pytest.mark.parametrize("program", [compares_balls, largest_of_balls])
def test_a_ball_is_not_asked(program):
    assert "asks a ball" in rounding_at(program, {"n": Fraction(1, 3)}, {}, False)


@pytest.mark.parametrize(("program", "rational"), [(exact, True), (in_balls, False)])
def test_what_is_exact_passes(program, rational):
    assert rounding_at(program, {"n": 3}, {}, rational) is None
