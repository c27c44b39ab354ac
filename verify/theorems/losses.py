"""Proofs in the kernel about adversarial bandits: batches, rounds that cost nothing, and experts as arms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.losses import (
    Heard,
    Loss,
    batched_regret,
    itself,
    losses_in_unit,
    lost_after_batches,
    lost_by,
    lost_in_batches,
    of_batch,
    of_experts,
    of_table,
    regret,
    with_noise,
    worst_regret_at_most,
)
from banditproof.verify.kernel.mechanisms import in_unit
from banditproof.verify.kernel.rewards import game
from banditproof.verify.theorems.policies import _next_at_most, mean_over, same_on_arms, sum_inside, sum_over

a, c, i, j, k, m, n, r, t, x, z = map(var, ("a", "c", "i", "j", "k", "m", "n", "r", "t", "x", "z"))
K, T, tau, rest, fixed, most = map(var, ("K", "T", "tau", "rest", "fixed", "bound"))
TOLD = app("told", z)


def noisy(loss: Any) -> Term:
    return law("M", loss)


# ------------------------------------------------------------------------------------------------ sums over many rounds


def total(f: Callable[[Any], Any], count: Any) -> Term:
    return sum_of(f, count)


def f_at(s: Any) -> Term:
    return app("f", s)


@lemma("f m n", nat(m), nat(n))
def continued() -> Theorem:
    """The sum of f over m + n rounds is that over m and then over n."""
    pm = assume(nat(m))

    def says(k: Any) -> Rel:
        return eq(total(f_at, m + k), total(f_at, m) + total(lambda j: f_at(m + j), k))

    claim = says(n)
    pn = assume(nat(n))
    more = uniform_next(nat_sum(pm, pn), "j", f_at(j)), uniform_next(pn, "j", f_at(m + j))
    return instance(induct("n", auto(says(0)), auto(says(n + 1), *more, assume(claim)), claim))


@lemma("f tau n", nat(tau), nat(n))
def by_batches() -> Theorem:
    """The sum of f over n tau rounds is that over the batches of the sums over their rounds."""

    def of(j: Any) -> Term:
        return tau * mean("i", uniform(tau), f_at(j * tau + i))

    def says(k: Any) -> Rel:
        return eq(total(f_at, k * tau), total(of, k))

    claim, pn = says(n), assume(nat(n))
    longer = instance(continued(), {"m": n * tau, "n": tau})
    step = auto(says(n + 1), longer, uniform_next(pn, "j", of(j)), assume(claim))
    return instance(induct("n", auto(says(0)), step, claim))


# ---------------------------------------------------------------------------------------------------- games and rounds


class Game:
    """The game on losses: what is heard of the loss of the arm that is played."""

    def __init__(self, loss: Loss):
        self.loss = loss
        self.step = game(pi, lambda t, z, a: noisy(loss(t, a)), n).args[3]

    def mean(self, rounds: Any, body: Term) -> Term:
        """The mean of a body of z."""
        return mean("z", Term("steps", (("t", "z"), term(rounds), var("empty"), self.step)), body)

    def none(self, body: Term) -> Theorem:
        return steps_zero("z", body, "t", "z", var("empty"), self.step)

    def next(self, natural: Theorem, body: Term) -> Theorem:
        return steps_next(natural, "x", substitute(body, {"z": x}), "t", "z", var("empty"), self.step)

    def told(self, round: Any, ends: Term) -> Term:
        """E ends for what is heard of the loss of arm a in a round."""
        return mean("r", noisy(self.loss(round, a)), ends)

    def lost(self, round: Any) -> Term:
        """The expected loss of a round."""
        return self.mean(round, mean("a", pi(round, TOLD), self.loss(round, a)))


PLAYS = assume(plays_arms(pi, K))


def on_arms(round: Any, f: Term, g: Term, agree: Theorem) -> Theorem:
    """E f(a) = E g(a) for the arm of a round after z, where they are the same of all arms."""
    return same_on_arms(PLAYS, pi(round, TOLD), (term(round), TOLD), f, g, agree)


def alike(first: Game, second: Game, agree: Theorem) -> Theorem:
    """For all n <= T the runs of n rounds have one law, from: in round n < T the losses of the arms are the same."""
    g, after = app("g", z), app("g", app("after", z, a, a, r))
    claim = All(("g",), (le(n, T),), eq(first.mean(n, g), second.mean(n, g)))
    base = auto(eq(first.mean(0, g), second.mean(0, g)), first.none(g), second.none(g))
    pn, enough = assume(nat(n)), assume(le(n + 1, T))
    before = instance(for_all("", agree, lt(n, T)), {}, auto(lt(n, T), enough))
    heard = same(before, "v", mean("r", noisy(var("v")), after))
    swapped = on_arms(n, first.told(n, after), second.told(n, after), heard)
    ends = mean("a", pi(n, TOLD), second.told(n, after))
    known = instance(assume(claim), {"g": fn("z", ends)}, auto(le(n, T), enough))
    averaged = mono(swapped, "z", game(pi, lambda t, z, a: noisy(first.loss(t, a)), n))
    goal = eq(first.mean(n + 1, g), second.mean(n + 1, g))
    proved = auto(goal, first.next(pn, g), second.next(pn, g), averaged, known)
    return induction("n", base, proved, claim)


def lost_alike(first: Game, second: Game, agree: Theorem) -> Theorem:
    """The expected loss of round n < T is the same in both, from: in round n < T the losses of the arms are."""
    enough = weak(assume(lt(n, T)))
    runs = instance(alike(first, second, agree), {}, assume(nat(n)))
    arms = on_arms(n, first.loss(n, a), second.loss(n, a), agree)
    played = mean("a", pi(n, TOLD), second.loss(n, a))
    averaged = mono(arms, "z", game(pi, lambda t, z, a: noisy(first.loss(t, a)), n))
    return auto(eq(first.lost(n), second.lost(n)), averaged, instance(runs, {"g": fn("z", played)}, enough))


def worst(rounds: Any) -> All:
    return worst_regret_at_most(pi, noisy, term(rounds), K, most)


def of_arms(T: Any, arms: Any = K) -> tuple[Theorem, Theorem]:
    """What is assumed of the losses: 0 <= loss(i, a) and loss(i, a) <= 1 for i < T and all arms."""
    low, high = map(assume, losses_in_unit(T, arms))
    return low, high


ARM, FIXED = ([assume(f) for f in is_arm(v, K)] for v in (a, fixed))


@lemma("loss fixed")
def padded() -> Theorem:
    """The worst regret of T rounds is at most that of T + 1: the arms lose 0 in one more round."""
    suppose(*worst(T).given)
    pm = assume(nat(T))

    def longer(t: Any, a: Any) -> Term:
        return ind(t + 1, T) * of_table(t, a)

    inside, outside = assume(le(i + 1, T)), assume(lt(T, i + 1))
    none = not_at_most(outside)
    bounds = []
    for known, goal in zip(of_arms(T), in_unit(longer(i, a)), strict=True):
        there = instance(known, {}, assume(nat(i)), auto(lt(i, T), inside), *ARM)
        here = auto(goal, (ind(i + 1, T), there))
        proved = cases(here, auto(goal, (of_table(i, a), none)), i + 1, T)
        bounds.append(for_all("i a", proved, nat(i), lt(i, T + 1), *is_arm(a, K)))
    known = instance(assume(worst(T + 1)), {"loss": fn("p q", longer(var("p"), var("q")))}, *bounds, *FIXED)
    one = at_most(_next_at_most(assume(nat(n)), pm, assume(lt(n, T))))
    first, second = Game(longer), Game(of_table)
    same_loss = lost_alike(first, second, auto(eq(longer(n, a), of_table(n, a)), (of_table(n, a), one)))
    same_arm = auto(eq(longer(n, fixed), of_table(n, fixed)), (of_table(n, fixed), one))
    facts = []
    for of, p in ((first.lost, same_loss), (lambda j: longer(j, fixed), same_arm)):
        facts.append(uniform_next(pm, "j", of(j)))
        left, right = (substitute(side, {"n": j}) for side in p.conclusion.args)  # type: ignore[union-attr]
        at_j = instance(for_all("n", p, nat(n), lt(n, T)), {"n": j}, assume(nat(j)), assume(lt(j, T)))
        facts.append(sum_over(auto(eq(0, left - right), at_j), "j", T))
    goal = le(regret(pi, noisy, of_table, T, fixed), most)
    return auto(goal, known, *facts)


@once
def in_fewer_rounds() -> Theorem:
    """The worst regret of n rounds is at most that of n + k."""
    claim = All((), (worst(n + k),), worst(n))
    natural = nat_sum(assume(nat(n)), assume(nat(k)))
    one_less = instance(for_all("T", for_all("", padded(), worst(T + 1)), nat(T)), {"T": n + k}, natural)
    step = instance(assume(claim), {}, instance(one_less, {}, assume(worst(n + k + 1))))
    return induction("k", assume(worst(n)), step, claim)


def _inside(later: Theorem, first: Theorem) -> tuple[Theorem, Theorem]:
    """A round i < tau of batch j < n is a natural number, and one of the n tau + rest rounds."""
    pn, pt, last = assume(nat(n)), assume(nat(tau)), first.conclusion.args[0]  # type: ignore[union-attr]
    before = _next_at_most(assume(nat(j)), pn, assume(lt(j, n)))
    spare = product(auto(le(0, n - j - 1), before), nat_nonnegative(pt))
    natural = nat_sum(nat_product(assume(nat(j)), pt), assume(nat(i)))
    return natural, auto(lt(j * tau + i, n * tau + last), spare, later, nat_nonnegative(first))


def complete(more: Theorem) -> Theorem:
    """The regret in n batches is at most tau times the bound: it is that on the mean losses; `more` rounds follow."""
    pn, pt, last = assume(nat(n)), assume(nat(tau)), more.conclusion.args[0]  # type: ignore[union-attr]
    batch = of_batch(tau, of_table)
    inside = _inside(assume(lt(i, tau)), more)
    low, high = (instance(p, {"i": j * tau + i}, *inside, *ARM) for p in of_arms(n * tau + last))
    lows = mean_over(low, "i", tau)
    highs = mean_over(auto(le(0, 1 - of_table(j * tau + i, a)), high), "i", tau)
    bounds = [
        for_all("j a", auto(goal, p), nat(j), lt(j, n), *is_arm(a, K))
        for goal, p in zip(in_unit(batch(j, a)), (lows, highs), strict=True)
    ]
    known = instance(assume(worst(n)), {"loss": fn("p q", batch(var("p"), var("q")))}, *bounds, *FIXED)
    whole = instance(by_batches(), {"f": OF_FIXED}, pt, pn)
    own = lost_in_batches(pi, noisy, of_table, n, tau) - lost_by(fixed, of_table, n * tau)
    return auto(le(own, tau * most), (nat_nonnegative(pt), known), whole)


OF_FIXED = fn("t", of_table(t, fixed))


def afterwards() -> Theorem:
    """The regret in the rest of the rounds is at most their number."""
    pn, pt, pr = (assume(nat(s)) for s in (n, tau, rest))
    T, last = n * tau + rest, n * tau + j
    rounds = nat_sum(nat_product(pn, pt), assume(nat(j))), auto(lt(last, T), assume(lt(j, rest)))
    low, high = of_arms(T)
    loss = of_table(last, a)
    small, one = ind(loss, 1), at_most(instance(high, {"i": last}, *rounds, *ARM))
    runs = game(pi, lambda t, z, a: noisy(of_batch(tau, of_table)(t, a)), n)
    same_loss = mono(on_arms(n, loss, loss * small, auto(eq(loss, loss * small), (loss, one))), "z", runs)
    below = auto(le(loss * small, 1), indicator(loss, term(1), 1))
    averaged = mono(mono(below, "a", pi(n, TOLD)), "z", runs)
    not_negative = instance(low, {"i": last, "a": fixed}, *rounds, *FIXED)
    own = mean("z", runs, mean("a", pi(n, TOLD), loss))
    one_round = auto(le(0, 1 - own + of_table(last, fixed)), same_loss, averaged, not_negative)
    left = lost_after_batches(pi, noisy, of_table, n, tau, rest) - total(lambda j: of_table(n * tau + j, fixed), rest)
    return auto(le(left, rest), sum_over(one_round, "j", rest))


@lemma("loss fixed")
def in_batches() -> Theorem:
    """The batched algorithm: the bound on the mean losses of the batches, and the rounds after them."""
    suppose(*losses_in_unit(n * tau + rest, K), *is_arm(fixed, K))
    pn, pt, pr = (assume(nat(s)) for s in (n, tau, rest))
    end = instance(continued(), {"f": OF_FIXED, "m": n * tau, "n": rest}, nat_product(pn, pt), pr)
    goal = le(batched_regret(pi, noisy, of_table, n, tau, rest, fixed), tau * most + tau)
    return auto(goal, complete(pr), afterwards(), end, assume(lt(rest, tau)))


@lemma(
    "M pi n m tau rest K bound",
    nat(n),
    nat(m),
    le(n, m),
    nat(tau),
    le(1, tau),
    nat(rest),
    lt(rest, tau),
    PLAYS.conclusion,
    worst(m),
)
def reduction() -> Theorem:
    """For all M, pi, ...: the batched algorithm has regret tau (bound + 1) at most, by the bound of m >= n rounds."""
    pn, pm = assume(nat(n)), assume(nat(m))
    more = nat_minus(pn, nat_next(pm), auto(lt(n, m + 1)))
    fewer = instance(instance(in_fewer_rounds(), {"k": m - n}, more))
    return instance(for_all("", in_batches(), worst(n)), {}, fewer)


def reduced(lemma: Theorem, heard: Heard, **values: Any) -> Theorem:
    """A lemma about all M, pi, ... for what is heard of a loss, and for other numbers; what it asks is assumed."""
    whole = {"M": fn("p", heard(var("p"))), **values}
    f = lemma.conclusion
    return instance(lemma, whole, *(assume(replace(g, whole)) for g in f.given))  # type: ignore[union-attr]


def heard_in(statement: All) -> Heard:
    """What is heard of a loss: the loss, with noise where the statement has any."""
    return with_noise(law("noise")) if "noise" in statement.params else itself


def of_heard(p: Theorem, statement: All, *given: Formula) -> Theorem:
    """A theorem about everything that may be heard of a loss, for what is heard in the statement."""
    whole = {"M": fn("p", heard_in(statement)(var("p")))}
    return instance(for_all("M", p, *given), whole)


# ------------------------------------------------------------------------------------------------------ the statements


@proof
def in_more_rounds(statement: All) -> Theorem:
    """The worst regret does not fall with the number of rounds."""
    return instance(instance(in_fewer_rounds()))


@proof
def complete_batches(statement: All) -> Theorem:
    """The regret in complete batches."""
    proved = for_all("loss fixed", complete(nat_zero()), *losses_in_unit(n * tau, K), *is_arm(fixed, K))
    return of_heard(proved, statement, worst(n))


@proof
def rounds_afterwards(statement: All) -> Theorem:
    """The regret in the rounds after them."""
    goal = le(afterwards().conclusion.args[0], tau)  # type: ignore[union-attr]
    proved = auto(goal, afterwards())
    proved = for_all("loss fixed", proved, *losses_in_unit(n * tau + rest, K), *is_arm(fixed, K))
    return of_heard(proved, statement)


@proof
def batches(statement: All) -> Theorem:
    """The regret of the batched algorithm, with or without noise."""
    return reduced(reduction(), heard_in(statement))


def _rounded_up() -> tuple[Theorem, Theorem]:
    """n <= m and tau <= 2/epsilon, for 1/epsilon <= tau < 1/epsilon + 1 and epsilon T < m + 1."""
    pn, pm, pt, pr = (assume(nat(s)) for s in (n, m, tau, rest))
    epsilon = var("epsilon")
    positive, small, up = assume(lt(0, epsilon)), assume(le(epsilon, 1)), assume(le(1, tau * epsilon))
    horizon = assume(lt(epsilon * (n * tau + rest), m + 1))
    spare = product(nat_nonnegative(pn), auto(le(0, tau * epsilon - 1), up))
    below = auto(lt(n, m + 1), spare, product(weak(positive), nat_nonnegative(pr)), horizon)
    enough = auto(le(n, m), nat_nonnegative(nat_minus(pn, nat_next(pm), below)))
    inverse, field = weak(reciprocal_positive(positive)), reciprocal(positive)
    down = assume(lt(tau * epsilon, 1 + epsilon))
    twice = auto(le(tau, 2 / epsilon), (inverse, down), (inverse, small), (tau, field))
    return enough, twice


@once
def large_reduction() -> Theorem:
    """tau (bound + 1) is at most 2/epsilon (bound + 1), since tau <= 2/epsilon."""
    enough, twice = _rounded_up()
    epsilon, names = var("epsilon"), "M pi n m tau rest K epsilon bound"
    known = instance(for_all("", reduction_at(), le(n, m)), {}, enough)
    given, loss = known.conclusion.given, known.conclusion.then.args[0]  # type: ignore[union-attr]
    slack = product(auto(le(0, 2 / epsilon - tau), twice), auto(le(0, most + 1), assume(le(0, most))))
    goal = le(loss, 2 / epsilon * most + 2 / epsilon)
    proved = auto(goal, instance(known, {}, *map(assume, given)), slack)
    asked = [f for p in (enough, twice, slack) for f in p.hypotheses.values()]
    whole = for_all("loss fixed", proved, *given)
    return for_all(names, whole, *{key(f): f for f in [*asked, *whole.hypotheses.values()]}.values())


def reduction_at() -> Theorem:
    """The reduction, with what it asks as hypotheses."""
    f = reduction().conclusion
    return instance(reduction(), {}, *map(assume, f.given))  # type: ignore[union-attr]


@proof
def in_large_batches(statement: All) -> Theorem:
    """Batches of about 1/epsilon rounds."""
    return reduced(large_reduction(), heard_in(statement))


# -------------------------------------------------------------------------------------------------------------- experts


N, d, DRAWS = var("N"), var("d"), law("draws")
EXPERT, COMPARED = ([assume(f) for f in is_arm(v, N)] for v in (j, fixed))


def advised(marginal: Theorem, horizon: Term) -> list[Theorem]:
    """The mean of the sum of the losses of one expert is that of its advice."""
    given = assume(nat(i)), assume(lt(i, horizon)), *COMPARED
    known = instance(marginal, {"j": fixed, "g": fn("a", of_table(i, a))}, *given)
    left, right = known.conclusion.args  # type: ignore[union-attr]
    each = auto(eq(0, left - right), known)
    return [sum_inside("j", horizon, "d", DRAWS, of_experts(j, fixed)), sum_over(each, "i", horizon)]


def at_each_draw(own: Theorem, given: Sequence[Formula]) -> Theorem:
    """A bound for all losses, at those of the actions that are drawn; first comes what is `given` of these."""
    low, high, action, below = map(assume, given[:4])
    horizon = given[0].given[1].args[1]  # type: ignore[union-attr]
    rounds = assume(nat(i)), assume(lt(i, horizon))
    actions = [instance(p, {}, *rounds, *EXPERT) for p in (action, below)]
    bounds = []
    for p in (low, high):
        at_draw = instance(p, {"a": of_experts(i, j).args[2]}, *rounds, *actions)
        bounds.append(for_all("i j", at_draw, nat(i), lt(i, horizon), *is_arm(j, N)))
    values = {"loss": fn("p q", of_experts(var("p"), var("q")))}
    return instance(own, values, *bounds, *COMPARED)


def over_draws(statement: All, own: Theorem) -> Theorem:
    """The bound at each draw, and then the mean over the draws."""
    names, given, goal = parts_of(statement.then)
    averaged = mono(at_each_draw(own, given), "d", DRAWS)
    horizon = given[0].given[1].args[1]  # type: ignore[union-attr]
    return for_all(names, auto(goal, averaged, *advised(assume(given[4]), horizon)), *given)


@proof
def for_each_draw(statement: All) -> Theorem:
    """The draws of the actions make losses of the experts."""
    _, given, goal = parts_of(statement.then)
    (bound,) = (g for g in statement.given if isinstance(g, All))
    return auto(goal, at_each_draw(assume(bound), given))


@proof
def mean_over_draws(statement: All) -> Theorem:
    """The expert loses in the mean what its advice does."""
    _, given, goal = parts_of(statement.then)
    return auto(goal, *advised(assume(given[0]), T))


@proof
def experts_as_arms(statement: All) -> Theorem:
    """Each draw of the actions makes losses of the experts."""
    (bound,) = (g for g in statement.given if isinstance(g, All))
    return over_draws(statement, assume(bound))


def experts_in_batches(lemma: Callable[[], Theorem]) -> Callable[[All], Theorem]:
    """The same of the batched algorithm, by a lemma about it."""

    def proof(statement: All) -> Theorem:
        return with_horizon(statement, over_draws(statement, reduced(lemma(), heard_in(statement), K=N)))

    return proof


@proof
def with_horizon(statement: All, proved: Theorem) -> Theorem:
    """n tau + rest is a natural number."""
    horizon = nat_sum(nat_product(assume(nat(n)), assume(nat(tau))), assume(nat(rest)))
    return instance(for_all("", proved, horizon.conclusion))


def experts_around_batches(statement: All) -> Theorem:
    """Each draw of the actions makes losses of the experts, for the batched algorithm too."""
    (bound,) = (g for g in statement.given if isinstance(g, All))
    return with_horizon(statement, over_draws(statement, assume(bound)))
