"""A companion for papers on differentially private bandits: computes, runs and checks what they claim.

The rooms are imported when they are first used: ``import banditproof``, then ``banditproof.theory.d_epsilon``.
``banditproof.judge`` settles a printed statement.
"""

import sys
from importlib import import_module
from typing import Any

__all__ = ["algorithms", "claims", "theory", "verify"]  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version  # slow to import

        return version("banditproof")
    if name == "judge":
        from banditproof.verify.judge.door import judge

        return judge
    if name in __all__:
        return import_module(f"banditproof.{name}")
    public = () if name.startswith("_") else __all__
    room = next((room for room in public if name in import_module(f"banditproof.{room}").__all__), "")
    where = f": it is banditproof.{room}.{name}" if room else ""
    # hasattr of `from banditproof import name`, where Python would leave out what an AttributeError says
    imported = sys._getframe(1).f_code.co_name == "_handle_fromlist"
    raise (ImportError if room and imported else AttributeError)(
        f"module 'banditproof' has no attribute {name!r}{where}"
    )


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "__version__", "judge"})
