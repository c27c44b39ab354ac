"""Proofs in the kernel about self-normalised sums: a potential that does not grow in the mean, round by round.

It is delta sqrt(ridge^d/det V) e^(|S|^2/2), the norm being that of V^-1. A round multiplies it by
e^((m Z + s Z^2/2)/(1 + s)) over the mean that this may have, for the noise Z, s = a V^-1 a and m = a V^-1 S.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from banditproof.verify.kernel.context import levels
from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.linear import in_each_round, one_subgaussian, rounds_tell_actions_and_rewards
from banditproof.verify.kernel.matrices import Vector, entry_of, form, place, positive_semidefinite
from banditproof.verify.kernel.rewards import did, earned, game
from banditproof.verify.kernel.self_normalised import (
    actions_are_short,
    columns,
    designs_are_resolved,
    inverse,
    log_volume,
    minors,
    noise_sum,
    regularised,
    runs_tell_their_beginnings,
    squared_norm,
    updates_as_the_volume_grows,
)
from banditproof.verify.theorems.matrices import d, inner, numbers, points, solves
from banditproof.verify.theorems.policies import picked, sum_over
from banditproof.verify.theorems.rank_one import greatest_volume, least_volume, norm, size_is_not_negative, volume
from banditproof.verify.theorems.squares import one_round, ordered_logs

RIDGE, DELTA, T, a, b, t, i, j = map(var, ("ridge", "delta", "T", "a", "b", "t", "i", "j"))
m, n, r, s, v, w, x, z = map(var, "mnrsvwxz")
NORM, VOLUME, MORE, LARGER = map(var, ("norm", "volume", "norm_after", "volume_after"))


def potential(norm: Any, volume: Any) -> Term:
    """delta e^((|S|^2 - log(det V/ridge^d))/2)."""
    return DELTA * exp((norm - volume) / 2)


@lemma("delta norm volume", lt(0, DELTA), lt(potential(NORM, VOLUME), 1))
def is_below() -> Theorem:
    """|S|^2 < 2 log(1/delta) + log(det V/ridge^d), where the potential is below 1."""
    L1, some = log(1 / DELTA), assume(lt(0, DELTA))
    grown = exp_monotone(auto(le(L1, (NORM - VOLUME) / 2), assume(le(2 * L1 + VOLUME, NORM))))
    value = exp_log(reciprocal_positive(some))
    large = auto(le(1, potential(NORM, VOLUME)), (DELTA, grown), (DELTA, value))
    return by_contradiction(lt(NORM, 2 * L1 + VOLUME), contradiction(large, assume(lt(potential(NORM, VOLUME), 1))))


CHANGE = (2 * r * m + r * r * s - m * m) / (1 + s)
SCALE = exp((VOLUME - NORM) / 2 + m * m / (1 + s) / 2 + log(1 + s) / 2) / DELTA


STEP_OF_ROUND = eq(MORE, NORM + CHANGE), le(log(1 + s) + VOLUME, LARGER), le(v, potential(MORE, LARGER))


@lemma("delta norm volume norm_after volume_after s m r v", lt(0, DELTA), le(0, s), *STEP_OF_ROUND)
def scaled() -> Theorem:
    """What the potential after a round allows, over the potential before it."""
    longer, larger, height = map(assume, STEP_OF_ROUND)
    exponent = exp_monotone(auto(le((MORE - LARGER) / 2, (NORM - VOLUME + CHANGE - log(1 + s)) / 2)))
    most, scale = (m * r + s * r * r / 2) / (1 + s), (auto(le(0, SCALE)), auto(le(0, SCALE * DELTA)))
    parts = (scale[0], height), (scale[1], exponent)
    return auto(le(v * SCALE, exp(most)), *parts)


LONGER = app("after", z, a, a, r)
OWN, KEPT = rounds_tell_actions_and_rewards(T)[1:3], rounds_tell_actions_and_rewards(T)[3:]
HERE = nat(n), lt(n, T)


def vector_of(name: Any) -> Vector:
    """The vector of an action by its name."""
    return lambda i: app("coordinate", name, i) / app("divisor", name)


def adds(value: Callable[[Any, Any], Term]) -> Theorem:
    """A sum over the rounds of values of action and reward has one more after a round."""
    at = {"i": n, "q": a}
    own = [instance(assume(f), at) for f in OWN]
    early = [instance(assume(f), at | {"j": b}, assume(nat(b)), assume(lt(b, n))) for f in KEPT]

    def of(pair: list[Theorem]) -> Theorem:
        """The value is that of the other side of the pair of equations."""
        names, rewards = (conclusion(p.conclusion).args for p in pair)
        first, second = same(pair[0], "w", value(w, rewards[0])), same(pair[1], "w", value(names[1], w))
        return auto(eq(0, value(names[0], rewards[0]) - value(names[1], rewards[1])), first, second)

    before = sum_over(of(early), "b", n)
    body = value(did(b, n + 1, LONGER), earned(b, n + 1, LONGER))
    total = lambda k, run: k * mean("b", uniform(k), value(did(b, k, run), earned(b, k, run)))  # noqa: E731
    more = uniform_next(assume(nat(n)), "b", body)
    return auto(eq(total(n + 1, LONGER), total(n, z) + value(code(a), r)), more, before, of(own))


K, ANY = var("spot"), numbers("vector")


@lemma("ridge n z did coordinate divisor dimension", nat(d))
def squares_of_design() -> Theorem:
    """x^T V x = ridge |x|^2 + the sum of <A_b, x>^2."""
    over, rounds = uniform(d), uniform(n)
    act = vector_of(did(b, n, z))
    body = ANY(i) * act(i) * act(j) * ANY(j)
    inside = mono(fubini("j", over, "b", rounds, body), "i", over)
    outside = fubini("i", over, "b", rounds, mean("j", over, body))
    unit_row = picked(ANY, K, d)
    row = conclusion(unit_row.conclusion).args[0] - ANY(K)
    rows = sum_over(auto(eq(0, ANY(K) * row), (ANY(K), unit_row)), "spot", d)
    along = inner(act, ANY)
    squares = sum_of(lambda b: substitute(along * along, {"b": b}), n, "b")
    goal = eq(form(regularised(RIDGE, n, z), ANY, d), RIDGE * inner(ANY, ANY) + squares)
    return for_all("vector", auto(goal, (n * d * d, inside), (n * d * d, outside), (RIDGE, rows)))


@lemma("ridge n z did coordinate divisor dimension", nat(d), nat(n), lt(0, RIDGE))
def form_of_design() -> Theorem:
    """ridge |x|^2 <= x^T V x."""
    whole = instance(instance(squares_of_design(), {}), {})
    goal = le(RIDGE * inner(ANY, ANY), form(regularised(RIDGE, n, z), ANY, d))
    return for_all("vector", auto(goal, whole))


RESOLVED, BEGINNINGS = designs_are_resolved(RIDGE, T, d), runs_tell_their_beginnings(T)
POSITIVE = lt(0, RIDGE), lt(0, DELTA), lt(DELTA, 1), nat(d), le(1, d), nat(T)
SUBGAUSSIAN = in_each_round(lambda i, z, a: one_subgaussian(law("noise", i, z, a)))
AFTER = rounds_tell_actions_and_rewards(T)
RUNS = "T ridge delta dimension noise did earned after coordinate divisor inverse columns minors large until"
ASSUMED = *POSITIVE, SUBGAUSSIAN, *AFTER, *BEGINNINGS, *RESOLVED


def log_potential(n: Any, z: Any) -> tuple[Term, Term]:
    return squared_norm(n, z, d), log_volume(RIDGE, n, z, d)


class Design:
    """V_n of a run z of n rounds: resolved, and at least ridge times the identity."""

    def __init__(self, n: Any, z: Any, *is_round: Theorem):
        self.n, self.z, self.V, self.G = n, z, regularised(RIDGE, n, z), inverse(n, z)
        self.facts = [instance(assume(f), {"t": n, "z": z}, *is_round) for f in RESOLVED[3:]]
        self.names = {"": fn("i j", self.V(i, j)), "C_": fn("i j", columns(n, z)(i, j)), "m_": fn("i", minors(n, z)(i))}
        self.above = instance(form_of_design(), {"n": n, "z": z}, is_round[0])
        symmetric, forms = positive_semidefinite(self.V, d)
        of_all = for_all("vector", auto(conclusion(forms), instance(self.above)))
        self.positive = for_all("i r", auto(conclusion(symmetric)), *place(i, var("r"), size=d)), of_all
        values = {f"{name}M": value for name, value in self.names.items()}
        most = instance(least_volume(), values, self.above, *self.facts[1:])
        self.least, power = most, exp_positive(d * log(RIDGE))
        self.volume = exp_log(product(auto(lt(0, minors(n, z)(d))), reciprocal_positive(power)))

    def times(self, x: Vector) -> Vector:
        """V^-1 x."""
        return lambda i: entry_of(self.G, x, i, d)

    def solves(self, x: Vector) -> Theorem:
        values = {"G": fn("i j", self.G(i, j)), "M": self.names[""], "x": points(x)}
        return instance(solves(), values, self.facts[0])


ROUND = *HERE, le(n + 1, T)
HEIGHT = app("f", LONGER)
OF_ROUND = All(("r",), (), le(0, HEIGHT)), All(("r",), (), le(HEIGHT, potential(*log_potential(n + 1, LONGER))))


@lemma(RUNS + " n z a f", *ASSUMED, *ROUND, *OF_ROUND)
def after_a_round() -> Theorem:
    """The potential does not grow in the mean, whatever the action."""
    natural, below, room = map(assume, ROUND)
    act, old = vector_of(code(a)), Design(n, z, natural, auto(le(n, T)))
    new = Design(n + 1, LONGER, nat_next(natural), room)
    sums, sums_after = noise_sum(n, z), noise_sum(n + 1, LONGER)
    x, y, u = old.times(act), old.times(sums), new.times(sums_after)
    values = {f"{name}{side}": one.names[name] for side, one in (("N", old), ("M", new)) for name in one.names}
    vectors = {"act": act, "x": x, "y": y, "u": u, "vec": sums, "more": sums_after}
    values |= {name: points(v) for name, v in vectors.items()} | {"eta": r}
    entries = adds(lambda name, reward: vector_of(name)(i) * vector_of(name)(j))
    one_more = for_all("i j", auto(eq(new.V(i, j), old.V(i, j) + act(i) * act(j)), entries), *place(i, j, size=d))
    noisy = auto(eq(sums_after(i), sums(i) + r * act(i)), adds(lambda name, reward: vector_of(name)(i) * reward))
    one_noise = for_all("i", noisy, *place(i, size=d))
    of_act, of_sum, of_both = old.solves(act), old.solves(sums), new.solves(sums_after)
    names, resolved = (assume(nat(d)), *old.positive), (*new.facts[1:], *old.facts[1:])
    larger = instance(volume(), values, assume(le(1, d)), *names, of_act, one_more, *resolved)
    longer = instance(norm(), values, *names, of_act, of_sum, one_more, one_noise, of_both)
    low = instance(size_is_not_negative(), values, *names, of_act)
    (before, ell), (after, ell_after) = log_potential(n, z), log_potential(n + 1, LONGER)
    size, tilt = inner(act, x), inner(act, y)
    grown, power = exp_log(auto(lt(0, 1 + size), low)), exp(-d * log(RIDGE))
    facts = (exp(ell), grown), (1 + size, old.volume), new.volume, (power, larger)
    logs = ordered_logs(auto(le(exp(log(1 + size) + ell), exp(ell_after)), *facts))
    scalars = {"norm": before, "volume": ell, "norm_after": after, "volume_after": ell_after, "s": size, "m": tilt}
    low_height, height = (instance(assume(f), {}) for f in OF_ROUND)
    scale = substitute(SCALE, scalars)
    most = instance(scaled(), scalars | {"v": HEIGHT}, low, longer, logs, height)
    least = auto(le(0, HEIGHT * scale), (auto(le(0, scale)), low_height))
    drawn, M = law("noise", n, z, a), mean("r", law("noise", n, z, a), HEIGHT)
    noise = instance(assume(SUBGAUSSIAN), {"i": n})
    of = {"X": fn("", drawn), "s": size, "m": tilt, "g": fn("r", HEIGHT * scale)}
    bound = instance(one_round(), of, noise, low, for_all("r", least), for_all("r", most))
    back = DELTA * exp((before - ell) / 2 - tilt * tilt / (1 + size) / 2 - log(1 + size) / 2)
    return auto(le(M, potential(before, ell)), (back, bound))


def until(t: Any, k: Any, z: Any) -> Term:
    return app("until", t, k, z)


def is_small(t: Any, z: Any) -> Rel:
    norm, volume = log_potential(t, z)
    return lt(norm, 2 * log(1 / DELTA) + volume)


def small_now(n: Any, z: Any, _: Theorem) -> Theorem:
    """|S_n|^2 is below, where the potential is below 1."""
    length, size = log_potential(n, z)
    return instance(is_below(), {"norm": length, "volume": size}, assume(lt(potential(*log_potential(n, z)), 1)))


def is_run(n: Any, z: Any) -> Rel:
    """z is a run of n rounds."""
    return eq(until(n, n, z), z)


def carried(equation: Theorem, name: str, of: Formula, known: Theorem) -> Theorem:
    """What is said of the right side of an equation, from the same of its left side."""
    left, right = equation.conclusion.args  # type: ignore[union-attr]
    if name not in free_in(of):
        return known
    if isinstance(of, Rel):
        return auto(replace(of, {name: right}), known, *(same(equation, name, side) for side in of.args))
    assert isinstance(of, All)
    own = {p: var(f"{p}_own") for p in of.params}  # that the equation does not name
    before, then = [replace(g, own) for g in of.given], replace(of.then, own)
    back, given = auto(eq(right, left), equation), [replace(g, {name: right}) for g in before]
    shown = [carried(back, name, g, assume(h)) for g, h in zip(before, given, strict=True)]
    at = instance(known, dict(zip(known.conclusion.params, own.values(), strict=True)), *shown)  # type: ignore[union-attr]
    return for_all(" ".join(v.args[0] for v in own.values()), carried(equation, name, then, at), *given)


@dataclass(frozen=True)
class Falling:
    """A potential of the runs of T rounds that does not grow in the mean; where it is below 1, `says` holds.

    `now` shows so of round n, and `falls` that the mean of f after one round more is at most the potential, from what f
    is at most then. `begins` shows that it is at most `most` at the start. All runs z of n rounds have the `invariant`,
    which `goes_on` shows of the longer run.
    """

    runs: Term
    value: Callable[[Any, Any], Term]
    most: Term
    says: Callable[[Any, Any], Formula]
    now: Callable[[Any, Any, Theorem], Theorem]
    falls: Callable[..., Theorem]
    begins: Callable[[], Theorem]
    invariant: Callable[[Any, Any], tuple[Formula, ...]] = lambda n, z: ()
    goes_on: Callable[[], list[Theorem]] = list
    has_begun: Callable[[], list[Theorem]] = list

    def below_until(self, last: Rel, k: Any, z: Any) -> All:
        """It says so of all rounds t with t + 1 <= k, or t <= k: of the first t rounds of a run z of k rounds."""
        return All(("t",), (nat(t), last), self.says(t, until(t, k, z)))

    def up_to_now(self, n: Any, z: Any, natural: Theorem, within: Theorem) -> Theorem:
        """From all rounds before n and from round n: all rounds up to n, of a run of n rounds."""
        before, whole, known = self.below_until(le(t + 1, n), n, z), self.below_until(le(t, n), n, z), assume(nat(t))
        later = auto(le(t + 1, n), nat_nonnegative(nat_minus(known, natural, assume(lt(t, n)))))
        here = antisymmetric(assume(le(n, t)), assume(le(t, n)))
        whole_run = carried(
            auto(eq(z, until(n, n, z)), assume(is_run(n, z))), "w", self.says(n, w), self.now(n, z, within)
        )
        at_end = carried(here, "v", self.says(v, until(v, n, z)), whole_run)
        earlier = instance(assume(before), {}, known, later)
        if isinstance(whole.then, All):  # a case is a relation
            names, given, _ = parts_of(whole.then)
            ends = [instance(p, {}, *map(assume, given)) for p in (at_end, earlier)]
            return for_all("t", for_all(names, cases(*ends, n, t), *given), *whole.given)
        return for_all("t", cases(at_end, earlier, n, t), *whole.given)

    def seldom_reaches(self, statement: All) -> Theorem:
        """A function of runs of n rounds has a mean of at most `most`, if it is at most 1, and at most the potential
        where nothing failed in an earlier round."""
        names, _, start, step = self.runs.args
        f, pn, enough = app("f", z), assume(nat(n)), assume(le(n + 1, T))
        policy, told = (substitute(one, {names[0]: n}) for one in (step.args[1], step.args[2].args[1]))

        def not_yet(m: Any) -> tuple[Formula, ...]:
            return is_run(m, z), *self.invariant(m, z), self.below_until(le(t + 1, m), m, z)

        def given(m: Any) -> tuple[Formula, ...]:
            height = le(f, self.value(m, z))
            return le(m, T), All(("z",), (), le(0, f)), All(("z",), (), le(f, 1)), All(("z",), not_yet(m), height)

        def says(m: Any) -> Rel:
            return le(mean("z", Term("steps", (names, term(m), start, step)), f), self.most)

        claim, below = All(("f",), given(n), says(n)), auto(lt(n, T), enough)
        # no round
        no_round = self.below_until(le(t + 1, 0), term(0), start)
        none = contradiction(assume(le(t + 1, 0)), nat_nonnegative(assume(nat(t))))
        around, false = levels(no_round)[1:], absurd(none, conclusion(no_round))
        for one in reversed(around):
            false = for_all(" ".join(one.params), false, *one.given)
        never = for_all("t", false, *no_round.given)
        at_start = instance(assume(given(0)[3]), {"z": start}, *self.has_begun(), never)
        base = auto(says(0), steps_zero("z", f, *names, start, step), at_start, self.begins())
        # one round more
        low, high, not_long = map(assume, given(n + 1)[1:])
        ends = [for_all("z", mono(mono(instance(g, {"z": LONGER}), "r", told), "a", policy)) for g in (low, high)]
        so_far, soon = self.up_to_now(n, z, pn, auto(le(n, T), enough)), auto(le(t, n), assume(le(t + 1, n + 1)))
        at_n = {"i": n, "z": z, "a": a, "q": a, "r": r}
        kept = instance(assume(BEGINNINGS[2]), at_n | {"t": t}, assume(nat(t)), pn, soon, below)
        kept = auto(eq(*reversed(kept.conclusion.args)), kept)  # type: ignore[union-attr]
        earlier = carried(kept, "w", self.says(t, w), instance(so_far, {}, assume(nat(t)), soon))
        later = for_all("t", earlier, *self.below_until(le(t + 1, n + 1), n + 1, LONGER).given)
        whole = instance(assume(BEGINNINGS[1]), at_n, pn, below)
        heights = (
            for_all("r", instance(low, {"z": LONGER})),
            for_all("r", instance(not_long, {"z": LONGER}, whole, *self.goes_on(), later)),
        )
        shrunk, value = mean("a", policy, mean("r", told, app("f", LONGER))), self.value(n, z)
        large = auto(le(shrunk, value), instance(ends[1]), assume(le(1, value)))
        grows = self.falls(pn, below, enough, *heights)
        most = for_all("z", cases(large, auto(le(shrunk, value), grows), term(1), value), *not_yet(n))
        known = instance(assume(claim), {"f": fn("z", shrunk)}, auto(le(n, T), enough), *ends, most)
        more = steps_next(pn, "x", app("f", x), *names, start, step)
        every = induction("n", base, auto(says(n + 1), more, known), claim, at=T)
        # after the last one
        A, last = app("A", z), self.value(T, z)
        low, high = bounds_of_event(A, instance(assume(event("A")), {"x": z}))
        none = instance(assume(statement.given[1]), {}, self.up_to_now(T, z, assume(nat(T)), auto(le(T, T))))
        small = auto(le(A, last), none)
        held = cases(auto(le(A, last), high, assume(le(1, last))), small, term(1), last)
        ends = [for_all("z", end) for end in (low, high)]
        return instance(every, {"f": fn("z", A)}, *ends, for_all("z", held, *not_yet(T)))


@proof
def self_normalised_bound(statement: All) -> Theorem:
    """By its potential."""
    runs = game(lambda t, h: law("pi", t, h), lambda t, z, a: law("noise", t, z, a), T)

    def falls(*facts: Theorem) -> Theorem:
        policy = law("pi", n, app("told", z))
        return mono(instance(after_a_round(), {}, *map(assume, ASSUMED), *facts), "a", policy)

    def begins() -> Theorem:
        nothing, start = term(0), runs.args[2]
        first = Design(nothing, start, nat_zero(), auto(le(0, T)))
        zero, ell = log_potential(nothing, start)
        flat = ordered_logs(auto(le(exp(nothing), exp(ell)), first.volume, (exp(-d * log(RIDGE)), first.least)))
        lowest = exp_monotone(auto(le((zero - ell) / 2, 0), flat))
        return auto(le(potential(zero, ell), DELTA), (DELTA, lowest))

    value = lambda n, z: potential(*log_potential(n, z))  # noqa: E731
    return Falling(runs, value, DELTA, is_small, small_now, falls, begins).seldom_reaches(statement.then)  # type: ignore[arg-type]


SHORT, GROWTH = actions_are_short(d), (RIDGE * d + n) / (RIDGE * d)
OF_DESIGNS = "T ridge dimension did coordinate divisor inverse columns minors large"


@lemma(OF_DESIGNS + " n z", nat(d), le(1, d), lt(0, RIDGE), *RESOLVED, SHORT, nat(n), le(n, T))
def volume_of_short() -> Theorem:
    """log(det V/ridge^d) <= d log((ridge d + n)/(ridge d)) for vectors of length 1 at most: by the trace of V."""
    D, act = Design(n, z, *map(assume, (nat(n), le(n, T)))), vector_of(did(b, n, z))
    width, known, axes = RIDGE * GROWTH, assume(nat(d)), auto(lt(0, RIDGE * d))
    grown = product(auto(lt(0, RIDGE * d + n)), reciprocal_positive(axes))
    some = product(assume(lt(0, RIDGE)), grown)
    values = {"M": D.names[""], "C_M": D.names["C_"], "m_M": D.names["m_"], "width": width}
    most = instance(greatest_volume(), values, known, *D.positive, *D.facts[1:], some)
    short = sum_over(auto(le(0, 1 - inner(act, act)), instance(assume(SHORT), {"a": did(b, n, z)})), "b", n)
    swapped = fubini("i", uniform(d), "b", uniform(n), act(i) * act(i))
    trace = sum_of(lambda i: D.V(i, i), d, "i")
    small = auto(le(trace, width * d), short, (n * d, swapped))
    inverse, cost = reciprocal_positive(some), exp(d * log(width) + trace / width - d)
    level = auto(le(trace / width - d, 0), (weak(inverse), small))
    parts = exp_log(assume(lt(0, RIDGE))), exp_log(grown)
    log_width = auto(
        le(exp(log(width)), exp(log(RIDGE) + log(GROWTH))),
        exp_log(some),
        (exp(log(RIDGE)), parts[1]),
        (GROWTH, parts[0]),
    )
    flat = auto(
        le(cost.args[0], d * log(RIDGE) + d * log(GROWTH)), level, (nat_nonnegative(known), ordered_logs(log_width))
    )
    goal = le(exp(log_volume(RIDGE, n, z, d)), exp(d * log(GROWTH)))
    return ordered_logs(auto(goal, D.volume, (exp(-d * log(RIDGE)), most), (exp(-d * log(RIDGE)), exp_monotone(flat))))


@proof
def volumes_of_short(statement: All) -> Theorem:
    """By the trace, after any number of rounds."""
    return instance(volume_of_short(), {"n": t})


ENLARGED = var("enlargement")


def most_volume(n: Any) -> Term:
    return d * substitute(log(GROWTH), {"n": term(n)})


@lemma("n ridge dimension", nat(n), lt(0, RIDGE), nat(d), le(1, d))
def volume_may_grow() -> Theorem:
    """d log((ridge d + n)/(ridge d)) increases with n, from 0 on."""
    axes = auto(lt(0, RIDGE * d))
    inverse, logs = reciprocal_positive(axes), []
    for m in (n, n + 1):
        logs.append(exp_log(product(auto(lt(0, RIDGE * d + m)), inverse)))
    larger = log(substitute(GROWTH, {"n": n + 1}))
    grows = ordered_logs(auto(le(exp(log(GROWTH)), exp(larger)), *logs))
    return auto(le(most_volume(n), most_volume(n + 1)), (nat_nonnegative(assume(nat(d))), grows))


@proof
def few_updates(statement: All) -> Theorem:
    """Each of them adds log(1 + C) at least to log(det V/ridge^d), which is at most that of the trace."""
    _, none, unmarked, more, marks = map(assume, updates_as_the_volume_grows(ENLARGED, RIDGE, T, d))
    level, marked = log(1 + ENLARGED), lambda n, z: app("marked", n, z, 0) / app("marked", n, z, 1)
    pn, room, before = assume(nat(n)), assume(le(n + 1, T)), until(n, n + 1, z)
    here, now = (pn, auto(lt(n, T), room)), log_volume(RIDGE, n + 1, z, d)
    after = [instance(f, {"t": n}, *here) for f in (more, marks)]
    stays, grows = assume(le(now, marked(n, before) + level)), assume(lt(marked(n, before) + level, now))
    volume = instance(volume_of_short(), {"n": n + 1}, nat_next(pn), room)

    gap = now - marked(n, before)
    facts = [(level, after[0]), after[1], volume, instance(volume_may_grow(), {}, pn)]
    cases_of = [(stays, at_most(stays)), (grows, not_at_most(grows))]

    def in_all(says: Callable[[Any, Any], Rel], begins: Sequence[Fact]) -> Theorem:
        """What is said of all runs of n <= T rounds: the volume grows after a round, or else nothing changes."""
        claim = All((), (le(n, T),), All(("z",), (), says(n, z)))
        known = instance(instance(assume(claim), {}, auto(le(n, T), room)), {"z": before})
        step = [auto(says(n + 1, z), known, *facts, p, (level, q), (gap, q)) for p, q in cases_of]
        base = auto(says(term(0), z), instance(unmarked, {}), *begins)
        return instance(induction("n", base, cases(*step, now, marked(n, before) + level), claim), {"n": t})

    few = in_all(lambda n, z: le(app("updates", n, z) * level, marked(n, z)), [(level, instance(none, {}))])
    axes = auto(lt(0, RIDGE * d))
    flat = reciprocal(axes), exp_log(product(axes, reciprocal_positive(axes)))
    none_yet = (
        nat_nonnegative(assume(nat(d))),
        ordered_logs(auto(le(exp(term(0)), exp(substitute(log(GROWTH), {"n": term(0)}))), *flat)),
    )
    low = in_all(lambda n, z: le(marked(n, z), most_volume(n)), [none_yet])
    both = [instance(instance(p, {}), {}) for p in (few, low)]
    return auto(conclusion(statement), *both)
