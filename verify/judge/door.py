"""The door: a printed statement goes in, an answer comes out."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from typing import Annotated

from banditproof.theory.arguments import Size, checked
from banditproof.verify.judge.answer import Answer
from banditproof.verify.judge.sentence import Unread

WORK = 20_000  # steps of search that a statement may take: enough for a minute on a slow machine


@checked
def judge(
    statement: str,
    where: Mapping[str, str] | str | None = None,
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
    from banditproof.verify.judge.reading import read

    begun = time.perf_counter()
    try:
        reading = read(statement, where, form)
    except Unread as error:
        marked = f"{error}\n{pointed(statement, error)}" if error.place >= 0 else str(error)
        return Answer("not read", why=marked + _alone(statement, where, form), seconds=time.perf_counter() - begun)
    return settle(reading, work=work, seconds=seconds, constant=constant)


def _alone(statement: str, where: Mapping[str, str] | str | None, form: str | None) -> str:
    """How the formula of a sentence reads alone, for somebody who sees that the words around it change nothing."""
    from banditproof.verify.judge.reading import read

    if form not in (None, "latex") or not isinstance(statement, str) or "$" not in statement and "\\[" not in statement:
        return ""
    compared = [f for f in _FORMULA.findall(statement) if _COMPARES.search(f) and not _RANGE.match(f)]
    if len(compared) > 1:  # which of them is claimed, the words say
        return ""
    try:
        said = read(statement, where, "formula").said
    except Unread:
        return ""
    return f"\n  the formula alone: {said}\n  If the words around it change nothing, add --form formula."


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
