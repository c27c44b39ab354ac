"""False claims about ends, corners, jumps, single points, integers and clipped regions."""

from __future__ import annotations

from typing import Annotated, Any

from flaws import Few, false

from banditproof.claims.sets import Natural
from banditproof.claims.steps import enumerated

# ------------------------------------------------------------------------------------------------------------- integers


def smallest_factor(n: int) -> int:
    return next(d for d in range(2, n + 1) if n % d == 0)


@false("41² is no prime", enumerated(n=range(40), covers={"n": "integer [0, inf)"}), at={"n": 40})
def euler(n: Natural):
    """n² + n + 41 is prime."""
    value = n**2 + n + 41
    return smallest_factor(value), "==", value


@false("2³² + 1 = 641 · 6700417", enumerated(n=range(5), covers={"n": "integer [0, 5]"}), at={"n": 5})
def fermat(n: Annotated[Any, "integer [0, 5]"]):
    """2^(2^n) + 1 has no divisor below 1000, except itself."""
    value = 2**2**n + 1
    return any(value % d == 0 for d in range(2, min(1000, value))), "==", False


# ------------------------------------------------------------------------------------------------- clipped by `where`


@false("a pair is missing", enumerated([{"m": 1, "n": 2}, {"m": 1, "n": 3}]), at={"m": 2, "n": 3}, where=["m < n"])
def pairs(m: Few, n: Few):
    """m + n <= 4 where m < n."""
    return m + n, "<=", 4
