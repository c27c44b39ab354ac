"""Policies whose privacy is known, from the texts beside this file, which `benchmarks/collection.py` reads.

`privacy.txt` has bugs as engineers write them, and oddities that do no harm; `strangers.txt` is somebody else's. The
docstring of a section says what the policy is (`BUG:`, `HARMLESS:`, and why) and the other fields of a `Specimen`, a
line each; the class or function of its name makes the policy.
"""

import re
import sys
from functools import partial
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from banditproof.theory import Budget
from specimens.common import Specimen

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[2] / "benchmarks"))
benchmark = import_module("collection")
FIELD = re.compile(r"^(NAME|CAUSE|LINE|BUDGET|PULLS|SEED): (.*)$", re.MULTILINE)


def specimen(collection: str, name: str) -> Specimen:
    """The policy of a section, from its file and its docstring."""
    path = benchmark.folder_of(HERE / collection) / f"{name}.py"
    spec = spec_from_file_location(f"{collection}.{name}", path)
    module = sys.modules[spec.name] = module_from_spec(spec)  # where inspect looks for its source
    spec.loader.exec_module(module)
    word, said = benchmark.DOCSTRING.match(path.read_text())[1].split(": ", 1)
    given = {field.lower(): text for field, text in FIELD.findall(said)}
    given |= {field: eval(given[field], vars(module)) for field in {"budget", "pulls", "seed"} & given.keys()}
    why = " ".join(FIELD.sub("", said).split())
    known = {"name": name, "budget": Budget.pure(1.0), "cause": "", "why": why, "leaks": word == "BUG"}
    return Specimen(make_policy=getattr(module, name), **known | given)


def collected(collection: str) -> list[Specimen]:
    """The policies of a collection, in the order of its text."""
    return list(map(partial(specimen, collection), benchmark.sources((HERE / f"{collection}.txt").read_text())))
