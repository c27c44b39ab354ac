"""Rules on statements: what they give implies the statement, and every condition that they ask is needed."""

import itertools
from fractions import Fraction as F
from math import floor, inf
from typing import Any

import pytest

from banditproof.theory import (
    absolute,
    d_epsilon,
    dp_klucb_index,
    exp,
    kl_bernoulli,
    kl_ucb_index,
    laplace_sum_tail,
    maximum,
    minimum,
    noisy_sum_tail,
    sqrt,
    where,
)
from banditproof.theory.best_arm.thresholds import gaussian_deviation, zeta
from banditproof.theory.laws.index_inverse import largest_mean_with_index_below
from banditproof.theory.numbers.normal_law import normal_cdf, normal_quantile
from banditproof.theory.numbers.numeric import TERM, exactly, to_ball
from banditproof.theory.numbers.special import chi_squared_tail, truncated_laplace_mean
from banditproof.theory.numbers.term import Term, fn, number, parts, to_nodes, total, var
from banditproof.verify.proof import goals, lemmas
from banditproof.verify.proof.cases import starts, step_of
from banditproof.verify.proof.compare import holds
from banditproof.verify.proof.deduce import Stuck, _without_slack, search
from banditproof.verify.proof.deduction import deduced
from banditproof.verify.proof.domain import Domain
from banditproof.verify.proof.evidence import Deduction
from banditproof.verify.proof.formulas import Refused, symbol
from banditproof.verify.proof.goals import Goal
from banditproof.verify.proof.statement import Statement, stating

HALF = F(1, 2)
COUNT, UNIT, INSIDE, POSITIVE = "integer [1, inf)", "[0, 1]", "(0, 1)", "(0, inf)"
FEW = 60


def of(relation, **domain):
    return stating(relation, Domain.of(**domain), {})


def nodes(formula):
    with exactly(TERM):
        return to_nodes([number(formula())])[0]


def proved(rule, statement, data):
    """Whether what a rule gives is found."""
    try:
        below = lemmas.RULES[rule](statement, data)
        tree = [rule, data, [search(one, FEW) for one in below]]
    except (Stuck, Refused):
        return False
    return isinstance(deduced(statement, tree), Deduction)


# ------------------------------------------------------------------------------------------------------------- lemmas

X, N = var("x"), var("n")


@pytest.mark.parametrize(
    ("relation", "sign", "bound", "true"),
    [
        (lambda x: (exp(-x) / 2, "<", F(1, 2)), "<", 1, True),
        (lambda x: (exp(-x) / 2, "<", F(1, 2)), "<=", 1, False),
        (lambda x: (1 - exp(-x), ">=", 0), "<=", 1, True),
        (lambda x: (1 - exp(-x), ">", 0), "<=", 1, False),
        (lambda x: (1 - exp(-x), ">=", F(1, 2)), "<=", 1, False),
        (lambda x: (exp(-x), "<=", 2), "<=", F(9, 10), False),  # exp(-x) is close to 1 somewhere
        (lambda x: (exp(-x), "<=", 2), ">=", 0, False),
        (lambda x: (exp(-x) - exp(-x), "==", 0), "<=", 1, True),
        (lambda x: (2 * exp(-x) - exp(-x), "==", 0), "<=", 1, False),
    ],
)
def test_a_part_may_be_any_number_that_its_bound_allows(relation, sign, bound, true):
    data = [nodes(lambda: exp(-X)), [[sign, nodes(lambda: bound)]]]
    assert proved("lemma", of(relation, x=POSITIVE), data) == true


def test_a_lemma_of_the_left_side_chains_two_inequalities_in_one_direction_only():
    statement = of(lambda x: (exp(-x), "<=", 2 + x), x=POSITIVE)
    one = nodes(lambda: number(1))
    shown, left = lemmas.lemma(statement, [nodes(lambda: exp(-X)), [["<=", one]]])
    assert (str(shown), str(left)) == ("exp(-x) <= 1", "1 <= 2 + x")
    _, other = lemmas.lemma(statement, [nodes(lambda: exp(-X)), [[">=", one]]])
    assert "bounded1" in str(other)


# ------------------------------------------------------------------------------------------------------------ instance

SQUARES = [[["a", "[0, 1]"], ["b", "integer [0, inf)"]], ["a <= b"]]  # variables with their sets, and a constraint


def at_terms(a, b, right="b"):
    """The data of a^2 <= b, where a and b are these terms of x and n."""
    sides = [nodes(lambda: var("a") ** 2), nodes(lambda: var(right))]
    return [*SQUARES, sides, [nodes(lambda: a), nodes(lambda: b)]]


@pytest.mark.parametrize(
    ("a", "b", "true"),
    [
        (1 / (1 + X), N, True),
        (1 / X, N, False),  # it may be above 1
        (1 - X, N, False),  # it may be below 0
        (1 / (1 + X), N - 1, False),  # the constraint may fail
        (1 / (1 + X), N + X, False),  # no whole number by its form
        (sqrt(X - 1) / (1 + X), N, False),  # it need not have a value
    ],
)
def test_what_is_said_of_a_domain_is_said_of_terms_that_lie_in_it(a, b, true):
    statement = Statement(Domain.of(x=POSITIVE, n=COUNT), number(a) ** 2, "<=", number(b))
    assert proved("instance", statement, at_terms(a, b)) == true


def test_an_instance_is_the_general_statement_at_its_terms_and_its_variables_have_names():
    statement = of(lambda x, n: ((1 / (1 + x)) ** 2, "<=", n), x=POSITIVE, n=COUNT)
    data = at_terms(1 / (1 + X), N)
    assert str(lemmas.instance(statement, data)[-1]) == "a^2 <= b"
    for wrong in (at_terms(1 / (2 + X), N), at_terms(1 / (1 + X), N, "a"), [[["_a", "[0, 1]"]], *data[1:]]):
        with pytest.raises((Refused, ValueError)):
            lemmas.instance(statement, wrong)


# -------------------------------------------------------------------------------------------------------------- either


@pytest.mark.parametrize(
    ("relation", "condition", "true"),
    [
        (lambda x: (absolute(x - HALF), "<=", HALF), "x <= 1/2", True),
        (lambda x: (absolute(x - HALF), "<", HALF), "x <= 1/2", False),
        (lambda x: (absolute(x - HALF), ">", 0), "x < 1/2", False),  # fails where the sides are equal
        (lambda x: (absolute(x - HALF), ">", 0), "x <= 1/2", False),
        (lambda x: (absolute(x - HALF), ">", 0), "x == 1/2", False),
        (lambda x: (absolute(x - HALF), ">", 0), "x != 1/2", False),
        (lambda x: (where(x, "==", 0, 1, lambda: x / x), "==", 1), "x == 0", True),
        (lambda x: (where(x, "==", 0, 1, lambda: x / x), "==", 1), "log(x) < 0", False),  # no value at 0
        (lambda x: (where(x, "==", 0, 1, lambda: x / x), "==", 1), "1 / x > 1", False),
        (lambda x: (x, "<=", 1), "sqrt(x - 1/2) > 0", False),  # half of the interval has no root
        (lambda x: (x, "<=", 1), "kl_bernoulli(x, 0) > 1", False),  # infinity compares with nothing here
        (lambda x: (x, "<=", 1), "d_epsilon(x, 2, 1) > 1", False),  # 2 is no mean
        (lambda x: (x, "<=", 1), "d_epsilon(x, 0, 1) > 1/2", True),
    ],
)
def test_what_holds_where_a_comparison_does_and_where_it_does_not_holds(relation, condition, true):
    assert proved("either", of(relation, x=UNIT), condition) == true


@pytest.mark.parametrize("operator", lemmas._OPPOSITE)
def test_one_of_two_opposites_holds_at_every_point(operator):
    shown, *branches = lemmas.either(of(lambda x, n: (x, "<=", n), x=UNIT, n=COUNT), f"x {operator} n / 3")
    assert (str(shown), str(shown.domain)) == ("x - n/3 - (x - n/3) == 0", "x in [0, 1]; n in integer [1, inf)")
    for x, n in itertools.product((F(0), F(1, 3), F(2, 3), F(1)), (1, 2, 3)):
        assert [b.domain.contains({"x": x, "n": n}) for b in branches].count(True) == 1


def test_a_branch_keeps_the_constraints_of_its_domain():
    statement = of(lambda x, y: (x, "<=", y), x=UNIT, y=UNIT, where=["x <= y"])
    assert proved("either", statement, "x < 1/2")
    assert not proved("either", of(lambda x, y: (x, "<=", y), x=UNIT, y=UNIT), "x <= y")


@pytest.mark.parametrize("data", ["0 < x < 1", "x < y", "x", "", "x < 1 or x > 1", "not x < 1", None, 1, ["x < 1"]])
def test_what_is_no_comparison_of_variables_makes_no_branches(data):
    statement = of(lambda x: (x, "<=", 1), x=UNIT)
    assert not isinstance(deduced(statement, ["either", data, [["faces", 0, []]] * 3]), Deduction)
    with pytest.raises((Refused, ValueError, TypeError, AttributeError)):
        lemmas.either(statement, data)


@pytest.mark.parametrize("data", ["x < 1/2 # <", "x < 1/2 # >= <", "(x) < (1/2)"])
def test_an_opposite_is_read_from_the_comparison_and_not_from_what_stands_beside_it(data):
    _, holds_, fails = lemmas.either(of(lambda x: (x, "<=", 1), x=UNIT), data)
    for x in (F(0), F(1, 2), F(1)):
        assert (holds_.domain.contains({"x": x}), fails.domain.contains({"x": x})) == (x < HALF, x >= HALF)


def test_branches_in_branches_are_not_twice_as_many_cases_each_time():
    """A tree of a few nodes would keep a machine busy for years."""
    statement = of(lambda x, y: (x - y, "<=", 9), x=UNIT, y=UNIT)
    for k in range(2, 42):
        statement = lemmas.either(statement, f"x * x - {k} * y * y != x / {k + 40}")[1]
    with pytest.raises(Refused, match="cases"):
        starts(statement, 0)


BOX = Domain.of(x="(0, 1]", n=COUNT, where=["x <= n"])


def test_a_wider_domain_keeps_its_constraints_and_asks_more():
    (over,) = lemmas.wider(stating(lambda x, n: (x, "<=", n), BOX, {}), [["x", "(0, inf)"], ["n", "(0, inf)"]])
    assert over.domain == Domain.of(x="(0, inf)", n="(0, inf)", where=["x <= n"])
    assert proved("wider", of(lambda x: (x, "<=", x + 1), x=UNIT), [["x", "(-inf, inf)"]])
    assert not proved("wider", of(lambda x: (x, "<=", 1), x=UNIT), [["x", "[0, 2]"]])
    assert not proved("wider", of(lambda x: (x / x, "<=", 1), x="(0, 1]"), [["x", "[0, 1]"]])  # no value at 0


def test_a_definition_asks_where_the_quantity_has_a_value():
    statement = of(lambda p: (0 * kl_bernoulli(p, 0), "<=", 1 + p), p=UNIT)  # infinite for p > 0
    assert not proved("defined", statement, "kl_bernoulli")
    assert proved("defined", of(lambda p: (kl_bernoulli(p, p), "<=", p), p=INSIDE), "kl_bernoulli")


def test_a_variable_of_a_constraint_alone_keeps_its_faces():
    with pytest.raises(Stuck):
        search(of(lambda x, y: (x, ">", 0), x=UNIT, y=UNIT, where=["y <= x"]), FEW)


# --------------------------------------------------------------------------------------------------------------- sums


@pytest.mark.parametrize(
    ("relation", "true"),
    [
        (lambda n: (total(lambda k: k, 0, n - 1), "<=", total(lambda k: k * k, 0, n - 1)), True),
        (lambda n: (total(lambda k: k, 0, n - 1), "<=", total(lambda k: k * k + 1, 0, n - 1)), True),
        (lambda n: (total(lambda k: k * k + 1, 0, n - 1), ">=", total(lambda k: k, 0, n - 1)), True),
        (lambda n: (total(lambda k: 1, 1, n - 1), "<=", total(lambda k: 1, 0, n - 1)), True),
        (lambda n: (total(lambda k: 1, 0, n - 1), "<=", total(lambda k: 1, 1, n - 1)), False),
        # one summand more, which is below 0
        (lambda n: (total(lambda k: 1, 1, n - 1), "<=", total(lambda k: 2 * k - 1, 0, n - 1)), False),
        (lambda n: (total(lambda k: 1, 0, n - 1), "<=", total(lambda k: 1, 0, n)), True),
        (lambda n: (total(lambda k: 1, 0, n - 1), "<=", total(lambda k: 1, 0, n - 2)), False),
        (lambda n: (total(lambda k: k, 0, n - 1), "<=", total(lambda k: n, 0, n - 1)), True),
        (lambda n: (total(lambda k: k + 2, 0, n - 1), "<=", total(lambda k: n, 0, n - 1)), False),
        # no value at 0, and what is empty is no less
        (lambda n: (total(lambda k: 1 / k, 0, n - 1), "<=", total(lambda k: 1 / k + 1, 0, n - 1)), False),
        (lambda n: (total(lambda k: 1, 0, n - 1), "<", total(lambda k: 2, 0, n - 1)), False),
    ],
)
def test_sums_are_compared_by_their_summands(relation, true):
    assert proved("termwise", of(relation, n=COUNT), None) == true


def test_an_index_that_is_used_again_inside_is_not_the_count():
    """3 n (n - 1)/2 + 3 <= 3 n fails for n = 3: the inner sum is 3, and no step puts n in for its index."""
    again = Term("total", "_k1", number(0), N, Term("total", "_k1", number(0), number(3), var("_k1")))
    statement = of(lambda n: (3 * n * (n - 1) / 2 + 3, "<=", 3 * n), n=COUNT)
    by_steps, _ = lemmas.lemma(statement, [to_nodes([statement.left])[0], [["<=", to_nodes([again])[0]]]])
    with pytest.raises(Refused, match="two things"):
        step_of(by_steps, "n")


def test_a_choice_of_what_is_no_count_has_no_sign():
    with pytest.raises(Stuck):
        search(of(lambda n, x: (fn("comb", n, x), ">", 0), n=COUNT, x=UNIT), FEW)


# -------------------------------------------------------------------------------------------------------------- counts


@pytest.mark.parametrize(
    ("relation", "part", "first", "true"),
    [
        (lambda n: ((n + 2) * (n + 2), ">=", 9), lambda: N + 2, 3, True),
        (lambda n: ((n + 2) * (n + 2), ">=", 9), lambda: N + 2, 2, False),  # 4 is less than 9
        (lambda n: ((n + 2) * (n + 2), ">=", 9), lambda: N + 2, 4, False),  # n + 2 may be 3
        (lambda n: ((2 * n) * (2 * n), ">", 3), lambda: 2 * N, 2, True),
        (lambda n: ((2 * n) * (2 * n), ">", 4), lambda: 2 * N, 1, False),
    ],
)
def test_a_whole_part_is_any_count_from_its_first_one_on(relation, part, first, true):
    assert proved("counted", of(relation, n=COUNT), [nodes(part), first]) == true


def last_but_one_digit(operator, bound):
    return of(lambda n: (floor(n / 2) - 2 * floor(n / 4), operator, bound), n=COUNT)


@pytest.mark.parametrize(
    ("operator", "bound", "true"),
    [("<=", 1, True), (">=", 0, True), ("<", 2, False), ("<=", 0, False), (">=", 1, False), ("<", 1, False)],
)
def test_an_order_of_whole_numbers_is_shown_by_the_nearest_one(operator, bound, true):
    """How floors round shows that the digit is below 2 and above -1, not that it is at most 1 and at least 0."""
    statement = last_but_one_digit(operator, bound)
    (nearer,) = lemmas.integral(statement, None)
    for n in range(1, 12):
        left, sign, right = statement.sides({"n": n})
        assert holds(left, sign, right) == holds(*nearer.sides({"n": n})), n
    assert proved("integral", statement, None) == true


# ------------------------------------------------------------------------------------------------------------ by steps

J = var("step1")


def fractions(operator, bound):
    return of(lambda n: (total(lambda k: 1 / (k * (k + 1)), 1, n), operator, bound + 0 * n), n=COUNT)


@pytest.mark.parametrize(
    ("operator", "bound", "grown", "true"),
    [
        ("<=", 1, lambda: -1 / (J + 1), True),
        ("<", 1, lambda: -1 / (J + 1), True),
        (">=", F(1, 2), lambda: -1 / (J + 1), True),
        (">", F(1, 2), lambda: -1 / (J + 1), False),  # one summand is a half
        ("<=", F(9, 10), lambda: -1 / (J + 1), False),
        (">=", F(3, 5), lambda: -1 / (J + 1), False),
        ("<=", 1, lambda: -F(9, 10) / (J + 1), False),  # grows less than the sum
        (">=", F(1, 2), lambda: -F(11, 10) / (J + 1), False),  # grows more
        ("<=", 1, lambda: -1 / (J + 2), False),
    ],
)
def test_a_sum_is_bounded_by_what_grows_by_at_least_its_summands(operator, bound, grown, true):
    assert proved("telescope", fractions(operator, bound), nodes(grown)) == true


@pytest.mark.parametrize(("grown", "true"), [(lambda: J * (J - 1) / 2, True), (lambda: J * J / 2, False)])
def test_a_sum_is_equal_to_what_grows_by_its_summands(grown, true):
    statement = of(lambda n: (total(lambda k: k, 0, n - 1), "==", n * (n - 1) / 2), n=COUNT)
    assert proved("telescope", statement, nodes(grown)) == true
    assert not proved("telescope", of(lambda n: (total(lambda k: k, 0, n - 1), "==", n * n / 2), n=COUNT), nodes(grown))


def test_a_sum_that_ends_before_it_begins_is_0():
    few = of(lambda n: (total(lambda k: 1, 5, n), "<=", n - 4), n=COUNT)  # fails for n = 1
    assert not proved("telescope", few, nodes(lambda: J + 0))
    assert proved("telescope", of(lambda n: (total(lambda k: 1, 5, n), "<=", n), n=COUNT), nodes(lambda: J + 0))


def test_the_growth_is_asked_where_there_are_summands():
    grown, whole = lemmas.telescope(fractions("<=", 1), nodes(lambda: J + 0))
    assert "if 1 + step1 <= n + 1 - 1 else 0) <= 0" in str(grown) and str(whole).endswith("<= 1 + 0 n")
    assert grown.domain.sets["step1"] == lemmas.NATURAL


# -------------------------------------------------------------------------------------------------------------- tails

LAWS = {
    "laplace_sum_tail": (laplace_sum_tail, [(1,), (2,), (7,)], 1),
    "chi_squared_tail": (chi_squared_tail, [(1,), (2,), (9,)], F(1, 2)),
    "noisy_sum_tail": (
        lambda n, m, mu, epsilon, x: noisy_sum_tail(n, m, mu, epsilon, x),
        [(1, 1, F(1, 2), 1), (6, 2, F(1, 10), F(3, 2)), (3, 1, F(1), F(1, 4))],
        None,
    ),
}
"""A function, its first arguments, and what t stays below: the fourth of them for noisy sums."""


@pytest.mark.parametrize("name", lemmas.TAILS)
def test_markovs_bound_is_above_the_tail_and_touches_it_up_to_a_factor(name):
    tail, laws, most = LAWS[name]
    for law in laws:
        closest = None
        below = law[3] if most is None else most
        for x, share in itertools.product((F(1, 10), 1, 3, 10, 30), (F(1, 20), F(1, 4), F(1, 2), F(3, 4), F(19, 20))):
            t = share * below
            conditions, bound = lemmas.TAILS[name][1](to_ball(t), *map(to_ball, (*law, x)))
            assert all(holds(to_ball(a), sign, to_ball(b)) is True for a, sign, b in conditions if sign == "<")
            exact = to_ball(tail(*law, x))
            assert exact <= bound
            closest = min(float(bound / exact), closest or 1e9)
        assert 1 <= closest < 20  # another rate, or another power, would be far off
        conditions, _ = lemmas.TAILS[name][1](to_ball(below), *map(to_ball, (*law, 1)))
        assert any(holds(to_ball(a), sign, to_ball(b)) is False for a, sign, b in conditions)


def test_a_tail_is_bounded_at_a_tilt_and_at_no_other_number():
    statement = of(lambda m, u: (laplace_sum_tail(m, u), "<=", exp(-u / 2) * F(4, 3) ** m), m=COUNT, u=POSITIVE)
    assert proved("tail", statement, nodes(lambda: F(1, 2)))
    for wrong in (F(-1, 2), F(1), F(2)):  # below 0, and where the mean is infinite
        assert not proved("tail", statement, nodes(lambda wrong=wrong: wrong))
    sharper = of(lambda m, u: (laplace_sum_tail(m, u), "<=", exp(-u / 2) * F(5, 4) ** m), m=COUNT, u=POSITIVE)
    assert not proved("tail", sharper, nodes(lambda: F(1, 2)))


@pytest.mark.parametrize("law", LAWS["noisy_sum_tail"][1])
def test_a_noisy_tail_is_below_those_of_the_sum_and_the_noise(law):
    n, m, mu, epsilon = law
    for x, a, t in itertools.product((F(1, 2), 2, 5), (-1, 0, F(1, 2), 1, 3), (0, F(1, 2), 2)):
        exact = to_ball(noisy_sum_tail(*law, x))
        bound = lemmas.union_bound(*map(to_ball, (t, a)), n, m, *map(to_ball, (mu, epsilon, x)))
        assert exact <= bound
    for x, a in itertools.product((F(1, 2), 2, 5), (-1, 0, F(1, 2), n, n + 1)):
        without = lemmas.union_bound(None, to_ball(a), n, m, *map(to_ball, (mu, epsilon, x)))
        assert to_ball(noisy_sum_tail(*law, x)) <= without
    sure = lemmas.union_bound(None, to_ball(n), n, m, *map(to_ball, (mu, epsilon, n)))
    assert abs(sure - (to_ball(mu) ** n + to_ball(HALF))) < 1e-9
    far = lemmas.union_bound(*map(to_ball, (0, -40)), n, m, *map(to_ball, (mu, epsilon, 0)))
    assert abs(far - 1) < 0.001  # the sum is above a, and the noise is not above 40
    far = lemmas.union_bound(*map(to_ball, (1, n + 40)), n, m, *map(to_ball, (mu, epsilon, n + 40)))
    assert abs(far - 0.5) < 0.001  # the noise is above 0 in half of the cases


def test_a_noisy_tail_is_bounded_at_a_tilt_that_is_not_negative():
    bound = lambda x: (HALF + HALF * exp(F(1, 2))) * exp(-x / 4) + exp(-x / 2) / 2  # noqa: E731
    data = [nodes(lambda: HALF), nodes(lambda: X / 2)]
    statement = of(lambda x: (noisy_sum_tail(1, 1, HALF, 1, x), "<=", bound(x)), x=POSITIVE)
    assert proved("union", statement, data)
    sharper = of(lambda x: (noisy_sum_tail(1, 1, HALF, 1, x), "<=", bound(x) * F(99, 100)), x=POSITIVE)
    assert not proved("union", sharper, data)
    both = of(lambda x: (noisy_sum_tail(2, 1, x, 1, 2 + x), "<=", x**2 + exp(-x) / 2), x=UNIT)
    assert proved("union", both, [None, nodes(lambda: 2)]) and not proved("union", both, [None, nodes(lambda: 1)])
    grows = of(lambda x: (noisy_sum_tail(1, 1, HALF, 1, x), "<=", exp(x / 4) + exp(-x / 2) / 2), x=POSITIVE)
    assert proved("union", grows, [nodes(lambda: 0), nodes(lambda: X / 2)])
    assert not proved("union", grows, [nodes(lambda: -HALF), nodes(lambda: X / 2)])


def test_a_noisy_tail_asks_for_a_chance_a_budget_and_counts():
    for n, m, mu, epsilon in ((0, 1, X, 1), (1, 0, X, 1), (1, 1, X, 1), (1, 1, HALF, X - 1)):
        statement = of(lambda x: (x, "<=", 9), x="[0, 2]")
        with exactly(TERM):
            chance = number(noisy_sum_tail(n, m, mu, epsilon, 1))
        below = Statement(statement.domain, chance, "<=", number(9))
        assert not proved("union", below, [nodes(lambda: HALF), nodes(lambda: HALF)])


def test_a_tail_of_what_is_infinite_or_out_of_its_domain_has_no_bound():
    infinite = of(lambda p: (noisy_sum_tail(1, 1, HALF, 1, kl_bernoulli(p, 0)), "<=", 9), p="(0, 1]")
    assert "kl_bernoulli(p, 0) - kl_bernoulli(p, 0) == 0" in map(str, lemmas.tail(infinite, nodes(lambda: HALF)))
    assert not proved("tail", infinite, nodes(lambda: HALF))
    for values, true in (("[-1, 1]", False), ("[0, 1]", True)):  # a chi-squared variable has no tail below 0
        assert proved("tail", of(lambda x: (chi_squared_tail(2, x), "<=", 8), x=values), nodes(lambda: F(1, 4))) == true


# ------------------------------------------------------------------------------------------------------------- infima

INFIMUM_OF = {
    "gaussian_deviation": (gaussian_deviation, [(0,), (F(1, 3),), (5,), (200,)], [(-1,)]),
    "d_epsilon": (
        d_epsilon,
        [(HALF, 1, 2), (0, HALF, HALF), (F(9, 10), F(1, 10), 1), (F(1, 10), F(9, 10), 9), (HALF, 0, F(1, 4))],
        [(-1, HALF, 1), (2, HALF, 1), (HALF, -1, 1), (HALF, 2, 1), (HALF, HALF, -1)],
    ),
}
"""A quantity, arguments at which it has a value, and others at which it has none."""
WEIGHTS = [F(k, 2000) for k in range(0, 2001, 5)] + [1 - F(1, 2) ** k for k in range(2, 20)]


@pytest.mark.parametrize("name", lemmas.INFIMA)
def test_an_infimum_is_below_all_values_and_close_to_the_least_of_them(name):
    quantity, given, outside = INFIMUM_OF[name]
    over, value_at = lemmas.INFIMA[name]
    for args in given:
        least, values = to_ball(quantity(*map(to_ball, args))), []
        for w in filter(over.contains, WEIGHTS):
            asked, inside, value = value_at(to_ball(w), *map(to_ball, args))
            assert all(holds(to_ball(a), sign, to_ball(b)) is not False for a, sign, b in asked)
            if all(holds(to_ball(a), sign, to_ball(b)) is not False for a, sign, b in inside):
                values.append(value)
        assert len(values) > 90 and all(least <= value + to_ball(F(1, 10**12)) for value in values)
        assert min(map(float, values)) < float(least) + 0.02
    for args in outside:  # where it has no value
        with exactly(TERM):
            asked, _, _ = value_at(number(F(3, 4)), *(var(f"x{i}") for i in range(len(args))))
        point, sets = {f"x{i}": F(x) for i, x in enumerate(args)}, {f"x{i}": "(-inf, inf)" for i in range(len(args))}
        sides = [Statement(Domain.of(**sets), number(a), sign, number(b)).sides(point) for a, sign, b in asked]
        assert any(holds(left, sign, right) is False for left, sign, right in sides)


def test_an_infimum_is_bounded_from_below_by_all_values_and_from_above_by_each():
    from_below = of(lambda x: (gaussian_deviation(x), ">=", x), x="[0, 9]")
    asked, every = lemmas.infimum(from_below, None)
    assert str(asked) == "x >= 0" and every.operator == ">=" and every.right is X
    assert every.domain.sets["point1"] == lemmas.INFIMA["gaussian_deviation"][0]
    from_above = of(lambda x: (gaussian_deviation(x), "<", 9 + x), x="[0, 9]")
    *conditions, one = lemmas.infimum(from_above, nodes(lambda: X / 20 + F(1, 2)))
    assert list(map(str, conditions)) == ["x >= 0", "x/20 + 1/2 > 1/2", "x/20 + 1/2 < 1"]
    assert one.operator == "<" and one.domain == from_above.domain and "zeta(2 (x/20 + 1/2))" in str(one)
    with pytest.raises(Stuck):  # the condition that fails at x = 0
        search(conditions[1], FEW)


BETWEEN: dict[str, Any] = {"x": INSIDE, "y": INSIDE, "e": POSITIVE, "where": ["x < y"]}


@pytest.mark.parametrize(
    ("relation", "at", "true"),
    [
        (lambda x, y, e: (d_epsilon(x, y, e), "<=", e * (y - x)), lambda x, y: y, True),
        (lambda x, y, e: (d_epsilon(x, y, e), "<", e * (y - x)), lambda x, y: y, False),
        (lambda x, y, e: (d_epsilon(x, y, e), "<=", kl_bernoulli(x, y)), lambda x, y: x, True),
        (lambda x, y, e: (d_epsilon(x, y, e), "<=", kl_bernoulli(x, y) / 2), lambda x, y: x, False),
        (lambda x, y, e: (d_epsilon(x, y, e), "<=", e * (1 - x)), lambda x, y: (1 + y) / 2, False),  # beyond y
        (lambda x, y, e: (d_epsilon(x, y, e), "<=", 9 + e), lambda x, y: x / 2, False),
        (lambda x, y, e: (d_epsilon(x, y, e), ">=", 0), None, True),
        (lambda x, y, e: (d_epsilon(x, y, e), ">=", e * (y - x) / 2), None, False),
    ],
)
def test_the_private_divergence_is_an_infimum_over_what_lies_between(relation, at, true):
    data = None if at is None else nodes(lambda: at(X, var("y")))
    assert proved("infimum", of(relation, **BETWEEN), data) == true


def test_the_private_divergence_has_no_value_without_a_budget_or_for_what_is_no_mean():
    for domain in ({"x": "[0, 2]", "e": POSITIVE}, {"x": "[-1, 1]", "e": POSITIVE}, {"x": INSIDE, "e": "[-1, 1]"}):
        assert not proved("infimum", of(lambda x, e: (d_epsilon(x, HALF, e), ">=", -9), **domain), None)


# ------------------------------------------------------------------------------------------------------- largest means

INDEX: dict[str, Any] = {"x": UNIT, "c": POSITIVE, "e": POSITIVE}
PRICED = nodes(lambda: dp_klucb_index(X, var("c"), var("e")))
PLAIN = nodes(lambda: kl_ucb_index(X, var("c")))


@pytest.mark.parametrize("name", ["kl_ucb_index", "dp_klucb_index"])
def test_a_largest_mean_has_the_level_or_is_1(name):
    index = {"kl_ucb_index": kl_ucb_index, "dp_klucb_index": dp_klucb_index}[name]
    reached = 0
    for x, c in itertools.product((0, F(1, 3), F(9, 10), 1), (0, F(1, 50), F(1, 2), 3)):
        for epsilon in ([],) if name == "kl_ucb_index" else ([0], [F(1, 4)], [1], [9]):
            given = list(map(to_ball, (x, c, *epsilon)))
            u = to_ball(index(*given))
            w = (u - given[0]) / (1 - given[0]) if x < 1 else to_ball(0)
            _, ((value, (divergence, _, level)), (_, end)) = lemmas.LARGEST[name](w, *given)
            if holds(*map_sides(end)) is True:
                assert u.overlaps(to_ball(1))
            else:  # the level is reached below 1
                assert holds(u, "<", to_ball(x)) is not True and u < 1 and value.overlaps(u)
                assert divergence.overlaps(level)
                reached += 1
    assert reached > 6


def test_the_largest_mean_with_an_index_below_has_the_level_or_is_0():
    """That it is the largest: its own index is the target."""
    for u, c in itertools.product(map(to_ball, ("1/3", "9/10")), map(to_ball, ("1/50", "1/2", 3))):
        x = largest_mean_with_index_below(u, c)
        _, ((value, (divergence, _, level)), (_, end)) = lemmas.LARGEST["largest_mean_with_index_below"](
            1 - x / u, u, c
        )
        if holds(*map_sides(end)) is True:
            assert x == 0
        else:
            assert value.overlaps(x) and divergence.overlaps(level)
            assert abs(to_ball(kl_ucb_index(x.mid(), c)) - u) < 1e-9


def map_sides(condition):
    left, sign, right = condition
    return to_ball(left), sign, to_ball(right)


@pytest.mark.parametrize(
    ("relation", "true"),
    [
        (lambda x, c, e: (dp_klucb_index(x, c, e), ">=", x), True),
        (lambda x, c, e: (dp_klucb_index(x, c, e), ">", x), False),  # 1 is its own index
        (lambda x, c, e: (dp_klucb_index(x, c, e), "<=", 1), True),
        (lambda x, c, e: (dp_klucb_index(x, c, e), "<", 1), False),  # saturates
        (lambda x, c, e: (where(dp_klucb_index(x, c, e), "<", 1, 1, 0), "<=", where(e * (1 - x), ">=", c, 1, 0)), True),
        (
            lambda x, c, e: (where(e * (1 - x), ">=", c, 1, 0), "<=", where(dp_klucb_index(x, c, e), "<", 1, 1, 0)),
            False,
        ),
        (lambda x, c, e: (dp_klucb_index(x, c, e), "==", 1 - (1 - x) * exp(-c)), False),
    ],
)
def test_what_is_said_of_an_index_holds_where_it_has_the_level_and_where_it_is_1(relation, true):
    statement = of(relation, **INDEX)
    *asked, inside, at_one = lemmas.largest(statement, PRICED)
    assert len(asked) == 4 and inside.domain.sets["share1"] == lemmas.SHARE and "share1" not in at_one.domain.sets
    assert closed_by_cases(statement, PRICED) == true


def closed_by_cases(statement, data):
    """Whether a largest mean is put in and what is left is found, the divergence being a number up to its end."""

    def shown(one):
        divergences = [p for p in parts(one.left) if p.op == "quantity" and p.args[0] == "d_epsilon"]
        if not divergences:
            return search(one, FEW)
        bound = nodes(lambda: where(X, "<", 1, var("e") * (1 - X), 1))
        choice = [to_nodes([divergences[0]])[0], [["<", bound]]]
        return ["lemma", choice, [search(part, FEW) for part in lemmas.lemma(one, choice)]]

    try:
        tree = ["largest", data, [shown(one) for one in lemmas.largest(statement, data)]]
    except (Stuck, Refused):
        return False
    return isinstance(deduced(statement, tree), Deduction)


def test_an_index_without_a_price_is_below_1_unless_its_mean_is_1():
    below = of(lambda x, c: (kl_ucb_index(x, c), "<", 1), x="[0, 1)", c=POSITIVE)
    assert proved("largest", below, PLAIN)
    assert not proved("largest", of(lambda x, c: (kl_ucb_index(x, c), "<", 1), x=UNIT, c=POSITIVE), PLAIN)


def test_an_index_has_a_value_for_means_levels_and_budgets_only():
    for wrong in ({"x": "[-1, 1]"}, {"x": "[0, 2]"}, {"c": "[-1, 1]"}, {"e": "[-1, 1]"}):
        statement = of(lambda x, c, e: (dp_klucb_index(x, c, e), "<=", 9), **(INDEX | wrong))
        assert not proved("largest", statement, PRICED)
    endless = of(lambda x, q: (kl_ucb_index(x, kl_bernoulli(x, q)), "<", 1), x="[0, 1)", q=UNIT)
    level = nodes(lambda: kl_ucb_index(X, kl_bernoulli(X, var("q"))))
    assert any(str(s).endswith("== 0") for s in lemmas.largest(endless, level))  # that the level is finite
    assert not proved("largest", endless, level)


def test_conditions_keep_a_side_that_is_infinite():
    """A difference of sides would have no value there."""
    data = [nodes(lambda: exp(-X)), [["<", nodes(lambda: 1)]]]
    assert proved("lemma", of(lambda x: (2 * exp(-x), "<", where(x, ">=", 1, inf, 2)), x=POSITIVE), data)
    assert not proved("lemma", of(lambda x: (2 * exp(-x), "<", where(x, ">=", 1, inf, 1)), x=POSITIVE), data)


# ------------------------------------------------------- parts as what they are bounded by and more, and the quantiles

P, Q = var("p"), var("q")


@pytest.mark.parametrize(
    ("rule", "data"),
    [
        ("lemma", [nodes(lambda: kl_bernoulli(P, Q)), [[">=", nodes(lambda: number(0))]]]),
        ("apart", [nodes(lambda: kl_bernoulli(P, Q)), ">=", nodes(lambda: number(0))]),
    ],
)
def test_a_part_that_may_be_infinite_is_no_number_in_a_formula(rule, data):
    """No number stands for what is infinite: exp(-kl) is 0 there."""
    for relation in (
        lambda p, q: (exp(-kl_bernoulli(p, q)), ">", 0),
        lambda p, q: (minimum(1, kl_bernoulli(p, q)) - kl_bernoulli(p, q), "<=", 0),
    ):
        assert not proved(rule, of(relation, p=UNIT, q=UNIT), data)
        assert proved(rule, of(relation, p=UNIT, q=INSIDE), data)


def test_a_bound_that_may_be_infinite_moves_nothing():
    unlimited = nodes(lambda: kl_bernoulli(P, Q))
    statement = of(lambda p, q: (absolute(p - q), "<=", 0), p=UNIT, q=[0])
    assert not proved("apart", statement, [nodes(lambda: absolute(P - Q)), "<=", unlimited])
    assert not proved("apart", statement, [nodes(lambda: absolute(P - Q)), ">=", nodes(lambda: -kl_bernoulli(P, Q))])


@pytest.mark.parametrize(
    ("relation", "sign", "bound", "true"),
    [
        (lambda x: (exp(-x) / 2, "<", HALF), "<", 1, True),
        (lambda x: (exp(-x) / 2, "<", HALF), "<=", 1, False),
        (lambda x: (1 + exp(-x), ">", 1), ">", 0, True),
        (lambda x: (1 + exp(-x), ">", 1), ">=", 0, False),
        (lambda x: (exp(-x), "<=", 2), "<=", F(9, 10), False),
        (lambda x: (exp(-x), "<=", 2), ">=", 0, False),
        (lambda x: (2 * exp(-x) - exp(-x), "==", 0), "<=", 1, False),
        (lambda x: (exp(-x), "<", 1), "==", lambda: 1 / exp(X), True),
        (lambda x: (exp(-x), "<=", 1), "==", lambda: 1 - X, False),  # the bound is no equal
        (lambda x: (exp(-x), "<", 1), "==", lambda: exp(-X) + X - X, True),
        (lambda x: (exp(-x), "<", 1), "==", lambda: exp(-X) * (X - 1) / (X - 1), False),  # no value at 1
        (lambda x: (exp(-x), ">", 1), "==", lambda: 1 / exp(X), False),
    ],
)
def test_a_part_is_its_bound_and_how_far_it_is_away(relation, sign, bound, true):
    data = [nodes(lambda: exp(-X)), sign, nodes(bound if callable(bound) else lambda: bound)]
    assert proved("apart", of(relation, x=POSITIVE), data) == true


def test_what_is_equal_to_a_part_takes_its_place_where_both_are_finite():
    infinite = nodes(lambda: kl_bernoulli(P, 0))
    for relation in (lambda p: (kl_bernoulli(p, 0), ">=", 0), lambda p: (kl_bernoulli(p, 0), "<=", 9)):
        assert not proved("apart", of(relation, p="(0, 1]"), [infinite, "==", nodes(lambda: number(inf))])
    shown, last = lemmas.apart(
        of(lambda x: (exp(-x), "<=", 2), x=POSITIVE), [nodes(lambda: exp(-X)), "==", nodes(lambda: X)]
    )
    assert (str(shown), str(last)) == ("exp(-x) == x", "x <= 2") and last.domain == shown.domain


@pytest.mark.parametrize("relation", [lambda x: (x * x, "<", 1), lambda x: (x, "<=", 1), lambda x: (2, ">", 1 - x)])
def test_a_number_that_both_sides_give_away_is_taken_away_once(relation):
    """What is left when it is gone has none: a search for what is false ends, however deep calls may be."""
    simpler = _without_slack(of(relation, x="[0, 2]"))
    assert simpler is not None and _without_slack(simpler) is None


def test_a_part_within_0_and_1_is_any_number_there():
    clipped = nodes(lambda: maximum(0, minimum(X, 1)))
    low = of(lambda x: (maximum(0, minimum(x, 1)) ** 2, "<=", 1), x="(-inf, inf)")
    assert proved("within", low, clipped)
    assert not proved("within", of(lambda x: (maximum(0, minimum(x, 1)) ** 2, "<", 1), x="(-inf, inf)"), clipped)
    assert not proved("within", of(lambda x: (x * x, "<=", x), x="[0, 2]"), nodes(lambda: X))
    assert not proved("within", of(lambda x: (x * x, "<=", x), x="[-1, 1]"), nodes(lambda: X))


def test_what_is_forgotten_is_no_longer_known():
    statement = of(lambda x, y: (x, "<=", 1), x=POSITIVE, y=UNIT, where=["x <= y", "x <= 2"])
    for kept, true in (([0], True), ([0, 1], True), ([1], False), ([], False)):
        assert proved("forgotten", statement, kept) == true
    assert lemmas.forgotten(statement, [1])[0].domain == Domain.of(x=POSITIVE, where=["x <= 2"])
    for wrong in (None, [2], ["x"]):
        with pytest.raises((TypeError, IndexError)):
            lemmas.forgotten(statement, wrong)


def test_the_first_values_of_a_count_stand_apart():
    touches = of(lambda n: (n * n, ">=", 3 * n - 2), n=COUNT)  # it fails at 3/2, and is an equation at 1 and 2
    at_one, later = lemmas.first_values(touches, ["n", 1])
    assert (at_one.domain, later.domain) == (Domain.of(), Domain.of(n="integer [2, inf)"))
    assert proved("first_values", touches, ["n", 1]) and proved("first_values", touches, ["n", 2])
    assert not proved("first_values", of(lambda n: (n * n, ">=", 3 * n - F(199, 100)), n=COUNT), ["n", 2])
    assert len(lemmas.first_values(of(lambda n: (n, ">", 0), n="integer (0, inf)"), ["n", 3])) == 4


def test_the_first_values_are_put_in_as_numbers():
    half = of(lambda n: (laplace_sum_tail(n, n), "<=", exp(-n) / 2), n=COUNT)  # as P(X > 1) is
    less = of(lambda n: (laplace_sum_tail(n, n), "<=", exp(-n) * F(49, 100)), n=COUNT)
    for statement, true in ((half, True), (less, False)):
        one, _ = lemmas.first_values(statement, ["n", 1])
        try:
            found = isinstance(deduced(one, search(one, FEW)), Deduction)
        except Stuck:
            found = False
        assert found == true


@pytest.mark.parametrize(
    ("relation", "true"),
    [
        (lambda p: (normal_quantile(p) + normal_quantile(1 - p), "==", 0), True),
        (lambda p: (normal_quantile(p) - normal_quantile(1 - p), "==", 0), False),
        (lambda p: (normal_cdf(normal_quantile(p) + 1), ">", p), True),
        (lambda p: (normal_cdf(normal_quantile(p) - 1), ">", p), False),
        (lambda p: (normal_quantile(p), ">=", 0), False),
        (lambda p: (normal_quantile(p / 2), "<", 0), False),  # no quantile of Phi(z), nor of 1 - Phi(z)
    ],
)
def test_a_variable_is_the_probability_of_its_quantile(relation, true):
    assert proved("quantile", of(relation, p=INSIDE), "p") == true


def test_the_zeta_function_is_between_its_first_term_and_that_with_an_integral():
    for s in (F(101, 100), F(3, 2), 2, 10):
        least, whole, most = to_ball(1), zeta(to_ball(s)), to_ball(s) / (to_ball(s) - 1)
        assert least < whole < most and (most - whole < 1 or whole - least < F(1, 10))


@pytest.mark.parametrize(
    ("relation", "values", "true"),
    [
        (lambda s: (zeta(s), ">=", 1), "(1, inf)", True),
        (lambda s: (zeta(s), ">", 1), "(1, inf)", True),
        (lambda s: (zeta(s), "<", 1 + 1 / (s - 1)), "(1, inf)", True),
        (lambda s: (zeta(s), "<=", 2), "[2, inf)", True),
        (lambda s: (zeta(s), "<=", 2), "[7/4, inf)", False),
        (lambda s: (zeta(s), ">=", F(11, 10)), "(1, inf)", False),
        (lambda s: (zeta(s), ">=", 1), "[1, inf)", False),  # it has no value at 1
        (lambda s: (zeta(s), ">=", 0), "(1/2, 1)", False),
        (lambda s: (zeta(s), "==", 1), "(1, inf)", False),
        (lambda s: (zeta(s) - 1, ">=", 0), "(1, inf)", False),  # not alone on the left
    ],
)
def test_the_zeta_function_is_bounded_where_it_has_a_value(relation, values, true):
    assert proved("zeta", of(relation, s=values), nodes(lambda: 1)) == true


@pytest.mark.parametrize(
    ("terms", "bound", "true"),
    [
        (lambda: number(3), lambda s: 1 + 1 / 2**s + 1 / 3**s, True),
        (lambda: number(3), lambda s: 1 + 1 / 2**s + 2 / 3**s, False),
        (lambda: number(2), lambda s: 1 + 1 / 2**s + 1 / 3**s, False),
        (lambda: number(0), lambda s: 0 * s, True),
        (lambda: number(F(5, 2)), lambda s: 0 * s, False),
    ],
)
def test_the_zeta_function_is_above_its_first_terms(terms, bound, true):
    assert proved("zeta", of(lambda s: (zeta(s), ">=", bound(s)), s="(1, inf)"), nodes(terms)) == true


def test_what_may_be_infinite_is_no_argument_of_the_zeta_function_or_of_an_infimum():
    of_infinity = of(lambda p: (zeta(2 + kl_bernoulli(p, 0)), ">=", 0), p="(0, 1]")
    assert not proved("zeta", of_infinity, nodes(lambda: 0))  # an empty sum asks nothing
    assert proved("zeta", of(lambda p: (zeta(2 + kl_bernoulli(p, HALF)), ">=", 0), p="(0, 1]"), nodes(lambda: 0))
    deviation = of(lambda p: (gaussian_deviation(kl_bernoulli(p, 0)), ">=", 0), p="(0, 1]")
    assert "kl_bernoulli(p, 0) - kl_bernoulli(p, 0) == 0" in map(str, lemmas.infimum(deviation, None))


# ------------------------------------------------------------------------------------------------------------- refused


def at(rule, statement, *data, why=None):
    return [(rule, statement, one, why) for one in data]


def bounded(part, sign, bound):
    return [nodes(lambda: part), [[sign, nodes(lambda: bound)]]]


def counts(**domain):
    return of(lambda n, m: (n + m, ">=", 0), **{"m": UNIT, **domain})


def summed(body):
    return Term("total", "_k1", number(0), N, body)


HALVES, A_QUARTER = [nodes(lambda: HALF), nodes(lambda: X)], nodes(lambda: F(1, 4))
TWICE = Term("total", "_k1", number(0), number(3), var("_k1"))
LOOSE = Term("total", "_k1", number(0), var("_k1"), number(1))  # under a sum it has the index of that one
BELOW = of(lambda x: (exp(-x), "<=", x + 1), x=POSITIVE)
IN_BOX = stating(lambda x, n: (x, "<=", n), BOX, {})
ONE_TERM = of(lambda p: (0 * kl_bernoulli(p, 0), "<=", 1 + p), p=UNIT)
INDEX_OF_ONE = of(lambda x, e: (dp_klucb_index(x, 1, e), ">=", kl_bernoulli(x, HALF)), x=UNIT, e=POSITIVE)
REFUSED = [
    *at("lemma", BELOW, *(bounded(exp(-X), sign, 1) for sign in ("!=", "is")), [nodes(lambda: exp(-X)), []]),
    *at("lemma", BELOW, bounded(exp(X), "<=", 1), bounded(exp(-X), "<=", var("y"))),  # does not occur, is no variable
    *at("lemma", BELOW, [[], bounded(X, "<=", 1)[1]], bounded(var("_k1"), "<=", 1)),
    *at("lemma", of(lambda n: (0 * n, "<=", 1), n=COUNT), bounded(0 * N, "<=", LOOSE), why="not a variable"),
    *at("wider", IN_BOX, [["x", "(0, 1)"]], [["x", "(1/2, 2]"]], [["x", "integer [0, 5]"]]),  # misses 1, or others
    *at("wider", IN_BOX, [["n", "integer [2, inf)"]], [["n", "(1, inf)"]], [["m", COUNT]]),
    *at("wider", IN_BOX, [["x", "all: numbers"]], [["x", "(0, inf)"], ["n", "integer [1, 1000]"]]),
    *at("wider", IN_BOX, {"where": ["x <= 1/2"]}),
    *at("defined", ONE_TERM, "d_epsilon", "exp", None),
    *at(
        "defined",
        of(lambda n: (total(lambda k: kl_bernoulli(1 / (k + 2), 1 / (n + 1)), 0, n - 1), ">=", 0), n=COUNT),
        "kl_bernoulli",
        why="under a sum",
    ),
    *at(
        "termwise",
        of(lambda n: (total(sqrt, 0, n - 1), "<=", total(sqrt, 0, n - 1)), n="[1, 9]"),
        None,
        why="an integer",
    ),
    *at("termwise", Statement(Domain.of(n=COUNT), summed(var("_k1")), "<=", summed(TWICE)), None, why="two things"),
    *at(
        "counted",
        of(lambda n: ((n + 2) * (n / 2), ">=", 0), n=COUNT),
        *(
            [nodes(lambda part=part: part), first]
            for part, first in ((N / 2, 0), (N + 5, 0), (N + 2, "3"), (N + 2, F(5, 2)))
        ),
    ),
    *at("counted", of(lambda x: ((x + 2) ** 2, ">=", 4), x=POSITIVE), [nodes(lambda: X + 2), 2], why="not an integer"),
    *at("integral", of(lambda x: (2 * x, "<=", 3 * x), x=POSITIVE), None, why="no order of whole numbers"),
    *at("integral", of(lambda n: (n / 2, "<=", n), n=COUNT), None, why="no order of whole numbers"),
    *at("integral", of(lambda n: (n, "==", n + 0), n=COUNT), None, why="no order of whole numbers"),
    *at("telescope", of(lambda x: (total(lambda k: k, 0, x - 1), "<=", x * x), x=POSITIVE), nodes(lambda: J + 0)),
    *at("telescope", of(lambda n: (total(lambda k: k, 0, n - 1), "!=", n * n), n=COUNT), nodes(lambda: J + 0)),
    *at("telescope", of(lambda n: (2 * total(lambda k: k, 0, n - 1), "<=", n * n), n=COUNT), nodes(lambda: J + 0)),
    *at("telescope", Statement(Domain.of(n=COUNT), summed(summed(N)), "<=", N), nodes(lambda: J + 0)),
    *at("union", of(lambda x: (laplace_sum_tail(1, x), "<=", 1), x=POSITIVE), HALVES),  # of Laplace noise alone
    *at("union", of(lambda x: (noisy_sum_tail(1, 1, HALF, 1, x), ">=", 0), x=POSITIVE), HALVES),  # from below
    *at("union", of(lambda x: (noisy_sum_tail(x, 1, HALF, 1, 1), "<=", 9), x=POSITIVE), HALVES),  # no count of rewards
    *at("union", of(lambda x: (noisy_sum_tail(1, x, HALF, 1, 1), "<=", 9), x=POSITIVE), HALVES),  # no count of noise
    *at("tail", of(lambda d, x: (chi_squared_tail(d, x), ">=", 0 * d), d=COUNT, x=POSITIVE), A_QUARTER),  # from below
    *at("tail", of(lambda d, x: (1 - chi_squared_tail(d, x), "<=", 1 + 0 * d), d=COUNT, x=POSITIVE), A_QUARTER),
    *at("tail", of(lambda d, x: (chi_squared_tail(d, x), "<=", 1 + 0 * d), d=POSITIVE, x=POSITIVE), A_QUARTER),
    *at("tail", of(lambda x: (truncated_laplace_mean(x, x, x), "<=", 9 * x), x=POSITIVE), A_QUARTER),  # no tail
    # all values may be above what the infimum is, and inside of a formula it is none
    *at("infimum", of(lambda x: (gaussian_deviation(x), ">", x), x="[0, 9]"), nodes(lambda: F(3, 4))),
    *at("infimum", of(lambda x: (gaussian_deviation(x), "==", x), x="[0, 9]"), nodes(lambda: F(3, 4))),
    *at("infimum", of(lambda x: (2 * gaussian_deviation(x), ">=", x), x="[0, 9]"), nodes(lambda: F(3, 4))),
    *at("infimum", of(lambda x: (x, "<=", gaussian_deviation(x)), x="[0, 9]"), nodes(lambda: F(3, 4))),
    *at("infimum", of(lambda x: (zeta(x + 2), ">=", 1), x="[0, 9]"), nodes(lambda: F(3, 4))),
    *at("largest", INDEX_OF_ONE, nodes(lambda: X), nodes(lambda: kl_bernoulli(X, HALF)), [], [["var", "_k1"]], PLAIN),
    *at("apart", BELOW, *([nodes(lambda: exp(-X)), sign, nodes(lambda: X)] for sign in ("!=", "is", None))),
    *at("within", of(lambda x: (x * x, "<=", x), x="[0, 2]"), nodes(lambda: X + 1)),
    # only an endless count without a constraint has first values, as many as a machine holds
    *at("first_values", counts(n="integer [1, 9]"), ["n", 1]),
    *at("first_values", counts(n="[1, inf)"), ["n", 1]),
    *at("first_values", counts(n=COUNT, m=COUNT, where=["n <= m"]), ["n", 1]),
    *at("first_values", counts(n=COUNT), *(["n", many] for many in (0, True, "1", 10**9)), ["m", 1], ["k", 1]),
    *at("quantile", of(lambda p: (normal_cdf(p), ">", 0), p=UNIT), "p"),  # not any number between 0 and 1
    *at("quantile", of(lambda p: (normal_cdf(p), ">", 0), p="(0, 1/2)"), "p"),
    *at("quantile", of(lambda p: (normal_cdf(p), ">", 0), p=POSITIVE), "p"),
    *at("quantile", of(lambda p: (normal_cdf(p), ">", 0), p=INSIDE, where=["p < 1/2"]), "p"),
]


@pytest.mark.parametrize(("rule", "statement", "data", "why"), REFUSED, ids=range(len(REFUSED)))
def test_a_rule_refuses_what_does_not_fit_it(rule, statement, data, why):
    with pytest.raises(Refused, match=why):
        lemmas.RULES[rule](statement, data)


# ------------------------------------------------------------------------------------------------------ substitutions


@pytest.mark.parametrize(("how", "value"), [("exp 2", lambda w: exp(2 * w) - 1), ("times v_", lambda w: 3 * w)])
def test_a_substitution_is_the_bijection_that_it_says(how, value):
    import sympy

    u, v, w = symbol("u_"), symbol("v_"), symbol("w1")
    (found,) = goals.RULES["replace"](Goal(sympy.log(1 + u) + u * v, ">"), ["u_", how])
    at = {v: 3, w: F(1, 2)}
    there = float(to_ball(value(to_ball(F(1, 2)))))
    assert abs(float(found.expression.subs(at)) - float((sympy.log(1 + u) + u * v).subs({u: there, v: 3}))) < 1e-9


# --------------------------------------------------------------------------------------------------------- quantities


@pytest.mark.parametrize(
    ("centre", "least", "scale"), [(0.3, 0.2, 1.0), (0.3, 2.0, 0.5), (1.0, 0.0, 2.0), (-0.4, 0.1, 1.0)]
)
def test_a_truncated_mean_of_a_laplace_variable_is_its_integral(centre, least, scale):
    from scipy.integrate import quad

    def weighed(y):
        from math import exp as e

        return y * e(-abs(y - centre) / scale) / (2 * scale)

    ends = sorted({least, max(centre, least), least + 60 * scale})
    beyond = sum(quad(weighed, a, b)[0] for a, b in itertools.pairwise(ends))
    ends = sorted({-least, min(centre, -least), -least - 60 * scale})
    before = sum(quad(weighed, a, b)[0] for a, b in itertools.pairwise(ends))
    assert abs(float(truncated_laplace_mean(centre, least, float(scale))) - beyond - before) < 1e-7


def test_a_chi_squared_tail_is_that_of_a_poisson_variable_for_even_dimensions_and_a_normal_one_for_one():
    from math import erfc, factorial

    x = 3.7
    poisson = sum((x / 2) ** k * 2.718281828459045 ** (-x / 2) / factorial(k) for k in range(3))
    assert abs(float(chi_squared_tail(6.0, x)) - poisson) < 1e-12
    assert abs(float(chi_squared_tail(1.0, x)) - erfc(float(sqrt(x / 2)))) < 1e-12
