"""Audits of mechanisms whose budget is known: how often they err, what they refute, what they say of bad ones."""

from fractions import Fraction
from math import exp, log

import numpy as np
import pytest

from banditproof.theory import Budget
from banditproof.theory.errors import InvalidInput
from banditproof.theory.privacy.privacy_conversions import convert
from banditproof.verify.audits.mechanism_audit import audit_mechanism
from banditproof.verify.proof.statistics import binomial_interval


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


@pytest.mark.parametrize("name", KNOWN)
def test_no_more_audits_err_than_stated(name):
    """At error 1/10 an audit of the true budget may find a violation in a tenth of all audits, not in more."""
    mechanism, budget = KNOWN[name]
    error, audits = Fraction(1, 10), 60
    wrong = sum(
        audit_mechanism(mechanism, budget, samples=300, error=error, seed=s).verdict == "violation"
        for s in range(audits)
    )
    assert binomial_interval(wrong, audits, Fraction(1, 10**6))[0] <= error


@pytest.mark.parametrize("name", [name for name in KNOWN if "approximate" not in name])  # converted: not its least one
def test_half_of_the_true_budget_is_refuted(name):
    mechanism, budget = KNOWN[name]
    halved = {n: v if n == "delta" else v / 2 for n, v in budget.parameters.items()}
    found = audit_mechanism(mechanism, Budget(budget.kind, **halved), samples=30_000)
    assert found.verdict == "violation" and "violation" in str(found)
    assert found.shown <= budget.parameters[found.parameter]


def test_exact_counts_of_an_event_give_the_largest_parameter_that_they_allow():
    found = audit_mechanism(randomised_response, Budget.pure(1.0), samples=20_000)
    (more, fewer), n = sorted(found.counts, reverse=True), found.samples
    low, high = binomial_interval(more, n, found.error / 2)[0], binomial_interval(fewer, n, found.error / 2)[1]
    assert found.shown == pytest.approx(max(log(low / high), log((1 - high) / (1 - low))), abs=1e-6)
    assert found.looked_at == "the output"


def test_few_runs_cannot_refute_and_say_so():
    found = audit_mechanism(laplace, Budget.pure(1.0), samples=5)
    assert found.verdict == "inconclusive" and "more runs" in str(found)


def test_the_ranges_of_an_event_are_joined_and_found_again():
    found = audit_mechanism(laplace, Budget.pure(2.0), samples=2_000, seed=3)
    assert found == audit_mechanism(laplace, Budget.pure(2.0), samples=2_000, seed=3)
    assert all(a[1] < b[0] for a, b in zip(found.ranges, found.ranges[1:], strict=False))
    assert "not refuted" in str(found)


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
