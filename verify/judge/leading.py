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

from banditproof.verify.judge.checker import CALLS, CONSTANTS, NoValue, Unsure, add, exactly, log, mul, power, value

TERMS = 6, 12  # orders that an expansion keeps, at first and where these cancel
MOST_FACTOR = 10**5
BERNOULLI = [Fraction(*b) for b in ((1, 6), (-1, 30), (1, 42), (-1, 30), (5, 66), (-691, 2730), (7, 6))]


# ------------------------------------------------------------------------------------------------------- constants


class Constant:
    """A sum of rationals times products of powers of atoms: {((atom, exponent), ...): rational}."""

    def __init__(self, terms):
        self.terms = {key: q for key, q in terms.items() if q}
        self.key = tuple(sorted(self.terms.items(), key=repr))

    def __eq__(self, other):
        return self.key == other.key

    def __hash__(self):
        return hash(self.key)

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
        total = Constant({})
        for a, p in self.terms.items():
            for b, q in other.terms.items():
                total += of_powers([*a, *b], p * q)
        return total

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


def number(q):
    return Constant({(): Fraction(q)})


def atom(*name):
    return of_powers([(name, Fraction(1))])


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
        try:
            signs = {(1 if q > 0 else -1) * self.sign_of_product(key) for key, q in c.terms.items()}
        except Unsure:
            signs = set()
        if len(signs) == 1:
            return signs.pop()
        low, high = self.linear(c) or self.interval(c)
        if low > 0 or high < 0:
            return 1 if low > 0 else -1
        raise Unsure("the sign of a constant")

    def sign_of_product(self, key):
        sign = 1
        for a, exponent in key:
            low, high, strict = self.bounds(a)
            if exponent.denominator == 1 and exponent % 2 == 0 and (low > 0 or high < 0 or strict and 0 in (low, high)):
                continue
            if low > 0 or low == 0 and strict:
                continue
            if exponent.denominator == 1 and (high < 0 or high == 0 and strict):
                sign = -sign
                continue
            raise Unsure("the sign of a factor")
        return sign

    def bounds(self, a):
        """Ends between which an atom lies, and whether an end that is 0 is left out."""
        if a[0] != "var":
            return (*self.interval_of(a), False)
        given = self.ranges[a[1]]
        low, high = self.ends(a[1])
        return low, high, given["low_open"] if low == 0 else given["high_open"]

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
                self.sign(c) or _none("a negative power of 0")
                ((key, q),) = c.terms.items()
                return of_powers([(a, e * r) for a, e in key], q ** int(r))
            total = number(1)
            for _ in range(int(r)):
                total *= c
            return total
        sign = self.sign(c)
        if sign == 0:
            return number(0) if r > 0 else _none("a negative power of 0")
        if sign < 0 and r.denominator != 1:
            raise NoValue("a power of a negative constant that is not whole")
        if len(c.terms) == 1:
            ((key, q),) = c.terms.items()
            try:
                positive = q > 0 and all(self.sign_of_product(((a, Fraction(1)),)) > 0 for a, _ in key)
            except Unsure:
                positive = False
            if positive:
                roots = [(("prime", p), k * r) for p, k in primes_of(q).items()]
                return of_powers([*((a, e * r) for a, e in key), *roots])
        first = c.key[0][1]
        of_one = c * number(1 / abs(first))
        return of_powers([(("of", "sum", of_one.key), r)]) * self.power(number(abs(first)), r)

    def log(self, c):
        if self.sign(c) <= 0:
            raise NoValue("the logarithm of a constant that is not positive")
        if len(c.terms) > 1:
            return atom("of", "log", c.key)
        ((key, q),) = c.terms.items()
        if q < 0 or any(self.sign_of_product(((a, Fraction(1)),)) < 0 for a, _ in key):
            return atom("of", "log", c.key)
        total = number(0)
        for p, k in primes_of(q).items():
            total += number(k) * atom("log", p)
        for a, exponent in key:
            if a[0] == "prime":
                total += number(exponent) * atom("log", a[1])
            elif a[0] == "e":
                total += number(exponent)
            elif a[0] == "of" and a[1] == "exp":
                total += number(exponent) * Constant(dict(a[2]))
            else:
                total += number(exponent) * atom("of", "log", of_powers([(a, Fraction(1))]).key)
        return total

    def exp(self, c):
        total = number(1)
        for key, q in c.terms.items():
            if not key:
                total *= of_powers([(("e",), q)])
            elif len(key) == 1 and key[0][0][0] == "log" and key[0][1] == 1:
                total *= self.power(number(key[0][0][1]), q)
            elif len(key) == 1 and key[0][0][:2] == ("of", "log") and key[0][1] == 1:
                total *= self.power(Constant(dict(key[0][0][2])), q)
            else:
                total *= of_powers([(("of", "exp", Constant({key: Fraction(1)}).key), q)])
        return total


def _none(why):
    raise NoValue(why)


# ------------------------------------------------------------------------------------------------------- monomials

ONE = ()  # a monomial: ((unit, exponent), ...), in the order of their text


def monomial(powers):
    return tuple(sorted(((u, c) for u, c in powers.items() if c.terms), key=repr))


def level(k):
    """The monomial Lk."""
    return ((k, number(1)),)


def unit_log(unit):
    """The logarithm of a unit, which is a monomial."""
    return level(unit + 1) if isinstance(unit, int) else unit[1]


class Expansion:
    """Terms [(monomial, constant), ...] from the largest to the smallest, and O(rest); None where it is exact."""

    def __init__(self, terms, rest=None):
        self.terms, self.rest = terms, rest


class Expanding:
    """Expansions to a number of orders, with the ranges of the other variables."""

    def __init__(self, ranges, orders):
        self.constants, self.orders = Constants(ranges), orders

    # monomials

    def times(self, m, other):
        total = dict(m)
        for unit, c in other:
            total[unit] = total.get(unit, number(0)) + c
        return monomial(total)

    def raised(self, m, c):
        return monomial({unit: e * c for unit, e in m})

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
        return self.grows(self.times(m, self.raised(other, number(-1))))

    # sums

    def made(self, terms, rest=None):
        """An expansion of terms in any order; what is not above the rest is dropped, and what is too much."""
        merged = {}
        for m, c in terms:
            merged[m] = merged.get(m, number(0)) + c
        kept = []
        for m, c in merged.items():
            if c.terms and (rest is None or self.order(m, rest) > 0):
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
        return Expansion([(ONE, c)] if c.terms else [])

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
        over = [(self.raised(m, number(-1)), self.constants.inverse(c))]
        u = self.mul(Expansion(f.terms[1:], f.rest), Expansion(over))
        return m, c, sign, u

    def series(self, u, of):
        """sum of of(k) u^k, for u that goes to 0."""
        if (m := self.size(u)) is None:
            return self.constant(of(0))
        if self.grows(m) >= 0:
            raise Unsure("a series of what does not go to 0")
        total, raised = self.constant(of(0)), self.constant(number(1))
        for k in range(1, self.orders + 1):
            raised = self.mul(raised, u)
            total = self.add(total, self.scaled(raised, of(k)))
        return self.made(total.terms, self.larger(total.rest, self.raised(m, number(self.orders + 1))))

    # functions

    def power(self, f, r):
        """f^r for a constant r."""
        q = r.rational()
        if q is not None and q.denominator == 1 and 0 <= q <= self.orders:
            total = self.constant(number(1))
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
            total = number(1)
            for j in range(k):
                total *= (r - number(j)) * number(Fraction(1, j + 1))
            return total

        return self.mul(Expansion([(self.raised(m, r), front)]), self.series(u, of))

    def inverse(self, f):
        if not f.terms and f.rest is None:
            raise NoValue("a quotient by 0")
        return self.power(f, number(-1))

    def log(self, f):
        if not f.terms and f.rest is None:
            raise NoValue("the logarithm of 0")
        m, c, sign, u = self.around(f)
        if sign < 0:
            raise NoValue("the logarithm of a negative number")
        of_monomial = self.made([(unit_log(unit), e) for unit, e in m])
        small = self.series(u, lambda k: number(Fraction((-1) ** (k + 1), k) if k else 0))
        return self.add(self.add(of_monomial, self.constant(self.constants.log(c))), small)

    def exp(self, f):
        if f.rest is not None and self.grows(f.rest) >= 0:
            raise Unsure("exp of something that is not known up to o(1)")
        front, constant, small = {}, number(0), []
        for m, c in f.terms:
            growth = self.grows(m)
            if growth > 0:
                ((unit, e), *others) = m
                own = not others and isinstance(unit, int) and unit > 0 and e == number(1)
                unit = unit - 1 if own else ("exp", m)
                front[unit] = front.get(unit, number(0)) + c
            elif growth == 0:
                constant = c
            else:
                small.append((m, c))
        series = self.series(Expansion(small, f.rest), lambda k: number(Fraction(1, factorial(k))))
        return self.mul(Expansion([(monomial(front), self.constants.exp(constant))]), series)

    def to_power(self, f, g):
        if g.rest is None and (not g.terms or len(g.terms) == 1 and g.terms[0][0] == ONE):
            return self.power(f, g.terms[0][1] if g.terms else number(0))
        return self.exp(self.mul(g, self.log(f)))

    def split(self, f):
        """A constant and what goes to 0; the constant is None for what goes to infinity."""
        m = self.size(f)
        if m is None or self.grows(m) < 0:
            return number(0), f
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

    def whole(self, f):
        """floor or ceil: less than 1 away."""
        return self.made(f.terms, self.larger(f.rest, ONE))

    def normal(self, f):
        """Phi."""
        c, u = self.split(f)
        if c is None:
            if self.lead(f)[2] > 0:
                return self.sub(self.constant(number(1)), self.normal(self.neg(f)))
            z = self.neg(f)
            over = self.inverse(self.mul(z, z))
            odd = self.series(over, lambda k: number(Fraction((-1) ** k * factorial(2 * k), 2**k * factorial(k))))
            half = self.scaled(self.mul(z, z), number(Fraction(-1, 2)))
            root = self.constants.power(number(2) * atom("pi"), Fraction(-1, 2))
            return self.scaled(self.mul(self.mul(self.exp(half), self.inverse(z)), odd), root)
        hermite = [number(1), c]
        while len(hermite) <= self.orders:
            hermite.append(c * hermite[-1] - number(len(hermite) - 1) * hermite[-2])
        constants = self.constants
        density = constants.power(number(2) * atom("pi"), Fraction(-1, 2))
        density *= constants.exp(c * c * number(Fraction(-1, 2)))
        at = number(Fraction(1, 2)) if not c.terms else atom("of", "Phi", c.key)

        def of(k):
            return density * hermite[k - 1] * number(Fraction((-1) ** (k - 1), factorial(k))) if k else at

        return self.series(u, of)

    def arctan(self, f):
        c, u = self.split(f)
        if c is None:
            turn = number(Fraction(self.lead(f)[2], 2)) * atom("pi")
            return self.sub(self.constant(turn), self.arctan(self.inverse(f)))
        if c.terms:
            raise Unsure("atan near a number that is not 0")
        return self.series(u, lambda k: number(Fraction((-1) ** (k // 2), k) if k % 2 else 0))

    def log_factorial(self, z):
        """By Stirling's series, for z that goes to infinity."""
        if self.split(z)[0] is not None or self.lead(z)[2] < 0:
            raise Unsure("the factorial of what does not go to infinity")
        half, two_pi = number(Fraction(1, 2)), number(2) * atom("pi")
        total = self.mul(self.add(z, self.constant(half)), self.log(z))
        total = self.add(self.sub(total, z), self.constant(half * self.constants.log(two_pi)))
        over = self.inverse(z)
        known = min(self.orders, len(BERNOULLI))
        for k in range(1, known + 1):
            c = BERNOULLI[k - 1] / (2 * k * (2 * k - 1))
            total = self.add(total, self.scaled(self.power(over, number(2 * k - 1)), number(c)))
        rest = self.raised(self.size(over), number(2 * known + 1))
        return self.made(total.terms, self.larger(total.rest, rest))

    def factorial(self, z):
        q = _rational(z)
        if q is not None and q.denominator == 1 and 0 <= q <= 1000:
            return self.constant(number(factorial(int(q))))
        return self.exp(self.log_factorial(z))

    def binomial(self, n, k):
        q = _rational(k)
        if q is not None and q.denominator == 1 and 0 <= q <= 20:
            total = self.constant(number(Fraction(1, factorial(int(q)))))
            for j in range(int(q)):
                total = self.mul(total, self.sub(n, self.constant(number(j))))
            return total
        if _rational(rest := self.sub(n, k)) is not None:
            return self.binomial(n, rest)
        logs = [self.log_factorial(z) for z in (n, k, rest)]
        return self.exp(self.sub(self.sub(logs[0], logs[1]), logs[2]))

    def harmonic(self, z):
        """1 + 1/2 + ... + 1/z."""
        total = self.add(self.log(z), self.constant(atom("euler")))
        over = self.inverse(z)
        total = self.add(total, self.scaled(over, number(Fraction(1, 2))))
        known = min(self.orders, len(BERNOULLI))
        for k in range(1, known + 1):
            c = -BERNOULLI[k - 1] / (2 * k)
            total = self.add(total, self.scaled(self.power(over, number(2 * k)), number(c)))
        rest = self.raised(self.size(over), number(2 * known + 2))
        return self.made(total.terms, self.larger(total.rest, rest))

    def lambert(self, f):
        """W of what goes to infinity, by w = log f - log w from w = log f + O(log log f) on; or of what goes to 0."""
        c, u = self.split(f)
        if c is not None:
            if c.terms:
                raise Unsure("W near a number that is not 0")
            return self.series(u, lambda k: number(Fraction((-k) ** (k - 1), factorial(k)) if k else 0))
        first = self.log(f)
        w = self.made(first.terms, self.larger(first.rest, self.size(self.log(first))))
        for _ in range(self.orders):
            w = self.sub(first, self.log(w))
        return w

    def relative(self, p, q):
        """kl of two Bernoulli laws."""
        one = self.constant(number(1))
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
        return self.scaled(sinh if word == "sinh" else cosh, number(Fraction(1, 2)))

    def called(self, word, a):
        one = self.constant(number(1))
        if word in ("sinh", "cosh", "tanh"):
            return self.hyperbolic(word, *a)
        if word in ("erf", "erfc"):
            root = self.constants.power(number(2), Fraction(1, 2))
            tail = self.scaled(self.normal(self.scaled(self.neg(a[0]), root)), number(2))
            return tail if word == "erfc" else self.sub(one, tail)
        if word in ("min", "max"):
            best = a[0]
            for other in a[1:]:
                best = self.least(best, other, 1 if word == "min" else -1)
            return best
        if word == "gamma":
            return self.factorial(self.sub(a[0], one))
        functions = {
            "exp": self.exp,
            "log": self.log,
            "sqrt": lambda f: self.power(f, number(Fraction(1, 2))),
            "abs": self.absolute,
            "floor": self.whole,
            "ceil": self.whole,
            "Phi": self.normal,
            "atan": self.arctan,
            "factorial": self.factorial,
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
            return self.constant(number(rest[0]))
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
            return {"add": self.add, "sub": self.sub, "mul": self.mul, "pow": self.to_power}[head](f, g)
        if head == "call":
            return self.called(rest[0], [self.of(part, values) for part in rest[1:]])
        if head == "sum":
            return self.summed(*rest, values)
        raise Unsure(f"{head} has no expansion here")

    def variable(self, word):
        if word not in self.constants.ranges:
            raise Unsure(f"{word} has no range")
        return atom("var", word)

    def summed(self, index, low, high, body, values):
        """Sums of c/k from a whole number to the moving one, which is whole."""
        first, last = self.of(low, values), self.of(high, values)
        start = _rational(first)
        over = body[0] == "div" and body[2] == ["var", index] or body == ["pow", ["var", index], ["num", "-1"]]
        if start is None or start.denominator != 1 or start < 1 or not over or high not in self.whole_ends:
            raise Unsure("a sum that has no expansion here")
        factor = self.of(body[1], values) if body[0] == "div" else self.constant(number(1))
        if body[0] == "div" and _speaks(body[1], index):
            raise Unsure("a sum that has no expansion here")
        before = sum((Fraction(1, k) for k in range(1, int(start))), Fraction(0))
        return self.mul(factor, self.sub(self.harmonic(last), self.constant(number(before))))

    whole_ends = ()


def _speaks(formula, word):
    return formula == ["var", word] or any(_speaks(part, word) for part in formula if isinstance(part, list))


def _rational(f):
    """The value of an expansion that is a rational, else None."""
    if f.rest is not None or len(f.terms) > 1 or f.terms and f.terms[0][0] != ONE:
        return None
    return f.terms[0][1].rational() if f.terms else Fraction(0)


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


def put(formula, word, there):
    if formula == ["var", word]:
        return there
    if formula[0] in ("sum", "prod") and formula[1] == word:
        raise Unsure("an index with the name of what moves")
    return [put(part, word, there) if isinstance(part, list) else part for part in formula]


def answer_to(data):
    """Whether a limit or an order holds, and what shows it: [(words, expansion), ...] for each side. Raises Unsure."""
    word = data["name"]
    ranges = {name: given for name, given in data["ranges"].items() if name != word}
    said = []
    for side, there in ways_to(data):
        for orders in TERMS:
            expanding = Expanding(ranges, orders)
            if there == ["var", word] and data["ranges"].get(word, {}).get("integer"):
                expanding.whole_ends = (["var", word],)
            try:
                holds, shown = from_one_side(data, expanding, there)
                break
            except Unsure:
                if orders == TERMS[-1]:
                    raise
        if not holds:
            return False, [(side, shown)]
        said.append((side, shown))
    return True, said


def from_one_side(data, expanding, there):
    word, kind = data["name"], data["kind"]
    x = {word: Expansion([(level(0), number(1))])}
    left, right = (expanding.of(put(data[side], word, there), x) for side in ("left", "right"))
    if kind == "limit":
        return tends(expanding, left, right, data)
    if kind == "Theta":
        first, second = (tells(expanding, a, b, "O") for a, b in ((left, right), (right, left)))
        return first[0] and second[0], second[1] if first[0] else first[1]
    if kind == "Omega":
        return tells(expanding, right, left, "O")
    return tells(expanding, left, right, kind)


def tends(expanding, left, value, data):
    infinite = {"inf": 1, "-inf": -1}.get(data["infinite"], 0)
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
    """left = O(right), o(right), or ~ right; or <, <=, >, >= from somewhere on."""
    if kind in ("<", "<=", ">", ">="):
        difference = expanding.sub(left, right)
        sign = expanding.sign(difference)
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
    except (Unsure, NoValue, KeyError, ValueError, ZeroDivisionError, OverflowError, TypeError) as why:
        return f"{type(why).__name__}: {why}"
    return "" if holds == data["holds"] else "the leading terms say something else"
