"""A companion for papers on differentially private bandits: computes, runs and checks what they claim.

The rooms are imported when they are first used: ``import banditproof``, then ``banditproof.theory.d_epsilon``.
``banditproof.judge`` settles a printed statement.
"""

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
    from banditproof.theory.face import no_such_name

    raise no_such_name("banditproof", name, __dir__())


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "__version__", "judge"})
