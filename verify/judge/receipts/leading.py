"""Limits and orders by leading terms, with the standard library alone: this text stands inside of receipts.

A formula of x is expanded as x goes to infinity: a sum of constants times monomials, the largest first, and O of one
more. A monomial is a product of powers of units, and each unit grows without bound: L0 = x, L1 = log x, L2 = log log x
and so on, and exp(m) for a monomial m that is none of L1, L2, ... Logarithms of units are monomials, so that monomials
are compared by their logarithms. A constant is a sum of rationals times powers of atoms (primes, their logarithms, e,
pi, other variables, values of functions). It is 0 where nothing is left of the sum, and not 0 where an interval, or
the ranges of the variables, say so; else nothing is known, and nothing is said.
"""

from fractions import Fraction
from math import factorial

from banditproof.verify.judge.receipts.checker import (
    BERNOULLI,
    CALLS,
    CONSTANTS,
    INFINITY,
    NoValue,
    Unsure,
    add,
    exactly,
    log,
    mul,
    power,
    unsure,
    value,
    zeta_at,
)

TERMS = 6, 12  # orders that an expansion keeps, at first and where these cancel
CUT = {INFINITY: ["const", "inf"], -INFINITY: ["neg", ["const", "inf"]]}
MOST_FACTOR = 10**5
MOST_OUT = 20  # a power of a sum that is multiplied out
MOST_BELOW = 100  # of a sum of powers, before its index is 1


# ------------------------------------------------------------------------------------------------------- constants


class Constant:
    """A sum of rationals times products of powers of atoms: {((atom, exponent), ...): rational}."""

    def __init__(self, terms):
        self.terms = {key: q for key, q in terms.items() if q}

    def __eq__(self, other):
        return self.terms == other.terms

    def __hash__(self):
        return hash(frozenset(self.terms.items()))

    @property
    def key(self):
        return tuple(sorted(self.terms.items(), key=repr))

    def __repr__(self):
        return repr(self.key)

    def __add__(self, other):
        total = dict(self.terms)
        for key, q in other.terms.items():
            total[key] = total.get(key, 0) + q
        return Constant(total)

    def __neg__(self):
        return Constant({key: -q for key, q in self.terms.items()})

    def __sub__(self, other):
        return self + -other

    def __mul__(self, other):
        total = {}
        for a, p in self.terms.items():
            for b, q in other.terms.items():
                for key, r in of_powers([*a, *b], p * q).terms.items():
                    total[key] = total.get(key, 0) + r
        return Constant(total)

    def rational(self):
        """Its value if it is a rational by its form, else None."""
        return None if set(self.terms) - {()} else self.terms.get((), Fraction(0))


def of_powers(powers, q=Fraction(1)):
    """A rational times powers of atoms; whole powers of primes go into the rational."""
    merged = {}
    for atom, exponent in powers:
        merged[atom] = merged.get(atom, 0) + exponent
    for atom, exponent in merged.items():
        if atom[0] == "prime":
            q *= Fraction(atom[1]) ** (exponent.numerator // exponent.denominator)
            merged[atom] = exponent - exponent.numerator // exponent.denominator
    return Constant({tuple(sorted(((a, e) for a, e in merged.items() if e), key=repr)): q})


def exact(q):
    return Constant({(): Fraction(q)})


def atom(*name):
    return of_powers([(name, Fraction(1))])


def common_powers(c):
    """The powers of variables that stand in every term."""
    first, *others = (dict(key) for key in c.terms)
    shared = {a: min(e, *(o.get(a, 0) for o in others)) for a, e in first.items() if a[0] == "var"} if others else {}
    return [(a, e) for a, e in shared.items() if e]


def without_quotients(c):
    """A constant times powers of its atoms, so that nothing is divided by and sums are multiplied out; these powers."""
    least = {}
    for key in c.terms:
        for a, exponent in key:
            least[a] = min(least.get(a, 0), exponent)
    powers = of_powers([(a, -e) for a, e in least.items() if e < 0])
    total = Constant({})
    for key, q in (c * powers).terms.items():
        part = exact(q)
        for a, exponent in key:
            if a[:2] == ("of", "sum") and exponent.denominator == 1 and 0 < exponent <= MOST_OUT:
                for _ in range(int(exponent)):
                    part *= Constant(dict(a[2]))
            else:
                part *= of_powers([(a, exponent)])
        total += part
    return total, powers


def exponent_beside_one(c):
    """u, or its opposite, which has the sign of c where c is q exp(u) - q; None for other constants."""
    key = max(c.terms, key=len)
    if set(c.terms) != {(), key} or c.terms[()] != -c.terms[key] or any(a[:2] != ("of", "exp") for a, _ in key):
        return None
    exponent = Constant({})
    for a, e in key:
        exponent += exact(e * c.terms[key]) * Constant(dict(a[2]))
    return exponent


def factored(n):
    """The primes of a whole number with their exponents. Raises Unsure for one with large ones."""
    found, p = {}, 2
    while p * p <= n and p < MOST_FACTOR:
        while n % p == 0:
            n, found[p] = n // p, found.get(p, 0) + 1
        p += 1
    if n > MOST_FACTOR**2:
        raise Unsure("a number with large primes")
    if n > 1:
        found[n] = found.get(n, 0) + 1
    return found


def primes_of(q):
    """A positive rational as powers of primes."""
    below = {p: -k for p, k in factored(q.denominator).items()}
    return {**factored(q.numerator), **below}


class Constants:
    """What is known of constants where the other variables lie in their ranges."""

    def __init__(self, ranges):
        self.ranges = ranges

    def sign(self, c):
        """-1, 0 or 1. Raises Unsure."""
        if not c.terms:
            return 0
        if len(c.terms) > 1 and any(a[0] == "of" and a[1] == "sum" for key in c.terms for a, _ in key):
            above, powers = without_quotients(c)
            return self.sign_of_sum(above) * self.sign_of_sum(powers)
        return self.sign_of_sum(c)

    def sign_of_sum(self, c):
        if not c.terms:
            return 0
        try:
            signs = {(1 if q > 0 else -1) * self.sign_of_product(key) for key, q in c.terms.items()}
        except Unsure:
            signs = set()
        if len(signs) == 1:
            return signs.pop()
        if common := common_powers(c):
            return self.sign_of_product(common) * self.sign_of_sum(c * of_powers([(a, -e) for a, e in common]))
        if (exponent := exponent_beside_one(c)) is not None:
            return self.sign(exponent)
        low, high = self.linear(c) or self.interval(c)
        if low > 0 or high < 0:
            return 1 if low > 0 else -1
        raise Unsure("the sign of a constant")

    def sign_of_product(self, key):
        sign = 1
        for a, exponent in key:
            if self.sign_of_atom(a) < 0:
                if exponent.denominator != 1:
                    raise Unsure("a power of a negative factor")
                sign *= (-1) ** int(exponent)
        return sign

    def sign_of_atom(self, a):
        """1 or -1. Raises Unsure."""
        kind, *rest = a
        if kind == "of" and rest[0] in ("exp", "Phi") or kind not in ("of", "var", "zeta"):
            return 1
        if kind == "of" and rest[0] in ("sum", "log"):
            inside = Constant(dict(rest[1]))
            return self.sign(inside - exact(1) if rest[0] == "log" else inside) or unsure("a factor that may be 0")
        low, high = self.ends(rest[0]) if kind == "var" else self.interval_of(a)
        given = self.ranges[rest[0]] if kind == "var" else {"low_open": False, "high_open": False}
        if low > 0 or low == 0 and given["low_open"]:
            return 1
        if high < 0 or high == 0 and given["high_open"]:
            return -1
        raise Unsure("the sign of a factor")

    def ends(self, word):
        given = self.ranges[word]
        return value(given["low"], {})[0], value(given["high"], {})[1]

    def linear(self, c):
        """Bounds of a + b v for one variable v whose range has open ends; None for another constant."""
        slopes = {key: q for key, q in c.terms.items() if key}
        if len(slopes) != 1:
            return None
        ((key, b),) = slopes.items()
        if len(key) != 1 or key[0][0][0] != "var" or key[0][1] != 1:
            return None
        given, a = self.ranges[key[0][0][1]], c.terms.get((), Fraction(0))
        ends = [a + b * end for end in self.ends(key[0][0][1])]
        opened = [given["low_open"], given["high_open"]]
        if b < 0:
            ends, opened = ends[::-1], opened[::-1]
        inner = Fraction(1, 10**9)  # stands for a number that is as small as one likes
        return [e if e or not o else s * inner for e, o, s in zip(ends, opened, (1, -1), strict=True)]

    def interval(self, c):
        total = exactly(0)
        for key, q in c.terms.items():
            part = exactly(q)
            for a, exponent in key:
                part = mul(part, power(self.interval_of(a), exactly(exponent)))
            total = add(total, part)
        return total

    def interval_of(self, a):
        kind, *rest = a
        if kind == "prime":
            return exactly(rest[0])
        if kind == "log":
            return log(exactly(rest[0]))
        if kind == "var":
            return self.ends(rest[0])
        if kind == "zeta":
            return zeta_at(rest[0])
        if kind == "of":
            inside = self.interval(Constant(dict(rest[1])))
            return inside if rest[0] == "sum" else CALLS[rest[0]](inside)
        return CONSTANTS[kind]()

    def inverse(self, c):
        return self.power(c, Fraction(-1))

    def power(self, c, r):
        """c^r for a rational r."""
        if r.denominator == 1 and (0 <= r <= max(TERMS) + 1 or len(c.terms) == 1 and abs(r) < 1000):
            if r < 0:
                if self.sign(c) == 0:
                    _none("a negative power of 0")
                ((key, q),) = c.terms.items()
                return of_powers([(a, e * r) for a, e in key], q ** int(r))
            total = exact(1)
            for _ in range(int(r)):
                total *= c
            return total
        sign = self.sign(c)
        if sign == 0:
            return exact(0) if r > 0 else _none("a negative power of 0")
        if sign < 0 and r.denominator != 1:
            raise NoValue("a power of a negative constant that is not whole")
        if len(c.terms) == 1:
            ((key, q),) = c.terms.items()
            try:
                positive = q > 0 and all(self.sign_of_atom(a) > 0 for a, _ in key)
            except Unsure:
                positive = False
            if positive:
                roots = [(("prime", p), k * r) for p, k in primes_of(q).items()]
                return of_powers([*((a, e * r) for a, e in key), *roots])
        first = c.key[0][1]
        of_one = c * exact(1 / abs(first))
        return of_powers([(("of", "sum", of_one.key), r)]) * self.power(exact(abs(first)), r)

    def log(self, c):
        if self.sign(c) <= 0:
            raise NoValue("the logarithm of a constant that is not positive")
        if len(c.terms) > 1:
            return atom("of", "log", c.key)
        ((key, q),) = c.terms.items()
        if q < 0 or any(self.sign_of_atom(a) < 0 for a, _ in key):
            return atom("of", "log", c.key)
        total = exact(0)
        for p, k in primes_of(q).items():
            total += exact(k) * atom("log", p)
        for a, exponent in key:
            if a[0] == "prime":
                total += exact(exponent) * atom("log", a[1])
            elif a[0] == "e":
                total += exact(exponent)
            elif a[0] == "of" and a[1] == "exp":
                total += exact(exponent) * Constant(dict(a[2]))
            else:
                total += exact(exponent) * atom("of", "log", of_powers([(a, Fraction(1))]).key)
        return total

    def exp(self, c):
        total = exact(1)
        for key, q in c.terms.items():
            if not key:
                total *= of_powers([(("e",), q)])
            elif len(key) == 1 and key[0][0][0] == "log" and key[0][1] == 1:
                total *= self.power(exact(key[0][0][1]), q)
            elif len(key) == 1 and key[0][0][:2] == ("of", "log") and key[0][1] == 1:
                total *= self.power(Constant(dict(key[0][0][2])), q)
            else:
                total *= of_powers([(("of", "exp", Constant({key: Fraction(1)}).key), q)])
        return total


def _none(why):
    raise NoValue(why)


# ------------------------------------------------------------------------------------------------------- monomials

NO_GROWTH = ()  # a monomial: ((unit, exponent), ...), in the order of their text


def grouped(powers):
    return tuple(sorted(((u, c) for u, c in powers.items() if c.terms), key=repr))


def level(k):
    """The monomial Lk."""
    return ((k, exact(1)),)


def unit_log(unit):
    """The logarithm of a unit, which is a monomial."""
    return level(unit + 1) if isinstance(unit, int) else unit[1]


class Expansion:
    """Terms [(monomial, constant), ...] from the largest to the smallest, and O(rest); None where it is exact."""

    def __init__(self, terms, rest=None):
        self.terms, self.rest = terms, rest


class Expanding:
    """Expansions to a number of orders, with the ranges of the other variables."""

    def __init__(self, ranges, orders, counts=()):
        self.constants, self.orders, self.counts = Constants(ranges), orders, counts

    # monomials

    def times(self, m, other):
        total = dict(m)
        for unit, c in other:
            total[unit] = total.get(unit, exact(0)) + c
        return grouped(total)

    def raised(self, m, c):
        return grouped({unit: e * c for unit, e in m})

    def grows(self, m):
        """1 where a monomial goes to infinity, -1 where it goes to 0, 0 where it is 1."""
        best = None
        for unit, c in m:
            if best is None or self.unit_order(unit, best[0]) > 0:
                best = unit, c
        return 0 if best is None else self.constants.sign(best[1])

    def unit_order(self, u, v):
        if isinstance(u, int) and isinstance(v, int):
            return (v > u) - (v < u)
        return self.order(unit_log(u), unit_log(v))

    def order(self, m, other):
        """The sign of the growth of m against another monomial."""
        return self.grows(self.times(m, self.raised(other, exact(-1))))

    # sums

    def made(self, terms, rest=None):
        """An expansion of terms in any order; what is not above the rest is dropped, and what is too much."""
        merged = {}
        for m, c in terms:
            merged[m] = merged.get(m, exact(0)) + c
        kept = []
        for m, c in merged.items():
            if c.terms and without_quotients(c)[0].terms and (rest is None or self.order(m, rest) > 0):
                place = len(kept)
                while place and self.order(m, kept[place - 1][0]) > 0:
                    place -= 1
                kept.insert(place, (m, c))
        if len(kept) > self.orders:
            rest = kept[self.orders][0]
            kept = kept[: self.orders]
        return Expansion(kept, rest)

    def larger(self, *rests):
        known = [r for r in rests if r is not None]
        best = None
        for r in known:
            if best is None or self.order(r, best) > 0:
                best = r
        return best

    def constant(self, c):
        return Expansion([(NO_GROWTH, c)] if c.terms else [])

    def add(self, f, g):
        return self.made([*f.terms, *g.terms], self.larger(f.rest, g.rest))

    def neg(self, f):
        return Expansion([(m, -c) for m, c in f.terms], f.rest)

    def sub(self, f, g):
        return self.add(f, self.neg(g))

    def size(self, f):
        """A monomial that a formula is O of; None for 0."""
        return f.terms[0][0] if f.terms else f.rest

    def mul(self, f, g):
        terms = [(self.times(m, n), c * d) for m, c in f.terms for n, d in g.terms]
        rests = [
            self.times(rest, self.size(other))
            for rest, other in ((f.rest, g), (g.rest, f))
            if rest is not None and self.size(other) is not None
        ]
        return self.made(terms, self.larger(*rests))

    def scaled(self, f, c):
        return self.mul(f, self.constant(c))

    # leading terms

    def lead(self, f):
        """The leading monomial, its constant and the sign of that. Raises Unsure."""
        if not f.terms:
            raise NoValue("0") if f.rest is None else Unsure("all terms cancel")
        m, c = f.terms[0]
        sign = self.constants.sign(c)
        if sign == 0:
            raise Unsure("a constant that may be 0")
        return m, c, sign

    def sign(self, f):
        """The sign for all x from some on; 0 where it is 0."""
        return 0 if not f.terms and f.rest is None else self.lead(f)[2]

    def around(self, f):
        """f as c m (1 + u)."""
        m, c, sign = self.lead(f)
        over = [(self.raised(m, exact(-1)), self.constants.inverse(c))]
        u = self.mul(Expansion(f.terms[1:], f.rest), Expansion(over))
        return m, c, sign, u

    def series(self, u, of):
        """sum of of(k) u^k, for u that goes to 0."""
        if (m := self.size(u)) is None:
            return self.constant(of(0))
        if self.grows(m) >= 0:
            raise Unsure("a series of what does not go to 0")
        total, raised = self.constant(of(0)), self.constant(exact(1))
        for k in range(1, self.orders + 1):
            raised = self.mul(raised, u)
            total = self.add(total, self.scaled(raised, of(k)))
        return self.made(total.terms, self.larger(total.rest, self.raised(m, exact(self.orders + 1))))

    # functions

    def power(self, f, r):
        """f^r for a constant r."""
        q = r.rational()
        if q is not None and q.denominator == 1 and 0 <= q <= self.orders:
            total = self.constant(exact(1))
            for _ in range(int(q)):
                total = self.mul(total, f)
            return total
        if not f.terms and f.rest is None:
            if self.constants.sign(r) > 0:
                return f
            raise NoValue("a power of 0")
        m, c, sign, u = self.around(f)
        if sign < 0 and (q is None or q.denominator != 1):
            raise NoValue("a power of a negative number that is not whole")
        constants = self.constants
        front = constants.power(c, q) if q is not None else constants.exp(r * constants.log(c))

        def of(k):
            total = exact(1)
            for j in range(k):
                total *= (r - exact(j)) * exact(Fraction(1, j + 1))
            return total

        return self.mul(Expansion([(self.raised(m, r), front)]), self.series(u, of))

    def inverse(self, f):
        if not f.terms and f.rest is None:
            raise NoValue("a quotient by 0")
        return self.power(f, exact(-1))

    def log(self, f):
        if not f.terms and f.rest is None:
            raise NoValue("the logarithm of 0")
        m, c, sign, u = self.around(f)
        if sign < 0:
            raise NoValue("the logarithm of a negative number")
        of_monomial = self.made([(unit_log(unit), e) for unit, e in m])
        small = self.series(u, lambda k: exact(Fraction((-1) ** (k + 1), k) if k else 0))
        return self.add(self.add(of_monomial, self.constant(self.constants.log(c))), small)

    def exp(self, f):
        if f.rest is not None and self.grows(f.rest) >= 0:
            raise Unsure("exp of something that is not known up to o(1)")
        front, constant, small = {}, exact(0), []
        for m, c in f.terms:
            growth = self.grows(m)
            if growth > 0:
                ((unit, e), *others) = m
                own = not others and isinstance(unit, int) and unit > 0 and e == exact(1)
                unit = unit - 1 if own else ("exp", m)
                front[unit] = front.get(unit, exact(0)) + c
            elif growth == 0:
                constant = c
            else:
                small.append((m, c))
        series = self.series(Expansion(small, f.rest), lambda k: exact(Fraction(1, factorial(k))))
        return self.mul(Expansion([(grouped(front), self.constants.exp(constant))]), series)

    def to_power(self, f, g, whole=False):
        """f^g; of a negative f only the size, and where g is whole."""
        if not f.terms and f.rest is None and self.sign(g) > 0:
            return f
        if g.rest is None and (not g.terms or len(g.terms) == 1 and g.terms[0][0] == NO_GROWTH):
            return self.power(f, g.terms[0][1] if g.terms else exact(0))
        if whole and self.sign(f) < 0:
            return Expansion([], self.size(self.to_power(self.neg(f), g)))
        return self.exp(self.mul(g, self.log(f)))

    def split(self, f):
        """A constant and what goes to 0; the constant is None for what goes to infinity."""
        m = self.size(f)
        if m is None or self.grows(m) < 0:
            return exact(0), f
        if self.grows(m) > 0 or not f.terms:
            return None, f
        return f.terms[0][1], Expansion(f.terms[1:], f.rest)

    def absolute(self, f):
        if not f.terms:
            return f
        return f if self.lead(f)[2] > 0 else self.neg(f)

    def least(self, f, g, sign):
        difference = self.sign(self.sub(f, g))
        return f if difference * sign <= 0 else g

    def whole(self, f, up):
        """floor or ceil: near a rational it is known, elsewhere less than 1 away."""
        c, u = self.split(f)
        q = None if c is None else c.rational()
        if q is None:
            return self.made(f.terms, self.larger(f.rest, NO_GROWTH))
        if q.denominator == 1:
            sign = self.sign(u)
            return self.constant(exact(q + (sign > 0 if up else -(sign < 0))))
        return self.constant(exact(-(-q.numerator // q.denominator) if up else q.numerator // q.denominator))

    def normal(self, f):
        """Phi."""
        c, u = self.split(f)
        if c is None:
            if self.lead(f)[2] > 0:
                return self.sub(self.constant(exact(1)), self.normal(self.neg(f)))
            z = self.neg(f)
            over = self.inverse(self.mul(z, z))
            odd = self.series(over, lambda k: exact(Fraction((-1) ** k * factorial(2 * k), 2**k * factorial(k))))
            half = self.scaled(self.mul(z, z), exact(Fraction(-1, 2)))
            root = self.constants.power(exact(2) * atom("pi"), Fraction(-1, 2))
            return self.scaled(self.mul(self.mul(self.exp(half), self.inverse(z)), odd), root)
        hermite = [exact(1), c]
        while len(hermite) <= self.orders:
            hermite.append(c * hermite[-1] - exact(len(hermite) - 1) * hermite[-2])
        constants = self.constants
        density = constants.power(exact(2) * atom("pi"), Fraction(-1, 2))
        density *= constants.exp(c * c * exact(Fraction(-1, 2)))
        at = exact(Fraction(1, 2)) if not c.terms else atom("of", "Phi", c.key)

        def of(k):
            return density * hermite[k - 1] * exact(Fraction((-1) ** (k - 1), factorial(k))) if k else at

        return self.series(u, of)

    def arctan(self, f):
        c, u = self.split(f)
        if c is None:
            turn = exact(Fraction(self.lead(f)[2], 2)) * atom("pi")
            return self.sub(self.constant(turn), self.arctan(self.inverse(f)))
        if c.terms:
            raise Unsure("atan near a number that is not 0")
        return self.series(u, lambda k: exact(Fraction((-1) ** (k // 2), k) if k % 2 else 0))

    def wave(self, word, f):
        """sin or cos: by its series near 0, and elsewhere at most 1 in size."""
        c, u = self.split(f)
        if c is None or c.terms:
            return Expansion([], NO_GROWTH)
        return self.series(
            u, lambda k: exact(Fraction((-1) ** (k // 2), factorial(k)) if k % 2 == (word == "sin") else 0)
        )

    def log_factorial(self, z):
        """By Stirling's series, for z that goes to infinity."""
        if self.split(z)[0] is not None or self.lead(z)[2] < 0:
            raise Unsure("the factorial of what does not go to infinity")
        half, two_pi = exact(Fraction(1, 2)), exact(2) * atom("pi")
        total = self.mul(self.add(z, self.constant(half)), self.log(z))
        total = self.add(self.sub(total, z), self.constant(half * self.constants.log(two_pi)))
        over = self.inverse(z)
        known = min(self.orders, len(BERNOULLI))
        for k in range(1, known + 1):
            c = BERNOULLI[k - 1] / (2 * k * (2 * k - 1))
            total = self.add(total, self.scaled(self.power(over, exact(2 * k - 1)), exact(c)))
        rest = self.raised(self.size(over), exact(2 * known + 1))
        return self.made(total.terms, self.larger(total.rest, rest))

    def polygamma(self, z, slope):
        """digamma, or its slope, of z that goes to infinity, by its series."""
        if self.split(z)[0] is not None or self.lead(z)[2] < 0:
            raise Unsure("digamma of what does not go to infinity")
        over, half = self.inverse(z), exact(Fraction(1, 2))
        if slope:
            total = self.add(over, self.scaled(self.mul(over, over), half))
        else:
            total = self.sub(self.log(z), self.scaled(over, half))
        known = min(self.orders, len(BERNOULLI))
        for k in range(1, known + 1):
            c = BERNOULLI[k - 1] * (1 if slope else Fraction(-1, 2 * k))
            total = self.add(total, self.scaled(self.power(over, exact(2 * k + slope)), exact(c)))
        rest = self.raised(self.size(over), exact(2 * known + 2 + slope))
        return self.made(total.terms, self.larger(total.rest, rest))

    def factorial(self, z):
        q = _rational(z)
        if q is not None and q.denominator == 1 and 0 <= q <= 1000:
            return self.constant(exact(factorial(int(q))))
        if q is not None and q.denominator == 2 and 0 < q + 1 <= 1000:  # gamma(m + 1/2)
            m = int(q + Fraction(1, 2))
            return self.constant(
                of_powers([(("pi",), Fraction(1, 2))], Fraction(factorial(2 * m), 4**m * factorial(m)))
            )
        return self.exp(self.log_factorial(z))

    def product(self, index, low, high, body, values):
        """A product of a quotient of polynomials whose roots are rational, by the gamma function of each root."""
        start = rational_of(low)
        if start is None or start.denominator != 1 or not self.is_whole(high):
            raise Unsure("a product between what may not be whole")
        last = self.of(high, values)
        above, below = quotient_of(body, index)
        ratio = above[-1] / below[-1]
        if ratio <= 0:
            raise Unsure("a product with factors that are not above 0")
        count = self.add(last, self.constant(exact(1 - start)))
        total = self.mul(count, self.constant(self.constants.log(exact(ratio))))
        for roots, turn in ((rational_roots(above), 1), (rational_roots(below), -1)):
            for root in roots:
                if root >= start:
                    raise Unsure("a product with factors that are not above 0")
                first = self.log(self.factorial(self.constant(exact(start - root - 1))))
                grown = self.sub(self.log_factorial(self.add(last, self.constant(exact(-root)))), first)
                total = self.add(total, self.scaled(grown, exact(turn)))
        return self.exp(total)

    def binomial(self, n, k):
        q = _rational(k)
        if self.split(n)[0] is not None or self.sign(n) < 0:
            raise Unsure("a binomial coefficient of what does not go to infinity")
        if q is not None and q.denominator == 1 and 0 <= q <= 20:
            total = self.constant(exact(Fraction(1, factorial(int(q)))))
            for j in range(int(q)):
                total = self.mul(total, self.sub(n, self.constant(exact(j))))
            return total
        if _rational(rest := self.sub(n, k)) is not None:
            return self.binomial(n, rest)
        logs = [self.log_factorial(z) for z in (n, k, rest)]
        return self.exp(self.sub(self.sub(logs[0], logs[1]), logs[2]))

    def lambert(self, f):
        """W of what goes to infinity, by w = log f - log w from w = log f + O(log log f) on; or of what goes to 0."""
        c, u = self.split(f)
        if c is not None:
            if c.terms:
                raise Unsure("W near a number that is not 0")
            return self.series(u, lambda k: exact(Fraction((-k) ** (k - 1), factorial(k)) if k else 0))
        first = self.log(f)
        w = self.made(first.terms, self.larger(first.rest, self.size(self.log(first))))
        for _ in range(self.orders):
            w = self.sub(first, self.log(w))
        return w

    def relative(self, p, q):
        """kl of two Bernoulli laws."""
        one = self.constant(exact(1))
        rest = [self.sub(one, z) for z in (p, q)]
        if any(self.sign(z) < 0 for z in (p, q, *rest)):
            raise NoValue("a probability outside [0, 1]")
        total = Expansion([])
        for a, b in ((p, q), rest):
            if self.sign(a):
                total = self.add(total, self.mul(a, self.sub(self.log(a), self.log(b))))
        return total

    def hyperbolic(self, word, f):
        up, down = self.exp(f), self.exp(self.neg(f))
        sinh, cosh = self.sub(up, down), self.add(up, down)
        if word == "tanh":
            return self.mul(sinh, self.inverse(cosh))
        return self.scaled(sinh if word == "sinh" else cosh, exact(Fraction(1, 2)))

    def called(self, word, a):
        one = self.constant(exact(1))
        if word in ("sinh", "cosh", "tanh"):
            return self.hyperbolic(word, *a)
        if word in ("sin", "cos"):
            return self.wave(word, *a)
        if word in ("erf", "erfc"):
            root = self.constants.power(exact(2), Fraction(1, 2))
            tail = self.scaled(self.normal(self.scaled(self.neg(a[0]), root)), exact(2))
            return tail if word == "erfc" else self.sub(one, tail)
        if word in ("min", "max"):
            best = a[0]
            for other in a[1:]:
                best = self.least(best, other, 1 if word == "min" else -1)
            return best
        if word == "zeta":
            s = _rational(a[0])
            return self.constant(
                exact_zeta(s) if s is not None and s != 1 else _none("zeta of 1, or of what is no rational")
            )
        if word == "gamma":
            return self.factorial(self.sub(a[0], one))
        functions = {
            "exp": self.exp,
            "log": self.log,
            "sqrt": lambda f: self.power(f, exact(Fraction(1, 2))),
            "abs": self.absolute,
            "floor": lambda f: self.whole(f, False),
            "ceil": lambda f: self.whole(f, True),
            "Phi": self.normal,
            "atan": self.arctan,
            "factorial": self.factorial,
            "digamma": lambda z: self.polygamma(z, 0),
            "trigamma": lambda z: self.polygamma(z, 1),
            "binom": self.binomial,
            "W": self.lambert,
            "kl": self.relative,
            "tv": lambda p, q: self.absolute(self.sub(p, q)),
        }
        if word not in functions:
            raise Unsure(f"{word} has no expansion here")
        return functions[word](*a)

    # formulas

    def of(self, formula, values):
        """The expansion of a formula, where `values` has one for each variable that moves."""
        head, *rest = formula
        if head == "num":
            return self.constant(exact(rest[0]))
        if head == "var":
            return values[rest[0]] if rest[0] in values else self.constant(self.variable(rest[0]))
        if head == "const" and rest[0] != "inf":
            return self.constant(atom(rest[0]))
        if head == "neg":
            return self.neg(self.of(rest[0], values))
        if head in ("add", "sub", "mul", "div", "pow"):
            f, g = (self.of(part, values) for part in rest)
            if head == "div":
                return self.mul(f, self.inverse(g))
            if head == "pow":
                return self.to_power(f, g, self.is_whole(rest[1]))
            return {"add": self.add, "sub": self.sub, "mul": self.mul}[head](f, g)
        if head == "call":
            if rest[0] in ("factorial", "binom") and not all(self.is_whole(part) for part in rest[1:]):
                raise Unsure(f"{rest[0]} of what may not be whole")
            return self.called(rest[0], [self.of(part, values) for part in rest[1:]])
        if head == "sum":
            index, low, high, body = rest
            return self.summed(index, low, high, body, values)
        if head == "prod":
            index, low, high, body = rest
            return self.product(index, low, high, body, values)
        raise Unsure(f"{head} has no expansion here")

    def is_whole(self, formula):
        """Whether a formula is a whole number by its form."""
        head, *rest = formula
        if head == "num":
            return Fraction(rest[0]).denominator == 1
        return formula in self.counts or head in ("add", "sub", "mul", "neg") and all(map(self.is_whole, rest))

    def variable(self, word):
        if word not in self.constants.ranges:
            raise Unsure(f"{word} has no range")
        low, high = self.constants.ends(word)
        return exact(low) if low == high else atom("var", word)

    def summed(self, index, low, high, body, values):
        """A sum to what goes to infinity, from a whole number or from what goes there too, both ends included."""
        first, last = self.of(low, values), self.of(high, values)
        start = _rational(first)
        if not self.is_whole(high) or self.split(last)[0] is not None or self.sign(last) < 0:
            raise Unsure("a sum between such ends")
        if start is None and self.is_whole(low) and self.split(first)[0] is None and self.sign(first) > 0:
            before = self.sub(first, self.constant(exact(1)))  # a sum from n + 1 to 2 n is one to 2 n less one to n
            if self.sign(self.sub(last, before)) < 0:
                raise Unsure("a sum that may run down")
            return self.sub(*(self.sum_of(body, index, 1, end, values) for end in (last, before)))
        if start is None or start.denominator != 1:
            raise Unsure("a sum between such ends")
        return self.sum_of(body, index, int(start), last, values)

    def sum_of(self, body, index, start, last, values):
        head, *rest = body
        if not speaks(body, index):
            count = self.sub(last, self.constant(exact(start - 1)))
            return self.mul(count, self.of(body, values))
        if head in ("add", "sub"):
            f, g = (self.sum_of(part, index, start, last, values) for part in rest)
            return (self.add if head == "add" else self.sub)(f, g)
        if head == "neg":
            return self.neg(self.sum_of(rest[0], index, start, last, values))
        if head in ("mul", "div") and not speaks(rest[1], index):
            factor = self.of(rest[1], values)
            inner = self.sum_of(rest[0], index, start, last, values)
            return self.mul(inner, factor if head == "mul" else self.inverse(factor))
        if head == "mul" and not speaks(rest[0], index):
            return self.sum_of(["mul", rest[1], rest[0]], index, start, last, values)
        if body[:2] == ["call", "exp"] or head == "pow" and not speaks(rest[0], index):
            return self.geometric(body, index, start, last, values)
        if body == ["call", "log", ["var", index]] and start >= 1:
            return self.sub(self.log_factorial(last), self.constant(self.constants.log(exact(factorial(start - 1)))))
        found = self.powers(body, index, start, values)
        if found is None:
            raise Unsure("a sum of such terms")
        factor, s, r = found
        exponent = s.rational()
        if r.terms or exponent is None:
            return self.mul(factor, self.slow_sum(s, r, last if start >= 1 else unsure("a sum from below 1")))
        if start < -MOST_BELOW:
            raise Unsure("a sum from so far below 0")
        total = self.mul(factor, self.power_sum(exponent, max(start, 1), last))
        for k in range(start, 1):
            total = self.add(total, self.of(moved(body, index, ["num", str(k)]), values))
        return total

    def powers(self, body, index, start, values):
        """c, s and r where a term is c index^s (log index)^r from the start on, else None."""
        head, *rest = body
        zero, one = exact(0), exact(1)
        if not speaks(body, index):
            return self.of(body, values), zero, zero
        if body == ["var", index]:
            return self.constant(one), one, zero
        if body == ["call", "log", ["var", index]]:
            return self.constant(one), zero, one
        if head in ("mul", "div"):
            f, g = (self.powers(part, index, start, values) for part in rest)
            g = g and (g if head == "mul" else self.raised_powers(g, -one, start))
            return f and g and (self.mul(f[0], g[0]), f[1] + g[1], f[2] + g[2])
        exponent = exact(Fraction(1, 2)) if body[:2] == ["call", "sqrt"] else None
        if head == "pow" and not speaks(rest[1], index):
            exponent = _constant(self.of(rest[1], values))
        inner = exponent and self.powers(rest[1] if head == "call" else rest[0], index, start, values)
        return inner and self.raised_powers(inner, exponent, start)

    def raised_powers(self, found, e, start):
        """(c x^s (log x)^r)^e; at 1 a logarithm is 0."""
        factor, s, r = found
        if r.terms and start < 2 and self.constants.sign(e) < 0:
            raise Unsure("a negative power of a logarithm that may be 0")
        return self.power(factor, e), s * e, r * e

    def slow_sum(self, s, r, z):
        """sum of k^s (log k)^r up to O(1) and O of its last term, since its terms rise or fall from some on: by its
        integral, in parts."""
        one, up, logarithm = exact(1), self.constants.sign(s + exact(1)), self.log(z)
        last, total = self.mul(self.power(z, s), self.power(logarithm, r)), Expansion([])
        if up > 0:
            share, steps = self.constants.inverse(s + one), 0
            front = self.scaled(self.power(z, s + one), share)
            while front.terms and steps < self.orders:
                total = self.add(total, self.mul(front, self.power(logarithm, r)))
                front, r, steps = self.scaled(front, -r * share), r - one, steps + 1
            if front.terms:
                total = self.made(
                    total.terms, self.larger(total.rest, self.size(self.mul(front, self.power(logarithm, r))))
                )
        elif up == 0 and (rising := self.constants.sign(r + one)) >= 0:
            grown = self.log(logarithm) if rising == 0 else self.power(logarithm, r + one)
            total = grown if rising == 0 else self.scaled(grown, self.constants.inverse(r + one))
        return self.made(total.terms, self.larger(total.rest, NO_GROWTH, self.size(last)))

    def geometric(self, body, index, start, last, values):
        """sum of r^k, as (r^start - r^(last + 1))/(1 - r), where a term is c r^k."""
        at, slope = self.line(body[2], index, values)
        power = self.exp if body[0] == "call" else lambda exponent: self.to_power(self.of(body[1], values), exponent)
        r, one = power(slope), self.constant(exact(1))
        ends = self.power(r, exact(start)), self.mul(self.to_power(r, last, True), r)
        return self.mul(power(at), self.mul(self.sub(*ends), self.inverse(self.sub(one, r))))

    def line(self, formula, index, values):
        """a and b where a formula is a + b index."""
        head, *rest = formula
        if not speaks(formula, index):
            return self.of(formula, values), Expansion([])
        if formula == ["var", index]:
            return Expansion([]), self.constant(exact(1))
        if head == "neg":
            return tuple(map(self.neg, self.line(rest[0], index, values)))
        if head in ("add", "sub"):
            return tuple(map(self.add if head == "add" else self.sub, *(self.line(f, index, values) for f in rest)))
        if head == "mul" and not speaks(rest[0], index):
            rest = rest[::-1]
        if head in ("mul", "div") and not speaks(rest[1], index):
            factor = self.of(rest[1], values)
            factor = factor if head == "mul" else self.inverse(factor)
            return tuple(self.mul(part, factor) for part in self.line(rest[0], index, values))
        raise Unsure("a sum of such powers")

    def power_sum(self, s, start, z):
        """sum of k^s, by Euler and Maclaurin; its constant is that of Euler, or zeta(-s)."""
        before = Constant({})
        for k in range(1, start):
            before += self.constants.power(exact(k), s)
        if s == -1:
            total = self.add(self.log(z), self.constant(atom("euler") - before))
        else:
            rising = self.scaled(self.power(z, exact(s + 1)), exact(1 / (s + 1)))
            total = self.add(rising, self.constant(exact_zeta(-s) - before))
        total = self.add(total, self.scaled(self.power(z, exact(s)), exact(Fraction(1, 2))))
        falling, known = s, min(self.orders, len(BERNOULLI))
        for j in range(1, known + 1):
            c = BERNOULLI[j - 1] * falling / factorial(2 * j)
            total = self.add(total, self.scaled(self.power(z, exact(s - 2 * j + 1)), exact(c)))
            falling *= (s - 2 * j + 1) * (s - 2 * j)
        if not falling:
            return total
        return self.made(total.terms, self.larger(total.rest, self.raised(self.size(z), exact(s - 2 * known - 1))))


def exact_zeta(s):
    """The constant of a sum of k^-s: a rational for s = 0, -1, ..., c pi^s for s = 2, 4, ..., else an atom."""
    if s.denominator == 1 and s <= 0:
        n = 1 - int(s)
        if n == 1:
            return exact(Fraction(-1, 2))
        if n // 2 > len(BERNOULLI):
            raise Unsure("a Bernoulli number")
        return exact(0 if n % 2 else -BERNOULLI[n // 2 - 1] / n)
    if s.denominator == 1 and s % 2 == 0 and s // 2 <= len(BERNOULLI):
        k = int(s) // 2
        q = abs(BERNOULLI[k - 1]) * Fraction(2 ** (2 * k - 1), factorial(2 * k))
        return of_powers([(("pi",), s)], q)
    return atom("zeta", s)


def multiplied(f, g):
    """The product of two polynomials, the constant term first."""
    made = [Fraction(0)] * (len(f) + len(g) - 1)
    for i, a in enumerate(f):
        for j, b in enumerate(g):
            made[i + j] += a * b
    return made


def quotient_of(formula, index):
    """Two polynomials in an index whose quotient a formula is, the constant term first."""
    head, *rest = formula
    if head == "num":
        return [Fraction(rest[0])], [Fraction(1)]
    if formula == ["var", index]:
        return [Fraction(0), Fraction(1)], [Fraction(1)]
    if head not in ("neg", "add", "sub", "mul", "div", "pow"):
        raise Unsure("a factor that is no quotient of polynomials")
    (a, b), power = quotient_of(rest[0], index), rational_of(rest[1]) if head == "pow" else None
    if head == "neg":
        return [-x for x in a], b
    if head == "pow":
        if power is None or power.denominator != 1 or not 0 < power <= 4:
            raise Unsure("a factor that is no quotient of polynomials")
        return (a, b) if power == 1 else quotient_of(["mul", rest[0], ["pow", rest[0], ["num", str(power - 1)]]], index)
    c, d = quotient_of(rest[1], index)
    if head in ("mul", "div"):
        c, d = (d, c) if head == "div" else (c, d)
        above, below = multiplied(a, c), multiplied(b, d)
    else:
        f, g, turn = multiplied(a, d), multiplied(c, b), 1 if head == "add" else -1
        f, g = (p + [Fraction(0)] * (max(len(f), len(g)) - len(p)) for p in (f, g))
        above, below = [x + turn * y for x, y in zip(f, g, strict=True)], multiplied(b, d)
    while len(above) > 1 and not above[-1]:
        above = above[:-1]
    if not above[-1] or not below[-1]:
        raise Unsure("a factor that is 0")
    return above, below


def rational_roots(f):
    """The roots of a polynomial, each as often as it is one, where all of them are small rationals."""
    roots = []
    while len(f) > 1:
        tried = (Fraction(n, d) for d in range(1, 9) for k in range(41) for n in (-k, k))
        root = next((r for r in tried if not sum(c * r**k for k, c in enumerate(f))), None)
        if root is None:
            raise Unsure("a factor whose roots are no small rationals")
        roots.append(root)
        rest = [f[-1]]
        for c in reversed(f[1:-1]):
            rest.append(c + root * rest[-1])
        f = rest[::-1]
    return roots


def rational_of(formula):
    try:
        low, high = value(formula, {})
    except (Unsure, NoValue, KeyError):
        return None
    return low if low == high and not isinstance(low, float) else None


def speaks(formula, word):
    return formula == ["var", word] or any(speaks(part, word) for part in formula if isinstance(part, list))


def _constant(f):
    """The value of an expansion that does not move, else None."""
    if f.rest is not None or len(f.terms) > 1 or f.terms and f.terms[0][0] != NO_GROWTH:
        return None
    return f.terms[0][1] if f.terms else exact(0)


def _rational(f):
    """The value of an expansion that is a rational, else None."""
    c = _constant(f)
    return None if c is None else c.rational()


# ------------------------------------------------------------------------------------------------------- sentences


def ways_to(data):
    """From each side the moving variable as a formula of one that goes to infinity."""
    word, to, side = data["name"], data["to"], data["side"]
    far = ["var", word]
    if to == ["const", "inf"]:
        return [(0, far)]
    if to == ["neg", ["const", "inf"]]:
        return [(0, ["neg", far])]
    near = ["div", ["num", "1"], far]
    return [(s, ["add" if s > 0 else "sub", to, near]) for s in ((1, -1) if not side else (side,))]


def moved(formula, word, there):
    if formula == ["var", word]:
        return there
    if formula[0] in ("sum", "prod") and formula[1] == word:
        raise Unsure("an index with the name of what moves")
    return [moved(part, word, there) if isinstance(part, list) else part for part in formula]


def answer_to(data):
    """Whether a limit or an order holds, and what shows it: [(where, side, [(words, expansion), ...]), ...].

    `where` has the parts of the ranges of other variables that were looked at one by one. Raises Unsure.
    """
    others = {name: given for name, given in data["ranges"].items() if name != data["name"]}
    try:
        return for_values(data, others, {})
    except (Unsure, NoValue):
        inner = {name: inner_value(given) for name, given in others.items()}
        if not inner or None in inner.values():
            raise
        holds, shown = for_values(data, inner, inner)
        if holds:  # which says nothing of other values
            raise
        return holds, shown


def inner_value(given):
    """One number inside of a range, as a range; None where an end is no rational."""
    (low, low_above), (high_below, high) = (value(given[end], {}) for end in ("low", "high"))
    if low < low_above or high_below < high:
        return None
    if low == high:
        return given
    below, above = isinstance(low, float), isinstance(high, float)
    inside = Fraction(1) if below and above else high - 1 if below else low + 1 if above else (low + high) / 2
    inside = Fraction(inside // 1) if given["integer"] else inside
    outside = inside < low or inside == low and given["low_open"] or inside == high and given["high_open"]
    return None if outside else between(inside, inside, False)


def for_values(data, others, where):
    shown = []
    for side, there in ways_to(data):
        try:
            holds, found = from_one_side(data, others, there)
        except (Unsure, NoValue) as why:
            return in_parts(data, others, where, why)
        shown.append((where, side, found))
        if not holds:
            return False, shown[-1:]
    return True, shown


def in_parts(data, others, where, why):
    """The same for parts of the range of another variable: closed ends, and both sides of 0."""
    for name, given in others.items():
        if name not in where and (parts := parts_of(given)):
            shown = []
            for part in parts:
                holds, found = for_values(data, {**others, name: part}, {**where, name: part})
                shown += found
                if not holds:
                    return False, found
            return True, shown
    raise Unsure(str(why))


def parts_of(given):
    """A range as its closed ends and 0, each for itself, and what lies between them; [] where it cannot be cut."""
    (low, low_above), (high_below, high) = (value(given[end], {}) for end in ("low", "high"))
    if given["integer"] or low == high or low < low_above or high_below < high:  # an end is no rational
        return []
    cuts = [low, *([Fraction(0)] if low < 0 < high else []), high]
    alone = [not given["low_open"], *(True for _ in cuts[1:-1]), not given["high_open"]]
    alone = [is_ and not isinstance(cut, float) for is_, cut in zip(alone, cuts, strict=True)]
    points = [between(cut, cut, False) for cut, is_ in zip(cuts, alone, strict=True) if is_]
    return [*points, *(between(a, b, True) for a, b in zip(cuts, cuts[1:], strict=False))] if points else []


def between(low, high, opened):
    said = [str(end) for end in (low, high)]
    ends = [["num", s] if not isinstance(e, float) else CUT[e] for s, e in zip(said, (low, high), strict=True)]
    return {"low": ends[0], "high": ends[1], "low_open": opened, "high_open": opened, "integer": False, "said": said}


def from_one_side(data, others, there):
    """As one variable goes to infinity, with as many orders as it takes."""
    word, kind = data["name"], data["kind"]
    counted = data["to"] == ["const", "inf"] and data["ranges"].get(word, {}).get("integer")
    x = {word: Expansion([(level(0), exact(1))])}
    for orders in TERMS:
        expanding = Expanding(others, orders, [there] if counted else [])
        try:
            left, right = (expanding.of(moved(data[side], word, there), x) for side in ("left", "right"))
            if kind == "limit":
                return tends(expanding, left, right, data["infinite"])
            if kind == "Theta":
                first, second = (tells(expanding, a, b, "O") for a, b in ((left, right), (right, left)))
                return (True, first[1]) if first[0] and second[0] else (False, second[1] if first[0] else first[1])
            return tells(expanding, *((right, left, "O") if kind == "Omega" else (left, right, kind)))
        except Unsure:
            if orders == TERMS[-1]:
                raise
    raise Unsure("no orders")


def tends(expanding, left, value, infinite):
    if infinite and not left.terms and left.rest is None:
        return False, [("the left side", left)]
    if infinite:
        m, _, sign = expanding.lead(left)
        return expanding.grows(m) > 0 and sign == infinite, [("the left side", left)]
    distance = expanding.sub(left, value)
    m = expanding.size(distance)
    if m is None or expanding.grows(m) < 0:
        return True, [("the distance from the limit", distance)]
    expanding.lead(distance)
    return False, [("the left side", left)]


def tells(expanding, left, right, kind):
    """left = O(right), o(right), or ~ right; or <, <=, >, >=, == from somewhere on."""
    if kind in ("<", "<=", ">", ">=", "=="):
        difference = expanding.sub(left, right)
        sign = expanding.sign(difference)
        if kind == "==":
            return sign == 0, [("the difference", difference)]
        return sign == 0 and len(kind) == 2 or sign == (-1 if kind[0] == "<" else 1), [("the difference", difference)]
    shown = [("the left side", left), ("the right side", right)]
    if kind == "~":
        left, kind = expanding.sub(left, right), "o"
        shown = [("the difference", left), shown[1]]
    m = expanding.lead(right)[0]
    size = expanding.size(left)
    growth = -1 if size is None else expanding.order(size, m)
    if growth < 0 or growth == 0 and kind == "O":
        return True, shown
    expanding.lead(left)
    return False, shown


def check_expansion(data):
    """Why a receipt of a limit or an order is not confirmed, or ''."""
    try:
        holds, _ = answer_to(data)
    except (Unsure, NoValue, ArithmeticError, LookupError, ValueError, TypeError, RecursionError) as why:
        return f"{type(why).__name__}: {why}"
    return "" if holds == data["holds"] else "the leading terms say something else"
