"""Decides the statements of DPriv-Bench: true, false or undecided, each with its certificate.

python decide.py                     the counts
python decide.py --all               every decision with its certificate
python decide.py --labels FOLDER     compares with the labels of a copy of the benchmark, after all is decided
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from math import inf
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

from functions import FUNCTIONS, MECHANISMS

from banditproof import judge
from banditproof.theory import sensitivity
from banditproof.theory.numbers.numeric import to_ball, working_precision
from banditproof.verify.judge.formulas.certain import value_at
from banditproof.verify.judge.formulas.sentence import Compare
from banditproof.verify.judge.reading.readers import read
from banditproof.verify.judge.ways.witnesses import breaking

UNIT, BITS, SIZES = (0, 1), 512, (*range(2, 33), 100)
EXAMPLE = 5  # records in the data sets of a counterexample, of which both quartiles are records
CLOSE = Fraction(1, 2**200)


class Decision(NamedTuple):
    """What was found of a question of a file: "true", "false" or "undecided", and its certificate in words."""

    file: str
    question: int
    verdict: str
    certificate: str


@cache
def settled(statement: str) -> str:
    """The verdict of `judge`."""
    return judge(statement).verdict


def proved(statement: str) -> bool:
    """Whether `judge` proves a statement."""
    return settled(statement).startswith("proved")


@cache
def printed(function: int, n: int) -> Any:
    """The sensitivity that the noise is calibrated to: a Fraction where it is one, else a ball."""
    sentence = read(f"{FUNCTIONS[function].printed} >= 0 for integer n >= 1").sentence
    assert isinstance(sentence, Compare)
    return value_at(sentence.left, {"n": Fraction(n)}, BITS)


@cache
def is_bounded(function: int) -> str:
    """Why no record moves the function by more than is printed, for every n; empty where that is not proved.

    A number is compared with the rule for every n. A formula in n is compared at many n: two rational functions of low
    degree that agree there are the same. Numbers that are no fractions agree to 200 bits, and `judge` proves the rest.
    """
    with working_precision(BITS):
        return _bounded(function)


def _bounded(function: int) -> str:
    given = FUNCTIONS[function]
    of_n = re.search(r"\bn\b", given.printed) or sensitivity(given.statistic, UNIT).upper == inf
    for n in SIZES if of_n else [None]:
        found, allowed = sensitivity(given.statistic, UNIT, n=n), printed(function, n or 1)
        exact = isinstance(allowed, Fraction)
        if not (found.upper <= allowed if exact else bool(abs(to_ball(found.upper) - allowed) < to_ball(CLOSE))):
            return ""
    if not all(map(proved, given.steps)):
        return ""
    said = (sensitivity(given.statistic, UNIT, n=EXAMPLE).rule, *given.steps, *([given.note] if given.note else ()))
    return f"sensitivity at most {given.printed}: {'; '.join(said)}"


def of_function(mechanism: str, function: int, smaller: int) -> tuple[str, str]:
    """The verdict where noise is 1 or 2 times `smaller` than the sensitivity asks for, and its certificate."""
    noise = MECHANISMS[mechanism]
    sentence = noise.sentence.format(c=smaller)
    if proved(sentence) and (bound := is_bounded(function)):
        return "true", f"{bound}; {sentence}: {settled(sentence)}"
    found = sensitivity(FUNCTIONS[function].statistic, UNIT, n=EXAMPLE)
    with working_precision(BITS):
        given = {"sensitivity": to_ball(found.lower), **noise.parameters(to_ball(printed(function, EXAMPLE)), smaller)}
        shown = breaking(noise.law, given, noise.kind, {noise.budget: to_ball(1)})
    if shown is None or found.pair is None:
        return "undecided", "neither the rule nor an event decides"
    one, other = ([str(x) for x in records] for records in found.pair)
    where = f"n = {EXAMPLE}, {noise.budget} = 1, data {one} and {other}"
    return "false", f"{where}, or both in the other order; {shown}"


def first_part() -> Iterator[Decision]:
    """All decisions on the 49 functions."""
    for mechanism, noise in MECHANISMS.items():
        for function in FUNCTIONS:
            for smaller in (1, 2):
                verdict, certificate = of_function(mechanism, function, smaller)
                yield Decision(noise.file, 2 * function - 2 + smaller, verdict, certificate)


class Reduction(NamedTuple):
    """A question of the second part: how it hangs together with formulas, and why."""

    question: int
    way: str
    formulas: tuple[str, ...]
    why: str


def reductions() -> Iterator[Reduction]:
    """The blocks of algorithms.md."""
    text = (Path(__file__).parent / "algorithms.md").read_text(encoding="utf-8")
    for block in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        head, *lines = block.splitlines()
        question, way = head.split(" ", 1)
        formulas = tuple(line.strip() for line in lines if line.startswith("    "))
        why = " ".join(line for line in lines if not line.startswith("    "))
        yield Reduction(int(question), way, formulas, why.strip())


def of_algorithm(given: Reduction) -> Decision:
    """True if the formulas suffice and are proved, false if they are necessary and one is refuted, else undecided."""
    plain = [f for f in given.formulas if not f.startswith(("given: ", "not: "))]
    sound = all(proved(f.removeprefix("given: ")) for f in given.formulas if f.startswith("given: "))
    broken = [f for f in plain if settled(f) == "refuted"]
    broken += [f for f in given.formulas if f.startswith("not: ") and proved(f.removeprefix("not: "))]
    verdict = "undecided"
    if sound and broken and given.way in ("iff", "only if"):
        verdict = "false"
    elif sound and plain and given.way in ("iff", "if") and all(map(proved, plain)):
        verdict = "true"
    said = "; ".join((*given.formulas, given.why) if given.why else given.formulas)
    return Decision("cate_2", given.question, verdict, said)


def second_part() -> Iterator[Decision]:
    """All decisions on algorithms."""
    return map(of_algorithm, reductions())


def interactive() -> Iterator[tuple[bool, Decision]]:
    """Statements on bandits and other interactive mechanisms, with their truth; the benchmark has none."""
    text = (Path(__file__).parent / "interactive.jsonl").read_text(encoding="utf-8")
    for row in map(json.loads, text.splitlines()):
        given = Reduction(row["id"], row["way"], tuple(row["formulas"]), row["why"])
        yield row["truth"], of_algorithm(given)._replace(file="interactive")


def labels(folder: Path) -> dict[tuple[str, int], bool]:
    """The public labels, by file and question, of a copy of the benchmark's folder `data`."""
    files = sorted(path for path in folder.glob("category_*/cate_*.json") if "function_bank" not in path.name)
    rows = [(path.stem, row) for path in files for row in json.loads(path.read_text(encoding="utf-8"))]
    return {(file, row["question_id"]): bool(row["label"]) for file, row in rows}


def compared(found: Sequence[Decision], public: dict[tuple[str, int], bool]) -> Iterator[str]:
    """How many labels agree, and every decision that does not."""
    known = [d for d in found if (d.file, d.question) in public and d.verdict != "undecided"]
    other = [d for d in known if public[d.file, d.question] != (d.verdict == "true")]
    yield f"{len(known) - len(other)} of {len(known)} decisions are the public label"
    yield from (f"{d.file} {d.question}: {d.verdict}, against the label. {d.certificate}" for d in other)


def main() -> None:
    """Decides everything, then compares if asked to."""
    parser = argparse.ArgumentParser(description="Decides the statements of DPriv-Bench.")
    parser.add_argument("--all", action="store_true", help="print every decision with its certificate")
    parser.add_argument("--labels", type=Path, help="the folder `data` of a copy of the benchmark")
    options = parser.parse_args()
    began = process_time()
    found = [*first_part(), *second_part()]
    if options.all:
        print(*("\t".join(map(str, decision)) for decision in found), sep="\n")
    for file in dict.fromkeys(decision.file for decision in found):
        count = Counter(decision.verdict for decision in found if decision.file == file)
        print(file, *(f"{count[verdict]} {verdict}" for verdict in ("true", "false", "undecided")), sep=", ")
    print(f"{process_time() - began:.0f} seconds of a processor")
    if options.labels is not None:
        print(*compared(found, labels(options.labels)), sep="\n")


if __name__ == "__main__":
    main()
