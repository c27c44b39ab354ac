"""Results files come from strangers: none runs code, and no forged one is accepted."""

import copy
import json
import sys
import textwrap
from pathlib import Path
from unittest.mock import patch

import pytest

from banditproof.claims import REGISTER, load
from banditproof.claims.run.record import Settings
from banditproof.claims.run.results import assemble, combined, counted
from banditproof.claims.run.runner import run
from banditproof.cli.rechecking import recheck_results
from banditproof.theory.errors import InvalidInput
from tests.cases import texts

TEXTS = texts(__file__)

DRAFT = "\n" + TEXTS["draft"]


@pytest.fixture(scope="module")
def document(load_draft_once):
    """A genuine document about claims of a file, and the file."""
    load()
    module = load_draft_once(DRAFT, "draft_of_forgeries")
    claims = [c for c in REGISTER.values() if c.id.startswith("FORGE-")]
    records = run(claims, Settings(), module.parent / "out", modules=[module], workers=1)
    return assemble(records, Settings(), "check", 0.0, {"claims": [c.id for c in claims]}), module


def status(document, module, folder):
    path = Path(folder) / "results.json"
    path.write_text(document if isinstance(document, str) else json.dumps(document))
    return recheck_results(path, [module])


def claim_of(results, name):
    return next(c for c in results["claims"] if c["id"] == f"FORGE-{name}")


def evidence_of(results, name, place=0):
    return claim_of(results, name)["evidence"][place]


def setting(name, place, **values):
    def forge(results):
        evidence_of(results, name, place).update(values)

    return forge


def claiming(name, **values):
    def forge(results):
        claim_of(results, name).update(values)

    return forge


def verdict(name, value):
    return claiming(name, verdict=value, own_verdict=value)


def both(*forgeries):
    def forge(results):
        for one in forgeries:
            one(results)

    return forge


def without(name):
    def forge(results):
        results["claims"] = [c for c in results["claims"] if c["id"] != f"FORGE-{name}"]

    return forge


def counts_as_combined(results):
    """The document as it would be if no more claims were there."""
    results["claims"] = combined([dict(c, verdict=c["own_verdict"], repair=None) for c in results["claims"]])
    results["run"]["counts"] = counted(results["claims"])


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


DOOR = "PWNED"
SHELL = f"touch {DOOR}"
EVERYWHERE = {"variables": {"x": "[0, 1]", "n": "integer [1, inf)"}, "where": []}

FORGERIES = {
    "proved without evidence": claiming("1", evidence=[]),
    "refuted without evidence": both(verdict("1", "refuted"), claiming("1", evidence=[])),
    "refutation withdrawn": both(verdict("4", "proved"), claiming("4", evidence=[], counterexample=None)),
    "supported sold as proved": verdict("5", "proved"),
    "combined verdict alone": claiming("7", verdict="proved"),
    "own verdict alone": claiming("6", own_verdict="proved"),
    "unknown codes in the tree": setting("2", 0, tree="X"),
    "no tree": setting("2", 0, tree=""),
    "tree cut short": lambda r: setting("2", 0, tree=evidence_of(r, "2")["tree"][:-1])(r),
    "everything excluded": setting("2", 0, tree="V"),
    "everything certified at once": setting("2", 0, tree="P"),
    "a smaller box": setting("2", 0, box={"x": ["0/1", "1/1"]}, tree="P"),
    "another formula": setting("2", 0, relation="draft_of_forgeries:variance"),
    "a formula that says nothing": setting("2", 0, relation="draft_of_forgeries:anything"),
    "other constants of the evidence": setting("2", 0, constants={"factor": 1}),
    "no points": setting("3", 0, points=[], count=0),
    "an empty grid": setting("3", 0, points={"grid": {}}, count=1),
    "fewer points": setting("3", 0, points={"grid": {"m": [1], "n": [1]}}, count=1),
    "points that do not cover": setting("7/second", 0, covers={"variables": {"x": "[0, 1]"}, "where": []}),
    "points that do not cover, proved": both(
        setting("7/second", 0, covers={"variables": {"x": "[0, 1]"}, "where": []}), verdict("7/second", "proved")),
    "a count that is not theirs": setting("3", 0, count=40),
    "an enumeration of another formula": setting("3", 0, relation="draft_of_forgeries:anything"),
    "a domain of the claim's own making": claiming("7/second", domain={"variables": {"x": ["0/1"]}, "where": []}),
    "another statement": claiming("1", statement="every bandit is private"),
    "another role": claiming("7/second", role="remark"),
    "another parent": claiming("7/second", parent=None),
    "other constants": claiming("1", constants={"top": "1/5"}),
    "a repair that repairs nothing": claiming("1", repairs="FORGE-4"),
    "another seed": claiming("6", seed=1),
    "words of the certificate blanked": setting("5", 0, assumes=""),
    "words of the data blanked": lambda r: evidence_of(r, "5")["data"].update(because=""),
    "both, and proved": both(
        setting("5", 0, assumes=""), lambda r: evidence_of(r, "5")["data"].pop("because"), verdict("5", "proved")),
    "other data": lambda r: evidence_of(r, "5")["data"].update(factor=1, other=91),
    "another verifier": setting("5", 0, verifier="draft_of_forgeries:anything"),
    "a counterexample outside": setting("4", 0, point={"x": "2/1"}),
    "a counterexample that holds": setting("4", 0, point={"x": "1/1"}),
    "a counterexample of another formula": setting("4", 0, relation="draft_of_forgeries:variance"),
    "a tree for more": setting("1", 0, covers=EVERYWHERE),
    "another tree": setting("1", 0, tree=["faces", 0, []]),
    "outcomes that the counts do not give": setting("6", 0, outcomes=["violated"]),
    "another formula shown": both(setting("8", 0, assumes=""), verdict("8", "proved")),
    "a refutation on trust": setting("9", 0, assumes=""),
    "a formula that rounds": both(setting("10", 0, assumes=""), verdict("10", "proved")),
    "an unknown kind": setting("1", 0, kind="oracle"),
    "a claim left out": without("4"),
    "a refuted part left out of an item, and of what was asked for": both(
        without("11/second"), counts_as_combined,
        lambda r: r["run"]["asked"].update(claims=[c["id"] for c in r["claims"] if c["id"] != "FORGE-11"])),
    "data nested without end": lambda r: evidence_of(r, "5").update(data=nested(800)),
    "a claim that nobody registered": lambda r: r["claims"].append(claim_of(r, "1") | {"id": "FORGE-99"}),
    "a claim twice": lambda r: r["claims"].append(copy.deepcopy(claim_of(r, "1"))),
    "an error with a verdict": claiming("6", status="error"),
    "counts": lambda r: r["run"]["counts"]["items"].update(proved=5),
    "certified refutations": lambda r: r["run"]["counts"]["refutations"].update(certified=50),
    "another check": claiming("1", same_check_as="BDP-T3.1"),
    "a document that is covered": lambda r: r["run"]["catalogue"].update(rdp={"items": 62, "without claim": {}}),
    "items of the catalogue left out": both(
        lambda r: r["run"]["asked"].update(papers=["zcdp"]),
        lambda r: r["run"]["catalogue"].update(zcdp={"items": 110, "without claim": {}})),
    "a shell as relation": setting("1", 0, relation="os:system", constants={"command": SHELL}),
    "a shell as verifier": both(setting("5", 0, verifier="subprocess:getoutput", constants={"cmd": SHELL})),
    "an import with side effects": setting("1", 0, relation="antigravity:geohash"),
    "a shell in a substitution": setting(
        "2", 0, substitutions={"x": [f"__import__('os').system('{SHELL}')", "[0, 1]"]}, box={"y": ["0/1", "1/1"]}),
    "a shell in a constraint": setting("1", 0, covers={"variables": {"x": "[0, 1]"}, "where": [
        f"d_epsilon.__globals__['__builtins__']['__import__']('os').system('{SHELL}') <= 1"]}),
    "a shell in the domain": claiming(
        "1", domain={"variables": {"x": "[0, 1]"}, "where": [f"open('{DOOR}', 'w') <= 1"]}),
    "a file of the project": setting("1", 0, relation="banditproof.algorithms.run.checkpoints:write_atomically"),
    "an endless number": setting("1", 0, covers={"variables": {"x": "[0, 1e999999999]"}, "where": []}),
    "an endless power": setting("1", 0, covers={"variables": {"x": "[0, 1]"}, "where": ["x <= 10**10**10"]}),
    "forty constraints": setting(
        "1", 0, covers={"variables": {"x": "[0, 1]"}, "where": [f"x <= {k}" for k in range(40)]}),
    "an endless grid": setting("3", 0, points={"grid": {"m": [1] * 30_000, "n": [1] * 30_000}}, count=9 * 10**8),
    "a refutation traded for a harmless point": both(
        claiming("4", evidence=[{
            "kind": "quadrature", "covers": {"variables": {"x": ["1/1"]}, "where": []}, "routes": ["a", "b"],
            "relation": "draft_of_forgeries:square", "constants": {}, "points": {"grid": {"x": ["1/1"]}}, "count": 1,
            "error": "none"}]),
        verdict("4", "supported"), claiming("4", counterexample=None)),
    "fewer points that cover themselves": setting(
        "3", 0, points={"grid": {"m": ["1"], "n": ["1"]}}, count=1,
        covers={"variables": {"m": ["1"], "n": ["1"]}, "where": []}),
    "further evidence": lambda r: claim_of(r, "3")["evidence"].append(copy.deepcopy(evidence_of(r, "2"))),
    "an error instead of a refutation": both(
        verdict("4", None), claiming("4", evidence=[], counterexample=None, status="error", reach="Killed")),
    "another reach": claiming("2", reach="on the whole domain: x in (-inf, inf)"),
    "another reach of an item": claiming("7", reach="on the whole domain: all bandits"),
    "another attempt": claiming("5", attempts=[["deduction", "one step is left to the reader"]]),
    "other routes": setting("2", 0, routes=["proved by Gauss", "proved by Euler"]),
    "a closer call": setting("3", 0, tightest="closest call 1000 at m = 1, n = 1"),
    "other leaves": setting("2", 0, leaves=1),
    "undecided leaves": setting("2", 0, undecided=3),
    "other sides of a counterexample": setting("4", 0, left=17, right=3),
    "another operator of a counterexample": setting("4", 0, operator="!="),
    "another counterexample shown": claiming("4", counterexample=None),
    "another number of rules": setting("1", 0, rules=12345),
    "an entry of its own": claiming("1", certified_by="NIST"),
    "evidence with an entry of its own": setting("1", 0, peer_reviewed=True),
    "a document with an entry of its own": lambda r: r.update(certified_by="NIST"),
    "a run with an entry of its own": lambda r: r["run"].update(note="reviewed"),
    "a false variant with an entry of its own": claiming("1", mutations=[{
        "name": "top = 0.24", "constants": {"top": "6/25"}, "caught": True, "how": "", "seconds": 0, "by": "NIST"}]),
    "another false variant": claiming("1", mutations=[{
        "name": "top = 0.2", "constants": {"top": "1/5"}, "caught": True, "how": "", "seconds": 0}]),
    "what would have been seen": setting("6", 0, detectable="everything would have been seen"),
    "another error probability": setting("6", 0, error="1/2"),
    "seeds of a statistic": setting("6", 0, seeds="none"),
    "more successes than trials": lambda r: evidence_of(r, "6")["tests"][0].update(successes=9, trials=8),
    "endless trials": lambda r: evidence_of(r, "6")["tests"][0].update(trials=10**400),
    "a repetition that was not needed": lambda r: evidence_of(r, "6").update(fresh=evidence_of(r, "6")["tests"]),
    "no statistics": claiming("6", evidence=[]),
    "an endless precision": setting("2", 0, precision=10**9),
    "endless points": setting("1", 0, points=10**9),
    "an endless count": setting(
        "3", 0, points={"grid": {"m": [10**15], "n": [1]}}, count=1,
        covers={"variables": {"m": [str(10**15)], "n": ["1"]}, "where": []}),
    "an endless tree": setting("2", 0, tree="0" * 3_000_000),
    "a deep tree": setting("2", 0, tree="0" * 15_000 + "U" * 15_001),
    "a hostile substitution": both(setting(
        "2", 0, box={"s": ["0/1", "1/1"]}, covers={"variables": {"x": "(-inf, inf)"}, "where": []},
        substitutions={"x": ["exp(exp(1 / (1 - s))) - log(s**17 - exp(s**3 * log(s + 2)))", "(0, 1)"]})),
    "nothing in the evidence": lambda r: evidence_of(r, "1").clear(),
    "evidence 800 deep": setting("2", 0, constants=nested(800)),
    "a tree 800 deep": setting("2", 0, tree=nested(800)),
    "a domain 800 deep": claiming("1", domain={"variables": {"x": nested(800)}, "where": []}),
    "evidence that is no record": claiming("1", evidence=["proved"]),
    "a list for a verdict": claiming("1", verdict=["proved"], own_verdict=["proved"]),
}  # fmt: skip


def test_the_genuine_document_is_accepted(document, tmp_path):
    assert status(*document, tmp_path) == 0


@pytest.mark.one_in(12)
@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_document_is_not_accepted_and_runs_nothing(document, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    results, module = copy.deepcopy(document[0]), document[1]
    FORGERIES[name](results)
    assert results != document[0]
    assert status(results, module, tmp_path) == 1
    assert not (tmp_path / DOOR).exists() and "antigravity" not in sys.modules


def test_an_item_whose_part_is_left_out_is_not_accepted_whatever_was_asked_for(document, tmp_path, capsys):
    """Its verdict would be that of the parts that are there."""
    kept = [claim_of(document[0], name) for name in ("7", "7/first")]
    records = [c | {"verdict": c["own_verdict"], "repair": None} for c in copy.deepcopy(kept)]
    results = assemble(records, Settings(), "check", 0.0, {"claims": ["FORGE-7/first"]})
    assert status(results, document[1], tmp_path) == 1
    assert "1 of 2 are missing (FORGE-7/second)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("forge", "said", "found"),
    [
        (
            lambda r: evidence_of(r, "6")["tests"][0].update(successes=1),
            "of the pieces of evidence rest on simulated numbers",
            "FORGE-6: statistics evidence differs from what its step gives in: tests",
        ),
        (
            setting("7/second", 0, tightest="closest call 9 at x = 1"),
            "of the pieces of evidence say that a claim held at each point of a list, and only support it",
            "FORGE-7/second: enumeration evidence differs from what its step gives in: tightest",
        ),
    ],
)
def test_what_is_taken_from_the_file_is_said_and_only_done_again_found_changed(
    document, tmp_path, capsys, forge, said, found
):
    results, module = copy.deepcopy(document[0]), document[1]
    forge(results)
    assert status(results, module, tmp_path) == 0
    assert said in capsys.readouterr().out
    assert recheck_results(tmp_path / "results.json", [module], redo=True) == 1
    assert found in capsys.readouterr().out


def test_a_claim_that_does_not_end_is_given_up_and_is_a_problem(tmp_path, capsys):
    module = tmp_path / "draft_without_end.py"
    module.write_text(
        textwrap.dedent("""
        import time
        from banditproof.claims import claim, step

        @claim("ENDLESS-1", step(lambda check, relation: time.sleep(60)))
        def slow():
            "$1=1$"
            return 1, "==", 1
    """)
    )
    record = {"id": "ENDLESS-1", "evidence": [], "mutations": []}
    run = {"profile": "quick", "root_seed": 1, "asked": {"claims": ["ENDLESS-1"]}, "counts": {}, "catalogue": {}}
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"schema": 1, "run": run, "claims": [record]}))
    with patch.dict(REGISTER):
        assert recheck_results(path, [module], limit=1) == 1
    del sys.modules[module.stem]
    assert "ENDLESS-1: its check gave no result within 1 seconds (--limit)" in capsys.readouterr().out


def test_text_of_the_file_cannot_write_what_it_likes_on_the_terminal(document, tmp_path, capsys):
    results = copy.deepcopy(document[0])
    claim_of(results, "3")["id"] = "\x1b[2J\x1b[31m[bold]9 claims\n\u202e0 problems\x9b"
    assert status(results, document[1], tmp_path) == 1
    shown = "".join(capsys.readouterr())
    assert r"\x1b[2J\x1b[31m[bold]9 claims \u202e0 problems\x9b: it is not registered" in shown
    assert all(c.isprintable() for line in shown.splitlines() for c in line)


def test_a_document_about_claims_of_a_file_names_the_option_that_reads_it(document, tmp_path, capsys):
    path, held = tmp_path / "results.json", {i: c for i, c in REGISTER.items() if i.startswith("FORGE-")}
    path.write_text(json.dumps(document[0]))
    for name in held:
        del REGISTER[name]
    try:
        assert recheck_results(path, []) == 1
    finally:
        REGISTER.update(held)
    said = capsys.readouterr().out.splitlines()
    assert all("--module" in line for line in said[:-2]) and "malformed" not in "".join(said)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "7", '{"schema": 2}', '{"schema": 1}', '{"schema": 1, "run": [], "claims": {}}', "[" * 100_000,
     '{"schema": 1, "run": {"profile": "quick", "root_seed": 1}, "claims": [7]}', '{"a": ' + "9" * 5000 + "}",
     '{"schema": 1, "run": {"profile": "quick", "root_seed": -1}, "claims": []}',
     '{"schema": 1, "run": {"profile": "quick", "root_seed": 1, "root_seed": 2}, "claims": []}'],
)  # fmt: skip
def test_what_is_no_results_document_is_one_clear_error(document, text, tmp_path):
    with pytest.raises(InvalidInput, match="results"):
        status(text, document[1], tmp_path)


def test_a_file_that_is_no_text_is_one_clear_error_of_the_command(banditproof, tmp_path):
    (tmp_path / "results.json").write_bytes(b"\xff\xfe\x00")
    done = banditproof("recheck", tmp_path / "results.json")
    assert done.returncode == 2 and "Traceback" not in done.stderr and len(done.stderr.strip().splitlines()) == 1
