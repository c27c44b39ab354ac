"""Derivations: proofs whose formulas are proved by machine and whose joints are textbook facts, named in words.

A derivation is a list of *facts*, each a relation on a domain of its own with the argument that proves it symbolically
(or none: then ball arithmetic does, on equal pieces), together with the sentence that joins them: Markov's inequality,
"a function with nonnegative second derivative lies above its tangents", and the like. As a certificate it is accepted
when every fact is proved again; the joints are for the reader to judge.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from typing import Any

from banditproof.theory.errors import InvalidInput
from banditproof.verify.compare import Relation, relation_name, relation_named
from banditproof.verify.domain import Domain, Everything

POINTS = 10  # random points at which a symbolic fact is evaluated in balls besides
SEED = 0
PIECES = 8


def fact(relation: Relation, domain: Domain, argument: Callable[..., Any] | None = None) -> dict[str, Any]:
    """A relation on a domain, with its symbolic argument; without one it is proved in ball arithmetic."""
    return {
        "relation": relation_name(relation),
        "domain": domain.to_json(),
        "argument": relation_name(argument) if argument else "interval",
    }


def derivation(facts: Iterable[dict[str, Any]], because: str) -> dict[str, Any]:
    """The data of a certificate: facts, and the sentence that joins them to the claim."""
    listed = list(facts)
    if not listed:
        raise InvalidInput("facts", listed, "at least one fact")
    return {"facts": listed, "because": because}


def facts_hold(data: dict[str, Any], **constants: Any) -> tuple[int, str, int]:
    """How many of a derivation's facts are proved, compared with how many there are."""
    given = tuple(sorted(constants.items()))
    proved = sum(_proved(json.dumps(entry, sort_keys=True), given) for entry in data["facts"])
    return proved, "==", max(1, len(data["facts"]))


@cache
def _proved(entry: str, constants: tuple[tuple[str, Any], ...]) -> bool:
    from banditproof.verify.symbolic import prove_symbolically

    data = json.loads(entry)
    relation, domain = relation_named(data["relation"]), Domain.from_json(data["domain"])
    if data["argument"] == "interval":
        return _certified(relation, domain, dict(constants))
    argument = relation_named(data["argument"])
    found = prove_symbolically(relation, argument, domain, dict(constants), seed=SEED, points=POINTS)
    return not isinstance(found, str)


def _certified(relation: Relation, domain: Domain, constants: dict[str, Any]) -> bool:
    """Whether ball arithmetic certifies a relation of one bounded variable on each of a few equal pieces."""
    from banditproof.verify.box import BoxTest

    ((name, values),) = domain.variables
    ends: Any = values.ends() if not isinstance(values, Everything) else ()
    low, step = Fraction(ends[0]), Fraction(ends[1] - ends[0]) / PIECES
    pieces = [(low + i * step, low + (i + 1) * step) for i in range(PIECES)]
    test = BoxTest(relation, constants, (), {})
    return all(test.certified({name: piece}) for piece in pieces)
