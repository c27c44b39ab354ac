"""Appendix D: concentration of noisy sums."""
