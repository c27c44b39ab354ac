"""Pairs of statements: a true one is proved, and its neighbour, false by one number, sign or end, is not.

A line of `pairs.jsonl` is a pair, with its kind; where it says so, the false one is refuted.
"""

import json
from pathlib import Path

import pytest

from banditproof import judge

PAIRS = {row["kind"]: row for row in map(json.loads, Path(__file__).with_name("pairs.jsonl").read_text().splitlines())}


@pytest.mark.one_in(72)
@pytest.mark.parametrize("kind", PAIRS)
def test_what_is_true_is_proved(kind):
    answer = judge(PAIRS[kind]["true"], seconds=120)
    assert answer.verdict.startswith("proved"), answer


@pytest.mark.one_in(72)
@pytest.mark.parametrize("kind", PAIRS)
def test_what_is_false_is_not_proved(kind):
    refuted = "refuted" in PAIRS[kind]
    answer = judge(PAIRS[kind]["false"], seconds=120 if refuted else 6)
    assert answer.verdict.startswith("refuted") if refuted else not answer.verdict.startswith("proved"), answer
