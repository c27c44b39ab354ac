"""Polynomials, and the signs that they may have, for a receipt of a proof: this text stands below `checker` in it."""

from fractions import Fraction
from math import gcd

from banditproof.verify.judge.receipts.checker import CONSTANTS, add, exactly, log, mul, power

ANY, ABOVE, BELOW, NOTHING = map(frozenset, ((-1, 0, 1), (1,), (-1,), (0,)))  # signs that a number may have
HOLDS = {">": ABOVE, ">=": NOTHING | ABOVE, "==": NOTHING, "!=": BELOW | ABOVE}
MOST = 20000  # summands of a formula that is multiplied out


class Refused(Exception):
    """A step that does not hold, or is not understood."""


def need(holds, why):
    if not holds:
        raise Refused(why)


def sign_of_sum(parts):
    signs = frozenset().union(*parts)
    if len(parts) == 1 or not {1, -1} <= signs:
        return signs - NOTHING if any(0 not in part for part in parts) else signs
    return ANY


def sign_of_product(a, b):
    return frozenset(s * t for s in a for t in b)


def sign_of_power(signs, k):
    need(k > 0 or 0 not in signs, "a division by what may be 0")
    need(k.denominator == 1 or -1 not in signs, "a root of what may be negative")
    return signs if k.denominator != 1 or k % 2 else frozenset(s * s for s in signs)


# A polynomial is {monomial: number}. A monomial is a set of (atom, exponent), and an atom is ("symbol", x), ("e",),
# ("pi",), ("prime", p), ("exp", M) and ("log", P) of a monomial and a polynomial, or ("sum", P): its root or inverse.


def monomial(atom, k=1):
    return {frozenset([(atom, Fraction(k))]): Fraction(1)}


def number(n):
    return {frozenset(): Fraction(n)} if n else {}


def plus(a, b, factor=1):
    total = dict(a)
    for key, n in b.items():
        total[key] = total.get(key, 0) + factor * n
        if not total[key]:
            del total[key]
    need(len(total) <= MOST, "a formula that is too long")
    return total


def times(a, b):
    need(len(a) * len(b) <= MOST, "a formula that is too long")
    total = {}
    for first, m in a.items():
        for second, n in b.items():
            total = plus(total, joined([*first, *second], m * n))
    return total


def joined(pairs, n=Fraction(1)):
    """A product of powers of atoms: whole powers of numbers, and of sums where they are above, are multiplied out."""
    powers, result = {}, number(1)
    for atom, k in pairs:
        powers[atom] = powers.get(atom, 0) + k
    for atom, k in powers.items():
        whole = k.numerator // k.denominator
        if atom[0] == "prime":
            powers[atom], n = k - whole, n * Fraction(atom[1]) ** whole
        elif atom[0] == "sum" and whole > 0:
            powers[atom] = k - whole
            need(whole < 64, "a large exponent")
            for _ in range(whole):
                result = times(result, dict(atom[1]))
    rest = {frozenset((atom, k) for atom, k in powers.items() if k): n}
    return rest if result == number(1) else times(result, rest)


def primitive(p):
    """A positive number and powers of positive atoms, whose product with the last part is the polynomial."""
    need(p, "0 where a number above or below it is asked for")
    above, below, least = 0, 1, {}
    for place, (key, n) in enumerate(p.items()):
        above, below = gcd(above, n.numerator), below * n.denominator // gcd(below, n.denominator)
        powers = {atom: k for atom, k in key if atom[0] not in ("log", "sum") or k.denominator != 1}
        least = {a: min(least.get(a, 0), powers.get(a, 0)) for a in {*least, *powers}} if place else powers
    content = [(atom, k) for atom, k in least.items() if k]
    rest = {}
    for key, n in p.items():
        rest = plus(rest, joined([*key, *((atom, -k) for atom, k in content)], n * below / above))
    return Fraction(above, below), content, rest


def cleared(p):
    """The polynomial times powers of sums, none of which is below a fraction then; and these powers."""
    below = {}
    for atom, k in (pair for key in p for pair in key if pair[0][0] == "sum" and pair[1] < 0):
        below[atom] = max(below.get(atom, 0), -(k.numerator // k.denominator))
    for atom, k in below.items():
        p = times(p, monomial(atom, k))
    return p, [(dict(atom[1]), k) for atom, k in below.items()]


def primes(n):
    """The powers of small primes in a rational number, and what is left."""
    found = {}
    for part, turn in ((n.numerator, 1), (n.denominator, -1)):
        for p in range(2, 1000):
            while part % p == 0:
                part, found[p] = part // p, found.get(p, 0) + turn
        if part > 1:
            found[part] = turn
    return [(("prime", p), k) for p, k in found.items()]


def is_constant(atom):
    return (
        atom[0] in ("e", "pi", "euler", "prime")
        or atom[0] == "log"
        and all(is_constant(a) for m, _ in atom[1] for a, _ in m)
    )


def enclosed(p):
    """The interval of a polynomial in constants."""
    total = exactly(0)
    for key, n in p.items():
        part = exactly(n)
        for atom, k in key:
            base = exactly(atom[1]) if atom[0] == "prime" else None
            base = base or (log(enclosed(dict(atom[1]))) if atom[0] == "log" else CONSTANTS[atom[0]]())
            part = mul(part, power(base, exactly(k)))
        total = add(total, part)
    return total
