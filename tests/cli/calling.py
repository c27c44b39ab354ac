"""Commands that are called in the process of the test."""

import pytest

from banditproof.cli import main


def status(arguments):
    """The status with which a command ends."""
    with pytest.raises(SystemExit) as left:
        main(arguments)
    return left.value.code
