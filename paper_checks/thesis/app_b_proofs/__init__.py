"""Appendix B: proofs of the lower bounds."""
