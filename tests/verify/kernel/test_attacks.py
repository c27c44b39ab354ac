"""What a hostile reader made the kernel say before it was mended: each is refused where the mistake was."""

from fractions import Fraction
from itertools import count
from typing import Annotated, Any

import pytest

from banditproof.claims.hollow import hollow_in_general
from banditproof.claims.sets import (
    AboveOne,
    AboveZero,
    AtLeastOne,
    Count,
    EveryBudget,
    EveryLaw,
    EveryMechanism,
    EverySequence,
    Nonnegative,
    Probability,
    domain_of,
)
from banditproof.theory.errors import InvalidInput
from banditproof.verify.kernel import terms
from banditproof.verify.kernel.divergences import (
    coupling,
    distance_in_steps,
    kl_at_distance,
    kl_at_most,
    rdp,
    zcdp_in_parallel,
)
from banditproof.verify.kernel.meanings import (
    chance,
    composed,
    every_test,
    exp,
    for_each,
    private,
    private_for_groups,
    sum_of,
    whatever_came_before,
    when,
)
from banditproof.verify.kernel.policies import every
from banditproof.verify.kernel.rules import assume, calc, cases, eq, le, lt, mean, nat, same, some_bound, use
from banditproof.verify.kernel.tactics import auto
from banditproof.verify.kernel.terms import All, Fn, Refused, Rel, Term, check, term, var
from banditproof.verify.kernel.writing import formula_to_data
from banditproof.verify.proof import general as proof_of_general
from banditproof.verify.proof.general import general, made_again

x, v = var("x"), var("v")
FORGED = "x)) (mul (num 2) (var v"  # 0 <= this name would read 0 <= x + 2 v


def test_no_name_reads_like_another_formula():
    """With it `cases` discharged 0 <= x + 2v and 0 <= 2v - x, which are no cases, and 1 <= 0 followed."""
    with pytest.raises(Refused, match="not a term"):
        var(FORGED)
    low = auto(le(1, 1))
    for name in ("x y", "$0 $1", "", x):
        with pytest.raises(Refused):
            cases(low, low, term(0), Term("var", (name,)))


def test_the_cases_are_checked_though_the_conclusion_need_not_name_them():
    unbounded = mean("x", Term("law", ("P",)), x)
    low = auto(le(1, 1))
    with pytest.raises(Refused, match="bounded"):
        cases(low, low, term(0), unbounded)


def test_a_law_stands_outside_of_what_its_mean_binds():
    """E_{x ~ Unif(x)} 2x is x - 1 in the outer x, and so unbounded; it was taken for a bounded function."""
    own = mean("x", Term("law", ("Unif", x)), 2 * x)
    for body in (own, mean("j", Term("law", ("Unif", x)), 2 * var("j"))):
        with pytest.raises(Refused, match="bounded"):
            check(mean("x", Term("law", ("P",)), body), {})
    assert not terms.bounded(own, frozenset("x")) and terms.bounded(own, frozenset("y"))


@pytest.mark.parametrize("number", [49, 49.0, True, "49"])
def test_a_number_is_a_fraction_so_that_no_float_is_kept_for_it(number):
    with pytest.raises(Refused):
        Term("num", (number,))
    forty_nine = calc(terms.Rel("=", (term(49), term(24) + 25)), [])
    equal = same(forty_nine, "x", 49 * Term("inv", (x,)))
    with pytest.raises(Refused, match="add up"):
        calc(le(1, 0), [(-(2**53), None, equal)])


def nested_sums(eps: EveryBudget, k: Count):
    return sum_of(lambda a: sum_of(lambda b: eps(a) * eps(b), k), k), "==", k * sum_of(lambda b: eps(b) * eps(b), k)


def nested_compositions(M: EveryMechanism, k: Count, epsilon: Nonnegative):
    return private(composed(lambda i, d: composed(lambda j, e: M(e), k)(d), k), epsilon)


def nested_chances(M: EveryMechanism, epsilon: Probability):
    return chance(lambda x: (chance(lambda y: (y, 1), M(0)), x), M(1)), "<=", epsilon


def branching(epsilon: Nonnegative):
    if epsilon == 0:
        return 1, "<=", 0
    return epsilon, "<=", 2 * epsilon


def chosen(epsilon: Nonnegative, delta: Nonnegative):
    return (1, "<=", 0) if epsilon == delta else (epsilon, "<=", epsilon + delta)


def with_infinity(beta: Annotated[Any, "[0, inf]"]):
    return beta / (1 + beta), "<", 1


def chosen_by_a_set(epsilon: Nonnegative, beta: Nonnegative):
    return {epsilon: (beta + 1, "<=", beta)}.get(beta, (epsilon, "<=", epsilon + beta))


def chosen_by_type(epsilon: Nonnegative, beta: Nonnegative):
    return (beta, "<=", beta + epsilon) if isinstance(beta, int) else (beta + 1, "<=", beta)


def empty_sum(k: Count, gap: Nonnegative, beta: Nonnegative):
    return sum_of(lambda j: gap, k - 5), "<=", gap * (k - 5) + beta


def half_a_sum(k: Count, beta: Nonnegative):
    return sum_of(lambda j: 1, k / 2), "<=", k / 2 + beta


def real_rounds(M: EveryMechanism, tau: Nonnegative):
    return private(composed(lambda i, d: M(d), tau), tau)


def contradictory(M: EveryMechanism, epsilon: Nonnegative):
    return when(le(epsilon, -1), private(M, epsilon), then=private(M, 0))


def about_no_number(beta: Annotated[Any, "integer (1, 2)"], epsilon: Nonnegative):
    return beta + epsilon, "<=", 2 * beta


def shadowed(s: AboveZero, beta: Nonnegative):
    return every(("s",), (), le(var("s") / var("s"), 1 + beta))


def nothing_below(beta: Nonnegative):
    return 1 / Term("add", ()), "<=", beta


def divided(gap: Nonnegative, beta: Nonnegative):
    return beta / gap, "<=", beta / gap + beta


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (nested_sums, "would capture the name"),
        (nested_compositions, "would capture the name"),
        (nested_chances, "would capture|inner one"),
        (branching, "the body has a branch"),
        (chosen, "the body has a branch"),
        (chosen_by_a_set, "a branch on a term"),
        (chosen_by_type, "the body has a branch"),
        (empty_sum, "need not be a natural number"),
        (half_a_sum, "need not be a natural number"),
        (real_rounds, "need not be a natural number"),
        (contradictory, "no point and no small world was found"),
        (about_no_number, "no point and no small world was found"),
        (shadowed, "may be 0"),
        (nothing_below, "may be 0"),
        (with_infinity, "infinite end"),
        (divided, "may be 0"),
    ],
)
def test_a_statement_is_read_as_its_author_reads_it_or_not_at_all(body, why):
    with pytest.raises(InvalidInput, match=why):
        general(body, domain_of(body), {})


def same_sides(beta: Nonnegative):
    return beta + 1, "<=", beta + Fraction(3, 2)


def sound(gap: AboveZero, beta: AtLeastOne):
    return 1 / (gap * beta), "<=", 1 / (gap * beta) + beta


def test_a_conclusion_that_says_nothing_is_hollow_and_positive_divisors_are_fine():
    assert hollow_in_general(general(same_sides, domain_of(same_sides), {})) == "its sides only differ by a constant"
    assert hollow_in_general(general(sound, domain_of(sound), {})) is None


def test_an_open_end_at_zero_is_said_of_integers_too():
    def below_five(k: Annotated[Any, "integer (0, 5)"]):
        return 1, "<=", k

    f = general(below_five, domain_of(below_five), {}).formula
    assert [str(g) for g in f.given] == ["k is a natural number", "0 < k", "k < 5"]


def test_small_proofs_do_not_take_long():
    """A product of long numbers, and terms that grow while they are put into each other."""
    long = Term("mul", tuple(term(Fraction(3**600 + 2 * k, 1)) for k in range(2000)))
    with pytest.raises(Refused, match="bits"):
        calc(le(0, long), [])
    wide = Term("app", ("f", *[x] * 400))
    with pytest.raises(Refused, match="nodes"):
        terms.canon(terms.substitute(wide, {"x": terms.substitute(wide, {"x": wide})}))


def test_what_a_theorem_assumes_is_not_changed_afterwards():
    made = assume(le(x, v))
    with pytest.raises((TypeError, AttributeError)):
        made.hypotheses.clear()  # type: ignore[attr-defined]


def test_what_is_bounded_for_all_points_is_not_so_for_all_functions():
    """With "for all f, x: f(x) <= b", of which one f is b + 1, it followed that 1 <= 0."""
    f = Term("app", ("f", x))
    every = assume(All(("f", "x"), (), le(f, var("b"))))
    wrong = calc(le(1, 0), [(1, None, use(every, [("f", Fn(("p",), var("b") + 1)), ("x", term(0))], []))])
    with pytest.raises(Refused, match="for every function"):
        some_bound(wrong, "b", ["f", "x"], f)


def test_the_steps_between_data_sets_have_a_bounded_model():
    """Said of all numbers d, e their first data set, way(d, e, 0) = d, would be a function without a bound."""
    said = [f.then for f in distance_in_steps() if isinstance(f, All) and isinstance(f.then, Rel)]
    unbounded = [f for f in said if f.op == "=" and any(side.op == "var" for side in f.args)]
    assert len(said) == 4 and unbounded == []


def of_any_order(M: EveryMechanism, epsilon: Nonnegative, alpha: AtLeastOne):
    return when(private(M, epsilon), then=rdp(lambda d: M(d), alpha, epsilon))


def of_a_number(M: EveryMechanism, epsilon: Nonnegative):
    return when(private(M, epsilon), then=rdp(lambda d: M(d), Fraction(1, 2), epsilon))


def of_orders_above_one(M: EveryMechanism, epsilon: Nonnegative, alpha: AboveOne):
    return when(private(M, epsilon), then=rdp(lambda d: M(d), alpha, epsilon))


@pytest.mark.parametrize("body", [of_any_order, of_a_number])
def test_a_divergence_of_an_order_up_to_one_is_refused(body):
    """At order 1 the words say nothing, below it they say something false."""
    with pytest.raises(InvalidInput, match="is the order of a divergence, but it may be 1 or less"):
        general(body, domain_of(body), {})
    assert general(of_orders_above_one, domain_of(of_orders_above_one), {})


def a_word_that_takes_the_number_of_another(M: EveryMechanism, epsilon: Nonnegative):
    each = for_each(2, lambda i: kl_at_distance(M, i, epsilon * i))
    return when(each, then=kl_at_distance(M, 5, epsilon))


def a_square_below_zero(M: EveryMechanism, s: Nonnegative):
    return when(eq(s * s, Fraction(-1, 10**12)), then=private(M, s))


def a_premise_in_a_premise(M: EveryMechanism, s: Nonnegative):
    return when(when(then=(s, "<=", -1)), then=private(M, s))


def premises_within(M: EveryMechanism, s: Nonnegative):
    return when(then=when(le(s, -1), then=private(M, s)))


def none_of_none(M: EverySequence, s: Nonnegative):
    return for_each(0, lambda i: private(lambda d: M(i, d), s))


def rounds_before_the_first(M: EverySequence, s: Nonnegative, k: Count):
    return for_each(k, lambda i: when(lt(i, 0), then=private(lambda d: M(i, d), s)))


def no_blocks(M: EverySequence, s: Nonnegative):
    return zcdp_in_parallel(M, 0, s)


def groups_of_fewer_than_none(M: EveryMechanism, s: Nonnegative):
    return private_for_groups(M, -1, s, 0)


def a_chance_below_zero(M: EveryMechanism, P: EveryLaw, s: Nonnegative):
    return when(le(chance(lambda x: (x, 1), P), -1), then=private(M, s))


def a_divergence_below_zero(M: EveryMechanism, P: EveryLaw, Q: EveryLaw, s: Nonnegative):
    return when(kl_at_most(P, Q, -1), then=private(M, s))


def an_error_above_one(M: EveryMechanism, s: Nonnegative):
    return every_test(M, lambda alarm, miss: when(lt(1, alarm), then=(s, "<=", -1)))


def nearly_one(M: EveryMechanism, s: Nonnegative):
    return when(eq(exp(s), 1 - Fraction(1, 10**10)), then=private(M, s))


def sequence_at_points(s: Nonnegative, eps: EveryBudget):
    return when(whatever_came_before(1, lambda i, h: le(h, eps(h))), then=(s, "<=", 0))


def sequence_without_end(s: Nonnegative, eps: EveryBudget):
    i = var("i")
    return when(every(("i",), (nat(i),), le(i, eps(i))), then=(s, "<=", 0))


def sequence_up_to_itself(s: Nonnegative, eps: EveryBudget):
    i = var("i")
    return when(every(("i",), (nat(i), le(i, 2 * i)), le(i, eps(i))), then=(s, "<=", 0))


def another_order(M: EveryMechanism, alpha: AboveOne, s: Nonnegative):
    return when(every(("alpha",), (), rdp(M, var("alpha"), s)), then=rdp(M, alpha, 2 * s))


def data_without_a_bound(M: EveryMechanism, P: EveryLaw, Q: EveryLaw, C: EveryLaw, epsilon: Nonnegative):
    return when(*coupling(C, P, Q), lt(0, chance(lambda x: (1, x), P)), then=private(M, epsilon))


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (a_word_that_takes_the_number_of_another, "would capture the name i"),
        (a_square_below_zero, "no point and no small world was found"),
        (a_premise_in_a_premise, "no point and no small world was found"),
        *((body, "no point and no small world was found") for body in (premises_within, none_of_none, no_blocks)),
        *((body, "no point and no small world was found") for body in (rounds_before_the_first, a_chance_below_zero)),
        *((body, "no point and no small world was found") for body in (a_divergence_below_zero, an_error_above_one)),
        *((body, "no point and no small world was found") for body in (groups_of_fewer_than_none, nearly_one)),
        *((body, "no place of a finite range") for body in (sequence_at_points, sequence_without_end)),
        (sequence_up_to_itself, "no place of a finite range"),
        (another_order, "may be 1 or less"),
        (data_without_a_bound, "is the code of a point, but it is used as a number"),
    ],
)
def test_a_statement_that_would_be_true_of_nothing_is_refused(body, why):
    with pytest.raises(InvalidInput, match=why):
        general(body, domain_of(body), {})


CALLS = count()


def another_statement_each_time(s: Nonnegative):
    return [(s, "<=", 0), (0, "<=", 1 + s)][min(next(CALLS), 1)]


def test_what_is_printed_is_what_is_proved():
    """The body is called once."""
    domain = domain_of(another_statement_each_time)
    first, second = (general(another_statement_each_time, domain, {}) for _ in range(2))
    assert first is second and next(CALLS) == 1


def test_the_front_door_holds_for_stored_formulas_too():
    """A file with another formula under the same sets is refused, whatever its proof."""
    for body in (of_any_order, divided, a_divergence_below_zero, sequence_at_points):
        domain = domain_of(body)
        relation = read_without_guards(body, domain)
        assert isinstance(found := made_again(domain, formula_to_data(relation), {}), str)
        assert any(why in found for why in ("1 or less", "may be 0", "small world", "finite range")), found


def read_without_guards(body, domain):
    kept = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(proof_of_general, "_sound", lambda f, sets: kept.append(f))
        proof_of_general._general.__wrapped__(body, domain, ())
    return kept[0]
