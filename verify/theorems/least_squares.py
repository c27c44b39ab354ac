"""Proofs in the kernel about least squares on actions that are fixed in advance."""

from __future__ import annotations

from typing import Any

from banditproof.verify.kernel.divergences import zcdp_close
from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.least_squares import (
    bilinear,
    chance_of_size,
    conditionally_subgaussian,
    design,
    least_squares_error,
    rewards_are_told,
    runs_on_fixed_actions,
    same_matrix,
    weighted,
    with_noise_on_sums,
    worth_in_round,
)
from banditproof.verify.kernel.matrices import (
    Vector,
    entry_of,
    form,
    is_above,
    is_inverse,
    is_root,
    place,
    positive_semidefinite,
    unit_vectors,
)
from banditproof.verify.kernel.meanings import for_each
from banditproof.verify.kernel.policies import is_arm
from banditproof.verify.kernel.rewards import earned
from banditproof.verify.kernel.tactics import positive
from banditproof.verify.kernel.variables import gaussian, with_noise
from banditproof.verify.theorems.matrices import d, inverses, matrix, numbers, points, solves
from banditproof.verify.theorems.moments import all_of_them, multiplied
from banditproof.verify.theorems.noise import zcdp_mechanism
from banditproof.verify.theorems.optimism import ordered, smaller_root
from banditproof.verify.theorems.policies import picked, sum_over
from banditproof.verify.theorems.subgaussian import tail_of_subgaussian, turned
from banditproof.verify.theorems.tails import of_gaussian

b, i, j, k, n, q, r, s, t, u, z, T = map(var, ("b", "i", "j", "k", "n", "q", "r", "s", "t", "u", "z", "T"))
ACTIONS, G, A, THETA = matrix("played"), matrix("G_V"), numbers("direction"), numbers("parameter")
V = design(ACTIONS, T)


def moved_out(a: Vector, Z: Vector) -> Theorem:
    """The sum over the rounds of <a, G A_s> Z_s is <a, G x>, where x is the sum of A_s Z_s."""
    body, over, rounds = a(q) * G(q, j) * ACTIONS(b, j) * Z(b), uniform(d), uniform(T)
    inside = mono(fubini("j", over, "b", rounds, body), "q", over)
    outside = fubini("q", over, "b", rounds, mean("j", over, body))
    left = sum_of(lambda s: bilinear(a, G, lambda j: ACTIONS(s, j), d) * Z(s), T, "b")
    right = bilinear(a, G, lambda j: sum_of(lambda s: ACTIONS(s, j) * Z(s), T, "b"), d)
    return auto(eq(left, right), (d * d * T, inside), (d * d * T, outside))


def against(a: Vector, y: Vector) -> Theorem:
    """The sum over the rounds of <a, G A_s> <A_s, y> is <a, y>, as G V y = y."""
    of_y = moved_out(a, lambda s: sum_of(lambda k: ACTIONS(s, k) * y(k), d, "k"))
    rows = instance(solves(), {"M": fn("i j", G(i, j)), "G": fn("i j", V(i, j)), "x": fn("k", y(k))})
    row = instance(rows, {"spot": q}, *map(assume, place(q, size=d)))
    body = G(q, j) * ACTIONS(b, j) * ACTIONS(b, k) * y(k)
    swapped = mono(fubini("b", uniform(T), "k", uniform(d), body), "j", uniform(d))
    in_rows = mono(
        auto(eq(*(a(q) * side for side in conclusion(swapped.conclusion).args)), (a(q), swapped)), "q", uniform(d)
    )
    each = auto(eq(0, a(q) * (conclusion(row.conclusion).args[0] - y(q))), (a(q), row))
    goal = eq(conclusion(of_y.conclusion).args[0], sum_of(lambda q: a(q) * y(q), d, "q"))
    return auto(goal, of_y, (d * d * d * T, in_rows), sum_over(each, "q", d))


def weight(a: Vector) -> Term:
    """<a, G A_b>."""
    return bilinear(a, G, lambda j: ACTIONS(b, j), d)


def gram(a: Vector, c: Vector) -> Theorem:
    """The sum over the rounds of <a, G A_s> <c, G A_s> is <c, G a>."""

    def y(k: Any) -> Term:
        return sum_of(lambda p: c(p) * G(p, k), d, "p")

    by_a, rounds = against(a, y), uniform(T)
    turned = fubini("q", uniform(d), "j", uniform(d), c(q) * G(q, j) * ACTIONS(b, j))
    in_rounds = mono(
        auto(eq(*(weight(a) * side for side in conclusion(turned.conclusion).args)), (weight(a), turned)), "b", rounds
    )
    ends = fubini("q", uniform(d), "j", uniform(d), a(q) * c(j) * G(j, q))
    goal = eq(T * mean("b", rounds, weight(a) * weight(c)), bilinear(c, G, a, d))
    return auto(goal, by_a, (d * d * T, in_rounds), (d * d, ends))


def noise_to(n: Any, run: Any) -> Term:
    """What the noise of n rounds adds to the error: the sum of <a, G A_s> (R_s - <A_s, theta>)."""
    worth = worth_in_round(ACTIONS, THETA, b, d)
    return sum_of(lambda s: weight(A) * (earned(s, n, run) - worth), n, "b")


class Rounds:
    """The runs on fixed actions."""

    def __init__(self) -> None:
        self.law = runs_on_fixed_actions(ACTIONS, THETA, lambda t, z: law("noise", t, z), T, d)
        self.start, self.step = self.law.args[2:]
        self.own, self.kept = (assume(f) for f in rewards_are_told(T)[1:])

    def mean(self, n: Any, f: Term) -> Term:
        return mean("z", Term("steps", (("t", "z"), term(n), self.start, self.step)), f)

    def longer(self, reward: Term) -> Term:
        return app("after", z, n, n, reward)

    def adds(self, enough: Theorem) -> Theorem:
        """One round more adds its weight times its noise u."""
        at_n = (substitute(x, {"b": n}) for x in (weight(A), worth_in_round(ACTIONS, THETA, b, d)))
        own_weight, worth = at_n
        run, place_n = self.longer(worth + u), (assume(nat(n)), auto(lt(n, T), enough))
        values = {"i": n, "z": z, "a": n, "q": n, "r": worth + u}
        last = instance(self.own, values, *place_n)
        early = instance(self.kept, values | {"j": b}, *place_n, assume(nat(b)), assume(lt(b, n)))
        left, right = conclusion(early.conclusion).args
        same_before = sum_over(auto(eq(0, weight(A) * (left - right)), (weight(A), early)), "b", n)
        body = noise_to(n + 1, run).args[1].args[2]
        more = uniform_next(assume(nat(n)), "b", body)
        return auto(eq(noise_to(n + 1, run), noise_to(n, z) + own_weight * u), more, same_before, (own_weight, last))

    def moment(self) -> Theorem:
        """E f <= e^(s^2 W/2) for bounded f between 0 and e^(s N), N the noise of n rounds and W its squared weights."""
        f, pn, enough = app("f", z), assume(nat(n)), assume(le(n + 1, T))
        square = weight(A) * weight(A)

        def given(m: Any) -> tuple[Formula, ...]:
            return le(m, T), *between(f, exp(s * noise_to(m, z)))

        def says(m: Any) -> Rel:
            return le(self.mean(m, f), exp(s * s * sum_of(lambda b: square, m, "b") / 2))

        claim, place_n = All(("f",), given(n), says(n)), (pn, auto(lt(n, T), enough))
        high = instance(assume(given(0)[2]), {"z": self.start})
        base = auto(says(0), steps_zero("z", f, "t", "z", self.start, self.step), high)
        at_n, worth = (substitute(x, {"b": n}) for x in (weight(A), worth_in_round(ACTIONS, THETA, b, d)))
        run, before = self.longer(worth + u), exp(s * noise_to(n, z))
        low, high = (instance(assume(g), {"z": run}) for g in given(n + 1)[1:])
        sums = same(self.adds(enough), "v", exp(s * var("v")))
        ratio, tilt, drawn = app("f", run) / before, s * at_n, law("noise", n, z)
        bottom = auto(le(0, ratio), (1 / before, low))
        top = auto(le(ratio, exp(tilt * u)), (1 / before, high), (1 / before, sums))
        of_noise = instance(assume(conditionally_subgaussian(lambda t, z: law("noise", t, z), T)), {"i": n}, *place_n)
        averaged = instance(of_noise, {"t": tilt, "g": fn("u", ratio)}, for_all("u", bottom), for_all("u", top))
        grown = tilt * tilt / 2
        next_mean = mean("u", drawn, app("f", run))
        tilde = exp(-grown) * next_mean
        whole = auto(le(next_mean, exp(grown) * before), (before, averaged))
        ends = auto(le(0, tilde), (exp(-grown), mono(low, "u", drawn))), auto(le(tilde, before), (exp(-grown), whole))
        known = instance(assume(claim), {"f": fn("z", tilde)}, auto(le(n, T), enough), *(for_all("z", e) for e in ends))
        more = steps_next(pn, "x", app("f", var("x")), "t", "z", self.start, self.step)
        added = exp_equal(
            auto(
                eq(*(s * s * e / 2 for e in conclusion(uniform_next(pn, "b", square).conclusion).args)),
                (s * s / 2, uniform_next(pn, "b", square)),
            )
        )
        at_T = induction("n", base, auto(says(n + 1), more, (exp(grown), known), added), claim, at=T)
        own = given(T)[1:]
        return for_all("s", for_all("f", instance(at_T, {}, *map(assume, own)), *own))


def between(f: Term, most: Term) -> tuple[All, All]:
    """0 <= f <= most, at all runs z."""
    return All(("z",), (), le(0, f)), All(("z",), (), le(f, most))


M, NORM, DELTA, PLAIN, PRIVATE = map(var, ("number", "norm", "delta", "plain", "private"))
SQUARE = NORM * NORM


def support(i: Any) -> Vector:
    return lambda j: app("support", i, j)


def error_is_subgaussian(error: Term) -> Theorem:
    """The error of the estimate is the noise with its weights, whose squares add up to at most the squared norm."""
    rounds, value = Rounds(), error.args[2].args[0]
    moved = moved_out(A, lambda s: earned(s, T, z))
    same_error = auto(eq(value, noise_to(T, z)), moved, against(A, THETA))
    names, given, goal = parts_of(subgaussian(error, SQUARE))
    ends = [instance(assume(f), {"x": value}) for f in given]
    high = auto(le(app("g", value), exp(t * noise_to(T, z))), ends[1], same(same_error, "v", exp(t * var("v"))))
    at = instance(rounds.moment(), {"s": t})
    bound = instance(at, {"f": fn("z", app("g", value))}, for_all("z", ends[0]), for_all("z", high))
    exponent = auto(le(conclusion(bound.conclusion).args[1].args[0], t * t * SQUARE / 2), (t * t / 2, gram(A, A)))
    return for_all(names, auto(goal, bound, exp_monotone(exponent)), *given)


def weight_is_small(i: Term) -> Theorem:
    """<a, G b>^2 <= norm^4 for the action b at the place i: (norm^2 - <a, G b>)(norm^2 + <a, G b>) >= 0."""
    c, of_rounds = support(i), nat_nonnegative(assume(nat(T)))
    inner, norms = bilinear(A, G, c, d), (auto(le(form(G, A, d), SQUARE)), norm_of_support(i))
    ends = []
    for sign in (1, -1):
        apart = weight(A) - sign * weight(c)
        spread = mono(square(apart), "b", uniform(T))
        grams = gram(A, A), gram(c, c), gram(c, A)
        ends.append(auto(le(0, SQUARE - sign * inner), (of_rounds, spread), *grams, *norms))
    return auto(le(inner * inner, SQUARE * SQUARE), product(*ends))


def norm_of_support(i: Term) -> Theorem:
    given = for_each(M, lambda i: le(bilinear(support(i), G, support(i), d), SQUARE))
    return instance(assume(given), {}, *map(assume, is_arm(i, M)))


def noise_is_subgaussian(noises: Term, weight: Term, variance: Term, spread: Term, *enough: Fact) -> Theorem:
    """Normal variables, each times its weight, of which `enough` says that their squares are small together."""
    each, count, most = noises.args[3].args[1], noises.args[1], t * weight * t * weight * variance / 2
    one = instance(of_gaussian(), {"t": t * weight, "v": variance})
    scaled = instance(multiplied(), {"X": fn("", gaussian(variance)), "c": weight, "l": most}, one)
    values = {"X": fn("i", each), "N": count, "l": fn("i", most)}
    whole = instance(all_of_them(), values, for_all("i", scaled, *is_arm(i, count)))
    names, given, goal = parts_of(subgaussian(noises, spread))
    bound = instance(whole, {}, *map(assume, given))
    exponent = auto(le(conclusion(bound.conclusion).args[1].args[0], t * t * spread / 2), *enough)
    return for_all(names, auto(goal, bound, exp_monotone(exponent)), *given)


def half_of(variance: Term) -> Theorem:
    """0 <= t t variance/2."""
    return auto(le(0, t * t * variance / 2))


def few_weights(variance: Term) -> tuple[Fact, Fact]:
    """m weights of at most norm^2, for 2 m <= d (d + 1)."""
    inner, factor = bilinear(A, G, support(i), d), half_of(variance)
    rest = auto(le(0, t * t * variance / 2 * (SQUARE * SQUARE - inner * inner)), (factor, weight_is_small(i)))
    return sum_over(rest, "i", M), (product(factor, auto(le(0, SQUARE * SQUARE))), auto(le(2 * M, d * (d + 1))))


H = matrix("H")


def weight_of_unit(k: Term) -> Term:
    """<a, H e_k>."""
    return bilinear(A, H, lambda j: unit_vectors(k, j), d)


def weights_of_root() -> Theorem:
    """The squares of the <a, H e_k> add up to a^T G a, where H H^T = G."""
    over, unit, plain = uniform(d), weight_of_unit(k), sum_of(lambda q: A(q) * H(q, k), d, "q")
    column = entry_of(H, lambda j: unit_vectors(k, j), q, d)
    each = auto(eq(0, A(q) * (column - H(q, k))), (A(q), picked(lambda j: H(q, j), k, d)))
    own = auto(eq(unit, plain), sum_over(each, "q", d))
    squares = sum_over(auto(eq(0, unit * unit - plain * plain), (unit, own), (plain, own)), "k", d)
    body = A(q) * H(q, k) * A(r) * H(r, k)
    outside = fubini("k", over, "q", over, mean("r", over, body))
    inside = mono(fubini("k", over, "r", over, body), "q", over)
    entry = instance(assume(is_root(H, G, d)), {"i": q}, *map(assume, place(q, r, size=d)))
    products = sum_of(lambda k: H(q, k) * H(r, k), d, "k")
    row = auto(eq(0, A(q) * A(r) * (products - G(q, r))), (A(q) * A(r), entry))
    sums = (d * d * d, outside), (d * d * d, inside), sum_over(sum_over(row, "r", d), "q", d)
    return auto(eq(sum_of(lambda k: unit * unit, d, "k"), form(G, A, d)), squares, *sums)


def twice_the_level(root: Term) -> Theorem:
    """2 log(4/delta) <= d + 2 root + 2 log(2/delta), where root^2 is at least d log(2/delta)."""
    half = log(2 / DELTA)
    value = exp_log(positive(2 / DELTA))
    small = auto(le(exp(-half), term(1) / 2), (exp(-half) * DELTA / 2, value))
    least = auto(le(term(1) / 2, half), exp_tangent(-half), small)
    larger = auto(le(term(1) / 4, root * root), product(auto(le(0, d - 1)), auto(le(0, half), least)), least)
    quarter = instance(
        smaller_root(), {"w": term(1) / 2, "v": root}, auto(le(term(1) / 2 * (term(1) / 2), root * root), larger)
    )
    grown = auto(le(exp(LOG), exp(half + 1)), exp_log(positive(4 / DELTA)), (exp(half), exp_tangent(term(1))), value)
    return auto(le(2 * LOG, d + 2 * root + 2 * half), ordered(grown), quarter)


@proof
def noise_by_a_root(statement: All) -> Theorem:
    """As above: the noise is subgaussian, as its squared weights add up to at most the squared norm."""
    _, error, rest = conclusion(statement).args[0].args[1].args
    noises, variance = rest.args[1], 2 / var("rho") * SQUARE
    spread, root = variance * SQUARE, var("root")
    factor, small = half_of(variance), auto(le(form(G, A, d), SQUARE))
    unit = substitute(weight_of_unit(k), {"k": i})
    private = noise_is_subgaussian(noises, unit, variance, spread, (factor, weights_of_root()), (factor, small))
    of_error = instance(both_tails(), {"X": fn("", error), "v1": SQUARE, "level": PLAIN}, error_is_subgaussian(error))
    wide = auto(le(2 * spread * LOG, PRIVATE * PRIVATE), (weak(positive(spread)), twice_the_level(root)))
    of_noise = instance(both_tails(), {"X": fn("", noises), "v1": spread, "level": PRIVATE}, private, wide)
    x, y = var("x"), var("y")
    union = mono(mono(one_is_far(x, y), "y", noises), "x", error)
    return auto(statement.then, union, of_error, of_noise)


X, SPREAD, LEVEL, LOG = law("X"), var("v1"), var("level"), log(4 / DELTA)


@lemma(
    "X v1 level delta",
    *(lt(0, DELTA), lt(0, SPREAD), le(0, LEVEL), le(2 * SPREAD * LOG, LEVEL * LEVEL), subgaussian(X, SPREAD)),
)
def both_tails() -> Theorem:
    """P(|X| >= level) <= delta/2 where level^2 is at least 2 v log(4/delta)."""
    above = instance(tail_of_subgaussian())
    below = instance(tail_of_subgaussian(), {"X": fn("", multiple(-1, X))}, instance(turned()))
    far = auto(le(-LEVEL * LEVEL / (2 * SPREAD), -LOG))
    quarter = auto(eq(exp(-LOG), DELTA / 4), (exp(-LOG) * DELTA / 4, exp_log(positive(4 / DELTA))))
    return auto(le(mean("x", X, beyond(LEVEL, var("x"))), DELTA / 2), above, below, exp_monotone(far), quarter)


def beyond(level: Any, x: Term) -> Term:
    return ind(level, x) + ind(x, -level)


def one_is_far(x: Term, y: Term) -> Theorem:
    """|x + y| >= p + r only where |x| >= p or |y| >= r."""
    both = x + y
    goal = le(ind(PLAIN + PRIVATE, size(both)), beyond(PLAIN, x) + beyond(PRIVATE, y))
    near = lt(size(both), PLAIN + PRIVATE)
    ends = [(PLAIN, x), (x, -PLAIN), (PRIVATE, y), (y, -PRIVATE)]
    up = auto(near, (2 * both, at_most(assume(le(0, both)))), assume(lt(x, PLAIN)), assume(lt(y, PRIVATE)))
    down = auto(near, (2 * both, not_at_most(assume(lt(both, 0)))), assume(lt(-PLAIN, x)), assume(lt(-PRIVATE, y)))
    proved = auto(goal, not_at_most(cases(up, down, term(0), both)))
    for low, high in ends:
        proved = cases(auto(goal, at_most(assume(le(low, high)))), proved, low, high)
    return proved


@proof
def noise_on_sums(statement: All) -> Theorem:
    """Both parts of the error are subgaussian, and each of four tails has a probability of at most delta/4."""
    _, error, rest = conclusion(statement).args[0].args[1].args
    noises = rest.args[1]
    variance = 2 * var("alpha") / var("epsilon")
    spread = var("alpha") / var("epsilon") * d * (d + 1) * SQUARE * SQUARE
    of_error = instance(both_tails(), {"X": fn("", error), "v1": SQUARE, "level": PLAIN}, error_is_subgaussian(error))
    private = noise_is_subgaussian(noises, bilinear(A, G, support(i), d), variance, spread, *few_weights(variance))
    of_noise = instance(both_tails(), {"X": fn("", noises), "v1": spread, "level": PRIVATE}, private)
    x, y = var("x"), var("y")
    union = mono(mono(one_is_far(x, y), "y", noises), "x", error)
    return auto(statement.then, union, of_error, of_noise)


# ------------------------------------------------------------------------------------------------- a confidence level


ANY, B, BETA, PRICE, OPTIMAL = numbers("vector"), matrix("support"), var("beta"), var("private"), matrix("G_D")
COUNTS, WEIGHTS = numbers("counts"), numbers("weights")
PLAYS = 8 * d * LOG / (BETA * BETA) + 2 * d * PRICE / BETA


@once
def width() -> Theorem:
    """Theorem 15 for all that it speaks of."""
    runs = runs_on_fixed_actions(ACTIONS, THETA, lambda t, z: law("noise", t, z), T, d)
    plainly = least_squares_error(A, G, ACTIONS, THETA, runs, T, d)
    alpha, epsilon = var("alpha"), var("epsilon")
    error = with_noise_on_sums(plainly, A, G, B, M, 2 * alpha / epsilon, d)
    norms = le(form(G, A, d), SQUARE), for_each(M, lambda i: le(bilinear(support(i), G, support(i), d), SQUARE))
    spread = 2 * alpha * d * (d + 1) / epsilon * SQUARE * SQUARE * LOG
    given = (
        *(
            nat(d),
            le(1, d),
            nat(T),
            nat(M),
            lt(1, alpha),
            lt(0, epsilon),
            lt(0, DELTA),
            lt(0, NORM),
            le(0, PLAIN),
            le(0, PRIVATE),
        ),
        *(is_inverse(V, G, d), *rewards_are_told(T), conditionally_subgaussian(lambda t, z: law("noise", t, z), T)),
        *(*norms, le(2 * M, d * (d + 1)), le(2 * SQUARE * LOG, PLAIN * PLAIN), le(spread, PRIVATE * PRIVATE)),
    )
    names = "dimension T number alpha epsilon delta norm plain private played G_V support direction parameter noise"
    then = le(chance_of_size(error, PLAIN + PRIVATE), DELTA)
    return noise_on_sums(All((*names.split(), "after", "earned", "empty"), given, then))


@once
def inverse_order() -> Theorem:
    M, N, x = matrix("M"), matrix("N"), numbers("direction")
    inverse = is_inverse(matrix("I_M"), M, d), is_inverse(matrix("I_N"), N, d)
    given = nat(d), *positive_semidefinite(N, d), is_above(M, N, d), *inverse
    then = le(form(matrix("I_M"), x, d), form(matrix("I_N"), x, d))
    return inverses(All(("dimension", "M", "N", "I_M", "I_N", "direction"), given, then))


def form_of_support(weights: Vector) -> Theorem:
    """x^T W x is the sum of weights(b) <x, b>^2 over the support, for W the sum of weights(b) b b^T."""
    over, actions = uniform(d), uniform(M)
    body = ANY(i) * weights(b) * B(b, i) * B(b, j) * ANY(j)
    inside = mono(fubini("j", over, "b", actions, body), "i", over)
    outside = fubini("i", over, "b", actions, mean("j", over, body))
    total = sum_of(lambda b: weights(b) * along() * along(), M, "b")
    return auto(eq(form(weighted(weights, B, M), ANY, d), total), (d * d * M, inside), (d * d * M, outside))


def along() -> Term:
    """<x, b>."""
    return sum_of(lambda i: ANY(i) * B(b, i), d, "i")


def in_order_of_designs(a: Vector, positive_plays: Theorem) -> Theorem:
    """a^T G a <= a^T G_D a/c, where the design is at least c times that of the weights."""
    plays: Term = positive_plays.conclusion.args[1]  # type: ignore[union-attr]
    W, counted = weighted(WEIGHTS, B, M), weighted(COUNTS, B, M)
    chosen = map(assume, is_arm(b, M))
    is_b = [*chosen]
    enough = instance(assume(for_each(M, lambda i: le(plays * WEIGHTS(i), COUNTS(i)))), {"i": b}, *is_b)
    squared = square(along())
    rest = product(auto(le(0, COUNTS(b) - plays * WEIGHTS(b)), enough), squared)
    least = product(instance(assume(All(("i",), (nat(i),), le(0, WEIGHTS(i)))), {"i": b}, is_b[0]), squared)
    of_W, of_counts = form_of_support(WEIGHTS), form_of_support(COUNTS)
    entry = instance(assume(same_matrix(V, counted, d)), {"r": j}, *map(assume, place(i, j, size=d)))
    of_entry = auto(eq(0, ANY(i) * ANY(j) * (V(i, j) - counted(i, j))), (ANY(i) * ANY(j), entry))
    same_forms = sum_over(sum_over(of_entry, "j", d), "i", d)

    def scaled(i: Any, j: Any) -> Term:
        return plays * W(i, j)

    below = le(form(scaled, ANY, d), form(V, ANY, d))
    more = for_all("vector", auto(below, sum_over(rest, "b", M), of_W, of_counts, same_forms))
    share = (
        positive_plays,
        auto(le(0, M * mean("b", uniform(M), conclusion(least.conclusion).args[1])), sum_over(least, "b", M)),
    )
    some = for_all("vector", auto(le(0, form(scaled, ANY, d)), product(weak(share[0]), share[1]), (plays, of_W)))
    places = place(i, r, size=d)
    swapped = {"i": r, "r": i}, *map(assume, place(r, i, size=d))
    of_V = instance(assume(is_inverse(V, G, d)), *swapped)
    of_scaled = instance(assume(is_inverse(W, OPTIMAL, d)), *swapped)
    left = for_all("i r", auto(eq(entry_of(V, lambda j: G(r, j), i, d), equal(i, r)), of_V), *places)
    goal = eq(entry_of(scaled, lambda j: OPTIMAL(r, j) / plays, i, d), equal(i, r))
    right = for_all("i r", auto(goal, (plays / plays, of_scaled), (equal(i, r), reciprocal(positive_plays))), *places)
    values = {"M": fn("i j", V(i, j)), "N": fn("i j", scaled(i, j)), "I_M": fn("i j", G(j, i))}
    values |= {"I_N": fn("i j", OPTIMAL(j, i) / plays), "direction": points(a)}
    order = instance(inverse_order(), values, some, more, left, right)
    turned_forms = (fubini("i", uniform(d), "j", uniform(d), a(i) * H(j, i) * a(j)) for H in (G, OPTIMAL))
    of_G, of_optimal = turned_forms
    goal = le(form(G, a, d), form(OPTIMAL, a, d) / plays)
    return auto(goal, order, (d * d, of_G), (d * d / plays, of_optimal))


def log_is_positive() -> Theorem:
    """0 < log(4/delta), as 4/delta is above 1."""
    value = exp_log(positive(4 / DELTA))
    above = auto(le(4, exp(LOG)), value)
    return by_contradiction(lt(0, LOG), contradiction(above, exp_monotone(assume(le(LOG, 0)))))


def halves(size: Term, small: Theorem) -> tuple[Theorem, Theorem]:
    """Both widths are at most beta/2 for a squared norm of at most d/c."""
    some, half, inverse = log_is_positive(), BETA / 2, reciprocal_positive(plays_are_positive())
    one = reciprocal(plays_are_positive())
    plain = auto(le(8 * d * LOG, PLAYS * BETA * BETA))
    private = auto(le(2 * d * PRICE, PLAYS * BETA), (8 * d / BETA, some))
    share = auto(le(size * PRICE, half), (PRICE, small), (inverse, private), one)
    both = product(auto(le(0, half - size * PRICE), share), auto(le(0, half + size * PRICE)))
    first = auto(le(2 * size * LOG, half * half), (auto(le(0, 2 * LOG), some), small), (inverse, plain), one)
    return first, auto(le(size * size * PRICE * PRICE, half * half), both)


def plays_are_positive() -> Theorem:
    first = product(positive(8 * d / (BETA * BETA)), log_is_positive())
    return auto(lt(0, PLAYS), first)


@proof
def plays_at_a_design(statement: All) -> Theorem:
    """Theorem 15 with g^2 = d/c: both widths are at most beta/2."""
    plays, half = plays_are_positive(), BETA / 2
    inverse, norm = reciprocal_positive(plays), exp(log(d / PLAYS) / 2)
    squared = auto(eq(norm * norm, d / PLAYS), exp_log(product(positive(d), inverse)))
    optimal = auto(le(form(OPTIMAL, A, d), d))
    of_A = auto(le(form(G, A, d), norm * norm), in_order_of_designs(A, plays), (inverse, optimal), squared)
    at, of_own = var("spot"), for_each(M, lambda i: le(bilinear(support(i), OPTIMAL, support(i), d), d))
    own = inverse, instance(assume(of_own), {"i": at}, *map(assume, is_arm(at, M)))
    goal = le(bilinear(support(at), G, support(at), d), norm * norm)
    norms = for_all("spot", auto(goal, in_order_of_designs(support(at), plays), own, squared), *is_arm(at, M))
    first, second = halves(norm * norm, auto(le(norm * norm, d / PLAYS), squared))
    spread = 2 * var("alpha") * d * (d + 1) / var("epsilon") * norm * norm * norm * norm * LOG
    wide = auto(le(spread, half * half), second)
    values = {"norm": norm, "plain": half, "private": half}
    facts = of_A, norms, first, wide, auto(lt(0, norm)), auto(le(0, half))
    return auto(statement.then, instance(width(), values, *facts))


@once
def root_width() -> Theorem:
    """Theorem C.10 of the thesis for all that it speaks of."""
    rho, root, runs = (
        var("rho"),
        var("root"),
        runs_on_fixed_actions(ACTIONS, THETA, lambda t, z: law("noise", t, z), T, d),
    )
    plainly = least_squares_error(A, G, ACTIONS, THETA, runs, T, d)
    error = with_noise_on_sums(plainly, A, H, unit_vectors, d, 2 / rho * SQUARE, d)
    numbers_ = (
        nat(d),
        le(1, d),
        nat(T),
        lt(0, rho),
        lt(0, DELTA),
        le(DELTA, 1),
        lt(0, NORM),
        le(0, PLAIN),
        le(0, PRIVATE),
    )
    told = *rewards_are_told(T), conditionally_subgaussian(lambda t, z: law("noise", t, z), T)
    logarithm = log(2 / DELTA)
    wide = le(2 / rho * SQUARE * SQUARE * (d + 2 * root + 2 * logarithm), PRIVATE * PRIVATE)
    widths = le(2 * SQUARE * LOG, PLAIN * PLAIN), le(0, root), le(d * logarithm, root * root), wide
    given = *numbers_, is_inverse(V, G, d), is_root(H, G, d), *told, le(form(G, A, d), SQUARE), *widths
    names = "dimension T rho delta norm plain private root played G_V H direction parameter noise after earned empty"
    return noise_by_a_root(All((*names.split(),), given, le(chance_of_size(error, PLAIN + PRIVATE), DELTA)))


@proof
def plays_with_a_root(statement: All) -> Theorem:
    """Theorem C.10 with the largest squared norm, which is at most d/c."""
    far, half, inverse = numbers("farthest"), BETA / 2, reciprocal_positive(plays_are_positive())
    optimal = assume(le(form(OPTIMAL, far, d), d))
    small = auto(le(SQUARE, d / PLAYS), in_order_of_designs(far, plays_are_positive()), (inverse, optimal))
    first, second = halves(SQUARE, small)
    price = assume(statement.given[-1])
    wide = auto(le(SQUARE * SQUARE * price.conclusion.args[0], half * half), (SQUARE * SQUARE, price), second)  # type: ignore[union-attr]
    values = {"plain": half, "private": half}
    return auto(statement.then, instance(root_width(), values, first, wide))


# ---------------------------------------------------------------------------------------- what the sums of a phase cost


@once
def noise_hides_a_move() -> Theorem:
    """The Gaussian mechanism for all that it speaks of."""
    rho, f_1, f_2, size = var("rho"), numbers("f_1"), numbers("f_2"), var("s")
    noise = gaussian(1 / (2 * rho) * size * size)
    apart = sum_of(lambda j: (f_1(j) - f_2(j)) * (f_1(j) - f_2(j)), k)
    given = nat(k), le(0, size), lt(0, rho), le(apart, size * size)
    close = zcdp_close(with_noise(f_1, noise, k), with_noise(f_2, noise, k), rho)
    return zcdp_mechanism(All(("f_1", "f_2", "k", "s", "rho", "empty", "pair"), given, close))


def hidden_by(size: Term, small: Theorem) -> Theorem:
    """Another reward moves V^(-1/2) S by twice the norm of its action at most, whose square is at most size^2."""
    change = var("change")
    moved = lambda i: app("f_1", i) + change * weight_of_unit(i)  # noqa: E731
    costs = auto(
        le(change * change * form(G, A, d), 4 * size * size),
        (square(change), small),
        (size * size, assume(le(change * change, 4))),
    )
    total = sum_of(lambda k: change * change * weight_of_unit(k) * weight_of_unit(k), d, "k")
    apart = auto(le(total, 2 * size * 2 * size), costs, (change * change, weights_of_root()))
    values = {"f_1": fn("i", app("f_1", i)), "f_2": fn("i", moved(i)), "k": d, "s": 2 * size}
    return instance(noise_hides_a_move(), values, apart)


@proof
def move_is_hidden(statement: All) -> Theorem:
    """By the norm of the action, whatever the design is."""
    gauge = var("gauge")
    return hidden_by(gauge, assume(le(form(G, A, d), gauge * gauge)))


@proof
def phase_is_private(statement: All) -> Theorem:
    """The square of the norm of an action is at most d/c."""
    plays = var("length")
    optimal = assume(le(form(OPTIMAL, A, d), d))
    inverse = reciprocal_positive(positive(plays))
    small = auto(le(form(G, A, d), SQUARE), in_order_of_designs(A, positive(plays)), (inverse, optimal))
    return hidden_by(NORM, small)
