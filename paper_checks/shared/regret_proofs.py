"""Proofs in the kernel of what regret is, for every policy and all laws of rewards that have means."""

from __future__ import annotations

from typing import Any

from banditproof.paper_checks.shared.kernel_proofs import app, law, parts_of
from banditproof.paper_checks.shared.policy_proofs import (
    PLAYS,
    SAID,
    SOME,
    START,
    Kept,
    _contradiction,
    _event_of_one,
    all_arms,
    an_arm,
    at_most,
    average_inside,
    equal,
    ind,
    letter,
    mean_over,
    not_at_most,
    same_on_arms,
    times,
    under,
    uniform,
    word,
)
from banditproof.verify.kernel.games import code
from banditproof.verify.kernel.meanings import exp, sum_of
from banditproof.verify.kernel.policies import is_arm
from banditproof.verify.kernel.rewards import IN_ROUND, PARTS, SIZES, did, heard, integral, mean_reward, part, played
from banditproof.verify.kernel.rules import (
    Theorem,
    antisymmetric,
    assume,
    cases,
    eq,
    exp_log,
    indicator,
    induct,
    le,
    lt,
    mean,
    mono,
    nat,
    nat_minus,
    nat_next,
    reciprocal,
    same,
    steps_next,
    steps_zero,
    uniform_next,
)
from banditproof.verify.kernel.tactics import (
    absurd,
    auto,
    closed,
    fn,
    for_all,
    instance,
    nat_nonnegative,
    product,
    reciprocal_positive,
    weak,
)
from banditproof.verify.kernel.terms import All, Formula, Rel, Term, substitute, term, var

a, b, c, i, m, n, r, x, z, K, T = map(var, ("a", "b", "c", "i", "m", "n", "r", "x", "z", "K", "T"))


def policy(i: Any, h: Any) -> Term:
    return law("pi", i, h)


def environment(a: Any) -> Term:
    return law("nu", a)


TOLD, ARM = app("told", z), [assume(f) for f in is_arm(a, K)]
WHO = played(policy, environment, i)
RUNS = WHO.args[1]


def mean_played(f: Term) -> Term:
    """E f(a) for the arm a of round i."""
    return mean("a", WHO, f)


def each_run(p: Theorem) -> Theorem:
    return mono(p, "z", RUNS)


def equal_on_arms(f: Term, g: Term, on_arms: Theorem) -> Theorem:
    """E f(a) = E g(a) for the arm of round i, where both are the same of all arms."""
    return each_run(same_on_arms(PLAYS, law("pi", i, TOLD), (i, TOLD), f, g, on_arms))


def less_on_arms(f: Term, g: Term, on_arms: Theorem) -> Theorem:
    """E f(a) <= E g(a) for the arm of round i, where f(a) <= g(a) of all arms a."""
    above, h = ind(g, f), (f - g) * ind(g, f)
    equal_there = antisymmetric(on_arms, assume(le(g, f)))
    none = cases(auto(eq(h, 0), (above, equal_there)), auto(eq(h, 0), (f - g, not_at_most(assume(lt(f, g))))), g, f)
    below = mono(auto(le(f, g + h), indicator(g, f, 2)), "a", WHO)
    return auto(le(mean_played(f), mean_played(g)), below, equal_on_arms(h, term(0), none))


def by_arms(f: Term) -> Theorem:
    """E f(a) is the sum of f(b) P(a = b) over the arms b."""
    hit, of_b = equal(a, b), substitute(f, {"a": b})
    turned = average_inside("b", K, "a", WHO, of_b * hit)
    named = mono(mono(under(a, b, substitute(f, {"a": var("w")})), "b", uniform(K)), "a", WHO)
    count = K * mean("b", uniform(K), hit)
    counted = equal_on_arms(f * count, f, auto(eq(f * count, f), (f, an_arm(a))))
    return auto(
        eq(K * mean("b", uniform(K), of_b * mean_played(hit)), mean_played(f)), (K, turned), (K, named), counted
    )


def below(g: Term, sign: int) -> tuple[Formula, Formula]:
    """0 <= g(r) <= the part of r."""
    return All(("r",), (), le(0, g)), All(("r",), (), le(g, part(r, sign)))


class Part:
    """One part of the rewards: its integral in round i is the mean of those of the arms."""

    def __init__(self, sign: int, size: str, in_round: str):
        self.sign, self.size, self.total = sign, size, app(in_round, i)
        reward = Term("mix", (("a",), WHO, environment(a)))
        self.most, self.least = (self._of_arms(f) for f in integral(environment(a), sign, app(size, a)))
        rounds = nat(i), lt(i, T)
        known = [assume(All(("i",), rounds, f)) for f in integral(reward, sign, self.total)]
        self.round_most, self.round_least = (instance(p, {}, *map(assume, rounds)) for p in known)

    def _of_arms(self, f: Formula) -> Theorem:
        return assume(All(("a",), is_arm(a, K), f))

    def of(self, arm: Term) -> Term:
        return app(self.size, arm)

    def at_most(self) -> Theorem:
        """The integral in round i is at most the mean of those of the arms."""
        given = below(app("g", r), self.sign)
        bounded = instance(instance(self.most, {}, *ARM), {"g": fn("r", app("g", r))}, *map(assume, given))
        each = less_on_arms(mean("r", environment(a), app("g", r)), self.of(a), bounded)
        return instance(self.round_least, {"c": mean_played(self.of(a))}, for_all("g", each, *given))

    def at_least(self) -> Theorem:
        """Arm by arm: a function below the part that is good for the first m arms, and any other for the rest."""
        s, g = app("s", r), app("g", r)
        rest_of = below(s, self.sign)

        def mean_of(f: Term, arm: Any = a) -> Term:
            return mean("r", environment(arm), f)

        def first(k: Any) -> Term:
            return sum_of(lambda j: mean_played(equal(a, j)) * self.of(j), k)

        def rest(k: Any, f: Term) -> Term:
            return mean_played(ind(k, a) * mean_of(f))

        claim = All(("s",), (le(m, K), *rest_of), le(first(m) + rest(m, s), self.total))
        low_s, high_s = (instance(assume(f), {}) for f in rest_of)
        whole = instance(self.round_most, {"g": fn("r", s)}, *map(assume, rest_of))
        positive = mono(low_s, "r", environment(a))
        some = auto(le(ind(0, a) * mean_of(s), mean_of(s)), (positive, indicator(term(0), a, 4)))
        base = for_all(
            "s", auto(le(first(0) + rest(0, s), self.total), mono(some, "a", WHO), whole), le(0, K), *rest_of
        )

        pm, enough = assume(nat(m)), assume(le(m + 1, K))
        given = below(g, self.sign)
        low_g, high_g = (instance(assume(f), {}) for f in given)
        up, top = ind(s, g), s + (g - s) * ind(s, g)
        facts = [indicator(s, g, k) for k in range(5)]
        less = auto(le(0, 1 - up), facts[4])
        size = part(r, self.sign)
        above_s = auto(le(s, top), facts[1])
        above_g = auto(le(g, top), facts[2])
        top_low = auto(le(0, top), low_s, above_s)
        top_high = auto(le(top, size), (facts[3], high_g), (less, high_s))
        upto = auto(le(m, K), enough)
        known = instance(assume(claim), {"s": fn("r", top)}, upto, for_all("r", top_low), for_all("r", top_high))
        split = equal_on_arms(
            ind(m, a) * mean_of(top), (equal(a, m) + ind(m + 1, a)) * mean_of(top), self._next(mean_of(top))
        )
        over_g, over_s = (mono(p, "r", environment(a)) for p in (above_g, above_s))
        hit = product(*self._not_negative())
        here = auto(le(equal(a, m) * mean_of(g), equal(a, m) * mean_of(top)), (hit, over_g))
        later = auto(le(ind(m + 1, a) * mean_of(s), ind(m + 1, a) * mean_of(top)), (indicator(m + 1, a, 3), over_s))
        at_m = under(a, m, mean("r", law("nu", var("w")), g))
        chance = mean_played(equal(a, m))
        gap = self.total - first(m) - rest(m + 1, s)
        averaged = [mono(p, "a", WHO) for p in (here, later, at_m)]
        so_far = auto(le(chance * mean_of(g, m), gap), known, split, *averaged)
        not_negative = mono(hit, "a", WHO)
        goal = le(chance * self.of(m), gap)
        of_g = for_all("g", so_far, *given)
        nothing = [for_all("r", p) for p in self._nothing()]
        none = instance(of_g, {"g": fn("r", 0)}, *nothing)
        never = antisymmetric(assume(le(chance, 0)), not_negative)
        at_zero = auto(goal, (self.of(m), never), none)
        often = assume(lt(0, chance))
        one, inverse = weak(reciprocal_positive(often)), reciprocal(often)
        average = auto(le(mean_of(g, m), gap / chance), (one, so_far), (mean_of(g, m), inverse))
        natural = instance(self.least, {"a": m}, pm, auto(lt(m, K), enough))
        best = instance(natural, {"c": gap / chance}, for_all("g", average, *given))
        found = cases(at_zero, auto(goal, (weak(often), best), (gap, inverse)), chance, term(0))
        grown = uniform_next(pm, "j", mean_played(equal(a, var("j"))) * self.of(var("j")))
        step = auto(le(first(m + 1) + rest(m + 1, s), self.total), found, grown)
        every = induct("m", base, for_all("s", step, le(m + 1, K), *rest_of), claim)
        last = instance(instance(every, {"m": K}, assume(nat(K))), {"s": fn("r", 0)}, auto(le(K, K)), *nothing)
        return auto(le(mean_played(self.of(a)), self.total), last, by_arms(self.of(a)))

    def _nothing(self) -> tuple[Theorem, Theorem]:
        """0 <= 0, and 0 is at most the part: r 1[0 <= r] or -r 1[r <= 0]."""
        fact = indicator(term(0), r, 1) if self.sign == 1 else indicator(r, term(0), 1)
        return auto(le(0, 0)), auto(le(0, part(r, self.sign)), fact)

    def _not_negative(self) -> tuple[Theorem, Theorem]:
        return indicator(a, m, 3), indicator(m, a, 3)

    def _next(self, e: Term) -> Theorem:
        """1[m <= a] = 1[a = m] + 1[m + 1 <= a] for natural a and m, times e."""
        goal = eq(ind(m, a), equal(a, m) + ind(m + 1, a))
        soon, late = assume(lt(a, m)), assume(lt(m, a))
        before = auto(goal, not_at_most(soon), (ind(a, m), not_at_most(soon)), not_at_most(auto(lt(a, m + 1), soon)))
        gap = nat_nonnegative(nat_minus(assume(nat(m)), ARM[0], late))
        beyond = auto(goal, at_most(late), (ind(m, a), not_at_most(late)), at_most(auto(le(m + 1, a), gap)))
        low, high = assume(le(a, m)), assume(le(m, a))
        now = auto(goal, at_most(high), (ind(m, a), at_most(low)), not_at_most(auto(lt(a, m + 1), low)))
        one = cases(cases(now, before, m, a), beyond, a, m)
        return auto(eq(ind(m, a) * e, (equal(a, m) + ind(m + 1, a)) * e), (e, one))

    def same(self) -> Theorem:
        return antisymmetric(self.at_most(), self.at_least())


def mean_in_round() -> Theorem:
    """gained(i) - lost(i) is the mean of gain(a) - loss(a) for the arm of round i."""
    gains, losses = (Part(*which).same() for which in zip(PARTS, SIZES, IN_ROUND, strict=True))
    goal = eq(app("gained", i) - app("lost", i), mean_played(mean_reward(a)))
    return auto(goal, gains, losses)


def over_rounds(p: Theorem) -> Theorem:
    """The means over the rounds i < T of two numbers that are the same in each."""
    left, right = p.conclusion.args  # type: ignore[union-attr]
    found = mean_over(auto(eq(0, left - right), p), "i", T)
    return auto(eq(*(mean("i", uniform(T), side) for side in (left, right))), found)


def rewards_by_gaps(statement: All) -> Theorem:
    """Round by round the mean of the reward is that of the mean of the arm."""
    names, given, goal = parts_of(statement.then)
    return closed(statement, for_all(names, auto(goal, (T, over_rounds(mean_in_round()))), *given))


def rewards_by_pulls(statement: All) -> Theorem:
    """The mean of a function of the arm is the sum of its values times the probabilities of the arms."""
    names, given, goal = parts_of(statement.then)
    gap = var("best") - mean_reward(a)
    hit, of_b = mean_played(equal(a, b)), substitute(gap, {"a": b})
    turned = average_inside("i", T, "b", uniform(K), of_b * hit)
    each = over_rounds(by_arms(gap))
    facts = (T, over_rounds(mean_in_round())), (T, each), (K * T, turned)
    return closed(statement, for_all(names, auto(goal, *facts), *given))


# ------------------------------------------------------------------------------------------------ the law of the action


def conditional_law(statement: All) -> Theorem:
    """E F(heard(j, n, z), did(j, n, z)) = E F(told(z), a) for runs z of j rounds and a ~ pi_j: by induction over n."""
    names, given, goal = parts_of(statement.then)
    own, own_action, kept, kept_action = map(assume, statement.given[-4:])
    runs = goal.args[0].args[1]
    (_, _), _, start, step = runs.args
    j = var("j")
    pn, natural, enough = assume(nat(n)), assume(nat(j)), assume(le(n + 1, T))
    inside, after = auto(lt(n, T), enough), app("after", z, a, a, r)

    def mean_run(k: Any, body: Term) -> Term:
        return mean("z", Term("steps", (("t", "z"), term(k), start, step)), body)

    def F(run: Any, action: Any) -> Term:
        return app("F", run, action)

    def says(k: Any, place: Any) -> Rel:
        left = mean_run(k, F(heard(place, k, z), did(place, k, z)))
        return eq(left, mean_run(place, mean("a", law("pi", place, TOLD), F(TOLD, code(a)))))

    def averaged(p: Theorem) -> Theorem:
        one_round = mono(mono(p, "r", law("nu", n, z, a)), "a", law("pi", n, TOLD))
        return mono(one_round, "z", Term("steps", (("t", "z"), n, start, step)))

    def rewritten(place: Any, run: Theorem, action: Theorem) -> tuple[Theorem, Theorem]:
        """F of what is told of the longer run, in two steps."""
        done, then = did(place, n + 1, after), run.conclusion.args[1]  # type: ignore[union-attr]
        return averaged(same(run, "v", F(var("v"), done))), averaged(same(action, "v", F(then, var("v"))))

    claim = All(("F", "j"), (nat(j), lt(j, n), le(n, T)), says(n, j))
    nothing = absurd(_contradiction(assume(lt(j, 0)), nat_nonnegative(natural)), says(0, j))
    base = for_all("F j", nothing, nat(j), lt(j, 0), le(0, T))
    at = {"i": n, "z": z, "a": a, "q": a, "r": r}

    def grown(place: Any) -> Theorem:
        body = substitute(F(heard(place, n + 1, z), did(place, n + 1, z)), {"z": x})
        return steps_next(pn, "x", body, "t", "z", start, step)

    soon, below = assume(lt(j, n)), assume(lt(j, n + 1))
    told_before = [instance(p, at | {"j": j}, pn, inside, natural, soon) for p in (kept, kept_action)]
    before = instance(assume(claim), {"j": j}, natural, soon, auto(le(n, T), enough))
    early = auto(says(n + 1, j), grown(j), *rewritten(j, *told_before), before)
    own_round = [instance(p, at, pn, inside) for p in (own, own_action)]
    last = auto(says(n + 1, n), grown(n), *rewritten(n, *own_round))
    at_most_n = auto(le(j, n), nat_nonnegative(nat_minus(natural, nat_next(pn), below)))
    here = antisymmetric(at_most_n, assume(le(n, j)))
    sides = [same(here, "v", substitute(s, {"j": var("v")})) for s in says(n + 1, j).args]
    found = cases(auto(says(n + 1, j), *sides, last), early, n, j)
    every = induct("n", base, for_all("F j", found, nat(j), lt(j, n + 1), le(n + 1, T)), claim)
    at_T = instance(every, {"n": T}, assume(nat(T)))
    conditions = assume(nat(j)), assume(lt(j, T)), auto(le(T, T))
    of_B, after_x = app("B", x), law("pi", j, x)
    bodies = of_B * app("A", var("y")), of_B * mean("a", after_x, app("A", code(a)))
    facts = [instance(at_T, {"F": fn("x y", body)}, *conditions) for body in bodies]
    return closed(statement, for_all(names, auto(goal, *facts), *given))


# ------------------------------------------------------------------------------------------------- the canonical model


class Rounds:
    """The runs z of a game with the steps t of a law: their law after k rounds, and what one more does to a mean."""

    def __init__(self, law: Term):
        self.start, self.step = law.args[2:]

    def law(self, k: Any) -> Term:
        return Term("steps", (("t", "z"), term(k), self.start, self.step))

    def mean(self, k: Any, body: Term) -> Term:
        return mean("z", self.law(k), body)

    def none(self, body: Term) -> Theorem:
        return steps_zero("z", body, "t", "z", self.start, self.step)

    def next(self, natural: Theorem, body: Term) -> Theorem:
        return steps_next(natural, "x", substitute(body, {"z": x}), "t", "z", self.start, self.step)


def density_of_runs(statement: All) -> Theorem:
    """Round by round: the arm of a round is one of K, as likely as the policy says, and its reward has a density."""
    names, given, goal = parts_of(statement.then)
    density, first_upper, next_upper, first_lower, next_lower = map(assume, given)
    base, G, log = law("base"), app("G", z), Term("log", (K,))
    played, drawn = Rounds(goal.args[0].args[1]), Rounds(goal.args[1].args[1].args[1])

    def says(k: Any) -> Rel:
        left, right = played.mean(k, G * app("lower", k, z)), drawn.mean(k, G * app("upper", k, z))
        return eq(left, exp(term(k) * log) * right)

    claim = All(("G",), (le(n, T),), says(n))
    none = played.none(G * app("lower", 0, z)), drawn.none(G * app("upper", 0, z))
    first = [(app("G", played.start), one) for one in (first_lower, first_upper)]
    at_start = for_all("G", auto(says(0), *none, *first), le(0, T))
    pn, enough = assume(nat(n)), assume(le(n + 1, T))
    run, below_T = app("after", z, a, a, r), auto(lt(n, T), enough)
    end, of_arm, rewards = app("G", run), law("pi", n, TOLD), law("nu", a)
    lower, upper = app("lower", n, z), app("upper", n, z)
    longer = {"i": n, "z": z, "a": a, "r": r}
    multiplied = [times(end, instance(p, longer, pn, below_T, *ARM)) for p in (next_lower, next_upper)]

    paid = mean("r", base, app("above", a, r) * end)
    weighted = mean("r", rewards, end * app("lower", n + 1, run))
    by_density = instance(density, {"g": fn("r", end)}, *ARM)
    on_arms = auto(eq(weighted, lower * paid), mono(multiplied[0], "r", rewards), (lower, by_density))
    left = mono(same_on_arms(PLAYS, of_arm, (n, TOLD), weighted, lower * paid, on_arms), "z", played.law(n))
    before = instance(assume(claim), {"G": fn("z", mean("a", of_arm, paid))}, auto(le(n, T), enough))

    one_more = mean("r", base, end * app("upper", n + 1, run))
    chance = mean("b", of_arm, equal(b, a))
    each = auto(eq(0, one_more - upper * chance * paid), mono(multiplied[1], "r", base))
    of_uniform = mean("a", uniform(K), one_more)
    sums = (K, mean_over(each, "a", K)), (upper, all_arms(paid, n, TOLD))
    over_arms = auto(eq(K * of_uniform, upper * mean("a", of_arm, paid)), *sums)
    scale, times_K = exp(n * log), exp_log(auto(lt(0, K), SOME))
    right = (scale * drawn.mean(n, of_uniform), times_K), (scale, mono(over_arms, "z", drawn.law(n)))
    nexts = played.next(pn, G * app("lower", n + 1, z)), drawn.next(pn, G * app("upper", n + 1, z))
    step = auto(says(n + 1), nexts[0], left, before, (exp((n + 1) * log), nexts[1]), *right)
    every = induct("n", at_start, for_all("G", step, le(n + 1, T)), claim)
    at_T = instance(every, {"n": T}, assume(nat(T)))
    return closed(statement, for_all(names, auto(goal, instance(at_T, {}, auto(le(T, T)))), *given))


def law_of_the_actions(statement: All) -> Theorem:
    """Round by round: the runs that say the word are those with its arms, as often as the policy plays them."""
    names, given, goal = parts_of(statement.then)
    begins, grows, natural, below, first, multiplies = map(assume, given[:6])
    played, along = (Rounds(side.args[1]) for side in goal.args)
    kept, g = Kept(), app("g", z)

    def says(k: Any) -> Rel:
        return eq(played.mean(k, g * equal(SAID, word(k))), along.mean(k, g * app("chances", k, z)))

    claim = All(("g",), (le(n, T),), says(n))
    at_start, itself = app("g", played.start), at_most(auto(le(START, START)))
    hit = same(begins, "v", equal(START, var("v")))
    none = played.none(g * equal(SAID, word(0))), along.none(g * app("chances", 0, z))
    certain = (at_start, hit), (at_start * ind(START, START), itself), (at_start, itself), (at_start, first)
    base = for_all("g", auto(says(0), *none, *certain), le(0, T))
    pn, enough = assume(nat(n)), assume(le(n + 1, T))
    below_T, arm, of_arm = auto(lt(n, T), enough), letter(n), law("pi", n, TOLD)

    def end(played: Term) -> Term:
        return app("g", app("after", z, played, played, r))

    said = app("said", app("after", z, a, a, r))
    at_word, at_arm = equal(SAID, word(n)), equal(a, arm)
    moved = same(instance(kept.said, {"q": a}), "v", end(a) * equal(var("v"), word(n + 1)))
    grown = same(instance(grows, {"i": n}, pn, below_T), "v", end(a) * equal(app("pair", SAID, a), var("v")))
    split = (end(a), kept.of_pairs(SAID, a, word(n), arm))
    reached = auto(eq(end(a) * equal(said, word(n + 1)), end(a) * at_word * at_arm), moved, grown, split)
    there = under(a, arm, mean("r", law("nu", var("w")), end(var("w"))))
    of_round = mean("r", law("nu", a), end(a) * equal(said, word(n + 1)))
    then = mean("r", law("nu", arm), end(arm))
    at_round = auto(eq(of_round, at_word * then * at_arm), mono(reached, "r", law("nu", a)), (at_word, there))
    left = mono(mono(at_round, "a", of_arm), "z", played.law(n))
    before = instance(assume(claim), {"g": fn("z", then * mean("a", of_arm, at_arm))}, auto(le(n, T), enough))
    an_arm_there = [instance(p, {"i": n}, pn, below_T) for p in (natural, below)]
    factor = times(end(arm), instance(multiplies, {"i": n, "a": arm}, pn, below_T, *an_arm_there))
    right = mono(mono(factor, "r", law("nu", arm)), "z", along.law(n))
    nexts = played.next(pn, g * equal(SAID, word(n + 1))), along.next(pn, g * app("chances", n + 1, z))
    every = induct("n", base, for_all("g", auto(says(n + 1), *nexts, left, before, right), le(n + 1, T)), claim)
    then = substitute(goal.args[0].args[2], {"A": fn("x", 1)})  # what is asked of the run beside its actions
    at_T = instance(instance(every, {"n": T}, assume(nat(T))), {"g": fn("z", then)}, auto(le(T, T)))
    event_is = mono(times(then, _event_of_one(given[-3:], word(T), SAID)), "z", played.law(T))
    return closed(statement, for_all(names, auto(goal, at_T, event_is), *given))
