"""Appendix D: proofs of the leakage of means."""
