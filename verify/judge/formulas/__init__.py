"""Printed formulas and sentences as data: what they are made of, their values, how they are printed."""
