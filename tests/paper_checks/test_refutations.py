"""What is refuted is what is printed: a claim that fails says which steps a person made on the way to its relation."""

import ast
import hashlib
import inspect
import re
import textwrap
from functools import cache
from pathlib import Path

from banditproof.claims.documents import documents
from banditproof.claims.loading import load
from banditproof.claims.register import CORRECTIONS, REGISTER
from banditproof.claims.stating import stated
from banditproof.claims.steps import deduced, fails_at, in_kernel, judged
from banditproof.verify.proof.domain import Everything

load()
REVIEWED = Path(__file__).with_name("refutations.txt")
LESSER = ("reading", "remark", "figure", "implication", *CORRECTIONS)
MENDED = {c.repairs for c in REGISTER.values()} - {None}
ORDER = re.compile(
    r"universal|\\mathcal O|(?<![A-Za-z\\])O\(|\\Omega|of the order|some constant|constants? \$[A-Z]|"
    r"linear (in|dependence)"
)
BOUND = re.compile(r"\b(lower|upper) bound on|\bat (least|most)\b|\blimit\b")
ANY_CONSTANT = {  # no constant helps: log 1 = 0, or the best constant is computed
    "ADV-L11/consequence",
    "ALG-PC.3.2/level-of-the-phases",
    "ALG-PC.3.2/number-of-phases",
    "RDP-PF4/level-of-the-phases",
    "RDP-PF4/number-of-phases",
    "ZCDP-PF10/level-of-the-phases",
    "ZCDP-PF10/number-of-phases",
}


@cache
def failing():
    return [
        c
        for c in REGISTER.values()
        if c.paper in documents() and c.relation is not None and c.role not in LESSER and not c.experiment
        if c.slip or c.cause or c.id in MENDED or isinstance(c.steps[-1], fails_at)
    ]


def certified():
    return [c for c in failing() if not c.assuming]


def test_a_bound_on_what_is_printed_is_on_trust():
    assert [c.id for c in certified() if any(BOUND.search(words) for words in c.called)] == []


def test_a_constant_that_was_tried_at_one_value_is_on_trust():
    """Unless a claim on which it rests is about every constant C."""
    tried = {c.id for c in certified() if ORDER.search(c.statement)}
    every_constant = {c.id for c in certified() if any("C" in REGISTER[i].domain.sets for i in c.rests_on)}
    assert tried == ANY_CONSTANT & {c.id for c in certified()} | every_constant


def test_what_rests_on_another_claim_rests_on_a_proof():
    """A run says that it is on trust while one of them is not proved (``results.combined``)."""
    bases = [REGISTER[i] for c in certified() for i in c.rests_on]
    assert [
        c.id for c in bases if c.restricted or not any(isinstance(s, deduced | judged | in_kernel) for s in c.steps)
    ] == []


def test_an_object_that_does_not_enter_the_relation_is_on_trust():
    def names(function):
        return {
            n.id for n in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(function)))) if isinstance(n, ast.Name)
        }

    described = {c.id: [n for n, s in c.domain.variables if isinstance(s, Everything)] for c in certified()}
    assert [c.id for c in certified() if described[c.id] and set(described[c.id]) - names(c.function)] == []


def body(function):
    """The source of a function without its decorators."""
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    definition.decorator_list = []
    return ast.unparse(definition)


def key(claim):
    """Of what is claimed in words and of what the machine reads."""
    read = stated(claim)
    relation = body(claim.function) if isinstance(read, str) else read.key
    return hashlib.sha256(f"{claim.statement}\n{relation}".encode()).hexdigest()[:10]


def test_a_relation_of_a_certified_refutation_was_compared_with_the_printed_sentence():
    """The table holds claims that fail and assume nothing, with a key of their words and their relation.

    A line says that somebody has the printed sentence before him and found that the relation is this sentence at a
    point: every number in it is printed, or computed by code from its definition. Where a person derived it, the claim
    says so by ``assuming=`` and has no line.
    """
    reviewed = dict(line.split() for line in REVIEWED.read_text().splitlines())
    found = {c.id: key(c) for c in certified()}
    unseen = [f"{i} {k}" for i, k in found.items() if reviewed.get(i) != k]
    assert not unseen, "compare with what is printed, then write into refutations.txt:\n" + "\n".join(unseen)
    assert sorted(reviewed.keys() - found.keys()) == []
