"""Section 2.1: differential privacy."""
