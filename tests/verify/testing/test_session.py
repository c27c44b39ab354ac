"""Shares of the session's error: their sum is bounded whatever happens."""

from fractions import Fraction

import pytest

from banditproof.theory.errors import InvalidInput
from banditproof.verify.proof.statistics import REPORT_ERROR
from banditproof.verify.testing.session import SESSIONS, Line, Session, share_of_error


def shares(session, order):
    for test in order:
        session.test = test
        yield session.share()


def session_of(tests, copies=1):
    session = Session(Fraction(1, 100), copies)
    session.tests = tests
    return session


def test_the_shares_of_all_tests_never_exceed_the_error_however_many_assertions_they_make():
    spent = sum(shares(session_of(3), [*"aaaaab" * 50, *"c" * 1000]))
    assert Fraction(99, 10000) < spent < Fraction(1, 100)


def test_a_share_does_not_depend_on_the_order_of_the_tests():
    orders = ["aabbb", "babab"]
    one, other = (sorted(zip(order, shares(session_of(2), order), strict=True)) for order in orders)
    assert one == other


def test_a_smaller_selection_makes_shares_larger():
    few, many = (next(shares(session_of(tests), "a")) for tests in (1, 1000))
    assert few == 1000 * many


def test_processes_that_run_the_same_tests_divide_a_share():
    assert next(shares(session_of(5, copies=4), "a")) == next(shares(session_of(5), "a")) / 4


def test_between_tests_there_is_no_share():
    with pytest.raises(InvalidInput, match="in a test or a fixture"):
        session_of(1).share()


def test_outside_of_a_session_every_assertion_has_an_error_of_its_own(monkeypatch):
    monkeypatch.setattr("banditproof.verify.testing.session.SESSIONS", [])
    assert share_of_error() == REPORT_ERROR and share_of_error("0.01") == Fraction(1, 100)


def test_this_session_counts_the_assertions_of_this_test():
    first, second = share_of_error(), share_of_error()
    assert first == 3 * second and first <= SESSIONS[-1].error / 2


def test_a_line_says_everything_in_one_line():
    line = Line("test_a.py::test_b", "assert_regret", "ok", 2.5e-7, "would have seen 1.1 B", 4.94)
    assert str(line) == "test_a.py::test_b  assert_regret: ok; error 2.5e-07; would have seen 1.1 B; 4.9 s"
    assert (
        str(Line("t", "assert_certified", "ok", 0.0, "", 0.04))
        == "t  assert_certified: ok; no statistical error; 0.0 s"
    )
