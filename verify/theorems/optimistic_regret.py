"""Proofs in the kernel about the regret of an optimistic policy whose estimates are made rarely."""

from __future__ import annotations

from typing import Any

from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.matrices import entry_of, form, place, positive_semidefinite
from banditproof.verify.kernel.rewards import did
from banditproof.verify.kernel.self_normalised import (
    actions_are_short,
    actions_are_unit_vectors,
    gap_in_round,
    in_the_ellipsoid,
    last_update,
    log_volume,
    minors,
    norms_are_roots,
    plays_optimistically,
    private_error,
    regularised,
    runs_keep_vectors,
    squared_norm_after,
    updates_are_rare,
)
from banditproof.verify.theorems.ellipsoids import THETA, form_of_solution, mixed_form
from banditproof.verify.theorems.matrices import d, inner, numbers, points
from banditproof.verify.theorems.policies import sum_over
from banditproof.verify.theorems.rank_one import (
    PIVOTS,
    A,
    M,
    N,
    W,
    X,
    against,
    m_M,
    m_N,
    norm,
    order_of_determinants,
    size_is_not_negative,
    solution,
    turned,
    volume,
)
from banditproof.verify.theorems.self_normalised import (
    ANY,
    RESOLVED,
    RIDGE,
    Design,
    T,
    most_volume,
    squares_of_design,
    until,
    vector_of,
    volume_of_short,
)
from banditproof.verify.theorems.squares import ordered_logs

ENLARGED, RATIO, LOW, SPOT = map(var, ("enlargement", "rho", "low", "spot"))
b, i, j, k, n, r, t, z = map(var, "bijknrtz")

# ---------------------------------------------------------------------------------------------------------- two designs

PSD_M, PSD_N = positive_semidefinite(M, d), positive_semidefinite(N, d)
ABOVE = All(("vector",), (), le(form(N, ANY, d), form(M, ANY, d)))
RARE_MINORS = le(m_M(d), RATIO * m_N(d)), lt(0, m_N(d)), lt(0, RATIO)
SOLVED = solution(N, X, A), solution(M, W, A)


@lemma(
    "M N C_M C_N m_M m_N x y act rho dimension", nat(d), le(1, d), *PSD_M, *PSD_N, *PIVOTS, ABOVE, *RARE_MINORS, *SOLVED
)
def norms_of_inverses() -> Theorem:
    """a^T N^-1 a <= rho a^T M^-1 a for M above N with det M <= rho det N: by the form of M at N^-1 a - rho M^-1 a."""
    rest = lambda i, j: M(i, j) - N(i, j)  # noqa: E731
    symmetric, forms = positive_semidefinite(rest, d)
    swapped = [instance(assume(f), {}, *map(assume, place(i, r, size=d))) for f in (PSD_M[0], PSD_N[0])]
    is_psd = (
        for_all("i r", auto(conclusion(symmetric), *swapped), *place(i, r, size=d)),
        for_all("vector", auto(conclusion(forms), instance(assume(ABOVE), {}))),
    )
    quotient = instance(order_of_determinants()[1], {"direction": points(X)}, *is_psd)
    own, some = against(X, SOLVED[0]), assume(RARE_MINORS[1])
    cost = inner(X, A)
    low = auto(le(0, cost), own, instance(assume(PSD_N[1]), {"vector": points(X)}))
    scaled = auto(le(form(M, X, d) * m_N(d), RATIO * cost * m_N(d)), quotient, own, (low, assume(RARE_MINORS[0])))
    longer = auto(le(form(M, X, d), RATIO * cost), (weak(reciprocal_positive(some)), scaled))
    apart = instance(assume(PSD_M[1]), {"vector": points(lambda i: X(i) - RATIO * W(i))})
    mixed = (RATIO, turned(M, X, W)), (RATIO, against(X, SOLVED[1])), (RATIO * RATIO, against(W, SOLVED[1]))
    goal, high = le(cost, RATIO * inner(W, A)), assume(RARE_MINORS[2])
    at = auto(le(RATIO * cost, RATIO * RATIO * inner(W, A)), apart, longer, *mixed)
    return auto(goal, (weak(reciprocal_positive(high)), at))


# ----------------------------------------------------------------------------------------------------- designs of a run


def more_rounds(of_each: Theorem, name: str, low: Theorem, high: Theorem, ordered: Theorem) -> Theorem:
    """The sum over the rounds below low <= high is at most that below high, of what is not negative."""
    part, m = of_each.conclusion.args[1], var("m")  # type: ignore[union-attr]

    def total(k: Any) -> Term:
        return term(k) * mean(name, uniform(k), part)

    claim, pm, start = All((), (le(LOW, m),), le(total(LOW), total(m))), assume(nat(m)), assume(nat(LOW))
    none = antisymmetric(assume(le(LOW, 0)), nat_nonnegative(start))
    base = auto(le(total(LOW), total(0)), same(none, "v", total(var("v"))))
    known, more = instance(assume(claim), {}, assume(le(LOW, m))), uniform_next(pm, name, part)
    grown = auto(le(total(LOW), total(m + 1)), known, more)
    next_one = auto(le(m + 1, LOW), nat_nonnegative(nat_minus(pm, start, assume(lt(m, LOW)))))
    equal = antisymmetric(assume(le(LOW, m + 1)), next_one)
    here = auto(le(total(LOW), total(m + 1)), same(equal, "v", total(var("v"))))
    every = for_all("low", induction("m", base, cases(grown, here, LOW, m), claim), nat(LOW))
    ends = [p.conclusion.args[0] for p in (low, high)]  # type: ignore[union-attr]
    return instance(instance(instance(every, {"low": ends[0]}, low), {"m": ends[1]}), {}, ordered)


KEEPS, RARE = runs_keep_vectors(T), updates_are_rare(ENLARGED, T, d)
FIRST = until(n, t, z)
ROUND = nat(n), nat(t), le(n, t), le(t, T)
NAMES = "T ridge dimension did coordinate divisor until n t z"


def kept(value: Any) -> Theorem:
    """0 is what is made of vector b of the run less what is made of vector b of its first n rounds."""
    known = instance(assume(KEEPS[0]), {"i": n, "j": b}, *map(assume, (*ROUND, nat(b), lt(b, n))))
    moved = same(known, "v", value(var("v")))
    return sum_over(auto(eq(0, value(did(b, t, z)) - value(did(b, n, FIRST))), moved), "b", n)


@lemma(NAMES, nat(d), *ROUND, *KEEPS)
def form_in_run() -> Theorem:
    """x^T V_n x = ridge |x|^2 + the sum over b < n of <A_b, x>^2, for the vectors A of a longer run."""
    value = lambda name: inner(vector_of(name), ANY) * inner(vector_of(name), ANY)  # noqa: E731
    whole = instance(instance(squares_of_design(), {"z": FIRST}), {})
    goal = eq(
        form(regularised(RIDGE, n, FIRST), ANY, d),
        RIDGE * inner(ANY, ANY) + sum_of(lambda b: value(did(b, t, z)), n, "b"),
    )
    return for_all("vector", auto(goal, whole, kept(value)))


@lemma(NAMES + " j k", nat(d), *ROUND, *KEEPS)
def entry_in_run() -> Theorem:
    """The entries of V_n."""
    value = lambda name: vector_of(name)(j) * vector_of(name)(k)  # noqa: E731
    entry = RIDGE * equal(j, k) + sum_of(lambda b: value(did(b, t, z)), n, "b")
    return auto(eq(regularised(RIDGE, n, FIRST)(j, k), entry), kept(value))


# -------------------------------------------------------------------------------------------------------------- a round


def width(t: Any, z: Any) -> Term:
    return app("width", t, z, 0) / app("width", t, z, 1)


OPTIMISTIC = plays_optimistically(THETA, width, T, d)
LAST = last_update(n, t, z)
OLD = until(LAST, t, z)
IN_ROUND = nat(n), nat(t), lt(n, t), le(t, T)
INSIDE = in_the_ellipsoid(THETA, RIDGE, width, d)(LAST, OLD)
WIDE = le(1, width(LAST, OLD))
KNOWN = nat(d), le(1, d), lt(0, RIDGE), lt(0, ENLARGED), *RESOLVED, *KEEPS, *RARE, *OPTIMISTIC
OF_DESIGNS = "T ridge dimension did coordinate divisor inverse columns minors large until n t z"
DESIGNS = nat(d), le(1, d), lt(0, RIDGE), *RESOLVED, *KEEPS
NAMES_OF_ROUND = (
    "T ridge dimension enlargement did earned hidden coordinate divisor inverse columns minors large until last best_of"
    " norm_of width parameter n t z"
)
PLAYED = vector_of(did(n, t, z))
BEST = lambda k: app("best_of", n, t, z, k) / app("large", t, z)  # noqa: E731
GAP = gap_in_round(THETA, n, t, z, d)
LENGTHS = [app("norm_of", n, t, z, k) / app("large", t, z) for k in (0, 1)]


class Step:
    """A round of a run: the designs before it and after it."""

    def __init__(self, *earlier: tuple[Term, Theorem, Theorem]):
        natural, whole, below, room = self.here = tuple(map(assume, IN_ROUND))
        after = auto(le(n + 1, t), nat_nonnegative(nat_minus(natural, whole, below)))
        places = *earlier, (n, natural, auto(le(n, t))), (n + 1, nat_next(natural), after)
        self.in_run = [{"n": m, "t": t, "z": z} for m, _, _ in places]
        self.places = [(p, whole, q, room) for _, p, q in places]
        self.designs = [Design(m, until(m, t, z), p, auto(le(m, T), q, room)) for m, p, q in places]

    def names(self, side: str, which: int) -> dict[str, Any]:
        return {f"{name}{side}": value for name, value in self.designs[which].names.items()}


class Round(Step):
    """The same with the design of the last update, which comes first."""

    def __init__(self) -> None:
        self.natural_last, self.early, self.rare = (instance(assume(f), {"s": n}) for f in RARE)
        super().__init__((LAST, self.natural_last, auto(le(LAST, t), self.early)))

    def says(self, f: Formula) -> Theorem:
        """What is said of the round and of its last update."""
        return instance(assume(f), {"s": n, "q": LAST}, self.natural_last)


@lemma(OF_DESIGNS + " enlargement last act", *DESIGNS, *RARE, lt(0, ENLARGED), *IN_ROUND)
def norm_since() -> Theorem:
    """|a|^2 in the norm of the last update is at most (1 + C) times that before the round, for all vectors a."""
    of, known = Round(), assume(nat(d))
    old, new, _ = of.designs
    forms = [instance(form_in_run(), at, *p) for at, p in zip(of.in_run[:2], of.places[:2], strict=True)]
    along = inner(vector_of(did(b, t, z)), ANY)
    more = more_rounds(square(along), "b", of.natural_last, of.here[0], of.early)
    larger = auto(le(form(old.V, ANY, d), form(new.V, ANY, d)), *(instance(f, {}) for f in forms), more)
    values = of.names("M", 1) | of.names("N", 0) | {"rho": 1 + ENLARGED}
    values |= {"x": points(old.times(A)), "y": points(new.times(A))}
    positive_minor = auto(lt(0, determinant(LAST)))
    facts = known, assume(le(1, d)), *new.positive, *old.positive, *new.facts[1:], *old.facts[1:]
    ratio = of.rare, positive_minor, auto(lt(0, 1 + ENLARGED)), old.solves(A), new.solves(A)
    return instance(norms_of_inverses(), values, *facts, for_all("vector", larger), *ratio)


@proof
def norms_since_updates(statement: All) -> Theorem:
    """In every round."""
    direction = {"act": points(numbers("direction"))}
    return auto(conclusion(statement), instance(norm_since(), direction | {"n": var("s")}))


def determinant(m: Any) -> Term:
    return minors(m, until(m, t, z))(d)


def log_volume_at(m: Any) -> Term:
    return log_volume(RIDGE, m, until(m, t, z), d)


R, B, U, S, C = map(var, ("gap", "w", "u", "s", "more"))
SIZE_NOW = inner(PLAYED, lambda i: entry_of(lambda i, j: app("inverse", n, until(n, t, z), i, j), PLAYED, i, d))


@lemma(OF_DESIGNS, *DESIGNS, *IN_ROUND)
def design_after() -> Theorem:
    """V is that before the round and A A^T."""
    of = Step()
    old, new = of.designs
    natural = of.here[0]
    entries = [instance(entry_in_run(), at, *p) for at, p in zip(of.in_run, of.places, strict=True)]
    value = lambda name: vector_of(name)(j) * vector_of(name)(k)  # noqa: E731
    last = uniform_next(natural, "b", value(did(b, t, z)))
    one_more = for_all(
        "j k", auto(eq(new.V(j, k), old.V(j, k) + PLAYED(j) * PLAYED(k)), *entries, last), *place(j, k, size=d)
    )
    places = place(i, r, size=d)
    return for_all("i r", instance(one_more, {"j": i, "k": r}, *map(assume, places)), *places)


@lemma(OF_DESIGNS, *DESIGNS, *IN_ROUND)
def determinant_after() -> Theorem:
    """det V is multiplied by 1 + |A|^2 at least, in the norm before the round."""
    of, known, one_more = Step(), assume(nat(d)), instance(design_after(), {})
    old, new = of.designs
    values = of.names("M", 1) | of.names("N", 0) | {"x": points(old.times(PLAYED)), "act": points(PLAYED)}
    facts = assume(le(1, d)), known, *old.positive, old.solves(PLAYED), one_more, *new.facts[1:], *old.facts[1:]
    return instance(volume(), values, *facts)


@lemma(OF_DESIGNS, *DESIGNS, *IN_ROUND)
def norm_is_not_negative() -> Theorem:
    """0 <= |A|^2, in the norm before the round."""
    old = Step().designs[0]
    values = {"N": old.names[""], "x": points(old.times(PLAYED)), "act": points(PLAYED)}
    return instance(size_is_not_negative(), values, *old.positive, old.solves(PLAYED))


@lemma(OF_DESIGNS, *DESIGNS, *IN_ROUND)
def volume_after() -> Theorem:
    """log(1 + |A|^2) is at most what the round adds to log(det V/ridge^d)."""
    old, new = Step().designs
    low, larger = instance(norm_is_not_negative(), {}), instance(determinant_after(), {})
    grown, power = exp_log(auto(lt(0, 1 + SIZE_NOW), low)), exp(-d * log(RIDGE))
    ell, after = log_volume_at(n), log_volume_at(n + 1)
    parts = (exp(ell), grown), (1 + SIZE_NOW, old.volume), new.volume, (power, larger)
    return ordered_logs(auto(le(exp(log(1 + SIZE_NOW) + ell), exp(after)), *parts))


@lemma("s", le(0, S))
def slope_of_log() -> Theorem:
    """s/(1 + s) <= log(1 + s)."""
    some, level = auto(lt(0, 1 + S)), log(1 + S)
    value = exp_log(some)
    falls = auto(eq(exp(-level), 1 / (1 + S)), (exp(-level) / (1 + S), value))
    return auto(le(S / (1 + S), level), exp_tangent(-level), falls)


SIZE_AFTER = squared_norm_after(n, t, z, d)


@lemma(OF_DESIGNS, *DESIGNS, *IN_ROUND)
def norm_after() -> Theorem:
    """|A|^2 in the norm after the round, s/(1 + s), is at most what the round adds to log(det V/ridge^d)."""
    of, known, one_more = Step(), assume(nat(d)), instance(design_after(), {})
    old, new = of.designs
    values = of.names("M", 1) | of.names("N", 0) | {"x": points(old.times(PLAYED)), "u": points(new.times(PLAYED))}
    values |= {"act": points(PLAYED), "more": points(PLAYED), "eta": term(1)} | dict.fromkeys(("y", "vec"), fn("i", 0))
    zero = lambda i: term(0)  # noqa: E731
    none = for_all("i", auto(eq(entry_of(old.V, zero, i, d), 0)), *place(i, size=d))
    same_one = for_all("i", auto(eq(PLAYED(i), PLAYED(i))), *place(i, size=d))
    facts = known, *old.positive, old.solves(PLAYED), none, one_more, same_one, new.solves(PLAYED)
    low = instance(norm_is_not_negative(), {})
    slope = instance(slope_of_log(), {"s": SIZE_NOW}, low)
    goal = le(SIZE_AFTER, log_volume_at(n + 1) - log_volume_at(n))
    return auto(goal, instance(norm(), values, *facts), slope, instance(volume_after(), {}))


def sum_after(k: Any) -> Term:
    return sum_of(lambda m: squared_norm_after(m, t, z, d), k, "a")


@proof
def sum_of_norms_after(statement: All) -> Theorem:
    """The logarithms of the determinants add up to the last one, which is at most that of the trace."""
    pn, room, whole = assume(nat(n)), assume(le(n + 1, t)), [assume(f) for f in (nat(t), le(t, T))]
    claim = All((), (le(n, t),), le(sum_after(n), log_volume_at(n)))

    def is_not_negative(m: Any, natural: Theorem, early: Theorem) -> Theorem:
        design = Design(m, until(m, t, z), natural, auto(le(m, T)))
        flat = exp(-d * log(RIDGE)), design.least
        return ordered_logs(auto(le(exp(term(0)), exp(log_volume_at(m))), design.volume, flat))

    base = auto(le(sum_after(0), log_volume_at(0)), is_not_negative(term(0), nat_zero(), nat_nonnegative(whole[0])))
    known = instance(assume(claim), {}, auto(le(n, t), room))
    one = instance(norm_after(), {}, pn, auto(lt(n, t), room))
    more = uniform_next(pn, "a", squared_norm_after(var("a"), t, z, d))
    every = induction("n", base, auto(le(sum_after(n + 1), log_volume_at(n + 1)), known, one, more), claim, at=t)
    at_end = instance(volume_of_short(), {"n": t, "z": until(t, t, z)})
    low = is_not_negative(t, whole[0], auto(le(t, t)))
    return auto(le(sum_after(t), 2 * most_volume(t)), instance(every, {}), low, at_end)


@proof
def sum_of_roots(statement: All) -> Theorem:
    """The squares of t numbers less their mean add up to at least 0."""
    places, whole = [*map(assume, (nat(n), nat(t), lt(n, t), le(t, T)))], assume(nat(t))
    root = app("norm_of", n, t, z, 2) / app("large", t, z)
    own = instance(assume(norms_are_roots(T, d)[-1]), {"s": n}, *places)
    average = mean("n", uniform(t), root)
    spread = sum_over(square(root - average), "n", t)
    squares = sum_over(auto(eq(0, SIZE_AFTER - root * root), own), "n", t)
    goal = le(t * average * t * average, t * sum_after(t))
    return auto(goal, (nat_nonnegative(whole), spread), (t, squares))


@lemma(NAMES_OF_ROUND, *KNOWN, *IN_ROUND, INSIDE, WIDE)
def gap_by_width() -> Theorem:
    """The gap is at most 2 width |A|, in the norm of the last update."""
    of = Round()
    design = of.designs[0]
    error = private_error(THETA, LAST, OLD, d)
    w, (of_best, of_played) = width(LAST, OLD), LENGTHS
    index, _, _, low_best, low_played, of_best_norm, of_played_norm = (of.says(f) for f in OPTIMISTIC[1:])
    low = auto(le(0, w))

    def along(x: Any, sign: int, u: Term, not_negative: Theorem, is_norm: Theorem) -> Theorem:
        """sign <x, error> <= width |x|."""
        e = {"vector": fn("i", sign * error(i))}
        q, image = design.times(x), design.solves(x)
        values = {"N": design.names[""], "x": points(q), "of": points(x)}
        own = instance(form_of_solution(), values, image)
        far, long = (substitute(form(design.V, ANY, d), at) for at in (e, {"vector": points(q)}))
        sizes = auto(le(far, w * w), assume(INSIDE)), auto(le(long, u * u), own, is_norm)
        values = {"N": design.names[""], "p": e["vector"], "q": points(q), "alpha": w, "gamma": u}
        mixed = instance(mixed_form(), values, assume(nat(d)), *design.positive, low, not_negative, *sizes)
        row = instance(image, {}, *map(assume, place(SPOT, size=d)))
        left, right = conclusion(row.conclusion).args
        factor = substitute(ANY(SPOT), e)
        swapped = sum_over(auto(eq(0, factor * (left - right)), (factor, row)), "spot", d)
        return auto(le(substitute(inner(x, ANY), e), w * u), mixed, swapped)

    facts = along(BEST, -1, of_best, low_best, of_best_norm), along(PLAYED, 1, of_played, low_played, of_played_norm)
    return auto(le(GAP, 2 * w * of_played), index, *facts)


OF_GAP = le(0, R), le(R, 2), le(R, 2 * B * U), le(0, U), le(U * U, C * S), le(1, C), le(1, B), le(0, S)


@lemma("gap w u s more", *OF_GAP)
def squared_gap() -> Theorem:
    """gap^2 <= 8 more w^2 log(1 + s): it is at most 4 and at most 4 more w^2 s, and log(1 + s) >= s/(1 + s)."""
    low, two, by_width, not_negative, longer, above, wide, size = map(assume, OF_GAP)
    some = auto(lt(0, 1 + S))
    grows = instance(slope_of_log(), {})
    both = product(auto(le(0, 2 * B * U - R)), auto(le(0, 2 * B * U + R)))
    short = auto(le(R * R, 4 * C * B * B * S), both, (4 * B * B, longer))
    ends = product(auto(le(0, 2 - R)), auto(le(0, 2 + R)))
    at_least_one = product(auto(le(0, B - 1)), auto(le(0, B + 1)))
    large = auto(le(1, C * B * B), at_least_one)
    most = auto(le(R * R * S, 4 * C * B * B * S), product(ends, size), (size, large))
    whole = auto(le(R * R * (1 + S), 8 * C * B * B * S), short, most)
    divided = auto(le(R * R, 8 * C * B * B * S / (1 + S)), (weak(reciprocal_positive(some)), whole))
    factor = auto(le(0, 8 * C * B * B))
    return auto(le(R * R, 8 * C * B * B * log(1 + S)), divided, (factor, grows))


RATE = var("rate")
WIDTH = width(LAST, OLD)


@lemma(NAMES_OF_ROUND + " rate", *KNOWN, *IN_ROUND, INSIDE, WIDE, lt(0, RATE))
def gap_in_two_parts() -> Theorem:
    """The gap is at most half of rate width^2 + 8 (1 + C)/rate times what the round adds to log(det V/ridge^d)."""
    of = Round()
    _, low, two, _, not_negative, _, of_norm = (of.says(f) for f in OPTIMISTIC[1:])
    norm, more = LENGTHS[1], 1 + ENLARGED
    before, after = instance(norm_since(), {"act": points(PLAYED)}), instance(volume_after(), {})
    size = instance(norm_is_not_negative(), {})
    longer = auto(le(norm * norm, more * SIZE_NOW), of_norm, before)
    named = {"gap": GAP, "w": WIDTH, "u": norm, "s": SIZE_NOW, "more": more}
    facts = low, two, instance(gap_by_width(), {}), not_negative, longer, auto(le(1, more)), assume(WIDE), size
    squared = instance(squared_gap(), named, *facts)
    added = log_volume_at(n + 1) - log_volume_at(n)
    wide = auto(lt(0, WIDTH))
    scale = product(assume(lt(0, RATE)), product(wide, wide))
    inverse = reciprocal_positive(scale)
    full = auto(
        le(GAP * GAP, 8 * more * WIDTH * WIDTH * added), squared, (auto(le(0, 8 * more * WIDTH * WIDTH)), after)
    )
    apart = inverse, square(RATE * WIDTH * WIDTH - GAP)
    ones = (RATE * WIDTH * WIDTH, reciprocal(scale)), (GAP, reciprocal(scale)), (added * more / RATE, reciprocal(scale))
    goal = le(GAP, (RATE * WIDTH * WIDTH + 8 * more * added / RATE) / 2)
    return auto(goal, apart, (weak(inverse), full), *ones)


# ----------------------------------------------------------------------------------------------------------- all rounds

IN_RUN = nat(t), le(t, T)
ALL_INSIDE = All(("n",), (nat(n), le(n, t)), in_the_ellipsoid(THETA, RIDGE, width, d)(n, until(n, t, z)))
ALL_WIDE = All(("t", "z"), IN_RUN, le(1, width(t, z)))
SHORT = actions_are_short(d)


def squared_widths(k: Any) -> Term:
    return sum_of(lambda n: substitute(WIDTH * WIDTH, {"n": n}), k, "a")


@lemma(NAMES_OF_ROUND.replace(" n ", " ") + " rate", *KNOWN, SHORT, *IN_RUN, ALL_INSIDE, ALL_WIDE, lt(0, RATE))
def regret_in_two_parts() -> Theorem:
    """The regret of a run is at most half of rate times the squared widths + 8 (1 + C)/rate d log(1 + t/(ridge d))."""
    pn, room, whole = assume(nat(n)), assume(le(n + 1, t)), [assume(f) for f in IN_RUN]
    gaps = lambda k: sum_of(lambda n: substitute(GAP, {"n": n}), k, "a")  # noqa: E731
    scale = 4 * (1 + ENLARGED) / RATE

    def says(k: Any) -> Rel:
        return le(gaps(k), RATE * squared_widths(k) / 2 + scale * log_volume_at(k))

    here = pn, whole[0], auto(lt(n, t), room), whole[1]
    last, early, _ = (instance(assume(f), {"s": n}, *here) for f in RARE)
    place_of = last, auto(le(LAST, t), early, here[2])
    inside = instance(assume(ALL_INSIDE), {"n": LAST}, *place_of)
    wide = instance(assume(ALL_WIDE), {"t": LAST, "z": OLD}, last, auto(le(LAST, T), place_of[1]))
    one = instance(gap_in_two_parts(), {}, *map(assume, KNOWN), *here, inside, wide, assume(lt(0, RATE)))
    more = [uniform_next(pn, "a", substitute(value, {"n": var("a")})) for value in (GAP, WIDTH * WIDTH)]
    claim = All((), (le(n, t),), says(n))
    known = instance(assume(claim), {}, auto(le(n, t), room))
    first = Design(term(0), until(0, t, z), nat_zero(), auto(le(0, T)))
    flat = (exp(-d * log(RIDGE)), first.least)
    low = ordered_logs(auto(le(exp(term(0)), exp(log_volume_at(0))), first.volume, flat))
    positive_scale = product(auto(lt(0, 4 * (1 + ENLARGED))), reciprocal_positive(assume(lt(0, RATE))))
    base = auto(says(term(0)), (positive_scale, low))
    step = auto(says(n + 1), known, one, more[0], (RATE / 2, more[1]))
    every = instance(induction("n", base, step, claim, at=t), {})
    volume_at_end = instance(volume_of_short(), {"n": t, "z": until(t, t, z)})
    return auto(
        le(gaps(t), RATE * squared_widths(t) / 2 + scale * most_volume(t)), every, (positive_scale, volume_at_end)
    )


def real(name: str, t: Any, z: Any) -> Term:
    return app(name, t, z, 0) / app(name, t, z, 1)


REGRET, WIDTHS, VOLUME, REACH, TOTAL, MORE = map(var, ("regret", "widths", "volume", "reach", "total", "more"))
OF_ROOTS = le(WIDTHS, TOTAL * TOTAL), le(2 * MORE * VOLUME, REACH * REACH)
TWO_PARTS = All(("rate",), (lt(0, RATE),), le(REGRET, RATE * WIDTHS / 2 + 4 * MORE / RATE * VOLUME))


@lemma("regret widths volume reach total more", lt(0, REACH), lt(0, TOTAL), *OF_ROOTS, TWO_PARTS)
def best_rate() -> Theorem:
    """The two parts at the rate 2 reach/total."""
    rate = 2 * REACH / TOTAL
    known = instance(assume(TWO_PARTS), {"rate": rate})
    return auto(le(REGRET, 2 * REACH * TOTAL), known)


@proof
def widths_pay(statement: All) -> Theorem:
    """By the two parts, where the parameter is in all ellipsoids."""
    *_, rare = statement.given
    _, given, goal = parts_of(statement.then)
    own_premise = given[1]
    always, run = rare.given[1].given[0], until(t, T, z)  # type: ignore[union-attr]
    here = [assume(f) for f in IN_RUN]
    in_round = assume(nat(n)), assume(le(n, t))
    ends = *here[:1], assume(nat(T)), here[1], auto(le(T, T))
    same_start = instance(assume(KEEPS[1]), {"i": t, "t": T, "j": n}, *ends, *in_round)
    inside = conclusion(in_the_ellipsoid(THETA, RIDGE, width, d)(n, var("v")))
    known = instance(assume(always), {"t": n}, in_round[0], auto(le(n, T), in_round[1], here[1]))
    moved = [same(same_start, "v", side) for side in inside.args]
    first = auto(le(*(substitute(side, {"v": until(n, t, run)}) for side in inside.args)), known, *moved)
    known_of_run = *map(assume, (*KNOWN, SHORT)), *here, for_all("n", first, nat(n), le(n, t)), assume(ALL_WIDE)
    parts = for_all(
        "rate", instance(regret_in_two_parts(), {"z": run}, *known_of_run, assume(lt(0, RATE))), lt(0, RATE)
    )
    says = conclusion(own_premise.given[0])  # type: ignore[union-attr]
    roots = [instance(assume(f), {"z": run}, *here) for f in statement.given[-5:-1]]
    reach, total = (real(name, t, run) for name in ("reach", "total"))
    values = {"regret": says.args[0], "reach": reach, "total": total, "more": 1 + ENLARGED}
    values |= {"widths": substitute(squared_widths(t), {"z": run}), "volume": most_volume(t)}
    small = for_all("t", auto(says, instance(best_rate(), values, *roots, parts)), *IN_RUN)
    empty = for_all("z", instance(assume(own_premise), {}, small), always)
    return auto(goal, instance(assume(rare), {}, empty))


# --------------------------------------------------------------------------------------------------------- rare updates

UNITS = actions_are_unit_vectors(d)
OTHER = vector_of(did(b, t, z))


TOP = var("top")
OF_TOP = le(form(N, A, d), TOP), eq(inner(A, A), 1), lt(0, TOP)


@lemma("N x act top dimension", nat(d), *PSD_N, SOLVED[0], *OF_TOP)
def long_solution() -> Theorem:
    """1 <= top a^T N^-1 a for |a| = 1 and a^T N a <= top: by the form of N at top N^-1 a - a."""
    own, high = against(X, SOLVED[0]), assume(OF_TOP[2])
    apart = instance(assume(PSD_N[1]), {"vector": points(lambda i: TOP * X(i) - A(i))})
    mixed = (TOP, turned(N, X, A)), (TOP, against(A, SOLVED[0])), (TOP * TOP, own), (TOP, assume(OF_TOP[1]))
    scaled = auto(le(TOP, TOP * TOP * inner(A, X)), apart, *mixed)
    return auto(le(1, TOP * inner(A, X)), (weak(reciprocal_positive(high)), scaled))


@lemma(OF_DESIGNS, *DESIGNS, UNITS, *IN_ROUND)
def least_norm() -> Theorem:
    """1 <= (ridge + n) |A|^2 for unit vectors, in the norm before round n: no eigenvalue is larger than ridge + n."""
    natural, whole, below, room = map(assume, IN_ROUND)
    design = Design(n, until(n, t, z), natural, auto(le(n, T)))
    y, most = design.times(PLAYED), RIDGE + n
    length, other = (instance(assume(UNITS), {"a": a}) for a in (did(n, t, z), did(b, t, z)))
    mixed = inner(OTHER, PLAYED)
    apart = sum_over(square(OTHER(i) - mixed * PLAYED(i)), "i", d)
    small = auto(le(0, 1 - mixed * mixed), apart, other, (mixed * mixed, length))
    of_V = instance(instance(form_in_run(), {}), {"vector": points(PLAYED)})
    own = auto(le(form(design.V, PLAYED, d), most), of_V, sum_over(small, "b", n), (RIDGE, length))
    values = {"N": design.names[""], "x": points(y), "act": points(PLAYED), "top": most}
    return instance(long_solution(), values, *design.positive, design.solves(PLAYED), own, length)


@lemma(OF_DESIGNS, *DESIGNS, UNITS, *IN_ROUND)
def determinant_by_the_clock() -> Theorem:
    """det V_n/(ridge + n) does not decrease."""
    old, new = determinant(n), determinant(n + 1)
    grows, low = instance(determinant_after(), {}), instance(least_norm(), {})
    some = auto(lt(0, old))
    high = auto(lt(0, RIDGE + n))
    return auto(le((RIDGE + n + 1) * old, (RIDGE + n) * new), (high, grows), (some, low))


@lemma(OF_DESIGNS + " enlargement last", *DESIGNS, *RARE, UNITS, *IN_ROUND)
def rounds_since() -> Theorem:
    """As ridge + n times the determinant of the last update is at most the determinant times ridge + its round."""
    m, of = var("m"), Round()
    pm, near = assume(nat(m)), assume(le(m + 1, n))
    says = lambda m: le((RIDGE + m) * determinant(LAST), (RIDGE + LAST) * determinant(m))  # noqa: E731
    claim = All((), (le(LAST, m), le(m, n)), says(m))
    none = antisymmetric(assume(le(LAST, 0)), nat_nonnegative(of.natural_last))
    at_last = lambda p: [same(p, "v", side) for side in says(var("v")).args]  # noqa: E731
    base = auto(says(term(0)), *at_last(none))
    in_time = auto(lt(m, t), near)
    grows = instance(determinant_by_the_clock(), {"n": m}, pm, in_time)
    known = instance(assume(claim), {}, assume(le(LAST, m)), auto(le(m, n), near))
    high = auto(lt(0, RIDGE + m), nat_nonnegative(pm))
    scale = (auto(le(0, RIDGE + m + 1), high), auto(le(0, RIDGE + LAST), nat_nonnegative(of.natural_last)))
    goal, inverse = says(m + 1), reciprocal(high)
    scaled = auto(le((RIDGE + m) * goal.args[0], (RIDGE + m) * goal.args[1]), (scale[0], known), (scale[1], grows))
    after = auto(goal, (weak(reciprocal_positive(high)), scaled), *((side, inverse) for side in goal.args))
    next_one = auto(le(m + 1, LAST), nat_nonnegative(nat_minus(pm, of.natural_last, assume(lt(m, LAST)))))
    begins = auto(goal, *at_last(antisymmetric(assume(le(LAST, m + 1)), next_one)))
    every = induction("m", base, cases(after, begins, LAST, m), claim)
    at_n = instance(instance(every, {"m": n}), {}, of.early)
    old = determinant(LAST)
    some = auto(lt(0, old))
    most = auto(le((RIDGE + n) * old, (1 + ENLARGED) * (RIDGE + LAST) * old), at_n, (scale[1], of.rare))
    return auto(le(RIDGE + n, (1 + ENLARGED) * (RIDGE + LAST)), (weak(reciprocal_positive(some)), most))


@proof
def updates_by_the_clock(statement: All) -> Theorem:
    """In every round."""
    return instance(rounds_since(), {"n": var("s")})
