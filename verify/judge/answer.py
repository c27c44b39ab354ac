"""The answer to a statement: what was found, which tells itself."""

from __future__ import annotations

from dataclasses import dataclass

from banditproof.theory.tables import Verdict, WithVerdict
from banditproof.verify.judge.found import VERDICTS, Found
from banditproof.verify.judge.telling import in_notebook, told


class Settled(Verdict):
    """A verdict of `judge`."""

    among = VERDICTS
    asked = "a word, as in answer.verdict == 'proved'"


@dataclass(frozen=True)
class Answer(Found, WithVerdict):
    """What was found of a statement, with its verdict; printed, it is what the command prints."""

    words = Settled

    def __str__(self) -> str:
        return told(self)

    def _repr_markdown_(self) -> str:
        """What a notebook shows: the formula as mathematics, the verdict, and the picture where there is one."""
        return in_notebook(self)
