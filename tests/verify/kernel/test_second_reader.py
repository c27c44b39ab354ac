"""The second reader, which shares no code with the kernel, says of stored and altered proofs what the kernel says."""

import ast
import json
import sys
from collections import Counter

import pytest

from banditproof.claims.loading import load
from banditproof.cli.exporting import _chosen, export_proofs, proof_file
from banditproof.cli.second_reading import read_again
from tests.verify.kernel.altered_proofs import ALTERATIONS, altered
from tests.verify.kernel.two_readers import both

load()
SOME = ["ALG-LC.17", "TH-P2.6/pure-to-zcdp", "TH-P2.7/approximate", "TH-T2.4/converse", "ZCDP-L5"]


@pytest.fixture(scope="module")
def texts(every_point):
    """Stored proofs as files have them: some small ones, or all."""
    chosen = _chosen([]) if every_point else [[name] for name in SOME]
    return [json.dumps(proof_file(names)) for names in chosen]


def test_both_readers_accept_what_is_stored(texts):
    for text in texts:
        data = json.loads(text)
        assert both(data) == (True, True), data["claims"]


def test_both_readers_say_the_same_of_altered_proofs(texts, every_point):
    """Some alterations are no mistake: a number in another form, what nothing rests on."""
    said = Counter()
    for seed in range((100 if every_point else 4) * len(ALTERATIONS)):
        how, data = altered(texts, seed)
        of_kernel, of_second = both(data)
        assert of_kernel == of_second, (seed, how, of_kernel, of_second)
        said[of_kernel] += 1
    assert said[False] > 4 * said[True]


def test_both_readers_refuse_a_step_that_is_no_list(texts):
    """Whatever it is: its entries in order could be a rule and its arguments."""
    for step in ({"nat_zero": 0}, "nat_zero", ["nat_zero", None]):
        data = json.loads(texts[0])
        data["proof"]["steps"].insert(-1, step)
        assert both(data) == (False, False)


def test_the_reader_needs_the_standard_library_alone_and_stands_beside_the_proofs(tmp_path, alone):
    assert export_proofs(["ALG-LC.17"], tmp_path) == 0
    (proof,) = tmp_path.glob("*.json")
    done = alone(tmp_path / "check.py", proof)
    assert done.returncode == 0, done.stdout + done.stderr
    verdict, statement = done.stdout.splitlines()
    assert verdict == f"{proof}: accepted; what it proves, whatever its other entries say:"
    assert statement.startswith("    (for all ") and " <= " in statement
    relabelled = json.loads(proof.read_text()) | {"claims": ["ALG-L1"], "words": "0 = 1"}
    proof.write_text(json.dumps(relabelled))
    assert alone(tmp_path / "check.py", proof).stdout.splitlines()[1] == statement
    tree = ast.parse((tmp_path / "check.py").read_text())
    imported = [n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)]
    imported += [a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names]
    assert {name.partition(".")[0] for name in imported} <= sys.stdlib_module_names


def test_proofs_of_a_report_are_read_and_a_forged_one_is_told(tmp_path, capsys):
    data = json.loads(json.dumps(proof_file(["TH-P2.6/pure-to-zcdp"])))
    evidence = {"kind": "kernel", "statement": "", "formula": data["statement"], "proof": data["proof"]}
    records = [{"id": "TH-P2.6/pure-to-zcdp", "evidence": [evidence]}]
    results = {"schema": 1, "run": {"versions": {}}, "claims": records}
    file = tmp_path / "results.json"
    file.write_text(json.dumps(results))
    assert read_again(file, quiet=True) == 0 and "1 proofs of the kernel" in capsys.readouterr().out
    data["proof"]["steps"].pop()
    file.write_text(json.dumps(results))
    assert read_again(file, quiet=True) == 1 and "TH-P2.6/pure-to-zcdp: refused" in capsys.readouterr().out
    file.write_text(json.dumps({**results, "claims": []}))
    assert read_again(file, quiet=True) == 3
