"""Pairs of statements: a true one is proved, and its neighbour, false by one number, sign or end, is not.

A line of `pairs.jsonl` is a pair, with its kind; where it says so, the false one is refuted.
"""

import json
from pathlib import Path

import pytest

from banditproof import judge

PAIRS = {row["kind"]: row for row in map(json.loads, Path(__file__).with_name("pairs.jsonl").read_text().splitlines())}
SLOW = (
    "sides that touch along a curve",
    "a condition that bounds a number from above",
    "close inside, and infinite at both ends",
    "a logarithm of a quotient, above and below",
    "a gamma function by steps of 1",
    "a part of it",
    "one summand of the larger side",
    "the tail of a sum of roots",
    "powers by their logarithms",
    "equal at a place inside, and close to it at an end",
    "sides that are equal where two numbers are",
    "a power by an exponential, and two numbers by their product",
    "the distance of Hellinger below an entropy",
    "a logarithm between roots",
    "an infimum of two entropies, at a normalised geometric mean",
    "an infimum of two entropies with weights",
    "the largest of numbers below a logarithm",
    "a largest constant, to which only a limit comes",
    "a largest constant, which is attained",
    "gamma functions of half counts",
    "the tail of a binomial law",
    "Young's inequality with two exponents",
    "a divergence from the middle",
    "Lambert's function by its inverse",
    "curvature with free exponentials, of logarithms",
    "curvature with free exponentials, from the diagonal",
    "sides that scale alike",
    "a sum by a primitive with a logarithm",
    "Pinsker's inequality for three points",
)


@pytest.mark.one_in(12)
@pytest.mark.parametrize("kind", PAIRS)
def test_what_is_true_is_proved(kind):
    answer = judge(PAIRS[kind]["true"], seconds=120)
    assert answer.verdict.startswith("proved"), answer


@pytest.mark.one_in(12)
@pytest.mark.parametrize("kind", PAIRS)
def test_what_is_false_is_not_proved(kind):
    refuted = "refuted" in PAIRS[kind]
    answer = judge(PAIRS[kind]["false"], seconds=120 if refuted else 6)
    assert answer.verdict.startswith("refuted") if refuted else not answer.verdict.startswith("proved"), answer
