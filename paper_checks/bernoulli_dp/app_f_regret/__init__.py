"""Appendix F: the regret analysis."""
