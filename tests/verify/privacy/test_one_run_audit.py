"""One-run audits: tails against sums written out and against all mechanisms, and mechanisms of known budget."""

from fractions import Fraction
from itertools import product
from math import comb, exp, log

import numpy as np
import pytest

from banditproof.theory import Budget
from banditproof.theory.errors import InvalidInput
from banditproof.verify import audit_one_run, binomial_interval, random_channel
from banditproof.verify.privacy.one_run_audit import one_run_epsilon, one_run_error, right_guesses


def test_the_tail_is_that_of_the_sum_written_out():
    p = exp(0.8) / (1 + exp(0.8))
    law = [comb(12, k) * p**k * (1 - p) ** (12 - k) for k in range(13)]
    assert one_run_error(20, 12, 10, 0.8) == pytest.approx(sum(law[10:]))


def test_the_slack_of_delta_is_that_of_the_sum_written_out():
    """By how much one more right guess raises the chance of v at most, canary by canary."""
    m, r, v, epsilon, delta = 9, 6, 4, 0.8, 1e-3
    p, total = exp(epsilon) / (1 + exp(epsilon)), 0.0
    for i in range(1, m + 1):
        total += max(
            comb(n, v - 1 - w) * p ** (v - 1 - w) * (1 - p) ** (n - (v - 1 - w))
            for n in range(max(0, r - i), r)
            for w in range(max(0, v - 1 - n), min(v - 1, r - 1 - n) + 1)
        )
    expected = one_run_error(m, r, v, epsilon) + (1 - p) * delta * total
    assert one_run_error(m, r, v, epsilon, delta) == pytest.approx(expected)


def test_the_largest_refuted_epsilon_is_where_the_tail_meets_the_error():
    largest = one_run_epsilon(1000, 200, 180, 0.05, 1e-6)
    assert one_run_error(1000, 200, 180, largest, 1e-6) <= 0.05 < one_run_error(1000, 200, 180, largest + 1e-6, 1e-6)
    assert one_run_epsilon(1000, 200, 100, 0.05) == 0


def largest_tail(canaries, guesses, right, epsilon, delta):
    """The largest probability of so many right guesses among all (epsilon, delta)-DP mechanisms, by a linear program.

    Variables are P(guesses | coins), and where delta > 0 the excesses over e^epsilon times the neighbour's.
    """
    from scipy.optimize import linprog
    from scipy.sparse import lil_array, vstack

    coins = list(product((-1, 1), repeat=canaries))
    outputs = [t for t in product((-1, 0, 1), repeat=canaries) if np.count_nonzero(t) == guesses]
    at = {(s, t): k for k, (s, t) in enumerate(product(coins, outputs))}
    pairs = [(s, (*s[:i], -s[i], *s[i + 1 :])) for s in coins for i in range(canaries)]
    cells = len(at)
    excess = {pair: cells + k * len(outputs) for k, pair in enumerate(pairs)} if delta else {}
    columns = cells + len(excess) * len(outputs)
    gains = np.zeros(columns)
    for (s, t), k in at.items():
        gains[k] = -(sum(a == b for a, b in zip(s, t, strict=True)) >= right) / len(coins)
    ratios, sums = lil_array((len(pairs) * len(outputs), columns)), lil_array((len(coins), columns))
    totals = lil_array((len(excess), columns))
    for row, ((s, other), (j, t)) in enumerate(product(pairs, enumerate(outputs))):
        ratios[row, at[s, t]], ratios[row, at[other, t]] = 1, -exp(epsilon)
        if delta:
            ratios[row, excess[s, other] + j] = -1
            totals[row // len(outputs), excess[s, other] + j] = 1
    for row, s in enumerate(coins):
        for t in outputs:
            sums[row, at[s, t]] = 1
    limits = np.concatenate([np.zeros(ratios.shape[0]), np.full(len(excess), delta)])
    upper = vstack([ratios, totals]) if delta else ratios
    solved = linprog(gains, upper.tocsr(), limits, sums.tocsr(), np.ones(len(coins)))
    assert solved.status == 0
    return -solved.fun


GAMES = [(m, r, v) for m in (1, 2, 3) for r in range(1, m + 1) for v in range(1, r + 1)]


@pytest.mark.parametrize("epsilon", [0.3, 1.5])
@pytest.mark.parametrize(("canaries", "guesses", "right"), GAMES)
def test_no_pure_mechanism_guesses_better_than_the_bound_and_one_as_well(canaries, guesses, right, epsilon):
    bound = one_run_error(canaries, guesses, right, epsilon)
    assert largest_tail(canaries, guesses, right, epsilon, 0.0) == pytest.approx(bound, rel=1e-6)


@pytest.mark.parametrize("delta", [1e-3, 0.1])
@pytest.mark.parametrize(("canaries", "guesses", "right"), GAMES)
def test_no_approximate_mechanism_guesses_better_than_the_bound(canaries, guesses, right, delta):
    most, bound = (f(canaries, guesses, right, 0.7, delta) for f in (largest_tail, one_run_error))
    assert most <= bound + 1e-9
    slack = bound - one_run_error(canaries, guesses, right, 0.7)
    assert most >= bound - 0.5 * slack
    if guesses in (1, canaries) and right in (1, guesses) and delta < 0.01:
        assert most >= bound - 1e-3 * slack  # attained


def test_the_published_term_for_delta_is_too_small_for_a_mechanism_that_never_errs_everywhere():
    """Guesses uniform over all but the antipode of the coins, in rationals."""
    coins = list(product((-1, 1), repeat=3))
    law = {s: {t: Fraction(t != tuple(-x for x in s), 7) for t in coins} for s in coins}
    neighbours = [(s, (*s[:i], -s[i], *s[i + 1 :])) for s in coins for i in range(3)]
    delta = max(sum(max(Fraction(0), law[a][t] - law[b][t]) for t in coins) for a, b in neighbours)
    at_least_one = sum(p for s in coins for t, p in law[s].items() if any(map(int.__eq__, s, t))) / 8
    published = Fraction(7, 8) + 2 * 3 * delta * Fraction(1, 8)  # right = 1: only i = 1, P(1 > Binomial >= 0)
    assert (delta, at_least_one, published) == (Fraction(1, 7), 1, Fraction(55, 56))
    assert one_run_error(3, 3, 1, 0.0, float(delta)) == pytest.approx(1.0)  # attained


@pytest.mark.parametrize("seed", range(4))
def test_step_one_of_the_proof_holds_exactly_on_random_mechanisms(seed):
    """P(S_i = s | output, earlier coins) <= ratio / (1 + ratio) in rationals, and that chain dominates."""
    channel = random_channel(seed, 3)
    laws, coins = channel.laws, list(product((0, 1), repeat=3))
    ratio = max(laws[s][o] / laws[(*s[:i], 1 - s[i], *s[i + 1 :])][o] for s in coins for i in range(3) for o in laws[s])
    p = ratio / (1 + ratio)
    for o in laws[coins[0]]:
        for start in (start for i in range(3) for start in product((0, 1), repeat=i)):
            i = len(start)
            mass = [sum(laws[s][o] for s in coins if s[: i + 1] == (*start, b)) for b in (0, 1)]
            assert max(mass) / sum(mass) <= p
    for right in (1, 2, 3):
        best = sum(
            max(sum(laws[s][o] for s in coins if sum(map(int.__eq__, s, t)) >= right) for t in coins) / 8
            for o in laws[coins[0]]
        )
        exact = sum(comb(3, k) * p**k * (1 - p) ** (3 - k) for k in range(right, 4))
        assert best <= exact and one_run_error(3, 3, right, log(ratio)) == pytest.approx(float(exact))


def test_randomised_response_is_the_worst_case_and_keeps_the_error():
    """Every canary's bit goes through randomised response of its own, so right guesses are exactly binomial."""
    generator, epsilon = np.random.default_rng(0), 1.0
    right = generator.binomial(300, 1 / (1 + exp(-epsilon)), 500)
    known = {n: one_run_epsilon(300, 300, int(n), 0.1) for n in set(right)}
    shown = np.array([known[n] for n in right])
    assert binomial_interval(int((shown > epsilon).sum()), 500, Fraction(1, 10**6))[0] <= 0.1
    assert np.median(shown) > 0.7


def test_an_audit_guesses_the_ends_and_keeps_its_verdicts_apart():
    generator = np.random.default_rng(0)
    inside = generator.random(400) < 0.5
    clear = audit_one_run(inside + 0.1 * generator.standard_normal(400), inside, Budget.pure(1.0), 100)
    assert clear.verdict == "violation" and clear.right == 100 and clear.shown == clear.reach > 1.5
    assert "100 of 100 guesses about 400 canaries were right" in str(clear)
    noisy = audit_one_run(inside + 4 * generator.standard_normal(400), inside, Budget.pure(1.0), 100)
    assert noisy.verdict == "not refuted" and noisy.shown < 0.5
    few = audit_one_run(inside[:10].astype(float), inside[:10], Budget.approximate(1.0, 1e-6), 4)
    assert few.verdict == "inconclusive" and few.right == 4 and "cannot refute" in str(few)


SCORES_THAT_SAY_NOTHING = {
    "constant": lambda g: np.zeros(200),
    "rounded": lambda g: np.round(g.random(200), 1),
    "saturated": lambda g: np.minimum(1.0, g.random(200) / 0.3),
    "infinite": lambda g: np.where(g.random(200) < 0.5, np.inf, -np.inf),
    "signed zeros": lambda g: np.copysign(0.0, np.arange(200) - 99.5),  # in the order of the canaries, and equal
    "whole numbers that are one float": lambda g: 2.0**53 + np.arange(200) // 100,
    "three levels": lambda g: g.integers(3, size=200).astype(float),
}
ORDERS = {"members last": np.sort, "members first": lambda inside: np.sort(inside)[::-1], "mixed": np.asarray}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("scores", SCORES_THAT_SAY_NOTHING)
def test_the_order_of_equal_scores_is_no_evidence(scores, order, every_point):
    """False alarms at an error of 0.05 where nothing leaks, up to an error probability of 10^-6 of this test."""
    generator, error, audits = np.random.default_rng(7), 0.05, 10_000 if every_point else 300
    alarm = next(v for v in range(101) if one_run_error(200, 100, v, 0.0) <= error)
    false = 0
    for _ in range(audits):
        inside = ORDERS[order](generator.random(200) < 0.5)
        false += right_guesses(SCORES_THAT_SAY_NOTHING[scores](generator), inside, 100, generator) >= alarm
    assert binomial_interval(false, audits, Fraction(1, 10**6))[0] <= error


@pytest.mark.parametrize("sign", [1, -1])
def test_coins_of_the_seed_of_the_audit_do_not_say_which_of_equal_scores_it_guesses(sign):
    """Whoever draws his coins from the seed that the audit has by default would else see all guesses right, or none."""
    for seed in range(20):
        inside = sign * (np.random.default_rng(seed).random(1000) - 0.5) > 0
        found = audit_one_run(np.zeros(1000), inside, Budget.pure(0.5), 200, seed=seed)
        assert found.verdict == "not refuted" and 60 < found.right < 140  # 5.6 deviations of a fair count


def test_scores_without_ties_are_guessed_as_they_are_ordered():
    generator = np.random.default_rng(3)
    for _ in range(50):
        scores, inside = generator.random(60), generator.random(60) < 0.5
        order = np.argsort(scores)
        plain = int(inside[order[-20:]].sum() + (~inside[order[:20]]).sum())
        assert right_guesses(scores, inside, 40, generator) == plain


def test_no_canary_is_guessed_both_in_and_out():
    """With as many guesses as canaries, each is guessed once: all members in and all others out, or one that is not."""
    inside = np.arange(8) < 4
    for seed in range(20):
        assert right_guesses(inside.astype(float), inside, 8, np.random.default_rng(seed)) == 8
        right = right_guesses(np.zeros(8), inside, 8, np.random.default_rng(seed))
        assert right % 2 == 0 and 0 <= right <= 8


def test_bad_input_of_an_audit_is_named():
    scores, inside = np.zeros(4), np.zeros(4, bool)
    for guesses in (0, 3, 6):
        with pytest.raises(InvalidInput, match="guesses"):
            audit_one_run(scores, inside, Budget.pure(1.0), guesses)
    with pytest.raises(InvalidInput, match="budget"):
        audit_one_run(scores, inside, Budget.gdp(1.0), 2)
    with pytest.raises(InvalidInput, match="scores, inside"):
        audit_one_run(scores[:3], inside, Budget.pure(1.0), 2)
    with pytest.raises(InvalidInput, match=r"scores must be a number for every canary; .* 'nan for canaries 1, 3'"):
        audit_one_run(np.array([0, np.nan, 1, np.nan]), inside, Budget.pure(1.0), 2)
    for coins in (np.array([1, -1, 1, -1]), np.array([0.5, 1, 0, 0]), np.array(["in", "out", "in", "out"])):
        with pytest.raises(InvalidInput, match=r"^inside must be"):
            audit_one_run(scores, coins, Budget.pure(1.0), 2)


def test_a_budget_whose_amount_is_no_epsilon_is_audited_by_its_line(monkeypatch):
    delta = Budget.approximate(1, 0.1).ranges["delta"]
    monkeypatch.setattr("banditproof.theory.privacy.budget.KINDS", {})

    class Variation(Budget):
        kind, amount, ranges = "variation", "delta", {"delta": delta}

        @property
        def line(self):
            return 0.0, self.delta

    coins = np.random.default_rng(0).random(1000) < 0.5
    audit = audit_one_run(coins, coins, Variation(delta=1e-10), 200)
    assert audit.verdict == "violation" and (audit.parameter, audit.promised) == ("epsilon", 0.0)
    assert audit.shown == one_run_epsilon(1000, 200, 200, float(audit.error), 1e-10)
