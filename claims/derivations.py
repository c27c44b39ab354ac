"""Derivations: proofs whose formulas are proved by machine and whose joints are textbook facts, named in words.

A derivation is a list of *facts*, each a relation on a domain of its own, and the sentence that joins them: Markov's
inequality, "a function with nonnegative second derivative lies above its tangents", and the like. As a certificate it
is accepted when every fact is proved again; the joints are for the reader to judge.

A fact is proved by its tree of rules, which stands among those of the claim, under the key of the fact's statement
(``claims/trees.py``).

Facts take the constants of their claim by name. A constant that none of them takes could be anything, so a certificate
is accepted only if every constant is taken: as a constant, or as a variable, by a fact for all values of its set.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any

from banditproof.claims.sets import constants_of, domain_of
from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.term import NoTerm
from banditproof.verify.proof.compare import Relation, relation_name, relation_named, trust
from banditproof.verify.proof.domain import Domain, Interval, constant
from banditproof.verify.proof.statement import Statement, spoken_otherwise, stating
from banditproof.verify.proof.watching import rounding_on_the_way

trust(__name__)  # evidence names facts_hold


def fact(relation: Relation, domain: Domain | None = None, where: Sequence[str] = ()) -> dict[str, Any]:
    """A relation on a domain, by default that of its signature."""
    return {"relation": relation_name(relation), "domain": (domain or domain_of(relation, where)).to_json()}


def derivation(facts: Iterable[dict[str, Any]], because: str) -> dict[str, Any]:
    """The data of a certificate: facts, and the sentence that joins them to the claim."""
    listed = list(facts)
    if not listed:
        raise InvalidInput("facts", listed, "at least one fact")
    if not because.strip():
        raise InvalidInput("because", because, "the sentence that joins the facts to the claim")
    return {"facts": listed, "because": because}


def facts_hold(data: dict[str, Any], **constants: Any) -> tuple[int, str, int]:
    """How many of a derivation's facts are proved, compared with how many there are."""
    if not str(data.get("because", "")).strip():
        raise InvalidInput("because", data.get("because"), "the sentence that joins the facts to the claim")
    trees = data.get("trees", {})
    proved = sum(_shown(entry, constants, trees) for entry in data["facts"])
    return proved, "==", max(1, len(data["facts"]))


_ASKED: ContextVar[list[tuple[str, Statement]] | None] = ContextVar("asked", default=None)


@contextmanager
def facts_asked() -> Iterator[list[tuple[str, Statement]]]:
    """The facts that verifiers ask for within, as their relations and their statements with the constants in them."""
    outer, asked = _ASKED.get(), []
    token = _ASKED.set(asked)
    try:
        yield asked
    finally:
        _ASKED.reset(token)
        if outer is not None:
            outer += asked


def with_keys(data: Any, asked: Iterable[tuple[str, Statement]]) -> Any:
    """A derivation with the trees that prove its facts, and with the key of its tree in each fact that has one."""
    if not data.get("trees"):
        return {n: v for n, v in data.items() if n != "trees"}
    keys = {(relation, s.domain): s.key for relation, s in asked if s.key in data["trees"]}
    named = [(entry, keys.get((entry["relation"], Domain.from_json(entry["domain"])))) for entry in data["facts"]]
    facts = [entry | {"tree": key} if key else entry for entry, key in named]
    return data | {"facts": facts, "trees": {key: data["trees"][key] for key in sorted(set(keys.values()))}}


def _shown(entry: Mapping[str, Any], constants: Mapping[str, Any], trees: Mapping[str, Any]) -> bool:
    """Whether a fact is proved by its tree."""
    named = {n: entry[n] for n in ("relation", "domain")}
    written, taken = json.dumps(named, sort_keys=True), _constants_taken(entry, constants)
    if (statement := _statement_of(written, taken)) is None:
        return False
    if (asked := _ASKED.get()) is not None:
        asked.append((entry["relation"], statement))
    tree = trees.get(statement.key)
    return tree is not None and _replayed(statement, json.dumps(tree))


def _constants_taken(entry: Mapping[str, Any], constants: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    """Those of the constants that a fact takes as such; it has variables of its own."""
    taken = _parameter_names(entry) - set(Domain.from_json(entry["domain"]).sets)
    return tuple(sorted((name, value) for name, value in constants.items() if name in taken))


def _parameter_names(entry: Mapping[str, Any]) -> set[str]:
    """The names of what a fact takes."""
    return set(inspect.signature(relation_named(entry["relation"])).parameters)


def for_every_value(data: Any, constants: Mapping[str, Any]) -> set[str]:
    """The constants of a claim that no fact takes as such, and some fact as a variable whose set holds their value."""
    facts = data["facts"] if isinstance(data, Mapping) and "facts" in data else ()
    fixed = {name for entry in facts for name, _ in _constants_taken(entry, constants)}
    sets = [(name, values) for entry in facts for name, values in Domain.from_json(entry["domain"]).variables]
    return {n for n, values in sets if n in constants and n not in fixed and _holds_value(values, constants[n])}


def _holds_value(values: Any, value: Any) -> bool:
    return isinstance(values, Interval) and not isinstance(value, str | bool) and values.contains(value)


def untied(verifier: Relation, data: Any, constants: Mapping[str, Any]) -> list[str]:
    """The constants of a claim that a certificate does not depend on: no formula of it takes them."""
    parameters = inspect.signature(verifier).parameters.values()
    taken = {p.name for p in parameters if p.kind is not p.VAR_KEYWORD}
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        taken |= {name for entry in data["facts"] for name, _ in _constants_taken(entry, constants)}
        taken |= for_every_value(data, constants)
    return [name for name in constants if name not in taken]


@cache
def _statement_of(entry: str, constants: tuple[tuple[str, Any], ...]) -> Statement | None:
    """What a fact states; None for one that is no formula."""
    data = json.loads(entry)
    relation, domain = relation_named(data["relation"]), Domain.from_json(data["domain"])
    known = _known(relation, constants)
    try:
        statement = stating(relation, domain, known)
    except NoTerm:
        return None
    wrong = rounding_on_the_way(relation, domain, known) or spoken_otherwise(statement, relation, known)
    return None if wrong else statement


def _known(relation: Relation, constants: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    return {n: constant(c) for n, c in constants_of(relation).items()} | dict(constants)


@cache
def _replayed(statement: Statement, tree: str) -> bool:
    from banditproof.verify.proof.deduction import deduced

    return not isinstance(deduced(statement, json.loads(tree)), str)
