"""Certificates of bounds in files: written with the bounds, checked again without a search, and not believed."""

import json

import pytest

from banditproof.theory.best_arm import arm_by_arm, best_arm_game
from tests.cli.calling import status

COMMANDS = {
    "bounds bai --means 0.9,0.8,0.5 --epsilon 0.5 --beta 0.5": ["kl", "private", "tv", "d_epsilon", "fixed proportion"],
    "bounds bai --means 1,0.8,0.5 --sigma 2 --family gaussian --epsilon inf": ["kl", "private", "tv", "d_epsilon"],
    "bounds bai --means 3,2 --family poisson": ["kl"],
    "bounds linear actions.csv --theta 1,0.5 --epsilon 0.1": [
        *("non-private", "private, printed", "private, bases", "d-epsilon")
    ],
    "design actions.csv": ["G-optimal design"],
    "bounds minimax --arms 3 --horizon 100 --epsilon 0.5": ["minimax regret"],
    "bounds exact --means 0.75,0.25 --horizon 3 --ratio 2,inf": ["ratio 2", "ratio inf"],
    "bounds exact --means 0.7,0.2 --horizon 2 --epsilon 0.5 --delta 0.1 --error": ["epsilon 0.5"],
    "bounds exact --means 0.7,0.2 --horizon 2 --rho 0.1": ["rho 0.1"],
    "bounds coupling --first 0.5,0.3 --second 0.4,0.2 --epsilon 1": ["hamming", "hamming-squared"],
}


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "actions.csv").write_text("1,0\n0,1\n0.6,0.6\n")

    return lambda command: (status(command.split()), capsys.readouterr().out)


def no_search(*_):
    raise AssertionError("a search")


@pytest.mark.one_in(2)
@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_written_is_checked_again_without_a_search(command, run, monkeypatch):
    assert run(f"{command} --certificate bounds.json")[0] == 0
    monkeypatch.setattr(best_arm_game.Game, "solve", no_search)
    monkeypatch.setattr(arm_by_arm.ArmByArm, "solve", no_search)
    code, out = run("recheck bounds.json")
    named = [line.partition(": the certificate holds: ")[0] for line in out.splitlines()]
    assert code == 0 and named == COMMANDS[command]
    code, out = run("recheck bounds.json --json")
    assert code == 0 and json.loads(out)["problems"] == []


def tampered(folder, change):
    path = folder / "bounds.json"
    content = json.loads(path.read_text())
    change(content["certificates"])
    path.write_text(json.dumps(content))


def narrower(found):
    """A value that is a hundredth larger than what is proved."""
    value = found["kl"]["value"]["enclosure"]
    value["lower"] = value["upper"] = [100, 0]


CHANGES = {
    "another value": (narrower, "the certificate does not prove its value"),
    "another instance": (
        lambda found: found["kl"]["instance"].update(arms=found["kl"]["instance"]["arms"][::-1]),
        "the certificate does not prove its value",
    ),
    "no number": (lambda found: found["kl"].update(best_arm="0"), "the certificate does not prove its value"),
    "no proof": (lambda found: found["kl"].update(certificate=None), "it cannot be evaluated"),
    "a field too many": (lambda found: found["kl"].update(more=1), "it cannot be evaluated"),
    "a type that proves nothing": (lambda found: found.update(kl={"is": "Enclosure"}), "it is none of "),
    "no text": (lambda found: found["kl"].update(instance={"fraction": 0.9}), 'text such as "9/10", got 0.9'),
    "a type of nobody": (
        lambda found: found["kl"].update(instance={"is": "Path"}),
        "type in a certificate must be one",
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_is_changed_does_not_hold(name, run, tmp_path):
    change, why = CHANGES[name]
    assert run("bounds bai --means 0.9,0.8,0.5 --certificate bounds.json")[0] == 0
    tampered(tmp_path, change)
    code, out = run("recheck bounds.json")
    assert code == 1 and len(out.splitlines()) == 1 and out.startswith("kl: ") and why in out
