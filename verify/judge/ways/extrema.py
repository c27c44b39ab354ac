"""Infima that no place reaches, and infima that are not what is printed."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial, reduce
from math import isfinite

import numpy as np

from banditproof.verify.judge.formulas.certain import holds
from banditproof.verify.judge.formulas.floats import value_of
from banditproof.verify.judge.formulas.language import *
from banditproof.verify.judge.ways.pieces import summands
from banditproof.verify.judge.ways.points import Asked, corners, failing

PLACES, SAMPLES = 4, 60
APART = 1e-3  # of a printed value and the true one, relative
SMALL = Range(num(0), num(1), low_open=True, high_open=True)
FROM_1 = Range(num(1), Expression("const", ("inf",)), high_open=True)
MOST = 3


def approached(
    body: Expression,
    word: str,
    over: Range,
    ranges: Mapping[str, Range],
    down: str,
    other: Expression,
    conditions: tuple[Sentence, ...] = (),
) -> Iterator[tuple[tuple[Asked, ...], str]]:
    """Places of a number e in (0, 1) at which the value is within a multiple of e of the other side.

    So the infimum of the values is at most the other side. The multiple may depend on the other variables.
    """
    if over.integer:
        if not conditions:
            yield from _from_counts_on(body, word, over, ranges, down, other)
        return
    e = fresh("eta", ranges, {word: over})
    ends = [(over.low, ">" if over.low_open else ">="), (over.high, "<" if over.high_open else "<=")]
    count = 0
    for place in near_places(body, word, over, ranges, name(e)):
        for multiple in (num(1), num(10), *_of_all(ranges)):
            slack = binary("mul", multiple, name(e))
            near = binary("add" if down == "<=" else "sub", other, slack)
            inside = {**ranges, e: SMALL}
            claims = [Asked(Compare(put(body, {word: place}), down, near), inside, conditions)]
            claims += [Asked(Compare(place, s, end), inside, conditions) for end, s in ends if _is_finite(end)]
            if all(failing(claim, draws=600)[0] is None for claim in claims):
                count += 1
                yield tuple(claims), f"{word} comes as close as one likes to where the value is reached"
                break
        if count == MOST:
            return


def near_places(
    body: Expression, word: str, over: Range, ranges: Mapping[str, Range], e: Expression
) -> Iterator[Expression]:
    """Places in terms of a small number that may come close to where an infimum is reached."""
    yield from _beside_roots(body, word, over, ranges, e)
    yield from _toward_ends(over, e)


def _of_all(ranges: Mapping[str, Range]) -> Iterator[Expression]:
    """The product of 1 + x^2 over all variables x: a multiple that is large where one of them is."""
    if ranges:
        squares = [binary("add", num(1), binary("mul", name(x), name(x))) for x in ranges]
        yield reduce(partial(binary, "mul"), squares)


def _from_counts_on(
    body: Expression, word: str, over: Range, ranges: Mapping[str, Range], down: str, other: Expression
) -> Iterator[tuple[tuple[Asked, ...], str]]:
    """That all numbers far enough, beyond k or k^2, have values within a multiple of 1/k of the other side."""
    if _is_finite(over.high) or not _is_finite(over.low):
        return
    k, n = fresh("k", ranges, {word: over}), fresh(word, ranges)
    for power, c in itertools.product((1, 2), (1, 10)):
        near = binary("add" if down == "<=" else "sub", other, binary("div", num(c), name(k)))
        far = binary("add", binary("add", over.low, binary("pow", name(k), num(power))), name(n))
        inside = {**ranges, k: FROM_1, n: replace(FROM_1, low=num(0))}
        claim = Asked(Compare(put(body, {word: far}), down, near), inside)
        if failing(claim, draws=600)[0] is None:
            yield (claim,), f"values come as close as one likes as {word} grows"
            return


def mean_of_entropies(body: Expression, word: str) -> Iterator[Expression]:
    """Where a sum of relative entropies with weights is least in a number: a guess of an infimum's place."""
    if (found := _mean(body, word)) is not None:
        yield found[0]


def least_mean_entropy(body: Expression, word: str) -> tuple[Expression, tuple[Compare, ...], str] | None:
    """The least value over z in (0, 1) of a sum of a_i kl(z, p_i), or of a_i kl(p_i, z); what it needs; and why.

    Let A = sum a_i and w_i = a_i/A. With G = prod p_i^w_i, H = prod (1 - p_i)^w_i and m = G/(G + H) the mean of
    kl(z, p_i) is z log z + (1 - z) log(1 - z) - z log G - (1 - z) log H = kl(z, m) - log(G + H), for all z in [0, 1].
    The mean of kl(p_i, z) is that of kl(p_i, m) and kl(m, z), with m = sum w_i p_i. Both m lie in (0, 1).
    """
    found = _mean(body, word)
    return None if found is None else found[1:]


def _mean(body: Expression, word: str) -> tuple[Expression, Expression, tuple[Compare, ...], str] | None:
    parted = []
    for up, summand in summands(body, True):
        factors = list(factors_of(summand))
        of = [e for e, _ in factors if word in names(e)]
        if not up or len(of) != 1 or of[0].head != "call" or of[0].args[0] != "kl" or (of[0], "div") in factors:
            return None
        weight = num(1)
        for e, head in factors:
            weight = weight if e is of[0] else binary(head, weight, e)
        parted.append((weight, *of[0].args[1:]))
    if len(parted) < 2:
        return None
    z, whole = name(word), _sum_of([a for a, _, _ in parted])
    total = as_number(whole)
    if total is not None:
        whole = num(total)
    shares = []
    for a, _, _ in parted:
        k = rational(a)
        exact = total is not None and isinstance(k, Fraction)
        shares.append(num(k / total) if exact else binary("div", a, whole))  # type: ignore[operator]
    firsts, seconds = ({e for _, *pair in parted for e in pair[k : k + 1]} for k in (0, 1))
    means = [q if firsts == {z} else p for _, p, q in parted]
    inside = [Compare(p, sign, num(end)) for p in means for sign, end in ((">", 0), ("<", 1))]
    where = (*inside, *(Compare(a, ">", num(0)) for a, _, _ in parted))
    if any(word in names(p) for p in means):
        return None
    if firsts == {z}:
        g = h = num(1)
        for share, p in zip(shares, means, strict=True):
            g = binary("mul", g, binary("pow", p, share))
            h = binary("mul", h, binary("pow", binary("sub", num(1), p), share))
        both = binary("add", g, h)
        closed = Expression("neg", (binary("mul", whole, call("log", both)),))
        of_means = "with G and H the geometric means of p_i and of 1 - p_i, and m = G/(G + H)"
        fact = f"a mean of kl(z, p_i) is kl(z, m) - log(G + H), {of_means}"
        return binary("div", g, both), closed, where, fact
    if seconds != {z}:
        return None
    m = _sum_of([binary("mul", share, p) for share, p in zip(shares, means, strict=True)])
    closed = _sum_of([binary("mul", a, call("kl", p, m)) for (a, p, _) in parted])
    return m, closed, where, "a mean of kl(p_i, z) is that of kl(p_i, m) and kl(m, z), with m the mean of p_i"


def extreme_counts(body: Expression, word: str, over: Range) -> Iterator[Expression]:
    """The counts, of the first ones, with the least and the largest value."""
    counts = _sampled(over, {})
    try:
        values = value_of(body, {word: counts}) + 0 * counts
    except (ValueError, KeyError, ZeroDivisionError, OverflowError):
        return
    if np.isfinite(values).any():
        yield from (num(int(counts[at])) for at in {int(np.nanargmin(values)), int(np.nanargmax(values))})


def as_number(e: Expression) -> Fraction | None:
    """The number that a sum such as a + (1 - a) is."""
    import sympy

    from banditproof.verify.judge.formulas.symbolic import to_sympy

    try:
        value = sympy.expand(to_sympy(e, {word: sympy.Symbol(word) for word in names(e)}))
    except NoStatement:
        return None
    return Fraction(int(value.p), int(value.q)) if value.is_Rational else None


def _sum_of(terms: list[Expression]) -> Expression:
    first, *rest = terms
    for other in rest:
        first = binary("add", first, other)
    return first


def _beside_roots(
    body: Expression, word: str, over: Range, ranges: Mapping[str, Range], e: Expression
) -> Iterator[Expression]:
    """Places beside zeros of the derivative, which may lie at an end that is no value."""
    from banditproof.verify.judge.formulas.symbolic import roots

    for root in roots(body, word, ranges) if over.low_open or over.high_open else ():
        if over.low_open and _is_finite(over.low):
            yield binary("add", root, e)
        if over.high_open and _is_finite(over.high):
            yield binary("sub", root, e)


def _is_finite(end: Expression) -> bool:
    value = rational(end)
    return value is None or isfinite(value)


def _toward_ends(over: Range, e: Expression) -> Iterator[Expression]:
    """Places in terms of e that go to the ends of a range as e goes to 0."""
    square, inverse = binary("mul", e, e), binary("div", num(1), e)
    fast = call("exp", Expression("neg", (inverse,)))
    low, high = rational(over.low), rational(over.high)
    span = binary("sub", over.high, over.low) if _is_finite(over.low) and _is_finite(over.high) else num(1)
    for end, sign, value in ((over.low, "add", low), (over.high, "sub", high)):
        if _is_finite(end):
            for step in (e, square, fast):
                yield binary(sign, end, binary("mul", span, binary("div", step, num(2))))
        elif value is not None:
            for far in (inverse, binary("mul", inverse, inverse), call("exp", inverse)):
                if not _is_finite(over.low) or value < 0:
                    yield far if value > 0 else Expression("neg", (far,))
                else:
                    yield binary("add", over.low, far)


def kept_apart(
    body: Expression,
    word: str,
    over: Range,
    ranges: Mapping[str, Range],
    up: str,
    other: Expression,
    conditions: tuple[Sentence, ...] = (),
) -> Iterator[tuple[Asked, dict[str, Fraction], Fraction, float]]:
    """At a place of the other variables, a bound of all values, and the other side there, from which it is apart."""
    asked = Asked(Compare(num(0), "<=", num(1)), ranges, conditions)
    places = [{}] if not ranges else [p for _, p in zip(range(30), corners(asked), strict=False) if asked.admits(p)]
    count = 0
    for place in places:
        there = {n: num(v) for n, v in place.items()}
        try:
            values = value_of(put(body, there), {word: _sampled(over, place)})
            printed = float(value_of(put(other, there), {}))
        except (ValueError, KeyError, ZeroDivisionError, OverflowError):
            continue
        values = values[np.isfinite(values)]
        if not values.size or not isfinite(printed):
            continue
        most = float(values.min()) if up == ">=" else float(values.max())
        gap = most - printed if up == ">=" else printed - most
        if gap < APART * (1 + abs(printed)):
            continue
        bound = Fraction((most + printed) / 2).limit_denominator(100)
        strict = Compare(num(bound), ">" if up == ">=" else "<", put(other, there))
        if holds(strict, {}):
            ends = {n: put(end, there) for n, end in (("low", over.low), ("high", over.high))}
            inside = Range(ends["low"], ends["high"], over.low_open, over.high_open, over.integer)
            yield Asked(Compare(put(body, there), up, num(bound)), {word: inside}), place, bound, printed
            count += 1
        if count == PLACES:
            return


def _sampled(over: Range, place: Mapping[str, Fraction]) -> np.ndarray:
    """Floats of all scales in a range."""
    low, high = (float(value_of(end, {n: float(v) for n, v in place.items()})) for end in (over.low, over.high))
    if over.integer:
        return np.arange(low if isfinite(low) else -SAMPLES, min(high, low + 2000 if isfinite(low) else SAMPLES) + 1.0)
    small = np.geomspace(1e-9, 1e6, 40 * SAMPLES)
    if isfinite(low) and isfinite(high):
        share = np.concatenate([np.geomspace(1e-9, 0.5, SAMPLES * 20), 1 - np.geomspace(1e-9, 0.5, SAMPLES * 20)])
        return low + (high - low) * share
    if isfinite(low):
        return low + small
    return high - small if isfinite(high) else np.concatenate([small, -small])
