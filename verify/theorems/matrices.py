"""Proofs in the kernel about the order of matrices: determinants by their pivots, inverses, and quotients of forms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.matrices import (
    Matrix,
    Vector,
    eliminates,
    entry_of,
    form,
    is_above,
    is_inverse,
    place,
    positive_semidefinite,
)
from banditproof.verify.theorems.policies import picked, sum_over

i, j, k, n, r, d = map(var, ("i", "j", "spot", "n", "r", "dimension"))
here = place(i, size=d)


def matrix(name: str) -> Matrix:
    return lambda row, column: app(name, row, column)


def numbers(name: str) -> Vector:
    return lambda place: app(name, place)


def inner(x: Vector, y: Vector) -> Term:
    """The sum of x_i y_i."""
    return sum_of(lambda i: x(i) * y(i), d, "i")


def both(M: Matrix, x: Vector, y: Vector) -> Term:
    """x^T M y."""
    return inner(x, lambda i: entry_of(M, y, i, d))


def minus(x: Vector, y: Vector, times: Any = 1) -> Vector:
    return lambda i: x(i) - times * y(i)


def points(x: Vector) -> Any:
    """A vector as the value of a name."""
    return fn("i", x(i))


def of_given(f: All) -> Theorem:
    """What a formula says, under its own names and conditions."""
    return instance(assume(f), {}, *map(assume, f.given))


X, W, DIRECTION = map(numbers, ("x", "y", "direction"))
IN_ORDER = lt(k, i), lt(i, k)


@lemma(
    "x y dimension spot",
    nat(d),
    *place(k, size=d),
    All(("i",), (*here, IN_ORDER[0]), eq(X(i), 0)),
    All(("i",), (*here, IN_ORDER[1]), eq(W(i), 0)),
)
def at_the_pivot() -> Theorem:
    """The sum of x_i y_i is x_k y_k, where x is 0 behind k and y is 0 before k."""
    goal, off = eq(0, X(i) * W(i) * (1 - equal(i, k))), 1 - equal(i, k)
    zeros = [All(("i",), (*here, order), eq(v(i), 0)) for v, order in ((X, IN_ORDER[0]), (W, IN_ORDER[1]))]
    behind, before = (auto(goal, (by * off, of_given(f))) for by, f in zip((W(i), X(i)), zeros, strict=True))
    on = auto(goal, (X(i) * W(i), at_most(assume(le(i, k)))), (X(i) * W(i) * ind(i, k), at_most(assume(le(k, i)))))
    elsewhere = cases(cases(on, before, k, i), behind, i, k)
    return auto(eq(inner(X, W), X(k) * W(k)), sum_over(elsewhere, "i", d), picked(lambda i: X(i) * W(i), k, d))


@lemma("N x y dimension", nat(d), positive_semidefinite(matrix("N"), d)[0])
def both_ways() -> Theorem:
    """x^T N y = y^T N x for symmetric N."""
    N, one_law = matrix("N"), uniform(d)
    same_entry = instance(assume(positive_semidefinite(N, d)[0]), {"r": j}, *map(assume, place(i, j, size=d)))
    row = sum_over(auto(eq(0, X(i) * W(j) * (N(i, j) - N(j, i))), (X(i) * W(j), same_entry)), "j", d)
    swapped = fubini("i", one_law, "j", one_law, X(i) * W(j) * N(j, i))
    return auto(eq(both(N, X, W), both(N, W, X)), sum_over(row, "i", d), (d * d, swapped))


def forms_of(M: Matrix) -> Callable[[Vector], Theorem]:
    """What is assumed of positive semidefinite M: 0 <= x^T M x."""
    return lambda x: instance(assume(positive_semidefinite(M, d)[1]), {"vector": points(x)})


class Eliminated:
    """A matrix whose columns have been made triangular: column k, its pivot, and the products of the pivots."""

    def __init__(self, M: Matrix, name: str):
        self.M, self.columns, self.minors = M, matrix(f"C_{name}"), numbers(f"m_{name}")
        self.ones, self.zeros, self.reduced, self.first, self.next = eliminates(self.columns, self.minors, M, d)
        self.pivot = entry_of(M, self.column, k, d)

    def column(self, i: Any) -> Term:
        return self.columns(i, k)

    def at_pivot(self, f: Formula) -> Theorem:
        return instance(assume(f), {"r": k}, *map(assume, place(k, size=d)))

    def is_one(self) -> Theorem:
        return self.at_pivot(self.ones)

    def is_zero(self) -> Theorem:
        """Behind the pivot the column is 0."""
        return self.at_row(self.zeros, IN_ORDER[0])

    def at_row(self, f: Formula, order: Rel) -> Theorem:
        given = (*here, order)
        return for_all("i", instance(assume(f), {"r": k}, *map(assume, (*place(i, k, size=d), order))), *given)

    def by_pivot(self, x: Vector, ends: Theorem) -> Theorem:
        """x^T M C_k is x_k times the pivot, for x that is 0 behind k."""
        reduced = points(lambda i: entry_of(self.M, self.column, i, d))
        zeros = self.at_row(self.reduced, IN_ORDER[1])
        return instance(at_the_pivot(), {"x": points(x), "y": reduced}, *map(assume, place(k, size=d)), ends, zeros)

    def more(self) -> Theorem:
        """The product of k + 1 pivots is that of k pivots and the pivot."""
        return self.at_pivot(self.next)

    def own_form(self) -> Theorem:
        """C_k^T M C_k is the pivot."""
        return auto(
            eq(form(self.M, self.column, d), self.pivot),
            self.by_pivot(self.column, self.is_zero()),
            (self.pivot, self.is_one()),
        )


P, Q, B, C = map(numbers, ("p", "q", "b", "c"))


def chain(product: Vector, factor: Vector) -> tuple[Formula, ...]:
    return eq(product(0), 1), All(("r",), place(r, size=d), eq(product(r + 1), product(r) * factor(r)))


def at_each(says: Rel) -> All:
    return All(("r",), place(r, size=d), says)


LEAST = nat(d), *chain(Q, C), at_each(le(0, C(r)))
LARGER = *chain(P, B), at_each(le(C(r), B(r)))
UP_TO_N = nat(n), le(n, d)
Step = Callable[[Theorem, Callable[[Formula], Theorem]], tuple[Fact, ...]]


def by_factors(says: Callable[[Any], Rel], step: Step) -> Theorem:
    """What is said of n <= d by induction: for m + 1 from what is said of m and what `step` makes of its factors."""
    m, enough = var("m"), assume(le(var("m") + 1, d))
    here = assume(nat(m)), auto(lt(m, d), enough)
    claim = All((), (le(m, d),), says(m))
    before = instance(assume(claim), {}, auto(le(m, d), enough))
    facts = step(before, lambda f: instance(assume(f), {"r": m}, *here))
    every = induction("m", auto(says(term(0))), auto(says(m + 1), *facts), claim, at=n)
    return instance(every)


@lemma("q c dimension n", *LEAST, *UP_TO_N)
def not_negative() -> Theorem:
    """0 <= q(n) for the product q(n) of the first n factors c of at least 0."""
    return by_factors(lambda m: le(0, Q(m)), lambda before, at: (at(LEAST[2]), product(before, at(LEAST[3]))))


@lemma("p q b c dimension n", *LEAST, *LARGER, *UP_TO_N)
def in_order() -> Theorem:
    """q(n) <= p(n) for the products of the first n factors c and b, where 0 <= c <= b."""
    low = for_all("n", instance(not_negative(), {}), *UP_TO_N)

    def step(before: Theorem, at: Callable[[Formula], Theorem]) -> tuple[Fact, ...]:
        least, larger, m = at(LEAST[3]), at(LARGER[2]), var("m")
        positive = instance(low, {"n": m}, assume(nat(m)), auto(le(m, d), assume(le(m + 1, d))))
        above = auto(le(0, P(m)), before, positive)
        return at(LEAST[2]), at(LARGER[1]), product(auto(le(0, P(m) - Q(m)), before), least), (above, larger)

    return by_factors(lambda m: le(Q(m), P(m)), step)


class InOrder:
    """Matrices M and N of which M is above N, which is positive semidefinite, with their columns k, s and t."""

    def __init__(self, M: Matrix, N: Matrix, above: Callable[[Vector], Theorem]):
        """`above` says x^T N x <= x^T M x of a vector."""
        self.positive = forms_of(N)
        self.high, self.low = Eliminated(M, "M"), Eliminated(N, "N")
        high, low, s, t = self.high, self.low, self.high.column, self.low.column
        own, mixed, turned = low.own_form(), low.by_pivot(s, high.is_zero()), self.turned(s, t)
        goal = eq(form(N, s, d), low.pivot + form(N, minus(s, t), d))
        self.apart = auto(goal, own, mixed, turned, (low.pivot, high.is_one()))
        self.least = auto(le(0, low.pivot), self.positive(t), own)
        more = self.positive(minus(s, t))
        self.larger = auto(le(low.pivot, high.pivot), high.own_form(), self.apart, above(s), more)

    def turned(self, x: Vector, y: Vector) -> Theorem:
        return instance(both_ways(), {"x": points(x), "y": points(y)})

    def minors(self, count: Any, *is_place: Theorem) -> tuple[Theorem, Theorem]:
        """0 <= minor k of N, and it is at most that of M."""
        least, larger = (for_all("spot", p, *place(k, size=d)) for p in (self.least, self.larger))
        values = {"q": fn("n", self.low.minors(n)), "c": fn("spot", self.low.pivot), "n": count}
        of_both = values | {"p": fn("n", self.high.minors(n)), "b": fn("spot", self.high.pivot)}
        facts = least, *is_place
        return instance(not_negative(), values, *facts), instance(in_order(), of_both, larger, *facts)


def above(M: Matrix, N: Matrix) -> Callable[[Vector], Theorem]:
    return lambda x: instance(assume(is_above(M, N, d)), {"vector": points(x)})


@proof
def determinants(statement: All) -> Theorem:
    """Pivot by pivot: that of M is s^T M s >= s^T N s, and that of N no more."""
    M, N = matrix("M"), matrix("N")
    return InOrder(M, N, above(M, N)).minors(d)[1]


@lemma("G M x dimension", nat(d), is_inverse(matrix("G"), matrix("M"), d))
def solves() -> Theorem:
    """M G x = x, row by row."""
    G, M = matrix("G"), matrix("M")
    product = instance(assume(is_inverse(G, M, d)), {"i": k, "r": i}, *map(assume, place(k, i, size=d)))
    each = auto(eq(0, X(i) * (entry_of(M, lambda j: G(j, i), k, d) - equal(i, k))), (X(i), product))
    swapped = fubini("j", uniform(d), "i", uniform(d), M(k, j) * G(j, i) * X(i))
    goal = eq(substitute(entry_of(M, W, k, d), {"y": points(lambda i: entry_of(G, X, i, d))}), X(k))
    row = auto(goal, sum_over(each, "i", d), picked(X, k, d), (d * d, swapped))
    return for_all("spot", row, *place(k, size=d))


@proof
def inverses(statement: All) -> Theorem:
    """For u = G x and w = H x: 0 <= (u - w)^T N (u - w) <= x^T H x - x^T G x."""
    M, N = matrix("M"), matrix("N")
    u, w = ((lambda i, G=G: entry_of(matrix(G), DIRECTION, i, d)) for G in ("I_M", "I_N"))

    def with_x(name: str, of: str, vector: Vector) -> Theorem:
        """vector^T M G x = vector^T x, for the matrix `of` and its inverse."""
        both = {"G": fn("i j", app(name, i, j)), "M": fn("i j", app(of, i, j))}
        row = instance(instance(solves(), both | {"x": points(DIRECTION)}), {"spot": i}, *map(assume, here))
        left, right = row.conclusion.args  # type: ignore[union-attr]
        return sum_over(auto(eq(0, vector(i) * (right - left)), (vector(i), row)), "i", d)

    turned = instance(both_ways(), {"x": points(u), "y": points(w)})
    of_x = with_x("I_M", "M", u), with_x("I_N", "N", u), with_x("I_N", "N", w)
    return auto(statement.then, forms_of(N)(minus(u, w)), above(M, N)(u), *of_x, turned)


# --------------------------------------------------------------------------------------------------- quotients of forms


@lemma("N x y dimension", nat(d), *positive_semidefinite(matrix("N"), d), lt(0, form(matrix("N"), W, d)))
def cauchy() -> Theorem:
    """(x^T N y)^2 <= x^T N x y^T N y, where the latter is positive: by the form of (y^T N y) x - (x^T N y) y."""
    N = matrix("N")
    mixed, own = both(N, X, W), form(N, W, d)
    turned = instance(both_ways(), {})
    least = forms_of(N)(lambda i: own * X(i) - mixed * W(i))
    some = assume(lt(0, own))
    return auto(le(mixed * mixed, form(N, X, d) * own), (reciprocal_positive(some), least), reciprocal(some), turned)


HIGH, LOW, D, E, G, q, v, x, FORM = map(var, ("high", "low", "D", "E", "G", "q", "v", "x", "W"))
IN_ORDER_BEFORE = le(0, LOW), le(LOW, HIGH)
PIVOTS = le(0, E), le(E, D)
GROWS = le(HIGH * G * E + q * q * LOW, HIGH * G * D)
BEFORE = le((v + x * q) * (v + x * q) * LOW + HIGH * G * x * x * E, HIGH * FORM)


@lemma("high low D E G q v x W", *IN_ORDER_BEFORE, *PIVOTS, lt(0, G), GROWS, BEFORE)
def one_pivot_more() -> Theorem:
    """v^2 low E <= high D W: the rest, times high G, is at least the square of high G E x + q low (v + x q)."""
    goal, shift, scale = le(v * v * LOW * E, HIGH * D * FORM), v + x * q, HIGH * G
    some, none, grows = assume(lt(0, HIGH)), assume(le(HIGH, 0)), assume(GROWS)
    positive = product(some, assume(lt(0, G)))
    inverse, weight = reciprocal_positive(positive), product(assume(le(0, LOW)), square(shift))
    rest = (D - E) * shift * shift * LOW + scale * E * E * x * x + 2 * shift * x * q * LOW * E
    completed = inverse, square(scale * E * x + q * LOW * shift)
    left = auto(le(0, rest), completed, (product(inverse, weight), grows), (rest, reciprocal(positive)))
    least = auto(le(0, D))
    main = auto(goal, (least, assume(BEFORE)), (product(assume(le(0, E)), square(x)), grows), left)
    no_high = antisymmetric(none, auto(le(0, HIGH)))
    no_low = antisymmetric(auto(le(LOW, 0), no_high), assume(le(0, LOW)))
    return cases(auto(goal, (v * v * E, no_low), (D * FORM, no_high)), main, HIGH, term(0))


class Quotient(InOrder):
    """C = M - N and a vector x with g = x^T C x > 0: what the columns up to k say of vectors y that are 0 from k on."""

    def __init__(self) -> None:
        M, N = matrix("M"), matrix("N")
        self.C: Matrix = lambda i, j: M(i, j) - N(i, j)
        self.gain = form(self.C, DIRECTION, d)
        super().__init__(M, N, forms_of(self.C))
        self.some = assume(lt(0, self.gain))

    def along(self, y: Vector) -> Term:
        """y^T C x."""
        return both(self.C, y, DIRECTION)

    def whole(self) -> Term:
        return self.gain * form(self.low.M, W, d) + (v + self.along(W)) * (v + self.along(W))

    def says(self, k: Any) -> All:
        """v^2 minor k of N is at most that of M times the whole: equal at k = 0, and what is claimed at k = d."""
        zeros = All(("i",), (*here, le(k, i)), eq(W(i), 0))
        claim = le(v * v * self.low.minors(k), self.high.minors(k) * self.whole())
        return All(("y", "v"), (le(k, d), zeros), claim)

    def begins(self) -> Theorem:
        """No entry is left, so the forms are 0."""
        claim = self.says(term(0))
        zero = instance(assume(claim.given[1]), {}, *map(assume, here), nat_nonnegative(assume(nat(i))))
        row = entry_of(self.C, DIRECTION, i, d)
        nothing = sum_over(auto(eq(0, W(i) * row), (row, zero)), "i", d)
        more = product(weak(self.some), auto(le(0, form(self.low.M, W, d)), self.positive(W)))
        return auto(claim.then, more, nothing)

    def left(self, y: Vector, times: Any, behind: Theorem, *at_pivot: Theorem) -> tuple[Vector, Theorem]:
        """y - times t, where y is 0 behind k: it is 0 from k on, if it is so at k."""
        rest, t = minus(y, self.low.column, times), self.low
        goal, beyond, equal = eq(rest(i), 0), assume(lt(k, i)), antisymmetric(assume(le(i, k)), assume(le(k, i)))
        first, second = (instance(f, {}, *map(assume, here), beyond) for f in (behind, t.is_zero()))
        on = auto(goal, same(equal, "w", rest(var("w"))), (times, t.is_one()), *at_pivot)
        off = auto(goal, first, (times, second))
        return rest, for_all("i", cases(on, off, i, k), *here, le(k, i))

    def goes_on(self) -> Theorem:
        """From k to k + 1, by the vectors y - y_k t and s - t."""
        high, low, shared, gained = self.high, self.low, W(k), self.along(self.low.column)
        claim, is_place = self.says(k + 1), [assume(f) for f in place(k, size=d)]
        up_to = auto(le(k, d), is_place[1])
        after = auto(le(k + 1, i), nat_nonnegative(nat_minus(is_place[0], assume(nat(i)), assume(lt(k, i)))))
        behind = for_all("i", instance(assume(claim.given[1]), {}, *map(assume, here), after), *here, IN_ORDER[0])

        def of(y: Vector, times: Any, value: Term, *facts: Theorem) -> Theorem:
            rest, is_rest = self.left(y, times, *facts)
            return instance(assume(self.says(k)), {"y": points(rest), "v": value}, up_to, is_rest)

        ordered = self.minors(k, is_place[0], up_to)
        scale, large = high.minors(k) * self.gain, auto(le(0, high.minors(k)), *ordered)
        named = {"high": high.minors(k), "low": low.minors(k), "D": high.pivot, "E": low.pivot}
        named |= {"G": self.gain, "q": gained, "x": shared, "W": self.whole()}
        mixed = (shared, low.own_form()), (1, low.by_pivot(W, behind)), (1, self.turned(W, low.column))
        facts = ((scale * shared * by, p) for by, p in mixed)
        before = auto(replace(BEFORE, named), of(W, shared, v + shared * gained, behind), *facts)
        of_C = {"N": fn("i j", self.C(i, j)), "x": points(high.column), "y": points(DIRECTION)}
        lengths = large, instance(cauchy(), of_C, self.some)
        of_s = of(high.column, 1, gained, high.is_zero(), high.is_one())
        grows = auto(replace(GROWS, named), of_s, lengths, (scale, self.apart), (scale, high.own_form()))
        whole = instance(one_pivot_more(), named, *ordered, self.least, self.larger, self.some, grows, before)
        return auto(claim.then, whole, (v * v, low.more()), (self.whole(), high.more()))

    def ends(self) -> tuple[Theorem, Theorem]:
        """At k = d, for -x and v = x^T M x, which both sides have as a factor."""
        soon = auto(lt(k, d), assume(le(k + 1, d)))
        step = instance(for_all("", self.goes_on(), lt(k, d)), {}, soon)
        every = induction("spot", self.begins(), step, self.says(k), at=d)
        nowhere = absurd(contradiction(assume(lt(i, d)), assume(le(d, i))), eq(-DIRECTION(i), 0))
        nothing = for_all("i", nowhere, *here, le(d, i))
        form_of_M = self.gain + form(self.low.M, DIRECTION, d)
        positive = auto(lt(0, form_of_M), self.some, self.positive(DIRECTION))
        backwards = {"y": points(lambda i: -DIRECTION(i)), "v": form_of_M}
        return instance(every, backwards, nothing), positive


@proof
def quotients(statement: All) -> Theorem:
    """Where x^T C x > 0; else x^T M x is x^T N x, and the determinants are in order."""
    of, goal = Quotient(), statement.then
    at_end, positive = of.ends()
    scaled = auto(goal, (reciprocal_positive(positive), at_end), reciprocal(positive))
    none, some_form = assume(le(of.gain, 0)), auto(le(0, form(of.low.M, DIRECTION, d)), of.positive(DIRECTION))
    zero = antisymmetric(none, auto(le(0, of.gain), forms_of(of.C)(DIRECTION)))
    low, high = (m.minors(d) for m in (of.low, of.high))
    larger = product(some_form, auto(le(0, high - low), of.minors(d)[1]))
    return cases(auto(goal, larger, (low, zero)), scaled, of.gain, term(0))
