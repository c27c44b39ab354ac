"""Formulas, domains and derivations that several chapters of the thesis share."""
