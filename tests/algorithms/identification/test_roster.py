"""Every strategy refuses the same bad input with the same error."""

import numpy as np
import pytest

from banditproof.algorithms.identification.roster import STRATEGIES
from banditproof.theory.errors import InvalidInput

GOOD = {"arms": 2, "delta": 0.1, "epsilon": 1.0}


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(
    ("name", "wrong"),
    [("arms", 1), ("arms", 2.5), *(("delta", d) for d in (-0.1, 0, 1, np.nan)), *(("epsilon", e) for e in (0, -1))],
)
def test_bad_input_names_the_parameter_and_the_value(strategy, name, wrong):
    given = {**GOOD, name: wrong}
    with pytest.raises(InvalidInput, match=f"^{name} must be .*, got {wrong}"):
        STRATEGIES[strategy].build(**given, generator=np.random.default_rng(0), replications=3)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_an_option_nobody_knows_is_refused(strategy):
    with pytest.raises(InvalidInput, match=f"for {strategy}"):
        STRATEGIES[strategy].build(**GOOD, generator=np.random.default_rng(0), replications=3, gamma=1)
