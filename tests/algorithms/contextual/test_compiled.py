"""The compiled rounds against the policies themselves: the same draws, the same picks, the same state at the end."""

import numpy as np
import pytest

from banditproof.algorithms.contextual.compiled import play_compiled
from banditproof.algorithms.contextual.environment import ContextualBandit, GaussianContexts
from banditproof.algorithms.contextual.oful import OFUL, AdaCOFUL, AdaROFUL, RarelySwitchingOFUL
from banditproof.algorithms.contextual.policy import first_best
from banditproof.algorithms.contextual.simulation import play, play_round_by_round, player_of, simulate_contextual
from banditproof.algorithms.contextual.tree_policies import JointDPLinUCB, LinPriv
from banditproof.algorithms.noise import NoiseSource
from banditproof.theory import Budget, InvalidInput

loops = pytest.importorskip("banditproof.algorithms.contextual.loops")

D, K, T, R = 3, 4, 700, 3
BUDGETS = np.array([0.5, 4.0, 1e6])
BANDIT = ContextualBandit([0.6, 0.0, 0.8], GaussianContexts(K, D, unit=True), clipped=True)
RARELY = {
    "adac-oful": lambda noise, **options: AdaCOFUL(D, Budget.zcdp(BUDGETS), noise, **options),
    "adac-oful-printed-width": lambda noise, **options: AdaCOFUL(
        D, Budget.zcdp(BUDGETS), noise, growth=0.05, eigenvalue=0.1, **options
    ),
    "adar-oful": lambda noise, **options: AdaROFUL(D, Budget.rdp(2, BUDGETS), noise, **options),
    "rs-oful": lambda noise, **options: RarelySwitchingOFUL(D, replications=R, **options),
}
EVERY_ROUND = {
    "oful": lambda noise, **options: OFUL(D, replications=R, **options),
    "linpriv": lambda noise, **options: LinPriv(D, K, Budget.pure(BUDGETS), noise, **options),
    "linpriv-free": lambda noise, **options: LinPriv(D, K, Budget.pure(np.full(R, np.inf)), noise, **options),
    "joint": lambda noise, **options: JointDPLinUCB(D, Budget.zcdp(BUDGETS), noise, **options),
    "joint-ridge": lambda noise, **options: JointDPLinUCB(D, Budget.zcdp(BUDGETS), noise, ridge=9.0, **options),
}
POLICIES = {**EVERY_ROUND, **RARELY}


def built(name, horizon=T):
    return POLICIES[name](NoiseSource(np.random.default_rng(7)), horizon=horizon)


OF_THE_LAST_ROUNDS = ("rows", "arm", "chosen", "first", "last", "due")


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", POLICIES)
def test_compiled_rounds_are_those_of_the_policy(name):
    compiled, plain = built(name), built(name)
    times = [1, 2, 50, T]
    fast = simulate_contextual([compiled], BANDIT, T, np.random.default_rng(1), times)
    slow = simulate_contextual([plain], BANDIT, T, np.random.default_rng(1), times, compiled=False)
    assert fast == pytest.approx(slow, rel=1e-12)
    assert player_of(compiled, True) is play_compiled
    assert player_of(plain, False) is (play if name in RARELY else play_round_by_round)
    states = [(vars(compiled), vars(plain))]
    if hasattr(plain, "tree"):
        states.append((vars(compiled.tree), vars(plain.tree)))
    for here, there in states:
        for key, value in there.items():
            if isinstance(value, np.ndarray) and key not in OF_THE_LAST_ROUNDS:
                assert here[key] == pytest.approx(value, rel=1e-9, abs=1e-11), key


@pytest.mark.one_in(5)
@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("compiled", [True, False])
def test_both_routes_refuse_what_is_out_of_bounds(name, compiled):
    if name in EVERY_ROUND:
        with pytest.raises(InvalidInput, match="horizon"):
            simulate_contextual([built(name, 5)], BANDIT, 9, np.random.default_rng(1), compiled=compiled)
    loud = ContextualBandit([0.6, 0.0, 0.8], GaussianContexts(K, D, unit=True), deviation=9.0)
    with pytest.raises(InvalidInput, match="rewards"):
        simulate_contextual([built(name)], loud, T, np.random.default_rng(1), compiled=compiled)
    wide = ContextualBandit([0.0, 0.0, 0.0], GaussianContexts(K, D, 9.0), clipped=True)
    with pytest.raises(InvalidInput, match="norm at most 1"):
        simulate_contextual([built(name)], wide, T, np.random.default_rng(1), compiled=compiled)


@pytest.mark.parametrize("compiled", [True, False])
def test_linpriv_refuses_another_number_of_vectors(compiled):
    more = ContextualBandit([0.6, 0.0, 0.8], GaussianContexts(K + 1, D, unit=True), clipped=True)
    with pytest.raises(InvalidInput, match="one vector for each of the 4 arms"):
        simulate_contextual([built("linpriv")], more, 5, np.random.default_rng(1), compiled=compiled)


def test_a_subclass_plays_by_itself():
    class Other(OFUL):
        pass

    assert player_of(Other(D, horizon=5), True) is play_round_by_round


def test_of_equal_vectors_the_first_is_picked_whatever_the_rounding():
    index = np.array([[1.0, 3.0 - 1e-15, 3.0], [-3.0, -3.0 - 1e-15, -9.0]])
    assert first_best(index).tolist() == [1, 0]


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("ridge", [1, 3])
def test_a_determinant_that_has_grown_by_just_the_factor_is_no_update(compiled, ridge):
    """On a line the determinant is lambda + n: the next update is at n = 2 n_tau + lambda + 1, one after equality."""

    class Journal(NoiseSource):
        def gaussian(self, *arguments, records, **options):
            ends.append(records[1][0])
            return super().gaussian(*arguments, records=records, **options)

    ends = []
    line = ContextualBandit([0.5], GaussianContexts(2, 1, unit=True), clipped=True)
    policy = AdaCOFUL(1, Budget.zcdp(1.0), Journal(np.random.default_rng(0)), horizon=500, ridge=ridge)
    simulate_contextual([policy], line, 500, np.random.default_rng(1), compiled=compiled)
    assert ends[0] == ridge + 1 and len(ends) > 5
    assert all(later == 2 * now + ridge + 1 for now, later in zip(ends, ends[1:], strict=False))


@pytest.mark.parametrize("rounds", [0, 2, 40])
@pytest.mark.parametrize("dimension", [1, 2, 7, 30])
def test_the_least_eigenvalue_is_that_of_lapack_up_to_a_few_roundings_of_the_largest(dimension, rounds):
    vectors = GaussianContexts(1, dimension).draw(1, 0, rounds, np.random.default_rng(dimension))[0, :, 0]
    design = 0.1 * np.eye(dimension) + vectors.T @ vectors
    low, *_, high = np.linalg.eigvalsh(design)[[0, -1]]
    assert loops._least_eigenvalue(design, 0.1) == pytest.approx(low, rel=0, abs=20 * np.spacing(high))


def test_contexts_are_those_that_numpy_draws():
    sets = GaussianContexts(5, 30).draw(2, 0, 9, np.random.default_rng(3))
    assert (sets == np.random.default_rng(3).standard_normal(sets.shape) * np.sqrt(0.1) + 30**-0.5).all()
