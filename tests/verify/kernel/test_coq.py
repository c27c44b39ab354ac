"""Theorems as files for Coq: what is proved is accepted, resting on what is declared; what is altered is refused.
Their proofs as data."""

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from banditproof.claims.loading import load
from banditproof.claims.register import REGISTER
from banditproof.claims.stating import stated_in_general
from banditproof.cli import exporting
from banditproof.cli.exporting import DECLARED, REALS, export_coq, problem_of, rests_on, run_coq, theorem_of
from banditproof.theory.errors import InvalidInput
from banditproof.verify.judge.receipts.checker_of_proofs import PLACES, STEPS, check_proof
from banditproof.verify.kernel import rules, tactics
from banditproof.verify.kernel.coq import LIBRARY, Printer, Untranslated, Writer, to_coq
from banditproof.verify.kernel.replay import formula_from_data, replay
from banditproof.verify.kernel.rules import RULES, assume, calc, eq, fubini, gen, le, use
from banditproof.verify.kernel.terms import All, Fn, Rel, Term, key, term, var

load()
COQC = shutil.which("coqc")
with_coq = pytest.mark.skipif(COQC is None, reason="no coqc here: on Debian it is in the package coq")
QUICK_SHARE = 100  # one theorem in so many is written without --every-point; make coq has Coq check them all
GENERAL = [c for c in REGISTER.values() if c.is_general and not c.same_check_as]
SHORT = ["TH-T2.4/false-alarms", "ALG-LC.17", "TH-P2.7/approximate"]
NAMED = set(DECLARED.values()) - {REALS}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder in which the rules are proved."""
    folder = tmp_path_factory.mktemp("coq")
    (folder / LIBRARY.name).write_text(LIBRARY.read_text())
    _, output, status = run_coq(COQC, folder / LIBRARY.name)
    assert status == 0, output
    return folder


def said_of(folder, text, name="Tried"):
    """What Coq prints of a file, and the exit status."""
    (folder / f"{name}.v").write_text(text)
    return run_coq(COQC, folder / f"{name}.v")[1:]


def test_every_theorem_is_written(every_point):
    """One test, since reading all statements takes seconds: every process would do so to know their names."""
    tried = {stated_in_general(c).key: c for c in (GENERAL if every_point else GENERAL[::QUICK_SHARE])}
    assert len(tried) > (100 if every_point else 1)
    for claim in tried.values():
        text = to_coq(claim.id, *theorem_of(claim))
        assert "Theorem checked : statement." in text and text.endswith("Print Assumptions checked.\n"), claim.id
        assert not re.search(r"\b(Admitted|admit|Axiom|Parameter|Hypothesis|Variable|Conjecture)\b", text), claim.id


def weaker(f):
    """Smaller right sides and larger left sides of the conclusion: half, without a term, another power."""
    if isinstance(f, All):
        return [All(f.params, f.given, then) for then in weaker(f.then)]
    left, right = f.args
    sides = [(2 * left, right), (left, right / 2), *((left, t) for t in smaller(right))]
    return [Rel("<=", both) for both in sides]


def smaller(t):
    if t.op == "exp":
        yield Term("exp", (t.args[0] / 2,))
    for k, part in enumerate(t.args if t.op in ("add", "mul") else ()):
        if part.op != "num":
            yield Term(t.op, (*t.args[:k], *t.args[k + 1 :]))
        yield from (Term(t.op, (*t.args[:k], other, *t.args[k + 1 :])) for other in smaller(part))


@with_coq
@pytest.mark.one_in(3)
@pytest.mark.parametrize("claim", SHORT)
def test_coq_accepts_it_on_what_the_kernel_names_and_no_altered_statement_by_the_same_script(claim, folder):
    """The last one is the statement itself, which the same words prove."""
    statement, theorem = theorem_of(REGISTER[claim])
    name = f"Proved{SHORT.index(claim)}"
    output, status = said_of(folder, to_coq(claim, statement, theorem), name)
    assert problem_of(output, status) is None
    assert {DECLARED[n] for n in rests_on(output)} - {REALS} == theorem.axioms & NAMED
    altered = [replace(statement, then=then) for then in weaker(statement.then)]
    assert len(altered) >= 4
    show = Printer().formula
    head = f"From Coq Require Import Reals.\nRequire Import Kernel {name}.\nOpen Scope R_scope.\n"
    fails = "".join(f"Goal {show(f)}. Fail exact checked. Abort.\n" for f in altered)
    output, status = said_of(folder, f"{head}{fails}Goal {show(statement)}. exact checked. Qed.\n")
    assert status == 0, output
    assert all(said_of(folder, f"{head}Goal {show(f)}. exact checked. Qed.\n")[1] for f in altered[:1])


def believing(goal, pairs):
    """``calc`` of a kernel that does not check whether its sums add up."""
    used = [p for pair in pairs for p in pair if isinstance(p, rules.Theorem)]
    theorem = rules._from(goal, *used)
    theorem.rule, theorem.arguments = "calc", (goal, pairs)
    return theorem


@with_coq
def test_coq_refuses_what_a_broken_kernel_proves(folder, monkeypatch, every_point):
    claim = REGISTER["TH-T2.4/false-alarms"]
    statement = stated_in_general(claim).formula
    monkeypatch.setattr(tactics, "calc", believing)
    monkeypatch.setattr(tactics, "_with_what_is_known", lambda goal, pairs: [(1, *pair) for pair in pairs])
    tried = weaker(statement.then)[: 4 if every_point else 2]
    assert len(tried) >= 2
    for then in tried:
        altered = replace(statement, then=then)
        theorem = claim.steps[0].proof(altered)
        assert not theorem.hypotheses, "the broken kernel believes it"
        output, status = said_of(folder, to_coq(claim.id, altered, theorem))
        assert problem_of(output, status), then


@with_coq
def test_coq_finds_what_a_mean_over_any_law_is_of(folder):
    """A logarithm that has a mean in it, below another mean."""
    statement, theorem = theorem_of(REGISTER["ALG-LC.28/every-subgaussian"])
    assert problem_of(*said_of(folder, to_coq("ALG-LC.28", statement, theorem), "Inside")) is None


@with_coq
@pytest.mark.parametrize("cheat", ["Axiom cheat : False.", "Lemma cheat : False. Proof. Admitted."])
def test_what_is_not_declared_is_noticed(cheat, folder):
    text = f"Require Import Kernel.\n{cheat}\nTheorem checked : False. Proof. exact cheat. Qed.\n"
    assert (
        problem_of(*said_of(folder, f"{text}Print Assumptions checked.\n")) == "rests on cheat, which is not declared"
    )
    assert problem_of(*said_of(folder, text)) == "Coq does not print its assumptions"


def app(name, *points):
    return Term("app", (name, *map(term, points)))


def test_a_name_that_is_bound_takes_the_place_of_no_free_one():
    stated, known = (All((n,), (), le(0 * var(n), 0)) for n in ("x", "z"))
    assert "fun (x : R)" not in Writer().converted("(proof x)", known, stated)
    assert "fun (x : R)" in Writer().converted("(proof y)", known, stated)


@with_coq
def test_the_logarithm_of_a_positive_number_and_more_is_bounded(folder):
    laws = [Term("law", (name,)) for name in "PQ"]
    swapped = fubini("x", laws[0], "y", laws[1], Term("log", (2 + Term("exp", (app("f", var("x")),)),)))
    theorem = gen(swapped, ["P", "Q", "f"], [])
    output, status = said_of(folder, to_coq("a theorem", theorem.conclusion, theorem))
    assert problem_of(output, status) is None


@with_coq
def test_a_factor_1_that_takes_the_place_of_a_function_stays(folder, every_point):
    both = calc(eq(app("f", var("x")) * var("x"), var("x") * app("f", var("x"))), [])
    theorem = gen(use(gen(both, ["f"], []), [("f", Fn(("z",), term(1)))], []), ["x"], [])
    for stated in (eq(1 * var("x"), var("x") * 1), *[eq(var("x"), var("x"))] * every_point):
        output, status = said_of(folder, to_coq("a theorem", All(("x",), (), stated), theorem))
        assert problem_of(output, status) is None


@pytest.mark.parametrize(
    ("theorem", "why"),
    [
        (assume(le(var("x"), 1)), "assumes something"),
        (calc(eq(app("f", 1, 2, 3, 4, 5), 0 + app("f", 1, 2, 3, 4, 5)), []), "5 points"),
        (gen(calc(eq(app("f", 1, 2, 3, 4, 5), app("f", 1, 2, 3, 4, 5)), []), ["f"], []), "5 points"),
        (gen(calc(le(var("x"), var("x")), []), [], []), "something free"),
    ],
)
def test_what_has_no_translation_is_refused(theorem, why):
    with pytest.raises(Untranslated, match=why):
        to_coq("a theorem", theorem.conclusion, theorem)


def test_a_rule_without_a_lemma_is_refused():
    theorem = calc(le(0, 1), [])
    theorem.rule = "oracle"
    with pytest.raises(Untranslated, match="the rule oracle"):
        to_coq("a theorem", theorem.conclusion, theorem)


def test_two_named_facts_are_not_proved_and_no_others():
    text = LIBRARY.read_text()
    assert set(re.findall(r"^Axiom (\w+)", text, re.MULTILINE)) == {n for n, said in DECLARED.items() if said != REALS}
    assert not re.search(r"\b(Admitted|admit|Parameter|Hypothesis|Conjecture)\b", text)


def test_the_command_writes_the_files_and_says_where(tmp_path, capsys):
    assert export_coq(["ALG-LC.17", "ZCDP-L5"], tmp_path, check=False) == 0
    assert sorted(p.name for p in tmp_path.iterdir()) == ["ALG_LC_17.v", "Kernel.v"]
    assert "ALG-LC.17, ZCDP-L5" in capsys.readouterr().out
    with pytest.raises(InvalidInput, match="proved in the kernel"):
        export_coq(["BDP-T3.1"], tmp_path, check=False)


def test_a_file_with_a_proof_holds_all_that_its_statement_needs(tmp_path):
    assert exporting.export_proofs(["ALG-LC.17", "ZCDP-L5"], tmp_path) == 0
    (file,) = tmp_path.glob("*.json")
    data = json.loads(file.read_text())
    theorem = replay(data["proof"])
    assert data["claims"] == ["ALG-LC.17", "ZCDP-L5"] and not theorem.hypotheses
    stated = stated_in_general(REGISTER["ZCDP-L5"]).formula
    assert key(theorem.conclusion) == key(formula_from_data(data["statement"])) == key(stated)


def test_a_file_with_a_tree_is_confirmed_by_the_checker_of_receipts(tmp_path):
    assert exporting.export_proofs(["ZCDP-R11/square-and-mean"], tmp_path) == 0
    (file,) = tmp_path.glob("*.json")
    data = json.loads(file.read_text())
    assert check_proof(data) == "" and check_proof({**data, "comparison": ["<", *data["comparison"][1:]]})


@pytest.mark.parametrize(
    ("page", "begins", "rules_of_it"),
    [
        ("proof-format", "| rule and arguments |", [*RULES]),
        ("tree-format", "| step |", [*STEPS, *PLACES, "absurd", "cut", "fact"]),
    ],
)
def test_a_format_describes_every_rule_and_no_other(page, begins, rules_of_it):
    text = (Path(__file__).parents[3] / f"docs/{page}.md").read_text().partition(begins)[2].partition("\n\n")[0]
    assert sorted(re.findall(r"^\| `(\w+)`", text, re.MULTILINE)) == sorted(rules_of_it)


REFUSED = ("Error: no.", 1)
ACCEPTED = ("Closed under the global context", 0)
CLAIMS = ["ALG-LC.17", "TH-P2.7/approximate", "TH-T2.4/converse"]


@pytest.fixture
def believed(monkeypatch):
    """A Coq that refuses the files named in the first set; claims named in the second have no translation."""
    refused, untold = set(), set()

    def told(name, *given):
        if name in untold:
            raise Untranslated("no words for it")
        return "the file"

    monkeypatch.setattr(shutil, "which", lambda name: name)
    monkeypatch.setattr(exporting, "run_coq", lambda _, file: (0.0, *(REFUSED if file.stem in refused else ACCEPTED)))
    monkeypatch.setattr(exporting, "to_coq", told)
    return refused, untold


def test_the_last_lines_count_what_is_accepted_and_name_the_rest(believed, tmp_path, capsys):
    assert export_coq(CLAIMS, tmp_path, check=True) == 0
    assert re.search(r"3 theorems: 3 accepted in \d+ s; .*theorems\.csv", capsys.readouterr().out)
    refused, untold = believed
    refused.add("TH_P2_7_approximate")
    untold.add("TH-T2.4/converse")
    assert export_coq(CLAIMS, tmp_path, check=True) == 1
    said = capsys.readouterr().out
    assert re.search(r"3 theorems: 1 accepted in \d+ s", said)
    assert said.endswith("\nrefused: TH-P2.7/approximate\nnot written: TH-T2.4/converse\n")
    table = (tmp_path / "theorems.csv").read_text().splitlines()
    assert [row.split(",")[3] for row in table] == ["coq", "accepted", "refused", "not written"]


def test_without_the_rules_no_file_is_tried(believed, tmp_path, capsys):
    believed[0].add("Kernel")
    assert export_coq(CLAIMS, tmp_path, check=True) == 1
    assert capsys.readouterr().out == "Kernel.v: refused by Coq: Error: no.\n"


def test_without_coq_nothing_is_said_to_be_accepted(tmp_path, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(InvalidInput, match="the package coq"):
        export_coq(["ALG-LC.17"], tmp_path, check=True)
