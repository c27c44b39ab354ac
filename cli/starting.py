"""``banditproof init``: a first test in a project of one's own, and a workflow that runs it."""

from __future__ import annotations

import re
from pathlib import Path

from banditproof.algorithms.run.checkpoints import write_atomically
from banditproof.theory.errors import InvalidInput

FIRST_TEST = '''\
"""The privacy of our policies, checked by banditproof."""

from banditproof.algorithms import DPIMED, GeometricBatches
from banditproof.theory import Budget
from banditproof.verify import assert_private


def make_policy(noise, generator):
    """A policy with one replication, which draws its noise from `noise`: put your own here.

    One that draws from NumPy by itself is checked as it is: assert_private(replayed(MyPolicy), Budget.pure(0.5)), with
    `from banditproof.verify import replayed`.
    """
    return DPIMED(3, Budget.pure(0.5), GeometricBatches(2), noise, generator=generator)


def test_privacy():
    assert_private(make_policy, Budget.pure(0.5))
'''

WORKFLOW = """\
name: privacy
on: [push, pull_request]
jobs:
  privacy:
    runs-on: ubuntu-latest
    timeout-minutes: 20
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.11"
      - run: pip install vendor/banditproof-*.whl pytest
      - run: python -m pytest tests --junitxml=privacy.xml
      # Claims of a document of yours:
      # - run: banditproof check --module draft.py --fail-on refuted --format github
"""

BADGE = (
    "[![privacy](https://github.com/{repository}/actions/workflows/privacy.yml/badge.svg)]"
    "(https://github.com/{repository}/actions/workflows/privacy.yml)"
)
"""For a README: whether the workflow passes."""


def repository_of(folder: Path) -> str:
    """`OWNER/NAME` as the folder's git configuration names its origin, else these two words."""
    config = folder / ".git" / "config"
    text = config.read_text(errors="replace") if config.is_file() else ""
    origin = re.search(r"github\.com[:/]([\w.-]+/[\w.-]+?)(?:\.git)?\s*$", text, re.MULTILINE)
    return origin[1] if origin else "OWNER/NAME"


def start(folder: Path, ci: bool) -> int:
    """Write the first test, and the workflow where it is asked for; what exists is left as it is, and said."""
    if not folder.is_dir():
        raise InvalidInput("folder", str(folder), "a folder that exists")
    wanted = {folder / "tests" / "test_privacy.py": FIRST_TEST}
    wanted |= {folder / ".github" / "workflows" / "privacy.yml": WORKFLOW} if ci else {}
    for path, text in wanted.items():
        if path.exists():
            print(f"not changed, because it exists: {path}")
            continue
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, text.encode())
        except OSError as error:
            raise InvalidInput("folder", str(folder), f"a writable folder ({error.strerror})") from error
        print(f"written: {path}")
    print("next: python -m pytest tests/test_privacy.py (pip install pytest), then put your policy into make_policy")
    if ci:
        print("badge for your README:", BADGE.format(repository=repository_of(folder)), sep="\n")
    if ci and not list(folder.glob("vendor/banditproof-*.whl")):
        print(
            "the workflow installs vendor/banditproof-*.whl, which does not exist yet: put the wheel into that folder"
        )
    return 0
