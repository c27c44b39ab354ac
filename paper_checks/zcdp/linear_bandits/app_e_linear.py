"""Appendix E: private least squares, the proof of Theorem 4, and the places for the noise."""
