"""``banditproof judge``: one printed statement, or a file of them, settled."""

from __future__ import annotations

import json
import math
import re
import shlex
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Any

from banditproof.claims.raised import text_of
from banditproof.cli.documents import replaceable
from banditproof.cli.statuses import gravest, of_verdict
from banditproof.theory.errors import InvalidInput
from banditproof.verify.judge.answer import Answer

if TYPE_CHECKING:
    from banditproof.cli.settings import JudgeOptions

MOMENT = 2.0  # seconds after which a sign of life is due


@dataclass(frozen=True)
class Row:
    """One statement of a file, and what it is called."""

    id: str
    statement: str
    where: Mapping[str, str] | None = field(default=None, hash=False)
    form: str | None = None

    @property
    def key(self) -> str:
        """What an answer that was written belongs to."""
        asked = json.dumps([self.id, self.statement, self.where, self.form], sort_keys=True)
        return sha256(asked.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Limits:
    """How much may be spent on a statement: steps, and seconds as a cap."""

    work: int
    seconds: float | None
    constant: bool = False


def judge_as_asked(asked: JudgeOptions) -> int:
    """What the options of the command ask for: one statement, a file, or the page."""
    from banditproof.cli.arguments import left_out

    limits = Limits(asked.work, asked.seconds, asked.constant)
    if asked.statement is not None and asked.statement.endswith(".md"):
        asked = replace(asked, statement=None, file=Path(asked.statement))
    if asked.page:
        left_out("with --page", statement=asked.statement, file=asked.file, output=asked.output, receipt=asked.receipt)
        from banditproof.cli.page import open_page

        seconds = [] if asked.seconds is None else ["--seconds", f"{asked.seconds:g}"]
        return open_page(["--work", str(asked.work), *seconds, *(["--constant"] if asked.constant else [])])
    if asked.file is not None:
        left_out("with --file", statement=asked.statement, where=asked.where, form=asked.form, plot=asked.plot)
        return judge_file(
            asked.file,
            limits,
            as_json=asked.as_json,
            output=asked.output,
            receipts=asked.receipt,
            workers=asked.workers,
            scheduler=asked.scheduler,
            quiet=asked.quiet,
        )
    if asked.receipt is not None and asked.receipt.is_dir():
        raise InvalidInput("receipt", str(asked.receipt), "a file such as receipt.py (a folder goes with --file)")
    replaceable("receipt", asked.receipt)
    left_out("without --file", output=asked.output, workers=asked.workers, scheduler=asked.scheduler)
    if asked.statement is None:
        raise InvalidInput("statement", "nothing", "a statement such as 'log(x) <= x - 1 for x > 0', --file or --page")
    row = Row("", asked.statement, _ranges(asked.where), asked.form.value if asked.form else None)
    return judge_statement(row, limits, as_json=asked.as_json, receipt=asked.receipt, plot=asked.plot)


_NAMED = re.compile(r"(?P<names>[^<>=!+*/^-]*?)\s*=(?!=)\s*(?P<said>.+)", re.DOTALL)


def _ranges(where: Sequence[str] | None) -> dict[str, str] | None:
    """What ``--where x=[0, 1]`` says of x, and ``--where 'x <= y'`` of no name."""
    ranges, known = dict[str, str](), dict[str, str]()
    for given in where or []:
        named = _NAMED.fullmatch(given)
        name, said = (named["names"].strip(), named["said"]) if named else ("", given)
        for one in filter(None, map(str.strip, name.split(","))):
            if one in known:
                raise InvalidInput("where", given, f"the one range of {one} ({known[one]!r} is another)")
            known[one] = given
        ranges[name] = f"{ranges[name]}, {said}" if name in ranges else said
    return ranges or None


def judge_statement(row: Row, limits: Limits, *, as_json: bool, receipt: Path | None, plot: Path | None) -> int:
    """Settle one statement and print the answer; the exit code is the verdict's."""
    from banditproof.verify.judge.door import judge
    from banditproof.verify.judge.telling import as_data, told

    with _at_work():
        answer = judge(row.statement, row.where, row.form, limits.work, limits.seconds, limits.constant)
    written = _receipt(answer, receipt, limits.seconds)
    if plot is not None and answer.reading is not None:
        _draw(answer, plot)
    if as_json:
        print(json.dumps({"statement": row.statement, **as_data(answer), "receipt": written}, ensure_ascii=False))
    else:
        print(told(answer))
        if written:
            print(f"receipt: {written} ({_run_by(Path(written))})")
    return of_verdict(answer.verdict)


def _receipt(answer: Answer, path: Path | None, seconds: float | None) -> str | None:
    """Where the receipt of a settled statement was written."""
    if path is None:
        return None
    if answer.verdict in ("open", "not read"):
        print(f"no receipt is written, because nothing is settled: {answer.verdict}", file=sys.stderr)
        return None
    from banditproof.verify.judge.receipts.receipt import receipt

    path.write_text(receipt(answer, seconds), encoding="utf-8")
    return str(path)


def _run_by(receipt: Path) -> str:
    """How a receipt is run, by any Python or by one in which banditproof is, and what of it that leaves unchecked."""
    from banditproof.verify.judge.receipts.receipt import IN_PART, NEEDS, UNCHECKED

    text = receipt.read_text(encoding="utf-8")
    head = text.split("\n", 1)[0]
    part = " in part" if IN_PART in head else ""
    left = next((line.partition(UNCHECKED)[2] for line in text.splitlines() if line.startswith(f"# {UNCHECKED}")), "")
    rest = f"; it leaves unchecked {left}" if left else ""
    if NEEDS in head:
        return f"python {shlex.quote(str(receipt))} checks it{part}, where banditproof is installed{rest}"
    return f"python3 -I -S {shlex.quote(str(receipt))} checks it{part}{rest}"


def _draw(answer: Answer, path: Path) -> None:
    from banditproof.cli.plotting import can_draw, write
    from banditproof.verify.judge.picture import NoPicture, picture

    if can_draw(path):
        try:
            write(picture(answer), path)
        except NoPicture as why:
            print(f"{path} is not drawn: {why}", file=sys.stderr)


@contextmanager
def _at_work() -> Iterator[None]:
    """A sign of life once a statement takes more than a moment: a clock on a terminal, else a line."""
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = SpinnerColumn(), TextColumn("settling the statement"), TimeElapsedColumn()
    told = {"file": sys.stderr, "flush": True}
    waiting = Timer(MOMENT, print, ["settling the statement; with --seconds it ends earlier"], told)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        if console.is_terminal:
            bar.add_task("", total=None)
        else:
            waiting.start()
        try:
            yield
        finally:
            waiting.cancel()


# ---------------------------------------------------------------------------------------------------- many of them


def rows_of(lines: Iterable[str], name: str) -> list[Row]:
    """The statements of JSON lines: `statement`, and where they are needed `where`, `id` and `form`."""
    from banditproof.claims.reviewing import one_object

    rows: dict[str, Row] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        place = f"{name}, line {number}"
        try:
            given = json.loads(line)
        except json.JSONDecodeError as error:
            heading = {*line.strip().split(",")} & {*FIELDS}  # of a CSV file
            row = {name: "..." for name in FIELDS if name in heading} if heading else {"statement": line.strip()[:60]}
            written = json.dumps(row, ensure_ascii=False)
            meant = "" if "{" in line else written
            raise InvalidInput(place, _Line(line.rstrip()[:60]), one_object(error, line), meant) from None
        except RecursionError:
            raise InvalidInput(place, line[:60], "one JSON object that is not nested so deep") from None
        row = _row(given, str(number), place)
        if row.id in rows:
            raise InvalidInput(f"id ({place})", row.id, "an id that no other line has")
        rows[row.id] = row
    if not rows:
        raise InvalidInput("file", name, 'a file with a line such as {"statement": "log(x) <= x - 1 for x > 0"}')
    return list(rows.values())


class _Line(str):
    """A line of a file, which a message shows as it stands there."""

    def __repr__(self) -> str:
        return f"'{self}'"


FIELDS = "statement", "where", "id", "form"


def _row(given: Any, number: str, place: str) -> Row:
    from banditproof.theory.errors import known_fields

    known_fields(place, given if isinstance(given, dict) else (), FIELDS, FIELDS[0])
    if not isinstance(given, dict) or not isinstance(given.get("statement"), str):
        raise InvalidInput(place, str(given)[:60], "an object with the text of a `statement`")
    where = given.get("where")
    if isinstance(where, str):
        where = {"": where}
    if where is not None and not (isinstance(where, dict) and all(isinstance(v, str) for v in where.values())):
        allowed = 'text, or an object such as {"x": "[0, 1]", "n": "integer >= 1"}'
        raise InvalidInput(f"where ({place})", str(where)[:60], allowed)
    return Row(number if given.get("id") is None else str(given["id"]), given["statement"], where, given.get("form"))


def judge_file(
    path: Path,
    limits: Limits,
    *,
    as_json: bool,
    output: Path | None,
    receipts: Path | None,
    workers: int | None,
    scheduler: str | None,
    quiet: bool,
) -> int:
    """Settle the statements of a file; with `output` what an earlier run had settled is taken from there.

    The exit code is 1 if one is refuted, else 2 if one cannot be read, else 3 if one is open, else 0.
    """
    if path == Path("-"):
        rows = rows_of(sys.stdin, "standard input")
    elif not path.is_file():
        raise InvalidInput("file", str(path), "a file of JSON lines that exists, or - for standard input")
    elif path.suffix == ".md":
        from banditproof.claims.paragraphs import blocks_in

        if not (rows := [Row(claim_id, text) for claim_id, text in blocks_in(path)]):
            cure = "a paragraph: a line '## NAME', and below it the formula, indented by four blanks"
            raise InvalidInput("file", str(path), f"a file with {cure}")
    else:
        rows = rows_of(text_of("file", path).split("\n"), path.name)
    counted = Counter[str]()
    since = time.perf_counter()
    for row, answer in answered(rows, limits, output, receipts, workers, scheduler, quiet):
        counted[answer["verdict"]] += 1
        _print(row, answer, as_json, output is not None)
    if not quiet:
        said = ", ".join(f"{count} {verdict}" for verdict, count in counted.most_common())
        print(f"{len(rows)} statements in {time.perf_counter() - since:.0f} s: {said}", file=sys.stderr)
    return gravest(map(of_verdict, counted))


def answered(
    rows: Sequence[Row],
    limits: Limits,
    output: Path | None = None,
    receipts: Path | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
    quiet: bool = False,
    until: float = math.inf,
    blind: bool = False,
) -> Iterator[tuple[Row, dict[str, Any]]]:
    """Rows with their answers, which are kept in `output`: what it holds is not asked again.

    What processes here have not settled at `until`, on the clock of ``time.monotonic``, is left out. `blind`: the
    progress tells no verdict.
    """
    from banditproof.cli.progress import progress_bar

    known = _written(output)
    if receipts is not None:
        receipts.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        bar = stack.enter_context(progress_bar(len(rows), quiet))
        kept = (
            stack.enter_context(output.open("a", encoding="utf-8", errors="backslashreplace"))
            if output is not None
            else None
        )
        asked = [row for row in rows if row.key not in known]
        settled = _settled(asked, limits, receipts, workers, scheduler, bar, stack, until)
        answers = _answers(rows, known, settled, bar, blind)
        for row, answer in answers if kept is not None else _in_order(rows, answers):  # a kill loses nothing kept
            if kept is not None and row.key not in known:
                kept.write(json.dumps(_data(row, answer), ensure_ascii=False) + "\n")
                kept.flush()
            yield row, answer


def _written(output: Path | None) -> dict[str, dict[str, Any]]:
    """The answers that an earlier run wrote, by key; a line that a kill cut short is asked again."""
    known: dict[str, dict[str, Any]] = {}
    if output is None or not output.is_file():
        return known
    text = text_of("output", output)
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        output.write_text(whole, encoding="utf-8")
    for line in whole.splitlines():
        try:
            answer = json.loads(line)
            known[answer["key"]] = answer
        except (json.JSONDecodeError, KeyError, TypeError):
            raise InvalidInput("output", str(output), "a file that 'banditproof judge --output' wrote") from None
    return known


def _settled(
    rows: Sequence[Row],
    limits: Limits,
    receipts: Path | None,
    workers: int | None,
    scheduler: str | None,
    bar: Any,
    stack: ExitStack,
    until: float,
) -> Iterator[tuple[Row, dict[str, Any]]]:
    """Rows with their answers, as they are settled: by processes here, or by the workers of a cluster."""
    from banditproof.claims.run.cluster import connected
    from banditproof.claims.run.pool import Lost, Pool
    from banditproof.claims.run.runner import available_cores
    from banditproof.verify.judge.telling import as_data

    if not rows:
        return
    if scheduler is not None:
        cluster = stack.enter_context(connected(scheduler))
        for row in rows:
            cluster.submit(row, settle, limits, receipts is not None, row)
        outcomes: Iterator[Any] = (cluster.next() for _ in rows)
    else:
        pool = Pool(_start, (limits, receipts is not None), workers or available_cores(), _patience(limits))
        outcomes = pool.run({row: set() for row in rows}, lambda row: bar.begun("statement", row.id), until)
    for row, outcome in outcomes:
        lost = isinstance(outcome, Lost)
        answer = as_data(Answer("open", why=f"the search {outcome.reason}")) if lost else outcome
        text = answer.pop("receipt_text", None)
        if receipts is not None and text is not None:
            (place := receipts / f"{_file_name(row.id)}.py").write_text(text, encoding="utf-8")
            answer["receipt"] = str(place)
        yield row, answer


def _patience(limits: Limits) -> float:
    """Seconds after which a process is given up: far beyond what the work takes."""
    return 1800.0 if limits.seconds is None else 10 * limits.seconds + 60


def _file_name(name: str) -> str:
    return "".join(c if c.isalnum() or c in "-_." else "_" for c in name) or "_"


def _start(limits: Limits, with_receipt: bool) -> Any:
    from functools import partial

    return partial(settle, limits, with_receipt)


def settle(limits: Limits, with_receipt: bool, row: Row) -> dict[str, Any]:
    """The answer to one row, as data, with the text of its receipt where one is asked for."""
    from banditproof.verify.judge.door import judge
    from banditproof.verify.judge.telling import as_data

    answer = judge(row.statement, row.where, row.form, limits.work, limits.seconds, limits.constant)
    data = as_data(answer)
    if with_receipt and answer.verdict not in ("open", "not read"):
        from banditproof.verify.judge.receipts.receipt import receipt

        data["receipt_text"] = receipt(answer, limits.seconds)
    return data


def _answers(
    rows: Sequence[Row],
    known: Mapping[str, dict[str, Any]],
    fresh: Iterable[tuple[Row, dict[str, Any]]],
    bar: Any,
    blind: bool,
) -> Iterator[tuple[Row, dict[str, Any]]]:
    """All rows with their answers as they come, those that are known first."""
    for row in rows:
        if row.key in known:
            bar("reused", {"id": row.id, "verdict": "judged" if blind else known[row.key]["verdict"]})
            yield row, known[row.key]
    for row, answer in fresh:
        bar("statement", {"id": row.id, "verdict": "judged" if blind else answer["verdict"]})
        yield row, answer


def _in_order(
    rows: Sequence[Row], answers: Iterator[tuple[Row, dict[str, Any]]]
) -> Iterator[tuple[Row, dict[str, Any]]]:
    """The same in the order of the file: an answer that comes early waits for those before it."""
    early: dict[str, dict[str, Any]] = {}
    for row in rows:
        while row.key not in early:
            came, answer = next(answers)
            early[came.key] = answer
        yield row, early[row.key]


def _data(row: Row, answer: Mapping[str, Any]) -> dict[str, Any]:
    return {"id": row.id, "key": row.key, "statement": row.statement, **answer}


def _print(row: Row, answer: dict[str, Any], as_json: bool, kept: bool) -> None:
    if as_json:
        print(json.dumps(_data(row, answer), ensure_ascii=False))
    elif not kept:
        said = f"{row.id}  {answer['verdict']}{': ' * bool(answer['why'])}{answer['why']}".splitlines()[0]
        at = ", ".join(f"{name} = {value}" for name, value in (answer.get("point") or {}).items())
        print(said if at in said else f"{said}; at {at}")
        for taken in (answer.get("read_as") or {}).get("assumed", ()):
            print(f"  taken: {taken}")
