"""Proofs: relations, domains, evidence, the provers, statistical tests, and checking evidence again."""
