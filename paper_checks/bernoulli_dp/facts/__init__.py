"""Formulas, domains and derivations that several sections of the paper share."""
