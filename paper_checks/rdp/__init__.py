"""Rényi Differentially Private Bandits, by section."""
