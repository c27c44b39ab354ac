"""What claims about phased elimination rest on: the designs they take for optimal are."""

from banditproof.paper_checks.thesis.facts.elimination import DESIGNS, actions_of, largest_squared_norm, weights_of


def test_the_exact_designs_are_optimal():
    for name in DESIGNS:
        rows, weights = actions_of(name), weights_of(name)
        assert sum(weights) == 1 and min(weights) >= 0
        assert largest_squared_norm(rows, weights) == len(rows[0])
        assert max(sum(x * x for x in row) for row in rows) <= 1
