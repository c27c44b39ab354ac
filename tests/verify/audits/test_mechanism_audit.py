"""Audits of mechanisms whose budget is known: how often they err, what they refute, what they say of bad ones."""

from dataclasses import replace
from fractions import Fraction
from math import exp, log

import numpy as np
import pytest
from scipy import stats

from banditproof.theory import Budget
from banditproof.theory.errors import InvalidInput
from banditproof.theory.privacy.budget_composition import convert
from banditproof.verify.audits.mechanism_audit import (
    _draws_at_once,
    _range_text,
    audit_inputs,
    audit_mechanism,
    neighbouring_answers,
    neighbouring_databases,
)
from banditproof.verify.audits.refutation import shown_parameter
from banditproof.verify.proof.statistics import REPORT_ERROR, binomial_interval


def laplace(world, size, generator):
    return world + generator.laplace(0, 1, size)


def gaussian(world, size, generator):
    return np.column_stack([np.zeros(size), world / np.sqrt(2) * np.ones((size, 2))]) + generator.normal(size=(size, 3))


def randomised_response(world, size, generator):
    return world ^ (generator.random(size) > exp(1) / (1 + exp(1)))


def leaky_response(world, size, generator):
    told = generator.random(size) < 0.2
    return np.where(told, 2 + world, randomised_response(world, size, generator))


KNOWN = {  # each is (0.2, 1)-DP at worst, or 1-DP, or 1-GDP and 1/2-zCDP: tight
    "laplace": (laplace, Budget.pure(1.0)),
    "response": (randomised_response, Budget.pure(1.0)),
    "leaky response": (leaky_response, Budget.approximate(1.0, 0.2)),
    "gaussian": (gaussian, Budget.gdp(1.0)),
    "gaussian, zcdp": (gaussian, Budget.zcdp(0.5)),
    "gaussian, approximate": (gaussian, convert(Budget.gdp(1.0), "approximate", delta=0.05)),
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", KNOWN)
def test_no_more_audits_err_than_stated(name, every_point):
    """At error 1/10 an audit of the true budget may find a violation in a tenth of all audits, not in more."""
    mechanism, budget = KNOWN[name]
    error, audits = Fraction(1, 10), 60 if every_point else 30
    wrong = sum(
        audit_mechanism(mechanism, budget, samples=300, error=error, seed=s).verdict == "violation"
        for s in range(audits)
    )
    assert binomial_interval(wrong, audits, Fraction(1, 10**6))[0] <= error


@pytest.mark.parametrize("name", [name for name in KNOWN if "approximate" not in name])  # converted: not its least one
def test_half_of_the_true_budget_is_refuted(name):
    mechanism, budget = KNOWN[name]
    halved = {n: v if n == "delta" else v / 2 for n, v in budget.parameters.items()}
    audit = audit_mechanism(mechanism, replace(budget, **halved), samples=30_000)
    assert audit.verdict == "violation" and "violation" in str(audit)
    assert audit.shown <= budget.parameters[audit.parameter]


def test_exact_counts_of_an_event_give_the_largest_parameter_that_they_allow():
    audit = audit_mechanism(randomised_response, Budget.pure(1.0), samples=20_000)
    (more, fewer), n = sorted(audit.counts, reverse=True), audit.samples
    low, high = binomial_interval(more, n, audit.error / 2)[0], binomial_interval(fewer, n, audit.error / 2)[1]
    assert audit.shown == pytest.approx(max(log(low / high), log((1 - high) / (1 - low))), abs=1e-6)
    assert audit.looked_at == "the output"


def test_few_runs_cannot_refute_and_say_so():
    audit = audit_mechanism(laplace, Budget.pure(1.0), samples=5)
    assert audit.verdict == "inconclusive" and "more runs" in str(audit)


@pytest.mark.parametrize("samples", [1, 2, 3])
def test_a_run_or_two_of_several_answers_are_inconclusive(samples):
    assert audit_mechanism(gaussian, Budget.gdp(1.0), samples=samples).verdict == "inconclusive"


@pytest.mark.parametrize("samples", [2000, 2001])  # of which the halves share one run
def test_the_counts_are_those_of_the_ranges_in_fresh_runs(samples):
    audit = audit_mechanism(laplace, Budget.pure(1.0), samples=samples, seed=5)
    fresh = np.random.default_rng(np.random.SeedSequence(5).spawn(2)[1])
    drawn = [laplace(world, samples, fresh) for world in (0, 1)]
    inside = [sum(int(((low <= side) & (side < high)).sum()) for low, high in audit.ranges) for side in drawn]
    assert audit.counts == tuple(inside)


@pytest.mark.parametrize("seed", range(3))
def test_what_seems_to_exceed_the_budget_is_audited_with_more_samples(seed):
    """Eight normal answers, each with the noise for the whole budget: 20,000 samples show 0.42 of 0.5."""

    def eight(world, size, generator):
        return world + generator.normal(0, 2 * np.sqrt(2 * np.log(1250)), (size, 8))

    audit = audit_mechanism(eight, Budget.approximate(0.5, 1e-3), seed=seed)
    assert audit.verdict == "violation" and audit.samples == 100_000


@pytest.mark.parametrize("logarithm, verdict", [(np.log10, "violation"), (np.log, "not refuted")])
def test_a_small_delta_is_looked_for_in_the_tails(logarithm, verdict):
    """With the logarithm to base 10, epsilon = 1 needs a delta of about 1e-4."""
    scale = np.sqrt(2 * logarithm(1.25e5))
    audit = audit_mechanism(lambda w, k, g: w + scale * g.standard_normal(k), Budget.approximate(1.0, 1e-5))
    assert audit.verdict == verdict


LARGE = {  # e^8 is more than 20,000 runs can show
    "Laplace": (lambda w, k, g: w + g.laplace(0, 1 / 9, k), Budget.pure(8.0), "violation"),
    "Laplace, sound": (lambda w, k, g: w + g.laplace(0, 1 / 8, k), Budget.pure(8.0), "not refuted"),
    "the classical deviation": (lambda w, k, g: g.normal(w, 0.38844, k), Budget.approximate(8.0, 0.01), "violation"),
    "its exact delta": (lambda w, k, g: g.normal(w, 0.38844, k), Budget.approximate(8.0, 0.018), "not refuted"),
}


@pytest.mark.parametrize("name", LARGE)
def test_a_large_epsilon_has_as_many_runs_as_can_refute_it(name):
    """sqrt(2 log(1.25/delta))/epsilon holds below epsilon = 1: at 8 its delta is 0.0178."""
    mechanism, budget, verdict = LARGE[name]
    assert audit_mechanism(mechanism, budget).verdict == verdict


def test_one_output_after_the_other_takes_too_long_for_tails():
    assert _draws_at_once(laplace)
    assert not _draws_at_once(lambda world, size, g: np.array([world + g.laplace() for _ in range(size)]))


def test_an_event_that_seems_to_exceed_the_budget_is_counted_again():
    """Yes with 0.5 or 0.5/e^1.025: 100,000 runs show less than 1, and 400,000 of the same event refute it."""

    def told(world, size, generator):
        return (generator.random(size) < 0.5 / np.exp(1.025) ** world).astype(int)

    audit = audit_mechanism(told, Budget.pure(1.0))
    assert audit.verdict == "violation" and audit.samples == 400_000


@pytest.mark.parametrize("seed", range(2))
def test_a_path_without_noise_that_is_rare_shows_beside_noise_that_spends_all(seed):
    """One answer of 500 is exact but for a dither: another event came nearer to the budget, and was the only one."""

    def traced(world, size, generator):
        scale = np.where(generator.random(size) < 1 / 500, 1e-5, 1.0)
        return world + generator.laplace(0, 1, size) * scale

    assert audit_mechanism(traced, Budget.pure(1.0), seed=seed).verdict == "violation"


@pytest.mark.parametrize(("most", "verdict"), [(3, "violation"), (6, "not refuted")])
def test_rare_values_beside_noise_that_spends_little_are_counted_in_more_runs(most, verdict):
    """Normal noise within so many deviations: one answer of a thousand, or none that comes, is of one input alone."""

    def cut(world, size, generator):
        noise = generator.normal(0, 4, size)
        while (far := np.abs(noise) > 4 * most).any():
            noise[far] = generator.normal(0, 4, far.sum())
        return world + noise

    assert audit_mechanism(cut, Budget.approximate(1.0, 1e-5)).verdict == verdict


def test_the_ranges_of_an_event_are_joined_and_found_again():
    audit = audit_mechanism(laplace, Budget.pure(2.0), samples=2_000, seed=3)
    assert audit == audit_mechanism(laplace, Budget.pure(2.0), samples=2_000, seed=3)
    assert all(a[1] < b[0] for a, b in zip(audit.ranges, audit.ranges[1:], strict=False))
    assert "not refuted" in str(audit)


@pytest.mark.parametrize(
    ("mechanism", "options", "named"),
    [
        (lambda world, size, g: np.full(size, np.nan), {}, "output of the mechanism"),
        (lambda world, size, g: np.zeros(size - 1), {}, "output of the mechanism"),
        (lambda world, size, g: np.zeros((size, 1 + world)), {}, "output of the mechanism"),
        (lambda world, size, g: np.zeros((size, 0)), {}, "output of the mechanism"),
        (laplace, {"samples": 0}, "samples"),
        (laplace, {"error": 1}, "error"),
    ],
)
def test_bad_mechanisms_and_settings_are_named(mechanism, options, named):
    with pytest.raises(InvalidInput, match=f"{named} must be"):
        audit_mechanism(mechanism, Budget.pure(1.0), **{"samples": 50} | options)
    with pytest.raises(InvalidInput, match="budget must be"):
        audit_mechanism(laplace, Budget.pure(np.inf))


def shared(truth, size, generator):
    """Two answers with one draw of noise."""
    return truth + generator.laplace(0, 100, (size, 1))


def apart(truth, size, generator):
    return truth + generator.laplace(0, 100, (size, 2))


def test_one_draw_that_two_answers_share_is_seen():
    pair = np.array([0.0, 0.0]), np.array([1.0, 0.0])
    seen = [audit_mechanism(lambda w, n, g, of=of: of(pair[w], n, g), Budget.pure(1.0)) for of in (shared, apart)]
    assert [found.verdict for found in seen] == ["violation", "not refuted"]
    assert "combination of answers" in str(seen[0])


def test_answers_that_only_together_tell_the_inputs_apart():
    def parity(world, size, generator):
        coins = generator.integers(0, 2, (size, 3))
        coins[:, 2] = (coins[:, 0] + coins[:, 1] + world) % 2  # every two of them are fair coins
        return coins

    audit = audit_mechanism(parity, Budget.pure(1.0), samples=2000)
    assert audit.verdict == "violation"


def test_a_reward_that_is_in_every_running_total_is_paid_for_in_each():
    """Four totals with Laplace noise of scale b cost 4/b. All of them far to one side shows it, and no one of them."""

    def totals(scale):
        return lambda world, size, g: np.cumsum([world, 0, 1, 0]) + g.laplace(0, scale, (size, 4))

    twice = audit_mechanism(totals(2.0), Budget.pure(1.0))
    assert twice.verdict == "violation" and twice.shown > 1.4  # the best event of this kind shows 1.55 in as many runs
    assert audit_mechanism(totals(4.0), Budget.pure(1.0)).verdict == "not refuted"


def test_answers_that_tell_nothing_do_not_hide_those_that_tell():
    """Of the 15 sums of a binary tree over eight days one day moves four: with noise for two it costs 1, and the event
    that all four are above their values on the other input has the probabilities 1/16 and exp(-1)/16."""

    def published(world, size, generator):
        levels = [world * np.eye(1, days, 0)[0] for days in (8, 4, 2, 1)]
        return np.concatenate(levels) + generator.laplace(0, 4, (size, 15))

    audit = audit_mechanism(published, Budget.pure(0.5))
    counts = round(audit.samples / 16), round(audit.samples / 16 * np.exp(-1))
    best = shown_parameter(audit.budget, *counts, samples=audit.samples, error=audit.error)
    assert audit.verdict == "violation" and 0.8 * best <= audit.shown <= 1


def test_the_pair_of_inputs_is_searched():
    def all_ones(data, size, generator):  # told as it is
        return np.full(size, float(data.all())) + 0 * generator.random(size)

    audit = audit_inputs(all_ones, neighbouring_databases(3), Budget.pure(1.0), samples=500)
    assert audit.verdict == "violation" and audit.inputs is not None
    assert sorted(data.sum() for data in audit.inputs) == [2, 3] and "inputs [" in str(audit)
    honest = audit_inputs(apart, neighbouring_answers(2)[:6], Budget.pure(1.0), samples=500)
    assert honest.verdict == "not refuted"
    assert "entries" not in str(audit) and "are taken for neighbours" in str(audit)
    far = audit_inputs(all_ones, [(np.zeros(3), np.ones(3))], Budget.pure(1.0), samples=500)
    assert "[0. 0. 0.] and [1. 1. 1.], which differ in 3 entries, are taken for neighbours" in str(far)
    with pytest.raises(InvalidInput, match="inputs"):
        audit_inputs(apart, [], Budget.pure(1.0))


@pytest.mark.parametrize("size", [1, 2, 5, 9])
def test_the_pairs_that_are_tried_are_neighbours(size):
    for first, second in neighbouring_databases(size):
        assert {*first, *second} <= {0, 1} and (first != second).sum() == 1
    for first, second in neighbouring_answers(size):
        assert 0 < np.abs(first - second).max() <= 1
    assert len(neighbouring_databases(5)) == 5 * 2**4


def test_the_ends_of_a_range_are_told_apart():
    assert _range_text(1.4470001, 1.4470002) == "[1.4470001, 1.4470002)" and _range_text(1.5, 2.0) == "[1.5, 2)"


OUTPUTS_THAT_SAY_NOTHING = {
    "long tails": lambda size, g: g.standard_cauchy(size),
    "rounded tails": lambda size, g: np.round(3 * g.standard_cauchy(size)),
    "counts": lambda size, g: g.poisson(3, size),
    "clipped": lambda size, g: np.clip(g.laplace(size=size), -1, 1),
    "constant": lambda size, g: np.ones(size),
    "constant rows": lambda size, g: np.ones((size, 3)),
    "rounded": lambda size, g: np.round(g.random(size), 1),
    "saturated": lambda size, g: np.minimum(1.0, g.random(size) / 0.3),
    "sorted": lambda size, g: np.sort(np.round(g.random(size), 1)),
    "reversed": lambda size, g: np.sort(g.integers(2, size=size))[::-1].astype(float),
}


@pytest.mark.parametrize("outputs", OUTPUTS_THAT_SAY_NOTHING)
def test_equal_outputs_and_their_order_are_no_evidence(outputs, every_point):
    """Cells hold all outputs of a value or none, and an event is a set of values."""
    audits, false, error = 2000 if every_point else 30, 0, Fraction(1, 10)

    def mechanism(world, size, generator):
        return OUTPUTS_THAT_SAY_NOTHING[outputs](size, generator)

    for seed in range(audits):
        false += audit_mechanism(mechanism, Budget.pure(1e-6), samples=100, error=error, seed=seed).shown > 0
    assert binomial_interval(false, audits, Fraction(1, 10**6))[0] <= error


def among(*laws):
    """Draws from laws that are (probability in either world, draw)."""

    def draw(world, size, generator):
        chosen = generator.choice(len(laws), size, p=[chances[world] for chances, _ in laws])
        return np.choose(chosen, [law(world, size, generator) for _, law in laws])

    return draw


def on_grid(zero, one, low, high):
    edges = np.concatenate([[-np.inf], np.linspace(low, high, 4001), [np.inf]])
    return np.array([np.diff(law.cdf(edges)) for law in (zero, one)])


LAPLACE_SCALES = on_grid(stats.laplace(0, 10 / 3), stats.laplace(0, 2.5), -40, 40)
UTILITIES = np.array([np.sin(np.arange(20)), np.sin(np.arange(20)) + (-1.0) ** np.arange(20)])
CHOSEN = np.exp(UTILITIES) / np.exp(UTILITIES).sum(axis=1, keepdims=True)
GEOMETRIC = np.array([stats.geom(p).pmf(np.arange(1, 99)) for p in (0.3, 0.4)])
APART = [((0.495, 0.5), lambda w, k, g: g.random(k)), ((0.495, 0.5), lambda w, k, g: 4 + g.random(k))]


def laplace_scales(world, size, generator):
    return 10 * generator.laplace(0, 1, size) / [3, 4][world]


KNOWN_LAWS = {  # how it draws, and the probabilities of small cells in both worlds
    "laplace": (laplace, on_grid(stats.laplace(0), stats.laplace(1), -9, 10)),
    "laplace, scales": (laplace_scales, LAPLACE_SCALES),
    "normal": (lambda w, k, g: w + g.normal(size=k), on_grid(stats.norm(0), stats.norm(1), -6, 7)),
    "normal, scales": (
        lambda w, k, g: (1 + w / 5) * g.normal(size=k),
        on_grid(stats.norm(0, 1), stats.norm(0, 1.2), -7, 7),
    ),
    "geometric": (lambda w, k, g: g.geometric([0.3, 0.4][w], k), GEOMETRIC),
    "exponential mechanism": (lambda w, k, g: g.choice(20, k, p=CHOSEN[w]), CHOSEN),
    "clipped": (lambda w, k, g: np.clip(laplace_scales(w, k, g), -15, 30), LAPLACE_SCALES),
    "rounded": (lambda w, k, g: np.round(laplace_scales(w, k, g), 1), LAPLACE_SCALES),
    "mixed": (
        among(
            ((0.99, 0.998), lambda w, k, g: 9 + g.random(k)), ((0.01, 0.002), lambda w, k, g: 9.25 + 0 * g.random(k))
        ),
        np.array([[0.99, 0.01], [0.998, 0.002]]),
    ),
    "exclusive": (among(*APART, ((0.01, 0.0), lambda w, k, g: 2 + g.random(k))), np.array([[0.99, 0.01], [1.0, 0.0]])),
}


def best_fixed_event(cells, budget, samples):
    """What the event with the best ratio that is worth most shows if it occurs as often as expected."""
    shown = 0.0
    for one, two in (cells, cells[::-1]):
        order = np.argsort(-one / np.maximum(two, 1e-300), kind="stable")
        counts = np.rint(samples * np.minimum(cells[:, order].cumsum(axis=1), 1)).astype(int)
        shown = max(shown, *shown_parameter(budget, *counts, samples=samples, error=REPORT_ERROR).tolist())
    return shown


@pytest.mark.parametrize("name", KNOWN_LAWS)
def test_an_audit_shows_almost_what_the_best_event_does(name):
    mechanism, cells = KNOWN_LAWS[name]
    best = best_fixed_event(cells, Budget.pure(1.0), 50_000)
    shown = [audit_mechanism(mechanism, Budget.pure(1.0), samples=50_000, seed=s).shown for s in range(3)]
    assert np.median(shown) >= 0.8 * best > 0.3


@pytest.mark.parametrize("value", [0.25, 7.5, -60.0])  # in the middle, towards an end, beyond all others
def test_a_rare_answer_that_one_input_alone_has_is_found(value):
    told = among(((0.99, 1.0), laplace), ((0.01, 0.0), lambda w, k, g: value + 0 * g.random(k)))
    audit = audit_mechanism(told, Budget.pure(3.0), samples=100_000)
    assert audit.verdict == "violation" and audit.counts[1] <= 10
    alike = among(((0.99, 0.99), laplace), ((0.01, 0.01), lambda w, k, g: value + 0 * g.random(k)))
    assert audit_mechanism(alike, Budget.pure(3.0), samples=100_000).verdict == "not refuted"


def test_a_tail_is_seen_however_rare_it_is():
    assert audit_mechanism(laplace_scales, Budget.pure(1.0), samples=500_000).verdict == "violation"
    sound = Budget.pure(2 * np.arcsinh(1.0))  # the largest loss of a Cauchy law that moves by twice its width
    audit = audit_mechanism(lambda w, k, g: w + 0.5 * g.standard_cauchy(k), sound, samples=100_000)
    assert audit.verdict == "not refuted"


def test_a_report_is_neither_true_nor_false():
    report = audit_mechanism(lambda world, size, g: world + g.laplace(size=size), Budget.pure(1.0), samples=200)
    with pytest.raises(TypeError, match="verdict"):
        bool(report)
