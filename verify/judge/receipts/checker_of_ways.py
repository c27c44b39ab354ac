"""Checks arguments that lead from comparisons to another one: this text stands below the other checkers of a receipt.

A way names comparisons that together imply a claim, and each of them is shown by a proof or by a way of its own. A
claim says that both sides have values and compare so wherever its variables lie in their ranges and its conditions
hold. What has a derivative here is continuous, and as smooth as it has derivatives, wherever these have values.
"""

from fractions import Fraction
from itertools import pairwise
from math import ceil, floor
from typing import Any

from banditproof.verify.judge.receipts.checker import (
    BEYOND,
    ORDERED,
    NoValue,
    Unsure,
    check_range,
    check_statement,
    placed,
)
from banditproof.verify.judge.receipts.checker_of_mechanisms import enough
from banditproof.verify.judge.receipts.checker_of_polynomials import Refused, need
from banditproof.verify.judge.receipts.checker_of_proofs import (
    ONE,
    TWO,
    ZERO,
    Known,
    exchanged,
    grown,
    induced,
    margin,
    put,
    read,
    show,
    slope,
    symbols,
)
from banditproof.verify.judge.receipts.leading import check_expansion

BENDS = {"convex": ">=", "strictly convex": ">", "concave": "<=", "strictly concave": "<"}
ENDLESS = ("const", "inf"), ("neg", ("const", "inf"))
FLIPPED = {"<": ">", "<=": ">=", "==": "==", ">=": "<=", ">": "<"}
MOST_DERIVATIVES, MOST_RESIDUES = 6, 60


# ------------------------------------------------------------------------------------------------ parts of a claim


def saying(claim, sign, left, right, ranges=()):
    """Another comparison where the claim speaks, with some ranges changed."""
    need(sign in FLIPPED, "no comparison: what rises, or is curved, on parts need not be so on the whole")
    return {**claim, "comparison": [sign, left, right], "ranges": {**claim["ranges"], **dict(ranges)}}


def valued(claim, f):
    return saying(claim, "<=", f, ("add", f, ONE))


def at(claim, x, f):
    """The claim with a formula for a variable, of which nothing is left."""

    def there(g):
        return put(read(g), {x: f})

    def compared(c):
        return [c[0], there(c[1]), there(c[2])]

    ranges = {y: {**r, "low": there(r["low"]), "high": there(r["high"])} for y, r in claim["ranges"].items() if y != x}
    return {
        "comparison": compared(claim["comparison"]),
        "ranges": ranges,
        "conditions": [compared(c) for c in claim["conditions"]],
    }


def within(claim, x, f):
    """That a formula of the other variables lies in the range of x."""
    r = claim["ranges"][x]
    whole = f[0] == "num" and Fraction(f[1]).denominator == 1 or f[0] == "var" and claim["ranges"][f[1]]["integer"]
    need(whole or not r["integer"], "a place that need not be a count")
    return [at(part, x, f) for part in lying(claim, f, r)]


def lying(claim, f, r):
    """That a formula lies between the ends of a range."""
    pairs = [(end, sign if r[end + "_open"] else sign + "=") for end, sign in (("low", ">"), ("high", "<"))]
    return [saying(claim, sign, f, r[end]) for end, sign in pairs if read(r[end]) not in ENDLESS]


def opened(r):
    return {**r, "low_open": True, "high_open": True}


def alone(claim, x, integer=False, but=()):
    """The range of a variable of which no other range speaks, and no condition but some."""
    ranges = claim["ranges"]
    ends = [read(r[end]) for r in ranges.values() for end in ("low", "high")]
    sides = [read(side) for c in claim["conditions"] if c not in but for side in c[1:]]
    need(not any(x in symbols(f) for f in (*ends, *sides)), "a variable that is tied")
    need(ranges[x]["integer"] == integer, "a count, or none")
    return ranges[x]


def near(claim, x, end):
    """The claim from somewhere on, as x goes to an end of its range."""
    sign, left, right = claim["comparison"]
    to, infinite = claim["ranges"][x][end], read(claim["ranges"][x][end]) in ENDLESS
    need(infinite or not symbols(read(to)), "an end that moves")
    side = 0 if infinite else 1 if end == "low" else -1
    data = {"kind": sign, "left": left, "right": right, "name": x, "to": to, "side": side, "infinite": 0}
    return {"expansion": as_lists({**data, "ranges": claim["ranges"], "holds": True})}


def as_lists(data):
    """Tuples of formulas as lists, which leading terms are told of."""
    if isinstance(data, dict):
        return {key: as_lists(part) for key, part in data.items()}
    return [as_lists(part) for part in data] if isinstance(data, list | tuple) else data


def order(claim):
    """What the claim says to be above 0, and whether it may be 0."""
    f, op = margin(claim["comparison"])
    need(op in (">", ">="), "no inequality")
    return f, op


def weight(f, s):
    """The factor of a symbol in a sum of products, which holds it nowhere else."""
    head, *parts = f
    if f == ("var", s):
        return ONE
    if s not in symbols(f):
        return ZERO
    if head in ("add", "sub", "neg"):
        return (head, *(weight(part, s) for part in parts))
    mine = [s in symbols(part) for part in parts]
    need(head == "mul" and sum(mine) == 1 or head == "div" and not mine[1], "a part in more than a product")
    return (head, *(weight(part, s) if has else part for part, has in zip(parts, mine, strict=True)))


def unused(*formulas):
    return max((x for f in formulas for x in symbols(f)), key=lambda x: (len(x), x), default="") + "_"


# ------------------------------------------------------------------------------------------------------------ ways


def cut(claim, x, places):
    """A range is covered by its parts between some numbers."""
    r, (sign, left, right) = claim["ranges"][x], claim["comparison"]
    ends = [(r["low"], r["low_open"]), *((["num", str(Fraction(c))], False) for c in places)]
    pairs = pairwise([*ends, (r["high"], r["high_open"])])
    pieces = [{**r, "low": a, "low_open": o, "high": b, "high_open": p} for (a, o), (b, p) in pairs]
    return [saying(claim, sign, left, right, {x: piece}) for piece in pieces]


def ends(claim, x):
    """Between the ends of a range, and at those that belong to it."""
    r, (sign, left, right) = claim["ranges"][x], claim["comparison"]
    need(not r["integer"], "a count")
    closed = [read(r[end]) for end in ("low", "high") if not r[end + "_open"]]
    return [saying(claim, sign, left, right, {x: opened(r)}), *(at(claim, x, end) for end in closed)]


def wider(claim, x, low, high):
    """Inside of a range that holds the range of a variable."""
    r, (sign, left, right) = claim["ranges"][x], claim["comparison"]
    need(not r["integer"] and r["low_open"] and r["high_open"], "a count, or an end that belongs to the range")
    for end, other, way in (("low", low, 1), ("high", high, -1)):
        mine, other = read(r[end]), read(other)
        numbers = mine[0] == other[0] == "num" and way * Fraction(other[1]) <= way * Fraction(mine[1])
        need(other == mine or numbers, "no wider range")
    return [saying(claim, sign, left, right, {x: {**r, "low": low, "high": high}})]


def named(claim, x, f, y, g, given):
    """A number x is a formula f of y, for each value of which there is the y in a range that g says."""
    f, g = read(f), read(g)
    check_range(given, {*claim["ranges"]} - {x})
    need(y not in claim["ranges"] and not given["integer"], "no name of a number")
    there = at(saying(claim, *claim["comparison"]), x, f)
    back = saying(claim, "==", ("var", x), put(f, {y: g}))
    return [back, *lying(claim, g, given), {**there, "ranges": {**there["ranges"], y: given}}]


def mirrored(claim, x):
    """With -x for x."""
    r, there = claim["ranges"][x], at(claim, x, ("neg", ("var", x)))
    low, high = (mirror_of(read(r[end])) for end in ("high", "low"))
    mine = {**r, "low": low, "high": high, "low_open": r["high_open"], "high_open": r["low_open"]}
    return [{**there, "ranges": {**there["ranges"], x: mine}}]


def mirror_of(end):
    """The other number of the same size, or the other infinity."""
    if end in ENDLESS:
        return ENDLESS[end == ENDLESS[0]]
    need(end[0] == "num", "an end that moves")
    return ("num", str(-Fraction(end[1])))


def fewer(claim, k):
    """Without one of the conditions."""
    need(type(k) is int and 0 <= k < len(claim["conditions"]), "no such condition")
    need(all(map(read, claim["conditions"][k][1:])), "no comparison")
    return [{**claim, "conditions": [c for i, c in enumerate(claim["conditions"]) if i != k]}]


def above(claim, k, sign):
    """A number that is at least, or above, what is not below 0 by a condition is not below 0 itself, or above it."""
    (compared, left, right), (said, one, two) = claim["conditions"][k], claim["comparison"]
    if compared in ("<", "<="):
        compared, left, right = FLIPPED[compared], right, left
    need(compared in (">", ">=") and sign in (">", ">=") and read(left)[0] == "var", "no lower bound")
    (_, n), strict = read(left), ">" in (compared, sign)
    others = {m: r for m, r in claim["ranges"].items() if m != n}
    conditions = [c for c in claim["conditions"] if all(n not in symbols(read(side)) for side in c[1:])]
    tied = [right, *(q[end] for q in others.values() for end in ("low", "high"))]
    need(all(n not in symbols(read(f)) for f in tied), "a bound that moves with the number")
    bound = {"comparison": [sign, right, ZERO], "ranges": others, "conditions": conditions}
    r = claim["ranges"][n]
    need(read(r["low"]) == ENDLESS[1], "a range that begins somewhere")
    low = {"low": ["num", str(int(strict and r["integer"]))], "low_open": strict and not r["integer"]}
    return [bound, saying(claim, said, one, two, {n: {**r, **low}})]


def orders(claim, p, q):
    """p < q, q < p and p = q."""
    both = [{**claim, "conditions": [*claim["conditions"], ["<", ["var", a], ["var", b]]]} for a, b in ((p, q), (q, p))]
    need({p, q} <= {*claim["ranges"]} and p != q and claim["comparison"][0] in FLIPPED, "no two variables")
    alike = claim["ranges"][p] == claim["ranges"][q] and alone(claim, q) == alone(claim, p)
    need(alike, "two ranges that differ")
    return [*both, at(claim, q, ("var", p))]


def logs(claim):
    """Both sides are products of what is above 0, and their logarithms compare so."""
    sign, left, right = claim["comparison"]
    need(sign in FLIPPED, "no order")
    (f, p), (g, q) = logged(read(left)), logged(read(right))
    return [saying(claim, sign, f, g), *(saying(claim, ">", factor, ZERO) for factor in dict.fromkeys(p + q))]


def logged(f):
    """The logarithm of a product, and its factors that have to be above 0."""
    if f[0] in ("mul", "div"):
        (g, p), (h, q) = map(logged, f[1:])
        return ("add" if f[0] == "mul" else "sub", g, h), p + q
    if f[0] == "pow":
        g, p = logged(f[1])
        return ("mul", f[2], g), p
    return (f[2], []) if f[:2] == ("call", "exp") else (("call", "log", f), [f])


def squares(claim):
    """X is at most sqrt(Y) where X^2 is at most Y."""
    less, more, sign = smaller(claim)
    need(more[:2] == ("call", "sqrt"), "no root")
    less = less[2] if less[:2] == ("call", "abs") else less
    return [saying(claim, sign, ("mul", less, less), more[2])]


def smaller(claim):
    """The smaller side, the larger one, and the sign between them."""
    sign, left, right = claim["comparison"]
    need(sign in FLIPPED and sign != "==", "no inequality")
    return (read(left), read(right), sign) if sign[0] == "<" else (read(right), read(left), FLIPPED[sign])


def least(claim):
    """min(A, B) is at most C for C >= 0 where A B is at most C^2: not both are above C."""
    less, more, sign = smaller(claim)
    need(less[:2] == ("call", "min") and len(less) == 4, "no smaller of two")
    product = saying(claim, sign, ("mul", *less[2:]), ("mul", more, more))
    return [product, saying(claim, ">=", more, ZERO)]


def each(claim):
    """The larger side is the smallest of some formulas, or the smaller one the largest: each of them is compared."""
    sign, left, right = claim["comparison"]
    need(sign in FLIPPED and sign != "==", "no inequality")
    less, more = (left, right) if sign[0] == "<" else (right, left)
    if list(more[:2]) == ["call", "min"]:
        return [saying(claim, "<" + sign[1:], less, f) for f in more[2:]]
    need(list(less[:2]) == ["call", "max"], "neither the smallest nor the largest")
    return [saying(claim, "<" + sign[1:], f, more) for f in less[2:]]


def instead(claim, left, right):
    """Other sides with the same difference."""
    sign, *sides = claim["comparison"]
    need(sign in FLIPPED, "no order")
    return [
        saying(claim, "==", ("sub", *map(read, sides)), ("sub", read(left), read(right))),
        saying(claim, sign, left, right),
    ]


def together(claim, multiples, rest):
    """The gap is a sum of multiples of what conditions and ranges say is not below 0, by such factors, and a rest."""
    (f, op), total, bare = order(claim), read(rest), {**claim, "conditions": []}
    for factor, place in multiples:
        total = ("add", total, ("mul", read(factor), told(claim, place)))
    signs = [speaking(saying(bare, ">=", factor, ZERO)) for factor, _ in multiples]
    return [saying(bare, "==", f, total), speaking(saying(bare, op, rest, ZERO)), *signs]


def told(claim, place):
    """What is not below 0 by a condition, or between a variable and an end of its range."""
    if type(place) is int:
        need(0 <= place < len(claim["conditions"]), "no such condition")
        return margin(claim["conditions"][place])[0]
    x, end = place
    need(end in ("low", "high") and read(claim["ranges"][x][end]) not in ENDLESS, "no end")
    there = read(claim["ranges"][x][end])
    return ("sub", ("var", x), there) if end == "low" else ("sub", there, ("var", x))


def speaking(claim):
    """The claim with the ranges that it, and these, speak of, in their order: proofs follow it."""
    named, left = set(), [read(side) for side in claim["comparison"][1:]]
    while left:
        for x in symbols(left.pop()) - named:
            named.add(x)
            left += [read(claim["ranges"][x][end]) for end in ("low", "high")]
    return {**claim, "ranges": {x: r for x, r in claim["ranges"].items() if x in named}}


def scaled(claim, factor, product):
    """The gap times what is above 0 is a product that compares with 0 in the same way."""
    f, op = margin(claim["comparison"])
    product, factor = read(product), read(factor)
    of_gap = saying(claim, "==", ("mul", factor, f), product)
    return [saying(claim, ">", factor, ZERO), of_gap, saying(claim, op, product, ZERO)]


def special(claim, x, given, place, left, right):
    """A case of a claim about one more variable."""
    sign, *sides = claim["comparison"]
    place, left, right = read(place), read(left), read(right)
    check_range(given, {*claim["ranges"]})
    need(x not in claim["ranges"], "no other variable")
    need([put(f, {x: place}) for f in (left, right)] == [*map(read, sides)], "another case")
    general = saying(claim, sign, left, right, {x: given})
    return [general, *within(general, x, place)]


def powers(claim):
    """A^B is at most exp((A - 1) B) for A >= 0 and B > 0: log(A) is at most A - 1, and exp is above 0."""
    less, more, sign = smaller(claim)
    need(less[0] == "pow" and more[:2] == ("call", "exp"), "no power below an exponential")
    a, b = less[1:]
    above = [saying(claim, ">=", a, ZERO), saying(claim, ">", b, ZERO)]
    return [*above, saying(claim, sign, ("mul", ("sub", a, ONE), b), more[2])]


def binomial(claim):
    """A binomial coefficient of counts k <= n is n!/(k! (n - k)!)."""
    sign, left, right = claim["comparison"]
    (head, name, n, k), right = read(left), read(right)
    whole, over, others = (("call", "factorial", f) for f in (n, k, ("sub", n, k)))
    need((head, name, sign) == ("call", "binom", "=="), "no binomial coefficient")
    need(right == ("div", whole, ("mul", over, others)) and counts(claim, n) and counts(claim, k), "no counts")
    return [saying(claim, ">=", k, ZERO), saying(claim, ">=", n, k)]


def counts(claim, f):
    """Whether a formula is a polynomial of counts with whole coefficients."""
    integers = {("symbol", x) for x, r in claim["ranges"].items() if r["integer"]}
    return all(
        c.denominator == 1 and all(atom in integers and k > 0 and k.denominator == 1 for atom, k in key)
        for key, c in Known().normal(f).items()
    )


def bounded(claim, part, sign, bound):
    """A part of a side is at most, at least or equal to a bound, and stands there with a factor of one sign."""
    part, bound = read(part), read(bound)
    f, (op, *sides) = margin(claim["comparison"])[0], claim["comparison"]
    s = unused(f, bound)
    need(sign in ("<=", "==", ">="), "no bound")
    factor = weight(exchanged(f, part, ("var", s)), s) if sign != "==" else ZERO
    need(sign == "==" or op != "==", "an equation")
    there = saying(claim, op, *(exchanged(read(side), part, bound) for side in sides))
    return [saying(claim, sign, part, bound), *([saying(claim, sign, factor, ZERO)] if sign != "==" else []), there]


def touching(claim, x, c, derivatives):
    """By Taylor at c: the gap is at least 0 there, its last derivative is so everywhere, those between are 0 there."""
    (f, _), c = order(claim), read(c)
    alone(claim, x)
    need(derivatives % 2 == 0 and 0 < derivatives <= MOST_DERIVATIVES, "an odd derivative")
    g, level = f, []
    for k in range(derivatives):
        level += [at(saying(claim, "==", g, ZERO), x, c)] * (k > 0)
        g = slope(g, x)
    return [at(claim, x, c), *level, saying(claim, ">=", g, ZERO), valued(claim, f), *within(claim, x, c)]


def rising(claim, x, end, derivatives):
    """By Taylor at an end: the gap and its derivatives away from there are at least 0, the last one everywhere."""
    (f, op), r = order(claim), alone(claim, x)
    c, g, parts = read(r[end]), f, []
    need(c[0] == "num" and end in ("low", "high") and 0 < derivatives <= MOST_DERIVATIVES, "no end to begin at")
    for _ in range(derivatives):
        parts.append(at(saying(claim, ">=", g, ZERO), x, c))
        g = slope(g, x) if end == "low" else ("neg", slope(g, x))
    inner = saying(claim, op, g, ZERO, {x: opened(r)})
    closed = [at(claim, x, read(r[e])) for e in ("low", "high") if not r[e + "_open"]]
    return [*parts, inner, valued(inner, f), *closed]


def stepped(claim, x):
    """The gap g of the logarithms of products does not rise from x to x + 1, and falls to no number below 0.

    So g(x) >= g(x + k) >= -log(1 + eta) for some k, whatever eta > 0; and gamma(z + 1) = z gamma(z) for z > 0.
    """
    less, more, sign = smaller(claim)
    eta, (f, p), (g, q), inside = unused(less, more), logged(more), logged(less), []
    need(sign == "<=" and read(alone(claim, x)["high"]) == ENDLESS[0], "an end, or a strict comparison")
    falls_by = ("neg", risen(("sub", f, g), x, inside))
    factors = [h for h in dict.fromkeys(p + q) if h[:2] != ("call", "gamma")]
    inside += [h[2] for h in p + q if h[:2] == ("call", "gamma")]
    positive = {"low": ZERO, "high": ENDLESS[0], "low_open": True, "high_open": True, "integer": False}
    eased = saying(claim, ">=", ("mul", ("add", ONE, ("var", eta)), more), less, {eta: positive})
    above = [saying(claim, ">", h, ZERO) for h in dict.fromkeys((*factors, *inside))]
    return [*above, near(eased, x, "high"), saying(claim, ">=", falls_by, ZERO)]


def risen(f, x, inside):
    """By how much a formula grows from x to x + 1, and in `inside` what has to be above 0 for it."""
    head, *parts = f
    if x not in symbols(f):
        return ZERO
    if head in ("add", "sub", "neg"):
        return (head, *(risen(part, x, inside) for part in parts))
    if head == "mul" and x not in symbols(parts[0]):
        return ("mul", parts[0], risen(parts[1], x, inside))
    later = put(f, {x: ("add", ("var", x), ONE)})
    if f[:2] != ("call", "log") or f[2][:2] != ("call", "gamma"):
        return ("sub", later, f)
    z = f[2][2]
    need(Known().same(("sub", later[2][2], z), ONE), "not one more")
    inside.append(z)
    return ("call", "log", z)


def falls(claim, x, end):
    """The gap falls towards an end of a range, and is above 0 there or near it."""
    (f, _), r = order(claim), alone(claim, x)
    down = saying(claim, "<=" if end == "high" else ">=", slope(f, x), ZERO, {x: opened(r)})
    need(r[end + "_open"] or read(r[end]) not in ENDLESS, "a variable that may be infinite")
    there = near(claim, x, end) if r[end + "_open"] else at(claim, x, read(r[end]))
    return [down, valued(claim, f), there]


def turns(claim, x, links):
    """The gap is above 0 by the signs of a chain of functions, each a positive factor times the derivative before.

    A function has the signs (s, t) where it has the sign s, or is 0, up to some place, and t after it. The next one has
    signs (m, n), so this one moves that way: where s is m it has this sign from the low end on, and where t is not n it
    keeps that sign up to the high end. Signs without either would be (-m, n), and follow where m is n.
    """
    (f, op), s, t, parts = order(claim), 1, 1, []
    need(alone(claim, x) == opened(claim["ranges"][x]), "an end that belongs to the range")
    for factor, then, m, n in links:
        factor, then = read(factor), read(then)
        need({m, n} <= {1, -1} and (s == m or t != n or m == n), "signs that do not follow")
        parts += [saying(claim, "==", ("mul", factor, slope(f, x)), then), saying(claim, ">", factor, ZERO)]
        parts += [near(saying(claim, op, signed(f, s), ZERO), x, "low")] * (s == m)
        parts += [near(saying(claim, op, signed(f, t), ZERO), x, "high")] * (t != n)
        f, op, s, t = then, ">=", m, n
    need(links and s == t, "more than one sign is left")
    return [valued(claim, order(claim)[0]), *parts, saying(claim, ">=", signed(f, s), ZERO)]


def signed(f, s):
    return f if s == 1 else ("neg", f)


def apart(claim, p, q):
    """The gap is at least 0 for q = p, and does not fall as q moves away from p."""
    (f, _), both = order(claim), {("var", p), ("var", q)}
    between = [c for c in claim["conditions"] if {*map(read, c[1:])} == both]
    need(p != q and alone(claim, q, but=between) == claim["ranges"][p], "two ranges that differ")
    need(all(c[0] in ("<", "<=", ">", ">=") for c in between), "no order of two numbers")
    kept = {**claim, "conditions": [c for c in claim["conditions"] if c not in between]}
    away = ("mul", ("sub", ("var", q), ("var", p)), slope(f, q))
    return [at(kept, q, ("var", p)), saying(claim, ">=", away, ZERO), valued(claim, f)]


def closest(claim, x, p):
    """The gap is above 0 at a place p inside of the range of x, where it does not fall as x moves away from p."""
    (f, _), p, r = order(claim), read(p), alone(claim, x)
    need(x not in symbols(p), "a place that moves with the variable")
    inner = saying(claim, ">=", ("mul", ("sub", ("var", x), p), slope(f, x)), ZERO, {x: opened(r)})
    closed = [at(claim, x, read(r[end])) for end in ("low", "high") if not r[end + "_open"]]
    return [at(part, x, p) for part in (claim, *lying(claim, p, opened(r)))] + [inner, valued(inner, f), *closed]


def counted(claim, n):
    """The gap does not rise with a count, and is above 0 from somewhere on."""
    (f, _), r = order(claim), alone(claim, n, integer=True)
    first = read(r["low"])
    need(first[0] == "num" and Fraction(first[1]).denominator == 1 and not r["low_open"], "no first count")
    need(read(r["high"]) in ENDLESS, "an end")
    return [saying(claim, "<=", grown(f, n, first), ZERO), near(claim, n, "high"), at(valued(claim, f), n, first)]


def onwards(claim, n):
    """At the first count, and from each count to the next."""
    return [*induced(claim, n)]


def residues(claim, n, m):
    """A count is m n + k, for each k below m: floors and ceilings of it are computed then."""
    r = alone(claim, n, integer=True)
    first = read(r["low"])
    need(first[0] == "num" and Fraction(first[1]) >= 0 and not r["low_open"], "no first count")
    need(read(r["high"]) in ENDLESS and type(m) is int and 1 < m <= MOST_RESIDUES, "no period")
    parts = []
    for k in range(m):
        there = at(claim, n, ("add", ("mul", ("num", str(m)), ("var", n)), ("num", str(k))))
        sign, *sides = there["comparison"]
        low = ["num", str(max(0, ceil((Fraction(first[1]) - k) / m)))]
        parts.append(saying(there, sign, *(unrounded(side, n) for side in sides), {n: {**r, "low": low}}))
    return parts


def unrounded(f, n):
    """A formula without floors and ceilings of a polynomial of a count n >= 0 whose coefficients but one are whole."""
    f = tuple(unrounded(part, n) if isinstance(part, tuple) else part for part in f)
    if f[:2] not in (("call", "floor"), ("call", "ceil")):
        return f
    p = Known().normal(f[2])
    c = p.get(frozenset(), Fraction(0))
    powers = [pair for key in p for pair in key]
    of_count = all(atom == ("symbol", n) and k > 0 and k.denominator == 1 for atom, k in powers)
    if not of_count or any(q.denominator != 1 for key, q in p.items() if key):
        return f
    rounded = floor(c) if f[1] == "floor" else ceil(c)
    return ("add", ("sub", f[2], ("num", str(c))), ("num", str(rounded)))


def inverse(claim):
    """For u >= 0, W(u) and f compare as u and f exp(f) do: w exp(w) rises with w >= 0, and is below 0 before."""
    u, f, sign = of_lambert(claim)
    need(sign != "==", "an equation")
    return [saying(claim, sign, u, ("mul", f, ("call", "exp", f))), saying(claim, ">=", u, ZERO)]


def branch(claim):
    """W(u) >= -1 compares with f as u with f exp(f) where f >= -1; and from below it always does."""
    u, f, sign = of_lambert(claim)
    least = ("neg", ("call", "exp", ("num", "-1")))
    asked = [saying(claim, sign, u, ("mul", f, ("call", "exp", f))), saying(claim, ">=", u, least)]
    return asked if sign[0] == ">" else [*asked, saying(claim, ">=", f, ("num", "-1"))]


def of_lambert(claim):
    """u, f and the sign where a claim compares W(u) with f."""
    sign, *sides = claim["comparison"]
    w, f = map(read, sides)
    w, f, sign = (w, f, sign) if w[:2] == ("call", "W") else (f, w, FLIPPED[sign])
    need(w[:2] == ("call", "W"), "no function of Lambert")
    return w[2], f, sign


def derivative(claim):
    """A formula rises, falls or is curved: by the sign of a derivative, or from a count to the next."""
    how, body, (_, x) = claim["comparison"]
    if how in BENDS and claim["ranges"][x]["integer"]:
        need(read(alone(claim, x, integer=True)["high"]) in ENDLESS, "no count")
        around = [put(read(body), {x: ("add", ("var", x), ("num", str(k)))}) for k in range(3)]
        return [saying(claim, BENDS[how], ("add", around[0], around[2]), ("mul", ("num", "2"), around[1]))]
    if how in BENDS:
        twice = slope(slope(read(body), x), x)
        return [saying(claim, BENDS[how], twice, ZERO, {x: opened(alone(claim, x))}), valued(claim, read(body))]
    sign, body = FLIPPED[ORDERED[how]], read(body)
    if claim["ranges"][x]["integer"]:
        need(read(alone(claim, x, integer=True)["high"]) in ENDLESS, "no count")
        return [saying(claim, sign, put(body, {x: ("add", ("var", x), ONE)}), body)]
    r = alone(claim, x)
    return [saying(claim, sign, slope(body, x), ZERO, {x: opened(r)}), valued(claim, body)]


def places(claim, y):
    """A formula rises or falls in x: its values at any two places compare so."""
    how, body, (_, x) = claim["comparison"]
    sign, ranges = ORDERED[how], claim["ranges"]
    others = [read(r[end]) for r in ranges.values() for end in ("low", "high")]
    need(y not in ranges and not any(x in symbols(f) for f in others), "a variable that is tied")

    def moved(f):
        return put(read(f), {x: ("var", y)})

    conditions = [*claim["conditions"], *([c[0], moved(c[1]), moved(c[2])] for c in claim["conditions"])]
    return [
        {
            "comparison": [sign, body, moved(body)],
            "ranges": {**ranges, y: ranges[x]},
            "conditions": [*conditions, ["<", ("var", x), ("var", y)]],
        }
    ]


def witness(claim, number):
    """There is a number c, the same for all variables: this one."""
    how, (_, c), comparison = claim["comparison"]
    need(how == "there is" and number[0] == "num", "no number")
    alone(claim, c, claim["ranges"][c]["integer"])
    need(not any(symbols(read(claim["ranges"][c][end])) for end in ("low", "high")), "a range that moves")
    there = {**claim, "comparison": comparison}
    return [*within(there, c, read(number)), at(there, c, read(number))]


def infimum(claim, place, e=None, multiple=None):
    """No value of a formula is beyond the other side, which is one of its values, or a limit of them.

    The place may depend on a number e in (0, 1): its value is then within a multiple of e of the other side.
    """
    sign, side, other = claim["comparison"]
    if other[0] in ("inf", "sup"):
        sign, side, other = FLIPPED[sign], other, side
    head, x, over, body = side
    up = ">=" if head == "inf" else "<="
    need(sign in (up, FLIPPED[up], "==") and x not in claim["ranges"] and x not in symbols(read(other)), "no infimum")
    every = saying(claim, up, body, other, {x: over})
    alone(every, x, over["integer"])
    there, bound = {**every, "comparison": [FLIPPED[up], body, other]}, read(other)
    if e is not None:
        multiple, small = read(multiple), {"low": ZERO, "high": ONE, "low_open": True, "high_open": True}
        need(e not in every["ranges"] and symbols(multiple) <= claim["ranges"].keys(), "no number of its own")
        eased = ("add" if head == "inf" else "sub", bound, ("mul", multiple, ("var", e)))
        there = saying(every, FLIPPED[up], body, eased, {e: {**small, "integer": False}})
    place = read(place)
    reached = [at(there, x, place), *within(there, x, place)]
    return [*([every] if sign != FLIPPED[up] else []), *(reached if sign != up else [])]


def tied(claim, point):
    """A strict comparison fails at a point where both sides are equal."""
    how, sign, sides = claim["comparison"]
    need(how == "fails" and sign in ("<", ">"), "no strict comparison")
    placed({**claim, "point": point})
    values = {x: ("num", str(Fraction(n))) for x, n in point.items()}
    return [{"comparison": ["==", *(put(read(side), values) for side in sides)], "ranges": {}, "conditions": []}]


def missed(claim, point, bound):
    """An infimum is not the other side, or not below it, where a number lies between them at some point."""
    how, sign, (left, right) = claim["comparison"]
    if right[0] in BEYOND:
        sign, left, right = FLIPPED[sign], right, left
    head, x, over, body = left
    beyond, values = BEYOND[head], {y: ("num", str(Fraction(n))) for y, n in point.items()}
    need(
        how == "fails" and sign in ("==", FLIPPED[beyond], FLIPPED[beyond] + "=") and x not in values, "no such infimum"
    )
    placed({**claim, "point": point})
    body, low, high = (put(read(f), values) for f in (body, over["low"], over["high"]))
    every = {
        "comparison": [beyond + "=", body, bound],
        "ranges": {x: {**over, "low": low, "high": high}},
        "conditions": [],
    }
    return [every, {"comparison": [beyond, bound, put(read(right), values)], "ranges": {}, "conditions": []}]


def partial(claim, point, last):
    """A series whose terms are not negative is too large at a point, as some of its first terms are."""
    how, sign, (left, right) = claim["comparison"]
    sign, left, right = (FLIPPED[sign], right, left) if right[0] == "sum" else (sign, left, right)
    head, k, first, end, term = read(left)
    need(how == "fails" and head == "sum" and end in ENDLESS and sign in ("<", "<=", "=="), "no series")
    placed({**claim, "point": point})
    values = {x: ("num", str(Fraction(n))) for x, n in point.items()}
    need(k not in values, "a name twice")
    first, term, right, last = put(first, values), put(term, values), put(read(right), values), ("num", str(int(last)))
    over = {"low": first, "high": end, "low_open": False, "high_open": True, "integer": True}
    signed = {"comparison": [">=", term, ZERO], "ranges": {k: over}, "conditions": []}
    return [signed, {"comparison": [">", ("sum", k, first, last, term), right], "ranges": {}, "conditions": []}]


def tail(claim):
    """Phi(x) is at most exp(-x^2/2)/2 for x <= 0: the density at x - t is at most exp(-x^2/2) times that at -t.

    And 1 - Phi(x) = Phi(-x).
    """
    f, bound, sign = smaller(claim)
    f, bound, sign = (f, bound, sign) if f[:2] == ("call", "Phi") else (bound, f, FLIPPED[sign])
    need(f[:2] == ("call", "Phi") and sign in ("<=", ">="), "no distribution function")
    half = ("div", ("call", "exp", ("neg", ("div", ("mul", f[2], f[2]), TWO))), TWO)
    return [saying(claim, sign, f[2], ZERO), saying(claim, "==", bound, half if sign == "<=" else ("sub", ONE, half))]


def kept(claim):
    """A mechanism keeps a promise."""
    return [saying(claim, *comparison) for comparison in enough(claim["comparison"])]


WAYS: dict[str, Any] = {
    f.__name__: f
    for f in (cut, ends, wider, named, mirrored, fewer, above, orders, logs, squares, least, instead, bounded, together)
    + (each, scaled, special, powers, binomial)
    + (
        touching,
        rising,
        stepped,
        falls,
        turns,
        apart,
        closest,
        counted,
        onwards,
        residues,
        branch,
        inverse,
        derivative,
        places,
        witness,
        infimum,
        tied,
        missed,
        partial,
        tail,
        kept,
    )
}


def show_way(claim, proof):
    """That a claim holds, by a proof of its own or by a way: each formula is one of the variables that have ranges."""
    check_statement(claim)
    if "way" not in proof:
        return show(claim, proof)
    for part, shown in zip(WAYS[proof["way"]](claim, *proof["given"]), proof["parts"], strict=True):
        if "expansion" in part:
            need(not check_expansion(part["expansion"]), "leading terms do not say it")
        else:
            show_way(part, shown)
    return None


def check_way(claim):
    """Why the argument for a claim is not confirmed, or ''."""
    try:
        show_way(claim, claim["proof"])
    except (Refused, Unsure, NoValue, LookupError, ValueError, ArithmeticError, TypeError, RecursionError) as why:
        return f"{type(why).__name__}: {why}"
    return ""
