"""Two draws that make one variable: it has the law that is said, and the rest of the pair stays."""

from math import ceil, exp, log1p

import numpy as np
import pytest

from banditproof.theory import Budget
from banditproof.verify import check_privacy, replayed
from banditproof.verify.runs.foreign.draws import Draw
from banditproof.verify.runs.foreign.levers import levers

PLACE, SPOT = (("policy.py", 3, "noise"),), ("policy.py", "noise", 1)
SHARES = (np.arange(2000) + 0.5) / 2000
LAPLACE = np.where(SHARES < 0.5, np.log(2 * SHARES), -np.log(2 * (1 - SHARES)))  # evenly likely values


def pair(*draws):
    """The lever that two draws of one pull make."""
    names = [("line", k, law, 0) for k, (law, *_) in enumerate(draws)]
    made = [Draw(name, *pair[:2], PLACE, 5, SPOT, pair[2]) for name, pair in zip(names, draws, strict=True)]
    return [lever for lever in levers(made, 0) if len(lever.names) == 2][0]


def trials(u, success):
    return max(1, ceil(log1p(-u) / log1p(-success)))


@pytest.mark.parametrize("success", [0.1, 1 - exp(-1), 0.9])
@pytest.mark.parametrize("values", [(0.01, 0.5), (0.7, 0.2), (0.3, 0.3)])
def test_the_difference_of_geometric_draws_has_its_law_and_the_smaller_one_stays(success, values):
    lever = pair(*(("uniform", u, success) for u in values))
    one, two = lever.names
    drawn = [lever.at(float(z)) for z in LAPLACE]
    pairs = np.array([[trials(each[one], success), trials(each[two], success)] for each in drawn])
    recorded = [trials(u, success) for u in values]
    assert (pairs.min(axis=1) == min(recorded)).all()
    assert [trials(lever.at(lever.value)[name], success) for name in (one, two)] == recorded
    difference = pairs[:, 0] - pairs[:, 1]
    q = 1 - success
    for k in range(-3, 4):
        assert (difference == k).mean() == pytest.approx(q ** abs(k) * (1 - q) / (1 + q), abs=2e-3)


def test_a_width_and_a_sign_are_a_laplace_variable():
    lever = pair(("exponential", 0.8, 0.0), ("uniform", 0.3, 0.0))
    width, sign = lever.names
    assert lever.law == "laplace" and lever.value == -0.8
    assert lever.at(-0.8) == {width: 0.8, sign: 0.3} and lever.at(2.0) == {width: 2.0, sign: 0.7}


def test_the_difference_of_exponential_draws_is_a_laplace_variable():
    lever = pair(("exponential", 0.8, 0.0), ("exponential", 0.5, 0.0))
    one, two = lever.names
    assert lever.value == pytest.approx(0.3) and lever.at(-1.0) == {one: 0.5, two: 1.5}


class Geometric:
    """Commits to the largest of integer sums with two-sided geometric noise."""

    def __init__(self, parameter):
        self.rng, self.parameter, self.sums, self.time, self.best = np.random.default_rng(), parameter, [0, 0], 0, None

    def noise(self):
        return int(self.rng.geometric(self.parameter)) - int(self.rng.geometric(self.parameter))

    def select_arm(self):
        return self.time % 2 if self.best is None else self.best

    def update(self, arm, reward):
        self.time += 1
        if self.best is None:
            self.sums[arm] += int(self.rng.random() < reward)
            if self.time == 8:
                noisy = [each + self.noise() for each in self.sums]
                self.best = noisy.index(max(noisy))


def test_geometric_noise_that_fits_is_ok_and_half_of_it_is_not():
    fits, half = (1 - exp(-epsilon) for epsilon in (1.0, 2.0))
    assert check_privacy(replayed(lambda: Geometric(fits)), Budget.pure(1.0), seconds=6, horizon=32).verdict == "ok"
    assert check_privacy(replayed(lambda: Geometric(half)), Budget.pure(1.0), seconds=6, horizon=32).verdict != "ok"
