"""The divergences of `bernoulli` and the KL-UCB index on single floats: a call in Python, or a line of a compiled loop.

Plain functions of floats on `math`, which numba compiles as they stand (`compiling`). Their arguments lie in
the domains, and that is not looked at here. The steps are those of `bernoulli_points` and `index_root` on arrays.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from banditproof.theory.numbers.logarithms import _ATANH_TAIL

_TAIL = tuple(_ATANH_TAIL)
_THIRD = 1 / 3
STEPS = 200
CANCELLING = 1e-4  # q closer to x than so much of it is not looked for without care
SQUARED_AWAY = 1e-8  # of q - x: the step after one this small is below rounding


def kl_term(a: float, b: float, difference: float) -> float:
    """a log(a/b) - (a - b) for a, b >= 0, given the difference a - b."""
    if difference == 0.0:
        return 0.0
    total = a + b
    v = difference / total
    if -_THIRD <= v <= _THIRD:
        s, t, series = v * v, _TAIL, 0.0  # a loop would take twice as long; what is left out is below 2^-57
        if s > 4e-4:
            if s > 0.02:
                series = ((((((t[16] * s + t[15]) * s + t[14]) * s + t[13]) * s + t[12]) * s + t[11]) * s + t[10]) * s
            series = (((((series + t[9]) * s + t[8]) * s + t[7]) * s + t[6]) * s + t[5]) * s
        series = ((((series + t[4]) * s + t[3]) * s + t[2]) * s + t[1]) * s + t[0]
        return difference * v * (1 + 2 * a / total * v * series)
    if a == 0.0:
        return b
    if b == 0.0:
        return math.inf
    ratio = a / b
    logarithm = math.log(ratio) if 1e-290 < ratio < 1e290 else math.log(a) - math.log(b)
    return a * logarithm - difference


def kl_apart(x: float, x_c: float, y: float, y_c: float, gap: float) -> float:
    """kl(x, y) from both complements and gap = y - x."""
    return kl_term(x, y, -gap) + kl_term(x_c, y_c, gap)


def kl(x: float, y: float) -> float:
    """kl(x, y)."""
    return kl_apart(x, 1 - x, y, 1 - y, y - x)


def d(x: float, y: float, epsilon: float) -> float:
    """d_epsilon(x, y)."""
    kept, lost = math.exp(-epsilon), -math.expm1(-epsilon)
    if x <= y:
        return d_apart(x, 1 - x, y, 1 - y, y - x, epsilon, kept, lost)
    return d_apart(1 - x, x, 1 - y, y, x - y, epsilon, kept, lost)


def d_apart(x: float, x_c: float, y: float, y_c: float, gap: float, epsilon: float, kept: float, lost: float) -> float:
    """d_epsilon(x, y) for x <= y from both complements, gap = y - x, kept = e^-epsilon and lost = 1 - kept."""
    if gap == 0.0:
        return 0.0
    if y_c == 0.0:
        return epsilon * gap
    total = y_c + y * kept
    z, z_c = y * kept / total, y_c / total
    x_to_z = (gap - y * x_c * lost) / total if epsilon < 0.7 else z * x_c - x * z_c
    if x_to_z > 0.0:
        z_to_y = y * lost * z_c
        return epsilon * x_to_z + kl_apart(z, z_c, y, y_c, z_to_y)
    return kl_apart(x, x_c, y, y_c, gap)


def better_than(divergence: Callable[..., float], mean: float, target: float, *rest: float) -> float:
    """The infimum of a divergence from `mean` over means above `target`, strictly."""
    if target == 1.0:
        return math.inf
    return 0.0 if mean > target else divergence(mean, target, *rest)


def kl_root(x: float, level: float) -> float:
    """The largest q with kl(x, q) <= level, for level < inf: the KL-UCB index.

    Newton's method on t = -log(1 - q), first with logarithms as they come and then without cancellation. With r the
    distance to the root over q - x, a step leaves r^2 / 2 at most.
    """
    if x == 1.0:
        return 1.0
    if x == 0.0:
        return -math.expm1(-level)
    x_c = 1 - x
    negentropy = x * math.log(x) + x_c * math.log1p(-x)
    t = (level - negentropy) / x_c
    q = min(x + math.sqrt(level / 2), x + level + math.sqrt(level) * math.sqrt(level + 2 * x), -math.expm1(-t))
    complement = max(1 - q, math.exp(-t))
    if complement > 0.0:
        t = -math.log(complement)
        for _ in range(STEPS):
            near = 1 - math.exp(-t)
            if near - x <= CANCELLING * x:
                break
            move = (level - negentropy + x * math.log(near) - x_c * t) * (near / (near - x))
            t += move
            if abs(move) * (1 - near) <= 2e-5 * (near - x):
                near = 1 - math.exp(-t)
                if near - x > CANCELLING * x:
                    q, complement = near, math.exp(-t)
                break
    for n in range(STEPS):
        if q <= x or complement <= 0.0:
            break
        previous = q
        divergence = kl_term(x, q, x - q) + kl_term(x_c, complement, q - x)
        step = (level - divergence) * (q / (q - x))
        q, complement = min(max(q - complement * math.expm1(-step), x), 1.0), complement * math.exp(-step)
        if previous <= q and n > 0 or abs(q - previous) <= SQUARED_AWAY * (q - x):
            break
    return q


def largest_mean(x: float, level: float, epsilon: float) -> float:
    """The largest q with d_epsilon(x, q) <= level: the DP-KLUCB index."""
    if x == 1.0 or level >= epsilon * (1 - x):
        return 1.0
    if level < _free(x, epsilon):
        return kl_root(x, level)
    price = epsilon * x if x > 0.0 else 0.0
    return min(max(math.expm1(-(level + price)) / math.expm1(-epsilon), x), 1.0)


def _free(x: float, epsilon: float) -> float:
    if x == 0.0:
        return 0.0
    if epsilon == math.inf:
        return math.inf
    kept = math.exp(-epsilon)
    total = x + (1 - x) * kept
    gap = x * (1 - x) * -math.expm1(-epsilon) / total
    return kl_term(x, x / total, -gap) + kl_term(1 - x, (1 - x) * kept / total, gap)
