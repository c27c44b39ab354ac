"""The strangers are a package beside the tests, which they import by its name."""

import importlib.util
import sys
from pathlib import Path

HERE = Path(__file__).parent / "strangers"

if "strangers" not in sys.modules:
    spec = importlib.util.spec_from_file_location(
        "strangers", HERE / "__init__.py", submodule_search_locations=[str(HERE)]
    )
    sys.modules["strangers"] = importlib.util.module_from_spec(spec)
