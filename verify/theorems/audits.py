"""Proofs in the kernel about privacy audits: what is seen in runs of a mechanism, and what follows for its budget."""

from __future__ import annotations

from typing import Any

from banditproof.verify.kernel.audits import Rounds, Runs, last_parameter, run_of_parameters, seen
from banditproof.verify.kernel.language import *
from banditproof.verify.theorems.games import GAME, Private, attack
from banditproof.verify.theorems.hoeffding import two_values
from banditproof.verify.theorems.subgaussian import samples, tail_of_subgaussian, turned
from banditproof.verify.theorems.testing import chord

T, d, e, o, t, u, v, x, epsilon = map(var, ("T", "d", "e", "o", "t", "u", "v", "x", "epsilon"))


def chances_are_close(statement: All, given: Any) -> tuple[Theorem, Theorem]:
    """p <= e^epsilon q + delta, and the same of q and p."""
    private = next(assume(g) for g in statement.given if isinstance(g, All) and "A" in g.params)
    there = instance(assume(symmetric_neighbours()))
    return instance(private), instance(private, {"d": e, "e": d}, there)


@proof
def real_chances(statement: All) -> Theorem:
    """The definition at the event, divided by the smaller chance: e^(t - epsilon) is at most 1."""
    _, given, inner = parts_of(statement.then)
    some, ratio = map(assume, inner.given)
    q = some.conclusion.args[1]  # type: ignore[union-attr]
    here = instance(assume(statement.given[-1]), {})
    inverse = reciprocal_positive(some)
    scaled = auto(le(exp(t) * q, exp(epsilon) * q), here)
    steep = auto(le(exp(t), exp(epsilon)), (inverse, scaled))
    return auto(inner.then, exp_tangent(t - epsilon), (exp(-epsilon), steep))


def inside(share: Term, chance: Term, radius: Any) -> tuple[Term, Term]:
    """That a share is not above the chance by more than the radius, and not below."""
    return Term("ind", (share - chance, term(radius))), Term("ind", (chance - share, term(radius)))


def is_event(*events: Term) -> Theorem:
    """A product of indicators is 0 or 1: one factor after the other is its square."""
    whole, facts = times_of(*events), []
    for k, one in enumerate(events):
        behind = times_of(*events[k + 1 :])
        facts.append((times_of(*events[:k]) * behind * behind, indicator(*one.args, 0)))
    return auto(eq(whole * whole, whole), *facts)


def times_of(*factors: Term) -> Term:
    found = term(1)
    for factor in factors:
        found = found * factor
    return found


@proof
def within_radii(statement: All) -> Theorem:
    """Where both shares are within their radii, the estimate is no larger than what the chances show."""
    _, given, inner = parts_of(statement.then)
    runs, radii = Runs(mechanism, T), (var("first_radius"), var("second_radius"))
    delta = var("delta") if "delta" in statement.params else term(0)
    closer = chances_are_close(statement, given)
    (p, q), (P, Q), (r, s) = runs.shares, runs.chances, radii
    (p_high, p_low), (q_high, q_low) = inside(p, P, r), inside(q, Q, s)
    whole = p_high * p_low * q_high * q_low
    sides = (p - delta - r, exp(epsilon) * (q + s)), (q - delta - s, exp(epsilon) * (p + r))
    small = Term("ind", sides[0]) * Term("ind", sides[1])
    goal = le(whole, small)
    all_inside = bounds_of_event(whole, is_event(p_high, p_low, q_high, q_low))[1]

    def impossible(high: Term, low: Term, side: tuple[Term, Term], close: Theorem) -> Theorem:
        """One share is not far above and the other not far below, or else the estimate is small."""
        above = assume(lt(side[1], side[0]))
        zeros = []
        for one in (high, low):
            others = times_of(*(other for other in (p_high, p_low, q_high, q_low) if other is not one))
            zeros.append(auto(goal, (-others, not_at_most(assume(lt(one.args[1], one.args[0]))))))
        not_high, not_low = (assume(le(*one.args)) for one in (high, low))
        false = contradiction(above, auto(le(*side), not_high, (exp(epsilon), not_low), close))
        return cases(cases(absurd(false, goal), zeros[1], *low.args), zeros[0], *high.args)

    ones = [at_most(assume(le(*side))) for side in sides]
    both = auto(goal, all_inside, (-Term("ind", sides[1]), ones[0]), (term(-1), ones[1]))
    second = cases(both, impossible(q_high, p_low, sides[1], closer[1]), *sides[1])
    point = cases(second, impossible(p_high, q_low, sides[0], closer[0]), *sides[0])
    first, other = (seen(law_, T) for law_ in runs.laws)
    return auto(inner.then, mono(mono(point, "v", other), "u", first))


@proof
def within_radii_of_errors(statement: All) -> Theorem:
    """Where neither proportion is far below its error, the estimate is no larger than what the errors show."""
    _, given, inner = parts_of(statement.then)
    game, errors, radii = (
        Private(statement),
        (var("false_alarm"), var("missed")),
        (var("first_radius"), var("second_radius")),
    )
    rounds, growth = Rounds(GAME, attack, T), weak(exp_positive(epsilon))
    alpha, beta = game.errors(given)
    steep = [alpha, beta, (exp(epsilon), alpha), (exp(epsilon), beta)]
    closer = (
        auto(le(1 - game.delta - errors[1], exp(epsilon) * errors[0]), game.guessed_inside(), *steep),
        auto(le(1 - game.delta - errors[0], exp(epsilon) * errors[1]), game.guessed_outside(), *steep),
    )
    parts = [
        Term("ind", (sign * (wrong - error * many), r * many))
        for many, wrong, error, r in zip(rounds.rounds, rounds.wrong, errors, radii, strict=True)
        for sign in (1, -1)
    ]
    whole, sides = times_of(*parts), rounds.sides(epsilon, game.delta, radii)
    goal = le(whole, times_of(*(Term("ind", side) for side in sides)))
    none = {}
    all_inside = bounds_of_event(whole, is_event(*parts))[1]
    not_negative = [some_rounds(many) for many in rounds.rounds]
    for k in (1, 3):
        others = times_of(*(part for i, part in enumerate(parts) if i != k))
        none[k] = auto(goal, (-others, not_at_most(assume(lt(*parts[k].args[::-1])))))
    kept = [assume(le(*parts[k].args)) for k in (1, 3)]

    def impossible(k: int) -> Theorem:
        """Neither proportion is far below, or else the estimate is small."""
        many, other = not_negative[1 - k], not_negative[k]
        scaled = product(growth, many)
        below = auto(le(*sides[k]), (other, kept[1 - k]), (product(many, other), closer[k]), (scaled, kept[k]))
        false = absurd(contradiction(assume(lt(*sides[k][::-1])), below), goal)
        return cases(cases(false, none[3], *parts[3].args), none[1], *parts[1].args)

    ones = [at_most(assume(le(*side))) for side in sides]
    both = auto(goal, all_inside, (-Term("ind", sides[1]), ones[0]), (term(-1), ones[1]))
    point = cases(cases(both, impossible(1), *sides[1]), impossible(0), *sides[0])
    return auto(inner.then, mono(point, "v", rounds.law))


def some_rounds(count: Term) -> Theorem:
    """A number of rounds is not negative."""
    event_of = count.args[1].args[2]  # of the mean, whose multiple the count is
    low = mono(bounds_of_event(event_of, is_event(*event_of.args))[0], "j", law("Unif", T))
    return product(nat_nonnegative(assume(nat(T))), low)


def centred(data: Term) -> Term:
    """The law of 1[o in A] less its mean."""
    chance = mean("x", mechanism(data), app("A", x))
    return Term("mix", (("o",), mechanism(data), Term("dirac", (app("A", o) - chance,))))


def events_are_subgaussian(data: Term) -> Theorem:
    """1[o in A] less its mean has the square 1/4."""
    law_of, A = mechanism(data), app("A", o)
    names, given, goal = parts_of(subgaussian(centred(data), term(1) / 4))
    p = mean("x", law_of, app("A", x))
    low, high = bounds_of_event(A, instance(assume(event("A")), {"x": o}))
    below = instance(assume(given[1]), {"x": A - p})
    above = auto(le(app("g", A - p), exp(-p * t) * (1 - A + A * exp(t))), below, (exp(-p * t), chord(A, low, high, t)))
    two = instance(two_values(), {"p": p, "s": t}, mono(high, "o", law_of))
    return for_all(names, auto(goal, mono(above, "o", law_of), two), *given)


def counts_are_sums(data: Term) -> Theorem:
    """E F(count - T p) = E F(sum of the centred ones), for all F."""
    n, one, F = var("n"), mechanism(data), lambda value: app("F", value)
    p, A = mean("x", one, app("A", x)), app("A", o)
    counted, summed = seen(one, n), sum_of_all(lambda i: centred(data), n)
    says = eq(mean("x", counted, F(x - n * p)), mean("x", summed, F(x)))
    claim = All(("F",), (), says)
    steps = [law_.args[3] for law_ in (counted, summed)]
    bodies = F(x - n * p), F(x)
    none = [
        steps_zero("x", substitute(body, {"n": term(0)}), "i", "h", term(0), step)
        for body, step in zip(bodies, steps, strict=True)
    ]
    base = auto(substitute_in(says, 0), *none)
    pn = assume(nat(n))
    more = [
        steps_next(pn, "x", substitute(body, {"n": n + 1}), "i", "h", term(0), step)
        for body, step in zip(bodies, steps, strict=True)
    ]
    before = instance(assume(claim), {"F": fn("h", mean("o", one, F(var("h") + A - p)))})
    return induction("n", base, auto(substitute_in(says, n + 1), *more, before), claim, at=T)


def substitute_in(says: Any, n: Any) -> Any:
    return eq(*(substitute(side, {"n": term(n)}) for side in says.args))


def missed(data: Term, sign: int, C: Term, root: Term) -> Theorem:
    """P(sign (share - p) > C/root) <= e^(-2 C^2), where root root = T."""
    some = assume(lt(0, root))
    level, quarter = root * C, T / 4
    summed = sum_of_all(lambda i: centred(data), T)
    known = instance(
        instance(samples(), {"X": fn("", centred(data)), "v1": term(1) / 4}, events_are_subgaussian(data)), {"n": T}
    )
    if sign < 0:
        known = instance(turned(), {"X": fn("", summed), "v1": quarter}, known)
        summed = multiple(-1, summed)
    not_below = product(weak(some), assume(le(0, C)))
    conditions = auto(lt(0, quarter)), not_below, known
    rare = instance(tail_of_subgaussian(), {"X": fn("", summed), "v1": quarter, "level": level}, *conditions)
    power = exp_equal(auto(eq(-level * level / (2 * quarter), -2 * C * C)))
    count, p = var("k"), mean("x", mechanism(data), app("A", x))
    far = Term("ind", (level, sign * (count - T * p)))
    moved = instance(counts_are_sums(data), {"F": fn("x", Term("ind", (level, sign * x)))})
    near = Term("ind", (sign * (count / T - p), C / root))
    goal = le(1 - near, far)
    inside_, outside = assume(le(*near.args)), assume(lt(*near.args[::-1]))
    apart = auto(le(level, sign * (count - T * p)), (T, outside))
    point = cases(auto(goal, at_most(inside_)), auto(goal, at_most(apart)), *near.args)
    averaged = mono(point, "k", seen(mechanism(data), T))
    left = averaged.conclusion.args[0]  # type: ignore[union-attr]
    return auto(le(left, exp(-2 * C * C)), averaged, moved, rare, power)


@proof
def hoeffding_radii(statement: All) -> Theorem:
    """Four tails, two of each share."""
    C, root = var("C"), var("root")
    runs = Runs(mechanism, T)
    tails = [missed(data, sign, C, root) for data in (d, e) for sign in (1, -1)]
    nears = [*inside(runs.shares[0], runs.chances[0], C / root), *inside(runs.shares[1], runs.chances[1], C / root)]
    facts, last = [], auto(le(0, 0))
    for k, near in enumerate(nears):
        rest, before = auto(le(0, 1 - near)), times_of(*nears[:k])
        facts.append(product(last, rest))
        last = auto(le(0, 1 - before * near), last)
    done = times_of(*nears)
    point = auto(le(1 - done, sum((1 - near for near in nears), term(0))), *facts)
    first, other = (seen(law_, T) for law_ in runs.laws)
    return auto(conclusion(statement), mono(mono(point, "v", other), "u", first), *tails)


# ----------------------------------------------------------------------------------------------------- tests


@proof
def rejected_guess(statement: All) -> Theorem:
    """A guess that is at most epsilon is not too large; if it is above, the mechanism meets the hypothesis too."""
    level, private = map(assume, statement.given[-2:])
    guess = var("tested")
    c, goal = var("c"), statement.then
    reject, (_, queried, rest) = equal(c, 1), goal.args[0].args  # type: ignore[union-attr]
    decision = rest.args[1]
    _, high = bounds_of_event(reject, equal_is_event(c, 1))

    def averaged(p: Theorem) -> Theorem:
        return mono(mono(p, "c", decision), "z", queried)

    small, above = assume(le(guess, epsilon)), assume(lt(epsilon, guess))
    never = averaged(at_most(auto(le(guess * reject, epsilon), small, high)))
    harmless = auto(goal, never)

    _, given, close = parts_of(private.conclusion)
    steeper = exp_monotone(auto(le(epsilon, guess), above))
    A = app("A", x)
    not_negative = mono(bounds_of_event(A, instance(assume(given[1])))[0], "x", mechanism(e))
    here = instance(private, {}, *map(assume, given))
    weaker = auto(le(close.args[0], exp(guess) * mean("x", mechanism(e), A)), here, (not_negative, steeper))  # type: ignore[union-attr]
    of_M = instance(level, {"channel": fn("d", mechanism(d))}, weaker)
    larger = Term("ind", (guess * reject, epsilon))
    event_is_one = le(1 - larger, reject)
    is_small, is_large = assume(le(guess * reject, epsilon)), assume(lt(epsilon, guess * reject))
    nothing, some = assume(le(reject, 0)), assume(lt(0, reject))
    false = absurd(contradiction(is_large, nothing), event_is_one)
    inverse = reciprocal(some)
    certain = auto(event_is_one, equal_is_event(c, 1), inverse)
    rejects = cases(false, certain, reject, term(0))
    point = cases(auto(event_is_one, at_most(is_small)), rejects, *larger.args)
    return cases(harmless, auto(goal, averaged(point), of_M), guess, epsilon)


# ---------------------------------------------------------------------------------------------- what an auditor sees


@proof
def last_of_all(statement: All) -> Theorem:
    """An event of the last parameter is one of all parameters: of what stands second in the run."""
    inner = parts_of(statement.then)[2]
    known, rule = assume(inner.given[0]), assume(statement.given[-1])
    events, conditions, goal = parts_of(inner.then)
    last = app("second", x)
    here = instance(known, {"A": fn("x", app("A", last))}, instance(assume(conditions[0]), {"x": last}))
    moved = [instance(last_is_chain(rule, data, var("start")), {"F": fn("x", app("A", x))}) for data in (d, e)]
    return for_all(events, auto(goal, here, *moved), *conditions)


def last_is_chain(rule: Theorem, data: Term, start: Any) -> Theorem:
    """E F(second(run)) = E F(last parameter), for all F, by induction over the steps."""
    n, F = var("n"), lambda value: app("F", value)
    update = lambda i, h, data: law("update", i, h, data)  # noqa: E731
    runs, chain = run_of_parameters(update, start, data, n), last_parameter(update, start, data, n)
    bodies = F(app("second", x)), F(x)
    says = eq(*(mean("x", one, body) for one, body in zip((runs, chain), bodies, strict=True)))
    claim = All(("F",), (), says)
    at_start = same(instance(rule, {"h": var("empty"), "y": start}), "v", F(v))
    none = [steps_zero("x", body, "i", "h", *one.args[2:]) for one, body in zip((runs, chain), bodies, strict=True)]
    base = auto(substitute_in(says, 0), *none, at_start)
    pn, h, y = assume(nat(n)), var("h"), var("y")
    more = [steps_next(pn, "x", body, "i", "h", *one.args[2:]) for one, body in zip((runs, chain), bodies, strict=True)]
    here = mono(same(instance(rule), "v", F(v)), "y", law("update", n, app("second", h), data))
    kept = mono(here, "h", runs)
    before = instance(assume(claim), {"F": fn("h", mean("y", law("update", n, h, data), F(code(y))))})
    return induction("n", base, auto(substitute_in(says, n + 1), *more, kept, before), claim, at=T)
