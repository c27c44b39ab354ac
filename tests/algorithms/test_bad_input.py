"""What the algorithms are not defined for is refused, and the message says what is allowed."""

import numpy as np
import pytest

from banditproof import algorithms as rooms
from banditproof.algorithms.batches import PolynomialBatches
from banditproof.algorithms.contextual.environment import ContextualBandit, GaussianContexts, GivenContexts
from banditproof.algorithms.contextual.tree_policies import JointDPLinUCB
from banditproof.algorithms.environment import GaussianBandit, RewardList
from banditproof.algorithms.finite.continual_counting import count_with_binary_tree
from banditproof.algorithms.finite.dp_ucb import DPUCB
from banditproof.algorithms.finite.episodic import AdaRUCB
from banditproof.algorithms.finite.index import KLUCB, UCB, ExploreThenCommit, FollowTheLeader
from banditproof.algorithms.finite.successive_elimination import DPSE
from banditproof.algorithms.identification.sequential import TTUCB
from banditproof.algorithms.membership import (
    BernoulliColumns,
    GaussianColumns,
    NoisyMean,
    SubSampledMean,
    empirical,
    likelihood_ratio,
)
from banditproof.algorithms.roster import strategy
from banditproof.algorithms.training import Network, dirac, mislabelled
from banditproof.theory import Budget, InvalidInput

NAN, INF = float("nan"), float("inf")
REFUSED = [
    (lambda: rooms.LossTable([[0.0, NAN]]), "^losses must be"),
    (lambda: rooms.LossTable([[2.0, 0.0]]), "^losses must be"),
    (lambda: rooms.LossTable([[-0.1, 0.0]]), "^losses must be"),
    (lambda: rooms.LossTable([0.0, 1.0]), "^losses must be"),
    (lambda: rooms.LossTable([[]]), "^losses must be"),
    (lambda: rooms.LossTable([[0.0], [0.0, 1.0]]), "^losses must be"),
    (lambda: GaussianContexts(0), "must be"),
    (lambda: GaussianContexts(variance=0.0), "must be"),
    (lambda: GivenContexts(np.ones((2, 2))), "must be"),
    (lambda: GivenContexts([[[NAN]]]), "must be"),
    (lambda: ContextualBandit([1.0], GaussianContexts()), "must be"),
    (lambda: ContextualBandit([1.0, np.inf, 0.0], GaussianContexts()), "must be"),
    (lambda: ContextualBandit([1.0, 0.0, 0.0], GaussianContexts(), deviation=-1.0), "must be"),
    (lambda: JointDPLinUCB(2, Budget.zcdp(1.0), rooms.NoiseSource(), horizon=0), "must be"),
    (lambda: JointDPLinUCB(2, Budget.zcdp(1.0), rooms.NoiseSource(), horizon=5, confidence=0.0), "must be"),
    (lambda: JointDPLinUCB(2, Budget.zcdp(1.0), rooms.NoiseSource(), horizon=5, ridge=0.0), "must be"),
    (lambda: count_with_binary_tree(np.zeros(3), 1.0, rooms.NoiseSource()), "streams must be bits"),
    (lambda: count_with_binary_tree(np.full((2, 2), 0.5), 1.0, rooms.NoiseSource()), "streams must be bits"),
    (lambda: count_with_binary_tree(np.zeros((0, 3)), 1.0, rooms.NoiseSource()), "streams must be bits"),
    (lambda: count_with_binary_tree(np.full((1, 1), NAN), 1.0, rooms.NoiseSource()), "streams must be bits"),
    (lambda: DPUCB(2, Budget.pure(np.ones(3)), rooms.NoiseSource(), horizon=10, replications=2), "epsilon"),
    (lambda: rooms.AdaPUCB(2, Budget.zcdp(1.0)), "budget"),
    (lambda: rooms.AdaCUCB(2, Budget.pure(1.0)), "budget"),
    (lambda: AdaRUCB(2, Budget.zcdp(1.0)), "budget"),
    (lambda: rooms.AdaPUCB(2, Budget.pure(1.0), beta=0.0), "beta"),
    (lambda: rooms.EpisodicUCB(2, beta=INF), "beta"),
    (lambda: rooms.AdaCUCB(2, Budget.zcdp(np.array([1.0, 2.0])), replications=3), "rho"),
    (lambda: DPSE(2, budget=Budget.pure(1.0), noise=rooms.NoiseSource(), beta=0.0), "beta"),
    (lambda: DPSE(2, budget=Budget.pure(1.0), noise=rooms.NoiseSource(), beta=1.0), "beta"),
    (lambda: DPSE(2, budget=Budget.pure(1.0), noise=rooms.NoiseSource()), "beta, horizon"),
    (lambda: DPSE(2, budget=Budget.pure(1.0), noise=rooms.NoiseSource(), beta=0.1, horizon=10), "beta, horizon"),
    (lambda: DPSE(2, budget=Budget.pure(np.ones(3)), noise=rooms.NoiseSource(), beta=0.1, replications=2), "epsilon"),
    (lambda: DPSE(2, budget=Budget.zcdp(1.0), noise=rooms.NoiseSource(), beta=0.1), "budget"),
    (lambda: UCB(2, delta=0.0), "delta"),
    (lambda: UCB(2, delta=NAN), "delta"),
    (lambda: UCB(2, delta=1.5), "delta"),
    (lambda: UCB(2), "delta, horizon"),
    (lambda: UCB(2, delta=0.1, horizon=10), "delta, horizon"),
    (lambda: UCB(2, horizon=0), "horizon"),
    (lambda: ExploreThenCommit(2, 0), "n0"),
    (lambda: KLUCB(2, exploration="log log t"), "exploration"),
    (lambda: FollowTheLeader(0), "arms"),
    (lambda: GaussianBandit([]), "means"),
    (lambda: GaussianBandit([0.0, INF]), "means"),
    (lambda: GaussianBandit([0.0], 0.0), "deviation"),
    (lambda: TTUCB(2, delta=0.0), "delta"),
    (lambda: TTUCB(1, delta=0.1), "arms"),
    (lambda: TTUCB(2, delta=0.1, beta=1.0), "beta"),
    (lambda: TTUCB(2, delta=0.1, share="some"), "share"),
    (lambda: strategy("ttubc", 2, 0.1, None, np.random.default_rng(0)), "algorithm"),
    (lambda: strategy("lucb", 2, 0.1, None, np.random.default_rng(0), 1, beta=3), "option"),
    (lambda: strategy("adap-tt", 2, 0.1, None, np.random.default_rng(0), 1), "epsilon"),
    (lambda: BernoulliColumns(np.array([0.0, 0.5])), "mean must be"),
    (lambda: GaussianColumns(np.array([0.0]), np.array([0.0])), "sigma must be"),
    (lambda: NoisyMean(0.0), "gamma must be"),
    (lambda: SubSampledMean(1.0), "ratio must be"),
    (lambda: likelihood_ratio(GaussianColumns(np.zeros(2), np.ones(2)), 1), "columns must be"),
    (lambda: empirical(np.ones((3, 2)), 5), "references must be"),
    (
        lambda: rooms.sweep(
            lambda epsilon, generator: 3, rooms.BernoulliBandit([0.4, 0.7, 0.2]), 10, budgets=[1.0], runs=2, seed=0
        ),
        "make_policy must be a function that returns a policy, or an object with select_arm",
    ),
    (lambda: rooms.GeometricBatches(1.1), "a float is not the decimal"),
    (lambda: PolynomialBatches(-1), "power"),
    (lambda: PolynomialBatches(0.5), "power"),
    (lambda: PolynomialBatches(None), "power"),
    (lambda: RewardList([], arms=2), "rewards"),
    (lambda: RewardList([2.0], arms=2), "rewards"),
    (lambda: RewardList([INF], arms=2), "rewards"),
    (lambda: RewardList([[0.0]], arms=2), "rewards"),
    (lambda: rooms.NoiseSource().laplace(np.zeros(1), sensitivity=1.0, budget=Budget.pure(1.0), norm="l2"), "norm"),
    (lambda: rooms.NoiseSource().laplace(np.zeros(1), sensitivity=1.0, budget=Budget.pure(1.0)), "generator"),
    (lambda: rooms.NoiseSource().gaussian(np.zeros(1), sensitivity=1.0, budget=Budget.pure(1.0)), "budget"),
    (lambda: rooms.NoiseSource().gaussian(np.zeros(1), sensitivity=1.0, budget=Budget.zcdp(1.0), norm="l1"), "norm"),
    (lambda: dirac(3, 3), "index"),
    (lambda: mislabelled(np.zeros(2, int), 1, np.random.default_rng(0)), "classes"),
    (lambda: Network((5,)), "widths"),
    (lambda: Network((2, 2)).losses(np.zeros(5), np.zeros((1, 2)), np.zeros(1, int)), "theta"),
    (lambda: Network((2, 2)).losses(np.zeros(6), np.zeros((1, 3)), np.zeros(1, int)), "x must be records"),
    (lambda: Network((2, 2)).losses(np.zeros(6), np.zeros((1, 2)), np.array([-1])), "y must be a label of 0, ..., 1"),
]


@pytest.mark.parametrize(("call", "said"), REFUSED)
def test_what_is_refused_says_what_is_allowed(call, said):
    with pytest.raises(InvalidInput, match=said):
        call()
