"""The seconds of a check are those it computes for, and they do not decide what it says."""

import re
import time
from time import monotonic, sleep

import pytest
from specimens.plain import Plain, players

from banditproof.algorithms.batches import GeometricBatches
from banditproof.algorithms.environment import BernoulliBandit
from banditproof.algorithms.finite.dp_index import DPIMED
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.roster import strategy
from banditproof.theory import Budget
from banditproof.verify import (
    against_rivals,
    audit_inputs,
    audit_mechanism,
    audit_private,
    audit_until_refuted,
    check_privacy,
    check_regret,
    check_stopping,
    check_theorem,
    stopwatch,
)
from banditproof.verify.announcing import Between
from banditproof.verify.audits.mechanism_audit import neighbouring_databases
from banditproof.verify.stopwatch import Stopwatch

ONE = Budget.pure(1.0)
SLACK = 1.0  # of these seconds, for what is not left in the middle
TICK = 1e-3  # by so much the clock of the process may run ahead of that of the wall


def test_waiting_counts_for_a_tenth():
    watch, start = Stopwatch(), monotonic()
    sleep(0.2)
    assert 0.02 <= watch.seconds() < (monotonic() - start) / 2


def test_computing_counts_in_full():
    watch, start = Stopwatch(), monotonic()
    while watch.seconds() < 0.1:
        pass
    assert monotonic() - start >= 0.1 - TICK


def policy(noise, generator):
    return DPIMED(2, ONE, GeometricBatches(2), noise)


def policies(rows, generator):
    """Without a compiled loop."""
    size = rows.stop - rows.start
    return Between(DPIMED(2, ONE, GeometricBatches(2), NoiseSource(generator), replications=size))


def answer(data, size, generator):
    """The noisy sum of a database, or the number of the database."""
    return generator.laplace(sum(data) if hasattr(data, "sum") else data, 0.4, size)


CHECKS = {
    "check_privacy": lambda: check_privacy(policy, ONE, seconds=0.2, seed=3),
    "check_regret": lambda: check_regret(policies, BernoulliBandit([0.3, 0.8]), 200, 30.0, seconds=0.5, seed=3),
    "check_stopping": lambda: check_stopping(
        lambda noise, generator: strategy("adap-tt", 2, 0.1, 50.0, generator, door=noise),
        [BernoulliBandit([0.1, 0.9])],
        against_rivals(lambda lead, own, other: lead),
        runs=2,
        seed=3,
    ),
    "audit_private": lambda: audit_private(policy, ONE, samples=40, seed=3),
    "audit_until_refuted": lambda: audit_until_refuted(policy, ONE, runs=300, seed=3),
    "audit_mechanism": lambda: audit_mechanism(answer, ONE, samples=500, seed=3),
    "audit_inputs": lambda: audit_inputs(answer, neighbouring_databases(2), ONE, samples=500, seed=3),
}


@pytest.mark.parametrize("name", CHECKS)
def test_a_seed_says_the_same_however_fast_the_clock_runs(monkeypatch, name):
    def said(faster):
        monkeypatch.setattr(stopwatch, "thread_time", lambda: faster * time.thread_time())
        monkeypatch.setattr(stopwatch, "monotonic", lambda: faster * time.monotonic())
        return re.sub(r"[0-9.]+ s(?!\w)", "", str(CHECKS[name]()))

    assert said(0.1) == said(1.0)


def test_seconds_that_are_given_end_by_the_clock_whoever_has_the_cores(monkeypatch):
    """The clock runs five times as fast as the core: 20 seconds took 62 on a busy machine."""

    def check(seconds):
        return check_theorem(players(Plain), "anytime-ucb", seconds=seconds)

    check(0.1)  # what is loaded
    began, seconds = 5 * monotonic(), 5.0
    monkeypatch.setattr(stopwatch, "ON_THE_WALL", True)
    monkeypatch.setattr(stopwatch, "monotonic", lambda: 5 * monotonic())
    check(seconds)
    assert 5 * monotonic() - began <= 1.1 * seconds + stopwatch.ASIDE + SLACK
