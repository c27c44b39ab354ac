"""Appendix C: AdaC-UCB."""
