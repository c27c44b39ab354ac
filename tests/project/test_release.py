"""What is released has one version everywhere, and works in a fresh environment of every Python that is claimed."""

import json
import os
import re
import subprocess
from pathlib import Path
from shutil import copytree, which

import pytest

EXTRAS = "report,fast,pdf"  # as docs/installation.md installs it
ABLE = "import ensurepip, sys, venv; print('%d.%d' % sys.version_info[:2])"
CLAIMS = {  # proved in the kernel, proved by a stored tree, refuted
    "TH-P2.7/approximate": "proved",
    "TH-T2.26/pinsker": "proved",
    "BDP-E-G2/change-is-plotted": "refuted",
}


def test_the_version_is_the_same_everywhere(root, pyproject):
    version = pyproject["project"]["version"]
    pages = {path: path.read_text(encoding="utf-8") for path in (root / "README.md", *(root / "docs").glob("*.md"))}
    wheels = {(path.name, v) for path, text in pages.items() for v in re.findall(r"banditproof-(\d[^-]*)-py3", text)}
    assert wheels and {v for _, v in wheels} == {version}
    citation = (root / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^version: (.*)$", citation, flags=re.MULTILINE) == [version]


def test_the_newest_version_of_the_changelog_is_that_of_the_project(root, pyproject):
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.*)$", text, flags=re.MULTILINE)
    assert [h for h in headings if not re.fullmatch(r"\d+\.\d+\.\d+ \((unreleased|\d{4}-\d\d-\d\d)\)", h)] == []
    versions = [tuple(map(int, heading.split()[0].split("."))) for heading in headings]
    assert versions == sorted(set(versions), reverse=True)
    assert headings[0].split()[0] == pyproject["project"]["version"]
    assert [heading for heading in headings[1:] if "unreleased" in heading] == []


STANDS_FOR = {  # programs of the environment that do not build or try anything
    "python": 'mkdir -p "${7%/source}/dist" && touch "${7%/source}/dist/banditproof-0.1.0.tar.gz"',
    "twine": "exit 0",
    "pytest": 'grep "^## " CHANGELOG.md',
}


@pytest.fixture
def checkout(root, tmp_path):
    """A repository with a version to release; `git(...)` runs there, `release()` with stand-ins for programs."""
    place, programs = tmp_path / "checkout", tmp_path / "venv" / "bin"
    copytree(root / ".ci", place / ".ci")
    (place / "pyproject.toml").write_text('[project]\nversion = "0.1.0"\n')
    (place / "CHANGELOG.md").write_text("# Changelog\n\n## 0.1.0 (unreleased)\n")
    (place / ".gitignore").write_text(".release\n/dist/\n")
    programs.mkdir(parents=True)
    identity = {f"GIT_{who}_{what}": "somebody" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    seen = {
        **os.environ,
        **identity,
        "VENV": str(tmp_path / "venv"),
        "WITHOUT": "",
        "GIT_CEILING_DIRECTORIES": str(tmp_path),
    }

    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=place, env=seen, check=True, capture_output=True, text=True).stdout

    def release(**changed: str) -> subprocess.CompletedProcess[str]:
        for name, script in (STANDS_FOR | changed).items():
            (programs / name).write_text(f"#!/bin/sh\n{script}\n")
            (programs / name).chmod(0o755)
        return subprocess.run([place / ".ci" / "release"], cwd=place, env=seen, capture_output=True, text=True)

    git("init", "--quiet")
    git("add", ".")
    git("commit", "--quiet", "--message", "First")
    return place, git, release


def test_a_release_is_dated_tagged_and_in_dist(checkout):
    place, git, release = checkout
    done = release()
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^## 0.1.0 \(\d{4}-\d\d-\d\d\)$", (place / "CHANGELOG.md").read_text(), flags=re.MULTILINE)
    assert git("rev-parse", "v0.1.0^{commit}") == git("rev-parse", "HEAD") and git("status", "--porcelain") == ""
    assert [path.name for path in (place / "dist").iterdir()] == ["banditproof-0.1.0.tar.gz"]
    assert not (place / ".release").exists() and len(git("worktree", "list").splitlines()) == 1
    again = release()
    assert again.returncode == 1 and "there is a tag v0.1.0" in again.stderr


@pytest.mark.parametrize("program", STANDS_FOR)
def test_what_fails_in_a_release_leaves_all_as_it_was(checkout, program):
    place, git, release = checkout
    before = git("rev-parse", "HEAD")
    assert release(**{program: "exit 1"}).returncode == 1
    assert (git("rev-parse", "HEAD"), git("tag"), git("status", "--porcelain")) == (before, "", "")
    assert not (place / "dist").exists() and not (place / ".release").exists()


@pytest.mark.parametrize(("file", "said"), [("new.txt", "commit or remove first"), ("CHANGELOG.md", "has no line")])
def test_what_is_not_committed_or_not_in_the_changelog_is_not_released(checkout, file, said):
    place, git, release = checkout
    (place / file).write_text("other")
    if file == "CHANGELOG.md":
        git("commit", "--quiet", "--all", "--message", "Second")
    done = release()
    assert done.returncode == 1 and said in done.stderr and git("tag") == ""


def interpreter(version: str) -> Path | None:
    """A Python of this version that can make environments: on the path, or among those of pyenv."""
    installed = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for program in (which(f"python{version}"), *sorted(installed.glob(f"{version}.*/bin/python"))):
        if program and subprocess.run([program, "-c", ABLE], capture_output=True, text=True).stdout.strip() == version:
            return Path(program)
    return None


@pytest.fixture(scope="module")
def fresh(request, claimed_python, wheel, run, root, tmp_path_factory) -> Path:
    """A new environment of a claimed Python with the wheel and pytest, from the package index."""
    if not request.config.getoption("--distributions"):
        pytest.skip("a release is tried by make release")
    if claimed_python in request.config.getoption("--without"):
        pytest.skip(f"Python {claimed_python} is not tried: it was left out by name")
    python = interpreter(claimed_python)
    assert python, (
        f"Python {claimed_python} is claimed and is not on this machine (WITHOUT={claimed_python} leaves it out)"
    )
    place = tmp_path_factory.mktemp(f"python{claimed_python}-")
    run(python, "-m", "venv", place)
    pip = [place / "bin" / "python", "-m", "pip", "install", "--quiet", "--constraint", root / "constraints.txt"]
    run(*pip, f"{wheel}[{EXTRAS}]", "pytest")
    return place


def tried(fresh: Path, folder: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs a command of the environment as its user would: in a folder of his own, with nothing of ours on the path."""
    command = [fresh / "bin" / words[0], *words[1:]]
    ours = ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "PYTEST_ADDOPTS")
    seen = {name: value for name, value in os.environ.items() if name not in ours}
    return subprocess.run([str(word) for word in command], cwd=folder, env=seen, capture_output=True, text=True)


def test_every_module_imports_there(fresh, module_names, imported_from):
    places = imported_from(fresh, module_names)
    assert [name for name in module_names if not places[name].is_relative_to(fresh)] == []


def test_claims_have_their_verdicts_there_and_their_evidence_verifies_again(fresh, tmp_path):
    asked = [word for name in CLAIMS for word in ("--claim", name)]
    done = tried(fresh, tmp_path, "banditproof", "check", *asked, "--output", "report")
    assert done.returncode == 0, done.stdout + done.stderr
    (results,) = tmp_path.glob("report/**/results.json")
    verdicts = {claim["id"]: claim["verdict"] for claim in json.loads(results.read_text())["claims"]}
    assert {name: verdicts[name] for name in CLAIMS} == CLAIMS
    assert (results.parent / "index.html").exists()
    again = tried(fresh, tmp_path, "banditproof", "recheck", results)
    assert again.returncode == 0 and ": 0 problems" in again.stdout, again.stdout + again.stderr


def test_the_tutorial_of_the_plugin_fails_there_and_passes_when_mended(fresh, root, tmp_path):
    page = (root / "docs" / "engineer.md").read_text(encoding="utf-8")
    code = re.findall(r"```py\n(.*?)```", page, flags=re.DOTALL)[0]
    for text, status in ((code, 1), (code.replace("sensitivity=0.5", "sensitivity=1"), 0)):
        (tmp_path / "test_policy.py").write_text(text)
        done = tried(fresh, tmp_path, "python", "-m", "pytest", "-q", "test_policy.py")
        assert done.returncode == status, done.stdout + done.stderr


def test_the_example_of_a_document_is_checked_there(fresh, root, install, tmp_path):
    install(fresh, copytree(root / "examples" / "coin_paper", tmp_path / "coin_paper"))
    done = tried(fresh, tmp_path, "banditproof", "check", "--paper", "coin", "--output", "report")
    assert done.returncode == 0, done.stdout + done.stderr
    claims = json.loads((tmp_path / "report" / "results.json").read_text())["claims"]
    assert {c["id"]: c["verdict"] for c in claims} == {"COIN-T1": "proved", "COIN-L2": "proved", "COIN-S3": "refuted"}
