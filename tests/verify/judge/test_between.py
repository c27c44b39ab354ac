"""Sums between two counts, series, Lambert's function, other units: no way says that a false statement follows."""

import numpy as np
import pytest

from banditproof import judge
from banditproof.verify.judge.expansions import near_end
from banditproof.verify.judge.formulas import floats
from banditproof.verify.judge.reading.readers import read
from banditproof.verify.judge.receipts.receipt import receipt
from banditproof.verify.judge.ways import between, bounded_parts, factorials, scaled, several
from banditproof.verify.judge.ways.between import (
    by_alternating_rest,
    by_integral,
    by_inverse_of_lambert,
    by_next_count,
    by_residues_of_sum,
    by_rest_of_series,
    by_two_counts,
    with_free_sums,
    with_still_summands,
)
from banditproof.verify.judge.ways.bounded_parts import by_bounds
from banditproof.verify.judge.ways.factorials import by_log_convexity, with_free_factorials
from banditproof.verify.judge.ways.from_far import by_far_end
from banditproof.verify.judge.ways.goals import plan
from banditproof.verify.judge.ways.points import Asked, Near, failing
from banditproof.verify.judge.ways.scaled import in_logs, in_multiples, in_nested_roots, in_normal_units, in_whole_steps
from banditproof.verify.judge.ways.several import by_touching_inside, without_equation
from tests.cases import lines, texts

TEXTS = texts(__file__)


def of_factorials(claim):
    return [with_free_factorials(claim)]


WAYS = (
    by_next_count, by_residues_of_sum, by_rest_of_series, by_integral, by_inverse_of_lambert, in_whole_steps,
    in_multiples, in_logs, in_normal_units, without_equation, of_factorials, in_nested_roots, by_two_counts,
    by_bounds, with_still_summands, by_far_end, by_alternating_rest, with_free_sums, by_log_convexity,
    by_touching_inside,
)  # fmt: skip
FALSE = {way: lines(TEXTS[way.__name__]) for way in WAYS}


def asked(text: str) -> Asked:
    claim, *_ = plan(read(text)).implied  # what equations give follows it
    return claim


def _claims(found):
    """The claims of a way among what else it says."""
    parts = [p for part in found for p in (part if isinstance(part, tuple) else (part,))]
    return [p for p in parts if isinstance(p, Asked | Near)]


def _falls(claim: Asked | Near) -> bool:
    return isinstance(near_end(claim), str) if isinstance(claim, Near) else failing(claim, draws=600)[0] is not None


@pytest.mark.parametrize("way", FALSE)
def test_a_part_of_what_a_false_statement_would_follow_from_fails(way, monkeypatch):
    """Even where a guess does not stop a way."""
    for module in (between, bounded_parts, factorials, scaled, several):
        monkeypatch.setattr(module, "seems_true", lambda *_: True)
        monkeypatch.setattr(module, "failing", lambda *_, **__: (None, None), raising=False)
    proposed = [(statement, found) for statement in FALSE[way] for found in way(asked(statement))]
    assert proposed
    for statement, found in proposed:
        assert any(map(_falls, _claims(found))), (statement, found)


@pytest.mark.parametrize("ends", [("m", "n"), ("m", "2000"), ("3", "n")])
def test_sums_at_many_points_are_those_at_each(ends, monkeypatch):
    low, high = ends
    text = f"sum(1/k - 1/2^k, k={low}..{high}) >= prod(1 - 1/(2 k), k={low}..{high}) for integers m, n >= 1"
    e = read(text).sentence
    points = {"m": np.array([1.0, 5, 7, 3]), "n": np.array([10.0, 4, 7, 900])}
    at_once = [floats.value_of(side, points) for side in (e.left, e.right)]
    monkeypatch.setattr(floats, "AT_ONCE", 0)
    assert np.allclose(at_once, [floats.value_of(side, points) for side in (e.left, e.right)], rtol=1e-12, atol=0)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "statement",
    [
        "sum(k/(k + 1)!, k=1..n) = 1 - 1/(n + 1)! for integer n >= 1",
        "sum((-1)^(k + 1)/k, k=1..2 n) = sum(1/(n + k), k=1..n) for integer n >= 1",
        "1 + x + sqrt(2 x) - sqrt(1 + 2 (x + sqrt(2 x))) = x for x >= 0",
    ],
)
def test_what_a_way_rests_on_is_checked_by_the_standard_library_alone(statement, alone):
    text = receipt(judge(statement))
    done = alone(text)
    part = "only in part" in text.split("\n", 1)[0]
    assert done.returncode == (3 if part else 0), done.stdout + done.stderr
    assert done.stdout.startswith("confirmed in part: " if part else "confirmed: ")
