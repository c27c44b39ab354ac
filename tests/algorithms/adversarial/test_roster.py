"""The roster plays its algorithms, refuses what they are not defined for, and finds the stored worst cases again."""

import numpy as np
import pytest

from banditproof.algorithms.adversarial.compiled import play_fastest
from banditproof.algorithms.adversarial.losses import hard_losses, hard_panel
from banditproof.algorithms.adversarial.search import found_again, search_losses, stored, worst_losses
from banditproof.algorithms.registration import Game
from banditproof.algorithms.roster import algorithm, algorithms
from banditproof.theory import Budget, InvalidInput, adversarial_bounds

K, T = 3, 30_000
PANEL = hard_panel("constant", K, K)


def game(name="htinf", **changed):
    budget = Budget.approximate(1.0, 0.5) if name == "exp4-batched" else Budget.pure(1.0)
    return Game(
        **{"arms": K, "horizon": T, "budget": budget, "panel": PANEL, **changed},
        generator=np.random.default_rng(0),
        replications=2,
    )


def policy(name="htinf", **changed):
    return algorithm(name, Game).build(game(name, **changed))


@pytest.mark.one_in(6)
@pytest.mark.parametrize("name", algorithms(Game))
def test_every_algorithm_of_the_roster_plays_and_stays_below_every_round_lost(name):
    horizon = 10**7 if name == "exp4-batched" else T
    made = policy(name, horizon=horizon)
    played = play_fastest(made, hard_losses("needle", 2000, K))
    assert played.loss.shape == (2, 1) and (played.loss >= 0).all() and (played.loss < 2000).all()


WRONG = [
    ("algorithm", {"name": "exp5"}),
    ("budget", {"budget": Budget.pure(2.0)}),
    ("budget", {"budget": Budget.zcdp(1.0)}),
    ("budget", {"name": "exp4-batched", "budget": Budget.pure(1.0)}),
    ("epsilon", {"name": "exp3", "budget": Budget.pure(1e-5)}),
    ("epsilon", {"name": "ftpl", "budget": Budget.pure(1e-5)}),
    ("horizon", {"name": "exp3", "arms": 1000, "horizon": 10}),
    ("horizon", {"name": "exp4-batched", "horizon": 1000}),
    ("panel", {"name": "experts-htinf", "panel": None}),
    ("panel", {"name": "exp4-local", "panel": hard_panel("constant", 3, 2)}),
]


@pytest.mark.parametrize(("parameter", "changed"), WRONG)
def test_what_an_algorithm_is_not_defined_for_is_one_error(parameter, changed):
    with pytest.raises(InvalidInput, match=rf"(^|\? ){parameter} must be"):
        policy(**changed)


def test_stored_worst_cases_are_found_again():
    pytest.importorskip("numba")
    assert found_again("exp3") == stored()["exp3"]


def test_stored_worst_cases_cost_what_is_stored_and_less_than_every_bound():
    for name, case in stored().items():
        bounds = adversarial_bounds(K, horizon=case.horizon, epsilon=case.epsilon, experts=K)
        for bound in ("htinf", "exp3", "ftpl", "experts-local"):
            assert case.regret < float(bounds[bound].value.lower)
        if name in ("exp3", "htinf"):
            new = Game(K, case.horizon, Budget.pure(case.epsilon), np.random.default_rng(9), 100, PANEL)
            regret = play_fastest(algorithm(name, Game).build(new), case.losses()).regret
            assert abs(regret.mean() - case.regret) < 6 * np.hypot(case.error, regret.std() / 10)


def test_a_stored_sequence_is_stretched_to_any_horizon():
    short, long = worst_losses("htinf", 24).losses, worst_losses("htinf", 240).losses
    assert np.array_equal(short, long[::10])
    with pytest.raises(InvalidInput, match="algorithm"):
        worst_losses("exp5")


def test_a_search_asks_for_a_round_per_piece():
    with pytest.raises(InvalidInput, match="horizon"):
        search_losses(lambda runs, generator: policy(), 3, K)
