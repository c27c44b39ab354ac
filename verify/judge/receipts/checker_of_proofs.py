"""Checks the steps of a proof: this text stands below `checker` and `checker_of_polynomials` in a receipt of a proof.

A claim falls into faces: each variable is a number, or a number and a symbol that takes all values above 0. A goal says
how a formula of symbols compares with 0, whatever positive values they have where what is assumed holds. A step sees
that by the signs of the formula's parts, or gives goals from which it follows. Every formula has a value, by form and
by facts that are shown before. Two formulas are one where their difference, multiplied out, vanishes. What is neither
seen nor shown is not confirmed.
"""

from fractions import Fraction
from functools import reduce
from itertools import product as combinations
from typing import Any

from banditproof.verify.judge.receipts.checker import BEYOND, NoValue, Unsure, check_formula, finite, holds, value
from banditproof.verify.judge.receipts.checker_of_polynomials import (
    ABOVE,
    ANY,
    BELOW,
    HOLDS,
    NOTHING,
    Refused,
    cleared,
    enclosed,
    is_constant,
    joined,
    monomial,
    need,
    number,
    plus,
    primes,
    primitive,
    sign_of_power,
    sign_of_product,
    sign_of_sum,
    times,
)

MOST_STEPS = 9  # of a factorial from a count to the next
ZERO, ONE, TWO = ("num", "0"), ("num", "1"), ("num", "2")


def read(formula) -> Any:
    """A formula of a receipt as tuples of text."""
    check_formula(formula)
    return in_tuples(formula)


def in_tuples(formula) -> Any:
    head, *parts = formula
    need(head not in BEYOND, "an infimum inside of a formula")
    if head == "num" or head == "neg" and parts[0][0] == "num":
        return ("num", str(Fraction(parts[0]) if head == "num" else -Fraction(parts[0][1])))
    f = (head, *(part if isinstance(part, str) else in_tuples(part) for part in parts))
    need(len(f) < 5 or f[1] not in symbols(f[2]) | symbols(f[3]), "an index that means two things")
    return f


def put(f, values) -> Any:
    """A formula with formulas for symbols."""
    if f[0] == "var":
        return values.get(f[1], f)
    if f[0] in ("sum", "prod"):
        values = {x: v for x, v in values.items() if x != f[1]}
        need(all(f[1] not in symbols(v) for v in values.values()), "an index that means two things")
    return tuple(put(part, values) if isinstance(part, tuple) else part for part in f)


def symbols(f):
    if f[0] == "var":
        return {f[1]}
    found = set().union(*(symbols(part) for part in f if isinstance(part, tuple)))
    return found - {f[1]} if f[0] in ("sum", "prod") else found


def exchanged(f, part, other):
    """A formula with another part, wherever it stands in no sum."""
    if f == part:
        return other
    if f[0] in ("sum", "prod"):
        need(part not in subformulas(f), "a part of a sum")
        return f
    return tuple(exchanged(p, part, other) if isinstance(p, tuple) else p for p in f)


def subformulas(f):
    return {f}.union(*(subformulas(p) for p in f if isinstance(p, tuple)))


def slope(f, x):
    """The derivative of a formula by a symbol."""
    head, *parts = f
    if x not in symbols(f):
        return ZERO
    if head == "var":
        return ONE
    if head in ("neg", "add", "sub"):
        return (head, *(slope(part, x) for part in parts))
    if (head, parts[0]) == ("call", "kl"):
        return slope(("add", *entropies(*parts[1:])), x)
    if head == "call" and parts[0] in ("erf", "erfc"):
        return slope(by_normal(*parts), x)
    if head == "call" and parts[0] in ("sin", "cos"):
        outer = ("call", "cos", parts[1]) if parts[0] == "sin" else ("neg", ("call", "sin", parts[1]))
        return ("mul", outer, slope(parts[1], x))
    need(head != "call" or parts[0] in ("exp", "log", "sqrt", "Phi"), f"no derivative of {parts[0]} is known here")
    a, b = parts
    if head == "mul" and x not in symbols(a):
        return ("mul", a, slope(b, x))
    if head in ("mul", "div") and x not in symbols(b):
        return (head, slope(a, x), b)
    if head == "mul":
        return ("add", ("mul", slope(a, x), b), ("mul", a, slope(b, x)))
    if head == "div":
        return ("sub", ("div", slope(a, x), b), ("div", ("mul", a, slope(b, x)), ("mul", b, b)))
    if (head, b) == ("pow", ONE):
        return slope(a, x)
    if head == "pow" and b[0] == "num":
        return ("mul", ("mul", b, ("pow", a, ("num", str(Fraction(b[1]) - 1)))), slope(a, x))
    if head == "pow":
        return ("mul", f, slope(("mul", b, ("call", "log", a)), x))
    if a == "log":
        return ("div", slope(b, x), b)
    if a == "Phi":
        density = ("call", "exp", ("neg", ("div", ("mul", b, b), TWO)))
        return ("mul", ("div", density, ("call", "sqrt", ("mul", TWO, ("const", "pi")))), slope(b, x))
    return ("mul", f, slope(b, x)) if a == "exp" else ("div", slope(b, x), ("mul", ("num", "2"), f))


def entropies(p, q):
    """p log(p/q), and the same of 1 - p and 1 - q, whose sum is kl(p, q)."""
    pairs = (p, q), (("sub", ONE, p), ("sub", ONE, q))
    return [("mul", a, ("call", "log", ("div", a, b))) for a, b in pairs]


def by_normal(name, x):
    """The error function by the distribution function of a normal law."""
    of_both = ("mul", TWO, ("call", "Phi", ("mul", ("call", "sqrt", TWO), x)))
    return ("sub", of_both, ONE) if name == "erf" else ("sub", TWO, of_both)


def factors(f):
    return [*factors(f[1]), *factors(f[2])] if f[0] == "mul" else [f]


# --------------------------------------------------------------------------------------------------- what is known


class Known:
    """Facts: signs that formulas of the symbols have.

    `bound` are the symbols of which something is assumed, so that not all positive values need to be left of them.
    """

    def __init__(self, facts=(), bound=frozenset()):
        self.facts, self.bound, self.table, self.impossible = [], bound, {}, False
        self.done, self.seen, self.laws = {}, {}, set()
        for f, signs in facts:
            self.learn(f, signs)

    def learn(self, f, signs):
        self.facts.append((f, signs))
        signs &= self.signs(f)
        self.impossible = self.impossible or not signs
        top, below = cleared(self.normal(f))
        for p, k in below:
            signs = sign_of_product(signs, sign_of_power(self.sign_of(p), k))
        if top:
            rest, self.done, self.seen = primitive(top)[2], {}, {}
            for turn in (1, -1):
                key = frozenset(plus({}, rest, turn).items())
                self.table[key] = self.table.get(key, ANY) & frozenset(s * turn for s in signs)

    def shown(self, f, op):
        return Known([*self.facts, (f, HOLDS[op])], self.bound)

    def assumed(self, f, op):
        return Known([*self.facts, (f, HOLDS[op])], self.bound | symbols(f))

    def free_of(self, x):
        """What holds for all positive values of a symbol, and does not speak of it."""
        return Known(
            [] if x in self.bound else [(f, s) for f, s in self.facts if x not in symbols(f)], self.bound - {x}
        )

    def put(self, values):
        """The facts with formulas for symbols, as far as they are understood then."""
        moved = {y for x in self.bound & {*values} for y in symbols(values[x])}
        known = Known((), self.bound - {*values} | moved)
        for f, signs in self.facts:
            try:
                f = put(f, values)
                known.signs(f)
                known.learn(f, signs)
            except (Refused, Unsure, NoValue):
                continue
        return known

    def sign_of(self, p):
        """The signs that a polynomial may have: term by term, or because it is known."""
        p, below = cleared(p)
        groups, parts = {}, []
        for key, n in p.items():
            constants = frozenset(pair for pair in key if is_constant(pair[0]))
            groups.setdefault(key - constants, {})[constants] = n
        for key, constants in groups.items():
            low, high = enclosed(constants)
            signs = frozenset(s for s, may in ((-1, low < 0), (0, low <= 0 <= high), (1, high > 0)) if may)
            for atom, k in key:
                less = dict(atom[1]) if atom[0] in ("log", "sum") else {}
                of_atom = self.sign_of(plus(less, number(1), -1) if atom[0] == "log" else less) if less else ABOVE
                signs = sign_of_product(signs, sign_of_power(of_atom, k))
            parts.append(signs)
        signs = sign_of_sum(parts) if parts else NOTHING
        if len(signs) > 1:
            signs &= self.table.get(frozenset(primitive(p)[2].items()), ANY)
        for q, k in below:
            signs = sign_of_product(signs, sign_of_power(self.sign_of(q), k))
        return signs

    def signs(self, f):
        """The signs that a formula may have, which has a value for all positive values of its symbols."""
        if f not in self.seen:
            signs = self.signs_by_parts(*f)
            self.seen[f] = signs if len(signs) < 2 else signs & self.sign_of(self.normal(f))
        return self.seen[f]

    def signs_by_parts(self, head, *parts):
        a, b, *_ = of = [self.signs(part) for part in parts if isinstance(part, tuple)] + [ANY, ANY]
        if head == "num":
            return frozenset([(Fraction(parts[0]) > 0) - (Fraction(parts[0]) < 0)])
        if head in ("add", "sub", "neg"):
            b = frozenset(-s for s in (a if head == "neg" else b))
            return b if head == "neg" else sign_of_sum([a, of[1] if head == "add" else b])
        if head in ("mul", "div"):
            need(head == "mul" or 0 not in b, "a division by what may be 0")
            return sign_of_product(a, b)
        if head == "pow" or (head, parts[0]) == ("call", "sqrt"):
            k = Fraction(parts[1][1]) if head == "pow" and parts[1][0] == "num" else Fraction(1, 2)
            if head == "pow" and parts[1][0] != "num":
                need(a == ABOVE or a <= HOLDS[">="] and b == ABOVE, "a power of what need not be above 0")
            return sign_of_power(a, k)
        if head == "call":
            need(parts[0] != "log" or a == ABOVE, "a logarithm of what need not be above 0")
            if parts[0] in ("kl", "tv"):
                p, q = (self.signs(("sub", ONE, x)) for x in parts[1:])
                need(a | b | p | q <= HOLDS[">="], "a probability that is not between 0 and 1")
                if parts[0] == "tv":
                    return HOLDS[">="]
                need(all(y == ABOVE or x | y == NOTHING for x, y in ((a, b), (p, q))), "a kl that may be infinite")
            need(parts[0] != "factorial" or a <= HOLDS[">="], "a factorial of what may be below 0")
            known = ("log", "exp", "kl", "abs", "min", "max", "factorial", "binom", "Phi", "erf", "erfc", "sin", "cos")
            need(parts[0] in known, f"{parts[0]} is not known here")
            return ABOVE if parts[0] in ("exp", "factorial", "Phi", "erfc") else ANY
        need(head == "var" or parts[0] in ("e", "pi", "euler"), f"{head} is not known here")
        return ABOVE

    def above(self, *formulas):
        """That formulas have values above 0."""
        need(all(self.signs(f) == ABOVE for f in formulas), "a formula that need not be above 0")

    def same(self, f, g):
        return not cleared(self.normal(("sub", f, g)))[0]

    def normal(self, f):
        """The polynomial that a formula is, where it has a value."""
        if f not in self.done:
            self.done[f] = self.computed(*f)
        return self.done[f]

    def computed(self, head, *parts):
        if head == "num":
            return number(Fraction(parts[0]))
        if head == "var":
            return monomial(("symbol", parts[0]))
        if head == "const":
            return monomial(parts)
        if head == "call":
            return self.called(*parts)
        if head == "neg":
            return plus({}, self.normal(parts[0]), -1)
        need(head in ("add", "sub", "mul", "div", "pow"), f"{head} is not known here")
        if head in ("add", "sub"):
            return plus(self.normal(parts[0]), self.normal(parts[1]), 1 if head == "add" else -1)
        if head == "mul":
            return times(*map(self.normal, parts))
        if head == "div":
            return times(self.normal(parts[0]), self.power(parts[1], Fraction(-1)))
        exponent = self.normal(parts[1])
        if set(exponent) <= {frozenset()}:
            return self.power(parts[0], exponent.get(frozenset(), Fraction(0)))
        if self.signs(parts[0]) == NOTHING and self.signs(parts[1]) == ABOVE:
            return {}
        return self.exponential(times(exponent, self.log(parts[0])))

    def called(self, name, *given):
        if name in ("exp", "log"):
            return self.log(given[0]) if name == "log" else self.exponential(self.normal(given[0]))
        if name == "sqrt":
            return self.power(given[0], Fraction(1, 2))
        if name in ("erf", "erfc"):
            return self.normal(by_normal(name, *given))
        if name == "Phi":  # Phi(-x) is 1 - Phi(x)
            p, turned = (frozenset(self.normal(f).items()) for f in (given[0], ("neg", given[0])))
            if turned in self.laws - {p}:
                return plus(number(1), monomial(("Phi", turned)), -1)
            self.laws.add(p)
            return monomial(("Phi", p)) if p else number(Fraction(1, 2))
        if name == "tv":
            return self.called("abs", ("sub", *given))
        if name == "kl":  # 0 log 0 is 0
            parts = [part for part in entropies(*given) if self.signs(part[1]) != NOTHING]
            return plus(*map(self.normal, [*parts, ZERO, ZERO][:2]))
        if name in ("factorial", "binom"):
            low, high = value(("call", name, *(("num", str(constant(f))) for f in given)), {})
            need(low == high, "no count")
            return number(low)
        need(name in ("abs", "min", "max"), f"{name} is not known here")
        best, *others = given if name != "abs" else (given[0], ("neg", given[0]))
        for other in others:
            signs = self.signs(("sub", best, other))
            need(not {1, -1} <= signs, "which of two is larger is not known")
            best = best if (-1 not in signs) == (name != "min") else other
        return self.normal(best)

    def factored(self, f, above=False):
        """A formula as powers of its parts, by its form: in roots, and where `above` says so, only of parts above 0."""
        root = f[:2] == ("call", "sqrt")
        if f[0] in ("mul", "div"):
            turn = 1 if f[0] == "mul" else -1
            found = [*self.factored(f[1]), *((g, turn * n) for g, n in self.factored(f[2]))]
        elif root or f[0] == "pow" and f[2][0] == "num":
            k = Fraction(1, 2) if root else Fraction(f[2][1])
            found = [(g, n * k) for g, n in self.factored(f[2] if root else f[1], k.denominator != 1)]
        else:
            return [(f, Fraction(1))]
        return found if not above or all(self.signs(g) == ABOVE for g, _ in found) else [(f, Fraction(1))]

    def powers(self, f, k, above=False):
        """A power of a formula as powers of polynomials."""
        for g, n in self.factored(f, above or k.denominator != 1):
            top, below = cleared(self.normal(g))
            yield g, [(top, n * k), *((p, -n * k * m) for p, m in below)]

    def power(self, f, k):
        result = number(1)
        for _, parts in self.powers(f, k):
            for p, n in parts:
                if n.denominator == 1 and n >= 0:
                    need(n < 64, "a large exponent")
                    for _ in range(int(n)):
                        result = times(result, p)
                elif p or n < 0:
                    need(n.denominator == 1 or self.sign_of(p) == ABOVE, "a root of what need not be above 0")
                    by, content, rest = primitive(p)
                    pairs = [(atom, m * n) for atom, m in (*primes(by), *content)]
                    if len(rest) == 1 and (n.denominator == 1 or rest == number(1)):
                        ((key, factor),) = rest.items()
                        pairs += [(atom, m * n) for atom, m in key]
                        result = times(result, joined(pairs, factor ** int(n)))
                    else:
                        result = times(result, joined([*pairs, (("sum", frozenset(rest.items())), n)]))
                else:
                    return {}
        return result

    def log(self, f):
        total = {}
        for g, parts in self.powers(f, Fraction(1), above=True):
            if g[0] == "pow" and self.signs(g[1]) == ABOVE:
                total = plus(total, times(self.normal(g[2]), self.log(g[1])), parts[0][1])
                continue
            for p, n in parts:
                by_form = len(parts) == 1 and self.signs(g) == ABOVE  # then g is p
                need(by_form or self.sign_of(p) == ABOVE, "a logarithm of what need not be above 0")
                by, content, rest = primitive(p)
                more = [] if rest == number(1) else [(("sum", frozenset(rest.items())), 1)]
                for atom, m in (*primes(by), *content, *more):
                    inside = {"prime": lambda a: number(a[1]), "sum": lambda a: dict(a[1])}.get(atom[0], monomial)(atom)
                    of_atom = {"e": lambda a: number(1), "exp": lambda a: {a[1]: Fraction(1)}}.get(atom[0])
                    whole = of_atom(atom) if of_atom else monomial(("log", frozenset(inside.items())))
                    total = plus(total, whole, n * m)
        return total

    def exponential(self, p):
        """e to a sum of numbers times monomials."""
        pairs = []
        for key, n in p.items():
            log_of = [atom[1] for atom, k in key if len(key) == 1 and atom[0] == "log" and k == 1]
            if log_of:  # e^(n log P) is P^n
                ((inside, one), *more) = log_of[0]
                if more or inside and one != 1:
                    pairs.append((("sum", log_of[0]), n))
                else:
                    pairs += [(atom, m * n) for atom, m in (inside or primes(one))]
            else:
                pairs.append((("exp", key) if key else ("e",), n))
        return joined(pairs)


def constant(f):
    """The number that a formula is."""
    p = Known().normal(f)
    need(set(p) <= {frozenset()}, "a formula that is no number")
    return p.get(frozenset(), Fraction(0))


def limit_at_zero(f, x, known):
    """The limit for x -> 0: the value there where parts are continuous; and x^a log(x)^n goes to 0 for a > 0."""
    if x not in symbols(f):
        return f
    if f[0] in ("add", "sub", "neg"):
        return (f[0], *(limit_at_zero(part, x, known) for part in f[1:]))
    powers = [g[1:] if g[0] == "pow" and g[2][0] == "num" else (g, ONE) for g in factors(f)]
    logs = [Fraction(k[1]) for g, k in powers if g == ("call", "log", ("var", x))]
    if logs:
        need(min(logs) > 0 and any(g == ("var", x) and Fraction(k[1]) > 0 for g, k in powers), "a logarithm at its end")
        for g in factors(f):
            if ("call", "log", ("var", x)) not in (g, g[1]):
                limit_at_zero(g, x, known)
        return ZERO
    there = put(f, {x: ZERO})
    known.signs(there)
    return there


def vanishing(known, x, c, law, power, h):
    """A term c L(-x^p h), L an exponential or Phi, that goes to 0 as x grows: h(1/x) has a limit above 0 for x -> 0.

    c is bounded by a power of x.
    """
    c, h, p = read(c), read(h), Fraction(power)
    need(law in ("exp", "Phi") and p > 0, "nothing that vanishes")
    known.signs(c)
    need(bounded_by_powers(c, x, known), "a factor that powers need not bound")
    at_infinity, of_others = {x: ("div", ONE, ("var", x))}, known.free_of(x)
    known.put(at_infinity).signs(h)
    of_others.above(limit_at_zero(h, x, of_others))
    inside = ("mul", ("pow", ("var", x), ("num", str(p))), put(h, at_infinity))
    return ("mul", c, ("call", law, ("neg", inside)))


def bounded_by_powers(f, x, known):
    """Whether a formula that has a value is at most a power of x in size for large x, by its form."""
    if x not in symbols(f) or f[0] == "var" or f[:2] == ("call", "Phi"):
        return True
    if f[0] == "div" or f[0] == "pow" and f[2][0] == "num" and Fraction(f[2][1]) < 0:
        below = f[2] if f[0] == "div" else f[1]
        return algebraic(below, x) and known.signs(below) in (ABOVE, BELOW) and bounded_by_powers(f[1], x, known)
    if f[:2] == ("call", "log"):
        return algebraic(f[2], x) and known.signs(f[2]) == ABOVE
    return is_made_of(f, lambda part: bounded_by_powers(part, x, known))


def algebraic(f, x):
    """Whether a formula is made of x by sums, products, quotients and powers whose exponents are numbers."""
    return x not in symbols(f) or f[0] == "var" or is_made_of(f, lambda part: algebraic(part, x))


def is_made_of(f, fit):
    """Whether a formula is a sum, a product, a quotient or a power of parts that fit."""
    if f[:2] == ("call", "sqrt") or f[0] == "pow" and f[2][0] == "num":
        return fit(f[2] if f[0] == "call" else f[1])
    return f[0] in ("add", "sub", "neg", "mul", "div") and all(map(fit, f[1:]))


# ------------------------------------------------------------------------------------------------------------ steps


def prove(goal, op, step, known):
    """That `goal op 0` for all positive values of the symbols where what is assumed holds."""
    rule, *data = step
    if rule == "absurd":
        need(known.impossible, "what is known does not contradict itself")
    elif rule == "infinite":
        need(goal[0] == "sub" and op in (">", ">=") and infinite(goal[1], known), "not above every number")
        known.signs(goal[2])
    elif rule == "fact":
        f, of_fact, first, then = read(data[0]), *data[1:]
        prove(f, of_fact, first, known)
        prove(goal, op, then, known.shown(f, of_fact))
    elif rule == "cut":
        f, first, then = read(data[0]), *data[1:]
        known.signs(f)
        prove(goal, op, first, known.assumed(f, ">"))
        prove(goal, op, then, known.assumed(("neg", f), ">="))
    elif rule == "rounding":
        for f, then in zip(rounding(goal, known, *data[:-1]), data[-1], strict=True):
            prove(f, op, then, known)
    elif rule in PLACES:
        for values, then in zip(PLACES[rule](goal, known, *data[:-1]), data[-1], strict=True):
            prove(put(goal, values), op, then, known.put(values))
    else:
        known.signs(goal)
        for f, of_formula, then in STEPS[rule](goal, op, known, *data):
            known.signs(f)
            prove(f, of_formula, then, known)


def infinite(f, known):
    """Whether a formula is infinite, as kl is off the support, and sums and products with it; parts have values."""
    head, *parts = f
    if f[:2] == ("call", "kl"):
        p, q = ([x, ("sub", ONE, x)] for x in f[2:])
        inside = all(known.signs(x) <= HOLDS[">="] for x in (*p, *q))
        return inside and any(known.signs(x) == ABOVE and known.signs(y) == NOTHING for x, y in zip(p, q, strict=True))
    if f[:2] == ("call", "sqrt"):
        return infinite(f[2], known)
    if head == "div":
        return known.signs(f[2]) == ABOVE and infinite(f[1], known)
    if head not in ("add", "mul"):
        return False
    ends = [infinite(part, known) for part in parts]
    beside = [known.signs(part) for part, end in zip(parts, ends, strict=True) if not end]
    return len(beside) < 2 and (head == "add" or beside in ([], [ABOVE]))


def form(goal, op, known):
    """The signs of the parts say it."""
    need(known.signs(goal) <= HOLDS[op], "the sign is not seen")
    return []


def same(goal, op, known, factor, other, then):
    """The goal is a factor that is above 0, times another formula."""
    factor, other = read(factor), read(other)
    known.above(factor)
    need(known.same(goal, ("mul", factor, other)), "two formulas are not the same")
    return [(other, op, then)]


def rewritten(goal, op, known, part, other, then):
    """A part of the goal is written in another way."""
    part, other = read(part), read(other)
    known.signs(other)
    need(known.same(part, other), "two parts are not the same")
    return [(exchanged(goal, part, other), op, then)]


def rises(goal, op, known, x, near, first, then):
    """It is smooth, does not begin below 0 for x -> 0, and does not fall from there."""
    known = known if x not in known.bound else Known()
    does_not_begin_below(goal, known, x, near, first)
    need(op in (">", ">="), "no inequality")
    prove(slope(goal, x), op, then, known)
    return []


def descends(goal, op, known, x, small, at_end, first, then):
    """It is smooth, does not end below 0 as x grows, and does not rise."""
    known = known if x not in known.bound else Known()
    does_not_end_below(goal, known, x, small, at_end, first)
    need(op in (">", ">="), "no inequality")
    prove(("neg", slope(goal, x)), op, then, known)
    return []


def hill(goal, op, known, x, small, at_end, first, levels, then):
    """Its limits at both ends are at least 0; it rises first, and falls then: its slope changes its sign once.

    Each level gives a form with its limit for x -> 0, which is at least 0, and a factor above 0 and what it multiplies
    in the slope. What the last one multiplies does not rise, so that it is above 0 first, and below then; what begins
    at 0 or above, rises first and falls then is so, too.
    """
    known, f = known if x not in known.bound else Known(), goal
    does_not_end_below(goal, known, x, small, at_end, first)
    need(op in (">", ">=") and levels, "no inequality")
    for near, shown, factor, inner in levels:
        does_not_begin_below(f, known, x, near, shown)
        factor, inner = read(factor), read(inner)
        known.above(factor)
        known.signs(inner)
        need(known.same(slope(f, x), ("mul", factor, inner)), "another slope")
        f = inner
    prove(("neg", slope(f, x)), op, then, known)
    return []


def does_not_begin_below(f, known, x, near, first):
    """That the limit of a formula for x -> 0, which is seen in another form of it, is at least 0."""
    near, of_others = read(near), known.free_of(x)
    known.signs(f)
    known.signs(near)
    need(known.same(f, near), "another formula near 0")
    prove(limit_at_zero(near, x, of_others), ">=", first, of_others)


def does_not_end_below(f, known, x, small, at_end, first):
    """That the limit of a formula as x grows is at least 0: terms that vanish there, and what the rest is in 1/x."""
    there, at_end, of_others = {x: ("div", ONE, ("var", x))}, read(at_end), known.free_of(x)
    known.signs(f)
    known.put(there).signs(at_end)
    whole = reduce(lambda total, term: ("add", total, vanishing(known, x, *term)), small, put(at_end, there))
    known.signs(whole)
    need(known.same(f, whole), "another formula near the end")
    prove(limit_at_zero(at_end, x, of_others), ">=", first, of_others)


def tangents(goal, op, known, logs, rest, apart, then):
    """c log X + ... + rest: log X >= 1 - 1/X and log X <= X - 1, equal for X = 1 alone."""
    whole = below = read(rest)
    need(op in (">", ">=") and logs, "no inequality")
    for c, x in logs:
        c, x = read(c), read(x)
        known.above(x)
        need(known.signs(c) in (ABOVE, BELOW), "a coefficient whose sign is not known")
        bound = ("sub", ONE, ("div", ONE, x)) if known.signs(c) == ABOVE else ("sub", x, ONE)
        whole, below = ("add", whole, ("mul", c, ("call", "log", x))), ("add", below, ("mul", c, bound))
    known.signs(whole)
    need(known.same(goal, whole), "another sum of logarithms")
    strictly = [(("sub", read(logs[0][1]), ONE), "!=", apart)] if op == ">" and apart else []
    return [(below, ">=" if strictly else op, then), *strictly]


def logs(goal, op, known, how, c, p, q, then):
    """c (P - Q) has the sign of log P - log Q ('on'), and the other way round ('off'), for c, P and Q above 0."""
    c, p, q = map(read, (c, p, q))
    known.above(c, p, q)
    gaps = ("sub", p, q), ("sub", ("call", "log", p), ("call", "log", q))
    before, after = gaps if how == "on" else gaps[::-1]
    need(known.same(goal, ("mul", c, before)), "other sides")
    return [(after, op, then)]


def root(goal, op, known, a, b, r, how, first, then):
    """A + B sqrt(R): both signs, or by squares where A or B may be negative."""
    a, b, r = map(read, (a, b, r))
    known.above(r)
    whole = ("add", a, ("mul", b, ("call", "sqrt", r)))
    known.signs(whole)
    need(op in (">", ">=") and known.same(goal, whole), "another root")
    gap = ("sub", ("mul", a, a), ("mul", r, ("mul", b, b)))
    other = {"++": (b, op, then), "+-": (gap, op, then), "-+": (("neg", gap), op, then)}[how]
    return [(b if how == "-+" else a, ">=", first), other]


def bisected(goal, op, known, symbol_of, shown, tree):
    """With t for u/(1 + u), between 0 and 1: a bisection shows it for all t, also at the ends."""
    shown = read(shown)
    back = put(shown, {t: ("div", ("var", u), ("add", ONE, ("var", u))) for t, u in symbol_of.items()})
    known.signs(back)
    need(known.same(goal, back), "another formula")
    unit = {"low": ZERO, "high": ONE, "low_open": False, "high_open": False, "integer": False}
    on_boxes({"comparison": [op, shown, ZERO], "ranges": dict.fromkeys(symbol_of, unit), "conditions": []}, tree)
    return []


def split(goal, known, x, at, new):
    """A symbol below, at and above what is above 0 and does not depend on it."""
    at, w = read(at), fresh(goal, known, new)
    known.above(at)
    need(not {x, new} & symbols(at), "a place that depends on the symbol")
    return [{x: ("div", at, ("add", ONE, w))}, {x: at}, {x: ("add", at, w)}]


def order(goal, known, x, y, new):
    """Two symbols are equal, or one is above the other."""
    w = fresh(goal, known, new)
    need(x != y, "no two symbols")
    return [{x: ("var", y)}, {x: ("add", ("var", y), w)}, {y: ("add", ("var", x), w)}]


def replaced(goal, known, x, how, c, new):
    """A symbol as a function of another one that takes all values above 0 as well."""
    c, w = read(c), fresh(goal, known, new)
    known.above(c)
    need(not {x, new} & symbols(c) and (how != "power" or c[0] == "num"), "another number")
    return [
        {
            x: {
                "power": ("pow", w, c),
                "times": ("mul", c, w),
                "inverse": ("div", c, w),
                "log": ("div", ("call", "log", ("add", ONE, w)), c),
                "exp": ("sub", ("call", "exp", ("mul", c, w)), ONE),
                "shift": ("add", ("pow", w, ("num", "2")), ("mul", ("num", "2"), ("mul", c, w))),
            }[how]
        }
    ]


def rounding(goal, known, part, new):
    """A ceiling is what is rounded, or more by a number between 0 and 1; a floor is less."""
    part, w = read(part), fresh(goal, known, new)
    need(part[:2] in (("call", "ceil"), ("call", "floor")), "nothing is rounded")
    known.signs(part[2])
    away = ("add" if part[1] == "ceil" else "sub", part[2], ("div", w, ("add", ONE, w)))
    return [exchanged(goal, part, whole) for whole in (part[2], away)]


def fresh(goal, known, x):
    need(isinstance(x, str) and not any(x in symbols(f) for f in (goal, *(f for f, _ in known.facts))), "a used symbol")
    return ("var", x)


STEPS: dict[str, Any] = {
    f.__name__: f for f in (form, same, rewritten, rises, descends, hill, tangents, logs, root, bisected)
}
PLACES: dict[str, Any] = {f.__name__: f for f in (split, order, replaced)}


# ----------------------------------------------------------------------------------------------------------- claims


def margin(comparison):
    """What a comparison says to be above 0, and how."""
    sign, left, right = comparison
    need(sign in ("<", "<=", "==", ">=", ">"), "no order")
    left, right = read(left), read(right)
    return (("sub", right, left), sign.replace("<", ">")) if sign[0] == "<" else (("sub", left, right), sign)


def unrolled(f):
    """A formula in which sums between numbers are written out."""
    if f[0] not in ("sum", "prod"):
        return tuple(unrolled(part) if isinstance(part, tuple) else part for part in f)
    head, index, low, high, body = f
    first, last = map(constant, (low, high))
    need(first.denominator == last.denominator == 1 and last - first < 100, "the ends of a sum")
    total = ZERO if head == "sum" else ONE
    for k in range(int(first), int(last) + 1):
        total = ("add" if head == "sum" else "mul", total, unrolled(put(body, {index: ("num", str(k))})))
    return total


def conditions(claim):
    """What is assumed, with the ends of the ranges. What says != is left out: more is shown then."""
    assumed = [margin(c) for c in claim["conditions"] if c[0] != "!="]
    for x, given in claim["ranges"].items():
        for end, sign in (("low", ">"), ("high", "<")):
            if read(given[end]) in (("const", "inf"), ("neg", ("const", "inf"))):
                need(given[end + "_open"], "a variable that may be infinite")
            else:
                assumed.append(margin([sign if given[end + "_open"] else sign + "=", ("var", x), given[end]]))
    return assumed


def start(claim, values):
    """What is known at a face, and what is to compare with 0 there. A condition that is not understood is not used."""
    known, goal, assumed = Known(), margin(claim["comparison"])[0], conditions(claim)
    need(all(symbols(f) <= {*values} for f in (goal, *(f for f, _ in assumed))), "a variable without a range")
    for f, op in assumed:
        try:
            known.signs(put(f, values))
            known = known.assumed(put(f, values), op)
        except (Refused, Unsure, NoValue):
            continue
    return known, unrolled(put(goal, values))


def faces(ranges, places):
    """Each variable as a number, more, and less; a count as so many more numbers one by one, and then as a real."""
    each = []
    for x, given in ranges.items():
        first, more = Fraction(places[x][0]), places[x][1]
        need(more == 0 or given["integer"] and first.denominator == 1 and 0 < more < 100, "numbers that are left out")
        at, u = [("num", str(first + k)) for k in range(more + 1)], ("var", x + "_")
        each.append([*at, ("add", at[-1], u), ("sub", at[0], u)])
    return [dict(zip(ranges, chosen, strict=True)) for chosen in combinations(*each)]


def grown(f, n, first):
    """By how much a formula grows as a count does by 1, from `first` on; it has a value where the formula has one."""
    head, *parts = f
    if n not in symbols(f):
        return ("sub", f, f)
    if head in ("add", "sub", "neg"):
        return (head, *(grown(part, n, first) for part in parts))
    if head == "mul" and n not in symbols(parts[0]):
        return ("mul", parts[0], grown(parts[1], n, first))
    later = put(f, {n: ("add", ("var", n), ONE)})
    if head == "call" and parts[1][:2] == ("call", "factorial") and parts[0] == "log":
        before, after = f[2][2], later[2][2]
        start, rise = constant(put(before, {n: first})), constant(("sub", after, before))
        need(start >= 0 and start.denominator == 1 and rise in range(1, MOST_STEPS), "no next factorial")
        factors = [("add", before, ("num", str(k + 1))) for k in range(int(rise))]
        return ("call", "log", reduce(lambda a, b: ("mul", a, b), factors))
    if head != "sum":
        return ("sub", unrolled(later), unrolled(f))
    index, low, high, body = parts
    length = constant(put(("sub", high, low), {n: first}))
    need(length >= -1 and length.denominator == 1, "a sum that may end before it begins")
    need(Known().same(("sub", later[3], high), ONE) and n not in symbols(low) | symbols(body), "not one more summand")
    return put(body, {index: later[3]})


def induced(claim, n):
    """A comparison at the first value of a count; and that its margin does not fall from each value to the next."""
    (goal, op), given = margin(claim["comparison"]), claim["ranges"][n]
    first, ranges = read(given["low"]), {x: r for x, r in claim["ranges"].items() if x != n}
    need(given["integer"] and read(given["high"]) == ("const", "inf") and not given["low_open"], "no count")
    need(first[0] == "num" and Fraction(first[1]).denominator == 1, "no whole number")
    need(sum(n in symbols(f) for f, _ in conditions(claim)) == 1, "a condition on the count")
    step = [op if op == "==" else ">=", grown(goal, n, first), ZERO]
    return {**claim, "ranges": ranges, "comparison": [op, put(goal, {n: first}), ZERO]}, {**claim, "comparison": step}


def on_boxes(claim, tree):
    """That a comparison holds on every box of a bisection of its ranges, by intervals.

    In the tree, in preorder, a digit halves the box along this variable; P is a box where the comparison holds, and V
    one where a condition fails.
    """
    box = {}
    for x, given in claim["ranges"].items():
        (low, same_low), (high, same_high) = value(given["low"], {}), value(given["high"], {})
        finite((low, high))
        need(low == same_low and high == same_high and low <= high, "a range that is no box")
        box[x] = (low, high)
    boxes = [box]
    for code in tree:
        box = boxes.pop()
        if code == "P":
            need(holds(claim["comparison"], box) is True, "a box where it does not hold for sure")
        elif code == "V":
            need(any(holds(c, box) is False for c in claim["conditions"]), "a box that no condition excludes")
        else:
            x = list(box)[int(code)]
            (low, high), middle = box[x], sum(box[x]) / 2
            boxes += [{**box, x: (middle, high)}, {**box, x: (low, middle)}]
    need(not boxes and tree, "boxes that are left out")


def show(claim, proof):
    """That a comparison holds for all values of its variables in their ranges where the conditions hold."""
    if "boxes" in proof:
        return on_boxes(claim, proof["boxes"])
    if "count" in proof:
        for part, shown in zip(induced(claim, proof["count"]), proof["parts"], strict=True):
            show(part, shown)
        return None
    for values, step in zip(faces(claim["ranges"], proof["places"]), proof["faces"], strict=True):
        known, goal = start(claim, values)
        prove(goal, margin(claim["comparison"])[1], step, known)
    return None


def check_proof(claim):
    """Why the proof of a claim is not confirmed, or ''."""
    try:
        show(claim, claim["proof"])
    except (Refused, Unsure, NoValue, LookupError, ValueError, ArithmeticError, TypeError, RecursionError) as why:
        return f"{type(why).__name__}: {why}"
    return ""
