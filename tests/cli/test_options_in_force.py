"""What an algorithm runs with is printed, typed or not."""

import json

import pytest

from tests.cli.calling import status

ARMS = "--means 0.9,0.5 --runs 2"
PRINTED = {
    f"simulate --algorithm dp-imed --epsilon 1 --horizon 50 {ARMS}": ["dp-imed: alpha 2, ties lowest-arm (--option)"],
    f"simulate --algorithm dp-imed --epsilon 1 --horizon 50 {ARMS} --option alpha=1.5": ["dp-imed: alpha 3/2, ties"],
    f"simulate --algorithm adap-ucb --algorithm dp-se --epsilon 1 --horizon 50 {ARMS}": [
        "adap-ucb: beta 3.1 (--option)",
        "dp-se: beta by the horizon (--option)",
    ],
    f"identify --algorithm adap-tt --algorithm ttucb --epsilon 1 {ARMS} --cap 50 --option share=optimal": [
        "adap-tt: beta 0.5, bonus phase (--option)",
        "ttucb: beta 0.5, share optimal (--option)",
    ],
}


def said(command, capsys):
    assert status(command.split()) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("command", PRINTED)
def test_options_are_printed(command, capsys):
    lines = said(command, capsys).splitlines()
    assert all(any(line.startswith(wanted) for line in lines) for wanted in PRINTED[command])


def test_an_algorithm_without_options_has_no_line(capsys):
    assert "--option" not in said(f"identify --algorithm lucb {ARMS} --cap 50", capsys)


def test_options_are_in_the_document(capsys):
    command = f"simulate --algorithm dp-imed --epsilon 1 --horizon 50 {ARMS} --option alpha=1.5 --json"
    options = json.loads(said(command, capsys))["algorithms"]["dp-imed"]["options"]
    assert options == {"alpha": "3/2", "ties": "lowest-arm"}
    options = json.loads(said(f"identify --algorithm ttucb {ARMS} --cap 50 --option beta=0.6 --json", capsys))
    assert options["options"] == {"ttucb": {"beta": 0.6, "share": "fixed"}}
