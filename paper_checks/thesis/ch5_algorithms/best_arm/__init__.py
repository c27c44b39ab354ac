"""Sections 5.4 and 5.5: private best-arm identification."""
