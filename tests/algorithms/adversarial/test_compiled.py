"""The compiled loops lose what `play` loses on the same random numbers, policy by policy."""

import numpy as np
import pytest

from banditproof.algorithms import EXP3, EXP4, FTPL, HTINF, FromBandit, NoiseSource, PrivateBatches, PrivateEXP4
from banditproof.algorithms.adversarial.compiled import has_loop, play_compiled, play_fastest
from banditproof.algorithms.adversarial.losses import LossTable, hard_panel, play
from banditproof.theory import Budget, InvalidInput

pytest.importorskip("numba")

K, N, T = 3, 4, 211
LOSSES = LossTable(np.random.default_rng(5).integers(0, 2, (T, K)) / 2)
PANEL = hard_panel("drifting", N, K)
PURE, APPROXIMATE = Budget.pure(0.5), Budget.approximate(0.5, 0.01)

LEARNERS = {
    "EXP3": lambda arms, g: EXP3(arms, g, rate=0.1, mixing=0.2),
    "HTINF": lambda arms, g: HTINF(arms, g, sigma=0.4),
    "HTINF 1.5": lambda arms, g: HTINF(arms, g, sigma=0.4, alpha=1.5),
    "FTPL": lambda arms, g: FTPL(arms, g, rate=0.3, cap=20),
    "FTPL as printed": lambda arms, g: FTPL(arms, g, rate=0.3, cap=20, as_printed=True),
}
WRAPPED = {
    "alone": lambda learner, g: learner(K, g),
    "in batches of one": lambda learner, g: PrivateBatches(learner(K, g), PURE, NoiseSource(g), batch=1),
    "in batches of seven": lambda learner, g: PrivateBatches(learner(K, g), PURE, NoiseSource(g), batch=7),
    "for experts": lambda learner, g: FromBandit(
        PrivateBatches(learner(N, g), PURE, NoiseSource(g), batch=3), PANEL, g
    ),
}
OTHERS = {
    "EXP4": lambda g: EXP4(PANEL, g, rate=0.1, mixing=0.2),
    "local EXP4": lambda g: PrivateBatches(EXP4(PANEL, g, rate=0.1, mixing=0.2), PURE, NoiseSource(g), batch=1),
    "batched EXP4": lambda g: PrivateEXP4(PANEL, APPROXIMATE, NoiseSource(g), g, batch=7, rate=0.05, mixing=0.3),
}
POLICIES = {
    f"{name} {how}": lambda g, make=make, wrap=wrap: wrap(make, g)
    for name, make in LEARNERS.items()
    for how, wrap in WRAPPED.items()
} | OTHERS


@pytest.mark.one_in(24)
@pytest.mark.parametrize("name", POLICIES)
def test_a_compiled_run_loses_what_play_loses(name, every_point):
    """All losses are multiples of 1/2, so that the sums are exact."""
    make, times = POLICIES[name], [1, 50, 51, 140, T]
    for seed in range(6 if every_point else 1):
        slow = play(make(np.random.default_rng(seed)), LOSSES, times, panel=PANEL)
        fast = play_compiled(make(np.random.default_rng(seed)), LOSSES, times, panel=PANEL)
        assert fast.loss.tolist() == slow.loss.tolist() and fast.regret.tolist() == slow.regret.tolist()


def test_replications_follow_each_other_with_budgets_of_their_own():
    def make(epsilon):
        generator, replications = np.random.default_rng(1), np.size(epsilon)
        learner = EXP3(K, generator, rate=0.1, mixing=0.2, replications=replications)
        return PrivateBatches(learner, Budget.pure(epsilon), NoiseSource(generator))

    together = play_compiled(make(np.array([0.5, 0.1])), LOSSES).loss[:, 0]
    first = play_compiled(make(0.5), LOSSES).loss[0, 0]
    assert together[0] == first and together.shape == (2,)


def test_what_the_loops_do_not_know_is_refused_or_played_slowly():
    class Mine(EXP3):
        pass

    generator = np.random.default_rng(0)
    mine = Mine(K, generator, rate=0.1, mixing=0.2)
    assert not has_loop(mine) and not has_loop(FromBandit(EXP4(PANEL, generator, rate=1, mixing=1), PANEL3, generator))
    with pytest.raises(InvalidInput, match="compiled loops"):
        play_compiled(mine, LOSSES)
    assert play_fastest(mine, LOSSES).loss[0, 0] > 0
    played = EXP3(K, generator, rate=0.1, mixing=0.2)
    play(played, LOSSES)
    with pytest.raises(InvalidInput, match="already played"):
        play_compiled(played, LOSSES)
    begun = FromBandit(EXP3(K, generator, rate=0.1, mixing=0.2), PANEL3, generator)
    begun.next_batch()
    begun.observe(np.zeros(1), np.ones(1))
    with pytest.raises(InvalidInput, match="already played"):
        play_compiled(begun, LOSSES)
    with pytest.raises(InvalidInput, match="generator"):
        play_compiled(PrivateBatches(EXP3(K, generator, rate=0.1, mixing=0.2), PURE, NoiseSource()), LOSSES)


PANEL3 = hard_panel("constant", K, K)
