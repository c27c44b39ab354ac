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


def at_most_three(m, n):
    return m + n, "<=", 3


def misspelt(x, n, sacle=1):
    return x, "<=", n * sacle


def rooted(n):
    return n**0.5, "<=", n


def undefined(n):
    return float("nan"), "!=", n


def checked(domain, constants=None):
    return Check("TEST", domain, constants or {})


PAIR, TWO, FEW = "integer [1, 2]", Domain.of(x="[0, 1]", n="[1, 2]"), Domain.of(n="integer [1, 3]")
COUNTS = Domain.of(m="integer [1, 3]", n="integer [1, 2]")


GRID = {"m": range(1, 4), "n": range(1, 3)}
LISTED = [{"m": m, "n": n} for m in GRID["m"] for n in GRID["n"]]
TWICE = [{"m": 1, "n": 1}, {"m": 1, "n": 2}, {"n": 2, "m": 1}, {"m": 2, "n": 1}]
FREE = Domain.of(x="[0, inf)", n=PAIR)
ORDERED, SQUARE = (
    Domain.of(where=["m <= n"], m="integer [1, 3]", n="integer [1, 2]"),
    Domain.of(x="[0, 1]", scale="[1, 2]"),
)
ENDLESS = Domain.of(where=["m <= n"], m="integer [1, inf)", n="integer [1, inf)")
COVERED = {
    "a full grid of a finite domain": (COUNTS, ordered, GRID, None, 6, "proved"),
    "a program": (COUNTS, ordered_by_python, GRID, None, 6, "supported"),
    "points without one combination of values": (COUNTS, ordered, LISTED[:-1], None, 5, "supported"),
    "all combinations": (COUNTS, ordered, LISTED, None, 6, "proved"),
    "a grid without what a constraint excludes": (ENDLESS, below, GRID, None, 3, "supported"),
    "a finite domain in spite of what is excluded": (ORDERED, ordered, GRID, None, 6, "proved"),
    "a region by hand beyond the values": (SQUARE, scaled, {"x": [0, "1/2", 1], "scale": [1]}, SQUARE, 3, "supported"),
    "a variable that the relation ignores": (FREE, free_of_x, {"n": [1, 2]}, None, 2, "proved"),
    "the same point in another order": (Domain.of(m=PAIR, n=PAIR), at_most_three, TWICE, None, 4, "supported"),
}


@pytest.mark.parametrize("what", COVERED)
def test_points_prove_where_they_are_all_of_the_domain(what):
    domain, relation, points, covers, count, verdict = COVERED[what]
    check = checked(domain)
    assert check.enumerate(relation, points, rational=covers is None, covers=covers)
    assert check.evidence[0].count == count
    decision = decide(domain, check.evidence)
    assert decision.name == verdict
    said = "a program computes both sides, and provers cannot read programs"
    assert (said in decision.reach) == (relation is ordered_by_python)


MISTAKEN = [
    (ENDLESS, {}, lambda check: check.enumerate(below, {"m": [3], "n": [2]}, rational=True), "at least one point"),
    (TWO, {}, lambda check: check.interval(free_of_x), "the variable x"),
    (TWO, {}, lambda check: check.interval(misspelt), "parameter of misspelt must be one of n, x"),
    (SQUARE, {"scale": 1}, lambda check: check.enumerate(scaled, {"x": [0, 1]}), "not a variable of the domain"),
    (FEW, {}, lambda check: check.enumerate(rooted, {"n": [1, 2, 3]}), "floats are rounded"),
    (FEW, {}, lambda check: check.enumerate(undefined, {"n": [1, 2, 3]}), "floats are rounded"),
    (
        Domain.of(x="all: every law"),
        {},
        lambda check: check.enumerate(lambda x: (x, "<=", 1), {"x": ["1/2"]}, rational=True),
        "the name of one of 'every law', not a number",
    ),
]


@pytest.mark.parametrize(("domain", "constants", "look", "said"), MISTAKEN, ids=[said for *_, said in MISTAKEN])
def test_what_no_step_can_look_at_is_refused(domain, constants, look, said):
    with pytest.raises(InvalidInput, match=said):
        look(checked(domain, constants))


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
