"""Policies whose privacy is known: bugs as engineers write them, and oddities that do no harm."""

from specimens import amounts, budgets, late, noises, outside, plain, raw, subtle
from specimens.common import CAUSES, COLLECTION, Specimen

FAMILIES = (raw, amounts, budgets, noises, outside, late, plain, subtle)
SPECIMENS: tuple[Specimen, ...] = tuple(COLLECTION)

__all__ = ["CAUSES", "FAMILIES", "SPECIMENS", "Specimen"]
