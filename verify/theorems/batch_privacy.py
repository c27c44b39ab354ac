"""Proof in the kernel that batches with noisy means are private, for every algorithm that hears of these alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.losses import each_batch_is_close, hides_a_move, losses_of_both, of_batch, with_noise
from banditproof.verify.kernel.policies import TABLES, private_on
from banditproof.verify.theorems.losses import PLAYS, TOLD, Game, on_arms
from banditproof.verify.theorems.mechanisms import on_tests
from banditproof.verify.theorems.noise import one_laplace
from banditproof.verify.theorems.policies import _next_at_most, an_arm, less_on_arms, mean_over

a, i, j, k, n, r, z, K, tau, rest, epsilon = map(
    var, ("a", "i", "j", "k", "n", "r", "z", "K", "tau", "rest", "epsilon")
)
G, AFTER = app("g", z), app("g", app("after", z, a, a, r))
TESTS = All(("z",), (), le(0, G)), All(("z",), (), le(G, 1))
ROUND = k * tau + i


def of_side(side: str) -> Any:
    return of_batch(tau, lambda t, a: app(side, t, a))


BATCHES = [of_side(side) for side in TABLES]
GAMES = [Game(batch) for batch in BATCHES]


def weight(count: Any) -> Term:
    """e^epsilon once row j is among the first batches, and 1 before."""
    return 1 + (exp(epsilon) - 1) * ind(j + 1, term(count) * tau)


def moves(rows: list[Theorem], inside: list[Theorem]) -> list[Theorem]:
    """The means of batch k differ by 1/tau at most: their losses differ in round j alone."""
    before, behind = rows
    here, there = (app(side, ROUND, a) for side in TABLES)
    hit, early, late = equal(ROUND, j), assume(lt(ROUND, j)), assume(lt(j, ROUND))
    found = []
    for left, right, top, bottom in ((here, there, inside[1], inside[2]), (there, here, inside[3], inside[0])):
        goal = le(left - right, hit)
        same_before, same_behind = (auto(goal, p) for p in rows_at(before, behind, early, late))
        ends = assume(le(ROUND, j)), assume(le(j, ROUND))
        both = auto(goal, top, bottom, at_most(ends[0]), (ind(ROUND, j), at_most(ends[1])))
        found.append(cases(cases(both, same_behind, ROUND, j), same_before, j, ROUND))
    return found


def rows_at(before: Theorem, behind: Theorem, early: Theorem, late: Theorem) -> tuple[Theorem, Theorem]:
    """The losses of the round are the same, where it is before row j or behind it."""
    natural, below = in_horizon()
    arms = [assume(f) for f in is_arm(a, K)]
    return (
        instance(before, {"i": ROUND}, natural, early, *arms),
        instance(behind, {"i": ROUND}, natural, late, below, *arms),
    )


def in_horizon() -> tuple[Theorem, Theorem]:
    """Round i of batch k < n is one of the rounds."""
    pm, pt, pr = (assume(nat(s)) for s in (k, tau, rest))
    first = _next_at_most(pm, assume(nat(n)), assume(lt(k, n)))
    spare = product(auto(le(0, n - k - 1), first), nat_nonnegative(pt))
    natural = nat_sum(nat_product(pm, pt), assume(nat(i)))
    return natural, auto(lt(ROUND, n * tau + rest), spare, assume(lt(i, tau)))


def ends(game: Game) -> Term:
    """What a test gives in the mean after batch k."""
    return mean("a", pi(k, TOLD), game.told(k, AFTER))


def after(game: Game, p: Theorem) -> Theorem:
    """A relation of what holds after batch k - 1, averaged."""
    return mono(p, "z", game.mean(k, G).args[1])


def same_means(p: Theorem) -> Theorem:
    """The means of batch k are the same where its losses are."""
    here, there = p.conclusion.args  # type: ignore[union-attr]
    return auto(eq(*(batch(k, a) for batch in BATCHES)), mean_over(auto(eq(0, here - there), p), "i", tau))


def alike(p: Theorem) -> Theorem:
    """Where the losses of batch k are the same, so is what a test gives in the mean."""
    first, second = GAMES
    told = same(same_means(p), "v", mean("r", law("M", var("v")), AFTER))
    return after(first, on_arms(k, first.told(k, AFTER), second.told(k, AFTER), told))


@lemma("a K")
def one_round() -> Theorem:
    """An arm below K is one of the arms: 1[a = j] adds up to 1 over j < K."""
    arm_is_known = an_arm(a)
    suppose(*arm_is_known.hypotheses.values())
    return arm_is_known


IN_BATCH = assume(lt(k * tau, j + 1)), assume(lt(j, (k + 1) * tau))


def near_means(before: Theorem, behind: Theorem, inside: list[Theorem]) -> list[Theorem]:
    """The means of batch k differ by 1/tau at most, if row j is in it."""
    pt, (starts, stops) = assume(nat(tau)), IN_BATCH
    place = nat_minus(nat_product(assume(nat(k)), pt), nat_next(assume(nat(j))), starts)
    own = place, auto(lt(j - k * tau, tau), stops), pt
    counted = instance(one_round(), {"a": j - k * tau, "K": tau}, *in_order(one_round(), own))
    near = []
    for one, (left, right) in zip(moves([before, behind], inside), (BATCHES, BATCHES[::-1]), strict=True):
        slack = mean_over(auto(le(0, equal(ROUND, j) - one.conclusion.args[0]), one), "i", tau)  # type: ignore[union-attr]
        moved = le(left(k, a), right(k, a) + 1 / tau)
        near.append(auto(moved, slack, (1 / tau, counted)))
    return near


def by_place(before: Theorem, behind: Theorem) -> tuple[Theorem, Theorem, Theorem, Theorem]:
    """That row j was before batch k, that it is behind it, and that the losses of the batch are the same then."""
    passed, ahead = assume(le(j + 1, k * tau)), assume(le((k + 1) * tau, j))
    behind_row = auto(lt(j, ROUND), passed, nat_nonnegative(assume(nat(i))))
    before_row = auto(lt(ROUND, j), ahead, assume(lt(i, tau)))
    early, late = rows_at(before, behind, before_row, behind_row)
    return passed, ahead, early, late


@proof
def means_are_close(statement: All) -> Theorem:
    """The means of a batch without row j are the same, and those of the one with it are near."""
    names, given, goal = parts_of(statement.then)
    _, _, before, behind, *bounds, _, _, _, _, is_event = map(assume, given)
    whole = {"l": k}
    goal = replace(goal, whole)
    hides = assume(hides_a_move(lambda x: law("M", x), 1 / tau, epsilon))
    inside = [instance(p, {"i": ROUND}, *in_horizon(), *(assume(f) for f in is_arm(a, K))) for p in bounds]
    passed, ahead, early, late = by_place(before, behind)
    first, last = ind(k * tau, j), ind(j + 1, (k + 1) * tau)
    q, r = (batch(k, a) for batch in BATCHES)
    of_event = mean("x", law("M", var("v")), app("A", var("x")))

    def at(value: int, here: Theorem, *facts: Any) -> Theorem:
        level = same(here, "v", exp(epsilon * var("v")))
        return auto(goal, (substitute(of_event, {"v": r}), level), *facts)

    none = not_at_most(auto(lt(j, k * tau), passed)), not_at_most(auto(lt((k + 1) * tau, j + 1), ahead))
    zero = auto(eq(first * last, 0), (last, none[0])), auto(eq(first * last, 0), (first, none[1]))
    is_behind, is_before = (
        at(0, here, same(same_means(p), "v", of_event)) for here, p in zip(zero, (late, early), strict=True)
    )
    starts, stops = IN_BATCH
    begun = nat_minus(nat_product(assume(nat(k)), assume(nat(tau))), nat_next(assume(nat(j))), starts)
    below = nat_minus(assume(nat(j)), nat_product(nat_next(assume(nat(k))), assume(nat(tau))), stops)
    ones = (
        at_most(auto(le(k * tau, j), nat_nonnegative(begun))),
        at_most(auto(le(j + 1, (k + 1) * tau), nat_nonnegative(below))),
    )
    one = auto(eq(first * last, 1), (last, ones[0]), ones[1])
    near = near_means(before, behind, inside)
    just_here = at(1, one, instance(hides, {"q": q, "r": r}, *near))
    proved = cases(is_behind, cases(is_before, just_here, (k + 1) * tau, j), j + 1, k * tau)
    renamed = [replace(f, whole) for f in given]
    return for_all(names.replace(" l ", " k "), proved, *renamed)


@proof
def batches_are_private(statement: All) -> Theorem:
    """By induction over the batches: means of tests grow by e^epsilon once, in the batch of row j."""
    _, given, goal = parts_of(statement.then)
    _, _, before, behind, *bounds, is_event = map(assume, given)
    hides = assume(hides_a_move(lambda x: law("M", x), 1 / tau, epsilon))
    arms = [assume(f) for f in is_arm(a, K)]
    inside = [instance(p, {"i": ROUND}, *in_horizon(), *arms) for p in bounds]
    pm, pt, pj = (assume(nat(s)) for s in (k, tau, j))
    scale, (first, second) = exp(epsilon) - 1, GAMES
    grown = auto(le(0, scale), exp_tangent(epsilon))
    tests = [assume(f) for f in TESTS]
    low, high = (instance(p, {"z": app("after", z, a, a, r)}) for p in tests)

    claim = All(("g",), (le(k, n), *TESTS), le(first.mean(k, G), weight(k) * second.mean(k, G)))
    more = product(product(grown, indicator(j + 1, term(0), 3)), instance(tests[0], {"z": var("empty")}))
    start = le(first.mean(0, G), weight(0) * second.mean(0, G))
    base = auto(start, first.none(G), (weight(0), second.none(G)), more)

    enough, upto = assume(le(k + 1, n)), mean("z", second.mean(k, G).args[1], ends(second))
    of_ends = [for_all("z", mono(mono(p, "r", law("M", BATCHES[1](k, a))), "a", pi(k, TOLD))) for p in (low, high)]
    known = instance(assume(claim), {"g": fn("z", ends(second))}, auto(le(k, n), enough), *of_ends)
    nexts = first.next(pm, G), (weight(k + 1), second.next(pm, G))
    longer = le(first.mean(k + 1, G), weight(k + 1) * second.mean(k + 1, G))

    passed, ahead, early, late = by_place(before, behind)
    both = at_most(passed), at_most(auto(le(j + 1, (k + 1) * tau), passed))
    none = auto(lt(k * tau, j + 1), ahead), auto(lt((k + 1) * tau, j + 1), ahead)
    is_behind = auto(longer, *nexts, alike(late), known, *((scale * upto, p) for p in both))
    is_before = auto(longer, *nexts, alike(early), known, *((scale * upto, not_at_most(p)) for p in none))

    starts, stops = IN_BATCH
    near = near_means(before, behind, inside)
    laws, at = [law("M", batch(k, a)) for batch in BATCHES], {n: b(k, a) for n, b in zip("qr", BATCHES, strict=True)}
    close = on_tests(hides, (laws[0], laws[1]), epsilon, 0, "r", AFTER, at, near, low, high)
    told = less_on_arms(
        PLAYS, pi(k, TOLD), (k, TOLD), first.told(k, AFTER), exp(epsilon) * second.told(k, AFTER), close
    )
    last = at_most(auto(le(j + 1, (k + 1) * tau), nat_nonnegative(nat_minus(pj, nat_product(nat_next(pm), pt), stops))))
    larger = weak(exp_positive(epsilon)), known
    at_row = (scale * exp(epsilon) * upto, not_at_most(starts)), (scale * upto, last)
    just_now = auto(longer, *nexts, after(first, told), larger, *at_row)
    proved = cases(is_behind, cases(is_before, just_now, (k + 1) * tau, j), j + 1, k * tau)
    step = instance(for_all("", proved, lt(k, n)), {}, auto(lt(k, n), enough))

    said = app("A", app("pair", app("said", z), a))
    event = bounds_of_event(said, instance(is_event, {"x": app("pair", app("said", z), a)}))
    of_last = [mono(p, "a", pi(n, TOLD)) for p in event]
    test = mean("a", pi(n, TOLD), said)
    at_end = induction("k", base, step, claim, at=n)
    at_end = instance(at_end, {"g": fn("z", test)}, *(for_all("z", p) for p in of_last))
    positive = mono(of_last[0], "z", second.mean(n, G).args[1])
    rest_of = product(grown, auto(le(0, 1 - ind(j + 1, n * tau))))
    return auto(goal, at_end, (rest_of, positive))


def in_order(p: Theorem, known: Sequence[Theorem]) -> list[Theorem]:
    """What is known of j - k tau and tau, in the order in which a theorem about an arm a < K asks for it."""
    of = {key(nat(a)): known[0], key(lt(a, K)): known[1], key(nat(K)): known[2]}
    return [of[key(replace(f, {}))] for f in p.conclusion.given]  # type: ignore[union-attr]


@once
def private_batches() -> Theorem:
    """For all M, pi, ...: the batches are private."""
    hidden = hides_a_move(lambda x: law("M", x), 1 / tau, epsilon)
    numbers = *map(nat, (n, tau, rest)), le(1, tau), lt(0, epsilon)
    both = private_on(losses_of_both(pi, lambda x: law("M", x), n, tau, rest, K), epsilon)
    names = ("M", "pi", "n", "tau", "rest", "K", "epsilon")
    return batches_are_private(All(names, (*numbers, PLAYS.conclusion, hidden), both))


@once
def each_batch() -> Theorem:
    """For all M, ...: what is heard of a batch."""
    hidden = hides_a_move(lambda x: law("M", x), 1 / tau, epsilon)
    said = each_batch_is_close(lambda x: law("M", x), n, tau, rest, K, epsilon)
    numbers = *map(nat, (n, tau, rest)), le(1, tau), lt(0, epsilon)
    return means_are_close(All(("M", "n", "tau", "rest", "K", "epsilon"), (*numbers, hidden), said))


@lemma("b")
def laplace_hides() -> Theorem:
    """Noise of scale b hides a move by 1/tau, where 1 <= tau b epsilon."""
    q, r, y, b = map(var, ("q", "r", "y", "b"))
    some = auto(lt(0, tau), assume(le(1, tau)))
    positive, enough = suppose(lt(0, b), le(1, tau * b * epsilon))
    rate, A, t = product(some, positive), app("A", y), q - r
    is_event = assume(event("A"))
    not_negative = for_all("y", bounds_of_event(A, instance(is_event, {"x": y}))[0])
    near = instance(one_laplace(), {"p": q, "q": r, "g": fn("y", A)}, not_negative)
    up, down = assume(le(q, r + 1 / tau)), assume(le(r, q + 1 / tau))
    above, below = assume(le(0, t)), assume(lt(t, 0))
    small = le(size(t), 1 / tau)
    at_most_one = cases(
        auto(small, up, (2 * t, at_most(above))), auto(small, down, (2 * t, not_at_most(below))), term(0), t
    )
    inverse = weak(reciprocal_positive(rate))
    far = exp_monotone(
        auto(le(size(t) / b, epsilon), (1 / b, at_most_one), (inverse, enough), (epsilon, reciprocal(rate)))
    )
    noise = with_noise(laplace(b))
    low = mono(instance(not_negative, {}), "y", noise(r))
    goal = hides_a_move(noise, 1 / tau, epsilon)
    return for_all("q r A", auto(goal.then, near, (low, far)), *goal.given)


def with_laplace(statement: All, lemma: Theorem, **values: Any) -> Theorem:
    """A theorem about all that hides a move, for the noise of the statement; what it asks besides is assumed.

    The scale is 1 where the statement has 1 <= tau epsilon, and 1/(tau epsilon) elsewhere.
    """
    large = le(1, tau * epsilon)
    if key(large) in map(key, statement.given):
        scale = term(1)
    else:
        scale = 1 / (tau * epsilon)
    hidden = instance(laplace_hides(), {"b": scale})
    whole = {"M": fn("p", with_noise(laplace(scale))(var("p"))), **values}
    known = {key(hidden.conclusion): hidden}
    asked = [replace(f, whole) for f in lemma.conclusion.given]  # type: ignore[union-attr]
    return instance(lemma, whole, *(known.get(key(f)) or assume(f) for f in asked))


@proof
def algorithm_1(statement: All) -> Theorem:
    """The batches, with the noise that is printed."""
    return with_laplace(statement, private_batches())


@proof
def batch_by_batch(statement: All) -> Theorem:
    """What is heard of one batch, with the noise that is printed."""
    return with_laplace(statement, each_batch())


@proof
def experts_are_private(statement: All) -> Theorem:
    """Each draw of the actions makes two tables of the experts that differ in one row; then the mean over the draws."""
    _, given, goal = parts_of(statement.then)
    N, d, who = var("N"), var("d"), var("q")
    pj, row, before, behind, *bounds, natural, action, is_event = map(assume, given)
    expert = [assume(f) for f in is_arm(who, N)]
    rounds = {
        "before": (nat(i), lt(i, j)),
        "behind": (nat(i), lt(j, i), lt(i, n * tau + rest)),
        "": (nat(i), lt(i, n * tau + rest)),
    }
    named = app("named", i, who, d)
    facts = []
    for p, when in zip((before, behind, *bounds), ("before", "behind", "", "", "", ""), strict=True):
        known = [assume(f) for f in rounds[when]]
        inside = known if when != "before" else [known[0], auto(lt(i, n * tau + rest), known[1])]
        place = [inside[0], inside[-1], *expert]
        arms = [instance(q, {"j": who}, *place) for q in (natural, action)]
        at_draw = instance(p, {"a": named}, *known, *arms)
        facts.append(for_all("i q", at_draw, *rounds[when], *is_arm(who, N)))
    values = {side: fn("p q", app(side, var("p"), app("named", var("p"), var("q"), d))) for side in TABLES}
    values["A"] = fn("x", app("A", app("pair", var("x"), d)))
    at_d = with_laplace(statement, private_batches(), K=N)
    event = for_all("x", instance(is_event, {"x": app("pair", var("x"), d)}))
    return auto(goal, mono(instance(at_d, values, *facts, event), "d", law("draws")))
