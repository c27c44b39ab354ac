"""Proofs in the kernel of the regret of UCB for any number of rounds, with log f(t) in its widths.

The chances that an index will be too low, in any round and for any number of rewards, add up to a geometric series of
e^(-lead^2/2), times the sum of 1/f(t), which is at most 17; those that an arm is off by the lead, to this series.
"""

from __future__ import annotations

from banditproof.verify.kernel.context import levels
from banditproof.verify.kernel.episodes import anytime_ucb, log_f, pulled
from banditproof.verify.kernel.language import *
from banditproof.verify.theorems.optimism import *
from banditproof.verify.theorems.policies import sum_over
from banditproof.verify.theorems.ucb import *

c, e, j, k, span, m, n, t, x, z = map(var, ("c1", "e1", "j", "k", "span", "m1", "n", "t", "x", "z"))
LEVEL = log(T)


# ---------------------------------------------------------------------------------------------------------- series


@lemma("T c1", nat(T), lt(0, c))
def geometric() -> Theorem:
    """The sum of e^(-s c) over s = 1, ..., T is at most 1/c, times c."""

    def total(m: Any) -> Term:
        return sum_of(lambda j: exp(-(j + 1) * c), m)

    claim = le(c * total(n), 1 - exp(-n * c))
    base = auto(replace(claim, {"n": term(0)}))
    here = exp(-(n + 1) * c)
    more = auto(le(c * here, exp(-n * c) - here), (here, exp_tangent(c)))
    step = auto(replace(claim, {"n": n + 1}), (c, uniform_next(PN, "j", exp(-(j + 1) * c))), more, assume(claim))
    return auto(le(c * total(T), 1), induction("n", base, step, claim, at=T))


@lemma("m1", le(1, m))
def log_low() -> Theorem:
    """0 <= log m for m >= 1."""
    return ordered(auto(le(exp(term(0)), exp(log(m))), exp_log(auto(lt(0, m)))))


def f_of(t: Any) -> Term:
    """f(t)."""
    return 1 + term(t) * (log(t) * log(t))


@lemma("m1", le(1, m))
def small_beside_f() -> Theorem:
    """m (1 + log m)^2 <= 16 f(m)."""
    size, low = log(m), instance(log_low())
    half = exp(term(1) / 2)
    at_half = auto(le(half, 2), (half, exp_tangent(-term(1) / 2)))
    most = auto(le(exp(term(1)), 4), at_half)
    goal = le(m * (1 + size) * (1 + size), 16 * f_of(m))
    few, many = assume(le(size, 1)), assume(le(1, size))
    number = auto(le(m, 4), exp_log(auto(lt(0, m))), exp_monotone(few), most)
    squares = auto(le((1 + size) * (1 + size), 4), product(auto(le(0, 1 - size), few), auto(le(0, 3 + size), low)))
    here = auto(goal, (m, squares), number)
    large = auto(
        le((1 + size) * (1 + size), 4 * size * size),
        product(auto(le(0, size - 1), many), auto(le(0, 3 * size + 1), low)),
    )
    there = auto(goal, (m, large))
    return cases(here, there, size, term(1))


@lemma("n", nat(n))
def one_summand() -> Theorem:
    """1/f(n + 2) <= 16/(1 + log(n + 1)) - 16/(1 + log(n + 2))."""
    low, high = log(n + 1), log(n + 2)
    logs = [instance(log_low(), {"m1": n + h}) for h in (1, 2)]
    values = [exp_log(auto(lt(0, n + h))) for h in (1, 2)]
    positive = auto(lt(0, n + 2))
    ratio = auto(eq((n + 2) * exp(low - high), n + 1), (exp(low - high), values[1]), values[0])
    apart = auto(le(1, (n + 2) * (high - low)), (positive, exp_tangent(low - high)), ratio)
    p, q = 1 / (1 + low), 1 / (1 + high)
    one, other = auto(lt(0, 1 + low), logs[0]), auto(lt(0, 1 + high), logs[1])
    pq = product(reciprocal_positive(one), reciprocal_positive(other))
    ends = reciprocal(one), reciprocal(other)
    more = auto(le(p * q, (n + 2) * (p - q)), (pq, apart), ((n + 2) * q, ends[0]), ((n + 2) * p, ends[1]))
    grown = auto(le(0, high - low), (reciprocal_positive(positive), apart))
    smaller = auto(le(q, p), (pq, grown), (q, ends[0]), (p, ends[1]))
    squares = auto(le(q * q, (n + 2) * (p - q)), more, (weak(reciprocal_positive(other)), smaller))
    f = f_of(n + 2)
    f_low = auto(lt(0, f))
    beside = instance(small_beside_f(), {"m1": n + 2})
    both = product(weak(reciprocal_positive(f_low)), square(q))
    value = auto(eq(exp(-log_f(n + 1)) * f, 1), (exp(-log_f(n + 1)), exp_log(f_low)))
    w = 1 / f
    unit_ = auto(eq(q * q * (1 + high) * (1 + high), 1), (1 + q * (1 + high), ends[1]))
    small = auto(le((n + 2) * w, 16 * q * q), (both, beside), ((n + 2) * w, unit_))
    goal = le(w, 16 * p - 16 * q)
    known = auto(goal, (reciprocal_positive(positive), small), (reciprocal_positive(positive), squares))
    is_inverse = auto(eq(exp(-log_f(n + 1)), w), (w, value))
    return auto(le(exp(-log_f(n + 1)), 16 * p - 16 * q), known, is_inverse)


@lemma("T", nat(T), le(1, T))
def few_low_indices() -> Theorem:
    """The sum of 1/f(t) over t = 1, ..., T is at most 17."""

    def total(m: Any) -> Term:
        return sum_of(lambda t: exp(-log_f(t)), m, "t")

    claim = le(total(n + 1), 17 - 16 / (1 + log(n + 1)))
    low = instance(log_low(), {"m1": term(1)})
    f = f_of(term(1))
    first = exp_monotone(auto(le(-log_f(0), 0), ordered(auto(le(exp(term(0)), exp(log(f))), exp_log(auto(lt(0, f)))))))
    one = auto(lt(0, 1 + log(term(1))), low)
    inverse = auto(le(1 / (1 + log(term(1))), 1), reciprocal(one), (reciprocal_positive(one), low))
    base = auto(replace(claim, {"n": term(0)}), uniform_next(nat_zero(), "t", exp(-log_f(t))), first, inverse)
    step = auto(
        replace(claim, {"n": n + 1}),
        uniform_next(nat_next(PN), "t", exp(-log_f(t))),
        instance(one_summand(), {}, PN),
        assume(claim),
    )
    before = nat_minus(nat_zero(), assume(nat(T)), auto(lt(0, T)))
    at_T = instance(induction("n", base, step, claim), {"n": T - 1}, before)
    above = auto(lt(0, 1 + LEVEL), instance(log_low(), {"m1": T}))
    return auto(le(total(T), 17), at_T, reciprocal_positive(above))


# ----------------------------------------------------------------------------------------------------------- plays

FARTHER, TOP = GAP - 2 * e, log_f(T - 1)  # the width with which an arm is not off; log f(T)
MOST = 2 * TOP / FARTHER / FARTHER
OF_WIDTHS = assume(anytime_ucb(pi, T, K)[-1])
LEAD_LOW, APART = assume(lt(0, e)), assume(lt(2 * e, GAP))
RATE = e * e / 2
TOO_HIGH = by_square(k, 1, lambda s: s * s * e * e, lambda s: exp(-s * RATE))


def too_low(t: Any) -> Any:
    """In round t, by the width and the lead."""
    return by_square(SIDES[0][0], -1, lambda s: s * s * e * e + 2 * s * log_f(t), lambda s: exp(-log_f(t) - s * RATE))


@lemma("m1 n", le(1, m), le(m, n))
def log_f_grows() -> Theorem:
    """0 <= log f(m) <= log f(n) for 1 <= m <= n."""
    logs = ordered(auto(le(exp(log(m)), exp(log(n))), exp_log(auto(lt(0, m))), exp_log(auto(lt(0, n)))))
    low = instance(log_low())
    squares = product(auto(le(0, log(n) - log(m)), logs), auto(le(0, log(n) + log(m)), logs, low))
    larger = auto(le(f_of(m), f_of(n)), (m, squares))
    f_low = auto(lt(0, f_of(m)))
    f_high = auto(lt(0, f_of(n)))
    return ordered(auto(le(exp(log(f_of(m))), exp(log(f_of(n)))), exp_log(f_low), exp_log(f_high), larger))


@lemma("m1", le(1, m))
def log_f_low() -> Theorem:
    """0 <= log f(m) for m >= 1."""
    value = exp_log(auto(lt(0, f_of(m))))
    return ordered(auto(le(exp(term(0)), exp(log(f_of(m)))), value))


def most_low() -> Theorem:
    """0 <= MOST."""
    inverse = weak(reciprocal_positive(auto(lt(0, FARTHER))))
    return auto(le(0, MOST), product(instance(log_f_low(), {"m1": T}), product(inverse, inverse)))


def narrow_width() -> Theorem:
    """The width is at most the gap less twice the lead after more than MOST plays."""
    f, count, steep = app("half_width", n, z, k), pulled(n, z, k), auto(lt(0, FARTHER))
    grown = instance(
        log_f_grows(), {"m1": n + 1, "n": T}, auto(le(1, n + 1), nat_nonnegative(PN)), assume(le(n + 1, T))
    )
    many = assume(lt(MOST, count))
    squares = product(weak(steep), weak(steep))
    large = auto(le(2 * TOP, count * FARTHER * FARTHER), (squares, many))
    some = auto(lt(0, count), many, most_low())
    shared = auto(le(count * f * f, count * FARTHER * FARTHER), large, grown, width_of(k, OF_WIDTHS))
    scaled = auto(
        le(f * f, FARTHER * FARTHER),
        (weak(reciprocal_positive(some)), shared),
        (f * f - FARTHER * FARTHER, reciprocal(some)),
    )
    return instance(smaller_root(), {"w": f, "v": FARTHER}, scaled)


def one_is_off(it_is: Theorem) -> Theorem:
    return one_is_off_now(it_is, narrow_width(), e, e, [too_low(n), TOO_HIGH], OF_WIDTHS)


PLAYS = Plays(MOST, most_low, too_low, TOO_HIGH, one_is_off)


@once
def plays_of_an_arm() -> Theorem:
    """E N_k(T) <= 2 log f(T)/(gap - 2 e)^2 + 1 + 36/e^2, for 0 < e < gap/2."""
    suppose(*KNOWN, *(f.conclusion for f in (LEAD_LOW, APART)))
    whole = PLAYS.of_an_arm()
    series = instance(geometric(), {"c1": RATE})
    total = sum_of(lambda j: exp(-(j + 1) * RATE), T)
    few, low = instance(few_low_indices()), auto(le(0, total))
    of_all = auto(le(PLAYS.total(), MOST + 1 + 18 * total), (low, few))
    inverse = weak(reciprocal_positive(LEAD_LOW))
    twice = product(inverse, inverse)
    small = auto(le(total, 2 / e / e), (twice, series))
    return auto(le(MEAN_PLAYS, MOST + 1 + 36 / e / e), whole, of_all, small)


SHARE, WIDER = var("share"), 1 - 2 * var("share")
SHARE_LOW, HALF = assume(lt(0, SHARE)), assume(lt(2 * SHARE, 1))


@once
def cost_of_an_arm() -> Theorem:
    """gap E N_k(T) <= (2 log f(T)/(1 - 2 share)^2 + 36/share^2)/gap + gap, for a lead of this share of the gap."""
    suppose(*KNOWN, *(f.conclusion for f in (SHARE_LOW, HALF)))
    apart = assume(lt(0, GAP))
    wide, lead = product(auto(lt(0, WIDER)), apart), product(SHARE_LOW, apart)
    plays = for_all("e1", plays_of_an_arm(), LEAD_LOW.conclusion, APART.conclusion)
    with_share = instance(plays, {"e1": SHARE * GAP}, lead, auto(lt(2 * (SHARE * GAP), GAP), wide))
    of_lead, of_width = 1 / (SHARE * GAP), 1 / (GAP - 2 * (SHARE * GAP))
    inverse, squares = reciprocal(apart), []
    for one, share, positive in ((of_lead, SHARE, lead), (of_width, WIDER, wide)):
        known = auto(eq(GAP * one, 1 / share), (1 / share, reciprocal(positive)))
        divided = auto(eq(one, 1 / share / GAP), (1 / GAP, known), (one, inverse))
        squares.append(
            auto(eq(GAP * one * one, 1 / share / share / GAP), (GAP * one, divided), (1 / share / GAP, known))
        )
    most = (2 * TOP / WIDER / WIDER + 36 / SHARE / SHARE) / GAP + GAP
    return auto(le(GAP * MEAN_PLAYS, most), (apart, with_share), (36, squares[0]), (2 * TOP, squares[1]))


def cost_with(share: Any, *known: Theorem) -> Theorem:
    """The same with another share."""
    of_any = for_all("share", cost_of_an_arm(), SHARE_LOW.conclusion, HALF.conclusion)
    return instance(of_any, {"share": share}, *known)


# ---------------------------------------------------------------------------------------------------------- regret

UNIVERSAL, LEAD = 1200, var("lead")
MORE_THAN_ONE = assume(lt(1, T))


@lemma("T", nat(T), le(1, T))
def log_f_is_logarithmic() -> Theorem:
    """log f(T) <= 3 log T: f(T) <= T^3, since log T <= T - 1."""
    value = exp_log(auto(lt(0, T)))
    low, tangent = instance(log_low(), {"m1": T}), exp_tangent(LEVEL)
    squares = product(auto(le(0, T - 1 - LEVEL), tangent, value), auto(le(0, T - 1 + LEVEL), low))
    f = f_of(T)
    small = auto(le(f, T * T * T), (auto(le(0, T)), squares))
    f_low = auto(lt(0, f))
    cube = auto(eq(exp(3 * LEVEL), T * T * T), (exp(2 * LEVEL) + exp(LEVEL) * T + T * T, value))
    return ordered(auto(le(exp(log(f)), exp(3 * LEVEL)), exp_log(f_low), small, cube))


@once
def no_more_than_rounds() -> Theorem:
    """E N_k(T) <= T."""
    suppose(*KNOWN)
    end = auto(le(pulled(n, z, k), T), of_arm(1, k), assume(le(n, T)))
    return ROUNDS.stay_below(
        lambda i, z: pulled(i, z, k), lambda i, z: T, lambda first: auto(le(T, T)), auto(le(T, T)), end
    )


@once
def without_gaps_at_all() -> Theorem:
    """The regret is at most twice the lead and 1200 times the gaps."""
    suppose(*KNOWN)
    apart, low = assume(lt(0, GAP)), assume(le(0, LEAD))
    goal = le(GAP * MEAN_PLAYS, UNIVERSAL * LEVEL / GAP + UNIVERSAL * GAP)
    level_low = instance(log_low(), {"m1": T})
    shares = product(level_low, weak(reciprocal_positive(apart)))
    one = auto(goal, (apart, no_more_than_rounds()), (apart, assume(le(T, 1))), shares, apart)
    quarter = cost_with(term(1) / 4)
    two = auto(le(2, T), nat_nonnegative(nat_minus(nat_next(nat_zero()), assume(nat(T)), MORE_THAN_ONE)))
    half = exp(term(1) / 2)
    at_half = auto(le(half, 2), (half, exp_tangent(-term(1) / 2)))
    late = ordered(auto(le(half, exp(LEVEL)), at_half, two, exp_log(auto(lt(0, T)))))
    most = auto(le(8 * TOP + 576, UNIVERSAL * LEVEL), instance(log_f_is_logarithmic()), late)
    many = auto(goal, quarter, (weak(reciprocal_positive(apart)), most), apart)
    cost = cases(one, many, T, term(1))
    lows = auto(le(0, UNIVERSAL * LEVEL), level_low), auto(le(0, UNIVERSAL * GAP), gap_is_not_negative())
    costs = Costs(MEAN_PLAYS, UNIVERSAL * LEVEL, UNIVERSAL * GAP, cost, plays_are_not_negative(), all_plays(), *lows)
    return costs.split_for(LEAD, low, assume(le(K * T * UNIVERSAL * LEVEL, LEAD * LEAD)))


@proof
def without_gaps(statement: All) -> Theorem:
    """With the constant 1200."""
    return auto(statement.then, without_gaps_at_all())


# ------------------------------------------------------------------------------------------------------- in the limit

SMALL, ALL, GAPS = var("small"), var("all"), var("gaps")
COSTS = app("most", k)


@lemma("span share", lt(0, SHARE), le(54 / SHARE / SHARE / SHARE + 1, span))
def one_share_more() -> Theorem:
    """1 + span^2 <= e^(share span) for large span."""
    third = SHARE * span / 3
    far = auto(le(1, span))
    low = product(weak(SHARE_LOW), auto(le(0, span)))
    root = exp(third)
    one = auto(le(third, root), exp_tangent(third))
    at_third = auto(le(0, third), low)
    two = auto(le(third * third, root * root), (at_third, one), (root, one))
    three = auto(le(third * third * third, root * root * root), (product(at_third, at_third), one), (root, two))
    cube = product(weak(SHARE_LOW), product(weak(SHARE_LOW), weak(SHARE_LOW)))
    enough = auto(le(54, SHARE * SHARE * SHARE * span), cube)
    squares = auto(le(2 * span * span, third * third * third), (square(span), enough))
    return auto(le(1 + span * span, exp(SHARE * span)), squares, three, (auto(le(0, span - 1)), far))


@lemma("T share", nat(T), le(1, T), lt(0, SHARE), le(54 / SHARE / SHARE / SHARE + 1, LEVEL))
def log_f_in_the_limit() -> Theorem:
    """log f(T) <= (1 + share) log T for large T."""
    value = exp_log(auto(lt(0, T)))
    f = f_of(T)
    f_low = auto(lt(0, f))
    more = instance(one_share_more(), {"span": LEVEL})
    small = auto(le(f, exp((1 + SHARE) * LEVEL)), (auto(le(0, T)), more), (exp(SHARE * LEVEL), value))
    return ordered(auto(le(exp(log(f)), exp((1 + SHARE) * LEVEL)), exp_log(f_low), small))


@lemma(
    "span all gaps small m1 share",
    le(0, ALL),
    lt(0, SMALL),
    lt(0, SHARE),
    le(20 * SHARE, 1),
    le(20 * SHARE * ALL, SMALL),
    le(1, span),
    le(m, (1 + SHARE) * span),
    le(2 * (18 * ALL / SHARE / SHARE + GAPS), SMALL * span),
)
def all_but_little() -> Theorem:
    """all (m/(1 - 2 share)^2 + 18/share^2) + gaps <= (all + small) span, where the share is small and span is large."""
    wide = auto(lt(0, WIDER))
    root = 1 / WIDER
    below = auto(le(1 + SHARE, (1 + 10 * SHARE) * WIDER * WIDER))
    squares = product(weak(reciprocal_positive(wide)), weak(reciprocal_positive(wide)))
    ratio = auto(le((1 + SHARE) * root * root, 1 + 10 * SHARE), (squares, below))
    low, long = assume(le(0, ALL)), auto(le(0, span))
    top = auto(
        le(ALL * m * root * root, ALL * span * (1 + 10 * SHARE)),
        (product(low, squares), assume(le(m, (1 + SHARE) * span))),
        (product(low, long), ratio),
    )
    share = auto(le(20 * SHARE * ALL * span, SMALL * span), (long, assume(le(20 * SHARE * ALL, SMALL))))
    goal = le(ALL * (m * root * root + 18 / SHARE / SHARE) + GAPS, (ALL + SMALL) * span)
    return auto(goal, top, share)


@once
def regret_at_a_share(costs: Formula) -> Theorem:
    """The regret is at most all (log f(T)/(1 - 2 share)^2 + 18/share^2) and the gaps, where all is the sum of 2/gap."""
    suppose(*KNOWN, *(f.conclusion for f in (SHARE_LOW, HALF)))
    enough, apart, low = (
        assume(costs),
        assume(lt(0, GAP)),
        assume(All(("i",), (nat(var("i")),), le(0, app("most", var("i"))))),
    )
    of_k = instance(
        instance(enough, {"a": k}, *arm(k)), {}, auto(lt(app("centre", k), app("centre", SIDES[0][0])), apart)
    )
    over, rest = TOP / WIDER / WIDER, 18 / SHARE / SHARE
    half = auto(le(2 / GAP, COSTS), (reciprocal_positive(apart), of_k), (COSTS, reciprocal(apart)))
    inverse = weak(reciprocal_positive(auto(lt(0, WIDER))))
    top_low = product(product(instance(log_f_low(), {"m1": T}), inverse), inverse)
    both = auto(le(0, over + rest), top_low)
    goal = le(GAP * MEAN_PLAYS, COSTS * (over + rest) + GAP)
    some = auto(goal, cost_of_an_arm(), (both, half))
    none = antisymmetric(assume(le(GAP, 0)), gap_is_not_negative())
    no_costs = auto(goal, (MEAN_PLAYS - 1, none), product(instance(low, {"i": k}, arm(k)[0]), both))
    return over_arms(cases(no_costs, some, GAP, term(0)))


@proof
def asymptotic(statement: All) -> Theorem:
    """From T = e^X on, for a share that is small beside the constant, where X is large beside both."""
    (costs,) = (g for g in statement.given if isinstance(g, All) and free_in(g) & {"most"} and g.params != ("i",))
    budgets = All(("i",), (nat(var("i")),), le(0, app("most", var("i"))))
    total, gaps = sum_of(lambda k: COSTS, K, "k"), sum_of(lambda k: GAP, K, "k")
    low = sum_over(instance(assume(budgets), {"i": k}, arm(k)[0]), "k", K), sum_over(gap_is_not_negative(), "k", K)
    positive = assume(lt(0, SMALL))
    whole = auto(lt(0, 20 * (total + SMALL)), low[0])
    share, inverse = SMALL / (20 * (total + SMALL)), reciprocal(whole)
    share_low = product(positive, reciprocal_positive(whole))
    is_share = auto(eq(20 * share * (total + SMALL), SMALL), (SMALL, inverse))
    few = auto(le(20 * share * total, SMALL), is_share, (share_low, positive))
    least = auto(le(20 * share, 1), inverse, (weak(reciprocal_positive(whole)), low[0]))
    squares = product(reciprocal_positive(share_low), reciprocal_positive(share_low))
    cubes = product(squares, reciprocal_positive(share_low))
    rest = 2 * (18 * total / share / share + gaps)
    rest_low = auto(le(0, rest), product(low[0], weak(squares)), low[1])
    divided = product(rest_low, weak(reciprocal_positive(positive)))
    far = 54 / share / share / share + 1 + rest / SMALL
    start = exp(far)
    enough = assume(le(start, T))
    one = auto(le(1, T), enough, exp_tangent(far), cubes, divided)
    late = ordered(auto(le(start, exp(LEVEL)), enough, exp_log(auto(lt(0, T), one))))
    parts = [auto(f, late, cubes, divided) for f in (le(1, LEVEL), le(54 / share / share / share + 1, LEVEL))]
    large = auto(le(rest, SMALL * LEVEL), (positive, late), (positive, cubes))
    top = instance(log_f_in_the_limit(), {"share": share}, assume(nat(T)), one, share_low, parts[1])
    values = {"span": LEVEL, "all": total, "gaps": gaps, "m1": TOP, "share": share}
    small = instance(all_but_little(), values, low[0], share_low, least, few, parts[0], top, large)
    half = auto(lt(2 * share, 1), least)
    at_share = for_all("share", regret_at_a_share(costs), SHARE_LOW.conclusion, HALF.conclusion, le(1, T))
    bound = instance(at_share, {"share": share}, share_low, half, one)
    is_log = ordered(auto(le(exp(LEVEL), exp(span)), exp_log(auto(lt(0, T), one)), assume(eq(exp(span), T))))
    regret = bound.conclusion.args[0]  # type: ignore[union-attr]
    known = auto(le(regret, (total + SMALL) * span), bound, small, (auto(le(0, total + SMALL), low[0]), is_log))
    rounds = for_all("pulled mean_so_far half_width", known, *anytime_ucb(pi, T, K))
    every = for_all("T span", rounds, nat(T), le(start, T), eq(exp(span), T))
    wherever = levels(statement)[-1].given[0]
    return instance(assume(wherever), {"since": start}, every)
