"""How many statements of known truth `judge` settles, and whether any is settled wrongly.

usage: judge.py STATEMENTS.jsonl [--seconds 60] [--form latex] [--alone] [--receipts] [--only ID ...] [--workers 2]
       judge.py STATEMENTS.jsonl --meaning

Each row has a `plain` statement (or `latex`), the printed `domain` of its variables, and its `truth`. --alone gives the
statement without the domain. --receipts runs the receipt of each answer on a Python without packages. --meaning judges
nothing: it compares what the LaTeX of each row is read as with its plain text, at 50 random points of its ranges.
"""

from __future__ import annotations

import argparse
import collections
import itertools
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

POINTS, MOST = 50, 60.0  # a count is at most this large, since sums are summed
FROM = 5.0  # the n_0 of "for all n >= n_0"
SHOWN = "confirmed", "confirmed in part", "needs banditproof"


def settle(row: dict, asked: argparse.Namespace) -> dict:
    """The verdict on a row, and its seconds."""
    from banditproof.verify.judge.door import judge

    since, of_processor = time.perf_counter(), time.process_time()
    where = None if asked.alone else row["domain"]
    answer = judge(row[asked.form], where, asked.form, seconds=asked.seconds)
    point = answer.failure and {n: str(v) for n, v in answer.failure.point.items()}
    taken, computed = time.perf_counter() - since, time.process_time() - of_processor
    shown = checked(answer) if asked.receipts and answer.verdict not in ("open", "not read") else ""
    return {
        "id": row["id"],
        "truth": row["truth"],
        "verdict": answer.verdict,
        "why": answer.why,
        "point": point,
        "repair": answer.repair and answer.repair.said,
        "seconds": taken,
        "of the processor": computed,
        "receipt": shown,
    }


def checked(answer: Any) -> str:
    """What a Python without packages says of an answer's receipt."""
    from banditproof.verify.judge.receipts.receipt import NEEDS, receipt

    text = receipt(answer)
    alone = NEEDS not in text.split("\n", 1)[0]
    options = ["-I", "-S"] if alone else []
    done = subprocess.run([sys.executable, *options, "-"], input=text, capture_output=True, text=True, timeout=600)
    if done.returncode not in (0, 3) or not done.stdout.startswith("confirmed"):
        return f"NOT CONFIRMED: {(done.stdout + done.stderr)[-200:]}"
    left = done.stdout.partition("not checked here: ")[2]
    return SHOWN[0] if alone and not left else f"{SHOWN[1 if alone else 2]}: {left}"


def right(row: dict) -> bool | None:
    """Whether a verdict is right; None where nothing is settled."""
    if row["verdict"] in ("open", "not read"):
        return None
    return row["verdict"].startswith("proved") == (row["truth"] == "true")


# ---------------------------------------------------------------------------------------------------- meaning


def drawn(ranges: Mapping[str, Any], generator: np.random.Generator) -> dict[str, Any]:
    """Random numbers of the ranges."""
    from banditproof.verify.judge.formulas.floats import value_of
    from banditproof.verify.judge.formulas.formula import names as free

    at: dict[str, Any] = {}
    for name, r in ranges.items():
        ends = [value_of(end, {**dict.fromkeys(free(end), FROM), **at}) for end in (r.low, r.high)]
        low, high = (np.broadcast_to(end, POINTS) for end in ends)
        share, scale = generator.uniform(size=POINTS), np.exp(generator.normal(0, 1, POINTS))
        sign = generator.choice([-1, 1], POINTS)
        one_end = np.where(np.isinf(high), low + scale, high - scale)
        with np.errstate(all="ignore"):
            inner = low + (high - low) * share
        ends = np.isinf(low).astype(int) + np.isinf(high)
        value = np.where(ends == 2, sign * scale, np.where(ends == 1, one_end, inner))
        at[name] = np.minimum(np.ceil(value), np.maximum(low, MOST)) if r.integer else value
    return at


def in_one_form(parameters: Mapping[str, Any], mechanism: str) -> dict[str, Any]:
    """The parameters of a mechanism with a variance for a deviation, and with what holds where nothing is printed."""
    from banditproof.verify.judge.formulas.formula import num
    from banditproof.verify.judge.formulas.sentence import Expression

    told: dict[str, Any] = {"neighbours": "add or remove"} if mechanism == "subsampling" else {}
    told |= parameters
    if (deviation := told.pop("deviation", None)) is not None:
        told["variance"] = Expression("pow", (deviation, num(2)))
    return told


def parts_of(node: Any, names: Mapping[str, str], at: Mapping[str, Any]) -> Iterator[Any]:
    """What a sentence consists of: its words, and the values of its formulas."""
    from banditproof.verify.judge.formulas.floats import value_of
    from banditproof.verify.judge.formulas.formula import names as free
    from banditproof.verify.judge.formulas.sentence import Expression, Limit, Order, Private

    if isinstance(node, Expression):  # what has no range, as the variable of a limit, is some number
        yield value_of(node, {**dict.fromkeys(free(node), 0.7), **at})
    elif is_dataclass(node):
        yield type(node).__name__
        bound = {node.name: ""} if isinstance(node, Limit | Order) and node.name not in at else {}
        for field in fields(node):
            part = getattr(node, field.name)
            if isinstance(node, Private) and field.name == "parameters":
                part = in_one_form(part, node.mechanism)
            yield from parts_of(part, {**names, **bound}, at)
    elif isinstance(node, Mapping):
        for key in sorted(node):
            yield key
            yield from parts_of(node[key], names, at)
    elif isinstance(node, tuple):
        for part in node:
            yield from parts_of(part, names, at)
    else:
        yield names.get(node, node) if isinstance(node, str) else node


def equal(a: Any, b: Any) -> bool:
    if all(isinstance(x, np.ndarray | float) for x in (a, b)):
        return bool(np.allclose(*np.broadcast_arrays(a, b), rtol=1e-9, atol=1e-12, equal_nan=True))
    return type(a) is type(b) and a == b


def truths(reading: Any, at: Mapping[str, Any]) -> Any:
    """Where the comparisons of a reading hold, and where its conditions do."""
    from banditproof.verify.judge.formulas.floats import value_of
    from banditproof.verify.judge.formulas.sentence import All, Compare

    def of(sentence: Any) -> Any:
        if isinstance(sentence, All):
            return np.logical_and.reduce([of(part) for part in sentence.parts])
        if not isinstance(sentence, Compare):
            raise TypeError(type(sentence).__name__)
        a, b = value_of(sentence.left, at), value_of(sentence.right, at)
        close, sign = np.isclose(a, b, rtol=1e-9), sentence.sign
        held = {"<": ~close & (a < b), "<=": close | (a < b), ">": ~close & (a > b), ">=": close | (a > b), "==": close}
        return np.broadcast_to(held[sign], POINTS)

    kept = np.logical_and.reduce([np.full(POINTS, True), *map(of, reading.conditions)])
    return ~kept | of(reading.sentence)


def meaning(row: dict, alone: bool) -> str:
    """Whether the LaTeX of a row says what its plain text says."""
    from banditproof.verify.judge.formulas.sentence import Unread
    from banditproof.verify.judge.reading.readers import read

    try:
        plain = read(row["plain"], row["domain"], "plain")
        latex = read(row["latex"], None if alone else row["domain"], "latex")
    except Unread as why:
        return f"not read: {str(why)[:80]}"
    at = drawn(plain.ranges, np.random.default_rng(50))
    for order in itertools.permutations(latex.ranges):
        names = dict(zip(order, plain.ranges, strict=False))
        if len(names) != len(plain.ranges) or any(n != m for n, m in names.items() if n in plain.ranges):
            continue
        moved = {n: at[m] for n, m in names.items()}
        sides = ((plain, {}, at), (latex, names, moved))
        a, b = (list(parts_of((r.sentence, r.conditions), known, values)) for r, known, values in sides)
        said = "same values" if len(a) == len(b) and all(map(equal, a, b)) else ""
        with suppress(TypeError):
            said = said or "true at the same points" * np.array_equal(truths(plain, at), truths(latex, moved))
        if said:
            a, b = (list(parts_of(tuple(r.ranges[n] for n in of), {}, {})) for r, of in ((plain, at), (latex, names)))
            return said if all(map(equal, a, b)) else f"{said}, in other ranges: {latex.said}"
    return f"ANOTHER MEANING: {latex.said}"


# ------------------------------------------------------------------------------------------------------- all


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--form", choices=("plain", "latex"), default="plain")
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--receipts", action="store_true")
    parser.add_argument("--meaning", action="store_true")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    rows = [json.loads(line) for line in asked.file.read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if not asked.only or row["id"] in asked.only]
    if asked.meaning:
        compare(rows, asked.alone)
        return
    with ProcessPoolExecutor(asked.workers) as pool:
        jobs = [pool.submit(settle, row, asked) for row in rows]
        answers, counted = [], collections.Counter[str]()
        for given, job in zip(rows, jobs, strict=True):
            if (why := job.exception()) is not None:
                counted["CRASHED"] += 1
                print(json.dumps({"id": given["id"], "why": repr(why)}), flush=True)
                continue
            answers.append(row := job.result())
            verdict = right(row)
            counted["settled" if verdict else "WRONG" if verdict is False else row["verdict"]] += 1
            if not verdict or asked.only or row["receipt"] not in ("", SHOWN[0]):
                print(json.dumps(row, ensure_ascii=False), flush=True)
    times = [row["seconds"] for row in answers]
    computed = [row["of the processor"] for row in answers]
    print(
        f"{len(rows)} statements: {dict(counted)}; median {statistics.median(times):.2f} s, longest {max(times):.1f} s"
    )
    print(f"seconds of the processor: median {statistics.median(computed):.2f}, longest {max(computed):.1f}")
    false = [row for row in answers if row["truth"] != "true"]
    print(f"of {len(false)} that are not true, {sum(right(row) is True for row in false)} are refuted")
    if asked.receipts:
        print("receipts:", dict(collections.Counter(row["receipt"].split(":")[0] for row in answers if row["receipt"])))


def compare(rows: list[dict], alone: bool) -> None:
    """Print how the LaTeX of rows is read, beside their plain text."""
    counted: collections.Counter[str] = collections.Counter()
    for row in rows:
        said = meaning(row, alone)
        counted[said.split(":")[0]] += 1
        if said not in ("same values", "true at the same points"):
            print(row["id"], said)
    print(f"{len(rows)} rows: {dict(counted)}")


if __name__ == "__main__":
    main()
