"""Receipts: a Python file that checks an answer again.

What refutes is checked with the standard library alone, by code that stands in the file and shares nothing with the
engine. So is what proves, where its tree of rules can be written as steps that this code knows (`certifying`). Of other
proofs banditproof replays the tree or the boxes without a search: such a receipt says in its first line that it needs
banditproof.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from hashlib import sha256
from importlib.resources import files
from typing import Any

from banditproof.theory.errors import InvalidInput
from banditproof.verify.judge.answer import Answer
from banditproof.verify.judge.formulas.lists import compare_as_list, range_as_list
from banditproof.verify.judge.formulas.printing import plain_sentence
from banditproof.verify.judge.formulas.sentence import Compare, Range, Reading, Sentence
from banditproof.verify.judge.found import Expanded, Failure, Proved
from banditproof.verify.judge.receipts.certifying_promises import broken
from banditproof.verify.judge.ways.proofs import LONGEST, Late, within
from banditproof.verify.proof.statement import Statement

OF_A_CHAIN = 0.75  # of the time, for a chain that leaves nothing to words


def receipt(answer: Answer, seconds: float | None = None) -> str:
    """The text of the file. `seconds` is a cap on the time of the answer and of the search for its receipt together.

    Raises InvalidInput for an answer that settles nothing.
    """
    if answer.reading is None or answer.verdict in ("open", "not read"):
        raise InvalidInput("answer", answer.verdict, "a statement that is settled")
    failure = answer.failure
    if failure is not None and (claim := broken(answer.reading, failure)) is not None:
        return _of_claims(answer, [claim])
    if failure is not None and isinstance(failure.sentence, Compare) and not answer.evidence:
        return _of_a_point(answer)
    left = LONGEST if seconds is None else seconds - answer.seconds
    with suppress(Late), within(left):
        if text := _of_claims(answer, _argued(answer, left * OF_A_CHAIN)):
            return text
    return _of_proofs(answer)


def _of_a_point(answer: Answer) -> str:
    reading, failure = answer.reading, answer.failure
    assert reading is not None and failure is not None and isinstance(failure.sentence, Compare)
    itself = failure.sentence in (reading.sentence, *getattr(reading.sentence, "parts", ()))
    if not itself and (data := _at_places(reading, failure)):
        return _of_data(data, reading.said)
    data = _at_a_point(failure.sentence, failure.ranges, failure.conditions, failure.point, failure.kind)
    data |= {"literal": True} if failure.literal else {}
    return _of_data(data, reading.said, "" if itself else f"that it implies {plain_sentence(failure.sentence)}")


def _at_places(reading: Reading, failure: Failure) -> dict[str, Any]:
    """What refutes a sentence about more than one place; nothing where the checker does not see that."""
    from banditproof.verify.judge.receipts import checker
    from banditproof.verify.judge.receipts.certifying import NoReceipt
    from banditproof.verify.judge.receipts.certifying_ways import claim_of

    point = {n: v for n, v in failure.point.items() if n in reading.ranges}
    others = [v for n, v in failure.point.items() if n not in reading.ranges]
    try:
        claim = claim_of(reading)
    except (NoReceipt, InvalidInput):
        return {}
    for places in _places(getattr(reading.sentence, "name", ""), point, others):
        data = {"kind": failure.kind, **claim, "point": {n: str(v) for n, v in point.items()}}
        data["places"] = [str(place) for place in places]
        if not checker.check(data):
            return data
    return {}


def _places(name: str, point: Mapping[str, Fraction], others: list[Fraction]) -> Iterator[list[Fraction]]:
    """Places of a variable, and of that of an infimum: those found, between them, and the next counts."""
    yield others
    if name in point:
        x = point[name]
        yield sorted([x, *others])
        yield from ([x, x + 1], [x, x + 1, x + 2])
        yield from (sorted([x, (x + y) / 2, y]) for y in others)


def receipt_of_a_point(statement: Statement, point: Mapping[str, Any], no_value: bool) -> str:
    """The receipt of a point at which a statement is false, or has no value; '' where its checker does not say so."""
    from banditproof.verify.judge.receipts import checker
    from banditproof.verify.judge.ways.of_terms import NoWord, reading_of

    try:
        reading = reading_of(statement)
        assert isinstance(reading.sentence, Compare)
        numbers = {name: Fraction(value) for name, value in point.items()}
        kind = "no value" if no_value else "false"
        data = _at_a_point(reading.sentence, reading.ranges, reading.conditions, numbers, kind)
    except (NoWord, InvalidInput, TypeError, ValueError, OverflowError):
        return ""
    return "" if checker.check(data) else _of_data(data, reading.said)


def _at_a_point(
    sentence: Compare,
    ranges: Mapping[str, Range],
    conditions: Iterable[Sentence],
    point: Mapping[str, Fraction],
    kind: str,
) -> dict[str, Any]:
    return {
        "kind": kind,
        "comparison": compare_as_list(sentence),
        "ranges": {name: range_as_list(r) for name, r in ranges.items()},
        "conditions": [compare_as_list(c) for c in conditions if isinstance(c, Compare)],
        "point": {name: str(value) for name, value in point.items()},
    }


def _of_data(data: dict[str, Any], said: str, open_: str = "") -> str:
    data = {**data, "not checked": [open_] if open_ else []}
    return (
        f"{_headed('false', said, data['not checked'])}{code('checker')}\n\nSAID = {said!r}\n"
        f"DIGEST = {_digest(data, said)!r}\nDATA = {_python(data)}\n\n"
        "if __name__ == '__main__':\n    main(DATA, SAID, DIGEST)\n"
    )


def _headed(verdict: str, said: str, open_: list[str]) -> str:
    """What a reader sees first: the statement, what is not checked of it, and how the file is run."""
    lines = [f"{verdict}{f', and checked here only{IN_PART}' if open_ else ''}: {said}"]
    lines += ["python3 -I -S THIS_FILE checks it, with the code below and the data at the end."]
    lines += [f"{UNCHECKED}{'; '.join(open_)}"] if open_ else []
    return "".join(f"# {line}\n" for line in lines)


def _digest(data: Any, said: str) -> str:
    return sha256(json.dumps([data, said], sort_keys=True).encode()).hexdigest()


def code(*names: str) -> str:
    """The text of checkers, one below the other, without what they import from each other."""
    here = files("banditproof.verify.judge.receipts")
    texts = [here.joinpath(f"{name}.py").read_text(encoding="utf-8") for name in names]
    return "\n\n".join(re.sub(r"^from banditproof\S* import (\([^)]*\)|.*)\n", "", text, flags=re.M) for text in texts)


def _of_claims(answer: Answer, claims: list[dict[str, Any]]) -> str:
    """The receipt that needs the standard library alone, or '' where a proof cannot be written so.

    The claims leave nothing to words; without them those of the proofs are taken, which may.
    """
    from banditproof.verify.judge.receipts.certifying import NoReceipt, certified

    reading = answer.reading
    assert reading is not None
    printed = reading if answer.verdict.startswith("proved") and not answer.implied_by else None
    open_: list[str] = []
    if not claims:
        try:
            claims = [certified(proved, printed) for proved in answer.evidence]
        except NoReceipt:
            return ""
        open_ = _not_checked(answer, claims)
    data = {"claims": claims, "not checked": open_}
    text = json.dumps(data)
    checkers = ["checker", *(name for name, word in NEEDED_FOR.items() if word in text), "checker_of_claims"]
    head = _headed("proved" if answer.verdict.startswith("proved") else "false", reading.said, open_)
    return (
        f"{head}{code(*checkers)}\n\nSAID = {reading.said!r}\n"
        f"DIGEST = {_digest(data, reading.said)!r}\nDATA = json.loads({json.dumps(data)!r})\n\n"
        f"if __name__ == '__main__':\n    confirm(DATA, SAID, DIGEST)\n"
    )


def _argued(answer: Answer, seconds: float) -> list[dict[str, Any]]:
    """The printed claim with a chain of ways that shows it; nothing where none is found in so many seconds."""
    from banditproof.verify.judge.receipts.certifying_ways import NOT_SHOWN, argued, argued_against

    assert answer.reading is not None
    with suppress(*NOT_SHOWN, Late), within(seconds):
        if answer.verdict.startswith("proved"):
            return [argued(answer.reading, answer.evidence)]
        if answer.failure:
            return [argued_against(answer.reading, answer.failure, answer.evidence)]
    return []


def _not_checked(answer: Answer, claims: list[dict[str, Any]]) -> list[str]:
    """What the claims of a receipt leave to words."""
    reading = answer.reading
    assert reading is not None
    open_ = [f"a textbook fact: {fact}" for fact in answer.facts]
    negated = f"that {reading.said} is false"
    if [claim["said"] for claim in claims] not in ([reading.said], [negated]):
        why = f"; {answer.implied_by}" if answer.implied_by else ""
        shown = reading.said if answer.verdict.startswith("proved") else negated
        open_.insert(0, f"that these statements imply {shown}{why}")
    return open_


def _python(data: Any) -> str:
    """JSON that is Python too, as there is no null in it."""
    return json.dumps(data, indent=1).replace(": true", ": True").replace(": false", ": False")


NEEDED_FOR = {
    "checker_of_polynomials": '"proof"',
    "checker_of_proofs": '"proof"',
    "leading": '"expansion"',
    "checker_of_mechanisms": '"keeps"',
    "checker_of_ways": '"way"',
}  # which word of the data a checker reads
NEEDS, IN_PART, UNCHECKED = "This receipt needs banditproof", " in part", "Not checked here: "
REPLAY = '''"""This receipt needs banditproof: it replays the proofs of {count} statement{s}, without any search{part}.

{said}
{because}"""

import json
import sys

try:
    from banditproof.verify.judge.receipts.replaying import replayed
except ImportError:
    sys.exit("This receipt needs banditproof. Run it with a Python in which banditproof is installed.")

PROOFS = json.loads({proofs!r})
PROVED = "; ".join(proof["said"] for proof in PROOFS)
LEFT = {because!r}  # to words

if __name__ == "__main__":
    problems = [problem for proof in PROOFS if (problem := replayed(proof))]
    print("\\n".join(problems) or ("confirmed in part: " if LEFT else "confirmed: ") + PROVED)
    sys.exit(1 if problems else 3 if LEFT else 0)
'''


def _of_proofs(answer: Answer) -> str:
    from banditproof.verify.judge.receipts.replaying import to_data

    assert answer.reading is not None
    because = f"They imply it, because {answer.implied_by}\n" if answer.implied_by else ""
    facts = "".join(f"Named fact: {fact}\n" for fact in answer.facts)
    replayed = [p for p in answer.evidence if isinstance(p, Proved)]
    told = [p.said for p in answer.evidence if isinstance(p, Expanded)]
    because += "".join(f"Told by leading terms, and not replayed here: {said}\n" for said in told)
    proofs = json.dumps([to_data(p) for p in replayed])
    return REPLAY.format(
        count=len(replayed),
        s="s" * (len(replayed) != 1),
        said=answer.reading.said,
        part=", and checks the printed one only in part" if because + facts else "",
        because=because + facts,
        proofs=proofs,
    )
