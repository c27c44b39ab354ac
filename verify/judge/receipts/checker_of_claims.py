"""Checks the claims of a receipt, each by its proof, leading terms or a witness: this text stands at their end."""

from banditproof.verify.judge.receipts.checker import Unsure, check_statement, main
from banditproof.verify.judge.receipts.checker_of_mechanisms import check_broken
from banditproof.verify.judge.receipts.checker_of_proofs import check_proof
from banditproof.verify.judge.receipts.checker_of_ways import check_way
from banditproof.verify.judge.receipts.leading import check_expansion


def check_claim(claim):
    """Why a claim is not confirmed, or ''."""
    try:
        check_statement(claim.get("expansion", claim.get("broken", claim)))
    except (Unsure, LookupError, ValueError, TypeError) as why:
        return f"no statement: {why}"
    if "expansion" in claim:
        return check_expansion(claim["expansion"])
    if "broken" in claim:
        return check_broken(claim["broken"])
    return check_way(claim) if "way" in claim["proof"] else check_proof(claim)


def check_claims(data):
    """Why the claims of a receipt are not confirmed, or ''."""
    problems = [check_claim(claim) for claim in data["claims"]]
    return next(filter(None, problems), "") if problems else "nothing is claimed"


def confirm(data, said, digest):
    main(data, said, digest, check_claims, "; ".join(claim["said"] for claim in data["claims"]))
