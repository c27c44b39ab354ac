"""Stored trees: each proves its claim, none proves a false variant, and their cases reach every point."""

import json
import random
from functools import cache
from pathlib import Path

import mpmath
import pytest
import sympy

from banditproof.claims import REGISTER, examine, facts_hold, load
from banditproof.claims.documents import documents
from banditproof.claims.run.record import Settings, key
from banditproof.claims.stating import stated
from banditproof.claims.steps import deduced as step
from banditproof.claims.steps import judged
from banditproof.claims.trees import file_for, store, tree_of
from banditproof.cli.proving import facts_of, prove_claims
from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.term import NoTerm
from banditproof.verify.proof.cases import RULES, Open, Rounded, starts, step_of
from banditproof.verify.proof.compare import holds
from banditproof.verify.proof.deduction import replay, unfit
from banditproof.verify.proof.domain import unseen_points
from banditproof.verify.proof.formulas import Refused
from banditproof.verify.proof.lemmas import RULES as OF_STATEMENTS
from banditproof.verify.proof.statement import Statement, stating
from banditproof.verify.proof.variants import orders, shapes, sizes
from tests.cases import texts

TEXTS = texts(__file__)

load()
FILES = [d.proofs for d in documents().values() if isinstance(d.proofs, Path) and d.proofs.is_file()]
STORED = {claim: trees for file in FILES for claim, trees in json.loads(file.read_text(encoding="utf-8")).items()}
FIRST = {key: claim for claim, trees in reversed(STORED.items()) for key in trees}  # a fact may serve several claims
NAMES = {f"{claim} {key}": (claim, key) for key, claim in FIRST.items()}
IDS = list(NAMES)
POINTS = 2


def rules_in(tree, path=()):
    """The places of the rules in a tree, and the rules."""
    if isinstance(tree, list) and len(tree) == 3 and isinstance(tree[0], str) and isinstance(tree[2], list):
        yield path, tree
    for k, part in enumerate(tree if isinstance(tree, list) else ()):
        yield from rules_in(part, (*path, k))


USED = {name: {rule[0] for _, rule in rules_in(STORED[claim][key])} for name, (claim, key) in NAMES.items()}
BY_SIZE = sorted(IDS, key=lambda name: len(str(STORED[NAMES[name][0]][NAMES[name][1]])))
SHORTEST = {next(i for i in BY_SIZE if rule in USED[i]) for rule in set().union(*USED.values())}
# Every rule is seen at work in the shortest tree that has it; of the other trees a share is enough for every change.
TREES = [i if i in SHORTEST else pytest.param(i, marks=pytest.mark.one_in(100)) for i in BY_SIZE]
QUICK = SHORTEST & set(BY_SIZE[: -len(BY_SIZE) // 50])
SHORT = set(BY_SIZE[: -len(BY_SIZE) // 10])
EDITED = [pytest.param(i, marks=pytest.mark.one_in(40 if i in SHORT else len(IDS))) for i in IDS]
PLACED = [i if i in QUICK else pytest.param(i, marks=pytest.mark.one_in(50)) for i in IDS]  # the longest take 20 s


@cache
def facts(claim_id):
    """What the facts of a claim's arguments state, by the key."""
    return {s.key: s for _, s in facts_of(REGISTER[claim_id])}


def statements(claim_id):
    """What a claim, and the facts of its arguments, state: by the key."""
    own = stated(REGISTER[claim_id])
    return facts(claim_id) | ({own.key: own} if isinstance(own, Statement) else {})


def test_a_stored_tree_is_of_what_its_claim_states():
    """A claim that is proved in another way, or is gone, keeps no tree; of what several claims state, each is asked."""
    stale = [(c, k) for c, trees in STORED.items() for k in trees if c not in REGISTER or k not in statements(c)]
    assert not stale


@cache
def proved(name):
    claim_id, key = NAMES[name]
    statement = statements(claim_id)[key]
    return statement, tree_of(claim_id, statement)


def test_what_is_stored_is_used_and_what_is_used_is_stored(every_point):
    using = {c.checked_as or c.id for c in REGISTER.values() if any(isinstance(s, step) for s in c.steps)}
    without_steps = {c.checked_as or c.id for c in REGISTER.values() if judged() in c.steps}  # a tree may be stored
    assert using <= set(STORED) and len(IDS) > 40
    for claim_id, trees in [*STORED.items()][:: 1 if every_point else 4]:
        own = {stated(REGISTER[claim_id]).key} if claim_id in using | without_steps else set()
        assert (own if claim_id in using else set()) <= set(trees) <= own | facts(claim_id).keys()


@pytest.mark.parametrize("claim_id", TREES)
def test_a_stored_tree_proves_its_claim(claim_id):
    assert replay(*proved(claim_id)) > 0


def test_the_tree_with_the_longest_formulas_is_not_too_long():
    (name,) = (i for i in IDS if i.startswith("BDP-EQ12/largest "))
    assert replay(*proved(name)) > 0


def failing(statement):
    """Whether a statement certainly fails at one of a few points of its domain."""
    for point in unseen_points(statement.domain, 8, "variant", extremes=2, largest_count=8):
        try:
            if holds(*statement.sides(point)) is False:
                return True
        except (ArithmeticError, ValueError, TypeError):
            continue
    return False


def variants(claim_id):
    statement, _ = proved(claim_id)
    yield from orders(statement)
    yield from sizes(statement)
    yield from list(shapes(statement))[:4]
    claim = REGISTER[NAMES[claim_id][0]]
    if stated(claim) != statement:
        return
    for m in claim.mutations:
        false = claim.varied(m)
        assert false.relation is not None
        yield m.name, stating(false.relation, false.domain, false.constants)


@pytest.mark.parametrize("claim_id", TREES)
def test_the_tree_of_a_claim_proves_none_of_its_false_variants(claim_id):
    _, tree = proved(claim_id)
    assert [said for said, v in variants(claim_id) if failing(v) and proves(tree, v)] == []


@cache
def every_rule():
    return [rule for claim_id, key in NAMES.values() for _, rule in rules_in(STORED[claim_id][key])]


def edited(tree, generator):
    """A tree in which one rule has been exchanged, given other data, other goals, or none."""
    path, (name, data, goals) = generator.choice(list(rules_in(tree)))
    other, same = generator.choice(every_rule()), [rule for rule in every_rule() if rule[0] == name]
    edit = generator.choice(
        [
            other,
            [*other[:2], goals],
            [name, generator.choice(same)[1], goals],
            [name, data, []],
            [name, data, [generator.choice(every_rule()) for _ in goals]],
            ["goals", None, []],
        ]
    )
    found = json.loads(json.dumps(tree))
    place = found
    for k in path[:-1]:
        place = place[k]
    if not path:
        return edit
    place[path[-1]] = edit
    return found


@pytest.mark.parametrize("claim_id", EDITED)
def test_an_edited_tree_proves_no_false_variant(claim_id, at_most):
    generator, (_, tree) = random.Random(claim_id), proved(claim_id)
    false = [v for _, v in variants(claim_id) if failing(v)]
    with at_most(100):
        for _ in range(12 if false else 0):
            forged = edited(tree, generator)
            assert not proves(forged, generator.choice(false)), forged


def proves(tree, statement):
    try:
        return replay(statement, tree) > 0
    except (Refused, Open, Rounded, NoTerm, *unfit()):
        return False


# --------------------------------------------------------------------------------------- every point is in some case


@cache
def compiled(names, expression):
    return sympy.lambdify(names, expression, "mpmath")


def at(expression, point):
    names = sorted(expression.free_symbols, key=str)
    return compiled(tuple(names), expression)(*(point[name] for name in names))


def solved(expression, unknown, point, target):
    """The positive value of a symbol for which a monotone expression has a value, or None."""
    function = compiled((unknown, *point), expression)

    def gap(value):
        return function(value, *point.values()) - target

    low, high = mpmath.mpf(10) ** -20_000, mpmath.mpf(10) ** 20_000
    first = gap(low)
    if first * gap(high) > 0:
        return None
    for _ in range(60):
        middle = mpmath.sqrt(low * high)
        low, high = (middle, high) if gap(middle) * first > 0 else (low, middle)
    for _ in range(20):  # steps along the secant; `placed` tries what they come to
        if (rise := gap(high) - gap(low)) == 0:
            break
        low, high = high, high - gap(high) * (high - low) / rise
    return high


def placed(pairs, point):
    """The symbols of a case from pairs of an expression and its value, or None where they do not fit."""
    known = [(e, v) for e, v in pairs if e.free_symbols <= set(point)]
    if any(abs(at(e, point) - v) > mpmath.mpf(10) ** -20 * (1 + abs(v)) for e, v in known):
        return None
    if len(known) == len(pairs):
        return point
    for e, v in pairs:  # an expression need not be monotone in a symbol that another one shows
        unknown = e.free_symbols - set(point)
        if len(unknown) == 1:
            (u,) = unknown
            value = solved(e, u, point, v)
            found = None if value is None else placed(pairs, {**point, u: value})
            if found is not None:
                return found
    return None


def fits(case, values, before):
    """The symbols of a case for a point of the domain, or None; its ceilings and what it knows hold there.

    A rule puts one new symbol in, so the others are as they were `before`.
    """
    listed = [e for _, e in (*case.values, *case.ceilings)] + [e for e, _ in case.known]
    here = set().union(*(e.free_symbols for e in listed))
    point = placed(
        [(e, values[n]) for n, e in case.values if n in values], {s: v for s, v in before.items() if s in here}
    )
    if point is None:
        return None
    point = placed([(v, mpmath.ceil(at(x, point) - mpmath.mpf(10) ** -20)) for x, v in case.ceilings], point)
    if point is None:
        return None
    signs = [(at(e, point) if e.free_symbols <= set(point) else 1, operator) for e, operator in case.known]
    tiny = mpmath.mpf(10) ** -15
    return point if all(v > -tiny if operator != "==" else abs(v) < tiny for v, operator in signs) else None


def reached(case, tree, values, before):
    name, data, below = tree
    point = fits(case, values, before)
    if point is None:
        return False
    if name == "goals":
        return True
    return any(reached(one, sub, values, point) for one, sub in zip(RULES[name](case, data), below, strict=True))


def in_some_case(statement: Statement, tree, point):
    name, data, below = tree
    if name == "steps":
        first, later = step_of(statement, data)
        one, sub = (first, below[0]) if first.domain.contains(point) else (later, below[1])
        return in_some_case(one, sub, point)
    if name in OF_STATEMENTS:  # all of what it gives, at some values of the variables that it brings
        given = OF_STATEMENTS[name](statement, data)
        points = [{n: point.get(n, 1 if s.contains(1) else s.lower) for n, s in one.domain.variables} for one in given]
        shown = list(zip(given, below, points, strict=True))
        if name == "either":  # that its comparison has a value, and one of the two branches
            shown = [(one, sub, p) for one, sub, p in shown if one.domain.contains(p)]
            assert len(shown) == 2
        return all(in_some_case(one, sub, p) for one, sub, p in shown)
    used = statement.names | {n for c in statement.domain.where for n in c.names}
    values = {n: mpmath.mpf(v.numerator) / v.denominator for n, v in point.items() if n in used}
    return any(reached(c, sub, values, {}) for c, sub in zip(starts(statement, data), below, strict=True))


@pytest.mark.parametrize("claim_id", PLACED)
def test_every_point_of_the_domain_is_in_a_case_of_the_tree(claim_id):
    statement, tree = proved(claim_id)
    drawn = list(unseen_points(statement.domain, POINTS, claim_id.split()[0], extremes=2, largest_count=8))
    with mpmath.workdps(200):  # a horizon may be 2^256, and its end be taken off it
        missed = [p for p in drawn if not in_some_case(statement, tree, p)]
    assert drawn and missed == []


ARGUED = "\n" + TEXTS["argued"]


def test_a_fact_is_proved_by_its_tree_and_the_evidence_says_so(load_draft):
    file = load_draft(ARGUED, "own_facts")
    claim = REGISTER["OWN-FACT"]
    assert examine(claim, Settings())["evidence"][0]["kind"] == "refused certificate"
    assert prove_claims("OWN-FACT", [file], 600, False) == 0
    record = examine(claim, Settings())
    data = record["evidence"][0]["data"]
    (key,) = data["trees"]
    assert record["evidence"][0]["kind"] == "certificate" and data["facts"][0]["tree"] == key
    assert facts_hold(data, two=2) == (1, "==", 1)
    assert facts_hold({**data, "trees": {key: ["faces", 0, []]}}, two=2)[0] == 0, "a wrong tree proves no fact"
    assert facts_hold(data, two=3)[0] == 0, "the tree of one statement proves no other one"


def test_a_file_that_is_no_json_is_named(tmp_path):
    proofs = tmp_path / "proofs.json"
    tree = {"key": ["faces", 0, []]}
    store(proofs, {"PAPER-1": tree, "PAPER-2": tree})
    assert set(json.loads(proofs.read_text())) == {"PAPER-1", "PAPER-2"}
    store(proofs, {"PAPER-1": None})
    assert set(json.loads(proofs.read_text())) == {"PAPER-2"}
    proofs.write_text("no")
    from banditproof.claims import trees

    trees._trees_in.cache_clear()
    with pytest.raises(InvalidInput, match="trees in JSON"):
        store(proofs, {"PAPER-1": tree})


OWN = "\n" + TEXTS["own"]


def test_a_claim_of_ones_own_is_proved_by_a_tree_beside_its_file(load_draft, capsys):
    file = load_draft(OWN, "own_trees")
    assert examine(REGISTER["OWN-TREE"], Settings())["verdict"] == "undecided"
    before = key(REGISTER["OWN-TREE"], Settings())
    assert prove_claims("OWN-TREE", [file], 600, False) == 0
    assert "own_trees.proofs.json" in capsys.readouterr().out and file.with_suffix(".proofs.json").is_file()
    assert examine(REGISTER["OWN-TREE"], Settings())["verdict"] == "proved"
    assert key(REGISTER["OWN-TREE"], Settings()) != before


def test_a_stored_tree_that_proves_its_claim_no_longer_is_replaced(load_draft, capsys):
    file = load_draft(OWN.replace("OWN-TREE", "OWN-STALE"), "own_stale")
    store(file_for("", file.stem), {"OWN-STALE": {stated(REGISTER["OWN-STALE"]).key: ["faces", 0, []]}})
    assert prove_claims("OWN-STALE", [file], 600, False) == 0
    assert "OWN-STALE: the stored tree no longer proves it (" in capsys.readouterr().out
    assert examine(REGISTER["OWN-STALE"], Settings())["verdict"] == "proved"


FALSE = OWN.replace("OWN-TREE", "OWN-FALSE").replace("y / 2", "y * 2")


def test_a_false_claim_of_ones_own_is_shown_false_and_searched_no_further(load_draft, capsys):
    file = load_draft(FALSE, "own_false")
    assert prove_claims("OWN-FALSE", [file], 600, False) == 1
    assert "OWN-FALSE: it cannot be proved, because it fails at x = " in capsys.readouterr().out
    assert not file.with_suffix(".proofs.json").exists()


SEVERAL = OWN.replace("OWN-TREE", "OWN-A") + FALSE.partition("deduced\n")[2].replace("OWN-FALSE", "OWN-B")


@pytest.mark.parametrize("named", [True, False])
def test_proofs_of_all_claims_of_a_file_are_looked_for_and_progress_is_shown(named, load_draft, capsys):
    file = load_draft(SEVERAL, "own_several")
    assert prove_claims(*((str(file), []) if named else (None, [file])), 600, False) == 1
    said = capsys.readouterr()
    assert "1 of 2 claims have all their proofs" in said.out
    assert "OWN-A proved" in said.err and "OWN-B no proof" in said.err
    assert examine(REGISTER["OWN-A"], Settings())["verdict"] == "proved"


def test_proofs_of_no_claim_and_no_file_are_refused_with_what_to_name():
    with pytest.raises(InvalidInput, match="--module FILE"):
        prove_claims(None, [], 600, False)
