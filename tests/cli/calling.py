"""Commands that are called in the process of the test."""

import pytest

from banditproof.cli import main


def status(arguments, command=()):
    """The status with which a command ends; `command` are the words before its arguments."""
    with pytest.raises(SystemExit) as left:
        main([*command, *arguments])
    return left.value.code
