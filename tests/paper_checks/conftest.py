"""What several tests of the claims use."""

import inspect
from collections.abc import Callable
from typing import Any

import pytest

from banditproof.claims import REGISTER, load
from banditproof.theory.numbers.numeric import working_precision
from banditproof.verify.proof.compare import call


@pytest.fixture
def precision():
    """Balls of 128 bits."""
    with working_precision(128):
        yield


@pytest.fixture(scope="session")
def relation() -> Callable[[str], Callable[..., Any]]:
    """A function that gives the relation of a claim: both sides and the operator for the numbers of its variables."""
    load()

    def of(claim_id: str) -> Callable[..., Any]:
        found = REGISTER[claim_id].relation
        assert found is not None
        return lambda *numbers, **named: call(found, inspect.signature(found).bind(*numbers, **named).arguments)

    return of
