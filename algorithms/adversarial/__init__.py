"""Bandits and expert advice against losses that are fixed beforehand: learners, conversions, hard sequences."""
