"""What is no statement gets one clear line: nothing is raised, run, or taken for another statement."""

import re
import time
from pathlib import Path

import pytest

from banditproof import judge
from tests.cases import rows, texts

TEXTS = texts(__file__)

MALFORMED = [
    "",
    "   ",
    "\x00 <= 1 for x in [0, 1]",
    "\x1b[31mx\x1b[0m <= 1 for x in [0, 1]",
    "x <= 1 \u202e for x in [0, 1]",
    "x <= 1\u200b for x in [0, 1]",
    r"\forall x\in[0,1]\colon " + r"\frac{\log(1+x)}{\sqrt{x+1}}+" * 300 + r"\le 1",
    "{" * 3000,
    "(" * 5000 + "x" + ")" * 5000 + " <= 1 for x in [0, 1]",
    "-" * 5000 + "x <= 1 for x in [0, 1]",
    "x" + "^x" * 2000 + " <= 1 for x in [0, 1]",
    "\\frac" * 2000,
    "+".join(["\\frac{x}{y}"] * 1000),
    "norm(" * 200 + "x" + ")" * 200 + " <= 1 for x in [0, 1]",
    "[" * 1900 + "x" + "]" * 1900 + " <= 1 for x in [0, 1]",
    "‖" * 900,
    *(Path(__file__).parent / "malformed_forms.txt").read_text().splitlines(),
]


@pytest.mark.parametrize("statement", MALFORMED, ids=range(len(MALFORMED)))
def test_what_is_no_statement_is_refused_in_a_line(statement):
    since = time.thread_time()
    answer = judge(statement, seconds=5)
    line, *marked = re.split(r"\n  (?:the formula alone|read as)", answer.why, maxsplit=1)[0].splitlines()
    assert answer.verdict == "not read", answer
    assert 10 < len(line) < 300 and "Error" not in line and "Traceback" not in line, answer.why
    assert len(marked) in (0, 2) and all(len(part) < 150 and part.isprintable() for part in (line, *marked))
    assert time.thread_time() - since < 3 + ("read as" in answer.why)


def test_letters_in_other_type_are_read_and_those_of_other_alphabets_named():
    assert judge("xₖ² <= ε for xₖ in [0, 1], ε >= 1").verdict == "proved"
    assert judge("𝑥 <= 𝜀", {"𝑥": "[0, 1]", "ε": "[1, inf)"}).verdict == "proved"
    assert "CYRILLIC SMALL LETTER HA" in judge("х <= 1 for x in [0, 1]").why


@pytest.mark.parametrize(("statement", "said"), rows(TEXTS["nearly"]))
def test_a_statement_that_is_nearly_one_is_refused_with_its_cure(statement, said):
    answer = judge(statement, seconds=20)
    assert answer.verdict == "not read" and said in answer.why


@pytest.mark.parametrize(
    ("empty", "full"),
    [
        ("x <= 1/2 when x^2 < x - 1 for x in [0, 1]", "x <= 3/4 when x^2 < x - 1/5 for x in [0, 1]"),
        ("x <= 1/2 when exp(x) < 0 for x > 0", "x <= 1/2 when exp(x) < 3/2 for x > 0"),
    ],
)
def test_what_is_assumed_and_holds_nowhere_proves_nothing(empty, full):
    answer = judge(empty)
    assert answer.verdict == "open" and "nothing is claimed" in answer.why
    assert judge(full).verdict == "proved"
