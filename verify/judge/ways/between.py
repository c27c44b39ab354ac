"""Sums between two counts, series from a count on, and Lambert's function: each against a formula, by what it is.

A comparison in which such a part stands once, with a weight that does not speak of it, says that the part is at most a
formula, or at least one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import inf

from banditproof.verify.judge.formulas.language import *
from banditproof.verify.judge.formulas.printing import plain
from banditproof.verify.judge.formulas.symbolic import to_sympy
from banditproof.verify.judge.ways.extrema import as_number
from banditproof.verify.judge.ways.from_far import Claims, folded, turned
from banditproof.verify.judge.ways.pieces import summands
from banditproof.verify.judge.ways.points import FLIPPED, Asked, Near, failing, has_value, seems_true, speaks_of, unused
from banditproof.verify.judge.ways.residues import at_residues, computed, is_whole, period

ZERO, ONE = num(0), num(1)
LEAST = Expression("neg", (call("exp", num(-1)),))  # of w exp(w)
MOST_AT_FIRST, AT_A_TIME = 6, range(1, 7)  # summands
MAJORANTS, DRAWS = (2, 10), 600


def isolated(asked: Asked, part: Expression) -> tuple[str, Expression, Claims] | None:
    """The sign and the formula to which a comparison sets a part, and what has to hold for that; weights are not 0."""
    more, less, sign = turned(asked)
    if sign[0] not in ">=":
        return None
    for side, other, way in ((less, more, "<"), (more, less, ">")) if sign[0] == ">" else ((more, less, "="),):
        if side == part and part not in parts(other):
            return way + sign[1:], other, ()
    s = unused("part", asked)
    gap = replaced(binary("sub", more, less), part, name(s))
    try:
        weight = slope(gap, s)
    except NoSlope:
        return None
    if s in names(weight):
        return None
    bound = binary("div", put(gap, {s: ZERO}), binary("sub", ZERO, weight))
    bound = num(value) if isinstance(value := rational(bound), Fraction) else bound
    for way in "<>":
        claim = replace(asked, comparison=Compare(weight, way, ZERO), printed=False)
        if seems_true(claim):
            relation = sign if sign[0] == "=" else way + sign[1:]
            return relation, bound, () if _has_sign(weight, way) else (claim,)
    return None


def _has_sign(weight: Expression, way: str) -> bool:
    value = rational(weight)
    return isinstance(value, Fraction) and (value < 0 if way == "<" else value > 0)


def _only(asked: Asked, *heads: str) -> Expression | None:
    """The only part of this kind that stands in no sum."""
    sides = (asked.comparison.left, asked.comparison.right)
    found = {p for side in sides for p in outside(side) if p.head in heads or p.head == "call" and p.args[0] in heads}
    return found.pop() if len(found) == 1 else None


def _is_tied(n: str, asked: Asked) -> bool:
    return any(n in names(s.low) | names(s.high) for s in asked.ranges.values())


# -------------------------------------------------------------------------------------------------- sums and series


def by_next_count(asked: Asked) -> Iterator[tuple[Claims, str]]:
    """sum(f, k=a..n) <= B for all counts n >= L, where a and L are formulas: at n = L, and f(n + 1) <= B(n + 1) - B(n).

    At n = L the sum has a few summands, as many for all values of the others.
    """
    total = _only(asked, "sum")
    if total is None or (found := isolated(asked, total)) is None:
        return
    sign, bound, needed = found
    index, first, last, f = total.args
    for n, r in asked.ranges.items():
        of = linear_part(last, n)
        free = not _is_tied(n, asked) and n not in names(f) | names(first)
        if not r.integer or not free or of is None or of[0] not in AT_A_TIME or rational(r.high) != inf:
            continue
        if (start := _first_count(n, r, asked)) is None:
            continue
        low, lows, conditions = start
        others = {word: s for word, s in asked.ranges.items() if word != n}
        length = as_number(binary("add", binary("sub", put(last, {n: low}), first), ONE))
        whole = is_whole(first, others) and is_whole(low, others)
        if length is None or length.denominator != 1 or not 0 <= length <= MOST_AT_FIRST or not whole:
            continue
        begun = ZERO
        for k in range(int(length)):
            begun = binary("add", begun, put(f, {index: binary("add", first, num(k))}))
        there = replace(asked, ranges=others, conditions=conditions, printed=False)
        d = unused("d", asked) if names(low) else n
        later = replace(there, ranges={**others, d: Range(ZERO if names(low) else low, INFINITY, False, True, True)})
        at = {n: binary("add", low, name(d)) if names(low) else name(n)}
        next_ = {n: binary("add", at[n], ONE)}
        more = ZERO
        for k in range(int(of[0])):
            more = binary("add", more, put(f, {index: binary("sub", put(last, next_), num(k))}))
        step = Compare(computed(more, d), sign[0] + "=", computed(_change(bound, n, at, next_), d))
        left, right = (folded(computed(e, n)) for e in (begun, put(bound, {n: low})))
        start = Compare(left, sign, right)
        claims: Claims = (
            *(replace(there, comparison=c) for c in lows),
            replace(there, comparison=start),
            replace(later, comparison=step),
            *(replace(later, comparison=put(c.comparison, at)) for c in needed),
        )
        yield claims, f"at the first {n}, and from each {n} to the next"


def by_two_counts(asked: Asked) -> Iterator[tuple[Claims, str]]:
    """u^n >= E(n), or <=, for all counts n >= a, where u may be below 0: at n = a and a + 1, and from n to n + 2.

    As u^2 >= 0, u^(n + 2) >= u^2 E(n), which is to be at least E(n + 2).
    """
    c = asked.comparison
    for power, other, sign in ((c.left, c.right, c.sign), (c.right, c.left, FLIPPED.get(c.sign, ""))):
        if power.head != "pow" or power.args[1].head != "var" or sign not in ("<=", ">="):
            continue
        u, n = power.args[0], power.args[1].args[0]
        r = asked.ranges.get(n)
        low = None if r is None else rational(r.low)
        free = not _is_tied(n, asked) and n not in names(u) and not any(speaks_of(d, n) for d in asked.conditions)
        if r is None or not free or not r.integer or r.low_open or not isinstance(low, Fraction) or low < 0:
            continue
        if rational(r.high) != inf:
            continue
        others = {word: s for word, s in asked.ranges.items() if word != n}
        firsts = (put(c, {n: num(low + k)}) for k in range(2))
        later = put(other, {n: binary("add", name(n), num(2))})
        step = Compare(binary("mul", binary("pow", u, num(2)), other), sign, later)
        claims = [replace(asked, comparison=first, ranges=others, printed=False) for first in firsts]
        claims.append(replace(asked, comparison=step, printed=False))
        yield tuple(claims), f"at the first two {n}, and from {n} to {n} + 2"


def with_still_summands(asked: Asked) -> Iterator[tuple[Asked, Claims, str]]:
    """With sum(1/k, k=n+1..2 n) for sum(1/(n + k), k=1..n), whose summands do not move with n."""
    c = asked.comparison
    for n in (n for n, r in asked.ranges.items() if r.integer):
        left, right = (_stilled(side, n) for side in (c.left, c.right))
        if (left, right) != (c.left, c.right):
            because = f"the index of a sum is counted from {n}"
            yield replace(asked, comparison=Compare(left, c.sign, right), printed=False), (), because


SHIFTS = (1, -1, 2)  # counts of n by which an index moves


def _stilled(e: Expression, n: str) -> Expression:
    if e.head != "sum" or n not in names(e.args[3]):
        return mapped(e, lambda part: _stilled(part, n))
    index, first, last, body = e.args
    for by in SHIFTS:
        if (still := _shifted(body, index, n, by)) is not None:
            moved = binary("mul", num(by), name(n))
            return Expression("sum", (index, *(binary("add", end, moved) for end in (first, last)), still))
    return e


def _shifted(e: Expression, k: str, n: str, by: int) -> Expression | None:
    """The formula of k - by n in place of k, where that does not speak of n any more: 1/k of 1/(n + k)."""
    if n not in names(e):
        return e if k not in names(e) else None
    of_n = linear_part(e, n)
    of_k = None if of_n is None else linear_part(of_n[1], k)
    if of_n is not None and of_k is not None:
        return binary("add", binary("mul", num(of_k[0]), name(k)), of_k[1]) if of_n[0] == by * of_k[0] else None
    within = [_shifted(a, k, n, by) if isinstance(a, Expression) else a for a in e.args]
    return None if None in within or e.head in ("sum", "prod") else Expression(e.head, tuple(within))


def by_residues_of_sum(asked: Asked) -> Iterator[tuple[Claims, str]]:
    """The same of a sum with floors and ceilings, up to m n + r for each r from 0 to m - 1, which computes them."""
    total = _only(asked, "sum")
    if total is None or not has(total, "floor", "ceil"):
        return
    sides = (asked.comparison.left, asked.comparison.right)
    rounded = [p.args[1] for side in sides for p in parts(side) if p.head == "call" and p.args[0] in ("floor", "ceil")]
    for n, r in asked.ranges.items():
        m = period([put(e, {total.args[0]: name(n)}) for e in rounded], n)
        if not r.integer or m is None or m == 1 or (there := at_residues(asked, n, m)) is None:
            continue
        found = [next(by_next_count(at), None) for at in there]
        if all(found):
            claims = tuple(claim for way in found if way for claim in way[0])
            yield claims, f"{n} is written {m} {n} + r, for each r from 0 to {m - 1}; from each {n} to the next"


def _change(e: Expression, n: str, before: dict[str, Expression], after: dict[str, Expression]) -> Expression:
    """A formula after less the same before, without the summands that do not change; these have to have a value."""
    total = ZERO
    for up, part in summands(e, True):
        if n in names(part):
            moved = [put(part, after), put(part, before)]
            total = binary("add", total, binary("sub", *(moved if up else moved[::-1])))
    return total


def _first_count(n: str, r: Range, asked: Asked) -> tuple[Expression, list[Compare], tuple] | None:
    """The first value of a count, by its range or by a condition, what makes it the first, and the other conditions."""
    endless = rational(r.low) == -inf
    low = binary("add", r.low, ONE) if r.low_open and not endless else r.low
    speaking = [c for c in asked.conditions if speaks_of(c, n)]
    if not speaking:
        return None if endless else (low, [], asked.conditions)
    (c, *more) = speaking
    if more or not isinstance(c, Compare) or c.sign[0] not in "<>":
        return None
    small, large = (c.left, c.right) if c.sign[0] == "<" else (c.right, c.left)
    if large != name(n) or n in names(small):
        return None
    first = small if c.sign[1:] else binary("add", small, ONE)
    return first, [] if endless else [Compare(first, ">=", low)], tuple(d for d in asked.conditions if d is not c)


def by_alternating_rest(asked: Asked) -> Iterator[tuple[Claims, str, tuple[str, ...]]]:
    """A sum up to n whose series has a known value L, against B(n): what follows n, taken two by two.

    sum <= B says that the rest is at least C = L - B. The rest is the sum of f(n + 1) + f(n + 2), f(n + 3) + f(n + 4),
    ..., each of which is at least C(n) - C(n + 2), or more for a strict sign; so it is at least C(n) - C(n + 2 j) for
    every j, and C falls to 0 or below. Counts in steps of 2 stay even or odd, and each kind is asked for itself.
    """
    from banditproof.verify.judge.ways.known_sums import with_known_sums

    total = _only(asked, "sum")
    if total is None or asked.conditions or (found := isolated(asked, total)) is None:
        return
    sign, bound, needed = found
    index, first, last, f = total.args
    n = last.args[0] if last.head == "var" else ""
    r = asked.ranges.get(n)
    powers = any(p.head == "pow" and rational(p.args[0]) == -1 and index in names(p.args[1]) for p in parts(f))
    if r is None or not powers or sign[0] == "=" or _is_tied(n, asked) or n in names(f) | names(first):
        return
    try:
        whole = with_known_sums(Expression("sum", (index, first, INFINITY, f)), asked.ranges)
    except NoStatement:
        return
    left_over = binary("sub", whole.formula, bound)
    two = {n: binary("add", name(n), num(2))}
    pair = binary("add", *(put(f, {index: binary("add", name(n), num(k))}) for k in (1, 2)))
    step = Compare(pair, "<>"[sign[0] == "<"] + sign[1:], _change(left_over, n, two, {}))
    each = at_residues(replace(asked, comparison=step, printed=False), n, 2)
    eta = unused("eta", asked)
    small = (
        Compare(left_over, "<=", name(eta))
        if sign[0] == "<"
        else Compare(left_over, ">=", binary("sub", ZERO, name(eta)))
    )
    ranges = {**asked.ranges, eta: Range(ZERO, INFINITY, True, True)}
    for at in each or ():
        left, right = (computed(e, n) for e in (at.comparison.left, at.comparison.right))
        steps = replace(at, comparison=Compare(left, at.comparison.sign, right))
        needed = (*needed, steps)
    begun = Compare(binary("add", last, ONE), ">=", first)  # else what follows n is not the rest
    needed = (*needed, *(replace(asked, comparison=c, printed=False) for c in (*whole.where, begun)))
    valued = has_value(bound, asked.ranges)
    if each and all(failing(c, draws=DRAWS)[0] is None for c in needed if isinstance(c, Asked)):
        because = "what follows the last summand is compared two by two with what the bound leaves, down to 0"
        yield (*needed, valued, Near(small, n, INFINITY, 0, ranges)), because, whole.facts


def with_free_sums(asked: Asked) -> Iterator[tuple[Asked, Claims, str]]:
    """With s, and s + f(n + 1), for two sums of one summand whose ends lie a few steps apart; s is any number.

    s is the sum over the counts that both have. Between the ends of these there is no gap: the last is at least the
    first less 1; and every summand has to have a value.
    """
    sides = (asked.comparison.left, asked.comparison.right)
    totals = list({p: None for side in sides for p in outside(side) if p.head == "sum"})
    if len(totals) < 2:
        return
    index, _, _, f = totals[0].args
    ends = [_in_steps_of(f, index, total) for total in totals]
    if index in asked.ranges or not all(ends):
        return
    firsts, lasts = ([pair[k] for pair in ends if pair] for k in (0, 1))
    if not all(is_whole(e, asked.ranges) for e in (*firsts, *lasts)):
        return
    apart = ([as_number(binary("sub", e, of[0])) for e in of] for of in (firsts, lasts))
    from_first, from_last = ([step for step in of if step is not None] for of in apart)
    if len(from_first) < len(totals) or len(from_last) < len(totals):
        return
    low, high = firsts[from_first.index(max(from_first))], lasts[from_last.index(min(from_last))]
    s, there = unused("s", asked), {}
    for total, a, b in zip(totals, from_first, from_last, strict=True):
        before, after = int(max(from_first) - a), int(b - min(from_last))
        if before + after > MOST_AT_FIRST:
            return
        steps = [binary("sub", low, num(k)) for k in range(1, before + 1)]
        steps += [binary("add", high, num(k)) for k in range(1, after + 1)]
        there[total] = name(s)
        for k in steps:
            there[total] = binary("add", there[total], put(f, {index: k}))

    def change(e: Expression) -> Expression:
        return there[e] if e in there else mapped(e, change)

    left, right = map(change, sides)
    of_s = linear_part(binary("sub", left, right), s)
    ranges = {**asked.ranges, s: Range(binary("sub", ZERO, INFINITY), INFINITY, True, True)}
    claim = replace(asked, comparison=Compare(left, asked.comparison.sign, right), ranges=ranges, printed=False)
    if of_s is not None and of_s[0] == 0:
        claim = replace(claim, comparison=Compare(of_s[1], asked.comparison.sign, ZERO), ranges=asked.ranges)
    inside = {**asked.ranges, index: Range(low, high, integer=True)}
    needed = (
        replace(asked, comparison=Compare(binary("add", high, ONE), ">=", low), printed=False),
        has_value(f, inside, asked.conditions),
    )
    if failing(claim, draws=DRAWS)[0] is None:
        yield claim, needed, f"{s} is what the sums have in common"


def _in_steps_of(f: Expression, index: str, total: Expression) -> tuple[Expression, Expression] | None:
    """The ends of a sum as one of f, whose index may be moved by a few counts."""
    import sympy

    k, first, last, g = total.args
    try:
        symbols = {word: sympy.Symbol(word) for word in names(f) | names(g) | {index, k}}
        mine, its = to_sympy(f, symbols), to_sympy(put(g, {k: name(index)}), symbols)
    except NoStatement:
        return None
    for by in (0, 1, -1, 2, -2):
        if mine.subs(symbols[index], symbols[index] + by) == its:
            return binary("add", first, num(by)), binary("add", last, num(by))
    return None


def by_rest_of_series(asked: Asked) -> Iterator[tuple[Claims, str]]:
    """sum(f, k=n..inf) <= B(n) for all counts n from f >= 0, B >= 0 and f(n) <= B(n) - B(n + 1).

    The first N summands are at most B(n) - B(n + N) then. sum >= B(n) follows from f(n) >= B(n) - B(n + 1) where B(n)
    becomes as small as one likes; that the series converges follows from f(n) <= c (B(n) - B(n + 1)).
    """
    total = _only(asked, "sum")
    if total is None or total.args[2] != INFINITY or (found := isolated(asked, total)) is None:
        return
    sign, bound, needed = found
    index, first, _, f = total.args
    if sign[0] == "=":
        return
    for n, r in asked.ranges.items():
        of = linear_part(first, n)
        free = not _is_tied(n, asked) and n not in names(f) and not any(speaks_of(c, n) for c in asked.conditions)
        if not r.integer or not free or of is None or of[0] != 1 or rational(r.high) != inf:
            continue
        if not is_whole(first, asked.ranges):
            continue
        summand = put(f, {index: first})
        falls = _change(bound, n, {n: binary("add", name(n), ONE)}, {})
        compared = [Compare(summand, ">=", ZERO), Compare(bound, ">=", ZERO), Compare(summand, sign, falls)]
        claims: list[Asked | Near] = [*needed, *(replace(asked, comparison=c, printed=False) for c in compared)]
        if sign[0] == "<":
            yield tuple(claims), "each summand is at most what the bound falls by"
            continue
        eta = unused("eta", asked)
        ranges = {**asked.ranges, eta: Range(ZERO, INFINITY, True, True)}
        small = Near(Compare(bound, "<=", name(eta)), n, INFINITY, 0, ranges)
        for c in MAJORANTS if not asked.conditions else ():
            converges = replace(asked, comparison=Compare(summand, "<=", binary("mul", num(c), falls)), printed=False)
            if seems_true(converges):
                because = "each summand is at least what the bound falls by, down to 0"
                yield (*claims, converges, small), because
                break


def by_integral(asked: Asked) -> Iterator[tuple[Claims, str]]:
    """A series of c k^-s from k = a on, by G(x) = c x^(1 - s)/(s - 1), which falls to 0 for s > 1.

    With f(x + 1) <= G(x) - G(x + 1) it is at most f(a) + G(a); with f(x) <= G(x - 1/2) - G(x + 1/2), at most
    G(a - 1/2); and with f(x) >= G(x) - G(x + 1), at least G(a). It converges in each case.
    """
    total = _only(asked, "sum")
    if total is None or total.args[2] != INFINITY or (found := isolated(asked, total)) is None:
        return
    sign, bound, needed = found
    index, a, _, f = total.args
    if (of := _power_below(f, index)) is None or sign[0] == "=" or not is_whole(a, asked.ranges):
        return
    c, s = of
    x, half = unused("x", asked), num(Fraction(1, 2))

    def summand(u: Expression) -> Expression:
        return binary("div", ONE, binary("pow", u, s))

    def rest(u: Expression) -> Expression:
        return binary("div", binary("pow", u, binary("sub", ONE, s)), binary("sub", s, ONE))

    def fall(u: Expression, v: Expression) -> Expression:
        return binary("sub", rest(u), rest(v))

    here, next_ = name(x), binary("add", name(x), ONE)
    before, after = (binary(way, here, half) for way in ("sub", "add"))
    lower = (Compare(summand(here), ">=", fall(here, next_)), rest(a))
    upper = (
        (Compare(summand(here), "<=", fall(before, after)), rest(binary("sub", a, half))),
        (Compare(summand(next_), "<=", fall(here, next_)), binary("add", summand(a), rest(a))),
    )
    of_s = {n: r for n, r in asked.ranges.items() if n in names(s)}
    needed = (*needed, *(replace(asked, comparison=d) for d in (Compare(c, ">=", ZERO), Compare(a, ">=", ONE))))
    needed = (*needed, Asked(Compare(s, ">", ONE), of_s, printed=False))
    ranges = {**of_s, x: Range(ONE, INFINITY, False, True)}
    for lemma, value in upper if sign[0] == "<" else (lower,):
        enough = replace(asked, comparison=Compare(binary("mul", c, value), sign, bound), printed=False)
        if seems_true(enough):
            yield (*needed, enough, Asked(lemma, ranges, printed=False)), f"the series lies beside {plain(value)}"


def _power_below(e: Expression, k: str) -> tuple[Expression, Expression] | None:
    """c and s of c/k^s, which do not speak of k."""
    if e.head in ("mul", "div") and k not in names(e.args[0]):
        of = (
            _power_below(binary("div", ONE, e.args[1]) if e.head == "div" else e.args[1], k)
            if e.args[0] != ONE
            else None
        )
        if of is not None:
            return binary("mul", e.args[0], of[0]), of[1]
    if e.head == "pow" and e.args[0] == name(k) and e.args[1].head == "neg":
        return ONE, e.args[1].args[0]
    below = e.args[1] if e.head == "div" and e.args[0] == ONE else ZERO
    power = below.args[1] if below.head == "pow" and below.args[0] == name(k) else None
    return None if power is None or k in names(power) else (ONE, power)


# ---------------------------------------------------------------------------------------------------------- Lambert


def by_inverse_of_lambert(asked: Asked) -> Iterator[tuple[Asked, Claims, str]]:
    """W(u) and f compare as u and f exp(f) do: for u >= 0, and where f >= -1; W(u) is -1 or more.

    w exp(w) increases in w >= -1, and is below 0 for w < 0; so 0 <= u <= f exp(f) has f >= 0.
    """
    part = _only(asked, "W")
    if part is None or (found := isolated(asked, part)) is None:
        return
    (sign, f, needed), u = found, part.args[1]
    instead = replace(asked, comparison=Compare(u, sign, binary("mul", f, exponential(f))), printed=False)
    with_value = (*needed, has_value(f, asked.ranges, asked.conditions))

    def least(e: Expression, low: Expression) -> Asked:
        return replace(asked, comparison=Compare(e, ">=", low), printed=False)

    if sign[0] != "=":
        yield instead, (*with_value, least(u, ZERO)), "w exp(w) increases in w >= 0"
    if sign[0] != ">":
        yield instead, (*with_value, least(u, LEAST), least(f, num(-1))), "w exp(w) increases in w >= -1"
        return
    below = replace(asked, comparison=Compare(f, "<" + sign[1:], num(-1)), printed=False)
    where = replace(instead, conditions=(*asked.conditions, Compare(f, ">=", num(-1))))
    for one in (instead, below, where):
        yield one, (*with_value, least(u, LEAST)), "w exp(w) increases in w >= -1, and W is -1 or more"


def exponential(e: Expression) -> Expression:
    """exp(e), with what logarithms are of; e has to have a value."""
    if e.head in ("add", "sub"):
        return binary("mul" if e.head == "add" else "div", *map(exponential, e.args))
    if e.head == "call" and e.args[0] == "log":
        return e.args[1]
    return ONE if e == ZERO else call("exp", e)
