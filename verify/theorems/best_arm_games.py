"""Proofs in the kernel of the value of the game of identification by total variation, for Bernoulli arms.

Shares in proportion to the inverse gaps, that of the closest arm twice, earn the value whatever the alternative is. An
alternative raises one arm to the best one, or lowers the best arm to the closest; ties are broken by little.
"""

from __future__ import annotations

from functools import partial

from banditproof.verify.kernel.asymptotics import bernoulli
from banditproof.verify.kernel.language import *
from banditproof.verify.theorems.best_arm import alternative, charge
from banditproof.verify.theorems.consistent_regret import mean_of_bernoulli, theta
from banditproof.verify.theorems.hoeffding import two_values
from banditproof.verify.theorems.minimax import at_arm
from banditproof.verify.theorems.optimism import smaller_root
from banditproof.verify.theorems.policies import K, a, b, sum_over

top, rival, c, eta, w, x = map(var, ("top", "rival", "c", "eta", "w", "x"))
other, arm = var("rival_top"), var("arm")


def price(k: Term) -> Term:
    return app("price", k)


def share(k: Term) -> Term:
    return app("shares", k)


def gap(k: Term) -> Term:
    return theta(top) - theta(k)


def total(body: Term) -> Term:
    """The sum over the arms b."""
    return K * mean("b", uniform(K), body)


def apart(s: Term, t: Term) -> Formula:
    return lt(0, (s - t) * (s - t))


def is_off(proof: Theorem, s: Term, t: Term) -> Theorem:
    """1[s = t] = 0 from 0 < (s - t)^2."""
    one = reciprocal(proof)
    nothing = under(s, t, w)  # s 1[s = t] = t 1[s = t]
    square = (s - t) * (s - t)
    return auto(eq(equal(s, t), 0), (equal(s, t), one), ((s - t) / square, nothing))


def one_or_none(s: Term, t: Term) -> tuple[Theorem, Theorem]:
    """0 <= 1[s = t] <= 1."""
    return bounds_of_event(equal(s, t), equal_is_event(s, t))


def unless(s: Term, t: Term, where_equal: Theorem, elsewhere: Theorem) -> Theorem:
    """What follows from s <= t <= s, and from 0 < (s - t)^2."""
    known = for_all("", elsewhere, apart(s, t))
    ways = []
    for low, high in ((s, t), (t, s)):
        gap = auto(lt(0, high - low), assume(lt(low, high)))
        ways.append(instance(known, {}, auto(apart(s, t), product(gap, gap))))
    return cases(cases(where_equal, ways[1], s, t), ways[0], t, s)


class Variation:
    """A Bernoulli bandit with one best arm, its closest arm, and the inverse gaps; prices are total variations."""

    members = 2  # of the premises say which laws there are
    shared, moved = 1, 1  # by which factor more than TIME the shares earn, and alternatives concede

    def __init__(self, given: tuple[Formula, ...]):
        self.within = list(map(assume, given[: self.members]))
        rest = given[self.members :]
        *self.top, self.best = map(assume, rest[:3])
        *self.rival, another, self.closest, self.inverse = map(assume, rest[3:8])
        self.rival_is = *self.rival, another
        self.positive = self.unit_is_positive(rival, self.rival_is)
        self.distance = self.gap_is_positive(rival, self.rival_is)
        self.scale: Term = term(1)  # of what a small move costs
        self.time = self.unit(rival) + total((1 - equal(b, top)) * self.unit(b))

    def unit(self, k: Term) -> Term:
        """What the arm adds to the time."""
        return price(k)

    def far(self, k: Term) -> Term:
        """What a move by the gap of the arm costs."""
        return gap(k)

    def is_one(self, k: Term, of_arm: tuple[Theorem, ...]) -> Theorem:
        """moved unit(k) far(k) = 1."""
        return self.is_inverse(k, of_arm)

    def unit_is_positive(self, k: Term, of_arm: tuple[Theorem, ...]) -> Theorem:
        return self.price_is_positive(k, of_arm)

    def unit_is_less(self, k: Term, of_arm: tuple[Theorem, ...]) -> Theorem:
        """unit(k) <= unit(rival)."""
        return self.price_is_less(k, of_arm)

    def mean(self, k: Term, of_arm: tuple[Theorem, ...]) -> tuple[Theorem, Theorem]:
        """0 <= theta(k) <= 1."""
        return tuple(instance(f, {"a": k}, *of_arm[:2]) for f in self.within)  # type: ignore[return-value]

    def gap_is_positive(self, k: Term, of_arm: tuple[Theorem, ...]) -> Theorem:
        return auto(lt(0, gap(k)), instance(self.best, {"a": k}, *of_arm))

    def is_inverse(self, k: Term, of_arm: tuple[Theorem, ...]) -> Theorem:
        """price(k) gap(k) = 1."""
        return instance(instance(self.inverse, {"a": k}, *of_arm[:2]), {}, of_arm[2])

    def is_closest(self, k: Term, of_arm: tuple[Theorem, ...]) -> Theorem:
        """theta(k) <= theta(rival)."""
        return instance(instance(self.closest, {"a": k}, *of_arm[:2]), {}, of_arm[2])

    def price_is_positive(self, k: Term, of_arm: tuple[Theorem, ...]) -> Theorem:
        some = self.gap_is_positive(k, of_arm)
        inverse = self.is_inverse(k, of_arm)
        return auto(lt(0, price(k)), reciprocal_positive(some), (price(k), reciprocal(some)), (1 / gap(k), inverse))

    def price_is_less(self, k: Term, of_arm: tuple[Theorem, ...]) -> Theorem:
        """price(k) <= price(rival)."""
        both = product(*(weak(self.price_is_positive(*one)) for one in ((k, of_arm), (rival, self.rival_is))))
        inverses = self.is_inverse(k, of_arm), self.is_inverse(rival, self.rival_is)
        return auto(
            le(price(k), price(rival)),
            (both, self.is_closest(k, of_arm)),
            (price(rival), inverses[0]),
            (price(k), inverses[1]),
        )

    def others(self, said: Formula, proof: Theorem) -> Theorem:
        """For the arm b, 0 <= (1 - 1[b = top]) t from 0 <= t for each arm but the best one."""
        one, t = 1 - equal(b, top), said.args[1]  # type: ignore[union-attr]
        goal, bounds = le(0, one * t), one_or_none(b, top)
        here = antisymmetric(assume(le(b, top)), assume(le(top, b)))
        hit = auto(eq(equal(b, top), 1), same(here, "w", equal(w, top)))
        return unless(b, top, auto(goal, (t, hit)), product(auto(le(0, one), bounds[1]), proof))

    def time_is_positive(self) -> Theorem:
        of_b = *map(assume, is_arm(b, K)), assume(apart(b, top))
        positive = weak(self.unit_is_positive(b, of_b))
        rest = sum_over(self.others(positive.conclusion, positive), "b", K)
        return auto(lt(0, self.time), self.positive, rest)

    # ------------------------------------------------------------------------------------------ what the shares earn

    def earned(self, value: Theorem, game: Term) -> Theorem:
        """1 <= game shared TIME, where the value of the game is at most `game`."""
        some, u, TIME = self.time_is_positive(), self.unit, self.time
        inverse = reciprocal(some)
        _, asked, _ = parts_of(value.conclusion)
        _, is_alternative, _ = parts_of(asked[-1])

        def weight(k: Term) -> Term:
            return (1 - equal(k, top)) * u(k) + equal(k, top) * u(rival)

        def low(k: Term, of_arm: tuple[Theorem, ...]) -> Theorem:
            """0 <= weight(k)."""
            at_k = *of_arm, assume(apart(k, top))
            none = is_off(at_k[2], k, top)
            away = auto(le(0, weight(k)), weak(self.unit_is_positive(k, at_k)), (u(k) - u(rival), none))
            here = antisymmetric(assume(le(k, top)), assume(le(top, k)))
            hit = auto(eq(equal(k, top), 1), same(here, "w", equal(w, top)))
            at_top = auto(le(0, weight(k)), weak(self.positive), (u(k) - u(rival), hit))
            return unless(k, top, at_top, away)

        of_b, of_a = (tuple(map(assume, is_arm(k, K))) for k in (b, a))
        positive = weak(reciprocal_positive(some))
        shares = fn("a", weight(a) / TIME)
        nonnegative = product(low(a, of_a), positive)
        of_top = at_arm(lambda _: u(rival), top, tuple(self.top))
        fair = auto(eq(total(weight(b) / TIME), 1), (1 / TIME, of_top), inverse)
        # an alternative moves the best arm and its own best one at least past each other
        *rivals, another, prices = map(assume, is_alternative)
        is_other = tuple(rivals[self.members : self.members + 2])
        far = auto(apart(other, top), another)
        of_other = *is_other, far
        none = is_off(far, other, top)

        def paid_for(k: Term, of_k: tuple[Theorem, ...]) -> tuple[Theorem, ...]:
            return self.least_price(k, of_k, instance(prices, {"a": k}, *of_k), rivals[: self.members])

        crossed = instance(rivals[-1], {"a": top}, another)
        of_top_price = paid_for(top, tuple(self.top))
        twice = self.crossing(of_other, of_top_price, paid_for(other, is_other), weak(crossed))
        more = product(auto(le(0, u(rival) - u(other)), self.unit_is_less(other, of_other)), of_top_price[-1])
        hits = equal(b, top), equal(b, other)
        both = auto(eq(hits[0] * hits[1], 0), under(b, top, equal(w, other)), (hits[0], none))
        free = auto(
            le(0, 1 - hits[0] - hits[1]),
            product(*(auto(le(0, 1 - one), one_or_none(b, k)[1]) for one, k in zip(hits, (top, other), strict=True))),
            both,
        )
        rest = sum_over(product(product(free, low(b, of_b)), paid_for(b, of_b)[-1]), "b", K)
        movers = (top, tuple(self.top)), (other, is_other)
        paid = [at_arm(lambda k: weight(k) * charge(k), *mover) for mover in movers]
        less = charge(other) * (u(rival) - u(other)), none
        least_of_all = term(1) / self.shared
        whole = auto(le(least_of_all, total(weight(b) * charge(b))), twice, more, rest, *paid, less)
        enough = auto(le(least_of_all / TIME, total(weight(b) / TIME * charge(b))), (positive, whole))
        every = enough
        found = instance(value, {"shares": shares, "c": least_of_all / TIME}, nonnegative, fair, every)
        return auto(le(1, game * self.shared * TIME), (some, found), inverse)

    def least_price(
        self, k: Term, of_k: tuple[Theorem, ...], price: Theorem, within: list[Theorem]
    ) -> tuple[Theorem, ...]:
        """What a change of the arm costs at least, in both directions, and that it costs at least 0."""
        after = [instance(f, {"a": k}, *of_k) for f in within]
        both = tests(price, theta(k), alternative(k), charge(k), self.mean(k, of_k), after)
        return *both, auto(le(0, charge(k)), *both)

    def crossing(
        self, of_other: tuple[Theorem, ...], best: tuple[Theorem, ...], new: tuple[Theorem, ...], crossed: Theorem
    ) -> Theorem:
        """1 <= shared unit(other) (charge(top) + charge(other))."""
        low = weak(self.unit_is_positive(other, of_other))
        goal = le(1, self.unit(other) * (charge(top) + charge(other)))
        return auto(goal, (low, best[0]), (low, new[1]), (low, crossed), self.is_inverse(other, of_other))

    def earned_by_all(self, given: tuple[Formula, ...]) -> tuple[Theorem, Theorem]:
        """1 <= game shared TIME, and 0 < game."""
        game, some = var("game"), self.time_is_positive()
        enough, one = self.earned(assume(given[-1]), game), reciprocal(some)
        return enough, auto(
            lt(0, game), reciprocal_positive(some), (reciprocal_positive(some), enough), (game * self.shared, one)
        )

    def closest_is_among_the_others(self) -> Theorem:
        """unit(rival) <= the sum of unit(b) over the arms but the best one."""
        of_b, hit = (*map(assume, is_arm(b, K)), assume(apart(b, top))), equal(b, rival)
        low = weak(self.unit_is_positive(b, of_b))
        away = product(auto(le(0, 1 - hit), one_or_none(b, rival)[1]), self.others(low.conclusion, low))
        none = is_off(self.rival_is[2], rival, top)
        same_one = under(b, rival, (1 - equal(w, top)) * self.unit(w))
        rest = auto(
            le(0, (1 - equal(b, top)) * self.unit(b) - hit * self.unit(rival)),
            away,
            same_one,
            (hit * self.unit(rival), none),
        )
        of_rival = at_arm(lambda _: self.unit(rival), rival, self.rival_is[:2])
        return auto(le(self.unit(rival), total((1 - equal(b, top)) * self.unit(b))), sum_over(rest, "b", K), of_rival)

    def time_is_short(self) -> Theorem:
        """TIME gap(rival) <= K."""
        of_b = *map(assume, is_arm(b, K)), assume(apart(b, top))
        less = auto(le(0, price(rival) - price(b)), self.price_is_less(b, of_b))
        rest = sum_over(self.others(less.conclusion, less), "b", K)
        of_top = at_arm(lambda _: price(rival), top, tuple(self.top))
        most = auto(le(self.time, K * price(rival)), rest, of_top)
        inverse = self.is_inverse(rival, self.rival_is)
        return auto(le(self.time * gap(rival), K), (self.distance, most), (K, inverse))

    # ---------------------------------------------------------------------------------------- what alternatives concede

    def conceded(self, given: tuple[Formula, ...]) -> tuple[Theorem, Theorem]:
        """c <= shares(top) far(rival), and 0 <= shares(b) - c moved unit(b) for each arm b but the best one."""
        known = tuple(map(assume, given))
        of_b = *map(assume, is_arm(b, K)), assume(apart(b, top))
        lowered = self.at_once(known, (rival, self.rival_is), top, rival)
        raised = self.at_once(known, (arm, (*map(assume, is_arm(arm, K)), assume(apart(arm, top)))), arm, top)
        raised = instance(for_all("arm", raised, *is_arm(arm, K), apart(arm, top)), {"arm": b}, *of_b)
        low = auto(le(0, self.moved * self.unit(b)), self.unit_is_positive(b, of_b))
        goal = le(0, share(b) - c * self.moved * self.unit(b))
        return lowered, auto(goal, (low, raised), (share(b), self.is_one(b, of_b)))

    def at_once(
        self, known: tuple[Theorem, ...], best: tuple[Term, tuple[Theorem, ...]], moved: Term, a_little: Term
    ) -> Theorem:
        """c <= shares(moved) far(k): the alternative with the best arm k moves one arm so far, and one a little."""
        (allocated, fair, least), (k, of_k) = known, best
        sign = 1 if a_little == rival else -1
        some, small = assume(lt(0, eta)), assume(le(eta, gap(rival)))
        distance, far = self.gap_is_positive(k, of_k), gap(k)
        e, t = equal(a, moved), equal(a, a_little)
        new = theta(a) - sign * e * far + sign * t * eta
        none = is_off(of_k[2], k, top)
        of_a = tuple(map(assume, is_arm(a, K)))
        # of the others none is better than k
        at_k = theta(rival) + eta if sign == 1 else theta(top)
        not_k = is_off(assume(apart(a, k)), a, k)
        here = antisymmetric(assume(le(a, top)), assume(le(top, a)))
        hit = auto(eq(equal(a, top), 1), same(here, "w", equal(w, top)))
        of_k_moves, of_top_moves = (eta, far) if sign == 1 else (far, eta)
        first, second = (of_k_moves, not_k), (of_top_moves, hit)
        worse_top = auto(lt(new, at_k), some, same(here, "w", theta(w)), first, second)
        of_other = *of_a, assume(apart(a, top))
        limit = self.is_closest(a, of_other) if sign == 1 else instance(self.best, {}, *of_other)
        worse = auto(lt(new, at_k), some, limit, first, (of_top_moves, is_off(of_other[2], a, top)))
        new_at_k = theta(k) - sign * equal(k, moved) * far + sign * equal(k, a_little) * eta
        is_k = auto(eq(new_at_k, at_k), (of_top_moves, none))
        worse = auto(lt(new, new_at_k), unless(a, top, worse_top, worse), is_k)
        # what that costs
        bounds = self.bounds(sign, k, of_k, new, (e, t), moved, a_little, distance, some, small)
        never = auto(eq(e * t, 0), under(a, moved, equal(w, a_little)), (e, none))
        cost = e * self.far(k) + t * eta * self.scale
        priced = self.priced(new, cost, bounds, (moved, a_little), (distance, some, small), (far, never))
        values = {"alternative": fn("a", new), "rival_top": k, "charge": fn("a", cost)}
        shown = (
            *(for_all("a", f, *is_arm(a, K)) for f in bounds),
            *of_k[:2],
            for_all("a", worse, *is_arm(a, K), apart(a, k)),
            auto(apart(top, k), of_k[2]),
            for_all("a", priced, *is_arm(a, K)),
        )
        paid = instance(least, values, *shown)
        arms = {top: tuple(self.top), k: of_k[:2]}
        sums = [at_arm(share, one, arms[one]) for one in (moved, a_little)]
        most = self.share_is_at_most_one(allocated, fair, a_little, arms[a_little])
        excess, scaled = c - share(moved) * self.far(k), self.scale_is_positive()
        by = product(weak(some), weak(scaled))
        little = auto(
            le(excess, eta * self.scale), paid, (self.far(k), sums[0]), (eta * self.scale, sums[1]), (by, most)
        )
        inverse = reciprocal(scaled)
        little = auto(le(excess / self.scale, eta), (reciprocal_positive(scaled), little), (eta, inverse))
        every = for_all("eta", little, some.conclusion, small.conclusion)
        gone = tends_to_zero(every, excess / self.scale, self.distance)
        return auto(le(c, share(moved) * self.far(k)), (scaled, gone), (excess, inverse))

    def scale_is_positive(self) -> Theorem:
        return auto(lt(0, self.scale))

    def bounds(
        self,
        sign: int,
        k: Term,
        of_k: tuple[Theorem, ...],
        new: Term,
        hits: tuple[Term, Term],
        moved: Term,
        a_little: Term,
        distance: Theorem,
        some: Theorem,
        small: Theorem,
    ) -> tuple[Theorem, ...]:
        """The new means are in [0, 1]."""
        is_moved, is_little = one_or_none(a, moved), one_or_none(a, a_little)
        low, high = self.mean(a, tuple(map(assume, is_arm(a, K))))
        costs = product(is_moved[0], weak(distance)), product(is_little[0], weak(some))
        at = [under(a, one, theta(w)) for one in (moved, a_little)]
        away = [auto(le(0, 1 - hit), of_hit[1]) for hit, of_hit in zip(hits, (is_moved, is_little), strict=True)]
        top_mean, rival_mean = self.mean(top, tuple(self.top)), self.mean(rival, self.rival_is)
        below_one = auto(le(0, 1 - theta(a)), high)
        if sign == 1:  # the best arm falls to the closest, which rises a little
            rises = auto(le(0, 1 - theta(rival) - eta), small, top_mean[1])
            low = auto(le(0, new), product(away[0], low), product(is_moved[0], rival_mean[0]), costs[1], at[0])
            high = auto(le(new, 1), product(away[1], below_one), product(is_little[0], rises), costs[0], at[1])
        else:  # an arm rises to the best one, which falls a little
            falls, best = auto(le(0, theta(top) - eta), small, rival_mean[0]), auto(le(0, 1 - theta(top)), top_mean[1])
            low = auto(le(0, new), product(away[1], low), product(is_little[0], falls), costs[0], at[1])
            high = auto(le(new, 1), product(away[0], below_one), product(is_moved[0], best), costs[1], at[0])
        return low, high

    def priced(
        self,
        new: Term,
        cost: Term,
        bounds: tuple[Theorem, ...],
        hits: tuple[Term, Term],
        signs: tuple[Theorem, ...],
        crossed: tuple[Term, Theorem],
    ) -> Theorem:
        """The price of the change of an arm is at most the cost."""
        costs = [product(one_or_none(a, k)[0], weak(f)) for k, f in zip(hits, signs[:2], strict=True)]
        near = [auto(le(s * (theta(a) - new), cost), *costs) for s in (1, -1)]
        before = self.mean(a, tuple(map(assume, is_arm(a, K))))
        return instance(variation(), {"p": theta(a), "r": new, "d": cost}, *before, *bounds, *near)

    def share_is_at_most_one(self, allocated: Theorem, fair: Theorem, k: Term, of_k: tuple[Theorem, ...]) -> Theorem:
        """shares(k) <= 1."""
        low = instance(allocated, {"a": b}, *map(assume, is_arm(b, K)))
        rest = sum_over(product(auto(le(0, 1 - equal(b, k)), one_or_none(b, k)[1]), low), "b", K)
        return auto(le(share(k), 1), rest, at_arm(share, k, of_k))


def tests(
    close: Theorem, p: Term, r: Term, most: Term, of_p: tuple[Theorem, Theorem], of_r: list[Theorem]
) -> tuple[Theorem, Theorem]:
    """p - r <= most and r - p <= most, where the total variation of Bernoulli laws is at most this."""
    found = []
    for k in (1, 0):
        A = equal(x, k)
        said = instance(close, {"A": fn("x", A)}, equal_is_event(x, k))
        of_both = mean_of_bernoulli(p, A, *of_p), mean_of_bernoulli(r, A, *of_r)
        goal = le(p - r, most) if k == 1 else le(r - p, most)
        found.append(auto(goal, said, *of_both))
    return found[0], found[1]


def variation() -> Theorem:
    """TV of Bernoulli laws is at most every d with p - r <= d and r - p <= d."""
    p, r, d = map(var, "prd")
    A, of_event = app("A", x), event("A")
    given = le(0, p), le(p, 1), le(0, r), le(r, 1), le(p - r, d), le(r - p, d)
    known = list(map(assume, given))
    zero, one = (app("A", k) for k in (0, 1))
    bounds = [bounds_of_event(value, instance(assume(of_event), {"x": k})) for k, value in enumerate((zero, one))]
    of_both = mean_of_bernoulli(p, A, *known[:2]), mean_of_bernoulli(r, A, *known[2:4])
    more = auto(le(0, 1 + one - zero), bounds[1][0], bounds[0][1])
    less = auto(le(0, 1 - one + zero), bounds[1][1], bounds[0][0])
    whole = variation_at_most(bernoulli(p), bernoulli(r), d)
    proved = auto(whole.then, *of_both, (more, known[4]), (less, known[5]))
    return for_all("p r d", for_all("A", proved, of_event), *given)


def tends_to_zero(every: Theorem, t: Term, some: Theorem) -> Theorem:
    """t <= 0 from t <= eta for all eta with 0 < eta <= d, where 0 < d."""
    positive, d = assume(lt(0, t)), some.conclusion.args[1]  # type: ignore[union-attr]
    half = t / 2
    at_half = instance(every, {"eta": half}, auto(lt(0, half), positive), assume(le(half, d)))
    at_d = instance(every, {"eta": d}, some)
    false = [contradiction(at_half, positive), contradiction(at_d, assume(lt(d, half)), positive)]
    goal = le(t, 0)
    return cases(assume(goal), cases(*(absurd(one, goal) for one in false), half, d), t, term(0))


class HalfSquares(Variation):
    """The same for means that are any numbers, prices being half the squares of the moves."""

    members = 0
    shared, moved = 4, 2

    def __init__(self, given: tuple[Formula, ...]):
        super().__init__(given)
        self.scale = gap(rival) / 2

    def unit(self, k: Term) -> Term:
        return price(k) * price(k)

    def far(self, k: Term) -> Term:
        return gap(k) * gap(k) / 2

    def is_one(self, k: Term, of_arm: tuple[Theorem, ...]) -> Theorem:
        """2 unit(k) far(k) = 1."""
        return auto(eq(2 * self.unit(k) * self.far(k), 1), self.is_inverse(k, of_arm))

    def unit_is_positive(self, k: Term, of_arm: tuple[Theorem, ...]) -> Theorem:
        positive = self.price_is_positive(k, of_arm)
        return product(positive, positive)

    def unit_is_less(self, k: Term, of_arm: tuple[Theorem, ...]) -> Theorem:
        less = self.price_is_less(k, of_arm)
        prices = [weak(self.price_is_positive(*one)) for one in ((k, of_arm), (rival, self.rival_is))]
        return auto(le(self.unit(k), self.unit(rival)), *((f, less) for f in prices))

    def scale_is_positive(self) -> Theorem:
        return auto(lt(0, self.scale), self.distance)

    def bounds(self, *_: object) -> tuple[Theorem, ...]:
        return ()

    def priced(
        self,
        new: Term,
        cost: Term,
        bounds: tuple[Theorem, ...],
        hits: tuple[Term, Term],
        signs: tuple[Theorem, ...],
        crossed: tuple[Term, Theorem],
    ) -> Theorem:
        far, never = crossed
        events = [equal_is_event(a, k) for k in hits]
        slack = auto(le(0, gap(rival) - eta), signs[2])
        rest = product(product(one_or_none(a, hits[1])[0], weak(signs[1])), slack)
        goal = le((theta(a) - new) * (theta(a) - new) / 2, cost)
        return auto(goal, (far * far, events[0]), (eta * eta, events[1]), rest, (far * eta, never))

    def least_price(
        self, k: Term, of_k: tuple[Theorem, ...], price: Theorem, within: list[Theorem]
    ) -> tuple[Theorem, ...]:
        move = theta(k) - alternative(k)
        return price, auto(le(0, charge(k)), price, square(move))

    def crossing(
        self, of_other: tuple[Theorem, ...], best: tuple[Theorem, ...], new: tuple[Theorem, ...], crossed: Theorem
    ) -> Theorem:
        """x^2/2 + y^2/2 >= (x + y)^2/4, where both moves make up the gap."""
        down, up = theta(top) - alternative(top), alternative(other) - theta(other)
        low, distance = weak(self.unit_is_positive(other, of_other)), self.gap_is_positive(other, of_other)
        more = auto(le(0, down + up - gap(other)), crossed)
        both = product(more, auto(le(0, down + up + gap(other)), crossed, distance))
        goal = le(term(1) / self.shared, self.unit(other) * (charge(top) + charge(other)))
        inverse = self.is_inverse(other, of_other)
        facts = (low, best[0]), (low, new[0]), (low, square(down - up)), (low, both)
        return auto(goal, *facts, (price(other) * gap(other), inverse), inverse)


class Entropies(HalfSquares):
    """The same for Bernoulli arms, whose relative entropy is at least twice the square of the move."""

    members = 2
    shared = 1

    def least_price(
        self, k: Term, of_k: tuple[Theorem, ...], price: Theorem, within: list[Theorem]
    ) -> tuple[Theorem, ...]:
        after = [instance(f, {"a": k}, *of_k) for f in within]
        return super().least_price(k, of_k, square_of_move(price, k, self.mean(k, of_k), after), within)


def square_of_move(close: Theorem, k: Term, of_p: tuple[Theorem, ...], of_r: list[Theorem]) -> Theorem:
    """2 (p - r)^2 <= charge(k) for the means p and r of an arm, whose relative entropy is at most its charge."""
    p, r = theta(k), alternative(k)
    tilt = 4 * (p - r)
    u = tilt * ind(1, x) - tilt * r - tilt * tilt / 8
    said, two = instance(close, {"u": fn("x", u)}), instance(two_values(), {"p": r, "s": tilt}, *of_r)
    of_both = mean_of_bernoulli(p, u, *of_p), mean_of_bernoulli(r, exp(u), *of_r)
    return auto(le(2 * (p - r) * (p - r), charge(k)), said, *of_both, (exp(-tilt * tilt / 8), two))


@proof
def variation_by_entropy(statement: All) -> Theorem:
    """c <= sum w |move| for all alternatives, so 2 c^2 <= sum w 2 move^2, which is at most what the entropies cost."""
    _, (*within, value, low, root), goal = parts_of(statement.then)
    allocated, fair, least = map(assume, goal.given)  # type: ignore[union-attr]
    *moved, prices = map(assume, parts_of(parts_of(value)[1][-1])[1])
    known = list(map(assume, within))

    def of_arm(k: Term) -> tuple[tuple[Theorem, ...], list[Theorem], tuple[Theorem, ...]]:
        at = tuple(map(assume, is_arm(k, K)))
        before, after = ([instance(f, {"a": k}, *at) for f in of[:2]] for of in (known, moved))
        return tuple(before), after, at

    def move(k: Term) -> Term:
        return theta(k) - alternative(k)

    before, after, _ = of_arm(a)
    near = [auto(le(s * move(a), size(move(a))), indicator(0, move(a), which)) for s, which in ((1, 2), (-1, 1))]
    values = {"p": theta(a), "r": alternative(a), "d": size(move(a))}
    apart = instance(variation(), values, *before, *after, *near)
    cheap = instance(least, {"charge": fn("a", size(move(a)))}, *moved, apart)
    before, after, at = of_arm(b)
    paid = square_of_move(instance(prices, {"a": b}, *at), b, before, after)
    w, length = instance(allocated, {"a": b}, *at), size(move(b))
    whole = (move(b) * move(b), indicator(0, move(b), 0))
    least_paid = auto(le(2 * c * length, charge(b) / 2 + c * c), square(c - length), paid, whole)
    dear = sum_over(product(w, auto(le(0, charge(b) / 2 + c * c - 2 * c * length), least_paid)), "b", K)
    positive = auto(le(0, 2 * c), assume(lt(0, c)))
    enough = auto(le(2 * c * c, total(share(b) * charge(b))), dear, (positive, cheap))
    game = instance(assume(value), {"c": 2 * c * c}, enough)
    squares = auto(le(c * c, var("split") * var("split")), game)
    short = instance(smaller_root(), {"w": c, "v": var("split")}, squares)
    none = auto(goal.then, assume(le(c, 0)))  # type: ignore[union-attr]
    proved = cases(none, short, c, term(0))
    return for_all("shares c", proved, *goal.given)  # type: ignore[union-attr]


@proof
def time_is_at_most(statement: All, of: type[Variation] = Variation) -> Theorem:
    """The shares in proportion to what the arms add to the time earn 1 over it."""
    given = parts_of(statement.then)[1]
    return of(given).earned(assume(given[-1]), var("game"))


@proof
def time_is_at_least(statement: All, of: type[Variation] = Variation) -> Theorem:
    """c <= shares(b) far(b) for each arm; with what the arms add to the time these add up to c TIME <= 1."""
    _, given, goal = parts_of(statement.then)
    known = of(given)
    lowered, each = known.conceded(goal.given)  # type: ignore[union-attr]
    inverse = assume(given[-1])  # type: ignore[union-attr]
    rest = sum_over(known.others(each.conclusion, each), "b", K)
    of_top = at_arm(share, top, tuple(known.top))
    of_rival = known.is_one(rival, known.rival_is)
    low = auto(le(0, known.moved * known.unit(rival)), known.positive)
    once = auto(le(c * known.moved * known.time, 1), rest, of_top, (low, lowered), (share(top), of_rival))
    some, rate = known.time_is_positive(), var("split")
    positive, one = weak(reciprocal_positive(some)), reciprocal(some)
    both = (positive, once), (positive, inverse)
    proved = auto(goal.then, *both, (rate, one), (c, one))  # type: ignore[union-attr]
    proved = for_all("shares c", proved, *goal.given)  # type: ignore[union-attr]
    return proved


@proof
def time_is_at_least_one_gap(statement: All) -> Theorem:
    """c <= shares(top) gap(rival) <= gap(rival)."""
    _, given, goal = parts_of(statement.then)
    known = Variation(given)
    lowered, _ = known.conceded(goal.given)  # type: ignore[union-attr]
    allocated, fair = map(assume, goal.given[:2])  # type: ignore[union-attr]
    most = known.share_is_at_most_one(allocated, fair, top, tuple(known.top))
    return auto(goal.then, lowered, (known.distance, most))  # type: ignore[union-attr]


@proof
def time_is_at_most_all_gaps(statement: All) -> Theorem:
    """1 <= game TIME and TIME gap(rival) <= K."""
    _, given, goal = parts_of(statement.then)
    known = Variation(given)
    enough, positive = known.earned_by_all(given)
    return auto(goal, (known.distance, enough), (positive, known.time_is_short()))


@proof
def entropy_time_by_the_others(statement: All) -> Theorem:
    """1 <= game TIME, of which the first summand is one of the others."""
    _, given, goal = parts_of(statement.then)
    known = Entropies(given)
    enough, positive = known.earned_by_all(given)
    return auto(goal, enough, (positive, known.closest_is_among_the_others()))


normal_time_is_at_most = partial(time_is_at_most, of=HalfSquares)
entropy_time_is_at_most = partial(time_is_at_most, of=Entropies)
normal_time_is_at_least = partial(time_is_at_least, of=HalfSquares)
