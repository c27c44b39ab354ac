"""Without extras every command does its work: what an extra would add is left out, with a line that names the extra."""

import re
import textwrap

import pytest

from tests.cases import rows, texts

TEXTS = texts(__file__)

IMPORTED_AS = {"dp-accounting": "dp_accounting", "scikit-learn": "sklearn"}
ACTIONS = "1,0\n0,1\n1,1\n"
DRAFT = "\n" + TEXTS["draft"]
HIDING = "\n" + TEXTS["hiding"]


@pytest.fixture(scope="module")
def base(pyproject, warm, tmp_path_factory):
    """Runs Python where no package of an extra can be found; returns the finished process."""
    folder, place = tmp_path_factory.mktemp("hiding"), tmp_path_factory.mktemp("base")
    extras = pyproject["project"]["optional-dependencies"]
    needed = [re.match(r"[\w-]+", r)[0] for name in extras.keys() - {"all"} for r in extras[name]]
    hidden = {IMPORTED_AS.get(name, name) for name in needed}
    (folder / "sitecustomize.py").write_text(textwrap.dedent(HIDING).format(hidden=hidden))
    (place / "actions.csv").write_text(ACTIONS)
    (place / "draft_of_base.py").write_text(textwrap.dedent(DRAFT))

    with warm(PYTHONPATH=str(folder)) as python:

        def run(*arguments):
            if arguments[0] == "-c":
                (place / "program.py").write_text(arguments[1])
                arguments = [place / "program.py"]
            return python(*arguments, folder=place)

        yield run


EXTRAS = ["jinja2", "latex2mathml", "matplotlib", "numba", "cvxpy", "dp_accounting", "dask", "sklearn"]


@pytest.mark.parametrize("package", EXTRAS)
def test_what_extras_bring_cannot_be_found_here(base, package):
    assert base("-c", f"import {package}").returncode == 1


def test_every_module_can_be_imported_but_the_compiled_loops_and_the_plugin_of_pytest(base, module_names):
    folders = ("run", "adversarial", "contextual", "identification")
    loops = {f"banditproof.algorithms.{folder}.loops" for folder in folders}
    of_extras = {
        *loops,
        "banditproof.algorithms.run.batched_loops",
        "banditproof.theory.laws.compiling",
        "banditproof.verify.testing.plugin",
    }
    names = [name for name in module_names if name not in of_extras]
    done = base("-c", f"import importlib\nfor name in {names}: importlib.import_module(name)")
    assert done.returncode == 0, done.stderr


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("command", "extra"), rows(TEXTS["commands"], data=(1,)))
def test_a_command_does_its_work_and_names_in_one_line_what_an_extra_would_add(base, command, extra):
    done = base("-m", "banditproof.cli", *command.split())
    assert done.returncode == 0 and done.stdout and "Traceback" not in done.stderr, done.stderr
    named = [line for line in done.stderr.splitlines() if "banditproof[" in line]
    assert [re.findall(r"pip install 'banditproof\[(\w+)\]'", line) for line in named] == ([[extra]] if extra else [])


def test_results_of_the_base_installation_are_checked_again_by_it(base):
    options = ["--format", "junit", "--workers", "1", "--output", "again"]
    base("-m", "banditproof.cli", "check", "--module", "draft_of_base.py", *options)
    done = base("-m", "banditproof.cli", "recheck", "again/results.json", "--module", "draft_of_base.py")
    assert done.returncode == 0 and "for 1 claims checked again: 0 problems" in done.stdout


def test_a_page_that_was_asked_for_by_name_is_refused_before_the_work(base):
    done = base("-m", "banditproof.cli", "check", "--claim", "BDP-FigB", "--format", "html", "--output", "page")
    assert done.returncode == 2 and "banditproof[report]" in done.stderr and len(done.stderr.splitlines()) == 1


STUDIES = "\n" + TEXTS["studies"]


def test_simulations_at_every_pull_run_without_compiled_loops(base):
    done = base("-c", STUDIES)
    assert done.returncode == 0 and done.stdout.split() == ["5", "5", "1"], done.stderr


def test_an_accounting_names_its_extra(base):
    done = base("-c", "from banditproof.verify.runs.ledger import accounting as a; a('pld')")
    assert done.returncode == 1 and "install banditproof[audit]" in done.stderr.splitlines()[-1]


def test_digits_that_were_asked_for_by_name_are_refused_before_the_work(base):
    done = base("-m", "banditproof.cli", "trace", "--data", "digits")
    assert done.returncode == 2 and "banditproof[train]" in done.stderr and len(done.stderr.splitlines()) == 1
