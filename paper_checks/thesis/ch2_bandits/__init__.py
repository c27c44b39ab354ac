"""Section 2.2: bandits."""
