"""The inequalities of the three lemmas against brute force and floating-point evaluations."""

from fractions import Fraction
from itertools import product
from math import exp, log

import pytest
from scipy.stats import binom

from banditproof.paper_checks.bernoulli_dp.app_c_transport import (
    differences_are_few,
    double_change_of_environment,
    equal_environments,
    group_privacy,
    hamming_distance_event,
    largest_ratio_per_difference,
    likelihood_ratio_event,
    markov_for_the_better_arm,
    walk_stays_below,
)
from banditproof.paper_checks.shared.pairs import odds_of_views
from banditproof.verify.privacy.named_policies import policy_named
from banditproof.verify.proof.compare import as_ball, holds

RESPONSE = ["response", Fraction(9), 3, 2]
CHAIN = {"mu_2": Fraction(1, 10), "mu_2_prime": Fraction(1, 2), "mu_1": Fraction(3, 5), "mu_2_alt": Fraction(4, 5)}


def augmented_histories(policy, mu_1, mu_2, mu_2_prime):
    """(pulls of arm 2, differences, second rewards of arm 2, probability), every augmented history by itself."""
    kernel = policy_named(policy)
    pairs = {
        0: [((0, 0), 1 - mu_1), ((1, 1), mu_1)],
        1: [((0, 0), 1 - mu_2_prime), ((0, 1), mu_2_prime - mu_2), ((1, 1), mu_2)],
    }
    for actions in product((0, 1), repeat=kernel.horizon):
        for chosen in product(*(pairs[arm] for arm in actions)):
            weight, history = Fraction(1), ()
            for arm, ((seen, _), mass) in zip(actions, chosen, strict=True):
                weight *= kernel.probability(history)[arm] * mass
                history = (*history, (arm, seen))
            second = [other for arm, ((_, other), _) in zip(actions, chosen, strict=True) if arm]
            yield sum(actions), sum(x != y for (x, y), _ in chosen), second, weight


def events(n_2, alpha):
    """P(Omega L A), P(Omega L A^c), P(Omega L^c) in floats, from the definitions."""
    p, q = float(CHAIN["mu_2_prime"]), float(CHAIN["mu_2_alt"])
    kl = p * log(p / q) + (1 - p) * log((1 - p) / (1 - q))
    found = [0.0, 0.0, 0.0]
    histories = augmented_histories(RESPONSE, CHAIN["mu_1"], CHAIN["mu_2"], CHAIN["mu_2_prime"])
    for pulls, differing, second, weight in histories:
        if pulls > n_2:
            continue
        ratio = sum(log(p / q) if r else log((1 - p) / (1 - q)) for r in second)
        close = differing <= (1 + alpha) * n_2 * 0.4
        found[2 if not close else 0 if ratio <= (1 + alpha) * n_2 * kl else 1] += float(weight)
    return found


@pytest.mark.parametrize("n_2", [1, 2])
@pytest.mark.parametrize("alpha", [Fraction(1, 4), Fraction(2)])
def test_the_left_sides_are_the_probabilities_of_the_three_events(n_2, alpha):
    both, unlikely, distant = events(n_2, float(alpha))
    common = {"policy": RESPONSE, "alpha": alpha, "n_2": n_2}
    left, _, right = double_change_of_environment(**CHAIN, **common)
    assert float(left) == pytest.approx(both, abs=1e-14)
    assert float(likelihood_ratio_event(**CHAIN, **common)[0]) == pytest.approx(unlikely, abs=1e-14)
    setting = {name: CHAIN[name] for name in ("mu_2", "mu_2_prime", "mu_1")}
    often, _, _ = hamming_distance_event(**setting, **common)
    assert float(often) == pytest.approx(distant, abs=1e-14)
    kl = 0.5 * log(0.5 / 0.8) + 0.5 * log(0.5 / 0.2)
    few, _, _ = markov_for_the_better_arm(RESPONSE, n_2, CHAIN["mu_1"], CHAIN["mu_2_alt"])
    assert float(right) == pytest.approx(exp((1 + float(alpha)) * n_2 * (log(9) * 0.4 + kl)) * float(few), rel=1e-12)


def test_group_privacy_is_attained_at_the_exact_budget_and_fails_below_it():
    assert group_privacy(RESPONSE) == (1, "<=", 1) and odds_of_views(RESPONSE) == 9
    assert largest_ratio_per_difference(RESPONSE, Fraction(89, 10)) > 1


def test_differences_are_counted_by_a_binomial_law():
    tail, _, bound = differences_are_few(Fraction(1, 10), Fraction(2, 5), Fraction(1, 2), 20)
    assert float(tail) == pytest.approx(binom.sf(9, 20, 0.3), rel=1e-12)
    kl = 0.45 * log(0.45 / 0.3) + 0.55 * log(0.55 / 0.7)
    assert float(bound) == pytest.approx(exp(-20 * kl), rel=1e-12)


def test_the_doob_hoeffding_bound_has_the_stated_exponent():
    _, _, bound = walk_stays_below(Fraction(3, 10), Fraction(3, 5), Fraction(1, 2), 20)
    kl = 0.3 * log(0.5) + 0.7 * log(0.7 / 0.4)
    spread = log(0.7 / 0.4) - log(0.5)
    assert float(bound) == pytest.approx(exp(-2 * 20 * 0.25 * kl**2 / spread**2), rel=1e-12)


def test_the_edges_of_the_chain_are_seen(relation):
    half, one = as_ball(Fraction(1, 2)), as_ball(1)
    assert holds(*relation("BDP-LC.3/step-positive-mean")(half, half)) is False
    assert holds(*relation("BDP-LC.3/step-positive-mean")(half, one)) is True
    assert holds(*relation("BDP-LC.3/step-bounded")(half, one)) is False
    assert holds(*relation("BDP-LC.3/step-bounded")(half, as_ball(Fraction(3, 4)))) is True


def test_the_neglected_events_are_empty_when_nothing_changes():
    half = Fraction(1, 2)
    common = {"policy": RESPONSE, "mu_1": half, "mu_2_prime": half, "alpha": half, "n_2": 2}
    assert holds(*equal_environments(mu_2=half, mu_2_alt=half, **common))
    assert hamming_distance_event(mu_2=half, **common)[0] == 0
    assert hamming_distance_event(mu_2=Fraction(0), **common)[0] > 0
