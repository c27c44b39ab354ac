"""Laws of rewards: families, their divergences and infima, instances."""
