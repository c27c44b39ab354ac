"""Evidence that can prove or refute is made by the rule that checks it, and by nothing else."""

import ast
import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from banditproof.theory.errors import InvalidInput
from banditproof.verify.proof import evidence, recheck
from banditproof.verify.proof.deduce import search
from banditproof.verify.proof.deduction import deduced
from banditproof.verify.proof.domain import Domain
from banditproof.verify.proof.enumeration import enumerated
from banditproof.verify.proof.evidence import KINDS, Deduction, Enumeration, IntervalProof, Shown, said_of
from banditproof.verify.proof.prover import prove, refute_at
from banditproof.verify.proof.statement import Program, stating
from tests.cases import rows, texts

TEXTS = texts(__file__)

UNIT = Domain.of(x="[0, 1]")
RULES = {"deduction.py", "enumeration.py", "general.py", "prover.py"}


def below_one(x, top):
    return x * (1 - x), "<=", top


def by_program(x):
    return (1 if x > 0 else 2), ">", 0


STATEMENT = stating(below_one, UNIT, {"top": Fraction(1, 3)})
FOUND = {
    "interval": prove(STATEMENT),
    "deduction": deduced(STATEMENT, search(STATEMENT)),
    "enumeration": enumerated(STATEMENT, [{"x": Fraction(1, 2)}], Domain.of(x=["1/2"])),
    "counterexample": refute_at(stating(below_one, UNIT, {"top": 0}), {"x": Fraction(1, 2)}),
}


def test_only_rules_hold_what_makes_evidence():
    """In the rooms; a test may make evidence to see what becomes of it."""
    room = Path(evidence.__file__).parents[2]
    rooms = [p for name in ("verify", "claims", "cli") for p in (room / name).resolve().rglob("*.py")]
    rooms += (room / "paper_checks").resolve().rglob("*.py")
    holders = set()
    for path in (p for p in rooms if "RULE" in p.read_text(encoding="utf-8")):
        nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        imported = {a.name for n in nodes if isinstance(n, ast.ImportFrom) for a in n.names}
        named = {getattr(n, "id", getattr(n, "attr", "")) for n in nodes}
        holders |= {path.name} if "RULE" in named | imported else set()
    assert holders == RULES | {"evidence.py"}


@pytest.mark.parametrize("kind", FOUND)
def test_what_is_shown_is_made_by_its_rule_alone(kind):
    found = FOUND[kind]
    assert type(found) is KINDS[kind] and isinstance(found, Shown) and found.complete
    fields = said_of(json.loads(json.dumps(found.to_json())))
    with pytest.raises(InvalidInput, match="made by the rule"):
        KINDS[kind](**fields)
    with pytest.raises(InvalidInput, match="made by the rule"):
        replace(found, covers=Domain.of(x="[0, 2]"))


@pytest.mark.parametrize("kind", FOUND)
def test_a_label_takes_strength_away_and_adds_none(kind):
    trusting = FOUND[kind].labelled("somebody's word", constants={"top": 1})
    assert not trusting.complete and trusting.labelled().assumes == "somebody's word"
    assert trusting.labelled("another").assumes == "somebody's word; another"
    with pytest.raises(AssertionError):
        FOUND[kind].labelled(covers=UNIT)


@pytest.mark.parametrize("kind", FOUND)
def test_the_rule_runs_again_on_what_a_file_says(kind):
    data = json.loads(json.dumps(FOUND[kind].to_json()))
    assert recheck.recheck(data) is None
    assert recheck.recheck(data | {"covers": {"variables": {"x": "[2, 3]"}, "where": []}}) is not None


@pytest.mark.parametrize(("kind", "name", "value"), rows(TEXTS["other entries"], data=(2,)))
def test_another_entry_is_not_what_the_rule_gives(kind, name, value):
    data = json.loads(json.dumps(FOUND[kind].to_json())) | {name: value}
    try:
        assert recheck.recheck(data) is not None
    except InvalidInput as error:  # of a name that is no function of a document
        assert name == "relation" and "registered document" in str(error)


def test_a_term_of_other_variables_than_its_region_is_none():
    data = json.loads(json.dumps(FOUND["interval"].to_json()))
    data["covers"]["variables"] = {"y": "[0, 1]"}
    assert "x is not a variable" in recheck.recheck(data)


def test_points_cover_what_they_list_and_nothing_else():
    square, two = Domain.of(x="[0, 1]", y="[0, 1]"), Domain.of(x=[0, 1], y=[0, 1])
    product = stating(lambda x, y: (x * y, "<=", 1), square, {})
    corners = [{"x": x, "y": y} for x in (0, 1) for y in (0, 1)]
    assert isinstance(enumerated(product, corners, two), Enumeration)
    assert enumerated(product, corners[1:], two).startswith("3 points do not cover")
    assert enumerated(product, [{"x": 0}, {"x": 1}], Domain.of(x=[0, 1], y="[0, 1]")).startswith("the points fix no")
    assert enumerated(product, [*corners, {"x": 2, "y": 2}], two) == ({"x": 2, "y": 2}, False)


def test_a_program_is_confirmed_at_points_and_refuted_at_them():
    found = enumerated(Program(UNIT, by_program, {}), [{"x": 1}], Domain.of(x=[1]), rational=True)
    assert isinstance(found, Enumeration) and not found.complete and "provers cannot read" in found.assumes
    assert found.relation.endswith(":by_program")
    assert not isinstance(found, Deduction | IntervalProof)
