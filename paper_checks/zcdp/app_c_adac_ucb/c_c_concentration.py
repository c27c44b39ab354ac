"""Appendix C-C: Lemma 2, tails of a mean with Gaussian noise."""
