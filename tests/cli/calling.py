"""Commands that are called in the process of the test."""

import pytest
from typer.main import get_command

from banditproof.cli import main
from banditproof.cli.commands import app


def status(arguments, command=()):
    """The status with which a command ends; `command` are the words before its arguments."""
    with pytest.raises(SystemExit) as left:
        main([*command, *arguments])
    return left.value.code


def commands(group=None, *words):
    """Every command of the command line behind its words."""
    for name, one in (group or get_command(app)).commands.items():
        yield from commands(one, *words, name) if hasattr(one, "commands") else [((*words, name), one)]
