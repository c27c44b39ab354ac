"""The register of planted bugs: a bug is entered once, where it is defined."""

import pytest

from banditproof.algorithms.roster import everything
from banditproof.verify import ADVERSARIAL_BUGS, LINEAR_BUGS, PLANTED, REGRET_BUGS
from banditproof.verify.bugs import Bugs
from banditproof.verify.guarantees.identification_bugs import ERRORS, LEAKS
from banditproof.verify.guarantees.regret_bugs import own_bugs
from banditproof.verify.runs.planted import RARE


def test_a_name_is_given_once_in_a_family_and_a_family_once(monkeypatch):
    monkeypatch.setattr(Bugs, "families", {})
    bugs = Bugs("of this test")

    @bugs.named("one")
    def one(policy):
        return policy

    assert bugs == {"one": one} and Bugs.families == {"of this test": bugs}
    with pytest.raises(ValueError, match="already"):
        bugs.named("one")(one)
    with pytest.raises(ValueError, match="already"):
        Bugs("of this test")


def test_every_family_of_bugs_is_in_the_register_and_none_is_empty():
    own = {entry.bugs for entry in everything()} - {""}
    named = {bugs.family for bugs in (ADVERSARIAL_BUGS, LINEAR_BUGS, PLANTED, RARE, REGRET_BUGS, ERRORS, LEAKS)}
    assert set(Bugs.families) == named | own and all(Bugs.families.values())
    assert own_bugs("adap-ucb") is Bugs.families["index"]
