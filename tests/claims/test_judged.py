"""Claims without steps: their author chooses nothing, and what is no formula of numbers is refused with the cure."""

import pytest

from banditproof.claims import REGISTER, Settings, examine, load_module
from banditproof.claims.run.examine import run_check
from banditproof.claims.steps import judged
from banditproof.cli.proving import prove_claims
from banditproof.theory.errors import InvalidInput
from tests.cases import texts

CLAIMS = texts(__file__)


@pytest.fixture
def draft(tmp_path):
    def load(name, body):
        path = tmp_path / f"judged_{name}.py"
        path.write_text(CLAIMS["head"] + body)
        before = set(REGISTER)
        load_module(path)
        drafted.extend(set(REGISTER) - before)
        return path

    drafted = []
    yield load
    for claim_id in drafted:
        del REGISTER[claim_id]


@pytest.mark.parametrize("name, verdict", [("boxes", "proved"), ("false", "refuted"), ("points", "supported")])
def test_a_formula_is_judged_without_a_step(draft, name, verdict):
    draft(name, CLAIMS[name])
    claim = REGISTER[f"JUDGED-{name.upper()}"]
    assert claim.steps == (judged(),)
    record = examine(claim, Settings())
    assert record["verdict"] == verdict, record
    for variant in claim.mutations:
        assert run_check(claim.varied(variant), Settings(), printed=False).refuted


def test_prove_stores_the_tree_of_a_claim_without_steps(draft, capsys):
    path = draft("rules", CLAIMS["rules"])
    assert prove_claims(None, [path], steps=600, again=False) == 0
    assert "1 of 1 claims have all their proofs" in capsys.readouterr().out
    assert path.with_suffix(".proofs.json").exists()
    record = examine(REGISTER["JUDGED-RULES"], Settings())
    assert record["verdict"] == "proved" and record["evidence"][0]["kind"] == "deduction"


@pytest.mark.parametrize(
    "body, why",
    [
        ("def fails(policy: Policy, n: Count):\n    return rounds(policy, n), '<=', n", "policy is .*, which is no"),
        ("def fails(n: Count):\n    return sum(range(n)), '<=', n**2", "write total"),
        ("def fails(n: Count):\n    return rounds(1, n), '<=', n", r"a quantity of the document \(rounds\)"),
    ],
)
def test_what_is_no_formula_of_numbers_needs_a_step(draft, body, why):
    quantity = "from banditproof.theory.numbers.term import quantity\n@quantity\ndef rounds(policy, n):\n    return n\n"
    said = body.replace("\n", '\n    """It is small."""\n', 1)
    with pytest.raises(InvalidInput, match=rf"steps of JUDGED-NONE must be at least one, such as enumerated.*{why}"):
        draft("none", quantity + f'@claim("JUDGED-NONE")\n{said}\n')
