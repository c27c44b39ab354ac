"""What is written by habit is refused with what to write instead, and a convention that a value rests on is told."""

import pytest

from banditproof import judge
from banditproof.verify.judge.formulas.sentence import Unread
from banditproof.verify.judge.reading.readers import read
from banditproof.verify.judge.receipts.receipt import receipt
from tests.cases import rows, texts

TEXTS = texts(__file__)

CURES = rows(TEXTS["cures"], data=(1,))


@pytest.mark.parametrize("text, where, words", CURES)
def test_a_slip_is_refused_with_what_to_write_instead(text, where, words):
    with pytest.raises(Unread) as refused:
        read(text, where)
    assert words in str(refused.value) and len(str(refused.value)) < 200


@pytest.mark.parametrize("text, words", rows(TEXTS["control characters"]))
def test_what_python_made_of_a_command_is_named(text, words):
    said = judge(text.encode().decode("unicode_escape")).why
    assert words.encode().decode("unicode_escape") in said and "the formula alone" not in said


@pytest.mark.parametrize("text, where, meant", rows(TEXTS["one meaning"], data=(1,)))
def test_what_has_one_meaning_is_read(text, where, meant):
    given, plain = read(text, where), read(meant)
    assert (given.sentence, given.ranges) == (plain.sentence, plain.ranges)


@pytest.mark.parametrize("text, powers", rows(TEXTS["zero to the power of zero"], data=(1,)))
def test_that_0_to_the_power_0_is_1_is_told_where_it_is_used(text, powers):
    assert [a for a in read(text).assumed if "0^0" in a] == [f"0^0 is 1, where {p} comes to that" for p in powers]


def test_the_convention_of_an_edge_is_named_in_the_answer(alone):
    answer = judge("(1 + x) log(1 + x) >= -1/2 for x in [-1, 1]")
    assert answer.verdict == "refuted at an edge" and "unless 0 log 0 counts as 0" in answer.why
    assert (
        answer.repair.said == "(1 + x)*log(1 + x) >= -1/2 for x in (-1, 1]"
        and judge(answer.repair.said).verdict == "proved"
    )
    told = alone(receipt(answer)).stdout
    assert told.startswith("confirmed: ") and "has no value at x = -1" in told
    with_it = judge("(1 + x) log(1 + x) >= -1/2 for x in [-1, 1], with 0 log 0 = 0")
    assert with_it.verdict == "proved from named facts" and "0 log 0 is 0" in with_it.facts[0]
    refused = judge("x^x < 1 for x in [0, 1/2]")
    assert refused.verdict == "refuted at an edge" and "0^0 is 1" in refused.reading.assumed[0]


@pytest.mark.parametrize(("statement", "said"), rows(TEXTS["several readings"], data=(1,)))
def test_what_has_several_readings_has_the_verdict_of_all_or_is_told_that_of_each(statement, said):
    answer = judge(statement)
    if isinstance(said, str):
        assert answer.verdict == said and "every reading" in answer.reading.assumed[-1]
    else:
        assert answer.verdict == "not read" and answer.why.count("read as") == len(said)
        assert all(each in answer.why for each in said)
