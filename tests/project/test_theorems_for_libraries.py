"""The page of theorems for libraries: what it names is proved in the kernel, about every mechanism."""

import json
import re

import pytest

from banditproof.claims.loading import load
from banditproof.claims.register import REGISTER
from banditproof.claims.run.examine import run_check
from banditproof.claims.run.record import Settings
from banditproof.claims.stating import stated_in_general
from banditproof.verify.kernel.replay import replay
from banditproof.verify.kernel.terms import key
from banditproof.verify.proof.evidence import KernelProof

HEADING = re.compile(r"^### (\S+): ", re.MULTILINE)


@pytest.fixture(scope="module")
def page(root):
    load()
    return (root / "docs" / "theorems-for-libraries.md").read_text(encoding="utf-8")


def test_the_page_has_as_many_theorems_as_it_says(page):
    assert "Here are eighteen" in page and len({*HEADING.findall(page)}) == 18


def test_each_theorem_of_the_page_is_accepted_by_the_kernel(page):
    """Its proof is made again from its steps, by the rules alone, and has no hypothesis."""
    for claim in map(REGISTER.__getitem__, HEADING.findall(page)):
        (evidence,) = run_check(claim, Settings()).evidence
        assert isinstance(evidence, KernelProof) and evidence.proves
        again = replay(json.loads(json.dumps(evidence.proof)))
        assert again.hypotheses == {} and key(again.conclusion) == key(stated_in_general(claim).formula)
