"""The arena finds what it is there to find: a prover that proves a false claim, and one that refutes a true one."""

from dataclasses import replace
from fractions import Fraction

import pytest

from banditproof.claims import REGISTER, Check, decide, load, step
from banditproof.claims.arena import arena, listed
from banditproof.claims.arena.contest import Rules, again, contest, stopped_after
from banditproof.claims.arena.points import failing_point
from banditproof.claims.arena.trials import altered, as_printed, weakened
from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.numeric import TERM, minimum, system
from banditproof.verify.proof.compare import evaluate, holds
from banditproof.verify.proof.domain import Domain
from tests.cases import texts

TEXTS = texts(__file__)

DRAFT = "\n" + TEXTS["draft"]


@pytest.fixture(scope="module")
def draft(load_draft_once):
    """The claims of a file, and the file."""
    load()  # what is registered later would go with the draft
    before = set(REGISTER)
    path = load_draft_once(DRAFT, "draft_arena")
    return {name: c for name, c in REGISTER.items() if name not in before}, path


@pytest.fixture(scope="module")
def believed(draft):
    """What comes of a step that records evidence without checking."""
    return contest(draft[0]["ARENA-BELIEVED"], Rules()).outcomes


def key_of(trial):
    assert trial.statement is not None
    return trial.statement.key


def verdicts(outcomes, true):
    return [o.verdict for o in outcomes if o.true is true]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", ["ARENA-SQUARE", "ARENA-PRODUCT"])
def test_sound_provers_pass(draft, name):
    came = contest(draft[0][name], Rules(false=8, true=3))
    assert len(verdicts(came.outcomes, False)) == 8 and not any(o.offends for o in came.outcomes)
    assert "proved" not in verdicts(came.outcomes, False)
    assert verdicts(came.outcomes, True).count("proved") >= 2


def test_a_step_that_records_evidence_without_checking_is_caught(believed):
    wrong = [o for o in believed if o.offends]
    assert wrong and all(not o.true and o.verdict == "proved" and o.point for o in wrong)


def test_a_step_that_refutes_what_follows_is_caught(draft):
    came = contest(draft[0]["ARENA-DENOUNCED"], Rules(false=1, true=3))
    assert any(o.true and o.offends for o in came.outcomes)


def test_an_offender_is_run_again_by_its_name(draft, believed):
    first = next(o for o in believed if o.offends)
    again = contest(draft[0]["ARENA-BELIEVED"], Rules(true=0), first.name.rpartition("@")[2])
    assert [o.name for o in again.outcomes if not o.true] == [first.name] and again.outcomes[0].offends


def test_the_same_seed_draws_the_same_variants(draft):
    def names(seed):
        return [o.name for o in contest(draft[0]["ARENA-SQUARE"], Rules(seed)).outcomes]

    assert names(1) == names(1) and len({tuple(names(seed)) for seed in range(4)}) > 1


def test_false_variants_fail_and_true_ones_hold_where_they_are_evaluated(draft):
    claim = draft[0]["ARENA-PRODUCT"]
    points = [{"x": Fraction(i, 16)} for i in range(-8, 25)]
    tried = {t.alteration: failing_point(t, points, (True, False)) for t in altered(claim)}
    assert tried["printed"] is None and tried["turned round"] and tried["left-times-2"]
    for trial in altered(claim):
        if point := tried[trial.alteration]:
            assert trial.domain.contains(point)
            assert holds(*evaluate(trial.relation, point, trial.constants, True)) is False
    assert failing_point(as_printed(claim), points, (True,)) is None
    assert [t.alteration for t in weakened(claim)] == ["weak", "slack", "at-most", "at-least", "part"]


def test_the_table_sets_ours_beside_judges_that_look_at_nothing(draft):
    claims, path = draft
    said = []
    figures = arena.run(
        list(claims.values()), Rules(), modules=[path], workers=1, progress=lambda kind, record: said.append(record)
    )
    false, true = len(figures.false), len(figures.true)
    assert {o.name.partition("@")[0] for o in figures.offenders} == {"ARENA-BELIEVED", "ARENA-DENOUNCED"}
    rows = figures.rows()
    assert rows["always proved"] == (false, 0, true) and rows["always refuted"] == (0, true, 0)
    assert rows["always undecided"] == (0, 0, 0) and rows["banditproof"][0] > 0 and len(said) == len(claims)


def test_a_list_is_proved_again_by_name_and_content(draft, tmp_path):
    """What is listed and not proved counts as well: nothing of a list may vanish from its share."""
    claims, path = draft
    square, slack = claims["ARENA-SQUARE"], next(t for t in weakened(claims["ARENA-DENOUNCED"]) if t.kind == "slack")
    keys = {t.alteration: t.statement.key for t in (as_printed(square), *weakened(square)) if t.statement}
    assert set(keys) == {"printed", "slack", "part"}
    lines = [f"ARENA-SQUARE@{a} {keys[a]}" for a in ("printed", "slack")]
    lines += [f"ARENA-SQUARE@part {keys['slack']}", "ARENA-GONE@printed abc", f"{slack.name} {key_of(slack)}"]
    (file := tmp_path / "list.txt").write_text("# where from\n\n" + "\n".join(lines))
    asked = listed.read(file)
    figures = arena.run([claims[n] for n in asked.claims], Rules(), listed=asked.keys, modules=[path], workers=1)
    came = listed.proved_again(asked, figures.outcomes, figures.lost.__contains__)
    assert came.changed == ["ARENA-SQUARE@part", "ARENA-GONE@printed"] and not came.lost
    assert (came.proved, came.total) == (2, 3) and [o.name for o in figures.offenders] == [slack.name]
    nothing = listed.proved_again(asked, (), lambda claim: claim == "ARENA-SQUARE")
    assert (nothing.proved, nothing.total, len(nothing.changed)) == (0, 3, 2)


@pytest.mark.parametrize("text", ["", "# nothing", "A@b", "A key", "A@b key key", "A@b key\nA@b key"])
def test_a_list_is_names_with_their_keys(text, tmp_path):
    (file := tmp_path / "list.txt").write_text(text)
    with pytest.raises(InvalidInput):
        listed.read(file)


def test_a_prover_that_is_stopped_takes_nothing_from_the_others(draft):
    def endless(check, relation):
        while True:
            pass

    claim = draft[0]["ARENA-PRODUCT"]
    slow = replace(claim, steps=(step(endless, "deduction"), *claim.steps))
    printed = key_of(as_printed(claim))
    (outcome,) = again(slow, {"printed": printed}, Rules(seconds=0.5)).outcomes
    assert (outcome.stopped, outcome.verdict) == (True, "proved")


def test_what_follows_from_a_stored_tree_is_proved_by_a_search():
    """A stored tree is that of one statement: of what follows from it none is stored."""
    load()
    claim = REGISTER["TH-A2.ETC/too-large"]
    trials = {t.alteration: t for t in (as_printed(claim), *weakened(claim)) if t.alteration in ("slack", "part")}
    outcomes = again(claim, {a: key_of(t) for a, t in trials.items()}, Rules()).outcomes
    assert [o.verdict for o in outcomes] == ["proved", "proved"]


def test_a_restated_claim_is_proved_by_the_tree_of_its_original():
    load()
    claim = REGISTER["BDP-PH.3/delta-up-to-one"]
    assert claim.checked_as != claim.id
    (outcome,) = again(claim, {"printed": key_of(as_printed(claim))}, Rules()).outcomes
    assert outcome.verdict == "proved"


def test_what_takes_too_long_is_stopped():
    with stopped_after(0.05) as late:
        while True:
            pass
    assert late == [True]


def test_a_sample_of_the_registered_claims_passes(every_point):
    load()
    sections = ("TH-D2.20", "BDP-LF.1" if every_point else "BDP-LF.1/stationary")
    section = [c for c in REGISTER.values() if c.id.startswith(sections)]
    claims = arena.sample(arena.contestants(section), 4, seed=0)
    outcomes = [o for c in claims for o in contest(c, Rules(seconds=2)).outcomes]
    assert outcomes and not any(o.offends for o in outcomes)


def capped(x):
    """Another formula on terms than on numbers: at the points where body and term are compared, which are few."""
    return x if system(x) == TERM else minimum(x, 10)


def below_its_cap(x):
    return x, "<=", capped(x)


def below_its_cap_twice(x):
    return x, "<=", handed_on(capped, x)


def handed_on(function, x):
    return function(x)


@pytest.mark.parametrize("relation", [below_its_cap, below_its_cap_twice])
@pytest.mark.parametrize("searches", [True, False])
def test_what_is_proved_on_terms_is_what_is_said_of_numbers(searches, relation):
    check = Check("ARENA-CAPPED", Domain.of(x="[0, inf)"), {}, relation=relation, searches=searches)
    check.deduction(relation, 60)
    assert holds(*evaluate(relation, {"x": Fraction(10**7)}, {})) is False
    assert decide(check.domain, check.evidence).name != "proved"
