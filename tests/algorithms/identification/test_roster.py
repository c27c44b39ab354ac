"""Every strategy refuses the same bad input with the same error."""

import numpy as np
import pytest

from banditproof.algorithms import BernoulliBandit
from banditproof.algorithms.registration import IdentificationSetting
from banditproof.algorithms.roster import algorithms
from banditproof.algorithms.roster import strategy as built
from banditproof.algorithms.run.identification import identify_fastest
from banditproof.theory.errors import InvalidInput

STRATEGIES = algorithms(IdentificationSetting)
GOOD = {"arms": 2, "delta": 0.1, "epsilon": 1.0}


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(
    ("name", "wrong"),
    [("arms", 1), ("arms", 2.5), *(("delta", d) for d in (-0.1, 0, 1, np.nan)), *(("epsilon", e) for e in (0, -1))],
)
def test_bad_input_names_the_parameter_and_the_value(strategy, name, wrong):
    given = {**GOOD, name: wrong}
    with pytest.raises(InvalidInput, match=f"^{name} must be .*, got {wrong}"):
        built(strategy, **given, generator=np.random.default_rng(0), replications=3)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_an_option_nobody_knows_is_refused(strategy):
    with pytest.raises(InvalidInput, match=f"for {strategy}"):
        built(strategy, **GOOD, generator=np.random.default_rng(0), replications=3, gamma=1)


@pytest.mark.one_in(10)
@pytest.mark.parametrize("means", [(0.7, 0.7, 0.1), (1.0, 0.0, 1.0), (0.0, 0.0)])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_tied_best_arms_let_a_run_end_at_the_cap_or_with_one_of_them(strategy, means):
    bandit, runs = BernoulliBandit(means), 50
    cap = 500 if strategy in ("lucb", "track-and-stop") else 200_000  # these two decide pull by pull, in NumPy
    made = built(strategy, bandit.arms, 0.01, 2.0, np.random.default_rng(0), runs)
    ended = identify_fastest(made, bandit, cap, np.random.default_rng(1))
    assert (ended.pulls[ended.recommendation < 0] == cap).all()
    named = ended.recommendation[ended.recommendation >= 0]
    assert (bandit.means[named] == bandit.means.max()).all() and named.size <= 5
