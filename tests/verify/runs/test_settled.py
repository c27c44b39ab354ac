"""Which branches are excused: those that an option or a default settles, and never one that rewards could take."""

import dataclasses
import re
import sys
from textwrap import dedent, indent

import pytest

from banditproof.verify.own_code import OwnCode
from banditproof.verify.runs.coverage import Coverage
from banditproof.verify.runs.possible_rewards import PossibleRewards
from tests.cases import parts, texts

TEXTS = texts(__file__)

HEAD = "\n" + TEXTS["head"]


def unreached(tmp_path, source):
    """What is said never to have run when a policy with these methods has heard a reward of 0, twice."""
    file = tmp_path / "policy.py"
    file.write_text(HEAD + indent(dedent(source), "    "))
    names, own = {"__name__": "policy"}, OwnCode()
    coverage = Coverage(own)
    sys.modules["policy"] = type(sys)("policy")  # where dataclasses look for their module
    try:
        exec(compile(file.read_text(), str(file), "exec"), names)
        with coverage.building():
            policy = names["P"]()
        with coverage.collecting():
            for _ in range(2):
                policy.observe([0.0], [1])
    finally:
        del sys.modules["policy"]
    return coverage.unreached()


EXCUSED = parts(TEXTS, "excused")


@pytest.mark.parametrize("source", EXCUSED.values(), ids=EXCUSED)
def test_what_an_option_or_a_default_settles_is_excused(tmp_path, source):
    assert unreached(tmp_path, source) == ()


REWARDS_DECIDE = parts(TEXTS, "rewards decide")


@pytest.mark.parametrize("source", REWARDS_DECIDE.values(), ids=REWARDS_DECIDE)
def test_what_rewards_could_decide_is_never_excused(tmp_path, source):
    never = " ".join(unreached(tmp_path, source))
    lines = (line.strip() for line in source.splitlines() if "helper" not in line and "chosen(" not in line)
    guilty = [line for line in lines if re.search(r"return .*\bx\b|x if flag|first if", line)]
    assert any(line in never for line in guilty or ["in helper:", "in chosen:"])


def test_what_dataclass_wraps_around_a_class_is_no_code_of_its_own():
    """Its methods are of files of the standard library, where attributes are set by name."""

    @dataclasses.dataclass
    class Rounds:
        forget: bool = False

    own = OwnCode()
    own.adopt(Rounds())
    assert own.files() - {"<string>"} == {__file__}


# Of the reward that is told, in a method or in a function that gets it; all possible rewards are in [0, 1].
GUARDS = parts(TEXTS, "guard")
NO_GUARDS = parts(TEXTS, "no guard")


def never_ran(tmp_path, source):
    text = "import math\nimport numpy as np\nclass OWN:\n    isnan = lambda x: x > 9\nclass P:\n    seen = 0\n"
    (tmp_path / "guarded.py").write_text(text + indent(source, "    ") + "\n")
    scope: dict = {"__name__": "guarded"}
    own = OwnCode()
    own.names.add("guarded")
    coverage = Coverage(own)
    coverage.outside, coverage.possible = frozenset({"update"}), PossibleRewards()
    exec(compile((tmp_path / "guarded.py").read_text(), tmp_path / "guarded.py", "exec"), scope)
    policy, first = scope["P"](), source.partition("update(self, ")[2].startswith("r")
    own.adopt(policy)
    with coverage.collecting():
        for reward in (0.2, 0.4, 0.6):
            policy.update(*((reward, 0) if first else (0, reward)))
    return coverage.unreached()


@pytest.mark.parametrize("source", GUARDS.values(), ids=GUARDS)
def test_what_no_possible_reward_reaches_is_excused(tmp_path, source):
    assert not never_ran(tmp_path, source)


@pytest.mark.parametrize("source", NO_GUARDS.values(), ids=NO_GUARDS)
def test_what_a_possible_reward_or_something_else_could_reach_is_asked_for(tmp_path, source):
    assert never_ran(tmp_path, source)
