"""What type checkers see of the wheel: every public name has a type, right code passes, mistakes are seen."""

import json
import os
import re
import subprocess
import sys
from importlib import import_module
from typing import Annotated, get_origin

import pytest

from banditproof.theory.face import modules_behind
from tests.cases import texts

TEXTS = texts(__file__)

ROOMS = ("theory", "algorithms", "verify", "claims")
NAMES = [(room, name) for room in ROOMS for name in modules_behind(f"banditproof.{room}")]
SETS = [  # what an annotation of a claim's variable prints: the variable is of every number system in turn
    (room, name) for room, name in NAMES if get_origin(getattr(import_module(f"banditproof.{room}"), name)) is Annotated
]

USE = TEXTS["use"]
RIGHT = TEXTS["right"]
MISTAKES = TEXTS["mistakes"]
FILES = {
    "names": "import banditproof\n" + "".join(f"reveal_type(banditproof.{room}.{name})\n" for room, name in NAMES),
    "right": USE + RIGHT,
    "mistakes": USE + MISTAKES,
}


def pyright(folder, python):
    told = checker(folder, "pyright", "--outputjson", "--pythonpath", python, *(f"{name}.py" for name in FILES))
    for said in json.loads(told)["generalDiagnostics"]:
        name = re.search(r"(\w+)\.py$", said["file"])[1]
        yield name, said["range"]["start"]["line"], said["severity"], said["message"]


def mypy(folder, python):
    told = checker(folder, "mypy", "--python-executable", python, *(f"{name}.py" for name in FILES))
    for name, line, severity, message in re.findall(r"^(\w+)\.py:(\d+): (\w+): (.*)$", told, flags=re.MULTILINE):
        yield name, int(line) - 1, severity, message


def checker(folder, name, *arguments):
    seen = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "MYPYPATH")}
    return subprocess.run(
        [sys.executable, "-m", name, *map(str, arguments)], cwd=folder, env=seen, capture_output=True, text=True
    ).stdout


@pytest.fixture(scope="module", params=[pyright, mypy], ids=["pyright", "mypy"])
def told(request, environment, tmp_path_factory):
    """What a checker says in the project of a user of the wheel: (file, line from 0, severity, message)."""
    folder = tmp_path_factory.mktemp("project")
    for name, source in FILES.items():
        (folder / f"{name}.py").write_text(source)
    return list(request.param(folder, environment / "bin" / "python"))


def test_every_public_name_has_a_type(told):
    types = {line: re.search(r'(?: is |type is )"(.*)"$', m)[1] for file, line, s, m in told if file == "names"}
    assert list(types) == list(range(1, len(NAMES) + 1))
    shown = dict(zip(NAMES, types.values(), strict=True))
    erased = [
        name for name, said in shown.items() if said in ("Any", "Unknown") or re.search("Unknown|[*]args: Any", said)
    ]
    assert sorted({*erased} - {*SETS}) == []


def test_right_code_has_no_error(told):
    assert [(FILES["right"].splitlines()[line], m) for file, line, s, m in told if file == "right"] == []


def test_every_planted_mistake_is_seen_and_nothing_else(told):
    lines = FILES["mistakes"].splitlines()
    seen = {lines[line] for file, line, severity, _ in told if (file, severity) == ("mistakes", "error")}
    assert seen == set(MISTAKES.splitlines())
