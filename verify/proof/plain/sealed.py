"""Balls that answer no question: what a relation does with them, it does for every number that they stand for.

Reading the source finds branches that are written as such; a sealed ball finds the others, however they came about.
Only the machinery, which is made for balls, may compare it or look into it.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from functools import partialmethod
from typing import Any

from banditproof.theory.numbers.numeric import to_ball
from banditproof.verify.proof.compare import MACHINERY, is_ball

PLAIN = __name__.rpartition(".")[0]
OF_EVERY_POINT = set("cos erf erfc exp expm1 gamma hypgeom hypgeom_1f1 lambertw lgamma log log1p sin sqrt".split())
OF_EVERY_POINT |= set("imag max min pi real union".split())


class Asked(Exception):
    """A relation asked a ball what its points may answer differently."""


def sealed(value: Any) -> Any:
    """The value with its ball sealed, also in lists and tuples."""
    return _each(lambda one: SealedBall(one) if is_ball(one) else one, value)


def opened(value: Any) -> Any:
    """The ball within a sealed one, also in lists, tuples and mappings."""
    return _each(lambda one: one._within if type(one) is SealedBall else one, value)


def _each(change: Callable[[Any], Any], value: Any) -> Any:
    if type(value) in (list, tuple):
        return type(value)(_each(change, one) for one in value)
    return {n: _each(change, one) for n, one in value.items()} if type(value) is dict else change(value)


class SealedBall:
    """A ball of flint that takes part in arithmetic and answers nothing else outside of the machinery."""

    __slots__ = ("_within",)

    def __init__(self, ball: Any) -> None:
        self._within = ball

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # by which flint and NumPy ask what it is
            raise AttributeError(name)
        found = getattr(opened(self), name)
        if name not in OF_EVERY_POINT:
            _let_pass(name)
        return (lambda *given: sealed(found(*map(opened, given)))) if callable(found) else sealed(found)


def _let_pass(question: str) -> None:
    """Raise Asked unless the machinery asks."""
    asker = sys._getframe(2)
    home = str(asker.f_globals.get("__name__", ""))
    if not home.startswith(MACHINERY) or home.startswith(PLAIN):  # which calls what the document does
        raise Asked(f"{asker.f_code.co_name} asks a ball for {question}")


def _pair(name: str, swapped: bool) -> Callable[[SealedBall, Any], Any]:
    """An operator of two numbers, one of them a sealed ball."""
    combine = getattr(operator, name)

    def method(self: SealedBall, other: Any) -> Any:
        first, second = self._within, other._within if type(other) is SealedBall else other
        if swapped:
            first, second = second, first
        if name == "pow" and second == 0 and not to_ball(first).is_finite():  # for flint 1
            raise Asked("the power 0 is taken of what may have no value")
        found = combine(first, second)
        if is_ball(found):
            return SealedBall(found)
        if type(found).__module__.partition(".")[0] != "flint":  # a series stays what it is
            raise TypeError(f"{name} of a ball and another kind of number")
        return found

    return method


def _alone(name: str) -> Callable[[SealedBall], SealedBall]:
    combine = getattr(operator, name)
    return lambda self: SealedBall(combine(self._within))


def _answer(self: SealedBall, question: str, *others: Any) -> Any:
    _let_pass(question)
    return getattr(opened(self), question)(*map(opened, others))


for _name in ("add", "sub", "mul", "truediv", "pow"):
    setattr(SealedBall, f"__{_name}__", _pair(_name, False))
    setattr(SealedBall, f"__r{_name}__", _pair(_name, True))
for _name in ("neg", "pos", "abs"):
    setattr(SealedBall, f"__{_name}__", _alone(_name))
for _name in "lt le eq ne ge gt bool float int hash str repr format".split():
    setattr(SealedBall, f"__{_name}__", partialmethod(_answer, f"__{_name}__"))
# The number systems of theory go by name and home; these balls belong to flint's.
SealedBall.__name__, SealedBall.__module__ = "arb", "flint"
