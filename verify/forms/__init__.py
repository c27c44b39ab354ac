"""Quantities that take one form on symbols and another on numbers; that both are the same is tested."""
