"""Chapter 1: tails of coins."""
