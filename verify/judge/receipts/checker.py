"""Checks what a receipt says, with the standard library alone: this text stands inside of every receipt.

Numbers are intervals between two rationals that are rounded outwards to PRECISION bits; what an interval cannot decide
is not confirmed. A formula is a list: ["num", "1/3"], ["var", "x"], ["add", a, b], ["call", "log", a],
["sum", "k", low, high, body] and so on.
"""

import hashlib
import json
import re
import sys
from fractions import Fraction
from math import comb, factorial, isqrt

PRECISION = 160
INFINITY = float("inf")
MOST_TERMS = 20000
MOST_ROOT = 12
LONGEST = 1 << 17  # bits of a whole number, beyond which it is rounded too


class NoValue(Exception):
    """A formula certainly has no value."""


class LogOfZero(NoValue):
    """The logarithm of 0 is asked for."""


class Unsure(Exception):
    """Nothing certain is known."""


def rounded(value, up):
    """A rational of few bits that is not smaller (`up`) or not larger."""
    if isinstance(value, float):
        return value
    if value.denominator.bit_length() <= PRECISION and value.numerator.bit_length() <= LONGEST:
        return value
    shift = PRECISION - value.numerator.bit_length() + value.denominator.bit_length()
    above, below = value.numerator << max(shift, 0), value.denominator << max(-shift, 0)
    whole = -(-above // below) if up else above // below
    return Fraction(whole << max(-shift, 0), 1 << max(shift, 0))


def interval(low, high):
    return (rounded(low, False), rounded(high, True))


def exactly(value):
    return (Fraction(value), Fraction(value))


def finite(*numbers):
    if any(isinstance(end, float) for number in numbers for end in number):
        raise Unsure("infinity")


def add(a, b):
    if any(isinstance(end, float) for end in (*a, *b)):
        ends = {end for end in (*a, *b) if isinstance(end, float)}
        if len(ends) > 1:
            raise NoValue("inf - inf")
        value = ends.pop()
        return (value, value)
    return interval(a[0] + b[0], a[1] + b[1])


def neg(a):
    return (-a[1], -a[0])


def mul(a, b):
    finite(a, b)
    ends = [x * y for x in a for y in b]
    return interval(min(ends), max(ends))


def div(a, b):
    if b == (0, 0):
        raise NoValue("a quotient by 0")
    if b[0] == b[1] == INFINITY and not isinstance(a[0], float):
        return exactly(0)
    finite(a, b)
    if b[0] <= 0 <= b[1]:
        raise Unsure("a divisor around 0")
    ends = [x / y for x in a for y in b]
    return interval(min(ends), max(ends))


def exp_of(x, up):
    """A bound of e^x for a rational x."""
    halvings = max(0, abs(x.numerator).bit_length() - x.denominator.bit_length() + 8)
    if halvings > 30 and x > 0:  # a number of six million bits takes a second
        raise Unsure("a huge exponent")
    if halvings > 30:  # x is below -2^20
        return Fraction(1, 1 << 4 * PRECISION) if up else Fraction(0)
    y, bits = x / 2**halvings, PRECISION + 2 * halvings + 20
    low = term = 1 << bits
    count, slack = 1, 1
    while term:
        term = term * y.numerator // (y.denominator * count)
        term = term if term != -1 else 0
        low, count, slack = low + term, count + 1, slack + 2
    value = Fraction(low + (slack if up else -slack), 1 << bits)
    for _ in range(halvings):
        value = rounded_to(value * value, up, bits)
    return value


def rounded_to(value, up, bits):
    scaled = value * (1 << bits)
    if abs(value) < 1:  # keep the bits of a small number
        shift = value.denominator.bit_length() - abs(value.numerator).bit_length() if value else 0
        bits += shift
        scaled = value * (1 << bits)
    return Fraction(
        -(-scaled.numerator // scaled.denominator) if up else scaled.numerator // scaled.denominator, 1 << bits
    )


def exp(x):
    if x == (0, 0):
        return exactly(1)
    if isinstance(x[0], float):
        return (INFINITY, INFINITY) if x[0] > 0 else exactly(0)
    finite(x)
    return interval(exp_of(x[0], False), exp_of(x[1], True))


def artanh2(z, up):
    """A bound of 2 artanh(z) for a rational 0 <= z <= 1/3: a series of terms that fall by a factor of 9."""
    bits = PRECISION + 20
    power = (z.numerator << bits) // z.denominator
    total, k, square, steps = 0, 1, z * z, 0
    while power:
        total, k, steps = total + power // k, k + 2, steps + 2
        power = power * square.numerator // square.denominator
    return Fraction(2 * (total + (steps + 4 if up else 0)), 1 << bits)


def log_of(x, up):
    """A bound of log(x) for a rational x > 0."""
    two = x.numerator.bit_length() - x.denominator.bit_length()
    y = x / Fraction(2) ** two
    if y < 1:
        y, two = 2 * y, two - 1
    if y > Fraction(4, 3):
        y, two = y / 2, two + 1
    z = (y - 1) / (y + 1)
    part = artanh2(z, up) if z >= 0 else -artanh2(-z, not up)
    return part + two * artanh2(Fraction(1, 3), up if two >= 0 else not up)


def log(x):
    if x[0] == INFINITY:
        return x
    if x == (0, 0):
        raise LogOfZero("the logarithm of a number that is not positive")
    if x[1] < 0:
        raise NoValue("the logarithm of a number that is not positive")
    finite(x)
    if x[0] <= 0:
        raise Unsure("a logarithm near 0")
    return exactly(0) if x == (1, 1) else interval(log_of(x[0], False), log_of(x[1], True))


def sqrt_of(x, up):
    bits = PRECISION + x.denominator.bit_length()
    root = isqrt((x.numerator << (2 * bits)) // x.denominator)
    value = Fraction(root, 1 << bits)
    return value if not up or value * value == x else Fraction(root + 1, 1 << bits)


def sqrt(x):
    if x[0] == INFINITY:
        return x
    if x[1] < 0:
        raise NoValue("the root of a negative number")
    if x[0] < 0:
        raise Unsure("a root near 0")
    finite(x)
    return interval(sqrt_of(x[0], False), sqrt_of(x[1], True))


def power(a, b):
    finite(a, b)
    if b[0] == b[1] and b[0].denominator == 1:
        n = int(b[0])
        if abs(n) > 5000 and a[1] < 0:
            return neg(power(neg(a), b)) if n % 2 else power(neg(a), b)
        if abs(n) > 5000 and a != (0, 0):
            return exp(mul(b, log(a)))
        if n < 0:
            return div(exactly(1), power(a, neg(b)))
        if n % 2 == 0 and a[0] <= 0 <= a[1]:
            return interval(Fraction(0), max(-a[0], a[1]) ** n)
        ends = sorted((a[0] ** n, a[1] ** n))
        return interval(*ends)
    if a[1] < 0:
        if b[0] != b[1] and whole(b, False)[1] >= b[0]:
            raise Unsure("a power of a negative number that may be whole")
        raise NoValue("a power of a negative number that is not whole")
    if a == (0, 0):
        if b[1] < 0:
            raise NoValue("a negative power of 0")
        return exactly(0) if b[0] > 0 else unsure("a power of 0")
    if b == (Fraction(1, 2), Fraction(1, 2)):
        return sqrt(a)
    return exp(mul(b, log(a)))


def unsure(why):
    raise Unsure(why)


def pi():
    """16 artan(1/5) - 4 artan(1/239), by alternating series."""

    def artan(n, up):
        total, k, sign = Fraction(0), 1, 1
        while Fraction(1, k * n**k) > Fraction(1, 1 << (PRECISION + 8)) or (sign > 0) == up:
            total, k, sign = total + Fraction(sign, k * n**k), k + 2, -sign
        return total

    return interval(16 * artan(5, False) - 4 * artan(239, True), 16 * artan(5, True) - 4 * artan(239, False))


def euler():
    """H_n - log n - 1/(2n) + 1/(12 n^2) - 1/(120 n^4), too small by less than 1/(252 n^6)."""
    n = 4096
    base = sum(Fraction(1 << 200, k).__floor__() for k in range(1, n + 1))
    harmonic = interval(Fraction(base, 1 << 200), Fraction(base + n, 1 << 200))
    rest = Fraction(1, 12 * n**2) - Fraction(1, 2 * n) - Fraction(1, 120 * n**4)
    return add(add(harmonic, neg(log(exactly(n)))), interval(rest, rest + Fraction(1, 252 * n**6)))


def erf_of(x, up):
    """A bound of erf(x) for a rational 0 <= x < 12: its series, with enough bits for what cancels."""
    square, bits = x * x, PRECISION + 40 + 4 * int(x * x + 1)
    term, total, n = (x.numerator << bits) // x.denominator, 0, 0
    slack = 2
    while term:
        total += (-1) ** n * (term // (2 * n + 1))
        n += 1
        term = term * square.numerator // (square.denominator * n)
        slack += 4 + (int(square) + 1)
    slack <<= 2 * int(square + 1)
    value = interval(Fraction(total - slack, 1 << bits), Fraction(total + slack, 1 << bits))
    return div(mul(exactly(2), value), sqrt(pi()))[1 if up else 0]


def erf(x):
    finite(x)

    def end(value, up):
        if abs(value) >= 12:  # 1 - erf(12) < 2^-200
            near = 1 - Fraction(1, 1 << 200)
            return (Fraction(1) if up else near) if value > 0 else (-near if up else Fraction(-1))
        return erf_of(value, up) if value >= 0 else -erf_of(-value, not up)

    return exactly(0) if x == (0, 0) else interval(end(x[0], False), end(x[1], True))


def log_gamma(x):
    """Of x > 0, by Stirling's series far out: it is between two of its partial sums."""
    finite(x)
    if x[0] <= 0:
        raise Unsure("gamma near 0 or below")
    shifted = exactly(0)
    while x[0] < 40:
        shifted, x = add(shifted, log(x)), add(x, exactly(1))
    bernoulli = [
        Fraction(1, 12),
        Fraction(-1, 360),
        Fraction(1, 1260),
        Fraction(-1, 1680),
        Fraction(1, 1188),
        Fraction(-691, 360360),
        Fraction(1, 156),
        Fraction(-3617, 122400),
    ]
    total = add(mul(add(x, exactly(Fraction(-1, 2))), log(x)), neg(x))
    total = add(total, div(log(mul(exactly(2), pi())), exactly(2)))
    for k, b in enumerate(bernoulli[:-1]):
        total = add(total, div(exactly(b), power(x, exactly(2 * k + 1))))
    last = div(exactly(bernoulli[-1]), power(x, exactly(2 * len(bernoulli) - 1)))
    rest = (min(Fraction(0), last[0]), max(Fraction(0), last[1]))
    return add(add(total, rest), neg(shifted))


BERNOULLI = [Fraction(*b) for b in ((1, 6), (-1, 30), (1, 42), (-1, 30), (5, 66), (-691, 2730), (7, 6))]


def polygamma(x, slope):
    """The slope of log gamma, or the slope of that, of x > 0: far out it is between two partial sums of its series."""
    finite(x)
    if x[0] <= 0:
        raise Unsure("digamma near 0 or below")
    shifted = exactly(0)
    while x[0] < 40:
        over = div(exactly(1), x)
        shifted, x = add(shifted, power(over, exactly(2)) if slope else neg(over)), add(x, exactly(1))
    over = div(exactly(1), x)
    total = add(over, half(power(over, exactly(2)))) if slope else add(log(x), neg(half(over)))
    for k, b in enumerate(BERNOULLI, 1):
        term = mul(exactly(b if slope else -b / (2 * k)), power(over, exactly(2 * k + slope)))
        if k == len(BERNOULLI):
            term = (min(term[0], Fraction(0)), max(term[1], Fraction(0)))
        total = add(total, term)
    return add(total, shifted)


def gamma(x):
    if x[0] == x[1] and not isinstance(x[0], float) and x[0].denominator == 1:
        if x[0] <= 0:
            raise NoValue("gamma at a whole number that is not positive")
        if x[0] <= 2000:
            return exactly(factorial(int(x[0]) - 1))
    return exp(log_gamma(x))


def zeta(x):
    if x[0] != x[1] or isinstance(x[0], float):
        raise Unsure("zeta of a number that is not exact")
    if x[0] == 1:
        raise NoValue("zeta at 1")
    return zeta_at(x[0])


def zeta_at(s):
    """By Euler and Maclaurin from 1 to 50: for s > -11 the error is less than the first term that is left out."""
    if s <= -11:
        raise Unsure("zeta far below 0")
    n, total = 50, exactly(0)
    for k in range(1, n):
        total = add(total, power(exactly(k), exactly(-s)))
    at = power(exactly(n), exactly(-s))
    total = add(total, add(mul(at, exactly(Fraction(n) / (s - 1))), mul(at, exactly(Fraction(1, 2)))))
    rising, step = s, Fraction(1, n)
    for j, b in enumerate(BERNOULLI, 1):
        term = mul(at, exactly(b * rising * step / factorial(2 * j)))
        if j == len(BERNOULLI):
            return add(total, (min(term[0], -term[1], 0), max(term[1], -term[0], 0)))
        total = add(total, term)
        rising, step = rising * (s + 2 * j - 1) * (s + 2 * j), step / n**2
    raise Unsure("no Bernoulli numbers")


def binom(n, k):
    if n[0] != n[1] or k[0] != k[1] or n[0].denominator != 1 or k[0].denominator != 1 or not 0 <= n[0] <= 20000:
        raise Unsure("a binomial coefficient")
    return exactly(comb(int(n[0]), int(k[0])) if 0 <= k[0] <= n[0] else 0)


def lambert(x):
    """The w >= 0 with w e^w = x, for x >= 0, between two rationals."""
    finite(x)
    if x[0] < 0:
        raise Unsure("W below 0")

    def end(value, up):
        low, high = Fraction(0), 1 + (log_of(value, True) if value > 1 else 0)
        for _ in range(PRECISION):
            middle = rounded((low + high) / 2, up)
            w = mul(exactly(middle), exp(exactly(middle)))
            if w[0] > value:
                high = middle
            elif w[1] < value:
                low = middle
            else:
                break
        return high if up else low

    return exactly(0) if x == (0, 0) else interval(end(x[0], False), end(x[1], True))


def entropy(p, q):
    """p log(p / q), with 0 log 0 = 0."""
    if p == (0, 0):
        return exactly(0)
    if q == (0, 0):
        return (INFINITY, INFINITY) if p[0] > 0 else unsure("a relative entropy near 0")
    return mul(p, log(div(p, q)))


def kl(p, q):
    for value in (p, q):
        if value[1] < 0 or value[0] > 1:
            raise NoValue("a probability outside [0, 1]")
        if value[0] < 0 or value[1] > 1:
            raise Unsure("a probability near 0 or 1")
    return add(entropy(p, q), entropy(add(exactly(1), neg(p)), add(exactly(1), neg(q))))


def absolute(x):
    if x[0] >= 0:
        return x
    return neg(x) if x[1] <= 0 else (Fraction(0), max(-x[0], x[1]))


def whole(x, up):
    finite(x)
    low, high = (-(-end.numerator // end.denominator) if up else end.numerator // end.denominator for end in x)
    return (Fraction(low), Fraction(high))


def half(x):
    return div(x, exactly(2))


def tanh(x):
    e = exp(mul(exactly(-2), x))
    return div(add(exactly(1), neg(e)), add(exactly(1), e))


def atan_of(x):
    """Of a rational: of 1/x beyond 1, then of half the angle, twice, and a series whose terms change their signs."""
    if x < 0 or x > 1:
        return neg(atan_of(-x)) if x < 0 else add(half(pi()), neg(atan_of(1 / x)))
    y = exactly(x)
    for _ in range(2):
        y = div(y, add(exactly(1), sqrt(add(exactly(1), mul(y, y)))))
    low, high = (
        sum(Fraction((-1) ** k, 2 * k + 1) * e ** (2 * k + 1) for k in range(n))
        for e, n in zip(y, (40, 41), strict=True)
    )
    return mul(exactly(4), interval(low, high))


def atan(x):
    turn = half(pi())
    ends = [((turn if e > 0 else neg(turn)) if isinstance(e, float) else atan_of(e))[i] for i, e in enumerate(x)]
    return interval(*ends)


def cos(x):
    """Between -1 and 1, and no farther from the cosine of the middle than half of the width."""
    if x == (0, 0):
        return exactly(1)
    finite(x)
    x = add(x, neg(mul(exactly(x[0] // 7), mul(exactly(2), pi()))))  # near 0, unless it is wide or far
    if not -64 < x[0] <= x[1] < 64:
        return (Fraction(-1), Fraction(1))
    middle = rounded((x[0] + x[1]) / 2, True)
    radius, square = max(x[1] - middle, middle - x[0]), mul(exactly(middle), exactly(middle))
    total = term = exactly(1)
    for k in range(1, 200):  # beyond which terms fall, with changing signs
        term = div(mul(neg(term), square), exactly(2 * k * (2 * k - 1)))
        total = add(total, term)
    radius += max(map(abs, term))
    return interval(max(Fraction(-1), total[0] - radius), min(Fraction(1), total[1] + radius))


def sin(x):
    return x if x == (0, 0) else cos(add(x, neg(half(pi()))))


def at_infinity(x, above, below):
    return exactly(above if x[0] > 0 else below)


CALLS = {
    "exp": exp,
    "log": log,
    "sqrt": sqrt,
    "abs": absolute,
    "floor": lambda x: whole(x, False),
    "ceil": lambda x: whole(x, True),
    "erf": lambda x: at_infinity(x, 1, -1) if isinstance(x[0], float) else erf(x),
    "erfc": lambda x: add(exactly(1), neg(CALLS["erf"](x))),
    "gamma": gamma,
    "digamma": lambda x: polygamma(x, 0),
    "trigamma": lambda x: polygamma(x, 1),
    "binom": binom,
    "zeta": zeta,
    "W": lambert,
    "kl": kl,
    "Phi": lambda x: half(add(exactly(1), CALLS["erf"](x if isinstance(x[0], float) else div(x, sqrt(exactly(2)))))),
    "factorial": lambda n: gamma(add(n, exactly(1))),
    "tanh": tanh,
    "atan": atan,
    "sin": sin,
    "cos": cos,
    "tv": lambda p, q: absolute(add(p, neg(q))),
    "min": lambda *v: (min(x[0] for x in v), min(x[1] for x in v)),
    "max": lambda *v: (max(x[0] for x in v), max(x[1] for x in v)),
    "sinh": lambda x: half(add(exp(x), neg(exp(neg(x))))),
    "cosh": lambda x: half(add(exp(x), exp(neg(x)))),
}
OPERATORS = {"add": add, "sub": lambda a, b: add(a, neg(b)), "mul": mul, "div": div, "pow": power}
CONSTANTS = {"pi": pi, "e": lambda: exp(exactly(1)), "euler": euler, "inf": lambda: (INFINITY, INFINITY)}


def quotient_of_logs(a, b):
    """log(a)/log(b), exactly where a = b^k and k has a small denominator."""
    if b == (0, 0):
        raise NoValue("a division by the logarithm of 0")
    quotient = div(log(a), log(b))
    if a[0] != a[1] or b[0] != b[1] or not abs(quotient[0]) < MOST_TERMS:
        return quotient
    k = Fraction(quotient[0]).limit_denominator(MOST_ROOT)
    return exactly(k) if a[0] ** k.denominator == b[0] ** k.numerator else quotient


LITERAL = set()  # whether 0 log 0 has no value, as where a text says nothing about it


def product(factors, point):
    """A product, in which 0 times the logarithm of 0 is 0: the convention of entropies. log 1 is no such 0."""
    values, without = [], None
    for factor in factors:
        try:
            values.append(value(factor, point))
        except LogOfZero as why:
            without = why
    if without is None:
        return mul(*values)
    if not LITERAL and any(vanishes(factor, point) for factor in factors):
        return exactly(0)
    raise without


def vanishes(factor, point):
    """Whether a factor is exactly 0, by a part of it without logarithms."""
    if factor[0] in ("mul", "neg"):
        return any(vanishes(part, point) for part in factor[1:])
    return not has_log(factor) and value(factor, point) == (0, 0)


def has_log(formula):
    """Whether a logarithm stands in a formula."""
    return isinstance(formula, list) and (formula[:2] == ["call", "log"] or any(map(has_log, formula)))


def value(formula, point):
    """The interval of a formula, where `point` has an interval for each variable."""
    head, *rest = formula
    if head == "num":
        return exactly(Fraction(rest[0]))
    if head == "var":
        return point[rest[0]]
    if head == "const":
        return CONSTANTS[rest[0]]()
    if head == "neg":
        return neg(value(rest[0], point))
    if head == "mul":
        return product(rest, point)
    if head == "div" and all(part[:2] == ["call", "log"] for part in rest):
        return quotient_of_logs(*(value(part[2], point) for part in rest))
    if head in OPERATORS:
        return OPERATORS[head](value(rest[0], point), (firm if head in ("div", "pow") else value)(rest[1], point))
    if head == "call":
        if rest[0] not in CALLS:
            raise Unsure(f"{rest[0]} is not known here")
        return CALLS[rest[0]](*((value if rest[0] == "abs" else firm)(part, point) for part in rest[1:]))
    if head in ("sum", "prod"):
        index, low, high, body = rest
        first, last = whole(value(low, point), True), whole(value(high, point), False)
        if first[0] != first[1] or last[0] != last[1] or last[0] - first[0] > MOST_TERMS:
            raise Unsure("the ends of a sum")
        total = exactly(head == "prod")
        for k in range(int(first[0]), int(last[0]) + 1):
            term = value(body, {**point, index: exactly(k)})
            total = add(total, term) if head == "sum" else mul(total, term)
        return total
    raise Unsure(f"{head} is not known here")


def firm(formula, point):
    """A value where a logarithm of 0 has none: 0 log 0 is 0, and 0 exp(-log 0) is nothing."""
    try:
        return value(formula, point)
    except LogOfZero as why:
        raise NoValue(*why.args) from why


def holds(comparison, point):
    """Whether a comparison certainly holds, certainly fails, or neither (None)."""
    sign, left, right = comparison
    return compared(sign, value(left, point), value(right, point))


def compared(sign, a, b):
    """The same of intervals."""
    if a[1] < b[0]:
        return sign in ("<", "<=", "!=")
    if a[0] > b[1]:
        return sign in (">", ">=", "!=")
    if a[0] == a[1] == b[0] == b[1]:
        return sign in ("<=", ">=", "==")
    if a[1] == b[0] and sign in ("<=", ">"):
        return sign == "<="
    if a[0] == b[1] and sign in (">=", "<"):
        return sign == ">="
    return None


def inside(given, number, point):
    """Whether a number certainly lies in a range."""
    if given["integer"] and number.denominator != 1:
        return False
    here = ["num", str(number)]
    low = [">" if given["low_open"] else ">=", here, given["low"]]
    high = ["<" if given["high_open"] else "<=", here, given["high"]]
    return holds(low, point) is True and holds(high, point) is True


ORDERED = {"increases": "<", "rises": "<=", "decreases": ">", "falls": ">="}
CURVED = {"convex": "<=", "strictly convex": "<", "concave": ">=", "strictly concave": ">"}
BEYOND = {"inf": ">", "sup": "<"}
TURNED = {"<": ">", "<=": ">=", "==": "==", ">=": "<=", ">": "<"}
NAMED = ("num", "var", "const", "call", "sum", "prod", *BEYOND)
INSIDE = {
    "num": 0,
    "var": 0,
    "const": 0,
    "neg": 1,
    "inf": 1,
    "sup": 1,
    **dict.fromkeys(OPERATORS, 2),
    "sum": 3,
    "prod": 3,
}
OF_TWO = ("binom", "kl", "tv")


def check_formula(formula, known=None):
    """Raises Unsure or LookupError where a list is no formula, or has a variable that is not among the known ones."""
    head, *parts = formula
    word = parts.pop(0) if head in NAMED else ""
    among = {"var": known, "const": CONSTANTS, "call": CALLS}.get(head)
    if not isinstance(word, str) or among is not None and word not in among:
        raise Unsure(f"{word} is not known here")
    if head in BEYOND:
        check_range(parts.pop(0), known)
    count = 1 + (word in OF_TWO) if head == "call" else INSIDE[head]
    if (
        len(parts) != count
        and (head, word) not in (("call", "min"), ("call", "max"))
        or head == "num"
        and not numeral(word)
    ):
        raise Unsure("no formula")
    for part in parts:
        check_formula(part, {*known, word} if known is not None and head in ("sum", "prod", *BEYOND) else known)


def numeral(word):
    return re.fullmatch(r"-?\d+(/\d+)?", word)


def check_range(given, known):
    """Raises Unsure or LookupError where something is no range of a variable."""
    for end in ("low", "high"):
        check_formula(given[end], known)
    if not all(isinstance(given[key], bool) for key in ("low_open", "high_open", "integer")):
        raise Unsure("no range")


def check_statement(data):
    """Raises Unsure or LookupError where data have no statement: a sentence about the variables in their ranges."""
    known = {*data["ranges"]}
    for given in data["ranges"].values():
        check_range(given, known)
    if "left" in data:  # as a variable goes to an end
        far = data["to"] in (["const", "inf"], ["neg", ["const", "inf"]])
        if far and data["side"] or data["infinite"] and data["right"] != ["num", "0"]:
            raise Unsure("no end")
        sentences = [["==", data["left"], data["right"]], ["==", data["to"], data["to"]]]
        known |= {data["name"]}
    else:
        sentences = [*data["conditions"], data["sentence" if "sentence" in data else "comparison"]]
    for how, *sides in sentences:
        if how == "keeps":
            continue  # of which each word is read
        if how == "there is" and (sides[0][0] != "var" or sides[0][1] not in known):
            raise Unsure("no number that there may be")
        how, *sides = (sides[0], *sides[1]) if how == "fails" else sides[1] if how == "there is" else (how, *sides)
        turning = how in ORDERED or how in CURVED
        if len(sides) != 2 or not turning and how not in (*TURNED, "!=") or turning and sides[1][0] != "var":
            raise Unsure("no sentence")
        for side in sides:
            check_formula(side, known)


def check(data):
    """Why a receipt is not confirmed, or ''."""
    try:
        return problem_of(data)
    except (Unsure, NoValue, KeyError, ValueError, ZeroDivisionError, OverflowError, TypeError) as why:
        return f"{type(why).__name__}: {why}"


def placed(data):
    """The point of a receipt. Raises Unsure where it does not lie in the ranges and keep the conditions for sure."""
    numbers = {name: Fraction(text) for name, text in data["point"].items()}
    point = {name: exactly(number) for name, number in numbers.items()}
    if set(numbers) != set(data["ranges"]):
        raise Unsure("the point does not give a number to each variable")
    for name, given in data["ranges"].items():
        if not inside(given, numbers[name], point):
            raise Unsure(f"{name} = {numbers[name]} does not lie in its range for sure")
    if any(holds(condition, point) is not True for condition in data["conditions"]):
        raise Unsure("a condition does not hold for sure")
    return point


def said_at_places(data):
    """What a sentence says of more places, as a function that tells whether it holds there.

    Of a formula that rises, falls or is curved these are two or three places of its variable; of an infimum it is one
    place in its range.
    """
    how, left, right = data["comparison"]
    places = [Fraction(text) for text in data["places"]]
    if how in ORDERED or how in CURVED:
        points = [placed({**data, "point": {**data["point"], right[1]: str(place)}}) for place in places]
        if sorted({*places}) != places or len(places) != (2 if how in ORDERED else 3):
            raise Unsure("no places from left to right")
        return lambda: in_order(how, places, [value(left, point) for point in points])
    if right[0] in BEYOND:
        how, left, right = TURNED[how], right, left
    head, name, over, body = left
    point, sign = placed(data), BEYOND[head]
    if how not in (sign, sign + "=", "==") or name in point or len(places) != 1 or not inside(over, places[0], point):
        raise Unsure("a place of which nothing is said")
    there = {**point, name: exactly(places[0])}
    return lambda: compared(sign if how == sign else sign + "=", value(body, there), value(right, point))


def in_order(how, places, values):
    """Whether the values at some places rise or fall, or how that between lies to the chord of the others."""
    if how in ORDERED:
        return compared(ORDERED[how], *values)
    a, b, c = places
    share = (b - a) / (c - a)
    chord = add(mul(exactly(1 - share), values[0]), mul(exactly(share), values[2]))
    return compared(CURVED[how], values[1], chord)


def problem_of(data):
    check_statement(data)
    LITERAL.clear()
    LITERAL.update(["0 log 0"] if data.get("literal") else [])
    point = placed(data)
    say = said_at_places(data) if "places" in data else lambda: holds(data["comparison"], point)
    try:
        answer = say()
    except NoValue:
        return "" if data["kind"] == "no value" else "a side has no value"
    if data["kind"] != "false":
        return "both sides have a value"
    return "" if answer is False else "the comparison does not fail for sure"


def main(data, said, digest, check=check, what=""):
    """Check a receipt, and print what is confirmed and what is not checked: status 0, 1 if not, 3 if only in part."""
    text = json.dumps([data, said], sort_keys=True)
    if hashlib.sha256(text.encode()).hexdigest() != digest:
        print("not confirmed: the statement is not the one of this receipt")
        sys.exit(1)
    if problem := check(data):
        print(f"not confirmed: {problem}")
        sys.exit(1)
    if not what:
        place = ", ".join(f"{name} = {number}" for name, number in data["point"].items())
        place += f", with {' and '.join(data['places'])}" if "places" in data else ""
        what = f"{said} {'fails' if data['kind'] == 'false' else 'has no value'} at {place}"
    open_ = data["not checked"]
    print(f"confirmed in part: {what}" if open_ else f"confirmed: {what}", *open_, sep="\nnot checked here: ")
    sys.exit(3 if open_ else 0)
