"""What is no number, out of its domain or mistaken is refused: the calls stand beside it, with words of the message."""

import pytest

from tests.cases import assert_refused, refused


@pytest.mark.parametrize(("head", "before", "call", "words"), refused(__file__))
def test_what_is_refused_says_what_is_allowed(head, before, call, words):
    assert_refused(head, before, call, words)
