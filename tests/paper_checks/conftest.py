"""What several tests of the claims use."""

import pytest

from banditproof.theory.numbers.numeric import working_precision


@pytest.fixture
def precision():
    """Balls of 128 bits."""
    with working_precision(128):
        yield
