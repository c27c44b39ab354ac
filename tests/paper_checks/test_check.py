"""What a check may claim to have covered, and what its methods record when they fail."""

from fractions import Fraction

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.verdict import decide
from banditproof.verify.domain import Domain


def ordered(m, n):
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


def test_listed_points_that_miss_a_combination_are_no_proof_though_every_value_occurs():
    check = checked(COUNTS)
    points = [{"m": m, "n": n} for m in range(1, 4) for n in range(1, 3)]
    check.enumerate(ordered, points[:-1], rational=True)
    assert decide(COUNTS, check.evidence).name == "supported"
    complete = checked(COUNTS)
    complete.enumerate(ordered, points, rational=True)
    assert decide(COUNTS, complete.evidence).name == "proved"


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


def test_a_variable_fixed_by_a_constant_does_not_keep_its_range():
    domain = Domain.of(x="[0, 1]", scale="[1, 2]")
    check = checked(domain, {"scale": Fraction(1)})
    check.enumerate(scaled, {"x": [0, 1]})
    assert check.evidence[0].covers.sets["scale"].values == (Fraction(1),)


def test_enumeration_stops_at_a_counterexample_inside_the_domain():
    check = checked(Domain.of(x="[0, 1]"), {"scale": Fraction(1, 2)})
    assert not check.enumerate(scaled, {"x": [0, "1/2", 1]})
    assert check.refuted and check.evidence[-1].point == {"x": Fraction(1, 2)}


def test_a_failed_certificate_is_an_attempt_and_no_evidence():
    check = checked(Domain.of())
    assert not check.certificate(accepts_seven, 8)
    assert check.evidence == [] and check.attempts[0][0] == "certificate"
    assert check.certificate(accepts_seven, 7) and decide(Domain.of(), check.evidence).name == "proved"


def accepts_seven(data):
    return data, "==", 7


def test_a_certificate_with_steps_in_words_supports_and_says_what_a_proof_lacks():
    check = checked(Domain.of())
    assert check.certificate(accepts_a_seven, {"value": 7, "because": "Markov's inequality"})
    assert decide(Domain.of(), check.evidence).name == "supported"
    assert "Markov's inequality" in check.attempts[0][1]


def accepts_a_seven(data):
    return data["value"], "==", 7
