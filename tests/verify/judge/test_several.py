"""Ways in several numbers: a true statement follows from true ones, and a false one never does."""

import numpy as np
import pytest

from banditproof.verify.judge import several
from banditproof.verify.judge.forms import by_one_of_several, by_signs
from banditproof.verify.judge.goals import plan
from banditproof.verify.judge.points import Asked, failing
from banditproof.verify.judge.reading import read
from banditproof.verify.judge.scaled import in_exponentials
from banditproof.verify.judge.several import by_ends, by_squares, by_taylor, by_touching
from tests.cases import lines, texts

TEXTS = texts(__file__)


def by_exponentials(claim):
    yield from (((instead, *needed), because) for instead, needed, because in in_exponentials(claim))


WAYS = (by_squares, by_ends, by_touching)
ALSO_STRICT = (by_taylor, by_exponentials, by_signs, by_one_of_several)
REAL = "x in (-inf, inf), y in (-inf, inf)"
TRUE = {
    by_squares: (
        "sqrt(x y) <= (x + y)/2 for x >= 0, y >= 0",
        "sqrt(x + y) <= sqrt(x) + sqrt(y) for x >= 0, y >= 0",
        f"sqrt(x^2 + y^2) >= (x + y)/2 for {REAL}",
        "x + sqrt(y) >= sqrt(x^2 + y) for x >= 0, y >= 0",
    ),
    by_ends: ("(1 + x)^r <= 1 + (2^r - 1) x for x in [0, 1], r >= 1", "exp(x) <= 1 + (e - 1) x for x in [0, 1]"),
    by_touching: (
        f"x y <= x^2 + y^2/4 for {REAL}",
        "x y <= exp(x - 1) + y log(y) for x in (-inf, inf), y > 0",
        "a x + b/x >= 2 sqrt(a b) for x > 0, a > 0, b > 0",
        "x^p <= p x + 1 - p for x > 0, p in (0, 1)",
    ),
    by_taylor: (
        "log(cosh(b t)/cosh(t)) <= (b^2 - 1) t^2/2 for b > 1, t > 0",
        "x - sin(x) <= x^3/6 for x > 0",
        "x log(x) >= y (x - 1) for x in (0, 1], y in [1, 2]",
    ),
    by_exponentials: (
        "(exp(x) - 1)/(exp(x) + 1) <= (exp(x y) - 1)/(exp(x y) + 1) for x > 0, y > 1",
        "b^2 tanh(b t)^2 >= tanh(t)^2 for b > 1, t > 0",
        "exp(x + y) + 1 > exp(x) + exp(y) for x > 0, y > 0",
    ),
    by_signs: ("x/(1 + x) <= y/(1 + y) for x > 0, y in [3, inf), x <= 3", "x/y + y/x >= 2 for x > 0, y > 0"),
    by_one_of_several: (
        "min(n d, log(n d^2)/d) <= 2 sqrt(n) for integer n >= 1, d > 0",
        "max(x/y, y) >= sqrt(x) for x, y > 0",
        "min(x y, 1/y) < 2 sqrt(x) for x, y > 0",
    ),
}
FALSE = lines(TEXTS["false"])


def asked(text: str) -> Asked:
    (claim,) = plan(read(text)).implied
    return claim


@pytest.mark.one_in(3)
@pytest.mark.parametrize("way, statement", [(way, statement) for way, some in TRUE.items() for statement in some])
def test_a_true_statement_has_a_way_of_which_no_part_fails(way, statement):
    found = list(way(asked(statement)))
    assert any(not any(failing(c, draws=600)[0] for c in claims) for claims, _ in found)


@pytest.mark.one_in(8)
@pytest.mark.parametrize("statement", FALSE)
def test_no_way_says_that_a_false_statement_follows_from_true_ones(statement):
    """At a point where the statement fails, a part of each way fails somewhere."""
    claim = asked(statement)
    assert failing(claim)[0] is not None
    for way in (*WAYS, *ALSO_STRICT):
        for claims, because in way(claim):
            assert any(failing(c)[0] for c in claims), (way.__name__, because)


@pytest.mark.parametrize("statement", [s for s in FALSE if "sqrt" in s])
def test_squares_are_no_way_even_where_a_guess_does_not_stop_them(statement, monkeypatch):
    monkeypatch.setattr(several, "seems_true", lambda *_: True)
    for claims, because in by_squares(asked(statement)):
        assert any(failing(c)[0] for c in claims), because


def test_a_way_is_found_by_points_that_say_something():
    """Draws that never meet a condition are no evidence that a place is one where the sides touch."""
    claim = asked("x y <= x^2 + y^2/4 when x = y^3 for x in (-inf, inf), y in (-inf, inf)")
    assert np.isnan(claim.margins({"x": np.array([0.3]), "y": np.array([0.7])})).all()
    assert not list(by_touching(claim))


@pytest.mark.parametrize("sign", ["=", "!=", "<", ">"])
def test_the_ways_are_those_of_weak_comparisons(sign):
    """An equation does not follow from one of its two inequalities, nor a strict one from weak ones."""
    claims = [asked(f"{left} {sign} {right}") for left, right in ENDS]
    assert [found for way in WAYS for claim in claims for found in way(claim)] == []


ENDS = (
    ("x y", "x^2 + y^2/4 for x in [0, 1], y in [0, 1]"),
    ("sqrt(x)", "sqrt(x) + y for x in [0, 1], y in [0, 1]"),
    ("x log(y)", "x + y for x in [0, 1], y in [1, 2]"),
)
