"""Quantities of calculus and geometric sums that claims name."""
