"""What a check may claim to have covered, and what its methods record when they fail."""

from fractions import Fraction
from functools import partial

import pytest

from banditproof.claims import Check, decide
from banditproof.claims.sets import Probability, domain_of
from banditproof.theory import InvalidInput, maximum, minimum
from banditproof.verify import Domain, recheck


def ordered(m, n):
    return minimum(m, n), "<=", maximum(m, n)


def below(m, n):
    return m * m, "<=", m * n


def ordered_by_python(m, n):
    return min(m, n), "<=", max(m, n)


def free_of_x(n):
    return n, "<=", n


def scaled(x, scale):
    return x, "<=", scale * x


def checked(domain, constants=None):
    return Check("TEST", domain, constants or {})


COUNTS = Domain.of(m="integer [1, 3]", n="integer [1, 2]")


def test_a_full_grid_of_a_finite_domain_is_a_proof():
    check = checked(COUNTS)
    assert check.enumerate(ordered, {"m": range(1, 4), "n": range(1, 3)}, rational=True)
    assert decide(COUNTS, check.evidence).name == "proved"


def test_a_program_proves_nothing_however_many_points_it_passes():
    check = checked(COUNTS)
    assert check.enumerate(ordered_by_python, {"m": range(1, 4), "n": range(1, 3)}, rational=True)
    decision = decide(COUNTS, check.evidence)
    assert (
        decision.name == "supported"
        and "a program computes both sides, and provers cannot read programs" in decision.reach
    )


def test_listed_points_that_miss_a_combination_are_no_proof_though_every_value_occurs():
    check = checked(COUNTS)
    points = [{"m": m, "n": n} for m in range(1, 4) for n in range(1, 3)]
    check.enumerate(ordered, points[:-1], rational=True)
    assert decide(COUNTS, check.evidence).name == "supported"
    complete = checked(COUNTS)
    complete.enumerate(ordered, points, rational=True)
    assert decide(COUNTS, complete.evidence).name == "proved"


def test_a_grid_leaves_out_what_a_constraint_excludes():
    domain = Domain.of(where=["m <= n"], m="integer [1, inf)", n="integer [1, inf)")
    check = checked(domain)
    assert check.enumerate(below, {"m": range(1, 4), "n": range(1, 3)}, rational=True)
    (found,) = check.evidence
    assert found.count == 3
    assert decide(domain, check.evidence).name == "supported"
    with pytest.raises(InvalidInput, match="at least one point"):
        checked(domain).enumerate(below, {"m": [3], "n": [2]}, rational=True)


def test_a_grid_that_covers_a_finite_domain_proves_it_in_spite_of_what_is_excluded():
    domain = Domain.of(where=["m <= n"], m="integer [1, 3]", n="integer [1, 2]")
    check = checked(domain)
    assert check.enumerate(ordered, {"m": range(1, 4), "n": range(1, 3)}, rational=True)
    assert decide(domain, check.evidence).name == "proved"


def test_a_region_given_by_hand_cannot_stretch_the_enumerated_values():
    domain = Domain.of(x="[0, 1]", scale="[1, 2]")
    check = checked(domain)
    check.enumerate(scaled, {"x": [0, "1/2", 1], "scale": [1]}, covers=domain)
    assert decide(domain, check.evidence).name == "supported"


def test_a_variable_the_relation_ignores_keeps_its_range():
    domain = Domain.of(x="[0, inf)", n="integer [1, 2]")
    check = checked(domain)
    check.enumerate(free_of_x, {"n": [1, 2]}, rational=True)
    assert decide(domain, check.evidence).name == "proved"


def test_a_relation_that_is_proved_has_to_take_every_number_and_nothing_misspelt():
    check = checked(Domain.of(x="[0, 1]", n="[1, 2]"))
    with pytest.raises(InvalidInput, match="the variable x"):
        check.interval(free_of_x)
    with pytest.raises(InvalidInput, match="parameter of misspelt must be one of n, x"):
        check.interval(misspelt)


def misspelt(x, n, sacle=1):
    return x, "<=", n * sacle


def test_a_constant_cannot_take_the_place_of_a_variable():
    check = checked(Domain.of(x="[0, 1]", scale="[1, 2]"), {"scale": Fraction(1)})
    with pytest.raises(InvalidInput, match="not a variable of the domain"):
        check.enumerate(scaled, {"x": [0, 1]})


def test_the_same_point_in_another_order_is_no_other_point():
    check = checked(Domain.of(m="integer [1, 2]", n="integer [1, 2]"))
    points = [{"m": 1, "n": 1}, {"m": 1, "n": 2}, {"n": 2, "m": 1}, {"m": 2, "n": 1}]
    check.enumerate(at_most_three, points, rational=True)
    assert decide(check.domain, check.evidence).name == "supported"


def at_most_three(m, n):
    return m + n, "<=", 3


@pytest.mark.parametrize("relation", ["rooted", "undefined"])
def test_a_float_is_no_side_of_an_exact_comparison(relation):
    check = checked(Domain.of(n="integer [1, 3]"))
    with pytest.raises(InvalidInput, match="floats are rounded"):
        check.enumerate(globals()[relation], {"n": [1, 2, 3]})


def rooted(n):
    return n**0.5, "<=", n


def undefined(n):
    return float("nan"), "!=", n


def test_enumeration_stops_at_a_counterexample_inside_the_domain():
    check = checked(Domain.of(x="[0, 1]"), {"scale": Fraction(1, 2)})
    assert not check.enumerate(scaled, {"x": [0, "1/2", 1]})
    assert check.refuted and check.evidence[-1].point == {"x": Fraction(1, 2)}


def test_a_refused_certificate_leaves_a_claim_undecided_that_points_support():
    check = checked(COUNTS)
    check.enumerate(ordered, {"m": [1, 2], "n": [1, 2]}, rational=True)
    assert decide(COUNTS, check.evidence).name == "supported"
    assert not check.certificate(accepts_seven, 8)
    assert check.attempts[0][0] == "certificate" and "accepts_seven" in check.evidence[-1].why
    assert decide(COUNTS, check.evidence).name == "undecided"
    assert recheck(check.evidence[-1].to_json()) is None


def test_a_certificate_that_is_accepted_supports():
    check = checked(Domain.of())
    assert check.certificate(accepts_seven, 7) and decide(Domain.of(), check.evidence).name == "supported"


def accepts_seven(data):
    return data, "==", 7


def test_a_certificate_with_steps_in_words_supports_and_says_what_a_proof_lacks():
    check = checked(Domain.of())
    assert check.certificate(accepts_a_seven, {"value": 7, "because": "Markov's inequality"})
    assert decide(Domain.of(), check.evidence).name == "supported"
    assert "Markov's inequality" in check.attempts[0][1]


def accepts_a_seven(data):
    return data["value"], "==", 7


def test_a_parameter_with_a_set_is_a_variable_and_has_no_default():
    def beside(x: Probability, y: Probability = 0):
        return x, ">=", y

    def behind_the_star(x: Probability, *, y: Probability = 0):
        return x, ">=", y

    for relation in (beside, behind_the_star):
        with pytest.raises(InvalidInput, match="a variable without a default"):
            domain_of(relation)


STEPS = 60  # rules that a search tries for a goal


def below_one_half(x):
    return x, "<=", Fraction(1, 2)


def below_minus_one(x):
    return 1 - x**2, "<=", -1


@pytest.mark.parametrize("relation", [below_one_half, below_minus_one])
@pytest.mark.parametrize("searches", [True, False])
def test_without_searches_a_false_statement_is_neither_refuted_nor_proved(relation, searches):
    check = Check("TEST", Domain.of(x="[0, 1]"), {}, searches=searches)
    for look in (
        lambda: check.search(relation, [{"x": Fraction(1)}]),
        lambda: check.counterexample(relation, {"x": Fraction(1)}),
        lambda: check.deduction(relation, STEPS),
        lambda: check.interval(relation, boxes=20),
        lambda: check.enumerate(relation, {"x": [1]}),
    ):
        look()
    assert check.refuted is searches
    verdict = decide(check.domain, check.evidence).name
    assert verdict == "refuted" if searches else verdict in ("supported", "undecided")


def test_a_proof_does_not_need_the_searches():
    domain = Domain.of(x="[0, 1]")
    for prove in (partial(Check.deduction, steps=STEPS), Check.interval):
        check = Check("TEST", domain, {"scale": 2}, searches=False)
        assert prove(check, scaled)
        assert decide(domain, check.evidence).name == "proved"


def above_its_negative(x):
    return -abs(x), "<=", abs(x)


def test_bisection_of_a_line_is_an_attempt_that_says_why_and_other_steps_go_on():
    check = checked(Domain.of(x="(-inf, inf)"))
    assert check.interval(above_its_negative)
    ((method, why),) = check.attempts
    assert method == "interval" and "bounded" in why and check.evidence == ()


def test_a_number_is_no_member_of_a_set_of_objects():
    check = checked(Domain.of(x="all: every law"))
    with pytest.raises(InvalidInput, match="the name of one of 'every law', not a number"):
        check.enumerate(lambda x: (x, "<=", 1), {"x": ["1/2"]}, rational=True)
