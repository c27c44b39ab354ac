"""The items of the documents that bound a loss: each stands beside exact values, or its words say why it does not."""

import csv
from pathlib import Path

import pytest

from banditproof.claims.loading import load
from banditproof.paper_checks.shared import finite_time
from banditproof.paper_checks.shared.finite_time import UNPLACED, loss_bounds


@pytest.fixture(scope="module")
def found():
    load()
    return {one.id: one for one in loss_bounds()}


def test_no_item_is_left_without_a_place(found):
    assert [one.id for one in found.values() if one.why == UNPLACED] == []
    assert all(bool(one.beside) != bool(one.why) for one in found.values())
    assert len(found) > 80 and {id_.split("-")[0] for id_ in found} == {
        "BDP",
        "TH",
        "ALG",
        "ZCDP",
        "RDP",
        "ADV",
        "MIA",
        "SHARP",
    }


def test_the_table_of_the_page_is_what_the_register_says(found):
    with (Path(__file__).parents[2] / "docs" / "exact-items.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))[1:]
    assert rows == [[one.id, one.kind, "; ".join(one.beside), one.why] for one in found.values()]


@pytest.mark.parametrize("item", ["TH-S4.1b", "TH-T4.15", "TH-T4.20", "ALG-T5.3", "ALG-T5.6", "TH-T2.23", "ADV-C2"])
def test_what_prints_numbers_for_bernoulli_arms_is_beside(item, found):
    assert found[item].beside


def test_an_item_that_nothing_evaluates_is_noticed(monkeypatch, found):
    monkeypatch.setattr(finite_time, "_evaluated", set)
    lost = {one.id for one in loss_bounds() if one.why == UNPLACED}
    assert {"TH-S4.1b", "TH-T4.15", "ALG-T5.3", "ALG-TC.7", "ADV-C22"} <= lost
