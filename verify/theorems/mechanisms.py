"""Proofs in the kernel of what several documents state about every mechanism and random variable.

A proof takes the statement's formula and gives the theorem that it is. Nothing here is trusted: whatever a proof gives
is made again from its steps and compared with the statement.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.meanings import close_at_distance

d, e, x, u, n, k, h, y, empty = map(var, ("d", "e", "x", "u", "n", "k", "h", "y", "empty"))


def on_tests(
    private: Theorem,
    laws: tuple[Term, Term],
    epsilon: Any,
    delta: Any,
    point: str,
    test: Term,
    values: dict[str, Any],
    conditions: list[Theorem],
    low: Theorem,
    high: Theorem,
) -> Theorem:
    """The mean of a test 0 <= V <= 1 under P is at most e^epsilon times that under Q and delta.

    `private` says so of all events: for u uniform on [0, 1] the mean of V is that of the event u <= V. `values` are
    those of its data sets, `conditions` the proofs of what it asks of them, `low` and `high` those of 0 <= V <= 1.
    """
    level = Term("ind", (u, test))
    is_event = for_all(point, indicator(u, test, 0))
    of_level = instance(private, {**values, "A": fn(point, level)}, *conditions, is_event)
    averaged = mono(of_level, "u", UNIT)
    swapped = [fubini("u", UNIT, point, one, level) for one in laws]
    layered = [mono(unit(test, "u", low, high), point, one) for one in laws]
    first, second = (mean(point, one, test) for one in laws)
    ratio = exp(epsilon)
    goal = le(first, ratio * second + delta)
    return auto(goal, averaged, swapped[0], layered[0], (ratio, swapped[1]), (ratio, layered[1]))


def renamed(statement: All, **to: str) -> All:
    """The same statement with other names for its parameters."""
    params = tuple(to.get(name, name) for name in statement.params)
    return All(params, tuple(replace(g, to) for g in statement.given), replace(statement.then, to))


def known(statement: All, name: str) -> Theorem:
    """What the set of a parameter says: that it is at least 0."""
    wanted = All(("i",), (nat(var("i")),), le(0, app(name, var("i")))), le(0, var(name))
    return assume(next(f for f in statement.given if key(f) in map(key, wanted)))


@proof
def post_processing(statement: All) -> Theorem:
    """A randomised function of an output: the chance of an event afterwards is a test of the output."""
    _, given, goal = parts_of(statement.then)
    near, is_event = map(assume, given)
    d, e, A, channel = var("d"), var("e"), app("A", var("y")), law("f", x)
    low, high = bounds_of_event(A, instance(is_event, {"x": var("y")}))
    delta = var("delta") if "delta" in statement.params else 0
    proved = on_tests(
        assume(statement.given[-1]),
        (law("M", d), law("M", e)),
        var("epsilon"),
        delta,
        "x",
        mean("y", channel, A),
        {},
        [near],
        mono(low, "y", channel),
        mono(high, "y", channel),
    )
    return auto(goal, proved)


def adaptive_composition(statement: All) -> Theorem:
    """By induction over the mechanisms: what the last one adds is a test of what the others gave."""
    return _composition(statement, lambda i, h, d: law("M", i, h, d))


def composition(statement: All) -> Theorem:
    """As above, where no mechanism gets the outputs before it."""
    return _composition(statement, lambda i, h, d: law("M", i, d))


SETS = "d", "e"


class Outputs:
    """The outputs of the first m mechanisms on the data set d or e: their law, what they begin with, and one more."""

    def __init__(self, M: Callable[..., Term]):
        self.M, self.longer = M, app("pair", h, y)

    def law(self, s: str, m: Any) -> Term:
        return composed_adaptively(self.M, m)(var(s))

    def one(self, s: str) -> Term:
        """The law of the output n after the history h."""
        return self.M(n, h, var(s))

    def none(self, s: str, body: Term) -> Theorem:
        return steps_zero("x", body, "i", "h", empty, self.law(s, 0).args[3])

    def next(self, natural: Theorem, s: str, body: Term) -> Theorem:
        return steps_next(natural, "x", body, "i", "h", empty, self.law(s, 0).args[3])


@proof
def _composition(statement: All, M: Callable[..., Term]) -> Theorem:
    _, given, goal = parts_of(statement.then)
    outputs, A = Outputs(M), app("A", x)
    near, is_event = map(assume, given)

    def budget(m: Any) -> Term:
        return sum_of(lambda i: app("epsilon", i), m)

    def leak(m: Any) -> Term:
        return sum_of(lambda i: app("delta", i), m)

    def says(m: Any) -> Any:
        left, right = (mean("x", outputs.law(s, m), A) for s in SETS)
        return le(left, exp(budget(m)) * right + leak(m))

    claim = All(("d", "e", "A"), (le(n, k), *given), says(n))
    starts = [outputs.none(s, A) for s in SETS]
    base = auto(says(0), *starts)

    # one more mechanism, whose chance of the event is at most that of `capped`, a test of the history, and its leak
    pn, enough = assume(nat(n)), assume(le(n + 1, k))
    each = instance(assume(statement.given[-1]), {"i": n}, pn, auto(lt(n, k), enough))
    idempotent = instance(is_event, {"x": outputs.longer})
    low, high = bounds_of_event(app("A", outputs.longer), idempotent)
    last = instance(each, {"A": fn("y", app("A", outputs.longer))}, for_all("y", idempotent))
    one, two = (mean("y", law_of, app("A", outputs.longer)) for law_of in map(outputs.one, SETS))
    ratio = exp(app("epsilon", n))
    some = Term("ind", (term(1), ratio * two))
    not_zero, rest = indicator(term(1), ratio * two, 3), auto(le(0, 1 - some))
    capped = some + (1 - some) * ratio * two
    above = product(weak(exp_positive(app("epsilon", n))), mono(low, "y", outputs.one("e")))
    leaks = instance(known(statement, "delta"), {"i": n}, pn)
    most = mono(high, "y", outputs.one("d"))
    below = auto(le(one, capped + app("delta", n)), (not_zero, most), (rest, last), (not_zero, leaks))
    small = auto(le(capped, ratio * two), indicator(term(1), ratio * two, 1))
    before = on_tests(
        assume(claim),
        (outputs.law("d", n), outputs.law("e", n)),
        budget(n),
        leak(n),
        "h",
        capped,
        {},
        [auto(le(n, k), enough), near],
        auto(le(0, capped), (rest, above)),
        auto(le(capped, 1), indicator(term(1), ratio * two, 2)),
    )
    nexts = [outputs.next(pn, s, A) for s in SETS]
    sums = [uniform_next(pn, "j", app(name, var("j"))) for name in ("epsilon", "delta")]
    power = same(sums[0], "z", exp(var("z")) * mean("x", outputs.law("e", n + 1), A))
    proved = auto(
        says(n + 1),
        nexts[0],
        mono(below, "h", outputs.law("d", n)),
        before,
        sums[1],
        power,
        (exp(budget(n)), mono(small, "h", outputs.law("e", n))),
        (exp(budget(n) + app("epsilon", n)), nexts[1]),
    )
    return auto(goal, instance(induction("n", base, proved, claim, at=k)))


@proof
def group_privacy(statement: All) -> Theorem:
    """By induction over the steps from neighbour to neighbour; for up to m of them, the sums of fewer are smaller."""
    names, given, goal = parts_of(statement.then)
    n, j, epsilon = map(var, ("n", "j", "epsilon"))
    m = next(f.args[0] for f in statement.given if isinstance(f, Rel) and f.op == "nat")
    k = var("r") if "r" in names.split() else m
    delta = var("delta") if "delta" in {*statement.params} | free_in(statement) else term(0)
    chain = next(assume(f) for f in given if isinstance(f, All) and f.params == ("i",))
    is_event = assume(event("A"))
    low, _ = bounds_of_event(app("A", x), instance(is_event))

    def at(i: Any) -> Term:
        return law("M", app("data", i))

    def chance(i: Any) -> Term:
        return mean("x", at(i), app("A", x))

    def leak(i: Any) -> Term:
        return sum_of(lambda j: exp(j * epsilon), i)

    def says(i: Any) -> Any:
        return le(chance(0), exp(term(i) * epsilon) * chance(i) + delta * leak(i))

    claim = All((), (le(n, k),), says(n))
    base = auto(says(0))
    pn, enough = assume(nat(n)), assume(le(n + 1, k))
    next_one = instance(chain, {"i": n}, pn, auto(lt(n, k), enough))
    private = instance(assume(statement.given[-1]), {"d": app("data", n), "e": app("data", n + 1)}, next_one)
    hypothesis = instance(assume(claim), {}, auto(le(n, k), enough))
    more = uniform_next(pn, "j", exp(j * epsilon))
    step = auto(says(n + 1), hypothesis, (exp(n * epsilon), private), (delta, more))
    proved = instance(induction("n", base, step, claim, at=k))
    if k != m:
        proved = _for_fewer(statement, proved, mono(low, "x", at(k)), goal)
    return auto(goal, proved)


def group_privacy_of_small_budgets(statement: All) -> Theorem:
    """The sum of e^(j epsilon) over j < k is at most k e^(k - 1), since j epsilon <= k - 1 for epsilon <= 1."""
    n, k, epsilon = map(var, ("n", "k", "epsilon"))
    small, count = assume(le(epsilon, 1)), nat_nonnegative(assume(nat(n)))
    return _with_a_bound(statement, k - 1, auto(le(n * epsilon, k - 1), (count, small), assume(le(n + 1, k))))


def group_privacy_with_the_budget(statement: All) -> Theorem:
    """The sum of e^(j epsilon) over j < k is at most k e^((k - 1) epsilon)."""
    n, k, epsilon = map(var, ("n", "k", "epsilon"))
    positive, enough = assume(le(0, epsilon)), assume(le(n + 1, k))
    return _with_a_bound(statement, (k - 1) * epsilon, auto(le(n * epsilon, (k - 1) * epsilon), (positive, enough)))


@proof
def _with_a_bound(statement: All, most: Term, last: Theorem) -> Theorem:
    """The theorem on groups with k e^most for the sum, of which no exponent is above `most`."""
    _, given, goal = parts_of(statement.then)
    n, k, epsilon, delta = map(var, ("n", "k", "epsilon", "delta"))
    private = assume(statement.given[-1])
    wanted = All((), (nat(k), private.conclusion), close_at_distance(lambda d: law("M", d), k, k * epsilon, _leak(k)))
    known = instance(instance(group_privacy(wanted)), {})
    pn, enough = assume(nat(n)), assume(le(n + 1, k))
    claim = All((), (le(n, k),), le(sum_of(lambda j: exp(j * epsilon), n), n * exp(most)))
    base = auto(le(sum_of(lambda j: exp(j * epsilon), 0), 0 * exp(most)))
    before = instance(assume(claim), {}, auto(le(n, k), enough))
    more = uniform_next(pn, "j", exp(var("j") * epsilon))
    step = auto(le(sum_of(lambda j: exp(j * epsilon), n + 1), (n + 1) * exp(most)), more, before, exp_monotone(last))
    return auto(goal, known, (delta, instance(induction("n", base, step, claim, at=k))))


def _leak(k: Term) -> Term:
    return var("delta") * sum_of(lambda j: exp(j * var("epsilon")), k)


def _for_fewer(statement: All, proved: Theorem, positive: Theorem, goal: Any) -> Theorem:
    """What holds for k steps, with the larger bound for m >= k of them."""
    n, k, m, epsilon = map(var, ("n", "r", "m", "epsilon"))
    pn, pk, pm = assume(nat(n)), assume(nat(k)), assume(nat(m))

    def leak(i: Any) -> Term:
        return sum_of(lambda j: exp(j * epsilon), i)

    claim = le(leak(k), leak(k + n))
    more = uniform_next(nat_sum(pk, pn), "j", exp(var("j") * epsilon))
    step = auto(le(leak(k), leak(k + n + 1)), assume(claim), more)
    every = induct("n", auto(le(leak(k), leak(k + 0))), step, claim)
    gap = nat_minus(pk, nat_next(pm), auto(lt(k, m + 1)))
    sums = instance(every, {"n": m - k}, gap)
    power = exp_monotone(auto(le(k * epsilon, m * epsilon)))
    return auto(goal, proved, (positive, power), (known(statement, "delta"), sums))


@proof
def markov(statement: All) -> Theorem:
    """t 1[t <= |X|] is a bounded function between 0 and |X|."""
    _, given, goal = parts_of(statement.then)
    t, i = var("epsilon"), Term("ind", (var("epsilon"), size(x)))
    absolute = auto(le(0, size(x)), *(indicator(term(0), x, k) for k in (0, 1, 2)))
    high = auto(le(t * i, size(x)), indicator(t, size(x), 1), (auto(le(0, 1 - i)), absolute))
    return auto(goal, (1 / t, instance(assume(given[0]), {"g": fn("x", t * i)}, high)))


@proof
def below_the_flat_line(statement: All) -> Theorem:
    """That the rule does not reject is a test too."""
    _, given, goal = parts_of(statement.then)
    near, positive, most, level = map(assume, given)
    test = 1 - app("rule", x)
    low, high = (auto(f) for f, p in ((le(0, test), most), (le(test, 1), positive)))
    private, laws, epsilon = assume(statement.given[-1]), (law("M", d), law("M", e)), var("epsilon")
    proved = on_tests(private, laws, epsilon, var("delta"), "x", test, {}, [near], low, high)
    return auto(goal, (exp(-epsilon), proved))


@proof
def below_the_steep_line(statement: All) -> Theorem:
    """The rule is a test, with the two data sets exchanged."""
    _, given, goal = parts_of(statement.then)
    near, positive, most, level = map(assume, given)
    low, high = instance(positive, {}), instance(most, {})
    symmetric, private = map(assume, statement.given[-2:])
    turned, laws, epsilon = instance(symmetric), (law("M", e), law("M", d)), var("epsilon")
    values = {"d": e, "e": d}
    proved = on_tests(private, laws, epsilon, var("delta"), "x", app("rule", x), values, [turned], low, high)
    return auto(goal, proved)


@proof
def misses_of_a_rule(statement: All) -> Theorem:
    """A mean of what is at most 1."""
    _, given, goal = parts_of(statement.then)
    return calc(goal, [(1, None, mono(instance(assume(given[0]), {}), "x", law("M", e)))])


@proof
def private_by_trade_off(statement: All) -> Theorem:
    """The rule that rejects outside of the event, at the level of its own false alarms."""
    rule = 1 - app("A", x)
    level = mean("x", law("M", d), rule)
    values = {"rule": fn("x", rule), "allowed": level}
    return auto(conclusion(statement), instance(assume(statement.given[-1]), values))
