"""A field beside a statement says what stands after `for` in one."""

import pytest

from banditproof.verify.judge.formulas.sentence import Unread
from banditproof.verify.judge.reading.readers import read
from tests.cases import rows, texts

TEXTS = texts(__file__)

FIELDS = rows(TEXTS["fields"], data=(1,))


@pytest.mark.parametrize("statement, fields, said", FIELDS)
def test_a_field_says_what_stands_after_for(statement, fields, said):
    given, meant = read(statement, fields), read(f"{statement} for {said}")
    assert (given.ranges, given.conditions) == (meant.ranges, meant.conditions)


@pytest.mark.parametrize("fields, why", rows(TEXTS["unreadable fields"], data=(0,)))
def test_a_field_that_cannot_be_read_is_named_and_has_no_place_in_the_statement(fields, why):
    with pytest.raises(Unread, match=r"(?s)" + why.replace("[", r"\[")) as caught:
        read("x epsilon <= 1" if "epsilon" in fields else "x <= 1", fields)
    assert caught.value.place == -1


def test_a_range_of_what_does_not_stand_beside_pi_is_asked_about():
    """The range may be that of a variable which is printed as pi, such as a prior."""
    with pytest.raises(Unread, match="pi is the constant, and x, which has a range, does not stand"):
        read(r"\frac{e\pi}{1+(e-1)\pi}\le1", {"x": "[0, 1]"}, "latex")
    assert read(r"x\le\pi", {"x": "[0, 1]"}, "latex").said == "x <= pi for x in [0, 1]"


def test_a_range_of_another_letter_than_the_one_without_a_range_is_asked_about():
    """Of a, which a condition bounds, any real number had been taken."""
    with pytest.raises(Unread, match="a has no range, and x, which has one, does not stand in the formula"):
        read(r"\sqrt a\le b\text{ when }a\le b^2", {"b": "(0, inf)", "x": "[0, 1]"}, "latex")
    assert read(r"2\Phi(\mu)\le\pi,\ \mu\ge0", {"m": "[0, inf)"}, "latex").said == "2*Phi(mu) <= pi for mu in [0, inf)"


def test_what_the_text_and_a_field_say_is_one_condition():
    assert len(read("p - q >= 0 for p, q in (0, 1) when p >= q", {"q": "(0, 1), q <= p"}).conditions) == 1


@pytest.mark.parametrize(("statement", "fields", "meant"), rows(TEXTS["initials"], data=(1,)))
def test_a_field_may_name_a_greek_letter_by_its_initial(statement, fields, meant):
    given = read(statement, fields, "latex")
    assert {**given.ranges} == {**read(meant, None, "plain").ranges}
    assert any("another spelling" in line for line in given.assumed)


@pytest.mark.parametrize("statement, meant", rows(TEXTS["signs"], data=(1,)))
def test_a_sign_that_is_said_to_mean_what_it_means_is_left_out(statement, meant):
    given, plainly = read(statement), read(meant or statement.partition(", where")[0])
    assert (given.sentence, given.ranges, given.conditions) == (plainly.sentence, plainly.ranges, plainly.conditions)
    assert "it is what the sign means here" in " ".join(given.assumed)


def test_a_condition_on_a_sign_is_no_definition():
    assert len(read("p <= q + 1 for p, q in (0, 1), where kl(p, q) = 1/10").conditions) == 1


@pytest.mark.parametrize("prose, signs", rows(TEXTS["words"]))
def test_words_are_signs(prose, signs):
    said, meant = read(prose), read(signs)
    assert (said.sentence, said.ranges) == (meant.sentence, meant.ranges)
