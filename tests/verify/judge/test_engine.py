"""The engine: verdicts on statements of known truth, points that refute, and nothing that is settled wrongly."""

import json
import sys
import time
from dataclasses import replace
from fractions import Fraction
from functools import cache
from importlib import import_module
from math import isnan
from pathlib import Path

import pytest

from banditproof import judge
from banditproof.theory.numbers.numeric import FLOAT, system, to_ball
from banditproof.theory.numbers.term import number
from banditproof.verify.judge import showing
from banditproof.verify.judge.formulas.certain import NoValue, Unknown, compared, value_at
from banditproof.verify.judge.formulas.floats import value_of
from banditproof.verify.judge.formulas.formula import INFINITY, num, put, slope
from banditproof.verify.judge.formulas.sentence import Compare, Unread
from banditproof.verify.judge.reading.readers import read
from banditproof.verify.judge.showing import Budget, first_shown
from banditproof.verify.judge.ways.goals import Way, plan
from banditproof.verify.judge.ways.points import Asked, Near, corners, failing, failing_inside
from banditproof.verify.judge.ways.proofs import Late, within
from banditproof.verify.proof.evaluation import value_at as value_of_term
from tests.cases import lines, rows, texts

TEXTS = texts(__file__)

ROWS = [json.loads(line) for line in (Path(__file__).parent / "statements.jsonl").read_text().splitlines()]


@cache
def readings(truth):
    """The rows that are true, or not, and are read, with their readings."""
    return [*read_rows(truth)]


def read_rows(truth):
    for row in ROWS:
        if (row["truth"] == "true") == truth:
            try:
                yield row, read(row["plain"], row["domain"], "plain")
            except Unread:
                continue


def test_every_false_comparison_is_refuted_by_a_point_and_no_true_one(every_point):
    """Points alone, without any proof; what is left are infima, whose values are no points, and exact ties."""
    missed = []
    for truth in (True, False):
        for row, reading in readings(truth):
            if not isinstance(reading.sentence, Compare) or (not every_point and int(row["id"][1:]) % 20):
                continue
            found, _ = failing(Asked(reading.sentence, reading.ranges, reading.conditions), draws=2000)
            assert not (truth and found), row
            if not truth and found is None:
                missed.append(row["id"])
    assert set(missed) <= {"G088", "G249", "G095", "H007"}


def test_no_point_refutes_a_true_statement(every_point):
    """Corners, ends, tiny and huge numbers, and descent from where the sides are closest."""
    for row, reading in readings(True):
        if not isinstance(reading.sentence, Compare) or (not every_point and int(row["id"][1:]) % 12):
            continue
        asked = Asked(reading.sentence, reading.ranges, reading.conditions)
        for place, point in enumerate(corners(asked)):
            if place > (800 if every_point else 60):
                break
            assert asked.fails(point) is None, (row, point)
        assert failing_inside(asked, draws=20_000 if every_point else 1500)[0] is None, row


@pytest.mark.parametrize("statement, why", rows(TEXTS["places without a value"]))
def test_a_place_without_a_value_refutes(statement, why):
    answer = judge(statement)
    assert answer.verdict.startswith("refuted") and answer.failure.kind == "no value" and why in answer.failure.sides[0]


@pytest.mark.parametrize(
    "statement",
    [
        pytest.param("log(1 + x) <= x for x > -1", id="of one"),
        pytest.param("kl(p, q) >= 2.1 (p - q)^2 for p in [0, 1], q in (0, 1)", id="of two"),
        pytest.param("sum(1/k, k=1..n) <= 0.9 + log(n) for integer n >= 1", id="of a count"),
    ],
)
def test_the_same_work_gives_the_same_answer(statement):
    first, second = (judge(statement) for _ in range(2))
    assert (first.verdict, first.failure, first.work) == (second.verdict, second.failure, second.work)


def test_exact_values_agree_with_floats():
    """Every row at simple points: the certified value and the float are close, and have a value at the same places."""
    compared_at = 0
    for row, reading in [*readings(True), *readings(False)]:
        if not isinstance(reading.sentence, Compare):
            continue
        asked = Asked(reading.sentence, reading.ranges, reading.conditions)
        for _, point in zip(range(8), corners(asked), strict=False):
            for side in (reading.sentence.left, reading.sentence.right):
                try:
                    exact = value_at(side, point, 200)
                except (NoValue, Unknown):
                    continue
                near = float(value_of(side, {n: float(v) for n, v in point.items()}))
                there = float(to_ball(exact).mid()) if not isinstance(exact, float) else exact
                if isnan(near):  # beyond the largest float, as in erfc(x) exp(x^2)
                    continue
                assert near == pytest.approx(there, rel=1e-6, abs=1e-9), (row["id"], point)
                compared_at += 1
    assert compared_at > 400


@pytest.mark.parametrize("formula", lines(TEXTS["formulas"]))
def test_a_derivative_is_the_slope(formula):
    """Against a difference quotient in floats."""
    body = read(f"{formula} >= 0 for x in (0, 1)").sentence.left
    derivative = slope(body, "x")
    for x in (Fraction(1, 4), Fraction(3, 5)):
        step = Fraction(1, 10**5)
        high, low = (float(to_ball(value_at(put(body, {"x": num(x + s)}), {}, 200)).mid()) for s in (step, -step))
        right = float(to_ball(value_at(derivative, {"x": x}, 200)).mid())
        assert right == pytest.approx((high - low) / (2 * float(step)), rel=1e-6)


def test_equal_sides_are_no_failure_and_a_tie_is_one_for_a_strict_sign():
    reading = read("x <= x^2 for x in [1, 2]")
    assert compared(reading.sentence, {"x": Fraction(1)})[0]
    assert not compared(Compare(reading.sentence.left, "<", reading.sentence.right), {"x": Fraction(1)})[0]


BEST = dict(rows(TEXTS["best constants"]))


@pytest.mark.parametrize("statement, best", BEST.items(), ids=BEST)
def test_the_best_constant_is_found_and_proved(statement, best):
    """It is proved with the best value, and a point refutes one that is stronger by little."""
    found = judge(statement, constant=True).bracket
    assert found.best == best
    value = float(value_of(read(f"{best} >= x for x in [0, 1]").sentence.left, {}))
    assert (
        abs(float(found.fails) / value - 1) <= found.gap * 1.001 < 1e-3
        and (found.fails > value) == found.larger_is_stronger
    )


@pytest.mark.parametrize("denominator, printed", [("2 max(p, q)", "1/2"), ("(5/2) max(p, q)", "2/5")])
def test_a_constant_is_the_whole_factor_of_a_side(denominator, printed):
    """Of a printed denominator too; where an edge has no value with any constant it is asked inside of the ranges."""
    found = judge(f"kl(p, q) >= (p - q)^2/({denominator}) for p in [0, 1], q in [0, 1]", constant=True)
    bracket = found.bracket
    assert found.verdict == "refuted at an edge" and bracket.inside and bracket.printed == Fraction(printed)
    assert bracket.best == "0.5" and bracket.holds == Fraction(1, 2) < bracket.fails
    claim = read(f"kl(p, q) >= ({bracket.fails}) ((p - q)^2/max(p, q)) for p in (0, 1), q in (0, 1)")
    assert not compared(claim.sentence, bracket.fails_at)[0]


WRONG = dict(rows(TEXTS["wrong constants"]))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("statement, value", WRONG.items(), ids=WRONG)
def test_a_wrong_constant_is_corrected(statement, value):
    """The corrected sentence is proved when it is asked; the value that fails does so at the place that is told."""
    found = judge(statement)
    assert found.verdict == "refuted" and found.repair.changed.startswith(f"{value} in place of ")
    assert found.repair.evidence and judge(found.repair.said).verdict.startswith("proved")
    assert found.bracket.best == value and found.bracket.gap < 1e-2


NARROWER = dict(rows(TEXTS["promises that are kept on a smaller range"]))


@pytest.mark.parametrize("statement, kept", NARROWER.items(), ids=NARROWER)
def test_a_promise_that_is_broken_is_told_where_it_is_kept(statement, kept):
    """A sensitivity that is not printed may be any number; the smaller range is proved when it is asked."""
    found = judge(statement)
    assert found.verdict == "refuted" and found.failure is not None
    assert (found.repair is None) == (kept == "")
    if found.repair:
        assert kept in found.repair.said and kept.split()[0] in found.repair.changed
        assert judge(found.repair.said).verdict.startswith("proved")


def test_a_constant_that_nothing_repairs_is_left_alone():
    found = judge("exp(x) <= 1.5 + x/4 for x >= 0")
    assert found.verdict == "refuted" and (found.repair is None or "range" in found.repair.changed)


def test_a_comparison_of_numbers_is_refuted_without_a_point():
    assert judge("1/2 <= exp(1/2)*(1/2)*exp(-1)").verdict == "refuted"


def test_what_was_read_is_printed_so_that_it_reads_back_and_can_be_set():
    """The line of plain text gives the same reading; its LaTeX is converted for a page."""
    pytest.importorskip("latex2mathml")
    from banditproof.claims.report.mathml import formula

    for row, reading in [*readings(True), *readings(False)]:
        again = read(reading.said, None, "plain")  # where nothing is left to be assumed
        assert replace(again, assumed=()) == replace(reading, assumed=()), row
        if isinstance(reading.sentence, Compare):
            assert "<math" in formula(reading.tex, display=True), row


def test_a_cap_on_the_seconds_holds_for_sums_of_sums():
    """Points of such a statement take long each; what is not settled by then is open."""
    answer = judge("sum(sum(sum(i j k, i=1..n), j=1..n), k=1..n) >= 0 for integer n >= 1", seconds=1)
    assert answer.seconds < 10 and answer.verdict in ("open", "proved")


@pytest.mark.parametrize("first", [True, False])
def test_to_look_for_a_way_takes_no_longer_than_there_is_time(at_most, first):
    """The equations of a way may keep SymPy for ever."""

    def never():
        yield from plan(read("x <= 1 for x in [0, 1]")).ways if first else ()
        while True:
            pass

    with at_most(20, "for half a second"):
        found, reasons = first_shown(never(), Budget(1.0, time.perf_counter() + (100 if first else 0.5)))
    assert (found is not None) if first else (found is None and reasons == ["out of time"])


def test_leading_terms_take_no_longer_than_there_is_time(at_most, monkeypatch):
    """Those of two variables may take minutes."""

    def forever(_):
        while True:
            pass

    monkeypatch.setattr(showing, "near_end", forever)
    near = Near(read("x >= 1 for x >= 1").sentence, "x", INFINITY, 0, {})
    with at_most(20, "for half a second"):
        found, reasons = first_shown([Way((near,))], Budget(1.0, time.perf_counter() + 0.5))
    assert found is None and "leading terms: out of time" in reasons


@pytest.mark.parametrize(
    ("text", "field", "both"),
    [("[0, 1]", "[0, 2]", True), ("[0, 2]", "[0, 1]", True), ("[0, 1]", "[0, 1)", True), ("[0, 1]", "[0, 1]", False)],
)
def test_a_range_that_is_given_twice_is_told_where_both_differ(text, field, both):
    answer = judge(f"x <= 1 for x in {text}", {"x": field}, seconds=30)
    assert answer.verdict == "proved" and ("both speak of x" in str(answer)) == both


def test_a_range_may_be_a_single_number():
    assert judge("kl(p, q) = -log(1 - q) for p in [0, 0], q in (0, 1)", seconds=60).verdict == "proved"


def test_a_divergence_that_is_exactly_0_is_no_ball_around_0():
    answer = judge("d_eps(x, y, epsilon) > 0 when x <= y for x in [0, 1), y in [0, 1), epsilon > 0", seconds=60)
    assert answer.verdict == "refuted at an edge" and answer.failure.sides == ("0", "0")


def test_an_import_is_waited_for_when_the_time_is_over(tmp_path, monkeypatch):
    """Half of a module would stay behind, and later statements of the same process would meet it."""
    (tmp_path / "slow_module.py").write_text("import time\ntime.sleep(0.3)\nwhole = True\n")
    (tmp_path / "calls_judge.py").write_text(
        "import time\nfrom banditproof.verify.judge.ways.proofs import Late, within\n"
        "try:\n    with within(0.1):\n        time.sleep(2)\nexcept Late:\n    ended = True\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(Late), within(0.1):
        import_module("slow_module")
        time.sleep(2)
    assert sys.modules["slow_module"].whole and import_module("calls_judge").ended


def test_arithmetic_is_left_as_it_was_whenever_the_time_is_over(monkeypatch):
    """A switch to balls that was left half way made every later number of the process a ball."""
    monkeypatch.setattr("banditproof.verify.judge.ways.proofs.SHORTEST", 1e-4)
    third = number(Fraction(1, 3))
    for of_a_second in range(100, 1100):
        with pytest.raises(Late), within(of_a_second / 1e6):
            while True:
                value_of_term(third, {})
    assert system(Fraction(1, 2)) == FLOAT and type(Fraction(1, 2) ** 0.5) is float


def test_a_block_within_another_one_takes_no_more_than_is_left():
    since = time.perf_counter()
    with pytest.raises(Late), within(0.3):
        with within(60):
            pass
        with pytest.raises(Late), within(60):
            time.sleep(5)
        time.sleep(5)
    assert time.perf_counter() - since < 3


def test_a_long_sum_is_not_simplified_before_its_points_are_looked_at():
    long = "(n*(k/n - mu)^2 - n*n/(n - 1)*(k/n - mu + (mu - t)/n)^2)/(2*mu*(1 - mu))"
    of = f"sum(binom(n, k)*mu^k*(1 - mu)^(n - k)*({long})^4, k=0..n)"
    answer = judge(f"n*{of} <= 1/1000 for integer n >= 5, mu in [0.2, 0.8], t in [0, 1]", seconds=30)
    assert answer.verdict == "refuted"


def test_a_variable_is_never_taken_for_the_constant_of_euler():
    assert judge("euler_ + 1/n -> 3/5 as n -> inf for integer n >= 1, euler_ in [3/5, 3/5]").verdict == "proved"
    assert judge("euler + 1/n -> 3/5 as n -> inf for integer n >= 1").verdict == "refuted"


def test_an_edge_says_no_more_than_what_is_proved():
    inside = judge("(x - 1)^2 (x - 2)^2 > 0 for x in [0, 3]")
    assert inside.verdict == "refuted at an edge" and "where both sides are equal, and it is proved with" in inside.why
    ends = judge("x y (1 - x) > 0 for x in [0, 1], y in [0, 1]")
    assert ends.verdict == "refuted at an edge" and "on a smaller range" in ends.why
    assert ends.repair.said == "x*y*(1 - x) > 0 for x in (0, 1), y in (0, 1)"


def test_numbers_without_a_letter_are_compared_however_close_they_are():
    assert judge("sqrt(10) + sqrt(11) > sqrt(5) + sqrt(18)").verdict.startswith("proved")
    assert judge("gamma(1/2)^2 > pi").verdict != "proved"


@pytest.mark.parametrize("statement, said", rows(TEXTS["other words"]))
def test_other_words_for_a_limit_and_for_the_spread_of_noise_say_the_same(statement, said):
    answer = judge(statement)
    assert answer.reading.said == said and answer.verdict.startswith("proved")


def test_an_extremum_up_to_a_formula_of_a_count_is_settled():
    assert judge("sup(x, x in (0, 1/K)) = 1/K for integer K >= 2").verdict == "proved"


def test_an_infimum_that_is_not_reached_is_found():
    assert judge("inf(exp(-x), x > 0) = 0 for y in (0, 1)").verdict == "proved"
    assert judge("inf(t + 1, t in (0, 1)) > 1 for y in (0, 1)").verdict == "refuted"


def test_a_product_with_a_logarithm_of_0_has_no_value_at_an_edge():
    answer = judge("x y <= x log(x) + exp(y - 1) for x >= 0, y in (-inf, inf)", seconds=60)
    assert answer.verdict == "refuted at an edge" and "unless 0 log 0 counts as 0" in answer.why
