"""Proofs in the kernel of what Interactive zCDP says of a policy on two bandits, and what it costs on means in [0, 1].

Along one sequence of actions the decisions of n rounds tell two lists of rewards apart by rho d^2 at most, where d
rewards differ. In the mean over the rewards, of the last round first, two laws of variation t <= q let d grow by one
with the chance t: so d^2 + 2 q (m - n) d, for m rounds in all, grows by t (1 + 2 q m) at most.
"""

from __future__ import annotations

from typing import Any

from banditproof.verify.kernel.asymptotics import zcdp_at_every_horizon
from banditproof.verify.kernel.context import conclusion
from banditproof.verify.kernel.couplings import variation_at_most
from banditproof.verify.kernel.divergences import kl_at_most, sum_of_kl_at_most
from banditproof.verify.kernel.histories import (
    acts,
    apart_in,
    histories_along,
    history_is_told,
    history_tells_actions,
    last_action_is_kept,
    one_round_more,
    told_histories,
)
from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.policies import is_arm, of_arms, queries, said_is_kept, zcdp_on
from banditproof.verify.theorems.bandit_divergences import HERE, THERE, chance, h, j, n, over_arms
from banditproof.verify.theorems.couplings import between_two_laws, variation_is_nonnegative
from banditproof.verify.theorems.interactive_privacy import group_privacy_along_histories
from banditproof.verify.theorems.policies import PLAYS, K, T, a, b, i, less_on_arms, sum_over
from banditproof.verify.theorems.renyi import mean_of_exp_positive

m, q, r, s, v, x, y, rho = map(var, ("m", "q", "r", "s", "v", "x", "y", "rho"))
PATH = "letter rewards others past rival"
SIDES = ("past", "rewards"), ("rival", "others")


def along(rounds: Any, K: Any) -> tuple[Formula, ...]:
    """Arms of so many rounds, two lists of rewards, and the histories of both."""
    return *of_arms(rounds, K), *(f for name, rewards in SIDES for f in histories_along(name, rewards, rounds))


def decisions(k: Any) -> tuple[Term, Term]:
    """The laws of the decision of round k after both histories."""
    return law("pi", k, app("past", k)), law("pi", k, app("rival", k))


def gain(laws: tuple[Term, Term], v: Term) -> Term:
    """What v says of the divergence of two laws of an arm a."""
    return mean("a", laws[0], v) - mean("a", laws[1], exp(v)) + 1


def told_apart(rounds: Any) -> Term:
    """What v(0, .), v(1, .), ... say of the divergences of the decisions of these rounds."""
    return sum_of(lambda k: gain(decisions(k), app("v", k, a)), rounds)


def some_arms(K: Any) -> tuple[Formula, ...]:
    """There is an arm, where the actions are K arms."""
    return () if K is None else (nat(K), le(1, K))


@once
def on_every_path(K: Any) -> Theorem:
    """The sum of the divergences is at most rho d^2, for every number of rounds."""
    own = zcdp_on(queries(pi, T, K), rho)
    past, rival = (lambda k: decisions(k)[0]), (lambda k: decisions(k)[1])
    sums = All(tuple(PATH.split()), along(T, K), sum_of_kl_at_most(past, rival, T, rho * apart_in(T) * apart_in(T)))
    given = nat(T), *some_arms(K), le(0, rho), said_is_kept(), history_is_told(), last_action_is_kept(), own
    names = "pi", "T", "K", "rho", "after", "empty", "pair", "said", "told"
    return group_privacy_along_histories(All(names, given, sums))


class Longer:
    """The path of n rounds with a round more: the arm b with the rewards r and s. There tilt stands for v(n, .)."""

    def __init__(self, K: Any) -> None:
        self.K = K
        below, of_v = assume(lt(j, n)), app("v", j, a)
        self.ends = {"letter": (n, b), "rewards": (n, r), "others": (n, s)}
        self.ends |= {name: (n + 1, one_round_more(app(name, n), b, self.ends[of][1])) for name, of in SIDES}
        v = fn("i x", ind(n, i) * app("tilt", x) + (1 - ind(n, i)) * app("v", i, x))
        self.values = {name: fn("i", self.at(name, i)) for name in PATH.split()} | {"v": v}
        self.given = [*self.arms(), *(f for side in SIDES for f in self.history(*side))]
        self.last = {name: auto(eq(self.at(name, n + 1), self.ends[name][1])) for name, _ in SIDES}

        # what is told apart, and how many rewards differ
        off = not_at_most(below)
        new_v = [ind(n, k) * app("tilt", a) + (1 - ind(n, k)) * app("v", k, a) for k in (j, n)]
        kept_v = auto(eq(new_v[0], of_v), (app("tilt", a) - of_v, off))
        self.gains = [self.gain_of(k, f) for k, f in zip((j, n), new_v, strict=True)]
        early = self.moved(j, {name: self.kept(name, j, below) for name, _ in SIDES}, kept_v)
        natural = assume(nat(n))
        same_before = sum_over(auto(eq(0, self.gains[0] - gain(decisions(j), of_v)), *early), "j", n)
        self.spent = auto(
            eq((n + 1) * mean("j", uniform(n + 1), self.gains[0]), told_apart(n) + gain(decisions(n), app("tilt", a))),
            uniform_next(natural, "j", self.gains[0]),
            same_before,
        )
        differ = 1 - equal(self.at("rewards", j), self.at("others", j))
        old = 1 - equal(app("rewards", j), app("others", j))
        first = same(self.kept("rewards", j, below), "w", equal(var("w"), self.at("others", j)))
        second = same(self.kept("others", j, below), "w", equal(app("rewards", j), var("w")))
        same_places = sum_over(auto(eq(0, differ - old), first, second), "j", n)
        self.far = auto(
            eq((n + 1) * mean("j", uniform(n + 1), differ), apart_in(n) + 1 - equal(r, s)),
            uniform_next(natural, "j", differ),
            same_places,
        )

    def gain_of(self, k: Any, v: Term) -> Term:
        past, rival = (law("pi", k, self.at(name, k)) for name, _ in SIDES)
        return gain((past, rival), v)

    def moved(self, k: Term, kept: dict[str, Theorem], v: Theorem) -> list[Theorem]:
        """The gain of round k is that of the old histories."""
        new, old = v.conclusion.args  # type: ignore[union-attr]
        past, rival = (law("pi", k, self.at(name, k)) for name, _ in SIDES)
        in_past = same(kept["past"], "w", mean("a", law("pi", k, var("w")), old))
        in_rival = same(kept["rival"], "w", mean("a", law("pi", k, var("w")), exp(old)))
        return [mono(v, "a", past), mono(exp_equal(v), "a", rival), in_past, in_rival]

    def at(self, name: str, k: Any) -> Term:
        start, end = self.ends[name]
        return ind(start, k) * end + (1 - ind(start, k)) * app(name, k)

    def kept(self, name: str, k: Any, below: Theorem | None = None) -> Theorem:
        """What stands in place k is what stood there, k being below the number of rounds."""
        start, end = self.ends[name]
        early = auto(lt(k, start), *([below] if below else []))
        return auto(eq(self.at(name, k), app(name, k)), (end - app(name, k), not_at_most(early)))

    def new(self, name: str, k: Any, reached: Theorem) -> Theorem:
        """What stands in place k is the new end."""
        start, end = self.ends[name]
        return auto(eq(self.at(name, k), end), (end - app(name, k), at_most(reached)))

    def arms(self) -> list[Theorem]:
        """The arms are arms."""
        if self.K is None:
            return []
        early, late = assume(lt(i, n)), assume(le(n, i))
        old = [instance(assume(f), {}, assume(nat(i)), early) for f in of_arms(n, self.K)]
        before = self.same_arm(old, self.kept("letter", i, early))
        last = self.same_arm([assume(f) for f in is_arm(b, self.K)], self.new("letter", i, late))
        each = (cases(new, of_old, n, i) for new, of_old in zip(last, before, strict=True))
        return [for_all("i", p, nat(i), lt(i, n + 1)) for p in each]

    def same_arm(self, is_one: list[Theorem], equal: Theorem) -> tuple[Theorem, Theorem]:
        """What stands in a place is an arm, as what it equals is one."""
        there, arm = equal.conclusion.args  # type: ignore[union-attr]
        return nat_equal(is_one[0], auto(eq(arm, there), equal)), auto(lt(there, self.K), is_one[1], equal)

    def history(self, name: str, of: str) -> list[Theorem]:
        """The history of the longer path."""
        begins, goes_on = (assume(f) for f in histories_along(name, of, n))
        early, late, soon, natural = assume(lt(i, n)), assume(le(n, i)), assume(lt(i, n + 1)), assume(nat(i))
        goal = eq(self.at(name, i + 1), one_round_more(self.at(name, i), self.at("letter", i), self.at(of, i)))
        before = self.kept(name, i, soon)

        def chain(letter: Theorem, reward: Theorem) -> list[Theorem]:
            w, arm = var("w"), letter.conclusion.args[1]  # type: ignore[union-attr]
            return [
                same(before, "w", one_round_more(w, self.at("letter", i), self.at(of, i))),
                same(letter, "w", one_round_more(app(name, i), w, self.at(of, i))),
                same(reward, "w", one_round_more(app(name, i), arm, w)),
            ]

        old = instance(goes_on, {}, natural, early)
        first = auto(
            goal, self.kept(name, i + 1, early), old, *chain(self.kept("letter", i, early), self.kept(of, i, early))
        )
        is_n = antisymmetric(auto(le(i, n), nat_nonnegative(nat_minus(natural, nat_next(assume(nat(n))), soon))), late)
        end = same(is_n, "w", one_round_more(app(name, var("w")), b, self.ends[of][1]))
        last = auto(
            goal,
            self.new(name, i + 1, auto(le(n + 1, i + 1), late)),
            end,
            *chain(self.new("letter", i, late), self.new(of, i, late)),
        )
        start = auto(
            eq(self.at(name, 0), app("told", var("empty"))), self.kept(name, 0, nat_nonnegative(assume(nat(n)))), begins
        )
        return [start, for_all("i", cases(last, first, n, i), nat(i), lt(i, n + 1))]


def slack(rounds: Any) -> Term:
    """rho (d^2 + 2 q (m - n) d) after n rounds in which d rewards differ."""
    d = apart_in(rounds)
    return rho * (d * d + 2 * q * (m - rounds) * d)


def on_paths(rounds: Any, f: Term, u: Term, K: Any) -> All:
    """f of the first history and what the decisions tell apart are at most u of the second one, and the slack."""
    past, rival = (substitute(t, {"h": app(name, rounds)}) for t, name in ((f, "past"), (u, "rival")))
    names = (*PATH.split(), "v")
    return All(names, along(rounds, K), le(past + told_apart(rounds), rival + slack(rounds)))


def charge(arm: Any) -> Term:
    return rho * (1 + 2 * q * m) * app("tv", arm)


def paid(rounds: Any) -> Term:
    """What the arms cost that are played on the first bandit, in the mean."""
    return sum_of(lambda k: HERE.mean(k, mean("a", pi(k, h), charge(a))), rounds)


def on_bandits(rounds: Any, K: Any) -> All:
    """E f - E' e^u + 1 is at most what the arms cost, where f is at most u on all paths."""
    f, u = app("f", h), app("u", h)
    goal = le(HERE.mean(rounds, f) - THERE.mean(rounds, exp(u)) + 1, paid(rounds))
    return All(("f", "u"), (le(rounds, m), on_paths(rounds, f, u, K)), goal)


def vary(K: Any) -> All:
    return All(("a",), is_arm(a, K), variation_at_most(nu(a), nu_prime(a), app("tv", a)))


def small(K: Any) -> All:
    return All(("a",), is_arm(a, K), le(app("tv", a), q))


def known_of_bandits(K: Any) -> tuple[Formula, ...]:
    """What two bandits vary by, of K arms or, if that is None, of any actions."""
    plays = () if K is None else (PLAYS.conclusion,)
    return *some_arms(K), *plays, nat(m), le(0, rho), le(0, q), vary(K), small(K)


def apart_low() -> Theorem:
    """0 <= d."""
    differ = equal(app("rewards", j), app("others", j))
    high = bounds_of_event(differ, equal_is_event(app("rewards", j), app("others", j)))[1]
    return product(nat_nonnegative(assume(nat(n))), mono(auto(le(0, 1 - differ), high), "j", uniform(n)))


def no_round_yet(f: Term, u: Term, K: Any) -> Theorem:
    """f <= u at the start, of the path without a round."""
    start, none = app("told", var("empty")), contradiction(nat_nonnegative(assume(nat(i))), assume(lt(i, 0)))
    values = {name: fn("i", 0) for name in PATH.split()} | {name: fn("i", start) for name, _ in SIDES}
    values["v"] = fn("i x", 0)
    never = [
        for_all("i", absurd(none, f.then), *f.given)
        for f in (replace(f, values) for f in along(0, K))
        if isinstance(f, All) and isinstance(f.then, Rel) and f.then.op != "nat"
    ]
    return instance(assume(on_paths(term(0), f, u, K)), values, *never)


def of_arm(K: Any) -> Theorem:
    """E f - the charge <= log E e^u and the rest, of an arm b: the last rewards are drawn from two laws."""
    f, u, longer = app("f", h), app("u", h), Longer(K)
    d, c = apart_in(n), 2 * q * (m - n - 1)
    at = [substitute(t, {"h": longer.ends[name][1]}) for t, (name, _) in zip((f, u), SIDES, strict=True)]
    known = instance(assume(on_paths(n + 1, f, u, K)), longer.values, *longer.given)
    w, far = var("w"), longer.far.conclusion.args[1]  # type: ignore[union-attr]
    moved = same(longer.far, "w", rho * (w * w + c * w))
    now = gain(decisions(n), app("tilt", a))
    on_points = auto(le(at[0] + told_apart(n) + now, at[1] + rho * (far * far + c * far)), known, moved, longer.spent)
    d_low, tv, left = apart_low(), app("tv", b), auto(le(0, m - n - 1), assume(le(n + 1, m)))
    q_low, rho_low = assume(le(0, q)), assume(le(0, rho))
    slope = 2 * d + 1 + c
    slope_low = auto(le(0, slope), d_low, (2, product(q_low, left)))
    A, B = substitute(at[0], {"r": x}), substitute(at[1], {"s": x})
    low = rho * (d * d + c * d) - told_apart(n) - now
    every = for_all("r s", on_points)
    same_reward = auto(le(A, B + low), instance(every, {"r": x, "s": x}))
    hit = equal(x, y)
    hit_low, hit_high = bounds_of_event(hit, equal_is_event(x, y))
    other_reward = auto(
        le(A, substitute(B, {"x": y}) + low + rho * slope),
        instance(every, {"r": x, "s": y}),
        (product(rho_low, slope_low), hit_low),
        (rho, equal_is_event(x, y)),
    )
    values = {"a": fn("x", A), "b": fn("x", B), "P": fn("", nu(b)), "Q": fn("", nu_prime(b))}
    values |= {"low": low, "high": low + rho * slope, "t": tv}
    arm = [assume(f) for f in is_arm(b, K)]
    far_by = instance(assume(vary(K)), {"a": b}, *arm)
    order = auto(le(low, low + rho * slope), product(rho_low, slope_low))
    changed = instance(between_two_laws(), values, order, same_reward, other_reward, far_by)
    tv_low, few = variation_is_nonnegative(far_by, tv), instance(assume(small(K)), {"a": b}, *arm)
    # the mean of u is at most log E e^u
    reward = substitute(at[1], {"s": r})
    tilted = mean("r", nu_prime(b), exp(reward))
    L, value = log(tilted), exp_log(mean_of_exp_positive("r", nu_prime(b), reward))
    jensen = auto(
        le(mean("r", nu_prime(b), reward), L), mono(exp_tangent(reward - L), "r", nu_prime(b)), (exp(-L), value)
    )
    lost = mean("r", nu(b), substitute(at[0], {"r": r}))
    goal = le(lost - substitute(charge(a), {"a": b}), L + rho * (d * d + 2 * q * (m - n) * d) - told_apart(n) - now)
    facts = (
        (product(rho_low, d_low), few),
        (product(product(rho_low, tv_low), q_low), nat_nonnegative(assume(nat(n)))),
    )
    return auto(goal, changed, jensen, *facts, (product(rho_low, q_low), tv_low))


def next_u(of: Term, history: Any) -> Term:
    """E e^u on the second bandit, after the round that follows this history."""
    return mean("a", pi(n, history), given_arm(of, history))


def next_f(of: Term) -> Term:
    """E f on the first bandit after the next round, less what its arm costs."""
    return mean("a", pi(n, h), mean("r", nu(a), substitute(of, {"h": one_round_more(h, a, r)})) - charge(a))


def given_arm(of: Term, history: Any) -> Term:
    return mean("r", nu_prime(a), exp(substitute(of, {"h": one_round_more(history, a, r)})))


def is_positive(of: Term, history: Any) -> Theorem:
    """0 < E e^u."""
    reward = substitute(of, {"h": one_round_more(history, a, r)})
    middle = mean("a", pi(n, history), mean("r", nu_prime(a), reward))
    jensen = mono(mono(exp_tangent(reward - middle), "r", nu_prime(a)), "a", pi(n, history))
    return auto(lt(0, next_u(of, history)), (exp(middle), jensen))


def shorter(K: Any) -> Theorem:
    """What is known of n + 1 rounds says it of n, of means over the last one."""
    f, u = app("f", h), app("u", h)
    known = for_all("b tilt", of_arm(K), *is_arm(b, K))
    past, rival = app("past", n), app("rival", n)
    whole, one = next_u(u, rival), given_arm(u, rival)
    L, U = log(one), log(whole)
    value = exp_log(mean_of_exp_positive("r", nu_prime(a), substitute(u, {"h": one_round_more(rival, a, r)})))
    total = exp_log(is_positive(u, rival))
    fair = auto(eq(mean("a", pi(n, rival), exp(L - U)), 1), (exp(-U), mono(value, "a", pi(n, rival))), (exp(-U), total))
    of_a = instance(known, {"b": a, "tilt": fn("a", L - U)}, *map(assume, is_arm(a, K)))
    left, right = of_a.conclusion.args  # type: ignore[union-attr]
    one_law = pi(n, past)
    averaged = mono(of_a, "a", one_law) if K is None else less_on_arms(PLAYS, one_law, (n, past), left, right, of_a)
    wanted = on_paths(n, next_f(f), log(next_u(u, h)), K)
    return for_all(" ".join(wanted.params), auto(wanted.then, averaged, fair), *wanted.given)


TOLD_NOTHING = eq(app("told", var("empty")), var("empty"))
NAMES = "pi nu nu_prime tv K m q rho empty pair told"


@once
def of_all_rounds(K: Any) -> Theorem:
    """By induction over the rounds, for all functions f and u of histories."""
    given = suppose(*known_of_bandits(K), TOLD_NOTHING)
    pn, enough, claim, empty = assume(nat(n)), assume(le(n + 1, m)), on_bandits(n, K), var("empty")
    f, u = app("f", h), app("u", h)
    starts = [same(assume(TOLD_NOTHING), "w", substitute(t, {"h": var("w")})) for t in (f, u)]
    base = auto(
        on_bandits(term(0), K).then,
        no_round_yet(f, u, K),
        *starts,
        HERE.none(f),
        THERE.none(exp(u)),
        exp_tangent(app("u", empty)),
    )
    values = {"f": fn("h", next_f(f)), "u": fn("h", log(next_u(u, h)))}
    before = instance(assume(claim), values, auto(le(n, m), enough), shorter(K))
    total = mono(exp_log(is_positive(u, h)), "h", THERE.law(n))
    more = uniform_next(pn, "j", HERE.mean(j, mean("a", pi(j, h), charge(a))))
    step = auto(on_bandits(n + 1, K).then, before, HERE.next(pn, f), THERE.next(pn, exp(u)), total, more)
    return for_all(NAMES, induction("n", base, step, claim), *(f.conclusion for f in given))


def decision_law(of: Any) -> Term:
    """The law of the decision of round n on a bandit."""
    return Term("mix", (("h",), of.law(n), pi(n, h)))


@once
def decision_of_a_round(K: Any) -> Theorem:
    """D_KL of the decisions of round n on both bandits is at most what the arms cost before it, for n <= m."""
    own = zcdp_at_every_horizon(pi, K, rho)
    kept = said_is_kept(), *told_histories(), last_action_is_kept()
    given = suppose(*known_of_bandits(K), *kept, own, nat(n), le(n, m))
    of_a = app("u", a)
    longer = Longer(K)
    private = instance(assume(own), {"horizon": n + 1})
    every = instance(on_every_path(K), {"T": n + 1}, private)
    whole = instance(instance(every, longer.values, *longer.given), {"v": longer.values["v"]})
    far = longer.far.conclusion.args[1]  # type: ignore[union-attr]
    moved = same(longer.far, "w", rho * var("w") * var("w"))
    now = gain(decisions(n), app("tilt", a))
    raised = auto(le(told_apart(n) + now, rho * far * far), whole, longer.spent, moved)
    f, tilted = mean("a", pi(n, h), of_a), mean("a", pi(n, h), exp(of_a))
    value = exp_log(mean_of_exp_positive("a", pi(n, h), of_a))
    U = substitute(log(tilted), {"h": app("rival", n)})
    at_U = {"b": term(0), "r": term(0), "s": term(0), "tilt": fn("a", of_a - U)}
    here = instance(for_all("b r s tilt", raised, *is_arm(b, K)), at_U)
    fair = auto(
        eq(exp(-U) * mean("a", pi(n, app("rival", n)), exp(of_a)), 1),
        (exp(-U), instance(for_all("h", value), {"h": app("rival", n)})),
    )
    wanted = on_paths(n, f, log(tilted), K)
    room = product(product(product(assume(le(0, rho)), assume(le(0, q))), auto(le(0, m - n))), apart_low())
    known = for_all(" ".join(wanted.params), auto(wanted.then, here, fair, room), *wanted.given)
    rounds = instance(instance(of_all_rounds(K), {}), {})
    proved = instance(rounds, {"f": fn("h", f), "u": fn("h", log(tilted))}, known)
    laws = decision_law(HERE), decision_law(THERE)
    proved = for_all("u", auto(kl_at_most(*laws, paid(n)).then, proved, mono(value, "h", THERE.law(n))))
    return for_all(f"{NAMES} said after n", proved, *(f.conclusion for f in given))


# ------------------------------------------------------------------------------------------------------- all actions


def same_actions(K: Any) -> Theorem:
    """Both histories of a path of T rounds have the same actions."""
    told, pn, enough, w = assume(history_tells_actions()), assume(nat(n)), assume(le(n + 1, T)), var("w")
    claim = All((), (le(n, T),), eq(*(acts(app(name, n)) for name, _ in SIDES)))
    begun, grown = [], []
    for name, rewards in SIDES:
        first, goes_on = (assume(f) for f in histories_along(name, rewards, T))
        begun.append(same(first, "w", acts(w)))
        longer = instance(goes_on, {"i": n}, pn, auto(lt(n, T), enough))
        of_row = instance(told, {"h": app(name, n), "a": app("letter", n), "r": app(rewards, n)})
        grown += [same(longer, "w", acts(w)), of_row]
    before = same(instance(assume(claim), {}, auto(le(n, T), enough)), "w", app("pair", w, app("letter", n)))
    base = auto(replace(claim, {"n": term(0)}).then, *begun)  # type: ignore[union-attr]
    step = auto(replace(claim, {"n": n + 1}).then, *grown, before)  # type: ignore[union-attr]
    return instance(induction("n", base, step, claim, at=T))


@proof
def divergence_of_actions(statement: All) -> Theorem:
    """What all decisions tell apart is at most rho d^2, and the actions of both histories are the same."""
    U, w, most = app("u", acts(h)), var("w"), var("most")
    wanted = on_paths(T, U, U, K)
    sums = instance(instance(on_every_path(K)), {}, *map(assume, wanted.given))
    sums = instance(sums)
    moved = same(same_actions(K), "w", app("u", w))
    path = auto(replace(wanted.then, {"m": T, "q": most}), sums, moved)
    known = for_all(" ".join(wanted.params), path, *wanted.given)
    at_most = instance(assume(replace(small(K), {"q": most})), {"a": term(0)})
    low = auto(le(0, most), at_most, variation_is_nonnegative(instance(assume(vary(K)), {"a": term(0)}), app("tv", 0)))
    every = instance(instance(of_all_rounds(K), {"m": T, "q": most}, low), {"n": T})
    proved = instance(every, {"f": fn("h", U), "u": fn("h", U)}, known)
    of_arms = instance(for_all("n", over_arms(app("tv", a))), {"n": j})
    turned = fubini("j", uniform(T), "b", uniform(K), chance(b, j) * app("tv", b))
    factor = rho * (1 + 2 * most * T)
    return auto(conclusion(statement), proved, (factor * T, mono(of_arms, "j", uniform(T))), (factor * T * K, turned))
