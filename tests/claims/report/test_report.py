"""The reports of a run: one page that stands alone, JUnit XML, Markdown, and results that fit their schema."""

import json
import posixpath
import re
import shlex
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from importlib.resources import files

import jsonschema
import numpy as np
import pytest

from banditproof.claims import Nonnegative, Positive, Study, catalogue, derivation, fact
from banditproof.claims.report import figures, html_page
from banditproof.claims.report.cards import _in_order, printed_in, rerun, sections
from banditproof.claims.report.evidence import coordinates, in_symbols, number
from banditproof.claims.report.figures import FIGURES, drawable, drawn, figure, svg
from banditproof.claims.report.html_page import linked, pages
from banditproof.claims.report.printed.passages import Passage
from banditproof.claims.report.proofs import proof
from banditproof.claims.report.reports import write_reports
from banditproof.claims.report.text import junit
from banditproof.claims.run.record import Settings
from banditproof.claims.run.results import assemble, failing
from banditproof.cli.checking import exit_status
from banditproof.theory.errors import InvalidInput
from banditproof.verify.proof.compare import relation_name


class Elements(HTMLParser):
    """All start tags of a page with their attributes, and the text outside scripts and styles."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.words, self.inside = [], [], ""
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.inside = tag

    def handle_endtag(self, tag):
        self.inside = ""

    def handle_data(self, data):
        if self.inside not in ("script", "style"):
            self.words.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())


def test_the_results_of_a_run_fit_the_published_schema(report):
    schema = json.loads(files("banditproof.claims").joinpath("results.schema.json").read_text())
    stored = json.loads((report["folder"] / "results.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(stored)
    assert {c["own_verdict"] for c in stored["claims"]} >= {"proved", "supported", "refuted", "not checkable", None}


def test_every_claim_is_an_anchor_once_and_every_link_leads_somewhere(report):
    tags = Elements(report["page"]).tags
    ids = Counter(a["id"] for _, a in tags if "id" in a)
    assert [i for i, n in ids.items() if n > 1] == []
    assert all(ids[c["id"]] == 1 for c in report["results"]["claims"])
    links = [a["href"] for tag, a in tags if tag == "a"]
    assert "#PAGE-2" in links and [h for h in links if h.startswith("#") and h[1:] not in ids] == []
    assert {h for h in links if not h.startswith("#")} == {"results.json", "receipts/PAGE-2.py"}


def test_the_page_asks_for_nothing_from_elsewhere(report):
    tags = Elements(report["page"]).tags
    assert "http" not in report["page"] and "@import" not in report["page"]
    assert {tag for tag, _ in tags}.isdisjoint({"link", "img", "iframe", "object", "embed", "base"})
    assert [a for _, a in tags if "src" in a] == []
    assert set(re.findall(r"url\(.", report["page"])) <= {"url(#"}


def test_what_claims_contain_is_text_and_never_markup(report):
    elements = Elements(report["page"])
    assert Counter(tag for tag, _ in elements.tags)["script"] == 2
    assert [a for _, a in elements.tags if any(name.startswith("on") for name in a)] == []
    assert elements.text.count("</title><script>alert(1)</script>") >= 4  # statement, place, event, traceback


def test_items_without_a_claim_are_counted_and_named_in_every_format(report, capsys):
    line = "outside: 1 of 5 catalogued items have no claim yet"
    assert f"{line} PAGE-9 a title of" in Elements(report["page"]).text and "<b>" not in report["page"]
    markdown = (report["folder"] / "report.md").read_text()
    assert line in markdown and "- **PAGE-9** a title of" in markdown
    write_reports(report["results"], report["claims"], report["settings"], report["folder"], ["terminal"])
    assert f"{line} (banditproof list --uncovered names them)" in capsys.readouterr().out


def test_the_table_is_printed_where_the_files_cannot_be_written(report, tmp_path, capsys):
    nowhere, formats = tmp_path / "nowhere", ["terminal", "junit"]
    with pytest.raises(OSError, match="junit.xml"):
        write_reports(report["results"], report["claims"], report["settings"], nowhere, formats)
    assert "outside: 1 of 5 catalogued items" in capsys.readouterr().out


def test_files_that_stand_there_already_are_not_written_again_unless_something_changed(report, tmp_path):
    results, claims, settings = report["results"], report["claims"], report["settings"]

    def written(formats=("html", "junit"), **changed):
        run, shown = results["run"] | changed.pop("run", {}), changed.pop("shown", None)
        records = [dict(r) | changed for r in results["claims"]]
        files = write_reports({**results, "run": run, "claims": records}, claims, settings, tmp_path, formats, shown)
        before = {path.name: path.stat().st_mtime_ns for path in tmp_path.rglob("*.*")}
        new = {name for name, at in before.items() if at != written.known.get(name)}
        written.known = before
        return files, new

    written.known = {}
    files, with_receipt = {"index.html", "junit.xml"}, {"index.html", "junit.xml", "receipts/PAGE-2.py"}
    assert written() == (with_receipt, files | {"PAGE-2.py", ".shown.json"})
    assert written(run={"command": "another", "finished": "later", "seconds": 9.0}) == (with_receipt, set())
    assert written(seconds=9.0)[1] == files | {"PAGE-2.py", ".shown.json"}
    assert written(verdict="undecided")[1] == files | {".shown.json"}
    assert written(verdict="undecided", formats=("html",)) == ({"index.html"}, {"index.html", ".shown.json"})
    assert written(run={"root_seed": 1}, shown={"PAGE-2": Passage("a square", "page 4", True)})[1]
    (tmp_path / "index.html").write_text("damaged")
    written.known["index.html"] = (tmp_path / "index.html").stat().st_mtime_ns
    assert written(run={"root_seed": 1}, shown={"PAGE-2": Passage("a square", "page 4", True)})[1] >= {"index.html"}


def test_a_counterexample_shows_its_point_and_both_sides_and_the_repair(report):
    text = Elements(report["page"]).text
    assert (
        "Counterexample, verified in rational arithmetic x 1 left side 1 right side 1 fails x·x and x are both 1"
        in text
    )
    assert "refuted (repaired)" in text
    assert "Correction: ◐ supported" in text or "Correction: ✓ proved" in text


def test_an_error_is_prominent_with_its_traceback(report):
    text = Elements(report["page"]).text
    assert text.index("Checks that raised") < text.index("PAGE-1")
    assert "Traceback (most recent call last)" in text and "ZeroDivisionError: on purpose" in text


def test_many_points_and_tests_are_cut_and_counted(report):
    text = Elements(report["page"]).text
    assert "1001 points, in rational arithmetic" in text
    assert "… (1001 in all)" in text
    assert "8 more tests are in results.json" in text
    assert len(report["page"]) < 120_000


def test_an_interval_of_the_page_is_the_exact_binomial_one(report):
    from scipy.stats import binomtest

    error = float(report["settings"].error) / 20
    exact = binomtest(970, 1000).proportion_ci(confidence_level=1 - error, method="exact")
    assert f"[{exact.low:.4g}, {exact.high:.4g}]" in report["page"]


def test_mutations_and_attempts_are_listed(report):
    text = Elements(report["page"]).text
    assert "1 of 1 false variants caught." in text
    assert "Attempts that failed deduction : no certificate | of the right form" in text


def test_the_command_shown_repeats_the_check_of_a_claim(report):
    text = Elements(report["page"]).text
    assert f"re-run banditproof check --module {report['module']} --claim PAGE-1 " in text
    words = shlex.split(rerun('PAGE-6"><b>', Settings(profile="full", root_seed=7), ["my draft.py"]))
    assert words[2:] == ["--module", "my draft.py", "--claim", 'PAGE-6"><b>', "--profile", "full", "--seed", "7"]
    assert rerun("BDP-T3.1", Settings()) == "banditproof check --claim BDP-T3.1"


def test_a_claim_whose_item_was_not_run_has_a_card_of_its_own(report):
    alone = [r for r in report["results"]["claims"] if r["id"] == "PAGE-8/part"]
    asked = {"claims": ["PAGE-8/part"]}
    results = assemble(alone, report["settings"], "banditproof check --claim PAGE-8/part", 0.1, asked)
    assert 'id="PAGE-8/part"' in pages(results, report["claims"], report["settings"])["index.html"]


def missing_targets(written):
    """The links of pages, by their paths, that lead to no page or to no place on one."""
    elements = {page: Elements(text).tags for page, text in written.items()}
    ids = {page: {a["id"] for _, a in tags if "id" in a} for page, tags in elements.items()}
    missing = []
    for here, tags in elements.items():
        for address in (a["href"] for tag, a in tags if tag == "a" and "href" in a):
            page, _, anchor = address.partition("#")
            page = posixpath.normpath(posixpath.join(posixpath.dirname(here), page)) if page else here
            if not page.endswith((".json", ".py")) and (page not in ids or anchor and anchor not in ids[page]):
                missing.append((here, address))
    return missing


def test_the_cards_of_many_claims_stand_on_pages_of_their_own(report, placeholder, tmp_path):
    settings = replace(report["settings"], studies=tmp_path / "studies")
    LINE.result(settings.profile, settings.root_seed, settings.studies)
    copies = [
        {**r, "kind": "remark", **{f: r[f] and (f"{k}-{r[f]}" if k else r[f]) for f in ("id", "parent", "repairs")}}
        for k in range(25)
        for r in report["results"]["claims"]
    ]
    assert len(copies) == 250
    written = pages(assemble(copies, settings, "banditproof check", 100.0), report["claims"], settings)
    assert set(written) == {
        "index.html",
        "claims.js",
        *(f"outside/{n}.html" for n in ("other", "claims", "remarks", "figures")),
    }
    assert all(len(written[page].encode()) < 250_000 for page in ("index.html", "outside/claims.html"))
    assert missing_targets(written) == []
    assert 'href="other.html#PAGE-2/repaired"' in written["outside/claims.html"]
    assert 'href="figures.html#figure-test-figure"' in written["outside/other.html"]
    cards = {a["id"] for tag, a in Elements(written["outside/other.html"]).tags if tag == "details" and "id" in a}
    assert cards == {r["id"] for r in copies}


def test_a_section_with_many_claims_is_spread_over_its_subsections(monkeypatch):
    monkeypatch.setattr(html_page, "TOGETHER", 2)
    card = {"id": "", "parent": None, "below": []}
    items = ["TH-D2.20", "TH-S2.2c", "TH-A2.LinUCB", "TH-L4.23"]
    parts = list(html_page._cut(sections([card | {"id": item} for item in items])))
    assert [name for name, _ in parts] == ["2.2.4", "2.2.5", "2.2.7", "4"]
    assert printed_in("ZCDP-T18") == "Theorem 18, Appendix I"
    assert printed_in("TH-L4.23").startswith("Lemma 4.23, (4.14)") and printed_in("NOWHERE-1") == ""


def test_sections_follow_their_numbers_and_appendices_come_last():
    card = {"id": "", "parent": None, "below": []}
    names = ["A", "4.10", "C.3", "4.2", "abstract", "3", "C.1", ""]
    assert _in_order(names) == ["abstract", "3", "4.2", "4.10", "", "A", "C.1", "C.3"]
    assert _in_order(["II", "I", "C-A", "A"]) == ["II", "I", "C-A", "A"]  # which is Roman is not known
    thesis = [name for name, _ in sections([card | {"id": i.id} for i in catalogue().values() if i.paper == "thesis"])]
    assert thesis.index("5.3") < thesis.index("5.4") < thesis.index("A") < thesis.index("C.1") < thesis.index("C.3")


def test_a_line_for_each_main_finding_names_what_fails_and_the_change(report):
    copies = [
        {**r, "kind": "theorem", **{f: r[f] and f"{k}-{r[f]}" for f in ("id", "parent", "repairs")}}
        | {"repair": r["repair"] and {**r["repair"], "id": f"{k}-{r['repair']['id']}"}}
        for k in range(2)
        for r in report["results"]["claims"]
    ]
    results = assemble(copies, report["settings"], "banditproof check", 1.0)
    text = Elements(pages(results, report["claims"], report["settings"])["index.html"]).text
    row = "false: x 2 < x counterexample: For x = 1: x·x and x are both 1. correction: ◐ supported x 2 ≤ x"
    assert f"B certified 0-PAGE-2 theorem PAGE-2 {row} B certified 1-PAGE-2" in text
    assert (
        "2 findings, 2 of severity A to C (2 certified). Claims that fail for the same reason share a finding" in text
    )
    told = "It is false: x 2 < x 0-PAGE-2 Counterexample: For x = 1: x·x and x are both 1. certified"
    assert (
        told in text
        and "Exact numbers: at x = 1, the left side is 1 and the right side is 1. Claimed: left side < right side."
        in text.replace(" ;", ";")
    )


def test_what_a_refutation_takes_on_trust_stands_on_every_page_that_names_it(report):
    trusted = "that 1 < 2 for every epsilon: see Lemma 3"
    records = [
        {**r, "kind": "theorem", **{f: r[f] and f"{paper}-{r[f]}" for f in ("id", "parent", "repairs")}, "paper": paper}
        for paper in ("one", "two")
        for r in report["results"]["claims"]
        if r["id"].startswith("PAGE-2")
    ]
    for r in records:
        if r["counterexample"]:
            r["counterexample"] = r["counterexample"] | {"assumes": trusted}
    written = pages(assemble(records, report["settings"], "check", 1.0), report["claims"], report["settings"])
    assert Elements(written["index.html"]).text.count("on trust: that 1 < 2 for every ε: see Lemma 3 correction:") == 2
    assert "2: the counterexample relies on a step" in Elements(written["index.html"]).text
    assert "on trust that 1 < 2 for every ε." in Elements(written["one.html"]).text
    assert "Taken on trust, in full: that 1 < 2 for every ε: see Lemma 3." in Elements(written["one.html"]).text
    assert "1 of severity A to C (1 on trust)" in Elements(written["one.html"]).text


def test_an_edge_is_headed_by_what_holds_and_its_counterexample_is_told_once(report):
    edge = {"role": "edge", "parent": "PAGE-8", "repair": None}
    records = [r | (edge if r["id"] == "PAGE-2" else {}) | {"kind": "theorem"} for r in report["results"]["claims"]]
    results = assemble(records, report["settings"], "banditproof check", 1.0)
    text = Elements(pages(results, report["claims"], report["settings"])["index.html"]).text
    card = text[text.index(", but only at a boundary") :].partition("Verdicts")[0]
    assert "What holds away from this boundary, where it was checked: PAGE-8/part" in card
    assert card.count("PAGE-8/part") == 1 and card.count("For x = 1") == 1


def test_several_documents_have_a_page_each_behind_an_index(report):
    records = report["results"]["claims"]
    other = [
        {**r, **{f: r[f] and f"OTHER-{r[f]}" for f in ("id", "parent", "repairs")}, "paper": "other", "kind": "theorem"}
        for r in records
    ]
    shared = next(r for r in other if r["id"] == "OTHER-PAGE-2")
    shared["twins"], shared["place"] = ["PAGE-2"], "Section 7"
    results = assemble([*records, *other], report["settings"], "banditproof check", 1.0)
    written = pages(results, report["claims"], report["settings"])
    assert set(written) == {"index.html", "outside.html", "other.html", "claims.js"}
    ids = {name: {a["id"] for _, a in Elements(text).tags if "id" in a} for name, text in written.items()}
    assert "OTHER-PAGE-2" in ids["other.html"] and not any(i.startswith("OTHER") for i in ids["outside.html"])
    assert missing_targets(written) == []
    assert '<a href="outside.html#PAGE-2">PAGE-2</a>' in written["other.html"]
    assert '<a href="other.html#finding-OTHER-PAGE-2">' in written["index.html"]
    index = Elements(written["index.html"]).text
    assert "once in the last row document A A- B C D E" in index
    assert (
        "B 2: a main statement (theorem, proposition, lemma, corollary, algorithm) is false, but a correction" in index
    )
    kept = [r for r in results["claims"] if r["verdict"] in ("proved", "supported")]
    assert f"Of the {len(kept)} proved or supported claims, 0 rest on other claims" in index


@pytest.mark.parametrize("package", ["jinja2", "latex2mathml", "matplotlib"])
def test_the_page_needs_the_report_extra_and_says_so(report, monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(InvalidInput, match=rf"banditproof\[report\].*{package} missing"):
        pages(report["results"], report["claims"], report["settings"])


# ------------------------------------------------------------------------------------------------- words and numbers


def test_numbers_are_short_and_a_point_is_shown_exactly_too():
    assert [number(v) for v in (3, "6/1", "1/3", "inf", True, [1, "1/2"])] == ["3", "6", "1/3", "∞", "true", "[1, 1/2]"]
    assert number("3602879701896397/36028797018963968") == "≈ 0.1"
    assert number({"lower": [1, -1], "upper": [1, -1], "decimal": "0.5"}) == "0.5"
    assert number("1/" + "9" * 400) == "≈ 10^-400"
    assert number({"decimal": "[3.25e+60, 3.5E-41]"}) == "[3.25·10^60, 3.5·10^-41]"
    assert coordinates({"epsilon": "1/4", "mu_a": "1/3"}) == [("ε", "1/4 = 0.25"), ("μ_a", "1/3 ≈ 0.3333333333")]


def test_names_and_operators_are_written_in_symbols():
    assert in_symbols("pi_rate != privacy_threshold(mu, nu)") == "π_rate ≠ privacy_threshold(μ, ν)"
    assert in_symbols("Delta_a") == "Δ_a"


def test_ids_become_links_and_the_rest_is_escaped():
    shown = linked(
        "as far as BDP-T3.1/alpha-one: fails at alpha <= 1 & <b>, see BDP-NONE, RDP-T1",
        {"BDP-T3.1/alpha-one": "", "RDP-T1": "rdp.html"},
    )
    assert '<a href="#BDP-T3.1/alpha-one">BDP-T3.1/alpha-one</a>: fails at α ≤ 1 &amp; &lt;b&gt;' in shown
    assert shown.partition("see")[2] == ' BDP-NONE, <a href="rdp.html#RDP-T1">RDP-T1</a>'
    assert linked("the bound is 0/0", {}) == "the bound is 0/0"
    assert linked("x^2/2 + y_1/4 is 1/20", {}) == "x<sup>2</sup>/2 + y<sub>1</sub>/4 is 1/20"


# ------------------------------------------------------------------------------------------------------------ proofs


def growth(x: Positive, rate=2):
    """x is at most 2 x.

    A note.
    """
    return x, "<=", rate * x


def halves(x: Positive, y: Nonnegative):
    larger = x + y
    return x / 2, "<", larger


def test_a_derivation_is_a_tree_of_steps_with_their_rules():
    because = "an integral (of both; in pieces) keeps order; Markov's inequality"
    evidence = {"data": derivation([fact(growth), fact(halves)], because)}
    found = proof(evidence, {})
    assert found["joints"] == ["an integral (of both; in pieces) keeps order", "Markov's inequality"]
    first, second = found["steps"]
    assert (first["statement"], first["domain"]) == ("x is at most 2 x.", "x > 0")
    assert first["formula"] == "x ≤ rate * x"
    assert second["formula"] == "larger = x + y\nx / 2 < larger" and second["statement"] == "halves"
    assert first["rule"] == second["rule"] == "a stored tree of rules, replayed without search"
    stated = {relation_name(growth): {"id": "PAGE-1", "statement": "the claim"}}
    assert proof(evidence, stated)["steps"][0] == {**first, "claim": "PAGE-1", "statement": "the claim"}
    assert proof({"kind": "interval"}, {}) is None


# ----------------------------------------------------------------------------------------------------------- figures


def line(seed, points):
    return {"x": np.arange(points), "y": np.random.default_rng(seed).normal(size=points)}


LINE = Study("test-line", line, quick={"points": 8})


@pytest.fixture
def placeholder(monkeypatch):
    """A figure of the study LINE that illustrates PAGE-1."""
    monkeypatch.setattr(figures, "FIGURES", {})

    @figure("test-figure", studies=[LINE], caption=r"A line, $y_x$ & <b>more</b>", claims=["PAGE-1"])
    def draw(arrays):
        from matplotlib.figure import Figure

        drawing = Figure()
        axes = drawing.subplots()
        axes.plot(arrays["x"], arrays["y"], label="noise <&>")
        axes.set(xlabel="0.125 <&>", title="$\\epsilon$")
        axes.legend()
        return drawing

    return figures.FIGURES["test-figure"]


def test_a_figure_is_the_same_on_every_run_and_free_of_metadata(placeholder):
    arrays = [line(1, 8)]
    text = svg(placeholder, arrays)
    assert text == svg(placeholder, arrays) != svg(placeholder, [line(2, 8)])
    root = ElementTree.fromstring(text)
    assert root.tag == "svg" and "noise <&>" in "".join(root.itertext()) and "0.125 <&>" in "".join(root.itertext())
    assert {e.tag for e in root.iter()}.isdisjoint({"metadata", "style", "image", "script"})
    assert re.findall(r"http|20\d\d-\d\d|DejaVu|#010203|<g>", text) == []
    marks = [p.get("d") for p in root.iter("path") if re.fullmatch(r"(M[-\d. ]+l0 3\.5 ?)+", p.get("d"))]
    assert len(marks) == 1 and marks[0].count("M") > 3  # the ticks of an axis are one path
    names = [e.get("id") for e in root.iter() if e.get("id")]
    used = re.findall(r'(?:url\(#|href="#)([^")]+)', text)
    assert set(used) <= set(names) and all(n.startswith("test-figure--") for n in names)


def test_a_figure_is_shown_where_its_claims_and_studies_were_run(report, placeholder):
    settings = report["settings"]
    assert drawable({"PAGE-1"}, settings) == []  # the study has not been run
    LINE.result(settings.profile, settings.root_seed, settings.studies)
    assert [f.name for f in drawable({"PAGE-1"}, settings)] == ["test-figure"]
    assert drawable({"PAGE-2"}, settings) == []
    html = pages(report["results"], report["claims"], settings)["index.html"]
    assert 'id="figure-test-figure"' in html and 'href="#figure-test-figure"' in html
    assert "&amp; &lt;b&gt;more" in html and "http" not in html


def test_a_figure_is_drawn_again_only_where_its_arrays_changed(report, placeholder):
    settings = report["settings"]
    first = drawn(placeholder, settings)
    (kept,) = (settings.studies.parent / "figures").glob("test-figure-*.svg")
    kept.write_text("<svg/>")
    assert drawn(placeholder, settings) == "<svg/>" != first
    other = replace(settings, root_seed=settings.root_seed + 1)
    LINE.result(other.profile, other.root_seed, other.studies)
    assert drawn(placeholder, other).count("<svg ") == 1


def test_two_figures_of_one_name_are_refused(placeholder):
    with pytest.raises(InvalidInput, match="not registered yet"):
        figure("test-figure", caption="", claims=[])
    with pytest.raises(InvalidInput, match="lower-case letters"):
        figure('x"><b>', caption="", claims=[])


def test_the_regime_diagram_marks_where_the_curves_become_flat():
    from banditproof.theory.laws.bernoulli import kl_bernoulli

    axes = FIGURES["d-epsilon-regimes"].draw().axes[0]
    curves = [c for c in axes.lines if c.get_linestyle() == "-"]
    marks = [c for c in axes.lines if c.get_marker() == "o"]
    assert len(curves) == len(marks) == 4
    for mean, curve, mark in zip((0.25, 0.375, 0.5, 0.625), curves, marks, strict=True):
        epsilon, value = float(mark.get_xdata()[0]), float(mark.get_ydata()[0])
        assert epsilon == pytest.approx(np.log(3 * (1 - mean) / mean), rel=1e-12)
        assert value == pytest.approx(kl_bernoulli(mean, 0.75), rel=1e-12)
        x, y = np.array(curve.get_xdata()), np.array(curve.get_ydata())
        assert np.ptp(y[x > epsilon]) == 0 and np.all(np.diff(y[x < epsilon]) > 0)
    assert svg(FIGURES["d-epsilon-regimes"], []) == svg(FIGURES["d-epsilon-regimes"], [])


# -------------------------------------------------------------------------------------------------- the other formats


def test_junit_is_well_formed_and_counts_what_it_lists(report):
    root = ElementTree.parse(report["folder"] / "junit.xml").getroot()
    cases = {case.get("name"): [child.tag for child in case] for case in root.iter("testcase")}
    assert set(cases) == {c["id"] for c in report["results"]["claims"]}
    assert cases["PAGE-2"] == ["failure"] and cases["PAGE-3"] == ["error"] and cases["PAGE-7"] == ["skipped"]
    assert cases["PAGE-1"] == []
    for suite in root.iter("testsuite"):
        for attribute, tag in (
            ("failures", "failure"),
            ("errors", "error"),
            ("skipped", "skipped"),
            ("tests", "testcase"),
        ):
            assert int(suite.get(attribute)) == len(list(suite.iter(tag)))


def test_a_failure_of_junit_is_what_fail_on_counts(report):
    records = [
        r | ({"role": "reading", "parent": "PAGE-8"} if r["id"] == "PAGE-2" else {})
        for r in report["results"]["claims"]
    ]
    for claims, asked in ((records, None), (records, ["PAGE-2"]), (report["results"]["claims"], None)):
        results = {"run": {"asked": {"claims": asked}}, "claims": claims}
        root = ElementTree.fromstring(junit(results))
        failures = {case.get("name") for case in root.iter("testcase") if case.find("failure") is not None}
        assert failures == {r["id"] for r in failing(results, ["refuted"])}
        assert ("PAGE-2" in failures) == (claims is not records or asked is not None)  # a reading counts if it is named
        decided = [c for c in claims if c["status"] != "error"]
        assert exit_status(decided, results | {"claims": decided}, ["refuted"]) == bool(failures)
    (told,) = ElementTree.fromstring(junit({"run": {}, "claims": records})).iter("system-out")
    assert told.text.startswith("refuted: fails at x = 1")


def test_every_row_of_a_markdown_table_has_as_many_cells_as_its_head(report):
    lines = (report["folder"] / "report.md").read_text().splitlines()
    tables = [block.splitlines() for block in "\n".join(lines).split("\n\n") if block.startswith("|")]
    assert len(tables) == 3
    for head, rule, *rows in tables:
        cells = [len(re.findall(r"(?<!\\)\|", row)) for row in (head, rule, *rows)]
        assert rows and len(set(cells)) == 1
    assert sum(row.startswith("| PAGE-") for row in lines) == len(report["results"]["claims"]) + 1


def test_the_pages_quote_what_a_copy_prints_and_call_ours_checked(report, tmp_path):
    shown = {"PAGE-2": Passage("a square <script>alert(2)</script> & less", "page 4", True)}
    results, claims, settings = report["results"], report["claims"], report["settings"]
    html = pages(results, claims, settings, shown)["index.html"]
    assert html.count("Printed, page 4 of your copy:</span> a square &lt;script&gt;alert(2)&lt;/script&gt; &amp;") == 2
    assert "It is false:" in html and "Printed," not in pages(results, claims, settings)["index.html"]
    write_reports(results, claims, settings, tmp_path, ["markdown"], shown)
    assert "Printed (page 4 of your copy):" in (tmp_path / "report.md").read_text()
    assert "alert(2)" not in json.dumps(results)
