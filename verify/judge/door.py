"""The door: a printed statement goes in, an answer comes out."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated

from banditproof.theory.arguments import Size, checked
from banditproof.verify.judge.answer import Answer
from banditproof.verify.judge.formulas.sentence import Ambiguous, Reading, Unread, reading_as
from banditproof.verify.judge.reading.fields import LATEX

WORK = 20_000  # steps of search that a statement may take: enough for a minute on a slow machine


@checked
def judge(
    statement: str,
    where: Annotated[Mapping[str, str] | str | None, "such as {'x': '[0, 1]'}"] = None,
    form: str | None = None,
    work: Size = WORK,
    seconds: Annotated[float, "(0, inf)"] | None = None,
    constant: bool = False,
) -> Answer:
    r"""Settle a printed statement.

    Args:
        statement: as it is printed, in plain text, "kl(x, y) >= 2 (x - y)^2 for x in [0, 1], y in (0, 1)", or in LaTeX,
            r"\mathrm{kl}(x,y)\ge2(x-y)^2,\ x\in[0,1],\ y\in(0,1)".
        where: what may stand after `for` in the statement and does not, as text or by the names it speaks of:
            ``{"n": "integer >= 2", "q": "(0, 1), q <= p"}``.
        form: "plain" or "latex"; by default what it looks like: a backslash or a dollar tells LaTeX. "formula": of a
            sentence in LaTeX the formula and its ranges alone, if you have seen that the other words change nothing.
        work: how many steps may be taken. The same statement has the same verdict on every machine.
        seconds: a cap on the time; what is not settled by then is open.
        constant: also look for the best value of the first constant that is a factor.

    Returns:
        The verdict with its evidence. What cannot be read has the verdict "not read", and `why` says what stands there.

    Examples:
        >>> from banditproof import judge
        >>> judge("log(1 + x) <= x for x > -1").verdict
        'proved'
        >>> answer = judge("log(1 + x) >= x for x > -1")
        >>> answer.verdict, dict(answer.failure.point)
        ('refuted', {'x': Fraction(1, 1)})
    """
    from banditproof.verify.judge.engine import judge as settle
    from banditproof.verify.judge.reading.readers import read

    begun = time.perf_counter()
    try:
        reading = read(statement, where, form)
    except Unread as error:
        marked = f"{error}\n{pointed(statement, error)}" if error.place >= 0 else str(error)
        readings = _readings(statement, where, form, error)
        alone = [] if readings else _alone(statement, where, form)
        each = None if seconds is None else seconds / max(1, len(readings or alone))
        answers = [settle(r, work=work // len(readings), seconds=each, constant=constant) for r in readings]
        for said, one in alone:
            marked += f"\n  the formula alone: {said}: "
            marked += settle(one, work=work // 20, seconds=each).verdict if isinstance(one, Reading) else one
        if any(isinstance(one, Reading) for _, one in alone):
            marked += ALONE if len(alone) == 1 else SEVERAL
        refused = Answer("not read", why=marked)
        return replace(_of_all(answers, refused), seconds=time.perf_counter() - begun)
    return settle(reading, work=work, seconds=seconds, constant=constant)


MOST_READINGS = 8
ALONE = "\n  If the words around it change nothing, add --form formula (in Python form='formula')."
SEVERAL = "\n  If the words around one of them change nothing, judge it as it stands here."
ALIKE = ("proved", "proved from named facts"), ("refuted", "refuted at an edge")  # the weaker one last


def _readings(statement: str, where: Mapping[str, str] | str | None, form: str | None, error: Unread) -> list[Reading]:
    """All readings of a statement that has several; none of one that cannot be read, or has too many."""
    from banditproof.verify.judge.reading.readers import read

    found: list[Reading] = []
    if not isinstance(error, Ambiguous):
        return found
    for k in range(error.count):
        with reading_as(error.asked, k):
            try:
                one = read(statement, where, form)
                if one.said not in {other.said for other in found}:
                    found.append(one)
            except Unread as further:
                if not (deeper := _readings(statement, where, form, further)):
                    return []
                found += deeper
    return found if len(found) <= MOST_READINGS else []


def _of_all(answers: Sequence[Answer], refused: Answer) -> Answer:
    """The answer that holds for every reading; where they differ, that of each beside the question."""
    each = [f"{answer.reading.said}: {answer.verdict}" for answer in answers if answer.reading]
    kind = next((kind for kind in ALIKE if answers and {answer.verdict for answer in answers} <= {*kind}), ())
    # A side without a value may only show that a range is not the one that is meant.
    telling = [a for a in answers if a.failure is None or a.failure.kind == "false"]
    weakest = max(telling, key=lambda answer: kind.index(answer.verdict)) if kind and telling else refused
    if weakest.reading is None:
        return replace(refused, why="\n  ".join((refused.why, *(f"read as {said}" for said in each))))
    note = f"every reading that was found is judged, and a receipt is of the one above: {'; '.join(each)}"
    return replace(weakest, reading=replace(weakest.reading, assumed=(*weakest.reading.assumed, note)))


def _alone(statement: str, where: Mapping[str, str] | str | None, form: str | None) -> list[tuple[str, Reading | str]]:
    """The formulas of a text alone, for somebody who sees that the words around them change nothing.

    Each with its reading, or with what has to be said of its letters.
    """
    from banditproof.verify.judge.formulas.printing import plain_sentence
    from banditproof.verify.judge.reading.dressing import dressed
    from banditproof.verify.judge.reading.readers import UNSAID, read_alone

    if form == "formula" or not isinstance(statement, str) or _TURNED.search(statement):
        return []
    text = statement if form == "latex" or LATEX.search(statement) else dressed(statement)
    if "$" not in text and "\\[" not in text and "\\begin" not in text:
        return []
    found: dict[str, Reading | str] = {}
    try:
        for read_as, one in read_alone(statement, where):
            if isinstance(one, Reading):
                found[one.said] = one
            elif isinstance(one, Ambiguous) and one.asked[0] == UNSAID:
                with reading_as(one.asked, one.count - 1):
                    found.setdefault(plain_sentence(read_as().sentence), str(one))
    except Unread:
        return list(found.items())
    return list(found.items())[:MOST_READINGS]


_TURNED = re.compile(  # words that surely change what a formula says
    r"\b(?:not|no|never|nor|neither|fails?|false|untrue|wrong|unless|except|almost|cannot|\w+n['’]t|contrary|counterexample)\b",
    re.IGNORECASE,
)
_FORMULA = re.compile(r"\$([^$]+)\$")
_COMPARES = re.compile(r"[<>=≤≥]|\\(?:[lg]eq?|[lg]eqslant)(?![a-z])")
_RANGE = re.compile(r"[\\\w',\s]+(?:[<>]=?|\\in|\\[lg]eq?(?:slant)?)\s*[\\\w./]+\s*$")  # "x, y > 0"

SHOWN = 30  # letters on either side of what cannot be read


def pointed(statement: str, error: Unread) -> str:
    """The part of a statement around what cannot be read, and a caret under it."""
    low, high = max(0, error.place - SHOWN), error.place + SHOWN
    before = "..." if low else ""
    part = "".join(c if c.isprintable() else " " if c.isspace() else "\ufffd" for c in statement[low:high])
    return f"  {before}{part}{'...' if high < len(statement) else ''}\n  {' ' * (len(before) + error.place - low)}^"
