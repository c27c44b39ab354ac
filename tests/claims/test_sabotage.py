"""Bugs are planted into the provers, and the arena names each: what it says of them can be believed."""

import pytest

from banditproof.claims import REGISTER, load, verdict
from banditproof.claims.arena.contest import Rules, contest
from banditproof.verify.proof import box, cases, evaluation, goals
from banditproof.verify.proof.evidence import IntervalProof
from tests.cases import texts

TEXTS = texts(__file__)

RULES = Rules(false=40, true=0, seconds=3)
SPECIMENS = "\n" + TEXTS["specimens"]


def named(claim_id, alteration=""):
    """The false variants of a claim that come out proved; of one alteration only where one is named."""
    return [o.name for o in contest(REGISTER[claim_id], RULES, alteration).outcomes if o.offends]


def without_strictness(patch):
    patch.setitem(goals.ALLOWED, ">", (0, 1))


def low_end_smallest(patch):
    patch.setattr(box, "_smallest_end", lambda ends, slope: (ends[0], ends[0]))


def without_closed_ends(patch):
    pieces = cases._pieces
    patch.setattr(cases, "_pieces", lambda name, values, counts: list(pieces(name, values, counts))[-1:])


def any_sign(patch):
    patch.setattr(goals.Goal, "holds_by_form", property(lambda self: True))


def by_the_middle(patch):
    def certified(self, one):
        self.worst = {n: (a + b) / 2 for n, (a, b) in one.items()}
        return not self.fails_at(self.worst)

    patch.setattr(box.BoxTest, "certified", certified)


def first_branch(patch):
    patch.setitem(evaluation.FUNCTIONS, "where_", lambda left, sign, right, then, otherwise: then())
    patch.setattr(cases._Walk, "_branch", lambda self, t: self.of(t.args[3]))


def no_value_holds(patch):
    holds = box.holds

    def taken(left, operator, right):
        nan = any(box.is_ball(side) and side.is_nan() for side in (left, right))
        return True if nan else holds(left, operator, right)

    patch.setattr(box, "holds", taken)


def covered_everywhere(patch):
    patch.setattr(verdict, "uncovered", lambda domain, regions: None)


def without_conditions(patch):
    combined = cases._combined
    patch.setattr(cases, "_combined", lambda name, *given: (combined(name, *given)[0], {}))


def trees_are_complete(patch):
    patch.setattr(IntervalProof, "complete", True)


def any_factors(patch):  # of a tree: a search that tried goals at points would not come to a false one
    patch.setitem(goals.RULES, "factors", lambda goal, data: [])


SHOWN = {  # each bug, and a false variant that it lets through
    without_strictness: ("points", "strict"),
    low_end_smallest: ("part", "left-times-10"),
    without_closed_ends: ("points", "strict"),
    any_sign: ("points", "turned round"),
    by_the_middle: ("edge", "closed-x"),
    first_branch: ("branch", "3/4 for 3/2 (right)"),
    no_value_holds: ("edge", "closed-x"),
    covered_everywhere: ("part", "left-times-10"),
    without_conditions: ("pole", "without-constraint-0"),
    trees_are_complete: ("edge", "closed-x"),
    any_factors: ("part", "left-times-10"),
}
VARIANTS = [(f"SABOTAGE-{name}", alteration) for name, alteration in dict.fromkeys(SHOWN.values())]


@pytest.fixture(scope="module")
def specimens(load_draft_once):
    load()
    load_draft_once(SPECIMENS, "draft_of_sabotages")


@pytest.fixture
def forgetful():
    """Neither finds what provers without its bug have kept, nor leaves what it has found."""
    evaluation.compiled.cache_clear()
    yield
    evaluation.compiled.cache_clear()


@pytest.mark.parametrize("plant", SHOWN, ids=lambda plant: plant.__name__)
def test_a_prover_with_a_bug_is_named(specimens, plant, forgetful, monkeypatch):
    plant(monkeypatch)
    name, alteration = SHOWN[plant]
    assert named(f"SABOTAGE-{name}", alteration) == [f"SABOTAGE-{name}@{alteration}"]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("claim_id", "alteration"), VARIANTS)
def test_the_provers_as_they_are_pass(specimens, forgetful, claim_id, alteration):
    outcomes = contest(REGISTER[claim_id], RULES, alteration).outcomes
    assert outcomes and not any(o.offends for o in outcomes)


@pytest.mark.parametrize("claim_id", [*dict(VARIANTS), "ALG-D5.10", "ALG-S5.2f/order"])
def test_the_provers_as_they_are_pass_with_every_variant(specimens, claim_id):
    assert named(claim_id) == []
