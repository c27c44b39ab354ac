"""Plausible mistakes besides those of test_commands: each is refused in a line that helps, and none is accepted."""

import json
import shlex

import pytest

from banditproof.cli import main

ARMS = "--means 0.5,0.4 --horizon 100 --runs 2"
ACTIONS = "--actions actions.csv --theta 1,0.5 --horizon 100 --runs 2"
LOSSES = "--losses stochastic --horizon 100 --runs 2 --epsilon 1"
MISTAKES = {
    # names that are nearly right
    "chek": "No such command",
    "check --claims BDP-T3.1": "--claim",
    "check --fail-on refutd": "did you mean refuted?",
    "check --format xml": "'xml' is not one of 'terminal', 'html', 'junit', 'markdown'",
    "findings report.json --severity a": "did you mean A?",
    "explain BDPT31": "did you mean BDP-T3.1",
    "explain T1": "ZCDP-T1, ADV-T1",
    "explain 'Theorem 99.9'": "claim must be a registered id",
    "explain ''": "claim must be a registered id",
    "list --paper thesi": "did you mean thesis?",
    f"simulate --algorithm dpimed {ARMS}": "did you mean dp-imed or imed? algorithm must be one of",
    "identify --algorithm adaptt --means 0.9,0.5": "did you mean adap-tt",
    f"simulate --algorithm goppe {ACTIONS}": "did you mean gope",
    f"simulate --algorithm exp33 {LOSSES}": "did you mean exp3",
    "membership --target eazy": "did you mean easy?",
    "bounds regrets": "No such command",
    f"simulate --algorithm dp-imed {ARMS} --epsilon 1 --option aplha=2": "did you mean alpha?",
    "identify --algorithm adap-tt --means 0.9,0.5 --epsilon 1 --option betta=0.5": "did you mean beta?",
    "simulate --algorithm exp3 --losses sochastic --horizon 100 --epsilon 1": "did you mean stochastic?",
    "simulate --algorithm oful --contexts gausian --theta 1,0.5 --horizon 10": "did you mean gaussian?",
    # several names
    "check --claim BDP-T3.1 --claim BDP-T44.3": "did you mean BDP-T4.3",
    "check --paper zcdp --paper rpd": "did you mean rdp?",
    "check --claim BDP-T3.1,BDP-T4.3": "did you mean BDP-T3.1 and BDP-T4.3, each on its own?",
    "list --paper zcdp,rdp": "did you mean zcdp and rdp, each on its own?",
    "findings report.json --severity A,B": "did you mean A and B, each on its own?",
    f"simulate --algorithm ucb --algorithm imedd {ARMS}": "did you mean imed",
    f"simulate --algorithm ucb,imed {ARMS}": "did you mean ucb and imed, each on its own?",
    "identify --algorithm lucb --algorithm ttucbb --means 0.9,0.5": "did you mean ttucb?",
    # numbers that are none, or outside
    "bounds regret --means 0.5,0.4,": "means must be a number",
    "bounds regret --means 0.5;0.4": "means must be a number",
    "bounds regret --means 50%,40%": "means must be a number",
    "bounds regret --means 0.5,0.4 --epsilon zero": "epsilon must be a number",
    "bounds bai --means 0.5,0.5": "instance must be",
    "bounds bai --means 0.9,0.5 --delta 5": "delta must be",
    "bounds bai --means 0.9,0.5 --beta 1.5": "beta must be",
    "bounds minimax --arms 1 --horizon 100": "arms must be",
    "bounds minimax --arms 2.5 --horizon 100": "arms must be a whole number",
    "bounds minimax --arms 3 --horizon -1": "horizon must be",
    "bounds exact --means 0.7,0.3 --horizon 9 --epsilon 1": "horizon must be from 1 to 8 for 2 arms",
    "bounds exact --means 0.7,0.3 --horizon 2 --epsilon -1": "epsilon must be a number from 0 to 12, or inf",
    "bounds exact --means 0.7,0.3 --horizon 2 --ratio 0.5": "ratio must be",
    "bounds exact --means 0.7,0.3 --horizon 7 --rho 1": "horizon must be from 1 to 5 for 2 arms and rho",
    "bounds exact --means 0.7,0.3 --horizon 2 --rho 0": "rho must be a number from 1/10000 to 10",
    "bounds exact --means 0.7,1.3 --horizon 2 --epsilon 1": "mean must be",
    "bounds exact --means 0.7,0.3 --horizon 2": "epsilon, ratio and rho must be exactly one of these three options",
    "bounds adversarial --arms 3 --horizon 100 --epsilon 0": "epsilon must be",
    "bounds coupling --first 0.5 --second 0.4 --copies 0 --rho 1": "copies must be",
    "bounds coupling --first 0.5 --second 1.4 --rho 1": "must be",
    "design actions.csv --tol 0": "tol must be",
    "simulate --algorithm ucb --means 0.5,0.4 --horizon 1e16": "horizon must be a whole number from 1 to 1e+15",
    "simulate --algorithm ucb --means 0.5,0.4 --horizon 100 --runs 0": "runs must be",
    f"simulate --algorithm dp-imed {ARMS} --epsilon -1": "epsilon",
    "identify --algorithm adap-tt --means 0.9,0.5 --epsilon 1 --cap 0": "cap must be",
    "membership --records 10 --columns 5 --games 10 --gamma -1": "gamma must be",
    "trace --games 1": "games must be",
    "check --claim BDP-D2.1b --workers 0": "--workers",
    "arena --limit 0": "--limit",
    "arena --again actions.csv": "lines of a name such as BDP-T3.1@slack and its key",
    "arena --again nowhere.txt": "a text file that can be read",
    f"simulate --algorithm dp-imed {ARMS} --epsilon 1 --option alpha=0.5": "alpha must be an int, a Fraction or",
    f"simulate --algorithm adap-ucb {ARMS} --epsilon 1 --option beta=-1": "beta must be a number in (0, inf), got -1",
    f"simulate --algorithm dp-imed {ARMS} --epsilon 1 --option alpha=2 --option alpha=3": "given once for each name",
    "identify --algorithm ttucb --means 0.9,0.5 --option beta=0.5 --option beta=0.6": "given once for each name",
    # what is missing
    "explain": "Missing argument",
    "recheck": "results must be a file that exists: run 'banditproof check' first",
    f"simulate --algorithm dp-imed {ARMS}": "--epsilon for dp-imed",
    "simulate --algorithm ucb --horizon 100": "--means, or --actions or --contexts together with --theta",
    "simulate --algorithm gope --actions actions.csv --horizon 100": "together with --theta",
    "identify --algorithm adap-tt --means 0.9,0.5": "epsilon must be pure for adap-tt",
    "bounds minimax --horizon 100": "arms and dimension must be",
    "bounds coupling --first 0.5 --second 0.4": "epsilon, rho must be exactly one",
    "trace --clip 1": "clip, gamma must be both",
    "audit json:loads": "target must be a function",
    # what would change nothing
    "arena --again actions.csv --limit 3": "limit must be left out with --again",
    "arena --again actions.csv --only BDP-T3.1": "only must be left out with --again",
    f"simulate --algorithm ucb {ARMS} --epsilon 1": "epsilon must be left out, because ucb would not use it",
    f"simulate --algorithm dp-imed {ARMS} --epsilon 1 --rho 1": "rho must be left out",
    f"simulate --algorithm dp-imed {ARMS} --epsilon 1 --delta 0.1": "delta must be left out",
    f"simulate --algorithm gope {ACTIONS} --epsilon 1": "epsilon must be left out, because gope",
    f"simulate --algorithm ucb {ARMS} --law signs": "law must be left out without --theta",
    f"simulate --algorithm ucb {ARMS} --arms 3": "arms must be left out",
    f"simulate --algorithm ucb {ARMS} --experts 3": "experts must be left out without --losses",
    f"simulate --algorithm ucb {ARMS} --panel uniform": "panel must be left out without --losses",
    f"simulate --algorithm exp3 {LOSSES} --means 0.5,0.4": "means must be left out with --losses",
    f"simulate --algorithm exp3 {LOSSES} --panel uniform": "panel must be left out without --experts",
    f"simulate --algorithm exp3 {LOSSES} --csv out.csv": "csv must be left out with --losses",
    f"simulate --algorithm dp-imed {ARMS} --epsilon 1 --option bta=3": "option must be one of alpha, ties",
    "identify --algorithm ttucb --means 0.9,0.5 --epsilon 1": "epsilon must be left out, because ttucb",
    "bounds regret --means 0.5,0.4 --sigma 2": "sigma must be left out without --family gaussian",
    "bounds bai --means 0.5,0.4 --sigma 2": "sigma must be left out without --family gaussian",
    "list --uncovered --claim BDP-T3.1": "claim must be left out with --uncovered",
    "findings report.json --json --latex": "one of --json, --markdown and --latex, got '--json --latex'",
    "check --paper rdp --claim BDP-D2.1b": "claim must be a claim of rdp",
    # files that are not what they should be
    "bounds linear missing.csv --theta 1,0.5": "actions must be a CSV file that can be read",
    "bounds linear words.csv --theta 1,0.5": "theta must be 1 numbers",
    "simulate --algorithm exp3 --losses missing.csv --horizon 100 --epsilon 1": "losses must be a CSV file",
    "explain BDP-T3.1 --results missing.json": "results must be a results.json",
    "findings .": "results must be a results.json",
    "findings words.csv": "results must be JSON",
    "findings --results words.csv": "results must be JSON",
    "findings report.json --results words.csv": "named only once, either after the command or with --results",
    "recheck report.json --results report.json": "named only once, either after the command or with --results",
    "recheck words.csv": "results must be JSON",
    "recheck aside.json": "rested_on is a list of ids",
    "check --module words.csv": "module must be a Python file",
    "check --module broken.py": "SyntaxError",
    "check --claim BDP-D2.1b --text missing.pdf": "text must be a file that exists",
    "locate missing.pdf": "text must be a file that exists",
    f"simulate --algorithm ucb {ARMS} --checkpoints words.csv": "checkpoints must be a folder that can be created",
    "findings report.json --paper thesi": "paper must be left out: the results hold no paper",
    "new zcdp": "name must be a name that no document has yet",
    "audit nothing:make --epsilon 1": "No module named 'nothing'",
    "audit nothing --epsilon 1": "package.module:object",
    "new 'Mein Papier'": "name must be lower-case letters",
    "new fine --folder .": "folder must be a folder that does not exist yet",
    "new fine --folder words.csv/fine": "folder must be a folder that can be created",
    "bounds bai --means 0.5,0.4 --certificate missing/a.json": "certificate must be a file in a folder that exists",
    "design actions.csv --certificate .": "certificate must be a file in a folder that exists",
    "recheck certificates.json": "a file with at least one named certificate",
    "bounds regret --means 0.5,0.4 --epsilon 1 --plot out.doc": "plot must be a file in a folder that exists",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = {"profile": "quick", "root_seed": 0, "rested_on": [1]}
    content = {
        "actions.csv": "1,0\n0,1\n0.6,0.6\n",
        "words.csv": "a,b\n1\n",
        "broken.py": "def (",
        "report.json": json.dumps({"schema": 1, "run": run | {"rested_on": []}, "claims": []}),
        "certificates.json": json.dumps({"schema": 1, "certificates": []}),
        "aside.json": json.dumps({"schema": 1, "run": run, "claims": []}),
    }
    for name, text in content.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.one_in(3)
@pytest.mark.parametrize("command", MISTAKES)
def test_a_mistake_is_refused_in_one_line_that_helps(command, folder, capsys):
    before = sorted(folder.rglob("*"))
    with pytest.raises(SystemExit) as left:
        main(shlex.split(command))
    out, err = capsys.readouterr()
    assert left.value.code == 2 and out == ""
    assert len(err.splitlines()) == 1 and err.startswith("banditproof: ") and MISTAKES[command] in err, err
    assert sorted(folder.rglob("*")) == before, "nothing is written before the input is known to be good"


def test_there_are_eighty_of_them():
    assert len(MISTAKES) >= 80
