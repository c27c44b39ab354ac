"""The sequential test: rare false alarms however long it runs, refusals, and an honest word about its power."""

from fractions import Fraction
from math import inf, log
from time import monotonic, sleep

import numpy as np
import pytest

from banditproof.theory.errors import InvalidInput
from banditproof.verify.guarantees.report import SEEN, StatisticalReport, combined
from banditproof.verify.guarantees.sequential import FEWEST, check_mean, detectable, miss_probability
from banditproof.verify.proof.statistics import STAKES, binomial_interval, log_evidence
from banditproof.verify.stopwatch import Stopwatch, WallClock
from tests.cases import each

RARE = Fraction(1, 10**6)  # of a test failing by chance


def source(draw, seed=0):
    generator = np.random.default_rng(seed)
    return lambda count: draw(generator, count)


def exponential(scale):
    return lambda generator, count: np.minimum(generator.exponential(scale, count), 20.0)


def check(draw, bound, most=20.0, seed=0, **options):
    return check_mean(source(draw, seed), bound, most, tested="a mean", **options)


def test_evidence_settles_on_either_side_and_the_report_begins_with_the_cause():
    broken, kept = check(exponential(2.0), 1.0), check(exponential(0.3), 1.0)
    assert (broken.verdict, kept.verdict, broken.ok, kept.ok) == ("violation", "ok", False, True)
    assert str(broken).startswith("violation: the expectation is at least the bound: mean ")
    assert str(kept).startswith("ok: the expectation is below the bound 1: mean ")
    assert f"probability >= {SEEN}" in str(kept) and broken.runs < 1000 and kept.runs < 1000


def test_many_seeds_at_the_bound_itself_give_no_more_alarms_and_no_more_consent_than_stated(every_point):
    """The mean of min(exponential(s), 20) is s (1 - exp(-20 / s)); looking again and again does no harm."""
    error, bound, seeds = 0.05, 1 - np.exp(-20.0), 200 if every_point else 70
    verdicts = [
        check(exponential(1.0), bound, seed=seed, error=error, missed=error, seconds=0.01).verdict
        for seed in range(seeds)
    ]
    for verdict in ("violation", "ok"):
        assert binomial_interval(verdicts.count(verdict), seeds, RARE)[0] <= error
    assert verdicts.count("inconclusive") > seeds / 2


def test_rare_disasters_are_not_taken_for_a_small_mean():
    report = check(lambda generator, count: 20.0 * (generator.random(count) < 0.2), 1.0)
    assert report.verdict == "violation"
    few = check(lambda generator, count: 0.0 * generator.random(count), 1.0, most=1e6, seconds=0.2)
    assert few.verdict == "inconclusive"  # a mean of 1 may rest on one run in a million
    assert "too few to tell whether the bound 1 holds" in str(few)


def test_what_would_have_been_seen_is_seen():
    """Fresh runs of both stated alternatives break the bound with at least the stated probability."""
    sample, error, bound, most = np.random.default_rng(1).exponential(0.5, 100), 1e-3, 1.0, 20.0
    alike, rare = detectable(sample, bound, most, -log(error))
    assert bound < alike < rare < most
    factor = alike / sample.mean()
    generator = np.random.default_rng(2)
    alternatives = [
        np.minimum(generator.choice(sample * factor, (400, 100)), most),
        most * (generator.random((400, 100)) < rare / most),
    ]
    for runs in alternatives:
        seen = sum(log_evidence(row, bound) >= -log(error) for row in runs)
        assert binomial_interval(seen, 400, RARE)[1] >= SEEN and seen >= 0.85 * 400


def test_the_chance_of_a_miss_is_bounded_by_what_simulation_finds():
    law, weights, generator = np.array([0.0, 3.0]), np.array([0.5, 0.5]), np.random.default_rng(3)
    for runs in (20, 60, 100):
        missed = sum(log_evidence(generator.choice(law, runs, p=weights), 1.0) < log(20) for _ in range(400))
        assert miss_probability(law, weights, runs, 1.0, log(20)) >= binomial_interval(missed, 400, RARE)[0]
    assert miss_probability(law, weights, 600, 1.0, log(20)) < 1e-3


def test_runs_without_outcome_support_nothing():
    never = check(lambda generator, count: np.full(count, np.nan), 0.5, most=1.0, seconds=0.1)
    assert never.verdict == "inconclusive" and never.undecided == never.runs
    half = check(lambda generator, count: np.where(np.arange(count) % 2, np.nan, 0.0), 0.1, most=1.0)
    assert half.verdict == "ok" and half.undecided == half.runs // 2


@pytest.mark.parametrize(("name", "value"), each(bound=[20.0, -1.0, float("nan")], error=[0], missed=[1], seconds=[0]))
def test_bad_input_names_the_parameter(name, value):
    with pytest.raises(InvalidInput, match=name):
        check(exponential(1.0), **{"bound": 1.0, name: value})


def test_the_time_is_kept_but_for_the_first_round():
    def slowly(generator, count):
        watch = Stopwatch()
        while watch.seconds() < 0.002 * count:
            pass
        return generator.exponential(1.0, count)

    start = monotonic()
    report = check(slowly, 1.0, seconds=0.3)
    assert report.verdict == "inconclusive" and 32 <= report.runs <= 150
    assert report.seconds <= monotonic() - start


def test_values_outside_the_stated_range_are_refused():
    with pytest.raises(InvalidInput, match="what is drawn"):
        check(lambda generator, count: np.full(count, 21.0), 1.0)


def test_a_line_tells_how_far_it_is_when_asked(capsys, monkeypatch):
    monkeypatch.setattr("banditproof.verify.guarantees.sequential._QUIET", 0.0)
    check(exponential(1.0), 1.0, seconds=0.05, progress=True)
    assert "a mean: 32 runs, mean" in capsys.readouterr().err
    check(exponential(1.0), 1.0, seconds=0.05, progress=False)
    assert capsys.readouterr().err == ""


def test_a_report_on_several_is_as_bad_as_the_worst_and_names_the_closest_call():
    def part(verdict, mean):
        return StatisticalReport(verdict, f"part {mean}", "because", 0.01, 0.01, 10, 1.0, 2.0, 9.0, mean, 3.0, inf, 4.0)

    good, close, open_, bad = part("ok", 0.5), part("ok", 1.5), part("inconclusive", 1.0), part("violation", 1.0)
    assert combined("all", [good, close], 0.02, 1.0).verdict == "ok"
    assert combined("all", [good, close], 0.02, 1.0).closest is close
    assert combined("all", [good, open_], 0.02, 1.0).verdict == "inconclusive"
    assert combined("all", [open_, bad], 0.02, 1.0).verdict == "violation"
    assert combined("all", [good], 0.02, 1.0, missing="too few").verdict == "inconclusive"
    nothing = combined("all", [], 0.02, 1.0)
    assert nothing.verdict == "inconclusive" and "nothing to test" in str(nothing)


@pytest.mark.parametrize("ratio", [1.1, 2, 5, 10])
@pytest.mark.parametrize("bound", [1e-1, 1e-2, 1e-3, 1e-4])
def test_any_rate_above_the_bound_is_refuted_by_nearly_as_few_runs_as_any_test_needs(bound, ratio):
    """Of a test with error 1e-6 against the rate p = ratio * bound, log(1e6) / kl(p, bound) is the least number."""
    rate, error = min(ratio * bound, 1 - 1e-6), 1e-6
    gains = [
        rate * np.log1p(s * (1 / bound - 1)) + (1 - rate) * np.log1p(-s) for s in STAKES if s < 1
    ]  # what the evidence grows by in a run, for each stake
    least = -log(error) / (rate * log(rate / bound) + (1 - rate) * log((1 - rate) / (1 - bound)))
    assert (log(len(STAKES)) - log(error)) / max(gains) <= 1.3 * least


def test_six_errors_in_a_thousand_are_told_from_one():
    report = check(lambda generator, count: 1.0 * (generator.random(count) < 0.006), 0.001, most=1.0)
    assert report.verdict == "violation" and report.runs < 20_000


def test_a_test_that_was_left_open_goes_on_with_the_values_that_it_had():
    def drawn(seed=0):
        generator, kept = np.random.default_rng(seed), []

        def draw(count):
            kept.append((generator.random(count) < 0.3).astype(float))
            return kept[-1]

        return draw, kept

    draw, kept = drawn()
    first = check_mean(draw, 0.2, 1.0, tested="t", seconds=1e-6, first=16)
    assert first.verdict == "inconclusive" and first.runs == 16 and first.would_take > 0
    resumed = check_mean(draw, 0.2, 1.0, tested="t", first=16, before=np.concatenate(kept))
    at_once = check_mean(drawn()[0], 0.2, 1.0, tested="t", first=16)
    assert (resumed.verdict, resumed.runs, resumed.mean) == (at_once.verdict, at_once.runs, at_once.mean)
    assert resumed.verdict == "violation" and resumed.runs > 16


def test_evidence_that_will_suffice_has_longer_seconds_and_dear_runs_begin_with_few():
    def slow(of):
        def draw(count):
            sleep(0.002 * count)
            return np.full(count, of)

        return draw

    def tested(of, longer):
        return check_mean(slow(of), 0.25, 1.0, tested="t", seconds=1e-3, longer=longer, first=FEWEST, watch=WallClock())

    assert tested(0.125, None).verdict == "inconclusive" and tested(0.125, None).runs == FEWEST
    assert tested(0.125, 20.0).ok
    assert tested(0.24999, 20.0).runs == FEWEST  # which would take far longer
