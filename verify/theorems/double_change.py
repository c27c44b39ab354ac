"""Proofs in the kernel of what View DP says of a policy on two bandits, with a third one in between: rewards of an arm
are first changed to those of another law, for the price of privacy, and then drawn from a third one, for a divergence.

In the mean over the rewards, of the last round first, two laws of variation t cost as much as rewards that differ with
the probability t; and for two laws of divergence c the tilt of the probabilities of a sequence grows by c.
"""

from __future__ import annotations

from typing import Any

from banditproof.verify.kernel.histories import apart_in, one_round_more, sum_along, told_histories
from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.policies import lists, private_on
from banditproof.verify.kernel.rewards import actions_on_arms
from banditproof.verify.theorems.bandit_divergences import Histories, chance, h, n, over_arms
from banditproof.verify.theorems.couplings import between_two_laws, variation_is_nonnegative
from banditproof.verify.theorems.exposure import HERE, HIT, KEPT, THERE, Last, OnArms, epsilon, one, one_sequence
from banditproof.verify.theorems.interactive_privacy import other, reward
from banditproof.verify.theorems.policies import *

x, y, w, m, C, cost, depth = map(var, ("x", "y", "w", "m", "C", "cost", "depth"))
j, k, r, s = map(var, "jkrs")


def level(t: Term) -> Term:
    """e^-depth + (1 - e^-depth) t for 0 <= t <= 1: a number of which the logarithm is bounded by its form."""
    return mean("y", law("Unit"), exp(-depth * (1 - ind(y, t))))


def level_is(t: Term, low: Theorem, high: Theorem) -> Theorem:
    small = exp(-depth)
    i, v = ind(y, t), var("v")
    goal = eq(exp(-depth * (1 - i)), small + (1 - small) * i)
    ends = []
    for found in (at_most(assume(le(y, t))), not_at_most(assume(lt(t, y)))):
        ends.append(auto(goal, same(found, "v", exp(-depth * (1 - v))), (1 - small, found)))
    each = mono(cases(*ends, y, t), "y", law("Unit"))
    return auto(eq(level(t), small + (1 - small) * t), each, (1 - small, unit(t, "y", low, high)))


@once
def change_of_law() -> Theorem:
    """m w - e^w E_Q b <= C + cost m, where m E_P v - E_P e^v b <= C for all v, D_KL(P || Q) <= cost, and b, m >= 0.

    The best v is log(m/b); the number `depth` bounds it from below, and goes to infinity.
    """
    P, Q, b = law("P"), law("Q"), app("b", x)
    m_low, b_low, close = assume(le(0, m)), assume(All(("x",), (), le(0, b))), assume(kl_at_most(P, Q, cost))
    every = assume(All(("v",), (), le(m * mean("x", P, app("v", x)) - mean("x", P, exp(app("v", x)) * b), C)))
    B_low = mono(instance(b_low, {}), "x", Q)
    goal = le(m * w - exp(w) * mean("x", Q, b), C + cost * m)
    gap = goal.args[0] - goal.args[1]

    # m = 0: at v = -n the mean of b is at least -C (1 + n)
    nothing, negative = antisymmetric(assume(le(m, 0)), m_low), assume(lt(C, 0))
    P_b = mean("x", P, b)
    at_n = instance(every, {"v": fn("x", -n)})
    grown = auto(le(0, C * exp(n) + P_b), (exp(n), at_n), nothing)
    less = auto(lt(0, -C), negative)
    enough = assume(le(P_b / -C, n))
    false = contradiction(grown, (less, exp_tangent(n)), (less, enough), reciprocal(less), negative)
    C_low = cases(assume(le(0, C)), some_natural(absurd(false, le(0, C)), "n", P_b / -C), term(0), C)
    idle = auto(goal, C_low, B_low, nothing)

    # m > 0, all b at most N, and a depth above 0
    largest, some_m, deep = var("largest"), assume(lt(0, m)), assume(lt(0, depth))
    N, below = largest + 1, assume(All(("x",), (), le(b, largest)))
    positive = auto(lt(0, N), nat_nonnegative(assume(nat(largest))))
    t = b / N
    t_low = product(instance(b_low, {}), weak(reciprocal_positive(positive)))
    under = auto(le(b, N), instance(below, {}))
    t_high = auto(le(t, 1), (reciprocal_positive(positive), under), reciprocal(positive))
    small = exp(-depth)
    R = 1 - small
    few = auto(le(small * depth, R), exp_tangent(depth))
    R_low = auto(lt(0, R), few, product(exp_positive(-depth), deep))
    is_level = level_is(t, auto(le(0, t), t_low), t_high)
    level_low = auto(lt(0, level(t)), is_level, product(R_low, auto(le(0, t), t_low)))
    phi, M, L, S = log(level(t)), log(m), log(N), log(R)
    of_phi, of_m, of_N, of_R = map(exp_log, (level_low, some_m, positive, R_low))
    v = M - phi - L + S
    cut = auto(
        le(exp(v) * b, m),
        (exp(v) * b, reciprocal(positive)),
        of_N,
        (exp(M - phi) * t, of_R),
        auto(le(R * t, level(t)), is_level),
        (exp(M - phi), of_phi),
        of_m,
    )
    here = instance(every, {"v": fn("x", v)})
    c = w + L - M - S
    there = instance(close, {"u": fn("x", phi + c)})
    scale = auto(eq(m * exp(c) * R, exp(w) * N), (exp(c) * R, of_m), of_R, of_N)
    close_to = auto(
        le(gap, m * exp(c) * small),
        here,
        mono(cut, "x", P),
        (some_m, there),
        mono(of_phi, "x", Q),
        mono(is_level, "x", Q),
        (mean("x", Q, b) / N, scale),
        reciprocal(positive),
    )
    price = auto(le(gap * depth, exp(w) * N), (deep, close_to), (product(some_m, exp_positive(c)), few), scale)
    large = exp(w) * N + 1
    contrary, enough = assume(lt(0, gap)), assume(le(large / gap, n))
    more = auto(lt(0, large), product(exp_positive(w), positive))
    at_n = instance(for_all("depth", price, deep.conclusion), {"depth": n}, deep_enough(more, contrary, enough))
    grown = auto(le(large, gap * n), (contrary, enough), reciprocal(contrary))
    false = contradiction(at_n, grown)
    never = some_bound(some_natural(absurd(false, goal), "n", large / gap), "largest", ["x"], b)
    proved = cases(assume(goal), never, *goal.args)
    names = "P Q b m C cost w"
    given = m_low, b_low, close, every
    return for_all(names, cases(idle, proved, m, term(0)), *(f.conclusion for f in given))


def deep_enough(more: Theorem, contrary: Theorem, enough: Theorem) -> Theorem:
    """0 < n from large/gap <= n."""
    n = enough.conclusion.args[1]  # type: ignore[union-attr]
    return auto(lt(0, n), product(more, reciprocal_positive(contrary)), enough)


# --------------------------------------------------------------------------------------------- all rounds, one by one

OF_ARMS = All(
    ("a",), is_arm(a, K), private_divergence_at_most(law("nu", a), law("nu_prime", a), epsilon, app("cost", a))
)
CHANCE = mean("a", pi(k, TOLD), equal(a, b))
SIDES, BANDITS = (HERE, THERE), (OnArms("nu"), OnArms("nu_prime"))
v = var("v")


def paid(rounds: Any) -> Term:
    """What the arms cost that are played on the first bandit, in the mean."""
    in_round = BANDITS[0].mean(j, mean("a", pi(j, TOLD), app("cost", a)))
    return term(rounds) * mean("j", uniform(rounds), in_round)


def on_lists(rounds: Any, f: Term, g: Term) -> All:
    """E f + w P - e^w E' g <= (epsilon d_Ham - 1) P on each sequence, of which P is the probability, for all w."""
    mass = HERE.mean(rounds, HIT)
    left = HERE.mean(rounds, f * HIT) + w * mass - exp(w) * THERE.mean(rounds, g * HIT)
    return All(("sequence", "rewards", "others", "w"), (), le(left, (epsilon * apart_in(rounds) - 1) * mass))


def on_bandits(rounds: Any) -> All:
    """E f - E' g + 1 is at most what the arms cost, where the same holds on all lists."""
    f, g = app("f", z), app("g", z)
    left = BANDITS[0].mean(rounds, f) - BANDITS[1].mean(rounds, g) + 1
    given = le(rounds, T), All(("z",), (), le(0, g)), on_lists(rounds, f, g)
    return All(("f", "g"), given, le(left, paid(rounds)))


class OneMore:
    """Both lists with one reward more, r and s: how many places differ, and what hits a sequence with b behind."""

    def __init__(self) -> None:
        pk = assume(nat(k))
        self.sides = sides = Last(HERE, "rewards", r), Last(THERE, "others", s)
        self.values = {name: fn("i", side.list(i)) for name, side in zip(("rewards", "others"), sides, strict=True)}
        self.values |= {"sequence": app("pair", one, b)}
        self.in_round = 1 - equal(sides[0].list(j), sides[1].list(j))
        before = 1 - equal(reward(j), other(j))
        off = not_at_most(assume(lt(j, k)))
        places = [auto(eq(of.list(j), app(of.rewards, j)), (of.point - app(of.rewards, j), off)) for of in sides]
        first = same(places[0], "v", equal(v, sides[1].list(j)))
        same_before = sum_over(
            auto(eq(0, self.in_round - before), first, same(places[1], "v", equal(reward(j), v))), "j", k
        )
        self.places = (k + 1) * mean("j", uniform(k + 1), self.in_round)
        goal = eq(self.places, apart_in(k) + 1 - equal(r, s))
        self.far = auto(goal, uniform_next(pk, "j", self.in_round), same_before)
        self.mass = HERE.mean(k, HIT * CHANCE)


def nonnegative(side: Runs, g: Theorem) -> Theorem:
    """0 <= E g 1[said] P(b) after k rounds, from 0 <= g."""
    return mono(product(g, auto(le(0, HIT * CHANCE))), "z", side.law(k))


def of_all_arms(side: Runs, of_arm: Term, of_played: Term) -> Theorem:
    """The sum over the arms b of E F(b) 1[said] P(b) is E 1[said] F(a), of the arm a that is played."""
    body, whole = of_arm * HIT * CHANCE, HIT * mean("a", pi(k, TOLD), of_played)
    spread = auto(eq(K * mean("b", uniform(K), body), whole), (HIT, all_arms(of_played, k, TOLD)))
    swap = fubini("b", uniform(K), "z", side.law(k), body)
    goal = eq(K * mean("b", uniform(K), side.mean(k, body)), side.mean(k, whole))
    return auto(goal, mono(spread, "z", side.law(k)), (K, swap))


def at_infimum(mass_low: Theorem, twice: Theorem, known: Theorem) -> Theorem:
    """What the changes of the arm b do is at most its d_epsilon, times the mass: for a mass above 0 since that is an
    infimum, and for none since some law, that of the second bandit, costs a number."""
    left, right = twice.conclusion.args  # type: ignore[union-attr]
    mass, here, there = mass_low.conclusion.args[1], law("nu", b), law("nu_prime", b)  # type: ignore[union-attr]
    given = variation_at_most(here, law("between"), var("apart")), kl_at_most(law("between"), there, var("extra"))
    excess = left - (right - (epsilon * var("apart") + var("extra")) * mass)
    some, none = assume(lt(0, mass)), assume(le(mass, 0))
    inverse = weak(reciprocal_positive(some))
    sums = auto(le(excess / mass, epsilon * var("apart") + var("extra")), (inverse, twice), reciprocal(some))
    least = instance(known, {"least": excess / mass}, for_all("between apart extra", sums, *given))
    goal = le(excess, app("cost", b) * mass)
    above = auto(goal, (some, least), reciprocal(some))
    nothing = antisymmetric(none, mass_low)
    every = for_all("between apart extra", twice, *given)
    at_once = instance(
        every, {"between": fn("", there), "apart": 1, "extra": 0}, always_apart(here, there), no_divergence(there)
    )
    return cases(auto(goal, at_once, nothing), above, mass, term(0))


def always_apart(P: Term, Q: Term) -> Theorem:
    """TV(P || Q) <= 1."""
    of_event = event("A")
    low, high = bounds_of_event(app("A", x), instance(assume(of_event), {}))
    return for_all("A", auto(variation_at_most(P, Q, 1).then, mono(high, "x", P), mono(low, "x", Q)), of_event)


def no_divergence(P: Term) -> Theorem:
    """D_KL(P || P) <= 0."""
    return for_all("u", auto(kl_at_most(P, P, 0).then, mono(exp_tangent(app("u", x)), "x", P)))


def by_some_law(laws: tuple[Term, Term, Any], prices: tuple[Any, Any], most: Term, *facts: Fact) -> Theorem:
    """d_epsilon(P, Q) <= most, since one law R costs so much: TV(P || R) <= tv, D_KL(R || Q) <= extra, and what
    compares their sum with this number."""
    (P, Q, R), (tv, extra) = laws, prices
    word = private_divergence_at_most(P, Q, epsilon, most)
    at_R = instance(assume(word.given[0]), {"between": fn("", R), "apart": tv, "extra": extra}, *facts[:2])  # type: ignore[arg-type]
    return for_all("least", auto(word.then, at_R, *facts[2:]), word.given[0])


def price_is_nonnegative(known: Theorem, budget: Theorem) -> Theorem:
    """0 <= most where d_epsilon(P, Q) is at most that, and epsilon is not negative."""
    sums = known.conclusion.given[0]  # type: ignore[union-attr]
    assert isinstance(sums, All) and isinstance(sums.then, Rel)
    apart, close = map(assume, sums.given)
    lows = variation_is_nonnegative(apart, var("apart")), instance(close, {"u": fn("x", 0)})
    low = auto(le(0, sums.then.args[1]), product(budget, lows[0]), lows[1])
    return instance(known, {"least": 0}, for_all("between apart extra", low, *sums.given))


@once
def of_all_rounds() -> Theorem:
    """By induction over the rounds, for all functions f and g of runs: the last reward of each arm is changed twice."""
    f, g = app("f", z), app("g", z)
    pk, enough, budget = assume(nat(k)), assume(le(k + 1, T)), assume(le(0, epsilon))
    claim = on_bandits(k)
    nothing = instance(assume(on_lists(term(0), f, g)), {"sequence": START, "w": 0})
    at_start = [side.none(body * equal(SAID, START)) for side, body in ((HERE, f), (THERE, g), (HERE, term(1)))]
    starts = BANDITS[0].none(f), BANDITS[1].none(g)
    base = auto(on_bandits(term(0)).then, nothing, *at_start, *starts)

    known, g_low = assume(on_lists(k + 1, f, g)), assume(All(("z",), (), le(0, g)))
    more, arms = OneMore(), [assume(h) for h in is_arm(b, K)]
    mass, tilt = more.mass, app("v", s)
    at_longer = instance(known, more.values | {"w": tilt})
    hits = more.sides[0].hits(f), more.sides[1].hits(g), more.sides[0].hits(term(1))
    here = HERE.mean(k, substitute(f, {"z": app("after", z, b, b, r)}) * HIT * CHANCE)
    there = THERE.mean(k, substitute(g, {"z": app("after", z, b, b, s)}) * HIT * CHANCE)
    on_points = auto(
        le(here + tilt * mass - exp(tilt) * there, (epsilon * (apart_in(k) + 1 - equal(r, s)) - 1) * mass),
        at_longer,
        hits[0],
        hits[1],
        (epsilon * more.places - 1 - tilt, hits[2]),
        more.far,
    )
    every = for_all("r s", on_points)
    mass_low = auto(le(0, mass))
    paid_low = product(budget, mass_low)
    low = (epsilon * apart_in(k) - 1) * mass
    high = low + epsilon * mass
    A, B = substitute(here, {"r": x}), substitute(exp(tilt) * there - tilt * mass, {"s": x})
    near = auto(le(A, B + low), instance(every, {"r": x, "s": x}))
    two = product(indicator(x, y, 3), indicator(y, x, 3))
    far = auto(le(A, substitute(B, {"x": y}) + high), instance(every, {"r": x, "s": y}), (paid_low, two))
    between, far_by, extra = law("between"), var("apart"), var("extra")
    laws = [fn("", law("nu", b)), fn("", between), fn("", law("nu_prime", b))]
    apart = assume(variation_at_most(law("nu", b), between, far_by))
    close = assume(kl_at_most(between, law("nu_prime", b), extra))
    values = {"a": fn("x", A), "b": fn("x", B), "P": laws[0], "Q": laws[1], "low": low, "high": high}
    order = auto(le(low, high), paid_low)
    first_change = instance(between_two_laws(), values | {"t": far_by}, order, near, far, apart)
    most = low + epsilon * far_by * mass - mean("r", law("nu", b), here)
    of_law = mean("s", between, tilt) * mass - mean("s", between, exp(tilt) * there)
    in_mean = auto(le(of_law, most), first_change)
    after_r = substitute(there, {"s": x})
    there_low = auto(le(0, after_r), nonnegative(THERE, instance(g_low, {"z": app("after", z, b, b, x)})))
    values = {"P": laws[1], "Q": laws[2], "b": fn("x", after_r), "m": mass, "C": most, "cost": extra, "w": w}
    twice = instance(change_of_law(), values, there_low, close, in_mean)
    last = at_infimum(mass_low, twice, instance(assume(OF_ARMS), {"a": b}, *arms))

    # all arms
    means = [of.after(h, b) for of, h in zip(BANDITS, (f, g), strict=True)]
    turned = [
        fubini("r", law(of.nu, b), "z", side.law(k), substitute(h, {"z": app("after", z, b, b, r)}) * HIT * CHANCE)
        for of, side, h in zip(BANDITS, SIDES, (f, g), strict=True)
    ]
    bodies, played = [means[0] - app("cost", b), means[1]], [BANDITS[0].after(f) - app("cost", a), BANDITS[1].after(g)]
    of_arm = [side.mean(k, body * HIT * CHANCE) for side, body in zip(SIDES, bodies, strict=True)]
    each = auto(le(0, low - of_arm[0] - w * mass + exp(w) * of_arm[1]), last, turned[0], turned[1])
    sums = [of_all_arms(*parts) for parts in zip((*SIDES, HERE), (*bodies, term(1)), (*played, term(1)), strict=True)]
    new = [mean("a", pi(k, TOLD), body) for body in played]
    shorter, count = on_lists(k, *new), weak(auto(lt(0, K), SOME))
    proved = auto(shorter.then, (count, mean_over_arms(each)), sums[0], sums[1], sums[2])
    proved = for_all("sequence rewards others w", proved)
    next_g = mono(instance(g_low, {"z": app("after", z, a, a, r)}), "r", law("nu_prime", a))
    new_low = mono(next_g, "a", pi(k, TOLD))
    back = instance(
        assume(claim), {"f": fn("z", new[0]), "g": fn("z", new[1])}, auto(le(k, T), enough), new_low, proved
    )
    spent = uniform_next(pk, "j", BANDITS[0].mean(j, mean("a", pi(j, TOLD), app("cost", a))))
    later = on_bandits(k + 1)
    step = auto(later.then, back, BANDITS[0].next(pk, f), BANDITS[1].next(pk, g), spent)
    return induction("k", base, step, claim)


def all_sequences(private: Theorem, U: Term) -> Theorem:
    """What `on_lists` says of u and e^u, functions of the actions, from the privacy of one sequence."""
    u, named = substitute(U, {"o": one}), []
    for side, body in ((HERE, U), (THERE, exp(U))):
        named.append(mono(under(SAID, one, substitute(body, {"o": var("w")})), "z", side.law(T)))
    tilt = u + w - epsilon * apart_in(T)
    mass_low = mono(product(indicator(SAID, one, 3), indicator(one, SAID, 3)), "z", HERE.law(T))
    wanted = on_lists(T, *(substitute(body, {"o": SAID}) for body in (U, exp(U))))
    facts = named[0], (exp(w), named[1]), (weak(exp_positive(tilt)), private), (mass_low, exp_tangent(tilt))
    return for_all("sequence rewards others w", auto(wanted.then, *facts))


def spent_on_actions(begins: Theorem, grows: Theorem) -> Theorem:
    """0 is the sum over T rounds of the mean of tv(a), less the mean of what is spent along the actions."""
    pn, enough, runs = assume(nat(n)), assume(le(n + 1, T)), BANDITS[0]
    in_round = runs.mean(j, mean("a", pi(j, TOLD), app("tv", a)))

    def says(m: Any) -> All:
        return All((), (le(m, T),), eq(runs.mean(m, app("spent", m, SAID)), m * mean("j", uniform(m), in_round)))

    base = auto(says(term(0)).then, runs.none(app("spent", 0, SAID)))
    longer = app("spent", n + 1, app("pair", SAID, a))
    few = auto(lt(n, T), enough)
    one_more = instance(grows, {"i": n, "o": SAID}, pn, few, *map(assume, is_arm(a, K)))
    on_arms = same_on_arms(PLAYS, pi(n, TOLD), (n, TOLD), longer, app("spent", n, SAID) + app("tv", a), one_more)
    said = instance(KEPT.said, {"q": a})
    told = mono(mono(same(said, "v", app("spent", n + 1, v)), "r", law("nu", a)), "a", pi(n, TOLD))
    before = instance(assume(says(n)), {}, auto(le(n, T), enough))
    step = auto(
        says(n + 1).then,
        runs.next(pn, app("spent", n + 1, SAID)),
        mono(told, "z", runs.law(n)),
        mono(on_arms, "z", runs.law(n)),
        before,
        uniform_next(pn, "j", in_round),
    )
    return instance(induction("n", base, step, says(n), at=T))


SPENT = sum_along("spent", lambda c: app("tv", c), T, K)
VARIATION = All(("a",), is_arm(a, K), variation_at_most(law("nu", a), law("nu_prime", a), app("tv", a)))


@lemma("nu nu_prime tv spent K")
def kl_by_variation() -> Theorem:
    """D_KL of the actions is at most epsilon times what is spent along them: no reward changes a second time."""
    variation, begins, grows, *_ = suppose(VARIATION, *SPENT, nat(T), nat(K), le(1, K), plays_arms(pi, K))
    U, laws, tv = app("u", var("o")), (law("nu", a), law("nu_prime", a)), app("tv", a)
    far = instance(variation, {}, *map(assume, is_arm(a, K)))
    of_arm = by_some_law((*laws, laws[1]), (tv, term(0)), epsilon * tv, far, no_divergence(laws[1]))
    rounds = for_all("cost", instance(of_all_rounds(), {"k": T}), OF_ARMS)
    known = instance(rounds, {"cost": fn("a", epsilon * tv)}, for_all("a", of_arm, *is_arm(a, K)))
    private = instance(one_sequence(private_on(lists(pi, T), epsilon)), {})  # type: ignore[arg-type]
    functions = [substitute(body, {"o": SAID}) for body in (U, exp(U))]
    values = {name: fn("z", body) for name, body in zip("fg", functions, strict=True)}
    said = instance(known, values, all_sequences(private, U))
    first, second = (actions_on_arms(pi, bandit, T) for bandit in (nu, nu_prime))
    goal = kl_at_most(first, second, epsilon * mean("o", first, app("spent", T, var("o"))))
    return for_all("u", auto(goal.then, said, (epsilon, spent_on_actions(begins, grows))))


@proof
def kl_of_view_privacy(statement: All) -> Theorem:
    """All arms are those of the lemma."""
    return instance(kl_by_variation())


@proof
def kl_by_private_divergence(statement: All) -> Theorem:
    """The rounds are those of the histories that the policy is told, and their costs are those of the arms."""
    U, cost = app("u", var("o")), app("cost", a)
    private = instance(one_sequence(last_premise(statement)), {})
    functions = [substitute(body, {"o": SAID}) for body in (U, exp(U))]
    values = {name: fn("z", body) for name, body in zip("fg", functions, strict=True)}
    rounds = instance(instance(of_all_rounds(), {"k": T}), values, all_sequences(private, U))
    told = instance(histories_are_told(), {"n": j}, assume(nat(j)))
    told = instance(told, {"F": fn("h", mean("a", pi(j, h), cost))})
    left, right = told.conclusion.args  # type: ignore[union-attr]
    each = sum_over(auto(eq(0, right - left), told), "j", T)
    of_arms = for_all("n", over_arms(cost))
    in_rounds = mono(instance(of_arms, {"n": j}), "j", uniform(T))
    turned = fubini("j", uniform(T), "b", uniform(K), chance(b, j) * app("cost", b))
    return auto(conclusion(statement), rounds, each, (T, in_rounds), (K * T, turned))


# --------------------------------------------------------------------------------------------- the action of a round

PRIVATE = All(("T",), (nat(T),), private_on(lists(pi, T), epsilon))


def on_every_sequence() -> Theorem:
    """What privacy says of one sequence of T actions, for every T."""
    private = private_on(lists(pi, T), epsilon)
    known = for_all("", one_sequence(private), private)  # type: ignore[arg-type]
    return for_all("T", instance(known, {}, instance(assume(PRIVATE), {}, assume(nat(T)))), nat(T))


@lemma("u")
def action_of_a_round() -> Theorem:
    """D_KL of the actions of round k on both bandits is at most what the arms cost before it."""
    pk, U = assume(nat(k)), app("u", a)
    more = OneMore()
    private = instance(instance(on_every_sequence(), {"T": k + 1}, nat_next(pk)), more.values)
    masses = [side.mean(k, HIT * CHANCE) for side in SIDES]
    far = same(more.far, "v", exp(epsilon * v))
    hits = [side.hits(term(1)) for side in more.sides]
    right = exp(epsilon * (apart_in(k) + 1 - equal(r, s))) * masses[1]
    near = auto(le(masses[0], right), private, hits[0], hits[1], far)
    near = instance(for_all("r s", near), {"r": 0, "s": 0})
    u = app("u", b)
    tilt = u + w - epsilon * apart_in(k)
    left = (epsilon * apart_in(k) - 1 - u - w) * masses[0] + exp(w + u) * masses[1]
    each = auto(le(0, left), (exp(tilt), near), exp_tangent(tilt))
    bodies, played = (u, exp(u), term(1)), (U, exp(U), term(1))
    sums = [of_all_arms(*parts) for parts in zip((*SIDES, HERE), bodies, played, strict=True)]
    f, g = (mean("a", pi(k, TOLD), body) for body in played[:2])
    wanted, count = on_lists(k, f, g), weak(auto(lt(0, K), SOME))
    proved = auto(wanted.then, (count, mean_over_arms(each)), sums[0], sums[1], sums[2])
    of_k = instance(for_all("T", instance(of_all_rounds(), {}, pk)), {"T": k})
    values = {"f": fn("z", f), "g": fn("z", g)}
    known = instance(of_k, values, proved)
    one_law = round_law(k)
    return auto(kl_at_most(one_law, substitute(one_law, {"nu": "nu_prime"}), paid(k)).then, known)


def round_law(m: Any) -> Term:
    """The law of the action of a round on the first bandit."""
    return Term("mix", (("z",), BANDITS[0].law(m), pi(m, TOLD)))


@once
def histories_are_told() -> Theorem:
    """E F(told(z)) over the runs of n rounds is E F(h) over the histories, for all functions F."""
    told, pn = Histories(lambda arm: law("nu", arm)), assume(nat(n))
    begins, goes_on = map(assume, told_histories())
    F, runs = app("F", TOLD), BANDITS[0]

    def says(m: Any) -> All:
        return All(("F",), (), eq(runs.mean(m, F), told.mean(m, app("F", h))))

    base = auto(says(term(0)).then, runs.none(F), told.none(app("F", h)), same(begins, "v", app("F", v)))
    longer = instance(goes_on, {"q": a})
    moved = mono(mono(mono(same(longer, "v", app("F", v)), "r", law("nu", a)), "a", pi(n, TOLD)), "z", runs.law(n))
    after = mean("a", pi(n, h), mean("r", law("nu", a), app("F", one_round_more(h, a, r))))
    before = instance(assume(says(n)), {"F": fn("h", after)})
    step = auto(says(n + 1).then, runs.next(pn, F), told.next(pn, app("F", h)), moved, before)
    return induction("n", base, step, says(n))
