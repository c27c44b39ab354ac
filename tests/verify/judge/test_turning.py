"""Chains of derivatives that change their signs once at most: what they show, and what their checker refuses."""

import json

import pytest

from banditproof import judge
from banditproof.verify.judge.reading.readers import read
from banditproof.verify.judge.receipts import certifying_ways
from banditproof.verify.judge.receipts.certifying_ways import NoReceipt, _Search, claim_of
from banditproof.verify.judge.receipts.checker_of_ways import WAYS, Refused, check_way
from banditproof.verify.judge.receipts.receipt import receipt
from banditproof.verify.judge.ways.points import Asked
from banditproof.verify.judge.ways.turning import _signs, by_turns
from tests.cases import rows, texts

TEXTS = texts(__file__)

HILL, DIP = "x (1 - x) >= 0 for x in (0, 1)", "x^2 - x + 1/5 >= 0 for x in (0, 1)"
ENTROPY = "-p log(p) - (1 - p) log(1 - p) <= log(2) (4 p (1 - p))"


def shown_by(statement, links):
    """Why the checker does not confirm a statement by such links: factor, next function, its two signs."""
    claim = json.loads(json.dumps(claim_of(read(statement))))
    given = [
        "x",
        [[*(claim_of(read(f"{e} >= 0 for x in R"))["comparison"][1] for e in pair), *s] for *pair, s in links],
    ]
    try:
        parts = [_Search([]).proof(part, 0) for part in json.loads(json.dumps(WAYS["turns"](claim, *given)))]
    except NoReceipt:
        return "not shown"
    except Refused as why:
        return str(why)
    return check_way({**claim, "proof": {"way": "turns", "given": given, "parts": parts}})


@pytest.mark.parametrize(
    ("statement", "links", "why"),
    [
        (HILL, [("1", "1 - 2 x", (1, -1)), ("1", "-2", (-1, -1))], ""),
        (HILL, [("x", "x - 2 x^2", (1, -1)), ("1/x", "1/x - 4", (1, -1)), ("x^2", "-1", (-1, -1))], ""),
        (HILL, [("1", "1 - 2 x", (1, 1)), ("1", "-2", (-1, -1))], "not shown"),
        (HILL, [("1", "1 - 2 x", (-1, 1)), ("1", "-2", (-1, -1))], "do not follow"),
        (HILL, [("1", "1 - 2 x", (1, -1)), ("1", "-2", (1, 1))], "not shown"),
        (HILL, [("1", "1 - 2 x", (1, -1))], "more than one sign"),
        (HILL, [("1", "1 - 2 x", (1, -1)), ("1", "-3", (-1, -1))], "not shown"),
        (HILL, [("-1", "2 x - 1", (-1, 1)), ("1", "2", (1, 1))], "do not follow"),
        (HILL, [("1", "1 - 2 x", (1, -2)), ("1", "-2", (-1, -1))], "do not follow"),
        (HILL, [], "more than one sign"),
        (HILL.replace("(0, 1)", "[0, 1)"), [("1", "1 - 2 x", (1, -1)), ("1", "-2", (-1, -1))], "an end"),
        (HILL.replace("0 for", "1/5 for"), [("1", "1 - 2 x", (1, -1)), ("1", "-2", (-1, -1))], "not shown"),
        (DIP, [("1", "2 x - 1", (-1, 1)), ("1", "2", (1, 1))], "do not follow"),
        (DIP, [("1", "2 x - 1", (1, 1)), ("1", "2", (1, 1))], "not shown"),
    ],
)
def test_a_chain_is_confirmed_where_its_signs_follow(statement, links, why):
    said = shown_by(statement, links)
    assert why in said if why else not said, said


@pytest.mark.parametrize(("statement", "found"), rows(TEXTS["proposed"], data=(1,)))
def test_a_chain_is_proposed_where_the_gap_seems_above_0(statement, found):
    reading = read(statement)
    assert bool(list(by_turns(Asked(reading.sentence, dict(reading.ranges))))) == found


@pytest.mark.parametrize(
    ("formula", "ends"),
    [("x + 3", "(-inf, 1)"), ("x - 3", "(1, inf)"), ("x", "(-1, 1)"), ("(x - 1/2) exp(x)", "(0, inf)")],
)
def test_signs_are_told_from_the_lower_end_on_also_beside_what_is_huge_far_out(formula, ends):
    reading = read(f"{formula} >= 0 for x in {ends}")
    assert _signs(reading.sentence.left, "x", reading.ranges["x"]) == (-1, 1)


def test_the_entropy_is_below_a_power_of_the_variance(alone):
    """Topsøe 2001: both sides touch at both ends, and at 1/2 to the fourth order."""
    answer = judge(f"{ENTROPY}^(1/log(4)) for p in [0, 1] with 0 log 0 = 0")
    assert answer.verdict.startswith("proved")
    done = alone(receipt(answer))
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_part_of_a_receipt_speaks_of_an_index_outside_of_its_sum():
    claim = {"comparison": ["<=", ["var", "k"], ["num", "1"]], "ranges": {}, "conditions": []}
    assert not certifying_ways._seems_true(claim)
