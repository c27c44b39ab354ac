"""Running one check: from a registered claim to the evidence of its steps, the verdict and the record."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from banditproof.claims.check import Check
from banditproof.claims.hollow import hollow, hollow_in_general
from banditproof.claims.raised import raised
from banditproof.claims.register import REGISTER, Claim
from banditproof.claims.resolution import Resolution, Sight, of_program
from banditproof.claims.run.record import Settings, as_stated, facts
from banditproof.claims.stating import stated, stated_in_general
from banditproof.claims.verdict import NAMED, PROVED, TRIVIAL, Verdict, decide, of_experiment
from banditproof.theory.arguments import checked
from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.term import NoTerm
from banditproof.verify.kernel.facts import facts_in
from banditproof.verify.kernel.mechanisms import assumes_a_model
from banditproof.verify.proof.compare import evaluate, holds
from banditproof.verify.proof.domain import Everything, unseen_points
from banditproof.verify.proof.enumeration import unread
from banditproof.verify.proof.evaluation import remembering
from banditproof.verify.proof.evidence import BITS, Counterexample
from banditproof.verify.proof.statement import trace

OF_THE_BODY = ("operator of a relation", "what the body returns")  # what a refusal that is the author's is about


@checked
def examine(claim: Claim, settings: Settings, kind: Callable[..., Check] = Check) -> dict[str, Any]:
    """The record of one claim. A check that raises gives status 'error' and no verdict."""
    started = time.perf_counter()
    record = facts(claim, settings) | {"stated": as_stated(claim)}
    if claim.not_checkable:
        reason, would_need = claim.not_checkable
        record |= {"status": "done", "verdict": "not checkable", "reach": f"{reason}; {would_need}"}
    elif claim.check is None:
        record |= {"status": "done", "verdict": None, "reach": "decided by its parts"}
    else:
        record |= _checked(claim, settings, kind)
    return record | {"seconds": round(time.perf_counter() - started, 3)}


def _checked(claim: Claim, settings: Settings, kind: Callable[..., Check]) -> dict[str, Any]:
    try:
        with remembering():
            check = run_check(claim, settings, kind=kind)
            _hold_to_print(claim, check)
            _try_body(claim, check)
            resolution = _sharpened(claim, check)
    except InvalidInput as why:  # of a step, an argument or a quantity: one sentence says all
        return {"status": "error", "verdict": None, "reach": str(why)}
    except Exception as error:  # reported as an error of the check, with exit status 3, never as a verdict
        return {"status": "error", "verdict": None, "reach": in_lines(error, claim)}
    verdict = judged(claim, check)
    counterexample = next((e for e in check.evidence if isinstance(e, Counterexample)), None)
    return {
        "status": "done",
        **verdict.to_json(),
        "resolution": resolution.to_json() if resolution and verdict.name == "supported" else None,
        "evidence": [e.to_json() for e in check.evidence],
        "attempts": [list(a) for a in check.attempts],
        "counterexample": counterexample.to_json() if counterexample else None,
    }


def run_check(claim: Claim, settings: Settings, kind: Callable[..., Check] = Check, printed: bool = True) -> Check:
    """Run the check of a claim, or of what a false variant makes of it (`printed`), or as another kind of check."""
    import flint

    flint.ctx.prec = BITS  # global to the process, and 53 in a fresh one
    check = kind(
        claim.checked_as,
        claim.domain,
        claim.constants,
        profile=settings.profile,
        root_seed=settings.root_seed,
        studies=settings.studies,
        error=settings.error,
        printed=printed,
        relation=claim.relation,
        assuming=claim.assuming,
    )
    if claim.check is not None:
        check.run(claim.check)
        check.look_for_values()
    return check


def judged(claim: Claim, check: Check) -> Verdict:
    """The verdict on the evidence of a check, and what of the claim itself allows no such verdict."""
    verdict = decide(claim.domain, check.evidence)
    if not check.evidence and check.attempts:
        verdict = replace(verdict, reach=f"{verdict.reach}: {'; '.join(why for _, why in check.attempts)}")
    if verdict.name in (*PROVED, "supported") and (why := empty(claim)):
        verdict = Verdict("undecided", f"the claim says nothing: {why}")
    if verdict.name == "proved" and _of_no_algorithm(claim):
        verdict = Verdict("supported", f"{verdict.reach}; this concerns a model, and no claim says that runs follow it")
    if verdict.name == "proved" and (named := _facts_of(claim)):
        verdict = Verdict(NAMED, f"{verdict.reach}; from {named}")
    if verdict.name == "proved" and claim.unused:
        verdict = Verdict(TRIVIAL, f"{verdict.reach}; the proof does not use {claim.unused}: every constant would do")
    if not claim.experiment:
        return verdict
    refuting = next((e for e in check.evidence if isinstance(e, Counterexample)), None)
    return of_experiment(verdict, certified=refuting is not None and not refuting.assumes and not claim.studies)


def judged_as(claim: Claim) -> tuple[bool, ...]:
    """What the judgement of evidence takes from a claim besides its statement, its domain and its steps: what shows a
    theorem only reproduces an experiment, of hypotheses one instance is enough, and models need runs."""
    return claim.experiment, claim.role == "hypotheses", claim.is_general and _rests_on_a_model(claim)


def _hold_to_print(claim: Claim, check: Check) -> None:
    """Raise InvalidInput where the statement that was checked is not the one that is printed.

    Both come from the body, called twice; a body that counts its calls, or reads what they change, says two things.
    """
    if claim.relation is None or isinstance(printed := stated(claim), str):
        return
    checked = check.read(claim.relation)
    if not isinstance(checked, str) and checked.key != printed.key:
        raise InvalidInput("body", str(printed), f"the same statement at every call; the next call says {checked}")


def in_lines(error: Exception, claim: Claim) -> str:
    """The way to an exception, and in the last line what it is and where in the claim's file."""
    way = "".join(traceback.format_tb(error.__traceback__, limit=-4))
    return f"Traceback (most recent call last):\n{way}{raised(error, claim.place_of_check[0])}"


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
                if not (isinstance(error, InvalidInput) and error.parameter in OF_THE_BODY):
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
    resolution, demands = check.resolved(sight)
    if demands:
        routes = ("left side where false variants fail", "right side")
        exactly = sight.rational and bool(unread(statement))  # a document's quantity may take rationals only
        check.enumerate(claim.relation, demands, covers=sight.region, rational=exactly, routes=routes)
    return resolution


def _of_no_algorithm(claim: Claim) -> bool:
    """Whether a claim is about a model of an algorithm, and rests on no claim of what runs say of that."""
    if not claim.is_general or _rests_on_a_model(claim):
        return False
    everywhere = stated_in_general(claim)
    return everywhere is not None and assumes_a_model(everywhere.formula)


def _rests_on_a_model(claim: Claim) -> bool:
    return any(i in REGISTER and REGISTER[i].role == "model" for i in claim.rests_on)


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
