"""Statements of every kind and their verdicts, in the text beside this file: true ones, and neighbours that are false
by little, at one place, or without a value there.
"""

import pytest

from banditproof import judge
from banditproof.verify.judge.formulas.sentence import Private
from banditproof.verify.judge.found import Proved
from banditproof.verify.judge.reading.readers import read
from banditproof.verify.judge.receipts.replaying import replayed, to_data
from banditproof.verify.judge.ways.points import Asked
from tests.cases import lines, texts

VERDICTS = [(verdict, statement) for verdict, text in texts(__file__).items() for statement in lines(text)]
SLOWLY = [(head.removesuffix(", slowly"), statement) for head, statement in VERDICTS if "slowly" in head]


@pytest.mark.parametrize(("verdict", "statement"), [row for row in VERDICTS if "slowly" not in row[0]])
def test_a_statement_has_its_verdict(verdict, statement):
    """What is proved is replayed, a point that refutes refutes again, and what is said of a mechanism reads back."""
    answer = judge(statement, seconds=60)
    assert answer.verdict == verdict, answer
    assert all(replayed(to_data(proof)) == "" for proof in answer.evidence if isinstance(proof, Proved))
    if verdict in ("open", "not read"):
        return
    failure = answer.failure
    assert answer.evidence or failure or answer.facts
    assert failure is None or not verdict.startswith("proved")
    if isinstance(answer.reading.sentence, Private):
        assert answer.facts and read(answer.reading.said).said == answer.reading.said
    elif failure and not answer.evidence:
        asked = Asked(failure.sentence, failure.ranges, failure.conditions)
        assert asked.fails(dict(failure.point)).kind == failure.kind


@pytest.mark.one_in(12)
@pytest.mark.parametrize(("verdict", "statement"), SLOWLY)
def test_a_statement_that_takes_longer_has_its_verdict(verdict, statement):
    test_a_statement_has_its_verdict(verdict, statement)
