"""The two collections of policies whose privacy is known are packages beside the tests, imported by their names."""

import importlib.util
import sys
from pathlib import Path

for name in ("automata", "specimens"):
    if name not in sys.modules:
        here = Path(__file__).parent / name
        spec = importlib.util.spec_from_file_location(
            name, here / "__init__.py", submodule_search_locations=[str(here)]
        )
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
