"""Lines that never ran: which of them rewards could reach, and which are harmless whatever happens."""

import sys
from textwrap import dedent, indent

import numpy as np
import pytest

from banditproof.verify.own_code import OwnCode
from banditproof.verify.runs.coverage import Coverage
from banditproof.verify.runs.recorder import RecordingNoise
from tests.cases import texts

TEXTS = texts(__file__)

HEAD = "\n" + TEXTS["head"]
LEARN = "\n" + TEXTS["learn"]


def unreached(tmp_path, methods, others="", kind="P"):
    """What is said never to have run when the policy has heard two rewards."""
    file = tmp_path / "policy.py"
    file.write_text(HEAD + indent(dedent(methods), "    ") + others)
    names, coverage = {"__name__": "policy"}, Coverage(OwnCode())
    sys.modules["policy"] = type(sys)("policy")
    try:
        exec(compile(file.read_text(), str(file), "exec"), names)
        with coverage.building():
            policy = names[kind](RecordingNoise(np.random.default_rng(0)))
        coverage.look(policy)
        with coverage.collecting():
            for _ in range(2):
                policy.observe([0.0], [8])
    finally:
        del sys.modules["policy"]
    return coverage.unreached()


def learning(rare, kept="pass"):
    lines = "\n".join(" " * 8 * bool(k) + line for k, line in enumerate(dedent(rare).strip().splitlines()))
    return dedent(LEARN.format(rare=lines, kept=kept))


HARMLESS = {
    "a guard": "if not math.isfinite(noisy):\n    noisy = 0.0",
    "a guard that leaves": "if count <= 0:\n    return",
    "what is left of a list": "kept = [a for a in self.alive if noisy < 900]\nself.alive = kept or self.alive",
    "an exception": "try:\n    noisy = noisy / count\nexcept ZeroDivisionError:\n    noisy = 0.0",
    "the end of a loop": "for a in self.alive:\n    if a < 1:\n        break",
    "a cache": "if noisy in self.cache:\n    noisy = self.cache[noisy]\nself.cache[noisy] = noisy",
    "a key that puts in order": "if noisy > 900:\n    noisy = max(self.alive, key=self.index)",
    "far noise": "noisy = 900.0 if noisy > 900 else noisy",
    "a restart": "if noisy > 900:\n    self.alive = [0, 1]\n    self.means[:] = 0.0",
}
LEAKS = {
    "raw sums": ("if noisy > 900:\n    self.current = int(self.sums.argmax())", "self.sums[0] += total"),
    "another name": ("if noisy > 900:\n    noisy = self.both[1][0]", "self.sums[0] += total"),
    "a view": ("if noisy > 900:\n    noisy = self.sums[0]", "view = self.sums; view[0] += total"),
    "a key": ("if noisy > 900:\n    noisy = len(self.seen)", "self.seen[round(total)] = 1"),
    "a global": ("if noisy > 900:\n    noisy = LOG[0]", "LOG.append(total)"),
    "an object": ("if noisy > 900:\n    noisy = self.store.items[0]", "self.store.put(total)"),
    "by the name of a method": ("if noisy > 900:\n    noisy = self.seen[1]", "self.seen.update({1: total})"),
    "arms that rewards leave": ("if noisy > 900:\n    noisy = self.arms", "self.arms = 1 if total > 4 else 2"),
    "a flag": ("if noisy > 900:\n    noisy = self.last", "self.last = 1 if total > 4 else 0"),
    "how long a loop runs": ("if noisy > 900:\n    noisy = n", "n = 0\n        while n < total: n += 1"),
    "a lambda": ("if noisy > 900:\n    noisy = late()", "late = lambda: total"),
    "a raw condition": ("if noisy > 900 and total > 4:\n    noisy = 0.0", "pass"),
    "what is put in order": ("if noisy > 900:\n    noisy = self.index(0)", "max([total], key=self.index)"),
    "what somebody else may call": (
        "if noisy > 900:\n    noisy = self.index(0)",
        "self.index(0); math.fsum(map(self.index, [total]))",
    ),
    "a second release": ("if noisy > 900:\n    noisy = self.publish(total, start)", "pass"),
    "other records": ("if noisy > 900:\n    self.clock = 0", "pass"),
    "what an exception tells": (
        "try:\n    x = [0, 1][int(total) - 1]\nexcept IndexError:\n    noisy = 0.0\nif noisy > 900:\n    noisy = 1.0",
        "total = total + 1",
    ),
    "names that are looked up": ("if noisy > 900:\n    noisy = getattr(self, 'la' + 'st')", "self.last = total"),
}


@pytest.mark.parametrize("rare", HARMLESS.values(), ids=HARMLESS)
def test_what_no_reward_reaches_need_not_run(tmp_path, rare):
    assert unreached(tmp_path, learning(rare)) == ()


@pytest.mark.parametrize("rare, kept", LEAKS.values(), ids=LEAKS)
def test_what_a_reward_may_reach_is_asked_for(tmp_path, rare, kept):
    assert unreached(tmp_path, learning(rare, kept))


@pytest.mark.parametrize("reset, harmless", [("self.sums[0] = 0.0", False), ("self.means[0] = 0.0", True)])
def test_what_is_left_out_counts_where_a_release_is_made_of_it(tmp_path, reset, harmless):
    """A sum that is not set back is released twice."""
    methods = f"""
    def learn(self, total, count, start):
        self.sums[0] += total
        noisy = self.publish(self.sums[0], start) / count
        if noisy > 900:
            return
        {reset}
        self.current = int(noisy > 0.5)
    """
    assert (unreached(tmp_path, methods) == ()) is harmless


def test_what_could_leak_is_named(tmp_path):
    rare, kept = LEAKS["raw sums"]
    assert "(it could leak: it reads self.sums)" in unreached(tmp_path, learning(rare, kept))[0]


OTHERS = "\n" + TEXTS["others"]


@pytest.mark.parametrize("kind, harmless", [("Never", True), ("Always", True), ("Sometimes", False)])
def test_a_helper_is_judged_by_the_calls_of_the_class_that_runs(tmp_path, kind, harmless):
    """An argument that another class gives, and a method that the class overrides, say nothing about it."""
    assert (unreached(tmp_path, "    pass\n", OTHERS, kind) == ()) is harmless
