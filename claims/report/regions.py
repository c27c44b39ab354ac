"""Domains and points in words: where a statement was looked at, and what of its domain is left open."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, islice, pairwise
from typing import Any

from banditproof.claims.report.evidence import SOME, comparison, in_symbols, number, variable
from banditproof.verify.proof.domain import (
    MOST_CONSTRAINTS,
    Domain,
    Everything,
    Exact,
    Interval,
    Points,
    Set,
    open_cells,
    pieces,
)
from banditproof.verify.proof.evidence import to_data

MOST = 300  # open cells of a domain that are summed up
REST = "the rest of the domain is open"
SHOWN = 5  # members of a set


def in_words(domain: Domain) -> str:
    """'T, K = 1, 2, …; ε > 0; policy: every policy'; 'listed cases' are told with their variables."""
    named: dict[Set, list[str]] = {}
    for name, values in domain.variables:
        named.setdefault(values, []).append(variable(name))
    parts = [_member(", ".join(names), values) for values, names in named.items()]
    return "; ".join([*parts, *(comparison(c.text) for c in domain.where)]) or "a statement without variables"


def at_point(point: Mapping[str, Any]) -> str:
    """'policy = [courier, 1/10, 10^-8], ε = 1'."""
    shown = (f"{variable(n)} = {number(to_data(v), SOME)}" for n, v in point.items())
    return ", ".join(shown).replace("= ≈", "≈")


def left_open(domain: Domain, regions: Iterable[Domain]) -> str:
    """What of a domain no region covers, as a box around it: 'open: T = 4, 5, …'; or that something is."""
    known = [r for r in regions if set(r.sets) == set(domain.sets)]
    few = len({c.key_and_signs[0] for d in (domain, *known) for c in d.where}) <= MOST_CONSTRAINTS
    cells = list(islice(open_cells(domain, known), MOST + 1)) if known and few else []
    if not cells or len(cells) > MOST:
        return REST
    said = [_where(variable(n), s, [cell[n] for cell, _ in cells], pieces(n, s, known)) for n, s in domain.variables]
    own = {c.key_and_signs[0] for c in domain.where if len(c.key_and_signs[1]) == 1}  # the same everywhere
    for key in (k for k in cells[0][1] if k not in own):
        signs = {pattern[key] for _, pattern in cells}
        relation = next((r for sign, r in ((-1, "<"), (0, "="), (1, ">")) if signs == {sign}), "")
        if relation:
            left, right = (comparison(str(part)) for part in key.args)
            said.append(f"{left} {relation} {right}")
    said = [text for text in said if text]
    return f"open: {', '.join(said)}" if said else REST


def _number(value: Exact) -> str:
    return number(int(value) if value == int(value) else str(value)) if math.isfinite(value) else number(str(value))


def _member(names: str, values: Set) -> str:
    if isinstance(values, Everything):
        told = re.sub(r"[^\W\d]+_\w+", lambda name: variable(name[0]), in_symbols(values.name).replace("->", "→"))
        return f"{told} of {names}" if told.endswith("listed cases") else f"{names}: {told}"
    if isinstance(values, Interval):
        return _range(names, values)
    shown = [_number(v) for v in values.values]
    if len(shown) == 1:
        return f"{names} = {shown[0]}"
    if len(shown) > 2 and all(b - a == 1 for a, b in pairwise(values.values)) and shown[0].isdigit():
        return f"{names} = {shown[0]}, …, {shown[-1]}"
    cut = len(shown) > SHOWN + 1
    listed = [*shown[:SHOWN], "…", shown[-1]] if cut else shown
    return f"{names} ∈ {{{', '.join(listed)}}}" + (f" ({len(shown)} values)" if cut else "")


def _range(names: str, values: Interval) -> str:
    low, high = (_number(end) for end in (values.lower, values.upper))
    if values.lower == values.upper:
        return f"{names} = {low}"
    if values.integer:
        return _whole(names, values)
    if math.isinf(values.lower) and math.isinf(values.upper):
        return f"{names} real"
    if math.isinf(values.upper):
        return f"{names} {'>' if values.lower_open else '≥'} {low}"
    if math.isinf(values.lower):
        return f"{names} {'<' if values.upper_open else '≤'} {high}"
    left, right = "[("[values.lower_open], "])"[values.upper_open]
    return f"{names} ∈ {left}{low}, {high}{right}"


def _whole(names: str, values: Interval) -> str:
    if math.isinf(values.lower):
        return f"{names} whole" if math.isinf(values.upper) else f"{names} ≤ {values.upper}"
    first = math.floor(values.lower) + 1 if values.lower_open else math.ceil(values.lower)
    if math.isinf(values.upper):
        return f"{names} = {first}, {first + 1}, …"
    last = math.ceil(values.upper) - 1 if values.upper_open else math.floor(values.upper)
    between = ", …, " if last > first + 1 else ", "
    return f"{names} = {first}" if first == last else f"{names} = {first}{between}{last}"


def _where(name: str, values: Set, found: Sequence[Any], all_pieces: Sequence[Any]) -> str:
    """Where a variable lies in the open cells; nothing where that is no less than its set, or in many places."""
    if isinstance(values, Everything):
        return ""
    ordered = sorted(all_pieces, key=lambda piece: (piece.lower, piece.upper))
    runs = [list(run) for is_open, run in groupby(ordered, lambda piece: piece in found) if is_open]
    if sum(map(len, runs)) == len(ordered) or len(runs) > 2:
        return ""
    if isinstance(values, Points):
        return _member(name, Points(tuple(piece.lower for run in runs for piece in run)))
    joined = (Interval(r[0].lower, r[-1].upper, r[0].lower_open, r[-1].upper_open, values.integer) for r in runs)
    return " or ".join(_range(name, part) for part in joined)
