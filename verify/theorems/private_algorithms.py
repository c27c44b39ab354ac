"""Proofs in the kernel that algorithms are private that learn of rewards through noisy releases (``mechanisms``).

By induction over the releases. Before the one that holds the changed reward both sides are alike, at it the release
hides the reward, and what follows it is a function of what was published.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.mechanisms import each_reward_at_most, history, releases_of_what_is_new, taken, takes
from banditproof.verify.theorems.mechanisms import on_tests
from banditproof.verify.theorems.renyi import ABOVE_ONE, above, alpha, jensen, level, positive_order, processed, young

h, i, j, k, n, x, y, a, T, K, empty = map(var, ("h", "i", "j", "k", "n", "x", "y", "a", "T", "K", "empty"))


def each_reward_once() -> tuple[Formula, ...]:
    """A reward enters no release, or one: whether it has entered one is 0 or 1, and counts those that it enters."""
    bits = (All(("h", "i"), (), eq(f(h, i) * f(h, i), f(h, i))) for f in (takes, taken))
    return *bits, All(("h", "i", "y", "a"), (), eq(taken(history(h, y, a), i), taken(h, i) + takes(h, i)))


BITS_TAKES, BITS_TAKEN, GROWS = map(assume, each_reward_once())
NOW, BEFORE = takes(h, j), taken(h, j)  # whether the changed reward enters the next release, or has entered one
SAID = app("said", x)


def not_negative(statement: All, name: str) -> Theorem:
    """0 <= a number, from its set."""
    if key(lt(0, var(name))) in map(key, statement.given):
        return weak(assume(lt(0, var(name))))
    return assume(le(0, var(name)))


def by_bit(bit: Term, is_bit: Theorem, at: Callable[[Theorem], Theorem]) -> Theorem:
    """A conclusion from bit = 0 and from bit = 1, where bit bit = bit."""
    low, _ = bounds_of_event(bit, is_bit)
    inverse = reciprocal(assume(lt(0, bit)))
    one = auto(eq(bit, 1), (1 / bit, is_bit), inverse)
    return cases(at(antisymmetric(assume(le(bit, 0)), low)), at(one), bit, term(0))


def bit(of: Theorem, at: Any, round: Any = j) -> Theorem:
    return instance(of, {"h": at, "i": round})


def never_twice() -> Theorem:
    """BEFORE NOW = 0, since their sum is a bit."""
    after = taken(history(h, y, a), j)
    grows = instance(GROWS, {"i": j})
    bits = bit(BITS_TAKEN, history(h, y, a)), bit(BITS_TAKEN, h), bit(BITS_TAKES, h)
    return auto(eq(BEFORE * NOW, 0), *bits, grows, (after, grows))


@dataclass(frozen=True)
class Differing:
    """What is known of the data of a release on the two sides, in terms of h.

    `equal` says that they are the same where NOW = 0; `close` gives, where NOW = 1, the theorem that a release hides
    the difference, values for what that speaks of, and proofs of what it asks, but for what it says of events.
    """

    statistics: tuple[Term, Term]
    equal: Callable[[Theorem], Theorem]
    close: Callable[[Theorem, Theorem, Theorem], tuple[Theorem, dict[str, Any], list[Theorem]]]


class Releases:
    """The two runs, side 0 and side 1."""

    def __init__(self, differ: Differing):
        self.differ = differ
        self.channel = Term("mix", (("a",), law("pi", i, app("pair", h, y)), Term("dirac", (history(h, y, a),))))
        self.steps = [Term("mix", (("y",), law("M", i, h, statistic), self.channel)) for statistic in differ.statistics]

    def output(self, side: int) -> Term:
        """The law of release n after h."""
        return law("M", n, h, self.differ.statistics[side])

    def decided(self, body: Term) -> Term:
        """The mean of a body of x over the decision after release y of number n."""
        return mean("x", substitute(self.channel, {"i": n}), body)

    def after(self, side: int, body: Term) -> Term:
        """The mean of a body of x one release after h."""
        return mean("y", self.output(side), self.decided(body))

    def law(self, side: int, m: Any) -> Term:
        return Term("steps", (("i", "h"), term(m), empty, self.steps[side]))

    def none(self, side: int, body: Term) -> Theorem:
        return steps_zero("x", body, "i", "h", empty, self.steps[side])

    def next(self, natural: Theorem, side: int, body: Term) -> Theorem:
        return steps_next(natural, "x", body, "i", "h", empty, self.steps[side])

    def grown(self, side: int, factor: Term) -> Theorem:
        """E taken(x) factor(x) = (BEFORE + NOW) E factor(x) one release after h."""
        grows = instance(GROWS, {"i": j})
        there = substitute(factor, {"x": history(h, y, a)})
        one = auto(eq(taken(history(h, y, a), j) * there, (BEFORE + NOW) * there), (there, grows))
        return mono(mono(one, "a", law("pi", n, app("pair", h, y))), "y", self.output(side))

    def alike(self, zero: Theorem, body: Term) -> Theorem:
        """One release after h a body of x has the same mean on both sides, where NOW = 0."""
        context = mean("y", law("M", n, h, var("w")), self.decided(body))
        return same(self.differ.equal(zero), "w", context)


def on_blocks(statement: All, given: tuple[Formula, ...]) -> Differing:
    """Data sets of releases, equal or neighbours."""
    alike, near = map(assume, given[:2])
    each = assume(statement.given[-1])
    one, two = app("block", h), app("other", h)

    def close(hit: Theorem, natural: Theorem, below: Theorem) -> Any:
        values = {"d": one, "e": two}
        return instance(each, {"i": n}, natural, below), values, [instance(near, {}, hit)]

    return Differing((one, two), lambda zero: instance(alike, {}, zero), close)


def of_sums(statement: All, given: tuple[Formula, ...]) -> Differing:
    """Sums of rewards in [0, 1], of which one is changed."""
    sums, each = Sums(statement, given), assume(statement.given[-1])
    whole, change, apart = (sums.total(0, T), sums.total(1, T)), sums.difference(), sums.gap(j)

    def equal(zero: Theorem) -> Theorem:
        return auto(eq(*whole), change, (apart, zero))

    def close(hit: Theorem, natural: Theorem, below: Theorem) -> Any:
        (low_0, high_0), (low_1, high_1) = sums.in_unit(0), sums.in_unit(1)
        up = auto(le(whole[0], whole[1] + 1), change, (apart, hit), high_0, low_1)
        down = auto(le(whole[1], whole[0] + 1), change, (apart, hit), low_0, high_1)
        return each, {"i": n, "q": whole[0], "r": whole[1]}, [natural, below, up, down]

    return Differing(whole, equal, close)


class Sums:
    """The sums of rewards that enter the release after h, on side 0 and side 1: of lists, or of tables."""

    def __init__(self, statement: All, given: tuple[Formula, ...]):
        names, played = statement.then.params, app("action", h, i)  # type: ignore[union-attr]
        self.given, self.arm = given, None if "rewards" in names else played
        if "adversary" in names:
            self.arm = app("adversary", i, app("earlier", h, i), played)
        points, sides = (i,) if self.arm is None else (i, self.arm), names[:2]
        self.rewards = [app(side, *points) for side in sides]
        self.names = sides
        self.round = assume(nat(j)), assume(lt(j, T))
        said = [] if self.arm is None else [key(nat(self.arm)), key(lt(self.arm, K))]
        asked = (f for f in (*statement.given, *given) if isinstance(f, All) and f.params == ("i", "h"))
        self.arms = [assume(f) for f in asked if key(f.then) in said]  # that it is an arm

    def at(self, side: int, m: Any) -> Term:
        """The reward of round m."""
        return substitute(self.rewards[side], {"i": term(m)})

    def gap(self, m: Any) -> Term:
        return self.at(0, m) - self.at(1, m)

    def total(self, side: int, m: Any) -> Term:
        """The sum over the rounds before m."""
        return sum_of(lambda i: takes(h, i) * self.at(side, i), m)

    def said_of(self, f: Formula, m: Any, inside: tuple[Theorem, Theorem], *rounds: Theorem) -> Theorem:
        """What is given of rewards, for that of round m, which is `inside` the run."""
        if self.arm is None:
            return instance(assume(f), {"i": m}, *rounds)
        arms = [instance(one, {"i": m}, *inside) for one in self.arms]
        return instance(assume(f), {"i": m, "a": substitute(self.arm, {"i": term(m)})}, *rounds, *arms)

    def in_unit(self, side: int) -> list[Theorem]:
        """0 <= the changed reward <= 1."""
        name = self.names[side]
        inside = [f for f in self.given[4:] if isinstance(f, All) and isinstance(f.then, Rel) and name in free_in(f)]
        return [self.said_of(f, j, self.round, *self.round) for f in inside]

    def difference(self) -> Theorem:
        """total(0, T) - total(1, T) is the gap of round j if that is taken; by induction over the rounds."""
        changed, not_yet = NOW * self.gap(j), Term("ind", (n, j))

        def says(m: Any) -> Rel:
            return eq(self.total(0, m) - self.total(1, m), (1 - substitute(not_yet, {"n": term(m)})) * changed)

        claim = All((), (le(n, T),), says(n))
        natural, enough = assume(nat(n)), assume(le(n + 1, T))
        inside = natural, auto(lt(n, T), enough)
        first, second = (uniform_next(natural, "j", takes(h, j) * self.at(side, j)) for side in (0, 1))
        known = instance(assume(claim), {}, auto(le(n, T), enough)), first, (term(-1), second)

        def next_round(change: Any, at_n: Theorem, after: Theorem) -> Theorem:
            """From what round n adds, and from 1[n <= j] and 1[n + 1 <= j]."""
            return auto(says(n + 1), *known, change, (changed, at_n), (changed, after))

        early, late = assume(lt(n, j)), assume(lt(j, n))
        alike = self.said_of(self.given[2], n, inside, natural, early)
        gap_after = nat_nonnegative(nat_minus(natural, self.round[0], early))
        before = next_round((takes(h, n), alike), at_most(early), at_most(auto(le(n + 1, j), gap_after)))
        alike = self.said_of(self.given[3], n, inside, natural, late, inside[1])
        behind = next_round((takes(h, n), alike), not_at_most(late), not_at_most(auto(lt(j, n + 1), late)))
        low, high = assume(le(n, j)), assume(le(j, n))
        moved = same(antisymmetric(low, high), "w", takes(h, var("w")) * self.gap(var("w")))
        here = next_round(moved, at_most(low), not_at_most(auto(lt(j, n + 1), high)))
        start = auto(says(0), (changed, at_most(nat_nonnegative(self.round[0]))))
        step = cases(cases(here, behind, n, j), before, j, n)
        whole = instance(induction("n", start, step, claim, at=T))
        return auto(eq(self.total(0, T) - self.total(1, T), changed), whole, (changed, not_at_most(self.round[1])))


Kind = Callable[[All, tuple[Formula, ...]], Differing]


def approximate(differing: Kind) -> Callable[[All], Theorem]:
    """(epsilon, delta)-DP: E g <= E w g + delta E taken for tests g, w = 1 until the changed reward, then e^epsilon."""

    def proof(statement: All) -> Theorem:
        names, given, goal = parts_of(statement.then)
        runs = Releases(differing(statement, given))
        epsilon, delta = var("epsilon"), var("delta") if "delta" in statement.params else term(0)
        ratio, g = exp(epsilon), app("g", x)
        grown = auto(le(0, ratio - 1), exp_tangent(epsilon), not_negative(statement, "epsilon"))
        leaks = assume(le(0, delta)) if "delta" in statement.params else auto(le(0, 0))
        tests = All(("x",), (), le(0, g)), All(("x",), (), le(g, 1))

        def weight(at: Any) -> Term:
            return 1 + (ratio - 1) * taken(at, j)

        def says(m: Any) -> Rel:
            right = mean("x", runs.law(1, m), weight(x) * g) + delta * mean("x", runs.law(0, m), taken(x, j))
            return le(mean("x", runs.law(0, m), g), right)

        claim = All(("g",), (le(n, k), *tests), says(n))
        starts = [runs.none(0, g), runs.none(1, weight(x) * g), (delta, runs.none(0, taken(x, j)))]
        low, high = (assume(f) for f in tests)
        at_empty = bounds_of_event(taken(empty, j), bit(BITS_TAKEN, empty))[0]
        more = product(product(grown, at_empty), instance(low, {"x": empty}))
        base = auto(says(0), *starts, more, product(leaks, at_empty))

        pn, enough = assume(nat(n)), assume(le(n + 1, k))
        below = auto(lt(n, k), enough)
        one, two = runs.after(0, g), runs.after(1, g)
        inside = [_after(runs, side, instance(f, {"x": history(h, y, a)})) for f in (low, high) for side in (0, 1)]
        low_1, low_2, high_1, high_2 = inside
        no = bounds_of_event(NOW, bit(BITS_TAKES, h))
        rest = auto(le(0, 1 - NOW), no[1])
        full = Term("ind", (term(1), ratio * two))
        not_full = auto(le(0, 1 - full))
        cap = full + (1 - full) * ratio * two
        above_zero = product(auto(le(0, ratio)), low_2)
        cap_low = auto(le(0, cap), (not_full, above_zero))
        cap_high = auto(le(cap, 1), indicator(term(1), ratio * two, 2))
        cap_small = auto(le(cap, ratio * two), indicator(term(1), ratio * two, 1))
        test = (1 - NOW) * two + NOW * cap

        def bounded(case: Theorem) -> Theorem:
            """E g after a release is at most the test and its leak."""
            claimed = le(one, test + delta * NOW)
            if case.conclusion.args[1] == term(0):  # type: ignore[union-attr]
                return auto(claimed, runs.alike(case, g), (cap - two + delta, case))
            private, values, conditions = runs.differ.close(case, pn, below)
            then = [
                mono(instance(f, {"x": history(h, y, a)}), "a", law("pi", n, app("pair", h, y))) for f in (low, high)
            ]
            laws = runs.output(0), runs.output(1)
            hidden = on_tests(private, laws, epsilon, delta, "y", runs.decided(g), values, conditions, *then)
            few = (indicator(term(1), ratio * two, 3), leaks)
            capped = auto(le(one, cap + delta), (ind(term(1), ratio * two), high_1), (not_full, hidden), few)
            return auto(claimed, capped, (cap - two + delta, case))

        small = by_bit(NOW, bit(BITS_TAKES, h), bounded)
        is_test = [
            for_all("h", auto(le(0, test), (rest, low_2), (no[0], cap_low))),
            for_all("h", auto(le(test, 1), (rest, high_2), (no[0], cap_high))),
        ]
        conditions = [auto(le(n, k), enough), *map(_named_x, is_test)]
        before = instance(assume(claim), {"g": fn("h", test)}, *conditions)
        weighed = product(grown, bounds_of_event(BEFORE, bit(BITS_TAKEN, h))[0])
        positive = auto(le(0, weight(h)), weighed)
        spread = auto(
            le(weight(h) * test, (1 + (ratio - 1) * (BEFORE + NOW)) * two),
            (product(positive, no[0]), cap_small),
            ((ratio - 1) * (ratio - 1) * two, never_twice()),
        )
        proved = auto(
            says(n + 1),
            runs.next(pn, 0, g),
            runs.next(pn, 1, weight(x) * g),
            (delta, runs.next(pn, 0, taken(x, j))),
            mono(small, "h", runs.law(0, n)),
            before,
            mono(spread, "h", runs.law(1, n)),
            (ratio - 1, mono(runs.grown(1, g), "h", runs.law(1, n))),
            (delta, mono(runs.grown(0, term(1)), "h", runs.law(0, n))),
        )
        at_k = induction("n", base, proved, claim, at=k)

        A = app("A", SAID)
        is_event = instance(assume(given[-1]), {"x": SAID})
        of_event = [for_all("x", f) for f in bounds_of_event(A, is_event)]
        end = instance(at_k, {"g": fn("x", A)}, *of_event)
        last = bounds_of_event(taken(x, j), bit(BITS_TAKEN, x))[1]
        gap = auto(le(0, 1 - taken(x, j)), last)
        more = auto(le(weight(x) * A, ratio * A), (product(grown, gap), bounds_of_event(A, is_event)[0]))
        sides = mono(more, "x", runs.law(1, k)), (leaks, mono(last, "x", runs.law(0, k)))
        return closed(statement, for_all(names, auto(goal, end, *sides), *given))

    return proof


def repeated(differing: Kind) -> Callable[[All], Theorem]:
    """epsilon-DP from releases of epsilon/L, where a reward enters at most L: E g <= E e^(taken epsilon/L) g."""

    def proof(statement: All) -> Theorem:
        names, given, goal = parts_of(statement.then)
        runs = Releases(differing(statement, given))
        L, epsilon, g = var("L"), var("epsilon"), app("g", x)
        _, none, most, _ = map(assume, each_reward_at_most(L))
        share = epsilon / L
        some = auto(lt(0, L), assume(le(1, L)))
        costs = product(not_negative(statement, "epsilon"), weak(reciprocal_positive(some)))
        tests = All(("x",), (), le(0, g)), All(("x",), (), le(g, 1))

        def power(count: Any) -> Term:
            return exp(share * count)

        def says(m: Any) -> Rel:
            return le(mean("x", runs.law(0, m), g), mean("x", runs.law(1, m), power(taken(x, j)) * g))

        claim = All(("g",), (le(n, k), *tests), says(n))
        starts = runs.none(0, g), runs.none(1, power(taken(x, j)) * g)
        unused = same(instance(none, {"i": j}), "w", power(var("w")) * app("g", empty))
        base = auto(says(0), *starts, unused)

        pn, enough = assume(nat(n)), assume(le(n + 1, k))
        below = auto(lt(n, k), enough)
        one, two = runs.after(0, g), runs.after(1, g)
        low, high = (assume(f) for f in tests)
        low_2, high_2 = (_after(runs, 1, instance(f, {"x": history(h, y, a)})) for f in (low, high))

        def bounded(case: Theorem) -> Theorem:
            claimed, cost = le(one, power(NOW) * two), same(case, "w", power(var("w")) * two)
            if case.conclusion.args[1] == term(0):  # type: ignore[union-attr]
                return auto(claimed, runs.alike(case, g), cost)
            private, values, conditions = runs.differ.close(case, pn, below)
            then = [_decided(f) for f in (low, high)]
            laws = runs.output(0), runs.output(1)
            hidden = on_tests(private, laws, share, 0, "y", runs.decided(g), values, conditions, *then)
            return auto(claimed, hidden, cost)

        small = by_bit(NOW, bit(BITS_TAKES, h), bounded)
        rest = auto(le(0, 1 - NOW), bounds_of_event(NOW, bit(BITS_TAKES, h))[1])
        factor = exp(share * (NOW - 1))
        at_most_one = exp_monotone(auto(le(share * (NOW - 1), 0), (rest, costs)))
        test = factor * two
        is_test = [
            for_all("h", product(weak(exp_positive(share * (NOW - 1))), low_2)),
            for_all("h", auto(le(test, 1), (exp(share * (NOW - 1)), high_2), at_most_one)),
        ]
        before = instance(assume(claim), {"g": fn("h", test)}, auto(le(n, k), enough), *map(_named_x, is_test))
        grows = instance(GROWS, {"i": j})
        grown = same(grows, "w", power(var("w")) * app("g", history(h, y, a)))
        proved = auto(
            says(n + 1),
            runs.next(pn, 0, g),
            runs.next(pn, 1, power(taken(x, j)) * g),
            mono(small, "h", runs.law(0, n)),
            (exp(share), before),
            mono(_after(runs, 1, grown), "h", runs.law(1, n)),
        )
        A = app("A", SAID)
        is_event = instance(assume(given[-1]), {"x": SAID})
        of_event = [for_all("x", f) for f in bounds_of_event(A, is_event)]
        at_k = instance(induction("n", base, proved, claim, at=k), {"g": fn("x", A)}, *of_event)
        few = costs, instance(most, {"h": x, "i": j})
        whole = exp_monotone(auto(le(share * taken(x, j), epsilon), few, (epsilon, reciprocal(some))))
        last = auto(le(power(taken(x, j)) * A, exp(epsilon) * A), (bounds_of_event(A, is_event)[0], whole))
        return closed(statement, for_all(names, auto(goal, at_k, mono(last, "x", runs.law(1, k))), *given))

    return proof


def _decided(p: Theorem) -> Theorem:
    """A bound of a body of x, averaged over the decision."""
    return mono(instance(p, {"x": history(h, y, a)}), "a", law("pi", n, app("pair", h, y)))


def _named_x(p: Theorem) -> Theorem:
    """The same said of x."""
    return for_all("x", instance(p, {"h": x}))


def _after(runs: Releases, side: int, p: Theorem) -> Theorem:
    """A bound of a body after a history, averaged over decision and release."""
    return mono(mono(p, "a", law("pi", n, app("pair", h, y))), "y", runs.output(side))


def zcdp(differing: Kind) -> Callable[[All], Theorem]:
    """rho-zCDP, at each order above 1."""

    def proof(statement: All) -> Theorem:
        names, given, _ = parts_of(statement.then)
        rho = var("rho")
        runs = Releases(differing(statement, given))
        costs = product(positive_order(), not_negative(statement, "rho"))
        proved = _divergence(runs, runs.differ.close, alpha * rho, weak(costs), ABOVE_ONE)
        return closed(statement, for_all(names, proved, *given))

    return proof


def rdp(differing: Kind) -> Callable[[All], Theorem]:
    """(alpha, epsilon)-RDP: the same at one order."""

    def proof(statement: All) -> Theorem:
        names, given, _ = parts_of(statement.then)
        epsilon, at_alpha = var("epsilon"), statement.given[-1]
        of_order = All((), (*statement.given[:-1], replace(at_alpha, {"alpha": alpha})), statement.then)
        runs = Releases(differing(of_order, given))
        costs = not_negative(statement, "epsilon")
        proved = _divergence(runs, runs.differ.close, epsilon, costs)
        every = for_all("order", proved, ABOVE_ONE, of_order.given[-1])
        there = instance(every, {"order": var("alpha")}, assume(lt(1, var("alpha"))), assume(at_alpha))
        return closed(statement, for_all(names, there, *given))

    return proof


STREAM, TURN = app("stream", h, i), app("turn", h)
LONGER, NOW_ENDS = history(h, y, a), app("now", h)
THERE = app("stream", LONGER, i)
NEW, ENDED, RENEWED, KEPT = map(assume, releases_of_what_is_new())


def since(stream: Term, at: Term = h) -> Term:
    """The round before which the last release of a stream was made."""
    return app("since", at, stream)


@once
def each_new_reward_once() -> tuple[Theorem, ...]:
    """A reward enters no release, or one: it has, where its round is before the last release of its stream."""
    takes_it, ended = instance(NEW), ind(since(STREAM), i)
    new, last, open_yet = takes(h, i), ind(since(TURN), i), 1 - ind(NOW_ENDS, i)
    hit = equal(STREAM, TURN)
    squares = (
        (last * last * open_yet * open_yet, equal_is_event(STREAM, TURN)),
        (hit * open_yet * open_yet, indicator(since(TURN), i, 0)),
        (hit * last, indicator(NOW_ENDS, i, 0)),
    )
    is_bit = auto(eq(new * new, new), (new + hit * last * open_yet, takes_it), takes_it, *squares)
    was_bit = auto(eq((1 - ended) * (1 - ended), 1 - ended), indicator(since(STREAM), i, 0))
    grows = cases(behind(), ahead(), NOW_ENDS, i)
    return for_all("h i", is_bit), for_all("h i", was_bit), for_all("h i y a", grows)


def _grown(*facts: Any) -> Theorem:
    return auto(eq(1 - ind(since(THERE, LONGER), i), 1 - ind(since(STREAM), i) + takes(h, i)), instance(NEW), *facts)


def behind() -> Theorem:
    """Where round i is not before the release: the last releases of its streams are before it."""
    late, hit = assume(le(NOW_ENDS, i)), equal(THERE, TURN)
    apart = auto(le(0, 1 - hit), bounds_of_event(hit, equal_is_event(THERE, TURN))[1])
    passed = product(apart, auto(le(0, NOW_ENDS - since(THERE)), instance(ENDED, {"s": THERE})))
    over = auto(le(since(THERE, LONGER), i), instance(RENEWED, {"s": THERE}), passed, late)
    was = auto(le(since(STREAM), i), instance(ENDED, {"s": STREAM}), late)
    return _grown(at_most(over), at_most(was), (equal(STREAM, TURN) * ind(since(TURN), i), at_most(late)))


def ahead() -> Theorem:
    """Elsewhere the round is of the same stream, whose last release is this one or the same."""
    early, gap = assume(lt(i, NOW_ENDS)), NOW_ENDS - since(STREAM)
    moved = same(instance(KEPT, {}, early), "w", ind(since(var("w"), LONGER), i))
    renewed = instance(RENEWED, {"s": STREAM})

    def told(p: Theorem) -> Theorem:
        ones = at_most(auto(le(STREAM, TURN), p)), at_most(auto(le(TURN, STREAM), p))
        hit = auto(eq(equal(STREAM, TURN), 1), (ind(STREAM, TURN), ones[1]), ones[0])
        ends = same(auto(eq(since(STREAM, LONGER), NOW_ENDS), renewed, (gap, hit)), "w", ind(var("w"), i))
        none, last, there = not_at_most(early), ind(since(TURN), i), same(p, "w", ind(since(var("w")), i))
        return _grown(moved, ends, none, (last * (1 - ind(NOW_ENDS, i)), hit), (last, none), there)

    def idle(hit: Term, zero: Theorem) -> Theorem:
        stays = same(auto(eq(since(STREAM, LONGER), since(STREAM)), renewed, (gap, zero)), "w", ind(var("w"), i))
        return _grown(moved, stays, (ind(since(TURN), i) * (1 - ind(NOW_ENDS, i)), zero))

    return unless_equal(STREAM, TURN, told, idle)


def of_what_is_new(kind: Callable[[Kind], Callable[[All], Theorem]], differing: Kind) -> Callable[[All], Theorem]:
    """The same of releases of what is new: a reward is taken if its round is before the last release of its stream."""

    def printed(statement: All) -> Theorem:
        new = {*map(key, releases_of_what_is_new())}
        rest = tuple(f for f in statement.given if key(f) not in new)
        names = (*(n for n in statement.params if n not in ("stream", "turn", "since", "now")), "taken")
        of_any = kind(differing)(All(names, (*each_reward_once(), *rest), statement.then))
        values = {"taken": fn("h i", 1 - ind(since(STREAM), i))}
        return closed(statement, instance(of_any, values, *each_new_reward_once(), *map(assume, rest)))

    return printed


def _divergence(runs: Releases, close: Any, most: Term, positive: Theorem, *order: Formula) -> Theorem:
    """D_order <= most of what is said, where a release has such a divergence.

    For all u, with E, F the two sides: order E e^((order - 1) u) - (order - 1) F e^(order u) <= 1 + (C - 1) E taken,
    where C = e^((order - 1) most).
    """
    u, ratio = app("u", x), exp((alpha - 1) * most)
    powers = (alpha - 1, alpha)
    bodies = [exp(power * u) for power in powers]
    larger = auto(le(0, ratio - 1), exp_tangent((alpha - 1) * most), product(above(), positive))

    def says(m: Any) -> Rel:
        left, right = (mean("x", runs.law(side, m), bodies[side]) for side in (0, 1))
        most_of = 1 + (ratio - 1) * mean("x", runs.law(0, m), taken(x, j))
        return le(alpha * left - (alpha - 1) * right, most_of)

    claim = All(("u",), (le(n, k),), says(n))
    starts = [(alpha, runs.none(0, bodies[0])), (alpha - 1, runs.none(1, bodies[1]))]
    at_empty = product(larger, bounds_of_event(taken(empty, j), bit(BITS_TAKEN, empty))[0])
    start = (ratio - 1, runs.none(0, taken(x, j)))
    base = auto(says(0), *starts, start, young(app("u", empty)), at_empty)

    pn, enough = assume(nat(n)), assume(le(n + 1, k))
    below = auto(lt(n, k), enough)
    step = substitute(runs.steps[1], {"i": n})
    v, level_of = level("x", step, u)
    first, second = runs.after(0, bodies[0]), runs.after(1, bodies[1])
    rest, grown = 1 - NOW, exp((alpha - 1) * v)
    is_now = bit(BITS_TAKES, h)

    def mixed(power: Term) -> Theorem:
        """e^(power (1 - NOW) v) = (1 - NOW) e^(power v) + NOW."""
        w = var("w")
        context = exp(power * (1 - w) * v) - (1 - w) * exp(power * v) - w
        goal = eq(substitute(context, {"w": NOW}), 0)
        return by_bit(NOW, is_now, lambda case: auto(goal, same(case, "w", context)))

    def elsewhere(case: Theorem) -> Theorem:
        goal = le(rest * first, rest * grown)
        if case.conclusion.args[1] == term(0):  # type: ignore[union-attr]
            return auto(goal, runs.alike(case, bodies[0]), jensen(step, "x", u), (grown - first, case))
        return auto(goal, (grown - first, case))

    def here(case: Theorem) -> Theorem:
        inner = alpha * first - (alpha - 1) * second
        goal = le(NOW * inner, NOW * ratio)
        if case.conclusion.args[1] == term(0):  # type: ignore[union-attr]
            return auto(goal, (ratio - inner, case))
        private, values, conditions = close(case, pn, below)
        near = instance(private, values, *conditions, *map(assume, order))
        channel = substitute(runs.channel, {"i": n})
        hidden = processed(near, (runs.output(0), runs.output(1)), channel, "x", u, most, point="y")
        return auto(goal, hidden, (ratio - inner, case))

    alike = alike_before(runs)
    swapped = []
    for value in (term(1), second):
        g = NOW * value
        of_g = instance(instance(alike, {}, pn), {"g": fn("h", g)}, auto(le(n, k), enough))
        apart = auto(eq(BEFORE * g, 0), (value, never_twice()))
        sides = [mono(apart, "h", runs.law(side, n)) for side in (0, 1)]
        goal = eq(*(mean("h", runs.law(side, n), g) for side in (0, 1)))
        swapped.append(auto(goal, of_g, *sides))
    before = instance(assume(claim), {"u": fn("h", rest * v)}, auto(le(n, k), enough))
    proved = auto(
        says(n + 1),
        (alpha, runs.next(pn, 0, bodies[0])),
        (alpha - 1, runs.next(pn, 1, bodies[1])),
        (ratio - 1, runs.next(pn, 0, taken(x, j))),
        (ratio - 1, mono(runs.grown(0, term(1)), "h", runs.law(0, n))),
        (positive_order(), mono(by_bit(NOW, is_now, elsewhere), "h", runs.law(0, n))),
        mono(by_bit(NOW, is_now, here), "h", runs.law(0, n)),
        before,
        (alpha, mono(mixed(powers[0]), "h", runs.law(0, n))),
        (alpha - 1, mono(mixed(powers[1]), "h", runs.law(1, n))),
        (alpha - 1, mono(auto(eq(rest * exp(alpha * v), rest * second), (rest, level_of)), "h", runs.law(1, n))),
        (alpha - 1, swapped[0]),
        (alpha - 1, swapped[1]),
    )
    at_k = instance(induction("n", base, proved, claim, at=k), {"u": fn("x", app("u", SAID))})
    gap = auto(le(0, 1 - taken(x, j)), bounds_of_event(taken(x, j), bit(BITS_TAKEN, x))[1])
    end = mono(product(larger, gap), "x", runs.law(0, k))
    left, right = (mean("x", runs.law(side, k), exp(powers[side] * app("u", SAID))) for side in (0, 1))
    return for_all("u", auto(le(alpha * left - (alpha - 1) * right, ratio), at_k, end))


def alike_before(runs: Releases) -> Theorem:
    """For all n: as long as the changed reward has entered no release the runs of n <= k releases have one law.

    For all g: E g(x) (1 - taken(x)) is the same on both sides.
    """
    g = app("g", x)
    body = g * (1 - taken(x, j))
    claim = All(("g",), (le(n, k),), eq(*(mean("x", runs.law(side, n), body) for side in (0, 1))))
    starts = [runs.none(side, body) for side in (0, 1)]
    base = auto(replace(claim, {"n": term(0)}).then, *starts)  # type: ignore[union-attr]
    pn, enough = assume(nat(n)), assume(le(n + 1, k))
    first, second = runs.after(0, g), runs.after(1, g)
    rest, free_yet = 1 - NOW, 1 - BEFORE

    def one_law(case: Theorem) -> Theorem:
        goal = eq(rest * first, rest * second)
        if case.conclusion.args[1] == term(0):  # type: ignore[union-attr]
            return auto(goal, runs.alike(case, g))
        return auto(goal, case)

    crossed = by_bit(NOW, bit(BITS_TAKES, h), one_law)
    averaged = mono(auto(eq(free_yet * rest * first, free_yet * rest * second), crossed), "h", runs.law(0, n))
    before = instance(assume(claim), {"g": fn("h", rest * second)}, auto(le(n, k), enough))
    sides = []
    for side, value in ((0, first), (1, second)):
        never = mono(auto(eq(BEFORE * NOW * value, 0), never_twice()), "h", runs.law(side, n))
        sides += [runs.next(pn, side, body), mono(runs.grown(side, g), "h", runs.law(side, n)), never]
    goal = replace(claim, {"n": n + 1}).then  # type: ignore[union-attr]
    return induction("n", base, auto(goal, *sides, averaged, before), claim)
