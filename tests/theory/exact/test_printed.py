"""Printed bounds beside exact values: on the right side, by how much, and refuted where they are not."""

import math
from dataclasses import replace
from fractions import Fraction as F
from importlib.resources import files
from random import Random

import pytest

from banditproof.theory import (
    Enclosure,
    exact_identification_error,
    exact_minimax_regret,
    kl_bernoulli,
    printed_bounds_beside,
)
from banditproof.theory.exact import printed

MIRRORED = [["0.75", "0.25"], ["0.25", "0.75"]]


@pytest.mark.parametrize("function", [exact_minimax_regret, exact_identification_error])
@pytest.mark.parametrize("epsilon", ["0.001", "0.3", 1, 8, "inf"])
def test_no_printed_bound_is_on_the_wrong_side(function, epsilon):
    draw = Random(f"{function.__name__} {epsilon}")
    drawn = [[[F(draw.randint(0, 40), 40) for _ in range(2)] for _ in range(2)] for _ in range(3)]
    for instances in [MIRRORED, [["1", "0"], ["0", "1"]], *drawn]:
        beside = printed_bounds_beside(function(instances, draw.randint(1, 3), epsilon))
        assert not [bound for bound in beside.bounds.values() if bound.refuted]
        for bound in beside.bounds.values():
            assert not bound.applies or bound.ratio.upper >= 1


def test_the_transport_of_one_reward_is_attained():
    """Following one reward of a mirrored pair errs with probability 1 - p, and kl(p, 1 - p) is attained."""
    optimum = exact_identification_error(MIRRORED, 1, "inf")
    transport = printed_bounds_beside(optimum)["transport"]
    assert optimum.upper == F(1, 4) and transport.value.contains(F(1, 4)) and transport.value.width < F(1, 10**20)


@pytest.fixture(scope="module")
def optimum():
    return exact_minimax_regret(MIRRORED, 6, ratio=2)


@pytest.mark.parametrize(
    ("kind", "value", "refuted"), [("lower", 2, True), ("lower", 1, False), ("upper", "1/2", True)]
)
def test_a_bound_on_the_wrong_side_is_refuted(optimum, kind, value, refuted):
    row = "a bound", "TH-D4.3", "2", Enclosure.outward(F(value)), True, "always"
    assert printed._judged(optimum, kind, *row).refuted is refuted
    assert not printed._judged(optimum, kind, *row[:4], False, "of another class").refuted


def test_a_false_information_is_refuted(monkeypatch):
    """Were relative entropy a tenth of what it is, the transport of one reward would say too much."""
    monkeypatch.setattr(printed, "kl_bernoulli", lambda p, q: kl_bernoulli(p, q) / 10)
    assert printed_bounds_beside(exact_identification_error(MIRRORED, 2, "inf"))["transport"].refuted


def test_the_table_says_how_loose_each_bound_is():
    shown = str(printed_bounds_beside(exact_minimax_regret(MIRRORED, 2, ratio=2)))
    assert shown.startswith("Printed bounds beside <ExactMinimax [0.458333")
    assert "does not apply: it speaks of Gaussian arms" in shown and "TH-T4.9" in shown


def test_budgets_are_rounded_down_for_what_falls_with_them():
    """An algorithm with a smaller budget has no smaller value to compete with."""
    optimum = exact_minimax_regret(MIRRORED, 2, "0.3")
    assert printed._rational(optimum, up=False) <= F(3, 10) <= printed._rational(optimum, up=True)
    assert printed._rational(replace(optimum, epsilon=F(1, 2)), up=False) == F(1, 2)


def test_under_zcdp_stand_its_own_bounds():
    """A bound for Interactive zCDP is refuted by no policy that is private on lists alone."""
    beside = printed_bounds_beside(exact_minimax_regret(MIRRORED, 2, rho="0.1"))
    assert {"AdaC-UCB, gap-dependent", "AdaC-UCB, gap-free", "AdaC-UCB, episode by episode"} <= set(beside)
    assert not any(bound.refuted for bound in beside.bounds.values())
    asks_more = beside["two environments, zcdp"]
    assert not asks_more.applies and asks_more.source == "TH-T4.14"
    assert abs(float(asks_more.value.lower) - math.exp(-0.1 * (1 + 0.5 * 0.5 * 2)) / 8) < 1e-12
    assert "it speaks of Interactive zCDP" in str(beside) and not any("AdaP" in name for name in beside)


def test_without_privacy_stand_the_algorithms_without_privacy():
    names = set(printed_bounds_beside(exact_minimax_regret(MIRRORED, 2, "inf")))
    assert "UCB, gap-dependent" in names and not any("AdaP" in name for name in names)
    names = set(printed_bounds_beside(exact_minimax_regret(MIRRORED, 2, 1)))
    assert "AdaP-UCB, gap-dependent" in names and "UCB, gap-dependent" not in names


@pytest.mark.parametrize("function", [exact_minimax_regret, exact_identification_error])
@pytest.mark.parametrize("budget", [{"ratio": 2}, {"ratio": "inf"}, {"rho": "0.1"}])
def test_every_bound_names_items_of_the_catalogue(function, budget):
    with files("banditproof.paper_checks").joinpath("catalogue.tsv").open(encoding="utf-8") as file:
        known = {line.split("\t")[0] for line in file}
    for bound in printed_bounds_beside(function(MIRRORED, 2, **budget)).bounds.values():
        assert set(bound.source.split(", ")) <= known, bound.source
