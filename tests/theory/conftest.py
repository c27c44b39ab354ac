"""The second routes are a package beside the tests, which they import by its name."""

import importlib.util
import sys
from pathlib import Path

HERE = Path(__file__).parent / "second_routes"

if "second_routes" not in sys.modules:
    spec = importlib.util.spec_from_file_location(
        "second_routes", HERE / "__init__.py", submodule_search_locations=[str(HERE)]
    )
    sys.modules["second_routes"] = importlib.util.module_from_spec(spec)
