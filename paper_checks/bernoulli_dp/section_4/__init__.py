"""Section 4: the algorithms and their regret."""
