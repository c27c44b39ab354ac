"""Running one check: from a registered claim to its record in ``results.json``."""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from banditproof.claims.check import Check
from banditproof.claims.fingerprint import MACHINERY, PROJECT, digest, source_digest, versions
from banditproof.claims.hollow import hollow, hollow_in_general
from banditproof.claims.raised import raised
from banditproof.claims.register import REGISTER, Claim
from banditproof.claims.resolution import Resolution, Sight, of_program
from banditproof.claims.seeds import ROOT_SEED, derived_seed
from banditproof.claims.stating import stated, stated_in_general
from banditproof.claims.trees import stored
from banditproof.claims.verdict import NAMED, PROVED, Verdict, decide, of_experiment
from banditproof.claims.witnesses import hypotheses
from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.term import NoTerm
from banditproof.verify.kernel.facts import facts_in
from banditproof.verify.kernel.mechanisms import MODEL_OF_AN_ALGORITHM
from banditproof.verify.proof.compare import evaluate, holds
from banditproof.verify.proof.domain import Domain, Everything, unseen_points
from banditproof.verify.proof.evaluation import remembering
from banditproof.verify.proof.evidence import BITS, Counterexample, to_data
from banditproof.verify.proof.statement import trace
from banditproof.verify.proof.statistics import REPORT_ERROR

# The report's one error budget is divided by this many statistical tests, a generous bound on how many there are.
STATISTICAL_TESTS = 1000


@dataclass(frozen=True)
class Settings:
    """What a run of checks depends on besides the claims."""

    profile: str = "quick"
    root_seed: int = ROOT_SEED
    studies: Path | None = None

    @property
    def error(self) -> Fraction:
        return REPORT_ERROR / STATISTICAL_TESTS


def run_check(
    claim: Claim,
    settings: Settings,
    constants: Mapping[str, Any] | None = None,
    domain: Domain | None = None,
    kind: Callable[..., Check] = Check,
) -> Check:
    """Run a claim's check, with other constants or another domain for a mutation, or as another kind of check."""
    import flint

    flint.ctx.prec = BITS  # global to the process, and 53 in a fresh one
    check = kind(
        claim.checked_as,
        domain or claim.domain,
        {**claim.constants, **(constants or {})},
        profile=settings.profile,
        root_seed=settings.root_seed,
        studies=settings.studies,
        error=settings.error,
        printed=constants is None and domain is None,
        relation=claim.relation,
        assuming=claim.assuming,
    )
    if claim.check is not None:
        check.run(claim.check)
    return check


def examine(claim: Claim, settings: Settings, kind: Callable[..., Check] = Check) -> dict[str, Any]:
    """The record of one claim. A check that raises gives status 'error' and no verdict."""
    started = time.perf_counter()
    record = facts(claim, settings)
    if claim.not_checkable:
        reason, would_need = claim.not_checkable
        record |= {"status": "done", "verdict": "not checkable", "reach": f"{reason}; {would_need}"}
    elif claim.check is None:
        record |= {"status": "done", "verdict": None, "reach": "decided by its parts"}
    else:
        record |= _outcome(claim, settings, kind)
    return record | {"seconds": round(time.perf_counter() - started, 3)}


def _outcome(claim: Claim, settings: Settings, kind: Callable[..., Check]) -> dict[str, Any]:
    try:
        with remembering():
            check = run_check(claim, settings, kind=kind)
            _hold_to_print(claim, check)
            _try_body(claim, check)
            found = _sharpened(claim, check)
    except InvalidInput as why:  # of a step, an argument or a quantity: one sentence says all
        return {"status": "error", "verdict": None, "reach": str(why)}
    except Exception as error:  # reported as an error of the check, with exit status 3, never as a verdict
        return {"status": "error", "verdict": None, "reach": in_lines(error, claim)}
    verdict = decide(claim.domain, check.evidence)
    if not check.evidence and check.attempts:
        verdict = replace(verdict, reach=f"{verdict.reach}: {'; '.join(why for _, why in check.attempts)}")
    refuting = [e for e in check.evidence if isinstance(e, Counterexample)]
    if verdict.name in (*PROVED, "supported") and (why := empty(claim)):
        verdict = Verdict("undecided", f"the claim says nothing: {why}")
    if verdict.name == "proved" and _of_no_algorithm(claim):
        verdict = Verdict("supported", f"{verdict.reach}; of a model of which no claim says that runs follow it")
    if verdict.name == "proved" and (named := _facts_of(claim)):
        verdict = Verdict(NAMED, f"{verdict.reach}; from {named}")
    if claim.experiment:
        certified = bool(refuting) and not refuting[0].assumes and not claim.studies
        verdict = of_experiment(verdict, certified)
    return {
        "status": "done",
        **verdict.to_json(),
        "resolution": found.to_json() if found and verdict.name == "supported" else None,
        "evidence": [e.to_json() for e in check.evidence],
        "attempts": [list(a) for a in check.attempts],
        "counterexample": refuting[0].to_json() if refuting else None,
    }


def _hold_to_print(claim: Claim, check: Check) -> None:
    """Raise InvalidInput where the statement that was checked is not the one that is printed.

    Both come from the body, called twice; a body that counts its calls, or reads what they change, says two things.
    """
    if claim.relation is None or isinstance(printed := stated(claim), str):
        return
    checked = check.read(claim.relation)
    if not isinstance(checked, str) and checked.key != printed.key:
        raise InvalidInput("body", str(printed), f"one statement, whenever it is called; the next call says {checked}")


def in_lines(error: Exception, claim: Claim) -> str:
    """The way to an exception, and in the last line what it is and where in the claim's file."""
    way = "".join(traceback.format_tb(error.__traceback__, limit=-4))
    file = claim.file if claim.function is None else sys.modules[claim.function.__module__].__file__ or claim.file
    return f"Traceback (most recent call last):\n{way}{raised(error, file)}"


def _try_body(claim: Claim, check: Check) -> None:
    """Raise what the body of a program raises at every point: without evidence, nothing else would tell.

    A name that is not there is none on symbols either. Where a body has no value, that is no mistake of its author.
    """
    if claim.relation is None or not isinstance(stated(claim), str):
        return
    try:
        trace(claim.relation, claim.domain, claim.constants)
    except NoTerm as why:
        if isinstance(why.__cause__, NameError):
            raise why.__cause__ from None
    described = any(isinstance(values, Everything) for _, values in claim.domain.variables)
    raising: Exception | None = None
    for point in () if described or check.evidence else unseen_points(claim.domain, 3, "body", largest_count=12):
        for rational in (False, True):
            try:
                holds(*evaluate(claim.relation, point, claim.constants, rational))
                return
            except (ArithmeticError, ValueError) as error:
                if not (isinstance(error, InvalidInput) and error.parameter == "operator of a relation"):
                    return
                raising = error
            except Exception as error:
                raising = error
    if raising is not None:
        raise raising


def _sharpened(claim: Claim, check: Check) -> Resolution | None:
    """The resolution of a check, once the claim has been tried where false variants fail that it did not notice."""
    statement = stated(claim)
    if decide(claim.domain, check.evidence).name != "supported" or claim.role == "hypotheses":
        return None  # of hypotheses one instance is enough
    if claim.relation is None or isinstance(statement, str):
        return of_program(check.evidence)
    sight = Sight(statement, check.evidence)
    found = sight.resolution()
    if sight.demands:
        routes = ("left side where false variants fail", "right side")
        check.enumerate(claim.relation, sight.demands, covers=sight.region, routes=routes)
    return found


def _of_no_algorithm(claim: Claim) -> bool:
    """Whether a claim is about a model of an algorithm, and rests on no claim of what runs say of that."""
    everywhere = stated_in_general(claim)
    models = [i for i in claim.rests_on if i in REGISTER and REGISTER[i].role == "model"]
    return everywhere is not None and not MODEL_OF_AN_ALGORITHM.isdisjoint(everywhere.formula.params) and not models


def _facts_of(claim: Claim) -> str:
    """The named facts that the statement of a claim assumes, with their sources."""
    everywhere = stated_in_general(claim)
    return "" if everywhere is None else "; ".join(map(str, facts_in(everywhere.formula)))


def empty(claim: Claim) -> str | None:
    """Why a claim that is a formula says nothing (``claims.hollow``); None where it says something."""
    if (everywhere := stated_in_general(claim)) is not None:
        return hollow_in_general(everywhere)
    statement = stated(claim)
    return None if isinstance(statement, str) else hollow(statement)


def as_restated(record: Mapping[str, Any], claim: Claim, settings: Settings) -> dict[str, Any]:
    """The record of a claim whose check is that of another one, from the record of the other."""
    found = ("status", "verdict", "reach", "resolution", "evidence", "attempts", "counterexample")
    return facts(claim, settings) | {name: record[name] for name in found}


def facts(claim: Claim, settings: Settings) -> dict[str, Any]:
    """The record of a claim before its check has run."""
    return {
        "id": claim.id,
        "parent": claim.parent,
        "role": claim.role,
        "aliases": list(claim.aliases),
        "twins": list(claim.twins),
        "same_check_as": claim.same_check_as,
        "paper": claim.paper,
        "place": claim.place,
        "kind": claim.kind,
        "statement": claim.shown(),
        "stated": _stated(claim),
        "domain": claim.domain.to_json(),
        "constants": to_data(dict(claim.constants)),
        "repairs": claim.repairs,
        "restricted": claim.restricted,
        "cases": list(claim.cases),
        "rests_on": list(claim.rests_on),
        "slip": claim.slip,
        "displayed": claim.displayed,
        "cause": claim.cause,
        "hypotheses": hypotheses(claim.id) if claim.role == "item" else None,
        "repair": None,
        "missing": [],
        "studies": [f"{s.name}-{s.key(settings.profile, settings.root_seed)}" for s in claim.studies],
        "status": "pending",
        "verdict": None,
        "reach": "",
        "resolution": None,
        "evidence": [],
        "attempts": [],
        "counterexample": None,
        "mutations": [],
        "seed": derived_seed(settings.root_seed, claim.checked_as),
        "key": key(claim, settings),
        "seconds": 0.0,
    }


def _stated(claim: Claim) -> dict[str, str] | None:
    """What the machine reads: both sides as text and as LaTeX, and the key of the statement; None for a program."""
    statement = stated_in_general(claim) or stated(claim)
    return None if isinstance(statement, str) else {"text": str(statement), "tex": statement.tex, "key": statement.key}


def key(claim: Claim, settings: Settings) -> str:
    """Hash of all that the record depends on; a stored record with the same key need not be computed again."""
    modules = {claim.module, claim.function.__module__} if claim.function else {claim.module}
    facts = [
        claim.id,
        claim.statement,
        claim.domain.to_json(),
        to_data(dict(claim.constants)),
        claim.not_checkable,
        settings.profile,
        settings.root_seed,
        versions(),
        source_digest(*sorted(modules), *MACHINERY),
        claim.role,
        claim.repairs,
        [claim.slip, claim.displayed, claim.cause, hypotheses(claim.id) if claim.role == "item" else None],
        [to_data([m.name, dict(m.constants), m.domain]) for m in claim.mutations],
        stored(claim.checked_as),
        [claim.checked_as, claim.place, claim.notes, claim.twins, claim.restricted, claim.cases, claim.rests_on],
        None if claim.module.startswith(f"{PROJECT}.") else _stated(claim),  # it may have read a file
    ]
    return digest(facts)
