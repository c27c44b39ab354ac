"""AdaP-TT and AdaP-TT* against Algorithm 10 as printed, pull by pull; what is private, and what is refused."""

import sys

import numpy as np
import pytest

from banditproof.algorithms import BernoulliBandit, NoiseSource, Strategy
from banditproof.algorithms.identification import top_two_schedule
from banditproof.algorithms.identification.top_two import AdaPTT, AdaPTTStar
from banditproof.algorithms.identification.top_two_schedule import pulls_until_doubling, stepped_together
from banditproof.algorithms.run.identification import identify
from banditproof.paper_checks.thesis.facts.top_two import POLICIES, program, pseudo_code
from banditproof.theory import Budget
from banditproof.verify import PLANTED, check_privacy, plant

BOTH = pytest.mark.parametrize("policy", [AdaPTT, AdaPTTStar])


@pytest.mark.one_in(13)
@BOTH
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("epsilon", "beta"), [(50.0, 0.5), (2.0, 0.3), (0.4, 0.7)])
def test_the_policy_pulls_what_the_pseudocode_pulls(policy, seed, epsilon, beta):
    name = next(name for name, known in POLICIES.items() if known is policy)
    run = name, seed, [0.9, 0.3, 0.05], epsilon, 0.2, beta
    assert program(*run) == pseudo_code(*run)


@pytest.mark.one_in(13)
@pytest.mark.parametrize("arms", [2, 3, 6])
@pytest.mark.parametrize(("size", "spread"), [(50, 1), (4000, 1), (4000, 1e-3), (4000, 0)])
@pytest.mark.parametrize("beta", [0.4, 0.5, 0.9])
def test_the_compiled_schedule_with_its_leaps_is_the_one_in_numpy(arms, size, spread, beta):
    loops = pytest.importorskip(top_two_schedule.LOOPS)
    draw = np.random.default_rng(arms)
    leader, led = draw.integers(0, arms, 30), draw.integers(0, 9, 30)
    worth = draw.random((30, arms)).round(1) * spread + (1 - spread)
    start = np.ceil(size ** draw.random((30, arms))).astype(int)
    pulls = start + draw.integers(0, start)
    own = np.where(led > 0, np.floor(beta * led).astype(int) + 1, 0)
    room = 2 * start - pulls
    with np.errstate(divide="ignore"):
        arguments = leader, 1 / worth, pulls.astype(float), room, led, own, beta
    slow, fast = stepped_together(*arguments), loops.stepped_apart(*arguments)
    assert all((one == other).all() for one, other in zip(slow, fast, strict=True))
    assert ((slow[0] <= room).all(axis=1) & (slow[0] == room).any(axis=1)).all()


def test_the_compiled_loops_are_loaded_once_there_is_enough_for_them_to_do(monkeypatch):
    pytest.importorskip("numba")
    monkeypatch.delitem(sys.modules, top_two_schedule.LOOPS, raising=False)
    monkeypatch.setattr(top_two_schedule, "_stepped", 0)

    def loaded_after(rounds):
        room = np.array([[rounds, 1]])
        pulls_until_doubling(
            *(np.array(v) for v in ([0], [[1.0, 1.0]], [[1, 1]])), room, np.array([0]), np.array([0]), 0.5
        )
        return top_two_schedule.LOOPS in sys.modules

    enough = top_two_schedule.WORTH_LOADING
    assert [loaded_after(enough // 2), loaded_after(enough // 3), loaded_after(enough // 3)] == [False, False, True]
    assert loaded_after(1), "what is loaded is used"


def maker(policy, epsilon):
    return lambda noise, generator: policy(2, Budget.pure(epsilon), noise, delta=0.9)


@BOTH
@pytest.mark.parametrize("epsilon", [0.5, 8.0])
def test_the_whole_output_is_private(policy, epsilon, every_point):
    make = maker(policy, epsilon)
    check_privacy(make, Budget.pure(epsilon), seconds=0.2, horizon=300)  # compiles loops, which counts as its time
    report = check_privacy(make, Budget.pure(epsilon), seconds=9 if every_point else 1.5, horizon=300)
    assert report.verdict == "ok", report


@pytest.mark.parametrize("bug", PLANTED)
def test_planted_bugs_are_found(bug):
    report = check_privacy(plant(PLANTED[bug], maker(AdaPTT, 8.0)), Budget.pure(8.0), seconds=5)
    assert report.verdict == "violation", report


@BOTH
def test_a_strategy_stops_with_the_best_arm_and_ignores_delta_until_then(policy):
    runs = {}
    for delta in (0.3, 0.001):
        run = policy(3, Budget.pure([1.0] * 20), NoiseSource(np.random.default_rng(3)), delta=delta)
        assert isinstance(run, Strategy)
        runs[delta] = identify(run, BernoulliBandit([0.2, 0.9, 0.5]), 10**7, np.random.default_rng(4))
    assert (runs[0.3].recommendation == 1).all() and (runs[0.3].pulls <= runs[0.001].pulls).mean() > 0.8


def test_counts_advance_on_what_was_played():
    run = AdaPTT(2, Budget.pure(1.0), NoiseSource(np.random.default_rng(0)), delta=0.1)
    for _ in range(200):
        asked, count = run.next_batch()
        run.observe(np.ones(1), np.minimum(count, 3), 1 - asked)
        assert (run.samples <= run.pulls).all() and (run.pending >= 0).all()
    assert run.pulls.sum() == run.clock[0] and (run.phases > 2).all()
