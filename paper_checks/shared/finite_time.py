"""Which items of the documents bound a loss, read off the register, and what each has to say beside an exact value.

An item bounds a loss if its statement names one (a regret, an error, a stopping time) and compares it. It stands beside
the exact values if `printed_bounds_beside` evaluates it or its twin in another document; else the words of its
statement say why it has no value at a horizon of a few rounds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from banditproof.claims.register import REGISTER, Claim
from banditproof.theory import exact_identification_error, exact_minimax_regret, printed_bounds_beside

_LOSS = re.compile(r"Reg\b|Reg_|(?i:regret|wrong arm|error)|\\mathrm R|\bR_T|\\mathbb E[^ ]*\[\\tau")
_COMPARED = re.compile(r"\\le|\\ge|at most|at least|O\(|\\Omega|\\lim")
_KINDS = ("theorem", "corollary", "proposition", "lemma", "remark", "statement", "equation", "table")
_PAIR = [["0.75", "0.25"], ["0.25", "0.75"]]
_BUDGETS: tuple[dict[str, Any], ...] = ({"ratio": "inf"}, {"ratio": 2}, {"rho": "0.1"})

WHY = {
    "it is about a policy whose law is assumed": r"E\^p_|conditions \(1\)|Lemma 11 gives",
    "it is about pulls, or says that a mean exists": r"is a number|no longer sampled",
    "it is about linear or contextual bandits": r"theta|GOPE|OFUL|LinUCB|LinPriv|\\mathcal A=|context",
    "it is about experts or full information": r"expert|advice|full information|\\log N|\bTN\b|Algorithm 6|NK",
    "it is asymptotic": r"between \$t\$ and \$2t\$|\\lim|o\(\\log|\\ni|\\omega\(|sublinear",
    "it prints no constant": r"O\(|\\Omega|constants|exceeds",
    "it is in terms of the regret of an algorithm that is arbitrary": r"\\mathcal B|\\mathrm R_|\\tilde\{?\\mathrm R",
    "it is about losses that are not in [0, 1]": r"truncated|\|\\ell\|\^\\alpha",
    "its constant is not named": r"C\\sqrt|\bC\\sum|CKT",
    "it is about a stopping time": r"\\tau",
    "its price is any number": r"\\le c\$",
}
"""Why an item is not beside the exact values: the words of its statement that say so, the first that fits."""


UNPLACED = "nothing says why"


@dataclass(frozen=True)
class LossBound:
    """An item that bounds a loss: the names of the printed bounds that are it, or why there is none."""

    id: str
    kind: str
    statement: str
    beside: tuple[str, ...]
    why: str


def loss_bounds() -> list[LossBound]:
    """Every registered item that bounds a loss; `load()` registers them."""
    evaluated = _evaluated()
    bounds = []
    for claim in REGISTER.values():
        if claim.role == "item" and claim.kind in _KINDS and _bounds_a_loss(claim):
            same = {claim.id, claim.checked_as, *claim.twins}
            beside = sorted({name for source, name in evaluated if source in same})
            if claim.paper == "rdp":  # whose twins in other documents have other budgets
                beside, why = [], "its budget is that of Renyi privacy"
            else:
                fitting = (why for why, words in WHY.items() if re.search(words, claim.statement))
                why = "" if beside else next(fitting, UNPLACED)
            bounds.append(LossBound(claim.id, claim.kind, claim.statement, tuple(beside), why))
    return bounds


def _bounds_a_loss(claim: Claim) -> bool:
    return bool(_LOSS.search(claim.statement) and _COMPARED.search(claim.statement))


def _evaluated() -> set[tuple[str, str]]:
    """The items that are evaluated beside exact values, each with the name of the bound."""
    names = set()
    for budget in _BUDGETS:
        for solve in (exact_minimax_regret, exact_identification_error):
            for bound in printed_bounds_beside(solve(_PAIR, 2, **budget)).bounds.values():
                names |= {(source, bound.name) for source in bound.source.split(", ")}
    return names
