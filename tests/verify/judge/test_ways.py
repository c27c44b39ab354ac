"""Ways to show a statement that are more than its rules, and what each of them asks for."""

import random
from fractions import Fraction

import pytest

from banditproof import judge
from banditproof.verify.judge.expansions import fails_near_an_end
from banditproof.verify.judge.formulas.printing import plain_sentence
from banditproof.verify.judge.reading.readers import read
from banditproof.verify.judge.receipts.receipt import receipt
from banditproof.verify.judge.ways.closed_forms import by_neighbours, by_tail
from banditproof.verify.judge.ways.forms import by_largest
from banditproof.verify.judge.ways.from_far import by_far_end
from banditproof.verify.judge.ways.logarithms import by_bounds_of_logarithms
from banditproof.verify.judge.ways.ordered import by_order
from banditproof.verify.judge.ways.points import Asked, failing
from banditproof.verify.judge.ways.products import by_factors_of_products, by_sum_alone, with_exponentials
from banditproof.verify.judge.ways.proofs import proved
from banditproof.verify.judge.ways.residues import by_rounding, by_whole_numbers
from banditproof.verify.judge.ways.worst import by_worst_place
from tests.cases import lines, texts

TEXTS = texts(__file__)


@pytest.mark.parametrize("bound, ends", [("x", "(0, 1/2)"), ("(1 - x)", "(1/2, 1)")])
def test_a_count_follows_no_number_that_is_not_whole(bound, ends):
    """The statements are true, and would fail where n could be x."""
    answer = judge(f"(n - x)^2 >= {bound}^2 for x in {ends}, integer n in (-inf, inf)", seconds=20)
    assert answer.verdict in ("open", "proved")


def test_roundings_are_told_right_on_every_piece(every_point):
    """At random numbers: the claims of the pieces together say what the statement says."""
    generator = random.Random(3)
    for _ in range(60 if every_point else 8):
        a, b, c = (Fraction(generator.randint(-6, 6), generator.choice((1, 2, 3))) for _ in range(3))
        words = generator.choice(("floor", "ceil")), generator.choice(("floor", "ceil"))
        low = Fraction(generator.randint(-4, 4), 3)
        text = f"{words[0]}({a or 1}*x + ({b})) + {words[1]}(x/2) <= ({c})*x + 2 for x >= {low}"
        reading = read(text)
        asked = Asked(reading.sentence, dict(reading.ranges))
        if (found := by_rounding(asked)) is None:
            continue
        if all(asked.fails({"x": low + Fraction(k, 12)}) is None for k in range(120)):
            continue
        points = [{"whole": Fraction(n), "rest": Fraction(k, 12)} for n in range(-9, 10) for k in range(72)]
        told = (claim.fails({n: p[n] for n in claim.ranges}) for claim in found[0] for p in points)
        assert any(failure is not None for failure in told), text


def test_a_product_that_begins_later_than_its_count_has_no_ratio_of_neighbours():
    """Up to n = 4 the product is empty, so that the next one is no factor more; points would not be asked here."""
    reading = read("prod(1/2, k=5..n) <= (1/2)^(n - 1) for integer n >= 1")
    assert list(by_neighbours(Asked(reading.sentence, dict(reading.ranges)))) == []
    reading = read("prod(1/2, k=5..n) <= (1/2)^(n - 4) for integer n >= 4")
    assert len(list(by_neighbours(Asked(reading.sentence, dict(reading.ranges))))) == 1


@pytest.mark.parametrize("low", ["0", "1"])
def test_steps_of_1_ask_that_every_gamma_function_has_a_positive_argument(low):
    """gamma(z + 1) = z gamma(z) holds below 0 too, where logarithms of the sides mean nothing."""
    reading = read(f"gamma(x - 1/2)/gamma(x - 1) <= sqrt(x) for x > {low}")
    ways = list(by_far_end(Asked(reading.sentence, dict(reading.ranges))))
    assert bool(ways) == (low == "1")
    asked_for = {plain_sentence(c.comparison) for claims, _ in ways for c in claims if isinstance(c, Asked)}
    assert not ways or asked_for >= {"x - 1/2 > 0", "x - 1 > 0"}


FALSE = lines(TEXTS["false"])
NOT_PROPOSED = lines(TEXTS["not proposed"])
WITHOUT_A_VALUE = (
    "(x - y)/(x - y) <= 1 for x, y in [0, 1]",
    "floor(1/x) <= 1/x for x in [-1, 1]",
    "floor(x/y) <= x/y for x in R, y in R",
    "max(x, 1/y) >= x for x in [0, 1], y in [0, 1]",
)


def _claims(statement):
    """Of every way that changes a statement: what it asks for."""
    reading = read(statement)
    asked = Asked(reading.sentence, dict(reading.ranges), reading.conditions)
    yield from (claims for changed in (True, False) for claims, _ in by_order(asked, changed))
    yield from (found[0] for form in (by_whole_numbers, with_exponentials, by_largest) if (found := form(asked)))
    yield from ((instead, *claims) for instead, claims, _ in by_factors_of_products(asked))
    yield from [(found[0], *found[1])] if (found := by_sum_alone(asked)) else []
    yield from (claims for claims, _ in by_bounds_of_logarithms(asked))
    yield from ((there, *needed) for there, needed, _ in by_worst_place(asked))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("statement", FALSE)
def test_what_a_way_asks_of_a_false_statement_fails_somewhere(statement):
    found = list(_claims(statement))
    assert found
    for claims in found:
        assert any(failing(claim, draws=600)[0] is not None for claim in claims)


@pytest.mark.parametrize("statement", NOT_PROPOSED)
def test_a_way_that_is_seen_to_fail_is_not_proposed(statement):
    assert list(_claims(statement)) == []


@pytest.mark.parametrize("statement", lines(TEXTS["no worst place"]))
def test_sides_are_closest_inside_of_a_range_where_the_gap_grows_both_ways_from_a_place(statement, at_most):
    reading = read(statement)
    with at_most(10, "of looking for places"):
        assert not list(by_worst_place(Asked(reading.sentence, dict(reading.ranges), reading.conditions)))


def test_a_slope_that_is_no_quotient_of_polynomials_is_not_taken_for_zero():
    reading = read("kl(p, x) + gamma(1 + x) >= 1/2 for p in (0, 1), x in (0, 1)")
    ((_, needed, _),) = by_worst_place(Asked(reading.sentence, dict(reading.ranges)))
    assert any(claim.comparison.sign == ">=" for claim in needed if isinstance(claim, Asked))


@pytest.mark.parametrize("statement", WITHOUT_A_VALUE)
def test_what_a_way_asks_of_a_statement_without_a_value_is_not_proved(statement):
    found = list(_claims(statement))
    assert found
    for claims in found:
        assert any(isinstance(proved(claim, 0.1, 10.0), str) for claim in claims)


def test_a_path_stays_in_the_ranges():
    """q = 2 p leaves (0, 1) as p goes to 1, and a statement that fails only there is not refuted."""
    reading = read("q <= 1 for p in (0, 1), q in (0, 1)")
    assert fails_near_an_end(Asked(reading.sentence, dict(reading.ranges)), reading) is None


@pytest.mark.parametrize(
    "statement",
    ["sum(1/k, k=1..n) <= 10 + 0.9 log(n) for integer n >= 1", "gamma(x + 1/2)/gamma(x) <= sqrt(x) for x > 0"],
)
def test_what_fails_near_an_end_has_a_receipt_of_the_standard_library_alone(alone, statement):
    done = alone(receipt(judge(statement)))
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("letter", ["t", "t_0"])
def test_the_distance_from_infinity_has_a_letter_of_its_own(letter):
    """With the letter of another variable the distance of 1/n from t would be 0."""
    assert judge(f"1/n -> {letter} as n -> inf for {letter} > 0", seconds=4).verdict == "refuted"


def test_a_sum_whose_summands_depend_on_its_length_has_no_tail():
    reading = read("sum(sqrt(k)/n^2, k=1..n) <= 3 - log(n)/n^3 for integer n >= 1")
    assert list(by_tail(Asked(reading.sentence, dict(reading.ranges)))) == []


def test_a_maximum_that_is_not_reached_is_no_supremum():
    with pytest.raises(ValueError, match="write sup"):
        read("max(x - floor(x), x in [0, 1]) = 1")
    answer = judge("max(1 - exp(-x), x >= 0) = 1", seconds=4)
    assert answer.verdict == "refuted" and answer.reading.said.startswith("max(")


def test_a_whole_number_at_the_end_of_a_range_is_exact():
    low = read("n <= n^2 for integer n >= 10^300").ranges["n"].low
    assert low.args[0] == 10**300


def test_a_power_of_a_number_may_stand_behind_a_factor_and_a_number_may_not():
    point = {"n": 3}
    asked = Asked(read("n^2 2^n = 72 for integer n >= 3").sentence, {}, ())
    assert asked.fails(point) is None
    with pytest.raises(ValueError, match="write \\* between them"):
        read("n 2 = 6 for integer n >= 3")


def test_the_ratio_of_a_factorial_with_two_letters_asks_that_it_is_one_of_a_count():
    reading = read("binom(n, k) <= 2^n when k <= n for integer n >= 1, integer k >= 0")
    ((claims, _),) = by_neighbours(Asked(reading.sentence, dict(reading.ranges), reading.conditions))
    assert {plain_sentence(c.comparison) for c in claims} >= {"n + 1 > 0", "k + 1 > 0", "n - k + 1 > 0"}
    assert {plain_sentence(c) for c in claims[-1].conditions} == {"k + 1 <= n"}


def test_ends_that_belong_to_no_range_are_added_for_a_chord():
    """Above a chord from p = q to an end: log 2 is the best constant, so floats see no slope to go by."""
    assert judge("kl(p, (p + q)/2)/2 + kl(q, (p + q)/2)/2 <= log(2) abs(p - q) for p, q in (0, 1)").verdict == "proved"
