"""What the summary counts: a check under two ids is one, a refutation that leans on prose is not certified."""

from banditproof.claims.loading import load
from banditproof.claims.register import REGISTER, LateClaim
from banditproof.claims.run.results import counted


def record(**other):
    plain = {"role": "part", "kind": "theorem", "status": "done", "verdict": "supported", "own_verdict": "supported"}
    rest = {"evidence": [{"kind": "quadrature", "complete": True}], "same_check_as": None, "counterexample": None}
    return {**plain, **rest, "mutations": [], **other}


def refuted(**other):
    return record(verdict="refuted", own_verdict="refuted", **other)


def test_checks_and_refutations_are_counted_by_what_they_are():
    claims = [
        record(),
        record(same_check_as="A"),
        record(evidence=[]),
        refuted(counterexample={"assumes": ""}),
        refuted(counterexample={"assumes": "that the policy is private"}),
        refuted(),
        refuted(evidence=[], counterexample={"assumes": ""}),  # decided by its parts
    ]
    counts = counted(claims)
    assert counts["checks"] == {"of their own": 4, "the same under another id": 1}
    assert counts["refutations"] == {"certified": 1, "on trust": 1, "by runs": 1}


def test_a_restated_claim_names_the_claim_that_has_the_check():
    load()
    restated = [claim for claim in REGISTER.values() if claim.same_check_as]
    assert len(restated) > 100
    for claim in restated:
        source = REGISTER[claim.same_check_as]
        late = isinstance(source, LateClaim)  # its check is made of its relation and its steps
        same = (
            [source.function is claim.function, source.steps is claim.steps] if late else [source.check is claim.check]
        )
        assert all(same) and source.same_check_as is None
