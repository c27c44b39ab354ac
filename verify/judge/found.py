"""What `judge` says of a statement: a verdict, and the evidence that a receipt is written from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from banditproof.verify.judge.formulas.sentence import Expression, Range, Reading, Sentence
from banditproof.verify.proof.statement import Statement

VERDICTS = (
    "proved",
    "proved from named facts",
    "refuted",
    "refuted at an edge",  # false, or without a value, only at an end or at single values of the printed ranges
    "open",
    "not read",
)


@dataclass(frozen=True)
class Failure:
    """A place where a statement certainly fails.

    Attributes:
        sentence: the part that fails (a comparison; for a limit or an order, what its failure follows from).
        point: an exact number for each variable (two places of one variable are `x` and `x_`, for monotone functions).
        kind: "false" where both sides have values, "no value" where a side has none.
        sides: both sides there, as short decimals; what has no value, in words.
        ranges: the ranges of the variables of the sentence that fails.
        conditions: its assumptions.
        literal: there is no value since the text does not say that 0 log 0 is 0.
        solved: formulas of the variables that an equation among the assumptions gives.
    """

    sentence: Sentence
    point: Mapping[str, Fraction]
    kind: str = "false"
    sides: tuple[str, str] = ("", "")
    ranges: Mapping[str, Range] = field(default_factory=dict)
    conditions: tuple[Sentence, ...] = ()
    literal: bool = False
    solved: Mapping[str, Expression] = field(default_factory=dict)


@dataclass(frozen=True)
class Proved:
    """One statement about numbers that is proved, and how: `tree` (rules) or `proof` (boxes, values at all points)."""

    statement: Statement
    tree: Any = None
    proof: Any = None


@dataclass(frozen=True)
class Expanded:
    """What leading terms tell: a sentence in words, and as `data` what is expanded and whether it holds."""

    said: str
    data: Mapping[str, Any]


@dataclass(frozen=True)
class Repair:
    """A true statement beside a false one: what changes, the range or the number, and its proof."""

    said: str
    tex: str
    changed: str
    evidence: tuple[Proved | Expanded, ...] = ()


@dataclass(frozen=True)
class Bracket:
    """Where the best value of a printed factor lies.

    The statement fails with `fails`, at `fails_at`, and holds with `holds`. `best` is a closed form that is proved, and
    between the two: no value is better by more than the share `gap`. `inside`: without the ends of the ranges, at which
    the statement fails with every value.
    """

    printed: Fraction
    fails: Fraction | None
    holds: Fraction | None
    best: str = ""
    gap: float = 0.0
    larger_is_stronger: bool = True
    fails_at: Mapping[str, Fraction] = field(default_factory=dict)
    inside: bool = False


@dataclass(frozen=True)
class Found:
    """The verdict on a statement.

    Attributes:
        verdict: one of VERDICTS.
        reading: how the statement was read; None where it was not.
        why: in one sentence what decided, or why nothing did.
        failure: where it fails.
        evidence: statements that together imply the sentence, each with its proof.
        implied_by: in words, why they imply it, where they are not the sentence itself.
        facts: textbook facts that it rests on beside them.
        repair: a true statement beside a false one.
        bracket: the best value of its constant.
        closest: an open statement's smallest margin that was seen, in shares of the sum of both sides, and where.
        tried: what was done, in order.
        work: steps, the same on every machine.
        seconds: of computing.
    """

    verdict: str
    reading: Reading | None = None
    why: str = ""
    failure: Failure | None = None
    evidence: tuple[Proved | Expanded, ...] = ()
    implied_by: str = ""
    facts: tuple[str, ...] = ()
    repair: Repair | None = None
    bracket: Bracket | None = None
    closest: tuple[float, Mapping[str, Fraction]] | None = None
    tried: tuple[str, ...] = ()
    work: int = 0
    seconds: float = 0.0
