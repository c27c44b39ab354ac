"""Verdicts on the statements that bounds cite, as a check of the documents left them in ``verdicts.tsv``.

``python -m banditproof.claims.report.shipped results.json`` writes that file, and nobody by hand; ``banditproof check
--claim ID`` finds a verdict again.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

FILE = "verdicts.tsv"
UNKNOWN = "unknown"
VERDICTS = (
    "proved", "trivially true", "proved from named facts", "proved from a model", "supported", "reproduced", "refuted",
    "not reproduced", "undecided", "not checkable", UNKNOWN,
)  # fmt: skip


class Known(NamedTuple):
    """The verdict on a statement, of which words (`digest`), how far it reaches or where it fails, and what corrects a
    refuted one.
    """

    verdict: str
    digest: str
    reach: str
    corrected: str

    def __str__(self) -> str:
        """All of it in a sentence."""
        reach = f": it {self.reach}" if self.reach.startswith("fails") else f": {self.reach}" if self.reach else ""
        return f"{self.verdict}{reach}" + (f"; corrected: {self.corrected}" if self.corrected else "")


@cache
def known() -> Mapping[str, Known]:
    """What is known of each statement, by its id."""
    lines = files("banditproof.theory").joinpath(FILE).read_text(encoding="utf-8").splitlines()
    return {claim: Known(*rest) for claim, *rest in (line.split("\t") for line in lines)}


def known_of(source: str) -> Known:
    """What is known of a statement; its verdict is `UNKNOWN` where nothing is."""
    return known().get(source, Known(UNKNOWN, "", "", ""))
