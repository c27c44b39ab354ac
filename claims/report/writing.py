"""A sentence on a claim that a reviewer may copy: which statement, how certain, where it fails, what is true."""

from __future__ import annotations

import re

from banditproof.claims.documents import catalogue
from banditproof.claims.register import REGISTER, Claim
from banditproof.claims.report.plain import plain
from banditproof.claims.verdict import MODEL, NAMED, REFUTED, TRIVIAL
from banditproof.theory.verdicts import Known

IS = {
    "proved": "is proved by machine",
    TRIVIAL: "is proved by machine and trivial, as what it is about is not used",
    NAMED: "is proved by machine from named facts of textbooks, which are taken for granted",
    MODEL: "is proved by machine for a model of the algorithm, which runs of the program support",
    "supported": "is not proved; no violation was found",
    "reproduced": "is reproduced by runs of our own, which prove nothing",
    "refuted": "is false",
    "not reproduced": "is not reproduced by runs of our own, which refute nothing",
    "undecided": "is neither proved nor refuted",
    "not checkable": "cannot be checked",
}
ROLES = {"reading": "as one reading of it", "edge": "at an edge of its domain", "model": "as a model of it"}


ID = re.compile(r"\b([A-Z]{2,}-[\w.-]*\w)(/[\w-]+)?")
WEAKEST = re.compile(r"its weakest part is \S+: (?:no violation found )?")
OURS = "In the words of banditproof"
STEPS = "but the steps between them are not"  # what these are stands in the reach


def sentence(claim: Claim, known: Known) -> str:
    """What may be written of a claim, no more than is known, and without what only the register has: ids, arguments."""
    entry = catalogue().get(claim.item)
    printed = entry.printed if entry is not None and entry.printed != entry.paper else claim.paper
    role = f", {ROLES[claim.role]}" if claim.role in ROLES else ""
    narrowed = f" Its check is restricted {claim.restricted}." * bool(claim.restricted and known.verdict not in REFUTED)
    trust = f" Taken on trust: {claim.assuming.split(': ')[0]}." * bool(claim.assuming not in known.reach)
    shorter = WEAKEST.sub("at its weakest part, ", known.reach).removeprefix("no violation found ")
    shorter = "".join(shorter.partition(STEPS)[:2])
    said = str(known._replace(reach=shorter)).replace(known.verdict, IS[known.verdict], 1)
    ours = plain(claim.shown()).removesuffix(".")  # no quotation: the statement is not worded as it is printed
    return f"{OURS}: {ours}. This ({printed}{role}) {ID.sub(_as_printed, said)}.{narrowed}{trust}"


def _as_printed(found: re.Match[str]) -> str:
    """What a document calls the item of an id; what is no id stays."""
    entry = catalogue().get(found[1])
    under = f"{REGISTER[found[0]].role} of " if found[2] and found[0] in REGISTER else ""
    return found[0] if entry is None else f"{under}{entry.number or entry.title}"
