"""Ways in several numbers: a true statement follows from true ones, and a false one never does."""

import numpy as np
import pytest

from banditproof.verify.judge.reading.readers import read
from banditproof.verify.judge.ways import several
from banditproof.verify.judge.ways.forms import by_one_of_several, by_signs
from banditproof.verify.judge.ways.goals import plan
from banditproof.verify.judge.ways.points import Asked, failing
from banditproof.verify.judge.ways.scaled import in_exponentials
from banditproof.verify.judge.ways.several import by_ends, by_squares, by_taylor, by_touching
from tests.cases import lines, texts

TEXTS = texts(__file__)


def by_exponentials(claim):
    yield from (((instead, *needed), because) for instead, needed, because in in_exponentials(claim))


WAYS = (by_squares, by_ends, by_touching)
ALSO_STRICT = (by_taylor, by_exponentials, by_signs, by_one_of_several)
REAL = "x in (-inf, inf), y in (-inf, inf)"
TRUE = {way: lines(TEXTS[way.__name__]) for way in (*WAYS, *ALSO_STRICT)}
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
