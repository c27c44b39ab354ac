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


def pages(command=None, *words):
    """The words of every command, and of every group of them, with itself."""
    command = command or get_command(app)
    yield words, command
    for name, one in getattr(command, "commands", {}).items():
        yield from pages(one, *words, name)
