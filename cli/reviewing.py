"""``banditproof review``: somebody's paper, sentence by sentence, each with its reading and then its verdict."""

from __future__ import annotations

import time
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from banditproof.cli.judging import Limits, Row, answered
from banditproof.cli.page import FILES, formula
from banditproof.cli.statuses import gravest, of_verdict
from banditproof.theory.errors import InvalidInput

if TYPE_CHECKING:
    from banditproof.claims.reviewing import Reviewed

UNSETTLED = ("open", "not read")
AROUND = 10.0  # seconds of the time that starting and writing the page may take; of less than two minutes a tenth


STATEMENTS, ANSWERS, RECEIPTS, PAGE = "statements.md", "answers.jsonl", "receipts", "index.html"
"""In the folder of a review: what a person writes, what was answered, receipts, and the page."""


def review_paper(
    source: Path | None, folder: Path | None, limits: Limits, minutes: float, workers: int | None, quiet: bool
) -> int:
    """Draft the review of a paper or of remarks, or go on with the one in its folder, and write its page.

    What changed in the paper since is read again.

    The exit status is that of the gravest verdict of a reading that somebody has compared; any other counts as open.
    """
    from banditproof.claims.report.printed.copies import read_copy
    from banditproof.claims.reviewing import DRAFTED, begun, misnamed, renewed, reviewed
    from banditproof.cli.documents import say_what_is_missing

    until = time.monotonic() + 60 * minutes - min(AROUND, 6 * minutes)
    if missing := [name for name in ("jinja2", "latex2mathml") if find_spec(name) is None]:
        raise InvalidInput("page", f"{missing[0]} missing", "made with its extra: pip install 'banditproof[report]'")
    if source is None and folder is None:
        raise InvalidInput("paper", "nothing", "a paper such as draft.tex, or --folder with a review that was begun")
    if source is not None and source.is_dir():
        allowed = "a file; with a folder, in which a review was begun, --folder goes on"
        raise InvalidInput("paper", str(source), allowed, f"--folder {source}")
    place = folder or Path(f"{source.stem}-review")  # type: ignore[union-attr]
    statements, page = place / STATEMENTS, place / PAGE
    if source is None and not statements.exists():
        raise InvalidInput("folder", str(place), "one that a review has begun: name its paper, too")
    if source is not None and source.suffix.lower() == ".tex" and source.is_file():
        say_what_is_missing(read_copy(source, "paper").missing)
    if source is not None and not statements.exists():
        begun(source, statements)
    elif source is not None and (changes := renewed(source, statements)):
        print(changes)
    rows = reviewed(statements)
    for told in misnamed(statements) if statements.with_name(DRAFTED).exists() else ():
        warnings.warn(told, stacklevel=2)
    asked = {row.id: Row(row.id, row.block) for row in rows if not row.is_draft}
    kept = place / ANSWERS, place / RECEIPTS
    found = answered(list(asked.values()), limits, *kept, workers, quiet=quiet, until=until, blind=True)
    answers: dict[str, Mapping[str, Any]] = {}
    by_id = {row.id: row for row in rows}
    for one, answer in found if asked else ():
        answers[one.id] = answer
        _print(by_id[one.id], answer)
    for row in rows:
        if row.id not in answers:
            _print(row, None)
    page.write_text(page_of(place.name, rows, answers), encoding="utf-8")
    print(_said(rows, answers, len(asked)))
    if any(not row.compared for row in rows):
        print(f"write the drafts and compare the readings in {statements}, and run this command again")
    print(f"page: {page}")
    return gravest(of_verdict(answers[r.id]["verdict"] if r.compared and r.id in answers else "open") for r in rows)


def _print(row: Reviewed, answer: Mapping[str, Any] | None) -> None:
    print(f"{row.id:<20} {_standing(row, answer)}", flush=True)


def _standing(row: Reviewed, answer: Mapping[str, Any] | None) -> str:
    """The verdict of a reading that somebody has compared; of any other, what is to be done."""
    if row.is_draft:
        return "to be written"
    if answer is None:
        return "left for the next run"
    if answer["verdict"] == "not read":
        return f"not read: {answer['why'].splitlines()[0]}"
    return str(answer["verdict"]) if row.compared else "judged; to be compared"


def _said(rows: Sequence[Reviewed], answers: Mapping[str, Mapping[str, Any]], asked: int) -> str:
    """What there is, in a line: verdicts of readings that nobody has compared are not told."""
    compared = [answers[row.id]["verdict"] for row in rows if row.compared and row.id in answers]
    settled = sum(answer["verdict"] not in UNSETTLED for answer in answers.values())
    parts = [
        f"{len(rows)} sentence{'s' * (len(rows) != 1)}",
        f"{len(rows) - asked} to be written",
        f"{settled} settled",
        *([f"{asked - len(answers)} left for the next run"] if asked > len(answers) else []),
        f"{len(compared)} compared"
        + (f" ({', '.join(f'{n} {verdict}' for verdict, n in Counter(compared).most_common())})" if compared else ""),
    ]
    return ", ".join(parts)


def page_of(title: str, rows: Sequence[Reviewed], answers: Mapping[str, Mapping[str, Any]]) -> str:
    """The page: printed sentence and reading side by side, and the verdict behind a click until they were compared."""
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    from banditproof.claims.report.mathml import statement

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {
        "formulas": lambda text: Markup(statement(_in_dollars(text))),
        "set": lambda tex: Markup(formula(tex)),
        "receipt": lambda path: f"{RECEIPTS}/{Path(path).name}",
    }
    template = environment.from_string((FILES / "review.html.j2").read_text(encoding="utf-8"))
    style = Markup((FILES / "page.css").read_text(encoding="utf-8"))
    return template.render(rows=rows, answers=answers, style=style, title=title, unsettled=UNSETTLED)


def _in_dollars(text: str) -> str:
    r"""The displays of a sentence between dollars: \[...\] and equations."""
    from banditproof.claims.report.printed.formulas import AROUND
    from banditproof.claims.report.printed.words import FORMULA

    return FORMULA.sub(lambda m: f"${' '.join(AROUND.sub('', m[0]).split())}$", text)
