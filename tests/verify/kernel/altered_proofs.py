"""Stored proofs that are altered at one place, for two readers to agree on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, TypeVar

T = TypeVar("T")
Row = list[Any]
NUMBERS = ("num", "var", "add", "mul", "inv", "exp", "log", "ind", "app", "mean")
KINDS = (NUMBERS, ("law", "dirac", "mix", "steps"), ("fn",), ("<=", "<", "=", "nat", "all"))
BINDERS = ("mean", "mix", "steps", "fn", "all")
TWINS = {"exp": "log", "log": "inv", "inv": "exp", "add": "mul", "mul": "add", "<=": "<", "<": "<=", "=": "<="}


class Nothing(Exception):
    """A proof has no place for an alteration."""


def one(r: Random, of: Sequence[T]) -> T:
    if not of:
        raise Nothing
    return r.choice(of)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """All entries of nested lists and dicts, as the container and the index."""
    for k in value if isinstance(value, dict) else range(len(value)):
        yield value, k
        if isinstance(value[k], (list, dict)):
            yield from places(value[k])


def rows_of(r: Random, data: Any) -> list[Row]:
    """The statement's table, or three times as often that of the proof."""
    return data["statement"] if r.random() < 0.25 else data["proof"]["nodes"]


def names_in(rows: Sequence[Row]) -> list[str]:
    of_rows = (n for row in rows for part in row[1:] for n in (part if isinstance(part, list) else [part]))
    return sorted({n for n in of_rows if isinstance(n, str)})


def kind_of(row: Row) -> int:
    return next(k for k, ops in enumerate(KINDS) if row[0] in ops)


def parts(row: Row) -> list[tuple[Any, Any]]:
    """Where a row refers to another one."""
    return [] if row[0] == "num" else [(box, k) for box, k in places(row) if type(box[k]) is int]


def step_places(data: Any, kind: str) -> list[tuple[Any, int]]:
    """Where a step refers to a step or to a node (`kind`), and the number of the step that does."""
    steps = enumerate(data["proof"]["steps"])
    return [(box, n) for n, step in steps for box, k in places(step) if k == kind and isinstance(box, dict)]


# ------------------------------------------------------------------------------------------------------ alterations


def another_number(r: Random, data: Any) -> None:
    row = one(r, [row for row in rows_of(r, data) if row[0] == "num"])
    k = r.choice((1, 1, 2))
    row[k] = r.choice((row[k] - 1, row[k] + 1, row[k] + 2, -row[k]))


def another_part(r: Random, data: Any) -> None:
    """A row refers to another earlier row of the same kind."""
    rows = rows_of(r, data)
    n = one(r, range(len(rows)))
    box, k = one(r, parts(rows[n]))
    box[k] = one(r, [m for m in range(n) if kind_of(rows[m]) == kind_of(rows[box[k]]) and m != box[k]])


def sub_term(r: Random, data: Any) -> None:
    """A row refers to a part of what it referred to."""
    rows = rows_of(r, data)
    box, k = one(r, [place for row in rows for place in parts(row)])
    box[k] = one(r, [b[i] for b, i in parts(rows[box[k]]) if kind_of(rows[b[i]]) == kind_of(rows[box[k]])])


def parts_swapped(r: Random, data: Any) -> None:
    row = one(r, [row for row in rows_of(r, data) if len(parts(row)) > 1])
    (a, i), (b, k) = r.sample(parts(row), 2)
    a[i], b[k] = b[k], a[i]


def another_word(r: Random, data: Any) -> None:
    row = one(r, [row for row in rows_of(r, data) if row[0] in TWINS])
    row[0] = TWINS[row[0]]


def part_dropped(r: Random, data: Any) -> None:
    """A summand, a factor, a point, a condition or a parameter less."""
    row = one(r, rows_of(r, data))
    lists = [part for part in row if isinstance(part, list) and part]
    box = one(r, [*lists, *([row] if row[0] in ("add", "mul", "app", "law") and len(row) > 2 else [])])
    box.pop(r.randrange(1, len(box)) if box is row else r.randrange(len(box)))


def part_twice(r: Random, data: Any) -> None:
    row = one(r, [row for row in rows_of(r, data) if row[0] in ("add", "mul", "all") and parts(row)])
    box, k = one(r, parts(row))
    box.insert(k, box[k])


def another_name(r: Random, data: Any) -> None:
    """A point, a function or a law is called as another one."""
    rows = rows_of(r, data)
    row = one(r, [row for row in rows if row[0] in ("var", "app", "law")])
    row[1] = one(r, [n for n in names_in(rows) if n != row[1]])


def captured(r: Random, data: Any) -> None:
    """What is bound is called as something else that is there."""
    rows = rows_of(r, data)
    row = one(r, [row for row in rows if row[0] in BINDERS and row[1]])
    k = r.randrange(len(row[1]))
    row[1][k] = one(r, [n for n in names_in(rows) if n != row[1][k]])


def renamed(r: Random, data: Any) -> None:
    """One name becomes another in a whole table; the same statement, if it was a new one."""
    rows = rows_of(r, data)
    old, new = one(r, names_in(rows)), one(r, [*names_in(rows), "another"])
    words = {id(row) for row in rows}
    for box, k in places(rows):
        if box[k] == old and (k or id(box) not in words):
            box[k] = new


def names_swapped(r: Random, data: Any) -> None:
    """Two names change places in a whole table; the same theorem, if the steps name neither."""
    rows = rows_of(r, data)
    old, new = r.sample(names, 2) if len(names := names_in(rows)) > 1 else one(r, [])
    words = {id(row) for row in rows}
    for box, k in places(rows):
        if k or id(box) not in words:
            box[k] = {old: new, new: old}.get(box[k], box[k]) if isinstance(box[k], str) else box[k]


def step_dropped(r: Random, data: Any) -> None:
    """What rested on a step rests on what this one rested on first, or on its neighbour."""
    steps = data["proof"]["steps"]
    n = r.randrange(len(steps))
    mine = [box["step"] for box, k in step_places(data, "step") if k == n]
    for box, _ in step_places(data, "step"):
        box["step"] = (mine[0] if mine else 0) if box["step"] == n else box["step"] - (box["step"] > n)
    steps.pop(n)


def steps_swapped(r: Random, data: Any) -> None:
    steps = data["proof"]["steps"]
    n = r.randrange(1, len(steps)) if len(steps) > 1 else one(r, [])
    steps[n - 1], steps[n] = steps[n], steps[n - 1]


def another_step(r: Random, data: Any) -> None:
    box, n = one(r, step_places(data, "step"))
    box["step"] = r.choice((r.randrange(n + 1), max(0, box["step"] + r.choice((-1, 1)))))


def another_node(r: Random, data: Any) -> None:
    """An argument of a rule is another term of the same kind."""
    nodes = data["proof"]["nodes"]
    box, _ = one(r, step_places(data, "node"))
    near = [m for m in range(len(nodes)) if kind_of(nodes[m]) == kind_of(nodes[box["node"]]) and m != box["node"]]
    box["node"] = one(r, near)


def another_rule(r: Random, data: Any) -> None:
    """A rule with as many arguments."""
    steps = data["proof"]["steps"]
    step = one(r, steps)
    step[0] = one(r, sorted({s[0] for s in steps if len(s) == len(step) and s[0] != step[0]}))


def arguments_swapped(r: Random, data: Any) -> None:
    """Two premises, two conditions, two terms or two texts of a step change places."""
    steps = [box for box, k in places(data["proof"]["steps"]) if k == 0 and isinstance(box, list) and len(box) > 2]
    step = one(r, [s for s in steps if isinstance(s[0], (str, dict))])
    n = r.randrange(1, len(step) - 1)
    step[n], step[n + 1] = step[n + 1], step[n]


def argument_dropped(r: Random, data: Any) -> None:
    """A summand of ``calc``, a condition, a parameter or an argument less."""
    box, k = one(r, [(b, k) for b, k in places(data["proof"]["steps"]) if isinstance(b, list)])
    if box is data["proof"]["steps"]:
        raise Nothing
    box.pop(k)


def another_coefficient(r: Random, data: Any) -> None:
    """A multiple in ``calc``, the number of a fact, or the sign of a move."""
    counts = [
        (box, k)
        for step in data["proof"]["steps"]
        for box, k in places(step)
        if type(box[k]) is int and k not in ("step", "node")
    ]
    box, k = one(r, counts)
    box[k] = r.choice((box[k] + 1, box[k] - 1, -box[k], 0))


def another_factor(r: Random, data: Any) -> None:
    """The factor of a summand of ``calc``: none, a term instead of a theorem, or that of another summand."""
    triples = [t for step in data["proof"]["steps"] if step[0] == "calc" for t in step[2]]
    triple, other = one(r, triples), one(r, triples)
    steps = data["proof"]["steps"]
    node = steps[triple[2]["step"]][1] if isinstance(steps[triple[2]["step"]][1], dict) else None
    triple[1] = r.choice((None, other[1], {"step": triple[2]["step"]}, node))


def another_text(r: Random, data: Any) -> None:
    """A name among the arguments of a rule."""
    texts = [(b, k) for step in data["proof"]["steps"] for b, k in places(step) if isinstance(b[k], str)]
    box, k = one(r, [(b, k) for b, k in texts if k or b[k] not in {s[0] for s in data["proof"]["steps"]}])
    box[k] = one(r, [n for n in [*names_in(data["proof"]["nodes"]), "another"] if n != box[k]])


def condition_lost(r: Random, data: Any) -> None:
    """The statement, and the last step that makes it, have a condition less."""
    given = data["statement"][-1][2]
    made = data["proof"]["steps"][-1]
    if made[0] != "gen" or len(made[3]) != len(given):
        raise Nothing
    k = one(r, range(len(given)))
    given.pop(k)
    made[3].pop(k)


def parameter_lost(r: Random, data: Any) -> None:
    """The statement, and the last step that makes it, have a parameter less."""
    params, made = data["statement"][-1][1], data["proof"]["steps"][-1]
    if made[0] != "gen" or made[2] != params:
        raise Nothing
    k = one(r, range(len(params)))
    params.pop(k)
    made[2] = list(params)


def in_another_form(r: Random, data: Any) -> None:
    """A number is written differently: twice its half, or with 0 added."""
    rows = rows_of(r, data)
    n, (box, k) = one(r, [(n, p) for n, row in enumerate(rows) for p in parts(row) if kind_of(rows[p[0][p[1]]]) == 0])
    old = box[k]
    new = r.choice(([["num", 0, 1], ["add", old, n]], [["num", 1, 2], ["mul", n, old], ["add", n + 1, n + 1]]))
    for row in rows[n:]:
        for b, i in parts(row):
            b[i] += len(new) * (b[i] >= n)
    box[k] = n + len(new) - 1
    rows[n:n] = new
    if rows is data["proof"]["nodes"]:
        for b, _ in step_places(data, "node"):
            b["node"] += len(new) * (b["node"] >= n)


ALTERATIONS: tuple[Callable[[Random, Any], None], ...] = (
    another_number,
    another_part,
    sub_term,
    parts_swapped,
    another_word,
    part_dropped,
    part_twice,
    another_name,
    captured,
    renamed,
    names_swapped,
    step_dropped,
    steps_swapped,
    another_step,
    another_node,
    another_rule,
    arguments_swapped,
    argument_dropped,
    another_coefficient,
    another_factor,
    another_text,
    condition_lost,
    parameter_lost,
    in_another_form,
)


def altered(texts: Sequence[str], seed: int, tries: int = 1_000) -> tuple[str, Any]:
    """The altered proof of a seed, and how it was altered; kinds take turns, proofs are drawn from their texts."""
    r, alter = Random(seed), ALTERATIONS[seed % len(ALTERATIONS)]
    for _ in range(tries):
        text = r.choice(texts)
        data = json.loads(text)
        try:
            alter(r, data)
        except Nothing:
            continue
        if data != json.loads(text):
            return alter.__name__, data
    raise Nothing(f"{alter.__name__}: no proof has a place for it")
