"""Commands that are called in the process of the test."""

import pytest

from banditproof.cli import main
from banditproof.cli.commands import whole_command


def status(arguments, command=()):
    """The status with which a command ends; `command` are the words before its arguments."""
    with pytest.raises(SystemExit) as left:
        main([*command, *arguments])
    return left.value.code


def changed(run, *others):
    """The arguments of a command with these options in place of its own; names of algorithms are added."""
    given, own = {word for word in others if word.startswith("--")} - {"--algorithm"}, iter(run)
    kept = [word for word in own if word not in given or next(own) is None]
    return [*kept, *others]


def pages(command=None, *words):
    """The words of every command, and of every group of them, with itself."""
    command = command or whole_command()
    yield words, command
    for name, one in getattr(command, "commands", {}).items():
        yield from pages(one, *words, name)
