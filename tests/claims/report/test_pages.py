"""The pages as readers meet them: in a browser, at three widths, in two schemes, and on paper."""

import json
from importlib.resources import files
from itertools import product
from pathlib import Path
from urllib.parse import quote

import pytest

from banditproof.claims import REGISTER, load
from banditproof.claims.report.html_page import _rendered, _to_search
from tests.cases import texts
from tests.claims.test_searching import FIRST

TEXTS = texts(__file__)

CASES = [("", "light", 390), ("", "light", 768), ("", "dark", 1440), ("", "light", 1440), ("print", "light", 768)]
FEW = CASES[::2]  # for the small report
LOAD = 1.0  # seconds
DRIVE = "\n" + TEXTS["drive"]
OPENED = "for (const d of document.querySelectorAll('details')) d.open = true"
SETTLED = "new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))"
VIOLATIONS = """
axe.run(document, {resultTypes: ["violations"], rules: {"color-contrast": {enabled: COLOURS}}}).then((found) =>
  found.violations.map((v) => [v.id, v.nodes.slice(0, 3).map((n) => n.html.slice(0, 200))]))
"""


def test_filters_and_links_work_in_a_browser(report, browser):
    browser.open(f"{(report['folder'] / 'index.html').as_uri()}#PAGE-2/repaired")
    seen = browser.run(DRIVE)
    assert seen["linked"] == ["PAGE-2", "PAGE-2/repaired"]
    supported = {c["id"] for c in report["results"]["claims"] if c["verdict"] == "supported"}
    assert set(seen["supported"]) == supported | {"PAGE-2"}  # an item stays where a claim under it matches
    assert seen["cubes"] == ["PAGE-4"]
    assert seen["address"] == "#?verdict=supported&text=cubes"  # a view can be sent on
    assert {"PAGE-2"} <= set(seen["restored"]) < set(seen["supported"]) | {"PAGE-2"} and seen["cleared"] == ""
    assert seen["all"] == len(report["results"]["claims"])


def test_the_list_of_many_claims_is_filtered_as_well(report, browser):
    browser.open(f"{(report['folder'] / 'split' / 'outside' / 'claims.html').as_uri()}#?text=page-2/&verdict=supported")
    visible = "[...document.querySelectorAll('.claim')].filter((c) => c.offsetParent).map((c) => c.textContent.trim())"
    entry, part = browser.run(visible)
    assert "PAGE-2" in entry and part == "◐ repaired"
    browser.open(browser.run("document.querySelector('.parts a:not([hidden])').href"))
    assert browser.run("document.querySelector('details[open] details[open]').id") == "PAGE-2/repaired"


def test_the_list_and_the_cards_are_printed(report, browser, tmp_path):
    split = report["folder"] / "split" / "outside"
    seen = "[...document.querySelectorAll('.claim')].filter((c) => c.offsetParent).length"
    browser.emulate("print")
    browser.open((split / "claims.html").as_uri())
    assert browser.run(seen) >= 10  # entries, not a heading alone
    browser.open((split / "other.html").as_uri())
    browser.run("dispatchEvent(new Event('beforeprint'))")
    assert browser.run("document.querySelectorAll('details.claim:not([open])').length") == 0
    browser.run("dispatchEvent(new Event('afterprint'))")
    assert browser.run("document.querySelectorAll('details.claim[open]').length") == 0
    browser.open((report["folder"] / "index.html").as_uri())
    notes = "document.querySelectorAll('#findings details:not([open])').length"
    assert browser.run(notes) > 0
    browser.run("dispatchEvent(new Event('beforeprint'))")
    assert browser.run(notes) == 0 and browser.run("document.querySelectorAll('details.claim[open]').length") == 0
    browser.run("dispatchEvent(new Event('afterprint'))")
    assert browser.run(notes) > 0
    browser.emulate("")


def test_a_search_without_a_hit_says_what_is_searched(report, browser):
    browser.open(f"{(report['folder'] / 'index.html').as_uri()}#?text=nowhere")
    assert browser.run("document.getElementById('shown').textContent").startswith("0 of 10 claims: words and formulas")


@pytest.mark.parametrize(
    ("asked", "found"),
    [("page4", "PAGE-4"), ("PAGE.4", "PAGE-4"), ("x2≤x", "PAGE-2/repaired"), ("X^2 ≤ x", "PAGE-2/repaired")],
)
def test_a_search_finds_formulas_and_ids_without_their_signs(report, browser, asked, found):
    browser.open(f"{(report['folder'] / 'index.html').as_uri()}#?text={quote(asked)}")
    shown = "[...document.querySelectorAll('.claim:not([hidden], .context)')].map((c) => c.id)"
    assert browser.run(shown) == [found]


def test_the_search_of_the_pages_answers_as_the_command_does(browser, tmp_path):
    """The two rank the same words by the same weights: here all of them, on a page that has nothing but the search."""
    load(())
    claims = list(REGISTER.values())
    records = [{"id": c.id, "status": "checked", "verdict": "supported", "repair": None} for c in claims]
    (tmp_path / "claims.js").write_text(_to_search({"claims": records}, claims, {c.id: "a.html" for c in claims}))
    values = {"searched": True, "volumes": [], "findings": [], "run": None}
    page = _rendered("layout.html.j2", "index.html", {}, **values)
    (tmp_path / "index.html").write_text(page)
    browser.open((tmp_path / "index.html").as_uri())
    ask = """new Promise((done) => {
      const field = document.querySelector('#search [name=asked]');
      const look = () => window.CLAIMS ? done(Object.fromEntries(%s.map((text) => {
        field.value = text; field.dispatchEvent(new Event('input'));
        return [text, document.querySelector('#found a')?.getAttribute('href') ?? ''];
      }))) : setTimeout(look, 50);
      field.focus(); field.dispatchEvent(new Event('focus')); look();
    })"""
    found = browser.run(ask % json.dumps([*FIRST, "zebra"]))
    assert found == {text: f"./a.html#{first}" for text, first in FIRST.items()} | {"zebra": ""}


def pytest_generate_tests(metafunc):
    """The pages of the report that --report names, a test each, so that processes share them; else the small report."""
    named = metafunc.config.getoption("--report")
    if "pages" in metafunc.fixturenames:
        pages = sorted(Path(named).resolve().rglob("*.html")) if named else [None]
        if not pages:
            raise pytest.UsageError(f"--report {named}: no page in this folder")
        metafunc.parametrize(
            "pages",
            [page and [page] for page in pages],
            ids=lambda page: "/".join(page[0].parts[-2:]) if page else "small",
        )


def test_every_page_can_be_read_by_everybody(request, pages, browser):
    """No violation of axe-core's rules, nothing wider than the window, no complaint on the console, a quick load."""
    cases = CASES if pages else FEW
    pages = pages or sorted(request.getfixturevalue("report")["folder"].rglob("*.html"))
    axe = files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8")
    browser.complaints.clear()
    found, slow = [], []
    for path, (medium, scheme, width) in product(pages, cases):
        browser.resize(width)
        browser.emulate(medium, scheme)
        case = (path.name, medium or scheme, width)
        seconds = min(browser.open(path.as_uri()) for _ in range(2))  # others may be at work
        slow += [(*case, seconds)] if seconds > LOAD else []
        browser.run("dispatchEvent(new Event('beforeprint'))" if medium else OPENED)
        browser.run(SETTLED)
        browser.run(f"{axe}; 0")
        colours = width == min(w for m, s, w in cases if (m, s) == (medium, scheme))  # the same at every width
        violations = browser.run(VIOLATIONS.replace("COLOURS", str(colours).lower()))
        found += [(*case, *violation) for violation in violations]
        wider = browser.run("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        found += [(*case, f"{wider} pixels wider than the window")] if wider > 0 else []
    assert found == []
    assert browser.complaints == []
    assert slow == []
