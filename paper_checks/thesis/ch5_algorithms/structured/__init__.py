"""Sections 5.3 and 5.5: linear and contextual bandits."""
