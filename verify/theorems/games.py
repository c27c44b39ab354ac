"""Proofs in the kernel of what holds in every membership inference game: for all mechanisms, data laws, adversaries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.games import (
    Crafter,
    bayes,
    by_base,
    choices,
    density,
    guess_is,
    mean_of,
    places,
    record,
    records,
    replaced,
    replacing_is_near,
)
from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.terms import Refused
from banditproof.verify.theorems.mechanisms import on_tests
from banditproof.verify.theorems.policies import _contradiction, average_inside, mean_over

b, c, d, h, j, m, n, o, x, y, z = map(var, ("b", "c", "d", "h", "j", "m", "n", "o", "x", "y", "z"))
Z = law("Z")
Value = Callable[[Term, Term, Term], Term]


def attack(z: Any, o: Any) -> Term:
    return law("attack", z, o)


def against(_: Any, o: Any) -> Term:
    """The adversary of a fixed target, which sees the output alone."""
    return law("attack", o)


def put(t: Term, old: Term, new: Term) -> Term:
    """A term with another one in the place of one."""
    return new if t == old else Term(t.op, tuple(put(p, old, new) if isinstance(p, Term) else p for p in t.args))


GAME, FIXED = Crafter(mechanism, Z, n), Crafter(mechanism, Z, n, target=z)


def fair(body: Term, bit: str = "b") -> Theorem:
    """E f(b) = f(0)/2 + f(1)/2 for a fair bit b."""
    none = nat_zero()
    first, second = uniform_next(none, bit, body), uniform_next(nat_next(none), bit, body)
    at = [substitute(body, {bit: term(k)}) for k in (0, 1)]
    return auto(eq(mean(bit, law("Unif", 2), body), (at[0] + at[1]) / 2), first, second)


def unfolded(game: Crafter, value: Value) -> Theorem:
    """E of a value is half of that with b = 0 and half of that with b = 1, where the choices are made."""
    whole = game.mean(value)
    body = whole.args[2]
    facts: list[Any] = [fair(body)]
    for bit, rule in enumerate(map(assume, choices())):
        made: list[tuple[Term, Theorem]] = []
        inner, around = substitute(body, {"b": term(bit)}), []
        while inner.op == "mean" and inner.args[0][0] != "o":
            around.append(inner.args[:2])
            inner = inner.args[2]
        end = inner
        for found in _choices_in(inner):
            x_named, y_named = (named.args[1] for named in found.args[2:])
            point = instance(rule, {"x": x_named, "y": y_named})
            made.append((found, point))
        for found, point in made:
            facts.append(_under(same(point, "v", put(end, found, var("v"))), around))
            end = put(end, found, point.conclusion.args[1])  # type: ignore[union-attr]
    half = [f if k == 0 else (term(1) / 2, f) for k, f in enumerate(facts)]
    goal = eq(whole, sum((_made(substitute(body, {"b": term(bit)}), bit) for bit in (0, 1)), term(0)) / 2)
    return auto(goal, *half)


def _choices_in(t: Term) -> list[Term]:
    own = [t] if t.op == "app" and t.args[0] == "choice" else []
    found = own + [c for p in t.args if isinstance(p, Term) for c in _choices_in(p)]
    return list(dict.fromkeys(found))


def _made(t: Term, bit: int) -> Term:
    """A term in which the choices are made."""
    if t.op == "app" and t.args[0] == "choice":
        return _made(t.args[3 - bit], bit)
    return Term(t.op, tuple(_made(p, bit) if isinstance(p, Term) else p for p in t.args))


def _under(p: Theorem, around: list[Any]) -> Theorem:
    for (name,), one_law in reversed(around):
        p = mono(p, name, one_law)
    return p


# ----------------------------------------------------------------------------------------------------- the two readings


def exchanged() -> Theorem:
    """E F(record(n, d, j), d) = E F(z, replaced(n, d, j, z)) for d ~ Z^n, z ~ Z, each place j and all F."""

    def at(one: Any, other: Any) -> Term:
        return app("F", one, other)

    def says(k: Any, place: Any) -> Rel:
        read = mean("d", records(Z, k), at(record(k, d, place), d))
        return eq(read, mean("z", Z, mean("d", records(Z, k), at(code(z), replaced(k, d, place, code(z))))))

    claim = All(("F", "j"), (nat(j), lt(j, m), le(m, n)), says(m, j))
    below, natural, pm = assume(lt(j, m + 1)), assume(nat(j)), assume(nat(m))
    base = absurd(_contradiction(assume(lt(j, 0)), nat_nonnegative(natural)), says(0, j))
    enough = assume(le(m + 1, n))
    inside, upto = auto(lt(m, n), enough), auto(le(m, n), enough)
    _, last_record, last_place, early_record, early_place = map(assume, places(n))
    longer, step = app("pair", h, code(y)), records(Z, 0).args[3]

    def grown(body: Term) -> Theorem:
        return steps_next(pm, "d", body, "i", "h", var("empty"), step)

    def averaged(p: Theorem) -> Theorem:
        return mono(mono(p, "y", Z), "h", records(Z, m))

    soon = assume(lt(j, m))
    known = {"i": m, "h": h, "y": y, "j": j}
    of_record = instance(early_record, known, pm, inside, natural, soon)
    of_place = instance(early_place, known | {"z": code(z)}, pm, inside, natural, soon)
    before = instance(
        assume(claim), {"F": fn("x d", mean("y", Z, at(x, app("pair", d, code(y)))))}, natural, soon, upto
    )
    early = auto(
        says(m + 1, j),
        grown(at(record(m + 1, d, j), d)),
        averaged(same(of_record, "v", at(var("v"), longer))),
        before,
        mono(grown(at(code(z), replaced(m + 1, d, j, code(z)))), "z", Z),
        mono(averaged(same(of_place, "v", at(code(z), var("v")))), "z", Z),
    )
    known = {"i": m, "h": h, "y": y}
    own_record = instance(last_record, known, pm, inside)
    own_place = instance(last_place, known | {"z": code(z)}, pm, inside)
    last = auto(
        says(m + 1, m),
        grown(at(record(m + 1, d, m), d)),
        averaged(same(own_record, "v", at(var("v"), longer))),
        fubini("h", records(Z, m), "y", Z, at(code(y), longer)),
        mono(grown(at(code(z), replaced(m + 1, d, m, code(z)))), "z", Z),
        mono(averaged(same(own_place, "v", at(code(z), var("v")))), "z", Z),
    )
    not_soon = assume(le(m, j))
    at_most = auto(le(j, m), nat_nonnegative(_minus(natural, pm, below)))
    here = antisymmetric(at_most, not_soon)
    sides = [same(here, "v", substitute(s, {"j": var("v")})) for s in says(m + 1, j).args]
    return induction("m", base, cases(auto(says(m + 1, j), *sides, last), early, m, j), claim, at=n)


def _minus(natural: Theorem, count: Theorem, below: Theorem) -> Theorem:
    """m - j is natural for natural j < m + 1."""
    return nat_minus(natural, nat_next(count), below)


def at_random_places(value: Term) -> Theorem:
    """E F(record(n, d, j), d) = E F(z, replaced(n, d, j, z)) for j uniform too: `value` is F of x and d."""
    natural, below = assume(nat(j)), assume(lt(j, n))
    each = instance(exchanged(), {"F": fn("x d", value)}, natural, below)
    left, right = each.conclusion.args  # type: ignore[union-attr]
    average = mean_over(auto(eq(0, left - right), each), "j", n)
    goal = eq(*(mean("j", law("Unif", n), side) for side in (left, right)))
    return auto(goal, average)


def read_as_written(V: Callable[[Term, Term], Term]) -> Theorem:
    """In the game with b = 1: a target that is read from the data set, as one that is put there. V is of target and
    output."""

    def W(target: Term, data: Term) -> Term:
        return mean("o", mechanism(code(data)), V(target, o))

    D, J, put = records(Z, n), law("Unif", n), replaced(n, d, j, code(z))
    read, written = W(code(record(n, d, j)), d), W(code(z), put)
    goal = eq(mean("d", D, mean("j", J, read)), mean("d", D, mean("j", J, mean("z", Z, written))))
    turned = [average_inside("j", n, "d", D, body) for body in (read, mean("z", Z, written))]
    inside = mono(fubini("d", D, "z", Z, written), "j", J)
    own_name = same(instance(assume(places(n)[0]), {"x": z}), "v", W(var("v"), put))
    named = _under(own_name, [(("j",), J), (("z",), Z), (("d",), D)])
    return auto(goal, *turned, inside, at_random_places(W(code(x), d)), named)


@proof
def target_may_be_written(statement: All) -> Theorem:
    """Algorithm 4 with either reading of its line 9."""

    def value(z: Term, o: Term, b: Any) -> Term:
        return app("F", z, o, term(b))

    facts = unfolded(Crafter(mechanism, Z, n), value), unfolded(Crafter(mechanism, Z, n, written=True), value)
    return auto(conclusion(statement), *facts, (term(1) / 2, read_as_written(lambda z, o: value(z, o, 1))))


def by_targets(value: Value) -> Theorem:
    """E of a value in the game is the mean of that with a fixed target, for targets from Z."""
    game, fixed = Crafter(mechanism, Z, n), Crafter(mechanism, Z, n, target=z)
    D, J = records(Z, n), law("Unif", n)
    outside = mean("o", mechanism(code(d)), value(code(z), o, term(0)))
    inside = mean("o", mechanism(code(replaced(n, d, j, code(z)))), value(code(z), o, term(1)))
    moved = read_as_written(lambda z, o: value(z, o, term(1)))
    turned = [
        fubini("d", D, "z", Z, outside),
        mono(average_inside("j", n, "z", Z, inside), "d", D),
        fubini("d", D, "z", Z, mean("j", J, inside)),
    ]
    goal = eq(game.mean(value), mean("z", Z, fixed.mean(value)))
    halves = [(term(1) / 2, f) for f in (moved, *turned)]
    return auto(goal, unfolded(game, value), mono(unfolded(fixed, value), "z", Z), *halves)


@proof
def law_by_targets(statement: All) -> Theorem:
    return auto(conclusion(statement), by_targets(lambda z, o, b: app("F", z, o, b)))


def guessed(z: Term, o: Term, b: Term) -> Term:
    return guess_is(attack, z, o, b)


@proof
def advantage_by_targets(statement: All) -> Theorem:
    return auto(statement.then, by_targets(guessed))


@proof
def same_attack(statement: All) -> Theorem:
    """The mean of the advantages with fixed targets is at most what each of them is."""
    each = mono(instance(assume(statement.given[-1])), "z", Z)
    return auto(statement.then, (term(2), by_targets(guessed)), each)


@proof
def target_is_put_in(statement: All) -> Theorem:
    """With b = 1 a target that is read from the data set is as one that is put there."""
    D, J, value = records(Z, n), law("Unif", n), app("F", code(z), o)
    inner = mean("o", mechanism(code(replaced(n, d, j, code(z)))), value)
    turned = mono(average_inside("j", n, "z", Z, inner), "d", D), fubini("d", D, "z", Z, mean("j", J, inner))
    return auto(conclusion(statement), read_as_written(lambda z, o: app("F", z, o)), *turned)


@proof
def easiest_target(statement: All) -> Theorem:
    """The mean of the advantages with fixed targets is at most what each of them is."""
    _, given, goal = parts_of(statement.then)

    def guessed(z: Term, o: Term, b: Term) -> Term:
        return guess_is(lambda z, o: law("attacker", z, o), z, o, b)

    own = instance(assume(given[0]), {"z": code(z)})
    values = {"z": z, "against": fn("o", law("attacker", code(z), o))}
    averaged = mono(instance(assume(statement.given[-1]), values, own), "z", Z)
    return auto(goal, (term(2), by_targets(guessed)), averaged)


# ----------------------------------------------------------------------------------------------------- errors


def errors_in(game: Crafter, A: Callable[[Any, Any], Term], given: Any) -> list[Any]:
    """What the definitions of alpha and beta give, where the choices are made."""
    bits, first, second = map(assume, given)
    facts: list[Any] = [first, second]
    for bit, chance in ((0, "false_alarm"), (1, "missed")):
        facts.append((var(chance), unfolded(game, lambda z, o, b, k=bit: equal(b, k))))
        facts.append(unfolded(game, lambda z, o, b, k=bit: equal(b, k) * guess_is(A, z, o, 1 - k)))
    facts.append(unfolded(game, lambda z, o, b: guess_is(A, z, o, b)))
    for bit in (0, 1):
        body = _made(substitute(game.mean(lambda z, o, b: guess_is(A, z, o, 0)).args[2], {"b": term(bit)}), bit)
        around = []
        while body.op == "mean" and body.args[0][0] != "c":
            around.append(body.args[:2])
            body = body.args[2]
        seen = body.args[1].args[1:]
        at: dict[str, Any] = dict(zip(("z", "o"), seen, strict=True)) if len(seen) == 2 else {"o": seen[0]}
        facts.append((term(1) / 2, _under(instance(bits, at), around)))
    return facts


@proof
def errors_are_chances(statement: All) -> Theorem:
    """0 <= alpha, beta <= 1: each is a part of 1[b = k] over its chance, which is 1/2."""
    _, given, goal = parts_of(statement.then)
    around = [((name,), one_law) for name, one_law in GAME.draws]
    equations: list[tuple[Term, Theorem]] = []
    least, most = [], []
    for bit, chance, definition in zip((0, 1), ("false_alarm", "missed"), map(assume, given), strict=True):
        there, said, guess = equal(b, bit), equal(c, 1 - bit), guess_is(attack, GAME.target, o, 1 - bit)
        _, high = (
            mono(bound, "c", attack(GAME.target, o)) for bound in bounds_of_event(said, equal_is_event(c, 1 - bit))
        )
        least.append(_under(auto(le(0, there * guess)), around))
        most.append(_under(auto(le(there * guess, there), high), around))
        equations += [(term(2), definition), (2 * var(chance), fair(there)), (term(2), fair(there))]
    for bounds in (least, most):
        try:
            return auto(goal, *equations, *bounds)
        except Refused:
            continue
    raise Refused(f"the errors are in [0, 1], from which {goal} does not follow")


@proof
def accuracy_by_errors(statement: All) -> Theorem:
    _, given, goal = parts_of(statement.then)
    return auto(goal, *errors_in(Crafter(mechanism, Z, n), attack, (statement.given[-1], *given)))


@proof
def fixed_accuracy_by_errors(statement: All) -> Theorem:
    _, given, goal = parts_of(statement.then.then)  # type: ignore[union-attr]
    facts = errors_in(Crafter(mechanism, Z, n, target=z), against, (statement.given[-1], *given))
    return auto(goal, *facts)


@proof
def coin_gains_nothing(statement: All) -> Theorem:
    """A fair coin is right half of the time, whatever the bit is."""
    right = fair(mean("c", law("Unif", 2), equal(c, b)))
    each = [(term(1), fair(equal(c, k), "c")) for k in (0, 1)]
    return auto(statement.then, (term(2), right), *each)


@proof
def independent_outside(statement: All) -> Theorem:
    """With b = 0 target and output are drawn independently."""
    game, outside, F, G = Crafter(mechanism, Z, n), equal(b, 0), app("F", var("v")), app("G", o)
    bodies: list[Value] = [
        lambda z, o, b: outside,
        lambda z, o, b: outside * substitute(F, {"v": z}) * G,
        lambda z, o, b: outside * substitute(F, {"v": z}),
        lambda z, o, b: outside * G,
    ]
    _, both, first, _ = (unfolded(game, body) for body in bodies)
    return auto(conclusion(statement), both, first)


@proof
def what_is_computed(statement: All) -> Theorem:
    """The adversary that computes it from the output and then guesses."""
    _, given, goal = parts_of(statement.then)
    then = Term("mix", (("x",), law("f", o), law("against", x)))
    averaged = mono(instance(assume(given[0]), {"o": x}), "x", law("f", o))
    bits = auto(eq(sum((mean("c", then, equal(c, k)) for k in (0, 1)), term(0)), 1), averaged)
    return auto(goal, instance(assume(statement.given[-1]), {"against": fn("o", then)}, bits))


@proof
def second_of_the_pair(statement: All) -> Theorem:
    """The output is what stands second in the pair of data and output."""
    rule = assume(statement.given[-1])
    moved = same(instance(rule), "v", app("A", var("v")))
    return auto(conclusion(statement), mono(mono(moved, "y", mechanism(d)), "d", law("P")))


# ----------------------------------------------------------------------------------------------- likelihood ratios


class Ratio:
    """The likelihood ratio of a fixed target, over a factor: who guesses by it gains the most."""

    def __init__(self, statement: All, factor: Any = 1):
        self.densities = [g for g in statement.given if isinstance(g, All) and g.params == ("z", "g")]
        self.inside, self.outside = density(1, code(z), o), factor * density(0, code(z), o)
        self.base = by_base(code(z), term(1)).args[1]
        self.not_above = Term("ind", (self.inside, self.outside))
        self.guessed = 1 - self.not_above

    def given(self, bit: int, value: Term) -> Theorem:
        """E of a value of the output, given the bit, is its integral with the density."""
        name = "inside" if bit else "outside"
        known = next(assume(g) for g in self.densities if name in free_in(g))
        return instance(known, {"g": fn("o", value)})

    def tells_apart(self, value: Term) -> Term:
        """The integral of p_in - factor p_out, times a value of the output."""
        return mean("o", self.base, (self.inside - self.outside) * value)

    def most(self, value: Term, low: Theorem, high: Theorem) -> Theorem:
        """No test 0 <= V <= 1 tells more apart than that which rejects where p_in > factor p_out."""
        own, rest = self.inside - self.outside, auto(le(0, 1 - value), high)
        above, below = (indicator(self.inside, self.outside, which) for which in (1, 2))
        point = auto(le(own * value, own * self.guessed), (rest, below), (low, above))
        return mono(point, "o", self.base)

    def guess_by_it(self, bit: int) -> Theorem:
        """It is 1 where p_in > factor p_out, else 0."""
        idempotent = auto(eq(self.guessed * self.guessed, self.guessed), indicator(self.inside, self.outside, 0))
        return _two_values(self.guessed, idempotent, lambda t: equal(t, bit))

    def gained(self, A: Callable[[Any, Any], Term], of_bits: Theorem) -> Theorem:
        """The advantage is what the chance to guess 1 tells apart."""
        guess = guess_is(A, code(z), o, 1)
        value = lambda z, o, b: guess_is(A, z, o, b)  # noqa: E731
        outside = _under(of_bits, [*_around(FIXED.before), (("o",), mechanism(code(d)))])
        goal = eq(2 * FIXED.mean(value) - 1, self.tells_apart(guess))
        return auto(goal, (term(2), unfolded(FIXED, value)), outside, self.given(1, guess), self.given(0, guess))

    def gained_by_bayes(self) -> Theorem:
        """The advantage of the Bayes attacker is what its test tells apart."""
        each = [self.guess_by_it(bit) for bit in (0, 1)]
        of_bits = auto(eq(sum((guess_is(bayes, code(z), o, k) for k in (0, 1)), term(0)), 1), *each)
        whole, apart = self.gained(bayes, of_bits), self.inside - self.outside
        same_guess = auto(eq(apart * guess_is(bayes, code(z), o, 1), apart * self.guessed), (apart, each[1]))
        goal = eq(whole.conclusion.args[0], self.tells_apart(self.guessed))  # type: ignore[union-attr]
        return auto(goal, whole, mono(same_guess, "o", self.base))

    def tested(self, A: Callable[[Any, Any], Term], bits: Theorem) -> Theorem:
        """The chance to guess 1 tells apart what a test does, at most."""
        guess = guess_is(A, code(z), o, 1)
        return self.most(guess, auto(le(0, guess)), auto(le(guess, 1), bits))

    def best(self, A: Callable[[Any, Any], Term], bits: Theorem) -> Theorem:
        """An adversary has at most the advantage of the Bayes attacker."""
        own, of_bayes = self.gained(A, bits), self.gained_by_bayes()
        goal = le(own.conclusion.args[0], of_bayes.conclusion.args[0])  # type: ignore[union-attr]
        return auto(goal, own, of_bayes, self.tested(A, bits))


def _around(draws: Any) -> list[Any]:
    return [((name,), one_law) for name, one_law in draws]


@proof
def bayes_is_best(statement: All) -> Theorem:
    """The test that rejects where p_in > p_out tells the most apart."""
    bits = next(assume(g) for g in statement.given if isinstance(g, All) and g.params == ("o",))
    return Ratio(statement).best(against, instance(bits))


@proof
def threshold_is_best(statement: All) -> Theorem:
    """E_out V e^tau + E_in (1 - V) is 1 less what V tells apart."""
    factor = exp(var("tau"))
    ratio = Ratio(statement, factor)
    bits = instance(next(assume(g) for g in statement.given if isinstance(g, All) and g.params == ("o",)))
    around = [*_around(FIXED.before), (("o",), mechanism(FIXED.seen[1]))]
    outside = [*_around(FIXED.before), (("o",), mechanism(FIXED.seen[0]))]
    own, guess = [ratio.guess_by_it(bit) for bit in (0, 1)], guess_is(against, code(z), o, 1)
    facts: list[Any] = [(factor, ratio.given(0, test)) for test in (guess, ratio.guessed)]
    facts += [ratio.given(1, test) for test in (guess, ratio.guessed)]
    facts += [(factor, _under(own[1], outside)), _under(own[0], around), _under(bits, around)]
    return auto(parts_of(statement.then)[2], *facts, ratio.tested(against, bits))


@proof
def bayes_has_the_total_variation(statement: All) -> Theorem:
    """An event is a test."""
    ratio, (_, given, goal) = Ratio(statement), parts_of(parts_of(statement.then)[2])
    A = app("A", o)
    low, high = bounds_of_event(A, instance(assume(given[0]), {"x": o}))
    of_bayes, told = (
        ratio.gained_by_bayes(),
        auto(eq(goal.args[0], ratio.tells_apart(A)), ratio.given(1, A), ratio.given(0, A)),
    )
    tight = le(goal.args[0], of_bayes.conclusion.args[0])  # type: ignore[union-attr]
    return auto(tight, of_bayes, ratio.most(A, low, high), told)


@proof
def total_variation_is_attained(statement: All) -> Theorem:
    """By the event p_in > p_out."""
    ratio, (_, premises, goal) = Ratio(statement), parts_of(parts_of(statement.then)[2])
    idempotent = auto(eq(ratio.guessed * ratio.guessed, ratio.guessed), indicator(ratio.inside, ratio.outside, 0))
    here = instance(assume(premises[0]), {"A": fn("o", ratio.guessed)}, for_all("o", idempotent))
    facts = ratio.gained_by_bayes(), here, ratio.given(1, ratio.guessed), ratio.given(0, ratio.guessed)
    return auto(goal, *facts)


@proof
def ratio_of_both(statement: All) -> Theorem:
    """The density by base(z) of the output given the target is that of both by Z and then base(z)."""
    D, J, value = records(Z, n), law("Unif", n), app("F", code(z), o)
    ratio, bit = Ratio(statement), 1 if "inside" in statement.params else 0
    inner = mean("o", mechanism(code(replaced(n, d, j, code(z)) if bit else d)), value)
    turned = [mono(average_inside("j", n, "z", Z, inner), "d", D), fubini("d", D, "z", Z, mean("j", J, inner))]
    moved = [read_as_written(lambda z, o: app("F", z, o))] if bit else []
    return auto(conclusion(statement), *moved, *turned, mono(ratio.given(bit, value), "z", Z))


@proof
def bayes_is_best_on_average(statement: All) -> Theorem:
    """It is with each target."""
    bits = next(assume(g) for g in statement.given if isinstance(g, All) and g.params == ("z", "o"))
    each = mono(Ratio(statement).best(attack, instance(bits, {"z": code(z)})), "z", Z)
    of_all = [(term(2), by_targets(lambda z, o, b, A=A: guess_is(A, z, o, b))) for A in (attack, bayes)]
    best = [2 * GAME.mean(lambda z, o, b, A=A: guess_is(A, z, o, b)) - 1 for A in (attack, bayes)]
    return auto(le(*best), each, *of_all)


# ----------------------------------------------------------------------------------------------------- the list


def rounds_are_coins(game: Crafter, A: Callable[[Any, Any], Term]) -> Callable[[All], Theorem]:
    """Each entry is 0 or 1, and 1 with the probability of success; the next one is drawn afresh."""

    def proof(statement: All) -> Theorem:
        layers = _layers(statement.then)
        whose, lists = layers[-2], layers[-1]
        first, second = (side.args[1] for side in lists.then.args)  # type: ignore[union-attr]
        facts = errors_in(game, A, (statement.given[-1], *whose.given))
        T, F, u = var("T"), app("F", var("x")), var("u")
        won, chance = equal(c, b), second.args[3].args[2].args[0].args[2].args[1]
        success = game.mean(lambda z, o, b: guess_is(A, z, o, b))
        is_chance = auto(eq(chance, success), *facts)
        draws = [*game.draws, ("c", A(game.target, o))]

        def averaged(p: Theorem) -> Theorem:
            return _under(p, [((name,), one_law) for name, one_law in draws])

        bounds = bounds_of_event(won, equal_is_event(c, b))
        low, high = (
            auto(rel, averaged(p), is_chance) for rel, p in zip((le(0, chance), le(chance, 1)), bounds, strict=True)
        )

        def of_list(k: Any, one_law: Term) -> Term:
            return mean("x", Term("steps", (one_law.args[0], term(k), *one_law.args[2:])), F)

        def grown(p: Theorem, one_law: Term) -> Theorem:
            (t, one_list), _, start, step = one_law.args
            return steps_next(p, "x", F, t, one_list, start, step)

        claim = All(("F",), (), eq(of_list(var("t"), first), of_list(var("t"), second)))
        none = [steps_zero("x", F, *names, start, step) for names, _, start, step in (first.args, second.args)]
        base = auto(eq(of_list(0, first), of_list(0, second)), *none)
        pt, so_far = assume(nat(var("t"))), var("l")

        def at(entry: Any) -> Term:
            return app("F", app("pair", so_far, entry))

        hit = Term("ind", (u, chance))
        of_win = averaged(_two_values(won, equal_is_event(c, b), at))
        of_coin = mono(_two_values(hit, indicator(u, chance, 0), at), "u", law("Unit"))
        fifty = unit(chance, "u", low, high)
        gap = at(1) - at(0)
        after = mean("u", law("Unit"), at(hit))
        one_round = mean_of(draws, at(won))
        drawn = auto(eq(one_round, after), of_win, of_coin, (gap, fifty), (gap, is_chance))
        before = instance(assume(claim), {"F": fn("l", after)})
        nexts = grown(pt, first), grown(pt, second)
        step = auto(
            eq(of_list(var("t") + 1, first), of_list(var("t") + 1, second)),
            *nexts,
            mono(drawn, "l", _law_at(first)),
            before,
        )
        whole = instance(induction("t", base, step, claim, at=T), {})
        for layer in reversed(layers):
            whole = for_all(" ".join(layer.params), whole, *layer.given)
        return closed(statement, whole)

    return proof


def _layers(f: Any) -> list[All]:
    """A formula about all of something, and what it says of it, and so on."""
    return [f, *_layers(f.then)] if isinstance(f, All) else []


def _law_at(rounds: Term) -> Term:
    return Term("steps", (rounds.args[0], var("t"), *rounds.args[2:]))


def _two_values(entry: Term, is_event: Theorem, at: Callable[[Any], Term]) -> Theorem:
    """F(w) = F(0) + w (F(1) - F(0)) for w that is 0 or 1."""
    goal = eq(at(entry), at(0) + entry * (at(1) - at(0)))
    gap, high = at(1) - at(0), bounds_of_event(entry, is_event)[1]
    below, above = assume(lt(entry, 1)), assume(le(1, entry))
    rest = auto(lt(0, 1 - entry), below)
    one = antisymmetric(high, above)
    none = auto(eq(entry, 0), (entry, reciprocal(rest)), (1 / (1 - entry), is_event))
    found = [auto(goal, same(value, "v", at(var("v"))), (gap, value)) for value in (one, none)]
    return cases(*found, term(1), entry)


# ----------------------------------------------------------------------------------------------------- private games


class Private:
    """A private mechanism in the game: what an adversary guesses inside and outside."""

    def __init__(self, statement: All):
        self.premises = statement.given
        self.delta = var("delta") if "delta" in statement.params else term(0)
        self.ratio = exp(var("epsilon"))
        self.bits = next(assume(g) for g in statement.given if isinstance(g, All) and g.params == ("z", "o"))
        self.put = replaced(n, d, j, code(z))
        self.guess = guess_is(attack, code(z), o, 1)
        self.around = [(("d",), records(Z, n)), (("j",), law("Unif", n)), (("z",), Z)]
        self.inside, self.outside = map(self._guessed, (self.put, d))

    def _guessed(self, data: Term) -> Term:
        draws = [(name, one_law) for (name,), one_law in [*self.around, (("o",), mechanism(code(data)))]]
        return mean_of(draws, self.guess)

    def _closer(self, first: Term, second: Term, test: Term, low: Theorem, high: Theorem) -> Theorem:
        """E test <= e^epsilon E test + delta for the outputs of two neighbours, averaged over the game."""
        near = assume(replacing_is_near(n))
        own = instance(near, {}, assume(nat(j)), assume(lt(j, n)))
        if first == d:
            own = instance(assume(symmetric_neighbours()), {"d": code(self.put), "e": code(d)}, own)
        private = assume(next(g for g in self.premises if isinstance(g, All) and "A" in g.params))
        laws = mechanism(code(first)), mechanism(code(second))
        values = {"d": code(first), "e": code(second)}
        proved = on_tests(private, laws, var("epsilon"), self.delta, "o", test, values, [own], low, high)
        left, right = mono(proved, "z", Z).conclusion.args  # type: ignore[union-attr]
        average = mean_over(auto(le(0, right - left), mono(proved, "z", Z)), "j", n)
        return mono(average, "d", records(Z, n))

    def _bounds(self) -> tuple[Theorem, Theorem]:
        """0 <= P(guess 1) <= 1."""
        own = instance(self.bits, {"z": code(z)})
        return auto(le(0, self.guess)), auto(le(self.guess, 1), own)

    def guessed_inside(self) -> Theorem:
        """Who guesses 1 inside does so nearly as often outside."""
        return self._closer(self.put, d, self.guess, *self._bounds())

    def guessed_outside(self) -> Theorem:
        """Who guesses 0 outside does so nearly as often inside."""
        low, high = self._bounds()
        return self._closer(d, self.put, 1 - self.guess, auto(le(0, 1 - self.guess), high), auto(le(1 - self.guess, 1)))

    def chances(self) -> tuple[Theorem, Theorem]:
        """0 <= P(guess 1) <= 1 outside."""
        return tuple(_under(p, [*self.around, (("o",), mechanism(code(d)))]) for p in self._bounds())  # type: ignore[return-value]

    def most_inside(self) -> Theorem:
        """P(guess 1) <= 1 inside."""
        return _under(self._bounds()[1], [*self.around, (("o",), mechanism(code(self.put)))])

    def advantage(self) -> Theorem:
        """The advantage is P(guess 1) inside less that outside."""
        facts = [unfolded(GAME, guessed), read_as_written(lambda z, o: guess_is(attack, z, o, 1))]
        outside = _under(instance(self.bits, {"z": code(z)}), [*self.around, (("o",), mechanism(code(d)))])
        goal = eq(2 * GAME.mean(guessed) - 1, self.inside - self.outside)
        return auto(goal, (term(2), facts[0]), facts[1], outside)

    def errors(self, given: Any) -> tuple[Theorem, Theorem]:
        """alpha is P(guess 1) outside, beta is P(guess 0) inside."""
        bits = self.bits.conclusion
        facts = errors_in(GAME, attack, (bits, *given))
        twice = [f if isinstance(f, tuple) else (term(1), f) for f in facts]
        facts = [(2 * factor, fact) for factor, fact in twice]
        read = read_as_written(lambda z, o: guess_is(attack, z, o, 1))
        return auto(eq(var("false_alarm"), self.outside), *facts), auto(
            eq(var("missed"), 1 - self.inside), *facts, read
        )


@proof
def private_errors(statement: All) -> Theorem:
    """By the test that guesses 0, or by that which guesses 1: the larger factor stands at the error of the other."""
    _, given, goal = parts_of(statement.then)
    game = Private(statement)
    alpha, beta = game.errors(given)
    for closer in (game.guessed_outside, game.guessed_inside):
        try:
            facts = [*((game.ratio, p) for p in (alpha, beta)), alpha, beta]
            return auto(goal, closer(), *facts)
        except Refused:
            continue
    raise Refused(f"neither error is bounded by {goal}")


@proof
def advantage_by_ratio(statement: All) -> Theorem:
    """The advantage is at most e^epsilon - 1 times the chance of a false alarm."""
    game = Private(statement)
    low, high = game.chances()
    steep = auto(le(0, game.ratio - 1), exp_tangent(var("epsilon")))
    return auto(statement.then, game.advantage(), game.guessed_inside(), (steep, high))


@proof
def advantage_by_both(statement: All) -> Theorem:
    """The sum of both inequalities, divided by e^epsilon + 1."""
    game = Private(statement)
    size = game.ratio + 1
    advantage = game.advantage()
    gained = advantage.conclusion.args[0]  # type: ignore[union-attr]
    most = game.ratio - 1 + 2 * game.delta
    scaled = auto(le(size * gained, most), (size, advantage), game.guessed_inside(), game.guessed_outside())
    return auto(statement.then, (1 / size, scaled))


@proof
def advantage_by_one(statement: All) -> Theorem:
    """1 - P(guess 1) outside is at most e^epsilon (1 - P(guess 1) inside) + delta; times e^-epsilon."""
    game = Private(statement)
    inverse, (low, _) = exp(-var("epsilon")), game.chances()
    shrink = weak(exp_positive(-var("epsilon")))
    shrinks = auto(le(0, 1 - inverse), (exp(-var("epsilon")), exp_tangent(var("epsilon"))))
    facts = game.advantage(), (shrink, game.guessed_outside()), (shrinks, low)
    return auto(statement.then, *facts)


@proof
def power_at_a_level(statement: All) -> Theorem:
    """From the two inequalities of the errors, or from beta >= 0, where alpha is at most the level."""
    _, given, inner = parts_of(statement.then)
    game, small = Private(statement), assume(inner.given[0])
    alpha, beta = game.errors(given)
    shrink = weak(exp_positive(-var("epsilon")))
    steep = lambda: [game.guessed_inside(), (weak(exp_positive(var("epsilon"))), small)]  # noqa: E731
    flat = lambda: [(shrink, game.guessed_outside()), (shrink, small)]  # noqa: E731
    for facts in (lambda: [game.most_inside()], steep, flat):
        try:
            equations = [(factor, p) for p in (alpha, beta) for factor in (term(1), game.ratio, exp(-var("epsilon")))]
            return auto(inner.then, *facts(), *equations)
        except Refused:
            continue
    raise Refused(f"the power is not bounded by {inner.then}")


@proof
def outside_unless_drawn(statement: All) -> Theorem:
    """Where the row of the target is not drawn the output is as without it; at its random place it is with k/n."""
    target_names, _, of_events = parts_of(statement.then)
    event_names, events, goal = parts_of(of_events)
    _, count, unmoved = map(assume, statement.given[-3:])
    r, k, S, A = var("r"), var("k"), law("S"), app("A", o)
    one, left_in = app("kept", r, j), mean("j", law("Unif", n), app("kept", r, j))
    put_in, as_it_was = law("N", r, code(replaced(n, d, j, code(z)))), law("N", r, code(d))
    inside, outside = mean("o", put_in, A), mean("o", as_it_was, A)
    alike = instance(unmoved, {"F": fn("x", app("A", x))}, assume(nat(j)), assume(lt(j, n)))
    here = mono(auto(le((1 - one) * outside, inside), alike), "r", S)
    left, right = here.conclusion.args  # type: ignore[union-attr]
    average = mean_over(auto(le(0, right - left), here), "j", n)
    factored = mono(auto(eq(left_in * outside, k / n * outside), instance(count, {})), "r", S)
    turned = average_inside("j", n, "r", S, one * outside)
    whole = [mean("r", S, outside), mean("j", law("Unif", n), mean("r", S, inside))]
    most = auto(le((1 - k / n) * whole[0], whole[1]), average, turned, factored)
    shown = for_all(event_names, auto(goal, mono(most, "d", records(Z, n))), *events)
    return for_all(target_names, shown)


@proof
def rare_records(statement: All) -> Theorem:
    """The number of records in B has the mean n P(B): P_out(A) and 1 - P_in(A) are at most that."""
    _, given, goal = parts_of(statement.then)
    _, _, _, plain, put_in = map(assume, given)
    D, B = records(Z, n), app("B", record(n, d, j))
    in_b = app("B", x)
    outside = mono(instance(plain, {}), "d", D)
    with_target = instance(put_in, {"i": j}, assume(nat(j)), assume(lt(j, n)))
    left, right = with_target.conclusion.args  # type: ignore[union-attr]
    inside = mono(mean_over(auto(le(0, right - left), with_target), "j", n), "d", D)
    return auto(goal, outside, inside, average_inside("j", n, "d", D, B), at_random_places(in_b))
