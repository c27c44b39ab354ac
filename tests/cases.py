"""Cases of tests: those that stand beside them as text, calls that are refused, and values of one argument."""

import json
import re
from functools import cache
from pathlib import Path

import pytest

from banditproof.theory.errors import InvalidInput


def each(**values):
    """A name and one of its values at a time, for `pytest.mark.parametrize`; a case is called `name=value`."""
    return [pytest.param(name, value, id=f"{name}={value}") for name, several in values.items() for value in several]


def texts(file):
    """The parts of the text beside a test file (`slips.txt` of `test_slips.py`), by the lines `=== name` above them."""
    path = Path(file)
    text = path.with_name(f"{path.stem.removeprefix('test_')}.txt").read_text(encoding="utf-8")
    _, *parts = re.split(r"^=== (.+)\n", text, flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def parts(texts, kind):
    """The parts whose headings begin with a kind, `kind: name`, by their names."""
    return {head.partition(": ")[2]: text for head, text in texts.items() if head.startswith(f"{kind}: ")}


def lines(text):
    """The lines of a part, without those that are empty or remarks behind `# `."""
    return [line for line in text.split("\n") if line and not line.startswith("# ")]


def rows(text, data=()):
    """The lines of a part as tuples of their cells, between tabs; columns that are `data` are JSON."""
    cells = (line.split("\t") for line in lines(text))
    return [tuple(json.loads(c) if k in data else c for k, c in enumerate(row)) for row in cells]


def leaves(node, way=()):
    """The ways to the parts of data that hold no others: where something can be altered."""
    items = node.items() if isinstance(node, dict) else enumerate(node)
    for key, part in items:
        if isinstance(part, dict | list):
            yield from leaves(part, (*way, key))
        else:
            yield (*way, key)


def refused(file):
    """The calls of the text beside a test file that are refused: the head of their part, its Python, a call, its words.

    A head may end with what is raised, `: TypeError`. The lines of a part without a tab are Python that runs before.
    """
    found = []
    for head, text in texts(file).items():
        before = re.sub(r"^.*\t.*\n", "", text, flags=re.MULTILINE)
        calls = (line.split("\t") for line in text.split("\n") if "\t" in line)
        found += [pytest.param(head, before, call, words, id=f"{head}, {call}") for call, words in calls]
    return found


@cache
def names_of(head, before):
    """What the Python of a part gives names to, and what its calls raise."""
    names = {"InvalidInput": InvalidInput}
    exec(before, names)
    return names, eval(head.partition(": ")[2] or "InvalidInput", names)


def assert_refused(head, before, call, words):
    """A call raises what its part says, with these words or what a regular expression stands for."""
    names, raised = names_of(head, before)
    with pytest.raises(raised) as told:
        eval(call, names)
    assert words in str(told.value) or re.search(words, str(told.value)), str(told.value)
