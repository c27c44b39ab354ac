"""What the assertions hand to the checks, and what they make of real certificates; outside of any plugin hook."""

import re
from fractions import Fraction
from math import inf
from types import SimpleNamespace

import numpy as np
import pytest

from banditproof import verify
from banditproof.algorithms import DPIMED, BernoulliBandit, GeometricBatches, NoiseSource
from banditproof.theory import Budget, Enclosure, InvalidInput, characteristic_time, g_optimal_design
from banditproof.theory.tables import Preformatted
from banditproof.verify import (
    PLANTED,
    assert_certified,
    assert_delta_correct,
    assert_private,
    assert_regret,
    check_privacy,
    check_regret,
    plant,
)
from banditproof.verify.testing.adapters import select_update
from banditproof.verify.testing.assertions import _power

CHECKS = ("check_privacy", "audit_private", "check_regret", "check_theorem", "check_delta_correct")


@pytest.fixture
def asked(monkeypatch):
    """The calls of the checks: (name, positional arguments, keyword arguments); every answer is fine."""
    calls = []

    def fake(name, verdict):
        def check(*arguments, **options):
            calls.append((name, arguments, options))
            return SimpleNamespace(verdict=verdict)

        return check

    for name in CHECKS:
        monkeypatch.setattr(verify, name, fake(name, "not refuted" if name == "audit_private" else "ok"), raising=False)
    return calls


@pytest.fixture(autouse=True)
def outside_of_a_session(monkeypatch):
    """As in a program of its own; verdicts that are meant to be bad stay off this session's list."""
    monkeypatch.setattr("banditproof.verify.testing.session.SESSIONS", [])


DEFAULT = Fraction(1, 10**6)


def test_recorded_releases_are_checked_with_a_fixed_error(asked):
    assert_private("make", "budget", seconds=2, horizon=30)
    assert asked == [
        ("check_privacy", ("make", "budget"), {"seconds": 2, "seed": 0, "horizon": 30, "rewards_in": "[0, 1]"})
    ]
    with pytest.raises(InvalidInput, match="error"):
        assert_private("make", "budget", error=0.1)


def test_a_black_box_is_audited_with_an_error(asked):
    assert_private("make", "budget", black_box=True, seed=3)
    options = {"seconds": None, "seed": 3, "horizon": None, "error": DEFAULT}
    assert asked == [("audit_private", ("make", "budget"), options)]


def test_regret_is_tested_against_a_bound_or_a_theorem(asked):
    assert_regret("make", environment="arms", horizon=10, bound=3, error="0.01", runs=5)
    assert_regret("make", theorem="BDP-T4.1", budgets=[1, 2])
    assert asked == [
        ("check_regret", ("make", "arms", 10, 3), {"seconds": None, "error": Fraction(1, 100), "runs": 5}),
        ("check_theorem", ("make", "BDP-T4.1"), {"seconds": None, "error": DEFAULT, "budgets": [1, 2]}),
    ]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "environment, horizon, bound must be given"),
        ({"bound": 3}, "environment, horizon must be given"),
        ({"environment": "arms", "horizon": 10}, "bound must be given; .* a theorem is given as theorem= alone"),
        ({"theorem": "ucb", "bound": 3}, "theorem must be given alone, without bound"),
    ],
)
def test_half_a_statement_about_regret_is_refused(asked, given, told):
    with pytest.raises(InvalidInput, match=told):
        assert_regret("make", **given)
    assert asked == []


def test_a_strategy_is_tested_for_its_delta(asked):
    assert_delta_correct("make", "arms", 0.1, seconds=1)
    assert asked == [("check_delta_correct", ("make", "arms", 0.1), {"seconds": 1, "error": DEFAULT})]


def private_imed(noise, generator):
    return DPIMED(2, Budget.pure(1.0), GeometricBatches(2), noise, generator=generator)


def test_a_policy_is_private_until_a_bug_is_planted_or_too_little_is_seen():
    assert assert_private(private_imed, Budget.pure(1.0), seconds=1, horizon=60).verdict == "ok"
    with pytest.raises(AssertionError, match="seen: "):
        assert_private(plant(PLANTED["noise halved"], private_imed), Budget.pure(1.0), seconds=1)
    with pytest.raises(AssertionError, match="inconclusive: "):
        assert_private(private_imed, Budget.pure(1.0), seconds=0.2, horizon=1)


@pytest.mark.parametrize("hears", [False, True])
def test_a_policy_that_leaks_fails_the_audit_and_one_that_does_not_listen_is_not_refuted(hears):
    class Greedy:
        def __init__(self):
            self.sums = np.zeros(2)

        def select_arm(self):
            return int(self.sums.argmax())

        def update(self, arm, reward):
            self.sums[arm] += hears * (reward - 0.5)

    def audited():
        return assert_private(
            lambda *_: select_update(Greedy(), 2), Budget.pure(1), black_box=True, seconds=2 if hears else 0.5
        )

    if hears:
        with pytest.raises(AssertionError, match="violation: the actions show epsilon >= "):
            audited()
    else:
        assert audited().shown == 0


def test_what_is_open_is_told_with_what_would_settle_it():
    report = check_privacy(private_imed, Budget.pure(1.0), seconds=0.2, horizon=1)
    assert "(give more seconds, or a longer horizon)" in _power(report) and "inconclusive" not in _power(report)
    close = check_regret(
        lambda rows, g: private_imed(NoiseSource(g), g), BernoulliBandit([0.9, 0.1]), 2000, 60.0, seconds=0.01
    )
    assert close.verdict == "inconclusive" and re.search(
        "too few to tell .* about seconds=[0-9]+ would be", _power(close)
    )


@pytest.mark.parametrize(("least", "seen"), [(1.25, "a mean of 1.25"), (inf, "no mean")])
def test_the_power_is_that_of_the_closest_call(least, seen):
    report = SimpleNamespace(verdict="ok", seen=1.0, closest=SimpleNamespace(seen=least, bound=1.0))
    assert _power(report) == f"{seen} would have been noticed (bound 1)"


@pytest.mark.parametrize("verdict", ["violation", "inconclusive"])
def test_the_reason_stands_in_the_line_of_the_session_as_long_as_it_is(verdict):
    class Wrapped(Preformatted):
        def __str__(self):
            return f"{verdict}: never ran: the case\n    that the loop ends\n  at line 3\nseen: 3 runs"

    Wrapped.verdict = verdict
    assert _power(Wrapped()) == "never ran: the case that the loop ends"


# --------------------------------------------------------------------------------------------------------- certificates


def test_certified_results_of_theory_are_verified_again():
    design = g_optimal_design([[1, 0], [0, 1], [1, 1]])
    assert assert_certified(design, within=("1.9999", "2.0001"), width="0.001").verdict == "ok"
    time = characteristic_time(means=["0.9", "0.5"])
    assert "certificate holds" in str(assert_certified(time))


def result(recheck, *ends):
    return SimpleNamespace(recheck=lambda: recheck, value=Enclosure(*ends))


@pytest.mark.parametrize("expected", [{"within": (0, "0.75")}, {"within": (0.75, inf)}, {"width": 0.25}])
def test_an_enclosure_that_is_too_wide_decides_nothing(expected):
    with pytest.raises(AssertionError, match="inconclusive: "):
        assert_certified(result(True, 0.5, 1), **expected)
    assert assert_certified(result(True, 0.5, 1), **expected, allow_inconclusive=True).verdict == "inconclusive"


@pytest.mark.parametrize("answer", [False, None, "yes"])
def test_a_certificate_that_does_not_hold_is_a_violation(answer):
    with pytest.raises(AssertionError, match="violation: the certificate of this SimpleNamespace does not hold"):
        assert_certified(result(answer, 1, 1), allow_inconclusive=True)
