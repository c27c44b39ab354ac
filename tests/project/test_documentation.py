"""What documentation prints is true: examples run, commands parse, names exist, figures are those of today."""

import csv
import inspect
import json
import re
import shlex
import tomllib
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from banditproof import algorithms as policies
from banditproof.algorithms.roster import algorithms
from banditproof.claims.documents import catalogue, documents
from banditproof.claims.loading import load
from banditproof.claims.register import resolve, without_claim
from banditproof.claims.report.findings import SEVERITIES
from banditproof.cli.commands import whole_command
from banditproof.theory.bounds.upper_bounds import RECIPES, has_upper_bound
from banditproof.verify.guarantees import identification
from banditproof.verify.testing import adapters

ROOT = Path(__file__).parents[2]
DOCS = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*.md"))
NAMES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", *DOCS)
PAGES = {name: (ROOT / name).read_text(encoding="utf-8") for name in NAMES}
FENCED = re.compile(r"```python\n(.*?)```", flags=re.DOTALL)
BLOCKS = [
    pytest.param(block, id=f"{page}-{n}")
    for page, text in PAGES.items()
    for n, block in enumerate(FENCED.findall(text))
]
PROSE = {name: FENCED.sub("", text) for name, text in PAGES.items()}
LINES = re.compile(r"^ {4}(banditproof .*?)(?: {2,}#.*)?$", flags=re.MULTILINE)
INLINE = re.compile(r"`(banditproof [a-z]+ --?[^`]*|banditproof [a-z]+ [\w./-]+[^`]*)`")
COMMANDS = sorted({c for text in PROSE.values() for c in (*LINES.findall(text), *INLINE.findall(text)) if "|" not in c})


@pytest.mark.parametrize("block", BLOCKS)
def test_an_example_runs_and_so_do_the_tests_in_it(python, block, tmp_path):
    script = tmp_path / "test_example.py"
    script.write_text(block)
    tests = len(re.findall(r"^def test_", block, flags=re.MULTILINE))
    runner = ["-m", "pytest", "-q", "-p", "no:cacheprovider"] if tests else []
    done = python(*runner, script, folder=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert not tests or f"{tests} passed" in done.stdout


def test_the_tutorial_fails_and_passes_as_it_prints(python, tmp_path):
    """The policy with the bug, and the same one mended: each printed line stands in what pytest says."""
    code, red, green = re.findall(r"```(?:py|text)\n(.*?)```", PAGES["docs/engineer.md"], flags=re.DOTALL)
    for text, status, printed in ((code, 1, red), (code.replace("sensitivity=0.5", "sensitivity=1"), 0, green)):
        (tmp_path / "test_policy.py").write_text(text)
        done = python("-m", "pytest", "-q", "-p", "no:cacheprovider", "test_policy.py", folder=tmp_path)
        assert done.returncode == status, done.stdout + done.stderr
        clock = r"; [\d.]+ s$|\d+(?= pulls with| releases;)|(?<=beyond pull )\d+"  # a slow machine cuts a check short
        printed, said = (re.sub(clock, "", text, flags=re.MULTILINE) for text in (printed, done.stdout))
        assert [line for line in printed.splitlines() if line not in said] == []


def test_the_notebook_runs(python, tmp_path):
    cells = json.loads((ROOT / "examples" / "first_look.ipynb").read_text(encoding="utf-8"))["cells"]
    assert not any(cell.get("outputs") for cell in cells), "outputs grow old"
    script = tmp_path / "first_look.py"
    script.write_text("\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"))
    done = python(script, folder=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "proved - on the whole domain" in done.stdout


def test_the_draft_claim_of_contributing_is_proved_and_its_mutation_caught(banditproof, tmp_path):
    draft = tmp_path / "draft.py"
    draft.write_text(FENCED.findall(PAGES["CONTRIBUTING.md"])[0])
    done = banditproof("selftest", "--module", draft, "--output", tmp_path / "out", folder=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 caught, 0 missed" in done.stdout


def parse(words):
    """Read a command as the command line does, without running it."""
    command, context = whole_command(), None
    while True:
        context = command.make_context(command.name, list(words), parent=context)
        if not hasattr(command, "commands"):
            return context.params
        _, command, words = command.resolve_command(context, [*context._protected_args, *context.args])


def test_there_are_commands_to_parse():
    assert len(COMMANDS) > 12 and "banditproof check --paper bernoulli-dp --output report" in COMMANDS


@pytest.mark.parametrize("command", COMMANDS)
def test_a_printed_command_is_understood(command):
    assert parse(shlex.split(command)[1:])


def test_a_command_that_does_not_exist_is_not_understood():
    with pytest.raises(Exception, match="No such option"):
        parse(["check", "--papers", "thesis"])


def test_printed_targets_of_make_and_paths_exist():
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
    named = [t for text in PROSE.values() for t in re.findall(r"(?:`| {4})make (\w+)", text)]
    assert named and set(named) <= set(targets)
    paths = [p for text in PROSE.values() for p in re.findall(r"`((?:[a-z_]\w*/)+[\w.]*)`", text)]
    links = [Path(page).parent / p for page, text in PROSE.items() for p in re.findall(r"\]\(([\w./-]+)", text)]
    made = ("report/", "site/", "dist/")
    assert paths and [p for p in (*paths, *links) if not (ROOT / p).exists() and not str(p).startswith(made)] == []


def test_the_table_of_documents_says_what_can_be_checked_today():
    load()
    catalogued = Counter(item.paper for item in catalogue().values())
    today = {
        name: f"{catalogued[name] - len(without_claim(name))} of {catalogued[name]}"
        for name, document in documents().items()
        if document.package.startswith("banditproof.")
    }
    printed = dict(re.findall(r"^\| `([\w-]+)` \|.*\| (\d+ of \d+) \|$", PAGES["README.md"], flags=re.MULTILINE))
    assert printed == today


ASSUMED = {
    "one_subgaussian": "1-subgaussian rewards",
    "unit_rewards": "rewards in [0, 1]",
    "bernoulli_arms": "rewards 0 and 1",
    "printed_delta": "delta = 1/T^2 (`level` = 2 log T)",
    "printed_exploration": "`exploration` = log f(t)",
    "printed_tree": "`variant` = thesis, `delta` = 1/T",
    "best_below_one": "mu* < 1",
    "geometric_batches": "`batches` that grow geometrically, by `alpha`",
    "optimism": "`beta` > 3",
}


def row_of_theorem(name):
    """An algorithm with its bound by gaps, else its asymptotic one, as the register has them."""
    recipes = [recipe for recipe in RECIPES if recipe.algorithm.lower().replace(" ", "-") == name]
    recipe = next(r for r in recipes if r.name.startswith(("gap-dependent", "asymptotic")))
    kind = "asymptotic" if recipe.asymptotic else recipe.name.partition(", ")[2]
    bound = f"`{recipe.formula}`" + (f" ({kind})" if kind else "")
    assumed = ", ".join(ASSUMED[condition.__name__] for condition in recipe.conditions)
    return f"| `{name}` | {recipe.source} | {bound} | {assumed} | {', '.join(f'`{k}`' for k in recipe.kinds or ())} |"


def test_the_table_of_theorems_is_the_register():
    today = [row_of_theorem(name) for name in algorithms() if has_upper_bound(name)]
    assert "\n".join([" `budgets=` |", "|---|---|---|---|---|", *today, "", ""]) in PAGES["docs/testing.md"]


def test_the_arms_of_a_check_of_best_arms_are_as_close_as_the_page_says():
    apart = {float(np.diff(sorted(bandit.means))[-1].round(9)) for bandit in identification.identification_instances(4)}
    printed = r"best arms are ([^a-z]+) or (\S+) apart.*?that are (\S+) apart, and (\S+) if"
    said = re.findall(printed, PAGES["docs/testing.md"])
    *gaps, tied, close = (float(gap) for part in said[0] for gap in part.split(", "))
    assert {*gaps} == apart and (tied, close) == (identification.GAP, identification.CLOSE)


def test_the_signatures_are_those_of_the_code():
    rows = re.findall(r"^\| `([\w.]+)(\(.*\))` \|", PAGES["docs/own-policy.md"], flags=re.MULTILINE)
    assert len(rows) == 13
    for name, printed in rows:
        kind, _, method = name.partition(".")
        made = getattr(adapters if kind == "Adapted" else policies, kind)
        parts = list(inspect.signature(getattr(made, method or "__init__")).parameters.values())[1:]
        assert printed == str(inspect.Signature([part.replace(annotation=part.empty) for part in parts])), name


def test_every_extra_is_named_where_one_installs():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    rows = re.findall(r"^\| `(\w+)` \|", PAGES["docs/installation.md"], flags=re.MULTILINE)
    assert sorted(rows) == sorted(extras)
    named = {extra for text in PAGES.values() for extra in re.findall(r"(?:banditproof|\.|\.whl)\[([\w,]+)\]", text)}
    assert {one for names in named for one in names.split(",")} <= set(extras)


def test_the_severities_are_explained_where_the_pages_say():
    table = re.findall(r"^\| ([A-E]-?) \|", PAGES["docs/read-a-finding.md"], flags=re.MULTILINE)
    assert table == list(SEVERITIES)
    assert "[the table](read-a-finding.md)" in PAGES["docs/verdicts.md"]


def test_what_blind_readers_found_narrower_says_so():
    """Each item of the table is one, and those that are `restricted since` the readings are restricted."""
    load()
    with (ROOT / "docs" / "blind-readings.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    said = Counter(row["ours"] for row in rows) | Counter(row["word"] for row in rows)
    page = PAGES["docs/blind-readings.md"]
    for words, name in (("is the same", "same"), ("is wider", "wider"), ("is narrower", "narrower")):
        assert f"| ours {words} | {said[name]} |" in page
    for row in rows:
        assert (row["word"] == "restricted since") <= bool(resolve(row["item"]).restricted), row["item"]
