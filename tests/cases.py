"""Cases of a test that differ in the value of one argument."""

import pytest


def each(**values):
    """A name and one of its values at a time, for `pytest.mark.parametrize`; a case is called `name=value`."""
    return [pytest.param(name, value, id=f"{name}={value}") for name, several in values.items() for value in several]
