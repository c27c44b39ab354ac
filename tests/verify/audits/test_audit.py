"""The black-box audit finds gross leaks and does not accuse private mechanisms."""

from fractions import Fraction
from math import log

import numpy as np
import pytest
from scipy.stats import binom

from banditproof.algorithms.batches import GeometricBatches, PolynomialBatches
from banditproof.algorithms.finite.dp_index import DPIMED
from banditproof.theory.errors import InvalidInput
from banditproof.theory.privacy.budget import Budget
from banditproof.verify.audits.audit import action_sampler, audit
from banditproof.verify.runs.planted import PLANTED, plant

ERROR = Fraction(1, 10**6)


def coin(probability):
    return lambda size, generator: (generator.random(size) < probability).astype(int)


def test_the_bound_comes_close_to_the_epsilon_of_randomised_response():
    result = audit(coin(0.75), coin(0.25), samples=100_000, error=ERROR, seed=0)
    assert log(2.8) < result.epsilon_lower < log(3)
    assert result.refutes(log(2.8)) and not result.refutes(log(3))


def test_the_likelier_side_is_found_in_either_order():
    # outcome 1 has ratio 5 one way, outcome 0 only 95/99 * ... < 1.05 the other way
    forward = audit(coin(0.05), coin(0.01), samples=50_000, error=ERROR, seed=1)
    backward = audit(coin(0.01), coin(0.05), samples=50_000, error=ERROR, seed=1)
    assert log(3.5) < forward.epsilon_lower < log(5) and not forward.swapped
    assert log(3.5) < backward.epsilon_lower < log(5) and backward.swapped


def test_delta_excuses_a_rare_disaster():
    assert audit(coin(0.01), coin(0.0), samples=20_000, error=ERROR, seed=0).refutes(2.0)
    assert not audit(coin(0.01), coin(0.0), samples=20_000, error=ERROR, seed=0, delta=0.02).refutes(0.0)


def test_false_accusations_are_as_rare_as_promised():
    runs, error = 400, Fraction(1, 20)

    def many_sided(size, generator):
        return generator.integers(0, 40, size)

    false = sum(audit(many_sided, many_sided, samples=300, error=error, seed=k).refutes(0.0) for k in range(runs))
    assert binom.sf(false - 1, runs, float(error)) > 1e-6


def maker(policy, batches):
    return lambda noise, generator, replications: policy(
        2, Budget.pure(0.25), batches, noise, replications=replications
    )


REWARDS, NEIGHBOUR = (0.0, 1.0, 0.0, 0.0), (1.0, 1.0, 0.0, 0.0)


def test_a_policy_that_uses_raw_means_is_caught_by_its_actions_alone():
    make = plant(PLANTED["raw value used"], maker(DPIMED, PolynomialBatches(0)))
    result = audit(*(action_sampler(make, r) for r in (REWARDS, NEIGHBOUR)), samples=2000, error=ERROR, seed=0)
    assert result.refutes(0.25) and all(len(actions) == 4 for actions in result.event)


def test_algorithm_1_is_not_accused():
    make = maker(DPIMED, GeometricBatches("1.5"))
    result = audit(*(action_sampler(make, r) for r in (REWARDS, NEIGHBOUR)), samples=20_000, error=ERROR, seed=0)
    assert not result.refutes(0.25)


def test_the_same_seed_gives_the_same_audit():
    audits = [audit(coin(0.6), coin(0.4), samples=1000, error=ERROR, seed=5) for _ in range(2)]
    assert audits[0] == audits[1]


def test_no_samples_and_impossible_deltas_are_refused():
    with pytest.raises(InvalidInput, match="samples"):
        audit(coin(0.5), coin(0.5), samples=0, error=ERROR, seed=0)
    with pytest.raises(InvalidInput, match="delta"):
        audit(coin(0.5), coin(0.5), samples=10, error=ERROR, seed=0, delta=1.0)
    with pytest.raises(InvalidInput, match="error"):
        audit(coin(0.5), coin(0.5), samples=10, error=Fraction(1), seed=0)


def test_samplers_return_one_row_per_run():
    actions = action_sampler(maker(DPIMED, PolynomialBatches(0)), REWARDS)(7, np.random.default_rng(0))
    assert actions.shape == (7, 4) and set(np.unique(actions)) <= {0, 1}
