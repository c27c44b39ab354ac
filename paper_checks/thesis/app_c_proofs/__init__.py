"""Appendix C: proofs of the algorithms' guarantees."""
