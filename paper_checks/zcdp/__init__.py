"""Concentrated Differential Privacy for Bandits, by section."""
