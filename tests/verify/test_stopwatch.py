"""The seconds of a check are those it computes for."""

from time import monotonic, sleep

from banditproof.verify.stopwatch import Stopwatch


def test_waiting_counts_for_a_tenth():
    watch, start = Stopwatch(), monotonic()
    sleep(0.2)
    assert 0.02 <= watch.seconds() < (monotonic() - start) / 2


def test_computing_counts_in_full():
    watch, start = Stopwatch(), monotonic()
    while watch.seconds() < 0.1:
        pass
    assert monotonic() - start >= 0.1
