import signal
import sys
from contextlib import contextmanager

import pytest
from hypothesis import settings

# The same examples on every run; no deadline, because a busy machine would miss it at random.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


def pytest_addoption(parser):
    parser.addoption(
        "--every-point", action="store_true", help="10,000 points per second route; every proof attacked (make points)"
    )
    parser.addoption("--report", metavar="FOLDER", help="look at the pages of this report in a browser (make pages)")


@pytest.fixture(scope="session")
def every_point(request):
    """Whether the tests that draw points are to draw all of them."""
    return request.config.getoption("--every-point")


@pytest.fixture(autouse=True)
def fresh_precision():
    """Every test starts with the precision of a fresh process, whatever checks ran before it in the same one."""
    flint, mpmath = sys.modules.get("flint"), sys.modules.get("mpmath")
    if flint is not None:
        flint.ctx.prec = 53
    if mpmath is not None:
        mpmath.mp.prec = 53


@pytest.fixture
def at_most():
    """`with at_most(seconds, what):` fails the test, whatever is running, where the block computes for longer."""

    @contextmanager
    def limited(seconds, what=""):
        def stop(*_):
            pytest.fail(f"more than {seconds} s {what}")

        before = signal.signal(signal.SIGPROF, stop)  # of computing: a busy machine fails nothing
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, before)

    return limited
