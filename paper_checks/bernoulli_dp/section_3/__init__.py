"""Section 3: the lower bound."""
