"""Strategies for best-arm identification with fixed confidence: they stop and name an arm."""
