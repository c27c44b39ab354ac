"""The largest mean within a divergence level: KL-UCB and DP-KLUCB indices on floats, mpf and balls.

Newton's method runs on t = -log(1 - q): there kl(x, q) is convex and increasing for q >= x, with slope (q - x)/q, so
that from a point above the root it descends monotonically. For balls the root is certified by signs of kl - level.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np

from banditproof.theory.errors import InvalidInput
from banditproof.theory.laws import bernoulli_floats as floats
from banditproof.theory.laws.bernoulli_points import kl
from banditproof.theory.numbers.logarithms import kl_term
from banditproof.theory.numbers.numeric import (
    BALL,
    FLOAT,
    SYMBOL,
    exp,
    expm1,
    joined,
    log,
    log1p,
    maximum,
    minimum,
    product,
    sqrt,
    system,
    to_ball,
    working_precision,
)

_STEPS = 200
_TOGETHER = 4096
FEW = 64  # entries that are sooner computed one by one
MANY = 50_000  # entries for which it pays to load the compiled loop


def largest_mean(x: Any, level: Any, epsilon: Any) -> Any:
    """max of q in [x, 1] with d_epsilon(x, q) <= level, for points of [0, 1] x [0, inf]^2. Source: BDP-DF5"""
    if system(x, level, epsilon) == FLOAT:
        return _float_largest_mean(x, level, epsilon)

    def below_one() -> Any:
        return joined(level, ">=", _free(x, epsilon), lambda: _priced(x, level, epsilon), unpriced)

    def unpriced() -> Any:
        return (_ball_kl_root if system(x, level) == BALL else _kl_root)(x, level)

    return joined(level, ">=", product(epsilon, 1 - x), 1 + 0 * x, below_one)


def _free(x: Any, epsilon: Any) -> Any:
    """kl(x, g) at g = x / (x + (1 - x) e^-epsilon), up to which privacy costs nothing: there d_epsilon is kl.

    1 - g and g - x are not subtracted: the one is small for large epsilon, the other for small epsilon.
    """

    def at_g() -> Any:
        kept = exp(-epsilon)
        total = x + (1 - x) * kept
        gap = x * (1 - x) * -expm1(-epsilon) / total
        return kl_term(x, x / total, -gap) + kl_term(1 - x, (1 - x) * kept / total, gap)

    return joined(x, "==", 0, 0 * x, at_g)


def _priced(x: Any, level: Any, epsilon: Any) -> Any:
    return expm1(-(level + product(epsilon, x))) / expm1(-epsilon)


def _float_largest_mean(x: Any, level: Any, epsilon: Any) -> Any:
    """All entries at once; Newton's method, and what tells where it is needed, only for those that need it."""
    x, level, epsilon = np.broadcast_arrays(x, level, epsilon)
    if x.size <= FEW:
        one_by_one = map(floats.largest_mean, *(values.ravel().tolist() for values in (x, level, epsilon)))
        return np.array([*one_by_one]).reshape(x.shape)[()]
    index = np.ones(x.shape)
    if x.size >= MANY and find_spec("numba") is not None:
        from banditproof.theory.laws.compiling import entry_by_entry, made

        made(entry_by_entry, "largest_mean")(*map(np.ravel, (x, level, epsilon)), index.reshape(-1))
        return index
    below = ~(level >= product(epsilon, 1 - x))
    index[below] = _float_below_one(x[below], level[below], epsilon[below])
    return index[()]


def _float_below_one(x: Any, level: Any, epsilon: Any) -> Any:
    if np.isinf(epsilon).all():  # no privacy: the index of KL-UCB, but that nothing is to be found where x = 0
        index, free = -np.expm1(-level), x > 0
    else:
        index = np.clip(_priced(x, level, epsilon), x, 1.0)
        free = level < _free(x, epsilon)
    if free.any():
        index[free] = _float_kl_root(x[free], level[free])
    return index


def _float_kl_root(x: Any, level: Any) -> Any:
    """`_kl_root` for arrays [N], of which every entry descends until rounding turns it; few enough at a time to be held
    by the processor's cache."""
    root = np.empty_like(x)
    for start in range(0, x.size, _TOGETHER):
        part = slice(start, start + _TOGETHER)
        here, own = x[part], level[part]
        q, q_c = _start(here, own)
        roots, left = np.maximum(q, here), np.arange(here.size)
        for _ in range(_STEPS):
            following, following_c = _newton_step(here, own, q, q_c)
            roots[left] = following
            falling = following < q
            if not falling.all():
                if not falling.any():
                    break
                left, here, own = left[falling], here[falling], own[falling]
                following, following_c = following[falling], following_c[falling]
            q, q_c = following, following_c
        root[part] = np.maximum(roots, x[part])
    return root


def _kl_root(x: Any, level: Any) -> Any:
    """q >= x with kl(x, q) = level, by Newton's method on t = -log(1 - q) from above, for x < 1 and level < inf."""
    if system(x, level) == SYMBOL:
        raise InvalidInput("x", x, "a number, an mpf or a ball, because the index has no closed form here")
    q, q_c = _start(x, level)
    for _ in range(_STEPS):
        previous, (q, q_c) = q, _newton_step(x, level, q, q_c)
        if np.all(previous <= q):  # it descends until rounding turns it
            break
    return maximum(q, x)


def _newton_step(x: Any, level: Any, q: Any, q_c: Any) -> tuple[Any, Any]:
    def moved() -> tuple[Any, Any]:
        divergence = kl_term(x, q, x - q) + kl_term(1 - x, q_c, q - x)
        step = (level - divergence) * (q / (q - x))  # in t
        return minimum(maximum(q - q_c * expm1(-step), x), 1), q_c * exp(-step)

    return joined(minimum(q - x, q_c), ">", 0, moved, (q, q_c))  # 1 - q may have underflown: then q is 1


def _start(x: Any, level: Any) -> tuple[Any, Any]:
    """A point q, and 1 - q, above the root: from kl >= 2 (q-x)^2, kl >= (q-x)^2 / 2q and kl >= (1-x) t - entropy(x)."""
    pinsker = x + sqrt(level / 2)
    poisson = x + level + sqrt(level) * sqrt(level + 2 * x)  # their product may underflow
    entropy = product(x, -log(x)) + product(1 - x, -log1p(-x))
    t = (level + entropy) / (1 - x)
    q = minimum(minimum(pinsker, poisson), -expm1(-t))
    return q, maximum(1 - q, exp(-t))


def _ball_kl_root(x: Any, level: Any) -> Any:
    from flint import arb, ctx

    with working_precision(ctx.prec + 20):
        guess = to_ball(_kl_root(_to_mpf(x), _to_mpf(level)))
    radius = arb((1, -ctx.prec)) * (guess + level)
    while radius <= 2:
        low, high = (guess - radius).lower(), (guess + radius).upper()
        low, high = low if low > x else x, high if high < 1 else arb(1)
        if (low <= x or kl(x, low) <= level) and (high >= 1 or high >= x and kl(x, high) >= level):
            return low.union(high)
        radius *= 4
    return x.union(arb(1))


def _to_mpf(ball: Any) -> Any:
    import mpmath

    mantissa, exponent = ball.mid().man_exp()
    return mpmath.mpf((int(mantissa), int(exponent)))
