"""Random mutants: what they are, and how few of the harmful ones get past the privacy checks."""

import sys
from inspect import getsource

import pytest

from banditproof.algorithms.finite import dp_index
from banditproof.verify.runs import alignment, ledger, recorder
from banditproof.verify.runs.harm import POLICY, breaks_promise, is_faithful, policy_maker
from banditproof.verify.runs.mutants import Mutant, load, mutants, substituted
from banditproof.verify.runs.mutation_report import (
    SUBJECTS,
    checks_on,
    checks_work,
    judge,
    mutation_report,
    policy_checks,
)
from banditproof.verify.runs.planted import PLANTED, Bug, plant


def test_a_seed_draws_the_same_mutants_again_and_others_than_another_seed():
    sources = [[m.source for m in mutants(dp_index, seed, 8)] for seed in (0, 0, 1)]
    assert sources[0] == sources[1] != sources[2]
    assert len(set(sources[0])) == 8


def test_every_mutant_compiles_and_differs_in_one_place():
    for mutant in mutants(recorder, 0, 20):
        compile(mutant.source, "mutant", "exec")
        assert mutant.before != mutant.after and " -> " in str(mutant)


def test_a_loaded_mutant_leaves_the_real_module_alone():
    before = dict(sys.modules)
    module = load(mutants(dp_index, 3, 1)[0].source, dp_index.__name__)
    assert module.DPIMED is not dp_index.DPIMED
    assert sys.modules[dp_index.__name__] is dp_index and set(sys.modules) == set(before)


def test_substituted_modules_are_put_back_even_after_an_exception():
    with pytest.raises(RuntimeError), substituted({recorder.__name__: ledger, "no_such_module": ledger}):
        assert sys.modules[recorder.__name__] is ledger
        raise RuntimeError
    assert sys.modules[recorder.__name__] is recorder and "no_such_module" not in sys.modules


def test_checks_built_on_the_real_recorder_work():
    checks = checks_on(recorder)
    assert checks is not alignment and checks_work(checks)


def test_the_real_recorder_is_faithful():
    assert is_faithful(recorder)


# Noise drawn twice from the same seed is invisible where released values are pinned.
@pytest.mark.parametrize("bug", [bug for name, bug in PLANTED.items() if name != "seed reused"])
def test_the_oracle_recognises_planted_bugs_without_the_recorder(bug):
    assert breaks_promise(plant(bug, policy_maker(POLICY, arms=2)))


def test_the_oracle_acquits_the_sound_policy():
    assert not breaks_promise(plant(Bug, policy_maker(POLICY, arms=2)))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("sensitivity=1.0, budget", "sensitivity=0.5, budget"),
        ("self.sums[at] += released", "self.sums[at] += total"),
        ("records=(self.clock, self.clock + count)", "records=(self.clock, self.clock)"),
    ],
)
def test_a_harmful_mutant_made_by_hand_is_judged_harmful_and_found(old, new):
    source = getsource(dp_index)
    assert source.count(old) == 1
    mutant = Mutant("BatchedIndexPolicy", old, new, source.replace(old, new))
    assert judge(mutant, policy_checks) == (True, True)


def test_few_harmful_mutants_are_missed():
    each = 20
    report = mutation_report(seed=0, count=6 * each)
    assert [counts.drawn for counts in (*report.policies.values(), report.recorder)] == [each] * 4 + [2 * each]
    for counts in (*report.policies.values(), report.recorder):
        assert counts.raising + counts.harmful + counts.over_cautious <= counts.drawn
    assert report.recorder.harmful > 0
    assert report.missed_share <= 0.2


@pytest.mark.one_in(4)
@pytest.mark.parametrize("module", SUBJECTS, ids=lambda module: module.__name__.rpartition(".")[2])
def test_no_policy_is_found_harmful_or_flagged_as_it_is(module):
    unchanged = Mutant("", "", "", getsource(module))
    is_harmful, is_flagged = policy_checks(unchanged, module)
    assert not is_harmful() and not is_flagged()
