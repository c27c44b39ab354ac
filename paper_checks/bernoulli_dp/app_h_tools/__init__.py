"""Appendix H: tools."""
