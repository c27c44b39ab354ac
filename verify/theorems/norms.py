"""The largest singular value of a Gaussian matrix, from the theorem of Davidson and Szarek."""

from __future__ import annotations

from banditproof.verify.kernel.facts import largest_singular_value
from banditproof.verify.kernel.language import *


@proof
def norm_of_a_gaussian_matrix(statement: All) -> Theorem:
    """t = 2 root + 2 L leaves room for L = log(1/delta): t^2/2 = 2 (root + L)^2 >= 4 + 2 L^2 >= L, as root^2 >= 2."""
    root, delta = var("root"), var("delta")
    level, positive = log(1 / delta), assume(lt(0, delta))
    t = 2 * root + 2 * level
    value = exp_log(reciprocal_positive(positive))
    inverse = auto(eq(exp(-level), delta), (-exp(-level) * delta, value))
    low = auto(le(0, level), exp_tangent(-level), inverse)
    both = product(assume(le(0, root)), low)
    far = auto(le(level, t * t / 2), both, square(level - term(1) / 4))
    rare = auto(le(exp(-t * t / 2), delta), exp_monotone(auto(le(-t * t / 2, -level), far)), inverse)
    fits = auto(le(var("dimension"), root * root)), auto(le(0, t), low)
    fact = instance(assume(largest_singular_value()), {"n": var("dimension"), "side": root, "t": t}, *fits)
    return auto(conclusion(statement), instance(fact), rare)
