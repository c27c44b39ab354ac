"""junit.xml is well-formed whatever a check's exception says."""

import xml.etree.ElementTree as ElementTree

import pytest

from banditproof.claims.report.text import junit


@pytest.mark.parametrize("character", ["\x00", "\x1b", "\x0b", "\udc80", "\uffff"])
def test_a_character_that_xml_has_no_place_for_is_written_by_its_name(character):
    record = {
        "id": f"A{character}",
        "paper": "p",
        "role": "item",
        "status": "error",
        "verdict": None,
        "seconds": 0.0,
        "statement": "",
    }
    read = ElementTree.fromstring(junit({"claims": [record | {"reach": f"ValueError: µ {character}\nend"}]}))
    (error,) = read.iter("error")
    assert error.text == f"ValueError: µ {ascii(character)[1:-1]}\nend"
