import pytest
from hypothesis import settings

# The same examples on every run; no deadline, because a busy machine would miss it at random.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


def pytest_addoption(parser):
    parser.addoption(
        "--every-point", action="store_true", help="10,000 points per second route; every proof attacked (make points)"
    )


@pytest.fixture(scope="session")
def every_point(request):
    """Whether the tests that draw points are to draw all of them."""
    return request.config.getoption("--every-point")
