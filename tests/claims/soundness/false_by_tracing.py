"""False claims whose bodies tell a variable from a number, round a constant, or take a power 0 of nothing."""

import contextlib
from fractions import Fraction as F

from flaws import false, searched

from banditproof.claims import Count, Positive, Probability, interval

HALF, C = F(1, 2), F(777, 1000)


@false("x > 1/2 at 1", interval(), at={"x": 1}, exactly=lambda x: (x * (1 - x) + (x > HALF), "<=", F(3, 10)))
def traced_suppressed(x: Probability):
    """x + 1[x > 1/2] <= x."""
    jump = 0
    with contextlib.suppress(Exception):
        jump = 1 if x > HALF else 0
    return x * (1 - x) + jump, "<=", F(3, 10)


@false("a match of int", searched, at={"n": 3}, exactly=lambda n: ((n + 1) * n, "==", n**2))
def traced_match(n: Count):
    """n + 1 <= n."""
    match n:
        case int() | F():
            m = n + 1
        case _:
            m = n
    return m * n, "==", n**2


@false("made by exec", searched, at={"x": 1}, exactly=lambda x: (2 * x * x, "==", x**2), contrived=True)
def traced_made_by_exec(x: Positive):
    """2x <= x, by a test of the type's name."""
    space = {}
    exec("f = lambda v: v if type(v).__name__ == 'Term' else 2 * v", space)
    return space["f"](x) * x, "==", x**2
