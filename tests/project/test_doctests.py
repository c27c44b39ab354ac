"""The examples in docstrings do what they say."""

import doctest
import importlib


def test_the_examples_of_the_module_hold(module_with_examples):
    module = importlib.import_module(module_with_examples)
    done = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert done.attempted > 0 and done.failed == 0
