"""Which branches are excused: those that an option or a default settles, and never one that rewards could take."""

import dataclasses
import re
import sys
from textwrap import dedent, indent

import pytest

from banditproof.verify.own_code import OwnCode
from banditproof.verify.runs.coverage import Coverage
from banditproof.verify.runs.possible_rewards import PossibleRewards

HEAD = """
import dataclasses, enum
import numpy as np
from banditproof.algorithms import Policy

class Mode(enum.Enum):
    NOISE = 1
    ZERO = 2

@dataclasses.dataclass(frozen=True)
class Frozen:
    clip: bool = False
    seen: list = dataclasses.field(default_factory=list)

CONFIG = {"clip": False}

class Settings:
    def __init__(self, **given):
        self.clip = False
        self.__dict__.update(given)

class Counter:
    def __init__(self):
        self.mode = 0
    def add(self):
        self.mode += 1

class Beside:  # never made: what it does to its own attributes, and how it calls, is not asked
    def __init__(self):
        self.mode = self.epsilon = 0
    def touch(self, x):
        self.mode, self.epsilon = x, x
        self.g(x, x > 9)
        helper(x, x > 9)

def helper(x, flag):
    return x if flag else 0

def chosen(mode, x):
    if mode == "noise":
        return 0
    return x

def passes(how, x):
    return chosen(how, x)

class P(Policy):
    kind = "noise"

    def __init__(self, mode="noise", config=None, epsilon=1.0, frozen=Frozen()):
        super().__init__(2)
        self.mode, self.epsilon, self.chosen, self.frozen = mode, epsilon, Mode.NOISE, frozen
        self.config = {"clip": False, **(config or {})}
        self.sums, self.log = np.zeros(2), {}
        self.settings, self.counter, self.flag = Settings(), Counter(), False

    def next_batch(self):
        return np.array([0]), np.array([1])

    def observe(self, total, count, arm=None):
        x = float(total[0])
        self.log["x"] = x
        self.sums[0] += x
        self.f(x)
"""


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


EXCUSED = {
    "or": "def f(self, x, epsilon=None):\n    return x / (epsilon or self.epsilon)",
    "and": "def f(self, x, flag=False):\n    return flag and x",
    "the filter of a comprehension": "def f(self, x):\n    return [s for s in self.sums if self.epsilon]",
    "an option or a constant": "def f(self, x):\n    return x / (self.epsilon or 1.0)",
    "if None": """
        def f(self, x, epsilon=None):
            if epsilon is None:
                epsilon = self.epsilon
            return x / epsilon
    """,
    "if not": """
        def f(self, x, epsilon=None):
            if not epsilon:
                epsilon = self.epsilon
            return x / epsilon
    """,
    "a conditional expression": """
        def f(self, x, epsilon=None):
            epsilon = self.epsilon if epsilon is None else epsilon
            return x / epsilon
    """,
    "under a new name": """
        def f(self, x, epsilon=None):
            e = self.epsilon if epsilon is None else epsilon
            return x / e
    """,
    "match": """
        def f(self, x):
            match self.mode:
                case "noise":
                    return 0
                case "zero" | "none":
                    return x
                case _:
                    return 2 * x
    """,
    "match of a member": """
        def f(self, x):
            match self.chosen:
                case Mode.NOISE:
                    return 0
                case Mode.ZERO:
                    return x
    """,
    "a member": "def f(self, x):\n    if self.chosen is Mode.ZERO:\n        return x",
    "a dictionary": "def f(self, x):\n    if self.config['clip']:\n        return x",
    "a dictionary's get": "def f(self, x):\n    if self.config.get('clip', False):\n        return x",
    "a frozen configuration": "def f(self, x):\n    if self.frozen.clip:\n        return x",
    "an attribute of the class": "def f(self, x):\n    if self.kind == 'zero':\n        return x",
    "an option": "def f(self, x):\n    if self.mode == 'zero':\n        return x",
    "an early return": "def f(self, x):\n    if self.mode == 'noise':\n        return 0\n    return x",
    "two early returns": """
        def f(self, x):
            if self.mode == "zero":
                return x
            elif self.mode == "noise":
                return 0
            y = x
            return y
    """,
    "continue": """
        def f(self, x):
            for k in range(2):
                if self.mode == "noise":
                    continue
                return x
    """,
    "an early return by match": """
        def f(self, x):
            match self.mode:
                case "noise":
                    return 0
            return x
    """,
    "an option handed to a function": "def f(self, x):\n    return chosen(self.mode, x)",
    "an option handed on twice": "def f(self, x):\n    return passes(how=self.mode, x=x)",
    "an option handed to a method": """
        def f(self, x):
            self.g(x, self.mode)
        def g(self, x, how):
            return x if how == "zero" else 0
    """,
    "constants at every call": "def f(self, x):\n    return helper(x, False) + helper(0, flag=False)",
    "options joined at the call": """
        def f(self, x):
            return self.g(x, **self.config) + self.h(x, **self.config)
        def g(self, x, clip=True, how="noise"):
            return x if clip else 0
        def h(self, x, clip=True, how="noise"):
            return 0 if how == "noise" else x
    """,
    "a member handed on": """
        def f(self, x):
            self.g(x, Mode.NOISE)
        def g(self, x, how):
            return x if how is Mode.ZERO else 0
    """,
    "an option beside a reward": "def f(self, x):\n    if x > 9 and self.mode == 'zero':\n        return x",
    "an option before a reward": "def f(self, x):\n    if self.mode == 'zero' and x > 9:\n        return x",
    "or of an option": "def f(self, x):\n    if x > 9 or self.mode == 'noise':\n        return 0\n    return x",
    "an option of a configuration": "def f(self, x):\n    if self.settings.clip:\n        return x",
    "an attribute that another class counts": """
        def f(self, x):
            self.counter.add()
            if self.mode == "zero":
                return x
    """,
}


@pytest.mark.parametrize("source", EXCUSED.values(), ids=EXCUSED)
def test_what_an_option_or_a_default_settles_is_excused(tmp_path, source):
    assert unreached(tmp_path, source) == ()


REWARDS_DECIDE = {
    "the filter of a comprehension": "def f(self, x):\n    return [k for k in range(2) if self.log['x'] < 9]",
    "or of a reward": "def f(self, x, epsilon=None):\n    return epsilon or x or self.epsilon",
    "and of a reward": "def f(self, x, flag=True):\n    return flag and x and self.sums[0]",
    "a parameter that is given": """
        def f(self, x):
            self.g(x, x > 9)
        def g(self, x, flag=False):
            if flag:
                return x
    """,
    "a parameter that a star gives": """
        def f(self, x):
            self.g(x, *[x > 9])
        def g(self, x, flag=False):
            return x if flag else 0
    """,
    "set before": "def f(self, x, flag=None):\n    flag = x > 9\n    if flag:\n        return x",
    "set before, in a branch": """
        def f(self, x, flag=None):
            if x >= 0:
                flag = x > 9
            if flag:
                return x
    """,
    "set in a loop, after": """
        def f(self, x, flag=False):
            for k in range(2):
                if flag:
                    return x
                flag = x > 9
    """,
    "set in a while loop, after": """
        def f(self, x, flag=False):
            k = 0
            while k < 2:
                y = x if flag else 0
                flag, k = x > 9, k + 1
            return y
    """,
    "set by a pattern": """
        def f(self, x, flag=False):
            match x > 9:
                case flag:
                    pass
            if flag:
                return x
    """,
    "set by the walrus": "def f(self, x, flag=False):\n    y = (flag := x > 9)\n    return x if flag else y",
    "set in a lambda's past": """
        def f(self, x, flag=False):
            g = lambda: x if flag else 0
            flag = x > 9
            return g()
    """,
    "a default that keeps what it is given": """
        def f(self, x, seen=[]):
            if len(seen) > 9:
                return x
            if seen and seen[-1] > 0.5:
                return x
            seen.append(x)
    """,
    "a mutable default by its truth": """
        def f(self, x, seen=[]):
            if seen:
                return x
            if x > 9:
                seen.append(x)
    """,
    "a default made in a run": """
        def f(self, x):
            def g(flag=x > 9):
                if flag:
                    return x
            return g()
    """,
    "match of a reward": """
        def f(self, x):
            match x:
                case 0.0:
                    return 0
                case 9.0:
                    return x
    """,
    "a guard": """
        def f(self, x):
            match self.mode:
                case "noise" if x > 9:
                    return x
                case _:
                    return 0
    """,
    "after a guard": """
        def f(self, x):
            match self.mode:
                case "noise" if x < 9:
                    return 0
                case _:
                    return x
    """,
    "a pattern of a reward": """
        def f(self, x):
            match self.epsilon:
                case self.epsilon if x > 9:
                    return x
    """,
    "an item that is set": """
        def f(self, x):
            self.config["clip"] = x > 9
            if self.config["clip"]:
                return x
    """,
    "an item that is set by a variable": """
        def f(self, x):
            for name in ("clip",):
                self.config[name] = x > 9
            if self.config["clip"]:
                return x
    """,
    "an item that is updated": """
        def f(self, x):
            self.config.update(clip=x > 9)
            if self.config['clip']:
                return x
    """,
    "an item that is joined": """
        def f(self, x):
            self.config |= {'clip': x > 9}
            if self.config['clip']:
                return x
    """,
    "an item under another name": """
        def f(self, x):
            c = self.config
            c["clip"] = x > 9
            if self.config["clip"]:
                return x
    """,
    "an item that a method of it sets": """
        def f(self, x):
            put = self.config.update
            put(clip=x > 9)
            if self.config["clip"]:
                return x
    """,
    "an item that is handed on": """
        def f(self, x):
            self.g(self.config, x)
            if self.config["clip"]:
                return x
        def g(self, items, x):
            items.update(clip=x > 9)
    """,
    "an item of what is written": "def f(self, x):\n    if self.log['x'] > 9:\n        return x",
    "an item of a global": """
        def __init__(self):
            super().__init__(2)
            self.config, self.sums, self.log = CONFIG, [0], {}
        def f(self, x):
            CONFIG["clip"] = x > 9
            if self.config["clip"]:
                return x
    """,
    "a dictionary that is replaced": """
        def f(self, x):
            if self.config['clip']:
                return x
            self.config = {'clip': x > 9}
    """,
    "a property": """
        @property
        def late(self):
            return self.sums[0] > 9
        def f(self, x):
            if self.late:
                return x
    """,
    "a frozen configuration that holds a list": """
        def f(self, x):
            if self.frozen.seen:
                return x
            if x > 9:
                self.frozen.seen.append(x)
    """,
    "an object that a run makes": """
        class Arm:
            def __init__(self, first):
                self.first = first
            def g(self):
                return self.first if self.first > 9 else 0
        def f(self, x):
            return self.Arm(x).g()
    """,
    "an early return by a reward": "def f(self, x):\n    if x < 9:\n        return 0\n    return x",
    "an early return by an option and a reward": """
        def f(self, x):
            if self.mode == "noise" and x < 9:
                return 0
            return x
    """,
    "an else by a reward that leaves": """
        def f(self, x):
            if self.mode == "zero":
                return 1
            elif x < 9:
                return 0
            return x
    """,
    "an option that changes, handed on": """
        def f(self, x):
            y = chosen(self.mode, x)
            if x > 9:
                self.mode = "zero"
            return y
    """,
    "two calls, one of a reward": "def f(self, x):\n    helper(0, False)\n    return helper(x, x > 9)",
    "options joined at the call that change": """
        def f(self, x):
            self.g(x, **self.config)
            self.config["clip"] = x > 9
        def g(self, x, clip=False):
            if clip:
                return x
    """,
    "a function that is handed on": "def f(self, x):\n    return sum(map(helper, [x], [x > 9]))",
    "a variable that is handed on": "def f(self, x):\n    flag = x > 9\n    return helper(x, flag)",
    "a configuration that changes": """
        def f(self, x):
            if self.settings.clip:
                return x
            if x > 9:
                self.settings.clip = True
    """,
    "an attribute that another class sets in this object": """
        class Setter:
            def set(self, owner, x):
                owner.flag = x > 9
        def f(self, x):
            if self.flag:
                return x
            self.Setter().set(self, x)
    """,
    "an attribute that a method of another class sets, called by the class": """
        class Setter:
            def set(self, x):
                self.flag = x > 9
        def f(self, x):
            if self.flag:
                return x
            P.Setter.set(self, x)
    """,
    "an attribute whose name is made": """
        def f(self, x):
            if self.flag:
                return x
            setattr(self, "fl" + "ag", x > 9)
    """,
    "and of a true option": "def f(self, x):\n    if self.mode == 'noise' and x > 9:\n        return x",
}


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


def named_sources(text):
    """What stands below each line that begins with #."""
    parts = (part.partition("\n") for part in dedent(text).split("# ")[1:])
    return {name: source.rstrip() for name, _, source in parts}


# Of the reward that is told, in a method or in a function that gets it; all possible rewards are in [0, 1].
GUARDS = named_sources("""
    # no number
    def update(self, arm, reward):
        if math.isnan(reward):
            return 1
    # infinite
    def update(self, reward, arm):
        if not np.isfinite(reward):
            return 1
    # nothing
    def update(self, arm, r):
        if r is None:
            return 1
    # other than itself
    def update(self, arm, r):
        if r != r:
            return 1
    # outside
    def update(self, arm, r):
        if not 0 <= r <= 1:
            return 1
    # below
    def update(self, arm, r):
        return 1 if r < 0 else 2
    # above
    def update(self, arm, r):
        r = -1 if r > 1 else r
    # another number
    def update(self, arm, r):
        if r == -1:
            return 1
    # in a function
    def clip(self, low, x):
        return low if math.isnan(x) else x
    def update(self, arm, r):
        self.clip(0, r)
    # by name
    def clip(self, x, low=0):
        return low if math.isnan(x) else x
    def update(self, arm, r):
        self.clip(x=r)
""")
NO_GUARDS = named_sources("""
    # a possible reward
    def update(self, arm, reward):
        if reward == 0.25:
            return 1
    # an end
    def update(self, arm, reward):
        if reward <= 0:
            return 1
    # the other end
    def update(self, arm, reward):
        if not 0 <= reward < 1:
            return 1
    # the arm
    def update(self, arm, reward):
        if arm > 5:
            return 1
    # the arm where it comes last
    def update(self, reward, arm):
        if arm > 5:
            return 1
    # set before
    def update(self, arm, reward):
        reward = reward / (reward - 0.9)
        if reward > 1:
            return 1
    # set in a loop
    def update(self, arm, reward):
        for k in range(2):
            if reward > 1:
                return 1
            reward += 0.1
    # another number is given too
    def clip(self, x):
        return -1 if x > 1 else x
    def update(self, arm, r):
        self.clip(r)
        if arm > 5:
            self.clip(9)
    # a sum is given
    def clip(self, x):
        return -1 if x > 1 else x
    def update(self, arm, r):
        self.clip(r + 0.1)
    # handed on
    def clip(self, x):
        return -1 if x > 1 else x
    def update(self, arm, r):
        self.clip(r)
        list(map(self.clip, [0.3]))
    # a method with another name
    def done(self, r):
        return 1 if r > 5 else 2
    def update(self, arm, r):
        self.seen += r
        self.done(self.seen)
    # another isnan
    def update(self, arm, r):
        return 1 if OWN.isnan(r) else 2
    # a second question
    def update(self, arm, r):
        self.seen += r
        if r > 1 or self.seen > 9:
            return 1
    # told by itself as well
    def update(self, arm, r):
        if r > 1:
            return 1
        self.seen += r
        if self.seen > 9:
            self.update(arm, self.seen)
    # two questions of two numbers
    def update(self, arm, r):
        if 0 <= arm > r:
            return 1
""")


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
