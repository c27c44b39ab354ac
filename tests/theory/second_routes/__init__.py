"""Quantities and a second route to each: textbook formulas and searches in mpmath, exact sums, other solvers."""
