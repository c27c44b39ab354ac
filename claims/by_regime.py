"""The step that proves a claim about d_epsilon regime by regime (``verify.proof.regimes``)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from banditproof.claims.check import Check
from banditproof.claims.seeds import derived_seed
from banditproof.verify.proof.compare import Relation
from banditproof.verify.proof.regimes import region
from banditproof.verify.proof.symbolic import random_point

TRIES = 8  # random points per regime that may refute a relation before a proof is attempted
POINTS = 5  # random points per regime at which a proved relation is evaluated in balls besides


def prove(check: Check, relation: Relation, certificate: Callable[..., Any], *, hints: Iterable[Mapping[str, Any]] = (),
          routes: tuple[str, str] | None = None) -> bool:  # fmt: skip
    """Prove a relation on every regime of its certificate, after a look for counterexamples (hints first)."""
    if check.search(relation, hints):
        return False
    variables = certificate.variables  # type: ignore[attr-defined]
    pieces = certificate.pieces  # type: ignore[attr-defined]
    parts = [(argument, region(check.domain, name, variables, **case.sets)) for argument, name, case in pieces]
    draw = random.Random(derived_seed(check.root_seed, check.claim_id) % 2**31)
    for argument, part in parts:
        stated = argument()
        if check.search(relation, (random_point(stated, draw) for _ in range(TRIES)), part):
            return False
    proved = True
    try:
        for argument, part in parts:
            proved &= check.symbolic(relation, argument, part, routes, points=POINTS)
    except ValueError as error:  # a branch of the formula that the regime does not settle
        check.could_not("symbolic", str(error))
        return False
    return proved


@dataclass(frozen=True)
class in_every_regime:
    """The step that proves the relation regime by regime with a certificate made by ``by_regime``."""

    certificate: Callable[..., Any]
    hints: Iterable[Mapping[str, Any]] = ()
    routes: tuple[str, str] | None = None
    of: Relation | None = None
    method: ClassVar[str] = "symbolic"

    def __call__(self, check: Check, relation: Relation) -> bool:
        return prove(check, self.of or relation, self.certificate, hints=self.hints, routes=self.routes)
