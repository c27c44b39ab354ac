"""The verdict: a pure function of a domain and the evidence about it. Nothing else decides."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from banditproof.claims.report.regions import at_point, in_words, left_open
from banditproof.verify.proof.domain import Domain, Everything, Interval, draw_point, uncovered
from banditproof.verify.proof.enumeration import point_list
from banditproof.verify.proof.evidence import Certificate, Counterexample, Enumeration, Evidence, IntervalProof

MOST_TRIED = 10_000  # listed points, for one that lies in the domain
MODEL = "proved from a model"  # of an algorithm: what recorded runs support is that the program is its model
TRIVIAL = "trivially true"  # proved, and what the theorem is about is not used: every constant would do
NAMED = "proved from named facts"  # of the textbooks: a closed list (verify.kernel.facts)
VERDICTS = (
    "proved",
    TRIVIAL,
    NAMED,
    MODEL,
    "supported",
    "reproduced",
    "refuted",
    "not reproduced",
    "undecided",
    "not checkable",
)
ON_TRUST = "; taken on trust: "
FOLLOWED = "a model that the algorithm follows in runs"
PROVED = ("proved", TRIVIAL, NAMED, MODEL)
REFUTED = ("refuted", "not reproduced")
HOLDS = (*PROVED, "supported", "reproduced")

DECIDING = ("part", "edge")  # the roles of claims that an item's verdict is combined from

# The closed list of reasons for 'not checkable'.
REASONS = ("cited result", "unspecified constant", "no statement")


@dataclass(frozen=True)
class Verdict:
    """A verdict with the sentence that says how far it reaches."""

    name: str
    reach: str

    def to_json(self) -> dict[str, Any]:
        return {"verdict": self.name, "reach": self.reach}


def decide(domain: Domain, evidence: Sequence[Evidence]) -> Verdict:
    """The verdict on one statement from its own evidence.

    Refuted by a counterexample inside the domain, where it fails or has no value (or a violation that repeated on fresh
    seeds); proved when proving evidence covers the whole domain, computed; supported when something speaks for it and
    nothing stands undecided against it; otherwise undecided.
    """
    for item in evidence:
        if isinstance(item, Counterexample) and domain.contains(item.point):
            trust = f"{ON_TRUST}{item.assumes}" if item.assumes else ""
            where = f"fails at {at_point(item.point)}" if item.point else "is false; it has no variables"
            if item.no_value:
                where = f"has no value at {at_point(item.point)} ({item.no_value})"
            return Verdict("refuted", f"{where}{trust}")
        if item.refutes and not isinstance(item, Counterexample):
            return Verdict("refuted", "runs with two independent seeds violate it")
    proving = [e for e in evidence if e.proves and e.complete]
    gap = uncovered(domain, [e.covers for e in proving])
    if proving and gap is None and not has_a_point(domain, evidence):
        return Verdict("undecided", f"no point of the domain is known; the domain may be empty: {in_words(domain)}")
    if proving and gap is None:
        return Verdict("proved", f"on the whole domain: {in_words(domain)}")
    if any(not e.supports for e in evidence if not isinstance(e, Counterexample)):
        return Verdict("undecided", _undecided_reach(evidence))
    if evidence and not all(isinstance(e, Counterexample) for e in evidence):
        return Verdict(
            "supported", f"no violation found in {_regions(evidence)}; {_shortfall(domain, evidence, proving, gap)}"
        )
    return Verdict("undecided", "no evidence")


def of_experiment(verdict: Verdict, certified: bool) -> Verdict:
    """The verdict on what a figure or an experiment shows, from that on our runs of it.

    Its code and data are unknown, so runs of our own reproduce it or do not; they refute nothing. What is `certified`
    (arithmetic on printed numbers, without a run) stays refuted, and what is proved stays proved.
    """
    if verdict.name == "supported":
        return Verdict("reproduced", verdict.reach)
    return Verdict("not reproduced", verdict.reach) if verdict.name == "refuted" and not certified else verdict


def has_a_point(domain: Domain, evidence: Sequence[Evidence] = ()) -> bool:
    """Whether some point of a domain is known: what is said of no point is no proof of anything.

    Without constraints every set has a member; with them, points are tried: ends, middles, ties and random ones.
    """
    if any(isinstance(s, Interval) and s.integer and not _has_a_count(s) for s in domain.sets.values()):
        return False
    if any(
        isinstance(s, Interval) and s.lower == s.upper and (s.lower_open or s.upper_open) for s in domain.sets.values()
    ):
        return False
    numbers = {n: s for n, s in domain.variables if not isinstance(s, Everything)}
    if not domain.where or any(not set(c.names) <= set(numbers) for c in domain.where):
        return True
    listed = itertools.chain(*(point_list(e.points) for e in evidence if isinstance(e, Enumeration)))
    if any(set(numbers) <= set(point) and domain.contains(point) for point in itertools.islice(listed, MOST_TRIED)):
        return True
    return draw_point(domain, random.Random(0)) is not None


def _has_a_count(values: Interval) -> bool:
    if math.isinf(values.lower) or math.isinf(values.upper):
        return True
    return any(values.contains(n) for n in (math.ceil(values.lower), math.ceil(values.lower) + 1))


def _shortfall(domain: Domain, evidence: Sequence[Evidence], proving: Sequence[Evidence], gap: str | None) -> str:
    """What separates the evidence from a proof."""
    steps = list(dict.fromkeys(e.assumes for e in evidence if isinstance(e, Certificate) and e.assumes))
    if steps:
        unproved = "; ".join(steps)
        return f"every formula of the argument is proved by machine, but the steps between them are not: {unproved}"
    taken = list(dict.fromkeys(getattr(e, "assumes", "") for e in evidence))
    if not proving and any(taken):
        return f"not a proof: {'; '.join(filter(None, taken))}"
    if proving:
        return left_open(domain, [e.covers for e in proving])
    parts = [
        f"{e.tree.count('U')} of {e.leaves} boxes" for e in evidence if isinstance(e, IntervalProof) and "U" in e.tree
    ]
    return f"left open by the proof: {' and '.join(parts)}" if parts else "no proof was attempted or found"


def _undecided_reach(evidence: Sequence[Evidence]) -> str:
    spoken = [e for e in evidence if e.supports]
    silent = [e.kind for e in evidence if not e.supports and not isinstance(e, Counterexample)]
    covered = f"; other evidence covers {_regions(spoken)}" if spoken else ""
    return f"the evidence ({', '.join(silent)}) is inconclusive{covered}"


def _regions(evidence: Sequence[Evidence]) -> str:
    return " and ".join(dict.fromkeys(f"{in_words(e.covers)} ({e.kind})" for e in evidence))


_STRENGTH = {
    "proved": 3,
    TRIVIAL: 2.9,
    NAMED: 2.75,
    MODEL: 2.5,
    "supported": 2,
    "reproduced": 1.5,
    "undecided": 1,
    "not checkable": 0,
}


def combine(
    own: Verdict | None,
    parts: Sequence[tuple[str, str, Domain, Verdict]],
    domain: Domain,
    restricted: Mapping[str, str] | None = None,
    cases: Sequence[str] = (),
) -> Verdict:
    """The verdict on an item from its own check and those of its parts and edges.

    Args:
        own: the verdict from the item's own evidence, or None when it has no check of its own.
        parts: ``(id, role, domain, verdict)`` of the claims under it. Only 'part' (a conjunct of the printed
            statement) and 'edge' (the printed statement at an edge of its domain) touch the item: a refuted one refutes
            it (an edge only if it lies inside the printed domain), and the item is no stronger than its weakest part.
            Parts that are not checkable do not count, but leave an item short of proved.
        domain: the item's printed domain.
        restricted: what a part (by its id) or the item itself (by '') narrows the printed statement to: no proof then.
        cases: the parts that say it on a region each. Every other part has to hold on the whole printed domain.
    """
    inside = [(i, v) for i, role, d, v in parts if role == "part" or (role == "edge" and within(d, domain))]
    if own is not None and own.name == "refuted" and ON_TRUST not in own.reach:
        return own  # the statement itself fails, and nothing is taken on trust
    for failed in REFUTED:
        for claim_id, verdict in inside:
            if verdict.name == failed:
                return Verdict(failed, f"{claim_id}: {verdict.reach}")
    verdicts = ([("", own)] if own is not None else []) + [(i, v) for i, v in inside if v.name != "not checkable"]
    if not verdicts:
        return Verdict("undecided", "no evidence")
    claim_id, weakest = min(verdicts, key=lambda pair: _STRENGTH.get(pair[1].name, -1))
    reach = f"its weakest part is {claim_id}: {weakest.reach}" if claim_id else weakest.reach
    unchecked = [i for i, v in inside if v.name == "not checkable"]
    if weakest.name in PROVED and own is None and (open_part := _uncovered_by_parts(domain, parts, cases)):
        return Verdict("supported", f"{reach}; its parts do not cover all of it, {open_part}")
    if weakest.name in PROVED and unchecked:
        return Verdict("supported", f"{reach}; not checkable: {', '.join(unchecked)}")
    narrowed = [phrase for i, phrase in (restricted or {}).items() if i in ("", *(i for i, _ in inside))]
    if weakest.name in PROVED and narrowed:
        return Verdict("supported", f"{reach}; the check is restricted {', and '.join(dict.fromkeys(narrowed))}")
    return Verdict(weakest.name, reach)


def no_stronger(verdict: Verdict, bases: Sequence[tuple[str, Verdict | None]]) -> Verdict:
    """A verdict held down to those of the claims that it rests on; None is one that was not looked at.

    What rests on a refuted or undecided claim is undecided, for nothing is shown then; what rests on one that is
    supported, not checkable or not looked at is supported at most. A refutation stands by itself.
    """
    if verdict.name not in (*PROVED, "supported"):
        return verdict

    def height(basis: Verdict | None) -> int:
        if basis is None or basis.name in ("not checkable", "reproduced"):
            return _STRENGTH["supported"]
        if basis.name == TRIVIAL:
            return _STRENGTH["proved"]
        return _STRENGTH["undecided"] if basis.name in REFUTED else _STRENGTH[basis.name]

    claim_id, lowest = min(bases, key=lambda pair: height(pair[1]), default=("", verdict))
    if height(lowest) >= _STRENGTH[verdict.name]:
        return verdict
    name = next(n for n, strength in _STRENGTH.items() if strength == height(lowest))
    said = "not checked in this run" if lowest is None else FOLLOWED if lowest.reach == FOLLOWED else lowest.name
    return Verdict(name, f"{verdict.reach}; it rests on {claim_id}, which is {said}")


def as_model(verdict: Verdict) -> Verdict:
    """What a claim is worth as a basis that says that an algorithm is its model.

    Runs can support that and nothing proves it, so what rests on it is proved from a model at most.
    """
    return Verdict(MODEL, FOLLOWED) if verdict.name in (*PROVED, "supported") else verdict


def _uncovered_by_parts(
    domain: Domain, parts: Sequence[tuple[str, str, Domain, Verdict]], cases: Sequence[str]
) -> str | None:
    """What of an item's printed domain its parts leave open, or None.

    Two conjuncts on a half of the domain each do not make both hold anywhere: each part about all of the item's
    variables covers it alone, or with the edges, unless it is one of the cases, which cover it together. Parts about
    other variables say something else, and the item says in words that they do.
    """
    if not domain.variables:
        return None
    spoken = [
        (claim_id, role, _reduced(d, domain))
        for claim_id, role, d, v in parts
        if role in DECIDING
        and v.name in PROVED
        and set(domain.sets) <= set(d.sets)
        and all(c.names <= set(domain.sets) for c in d.where)  # a condition on other variables too may leave some out
    ]
    edges = [region for _, role, region in spoken if role == "edge"]
    together = [region for claim_id, _, region in spoken if claim_id in cases]
    conjuncts = [[region, *edges] for claim_id, role, region in spoken if role == "part" and claim_id not in cases]
    for regions in [*conjuncts, *([[*together, *edges]] if together or not conjuncts else [])]:
        if uncovered(domain, regions):
            return left_open(domain, regions)
    return None


def within(inner: Domain, outer: Domain) -> bool:
    """Whether a domain over (at least) the same variables lies inside another."""
    return set(outer.sets) <= set(inner.sets) and uncovered(_reduced(inner, outer), [outer]) is None


def _reduced(domain: Domain, to: Domain) -> Domain:
    """The variables of another domain, and the conditions on these alone: at least what the domain says of them."""
    variables = tuple((n, s) for n, s in domain.variables if n in to.sets)
    return Domain(variables, tuple(c for c in domain.where if c.names <= set(to.sets)))
