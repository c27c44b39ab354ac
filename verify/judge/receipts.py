"""Receipts: a Python file that checks an answer again.

What refutes is checked with the standard library alone, by code that stands in the file and shares nothing with the
engine. What proves is a tree of rules or a list of boxes, which banditproof replays without a search: such a receipt
says in its first line that it needs banditproof.
"""

from __future__ import annotations

import json
from hashlib import sha256
from importlib.resources import files
from typing import Any

from banditproof.theory.errors import InvalidInput
from banditproof.verify.judge.answer import Answer
from banditproof.verify.judge.sentence import Compare, Expression, Range


def receipt(answer: Answer) -> str:
    """The text of the file. Raises InvalidInput for an answer that settles nothing."""
    if answer.reading is None or answer.verdict in ("open", "not read"):
        raise InvalidInput("answer", answer.verdict, "a statement that is settled")
    failure = answer.failure
    if failure is not None and isinstance(failure.sentence, Compare) and not answer.evidence:
        return _of_a_point(answer)
    return _of_proofs(answer)


def _of_a_point(answer: Answer) -> str:
    reading, failure = answer.reading, answer.failure
    assert reading is not None and failure is not None and isinstance(failure.sentence, Compare)
    data = {
        "kind": failure.kind,
        "comparison": _compare(failure.sentence),
        "ranges": {name: _range(r) for name, r in failure.ranges.items()},
        "conditions": [_compare(c) for c in failure.conditions if isinstance(c, Compare)],
        "point": {name: str(value) for name, value in failure.point.items()},
    }
    digest = sha256(json.dumps([data, reading.said], sort_keys=True).encode()).hexdigest()
    code = files("banditproof.verify.judge").joinpath("checker.py").read_text(encoding="utf-8")
    return (
        f"{code}\n\nSAID = {reading.said!r}\nDIGEST = {digest!r}\n"
        f"DATA = {_python(data)}\n\nif __name__ == '__main__':\n    main(DATA, SAID, DIGEST)\n"
    )


def _python(data: Any) -> str:
    """JSON that is Python too, as there is no null in it."""
    return json.dumps(data, indent=1).replace(": true", ": True").replace(": false", ": False")


def as_list(e: Expression) -> list[Any]:
    """A formula as the checker reads it. Raises InvalidInput for what it does not know."""
    if e.head in ("inf", "sup", "diff"):
        raise InvalidInput("formula", e.head, "made of values: an infimum or a derivative has no receipt")
    listed: list[Any] = [e.head]
    for part in e.args:
        listed.append(as_list(part) if isinstance(part, Expression) else str(part))
    return listed


def _compare(c: Compare) -> list[Any]:
    return [c.sign, as_list(c.left), as_list(c.right)]


def _range(r: Range) -> dict[str, Any]:
    return {
        "low": as_list(r.low),
        "high": as_list(r.high),
        "low_open": r.low_open,
        "high_open": r.high_open,
        "integer": r.integer,
    }


REPLAY = '''"""This receipt needs banditproof: it replays the proofs of {count} statement{s}, without any search.

{said}
{because}"""

import json
import sys

from banditproof.verify.judge.replaying import replayed

PROOFS = json.loads({proofs!r})

if __name__ == "__main__":
    problems = [problem for proof in PROOFS if (problem := replayed(proof))]
    print("\\n".join(problems) or "confirmed: " + "; ".join(proof["said"] for proof in PROOFS))
    sys.exit(bool(problems))
'''


def _of_proofs(answer: Answer) -> str:
    from banditproof.verify.judge.replaying import to_data

    assert answer.reading is not None
    because = f"They imply it, because {answer.implied_by}\n" if answer.implied_by else ""
    facts = "".join(f"Named fact: {fact}\n" for fact in answer.facts)
    proofs = json.dumps([to_data(p) for p in answer.evidence])
    return REPLAY.format(
        count=len(answer.evidence),
        s="s" * (len(answer.evidence) != 1),
        said=answer.reading.said,
        because=because + facts,
        proofs=proofs,
    )
