"""The register: every registered algorithm is found, and what is said of it is there."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

import banditproof.algorithms
from banditproof.algorithms import roster
from banditproof.algorithms.registration import OWN, Game, IdentificationSetting, Setting
from banditproof.claims.documents import catalogue
from banditproof.theory.bounds.upper_bounds import RECIPES
from banditproof.theory.errors import InvalidInput
from banditproof.verify.guarantees.regret_bugs import Bugs

ROOM = Path(banditproof.algorithms.__file__).parent


def test_no_module_with_a_registered_algorithm_is_left_out():
    found = {path for path in ROOM.glob("*/*.py") if re.search(r"^@registered\(", path.read_text(), re.MULTILINE)}
    assert {".".join(path.with_suffix("").relative_to(ROOM).parts) for path in found} == set(roster.HOLDERS)


@pytest.mark.parametrize("entry", roster.everything(), ids=lambda entry: f"{entry.setting.__name__}, {entry.name}")
def test_what_is_said_of_an_algorithm_is_there(entry):
    assert entry.source in {*catalogue(), OWN} and entry.bugs in ("", *Bugs.families) and entry.pulls >= 1
    assert set(entry.hurried) <= set(entry.options)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", entry.name)


def test_a_theorem_on_the_regret_speaks_of_the_kinds_of_budget_that_the_algorithm_takes():
    printed = {recipe.algorithm.lower().replace(" ", "-"): set[str]() for recipe in RECIPES}
    for recipe in RECIPES:
        printed[recipe.algorithm.lower().replace(" ", "-")] |= set(recipe.kinds or ())
    taken = {name: set(entry.kinds) for name, entry in roster.algorithms().items() if name in printed}
    assert taken == {name: printed[name] for name in taken} and "adac-ucb" in taken


def test_a_name_means_one_algorithm_of_a_setting():
    assert roster.algorithm("adap-tt").made is roster.algorithm("adap-tt", IdentificationSetting).made
    assert {entry.setting for entry in roster.everything()} > {Setting, Game, IdentificationSetting}
    with pytest.raises(InvalidInput, match="did you mean dp-imed"):
        roster.algorithm("dp-imde")


def test_two_algorithms_of_one_name_are_refused(monkeypatch):
    entry = replace(roster.algorithm("dp-imed"), source="BDP-A2")
    monkeypatch.setattr("banditproof.algorithms.finite.index.UCB.registrations", (entry,))
    roster.everything.cache_clear()
    with pytest.raises(InvalidInput, match="dp-imed"):
        roster.everything()
