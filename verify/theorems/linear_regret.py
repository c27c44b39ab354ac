"""Proofs in the kernel of what regret is where rewards are what an action is worth and 1-subgaussian noise.

The sum of the noise of n rounds has E e^(t N) <= e^(n t^2/2) for all t, by induction. So its mean is 0: from
1 + t N <= e^(t N) what is lost and the regret differ by (e^(T t^2/2) - 1)/t at most, for t = 2^-k and all k.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.linear import (
    Real,
    gaps_are_not_negative,
    in_context,
    in_printed_set,
    lost,
    noise_is_subgaussian,
    rounds_tell_actions_and_rewards,
    runs_with_noise,
    sum_of_gaps,
)
from banditproof.verify.kernel.meanings import Quotient
from banditproof.verify.kernel.policies import Policy
from banditproof.verify.kernel.rewards import OF_THE_SUM, did, earned, integral, part
from banditproof.verify.theorems.hoeffding import half_is_less, in_the_limit
from banditproof.verify.theorems.policies import mean_over
from banditproof.verify.theorems.regret import Smaller, at, below, part_is_not_negative, parts_differ, smaller

a, i, j, k, n, r, t, u, z, T = map(var, "aijknrtuzT")
L = log(2)
GAP = Quotient("gap").at


def NOISE(t: Any, z: Any, a: Any) -> Term:
    return law("noise", t, z, a)


Piece = tuple[Term, Theorem, Term, Theorem]
"""A height, that it is at least 0, a number, and that the means of all f between 0 and the height are at most that."""


class Law:
    """Means under one law, of functions of its point: integrals of sums of heights are at most the sums of theirs."""

    def __init__(self, point: str, law: Term):
        self.point, self.law = point, law

    def mean(self, f: Term) -> Term:
        return mean(self.point, self.law, f)

    def of(self, known: Theorem, f: Term, low: Theorem, high: Theorem) -> Theorem:
        """What is known of all functions between 0 and a height, of f."""
        return at(known, fn(self.point, f), for_all(self.point, low), for_all(self.point, high))

    def sum_of(self, low: Theorem, high: Theorem, pieces: Sequence[Piece]) -> Theorem:
        """E h <= the sum of the integrals, from 0 <= h and h <= the sum of the heights."""
        h = low.conclusion.args[1]  # type: ignore[union-attr]
        (height, positive, most, known), *more = pieces
        if not more:
            return self.of(known, h, low, high)
        first, rest = smaller(h, height), added(piece[0] for piece in more)
        both, goal = Smaller(low, positive), le(h - first, rest)
        floor = auto(le(0, rest), *(piece[1] for piece in more))
        small = auto(goal, instance(both.lower, {}, assume(le(h, height))), floor)
        large = auto(goal, instance(both.upper, {}, assume(le(height, h))), high)
        left = cases(small, large, h, height)
        of_first = self.of(known, first, both.not_negative, both.bound)
        of_rest = self.sum_of(auto(le(0, h - first), both.most), left, more)
        return auto(le(self.mean(h), added(piece[2] for piece in pieces)), of_first, of_rest)

    def times(self, scale: Theorem, piece: Piece) -> Piece:
        """The piece times a positive number."""
        height, positive, most, known = piece
        c, f = scale.conclusion.args[1], app("f", var(self.point))  # type: ignore[union-attr]
        given = below(f, c * height, self.point)
        low, high = (instance(assume(g), {}) for g in given)
        one = weak(reciprocal_positive(scale))
        share = auto(le(0, f / c), (one, low)), auto(le(f / c, height), (one, high))
        proved = auto(le(self.mean(f), c * most), (scale, self.of(known, f / c, *share)))
        return c * height, auto(le(0, c * height), (scale, positive)), c * most, for_all("f", proved, *given)

    def supremum(self, height: Term, number: Term, positive: Theorem) -> tuple[Piece, Theorem]:
        """What is assumed of the integral of a height: it is at least the means below it, and no larger than needed."""
        most, least = (
            assume(f) for f in integral(self.law, lambda x: substitute(height, {self.point: x}), number, self.point)
        )
        return (height, positive, number, most), least


def added(terms: Any) -> Term:
    return sum(terms, term(0))


class Noisy:
    """V = D + B - N, where E e^(t N) <= e^(v t^2/2) for all t and D has the integral d: V has the mean d + B."""

    def __init__(
        self, law: Law, value: Term, noise: Term, square: Theorem, constant: Term, moment: Callable[[Term], Theorem]
    ):
        self.law, self.value, self.noise, self.constant, self.moment = law, value, noise, constant, moment
        self.positive, self.square = square, square.conclusion.args[1]  # type: ignore[union-attr]
        parts = zip((1, -1), map(var, OF_THE_SUM), strict=True)
        self.parts = [law.supremum(part(value, s), number, part_is_not_negative(value, s)) for s, number in parts]

    def bounded(self, sign: int, low: Theorem, high: Theorem, right: Sequence[Piece]) -> Theorem:
        """s E f + 1 <= e^(v s^2/2) + s times the integrals on the right, s = 2^-k, from f <= sign N + the heights."""
        f = high.conclusion.args[0]  # type: ignore[union-attr]
        positive, of_noise = exp_positive(-k * L), exp(sign * STEP * self.noise)
        noise = of_noise, weak(exp_positive(sign * STEP * self.noise)), self.growth(), self.moment(sign * STEP)
        pieces = [noise, *(self.law.times(positive, piece) for piece in right)]
        h = STEP * f + 1
        up, event, total = (
            h * ind(0, h),
            [indicator(term(0), h, which) for which in range(5)],
            added(p[0] for p in pieces),
        )
        reached = auto(le(h, total), (exp(-k * L), high), exp_tangent(sign * STEP * self.noise))
        floor = auto(le(0, total), *(p[1] for p in pieces))
        most = auto(le(up, total), (event[3], reached), (auto(le(0, 1 - ind(0, h))), floor))
        proved = self.law.sum_of(event[1], most, pieces)
        above = mono(auto(le(h, up), event[2]), self.law.point, self.law.law)
        return auto(le(STEP * self.law.mean(f) + 1, added(p[2] for p in pieces)), proved, above)

    def growth(self) -> Term:
        """e^(v s^2/2)."""
        return exp(STEP * STEP * self.square / 2)

    def mean_is(self, of_gaps: Sequence[tuple[Piece, Theorem]]) -> Theorem:
        """gained - lost = d + B."""
        gained, lost = map(var, OF_THE_SUM)
        d = added(piece[2] for piece, _ in of_gaps)
        (up, most_up), (down, most_down) = self.parts
        point, differ = self.law.point, parts_differ(self.value)
        rest = (self.growth() - 1) / STEP

        f = app("f", var(point))
        given = below(f, up[0], point)
        low, high = (instance(assume(g), {}) for g in given)
        right = [down, *(piece for piece, _ in of_gaps)]
        reached = auto(le(f - self.constant, added(p[0] for p in right) - self.noise), high, differ)
        proved = auto(le(self.law.mean(f), lost + d + self.constant + rest), self.bounded(-1, low, reached, right))
        first = instance(most_up, {"c": lost + d + self.constant + rest}, for_all("f", proved, *given))
        low_side = self.limit(auto(le(gained - lost - d - self.constant, rest), first))

        names = [f"f{m}" for m in range(len(of_gaps) + 1)]
        left = [(down, most_down), *of_gaps]
        functions = [app(name, var(point)) for name in names]
        conditions = [below(g, piece[0], point) for g, (piece, _) in zip(functions, left, strict=True)]
        all_high = [instance(assume(g[1]), {}) for g in conditions]
        whole = added(functions) + self.constant
        reached = auto(le(whole, up[0] + self.noise), *all_high, differ)
        known = auto(
            le(self.law.mean(added(functions)), gained - self.constant + rest), self.bounded(1, low, reached, [up])
        )
        for number, (name, g, condition, (piece, least)) in enumerate(
            zip(names, functions, conditions, left, strict=True)
        ):
            others = added(functions[number + 1 :])
            before = added(p[2] for p, _ in left[:number])
            c = gained - self.constant + rest - self.law.mean(others) - before
            each = for_all(name, auto(le(self.law.mean(g), c), known), *condition)
            best = instance(least, {"c": c}, each)
            known = auto(le(before + piece[2] + self.law.mean(others), gained - self.constant + rest), best)
        high_side = self.limit(auto(le(lost + d + self.constant - gained, rest), known))
        goal = eq(gained - lost, d + self.constant)
        return antisymmetric(auto(le(*goal.args), low_side), auto(le(goal.args[1], goal.args[0]), high_side))

    def limit(self, known: Theorem) -> Theorem:
        """X <= 0 from X <= (e^(v s^2/2) - 1)/s for s = 2^-k, as this is at most s v/2 e^(v/2)."""
        X, natural, v = known.conclusion.args[0], assume(nat(k)), self.square  # type: ignore[union-attr]
        most = v / 2 * exp(v / 2)
        power = STEP * STEP * v / 2
        falls = auto(le(-k * L, 0), (nat_nonnegative(natural), auto(le(0, L), half_is_less())))
        square_small = auto(le(STEP * STEP, 1), exp_monotone(falls))
        grown = exp_monotone(auto(le(power, v / 2), (auto(le(0, v / 2), self.positive), square_small)))
        share = auto(le(0, STEP * v / 2), product(weak(exp_positive(-k * L)), self.positive))
        at_k = auto(le(X, most * STEP), known, exp_tangent(-power), (share, grown))
        positive = auto(le(0, most), self.positive)
        return in_the_limit(X, most, term(0), at_k, positive, auto(le(0, 0)))


STEP = exp(-k * L)  # 2^-k


# ---------------------------------------------------------------------------------------------------------- rewards


def of_noise(known: Theorem, s: Term) -> Theorem:
    """What is known of 1-subgaussian noise, for one t."""
    g = app("g", r)
    given = below(g, exp(s * r))
    return for_all("g", instance(known, {"t": s}, *map(assume, given)), *given)


@proof
def mean_of_a_reward(statement: All) -> Theorem:
    """value + X = B - N for B = value and N = -X, in each round."""
    before, rounds, of_round = parts_of(statement.then)
    names, given, goal = parts_of(of_round)
    value = goal.args[1]
    moment = instance(assume(statement.given[-1]), {})
    noisy = Noisy(Law("r", NOISE(i, z, a)), value + r, -r, auto(le(0, 1)), value, lambda s: of_noise(moment, -s))
    return for_all(before, for_all(names, auto(goal, noisy.mean_is([])), *given), *rounds)


class Rounds:
    """The noise in the runs of a game whose rewards are what an action is worth and noise."""

    def __init__(self, pi: Policy, best: Real):
        self.best, self.pi = best, pi
        self.subgaussian = assume(noise_is_subgaussian(pi, NOISE, T))
        _, self.own, self.paid, self.kept, self.kept_paid = map(assume, rounds_tell_actions_and_rewards(T))

    def runs(self, m: Any) -> Term:
        return runs_with_noise(self.pi, self.best, GAP, NOISE, m)

    def worth_of(self, told: Term) -> Term:
        """What the action with this name is worth."""
        return self.best(told) - GAP(told)

    def noise_in(self, j: Any, m: Any, run: Any) -> Term:
        return earned(j, m, run) - self.worth_of(did(j, m, run))

    def sum_in(self, m: Any, run: Any) -> Term:
        return sum_of(lambda j: self.noise_in(j, m, run), m)

    def moment(self) -> Theorem:
        """E f <= e^(n s^2/2) for bounded f between 0 and e^(s N), N the noise of n rounds, for all s and n <= T."""
        s, f, pn, enough = var("s"), app("f", z), assume(nat(n)), assume(le(n + 1, T))

        def given(m: Any) -> tuple[Formula, ...]:
            return le(m, T), *below(f, exp(s * self.sum_in(m, z)), "z")

        def says(m: Any) -> Rel:
            return le(mean("z", self.runs(m), f), exp(m * s * s / 2))

        claim = All(("f",), given(n), says(n))
        _, start_high = (assume(g) for g in given(0)[1:])
        (_, _), _, start, step = self.runs(T).args
        base = auto(says(0), steps_zero("z", f, "t", "z", start, step), instance(start_high, {"z": start}))

        low, high = (assume(g) for g in given(n + 1)[1:])
        policy, noise, worth = self.pi(n, app("told", z)), NOISE(n, z, a), self.worth_of(code(a))
        longer = app("after", z, a, a, worth + u)
        before = exp(s * self.sum_in(n, z))
        sums = same(self.longer(pn, enough, worth), "v", exp(s * var("v")))
        ratio = app("f", longer) / before
        bottom = auto(le(0, ratio), (1 / exp(s * self.sum_in(n, z)), instance(low, {"z": longer})))
        grown = exp(s * u)
        top = auto(
            le(ratio, grown), (1 / exp(s * self.sum_in(n, z)), instance(high, {"z": longer})), (1 / before, sums)
        )
        at_n = instance(self.subgaussian, {"i": n}, pn, auto(lt(n, T), enough))
        averaged = instance(at_n, {"t": s, "F": fn("a u", ratio)}, for_all("a u", bottom), for_all("a u", top))
        shrunk = exp(-s * s / 2)
        next_mean = mean("a", policy, mean("u", noise, app("f", longer)))
        tilde = shrunk * next_mean
        f_low = mono(mono(instance(low, {"z": longer}), "u", noise), "a", policy)
        tilde_low = auto(le(0, tilde), (exp(-s * s / 2), f_low))
        whole = auto(le(next_mean, exp(s * s / 2) * before), (exp(s * self.sum_in(n, z)), averaged))
        tilde_high = auto(le(tilde, before), (exp(-s * s / 2), whole))
        known = instance(assume(claim), {"f": fn("z", tilde)}, auto(le(n, T), enough), tilde_low, tilde_high)
        more = steps_next(pn, "x", app("f", var("x")), "t", "z", start, step)
        at_T = induction("n", base, auto(says(n + 1), more, (exp(s * s / 2), known)), claim, at=T)
        own = given(T)[1:]
        return for_all("s", for_all("f", instance(at_T, {}, *map(assume, own)), *own))

    def longer(self, pn: Theorem, enough: Theorem, worth: Term) -> Theorem:
        """The noise of the run with one round more is that of the run, and that of the round."""
        longer = app("after", z, a, a, worth + u)
        inside, soon, natural = auto(lt(n, T), enough), assume(lt(j, n)), assume(nat(j))
        values = {"i": n, "z": z, "a": a, "q": a, "r": worth + u}

        def moved(arm: Theorem, reward: Theorem, place: Any) -> Theorem:
            told = same(arm, "v", self.worth_of(var("v")))
            left = self.noise_in(place, n + 1, longer)
            return auto(eq(left, reward.conclusion.args[1] - told.conclusion.args[1]), told, reward)  # type: ignore[union-attr]

        kept = [instance(p, values, pn, inside, natural, soon) for p in (self.kept, self.kept_paid)]
        before = moved(kept[0], kept[1], j)
        left, right = before.conclusion.args  # type: ignore[union-attr]
        same_before = sum_over(auto(eq(0, left - right), before), pn)
        own = moved(instance(self.own, values, pn, inside), instance(self.paid, values, pn, inside), n)
        more = uniform_next(pn, "j", self.noise_in(j, n + 1, longer))
        return auto(eq(self.sum_in(n + 1, longer), self.sum_in(n, z) + u), more, same_before, own)


def sum_over(p: Theorem, natural: Theorem) -> Theorem:
    """0 = the sum of F(j) over j < n, from 0 = F(j) of each."""
    F, m = p.conclusion.args[1], natural.conclusion.args[0]  # type: ignore[union-attr]
    total = sum_of(lambda j: F, m)
    none, some = assume(le(m, 0)), assume(lt(0, m))
    at_zero = auto(eq(0, total), (mean("j", uniform(m), F), antisymmetric(none, nat_nonnegative(natural))))
    least = auto(le(1, m), nat_nonnegative(nat_minus(nat_zero(), natural, some)))
    average = for_all("", mean_over(p, "j", m), le(1, m))
    return cases(at_zero, auto(eq(0, total), (m, instance(average, {}, least))), m, term(0))


def sum_is_not_negative(known: Theorem) -> Theorem:
    """The sum of the gaps of a run is at least 0."""
    each = instance(known, {"x": did(j, T, z)})
    return auto(le(0, sum_of_gaps(GAP, T, z)), (nat_nonnegative(assume(nat(T))), mono(each, "j", uniform(T))))


def what_is_lost(pi: Policy, best: Real) -> Callable[[All], Theorem]:
    """The sum of best - r over the rounds is that of the gaps less that of the noise."""

    def proof(statement: All) -> Theorem:
        names, given, goal = parts_of(statement.then)
        rounds, natural = Rounds(pi, best), nat_nonnegative(assume(nat(T)))
        one, moment = Law("z", rounds.runs(T)), rounds.moment()
        low = sum_is_not_negative(assume(gaps_are_not_negative(GAP)))
        of_gaps = one.supremum(sum_of_gaps(GAP, T, z), goal.args[1], low)
        noise = rounds.sum_in(T, z)
        noisy = Noisy(one, lost(best, T, z), noise, natural, term(0), lambda s: instance(moment, {"s": s}))
        return closed(statement, for_all(names, auto(goal, noisy.mean_is([of_gaps])), *given))

    return proof


without_contexts = what_is_lost(pi, lambda _: var("best"))
with_contexts = what_is_lost(in_context(lambda t, h: law("contexts", t, h), pi), Quotient("best").at)


@proof
def worse_action_for_ever(statement: All) -> Theorem:
    """While nothing but e_1 was played, theta = (radius sqrt(ridge + t), 0) is in the set, and no w in it is larger."""
    begins, not_negative, rule = statement.given[-3:]
    c, w, ridge, gap = map(var, ("c", "w", "ridge", "gap"))
    skipped, radius = Quotient("skipped").at, Quotient("radius").at(t)
    claim, pt = eq(skipped(t), 0), assume(nat(t))
    none, long, early = assume(claim), ridge + t, nat_nonnegative(pt)
    positive = auto(lt(0, long), early)
    root = exp(log(long) / 2)
    squared, u = auto(eq(root * root, long), exp_log(positive)), radius * root
    not_below = product(instance(assume(not_negative), {}, pt), weak(exp_positive(log(long) / 2)))

    def member(x: Term, y: Any, s: Any) -> Rel:
        return in_printed_set((x, y), 0, radius, (ridge + t - s, ridge + s))

    def moved(x: Term, y: Any) -> list[Theorem]:
        """Both sides are what they are where nothing was skipped."""
        return [same(none, "s", side) for side in member(x, y, var("s")).args]

    there = auto(member(u, 0, skipped(t)), squared, *moved(u, 0))
    other = member(c, w, skipped(t))
    longer = product(product(weak(positive), square(radius)), early)
    squares = auto(le(0, long * (u * u - w * w)), assume(other), *moved(c, w), longer, squared)
    inverse = weak(reciprocal_positive(positive))
    smaller_square = auto(le(w * w, u * u), (inverse, squares), reciprocal(positive))
    no_larger = use(_by_squares(), [("c", u), ("w", w)], [not_below, smaller_square])
    estimate = auto(eq(0 * (ridge + skipped(t)), gap * skipped(t)), none)
    again = instance(assume(rule), {"u": u, "v": term(0), "g": term(0)}, pt, estimate, there, no_larger)
    end = induction("t", assume(begins), auto(eq(skipped(t + 1), 0), again, none), claim, at=T)
    return auto(statement.then, end)


@lemma("c w", le(0, var("c")), le(var("w") * var("w"), var("c") * var("c")))
def _by_squares() -> Theorem:
    """w <= c from 0 <= c and w w <= c c."""
    c, w = var("c"), var("w")
    given, goal = (le(0, c), le(w * w, c * c)), le(w, c)
    low, squares = map(assume, given)
    above = auto(lt(0, c + w), assume(lt(0, w)))
    high = auto(goal, (reciprocal_positive(above), squares), (c - w, reciprocal(above)))
    return cases(auto(goal, assume(le(w, 0))), high, w, term(0))
