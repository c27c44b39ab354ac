"""Statements as data: what another claim states, what its parts decide and what nobody can check needs no code.

The table of a document (TOML) holds a record for each under its id, and first of all, in lines of their own, what is
stated elsewhere in the same words. The keys of a record are the arguments of ``restate`` (which names the other claim
in `of`), ``not_checkable`` (which has a `reason`), ``restate_parts`` (which has `parts`) or else ``item``; text is
LaTeX, wrapped as one likes::

    "COIN-C4" = "COIN-T1/quarter"

    ["COIN-T1"]
    statement = '''
    $x^2<x$ for $x\\in[0,1]$, and
    $x(1-x)\\le\\frac14$.'''
    domain = {x = "[0, 1]"}

    ["COIN-S6"]
    statement = 'As others have shown, it holds.'
    reason = "cited result"
    would_need = "the cited document"
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from banditproof.claims.documents import Document
from banditproof.claims.register import item, not_checkable, prose, restate, restate_parts
from banditproof.claims.sets import parameters_of
from banditproof.theory.errors import InvalidInput, one_of
from banditproof.verify.proof.domain import Domain

_BY_KEY = {"of": restate, "reason": not_checkable, "parts": restate_parts}
_SHAPES = {"twins": list, "rests_on": list, "cases": list, "displayed": bool}  # of all others: text
_SHAPES |= dict.fromkeys(("domain", "parts", "called"), dict)
_SAID = {list: "a list of ids", dict: "a table of texts", bool: "true or false", str: "text"}


@cache
def register_statements(document: Document) -> None:
    """Register the records of a document's table, once. Raises InvalidInput, which names the record."""
    records = [_registration(f"{name} in {document.statements}", record) for name, record in document.table().items()]
    for claim_id, (register, given) in zip(document.table(), records, strict=True):
        try:
            register(claim_id, **given, module=document.package)
        except InvalidInput as error:
            raise InvalidInput(f"{error.parameter} of {claim_id}", error.value, error.allowed, error.meant) from error


def _registration(name: str, record: object) -> tuple[Callable[..., None], dict[str, Any]]:
    """What registers a record, and its arguments."""
    given = {"of": record} if isinstance(record, str) else record
    if not isinstance(given, dict):
        raise InvalidInput(name, record, "a record, or the id of a claim that states the same")
    register = next((register for key, register in _BY_KEY.items() if key in given), item)
    known = {n: p for n, p in parameters_of(register).items() if n not in ("claim_id", "module")}
    for key, value in given.items():
        one_of(f"a key of {name}", key, known)
        shape = _SHAPES.get(key, str)
        held = value if shape is list else value.values() if shape is dict and isinstance(value, dict) else ()
        if not isinstance(value, shape) or not all(isinstance(v, str) or key == "domain" for v in held):
            raise InvalidInput(f"{key} of {name}", value, _SAID[shape])
    for key, parameter in known.items():
        if parameter.default is parameter.empty and key not in given:
            raise InvalidInput(name, sorted(given), f"a record with the key {key}")
    shown: dict[str, Any] = {key: prose(v) if isinstance(v, str) and key != "notes" else v for key, v in given.items()}
    if "domain" in shown:
        try:
            shown["domain"] = Domain.of(**shown["domain"])
        except InvalidInput as error:
            raise InvalidInput(
                f"the domain of {name}: {error.parameter}", error.value, error.allowed, error.meant
            ) from error
    return register, shown
