"""The examples in docstrings do what they say."""

import doctest
import importlib


def test_the_examples_of_the_module_hold(module_name):
    module = importlib.import_module(module_name)
    assert doctest.testmod(module, optionflags=doctest.ELLIPSIS).failed == 0
