"""Sections 2.3 and 2.4: membership inference and asymptotic statistics."""
