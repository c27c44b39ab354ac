"""The two collections of policies whose privacy is known are packages beside the tests, imported by their names."""

import importlib.util
import sys
from pathlib import Path

import pytest

for name in ("automata", "specimens"):
    if name not in sys.modules:
        here = Path(__file__).parent / name
        spec = importlib.util.spec_from_file_location(
            name, here / "__init__.py", submodule_search_locations=[str(here)]
        )
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])


@pytest.fixture
def seconds(request):
    """Of a check whose verdict comes soon in the cases that `make test` takes; otherwise what it has without a word.

    Seconds are so much work, not time, so they show the same on every machine.
    """
    all_cases = request.config.getoption("--every-point") or any("::" in word for word in request.config.args)
    return None if all_cases else 2.0
