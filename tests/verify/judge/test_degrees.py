"""Ways by degrees, roots, primitives and fixed sums: of a false statement, a part of each way is false."""

import pytest

from banditproof.verify.judge.reading.readers import read
from banditproof.verify.judge.ways import degrees, pieces, primitives
from banditproof.verify.judge.ways.closed_forms import by_neighbours
from banditproof.verify.judge.ways.degrees import by_degree, by_raising
from banditproof.verify.judge.ways.pieces import by_tangents
from banditproof.verify.judge.ways.points import Asked, failing
from banditproof.verify.judge.ways.primitives import by_primitive, of_riemann
from tests.cases import lines, texts

TEXTS = texts(__file__)

FIXED = "when p + r = 1 and q + s = 1 for p, r, q, s in (0, 1)"
WAYS = (by_degree, by_raising, by_neighbours, by_primitive, by_tangents)
FALSE = {way: lines(TEXTS[way.__name__]) for way in WAYS}


def asked(text: str) -> Asked:
    reading = read(text)
    return Asked(reading.sentence, dict(reading.ranges), reading.conditions)  # type: ignore[arg-type]


def claims_of(way, claim):
    for found in filter(None, [way(claim)] if way is by_tangents else way(claim)):
        yield (found[0], *found[1]) if isinstance(found[0], Asked) else found[0]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("way, statement", [(way, text) for way, texts in FALSE.items() for text in texts])
def test_no_way_says_that_a_false_statement_follows_from_true_ones(way, statement, monkeypatch):
    """Not even where no guess stops it."""
    for module in (degrees, pieces, primitives):
        monkeypatch.setattr(module, "seems_true", lambda *_: True)
    claim = asked(statement)
    assert failing(claim)[0] is not None
    found = list(claims_of(way, claim))
    assert found
    for claims in found:
        assert any(isinstance(c, Asked) and failing(c)[0] for c in claims)


@pytest.mark.parametrize(
    "limit",
    [
        "sum(n/(n^2 + k^2), k=1..n) -> 11/14 as n -> inf",
        "sum(sqrt(k/n), k=1..n)/n -> 3/5 as n -> inf",
        "sum(1/(n + k), k=1..n) -> 7/10 as n -> inf",
    ],
)
def test_a_sum_of_riemann_has_no_other_limit(limit):
    claims, _ = of_riemann(read(limit).sentence)  # type: ignore[misc, arg-type]
    assert failing(claims[-1])[0] is not None
