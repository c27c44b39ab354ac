"""Proofs in the kernel about contexts, which are random vectors."""

from __future__ import annotations

from typing import Any

from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.linear import coordinate, inner
from banditproof.verify.theorems.policies import is_arm, picked

a, i, d, spot = map(var, ("a", "i", "dimension", "spot"))
context, FIRST, SECOND = law("context"), coordinate(a, 0), coordinate(a, 1)


def on_plane(p: Any, q: Any) -> tuple[Any, Theorem, Theorem]:
    """The vector x with the entries p and q, behind which all are 0; <x, a>^2, and |x|^2 = p^2 + q^2."""
    x = lambda i: p * equal(i, term(0)) + q * equal(i, term(1))  # noqa: E731

    def pick(f: Any) -> list[Theorem]:
        every = for_all("spot", picked(f, spot, d), *is_arm(spot, d))
        return [instance(every, {"spot": term(k)}) for k in (0, 1)]

    root, length = inner(x, a, d), sum_of(lambda i: x(i) * x(i), d, "i")
    entries = pick(lambda i: coordinate(a, i))
    along = auto(eq(root, p * FIRST + q * SECOND), *zip((p, q), entries, strict=True))
    both = root + p * FIRST + q * SECOND
    square = auto(eq(root * root, (p * FIRST + q * SECOND) * (p * FIRST + q * SECOND)), (both, along))
    return fn("i", x(i)), square, auto(eq(length, p * p + q * q), *zip((p, q), pick(x), strict=True))


@proof
def some_variance_is_large(statement: All) -> Theorem:
    """With the means x, y, w of the squares X, Y of two entries and of their product W: least^2 <= x y - w^2 <= 2 most.

    That is the second moment along (-w, x), which is x (x y - w^2). As W^2 = X Y, x y - w^2 is the variance of W minus
    the covariance of X and Y, and each of them is at most `most`, by (1, 0), (0, 1), (1, 1) and (1, -1).
    """
    least, most = var("least"), var("most")
    moments, variances = map(assume, (f for f in statement.given if isinstance(f, All)))

    def of(f: Any) -> Term:
        return mean("a", context, f)

    X, Y, W = FIRST * FIRST, SECOND * SECOND, FIRST * SECOND
    x, y, w = map(of, (X, Y, W))

    def moment(p: Any, q: Any) -> Theorem:
        vector, square, length = on_plane(p, q)
        goal = le(least * (p * p + q * q), p * p * x + 2 * p * q * w + q * q * y)
        return auto(goal, instance(moments, {"vector": vector}), (least, length), mono(square, "a", context))

    def variance(p: Any, q: Any) -> Theorem:
        vector, square, length = on_plane(p, q)
        s, centre = p * p * X + 2 * p * q * W + q * q * Y, p * p * x + 2 * p * q * w + q * q * y
        root, long = square.conclusion.args[0], length.conclusion.args[0]  # type: ignore[union-attr]
        fourth = mono(auto(eq(root * root, s * s), (root + s, square)), "a", context)
        second = mono(square, "a", context)
        goal = le(of(s * s) - centre * centre, most * (p * p + q * q) * (p * p + q * q))
        facts = fourth, (of(root) + centre, second), (most * (long + p * p + q * q), length)
        return auto(goal, instance(variances, {"vector": vector}), *facts)

    spread = [variance(p, q) for p, q in ((1, 0), (0, 1), (1, 1), (1, -1))]
    together = auto(le(x * y - w * w, 2 * most), *spread, mono(square(X - x + Y - y), "a", context))
    large = auto(le(least, x), moment(term(1), term(0)))
    some = auto(lt(0, x), large)
    inverse, turned = reciprocal_positive(some), moment(-w, x)
    low = assume(lt(0, least))
    ratio = reciprocal(some)
    completed = (inverse, turned), (product(low, inverse), square(w)), (least * x - x * y + w * w, ratio)
    apart = auto(le(least * x, x * y - w * w), *completed)
    return auto(statement.then, together, apart, (low, large))
