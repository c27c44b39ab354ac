"""What the paper's letters mean: its log is to the base 2, its ln natural."""

from typing import Annotated, Any

from banditproof.theory import log

Gap = Annotated[Any, "(0, 1)"]  # of two means in (0, 1)
Horizon = Annotated[Any, "[2, inf)"]  # T or t; also what is no integer, where a statement holds for it
Round = Annotated[Any, "[1, inf)"]
LogHorizon = Annotated[Any, "[1, inf)"]  # log T for T >= 2


def lb(x: Any) -> Any:
    """The paper's log."""
    return log(x) / log(2)
