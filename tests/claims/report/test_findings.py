"""Findings: refuted claims by cause, with a severity that follows from what fails."""

import ast
import builtins
import inspect
import json
import re
from fractions import Fraction

import pytest

from banditproof.claims import fails_at, load
from banditproof.claims.register import CORRECTIONS, REGISTER, ROLES
from banditproof.claims.report.cards import first_sentence, said_beside
from banditproof.claims.report.errata import as_latex, as_markdown, safe
from banditproof.claims.report.evidence import apart, in_brief, in_symbols, number, shorter_numbers, variable
from banditproof.claims.report.findings import FAILS, MAIN, findings, how_sure, in_short, one_line, redo, relation
from banditproof.claims.report.mathml import FORMULA
from banditproof.claims.report.plain import plain
from banditproof.claims.report.printed.passages import Passage
from banditproof.claims.report.receipts import receipts
from banditproof.claims.report.sides import named
from banditproof.claims.report.spoken import body_of
from banditproof.claims.report.telling import Told, told
from banditproof.claims.report.terminal import print_findings
from banditproof.claims.report.working import at_point, in_a_sentence, outcome, working
from banditproof.verify.proof.compare import relation_name
from banditproof.verify.proof.evaluation import formula_of
from tests.cases import rows, texts

TEXTS = texts(__file__)

PRINTED = ("item", "part", "edge")


def record(claim_id, kind="theorem", role="item", verdict="refuted", **more):
    item = claim_id.partition("/")[0]
    return {
        "id": claim_id,
        "parent": None if item == claim_id else item,
        "role": role,
        "kind": kind,
        "paper": "draft",
        "place": "Section 1",
        "statement": f"$x_1 <= 2$ of {claim_id}",
        "reach": "fails at x = 3",
        "status": "done",
        "own_verdict": verdict,
        "verdict": verdict,
        "counterexample": None,
        "repair": None,
        "restricted": None,
        "same_check_as": None,
        "twins": [],
        "rests_on": [],
    } | more


def at(x, left, right):
    sides = {"left": left, "right": right, "operator": "<=", "rational": True, "assumes": ""}
    return sides | {"point": {"x": x}, "relation": "draft:below", "constants": {}}


def severity(*records):
    (finding,) = findings(records)
    return finding.severity


def test_the_severity_follows_from_the_role_the_kind_and_the_repair():
    theorem = record("D-1", verdict=None)
    assert severity(theorem, record("D-1/part", role="part")) == "A"
    mended = record("D-1/mended", role="repair", verdict="supported")
    held = {"id": "D-1/mended", "role": "repair", "verdict": "supported"}
    assert severity(theorem, record("D-1/part", role="part", repair=held), mended) == "B"
    assert severity(theorem, record("D-1/part", role="part", repair=held | {"role": "special case"}), mended) == "A-"
    failed = {"id": "D-1/mended", "role": "repair", "verdict": "refuted"}
    assert severity(theorem, record("D-1/part", role="part", repair=failed), mended) == "A"
    assert severity(theorem, record("D-1/end", role="edge")) == "C"
    assert severity(theorem, record("D-1/part", role="part", slip="a lost square; (7) has it")) == "C"
    assert severity(theorem, record("D-1/hypotheses", role="hypotheses")) == "B"
    assert severity(theorem, record("D-1/hypotheses", role="hypotheses", slip="an index")) == "C"
    assert severity(theorem, record("D-1/line", role="step")) == "D"
    assert severity(theorem, record("D-1/words", role="reading")) == "E"
    trivial = theorem | {"verdict": "trivially true"}
    assert severity(trivial, record("D-1/words", role="reading")) == "C"
    assert severity(trivial, record("D-1/words", role="remark")) == "E"
    assert severity(record("D-2", kind="equation")) == "D"
    assert severity(record("D-2", kind="equation", slip="an index")) == "D"
    assert severity(record("D-2", kind="equation", verdict=None), record("D-2/end", role="edge")) == "C"
    assert severity(record("D-3", kind="remark")) == "E"
    assert severity(record("D-3", kind="remark", displayed=True)) == "D"
    assert severity(record("D-3", kind="experiment", verdict="not reproduced")) == "E"
    assert severity(record("MINE-1", kind="claim")) == "A"  # one's own, which no catalogue calls a remark
    assert findings([theorem, record("D-1/mended", role="repair")]) == []
    assert findings([theorem, record("D-1/part", role="part", status="error")]) == []


def test_the_command_names_the_files_that_bring_the_claims():
    own, ours = record("MINE-1", paper="outside"), record("BDP-T3.1", paper="bernoulli-dp")
    found = findings([own, ours], modules=["my claims.py"])
    assert [f.command for f in found] == [
        "banditproof check --module 'my claims.py' --claim MINE-1",
        "banditproof check --claim BDP-T3.1",
    ]


def test_a_claim_that_was_checked_without_its_item_is_found():
    (finding,) = findings([record("D-1/line", role="step")])
    assert finding.items == ("D-1",) and finding.titles == () and finding.severity == "D" and finding.kind == "claim"
    (finding,) = findings([record("BDP-T3.1/end", role="edge")])
    assert finding.kind == "theorem" and finding.severity == "C"


def test_one_check_is_one_finding_and_the_worst_comes_first():
    records = [
        record("D-1", verdict=None),
        record("D-1/part", role="part", counterexample=at(3, 3, 2)),
        record("D-1/line", role="step", cause="D-1/part"),
        record("D-1/another", role="step"),
        record("D-2", kind="proof step", same_check_as="D-1/another", rests_on=[]),
        record("D-3", kind="lemma", counterexample=at(7, 20, 2), rests_on=["D-1"]),
        record("D-4", verdict="supported", rests_on=["D-3"]),
    ]
    first, second, third = findings(records)
    assert first.items == ("D-1",) and [f.severity for f in first.failures] == ["A", "D"]
    assert first.ratio == 1.5 and first.dependants == ("D-3", "D-4")
    assert second.items == ("D-3",) and second.ratio == 10 and second.dependants == ("D-4",)
    assert third.items == ("D-2", "D-1/another"), "another mistake of D-1"
    assert first.command == "banditproof check --claim D-1"
    assert one_line(second).startswith("A certified D-3 lemma, Section 1: x_1 ≤ 2") and "factor 10" in one_line(second)


def test_items_whose_leading_failures_share_a_check_or_a_cause_are_one_finding():
    records = [
        record("D-1", cause="D-9/never-run"),
        record("D-2", kind="equation", same_check_as="D-1"),
        record("D-3", cause="D-2", paper="other", rests_on=["D-1"]),
        record("D-4", verdict=None),
        record("D-4/part", role="part"),
        record("D-4/line", role="step", cause="D-1"),
    ]
    first, second = findings(records)
    assert first.items == ("D-1", "D-2", "D-4/line") and first.elsewhere == ("D-3",) and first.dependants == ("D-3",)
    assert second.items == ("D-4",) and [f.claim for f in second.failures] == ["D-4/part"]
    (other,) = findings(records, "other")
    assert other.items == ("D-3",) and other.elsewhere == ("D-1", "D-2", "D-4/line")
    assert "(also D-2, D-4/line, D-3)" in one_line(first) and "(also D-1, D-2, D-4/line)" in one_line(other)


def test_a_main_statement_that_fails_while_its_item_stands_says_why():
    edge, met = record("D-1/end", role="edge"), record("D-2/hypotheses", role="hypotheses")
    unmet, beyond = findings([record("D-1", verdict="supported"), edge, record("D-2", verdict="proved"), met])
    assert beyond.severity == "C" and unmet.severity == "B"
    outside = "this boundary lies outside the domain on which it was checked."
    assert beyond.stands == f"D-1 itself counts as supported: {outside}"
    assert unmet.stands.startswith("D-2 itself counts as proved: nothing satisfies its hypotheses, so")
    assert all(form([beyond], {}).count("D-1 itself counts as supported:") == 1 for form in (as_markdown, as_latex))
    records = [record("D-1"), edge, record("D-2", verdict="proved"), met, record("D-3", kind="remark")]
    refuted, kept, _, _ = findings(records)
    assert refuted.stands == "" and relation(records, [refuted, kept]).endswith("1 of the findings refutes 2 items.")
    assert sum(f.severity in "ABC" for f in findings(records)) == 3  # as the sentence says
    assert relation(records, findings(records)).startswith("4 findings, 3 of severity A to C")


def test_the_most_serious_comes_first_and_of_these_what_more_rests_on():
    records = [
        record("D-1", kind="equation"),
        record("D-2", verdict=None),
        record("D-2/end", role="edge"),
        record("D-3", kind="lemma"),
        record("D-4", verdict="supported", rests_on=["D-2", "D-1"]),
        record("D-5", verdict="supported", rests_on=["D-4", "D-3"]),
        record("D-6", kind="remark"),
    ]
    assert [(f.items[0], f.severity) for f in findings(records)] == [
        *(("D-3", "A"), ("D-2", "C"), ("D-1", "D"), ("D-6", "E"))
    ]


def test_claims_that_are_one_anothers_cause_are_one_finding():
    (finding,) = findings([record("D-1", cause="D-2"), record("D-2", cause="D-1")])
    assert finding.items == ("D-1", "D-2")


def test_one_sentence_says_how_refuted_items_and_findings_belong_together():
    records = [
        record("D-1"),
        record("D-2", same_check_as="D-1"),
        record("D-3", kind="remark"),
        record("D-4", verdict="proved"),
        record("D-4/line", role="step"),
        record("D-5", verdict="undecided"),
        record("D-5/words", role="reading"),
        record("D-6/words", role="reading"),
    ]
    assert relation(records, findings(records)) == (
        "5 findings, 1 of severity A to C (1 by runs). Claims that fail for the same reason share a finding. "
        "2 of the findings refute 3 items."
    )
    assert relation(records[:2], findings(records[:2])).startswith("1 finding, 1 of severity A to C (1 by runs). ")
    assert relation(records[5:], findings(records[5:])) == "No item is refuted. There are 2 findings (2 by runs)."
    trivial = [*records[5:], {**records[5], "id": "X-T9", "role": "item", "verdict": "trivially true"}]
    said = "No item is refuted, but trivially true as printed: X-T9. There are 2 findings (2 by runs)."
    assert relation(trivial, findings(records[5:])) == said


ASSUMED = "that it is private for every epsilon: each reward enters one sum with noise of scale 1"
TESTS = {"kind": "statistics", "error": "1/2000000", "fresh": [{}]}
RUNS = [TESTS, TESTS | {"error": "1/2", "fresh": []}]  # the second did not contradict
BY_RUNS = "by runs: runs contradict a true statement like this with probability at most 5·10^-7"


def test_how_sure_a_finding_is_stands_on_it_in_every_form(capsys):
    records = [
        record("D-1", counterexample=at(3, 3, 2)),
        record("D-2", counterexample=at(3, 3, 2) | {"assumes": ASSUMED}),
        record("D-3", evidence=RUNS),
    ]
    found = findings(records)
    assert [f.certainty for f in found] == ["certified", "on trust", "by runs"]
    assert how_sure(found) == "1 certified, 1 on trust, 1 by runs"
    assert [(f.to_json()["certainty"], f.to_json()["failures"][0]["caveat"]) for f in found[:2]] == [
        ("certified", ""),
        ("on trust", in_symbols(ASSUMED)),
    ]
    print_findings(found, {})
    shown, text, source = capsys.readouterr().out, as_markdown(found, {}), as_latex(found, {})
    print_findings(found, told(found, records, {}))
    said = capsys.readouterr().out
    assert "A on trust D-2" in shown and f"      How sure: on trust: {in_symbols(ASSUMED)}.\n" in shown
    assert f"      How sure: {BY_RUNS}.\n" in shown and "draft: 3 A (1 certified, 1 on trust, 1 by runs)" in shown
    assert "      Counterexample: For x = 3: the left side is 3, but the right side is 2" in said
    assert "    Check again: banditproof check --claim D-1\n" in shown
    source = source.replace(r"$\varepsilon $", "ε").replace(r"5$\cdot 10^{-7}$", "5·10^-7")
    for form in (text, source):
        assert "How sure: 1 certified, 1 on trust, 1 by runs." in form and "How sure: certified." in form
        assert f"How sure: on trust: {in_symbols(ASSUMED)}." in form and BY_RUNS in form


def test_a_failure_says_both_sides_with_as_many_digits_as_tell_them_apart():
    near_two = at(3, {"decimal": "[1.9999999, 2.0000001]"}, "1/3")
    assert outcome(near_two, None, {}) == "the left side is 2, but the right side is 1/3"
    close = at(3, {"decimal": "[2.00000001, 2.00000002]"}, {"decimal": "[2.00000003, 2.00000004]"})
    text = "the left side is 2.000000015, but the right side is 2.000000035"
    assert outcome(close | {"operator": ">="}, None, {}) == text
    assert apart("3221/4680", "3023/4368") == ("about 0.6882", "about 0.6921")


def halves(x, a, one, none):
    return x * one + a * x**2 / 4 + none * x + 0, "<=", 0


def test_constants_that_change_nothing_are_left_out_and_all_others_stay():
    constants = {"a": "1/2", "one": "1/1", "none": "0/1"}
    evidence = at("2/1", "5/2", "0/1") | {"relation": relation_name(halves), "constants": constants}
    assert in_a_sentence(evidence, {}) == "For x = 2: x + 1/2·x^2/4 is 5/2, not at most 0"


def test_a_counterexample_is_a_sentence_in_the_words_of_the_statement():
    evidence = at("3/1", "18/1", "10/1") | {"relation": relation_name(weighed)}
    called = {"$n$": "x", "$M(A)$": "left", "the printed bound": "right", "$n^2$": "square"}
    told = "For $n$ = 3: $M(A)$ is 18, but the printed bound is 10, where $n^2$ is 9"
    assert in_a_sentence(evidence, called) == told
    assert in_a_sentence(evidence, {"three rounds": "x,", "the loss": "left"}) == (
        "For three rounds: the loss is 18, not at most 10"
    )
    assert outcome(evidence, working(evidence), {"the bound": "right"}) == "the bound is 10, not at least 18"
    nowhere = evidence | {
        "point": {},
        "operator": "==",
        "left": ["c in line 3"],
        "right": [],
        "relation": "nowhere:at_all",
    }
    assert in_a_sentence(nowhere, {"what is missing": "left"}) == "What is missing is [c in line 3], not empty"
    assert outcome(nowhere, None, {"the sum": "x + y"}) == "the sum is ?, not empty"
    point = {"point": {"policy": ["courier", "1/10"], "law": "fair", "rho": "1/1000", "d": "1/1999"}}
    assert at_point(point, {"the policy below": "policy", "fair coins": "law"}) == (
        "the policy below, fair coins, ρ = 0.001, d ≈ 0.0005003"
    )


@pytest.mark.parametrize(("value", "text"), rows(TEXTS["numbers"], data=(0,)))
def test_a_number_in_a_sentence_is_short_and_says_when_it_is_rounded(value, text):
    assert in_brief(value) == text


def test_the_first_sentence_ends_where_a_reader_ends_it():
    text = "It is divided by 3! = 6, for $x. Y$ (see B. Then) and more. So it fails."
    assert first_sentence(text) == (text.removesuffix(" So it fails."), "So it fails.")
    assert first_sentence("One sentence") == ("One sentence", "")


@pytest.mark.parametrize(
    ("left", "right", "ratio"),
    [("3/2", 1, 1.5), ({"decimal": "[1.9, 2.1]"}, 1, 2), (-1, -2, None), (1, 0, None), (10**400, 1, None)],
)
def test_the_ratio_is_that_of_two_positive_sides(left, right, ratio):
    (finding,) = findings([record("D-1", counterexample=at(3, left, right))])
    assert finding.failures[0].ratio == (None if ratio is None else pytest.approx(ratio))


def test_long_integers_are_powers_of_ten_or_leading_digits():
    (finding,) = findings([record("D-1", counterexample=at(10**360, 2 * 10**30 + 1, 1))])
    assert finding.failures[0].point == (("x", "10^360"),) and finding.failures[0].left == "2·10^30"
    assert shorter_numbers(f"fails at d = {10**20}, price = 1/{10**60}, T-3.12345678") == (
        "fails at d = 10^20, price = 10^-60, T-3.12345678"
    )
    assert number(2 * 10**8) == "2·10^8" and number(10**5) == "10^5" and number("1/1000000") == "10^-6"
    assert number(10_000) == "10000" and number(12 * 10**6) == "12000000" and in_short(1.2e13) == "1.2·10^13"


def test_the_written_forms_say_why_and_hold_the_repair_and_escape_what_is_no_formula():
    repair = record("D-1/mended", role="repair", verdict="proved", statement="$x \\le 4$")
    broken = record(
        "D-1", repair={"id": "D-1/mended", "role": "repair", "verdict": "proved"}, reach="fails at a_bc = 50 %"
    )
    found = findings([broken, repair])
    words = {"D-1": Told("V_t = σ^2 is not ≥ R&D.", ("A note.",), "Of the repair.")}
    assert "Why: An `odd' reason --- $A^{+}$." in as_latex(found, {"D-1": Told("An 'odd' reason — A^+.")})
    text, source = as_markdown(found, words), as_latex(found, words)
    assert (
        "Correction (proved): $x \\le 4$" in text
        and "## B (by runs): D-1" in text
        and "Why: V_t = σ^2 is not ≥ R&D." in text
    )
    assert "Notes: A note." in text and "How the correction was checked: Of the repair." in text
    assert r"$a_{bc}$ = 50 \%" in source and r"Correction (proved): $x \le 4$" in source
    assert r"$V_{t}$ = $\sigma ^{2}$ is not $\geq $ R\&D." in source
    assert source.isascii() and source.endswith("\\end{document}\n")
    assert json.loads(json.dumps([f.to_json() for f in found]))[0]["severity"] == "B"


HOSTILE = "a <script>alert(1)</script> & 50 % of x_t with $ and \\input{x} * # ~ | θ̂ {"


def test_errata_quote_what_a_copy_prints_and_escape_it():
    found = findings([record("D-1")])
    shown = {"D-1": Passage(HOSTILE, "page 3", False)}
    source, text = as_latex(found, {}, shown), as_markdown(found, {}, shown)
    assert source.isascii() and r"\begin{quote}" in source and r"\textbackslash{}input\{x\}" in source
    assert r"50 \% of $x_{t}$ with \$ and" in source and "??" not in source
    assert "Printed (page 3 of your copy, which reads differently from the copy that was checked):" in text
    assert r"> a \<script\>alert(1)" in text and r"\$ and" in text
    for form in (as_latex(found, {}), as_markdown(found, {})):
        assert "It is false" in form and "Printed" not in form


STRANGE = (
    r"\write18{rm} $\input{x} \csname a\endcsname \openout1 \def\x{}\immediate$ <script>alert(1)</script>" + "\x1b[2J"
)


def test_a_strangers_file_writes_no_command_no_script_and_no_escape_into_the_errata():
    found = findings([record("D-1", statement=STRANGE, reach=STRANGE), record("D-2", statement="$x^^5cinput y$")])
    source, text = as_latex(found, {}), as_markdown(found, {})
    body = source.partition(r"\section*")[2]
    commands = ("write", "input", "csname", "openout", "def", "immediate")
    assert not any(f"\\{name}" in body for name in commands) and "^^" not in body
    assert "<script" not in text and "\x1b" not in source + text


def test_every_formula_of_the_register_is_safe_to_send():
    load()
    formulas = [f[0] for c in REGISTER.values() for f in FORMULA.finditer(" ".join(c.shown().split()))]
    assert len(formulas) > 3000 and [f for f in formulas if not safe(f)] == []


def test_every_refutation_of_the_register_can_be_sent_as_latex():
    load()
    claims = [c for c in REGISTER.values() if c.repairs]
    failing = [record(c.repairs, kind=c.kind, statement=REGISTER[c.repairs].shown()) for c in claims]
    found = findings(failing)
    source = as_latex(found, told(found, failing, REGISTER))
    body = re.sub(r"\$[^$]*\$|\\[&#%^_{}]", "", source.partition(r"\section*")[2])
    assert source.isascii() and body.count("{") == body.count("}")
    assert re.findall(r".{30}(?:[&#%^_]|\?\?).{9}", body) == []


def test_why_something_fails_is_a_sentence_without_names_of_the_code():
    load()
    whys = {c.repairs: " ".join(said_beside(REGISTER[c.repairs])[:1]) for c in REGISTER.values() if c.repairs}
    whole = {i: re.sub(r"[(\[][^()\[\]]*,[^()\[\]]*[)\]]", "", why) for i, why in whys.items()}
    torn = [i for i, why in whole.items() if any(why.count(a) != why.count(b) for a, b in ("()", "{}"))]
    assert torn == [] and not any("`" in why for why in whys.values())


def test_every_object_that_a_counterexample_names_is_spelled_out():
    load()
    named = [
        (c, name, value[0] if isinstance(value, list) and value else value)
        for c in REGISTER.values()
        if c.role in PRINTED and REGISTER.get(c.item, c).kind in MAIN
        for step in c.steps
        if isinstance(step, fails_at)
        for name, value in step.point.items()
    ]
    named = [(c, n, called) for c, n, called in named if str(called)[0].isalpha() and called not in ("inf", True)]
    assert {c.id for c, *_ in named} >= {"BDP-T3.1/edge-optimal-mean-one", "TH-T4.14/small-budgets"}
    assert [(c.id, name) for c, name, called in named if called.split()[0] not in _said_of(c, [name])] == []


def _said_of(claim, variables):
    """All that a finding says of a claim; the values of `variables` too that it describes."""
    described = [n for n in variables if any(n in what.split(",") for what in claim.called.values())]
    paragraphs = [p for p in said_beside(claim)[1:] if p.startswith(tuple(f"The {name}" for name in variables))]
    values = [str(v) for s in claim.steps if isinstance(s, fails_at) for n, v in s.point.items() if n in described]
    return " ".join([claim.shown(), *said_beside(claim), *paragraphs, *values])


# Names that say by themselves what they are.
PLAIN = set("arms candidates environment game gradient horizon law means mechanism policy strategy target".split())
PLAIN |= {"other_means"}


def test_every_variable_of_a_counterexample_is_declared():
    load()
    undeclared = []
    for c in (REGISTER[k.repairs] for k in REGISTER.values() if k.repairs):
        points = [step.point for step in c.steps if isinstance(step, fails_at)]
        if c.role not in PRINTED or REGISTER.get(c.item, c).kind not in MAIN:
            continue
        for point in points:
            said = " ".join([c.shown(), REGISTER[c.item].shown(), *said_beside(c), *c.called.values()])
            words = [name for name in point if name not in PLAIN and len(in_symbols(name).partition("_")[0]) > 1]
            undeclared += [(c.id, name) for name in words if not re.search(rf"\b{name}s?\b", said)]
    assert undeclared == []


def test_every_main_statement_that_fails_at_a_point_says_why():
    load()
    main = [c for c in REGISTER.values() if c.role in PRINTED and REGISTER.get(c.item, c).kind in MAIN]
    failing = [c for c in main if any(isinstance(step, fails_at) for step in c.steps)]
    assert len(failing) > 20 and [c.id for c in failing if not said_beside(c)] == []


RIDDLES = re.compile(
    r"Checked as|[Cc]ompared|difference of both|; here|, here|\bhere for|stands for the regret|`|<\w+>|\[(?=[a-z])"
)


def test_a_statement_that_fails_is_a_sentence_and_so_is_why():
    load()
    main = [c for c in REGISTER.values() if c.role in PRINTED and REGISTER.get(c.item, c).kind in MAIN]
    failing = [c for c in main if any(isinstance(step, fails_at) for step in c.steps)]
    assert [c.id for c in failing if RIDDLES.search(re.sub(r"\$[^$]*\$", "", c.shown()))] == []
    whys = {c.id: plain(first_sentence(said_beside(c)[0])[0]) for c in failing}
    assert [(i, len(why)) for i, why in whys.items() if not 20 < len(why) < 320] == []


def test_every_number_of_a_counterexample_has_a_name_and_every_name_a_number():
    load()
    for c in (c for c in REGISTER.values() if c.called):
        known = {
            *inspect.signature(c.relation).parameters,
            *c.relation.__code__.co_varnames,
            *c.relation.__globals__,
            *dir(builtins),
            *(body_of(formula, c.definitions)[1] if (formula := formula_of(c.relation)) else ()),
            *c.definitions,
        }
        names = {n.id for what in c.called.values() for n in ast.walk(ast.parse(what)) if isinstance(n, ast.Name)}
        assert names <= known | {"left", "right"}, c.id
    mended = {c.repairs for c in REGISTER.values() if c.repairs}
    failing = [c for c in REGISTER.values() if c.id in mended and c.role in PRINTED]
    failing = [c for c in failing if REGISTER.get(c.item, c).kind in MAIN]
    pointed = [c for c in failing if any(isinstance(step, fails_at) and step.point for step in c.steps)]
    assert len(pointed) > 60 and [c.id for c in pointed if not c.called] == []


def test_a_repair_says_something_else_than_what_is_printed():
    load()
    mended = [c for c in REGISTER.values() if c.repairs and REGISTER[c.repairs].role in PRINTED]
    assert [c.id for c in mended if c.shown() in (REGISTER[c.item].shown(), REGISTER[c.repairs].shown())] == []


def test_both_sides_of_a_counterexample_are_computed_again_by_what_is_printed(capsys):
    relation = "banditproof.paper_checks.thesis.app_c_proofs.c2_3_adap_klucb:difference_increases"
    point, constants = {"mu_i": "1/4", "mu_star": "1/3"}, {"unused": ["inf", 2]}
    exec(redo({"relation": relation, "point": point, "constants": constants, "rational": True}))
    shown = capsys.readouterr().out  # log(1/3) < log(1/2)
    assert "-1.098612" in shown and "-0.693147" in shown


def weighed(x: Fraction, weight=2):
    return doubled(x * x, weight)


def doubled(square: Fraction, weight):
    product = weight * square
    return product, "<=", square + 1


def counted(x: Fraction, most=3):
    found = 0
    for step in range(5):
        found += step < x
    return found, "<=", most


def early(x: Fraction):
    if x > 1:
        return x, "<=", 1
    return x, "<=", 0


def kl_of_actions(policy):
    return policy["kl"]


class Coupled:
    moments = (Fraction(1, 4), Fraction(3, 4))


def spread(rho: Fraction, scale=2):
    coupled, left = Coupled(), {"kl": 5 * rho}
    bound = [n * rho for n in range(3)][1]
    return kl_of_actions(left) - bound, "<=", scale * rho**2 * sum(coupled.moments) + 0


def test_the_arithmetic_of_a_counterexample_goes_line_by_line_to_the_sides_of_the_check():
    evidence = at("3/1", "18/1", "10/1") | {"relation": relation_name(weighed)}
    lines = [("product = weight * square", "18"), ("left side = product", "18"), ("right side = square + 1", "10")]
    assert working(evidence).lines == lines
    looped = working(evidence | {"relation": relation_name(counted), "constants": {"most": 3}, "left": 3, "right": 3})
    assert looped.lines == [("most", "3"), ("left side = found", "3"), ("right side = most", "3")]
    assert working(evidence | {"relation": relation_name(early)}) is None  # its last line does not tell where it ends
    assert working(evidence | {"relation": relation_name(weighed), "left": "17/1"}) is None  # numbers of other code
    assert working(evidence | {"relation": "nowhere:nothing"}) is None


def test_both_sides_are_named_with_every_number_that_enters():
    evidence = at("3/1", "18/1", "10/1") | {"relation": relation_name(weighed)}
    told = outcome(evidence, working(evidence), {})
    assert told == "product is 18, but square + 1 is 10, where square is 9"
    evidence = {"point": {"rho": "2/1"}, "constants": {"scale": "1/2"}, "rational": True, "left": 8, "right": 2}
    evidence |= {"relation": relation_name(spread), "operator": "<="}
    assert outcome(evidence, working(evidence), {}) == (
        "KL of actions - bound is 8, but 1/2·ρ^2·sum of moments is 2, "
        "where KL of actions is 10, bound is 2 and sum of moments is 1"
    )
    most = at("4/1", 4, 3) | {"relation": relation_name(counted), "constants": {"most": 3}}
    assert outcome(most, working(most), {}) == "the left side is 4, not at most 3"  # 'found' says nothing


@pytest.mark.parametrize(("side", "text"), rows(TEXTS["sides"]))
def test_a_side_is_a_formula_of_numbers_or_the_name_of_a_quantity(side, text):
    constants = {"one": "1", "none": "0", "most": "9", "half": "1/2"}
    assert named(ast.parse(side, mode="eval").body, ["x", "mu_a"], ["left"], constants)[0] == text


@pytest.mark.parametrize(("name", "written"), rows(TEXTS["variables"]))
def test_a_variable_is_written_as_in_a_paper(name, written):
    assert variable(name) == written


def test_a_heading_names_its_place_once():
    (finding,) = findings([record("D-1", place="(Theorem 8) KL decomposition")])
    assert finding.titles == ("Theorem 8: KL decomposition",) and finding.what == ""
    (finding,) = findings([record("D-1", place="((50)) group privacy", kind="proposition")])
    assert finding.titles == ("(50): group privacy",) and finding.what == "proposition"
    assert "A by runs D-1 proposition, (50): group privacy: " in one_line(finding)
    assert "(proposition)" in as_markdown([finding], {}) and "(proposition)" in as_latex([finding], {})
    (finding,) = findings([record("D-1", place="(b) of (3) holds")])
    assert finding.titles == ("(b) of (3) holds",)


def test_a_line_on_the_terminal_names_the_change():
    long = r"$x \le 2$ for all $x$ of the set that the theorem names, with $\frac1{x_1}$ bounded"
    mended = record("D-1/mended", role="repair", verdict="proved", statement=f"{long} and $x \\ne 0$")
    (finding,) = findings(
        [record("D-1", statement=long, repair={"id": "D-1/mended", "role": "repair", "verdict": "proved"}), mended]
    )
    assert one_line(finding).endswith("; correction (proved): … with 1/x_1 bounded and x ≠ 0")
    assert len(one_line(finding, 60)) == 60


def test_every_role_that_may_fail_has_words():
    assert set(FAILS) == set(ROLES) - set(CORRECTIONS)


def test_a_line_on_the_terminal_has_signs_for_the_names_of_latex():
    statement = r"$\mathrm{Reg}_T\le\frac12\frac{K\log T}{\varepsilon}+\|a_{i,j}\|^{2}$"
    (finding,) = findings([record("D-1", statement=statement)])
    assert one_line(finding).endswith("Reg_T ≤ 1/2 (K log T)/ε+‖a_(i,j)‖^2")


@pytest.mark.parametrize(("latex", "text"), rows(TEXTS["formulas"]))
def test_formulas_are_readable_without_a_browser(latex, text):
    assert plain(f"${latex}$ holds") == f"{text} holds"


def test_a_counterexample_has_a_file_that_the_standard_library_confirms(report, alone):
    """The finding links to it; the checker stands in it once, and not in the page."""
    written = report["folder"] / "receipts" / "PAGE-2.py"
    assert f'href="receipts/{written.name}"' in report["page"] and "def problem_of" not in report["page"]
    done = alone(written)
    assert done.returncode == 0 and "fails at x = 1" in done.stdout, done.stdout + done.stderr
    linked = (report["folder"] / "split" / "index.html").read_text()
    assert 'href="receipts/PAGE-2.py"' in linked and (report["folder"] / "split" / "receipts" / "PAGE-2.py").exists()


def test_what_is_on_trust_or_no_formula_has_no_such_file(report):
    record = next(r for r in report["results"]["claims"] if r["id"] == "PAGE-2")
    assert list(receipts([record])) == ["PAGE-2"]
    for change in ({"assumes": "a limit"}, {"point": {"x": "1/2"}}, {"relation": "nowhere:nothing"}):
        assert not receipts([{**record, "counterexample": {**record["counterexample"], **change}}])
