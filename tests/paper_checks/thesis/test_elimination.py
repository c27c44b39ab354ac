"""What claims about phased elimination rest on: the designs they take for optimal are."""

import numpy as np
import pytest

from banditproof.algorithms.linear.designs import METHODS
from banditproof.paper_checks.thesis.facts.elimination import (
    DESIGNS,
    RETURNED,
    SEVEN,
    actions_of,
    largest_squared_norm,
    weights_of,
)


def test_the_exact_designs_are_optimal():
    for name in DESIGNS:
        rows, weights = actions_of(name), weights_of(name)
        assert sum(weights) == 1 and min(weights) >= 0
        assert largest_squared_norm(rows, weights) == len(rows[0])
        assert max(sum(x * x for x in row) for row in rows) <= 1


def test_the_returned_design_is_what_frank_wolfe_returns():
    rows = np.array(SEVEN, dtype=float)
    assert METHODS["frank-wolfe"](rows) == pytest.approx([float(w) for w in RETURNED], abs=1e-4)
    assert sum(RETURNED) == 1 and {sum(x * x for x in row) for row in SEVEN} == {1}
