"""Claims of drafts that stand in the tests."""

import sys
import textwrap
from contextlib import contextmanager

import pytest

from banditproof.claims import REGISTER, load_module


@contextmanager
def drafts(folder):
    """A function that writes a draft into a file and registers its claims; in the end the register is as before."""
    before, loaded = {}, []

    def load_draft(text, name):
        if not loaded:
            before.update(REGISTER)
        path = folder / f"{name}.py"
        path.write_text(textwrap.dedent(text))
        loaded.append(name)
        load_module(path)
        return path

    yield load_draft
    if loaded:
        REGISTER.clear()
        REGISTER.update(before)
    for name in loaded:
        sys.modules.pop(name, None)


@pytest.fixture
def load_draft(tmp_path):
    with drafts(tmp_path) as load:
        yield load


@pytest.fixture(scope="module")
def load_draft_once(tmp_path_factory):
    with drafts(tmp_path_factory.mktemp("drafts")) as load:
        yield load
